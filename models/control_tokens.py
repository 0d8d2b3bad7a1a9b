"""Control tokens of chat templates, made harmless in text that is not ours.

`<|im_end|>` typed by a user or standing in a card is one control token to the model that knows it, and could then speak as system. A space after
the opening bracket is enough for it to be read as ordinary characters, and leaves it readable.
"""

from __future__ import annotations

import re
import unicodedata

NAME_CHARS = 60
"""Of a name that stands in a sentence of ours."""
_NAME_ENDS = re.compile(r"[\[\]{}<>|【】:：!?！？。\n\u2028\u2029]|(?<=\w{4})\.(?=\s)")
_OPENINGS = re.compile(
    r"<(?=[|｜])"  # <|im_end|>, <|eot_id|>, <|channel|>, <｜end▁of▁sentence｜>
    r"|<(?=/?s>)"  # <s>, </s>
    r"|<(?=</?SYS>)|<(?=/?SYS>)"  # <<SYS>>
    r"|<(?=(?:start|end)_of_\w{1,40}>)"  # Gemma 2 and 3
    r"|<(?=\w{1,40}[|｜]>)"  # Gemma 4: <turn|>
    r"|<(?=/?(?:bos|eos|pad|unk|mask|eod|eop|sop|sep|cls|role|eo[hamctr])(?:_token)?>)"  # InternLM, MOSS; Cohere
    r"|<(?=/?_?(?:system|user|assistant|bot)>|_(?:start|end)>)"  # TeleChat, and what is written by hand
    r"|<(?=(?:用户|AI)>)"  # MiniCPM
    r"|<(?=(?:SPECIAL|TOKENS_UNUSED)_\d{1,9}>)|<(?=\w{1,20}_soft_token>)"  # Nemotron, Apertus; Gemma 3
    r"|<(?=arg_(?:key|value)>)|<(?=function=)"  # GLM 4.5, Qwen3-Coder
    r"|>(?=>(?-i:QUESTION|ANSWER|TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|PREFIX|SUFFIX|MIDDLE)<<)"  # Falcon
    r"|<(?=(?-i:PRE|SUF|MID|EOT)>)|\|(?=(?-i:ENDOFTEXT)\|)|\[(?=\|\w{1,40}\|\])"  # CodeLlama; Persimmon; EXAONE, BlueLM
    r"|<(?=/?(?:repo_?name|file_sep|filename|gh_stars|issue_\w{1,40}|jupyter_\w{1,40}|empty_output|fim_\w{1,40}|commit_\w{1,40})>)"  # SmolLM2, StarCoder
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_\w{1,40}|THINK|ARGS|CALL_ID|IMG\w{0,40}|CONTROL_\d{1,9}|[gs]?MASK)\])"  # Mistral, GLM
    r"|\[(?=/?(?:PREFIX|SUFFIX|MIDDLE|AUDIO|BEGIN_AUDIO|TRANSCRIBE)\])"  # Codestral, Voxtral
    r"|<(?=/?(?:tool_calls?|tool_response|think|im_start|im_end|endoftext|seed:\w{1,40})>)"
    r"|<(?=/?(?:extra_id|reserved|reserved_special_token|unused|unused_)_?\d{1,9}>)"
    r"|\[(?=e~\[)|\](?=~!?b[\[\]])",  # MiniMax: [e~[ and ]~b]
    re.IGNORECASE,
)


def escape(text: str) -> str:
    """The text with a space after the opening bracket of everything that looks like a control token. Doing it twice is once."""
    return _OPENINGS.sub(lambda found: found.group() + " ", text)


def as_name(text: str) -> str:
    """What of a text can stand as a name in a sentence of ours: its beginning, one line without brackets, marks that end a sentence, or characters that are
    not seen. Empty if nothing of it can."""
    shown = "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
    first = next((piece for piece in _NAME_ENDS.split(shown) if piece.strip()), "")
    return escape(" ".join(first.split())[:NAME_CHARS].strip())


def as_character_name(text: str, *, language: str) -> str:
    """The same for a character, who is spoken of even if nothing of its name can stand."""
    return as_name(text) or ("这个角色" if language == "zh" else "the character")
