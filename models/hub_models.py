"""Openly licensed chat models that can be fetched from the model hub, in the form that llama.cpp runs.

Each under a licence for all use (Apache 2.0 or MIT), from the repository of whoever made it. Sizes are rounded, and what the hub says when a file is fetched is
what counts; so are checksums: none stands here, as they are read from the hub's own record of the very file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Offer:
    """size: bytes, rounded; parameters: in billions; languages: that it speaks well enough to play in."""

    id: str
    name: str
    repo: str
    file: str
    size: int
    licence: str
    parameters: float
    languages: tuple[str, ...]


OFFERS: tuple[Offer, ...] = (
    Offer("qwen3-0.6b", "Qwen3 0.6B", "Qwen/Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q8_0.gguf", 640_000_000, "Apache-2.0", 0.6, ("en", "zh")),
    Offer(
        "qwen2.5-1.5b",
        "Qwen2.5 1.5B Instruct",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_120_000_000,
        "Apache-2.0",
        1.5,
        ("en", "zh"),
    ),
    Offer(
        "smollm2-1.7b",
        "SmolLM2 1.7B Instruct",
        "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
        "smollm2-1.7b-instruct-q4_k_m.gguf",
        1_060_000_000,
        "Apache-2.0",
        1.7,
        ("en",),
    ),
    Offer(
        "granite-3.3-2b",
        "Granite 3.3 2B Instruct",
        "ibm-granite/granite-3.3-2b-instruct-GGUF",
        "granite-3.3-2b-instruct-Q4_K_M.gguf",
        1_550_000_000,
        "Apache-2.0",
        2.5,
        ("en", "zh"),
    ),
    Offer(
        "phi-3-mini",
        "Phi-3 mini 4k Instruct",
        "microsoft/Phi-3-mini-4k-instruct-gguf",
        "Phi-3-mini-4k-instruct-q4.gguf",
        2_390_000_000,
        "MIT",
        3.8,
        ("en",),
    ),
    Offer("qwen3-4b", "Qwen3 4B", "Qwen/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf", 2_500_000_000, "Apache-2.0", 4.0, ("en", "zh")),
    Offer("qwen3-8b", "Qwen3 8B", "Qwen/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf", 5_030_000_000, "Apache-2.0", 8.2, ("en", "zh")),
)
