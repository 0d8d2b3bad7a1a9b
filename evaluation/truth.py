"""Is what is remembered true? A seeded sample of facts and persona values as a sheet for readers, and how far two readers agree.

    python -m evaluation.truth sheet --data FILE [FILE ...] --out SHEET.jsonl [--n 100] [--seed 0]
    python -m evaluation.truth agree READER1.jsonl READER2.jsonl

A line of the sheet holds an item with what was said around it. A reader adds `true` (the source says so), `owner` (of the right person) and
`alone` (understood by itself), each true or false, and may add `why`; readers do not see each other's sheets.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import KeepsakeError
from evaluation.measures import proportion_interval
from evaluation.progress import steps
from libraries import needed
from settings import Settings, quiet_libraries, read_settings

CRITERIA = ("true", "owner", "alone")
CHARACTERS = {"en": "Ari", "zh": "阿忆"}
"""Names for characters that a file has none for."""
AROUND = 2
"""Messages before the source that are shown with it, for what "it" and "there" mean."""


class Item(BaseModel):
    """One line of a sheet; of a filled one the three verdicts are there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=80)]
    conversation: str
    language: str
    kind: str
    key: str
    """Of a persona value."""
    about: str
    text: str
    said: list[str]
    """What was said, the source marked by `>`; days of the messages in front."""
    true: bool | None = None
    owner: bool | None = None
    alone: bool | None = None
    why: str = ""


class SheetRefused(KeepsakeError):
    """A sheet that cannot be used; params: `file`, `reason`."""

    code = "sheet_refused"


def sample(paths: Sequence[Path], *, n: int, seed: int) -> list[Item]:
    """n facts and persona values, as many of each file; of each conversation of a file about as many. Raises KeepsakeError for a file that is refused."""
    from chat.import_formats import read_exactly

    chosen: list[Item] = []
    for place, path in enumerate(paths):
        share = n * (place + 1) // len(paths) - n * place // len(paths)
        rng = random.Random(f"{seed} {path.name}")
        piles = []
        for conversation in steps(read_exactly(path), path.name):
            pile = list(_items(conversation))
            rng.shuffle(pile)
            piles.append(pile)
        rng.shuffle(piles)
        drawn: list[Item] = []
        while len(drawn) < share and any(piles):
            drawn += [pile.pop() for pile in piles if pile][: share - len(drawn)]
        chosen += drawn
    return chosen


def _items(conversation: object) -> Iterator[Item]:
    """Everything that is remembered of a conversation without a language model, with what was said around it."""
    from chat.assembly import DEFAULT_NAMES, open_memory
    from chat.imported import ImportedConversation
    from evaluation.talks import written
    from memory.episodes import language_of
    from storage.records import Kind

    assert isinstance(conversation, ImportedConversation)
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
        try:
            language = language_of("\n".join(m.text for m in conversation.messages[:40]))
            conversation = conversation.named(user=DEFAULT_NAMES[language], character=CHARACTERS[language])
            talk = written(memory, conversation, language=language)
            path = memory.store.chats.span(talk.scope, talk.branch_id, first_round=0, last_round=talk.after)
            places = {m.id: place for place, m in enumerate(path)}
            seen = memory.store.memories.on_path(talk.scope, talk.branch_id).of_kinds((Kind.FACT, Kind.PERSONA))
            for found in sorted(memory.store.memories.get(talk.scope, seen.ids).values(), key=lambda m: (m.round_last, m.kind, m.text)):
                sources = {places[s.message_id] for s in found.sources}
                lines = range(max(0, min(sources) - AROUND), max(sources) + 1)
                yield Item(
                    id=found.id,
                    conversation=conversation.key,
                    language=language,
                    kind=found.kind.value,
                    key=str(found.payload.get("key", "")),
                    about=found.subject,
                    text=found.text,
                    said=[f"{'>' if i in sources else ' '} {path[i].said_at:%Y-%m-%d} {path[i].speaker}: {path[i].text}" for i in lines],
                )
        finally:
            memory.close()


def read_sheet(path: Path) -> dict[str, Item]:
    """A filled sheet by item id. Raises SheetRefused for one that is not there, not filled or not a sheet."""
    try:
        items = [Item.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise SheetRefused(
            f"{path.name} cannot be read as a sheet: {str(error).splitlines()[0]}", file=path.name, reason=str(error)
        ) from error
    if not items:
        raise SheetRefused(f"{path.name} has no items", file=path.name, reason="no items")
    if empty := [item.id for item in items if None in (item.true, item.owner, item.alone)]:
        raise SheetRefused(f"{path.name}: {len(empty)} items have no verdict, the first is {empty[0]}", file=path.name, reason="empty")
    return {item.id: item for item in items}


def agreement(first: Path, second: Path) -> list[str]:
    """Lines of a table: by language and together, how many items each reader found good, and Cohen's kappa of the two."""
    cohen_kappa_score = needed("sklearn.metrics").cohen_kappa_score

    one, other = read_sheet(first), read_sheet(second)
    if one.keys() != other.keys():
        raise SheetRefused(f"{first.name} and {second.name} are not about the same items", file=second.name, reason="different items")
    lines = ["| | n | reader 1 | reader 2 | both | agree | kappa |", "| --- | --- | --- | --- | --- | --- | --- |"]
    ids = list(one)
    for language in (*sorted({item.language for item in one.values()}), ""):
        inside = [i for i in ids if language in ("", one[i].language)]
        for name in (*CRITERIA, "good"):
            a, b = ([_verdict(sheet[i], name) for i in inside] for sheet in (one, other))
            both = proportion_interval(sum(x and y for x, y in zip(a, b, strict=True)), len(inside))
            agree = sum(x == y for x, y in zip(a, b, strict=True)) / len(inside)
            # Where both say the same of everything chance would agree as well, and kappa is not defined.
            kappa = f"{cohen_kappa_score(a, b):.2f}" if len({*a, *b}) > 1 else "–"
            lines.append(
                f"| {language or 'all'}: {name} | {len(inside)} | {sum(a)} | {sum(b)} | {both.value:.3f} [{both.low:.3f}, {both.high:.3f}] "
                f"| {agree:.3f} | {kappa} |"
            )
    return lines


def _verdict(item: Item, name: str) -> bool:
    return all(getattr(item, criterion) for criterion in CRITERIA) if name == "good" else bool(getattr(item, name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a file was refused, 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.truth", description="A sample of memories for readers, and how far they agree."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet", help="draw a sample")
    sheet.add_argument("--data", required=True, nargs="+", type=Path, help="files that the importer reads; each gives an equal share")
    sheet.add_argument("--out", required=True, type=Path)
    sheet.add_argument("--n", type=int, default=100)
    sheet.add_argument("--seed", type=int, default=0)
    agree = commands.add_parser("agree", help="compare two filled sheets")
    agree.add_argument("sheets", nargs=2, type=Path)
    options = parser.parse_args(arguments)
    quiet_libraries(read_settings())
    try:
        if options.command == "agree":
            print("\n".join(agreement(*options.sheets)))
            return 0
        items = sample(options.data, n=options.n, seed=options.seed)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    lines = (json.dumps(item.model_dump(), ensure_ascii=False) for item in items)
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(items)} items in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
