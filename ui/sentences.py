"""What is said of an error where no page is there to say it: to a program, in a file."""

from __future__ import annotations

from collections.abc import Mapping

from errors import KeepsakeError
from ui.catalogue import CATALOGUE
from ui.entry import Entry


def of_error(error: KeepsakeError) -> Entry:
    """Its sentence in both languages; the English one twice where the catalogue has none."""
    entry = CATALOGUE.get(f"error_{error.code}", Entry(str(error), str(error)))
    return Entry(filled(entry.en, error.params), filled(entry.zh, error.params))


def filled(sentence: str, params: Mapping[str, object]) -> str:
    """Each `{name}` with its value."""
    for name, value in params.items():
        sentence = sentence.replace("{" + name + "}", str(value))
    return sentence
