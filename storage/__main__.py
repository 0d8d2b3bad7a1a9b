"""Care of the data folder: `python -m storage backup | backups | restore FILE | rebuild-index | check`.

A program like `app.py`, named after the room it serves: nothing imports it, and so it may call what stands above this room (docs/design.md).
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. What was done is kept; the same command goes on from there.")

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from tqdm import tqdm

from errors import KeepsakeError
from settings import Settings, quiet_libraries, read_settings
from storage.backup import Backups
from storage.checking import check
from storage.folder import DataFolder


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0, 1 if it could not be done or a check found a fault, 130 or 143 if it was stopped."""
    parser = argparse.ArgumentParser(prog="python -m storage", description="Care of Keepsake's data folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("backup", help="back the database up now; the app may be running")
    commands.add_parser("backups", help="list the backups")
    restoring = commands.add_parser("restore", help="make a backup the database; the app must not be running")
    restoring.add_argument("file", type=Path, metavar="FILE", help="a backup, or its name in the folder of backups")
    commands.add_parser("rebuild-index", help="write Chroma's index anew from the stored vectors; the app must not be running")
    commands.add_parser("check", help="look for damage; changes nothing")
    options = parser.parse_args(arguments)
    settings = read_settings()
    quiet_libraries(settings)
    folder = DataFolder(settings.data_dir)
    backups = Backups(folder, keep=settings.backup_keep)
    try:
        if options.command == "backup":
            return _back_up(backups)
        if options.command == "backups":
            return _list(backups)
        if options.command == "restore":
            return _restore(folder, backups, options.file)
        if options.command == "check":
            return _check(folder)
        return _rebuild(settings)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        folder.release()


def _back_up(backups: Backups) -> int:
    with tqdm(desc="Copying", unit=" pages", disable=None) as progress:

        def show(done: int, total: int) -> None:
            progress.total = total
            progress.update(done - progress.n)

        made = backups.make(on_progress=show)
    if made is None:
        print(f"Nothing changed since {backups.all()[0].path.name}; no further backup was made.")
    else:
        print(f"{made.path} ({made.bytes / 1e6:.1f} MB)")
    return 0


def _list(backups: Backups) -> int:
    for backup in backups.all():
        print(f"{backup.path}  {backup.made_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC  {backup.bytes / 1e6:.1f} MB")
    return 0


def _restore(folder: DataFolder, backups: Backups, file: Path) -> int:
    folder.own()
    done = backups.restore(file if file.exists() or file.parent != Path() else folder.backups / file)
    print(f"{file.name} is the database now." + (f" What was there before is kept as {done.aside.name}." if done.aside else ""))
    if done.erased:
        print(f"{done.erased} things that were erased for good since were erased from it too.")
    print("The next start of Keepsake builds the memory index again from it.")
    return 0


def _check(folder: DataFolder) -> int:
    faults = 0
    for finding in check(folder):
        faults += bool(finding.fault)
        print(
            f"{'FAULT' if finding.fault else 'ok':5}  {finding.what}"
            + "".join(f": {part}" for part in (finding.fault, finding.note) if part)
        )
    return 1 if faults else 0


def _rebuild(settings: Settings) -> int:
    from chat.assembly import open_memory

    memory = open_memory(settings)
    try:
        with tqdm(desc="Indexing", unit=" memories", disable=None) as progress:

            def show(done: int, total: int) -> None:
                progress.total = total
                progress.update(done - progress.n)

            memory.engine.rebuild_index(on_progress=show)
        print(f"The index holds {len(memory.index.ids())} memories.")
    finally:
        memory.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
