"""The workbench's page: words in the reader's language, one style, scripts of our own, nothing from elsewhere."""

from __future__ import annotations

import base64
import secrets
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from storage.annotation_records import Member
from ui.accounts.rendering import LANGUAGE_COOKIE, LANGUAGE_S, language_of
from ui.annotation.words import WORDS
from ui.components.script import BRAND, PRESS, THEME
from ui.language import LANGUAGES

HERE = Path(__file__).parent
SCRIPTS = tuple(
    HERE / f"{name}.js"
    for name in (
        "base",
        "home",
        "project",
        "dialogue",
        "outline",
        "suggest",
        "form",
        "work",
        "review",
        "gold",
        "give",
        "collect",
        "regular",
        "settings",
        "runs",
        "probes",
        "start",
    )
)
STYLE = "\n".join(path.read_text(encoding="utf-8") for path in (HERE.parent / "style" / "colours.css", HERE / "annotation.css"))
SCRIPT = "\n".join(path.read_text(encoding="utf-8") for path in (PRESS, *SCRIPTS))
_BRAND = "data:image/svg+xml;base64," + base64.b64encode(BRAND.read_bytes()).decode("ascii")
_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def workbench_page(request: Request, member: Member, *, alone: bool) -> HTMLResponse:
    """alone: there are no accounts, and so nobody else."""
    language = language_of(request)
    nonce = secrets.token_urlsafe(16)
    text = _templates.get_template("annotation.html").render(
        words={key: getattr(entry, language) for key, entry in WORDS.items()},
        language=language,
        other=next(known for known in LANGUAGES if known != language),
        member={"id": member.user_id, "role": member.role, "alone": alone},
        brand=_BRAND,
        style=STYLE,
        script=SCRIPT,
        theme=THEME,
        nonce=nonce,
    )
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src data: 'self'; connect-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": policy, "Referrer-Policy": "same-origin"}
    answer = HTMLResponse(text, headers=headers)
    if request.query_params.get("language") in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, language, max_age=LANGUAGE_S, samesite="lax", httponly=True, secure=request.url.scheme == "https"
        )
    return answer
