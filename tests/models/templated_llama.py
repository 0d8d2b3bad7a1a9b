"""A real llama.cpp server of the bundled weights under a chat template of a test's own: `python -m tests.models.templated_llama FILE`.

Prints its port on one line and answers until its stdin ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.llama_server import ROOT

STRICT = """{%- if messages[0]['role'] == 'system' -%}{%- set first = messages[0]['content'] -%}{%- set turns = messages[1:] -%}
{%- else -%}{%- set first = '' -%}{%- set turns = messages -%}{%- endif -%}
{%- for one in turns -%}
{%- if (one['role'] == 'user') != (loop.index0 % 2 == 0) -%}{{ raise_exception('User and assistant take turns here, and the user begins.') }}{%- endif -%}
<|im_start|>{{ one['role'] }}
{% if loop.first and first %}{{ first }}

{% endif %}{{ one['content'] }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}"""
"""In Mistral's manner: an optional system message, then turns that alternate."""
WITHOUT_SYSTEM = """{%- for one in messages -%}
{%- if one['role'] == 'system' -%}{{ raise_exception('There is no system role here') }}{%- endif -%}
{%- if (one['role'] == 'user') != (loop.index0 % 2 == 0) -%}{{ raise_exception('Roles have to alternate: user, assistant, user') }}{%- endif -%}
<|im_start|>{{ 'assistant' if one['role'] == 'assistant' else 'user' }}
{{ one['content'] }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}"""
"""In Gemma's manner: no system role at all, and turns that alternate."""


@contextmanager
def serving(template: str, folder: Path, *, window: int = 2048) -> Iterator[str]:
    """The address of a server under a template."""
    file = folder / "template.jinja"
    file.write_text(template, encoding="utf-8")
    command = [sys.executable, "-m", "tests.models.templated_llama", str(file), str(window)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            assert child.stdout is not None
            port = child.stdout.readline().strip()
            assert port.isdigit()
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            child.kill()


def main(file: str, window: str) -> None:
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the library prints is not our line
    import xllamacpp

    from models.llama_child import weights

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.chat_template = Path(file).read_text(encoding="utf-8")
    params.use_jinja = True
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.offline = True
    params.n_parallel = 1
    params.n_ctx = int(window)
    params.fit_params = False
    params.warmup = False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
    server = xllamacpp.Server(params)
    print(str(server.listening_address).rsplit(":", 1)[1], file=ours, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
