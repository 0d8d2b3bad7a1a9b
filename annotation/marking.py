"""Marking while playing: a message of one's own conversation becomes a memory point, or what a probe tells (MOOM A.1 and A.3, from the page of conversations).

Whoever may annotate marks in a project of their own, which no other account can see, admins included: nothing is given to anybody by it, so nothing is blacked
out, and it is no gold of the house's. The act itself is the consent to the copy; the first one is asked for by the page. Giving the conversation to a project of
the house stays what it is (`annotation.giving`); who gave it cannot annotate it there.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from annotation import fields
from annotation.dialogues import MAX_TURNS, language_of
from annotation.errors import FieldMissing, FieldTooLong, QuoteMoved
from annotation.giving import turn_of
from annotation.probes import ProbeFields
from storage.annotation_errors import NotAllowed, NotThere
from storage.annotation_marks import Mark, Said
from storage.annotation_probes import Probe
from storage.annotation_records import Assignment, Evidence, Item, Member, Point, Project, Quote
from storage.errors import NotFound
from storage.records import Chat, Message
from storage.scope import Scope
from storage.store import Store

MAX_CHOSEN = 20_000
"""Characters of a selection."""
MAX_PROBES = 100


@dataclass(frozen=True)
class Beginning:
    """What the project is made with, in the language of whoever makes it."""

    name: str
    categories: Sequence[str]
    guideline: str


@dataclass(frozen=True)
class Chosen:
    """Words of a message that are selected on the page, as they are shown there. ahead: characters of the message before them, spaces and asterisks aside."""

    text: str
    ahead: int


@dataclass(frozen=True)
class Shown:
    """A mark at a message of the open branch, in the wording that stands there."""

    message_id: str
    mark: Mark


class Marking:
    def __init__(self, store: Store) -> None:
        self._chats = store.chats
        self._marks = store.annotation_marks
        self._work = store.annotation_work

    def marks(self, member: Member, chat_id: str) -> list[Shown]:
        """The member's own marks that hold on the open branch. Raises NotThere for a chat that is not theirs."""
        found = self._marks.of_chat(member, chat_id)
        if not found:
            return []
        at = {message.revision.id: message.id for message in self._path(member, chat_id)[1]}
        return [Shown(at[revision], mark) for mark in found for revision in mark.revision_ids if revision in at]

    def own_project(self, member: Member) -> str:
        """Its id; empty before anything was marked."""
        project = self._marks.project(member)
        return project.id if project is not None else ""

    def mark(
        self, member: Member, chat_id: str, message_id: str, chosen: Chosen | None, *, begin: Beginning, consent: str
    ) -> tuple[Assignment, Point]:
        """Make a message, or words of it, a memory point as it is said; it can be worded on the workbench.

        Raises NotThere, NotAllowed, FieldMissing (consent), QuoteMoved, AlreadySubmitted.
        """
        chat, message, path, project = self._place(member, chat_id, message_id, begin=begin, consent=consent)
        mine = self._follow(member, project, chat, path)
        number = next(n for n, one in enumerate(path, 1) if one.id == message.id)
        where = _found(message.text, chosen) if chosen is not None else None
        words = message.text[slice(*where)] if where is not None else message.text
        quotes = (Quote(number, *where, words),) if where is not None else ()
        point = Point(
            id=secrets.token_hex(16),
            number=0,
            text=_short(words),
            category=project.categories[0],
            language=language_of(words),
            evidence=Evidence((number,), quotes),
            version=0,
        )
        return mine, self._work.keep_point(member, mine.id, point)

    def mark_probe(self, member: Member, chat_id: str, message_id: str, value: object, *, begin: Beginning, consent: str) -> str:
        """Keep what a message tells as a probe's P, with the question and the answer that somebody wrote; its id. Raises as `mark`."""
        asked = fields.read(ProbeFields, value)
        chat, message, _, project = self._place(member, chat_id, message_id, begin=begin, consent=consent)
        if sum(one.kind == "probe" for one in self._marks.of_chat(member, chat_id)) >= MAX_PROBES:
            raise FieldTooLong("So many probes are not kept of one conversation.", field="probes", limit=MAX_PROBES)
        self._marks.add_probe(member, project, Probe(**asked.model_dump()), chat_id=chat.id, revision_id=message.revision.id)
        return asked.id

    def unmark(self, member: Member, kind: str, mark_id: str, *, work: str, version: int) -> None:
        """Take a mark back; on the workbench undo brings a point back."""
        if kind == "probe":
            self._marks.remove_probe(member, mark_id)
        else:
            self._work.remove_point(member, work, mark_id, version=version)

    def catch_up(self, member: Member, item: Item) -> None:
        """Bring a dialogue of the member's own up to what is said in its conversation now."""
        if item.owner != member.user_id or item.chat_id is None:
            return
        try:
            _, path = self._path(member, item.chat_id)
        except NotThere:  # in the bin: the dialogue stays as it is until the conversation is erased
            return
        self._marks.catch_up(member, item.id, _said(path))

    def _place(
        self, member: Member, chat_id: str, message_id: str, *, begin: Beginning, consent: str
    ) -> tuple[Chat, Message, list[Message], Project]:
        if not member.annotates:
            raise NotAllowed("This is for annotators.")
        chat, path = self._path(member, chat_id)
        message = next((one for one in path if one.id == message_id), None)
        if message is None:
            raise NotThere("This message is not there, or is hidden. Nothing was marked.")
        project = self._marks.project(member)
        if project is None:
            if consent != "yes":
                raise FieldMissing("Nothing is copied before you have agreed.", field="consent")
            project = self._marks.make(member, name=begin.name, categories=begin.categories, guideline=begin.guideline)
        return chat, message, path, project

    def _path(self, member: Member, chat_id: str) -> tuple[Chat, list[Message]]:
        scope = Scope.of(member.user_id, chat_id or "-")
        try:
            chat = self._chats.chat(scope)
            path = self._chats.path(scope, chat.branch_id, limit=MAX_TURNS + 1)[::-1]
        except NotFound as error:
            raise NotThere("This conversation does not exist or is not yours.") from error
        if len(path) > MAX_TURNS:
            raise FieldTooLong("This conversation is too long to be marked.", field="text", limit=MAX_TURNS)
        return chat, [message for message in path if not message.hidden and message.text.strip()]

    def _follow(self, member: Member, project: Project, chat: Chat, path: Sequence[Message]) -> Assignment:
        language = language_of(" ".join(message.text for message in path[:200]))
        return self._marks.follow(member, project, chat.id, (chat.title or chat.character_name)[:120], language, _said(path))


def _said(path: Sequence[Message]) -> list[Said]:
    return [Said(turn_of(number, message), message.revision.id) for number, message in enumerate(path, 1)]


def _found(text: str, chosen: Chosen) -> tuple[int, int]:
    """Where words that the page shows stand in a message: it shows no asterisks and breaks lines elsewhere. Of several places the one nearest to `ahead`."""
    if len(chosen.text) > MAX_CHOSEN:
        raise FieldTooLong("So many words cannot be quoted.", field="text", limit=MAX_CHOSEN)
    plain, places = _plain(text)
    wanted, _ = _plain(chosen.text)
    starts = [at for at in range(len(plain)) if plain.startswith(wanted, at)] if wanted else []
    if not starts:
        raise QuoteMoved("The words that are selected do not stand in the message. Nothing was marked.")
    start = min(starts, key=lambda at: abs(at - chosen.ahead))
    return places[start], places[start + len(wanted) - 1] + 1


def _plain(text: str) -> tuple[str, list[int]]:
    """A text without spaces and asterisks, and where each of its characters stands."""
    places = [at for at, char in enumerate(text) if not char.isspace() and char != "*"]
    return "".join(text[at] for at in places), places


def _short(text: str) -> str:
    """A text as a point holds it: in one line, cut at the end of a sentence or a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= fields.MAX_TEXT:
        return line
    cut = line[: fields.MAX_TEXT - 2]
    end = max(cut.rfind(mark) for mark in ".!?。！？")
    return cut[: end + 1] if end > fields.MAX_TEXT // 3 else f"{cut.rsplit(' ', 1)[0]} …"
