"""A house with a scripted model: everything else is real. Files to import into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from chat.assembly import House, open_house
from chat.views import JobView
from models.scripted import Script, ScriptedModel
from settings import Settings
from storage.scope import LOCAL_USER, Scope
from tests.chat.import_files import Write
from tests.waiting import PATIENCE_S, until


@dataclass
class Talk:
    """One chat in a house, and the shortest way to talk in it."""

    house: House
    model: ScriptedModel
    chat_id: str
    sent: int = 0

    @property
    def scope(self) -> Scope:
        return Scope.of(LOCAL_USER, self.chat_id)

    @property
    def branch_id(self) -> str:
        return self.house.memory.store.chats.chat(self.scope).branch_id

    def send(self, text: str, *, token: str | None = None) -> None:
        self.sent += 1
        self.house.service.send(LOCAL_USER, self.chat_id, text, token=token or f"token-{self.sent}")

    def job(self) -> JobView:
        job = self.house.service.job(LOCAL_USER, self.chat_id)
        assert job is not None
        return job

    def wait(self) -> JobView:
        return until(lambda: job if (job := self.job()).final else None, lambda: f"no end: {self.job()}")

    def say(self, text: str, *reply: str) -> JobView:
        self.model.enqueue(Script(reply or ("I see.",)))
        self.send(text)
        return self.wait()

    def texts(self) -> list[str]:
        return [m.text for m in self.house.service.transcript(LOCAL_USER, self.chat_id, limit=600).messages]

    def remembered(self) -> None:
        """Wait until the worker has nothing left."""
        until(lambda: not self.house.memory.store.tasks.queue(self.scope).waiting)


def house_settings(path: Path, **changes: object) -> Settings:
    """Recall has as long as it takes: a reply without it is made where a test makes recall slow."""
    return Settings(data_dir=path, _env_file=None, **{"recall_budget_s": PATIENCE_S, **changes})  # type: ignore[arg-type, call-arg]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    model = ScriptedModel()
    house = open_house(house_settings(tmp_path / "data"), model=model)
    house.start(worker=True)
    yield Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    house.close()


TOLD = (
    "My name is Mara Lind.",
    "I live in the city of Porto.",
    "I am allergic to walnuts, so none for me.",
    "I have one sister, Ida, who is a nurse.",
    "I have a grey cat called Biscuit.",
    "What do you do when the fog comes?",
    "Hm.",
)


@pytest.fixture
def told(talk: Talk) -> Talk:
    """A talk in which these things were said, with everything remembered of them."""
    for line in TOLD:
        talk.say(line, "How nice!")
    talk.remembered()
    return talk


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes bytes, a text, or a list of lines: texts as they are, anything else as JSON."""

    def write_file(content: object, name: str = "talk.jsonl") -> Path:
        path = tmp_path / name
        if isinstance(content, list):
            content = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in content)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
        return path

    return write_file
