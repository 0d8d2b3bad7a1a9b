"""The addresses of the workbench. They stand behind `ui.door` like everything else.

`GET /keepsake/annotation`: the page. `POST …/do`: an object `{"do": …}`, answered with an object or with why not. `POST …/dialogues?project=…&name=…`: a file of
dialogues, or of a whole project. `POST …/table?project=…`: a CSV file of items of the universal probe table. `GET …/files/PROJECT/FORM`: what was made, as a file;
`table` among them, for whoever reviews.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from annotation import table_file
from annotation.dialogues import from_file
from annotation.errors import FileRefused, TableLarge
from annotation.exchange import FORMS, File, export
from annotation.exchange_reading import is_project, load
from annotation.probing import Probing
from annotation.workbench import Workbench
from chat.errors import ExportsRunning
from chat.import_apart import MOST_PARTS, check_parts, heavy
from chat.imported import MAX_BYTES
from chat.reading_process import apart
from errors import KeepsakeError
from storage.annotation_errors import NotAllowed, NotThere
from storage.annotation_records import Member
from storage.errors import storage_error
from ui.annotation.operations import answer
from ui.annotation.rendering import workbench_page
from ui.annotation.values import Value
from ui.guard import trouble
from ui.heavy import exporting, heavily
from ui.requests import FILE_HEADERS, pieces
from ui.sentences import of_error
from ui.users import current_user, visitor_of

PAGE = "/keepsake/annotation"
MOST_BYTES = 2**20
"""Of a request: a guideline, a form, a decision."""
TABLE = "table"
"""The form of a file that is no form of the whole project."""


def member_of(request: Request) -> Member:
    """Who asks. Without accounts there is one person, who may do everything that one person can."""
    visitor = visitor_of(request)
    return Member(current_user(request), visitor.role if visitor is not None else "admin")


class AnnotationPages:
    """inbox: a folder of ours in which a file lies while it is read."""

    def __init__(self, bench: Workbench, *, inbox: Path) -> None:
        self._bench = bench
        self._inbox = inbox

    def routes(self) -> list[BaseRoute]:
        return [
            Route(PAGE, self.page, methods=["GET"]),
            Route(f"{PAGE}/do", self.act, methods=["POST"]),
            Route(f"{PAGE}/dialogues", self.take_in, methods=["POST"]),
            Route(f"{PAGE}/table", self.take_table, methods=["POST"]),
            Route(f"{PAGE}/files/{{project}}/{{form}}", self.file, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        return workbench_page(request, member_of(request), alone=visitor_of(request) is None)

    async def act(self, request: Request) -> Response:
        try:
            body = await _body(request, MOST_BYTES)
            raw = json.loads(body)
        except ClientDisconnect:
            return Response(status_code=400)
        except (ValueError, RecursionError, TimeoutError):
            return JSONResponse({}, status_code=400, headers=FILE_HEADERS)
        if not isinstance(raw, dict):
            return JSONResponse({}, status_code=400, headers=FILE_HEADERS)
        return await _told(lambda: answer(self._bench, member_of(request), raw))

    async def take_in(self, request: Request) -> Response:
        """A file of dialogues into a project, or a project's own file as a new project."""
        member = member_of(request)
        project, name = request.query_params.get("project", "")[:64], request.query_params.get("name", "")
        try:
            if not member.manages:
                async for _ in pieces(request):
                    pass  # a browser hears an answer once it has sent all
                return JSONResponse({"error": trouble(NotAllowed("Only an admin may do this."))}, headers=FILE_HEADERS)
            body = await _body(request, MAX_BYTES)
        except (ClientDisconnect, TimeoutError):
            return Response(status_code=400)
        except ValueError:
            large = FileRefused(where="", reason=f"it is larger than {MAX_BYTES // 2**20} MB")
            return JSONResponse({"error": trouble(large)}, headers=FILE_HEADERS)
        return await _told(lambda: self._taken(member, project, name, body), user=member.user_id)

    def _taken(self, member: Member, project: str, name: str, body: bytes) -> Value:
        if is_project(body):
            if body.count(b"[") + body.count(b"{") > MOST_PARTS:
                raise heavy()
            return {"project": load(self._bench.exchange, member, body).id}
        path = self._inbox / secrets.token_hex(16) / _stem(name)
        try:
            path.parent.mkdir(parents=True, mode=0o700)
            path.write_bytes(body)
            check_parts(path)
            items = apart(from_file, path)
        except OSError as error:
            raise storage_error(error) from error
        finally:
            with suppress(OSError):
                path.unlink(missing_ok=True)
                path.parent.rmdir()
        before = {one.id for one in self._bench.projects.items(member, project)}
        made = self._bench.projects.add_items(member, project, items)
        return {"added": len(set(made) - before), "known": len(set(made) & before)}

    async def take_table(self, request: Request) -> Response:
        """Items of a CSV file into the universal table of a project."""
        member, project = member_of(request), request.query_params.get("project", "")[:64]
        try:
            body = await _body(request, table_file.MOST_BYTES)
        except (ClientDisconnect, TimeoutError):
            return Response(status_code=400)
        except ValueError:
            limit = table_file.MOST_BYTES // 2**20
            large = TableLarge(f"The file is larger than {limit} MB. Nothing was taken in.", limit=limit)
            return JSONResponse({"error": trouble(large)}, headers=FILE_HEADERS)
        return await _told(lambda: vars(self._probing.take_file(self._as_owner(member, project), project, body)), user=member.user_id)

    def _table(self, member: Member, project: str) -> File:
        return File(f"probes-{project[:8]}.csv", "text/csv; charset=utf-8", self._probing.file(self._as_owner(member, project), project))

    @property
    def _probing(self) -> Probing:
        if self._bench.probing is None:
            raise NotThere("There is no memory engine here to run probes with.")
        return self._bench.probing

    def _as_owner(self, member: Member, project: str) -> Member:
        """Whose own the project is may do everything in it. Raises NotThere for somebody else's."""
        return replace(member, role="admin") if self._bench.projects.manages(member, project) else member

    async def file(self, request: Request) -> Response:
        member, project, form = member_of(request), request.path_params["project"][:64], request.path_params["form"]
        if form not in (*FORMS, TABLE):
            return PlainTextResponse("", status_code=404, headers=FILE_HEADERS)
        try:
            if form == TABLE:
                made = await exporting(member.user_id, self._table, member, project)
            else:
                made = await exporting(member.user_id, export, self._bench.exchange, member, project, form)
        except ExportsRunning as error:
            return PlainTextResponse("".join(f"{said}\n" for said in of_error(error)), status_code=503, headers=FILE_HEADERS)
        except KeepsakeError as error:
            return PlainTextResponse(f"{error}\n", status_code=404, headers=FILE_HEADERS)
        headers = {**FILE_HEADERS, "Content-Disposition": f'attachment; filename="{made.name}"'}
        return Response(made.content, media_type=made.kind, headers=headers)


async def _told(work: Callable[[], Value], *, user: str = "") -> Response:
    """user: whose heavy work it is; nobody's is light."""

    def attempt() -> dict[str, Any]:
        try:
            return work()
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"error": trouble(error)}

    return JSONResponse(await (heavily(user, attempt) if user else asyncio.to_thread(attempt)), headers=FILE_HEADERS)


async def _body(request: Request, most: int) -> bytes:
    """Raises ValueError for one that is too large, after all of it has come."""
    body = bytearray()
    size = 0
    async for piece in pieces(request):
        size += len(piece)
        if size <= most:
            body += piece
    if size > most:
        raise ValueError("too large")
    return bytes(body)


def _stem(name: str) -> str:
    """A name that the title of a dialogue can be taken from, and that leads nowhere."""
    plain = "".join(c if c.isalnum() or c in " -_" else "-" for c in name.rsplit(".", 1)[0])[:60].strip(" -")
    return f"{plain or 'dialogue'}.txt"
