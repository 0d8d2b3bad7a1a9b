"""Another program's conversation over the page's address: what it holds, who is who, and a chat that is there whole or not at all."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from chat.import_formats import read_conversations
from chat.importing import ChatFile, Choice
from storage.records import Role
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk, talk
from tests.ui.test_transfers import answer, app, client, left_over
from ui.transfers import IMPORTS

__all__ = ["app", "client", "talk"]

TAVERN: list[dict[str, Any]] = [
    {"user_name": "unused", "character_name": "unused", "chat_metadata": {}},
    {"name": "Vesper", "is_user": False, "send_date": "2024-05-01T18:30:00.000Z", "mes": "The lamp is lit."},
    {"name": "Mara", "is_user": True, "send_date": "2024-05-01T18:31:00.000Z", "mes": "I live in Leith."},
    {"name": "Vesper", "is_user": False, "send_date": "2024-05-01T18:32:00.000Z", "mes": "A windy place.", "swipe_id": 1, "swipes": ["Noted.", "A windy place."]},
]  # fmt: skip
TEXT = "2024-05-01\nAnn: I keep bees.\nBo: Bees are weather.\n"
DIARY = {"Ann": {"history": {"2024-05-01": [{"query": "I keep bees.", "response": "Bees are weather."}]}}}


def lines(values: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def said(talk: Talk, chat: str) -> list[tuple[Role, str, str]]:
    store = talk.house.memory.store
    scope = Scope.of(LOCAL_USER, chat)
    path = store.chats.path(scope, store.chats.chat(scope).branch_id, limit=100)
    return [(m.role, m.speaker, m.text) for m in reversed(path)]


def send(client: TestClient, raw: bytes, **choice: str) -> dict[str, Any]:
    return answer(client.post(IMPORTS, params={"file": "talk.x", "modified": "1714588200000", **choice}, content=raw))


def take(client: TestClient, raw: bytes, **choice: str) -> dict[str, Any]:
    return send(client, raw, take="yes", **choice)


MARA: dict[str, str] = {"conversation": "talk", "player": "Mara", "speaker": "Vesper"}


def test_a_file_is_looked_at_before_anything_is_imported(talk: Talk, client: TestClient) -> None:
    found = send(client, lines(TAVERN))["found"]
    (chat,) = found["chats"]
    assert (found["form"], found["count"], chat["key"]) == ("program", 1, "talk")
    assert (chat["messages"], chat["rounds"], chat["heard"], chat["wordings"], chat["dated"]) == (3, 2, 2, 1, True)
    assert (chat["player"], chat["character"], chat["says_player"]) == ("Mara", "Vesper", True)
    assert chat["first"].startswith("2024-05-01T18:30")
    assert chat["lines"][1] == {"speaker": "Mara", "text": "I live in Leith."}
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert left_over(talk) == []


@pytest.mark.parametrize(
    ("raw", "form", "player", "unnamed"),
    [
        (TEXT.encode(), "text", "Ann", []),
        (json.dumps(DIARY).encode(), "diary", "Ann", ["character"]),
        (lines([{"query": "a", "response": "b"}]), "pairs", "user", ["user", "character"]),
        (lines([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]), "lines", "user", ["user", "character"]),
        (b'{"conversation": {"speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1:56 pm on 8 May, 2023", '
         b'"session_1": [{"speaker": "A", "text": "a"}, {"speaker": "B", "text": "b"}]}}', "locomo", "A", []),
        ("User: 你好\nBot: hello\n".encode(), "text", "User", []),
    ],
)  # fmt: skip
def test_every_layout_is_known_by_its_content(client: TestClient, raw: bytes, form: str, player: str, unnamed: list[str]) -> None:
    found = send(client, raw)["found"]
    (chat,) = found["chats"]
    assert (found["form"], chat["player"]) == (form, player)
    assert sorted(s["name"] for s in chat["speakers"] if not s["named"]) == sorted(unnamed)


def test_a_chat_comes_in_with_its_swipes_a_new_character_and_its_memory(talk: Talk, client: TestClient) -> None:
    done = take(client, lines(TAVERN), **MARA)
    assert said(talk, done["chat"]) == [
        (Role.CHARACTER, "Vesper", "The lamp is lit."),
        (Role.USER, "Mara", "I live in Leith."),
        (Role.CHARACTER, "Vesper", "A windy place."),
    ]
    store = talk.house.memory.store
    reply = talk.house.service.transcript(LOCAL_USER, done["chat"]).messages[-1]
    assert [one.text for one in store.tree.wordings(Scope.of(LOCAL_USER, done["chat"]), reply.id)] == ["Noted.", "A windy place."]
    assert [one.name for one in talk.house.service.own_characters.all(LOCAL_USER)] == ["Vesper"]
    talk.chat_id = done["chat"]
    talk.remembered()
    assert "Leith" in str(talk.house.service.persona(LOCAL_USER, done["chat"]))


def test_it_goes_on_with_a_character_that_is_there(talk: Talk, client: TestClient) -> None:
    done = take(client, lines(TAVERN), **MARA, character="builtin:nell-garrow")
    assert talk.house.memory.store.chats.chat(Scope.of(LOCAL_USER, done["chat"])).character_id == "builtin:nell-garrow"
    assert talk.house.service.own_characters.all(LOCAL_USER) == ()


def test_a_side_without_a_name_takes_the_one_that_is_given(talk: Talk, client: TestClient) -> None:
    raw = lines([{"query": "I keep bees.", "response": "Bees are weather."}])
    sides = {"conversation": "talk", "player": "user", "speaker": "character"}
    for names in (
        {},
        {"player_name": "Ann"},
        {"player_name": "Ann", "character_name": "ann"},
        {"player_name": "A\0", "character_name": "B"},
    ):
        assert take(client, raw, **sides, **names)["error"]["code"] == "import_names", names
    done = take(client, raw, **sides, player_name="Ann", character_name="Bo")
    assert [(role, speaker) for role, speaker, _ in said(talk, done["chat"])] == [(Role.USER, "Ann"), (Role.CHARACTER, "Bo")]
    there = take(client, raw, **sides, player_name="Ann", character="builtin:nell-garrow")
    assert said(talk, there["chat"])[1][1] == "Nell Garrow"


def test_the_same_file_is_there_already_and_comes_in_again_when_asked(talk: Talk, client: TestClient) -> None:
    first = take(client, lines(TAVERN), **MARA)
    again = take(client, lines(TAVERN), **MARA)
    assert again == {"chat": first["chat"], "copy": False, "there": True}
    beside = take(client, lines(TAVERN), **MARA, beside="yes")
    assert beside["chat"] != first["chat"]
    for chat in (first["chat"], beside["chat"]):
        talk.house.service.conversations.delete(LOCAL_USER, chat)
    after = take(client, lines(TAVERN), **MARA)
    assert after["chat"] not in (first["chat"], beside["chat"])
    assert len(said(talk, after["chat"])) == 3


def test_who_has_much_waiting_imports_no_more_until_it_is_done_and_goes_on_talking(
    talk: Talk, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.importing.MOST_WAITING", 2)
    assert talk.house.memory.worker.stop(timeout=60)
    first = take(client, lines(TAVERN), **MARA)
    assert take(client, lines(TAVERN), **MARA)["there"], "what is there already is found, however much waits"
    refused = take(client, lines(TAVERN), **MARA, beside="yes")["error"]
    assert (refused["code"], refused["params"]["waiting"]) == ("memory_behind", 4)
    assert [one.id for one in talk.house.service.chats(LOCAL_USER)] == [first["chat"], talk.chat_id]
    assert talk.say("I keep bees.", "Bees are weather.").error_code is None
    talk.house.memory.work_off()
    assert "chat" in take(client, lines(TAVERN), **MARA, beside="yes")


def test_what_was_exported_comes_back_equal(talk: Talk, client: TestClient) -> None:
    talk.say("My name is Mara.", "Noted.")
    talk.say("I live in Leith.", "A windy place.")
    service, store = talk.house.service, talk.house.memory.store
    replied = store.chats.path(talk.scope, talk.branch_id, limit=1)[0]
    service.rewriting.edit(
        LOCAL_USER, talk.chat_id, replied.id, "A windy, kind place.", edition=service.transcript(LOCAL_USER, talk.chat_id).edition
    )

    def exported(chat: str) -> list[dict[str, Any]]:
        made = service.transfers.export(LOCAL_USER, chat, "jsonl")
        raw = made.path.read_text(encoding="utf-8")
        made.discard()
        return [json.loads(line) for line in raw.splitlines()]

    went = exported(talk.chat_id)
    chat = send(client, lines(went))["found"]["chats"][0]
    who = {"conversation": chat["key"], "player": chat["player"], "speaker": chat["character"], "character": "builtin:nell-garrow"}
    came = exported(take(client, lines(went), **who)["chat"])
    assert came[1:] == went[1:]
    assert (came[0]["user_name"], came[0]["character_name"]) == (went[0]["user_name"], went[0]["character_name"])


@pytest.mark.parametrize(
    ("raw", "where", "code"),
    [
        (b'{"name": "Mara", "mes"', "line 1", "json_cut"),
        (b"\x89PNG\r\n", "line 1", "text_no_message"),
        (b"no message here", "line 1", "text_no_message"),
        (b'{"a": 1}', "", "layout"),
        (b"", "", "empty"),
    ],
)
def test_a_file_without_a_message_is_refused_with_place_and_reason(
    talk: Talk, client: TestClient, raw: bytes, where: str, code: str
) -> None:
    for answered in (send(client, raw), take(client, raw, **MARA)):
        params = answered["error"]["params"]
        assert (answered["error"]["code"], params["where"], params["why"]["code"]) == ("import_refused", where, code)
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert left_over(talk) == []


def test_what_was_mended_is_told_before_and_the_rest_comes_in(talk: Talk, client: TestClient) -> None:
    raw = lines([*TAVERN, {"name": "Mara", "is_user": 1, "mes": [{"type": "text", "text": "Very."}], "send_date": "Invalid date"}])
    raw += b'\n{"name": "Mara", "mes"'
    told = {note["code"]: note for note in send(client, raw)["found"]["chats"][0]["notices"]}
    assert told["bad_dates"]["places"] == ["line 5"]
    assert told["left_broken"]["places"] == ["line 6"]
    assert told["left_broken"]["because"]["code"] == "json_cut"
    assert [text for _, _, text in said(talk, take(client, raw, **MARA)["chat"])][-1] == "Very."


def test_hidden_lines_narration_names_and_thoughts_come_in_as_what_they_are(talk: Talk, client: TestClient) -> None:
    raw = lines(
        [
            {"user_name": "Mara", "character_name": "Vesper", "chat_metadata": {}},
            {"name": "Mara", "is_user": True, "is_system": True, "mes": "I live in Leith."},
            {"name": "Vesper", "is_user": False, "is_system": True, "mes": "A windy place."},
            {"name": "Rain", "is_user": False, "mes": "Night falls; Mara loses her hat.", "extra": {"type": "narrator"}},
            {"name": "Captain Ruhl", "is_user": True, "mes": "I keep bees."},
            {"name": "Vesper", "is_user": False, "mes": "<think>She keeps wasps.</think>Bees are weather."},
        ]
    )
    chat = send(client, raw)["found"]["chats"][0]
    assert [speaker["name"] for speaker in chat["speakers"]] == ["Mara", "Vesper", "Captain Ruhl"]
    assert (chat["player"], chat["character"]) == ("Mara", "Vesper")
    talk.chat_id = take(client, raw, **MARA)["chat"]
    assert said(talk, talk.chat_id) == [
        (Role.USER, "Mara", "I live in Leith."),
        (Role.CHARACTER, "Vesper", "A windy place."),
        (Role.NARRATOR, "Rain", "Night falls; Mara loses her hat."),
        (Role.USER, "Captain Ruhl", "I keep bees."),
        (Role.CHARACTER, "Vesper", "Bees are weather."),
    ]
    service = talk.house.service
    shown = service.transcript(LOCAL_USER, talk.chat_id).messages
    assert [m.hidden for m in shown] == [True, True, False, False, False]
    receipt = service.receipt(LOCAL_USER, talk.chat_id, shown[-1].id)
    assert receipt is not None
    assert receipt.thoughts == "She keeps wasps."
    assert not talk.house.memory.store.chats.chat(talk.scope).group
    made = service.transfers.export(LOCAL_USER, talk.chat_id, "jsonl")
    (back,) = read_conversations(made.path)
    made.discard()
    assert [(m.hidden, m.narrates, m.thoughts) for m in back.messages] == [
        *((True, False, ()), (True, False, ()), (False, True, ()), (False, False, ()), (False, False, ("She keeps wasps.",)))
    ]
    talk.remembered()
    known = str(service.persona(LOCAL_USER, talk.chat_id))
    assert "wasps" not in known
    assert "Leith" not in known


def test_a_narrators_line_is_recalled_as_narration(talk: Talk, client: TestClient) -> None:
    walk = [
        {"name": name, "is_user": name == "Mara", "mes": "We repaired the nets. " * 30} for _ in range(25) for name in ("Mara", "Vesper")
    ]
    told = [
        {"user_name": "Mara", "character_name": "Vesper", "chat_metadata": {}},
        {"name": "Mara", "is_user": True, "mes": "I walk to the lighthouse."},
        {
            "name": "System",
            "is_user": False,
            "is_system": False,
            "mes": "The storm takes Mara's scarlet hat.",
            "extra": {"type": "narrator"},
        },
    ]
    talk.chat_id = take(client, lines([*told, *walk]), **MARA)["chat"]
    talk.remembered()
    talk.say("Where is my scarlet hat?", "In the sea.")
    sent = talk.model.prompts[-1][-1].content
    assert "/ Narrator: The storm takes Mara's scarlet hat." in sent
    assert "System" not in sent
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert [c.text for c in receipt.candidates if c.kind == "episode" and c.first_round == 1] == [
        "Mara: I walk to the lighthouse.\nNarrator: The storm takes Mara's scarlet hat."
    ]


@pytest.mark.parametrize(
    "choice",
    [
        {"conversation": "talk", "player": "Mara", "speaker": "Mara"},
        {"conversation": "talk", "player": "Mara", "speaker": "Nobody"},
        {"conversation": "talk", "player": "", "speaker": "Vesper"},
        {**MARA, "character": "no such character"},
        {**MARA, "conversation": "another"},
    ],
)
def test_who_is_not_in_the_file_is_nobody(talk: Talk, client: TestClient, choice: dict[str, str]) -> None:
    assert take(client, lines(TAVERN), **choice)["error"]["code"] in ("import_names", "character_not_found", "import_refused")
    assert len(talk.house.service.chats(LOCAL_USER)) == 1


def test_another_users_character_and_chat_are_nobodys(talk: Talk, client: TestClient) -> None:
    from personas.written import Written

    store, service = talk.house.memory.store, talk.house.service
    store.chats.ensure_user("ada", "Ada")
    hers = service.own_characters.create("ada", Written(name="Vesper", language="en"))
    assert take(client, lines(TAVERN), **MARA, character=hers)["error"]["code"] == "character_not_found"
    first = take(client, lines(TAVERN), **MARA)
    assert store.chats.imported_as("ada", "x") is None
    assert first["chat"] not in {chat.id for chat in service.chats("ada")}


def test_cancelled_it_leaves_nothing_behind(talk: Talk, tmp_path: Any) -> None:
    path = tmp_path / "long.txt"
    path.write_text("2024-05-01\n" + "".join(f"Ann: walk {n}\nBo: fox {n}\n" for n in range(400)), encoding="utf-8")
    seen = []

    def look(done: int, total: int) -> None:
        seen.append((done, total))
        if done > 300:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        talk.house.service.chat_files.take(LOCAL_USER, ChatFile(path, "long.txt"), Choice("long", "Ann", "", "Bo"), look=look)
    assert seen[0][1] == 800
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert talk.house.service.own_characters.all(LOCAL_USER) == ()
    connection = talk.house.memory.store.database.read()
    assert connection.execute("SELECT count(*) FROM message WHERE chat_id <> ?", (talk.chat_id,)).fetchone()[0] == 0
    assert connection.execute("SELECT count(*) FROM character WHERE name = 'Bo'").fetchone()[0] == 0
    assert connection.execute("SELECT count(*) FROM task WHERE chat_id <> ?", (talk.chat_id,)).fetchone()[0] == 0


def test_more_than_two_speak_and_one_is_the_player(talk: Talk, client: TestClient) -> None:
    raw = b"Ann: Good evening.\nBo: Evening.\nCai: I saw a fox.\n"
    chat = send(client, raw)["found"]["chats"][0]
    assert [note["code"] for note in chat["notices"] if note["code"] == "many_speakers"] == ["many_speakers"]
    done = take(client, raw, conversation="talk", player="Ann", speaker="Cai")
    assert [(role, speaker) for role, speaker, _ in said(talk, done["chat"])] == [
        (Role.USER, "Ann"), (Role.CHARACTER, "Bo"), (Role.CHARACTER, "Cai"),
    ]  # fmt: skip
    assert talk.house.memory.store.chats.chat(Scope.of(LOCAL_USER, done["chat"])).group


def test_a_file_of_several_conversations_gives_the_one_that_is_chosen(talk: Talk, client: TestClient) -> None:
    raw = json.dumps({**DIARY, "Cai": {"history": {"2024-05-02": [{"query": "I saw a fox.", "response": "Foxes know."}]}}}).encode()
    found = send(client, raw)["found"]
    assert [chat["key"] for chat in found["chats"]] == ["Ann", "Cai"]
    done = take(client, raw, conversation="Cai", player="Cai", speaker="character", character_name="Bo")
    assert [text for _, _, text in said(talk, done["chat"])] == ["I saw a fox.", "Foxes know."]
