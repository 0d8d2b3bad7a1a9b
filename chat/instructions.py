"""What the model is asked for when it is not simply its turn: to go on with its last message, or to lend the player words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.control_tokens import as_character_name, as_name
from personas.record import Character
from personas.unnamed_player import neutral
from storage.records import Chat, Message, Revision, Role, sha256

_ASKED: Mapping[tuple[str, str], str] = {
    (
        "continue",
        "en",
    ): "[Go on with your last message exactly where it ends. Do not repeat any of it, do not start anew, and stay {char}.]",
    ("continue", "zh"): "【请从你上一条消息的末尾接着写下去。不要重复已经写过的内容，不要另起话头，保持{char}的身份。】",
    (
        "draft",
        "en",
    ): "[Write what {user} might say next to {char}: one to three sentences in the first person, as {user}. Give those words alone.]",
    (
        "speak",
        "en",
    ): "[Write what {char} says next to {others}: {char}'s own words and deeds alone, without the name before them, and nobody else's.]",
    ("speak", "zh"): "【请写出{char}接下来对{others}说的话：只写{char}自己的言行，前面不加名字，不要替别人说话。】",
    ("draft", "zh"): "【请替{user}写出接下来可能对{char}说的话：用第一人称写一到三句，只写这些话本身。】",
}


def instruction(kind: str, chat: Chat, character: Character, *, player: str, after: Message, others: Sequence[str] = ()) -> Message:
    """An instruction in the place of the newest message of a prompt; it is never kept. kind: `continue`, `draft` or, beside others, `speak`; player: their
    name, empty where it is not known."""
    language = character.language if ("draft", character.language) in _ASKED else "en"
    text = _ASKED[kind, language].format(
        char=as_character_name(character.name, language=language),
        user=as_name(player) or neutral(character.language),
        others=_list(
            [as_name(player) or neutral(character.language), *(as_character_name(name, language=language) for name in others)], language
        ),
    )
    return Message(
        id="",
        parent_id=after.id,
        depth=after.depth + 1,
        round=after.round,
        role=Role.USER,
        speaker=chat.user_name,
        said_at=after.said_at,
        revision=Revision(id="", text=text, sha256=sha256(text), origin="card", status="complete"),
    )


def _list(names: Sequence[str], language: str) -> str:
    *most, last = names
    if language == "zh":
        return "和".join(["、".join(most), last] if most else [last])
    return " and ".join([", ".join(most), last] if most else [last])
