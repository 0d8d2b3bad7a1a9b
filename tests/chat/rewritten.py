"""A conversation that is rewritten: the ways to do it, and what is shown and known after it."""

from __future__ import annotations

from chat.conversations import Conversations
from chat.rewriting import Rewriting
from chat.views import MessageView
from models.scripted import Script
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk


def rewriting(talk: Talk) -> Rewriting:
    return talk.house.service.rewriting


def conversations(talk: Talk) -> Conversations:
    return talk.house.service.conversations


def edition(talk: Talk) -> int:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id).edition


def shown(talk: Talk) -> tuple[MessageView, ...]:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=600).messages


def again(talk: Talk, message_id: str, *reply: str) -> None:
    talk.model.enqueue(Script(reply))
    rewriting(talk).regenerate(LOCAL_USER, talk.chat_id, message_id, edition=edition(talk))
    talk.wait()


def known(talk: Talk) -> dict[str, list[str]]:
    talk.house.memory.worker.wake()
    talk.remembered()
    view = talk.house.service.persona(LOCAL_USER, talk.chat_id)
    return {e.key: [v.text for v in e.values] for e in view.entries}


def among_known(talk: Talk, *words: str) -> set[str]:
    """Which of some words stand in what is known of the player."""
    values = [value for found in known(talk).values() for value in found]
    return {word for word in words if any(word in value for value in values)}


def told(talk: Talk) -> set[str]:
    talk.remembered()
    return {m.text for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, shelf="fact", limit=600).memories}
