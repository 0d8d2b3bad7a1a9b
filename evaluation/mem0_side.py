"""mem0 beside this engine: the same rounds, the same endpoint, the same embedder, Chroma, in a process with its own packages.

python3.11 -m venv MEM0 && MEM0/bin/pip install mem0ai==2.2.1 chromadb==1.5.9
KEEPSAKE_MEM0_PYTHON=MEM0/bin/python python -m evaluation efficiency …
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.datasets import EvaluationFailed
from evaluation.endpoint import MODEL

PYTHON = "KEEPSAKE_MEM0_PYTHON"
_CHILD = Path(__file__).with_name("mem0_child.py")


@dataclass(frozen=True)
class Mem0Times:
    """Of all rounds, in seconds, the endpoint's time in them; stored: memories."""

    read: float
    write: float
    stored: int


def mem0_python() -> str | None:
    """The Python that has mem0; None where nobody named one."""
    return os.environ.get(PYTHON) or None


def remember(rounds: Sequence[Sequence[tuple[bool, str]]], *, python: str, url: str, dimension: int) -> Mem0Times:
    """rounds: messages as (whether the player says it, words). Raises EvaluationFailed."""
    with tempfile.TemporaryDirectory() as folder:
        config = {
            "llm": {"provider": "openai", "config": {"model": MODEL, "openai_base_url": url, "api_key": "none", "temperature": 0.0}},
            "embedder": {
                "provider": "openai",
                "config": {"model": MODEL, "openai_base_url": url, "api_key": "none", "embedding_dims": dimension},
            },
            "vector_store": {"provider": "chroma", "config": {"collection_name": "rounds", "path": f"{folder}/chroma"}},
            "history_db_path": f"{folder}/history.db",
        }
        # Its own home: the package keeps an id and a store there.
        environment = {
            **os.environ,
            "HOME": folder,
            "MEM0_DIR": f"{folder}/mem0",
            "MEM0_TELEMETRY": "False",
            "ANONYMIZED_TELEMETRY": "False",
        }
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as said,
            subprocess.Popen(
                [python, str(_CHILD)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                encoding="utf-8",
                env=environment,
            ) as child,
        ):
            try:
                _told(child, {"config": config})
                answers = [
                    _told(
                        child,
                        {
                            "read": next((text for mine, text in messages if mine), messages[0][1]),
                            "write": [{"role": "user" if mine else "assistant", "content": text} for mine, text in messages],
                        },
                    )
                    for messages in rounds
                ]
            except (OSError, ValueError) as error:
                child.kill()
                said.seek(0)
                raise EvaluationFailed(f"mem0 could not be run: {' '.join(said.read().split())[-600:] or error}") from error
            assert child.stdin is not None
            child.stdin.close()
            child.wait(timeout=30)
    return Mem0Times(sum(a["read_s"] for a in answers), sum(a["write_s"] for a in answers), sum(int(a["stored"]) for a in answers))


def _told(child: subprocess.Popen[str], question: object) -> dict[str, float]:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(question) + "\n")
    child.stdin.flush()
    answer: dict[str, float] = json.loads(child.stdout.readline())
    return answer
