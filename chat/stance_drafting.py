"""Judgments for a character's form, drafted by the model that was chosen. Nothing is kept: whoever writes the character reads, changes and saves them."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from chat.at_once import AtOnce
from chat.errors import DraftingStopped, NobodyDrafts, TooLongToDraft
from memory.prompts import stances_en, stances_zh
from models.chat_model import ChatMessage
from models.seat import Seat
from models.structured import Call, StructuredModel
from personas import stance_text
from personas.stance_drafts import Drafted, DraftedStances, usable

PURPOSE = "stances"
PROMPTS: Mapping[str, str] = {"en": stances_en.SYSTEM, "zh": stances_zh.SYSTEM}
"""By the language that the character speaks, with what the model is told."""
SHOWN = ("name", "tagline", "description", "personality", "scenario", "first_mes")
"""Of the form's fields those that say who the character is."""
AT_ONCE = 2


@dataclass(frozen=True)
class Draft:
    drafted: Drafted
    model: str
    tokens: int
    """Of all requests and answers, as no conversation has a list that could count them."""


class StanceDrafts:
    """model: who is asked; None where nobody that could is chosen."""

    def __init__(self, model: Seat[StructuredModel | None]) -> None:
        self._model = model
        self._turns = AtOnce(AT_ONCE)

    def draft(self, texts: Mapping[str, str], language: str, *, cancel: threading.Event) -> Draft:
        """For a character with these texts of its form. cancel: nobody waits for it any more.

        Raises NobodyDrafts, TooLongToDraft, DraftingStopped, ModelError, AnswerUnreadable, or what `stance_text.read` says of what the form has already.
        """
        written = stance_text.read(texts.get("stances", ""), field="stances")

        def breathe() -> None:
            if cancel.is_set():
                raise DraftingStopped("Drafting was stopped. Nothing was changed.")

        with self._turns.turn(breathe, cancel), self._model.taken() as model:
            if model is None:
                raise NobodyDrafts("The bundled model cannot draft judgments. Choose another one (Models).")
            asked = prompt(texts, [stance.statement for stance in written], language=language)
            if sum(model.count_tokens(message.content) for message in asked) > model.prompt_tokens:
                raise TooLongToDraft(f"This character is too long for {model.name} to read whole.", model=model.name)
            calls: list[Call] = []
            answer = model.ask(asked, DraftedStances, purpose=PURPOSE, on_call=calls.append, on_piece=breathe, cancel=cancel)
            breathe()
            return Draft(usable(answer, written=written), model.name, sum(call.prompt_tokens + call.answer_tokens for call in calls))

    def stop_all(self, *, timeout: float) -> None:
        """As `AtOnce.close`."""
        self._turns.close(timeout=timeout)


def prompt(texts: Mapping[str, str], written: list[str], *, language: str) -> list[ChatMessage]:
    """What the model is shown: the card is data, in a message of its own."""
    character = {name: texts[name].strip() for name in SHOWN if texts.get(name, "").strip()}
    material = json.dumps({"character": character, "written": written}, ensure_ascii=False)
    return [ChatMessage("system", PROMPTS[language]), ChatMessage("user", material)]
