"""A person's own lorebooks, as the page lists, changes and attaches them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import gradio as gr

from chat import views
from chat.lorebooks import FORMS
from personas.cards.lore_editing import WrittenBook, WrittenEntry
from personas.cards.lorebook import LOGICS, PLACES, ROLES, Logic, Place
from ui import values
from ui.characters import MOST_STAMP
from ui.guard import trouble
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user

MOST_ENTRY = 5_000
MOST_NUMBER = 1_000_000


class Lorebooks:
    """Handler of the dialog of lorebooks. Each answer carries the token it was asked with, the list, and the book or the entry that it is at."""

    def __init__(self, painter: Painter) -> None:
        self._surfaces = painter.surfaces
        self._books = painter.service.lorebooks

    def lore(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, payload = current_user(request), Payload.of(event)
        token = payload.id("token")
        try:
            if payload.id("operation") == "export":
                made = self._books.export(user, payload.id("book"), payload.one_of("form", *FORMS))
                return {
                    self._surfaces.lorebooks: {"token": token, "shows": "leaving", "n": values.number()},
                    self._surfaces.portable: values.export(made.ticket, name=made.path.name, size=made.size),
                }
            return {self._surfaces.lorebooks: {"token": token, "n": values.number(), **self._done(user, payload)}}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.lorebooks: {"token": token, "shows": "refused", "error": trouble(error), "n": values.number()}}

    def _done(self, user: str, payload: Payload) -> dict[str, Any]:
        book, stamp, n = payload.id("book"), payload.number("stamp", most=MOST_STAMP), payload.number("entry", most=MOST_ENTRY)
        match payload.id("operation"):
            case "entry":
                return {"shows": "entry", "entry": _entry(self._books.entry(user, book, n))}
            case "create":
                book = self._books.create(user, payload.text("title"))
            case "settle":
                self._books.settle(user, book, _settings(payload), stamp=stamp)
            case "keep":
                self._books.keep(user, book, n, _written(payload), stamp=stamp)
            case "drop":
                self._books.drop(user, book, n, stamp=stamp)
            case "attach":
                to = payload.one_of("mode", "all", "character", "chat")
                self._books.attach(user, book, to=to, target=payload.id("target"), on=payload.id("on") == "yes")
            case "remove":
                self._books.remove(user, book)
                book = ""
            case "restore":
                self._books.restore(user, book)
                book = ""
            case "erase":
                self._books.erase(user, book)
                book = ""
        listed = {"books": [_listed(one) for one in self._books.all(user)], "removed": [_listed(one) for one in self._books.removed(user)]}
        return {"shows": "books", **listed, "book": _book(self._books.look(user, book)) if book else None}


def _settings(payload: Payload) -> WrittenBook:
    return WrittenBook(
        name=payload.text("title"),
        description=payload.text("description"),
        scan_depth=_told(payload, "scan_depth"),
        token_budget=_told(payload, "token_budget"),
        recursive_scanning=payload.id("recursive") == "yes",
    )


def _written(payload: Payload) -> WrittenEntry:
    role = payload.id("role")
    return WrittenEntry(
        comment=payload.text("comment"),
        keys=_keys(payload.text("keys")),
        secondary_keys=_keys(payload.text("secondary_keys")),
        logic=Logic(payload.one_of("logic", *LOGICS)),
        content=payload.text("content"),
        enabled=payload.id("enabled") == "yes",
        constant=payload.id("constant") == "yes",
        insertion_order=payload.number("insertion_order", most=MOST_NUMBER),
        probability=payload.number("probability", most=100),
        place=Place(payload.one_of("place", *PLACES)),
        depth=_told(payload, "depth"),
        role=role if role in ROLES else "",
        scan_depth=_told(payload, "scan_depth"),
        case_sensitive=payload.id("case_sensitive") == "yes",
        whole_words=payload.id("whole_words") == "yes",
        recurses=payload.id("recurses") == "yes",
        recursed_into=payload.id("recursed_into") == "yes",
    )


def _keys(text: str) -> tuple[str, ...]:
    """One a line: expressions may hold commas."""
    return tuple(line.strip() for line in text.replace("\r", "\n").split("\n") if line.strip())


def _told(payload: Payload, name: str) -> int | None:
    """A number that may be left open; below zero is open."""
    given = payload.number(name, least=-1, most=MOST_NUMBER, otherwise=-1)
    return given if given >= 0 else None


def _listed(one: views.ListedBookView) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "entries": one.entries,
        "everywhere": one.everywhere,
        "characters": list(one.characters),
        "chats": list(one.chats),
    }


def _book(view: views.LorebookView) -> dict[str, Any]:
    return {
        **_listed(view.listed),
        "stamp": view.stamp,
        "settings": asdict(view.settings),
        "lines": [
            {
                "n": one.n,
                "name": one.name,
                "keys": list(one.keys),
                "enabled": one.enabled,
                "constant": one.constant,
                "unusable": list(one.unusable),
            }
            for one in view.entries
        ],
    }


def _entry(view: views.LoreEntryView) -> dict[str, Any]:
    return {"book": view.book, "number": view.n, "stamp": view.stamp, "written": asdict(view.written)}
