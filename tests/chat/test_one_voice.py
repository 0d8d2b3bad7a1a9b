"""A reply is its speaker's alone: models that write on as a script neither name it nor speak for the player."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.one_voice import OneVoice
from chat.views import Phase
from models.scripted import Script
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk

WRITTEN = {
    "Come in.\n\nRos: I will.\nNell Garrow: Sit.": "Come in.\n\n",
    "Nell Garrow: Come in.": "Come in.",
    "**Nell:** Come in.\n\nNell Garrow: Sit down.": "Come in.\n\nSit down.",
    "Come in.\n**Ros**: I will.": "Come in.\n",
    "Come in.\nROS： I will.": "Come in.\n",
    "Ros: is where it begins.": "Ros: is where it begins.",
    "Rosemary: a herb.\nRosette too.": "Rosemary: a herb.\nRosette too.",
    "The letter says Ros: come home.": "The letter says Ros: come home.",
    "I told Nell Garrow\nNell Garrow": "I told Nell Garrow\nNell Garrow",
    "One.\nTwo: three.\n\n": "One.\nTwo: three.\n\n",
    "": "",
}


@given(text=st.sampled_from(sorted(WRITTEN)), data=st.data())
def test_a_reply_cut_anywhere_is_passed_on_as_the_whole_is(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, len(text)))) | {0, len(text)})
    voice = OneVoice(["Nell Garrow"], ["Ros"])
    shown = "".join(voice.feed(text[a:b]) for a, b in pairwise(places)) + voice.end()
    assert shown == WRITTEN[text]


@pytest.mark.parametrize(
    ("own", "other", "said"),
    [
        ("Weiß", "Anna Groß", "Weiß: Komm.\nAnna Groß: Ja."),
        ("Weiß", "Groß", "WEISS: Komm.\nGROSS: Ja."),
        ("İpek", "Işıl", "İpek: Komm.\nIşıl: Ja."),
        ("Straße Weiß", "İbrahim", "**Straße**: Komm.\nİBRAHIM: Ja."),
        ("Sam", "SAM", "sam: Komm.\n"),
    ],
)
def test_names_that_are_longer_in_one_case_are_labels_too(own: str, other: str, said: str) -> None:
    for pieces in ([said], list(said)):
        voice = OneVoice([own], [other])
        assert "".join(map(voice.feed, pieces)) + voice.end() == "Komm.\n"


def test_chinese_names_are_labels_too() -> None:
    voice = OneVoice(["殷玉盏"], ["何穗"])
    assert voice.feed("殷玉盏：坐吧。\n何穗：好。") + voice.end() == "坐吧。\n"
    assert voice.over


def test_the_model_is_stopped_where_it_speaks_for_the_player(talk: Talk) -> None:
    talk.model.enqueue(Script(("Nell Garrow: Come", " in.\n\n", "You", ": I will sit down.", " And on"), hangs=True))
    talk.send("Good evening.")
    job = talk.wait()
    assert (job.phase, job.text.strip()) == (Phase.DONE, "Come in.")
    newest = talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=9).messages[-1]
    assert (newest.text, newest.status) == ("Come in.", "complete")


@pytest.mark.parametrize("said", ["\nYou: So what?\nNell Garrow: Well.", "You: So what?"], ids=["answered", "named"])
def test_a_continuation_does_not_begin_with_the_players_words(talk: Talk, said: str) -> None:
    talk.say("Good evening.", "Evening.")
    service = talk.house.service

    def resume() -> str:
        service.rewriting.resume(LOCAL_USER, talk.chat_id, edition=service.transcript(LOCAL_USER, talk.chat_id, limit=9).edition)
        talk.wait()
        return service.transcript(LOCAL_USER, talk.chat_id, limit=9).messages[-1].text

    talk.model.enqueue(Script((said,)))
    assert resume() == "Evening."
    talk.model.enqueue(Script((f" Nell Garrow: Come in.\n{said}",)))
    assert resume() == "Evening. Come in."


def test_a_continuation_begun_anew_is_one_still() -> None:
    voice = OneVoice(["Nell Garrow"], ["Ros"], goes_on=True)
    assert voice.feed("Come in.\nSit") == "Come in.\nSit"
    voice.begin_anew()
    assert voice.feed("\nRos: so what?\nNell: well") + voice.end() == "\n"


@pytest.mark.parametrize("said", ["You: I stay.", "I stay.\nNell Garrow: Good."], ids=["named", "answered"])
def test_a_draft_is_the_players_words_alone(talk: Talk, said: str) -> None:
    talk.say("Good evening.", "Evening.")
    talk.model.enqueue(Script((said,)))
    service = talk.house.service
    service.rewriting.draft(LOCAL_USER, talk.chat_id, edition=service.transcript(LOCAL_USER, talk.chat_id, limit=9).edition)
    assert talk.wait().text.strip() == "I stay."
