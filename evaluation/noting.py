"""What a memory gives an answer to rest on: this engine, each memory of `evaluation.remembering`, and none, for the questions of one conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chat.assembly import Memory
from chat.imported import ImportedConversation
from evaluation.baselines.plain import FullContext, RecentWindow
from evaluation.datasets import RetrievalQuestion, asked_at
from evaluation.prompt_parts import ABLATIONS, GIVEN, WHOLE, recalled, standing
from evaluation.remembering import MEMORIES, Remembered, lived
from evaluation.talks import Talk, written
from memory.engine import Cue
from models.gateway import estimate
from models.structured import StructuredModel
from storage.records import Kind

ENGINE, NONE = "keepsake", "guess"
SOURCES = (ENGINE, NONE, *(name for name in ABLATIONS if name != WHOLE), *(name for name in MEMORIES if name != "no-memory"))
"""Without memory a model guesses. The engine gives what it recalls; its ablations what a prompt holds of their kinds, the story and the sketch with it."""
AS_SAID = frozenset({FullContext.name, RecentWindow.name})
"""Give what was said in its order, the oldest first; of every other memory the best comes first."""
SPARED = 1_500
"""Tokens of a prompt that all but the notes take at most."""


@dataclass(frozen=True)
class Note:
    """turns: ids of the messages it rests on, where it says."""

    text: str
    turns: tuple[str, ...] = ()


class Notes:
    """memory: an open house, for the engine and its embedder; model: of the memories that ask one."""

    def __init__(self, memory: Memory, conversation: ImportedConversation, *, model: StructuredModel | None, language: str) -> None:
        self._memory = memory
        self._conversation = conversation
        self._model = model
        self._language = language
        self._talk: Talk | None = None
        self._embedder = Remembered(memory.embedder)

    def of(self, source: str, questions: Sequence[RetrievalQuestion], *, room: int | None = None) -> list[list[Note]]:
        """For each question what is given, best first, or in the order in which it was said (AS_SAID). room: tokens; of a memory the first that fit are given, of
        what was said in its order the newest.

        Raises KeyError for no source."""
        if source == NONE:
            return [[] for _ in questions]
        if source == ENGINE:
            return [self._recalled(question) for question in questions]
        if source in ABLATIONS:
            return [self._parts(question, ABLATIONS[source]) for question in questions]
        memory = lived(source, self._conversation, embedder=self._embedder, model=self._model)
        given = [[Note(one.text, one.turns) for one in found.recalled] for found in memory.asked(questions, self._conversation)]
        if room is None:
            return given
        return [newest(notes, room) if source in AS_SAID else first(notes, room) for notes in given]

    def _written(self) -> Talk:
        """Written when the engine is first asked."""
        if self._talk is None:
            self._talk = written(self._memory, self._conversation, language=self._language)
        return self._talk

    def _cue(self, question: RetrievalQuestion) -> Cue:
        user, character = self._conversation.speakers[:2]
        return Cue(question.text, self._written().after, asked_at(question, self._conversation), speaker=user, listener=character)

    def _recalled(self, question: RetrievalQuestion) -> list[Note]:
        talk = self._written()
        recall = self._memory.engine.recall(talk.scope, talk.branch_id, self._cue(question))
        ids = [c.memory_id for c in recall.candidates[:GIVEN]]
        found = self._memory.store.memories.get(talk.scope, ids)
        return [
            Note(found[i].text, tuple(talk.turn_of[s.message_id][1] for s in found[i].sources if s.message_id in talk.turn_of)) for i in ids
        ]

    def _parts(self, question: RetrievalQuestion, kinds: frozenset[Kind]) -> list[Note]:
        talk = self._written()
        parts = recalled(self._memory, talk, self._cue(question), kinds) + standing(self._memory, talk, kinds)
        return [Note(part.text, part.turns) for part in parts]


def first(notes: Sequence[Note], room: int) -> list[Note]:
    """As many of the first as there is room for, tokens."""
    kept: list[Note] = []
    for note in notes:
        room -= estimate(note.text)
        if room < 0:
            break
        kept.append(note)
    return kept


def newest(notes: Sequence[Note], room: int) -> list[Note]:
    """As many of the last as there is room for, tokens, in their order."""
    kept: list[Note] = []
    for note in reversed(notes):
        room -= estimate(note.text)
        if room < 0:
            break
        kept.insert(0, note)
    return kept
