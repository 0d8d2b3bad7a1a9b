"""What a setting changes of a dialogue that is lived through, over the real engine: what is kept, and what is recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from annotation.dialogues import item_of
from annotation.probe_living import concludes, lived, with_probes
from annotation.probe_settings import ORDINARY, POLICIES, read
from chat.imported import ImportedConversation, ImportedMessage
from memory.engine import Cue
from models.structured import StructuredModel
from storage.annotation_records import Turn
from storage.records import Kind
from tests.chat.conftest import house_settings
from tests.memory.clerk import Clerk, nothing, told
from tests.memory.test_capacity import ALIKE, LONE
from tests.memory.test_construction import START

DRINKS = ((LONE, "How many hives?"), *((f"I like {drink}.", "A good cup.") for drink in ALIKE))
QUESTION = "What does my sister keep on the roof?"
BY_THE_SEA = (
    ("I grew up in a fishing village by the sea.", "On which coast?"),
    ("I swim in the sea every morning before work.", "Cold."),
    ("What is for supper?", "Broth."),
    ("Goodnight then.", "Goodnight."),
)
"""Two facts that Nell draws an insight from."""


def dialogue(rounds: Sequence[tuple[str, str]], *, other: str = "Nell Garrow") -> list[Turn]:
    said = [
        ImportedMessage(f"T{n}", name, text, START + timedelta(minutes=n), 1, n)
        for n, (name, text) in enumerate(((name, text) for pair in rounds for name, text in zip(("Mara", other), pair, strict=True)), 1)
    ]
    return list(item_of(ImportedConversation("x", "x", ("Mara", other), tuple(said), ())).turns)


@dataclass(frozen=True)
class Left:
    """What is there after a dialogue was lived through, and what a question brings to mind."""

    texts: Mapping[Kind, frozenset[str]]
    recipe: str
    ranked: tuple[str, ...]
    scores: tuple[float, ...]
    story: str


def left(folder: Path, turns: Sequence[Turn], reader: StructuredModel | None = None, /, **changes: object) -> Left:
    (setting,) = read([changes])
    told = with_probes(turns, [], longest=1)
    with lived(
        house_settings(folder / "unused"), setting, told, folder=folder / "lived", language="en", reader=reader, note=lambda *_: None
    ) as found:
        store, scope, branch = found.memory.store, found.scope, found.branch_id
        visible = store.memories.visible(scope, branch)
        texts = {kind: frozenset(m.text for m in store.memories.get(scope, visible.of_kinds((kind,)).ids).values()) for kind in Kind}
        recall = found.memory.engine.recall(scope, branch, Cue(QUESTION, 999, datetime(2024, 6, 1, tzinfo=UTC)))
        rows = store.memories.get(scope, [one.memory_id for one in recall.candidates])
        ranked = tuple(rows[one.memory_id].text for one in recall.candidates)
        return Left(texts, recall.recipe, ranked, tuple(one.fused for one in recall.candidates), store.chats.chat(scope).story)


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> Left:
    return left(tmp_path_factory.mktemp("ordinary"), dialogue(DRINKS), capacity=8)


@pytest.mark.parametrize("forgetting", [name for name in POLICIES if name != ORDINARY.forgetting])
def test_another_way_of_forgetting_keeps_others(tmp_path: Path, ordinary: Left, forgetting: str) -> None:
    capacity = {} if forgetting == "none" else {"capacity": 8}
    found = left(tmp_path, dialogue(DRINKS), forgetting=forgetting, **capacity).texts[Kind.FACT]
    before = ordinary.texts[Kind.FACT]
    assert found != before
    assert (found > before) == (forgetting == "none")
    assert any("Clara" in text for text in before)
    assert any("Clara" in text for text in found) == (forgetting == "none"), "what was told once is the first to go by cues or age alone"


@pytest.mark.parametrize("recipe", ["dense", "sparse", "plain", "without-facts"])
def test_another_recipe_recalls_otherwise(tmp_path: Path, ordinary: Left, recipe: str) -> None:
    found = left(tmp_path, dialogue(DRINKS), capacity=8, recipe=recipe)
    assert (ordinary.recipe, found.recipe) == ("fused", recipe)
    assert (found.ranked, found.scores) != (ordinary.ranked, ordinary.scores)


def test_without_insights_none_are_drawn(tmp_path: Path) -> None:
    turns = dialogue(BY_THE_SEA)
    assert concludes(turns)
    assert not concludes(dialogue(BY_THE_SEA, other="Idris"))
    drawn, none = left(tmp_path / "on", turns), left(tmp_path / "off", turns, insights="off")
    assert len(drawn.texts[Kind.INSIGHT]) == 1
    assert none.texts[Kind.INSIGHT] == frozenset()
    assert none.texts[Kind.FACT] == drawn.texts[Kind.FACT]


def test_a_short_story_has_chapters_where_a_long_one_has_none_yet(tmp_path: Path, ordinary: Left) -> None:
    found = left(tmp_path, dialogue(DRINKS), capacity=8, story="short")
    assert (ordinary.story, found.story) == ("paper", "short")
    assert (len(ordinary.texts[Kind.PLOT]), len(found.texts[Kind.PLOT])) == (0, 1)


def test_by_rule_no_model_is_asked_where_one_would_read(tmp_path: Path) -> None:
    turns = dialogue((("I live in a small flat above a bakery in Porto.", "Warm floors, then."), *DRINKS[:6]))
    clerk = Clerk(facts=told, insights=nothing, plot=nothing, topics=nothing)
    by_model = left(tmp_path / "model", turns, StructuredModel(clerk))
    asked = len(clerk.asked)
    assert asked
    by_rule = left(tmp_path / "rule", turns, StructuredModel(clerk), reading="grounded")
    assert len(clerk.asked) == asked
    assert by_rule.texts[Kind.FACT] != by_model.texts[Kind.FACT]
