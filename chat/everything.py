"""All that is one person's in one archive: conversations as bundles, characters as cards, lorebooks, personas. Bundles, cards and lorebooks are
files that this program imports by themselves; personas are a list with their pictures, to be read.

What cannot be written is left out and named, with the reason, in the archive itself and to whoever asked for it: the rest of what is somebody's must not stay
behind for one thing that is damaged.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from chat.cards import Cards
from chat.lorebooks import OwnLorebooks
from chat.portable import KEPT_S, Portable, file_name
from chat.portable_fields import SUFFIX
from chat.transfers import Outgoing, Transfers
from errors import KeepsakeError
from machine import NEW_FILE
from storage.errors import CharacterNotFound, storage_error
from storage.store import Store
from storage.wall import wall_now

T = TypeVar("T")
NAME = "keepsake-{day:%Y-%m-%d}.zip"
CARDS_NAME = "keepsake-characters-{day:%Y-%m-%d}.zip"
_ABOUT = """What is yours in Keepsake, on {day:%Y-%m-%d}.

conversations/  {chats}: every wording, branch, memory and receipt; "Import", or dropped on the page
characters/     {characters}: character cards, which other role-play programs read as well; dropped on the page, many at once
lorebooks/      {lorebooks}: V3 lorebooks; dropped on the page
personas.json   {players}: names and descriptions, beside it their pictures

Not in here: what is in the bin, temporary conversations, connections to models and their keys, accounts, what was learned (Learning saves it as a file of its own).
Nothing in here is sealed: whoever has the file reads it.

这里是你在 Keepsake 里的全部内容。conversations/ 是对话，用“导入”或拖到页面上即可带回；characters/ 是角色卡，可一次拖入多张；lorebooks/ 是世界书；
personas.json 是你的身份，图片在旁边。不含回收站、临时对话、模型连接和密钥、账号，以及学到的参数。文件没有加密，拿到它的人都能读。
"""
LEFT_OUT = "LEFT-OUT.txt"
_SOME_LEFT_OUT = """
Not everything could be written: see {file}.
有些内容没能写入，见 {file}。
"""
_NAMED_LEFT_OUT = """These are not in the archive, because they could not be written. They are still in Keepsake as they were; everything else is here.
以下内容没能写入，不在这个文件里。它们仍原样留在 Keepsake 中；其余的都在这里。
"""
KINDS = {
    "conversations": ("Conversation", "对话"),
    "characters": ("Character", "角色"),
    "lorebooks": ("Lorebook", "世界书"),
    "personas": ("Picture of a persona", "身份的图片"),
}


@dataclass(frozen=True)
class LeftOut:
    """Something that is not in an archive. kind: of KINDS; name: its title or name; why: as its own export would say."""

    kind: str
    name: str
    why: KeepsakeError


Tell = Callable[[KeepsakeError], Sequence[str]]
"""A reason in every language the page has."""


class Everything:
    def __init__(self, store: Store, portable: Portable, cards: Cards, lorebooks: OwnLorebooks, transfers: Transfers) -> None:
        self._store = store
        self._portable = portable
        self._cards = cards
        self._lorebooks = lorebooks
        self._transfers = transfers

    def export(self, user_id: str, *, tell: Tell) -> tuple[Outgoing, Sequence[LeftOut]]:
        """The archive, to be fetched once, and what is not in it. tell: for the archive's own list of that. Raises StorageFull or StorageFailed."""
        now = wall_now()
        return self._made(user_id, NAME.format(day=now), lambda path: self._write(user_id, path, now, tell))

    def export_cards(self, user_id: str, character_ids: Sequence[str], *, tell: Tell) -> tuple[Outgoing, Sequence[LeftOut]]:
        """Some own characters as an archive of cards, as they may be given away: without what other programs left there of their owner. Raises
        CharacterNotFound for any that is not in the user's list."""
        listed = {one.id: one.name for one in self._store.characters.all(user_id)}
        wanted = list(dict.fromkeys(character_ids))
        if any(character_id not in listed for character_id in wanted) or not wanted:
            raise CharacterNotFound("There is no such character of yours. Nothing was changed.")

        def write(path: Path) -> list[LeftOut]:
            path.touch(mode=0o600)
            with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:  # pictures and archives do not get smaller
                archive = _Archive(file, path.with_name("one"))
                for name, character_id in _named("", [(listed[i], i) for i in wanted]):
                    with archive.unless_left_out("characters", listed[character_id]):
                        suffix, card = self._cards.shared(user_id, character_id)
                        file.writestr(f"{name}{suffix}", card)
                archive.tell_left_out(tell)
            return archive.left_out

        return self._made(user_id, CARDS_NAME.format(day=wall_now()), write)

    def _made(self, user_id: str, name: str, write: Callable[[Path], list[LeftOut]]) -> tuple[Outgoing, Sequence[LeftOut]]:
        folder = self._store.folder
        folder.clear_exports(older_than_s=KEPT_S)
        with folder.copying():  # else it might hold what is being erased
            own = folder.exports / secrets.token_hex(16)
            path = own / name
            try:
                own.mkdir(parents=True, mode=0o700)
                left_out = write(path)
            except OSError as error:
                shutil.rmtree(own, ignore_errors=True)
                raise storage_error(error) from error
            except BaseException:
                shutil.rmtree(own, ignore_errors=True)
                raise
        return self._transfers.wait(user_id, path), left_out

    def _write(self, user_id: str, path: Path, now: datetime, tell: Tell) -> list[LeftOut]:
        chats, characters = self._store.chats.of_user(user_id), self._store.characters.all(user_id)
        books, players = self._store.lorebooks.all(user_id), self._store.players.all(user_id)
        path.touch(mode=0o600)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            archive = _Archive(file, path.with_name("one"))
            for name, chat in _named("conversations", [(c.title or c.character_name, c) for c in chats]):
                with archive.unless_left_out("conversations", chat.title or chat.character_name):
                    archive.add_lines(f"{name}{SUFFIX}", self._portable.lines(user_id, chat.id))
            for name, one in _named("characters", [(c.name, c) for c in characters]):
                with archive.unless_left_out("characters", one.name):
                    suffix, card = self._cards.raw(user_id, one.id)
                    file.writestr(f"{name}{suffix}", card)
            for name, book in _named("lorebooks", [(b.name, b) for b in books]):
                with archive.unless_left_out("lorebooks", book.name):
                    file.writestr(f"{name}.lorebook.json", self._lorebooks.raw(user_id, book.id))
            told = [{"name": p.name, "description": p.description, "picture": ""} for p in players]
            for place, (name, player) in enumerate(_named("personas", [(p.name, p) for p in players])):
                if player.face:
                    with archive.unless_left_out("personas", player.name):
                        file.writestr(f"{name}.png", self._store.players.face(user_id, player.id))
                        told[place]["picture"] = f"{name}.png"
            file.writestr("personas.json", json.dumps(told, ensure_ascii=False, indent=1))
            missing = Counter(one.kind for one in archive.left_out)
            about = _ABOUT.format(
                day=now,
                chats=len(chats) - missing["conversations"],
                characters=len(characters) - missing["characters"],
                lorebooks=len(books) - missing["lorebooks"],
                players=len(players),
            )
            if archive.left_out:
                about += _SOME_LEFT_OUT.format(file=LEFT_OUT)
            archive.tell_left_out(tell)
            file.writestr("README.txt", about)
        return archive.left_out


class _Archive:
    """part: where a conversation is written first, as what is in an archive stays there."""

    def __init__(self, file: zipfile.ZipFile, part: Path) -> None:
        self._file = file
        self._part = part
        self.left_out: list[LeftOut] = []

    @contextmanager
    def unless_left_out(self, kind: str, name: str) -> Iterator[None]:
        """Takes note of what cannot be written; a disk that is full or broken is everybody's trouble, and an OSError."""
        try:
            yield
        except KeepsakeError as error:
            self.left_out.append(LeftOut(kind, name, error))

    def tell_left_out(self, tell: Tell) -> None:
        if self.left_out:
            self._file.writestr(LEFT_OUT, _NAMED_LEFT_OUT + "".join(_told(one, tell(one.why)) for one in self.left_out))

    def add_lines(self, name: str, lines: Iterator[bytes]) -> None:
        try:
            with os.fdopen(os.open(self._part, NEW_FILE, 0o600), "wb") as part:
                part.writelines(lines)
            self._file.write(self._part, name)
        finally:
            self._part.unlink(missing_ok=True)


def _told(one: LeftOut, reasons: Sequence[str]) -> str:
    name = " ".join(one.name.split())  # a line to itself, whatever it holds
    return f"\n{' / '.join(KINDS[one.kind])}: {name}\n" + "".join(f"  {reason}\n" for reason in reasons)


def _named(folder: str, things: Sequence[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Each with a path of its own in the archive; equal titles are told apart by their place."""
    for place, (title, thing) in enumerate(things, start=1):
        yield f"{folder}{'/' if folder else ''}{place:03d}-{file_name(title)}", thing
