"""The page's one script: every file beside this module as a function, and every sentence. A browser fetches it once and keeps it.

Gradio would send a component's script with the page each time, and copies it along with everything else of every component whenever an event begins, goes on or
ends: so a component's own is one line that calls the function here.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.catalogue import words
from ui.language import LANGUAGES

BRAND = Path(__file__).parents[1] / "style" / "brand.svg"
ADDRESS = "/keepsake/page.js"
SHARED = ("theme", "press", "library", "prose")
"""Run once, ahead of everything."""
_SCRIPTS = Path(__file__).parent
_KEPT = "public, max-age=31536000, immutable"


def source(name: str) -> str:
    return (_SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def triggered(*names: str) -> list[str]:
    """The events that scripts trigger, by name."""
    return sorted({event for name in names for event in re.findall(r'\btrigger\("(\w+)"', source(name))})


THEME = source("theme")
"""For the head of pages that have a script of their own."""
PRESS = _SCRIPTS / "press.js"
"""For pages that draw what they are told unasked."""


@cache
def page_script() -> str:
    sentences = json.dumps({language: words(language) for language in LANGUAGES}, ensure_ascii=False)
    brand = json.dumps("data:image/svg+xml;base64," + base64.b64encode(BRAND.read_bytes()).decode("ascii"))
    names = sorted(path.stem for path in _SCRIPTS.glob("*.js") if path.stem not in SHARED)
    surfaces = sum(len(re.findall(r'\bK\.surface\("', source(name))) for name in names)
    scripts = ",\n".join(f"{json.dumps(name)}: (element, props, watch, trigger) => {{\n{source(name)}\n}}" for name in names)
    return "\n".join(
        (
            "(() => {",
            *map(source, SHARED),
            f"K.catalogue = {sentences};\nK.brand = {brand};\nK.surfaces = {surfaces};",
            f"K.scripts = {{\n{scripts}\n}};",
            "K.run = (names, element, props, watch, trigger) => {",
            "  const tell = (event, data) => trigger(event, { ...data, offset: K.offset() });",
            "  names.forEach((name) => K.scripts[name](element, props, watch, tell));\n};",
            "})();\n",
        )
    )


@cache
def page_script_address() -> str:
    """With what it holds in its name, so that a browser keeps it until it is another; relative to the page."""
    stamp = hashlib.blake2b(page_script().encode(), digest_size=9).hexdigest()
    return f"{ADDRESS.removeprefix('/')}?v={stamp}"


async def _answer(request: Request) -> Response:
    kept = request.url.query == page_script_address().partition("?")[2]
    return Response(page_script(), media_type="text/javascript", headers={"Cache-Control": _KEPT if kept else "no-store"})


def script_routes() -> list[Route]:
    return [Route(ADDRESS, _answer, methods=["GET"])]
