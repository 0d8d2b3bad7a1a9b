"""Regular probes: linted, handed in, reviewed by somebody else who does not know which is right, and seen by nobody else before."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import ProbeFaulty
from annotation.probe_lint import lint, together
from annotation.workbench import Workbench
from storage.annotation_errors import ChangedMeanwhile, NotAllowed, NothingLeft, NotThere
from storage.annotation_records import Member, Project
from storage.annotation_regular_records import Regular, RegularState, order_of, seed_of
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, RENA, adjudicated, doubled, house, project, turns

CAI, ROLF = Member("cai", "annotator"), Member("rolf", "reviewer")
LINE = "Where did you grow up, Maren?"
OPTIONS = ("Over a baker's shop.", "In a lighthouse.", "On a barge.", "At an inn.")


@pytest.fixture
def bench(store: Store) -> Workbench:
    for member in (CAI, ROLF):
        store.chats.ensure_user(member.user_id, member.user_id)
    return house(store)


@pytest.fixture
def made(bench: Workbench) -> Project:
    made = project(bench)
    doubled(bench, made)
    return made


@pytest.fixture
def item(bench: Workbench, made: Project) -> str:
    return adjudicated(bench, made)


def fields(own: str = "ab" * 16, **changed: object) -> dict[str, object]:
    return {"id": own, "gold": 1, "language": "en", "line": LINE, "options": list(OPTIONS), "note": "", "version": 0, **changed}


def handed_in(bench: Workbench, item: str, who: Member = CAI, own: str = "ab" * 16, **changed: object) -> Regular:
    kept = bench.regular.keep(who, item, fields(own, **changed))
    return bench.regular.submit(who, item, kept.id, version=kept.version)


def verdict(verdict: str, **more: object) -> dict[str, object]:
    return {"verdict": verdict, "reason": "", "note": "", "probe": None, **more}


def decided(
    bench: Workbench, probe: Regular, who: Member, what: str, *, choice: int = 0, version: int = 1, instead: object = None, **more: object
) -> Regular:
    """One reviewer's choice and decision. choice: a place among the kept options, 0 the right one; instead: what they would have in its place."""
    bench.regular.answer(who, probe.id, version=version, shown=probe.order.index(choice))
    reason, note = ("", "") if what == "accepted" else ("wording", "See there.")
    said = verdict(what, **{"reason": reason, "note": note, "probe": instead, **more})
    return bench.regular.decide(who, probe.id, said, version=version)


def codes(language: str = "en", line: str = LINE, options: tuple[str, ...] = OPTIONS) -> dict[str, tuple[int, ...]]:
    return {one.code: one.options for one in lint(language, line, options, turns())}


# What a rule finds


def test_a_sound_probe_has_no_remark() -> None:
    assert codes() == {}
    assert codes("zh", "你妹妹什么时候结婚来着？", ("六月。", "三月底。", "十月。", "年底。")) == {}


def test_equal_and_nearly_equal_options_are_found() -> None:
    assert codes(options=("Over a shop.", "over a SHOP", *OPTIONS[2:]))["same"] == (0, 1)
    assert codes(options=(OPTIONS[0], "By ferry, no longer by tram.", "By ferry, not by tram any longer.", "On foot."))["alike"] == (1, 2)


def test_options_that_differ_in_a_sign_that_means_something_are_no_equals() -> None:
    for options in (("-5 °C", "5 °C"), ("C++", "C"), ("50%", "50"), ("😀", "😢")):
        assert "same" not in codes(options=(*options, *OPTIONS[2:])), options
    assert codes(options=("Yes, over a shop!", "“Yes over a shop”.", *OPTIONS[2:]))["same"] == (0, 1)


@pytest.mark.parametrize("option", ["以上均是。", "以上都不对", "以上各项皆可。", "都不对", "全部都对。", "All of the above."])
def test_an_option_that_means_the_others_is_found_in_both_languages(option: str) -> None:
    assert codes(options=(*OPTIONS[:3], option))["catch_all"] == (3,)


def test_a_key_that_is_given_away_by_words_or_by_a_run_of_letters_is_found() -> None:
    found = lint("en", "What is your boat called?", ("My boat Patience.", "Hope.", "Grace.", "Charity."), [])
    assert [(one.code, one.words) for one in found if one.code.startswith("given")] == [("given_words", "boat")]
    found = lint("zh", "你在天文台上班还习惯吗？", ("天文台很安静。", "面包房很热。", "码头风大。", "学校很吵。"), [])
    assert "given_words" in {one.code for one in found}
    assert "given_run" in codes(line="Do you still miss it over there?", options=("Over there.", "A bit.", "Never.", "No more."))
    assert not any(
        one.startswith("given") for one in codes(line="Is the boat in?", options=("The boat is.", "The boat sank.", "No boat.", "Ask Oda."))
    )


def test_a_key_whose_length_sticks_out_is_found() -> None:
    assert "key_longest" in codes(options=("Over the old baker's shop in Tallis Street.", *OPTIONS[1:]))
    assert "key_shortest" in codes(options=("There.", "In a lighthouse by the sea.", "On a barge on the canal.", "At an inn on the road."))


def test_an_option_that_repeats_the_dialogue_is_found_with_its_message() -> None:
    (found,) = [
        one for one in lint("en", LINE, (OPTIONS[0], "Above a bakery in Tallis Street", *OPTIONS[2:]), turns()) if one.code == "verbatim"
    ]
    assert (found.options, found.turn) == ((1,), 3)


def test_what_is_missing_or_of_another_language_is_found() -> None:
    found = lint("", "", ("", "一", "", "b"), [])
    assert {one.code for one in found if one.fault} == {"language_missing", "line_missing", "option_missing"}
    assert codes(options=("在面包房楼上。", *OPTIONS[1:]))["language_other"] == (0,)
    assert "line_language" in codes(line="你在哪里长大？")
    assert codes(options=(*OPTIONS[:3], "None of these."))["catch_all"] == (3,)


def test_over_a_set_a_bias_of_length_is_told_with_its_interval() -> None:
    probes = [Regular(f"{n:032x}", 1, "en", LINE, ("a longer one", "b", "c", "d"), seed=n) for n in range(12)]
    found = together(probes)
    assert found is not None
    assert (found.n, found.longest.value, found.biased) == (12, 1.0, ("longest",))
    assert found.longest.low == pytest.approx(0.7575, abs=0.001)
    assert sum(found.places) == 12
    assert together([]) is None


@given(st.binary(min_size=16, max_size=16))
def test_the_order_of_options_follows_from_the_probe(own: bytes) -> None:
    seed = seed_of(own.hex())
    assert order_of(seed) == order_of(seed)
    assert sorted(order_of(seed)) == [0, 1, 2, 3]


def test_orders_are_spread_over_the_places() -> None:
    firsts = [order_of(seed_of(f"{n:08x}" + "0" * 24)).index(0) for n in range(2000)]
    assert all(400 < firsts.count(place) < 600 for place in range(4))


# Who may


def test_nobody_writes_probes_before_there_is_gold_and_annotators_only_once_it_is_released(bench: Workbench, made: Project) -> None:
    (one,) = bench.projects.items(ADMIN, made.id)
    for member in (ADMIN, ANN, BO, CAI, RENA, ROLF):
        assert bench.regular.open_items(member, made.id) == []
        with pytest.raises(NotThere):
            bench.regular.sheet(member, one.id)
    adjudicated(bench, made)
    for member in (ANN, BO):
        with pytest.raises(NotThere):
            bench.regular.sheet(member, one.id)
        with pytest.raises(NotThere):
            bench.regular.keep(member, one.id, fields())
    for member in (ADMIN, CAI, RENA, ROLF):
        assert [point.number for point in bench.regular.sheet(member, one.id).gold] == [1, 2, 3, 4]
    with pytest.raises(NotThere):
        bench.regular.sheet(Member("pia", "player"), one.id)
    bench.projects.release(ADMIN, one.id)
    assert bench.regular.sheet(ANN, one.id).gold


def test_a_probe_is_its_authors_alone_until_it_is_handed_in(bench: Workbench, item: str) -> None:
    kept = bench.regular.keep(CAI, item, fields())
    assert (kept.state, kept.version) == (RegularState.DRAFT, 1)
    for member in (ADMIN, RENA, ROLF):
        with pytest.raises(NothingLeft):
            bench.regular.review(member, item)
        for call in (
            lambda member=member: bench.regular.keep(member, item, fields(version=1, note="x")),
            lambda member=member: bench.regular.remove(member, kept.id, version=1),
            lambda member=member: bench.regular.answer(member, kept.id, version=1, shown=0),
        ):
            with pytest.raises(NotThere):
                call()
    bench.regular.submit(CAI, item, kept.id, version=1)
    with pytest.raises(NotAllowed):
        bench.regular.review(ANN, item)


def test_a_faulty_probe_is_kept_and_not_handed_in(bench: Workbench, item: str) -> None:
    kept = bench.regular.keep(CAI, item, fields(options=["", "a", "b", "b"]))
    with pytest.raises(ProbeFaulty):
        bench.regular.submit(CAI, item, kept.id, version=1)
    ((mine, remarks),) = bench.regular.sheet(CAI, item).own
    assert mine.state is RegularState.DRAFT
    assert {one.code for one in remarks if one.fault} == {"option_missing", "same"}


def test_a_stale_tab_changes_nothing_and_what_is_sent_twice_is_there_once(bench: Workbench, item: str) -> None:
    bench.regular.keep(CAI, item, fields())
    assert bench.regular.keep(CAI, item, fields()).version == 1
    bench.regular.keep(CAI, item, fields(version=1, note="better"))
    with pytest.raises(ChangedMeanwhile):
        bench.regular.keep(CAI, item, fields(version=1, note="worse"))
    assert bench.regular.keep(CAI, item, fields(version=1, note="better")).version == 2, "a change whose answer was lost, sent again"
    assert len(bench.regular.sheet(CAI, item).own) == 1


def test_a_draft_comes_back(bench: Workbench, item: str) -> None:
    sheet = bench.regular.sheet(CAI, item)
    bench.regular.keep_draft(CAI, sheet.work.id, draft='{"line": "Where"}')
    assert json.loads(bench.regular.sheet(CAI, item).work.draft) == {"line": "Where"}
    with pytest.raises(NotThere):
        bench.regular.keep_draft(RENA, sheet.work.id, draft="{}")
    bench.regular.keep(CAI, item, fields())
    assert bench.regular.sheet(CAI, item).work.draft == ""


def test_where_one_annotates_nothing_is_reviewed(bench: Workbench) -> None:
    alone = project(bench, overlap=1)
    mine = bench.projects.take(ANN, alone.id, "annotator")
    from tests.annotation.invented import wording

    bench.keep_point(ANN, mine.id, wording("Maren grew up above a bakery.", [3]))
    bench.work.submit(ANN, mine.id)
    probe = handed_in(bench, mine.item_id, ANN)
    assert (probe.state, probe.stands) == (RegularState.SINGLE, True)
    with pytest.raises(NothingLeft):
        bench.regular.review(RENA, mine.item_id)


def test_what_is_accepted_outlives_its_authors_account_and_the_rest_goes(bench: Workbench, store: Store, item: str) -> None:
    probe = handed_in(bench, item)
    for who in (ROLF, RENA):
        decided(bench, probe, who, "accepted")
    bench.regular.keep(CAI, item, fields("cd" * 16, line="A line of Cai's own"))
    store.erasures.account("cai")
    store.erasures.finish()
    kept = [row["id"] for row in store.database.read().execute("SELECT id FROM annotation_regular")]
    assert kept == [probe.id]
    assert store.database.read().execute("SELECT count(*) FROM annotation_probe_work WHERE user_id = 'cai'").fetchone()[0] == 0


def test_a_dialogue_that_is_taken_out_takes_its_probes(bench: Workbench, store: Store, item: str) -> None:
    probe = handed_in(bench, item)
    bench.regular.answer(ROLF, probe.id, version=1, shown=0)
    bench.projects.remove_item(ADMIN, item)
    for table in ("regular", "regular_review", "probe_work"):
        assert store.database.read().execute(f"SELECT count(*) FROM annotation_{table}").fetchone()[0] == 0
