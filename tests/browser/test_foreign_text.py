"""Text that looks like markup, code or an address, in every field of the pages and of their files: it stands there as text and is nothing else.

A house is filled with it (`tests.foreign_house`); then everything that can be opened is opened, with a guard in the page that notices a script that ran, an element or
an address that is not the page's own. What asks another host for something fails any browser test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, expect

from models.errors import ModelRefused
from models.scripted import Script, ScriptedModel
from tests.browser.foreign_walk import entered, every_deed, every_sheet, missing, shut, unfold, unharmed
from tests.foreign_fields import text_fields
from tests.foreign_files import card, chat_files
from tests.foreign_house import ALL, FIELDS, Foreign
from tests.foreign_text import CORPUS, HOSTILE_NAME
from tests.foreign_work import furnish
from tests.ui.served import first_admin, served

pytestmark = pytest.mark.browser
FROM_A_MODEL = tuple(line for line in CORPUS if "<|" not in line)
"""What of a reply is kept: control tokens are taken out of it."""
TYPED = {"asking: input", "searching: input", "arrivals: input", "passing: textarea"}
"""What the browser types below: it is shown as it is typed."""


def test_every_text_field_of_the_pages_is_walked() -> None:
    assert text_fields() - {*FIELDS} - TYPED == set()


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Foreign]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        model = ScriptedModel(otherwise=Script(("I ", "see.")))
        opening = served(tmp_path_factory.mktemp("foreign"), model)
        house = alone.submit(opening.__enter__).result()
        try:
            yield alone.submit(lambda: furnish(Foreign(first_admin(house), model))).result()
        finally:
            alone.submit(opening.__exit__, None, None, None).result()


@pytest.mark.long
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


@pytest.mark.long
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
    every_sheet(page)
    page.locator("#k-tab-memories").click()
    page.locator("#k-memories [data-choice=fact]").click()
    page.locator("#k-memories .k-item-menu").first.click()
    unharmed(page, "menu of a memory")
    shut(page)
    every_deed(page)
    page.locator(".k-marked[data-marked=probe]").first.click()
    unharmed(page, "menu of a mark")
    shut(page)
    page.locator("#k-transcript .k-message [data-deed=more]").last.dispatch_event("click")
    page.locator("dialog.k-menu [data-deed=edit]").dispatch_event("click")
    expect(page.locator(".k-editbox")).to_have_value(re.compile("Edited"))
    page.keyboard.press("Escape")
    unharmed(page, "editing")
    page.locator("#k-transcript .k-message [data-deed=more]").last.dispatch_event("click")
    page.locator("dialog.k-menu [data-deed=mark_probe]").dispatch_event("click")
    expect(page.locator("#k-probe-p")).to_have_value(re.compile("Edited"))
    page.locator("#k-probe-topic").fill(HOSTILE_NAME)
    unharmed(page, "a probe of a message")


@pytest.mark.long
def test_it_is_text_where_a_conversation_listens_and_where_one_is_held_for_a_task(browser: Browser, foreign: Foreign) -> None:
    watched = entered(browser, foreign)
    page, url = watched.page, foreign.ada.served.url
    page.goto(f"{url}/?chat={foreign.ids['ear']}")
    expect(page.locator("#k-transcript .k-message", has_text="Where do I live?")).to_be_visible()
    assert missing(page.locator("#k-transcript"), CORPUS) == []
    expect(page.locator(".k-speakers")).to_contain_text(HOSTILE_NAME)
    page.locator(".k-add-speaker").click()
    page.locator("dialog[data-dialog=prompt] input").fill(f"X {HOSTILE_NAME}")
    page.locator("dialog[data-dialog=prompt] input").press("Enter")
    expect(page.locator(".k-speakers [aria-checked=true]")).to_contain_text(f"X {HOSTILE_NAME}")
    page.locator(".k-speakers [aria-checked=true]").press("ArrowLeft")
    unharmed(page, "speakers")
    page.locator("#k-transcript .k-remembered").last.click()
    expect(page.locator("#k-receipt")).to_contain_text("Nobody answered it")
    every_sheet(page)
    page.evaluate("keepsake.openFeeds()")
    feeds = page.locator("dialog[data-dialog=feeds]")
    expect(feeds.locator("[data-token]")).to_have_count(3)
    feeds.locator("input").fill(HOSTILE_NAME)
    feeds.locator("input").press("Enter")
    expect(feeds.locator("[data-token]", has_text=HOSTILE_NAME)).to_be_visible()
    unharmed(page, "tokens")
    shut(page)
    page.evaluate("keepsake.openHearing()")
    for box in page.locator("dialog[data-dialog=hearing] input").all():
        box.fill(HOSTILE_NAME)
    page.locator("dialog[data-dialog=hearing] [data-listener]").last.click()
    unharmed(page, "who is to listen")
    shut(page)
    page.goto(f"{url}/?chat={foreign.ids['taken']}")
    expect(page.locator(".k-taking-name")).to_contain_text("hacked")
    page.locator(".k-taking button").last.click()
    page.locator("dialog.k-menu [data-deed=briefing]").click()
    assert missing(page.locator(".k-briefing"), CORPUS) == []
    unharmed(page, "a task")


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
        f"work={ids['marked']}",
        f"probes={ids['marks']}",
        f"hand={ids['taking']}",
        f"probes={ids['probed']}",
        f"regular={ids['golden']}",
        "constructor",
        "work=%zz",
        HOSTILE_NAME,
    ):
        page.goto(f"{at}#{view}")
        page.reload()
        expect(page.locator("main > *").first).to_be_visible()
        page.wait_for_timeout(250)
        unfold(page, "main")
        unharmed(page, view)
    page.goto(f"{at}#project={ids['task']}")
    expect(page.locator("#a-collecting li")).to_contain_text("hacked")
    unharmed(page, "why a conversation was handed in early")
    page.goto(f"{at}#probes={ids['project']}")
    expect(page.locator("#a-runs [data-state=done] h3").first).to_contain_text("hacked", timeout=300_000)
    page.locator("summary", has=page.locator("xpath=../form//*[@id='a-run']")).click()
    page.locator("#a-distances").fill(HOSTILE_NAME)
    page.locator("#a-settings [data-part=name]").first.fill(HOSTILE_NAME)
    page.locator("#a-run").click()
    expect(page.locator("#a-trouble")).to_be_visible()
    unharmed(page, "a run of probes that is refused")
    assert foreign.reviewer is not None
    other = entered(browser, foreign, foreign.reviewer).page
    other.goto(f"{at}#review={ids['review']}")
    expect(other.locator("main > *").first).to_be_visible()
    other.wait_for_timeout(250)
    unfold(other, "main")
    unharmed(other, "review")
    other.goto(f"{at}#regular_review={ids['golden']}")
    expect(other.locator("#r-one .options button")).to_have_count(4)
    unharmed(other, "before the reviewer has chosen")
    other.keyboard.press("1")
    expect(other.locator("#r-one .right")).to_contain_text("hacked")
    unharmed(other, "a probe under review")
    other.keyboard.press("e")
    expect(other.locator("#r-line")).to_have_value(re.compile("hacked"))
    unharmed(other, "a probe that its reviewer changes")
    for key in ("Escape", "Escape", "a"):
        other.keyboard.press(key)
    expect(other.locator("#r-one .told")).to_have_count(2)
    other.keyboard.press("1")
    expect(other.locator("#r-others")).to_contain_text("hacked")
    unharmed(other, "what two reviewers decided differently")
    for address in ("account", "people", "login?to=/%22%3E%3Cimg%20src=x%20onerror=hacked(1)%3E"):
        page.goto(f"{url}/keepsake/{address}")
        unfold(page, "body")
        unharmed(page, address)
        if address == "people":
            expect(page.locator("main")).to_contain_text("<svg onload=hacked(9)>")
            page.locator("form input[name=name]").last.fill(HOSTILE_NAME[:40])
            page.locator("form button").last.click()
            unharmed(page, "an account that is refused")


@pytest.mark.long
def test_it_is_text_in_runs_of_the_evaluation(browser: Browser, foreign: Foreign) -> None:
    """Data, the names of runs, what was asked and called up, and why a data set is refused."""
    page, ids = entered(browser, foreign).page, foreign.ids
    at = f"{foreign.ada.served.url}/keepsake/runs"
    page.goto(at)
    expect(page.locator(f"[data-run='{ids['whole']}'][data-state=done]")).to_be_visible()
    expect(page.locator(f"[data-run='{ids['broken']}'][data-state=failed] .told")).to_contain_text(HOSTILE_NAME)
    page.locator("#r-new summary").click()
    expect(page.locator("#r-data option").first).to_be_attached()
    page.locator("#r-name").fill(HOSTILE_NAME)
    unharmed(page, "runs")
    for run in ("broken", "whole"):
        page.goto(f"{at}#run={ids[run]}")
        expect(page.locator(f"[data-run='{ids[run]}']")).to_be_visible()
    expect(page.locator("table.figures").first).to_be_visible()
    unfold(page, "main")
    page.locator("#r-first").select_option("sparse-turns")
    page.locator("#r-second").fill(HOSTILE_NAME)
    page.locator("#r-compare-go").click()
    expect(page.locator("#a-trouble")).to_be_visible()
    unharmed(page, "systems that are not there")
    page.goto(f"{at}#questions={ids['whole']}")
    expect(page.locator("td.words a")).to_have_count(2)
    page.locator("#r-find").fill("hacked")
    unharmed(page, "questions")
    page.locator("td.words a").first.click()
    expect(page.locator("#r-gold")).to_contain_text("hacked")
    expect(page.locator("[data-rank='1']")).to_contain_text(HOSTILE_NAME)
    unfold(page, "main")
    unharmed(page, "a receipt")
