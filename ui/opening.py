"""Coming in, opening a chat, beginning one."""

from __future__ import annotations

import gradio as gr

from chat.group_words import MOST
from errors import KeepsakeError
from ui import values
from ui.following import Followers
from ui.guard import attempt, trouble
from ui.language import preferred_language
from ui.painter import Painter, Updates, Wanted
from ui.payload import Payload
from ui.users import current_user, visitor_of

PREFS = {"chat": ""}


class Opening:
    """Handlers of everything that changes which chat a tab is at."""

    def __init__(self, painter: Painter, followers: Followers) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service
        self._followers = followers

    def load(self, prefs: object, request: gr.Request) -> Updates:
        """The chat in the address, else the one last open, else none."""
        user = current_user(request)
        language = preferred_language(str(request.headers.get("accept-language", "")))
        asked = Payload(dict(request.query_params)).id("chat")

        def work() -> Updates:
            updates: Updates = {
                self._surfaces.facts: values.facts(
                    self._service.characters(),
                    self._service.status(user),
                    players=self._service.player_names(),
                    visitor=visitor_of(request),
                ),
                self._surfaces.place: values.place("", language=language),
                **self._painter.shelf(user),
            }
            last = Payload(prefs).id("chat")
            if asked:
                try:
                    updates |= self._at(user, asked, language=language, push=False)
                except KeepsakeError as error:
                    updates[self._surfaces.banner] = trouble(error)
            elif last and last in {chat.id for chat in self._service.chats(user)}:
                updates |= self._at(user, last, language=language, push=False)
            elif not last and (shown := self._service.samples.shown_first(user, language)):
                updates |= self._at(user, shown, language=language, push=False)
            return updates

        return attempt(self._surfaces.banner, work)

    def open(self, event: gr.EventData, request: gr.Request) -> Updates:
        return self._move(event, request, push=True)

    def went(self, event: gr.EventData, request: gr.Request) -> Updates:
        """The reader used the browser's own back or forward: the address already says where to."""
        return self._move(event, request, push=False)

    def _move(self, event: gr.EventData, request: gr.Request, *, push: bool) -> Updates:
        user, chat_id = current_user(request), Payload.of(event).id("chat")
        self._followers.leave(request.session_hash)
        if not chat_id:
            return {self._surfaces.place: values.place("", push=push)}

        def work() -> Updates:
            try:
                return self._at(user, chat_id, push=push)
            except KeepsakeError as error:
                return {self._surfaces.place: values.place(""), **self._painter.shelf(user), self._surfaces.banner: trouble(error)}

        return attempt(self._surfaces.banner, work)

    def create(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, character_id = current_user(request), Payload.of(event).id("character")
        self._followers.leave(request.session_hash)

        def work() -> Updates:
            chat_id = self._service.create(user, character_id)
            return self._at(user, chat_id, push=True)

        return attempt(self._surfaces.banner, work)

    def gather(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Begin a conversation with several characters, or one in which one of them listens; `of` a conversation with one, go on with it and another."""
        user, payload = current_user(request), Payload.of(event)
        character_ids, title = payload.ids("characters", most=MOST + 1), payload.text("title")
        listens, player, of = payload.one_of("listens", "", "yes"), payload.text("player"), payload.id("of")
        self._followers.leave(request.session_hash)

        def work() -> Updates:
            first = next(iter(character_ids), "")
            if of:
                chat_id = self._service.widening.widen(user, of, first)
            elif listens:
                chat_id = self._service.listening.create(user, first, player=player, title=title)
            else:
                chat_id = self._service.groups.create(user, character_ids, title)
            return self._at(user, chat_id, push=True)

        return attempt(self._surfaces.banner, work)

    def _at(self, user: str, chat_id: str, *, push: bool, language: str = "") -> Updates:
        updates = self._painter.chat(user, chat_id, wanted=Wanted())
        updates[self._surfaces.place] = values.place(chat_id, language=language, push=push)
        updates[self._surfaces.prefs] = {"chat": chat_id}
        return updates
