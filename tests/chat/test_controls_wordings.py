"""What a person decided about memories stands and falls with the wordings that it was decided about."""

from __future__ import annotations

from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.remembering import controls, fact, facts, rebuilt, service


def test_an_edited_memory_stays_while_its_message_does_and_says_that_the_message_reads_otherwise(told: Talk) -> None:
    controls(told).edit(LOCAL_USER, told.chat_id, fact(told, "Ida").id, "Ida is a veterinarian.")
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    message = next(m for m in transcript.messages if "Ida" in m.text)
    rewriting = service(told).rewriting
    edition = rewriting.edit(LOCAL_USER, told.chat_id, message.id, "My sister Ida is tall.", edition=transcript.edition)
    told.remembered()
    assert fact(told, "veterinarian").source_changed
    edition = rewriting.swipe(LOCAL_USER, told.chat_id, message.id, to=1, edition=edition)
    told.remembered()
    assert not fact(told, "veterinarian").source_changed
    edition = rewriting.swipe(LOCAL_USER, told.chat_id, message.id, to=2, edition=edition)
    rewriting.delete(LOCAL_USER, told.chat_id, message.id, edition=edition)
    assert not any("veterinarian" in text for text in facts(told))


def test_what_a_person_wrote_is_not_seen_on_a_branch_that_reads_otherwise(told: Talk) -> None:
    """Whichever came first, the branch or the edit."""
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    message = next(m for m in transcript.messages if "Ida" in m.text)
    rewriting = service(told).rewriting
    first = told.house.memory.store.chats.chat(told.scope).branch_id
    controls(told).edit(LOCAL_USER, told.chat_id, fact(told, "Ida").id, "Ida is a veterinarian.")
    edition = rewriting.edit_in_branch(LOCAL_USER, told.chat_id, message.id, "My sister Ida is a pilot.", edition=transcript.edition)
    told.say("Hm.", "Noted.")
    told.remembered()
    assert "Ida is a pilot" in fact(told, "Ida").text
    controls(told).edit(LOCAL_USER, told.chat_id, fact(told, "pilot").id, "Ida flies a seaplane.")
    edition = service(told).transcript(LOCAL_USER, told.chat_id).edition
    edition = rewriting.switch(LOCAL_USER, told.chat_id, first, edition=edition)
    assert [text for text in facts(told) if "Ida" in text] == ["Ida is a veterinarian."]
    rewriting.edit(LOCAL_USER, told.chat_id, message.id, f"{message.text} There.", edition=edition)
    told.remembered()
    assert [text for text in facts(told) if "Ida" in text] == ["Ida is a veterinarian."]
    controls(told).rebuild(LOCAL_USER, told.chat_id)
    told.remembered()
    assert [text for text in facts(told) if "Ida" in text] == ["Ida is a veterinarian."]


def test_of_a_person_who_takes_the_models_words_back_another_wording_keeps_nothing(told: Talk) -> None:
    before = fact(told, "Ida")
    own = told.house.memory.store.memories.get(told.scope, [before.id])[before.id].text
    controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida is a veterinarian.")
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    message = next(m for m in transcript.messages if "Ida" in m.text)
    edition = service(told).rewriting.edit(LOCAL_USER, told.chat_id, message.id, "My sister is tall.", edition=transcript.edition)
    controls(told).edit(LOCAL_USER, told.chat_id, before.id, own)
    told.remembered()
    assert not any("Ida" in text for text in facts(told))
    service(told).rewriting.swipe(LOCAL_USER, told.chat_id, message.id, to=1, edition=edition)
    told.remembered()
    assert fact(told, "Ida").text == before.text


def test_of_a_person_who_takes_the_models_words_back_another_wording_tells_what_it_says(told: Talk) -> None:
    """Also where it says the same, which was not kept beside what the person wrote."""
    before = fact(told, "Ida")
    own = told.house.memory.store.memories.get(told.scope, [before.id])[before.id].text
    controls(told).edit(LOCAL_USER, told.chat_id, before.id, "Ida is a veterinarian.")
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    message = next(m for m in transcript.messages if "Ida" in m.text)
    worded = f"{message.text} I have a red boat."
    service(told).rewriting.edit(LOCAL_USER, told.chat_id, message.id, worded, edition=transcript.edition)
    told.remembered()
    assert [text for text in facts(told) if "Ida" in text] == ["Ida is a veterinarian."]
    controls(told).edit(LOCAL_USER, told.chat_id, before.id, own)
    told.remembered()
    assert fact(told, "Ida").text == before.text
    after = sorted(facts(told))
    rebuilt(told)
    assert sorted(facts(told)) == after


def test_a_message_that_is_worded_as_it_was_before_tells_what_it_told(told: Talk) -> None:
    """A further wording with the words of an older one is another wording to the tree and the same to memory."""
    before = sorted(facts(told))
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    message = next(m for m in transcript.messages if "Ida" in m.text)
    rewriting = service(told).rewriting
    edition = rewriting.edit(LOCAL_USER, told.chat_id, message.id, "My sister is tall.", edition=transcript.edition)
    told.remembered()
    edition = rewriting.edit(LOCAL_USER, told.chat_id, message.id, message.text, edition=edition)
    told.remembered()
    assert sorted(facts(told)) == before
    rewriting.swipe(LOCAL_USER, told.chat_id, message.id, to=1, edition=edition)
    assert sorted(facts(told)) == before


def test_an_excluded_round_stays_out_of_recall_however_it_is_worded(told: Talk) -> None:
    store = told.house.memory.store
    episodes = service(told).memories(LOCAL_USER, told.chat_id, shelf="episode").memories
    controls(told).exclude(LOCAL_USER, told.chat_id, next(e.id for e in episodes if "walnuts" in e.text))
    transcript = service(told).transcript(LOCAL_USER, told.chat_id)
    reply = next(m for m in transcript.messages if m.role == "character" and m.round == 3)
    service(told).rewriting.edit(LOCAL_USER, told.chat_id, reply.id, "No walnut cake then.", edition=transcript.edition)
    told.remembered()
    visible = store.memories.visible(told.scope, told.branch_id)
    shown = [m for m in store.memories.get(told.scope, visible.of_kinds((Kind.EPISODE,)).ids).values() if m.round_last == 3]
    assert [(m.excluded, "cake" in m.text) for m in shown] == [(True, True)]
