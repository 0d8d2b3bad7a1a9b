"""What the page about language models is given: plain JSON, nothing in a language, no key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chat import views
from models.gguf import GgufHeader
from models.sampling import Sampling
from ui import values


def models(view: views.ModelsView, house: views.HouseModelsView | None, status: values.Value) -> values.Value:
    """house: for who may change what is the house's. status: what the rest of the page says of who answers."""
    return values.marked(
        {
            "roles": [
                {
                    "role": one.role,
                    "source": one.source,
                    "connection": one.connection,
                    "model": one.model,
                    "reach": one.reach,
                    "host": one.host,
                    "preset": one.preset,
                    "pinned": list(one.pinned),
                    "dialect": one.dialect.model_dump() if one.dialect is not None else None,
                }
                for one in view.roles
            ],
            "embedder": view.embedder,
            "cross": view.cross_encoder,
            "presets": [{"id": one.id, "name": one.name, "own": one.own, "values": _sampling(one.sampling)} for one in view.presets],
            "bounds": bounds(),
            "sampling": view.sampling,
            "here": _uses(view.here),
            "all": _uses(view.all),
            "house": _house(house) if house is not None else None,
            "status": status,
        }
    )


def bounds() -> dict[str, list[float]]:
    """Least and most of each value of a sampling."""
    found = {}
    for name, field in Sampling.model_json_schema()["properties"].items():
        number = next(part for part in field["anyOf"] if part["type"] != "null")
        found[name] = [number.get("minimum", number.get("exclusiveMinimum")), number.get("maximum", number.get("exclusiveMaximum"))]
    return found


def _sampling(sampling: Sampling) -> dict[str, float]:
    found: dict[str, float] = sampling.model_dump(exclude_none=True)
    return found


def _uses(uses: Iterable[views.UseView]) -> list[values.Value]:
    return [
        {
            "purpose": one.use.purpose,
            "model": one.use.model,
            "calls": one.use.calls,
            "prompt": one.use.prompt_tokens,
            "answer": one.use.answer_tokens,
            "cost": one.cost,
        }
        for one in uses
    ]


def _house(house: views.HouseModelsView) -> values.Value:
    return {
        "connections": [_connection(one) for one in house.connections],
        "files": [{"name": one.name, "size": one.size, **_header(one.header)} for one in house.files],
        "folder": house.folder,
        "offers": [_offer(one) for one in house.offers],
        "hub": house.hub,
        "allowed": house.allowed,
        "free": house.free_bytes // 2**26 * 2**26,  # in steps, so that nothing is drawn anew for a few bytes
    }


def _connection(one: views.ConnectionView) -> values.Value:
    names = (
        *("id", "name", "kind", "model", "base", "key", "key_env", "context_tokens", "reply_tokens"),
        *("timeout_s", "threads", "reach", "host"),
    )
    tried = one.trial
    return {
        **{name: getattr(one, name) for name in names},
        "serves": list(one.serves),
        "dialect": one.dialect.model_dump(),
        "price": {"prompt": one.price.prompt, "answer": one.price.answer, "window": one.price.window} if one.price else None,
        "trial": vars(tried) if tried is not None else None,
    }


def _header(header: GgufHeader | None) -> dict[str, Any]:
    if header is None:
        return {"readable": False}
    return {
        "readable": True,
        "chats": header.chats,
        "architecture": header.architecture,
        "licence": header.licence,
        "window": header.context_length,
        "per_token": header.cache_per_token,
    }


def _offer(one: views.OfferView) -> values.Value:
    offer, fetch = one.offer, one.fetch
    return {
        "id": offer.id,
        "name": offer.name,
        "repo": offer.repo,
        "file": offer.file,
        "size": offer.size,
        "licence": offer.licence,
        "parameters": offer.parameters,
        "languages": list(offer.languages),
        "fetch": {
            "phase": fetch.phase,
            "done": fetch.done,
            "total": fetch.total,
            "sha256": fetch.sha256,
            "error": values.error(fetch.error.code, {**fetch.error.params, "message": str(fetch.error)}) if fetch.error else None,
        }
        if fetch is not None
        else None,
    }
