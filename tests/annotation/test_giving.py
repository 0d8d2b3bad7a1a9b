"""Players who give a conversation, black words out first, and take it back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from annotation.errors import FieldMissing, ShownOtherwise
from annotation.giving import blacken
from annotation.probes import default_probes
from annotation.telling import BLACKED
from annotation.workbench import Workbench
from storage.annotation_errors import NothingLeft, NotThere
from storage.annotation_projects import NewItem, add_item, item_id_of
from storage.annotation_records import Member, Project
from storage.annotation_run_rows import Reply, Setting
from storage.backup import Backups
from storage.erasures import carry, records
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, house, turns, wording
from tests.annotation.test_regular import fields
from tests.conftest import OpenChat, open_chat
from tests.storage.lived_in import traces

PIA = Member("pia", "player")


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    value = {
        "name": "The pier",
        "overlap": 2,
        "lease_hours": 24,
        "categories": ["Profile"],
        "guideline": "",
        "briefing": "Read by two.",
        "target_rounds": 500,
    }
    return bench.make_project(ADMIN, value)


@pytest.fixture
def talk(store: Store) -> OpenChat:
    chat = open_chat(store, "pia")
    chat.say("I am Pia Sandoval, write to pia@harbour.example.", "I will, Pia.", number=1)
    chat.say("My number is +49 170 1234567. I was annoyed.", "You were?", number=2)
    return chat


def give(bench: Workbench, made: Project, talk: OpenChat, words: Sequence[str] = ()) -> str:
    """Pia looks, and gives what she sees."""
    seal = bench.giving.preview(PIA, talk.scope.chat_id, words).seal
    return bench.giving.give(PIA, made.id, talk.scope.chat_id, words, consent="yes", seal=seal)


def test_what_is_given_is_a_copy_without_what_was_blacked_out(bench: Workbench, made: Project, talk: OpenChat) -> None:
    found = bench.giving.preview(PIA, talk.scope.chat_id, [])
    assert set(found.found) >= {"pia@harbour.example.", "+49 170 1234567"} or set(found.found) >= {"pia@harbour.example", "+49 170 1234567"}
    item = give(bench, made, talk, ["Pia", "Sandoval", *found.found])
    talk.say("My secret is the heliotrope.", number=3)
    said = [turn.text for turn in bench.projects.turns(ADMIN, item)]
    assert said[1:3] == [f"I will, {BLACKED}.", f"My number is {BLACKED}. I was annoyed."]
    assert len(said) == 4
    assert "Pia" not in str(said)
    assert "harbour" not in str(said)


def test_without_consent_or_an_invitation_nothing_is_given(bench: Workbench, made: Project, talk: OpenChat) -> None:
    seal = bench.giving.preview(PIA, talk.scope.chat_id, []).seal
    for consent in ("", "no"):
        with pytest.raises(FieldMissing):
            bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent=consent, seal=seal)
    bench.close_project(ADMIN, made.id, closed="yes")
    with pytest.raises(NotThere):
        give(bench, made, talk)
    assert bench.giving.given(PIA) == []
    assert bench.giving.invitations() == []


def test_consent_is_to_what_was_shown_and_to_nothing_else(bench: Workbench, made: Project, talk: OpenChat) -> None:
    seal = bench.giving.preview(PIA, talk.scope.chat_id, ["Pia"]).seal
    for words in ([], ["Pia", "Sandoval"]):
        with pytest.raises(ShownOtherwise):
            bench.giving.give(PIA, made.id, talk.scope.chat_id, words, consent="yes", seal=seal)
    talk.say("My secret is the heliotrope.", number=3)
    with pytest.raises(ShownOtherwise):
        bench.giving.give(PIA, made.id, talk.scope.chat_id, ["Pia"], consent="yes", seal=seal)
    assert bench.giving.given(PIA) == []


def test_the_title_is_shown_and_blacked_out_like_what_is_said(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    store.chats.rename(talk.scope, "Pia at the lawyer's")
    assert bench.giving.preview(PIA, talk.scope.chat_id, ["Pia"]).title == f"{BLACKED} at the lawyer's"
    (found,) = [bench.projects.item(ADMIN, give(bench, made, talk, ["Pia"]))]
    assert found.title == f"{BLACKED} at the lawyer's"


def test_what_was_given_to_an_earlier_version_is_not_given_a_second_time(
    bench: Workbench, store: Store, made: Project, talk: OpenChat
) -> None:
    new = give(bench, made, talk)
    turns = bench.projects.turns(ADMIN, new)
    store.annotation_projects.remove_item(PIA, new)
    item = NewItem("The pier", "en", turns, chat_id=talk.scope.chat_id, player_id=PIA.user_id, consent_at=1)
    old = item_id_of(made.id, item)
    with store.database.write() as connection:
        assert add_item(connection, made.id, old, item)
    assert give(bench, made, talk) == old
    assert [one.item_id for one in bench.giving.given(PIA)] == [old]
    other = Member("quin", "player")
    theirs = open_chat(store, "quin")
    theirs.say("I am Pia Sandoval, write to pia@harbour.example.", "I will, Pia.", number=1)
    theirs.say("My number is +49 170 1234567. I was annoyed.", "You were?", number=2)
    seal = bench.giving.preview(other, theirs.scope.chat_id, []).seal
    assert bench.giving.give(other, made.id, theirs.scope.chat_id, [], consent="yes", seal=seal) != old, "another player's"


def test_the_same_words_of_two_players_are_two_gifts(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    first = give(bench, made, talk)
    assert give(bench, made, talk) == first, "given twice it is there once"
    other = Member("quin", "player")
    theirs = open_chat(store, "quin")
    theirs.say("I am Pia Sandoval, write to pia@harbour.example.", "I will, Pia.", number=1)
    theirs.say("My number is +49 170 1234567. I was annoyed.", "You were?", number=2)
    seal = bench.giving.preview(other, theirs.scope.chat_id, []).seal
    second = bench.giving.give(other, made.id, theirs.scope.chat_id, [], consent="yes", seal=seal)
    assert second != first
    bench.giving.withdraw(other, second)
    assert [one.item_id for one in bench.giving.given(PIA)] == [first]


def test_nobody_gives_or_takes_back_what_is_anothers(bench: Workbench, made: Project, talk: OpenChat) -> None:
    for member in (ANN, ADMIN):
        with pytest.raises(NotThere):
            bench.giving.preview(member, talk.scope.chat_id, [])
        with pytest.raises(NotThere):
            bench.giving.give(member, made.id, talk.scope.chat_id, [], consent="yes", seal="")
    item = give(bench, made, talk)
    with pytest.raises(NotThere):
        bench.giving.withdraw(ANN, item)
    assert len(bench.giving.given(PIA)) == 1


def test_who_played_it_does_not_annotate_it(bench: Workbench, made: Project, talk: OpenChat) -> None:
    give(bench, made, talk)
    with pytest.raises(NothingLeft):
        bench.projects.take(Member("pia", "annotator"), made.id, "annotator")


def test_taking_it_back_takes_all_that_was_made_of_it(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    item = give(bench, made, talk)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("She is called Sandoval.", [1]))
    bench.giving.withdraw(PIA, item)
    assert bench.giving.given(PIA) == []
    with pytest.raises(NotThere):
        bench.sheet(ANN, mine.id)
    assert bench.exchange.dump(ADMIN, made.id).dialogues == []
    for table in ("item", "turn", "assignment", "point"):
        assert store.database.read().execute(f"SELECT count(*) FROM annotation_{table}").fetchone()[0] == 0


def test_taking_it_back_reaches_into_backups_and_into_one_that_is_brought_back(
    bench: Workbench, store: Store, made: Project, talk: OpenChat, tmp_path: Path
) -> None:
    item = give(bench, made, talk)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("She is called Zephyrine.", [1]))
    backup = Backups(store.folder, keep=1).make()
    assert backup is not None
    old = tmp_path / "carried-away.db"
    shutil.copy(backup.path, old)
    bench.giving.withdraw(PIA, item)
    store.erasures.finish()
    assert traces(store.folder.root, "Zephyrine") == []
    assert store.chats.path(talk.scope, store.chats.chat(talk.scope).branch_id, limit=9), "the conversation stays hers"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        assert carry(connection, records(store.database.read())) == 1
        assert connection.execute("SELECT count(*) FROM annotation_item").fetchone() == (0,)
    again = give(bench, made, talk)
    assert store.erasures.waiting() == 0
    assert bench.projects.item(ADMIN, again).turns == 4, "what is given again is there again"


def test_erasing_the_conversation_erases_its_copy_from_every_file(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    give(bench, made, talk)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("She is called Sandoval.", [1]))
    store.chats.bin(talk.scope)
    store.erasures.chat("pia", talk.scope.chat_id)
    store.erasures.finish()
    assert bench.projects.items(ADMIN, made.id) == []
    assert traces(store.folder.root, "Sandoval") == []


def test_erasing_the_conversation_erases_probes_about_it_and_replies_of_their_runs(bench: Workbench, store: Store, talk: OpenChat) -> None:
    alone = bench.make_project(
        ADMIN, {"name": "Alone", "overlap": 1, "lease_hours": 24, "categories": ["Profile"], "guideline": "", "target_rounds": 500}
    )
    item = give(bench, alone, talk)
    mine = bench.projects.take(ANN, alone.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("She has a name.", [1]))
    bench.work.submit(ANN, mine.id)
    bench.regular.keep(ANN, item, fields(line="Were you not called Zephyrine?"))
    bench.regular.submit(ANN, item, "ab" * 16, version=1)
    bench.regular.keep_draft(ANN, bench.regular.sheet(ANN, item).work.id, draft='"Zephyrine"')
    runs, probes = store.annotation_runs, default_probes(alone.id)[:1]
    run = runs.begin(ADMIN, alone.id, item, [Setting("s", 300, 0, 9)], distances=[2], probes=probes, how={})
    runs.found(run, [], [Reply("c1" * 16, 0, 2, probes[0].id, "Zephyrine has a cello.", 4, "Zephyrine", "")])
    runs.label(Member("rena", "reviewer"), "c1" * 16, 4)
    store.chats.bin(talk.scope)
    store.erasures.chat("pia", talk.scope.chat_id)
    store.erasures.finish()
    for table in ("regular", "probe_work", "run", "reply", "reply_label"):
        assert store.database.read().execute(f"SELECT count(*) FROM annotation_{table}").fetchone()[0] == 0, table
    assert traces(store.folder.root, "Zephyrine") == []


def test_a_word_is_not_taken_out_of_another() -> None:
    one = turns(1)[0]
    from dataclasses import replace

    (got,), count = blacken([replace(one, text="Ann was annoyed. 王小明在北京。", speaker="ann")], ["Ann", "王小明"])
    assert (got.text, got.speaker, count) == (f"{BLACKED} was annoyed. {BLACKED}在北京。", BLACKED, 3)
