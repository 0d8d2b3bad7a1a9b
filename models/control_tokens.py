"""Control tokens of chat templates, made harmless in text that is not ours.

`<|im_end|>` typed by a user or standing in a card is one control token to the model that knows it, and could then speak as system. A space after
the opening bracket is enough for it to be read as ordinary characters, and leaves it readable.
"""

from __future__ import annotations

import re

_OPENINGS = re.compile(
    r"<(?=[|｜])"  # <|im_end|>, <|eot_id|>, <|channel|>, <｜end▁of▁sentence｜>
    r"|<(?=/?s>)"  # <s>, </s>
    r"|<(?=</?SYS>)|<(?=/?SYS>)"  # <<SYS>>
    r"|<(?=(?:start|end)_of_turn>)"  # Gemma
    r"|<(?=/?(?:bos|eos|pad|unk|mask|eod|sep|cls)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|IMG|CONTROL_\d+)\])"  # Mistral, Llama 2
    r"|<(?=/?(?:tool_call|tool_response|think|im_start|im_end|endoftext|extra_id_\d+|reserved_special_token_\d+)>)",
    re.IGNORECASE,
)


def escape(text: str) -> str:
    """The text with a space after the opening bracket of everything that looks like a control token. Doing it twice is once."""
    return _OPENINGS.sub(lambda found: found.group() + " ", text)
