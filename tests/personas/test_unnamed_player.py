"""A player whose name is not known: every text that would name them is grammatical, in the place where it would."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.macros import Macros
from personas.unnamed_player import Read

USERS = ("{{user}}", "{{ User }}", "<USER>", "{user}")


def macros(language: str, *, user: str = "") -> Macros:
    return Macros(user=user, char="Nell", language=language, now=datetime(2026, 11, 27, tzinfo=UTC), seed="", chat="")


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(
    ("read", "language", "text", "said"),
    [
        (Read.TOLD, "en", "@ has ducked in; Nell trusts @. @'s coat is wet.", "The player has ducked in; Nell trusts the player. The player's coat is wet."),
        (Read.TOLD, "en", "Nell says: @ is late!\n- @ is never late", "Nell says: the player is late!\n- The player is never late"),
        (Read.TOLD, "en", "Answer what @ just said. Her roommate, @, is late.", "Answer what the player just said. Her roommate, the player, is late."),
        (Read.TOLD, "en", 'Her dear @, Captain @, is @-like. "Come in, @," she says.', 'Her dear player, Captain Player, is player-like. "Come in, friend," she says.'),
        (Read.SAID, "en", "@: Hi.\nNell: Good day, @. *looks at @* @, listen.", "The player: Hi.\nNell: Good day, friend. *looks at the player* Friend, listen."),
        (Read.GREETING, "en", "*Nell looks up as @ walks in.* Hello @!", "*Nell looks up as the player walks in.* Hello friend!"),
        (Read.GREETING, "en", "*Nell looks at @.* @'s coat is wet.", "*Nell looks at you.* Your coat is wet."),
        (Read.GREETING, "en", '"Who is @?"', '"Who is the player?"'),
        (Read.GREETING, "en", "*She looks at @ and hands them a cup.*", "*She looks at the player and hands them a cup.*"),
        (Read.TOLD, "zh", "@推门进来。不要替@说话。@的伞。", "玩家推门进来。不要替玩家说话。玩家的伞。"),
        (Read.SAID, "zh", "@：你好\n邱麦：“晚上好，@。@，坐。”*看着@*", "玩家：你好\n邱麦：“晚上好，朋友。朋友，坐。”*看着玩家*"),
        (Read.GREETING, "zh", "*抬头看见@推门进来*“你来啦，@！@的伞呢？”", "*抬头看见你推门进来*“你来啦，朋友！你的伞呢？”"),
        (Read.TOLD, "fr", "@ entre. Le chat de @.", "Player entre. Le chat de Player."),
    ],
)  # fmt: skip
def test_where_a_name_would_stand_what_stands_is_grammatical(user: str, read: Read, language: str, text: str, said: str) -> None:
    assert macros(language).fill(text.replace("@", user), place="x", read=read) == said


@given(st.text("{}<>user's.,!?\"“”*: \nab和", max_size=80), st.sampled_from(("en", "zh", "fr")), st.sampled_from(Read))
def test_any_text_is_told_without_a_mark(text: str, language: str, read: Read) -> None:
    filled = macros(language).fill(text, place="x", read=read)
    assert not any(user in filled.lower() for user in ("{{user}}", "<user>"))
    assert "\ufdd0" not in macros(language).fill(text + "\ufdd0{{user}}", place="x", read=read)


@given(st.text("@ .,!?*\n看ab", max_size=60), st.sampled_from(Read))
def test_a_name_stands_where_it_is_said(text: str, read: Read) -> None:
    assert macros("en", user="Mara").fill(text.replace("@", "{{user}}"), place="x", read=read) == text.replace("@", "Mara")
