"""How one server wants to be spoken to: which roles in which order, which parameters, how much at once. Begun with what most take, learned from what it refuses."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import KeepsakeError
from models.chat_model import ChatMessage

log = logging.getLogger(__name__)

PER_MESSAGE_TOKENS = 8
"""What chat templates put around each message, at most."""
_CUT = " […]"
_HAN = re.compile("[\u4e00-\u9fff]")
_TOLD = {
    "en": ("You have already said this, before anything was said to you:", "You have already begun to answer with this; go on from there:"),
    "zh": ("在对方开口之前，你已经说过：", "你已经这样开始回答，请接着说："),
}

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")]


class Dialect(BaseModel):
    """system: where messages of that role may stand; alternate: user and assistant take turns, the user first and last; limit: the name of the longest reply;
    without: names of parameters that are not sent; form: how JSON is asked for; window, reply: tokens that it said it has, 0 for unknown."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    system: Literal["anywhere", "first", "none"] = "anywhere"
    alternate: bool = False
    limit: Literal["max_tokens", "max_completion_tokens", "none"] = "max_tokens"
    without: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    form: Literal["schema", "object", "none"] = "schema"
    window: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    reply: Annotated[int, Field(ge=0, le=1_000_000)] = 0


USUAL = Dialect()


class Dialects:
    """What was learned, by server and model. load, save: where it is kept between starts, as JSON. From any thread."""

    def __init__(self, load: Callable[[], Mapping[str, str]] = dict, save: Callable[[str, str], None] = lambda key, value: None) -> None:
        self._save = save
        self._lock = threading.Lock()
        self._known: dict[str, Dialect] = {}
        for key, value in load().items():
            try:
                self._known[key] = Dialect.model_validate_json(value)
            except ValidationError:
                log.warning("what was learned of a model's server cannot be read and is learned anew")

    def of(self, key: str) -> Dialect:
        return self._known.get(key, USUAL)

    def keep(self, key: str, dialect: Dialect) -> None:
        """Raises what keeping it between starts raises; it holds until the end of the program all the same."""
        with self._lock:
            if self._known.get(key, USUAL) == dialect:
                return
            self._known[key] = dialect
            self._save(key, dialect.model_dump_json())

    def learned(self, key: str, dialect: Dialect) -> None:
        """The same for what a reply has taught, which does not fail because it cannot be written down."""
        try:
            self.keep(key, dialect)
        except KeepsakeError as error:
            log.warning("what was learned of a model's server could not be kept (%s)", type(error).__name__)


def dialect_key(address: str | None, model: str) -> str:
    """address: None for a provider's own; model: LiteLLM's string, or a file's name."""
    return f"{(address or '').rstrip('/')} {model}"


def shaped(messages: Sequence[ChatMessage], dialect: Dialect) -> list[ChatMessage]:
    """The messages with the roles and in the order that a server takes. Nothing that was said is left out, and nobody is given words that are not theirs."""
    if not dialect.alternate and dialect.system == "anywhere":
        return list(messages)
    told = _told_before(messages) if dialect.alternate else messages
    folded = _folded(told, keep_first=dialect.system != "none" and any(message.role == "user" for message in messages))
    return _merged(folded) if dialect.alternate else folded


def _told_before(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """With what the assistant says before the first or after the last of the user's turns told instead of said."""
    users = [place for place, message in enumerate(messages) if message.role == "user"]
    first, last = (users[0], users[-1]) if users else (len(messages), len(messages))
    return [
        _as_told(message, 0 if place < first else 1) if message.role == "assistant" and not first < place < last else message
        for place, message in enumerate(messages)
    ]


def _as_told(message: ChatMessage, after: int) -> ChatMessage:
    words = _TOLD["zh" if _HAN.search(message.content) else "en"][after]
    return ChatMessage("system", f"{words}\n\n{message.content}")


def _folded(messages: Sequence[ChatMessage], *, keep_first: bool) -> list[ChatMessage]:
    """With each system message at the head of the user's next turn, or at the end of the last one. keep_first: what stands before everything stays."""
    head = 0
    while keep_first and head < len(messages) and messages[head].role == "system":
        head += 1
    found = [ChatMessage("system", _joined(messages[:head]))] if head else []
    waiting: list[ChatMessage] = []
    for message in messages[head:]:
        if message.role == "system":
            waiting.append(message)
            continue
        if message.role == "user" and waiting:
            message, waiting = ChatMessage("user", _joined([*waiting, message])), []
        found.append(message)
    if waiting:
        place = next((n for n in range(len(found) - 1, -1, -1) if found[n].role == "user"), None)
        if place is None:
            found.append(ChatMessage("user", _joined(waiting)))
        else:
            found[place] = ChatMessage("user", _joined([found[place], *waiting]))
    return found


def _merged(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """With runs of one role as one message."""
    found: list[ChatMessage] = []
    for message in messages:
        if found and found[-1].role == message.role:
            found[-1] = ChatMessage(message.role, _joined([found[-1], message]))
        else:
            found.append(message)
    return found


def _joined(messages: Sequence[ChatMessage]) -> str:
    return "\n\n".join(message.content for message in messages if message.content)


def tokens_of(messages: Sequence[ChatMessage], count: Callable[[str], int]) -> int:
    return sum(count(message.content) + PER_MESSAGE_TOKENS for message in messages)


def trimmed(messages: Sequence[ChatMessage], tokens: int, count: Callable[[str], int]) -> list[ChatMessage] | None:
    """The messages in so many tokens: the oldest of the conversation go first, then the end of the system's text. None where the newest one alone is longer."""
    kept = list(messages)
    over = tokens_of(kept, count) - tokens
    first = 1 if kept and kept[0].role == "system" else 0
    while over > 0 and len(kept) - first > 1:
        over -= count(kept.pop(first).content) + PER_MESSAGE_TOKENS
    while over > 0 and first:
        content = kept[0].content
        if len(content) < 64:
            return None
        kept[0] = ChatMessage("system", content[: len(content) * 3 // 4].removesuffix(_CUT).rstrip() + _CUT)
        over = tokens_of(kept, count) - tokens
    return kept if over <= 0 else None
