"""The addresses of the page of evaluation runs. They stand behind `ui.door` like everything else, and are an admin's.

`GET /keepsake/runs`: the page. `POST …/do`: an object `{"do": …}`, answered with an object or with why not. `POST …/data?name=…`: a data set into `evaluation-data`.
`GET …/files/RUN/NAME[?with=OTHER]`: a file or plot of a run, or of its comparison with another.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from chat.imported import MAX_BYTES
from errors import KeepsakeError
from evaluation.comparing import COMPARED
from evaluation.run_folders import SUFFIXES, DataTooLarge, RunFieldRefused, RunNotThere
from evaluation.run_reading import KINDS, files
from storage.annotation_records import Member
from storage.errors import storage_error
from ui.accounts.rendering import language_of
from ui.annotation.pages import member_of
from ui.guard import trouble
from ui.requests import FILE_HEADERS, pieces
from ui.runs.operations import Desk, allow, answer
from ui.runs.rendering import runs_page
from ui.runs.values import Value
from ui.runs.words import WORDS
from ui.users import visitor_of

PAGE = "/keepsake/runs"
MOST_BYTES = 2**16
MOST_DATA_BYTES = 8 * MAX_BYTES
"""Of a data set that is sent to the page; larger ones are put into the folder by hand."""
DRAWING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""What a plot may do that is opened by itself."""


class RunPages:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[BaseRoute]:
        return [
            Route(PAGE, self.page, methods=["GET"]),
            Route(f"{PAGE}/do", self.act, methods=["POST"]),
            Route(f"{PAGE}/data", self.take_in, methods=["POST"]),
            Route(f"{PAGE}/files/{{made}}/{{name}}", self.file, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        member = member_of(request)
        if not member.manages:
            said = getattr(WORDS["error_run_not_allowed"], language_of(request))
            return PlainTextResponse(f"{said}\n", status_code=403, headers=FILE_HEADERS)
        return runs_page(request, member, alone=visitor_of(request) is None)

    async def act(self, request: Request) -> Response:
        body = bytearray()
        size = 0
        try:
            async for piece in pieces(request):
                size += len(piece)
                if size <= MOST_BYTES:
                    body += piece
            raw = json.loads(bytes(body)) if size <= MOST_BYTES else None
        except ClientDisconnect:
            return Response(status_code=400)
        except (ValueError, RecursionError, TimeoutError):
            raw = None
        if not isinstance(raw, dict):
            return JSONResponse({}, status_code=400, headers=FILE_HEADERS)
        return await _told(lambda: answer(self._desk, member_of(request), raw))

    async def take_in(self, request: Request) -> Response:
        """A data set, written as it comes; nothing of a half one is kept."""
        member, name = member_of(request), _file_name(request.query_params.get("name", ""))
        folder = self._desk.queue.folders.data_folder
        draft = folder / f".{secrets.token_hex(8)}.part"
        try:
            if not member.manages:
                async for _ in pieces(request):
                    pass  # a browser hears an answer once it has sent all
                return await _told(lambda: _allowed(member))
            size = 0
            await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True, exist_ok=True)
            with draft.open("wb") as stream:
                async for piece in pieces(request):
                    size += len(piece)
                    if size <= MOST_DATA_BYTES:
                        await asyncio.to_thread(stream.write, piece)
            return await _told(lambda: self._taken(draft, name, size))
        except (ClientDisconnect, TimeoutError):
            return Response(status_code=400)
        except OSError as error:
            return JSONResponse({"error": trouble(storage_error(error))}, headers=FILE_HEADERS)
        finally:
            draft.unlink(missing_ok=True)

    def _taken(self, draft: Path, name: str, size: int) -> Value:
        if size > MOST_DATA_BYTES:
            raise DataTooLarge("The file is too large for the page. Nothing was kept.", limit=MOST_DATA_BYTES // 2**20)
        if Path(name).suffix not in SUFFIXES or not size:
            raise RunFieldRefused("Data is a .json or .jsonl file. Nothing was kept.", field="file")
        place = draft.parent / name
        number = 1
        while place.exists():
            number += 1
            place = draft.parent / f"{Path(name).stem}-{number}{Path(name).suffix}"
        draft.replace(place)
        return {"name": place.name, "data": [{"name": known, "bytes": count} for known, count in self._desk.queue.folders.data()]}

    async def file(self, request: Request) -> Response:
        name, other = request.path_params["name"], request.query_params.get("with", "")
        try:
            allow(member_of(request))
            folder = self._desk.queue.folders.folder(request.path_params["made"])
            if other:
                folder = folder / COMPARED / self._desk.queue.folders.folder(other).name
            path = (await asyncio.to_thread(files, folder)).get(name)
            if path is None:
                raise RunNotThere("There is no such file.")
        except KeepsakeError as error:
            return PlainTextResponse(f"{error}\n", status_code=404, headers=FILE_HEADERS)
        headers = {**FILE_HEADERS, "Content-Security-Policy": DRAWING}
        if path.suffix not in (".svg", ".png"):
            headers["Content-Disposition"] = f'attachment; filename="{path.name}"'
        return FileResponse(path, media_type=KINDS[path.suffix], headers=headers)


async def _told(work: Callable[[], Value]) -> Response:
    def attempt() -> dict[str, Any]:
        try:
            return work()
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"error": trouble(error)}

    return JSONResponse(await asyncio.to_thread(attempt), headers=FILE_HEADERS)


def _allowed(member: Member) -> Value:
    allow(member)
    return {}


def _file_name(name: str) -> str:
    """A name that leads nowhere."""
    stem, dot, suffix = name.replace("\\", "/").rsplit("/", 1)[-1].rpartition(".")
    plain = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60].strip("-")
    return f"{plain or 'data'}{dot}{suffix.lower()[:8]}"
