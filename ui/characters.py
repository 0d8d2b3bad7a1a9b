"""A person's own characters, as the page makes, changes and lists them."""

from __future__ import annotations

import gradio as gr

from chat import views
from personas.written import BETWEEN_TAGS, STANCES, TEXTS, Written, written
from ui import values
from ui.guard import trouble
from ui.painter import Painter, Updates
from ui.payload import Payload
from ui.users import current_user

LINES = ("name", "tagline", "language")
MOST_STAMP = 2**53
"""Largest whole number that a browser keeps exactly."""


class Characters:
    """Handlers of the dialog of a character and of the menu on one. Each answer carries the token it was asked with."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._own = painter.service.own_characters

    def form(self, event: gr.EventData, request: gr.Request) -> Updates:
        """What was written of a character, to be changed."""
        user, payload = current_user(request), Payload.of(event)
        token = payload.id("token")
        try:
            return {self._surfaces.characters: form(token, self._own.form(user, payload.id("character")))}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.characters: refused(token, error), self._surfaces.banner: trouble(error)}

    def weigh(self, event: gr.EventData, request: gr.Request) -> Updates:
        """How many tokens the texts are that were typed into some fields, and the greeting among them as a conversation would have it."""
        user, payload = current_user(request), Payload.of(event)
        texts = {name: payload.text(name) for name in (*LINES, *TEXTS) if payload.text(name)}
        try:
            greeting = self._own.greeting(
                user,
                texts.get("first_mes", ""),
                name=payload.text("called"),
                language=payload.text("spoken") or "en",
                character_id=payload.id("character"),
            )
            return {self._surfaces.characters: weights(payload.id("token"), self._own.weigh(texts), greeting=greeting, room=self._own.room)}
        except Exception as error:  # noqa: BLE001  # as above
            return {self._surfaces.characters: refused(payload.id("token"), error)}

    def keep(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Create, change, duplicate, remove, restore, erase or keep on top, then the list. What is refused is said where it was typed, not in the banner."""
        user, payload = current_user(request), Payload.of(event)
        token = payload.id("token")
        try:
            kept = self._kept(user, payload)
        except Exception as error:  # noqa: BLE001  # as above
            return {self._surfaces.characters: refused(token, error)}
        return {self._surfaces.characters: done(token, kept), **self._painter.shelf(user), self._surfaces.banner: values.no_trouble()}

    def _kept(self, user: str, payload: Payload) -> str:
        """The id of the character something was done with; empty for an operation that does not exist."""
        character = payload.id("character")
        match payload.id("operation"):
            case "create":
                return self._own.create(user, _written(payload))
            case "change":
                self._own.change(user, character, _written(payload), stamp=payload.number("stamp", most=MOST_STAMP))
            case "duplicate":
                return self._own.duplicate(user, character)
            case "remove":
                self._own.remove(user, character)
            case "restore":
                self._own.restore(user, character)
            case "erase":
                self._own.erase(user, character)
            case "favour":
                self._own.favour(user, character)
            case "unfavour":
                self._own.unfavour(user, character)
            case _:
                return ""
        return character


def _written(payload: Payload) -> Written:
    own = [STANCES] if payload.sends(STANCES) else []  # a page that was opened before there was such a field leaves them as they are
    return written({name: payload.text(name) for name in (*LINES, *TEXTS, *own)}, tags=BETWEEN_TAGS.split(payload.text("tags")))


def form(token: str, view: views.CharacterFormView) -> values.Value:
    texts = {name: getattr(view.written, name) or "" for name in (*LINES, *TEXTS, STANCES)} | {"tags": ", ".join(view.written.tags)}
    return {
        "token": token,
        "shows": "form",
        "id": view.id,
        "stamp": view.stamp,
        "texts": texts,
        "stances": view.stances,
        "greetings": view.greetings,
        "entries": view.entries,
        "n": values.number(),
    }


def weights(token: str, tokens: dict[str, int], *, greeting: str, room: int) -> values.Value:
    """greeting: empty where none was typed; room: most tokens of a card that a prompt takes."""
    return {"token": token, "shows": "weights", "tokens": tokens, "greeting": greeting, "room": room, "n": values.number()}


def done(token: str, character_id: str) -> values.Value:
    return {"token": token, "shows": "done", "id": character_id, "n": values.number()}


def refused(token: str, error: Exception) -> values.Value:
    return {"token": token, "shows": "refused", "error": trouble(error), "n": values.number()}
