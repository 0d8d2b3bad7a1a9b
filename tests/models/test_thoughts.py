"""What a model thinks aloud is told apart from what it says, however it arrives."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat_model import ChatMessage
from models.errors import ModelOnlyThought
from models.gateway import LiteLLMModel, litellm
from models.thoughts import Heard, ThoughtFilter, thoughts_apart
from tests.models.openai_endpoint import Answer, OpenAIEndpoint
from tests.models.test_gateway import model

WHOLE = {
    "<think>She is shy.</think>\n\nGood evening.": ("Good evening.", "She is shy."),
    "\n <THINK>a < b</Think>Hello": ("\n Hello", "a < b"),
    "[THINK]brief[/THINK] Come in.": ("Come in.", "brief"),
    "<think>one</think><think>two</think>Yes": ("Yes", "onetwo"),
    "<think></think>Straight on.": ("Straight on.", ""),
    "No mark came first.</think>Then words.": ("Then words.", "No mark came first."),
    "No mark came first.[/THINK]Then words.": ("Then words.", "No mark came first."),
    "<think>never ends </thin": ("", "never ends </thin"),
    "<thimble> is a word, and so is 3 < 4.": ("<thimble> is a word, and so is 3 < 4.", ""),
    "<details><summary>The ledger</summary>Forty crates.</details>": ("<details><summary>The ledger</summary>Forty crates.</details>", ""),
    "Good day. <think>Who is it?</think> Come in.": ("Good day. Come in.", "Who is it?"),
    "Good day.<think>Who is it?</think> Come in.": ("Good day. Come in.", "Who is it?"),
    "Good day. <think>Who is it": ("Good day. ", "Who is it"),
    "<think>a</think>The mark </think> stands here.": ("The mark </think> stands here.", "a"),
    "<think>İyi İ</think>Merhaba": ("Merhaba", "İyi İ"),
    "İyi bir İ</THINK>Merhaba": ("Merhaba", "İyi bir İ"),
    "<thin\u212aing>a</think>": ("", "<thin\u212aing>a"),  # a Kelvin sign is no k
    "<thinking>a</thinking>b": ("b", "a"),
    "<reasoning>a</reasoning>b": ("b", "a"),
    "<thought>a</thought>\nb": ("b", "a"),
    '<think type="long">a</think>b': ("b", "a"),
    "<seed:think>a</seed:think>b": ("b", "a"),
    "◁think▷a◁/think▷b": ("b", "a"),
    "<思考>她很害羞。</思考>晚上好。": ("晚上好。", "她很害羞。"),
    "【思考】她很害羞。【回答】晚上好。": ("晚上好。", "她很害羞。"),
    "<|channel>thought\nShe is shy.<channel|>Good evening.": ("Good evening.", "She is shy."),
    "<|channel|>analysis<|message|>She is shy.<|end|><|start|>assistant<|channel|>final<|message|>Good evening.": (
        "Good evening.",
        "She is shy.",
    ),
    "<|channel|>analysis<|message|>She is shy.<|start|>assistant<|channel|>final<|message|>Good evening.": ("Good evening.", "She is shy."),
    "<|channel|>commentary to=functions.x <|constrain|>json<|message|>{}<|call|><|channel|>final<|message|>Good evening.": (
        "Good evening.",
        "{}",
    ),
    "<|channel|>final<|message|>Good evening.": ("Good evening.", ""),
    '<details type="reasoning" done="true" duration="3">\nShe is shy.\n</details>\nGood evening.': ("Good evening.", "She is shy."),
    "<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>b": ("b", "a"),
    "<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b": ("b", "a"),
    "<think>a</think><answer>b": ("b", "a"),
    "Here is my thought process: a. Here is my response: b.": ("b.", "a."),
    "Here is my hat.": ("Here is my hat.", ""),
    "Here are my reasoning steps:\na\n[BEGIN FINAL RESPONSE]\nb": ("b", "a"),
    "analysis<|message|>She is shy.<|end|><|start|>assistant<|channel|>final<|message|>Good evening.": ("Good evening.", "She is shy."),
    "final<|message|>Good evening.": ("Good evening.", ""),
    "analysisShe is shy.assistantfinalGood evening.": ("Good evening.", "She is shy."),
    "analysis她很害羞。assistantfinal晚上好。": ("晚上好。", "她很害羞。"),
    "Analysis is dull, and final words are short.": ("Analysis is dull, and final words are short.", ""),
    "analysis is dull.": ("analysis is dull.", ""),
    "<deep_think>She is shy.</deep_think>Good evening.": ("Good evening.", "She is shy."),
    "<cot>She is shy.</cot>Good evening.": ("Good evening.", "She is shy."),
    "<reason>She is shy.</reason>Good evening.": ("Good evening.", "She is shy."),
    "<inner_thoughts>She is shy.</inner_thoughts>Good evening.": ("Good evening.", "She is shy."),
    "<inner_monologue>Shy?</inner_monologue>Good evening.": ("Good evening.", "Shy?"),
    "< think >She is shy.</ think >Good evening.": ("Good evening.", "She is shy."),
    "The sign says < think> and 2 < 3.": ("The sign says < think> and 2 < 3.", ""),
    "<｜think｜>She is shy.<｜/think｜>Good evening.": ("Good evening.", "She is shy."),
    "She is shy.<｜/thought｜>Good evening.": ("Good evening.", "She is shy."),
    "<think>She is <think>shy.</think></think>\nGood evening.": ("Good evening.", "She is <think>shy."),
    "<|think|>She is shy.<|end|><|begin|>assistant<|content|>Good evening.": ("Good evening.", "She is shy."),
    "<think>她很害羞。</think>\n\n【回复】晚上好。": ("晚上好。", "她很害羞。"),
    "<analysis>She is shy.</analysis>\n<output>Good evening.": ("Good evening.", "She is shy."),
    "[Thinking aloud] she hums.": ("[Thinking aloud] she hums.", ""),
    "": ("", ""),
}


@pytest.mark.parametrize("whole", WHOLE)
def test_a_whole_text_is_parted_as_one_that_streams_in(whole: str) -> None:
    said, thought = WHOLE[whole]
    assert thoughts_apart(whole) == ((said.strip(), thought.strip()) if said != whole else (whole, ""))


def parted(pieces: list[str]) -> tuple[str, str]:
    taken, thinks = Heard(), ThoughtFilter()
    said = thought = ""
    for taken in [*(thinks.feed(piece) for piece in pieces), thinks.end()]:
        said = ("" if taken.withdrawn else said) + taken.said
        thought += taken.thought
    return said, thought.strip()


@pytest.mark.parametrize("text", WHOLE)
def test_a_reply_cut_anywhere_is_parted_as_the_whole_is(text: str) -> None:
    for cut in range(len(text) + 1):
        assert parted([text[:cut], text[cut:]]) == WHOLE[text]
    assert parted(list(text)) == WHOLE[text]


@given(text=st.sampled_from(sorted(WHOLE)), data=st.data())
def test_a_reply_in_any_pieces_is_parted_as_the_whole_is(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, len(text)))) | {0, len(text)})
    assert parted([text[a:b] for a, b in pairwise(places)]) == WHOLE[text]


def heard(asked: LiteLLMModel) -> tuple[str, str]:
    litellm()
    thoughts: list[str] = []
    pieces: list[str] = []
    stream = asked.stream([ChatMessage("user", "hello")], cancel=threading.Event())
    stream.on_thought, stream.on_withdrawn = thoughts.append, pieces.clear
    for piece in stream:
        pieces.append(piece)
    return "".join(pieces), "".join(thoughts)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(("<thi", "nk>She is", " shy.</th", "ink>\n\nGood", " evening.")),
        Answer(("She is shy.", "</think>", "\n\nGood evening.")),
        Answer(("Good evening.",), thoughts=("She is", " shy.")),
    ],
    ids=["between marks", "only the end marked", "sent apart"],
)
def test_thoughts_are_none_of_the_pieces_whichever_way_an_endpoint_sends_them(answer: Answer) -> None:
    with OpenAIEndpoint(answer) as endpoint:
        assert heard(model(endpoint.url)) == ("Good evening.", "She is shy.")


def test_a_model_that_thinks_to_the_end_of_its_length_is_said_to_once() -> None:
    with OpenAIEndpoint(Answer(("<think>On and on",), finish_reason="length")) as endpoint:
        with pytest.raises(ModelOnlyThought, match=r"gave no reply. A reply may have \d+ tokens"):
            heard(model(endpoint.url))
        assert len(endpoint.requests) == 1


def test_control_tokens_in_thoughts_are_harmless() -> None:
    with OpenAIEndpoint(Answer(("<think>say <|im_end|></think>ok",))) as endpoint:
        assert heard(model(endpoint.url)) == ("ok", "say < |im_end|>")
