"""Support: what is told of whom the question means counts, what is told of another counts against it, and nothing found supports nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory.cues import Cue, meant, read_cue
from memory.keys import Place
from memory.retrieval import Candidate
from memory.support import Judged, Support, support
from storage.records import Kind
from storage.terms import index_text, query_terms
from storage.words import KeyRow, Rarity

AT = datetime(2024, 5, 1, 12, tzinfo=UTC)
NAMES = ("Ann", "Bo")


def said(name: str, text: str, *, knowers: tuple[str, ...] = ()) -> KeyRow:
    by = text.partition(": ")[0]
    return KeyRow(name, Kind.EPISODE, text, tuple(index_text(text).split()), by, knowers or (by,), "", AT, None, None)


def fact(name: str, text: str, *, subject: str, by: str = "") -> KeyRow:
    return KeyRow(name, Kind.FACT, text, tuple(index_text(text).split()), by or subject, (by or subject,), subject, AT, None, None)


def judged(question: str, *places: Place, scores: dict[str, float], dense: float | None = 0.5, names: tuple[str, ...] = NAMES) -> Support:
    """scores: fused, by memory id."""
    cue = Cue(question, 99, AT + timedelta(days=30), speaker=names[0], listener=names[1])
    asked = read_cue(cue)
    rows = [row for place in places for row in place.members]
    holding = {t: n for t in asked.terms if (n := sum(t in query_terms(row.text) for row in rows))}
    candidates = [Candidate(i, dense, None, None, score) for i, score in sorted(scores.items(), key=lambda pair: -pair[1])]
    return support(
        Judged(question, asked, meant(cue, names), frozenset(names), places, candidates, Rarity(50, holding), 0.2, player=names[0])
    )


def test_nothing_found_supports_nothing() -> None:
    assert judged("Where does Ann keep bees?", scores={}) == Support(0.0, {"covered": 0.0, "margin": 0.0, "near": 0.0})


@pytest.mark.parametrize("names", [("Ann", "Bo"), ("小安", "阿波")])
def test_the_same_words_of_another_are_no_support(names: tuple[str, str]) -> None:
    ann, bo = names
    if ann == "Ann":
        lines, question = ("Ann: I keep bees on the roof.", "Bo: The roof leaks again."), "Where does {} keep bees?"
    else:
        lines, question = ("小安: 我在屋顶上养蜜蜂。", "阿波: 屋顶又漏水了。"), "{}在哪里养蜜蜂？"
    places = (Place(1, said("hers", lines[0]), (), None), Place(2, said("his", lines[1]), (), None))
    scores = {"hers": 2.0, "his": 0.9}
    right = judged(question.format(ann), *places, scores=scores, names=names)
    wrong = judged(question.format(bo), *places, scores=scores, names=names)
    assert right.terms["covered"] == 1.0
    assert right.best == ("hers",)
    assert wrong.best == ("his",)
    assert right.value > 0.5 > wrong.value


def test_what_is_not_in_memory_is_hardly_supported() -> None:
    places = (Place(1, said("a", "Ann: I keep bees on the roof."), (), None),)
    known = judged("Where does Ann keep bees?", *places, scores={"a": 1.5})
    unknown = judged("Which violin did Ann buy in Vienna?", *places, scores={"a": 1.5}, dense=0.25)
    assert known.value > 0.5 > unknown.value
    assert unknown.terms["covered"] == 0.0


def test_an_answer_says_what_its_question_asked() -> None:
    asked = said("q", "Bo: Where do you keep your bees?")
    alone = judged("Where does Ann keep bees?", Place(2, said("a", "Ann: On the roof."), (), None), scores={"a": 1.0})
    answer = judged("Where does Ann keep bees?", Place(2, said("a", "Ann: On the roof."), (), asked), scores={"a": 1.0})
    assert alone.terms["covered"] == 0.0
    assert answer.terms["covered"] == pytest.approx(0.8)


def test_a_fact_is_of_whom_its_subject_names() -> None:
    told = fact("f", "Bo's sister keeps bees.", subject="Bo's sister", by="Ann")
    place = Place(1, said("e", "Ann: I heard of it."), (told,), None)
    assert judged("What does Bo's sister keep?", place, scores={"f": 1.5, "e": 1.0}).best == ("f",)


def test_the_player_of_a_stored_text_is_who_asks() -> None:
    told = fact("f", "The player's sister keeps bees.", subject="The player's sister", by="Bo")
    place = Place(1, said("e", "Bo: So I heard."), (told,), None)
    assert judged("What does my sister keep?", place, scores={"f": 1.5, "e": 1.0}).best == ("f",)


def test_who_never_spoke_by_that_name_is_looked_for_in_all() -> None:
    place = Place(1, said("e", "Ann: I keep bees."), (), None)
    cue = Cue("What do I keep?", 99, AT, speaker="You")
    whole = Judged(
        cue.text,
        read_cue(cue),
        frozenset({"You"}),
        frozenset({"Ann"}),
        (place,),
        (Candidate("e", 0.5, None, None, 1.5),),
        Rarity(50, {}),
        0.2,
    )
    assert support(whole).best == ("e",)


@pytest.mark.parametrize(
    ("names", "line", "question"),
    [
        (NAMES, "Ann: Oh, well done! Your bees live on the roof.", "Where do {}'s bees live?"),
        (("小安", "阿波"), "小安: 真棒！你的蜜蜂住在屋顶上。", "{}的蜜蜂住在哪里？"),
    ],
)
def test_what_is_said_to_another_is_of_the_other(names: tuple[str, str], line: str, question: str) -> None:
    place = Place(1, said("e", line), (), None)
    of_bo, of_ann = (judged(question.format(name), place, scores={"e": 1.5}, names=names) for name in reversed(names))
    assert of_bo.best == ("e",)
    assert of_ann.best == ()
    assert of_bo.value > of_ann.value


def test_what_only_asks_tells_nothing() -> None:
    place = Place(1, said("e", "Ann: I am tired. What made you take up bees?"), (), None)
    assert judged("What made Ann take up bees?", place, scores={"e": 1.5}).best == ()
    assert judged("What made Bo take up bees?", place, scores={"e": 1.5}).best == ()


def test_each_in_a_round_of_two_is_heard_alone() -> None:
    row = said("e", "Ann: I keep bees.\nBo: I had rather keep goats.", knowers=NAMES)
    place = Place(1, row, (), None)
    assert judged("Does Bo keep goats?", place, scores={"e": 1.0}).terms["covered"] == 1.0
    assert judged("Does Ann keep goats?", place, scores={"e": 1.0}).terms["covered"] < 1.0


def test_a_time_that_is_named_is_answered_by_what_was_said_then() -> None:
    place = Place(1, said("e", "Ann: I went sailing."), (), None)  # on 1 May 2024
    then, later = (judged(f"Was Ann sailing on {day} May 2024?", place, scores={"e": 1.5}) for day in (1, 9))
    assert then.terms["covered"] == 1.0
    assert later.terms["covered"] < 1.0


def test_a_chinese_word_of_one_character_is_what_a_question_is_about() -> None:
    """A thing within a longer word too; a doing only as a word of its own: to open a shop is not to drive."""
    read = Place(1, said("read", "小安: 我最近在看一本叫做《活着》的书，睡前看书很舒服。"), (), None)
    opened = Place(2, said("opened", "小安: 路口新开了一家店，我很开心。"), (), None)
    names = ("小安", "阿波")
    assert judged("我最近在看什么书？", read, scores={"read": 1.0}, names=names).terms["covered"] == 1.0
    assert judged("我开什么车？", opened, scores={"opened": 1.0}, names=names).terms["covered"] < 0.6
    assert judged("我有几本书？", opened, scores={"opened": 1.0}, names=names).terms["covered"] == 0.0


@pytest.mark.parametrize(
    ("question", "line", "names"),
    [
        ("What did I paint this month?", "Ann: I painted the gate.", NAMES),
        ("我这个月粉刷了什么？", "小安: 我粉刷了大门。", ("小安", "阿波")),
    ],
)
def test_the_words_of_a_time_are_not_looked_for_in_what_was_said_then(question: str, line: str, names: tuple[str, str]) -> None:
    place = Place(1, said("a", line), (), None)
    assert judged(question, place, scores={"a": 1.0}, names=names).terms["covered"] == 1.0


def test_that_it_was_so_before_is_nothing_anybody_says() -> None:
    place = Place(1, said("a", "Ann: I live in Leith."), (), None)
    assert judged("Where did I live before?", place, scores={"a": 1.0}).terms["covered"] == 1.0
