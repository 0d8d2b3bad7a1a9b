"""The sketch is a fold: each merge class by hand, and the same whatever the order of reading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.persona import Entry, known_name, normalised, outdated, sketch, teller
from memory.persona_keys import KEYS, ZH_LABELS, Group, Merge
from storage.records import Kind, Memory

START = datetime(2024, 5, 1, tzinfo=UTC)


def value(key: str, text: str, at: int, place: int = 0) -> Memory:
    return Memory(
        id=f"{key}-{at}-{place}",
        chat_id="c",
        kind=Kind.PERSONA,
        text=text,
        language="en",
        round_first=at,
        round_last=at,
        said_at=START + timedelta(minutes=at),
        sources=(),
        derivation_key="k",
        payload={"key": key, "place": place},
    )


def folded(*values: Memory) -> dict[str, tuple[list[str], list[str]]]:
    return {e.key.name: ([v.text for v in e.values], [v.text for v in e.former]) for e in sketch(values)}


def test_a_replaced_value_stays_in_history() -> None:
    assert folded(value("residence", "Lisbon", 1), value("residence", "Porto", 9)) == {"residence": (["Porto"], ["Lisbon"])}


def test_saying_the_same_again_replaces_nothing() -> None:
    (entry,) = sketch([value("name", "Mara", 1), value("name", "mara", 5)])
    assert [(v.text, v.round_last) for v in entry.values] == [("Mara", 1)]
    assert entry.former == ()


def test_one_age_in_other_words_is_no_change() -> None:
    told = [
        value("age", text, at)
        for at, text in enumerate(("thirty-four years old", "thirty-four", "34", "thirty-five years old", "thirty-five"))
    ]
    assert folded(*told) == {"age": (["thirty-five years old"], ["thirty-four years old"])}
    assert outdated(told) == {v.id for v in told[:3]}
    assert folded(value("age", "三十五岁", 1), value("age", "35", 2), value("age", "三十六岁", 3)) == {"age": (["三十六岁"], ["三十五岁"])}
    assert folded(value("age", "almost forty", 1), value("age", "forty", 2)) == {"age": (["forty"], ["almost forty"])}


def test_appended_values_add_up_and_what_says_more_takes_the_place_of_less() -> None:
    said = [value("family", "sister", 1), value("family", "brother", 2), value("family", "sister Ida", 3), value("family", "the sister", 4)]
    assert folded(*said) == {"family": (["sister Ida", "brother"], [])}
    assert folded(value("family", "妹妹", 1), value("family", "妹妹小雪", 2)) == {"family": (["妹妹小雪"], [])}
    assert folded(value("pets", "cat", 1), value("pets", "cathedral mouse", 2)) == {"pets": (["cathedral mouse", "cat"], [])}


@pytest.mark.parametrize(
    ("key", "less", "more"),
    [
        ("allergies", "花", "花生"),
        ("allergies", "牛", "牛奶"),
        ("allergies", "milk", "milk chocolate"),
        ("animals_liked", "猫", "猫头鹰"),
        ("food_liked", "鱼", "鱼香肉丝"),
        ("belongings", "boat", "boat house"),
        ("liked", "rain", "rain boots"),
        ("pets", "狗", "狗熊"),
        ("family", "姐姐", "姐姐的儿子"),
        ("family", "外甥", "外甥女"),
        ("family", "mother", "mother in law"),
    ],
)
def test_what_begins_with_the_same_words_is_not_the_same_thing(key: str, less: str, more: str) -> None:
    for first, then in ((less, more), (more, less)):
        assert folded(value(key, first, 1), value(key, then, 2)) == {key: ([then, first], [])}


@pytest.mark.parametrize(
    ("key", "less", "more"),
    [
        ("pets", "cat", "cat named Miso"),
        ("pets", "猫", "猫叫煤球"),
        ("family", "妹妹", "妹妹，叫阿宁"),
        ("friends", "friend", "friend Tom"),
    ],
)
def test_who_is_named_takes_the_place_of_who_was_not(key: str, less: str, more: str) -> None:
    for said in ((less, more), (more, less)):
        assert folded(*(value(key, text, at) for at, text in enumerate(said))) == {key: ([more], [])}


def test_a_trajectory_shows_the_newest_first_and_each_state_once() -> None:
    assert folded(value("mood", "tired", 1), value("mood", "glad", 3), value("mood", "tired", 7)) == {"mood": (["tired", "glad"], [])}


def test_a_value_on_the_opposite_key_is_retired() -> None:
    said = [value("food_liked", "olives", 1), value("food_liked", "figs", 1, 1), value("food_disliked", "the olives", 8)]
    assert folded(*said) == {"food_liked": (["figs"], ["olives"]), "food_disliked": (["the olives"], [])}
    back = [*said, value("food_liked", "olives", 20)]
    assert folded(*back) == {"food_liked": (["olives", "figs"], ["olives"]), "food_disliked": ([], ["the olives"])}


def test_each_class_merges_chinese_values_as_english_ones() -> None:
    assert folded(value("residence", "上海", 1), value("residence", "成都", 9)) == {"residence": (["成都"], ["上海"])}
    assert folded(value("skills", "弹钢琴", 1), value("skills", "下围棋", 2), value("skills", "弹钢琴。", 3)) == {
        "skills": (["下围棋", "弹钢琴"], [])
    }
    assert folded(value("mood", "很累", 1), value("mood", "开心", 3), value("mood", "很累", 7)) == {"mood": (["很累", "开心"], [])}
    said = [value("animals_liked", "蛇", 1), value("animals_liked", "猫", 2), value("animals_disliked", "蛇", 8)]
    assert folded(*said) == {"animals_liked": (["猫"], ["蛇"]), "animals_disliked": (["蛇"], [])}
    assert folded(value("goals", "开一家书店", 1), value("goals", "环游世界", 2)) == {"goals": (["环游世界", "开一家书店"], [])}


@pytest.mark.parametrize("topic", ["{}", "food_{}", "animals_{}", "music_{}"])
def test_each_topic_of_likes_has_its_opposite(topic: str) -> None:
    liked, disliked = topic.format("liked"), topic.format("disliked")
    assert folded(value(liked, "rain", 1), value(disliked, "rain", 2), value(liked, "fog", 3)) == {
        liked: (["fog"], ["rain"]),
        disliked: (["rain"], []),
    }


def test_complex_values_are_all_kept() -> None:
    assert folded(value("goals", "become a pilot", 1), value("goals", "learn to sail", 2)) == {
        "goals": (["learn to sail", "become a pilot"], [])
    }


def test_unknown_keys_are_passed_over_and_entries_come_in_the_registrys_order() -> None:
    made = sketch([value("mood", "glad", 1), value("name", "Mara", 2), value("shoe_size", "39", 3)])
    assert [e.key.name for e in made] == ["name", "mood"]


@given(
    st.lists(st.tuples(st.sampled_from(["name", "family", "mood", "food_liked", "food_disliked", "goals"]), st.sampled_from("abc"))),
    st.randoms(),
)
def test_the_order_of_reading_does_not_matter(said: list[tuple[str, str]], random: object) -> None:
    values = [value(key, text, at) for at, (key, text) in enumerate(said)]
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sketch(shuffled) == sketch(values)


@pytest.mark.parametrize(
    ("fond", "averse", "thing"),
    [
        ("food_liked", "disliked", "kimchi"),
        ("hobbies", "disliked", "hiking"),
        ("favorite_food", "food_disliked", "olives"),
        ("liked", "music_disliked", "秦腔"),
    ],
)
def test_what_is_liked_as_one_sort_of_thing_and_disliked_as_another_is_not_both(fond: str, averse: str, thing: str) -> None:
    assert folded(value(fond, thing, 1), value(averse, thing, 9)) == {fond: ([], [thing]), averse: ([thing], [])}
    assert folded(value(averse, thing, 1), value(fond, thing, 9)) == {fond: ([thing], []), averse: ([], [thing])}


FOND_OR_NOT = ["liked", "disliked", "food_liked", "food_disliked", "hobbies", "favorite_food"]


@given(st.lists(st.tuples(st.sampled_from(FOND_OR_NOT), st.sampled_from("abc"))))
def test_nothing_is_liked_and_disliked_at_once(said: list[tuple[str, str]]) -> None:
    made = folded(*(value(key, text, at) for at, (key, text) in enumerate(said)))
    held = [({*made.get(key, ([], []))[0]}, key.endswith("disliked")) for key in FOND_OR_NOT]
    assert not set().union(*(texts for texts, averse in held if averse)) & set().union(*(texts for texts, averse in held if not averse))


def test_the_players_name_stands_where_it_was_not_known() -> None:
    entries: tuple[Entry, ...] = sketch([value("name", "Mara", 2)])
    tell = teller(known_name(entries))
    assert tell("The player has a sister; the player's sister keeps bees.") == "Mara has a sister; Mara's sister keeps bees."
    assert tell("玩家喜欢绿茶。") == "Mara喜欢绿茶。"
    assert tell("The player's name is Mara.") == "The player's name is Mara."
    assert teller("")("The player sings.") == "The player sings."
    assert teller("Al")("The player also sings.") == "Al also sings."
    assert teller("Al")("The player's name is Al.") == "The player's name is Al."
    assert teller("李雷")("玩家的姐姐叫李雷。") == "玩家的姐姐叫李雷。"
    assert teller(r"\g<0>")("The player sings.") == r"\g<0> sings."


def test_values_are_compared_without_case_articles_and_edges() -> None:
    assert normalised(" The  Old Mill. ") == normalised("old mill") == "old mill"


def test_the_registry_is_whole() -> None:
    assert 60 <= len(KEYS) <= 65
    assert {key.group for key in KEYS.values()} == set(Group)
    assert {key.merge for key in KEYS.values()} == set(Merge)
    assert set(ZH_LABELS) == set(KEYS)
    for key in KEYS.values():
        assert key.en
        assert key.zh
        assert not key.opposite or KEYS[key.opposite].opposite == key.name


def test_a_plan_whose_day_is_over_is_a_plan_no_more() -> None:
    days = 24 * 60
    exam, sail = value("plans", "sit the exam on the sixteenth of May", 1), value("plans", "learn to sail", 2)
    assert folded(exam, sail) == {"plans": (["learn to sail", "sit the exam on the sixteenth of May"], [])}
    later = folded(exam, sail, value("pets", "cat", 20 * days))
    assert later["plans"] == (["learn to sail"], ["sit the exam on the sixteenth of May"])
    same_day = folded(exam, sail, value("pets", "cat", 15 * days))
    assert same_day["plans"][1] == []


def test_both_parents_are_said_with_one_of_them_unless_that_one_is_named() -> None:
    assert folded(value("family", "mother", 1), value("family", "parents", 2)) == {"family": (["parents"], [])}
    assert folded(value("family", "爸妈", 1), value("family", "妈", 2)) == {"family": (["爸妈"], [])}
    assert folded(value("family", "parents", 1), value("family", "mother Ida", 2)) == {"family": (["mother Ida", "parents"], [])}
    assert folded(value("family", "爸妈", 1), value("family", "姐", 2)) == {"family": (["姐", "爸妈"], [])}
