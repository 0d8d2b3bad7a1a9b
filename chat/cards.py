"""Cards of other programs that become a person's own characters, and own characters that leave as cards. Every method takes the user."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from chat import views
from chat.arrivals import Arrivals
from chat.characters import OwnCharacters, checked
from chat.lorebooks import OwnLorebooks
from chat.portable import file_name
from chat.portable_export import readable
from chat.reading_process import SMALL_BYTES, apart, apart_if_large
from chat.transfers import Outgoing, Transfers
from memory.episodes import language_of
from personas.adopted import adopted, outgoing, read_with_face, record_of
from personas.cards.editing import PRIVATE, shareable
from personas.cards.png import SIGNATURE
from personas.cards.reading import MAX_BYTES, CardFile, avatar, card_file, read_lorebook
from personas.cards.refused import CardIsLorebook, CardPictureUnusable, CardTooLarge
from personas.cards.report import Dropped, ImportReport, Note
from personas.cards.writing import Written, write_charx, write_json, write_png
from personas.pictures import as_png, drawn
from storage.characters import CharacterFile, NewCard
from storage.store import Store

FORMS = ("png", "v3", "v2", "charx", "came")
"""The last is the file as it came, which is kept where something in it had to be put right."""
SUFFIXES = {"png": ".png", "v3": ".json", "v2": ".v2.json", "charx": ".charx"}
NOTICE = "(This copy in the older format leaves out some of what the card says in its newer one.)"
UNUSED = (
    "spec_version",
    "creator_notes_multilingual",
    "source",
    "creation_date",
    "modification_date",
    "character_version",
)
"""Fields that are read and that no conversation uses; the first is what every card has."""
ROOM = 3
"""A card takes its file's size up to so many times: unpacked in the database, and in the log beside it."""
_NAMES = {"creatorcomment": "creator_notes", "char_name": "name", "char_persona": "description", "char_greeting": "first_mes"}
_NAMES |= {"example_dialogue": "mes_example", "world_scenario": "scenario"}
"""Names of flat cards, as V3 has them."""


class Cards:
    def __init__(self, store: Store, own: OwnCharacters, transfers: Transfers) -> None:
        self._store = store
        self._own = own
        self._transfers = transfers
        self.books: OwnLorebooks | None = None
        """Where lorebooks go that come in without a card."""
        self._arrivals = Arrivals(store.folder.root, room=ROOM)
        """Few at a time, since each is read in memory."""

    @contextmanager
    def coming(self, user_id: str, size: int) -> Iterator[int]:
        """A place for a file of that many announced bytes, 0 if unknown; the most it may have. Raises CardTooLarge, ImportRunning or ImportNoRoom."""
        if size > MAX_BYTES:
            raise too_large()
        self._arrivals.begin(user_id, size)
        try:
            yield MAX_BYTES
        finally:
            self._arrivals.end(user_id)

    def take(self, user_id: str, raw: bytes, *, how: str = "ask", character_id: str = "", name: str = "") -> views.CardTakenView:
        """A file as a character, or as a lorebook if it is one by itself. name: of the file, for a character or lorebook without one.
        how: `ask` adds it unless it, or one of its name, is in the list; `look` does so unless something was put right in it or lost, which is told first;
        `beside` adds it; `update` puts it in the place of
        `character_id`'s card, whose picture stays where the file has none.

        Raises CardRefused, HeavyFile, CharacterTooLarge, CharactersTooMany or CharacterNotFound, after which nothing is changed.
        """
        try:
            file, small = _read(raw, name)
        except CardIsLorebook:
            if self.books is None:
                raise
            return self._lorebook(user_id, raw, self.books, name, how)
        card, origin = adopted(file, language=_language(file)), _fingerprint(file)
        if how == "update":
            self._keep_record(user_id, character_id, file, card)
            new = self._new(file, card, origin, small, raw, name)
            if not any(kept.kind == "avatar" for kept in new.files):
                before = self._store.characters.files(user_id, character_id)
                new = replace(new, files=[*new.files, *(kept for kept in before if kept.kind != "member" and not kept.name)])
            self._store.characters.replace(user_id, character_id, new)
            self._own.read_anew(user_id, character_id)
            return _taken("updated", character_id, file)
        if how in ("ask", "look") and (there := self._there(user_id, file, origin)) is not None:
            return there
        if how == "look" and _is_told_first(file.report):
            return _taken("mended", "", file)
        return _taken("added", self._own.add(user_id, self._new(file, card, origin, small, raw, name)), file)

    def _lorebook(self, user_id: str, raw: bytes, books: OwnLorebooks, called: str, how: str) -> views.CardTakenView:
        if how == "look" and _is_told_first((file := apart_if_large(read_lorebook, raw)).report):
            outcome, book_id, name = "mended", "", file.book.name or called
        else:
            outcome, (book_id, name, file) = "lorebook", books.take(user_id, raw, name=called)
        return views.CardTakenView(
            outcome=outcome, id=book_id, name=name, there="", creator="", notes="", report=_report(file.report, ours=False)
        )

    def _there(self, user_id: str, file: CardFile, origin: str) -> views.CardTakenView | None:
        listed = self._store.characters.all(user_id)
        same = self._store.characters.of_origin(user_id, origin)
        if same:
            name = next(one.name for one in listed if one.id == same[0])
            return _taken("same", same[0], file, there=name)
        named = next((one for one in listed if one.name.casefold() == file.card.name.casefold()), None)
        return _taken("named", named.id, file, there=named.name) if named is not None else None

    def _keep_record(self, user_id: str, character_id: str, file: CardFile, card: dict[str, object]) -> None:
        """Let what a card says nothing of stay: language, line for the list, persona record and stances."""
        before = self._store.characters.card(user_id, character_id).card["data"]
        data = card["data"]
        assert isinstance(before, dict)
        assert isinstance(data, dict)
        if record_of(file) is None:
            data["extensions"] = {**data["extensions"], "keepsake": before["extensions"]["keepsake"]}

    def _new(self, file: CardFile, card: Mapping[str, object], origin: str, small: bytes | None, raw: bytes, name: str) -> NewCard:
        files = [CharacterFile("avatar", small)] if small is not None else []
        files += [CharacterFile("picture", file.picture)] if file.picture is not None else []
        files += [CharacterFile("picture", raw, name or "card")] if file.report.mended else []
        files += [CharacterFile("member", content, name) for name, content in file.members.items()]
        return checked(card, original=file.original, files=files, origin=origin)

    # Out

    def look(self, user_id: str, character_id: str) -> views.CardOutView:
        """What a character may go out as, and what that leaves out."""
        file = self._file(user_id, character_id)
        return views.CardOutView(
            forms=tuple(
                form for form in FORMS if (form != "charx" or file.members) and (form != "came" or self._came(user_id, character_id))
            ),
            private=_private(file),
            left_out=tuple(place for place in write_json(file, version=2).left_out if place not in file.members),
            members=len(file.members),
        )

    def export(self, user_id: str, character_id: str, form: str, *, private: bool) -> Outgoing:
        """A file of one of FORMS, to be fetched once. private: with what other programs left there of their owner. Raises CharacterNotFound, CardRefused,
        StorageFull or StorageFailed."""
        file = self._file(user_id, character_id)
        if form == "came" and (came := self._came(user_id, character_id)) is not None:
            return self._transfers.offer(user_id, file_name(came.name) + _ending(came.content), came.content)
        if not private:
            file = shareable(file)
        return self._transfers.offer(user_id, file_name(file.card.name) + SUFFIXES[form], _written(file, form).raw)

    def raw(self, user_id: str, character_id: str) -> tuple[str, bytes]:
        """For its owner: the ending of a file's name and the file, in the form that holds all of this card. Raises CharacterNotFound, CardRefused, ExportFailed."""
        with readable("The card"):
            return _whole(self._file(user_id, character_id))

    def shared(self, user_id: str, character_id: str) -> tuple[str, bytes]:
        """As `raw`, without what other programs left there of their owner."""
        with readable("The card"):
            return _whole(shareable(self._file(user_id, character_id)))

    def face(self, user_id: str, character_id: str) -> bytes:
        """The avatar of one of the user's characters: a PNG of our own making. Raises CharacterNotFound."""
        return self._store.characters.face(user_id, character_id)

    def _file(self, user_id: str, character_id: str) -> CardFile:
        """The card as it came with what was changed here."""
        there = self._store.characters.card(user_id, character_id)
        files = self._store.characters.files(user_id, character_id)
        picture = next((file.content for file in files if file.kind == "picture" and not file.name), None)
        came = card_file(there.original, picture=picture, members={file.name: file.content for file in files if file.kind == "member"})
        return outgoing(came, there.card, language=_language(came))

    def _came(self, user_id: str, character_id: str) -> CharacterFile | None:
        """The file that a card came in, where it had to be mended."""
        files = self._store.characters.files(user_id, character_id)
        return next((file for file in files if file.kind == "picture" and file.name), None)


def _is_told_first(report: ImportReport) -> bool:
    """Whether something was put right in a file, or cannot be found in it, so that its owner should hear of it before it comes in."""
    return bool(report.mended) or any(note.code in (Dropped.ENTRY, Dropped.UNREACHABLE) for note in report.dropped)


def _ending(raw: bytes) -> str:
    """What the name of a file ends in, by its content."""
    kinds = {SIGNATURE: ".png", b"PK": ".charx", b"\xff\xd8\xff": ".jpg", b"RIFF": ".webp"}
    return next((ending for begin, ending in kinds.items() if raw.startswith(begin)), ".avif" if raw[4:8] == b"ftyp" else ".json")


def too_large() -> CardTooLarge:
    return CardTooLarge("CHARX", limit=MAX_BYTES)


def _read(raw: bytes, name: str) -> tuple[CardFile, bytes | None]:
    """Apart, unless it is a small text without a picture in it. Raises CardRefused or HeavyFile."""
    small = len(raw) <= SMALL_BYTES and raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b"base64" not in raw
    return read_with_face(raw, name) if small else apart(read_with_face, raw, name)


def _whole(file: CardFile) -> tuple[str, bytes]:
    form = "charx" if file.members else "png"
    return SUFFIXES[form], _written(file, form).raw


def _written(file: CardFile, form: str) -> Written:
    match form:
        case "v3":
            return write_json(file, version=3)
        case "v2":
            return write_json(file, version=2)
        case "charx":
            return write_charx(file)
    icon = avatar(file)
    if icon is not None and icon.startswith(SIGNATURE):
        with suppress(CardPictureUnusable):
            return write_png(file, icon, notice=NOTICE)
    return write_png(file, (icon and as_png(icon)) or drawn(file.card.name), notice=NOTICE)


def _language(file: CardFile) -> str:
    card = file.card
    return language_of("\n".join((card.name, card.description, card.personality, card.scenario, card.first_mes)))


def _fingerprint(file: CardFile) -> str:
    """Of everything that is kept of a file, so that the same card is known again in whatever it comes."""
    digest = hashlib.sha256(json.dumps(file.original, sort_keys=True).encode())
    for name, content in sorted({"": file.picture or b"", **file.members}.items()):
        digest.update(hashlib.sha256(name.encode() + b"\0" + content).digest())
    return digest.hexdigest()


def _private(file: CardFile) -> tuple[str, ...]:
    top = tuple(key for key in PRIVATE if key in file.original)
    data = file.original.get("data")
    extensions = data.get("extensions") if isinstance(data, dict) else None
    return (*top, "data.extensions.fav") if isinstance(extensions, dict) and "fav" in extensions else top


def _taken(outcome: str, character_id: str, file: CardFile, *, there: str = "") -> views.CardTakenView:
    card = file.card
    return views.CardTakenView(
        outcome=outcome,
        id=character_id,
        name=card.name,
        there=there,
        creator=card.creator,
        notes=card.creator_notes,
        report=_report(file.report, ours=record_of(file) is not None),
    )


def _report(report: ImportReport, *, ours: bool) -> views.CardReportView:
    """ours: whether the card brings a record of ours, which is used."""
    heads: dict[str, None] = {}
    for note in report.used:
        heads.setdefault(_head(note.field))
    kept = [views.CardNoteView("unused", place, 1, "") for place in heads if place in UNUSED[1:]]
    kept += [_note(note) for note in report.kept if not (ours and note.field == "data.extensions.keepsake")]
    return views.CardReportView(
        form=report.form.value,
        container=report.container.value,
        used=tuple(place for place in heads if place not in UNUSED),
        kept=tuple(kept),
        coerced=tuple(map(_note, report.coerced)),
        mended=tuple(map(_note, report.mended)),
        dropped=tuple(map(_note, report.dropped)),
        unlisted=report.unlisted,
    )


def _head(place: str) -> str:
    """The field of V3 that a place is in: `assets` for `data.assets[].uri`, `depth_prompt` for one of its parts."""
    inner = place.removeprefix("data.").removeprefix("extensions.")
    name = inner.partition(".")[0].removesuffix("[]")
    return _NAMES.get(name, name)


def _note(note: Note) -> views.CardNoteView:
    return views.CardNoteView(note.code, note.field, note.n, note.detail)
