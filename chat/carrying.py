"""Memory that goes from one conversation to another: into a new one that begins with it, or by a file. Every method checks whose the conversations are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from chat import carried_file
from chat.carried import Belongings, Thing, belongings, memories_of, with_grounds
from chat.carried_words import markdown
from chat.cast import begin_with, character_of, mind_of
from chat.errors import NothingToCarry
from chat.operations import Operations, open_chat
from chat.players import persona_in
from chat.portable import file_name
from chat.portable_export import ExportFailed
from chat.reading_process import apart_if_large
from chat.transfers import Outgoing, Transfers
from chat.views.carrying import CarryingView, OfferedView, TakenView
from memory.engine import index_task
from memory.persona import teller, told_name
from storage.errors import CharacterNotFound
from storage.records import Chat, Kind, Memory
from storage.scope import Scope

FORMS = ("json", "markdown")


class Carrying(Operations):
    """As `Operations`; transfers: hands files out; outdated: ids of the values of the player that do not hold on a branch any more."""

    transfers: Transfers
    outdated: Callable[[Scope, str], Collection[str]]

    # From a conversation

    def look(self, user_id: str, chat_id: str, of: str = "") -> CarryingView:
        """What can leave a conversation. of, here and below: of several characters whose memory, by name."""
        scope, chat = self._mind(user_id, chat_id, of)
        what = self._belongings(scope, chat)
        return _offer(what, self._character_id(chat, scope), same=True, tell=_teller(what), name=lambda place: what.things[place].id)

    def begin(self, user_id: str, chat_id: str, memory_ids: Collection[str], *, character_id: str = "", of: str = "") -> str:
        """The id of a new conversation that begins with these memories of another: with the same character, or with another one, to whom only what the player told
        about themself and theirs comes along. Raises NothingToCarry and CharacterNotFound."""
        scope, chat = self._mind(user_id, chat_id, of)
        own = self._character_id(chat, scope)
        with_id = character_id or own
        if self._store.characters.is_removed(user_id, with_id):
            raise CharacterNotFound("There is no such character.")
        character = character_of(self._store, user_id, with_id)
        what = self._belongings(scope, chat)
        wanted = set(memory_ids)
        chosen = _chosen(what, [place for place, thing in enumerate(what.things) if thing.id in wanted], same=with_id == own)
        persona = persona_in(self._store, chat)
        new = Scope.of(user_id, begin_with(self._store, user_id, character, persona))
        try:
            begun = self._store.chats.chat(new)
            made = memories_of(what, chosen, chat=begun, character=character.name, witness="", earliest=0)
            with self._store.database.write():
                kept = self._store.carrying.begin_with(new, list(made.values()))
                self._store.tasks.add(new, index_task(begun.branch_id, kept))
        except BaseException:
            self._store.chats.bin(new)
            raise
        self._wake()
        return new.chat_id

    def export(self, user_id: str, chat_id: str, form: str, of: str = "") -> Outgoing:
        """A conversation's memory as a file, to be fetched soon. form: of FORMS. Raises ExportFailed, StorageFull or StorageFailed."""
        scope, chat = self._mind(user_id, chat_id, of)
        what = self._belongings(scope, chat)
        if form == FORMS[0]:
            raw = carried_file.written(what)
            if len(raw) > carried_file.MOST_BYTES or len(what.things) > carried_file.MOST_THINGS:  # nothing would read it
                raise ExportFailed(
                    "This memory is larger than a file of memory may be; export the conversation as a bundle.", reason="size"
                )
            return self.transfers.offer(user_id, file_name(what.title) + carried_file.SUFFIX, raw)
        told = replace(what, player=_called(what), things=tuple(_told(thing, _teller(what)) for thing in what.things))
        return self.transfers.offer(user_id, file_name(what.title) + ".memory.md", "".join(markdown(told)).encode("utf-8", "replace"))

    # Into a conversation

    def look_into(self, user_id: str, chat_id: str, raw: bytes, of: str = "") -> CarryingView:
        """What a file of memory holds for a conversation. Raises MemoryFileRefused."""
        scope, chat = self._mind(user_id, chat_id, of)
        what = apart_if_large(carried_file.read, raw)
        same = self._is_same(what, scope, chat)
        made = self._made(what, range(len(what.things)), scope, chat)
        there = self._store.carrying.known(scope, [memory.id for memory in made.values()])
        return _offer(
            what,
            self._character_id(chat, scope),
            same=same,
            tell=_teller(what),
            name=str,
            there={place for place, memory in made.items() if memory.id in there},
        )

    def take(self, user_id: str, chat_id: str, raw: bytes, places: Sequence[int], *, edition: int, of: str = "") -> TakenView:
        """Let a conversation have what was chosen of a file, by its places there: a step that can be undone. Raises MemoryFileRefused and NothingToCarry."""
        self._mind(user_id, chat_id, of)
        what = apart_if_large(carried_file.read, raw)
        with self._operation(user_id, chat_id, edition) as op:
            scope = mind_of(op.scope, op.chat, of)
            chosen = _chosen(what, [place for place in places if 0 <= place < len(what.things)], same=self._is_same(what, scope, op.chat))
            made = self._made(what, chosen, scope, op.chat)
            kept = self._store.carrying.bring(op.scope, op.chat.branch_id, list(made.values()))
            if kept:
                self._store.tasks.add(op.scope, index_task(op.chat.branch_id, kept))
                self._mend_all(op.scope)
            return TakenView(op.edition, len(kept), len(made) - len(kept))

    # Parts

    def _mind(self, user_id: str, chat_id: str, of: str) -> tuple[Scope, Chat]:
        scope, chat = open_chat(self._store, user_id, chat_id)
        return mind_of(scope, chat, of), chat

    def _belongings(self, scope: Scope, chat: Chat) -> Belongings:
        outdated = self.outdated(scope, chat.branch_id)
        return belongings(self._store, scope, chat, scope.witness or chat.character_name, outdated=outdated)

    @staticmethod
    def _character_id(chat: Chat, scope: Scope) -> str:
        member = chat.member(scope.witness)
        return member.character_id if member is not None else chat.character_id

    @staticmethod
    def _is_same(what: Belongings, scope: Scope, chat: Chat) -> bool:
        return what.character.strip().casefold() == (scope.witness or chat.character_name).strip().casefold()

    def _made(self, what: Belongings, chosen: Sequence[int], scope: Scope, chat: Chat) -> dict[int, Memory]:
        """The memories of a chat that things would become, by their places."""
        character = scope.witness or chat.character_name
        earliest = self._store.carrying.earliest(scope)
        return memories_of(what, chosen, chat=chat, character=character, witness=scope.witness, earliest=earliest)


def _chosen(what: Belongings, places: Sequence[int], *, same: bool) -> list[int]:
    chosen = [place for place in with_grounds(what.things, places) if same or what.things[place].own]
    if not chosen:
        raise NothingToCarry("Nothing was chosen that can come along. Nothing was changed.")
    return chosen


def _called(what: Belongings) -> str:
    """How the player said they are called, else how they were called."""
    return next((t.text for t in reversed(what.things) if t.kind is Kind.PERSONA and t.key == "name"), what.player)


def _teller(what: Belongings) -> Callable[[str], str]:
    """Puts the player's name into a sentence, as the panels do."""
    return teller(told_name((), _called(what)))


def _told(thing: Thing, tell: Callable[[str], str]) -> Thing:
    return replace(thing, text=tell(thing.text), lines=tuple(replace(line, text=tell(line.text)) for line in thing.lines))


def _offer(
    what: Belongings,
    character_id: str,
    *,
    same: bool,
    tell: Callable[[str], str],
    name: Callable[[int], str],
    there: Collection[int] = (),
) -> CarryingView:
    return CarryingView(
        title=what.title,
        character=what.character,
        character_id=character_id,
        player=what.player,
        language=what.language,
        rounds=what.rounds,
        same=same,
        things=tuple(_offered(thing, name(place), same=same, tell=tell, there=place in there) for place, thing in enumerate(what.things)),
    )


def _offered(thing: Thing, name: str, *, same: bool, tell: Callable[[str], str], there: bool) -> OfferedView:
    return OfferedView(
        id=name,
        kind=thing.kind.value,
        text="\n".join(tell(line.text) for line in thing.lines) or tell(thing.text),
        key=thing.key,
        said_at=thing.said_at,
        first_round=thing.whence.first,
        last_round=thing.whence.last,
        title=thing.whence.title,
        state=thing.state,
        pinned=thing.pinned,
        may=same or thing.own,
        own=thing.own,
        there=there,
    )
