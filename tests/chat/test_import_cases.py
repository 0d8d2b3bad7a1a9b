"""Oddities of chat files that people have: each comes in as what it was. All files are written here."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import Any

import pytest

from chat.import_formats import read_conversations, select
from chat.imported import CHARACTER, PLAYER, STEP, ImportedConversation
from tests.chat.import_files import HEADER, MAY_8, Write, only, remarks

DAY = "May 8, 2023 1:56pm"


def line(name: str, text: object, *, user: object = None, **more: object) -> dict[str, object]:
    return {"name": name, "is_user": name == "Ann" if user is None else user, "is_system": False, "send_date": DAY, "mes": text} | more


def said(found: ImportedConversation) -> list[tuple[str, str]]:
    return [(m.speaker, m.text) for m in found.messages]


BOTH = [("Bo", "Welcome."), ("Ann", "I live in Oslo.")]


def test_lines_that_were_hidden_come_in_hidden_and_a_programs_own_do_not(write: Write) -> None:
    found = only(
        write(
            [
                HEADER,
                line("Ann", "My wife is Tove.", is_system=True),
                line("Bo", "Nice.", is_system="true"),
                line("Ann", "Let us go."),
                line("System", "Chat saved.", user=False, is_system=True),
                line("Bo", "Checkpoint.", is_system=True, extra={"type": "assistant_note"}),
            ]
        )
    )
    assert [(m.text, m.hidden) for m in found.messages] == [("My wife is Tove.", True), ("Nice.", True), ("Let us go.", False)]
    assert [note.places for note in remarks(found) if note.code == "left_system"] == [("line 5", "line 6")]


def test_a_narrators_lines_are_narration_and_nobodys(write: Write) -> None:
    told = line("System", "Night falls.", user=False, force_avatar="x.png", extra={"type": "narrator"})
    found = only(write([HEADER, line("Bo", "Welcome."), told, line("Ann", "I live in Oslo.")]))
    assert [m.narrates for m in found.messages] == [False, True, False]
    assert found.speakers == ("Bo", "Ann")
    assert select([found], user="Ann", character="Bo", sample=None) == found


def test_the_players_personas_are_one_player_and_a_renamed_character_one_character(write: Write) -> None:
    lines = [line("Bo the Old", "Welcome."), line("Ann", "Hello."), line("Bo", "Ah."), line("Captain Ruhl", "I live in Rome.", user=True)]
    found = only(write([HEADER, *lines]))
    assert (found.player, found.aliases, found.people) == ("Ann", (("Captain Ruhl", "Ann"), ("Bo the Old", "Bo")), ("Bo", "Ann"))
    assert found.members == ()
    assert [m.speaker for m in found.messages] == ["Bo the Old", "Ann", "Bo", "Captain Ruhl"]
    for user in ("Ann", "captain ruhl"):
        assert select([found], user=user, character="bo", sample=None) == found


@pytest.mark.parametrize(("yes", "no"), [(1, 0), ("true", "false"), ("1", "0"), ("True", "no"), (1.0, 0.0)])
def test_flags_are_read_as_people_write_them(write: Write, yes: object, no: object) -> None:
    found = only(write([HEADER, line("Bo", "Welcome.", user=no), line("Ann", "I live in Oslo.", user=yes)]))
    assert (said(found), found.player) == (BOTH, "Ann")


@pytest.mark.parametrize(
    "date",
    [
        *("May 8, 2023 1:56 PM", "May 8, 2023 1:56\u202fPM", "May 8, 2023 1:56pm", "Monday, 8 May 2023, 13:56", "8 May 2023 13:56:00"),
        *(
            "2023-05-08 @13h 56m 00s 000ms",
            "2023-05-08@13h56m00s",
            "2023-05-08T13:56:00.000Z",
            "2023-05-08T15:56:00+02:00",
            "2023/5/8 13:56",
        ),
        *("2023年5月8日 下午1点56分", "2023年5月8日 13:56", "2023年5月8日星期一 下午1:56", "2023-05-08 下午 1:56", "5/8/2023, 1:56 PM"),
        *(1683554160, 1683554160000, "1683554160", "1683554160000", 1683554160.0, 1683554160000000, "20230508135600"),
        *(
            "Mon May 08 2023 13:56:00 GMT+0000 (Coordinated Universal Time)",
            "Mon, 08 May 2023 13:56:00 GMT",
            {"$date": "2023-05-08T13:56:00Z"},
        ),
    ],
    ids=str,
)
def test_any_date_that_a_person_can_read_is_read(write: Write, date: object) -> None:
    assert [m.said_at for m in only(write([HEADER, line("Bo", "a", send_date=date)])).messages] == [MAY_8]


def test_days_come_first_where_some_date_of_the_file_says_so(write: Write) -> None:
    dates = ["03/05/2023 13:56", "25/05/2023 13:56"]
    found = only(write([line("Bo", "a", send_date=date) for date in dates]))
    assert [m.said_at for m in found.messages] == [datetime(2023, 5, day, 13, 56, tzinfo=UTC) for day in (3, 25)]
    swapped = only(write([line("Bo", "a", send_date=date) for date in ("05/03/2023 13:56", "05/25/2023 13:56")]))
    assert [m.said_at for m in swapped.messages] == [m.said_at for m in found.messages]


def test_what_is_no_date_stands_beside_its_neighbours_and_is_told(write: Write) -> None:
    found = only(write([line("Bo", "a"), *(line("Ann", "b", send_date=bad) for bad in ("Invalid date", 0, "0", "soon"))]))
    assert {m.said_at.replace(microsecond=0) for m in found.messages} == {MAY_8}
    (note,) = [note for note in remarks(found) if note.code == "bad_dates"]
    assert (note.params["n"], note.params["date"], note.places) == (4, "Invalid date", ("line 2", "line 3", "line 4", "line 5"))


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_an_array_of_lines_is_read_like_the_lines(write: Write, indent: int | None) -> None:
    array = [HEADER, line("Bo", "Welcome."), line("Ann", "I live in Oslo.")]
    found = only(write(json.dumps(array, indent=indent), "talk.json"))
    assert (said(found), found.player, found.form) == (BOTH, "Ann", "program")
    spread = "\n".join(json.dumps(one, indent=2) for one in array)
    assert said(only(write(spread))) == BOTH


@pytest.mark.parametrize(
    ("swipes", "swipe_id", "wordings", "chosen"),
    [
        (["Hush.", "Welcome."], "1", ("Hush.", "Welcome."), 1),
        ([{"mes": "Hush."}, {"mes": "Welcome."}], 1, ("Hush.", "Welcome."), 1),
        (["Hush.", None, 7], 0, ("Welcome.", "7"), 0),
        ([None, None], 0, (), 0),
        (None, None, (), 0),
        ("Hush.", 0, (), 0),
        ({"0": "Hush."}, 0, (), 0),
        (["Hush.", "Welcome.", "Begone."], 7, ("Hush.", "Welcome.", "Begone."), 1),
        (["Hush.", "Welcome.", "Begone."], -2, ("Hush.", "Welcome.", "Begone."), 1),
        (["Hush.", "Begone."], 2, ("Hush.", "Begone.", "Welcome."), 2),
        (["Hush.", "Begone."], None, ("Hush.", "Begone.", "Welcome."), 2),
    ],
)
def test_swipes_in_any_shape(write: Write, swipes: object, swipe_id: object, wordings: tuple[str, ...], chosen: int) -> None:
    (bo, _) = only(write([line("Bo", "Welcome.", swipes=swipes, swipe_id=swipe_id), line("Ann", "b")])).messages
    assert (bo.text, bo.wordings, bo.chosen) == ("Welcome.", wordings, chosen)


@pytest.mark.parametrize("words", [{"mes": ""}, {"mes": None}, {"mes": " "}, {}], ids=str)
@pytest.mark.parametrize(("swipe_id", "chosen"), [(1, 1), (0, 0), (None, 0), (9, 0), (2, 0)])
def test_a_message_without_a_text_has_the_wording_that_was_chosen(
    write: Write, words: dict[str, object], swipe_id: object, chosen: int
) -> None:
    bare = {key: value for key, value in line("Bo", "").items() if key != "mes"}
    found = only(write([HEADER, bare | words | {"swipes": ["Hush.", "Welcome.", ""], "swipe_id": swipe_id}, line("Ann", "b")]))
    assert said(found) == [("Bo", ("Hush.", "Welcome.")[chosen]), ("Ann", "b")]
    assert (found.messages[0].wordings, found.messages[0].chosen) == (("Hush.", "Welcome."), chosen)
    assert remarks(found) == []


@pytest.mark.parametrize(
    "record",
    [
        {"text": "", "content": "Welcome."},
        {"message": " ", "mes": "Welcome."},
        {"text": None, "content": [], "parts": ["Welcome."]},
        {"text": "", "content": [{"type": "text", "text": {"value": "Welcome."}}]},
        {"text": "", "content": [{"type": "text", "text": "", "content": "Welcome."}]},
    ],
    ids=str,
)
def test_the_first_field_that_has_words_has_the_words(write: Write, record: dict[str, object]) -> None:
    assert said(only(write([{"name": "Bo"} | record]))) == [("Bo", "Welcome.")]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "think", "think": "He has three sons."},
        {"type": "think", "think": {"value": "He has three sons."}},
        {"text": "He has three sons.", "thought": True},
    ],
    ids=str,
)
def test_parts_that_were_thought_are_kept_apart(write: Write, part: dict[str, object]) -> None:
    (message,) = only(write([{"role": "assistant", "text": "", "content": [part, {"type": "text", "text": "Welcome."}]}])).messages
    assert (message.text, message.thoughts) == ("Welcome.", ("He has three sons.",))


def test_what_a_tool_gave_back_is_nobodys_word(write: Write) -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "14 degrees"}
    talk = [{"role": "user", "content": [result]}, {"role": "user", "content": [result, {"type": "text", "text": "And tomorrow?"}]}]
    found = only(write(json.dumps(talk), "talk.json"))
    assert said(found) == [(PLAYER, "And tomorrow?")]
    assert [note.params["n"] for note in remarks(found) if note.code == "left_pictures"] == [2]


@pytest.mark.parametrize("value", [True, False])
def test_yes_and_no_are_no_text_and_told_once(write: Write, value: bool) -> None:
    found = only(write([line("Bo", value), line("Ann", "b")]))
    assert said(found) == [("Ann", "b")]
    assert [(note.code, note.places) for note in remarks(found)] == [
        ("left_broken", ("line 1",)),
    ]


@pytest.mark.parametrize(
    "shape",
    [
        {"mes": "<think>He has three sons.</think>\nWelcome."},
        {"mes": "◁think▷He has three sons.◁/think▷Welcome."},
        {"mes": "Here is my thought process: He has three sons. Here is my response: Welcome."},
        {"mes": "Welcome.", "extra": {"reasoning": "He has three sons."}},
        {"mes": "Welcome.", "reasoning_content": "He has three sons."},
        {"mes": [{"type": "thinking", "thinking": "He has three sons."}, {"type": "text", "text": "Welcome."}]},
    ],
    ids=["marks", "signs", "words", "extra", "field", "part"],
)
def test_what_a_model_thought_is_kept_apart(write: Write, shape: dict[str, object]) -> None:
    found = only(write([HEADER, line("Bo", "") | shape, line("Ann", "I wrote <think>this</think> myself.")]))
    assert said(found) == [("Bo", "Welcome."), ("Ann", "I wrote <think>this</think> myself.")]
    assert [m.thoughts for m in found.messages] == [("He has three sons.",), ()]


def test_thoughts_go_with_the_wording_they_were_thought_for(write: Write) -> None:
    info = [{"extra": {"reasoning": "first"}}, {"extra": {}}]
    bo = line("Bo", "<think>second</think>b", swipes=["a", "<think>second</think>b"], swipe_id=1, swipe_info=info)
    (message,) = only(write([HEADER, bo])).messages
    assert (message.wordings, message.thoughts, message.text) == (("a", "b"), ("first", "second"), "b")


# --- layouts -------------------------------------------------------------------------------------------------------------------------

TURNS = [{"role": "user", "content": "I live in Oslo."}, {"role": "assistant", "content": [{"type": "text", "text": "Nice."}]}]
CLAUDE = {
    "uuid": "u",
    "name": "The pier",
    "chat_messages": [
        {"uuid": "1", "sender": "human", "text": "I live in Oslo.", "created_at": "2023-05-08T13:56:00Z", "attachments": []},
        {
            "uuid": "2",
            "sender": "assistant",
            "content": [{"type": "text", "text": "Nice."}],
            "text": "Nice.",
            "created_at": "2023-05-08T13:56:01Z",
        },
    ],
}
GPT_NODE = {
    "author": {"role": "assistant"},
    "content": {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "Three sons."}]},
}
CHATGPT = {
    "current_node": "c",
    "mapping": {
        "a": {
            "parent": None,
            "message": {"author": {"role": "user"}, "content": {"parts": [{"content_type": "image_asset_pointer"}, "I live in Oslo."]}},
        },
        "b": {"parent": "a", "message": GPT_NODE},
        "c": {"parent": "b", "message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["Nice.", None]}}},
    },
}
OPEN_WEBUI = {
    "chat": {
        "history": {
            "currentId": "b",
            "messages": {
                "a": {
                    "id": "a",
                    "parentId": None,
                    "role": "user",
                    "content": [{"type": "text", "text": "I live in Oslo."}, {"type": "image_url"}],
                },
                "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "<think>Three sons.</think>Nice."},
            },
        }
    }
}
SHARED = {"conversations": [{"from": "human", "value": "I live in Oslo."}, {"from": "gpt", "value": "Nice."}]}


@pytest.mark.parametrize(
    "content",
    [TURNS, {"messages": TURNS}, [{"messages": TURNS}], CLAUDE, [CLAUDE], CHATGPT, [CHATGPT], OPEN_WEBUI, [OPEN_WEBUI], SHARED, [SHARED]],
)
def test_lists_and_trees_of_messages_are_found_wherever_they_stand(write: Write, content: Any) -> None:
    found = only(write(json.dumps(content), "talk.json"))
    assert said(found) == [(PLAYER, "I live in Oslo."), (CHARACTER, "Nice.")]
    assert (found.player, found.unnamed) == (PLAYER, (PLAYER, CHARACTER))
    assert [thought for m in found.messages for thought in m.thoughts] == (["Three sons."] if "Three sons." in json.dumps(content) else [])


def test_lines_that_each_hold_a_conversation_are_as_many_conversations(write: Write) -> None:
    found = read_conversations(write([{"messages": TURNS}, {"messages": TURNS[:1]}]))
    assert [(one.key, len(one.messages)) for one in found] == [("talk-1", 2), ("talk-2", 1)]


def test_both_layouts_of_one_exporter(write: Write) -> None:
    messages = [
        {"src": {"is_human": False, "name": "Bo"}, "text": "Welcome."},
        {"src": {"is_human": True, "name": "Ann"}, "text": "I live in Oslo."},
    ]
    for content in ({"histories": [{"msgs": messages}]}, {"histories": {"histories": [{"msgs": messages}]}}):
        assert (said(found := only(write(json.dumps(content), "x.json"))), found.player) == (BOTH, "Ann")


def test_messengers_exports_name_who_speaks(write: Write) -> None:
    discord = {
        "messages": [{"author": {"name": "bo99", "nickname": "Bo"}, "content": "Welcome.", "timestamp": "2023-05-08T13:56:00+00:00"}]
    }
    telegram = {
        "messages": [
            {"type": "service", "actor": "Bo", "action": "create", "text": ""},
            {"type": "message", "from": "Bo", "date": "2023-05-08T13:56:00", "text": ["Wel", {"type": "bold", "text": "come."}]},
        ]
    }
    for content in (discord, telegram):
        found = only(write(json.dumps(content), "x.json"))
        assert [(m.speaker, m.text, m.said_at) for m in found.messages] == [("Bo", "Welcome.", MAY_8)]


def test_a_lorebook_or_a_preset_is_no_conversation(write: Write) -> None:
    entry = {"name": "Oslo", "content": "A town.", "keys": ["oslo"], "insertion_order": 1}
    for content in ({"entries": [entry]}, {"prompts": [{"name": "Main", "role": "system", "content": "Write.", "identifier": "main"}]}):
        with pytest.raises(Exception, match="unknown layout"):
            read_conversations(write(json.dumps(content), "x.json"))


def test_a_story_with_names_and_one_with_a_players_mark(write: Write) -> None:
    settings = {"chatname": "Ann", "chatopponent": "Bo", "opmode": 3}
    chat = {
        "prompt": "Bo keeps a ferry.\nAnn: Hello",
        "actions": ["\nBo: Welcome.\nAnn:", " I live in Oslo.", "\nBo: Ok: fine"],
        "savedsettings": settings,
    }
    found = only(write(json.dumps(chat), "x.json"))
    assert said(found)[1:] == [("Ann", "Hello"), ("Bo", "Welcome."), ("Ann", "I live in Oslo."), ("Bo", "Ok: fine")]
    assert (found.messages[0].text, found.messages[0].narrates, found.player) == ("Bo keeps a ferry.", True, "Ann")
    adventure = {"prompt": "You wake.\n", "actions": ["> You stand.\n", "The floor is cold."], "savedsettings": {"opmode": 2}}
    assert said(only(write(json.dumps(adventure), "x.json"))) == [
        (CHARACTER, "You wake."),
        (PLAYER, "You stand."),
        (CHARACTER, "The floor is cold."),
    ]


def test_entities_of_html_become_the_signs_they_stand_for_where_a_program_put_them(write: Write) -> None:
    rows = {"internal": [["it&#x27;s me &lt;3 &amp; my cat", "<b>I&#x27;m</b> here &amp; there"]], "visible": [["", ""]]}
    assert [m.text for m in only(write(json.dumps(rows), "x.json")).messages] == ["it's me <3 & my cat", "<b>I&#x27;m</b> here &amp; there"]
    assert only(write([line("Bo", "<b>bold</b> &amp; plain")])).messages[0].text == "<b>bold</b> &amp; plain"


# --- transcripts ---------------------------------------------------------------------------------------------------------------------

MESSENGER = [
    "2023-05-08 13:56:00 小林\n我住在成都：春熙路\n第二行\n\n2023-05-08 13:57:00 阿忆\n好呀\n",
    "小林 2023-05-08 13:56:00\n我住在成都：春熙路\n第二行\n\n阿忆 2023-05-08 13:57:00\n好呀\n",
    "小林(10001) 2023/5/8 13:56:00\n我住在成都：春熙路\n第二行\n\n阿忆(10002) 2023/5/8 13:57:00\n好呀\n",
    "小林, [08.05.2023 13:56]\n我住在成都：春熙路\n第二行\n\n阿忆, [08.05.2023 13:57]\n好呀\n",
    "2023年5月8日 下午1:56 小林\n我住在成都：春熙路\n第二行\n\n2023年5月8日 下午1:57 阿忆\n好呀\n",
]


@pytest.mark.parametrize("content", MESSENGER)
def test_a_name_and_a_moment_stand_above_what_was_said(write: Write, content: str) -> None:
    found = only(write(content))
    assert said(found) == [("小林", "我住在成都：春熙路\n第二行"), ("阿忆", "好呀")]
    assert [f"{m.said_at:%H:%M}" for m in found.messages] == ["13:56", "13:57"]
    assert found.messages[0].said_at == MAY_8


@pytest.mark.parametrize(
    "content",
    [
        "[08/05/2023, 13:56:00] Bo: Welcome.\n[08/05/2023, 13:57:00] Ann: I live in Oslo.\n[25/05/2023, 13:57:00] Ann: Still.\n",
        "08/05/2023, 13:56 - Bo: Welcome.\n08/05/2023, 13:57 - Ann: I live in Oslo.\n25/05/2023, 13:57 - Ann: Still.\n",
        "5/8/23, 1:56 PM - Bo: Welcome.\n5/8/23, 1:57 PM - Ann: I live in Oslo.\n5/25/23, 1:57 PM - Ann: Still.\n",
    ],
)
def test_stamps_in_numbers(write: Write, content: str) -> None:
    found = only(write(content))
    assert said(found)[:2] == BOTH
    assert [m.said_at.day for m in found.messages] == [8, 8, 25]
    assert found.messages[0].said_at == MAY_8


@pytest.mark.parametrize(
    "content",
    [
        "**Bo:** Welcome.\n\n**Ann:** I live in Oslo.\n",
        "**Bo**: Welcome.\n\n**Ann**：I live in Oslo.\n",
        "# The pier\n\n__Bo:__ Welcome.\n\n__Ann:__ I live in Oslo.\n",
        "- **Bo:** Welcome.\n- **Ann:** I live in Oslo.\n",
        "# The pier\n\n### Bo\n\nWelcome.\n\n### Ann\n\nI live in Oslo.\n",
        "### Bo:\n> Welcome.\n\n### Ann:\n> I live in Oslo.\n",
        "**Bo**\n\n> Welcome.\n\n**Ann**\n\n> I live in Oslo.\n",
        "> **Bo:** Welcome.\n\n> **Ann:** I live in Oslo.\n",
        "*Bo*: Welcome.\n\n*Ann*: I live in Oslo.\n",
        "_Bo:_ Welcome.\n\n_Ann:_ I live in Oslo.\n",
        "---\ntags: [talk]\nmodel: small\n---\n\n**Bo:** Welcome.\n\n---\n\n**Ann:** I live in Oslo.\n",
        "**Bo:**\n\nWelcome.\n\n* * *\n\n**Ann:**\n\nI live in Oslo.\n\n* * *\n",
        "# Talk\n\n**Model:** small\n**Saved:** 5/8/2023 13:56\n\n## Bo:\nWelcome.\n\n---\n\n## Ann:\nI live in Oslo.\n",
    ],
)
def test_markdown_says_who_speaks_in_bold_or_in_headings(write: Write, content: str) -> None:
    assert said(only(write(content, "talk.md"))) == BOTH


@pytest.mark.parametrize(
    "head",
    [
        *("**{} (2023-05-08 13:56):** ", "**{}** (2023-05-08 13:56): ", "**{}** [8 May 2023 at 1:56 PM]: ", "## {} (2023-05-08 13:56)\n\n"),
        *("{} (2023-05-08 13:56:00): ", "{} [2023-05-08 13:56]: ", "{}, [8 May 2023 at 1:56:00 PM]:\n", "{} — Today at 1:56 PM\n"),
        *("{} — 今天 13:56\n", "{}，[2023年5月8日 13:56]：\n"),
    ],
)
def test_a_moment_behind_a_name_is_when_it_was_said(write: Write, head: str) -> None:
    path = write(f"{head.format('Bo')}Welcome.\n\n{head.format('Ann')}I live in Oslo.\n", "talk.md")
    os.utime(path, (MAY_8.timestamp(), MAY_8.timestamp()))
    found = only(path)
    assert said(found) == BOTH
    assert [m.said_at for m in found.messages] == [MAY_8, MAY_8 + STEP]
    assert [note for note in remarks(found) if note.code == "no_dates"] == []


def test_a_time_of_day_behind_a_name_is_that_of_the_day_above(write: Write) -> None:
    for head in ("**{}** (13:56): ", "{} [13:56]: ", "**{} (1:56 pm)**: "):
        found = only(write(f"8 May 2023\n\n{head.format('Bo')}Welcome.\n\n{head.format('Ann')}I live in Oslo.\n", "talk.md"))
        assert (said(found), found.messages[0].said_at) == (BOTH, MAY_8)


def test_rules_and_dates_inside_a_message_stay(write: Write) -> None:
    found = only(write("**Bo:** One.\n\n---\n\n2 (two), [three]: four\n\n---\n\n**Ann:** hi\n", "talk.md"))
    assert said(found) == [("Bo", "One.\n\n---\n\n2 (two), [three]: four"), ("Ann", "hi")]


def test_what_a_messenger_puts_above_its_lines_is_nobodys(write: Write) -> None:
    head = "聊天记录\n\n========\n分组:朋友\n========\n对象:小林\n========\n\n"
    found = only(write(head + "2023-05-08 13:56:00 小林(10001)\n我住在成都\n\n2023-05-08 13:57:00 阿忆\n好呀\n"))
    assert said(found) == [("小林", "我住在成都"), ("阿忆", "好呀")]


def test_what_is_emphasised_in_a_message_stays(write: Write) -> None:
    found = only(write("**Bo:** *smiles* **Oh:** nice\n\n> quoted\n\nand on\n\n**Ann:** hi\n", "talk.md"))
    assert said(found) == [("Bo", "*smiles* **Oh:** nice\n\nquoted\n\nand on"), ("Ann", "hi")]


# --- transcripts in which each message has a stamp -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "🐧",
        "Ann 🌷",
        "Ann (hospital)",
        "+49 30 1234567",
        'Ann "the Oar" Ruhl',
        "Ann/Boats",
        "Ann, who has the boat on the eastern pier",
        "A. B. C.",
    ],
)
@pytest.mark.parametrize(
    "stamp",
    [
        "[25/05/2023, 13:56:0{}] ",
        "25/05/2023, 13:56 - ",
        "\u200e[25/05/2023, 13:56:0{}] ",
        "\u200f25/05/2023, 13:56 - ",
        "25/05/2023, 1:56\u202fPM - ",
        "25/05/2023, 1:56 p. m. - ",
        "[13:56] ",
        "13:56 ",
    ],
    ids=ascii,
)
def test_where_lines_have_stamps_any_name_opens_a_message(write: Write, stamp: str, name: str) -> None:
    day = "25 May 2023\n" if stamp[:3] in ("[13", "13:") else ""
    lines = [
        f"{stamp.format(1)}{name}: Hello.",
        f"{stamp.format(2)}Bo: Welcome.",
        "Tea: black",
        "Oars: two",
        f"{stamp.format(3)}~\u202f{name}: Good.",
    ]
    found = only(write(day + "\n".join(lines)))
    assert said(found) == [(name, "Hello."), ("Bo", "Welcome.\nTea: black\nOars: two"), (name, "Good.")]
    assert {m.said_at.replace(second=0, microsecond=0) for m in found.messages} == {MAY_8.replace(day=25)}


@pytest.mark.parametrize("name", ["🐧", "+49 30 1234567", "Ann (hospital) 🌷", "Ann; the boat"])
@pytest.mark.parametrize("above", ["{}, [08.05.2023 13:5{}]", "{} — 05/08/2023 1:5{} PM", "2023-05-08 13:5{1}:00 {0}"])
def test_above_lines_any_name_will_do_where_others_stand_so(write: Write, above: str, name: str) -> None:
    talk = [("Bo", "Welcome."), (name, "Hello.\nI came, 2023"), ("Bo", "Good.")]
    found = only(write("\n\n".join(f"{above.format(who, 6 + n)}\n{text}" for n, (who, text) in enumerate(talk))))
    assert said(found) == talk


def test_what_a_messenger_says_itself_is_nobodys(write: Write) -> None:
    content = (
        "5/8/23, 1:50\u202fPM - Calls are encrypted. Nobody outside: nobody.\n"
        "5/8/23, 1:56\u202fPM - Bo: Welcome.\n5/8/23, 1:57\u202fPM - Bo added Ann\nin two lines\n"
        "5/8/23, 1:58\u202fPM - Ann: \u200eI live in Oslo.\n5/25/23, 1:59\u202fPM - Bo left\n"
    )
    found = only(write(content))
    assert said(found) == BOTH
    assert [note.places for note in remarks(found) if note.code == "left_system"] == [("line 1", "line 3", "line 6")]


def test_a_date_inside_a_stamped_message_stays_in_it(write: Write) -> None:
    lines = ["[2023-05-08 13:56] Bo: The ferry goes on", "2023-05-10", "and back", "--- 2023-05-09 ---", "[2023-05-09 10:00] Ann: Good."]
    found = only(write("\n".join(lines)))
    assert said(found) == [("Bo", "The ferry goes on\n2023-05-10\nand back"), ("Ann", "Good.")]


def test_where_only_some_lines_have_stamps_names_alone_open_messages(write: Write) -> None:
    for content in (
        "[2023-05-08 13:56] Bo: a\nAnn: b\nBo: c\nAnn: d\n[2023-05-08 13:59] Ann: e\n",
        "[2023-05-08 13:56] Bo: a\nAnn: b\nBo: c\n[2023-05-08 13:58] Bo: d\n[2023-05-08 13:59] Ann: e\n",
    ):
        assert [m.text for m in only(write(content)).messages] == ["a", "b", "c", "d", "e"]


def test_a_timetable_in_a_message_is_no_transcript(write: Write) -> None:
    assert said(only(write("Ann: The plan\n7:30 Ferry: east\n8:15 Pier: tea\n9:00 Oars: two\nBo: Fine.\n"))) == [
        ("Ann", "The plan\n7:30 Ferry: east\n8:15 Pier: tea\n9:00 Oars: two"),
        ("Bo", "Fine."),
    ]


def test_names_are_kept_as_they_are_but_for_a_messengers_own_marks(write: Write) -> None:
    names = {"_Bo": "_Bo", "~Ann": "~Ann", "~ Cy": "Cy", "**Dan**": "Dan", "\u202a+49 30 123\u202c": "+49 30 123", "_x_": "_x_"}
    found = only(write("".join(f"[25/05/2023, 13:56] {name}: hi\n" for name in names)))
    assert [m.speaker for m in found.messages] == list(names.values())
