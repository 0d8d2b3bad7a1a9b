"""A conversation as forgetting sees it: memories with their vectors, strengths and tokens, and the questions that will be asked.

Two units: every turn is a memory, or memories are the facts that extraction without a model draws from the turns, as the program keeps them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from chat.assembly import open_store
from chat.cast import character_named
from chat.imported import ImportedConversation
from chat.importer import Cast, Importer
from evaluation.datasets import RetrievalQuestion
from evaluation.forgetting_trial import Question, Talk
from evaluation.vector_cache import VectorCache
from memory.episodes import language_of
from memory.extracting import facts_of_path
from memory.strength import strengths
from memory.timeline import mentions
from models.gateway import estimate
from settings import Settings
from storage.records import Memory, stable_id
from storage.scope import LOCAL_USER


def talk_of(conversation: ImportedConversation, questions: Sequence[RetrievalQuestion], *, unit: str, vectors: VectorCache) -> Talk:
    """unit: `turn` or `fact`; questions: of this conversation. Raises EmbeddingFailed."""
    messages = conversation.messages
    place = {m.external_id: i for i, m in enumerate(messages)}
    if unit == "turn":
        texts = [m.text for m in messages]
        turns: list[tuple[int, ...]] = [(i,) for i in range(len(messages))]
        dated = [bool(mentions(m.text, said_at=m.said_at, language=language_of(m.text))) for m in messages]
    else:
        facts, chat_id = _facts(conversation)
        said = {stable_id("message", chat_id, m.external_id): place[m.external_id] for m in messages}
        texts = [f.text for f in facts]
        turns = [tuple(sorted(said[s.message_id] for s in f.sources)) for f in facts]
        dated = [f.event_from is not None for f in facts]
    passages = vectors.passages(texts)
    queries = vectors.queries([q.text for q in questions])
    return Talk(
        cues=vectors.queries([m.text for m in messages]),
        vectors=passages,
        births=np.array([held[-1] for held in turns], dtype=np.int64),
        turns=tuple(turns),
        tokens=np.array([estimate(t) for t in texts], dtype=np.float64),
        strengths=strengths(texts, passages, dated=np.array(dated, dtype=np.bool_), of=range(len(texts))),
        questions=tuple(
            Question(vector, tuple(place[e] for e in q.evidence), q.category, q.id) for q, vector in zip(questions, queries, strict=True)
        ),
    )


def _facts(conversation: ImportedConversation) -> tuple[list[Memory], str]:
    """The facts of a conversation in path order, and the id of the chat they were read in."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Settings(data_dir=Path(folder)))
        try:
            user, character = conversation.speakers[:2]
            character_id = character_named(store, LOCAL_USER, character, language="en")
            importer = Importer(
                store, conversation, Cast(user, character, observe=True), character_id=character_id, language="en", replay=False
            )
            with tqdm(disable=True) as progress:
                importer.write(progress)
            chat = store.chats.chat(importer.scope)
            path = store.chats.span(importer.scope, chat.branch_id, first_round=0, last_round=len(conversation.messages) + 1)
            return facts_of_path(path, chat), chat.id
        finally:
            store.close()
