"""Mending: after a conversation was rewritten, deriving whatever its path should have and has not.

What no longer holds is out of sight already, because visibility is decided when reading; this only adds. It compares what the path calls for with what
is there, so it does nothing where nothing is missing, may be cut off anywhere, and is the same work that rebuilds a memory from its text.
"""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby

from memory import narrative
from memory.deriving import Deriver
from memory.episodes import episode_of
from memory.extracting import Extractor
from memory.keeping import Keeper
from memory.modelled import Modelled
from storage.records import Kind, Memory, Message, NewTask, Rank
from storage.scope import Scope
from storage.store import Store

MEND_TASK = "mend"
INSIGHT_TASK = "insight"
ANEW = -1
"""First round that means everything, what a language model never read included."""
BATCH = 16
"""Episodes that are kept in one step."""


def mend_task(branch_id: str, *, first_round: int) -> NewTask:
    """Mend a branch from a round on: the first whose messages changed. Each is a task of its own; those that wait are joined (`Tasks.join`)."""
    return NewTask(MEND_TASK, branch_id, (secrets.token_hex(16),), {"first_round": first_round}, Rank.LATER)


def insight_task(branch_id: str, *, first_round: int) -> NewTask:
    """Find the insights of a branch beside the chat's other tasks: the first time, when a character's cues must be embedded. first_round: of the facts that
    call for it."""
    return NewTask(INSIGHT_TASK, branch_id, (secrets.token_hex(16),), {"first_round": first_round}, Rank.LATER)


def spoken(messages: Iterable[Message]) -> list[Message]:
    """Without what is hidden, without the greeting (round 0), which is scenery and no event, whoever reworded it, and without who came and went."""
    return [m for m in messages if m.round > 0 and not m.hidden and m.room is None]


class Mender:
    def __init__(self, store: Store, keeper: Keeper, deriver: Deriver, extractor: Extractor, modelled: Modelled | None) -> None:
        self._store = store
        self._keeper = keeper
        self._deriver = deriver
        self._extractor = extractor
        self._modelled = modelled

    def mend(self, scope: Scope, branch_id: str, *, first_round: int) -> None:
        """Derive what is missing of a branch from `first_round` on (ANEW: all of it, whatever was read before). Only final rounds are read for what they tell.

        Raises what reading the first of those rounds raised that could not be read, when everything else is done.
        """
        chat = self._store.chats.chat(scope)
        head = self._store.chats.head(scope, branch_id)
        if head is None:
            return
        # The round before may have been the newest until now, and an answer may hang on its question.
        path = self._store.chats.span(scope, branch_id, first_round=first_round - 1, last_round=head.round)
        rounds = [list(messages) for _, messages in groupby(path, key=lambda m: m.round)]
        self._episodes(scope, rounds)
        division = self._deriver.division(scope, branch_id)
        final = rounds if self._over(scope, branch_id, head) else [r for r in rounds if r[0].round < head.round]
        unread = self._extractor.unread(scope, [m for messages in final for m in messages])
        failure: Exception | None = None
        for messages in final:
            said = spoken(messages)
            if any(m.id in unread for m in said):
                try:
                    self._extractor.extract(scope, branch_id, chat, said)
                except Exception as error:  # noqa: BLE001 - a round that cannot be read must not take the others with it
                    failure = failure or error
                self._keeper.breathe()
        self._extractor.deny(scope, branch_id, chat, [m for messages in final for m in spoken(messages)])
        # What came with a bundle was read elsewhere.
        self._keeper.tastes(scope.user_id, self._deriver.told_by(scope, branch_id, (Kind.PERSONA,)))
        if self._modelled is None:
            if self._deriver.ready(scope, chat):
                self.insights(scope, branch_id)
            else:
                self._store.tasks.join(scope, insight_task(branch_id, first_round=first_round), least="first_round")
        else:
            # A unit that the first round stands in, but does not begin, is read from its beginning.
            unit = max(0, first_round - 1) // narrative.THETA_1 * narrative.THETA_1
            whole = self._store.chats.span(scope, branch_id, first_round=unit, last_round=head.round)
            path_rounds = [list(messages) for _, messages in groupby(whole, key=lambda m: m.round)]
            self._modelled.mend(scope, branch_id, path_rounds, first_round=first_round, anew=first_round == ANEW)
        self._plots(scope, branch_id, division.closed(), [r[0].round for r in rounds], first_round)
        self._topics(scope, branch_id, first_round)
        if failure is not None:
            raise failure  # the task is tried again and then shown as failed, for the rounds that are unread still

    def insights(self, scope: Scope, branch_id: str) -> None:
        """Keep the insights that the path's final rounds give ground for, and retire those that no longer follow."""
        head = self._store.chats.head(scope, branch_id)
        if head is not None:
            end = head.round + 1 if self._over(scope, branch_id, head) else head.round
            made, stale = self._deriver.insights_of_path(scope, branch_id, self._store.chats.chat(scope), before_round=end)
            self._replace(scope, made, stale)

    def _over(self, scope: Scope, branch_id: str, head: Message) -> bool:
        """Whether the newest round is final."""
        return self._deriver.division(scope, branch_id).begun > head.round or self._store.chats.session_closed(scope, head.id)

    def _episodes(self, scope: Scope, rounds: Sequence[Sequence[Message]]) -> None:
        wanted = [episode_of(scope.chat_id, said) for said in map(spoken, rounds) if said]
        there = self._store.memories.standing(scope, wanted)
        missing = [e for e in wanted if e.id not in there]
        for start in range(0, len(missing), BATCH):
            self._keeper.keep(scope, missing[start : start + BATCH])
            self._keeper.breathe()

    def _plots(self, scope: Scope, branch_id: str, closed: Sequence[narrative.Span], numbers: Sequence[int], first_round: int) -> None:
        """Chapters first: an arc is chosen from them. numbers: of the rounds that are there, rising."""
        for span in sorted(closed, key=lambda s: (s.tier, s.first)):
            at = bisect_left(numbers, span.first)
            if at == len(numbers) or numbers[at] > span.last:
                continue
            if span.tier >= narrative.CHAPTER and span.last >= first_round - 1:
                made, stale = self._deriver.plot_of_path(scope, branch_id, span)
                self._replace(scope, [made] if made else [], stale)
                self._keeper.breathe()

    def _topics(self, scope: Scope, branch_id: str, first_round: int) -> None:
        sessions = [s for s in self._deriver.sessions(scope, branch_id, first_round=first_round - 1) if s.last >= first_round - 1]
        if not sessions:
            return
        made: list[Memory] = []
        path = self._deriver.recallable_facts(scope, branch_id)  # of 10,000 rounds it takes long enough to be asked for once
        there = self._deriver.topics_of_rounds(scope, branch_id, sessions[0].first, sessions[-1].last)
        for session in sessions:
            if session.over:
                made += self._deriver.topics_of_session(scope, branch_id, session, path=path, there=there)
                self._keeper.breathe()
        self._replace(scope, made, self._deriver.stale_topics(scope, branch_id, sessions, made))

    def _replace(self, scope: Scope, made: Sequence[Memory], stale: Sequence[str]) -> None:
        self._store.memories.supersede(scope, stale)
        there = self._store.memories.standing(scope, made)
        self._keeper.keep(scope, [m for m in made if m.id not in there])
