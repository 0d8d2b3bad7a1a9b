"""The fields for text that the pages have, read from their scripts and forms: what a walk through all of them has to meet."""

from __future__ import annotations

import re
from pathlib import Path

UI = Path(__file__).resolve().parents[1] / "ui"
SCRIPTS = {"components": "", "annotation": "", "runs": "runs/"}
"""Folders of scripts, and what their files are called by here: two have a file of the same name."""
NO_TEXT = re.compile(r'type: "(?:file|checkbox|radio|number|date|range|color)"')
MADE = re.compile(r'[KA]\.el\((?:"(?P<one>textarea|input)"|[^,]*?\? "(?P<this>\w+)" : "(?P<that>\w+)")')


def text_fields() -> set[str]:
    """Every place where a script makes a field for text: `file: element`, or `file: title` where the page's one prompt asks; and the forms about accounts."""
    found = set()
    for folder, before in SCRIPTS.items():
        for path in UI.glob(f"{folder}/*.js"):
            for line in path.read_text(encoding="utf-8").splitlines():
                found |= {f"{before}{path.stem}: {name}" for name in _fields(line, prompts=path.stem != "overlay")}
    for path in UI.glob("accounts/templates/*.html"):
        for given in re.findall(r"<input[^>]*>", path.read_text(encoding="utf-8")):
            if 'name="name"' in given:
                found.add(f"{path.stem}: name")
    return found


def _fields(line: str, *, prompts: bool) -> set[str]:
    """Of a line. prompts: not of the prompt itself, whose field stands for those who ask."""
    asked = re.findall(r'K\.prompt\(\{ title: K\.t\("(\w+)"', line)
    assert line.count("K.prompt(") == len(asked), line
    if not prompts:
        return set(asked)
    found = set(asked)
    for made in MADE.finditer(line):
        after = re.search(r"[KA]\.el\(", line[made.end() :])
        own = line[made.start() : made.end() + after.start() if after else len(line)]
        if not NO_TEXT.search(own):
            found |= {*made.groups()} & {"textarea", "input"}
    return found
