"""What says nothing new is found in any language; what is short, sung again or new is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import episode_of, spoken, without
from memory.repeating import recites, repeats
from storage.records import Role
from tests.chat.test_card_prompt import message

EN = 'The tide board says six hours, and the kettle is older than the road. *She turns a page.* "Which boot leaks?"'
ZH = "雾散以前你走不了，缆车的铃今天高了半个音。*他把头偏过去。*“你家的门关上是什么声音？”"
SONG = "Row the lamp across the bay,\nhush the gulls and hush the day,\nnobody is far away."


@pytest.mark.parametrize(
    ("reply", "earlier"),
    [
        (EN, EN),
        (ZH, ZH),
        (EN.upper().replace(".", " !"), EN),
        (EN.replace("leaks", "pinches"), EN),
        (ZH.replace("高了", "低了"), ZH),
        (f"Well. {EN}", EN),
        (EN.replace("*She turns a page.*", "*She laughs.*"), EN),
        (f"{EN} And now for something else: my sister wrote from the mainland about the new ferry.", EN),
        ("Die Flut kommt heute früher als gestern, und der Kessel steht schon auf dem Herd.",) * 2,
        ("潮が満ちるまであと六時間あります。やかんはもうストーブの上です。",) * 2,
        ("วันนี้น้ำขึ้นเร็วกว่าเมื่อวานและกาต้มน้ำอยู่บนเตาแล้ว",) * 2,
        ("Сегодня прилив пришёл раньше, чем вчера, и чайник уже стоит на плите.",) * 2,
    ],
)
def test_what_was_said_before_is_repeated(reply: str, earlier: str) -> None:
    assert repeats(reply, ["Something else was said here, of quite other things.", earlier])


@pytest.mark.parametrize(
    ("reply", "earlier"),
    [
        ("Yes.", "Yes."),
        ("Good night, Mara.", "Good night, Mara."),
        ("晚安，好梦。", "晚安，好梦。"),
        ("No, no, no! " * 20, "No, no, no! " * 20),
        (f'As you wish, once more then, and softly:\n"{SONG}"', f'Here is one my mother had.\n"{SONG}"'),
        (f"好，那我再唱一遍给你听：「{ZH}」", f"这是我娘教的。「{ZH}」"),
        (EN, 'The tide board is wet. "Six hours," *she says,* "and the road is older than you think it is."'),
        ("What do you do when the fog comes in over the stones?", "What did you see when the fog came in over the bay?"),
        ("", EN),
        (EN, ""),
    ],
)
def test_what_is_short_or_new_or_quoted_in_new_words_is_not(reply: str, earlier: str) -> None:
    assert not repeats(reply, [earlier])
    assert not repeats(reply, [])


@pytest.mark.parametrize(
    "reply",
    [
        "- (2026-11-22, round 1) The player: I am late again.",
        "(2026-13-8, round 5) The teacher says that she loves her home.",
        "(2026-11-22, before this conversation) A cat.\n- (2026-11-22, round 3) [2] A boat.",
        "【往事】\n- （2026-11-22，第1轮） 玩家: 我又迟到了。",
        "The player: My dog Biscuit is afraid of thunder since the summer. / Nell Garrow: Noted, the dog goes in.",
    ],
)
def test_lines_of_memory_are_recited_as_the_prompt_words_them(reply: str) -> None:
    lines = ["The player: My dog Biscuit is afraid of thunder since the summer. / Nell Garrow: Noted, the dog goes in the ledger. [1]"]
    assert recites(reply, lines)


@pytest.mark.parametrize(
    "reply",
    ["Your dog Biscuit is afraid of thunder; is he asleep now that it rains?", "On 2026-11-22 you came late.", "", "Noted, the dog."],
)
def test_who_uses_a_memory_does_not_recite_it(reply: str) -> None:
    assert not recites(
        reply, ["The player: My dog Biscuit is afraid of thunder since the summer. / Nell Garrow: Noted, the dog goes in the ledger."]
    )


@given(st.text(max_size=300))
def test_a_text_repeats_itself_if_it_says_enough(text: str) -> None:
    assert repeats(text, [text]) == repeats(text, ["other", text])
    assert not repeats(text, [])
    recites(text, [text])


@given(st.lists(st.tuples(st.sampled_from(("You", "Nell", "Ida: B")), st.text("ab :\nNell>", max_size=30)), min_size=1, max_size=4))
def test_an_episode_is_read_back_as_it_was_said(said: list[tuple[str, str]]) -> None:
    messages = [replace(message(1, text), speaker=who, role=Role.USER) for who, text in said]
    episode = episode_of("c", messages)
    assert [who for who, _ in spoken(episode.text, episode.knowers)] == [who for who, _ in said]
    assert without(episode.text, episode.knowers, ()) == episode.text
    assert [who for who, _ in spoken(without(episode.text, episode.knowers, ["Nell"]), episode.knowers)] == [
        w for w, _ in said if w != "Nell"
    ]
