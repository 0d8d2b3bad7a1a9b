"""Players who give a conversation, black words out first, and take it back."""

from __future__ import annotations

import pytest

from annotation.errors import FieldMissing
from annotation.giving import BLACKED, blacken
from annotation.probes import default_probes
from annotation.workbench import Workbench
from storage.annotation_errors import NothingLeft, NotThere
from storage.annotation_records import Member, Project
from storage.annotation_run_rows import Reply, Setting
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


def test_what_is_given_is_a_copy_without_what_was_blacked_out(bench: Workbench, made: Project, talk: OpenChat) -> None:
    found = bench.giving.preview(PIA, talk.scope.chat_id, [])
    assert set(found.found) >= {"pia@harbour.example.", "+49 170 1234567"} or set(found.found) >= {"pia@harbour.example", "+49 170 1234567"}
    item = bench.giving.give(PIA, made.id, talk.scope.chat_id, ["Pia", "Sandoval", *found.found], consent="yes")
    talk.say("My secret is the heliotrope.", number=3)
    said = [turn.text for turn in bench.projects.turns(ADMIN, item)]
    assert said[1:3] == [f"I will, {BLACKED}.", f"My number is {BLACKED}. I was annoyed."]
    assert len(said) == 4
    assert "Pia" not in str(said)
    assert "harbour" not in str(said)


def test_without_consent_or_an_invitation_nothing_is_given(bench: Workbench, made: Project, talk: OpenChat) -> None:
    for consent in ("", "no"):
        with pytest.raises(FieldMissing):
            bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent=consent)
    bench.close_project(ADMIN, made.id, closed="yes")
    with pytest.raises(NotThere):
        bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent="yes")
    assert bench.giving.given(PIA) == []
    assert bench.giving.invitations() == []


def test_nobody_gives_or_takes_back_what_is_anothers(bench: Workbench, made: Project, talk: OpenChat) -> None:
    for member in (ANN, ADMIN):
        with pytest.raises(NotThere):
            bench.giving.preview(member, talk.scope.chat_id, [])
        with pytest.raises(NotThere):
            bench.giving.give(member, made.id, talk.scope.chat_id, [], consent="yes")
    item = bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent="yes")
    with pytest.raises(NotThere):
        bench.giving.withdraw(ANN, item)
    assert len(bench.giving.given(PIA)) == 1


def test_who_played_it_does_not_annotate_it(bench: Workbench, made: Project, talk: OpenChat) -> None:
    bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent="yes")
    with pytest.raises(NothingLeft):
        bench.projects.take(Member("pia", "annotator"), made.id, "annotator")


def test_taking_it_back_takes_all_that_was_made_of_it(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    item = bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent="yes")
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("She is called Sandoval.", [1]))
    bench.giving.withdraw(PIA, item)
    assert bench.giving.given(PIA) == []
    with pytest.raises(NotThere):
        bench.sheet(ANN, mine.id)
    assert bench.exchange.dump(ADMIN, made.id).dialogues == []
    for table in ("item", "turn", "assignment", "point"):
        assert store.database.read().execute(f"SELECT count(*) FROM annotation_{table}").fetchone()[0] == 0


def test_erasing_the_conversation_erases_its_copy_from_every_file(bench: Workbench, store: Store, made: Project, talk: OpenChat) -> None:
    bench.giving.give(PIA, made.id, talk.scope.chat_id, [], consent="yes")
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
    item = bench.giving.give(PIA, alone.id, talk.scope.chat_id, [], consent="yes")
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
