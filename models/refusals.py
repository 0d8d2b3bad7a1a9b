"""Why a server refused, in its own words, and what can be learned from it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.dialect import Dialect

SHOWN_CHARS = 300
"""Of a server's own words."""
LEAST_WINDOW = 256
MOST_LESSONS = 10
"""Refusals in a row from which one reply learns."""
_MOST_READ = 4000
_NOT_ITS_WORDS = frozenset({"input", "ctx", "body", "request", "messages", "stack", "trace", "traceback", "url", "documentation_url"})
"""Fields in which servers give back what they were sent."""
_SENTENCES = frozenset({"message", "msg", "detail", "error", "reason", "title", "description", "error_message", "error_msg"})
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]{0,500}>", re.IGNORECASE | re.DOTALL)
_SECRET = re.compile(r"\b(?:sk|pk|gsk|hf|xai|key|AIza|Bearer)[-_ ]?[\w*.-]{6,}", re.IGNORECASE)
_LIMITS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
_ECHO_CHARS = 16
"""So many characters that also stand in the prompt are a quotation of it."""

_ROLES = re.compile(r"\broles?\b|alternat|jinja|chat.?template|template error|raise_exception|conversation|\bturns?\b", re.IGNORECASE)
_SYSTEM = re.compile(r"\b(?:system|developer)\b", re.IGNORECASE)
_SYSTEM_FIRST = re.compile(
    r"system.{0,60}(?:begin|first|start|before|one|single|multiple|only at)|(?:first|one|single|multiple|only).{0,40}system", re.IGNORECASE
)
_ORDER = re.compile(
    r"alternat|consecutive|in a row|same role|prefill|expected.{0,40}(?:user|assistant)"
    r"|(?:first|last|final|previous|next).{0,60}(?:user|assistant|role|message)"
    r"|(?:start|begin|end)s?\b.{0,40}(?:user|assistant)"
    r"|(?:user|assistant).{0,40}(?:first|last|follow|expected|before|after)",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    r"context.{0,3}(?:length|size|window|limit|overflow)|n_ctx|exceed_context|context_length|max_model_len|max_position|max_seq_len"
    r"|(?:prompt|inputs?|sequence|conversation|messages?|request|tokens?)\b.{0,60}"
    r"(?:too (?:long|large|big|many)|exceed|longer than|greater than|larger than|does not fit|doesn.t fit|token limit|maximum (?:number of )?(?:input )?tokens)"
    r"|too many (?:input )?tokens|reduce the length|maximum.{0,30}(?:context|prompt|input|sequence)"
    r"|(?:inputs?|prompt|tokens?).{0,60}must (?:be|have).{0,30}(?:<|less|fewer|at most|not exceed)"
    r"|(?:prompt|上下文|输入|提示|消息|内容|请求|文本|长度|token).{0,20}(?:超长|过长|太长|过大|超过|超出|超限)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z\d_.])(?<![A-Za-z]-)(?:(?P<thousands>\d{1,4}(?:\.\d)?)\s?k\b|\d{1,3}(?:[,_]\d{3})+(?!\d)|\d{2,8}(?![\d.]\d))",
    re.IGNORECASE,
)
_CLUES = re.compile(
    # How much there may be,
    r"(?P<most>max(?!_?(?:new_|completion_|output_)?tokens)\w*|limit|at most|up to|only|must|should|allowed|(?:less|fewer|smaller|greater|larger|longer|more) than"
    r"|[<>≤]|\[\d\s?,|exceed(?!\w*\s+by\b)|context|window|n_ctx|range|between|reads|supports?|最大|最多|上限|限制|超过|超出|大于|小于|上下文|范围)"
    # or how much there was.
    r"|(?P<was>exceed\w*\s+by\b|at least|request|given|got\b|passed|received|contains?|resulted|your\b|has\b|too (?:long|large|big|many)|当前|实际)",
    re.IGNORECASE,
)
"""Before a number."""
_WAS = re.compile(r"\W{0,3}(?:tokens?\b)?\W{0,3}?(?:[+>]|(?:has |have )?exceed|超|is (?:great|long|larg|more|too))", re.IGNORECASE)
"""After one that is too large, or a part of it."""
_MOST = re.compile(r"\W*(?:tokens?\W+)?(?:max(?!_)|limit)", re.IGNORECASE)
"""After the most."""
_RANGE = re.compile(r"\s*(?:,|and|to|~|至|到)\s*", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?P<window>context|window|n_ctx|max_model_len|max_seq_len|max_position|\btotal|inputs?\W[^.\d]{0,30}\+[^.\d]{0,30}max\w*|上下文)"
    r"|(?P<reply>max_(?:new_|completion_|output_)?tokens|completion|output|repl(?:y|ies)|response|generat|输出|生成)"
    r"|(?P<prompt>prompt|\binputs?\b(?! should| validation)|messages?\b|sequence|输入|提示)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,.;:()（），。；>+]|\b(?:and|but|for)\b")
_RATE = re.compile(r"\bper (?:min|sec|hour|day)|rate.?limit|\b[TR]P[MD]\b|每分钟|每秒|频率|速率|次数|并发", re.IGNORECASE)
_TOO_LARGE = re.compile(r"too (?:large|long)|reduce", re.IGNORECASE)
_SCHEMA = re.compile(r"response.?format|json.?schema|json.?mode|json_object|guided|grammar|structured.?output|\bschema\b", re.IGNORECASE)
_OF_CONTENT = re.compile(
    r"content.{0,20}(?:filter|policy|management)|moderation|safety|inappropriate|sensitive|敏感|不安全|违规|违禁|审核", re.IGNORECASE
)
_OF_MODEL = re.compile(
    r"model\b.{0,80}(?:not found|does not exist|doesn.t exist|unknown|not available|invalid|not loaded|no access)"
    r"|(?:unknown|invalid|no such|unrecogni[sz]ed) model\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Number:
    """A number of tokens in a refusal. most: so many there may be, not so many there were; about: `window`, `prompt`, `reply`, or nothing that is named."""

    value: int
    most: bool
    about: str


@dataclass(frozen=True)
class Refusal:
    """text: all that the server says of it, without what it gives back; said: the sentence among that; named: parameters that it names in fields of their own;
    numbers: those of its fields."""

    status: int
    text: str
    said: str = ""
    named: tuple[str, ...] = ()
    numbers: Mapping[str, int] | None = None

    @classmethod
    def of(cls, status: int, body: str) -> Refusal:
        try:
            found: Any = json.loads(body)
        except (ValueError, RecursionError):
            text = " ".join(html.unescape(_TAG.sub(" ", body[:_MOST_READ])).split())
            return cls(status, text, text)
        texts: list[str] = []
        said: list[str] = []
        named: list[str] = []
        numbers: dict[str, int] = {}
        for name, value in _fields("", found, 0):
            if name in ("param", "loc", "field", "parameter", "path"):
                named.append(str(value))
            elif isinstance(value, str) and not value.startswith(("http://", "https://")) and not value.isdigit():
                texts.append(value)
                if name in _SENTENCES:
                    said.append(value)
            elif isinstance(value, int) and not isinstance(value, bool):
                numbers[name] = value
        inner = next((text for text in texts if text.lstrip().startswith("{")), "")
        if inner and (told := cls.of(status, inner)).text:  # an error in an error, as proxies pass them on
            return cls(status, told.text, told.said, (*named, *told.named), {**numbers, **(told.numbers or {})})
        code = numbers.get("code", numbers.get("status", 0))
        status = code if status < 400 and 400 <= code < 600 else status
        return cls(status, _one_line(texts), _one_line(said or texts), tuple(named), numbers)

    @property
    def of_window(self) -> bool:
        if _RATE.search(self.text) and not _TOO_LARGE.search(self.text):
            return False
        read = any(one.most and one.about in ("window", "prompt") and one.value >= LEAST_WINDOW for one in self.read())
        return read or bool(_WINDOW.search(self.text)) or "n_ctx" in (self.numbers or {})

    def read(self) -> Iterator[Number]:
        """Each number in its words, by the words around it."""
        about = "reply" if any(_ABOUT.fullmatch(name) for name in self.named) else ""
        found, end, most = list(_NUMBER.finditer(self.text)), 0, False
        for place, number in enumerate(found):
            following = found[place + 1].start() if place + 1 < len(found) else len(self.text)
            before, after = self.text[end : number.start()], self.text[number.end() : following]
            clues = [clue.lastgroup for clue in _CLUES.finditer(before)]
            clause = _CLAUSE.split(after.lstrip(" )"), maxsplit=1)[0]
            if _WAS.match(after):
                most = False
            elif _MOST.match(clause):
                most = True
            elif clues or not _RANGE.fullmatch(before):
                most = clues[-1:] == ["most"]
            about = next((str(noun.lastgroup) for noun in reversed(list(_ABOUT.finditer(before)))), about)
            nearest = _ABOUT.search(clause)
            value = round(float(number["thousands"]) * 1000) if number["thousands"] else int(re.sub(r"\D", "", number.group()))
            yield Number(value, most, str(nearest.lastgroup) if nearest else about)
            end = number.end()

    @property
    def of_content(self) -> bool:
        return bool(_OF_CONTENT.search(self.text))

    @property
    def of_model(self) -> bool:
        return bool(_OF_MODEL.search(self.said)) and not self.named

    @property
    def teaches(self) -> bool:
        """Whether asking in another way may help: not where it is about the key, the model, what was said or how often was asked."""
        if self.status in (401, 402, 403, 404, 405, 408, 413, 429, 502, 503, 504, 529) and not self.of_window:
            return False
        if self.of_model and not self.hinted:
            return False
        if self.of_content and not (self.of_window or _ROLES.search(self.text)):
            return False
        return self.status in (400, 413, 422) or bool(self.hinted)

    @property
    def hinted(self) -> bool:
        """Whether its words name something that can be asked otherwise."""
        about = _ROLES.search(self.text) or _SCHEMA.search(self.text) or (self.status < 500 and _SYSTEM.search(self.text))
        return self.of_window or bool(about or self.named)

    def shown(self, *, key: str, prompt: Sequence[str]) -> str:
        """Its words as they may be shown: shortened, without the key and without what it quotes of the prompt."""
        text = "".join(sign if sign.isprintable() else " " for sign in self.said[:_MOST_READ])
        if key:
            text = text.replace(key, "…")
        text = _without_echo(_SECRET.sub("…", text), prompt)
        text = " ".join(text.split())
        return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1].rstrip() + "…"


def lessons(refusal: Refusal, dialect: Dialect, *, sent: frozenset[str], prompt_tokens: int, reply_tokens: int) -> Iterator[Dialect]:
    """Other ways to ask that a refusal suggests, the likeliest first. sent: names of what was sent; prompt_tokens, reply_tokens: as they are counted here."""
    if not refusal.teaches:
        return
    text = refusal.said
    if refusal.of_window and not _value_of_limit(refusal, sent):
        if (window := _window(refusal, dialect, prompt_tokens, reply_tokens)) >= LEAST_WINDOW:
            yield dialect.model_copy(update={"window": window})
        return
    yield from _about_parameters(refusal, dialect, sent, reply_tokens)
    in_order, about_system = bool(_ORDER.search(text)), bool(_SYSTEM.search(text))
    about_roles = bool(_ROLES.search(text)) or in_order
    alternating = dialect.model_copy(update={"alternate": True})
    first = dialect.model_copy(update={"system": "first"})
    folded = dialect.model_copy(update={"system": "none"})
    if _SYSTEM_FIRST.search(text) and "alternat" not in text.lower():
        yield first
    if in_order and not (about_system and re.search(r"not support|unsupported|not allowed|invalid|unknown", text, re.IGNORECASE)):
        yield from (alternating, folded)
    elif about_system:
        yield from (folded, alternating)
    elif about_roles:
        yield from (alternating, folded)
    if refusal.status in (400, 422) and not about_roles:
        # It says nothing that is understood: the plainest request there is, a step at a time.
        if "response_format" in sent:
            yield dialect.model_copy(update={"form": "none"})
        yield from (alternating, folded)
        extra = tuple(sorted(sent & {"top_p", "presence_penalty", "frequency_penalty", "stop", "stream_options", "temperature"}))
        yield dialect.model_copy(update={"without": tuple(dict.fromkeys((*dialect.without, *extra)))})


def _about_parameters(refusal: Refusal, dialect: Dialect, sent: frozenset[str], reply_tokens: int) -> Iterator[Dialect]:
    named = [name for name in sorted(sent - {"model", "messages", "stream"}) if _names(refusal, name)]
    limit = dialect.limit if dialect.limit in sent else ""
    if limit and any(_names(refusal, name) for name in _LIMITS):
        given = [one.value for one in refusal.read() if one.most and one.about == "reply" and 16 <= one.value < reply_tokens]
        most = max(given, default=0)
        if most and "unsupported" not in refusal.text.lower():
            yield dialect.model_copy(update={"reply": most})
        other = "max_completion_tokens" if limit == "max_tokens" else "max_tokens"
        if limit == "max_tokens" or (other in refusal.text and limit not in named):
            yield dialect.model_copy(update={"limit": other})
        yield dialect.model_copy(update={"limit": "none"})
    if "response_format" in sent and ("response_format" in named or _SCHEMA.search(refusal.text)):
        if dialect.form == "schema" and "json_object" in refusal.text:
            yield dialect.model_copy(update={"form": "object"})
        yield dialect.model_copy(update={"form": "none"})
    for name in named:
        if name not in ("response_format", *_LIMITS):
            yield dialect.model_copy(update={"without": (*dialect.without, name)})


def _names(refusal: Refusal, name: str) -> bool:
    spelt = "[ _-]?".join(map(re.escape, name.split("_")))
    pattern = re.compile(rf"(?<![A-Za-z0-9]){spelt}(?![A-Za-z0-9])", re.IGNORECASE)
    return any(pattern.search(text) for text in (refusal.text, *refusal.named))


def _value_of_limit(refusal: Refusal, sent: frozenset[str]) -> bool:
    """Whether only the longest reply that was asked for is too long, and not what is to be read."""
    if not sent.intersection(_LIMITS) or not any(_names(refusal, name) for name in _LIMITS):
        return False
    if most := {one.about for one in refusal.read() if one.most and one.about}:
        return most == {"reply"}
    return not re.search(r"context|prompt|input|messages|n_ctx|sequence", refusal.text, re.IGNORECASE)


def _window(refusal: Refusal, dialect: Dialect, prompt_tokens: int, reply_tokens: int) -> int:
    """Tokens of prompt and reply that fit, as they are counted here. The server may count more for the same text: then what it says is less here."""
    asked = prompt_tokens + reply_tokens
    fields, numbers = refusal.numbers or {}, list(refusal.read())
    most = [one for one in numbers if one.most and one.about != "reply" and one.value >= LEAST_WINDOW]
    most = [one for one in most if one.about == "window"] or [one for one in most if one.value != reply_tokens]
    if not (limit := fields.get("n_ctx") or next((one.value for one in most), 0)):
        return min(asked, dialect.window or asked) * 3 // 4
    counted = [*(one for one in numbers if not one.most), Number(fields.get("n_prompt_tokens", 0), most=False, about="prompt")]
    there = [
        (prompt_tokens if one.about == "prompt" else asked) / one.value
        for one in counted
        if one.about != "reply"
        and one.value != reply_tokens
        and (limit < one.value < 20 * limit or (one.about == "prompt" and LEAST_WINDOW <= one.value <= limit))
    ]
    if (less := min(there, default=1.0)) < 1:  # the server counts more
        limit = int(limit * less * 0.97)
    known = dialect.window or 10 * asked
    return limit if limit < min(asked, known) else min(asked, known) * 4 // 5


def _fields(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Names and values in an error, what it gives back left out."""
    if depth > 6:
        return
    if isinstance(value, Mapping):
        for inner, one in value.items():
            if str(inner) not in _NOT_ITS_WORDS:
                yield from _fields(str(inner), one, depth + 1)
    elif isinstance(value, list) and name == "loc":
        yield name, value[-1] if value else ""
    elif isinstance(value, list):
        for one in value[:20]:
            yield from _fields(name, one, depth + 1)
    elif value is not None:
        yield name, value


def _one_line(texts: Sequence[str]) -> str:
    return " ".join(" ".join(dict.fromkeys(texts)).split())[:_MOST_READ]


def _without_echo(text: str, prompt: Sequence[str]) -> str:
    """The text without stretches that also stand in the prompt."""
    covered = [False] * len(text)
    for start in range(len(text) - _ECHO_CHARS + 1):
        stretch = text[start : start + _ECHO_CHARS]
        if any(stretch in said for said in prompt):
            covered[start : start + _ECHO_CHARS] = [True] * _ECHO_CHARS
    found = "".join("\0" if hidden else sign for sign, hidden in zip(text, covered, strict=True))
    return re.sub("\0+", "…", found)
