"""Which language models there are, what serves in which role, and what it costs. Keys are never in here."""

from __future__ import annotations

from dataclasses import dataclass

from models.costs import Price
from models.dialect import Dialect
from models.downloads import Fetch
from models.hub_models import Offer
from models.local_files import ModelFile
from models.sampling import Sampling
from models.trial import Trial
from storage.model_uses import ModelUse


@dataclass(frozen=True)
class RoleView:
    """source: `environment`, `page` or `default`; connection: its id, empty where the page chose none; model: what answers, empty for none; reach: how far
    what it reads goes (`models.connection.Reach`), empty for none; host: where, if it leaves this program; pinned: settings of the environment that stand
    before the page's."""

    role: str
    source: str
    connection: str
    model: str
    reach: str
    host: str
    preset: str
    pinned: tuple[str, ...] = ()
    dialect: Dialect | None = None
    """How it is asked, where the environment decides; how a connection is stands with the connection."""


@dataclass(frozen=True)
class ConnectionView:
    """key: `kept` (sealed), `environment` (read from `key_env`, which is set), `missing` (it is not set) or `none`; price: where the table knows one; serves: roles."""

    id: str
    name: str
    kind: str
    model: str
    base: str
    key: str
    key_env: str
    context_tokens: int
    reply_tokens: int
    timeout_s: float
    threads: int
    reach: str
    host: str
    serves: tuple[str, ...]
    price: Price | None
    trial: Trial | None
    dialect: Dialect
    """How it is asked, as was learned from its server or set."""


@dataclass(frozen=True)
class PresetView:
    """own: the reader's, who may change it."""

    id: str
    name: str
    own: bool
    sampling: Sampling


@dataclass(frozen=True)
class UseView:
    """cost: US dollars, None where no price is known."""

    use: ModelUse
    cost: float | None


@dataclass(frozen=True)
class OfferView:
    offer: Offer
    fetch: Fetch | None


@dataclass(frozen=True)
class HouseModelsView:
    """For whoever may change them. allowed: whether the hub may be reached."""

    connections: tuple[ConnectionView, ...]
    files: tuple[ModelFile, ...]
    folder: str
    offers: tuple[OfferView, ...]
    hub: str
    allowed: bool
    free_bytes: int


@dataclass(frozen=True)
class ModelsView:
    """For everybody. here: uses of the open conversation; all: of all of the reader's; house: None for who may not change the house's models."""

    roles: tuple[RoleView, ...]
    embedder: str
    cross_encoder: str
    presets: tuple[PresetView, ...]
    sampling: str
    here: tuple[UseView, ...]
    all: tuple[UseView, ...]
    house: HouseModelsView | None
