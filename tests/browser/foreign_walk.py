"""How the house of `tests.foreign_house` is walked in a browser: with a guard in the page, through whatever opens."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Watched, watch
from tests.foreign_house import Foreign
from tests.ui.served import Person

GUARD = (Path(__file__).parent / "foreign_guard.js").read_text(encoding="utf-8")
SHEETS = ("story", "persona", "insights", "topics", "memories", "fading", "receipt", "health")
AT_ONCE = {"pause_memory", "read_to", "delete", "archive", "favour", "undo", "redo", "tour", "listen", "take_up"}
"""Of the menu of a conversation: they open nothing."""
UNFOLD = """where => {
  const top = [...document.querySelectorAll(where)].at(-1);
  [...(top?.querySelectorAll("details:not([open])") ?? [])].slice(0, 12).forEach((one) => { one.open = true; });
}"""


def entered(browser: Browser, foreign: Foreign, person: Person | None = None, **context: object) -> Watched:
    watched = watch(browser, **{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **context})
    page, url = watched.page, foreign.ada.served.url
    kept = [{"name": name, "value": value, "url": url} for name, value in (person or foreign.ada).client.cookies.items()]
    page.context.add_cookies(kept)  # type: ignore[arg-type]
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.add_init_script(GUARD)
    return watched


def unharmed(page: Page, where: str) -> None:
    assert page.evaluate("hacks") == [], where


def missing(place: Locator, lines: tuple[str, ...]) -> list[str]:
    """Those that do not stand there as they were typed. Stars are the page's own marks and are left out of both."""
    shown = " ".join(place.inner_text().split()).replace("*", "")
    return [line for line in lines if " ".join(line.split()).replace("*", "") not in shown]


def unfold(page: Page, where: str = "dialog[open]") -> None:
    """Open what is folded there, at most a dozen."""
    page.evaluate(UNFOLD, where)


def shut(page: Page) -> None:
    for _ in range(4):
        if not page.locator("dialog[open]").count():
            return
        page.keyboard.press("Escape")
        page.wait_for_timeout(60)
        leave = page.locator("dialog[data-dialog=confirm] .k-grave, dialog[data-dialog=confirm] .k-firmly")
        if leave.count():
            leave.first.click()


def every_sheet(page: Page) -> None:
    for sheet in SHEETS:
        page.locator(f"#k-tab-{sheet}").click()
        expect(page.locator(f"#k-{sheet}")).not_to_contain_text("Loading")
        unfold(page, f"#k-{sheet}")
        unharmed(page, sheet)


def every_deed(page: Page) -> None:
    """Whatever the menu of the conversation opens."""
    page.locator("#k-chat-menu").click()
    deeds = [one.get_attribute("data-deed") or "" for one in page.locator("dialog.k-menu [data-deed]:not([aria-disabled])").all()]
    shut(page)
    for deed in deeds:
        if deed in AT_ONCE:
            continue
        page.locator("#k-chat-menu").click()
        page.locator(f"dialog.k-menu [data-deed={deed}]").click()
        expect(page.locator("dialog[open]").last).to_be_visible()
        page.wait_for_timeout(150)
        unfold(page)
        unharmed(page, deed)
        shut(page)
