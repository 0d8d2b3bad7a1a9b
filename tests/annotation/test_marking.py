"""Marks made while playing: seen by nobody else, never moved to other words, gone with the conversation."""

from __future__ import annotations

import pytest

from annotation.errors import FieldMissing, QuoteMoved
from annotation.exchange import export
from annotation.marking import Beginning, Chosen
from annotation.workbench import Workbench
from storage.annotation_errors import AlreadySubmitted, NotAllowed, NotThere
from storage.annotation_records import Member, Point
from storage.backup import Backups
from storage.records import NewWording, stable_id
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, house, wording
from tests.conftest import OpenChat, open_chat
from tests.storage.lived_in import traces

BEGIN = Beginning("Marked while playing", ["Profile", "Event"], "One fact each.")
PIA = Member("pia", "annotator")


@pytest.fixture
def bench(store: Store) -> Workbench:
    return house(store)


@pytest.fixture
def talk(store: Store) -> OpenChat:
    chat = open_chat(store, "pia")
    chat.say("I *really* keep bees.\n\nOn the roof of the heliotrope house.", "Bees are weather.", number=1)
    chat.say("My sister is Oda.", "Oda who sings?", number=2)
    return chat


def messages(chat: OpenChat) -> list[str]:
    return [one.id for one in chat.store.chats.path(chat.scope, chat.branch_id, limit=50)[::-1]]


def mark(bench: Workbench, chat: OpenChat, place: int, chosen: Chosen | None = None) -> Point:
    return bench.marking.mark(PIA, chat.scope.chat_id, messages(chat)[place], chosen, begin=BEGIN, consent="yes")[1]


def work(bench: Workbench) -> str:
    return bench.projects.assignments(PIA)[0].id


def test_a_message_is_a_memory_point_in_its_own_words(bench: Workbench, talk: OpenChat) -> None:
    made = mark(bench, talk, 2)
    assert (made.text, made.evidence.turns, made.evidence.quotes, made.category) == ("My sister is Oda.", (3,), (), "Profile")
    sheet = bench.sheet(PIA, work(bench))
    assert [turn.text for turn in sheet.turns][2:] == ["My sister is Oda.", "Oda who sings?"]
    assert sheet.project.name == "Marked while playing"
    assert [one.message_id for one in bench.marking.marks(PIA, talk.scope.chat_id)] == [messages(talk)[2]]


def test_the_quote_is_what_is_selected_as_the_page_shows_it(bench: Workbench, talk: OpenChat) -> None:
    made = mark(bench, talk, 0, Chosen("really keep bees. On the roof", 1))
    (quote,) = made.evidence.quotes
    assert quote.text == "really* keep bees.\n\nOn the roof"
    assert made.text == "really* keep bees. On the roof"
    with pytest.raises(QuoteMoved):
        mark(bench, talk, 1, Chosen("keep bees", 0))


def test_of_equal_words_those_are_quoted_that_were_selected(bench: Workbench, talk: OpenChat) -> None:
    talk.say("Red, red, and red again.", number=3)
    made = mark(bench, talk, 4, Chosen("red", 8))
    assert made.evidence.quotes[0].start == 14


def test_nothing_is_copied_before_the_player_has_agreed(bench: Workbench, talk: OpenChat) -> None:
    with pytest.raises(FieldMissing):
        bench.marking.mark(PIA, talk.scope.chat_id, messages(talk)[0], None, begin=BEGIN, consent="")
    assert bench.projects.projects(PIA) == []
    player = Member("pia", "player")
    with pytest.raises(NotAllowed):
        bench.marking.mark(player, talk.scope.chat_id, messages(talk)[0], None, begin=BEGIN, consent="yes")


def test_the_dialogue_grows_with_the_conversation(bench: Workbench, talk: OpenChat) -> None:
    mark(bench, talk, 0)
    talk.say("The boat is called Patience.", number=3)
    assert bench.sheet(PIA, work(bench)).turns[-1].text == "The boat is called Patience."
    mark(bench, talk, 4)
    assert len(bench.projects.assignments(PIA)) == 1
    assert [one.evidence.turns for one in bench.work.points(PIA, work(bench))] == [(1,), (5,)]


def test_what_is_rewritten_behind_the_last_mark_is_followed(bench: Workbench, talk: OpenChat) -> None:
    mark(bench, talk, 2)
    reword(talk, 3, "Oda who swims?")
    assert bench.sheet(PIA, work(bench)).turns[3].text == "Oda who swims?"


def reword(chat: OpenChat, place: int, text: str) -> None:
    chat.store.tree.reword(chat.scope, chat.branch_id, messages(chat)[place], NewWording(text, origin="user"), operation="edit")


def test_no_mark_moves_to_words_that_it_was_not_made_on(bench: Workbench, talk: OpenChat) -> None:
    made = mark(bench, talk, 2)
    bench.marking.unmark(PIA, "point", made.id, work=work(bench), version=made.version)
    reword(talk, 2, "My sister is Ada.")
    assert bench.marking.marks(PIA, talk.scope.chat_id) == []
    later = mark(bench, talk, 2)
    old, new = sorted((bench.sheet(PIA, one.id) for one in bench.projects.assignments(PIA)), key=lambda sheet: sheet.item.number)
    assert (old.turns[2].text, new.turns[2].text, later.text) == ("My sister is Oda.", "My sister is Ada.", "My sister is Ada.")
    bench.work.undo(PIA, old.assignment.id, "annotator")
    assert [one.text for one in bench.work.points(PIA, old.assignment.id)] == ["My sister is Oda."]


def test_a_branch_that_is_come_back_to_is_gone_on_with(bench: Workbench, talk: OpenChat) -> None:
    mark(bench, talk, 3)
    reword(talk, 2, "My sister is Ada.")
    mark(bench, talk, 2)
    talk.store.tree.swipe(talk.scope, talk.branch_id, messages(talk)[2], 0)
    talk.say("Yes, in a choir.", number=3)
    mark(bench, talk, 4)
    counts = sorted(len(bench.work.points(PIA, one.id)) for one in bench.projects.assignments(PIA))
    assert counts == [1, 2], "the first dialogue has the third mark"


def test_a_hidden_message_and_anothers_are_not_there(bench: Workbench, talk: OpenChat) -> None:
    talk.store.tree.hide(talk.scope, talk.branch_id, messages(talk)[1])
    with pytest.raises(NotThere):
        mark(bench, talk, 1)
    for member in (ANN, ADMIN):
        with pytest.raises(NotThere):
            bench.marking.mark(member, talk.scope.chat_id, messages(talk)[0], None, begin=BEGIN, consent="yes")


def test_nobody_else_sees_it_whatever_they_may_do_elsewhere(bench: Workbench, talk: OpenChat) -> None:
    mark(bench, talk, 2)
    (project,) = bench.projects.projects(PIA)
    (mine,) = bench.projects.assignments(PIA)
    bench.work.submit(PIA, mine.id)
    for member in (ADMIN, ANN):
        assert project.id not in {one.id for one in bench.projects.projects(member)}
        for look in (
            lambda m: bench.projects.project(m, project.id), lambda m: bench.projects.items(m, project.id), lambda m: bench.projects.turns(m, mine.item_id),
            lambda m: bench.work.gold(m, mine.item_id), lambda m: bench.work.submissions(m, mine.item_id), lambda m: bench.projects.events(m, project.id),
            lambda m: bench.exchange.dump(m, project.id), lambda m: bench.projects.take(m, project.id, "annotator"), lambda m: bench.sheet(m, mine.id),
            lambda m: bench.projects.guidelines(m, project.id), lambda m: bench.projects.remove_item(m, mine.item_id),
        ):  # fmt: skip
            with pytest.raises(NotThere):
                look(member)
    with pytest.raises(NotThere):
        bench.projects.progress(ADMIN, project.id)


def test_submitted_it_is_exported_by_its_owner_and_can_be_taken_back(bench: Workbench, talk: OpenChat) -> None:
    mark(bench, talk, 2)
    (project,) = bench.projects.projects(PIA)
    bench.work.submit(PIA, work(bench))
    assert "My sister is Oda." in export(bench.exchange, PIA, project.id, "gold").content.decode()
    with pytest.raises(AlreadySubmitted):
        mark(bench, talk, 0)
    bench.work.reopen(PIA, work(bench))
    mark(bench, talk, 0)
    assert bench.projects.item(PIA, bench.projects.assignments(PIA)[0].item_id).gold_at is None


def test_a_probes_p_is_kept_with_its_question_and_goes_when_it_is_unmarked(bench: Workbench, talk: OpenChat) -> None:
    value = {
        "id": stable_id("p"),
        "language": "en",
        "topic": "sister",
        "p": "My sister is Oda.",
        "q": "What is my sister called?",
        "a": "Oda.",
        "version": 0,
    }
    made = bench.marking.mark_probe(PIA, talk.scope.chat_id, messages(talk)[2], value, begin=BEGIN, consent="yes")
    (shown,) = bench.marking.marks(PIA, talk.scope.chat_id)
    assert (shown.message_id, shown.mark.kind, shown.mark.id) == (messages(talk)[2], "probe", made)
    with pytest.raises(NotThere):
        bench.marking.unmark(ADMIN, "probe", made, work="", version=1)
    bench.marking.unmark(PIA, "probe", made, work="", version=1)
    assert bench.marking.marks(PIA, talk.scope.chat_id) == []


def test_erasing_the_conversation_erases_its_marks_from_every_file(bench: Workbench, store: Store, talk: OpenChat) -> None:
    mark(bench, talk, 0)
    value = {
        "id": stable_id("p"),
        "language": "en",
        "topic": "t",
        "p": "the heliotrope house",
        "q": "Which house?",
        "a": "The heliotrope.",
        "version": 0,
    }
    bench.marking.mark_probe(PIA, talk.scope.chat_id, messages(talk)[0], value, begin=BEGIN, consent="yes")
    assert Backups(store.folder, keep=3).make()
    assert traces(store.folder.root, "heliotrope") != []
    store.chats.bin(talk.scope)
    store.erasures.chat("pia", talk.scope.chat_id)
    store.erasures.finish()
    assert traces(store.folder.root, "heliotrope") == []


def test_a_message_that_is_erased_takes_its_marks_along_and_no_others(bench: Workbench, store: Store, talk: OpenChat) -> None:
    mark(bench, talk, 0)
    mark(bench, talk, 2)
    bench.work.submit(PIA, work(bench))
    store.tree.delete(talk.scope, talk.branch_id, messages(talk)[0])
    assert Backups(store.folder, keep=3).make()
    store.erasures.empty_bin("pia", talk.scope.chat_id)
    store.erasures.finish()
    assert traces(store.folder.root, "heliotrope") == []
    assert [one.text for one in bench.work.points(PIA, work(bench))] == ["My sister is Oda."]
    assert [one.text for one in bench.work.gold(PIA, bench.projects.assignments(PIA)[0].item_id)] == ["My sister is Oda."]


def test_removing_the_account_removes_what_it_marked(bench: Workbench, store: Store, talk: OpenChat) -> None:
    mark(bench, talk, 0)
    store.erasures.account("pia")
    store.erasures.finish()
    assert store.database.read().execute("SELECT count(*) FROM annotation_project").fetchone()[0] == 0
    assert traces(store.folder.root, "heliotrope") == []


def test_a_point_made_alone_is_gold_that_who_made_it_can_see(bench: Workbench) -> None:
    from tests.annotation.invented import project

    made = project(bench, overlap=1)
    mine = bench.projects.take(ANN, made.id, "annotator")
    bench.keep_point(ANN, mine.id, wording("Maren grew up above a bakery.", [3]))
    bench.work.submit(ANN, mine.id)
    assert [one.text for one in bench.work.gold(ANN, mine.item_id)] == ["Maren grew up above a bakery."]
