"""Topics, by themselves: the facts of a session decomposed, and tellings that belong together (RMM 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from memory import topics
from memory.topic_words import Rarity, WordTable, background, likenesses, terms_of
from storage.records import Kind, Memory
from tests.memory.topics_told import fact


def around(*directions: int, size: int = 8) -> topics.Vectors:
    """Unit vectors of the directions named, each a little off."""
    made = np.eye(size, dtype=np.float32)[list(directions)] + 0.02 * np.arange(len(directions), dtype=np.float32)[:, None]
    unit: topics.Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def decomposed(facts: Sequence[Memory], vectors: topics.Vectors) -> list[list[int]]:
    terms = topics.terms_of_facts(facts, people=("Mara", "Nell"))
    rarity = Rarity()
    rarity.add(background(facts[0].language))
    rarity.add(terms)
    return topics.decompose(facts, vectors, terms, rarity)


@pytest.mark.parametrize(
    "texts",
    [
        ("Mara grows tomatoes.", "Mara waters the tomatoes at dawn.", "Ida is a nurse.", "Ida works at night."),
        ("Mara在种番茄。", "Mara每天给番茄浇水。", "Ida是护士。", "Ida上夜班。"),
    ],
)
def test_facts_that_belong_together_are_one_topic_and_others_are_not(texts: tuple[str, ...]) -> None:
    language = "en" if texts[0].isascii() else "zh"
    facts = [fact(n, text, round_=1 + 3 * (n // 2), language=language) for n, text in enumerate(texts)]
    assert decomposed(facts, around(0, 0, 1, 1)) == [[0, 1], [2, 3]]


def linked_by_definition(members: Sequence[int], together: np.ndarray, least: float) -> list[list[int]]:
    """Every pair looked at in every step."""
    groups = [[i] for i in members]
    while len(groups) > 1:
        pairs = [(a, b) for a in range(len(groups)) for b in range(a)]
        wanted = {(a, b): least - topics.LOOSE * (1 in (sizes := {len(groups[a]), len(groups[b])}) and len(sizes) > 1) for a, b in pairs}
        above = {(a, b): together[np.ix_(groups[a], groups[b])].mean() - wanted[a, b] for a, b in pairs}
        a, b = max(pairs, key=lambda pair: (above[pair], -pair[0], -pair[1]))
        if above[a, b] < 0:
            break
        groups = [g for place, g in enumerate(groups) if place not in (a, b)] + [sorted(groups[a] + groups[b])]
    return groups


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_those_of_average_linkage(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=(12, 12)) / 2
    together = np.round((drawn + drawn.T) * 4) / 4 if seed % 2 else drawn + drawn.T  # with equals, and without
    members = sorted(rng.choice(12, size=9, replace=False).tolist())
    assert sorted(topics._linked(members, together, 0.25)) == sorted(linked_by_definition(members, together, 0.25))


def test_what_two_people_tell_is_two_topics_however_alike_it_is() -> None:
    facts = [fact(0, "Mara grows tomatoes.", round_=1), fact(1, "Nell grows tomatoes.", round_=1, who="Nell")]
    assert decomposed(facts, around(0, 0)) == [[0], [1]]


def test_a_summary_is_of_the_facts_own_sentences_in_order() -> None:
    facts = [fact(n, f"Mara told number {n}.", round_=n) for n in range(1, 7)]
    summary = topics.summary_of(facts, around(0, 1, 2, 3, 4, 5))
    chosen = [f.text for f in facts if f.text in summary]
    assert len(chosen) == topics.LINES
    assert summary == " ".join(chosen)
    assert topics.summary_of([replace(f, language="zh", text="她说了。") for f in facts[:2]], around(0, 1)) == "她说了。她说了。"


def test_dates_and_those_who_talk_are_not_what_a_sentence_is_about() -> None:
    assert terms_of("On 7 May 2023 Mara painted a lake.", language="en", people=("Mara",)) == terms_of("painted lake", language="en")
    assert terms_of("张曼婷2023年5月1日在学画画。", language="zh", people=("张曼婷",)) == frozenset({"画画"})
    assert terms_of("陆琳最近在收藏一些茶叶。", language="zh", people=("陆琳",)) >= {"收藏", "茶叶"}


def telling(name: str, session: int, text: str, direction: int, *, who: str = "Mara", continues: Sequence[str] = ()) -> topics.Telling:
    payload = {"continues": list(continues)} if continues else {}
    memory = replace(fact(0, text, round_=session, who=who), id=name, kind=Kind.TOPIC, slot=f"session:{session}", payload=payload)
    return topics.Telling(memory, around(direction, size=12), (terms_of(text, language="en", people=("Mara", "Nell")),))


OTHERS = [telling(f"x{n}", 1, text, 5 + n) for n, text in enumerate(("Mara sold a boat.", "Mara repaired a clock.", "Mara fears heights."))]
"""What else was told, so that there is a common direction to differ from."""


def joined(*tellings: topics.Telling) -> list[list[str]]:
    return [[m.id for m in thread] for thread in topics.threads([*OTHERS, *tellings], language="en") if not thread[0].id.startswith("x")]


def test_a_telling_goes_on_with_an_older_one_about_the_same_and_is_added_otherwise() -> None:
    garden, again = telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "Snails ate the tomatoes.", 0)
    assert joined(garden, again) == [["a", "b"]]
    assert joined(garden, telling("b", 3, "Mara plays chess.", 1)) == [["a"], ["b"]]
    assert joined(garden, telling("b", 3, "Snails ate the tomatoes.", 0, who="Nell")) == [["a"], ["b"]]  # another person's
    assert joined(garden, telling("b", 2, "Snails ate the tomatoes.", 0)) == [["a"], ["b"]]  # one session was decomposed as it is


def test_likeness_without_a_word_in_common_joins_nothing() -> None:
    assert joined(telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "Mara plays chess.", 0)) == [["a"], ["b"]]


def test_a_telling_may_go_on_with_several_and_what_a_model_named_counts_alone() -> None:
    first, second = telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 2, "Mara plays chess.", 1)
    assert joined(first, second, telling("c", 3, "Mara eats tomatoes at chess.", 2, continues=["a", "b"])) == [["a", "b", "c"]]
    assert joined(first, second, telling("c", 3, "Snails ate the tomatoes.", 0, continues=["b"])) == [["a"], ["b", "c"]]
    assert joined(first, second, telling("c", 3, "Snails ate the tomatoes.", 0, continues=["gone"])) == [["b"], ["a", "c"]]


def test_a_path_without_tellings_has_no_topics_and_one_without_words_stands_alone() -> None:
    assert topics.threads([], language="en") == []
    assert joined(telling("a", 2, "Mara grows tomatoes.", 0), telling("b", 3, "It was so.", 0)) == [["a"], ["b"]]


def test_words_count_by_how_rare_they_are_up_to_then() -> None:
    said = [[frozenset({"tomato", "garden"})], [frozenset({"tomato", "chess"})], [frozenset({"chess"}), frozenset({"chess", "boat"})], []]
    table, rarity = WordTable(said), Rarity()
    for end in (2, 3, 4):
        rarity.add(said[end - 1])
        weights = [rarity.weights(group) for group in said[:end]]
        assert table.likenesses(1, end, rarity) == pytest.approx(likenesses(weights)[1:])


def test_what_is_told_later_changes_no_older_topic() -> None:
    path = [
        telling("a", 2, "Mara grows tomatoes.", 0),
        telling("b", 3, "Snails ate the tomatoes.", 0),
        telling("c", 4, "Mara plays chess.", 1),
    ]
    before = joined(*path[:2])
    assert joined(*path)[: len(before)] == before
