"""A bundle's personas as the reader's own: known again where they are there, else new in the list."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from chat.limits import MOST_PLAYERS
from chat.portable_records import PlayerRecord
from personas.written import one_line
from storage.bundle import Bundles, RowWriter
from storage.records import now_ms, sha256, stable_id


def enrol_players(bundles: Bundles, rows: RowWriter, records: Sequence[PlayerRecord], *, user_id: str) -> dict[str, str]:
    """By the id in the bundle, the id here. One that is the reader's already is used as it is now; one of the same words is that; others are written, those
    that the list has no room for as removed from it."""
    room = MOST_PLAYERS - bundles.players_of(user_id)
    found: dict[str, str] = {}
    for record in records:
        there = bundles.player(record.id)
        like = bundles.player_like(user_id, record.name, record.description)
        if there is not None and there[0] == user_id:
            found[record.id] = record.id
        elif like is not None:
            found[record.id] = like
        else:
            # Whether another user has an id is nobody's business: where there are others, every id is made for its reader.
            free = there is None and not bundles.other_users(user_id)
            player_id = (
                record.id if free else stable_id("bundle-player", user_id, record.id, sha256(f"{record.name}\n{record.description}"))
            )
            if bundles.player(player_id) is None:
                face = base64.b64decode(record.face) if record.face is not None else None
                removed = None if room > 0 else now_ms()
                room -= 1
                rows.add(
                    *("player_persona", player_id, user_id, one_line(record.name) or record.called[0], record.description, face),
                    *(record.created_at, record.updated_at, removed),
                )
            found[record.id] = player_id
    return found
