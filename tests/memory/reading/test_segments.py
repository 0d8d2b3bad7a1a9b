"""Whose words a stretch of a message holds, by its marks and speech tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reading.segments import Voice, segments


def voices(text: str, speaker: str = "Mara") -> list[tuple[str, str]]:
    return [(text[s.start : s.end], s.voice.value) for s in segments(text, speaker=speaker)]


@pytest.mark.parametrize(
    ("text", "stretch", "voice"),
    [
        ('"Two winters on the ice road," the ferryman said, coiling his rope.', '"Two winters on the ice road,"', "other"),
        ('"My knees are finished," grumbles Odo.', '"My knees are finished,"', "other"),
        ('Odo told me, "My knees are finished."', '"My knees are finished."', "other"),
        ('"I mend nets," I said.', '"I mend nets,"', "own"),
        ("'I mend nets,' Mara says without looking up.", "'I mend nets,'", "own"),
        ("“我补网。”玛拉头也不抬地说。", "“我补网。”", "other"),
        ("“我补了二十年网。”我说。", "“我补了二十年网。”", "own"),
        ("老船夫说：“我在冰上走了两个冬天。”", "“我在冰上走了两个冬天。”", "other"),
        ("我妈说：“我年轻时在厂里。”", "“我年轻时在厂里。”", "other"),
        ("*wipes the counter* I mend nets.", "I mend nets.", "own"),
        ("*wipes the counter* I mend nets.", "wipes the counter", "narration"),
        ("((ooc: I have a test tomorrow)) I mend nets.", "((ooc: I have a test tomorrow))", "aside"),
        ("（戏外：明天我要考试）我补网。", "（戏外：明天我要考试）", "aside"),
        ("<think>She wants three sons.</think>I have one son.", "I have one son.", "own"),
        ("**Narrator**: I am the night itself.", "Narrator**: I am the night itself.", "other"),
        ("Odo: I mend nets.\nMara: I sell them.", "Odo: I mend nets.", "other"),
    ],
)
def test_a_stretch_is_given_to_who_speaks_it(text: str, stretch: str, voice: str) -> None:
    assert (stretch, voice) in voices(text, "玛娅" if "玛拉" in text else "Mara")


def test_a_speech_tag_of_a_name_that_is_the_speakers_is_their_own() -> None:
    assert ("“我补网。”", "own") in voices("“我补网。”玛拉头也不抬地说。", "玛拉")


def test_a_pronoun_does_not_tell_who_speaks() -> None:
    assert ('"I mend nets,"', "unsure") in voices('*looks up* "I mend nets," she says.')


def test_an_apostrophe_opens_no_quotation() -> None:
    assert [v for _, v in voices("The miller's boy an' I haven't slept, it's the dogs'.")] == ["own"]


def test_a_named_thing_is_no_speech() -> None:
    assert [v for _, v in voices('I named the boat "Second Wife" for luck.')] == ["own"]


def test_a_long_sentence_is_cut_at_its_commas_and_a_short_one_is_not() -> None:
    long = "I came over the pass in November with my brother and two mules, and the younger mule fell at the bridge, so we carried the salt ourselves."
    assert len(voices(long)) > 1
    assert len(voices("I came over the pass, alone.")) == 1


def test_abbreviations_end_no_sentence() -> None:
    assert len(voices("Dr. Amsel and Mrs. Oke live on St. Anne's Row.")) == 1


@given(st.text(alphabet="ab我 .,!?\n*\"'“”「」()（）:_<>think/ooc", max_size=120), st.sampled_from(["Mara", "玛拉", ""]))
def test_segments_lie_in_order_inside_the_message_and_apart(text: str, speaker: str) -> None:
    found = segments(text, speaker=speaker)
    at = 0
    for s in found:
        assert at <= s.start < s.end <= len(text)
        assert any(c.isalnum() for c in text[s.start : s.end])
        at = s.end
    assert all(isinstance(s.voice, Voice) for s in found)
