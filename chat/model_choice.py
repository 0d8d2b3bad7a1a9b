"""Which language model serves in which role: what the environment says, else what was chosen on the page, else what comes with the program.

A choice holds for whatever begins after it: a reply or a memory task under way ends with the model that it began with.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from models import build
from models.absent import AbsentModel
from models.build import build_answer_model, build_chat_model, build_connected, build_memory_model
from models.chat_model import ChatModel
from models.connection import Connection, Role
from models.dialect import Dialects, dialect_key
from models.errors import KeyMissing, ModelError
from models.key_box import KeyBox
from models.local_files import FileModels, ModelFolder
from models.sampling import PRESETS, UNCHANGED, Sampling
from models.seat import Seat
from models.structured import StructuredModel
from settings import EMBEDDED, Settings
from storage.store import Store

log = logging.getLogger(__name__)

Source = Literal["environment", "page", "default"]
CHAT_TEMPERATURE = 0.7
LEAST_MEMORY_WINDOW = 2048
MOST_MEMORY_WAIT_S = 240.0
"""Less than the five minutes after which a task without a step counts as hanging."""
JUDGE_TOKENS = 512


class RoleChoice(BaseModel):
    """What the page chose. connection: empty for what comes with the program; sampling: the values of the preset, as it was when it was chosen or last changed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    connection: str = Field(default="", max_length=40)
    preset: str = Field(default="", max_length=60)
    sampling: Sampling = UNCHANGED


@dataclass(frozen=True)
class Serving:
    """source: who decided; connection: what the page chose, if the page decided; sampling: of a role whose replies are drawn by one."""

    source: Source
    connection: Connection | None = None
    preset: str = ""
    sampling: Sampling = UNCHANGED


class ModelChoice:
    """chat, reader, answering: override whatever is configured (tests)."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        chat: ChatModel | None = None,
        reader: StructuredModel | None = None,
        answering: StructuredModel | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self.folder = ModelFolder(store.folder.models)
        self.keys = KeyBox(store.folder.root, settings.key_secret)
        self.files = FileModels(self.folder)
        self.dialects = Dialects(store.model_settings.dialects, store.model_settings.keep_dialect)
        self._fixed = {"chat": chat is not None, "memory": reader is not None, "answering": answering is not None}
        self._lock = threading.Lock()
        self._made = self._wanted()
        self.chat: Seat[ChatModel] = Seat(chat or self._chat(), lambda model: model.close())
        self.reader: Seat[StructuredModel | None] = Seat(reader or self._reader(), _close)
        self.answering: Seat[StructuredModel | None] = Seat(answering or self._answerer(), _close)

    # What is chosen

    def connections(self) -> dict[str, Connection]:
        """By id. What cannot be read is left out, and said in the log by its id."""
        found = {}
        for key, value in self._store.model_settings.connections().items():
            try:
                found[key] = Connection.model_validate_json(value)
            except ValidationError:
                log.warning("the connection %s cannot be read and is left out", key)
        return found

    def role(self, role: Role) -> RoleChoice:
        try:
            return RoleChoice.model_validate_json(self._store.model_settings.roles().get(role, "{}"))
        except ValidationError:
            return RoleChoice()

    def serving(self, role: Role) -> Serving:
        choice = self.role(role)
        if self._settings.says(f"{role}_model"):
            return Serving("environment", None, choice.preset, choice.sampling)
        connection = self.connections().get(choice.connection)
        return Serving("page" if connection else "default", connection, choice.preset, choice.sampling)

    def environment_key(self, role: Role) -> str | None:
        """By what is known how the model that the environment names for a role wants to be asked; None where it names none that has a server."""
        model: str = getattr(self._settings, f"{role}_model")
        if not self._settings.says(f"{role}_model") or not model or model == EMBEDDED:
            return None
        return dialect_key(getattr(self._settings, f"{role}_api_base"), model)

    def presets(self, user_id: str) -> dict[str, tuple[str, Sampling]]:
        """A user's own: name and values by id."""
        found = {}
        for key, value in self._store.model_settings.presets(user_id).items():
            try:
                kept = json.loads(value)
                found[key] = (str(kept["name"]), Sampling.model_validate(kept["sampling"]))
            except (ValueError, KeyError, TypeError):
                log.warning("a preset of sampling cannot be read and is left out")
        return found

    def key_of(self, connection: Connection) -> SecretStr | None:
        """Raises KeyMissing, KeyUnreadable."""
        if connection.key_env:
            key = os.environ.get(connection.key_env, "")
            if not key:
                raise KeyMissing(
                    f"The environment variable {connection.key_env}, which is to hold the key of {connection.shown}, is not set. Set it and start Keepsake again.",
                    name=connection.key_env,
                )
            return SecretStr(key)
        return self.keys.open(connection.sealed, bound_to=connection.seal) if connection.sealed else None

    # Who serves

    @contextmanager
    def voice(self, user_id: str, preset: str) -> Iterator[ChatModel]:
        """The model that talks now, to the end of what is done with it. preset: of the conversation; empty for what is set for all."""
        with self.chat.taken() as model:
            yield model.sampled(self._sampling(user_id, preset))

    def is_demo(self, model: ChatModel) -> bool:
        """Whether less is asked of a model than of others. One that stands in for the bundled one (tests) is asked as that is."""
        return model.demo or (self._fixed["chat"] and self._settings.chat_model == "embedded" and model is self.chat.present)

    def apply(self) -> None:
        """Let what is chosen now serve from now on. What has not changed goes on as it is."""
        with self._lock:
            wanted, made = self._wanted(), self._made
            self._made = wanted
            if wanted["chat"] != made["chat"] and not self._fixed["chat"]:
                self.chat.put(self._chat())
            if wanted["memory"] != made["memory"] and not self._fixed["memory"]:
                self.reader.put(self._reader())
            if wanted != made and not self._fixed["answering"]:
                self.answering.put(self._answerer())

    def made(self, connection: Connection, *, role: Role = "chat") -> ChatModel:
        """A model of a connection as a role asks it; whoever has it made closes it. One that cannot be had says so when it is asked."""
        settings = self._settings
        reply, temperature, context = connection.reply_tokens, CHAT_TEMPERATURE, connection.context_tokens
        if role == "chat":
            reply = settings.chat_reply_tokens if settings.says("chat_reply_tokens") else reply
            temperature = CHAT_TEMPERATURE if settings.chat_temperature is None else settings.chat_temperature
            context = settings.chat_context_tokens if settings.says("chat_context_tokens") else context
        else:
            reply = settings.memory_answer_tokens if role == "memory" else JUDGE_TOKENS
            temperature = 0.0
            connection = connection.model_copy(update={"timeout_s": min(connection.timeout_s, MOST_MEMORY_WAIT_S)})
        asked = connection.model_copy(update={"context_tokens": context})
        try:
            return build_connected(
                asked, self.key_of(connection), self.files, reply_tokens=reply, temperature=temperature, dialects=self.dialects
            )
        except ModelError as error:
            return AbsentModel(connection.shown, error, context_tokens=context, reply_tokens=min(reply, context // 2))

    def judge(self) -> StructuredModel | None:
        """The model that rates in evaluations; None where none is chosen."""
        serving = self.serving("judge")
        if serving.source == "environment":
            return build.build_judge_model(self._settings, self.dialects)
        return StructuredModel(self.made(serving.connection, role="judge")) if serving.connection else None

    def close(self) -> None:
        self.answering.close()
        self.reader.close()
        self.chat.close()

    def _wanted(self) -> dict[str, str]:
        """What the roles were made of: the same is not made anew."""
        found = {}
        for role in ("chat", "memory"):
            serving = self.serving("chat" if role == "chat" else "memory")
            found[role] = serving.connection.model_dump_json(exclude={"name"}) if serving.connection else serving.source
        return found

    def _chat(self) -> ChatModel:
        connection = self.serving("chat").connection
        return self.made(connection) if connection else build_chat_model(self._settings, self.dialects)

    def _reader(self) -> StructuredModel | None:
        connection = self.serving("memory").connection
        return StructuredModel(self.made(connection, role="memory")) if connection else build_memory_model(self._settings, self.dialects)

    def _answerer(self) -> StructuredModel | None:
        """As `models.build.build_answer_model`: the one that reads for memory, else the chat's unless it is the bundled one."""
        reads, talks = self.serving("memory"), self.serving("chat")
        if reads.connection or reads.source == "environment":
            return self._reader()
        return (
            StructuredModel(self.made(talks.connection, role="memory"))
            if talks.connection
            else build_answer_model(self._settings, self.dialects)
        )

    def _sampling(self, user_id: str, preset: str) -> Sampling:
        """The conversation's before the role's; what the environment says stands before both."""
        chosen = self.role("chat").sampling
        if preset in PRESETS:
            chosen = PRESETS[preset]
        elif preset and preset in (own := self.presets(user_id)):
            chosen = own[preset][1]
        said = {"temperature": "chat_temperature", "max_tokens": "chat_reply_tokens"}
        return chosen.model_copy(update={name: None for name, setting in said.items() if self._settings.says(setting)})


def chosen_judge(settings: Settings) -> tuple[StructuredModel | None, str]:
    """The judge for a command that has no house, and its name: by the environment, else as the page of the data folder chose it. Writes nothing."""
    if settings.says("judge_model") or not (settings.data_dir / "keepsake.db").is_file():
        return build.build_judge_model(settings), settings.judge_model
    from storage.folder import DataFolder

    store = Store(DataFolder(settings.data_dir))
    try:
        choice = ModelChoice(store, settings)
        model = choice.judge()
        choice.close()
        return model, model.name if model is not None else ""
    finally:
        store.close()


def _close(model: StructuredModel | None) -> None:
    if model is not None:
        model.close()
