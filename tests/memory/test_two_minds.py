"""The same facts mean different things to a psychologist and to a gardener, without a language model as well (DualMem 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from chat.characters import OwnCharacters, checked
from personas.written import Written, card_of
from storage.records import Kind
from storage.scope import LOCAL_USER, Scope
from tests.memory.test_construction import Live, opened

Cues = tuple[tuple[str, ...], ...]

TALK = {
    "en": ("I moved to a new flat for the third time in two years.", "I cancelled dinner with my friends and stayed in bed all day."),
    "zh": ("我从来不把行李箱里的衣服拿出来。", "我取消了和朋友的聚餐，在床上躺了一整天。"),
}
STANCES: Mapping[str, Mapping[str, Mapping[str, Cues]]] = {
    "en": {
        "Hester Vane, psychologist": {
            "{{user}} seems to leave before anybody can be the first to leave {{user}}.": (
                ("{{user}} moves house again and again", "{{user}} moved for the fourth time in three years"),
                ("{{user}} cancels plans with friends", "{{user}} called off an evening with friends and stayed at home alone"),
            ),
            "{{user}} seems to count what {{user}} cannot talk about.": (
                ("{{user}} writes down every penny", "{{user}} adds up the shopping twice"),
                ("{{user}} checks the bank account every morning",),
            ),
        },
        "Alder Finch, gardener": {
            "{{user}} seems to be transplanted too often: what has no season to root lies down and wilts.": (
                ("{{user}} has moved three times in a short while", "{{user}} changed flats again this year"),
                ("{{user}} stays in bed all day", "{{user}} spent the whole weekend lying down"),
            ),
            "{{user}} seems to prune before anything has flowered.": (
                ("{{user}} gave up a hobby after two weeks", "{{user}} dropped out of the evening class"),
                ("{{user}} deleted the first chapters of the novel",),
            ),
        },
    },
    "zh": {
        "温若，心理咨询师": {
            "{{user}}似乎总要赶在别人离开之前先走。": (
                ("{{user}}住在哪里都不拆行李箱", "{{user}}的衣服一直放在行李箱里没有拿出来"),
                ("{{user}}取消了和朋友的聚餐", "{{user}}推掉了和朋友的聚会，一个人待在家里"),
            ),
            "{{user}}似乎在数那些说不出口的东西。": (
                ("{{user}}每一分钱都记账", "{{user}}买菜的钱要算两遍"),
                ("{{user}}每天早上都查银行余额",),
            ),
        },
        "葛三省，花匠": {
            "{{user}}似乎移栽得太勤，没有一季扎得下根，只好躺倒。": (
                ("{{user}}搬来以后一直没有打开行李箱", "{{user}}的衣服还放在行李箱里，没有挂进衣柜"),
                ("{{user}}在床上躺了一整天", "{{user}}整个周末都躺在床上没起来"),
            ),
            "{{user}}似乎等不到开花就先剪了枝。": (
                ("{{user}}学了两个星期就放弃了爱好", "{{user}}退了夜校的课"),
                ("{{user}}删掉了小说的开头几章",),
            ),
        },
    },
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_same_facts_give_a_psychologist_and_a_gardener_different_insights(language: str, tmp_path: Path) -> None:
    memory = opened(tmp_path / "data")
    told: dict[str, tuple[set[str], list[str]]] = {}
    for name, stances in STANCES[language].items():
        card = card_of(Written(name=name, language=language))
        card["data"]["extensions"]["keepsake"]["stances"] = [  # type: ignore[index]
            {"statement": statement, "cues": [list(cue) for cue in cues]} for statement, cues in stances.items()
        ]
        character_id = memory.store.characters.add(LOCAL_USER, checked(card))
        chat_id = memory.store.chats.create(LOCAL_USER, character_id=character_id, title="", language=language, user_name="You")
        scope = Scope.of(LOCAL_USER, chat_id)
        live = Live(memory, scope, memory.store.chats.chat(scope).branch_id, [], player="You")
        for line in TALK[language]:
            live.say(line, "Mm." if language == "en" else "嗯。")
        live.end()
        facts = {m.text for m in live.of(Kind.FACT)}
        told[name] = (facts, [m.text for m in live.of(Kind.INSIGHT)])
    memory.close()
    (facts, psychologists), (others, gardeners) = told.values()
    assert facts == others
    assert len(facts) >= len(TALK[language])
    assert len(psychologists) == len(gardeners) == 1
    player = "the player" if language == "en" else "玩家"
    for found, stances in zip((psychologists, gardeners), STANCES[language].values(), strict=True):
        assert found[0].casefold() == next(iter(stances)).replace("{{user}}", player).casefold()


def test_what_was_told_is_read_anew_when_the_judgments_change(tmp_path: Path) -> None:
    memory = opened(tmp_path / "data")
    own = OwnCharacters(memory.store, count=len, room=1000, finish_erasures=memory.store.erasures.finish)
    texts = ["\n".join([s, *(f"- {' / '.join(c)}" for c in cues)]) for stances in STANCES["en"].values() for s, cues in stances.items()]
    character_id = own.create(LOCAL_USER, Written(name="Hester Vane", language="en"))
    chat_id = memory.store.chats.create(LOCAL_USER, character_id=character_id, title="", language="en", user_name="You")
    scope = Scope.of(LOCAL_USER, chat_id)
    live = Live(memory, scope, memory.store.chats.chat(scope).branch_id, [], player="You")
    for line in TALK["en"]:
        live.say(line, "Mm.")
    live.end()
    assert live.of(Kind.INSIGHT) == []
    for stances, words in (("\n\n".join(texts[:2]), "leave before"), ("\n\n".join(texts[2:]), "transplanted"), ("", "")):
        form = own.form(LOCAL_USER, character_id)
        own.change(LOCAL_USER, character_id, replace(form.written, stances=stances), stamp=form.stamp)
        memory.work_off()
        found = [m.text for m in live.of(Kind.INSIGHT)]
        assert len(found) == (1 if words else 0)
        assert all(words in text for text in found)
    memory.close()
