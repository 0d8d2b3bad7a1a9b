"""Libraries that bring more than is wanted of them, and libraries that may be left out."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from errors import KeepsakeError

COMMAND = ".venv/bin/python -m pip install -r requirements.txt -c constraints.txt"
"""Brings everything that a small installation (`make run SLIM=1`) left out."""


class PackageMissing(KeepsakeError):
    """Something needs a package that this installation left out; params: `package`, `command`."""

    code = "package_missing"


def needed(module: str) -> Any:
    """A module of a package that may have been left out. Raises PackageMissing with the command that brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise
        raise PackageMissing(
            f"This needs the package {package}, which a small installation leaves out. Nothing was changed. This brings it: {COMMAND}",
            package=package,
            command=COMMAND,
        ) from error


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """Import a library as if it found none of some packages: it takes them along wherever they lie, and we use nothing of it that wants them.

    One that is imported already stays. Other threads must not import them meanwhile, so this stands where modules are first imported.
    """
    hidden = [name for name in packages if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: "there is no such module" to the import system
    try:
        yield
    finally:
        for name in hidden:
            if sys.modules.get(name, ...) is None:
                del sys.modules[name]
