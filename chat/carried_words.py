"""What a conversation remembers in words: where each thing comes from, and all of it as Markdown for reading."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from chat.carried import FORGOTTEN, FORMER, LEFT_OUT, LIVING, Belongings, Thing
from chat.portable_markdown import line_of, shown
from memory.persona_keys import KEYS
from storage.records import Kind

HEADINGS = {
    "en": {
        Kind.FACT: "Facts",
        Kind.PERSONA: "What is known of {player}",
        Kind.INSIGHT: "{character}'s own readings",
        Kind.PLOT: "The story",
        Kind.TOPIC: "What was talked about",
    },
    "zh": {
        Kind.FACT: "事实",
        Kind.PERSONA: "对{player}的了解",
        Kind.INSIGHT: "{character}自己的理解",
        Kind.PLOT: "故事",
        Kind.TOPIC: "聊过的话题",
    },
}
WORDS = {
    "en": {
        "title": "What {character} remembers of “{title}”",
        "means": "With {player}, {day}. Memories: {n}. Rounds: {rounds}.",
        "said": "Said by {name}",
        "read": "Read by {name}",
        "told": "Told of",
        "round": "round {n}",
        "rounds": "rounds {first}–{last}",
        "in": "{who} in {place} of “{title}”",
        "happened": "happened {first}",
        "between": "happened {first} to {last}",
        "pinned": "pinned",
        FORMER: "no longer so",
        FORGOTTEN: "forgotten",
        LEFT_OUT: "left out",
        "edited": "in your words",
        "unsure": "not sure",
        "comma": ", ",
        "quote": ": “{quote}”",
        "rests": "from",
    },
    "zh": {
        "title": "{character}记得的《{title}》",
        "means": "与{player}的 {rounds} 轮对话留下的 {n} 条记忆，{day}。",
        "said": "{name}说的",
        "read": "{name}的理解",
        "told": "讲述",
        "round": "第 {n} 轮",
        "rounds": "第 {first}–{last} 轮",
        "in": "{who}，出自《{title}》{place}",
        "happened": "发生于 {first}",
        "between": "发生于 {first} 至 {last}",
        "pinned": "常驻",
        FORMER: "已不再如此",
        FORGOTTEN: "已淡忘",
        LEFT_OUT: "已排除",
        "edited": "你改过",
        "unsure": "不确定",
        "comma": "，",
        "quote": "：“{quote}”",
        "rests": "依据",
    },
}
"""By language; `means` is the line below the title."""


def provenance(thing: Thing, *, language: str) -> str:
    """Who said a thing when, in which round of what, and in which words."""
    words = WORDS.get(language, WORDS["en"])
    whence = thing.whence
    who = words["told"] if thing.kind in (Kind.PLOT, Kind.TOPIC) else words["read" if thing.kind is Kind.INSIGHT else "said"]
    name = whence.character if thing.kind is Kind.INSIGHT else thing.said_by
    place = (
        words["round"].format(n=whence.first)
        if whence.first == whence.last
        else words["rounds"].format(first=whence.first, last=whence.last)
    )
    parts = [words["in"].format(who=who.format(name=name), place=place, title=whence.title), _day(thing.said_at)]
    if thing.event:
        first, last = _days(*thing.event)
        parts.append(words["happened" if first == last else "between"].format(first=first, last=last))
    told = words["comma"].join(parts)
    return told + words["quote"].format(quote=thing.quote) if thing.quote else told


def markdown(what: Belongings) -> Iterator[str]:
    """All of it by kind, each with where it comes from; what would be a heading, HTML or a picture stands as the signs that were typed."""
    words, headings = WORDS.get(what.language, WORDS["en"]), HEADINGS.get(what.language, HEADINGS["en"])
    yield f"# {line_of(words['title'].format(character=what.character, title=what.title))}\n\n"
    days = sorted(thing.said_at for thing in what.things)
    span = f"{_day(days[0])} – {_day(days[-1])}" if days else "–"
    yield f"*{line_of(words['means'].format(n=len(what.things), rounds=what.rounds, player=what.player, day=span))}*\n"
    for kind, things in groupby(what.things, key=lambda thing: thing.kind):
        yield f"\n## {line_of(headings[kind].format(player=what.player, character=what.character))}\n\n"
        for thing in things:
            yield _item(thing, what, words)


def _item(thing: Thing, what: Belongings, words: dict[str, str]) -> str:
    label = f"**{line_of(KEYS[thing.key].label(what.language))}**{words['quote'][0]} " if thing.key in KEYS else ""
    marks = [
        words[mark]
        for mark, holds in (
            ("pinned", thing.pinned),
            ("edited", thing.edited),
            ("unsure", thing.trust < 1 and not thing.edited),
            (thing.state, thing.state != LIVING),
        )
        if holds
    ]
    text = "  \n  ".join(" ".join(shown(line.text).split()) for line in thing.lines) or " ".join(shown(thing.text).split())
    about = line_of(words["comma"].join([*marks, provenance(thing, language=what.language)]))
    rests = [what.things[place].text for place in thing.rests_on if place < len(what.things)]
    below = "".join(f"  - {words['rests']}: {line_of(text)}\n" for text in rests)
    return f"- {label}{text}  \n  *{about}*\n{below}"


def _days(first: datetime, last: datetime) -> tuple[str, str]:
    """As they are told: a whole year by its number."""
    if first.year == last.year and (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return f"{first:%Y}", f"{first:%Y}"
    return _day(first), _day(last)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
