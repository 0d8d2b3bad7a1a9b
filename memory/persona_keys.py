"""The persona key registry: what is kept of the player, in which group, and how a new value meets the old ones (MOOM 3.2, App. B, C).

The paper's own list is a figure without text; these keys are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Merge(StrEnum):
    REPLACE = "replace"
    """One value; a new one takes its place and the old one stays in history."""
    APPEND = "append"
    """Any number; a new one is added unless it is there already."""
    TRAJECTORY = "trajectory"
    """A course over time, newest first, each with its age."""
    CONTRADICTORY = "contradictory"
    """Any number; a new one retires what is of the same thing on the opposite key."""
    COMPLEX = "complex"
    """What only a model can merge; without one, values are added and marked unmerged."""


class Group(StrEnum):
    IDENTITY = "identity"
    RELATIONS = "relations"
    WORK = "work"
    HOME = "home"
    TASTES = "tastes"
    BELONGINGS = "belongings"
    HEALTH = "health"
    HABITS = "habits"
    PLANS = "plans"
    VALUES = "values"
    STATE = "state"


@dataclass(frozen=True)
class PersonaKey:
    name: str
    group: Group
    merge: Merge
    en: str
    """What belongs under it, for extraction by a model and for whoever reads the registry."""
    zh: str
    opposite: str = ""

    def label(self, language: str) -> str:
        """A short name for prompts."""
        return ZH_LABELS[self.name] if language == "zh" else self.name.replace("_", " ")


_REGISTRY = (
    PersonaKey("name", Group.IDENTITY, Merge.REPLACE, "what the player is called", "玩家的名字"),
    PersonaKey("nickname", Group.IDENTITY, Merge.APPEND, "other names the player goes by", "玩家的小名、外号"),
    PersonaKey("age", Group.IDENTITY, Merge.REPLACE, "age in years", "年龄"),
    PersonaKey("gender", Group.IDENTITY, Merge.REPLACE, "gender, as said", "性别，以本人所说为准"),
    PersonaKey("birthday", Group.IDENTITY, Merge.REPLACE, "date of birth or birthday", "生日"),
    PersonaKey("hometown", Group.IDENTITY, Merge.REPLACE, "where the player comes from or grew up", "老家、长大的地方"),
    PersonaKey("nationality", Group.IDENTITY, Merge.REPLACE, "country or people the player belongs to", "国籍、民族"),
    PersonaKey("languages", Group.IDENTITY, Merge.APPEND, "languages the player speaks or learns", "会说或在学的语言"),
    PersonaKey("zodiac", Group.IDENTITY, Merge.REPLACE, "star sign or sign of the zodiac", "星座、属相"),
    PersonaKey(
        "appearance",
        Group.IDENTITY,
        Merge.APPEND,
        "how the player looks: height, hair, eyes, scars, clothes",
        "长相：身高、头发、眼睛、穿着等",
    ),
    PersonaKey("traits", Group.IDENTITY, Merge.APPEND, "what the player is like: shy, stubborn, patient", "性格、脾气"),
    PersonaKey(
        "background",
        Group.IDENTITY,
        Merge.APPEND,
        "what the player has been through: childhood, turning points, losses",
        "经历：童年、转折、失去过什么",
    ),
    PersonaKey(
        "partner", Group.RELATIONS, Merge.REPLACE, "spouse, partner, boyfriend or girlfriend; or being single", "配偶、恋人，或单身"
    ),
    PersonaKey("family", Group.RELATIONS, Merge.APPEND, "relatives, with their names where said", "家人，说了名字的带上名字"),
    PersonaKey("friends", Group.RELATIONS, Merge.APPEND, "friends, colleagues and others who matter", "朋友、同事等重要的人"),
    PersonaKey(
        "pets", Group.RELATIONS, Merge.APPEND, "animals the player keeps, with their names where said", "养的动物，说了名字的带上名字"
    ),
    PersonaKey("relationships", Group.RELATIONS, Merge.COMPLEX, "how things stand between the player and somebody", "与某人的关系如何"),
    PersonaKey("occupation", Group.WORK, Merge.REPLACE, "what the player does for a living", "职业"),
    PersonaKey("former_work", Group.WORK, Merge.APPEND, "what the player worked as before", "以前做过的工作"),
    PersonaKey("workplace", Group.WORK, Merge.REPLACE, "where or for whom the player works", "工作单位"),
    PersonaKey("school", Group.WORK, Merge.REPLACE, "where the player studies or studied last", "就读或毕业的学校"),
    PersonaKey("field_of_study", Group.WORK, Merge.REPLACE, "subject the player studies or studied", "专业、学的东西"),
    PersonaKey("education", Group.WORK, Merge.REPLACE, "the highest degree or level reached", "学历、学位"),
    PersonaKey("skills", Group.WORK, Merge.APPEND, "what the player can do well", "会的本事"),
    PersonaKey("achievements", Group.WORK, Merge.APPEND, "what the player has won, finished or reached", "得过的奖、做成的事"),
    PersonaKey("residence", Group.HOME, Merge.REPLACE, "where the player lives now", "现在住的地方"),
    PersonaKey("household", Group.HOME, Merge.REPLACE, "whom the player lives with, or living alone", "和谁一起住，或独居"),
    PersonaKey("favorite_food", Group.TASTES, Merge.REPLACE, "the one favourite food", "最喜欢的食物"),
    PersonaKey("favorite_drink", Group.TASTES, Merge.REPLACE, "the one favourite drink", "最喜欢的饮料"),
    PersonaKey("favorite_color", Group.TASTES, Merge.REPLACE, "the one favourite colour", "最喜欢的颜色"),
    PersonaKey("favorite_animal", Group.TASTES, Merge.REPLACE, "the one favourite animal", "最喜欢的动物"),
    PersonaKey("favorite_music", Group.TASTES, Merge.REPLACE, "favourite song, singer, band or kind of music", "最喜欢的歌、歌手或音乐"),
    PersonaKey("favorite_book", Group.TASTES, Merge.REPLACE, "favourite book or author", "最喜欢的书或作者"),
    PersonaKey("favorite_film", Group.TASTES, Merge.REPLACE, "favourite film or show", "最喜欢的电影或剧"),
    PersonaKey("favorite_place", Group.TASTES, Merge.REPLACE, "favourite place", "最喜欢的地方"),
    PersonaKey("favorite_season", Group.TASTES, Merge.REPLACE, "the one favourite season", "最喜欢的季节"),
    PersonaKey("favorite_sport", Group.TASTES, Merge.REPLACE, "the one favourite sport", "最喜欢的运动"),
    PersonaKey("favorite_game", Group.TASTES, Merge.REPLACE, "the one favourite game", "最喜欢的游戏"),
    PersonaKey("food_liked", Group.TASTES, Merge.CONTRADICTORY, "food and drink the player likes", "喜欢吃喝的", "food_disliked"),
    PersonaKey(
        "food_disliked", Group.TASTES, Merge.CONTRADICTORY, "food and drink the player dislikes or avoids", "不爱吃喝的", "food_liked"
    ),
    PersonaKey(
        "animals_liked",
        Group.TASTES,
        Merge.CONTRADICTORY,
        "animals the player likes, other than those kept",
        "喜欢的动物，自己养的除外",
        "animals_disliked",
    ),
    PersonaKey("animals_disliked", Group.TASTES, Merge.CONTRADICTORY, "animals the player dislikes", "不喜欢的动物", "animals_liked"),
    PersonaKey("music_liked", Group.TASTES, Merge.CONTRADICTORY, "music the player likes", "喜欢的音乐", "music_disliked"),
    PersonaKey("music_disliked", Group.TASTES, Merge.CONTRADICTORY, "music the player dislikes", "不喜欢的音乐", "music_liked"),
    PersonaKey("liked", Group.TASTES, Merge.CONTRADICTORY, "anything else the player likes", "喜欢的其他事物", "disliked"),
    PersonaKey("disliked", Group.TASTES, Merge.CONTRADICTORY, "anything else the player dislikes", "讨厌的其他事物", "liked"),
    PersonaKey("belongings", Group.BELONGINGS, Merge.APPEND, "things the player owns and speaks of", "拥有的东西"),
    PersonaKey("wishes", Group.BELONGINGS, Merge.APPEND, "things the player would like to have", "想要的东西"),
    PersonaKey("allergies", Group.HEALTH, Merge.APPEND, "what the player is allergic to", "过敏的东西"),
    PersonaKey("diet", Group.HEALTH, Merge.REPLACE, "a way of eating kept to, such as vegetarian", "饮食习惯，如素食"),
    PersonaKey("health", Group.HEALTH, Merge.TRAJECTORY, "illness, injury and how the body is", "病痛、身体状况"),
    PersonaKey("hobbies", Group.HABITS, Merge.APPEND, "what the player does for pleasure", "爱好"),
    PersonaKey("habits", Group.HABITS, Merge.APPEND, "what the player does regularly", "习惯"),
    PersonaKey("plans", Group.PLANS, Merge.TRAJECTORY, "what the player is about to do", "打算做的事"),
    PersonaKey("goals", Group.PLANS, Merge.COMPLEX, "what the player wants to reach in the long run", "长远的目标、梦想"),
    PersonaKey("beliefs", Group.VALUES, Merge.COMPLEX, "what the player holds to be right or true", "信念、看法"),
    PersonaKey("faith", Group.VALUES, Merge.REPLACE, "religion, or having none", "信仰"),
    PersonaKey("fears", Group.VALUES, Merge.APPEND, "what the player is afraid of", "害怕的东西"),
    PersonaKey("mood", Group.STATE, Merge.TRAJECTORY, "how the player feels now", "现在的心情"),
    PersonaKey("worries", Group.STATE, Merge.TRAJECTORY, "what the player worries about now", "眼下担心的事"),
    PersonaKey("activity", Group.STATE, Merge.TRAJECTORY, "what the player is busy with now", "眼下在忙的事"),
    PersonaKey("whereabouts", Group.STATE, Merge.TRAJECTORY, "where the player is now, other than home", "现在所在的地方"),
)
KEYS: dict[str, PersonaKey] = {key.name: key for key in _REGISTRY}
_AVERSE = tuple(name for name, key in KEYS.items() if key.opposite and name.endswith("disliked"))
_FOND = tuple(
    name for name, key in KEYS.items() if (key.opposite and name not in _AVERSE) or name.startswith("favorite_") or name == "hobbies"
)
OPPOSED: dict[str, tuple[str, ...]] = {**dict.fromkeys(_FOND, _AVERSE), **dict.fromkeys(_AVERSE, _FOND)}
"""Of what is liked, the keys of what is not, and the other way round. One dish may be told of as food and as a thing, so topics do not part them."""
ZH_LABELS: dict[str, str] = {
    "name": "名字",
    "nickname": "小名",
    "age": "年龄",
    "gender": "性别",
    "birthday": "生日",
    "hometown": "老家",
    "nationality": "国籍",
    "languages": "语言",
    "zodiac": "星座属相",
    "appearance": "长相",
    "traits": "性格",
    "background": "经历",
    "partner": "伴侣",
    "family": "家人",
    "friends": "朋友",
    "pets": "宠物",
    "relationships": "关系",
    "occupation": "职业",
    "former_work": "做过的工作",
    "workplace": "工作单位",
    "school": "学校",
    "field_of_study": "专业",
    "education": "学历",
    "skills": "会的",
    "achievements": "成就",
    "residence": "住处",
    "household": "同住",
    "favorite_food": "最爱的食物",
    "favorite_drink": "最爱的饮料",
    "favorite_color": "最爱的颜色",
    "favorite_animal": "最爱的动物",
    "favorite_music": "最爱的音乐",
    "favorite_book": "最爱的书",
    "favorite_film": "最爱的电影",
    "favorite_place": "最爱的地方",
    "favorite_season": "最爱的季节",
    "favorite_sport": "最爱的运动",
    "favorite_game": "最爱的游戏",
    "food_liked": "爱吃爱喝",
    "food_disliked": "不吃不喝",
    "animals_liked": "喜欢的动物",
    "animals_disliked": "不喜欢的动物",
    "music_liked": "喜欢的音乐",
    "music_disliked": "不喜欢的音乐",
    "liked": "喜欢",
    "disliked": "讨厌",
    "belongings": "东西",
    "wishes": "想要的东西",
    "allergies": "过敏",
    "diet": "饮食",
    "health": "身体",
    "hobbies": "爱好",
    "habits": "习惯",
    "plans": "打算",
    "goals": "目标",
    "beliefs": "看法",
    "faith": "信仰",
    "fears": "害怕",
    "mood": "心情",
    "worries": "担心",
    "activity": "在忙",
    "whereabouts": "所在",
}
