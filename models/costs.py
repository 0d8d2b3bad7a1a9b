"""What hosted models cost, by the table that LiteLLM brings along: as of its release, without a network, for orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.gateway import litellm

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens; window: most tokens of a prompt, 0 where it is not known."""

    prompt: float
    answer: float
    window: int

    def of(self, prompt_tokens: int, answer_tokens: int) -> float:
        """US dollars."""
        return (self.prompt * prompt_tokens + self.answer * answer_tokens) / MILLION


def price_of(model: str) -> Price | None:
    """model: LiteLLM's string of a hosted model, such as `anthropic/…`. None where the table has no price for it."""
    table: dict[str, dict[str, Any]] = litellm().model_cost
    provider, _, bare = model.partition("/")
    found = table.get(model) or (entry if (entry := table.get(bare, {})).get("litellm_provider") == provider else None)
    if not found or found.get("mode", "chat") not in ("chat", "responses", "completion"):
        return None
    prompt, answer, window = (found.get(key) for key in ("input_cost_per_token", "output_cost_per_token", "max_input_tokens"))
    if not isinstance(prompt, int | float) or not isinstance(answer, int | float):
        return None
    return Price(prompt * MILLION, answer * MILLION, window if isinstance(window, int) else 0)
