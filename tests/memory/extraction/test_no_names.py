"""What is no name, or somebody else's, however one is asked for; and what short answers do not say."""

from __future__ import annotations

import pytest

from tests.memory.extraction.test_who_one_is import _said


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who's this little fellow?", "Name's Rex."),
        ("Cute! Is that your dog?", "Name's Rex."),
        ("", "*lifts the puppy* Hello! Name's Rex."),
        ("", "Hello, meet my son. Name's Ben."),
        ("This is my horse. Name's Rocket. And yours?", "Thunder."),
        ("Call me Nell. And you?", "Coffee."),
        ("You are?", "Twins!"),
        ("You're moving? You are?", "Canada."),
        ("And you are?", "Impressed."),
        ("I am forty. And you are?", "Thirty."),
        ("Do you have a name for the baby?", "Lily."),
        ("What name should we give the dog?", "Rex"),
        ("What name shall I put on the cake?", "Lily."),
        ("What do your friends call your dog?", "Biscuit."),
        ("With whom am I sharing a room?", "Tom."),
        ("To whom do I owe this?", "Tom."),
        ("Who's there, in the photo?", "Lia."),
        ("Who's there? *peers out*", "That's Tom. He's drunk again."),
        ("Don't tell me your name. Names bring trouble here.", "Understood."),
        ("You don't have to tell me your name.", "Relief."),
        ("I'll write your name on the cup.", "Latte."),
        ("I heard them speak your name in the dark.", "Creepy."),
        ('"What\'s your name?" she asked the boy. *He says: Tom.* I love that film.', "Casablanca."),
        ("My mother used to say: introduce yourself before you eat. Anyway, here is your stew.", "Delicious."),
        ("Introduce yourself.", "Twenty."),
        ("Introduce yourself and tell me your favourite food!", "Pizza."),
        ("State your name and business.", "A delivery for the king."),
        ("Who are you?", "A drink first."),
        ("Who are you?", "The guards! Hide me!"),
        ("Who are you?", "A nurse, quickly!"),
        ("Who are you?", "a carpenter, or used to be"),
        ("What is your name?", "A pint of ale."),
        ("What is your name?", "It's Christmas!"),
        ("What is your name?", "That's rude."),
        ("What is your name?", "It's Tom's."),
        ("Who are you?", "It's Mum."),
        ("What is your name?", "Run!"),
        ("What is your name?", "Wolves!"),
        ("Who are you?", "Beautiful."),
        ("What's the name of your dog?", "Rex."),
        ("Who are you waiting for?", "Tom."),
    ],
)
def test_what_is_no_name_of_the_speakers_is_none(question: str, text: str) -> None:
    read = _said(text, question)
    assert not [v for v in read.values if v.key in ("name", "occupation", "nickname")]
    assert not [f.text for f in read.facts if "name is" in f.text or f.text.startswith("The player is a")]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Tom. A pleasure.", ["The player's name is Tom."]),
        ("Tom. A table for two.", ["The player's name is Tom."]),
        ("Tom. A thief stole my horse.", ["The player's name is Tom.", "A thief stole the player's horse."]),
        ("Tom. And this is Lia. A nurse.", ["The player's name is Tom."]),
        ("Łukasz.", ["The player's name is Łukasz."]),
        ("Abd al-Rahman.", ["The player's name is Abd al-Rahman."]),
        ("d'Artagnan.", ["The player's name is d'Artagnan."]),
        ("Tom from the mill.", ["The player's name is Tom from the mill."]),
        ("Tom Smith.", ["The player's name is Tom Smith."]),
    ],
)
def test_a_name_and_what_stands_behind_it(text: str, facts: list[str]) -> None:
    assert [fact.text for fact in _said(text, "What is your name?").facts] == facts


@pytest.mark.parametrize(
    ("text", "question", "facts"),
    [
        ("Five years.", "How long have you been married?", ["The player has been married for five years."]),
        ("Ten years ago.", "How long have you been married?", []),
        ("Dim lights.", "What are you afraid of?", ["The player is afraid of dim lights."]),
        ("Tom.", "What are you afraid of?", ["The player is afraid of Tom."]),
        ("To be honest, sleep.", "What do you want most?", []),
        ("Salt.", "What do you miss in this stew?", []),
    ],
)
def test_short_answers_say_no_more_than_they_do(text: str, question: str, facts: list[str]) -> None:
    assert [fact.text for fact in _said(text, question).facts] == facts


@pytest.mark.parametrize(
    "text",
    [
        "My brother always goes home on Monday.",
        "My sister is out on Friday nights.",
        "My mum is off on Wednesday as a rule.",
        "In my story, the hero's sister arrives on Friday.",
    ],
)
def test_what_happens_every_week_has_no_date(text: str) -> None:
    assert all(fact.event is None for fact in _said(text).facts)


@pytest.mark.parametrize(
    "text",
    ["I want to see my bill.", "I want to see the wine list.", "I'd like to see Captain Voss, please.", "I'd love to see Sarah's face."],
)
def test_what_one_asks_for_is_no_goal(text: str) -> None:
    assert [v for v in _said(text).values if v.key == "goals"] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [("They call me Dr. No one knows why.", "Dr"), ("My mother calls me Tom Every day.", "Tom"), ("Call me Bee Nell.", "Bee")],
)
def test_what_one_is_called_ends_where_the_name_ends(text: str, name: str) -> None:
    assert [v.value.rstrip(".") for v in _said(text).values if v.key == "nickname"] == [name]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("我去报名了，马拉松。", "厉害"),
        ("我已经报名参加比赛了！", "围棋"),
        ("大家好，我先自我介绍，我叫邱麦。", "欢迎"),
        ("谁去报名？", "张伟"),
        ("客人报个名字就行。外面雪大，先喝口热茶。", "好茶"),
        ("客人报个名字就行。外面雪大，先喝口热茶。", "两位"),
        ("先做个自我介绍吧。", "初次见面"),
        ("留下名字吧，日后好报答。", "举手之劳"),
        ("告诉我你叫什么，不然不让进。", "讨厌"),
        ("你妈妈怎么称呼？", "李梅"),
        ("令堂如何称呼？", "王桂芬"),
        ("你以前怎么称呼他？", "小王"),
        ("告诉我你的名字。你妈妈呢？", "李梅"),
        ("上次那位客人，怎么称呼来着，我忘了。", "王先生"),
        ("你叫什么？来找谁？", "王老师"),
        ("你叫什么？你喜欢哪个歌手？", "周杰伦"),
        ("谁？", "张伟，我同学"),
        ("真的？谁？", "张伟"),
        ("谁？", "医生"),
        ("门外是谁？", "张伟"),
        ("是谁？", "张伟"),
        ("你是谁派来的？", "李四"),
        ("你是哪位老师教的？", "王老师"),
        ("你是哪个明星的粉丝？", "周杰伦"),
        ("你是谁，谁派你来的？", "李四"),
        ("告诉我是谁打了你。", "张伟"),
        ("告诉我名字，我去找他。", "张伟"),
        ("告诉我你的名字是谁起的。", "外公"),
        ("我知道你叫什么了。", "厉害"),
        ("你叫什么都好听。", "嘴甜"),
        ("你叫什么叫，吵死了。", "抱歉"),
        ("你叫个什么菜？", "水煮鱼"),
        ("他问我你叫什么，我没说。", "做得好"),
        ("你是谁？", "嘿嘿"),
        ("你是谁？", "等等"),
        ("你是谁？", "妈妈"),
        ("你是谁？", "白痴"),
        ("你是谁？", "Hello"),
        ("你是谁？", "医生！快来"),
        ("你是谁？", "掌柜，来碗面"),
        ("你是谁？", "邱麦！"),
        ("你叫什么名字？", "救命"),
        ("你叫什么名字？", "闭嘴"),
        ("", "家人叫我结婚。"),
        ("", "朋友们叫我喝酒。"),
        ("", "大家叫我别去。"),
    ],
)
def test_what_is_no_name_in_chinese_is_none(question: str, text: str) -> None:
    read = _said(text, question)
    assert not [v for v in read.values if v.key in ("name", "occupation", "nickname")]
    assert not [f.text for f in read.facts if "名叫" in f.text or "昵称" in f.text or f.text.startswith("玩家是")]


@pytest.mark.parametrize(
    ("question", "text", "wrong"),
    [
        ("有孩子吗？", "一个女儿，今年六岁了", "age"),
        ("有儿子吗？", "有一个，十岁，在上小学", "age"),
        ("有宠物吗？", "一只猫，三岁，怕打雷", "fears"),
        ("有过敏的客人吗？", "有一位，对花生过敏", "allergies"),
        ("有狗吗这附近？", "有一条黑狗", "pets"),
        ("来自哪里的快递？", "来自上海", "residence"),
        ("你猜我最喜欢的菜是什么？", "红烧肉", "favorite_food"),
        ("你徒弟最喜欢的动物是什么？", "水獭", "favorite_animal"),
        ("你喜欢的歌是哪个歌手的？", "周杰伦", "favorite_music"),
        ("你最喜欢的食物是什么？", "说来话长", "favorite_food"),
        ("你最喜欢的季节是什么？", "讨厌冬天", "favorite_season"),
    ],
)
def test_what_is_of_others_is_none_of_the_players(question: str, text: str, wrong: str) -> None:
    assert [v.value for v in _said(text, question).values if v.key == wrong] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("妈妈叫吃饭了，先下了。", "妈妈"),
        ("老婆叫回家，先走了", "老婆"),
        ("姐姐叫警察，然后走了。", "姐姐"),
        ("女儿明明睡了。", "女儿"),
    ],
)
def test_what_a_relative_does_is_no_part_of_their_name(text: str, value: str) -> None:
    assert [v.value for v in _said(text).values if v.key in ("family", "partner")] == [value]
