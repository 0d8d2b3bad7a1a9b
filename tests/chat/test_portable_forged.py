"""A bundle is untrusted: whatever is wrong with it, it is refused with the line and the reason, and no row is changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat import portable_reading
from chat.cast import enrol_built_in
from chat.import_formats import read_conversations
from chat.imported import ImportRefused
from chat.portable import Portable
from memory.episodes import episode_of
from storage.folder import DataFolder
from storage.records import Effect, NewMessage, NewWording, RecallEvent, Role, stable_id
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from tests.chat.forgeries import FORGED, Lines, first, last, write
from tests.conftest import START, OpenChat, open_chat


@pytest.fixture
def bundle(store: Store) -> tuple[Lines, OpenChat]:
    """A small bundle as objects, of a chat that the folder does not have any more under this id."""
    chat = told(store)
    return [json.loads(line) for line in Portable(store).lines(LOCAL_USER, chat.scope.chat_id)], chat


def told(store: Store, user_id: str = LOCAL_USER) -> OpenChat:
    enrol_built_in(store)
    chat = open_chat(store, user_id)
    with store.database.write() as connection:
        connection.execute("UPDATE chat SET character_id = 'builtin:nell-garrow' WHERE id = ?", (chat.scope.chat_id,))
    made = []
    for number in range(3):
        messages = chat.say(f"I said {number}", f"and I {number}", number=number)
        made.append(episode_of(chat.scope.chat_id, messages))
    store.memories.add(chat.scope, made, events=[RecallEvent(made[0].id, 3, Effect.REINFORCED)], cue_message_id=messages[0].id)
    store.tree.reword(chat.scope, chat.branch_id, messages[1].id, NewWording("otherwise", "model"), operation="regenerate")
    store.tree.delete(chat.scope, chat.branch_id, messages[0].id)
    return chat


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    store = Store(DataFolder(tmp_path / "elsewhere"), durable=False)
    store.chats.ensure_user(LOCAL_USER, "")
    enrol_built_in(store)
    yield store
    store.close()


def everything(store: Store) -> str:
    """All that the database holds."""
    connection = sqlite3.connect(store.folder.database)
    dump = "\n".join(connection.iterdump())
    connection.close()
    return dump


def refused(store: Store, path: Path) -> dict[str, object]:
    before = everything(store)
    with pytest.raises(ImportRefused) as caught:
        Portable(store).load(LOCAL_USER, path)
    assert everything(store) == before
    assert "Nothing was imported" in str(caught.value)
    return caught.value.params


@pytest.mark.parametrize("case", FORGED)
def test_what_is_forged_is_refused(bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path, case: str) -> None:
    lines, _ = bundle
    forge, reason = FORGED[case]
    assert first(lines, "bin")
    assert first(lines, "undo")
    forge(lines)
    params = refused(elsewhere, write(tmp_path / "forged", lines))
    assert str(params["where"]).startswith("line ")
    assert any(part in f"{params['where']}: {params['reason']}" for part in reason.split("|")), params
    assert "pydantic" not in str(params["reason"])


def test_nothing_of_another_user_is_reached(bundle: tuple[Lines, OpenChat], store: Store, tmp_path: Path) -> None:
    """A chat id of one's own choice, and ids of a stranger's things inside."""
    lines, _ = bundle
    theirs = told(store, "eve")
    stolen = [json.loads(line) for line in Portable(store).lines("eve", theirs.scope.chat_id)]
    with pytest.raises(Exception, match="does not exist or is not yours"):
        list(Portable(store).lines(LOCAL_USER, theirs.scope.chat_id))
    copy = Portable(store).load(LOCAL_USER, write(tmp_path / "stolen", stolen))
    assert copy != theirs.scope.chat_id
    assert len(store.chats.path(theirs.scope, theirs.branch_id, limit=50)) == 5
    for kind in ("branch", "memory", "bin"):
        forged = json.loads(json.dumps(lines))
        new_chat = stable_id("new chat")
        renamed = json.dumps(forged).replace(forged[0]["chat"], new_chat)
        for old, message in [(m["id"], m) for m in forged if m["type"] == "message"]:
            new = stable_id("message", new_chat, message["external_id"])
            for revision in message["revisions"]:
                renamed = renamed.replace(revision["id"], stable_id("revision", new, revision["ordinal"]))
            renamed = renamed.replace(old, new)
        for line in forged:
            if line["type"] in ("branch", "memory", "bin", "receipt"):
                fresh = (
                    first(stolen, kind)["id"]
                    if line["type"] == kind and line is first(forged, kind)
                    else stable_id("fresh", kind, line["id"])
                )
                renamed = renamed.replace(line["id"], fresh)
        params = refused(store, write(tmp_path / f"taken-{kind}", [line for line in json.loads(renamed) if line["type"] != "task"]))
        assert "another conversation" in str(params["reason"])


def test_damage_is_named_by_its_line(
    bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, _ = bundle
    whole = write(tmp_path / "whole", lines).read_bytes()
    rows = whole.splitlines(keepends=True)
    damaged = {
        "cut in a line": (whole[:-30], "middle of this line"),
        "cut between lines": (b"".join(rows[:-1]), "no end mark"),
        "one line missing": (b"".join(rows[:5] + rows[6:]), ""),
        "a letter changed": (whole.replace(b"I said 1", b"I sajd 1"), "SHA-256"),
        "not UTF-8": (whole.replace(b"I said 1", b"I s\xffid 1"), "UTF-8"),
        "something after the end": (whole + b"{}\n", "after the end mark"),
        "not JSON": (rows[0] + b"{nonsense}\n" + b"".join(rows[1:]), "line 2: it is not valid JSON (line 2, column 2)"),
        "nested without end": (rows[0] + b'{"type":' + b"[" * 100_000 + b"\n", "line 2"),
        "empty": (b"", "no Keepsake bundle"),
        "something else": (b"Ann: hello\n", "no Keepsake bundle"),
    }
    for name, (raw, reason) in damaged.items():
        path = tmp_path / "damaged"
        path.write_bytes(raw)
        params = refused(elsewhere, path)
        assert reason in f"{params['where']}: {params['reason']}", name
        assert str(params["where"]).startswith("line "), name
    assert "not a file" in str(refused(elsewhere, tmp_path)["reason"])
    monkeypatch.setattr(portable_reading, "MAX_LINE_BYTES", 2_000_000)
    (tmp_path / "huge").write_bytes(rows[0] + b'{"type":"message","speaker":"' + b"x" * 3_000_000 + b'"}\n')
    params = refused(elsewhere, tmp_path / "huge")
    assert (params["where"], "a line of more than" in str(params["reason"])) == ("line 2", True)


def test_a_division_of_the_story_that_is_none_is_refused(bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path) -> None:
    lines, _ = bundle
    for story in ("epic", 7, None, ["paper"]):
        first(lines, "chat")["settings"] = {"group": False, "story": story}
        assert "a division of the story" in str(refused(elsewhere, write(tmp_path / "b", lines))["reason"])
    first(lines, "chat")["settings"] = {"group": False, "story": "short"}
    first(lines, "branch")["ends"] = ["0" * 32]
    assert refused(elsewhere, write(tmp_path / "b", lines))
    message = first(lines, "message")["id"]
    first(lines, "branch")["ends"] = [message, message]
    assert "end of a chapter" in str(refused(elsewhere, write(tmp_path / "b", lines))["reason"])
    first(lines, "branch")["ends"] = [message]
    branch, chat = first(lines, "branch")["id"], first(lines, "chat")["id"]
    undo = {"type": "undo", "branch": branch, "operation": "preset", "created_at": 1}
    at = next(i for i, line in enumerate(lines) if line["type"] in ("undo", "bin", "task", "end"))
    for change in (["preset", [chat], None, "epic"], ["end", [branch, message], None, 1], ["end", [branch, "0" * 32], None, True]):
        forged = [*lines[:at], {**undo, "forward": [change], "backward": []}, *lines[at:]]
        assert refused(elsewhere, write(tmp_path / "b", forged))
    assert Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "b", lines))


def test_a_clock_that_no_calendar_could_follow_is_refused(bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path) -> None:
    lines, _ = bundle
    set_at, day = 1_700_000_000_000, -4_724_049_600_000
    for clock in (
        7,
        [],
        [set_at, day],
        [set_at, day, 2],
        [set_at, day, True],
        [set_at, 2**62, 0],
        [-(10**14), day, 1],
        [set_at, "1820", 0],
    ):
        first(lines, "chat")["settings"] = {"clock": clock}
        assert "a clock of the story" in str(refused(elsewhere, write(tmp_path / "b", lines))["reason"])
    first(lines, "chat")["settings"] = {"clock": [set_at, day, 0]}
    chat_id = Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "b", lines))
    clock = elsewhere.chats.chat(Scope.of(LOCAL_USER, chat_id)).clock
    assert clock is not None
    assert (clock.story.isoformat(), clock.runs) == ("1820-04-20T12:00:00+00:00", False)


def test_a_million_lines_are_refused(bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path) -> None:
    lines, _ = bundle
    lines[0]["counts"]["session"] = 1_000_000
    path = write(tmp_path / "long", lines, seal=False)
    assert "900,000" in str(refused(elsewhere, path)["reason"])
    lines[0]["counts"]["session"] = 1
    session = {"type": "session", "last_message": first(lines, "message")["id"], "closed_at": 1, "closed_by": "user"}
    at = next(i for i, line in enumerate(lines) if line["type"] == "memory")
    head = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:at])
    path.write_bytes(head + (json.dumps(session).encode() + b"\n") * 1_000_000)
    params = refused(elsewhere, path)
    assert params["where"] == f"line {at + 2}"


def test_what_looks_like_a_script_or_a_path_is_text(bundle: tuple[Lines, OpenChat], elsewhere: Store, tmp_path: Path) -> None:
    lines, _ = bundle
    first(lines, "chat")["title"] = "../../<script>alert(1)</script>"
    chat_id = Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "b", lines))
    assert elsewhere.chats.chat(Scope.of(LOCAL_USER, chat_id)).title == "../../<script>alert(1)</script>"
    path = Portable(elsewhere).export(LOCAL_USER, chat_id)
    assert path.name == "script-alert-1-script.keepsake.jsonl"
    assert path.is_relative_to(elsewhere.folder.cache)


def test_a_character_of_its_own_comes_along_once_and_never_anothers(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    chat = told(store)
    lines = [json.loads(line) for line in Portable(store).lines(LOCAL_USER, chat.scope.chat_id)]
    first(lines, "character").update(id="a" * 32, built_in=False, name="Own")
    path = write(tmp_path / "own", lines)
    chats = [Portable(elsewhere).load(LOCAL_USER, path) for _ in range(2)]
    assert {elsewhere.chats.chat(Scope.of(LOCAL_USER, i)).character_id for i in chats} == {"a" * 32}
    elsewhere.chats.ensure_user("eve", "")
    theirs = Portable(elsewhere).load("eve", path)
    assert elsewhere.chats.chat(Scope.of("eve", theirs)).character_id != "a" * 32
    assert elsewhere.chats.character("eve", elsewhere.chats.chat(Scope.of("eve", theirs)).character_id).name == "Nell Garrow"
    first(lines, "character").update(id="builtin:of-a-later-version", built_in=True)
    later = Portable(elsewhere).load(LOCAL_USER, write(tmp_path / "later", lines))
    assert elsewhere.chats.character(LOCAL_USER, elsewhere.chats.chat(Scope.of(LOCAL_USER, later)).character_id).name == "Nell Garrow"


def test_the_other_importer_says_what_a_bundle_is(bundle: tuple[Lines, OpenChat], tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="Keepsake bundle"):
        read_conversations(write(tmp_path / "b", bundle[0]))


def test_a_message_without_an_external_id_keeps_its_place(store: Store, tmp_path: Path, bundle: tuple[Lines, OpenChat]) -> None:
    """No writer makes one today; the column allows it."""
    lines, _ = bundle
    del last(lines, "message")["external_id"]
    copy = Portable(store).load(LOCAL_USER, write(tmp_path / "b", lines))
    scope = Scope.of(LOCAL_USER, copy)
    new = NewMessage(Role.USER, "You", "more", START, "more", "user", opens_round=True)
    store.chats.append(scope, store.chats.chat(scope).branch_id, [new])
    assert len(store.chats.path(scope, store.chats.chat(scope).branch_id, limit=20)) == 6
