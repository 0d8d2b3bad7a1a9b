"""What the page about language models can ask for. Whether somebody may change the house's models is asked before (`ui.models`); presets are each user's own."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import threading
from collections.abc import Iterable

from pydantic import ValidationError

from chat import views
from chat.errors import ConnectionInUse, PresetsTooMany, TrialRunning
from chat.model_choice import LEAST_MEMORY_WINDOW, ModelChoice, RoleChoice
from chat.operations import open_chat
from models.connection import ROLES, Connection, Role, checked, host_of, reach_of
from models.costs import Price, price_of
from models.dialect import Dialect
from models.downloads import Downloads
from models.errors import ConnectionUnfit, NoSuchModel, WindowTooSmall
from models.sampling import PRESETS, STANDARD, Sampling
from models.trial import Trial, trial
from models.uploads import Uploads
from settings import EMBEDDED, Settings
from storage.model_uses import ModelUse
from storage.records import now_ms
from storage.store import Store

MOST_CONNECTIONS, MOST_PRESETS = 40, 40
BUNDLED = "bundled"
"""What comes with the program, where a connection is named."""
PINNING = {"chat": ("chat_context_tokens", "chat_reply_tokens", "chat_temperature"), "memory": ("memory_answer_tokens",), "judge": ()}


class ModelRoom:
    def __init__(self, store: Store, choice: ModelChoice, settings: Settings, *, downloads: Downloads | None = None) -> None:
        self._store = store
        self._settings = settings
        self.choice = choice
        self.downloads = downloads or Downloads(choice.folder.folder, hub=settings.hub_url, allowed=settings.hub)
        self.uploads = Uploads(choice.folder.folder)
        self._trials: dict[str, tuple[str, Trial]] = {}
        """By id: the connection as it was tried, and what came of it."""
        self._trying = threading.Lock()

    # What there is

    def view(self, user_id: str, chat_id: str = "") -> views.ModelsView:
        """What anybody may see. chat_id: of the conversation that is open, or empty. Raises ChatNotFound."""
        scope, chat = open_chat(self._store, user_id, chat_id) if chat_id else (None, None)
        cross = self._settings.cross_encoder
        return views.ModelsView(
            roles=tuple(self._role(role) for role in ROLES),
            embedder=os.path.basename(self._settings.embedder) if os.path.isabs(self._settings.embedder) else self._settings.embedder,
            cross_encoder=os.path.basename(cross) if os.path.isabs(cross) else cross,
            presets=self._presets(user_id),
            sampling=chat.sampling if chat else "",
            here=self._uses(self._store.model_uses.all(scope)) if scope else (),
            all=self._uses(self._store.model_uses.of_user(user_id)),
            house=None,
        )

    def house(self) -> views.HouseModelsView:
        """What those see who may change it."""
        serving = {role: self.choice.serving(role).connection for role in ROLES}
        standing = self.downloads.standing()
        folder = self.choice.folder.folder
        return views.HouseModelsView(
            connections=tuple(
                self._connection(one, [role for role, serves in serving.items() if serves and serves.id == one.id])
                for one in self.choice.connections().values()
            ),
            files=self.choice.folder.files(),
            folder=str(folder),
            offers=tuple(views.OfferView(offer, standing.get(offer.id)) for offer in self.downloads.offers.values()),
            hub=host_of(self.downloads.hub),
            allowed=self.downloads.allowed,
            free_bytes=shutil.disk_usage(folder if folder.is_dir() else folder.parent).free,
        )

    # Connections and roles

    def keep(self, wanted: Connection, *, key: str | None) -> str:
        """Keep a connection: a new one where its id is unknown. key: for it, empty for none; None keeps what is there, unless the place it is for is another.

        The id. Raises ConnectionUnfit and its kinds, FileUnfit, KeyUnreadable, StorageFull, StorageFailed.
        """
        known = self.choice.connections()
        before = known.get(wanted.id)
        if before is None and len(known) >= MOST_CONNECTIONS:
            raise ConnectionUnfit(f"There are {MOST_CONNECTIONS} connections already. Remove one first; nothing was changed.")
        if before is None:
            wanted = wanted.model_copy(update={"id": f"{now_ms():012x}{secrets.token_hex(4)}"})
        checked(wanted)
        if wanted.kind == "file":
            self.choice.folder.usable(wanted.model)
        self._check_window(wanted, [role for role in ROLES if self.choice.role(role).connection == wanted.id])
        if key and not wanted.key_env:
            wanted = wanted.model_copy(update={"sealed": self.choice.keys.seal(key, bound_to=wanted.seal)})
        elif key is None and before is not None and before.seal == wanted.seal and not wanted.key_env:
            wanted = wanted.model_copy(update={"sealed": before.sealed})
        self._store.model_settings.keep_connection(wanted.id, wanted.model_dump_json())
        self.choice.apply()
        return wanted.id

    def remove(self, connection_id: str) -> None:
        """Raises NoSuchModel, ConnectionInUse."""
        found = self._known(connection_id)
        if any(self.choice.role(role).connection == found.id for role in ROLES):
            raise ConnectionInUse("This model serves in a role. Choose another there first; nothing was changed.")
        self._store.model_settings.remove_connection(found.id)
        self._trials.pop(found.id, None)

    def speak(self, connection_id: str, role: Role | None, dialect: Dialect) -> None:
        """Set how a connection, or the model that the environment names for a role, is asked from the next request on. Raises NoSuchModel, StorageFull,
        StorageFailed."""
        key = self.choice.environment_key(role) if role else self._known(connection_id).dialect_key
        if key is None:
            raise NoSuchModel("There is no such model. Nothing was changed.")
        self.choice.dialects.keep(key, dialect)

    def choose(self, role: Role, connection_id: str, *, preset: str, user_id: str) -> None:
        """Let a connection serve in a role from the next reply or task on; `bundled` for what comes with the program. preset: one of ours or of the user's.
        Raises NoSuchModel, WindowTooSmall."""
        connection = "" if connection_id in ("", BUNDLED) else self._known(connection_id).id
        if connection:
            self._check_window(self._known(connection), [role])
        drawn = {one.id: one.sampling for one in self._presets(user_id)}
        if preset and preset not in drawn:
            raise NoSuchModel("There is no such preset. Nothing was changed.")
        chosen = RoleChoice(connection=connection, preset=preset, sampling=drawn.get(preset, PRESETS[STANDARD]))
        self._store.model_settings.choose(role, chosen.model_dump_json())
        self.choice.apply()

    def try_out(self, connection_id: str) -> Trial:
        """One short real request. Raises NoSuchModel, TrialRunning."""
        connection = self._known(connection_id)
        if not self._trying.acquire(blocking=False):
            raise TrialRunning("A model is being tried already. Wait until that is over.")
        try:
            model = self.choice.made(connection)
            try:
                found = trial(model)
            finally:
                model.close()
        finally:
            self._trying.release()
        self._trials[connection.id] = (connection.model_dump_json(), found)
        return found

    # Sampling

    def keep_preset(self, user_id: str, preset_id: str, name: str, values: dict[str, object]) -> str:
        """Keep a preset of the user's own; a new one where the id is none of theirs. Its id. Raises ConnectionUnfit, PresetsTooMany."""
        own = self.choice.presets(user_id)
        clean = " ".join(name.split())[:60]
        try:
            sampling = Sampling.model_validate(values)
        except ValidationError as error:
            raise ConnectionUnfit("A value of this preset is out of its bounds. Nothing was changed.") from error
        if not clean:
            raise ConnectionUnfit("A preset needs a name. Nothing was changed.")
        if preset_id not in own:
            if len(own) >= MOST_PRESETS:
                raise PresetsTooMany(
                    f"There are {MOST_PRESETS} presets already. Remove one first; nothing was changed.", limit=MOST_PRESETS
                )
            preset_id = f"own-{now_ms():012x}{secrets.token_hex(3)}"
        kept = {"name": clean, "sampling": sampling.model_dump(exclude_none=True)}
        with self._store.database.write():
            self._store.model_settings.keep_preset(user_id, preset_id, json.dumps(kept, ensure_ascii=False))
            for role in ROLES:
                if (now := self.choice.role(role)).preset == preset_id:
                    self._store.model_settings.choose(role, now.model_copy(update={"sampling": sampling}).model_dump_json())
        return preset_id

    def remove_preset(self, user_id: str, preset_id: str) -> None:
        """Conversations that it was chosen for are drawn as is set for all; a role goes on with its values. Raises NoSuchModel."""
        if preset_id not in self.choice.presets(user_id):
            raise NoSuchModel("There is no such preset. Nothing was changed.")
        self._store.model_settings.remove_preset(user_id, preset_id)

    def prefer(self, user_id: str, chat_id: str, preset_id: str) -> None:
        """Draw a conversation's replies by a preset from the next one on; empty for what is set for all. Raises NoSuchModel."""
        scope, _ = open_chat(self._store, user_id, chat_id)
        if preset_id and preset_id not in {one.id for one in self._presets(user_id)}:
            raise NoSuchModel("There is no such preset. Nothing was changed.")
        self._store.chats.arrange(scope, sampling=preset_id)

    def close(self) -> None:
        self.downloads.stop()

    # Parts

    def _known(self, connection_id: str) -> Connection:
        found = self.choice.connections().get(connection_id)
        if found is None:
            raise NoSuchModel("There is no such connection. Nothing was changed.")
        return found

    @staticmethod
    def _check_window(connection: Connection, roles: Iterable[Role]) -> None:
        if connection.context_tokens < LEAST_MEMORY_WINDOW and any(role != "chat" for role in roles):
            raise WindowTooSmall(f"Memory needs a window of {LEAST_MEMORY_WINDOW} tokens. Nothing was changed.", least=LEAST_MEMORY_WINDOW)

    def _presets(self, user_id: str) -> tuple[views.PresetView, ...]:
        ours = [views.PresetView(name, "", False, sampling) for name, sampling in PRESETS.items()]
        own = [views.PresetView(key, name, True, sampling) for key, (name, sampling) in self.choice.presets(user_id).items()]
        return (*ours, *own)

    def _role(self, role: Role) -> views.RoleView:
        serving, settings = self.choice.serving(role), self._settings
        pinned = tuple(f"KEEPSAKE_{name.upper()}" for name in PINNING[role] if settings.says(name))
        connection = serving.connection
        if connection is not None:
            return views.RoleView(role, "page", connection.id, connection.shown, connection.reach, connection.host, serving.preset, pinned)
        model: str = getattr(settings, f"{role}_model")
        if role == "chat" and model == EMBEDDED:
            return views.RoleView(role, serving.source, "", self.choice.chat.present.name, "nowhere", "", serving.preset, pinned)
        key = self.choice.environment_key(role)
        dialect = self.choice.dialects.of(key) if key else None
        base: str = getattr(settings, f"{role}_api_base") or ""
        reach = "" if not model else reach_of(base) if base else "provider"
        return views.RoleView(role, serving.source, "", model, reach, host_of(base), serving.preset, pinned, dialect)

    def _connection(self, one: Connection, serves: Iterable[str]) -> views.ConnectionView:
        key = "kept" if one.sealed else "none"
        if one.key_env:
            key = "environment" if os.environ.get(one.key_env) else "missing"
        tried = self._trials.get(one.id)
        return views.ConnectionView(
            id=one.id,
            name=one.name,
            kind=one.kind,
            model=one.model,
            base=one.base,
            key=key,
            key_env=one.key_env,
            context_tokens=one.context_tokens,
            reply_tokens=one.reply_tokens,
            timeout_s=one.timeout_s,
            threads=one.threads,
            reach=one.reach,
            host=one.host,
            serves=tuple(serves),
            price=price_of(one.model) if one.kind == "hosted" else None,
            dialect=self.choice.dialects.of(one.dialect_key),
            trial=tried[1] if tried is not None and tried[0] == one.model_dump_json() else None,
        )

    @staticmethod
    def _uses(uses: Iterable[ModelUse]) -> tuple[views.UseView, ...]:
        prices: dict[str, Price | None] = {}
        found = []
        for use in uses:
            if use.model not in prices:
                prices[use.model] = price_of(use.model) if "/" in use.model and "(" not in use.model else None
            price = prices[use.model]
            found.append(views.UseView(use, price.of(use.prompt_tokens, use.answer_tokens) if price is not None else None))
        return tuple(found)
