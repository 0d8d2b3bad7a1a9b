"""The page's own components."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gradio as gr

from ui.components.script import page_script_address, triggered
from ui.unchanged import can_stay

STREAMED = "live"
"""The surface whose values stay objects: Gradio sends of the next one only what differs."""


def surface(script: str, *parts: str, unseen: bool = False) -> gr.HTML:
    """A component drawn in the browser from a JSON value by `script`, a file beside this module; its element id is `k-` and that name.

    parts: further files beside it that run ahead of it, each in a scope of its own; what they make for others they put on `K`, and what they trigger is an
    event of this component.

    Its template is one constant, empty element: Gradio compiles templates as code, so no value may ever reach one (gradio#13299). The script reads the
    value through `props.value` and puts text into the page with `textContent` alone. All scripts are one file (`ui.components.script`) that Gradio loads ahead
    of the first component. What a script may trigger stands quoted behind its call: so Gradio finds events.
    A function and not a subclass, because Gradio writes a `.pyi` file beside every subclass of a component, in the middle of the program's own folder.

    unseen: it carries values and shows nothing.
    """
    names = [*parts, script]
    events = " ".join(json.dumps(event) for event in triggered(*names))
    made = gr.HTML(
        html_template='<div class="k-surface"></div>',
        css_template="",
        head=f'<script src="{page_script_address()}"></script>',
        js_on_load=f"window.keepsake.run({json.dumps(names)}, element, props, watch, trigger); // {events}",
        apply_default_css=False,
        elem_id=f"k-{script}",
        visible="hidden" if unseen else True,
    )
    if script != STREAMED:
        made.postprocess = _as_text
    return can_stay(made)


def _as_text(value: Mapping[str, Any] | None) -> str | None:
    """A value as the page gets it. Of an object Gradio makes proxies down to its last field, and writes it out and copies it through them, twice for every value
    that comes: up to a tenth of a second in which no key is heard. A text is one value to it."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
