"""Insights: does a character read the right thing out of a chat, and nothing where the ground is thin? (DualMem 4; contract of figures in docs/design.md)

Every case is imported into a chat of its own, with replies that say nothing, and worked through by the engine; then the insights in sight are
compared with the stance the case bears out. An insight of any other stance is wrong, whatever it rests on.

A miss is put down to what came first: a telling message of which no fact about the player was kept (`missed_unread`), facts that fewer than two
rounds match with the stance, or that match it too weakly together (`missed_unmatched`), facts that match one and the same cue (`missed_one_cue`).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

from tqdm import tqdm

from chat.assembly import DEFAULT_NAMES, Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from evaluation.datasets import EvaluationFailed
from evaluation.insight_cases import InsightCase
from evaluation.judging import RATED, InsightRating, Judge
from evaluation.measures import Interval, mean_interval, proportion_interval, ratio_interval
from evaluation.progress import steps
from evaluation.records import Figure
from memory.deriving import about_player
from memory.everyday import everyday
from memory.facts import path_order
from memory.insights import Lens, Vectors, cue_texts, cue_vectors, matches, spoken, stance_id
from memory.keeping import Keeper
from memory.persona import PLAYER
from personas.cast import built_in
from personas.record import Character
from settings import Settings
from storage.records import Kind, stable_id
from storage.records import Memory as Held
from storage.scope import LOCAL_USER, Scope


@dataclass(frozen=True)
class System:
    """stances: whether the characters have theirs; modelled: whether the configured memory model reads."""

    stances: bool = True
    modelled: bool = False


SYSTEMS: Mapping[str, System] = {"grounded": System(), "grounded-without-stances": System(stances=False), "llm": System(modelled=True)}
REPLIES = {"en": "Go on.", "zh": "嗯，你接着说。"}
"""What the character answers to everything: nothing that could be remembered, and no question."""
UNREAD, UNMATCHED, ONE_CUE = "missed_unread", "missed_unmatched", "missed_one_cue"
_FIRST = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
_PAUSE = timedelta(minutes=1)


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    case: InsightCase
    drawn: tuple[int, ...]
    """Stances of the insights drawn; -1 of one through a trait that is none of them."""
    gold: int | None
    telling_read: int
    """Telling messages of which a fact about the player was kept."""
    missed: str | None
    """Why the stance was not called up; None where it was, or none was due."""
    texts: tuple[str, ...] = ()
    """The insights drawn."""

    @property
    def hit(self) -> bool:
        return self.gold is not None and self.gold in self.drawn

    @property
    def wrong(self) -> int:
        return len(self.drawn) - self.hit


def notices_of(cases: Sequence[InsightCase], *, judge: str = "") -> tuple[str, ...]:
    """What a reader of the figures must know. judge: name of the model that rates, if one is configured."""
    thin = sum(c.stance is None for c in cases)
    rated = f"rated by {judge}" if judge else "no judge model (KEEPSAKE_JUDGE_MODEL): plausibility, grounding and specificity are not rated"
    return (f"{len(cases):,} cases, {thin:,} of them with insufficient evidence", rated)


def systems_of(settings: Settings) -> tuple[str, ...]:
    """What can be compared under these settings."""
    return tuple(name for name, system in SYSTEMS.items() if settings.memory_model or not system.modelled)


def evaluate(
    dataset: str, cases: Sequence[InsightCase], *, systems: Sequence[str], seed: int, judge: Judge | None = None
) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name, and EvaluationFailed if the memory model could not read every case."""
    chosen = {system: SYSTEMS[system] for system in systems}
    outcomes: dict[str, list[Outcome]] = {}
    seconds: dict[str, float] = {}
    embedder = ""
    for modelled in sorted({system.modelled for system in chosen.values()}):
        settings = Settings()
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=settings.memory_model if modelled else ""))
            embedder = memory.embedder.fingerprint
            try:
                for name, system in chosen.items():
                    if system.modelled == modelled:
                        started = time.perf_counter()
                        outcomes[name] = outcomes_of(memory, cases, stances=system.stances)
                        seconds[name] = (time.perf_counter() - started) / len(cases)
            finally:
                memory.close()
    ratings = {name: _rated(judge, outcomes[name]) for name in chosen} if judge is not None else {}
    for name in chosen:
        for category, inside in _parts(outcomes[name]).items():
            rated = ratings_measured(inside, ratings[name], seed=seed) if name in ratings else ()
            for metric, interval in chain(measured(inside, reasons=chosen[name].stances, seed=seed), rated):
                yield Figure(
                    task="insights",
                    dataset=dataset,
                    system=name,
                    category=category,
                    unit="case",
                    metric=metric,
                    value=interval.value,
                    n=interval.n,
                    ci_low=interval.low,
                    ci_high=interval.high,
                    seconds=seconds[name],
                    embedder=embedder,
                )


def outcomes_of(memory: Memory, cases: Sequence[InsightCase], *, stances: bool) -> list[Outcome]:
    """What became of each case, in their order. stances: whether the characters have theirs."""
    characters = {c.id: c for c in built_in()}
    scopes: list[Scope] = []
    for case in steps(cases, "Writing"):
        scopes.append(_write(memory, case, characters[case.character], stances=stances))
    memory.work_off()
    for scope in scopes:
        left = memory.store.tasks.queue(scope)
        if left.failed or left.waiting:
            raise EvaluationFailed(f"A case could not be read, so nothing was measured: {left.last_error}")
    keeper = Keeper(memory.store, memory.embedder, memory.index)
    lenses = {i: _lens(keeper, characters[i]) for i in dict.fromkeys(case.character for case in cases)}
    return [_outcome(memory, keeper, scope, case, lenses[case.character]) for case, scope in zip(cases, scopes, strict=True)]


def conversation_of(case: InsightCase, character: str) -> ImportedConversation:
    """The case as a chat of one session, a minute between messages."""
    player = DEFAULT_NAMES[case.language]
    messages: list[ImportedMessage] = []
    for number, message in enumerate(case.messages, 1):
        said_at = _FIRST + number * _PAUSE
        messages.append(ImportedMessage(_external_id(number), player, message, said_at, session=1, line=number))
        messages.append(ImportedMessage(f"R{number}", character, REPLIES[case.language], said_at + _PAUSE / 2, session=1, line=number))
    return ImportedConversation(case.id, case.id, (player, character), tuple(messages), ())


def _external_id(number: int) -> str:
    return f"T{number}"


def _write(memory: Memory, case: InsightCase, character: Character, *, stances: bool) -> Scope:
    # A character made of its name alone has no stances; the name must be none of the cast's.
    name = character.name if stances else f"{character.name} II"
    character_id = character_named(memory.store, LOCAL_USER, name, language=case.language)
    cast = Cast(DEFAULT_NAMES[case.language], name)
    conversation = conversation_of(case, name)
    importer = Importer(memory.store, conversation, cast, character_id=character_id, language=case.language, replay=False)
    with tqdm(disable=True) as progress:
        importer.write(progress)
    return importer.scope


def _outcome(memory: Memory, keeper: Keeper, scope: Scope, case: InsightCase, lens: Lens) -> Outcome:
    branch_id = memory.store.chats.chat(scope).branch_id
    seen = memory.store.memories.visible(scope, branch_id)
    insights = memory.store.memories.get(scope, seen.of_kinds((Kind.INSIGHT,)).ids).values()
    stances = lens.character.stances
    slots = {stance_id(lens.character, index): index for index in range(len(stances))}
    drawn = {i.id: _stance_of(i, slots, len(stances)) for i in insights}
    order = sorted(drawn, key=lambda i: drawn[i])
    gold = next((index for index, stance in enumerate(stances) if stance.statement == case.stance), None)
    facts = sorted(memory.store.memories.get(scope, seen.of_kinds((Kind.FACT,)).ids).values(), key=path_order)
    mine = [f for f in about_player(facts) if f.language == lens.language]
    told_by = {source.message_id for fact in mine for source in fact.sources}
    read = sum(stable_id("message", scope.chat_id, _external_id(number)) in told_by for number in case.telling)
    missed = (
        None
        if gold is None or gold in drawn.values()
        else _missed(keeper.vectors(scope, mine), mine, lens, gold, everything_read=read == len(case.telling))
    )
    texts = {i.id: i.text for i in insights}
    return Outcome(case, tuple(drawn[i] for i in order), gold, read, missed, tuple(texts[i] for i in order))


def _stance_of(insight: Held, slots: Mapping[str, int], stances: int) -> int:
    """Of an insight that a model drew the stance it names as its lens; the other traits stand behind the stances (`memory.reflecting.lenses_of`)."""
    lens = insight.payload.get("lens")
    if isinstance(lens, int):
        return lens - 1 if lens <= stances else -1
    return slots[insight.slot]


def _rated(judge: Judge, outcomes: Sequence[Outcome]) -> dict[str, list[InsightRating | None]]:
    """By case id what the judge says of each insight that was drawn."""
    characters = {c.id: c for c in built_in()}
    return {
        o.case.id: [judge.insight(characters[o.case.character], o.case.messages, text, language=o.case.language) for text in o.texts]
        for o in steps(outcomes, "Rating")
    }


def ratings_measured(
    outcomes: Sequence[Outcome], ratings: Mapping[str, Sequence[InsightRating | None]], *, seed: int
) -> Iterator[tuple[str, Interval]]:
    """Means of the judge's ratings over the insights drawn in some cases, and the share that it did not rate; nothing where none was drawn."""
    given = [rating for o in outcomes for rating in ratings[o.case.id]]
    rated = [rating for rating in given if rating is not None]
    for name in RATED if rated else ():
        yield name, mean_interval([getattr(rating, name) for rating in rated], seed=seed)
    if given:
        yield "not_rated", proportion_interval(len(given) - len(rated), len(given))


def _missed(vectors: Vectors, facts: Sequence[Held], lens: Lens, gold: int, *, everything_read: bool) -> str:
    if not everything_read:
        return UNREAD
    found = matches(vectors, lens)
    speaking = {(fact.round_last, m.cue) for fact, those in zip(facts, found, strict=True) for m in those if m.stance == gold}
    rounds, cues = ({part[i] for part in speaking} for i in (0, 1))
    return ONE_CUE if len(rounds) > 1 and len(cues) == 1 else UNMATCHED


def _lens(keeper: Keeper, character: Character) -> Lens:
    """The character's, for a player without a name."""
    language = spoken(character)
    places, texts = cue_texts(character, player=PLAYER[language])
    vectors = cue_vectors(keeper.standing(LOCAL_USER, texts), keeper.standing(LOCAL_USER, texts, queries=True))
    return Lens(character, language, places, vectors, keeper.standing(LOCAL_USER, everyday(language, player=PLAYER[language])))


def _parts(outcomes: Sequence[Outcome]) -> dict[str | None, list[Outcome]]:
    """The outcomes by what their figures are given for; None is all of them."""
    parts: dict[str | None, list[Outcome]] = {None: list(outcomes)}
    by: tuple[Callable[[InsightCase], str], ...] = (
        lambda c: c.language,
        lambda c: c.query_type,
        lambda c: f"{c.language}, {c.query_type}",
        lambda c: c.part,
        lambda c: f"{c.part}, {c.language}",
        lambda c: "sufficient" if c.insufficient is None else f"insufficient: {c.insufficient}",
    )
    for name_of in by:
        for name in sorted({name_of(o.case) for o in outcomes}):
            parts[name] = [o for o in outcomes if name_of(o.case) == name]
    return parts


def measured(outcomes: Sequence[Outcome], *, reasons: bool, seed: int) -> Iterator[tuple[str, Interval]]:
    """The figures of some cases. reasons: whether to say why stances were missed.

    Left out is what they cannot tell: the recall of cases without a stance, the precision of no insights at all.
    """
    due = [o for o in outcomes if o.gold is not None]
    thin = [o for o in outcomes if o.gold is None]
    hits, drawn, gold = ([f(o) for o in outcomes] for f in (lambda o: o.hit, lambda o: len(o.drawn), lambda o: o.gold is not None))
    if due and sum(drawn):
        yield "precision", ratio_interval(hits, drawn, seed=seed)
    if due:
        yield "recall", proportion_interval(sum(hits), len(due))
        yield "f1", ratio_interval([2 * h for h in hits], [d + g for d, g in zip(drawn, gold, strict=True)], seed=seed)
        yield "wrong_insight", proportion_interval(sum(o.wrong > 0 for o in due), len(due))
        for reason in (UNREAD, UNMATCHED, ONE_CUE) if reasons else ():
            yield reason, proportion_interval(sum(o.missed == reason for o in due), len(due))
        yield "telling_read", ratio_interval([o.telling_read for o in due], [len(o.case.telling) for o in due], seed=seed)
    if thin:
        yield "false_insight", proportion_interval(sum(o.wrong > 0 for o in thin), len(thin))
