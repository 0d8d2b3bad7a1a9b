"""Who is asking. `ui.door` has looked before any handler is reached, and wrote it down where these functions find it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import gradio as gr
from starlette.requests import Request

from accounts.entrance import Visitor
from errors import KeepsakeError

_USER, _VISITOR, _ACCOUNTS = "keepsake.user", "keepsake.visitor", "keepsake.accounts"


class NotLoggedIn(KeepsakeError):
    code = "not_logged_in"


def note_user(scope: MutableMapping[str, Any], user_id: str, visitor: Visitor | None = None) -> None:
    """Write down whose request this is. Nothing a client sends gets here: a scope has no keys of the client's making."""
    scope[_USER], scope[_VISITOR] = user_id, visitor


def note_accounts(scope: MutableMapping[str, Any]) -> None:
    """Write down that a request comes where there are accounts, and brings what says whose it is itself."""
    scope[_ACCOUNTS] = True


def has_accounts(request: Request) -> bool:
    """Whether a program's request came through a door with accounts behind it."""
    return request.scope.get(_ACCOUNTS) is True


def current_user(request: gr.Request | Request) -> str:
    """The user id of a request. Every handler and address asks here and nowhere else. Raises NotLoggedIn for one that did not come through the door."""
    user = _scope(request).get(_USER)
    if not isinstance(user, str) or not user:
        raise NotLoggedIn("You are not logged in any more. Nothing was changed.")
    return user


def visitor_of(request: gr.Request | Request) -> Visitor | None:
    """Who is logged in; None where there are no accounts."""
    found = _scope(request).get(_VISITOR)
    return found if isinstance(found, Visitor) else None


def _scope(request: gr.Request | Request) -> MutableMapping[str, Any]:
    inner = request.request if isinstance(request, gr.Request) else request
    return inner.scope if inner is not None else {}
