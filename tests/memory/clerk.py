"""A memory model that is scripted: what it answers to each kind of question, and how memory is worked on with it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence

from chat.controls import MemoryControls
from chat.replies import ReplyJobs
from models.chat_model import ChatMessage
from models.errors import ModelUnavailable
from models.scripted import Script, ScriptedModel
from tests.memory.test_construction import Live


def answer(**parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False)


FACTS = [
    {"text": "Mara lives in a small flat above a bakery in Porto.", "about": "Mara", "lines": [1], "from": None, "to": None, "sure": True},
    {"text": "Mara's sister Ida is a nurse at the harbour hospital.", "about": "Mara's sister Ida", "lines": [3], "sure": True},
    {"text": "Nell Garrow promised Mara a plum cake instead of a walnut cake.", "about": "Nell Garrow", "lines": [6], "sure": True},
    {
        "text": "Mara quit the job at the bank in April 2024.",
        "about": "Mara",
        "lines": [9],
        "from": "2024-04-01",
        "to": "2024-04-30",
        "sure": True,
    },
]
PERSONA = [
    {"key": "residence", "value": "a small flat above a bakery in Porto", "lines": [1]},
    {"key": "allergies", "value": "walnuts", "lines": [5]},
]


class Clerk(ScriptedModel):
    """Answers each kind of question by its own function of the record it is given."""

    def __init__(self, **answers: Callable[[dict[str, object]], str]) -> None:
        super().__init__(context_tokens=8192, reply_tokens=2048)
        self.answers = answers
        self.asked: list[str] = []
        self.down = False

    def stream(self, messages: Sequence[ChatMessage], **rest: object) -> object:  # type: ignore[override]
        record = json.loads(messages[1].content)
        marks = {"lines": "facts", "lenses": "insights", "values": "persona", "earlier": "topics"}
        purpose = next((marks[part] for part in marks if part in record), "plot")
        self.asked.append(purpose)
        if self.down:
            self.enqueue(Script(error=ModelUnavailable("Nobody answers.", model="scripted")))
        else:
            self.enqueue(Script((self.answers[purpose](record),)))
        return super().stream(messages, **rest)  # type: ignore[arg-type]


def told(record: dict[str, object]) -> str:
    """The facts above where the unit is the one they are about, else nothing."""
    lines = record["lines"]
    assert isinstance(lines, list)
    return answer(facts=FACTS, persona=PERSONA) if "Porto" in lines[0]["said"] else answer(facts=[], persona=[])


def nothing(record: dict[str, object]) -> str:
    return answer(insights=[], sentences=[], topics=[])


def echoed(record: dict[str, object]) -> str:
    """One fact for each line of the player's that tells of a purchase."""
    lines = record["lines"]
    assert isinstance(lines, list)
    facts = [
        {"text": f"Mara bought {line['said'].split('bought ')[1].split(' and ')[0]}.", "about": "Mara", "lines": [line["n"]]}
        for line in lines
        if "bought " in line["said"]
    ]
    return answer(facts=facts, persona=[])


def chronicled(record: dict[str, object]) -> str:
    parts = record["record"]
    assert isinstance(parts, list)
    return answer(sentences=[{"text": parts[0]["text"], "parts": [1]}, {"text": "Mara met Zoltan in Prague.", "parts": [2]}])


def say_all(live: Live, rounds: Sequence[tuple[str, str]]) -> None:
    for user, reply in rounds:
        live.say(user, reply)


def again(live: Live) -> None:
    """Let what failed be tried at once."""
    with live.memory.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1 WHERE state = 'leased'")
    live.memory.work_off()


def controls(live: Live) -> MemoryControls:
    store = live.memory.store
    return MemoryControls(
        store,
        live.memory.engine,
        ReplyJobs(),
        sending=threading.Lock(),
        erase=store.erasures.memory,
        tidy=lambda: None,
        wake=lambda: None,
    )
