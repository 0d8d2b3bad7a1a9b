"""A conversation with several characters, and the shortest way to talk in it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from chat.groups import Groups
from chat.views import AskedPhase, AskedView, GroupView, ReceiptView
from models.scripted import Script
from storage.records import Kind
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk
from tests.waiting import until

NELL, MOTH = "Nell Garrow", "Rafferty Moth"
ENGLISH = ("builtin:nell-garrow", "builtin:rafferty-moth")
CHINESE = ("builtin:qiu-mai", "builtin:yin-yuzhan")


@dataclass
class Company(Talk):
    asked: int = field(default=0)

    @property
    def groups(self) -> Groups:
        return self.house.service.groups

    @property
    def edition(self) -> int:
        return self.house.service.transcript(LOCAL_USER, self.chat_id).edition

    @property
    def group(self) -> GroupView:
        found = self.house.service.transcript(LOCAL_USER, self.chat_id).group
        assert found is not None
        return found

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(m.name for m in self.group.members)

    def mind(self, name: str) -> Scope:
        return self.scope.seen_by(name)

    def settled(self) -> None:
        """Wait until everybody who answers has answered."""
        until(lambda: (job := self.house.service.job(LOCAL_USER, self.chat_id)) is None or (job.committed and not job.following))

    def tell(self, text: str, *replies: str, to: str = "") -> None:
        """Say something that so many answer."""
        self.model.enqueue(*(Script((reply,)) for reply in replies or ("I see.",)))
        self.sent += 1
        self.house.service.send(LOCAL_USER, self.chat_id, text, token=f"token-{self.sent}", to=to)
        self.settled()

    def out(self, name: str) -> None:
        self.groups.send_out(LOCAL_USER, self.chat_id, name, edition=self.edition)

    def back(self, name: str) -> None:
        self.groups.bring_back(LOCAL_USER, self.chat_id, name, edition=self.edition)

    def speak(self, name: str, reply: str = "Well.") -> None:
        self.model.enqueue(Script((reply,)))
        self.groups.speak(LOCAL_USER, self.chat_id, name, edition=self.edition)
        self.settled()

    def speakers(self) -> list[str]:
        return [m.name for m in self.house.service.transcript(LOCAL_USER, self.chat_id, limit=600).messages]

    def receipt(self) -> ReceiptView:
        found = self.house.service.receipt(LOCAL_USER, self.chat_id)
        assert found is not None
        return found

    def knows(self, name: str) -> str:
        """Every word of everything a character remembers, forgotten or not."""
        store = self.house.memory.store
        scope = self.mind(name)
        seen = store.memories.on_path(scope, self.branch_id)
        return "\n".join(m.text for m in store.memories.get(scope, seen.ids).values())

    def kinds(self, name: str) -> dict[Kind, list[str]]:
        store = self.house.memory.store
        scope = self.mind(name)
        found: dict[Kind, list[str]] = {}
        for memory in store.memories.get(scope, store.memories.on_path(scope, self.branch_id).ids).values():
            found.setdefault(memory.kind, []).append(memory.text)
        return found

    def ask(self, question: str, *, of: str) -> AskedView:
        self.asked += 1
        token = f"question-{self.asked}"
        questions = self.house.service.questions
        view = questions.ask(LOCAL_USER, self.chat_id, question, token=token, of=of)
        while view.phase not in (AskedPhase.DONE, AskedPhase.FAILED, AskedPhase.STOPPED):
            time.sleep(0.01)
            view = questions.look(LOCAL_USER, self.chat_id, token)
        return view


def company(talk: Talk, character_ids: tuple[str, ...] = ENGLISH) -> Company:
    """A conversation with several in the house of another."""
    chat_id = talk.house.service.groups.create(LOCAL_USER, character_ids)
    return Company(talk.house, talk.model, chat_id)
