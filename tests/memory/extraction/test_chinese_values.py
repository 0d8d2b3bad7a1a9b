"""Chinese values of the player without a model: what an answer means with its question, and what is the player's own and holds now."""

from __future__ import annotations

import pytest

from memory.extraction.draft import Extraction
from tests.memory.extraction.chinese_said import extracted, values_of

ANSWERS = (
    ("你叫什么名字？", "林小雨。", "林小雨名叫林小雨。", "name=林小雨"),
    ("你住哪儿？", "杭州西湖边上。", "林小雨住在杭州西湖边上。", "residence=杭州西湖边上"),
    ("你多大了？", "二十九", "林小雨二十九岁。", "age=二十九"),
    ("你做什么工作？", "护士。", "林小雨的职业是护士。", "occupation=护士"),
    ("那你最喜欢什么颜色？", "墨绿色", "林小雨最喜欢的颜色是墨绿色。", "favorite_color=墨绿色"),
    ("你怕什么？", "打雷。", "林小雨怕打雷。", "fears=打雷"),
)


@pytest.mark.parametrize(("question", "text", "fact", "value"), ANSWERS)
def test_a_bare_answer_is_read_with_its_question(question: str, text: str, fact: str, value: str) -> None:
    extraction = extracted(text, question=question)
    assert [(f.text, f.from_question) for f in extraction.facts] == [(fact, True)]
    assert [f"{v.key}={v.value}" for v in extraction.values] == [value]
    assert not extraction.values[0].from_question


YES = (
    ("你是护士吗？", "是的。", "林小雨是护士。", "occupation=护士"),
    ("你喜欢吃辣吗？", "对啊！", "林小雨喜欢吃辣。", "food_liked=辣"),
    ("你是不是怕狗？", "嗯，从小就怕。", "林小雨怕狗。", "fears=狗"),
)


@pytest.mark.parametrize(("question", "text", "fact", "value"), YES)
def test_a_yes_takes_its_value_from_the_question(question: str, text: str, fact: str, value: str) -> None:
    extraction = extracted(text, question=question)
    assert [(f.text, f.from_question) for f in extraction.facts] == [(fact, True)]
    assert [(f"{v.key}={v.value}", v.from_question) for v in extraction.values] == [(value, True)]
    assert extraction.values[0].quote in text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("你是护士吗？", "不是。"),
        ("你穿多大码？", "三十七"),
        ("你租的是多大的房子？", "九十"),
        ("能帮我一下吗？", "可以。"),
        ("你想听故事吗？", "好啊。"),
    ],
)
def test_a_no_or_a_yes_to_a_request_gives_nothing(question: str, text: str) -> None:
    assert extracted(text, question=question) == Extraction()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("我养了只狗，名字叫布鲁诺。", ["pets=狗，名字叫布鲁诺"]),
        ("我有个女儿叫朵朵，今年七岁。", ["family=女儿叫朵朵"]),
        ("我有个朋友叫阿强，在上海当程序员。", []),
        ("我小说里的主角是个孤儿，住在维也纳。", []),
        ("我对花生过敏，对猫不过敏。", ["allergies=花生"]),
        ("我对数学不感兴趣。", []),
        ("我搬到成都三年了。", ["residence=成都"]),
        ("我原本住在上海。", []),
        ("我本来打算考研，后来放弃了。", []),
        ("我快三十岁了。", []),
        ("我当了十年老师。", []),
        ("我喜欢猫胜过狗。", []),
        ("我喜欢下雨天。", ["liked=下雨天"]),
        ("我喜欢猫头鹰。", ["animals_liked=猫头鹰"]),
        ("我喜欢鱼。", ["food_liked=鱼"]),
        ("我喜欢爵士乐。", ["music_liked=爵士乐"]),
        ("我喜欢听音乐。", ["hobbies=听音乐"]),
        ("我最喜欢的季节是秋天。", ["favorite_season=秋天"]),
        ("我最喜欢的运动是羽毛球。", ["favorite_sport=羽毛球"]),
        ("我最喜欢的游戏是围棋。", ["favorite_game=围棋"]),
        ("我是天蝎座，她是双鱼座。", ["zodiac=天蝎座"]),
        ("我属龙。", ["zodiac=属龙"]),
        ("我属于那种人。", []),
        ("我信佛。", ["faith=佛"]),
        ("我妈信佛。", ["family=妈"]),
        ("我性格内向。", ["traits=内向"]),
        ("他性格外向。", []),
        ("我是个急性子。", ["traits=急性子"]),
        ("我吃素。", ["diet=吃素"]),
        ("我一个人住。", ["household=一个人住"]),
        ("我和父母一起住。", ["household=父母", "family=父母"]),
        ("我很担心妈妈的身体。", ["worries=妈妈的身体"]),
        ("我担心你。", []),
        ("我不担心钱。", []),
        ("叫我一声哥哥。", []),
        ("我对核桃过敏很多年了。", ["allergies=核桃"]),
        ("我对核桃过敏的事他忘了。", []),
        ("我妈叫我小宝。", ["family=妈"]),
        ("“我是医生。”他说。", []),
        ("我可能怀孕了。", []),
        ("我丈夫去世三年了。", []),
        ("我女朋友昨晚离开了我。", []),
    ],
)
def test_values_are_the_players_own_and_hold_now(text: str, values: list[str]) -> None:
    assert values_of(text) == values


@pytest.mark.parametrize(
    ("question", "answer"),
    [("你妈妈住在哪里？", "成都"), ("你爸爸是做什么的？", "律师"), ("你以前住在哪里？", "成都"), ("你想住在哪里？", "成都")],
)
def test_an_answer_about_another_or_another_time_is_not_so_of_the_player(question: str, answer: str) -> None:
    assert extracted(answer, question=question) == Extraction()
