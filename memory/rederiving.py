"""Reading again what a memory was made from, to lay the new words beside the old. Nothing is kept."""

from __future__ import annotations

from collections.abc import Callable

from memory import narrative, topics
from memory.deriving import Deriver
from memory.extracting import answered
from memory.reading import messages as reading
from memory.reading.drafts import Extraction
from storage.decisions import cited
from storage.records import Chat, Kind, Memory, Message, to_ms
from storage.scope import Scope
from storage.store import Store


class Rederiver:
    def __init__(self, store: Store, deriver: Deriver) -> None:
        self._store = store
        self._deriver = deriver

    def texts(self, scope: Scope, branch_id: str, memory: Memory) -> tuple[str, ...]:
        """What the branch's present wording gives in a memory's place: of a fact every fact of its message, of a value those of its key, of an insight, a topic
        or a piece of the story the one that now follows. Empty where nothing does; a piece has one line a sentence.

        What a language model read or told is laid beside what follows without it: asking it again is for the worker (`MemoryControls.rebuild`)."""
        chat = self._store.chats.chat(scope)
        if memory.kind in (Kind.FACT, Kind.PERSONA):
            drafts = self._read(scope, branch_id, chat, memory)
            if memory.kind is Kind.FACT:
                return tuple(dict.fromkeys(f.text for f in drafts.facts))
            return tuple(dict.fromkeys(v.value for v in drafts.values if v.key == memory.payload.get("key")))
        if memory.kind is Kind.INSIGHT:
            made, _ = self._deriver.insights_of_path(scope, branch_id, chat, before_round=self._end(scope, branch_id))
            return tuple(m.text for m in made if m.slot == memory.slot)
        if memory.kind is Kind.TOPIC:
            sessions = self._deriver.sessions(scope, branch_id, first_round=memory.round_first)
            session = next((s for s in sessions if s.over and topics.slot_of(s) == memory.slot), None)
            made = self._deriver.topics_of_session(scope, branch_id, session) if session is not None else []
            return tuple(m.text for m in made if m.payload["anchor"] == memory.payload.get("anchor"))
        if memory.kind is Kind.PLOT:
            closed = self._deriver.division(scope, branch_id).closed()
            span = next((s for s in closed if narrative.slot_of(s) == memory.slot), None)
            plot = self._deriver.plot_of_path(scope, branch_id, span, by_hand=True)[0] if span is not None else None
            return (lines_of(plot),) if plot is not None else ()
        return ()

    def _read(self, scope: Scope, branch_id: str, chat: Chat, memory: Memory) -> Extraction:
        ids = cited(memory.payload) or list(dict.fromkeys(s.message_id for s in memory.sources))
        messages = self._store.chats.messages(scope, branch_id, ids)
        said = [m for m in sorted(messages, key=lambda m: m.depth) if not m.hidden]
        if not said:
            return Extraction()
        message = said[-1]
        listener, others = reading.listener_of(message, chat), reading.others_of(message, chat)
        before = self._before(scope, branch_id, message)
        opens = message.parent_id is None or self._store.chats.speaker(scope, message.parent_id) == message.speaker
        read = reading.alone(message, listener=listener, opens=opens, others=others)
        for other in answered(None if before is None or before.hidden else before, message):
            more = reading.answering(message, other, listener=listener, others=others)
            read = Extraction(read.facts + more.facts, read.values + more.values)
        return read

    def _before(self, scope: Scope, branch_id: str, message: Message) -> Message | None:
        if message.parent_id is None:
            return None
        found = self._store.chats.messages(scope, branch_id, [message.parent_id])
        return found[0] if found else None

    def _end(self, scope: Scope, branch_id: str) -> int:
        head = self._store.chats.head(scope, branch_id)
        return head.round + 1 if head else 0


def lines_of(plot: Memory) -> str:
    """The sentences of a piece of the story, a line each."""
    lines = plot.payload.get("lines")
    return "\n".join(str(line["text"]) for line in lines) if isinstance(lines, list) else plot.text


def retold(plot: Memory, text: str, *, tell: Callable[[str], str]) -> tuple[str, dict[str, object]]:
    """A piece of the story in a person's words, a line a sentence: its text, and its lines for the payload. A line that is as it was shown (tell: how) stays
    as it is, another takes the round of the line in whose place it stands."""
    old = plot.payload.get("lines")
    before = [line for line in old if isinstance(line, dict)] if isinstance(old, list) else []
    known = {tell(str(line["text"])): line for line in before}
    unknown = {"round": plot.round_last, "said_at": to_ms(plot.said_at)}
    lines = []
    for place, said in enumerate(text.split("\n")):
        near = before[min(place, len(before) - 1)] if before else unknown
        lines.append(known.get(said) or {**near, "text": said})
    return (" " if plot.language == "en" else "").join(str(line["text"]) for line in lines), {"lines": lines}
