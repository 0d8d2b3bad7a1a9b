"""A house in which everything that holds text holds what `foreign_text` does: filled through its services and addresses, as the page's fields would be, and in no time.

Each step says which fields of the page it stands for; `FIELDS` has them all, so that a field that is added to a page later is noticed.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from annotation.fields import MAX_NAME
from chat.views import Phase
from models.scripted import Script, ScriptedModel
from personas.cards.lore_editing import WrittenBook, WrittenEntry
from personas.pictures import drawn
from personas.written import TEXTS, Written
from tests.foreign_files import card
from tests.foreign_text import CORPUS, HOSTILE_NAME, Serving
from tests.ui.served import Person, another
from tests.waiting import until

ALL = "\n\n".join(CORPUS)
MEMORABLE = (
    "My sister Ruth is a nurse in Leith and calls me ' onmouseover='hacked(990)' x='.",
    "I live in Leith with my sister, in a house called javascript:hacked(990).",
    "My name is {0}.",
    "I live in {0}.",
    "I am allergic to {0}.",
    "My sister {0} is a nurse.",
    "I have a grey cat called {0}.",
)
"""The first two are remembered whatever the others are given: nothing is that has a bracket of a tag or a template, in its words or in its speaker's name."""
REMEMBERED = 2
SPEAKER = "Ada' onmouseover='hacked(991)' x='"
FIELDS: dict[str, str] = {}
"""`file: field` of the page, and the step that fills it."""
Step = Callable[["Foreign"], None]
STEPS: list[Step] = []


def through(*places: str) -> Callable[[Step], Step]:
    def named(step: Step) -> Step:
        FIELDS.update(dict.fromkeys(places, step.__name__))
        STEPS.append(step)
        return step

    return named


@dataclass
class Foreign:
    ada: Person
    model: ScriptedModel
    serving: Serving = field(default_factory=Serving)
    ids: dict[str, str] = field(default_factory=dict)
    reviewer: Person | None = None
    second: Person | None = None
    annotator: Person | None = None

    @property
    def service(self) -> Any:
        return self.ada.served.house.service

    @property
    def user(self) -> str:
        return self.ada.user_id

    def edition(self, chat: str) -> int:
        return int(self.service.transcript(self.user, chat).edition)

    def say(self, chat: str, text: str, reply: str, by: Person | None = None) -> None:
        user = (by or self.ada).user_id
        self.model.enqueue(Script([reply[at : at + 60] for at in range(0, len(reply), 60)]))
        self.service.send(user, chat, text, token=text[:40])
        self.until(lambda: (job := self.service.job(user, chat)) is not None and job.phase is Phase.DONE)

    def until(self, done: Callable[[], bool]) -> None:
        until(done, lambda: "the house does not come to rest")

    def bench(self, doing: str, by: Person | None = None, **fields: object) -> dict[str, Any]:
        answer: dict[str, Any] = (by or self.ada).client.post("/keepsake/annotation/do", json={"do": doing, **fields}).json()
        assert "error" not in answer, answer
        return answer


@through("characters: input", "characters: textarea", "choosing: many_tag", "cards: input")
def characters(at: Foreign) -> None:
    lines = {"name": at.serving.fitting(180), "tagline": at.serving.fitting(180), "tags": (at.serving.fitting(90), at.serving.fitting(90))}
    written = Written(language="en", **lines, **dict.fromkeys(TEXTS, ALL))  # type: ignore[arg-type]
    at.ids["character"] = at.service.own_characters.create(at.user, written)
    at.service.own_characters.favour(at.user, at.ids["character"])
    for number in range(3):
        file = card(at.serving, number)
        at.service.cards.take(at.user, file["buffer"], how="beside", name=file["name"])
    # Its name is typed where the file has none.
    nameless = {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {"name": "", "description": ALL, "first_mes": at.serving.fitting(400)},
    }
    at.service.cards.take(at.user, json.dumps(nameless).encode(), how="beside", name=HOSTILE_NAME)
    at.service.many_characters.tag(at.user, [at.ids["character"]], HOSTILE_NAME)


@through("players: input", "players: textarea")
def personas(at: Foreign) -> None:
    made = at.service.own_players.create(at.user, name=at.serving.fitting(60), description=ALL, picture=drawn("x"))
    at.service.own_players.make_default(at.user, made)
    at.service.own_players.create(at.user, name=HOSTILE_NAME, description=ALL, picture=None)


@through("lorebooks: lore_new", "lorebooks: input", "lorebooks: textarea")
def lorebooks(at: Foreign) -> None:
    books = at.service.lorebooks
    book = at.ids["book"] = books.create(at.user, at.serving.fitting(150))
    stamp = books.look(at.user, book).stamp
    books.settle(at.user, book, WrittenBook(name=at.serving.fitting(150), description=at.serving.fitting(400)), stamp=stamp)
    for keys in (("name", at.serving.fitting(60)), (at.serving.fitting(80),)):
        entry = WrittenEntry(
            comment=at.serving.fitting(90),
            keys=keys,
            secondary_keys=(at.serving.fitting(60),),
            content=at.serving.fitting(600),
            constant=True,
        )
        books.keep(at.user, book, 0, entry, stamp=books.look(at.user, book).stamp)
    books.attach(at.user, book, to="all", target="", on=True)


@through("composer: textarea", "passing: textarea", "editing: textarea")
def both_sides(at: Foreign) -> None:
    """passing: what is said in passing is drawn by what draws a message; it is typed in the browser as well."""
    speaker = at.service.own_players.create(at.user, name=SPEAKER, description=ALL, picture=None)
    at.service.own_players.tie(at.user, speaker, "builtin:nell-garrow")
    chat = at.ids["chat"] = at.service.create(at.user, "builtin:nell-garrow")
    at.service.own_players.untie(at.user, "builtin:nell-garrow")
    for line in MEMORABLE:
        at.say(chat, line.format(at.serving.fitting(60)), at.serving.fitting(300))
    newest = at.service.transcript(at.user, chat).messages[-1].id
    at.service.rewriting.edit(at.user, chat, newest, "Edited. " + ALL[:1500], edition=at.edition(chat))


@through("actions: checkpoint", "tree: rename", "noting: textarea")
def branches_and_a_note(at: Foreign) -> None:
    chat = at.ids["chat"]
    service = at.service.rewriting
    middle = at.service.transcript(at.user, chat).messages[4].id
    service.checkpoint(at.user, chat, middle, at.serving.fitting(80), edition=at.edition(chat))
    branch = at.service.rewriting.tree(at.user, chat).branches[-1].id
    service.rename_branch(at.user, chat, branch, at.serving.fitting(80), edition=at.edition(chat))
    service.set_note(at.user, chat, ALL[:3900], depth=2, every=1, role="user", edition=at.edition(chat))
    first = at.service.transcript(at.user, chat).messages[2].id
    service.hide(at.user, chat, first, edition=at.edition(chat))


@through("chats: rename_chat", "chats: folder", "chats: folder_rename", "chats: input", "own: input", "gallery: input")
def the_list(at: Foreign) -> None:
    """The boxes that look for something show what is in the list; what is typed into them goes nowhere else."""
    names = at.service.conversations
    names.rename(at.user, at.ids["chat"], at.serving.fitting(80))
    names.file(at.user, at.ids["chat"], at.serving.fitting(80))
    for _ in range(4):
        names.rename(at.user, at.service.create(at.user, at.ids["character"]), at.serving.fitting(80))
    gone = at.service.create(at.user, at.ids["character"])
    names.rename(at.user, gone, at.serving.fitting(80))
    names.delete(at.user, gone)


@through("gathering: input")
def several(at: Foreign) -> None:
    chat = at.ids["group"] = at.service.groups.create(at.user, [at.ids["character"], "builtin:rafferty-moth"], at.serving.fitting(80))
    at.say(chat, at.serving.fitting(300), at.serving.fitting(300))
    at.service.groups.send_out(at.user, chat, "Rafferty Moth", edition=at.edition(chat))


@through("controls: edit_memory")
def memories(at: Foreign) -> None:
    chat = at.ids["chat"]

    def facts() -> Any:
        return at.service.memories(at.user, chat, shelf="fact", order="newest", limit=60).memories

    def values() -> Any:
        return [value for entry in at.service.persona(at.user, chat).entries for value in entry.values]

    # What looks like code is remembered as well. The oldest stays as it was read.
    at.until(lambda: len(facts()) >= REMEMBERED and values())
    for one in facts()[:-1][:3]:
        at.service.controls.edit(at.user, chat, one.id, at.serving.fitting(480))
    at.service.controls.edit(at.user, chat, values()[0].id, at.serving.fitting(60))
    at.service.end_session(at.user, chat)


@through("composer: textarea")
def all_of_it(at: Foreign) -> None:
    """After what waits for memory: nobody waits until all of this is read."""
    at.ids["long"] = at.service.create(at.user, "builtin:nell-garrow")
    at.say(at.ids["long"], ALL, ALL)


@through("connecting: input", "sampling: input")
def models(at: Foreign) -> None:
    def asked(**said: object) -> None:
        answer = at.ada.client.post("/keepsake/models", json=said).json()
        assert "refused" not in answer, answer

    way = {"name": at.serving.fitting(60), "kind": "url", "model": "scripted", "base": "http://127.0.0.1:9/v1"}
    asked(do="keep", **way, context_tokens=4096, reply_tokens=200, timeout_s=5)
    asked(do="keep_preset", name=at.serving.fitting(60), values={"temperature": 1.0})


@through("people: name", "setup: name", "login: name", "people: remove")
def accounts(at: Foreign) -> None:
    at.ada.client.post("/keepsake/people", data={"do": "add", "name": "<svg onload=hacked(9)>", "role": "player"}).raise_for_status()
    at.reviewer = another(at.ada.served, at.ada, "<img src=x onerror=hacked(7)>", "reviewer")
    at.second = another(at.ada.served, at.ada, "<iframe srcdoc=hacked(10)>", "reviewer")
    at.annotator = another(at.ada.served, at.ada, "{{hacked(8)}}\"'><b>x", "annotator")


def point_of(at: Foreign, category: str) -> dict[str, Any]:
    return {
        "id": secrets.token_hex(16), "version": 0, "text": at.serving.fitting(450), "category": category, "language": "en",
        "evidence": {"turns": [1, 2], "quotes": []}, "note": at.serving.fitting(900), "unclear": True,
    }  # fmt: skip


def project_fields(at: Foreign, *, rounds: int = 1) -> dict[str, Any]:
    return {
        "name": at.serving.fitting(min(110, MAX_NAME)), "overlap": 2, "lease_hours": 24, "guideline": ALL, "briefing": ALL, "target_rounds": rounds,
        "categories": [at.serving.fitting(50), "x' onmouseover='hacked(1)'"],
    }  # fmt: skip


@through(
    "home: input", "home: textarea", "project: textarea", "form: textarea", "form: input", "review: input", "probes: input", "probes: textarea",
    "give: textarea",
)  # fmt: skip
def workbench(at: Foreign) -> None:
    fields = project_fields(at)
    project = at.ids["project"] = at.bench("make_project", project=fields)["project"]["id"]
    at.bench("guideline", project=project, text="Second. " + ALL)
    talk = "\n".join(f"Ann: {line}\nBo: {line}" for line in CORPUS)
    for name, words in ((f"{HOSTILE_NAME}.txt", talk), ("second <svg onload=hacked(6)>.txt", talk + "\nBo: The end.")):
        posted = at.ada.client.post(
            "/keepsake/annotation/dialogues", params={"project": project, "name": name}, content=words.encode()
        ).json()
        assert posted == {"added": 1, "known": 0}
    for what, by in (("submitted", at.ada), ("other", at.annotator), ("work", at.ada)):
        mine = at.bench("take", by=by, project=project, role="annotator")["assignment"]
        at.ids |= {what: mine["id"], "item": mine["item_id"]}
        point = point_of(at, fields["categories"][0])
        at.bench("keep_point", by=by, assignment=mine["id"], point=point)
        if what == "work":
            at.bench("draft", assignment=mine["id"], draft='{"text": "<img src=x onerror=hacked(5)>"}', place=1)
        else:
            at.bench("submit", by=by, assignment=mine["id"])
    at.ids["review"] = at.bench("take", by=at.reviewer, project=project, role="reviewer")["assignment"]["id"]
    probe = {"id": "cd" * 16, "language": "en", "topic": at.serving.fitting(60), **{one: at.serving.fitting(300) for one in "pqa"}}
    at.bench("keep_probe", project=project, probe=probe)


def fill(at: Foreign, *, first: Step) -> Foreign:
    for step in dict.fromkeys((first, *STEPS)):
        step(at)
    return at
