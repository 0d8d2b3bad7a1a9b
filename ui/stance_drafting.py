"""`POST /keepsake/stance-drafts` with the texts of a character's form: judgments that a model drafts for it, in the form's own writing, or why not."""

from __future__ import annotations

import threading

from chat.stance_drafting import AT_ONCE, PROMPTS, SHOWN, StanceDrafts
from personas.record import MAX_CARD_BYTES
from personas.written import STANCES, cleaned
from ui import values
from ui.awaited import Awaited
from ui.payload import Payload

STANCE_DRAFTS = "/keepsake/stance-drafts"
MOST_BYTES = MAX_CARD_BYTES
"""Of a request: texts of a form, which are kept only where the whole card fits in as many."""


def stance_drafting(drafts: StanceDrafts) -> Awaited:
    """The address."""

    def answer(user: str, said: Payload, cancel: threading.Event) -> values.Value:
        texts = {name: cleaned(said.text(name)) for name in (*SHOWN, STANCES)}
        draft = drafts.draft(texts, said.one_of("language", *PROMPTS), cancel=cancel)
        return {
            "text": draft.drafted.text,
            "kept": draft.drafted.kept,
            "left_out": draft.drafted.left_out,
            "model": draft.model,
            "tokens": draft.tokens,
        }

    return Awaited(answer, name="stances", most_bytes=MOST_BYTES, at_once=AT_ONCE)
