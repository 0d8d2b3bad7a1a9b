"""The sample stories, as they are written."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from chat.import_formats import read_conversations, select
from chat.importer import Cast, rounds
from memory.episodes import language_of
from personas.cast import built_in
from personas.stories import STORIES, Story, story_of

LEAST_ROUNDS = 205
HAN = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.key)


@each
def test_a_story_has_more_than_two_hundred_rounds_of_one_player_and_one_of_the_cast(story: Story) -> None:
    found = select(read_conversations(story.path), user=story.player, character=story.character, sample=None)
    assert found.notices == ()
    assert found.speakers == (story.player, story.character)
    whole = list(rounds(found.messages, Cast(story.player, story.character)))
    assert len(whole) >= LEAST_ROUNDS
    assert all([m.speaker for m in one] == [story.player, story.character] for one in whole), "a line and its answer, each time"
    character = next(one for one in built_in() if one.id == story.character_id)
    assert (character.name, character.language) == (story.character, story.language)
    assert character.stances, "or it would form no insights"


@each
def test_it_goes_on_over_months_in_sittings_that_follow_each_other(story: Story) -> None:
    (found,) = read_conversations(story.path)
    assert all(a.said_at < b.said_at for a, b in pairwise(found.messages))
    assert len({m.session for m in found.messages}) >= 12
    assert (found.messages[-1].said_at - found.messages[0].said_at).days > 100
    assert max(Counter(m.session for m in found.messages).values()) <= 60, "no sitting is cut in the middle"


@each
def test_no_line_stands_twice_and_each_says_something(story: Story) -> None:
    (found,) = read_conversations(story.path)
    texts = [m.text for m in found.messages]
    assert len(set(texts)) == len(texts)
    openings = Counter(text[:24] for text in texts)
    assert openings.most_common(1)[0][1] <= 2, "nothing is written by a pattern"
    assert language_of(" ".join(texts)) == story.language
    sizes = [len(HAN.findall(t)) if story.language == "zh" else len(t.split()) for t in texts]
    assert min(sizes) >= (8 if story.language == "zh" else 6)
    assert max(sizes) <= (110 if story.language == "zh" else 70)


def test_there_is_one_in_each_language_with_a_key_of_its_own() -> None:
    assert {story.language for story in STORIES} == {"en", "zh"}
    assert all(story_of(story.key) is story for story in STORIES)
    assert story_of("another") is None
