"""What a receipt keeps of a prompt: the prompt as it was sent, whose words it holds, and what its tokens were spent on."""

from __future__ import annotations

from dataclasses import asdict

from chat.prompt import Prompt
from storage.receipts import prompt_hash

LORE_NAME_CHARS, MAX_LORE_LEFT_OUT = 200, 50
"""Of an entry of a lorebook; and entries that found no room."""


def of_prompt(prompt: Prompt, *, window: int, reply: int) -> dict[str, object]:
    """window: most tokens of prompt and reply together; reply: of them kept free for it. `storage.erasing_receipts` takes out of it what is erased later."""
    sent = [[m.role, m.content] for m in prompt.messages]
    return {
        "sections": [asdict(s) for s in prompt.sections],
        "window": window,
        "reply": reply,
        "first_round": prompt.first_round,
        "lore": _lore(prompt),
        "prompt": sent,
        "sha256": prompt_hash(sent),
        "sources": list(prompt.sources),
        "tail": prompt.tail,
    }


def of_thoughts(thoughts: str) -> dict[str, object]:
    """What is known of a wording that was made elsewhere or by hand: what a model thought before it."""
    return {
        "query": "",
        "model": "",
        "embedder": "",
        "degraded": "",
        "recall_ms": 0.0,
        "first_token_ms": None,
        "candidates": [],
        "sections": [],
        "prompt": [],
        "sources": [],
        "thoughts": thoughts,
    }


def _lore(prompt: Prompt) -> list[dict[str, object]]:
    """The entries of a lorebook as they are kept. delivered: whether an entry's text stood in the prompt; of those that did not, the first."""
    told, left_out = [], 0
    for one in prompt.lore:
        delivered = bool(one.text) and any(one.text in m.content for m in prompt.messages)
        left_out += not delivered
        if delivered or left_out <= MAX_LORE_LEFT_OUT:
            name, by = one.name[:LORE_NAME_CHARS], one.by[:LORE_NAME_CHARS]
            kept = {"n": one.n, "name": name, "by": by, "through": one.through, "tokens": one.tokens, "delivered": delivered}
            told.append({**kept, **({"book": one.book[:LORE_NAME_CHARS]} if one.book else {})})
    return told
