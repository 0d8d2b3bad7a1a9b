"""Lorebooks that a person keeps."""

from __future__ import annotations

from dataclasses import dataclass

from personas.cards.lore_editing import WrittenBook, WrittenEntry


@dataclass(frozen=True)
class ListedBookView:
    id: str
    name: str
    entries: int
    everywhere: bool
    characters: tuple[str, ...]
    """Ids of those in whose conversations it is read."""
    chats: tuple[str, ...]


@dataclass(frozen=True)
class EntryLineView:
    n: int
    """Its place in the book, from 1."""
    name: str
    keys: tuple[str, ...]
    """The first of them."""
    enabled: bool
    constant: bool
    unusable: tuple[str, ...]
    """Keys that are regular expressions and call nothing up."""


@dataclass(frozen=True)
class LorebookView:
    listed: ListedBookView
    stamp: int
    settings: WrittenBook
    entries: tuple[EntryLineView, ...]


@dataclass(frozen=True)
class LoreEntryView:
    book: str
    n: int
    stamp: int
    written: WrittenEntry
