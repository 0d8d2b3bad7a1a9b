"""`POST /keepsake/translations` with `{"chat": …, "message": …, "language": "en" or "zh"}`: the message in that language, or why not."""

from __future__ import annotations

import threading

from chat.translating import AT_ONCE, LANGUAGES, Translations
from ui import values
from ui.awaited import Awaited
from ui.payload import Payload

TRANSLATIONS = "/keepsake/translations"
MOST_BYTES = 16 * 1024


def translating(translations: Translations) -> Awaited:
    """The address."""

    def answer(user: str, said: Payload, cancel: threading.Event) -> values.Value:
        language = said.one_of("language", *LANGUAGES)
        text, model = translations.translate(user, said.id("chat"), said.id("message"), language, cancel=cancel)
        return {"text": text, "model": model}

    return Awaited(answer, name="translation", most_bytes=MOST_BYTES, at_once=AT_ONCE)
