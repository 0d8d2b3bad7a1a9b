"""Long conversations as people play them, in English and Chinese: short lines and long ones, gestures, speech, paragraphs, lists. Made by rule, the same for
the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chat.imported import ImportedConversation, ImportedMessage

PAUSE = timedelta(hours=9)
ROUNDS_A_DAY = 40


@dataclass(frozen=True)
class Words:
    """What the talk of one language is put together from. {who} {what} {where} {n} are filled in."""

    player: str
    character: str
    who: tuple[str, ...]
    what: tuple[str, ...]
    where: tuple[str, ...]
    said: tuple[str, ...]
    asked: tuple[str, ...]
    told: tuple[str, ...]
    gestures: tuple[str, ...]
    short: tuple[str, ...]
    lists: tuple[str, ...]
    gap: str = " "
    """Between two sentences."""
    extra: dict[str, str] = field(default_factory=dict)


ENGLISH = Words(
    "Edda",
    "Corin",
    (
        "my aunt Petra",
        "the clockmaker",
        "Jonas from the ferry",
        "our lodger",
        "the girl with the accordion",
        "Doctor Hale",
        "my brother Ruben",
    ),
    (
        "a tin of buttons",
        "the blue bicycle",
        "two pages of the ledger",
        "a jar of plum jam",
        "the chart of the bay",
        "an unsigned postcard",
    ),
    (
        "under the stairs",
        "in the reading room",
        "at the tram depot",
        "behind the bakery",
        "on the breakwater",
        "in the loft over the stable",
    ),
    (
        "This morning {who} left {what} {where} and said nothing about it.",
        "I am fond of {where_plain}, even when it rains for {n} days.",
        "I found {what} {where}; it must have been there for {n} years.",
        "My neighbour thinks that {who} owes her {n} crowns.",
        "I have decided to learn to sail before I am {n}.",
    ),
    ("What would you have done?", "Have you ever been {where}?", "Do you believe {who}?", "Shall we go and look together?"),
    (
        "There is a story about {what} that nobody tells {where}.",
        '"You may laugh," he says, "but {who} once walked {n} miles for {what}."',
        "The harbour bell rings {n} times, and for a moment neither of us speaks.",
        "I would keep it quiet until {who} asks; some things are better found than told.",
        "It smells of tar and cold tea here, and I have been happy for less.",
    ),
    ("*He turns the cup in his hands.*", "*A gull lands on the sill.*", "*She smiles, not quite at you.*", "*The lamp flickers once.*"),
    ("Yes.", "Not today.", "Tell me.", "And then?", "I like that.", "Hm."),
    ("**What I would take:**\n- {what}\n- a lantern\n- {n} apples", "1. Ask {who}.\n2. Look {where}.\n3. Say nothing to anybody."),
    extra={"plain": "the place"},
)
CHINESE = Words(
    "阿遥",
    "顾潮",
    ("我姑妈", "修表的老许", "渡口的阿诚", "楼上的房客", "拉手风琴的女孩", "何医生", "我弟弟小满"),
    ("一盒旧纽扣", "那辆蓝色自行车", "账本里的两页纸", "一罐梅子酱", "一张海湾的图", "一张没署名的明信片"),
    ("在楼梯下面", "在阅览室里", "在电车站旁", "在面包房后面", "在防波堤上", "在马厩的阁楼里"),
    (
        "今天早上{who}把{what}留{where}，什么也没说。",
        "我很喜欢这里，哪怕一连下{n}天雨。",
        "我{where}找到了{what}，它在那儿大概有{n}年了。",
        "邻居说{who}欠她{n}块钱。",
        "我决定在{n}岁以前学会划船。",
    ),
    ("换了你会怎么做？", "你{where}待过吗？", "你相信{who}吗？", "要不要一起去看看？"),
    (
        "关于{what}有个故事，没人愿意{where}讲。",
        "“你尽管笑，”他说，“{who}为了{what}走过{n}里路。”",
        "港口的钟敲了{n}下，我们谁都没有说话。",
        "{who}问起之前，我会先不作声；有些事自己找到比听来的好。",
        "这里有焦油和凉茶的味道，再少一点我也曾经高兴过。",
    ),
    ("*他转着手里的杯子。*", "*一只海鸥落在窗台上。*", "*她笑了笑，没有看你。*", "*灯闪了一下。*"),
    ("好。", "今天不行。", "你说。", "然后呢？", "我喜欢。", "嗯。"),
    ("**我会带上：**\n- {what}\n- 一盏灯\n- {n}个苹果", "1. 问{who}。\n2. {where}找一找。\n3. 谁也别告诉。"),
    gap="",
)
LANGUAGES = {"en": ENGLISH, "zh": CHINESE}


def _filled(pattern: str, words: Words, rng: random.Random) -> str:
    text = pattern.replace("{where_plain}", words.extra.get("plain", ""))
    return text.format(who=rng.choice(words.who), what=rng.choice(words.what), where=rng.choice(words.where), n=rng.randint(2, 60))


def _sentences(patterns: tuple[str, ...], count: int, words: Words, rng: random.Random) -> str:
    return words.gap.join(_filled(rng.choice(patterns), words, rng) for _ in range(count))


def players_line(words: Words, rng: random.Random) -> str:
    """One in six is a word or two; most are one to three sentences, some with a question."""
    if rng.random() < 1 / 6:
        return rng.choice(words.short)
    said = _sentences(words.said, rng.randint(1, 3), words, rng)
    return words.gap.join([said, _filled(rng.choice(words.asked), words, rng)]) if rng.random() < 0.4 else said


def characters_line(words: Words, rng: random.Random, *, paragraphs: int | None = None) -> str:
    """Usually one to four paragraphs of gestures and speech, one in eight with a list."""
    parts = []
    for _ in range(paragraphs or rng.randint(1, 4)):
        told = _sentences(words.told, rng.randint(1, 4), words, rng)
        parts.append(words.gap.join([rng.choice(words.gestures), told]) if rng.random() < 0.6 else told)
    if rng.random() < 1 / 8 or paragraphs:
        parts.insert(len(parts) // 2, _filled(rng.choice(words.lists), words, rng))
    return "\n\n".join(parts)


def long_talk(messages: int, *, language: str, seed: int, start: datetime) -> ImportedConversation:
    """A conversation of so many messages (half by each), in sessions of ROUNDS_A_DAY rounds."""
    words, rng = LANGUAGES[language], random.Random(f"{language}{seed}")
    said: list[ImportedMessage] = []
    at = start
    for number in range(messages // 2):
        session = number // ROUNDS_A_DAY + 1
        at += PAUSE if number % ROUNDS_A_DAY == 0 else timedelta(minutes=2)
        said.append(ImportedMessage(f"{number}u", words.player, players_line(words, rng), at, session, 2 * number + 1))
        said.append(ImportedMessage(f"{number}r", words.character, characters_line(words, rng), at, session, 2 * number + 2))
    return ImportedConversation(
        f"long-{language}-{seed}", f"{words.player} & {words.character}", (words.player, words.character), tuple(said), ()
    )


def long_replies(count: int, *, language: str, seed: int, paragraphs: int) -> Iterator[str]:
    """Replies of so many paragraphs, each different."""
    words, rng = LANGUAGES[language], random.Random(f"{language}{seed}replies")
    return (characters_line(words, rng, paragraphs=paragraphs) for _ in range(count))
