"""The page's own components."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import gradio as gr

from ui.catalogue import words
from ui.language import LANGUAGES

BRAND = Path(__file__).parents[1] / "style" / "brand.svg"
_SCRIPTS = Path(__file__).parent
_SHARED = ("library", "prose")


def surface(script: str, *parts: str, unseen: bool = False, before: str = "") -> gr.HTML:
    """A component drawn in the browser from a JSON value by `script`, a file beside this module; its element id is `k-` and that name.

    parts: further files beside it that run ahead of it, each in a scope of its own; what they make for others they put on `K`, and what they trigger is an
    event of this component.

    Its template is one constant, empty element: Gradio compiles templates as code, so no value may ever reach one (gradio#13299). The script reads the
    value through `props.value` and puts text into the page with `textContent` alone. What a script may trigger stands quoted in it: so Gradio finds events.
    A function and not a subclass, because Gradio writes a `.pyi` file beside every subclass of a component, in the middle of the program's own folder.

    unseen: it carries values and shows nothing. before: JavaScript of our own to run ahead of the script.
    """
    shared = [_source(name) for name in _SHARED]
    return gr.HTML(
        html_template='<div class="k-surface"></div>',
        css_template="",
        js_on_load="\n".join([*shared, before, *(f"{{\n{_source(part)}}}" for part in parts), _source(script)]),
        apply_default_css=False,
        elem_id=f"k-{script}",
        visible="hidden" if unseen else True,
    )


def facts() -> gr.HTML:
    """What stays the same while the page is open, with every sentence in every language."""
    sentences = json.dumps({language: words(language) for language in LANGUAGES}, ensure_ascii=False)
    brand = json.dumps("data:image/svg+xml;base64," + base64.b64encode(BRAND.read_bytes()).decode("ascii"))
    return surface(
        "facts",
        "icons",
        "overlay",
        "menu",
        unseen=True,
        before=f"window.keepsake.catalogue = {sentences};\nwindow.keepsake.brand = {brand};",
    )


def _source(name: str) -> str:
    return (_SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
