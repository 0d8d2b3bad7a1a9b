from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from pydantic import BaseModel, Field

from models.chat_model import ChatMessage
from models.errors import ModelBusy, ModelRefused, ModelTimeout
from models.gateway import Endpoint, LiteLLMModel, litellm
from models.scripted import Script, ScriptedModel
from models.structured import AnswerUnreadable, Call, StructuredModel
from settings import Settings
from tests.models.openai_endpoint import Answer, OpenAIEndpoint
from tests.pace import STEADY, eightfold

ASK = (ChatMessage("system", "Answer as JSON."), ChatMessage("user", "{}"))


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    litellm()


class Harbour(BaseModel):
    name: str
    berths: list[int] = Field(default_factory=list)


class Harbours(BaseModel):
    harbours: list[Harbour]


@pytest.mark.parametrize(
    "said",
    [
        '{harbours: [{"name": "Lerwick"}]}',
        '{ // all there are\n"harbours": [{"name": "Lerwick"}]}',
        '{“harbours”: [{"name": "Lerwick"}]}',
        'In {short}: {"harbours": [{"name": "Lerwick"}]}',
    ],
)
def test_an_answer_of_several_is_read_however_its_first_key_is_written(said: str) -> None:
    model, inner = scripted(said)
    answer = model.ask(ASK, Harbours, purpose="harbours", on_call=lambda _: None)
    assert answer == Harbours(harbours=[Harbour(name="Lerwick")])
    assert len(inner.prompts) == 1


def ask(model: StructuredModel) -> tuple[Harbour, list[Call]]:
    calls: list[Call] = []
    return model.ask(ASK, Harbour, purpose="harbours", on_call=calls.append), calls


def scripted(*answers: str) -> tuple[StructuredModel, ScriptedModel]:
    inner = ScriptedModel(*(Script((answer,)) for answer in answers))
    return StructuredModel(inner), inner


@pytest.mark.parametrize(
    "said",
    [
        '{"name": "Lerwick", "berths": [1, 2]}',
        'Here it is:\n```json\n{"name": "Lerwick", "berths": [1, 2]}\n```\nAnything else?',
        '<think>{"name": "no"}</think>{"name": "Lerwick", "berths": [1, 2]}',
        'so they want a name</think>{"name": "Lerwick", "berths": [1, 2]}',
        "{name: 'Lerwick', berths: [1, 2,],}",
        '{"name": "Lerwick", "berths": [1, 2], "mood": "good"}',
        'In {short}: {"name": "Lerwick", "berths": [1, 2]}',
        '<think>one</think> <think>{"name": "no"}</think>{"name": "Lerwick", "berths": [1, 2]}',
    ],
)
def test_an_answer_is_read_however_it_is_wrapped(said: str) -> None:
    model, inner = scripted(said)
    answer, calls = ask(model)
    assert answer == Harbour(name="Lerwick", berths=[1, 2])
    assert [(c.purpose, c.failed) for c in calls] == [("harbours", False)]
    assert inner.forms == [Harbour.model_json_schema()]


@pytest.mark.parametrize("said", ["", "I would rather not.", '{"name": 7}', '{"berths": "many"}', "[]", '{"mood": "good"}', "{" * 5000])
def test_what_cannot_be_read_is_asked_for_once_more_and_then_failed(said: str) -> None:
    model, inner = scripted(said, '{"name": "Lerwick"}')
    answer, calls = ask(model)
    assert answer.name == "Lerwick"
    assert [c.failed for c in calls] == [True, False]
    assert len(inner.prompts) == 2
    assert inner.prompts[1][: len(ASK)] == ASK
    model, inner = scripted(said, said)
    with pytest.raises(AnswerUnreadable) as failure:
        ask(model)
    assert len(inner.prompts) == 2
    assert said[:40] not in str(failure.value) or not said


@pytest.mark.parametrize(
    "said",
    [
        lambda eighths: "<think>" * (5_000 * eighths),
        lambda eighths: "<think>" * (5_000 * eighths) + "</think>",
        lambda eighths: "<think></think>" * (2_500 * eighths),
        lambda eighths: '{"berths": [' + "[" * (24_000 * eighths),
        lambda eighths: '{"a":' * (5_000 * eighths),
    ],
    ids=range(5),
)
def test_a_model_that_loops_costs_no_time(said: Callable[[int], str]) -> None:
    def answered(eighths: int) -> None:
        model, _ = scripted(said(eighths), '{"name": "Lerwick"}')
        assert ask(model)[0].name == "Lerwick"

    assert eightfold(answered, 1) < STEADY


def test_an_answer_that_was_cut_off_is_not_taken_for_whole() -> None:
    inner = ScriptedModel(Script(('{"name": "Lerw',), finish_reason="length"), Script(('{"name": "Lerwick"}',)))
    assert ask(StructuredModel(inner))[0].name == "Lerwick"


@pytest.mark.parametrize("error", [ModelTimeout("silent", model="m"), ModelBusy("too many", model="m")])
def test_a_failing_model_is_counted_and_its_error_passed_on(error: Exception) -> None:
    calls: list[Call] = []
    model = StructuredModel(ScriptedModel(Script(("{",), error=error)))
    with pytest.raises(type(error)):
        model.ask(ASK, Harbour, purpose="harbours", on_call=calls.append)
    assert [(c.failed, c.answer_tokens) for c in calls] == [(True, 1)]


def test_whoever_asks_is_told_that_it_goes_on_and_can_end_it() -> None:
    calls: list[Call] = []
    heard: list[int] = []

    def piece() -> None:
        heard.append(1)
        if len(heard) == 3:
            raise KeyboardInterrupt

    inner = ScriptedModel(Script(('{"na', 'me": "Ler', 'wick"', "}")))
    with pytest.raises(KeyboardInterrupt):
        StructuredModel(inner).ask(ASK, Harbour, purpose="harbours", on_call=calls.append, on_piece=piece)
    assert len(heard) == 3
    assert [c.failed for c in calls] == [True]


def endpoint(url: str) -> StructuredModel:
    settings = Settings(_env_file=None, memory_model="openai/test", memory_api_base=url, memory_retries=0, memory_timeout_s=60)  # type: ignore[call-arg]
    return StructuredModel(LiteLLMModel(Endpoint.of_memory(settings)))


def test_an_endpoint_that_knows_no_schemas_is_asked_without_one_from_then_on() -> None:
    good = Answer(('{"name": "Lerwick"}',))
    with OpenAIEndpoint(Answer(status=400, error="response_format is not supported"), good, good) as house:
        model = endpoint(house.url)
        assert [ask(model)[0].name for _ in range(2)] == ["Lerwick", "Lerwick"]
        assert ["response_format" in r.body for r in house.requests] == [True, False, False]
        assert _form(house.requests[0].body) == Harbour.model_json_schema()
        assert house.requests[0].body["temperature"] == 0


def test_a_refused_key_names_the_settings_of_the_memory_model() -> None:
    with OpenAIEndpoint(Answer(status=401), Answer(status=401)) as house, pytest.raises(ModelRefused, match="KEEPSAKE_MEMORY_API_KEY"):
        ask(endpoint(house.url))


def _form(body: dict[str, object]) -> object:
    asked = body["response_format"]
    assert isinstance(asked, dict)
    form: Sequence[object] | object = asked["json_schema"]["schema"]
    return form
