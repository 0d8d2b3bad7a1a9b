"""Asking the memory of a chat: what comes back, what it may rest on, and that nothing is changed by it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat.assembly import open_house
from chat.errors import MessageEmpty, QuestionGone, QuestionsWaiting, QuestionTooLong
from chat.questions import answer_view
from chat.views import AskedPhase, AskedView
from memory.answering import Answer, Note, Part
from models.errors import ModelTimeout
from models.scripted import Script, ScriptedModel
from models.structured import StructuredModel
from storage.errors import NotFound
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings, talk
from tests.waiting import until

__all__ = ["talk"]

TOLD = "My sister Ida keeps goats on a hill above Leith."
JSON = '{"notes": [{"excerpt": 1, "says": "Ida keeps goats."}], "found": true, "answer": "Ida keeps goats.", "excerpts": [1]}'


def ask(talk: Talk, text: str, *, token: str = "") -> AskedView:
    questions = talk.house.service.questions
    token = token or f"t{time.monotonic_ns()}"
    questions.ask(LOCAL_USER, talk.chat_id, text, token=token)
    return until(lambda: view if (view := questions.look(LOCAL_USER, talk.chat_id, token)).final else None)


def tell(talk: Talk, *texts: str) -> None:
    for text in (*texts, "And the weather holds."):
        talk.say(text)
    talk.remembered()


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[Talk, ScriptedModel]]:
    """A talk whose memory is asked through a language model."""
    model, answering = ScriptedModel(), ScriptedModel()
    house = open_house(house_settings(tmp_path / "data"), model=model, answering=StructuredModel(answering))
    house.start(worker=True)
    yield Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow")), answering
    house.close()


def test_a_question_is_answered_by_a_sentence_with_its_round(talk: Talk) -> None:
    tell(talk, TOLD)
    view = ask(talk, "What does my sister Ida keep?")
    assert view.phase is AskedPhase.DONE
    assert view.answer is not None
    assert view.answer.found
    assert "goats" in view.answer.parts[0].text
    assert view.answer.parts[0].rounds == (1,)
    assert view.answer.by == "sentences"


def test_what_was_never_told_is_not_in_memory(talk: Talk) -> None:
    tell(talk, TOLD)
    view = ask(talk, "Which university did the mayor's accountant attend in Lisbon?")
    assert view.answer is not None
    assert (view.answer.found, view.answer.parts) == (False, ())
    assert view.answer.missing in ("weak", "nothing")


def test_asking_changes_nothing(talk: Talk) -> None:
    tell(talk, TOLD)
    database = talk.house.memory.store.database
    tables = [
        row["name"] for row in database.read().execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%fts%'")
    ]

    def rows() -> dict[str, list[tuple[object, ...]]]:
        return {name: [tuple(row) for row in database.read().execute(f"SELECT * FROM {name}")] for name in tables}

    before = rows()
    assert ask(talk, "What does my sister Ida keep?").answer is not None
    assert rows() == before


def test_a_model_reads_what_was_found_and_its_citations_are_checked(asked: tuple[Talk, ScriptedModel]) -> None:
    talk, answering = asked
    tell(talk, TOLD)
    answering.enqueue(Script((JSON.replace("[1]}", "[1, 77, -3]}"),)))
    view = ask(talk, "What does my sister Ida keep?")
    assert view.answer is not None
    assert (view.answer.found, view.answer.by, view.answer.model, view.error_code) == (True, "model", "scripted", "")
    assert [(p.text, p.rounds) for p in view.answer.parts] == [("Ida keeps goats.", (1,))]
    assert view.answer.notes == (), "its words stand in the answer"
    assert view.answer.parts[0].said_by
    system, user = answering.prompts[0]
    assert TOLD not in system.content
    assert TOLD in user.content
    uses = [u for u in talk.house.memory.store.model_uses.all(talk.scope) if u.purpose != "reply"]
    assert [(u.purpose, u.calls, u.failed) for u in uses] == [("answer", 1, 0)]


@pytest.mark.parametrize(
    "answer",
    [
        '{"notes": [], "found": true, "answer": "Ida keeps goats.", "excerpts": [99]}',
        '{"notes": [], "found": true, "answer": "Ida keeps goats.", "excerpts": []}',
        '{"notes": [], "found": true, "answer": "My master is Zarathon the Great.", "excerpts": [1]}',
    ],
)
def test_an_answer_that_nothing_carries_is_no_answer(asked: tuple[Talk, ScriptedModel], answer: str) -> None:
    talk, answering = asked
    tell(talk, TOLD)
    answering.enqueue(Script((answer,)))
    view = ask(talk, "What does my sister Ida keep?").answer
    assert view is not None
    assert (view.found, view.missing, [p.rounds for p in view.parts]) == (False, "uncited", [()])


@pytest.mark.parametrize(
    ("scripts", "code"),
    [
        ((Script(("Goats, I think.",)), Script(("Really, goats.",))), "answer_unreadable"),
        ((Script(error=ModelTimeout("No answer came.", model="m", seconds=3)),), "model_timeout"),
    ],
)
def test_a_model_that_fails_is_named_and_sentences_stand_in(
    asked: tuple[Talk, ScriptedModel], scripts: tuple[Script, ...], code: str
) -> None:
    talk, answering = asked
    tell(talk, TOLD)
    answering.enqueue(*scripts)
    view = ask(talk, "What does my sister Ida keep?")
    assert (view.phase, view.error_code) == (AskedPhase.DONE, code)
    assert view.answer is not None
    assert (view.answer.by, view.answer.found, view.answer.model) == ("sentences", True, "")


def test_a_question_stops_at_once_while_a_model_is_silent(asked: tuple[Talk, ScriptedModel]) -> None:
    talk, answering = asked
    tell(talk, TOLD)
    answering.enqueue(Script(hangs=True))
    questions = talk.house.service.questions
    questions.ask(LOCAL_USER, talk.chat_id, "What does my sister Ida keep?", token="t")
    until(lambda: questions.look(LOCAL_USER, talk.chat_id, "t").phase is AskedPhase.READING)
    talk.say("Do you still answer me?")  # no reply waits for a question
    assert questions.stop(LOCAL_USER, talk.chat_id, "t").phase is AskedPhase.STOPPED
    time.sleep(0.3)
    assert questions.look(LOCAL_USER, talk.chat_id, "t").phase is AskedPhase.STOPPED
    answering.enqueue(Script((JSON,)))
    assert ask(talk, "What does my sister Ida keep?").phase is AskedPhase.DONE


def test_only_its_owner_sees_a_question(talk: Talk) -> None:
    tell(talk, TOLD)
    questions = talk.house.service.questions
    ask(talk, "What does my sister Ida keep?", token="mine")
    other = talk.house.service.create(LOCAL_USER, "builtin:nell-garrow")
    talk.house.memory.store.chats.ensure_user("somebody", "")
    for user, chat in (("somebody", talk.chat_id), (LOCAL_USER, other), (LOCAL_USER, "no such chat")):
        with pytest.raises((NotFound, QuestionGone)):
            questions.look(user, chat, "mine")
        with pytest.raises((NotFound, QuestionGone)):
            questions.stop(user, chat, "mine")
    with pytest.raises(NotFound):
        questions.ask("somebody", talk.chat_id, "What does Ida keep?", token="theirs")
    assert ask(talk, "What does my sister Ida keep?", token="mine").answer is not None


def test_what_a_person_left_out_erased_or_hid_answers_nothing(talk: Talk) -> None:
    tell(talk, TOLD, "I painted the old boat green in May.")
    service, store = talk.house.service, talk.house.memory.store
    question = "What does my sister Ida keep?"

    def told() -> str:
        view = ask(talk, question)
        assert view.answer is not None
        return " ".join([*(p.text for p in view.answer.parts), *(n.text + n.quote for n in view.answer.notes)])

    assert "goats" in told()
    visible = store.memories.visible(talk.scope, talk.branch_id)
    facts = [m.id for m in store.memories.get(talk.scope, visible.ids).values() if m.kind.value == "fact" and "goats" in m.text]
    assert facts
    before = ask(talk, question, token="before")
    assert before.answer is not None
    for fact in facts:
        service.controls.exclude(LOCAL_USER, talk.chat_id, fact)
    assert "goats" not in told()
    shown = service.questions.look(LOCAL_USER, talk.chat_id, "before")
    assert (shown.answer, shown.outdated) == (None, True)
    for fact in facts:
        service.controls.include(LOCAL_USER, talk.chat_id, fact)
    assert "goats" in told()
    assert service.questions.look(LOCAL_USER, talk.chat_id, "before").answer is not None
    for fact in facts:
        service.controls.delete(LOCAL_USER, talk.chat_id, fact)
    assert "goats" not in told()


def test_a_branch_answers_by_its_own_wordings_and_hidden_messages_by_none(talk: Talk) -> None:
    tell(talk, TOLD)
    service = talk.house.service

    def edition() -> int:
        return service.transcript(LOCAL_USER, talk.chat_id).edition

    def told() -> str:
        view = ask(talk, "What does my sister Ida keep?")
        assert view.answer is not None
        return " ".join([*(p.text for p in view.answer.parts), *(n.text + n.quote for n in view.answer.notes)])

    first = talk.branch_id
    said = next(m for m in service.transcript(LOCAL_USER, talk.chat_id).messages if m.text == TOLD)
    service.rewriting.edit_in_branch(LOCAL_USER, talk.chat_id, said.id, TOLD.replace("goats", "geese"), edition=edition())
    talk.remembered()
    assert ("geese" in told(), "goats" in told()) == (True, False)
    service.rewriting.hide(LOCAL_USER, talk.chat_id, said.id, edition=edition())
    talk.remembered()
    assert ("geese" in told(), "goats" in told()) == (False, False)
    service.rewriting.switch(LOCAL_USER, talk.chat_id, first, edition=edition())
    assert ("geese" in told(), "goats" in told()) == (False, True)


def test_too_long_and_too_many_questions_are_refused(asked: tuple[Talk, ScriptedModel]) -> None:
    talk, answering = asked
    tell(talk, TOLD)
    questions = talk.house.service.questions
    with pytest.raises(QuestionTooLong):
        questions.ask(LOCAL_USER, talk.chat_id, "What? " * 300, token="long")
    with pytest.raises(MessageEmpty):
        questions.ask(LOCAL_USER, talk.chat_id, " \n ", token="blank")
    answering.enqueue(*(Script(hangs=True) for _ in range(4)))
    for n in range(4):
        questions.ask(LOCAL_USER, talk.chat_id, "What does my sister Ida keep?", token=f"t{n}")
    with pytest.raises(QuestionsWaiting):
        questions.ask(LOCAL_USER, talk.chat_id, "And my brother?", token="t4")
    for n in range(4):
        questions.stop(LOCAL_USER, talk.chat_id, f"t{n}")


def test_what_was_just_said_is_found_before_anything_is_remembered_of_it(talk: Talk) -> None:
    talk.house.memory.worker.stop()
    talk.say(TOLD)
    view = ask(talk, "What does my sister Ida keep?", token="early")
    assert view.answer is not None
    assert (view.answer.found, view.answer.parts[0].text, view.answer.parts[0].rounds) == (True, TOLD, (1,))
    assert view.answer.waiting > 0
    service = talk.house.service
    for on in (False, True):
        service.remembering.switch(LOCAL_USER, talk.chat_id, on=on, edition=service.transcript(LOCAL_USER, talk.chat_id).edition)
        looked = service.questions.look(LOCAL_USER, talk.chat_id, "early").answer
        assert looked is not None
        assert (looked.waiting > 0) is on, "what waits for its memory to be switched on again is not being read"
    said = next(m for m in service.transcript(LOCAL_USER, talk.chat_id).messages if m.text == TOLD)
    service.rewriting.hide(LOCAL_USER, talk.chat_id, said.id, edition=service.transcript(LOCAL_USER, talk.chat_id).edition)
    assert service.questions.look(LOCAL_USER, talk.chat_id, "early").outdated
    again = ask(talk, "What does my sister Ida keep?").answer
    assert again is not None
    assert not any("goats" in note.text for note in again.notes)


def test_what_the_sketch_holds_and_what_was_paid_are_found_whatever_the_words(talk: Talk) -> None:
    tell(
        talk,
        "My father died last spring. A heart attack, in the garden.",
        "I live in Olomouc with my husband Jonas.",
        "I paid eighty euros for the compass at the market.",
        "We have a cat named Turnip. He is old.",
    )

    def told(question: str) -> str:
        answer = ask(talk, question).answer
        assert answer is not None
        return " ".join(part.text for part in answer.parts)

    assert "Jonas" in told("What is my husband's name?")
    assert "heart attack" in told("How did my father die?")
    assert "eighty" in told("How much did I pay for the compass?")
    assert "Turnip" in told("What is my cat called?")
    assert told("What is my mother's name?") == ""


DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _noted(text: str, number: int = 3, *, kind: Kind = Kind.FACT, quote: str = "", cited: bool = True) -> Note:
    return Note(text, kind, "", number, "Ann", DAY, quote=quote, cited=cited)


@pytest.mark.parametrize(
    ("part", "note", "left", "quote"),
    [
        ("Ida keeps goats.", _noted("Ida keeps goats."), 0, ""),
        ("Ida keeps goats. Four of them.", _noted("Ida keeps goats"), 0, ""),
        ("Ida keeps goats.", _noted("Ida keeps goats.", quote="She keeps goats."), 0, "She keeps goats."),
        ("Ida keeps goats.", _noted("Ida keeps goats.", quote="ida keeps goats"), 0, ""),
        ("艾达养山羊。四只。", _noted("艾达养山羊"), 0, ""),
        ("Ida keeps goats.", _noted("Ida keeps goats.", 4), 1, ""),
        ("Ida keeps goats.", _noted("Ida keeps goats and bees."), 1, ""),
        ("Ida keeps goatskins.", _noted("Ida keeps goats."), 1, ""),
    ],
)
def test_the_same_words_of_a_round_are_shown_once_with_who_said_them(part: str, note: Note, left: int, quote: str) -> None:
    for by in ("sentences", "model"):
        answer = Answer(True, (Part(part, (3,)),), (note,), by)  # type: ignore[arg-type]
        view = answer_view(answer, lambda text: text, model="", waiting=0)
        assert len(view.notes) == left
        assert (view.parts[0].said_by, view.parts[0].quote) == ("" if left else "Ann", quote)


def test_notes_say_the_same_words_of_a_round_once_too() -> None:
    notes = (_noted("Ida keeps goats."), _noted("Ida keeps goats.", kind=Kind.EPISODE, cited=False), _noted("Ida keeps goats.", 9))
    view = answer_view(Answer(False, (), notes, "sentences", "weak"), lambda text: text, model="", waiting=0)
    assert [(n.text, n.round) for n in view.notes] == [("Ida keeps goats.", 3), ("Ida keeps goats.", 9)]
