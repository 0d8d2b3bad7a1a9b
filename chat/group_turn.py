"""What one of several characters answers: what it has witnessed of the talk, and who is asked to speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.errors import NothingToAnswer
from chat.group_history import heard
from chat.instructions import instruction
from memory.engine import Cue, cue_of
from personas.record import Character
from storage.records import Chat, Message, Role


@dataclass(frozen=True)
class Part:
    """history: as it stands in the prompt, newest first, the instruction to speak on top; to: what is answered; said: the player's message of the round that it
    stands in, on which recall counts, else what is answered."""

    history: list[Message]
    cue: Cue
    to: Message
    said: Message


def part_of(history: Sequence[Message], chat: Chat, character: Character, *, player: str, room: Sequence[str]) -> Part:
    """history: what the character witnessed, newest first; player: their name, empty where it is not known; room: who is there.

    Raises NothingToAnswer where it witnessed nothing."""
    seen = [m for m in history if not m.hidden]
    if not seen:
        raise NothingToAnswer(f"{character.name} has seen nothing of this conversation yet.", name=character.name)
    newest = seen[0]
    heard_last = next((m for m in seen if m.room is None and m.speaker != character.name), newest)
    own = next((m.depth for m in seen if m.role is Role.CHARACTER and m.speaker == character.name), -1)
    said = next((m for m in seen if m.role is Role.USER and m.round == newest.round), heard_last)
    # What the player said is answered by each once; who has answered it answers whoever spoke since.
    to = said if said.depth > own else heard_last
    told = [
        instruction("speak", chat, character, player=player, after=newest, others=[n for n in room if n != character.name]),
        *heard(history, character, player=player),
    ]
    return Part(told, replace(cue_of(to, chat), round=newest.round, listener=character.name), to, said)
