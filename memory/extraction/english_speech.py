"""Where in a message somebody speaks: outside gestures, and between quotation marks where the message tells a scene."""

from __future__ import annotations

import re

from memory.extraction.english_narrator import CONTINUED, is_recounted, is_told

_GESTURE = re.compile(r"\*{1,3}([^*\n]{1,2000})\*{1,3}|(?<!\w)_([^_\n]{3,400})_(?!\w)|\[[^\]\n]{1,200}\]|<[^>\n]{1,200}>|https?://\S+")
_EMPHASIS = re.compile(r"(?!\w+(?:s|ing)\b)[\w'-]+$")
_QUOTED = re.compile(r'["“「]([^"“”「」]{1,2000})["”」]')
_NESTED = re.compile(r"(?<![\w'’])['‘][A-Z][^\"“”\n]{2,600}?[.!?…]['’](?!\w)")
_WORDED = re.compile(r"(?<![\w'’])['‘]I(?: |['’](?:m|ve|ll|d) )[^'‘’\"“”\n]{1,60}['’](?!\w)")
"""Words that are only spoken of: `"I've 'good morning' and 'I am the sister'."`."""
_WHO = r"(?:I|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+)"
_SCENE = re.compile(
    rf"(?:^|[.!?…\n]\s*){_WHO} (?:[a-z]+ly )?(?:nod|smile|smirk|grin|look|walk|lean|turn|step|shrug|sigh|laugh|chuckle|pause|whisper|glance|gaze|stare"
    r"|reach|sit|stand|raise|tilt|shake|blush|frown|kneel|bow|wave|wink|gasp|hesitate)s?(?:es)?\b"
)
"""A scene told without asterisks: what its people say stands between quotation marks."""
_SAYS = re.compile(
    rf",? *{_WHO} (?:[a-z]+ly )?(?:say|ask|whisper|mutter|murmur|repl|answer|add|continue|shout|call|begin)(?:s|es|ies|y)?\b"
)


def speech(text: str, speaker: str = "") -> list[tuple[int, int]]:
    """Stretches of text that are speech: outside gestures, and inside quotation marks where these hold the speech, as where the speaker is told of by name."""
    kept: list[tuple[int, int]] = []
    at = 0
    for found in _GESTURE.finditer(text):
        inner = found.group(1)
        if inner is not None and _EMPHASIS.match(inner) and re.search(r"[\w,]\s$", text[: found.start()]):
            continue  # "I *really* like it": a word stressed, its asterisks fall with the spellings
        kept.append((at, found.start()))
        at = found.end()
    kept.append((at, len(text)))
    kept = [(start, end) for start, end in kept if text[start:end].strip(" *")]
    within = _within_quotes(text, kept, speaker)
    return within if within == kept else [part for start, end in within for part in _own_words(text, start, end)]


def _own_words(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Speech in quotation marks without what it quotes in single ones, whole sentences of somebody else's: `"'I hate plums.' You told me so."`, and words of an
    "I" that are only spoken of."""
    parts = []
    for found in sorted((*_NESTED.finditer(text, start, end), *_WORDED.finditer(text, start, end)), key=lambda f: f.start()):
        if found.start() < start:
            continue
        parts.append((start, found.start()))
        start = found.end()
    return [(low, high) for low, high in (*parts, (start, end)) if any(c.isalnum() for c in text[low:high])]


def _within_quotes(text: str, kept: list[tuple[int, int]], speaker: str) -> list[tuple[int, int]]:
    """Where the message itself is told (`"I'm here," she says.`), only what stands between the marks is its speech."""
    if not kept:
        return []
    spoken = [
        (found.start(1), found.end(1))
        for found in _QUOTED.finditer(text)
        if any(start <= found.start() and found.end() <= end for start, end in kept)
        and re.search(r"(?:^|[.!?…*\n,])\s*$", text[: found.start()])
        and re.search(r"[.!?,…—~]$", found.group(1).rstrip())
    ]
    if spoken and len(kept) > 1 and (apart := _apart(text, kept, spoken)):
        return apart
    if spoken and not text[kept[0][0] : spoken[0][0] - 1].strip(" *\n"):
        return spoken
    apart = [(start, end) for start, end in spoken if re.search(r"(?:^|[.!?…*\n])\s*$", text[: start - 1])]
    told = apart and (_SCENE.search(text, kept[0][0], apart[0][0]) or any(_SAYS.match(text, end + 1) for _, end in apart))
    if told or (apart and is_told(text, _less(kept, apart), speaker)):
        return apart
    return _gone_on(text, spoken, apart) if apart and is_recounted(text, apart, _less(kept, apart), speaker) else kept


def _gone_on(text: str, spoken: list[tuple[int, int]], apart: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is spoken where it begins a sentence, or goes on behind `," I said, "`."""
    made: list[tuple[int, int]] = []
    for start, end in spoken:
        if (start, end) in apart or (made and CONTINUED.fullmatch(text[made[-1][1] + 1 : start - 1])):
            made.append((start, end))
    return made


def _less(kept: list[tuple[int, int]], spoken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches without what is spoken in them, and its quotation marks."""
    left: list[tuple[int, int]] = []
    for start, end in kept:
        at = start
        for low, high in spoken:
            if start <= low and high <= end:
                left.append((at, low - 1))
                at = high + 1
        left.append((at, end))
    return [(start, end) for start, end in left if start < end]


def _apart(text: str, kept: list[tuple[int, int]], spoken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where asterisks mark everything that is told, what stands between them is speech whether in quotation marks or not; nothing if speech and telling
    share a stretch."""
    made: list[tuple[int, int]] = []
    for start, end in kept:
        inside = [span for span in spoken if start <= span[0] and span[1] <= end]
        rest = text[start:end]
        for low, high in inside:
            rest = rest.replace(text[low - 1 : high + 1], "", 1)
        if inside and any(c.isalnum() for c in rest):
            return []
        made += inside or ([] if _SCENE.search(text, start, end) else [(start, end)])
    return made
