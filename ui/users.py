"""Who is asking."""

from __future__ import annotations

import gradio as gr
from starlette.requests import Request

from storage.scope import LOCAL_USER


def current_user(request: gr.Request | Request) -> str:
    """The user id of a request. Every handler and address asks here and nowhere else; until there are accounts, everyone at this computer is the local user."""
    return LOCAL_USER
