"""What a cue calls up: a ranking has a first place whatever was said, so what is reinforced and inhibited is decided by what the cue bears on (MOOM 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.assembly import Memory, open_memory
from memory.called_up import FIRM, NEARLY, events, says
from memory.engine import round_tasks
from memory.recall import Cue
from memory.retrieval import Candidate
from settings import Settings
from storage.records import Effect
from storage.terms import query_terms
from tests.conftest import START, OpenChat, open_chat

TOLD = {
    "en": (
        "My sister Clara keeps bees on the roof of the library.",
        "I am allergic to walnuts, badly.",
        "Yesterday I sailed to Heron Island in a borrowed boat.",
        "Work was dull, I fixed the same printer twice.",
        "My neighbour plays the trumpet at six in the morning.",
        "I failed my driving test a second time.",
        "We painted the kitchen yellow at the weekend.",
        "My grandfather mended clocks in Leeds.",
        "I run along the canal on Sundays.",
        "A fox got into the allotment and ate the strawberries.",
        "The dentist pulled a tooth of mine on Thursday.",
        "I am learning to knit and it is a disaster.",
    ),
    "zh": (
        "我姐姐在图书馆楼顶养蜜蜂。",
        "我对核桃过敏，很严重。",
        "昨天我借了条船去了苍鹭岛。",
        "上班没意思，同一台打印机我修了两回。",
        "我邻居早上六点吹小号。",
        "我的驾照又没考过。",
        "周末我们把厨房刷成了黄色。",
        "我爷爷在利兹修过钟表。",
        "我每个星期天沿着运河跑步。",
        "狐狸钻进菜园，把草莓吃光了。",
        "星期四牙医给我拔了一颗牙。",
        "我在学织毛衣，织得一塌糊涂。",
    ),
}


@pytest.fixture(scope="module", params=["en", "zh"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Memory, OpenChat]]:
    folder: Path = tmp_path_factory.mktemp(request.param)
    memory = open_memory(Settings(data_dir=folder / "data", _env_file=None))  # type: ignore[call-arg]
    memory.store.chats.ensure_character(
        "c1", user_id=None, name="Mara", language=request.param, card={"name": "Mara"}, persona={}, stances=[]
    )
    chat = open_chat(memory.store)
    for number, line in enumerate(TOLD[request.param], start=1):
        for task in round_tasks(chat.branch_id, chat.say(line, "…", number=number)):
            memory.store.tasks.add(chat.scope, task)
    memory.work_off()
    yield request.param, memory, chat
    memory.close()


def _effects(told: tuple[str, Memory, OpenChat], text: str) -> tuple[int, dict[Effect, list[str]]]:
    """(how many were candidates, texts by what was done to them)."""
    _, memory, chat = told
    recall = memory.engine.recall(chat.scope, chat.branch_id, Cue(text, 50, START, speaker="Ada", listener="Mara"))
    found = memory.store.memories.get(chat.scope, [e.memory_id for e in recall.events])
    return len(recall.candidates), {
        effect: [found[e.memory_id].text for e in recall.events if e.effect is effect] for effect in (Effect.REINFORCED, Effect.INHIBITED)
    }


NOTHING_SAID = {
    "en": (
        "Goodnight, Mara.",
        "ok",
        "Hello!",
        "Good morning! How are you?",
        "Thanks, that was lovely.",
        "Haha, yes.",
        "*I nod and smile.*",
        "See you tomorrow!",
    ),
    "zh": ("晚安。", "好的", "你好呀", "早上好！", "谢谢", "哈哈，真的吗", "*点点头* 嗯嗯，好。", "明天见！"),
}


def test_a_greeting_a_farewell_or_an_ok_does_nothing_to_anything(told: tuple[str, Memory, OpenChat]) -> None:
    for text in NOTHING_SAID[told[0]]:
        candidates, done = _effects(told, text)
        assert candidates > 9, text  # there was something to be ranked
        assert done == {Effect.REINFORCED: [], Effect.INHIBITED: []}, text


def test_what_a_message_is_about_is_reinforced_and_what_it_is_not_about_is_let_alone(told: tuple[str, Memory, OpenChat]) -> None:
    text, about, other = {
        "en": ("Clara's bees have swarmed, right over the library!", "bees", ("printer", "walnuts", "trumpet")),
        "zh": ("我姐姐养的蜜蜂今天分群了！", "蜜蜂", ("打印机", "核桃", "小号")),
    }[told[0]]
    _, done = _effects(told, text)
    assert any(about in line for line in done[Effect.REINFORCED])
    assert not any(word in line for lines in done.values() for line in lines for word in other)


def test_a_farewell_with_something_in_it_is_about_that(told: tuple[str, Memory, OpenChat]) -> None:
    text, about = {
        "en": ("Goodnight! No walnuts in the cake tomorrow, please.", "walnuts"),
        "zh": ("晚安！明天的蛋糕里别放核桃。", "核桃"),
    }[told[0]]
    _, done = _effects(told, text)
    assert any(about in line for line in done[Effect.REINFORCED])


def test_a_question_calls_up_what_answers_it(told: tuple[str, Memory, OpenChat]) -> None:
    text, about = {"en": ("What am I allergic to?", "walnuts"), "zh": ("我对什么过敏？", "核桃")}[told[0]]
    assert any(about in line for line in _effects(told, text)[1][Effect.REINFORCED])


def test_who_talks_and_when_are_nothing_that_is_said() -> None:
    cue = Cue("Goodnight, Nell. I will paint the boat on Sunday.", 9, START, speaker="Ros", listener="Nell Garrow")
    (said,) = says(cue, terms=query_terms(cue.text), names=["Ros", "Nell Garrow"])
    assert said.terms == {"paint", "boat"}


def test_what_is_reached_nearly_competes_once_more_than_k_are_reached() -> None:
    candidates = [Candidate(f"m{i}", None, None, None, 1 - i / 10) for i in range(6)]
    reached = {"m0": NEARLY, "m1": FIRM, "m2": 0.1, "m3": NEARLY, "m4": 0.0, "m5": FIRM}
    done = {e.memory_id: e.effect for e in events(candidates, reached, current_round=7, k=2)}
    assert done == {"m1": Effect.REINFORCED, "m3": Effect.INHIBITED, "m5": Effect.INHIBITED}
    assert events(candidates, dict.fromkeys(reached, NEARLY), current_round=7, k=2) == []
