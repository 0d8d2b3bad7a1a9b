"""Who somebody is by their answer to "Who are you?": a name where it is one, what they are where it is that, and nothing where they do not say."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from chat.assembly import open_memory
from memory.extraction import chinese, english
from memory.extraction.draft import Extraction, Line
from memory.extraction.grounded import asks
from memory.extraction.languages import is_read
from settings import Settings
from storage.records import Message, NewMessage, Revision, Role
from storage.scope import LOCAL_USER, Scope
from tests.memory.test_construction import START, Live
from tests.pace import STEADY, eightfold

AT = datetime(2026, 11, 27, 10)
NAME, WHO = "What is your name, stranger?", "And who are you?"


def _said(text: str, question: str = "") -> Extraction:
    if any("\u4e00" <= sign <= "\u9fff" for sign in text + question):
        return chinese.extract(Line(text, "玩家", "邱麦", True, AT, question))
    return english.extract(Line(text, "the player", "Nell", True, AT, question))


def _all(text: str, question: str = "") -> tuple[list[str], list[str]]:
    read = _said(text, question)
    return [fact.text for fact in read.facts], [f"{value.key}={value.value}" for value in read.values]


@pytest.mark.parametrize(
    "question", [NAME, WHO, "Your name?", "I'm Nell. And you are...?", "My name is Nell. And you?", "Who am I speaking to?"]
)
@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("Mara.", "The player's name is Mara.", "name=Mara"),
        ("It's Mara.", "The player's name is Mara.", "name=Mara"),
        ("Name's Mara.", "The player's name is Mara.", "name=Mara"),
        ("Just Mara.", "The player's name is Mara.", "name=Mara"),
        ("Hmm... Mara.", "The player's name is Mara.", "name=Mara"),
        ("Mara de Vries.", "The player's name is Mara de Vries.", "name=Mara de Vries"),
        ("Dr. Mara Voss.", "The player's name is Dr. Mara Voss.", "name=Dr. Mara Voss"),
        ("A carpenter.", "The player is a carpenter.", "occupation=carpenter"),
        ("Carpenter.", "The player is a carpenter.", "occupation=Carpenter"),
        ("Only a gardener.", "The player is only a gardener.", "occupation=gardener"),
        ("The new teacher.", "The player is the new teacher.", "occupation=new teacher"),
    ],
)
def test_an_answer_is_a_name_or_says_what_one_is(text: str, fact: str, value: str, question: str) -> None:
    facts, values = _all(text, question)
    assert facts == [fact]
    assert values == [value]


@pytest.mark.parametrize("question", [NAME, WHO])
@pytest.mark.parametrize(
    "text",
    [
        "Names cost extra.",
        "Ask the innkeeper.",
        "Nobody.",
        "Later.",
        "Guess.",
        "A friend.",
        "Take a guess.",
        "Someone passing through.",
        "My own business.",
    ],
)
def test_who_does_not_say_is_not_called_that(text: str, question: str) -> None:
    assert _all(text, question) == ([], [])


@pytest.mark.parametrize(
    ("text", "question", "facts", "values"),
    [
        ("Mara. A carpenter.", NAME, ["The player's name is Mara.", "The player is a carpenter."], ["name=Mara", "occupation=carpenter"]),
        (
            "Mara Voss, and I need a bed for the night.",
            WHO,
            ["The player's name is Mara Voss.", "The player needs a bed for the night."],
            ["name=Mara Voss"],
        ),
        ("Tired.", WHO, [], ["mood=Tired"]),
        ("mara", NAME, ["The player's name is mara."], []),
        ("mara", WHO, [], []),
        ("The Wanderer.", NAME, ["The player's name is the Wanderer."], ["name=Wanderer"]),
        ("A girl with a broken lamp.", WHO, ["The player is a girl with a broken lamp."], ["gender=girl"]),
        ("Call me Ishmael.", NAME, [], ["nickname=Ishmael"]),
        ("People call me Mara.", NAME, ["People call the player Mara."], ["nickname=Mara"]),
        ("They call me the Wren.", WHO, [], ["nickname=the Wren"]),
        ("You can call me Dr. Chen.", "", [], ["nickname=Dr. Chen"]),
        ("Call me Old Tom.", "", [], ["nickname=Old Tom"]),
        ("Tobias.", "Who are you looking for?", [], []),
        ("Ida.", "Who are you with?", [], []),
        ("My name is Mara de Vries.", "", ["The player's name is Mara de Vries."], ["name=Mara de Vries"]),
        ("I'm Leonardo da Vinci.", "", ["The player is Leonardo da Vinci."], ["name=Leonardo da Vinci"]),
        ("Good evening. The name's Tom O'Hara.", "", ["The player's name is Tom O'Hara."], ["name=Tom O'Hara"]),
    ],
)
def test_english_answers(text: str, question: str, facts: list[str], values: list[str]) -> None:
    assert _all(text, question) == (facts, values)


def test_a_name_behind_somebody_else_is_theirs() -> None:
    assert not [value for value in _said("I've got a dog. Name's Rex.").values if value.key == "name"]


def test_a_name_given_unasked_rests_on_the_message_alone() -> None:
    (fact,) = _said("Name's Kit.").facts
    assert not fact.from_question
    (fact,) = _said("Kit.", WHO).facts
    assert fact.from_question


@pytest.mark.parametrize("question", ["你叫什么名字？", "你是谁？"])
@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("何苗。", ["玩家名叫何苗。"], ["name=何苗"]),
        ("阿宁，木匠。", ["玩家名叫阿宁。"], ["name=阿宁"]),
        ("欧阳雪。", ["玩家名叫欧阳雪。"], ["name=欧阳雪"]),
        ("沈孤客。", ["玩家名叫沈孤客。"], ["name=沈孤客"]),
        ("黄老师。", ["玩家名叫黄老师。"], ["name=黄老师"]),
        ("Mara。", ["玩家名叫Mara。"], ["name=Mara"]),
        ("一个木匠。", ["玩家是木匠。"], ["occupation=木匠"]),
        ("木匠。", ["玩家是木匠。"], ["occupation=木匠"]),
        ("只是个园丁。", ["玩家是园丁。"], ["occupation=园丁"]),
        ("剑客。", ["玩家是剑客。"], ["occupation=剑客"]),
        ("高中生。", ["玩家是高中生。"], ["occupation=高中生"]),
        ("累了。", [], []),
        ("路过的人。", [], []),
        ("旅人。", [], []),
        ("无名之辈。", [], []),
        ("你的新邻居。", [], []),
        ("猜猜看。", [], []),
        ("不告诉你。", [], []),
    ],
)
def test_chinese_answers(text: str, facts: list[str], values: list[str], question: str) -> None:
    assert _all(text, question) == (facts, values)


@pytest.mark.parametrize(
    ("text", "question", "values"),
    [
        ("雨桐。", "你叫什么名字？", ["name=雨桐"]),
        ("雨桐。", "你是谁？", []),
        ("何苗。", "你是谁的朋友？", []),
        ("天蝎座。", "你是什么星座？", []),
        ("建筑。", "你是什么专业的？", ["field_of_study=建筑"]),
        ("沈孤舟。", "来者何人？", ["name=沈孤舟"]),
        ("何苗。", "外面是谁？", []),
        ("我和老公叫车去。", "", ["partner=老公"]),
        ("我叫外卖。", "", []),
        ("我叫上官雪。", "", ["name=上官雪"]),
        ("我姐姐叫阿宁，弟弟叫小宇。", "", ["family=姐姐叫阿宁", "family=弟弟叫小宇"]),
        ("爸叫何长顺，妈叫林玉兰。", "家里都有谁？", ["family=爸叫何长顺", "family=妈叫林玉兰"]),
    ],
)
def test_chinese_names(text: str, question: str, values: list[str]) -> None:
    assert _all(text, question)[1] == values


@pytest.mark.parametrize(
    ("text", "question", "facts", "values"),
    [
        ("Spiders.", "What are you afraid of?", ["The player is afraid of spiders."], ["fears=Spiders"]),
        ("French.", "What do you study?", ["The player studies French."], ["field_of_study=French", "languages=French"]),
        (
            "Above a laundrette in Leith.",
            "And where do you live now?",
            ["The player lives above a laundrette in Leith."],
            ["residence=Leith"],
        ),
        ("Rain on a tin roof.", "What's your favourite sound?", ["The player's favourite sound is Rain on a tin roof."], []),
        ("Moby Dick.", "What's your favourite book?", ["The player's favourite book is Moby Dick."], ["favorite_book=Moby Dick"]),
        ("Dark green.", "What's your favourite colour?", ["The player's favourite colour is dark green."], ["favorite_color=Dark green"]),
        (
            "To see the northern lights.",
            "What do you want most?",
            ["The player wants to see the northern lights."],
            ["goals=see the northern lights"],
        ),
        ("Nine years.", "How long have you been married?", ["The player has been married for nine years."], []),
        ("Too long.", "How long have you been married?", [], []),
        ("The sea.", "What do you miss most?", ["The player misses the sea."], []),
    ],
)
def test_other_short_answers(text: str, question: str, facts: list[str], values: list[str]) -> None:
    assert _all(text, question) == (facts, values)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I want to see Paris.", True),
        ("I want to see my brother again.", True),
        ("I've always wanted to see the sea.", True),
        ("I want to see that.", False),
        ("I want to see the results.", False),
        ("I want to see their happy faces.", False),
        ("I'd love to see your garden.", False),
    ],
)
def test_what_one_wants_to_see_is_a_wish_where_it_says_what(text: str, told: bool) -> None:
    assert bool(_said(text).facts) is told


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My daughter Pip turns seven on Saturday and I promised her a kite.", 28),
        ("My brother gets married on Monday.", 30),
        ("My sister starts school on Monday.", 30),
    ],
)
def test_what_happens_on_a_day_in_the_present_is_to_come(text: str, day: int) -> None:
    (fact,) = _said(text).facts
    assert fact.event is not None
    assert fact.event.first.day == day


def test_the_player_stands_small_within_a_sentence() -> None:
    (fact,) = _said("I sold my boat. My grandfather built it.").facts
    assert fact.text == "The player sold their boat; the player's grandfather built it."


@pytest.mark.parametrize(
    ("text", "question", "facts", "values"),
    [
        ("有两个弟弟，都在跑船。", "有兄弟姐妹吗？", ["玩家有两个弟弟，都在跑船。"], ["family=弟弟"]),
        ("住在解放路。", "住哪儿？", ["玩家住在解放路。"], ["residence=解放路"]),
        ("有《河灯》。", "有什么好看的电影吗？", [], []),
        ("结了，九年了。", "结婚了吗？", [], []),
        ("雨打铁皮屋顶的声音。", "你最喜欢的声音是什么？", ["玩家最喜欢的声音是雨打铁皮屋顶的声音。"], []),
        ("《河灯》。", "你最喜欢的书是什么？", ["玩家最喜欢的书是《河灯》。"], ["favorite_book=《河灯》"]),
        ("没有。", "你最喜欢的书是什么？", [], []),
        ("我哥下个月出狱。", "", ["玩家的哥哥2026年12月出狱。"], ["family=哥"]),
        ("我想念外婆的锅铲声。", "", ["玩家想念外婆的锅铲声。"], []),
        ("我很想念小时候的院子。", "", ["玩家很想念小时候的院子。"], []),
        ("我很喜欢的歌。", "", [], []),
        ("我女儿朵朵今年七岁。", "", ["玩家的女儿朵朵2026年七岁。"], ["family=女儿朵朵"]),
        ("我姐姐天天加班。", "", ["玩家的姐姐天天加班。"], ["family=姐姐"]),
    ],
)
def test_other_chinese_answers(text: str, question: str, facts: list[str], values: list[str]) -> None:
    assert _all(text, question) == (facts, values)


GREETINGS = [
    ("规矩很简单：告诉我你叫什么，再说一个你想念的声音，锅铲响也行。放心说，我记性可比耳朵好。", "何苗，我家里人叫我苗苗。", "何苗"),
    ("我这儿就一条规矩：进门报名字，家里人咋叫你，也告诉我一声。再说说，今儿是啥事？", "何苗。今天下雪了。", "何苗"),
    ("What I write down, I don't lose. So, what name goes in the book, and what's true?", "Mara. I'm afraid of the sea.", "Mara"),
    ("Who are you really, and what has gone missing lately, even if it is only your good temper?", "Mara, and I've lost a ring.", "Mara"),
    ("Your name, please, and then your best theory. Mine have all been arrested.", "Mara.", "Mara"),
]


@pytest.mark.parametrize(("greeting", "text", "name"), GREETINGS)
def test_the_first_answer_to_a_greeting_that_asks_for_a_name_gives_it(greeting: str, text: str, name: str) -> None:
    assert [v.value for v in _said(text, greeting).values if v.key == "name"] == [name]


def test_where_no_name_was_asked_for_none_is_given() -> None:
    for greeting, text in (
        ("Tell me the best thing that happened.", "Rain."),
        ("你觉得雨该是什么声音？", "沙沙。"),
        ("What do you want to eat? Tell me.", "Pizza."),
    ):
        assert _all(text, greeting) == ([], [])


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Mara.", "Who are you{, really} and then!"),
        ("Mara.", "Who are you{ then}, x?"),
        ("{hi }Name's Kit", ""),
        ("{Hello. }Name's Kit", ""),
        ("{Mara de }voss", WHO),
        ("{Mara }", WHO),
        ("我{常}想", ""),
        ("我{很}想念{常}", ""),
        ("何苗。", "你叫{什么}"),
        ("何苗。", "{还}有兄弟"),
    ],
)
def test_repeated_words_take_no_longer_than_they_are(text: str, question: str) -> None:
    def times(pattern: str, n: int) -> str:
        return re.sub(r"\{(.+?)\}", lambda found: found[1] * n, pattern)

    assert eightfold(lambda n: _said(times(text, n), times(question, n)), 12) < STEADY


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("规矩很简单：告诉我你叫什么，再说一个你想念的声音。放心说，我记性可比耳朵好。", True),
        ("規矩很簡單：告訴我你叫什麼，再說一個你想念的聲音。", True),
        ("Your name, please, and then your best theory. Mine have all been arrested.", True),
        ("Sit down. I'll write your name on the cup.", False),
        ("我去报名了，马拉松。", False),
    ],
)
def test_whoever_wants_a_name_without_a_question_may_be_answered(said: str, wants: bool) -> None:
    def message(text: str, role: Role, speaker: str) -> Message:
        return Message("m", None, 1, 1, role, speaker, AT, Revision("r", text, "0" * 64, "user", "complete"))

    assert asks(message(said, Role.CHARACTER, "Nell"), message("Mara.", Role.USER, "You")) is wants


def test_the_first_answer_of_a_conversation_gives_the_name_that_its_greeting_asks_for(tmp_path: Path) -> None:
    for language, greeting, answer, name in (
        (
            "en",
            "Your name, please, and then your best theory. Mine have all been arrested.",
            "Mara de Vries. A carpenter.",
            "Mara de Vries",
        ),
        ("zh", "告诉我你叫什么，再说一个你想念的声音。", "何苗，我家里人叫我苗苗。", "何苗"),
    ):
        memory = open_memory(Settings(data_dir=tmp_path / language, _env_file=None))  # type: ignore[call-arg]
        try:
            chat_id = memory.store.chats.create(
                LOCAL_USER, character_id="builtin:nell-garrow", title="", language=language, user_name="You"
            )
            scope = Scope.of(LOCAL_USER, chat_id)
            branch_id = memory.store.chats.chat(scope).branch_id
            card = NewMessage(Role.CHARACTER, "Nell Garrow", greeting, START, "g", "card", opens_round=False)
            (opened,) = memory.store.chats.append(scope, branch_id, [card])
            live = Live(memory, scope, branch_id, [opened], player="You")
            live.say(answer, "Noted.")
            live.say("It is cold.", "It is.")
            assert live.known()["name"] == [name]
        finally:
            memory.close()


def test_what_is_small_within_a_name_is_no_other_language() -> None:
    assert is_read("Mara de Vries. A carpenter.")
    assert is_read("Ludwig van der Rohe. Leonardo da Vinci.")
    assert not is_read("Hola, ¿cómo estás? Soy de Madrid y vivo con mi hermana en la casa de la abuela.")
