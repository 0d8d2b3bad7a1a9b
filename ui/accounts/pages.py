"""What the pages about accounts do. They stand behind `ui.door` like everything else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from accounts.entrance import Entrance, Visitor
from accounts.errors import AccountError, DoorBusy, NameNotRepeated, PasswordsDiffer, WhoseNotSaid
from accounts.passwords import MIN_CHARS
from accounts.people import People
from errors import KeepsakeError
from storage.accounts import ROLES, Left
from ui.accounts.rendering import language_of, page, sentence, why_not
from ui.door import ACCOUNT, LOGIN, LOGOUT, PEOPLE, SET_UP, address_of, cookie_name
from ui.requests import whole
from ui.users import visitor_of

log = logging.getLogger(__name__)

MOST_FORM_BYTES = 16 * 2**10
THREADS, MOST_WAITING = 4, 24
"""Passwords are checked two at a time (`accounts.entrance.AT_ONCE`)."""
Form = dict[str, str]
REFUSED_STATUS = {"login_refused": 401, "too_many_attempts": 429, "door_busy": 503, "not_allowed": 403}


@dataclass(frozen=True)
class AccountPages:
    """port: as the cookie's name has it. pool: threads of their own, so that a crowd at the door holds nobody up who is inside."""

    entrance: Entrance
    people: People
    port: int
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(THREADS, thread_name_prefix="accounts"))
    waiting: set[object] = field(default_factory=set)
    """Requests that a thread is or will be at."""

    def routes(self) -> list[BaseRoute]:
        return [
            Route(LOGIN, self.login, methods=["GET", "POST"]),
            Route(SET_UP, self.set_up, methods=["GET", "POST"]),
            Route(LOGOUT, self.log_out, methods=["POST"]),
            Route(ACCOUNT, self.account, methods=["GET", "POST"]),
            Route(PEOPLE, self.everybody, methods=["GET", "POST"]),
        ]

    async def login(self, request: Request) -> Response:
        to = _inside(request.query_params.get("to", ""))
        if self.entrance.waits_for_admin():
            return _go(SET_UP)
        if request.method == "GET":
            if visitor_of(request) is not None:
                return _go(to)
            told = next((sentence(language_of(request), key) for key in ("logged_out", "account_gone") if key in request.query_params), "")
            return page(request, "login", to=to, told=told, name="")
        form = await _form(request)

        def work() -> Response:
            token = self.entrance.log_in(form.get("name", ""), form.get("password", ""), address=address_of(request))
            before = visitor_of(request)
            if before is not None:
                self.entrance.log_out(before)
            return self._in(request, token, to)

        return await self._attempt(work, lambda error: _again(request, "login", error, to=to, name=form.get("name", "")[:200]))

    async def set_up(self, request: Request) -> Response:
        if not self.entrance.waits_for_admin():
            return _go(LOGIN)
        if request.method == "GET":
            return page(request, "setup", code="", left=None, name="", least=MIN_CHARS)
        form = await _form(request)
        code, address = form.get("code", ""), address_of(request)
        known: Left | None = None

        def work() -> Response:
            nonlocal known
            known = self.entrance.check_code(code, address=address)
            if "name" not in form:
                return page(request, "setup", code=code, left=known, name="", least=MIN_CHARS)
            if form.get("password") != form.get("again"):
                raise PasswordsDiffer("The two passwords are not the same.")
            if known and form.get("whose") not in ("mine", "nobody"):
                raise WhoseNotSaid("Say whose the conversations from before are.")
            token = self.entrance.set_up(
                code, name=form["name"], password=form.get("password", ""), take_over=form.get("whose") == "mine", address=address
            )
            return self._in(request, token, "/")

        def again(error: Exception) -> Response:
            right = code if known is not None else ""
            return _again(request, "setup", error, code=right, left=known, name=form.get("name", "")[:200], least=MIN_CHARS)

        return await self._attempt(work, again)

    async def log_out(self, request: Request) -> Response:
        visitor, form = _visitor(request), await _form(request)
        everywhere = form.get("where") == "everywhere"
        await asyncio.to_thread(self.entrance.log_out_everywhere if everywhere else self.entrance.log_out, visitor)
        return self._out(request, "logged_out")

    async def account(self, request: Request) -> Response:
        visitor = _visitor(request)
        if request.method == "GET":
            changed = sentence(language_of(request), "password_changed") if "changed" in request.query_params else ""
            return await asyncio.to_thread(self._account_page, request, visitor, told=changed)
        form = await _form(request)

        def work() -> Response:
            if form.get("do") == "remove":
                self.people.remove_own(self.entrance.confirmed(visitor, form.get("present", ""), address=address_of(request)))
                return self._out(request, "account_gone")
            if form.get("new") != form.get("again"):
                raise PasswordsDiffer("The two passwords are not the same.")
            token = self.entrance.change_password(
                visitor, present=form.get("present", ""), new=form.get("new", ""), address=address_of(request)
            )
            return self._in(request, token, "/" if visitor.must_change else f"{ACCOUNT}?changed")

        return await self._attempt(work, lambda error: self._account_page(request, visitor, error=error))

    def _account_page(self, request: Request, visitor: Visitor, *, told: str = "", error: Exception | None = None) -> Response:
        values: dict[str, Any] = {"visitor": visitor, "logins": self.entrance.logins(visitor), "least": MIN_CHARS, "told": told}
        return page(request, "account", **values) if error is None else _again(request, "account", error, **values)

    async def everybody(self, request: Request) -> Response:
        visitor = _visitor(request)
        if request.method == "GET":
            return await self._attempt(lambda: self._people_page(request, visitor), lambda error: _again(request, "refused", error))
        form = await _form(request)

        def work() -> Response:
            told, password = self._done(visitor, form, language_of(request))
            return self._people_page(request, visitor, told=told, password=password)

        def again(error: Exception) -> Response:
            try:
                return self._people_page(request, visitor, error=error)
            except AccountError as refused:
                return _again(request, "refused", refused)

        return await self._attempt(work, again)

    def _done(self, visitor: Visitor, form: Form, language: str) -> tuple[str, str]:
        """What was done, in a sentence, and a password to be told."""
        user, people = form.get("user", ""), self.people
        names = {account.user_id: account.name for account in people.all(visitor)}
        name = names.get(user, "")
        match form.get("do"):
            case "add":
                password = people.add(visitor, name=form.get("name", ""), role=form.get("role", ""))
                return sentence(language, "made", name=form.get("name", "").strip()), password
            case "renew":
                password = people.new_password(visitor, user)
                return sentence(language, "renewed", name=name), password
            case "role":
                people.set_role(visitor, user, form.get("role", ""))
            case "lock":
                people.lock(visitor, user)
            case "unlock":
                people.unlock(visitor, user)
            case "remove":
                if not name or form.get("name") != name:
                    raise NameNotRepeated("The name was not written as it is. Nothing was removed.")
                people.remove(visitor, user)
            case _:
                return "", ""
        return sentence(language, f"done_{form['do']}", name=name), ""

    def _people_page(
        self, request: Request, visitor: Visitor, *, told: str = "", password: str = "", error: Exception | None = None
    ) -> Response:
        values: dict[str, Any] = {
            "visitor": visitor,
            "accounts": self.people.all(visitor),
            "roles": ROLES,
            "told": told,
            "password": password,
        }
        return page(request, "people", **values) if error is None else _again(request, "people", error, **values)

    async def _attempt(self, work: Callable[[], Response], otherwise: Callable[[Exception], Response]) -> Response:
        """What `work` answers, in a thread as it waits for disk and processor, or the page with why not."""
        loop, mark = asyncio.get_running_loop(), object()
        if len(self.waiting) >= MOST_WAITING:
            return otherwise(DoorBusy("Too many people are at the door at this moment. Try again in a few seconds."))
        self.waiting.add(mark)
        try:
            return await loop.run_in_executor(self.pool, work)
        except Exception as error:  # the page's border: what nobody expected is logged, and the reader is told
            if not isinstance(error, KeepsakeError):
                log.error("a page about accounts failed unexpectedly", exc_info=error)
            return await loop.run_in_executor(self.pool, otherwise, error)
        finally:
            self.waiting.discard(mark)

    def _in(self, request: Request, token: str, to: str) -> Response:
        """A new login in this browser."""
        answer = _go(to)
        answer.set_cookie(
            cookie_name(request.scope, self.port),
            token,
            max_age=int(self.entrance.longest.total_seconds()),
            path="/",
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return answer

    def _out(self, request: Request, key: str) -> Response:
        answer = _go(f"{LOGIN}?{key}")
        answer.delete_cookie(
            cookie_name(request.scope, self.port), path="/", httponly=True, samesite="lax", secure=request.url.scheme == "https"
        )
        answer.headers["Clear-Site-Data"] = '"cache"'
        return answer


def _again(request: Request, template: str, error: Exception, **values: Any) -> Response:
    code = error.code if isinstance(error, KeepsakeError) else ""
    status = REFUSED_STATUS.get(code, 400 if code else 500)
    return page(request, template, status=status, **{**values, "error": why_not(language_of(request), error)})


async def _form(request: Request) -> Form:
    """Of a field that comes twice the last; an empty form for what is none, or is larger than any of ours."""
    with suppress(TimeoutError):
        raw = await whole(request, most=MOST_FORM_BYTES)
        return _fields(request, raw) if raw is not None else {}
    return {}


def _fields(request: Request, raw: bytes) -> Form:
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return {}
    try:
        return dict(parse_qsl(raw.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="replace"))
    except ValueError:
        return {}


def _visitor(request: Request) -> Visitor:
    found = visitor_of(request)
    if found is None:  # the door lets nobody by without one
        raise RuntimeError("a page for those who are logged in was reached without a login")
    return found


def _inside(to: str) -> str:
    """Where to go on: a place on our own page, never an address from outside."""
    return to if to.startswith("/?") and to.isascii() and to.isprintable() and len(to) <= 500 else "/"


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303, headers={"Cache-Control": "no-store"})
