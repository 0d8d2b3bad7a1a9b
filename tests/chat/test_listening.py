"""A conversation that listens: nobody answers, each speaker's facts are theirs, and what grew line by line is what a file or a rebuilt memory gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat.errors import (
    CannotListen,
    ListenIdTaken,
    ListenTokenWrong,
    ListenTooFast,
    NobodySpeaks,
    NothingToAnswer,
    NothingToContinue,
    NotListening,
    OnlyListens,
)
from chat.fed_lines import FedLine, FeedRefused, FeedTooLarge, fed_lines
from chat.importing import ChatFile, Choice
from chat.listen_tokens import Buckets, Pace
from chat.listening import Fed
from errors import KeepsakeError
from memory.engine import Cue
from storage.records import Kind, Role
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk

NELL = "builtin:nell-garrow"
DAY = datetime(2026, 3, 2, 18, tzinfo=UTC)
TOLD = (
    ("Mara", "I moved to Porto in January."),
    ("Ivo", "I keep bees behind the boathouse."),
    ("Mara", "My sister Ida is a nurse."),
    ("Ivo", "Nice."),
    ("Mara", "I am allergic to walnuts."),
    ("Ivo", "I sold the blue boat last week."),
    ("Zoe", "I play the cello in the harbour band."),
    ("Mara", "Do you still have the dog, Ivo?"),
    ("Ivo", "Yes, I have a dog called Pepper."),
    ("Mara", "I want to learn to sail this summer."),
)


def fed(*lines: tuple[str, str], first: int = 0, minutes: float = 2) -> list[FedLine]:
    return [
        FedLine(n + 1, speaker, text, DAY + timedelta(minutes=minutes * (first + n)), f"heard:m{first + n}")
        for n, (speaker, text) in enumerate(lines)
    ]


@pytest.fixture
def ear(talk: Talk) -> Talk:
    """A conversation in which Nell Garrow listens and Mara is the player."""
    return replace(talk, chat_id=talk.house.service.listening.create(LOCAL_USER, NELL, player="Mara"))


def hear(ear: Talk, *lines: FedLine) -> Fed:
    return ear.house.service.listening.hear(LOCAL_USER, ear.chat_id, lines)


def memories(talk: Talk, *kinds: Kind) -> list[tuple[object, ...]]:
    store = talk.house.memory.store
    seen = store.memories.visible(talk.scope, talk.branch_id).of_kinds(kinds or tuple(Kind))
    return sorted(
        (m.kind.value, m.text, m.said_by, m.subject, m.round_first, m.round_last) for m in store.memories.get(talk.scope, seen.ids).values()
    )


def events(talk: Talk) -> list[tuple[object, ...]]:
    """Every recall event by what it was of: ids differ from chat to chat."""
    rows = talk.house.memory.store.database.read().execute(
        """SELECT m.text, e.round, e.effect, e.rank FROM recall_event e JOIN memory m ON m.id = e.memory_id WHERE e.chat_id = ? ORDER BY 2, 4, 1""",
        (talk.chat_id,),
    )
    return [tuple(row) for row in rows]


def test_each_speakers_facts_are_theirs_and_the_portrait_is_of_the_one_who_is_the_player(ear: Talk) -> None:
    assert hear(ear, *fed(*TOLD)) == Fed(10, 0, 9)
    ear.house.service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    owners = {(text, by) for _, text, by, *_ in memories(ear, Kind.FACT)}
    assert any("moved to Porto in January" in text and "2026" in text and by == "Mara" for text, by in owners)
    assert (f"Ivo: “{TOLD[1][1]}”", "Ivo") in owners
    assert any("cello" in text and by == "Zoe" for text, by in owners)
    assert not any("Mara" in text and "bees" in text for text, _ in owners)
    values = {v.text for e in ear.house.service.persona(LOCAL_USER, ear.chat_id).entries for v in e.values}
    assert any("walnuts" in v for v in values)
    assert not any("cello" in v or "Pepper" in v for v in values), "the portrait is the player's alone"


def test_nobody_answers_and_you_is_nobody_there(ear: Talk) -> None:
    hear(
        ear,
        *fed(("Ivo", "I fixed your boat yesterday, and I know you like it."), ("Mara", "I like your dog a lot, it is lovely to see it.")),
    )
    ear.house.service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    assert not [text for _, text, *_ in memories(ear, Kind.FACT) if "Nell" in str(text)], "what was said among others was not said to her"
    view = ear.house.service.transcript(LOCAL_USER, ear.chat_id)
    assert not view.awaiting_reply
    assert view.listening is not None
    assert (view.listening.on, view.listening.speakers) == (True, ("Ivo", "Mara"))
    with pytest.raises(OnlyListens):
        ear.send("Hello?")
    with pytest.raises(OnlyListens):
        ear.house.service.request_reply(LOCAL_USER, ear.chat_id)
    rewriting, edition = ear.house.service.rewriting, view.edition
    for attempt in (
        lambda: rewriting.regenerate(LOCAL_USER, ear.chat_id, view.messages[0].id, edition=edition),
        lambda: rewriting.resume(LOCAL_USER, ear.chat_id, edition=edition),
        lambda: rewriting.draft(LOCAL_USER, ear.chat_id, edition=edition),
    ):
        with pytest.raises(OnlyListens):
            attempt()
    assert ear.house.service.job(LOCAL_USER, ear.chat_id) is None


def test_line_by_line_all_at_once_and_from_a_file_it_is_the_same_memory(ear: Talk, tmp_path: Path) -> None:
    at_once = replace(ear, chat_id=ear.house.service.listening.create(LOCAL_USER, NELL, player="Mara"))
    lines = fed(*TOLD, *((s, f"{t} So I said on day two.") for s, t in TOLD), minutes=2)
    for line in lines:
        hear(ear, line)
    hear(at_once, *lines)
    file = tmp_path / "heard.jsonl"
    file.write_text(
        "\n".join(f'{{"speaker": "{x.speaker}", "text": "{x.text}", "timestamp": "{x.at:%Y-%m-%dT%H:%M:%SZ}"}}' for x in lines),
        encoding="utf-8",
    )
    key = ear.house.service.chat_files.look(ChatFile(file, file.name)).found[0].key
    choice = Choice(key, player="Mara", character_id=NELL, listens=True)
    arrived = ear.house.service.chat_files.take(LOCAL_USER, ChatFile(file, file.name), choice, look=lambda done, total: None)
    from_file = replace(ear, chat_id=arrived.chat_id)
    for one in (ear, at_once):
        ear.house.service.end_session(LOCAL_USER, one.chat_id)
    for one in (ear, at_once, from_file):
        one.remembered()
    assert memories(ear) == memories(at_once) == memories(from_file)
    assert events(ear) == events(at_once) == events(from_file)
    assert events(ear), "what is heard calls things up, so forgetting has its input"
    assert ear.house.service.transcript(LOCAL_USER, from_file.chat_id).listening is not None


def test_memory_made_anew_from_the_text_is_the_memory_that_grew(ear: Talk) -> None:
    for line in fed(*TOLD):
        hear(ear, line)
    ear.house.service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    grew = memories(ear)
    memory = ear.house.memory
    with memory.store.database.write() as connection:
        connection.execute("DELETE FROM extraction WHERE chat_id = ?", (ear.chat_id,))
        connection.execute("DELETE FROM derivation WHERE chat_id = ?", (ear.chat_id,))
        connection.execute("UPDATE memory SET status = 'superseded' WHERE chat_id = ?", (ear.chat_id,))
        connection.execute("UPDATE chat SET structure = structure + 1 WHERE id = ?", (ear.chat_id,))
    ear.house.service.rewriting._mend_all(ear.scope)
    ear.house.memory.worker.wake()
    ear.remembered()
    assert memories(ear) == grew


def test_what_a_line_called_up_is_in_a_receipt_that_holds_no_words_of_its_own(ear: Talk) -> None:
    hear(ear, *fed(*TOLD), *fed(("Ivo", "Who of you was allergic to walnuts again?"), first=10))
    ear.remembered()
    last = ear.house.service.transcript(LOCAL_USER, ear.chat_id).messages[-1]
    assert last.has_receipt
    receipt = ear.house.service.receipt(LOCAL_USER, ear.chat_id, last.id)
    assert receipt is not None
    assert receipt.heard
    assert receipt.query == "Who of you was allergic to walnuts again?"
    assert "walnuts" in receipt.candidates[0].text
    assert receipt.candidates[0].effect == "reinforced"
    stored = ear.house.memory.store.receipts.of_message(ear.scope, ear.branch_id, last.id)
    assert stored is not None
    assert "walnuts" not in str(stored.body)


def test_the_memory_can_be_asked_at_any_time(ear: Talk) -> None:
    hear(ear, *fed(*TOLD))
    ear.remembered()
    cue = Cue("What does Ivo keep behind the boathouse?", 99, DAY)
    found = ear.house.memory.engine.recall(ear.scope, ear.branch_id, cue)
    texts = ear.house.memory.store.memories.get(ear.scope, [c.memory_id for c in found.candidates[:3]])
    assert any("bees" in m.text for m in texts.values())


def test_a_line_comes_in_once_and_stays_out_where_it_was_taken_out(ear: Talk) -> None:
    assert hear(ear, *fed(*TOLD[:3])) == Fed(3, 0, 3)
    assert hear(ear, *fed(*TOLD[:5])) == Fed(2, 3, 4), "only what is new is added"
    service = ear.house.service
    before = service.transcript(LOCAL_USER, ear.chat_id)
    service.rewriting.undo(LOCAL_USER, ear.chat_id, edition=before.edition)
    assert ear.texts() == [text for _, text in TOLD[:3]], "what came together is one step"
    assert hear(ear, *fed(*TOLD[:5])) == Fed(0, 5, 3)
    assert ear.texts() == [text for _, text in TOLD[:3]]
    now = service.transcript(LOCAL_USER, ear.chat_id)
    service.rewriting.redo(LOCAL_USER, ear.chat_id, edition=now.edition)
    assert ear.texts() == [text for _, text in TOLD[:5]]
    with pytest.raises(ListenIdTaken) as refused:
        hear(ear, *fed(TOLD[5]), *fed(("Ivo", "Something else."), first=1))
    assert refused.value.params["line"] == 1
    assert ear.texts() == [text for _, text in TOLD[:5]], "all of a request or none of it"


def test_what_was_undone_before_more_was_heard_is_in_the_bin(ear: Talk) -> None:
    hear(ear, *fed(*TOLD[:2]))
    hear(ear, *fed(*TOLD[2:4], first=2))
    service = ear.house.service
    service.rewriting.undo(LOCAL_USER, ear.chat_id, edition=service.transcript(LOCAL_USER, ear.chat_id).edition)
    hear(ear, *fed(TOLD[6], first=20))
    assert ear.texts() == [TOLD[0][1], TOLD[1][1], TOLD[6][1]]
    (item,) = service.rewriting.bin(LOCAL_USER, ear.chat_id)
    assert item.kind == "tail"


def test_a_page_that_shows_less_than_was_heard_changes_nothing(ear: Talk) -> None:
    hear(ear, *fed(*TOLD[:2]))
    shown = ear.house.service.transcript(LOCAL_USER, ear.chat_id)
    hear(ear, *fed(TOLD[2], first=2))
    with pytest.raises(KeepsakeError, match="changed in another tab"):
        ear.house.service.rewriting.delete(LOCAL_USER, ear.chat_id, shown.messages[-1].id, edition=shown.edition)


def test_a_person_writes_a_line_as_any_speaker(ear: Talk) -> None:
    listening = ear.house.service.listening
    listening.say(LOCAL_USER, ear.chat_id, "I brought the bread.", speaker=" Zoe  Lind ", token="a")
    listening.say(LOCAL_USER, ear.chat_id, "I brought the bread.", speaker=" Zoe  Lind ", token="a")
    listening.say(LOCAL_USER, ear.chat_id, "I like bread.", speaker="mara", token="b")
    zoe, mara = ear.house.service.transcript(LOCAL_USER, ear.chat_id).messages
    assert (zoe.name, zoe.role, mara.role) == ("Zoe Lind", "character", "user")
    assert zoe.heard
    with pytest.raises(NobodySpeaks):
        listening.say(LOCAL_USER, ear.chat_id, "Hm.", speaker="  ", token="c")


def test_taken_up_the_character_answers_and_knows_what_it_heard(ear: Talk) -> None:
    hear(ear, *fed(*TOLD))
    ear.house.service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    service = ear.house.service
    edition = service.transcript(LOCAL_USER, ear.chat_id).edition
    edition = service.listening.take_up(LOCAL_USER, ear.chat_id, edition=edition)
    with pytest.raises(NotListening):
        hear(ear, *fed(("Ivo", "More."), first=40))
    heard = service.transcript(LOCAL_USER, ear.chat_id).messages
    with pytest.raises(NothingToAnswer):
        service.rewriting.regenerate(LOCAL_USER, ear.chat_id, heard[1].id, edition=edition)
    with pytest.raises(NothingToContinue):
        service.rewriting.resume(LOCAL_USER, ear.chat_id, edition=edition)
    ear.say("Who keeps bees, Nell?", "Ivo does.")
    prompt = ear.model.prompts[-1]
    assert not any(m.role == "assistant" for m in prompt), "nothing that others said is told as the character's own words"
    assert any("Ivo: I keep bees behind the boathouse." in m.content for m in prompt)
    assert [m.name for m in service.transcript(LOCAL_USER, ear.chat_id).messages][-2:] == ["Mara", "Nell Garrow"]
    edition = service.transcript(LOCAL_USER, ear.chat_id).edition
    edition = service.rewriting.undo(LOCAL_USER, ear.chat_id, edition=edition)
    service.rewriting.undo(LOCAL_USER, ear.chat_id, edition=edition)
    assert service.transcript(LOCAL_USER, ear.chat_id).listening == replace(
        service.transcript(LOCAL_USER, ear.chat_id).listening,
        on=True,  # type: ignore[type-var]
    ), "taking it up is a step that is taken back"


def test_a_chat_may_listen_for_a_while_and_be_gone_on_with(told: Talk) -> None:
    service = told.house.service
    service.listening.listen(LOCAL_USER, told.chat_id, edition=service.transcript(LOCAL_USER, told.chat_id).edition)
    before = service.transcript(LOCAL_USER, told.chat_id).messages[-1].round
    assert hear(told, *fed(("Ivo", "I keep bees behind the boathouse."))).round == before + 1, "nothing joins a round that was answered"
    service.listening.take_up(LOCAL_USER, told.chat_id, edition=service.transcript(LOCAL_USER, told.chat_id).edition)
    told.say("And what does Ivo keep?", "Bees.")
    told.remembered()
    assert any("keep bees" in str(text) and by == "Ivo" for _, text, by, *_ in memories(told, Kind.FACT))


def test_several_characters_do_not_listen(talk: Talk) -> None:
    chat_id = talk.house.service.groups.create(LOCAL_USER, [NELL, "builtin:rafferty-moth"])
    with pytest.raises(CannotListen):
        talk.house.service.listening.listen(LOCAL_USER, chat_id, edition=0)


def test_an_edited_a_deleted_and_a_branched_line_is_as_in_any_conversation(ear: Talk) -> None:
    hear(ear, *fed(*TOLD))
    service = ear.house.service
    service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    bees = next(m for m in service.transcript(LOCAL_USER, ear.chat_id).messages if "bees" in m.text)
    edition = service.transcript(LOCAL_USER, ear.chat_id).edition
    edition = service.rewriting.edit(LOCAL_USER, ear.chat_id, bees.id, "I keep goats behind the boathouse.", edition=edition)
    ear.remembered()
    facts = [str(text) for _, text, *_ in memories(ear, Kind.FACT)]
    assert "Ivo: “I keep goats behind the boathouse.”" in facts
    assert not any("bees" in text for text in facts)
    edition = service.rewriting.branch(LOCAL_USER, ear.chat_id, bees.id, "before", edition=edition)
    assert hear(ear, *fed(("Zoe", "I saw the goats on the quay today."), first=30)).added == 1, "lines go to the branch that is open"
    ear.remembered()
    assert ear.texts() == [TOLD[0][1], "I keep goats behind the boathouse.", "I saw the goats on the quay today."]
    edition = service.transcript(LOCAL_USER, ear.chat_id).edition
    service.rewriting.delete(LOCAL_USER, ear.chat_id, bees.id, edition=edition)
    ear.remembered()
    assert not any("keep goats" in str(text) for _, text, *_ in memories(ear, Kind.FACT))


def test_a_story_of_long_ago_that_comes_line_by_line_is_not_cut_by_the_clock_on_the_wall(ear: Talk) -> None:
    hear(ear, *fed(*TOLD[:3]))
    store = ear.house.memory.store
    assert store.chats.idle(before=datetime.now(UTC) - timedelta(minutes=30)) == []
    assert store.chats.idle(before=datetime.now(UTC) + timedelta(minutes=1)) == [(LOCAL_USER, ear.chat_id)]


@pytest.mark.parametrize(
    ("body", "code", "line", "field"),
    [
        (b'{"speaker": "Ann", "text": "hi"}\nnonsense', "listen_json", 2, ""),
        (b"[1, 2]", "listen_json", 1, ""),
        (b'\xff{"speaker": "Ann"}', "listen_json", 1, ""),
        (b"[" * 100_000, "listen_json", 1, ""),
        (b'{"text": "hi"}', "listen_field", 1, "speaker"),
        (b'\n{"speaker": "Ann", "text": "  "}', "listen_field", 2, "text"),
        (b'{"speaker": "Ann", "text": 5}', "listen_field", 1, "text"),
        (b'{"speaker": "Ann", "text": "hi", "id": true}', "listen_field", 1, "id"),
        (b'{"speaker": "Ann", "text": "hi", "when": "now"}', "listen_unknown", 1, "when"),
        (b'{"speaker": "Ann", "text": "hi", "at": "30 February 2024"}', "listen_date", 1, "at"),
        (b'{"speaker": "Ann", "text": "hi", "at": 17}', "listen_date", 1, "at"),
        (b'{"speaker": "' + b"A" * 81 + b'", "text": "hi"}', "listen_long", 1, "speaker"),
        (b'{"speaker": "Ann", "text": "' + b"a" * 20_001 + b'"}', "listen_long", 1, "text"),
        (b'{"speaker": "Ann", "text": "hi", "id": "1"}\n{"speaker": "Ann", "text": "hi", "id": "1"}', "listen_twin", 2, "id"),
    ],
)
def test_what_is_no_line_is_refused_with_its_place(body: bytes, code: str, line: int, field: str) -> None:
    with pytest.raises(FeedRefused) as refused:
        fed_lines(body)
    assert (refused.value.code, refused.value.params["line"], refused.value.params["field"]) == (code, line, field)


def test_too_much_at_once_is_refused() -> None:
    line = b'{"speaker": "Ann", "text": "hi"}\n'
    assert len(fed_lines(line * 500)) == 500
    with pytest.raises(FeedTooLarge):
        fed_lines(line * 501)
    with pytest.raises(FeedTooLarge):
        fed_lines(b" " * (2**20 + 1))


def test_what_no_file_can_hold_is_shown_as_such() -> None:
    (line,) = fed_lines(b'\xef\xbb\xbf{"speaker": "A\\u0000nn", "text": "a\\ud800b", "at": "2024-05-01T18:30:00+02:00", "id": 7}')
    assert (line.speaker, line.text, line.external_id) == ("A�nn", "a�b", "heard:7")
    assert line.at == datetime(2024, 5, 1, 16, 30, tzinfo=UTC)


def test_of_an_unnamed_player_the_memory_says_the_player(talk: Talk) -> None:
    ear = replace(talk, chat_id=talk.house.service.listening.create(LOCAL_USER, NELL, player="You"))
    hear(ear, *fed(("You", "I keep bees behind the boathouse."), ("Ivo", "I want to learn to sail this summer.")))
    ear.house.service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    assert any(text == "the player: “I keep bees behind the boathouse.”" for _, text, *_ in memories(ear, Kind.FACT))
    path = ear.house.memory.store.chats.path(ear.scope, ear.branch_id, limit=9)
    assert [m.role for m in path] == [Role.CHARACTER, Role.USER]


def test_it_is_nobody_elses(ear: Talk) -> None:
    with pytest.raises(KeepsakeError):
        ear.house.service.listening.hear("somebody", ear.chat_id, fed(TOLD[0]))
    with pytest.raises(KeepsakeError):
        ear.house.service.listening.say("somebody", ear.chat_id, "x", speaker="y", token="z")
    assert ear.texts() == []


def test_who_is_too_fast_waits_as_long_as_it_takes_and_no_longer() -> None:
    now = [0.0]
    buckets = Buckets(clock=lambda: now[0])
    pace = Pace(burst=10, each_s=2)
    assert [buckets.take("lines", "a", pace, 5) for _ in range(3)] == [0, 0, 2.5]
    assert buckets.take("lines", "b", pace, 10) == 0, "another conversation has a pace of its own"
    now[0] = 2.4
    assert buckets.take("lines", "a", pace, 5) > 0
    now[0] = 2.5
    assert buckets.take("lines", "a", pace, 5) == 0
    now[0] = 100
    assert buckets.take("lines", "a", pace, 1_000) == 0, "what is more than a burst waits for a whole one and no longer"


def test_a_token_is_its_owners_where_its_owner_is_served(ear: Talk) -> None:
    tokens = ear.house.service.listen_tokens
    token = tokens.make(LOCAL_USER, ear.chat_id, name="radio")
    assert tokens.admit(token, ear.chat_id, address="here", accounts=False).user_id == LOCAL_USER
    with pytest.raises(ListenTokenWrong):  # the local user's, in a house in which everybody has an account
        tokens.admit(token, ear.chat_id, address="here", accounts=True)
    store = ear.house.memory.store
    store.accounts.add("ada", name="Ada", name_key="ada", role="player", password="x", must_change=False, first=False)
    hers = ear.house.service.listening.create("ada", NELL)
    other = tokens.make("ada", hers, name="")
    assert tokens.admit(other, hers, address="here", accounts=True).user_id == "ada"
    with pytest.raises(ListenTokenWrong):
        tokens.admit(other, hers, address="here", accounts=False)
    for _ in range(30):
        with pytest.raises((ListenTokenWrong, ListenTooFast)) as refused:
            tokens.admit("kl_guess", ear.chat_id, address="there", accounts=False)
    assert refused.type is ListenTooFast
    assert tokens.admit(token, ear.chat_id, address="there", accounts=False), "whoever has a right one is not held up by another's guesses"
