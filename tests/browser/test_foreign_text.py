"""Text that looks like markup, code or an address, in every field of the pages and of their files: it stands there as text and is nothing else.

A house is filled with it (`tests.foreign_house`); then everything that can be opened is opened, with a guard in the page that notices a script that ran, an element or
an address that is not the page's own. What asks another host for something fails any browser test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from models.errors import ModelRefused
from models.scripted import Script, ScriptedModel
from tests.browser.conftest import Watched, watch
from tests.foreign_files import card, chat_files
from tests.foreign_house import ALL, FIELDS, Foreign, fill
from tests.foreign_text import CORPUS, HOSTILE_NAME
from tests.ui.served import Person, first_admin, served

pytestmark = pytest.mark.browser
UI = Path(__file__).resolve().parents[2] / "ui"
GUARD = (Path(__file__).parent / "foreign_guard.js").read_text(encoding="utf-8")
NO_TEXT = re.compile(r'type: "(?:file|checkbox|radio|number|date|range|color)"')
FROM_A_MODEL = tuple(line for line in CORPUS if "<|" not in line)
"""What of a reply is kept: control tokens are taken out of it."""
TYPED = {"asking: input", "searching: input", "arrivals: input", "passing: textarea"}
"""What the browser types below: it is shown as it is typed."""
UNFOLD = """where => {
  const top = [...document.querySelectorAll(where)].at(-1);
  [...(top?.querySelectorAll("details:not([open])") ?? [])].slice(0, 12).forEach((one) => { one.open = true; });
}"""


def text_fields() -> set[str]:
    """Every place where a script makes a field for text: `file: element`, or `file: title` where the page's one prompt asks; and the forms about accounts."""
    found = set()
    for path in [*UI.glob("components/*.js"), *UI.glob("annotation/*.js")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            asked = re.findall(r'K\.prompt\(\{ title: K\.t\("(\w+)"', line)
            assert line.count("K.prompt(") == len(asked), line
            found |= {f"{path.stem}: {title}" for title in asked}
            if path.stem != "overlay" and not NO_TEXT.search(line):  # the prompt itself: those who ask are named
                found |= {f"{path.stem}: {element}" for element in re.findall(r'[KA]\.el\([^,]*?"(textarea|input)"', line)}
                found |= {f"{path.stem}: {element}" for element in re.findall(r'[KA]\.el\([^,]*\? "\w+" : "(textarea|input)"', line)}
    for path in UI.glob("accounts/templates/*.html"):
        for given in re.findall(r"<input[^>]*>", path.read_text(encoding="utf-8")):
            if 'name="name"' in given:
                found.add(f"{path.stem}: name")
    return found


def test_every_text_field_of_the_pages_is_walked() -> None:
    assert text_fields() - {*FIELDS} - TYPED == set()


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Foreign]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        model = ScriptedModel(otherwise=Script(("I ", "see.")))
        opening = served(tmp_path_factory.mktemp("foreign"), model)
        house = alone.submit(opening.__enter__).result()
        try:
            yield alone.submit(lambda: fill(Foreign(first_admin(house), model))).result()
        finally:
            alone.submit(opening.__exit__, None, None, None).result()


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


def test_the_guard_notices(browser: Browser, foreign: Foreign) -> None:
    page = entered(browser, foreign).page
    page.goto(foreign.ada.served.url)
    expect(page.locator(".k-cover").first).to_be_visible()
    unharmed(page, "first page")
    page.evaluate(
        "document.querySelector('.k-welcome').insertAdjacentHTML('beforeend', '<marquee onclick=hacked(1)>x</marquee><a href=\"javascript:hacked(2)\">x</a>')"
    )
    page.wait_for_timeout(50)
    assert {one.split()[0] for one in page.evaluate("hacks")} == {"element", "handler", "address"}


def test_it_is_text_wherever_the_page_shows_it(browser: Browser, foreign: Foreign) -> None:
    watched = entered(browser, foreign)
    page = watched.page
    page.goto(f"{foreign.ada.served.url}/?chat={foreign.ids['long']}")
    expect(page.locator("#k-transcript .k-message")).to_have_count(3)
    assert missing(page.locator("#k-transcript .k-reader-says .k-prose").last, CORPUS) == []
    assert missing(page.locator("#k-transcript .k-newest .k-prose"), FROM_A_MODEL) == []
    unharmed(page, "both sides")
    page.goto(f"{foreign.ada.served.url}/?chat={foreign.ids['chat']}")
    expect(page.locator("#k-transcript .k-newest .k-prose")).to_contain_text("Edited.")
    for sheet in ("story", "persona", "insights", "topics", "memories", "fading", "receipt", "health"):
        page.locator(f"#k-tab-{sheet}").click()
        expect(page.locator(f"#k-{sheet}")).not_to_contain_text("Loading")
        unfold(page, f"#k-{sheet}")
        unharmed(page, sheet)
    page.locator("#k-tab-memories").click()
    page.locator("#k-memories [data-choice=fact]").click()
    page.locator("#k-memories .k-item-menu").first.click()
    unharmed(page, "menu of a memory")
    shut(page)
    page.locator("#k-chat-menu").click()
    deeds = [one.get_attribute("data-deed") or "" for one in page.locator("dialog.k-menu [data-deed]:not([aria-disabled])").all()]
    shut(page)
    for deed in deeds:
        if deed in ("delete", "archive", "favour", "undo", "redo", "tour"):
            continue
        page.locator("#k-chat-menu").click()
        page.locator(f"dialog.k-menu [data-deed={deed}]").click()
        expect(page.locator("dialog[open]").last).to_be_visible()
        page.wait_for_timeout(150)
        unfold(page)
        unharmed(page, deed)
        shut(page)
    page.locator("#k-transcript .k-message [data-deed=more]").last.dispatch_event("click")
    page.locator("dialog.k-menu [data-deed=edit]").dispatch_event("click")
    expect(page.locator(".k-editbox")).to_have_value(re.compile("Edited"))
    page.keyboard.press("Escape")
    unharmed(page, "editing")


def test_it_is_text_in_what_lies_over_the_page(browser: Browser, foreign: Foreign) -> None:
    """Lists, forms, looking and asking, another conversation, files that come in."""
    watched = entered(browser, foreign)
    page = watched.page
    page.goto(f"{foreign.ada.served.url}/?chat={foreign.ids['group']}")
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    page.locator(".k-member").first.click()
    unharmed(page, "a member")
    shut(page)
    mine = foreign.ids["character"]
    for opens in (
        f"openCharacter('{mine}')",
        "openGallery()",
        "openCards()",
        "openGathering()",
        "openLorebooks()",
        "openModels()",
        "openBin()",
        "openSamples()",
        "openPlaying()",
    ):
        page.evaluate(f"keepsake.{opens}")
        expect(page.locator("dialog[open]").last).to_be_visible()
        page.wait_for_timeout(250)
        unfold(page)
        for tab in page.locator("dialog[open] [role=tab]").all():
            tab.click()
            unfold(page)
        unharmed(page, opens)
        shut(page)
    page.evaluate("keepsake.openPlayers()")
    expect(page.locator("dialog[open]").last).to_contain_text("hacked")
    page.wait_for_timeout(250)
    unharmed(page, "personas")
    page.evaluate("keepsake.openPlayer(keepsake.players.listed[0])")
    expect(page.locator("#k-player-description")).to_have_value(re.compile("hacked"))
    unharmed(page, "a persona")
    shut(page)
    page.evaluate("keepsake.openLorebooks()")
    page.locator("dialog[open] button", has_text=re.compile("hacked|script|evil")).first.click()
    page.wait_for_timeout(300)
    page.locator("dialog[open] button", has_text=re.compile("hacked|script|evil")).first.click()
    page.wait_for_timeout(300)
    unfold(page)
    unharmed(page, "a lorebook and an entry of it")
    shut(page)
    page.evaluate("keepsake.openSearch()")
    page.locator("dialog[data-dialog=searching] input").fill("hacked script onerror")
    page.wait_for_timeout(400)
    page.locator("dialog[data-dialog=searching] input").fill("hacked")
    expect(page.locator("dialog[data-dialog=searching] .k-hit").first).to_be_visible()
    unharmed(page, "what a search found")
    shut(page)
    page.evaluate("keepsake.openAsking()")
    asks = page.locator("dialog[data-dialog=asking]")
    asks.locator("input").fill(f"Where do I live, {HOSTILE_NAME}?")
    asks.locator("input").press("Enter")
    expect(asks).to_contain_text(HOSTILE_NAME)
    expect(asks.locator(".k-asked .k-dots")).to_have_count(0)
    unfold(page)
    unharmed(page, "an answer")
    shut(page)
    foreign.model.enqueue(Script((ALL,)))
    page.evaluate("keepsake.openPassing()")
    passing = page.locator("dialog[data-dialog=passing]")
    passing.locator(".k-passing-whom").first.click()
    passing.locator("textarea").fill(ALL)
    passing.locator("textarea").press("Enter")
    expect(passing.locator(".k-character-says .k-prose").last).to_contain_text(CORPUS[-1])
    assert missing(passing.locator(".k-character-says .k-prose").last, FROM_A_MODEL) == []
    unharmed(page, "in passing")


def test_it_is_text_in_files_and_in_what_is_said_of_them(browser: Browser, foreign: Foreign) -> None:
    watched = entered(browser, foreign)
    watched.expects("status of 4[0-9][0-9]")
    page = watched.page
    page.goto(foreign.ada.served.url)
    expect(page.locator(".k-cover").first).to_be_visible()
    page.evaluate("keepsake.openCards()")
    page.locator("dialog[data-dialog=cards] input[type=file]").set_input_files([card(foreign.serving, 7)])
    expect(page.locator(".k-card-row[data-state=done]")).to_have_count(1)
    unfold(page)
    unharmed(page, "a card")
    shut(page)
    for name, file in chat_files(foreign.serving).items():
        page.evaluate("keepsake.openImport()")
        dialog = page.locator("dialog[data-dialog=import]")
        dialog.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": file.encode()})
        expect(dialog.locator(".k-refusal, [data-import]").first).to_be_visible()
        for box in dialog.locator("input[data-import]").all():
            box.fill(HOSTILE_NAME)
        unfold(page)
        unharmed(page, name)
        shut(page)
    page.evaluate("keepsake.openLorebooks()")
    page.locator("dialog[open] input[type=file]").set_input_files(
        {"name": f"{HOSTILE_NAME}.json", "mimeType": "application/json", "buffer": b'{"x": "<svg>"}'}
    )
    page.wait_for_timeout(500)
    unharmed(page, "a file that is no lorebook")
    foreign.model.enqueue(*(Script(error=ModelRefused(ALL, detail=ALL, model=HOSTILE_NAME)) for _ in range(9)))
    page.goto(f"{foreign.ada.served.url}/?chat={foreign.ids['long']}")
    page.locator("#k-text").fill("Hello?")
    page.locator("#k-text").press("Enter")
    expect(page.locator("#k-banner .k-banner")).to_be_visible()
    unfold(page, "#k-banner")
    unharmed(page, "a model that fails")
    page.goto(f"{foreign.ada.served.url}/?chat={HOSTILE_NAME}")
    expect(page.locator("#k-banner .k-banner")).to_be_visible()
    unharmed(page, "an address")


def test_it_is_text_in_the_workbench_and_on_the_pages_about_accounts(browser: Browser, foreign: Foreign) -> None:
    watched = entered(browser, foreign)
    watched.expects("status of 4[0-9][0-9]")
    page, url, ids = watched.page, foreign.ada.served.url, foreign.ids
    at = f"{url}/keepsake/annotation"
    for view in (
        "home",
        f"project={ids['project']}",
        f"work={ids['work']}",
        f"probes={ids['project']}",
        "give",
        f"review={ids['work']}",
        f"gold={ids['item']}",
        HOSTILE_NAME,
    ):
        page.goto(f"{at}#{view}")
        page.reload()
        expect(page.locator("main > *").first).to_be_visible()
        page.wait_for_timeout(250)
        unfold(page, "main")
        unharmed(page, view)
    assert foreign.reviewer is not None
    other = entered(browser, foreign, foreign.reviewer).page
    other.goto(f"{at}#review={ids['review']}")
    expect(other.locator("main > *").first).to_be_visible()
    other.wait_for_timeout(250)
    unfold(other, "main")
    unharmed(other, "review")
    for address in ("account", "people", "login?to=/%22%3E%3Cimg%20src=x%20onerror=hacked(1)%3E"):
        page.goto(f"{url}/keepsake/{address}")
        unfold(page, "body")
        unharmed(page, address)
        if address == "people":
            expect(page.locator("main")).to_contain_text("<svg onload=hacked(9)>")
            page.locator("form input[name=name]").last.fill(HOSTILE_NAME[:40])
            page.locator("form button").last.click()
            unharmed(page, "an account that is refused")
