"""From a template to an answer: words in the reader's language, one style, nothing from elsewhere, nothing kept by the browser."""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from errors import KeepsakeError
from ui.accounts.words import WORDS
from ui.components.script import BRAND, THEME
from ui.language import LANGUAGES, preferred_language

HERE = Path(__file__).parent
LANGUAGE_COOKIE = "keepsake-language"
LANGUAGE_S = 365 * 24 * 3600
STYLE = "\n".join(path.read_text(encoding="utf-8") for path in (HERE.parent / "style" / "colours.css", HERE / "accounts.css"))
SCRIPT = (HERE / "accounts.js").read_text(encoding="utf-8")
_BRAND = "data:image/svg+xml;base64," + base64.b64encode(BRAND.read_bytes()).decode("ascii")
_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def language_of(request: Request) -> str:
    """What was just asked for, else what was chosen once, else what the browser prefers."""
    for said in (request.query_params.get("language"), request.cookies.get(LANGUAGE_COOKIE)):
        if said in LANGUAGES:
            return str(said)
    return preferred_language(request.headers.get("accept-language", ""))


def sentence(language: str, key: str, **values: object) -> str:
    """A sentence of WORDS, filled in; of one with two forms, that for the number `n`."""
    text = str(getattr(WORDS[key], language))
    forms = text.split("|")
    return (forms[1] if len(forms) > 1 and values.get("n") != 1 else forms[0]).format_map(values)


def why_not(language: str, error: Exception) -> str:
    """Why something was refused; of what nobody expected no more than that."""
    code = error.code if isinstance(error, KeepsakeError) else ""
    key = f"error_{code}"
    return (
        sentence(language, key, **error.params)
        if isinstance(error, KeepsakeError) and key in WORDS
        else sentence(language, "error_unexpected")
    )


def page(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """The answer with a page. Every value is escaped by the template."""
    language = language_of(request)
    other = next(known for known in LANGUAGES if known != language)
    nonce = secrets.token_urlsafe(16)
    text = _templates.get_template(f"{template}.html").render(
        t=lambda key, **filled: sentence(language, key, **filled),
        day=_day,
        language=language,
        other=other,
        path=request.url.path,
        brand=_BRAND,
        style=STYLE,
        script=SCRIPT,
        theme=THEME,
        nonce=nonce,
        **{"error": "", "told": "", **values},
    )
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src data: 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    # A form sent under "no-referrer" has the origin "null", by which it cannot be told from another page's (`ui.door.is_own_page`).
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": policy, "Referrer-Policy": "same-origin"}
    answer = HTMLResponse(text, status_code=status, headers=headers)
    if request.query_params.get("language") in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, language, max_age=LANGUAGE_S, samesite="lax", httponly=True, secure=request.url.scheme == "https"
        )
    return answer


def _day(at: int) -> str:
    """at: milliseconds since 1970 UTC."""
    return datetime.fromtimestamp(at / 1000, tz=UTC).strftime("%Y-%m-%d")
