"""Memory by itself as a file: out, for people and programs, and into another conversation."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chat import carried_file
from chat.carried_words import provenance
from chat.errors import MemoryFileRefused, NothingToCarry
from storage.errors import ChangedElsewhere
from storage.scope import LOCAL_USER
from tests.chat.company import ENGLISH
from tests.chat.conftest import TOLD, Talk
from tests.chat.remembering import controls, fact, facts, known, rebuilt, service
from tests.chat.rewritten import edition, rewriting
from tests.chat.test_carrying import TAKES_BACK, carrying, living, offered, standing

NELL, MOTH = ENGLISH


def file_of(talk: Talk, form: str = "json") -> bytes:
    made = carrying(talk).export(LOCAL_USER, talk.chat_id, form)
    fetched = service(talk).transfers.fetch(LOCAL_USER, made.ticket)
    raw = fetched.path.read_bytes()
    fetched.discard()
    return raw


def other(talk: Talk, character: str = NELL) -> Talk:
    return replace(talk, chat_id=service(talk).create(LOCAL_USER, character), sent=talk.sent + 100)


def taken(talk: Talk, raw: bytes, *, of: str = "") -> tuple[int, int]:
    offer = carrying(talk).look_into(LOCAL_USER, talk.chat_id, raw, of)
    places = [int(one.id) for one in offer.things if one.may and one.state == "living"]
    done = carrying(talk).take(LOCAL_USER, talk.chat_id, raw, places, edition=edition(talk), of=of)
    talk.remembered()
    return done.new, done.there


def forged(raw: bytes, change: Callable[[dict[str, Any]], object], *, seal: bool = True) -> bytes:
    content = json.loads(raw)
    change(content)
    if seal:
        content["sha256"] = carried_file.checksum(content)
    return json.dumps(content).encode()


def test_a_file_says_all_that_is_remembered_with_where_it_comes_from(told: Talk) -> None:
    controls(told).pin(LOCAL_USER, told.chat_id, fact(told, "walnuts").id)
    controls(told).exclude(LOCAL_USER, told.chat_id, fact(told, "Ida").id)
    content = json.loads(file_of(told))
    assert content["sha256"] == carried_file.checksum(content)
    about = content["conversation"]
    assert (about["character"], about["player"], about["rounds"]) == ("Nell Garrow", "You", len(TOLD))
    by_text = {one["text"]: one for one in content["memories"] if one["kind"] == "fact"}
    walnuts = next(one for text, one in by_text.items() if "walnuts" in text)
    assert walnuts["pinned"]
    assert walnuts["own"]
    assert (walnuts["status"], walnuts["first_round"], walnuts["quote"]) == ("living", 3, TOLD[2])
    assert walnuts["text"] == f"the player: “{TOLD[2]}”"
    assert "in round 3 of “Nell Garrow”" in walnuts["provenance"]
    assert walnuts["provenance"].endswith(f"“{TOLD[2]}”")
    assert next(one for text, one in by_text.items() if "Ida" in text)["status"] == "left_out"
    values = {one["key"]: one["text"] for one in content["memories"] if one["kind"] == "persona"}
    assert values["residence"] == known(told)["residence"][0].text


def test_what_went_out_comes_in_as_it_was(told: Talk) -> None:
    raw = file_of(told)
    there = other(told)
    new, known_before = taken(there, raw)
    assert (new, known_before) == (len(living(told)), 0)
    assert set(facts(there)) == set(facts(told))
    assert {k: [v.text for v in values] for k, values in known(there).items()} == {
        k: [v.text for v in values] for k, values in known(told).items()
    }
    assert taken(there, raw) == (0, new)
    grown = standing(there)
    rebuilt(there)
    assert standing(there) == grown
    again = json.loads(file_of(there))
    assert {one["text"] for one in again["memories"]} == {one["text"] for one in json.loads(raw)["memories"]}
    assert {one["came_from"]["conversation"] for one in again["memories"]} == {told.chat_id}


def test_it_comes_into_a_conversation_that_goes_on_and_can_be_taken_back(told: Talk) -> None:
    raw = file_of(told)
    there = other(told)
    there.say("I play the cello in the harbour band.", "How lovely.")
    there.say(TAKES_BACK, "Did you?")
    there.say("Hm.", "Yes?")
    there.remembered()
    before = standing(there)
    taken(there, raw)
    porto = fact(told, "Porto").text
    assert porto in facts(there)
    assert fact(told, "walnuts").text not in facts(there)
    grown = standing(there)
    rebuilt(there)
    assert standing(there) == grown
    rewriting(there).undo(LOCAL_USER, there.chat_id, edition=edition(there))
    there.remembered()
    assert porto not in facts(there)
    assert [row for row in standing(there) if row[0] != "plot"] == [row for row in before if row[0] != "plot"]
    rewriting(there).redo(LOCAL_USER, there.chat_id, edition=edition(there))
    there.remembered()
    assert porto in facts(there)


def test_what_was_deleted_there_for_good_does_not_come_again(told: Talk) -> None:
    raw = file_of(told)
    there = other(told)
    taken(there, raw)
    controls(there).delete(LOCAL_USER, there.chat_id, fact(there, "walnuts").id)
    there.remembered()
    taken(there, raw)
    assert not any("walnut" in text for text in facts(there))


def test_of_several_characters_only_the_one_it_came_to_knows_it(told: Talk) -> None:
    raw = file_of(told)
    group = replace(told, chat_id=service(told).groups.create(LOCAL_USER, list(ENGLISH)), sent=300)
    names = [m.name for m in service(group).transcript(LOCAL_USER, group.chat_id).group.members]  # type: ignore[union-attr]
    taken(group, raw, of=names[1])
    shelves = {name: {m.text for m in service(group).memories(LOCAL_USER, group.chat_id, of=name).memories} for name in names}
    assert shelves[names[0]] == set()
    assert fact(told, "Porto").text in shelves[names[1]]
    for name in names:
        minds = group.house.memory.store.memories.visible(group.scope.seen_by(name), group.branch_id)
        assert bool(minds.ids) == (name == names[1])
    rebuilt(group)
    assert {m.text for m in service(group).memories(LOCAL_USER, group.chat_id, of=names[0]).memories} == set()


def test_what_the_player_told_under_another_name_is_the_players(told: Talk) -> None:
    raw = file_of(told)
    ann = service(told).own_players.create(LOCAL_USER, name="Ann", description="", picture=None)
    service(told).own_players.make_default(LOCAL_USER, ann)
    there = other(told)
    taken(there, raw)
    assert [v.text for v in known(there)["residence"]] == [v.text for v in known(told)["residence"]] != []


def test_a_page_that_shows_another_edition_brings_nothing(told: Talk) -> None:
    raw = file_of(told)
    there = other(told)
    with pytest.raises(ChangedElsewhere):
        carrying(there).take(LOCAL_USER, there.chat_id, raw, [0], edition=edition(there) + 1)
    with pytest.raises(NothingToCarry):
        carrying(there).take(LOCAL_USER, there.chat_id, raw, [], edition=edition(there))
    assert standing(there) == []


def test_markdown_is_for_reading_and_makes_nothing_of_what_was_typed(told: Talk) -> None:
    controls(told).edit(LOCAL_USER, told.chat_id, fact(told, "Porto").id, "# <img src=x> ![a](http://x) lives in Porto.")
    told.remembered()
    text = file_of(told, "markdown").decode()
    assert "## Facts" in text
    assert f"“{TOLD[2]}”  \n  *Said by" in text
    assert "<img" not in text.replace("\\<img", "")
    assert "\n# <" not in text
    assert f"- **residence**: {known(told)['residence'][0].text}  \n  *Said by" in text


def test_provenance_is_in_the_language_of_the_conversation(told: Talk) -> None:
    thing = next(t for t in carried_file.read(file_of(told)).things if t.quote == TOLD[1])
    assert provenance(thing, language="zh").startswith("You说的，出自《Nell Garrow》第 2 轮")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda c: c.update(format="keepsake-chat"), "strange"),
        (lambda c: c.update(version=2), "version"),
        (lambda c: c.update(extra=1), "content"),
        (lambda c: c["memories"][0].update(kind="episode"), "content"),
        (lambda c: c["memories"][0].update(text=""), "content"),
        (lambda c: c["memories"][0].update(last_round=99), "content"),
        (lambda c: c["memories"][0].update(said_at="yesterday"), "content"),
        (lambda c: c["memories"][0].update(said_at="2024-05-01T12:00:00"), "content"),
        (lambda c: c["memories"][0].update(rests_on=[10_000]), "content"),
        (lambda c: c["memories"][0].update(stance="unit:0"), "content"),
        (lambda c: c["memories"][0].update(key="nonsense", kind="persona"), "content"),
        (lambda c: c["memories"][0].update(sure=float("inf")), "json"),
        (lambda c: c["memories"][0].update(lines=[{"text": "x", "round": 1, "said_at": "2024-05-01T12:00:00Z"}]), "content"),
    ],
)
def test_what_is_not_right_is_refused_whole(told: Talk, change: Callable[[dict[str, Any]], object], kind: str) -> None:
    raw = file_of(told)
    with pytest.raises(MemoryFileRefused) as refused:
        carried_file.read(forged(raw, change, seal=kind != "json"))
    assert refused.value.params["kind"] == kind


def test_a_changed_file_is_told_from_a_whole_one_and_may_be_changed_on_purpose(told: Talk) -> None:
    raw = file_of(told)
    changed = forged(raw, lambda c: c["memories"][0].update(text="Mara has a boat."), seal=False)
    with pytest.raises(MemoryFileRefused) as refused:
        carried_file.read(changed)
    assert refused.value.params["kind"] == "damaged"
    assert carried_file.read(forged(changed, lambda c: c.pop("sha256"), seal=False)).things[0].text == "Mara has a boat."
    for nothing in (b"", b"[]", b"nonsense", b"\xff\xfe", b"[" * 100_000):
        with pytest.raises(MemoryFileRefused):
            carried_file.read(nothing)
    with pytest.raises(MemoryFileRefused) as large:
        carried_file.read(b" " * (carried_file.MOST_BYTES + 1))
    assert large.value.params["kind"] == "large"


def test_what_another_character_may_not_have_is_offered_as_such(told: Talk) -> None:
    told.say("What do you do when the fog comes?", "I have been ringing the harbour bell for ten years.")
    told.say("Hm.", "Yes.")
    told.remembered()
    there = other(told, MOTH)
    offer = carrying(there).look_into(LOCAL_USER, there.chat_id, file_of(told))
    assert not offer.same
    assert {one.may for one in offer.things if one.kind == "persona"} == {True}
    assert {one.may for one in offer.things if not one.own} == {False}
    assert offered(told).same
