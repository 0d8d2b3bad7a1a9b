"""Learning in the product: what a receipt teaches, once each; what is applied, and what that never touches; going back when it does harm."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from memory.learned_file import unpacked
from memory.learning import Learner, Lesson, learn_task, lesson_of
from memory.recall import Recall
from memory.reranker import BATCH, POOL, Floats, Reranker
from memory.retrieval import Candidate
from memory.usefulness import KEPT, PERIOD, Period, Record
from storage.errors import NotFound
from storage.learning import BEST
from storage.records import Task, sha256
from storage.scope import LOCAL_USER, Scope
from tests.conftest import OpenChat, open_chat

D = 16
FINGERPRINT = "test-16"
QUERY = "Where does Ida work?"


def unit(rng: np.random.Generator, *shape: int) -> Floats:
    rows = rng.normal(size=shape)
    scaled: Floats = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return scaled


class School:
    """A chat with memories and vectors, and receipts as replies leave them."""

    def __init__(self, chat: OpenChat, *, size: int = POOL, first: int = 0) -> None:
        self.chat, self.store, self.user = chat, chat.store, LOCAL_USER
        self.learner = Learner(chat.store, fingerprint=FINGERPRINT, dimension=D)
        rng = np.random.default_rng(3)
        (message,) = chat.say(QUERY, number=1)
        texts = [f"Thing number {n} of them." for n in range(first, first + size)]
        self.ids = tuple(f"{n:032x}" for n in range(first, first + size))
        with chat.store.database.write() as connection:
            connection.executemany(
                """INSERT INTO memory (id, chat_id, kind, text, language, round_first, round_last, said_at, derivation_key, text_sha256, source_count, created_at)
                VALUES (?, ?, 'fact', ?, 'en', 1, 1, 0, ?, ?, 0, 0)""",
                [(i, chat.scope.chat_id, text, f"k{i}", sha256(text)) for i, text in zip(self.ids, texts, strict=True)],
            )
        vectors = dict(zip((sha256(text) for text in texts), unit(rng, size, D), strict=True))
        chat.store.vectors.put(self.user, FINGERPRINT, "passage", vectors)
        chat.store.vectors.put(self.user, FINGERPRINT, "query", {sha256(QUERY): unit(rng, D)})
        self.message = message

    def recall(self, *, size: int | None = None) -> Recall:
        ids = self.ids[:size]
        found = tuple(Candidate(i, 0.5, 1.0, None, 2.0 - n / 20) for n, i in enumerate(ids))
        return Recall(QUERY, "fused", found, (), (), "", 1.0)

    def body(self, *, cited: tuple[str, ...], by: str = "model", model: str = "m", **changes: object) -> dict[str, Any]:
        """Of a reply with the nine best shown by what is learned now."""
        recall = self.learner.ranked(self.chat.scope, self.recall())
        places = {i: n for n, i in enumerate(recall.order, start=1)}
        candidates = [
            {
                "memory_id": c.memory_id,
                "fused": c.fused,
                "learned": recall.learned.get(c.memory_id),
                "place": places.get(c.memory_id),
                "delivered": places.get(c.memory_id, 99) <= 9,
                "reason": "" if places.get(c.memory_id, 99) <= 9 else "rank",
            }
            for c in recall.candidates
        ]
        return {
            "query": QUERY,
            "embedder": FINGERPRINT,
            "model": model,
            "pinned": [],
            "citations": {"by": by, "memories": list(cited)},
            "candidates": candidates,
            **changes,
        }

    def task(self, body: Mapping[str, object]) -> Task:
        receipt = self.store.receipts.add(self.chat.scope, message_id=self.message.id, revision_id=None, body=body)
        new = learn_task(self.chat.branch_id, revision_id=receipt, message_id=self.message.id, receipt_id=receipt)
        return Task(1, new.key(self.chat.scope.chat_id), new.kind, self.user, self.chat.scope.chat_id, new.branch_id, new.payload, 1)

    def reply(self, *, cited: tuple[str, ...], **changes: Any) -> None:
        self.learner.learn(self.task(self.body(cited=cited, **changes)))

    @property
    def updates(self) -> int:
        return self.learner.standing(self.user).updates


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


def test_a_small_fall_is_no_fall() -> None:
    high = low = Period("m")
    for n in range(100):
        high, low = high.with_reply(0.3 + 0.2 * (n % 3)), low.with_reply(0.28 + 0.2 * (n % 3))
    assert low.mean < high.mean
    assert not low.clearly_below(high)
    assert replace(low, total=low.total / 2, squares=low.squares / 4).clearly_below(high)
    assert not Period("m").clearly_below(high)


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


def test_what_was_learned_leaves_as_a_file_and_comes_back(school: School) -> None:
    for _ in range(40):
        school.reply(cited=(school.ids[8],))
    order = school.learner.ranked(school.chat.scope, school.recall()).order
    raw = school.learner.packed(LOCAL_USER)
    school.learner.reset(LOCAL_USER)
    school.learner.unpack(LOCAL_USER, raw)
    assert school.learner.ranked(school.chat.scope, school.recall()).order == order
    assert school.updates == 10


def archive(**arrays: object) -> bytes:
    good = {
        "weights": np.zeros((2, D), dtype="<f4"),
        "updates": np.array(3, dtype="<i8"),
        "embedder": np.frombuffer(FINGERPRINT.encode(), dtype=np.uint8),
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **{name: array for name, array in {**good, **arrays}.items() if array is not None})  # type: ignore[arg-type]
    return buffer.getvalue()


def claiming(shape: str) -> bytes:
    """An archive whose weights say that they are larger than they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made, zipfile.ZipFile(io.BytesIO(archive())) as good:
        for name in good.namelist():
            data = good.read(name)
            made.writestr(name, data.replace(b"(2, 16)", shape.encode()) if name == "weights.npy" else data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"PK\x03\x04 no archive",
        archive(weights=np.zeros((2, D + 1), dtype="<f4")),
        archive(weights=np.zeros((2, D))),
        archive(weights=np.full((2, D), np.nan, dtype="<f4")),
        archive(weights=np.full((2, D), 1e3, dtype="<f4")),
        archive(weights=np.array([{"a": 1}], dtype=object)),
        archive(weights=np.asfortranarray(np.zeros((2, D), dtype="<f4"))),
        archive(weights=None),
        archive(updates=np.array(-1, dtype="<i8")),
        archive(embedder=np.frombuffer(b"another", dtype=np.uint8)),
        archive(embedder=np.zeros(100_000, dtype=np.uint8)),
        claiming("(9, 99)"),
        archive(more=np.zeros(10_000)),
    ],
)
def test_a_file_that_is_not_what_learning_leaves_is_refused(school: School, raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        school.learner.unpack(LOCAL_USER, raw)
    assert school.updates == 0
    school.learner.unpack(LOCAL_USER, archive())
    assert school.updates == 3
