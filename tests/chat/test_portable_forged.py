"""A bundle is untrusted: whatever is wrong with it, it is refused with the line and the reason, and no row is changed."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
from tests.conftest import START, OpenChat, open_chat

Lines = list[dict[str, Any]]


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


def write(path: Path, lines: Lines, *, seal: bool = True) -> Path:
    """The lines with counts and end mark made to fit them."""
    if seal:
        for name in {line.get("type") for line in lines[1:-1]} - {"end"}:
            if isinstance(name, str):
                lines[0]["counts"][name] = sum(line.get("type") == name for line in lines[1:-1])
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    if seal:
        lines[-1] = {"type": "end", "records": len(lines) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(body + json.dumps(lines[-1]).encode() + b"\n")
    return path


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


def first(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == kind)


def _last(lines: Lines, kind: str) -> dict[str, Any]:
    return [line for line in lines if line["type"] == kind][-1]


def _twice(kind: str) -> Callable[[Lines], object]:
    return lambda lines: lines.insert(lines.index(first(lines, kind)) + 1, dict(first(lines, kind)))


def _set(kind: str, /, **fields: object) -> Callable[[Lines], object]:
    return lambda lines: first(lines, kind).update(fields)


def _last_set(kind: str, **fields: object) -> Callable[[Lines], object]:
    return lambda lines: _last(lines, kind).update(fields)


def _undo(change: list[object]) -> Callable[[Lines], object]:
    return _set("undo", forward=[change])


def _rest_on_both(lines: Lines) -> None:
    """A memory of the message that has two wordings names the second as well."""
    message = next(line for line in lines if line["type"] == "message" and len(line["revisions"]) > 1)
    own, other = message["revisions"]
    memory = next(m for m in lines if m["type"] == "memory" and any(s["revision"] == own["id"] for s in m["sources"]))
    memory["sources"].append({"revision": other["id"], "sha256": other["sha256"]})


def _nested(depth: int) -> object:
    return [_nested(depth - 1)] if depth else 1


FOREIGN = "f" * 32
FORGED: dict[str, tuple[Callable[[Lines], object], str]] = {
    "a message of another chat": (_last_set("message", external_id="another"), "not made from its chat"),
    "a parent that is not there": (_last_set("message", parent=FOREIGN), "does not come before it"),
    "a cycle": (lambda lines: first(lines, "message").update(parent=_last(lines, "message")["id"]), "does not come before it"),
    "its own parent": (lambda lines: _last(lines, "message").update(parent=_last(lines, "message")["id"]), "does not come before it"),
    "a wrong depth": (_last_set("message", depth=77), "depth"),
    "a wrong round": (_last_set("message", round=77), "round"),
    "words of what was deleted": (_set("memory", status="deleted"), "its words are there"),
    "a text that was changed": (lambda lines: first(lines, "message")["revisions"][0].update(text="forged"), "SHA-256"),
    "a wrong revision id": (lambda lines: first(lines, "message")["revisions"][0].update(id=FOREIGN), "not made from its message"),
    "no first wording": (lambda lines: first(lines, "message")["revisions"][0].update(ordinal=1), "no first wording"),
    "a branch that is not there": (_set("chat", active_branch=FOREIGN), "active branch"),
    "a head that is not there": (_set("branch", head=FOREIGN), "does not come before it"),
    "a selection of another's wording": (
        lambda lines: first(lines, "branch")["selections"][0].update(revision=first(lines, "message")["revisions"][0]["id"]),
        "another message",
    ),
    "a memory that was changed": (_set("memory", text="forged"), "SHA-256"),
    "a source that is not there": (lambda lines: first(lines, "memory")["sources"][0].update(revision=FOREIGN), "does not come before it"),
    "a source with another hash": (lambda lines: first(lines, "memory")["sources"][0].update(sha256="0" * 64), "SHA-256 of a source"),
    "more sources than it was made from": (_set("memory", source_count=1), "more sources than it says"),
    "a derived memory of two wordings that differ": (lambda lines: _rest_on_both(lines), "from one wording of a message"),
    "grounds that come later": (
        lambda lines: first(lines, "memory").update(grounds=[_last(lines, "memory")["id"]]),
        "does not come before it",
    ),
    "a recall of another's memory": (lambda lines: first(lines, "recall")["events"][0].update(memory=FOREIGN), "does not come before it"),
    "undo of another chat's head": (_undo(["head", [FOREIGN], None, None]), "does not come before it"),
    "undo into another chat": (_undo(["active", [FOREIGN], FOREIGN, FOREIGN]), "does not come before it"),
    "undo that selects for another": (_undo(["selection", [FOREIGN, FOREIGN], None, None]), "does not come before it"),
    "undo of no known thing": (_undo(["drop", ["chat"], None, None]), "does not know"),
    "a message twice": (_twice("message"), "twice"),
    "a memory twice": (_twice("memory"), "twice"),
    "a branch twice": (_twice("branch"), "twice"),
    "two chats": (_twice("chat"), "a second chat"),
    "an id that is a path": (_set("branch", id="../../../../etc/passwd"), "branch.id"),
    "a character id that is a path": (_set("character", id="../../etc/passwd"), "character.id"),
    "NUL": (lambda lines: first(lines, "message").update(speaker="A\0"), "NUL"),
    "NUL deep inside": (_set("chat", settings={"a": [{"b": "\0"}]}), "NUL"),
    "half a surrogate pair": (lambda lines: first(lines, "message").update(speaker="\ud800"), "line 4"),
    "a script in the card's drawing": (
        lambda lines: first(lines, "character")["card"]["data"]["extensions"]["keepsake"].update(
            avatar='<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
        ),
        "avatar",
    ),
    "a date without end": (lambda lines: first(lines, "message").update(said_at=10**18), "said_at"),
    "trust that is no number": (lambda lines: first(lines, "memory").update(trust=float("nan")), "trust"),
    "an unknown field": (_set("chat", user_id="eve"), "user_id"),
    "an unknown type": (_set("bin", type="annotation"), "annotation"),
    "types out of order": (lambda lines: lines.insert(1, lines.pop(2)), "stand in the order"),
    "a newer format": (lambda lines: lines[0].update(version=2), "newer Keepsake"),
    "another header's chat": (lambda lines: lines[0].update(chat=FOREIGN), "not the one in the header"),
    "a plot that is none": (_set("memory", kind="plot", payload={"tier": "x"}), "payload|tier"),
    "an episode of rounds to come": (_set("memory", round_first=50, round_last=50), "not those of its sources"),
    "a fact of rounds to come": (_set("memory", kind="fact", round_last=50), "not those of its sources"),
    "a story of rounds to come": (
        _set(
            "memory",
            kind="plot",
            slot="plot:2:30",
            round_first=30,
            round_last=59,
            payload={"tier": 2, "lines": [{"text": "x", "round": 30, "said_at": 0}]},
        ),
        "none of its sources",
    ),
    "a mark that rounds to come were read": (
        _set("memory", kind="plot", slot="unit:6", round_first=6, round_last=11, payload={"tier": 1, "lines": []}),
        "not those of its sources",
    ),
    "a mark that is a person's": (
        _set("memory", kind="plot", slot="unit:1", origin="user", payload={"tier": 1, "lines": []}),
        "no such mark",
    ),
    "a topic without a session": (_set("memory", kind="topic", slot=""), "without a session"),
    "a fact in the place of topics": (_set("memory", kind="fact", slot="session:1"), "no topic"),
    "a topic of a session to come": (_set("memory", kind="topic", slot="session:50"), "not one of its rounds"),
    "a topic before all others": (_set("memory", kind="topic", slot="session:1", slot_rank="000000!x"), "not that of its sources"),
    "a mark that two things were taken back": (
        _set("memory", kind="plot", slot="taken back", grounds=[], payload={"tier": 1, "lines": []}),
        "no such mark",
    ),
    "a mark that is a fact": (_set("memory", kind="fact", slot="unit:1", payload={}), "no such mark"),
    "a number of a thousand digits": (_set("chat", settings={"a": 10**1000}), "chat"),
    "a negative round": (_last_set("message", round=-1), "round"),
    "a round that is a fraction": (_last_set("message", round=1.5), "round"),
    "a round that is a truth": (_last_set("message", round=True), "round"),
    "a time that is a text": (_last_set("message", said_at="2024"), "said_at"),
    "a number without end": (_set("chat", settings={"a": float("inf")}), "number"),
    "a memory that rests on itself": (
        lambda lines: first(lines, "memory").update(grounds=[first(lines, "memory")["id"]]),
        "does not come before it",
    ),
    "a branch that is its own parent": (
        lambda lines: first(lines, "branch").update(parent=first(lines, "branch")["id"]),
        "does not come before it",
    ),
    "a source twice": (lambda lines: first(lines, "memory").update(sources=first(lines, "memory")["sources"] * 2, source_count=9), "twice"),
    "more sources than it says": (_set("memory", source_count=0), "more sources"),
    "a payload of wrong types": (_set("memory", payload={"cites": "all"}), "cites"),
    "a payload nested without end": (lambda lines: first(lines, "memory").update(payload={"a": _nested(60)}), "nested"),
    "a quote of a wrong type": (_set("memory", payload={"quote": ["x"]}), "quote"),
    "a decision about a message that is not there": (
        lambda lines: lines.insert(
            next(i for i, line in enumerate(lines) if line["type"] == "undo"),
            {"type": "edit", "memory": FOREIGN, "action": "tombstone", "message": FOREIGN, "created_at": 0},
        ),
        "does not come before it",
    ),
    "a wording that was read as an answer to nothing": (
        lambda lines: first(lines, "message")["revisions"][0].update(read=[[FOREIGN, "grounded-3"]]),
        "does not come before it",
    ),
    "an active branch that is in the bin": (
        lambda lines: next(
            line for line in lines if line["type"] == "branch" and line["id"] == first(lines, "chat")["active_branch"]
        ).update(deleted_at=5),
        "in the bin",
    ),
    "no chat": (lambda lines: lines.__delitem__(2), "does not come before it|no chat|line"),
}


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
        "not JSON": (rows[0] + b"{nonsense}\n" + b"".join(rows[1:]), "line 2"),
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
    del _last(lines, "message")["external_id"]
    copy = Portable(store).load(LOCAL_USER, write(tmp_path / "b", lines))
    scope = Scope.of(LOCAL_USER, copy)
    new = NewMessage(Role.USER, "You", "more", START, "more", "user", opens_round=True)
    store.chats.append(scope, store.chats.chat(scope).branch_id, [new])
    assert len(store.chats.path(scope, store.chats.chat(scope).branch_id, limit=20)) == 6
