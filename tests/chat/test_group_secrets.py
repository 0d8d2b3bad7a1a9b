"""Of several characters each knows only what it witnessed: a secret told with only one of them there is nowhere in what another remembers or is sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import pytest

from memory.recall import Cue
from storage.records import Kind
from storage.scope import LOCAL_USER
from storage.witnesses import WitnessMissing
from tests.chat.company import CHINESE, ENGLISH, MOTH, NELL, Company, company
from tests.chat.conftest import Talk

EN_SECRET = ("I buried my grandfather's silver trumpet under the boathouse.", ("trumpet", "boathouse"))
EN_ASKED = (
    "What did I bury under the boathouse?",
    "Do you know anything about a silver trumpet?",
    "Where is my grandfather's trumpet?",
    "What did I say while you were outside?",
    "Tell me the secret I told Nell.",
    "grandfather silver trumpet boathouse",
    "Did I hide something?",
)
ZH_SECRET = ("我把外婆的翡翠手镯藏在阁楼的旧钢琴里。", ("手镯", "阁楼", "钢琴"))
ZH_ASKED = (
    "我把外婆的手镯藏在哪里？",
    "你知道翡翠手镯的事吗？",
    "阁楼的旧钢琴里有什么？",
    "你不在的时候我说了什么？",
    "外婆 翡翠 手镯 阁楼 钢琴",
    "我藏过什么东西吗？",
)


def secret_told(talk: Talk, cast: tuple[str, ...], secret: str, small: Sequence[str]) -> tuple[Company, str, str]:
    """A talk in which one thing was said while only the first was there, among others that both heard."""
    group = company(talk, cast)
    a, b = group.names
    group.tell(small[0], "Noted.")
    group.out(b)
    group.tell(secret, "That stays with me.")
    group.tell(small[1], "Yes.")
    group.back(b)
    for line in small[2:]:
        group.tell(line, "Hm.")
    group.remembered()
    return group, a, b


EN_SMALL = ("I have a grey cat called Biscuit.", "It is late.", "I work as a baker in Porto.", "I am allergic to walnuts.", "Good night.")
ZH_SMALL = ("我养了一只叫豆豆的猫。", "天黑了。", "我在厦门当面包师。", "我对核桃过敏。", "晚安。")
LANGUAGES = pytest.mark.parametrize(
    ("cast", "secret", "words", "small", "asked"),
    [(ENGLISH, EN_SECRET[0], EN_SECRET[1], EN_SMALL, EN_ASKED), (CHINESE, ZH_SECRET[0], ZH_SECRET[1], ZH_SMALL, ZH_ASKED)],
    ids=["en", "zh"],
)


def told_in(text: str, words: Sequence[str], *, but: Sequence[str] = ()) -> list[str]:
    """Those of the words that a text holds, apart from where it repeats what was asked."""
    for asked in but:
        text = text.replace(asked, "")
    return [word for word in words if word in text.casefold()]


@LANGUAGES
def test_what_was_told_with_one_there_is_nowhere_in_what_the_other_knows(
    talk: Talk, cast: tuple[str, ...], secret: str, words: Sequence[str], small: Sequence[str], asked: Sequence[str]
) -> None:
    group, a, b = secret_told(talk, cast, secret, small)
    assert told_in(group.knows(a), words) == list(words)
    assert told_in(group.knows(b), words) == []
    engine, service = group.house.memory.engine, group.house.service
    store = group.house.memory.store
    for question in asked:
        cue = Cue(question, 99)
        recall = engine.recall(group.mind(b), group.branch_id, cue)
        left_out = engine.left_out(group.mind(b), group.branch_id, cue, recall)
        ids = [*(c.memory_id for c in recall.candidates), *(one.memory_id for one in left_out), *recall.pinned]
        # Read with the player's eyes, so that nothing is hidden by asking as the one who does not know.
        assert told_in("\n".join(m.text for m in store.memories.get(group.scope, ids).values()), words) == [], question
        answer = group.ask(question, of=b).answer
        assert answer is not None
        assert told_in(json.dumps(asdict(answer), default=str, ensure_ascii=False), words, but=[question]) == [], question
    for question in asked:
        before = len(group.model.prompts)
        group.tell(question, "I could not say.", to=b)
        (prompt,) = group.model.prompts[before:]
        assert told_in("\n".join(m.content for m in prompt), words, but=asked) == [], question
        receipt = group.receipt()
        assert receipt.speaker == b
        assert told_in("\n".join(m.text for m in (*receipt.candidates, *receipt.left_out)), words, but=asked) == [], question
        service.rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert told_in(json.dumps(asdict(service.story(LOCAL_USER, group.chat_id, b)), default=str, ensure_ascii=False), words) == []


@LANGUAGES
def test_a_prompt_holds_the_messages_its_speaker_witnessed_and_no_others(
    talk: Talk, cast: tuple[str, ...], secret: str, words: Sequence[str], small: Sequence[str], asked: Sequence[str]
) -> None:
    group, a, b = secret_told(talk, cast, secret, small)
    group.speak(b, "So it is.")
    of_b = "\n".join(m.content for m in group.model.prompts[-1])
    group.speak(a, "It is.")
    of_a = "\n".join(m.content for m in group.model.prompts[-1])
    assert small[0] in of_b
    assert secret not in of_b
    assert small[1] not in of_b
    assert "stays with me" not in of_b
    assert secret in of_a
    assert small[1] in of_a


@LANGUAGES
def test_the_one_who_was_there_is_asked_and_remembers(
    talk: Talk, cast: tuple[str, ...], secret: str, words: Sequence[str], small: Sequence[str], asked: Sequence[str]
) -> None:
    group, a, _ = secret_told(talk, cast, secret, small)
    answer = group.ask(asked[0], of=a).answer
    assert answer is not None
    assert answer.found
    assert told_in(" ".join(p.text for p in answer.parts), words) != []


def test_memory_of_several_is_never_read_as_nobodys(talk: Talk) -> None:
    group = company(talk)
    store = group.house.memory.store
    with pytest.raises(WitnessMissing):
        store.memories.visible(group.scope, group.branch_id)
    with pytest.raises(WitnessMissing):
        store.memories.on_path(group.mind("Somebody Else"), group.branch_id)
    with pytest.raises(WitnessMissing):
        store.memories.visible(talk.scope.seen_by(NELL), talk.branch_id)


def test_each_has_its_own_readings_and_its_own_sketch(talk: Talk) -> None:
    group = company(talk)
    group.out(MOTH)
    group.tell("My name is Mara, and I live in Lisbon.", "Welcome.")
    group.back(MOTH)
    group.tell("I have a dog.", "A dog.")
    group.tell("Good.", "Good.")
    group.remembered()
    assert any("Lisbon" in text for text in group.kinds(NELL)[Kind.PERSONA])
    assert not any("Lisbon" in text or "Mara" in text for text in group.kinds(MOTH).get(Kind.PERSONA, []))
