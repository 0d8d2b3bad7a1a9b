"""A reply that says nothing new is made again, once; what a character only said again is not recalled, and what the player said is."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from chat.replies import ReplyJob
from chat.views import JobView
from models.scripted import Script
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk

SAID = "The tide board says six hours, and the kettle is older than the road. Which of your boots leaks?"
OTHER = "Noted, then. The gander has opinions about late boats, and I have a biscuit for whoever brings one in."


def body(talk: Talk) -> dict[str, Any]:
    store = talk.house.memory.store
    newest = talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages[-1]
    stored = store.receipts.of_message(talk.scope, talk.branch_id, newest.id)
    assert stored is not None
    return dict(stored.body)


def answered(talk: Talk, text: str, *scripts: Script) -> JobView:
    talk.model.enqueue(*scripts)
    talk.send(text)
    return talk.wait()


def test_a_repetition_is_made_again_once_and_the_second_is_kept(talk: Talk) -> None:
    talk.say("Good evening.", SAID)
    job = answered(talk, "And now?", Script((SAID.upper(),)), Script((OTHER,)))
    assert (job.text, talk.texts()[-1]) == (OTHER, OTHER)
    assert SAID.upper() not in talk.texts()
    assert body(talk)["again"] == "repeats"
    view = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert view is not None
    assert view.again == "repeats"
    assert talk.model.prompts[-1] == talk.model.prompts[-2], "what was sent is what the receipt shows"
    uses = [u for u in talk.house.memory.store.model_uses.all(talk.scope) if u.purpose == "reply"]
    assert sum(u.calls for u in uses) == 3


def test_the_second_is_kept_whatever_it_says(talk: Talk) -> None:
    talk.say("Good evening.", SAID)
    answered(talk, "And now?", Script((SAID,)), Script((SAID,)))
    assert talk.texts()[-1] == SAID
    assert len(talk.model.prompts) == 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Yes.", "Yes."),
        ("Good night, Mara.", "Good night, Mara!"),
        (f'My mother had it so: "{SAID}"', f'Once more, then, as it pleases you: "{SAID}"'),
    ],
)
def test_what_is_short_or_quoted_is_not_made_again(talk: Talk, first: str, second: str) -> None:
    talk.say("Good evening.", first)
    talk.say("Say it again.", second)
    assert talk.texts()[-1] == second
    assert "again" not in body(talk)
    assert len(talk.model.prompts) == 2


def test_lines_of_memory_are_no_reply(talk: Talk) -> None:
    answered(talk, "Good evening.", Script(("- (2026-11-22, round 1) The player: I am late again.",)), Script((OTHER,)))
    assert talk.texts()[-1] == OTHER
    assert body(talk)["again"] == "recites"


def test_where_no_second_comes_the_first_is_kept(talk: Talk) -> None:
    talk.say("Good evening.", SAID)
    job = answered(talk, "And now?", Script((SAID,)))  # the script is at its end
    assert (talk.texts()[-1], job.text, job.error_code) == (SAID, SAID, None)


@pytest.mark.parametrize(("pieces", "kept"), [((), SAID), (("Noted, ",), "Noted,")])
def test_a_stop_is_a_stop(talk: Talk, pieces: tuple[str, ...], kept: str) -> None:
    talk.say("Good evening.", SAID)
    talk.model.enqueue(Script((SAID,)), Script(pieces, hangs=True))
    talk.send("And now?")
    waited = threading.Event()
    while len(talk.model.prompts) < 3 or talk.job().text != "".join(pieces):
        waited.wait(0.01)
    talk.house.service.stop(LOCAL_USER, talk.chat_id)
    talk.wait()
    assert talk.texts()[-1] == kept
    assert len(talk.model.prompts) == 3


def test_what_is_written_first_leaves_the_page_before_the_second_comes() -> None:
    job = ReplyJob("j", "c", "Nell")
    job.think("hm")
    job.piece(SAID)
    job.begin_again()
    assert (job.view().text, job.thoughts) == ("", "")
    job.piece(OTHER)
    assert job.view().text == OTHER
    job.go_back(SAID, "hm", 1.0)
    assert (job.view().text, job.thoughts, job.first_token_ms) == (SAID, "hm", 1.0)


def test_what_was_only_said_again_is_never_recalled_and_what_the_player_said_is(talk: Talk) -> None:
    talk.say("My dog Biscuit is afraid of thunder.", SAID)
    answered(talk, "My sister Ida moved to Lisbon in May.", Script((SAID,)), Script((SAID,)))
    for number in range(12):
        talk.say(f"Round {number} goes by with many ordinary words about the weather, the sea and the long evening. " * 4, "Mm. " * 100)
    talk.remembered()
    talk.say("Where did my sister Ida move, and which of my boots leaks? What of the kettle and the tide board?", "To Lisbon.")
    block = talk.model.prompts[-1][-1].content
    assert "My sister Ida moved to Lisbon in May." in block
    assert all("round 1)" in line for line in block.splitlines() if "the kettle is older than the road" in line)
    view = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert view is not None
    (second,) = (c for c in view.candidates if c.kind == "episode" and c.first_round == 2)
    assert second.delivered
    assert SAID not in second.text
    assert "My sister Ida moved to Lisbon in May." in second.text
    kept = talk.house.memory.store.memories.get(talk.scope, [second.memory_id])[second.memory_id]
    assert SAID in kept.text, "it is kept as it was said"


def test_what_repeats_follows_from_the_branch_alone(talk: Talk) -> None:
    """A branch in which the first reply reads otherwise recalls the second whole; taken back, it does not; and so does memory built anew."""
    talk.say("My dog Biscuit is afraid of thunder.", SAID)
    answered(talk, "My sister Ida moved to Lisbon in May.", Script((SAID,)), Script((SAID,)))
    talk.remembered()
    memory = talk.house.memory

    def unsaid() -> dict[int, tuple[str, ...]]:
        visible = memory.store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.EPISODE,))
        found = memory.engine.unsaid(talk.scope, talk.branch_id, visible.ids)
        return {visible.round_of[i]: names for i, names in found.items()}

    assert unsaid() == {2: ("Nell Garrow",)}
    view = talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=600)
    first = next(m for m in view.messages if m.text == SAID)
    talk.house.service.rewriting.edit(LOCAL_USER, talk.chat_id, first.id, OTHER, edition=view.edition)
    talk.remembered()
    assert unsaid() == {}
    talk.house.service.rewriting.undo(LOCAL_USER, talk.chat_id, edition=talk.house.service.transcript(LOCAL_USER, talk.chat_id).edition)
    talk.remembered()
    assert unsaid() == {2: ("Nell Garrow",)}
