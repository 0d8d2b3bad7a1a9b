"""What reviewers say that the guidelines leave open, collected for whoever writes them."""

from __future__ import annotations

from storage.annotation_records import Member
from storage.store import Store
from tests.annotation.invented import ADMIN, ANN, BO, RENA, decision, doubled, house, project, wording


def test_flags_are_collected_with_what_they_are_about_once_there_is_gold(store: Store) -> None:
    bench = house(store)
    made = project(bench)
    doubled(bench, made)
    review = bench.projects.take(RENA, made.id, "reviewer")
    _, both, only_a, only_b = bench.review_sheet(RENA, review.id).parts
    bench.decide(RENA, review.id, both.id, decision("b", flag=True, reason="guideline_gap", note="Is a dislike a preference?"), before=None)
    bench.decide(RENA, review.id, only_a.id, decision("rejected", flag=True, note="Are jobs lasting?"), before=None)
    bench.decide(RENA, review.id, only_b.id, decision("b"), before=None)
    assert bench.flags(ADMIN, made.id) == [], "nobody hears of a review under way"
    bench.finish(RENA, review.id)
    found = {one.note: (one.verdict, one.text, one.turn) for one in bench.flags(ADMIN, made.id)}
    assert found == {
        "Is a dislike a preference?": ("b", "Maren hates marzipan.", 57),
        "Are jobs lasting?": ("rejected", "Maren starts at the observatory.", 143),
    }
    assert bench.flags(ANN, made.id) == bench.flags(RENA, made.id) == [], "for whoever runs the project"
    store.erasures.account("ann")
    assert {one.text for one in bench.flags(ADMIN, made.id)} == {""}, "of what is gone the note stays"


def test_an_admin_who_annotated_hears_of_them_with_the_gold(store: Store) -> None:
    bench = house(store)
    made = project(bench)
    other = Member("ada2", "admin")
    store.chats.ensure_user("ada2", "ada2")
    for member in (ADMIN, BO):
        mine = bench.projects.take(member, made.id, "annotator")
        bench.keep_point(member, mine.id, wording(f"Said by {member.user_id}.", [3 if member is BO else 57]))
        bench.work.submit(member, mine.id)
    review = bench.projects.take(RENA, made.id, "reviewer")
    for part in bench.review_sheet(RENA, review.id).parts:
        bench.decide(RENA, review.id, part.id, decision("a" if part.a is not None else "b", flag=True), before=None)
    bench.finish(RENA, review.id)
    assert (len(bench.flags(ADMIN, made.id)), len(bench.flags(other, made.id))) == (0, 2)
    bench.projects.release(other, review.item_id)
    assert len(bench.flags(ADMIN, made.id)) == 2
