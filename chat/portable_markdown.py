"""A chat as Markdown, for reading: the active branch as it reads, day by day. Messages may be marked up; what would be a heading, a rule, a quotation, a table,
HTML or a picture is shown as the signs that were typed, so that no viewer makes anything else of it, or fetches anything. Dates are those of who spoke: a day's
heading says how far that is from UTC, where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from chat.portable_pages import path_of
from storage.records import Message
from storage.scope import Scope
from storage.store import Store
from storage.wall import offset_of

WORDS = {
    "en": ("{character} with {user}", "round {n}", "hidden from the model", ", ", "only {names} heard it", "nobody heard it"),
    "zh": ("{character}与{user}", "第 {n} 轮", "对模型隐藏", "，", "只有{names}听见", "谁也没听见"),
}
_BLOCK = re.compile(r"(?m)^(\s*)(#{1,6}(?=\s|$)|[-=_*]{3,}\s*$|[>|+]|[-*](?=\s)|`{3,}|~{3,}|\d{1,9}(?=[.)]\s))")
_INLINE = re.compile(r"<|!(?=\[)|\[(?=[^\]\n]*\]\s*[\[(:])|\\(?=[!-/:-@\[-`{-~])")


def markdown_lines(store: Store, scope: Scope) -> Iterator[bytes]:
    """Pieces in UTF-8. Raises NotFound."""
    chat = store.chats.chat(scope)
    members = store.groups.belonging(scope, chat.branch_id)
    between, at_round, hidden, comma, heard, unheard = WORDS.get(chat.language, WORDS["en"])
    user, character = chat.user_name or "You", comma.join(members) or chat.character_name
    yield _bytes(f"# {line_of(chat.title or character)}\n\n*{line_of(between.format(character=character, user=user))}*\n")
    day = None
    for message in path_of(store.chats, scope, chat.branch_id):
        if (here := _day(message.said_at)) != day:
            day = here
            yield _bytes(f"\n## {day}\n")
        about = [at_round.format(n=message.round)] if message.round else []
        if message.room is not None:
            yield _bytes(f"\n*{line_of(message.text)}*\n")
            continue
        about += [_clock(message.said_at), *([hidden] if message.hidden else [])]
        if len(message.present) < len(members):
            about.append(line_of(heard.format(names=comma.join(message.present)) if message.present else unheard))
        yield _bytes(f"\n**{line_of(message.speaker)}** · {comma.join(about)}\n\n{_text(message)}\n")


def _day(moment: datetime) -> str:
    """On the wall of who spoke, with how far that is from UTC: a flight begins a heading of its own."""
    return f"{moment:%Y-%m-%d}" + (f" (UTC{moment.isoformat()[-6:]})" if offset_of(moment) else "")


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M}"


def _text(message: Message) -> str:
    lines = shown(message.text).strip("\n").split("\n")
    # A line that another follows ends as one: two blanks break it, where Markdown would go on.
    return "\n".join(
        f"{line.rstrip()}  " if after.strip() and line.strip() else line.rstrip()
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
    )


def shown(text: str) -> str:
    """A text that marks nothing but what is emphasised."""
    inline = _INLINE.sub(lambda found: "\\" + found.group(), text)
    return _BLOCK.sub(lambda found: found[1] + (found[2] + "\\" if found[2].isdigit() else "\\" + found[2]), inline)


def line_of(text: str) -> str:
    """A text on one line, as the signs that were typed."""
    return re.sub(r"([\\*_`#\[\]<>!|~])", r"\\\1", " ".join(text.split()))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
