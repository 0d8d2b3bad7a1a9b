"""The sample stories: long role-play of our own, one in English and one in Chinese, each with a character of the cast.

The texts stand in the folder `stories/` beside this module, in the plain layout that imports read: a date opens a sitting, then `[18:30] Name: text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / "stories"


@dataclass(frozen=True)
class Story:
    key: str
    """What it is called in events and in the database; never changes."""
    language: str
    title: str
    about: str
    """One sentence, in its language, for whoever chooses."""
    player: str
    """Who speaks with the character."""
    character: str
    character_id: str
    file: str

    @property
    def path(self) -> Path:
        return _FOLDER / self.file


STORIES = (
    Story(
        key="letter",
        language="en",
        title="The forty-first letter",
        about="A surveyor is sent to measure a causeway for a bridge. Its keeper has one letter left that she has never opened.",
        player="Ros",
        character="Nell Garrow",
        character_id="builtin:nell-garrow",
        file="the-forty-first-letter.txt",
    ),
    Story(
        key="name",
        language="zh",
        title="借来的名字",
        about="雪天里，一个总低着头的姑娘推开了理发店的门；店里的老师傅，四十九年来用的是别人的名字。",
        player="何穗",
        character="殷玉盏",
        character_id="builtin:yin-yuzhan",
        file="the-borrowed-name.txt",
    ),
)


def story_of(key: str) -> Story | None:
    return next((story for story in STORIES if story.key == key), None)
