"""Requests as handlers get them once the door has looked at them."""

from __future__ import annotations

import gradio as gr
from starlette.requests import Request

from accounts.entrance import Visitor
from storage.scope import LOCAL_USER
from ui.users import note_user


def asked_by(user_id: str = LOCAL_USER, visitor: Visitor | None = None) -> gr.Request:
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}
    note_user(scope, user_id, visitor)
    return gr.Request(Request(scope))
