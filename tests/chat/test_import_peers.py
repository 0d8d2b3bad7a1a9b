"""Chats of other role-play programs in their own JSON: who said what, in which wordings, when, and what was hidden. All files are written here."""

from __future__ import annotations

import json

import pytest

from chat.import_formats import ImportRefused, read_conversations
from chat.imported import CHARACTER, PLAYER, ImportedConversation
from personas.cards.reading import read_card, read_lorebook
from personas.cards.refused import CardUnknown
from tests.chat.import_files import Write, remarks
from tests.personas.cards.invented import entry, raw, v1, v2, v3

AT = 1_714_588_200_000  # 2024-05-01 18:30 UTC

RISU = {
    "type": "risuChat",
    "ver": 2,
    "data": {
        "name": "The pier",
        "note": "slow",
        "message": [
            {"role": "char", "data": "Come in.", "time": AT, "chatId": "a"},
            {"role": "user", "data": "I will.", "time": AT + 60_000},
            {"role": "char", "data": "Whispered.", "disabled": True},
            {"role": "char", "data": "A note of the program.", "isComment": True},
        ],
    },
}
AGNAI = {
    "name": "The pier",
    "messages": [
        {"handle": "Nell", "characterId": "c1", "msg": "Come in.", "createdAt": "2024-05-01T18:30:00.000Z", "retries": ["Go away."]},
        {"handle": "Ros", "userId": "u1", "msg": "I will."},
    ],
}
CAI = {
    "info": {"character": {"name": "Nell"}},
    "histories": {
        "histories": [
            {"msgs": [{"src": {"is_human": False}, "text": "Come in."}, {"src": {"is_human": True, "name": "Ros"}, "text": "I will."}]},
            {"msgs": [{"src": {"is_human": False}, "text": "Again?"}]},
        ]
    },
}
KOBOLD = {
    "savedsettings": {"chatname": "Ros", "chatopponent": "Nell||$||Bo"},
    "prompt": "Come in.",
    "actions": ["{{[INPUT]}}I will.{{[INPUT_END]}}\n{{[OUTPUT]}}", "Sit down.{{[OUTPUT_END]}}"],
}
WEBUI_OLD = {"data": [["", "Come in."], ["I will.", "Sit."]], "data_visible": [["", "Come in."], ["I will.", "Sit."]]}
WEBUI = {
    "internal": [["<|BEGIN-VISIBLE-CHAT|>", "Come in."], ["I will.", "Sit & wait."]],
    "visible": [["", "Come in."], ["I will.", "Sit &amp; wait."]],
    "metadata": {"assistant_1": {"versions": [{"content": "Sit."}, {"content": "Sit & wait."}], "current_version_index": 1}},
}
OPEN_WEBUI = [
    {
        "chat": {
            "title": "The pier",
            "history": {
                "currentId": "3",
                "messages": {
                    "0": {"id": "0", "parentId": None, "childrenIds": ["1"], "role": "system", "content": "You are Nell."},
                    "1": {
                        "id": "1",
                        "parentId": "0",
                        "childrenIds": ["2", "3"],
                        "role": "user",
                        "content": "I will.",
                        "timestamp": AT / 1000,
                    },
                    "2": {"id": "2", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "No."},
                    "3": {"id": "3", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "Sit."},
                },
            },
        }
    }
]
CHATGPT = [
    {
        "title": "The pier",
        "current_node": "b",
        "mapping": {
            "r": {"message": None, "parent": None},
            "a": {"message": {"author": {"role": "user"}, "content": {"parts": ["I will."]}, "create_time": AT / 1000}, "parent": "r"},
            "b": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["Sit.", {"image": 1}]}}, "parent": "a"},
            "c": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["On another branch."]}}, "parent": "a"},
        },
    }
]


LIBRE = {
    "title": "The pier",
    "recursive": True,
    "messages": [
        {
            "sender": "User",
            "isCreatedByUser": True,
            "text": "I will.",
            "children": [
                {"sender": "Nell", "isCreatedByUser": False, "text": "No.", "children": []},
                {
                    "sender": "Nell",
                    "isCreatedByUser": False,
                    "text": "",
                    "content": [{"type": "think", "think": "He is wet."}, {"type": "text", "text": "Sit."}],
                    "children": [{"sender": "User", "isCreatedByUser": True, "text": "Thank you.", "children": []}],
                },
            ],
        }
    ],
}
STUDIO = {
    "chunkedPrompt": {
        "chunks": [
            {"text": "I will.", "role": "user", "tokenCount": 3},
            {"text": "He is", "role": "model", "isThought": True},
            {"text": "wet.", "role": "model", "isThought": True},
            {"text": "Sit.", "role": "model"},
        ]
    }
}
GEMINI = {
    "contents": [
        {"role": "user", "parts": [{"text": "I will."}]},
        {"role": "model", "parts": [{"text": "Wet.", "thought": True}, {"text": "Sit."}]},
    ]
}
TURNS = {
    "turns": [
        {
            "create_time": "2024-05-01T18:31:00Z",
            "author": {"author_id": "7", "name": "Ros", "is_human": True},
            "candidates": [{"candidate_id": "x", "raw_content": "I will."}],
            "primary_candidate_id": "x",
        },
        {
            "create_time": "2024-05-01T18:30:00Z",
            "author": {"name": "Nell"},
            "candidates": [{"candidate_id": "y", "raw_content": "Go away."}, {"candidate_id": "z", "raw_content": "Come in."}],
            "primary_candidate_id": "z",
        },
    ]
}
MESSENGER = {
    "participants": [{"name": "Ros"}, {"name": "Zo\u00c3\u00ab"}],
    "messages": [
        {"sender_name": "Ros", "timestamp_ms": AT + 60_000, "content": "I will."},
        {"sender_name": "Zo\u00c3\u00ab", "timestamp_ms": AT, "content": "Come in \u00e2\u0098\u0095"},
    ],
}
STEPS = {
    "messages": [
        {"versions": [{"role": "user", "content": [{"type": "text", "text": "I will."}]}], "currentlySelected": 0},
        {
            "versions": [
                {"role": "assistant", "steps": [{"type": "contentBlock", "content": [{"type": "text", "text": "Sit."}]}]},
                {"role": "assistant", "steps": []},
            ],
            "currentlySelected": 0,
        },
    ]
}


def kobold(prompt: str, *actions: str, **settings: str) -> dict[str, object]:
    return (
        {"gamestarted": True, "prompt": prompt, "actions": actions, "savedsettings": settings}
        if settings
        else {
            "gamestarted": True,
            "prompt": prompt,
            "actions": actions,
        }
    )


def read(write: Write, content: object) -> tuple[ImportedConversation, ...]:
    return read_conversations(write(json.dumps(content), "talk.json"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (RISU, [(CHARACTER, "Come in."), (PLAYER, "I will."), (CHARACTER, "Whispered.")]),
        (AGNAI, [("Nell", "Come in."), ("Ros", "I will.")]),
        (KOBOLD, [("Nell", "Come in."), ("Ros", "I will."), ("Nell", "Sit down.")]),
        (WEBUI_OLD, [(CHARACTER, "Come in."), (PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (WEBUI, [(CHARACTER, "Come in."), (PLAYER, "I will."), (CHARACTER, "Sit & wait.")]),
        (OPEN_WEBUI, [(PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (CHATGPT, [(PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (LIBRE, [(PLAYER, "I will."), ("Nell", "Sit."), (PLAYER, "Thank you.")]),
        (STUDIO, [(PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (GEMINI, [(PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (TURNS, [("Nell", "Come in."), ("Ros", "I will.")]),
        (STEPS, [(PLAYER, "I will."), (CHARACTER, "Sit.")]),
        (kobold("Ros: I will.", "\nNell: Sit."), [("Ros", "I will."), ("Nell", "Sit.")]),
    ],
    ids=[
        *("RisuAI", "Agnai", "KoboldAI Lite", "text-generation-webui, old", "text-generation-webui", "Open WebUI", "ChatGPT"),
        *("LibreChat", "AI Studio", "Gemini", "Character.AI", "LM Studio", "KoboldAI client"),
    ],
)
def test_each_program_is_known_by_what_it_wrote(write: Write, content: object, said: list[tuple[str, str]]) -> None:
    (found,) = read(write, content)
    assert [(m.speaker, m.text) for m in found.messages] == said
    assert (found.form, found.key) == ("program", "talk")
    assert found.player == next(speaker for speaker, text in said if text == "I will.")


def test_no_chat_is_a_card_and_no_card_a_chat(write: Write) -> None:
    named = {**AGNAI, "greeting": "Come in.", "scenario": "The pier."}  # such a chat says of its character what a card does
    for chat in (RISU, named, CAI, KOBOLD, WEBUI_OLD, WEBUI, OPEN_WEBUI, CHATGPT):
        for reads in (read_card, read_lorebook):
            with pytest.raises(CardUnknown):
                reads(raw(chat))
    kept = {"spec": "chara_card_v3", "data": {"name": "Nell", "extensions": {"seen": {"messages": AGNAI["messages"]}}}}
    for card in (v1(), v2(), v3(), [v1()], kept, {"entries": [entry()]}):
        with pytest.raises(ImportRefused, match="unknown layout"):
            read(write, card)


def test_wordings_dates_and_what_was_hidden_come_along(write: Write) -> None:
    (risu,), (agnai,), (webui,), (tree,) = (read(write, content) for content in (RISU, AGNAI, WEBUI, OPEN_WEBUI))
    assert [m.hidden for m in risu.messages] == [False, False, True]
    assert [f"{m.said_at:%Y-%m-%d %H:%M}" for m in risu.messages] == ["2024-05-01 18:30", "2024-05-01 18:31", "2024-05-01 18:31"]
    assert (agnai.messages[0].wordings, agnai.messages[0].chosen) == (("Come in.", "Go away."), 0)
    assert f"{agnai.messages[0].said_at:%Y-%m-%d %H:%M}" == "2024-05-01 18:30"
    assert (webui.messages[2].wordings, webui.messages[2].chosen) == (("Sit.", "Sit & wait."), 1)
    assert (tree.messages[1].wordings, tree.messages[1].chosen) == (("No.", "Sit."), 1)


def test_answers_beside_the_one_that_was_followed_are_its_wordings(write: Write) -> None:
    (libre,), (turns,) = (read(write, content) for content in (LIBRE, TURNS))
    assert (libre.messages[1].wordings, libre.messages[1].chosen, libre.messages[1].thoughts) == (("No.", "Sit."), 1, ("", "He is wet."))
    assert (turns.messages[0].wordings, turns.messages[0].chosen) == (("Go away.", "Come in."), 1)


def test_what_was_thought_in_messages_and_parts_of_its_own_is_no_word(write: Write) -> None:
    (studio,), (gemini,) = (read(write, content) for content in (STUDIO, GEMINI))
    assert [m.thoughts for m in studio.messages] == [(), ("He is\nwet.",)]
    assert [m.thoughts for m in gemini.messages] == [(), ("Wet.",)]


def test_a_file_with_the_newest_first_is_turned_round(write: Write) -> None:
    (found,) = read(write, MESSENGER)
    assert [(m.speaker, m.text, f"{m.said_at:%H:%M}") for m in found.messages] == [
        ("Zoë", "Come in ☕", "18:30"),
        ("Ros", "I will.", "18:31"),
    ]


ALPACA = {"instruct_starttag": "\\n### Instruction:\\n", "instruct_endtag": "\\n### Response:\\n", "instruct_systag": "\\n### System:\\n"}
CHATML = {
    "instruct_starttag": "<|im_end|>\\n<|im_start|>user\\n",
    "instruct_endtag": "<|im_end|>\\n<|im_start|>assistant\\n",
    "instruct_systag": "<|im_start|>system\\n",
}
ENDS = {
    "instruct_starttag": "[U]",
    "instruct_starttag_end": "[/U]",
    "instruct_endtag": "[A]",
    "instruct_endtag_end": "[/A]",
    "instruct_systag": "[S]",
}


@pytest.mark.parametrize(
    "content",
    [
        kobold(
            "{{[SYSTEM]}}You are Nell.{{[SYSTEM_END]}}{{[INPUT]}}I will.{{[INPUT_END]}}", "{{[OUTPUT]}}Sit.{{[OUTPUT_END]}}", opmode="4"
        ),
        kobold("\n### System:\nYou are Nell.\n### Instruction:\nI will.\n### Response:\n", "Sit.", **ALPACA),
        kobold(
            "<|im_start|>system\nYou are Nell.<|im_end|>\n<|im_start|>user\nI will.",
            "<|im_end|>\n<|im_start|>assistant\nSit.<|im_end|>",
            **CHATML,
        ),
        kobold("[S]You are Nell.[U]I will.[/U]", "[A]Sit.[/A]", **ENDS),
    ],
    ids=["marks", "Alpaca", "ChatML", "with ends"],
)
def test_the_turns_of_a_story_are_marked_as_its_template_does(write: Write, content: object) -> None:
    (found,) = read(write, content)
    assert [(m.speaker, m.text) for m in found.messages] == [(PLAYER, "I will."), (CHARACTER, "Sit.")]
    assert [note.params["n"] for note in remarks(found) if note.code == "left_system"] == [1]


def test_what_a_program_put_before_a_conversation_is_not_the_players(write: Write) -> None:
    node = {
        "author": {"role": "user"},
        "content": {"parts": ["About me: a sailor."]},
        "metadata": {"is_visually_hidden_from_conversation": True},
    }
    chat = json.loads(json.dumps(CHATGPT[0]))
    chat["mapping"]["r"]["message"] = node
    (found,) = read(write, chat)
    assert [m.text for m in found.messages] == ["I will.", "Sit."]


def test_an_event_is_narration_and_gives_no_character_its_name(write: Write) -> None:
    event = {"_id": "3", "characterId": None, "userId": None, "name": "event:world", "msg": "Rain."}
    messages = [{"_id": "1", "characterId": "c", "msg": "Come in."}, event, {"_id": "2", "userId": "u", "msg": "I will."}]
    (found,) = read(write, {"messages": messages})
    assert [(m.speaker, m.text, m.narrates) for m in found.messages] == [
        (CHARACTER, "Come in.", False),
        ("Narrator", "Rain.", True),
        (PLAYER, "I will.", False),
    ]


def test_a_list_of_messages_stands_in_for_an_empty_tree(write: Write) -> None:
    chat = {"chat": {"history": {"messages": {}, "currentId": None}, "messages": [{"role": "user", "content": "I will."}]}}
    (found,) = read(write, [chat])
    assert [m.text for m in found.messages] == ["I will."]


def test_a_file_of_many_chats_gives_each(write: Write) -> None:
    found = read(write, CAI)
    assert [(c.key, [(m.speaker, m.text) for m in c.messages]) for c in found] == [
        ("talk-1", [("Nell", "Come in."), ("Ros", "I will.")]),
        ("talk-2", [("Nell", "Again?")]),
    ]
    both = read(write, {"type": "risuAllChats", "ver": 2, "data": [RISU["data"], RISU["data"]]})
    assert [len(c.messages) for c in both] == [3, 3]


def test_conversations_in_which_nothing_was_said_are_left_out_of_a_file_of_many(write: Write) -> None:
    empty = {"title": "New chat", "current_node": None, "mapping": {}}
    picture = {"current_node": "a", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": [{"image": 1}]}}}}}
    (found,) = read(write, [empty, *CHATGPT, picture])
    assert (found.key, [m.text for m in found.messages]) == ("talk-2", ["I will.", "Sit."])
    assert "conversations without messages left out: 2" in found.notices
    fresh = {"name": "New", "message": []}
    both = read(write, {"type": "risuAllChats", "ver": 2, "data": [RISU["data"], fresh, RISU["data"]]})
    assert [c.key for c in both] == ["talk-1", "talk-3"]
    with pytest.raises(ImportRefused, match="it holds no conversation"):
        read(write, [empty, picture])


@pytest.mark.parametrize(
    "at",
    ["2024-02-30T10:00:00Z", "2024-05-01 25:00", "0001-01-01T00:00:00+14:00", "soon", "9" * 400, 1e300, 10**400, 0, -1, True, [1]],
    ids=str,
)
def test_a_date_that_cannot_be_read_is_left_to_those_around_it(write: Write, at: object) -> None:
    said = [{"role": "char", "data": "Come in.", "time": AT}, {"role": "user", "data": "I will.", "time": at}]
    (found,) = read(write, {"type": "risuChat", "data": {"message": said}})
    assert [f"{m.said_at:%Y-%m-%d %H:%M}" for m in found.messages] == ["2024-05-01 18:30"] * 2


def test_a_damaged_message_of_one_of_many_is_named_by_its_numbers(write: Write) -> None:
    bad = {"message": [{"role": "char", "data": "Come in."}, 7, {"role": "user", "data": 7}]}
    one, other = read(write, {"type": "risuAllChats", "ver": 2, "data": [RISU["data"], bad]})
    assert [m.text for m in other.messages] == ["Come in.", "7"]
    assert [note.places for note in remarks(other) if note.code == "left_broken"] == [("record 2, turn 2",)]
    assert not [note for note in remarks(one) if note.code == "left_broken"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"type": "risuChat", "data": {"message": [7]}}, "not an object"),
        ({"type": "risuAllChats", "data": []}, "unknown layout"),
        ({"type": "risuChat", "data": {"message": []}}, "it holds no message"),
        ({"savedsettings": {}, "actions": [], "prompt": "Once upon a time."}, "without saying whose turn"),
        ({"histories": {"histories": [{"msgs": []}]}}, "it holds no message"),
        ({"mapping": {"a": {"parent": "a", "message": 3}}, "current_node": "a"}, "it holds no message"),
    ],
)
def test_one_without_a_message_is_refused_with_its_reason(write: Write, content: object, reason: str) -> None:
    with pytest.raises(ImportRefused, match=reason):
        read(write, content)
