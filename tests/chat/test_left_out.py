"""What a receipt says of memories that were near what was looked for and could not be recalled."""

from __future__ import annotations

from chat.views import LeftOutView, ReceiptView
from storage.records import Kind, Memory
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk


def _receipt(talk: Talk, cue: str = "What is my grey cat called?") -> ReceiptView:
    talk.remembered()
    talk.say(cue, "Let me think.")
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    return receipt


def _left_out(receipt: ReceiptView, word: str) -> list[LeftOutView]:
    assert not {c.memory_id for c in receipt.candidates} & {one.memory_id for one in receipt.left_out}
    return [one for one in receipt.left_out if word in one.text]


def _fact(talk: Talk, word: str) -> Memory:
    store = talk.house.memory.store
    visible = store.memories.visible(talk.scope, talk.branch_id).of_kinds([Kind.FACT])
    return next(m for m in store.memories.get(talk.scope, visible.ids).values() if word in m.text)


def _edition(talk: Talk) -> int:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id).edition


def _said(talk: Talk, word: str) -> str:
    return next(
        m.id for m in talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=600).messages if m.role == "user" and word in m.text
    )


def test_where_nothing_was_kept_out_nothing_is_named(told: Talk) -> None:
    assert _receipt(told).left_out == ()


def test_what_a_person_left_out_is_named_and_what_is_unlike_the_cue_is_not(told: Talk) -> None:
    controls = told.house.service.controls
    controls.exclude(LOCAL_USER, told.chat_id, _fact(told, "Biscuit").id)
    controls.exclude(LOCAL_USER, told.chat_id, _fact(told, "Porto").id)
    receipt = _receipt(told)
    (one,) = _left_out(receipt, "Biscuit")
    assert (one.reason, one.kind, one.first_round, one.round, one.place) == ("excluded", "fact", 5, None, 1)
    assert _left_out(receipt, "Porto") == []


def test_beside_few_memories_likeness_alone_says_nothing(talk: Talk) -> None:
    talk.say("I live in Porto.", "Noted.")
    talk.remembered()
    talk.house.service.rewriting.hide(LOCAL_USER, talk.chat_id, _said(talk, "Porto"), edition=_edition(talk))
    assert _receipt(talk, "Which tea do you like?").left_out == ()
    assert _left_out(_receipt(talk, "Is Porto far?"), "Porto")


def test_what_was_forgotten_says_in_which_round(told: Talk) -> None:
    fact = _fact(told, "Biscuit")
    told.house.memory.store.memories.forget(told.scope, _said(told, "Hm."), [fact.id], round_number=7)
    (one,) = _left_out(_receipt(told), "Biscuit")
    assert (one.memory_id, one.reason, one.round) == (fact.id, "forgotten", 7)


def test_what_was_taken_back_says_where(told: Talk) -> None:
    told.say("We had to give our cat Biscuit away for good.", "Oh.")
    told.say("Anyway, good evening.", "Good evening.")
    (one,) = [one for one in _left_out(_receipt(told), "Biscuit") if one.kind == "fact"]
    assert (one.reason, one.round) == ("taken_back", 8)


def test_what_hangs_on_a_hidden_or_deleted_message_is_named_and_comes_back_with_it(told: Talk) -> None:
    rewriting, said = told.house.service.rewriting, _said(told, "Biscuit")
    rewriting.hide(LOCAL_USER, told.chat_id, said, edition=_edition(told))
    assert {one.reason for one in _left_out(_receipt(told), "Biscuit")} == {"hidden"}
    rewriting.show(LOCAL_USER, told.chat_id, said, edition=_edition(told))
    rewriting.delete(LOCAL_USER, told.chat_id, said, edition=_edition(told))
    found = _left_out(_receipt(told), "Biscuit")
    assert {(one.reason, one.first_round) for one in found} == {("deleted", 0)}, "what is not there cannot be gone to"


def test_what_was_told_in_another_wording_is_elsewhere(told: Talk) -> None:
    said = _said(told, "Biscuit")
    told.house.service.rewriting.edit(LOCAL_USER, told.chat_id, said, "I have a grey cat called Juniper.", edition=_edition(told))
    receipt = _receipt(told)
    assert {one.reason for one in _left_out(receipt, "Biscuit")} == {"elsewhere"}
    assert any("Juniper" in c.text for c in receipt.candidates)


def test_what_was_erased_since_is_not_shown_any_more(told: Talk) -> None:
    fact = _fact(told, "Biscuit")
    told.house.service.controls.exclude(LOCAL_USER, told.chat_id, fact.id)
    assert _left_out(_receipt(told), "Biscuit")
    told.house.service.controls.delete(LOCAL_USER, told.chat_id, fact.id)
    again = told.house.service.receipt(LOCAL_USER, told.chat_id)
    assert again is not None
    assert _left_out(again, "Biscuit") == []
