"""The scripts and style sheets themselves: no markup from text, no other host, colours that can be read."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.components.script import ADDRESS, BRAND, SHARED, page_script, page_script_address, script_routes, triggered
from ui.components.surface import STREAMED, surface
from ui.page import STYLES, style_element

COMPONENTS = Path(__file__).resolve().parents[2] / "ui" / "components"
SCRIPTS = sorted(COMPONENTS.glob("*.js"))
WORKBENCH = sorted(path for room in ("annotation", "runs") for path in (COMPONENTS.parent / room).glob("*.js"))


@pytest.mark.parametrize("path", [*SCRIPTS, *WORKBENCH], ids=lambda path: path.name)
def test_no_script_makes_markup_or_code_from_text(path: Path) -> None:
    code = re.sub(r"(?m)^\s*//.*$", "", path.read_text(encoding="utf-8"))
    for door in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "parseFromString",
        "createContextualFragment",
    ):
        assert door not in code, door


@pytest.mark.parametrize("path", [*SCRIPTS, *WORKBENCH, *STYLES, BRAND], ids=lambda path: path.name)
def test_nothing_names_another_host(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "").replace("http://127.0.0.1:", "")
    assert not re.search(r"https?:|//[a-z0-9-]+\.[a-z]|@import|url\(", text)


def test_no_value_reaches_a_template() -> None:
    """Gradio compiles templates as code (gradio#13299)."""
    for path in SCRIPTS:
        if path.stem in SHARED:
            continue
        config = surface(path.stem).get_config()
        assert config["html_template"] == '<div class="k-surface"></div>'
        assert config["css_template"] == ""


def test_a_value_is_one_text_to_gradio() -> None:
    """Of an object it makes proxies down to the last field. What a reply's frames hold stays one, as only what differs is sent of the next."""
    value = {"chat": "c", "name": "\u7389\u76cf", "memories": [{"text": "</script>\u2028"}]}
    for name in ("place", "transcript", "memories"):
        sent = surface(name).postprocess(value)
        assert isinstance(sent, str)
        assert json.loads(sent) == value
        assert surface(name).postprocess(None) is None
    assert surface(STREAMED).postprocess(value) == value


def test_the_styles_cannot_leave_their_element() -> None:
    assert style_element().count("</style") == 1
    assert style_element().count("<") == 2


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, 1.4.3."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def palettes() -> dict[str, dict[str, str]]:
    text = next(path for path in STYLES if path.name == "colours.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--k-([\w-]+): (#[0-9a-f]{6});", part)) for part in text.split("prefers-color-scheme: dark", 1))
    return {"light": light, "dark": dark}


def test_dark_is_the_same_whether_the_system_or_the_reader_wants_it() -> None:
    text = next(path for path in STYLES if path.name == "colours.css").read_text(encoding="utf-8")
    wanted, chosen = (
        re.search(re.escape(selector) + r" \{([^{}]*)\}", text)
        for selector in (':root:not([data-theme="light"])', ':root[data-theme="dark"]')
    )
    assert wanted is not None
    assert chosen is not None
    assert wanted.group(1).split() == chosen.group(1).split()


PAIRS = [
    *product(("ink", "ink-2", "ink-3", "wax"), ("page", "paper", "sheet", "tint")),
    *product(("speech",), ("paper", "lit")),
    *product(("amber", "green"), ("page", "paper", "sheet", "tint")),
    ("ink", "lit"), ("ink-2", "lit"), ("on-wax", "wax"), ("on-wax", "wax-deep"), ("blue", "blue-tint"), ("green", "green-tint"), ("amber", "amber-tint"),
    ("red", "red-tint"), ("ink", "red-tint"), ("ink-2", "red-tint"), ("red", "sheet"),
]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(scheme: str, text: str, ground: str) -> None:
    colours = palettes()[scheme]
    assert contrast(colours[text], colours[ground]) >= 4.5


def test_a_component_is_sent_as_one_line_that_names_what_it_triggers() -> None:
    """Gradio copies what it was sent of every component with each sign of life of any event: a frame of a reply would cost as much as all scripts are long."""
    for path in SCRIPTS:
        if path.stem in SHARED:
            continue
        config = surface(path.stem).get_config()
        assert len(config["js_on_load"]) < 300
        assert all(f'"{event}"' in config["js_on_load"] for event in triggered(path.stem))
        assert config["head"] == f'<script src="{page_script_address()}"></script>'


def test_the_page_script_holds_every_script_and_is_kept_until_it_is_another() -> None:
    whole = page_script()
    for path in SCRIPTS:
        assert path.read_text(encoding="utf-8") in whole, path.name
    with TestClient(Starlette(routes=script_routes())) as client:
        kept = client.get(f"/{page_script_address()}")
        assert kept.text == whole
        assert "immutable" in kept.headers["cache-control"]
        assert client.get(f"{ADDRESS}?v=another").headers["cache-control"] == "no-store"
