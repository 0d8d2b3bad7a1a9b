"""A model that thinks before it answers: the reply is the answer alone; what it thought stands in the receipt, in no prompt and in no memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.assembly import House, open_house
from chat.views import JobView, Phase
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import house_settings
from tests.models.openai_endpoint import Answer, OpenAIEndpoint
from tests.waiting import until

SECRET = "cinnabar ledger"


@pytest.fixture
def endpoint() -> Iterator[OpenAIEndpoint]:
    with OpenAIEndpoint() as endpoint:
        yield endpoint


@pytest.fixture
def house(tmp_path: Path, endpoint: OpenAIEndpoint) -> Iterator[House]:
    house = open_house(house_settings(tmp_path / "data", chat_model="openai/thinker", chat_api_base=endpoint.url, chat_api_key="k"))
    house.start(worker=True)
    yield house
    house.close()


def say(house: House, chat_id: str, text: str) -> JobView:
    house.service.send(LOCAL_USER, chat_id, text, token=text)
    return until(lambda: job if (job := house.service.job(LOCAL_USER, chat_id)) and job.final and job.committed else None)


@pytest.mark.parametrize("mark", ["<think>", ""], ids=["marked", "only its end marked"])
def test_the_reply_is_what_was_said_and_the_receipt_keeps_what_was_thought(house: House, endpoint: OpenAIEndpoint, mark: str) -> None:
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    endpoint.enqueue(
        Answer((mark, f"My aunt keeps the {SECRET}.", "</think>", "\n\nCome in,", " then. [[memories: none]]")), Answer(("Sit.",))
    )
    assert say(house, chat, "I live in Leith.").text == "Come in, then."
    receipt = house.service.receipt(LOCAL_USER, chat)
    assert receipt is not None
    assert receipt.thoughts == f"My aunt keeps the {SECRET}."
    assert receipt.cited_by in ("", "model")
    say(house, chat, "Thank you.")
    assert SECRET not in json.dumps(endpoint.requests[-1].body)
    scope, store = Scope.of(LOCAL_USER, chat), house.memory.store
    until(lambda: not store.tasks.queue(scope).waiting)
    rows = store.database.read().execute("SELECT text FROM revision UNION ALL SELECT text FROM memory").fetchall()
    assert SECRET not in "\n".join(row[0] for row in rows)


def test_a_model_that_only_thinks_says_what_to_do_and_loses_nothing(house: House, endpoint: OpenAIEndpoint) -> None:
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    endpoint.enqueue(Answer(("<think>On and on",), finish_reason="length"))
    job = say(house, chat, "Good evening.")
    assert (job.phase, job.error_code, job.text) == (Phase.FAILED, "model_only_thought", "")
    assert [m.text for m in house.service.transcript(LOCAL_USER, chat, limit=9).messages][-1] == "Good evening."


def test_what_was_thought_goes_with_the_first_word_that_is_erased(house: House, endpoint: OpenAIEndpoint) -> None:
    chat = house.service.create(LOCAL_USER, "builtin:nell-garrow")
    endpoint.enqueue(Answer(("<think>", f"So they keep a {SECRET}.", "</think>Indeed.")))
    say(house, chat, "I keep a cinnabar ledger under the bed.")
    service = house.service
    message = next(m for m in service.transcript(LOCAL_USER, chat, limit=9).messages if "cinnabar" in m.text)
    view = service.transcript(LOCAL_USER, chat, limit=9)
    service.rewriting.delete(LOCAL_USER, chat, message.id, edition=view.edition)
    service.conversations.empty_bin(LOCAL_USER, chat, edition=service.transcript(LOCAL_USER, chat, limit=9).edition)
    bodies = house.memory.store.database.read().execute("SELECT body FROM receipt WHERE chat_id = ?", (chat,)).fetchall()
    assert bodies
    assert all("cinnabar" not in row[0] for row in bodies)
