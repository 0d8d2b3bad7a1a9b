"""The documented settings are the settings."""

from __future__ import annotations

import re
from pathlib import Path

from settings import Settings

ROOT = Path(__file__).resolve().parents[1]


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `KEEPSAKE_(\w+)` \| (.+?) \|", (ROOT / "docs/settings.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(rows) == {name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        if name == "data_dir":
            continue
        default = field.default
        shown = "empty" if default in (None, "") else f"`{str(default).lower() if isinstance(default, bool) else default:}`"
        assert rows[name.upper()].strip("`").removesuffix(".0") == shown.strip("`").removesuffix(".0"), name


def test_packages_with_weights_are_pinned_by_what_is_in_them() -> None:
    lines = [line for line in (ROOT / "requirements-weights.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    assert len(lines) == 3
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for line in lines:
        assert re.fullmatch(r"[\w.-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+", line), line
        assert line.partition("==")[0] in notice


def test_requirements_are_pinned_exactly_and_agree_with_the_constraints() -> None:
    pins: dict[str, str] = {}
    for file in ("constraints.txt", "requirements.txt", "requirements-slim.txt", "requirements-weights.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-r ")):
                name, _, version = line.partition(" --hash")[0].partition("==")
                assert re.fullmatch(r"[\w.]+", version), line
                assert pins.setdefault(name.casefold().replace("_", "-"), version) == version, line
    for given in ("gradio", "litellm", "chromadb", "sentence-transformers", "flagembedding", "sqlite-utils", "apscheduler"):
        assert given in pins
