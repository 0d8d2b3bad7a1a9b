"""A chat as files for other programs: SillyTavern's and Markdown; the first comes back as it was."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tqdm import tqdm

from chat.import_formats import read_conversations
from chat.importer import Cast, Importer
from chat.portable import FORMS, Portable
from chat.portable_markdown import shown
from chat.text import keepable
from storage.errors import NotFound
from storage.records import AuthorsNote, NewWording
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.conftest import OpenChat, open_chat


def again(store: Store, chat: OpenChat) -> OpenChat:
    """The chat exported for other programs and imported once more, beside itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.jsonl"
        path.write_bytes(b"".join(Portable(store).jsonl(LOCAL_USER, chat.scope.chat_id)))
        (conversation,) = read_conversations(path)
    assert conversation.notices == ()
    importer = Importer(store, conversation, Cast("You", "Mara"), character_id="c1", language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    return OpenChat(store, importer.scope, store.chats.chat(importer.scope).branch_id)


def told(chat: OpenChat) -> list[tuple[object, ...]]:
    """All that such a file can say of a chat."""
    path = chat.store.chats.path(chat.scope, chat.branch_id, limit=200)[::-1]
    return [
        (m.role, m.speaker, m.said_at, m.text, [r.text for r in chat.store.tree.wordings(chat.scope, m.id)], m.revision.ordinal, m.hidden)
        for m in path
    ]


def test_a_chat_comes_back_with_all_its_wordings(store: Store) -> None:
    chat = open_chat(store)
    said = [chat.say(f"Line {n} <b>\u2028你好", f"Reply {n}\n\n  indented", number=n) for n in range(1, 5)]
    for text in ("Otherwise", "Once more"):
        store.tree.reword(chat.scope, chat.branch_id, said[1][1].id, NewWording(text, "model"), operation="regenerate")
    store.tree.swipe(chat.scope, chat.branch_id, said[1][1].id, 1)
    store.tree.reword(chat.scope, chat.branch_id, said[0][0].id, NewWording("Edited", "user"), operation="edit")
    store.tree.hide(chat.scope, chat.branch_id, said[0][0].id)
    store.tree.hide(chat.scope, chat.branch_id, said[2][1].id)
    store.tree.delete(chat.scope, chat.branch_id, said[2][0].id)
    store.story.set_note(chat.scope, chat.branch_id, AuthorsNote("Slow.", 3, 2))
    back = again(store, chat)
    assert back.scope != chat.scope
    assert told(back) == told(chat)
    assert [(ordinal, hidden) for *_, ordinal, hidden in told(chat)] == [
        (1, True),
        (0, False),
        (0, False),
        (1, False),
        (0, True),
        (0, False),
        (0, False),
    ]
    assert told(again(store, back)) == told(chat)
    header, *lines = (json.loads(line) for line in Portable(store).jsonl(LOCAL_USER, chat.scope.chat_id))
    assert header["chat_metadata"] == {"note_prompt": "Slow.", "note_interval": 2, "note_depth": 3, "note_position": 1, "note_role": 1}
    assert (lines[3]["mes"], lines[3]["swipes"], lines[3]["swipe_id"]) == (
        "Otherwise",
        ["Reply 2\n\n  indented", "Otherwise", "Once more"],
        1,
    )
    assert "swipes" not in lines[1]
    tasks = store.database.read().execute("SELECT payload FROM task WHERE chat_id = ?", (back.scope.chat_id,)).fetchall()
    hidden = {m.id for m in store.chats.path(back.scope, back.branch_id, limit=50) if m.hidden}
    assert tasks
    assert not hidden & {i for row in tasks for i in json.loads(row["payload"]).get("message_ids", ())}, "what is hidden is not remembered"


TEXTS = st.text(alphabet=st.sampled_from('ab你好"\\\n \t{}[]:<>\u2028\u0085🐈'), max_size=30).map(lambda t: keepable(t).strip() or "x")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, max_size=3), st.integers(0, 3), st.booleans()), min_size=1, max_size=4))
def test_whatever_was_said_comes_back(store: Store, rounds: list[tuple[str, str, list[str], int, bool]]) -> None:
    chat = open_chat(store)
    for number, (line, reply, further, chosen, hide) in enumerate(rounds):
        said, answer = chat.say(line, reply, number=number)
        for text in further:
            store.tree.reword(chat.scope, chat.branch_id, answer.id, NewWording(text, "model"), operation="regenerate")
        store.tree.swipe(chat.scope, chat.branch_id, answer.id, min(chosen, len(further)))
        if hide:
            store.tree.hide(chat.scope, chat.branch_id, said.id)
    assert told(again(store, chat)) == told(chat)


def test_the_swipes_of_other_programs_are_read_as_they_are(tmp_path: Path) -> None:
    lines = [
        {"user_name": "Ann", "character_name": "Bo"},
        {"name": "Bo", "is_user": False, "mes": "now", "swipes": ["was", {"message": "x"}, " then "], "swipe_id": 9},
        {"name": "Bo", "is_user": False, "mes": "b", "swipes": ["a", "b", ""]},
        {"name": "Bo", "is_user": False, "mes": "only", "swipes": ["only"], "swipe_id": 0},
        {"name": "Bo", "is_user": False, "mes": "odd", "swipes": "odd", "swipe_id": "x"},
        {"name": "Ann", "is_user": True, "is_system": True, "mes": "unseen", "extra": {"keepsake": {"hidden": "yes"}}},
    ]
    path = tmp_path / "other.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    (found,) = read_conversations(path)
    assert [(m.text, m.wordings, m.chosen) for m in found.messages] == [
        ("now", ("was", "x", "then", "now"), 3),
        ("b", ("a", "b"), 1),
        ("only", (), 0),
        ("odd", (), 0),
        ("unseen", (), 0),
    ]
    assert [m.hidden for m in found.messages] == [False, False, False, False, True]


@pytest.mark.parametrize(
    ("text", "as_shown"),
    [
        ("*She nods.* **Yes.** `so`", "*She nods.* **Yes.** `so`"),
        ("# loud\n- a\n1. b\n> c\n---\n```", "\\# loud\n\\- a\n1\\. b\n\\> c\n\\---\n\\```"),
        ("<img src=x onerror=y>", "\\<img src=x onerror=y>"),
        ("![pixel](http://x/y.png)", "\\!\\[pixel](http://x/y.png)"),
        ("[here](javascript:x) and [there]", "\\[here](javascript:x) and [there]"),
        ("a | b\n| --- |", "a | b\n\\| --- |"),
        ("\\# and #no", "\\\\# and #no"),
    ],
)
def test_markdown_shows_signs_as_signs(text: str, as_shown: str) -> None:
    assert shown(text) == as_shown


def test_markdown_tells_the_days_and_who_spoke(store: Store) -> None:
    chat = open_chat(store)
    chat.say("Hello\nyou", "*A nod.*", number=0)
    said, _ = chat.say("<b>", "Later", number=30)
    store.tree.hide(chat.scope, chat.branch_id, said.id)
    store.chats.rename(chat.scope, "# At *sea*")
    text = b"".join(Portable(store).markdown(LOCAL_USER, chat.scope.chat_id)).decode()
    assert text.startswith("# \\# At \\*sea\\*\n\n*Mara with You*\n")
    assert text.count("\n## ") == 2
    assert "\n**You** · round 1, " in text
    assert "\n\nHello  \nyou\n" in text
    assert "hidden from the model\n\n\\<b>\n" in text


def test_every_form_is_written_for_its_owner_alone(store: Store) -> None:
    chat = open_chat(store)
    chat.say("Hello", "Hi", number=1)
    for form in ("text", "markdown", "jsonl"):
        path = Portable(store).export(LOCAL_USER, chat.scope.chat_id, form)
        assert path.name == f"Mara{FORMS[form]}"
        assert b"Hello" in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0
        with pytest.raises(NotFound):
            Portable(store).export("eve", chat.scope.chat_id, form)
