"""Whose it is in Chinese: what is there and nobody's, words of others that say 我, who was brought in; and what one lives by, with whom, and what is to come."""

from __future__ import annotations

import pytest

from tests.memory.extraction.chinese_said import facts_of, values_of


@pytest.mark.parametrize(
    "text",
    [
        "我就听见那边有个盆，咣当，掉地上了。",
        "走到门口，就剩一个大门垛子了。",
        "能，我能去。",
        "我们找着一个八十七的老太太，叫田桂枝，牙都没了，耳朵还好使。",
        "他就在电话那头哭了，说姐，你把钱留着，我拿了奖学金。",
        "主任说，小何，你编完了再去考，我当面试官。",
        "我闺女作文里写，我的妈妈叫殷玉盏。",
        "我说玉盏，我把名字给你带来了。",
        "三十晚上我包饺子，他擀皮，擀着擀着他说，考得咋样。",
        "我真是没——",
        "我说啥来着，嘴硬的给留饭。",
        "师傅，一筐，我奶奶院里那棵老树的。",
    ],
)
def test_what_is_nobodys_or_in_anothers_words_is_not_the_speakers(text: str) -> None:
    assert facts_of(text) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我叫林小雨，叫我小雨就行。", ["林小雨的昵称是小雨。"]),
        ("要说高兴的，也有，我屋里窗台上养了一头蒜。", ["林小雨屋里窗台上养了一头蒜。"]),
        ("周三我有个试镜。", ["2024年5月15日林小雨有个试镜。"]),
        ("我老公约纳斯是个木匠。", ["林小雨的老公约纳斯是个木匠。"]),
    ],
)
def test_what_is_said_is_told_without_what_stands_around_it(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("我靠修管风琴为生。", ["occupation=修管风琴"]),
        ("我在青岛开渔船。", ["occupation=开渔船"]),
        ("我在根特开了一家面包店。", ["occupation=开了一家面包店"]),
        ("我想开一家书店。", ["goals=开一家书店"]),
        ("我是市档案馆的档案员。", ["occupation=档案员", "workplace=市档案馆"]),
        ("我现在是正式的档案员。", ["occupation=档案员"]),
        ("周三我有个试镜。", ["plans=试镜"]),
        ("我和老公约纳斯住在奥洛穆茨。", ["household=老公约纳斯", "partner=老公约纳斯", "residence=奥洛穆茨"]),
        ("程望，就是我对象。", ["partner=程望"]),
        ("我现在住城西。", ["residence=城西"]),
        ("她摸着我的辫子，喊我二丫，我就答应。", []),
        ("我每回给小姑娘打菜。", []),
        ("我和小舅子在古城开了家咖啡馆。", ["family=小舅子", "occupation=开了家咖啡馆"]),
        ("我是这条街上最有名的铁匠。", []),
        ("我是个铁匠。", ["occupation=铁匠"]),
        ("我跟他说，转得好，姐也转了。", []),
    ],
)
def test_what_one_lives_by_with_whom_and_what_is_to_come(text: str, values: list[str]) -> None:
    assert sorted(values_of(text)) == values
