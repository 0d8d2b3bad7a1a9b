"""A stored receipt as the page shows it; memory texts come from the memories themselves, so what was erased there is erased here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from chat.memory_block import as_delivered, as_spoken
from chat.memory_views import carried_view
from chat.views import CandidateView, LeftOutView, LoreView, ReceiptView, SectionView
from storage.absences import Why
from storage.receipts import StoredReceipt, prompt_hash
from storage.records import Kind, Memory, Message, Role
from storage.scope import Scope
from storage.store import Store


def receipt_view(
    store: Store, scope: Scope, stored: StoredReceipt, *, tell: Callable[[str], str], player: str, language: str
) -> ReceiptView:
    """tell: puts the player's name into facts and insights; player: what they are called before what they said, as a prompt has it;
    language: of the prompt."""
    body: Mapping[str, Any] = stored.body
    said = body.get("citations") or {"by": "", "memories": []}  # receipts of older versions have none
    used = frozenset(said["memories"])
    left_out = body.get("left_out") or []
    memories = store.memories.get(
        scope, [*(c["memory_id"] for c in body["candidates"]), *(i for one in left_out for i in (one["memory_id"], one["by"]))]
    )
    narrators = store.chats.narrators(scope, memories.values())

    def text(memory: Memory, unsaid: Collection[str] = ()) -> str:
        """unsaid: whose words of it were not told, as they had said them before; of what was not told at all it stands whole."""
        memory = as_delivered(memory, unsaid) or memory
        if memory.kind is not Kind.EPISODE:
            return tell(memory.text)
        return as_spoken(memory, player=player, language=language, narrators=narrators.get(memory.id, ()))

    return ReceiptView(
        id=stored.id,
        message_id=stored.message_id,
        round=stored.round,
        speaker=str(body.get("speaker", "")),
        heard=bool(body.get("heard")),
        query=body["query"],
        made_at=stored.made_at,
        model=body["model"],
        embedder=body["embedder"],
        degraded=body["degraded"],
        cross=body.get("cross", ""),
        recall_ms=body["recall_ms"],
        first_token_ms=body["first_token_ms"],
        cited_by=said["by"],
        cited=len(used),
        candidates=tuple(
            _candidate(rank, candidate, memories.get(candidate["memory_id"]), text, cited=candidate["memory_id"] in used)
            for rank, candidate in enumerate(body["candidates"], start=1)
        ),
        left_out=tuple(
            _left_out(one, memory, memories.get(one["by"]), text)
            for one in left_out
            if (memory := memories.get(one["memory_id"])) is not None and memory.status != "deleted"
        ),
        sections=tuple(SectionView(s["name"], s["tokens"], s["items"]) for s in body["sections"]),
        lore=tuple(
            LoreView(e["n"], e["name"], e["by"], e["through"], e["tokens"], e["delivered"], e.get("book", "")) for e in body.get("lore", ())
        ),
        window=body.get("window", 0),
        reply=body.get("reply", 0),
        prompt=tuple((role, text) for role, text in body["prompt"]),
        exact=_exact(body),
        thoughts=str(body.get("thoughts", "")),
        again=str(body.get("again", "")),
    )


def with_words(stored: StoredReceipt, said: Sequence[Message]) -> StoredReceipt:
    """The receipt of a line that was heard, with its words, which stand in the conversation alone. said: that line, if it is there still."""
    return replace(stored, body={**stored.body, "query": said[0].text if said else ""})


def read_from(store: Store, scope: Scope, receipted: Sequence[Message]) -> str:
    """From which message on the newest reply had everything word for word. receipted: messages with receipts, oldest first."""
    newest = next((m for m in reversed(receipted) if m.role is Role.CHARACTER), None)
    oldest = store.receipts.read_from(scope, newest) if newest else ""
    return oldest if oldest and store.chats.place(scope, oldest).depth > 0 else ""


def _exact(body: Mapping[str, Any]) -> str:
    """Whether the prompt is to the letter what was sent."""
    noted = body.get("sha256")
    if not noted:
        return "" if noted is None else "erased"
    return "same" if noted == prompt_hash(body["prompt"]) else "other"


def _candidate(
    rank: int, candidate: Mapping[str, Any], memory: Memory | None, text: Callable[[Memory, Collection[str]], str], *, cited: bool
) -> CandidateView:
    return CandidateView(
        rank=rank,
        memory_id=candidate["memory_id"],
        kind=memory.kind.value if memory else "",
        text=text(memory, candidate.get("unsaid", ())) if memory else "",
        first_round=memory.round_first if memory else 0,
        last_round=memory.round_last if memory else 0,
        said_at=memory.said_at if memory else datetime.fromtimestamp(0, UTC),
        dense=candidate["dense"],
        sparse=candidate["sparse"],
        fused=candidate["fused"],
        learned=candidate.get("learned"),
        parts=tuple(sorted(candidate.get("parts", {}).items(), key=lambda part: -abs(part[1]))),
        effect=candidate["effect"],
        delivered=candidate["delivered"],
        reason=candidate["reason"],
        cited=cited,
        carried=carried_view(memory) if memory is not None else None,
    )


def _left_out(one: Mapping[str, Any], memory: Memory, by: Memory | None, text: Callable[[Memory], str]) -> LeftOutView:
    here = one["reason"] not in (Why.ELSEWHERE, Why.DELETED)
    return LeftOutView(
        memory_id=memory.id,
        kind=memory.kind.value,
        text=text(memory),
        first_round=memory.round_first if here else 0,
        last_round=memory.round_last if here else 0,
        place=one["place"],
        reason=one["reason"],
        round=one["round"],
        by=text(by) if by is not None else "",
    )
