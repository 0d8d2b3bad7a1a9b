"""Failures of the data folder and the database that a person can act on."""

from __future__ import annotations

import errno
import sqlite3

from errors import KeepsakeError


class FolderBusy(KeepsakeError):
    code = "folder_busy"


class FolderTooNew(KeepsakeError):
    code = "folder_too_new"


class StorageFull(KeepsakeError):
    code = "storage_full"


class StorageReadOnly(KeepsakeError):
    """Nothing can be written in the data folder: its disk, or what it is mounted as, is for reading only."""

    code = "storage_read_only"


class StorageFailed(KeepsakeError):
    code = "storage_failed"


class StorageDamaged(KeepsakeError):
    code = "storage_damaged"


class ErasureUnfinished(KeepsakeError):
    """What was asked to be erased is recorded, and the next start finishes it; until then it is not erased for good."""

    code = "erasure_unfinished"


class NoRoom(KeepsakeError):
    """A backup would leave too little of the disk."""

    code = "backup_no_room"


class BackupUnusable(KeepsakeError):
    """The file is no backup of Keepsake, or a damaged one."""

    code = "backup_unusable"


class NotFound(KeepsakeError):
    """The thing does not exist or is not this user's; the two are not told apart."""

    code = "chat_not_found"


class CharacterNotFound(NotFound):
    """The character is not in this user's list, or is not theirs; the two are not told apart."""

    code = "character_not_found"


class CharacterChanged(KeepsakeError):
    """Another page changed the character meanwhile."""

    code = "character_changed"


class PlayerNotFound(NotFound):
    """The persona is not in this user's list, or is not theirs; the two are not told apart."""

    code = "player_not_found"


class PlayerChanged(KeepsakeError):
    """Another page changed the persona meanwhile."""

    code = "player_changed"


class LorebookNotFound(NotFound):
    """The lorebook, its entry or what it is to be attached to is not this user's, or is gone."""

    code = "lorebook_not_found"


class LorebookChanged(KeepsakeError):
    """Another page changed the lorebook meanwhile."""

    code = "lorebook_changed"


class ChangedElsewhere(KeepsakeError):
    """Another page changed the conversation; the one that asks shows an older state."""

    code = "changed_elsewhere"


class MemoryNotFound(NotFound):
    """The memory is not there, was deleted or made anew, or is not this user's."""

    code = "memory_not_found"


class CannotUndo(KeepsakeError):
    code = "cannot_undo"


class LastBranch(KeepsakeError):
    code = "last_branch"


class LastWording(KeepsakeError):
    """The only wording of a message that is left."""

    code = "last_wording"


def storage_error(error: sqlite3.Error | OSError) -> KeepsakeError:
    """The error a person can act on for what SQLite or the file system raised."""
    text = str(error).lower()
    if "not a database" in text or "malformed" in text or "corrupt" in text:
        return StorageDamaged(
            f"The database is damaged ({error}). Nothing was changed. `python -m storage backups` lists the copies that were made of it, "
            "and `python -m storage restore FILE` brings one back.",
            reason=str(error),
        )
    name, number = getattr(error, "sqlite_errorname", ""), getattr(error, "errno", None)
    # SQLite's index of its log (-shm) grows by itself, and says no more of a full disk than that it could not.
    if name in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE") or number in (errno.ENOSPC, errno.EDQUOT) or "disk is full" in text:
        return StorageFull(
            "The disk that holds the data folder is full. Nothing saved before was lost or changed; what was to be written now was not: "
            "free some space and do it again."
        )
    if name.startswith("SQLITE_READONLY") or number == errno.EROFS:
        return StorageReadOnly(
            "The data folder can only be read, not written. Nothing saved before was lost or changed; what was to be written now was not: "
            "make the folder writable and do it again."
        )
    return StorageFailed(
        f"The data folder could not be read or written ({error}). Nothing saved before was lost, and what you just wrote was not saved.",
        reason=str(error),
    )
