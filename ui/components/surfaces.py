"""Every component of the page, one class each; what a value holds is said by the function in `ui.values` that makes it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from ui.catalogue import words
from ui.components.surface import Surface
from ui.language import LANGUAGES

BRAND = Path(__file__).parents[1] / "style" / "brand.svg"


class HouseFacts(Surface):
    """Unseen: what stays the same while the page is open, and every sentence in every language."""

    script = "house.js"

    def __init__(self, value: object = None) -> None:
        sentences = json.dumps({language: words(language) for language in LANGUAGES}, ensure_ascii=False)
        brand = json.dumps("data:image/svg+xml;base64," + base64.b64encode(BRAND.read_bytes()).decode("ascii"))
        super().__init__(
            value, before=f"window.keepsake.catalogue = {sentences};\nwindow.keepsake.brand = {brand};", elem_id="k-facts", visible="hidden"
        )


class Place(Surface):
    """Unseen: which chat this tab is at. It owns the address, and asks for news."""

    script = "place.js"
    events = ("went", "tick", "follow")


class Shelf(Surface):
    """The left column: brand, language, characters, chats."""

    script = "shelf.js"
    events = ("open", "create", "language")


class Masthead(Surface):
    """The line above the conversation, with the buttons that open the side columns on a narrow screen."""

    script = "masthead.js"


class Banner(Surface):
    """One error at a time, in a sentence."""

    script = "banner.js"


class Transcript(Surface):
    """A window of the conversation."""

    script = "transcript.js"
    events = ("earlier", "around", "receipt", "reply", "create", "open")


class Pages(Surface):
    """Unseen: further windows the transcript asked for. Apart from the transcript's own value, so that neither can overtake the other."""

    script = "pages.js"


class LiveReply(Surface):
    """The reply on its way."""

    script = "live.js"


class Composer(Surface):
    """Where the reader writes."""

    script = "composer.js"
    events = ("send", "stop")


class PanelTabs(Surface):
    """The tabs of the right column."""

    script = "tabs.js"


class Memories(Surface):
    """What is remembered, and the queue of what is being remembered."""

    script = "memories.js"
    events = ("order", "retry")


class Receipt(Surface):
    """What one reply was made from."""

    script = "receipt.js"
    events = ("receipt",)
