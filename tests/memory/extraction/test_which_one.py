"""The trip, the film, 这部电影: told with the words before them that say which one is meant, and not at all where none do or two could be."""

from __future__ import annotations

from datetime import datetime

import pytest
from spacy.tokens import Doc

from memory.extraction import chinese, english, english_parsing
from memory.extraction.draft import Extraction, Line
from memory.extraction.english_reading import Reading
from memory.extraction.grounded import _extractor

SAID_AT = datetime(2024, 6, 12, 10)


def _english(text: str, *, question: str = "") -> Extraction:
    return _extractor("en")(Line(text, "Mara", "Aurel", True, SAID_AT, question))


def _chinese(text: str) -> Extraction:
    return chinese.extract(Line(text, "林岚", "阿德", True, SAID_AT))


def _told(text: str, *, question: str = "") -> list[str]:
    return [fact.text for fact in _english(text, question=question).facts]


def _told_zh(text: str) -> list[str]:
    return [fact.text for fact in _chinese(text).facts]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "I booked a trip to Lisbon. My sister paid for the trip.",
            ["Mara booked a trip to Lisbon.", "Mara's sister paid for the trip to Lisbon."],
        ),
        (
            'I watched a film called "Salt" yesterday. I loved the music in the film.',
            ['Mara watched a film called "Salt" on 11 June 2024.', 'Mara loved the music in the film called "Salt".'],
        ),
        (
            "We climbed Mount Toba last week. I lost my hat on the mountain.",
            ["Mara and others climbed Mount Toba in the week of 3 June 2024.", "Mara lost their hat on Mount Toba."],
        ),
        (
            "I bought a book about bees. Wow. I gave the book to my aunt.",
            ["Mara bought a book about bees.", "Mara gave the book about bees to their aunt."],
        ),
        (
            "I have an interview for a baker's job on Friday. I bought a suit for the interview.",
            ["Mara has an interview for a baker's job on 14 June 2024.", "Mara bought a suit for the interview for a baker's job."],
        ),
    ],
)
def test_a_noun_is_told_with_the_words_that_say_which(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_what_is_told_so_rests_on_both_sentences() -> None:
    *_, fact = _english("Well, I booked a trip to Lisbon. My sister paid for the trip.").facts
    assert fact.quote == "Well, I booked a trip to Lisbon. My sister paid for the trip"
    assert not fact.from_question


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "I watched a film yesterday. I cried at the end of the film.",
            ["Mara watched a film on 11 June 2024; Mara cried at the end of the film."],
        ),
        (
            "I went to a concert in Riga. I met my old teacher at the event.",
            ["Mara went to a concert in Riga; Mara met their old teacher at the event."],
        ),
        (
            "I applied for a job in Riga. I bought a suit for the interview.",
            ["Mara applied for a job in Riga; Mara bought a suit for the interview."],
        ),
        (
            "I've been learning weaving, but I've met some difficulties.",
            ["Mara has been learning weaving; Mara has met some difficulties."],
        ),
        (
            "I like doing crafts, but I don't have any project in mind now.",
            ["Mara likes doing crafts; Mara doesn't have any project in mind now."],
        ),
        (
            "I want to write an essay about bees, but I haven't found any inspiration.",
            ["Mara wants to write an essay about bees; Mara hasn't found any inspiration."],
        ),
        (
            "I plan to sail to Malta. But first, I need to save enough money.",
            ["Mara plans to sail to Malta; Mara needs to save enough money."],
        ),
    ],
)
def test_what_names_it_without_describing_it_is_told_with_it(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I cried at the end of the film.", []),
        ("I'm going to find the best spot for the hike.", []),
        ("Finding a way to solve the problem is important.", []),
        ("I've been facing some difficulties lately.", []),
        (
            "I joined a course in pottery and a course in weaving. My aunt teaches the course.",
            ["Mara joined a course in pottery and a course in weaving."],
        ),
        ("I joined two courses. My aunt teaches the course.", ["Mara joined two courses."]),
        ("I saw a wonderful film. Wow. I wrote a poem about the film.", ["Mara saw a wonderful film."]),
        ("My sister moved to Rome. I made no progress.", ["Mara's sister moved to Rome."]),
    ],
)
def test_what_nothing_names_or_two_could_be_is_not_told(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I had dinner with Tom before the concert.", ["Mara had dinner with Tom."]),
        ("At the concert, I met Ida and her brother.", ["Mara met Ida and her brother."]),
        ("I didn't eat with Tom before the concert.", []),
        ("I only talked to Tom before the concert.", []),
        ("I was at the concert.", []),
    ],
)
def test_where_and_when_nobody_can_tell_falls_away_unless_it_is_the_point(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "I swim in the sea every morning.",
        "I met Ida at the wedding of my cousin.",
        "I overcame many obstacles in my life.",
        "I have difficulty falling asleep.",
        "I need to save enough money for a boat.",
        "We love hiking in the mountains near Bergen.",
    ],
)
def test_what_says_itself_which_is_told_as_before(text: str) -> None:
    assert len(_told(text)) == 1


def test_a_day_is_no_description() -> None:
    assert _told("I have an interview on Friday. Wow. I bought a suit for the interview.") == [
        "Mara has an interview on 14 June 2024.",
        "Mara bought a suit.",
    ]


def test_an_answer_is_told_with_what_its_question_names_and_hangs_on_it() -> None:
    (fact,) = _english("I haven't seen the film.", question='I love a film called "Salt". Have you seen it?').facts
    assert fact.text == 'Mara hasn\'t seen the film called "Salt".'
    assert fact.from_question
    assert _told("I haven't seen the film.", question="I love films. Have you any?") == []
    assert _told("I haven't seen the film.", question='I love a film called "Salt" and a film called "Moss". Have you seen them?') == []


def test_a_question_that_names_nothing_wanted_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    english.extract.cache_clear()
    parsed: list[str] = []
    parse = english_parsing.parse

    def noted(reading: Reading) -> Doc:
        parsed.append(reading.text)
        return parse(reading)

    monkeypatch.setattr(english, "parse", noted)
    _told("I have never seen the film.", question="Do you own a boat?")
    _told("I have never seen the film.", question='Do you know a film called "Moss"?')
    assert [text for text in parsed if "boat" in text] == []
    assert [text for text in parsed if "Moss" in text] != []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("First I cleaned the fish and cut the leeks.", ["Mara cleaned the fish and cut the leeks."]),
        ("Second, walking can strengthen muscles and bones.", ["Mara believes walking can strengthen muscles and bones."]),
        ("Certainly, films and plays are a good way to relax.", ["Mara believes films and plays are a good way to relax."]),
        ("Today is Monday and work has started again.", []),
    ],
)
def test_what_only_counts_or_dates_the_talk_is_left_out(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    ("text", "fact", "quote"),
    [
        (
            "昨天我看了《河灯》。这部电影很感人，我很喜欢这部电影里的风景。",
            "《河灯》很感人，林岚很喜欢《河灯》里的风景。",
            "昨天我看了《河灯》。这部电影很感人，我很喜欢这部电影里的风景",
        ),
        (
            "我最近报了一门陶艺课。这门课每周三上课，我学得很开心。",
            "陶艺课每周三上课，林岚学得很开心。",
            "我最近报了一门陶艺课。这门课每周三上课，我学得很开心",
        ),
        (
            "下雨了。我看了《河燈》。這部電影很感人，我很喜歡這部電影里的風景。",
            "《河燈》很感人，林岚很喜歡《河燈》里的風景。",
            "我看了《河燈》。這部電影很感人，我很喜歡這部電影里的風景",
        ),
    ],
)
def test_what_is_pointed_at_in_chinese_is_told_by_its_title_or_description(text: str, fact: str, quote: str) -> None:
    *_, last = _chinese(text).facts
    assert (last.text, last.quote) == (fact, quote)


@pytest.mark.parametrize(
    "text",
    [
        "这部电影很感人，我很喜欢这部电影里的风景。",
        "我看了《河灯》和《山雀》。这部电影很感人，我很喜欢这部电影里的风景。",
        "我读了小说《河灯》。这部电影很感人，我很喜欢这部电影里的风景。",
        "我报了一门陶艺课和一门木工课。这门课每周三上课，我学得很开心。",
        "我看了一部很好看的电影。这部电影很感人，我很喜欢这部电影里的风景。",
    ],
)
def test_what_could_be_two_things_or_none_is_not_told_in_chinese(text: str) -> None:
    assert not [fact for fact in _told_zh(text) if "风景" in fact or "每周三" in fact]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("为了保持健康，你应该有一个均衡的饮食。", ["为了保持健康，林岚建议阿德有一个均衡的饮食。"]),
        ("时间管理是一件很重要的事情。你可以制定一个详细的计划表。", ["关于时间管理，林岚建议阿德制定一个详细的计划表。"]),
        ("学习经济学能够帮助我们理解社会。你可以选择相应的领域学习。", ["关于学习经济学，林岚建议阿德选择相应的领域学习。"]),
        ("你可以选择相应的领域学习。", []),
        ("你可以选择一部看看。", []),
        ("做饭是我最大的爱好。你可以去公园里散散步。", ["林岚建议阿德去公园里散散步。"]),
        ("今天的天气是非常好的。你可以去公园里散散步。", ["林岚建议阿德去公园里散散步。"]),
        ("时间管理是一件很重要的事情。另外，你可以去公园里散散步。", ["林岚建议阿德去公园里散散步。"]),
    ],
)
def test_advice_says_what_it_is_for_where_that_stands_before_it(text: str, facts: list[str]) -> None:
    assert [fact for fact in _told_zh(text) if "建议" in fact] == facts


@pytest.mark.parametrize(
    "text",
    [
        "好的，我会尝试这些方法，更好地享受跑步。",
        "好的，我会认真思考并权衡自己的选择，尝试找到一个更好的机会。",
        "好的，我会多进行练习和学习基础知识，来提高自己的水平。",
        "很高兴我能给你带来一些灵感和建议。",
    ],
)
def test_promises_and_courtesies_of_nothing_named_are_no_facts(text: str) -> None:
    assert _told_zh(text) == []


def test_a_circumstance_is_told_once_with_who_it_is_of() -> None:
    assert "在《河灯》中，林岚认为作者写得非常细腻。" in _told_zh(
        "在《山雀》中，我对主人公的印象非常深刻。在《河灯》中，我认为作者写得非常细腻。"
    )


def test_what_is_inside_something_said_before_is_no_value() -> None:
    assert _chinese("我很喜欢里面的演员和音乐。").values == ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Ida called me yesterday. I value our friendship.",
            ["Ida called Mara on 11 June 2024.", "Mara values their friendship with Ida."],
        ),
        ("I feel like our friendship is drifting apart.", []),
        ("I learned a lot of useful words during our chat.", []),
        ("My boss likes my sister. Our relationship is good.", ["Mara's boss likes their sister."]),
    ],
)
def test_a_bond_is_told_with_whom_it_is(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I don't have any plans yet.", []),
        ("I don't have any plans for the weekend.", ["Mara doesn't have any plans for the weekend."]),
        ("I still need more time to improve my skills.", []),
        ("I want to improve my cooking skills.", ["Mara wants to improve their cooking skills."]),
    ],
)
def test_plans_and_skills_say_of_what(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_in_chinese_too_a_bond_is_told_with_whom_it_is() -> None:
    *_, fact = _chinese("下雨了。我的朋友最近经常对我发脾气，我不知道该怎么处理。我感觉我们之间的友谊在逐渐疏远。").facts
    assert fact.text == "林岚感觉林岚和朋友之间的友谊在逐渐疏远。"
    assert fact.quote == "我的朋友最近经常对我发脾气，我不知道该怎么处理。我感觉我们之间的友谊在逐渐疏远"
    assert _told_zh("我感觉我们之间的友谊在逐渐疏远。") == []
    assert not [told for told in _told_zh("小李和小王都来了。我觉得我们之间的友谊变淡了。") if "友谊" in told]


def test_advice_that_says_not_of_what_is_told_with_what_its_question_is_about() -> None:
    def told(question: str) -> list[tuple[str, bool]]:
        line = Line("你可以尝试寻找一些网络教程。", "阿德", "林岚", False, SAID_AT, question)
        return [(fact.text, fact.from_question) for fact in chinese.extract(line).facts]

    assert told("") == []
    assert told("我最近在学做面食，总是做不好。你会做吗？") == [("关于学做面食，阿德建议林岚尝试寻找一些网络教程。", True)]
    assert told("我最近在学做面食，还想学习木工。你会做吗？") == []


@pytest.mark.parametrize("text", ["谢谢你的提醒。我一定要注意安全问题。", "不过现在还需要更多时间和经验来探索和提升自己的技能。"])
def test_resolutions_of_nothing_named_are_no_facts(text: str) -> None:
    assert _told_zh(text) == []


def test_an_order_in_front_of_a_view_is_no_belief() -> None:
    assert _told("Never give up, patience is a rare gift.") == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("为了改善自己的睡眠，你可以试试睡前泡脚。", ["为了改善阿德的睡眠，林岚建议阿德睡前泡脚。"]),
        ("如果你想搬家，你可以先看看房租。最后，你可以进行实地考察。", []),
        ("最后，你可以写一份清单。", ["林岚建议阿德写一份清单。"]),
    ],
)
def test_advice_is_for_whom_it_is_given_and_a_step_of_a_case_is_none(text: str, facts: list[str]) -> None:
    assert _told_zh(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我看的是《北岸》。我很喜欢电影中的海浪声。", ["林岚看的是《北岸》。"]),
        ("我很喜欢《北岸》电影里的海浪声。", ["林岚很喜欢《北岸》电影里的海浪声。"]),
    ],
)
def test_in_which_work_something_is_has_to_be_said(text: str, facts: list[str]) -> None:
    assert _told_zh(text) == facts


@pytest.mark.parametrize(
    ("text", "mood"),
    [("Today I feel a bit down.", "a bit down"), ("I'm a little anxious.", "a little anxious"), ("I feel very down.", "down")],
)
def test_a_mood_is_no_stronger_than_it_was_said_to_be(text: str, mood: str) -> None:
    assert [v.value for v in _english(text).values if v.key == "mood"] == [mood]


@pytest.mark.parametrize(
    ("text", "values"),
    [("我最喜欢写诗歌和小说。", [("hobbies", "写诗歌")]), ("我喜欢画画和摄影。", [("hobbies", "画画"), ("hobbies", "摄影")])],
)
def test_what_something_is_done_to_is_not_for_that_reason_liked(text: str, values: list[tuple[str, str]]) -> None:
    assert [(v.key, v.value) for v in _chinese(text).values] == values
