"""A player's own personas: who they are in a conversation, what the model is told of it, and that nothing of it is remembered."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from chat.errors import PlayerPictureUnusable, PlayersTooMany, PlayerTextTooLong, PlayerUnnamed
from chat.limits import MAX_PLAYER_CHARS, MOST_PLAYERS
from chat.players import OwnPlayers
from chat.portable import Portable
from chat.portable_records import known_player
from models.scripted import Script
from personas.pictures import is_face
from storage.errors import ChangedElsewhere, PlayerChanged, PlayerNotFound
from storage.records import Kind
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk
from tests.chat.rewritten import again, among_known, edition, known, rewriting, shown, told
from tests.chat.test_passing import ended
from tests.storage.lived_in import traces

NELL = "builtin:nell-garrow"
WORDS = "A heliotrope smuggler from Porto who keeps {{char}}'s secret."
LISBON, PORTO = "I live in a small flat in Lisbon.", "I live in a small flat in Porto."


def players(talk: Talk) -> OwnPlayers:
    return talk.house.service.own_players


def made(talk: Talk, name: str, description: str = "", picture: bytes | None = None) -> str:
    return players(talk).create(LOCAL_USER, name=name, description=description, picture=picture)


def play(talk: Talk, player_id: str, *, follows: bool = False) -> None:
    rewriting(talk).play_as(LOCAL_USER, talk.chat_id, player_id, follows=follows, edition=edition(talk))


def played(talk: Talk) -> tuple[str, str, bool]:
    view = talk.house.service.transcript(LOCAL_USER, talk.chat_id).player
    assert view is not None
    return view.id, view.name, view.follows


def facts(talk: Talk) -> set[str]:
    """As they are kept, whoever the player is by now."""
    talk.remembered()
    memories = talk.house.memory.store.memories
    visible = memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.FACT,))
    return {memory.text for memory in memories.get(talk.scope, visible.ids).values()}


def begin(talk: Talk, character: str = NELL) -> None:
    talk.chat_id = talk.house.service.create(LOCAL_USER, character)


def drawn(colour: str, size: tuple[int, int] = (400, 300), kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


# The list


def test_they_are_made_changed_copied_removed_and_had_back(talk: Talk) -> None:
    own = players(talk)
    ann = made(talk, "  Ann\u202e  ", "Keeps bees.\r\n", drawn("red", kind="JPEG"))
    (view,) = own.all(LOCAL_USER).listed
    assert (view.name, view.description, view.conversations) == ("Ann", "Keeps bees.", 0)
    assert own.all(LOCAL_USER).default == ann, "the first is the default"
    assert is_face(own.face(LOCAL_USER, ann)), "a picture is drawn anew"
    before = own.face(LOCAL_USER, ann)
    own.change(LOCAL_USER, ann, name="Anna", description="", picture=None, keep_picture=True, stamp=view.stamp)
    assert own.face(LOCAL_USER, ann) == before
    with pytest.raises(PlayerChanged):
        own.change(LOCAL_USER, ann, name="Anne", description="", picture=None, keep_picture=True, stamp=view.stamp)
    copy = own.duplicate(LOCAL_USER, ann)
    assert [one.name for one in own.all(LOCAL_USER).listed] == ["Anna", "Anna (2)"]
    assert own.face(LOCAL_USER, copy) == before
    stamp = own.all(LOCAL_USER).listed[0].stamp
    own.change(LOCAL_USER, ann, name="Anna", description="", picture=None, keep_picture=False, stamp=stamp)
    with pytest.raises(PlayerNotFound):
        own.face(LOCAL_USER, ann)
    own.remove(LOCAL_USER, ann)
    assert ([one.id for one in own.all(LOCAL_USER).removed], own.all(LOCAL_USER).default) == ([ann], "")
    own.restore(LOCAL_USER, ann)
    assert own.all(LOCAL_USER).default == ann, "what comes back is what it was"
    own.make_default(LOCAL_USER, "")
    assert own.all(LOCAL_USER).default == ""


def test_what_cannot_be_kept_is_refused_and_changes_nothing(talk: Talk) -> None:
    with pytest.raises(PlayerUnnamed):
        made(talk, " \u202e ")
    with pytest.raises(PlayerTextTooLong):
        made(talk, "Ann", "x" * (MAX_PLAYER_CHARS + 1))
    for bad in (b"<svg onload='x()'/>", drawn("red")[:200], b"GIF89a"):
        with pytest.raises(PlayerPictureUnusable):
            made(talk, "Ann", picture=bad)
    assert players(talk).all(LOCAL_USER).listed == ()
    store = talk.house.memory.store.players
    for n in range(MOST_PLAYERS):
        store.add(LOCAL_USER, name=f"N{n}", description="", face=None)
    with pytest.raises(PlayersTooMany):
        made(talk, "One more")


def test_another_user_has_none_of_them(talk: Talk) -> None:
    ann = made(talk, "Ann", "Keeps bees.", drawn("red"))
    store, own = talk.house.memory.store, players(talk)
    store.chats.ensure_user("other", "Other")
    assert own.all("other").listed == ()
    theirs = talk.house.service.create("other", NELL)
    refused = (
        lambda: own.face("other", ann),
        lambda: own.duplicate("other", ann),
        lambda: own.remove("other", ann),
        lambda: own.make_default("other", ann),
        lambda: own.change("other", ann, name="X", description="", picture=None, keep_picture=True, stamp=0),
        lambda: rewriting(talk).play_as("other", theirs, ann, follows=False, edition=0),
        lambda: talk.house.service.passing.begin("other", NELL, ann),
    )
    for act in refused:
        with pytest.raises(PlayerNotFound):
            act()
    own.remove(LOCAL_USER, ann)
    for act in (lambda: own.restore("other", ann), lambda: own.erase("other", ann)):
        with pytest.raises(PlayerNotFound):
            act()


# In the prompt


def test_a_conversation_begins_as_the_default_and_keeps_it(talk: Talk) -> None:
    ann, mara = made(talk, "Ann", WORDS), made(talk, "Mara", "A diver.")
    begin(talk)
    assert played(talk) == (ann, "Ann", False)
    talk.say(LISBON, "Do you?")
    players(talk).make_default(LOCAL_USER, mara)
    talk.say("I keep bees.", "Good.")
    assert [m.name for m in shown(talk) if m.role == "user"] == ["Ann", "Ann"]
    assert "heliotrope smuggler" in talk.model.prompts[-1][0].content
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    assert "player" in {s.name for s in receipt.sections}
    begin(talk)
    assert played(talk) == (mara, "Mara", False)


def test_one_that_is_not_kept_is_whichever_is_the_default(talk: Talk) -> None:
    ann, mara = made(talk, "Ann"), made(talk, "Mara", "A diver.")
    begin(talk)
    play(talk, "", follows=True)
    assert played(talk) == (ann, "Ann", True)
    talk.say(LISBON, "Do you?")
    players(talk).make_default(LOCAL_USER, mara)
    assert played(talk) == (mara, "Mara", True)
    talk.say(PORTO, "Since when?")
    assert [m.name for m in shown(talk) if m.role == "user"] == ["Ann", "Mara"]
    assert "A diver." in talk.model.prompts[-1][0].content
    assert talk.house.memory.store.players.names(talk.scope) == {ann: {"Ann"}, mara: {"Mara"}}, "both stand in its prompts"
    talk.say("Hm.", "Hm.")
    assert facts(talk) >= {f"Ann: “{LISBON}”", f"Mara: “{PORTO}”"}


def test_what_was_said_keeps_its_name_and_can_be_taken_back(talk: Talk) -> None:
    mara = made(talk, "Mara", WORDS)
    players(talk).make_default(LOCAL_USER, "")
    begin(talk)
    talk.say(LISBON, "I do like you.")
    talk.say("Hm.", "Hm.")
    before = facts(talk)
    play(talk, mara)
    talk.say(PORTO, "I trust you.")
    talk.say("Hm.", "Hm.")
    after = facts(talk)
    assert before < after
    assert {f"the player: “{LISBON}”", f"Mara: “{PORTO}”"} <= after
    assert [m.name for m in shown(talk) if m.role == "user"] == ["You", "You", "Mara", "Mara"]
    talk.house.service.controls.rebuild(LOCAL_USER, talk.chat_id)
    assert facts(talk) == after, "made anew from the text it is the same, whoever the player is by now"
    play(talk, "")
    assert played(talk) == ("", "You", False)
    talk.house.service.controls.rebuild(LOCAL_USER, talk.chat_id)
    assert facts(talk) == after
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert played(talk) == (mara, "Mara", False)
    assert talk.house.service.rewriting.undoable(LOCAL_USER, talk.chat_id) == ("send", "play_as")


def test_a_reply_made_again_is_said_to_who_the_player_is_then(talk: Talk) -> None:
    ann, mara = made(talk, "Ann"), made(talk, "Mara")
    begin(talk)
    talk.say("Hm.", "I believe you.")
    reply = shown(talk)[-1]
    play(talk, mara)
    again(talk, reply.id, "I trust you.")
    store = talk.house.memory.store
    first, second = store.tree.wordings(talk.scope, reply.id)
    assert (first.player, second.player) == ("", "Mara"), "empty: as it began"
    chat = store.chats.chat(talk.scope)
    assert (chat.said_to(first), chat.said_to(second)) == ("Ann", "Mara")
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, reply.id, to=1, edition=edition(talk))
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, "I believe you, friend.", edition=edition(talk))
    assert store.tree.wordings(talk.scope, reply.id)[-1].player == "", "an edited wording is said to whom it was said to"
    assert ann != mara


def test_what_is_known_is_of_who_one_is_now(talk: Talk) -> None:
    ann, mara = made(talk, "Ann"), made(talk, "Mara")
    begin(talk)
    talk.say(LISBON, "Do you?")
    play(talk, mara)
    talk.say(PORTO, "Since when?")
    talk.say("Hm.", "Hm.")
    assert among_known(talk, "Lisbon", "Porto") == {"Porto"}
    assert talk.house.service.persona(LOCAL_USER, talk.chat_id).others == {"Ann": 1}
    play(talk, ann)
    assert among_known(talk, "Lisbon", "Porto") == {"Lisbon"}


def test_a_greeting_that_nothing_was_said_to_is_told_anew(talk: Talk) -> None:
    ann, mara = made(talk, "Ann"), made(talk, "Mara", "a diver")
    card = {"name": "Bo", "description": "", "first_mes": "Hello {{user}}, {{persona}}.", "alternate_greetings": ["Away, {{user}}!"]}
    file = str({"spec": "chara_card_v2", "spec_version": "2.0", "data": card}).replace("'", '"').encode()
    begin(talk, talk.house.service.cards.take(LOCAL_USER, file).id)
    assert talk.texts() == ["Hello Ann, ."]
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, shown(talk)[0].id, to=2, edition=edition(talk))
    play(talk, mara)
    assert talk.texts() == ["Away, Mara!"]
    assert shown(talk)[0].variants == 2
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert (talk.texts(), played(talk)) == (["Away, Ann!"], (ann, "Ann", False))
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == ["Away, Mara!"]
    talk.say("I am here.", "Good.")
    play(talk, ann)
    assert talk.texts()[0] == "Away, Mara!", "what was answered stays"


def test_a_new_name_is_for_conversations_that_begin(talk: Talk) -> None:
    ann = made(talk, "Ann", "Old words.")
    begin(talk)
    view = players(talk).all(LOCAL_USER).listed[0]
    players(talk).change(LOCAL_USER, ann, name="Anna", description="New words.", picture=None, keep_picture=True, stamp=view.stamp)
    talk.say("Hm.", "Hm.")
    assert played(talk) == (ann, "Ann", False)
    assert "New words." in talk.model.prompts[-1][0].content, "what it says holds from the next reply on"
    play(talk, ann)
    assert played(talk) == (ann, "Anna", False), "choosing it again takes its name"


def test_a_page_that_is_behind_changes_nothing(talk: Talk) -> None:
    mara = made(talk, "Mara")
    old = edition(talk)
    talk.say("Hm.", "Hm.")
    with pytest.raises(ChangedElsewhere):
        rewriting(talk).play_as(LOCAL_USER, talk.chat_id, mara, follows=False, edition=old)
    assert played(talk) == ("", "You", False)


def test_nothing_it_says_is_remembered_or_found(talk: Talk) -> None:
    made(talk, "Ann", "I live in Oporto. My sister Ida is a nurse. I keep heliotropes.")
    begin(talk)
    talk.say("Hm.", "Hm.")
    talk.say("Yes.", "Hm.")
    assert told(talk) == set()
    assert known(talk) == {}
    found = talk.house.service.search.find(LOCAL_USER, "heliotropes")
    assert (found.messages, found.memories) == ((), ())


def test_a_temporary_conversation_has_a_persona_and_macros(talk: Talk) -> None:
    passing = talk.house.service.passing
    mara = made(talk, "Mara", "A zyzzyva diver.")
    ann = made(talk, "Ann", "An apiarist.")
    card = {"name": "Bo", "description": "It is {{isodate}}, {{random:one}}. {{persona}}", "first_mes": "Hello {{user}} on {{isodate}}."}
    file = str({"spec": "chara_card_v2", "spec_version": "2.0", "data": card}).replace("'", '"').encode()
    bo = talk.house.service.cards.take(LOCAL_USER, file).id
    for player, name, words in ((None, "Mara", "A zyzzyva diver."), (ann, "Ann", "An apiarist."), ("", "You", "")):
        view = passing.begin(LOCAL_USER, bo, player)
        assert view.messages[0].text.startswith(f"Hello {name if player != '' else 'friend'} on 20")
        talk.model.enqueue(Script(("Ah.",)))
        passing.say(LOCAL_USER, view.token, "Who am I?")
        assert ended(passing, view.token).messages[1].name == name
        system = talk.model.prompts[-1][0].content
        assert "{{" not in system
        assert ", one." in system
        assert words in system
        passing.leave(LOCAL_USER, view.token)
    assert mara != ann


# Out, in, and away


def test_a_bundle_carries_who_the_player_was(talk: Talk, tmp_path: Path) -> None:
    ann, mara = made(talk, "Ann", WORDS, drawn("red")), made(talk, "Mara", "A diver.")
    begin(talk)
    talk.say(LISBON, "I trust you.")
    play(talk, mara)
    talk.say(PORTO, "I trust you.")
    talk.remembered()
    store, known_here = talk.house.memory.store, facts(talk)
    portable = Portable(store)
    bundle = portable.export(LOCAL_USER, talk.chat_id)
    here, mine = talk.chat_id, players(talk).all(LOCAL_USER)
    talk.chat_id = portable.load(LOCAL_USER, bundle)
    assert played(talk) == (mara, "Mara", False)
    assert players(talk).all(LOCAL_USER).listed[0].id == mine.listed[0].id
    assert len(players(talk).all(LOCAL_USER).listed) == 2, "they are there already"
    talk.house.service.controls.rebuild(LOCAL_USER, talk.chat_id)
    assert facts(talk) == known_here
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert played(talk) == (ann, "Ann", False)
    store.chats.ensure_user("other", "Other")
    theirs = Portable(store).load("other", bundle)
    listed = players(talk).all("other").listed
    assert [(one.name, one.description) for one in listed] == [("Ann", WORDS), ("Mara", "A diver.")]
    assert not {one.id for one in listed} & {ann, mara}, "whose they were is nobody's business"
    assert players(talk).face("other", listed[0].id) == players(talk).face(LOCAL_USER, ann)
    view = talk.house.service.transcript("other", theirs).player
    assert view is not None
    assert view.name == "Mara"
    assert here != talk.chat_id


@pytest.mark.parametrize("value", [["a"], ["", "Ann"], ["x", ""], ["x", "A" * 61], "x", 3, ["x", "A\0"], [None, None]])
def test_a_forged_player_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="player"):
        known_player(value)  # type: ignore[arg-type]  # what a file may say


def test_erased_it_is_nowhere(talk: Talk) -> None:
    own, store = players(talk), talk.house.memory.store
    ann = made(talk, "Ann", "A heliotrope smuggler.", drawn("red"))
    begin(talk)
    talk.say("Hm.", "Hm.")
    own.remove(LOCAL_USER, ann)
    talk.say("Hm.", "Hm.")
    assert "heliotrope" in talk.model.prompts[-1][0].content, "a conversation that has it goes on"
    with pytest.raises(PlayerNotFound):
        own.erase(LOCAL_USER, ann)
    talk.house.service.conversations.erase(LOCAL_USER, talk.chat_id)
    assert own.all(LOCAL_USER).removed == (), "it goes with the last that had it"
    store.database.checkpoint()
    assert traces(store.folder.root, "heliotrope") == []
    mara = made(talk, "Mara", "A zyzzyva diver.")
    own.remove(LOCAL_USER, mara)
    own.erase(LOCAL_USER, mara)
    store.database.checkpoint()
    assert traces(store.folder.root, "zyzzyva") == []


def test_an_account_that_goes_takes_them_along(talk: Talk) -> None:
    store, own = talk.house.memory.store, players(talk)
    store.chats.ensure_user("other", "Other")
    own.create("other", name="Ann", description="A heliotrope smuggler.", picture=drawn("red"))
    chat = talk.house.service.create("other", NELL)
    assert store.chats.chat(Scope.of("other", chat)).user_name == "Ann"
    mine = made(talk, "Mara", "A diver.")
    talk.house.service.conversations.erase_account("other")
    assert [one.id for one in own.all(LOCAL_USER).listed] == [mine]
    store.database.checkpoint()
    assert traces(store.folder.root, "heliotrope") == []
