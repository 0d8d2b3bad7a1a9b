"""Heads of GGUF files, written for tests."""

from __future__ import annotations

import struct

TEXT, LIST, UINT32 = 8, 9, 4


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, value: str | int | list[str]) -> bytes:
    if isinstance(value, str):
        return text(key) + struct.pack("<I", TEXT) + text(value)
    if isinstance(value, int):
        return text(key) + struct.pack("<II", UINT32, value)
    return text(key) + struct.pack("<IIQ", LIST, TEXT, len(value)) + b"".join(map(text, value))


def head(pairs: dict[str, str | int | list[str]], *, version: int = 3, count: int | None = None) -> bytes:
    said = len(pairs) if count is None else count
    return b"GGUF" + struct.pack("<IQQ", version, 0, said) + b"".join(pair(key, value) for key, value in pairs.items())


CHAT: dict[str, str | int | list[str]] = {
    "general.architecture": "llama", "general.name": "Tiny", "general.license": "mit", "llama.context_length": 4096, "llama.block_count": 2,
    "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2, "llama.embedding_length": 64, "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.chat_template": "{{ messages }}",
}  # fmt: skip
