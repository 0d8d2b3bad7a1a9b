"""spaCy without PyTorch: its library of layers loads PyTorch where that is installed, and the models used here do without."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

NEEDING_TORCH = ("transformers", "sentence_transformers", "FlagEmbedding")


def load_spacy() -> ModuleType:
    """The module `spacy`. Where PyTorch is not loaded yet spaCy does not load it: that took 200 MB and more time than spaCy itself.

    Another thread that loaded PyTorch in this very moment would be told that it is not installed, so nothing is done where that may be under way.
    """
    if any(name in sys.modules for name in ("torch", "thinc", *NEEDING_TORCH)):
        return import_module("spacy")
    sys.modules["torch"] = None  # type: ignore[assignment]  # how Python is told that a module is not there
    try:
        import_module("thinc.compat")
    finally:
        del sys.modules["torch"]
    return import_module("spacy")
