"""The base of the page's own components."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import gradio as gr

_SCRIPTS = Path(__file__).parent
_SHARED = ("library.js", "prose.js")


class Surface(gr.HTML):  # type: ignore[misc]  # gradio is untyped here
    """A component drawn in the browser from a JSON value.

    Its template is one constant, empty element: Gradio compiles templates as code, so no value may ever reach one (gradio#13299). The script reads the
    value through `props.value` and puts text into the page with `textContent` alone.
    """

    script: ClassVar[str]
    """File name of the script, beside this module."""
    events: ClassVar[tuple[str, ...]] = ()
    """What the script may trigger; Gradio finds an event by its quoted name in the script."""

    def __init__(self, value: object = None, *, before: str = "", **options: Any) -> None:
        """before: JavaScript of our own to run ahead of the script."""
        sources = [(_SCRIPTS / name).read_text(encoding="utf-8") for name in (*_SHARED, self.script)]
        super().__init__(
            value=value,
            html_template='<div class="k-surface"></div>',
            css_template="",
            js_on_load="\n".join([*sources[: len(_SHARED)], before, sources[-1]]),
            apply_default_css=False,
            **options,
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}

    def example_value(self) -> Any:
        return {}

    def example_payload(self) -> Any:
        return {}
