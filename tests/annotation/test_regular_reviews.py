"""Two people decide about a regular probe, neither its author, neither knowing of the other; where they differ a third settles it."""

from __future__ import annotations

import json
import sqlite3

import pytest

from annotation.agreement import review_agreement
from annotation.errors import FieldMissing, ProbeFaulty
from annotation.workbench import Workbench
from storage import migrations
from storage.annotation_errors import AlreadySubmitted, BothDecided, ChangedMeanwhile, NothingLeft, NotReady, NotThere
from storage.annotation_records import Member, Project
from storage.annotation_regular_records import RegularState
from storage.schema_21 import SCHEMA_21
from storage.store import Store
from tests.annotation.invented import ADMIN, RENA, adjudicated, doubled, house, project
from tests.annotation.test_regular import CAI, LINE, OPTIONS, ROLF, decided, fields, handed_in, verdict

RUTH, ADO = Member("ruth", "reviewer"), Member("ado", "admin")
BETTER = "Where was it that you grew up, Maren?"


@pytest.fixture
def bench(store: Store) -> Workbench:
    for member in (CAI, ROLF, RUTH, ADO):
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


def own(bench: Workbench, item: str) -> RegularState:
    ((mine, _),) = bench.regular.sheet(CAI, item).own
    return mine.state


def test_a_reviewer_chooses_before_they_are_shown_what_is_right(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item, note="The bakery, message 3.")
    before = bench.regular.review(ROLF, item)
    assert (before.shown.mine, before.point, before.remarks) == (None, None, ())
    bare = before.shown.probe
    assert sorted(bare.options) == sorted(OPTIONS)
    assert bare.options == probe.shown
    assert (bare.gold, bare.note, bare.author, bare.seed) == (0, "", "", 0)
    with pytest.raises(NotReady):
        bench.regular.decide(ROLF, probe.id, verdict("accepted"), version=1)
    after = bench.regular.answer(ROLF, probe.id, version=1, shown=probe.order.index(2))
    assert after.point is not None
    assert after.shown.mine is not None
    assert (after.shown.probe.options, after.shown.mine.choice) == (OPTIONS, 2)
    again = bench.regular.answer(ROLF, probe.id, version=1, shown=probe.order.index(0))
    assert again.shown.mine is not None
    assert again.shown.mine.choice == 2, "the first choice stands"
    assert bench.regular.review(RENA, item).shown.mine is None, "what one reviewer chose shows another nothing"


def test_an_author_does_not_review_their_own_also_not_to_settle_it(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item, ADMIN)
    for _ in range(2):
        with pytest.raises(NothingLeft):
            bench.regular.review(ADMIN, item)
        with pytest.raises(NotThere):
            bench.regular.answer(ADMIN, probe.id, version=1, shown=0)
        decided(
            bench,
            probe,
            *((ROLF, "accepted") if bench.regular.open_items(ROLF, _project(bench, item))[0].to_review else (RENA, "rejected")),
        )


def _project(bench: Workbench, item: str) -> str:
    return bench.projects.item(ADMIN, item).project_id


def test_two_who_accept_make_it_stand_and_one_does_not(bench: Workbench, made: Project, item: str) -> None:
    probe = handed_in(bench, item)
    assert decided(bench, probe, ROLF, "accepted").state is RegularState.WAITING
    assert (own(bench, item), bench.regular.standing(ADMIN, made.id)) == (RegularState.WAITING, [])
    with pytest.raises(NotThere):
        bench.regular.answer(ROLF, probe.id, version=1, shown=0)
    with pytest.raises(NotThere):
        bench.regular.decide(ROLF, probe.id, verdict("rejected", reason="other", note="x"), version=1)
    assert decided(bench, probe, RENA, "accepted", choice=3).state is RegularState.ACCEPTED
    (standing,) = bench.regular.standing(ADMIN, made.id)
    assert standing.options == OPTIONS
    view = bench.regular.set_view(ADMIN, made.id)
    assert view is not None
    assert view.people is not None
    assert (view.people.value, view.people.n, view.verdicts) == (0.5, 2, {"accepted": 2})
    with pytest.raises(AlreadySubmitted):
        bench.regular.keep(CAI, item, fields(version=1, note="x"))
    with pytest.raises(AlreadySubmitted):
        bench.regular.remove(CAI, probe.id, version=1)
    with pytest.raises(NotThere):
        bench.regular.answer(RUTH, probe.id, version=1, shown=0)


def test_the_second_reviewer_sees_nothing_of_what_the_first_decided(bench: Workbench, made: Project, item: str) -> None:
    probe = handed_in(bench, item)
    decided(bench, probe, ROLF, "rejected", note="TELLTALE")
    for who in (RENA, RUTH, ADMIN):
        before = bench.regular.review(who, item)
        after = bench.regular.answer(who, probe.id, version=1, shown=0)
        assert not before.shown.settles
        assert (after.shown.settles, after.shown.others, after.shown.probe.reviews) == (False, (), ())
        assert "TELLTALE" not in repr((before, after, bench.regular.own(CAI, item), bench.regular.agreement(who, made.id)))
        assert bench.regular.set_view(who, made.id) is None
    assert bench.regular.agreement(ADMIN, made.id) == [], "one decision is no pair"


def test_a_decision_whose_answer_was_lost_is_sent_again_without_harm(bench: Workbench, store: Store, item: str) -> None:
    probe = handed_in(bench, item)
    said = verdict("rejected", reason="wording", note="See there.")
    decided(bench, probe, ROLF, "rejected")
    assert bench.regular.decide(ROLF, probe.id, said, version=1).state is RegularState.WAITING
    decided(bench, probe, RENA, "rejected")
    assert bench.regular.decide(RENA, probe.id, said, version=1).state is RegularState.REJECTED
    with pytest.raises(NotThere):
        bench.regular.decide(RENA, probe.id, verdict("accepted"), version=1)
    (count,) = store.database.read().execute("SELECT count(*) FROM annotation_event WHERE action = 'regular_rejected'").fetchone()
    assert count == 2


def test_a_decision_is_taken_back_until_the_other_is_there(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item)
    with pytest.raises(NotThere):
        bench.regular.take_back(ROLF, probe.id, version=1)
    decided(bench, probe, ROLF, "rejected", choice=2)
    back = bench.regular.take_back(ROLF, probe.id, version=1)
    assert back.shown.mine is not None
    assert (back.shown.mine.choice, back.shown.mine.verdict, back.shown.mine.note) == (2, "", ""), "what was chosen stays"
    bench.regular.decide(ROLF, probe.id, verdict("accepted"), version=1)
    with pytest.raises(NotThere):
        bench.regular.take_back(RENA, probe.id, version=1)
    decided(bench, probe, RENA, "rejected")
    for who in (ROLF, RENA):
        with pytest.raises(BothDecided):
            bench.regular.take_back(who, probe.id, version=1)


def test_two_who_reject_give_it_back_with_both_reasons_and_it_comes_again(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item)
    bench.regular.answer(ROLF, probe.id, version=1, shown=0)
    for lacking in (verdict("rejected", note="x"), verdict("rejected", reason="wording")):
        with pytest.raises(FieldMissing):
            bench.regular.decide(ROLF, probe.id, lacking, version=1)
    decided(bench, probe, ROLF, "rejected", reason="several_right", note="A barge may lie there too.")
    decided(bench, probe, RENA, "rejected", note="Too easy.")
    ((mine, _),) = bench.regular.sheet(CAI, item).own
    assert (mine.state, [one.note for one in mine.decisions]) == (RegularState.REJECTED, ["A barge may lie there too.", "Too easy."])
    with pytest.raises(NothingLeft):
        bench.regular.review(RUTH, item)
    changed = bench.regular.keep(CAI, item, fields(version=1, options=[*OPTIONS[:2], "In a tent.", OPTIONS[3]]))
    assert (changed.state, changed.version) == (RegularState.DRAFT, 2)
    bench.regular.submit(CAI, item, probe.id, version=2)
    for who in (ROLF, RENA):
        assert bench.regular.review(who, item).shown.mine is None, "it is another one now"


def test_where_two_differ_a_third_settles_it_who_chooses_first(bench: Workbench, made: Project, item: str) -> None:
    probe = handed_in(bench, item)
    decided(bench, probe, ROLF, "accepted", choice=1)
    assert decided(bench, probe, RENA, "rejected", note="Too easy.").state is RegularState.DISPUTED
    assert own(bench, item) is RegularState.DISPUTED
    assert bench.regular.standing(ADMIN, made.id) == []
    for who in (ROLF, RENA):
        with pytest.raises(NothingLeft):
            bench.regular.review(who, item)
        with pytest.raises(NotThere):
            bench.regular.decide(who, probe.id, verdict("rejected", reason="other", note="x"), version=1)
    before = bench.regular.review(RUTH, item)
    assert (before.shown.settles, before.shown.others, before.shown.probe.gold) == (True, (), 0)
    after = bench.regular.answer(RUTH, probe.id, version=1, shown=0)
    assert [(one.verdict, one.note, one.reviewer) for one in after.shown.others] == [("accepted", "", ""), ("rejected", "Too easy.", "")]
    assert bench.regular.decide(RUTH, probe.id, verdict("accepted"), version=1).state is RegularState.ACCEPTED
    ((mine, _),) = bench.regular.sheet(CAI, item).own
    assert [(one.verdict, one.settles) for one in mine.decisions] == [("accepted", True)]
    agreement = {one.name: (one.value, one.n) for one in bench.regular.agreement(ADMIN, made.id)}
    assert agreement["same_verdict"] == (0.0, 1)
    assert agreement["same_choice"] == (0.0, 1), "of the two who did not know of each other alone"


def test_an_admin_who_was_of_the_two_may_settle_it_as_a_small_house_has_nobody_else(bench: Workbench, made: Project, item: str) -> None:
    probe = handed_in(bench, item)
    decided(bench, probe, ADO, "rejected")
    decided(bench, probe, ROLF, "accepted")
    shown = bench.regular.review(ADO, item).shown
    assert shown.mine is not None
    assert (shown.settles, shown.mine.verdict, [one.verdict for one in shown.others]) == (True, "rejected", ["accepted"])
    assert bench.regular.decide(ADO, probe.id, verdict("accepted"), version=1).state is RegularState.ACCEPTED
    view = bench.regular.set_view(ADMIN, made.id)
    assert view is not None
    assert view.people is not None
    assert view.people.n == 2, "who chose once is counted once"


def test_a_change_is_a_proposal_until_both_or_a_third_would_have_it(bench: Workbench, store: Store, item: str) -> None:
    probe = handed_in(bench, item)
    better = fields(line=BETTER)
    bench.regular.answer(ROLF, probe.id, version=1, shown=0)
    with pytest.raises(ProbeFaulty):
        bench.regular.decide(ROLF, probe.id, verdict("edited", reason="wording", probe={**better, "line": ""}), version=1)
    waiting = bench.regular.decide(ROLF, probe.id, verdict("edited", reason="wording", probe=better), version=1)
    assert (waiting.state, waiting.version, waiting.line) == (RegularState.WAITING, 1, LINE)
    assert bench.regular.review(RENA, item).shown.probe.line == LINE, "the other sees the author's words"
    assert decided(bench, probe, RENA, "accepted").state is RegularState.DISPUTED
    (proposed, plain) = bench.regular.answer(RUTH, probe.id, version=1, shown=0).shown.others
    assert proposed.proposal is not None
    assert (proposed.proposal["line"], plain.proposal) == (BETTER, None)
    kept = bench.regular.decide(RUTH, probe.id, verdict("edited", reason="wording", probe=better), version=1)
    assert (kept.state, kept.version, kept.line) == (RegularState.ACCEPTED, 2, BETTER)
    (decision,) = kept.decisions
    assert decision.edited is not None
    assert (decision.settles, decision.edited["line"]) == (True, LINE), "what the author wrote is kept beside it"
    rows = store.database.read().execute(
        "SELECT action, before, after FROM annotation_event WHERE assignment_id = ? ORDER BY id", (probe.id,)
    )
    trail = [(row["action"], json.loads(row["after"] or "{}").get("line", "")) for row in rows if row["action"] != "regular_answered"]
    assert trail == [
        ("regular_probe", LINE),
        ("regular_handed_in", ""),
        ("regular_edited", BETTER),
        ("regular_accepted", LINE),
        ("regular_settled_edited", BETTER),
    ]


def test_two_who_would_change_it_to_the_same_words_agree(bench: Workbench, made: Project, item: str) -> None:
    probe = handed_in(bench, item)
    for who in (ROLF, RENA):
        kept = decided(bench, probe, who, "edited", instead=fields(line=BETTER))
    assert (kept.state, kept.version, kept.line, len(kept.decisions)) == (RegularState.ACCEPTED, 2, BETTER, 2)
    assert {one.name: one.value for one in bench.regular.agreement(ADMIN, made.id)}["same_verdict"] == 1.0
    with pytest.raises(AlreadySubmitted):
        bench.regular.keep(CAI, item, fields(version=2, note="x"))


def test_two_who_would_change_it_to_other_words_differ_and_a_change_of_nothing_accepts(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item)
    decided(bench, probe, ROLF, "edited", instead=fields(line=BETTER))
    assert decided(bench, probe, RENA, "edited", instead=fields(line="Where are you from?")).state is RegularState.DISPUTED
    other = handed_in(bench, item, own="ef" * 16)
    for who in (ROLF, RENA):
        kept = decided(bench, other, who, "edited", instead=fields("ef" * 16))
    assert (kept.state, kept.version, {one.verdict for one in kept.reviews}) == (RegularState.ACCEPTED, 1, {"accepted"})


def test_an_authors_change_makes_what_was_decided_void(bench: Workbench, item: str) -> None:
    probe = handed_in(bench, item)
    decided(bench, probe, ROLF, "accepted")
    decided(bench, probe, RENA, "rejected")
    bench.regular.keep(CAI, item, fields(version=1, line=BETTER))
    assert own(bench, item) is RegularState.DRAFT
    again = bench.regular.submit(CAI, item, probe.id, version=2)
    with pytest.raises(ChangedMeanwhile):
        bench.regular.answer(RUTH, probe.id, version=1, shown=0)
    decided(bench, again, ROLF, "accepted", version=2)
    assert decided(bench, again, RENA, "accepted", version=2).state is RegularState.ACCEPTED


def test_agreement_is_as_published_and_undefined_where_all_say_the_same() -> None:
    # Krippendorff 2011 (Computing Krippendorff's alpha-reliability), B: nominal data, two observers, twelve units: .692
    one, other = "a a b b d c c c e d d a".split(), "b a b b b c c c e d d d".split()
    share, alpha = review_agreement("verdict", list(zip(one, other, strict=True)), "probes")
    assert (share.value, share.n) == (0.75, 12)
    assert alpha.value == pytest.approx(0.692, abs=0.001)
    assert alpha.low is not None
    same = review_agreement("verdict", [("accepted", "accepted")] * 4, "probes")
    assert [(figure.value, figure.why) for figure in same] == [(1.0, ""), (None, "one_label")]
    assert [(figure.n, figure.why) for figure in review_agreement("verdict", [], "probes")] == [(0, "no_units")] * 2


def test_what_one_reviewer_had_decided_before_there_were_two_stands() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        """CREATE TABLE annotation_run (id TEXT PRIMARY KEY, distances TEXT, kind TEXT);
        CREATE TABLE annotation_regular (id TEXT PRIMARY KEY);
        CREATE TABLE annotation_choice (run_id TEXT, setting INTEGER, probe TEXT, chosen INTEGER, trouble TEXT, rank INTEGER, candidates INTEGER);
        CREATE TABLE annotation_regular_review (regular_id TEXT, version INTEGER, reviewer TEXT, choice INTEGER, answered_at INTEGER, verdict TEXT,
            reason TEXT, note TEXT, edited TEXT, decided_at INTEGER);
        INSERT INTO annotation_run VALUES ('r', '[]', 'regular'), ('u', '[30]', 'universal');
        INSERT INTO annotation_regular VALUES ('p');
        INSERT INTO annotation_choice VALUES ('r', -1, 'p', 2, '', NULL, 0), ('r', 0, 'p', 0, '', 3, 20);
        INSERT INTO annotation_regular_review VALUES ('p', 2, 'rolf', 0, 5, 'edited', 'wording', 'x', '{}', 6), ('p', 2, 'rena', 1, 5, NULL, '', '', '', NULL);"""
    )
    for statement in SCHEMA_21:
        connection.execute(statement)
    assert connection.execute("SELECT id, distances FROM annotation_run ORDER BY id").fetchall() == [("r", "[0]"), ("u", "[30]")]
    assert connection.execute("SELECT setting, distance, chosen, rank FROM annotation_choice ORDER BY setting").fetchall() == [
        (-1, 0, 2, None),
        (0, 0, 0, 3),
    ]
    reviews = connection.execute("SELECT reviewer, settles, verdict, proposal FROM annotation_regular_review ORDER BY rowid").fetchall()
    assert reviews == [("rolf", 1, "edited", ""), ("rena", 0, None, "")]
    known = migrations.known()
    assert list(known) == sorted(known)
    assert known[known.index("m021_probe_reviews") - 1].startswith("m020_")
