"""A person's own characters: made, changed, removed, listed, talked with."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chat import characters
from chat.characters import OwnCharacters
from chat.errors import CharactersTooMany
from chat.portable import Portable
from errors import KeepsakeError
from models.scripted import ScriptedModel
from personas.record import MAX_LINE_CHARS, MAX_TAGS, MAX_TEXT_CHARS, CharacterRefused
from personas.written import TEXTS, Written, written
from storage.backup import Backups
from storage.errors import CharacterChanged, CharacterNotFound, NotFound
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.chat.conftest import Talk, talk

__all__ = ["talk"]

OTHER = "someone-else"
IVO = Written(
    name="Ivo Brandt",
    language="en",
    tagline="Mends clocks that nobody wound.",
    description="Ivo Brandt mends clocks in a cellar under the tram depot. {{char}} counts aloud.",
    personality="Slow and merry.",
    scenario="{{user}} brings a watch that runs backwards.",
    first_mes="*He looks up.* Good evening, {{user}}. Which hour have you lost?",
    tags=("clocks", "cellar"),
)


@pytest.fixture
def own(store: Store) -> OwnCharacters:
    store.chats.ensure_user(OTHER, "")
    return OwnCharacters(store, count=ScriptedModel().count_tokens, room=1000, finish_erasures=store.erasures.finish)


def test_what_is_written_is_kept_listed_and_read_back(own: OwnCharacters) -> None:
    first = own.create(LOCAL_USER, IVO)
    second = own.create(LOCAL_USER, Written(name="绮罗", language="zh"))
    assert [(c.id, c.name, c.tagline, c.language, c.tags) for c in own.all(LOCAL_USER)] == [
        (second, "绮罗", "", "zh", ()),
        (first, "Ivo Brandt", "Mends clocks that nobody wound.", "en", ("clocks", "cellar")),
    ]
    assert own.form(LOCAL_USER, first).written == IVO
    assert own.form(LOCAL_USER, first).stances == 0


def test_who_is_for_adults_is_marked_by_what_the_card_says(own: OwnCharacters, store: Store) -> None:
    mine = own.create(LOCAL_USER, replace(IVO, tags=("clocks", "NSFW")))
    assert [c.adult for c in own.all(LOCAL_USER)] == ["tags"]
    own.change(LOCAL_USER, mine, replace(IVO, creator_notes="Adults only."), stamp=own.form(LOCAL_USER, mine).stamp)
    assert [c.adult for c in own.all(LOCAL_USER)] == ["text"]
    with store.database.write() as connection:  # as a version wrote it that looked for no such thing
        connection.execute("UPDATE setting SET value = json_remove(value, '$.adult')")
    assert [c.adult for c in own.all(LOCAL_USER)] == ["text"]
    assert [c.adult for c in store.characters.all(LOCAL_USER)] == ["text"], "looked for once"
    own.change(LOCAL_USER, mine, IVO, stamp=own.form(LOCAL_USER, mine).stamp)
    assert [c.adult for c in own.all(LOCAL_USER)] == [""]


def test_a_list_shows_what_an_older_version_did_not_keep_apart(own: OwnCharacters, store: Store) -> None:
    mine = own.create(LOCAL_USER, IVO)
    before = own.all(LOCAL_USER)
    with store.database.write() as connection:
        connection.execute("UPDATE setting SET value = json_remove(value, '$.shown', '$.origin') WHERE key = 'character ' || ?", (mine,))
    assert own.all(LOCAL_USER) == before
    own.change(LOCAL_USER, mine, Written(name="Ivo", language="en", tagline="Retired."), stamp=own.form(LOCAL_USER, mine).stamp)
    assert [(c.name, c.tagline, c.tags) for c in own.all(LOCAL_USER)] == [("Ivo", "Retired.", ())]
    assert store.characters.ids(LOCAL_USER) == {mine}
    assert store.characters.ids(OTHER) == set()


def test_another_users_character_is_not_there(own: OwnCharacters, store: Store) -> None:
    mine = own.create(LOCAL_USER, IVO)
    stamp = own.form(LOCAL_USER, mine).stamp
    asks: list[Callable[[], object]] = [
        lambda: own.form(OTHER, mine),
        lambda: own.change(OTHER, mine, IVO, stamp=stamp),
        lambda: own.duplicate(OTHER, mine),
        lambda: own.remove(OTHER, mine),
        lambda: own.restore(OTHER, mine),
        lambda: own.form(LOCAL_USER, "builtin:nell-garrow"),
        lambda: own.remove(LOCAL_USER, "c1"),
    ]
    for ask in asks:
        with pytest.raises(CharacterNotFound):
            ask()
    own.remove(LOCAL_USER, mine)
    with pytest.raises(CharacterNotFound):
        own.restore(OTHER, mine)
    assert own.all(OTHER) == ()
    with pytest.raises(NotFound):
        store.chats.character(OTHER, mine)


def test_a_change_keeps_what_the_form_does_not_show(own: OwnCharacters, store: Store) -> None:
    mine = own.create(LOCAL_USER, IVO)
    card = json.loads(json.dumps(store.characters.card(LOCAL_USER, mine).card))
    card["data"] |= {"alternate_greetings": ["Again?"], "unknown": {"x": None}}
    card["data"]["extensions"] = {
        "other": {"a": [1]},
        "keepsake": {**card["data"]["extensions"]["keepsake"], "persona": {"title": "Clockmaker"}},
    }
    with store.database.write() as connection:
        connection.execute("UPDATE character SET card = '{}', card_v3 = ? WHERE id = ?", (json.dumps(card), mine))
    form = own.form(LOCAL_USER, mine)
    own.change(LOCAL_USER, mine, written({**_texts(form.written), "tagline": "New."}), stamp=form.stamp)
    now = json.loads(json.dumps(store.characters.card(LOCAL_USER, mine).card))
    assert now["data"].pop("tags") == []
    assert now["data"]["extensions"]["keepsake"].pop("tagline") == "New."
    card["data"].pop("tags"), card["data"]["extensions"]["keepsake"].pop("tagline")
    assert now == card
    original = store.database.read().execute("SELECT card FROM character WHERE id = ?", (mine,)).fetchone()["card"]
    assert original == "{}"  # as it came


READS = "{{user}} seems to leave first.\n- {{user}} moves house / {{user}} moved again\n- {{user}} cancels dinner with friends"


def test_stances_are_written_changed_and_left_as_they_are(own: OwnCharacters, store: Store) -> None:
    mine = own.create(LOCAL_USER, replace(IVO, stances=READS))
    form = own.form(LOCAL_USER, mine)
    assert (form.stances, form.written.stances) == (1, READS)
    own.change(LOCAL_USER, mine, replace(IVO, tagline="New."), stamp=form.stamp)  # of a page that knows no such field
    form = own.form(LOCAL_USER, mine)
    assert (form.stances, form.written.tagline) == (1, "New.")
    own.change(LOCAL_USER, mine, replace(IVO, stances=""), stamp=form.stamp)
    assert own.form(LOCAL_USER, mine).stances == 0
    with pytest.raises(KeepsakeError) as refused:
        own.create(LOCAL_USER, replace(IVO, stances="{{user}} seems to leave first.\n- {{user}} moves house"))
    assert (refused.value.code, refused.value.params["field"]) == ("stance_alone", "stances")
    assert store.characters.conversations(LOCAL_USER, mine) == []


@pytest.mark.parametrize("stances", ["one example each\n- {{user}} moves house\n- {{user}} sings"])
def test_a_stance_of_a_card_that_no_form_would_take_stays_while_nobody_touches_it(own: OwnCharacters, store: Store, stances: str) -> None:
    mine = own.create(LOCAL_USER, replace(IVO, stances=stances))
    card = json.loads(json.dumps(store.characters.card(LOCAL_USER, mine).card))
    card["data"]["extensions"]["keepsake"]["stances"] = [{"statement": "a / b", "cues": [["moves / house"]]}]
    with store.database.write() as connection:
        connection.execute("UPDATE character SET card_v3 = ? WHERE id = ?", (json.dumps(card), mine))
    form = own.form(LOCAL_USER, mine)
    own.change(LOCAL_USER, mine, replace(form.written, tagline="New."), stamp=form.stamp)
    kept = json.loads(json.dumps(store.characters.card(LOCAL_USER, mine).card))["data"]["extensions"]["keepsake"]
    assert (kept["stances"], kept["tagline"]) == ([{"statement": "a / b", "cues": [["moves / house"]]}], "New.")


def test_a_change_that_does_not_know_the_newest_state_is_refused(own: OwnCharacters) -> None:
    mine = own.create(LOCAL_USER, IVO)
    stamp = own.form(LOCAL_USER, mine).stamp
    own.change(LOCAL_USER, mine, Written(name="Ivo", language="en"), stamp=stamp)
    with pytest.raises(CharacterChanged):
        own.change(LOCAL_USER, mine, IVO, stamp=stamp)
    assert own.form(LOCAL_USER, mine).written == Written(name="Ivo", language="en")


def test_a_duplicate_is_a_second_one_of_another_name(own: OwnCharacters) -> None:
    mine = own.create(LOCAL_USER, IVO)
    own.duplicate(LOCAL_USER, own.duplicate(LOCAL_USER, mine))
    assert [c.name for c in own.all(LOCAL_USER)] == ["Ivo Brandt (3)", "Ivo Brandt (2)", "Ivo Brandt"]
    second = own.all(LOCAL_USER)[1].id
    assert own.form(LOCAL_USER, second).written.first_mes == IVO.first_mes


def test_one_that_is_removed_is_out_of_the_list_until_it_is_restored(own: OwnCharacters) -> None:
    mine = own.create(LOCAL_USER, IVO)
    own.remove(LOCAL_USER, mine)
    assert own.all(LOCAL_USER) == ()
    with pytest.raises(CharacterNotFound):
        own.remove(LOCAL_USER, mine)
    own.restore(LOCAL_USER, mine)
    assert [c.id for c in own.all(LOCAL_USER)] == [mine]


def test_one_that_is_removed_can_be_erased_unless_a_conversation_is_with_it(own: OwnCharacters, store: Store, tmp_path: Path) -> None:
    mine, other = own.create(LOCAL_USER, IVO), own.create(LOCAL_USER, IVO)
    copy = Backups(store.folder, keep=2).make()
    assert copy is not None
    with pytest.raises(CharacterNotFound):
        own.erase(LOCAL_USER, mine)  # it is in the list
    store.chats.create(LOCAL_USER, character_id=other, title="", language="en", user_name="You")
    for one in (mine, other):
        own.remove(LOCAL_USER, one)
    for ask in (lambda: own.erase(OTHER, mine), lambda: own.erase(LOCAL_USER, other)):
        with pytest.raises(CharacterNotFound):
            ask()
    own.erase(LOCAL_USER, mine)
    assert [(c.id, c.conversations) for c in own.removed(LOCAL_USER)] == [(other, 1)]
    for path in (store.folder.database, copy.path):
        with closing(sqlite3.connect(path)) as connection:
            left = connection.execute("SELECT id FROM character WHERE user_id = ?", (LOCAL_USER,)).fetchall()
            settings = connection.execute("SELECT key FROM setting").fetchall()
            assert (left, settings) == ([(other,)], [(f"character {other}",)])


def test_there_is_a_most(own: OwnCharacters, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(characters, "MOST_CHARACTERS", 2)
    mine = own.create(LOCAL_USER, IVO)
    own.create(LOCAL_USER, IVO)
    for ask in (lambda: own.create(LOCAL_USER, IVO), lambda: own.duplicate(LOCAL_USER, mine)):
        with pytest.raises(CharactersTooMany):
            ask()
    own.create(OTHER, IVO)


def _texts(one: Written) -> dict[str, str]:
    return {name: getattr(one, name) for name in ("name", "language", "tagline", *TEXTS)}


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"name": " \n\u202e "}, "character_unnamed", "name"),
        ({"name": "n" * (MAX_LINE_CHARS + 1)}, "character_text_too_long", "name"),
        ({"tagline": "t" * (MAX_LINE_CHARS + 1)}, "character_text_too_long", "tagline"),
        ({"language": "Elvish, mostly"}, "character_language_unknown", "language"),
        ({"language": ""}, "character_language_unknown", "language"),
        *(({name: "x" * (MAX_TEXT_CHARS + 1)}, "character_text_too_long", name) for name in TEXTS),
    ],
)
def test_what_is_not_right_is_refused_by_its_field(changes: dict[str, str], code: str, field: str) -> None:
    with pytest.raises(KeepsakeError) as refused:
        written({**_texts(IVO), **changes})
    assert (refused.value.code, refused.value.params["field"]) == (code, field)


def test_tags_are_told_apart_without_their_case_and_have_limits(own: OwnCharacters) -> None:
    assert written(_texts(IVO), tags=[" a ", "B", "", "b", "c"]).tags == ("a", "B", "c")
    for tags in (["x" * (MAX_LINE_CHARS + 1)], [str(n) for n in range(MAX_TAGS + 1)]):
        with pytest.raises(KeepsakeError) as refused:
            written(_texts(IVO), tags=tags)
        assert refused.value.params["field"] == "tags"


def test_everything_at_its_longest_is_kept_or_refused_as_a_whole(own: OwnCharacters) -> None:
    for letter, fits in (("界", True), ("🂡", False)):
        new = written({**_texts(IVO), **dict.fromkeys(TEXTS[:6], letter * MAX_TEXT_CHARS)})
        if fits:
            assert own.form(LOCAL_USER, own.create(LOCAL_USER, new)).written.description == letter * MAX_TEXT_CHARS
        else:
            with pytest.raises(KeepsakeError) as refused:
                own.create(LOCAL_USER, new)
            assert refused.value.code == "character_too_large"


def test_what_no_line_or_text_can_hold_is_cleaned(own: OwnCharacters) -> None:
    hostile = "a\x00b\r\nc\u202ed\ud800e\u2028f<b>{{x}}"
    new = written({**_texts(IVO), **dict.fromkeys(("name", "tagline", *TEXTS), hostile)}, tags=[hostile])
    assert new.name == "a b cd e f<b>{{x}}"
    assert new.description == "a\ufffdb\nc\u202ed\ufffde\u2028f<b>{{x}}"
    try:
        made = own.create(LOCAL_USER, new)
    except CharacterRefused as error:
        raise AssertionError(error.params) from error
    assert own.form(LOCAL_USER, made).written == new


def test_an_own_character_is_talked_with_and_a_change_is_in_the_next_prompt(talk: Talk) -> None:
    service = talk.house.service
    own = service.own_characters
    mine = own.create(LOCAL_USER, IVO)
    talk.chat_id = service.create(LOCAL_USER, mine)
    assert talk.texts() == ["*He looks up.* Good evening, friend. Which hour have you lost?"]
    talk.say("The hour after supper.", "A common one.")
    first = talk.model.prompts[-1][0].content
    assert "under the tram depot. Ivo Brandt counts aloud." in first
    assert "brings a watch that runs backwards" in first
    assert service.insights(LOCAL_USER, talk.chat_id).stances == 0

    form = own.form(LOCAL_USER, mine)
    changed = written({**_texts(IVO), "name": "Ivo the Elder", "description": "Ivo now repairs organs."})
    own.change(LOCAL_USER, mine, changed, stamp=form.stamp)
    own.remove(LOCAL_USER, mine)
    said = talk.texts()
    job = talk.say("And where is your shop?", "Still below.")
    second = talk.model.prompts[-1][0].content
    assert "Ivo now repairs organs." in second
    assert "tram depot" not in second
    assert talk.texts()[: len(said)] == said
    # The conversation keeps the name it began with: memory tells of it by that name.
    assert job.name == "Ivo Brandt"
    assert service.head(LOCAL_USER, talk.chat_id).character_name == "Ivo Brandt"
    assert [c.character_name for c in service.chats(LOCAL_USER) if c.id == talk.chat_id] == ["Ivo Brandt"]
    with pytest.raises(NotFound):
        service.create(LOCAL_USER, mine)
    own.restore(LOCAL_USER, mine)
    assert service.head(LOCAL_USER, service.create(LOCAL_USER, mine)).character_name == "Ivo the Elder"


def test_what_is_remembered_does_not_hang_on_the_name_it_was_renamed_to(talk: Talk) -> None:
    service, store = talk.house.service, talk.house.memory.store
    mine = service.own_characters.create(LOCAL_USER, IVO)
    talk.chat_id = service.create(LOCAL_USER, mine)
    talk.say("My brother Tobias keeps bees. You are very patient.", "I wait.")
    talk.remembered()
    stamp = service.own_characters.form(LOCAL_USER, mine).stamp
    service.own_characters.change(LOCAL_USER, mine, Written(name="The Clockmaker", language="en"), stamp=stamp)
    talk.say("You live in a cellar.", "Below the trams.")
    talk.say("I was born in Leith.", "Noted.")
    talk.remembered()

    def told() -> set[tuple[str, str, str]]:
        ids = store.memories.on_path(talk.scope, talk.branch_id).told.ids
        return {(m.kind.value, m.text, m.said_by) for m in store.memories.get(talk.scope, ids).values()}

    grown = told()
    service.controls.rebuild(LOCAL_USER, talk.chat_id)
    talk.remembered()
    assert told() == grown
    assert any("Ivo Brandt" in text for _, text, _ in grown)
    assert not any("Clockmaker" in text + by for _, text, by in grown)


def test_a_bundle_has_the_character_by_the_name_it_has_there(talk: Talk, tmp_path: Path) -> None:
    service = talk.house.service
    own = service.own_characters
    mine = own.create(LOCAL_USER, IVO)
    talk.chat_id = service.create(LOCAL_USER, mine)
    talk.say("Good evening.", "Is it?")
    own.change(LOCAL_USER, mine, Written(name="Ivo the Elder", language="en"), stamp=own.form(LOCAL_USER, mine).stamp)
    made = service.transfers.export(LOCAL_USER, talk.chat_id)
    lines = [json.loads(line) for line in made.path.read_text(encoding="utf-8").splitlines()]
    assert [(line["name"], line["card"]["data"]["name"]) for line in lines if line["type"] == "character"] == [("Ivo Brandt", "Ivo Brandt")]
    taken = Portable(talk.house.memory.store, wake=lambda: None).take(LOCAL_USER, made.path, name="ivo")
    assert service.head(LOCAL_USER, taken.chat_id).character_name == "Ivo Brandt"
    assert [c.id for c in own.all(LOCAL_USER)] == [mine]  # what came in with a conversation is in nobody's list


def test_a_conversation_that_is_erased_takes_no_listed_character_along(talk: Talk) -> None:
    service = talk.house.service
    own, store = service.own_characters, talk.house.memory.store
    kept, gone = own.create(LOCAL_USER, IVO), own.create(LOCAL_USER, IVO)
    chats = [service.create(LOCAL_USER, one) for one in (kept, gone)]
    own.remove(LOCAL_USER, gone)
    for chat_id in chats:
        service.conversations.delete(LOCAL_USER, chat_id)
        service.conversations.erase(LOCAL_USER, chat_id)
    assert [c.id for c in own.all(LOCAL_USER)] == [kept]
    assert store.characters.removed(LOCAL_USER) == []
    left = store.database.read().execute(
        "SELECT (SELECT count(*) FROM character WHERE id = ?1) + (SELECT count(*) FROM setting WHERE key LIKE '%' || ?1)", (gone,)
    )
    assert left.fetchone()[0] == 0
    assert own.form(LOCAL_USER, kept).written == IVO
