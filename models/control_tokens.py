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
    r"|<(?=(?:start|end)_of_\w{1,40}>)"  # Gemma 2 and 3
    r"|<(?=\w{1,40}[|｜]>)"  # Gemma 4: <turn|>
    r"|<(?=/?(?:bos|eos|pad|unk|mask|eod|eop|sop|sep|cls|role)>)"
    r"|<(?=/?(?:repo_?name|file_sep|filename|gh_stars|issue_\w{1,40}|jupyter_\w{1,40}|empty_output|fim_\w{1,40}|commit_\w{1,40})>)"  # SmolLM2, StarCoder
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_\w{1,40}|THINK|ARGS|CALL_ID|IMG\w{0,40}|CONTROL_\d{1,9}|[gs]?MASK)\])"  # Mistral, GLM
    r"|<(?=/?(?:tool_calls?|tool_response|think|im_start|im_end|endoftext|seed:\w{1,40})>)"
    r"|<(?=/?(?:extra_id|reserved|reserved_special_token|unused|unused_)_?\d{1,9}>)"
    r"|\[(?=e~\[)|\](?=~!?b[\[\]])",  # MiniMax: [e~[ and ]~b]
    re.IGNORECASE,
)


def escape(text: str) -> str:
    """The text with a space after the opening bracket of everything that looks like a control token. Doing it twice is once."""
    return _OPENINGS.sub(lambda found: found.group() + " ", text)
