"""The page starts, talks, remembers and recalls without the heavy packages; what needs one says so, with the command that brings it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from libraries import COMMAND, PackageMissing, needed, without

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (
    "torch",
    "transformers",
    "sentence_transformers",
    "FlagEmbedding",
    "sklearn",
    "scipy",
    "matplotlib",
    "datasets",
    "pyarrow",
    "kubernetes",
)

WALK = """
import json, os, socket, sys, threading, time
from pathlib import Path
sys.path.insert(0, ROOT)
from settings import Settings, quiet_libraries
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
settings = Settings(data_dir=Path(sys.argv[1]), port=port, _env_file=None)
quiet_libraries(settings)
import httpx
import app
from models import build
from models.scripted import Script, ScriptedModel
import chat.assembly
from storage.scope import LOCAL_USER
from ui import page

opened = chat.assembly.open_house
chat.assembly.open_house = lambda s: kept.append(opened(s, model=ScriptedModel(otherwise=Script(("I see.",))))) or kept[0]
kept = []

def walk():
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        end = time.monotonic() + 300
        while True:
            try:
                if client.get("/health").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            assert time.monotonic() < end
            time.sleep(0.1)
        assert "gradio" in client.get("/").text
        assert client.get("/keepsake/annotation").status_code == 200
        assert client.get("/keepsake/runs").status_code == 200
        service, store = kept[0].service, kept[0].memory.store
        chat_id = service.create(LOCAL_USER, "builtin:nell-garrow")
        for number, line in enumerate(("My sister Imke keeps bees in Norden.", "我喜欢爬山，住在上海。", "Where does my sister keep her bees?", "Hm.")):
            service.send(LOCAL_USER, chat_id, line, token=str(number))
            while not service.job(LOCAL_USER, chat_id).final:
                assert time.monotonic() < end
                time.sleep(0.02)
            while client.get("/health").json()["queue"]:
                assert time.monotonic() < end
                time.sleep(0.05)
        health = client.get("/health").json()
        facts = [m.text for m in service.memories(LOCAL_USER, chat_id).memories]
        receipt = service.receipt(LOCAL_USER, chat_id)
        print(json.dumps({"facts": facts, "recalled": len(receipt.candidates), "error": health["last_error"]}), flush=True)

def run():
    try:
        walk()
    finally:
        print(json.dumps(sorted(name for name in sys.modules if "." not in name)), flush=True)
        import signal
        os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=run, daemon=True).start()
sys.exit(app.main(["--port", str(port), "--data", sys.argv[1], "--log-level", "warning"]))
"""


@pytest.mark.long
def test_the_page_talks_and_remembers_without_the_packages_that_can_be_left_out(tmp_path: Path) -> None:
    import json

    done = subprocess.run(
        [sys.executable, "-c", f"ROOT = {str(ROOT)!r}\n{WALK}", str(tmp_path / "data")],
        cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said, imported = (json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "[")))
    assert any("Imke" in fact for fact in said["facts"]), said
    assert said["recalled"] > 0
    assert said["error"] is None
    assert not {*LEFT_OUT} & {*imported}


def test_the_small_installation_is_part_of_the_whole_and_names_none_of_them() -> None:
    def names(file: str) -> set[str]:
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        return {line.partition("==")[0].casefold().replace("-", "_") for line in lines if line and line[0] not in "#-"}

    slim, more = names("requirements-slim.txt"), names("requirements.txt")
    assert "\n-r requirements-slim.txt\n" in (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert not slim & more
    assert more == {"flagembedding", "matplotlib", "scikit_learn", "scipy", "sentence_transformers", "torch", "transformers"}


def test_what_is_left_out_says_what_brings_it() -> None:
    with pytest.raises(PackageMissing) as missing:
        needed("package_left_out.part")
    assert "package_left_out" in str(missing.value)
    assert COMMAND in str(missing.value)
    assert re.search(r"pip install -r requirements\.txt -c constraints\.txt", COMMAND)
    with pytest.raises(ModuleNotFoundError):
        needed("tests.no_such_module")


def test_a_library_that_is_imported_already_stays() -> None:
    with without("json"):
        import json

    assert json is sys.modules["json"]
    with without("no_such_package_at_all"):
        assert "no_such_package_at_all" in sys.modules
    assert "no_such_package_at_all" not in sys.modules
