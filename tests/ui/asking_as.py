"""Requests as handlers get them once the door has looked at them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import gradio as gr
from starlette.requests import Request

from accounts.entrance import Visitor
from storage.scope import LOCAL_USER
from ui.users import note_user

Given = TypeVar("Given")


def awaited(answer: Coroutine[Any, Any, Given]) -> Given:
    """In a thread of its own: where a browser was driven before in this process, its loop runs in this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, answer).result()


def asked_by(user_id: str = LOCAL_USER, visitor: Visitor | None = None) -> gr.Request:
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}
    note_user(scope, user_id, visitor)
    return gr.Request(Request(scope))
