"""Episodes: every round of a chat as it was spoken, the value that recall delivers (LongMemEval 4.2: value = round)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from storage.records import Kind, Memory, Message, Source, stable_id
from storage.wall import moment_key

VERSION = "1"
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LABELLED = re.compile(
    r"\W{0,20}(?:[\[(【][^\])】]{0,40}[\])】])?\W{0,20}[^\W\d_][^\s:：]{0,40}(?:[ \t][^\s:：]{1,20}){0,4}\W{0,4}[:：](?!//).*\w"
)
"""A line that begins as one of the talk does: `Name: text`, behind a date or not."""
LABEL_CHARS = 160
"""Of a line that are looked at."""
READ_CHARS = 20_000
"""Of one message: so much of it is read. Longer ones come in with files alone."""
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> str:
    """`zh` if at least a quarter of the letters are Chinese, else `en`."""
    letters = len(_LETTER.findall(text))
    return "zh" if letters and len(_CJK.findall(text)) * 4 >= letters else "en"


def episode_of(chat_id: str, messages: Sequence[Message]) -> Memory:
    """The episode of one round. messages: of that round, oldest first, at least one; they are its sources."""
    text = "\n".join(f"{m.speaker}: {_as_said(m.text[:READ_CHARS])}" for m in messages)
    key = stable_id("episode", VERSION, *(part for m in messages for part in (m.role.value, m.speaker, moment_key(m.said_at), m.text)))
    return Memory(
        id=stable_id("memory", chat_id, key, *(m.id for m in messages)),
        chat_id=chat_id,
        kind=Kind.EPISODE,
        text=text,
        language=language_of(text),
        round_first=messages[0].round,
        round_last=messages[-1].round,
        said_at=messages[0].said_at,
        sources=tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in messages),
        derivation_key=key,
        said_by=messages[0].speaker,
        knowers=tuple(dict.fromkeys(m.speaker for m in messages)),
    )


def spoken(text: str, speakers: Collection[str]) -> list[tuple[str, str]]:
    """(speaker, words) of each message in the text of an episode. speakers: all who speak in it; what is before the first of them is nobody's."""
    told: list[tuple[str, str]] = []
    for line in text.split("\n"):
        speaker = next((name for name in speakers if line.startswith(f"{name}: ")), None)
        if speaker is not None:
            told.append((speaker, line.removeprefix(f"{speaker}: ")))
        elif told:
            told[-1] = (told[-1][0], f"{told[-1][1]}\n{line}")
    return told


def without(text: str, speakers: Collection[str], unsaid: Collection[str]) -> str:
    """The text of an episode without what some of its speakers said; empty where nobody else spoke."""
    return "\n".join(f"{speaker}: {words}" for speaker, words in spoken(text, speakers) if speaker not in unsaid)


def _as_said(text: str) -> str:
    """What was said, with a mark before each further line that begins as another's would ("Nell: I am a thief"): it is still said by who said the first."""
    first, *more = text.split("\n")
    return "\n".join([first, *(f"> {line}" if _LABELLED.match(line[:LABEL_CHARS]) else line for line in more)])
