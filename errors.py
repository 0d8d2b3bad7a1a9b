"""The base of the errors that reach a person.

Each error says what happened, what was kept and what to do. `code` names its sentence in the page's catalogue, `params` fill it in; the
English message stands for command lines and logs.
"""

from __future__ import annotations


class KeepsakeError(Exception):
    """An expected failure with a sentence for the person it meets.

    message: plain English; code: key of the sentence in `ui.catalogue`; params: values for that sentence.
    """

    code = "error"

    def __init__(self, message: str, **params: object) -> None:
        super().__init__(message)
        self.params = params
