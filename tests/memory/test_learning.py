"""Learning in the product: what a receipt teaches, once each; what is applied, and what that never touches; going back when it does harm."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from memory.learned_file import unpacked
from memory.learning import Learner, Lesson, lesson_of
from memory.reranker import BATCH, POOL, Reranker
from memory.usefulness import KEPT, PERIOD, Period, Record
from storage.errors import NotFound
from storage.learning import BEST
from storage.records import sha256
from storage.scope import LOCAL_USER, Scope
from tests.conftest import OpenChat, open_chat
from tests.memory.schooling import FINGERPRINT, QUERY, D, School, unit


@pytest.fixture
def school(chat: OpenChat) -> School:
    made = School(chat)
    made.learner.choose(LOCAL_USER, "learning", exploring=False)
    return made


def test_nothing_is_applied_or_learned_before_it_is_wanted(chat: OpenChat) -> None:
    school = School(chat)
    recall = school.recall()
    assert school.learner.ranked(chat.scope, recall) is recall
    school.reply(cited=school.ids[:1])
    assert (school.learner.standing(LOCAL_USER).mode, school.learner.standing(LOCAL_USER).counted) == ("off", 0)


def test_before_anything_was_learned_the_fused_order_stands(school: School) -> None:
    recall = school.learner.ranked(school.chat.scope, school.recall())
    assert recall.order == school.ids
    assert len(recall.learned) == POOL


def test_what_is_cited_again_and_again_comes_first_and_effects_stay_by_the_fused_order(school: School) -> None:
    wanted = school.ids[8]
    for _ in range(4 * 15):
        school.reply(cited=(wanted,))
    recall = school.learner.ranked(school.chat.scope, school.recall())
    assert recall.order[0] == wanted
    assert sorted(recall.order) == sorted(school.ids)
    assert recall.candidates == school.recall().candidates
    assert recall.events == school.recall().events
    standing = school.learner.standing(LOCAL_USER)
    assert (standing.mode, standing.updates, standing.counted) == ("learning", 15, 60)
    assert standing.replies[0] == pytest.approx(1 / 9)


def test_a_memory_without_a_vector_keeps_its_place(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    with school.store.database.write() as connection:
        connection.execute("DELETE FROM vector WHERE text_sha256 = ?", (sha256("Thing number 2 of them."),))
    recall = school.learner.ranked(school.chat.scope, school.recall())
    assert recall.order[2] == school.ids[2]
    assert school.ids[2] not in recall.learned


def test_each_receipt_is_learned_from_once_also_by_another_process_run(school: School) -> None:
    tasks = [school.task(school.body(cited=school.ids[:2])) for _ in range(BATCH)]
    for task in tasks:
        school.learner.learn(task)
        school.learner.learn(task)
    again = Learner(school.store, fingerprint=FINGERPRINT, dimension=D)
    for task in tasks:
        again.learn(task)
    assert (school.updates, school.learner.standing(LOCAL_USER).counted) == (1, BATCH)


def test_an_update_is_what_its_receipts_and_the_stored_vectors_make_it(school: School) -> None:
    bodies = [school.body(cited=school.ids[n : n + 2]) for n in range(BATCH)]
    expected = Reranker(D)
    query = school.store.vectors.get(LOCAL_USER, FINGERPRINT, "query", [sha256(QUERY)])[sha256(QUERY)]
    vectors = school.store.vectors.of_memories(LOCAL_USER, FINGERPRINT, school.ids)
    for body in bodies:
        lesson = lesson_of(body, query=query, vectors=vectors)
        assert lesson is not None
        expected.learn(lesson.shown, lesson.rewards)
    for n, body in enumerate(bodies):
        school.learner.learn(school.task(body))
        assert school.updates == int(n + 1 == BATCH)
        school.learner = Learner(school.store, fingerprint=FINGERPRINT, dimension=D)  # a restart between any two
    assert np.array_equal(unpacked(school.learner.packed(LOCAL_USER), fingerprint=FINGERPRINT, dimension=D).weights, expected.weights)


def test_a_failure_in_the_middle_changes_nothing(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [school.task(school.body(cited=school.ids[:2])) for _ in range(BATCH)]
    for task in tasks[:-1]:
        school.learner.learn(task)
    monkeypatch.setattr(school.store.learning, "put_record", lambda *a: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        school.learner.learn(tasks[-1])
    monkeypatch.undo()
    assert (school.updates, school.learner.standing(LOCAL_USER).counted) == (0, BATCH - 1)
    school.learner.learn(tasks[-1])
    assert (school.updates, school.learner.standing(LOCAL_USER).counted) == (1, BATCH)


def lesson(school: School, body: Mapping[str, Any]) -> Lesson | None:
    rng = np.random.default_rng(0)
    return lesson_of(body, query=unit(rng, D), vectors=dict(zip(school.ids, unit(rng, len(school.ids), D), strict=True)))


def test_none_is_a_reward_of_minus_one_for_all_and_unknown_is_no_lesson(school: School) -> None:
    none = lesson(school, school.body(cited=()))
    assert none is not None
    assert none.rewards.tolist() == [-1.0] * 9
    assert none.usefulness == 0
    assert lesson(school, school.body(cited=(), by="")) is None
    assert lesson(school, {k: v for k, v in school.body(cited=()).items() if k != "citations"}) is None


def test_what_was_no_choice_of_rank_is_not_in_the_lesson(school: School) -> None:
    body = school.body(cited=(school.ids[3],), pinned=[school.ids[0]])
    body["candidates"][1] |= {"delivered": False, "reason": "in_context"}
    body["candidates"][2] |= {"delivered": False, "reason": "budget"}
    found = lesson(school, body)
    assert found is not None
    assert len(found.shown.memories) == POOL - 3
    assert found.shown.order.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.rewards.tolist() == [1.0] + [-1.0] * 5
    nothing = school.body(cited=())
    for candidate in nothing["candidates"]:
        candidate["delivered"] = False
    assert lesson(school, nothing) is None


def test_frozen_is_applied_and_not_learned_and_off_is_neither(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    learned = school.learner.ranked(school.chat.scope, school.recall()).order
    school.learner.choose(LOCAL_USER, "frozen", exploring=False)
    for _ in range(8):
        school.reply(cited=(school.ids[0],))
    assert (school.updates, school.learner.standing(LOCAL_USER).counted) == (10, 48)
    assert school.learner.ranked(school.chat.scope, school.recall()).order == learned != school.ids
    school.learner.choose(LOCAL_USER, "off", exploring=False)
    assert school.learner.ranked(school.chat.scope, school.recall()).order == ()
    school.learner.choose(LOCAL_USER, "learning", exploring=False)
    assert school.learner.ranked(school.chat.scope, school.recall()).order == learned


def test_exploring_draws_another_order_and_only_when_it_is_on(school: School) -> None:
    def orders() -> set[tuple[str, ...]]:
        return {school.learner.ranked(school.chat.scope, school.recall()).order for _ in range(6)}

    assert len(orders()) == 1
    school.learner.choose(LOCAL_USER, "learning", exploring=True)
    assert len(orders()) > 1


def test_reset_unlearns_everything_and_keeps_the_choice(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    school.learner.reset(LOCAL_USER)
    standing = school.learner.standing(LOCAL_USER)
    assert (standing.mode, standing.updates, standing.replies) == ("learning", 0, ())
    assert school.learner.ranked(school.chat.scope, school.recall()).order == school.ids


def test_when_usefulness_falls_clearly_it_goes_back_to_the_best_weights_and_stops(school: School) -> None:
    for n in range(4 * PERIOD):
        school.reply(cited=school.ids[: 4 + n % 2])
    kept = school.store.learning.weights(LOCAL_USER, FINGERPRINT, BEST)
    assert kept is not None
    for n in range(4 * PERIOD):
        assert school.learner.standing(LOCAL_USER).mode == "learning"
        school.reply(cited=(school.learner.ranked(school.chat.scope, school.recall()).order[n % 2],))
    standing = school.learner.standing(LOCAL_USER)
    assert standing.mode == "frozen"
    assert standing.updates == kept.updates
    assert standing.fall is not None
    assert standing.fall.before > standing.fall.after
    now = school.store.learning.weights(LOCAL_USER, FINGERPRINT)
    assert now is not None
    assert now.weights == kept.weights
    school.learner.choose(LOCAL_USER, "learning", exploring=False)
    assert school.learner.standing(LOCAL_USER).fall is None


def test_another_model_is_another_scale_and_no_reason_to_go_back(school: School) -> None:
    for n in range(4 * PERIOD):
        school.reply(cited=school.ids[: 4 + n % 2])
    for n in range(8 * PERIOD):
        school.reply(cited=school.ids[: n % 2], model="another")
    assert school.learner.standing(LOCAL_USER).mode == "learning"


def test_it_goes_back_as_well_where_the_model_leaves_its_trailer_out_now_and_then(school: School) -> None:
    for n in range(4 * PERIOD):
        school.reply(cited=school.ids[: 4 + n % 2], by=("model", "words")[n % 3 == 0])
    for n in range(4 * PERIOD):
        school.reply(cited=(school.learner.ranked(school.chat.scope, school.recall()).order[n % 2],), by=("model", "words")[n % 3 == 0])
    standing = school.learner.standing(LOCAL_USER)
    assert standing.mode == "frozen"
    assert standing.fall is not None
    assert standing.fall.before > 0.3
    assert standing.fall.after == pytest.approx(1 / 9, abs=0.02)


def test_a_source_that_cites_less_is_no_fall_where_it_speaks_more_often() -> None:
    def period(*, terse: int) -> Period:
        made = Period()
        for n in range(100):
            made = made.with_reply("terse", 0.1 * (n % 2)) if n < terse else made.with_reply("m", 0.6 + 0.1 * (n % 2))
        return made

    before, after = period(terse=20), period(terse=60)
    beside = after.beside(before)
    assert beside is not None
    assert beside.after == pytest.approx(beside.before)
    assert not beside.clearly_below
    assert period(terse=100).beside(period(terse=1)) is None, "of what the best one hardly knew nothing can be said"


def test_a_small_fall_is_no_fall() -> None:
    high = low = fallen = Period()
    for n in range(100):
        share = 0.2 * (n % 3)
        high, low, fallen = (period.with_reply("m", less + share) for period, less in ((high, 0.3), (low, 0.28), (fallen, 0.05)))
    small, great = low.beside(high), fallen.beside(high)
    assert small is not None
    assert great is not None
    assert small.after < small.before
    assert not small.clearly_below
    assert great.clearly_below
    assert Period().beside(high) is None
    assert Period().with_reply("m", 0.0).beside(high) is None, "one reply says nothing"


def test_a_record_of_an_earlier_version_begins_its_period_anew(school: School) -> None:
    old = {
        "on": True,
        "period": {"source": "model m", "begun": 0, "replies": 3, "total": 1.0, "squares": 0.5},
        "best": {"source": "model m"},
    }
    school.store.learning.put_record(LOCAL_USER, FINGERPRINT, json.dumps(old))
    for n in range(4 * PERIOD):
        school.reply(cited=school.ids[: 4 + n % 2])
    assert (school.updates, school.learner.standing(LOCAL_USER).mode) == (PERIOD, "learning")


def test_the_record_does_not_grow_without_end() -> None:
    record = Record()
    for n in range(KEPT + 5):
        record = record.with_reply(f"r{n}", 0.5)
    assert (len(record.replies), record.counted, record.knows("r0"), record.knows("r5")) == (KEPT, KEPT + 5, False, True)


def test_one_users_weights_are_nobody_elses(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    assert school.learner.standing("u2").updates == 0
    task = school.task(school.body(cited=school.ids[:1]))
    school.store.chats.ensure_user("u2", "")
    school.learner.choose("u2", "learning", exploring=False)
    with pytest.raises(NotFound):
        school.store.receipts.body(Scope.of("u2", task.chat_id), str(task.payload["receipt"]))
    school.learner.learn(replace(task, user_id="u2"))
    assert school.learner.standing("u2").counted == 0


def test_erasing_an_account_erases_its_weights_and_a_deleted_memory_leaves_no_text(school: School) -> None:
    for _ in range(4 * PERIOD):
        school.reply(cited=(school.ids[8],))
    rows = school.store.database.read().execute("SELECT weights FROM reranker_state").fetchall()
    assert len(rows) == 3
    assert all(len(row[0]) in (0, 2 * D * 4) for row in rows)
    record = json.loads(str(school.store.learning.record(LOCAL_USER, FINGERPRINT)))
    assert "Thing" not in json.dumps(record)
    assert "Ida" not in json.dumps(record)
    school.store.erasures.account(LOCAL_USER)
    for table in ("reranker_state", "setting"):
        assert school.store.database.read().execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_an_erased_chat_takes_its_waiting_lessons_along(school: School) -> None:
    for _ in range(BATCH - 1):
        school.reply(cited=school.ids[:2])
    other = School(open_chat(school.store), first=POOL)
    school.store.erasures.chat(LOCAL_USER, school.chat.scope.chat_id)
    for n in range(BATCH - 1):
        other.reply(cited=other.ids[:1])
        assert other.updates == 0, n
    other.reply(cited=other.ids[:1])
    assert other.updates == 1
