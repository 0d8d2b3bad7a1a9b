"""A server that takes messages in another way than most is asked in its own, learned from what it refuses and kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat_model import ChatMessage
from models.dialect import Dialect, Dialects, shaped
from models.errors import ModelError, ModelRefused
from models.gateway import Endpoint, LiteLLMModel, litellm
from models.refusals import Refusal, lessons
from settings import Settings
from tests.models.openai_endpoint import Answer, OpenAIEndpoint, Rule, roles_of, takes_turns

SYSTEM = "You are Ines, who keeps a lock on the canal."
GREETING = "Ines looks up from the winch. You are early."
GREETED = [ChatMessage("system", SYSTEM), ChatMessage("assistant", GREETING), ChatMessage("user", "The barge is late.")]
LONG = [
    ChatMessage("system", SYSTEM),
    *(ChatMessage("user" if n % 2 == 0 else "assistant", f"Round {n}. " + "The water stands high today. " * 30) for n in range(24)),
    ChatMessage("user", "And what of the gate?"),
]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    litellm()


def model(url: str, dialects: Dialects | None = None, *, window: int = 8192) -> LiteLLMModel:
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        chat_model="openai/lock",
        chat_api_base=url,
        chat_retries=0,
        chat_timeout_s=20,
        chat_context_tokens=window,
    )
    return LiteLLMModel(Endpoint.of_chat(settings), dialects)


def said_by(asked: LiteLLMModel, messages: Sequence[ChatMessage] = GREETED) -> str:
    return "".join(asked.stream(messages, cancel=threading.Event()))


def refuses(when: Callable[[dict[str, Any]], bool], *, status: int = 400, error: str) -> Rule:
    return lambda body: Answer(status=status, error=error) if when(body) else None


def has(*names: str) -> Callable[[dict[str, Any]], bool]:
    return lambda body: any(name in body for name in names)


def a_system_message(body: dict[str, Any]) -> bool:
    return "system" in roles_of(body)


def out_of_turn(body: dict[str, Any]) -> bool:
    return not takes_turns(body)


ORDERS = [
    (400, "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."),
    (500, '{"error": {"code": 500, "message": "Jinja Exception: Conversation roles must alternate!", "type": "server_error"}}'),
    (422, '{"detail": "first message must have role user"}'),
    (400, '{"object": "error", "message": "Expected a user turn but found assistant at position 1", "code": 40001}'),
    (400, "The chat template raised: please take turns"),
    (500, '{"error": "Error rendering prompt with jinja template: \\"Conversation must start with a user prompt\\""}'),
    (400, "Something here is not as it should be"),
]


@pytest.mark.parametrize(("status", "error"), ORDERS)
def test_where_turns_must_alternate_a_greeting_is_told_and_the_player_gets_no_words(status: int, error: str) -> None:
    dialects = Dialects()
    with OpenAIEndpoint(rules=[refuses(out_of_turn, status=status, error=error)]) as endpoint:
        assert said_by(model(endpoint.url, dialects)) == "Hello there"
        assert said_by(model(endpoint.url, dialects)) == "Hello there"
        assert len(endpoint.requests) == 3, "what was learned holds for the next reply"
    sent = endpoint.requests[-1].body["messages"]
    assert [one["role"] for one in sent] == ["system", "user"]
    assert GREETING in sent[0]["content"]
    assert sent[1]["content"] == "The barge is late."


SYSTEMS = [
    (400, "System role not supported"),
    (400, "messages[0].role: 'system' is not one of ['user', 'assistant']"),
    (
        422,
        '{"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "unexpected value; permitted: user, assistant", "input": "system"}]}',
    ),
    (400, '{"error": {"message": "Invalid value: system", "param": "messages[0].role"}}'),
    (500, '{"error": {"message": "Jinja Exception: System role not supported"}}'),
    (400, "Bad request"),
]


@pytest.mark.parametrize(("status", "error"), SYSTEMS)
def test_where_there_is_no_system_role_it_is_the_head_of_the_first_turn(status: int, error: str) -> None:
    with OpenAIEndpoint(rules=[refuses(a_system_message, status=status, error=error)]) as endpoint:
        assert said_by(model(endpoint.url)) == "Hello there"
    sent = endpoint.requests[-1].body["messages"]
    user = next(one for one in sent if one["role"] == "user")["content"]
    assert user.startswith(SYSTEM)
    assert user.endswith("The barge is late.")


def test_several_refusals_in_a_row_teach_one_thing_each() -> None:
    rules = [
        refuses(has("temperature"), error="Unsupported value: 'temperature' does not support 0.7 with this model."),
        refuses(has("max_tokens"), error="'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refuses(a_system_message, error="System role not supported"),
        refuses(out_of_turn, status=500, error="Jinja Exception: roles must alternate"),
    ]
    dialects = Dialects()
    with OpenAIEndpoint(rules=rules) as endpoint:
        assert said_by(model(endpoint.url, dialects)) == "Hello there"
        assert len(endpoint.requests) == 5
        assert said_by(model(endpoint.url, dialects)) == "Hello there"
        assert len(endpoint.requests) == 6
    learned = model(endpoint.url, dialects).dialect
    assert (learned.system, learned.alternate, learned.limit, learned.without) == ("none", True, "max_completion_tokens", ("temperature",))
    assert "max_completion_tokens" in endpoint.requests[-1].body


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (
            422,
            '{"detail": [{"type": "extra_forbidden", "loc": ["body", "temperature"], "msg": "Extra inputs are not permitted", "input": 0.7}]}',
        ),
        (400, "Unrecognized request argument supplied: temperature"),
        (400, "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported."),
        (400, '{"error": {"message": "unsupported", "param": "temperature"}}'),
        (400, "temperature must be strictly positive"),
    ],
)
def test_a_parameter_that_is_named_is_left_out(status: int, error: str) -> None:
    with OpenAIEndpoint(rules=[refuses(has("temperature"), status=status, error=error)]) as endpoint:
        assert said_by(model(endpoint.url)) == "Hello there"
        assert len(endpoint.requests) == 2


def test_a_longest_reply_that_is_too_long_is_made_as_long_as_the_server_gives() -> None:
    too_long = refuses(
        lambda body: body["max_tokens"] > 100, error="max_tokens is too large: this model supports at most 100 completion tokens"
    )
    with OpenAIEndpoint(rules=[too_long]) as endpoint:
        assert said_by(model(endpoint.url)) == "Hello there"
        assert endpoint.requests[-1].body["max_tokens"] == 100


WINDOWS = [
    "This model's maximum context length is 4096 tokens. However, you requested 7300 tokens (7140 in the messages, 160 in the completion).",
    '{"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "n_prompt_tokens": 7140, "n_ctx": 4096}}',
    "the request exceeds the available context size. try increasing the context size",
    "prompt is too long: 7140 tokens > 4096 maximum",
    "The input token count (7140) exceeds the maximum number of tokens allowed (4096).",
    '{"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 7140 `inputs` tokens and 160 `max_new_tokens`"}',
]


@pytest.mark.parametrize("error", WINDOWS)
def test_a_prompt_that_is_too_long_is_trimmed_to_what_the_server_reads(error: str) -> None:
    """It counts a token for every three characters, more than is counted here."""

    def too_long(body: dict[str, Any]) -> bool:
        return sum(len(one["content"]) for one in body["messages"]) / 3 + body["max_tokens"] > 4096

    dialects = Dialects()
    with OpenAIEndpoint(rules=[refuses(too_long, error=error)]) as endpoint:
        assert said_by(model(endpoint.url, dialects), LONG) == "Hello there"
        first = len(endpoint.requests)
        assert said_by(model(endpoint.url, dialects), LONG) == "Hello there"
        assert len(endpoint.requests) == first + 1, "the next prompt fits at once"
    sent = endpoint.requests[-1].body["messages"]
    assert (sent[0]["content"], sent[-1]["content"]) == (SYSTEM, "And what of the gate?")
    assert len(sent) > 6, "as much as fits is kept"
    assert 2000 < model(endpoint.url, dialects).context_tokens < 4096


READ = [
    ("`max_tokens` is too large: 700. The maximum context length of this model is 2,048 tokens and the prompt has 1900 input tokens", 2048),
    ("max_completion_tokens=700 is greater than max_seq_len=2048", 2048),
    ("the window is overrun by too many tokens: exceeded by 900 tokens. At most 2048 are read", 2048),
    ("prompt and `max_tokens` exceed the context limit: 1900 + 700 > 2048", 2048),
    ("Sum refused: 2600 tokens exceed 2k context", 2000),
    ("Sequence of 1900 and reply of 700 tokens: too large for a server with 2048 maximum context", 2048),
    ("输入 1900 加输出 700，超过模型上下文长度上限 2048", 2048),
    ("InvalidParameter: Range of prompt length must be [1,2048]", 2048),
    ("This prompt is 2600 tokens and the host reads 2048", 2048),
]


@pytest.mark.parametrize(("error", "window"), READ)
def test_of_the_numbers_in_a_refusal_the_window_is_learned(error: str, window: int) -> None:
    found = lessons(Refusal.of(400, error), Dialect(), sent=frozenset({"max_tokens"}), prompt_tokens=2600, reply_tokens=700)
    assert next(found).window == window


@pytest.mark.parametrize("error", ["输入过长，请缩短后重试", "Prompt 超长"])
def test_a_prompt_that_is_too_long_is_known_in_chinese(error: str) -> None:
    found = lessons(Refusal.of(400, error), Dialect(), sent=frozenset({"max_tokens"}), prompt_tokens=2600, reply_tokens=400)
    assert next(found).window == 3000 * 3 // 4


@pytest.mark.parametrize(
    "error",
    [
        "Bad max_tokens, valid values are in [1, 90]",
        "`max_tokens` 参数错误，范围 [1, 90]",
        "Input validation error: `max_new_tokens` must be <= 90. Given: 160",
        "max_tokens: 160 > 90, the maximum number of output tokens",
    ],
)
def test_of_the_numbers_in_a_refusal_the_longest_reply_is_learned(error: str) -> None:
    """Also where it names `max_tokens` when it was asked with the other name."""
    for limit in ("max_tokens", "max_completion_tokens"):
        asked = Dialect.model_validate({"limit": limit})
        found = lessons(Refusal.of(400, error), asked, sent=frozenset({limit}), prompt_tokens=2600, reply_tokens=160)
        assert next(found).reply == 90


def test_a_filter_that_speaks_chinese_teaches_nothing() -> None:
    with OpenAIEndpoint(*[Answer(status=400, error="内容包含敏感信息，请修改")] * 9) as endpoint:
        with pytest.raises(ModelRefused) as caught:
            said_by(model(endpoint.url))
        assert (caught.value.reason, len(endpoint.requests)) == ("filter", 1)


@pytest.mark.parametrize("error", ["Rate limit: at most 4000 input tokens per minute, try again in 12 s", "token 用量超过每分钟上限 4000"])
def test_a_number_of_tokens_a_minute_is_no_window(error: str) -> None:
    refusal = Refusal.of(429, error)
    assert not list(lessons(refusal, Dialect(), sent=frozenset({"max_tokens"}), prompt_tokens=2600, reply_tokens=160))


@pytest.mark.parametrize("status", [401, 403, 404, 429])
def test_nothing_is_learned_from_what_another_way_of_asking_cannot_mend(status: int) -> None:
    with OpenAIEndpoint(*[Answer(status=status, error="No role for you in this system: wrong key")] * 9) as endpoint:
        with pytest.raises(ModelError):
            said_by(model(endpoint.url))
        assert len(endpoint.requests) == 1


def test_what_is_refused_in_every_way_says_why_in_the_servers_words_and_teaches_nothing() -> None:
    dialects = Dialects()
    error = "Roles are wrong. You said: The barge is late. Key sk-abcdef123456 <b>bold</b>"
    with OpenAIEndpoint(*[Answer(status=400, error=error)] * 20) as endpoint, pytest.raises(ModelRefused) as caught:
        said_by(model(endpoint.url, dialects))
    told = str(caught.value.params["said"])
    assert told.startswith("Roles are wrong.")
    assert "barge" not in told
    assert "sk-abc" not in told
    assert "Roles are wrong" not in str(caught.value)
    assert model(endpoint.url, dialects).dialect == Dialect()
    assert len(endpoint.requests) < 9


TURNS = st.lists(
    st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text(st.characters(categories=["L"]), min_size=1, max_size=6)),
    max_size=8,
)
DIALECTS = st.builds(Dialect, system=st.sampled_from(["anywhere", "first", "none"]), alternate=st.booleans())


@given(TURNS, DIALECTS)
def test_whatever_was_said_is_sent_in_the_roles_that_are_taken(turns: list[tuple[Any, str]], dialect: Dialect) -> None:
    messages = [ChatMessage("system", "Be kind."), *(ChatMessage(*turn) for turn in turns), ChatMessage("user", "So?")]
    sent = shaped(messages, dialect)
    roles = [message.role for message in sent]
    everything = "\n".join(message.content for message in sent)
    assert all(message.content in everything for message in messages)
    assert sent[-1].content.endswith("So?")
    if dialect.alternate:
        rest = roles[1:] if roles[0] == "system" else roles
        assert rest == ["user", "assistant"] * (len(rest) // 2) + ["user"]
    if dialect.system == "none":
        assert "system" not in roles
    if dialect.system == "first":
        assert "system" not in roles[1:]
