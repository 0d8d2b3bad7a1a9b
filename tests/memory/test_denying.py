"""What is taken back later holds no more: on the paths that have both, however memory came to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.denying import mark, taken_back
from memory.engine import mend_task
from memory.extracting import facts_of_path
from memory.extraction.draft import ENDED, MEATLESS, NO_MORE, Denial
from memory.extraction.grounded import alone
from storage.records import TAKEN_BACK, Kind, Memory, Message, Revision, Role, Source, sha256
from tests.memory.test_construction import Live, opened, start

AT = datetime(2024, 5, 1, tzinfo=UTC)


def _told(text: str, *, round_: int = 3, kind: Kind = Kind.FACT, by: str = "Mara", **more: object) -> Memory:
    memory = Memory(
        id=f"{kind}{round_}{text}",
        chat_id="c",
        kind=kind,
        text=text,
        language="en",
        round_first=round_,
        round_last=round_,
        said_at=AT,
        sources=(Source(f"m{round_}", f"r{round_}", "0" * 64),),
        derivation_key=f"k{round_}",
        subject=by,
        said_by=by,
        payload={"quote": text},
    )
    return replace(memory, **more)  # type: ignore[arg-type]


def _message(text: str = "I take that back.", *, round_: int = 9, speaker: str = "Mara") -> Message:
    return Message("msg", None, 8, round_, Role.USER, speaker, AT, Revision("rev", text, sha256(text), "user", "complete"))


def _denied(denials: Sequence[Denial], *memories: Memory, message: Message | None = None) -> list[str]:
    return [m.text for m in taken_back(denials, message or _message(), memories)]


def test_without_saying_what_it_is_the_message_before_that_is_taken_back() -> None:
    assert _denied([Denial()], _told("Mara has a boat.", round_=8), _told("Mara has a kite.", round_=7)) == ["Mara has a boat."]


def test_what_else_a_remark_tells_is_not_denied_with_a_part_of_it() -> None:
    doctor = Denial(("doctor",), "be")
    brother = _told("brother", kind=Kind.PERSONA, payload={"key": "family", "quote": "My brother is a doctor in Leeds."})
    work = _told("doctor", kind=Kind.PERSONA, payload={"key": "occupation", "quote": "I'm a doctor and my brother is one as well."})
    assert _denied([doctor], brother, work) == ["doctor"]
    dog = Denial(("dog",), "have")
    assert _denied([dog], _told("Mara has a sister called Ida who has a dog."), _told("Mara has a dog.", round_=4)) == ["Mara has a dog."]
    assert _denied([Denial(("teacher",), "be")], _told("Mara was a teacher for ten years.")) == []
    assert (
        _denied([Denial(("狗",), "have")], _told("林小雨小时候养过一只狗。", by="林小雨"), message=_message("我没有狗。", speaker="林小雨"))
        == []
    )
    french = _told("French", kind=Kind.PERSONA, payload={"key": "languages", "quote": "I learn French."})
    assert _denied([Denial(("french",), "learn")], french) == []


def test_not_any_more_leaves_what_cannot_end() -> None:
    name = _told("Mara", kind=Kind.PERSONA, round_=8, payload={"key": "name", "quote": "My name is Mara and I keep bees."})
    hobby = _told("bees", kind=Kind.PERSONA, round_=8, payload={"key": "hobbies", "quote": "My name is Mara and I keep bees."})
    bees, sister = _told("Mara keeps bees.", round_=8), _told("Mara's sister keeps a shop.", round_=8)
    sailed = _told("Mara sailed to Leith.", round_=8, event_from=AT, event_to=AT)
    assert _denied([Denial(act=NO_MORE)], name, hobby, bees, sister, sailed) == ["bees", "Mara keeps bees."]
    assert len(_denied([Denial()], name, hobby, bees, sister, sailed)) == 5


def test_what_is_named_is_taken_back_wherever_it_was_told_and_nothing_else() -> None:
    boat, kite = _told("Mara sails a red boat on Sundays."), _told("Mara flies a kite.")
    assert _denied([Denial(("red", "boat"))], boat, kite) == [boat.text]
    assert _denied([Denial(("blue", "boat"))], boat, kite) == []
    assert _denied([Denial(("猫",))], _told("小雨家有一只猫。"), _told("小雨爱喝茶。")) == ["小雨家有一只猫。"]


def test_an_act_that_is_over_takes_back_that_it_is_done_not_that_it_was_done_on_a_day() -> None:
    plays = _told("Mara plays the harp every evening.")
    played = _told("Mara played the harp in Bern on 3 April 2024.", event_from=AT, event_to=AT)
    owns = _told("Mara owns a harp.")
    assert _denied([Denial(("harp",), "play")], plays, played, owns) == [plays.text]
    assert _denied([Denial(("harp",), "have")], plays, played, owns) == [owns.text]


def test_what_is_over_ends_the_values_of_its_key_that_it_means_and_what_tells_them() -> None:
    def value(key: str, text: str) -> Memory:
        return _told(text, kind=Kind.PERSONA, payload={"key": key, "quote": text})

    owen, unnamed, work = value("partner", "engaged to Owen"), value("partner", "boyfriend"), value("workplace", "the bank in Leith")
    fact = _told("Mara is engaged to Owen.")
    assert _denied([Denial(("partner",), ENDED)], owen, work, fact) == ["engaged to Owen", "Mara is engaged to Owen."]
    met, elsewhere = _told("Mara met Owen at a fair."), _told("Mara is engaged to Owen.", round_=4)
    assert _denied([Denial(("partner",), ENDED)], owen, met, elsewhere) == ["engaged to Owen"]  # of another message is another matter
    lived = value("household", "boyfriend Tom")
    others = value("household", "sister"), value("household", "husband Jonas")
    assert _denied([Denial(("partner", "Tom"), ENDED)], lived, *others) == ["boyfriend Tom"]  # nobody else's home is left
    diets = value("diet", "vegan"), value("diet", "gluten-free")
    assert _denied([Denial(("diet", MEATLESS), ENDED)], *diets) == ["vegan"]
    assert _denied([Denial(("partner", "Tom"), ENDED)], owen, unnamed) == ["boyfriend"]
    assert _denied([Denial(("workplace", "bank"), ENDED)], work, owen) == ["the bank in Leith"]
    assert _denied([Denial(("workplace", "bakery"), ENDED)], work) == []
    assert _denied([Denial(("partner", "老郭"), ENDED)], value("partner", "男朋友"), value("partner", "和小安结婚")) == ["男朋友"]


@pytest.mark.parametrize(
    ("text", "partner"),
    [
        ("My girlfriend Sofia moved out last week, we split up.", []),
        ("I broke up with Tom. I live with my boyfriend Ed now.", ["boyfriend Ed"]),
        ("I got divorced in May, we split up before.", ["divorced"]),
        ("我女朋友苏菲上周搬走了，我们分手了。", []),
        ("我离婚了。", ["离婚"]),
    ],
)
def test_of_whom_one_parts_from_in_a_message_it_tells_no_partner(text: str, partner: list[str]) -> None:
    assert [v.value for v in alone(_message(text), listener="Nell", opens=True).values if v.key == "partner"] == partner


def test_what_is_somebody_elses_after_all_takes_the_value_back() -> None:
    cats = _told(
        "cats", kind=Kind.PERSONA, payload={"key": "allergies", "quote": "I'm allergic to cats, so the fitting was mostly sneezing."}
    )
    message = _message("I did say that. It's not true, it was Owen who was allergic to cats.")
    denials = alone(message, listener="Nell", opens=False).denials
    assert _denied(denials, cats, message=message) == ["cats"]
    assert alone(_message("It was Owen who was allergic to cats."), listener="Nell", opens=False).denials == ()


def test_what_denies_it_already_what_others_said_and_what_comes_later_stand() -> None:
    denial = [Denial(("dog",))]
    assert _denied(denial, _told("Mara has no dog."), _told("Mara doesn't have a dog."), _told("玩家没有狗。")) == []
    assert _denied(denial, _told("Nell has a dog.", by="Nell"), _told("Mara has a dog.", round_=9)) == []
    assert _denied(denial, _told("Mara has a dog.", payload={"model": "m"}), _told("Mara has a dog.", origin="user")) == []


def test_the_name_of_a_player_is_no_word_of_theirs() -> None:
    assert _denied([Denial(("家",), "玩")], _told("玩家住在杭州。", by="玩家"), message=_message(speaker="玩家")) == []


def test_a_mark_rests_on_what_was_taken_back_and_on_the_message_that_does_it() -> None:
    boat, message = _told("Mara has a boat."), _message()
    made = mark(boat, message)
    assert [s.message_id for s in made.sources] == ["m3", "msg"]
    assert (made.slot, made.grounds, made.round_first, made.round_last) == (TAKEN_BACK, (boat.id,), 9, 9)
    assert mark(boat, message) == made
    assert mark(boat, _message("It was a lie.")).id != made.id


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = opened(tmp_path / "data")
    yield start(memory)
    memory.close()


def _facts(live: Live) -> list[str]:
    return sorted(f.text for f in live.of(Kind.FACT))


def _rebuilt(live: Live) -> list[str]:
    """The facts of the same path, made anew from its text."""
    live.rebuild()
    return _facts(live)


def test_what_is_taken_back_leaves_facts_sketch_and_recall_and_nothing_else_does(live: Live) -> None:
    live.say("I have a grey cat called Biscuit.", "A cat!")
    live.say("I grow leeks behind the church.", "Good soil?")
    live.say("My brother Otto works in a clock shop in Ghent.", "A steady hand.")
    live.say("Forget what I said about the cat, I made it up.", "As you like.")
    live.say("And it rains again.", "It does.")
    live.end()
    expected = ["Mara grows leeks behind the church.", "Mara's brother Otto works in a clock shop in Ghent."]
    assert _facts(live) == expected
    assert "pets" not in live.known()
    path = live.memory.store.chats.span(live.scope, live.branch_id, first_round=0, last_round=live.number)
    assert sorted(f.text for f in facts_of_path(path, live.memory.store.chats.chat(live.scope))) == expected
    assert _rebuilt(live) == expected


def test_a_branch_from_before_it_was_taken_back_still_has_it(live: Live) -> None:
    live.say("I keep bees on the roof.", "How many hives?")
    live.say("And it rains.", "It does.")
    at = live.last[-1]
    live.say("I don't keep bees on the roof any more.", "Ah.")
    live.say("It rains still.", "Yes.")
    assert _facts(live) == ["Mara doesn't keep bees on the roof any more."]
    other = live.memory.store.branches.fork(live.scope, live.branch_id, at.id, "there", operation="checkpoint")
    fork = replace(live, branch_id=other)
    live.memory.store.tasks.add(live.scope, mend_task(other, first_round=0))
    live.memory.work_off()
    assert _facts(fork) == ["Mara keeps bees on the roof."]
    assert _facts(live) == ["Mara doesn't keep bees on the roof any more."]


def test_what_a_person_pinned_stays(live: Live) -> None:
    live.say("I keep bees on the roof.", "How many hives?")
    live.say("Hm.", "Yes?")
    (bees,) = live.of(Kind.FACT)
    live.memory.store.controls.pin(live.scope, bees.id, True)
    live.say("No, I made up the bees.", "Ah.")
    live.say("It rains still.", "Yes.")
    assert "Mara keeps bees on the roof." in _facts(live)
    live.memory.store.controls.pin(live.scope, bees.id, False)
    assert "Mara keeps bees on the roof." not in _facts(live)


def test_an_insight_goes_with_the_fact_it_rests_on_and_another_pair_may_take_its_place(live: Live) -> None:
    live.pace = lambda number: timedelta(minutes=number)
    live.say("I take a photo of every receipt, even the small ones.", "Why?")
    live.say("I make a packing list a week before every trip.", "A week!")
    live.say("Hm.", "Yes?")
    live.end()
    assert [i.grounds for i in live.of(Kind.INSIGHT)]
    live.say("What I told you about the receipts was a lie.", "So.")
    live.say("It rains.", "It does.")
    assert live.of(Kind.INSIGHT) == []


def test_a_chapter_tells_what_was_told_when_it_was_told(live: Live) -> None:
    live.say("I keep bees on the roof.", "How many hives?")
    for number in range(31):
        live.say(f"Hm, {number}.", "Yes?")
    plots = [p.text for p in live.of(Kind.PLOT)]
    assert plots == ["Mara keeps bees on the roof."]
    live.say("No, I made up the bees.", "Ah.")
    live.say("It rains still.", "Yes.")
    assert _facts(live) == []
    assert _rebuilt(live) == []
    assert [p.text for p in live.of(Kind.PLOT)] == plots


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("My sister Nora has a dog.", "I don't have a dog."),
        ("My brother smokes a pipe.", "I quit smoking last year."),
        ("My sister plays the piano.", "I don't play the piano any more."),
        ("I work as a nurse in a small clinic.", "I stopped being shy years ago."),
        ("I work as a nurse in a small clinic.", "I stopped having to work nights."),
        ("我姐姐养了一只狗。", "我没有狗。"),
        ("我爸爸每天抽烟。", "我早就戒烟了。"),
    ],
)
def test_what_is_of_somebody_else_or_of_something_else_stays(live: Live, told: str, denied: str) -> None:
    live.say(told, "Noted.")
    before = [f.text for f in live.of(Kind.FACT)]
    live.say("Good evening.", "Good evening.")
    live.say(denied, "Noted.")
    live.end()
    kept = [f.text for f in live.of(Kind.FACT)]
    live.say("Good night.", "Good night.")
    assert before or kept, "it is read at all"
    assert set(before) <= set(kept)
    assert any(f.round_last == 1 for f in live.of(Kind.FACT))
