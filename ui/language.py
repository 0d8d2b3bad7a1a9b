"""Which language to greet a reader in."""

from __future__ import annotations

LANGUAGES = ("en", "zh")
MAX_HEADER_CHARS = 500


def preferred_language(accept_language: str) -> str:
    """The one of LANGUAGES that an Accept-Language header likes best (RFC 9110, 12.5.4); English if it names none of them."""
    best, best_weight = LANGUAGES[0], 0.0
    for part in accept_language[:MAX_HEADER_CHARS].split(","):
        tag, _, parameters = part.strip().partition(";")
        primary = tag.strip().casefold().partition("-")[0]
        weight = _weight(parameters)
        if primary in LANGUAGES and weight > best_weight:
            best, best_weight = primary, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, max(0.0, float(value)))
    except ValueError:
        return 0.0
