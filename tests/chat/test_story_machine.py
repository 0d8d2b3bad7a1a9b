"""Whatever a player does to a conversation, the page shows what it should and memory tells nothing else. The long run is in `make bench`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.chat.story_machine import StoryMachine

TestStory = StoryMachine.TestCase
TestStory.settings = settings(
    max_examples=int(os.environ.get("KEEPSAKE_STORIES", "6")),
    stateful_step_count=int(os.environ.get("KEEPSAKE_STORY_STEPS", "25")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
