"""A real llama.cpp server whose template demands alternation answers a conversation with a greeting, at the first try for the player."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from models.chat_model import ChatMessage
from models.dialect import Dialects
from models.gateway import Endpoint, LiteLLMModel
from settings import Settings
from tests.models.templated_llama import STRICT, WITHOUT_SYSTEM, serving

pytestmark = pytest.mark.long
GREETED = [
    ChatMessage("system", "You are Ines, who keeps a lock on the canal. Answer in one short sentence."),
    ChatMessage("assistant", "Ines looks up from the winch. You are early."),
    ChatMessage("user", "Good morning! Is the gate open?"),
]
NARRATED = [
    *GREETED,
    ChatMessage("assistant", "It is."),
    ChatMessage("user", "A barge sounds its horn."),
    ChatMessage("user", "Who comes?"),
]


def reply(base: str, dialects: Dialects, messages: list[ChatMessage]) -> str:
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        chat_model="openai/smol",
        chat_api_base=base,
        chat_retries=0,
        chat_timeout_s=300,
        chat_reply_tokens=24,
        chat_context_tokens=8192,
    )
    return "".join(LiteLLMModel(Endpoint.of_chat(settings), dialects).stream(messages, cancel=threading.Event()))


@pytest.mark.parametrize("template", [STRICT, WITHOUT_SYSTEM], ids=["strict", "without system"])
def test_a_conversation_with_a_greeting_is_answered(template: str, tmp_path: Path) -> None:
    """llama.cpp folds a system message by itself where a template refuses one; turns it leaves to whoever asks."""
    dialects = Dialects()
    with serving(template, tmp_path) as base:
        assert reply(base, dialects, GREETED).strip()
        assert dialects.of(f"{base} openai/smol").alternate
        assert reply(base, dialects, NARRATED).strip()


def test_a_prompt_longer_than_its_window_is_trimmed_to_it(tmp_path: Path) -> None:
    dialects = Dialects()
    rounds = [ChatMessage("assistant" if n % 2 else "user", f"{n}. The barge goes by and the water falls. " * 12) for n in range(24)]
    with serving(STRICT, tmp_path, window=1024) as base:
        assert reply(base, dialects, [GREETED[0], *rounds, GREETED[2]]).strip()
        assert 512 <= dialects.of(f"{base} openai/smol").window <= 1024
