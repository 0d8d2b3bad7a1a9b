"""What the sheets with pictures are given, from views made here."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from chat import views
from ui import fading_values, memory_values, story_values, values

AT = datetime(2025, 4, 6, 12, tzinfo=UTC)


def a_course(**changes: object) -> views.CourseView:
    made = views.CourseView(
        id="m1",
        kind="fact",
        text="Mara keeps bees.",
        first_round=4,
        last_round=4,
        points=(views.PointView(4, 0.05), views.PointView(5, 0.9123456789012)),
        score=0.9123456789012,
        reinforced=1,
        inhibited=0,
        forgotten=False,
        fates=(),
        spared=False,
        needs=-0.25,
        pinned=False,
        excluded=False,
        origin="model",
        befell=(views.BefellView(4, "reinforced", 0.05, 0.9123456789012),),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def fading(*alive: views.CourseView, chosen: views.CourseView | None = None) -> views.FadingView:
    return views.FadingView(
        capacity=80,
        held=len(alive),
        room=(views.RoomView(4, 1), views.RoomView(5, 1)),
        alive=alive,
        nearly=(),
        weakest=(),
        lost=(),
        lost_all=0,
        weighed=True,
        chosen=chosen,
        missing=False,
        current_round=5,
    )


def test_a_course_is_given_to_the_tenth_digit_with_what_befell_it() -> None:
    value = fading_values.fading("c", fading(a_course(), chosen=a_course(fates=(views.FateView(5, True),), forgotten=True)))
    (alive,) = value["alive"]
    assert all(abs(got[1] - p.score) <= 1e-9 for got, p in zip(alive["points"], a_course().points, strict=True))
    assert (alive["needs"], alive["spared"], value["room"], value["round"]) == (-0.25, False, [[4, 1], [5, 1]], 5)
    assert (value["chosen"]["fates"], value["chosen"]["forgotten"]) == ([[5, True]], True)
    assert value["chosen"]["befell"][0][:2] == [4, "reinforced"]


def test_a_course_of_what_came_along_says_whence() -> None:
    carried = views.CarriedView("Nell Garrow", "c0", 2, 3)
    (alive, other) = fading_values.fading("c", fading(a_course(carried=carried), a_course()))["alive"]
    assert alive["carried"] == {"title": "Nell Garrow", "chat": "c0", "first": 2, "last": 3}
    assert "carried" not in other


def test_a_sheet_is_drawn_anew_only_when_something_it_shows_has_changed() -> None:
    before = fading_values.fading("c", fading(a_course()))
    assert fading_values.fading("c", fading(a_course()))["mark"] == before["mark"]
    assert fading_values.fading("c", fading(a_course(score=0.5)))["mark"] != before["mark"]
    assert fading_values.fading("c", fading(a_course(), chosen=a_course()))["mark"] != before["mark"]


def test_what_was_remembered_from_rounds_never_sends_a_message_again() -> None:
    window = views.TranscriptView(messages=(), has_earlier=False, has_later=False, awaiting_reply=False)
    marked = replace(window, kept={3: views.KeptView(2, 1)})
    one, two = values.transcript("c", window, version=1, settled=""), values.transcript("c", marked, version=2, settled="")
    assert one["mark"] == two["mark"]
    assert values.same_transcript(two)["kept"] == two["kept"] == {"3": [2, 1]}
    assert values.page("c", marked)["kept"] == {"3": [2, 1]}


def test_a_change_of_the_card_says_what_holds_and_what_held() -> None:
    leith = views.ValueView(text="Leith", round=9, said_at=AT, quote="I moved to Leith.", rounds_ago=1, id="b")
    perth = views.ValueView(text="Perth", round=1, said_at=AT, quote="I live in Perth.", rounds_ago=9, id="a")
    turned = (views.PersonaChangeView("residence", "changed", leith, perth), views.PersonaChangeView("pets", "retired", None, perth))
    value = memory_values.persona("c", views.PersonaView((), 10, since=8, over=True, changes=turned))
    assert (value["since"], value["over"]) == (8, True)
    assert [(c["key"], c["turn"], c["value"] and c["value"]["id"], c["was"]["id"]) for c in value["changes"]] == [
        ("residence", "changed", "b", "a"),
        ("pets", "retired", None, "a"),
    ]


def test_rounds_of_the_story_answer_by_what_was_asked() -> None:
    spoken = views.SpokenRoundView(2, AT, (views.SpokenView("Mara", "user", "<b>Hello</b>", False),), views.KeptView(1, 0))
    value = story_values.span("c", views.SpanView(0, 59, (spoken,)), first=0, last=90)
    assert value["key"] == "0-90"
    (told,) = value["rounds"]
    assert (told["round"], told["kept"], told["lines"][0]["text"]) == (2, [1, 0], "<b>Hello</b>")
