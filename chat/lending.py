"""Characters as a project of the workbench assigns them: the built-in ones, and an admin's own, of which a player gets a copy."""

from __future__ import annotations

from chat.service import ChatService
from storage.annotation_records import Asked


class Lending:
    def __init__(self, service: ChatService) -> None:
        self._service = service

    def characters(self) -> list[Asked]:
        return [Asked(one.id, one.name) for one in self._service.characters()]

    def own(self, user_id: str) -> list[Asked]:
        return [Asked(one.id, one.name, user_id) for one in self._service.own_characters.all(user_id)]

    def lend(self, owner_id: str, character_id: str, user_id: str) -> str:
        return self._service.own_characters.lend(owner_id, character_id, user_id)

    def create(self, user_id: str, character_id: str) -> str:
        return self._service.create(user_id, character_id)
