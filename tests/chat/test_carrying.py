"""Memory that goes along: a new conversation that begins with what another remembers, and everything that a memory of one's own can do there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat import views
from chat.carrying import Carrying
from chat.errors import NothingToCarry
from chat.portable import Portable
from memory.engine import Cue
from models.scripted import Script
from storage.errors import NotFound
from storage.records import Kind
from storage.scope import LOCAL_USER, Scope
from tests.chat.company import ENGLISH
from tests.chat.conftest import Talk
from tests.chat.remembering import controls, fact, facts, known, rebuilt, recalled, service
from tests.chat.rewritten import edition, rewriting
from tests.storage.lived_in import traces

NELL, MOTH = ENGLISH
TAKES_BACK = "I lied, I am not allergic to walnuts."


def carrying(talk: Talk) -> Carrying:
    return talk.house.service.carrying


def offered(talk: Talk) -> views.CarryingView:
    return carrying(talk).look(LOCAL_USER, talk.chat_id)


def living(talk: Talk, *kinds: str) -> list[str]:
    return [one.id for one in offered(talk).things if one.state == "living" and (not kinds or one.kind in kinds)]


def begun(talk: Talk, ids: list[str] | None = None, *, character: str = "") -> Talk:
    chat_id = carrying(talk).begin(LOCAL_USER, talk.chat_id, living(talk) if ids is None else ids, character_id=character)
    there = replace(talk, chat_id=chat_id, sent=talk.sent + 100)
    there.remembered()
    return there


def standing(talk: Talk) -> list[tuple[object, ...]]:
    rows = talk.house.memory.store.database.read().execute(
        "SELECT kind, text, round_first, round_last FROM memory WHERE chat_id = ? AND status = 'active' ORDER BY 1, 2, 3", (talk.chat_id,)
    )
    return [tuple(row) for row in rows]


def embedded(talk: Talk) -> int:
    (count,) = talk.house.memory.store.database.read().execute("SELECT count(*) FROM vector").fetchone()
    return int(count)


def test_a_new_conversation_remembers_the_other_from_its_first_line(told: Talk) -> None:
    there = begun(told)
    remembered = fact(told, "walnuts").text
    assert {m.text for m in facts(told).values()} == {m.text for m in facts(there).values()}
    assert {key: [v.text for v in values] for key, values in known(there).items()} == {
        key: [v.text for v in values] for key, values in known(told).items()
    }
    there.model.enqueue(Script(("Porridge without walnuts.",)))
    there.send("What may I not eat, because of my allergy?")
    there.wait()
    prompt = "\n".join(m.content for m in there.model.prompts[-1])
    assert f"before this conversation) {remembered}" in prompt
    receipt = service(there).receipt(LOCAL_USER, there.chat_id)
    assert receipt is not None
    walnuts = next(c for c in receipt.candidates if "walnuts" in c.text)
    assert walnuts.delivered
    assert walnuts.carried is not None
    assert (walnuts.carried.title, walnuts.carried.chat, walnuts.carried.first) == ("Nell Garrow", told.chat_id, 3)


def test_nothing_is_embedded_again(told: Talk) -> None:
    before = embedded(told)
    begun(told)
    assert embedded(told) == before


def test_it_outlives_memory_made_anew_and_is_no_ones_conclusion(told: Talk) -> None:
    there = begun(told)
    there.say("I play the cello in the harbour band.", "How lovely.")
    there.say("Hm.", "Yes?")
    there.remembered()
    grown = standing(there)
    assert any("cello" in str(text) for _, text, *_ in grown)
    rebuilt(there)
    assert standing(there) == grown
    service(there).rewriting.delete_from(
        LOCAL_USER, there.chat_id, service(there).transcript(LOCAL_USER, there.chat_id).messages[1].id, edition=edition(there)
    )
    there.remembered()
    assert fact(there, "Porto").text == fact(told, "Porto").text
    assert not any("cello" in text for text in facts(there))


def test_it_can_be_changed_pinned_left_out_and_deleted_there_and_stays_here(told: Talk) -> None:
    there = begun(told)
    porto, walnuts = fact(there, "Porto"), fact(there, "walnuts")
    as_made = told.house.memory.store.memories.get(there.scope, [porto.id])[porto.id].text
    controls(there).edit(LOCAL_USER, there.chat_id, porto.id, "Mara lives in Faro.")
    controls(there).pin(LOCAL_USER, there.chat_id, fact(there, "Ida").id)
    controls(there).exclude(LOCAL_USER, there.chat_id, fact(there, "Biscuit").id)
    controls(there).delete(LOCAL_USER, there.chat_id, walnuts.id)
    there.remembered()
    rebuilt(there)
    assert fact(there, "Faro").origin == "user"
    assert fact(there, "Ida").pinned
    assert fact(there, "Ida").origin == "model"
    assert fact(there, "Biscuit").excluded
    assert not any("walnut" in text for text in facts(there))
    assert not any("Biscuit" in text for text in recalled(there, "What is my cat called?"))
    assert {porto.text, walnuts.text} <= set(facts(told))
    assert not fact(told, "Biscuit").excluded
    controls(there).edit(LOCAL_USER, there.chat_id, fact(there, "Faro").id, as_made)
    there.remembered()
    assert fact(there, "Porto").origin == "model"
    rebuilt(there)
    assert fact(there, "Porto")


def test_what_is_told_anew_takes_the_place_of_what_came_along(told: Talk) -> None:
    there = begun(told)
    allergic = fact(there, "walnuts").text
    there.say("I live in the city of Faro now.", "By the sea.")
    there.say("Hm.", "Yes?")
    there.remembered()
    (home,) = known(there)["residence"]
    assert "Faro" in home.text
    there.say(TAKES_BACK, "Did you?")
    there.say("Hm.", "Yes?")
    there.remembered()
    assert allergic not in facts(there)
    grown = standing(there)
    rebuilt(there)
    assert standing(there) == grown


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in the city of Leith.", "I live in the city of Dover now."),
        ("I work as a glassblower.", "I work as a nurse now."),
        ("我住在大连。", "我现在住在青岛。"),
    ],
)
def test_what_holds_no_longer_does_not_come_along_by_itself(talk: Talk, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something newer has taken its place; what was taken back is not there at all."""
    for least in ("ENDED", "NAMED", "UNNAMED"):
        monkeypatch.setattr(f"memory.denying.{least}", 1.1)
    for line in (old, old, "Hm."):
        talk.say(line, "I see.")
    talk.remembered()
    past = {(key, v.text) for key, entry in known(talk).items() for v in entry}
    for line in (new, "Hm."):
        talk.say(line, "I see.")
    talk.remembered()
    values = [one for one in offered(talk).things if one.kind == "persona"]
    holding = {(key, v.text) for key, entry in known(talk).items() for v in entry}
    assert past - holding
    assert {(one.key, one.text) for one in values if one.state == "former"} == past - holding
    assert {(one.key, one.text) for one in values if one.state == "living"} == holding
    there = begun(talk)
    profile = service(there).persona(LOCAL_USER, there.chat_id)
    assert {(e.key, v.text) for e in profile.entries for v in e.values} == holding
    assert not any(e.former for e in profile.entries)


@pytest.mark.parametrize(("old", "new"), [("I like olives.", "I no longer like olives."), ("我住在大连。", "我已经不住在大连了。")])
def test_what_was_taken_back_does_not_come_along(talk: Talk, old: str, new: str) -> None:
    def told() -> dict[str, str]:
        talk.say("Hm.", "I see.")
        talk.remembered()
        return {one.id: one.text for one in offered(talk).things if one.kind in ("fact", "persona")}

    talk.say("My sister Ida is a nurse.", "I see.")
    stays = told()
    talk.say(old, "I see.")
    gone = {memory_id: text for memory_id, text in told().items() if memory_id not in stays}
    talk.say(new, "I see.")
    assert any(old in text for text in gone.values())
    assert not set(gone) & set(told())
    there = begun(talk)
    assert set(stays.values()) <= set(facts(there))
    assert not any(old in text for text in facts(there))


def test_another_character_gets_what_the_player_told_of_themself_alone(told: Talk) -> None:
    told.say("What do you do when the fog comes?", "I have been ringing the harbour bell for ten years.")
    told.say("My brother Rui paints boats for a living.", "Yes.")
    told.say("Hm.", "Yes.")
    told.remembered()
    there = begun(told, character=MOTH)
    mine = {one.text for one in offered(told).things if one.own and one.kind == "fact"}
    assert set(facts(there)) == mine
    assert mine < set(facts(told))
    assert any("Ida" in text for text in mine)
    assert any("Rui" in text for text in mine), "what is the player's is of them as well"
    assert not any("bell" in text for text in mine)
    assert "residence" in known(there)
    with pytest.raises(NothingToCarry):
        begun(told, [one.id for one in offered(told).things if not one.own], character=MOTH)


def test_what_came_along_goes_on_into_a_third_with_its_first_home(told: Talk) -> None:
    there = begun(told)
    there.say("I play the cello in the harbour band.", "How lovely.")
    there.say("Hm.", "Yes?")
    there.remembered()
    third = begun(there)
    homes = {m.text: m.carried.chat for m in facts(third).values() if m.carried is not None}
    porto = fact(told, "Porto").text
    assert homes[porto] == told.chat_id
    assert next(home for text, home in homes.items() if "cello" in text) == there.chat_id
    rounds = {m.text: m.first_round for m in facts(third).values()}
    assert rounds[porto] < next(n for text, n in rounds.items() if "cello" in text) < 0


def test_what_was_carried_stays_when_its_first_home_is_erased_and_goes_with_its_own(told: Talk) -> None:
    there = begun(told)
    porto = fact(told, "Porto").text
    service(told).conversations.delete(LOCAL_USER, told.chat_id)
    (binned,) = service(told).conversations.binned(LOCAL_USER)
    assert binned.carried == len(living(there))
    service(told).conversations.erase(LOCAL_USER, told.chat_id)
    assert porto in facts(there)
    assert "Porto" in recalled(there, "Where do I live?")[0]
    service(there).conversations.erase(LOCAL_USER, there.chat_id)
    assert not traces(told.house.memory.store.folder.root, "Porto")


def test_a_bundle_carries_it_into_a_copy(told: Talk, tmp_path_factory: pytest.TempPathFactory) -> None:
    there = begun(told)
    there.say(TAKES_BACK, "Did you?")
    there.say("Hm.", "Yes?")
    there.remembered()
    portable = Portable(told.house.memory.store)
    path = tmp_path_factory.mktemp("out") / "a.keepsake.jsonl"
    path.write_bytes(b"".join(portable.lines(LOCAL_USER, there.chat_id)))
    copy = replace(there, chat_id=portable.load(LOCAL_USER, path))
    copy.house.memory.worker.wake()
    copy.remembered()
    assert standing(copy) == standing(there)
    assert set(facts(copy)) == set(facts(there))
    rebuilt(copy)
    assert standing(copy) == standing(there)


def test_forgetting_takes_it_like_any_other(told: Talk) -> None:
    there = begun(told)
    store = told.house.memory.store
    porto = fact(there, "Porto")
    scored = told.house.memory.engine.scored(there.scope, there.branch_id, current_round=0)
    assert 0 < scored[porto.id].value < 1
    head = store.chats.head(there.scope, there.branch_id)
    assert head is not None
    store.memories.forget(there.scope, head.id, [porto.id], round_number=0)
    assert porto.text not in facts(there)
    lost = service(there).memories(LOCAL_USER, there.chat_id, shelf="forgotten").memories
    assert [m.id for m in lost] == [porto.id]
    fading = service(there).fading.look(LOCAL_USER, there.chat_id, chosen=porto.id)
    assert fading.chosen is not None
    assert fading.chosen.carried == lost[0].carried
    assert lost[0].carried is not None
    assert [one.carried for one in fading.lost] == [fading.chosen.carried]
    controls(there).restore(LOCAL_USER, there.chat_id, porto.id)
    assert porto.text in facts(there)


def test_it_is_nobody_elses(told: Talk) -> None:
    ids = living(told)
    for wrong in (
        lambda: carrying(told).look("somebody", told.chat_id),
        lambda: carrying(told).begin("somebody", told.chat_id, ids),
        lambda: carrying(told).export("somebody", told.chat_id, "json"),
        lambda: carrying(told).take("somebody", told.chat_id, b"{}", [0], edition=0),
    ):
        with pytest.raises(NotFound):
            wrong()
    there = begun(told, ids[:1])
    with pytest.raises(NothingToCarry):
        begun(there, ids)


def test_every_branch_of_the_new_conversation_has_it(told: Talk) -> None:
    there = begun(told)
    there.say("Hello.", "Hello, Mara.")
    first = service(there).transcript(LOCAL_USER, there.chat_id).messages[0]
    rewriting(there).branch(LOCAL_USER, there.chat_id, first.id, "other", edition=edition(there))
    there.remembered()
    assert fact(told, "Porto").text in facts(there)
    found = told.house.memory.engine.recall(there.scope, there.branch_id, Cue("Where do I live?", 1))
    kinds = {m.kind for m in told.house.memory.store.memories.get(there.scope, [c.memory_id for c in found.candidates]).values()}
    assert kinds <= {Kind.FACT, Kind.INSIGHT, Kind.EPISODE}
    assert Scope.of(LOCAL_USER, there.chat_id) == there.scope


def test_with_another_who_comes_in_it_stays_with_the_one_it_came_to(told: Talk) -> None:
    there = begun(told)
    there.say("Hello.", "Hello, Mara.")
    there.remembered()
    wide = replace(there, chat_id=service(there).widening.widen(LOCAL_USER, there.chat_id, MOTH))
    wide.remembered()
    names = ("Nell Garrow", "Rafferty Moth")
    knows = {name: {m.text for m in service(wide).memories(LOCAL_USER, wide.chat_id, of=name).memories} for name in names}
    assert fact(told, "Porto").text in knows[names[0]]
    assert knows[names[1]] == set()
    (porto,) = [m for m in service(wide).memories(LOCAL_USER, wide.chat_id, of=names[0]).memories if "Porto" in m.text]
    assert porto.first_round == fact(there, "Porto").first_round
