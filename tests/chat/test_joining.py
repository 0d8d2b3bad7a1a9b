"""A character comes into a conversation that is under way: it has witnessed nothing of what was said before, and remembers what it witnesses from then on."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from tqdm import tqdm

from chat.errors import CannotListen, GroupNamesAlike, GroupSize, NotOfGroup
from chat.import_formats import read_conversations, select
from chat.importer import Cast, Importer
from chat.portable import Portable
from memory.recall import Cue
from personas.written import Written
from storage.errors import CharacterNotFound, NotFound
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.company import CHINESE, ENGLISH, MOTH, NELL, Company, company
from tests.chat.conftest import Talk
from tests.chat.test_group_memory import rebuilt, remembered
from tests.chat.test_group_secrets import EN_ASKED, EN_SECRET, ZH_ASKED, ZH_SECRET, told_in

CLEO = "Cleo Marsh"


def newcomer(talk: Talk, name: str = CLEO, language: str = "en") -> str:
    return talk.house.service.own_characters.create(LOCAL_USER, Written(name=name, language=language, description="Mends sails."))


def join(group: Company, character_id: str) -> None:
    group.groups.join(LOCAL_USER, group.chat_id, character_id, edition=group.edition)


@pytest.mark.parametrize(
    ("cast", "name", "secret", "words", "asked", "after", "known"),
    [
        (ENGLISH, CLEO, EN_SECRET[0], EN_SECRET[1], EN_ASKED, "I am allergic to walnuts.", "walnuts"),
        (CHINESE, "沈帆", ZH_SECRET[0], ZH_SECRET[1], ZH_ASKED, "我对核桃过敏。", "核桃"),
    ],
    ids=["en", "zh"],
)
def test_what_was_said_before_is_nowhere_in_what_the_newcomer_knows(
    talk: Talk, cast: tuple[str, ...], name: str, secret: str, words: tuple[str, ...], asked: tuple[str, ...], after: str, known: str
) -> None:
    group = company(talk, cast)
    group.tell(secret, "That stays with me.")
    group.tell("Good night." if cast is ENGLISH else "晚安。", "Yes.")
    join(group, newcomer(talk, name, "en" if cast is ENGLISH else "zh"))
    group.tell(after, "Noted.", to=name)
    first = "\n".join(m.content for m in group.model.prompts[-1])
    assert after in first
    assert told_in(first, words) == []
    group.tell("Well." if cast is ENGLISH else "好。", "Hm.")
    group.remembered()
    assert told_in(group.knows(group.names[0]), words) == list(words)
    assert known in group.knows(name)
    assert told_in(group.knows(name), words) == []
    engine, store, service = group.house.memory.engine, group.house.memory.store, group.house.service
    for question in asked:
        cue = Cue(question, 99)
        recall = engine.recall(group.mind(name), group.branch_id, cue)
        left_out = engine.left_out(group.mind(name), group.branch_id, cue, recall)
        ids = [*(c.memory_id for c in recall.candidates), *(one.memory_id for one in left_out), *recall.pinned]
        assert told_in("\n".join(m.text for m in store.memories.get(group.scope, ids).values()), words) == [], question
        answer = group.ask(question, of=name).answer
        assert answer is not None
        assert told_in(json.dumps(asdict(answer), default=str, ensure_ascii=False), words, but=[question]) == [], question
    for question in asked[:2]:
        group.tell(question, "I could not say.", to=name)
        assert told_in("\n".join(m.content for m in group.model.prompts[-1]), words, but=asked) == [], question
    assert told_in(json.dumps(asdict(service.story(LOCAL_USER, group.chat_id, name)), default=str, ensure_ascii=False), words) == []


def test_coming_is_a_step_that_is_taken_back_and_done_again(talk: Talk) -> None:
    group = company(talk)
    group.tell("My name is Mara.", "Noted.")
    group.tell("Good night.", "Good night.")
    cleo = newcomer(talk)
    join(group, cleo)
    assert group.names == group.group.room == (NELL, MOTH, CLEO)
    assert group.speakers()[-1] == CLEO
    assert "Cleo Marsh joins." in [m.text for m in talk.house.service.transcript(LOCAL_USER, group.chat_id).messages]
    group.tell("I live in Porto.", "I see.")
    grown = remembered(group)
    assert rebuilt(group) == grown
    assert any("Porto" in text for _, _, text in grown[CLEO])
    rewriting = talk.house.service.rewriting
    for _ in range(2):
        rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.names == group.group.room == (NELL, MOTH)
    (listed,) = (chat for chat in talk.house.service.chats(LOCAL_USER) if chat.id == group.chat_id)
    assert listed.members == (NELL, MOTH)
    left = remembered(group)
    assert rebuilt(group) == left
    assert {*left} == {NELL, MOTH}
    assert not any("Porto" in text for rows in left.values() for _, _, text in rows)
    for _ in range(2):
        rewriting.redo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.names == (NELL, MOTH, CLEO)
    assert remembered(group) == grown
    for _ in range(2):
        rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    join(group, cleo)
    assert group.names == (NELL, MOTH, CLEO)


def test_a_branch_from_before_has_no_newcomer(talk: Talk) -> None:
    group = company(talk)
    group.tell("My name is Mara.", "Noted.")
    join(group, newcomer(talk))
    group.tell("I live in Porto.", "I see.")
    early = next(m for m in talk.house.service.transcript(LOCAL_USER, group.chat_id).messages if m.text == "Noted.")
    talk.house.service.rewriting.branch(LOCAL_USER, group.chat_id, early.id, "", edition=group.edition)
    assert group.names == group.group.room == (NELL, MOTH)
    group.tell("I keep bees.", "Bees.")
    assert talk.house.service.transcript(LOCAL_USER, group.chat_id).messages[-1].present == (NELL, MOTH)
    grown = remembered(group)
    assert rebuilt(group) == grown
    assert CLEO not in grown


def test_who_cannot_come_is_refused_and_nothing_changes(talk: Talk) -> None:
    group = company(talk)
    edition = group.edition
    for character_id, why in (
        ("builtin:nell-garrow", GroupNamesAlike),
        (newcomer(talk, "rafferty moth"), GroupNamesAlike),
        ("builtin:nobody", NotFound),
        ("", NotFound),
    ):
        with pytest.raises(why):
            join(group, character_id)
    gone = newcomer(talk, "Gone")
    talk.house.service.own_characters.remove(LOCAL_USER, gone)
    with pytest.raises(CharacterNotFound):
        join(group, gone)
    for number in range(3):
        join(group, newcomer(talk, f"Person {number}"))
    with pytest.raises(GroupSize):
        join(group, newcomer(talk))
    with pytest.raises(NotOfGroup):
        talk.house.service.groups.join(LOCAL_USER, talk.chat_id, "builtin:qiu-mai", edition=0)
    talk.house.memory.store.chats.ensure_user("other", "Other")
    with pytest.raises(NotFound):
        group.groups.join("other", group.chat_id, "builtin:qiu-mai", edition=edition)
    with pytest.raises(NotFound):
        talk.house.service.widening.widen("other", talk.chat_id, "builtin:qiu-mai")
    assert len(group.names) == 5


def test_it_travels_in_a_bundle(talk: Talk) -> None:
    group = company(talk)
    group.tell("My name is Mara.", "Noted.")
    join(group, newcomer(talk))
    group.tell("I live in Porto.", "I see.")
    talk.house.service.rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    group.remembered()
    portable = Portable(talk.house.memory.store)
    copy = Company(talk.house, talk.model, portable.load(LOCAL_USER, portable.export(LOCAL_USER, group.chat_id)))
    assert copy.names == (NELL, MOTH, CLEO)
    assert copy.knows(CLEO) == group.knows(CLEO)
    talk.house.service.rewriting.undo(LOCAL_USER, copy.chat_id, edition=copy.edition)
    assert copy.names == (NELL, MOTH)


def test_it_travels_to_other_programs_and_back(talk: Talk, tmp_path: Path) -> None:
    group = company(talk)
    group.tell("My name is Mara.", "Noted.")
    early = next(m for m in talk.house.service.transcript(LOCAL_USER, group.chat_id).messages if m.text == "Noted.")
    join(group, newcomer(talk))
    group.tell("I live in Porto.", "I see.")
    portable = Portable(talk.house.memory.store)
    path = portable.export(LOCAL_USER, group.chat_id, form="jsonl")
    conversation = select(read_conversations(path), user="You", character=NELL, sample=None)
    importer = Importer(talk.house.memory.store, conversation, Cast("You", NELL), character_id="builtin:nell-garrow", language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    back = Company(talk.house, talk.model, importer.chat_id)
    assert {*back.names} == {*back.group.room} == {NELL, MOTH, CLEO}
    shown = talk.house.service.transcript(LOCAL_USER, back.chat_id).messages
    talk.house.service.rewriting.branch(
        LOCAL_USER, back.chat_id, next(m.id for m in shown if m.text == early.text), "", edition=back.edition
    )
    assert {*back.names} == {*back.group.room} == {NELL, MOTH}
    for _ in range(2):
        talk.house.service.rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    for form in ("jsonl", "markdown"):
        text = portable.export(LOCAL_USER, group.chat_id, form=form).read_text(encoding="utf-8")
        assert CLEO not in text
        assert "heard it" not in text


def test_a_conversation_with_one_goes_on_with_two_in_a_copy(talk: Talk) -> None:
    talk.say("I stole the harbour bell.", "Did you.")
    talk.say("My name is Mara.", "Noted.")
    talk.remembered()
    service = talk.house.service
    scene = [(m.role, m.name, m.text, m.round) for m in service.transcript(LOCAL_USER, talk.chat_id).messages]
    alone = set(talk.house.memory.store.memories.visible(talk.scope, talk.branch_id).ids)
    wide = Company(talk.house, talk.model, service.widening.widen(LOCAL_USER, talk.chat_id, "builtin:rafferty-moth"))
    assert wide.names == wide.group.room == (NELL, MOTH)
    shown = service.transcript(LOCAL_USER, wide.chat_id).messages
    assert [(m.role, m.name, m.text, m.round) for m in shown[:-1]] == scene
    assert [m.present for m in shown] == [(NELL,)] * len(scene) + [(NELL, MOTH)]
    wide.tell("I work as a baker.", "Bread.", to=MOTH)
    assert not any("bell" in m.content for m in talk.model.prompts[-1])
    wide.tell("Good night.", "Good night.")
    grown = remembered(wide)
    assert rebuilt(wide) == grown
    texts = {name: " ".join(text for _, _, text in rows) for name, rows in grown.items()}
    assert "bell" in texts[NELL]
    assert "bell" not in texts[MOTH]
    assert "baker" in texts[MOTH]
    assert wide.kinds(NELL)[Kind.FACT]
    assert set(talk.house.memory.store.memories.visible(talk.scope, talk.branch_id).ids) == alone
    assert service.transcript(LOCAL_USER, talk.chat_id).group is None
    with pytest.raises(GroupSize):
        service.widening.widen(LOCAL_USER, wide.chat_id, "builtin:qiu-mai")
    with pytest.raises(GroupNamesAlike):
        service.widening.widen(LOCAL_USER, talk.chat_id, "builtin:nell-garrow")
    for _ in range(3):
        service.rewriting.undo(LOCAL_USER, wide.chat_id, edition=wide.edition)
    assert wide.names == (NELL,)
    wide.tell("Only you and me.", "Yes.")
    assert service.transcript(LOCAL_USER, wide.chat_id).messages[-1].present == (NELL,)


def test_overheard_lines_have_no_place_among_several(talk: Talk) -> None:
    service = talk.house.service
    chat_id = service.listening.create(LOCAL_USER, "builtin:nell-garrow", player="Mara")
    before = len(service.chats(LOCAL_USER))
    with pytest.raises(CannotListen):
        service.widening.widen(LOCAL_USER, chat_id, newcomer(talk))
    assert len(service.chats(LOCAL_USER)) == before
