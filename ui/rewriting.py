"""Rewriting a conversation from the page: operations on messages and branches, undo, the bin, and whole conversations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gradio as gr

from chat.groups import Groups
from chat.listening import Listening
from chat.remembering import Remembering
from chat.rewriting import Rewriting
from storage.errors import ChangedElsewhere
from ui import rewriting_values, values
from ui.following import news_of
from ui.guard import attempt, trouble
from ui.painter import Painter, Updates, Wanted
from ui.payload import Payload
from ui.users import current_user

MOST_AT_ONCE = 50
"""Conversations erased with one question."""


@dataclass(frozen=True)
class Asked:
    """One operation as the page asked for it."""

    user: str
    chat: str
    edition: int
    message: str
    branch: str
    item: str
    name: str
    text: str
    to: int
    every: int

    @classmethod
    def of(cls, user: str, payload: Payload) -> Asked:
        return cls(
            user,
            payload.id("chat"),
            payload.number("edition"),
            message=payload.id("message"),
            branch=payload.id("branch"),
            item=payload.id("item"),
            name=payload.id("name"),
            text=payload.text("text"),
            to=payload.number("to"),
            every=payload.number("every"),
        )


OPERATIONS: Mapping[str, Callable[[Rewriting, Asked], int]] = {
    "regenerate": lambda r, a: r.regenerate(a.user, a.chat, a.message, edition=a.edition),
    "resume": lambda r, a: r.resume(a.user, a.chat, edition=a.edition),
    "draft": lambda r, a: r.draft(a.user, a.chat, edition=a.edition),
    "swipe": lambda r, a: r.swipe(a.user, a.chat, a.message, to=a.to, edition=a.edition),
    "put_away": lambda r, a: r.put_away(a.user, a.chat, a.message, place=a.to, edition=a.edition),
    "edit": lambda r, a: r.edit(a.user, a.chat, a.message, a.text, edition=a.edition),
    "edit_in_branch": lambda r, a: r.edit_in_branch(a.user, a.chat, a.message, a.text, edition=a.edition),
    "delete": lambda r, a: r.delete(a.user, a.chat, a.message, edition=a.edition),
    "delete_from": lambda r, a: r.delete_from(a.user, a.chat, a.message, edition=a.edition),
    "hide": lambda r, a: r.hide(a.user, a.chat, a.message, edition=a.edition),
    "show": lambda r, a: r.show(a.user, a.chat, a.message, edition=a.edition),
    "branch": lambda r, a: r.branch(a.user, a.chat, a.message, a.name, edition=a.edition),
    "checkpoint": lambda r, a: r.checkpoint(a.user, a.chat, a.message, a.name, edition=a.edition),
    "switch": lambda r, a: r.switch(a.user, a.chat, a.branch, edition=a.edition),
    "rename_branch": lambda r, a: r.rename_branch(a.user, a.chat, a.branch, a.name, edition=a.edition),
    "remove_branch": lambda r, a: r.remove_branch(a.user, a.chat, a.branch, edition=a.edition),
    "undo": lambda r, a: r.undo(a.user, a.chat, edition=a.edition),
    "redo": lambda r, a: r.redo(a.user, a.chat, edition=a.edition),
    "summarise": lambda r, a: r.summarise(a.user, a.chat, edition=a.edition),
    "divide": lambda r, a: r.divide(a.user, a.chat, a.name, edition=a.edition),
    "set_day": lambda r, a: r.set_day(a.user, a.chat, a.name, runs=bool(a.to), edition=a.edition),
    "note": lambda r, a: r.set_note(a.user, a.chat, a.text, depth=a.to, every=a.every, role=a.name, edition=a.edition),
    "play_as": lambda r, a: r.play_as(a.user, a.chat, a.item, follows=a.name == "follow", edition=a.edition),
    "deny": lambda r, a: r.deny(a.user, a.chat, a.item, edition=a.edition),
    "allow": lambda r, a: r.allow(a.user, a.chat, a.item, edition=a.edition),
    "restore": lambda r, a: r.restore(a.user, a.chat, a.item, edition=a.edition),
}
"""What a page may ask for, by the name it uses. Each gives the new edition."""

GROUP_OPERATIONS: Mapping[str, Callable[[Groups, Asked], int]] = {
    "speak": lambda g, a: g.speak(a.user, a.chat, a.name, edition=a.edition),
    "send_out": lambda g, a: g.send_out(a.user, a.chat, a.name, edition=a.edition),
    "bring_back": lambda g, a: g.bring_back(a.user, a.chat, a.name, edition=a.edition),
    "join": lambda g, a: g.join(a.user, a.chat, a.name, edition=a.edition),
    "answers": lambda g, a: g.set_answers(a.user, a.chat, a.name, edition=a.edition),
}
"""The same of a conversation with several characters."""


LISTENING_OPERATIONS: Mapping[str, Callable[[Listening, Asked], int]] = {
    "listen": lambda s, a: s.listen(a.user, a.chat, edition=a.edition),
    "take_up": lambda s, a: s.take_up(a.user, a.chat, edition=a.edition),
}
"""The same of whether anybody answers."""

MEMORY_OPERATIONS: Mapping[str, Callable[[Remembering, Asked], int]] = {
    "remember": lambda m, a: m.switch(a.user, a.chat, on=True, edition=a.edition),
    "pause_memory": lambda m, a: m.switch(a.user, a.chat, on=False, edition=a.edition),
}
"""The same of whether anything is remembered."""


class Rewrites:
    """Handlers of everything a person does to what was said. Ids go to the service as they came: it knows whose they are."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._surfaces = painter.surfaces
        self._service = painter.service

    def act(self, event: gr.EventData, request: gr.Request) -> Updates:
        """One operation, then everything it changed. A page that showed an older edition gets the conversation as it is, and is told."""
        user, payload = current_user(request), Payload.of(event)
        token, name = payload.id("token"), payload.id("operation")
        operation, of_group, of_listening = OPERATIONS.get(name), GROUP_OPERATIONS.get(name), LISTENING_OPERATIONS.get(name)
        of_memory = MEMORY_OPERATIONS.get(name)
        banner = self._surfaces.banner
        if operation is None and of_group is None and of_listening is None and of_memory is None:
            return {self._surfaces.actions: values.answer(token, done=False)}
        try:
            asked = Asked.of(user, payload)
            if operation is not None:
                edition = operation(self._service.rewriting, asked)
            elif of_group is not None:
                edition = of_group(self._service.groups, asked)
            elif of_listening is not None:
                edition = of_listening(self._service.listening, asked)
            elif of_memory is not None:
                edition = of_memory(self._service.remembering, asked)
            taken_back, done_again = reversed(self._service.rewriting.undoable(user, asked.chat))
            what = {"undo": taken_back, "redo": done_again}.get(payload.id("operation"), "")
        except ChangedElsewhere as error:
            return {**self._seen(user, payload), self._surfaces.actions: values.answer(token, done=False), banner: trouble(error)}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.actions: values.answer(token, done=False), banner: trouble(error)}
        done = {self._surfaces.actions: values.answer(token, done=True, edition=edition, what=what), banner: values.no_trouble()}
        return done | self._seen(user, payload)

    def _seen(self, user: str, payload: Payload) -> Updates:
        return attempt(self._surfaces.banner, lambda: news_of(self._painter, user, payload))

    def tree(self, event: gr.EventData, request: gr.Request) -> Updates:
        """The branches of a chat."""
        user, payload = current_user(request), Payload.of(event)
        chat_id = payload.id("chat")

        def work() -> Updates:
            shown = {self._surfaces.tree: rewriting_values.tree(chat_id, self._service.rewriting.tree(user, chat_id))}
            return self._painter.unknown(shown, payload.marks("marks"))

        return attempt(self._surfaces.banner, work)

    def bin(self, event: gr.EventData, request: gr.Request) -> Updates:
        user, payload = current_user(request), Payload.of(event)
        return attempt(self._surfaces.banner, lambda: self._painter.unknown(self._bin(user, payload.id("chat")), payload.marks("marks")))

    def _bin(self, user: str, chat_id: str) -> Updates:
        """What was deleted in a chat, if one is open, and the chats that were."""
        conversations = self._service.conversations
        items = self._service.rewriting.bin(user, chat_id) if chat_id else ()
        weight = conversations.bin_weight(user, chat_id) if chat_id else None
        removed = self._service.own_characters.removed(user)
        return {self._surfaces.bin: rewriting_values.bin_of(chat_id, items, weight, conversations.binned(user), removed)}

    def arrange(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Name, delete, restore or erase whole conversations."""
        user, payload = current_user(request), Payload.of(event)
        token = payload.id("token")
        try:
            updates = self._arranged(user, payload)
        except ChangedElsewhere as error:
            seen = attempt(self._surfaces.banner, lambda: {**self._painter.shelf(user), **self._bin(user, payload.id("chat"))})
            return {**seen, self._surfaces.actions: values.answer(token, done=False), self._surfaces.banner: trouble(error)}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.actions: values.answer(token, done=False), self._surfaces.banner: trouble(error)}
        return {**updates, self._surfaces.actions: values.answer(token, done=True), self._surfaces.banner: values.no_trouble()}

    def _arranged(self, user: str, payload: Payload) -> Updates:
        """A tab that is at a conversation that goes is taken to none; one that comes back can be opened at once. Any other operation does nothing, and
        shows the list as it is."""
        conversations, at, of = self._service.conversations, payload.id("chat"), payload.id("of")
        moved: Updates = {}
        match payload.id("operation"):
            case "rename":
                conversations.rename(user, of, payload.id("title"))
            case "file":
                conversations.file(user, of, payload.id("title"))
            case "rename_folder":
                conversations.rename_folder(user, payload.id("folder"), payload.id("title"))
            case "favour":
                conversations.favour(user, of, favourite=payload.one_of("on", "", "yes") == "yes")
            case "archive":
                conversations.archive(user, of, archived=payload.one_of("on", "", "yes") == "yes")
            case "delete":
                conversations.delete(user, of)
                if of == at:
                    at = ""
                    moved = {self._surfaces.place: values.place("", push=True)}
            case "restore":
                conversations.restore(user, of)
                if payload.one_of("open", "", "yes"):
                    moved = {**self._painter.chat(user, of, wanted=Wanted()), self._surfaces.place: values.place(of, push=True)}
            case "empty":
                conversations.empty_bin(user, of, edition=payload.number("edition", otherwise=-1))
                moved = news_of(self._painter, user, payload)
            case "erase":
                for chat_id in payload.ids("chats", most=MOST_AT_ONCE):
                    conversations.erase_binned(user, chat_id)
        return {**self._painter.shelf(user), **self._bin(user, at), **moved}
