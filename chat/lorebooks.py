"""A person's own lorebooks: read from files and written to them, changed entry by entry, and read in conversations. Every method takes the user; another
user's ids raise LorebookNotFound."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

from chat import views
from chat.errors import LorebookKeyUnknown, LorebooksTooMany, LorebookTooLarge
from chat.lore import Book
from chat.portable import file_name
from chat.portable_export import readable
from chat.reading_process import apart_if_large
from chat.text import keepable
from chat.transfers import Outgoing, Transfers
from personas.cards.json_text import MAX_BYTES
from personas.cards.lore_editing import (
    WrittenBook,
    WrittenEntry,
    as_v3,
    as_world,
    book_of,
    data_of,
    empty,
    entry_of,
    with_entry,
    with_settings,
    without_entry,
)
from personas.cards.lorebook import MAX_ENTRIES, Lorebook
from personas.cards.reading import LorebookFile, read_lorebook
from personas.patterns import PatternUnknown, checked, is_pattern
from personas.record import MAX_LINE_CHARS
from storage.errors import LorebookNotFound
from storage.lorebooks import ListedBook, StoredBook, Uses
from storage.store import Store

FORMS = ("world", "v3")
"""What a lorebook leaves as: SillyTavern's World Info, or a lorebook of V3."""
MOST_BOOKS = 200
"""Of one user: the list is drawn whole."""
MOST_READ = 20
"""In one conversation, the oldest first."""
SHOWN_KEYS = 6


class OwnLorebooks:
    """finish_erasures: makes the files follow what was erased."""

    def __init__(self, store: Store, transfers: Transfers, *, finish_erasures: Callable[[], object]) -> None:
        self._store = store
        self._books = store.lorebooks
        self._transfers = transfers
        self._finish_erasures = finish_erasures

    def all(self, user_id: str) -> tuple[views.ListedBookView, ...]:
        """Newest first."""
        return tuple(map(_listed, self._books.all(user_id)))

    def removed(self, user_id: str) -> tuple[views.ListedBookView, ...]:
        return tuple(map(_listed, self._books.removed(user_id)))

    def look(self, user_id: str, book_id: str) -> views.LorebookView:
        there = self._books.get(user_id, book_id)
        book = _parsed(there)
        return views.LorebookView(
            listed=_listed(ListedBook(there.id, there.name, len(book.entries), there.uses)),
            stamp=there.stamp,
            settings=WrittenBook(there.name, book.description, book.scan_depth, book.token_budget, book.recursive_scanning),
            entries=tuple(
                views.EntryLineView(
                    n=n,
                    name=entry.comment.strip() or entry.name.strip(),
                    keys=entry.keys[:SHOWN_KEYS],
                    enabled=entry.enabled,
                    constant=entry.constant,
                    unusable=tuple(key for key in (*entry.keys, *entry.secondary_keys) if _why_not(key)),
                )
                for n, entry in enumerate(book.entries, start=1)
            ),
        )

    def entry(self, user_id: str, book_id: str, n: int) -> views.LoreEntryView:
        there = self._books.get(user_id, book_id)
        try:
            return views.LoreEntryView(there.id, n, there.stamp, entry_of(there.book, n))
        except IndexError as error:
            raise _no_entry() from error

    # In and out

    def take(self, user_id: str, raw: bytes, *, name: str = "") -> tuple[str, str, LorebookFile]:
        """A lorebook's file as a book of the user's; its id and name. name: of the file, for a book that has none. Raises CardRefused or LorebooksTooMany,
        after which nothing is changed."""
        file = apart_if_large(read_lorebook, raw)
        self._room(user_id)
        title = _line(file.book.name) or _line(name) or "Lorebook"
        made = as_v3(file)
        self._checked(made)
        return self._books.add(user_id, title, made), title, file

    def export(self, user_id: str, book_id: str, form: str) -> Outgoing:
        """A file of one of FORMS, to be fetched once. Raises StorageFull or StorageFailed."""
        name = file_name(self._books.get(user_id, book_id).name)
        return self._transfers.offer(
            user_id, name + (".world.json" if form == "world" else ".lorebook.json"), self.raw(user_id, book_id, form)
        )

    def raw(self, user_id: str, book_id: str, form: str = "v3") -> bytes:
        """The file itself. Raises ExportFailed."""
        with readable("The lorebook"):
            there = self._books.get(user_id, book_id)
            value = as_world(there.book) if form == "world" else there.book
        return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")

    # Changing

    def create(self, user_id: str, name: str) -> str:
        self._room(user_id)
        title = _line(name) or "Lorebook"
        return self._books.add(user_id, title, empty(title))

    def settle(self, user_id: str, book_id: str, new: WrittenBook, *, stamp: int) -> None:
        """Change what is said of the book itself. Raises LorebookChanged."""
        there = self._books.get(user_id, book_id)
        title = _line(new.name) or there.name
        made = with_settings(
            there.book, WrittenBook(title, keepable(new.description), new.scan_depth, new.token_budget, new.recursive_scanning)
        )
        self._change(user_id, there, title, made, stamp)

    def keep(self, user_id: str, book_id: str, n: int, new: WrittenEntry, *, stamp: int) -> None:
        """Write an entry anew, or one more for n = 0. Raises LorebookKeyUnknown, LorebookTooLarge or LorebookChanged, after which nothing is changed."""
        there = self._books.get(user_id, book_id)
        for key in (*new.keys, *new.secondary_keys):
            if why := _why_not(key):
                raise LorebookKeyUnknown(
                    f"“{key}” is no regular expression that can be used ({why}). Nothing was changed.", key=key, why=why
                )
        if n == 0 and len(_parsed(there).entries) >= MAX_ENTRIES:
            raise _too_large()
        try:
            made = with_entry(there.book, n, new)
        except IndexError as error:
            raise _no_entry() from error
        self._change(user_id, there, there.name, made, stamp)

    def drop(self, user_id: str, book_id: str, n: int, *, stamp: int) -> None:
        """Take an entry out of its book. Raises LorebookChanged."""
        there = self._books.get(user_id, book_id)
        try:
            made = without_entry(there.book, n)
        except IndexError as error:
            raise _no_entry() from error
        self._change(user_id, there, there.name, made, stamp)

    def attach(self, user_id: str, book_id: str, *, to: str, target: str, on: bool) -> None:
        """Let a book be read, or no longer, in every conversation (`all`), those with a `character`, or one `chat`. Raises NotFound."""
        uses = self._books.get(user_id, book_id).uses
        if to == "all":
            made = Uses(on, uses.characters, uses.chats)
        elif to == "character":
            if on:
                self._store.chats.character(user_id, target)
            made = Uses(uses.everywhere, _with(uses.characters, target, on=on), uses.chats)
        else:
            if on and target not in {chat.id for chat in self._store.chats.of_user(user_id)}:
                raise LorebookNotFound("There is no such conversation of yours. Nothing was changed.")
            made = Uses(uses.everywhere, uses.characters, _with(uses.chats, target, on=on))
        self._books.use(user_id, book_id, made)

    def remove(self, user_id: str, book_id: str) -> None:
        """Take a book out of the list and every conversation; it can be restored."""
        self._books.remove(user_id, book_id)

    def restore(self, user_id: str, book_id: str) -> None:
        self._room(user_id)
        self._books.restore(user_id, book_id)

    def erase(self, user_id: str, book_id: str) -> None:
        """Erase a removed book, copies in backups included. Raises ErasureUnfinished if it takes another start."""
        self._store.erasures.lorebook(user_id, book_id)
        self._finish_erasures()

    def _change(self, user_id: str, there: StoredBook, name: str, made: Mapping[str, object], stamp: int) -> None:
        self._checked(made)
        self._books.change(user_id, there.id, name, made, stamp=stamp)

    def _checked(self, made: Mapping[str, object]) -> None:
        if len(json.dumps(made, ensure_ascii=False).encode("utf-8", "replace")) > MAX_BYTES:
            raise _too_large()
        book_of(made)

    def _room(self, user_id: str) -> None:
        if len(self._books.all(user_id)) >= MOST_BOOKS:
            raise LorebooksTooMany(f"You have {MOST_BOOKS} lorebooks; more are not kept. Remove one first.", limit=MOST_BOOKS)


def books_of(store: Store, user_id: str, *, character_id: str, chat_id: str = "") -> tuple[Book, ...]:
    """The lorebooks that are read in a conversation beside its card's."""
    found = store.lorebooks.read_in(user_id, character_id=character_id, chat_id=chat_id)[:MOST_READ]
    return tuple(Book(one.id, one.name, _parsed(one)) for one in found)


def _parsed(stored: StoredBook) -> Lorebook:
    return _read(stored.id, stored.stamp, json.dumps(data_of(stored.book)))


@lru_cache(maxsize=32)
def _read(book_id: str, stamp: int, data: str) -> Lorebook:
    return book_of({"data": json.loads(data)})


def _with(ids: tuple[str, ...], one: str, *, on: bool) -> tuple[str, ...]:
    others = tuple(there for there in ids if there != one)
    return (*others, one) if on else others


def _why_not(key: str) -> str:
    if is_pattern(key):
        try:
            checked(key)
        except PatternUnknown as error:
            return str(error)
    return ""


def _line(text: str) -> str:
    with suppress(UnicodeError):
        text = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(keepable(text).split())[:MAX_LINE_CHARS]


def _no_entry() -> LorebookNotFound:
    return LorebookNotFound("There is no such entry in this lorebook. Nothing was changed.")


def _too_large() -> LorebookTooLarge:
    return LorebookTooLarge(
        f"A lorebook may have {MAX_ENTRIES:,} entries and {MAX_BYTES // 2**20} MiB. Nothing was changed.",
        entries=MAX_ENTRIES,
        limit=MAX_BYTES // 2**20,
    )


def _listed(one: ListedBook) -> views.ListedBookView:
    return views.ListedBookView(one.id, one.name, one.entries, one.uses.everywhere, one.uses.characters, one.uses.chats)
