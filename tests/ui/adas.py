"""What Ada has that nobody else may see, as a walk through every address needs it: the id of everything, and every row."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any

from chat.views import Phase
from personas.cards.lore_editing import WrittenEntry
from personas.pictures import drawn
from storage.scope import Scope
from tests.chat.portable_story import rows_of
from tests.ui.served import Person, Served
from tests.waiting import until

SECRETS = ("heliotrope", "Vesperine", "Tobermory")
"""Words of Ada's: what she said, her own character, the name of her conversation."""


class Adas:
    """Ada's conversation, and the id of everything in it that has one."""

    def __init__(self, ada: Person) -> None:
        service, store = ada.served.house.service, ada.served.house.memory.store
        written = {
            "name": "Vesperine",
            "tagline": "Keeps the Tobermory light",
            "language": "en",
            "description": "Heliotrope grows there. heliotrope",
        }
        asked = {"operation": "create", "token": "t", **written}
        ada.event(ada.number("Characters.keep"), asked)
        (self.character,) = [one.id for one in service.own_characters.all(ada.user_id)]
        self.player = service.own_players.create(ada.user_id, name="Ada", description="Grows heliotrope.", picture=drawn("Ada"))
        self.book = service.lorebooks.create(ada.user_id, "Tobermory")
        stamp = service.lorebooks.look(ada.user_id, self.book).stamp
        service.lorebooks.keep(ada.user_id, self.book, 0, WrittenEntry(keys=("bees",), content="Heliotrope grows there."), stamp=stamp)
        self.chat = service.create(ada.user_id, "builtin:nell-garrow")
        service.conversations.rename(ada.user_id, self.chat, "Tobermory")
        for number, line in enumerate(("My name is Ada. My password is heliotrope.", "I keep bees among the heliotrope.", "Good night.")):
            ada.event(
                ada.number("Talk.send"),
                {"chat": self.chat, "text": line, "token": f"t{number}", "edition": service.transcript(ada.user_id, self.chat).edition},
            )
            self.settle(ada)
        self.binned = service.create(ada.user_id, self.character)
        service.conversations.delete(ada.user_id, self.binned)
        messages = service.transcript(ada.user_id, self.chat).messages
        edition = service.transcript(ada.user_id, self.chat).edition
        service.rewriting.edit(ada.user_id, self.chat, messages[-1].id, "Good night, heliotrope.", edition=edition)
        scope = Scope.of(ada.user_id, self.chat)
        self.message = next(m.id for m in messages if m.has_receipt)
        self.branch = store.chats.chat(scope).branch_id
        found = store.memories.visible(scope, self.branch).ids
        self.memory = found[0]
        (self.task,) = store.database.read().execute("SELECT max(id) FROM task WHERE chat_id = ?", (self.chat,)).fetchone()
        receipt = service.receipt(ada.user_id, self.chat)
        assert receipt is not None
        self.receipt = receipt.id
        service.questions.ask(ada.user_id, self.chat, "What grows where I keep bees?", token="asked")
        self.ticket = service.transfers.export(ada.user_id, self.chat).ticket
        self.ear = service.listening.create(ada.user_id, self.character, player="Ada", title="Tobermory")
        self.listen_token = service.listen_tokens.make(ada.user_id, self.ear, name="Vesperine")
        service.listening.say(ada.user_id, self.ear, "I keep heliotrope by the light.", speaker="Ada", token="ear")
        self.project = self._annotation(ada)
        self.settle(ada)

    def _annotation(self, ada: Person) -> str:
        """A project of the house, with a dialogue in it and gold of hers."""
        fields = {"name": "Vesperine", "overlap": 1, "lease_hours": 24, "categories": ["Profile"], "guideline": "Mark the heliotrope."}
        made = self._do(ada, "make_project", project=fields)["project"]["id"]
        talk = b"Ada: Heliotrope grows by the Tobermory light.\nVesperine: It does."
        ada.client.post(
            "/keepsake/annotation/dialogues", params={"project": made, "name": "Vesperine.txt"}, content=talk
        ).raise_for_status()
        mine = self._do(ada, "take", project=made, role="annotator")["assignment"]
        self.work, self.item = mine["id"], mine["item_id"]
        point = {
            "id": "ab" * 16, "version": 0, "text": "The password is heliotrope.", "category": "Profile", "language": "en",
            "evidence": {"turns": [1], "quotes": []}, "note": "", "unclear": False,
        }  # fmt: skip
        self._do(ada, "keep_point", assignment=self.work, point=point)
        self._do(ada, "draft", assignment=self.work, draft='{"text": "heliotrope"}', place=1)
        return str(made)

    def _do(self, ada: Person, doing: str, **fields: object) -> dict[str, Any]:
        answer: dict[str, Any] = ada.client.post("/keepsake/annotation/do", json={"do": doing, **fields}).raise_for_status().json()
        assert "error" not in answer, answer
        return answer

    def settle(self, ada: Person) -> None:
        store, service = ada.served.house.memory.store, ada.served.house.service
        until(lambda: (job := service.job(ada.user_id, self.chat)) is not None and job.phase in (Phase.DONE, Phase.STOPPED))
        until(lambda: not any(store.tasks.queue(Scope.of(ada.user_id, chat.id)).waiting for chat in store.chats.of_user(ada.user_id)))

    def carried(self, chat: str, operation: str) -> dict[str, Any]:
        """What an event may carry, with Ada's id wherever one belongs. chat: the one that the page is said to be at."""
        return {
            "chat": chat, "of": self.chat, "chats": f"{self.chat},{self.binned}", "character": self.character,
            "characters": f"{self.character},builtin:nell-garrow", "message": self.message, "before": self.message,
            "branch": self.branch, "item": self.message, "memory": self.memory, "task": self.task, "receipt": self.receipt, "read": self.receipt,
            "reading": self.message, "token": "asked", "operation": operation, "title": "x", "name": "x", "text": "x", "tags": "", "mode": "on", "exploring": "",
            "round": 1, "to": 1, "limit": 60, "edition": 0, "version": -1, "stamp": 0, "marks": {}, "tab": "memories", "shelf": "fact", "order": "newest",
            "open": "yes", "tagline": "x", "language": "en", "on": "yes", "folder": "x", "former": "x", "every": 1, "private": "yes", "form": "png",
            "player": self.player, "picture": "", "keep": "", "description": "x",
            "file": "x", "modified": "1", "take": "yes", "conversation": "x", "player_name": "x", "speaker": "x", "character_name": "x", "beside": "yes",
            "listens": "", "way": "talk", "storage": "storage_full",
            "book": self.book, "entry": 1, "scan_depth": 1, "token_budget": 1, "recursive": "yes", "comment": "x", "keys": "x", "secondary_keys": "",
            "logic": "any", "content": "x", "enabled": "yes", "constant": "", "insertion_order": 1, "probability": 1, "place": "at_depth", "depth": 1, "role": "user",
            "case_sensitive": "", "whole_words": "", "recurses": "", "recursed_into": "", "called": "x", "spoken": "en", "target": self.character,
            "chosen": self.memory,
            "first": 0, "last": 60, "offset": 480,
        }  # fmt: skip


def state(ada: Person, adas: Adas) -> dict[str, Any]:
    """Every row of Ada's."""
    database = ada.served.house.memory.store.folder.database
    with closing(sqlite3.connect(database)) as connection:
        mine = {
            "character": connection.execute("SELECT * FROM character WHERE user_id = ?", (ada.user_id,)).fetchall(),
            "lorebook": connection.execute("SELECT * FROM lorebook WHERE user_id = ?", (ada.user_id,)).fetchall(),
            "setting": connection.execute("SELECT * FROM setting WHERE scope = ?", (f"user:{ada.user_id}",)).fetchall(),
            "personas": connection.execute("SELECT * FROM player_persona WHERE user_id = ?", (ada.user_id,)).fetchall(),
            "chats": connection.execute(
                "SELECT id, deleted_at, title, edition FROM chat WHERE user_id = ? ORDER BY id", (ada.user_id,)
            ).fetchall(),
            "account": connection.execute(
                "SELECT a.*, u.role FROM account a JOIN user u ON u.id = a.user_id WHERE u.id = ?", (ada.user_id,)
            ).fetchall(),
        }
        mine["tokens"] = connection.execute("SELECT * FROM listen_token WHERE user_id = ?", (ada.user_id,)).fetchall()
        for table in (
            "project",
            "guideline",
            "item",
            "assignment",
            "point",
            "event",
            "regular",
            "regular_review",
            "probe",
            "probe_review",
            "run",
        ):
            mine[f"annotation_{table}"] = connection.execute(f"SELECT * FROM annotation_{table}").fetchall()
    return {
        **mine,
        **{f"{chat} {table}": rows for chat in (adas.chat, adas.binned, adas.ear) for table, rows in rows_of(database, chat).items()},
    }


def places(house: Served, adas: Adas, ada: Person) -> list[tuple[str, str]]:
    """Every address, with Ada's things where a name belongs."""
    filled = {
        "ticket": adas.ticket, "session_hash": ada.tab, "event_id": adas.receipt, "api_name": "open", "path_or_url": str(house.house.memory.store.folder.database),
        "path": str(house.house.memory.store.folder.database).lstrip("/"), "url_path": "http://127.0.0.1/", "key": "x", "id": "x", "environment": "client",
        "type": "x", "file_name": "x", "run": "0", "component_id": "1", "segment_id": "0", "ext": "ts", "size": "64", "endpoint": "x", "record_id": "x",
        "asset_id": "x", "character": adas.character, "player": adas.player, "project": adas.project, "form": "project",
        "made": "0" * 32, "name": "report.md", "chat": adas.ear,
    }  # fmt: skip
    return sorted((method, re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: filled[found[1]], path)) for method, path in house.routes())
