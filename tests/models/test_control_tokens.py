from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.control_tokens import escape

TOKENS = [
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|channel|>",
    "<｜end▁of▁sentence｜>",
    "<s>",
    "</s>",
    "<<SYS>>",
    "<</SYS>>",
    "[INST]",
    "[/INST]",
    "[SYSTEM_PROMPT]",
    "[TOOL_CALLS]",
    "<start_of_turn>",
    "<end_of_turn>",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<tool_call>",
    "</think>",
    "<reserved_special_token_12>",
]
MIXED = st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=6), st.sampled_from(["<", "[", "|", ">", "]", "/"]))).map("".join)


@given(MIXED)
def test_no_control_token_survives(text: str) -> None:
    escaped = escape(text)
    assert [token for token in TOKENS if token in escaped] == []


@given(MIXED)
def test_escaping_twice_is_escaping_once(text: str) -> None:
    assert escape(escape(text)) == escape(text)


@given(MIXED)
def test_only_spaces_are_added(text: str) -> None:
    assert escape(text).replace(" ", "") == text.replace(" ", "")


@given(st.text().filter(lambda text: not set(text) & set("<[")))
def test_text_without_brackets_is_unchanged(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize("text", ["a < b", "<3", "[laughs]", "if x<y: pass", "*smiles* <wink>", "[1] and [2]"])
def test_ordinary_brackets_are_unchanged(text: str) -> None:
    assert escape(text) == text
