"""A message cut into the stretches that are read one by one, each with whose words it holds.

Punctuation and quotation are rules; their marks are data (`marks.json`). Who speaks a quotation is told from its speech tag; where that does not say, `voice` is
UNSURE and what was learned decides (`memory.reading.network`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

MARKS = json.loads((Path(__file__).parent / "marks.json").read_text(encoding="utf-8"))
LONG_WORDS, LONG_SIGNS = 22, 34
"""A sentence of more words (or Chinese signs) is cut at its commas as well."""
LEAST_WORDS, LEAST_SIGNS = 5, 9
"""A part of a long sentence has at least so many."""
TAG_CHARS = 70
"""So far from a quotation its speech tag is looked for."""


class Voice(StrEnum):
    """Whose words a stretch holds."""

    OWN = "own"
    """What the speaker says."""
    NARRATION = "narration"
    """What is told of a scene, in asterisks or around speech."""
    OTHER = "other"
    """What somebody else says, by the speech tag."""
    UNSURE = "unsure"
    """A quotation with no tag that tells whose it is."""
    ASIDE = "aside"
    """Out of character, or a thought of a model."""


@dataclass(frozen=True)
class Segment:
    """text[start:end] of a message. who: whom a stretch of another's is given to, in the words of the tag; empty where not known."""

    start: int
    end: int
    voice: Voice
    who: str = ""
    in_quotes: bool = False


_HAN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDS = re.compile(r"[.!?…]+[\"”’'»)\]*]*(?=\s|$)|[。！？；…!?]+[”’」』）)\"]*|\n+|[~～]+(?=\s|$)")
_BREAKS = re.compile(
    r"[,;:，、；：](?:\s|(?=[\u3400-\u9fff]))|\s[-–—]+\s|—+|\s(?=(?:and|but|so|because|cos|cuz|btw|also|then|though|anyway)\s)|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:" + "|".join(map(re.escape, MARKS["abbreviations"])) + r"|[A-Za-z])\.$", re.IGNORECASE)
_NAMED_LINE = re.compile(r"^[ \t>*_#]*([^\s:：*_][^:：*_\n]{0,30}?)[*_]{0,2}[:：][*_]{0,2}[ \t]*(?=\S)", re.MULTILINE)
_THOUGHT = re.compile(r"<(think|thinking|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OUT = re.compile(
    r"[(\[（【{]\s*(?:"
    + "|".join(map(re.escape, MARKS["out_of_character"]))
    + r")(?![a-z])[^)\]）】}]*[)\]）】}]|^\s*(?://|"
    + "|".join(map(re.escape, MARKS["out_of_character"]))
    + r")\s*[:：,，]?.*$",
    re.IGNORECASE | re.MULTILINE,
)
_SPEECH = re.compile(
    r"\b(?:" + "|".join(map(re.escape, MARKS["speech"])) + r")\b|(?:" + "|".join(map(re.escape, MARKS["speech_signs"])) + ")",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i['’]m|i['’]ve|my|me)\b|[我咱俺]", re.IGNORECASE)
_READ_ALOUD = re.compile(
    r"\b(?:"
    + "|".join(w for w in MARKS["reading_aloud"] if w.isascii())
    + r")\b|"
    + "|".join(w for w in MARKS["reading_aloud"] if not w.isascii()),
    re.IGNORECASE,
)
_FIRST = frozenset(MARKS["first_person"])
_THIRD = frozenset(MARKS["third_person"])


def segments(text: str, *, speaker: str) -> list[Segment]:
    """The stretches of a message in order, without what holds no letter. speaker: the name as it may stand in narration."""
    spans = [Segment(0, len(text), Voice.OWN)]
    for found in sorted(_asides(text), key=lambda s: (s.start, -s.end)):
        if _holder(spans, found.start).voice is not Voice.ASIDE:
            spans = _laid(spans, found)
    spans = _lines_of_others(text, spans, speaker)
    quotes = [q for q in _quotes(text) if _holder(spans, q[0]).voice is not Voice.ASIDE]
    spoken = [q for q in quotes if _is_speech(text, q)]
    told = bool(spoken) and _is_told(text, spoken)
    if told:
        spans = [Segment(s.start, s.end, Voice.NARRATION if s.voice is Voice.OWN else s.voice, s.who) for s in spans]
    for start, end in _narration(text):
        if not any(a <= start < b for a, b in quotes):
            spans = _laid(spans, Segment(start, end, Voice.NARRATION), over=(Voice.OWN, Voice.NARRATION))
    for start, end in spoken:
        holder = _holder(spans, start)
        if holder.voice not in (Voice.ASIDE, Voice.OTHER):
            voice, who = _speaker_of(text, (start, end), spoken, speaker=speaker, told=told)
            spans = _laid(spans, Segment(start, end, voice, who, in_quotes=True))
    return [piece for span in spans for piece in _sentences(text, span)]


def _asides(text: str) -> Iterator[Segment]:
    for found in (*_THOUGHT.finditer(text), *_OUT.finditer(text)):
        yield Segment(found.start(), found.end(), Voice.ASIDE)
    for opening, closing in MARKS["aside"]:
        for found in re.finditer(re.escape(opening) + r".*?" + re.escape(closing), text, re.DOTALL):
            yield Segment(found.start(), found.end(), Voice.ASIDE)


def _laid(spans: Sequence[Segment], new: Segment, *, over: Sequence[Voice] = tuple(Voice)) -> list[Segment]:
    """Spans with a new one over what lies under it."""
    out: list[Segment] = []
    for span in spans:
        if span.end <= new.start or span.start >= new.end or span.voice not in over:
            out.append(span)
            continue
        if span.start < new.start:
            out.append(Segment(span.start, new.start, span.voice, span.who, span.in_quotes))
        out.append(Segment(max(span.start, new.start), min(span.end, new.end), new.voice, new.who, new.in_quotes))
        if span.end > new.end:
            out.append(Segment(new.end, span.end, span.voice, span.who, span.in_quotes))
    return out


def _holder(spans: Sequence[Segment], at: int) -> Segment:
    return next(s for s in spans if s.start <= at < s.end)


def _lines_of_others(text: str, spans: list[Segment], speaker: str) -> list[Segment]:
    """Give lines that begin with somebody's name, or a narrator's, to that one."""
    for found in _NAMED_LINE.finditer(text):
        name = found.group(1).strip()
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        if name.casefold() in MARKS["narrator"]:
            spans = _laid(spans, Segment(found.start(), end, Voice.OTHER, name))
        elif _is_name(name) and name.casefold() != speaker.casefold():
            told = _several_lines(text, found) or _FIRST_PERSON.search(text[found.end() : end]) is not None
            spans = _laid(spans, Segment(found.start(), end, Voice.OTHER if told else Voice.UNSURE, name))
    return spans


def _is_name(text: str) -> bool:
    if text.casefold() in MARKS["labels"]:
        return False
    words = text.split()
    if _SPEECH.search(text) or any(w.casefold() in _FIRST for w in words) or text[:1] in _FIRST:
        return False
    return len(words) <= 3 and (all(w[:1].isupper() for w in words) or (bool(_HAN.match(text)) and len(text) <= 6))


def _several_lines(text: str, found: re.Match[str]) -> bool:
    """Whether a name and a colon begin a line of a script: one of several lines, or before a quotation mark."""
    return "\n" in text.strip() or text[found.end() : found.end() + 1] in {q[0] for q in MARKS["quotes"]}


def _quotes(text: str) -> list[tuple[int, int]]:
    """Quotations, marks included, none in another. One that is not closed goes on to the end of its paragraph."""
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        pair = next(((o, c) for o, c in MARKS["quotes"] if text.startswith(o, at)), None)
        if pair is None or not _opens(text, at, pair):
            at += 1
            continue
        paragraph = text.find("\n\n", at)
        paragraph = len(text) if paragraph < 0 else paragraph
        end = _closing(text, at + 1, pair, paragraph)
        if end is None:
            if pair[0] in "'‘":
                at += 1
                continue
            end = paragraph
        out.append((at, end))
        at = end
    return out


def _opens(text: str, at: int, pair: tuple[str, str]) -> bool:
    if pair[0] not in "'\"‘":
        return True
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (not before or not before.isalnum() or bool(_HAN.match(before))) and bool(after) and not after.isspace()


def _closing(text: str, start: int, pair: tuple[str, str], limit: int) -> int | None:
    for found in re.finditer(re.escape(pair[1]), text[start:limit]):
        end = start + found.end()
        after = text[end : end + 1]
        if pair[1] in "'’" and (after.isalnum() and not _HAN.match(after)):
            continue  # an apostrophe
        if pair[1] in "'’" and text[end - 2 : end - 1].isalnum() and after == " " and not _ends_here(text, start, end):
            continue  # the apostrophe of a plural, or a clipped word
        return end
    return None


def _ends_here(text: str, start: int, end: int) -> bool:
    """Whether a single mark behind a letter closes: none comes later in its paragraph that does."""
    rest = text[end : text.find("\n", end) if "\n" in text[end:] else len(text)]
    return not re.search(r"[.,!?…-]['’]", rest) or bool(_HAN.search(text[start:end]))


def _is_speech(text: str, quote: tuple[int, int]) -> bool:
    """Whether a quotation is something said, not a word that is named or a title."""
    inner = text[quote[0] + 1 : quote[1] - 1].strip()
    if not inner:
        return False
    if re.search(r"[.,!?…。！？，—-]$", inner):
        return True
    tag_after, tag_before = text[quote[1] : quote[1] + TAG_CHARS], text[max(0, quote[0] - TAG_CHARS) : quote[0]]
    near = tag_after.split("\n")[0] + " | " + tag_before.split("\n")[-1]
    return (_size(inner) >= 2 and bool(_SPEECH.search(near))) or _size(inner) >= 6


def _is_told(text: str, spoken: Sequence[tuple[int, int]]) -> bool:
    """Whether a message is narration with speech in it: it begins with a quotation or one stands behind an asterisk or a sentence's end."""
    first = text[: spoken[0][0]].strip()
    return not first or bool(re.search(r"[*_.!?…。！？）)】]$", first)) or bool(re.search(r"[:：，,]$", first) and _SPEECH.search(first))


def _narration(text: str) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for opening, closing in MARKS["narration"]:
        for found in re.finditer(r"(?<![\w*])" + re.escape(opening) + r"(?=\S)[^\n]*?" + re.escape(closing) + r"(?![\w*])", text):
            if not any(a < found.end() and found.start() < b for a, b in out):
                if opening in "(_" and _size(found.group()) < 3:
                    continue
                out.append(found.span())
    return out


def _speaker_of(text: str, quote: tuple[int, int], spoken: Sequence[tuple[int, int]], *, speaker: str, told: bool) -> tuple[Voice, str]:
    """Who says a quotation, by the tag behind it, else by the one before it."""
    paragraph = text.rfind("\n", 0, quote[0]) + 1
    line_end = text.find("\n", quote[1])
    after = text[quote[1] : min((s for s, _ in spoken if s >= quote[1]), default=len(text))][:TAG_CHARS]
    after = after if line_end < 0 else after[: max(0, line_end - quote[1])]
    before = text[max(max((e for _, e in spoken if e <= quote[0]), default=0), paragraph, quote[0] - TAG_CHARS) : quote[0]]
    tag_after = re.split(r"[.!?…。！？;；]", after.lstrip(" *_）)】"), maxsplit=1)[0]
    sentences = re.split(r"[.!?…。！？;；]\s*", before.rstrip(" *_（(【"))
    tag_before = sentences[-1] or (sentences[-2] if len(sentences) > 1 else "")
    for tag, behind in ((tag_after, True), (tag_before, False)):
        found = _SPEECH.search(tag) or (_READ_ALOUD.search(tag) if not behind else None)
        if found is None:
            continue
        if not behind and _READ_ALOUD.search(tag):
            return Voice.OTHER, ""
        subject = tag[: found.start()].strip(" ,，—-:：") or (tag[found.end() :] if behind else "")
        whose = _whose(subject, speaker)
        if whose is not None and whose[0] is Voice.UNSURE and (newcomer := _newcomer(text[: quote[0]], speaker)):
            return Voice.OTHER, newcomer
        if whose is not None:
            return whose
    return (Voice.UNSURE, "") if told or not before.strip() else (Voice.OTHER if _SPEECH.search(before) else Voice.UNSURE, "")


def _whose(subject: str, speaker: str) -> tuple[Voice, str] | None:
    words = [w.casefold() for w in _WORD.findall(subject)]
    if not words and not _HAN.search(subject):
        return None
    if (any(w in _FIRST for w in words[:3]) and not any(w in ("my", "me") for w in words[:1])) or re.match(
        r"\s*(?:我(?!的|[妈爸哥弟姐妹爷奶姥叔姨舅婆儿女朋老同])|咱(?!妈|爸)|俺(?!娘|爹))", subject
    ):
        return Voice.OWN, ""
    name = speaker.casefold()
    if name and (name in subject.casefold() or any(part in words for part in name.split() if len(part) > 2)):
        return Voice.OWN, ""
    if (words and words[0] in _THIRD) or re.match(r"\s*[他她它]", subject):
        return Voice.UNSURE, subject.strip()
    return Voice.OTHER, subject.strip()[:40]


def _newcomer(before: str, speaker: str) -> str:
    """Who does something in the sentence before a quotation: somebody brought in by "a", by kinship or by a name that is not the speaker's; empty if nobody is."""
    sentence = re.split(r"[.!?…\n](?=\s|$|\*)", before.rstrip(" *_.!?…\n"))[-1].strip(" *_")
    found = re.match(r"(?:an?|my|his|her|our|their)\s+(?:[\w'-]+\s+){0,2}?([\w-]+)(?=\s+[\w-]+(?:s|ed)\b)", sentence, re.IGNORECASE)
    if found:
        return found.group(0)
    named = re.match(r"([A-Z][\w'-]+)\s+[a-z]+(?:s|ed)\b", sentence)
    name = named.group(1) if named else ""
    return (
        name
        if name and name.casefold() not in _THIRD | _FIRST | {"the", "this", "that", "then"} and name.casefold() not in speaker.casefold()
        else ""
    )


def _size(text: str) -> int:
    """Words, Chinese signs counted as half of one."""
    return len(_WORD.findall(_HAN.sub(" ", text))) + len(_HAN.findall(text)) // 2


def _sentences(text: str, span: Segment) -> Iterator[Segment]:
    """The sentences of a span; a long one in its clauses."""
    cuts = [span.start]
    for found in _ENDS.finditer(text, span.start, span.end):
        if not _ABBREVIATED.search(text[max(span.start, found.start() - 8) : found.end()]):
            cuts.append(found.end())
    cuts.append(span.end)
    for start, end in pairwise(cuts):
        for a, b in _clauses(text, start, end):
            a, b = _trimmed(text, a, b)
            if re.search(r"[^\W_]", text[a:b]):
                yield Segment(a, b, span.voice, span.who, span.in_quotes)


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    sentence = text[start:end]
    han = len(_HAN.findall(sentence))
    if len(_WORD.findall(_HAN.sub(" ", sentence))) <= LONG_WORDS and han <= LONG_SIGNS:
        return [(start, end)]
    out: list[tuple[int, int]] = []
    at = start
    for found in _BREAKS.finditer(text, start, end):
        if _long_enough(text[at : found.start()]) and _long_enough(text[found.end() : end]):
            out.append((at, found.end()))
            at = found.end()
    out.append((at, end))
    return out


def _long_enough(part: str) -> bool:
    han = len(_HAN.findall(part))
    return han >= LEAST_SIGNS or len(_WORD.findall(_HAN.sub(" ", part))) >= LEAST_WORDS


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the blanks and marks around it."""
    while start < end and text[start] in " \t\n*_,，、;；:：-–—>":
        start += 1
    while end > start and text[end - 1] in " \t\n*_,，、;；-–—":
        end -= 1
    return start, end
