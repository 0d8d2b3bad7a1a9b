"""A message in the reader's language, by the model that was chosen: shown once, kept nowhere and remembered by nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field

from chat.at_once import AtOnce
from chat.errors import NobodyTranslates, TranslationStopped, TranslationTooLong
from chat.operations import open_chat
from memory.asking import count_call
from memory.prompts import translate_en, translate_zh
from models.chat_model import ChatMessage
from models.seat import Seat
from models.structured import StructuredModel
from storage.errors import NotFound
from storage.store import Store

PURPOSE = "translate"
LANGUAGES: Mapping[str, str] = {"en": translate_en.SYSTEM, "zh": translate_zh.SYSTEM}
"""Into which there is a translation, with what the model is told."""
AT_ONCE = 2


class Translated(BaseModel):
    """What the model answers."""

    translation: Annotated[str, Field(min_length=1, max_length=200_000)]


class Translations:
    """model: who is asked; None where nobody that could is chosen."""

    def __init__(self, store: Store, model: Seat[StructuredModel | None]) -> None:
        self._store = store
        self._model = model
        self._turns = AtOnce(AT_ONCE)

    def translate(self, user_id: str, chat_id: str, message_id: str, language: str, *, cancel: threading.Event) -> tuple[str, str]:
        """A message as it stands on the open branch in one of LANGUAGES, and the name of the model. cancel: nobody waits for it any more.

        Raises NotFound, NobodyTranslates, TranslationTooLong, TranslationStopped, ModelError or AnswerUnreadable.
        """
        scope, chat = open_chat(self._store, user_id, chat_id)
        found = self._store.chats.messages(scope, chat.branch_id, [message_id])
        if not found or language not in LANGUAGES:
            raise NotFound("This message is not part of the conversation any more. Nothing was changed.")

        def breathe() -> None:
            if cancel.is_set():
                raise TranslationStopped("The translation was stopped. Nothing was changed.")

        with self._turns.turn(breathe, cancel), self._model.taken() as model:
            if model is None:
                raise NobodyTranslates("The bundled model cannot translate. Choose another one (Models).")
            text = found[0].text
            if model.count_tokens(text) > model.prompt_tokens // 2:
                raise TranslationTooLong(f"This message is too long for {model.name} to translate.", model=model.name)
            asked = [ChatMessage("system", LANGUAGES[language]), ChatMessage("user", json.dumps({"text": text}, ensure_ascii=False))]
            answer = model.ask(
                asked,
                Translated,
                purpose=PURPOSE,
                on_call=lambda call: count_call(self._store, scope, call),
                on_piece=breathe,
                cancel=cancel,
            )
            breathe()
            return answer.translation, model.name

    def stop_all(self, *, timeout: float) -> None:
        """As `AtOnce.close`."""
        self._turns.close(timeout=timeout)
