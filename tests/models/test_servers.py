"""Each way in which servers that speak OpenAI's protocol differ or fail: a whole reply, or an error that says what happened."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from models.chat_model import ChatMessage
from models.errors import ModelError
from models.gateway import Endpoint, LiteLLMModel, litellm
from settings import Settings
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

DONE = b"data: [DONE]\n\n"
WORDS = "The lamp is lit."


def chunk(delta: Mapping[str, object] | None, finish: str | None = None, **more: object) -> bytes:
    event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: " + json.dumps({**event, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}).encode() + b"\n\n"


def words(text: str) -> list[bytes]:
    """A word an event."""
    return [chunk({"content": piece}) for piece in text.replace(" ", " \0").split("\0")]


def ended(text: str = WORDS, finish: str = "stop") -> list[bytes]:
    return [*words(text), chunk({}, finish), DONE]


def whole(message: Mapping[str, object], finish: str | None = "stop") -> bytes:
    return json.dumps(
        {"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    ).encode()


def whole_event(text: str) -> bytes:
    return b"data: " + whole({"role": "assistant", "content": text}) + b"\n\n"


def said_so_far(signs: int) -> bytes:
    return json.dumps({"content": WORDS[:signs]}).encode()


@dataclass(frozen=True)
class Heard:
    said: str
    thought: str
    finish: str | None
    fault: str
    told: str
    requests: int


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    litellm()


def model(url: str, **changed: Any) -> LiteLLMModel:
    settings = Settings(_env_file=None, chat_model="openai/lamp", chat_api_base=url, chat_retries=0, chat_timeout_s=20)  # type: ignore[call-arg]
    return LiteLLMModel(replace(Endpoint.of_chat(settings), **changed))


def heard(*raw: bytes, kind: str = "text/event-stream", between_s: float = 0.0, **changed: Any) -> Heard:
    with OpenAIEndpoint(*[Answer(raw=raw, content_type=kind, between_s=between_s)] * 3) as endpoint:
        stream = model(endpoint.url, **changed).stream([ChatMessage("user", "Who is there?")], cancel=threading.Event())
        pieces: list[str] = []
        thoughts: list[str] = []
        stream.on_thought, stream.on_withdrawn = thoughts.append, pieces.clear
        fault = told = ""
        try:
            pieces.extend(stream)
        except ModelError as error:
            fault, told = error.reason, str(error.params.get("said", ""))
        return Heard("".join(pieces), "".join(thoughts).strip(), stream.finish_reason, fault, told, len(endpoint.requests))


ODD = b'data: {"choices":[{"delta":{"content":"The lamp is lit."}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
WHOLE: dict[str, list[bytes]] = {
    "as most do": ended(),
    "nothing in a delta": [
        chunk({"role": "assistant", "content": None}),
        *words("The lamp"),
        chunk({"content": None}),
        *words(" is lit."),
        chunk(None, "stop"),
        DONE,
    ],
    "signs of life": [b": PROCESSING\n\n", b":\n\n", b"event: ping\ndata: {}\n\n", b"data: ping\n\n", *ended()],
    "no reason for the end": [*words(WORDS), DONE],
    "no mark of the end": [*words(WORDS), chunk({}, "stop")],
    "a reason of its own": ended(finish="eos_token"),
    "a reason with the last word": [*words("The lamp is"), chunk({"content": " lit."}, "stop"), DONE],
    "an empty reason": [chunk({"content": "The lamp "}, ""), chunk({"content": "is lit."}, ""), chunk({}, ""), DONE],
    "usage last": [*words(WORDS), chunk({}, "stop"), b'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n', DONE],
    "usage null": [*words(WORDS), chunk({}, "stop", usage=None), DONE],
    "line ends of two signs": [one.replace(b"\n", b"\r\n") for one in ended()],
    "no room after the colon": [one.replace(b"data: ", b"data:") for one in ended()],
    "no empty lines": [one.replace(b"\n\n", b"\n") for one in ended()],
    "all in one piece": [b"".join(ended())],
    "a letter at a time": [bytes([sign]) for sign in b"".join(ended())],
    "no index": [ODD, DONE],
    "a list of parts": [
        chunk({"content": [{"type": "text", "text": "The lamp "}, {"type": "text", "text": "is lit."}]}),
        chunk({}, "stop"),
        DONE,
    ],
    "a list of texts": [chunk({"content": ["The lamp ", "is lit."]}), chunk({}, "stop"), DONE],
    "a message for a delta": [chunk({}).replace(b'"delta": {}', b'"message": {"content": "The lamp is lit."}'), chunk({}, "stop"), DONE],
    "a text for a delta": [b'data: {"choices":[{"index":0,"text":"The lamp is lit."}]}\n\n', chunk({}, "stop"), DONE],
    "JSON instead of a stream": [whole({"role": "assistant", "content": WORDS})],
    "JSON on several lines": [json.dumps(json.loads(whole({"role": "assistant", "content": WORDS})), indent=2).encode()],
    "JSON with a list": [whole({"role": "assistant", "content": [{"type": "text", "text": WORDS}]})],
    "JSON without a reason": [whole({"content": WORDS}, None)],
    "JSON, a line an event": [b"\n".join(one.removeprefix(b"data: ").strip() for one in [*words(WORDS), chunk({}, "stop")])],
    "a mark of the order of bytes": [b"\xef\xbb\xbf" + b"".join(ended())],
    "JSON after such a mark": [b"\xef\xbb\xbf" + whole({"content": WORDS})],
    "JSON on several lines after it": [b"\xef\xbb\xbf" + json.dumps(json.loads(whole({"content": WORDS})), indent=1).encode()],
    "JSON and the mark of the end": [whole({"content": WORDS}) + b"\n\n[DONE]"],
    "line ends of one old sign": [one.replace(b"\n", b"\r") for one in ended()],
    "a name in capitals after room": [one.replace(b"data:", b" DATA:") for one in ended()],
    "a name twice": [b"data: " + one for one in ended()],
    "the end as a text": [*words(WORDS), b'data: "[done]"\n\n'],
    "a text with notes": [chunk({"content": [{"type": "text", "text": {"value": WORDS, "annotations": []}}]}), chunk({}, "stop"), DONE],
    "all of it again at the end": [*words(WORDS), whole_event(WORDS), DONE],
    "all of it again without room": [*words(f"{WORDS}\n\n"), whole_event(WORDS), DONE],
    "all of it again in other words": [*words(WORDS), whole_event("The lamp burns."), DONE],
    "more each time": [*(chunk({}).replace(b'"delta": {}', b'"message": ' + said_so_far(n)) for n in (3, 8, 16)), DONE],
    "a delta and what was said so far": [
        chunk({"content": "The lamp "}).replace(b'"finish_reason"', b'"message": {"content": "The lamp "}, "finish_reason"'),
        chunk({"content": "is lit."}).replace(b'"finish_reason"', b'"message": {"content": "The lamp is lit."}, "finish_reason"'),
        whole_event(WORDS),
        DONE,
    ],
    "words beside an empty delta": [
        chunk({"role": "assistant"}, "stop").replace(b'"finish_reason"', b'"message": {"content": "The lamp is lit."}, "finish_reason"'),
        DONE,
    ],
    "a token at its end": ended(WORDS + "<|im_end|>"),
    "a token in pieces": [*words(WORDS), chunk({"content": "<|eot"}), chunk({"content": "_id|>"}), chunk({}, "stop"), DONE],
    "another token": ended(WORDS + " </s>"),
    "two tokens": ended(WORDS + "<end_of_turn>\n<eos>"),
    "tokens of its turn at its head": ended("<|im_start|>assistant\n" + WORDS),
    "on into the player's turn": ended(WORDS + "<|im_end|>\n<|im_start|>user\nWho lit it?<|im_end|>"),
    "a box around it": ended(f"<|begin_of_box|>{WORDS}<|end_of_box|>"),
    "a token and a name at its head": ended(f"<SPECIAL_12>Assistant\n{WORDS}"),
    "half a token at its end": ended(f"{WORDS} <|eot_i"),
    "a tag after it": ended(f"<think>\n</think>{WORDS}\n</output>"),
    "on into a turn by its name": ended(f"{WORDS}</s>\nUSER: Who lit it?"),
    "on into the next task": ended(f"{WORDS}\n\n### Instruction: Who lit it?"),
    "a second choice": [*words(WORDS), b'data: {"choices":[{"index":1,"delta":{"content":"No."}}]}\n\n', chunk({}, "stop"), DONE],
}


@pytest.mark.parametrize("raw", WHOLE.values(), ids=WHOLE.keys())
def test_a_reply_is_whole_in_whatever_shape_it_comes(raw: list[bytes]) -> None:
    found = heard(*raw)
    assert replace(found, said=found.said.rstrip()) == Heard(WORDS, "", "stop", "", "", 1)


def test_json_has_its_reply_whatever_type_it_says_it_is() -> None:
    for kind in ("application/json", "text/plain", "application/octet-stream"):
        assert heard(whole({"content": WORDS}), kind=kind).said == WORDS


def test_a_sign_cut_into_two_pieces_is_one() -> None:
    raw = b"".join([chunk({"content": "x"}).replace(b'"x"', '"Kom inn, 🦊!"'.encode()), chunk({}, "stop"), DONE])
    cut = raw.index("🦊".encode()) + 2
    assert heard(raw[:cut], raw[cut:], between_s=0.2).said == "Kom inn, 🦊!"


THOUGHT = "She lives alone."
APART: dict[str, list[bytes]] = {
    "reasoning_content": [chunk({"reasoning_content": "She lives "}), chunk({"reasoning_content": "alone."}), *ended()],
    "reasoning": [chunk({"reasoning": "She lives ", "content": ""}), chunk({"reasoning": "alone.", "content": ""}), *ended()],
    "two fields that say the same": [
        chunk({"reasoning": THOUGHT, "reasoning_details": [{"type": "reasoning.text", "text": THOUGHT}]}),
        *ended(),
    ],
    "blocks": [chunk({"thinking_blocks": [{"type": "thinking", "thinking": THOUGHT}]}), *ended()],
    "parts of the content": [chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}]}), *ended()],
    "thinking_content": [chunk({"thinking_content": THOUGHT}), *ended()],
    "cot_content": [chunk({"cot_content": THOUGHT}), *ended()],
    "fields of its provider": [chunk({"provider_specific_fields": {"reasoning_content": THOUGHT}}), *ended()],
    "all of it again at the end": [
        chunk({"reasoning_content": THOUGHT}),
        *words(WORDS),
        b"data: " + whole({"content": WORDS, "reasoning_content": THOUGHT}) + b"\n\n",
        DONE,
    ],
    "tags": ended(f"<think> {THOUGHT} </think> {WORDS}"),
    "tags of Seed": ended(f"<seed:think>{THOUGHT}</seed:think>{WORDS}"),
    "channels": ended(f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{WORDS}<|return|>"),
    "channels of Gemma": ended(f"<|channel>thought {THOUGHT}<channel|>{WORDS}"),
    "a folded part": ended(f'<details type="reasoning" done="true">\n{THOUGHT}\n</details>\n{WORDS}'),
    "the end alone": ended(f"{THOUGHT}</think>{WORDS}"),
    "JSON": [whole({"content": WORDS, "reasoning_content": THOUGHT})],
    "JSON with tags": [whole({"content": f"<think>{THOUGHT}</think>{WORDS}"})],
}


@pytest.mark.parametrize("raw", APART.values(), ids=APART.keys())
def test_thoughts_are_apart_in_whatever_shape_they_come(raw: list[bytes]) -> None:
    assert heard(*raw) == Heard(WORDS, THOUGHT, "stop", "", "", 1)


def test_words_before_a_thought_stay_words() -> None:
    found = heard(*ended(f"Come in. <think> {THOUGHT} </think> Sit down."))
    assert (found.said, found.thought) == ("Come in. Sit down.", THOUGHT)


ERROR = b'data: {"error": {"message": "the lamp went out", "code": 502}}\n\n'
FAULTS: dict[str, tuple[list[bytes], str, str, str]] = {
    "nothing": ([chunk({"role": "assistant", "content": ""}), chunk({}, "stop"), DONE], "", "empty", ""),
    "nothing at all": ([DONE], "", "empty", ""),
    "only room": ([chunk({"content": " \n "}), chunk({}, "stop"), DONE], " \n ", "empty", ""),
    "nothing within its length": ([chunk({"content": ""}), chunk({}, "length"), DONE], "", "cut", ""),
    "a tool": (
        [chunk({"content": None, "tool_calls": [{"index": 0, "id": "t", "function": {"name": "x"}}]}), chunk({}, "tool_calls"), DONE],
        "",
        "tools",
        "",
    ),
    "a tool in JSON": ([whole({"content": None, "tool_calls": [{"id": "t"}]}, "tool_calls")], "", "tools", ""),
    "a filter": ([*words("I would"), chunk({}, "content_filter"), DONE], "I would", "filter", ""),
    "a filter at once": ([chunk({"content": ""}), chunk({}, "content_filter"), DONE], "", "filter", ""),
    "a filter of another name": ([chunk({}, "SAFETY"), DONE], "", "filter", ""),
    "a thought alone": ([chunk({"reasoning_content": THOUGHT}), chunk({}, "stop"), DONE], "", "thought", ""),
    "a thought without end": ([*words(f"<think> {THOUGHT}"), chunk({}, "stop"), DONE], "", "thought", ""),
    "an error in a success": ([b'{"error": {"message": "the lamp went out", "code": 502}}'], "", "failed", "the lamp went out"),
    "an error as the first event": ([ERROR, DONE], "", "failed", "the lamp went out"),
    "an error in the middle": ([*words("The lamp"), ERROR, DONE], "The lamp", "broke", ""),
    "a reason that is an error": ([*words("The lamp"), chunk({}, "error"), DONE], "The lamp", "broke", ""),
    "cut": (words("The lamp"), "The lamp", "broke", ""),
    "cut before a word": ([b": wait\n\n"], "", "broke", ""),
    "an error beside no choice": (
        [b'data: {"choices": [], "error": {"message": "out of oil", "code": 429}}\n\n', DONE],
        "",
        "busy",
        "out of oil",
    ),
    "an error in a choice": (
        [chunk({"content": ""}).replace(b'"index"', b'"error": {"message": "out of oil"}, "index"'), DONE],
        "",
        "failed",
        "out of oil",
    ),
    "an event of its own for an error": ([b'event: error\ndata: {"message": "out of oil"}\n\n'], "", "failed", "out of oil"),
    "a prompt that is blocked": ([b'data: {"choices": [], "promptFeedback": {"blockReason": "SAFETY"}}\n\n', DONE], "", "filter", "SAFETY"),
    "no success": ([b'{"success": false, "message": "out of oil", "code": 31002}'], "", "failed", "out of oil"),
    "a code of its own": ([b'{"code": 2054, "msg": "\xe7\x81\xaf\xe6\xb2\xb9\xe4\xb8\x8d\xe8\xb6\xb3"}'], "", "failed", "灯油不足"),
    "no such model in a success": (
        [b'{"code": 30012, "message": "Model lamp does not exist", "data": null}'],
        "",
        "model",
        "Model lamp does not exist",
    ),
    "a list of errors": ([b'{"errors": [{"message": "out of oil"}]}'], "", "failed", "out of oil"),
    "a message of something else": ([b'{"message": "The lamp shop"}'], "", "not_chat", "The lamp shop"),
    "a page of several lines": ([b"<!doctype html>\n<html>\n<title>Inn</title>\n<p>Knock first</p>"], "", "not_chat", "Inn Knock first"),
    "a text": ([b"The lamp\nis broken"], "", "not_chat", "The lamp is broken"),
    "a page": ([b"<!doctype html><html><body>Welcome</body></html>"], "", "not_chat", "Welcome"),
    "binary": ([bytes(range(256)) * 40], "", "not_chat", ""),
    "a list of models": ([b'{"object": "list", "data": [{"id": "lamp"}]}'], "", "not_chat", ""),
    "binary in an event": ([b"data: " + bytes(range(128, 256)) + b"\n\n"], "", "broke", ""),
}


@pytest.mark.parametrize(("raw", "said", "fault", "told"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_no_whole_reply_says_what_happened(raw: list[bytes], said: str, fault: str, told: str) -> None:
    found = heard(*raw)
    assert (found.said.strip(), found.fault, found.told, found.finish) == (said.strip(), fault, told, None)


@pytest.mark.parametrize(
    ("status", "error", "fault", "told"),
    [
        (502, "<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>", "failed", "502 Bad Gateway"),
        (503, "loading the lamp", "busy", "loading the lamp"),
        (404, "The model `lamp` does not exist", "model", "The model `lamp` does not exist"),
        (400, "\udcff\x00 no", "refused", "\ufffd no"),
    ],
)
def test_a_refusal_says_why_in_the_servers_words(status: int, error: str, fault: str, told: str) -> None:
    said = error.encode("utf-8", "replace").decode() if status != 400 else json.dumps({"error": {"message": "\ufffd\x00 no"}})
    with OpenAIEndpoint(*[Answer(status=status, error=said)] * 9) as endpoint, pytest.raises(ModelError) as caught:
        list(model(endpoint.url).stream([ChatMessage("user", "Who is there?")], cancel=threading.Event()))
    assert (caught.value.reason, caught.value.params["said"]) == (fault, told)


def forever(piece: bytes, times: int = 4000) -> Iterator[bytes]:
    return iter([piece] * times)


@pytest.mark.parametrize(
    "piece", [chunk({"content": ""}), chunk({"content": " "}), chunk({"role": "assistant"}), b": wait\n\n", b"data: {}\n\n"]
)
def test_what_says_no_word_is_silence_however_much_of_it_comes(piece: bytes) -> None:
    found = heard(chunk({"content": "One"}), *forever(piece), between_s=0.05, timeout_s=5.0)
    assert (found.said.strip(), found.fault) == ("One", "timeout")


def test_a_reply_that_trickles_ends_with_what_had_come() -> None:
    found = heard(*forever(chunk({"content": "a "})), between_s=0.1, timeout_s=60.0, longest_s=8.0)
    assert found.fault == "long"
    assert found.said.startswith("a a")


@pytest.mark.parametrize("shape", ["an event", "JSON", "a line of no end"])
def test_a_reply_is_cut_at_its_limit_while_it_comes(shape: str) -> None:
    """Forty megabytes in one piece are looked at as far as a reply can be long, and the rest is not waited for."""
    big = 40 * 2**20
    raw = {
        "an event": [b'data: {"choices":[{"index":0,"delta":{"content":"', b"a" * big, b'"}}]}\n\n', chunk({}, "stop"), DONE],
        "JSON": [b'{"choices":[{"index":0,"message":{"content":"', b"a" * big, b'"},"finish_reason":"stop"}]}'],
        "a line of no end": [b'data: {"choices":[{"index":0,"delta":{"content":"', *[b"a" * 2**20] * 40],
    }[shape]
    found = heard(*raw, reply_tokens=100)
    assert (found.said, found.finish, found.fault) == ("a" * 3200, "length", "")
