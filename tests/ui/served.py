"""The real app with accounts, served on a free port by this process, and people who come to it over raw HTTP."""

from __future__ import annotations

import inspect
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import gradio as gr
import httpx

from accounts.entrance import Entrance
from accounts.people import People
from annotation.outlines import Outlines
from annotation.probe_runs import ProbeRuns
from annotation.probing import Probing
from annotation.workbench import Workbench
from chat.assembly import House, open_house
from chat.lending import Lending
from evaluation.run_queue import RunQueue
from models.scripted import Script, ScriptedModel
from tests.accounts.conftest import ADA, BEN, CHEAP
from tests.chat.conftest import house_settings
from tests.waiting import PATIENCE_S
from ui.accounts.pages import AccountPages
from ui.annotation.pages import AnnotationPages
from ui.page import build_page, launch
from ui.runs.operations import Desk
from ui.runs.pages import RunPages


@dataclass
class Served:
    house: House
    page: gr.Blocks
    accounts: AccountPages
    url: str
    measuring: RunQueue

    def client(self) -> httpx.Client:
        """A browser without a login, on our own page."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE_S, headers={"origin": self.url})

    def routes(self) -> set[tuple[str, str]]:
        """(method, path) of every address there is, ours and Gradio's, as the application has them."""
        found: set[tuple[str, str]] = set()
        waiting = list(self.page.app.routes)
        while waiting:
            route = waiting.pop()
            if hasattr(route, "path"):
                found |= {(method, route.path) for method in getattr(route, "methods", None) or {"GET", "POST"}}
            else:
                waiting += route.effective_candidates()
        return found

    def operations(self, name: int) -> list[str]:
        """Every operation that a handler knows, as its module writes them; an empty one for a handler without."""
        handler: Any = inspect.unwrap(self.page.fns[name].fn)
        source, owner = inspect.getsource(handler), getattr(handler, "__self__", None)
        for part in re.findall(r"self\.(_\w+)\(", source):
            if owner is not None and callable(getattr(type(owner), part, None)):
                source += inspect.getsource(getattr(type(owner), part))
        if '"operation"' not in source:
            return [""]
        module = inspect.getsource(import_module(handler.__module__))
        named = {*re.findall(r'case "(\w+)"', module), *re.findall(r'^    "(\w+)": lambda', module, re.MULTILINE)}
        named |= {*re.findall(r'\("operation"\) [!=]= "(\w+)"', module)}
        assert named, handler
        return sorted(named)


@contextmanager
def served(folder: Path, model: ScriptedModel | None = None) -> Iterator[Served]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = house_settings(folder / "data", port=port, accounts=True)
    house = open_house(settings, model=model or ScriptedModel(otherwise=Script(("I ", "see."))))
    stored_in = house.memory.store
    stored = stored_in.accounts
    entrance = Entrance(stored, idle=timedelta(hours=1), longest=timedelta(days=1), cost=CHEAP)
    accounts = AccountPages(entrance, People(stored, entrance, erase=house.service.conversations.erase_account), port)
    page = build_page(house.service, settings)
    runs = ProbeRuns(
        stored_in, settings, embedder=house.memory.embedder, models=house.memory.models, breathe=house.memory.worker.may_go_on, niceness=0
    )
    outlines = Outlines(stored_in, settings, breathe=house.memory.worker.may_go_on, niceness=0)
    bench = Workbench(
        stored_in, Probing(stored_in, house.memory.embedder, runs), outlines, Lending(house.service), house.memory.worker.tidy
    )
    measuring = RunQueue(settings, replying=lambda: house.memory.worker.replying, niceness=0)
    try:
        house.start(worker=True)
        launch(
            page,
            house.service,
            settings,
            accounts,
            AnnotationPages(bench, inbox=stored_in.folder.imports),
            RunPages(Desk(measuring, bench)),
        )
        yield Served(house, page, accounts, f"http://127.0.0.1:{port}", measuring)
    finally:
        page.close(verbose=False)
        runs.close()
        measuring.close()
        outlines.close()
        house.close()


@dataclass
class Person:
    """Somebody who is logged in."""

    served: Served
    client: httpx.Client
    user_id: str
    tab: str
    answers: list[str] = field(default_factory=list)

    def event(self, number: int, data: dict[str, Any], *, tab: str = "") -> str:
        """Everything the server says to one event of the page, as it says it."""
        inputs = [None] * len(self.served.page.fns[number].inputs)
        asked = {"data": inputs, "event_data": data, "fn_index": number, "session_hash": tab or self.tab, "trigger_id": None}
        joined = self.client.post("/gradio_api/queue/join", json=asked)
        if joined.status_code != 200:
            return joined.text
        said = [joined.text]
        with self.client.stream("GET", "/gradio_api/queue/data", params={"session_hash": tab or self.tab}) as stream:
            said += stream.iter_lines()
        return "\n".join(said)

    def number(self, name: str) -> int:
        """Of a handler, by its qualified name."""
        return next(n for n, function in self.served.page.fns.items() if getattr(function.fn, "__qualname__", "") == name)


def _person(served: Served, client: httpx.Client, tab: str) -> Person:
    token = next(value for name, value in client.cookies.items() if name.startswith("keepsake-") and name != "keepsake-language")
    visitor = served.accounts.entrance.visitor(token)
    assert visitor is not None
    return Person(served, client, visitor.user_id, tab)


def first_admin(served: Served) -> Person:
    """Ada, who set the house up."""
    client = served.client()
    form = {"code": served.accounts.entrance.code, "name": "Ada", "password": ADA, "again": ADA}
    answer = client.post("/keepsake/setup", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    return _person(served, client, "adas-tab")


def another(served: Served, ada: Person, name: str = "Ben", role: str = "player") -> Person:
    """Somebody Ada made an account for, with a password they chose."""
    made = ada.client.post("/keepsake/people", data={"do": "add", "name": name, "role": role}).text
    (given,) = re.findall(r'<code class="secret"[^>]*>([^<]+)<', made)
    client = served.client()
    assert client.post("/keepsake/login", data={"name": name, "password": given}).status_code == 303
    assert client.get("/", headers={"accept": "text/html"}).headers["location"] == "/keepsake/account"
    assert client.post("/keepsake/account", data={"present": given, "new": BEN, "again": BEN}).status_code == 303
    return _person(served, client, f"{name}s-tab")


def sent(line: str) -> Any:
    """What one line of a stream says."""
    return json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else None
