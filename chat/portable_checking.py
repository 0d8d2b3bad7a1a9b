"""What the records of a bundle say of each other: every reference is to something above it, hashes and ids are what they are made from, nothing is there
twice. With this passed, writing the bundle can only fail for lack of room."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import IO

from chat import portable_memory_records as memories
from chat import portable_records as records
from chat.imported import Fault
from chat.portable_ids import changes, known_persona
from chat.portable_reading import BundleReader
from chat.portable_records import CharacterRecord, ChatRecord, Record
from memory.sessions import LONGEST
from personas.record import MAX_CARD_BYTES, CharacterRefused, character_from_card
from storage.records import SAID, SESSION, TAKEN_BACK, UNIT, sha256, stable_id
from storage.visibility import fullness

MAX_MESSAGES = 200_000


class Checked:
    """One pass over a bundle, done when made. stream: at its beginning; look: as `BundleReader`'s. Raises Fault with the line and the reason.

    It keeps ids, no texts: about 1 KB for each message.
    """

    def __init__(self, stream: IO[bytes], *, look: Callable[[int], None] = lambda read: None) -> None:
        reader = BundleReader(stream, look=look)
        self.header = reader.header
        self._characters: list[CharacterRecord] = []
        self._chats: list[ChatRecord] = []
        self._chat_id = reader.header.chat
        self._names: set[str] = set()
        """Of several characters."""
        self._messages: dict[str, tuple[int, int]] = {}
        """(depth, round) by id."""
        self._revisions: dict[str, tuple[str, str]] = {}
        """(message, hash) by id."""
        self._players: set[str] = set()
        self._branches: set[str] = set()
        self._in_bin: set[str] = set()
        """Branches that were deleted."""
        self._memories: set[str] = set()
        self._carried: set[str] = set()
        self._said: dict[str, int] = {}
        """The round of each that one message told."""
        self._once: set[tuple[str, ...]] = set()
        """What may be there once, and has no id of its own: sessions, recalls, keys."""
        self.named: dict[str, int] = {}
        """Line of every id that must be free in the folder."""
        self.loose: dict[str, int] = {}
        """Line of every id that decisions about memories name and that no memory of the bundle has."""
        self._line = 1
        for line, record in reader.records():
            self._line = line
            try:
                self._check(record)
            except ValueError as error:
                raise Fault(f"line {line}", str(error)) from error
        self.digest = reader.digest
        if not self._chats or not self._characters:
            raise Fault(f"line {self._line}", "it holds no character or no chat")
        if self.chat.active_branch not in self._branches:
            raise Fault(f"line {self._line}", f"the active branch {self.chat.active_branch} is not in the bundle")
        if self.chat.active_branch in self._in_bin:
            raise Fault(f"line {self._line}", f"the active branch {self.chat.active_branch} is in the bin")

    @property
    def chat(self) -> ChatRecord:
        return self._chats[0]

    @property
    def characters(self) -> Sequence[CharacterRecord]:
        """That which the chat is listed under first."""
        return self._characters

    def _check(self, record: Record) -> None:
        match record:
            case records.CharacterRecord():
                self._character(record)
            case records.ChatRecord():
                self._is_one("chat", self._chats)
                if record.id != self._chat_id:
                    raise ValueError("its id is not the one in the header")
                self._members(record)
                self._chats.append(record)
                self._players.update(player.id for player in record.players)
                _distinct("persona", [player.id for player in record.players])
                known_persona(record.settings.get("player"), self)
            case records.MessageRecord():
                self._message(record)
            case records.BranchRecord():
                self._branch(record)
            case records.SessionRecord():
                self.message(record.last_message)
                self._first_time("session", record.last_message)
            case memories.MemoryRecord():
                self._memory(record)
            case memories.DerivationRecord():
                self._first_time("derivation", record.key)
            case memories.RecallRecord():
                self.message(record.message)
                self._first_time("recall", record.message)
                for event in record.events:
                    self._memory_named(event.memory)
                    self._witness(*([event.witness] if event.witness or self._names else []))
                _distinct("event of one memory", [(event.memory, event.witness) for event in record.events])
            case memories.ForgettingRecord():
                self.message(record.message)
                self._memory_named(record.memory)
                self._witness(*([record.witness] if record.witness or self._names else []))
                self._first_time("forgetting", record.memory, record.message, record.effect, record.witness)
            case memories.ReceiptRecord():
                self._receipt(record)
            case memories.EditRecord():
                if record.memory not in self._memories:
                    self.loose.setdefault(record.memory, self._line)
                if record.message:
                    self.message(record.message)
            case records.UndoRecord():
                self.branch(record.branch)
                changes(record.forward, self)
                changes(record.backward, self)
            case records.BinRecord():
                self._new_id(record.id)
                self.branch(record.branch)
                self.message(record.message)
                if record.head is not None:
                    self.message(record.head)
            case records.TaskRecord():
                self._task(record)

    def _character(self, record: CharacterRecord) -> None:
        if record.id in {known.id for known in self._characters}:
            raise ValueError("a character that is there already")
        if len(record.model_dump_json(include={"card", "original"}).encode()) > 2 * MAX_CARD_BYTES:
            raise ValueError(f"a card of more than {MAX_CARD_BYTES // 1024} KiB")
        try:
            character_from_card(record.card, id=record.id)
        except CharacterRefused as error:
            raise ValueError(str(error)) from error
        self._characters.append(record)

    def _members(self, record: ChatRecord) -> None:
        """Whether the characters of a chat are those that the bundle has."""
        known = [character.id for character in self._characters]
        if [member.character for member in record.members] != (known if len(known) > 1 else []):
            raise ValueError("its members are not the characters before it")
        self._names = {member.name for member in record.members}
        if len({name.strip().casefold() for name in self._names}) < len(record.members) or "" in self._names:
            raise ValueError("two of its members have one name, or one has none")

    def _witness(self, *names: str) -> None:
        """Whether those who witnessed something are members of the chat."""
        for name in names:
            if name not in self._names:
                raise ValueError(f"{name!r} is no member of the chat")

    def _message(self, record: records.MessageRecord) -> None:
        if self._names or record.room is not None:
            self._witness(*record.present, *(record.room or ()))
        if len(self._messages) >= MAX_MESSAGES:
            raise Fault(f"line {self._line}", f"more than {MAX_MESSAGES:,} messages", kind="large")
        if record.external_id is not None and record.id != stable_id("message", self._chat_id, record.external_id):
            raise ValueError("its id is not made from its chat and its external id")
        depth, rounds = 0, (0, 1)
        if record.parent is not None:
            self.message(record.parent)
            above, parent_round = self._messages[record.parent]
            depth, rounds = above + 1, (parent_round, parent_round + 1)
        if record.depth != depth or record.round not in rounds:
            raise ValueError("its depth or its round does not follow from the message before it")
        self._new_id(record.id)
        self._messages[record.id] = (record.depth, record.round)
        if record.revisions[0].ordinal != 0:
            raise ValueError("it has no first wording")
        last = -1
        for revision in record.revisions:
            if revision.ordinal <= last:
                raise ValueError("its wordings are not in order")
            last = revision.ordinal
            if revision.id != stable_id("revision", record.id, revision.ordinal):
                raise ValueError(f"the id of wording {revision.ordinal} is not made from its message and its number")
            if revision.sha256 != sha256(revision.text):
                raise ValueError(f"the SHA-256 of wording {revision.ordinal} is not that of its text")
            self._revisions[revision.id] = (record.id, revision.sha256)
            for question, _ in revision.read:
                if question:
                    self.revision(question)
            _distinct("mark of having been read", revision.read)

    def _branch(self, record: records.BranchRecord) -> None:
        if record.parent is not None:
            self.branch(record.parent)
        for message in (record.forked_at, record.head):
            if message is not None:
                self.message(message)
        self._new_id(record.id)
        self._branches.add(record.id)
        if record.deleted_at is not None:
            self._in_bin.add(record.id)
        for selection in record.selections:
            self.message(selection.message)
            if selection.revision is not None:
                self.revision(selection.revision, message=selection.message)
        _distinct("selection of one message", [selection.message for selection in record.selections])
        for message in record.ends:
            self.message(message)
        _distinct("end of a chapter", record.ends)
        for away in record.away:
            self.revision(away.revision)
        _distinct("wording that was put away", [away.revision for away in record.away])

    def _memory(self, record: memories.MemoryRecord) -> None:
        if record.status != "deleted" and record.sha256 != sha256(record.text):
            raise ValueError("its SHA-256 is not that of its text")
        for source in record.sources:
            self.revision(source.revision)
            if self._revisions[source.revision][1] != source.sha256:
                raise ValueError("the SHA-256 of a source is not that of the wording it names")
        self._wordings(record)
        for ground in record.grounds:
            self._memory_named(ground)
        self._places(record)
        _distinct("source", [source.revision for source in record.sources])
        _distinct("ground", record.grounds)
        self._new_id(record.id)
        self._memories.add(record.id)
        if record.kind in ("fact", "persona") and record.origin == "model" and record.slot == SAID:
            self._said[record.id] = record.round_last
        if record.source_count == 0:
            self._carried.add(record.id)

    def _takes_back(self, record: memories.MemoryRecord, rounds: Sequence[int]) -> bool:
        """Whether it can be a mark of that: of one thing that was said before, in a round among its own, and in place at the newest of them."""
        said = [self._said.get(ground) for ground in record.grounds]
        if len(said) == 1 and record.grounds[0] in self._carried:
            said, rounds = [-1], [-1, *rounds]  # what came along was there before all of them
        here = record.round_first == record.round_last == max(rounds)
        return (
            record.kind == "plot" and record.origin == "model" and here and len(said) == 1 and said[0] in rounds and said[0] != max(rounds)
        )

    def _wordings(self, record: memories.MemoryRecord) -> None:
        """A source may be listed in several wordings of its message: of what the model made in those that say the same."""
        listed: dict[str, set[str]] = {}
        for source in record.sources:
            listed.setdefault(self._revisions[source.revision][0], set()).add(source.sha256)
        if record.source_count < len(listed):
            raise ValueError("more sources than it says it has")
        if record.origin == "model" and any(len(hashes) > 1 for hashes in listed.values()):
            raise ValueError("it was derived from one wording of a message, but names several")

    def _places(self, record: memories.MemoryRecord) -> None:
        """What takes the place of others on a path must have its own place there: else it could hide what is said in rounds to come."""
        if record.status == "deleted" or not record.sources:
            return
        rounds = [self._messages[self._revisions[source.revision][0]][1] for source in record.sources]
        if record.slot.startswith(SESSION) != (record.kind == "topic"):
            raise ValueError("it is a topic without a session, or no topic in the place of one")
        if record.kind == "topic":
            first = record.slot.removeprefix(SESSION)
            if not first.isdecimal() or not int(first) <= record.round_first or record.round_last // LONGEST != int(first) // LONGEST:
                raise ValueError("its session is not one of its rounds")
            if record.origin == "model" and not record.slot_rank.startswith(fullness(record.source_count)):
                raise ValueError("its rank is not that of its sources")
        marks_unit = record.slot.startswith(UNIT)
        if marks_unit and (record.kind != "plot" or record.origin != "model"):
            raise ValueError("it marks a unit as read and is no such mark")
        if record.slot == TAKEN_BACK and not self._takes_back(record, rounds):
            raise ValueError("it marks something as taken back and is no such mark")
        if (marks_unit or record.kind == "episode") and (record.round_first, record.round_last) != (min(rounds), max(rounds)):
            raise ValueError("its rounds are not those of its sources")
        if record.kind == "plot" and not any(record.round_first <= number <= record.round_last for number in rounds):
            raise ValueError("it tells of rounds that none of its sources is of")
        if record.kind not in ("plot", "episode") and not min(rounds) <= record.round_first <= record.round_last <= max(rounds):
            raise ValueError("its rounds are not those of its sources")

    def _receipt(self, record: memories.ReceiptRecord) -> None:
        self._new_id(record.id)
        self.message(record.message)
        if record.revision is not None:
            self.revision(record.revision, message=record.message)
            self._first_time("receipt", record.revision)

    def _task(self, record: records.TaskRecord) -> None:
        self.branch(record.branch)
        for revision in record.on:
            self.revision(revision)
        if record.on and record.key != stable_id("task", self._chat_id, record.kind, *record.parts(record.on)):
            raise ValueError("its key is not made from the revisions it names")
        self._first_time("task", record.key)

    # What may be named. These are also the `References` of the undo log.

    def own_chat(self, value: object) -> str:
        return self._known(value, {self._chat_id}, "chat")

    def branch(self, value: object) -> str:
        return self._known(value, self._branches, "branch")

    def message(self, value: object) -> str:
        return self._known(value, self._messages, "message")

    def revision(self, value: object, *, message: object = None) -> str:
        known = self._known(value, self._revisions, "wording")
        if message is not None and self._revisions[known][0] != message:
            raise ValueError("it names a wording of another message")
        return known

    def item(self, value: object) -> str:
        """Things that were in the bin may be out of it, so any id does; putting one in or taking one out touches its own chat alone."""
        if not isinstance(value, str) or not 16 <= len(value) <= 64 or not set(value) <= set("0123456789abcdef"):
            raise ValueError("a thing in the bin without an id")
        return value

    def player(self, value: object) -> str:
        return self._known(value, self._players, "persona")

    def _memory_named(self, value: str) -> None:
        self._known(value, self._memories, "memory")

    @staticmethod
    def _known(value: object, known: object, what: str) -> str:
        if not isinstance(value, str) or value not in known:  # type: ignore[operator]  # sets and mappings
            raise ValueError(f"it names a {what} that does not come before it in the bundle")
        return value

    def _new_id(self, value: str) -> None:
        if value in self.named:
            raise ValueError(f"the id {value} is used twice: first in line {self.named[value]}")
        self.named[value] = self._line

    def _first_time(self, *what: str) -> None:
        if what in self._once:
            raise ValueError(f"a {what[0]} that is there already")
        self._once.add(what)

    @staticmethod
    def _is_one(what: str, there: Sequence[object]) -> None:
        if there:
            raise ValueError(f"a second {what}")


def _distinct(what: str, things: Sequence[Hashable]) -> None:
    if len(set(things)) < len(things):
        raise ValueError(f"the same {what} twice")
