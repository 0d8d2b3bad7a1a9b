"""A regular probe, by keyboard alone: written by one person, and reviewed by two who choose before being shown what is right; they differ, and an admin settles it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from tests.accounts.conftest import ADA
from tests.annotation.invented import wording
from tests.browser.test_annotation import do, enter, keys, make_project, shot
from tests.ui.served import Person, Served, another, first_admin, served

pytestmark = [pytest.mark.browser, pytest.mark.long]
PROBE = {
    "gold": 1,
    "language": "en",
    "line": "Where was it that you grew up?",
    "options": ["Over a shop.", "On a barge.", "In a mill.", "At an inn."],
    "note": "",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("probes"))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def people(house: Served, ada: Person) -> dict[str, Person]:
    roles = {"Ann": "annotator", "Bo": "annotator", "Rena": "reviewer", "Rolf": "reviewer", "Ruth": "reviewer"}
    return {name: another(house, ada, name=name, role=role) for name, role in roles.items()}


def with_gold(ada: Person, people: dict[str, Person], name: str) -> str:
    """A project whose one dialogue has one memory point, agreed on and reviewed."""
    project = make_project(ada, name, 40)
    for who in ("Ann", "Bo"):
        mine = do(people[who], "take", project=project, role="annotator")["assignment"]
        do(people[who], "keep_point", assignment=mine["id"], point=wording("Maren grew up above a bakery.", [3], id=uuid4().hex))  # type: ignore[index]
        do(people[who], "submit", assignment=mine["id"])  # type: ignore[index]
    review = do(people["Rena"], "take", project=project, role="reviewer")["assignment"]
    do(people["Rena"], "finish", assignment=review["id"])  # type: ignore[index]
    return project


def test_a_probe_is_written_and_reviewed_by_keyboard_alone(house: Served, ada: Person, people: dict[str, Person], browser: Browser) -> None:
    project, ruth = with_gold(ada, people, "The pier"), people["Ruth"]

    hers = enter(house, browser, "Rena")
    page = hers.page
    page.goto(f"{house.url}/keepsake/annotation#probes={project}")
    expect(page.locator("[data-does=write]")).to_be_focused()
    keys(page, "Enter")
    expect(page.locator("#r-list .point")).to_have_count(1)
    keys(page, "n")
    expect(page.locator("#r-line")).to_be_focused()
    page.keyboard.type("Where did you grow up?")
    keys(page, "Enter")
    page.keyboard.type("Over a shop.")
    keys(page, "Enter")
    page.keyboard.type("over a shop")
    expect(page.locator("[data-remark=same]")).to_be_visible()
    expect(page.locator("#a-kept")).to_have_text("Kept")
    hers.reload()  # what stands in a form is not lost
    expect(page.locator("#r-option-1")).to_have_value("over a shop")
    expect(page.locator("#r-line")).to_be_focused()
    keys(page, "Enter", "Enter", "Control+a")
    page.keyboard.type("On a barge.")
    for text in ("In a mill.", "At an inn."):
        keys(page, "Enter")
        page.keyboard.type(text)
    expect(page.locator("#r-remarks")).to_have_text("Nothing to remark.")
    shot(page, "probe-form")
    keys(page, "Control+Enter")
    expect(page.locator("#r-list [data-state=waiting]")).to_be_visible()

    his = enter(house, browser, "Rolf", locale="zh-CN", color_scheme="dark")
    page = his.page
    page.goto(f"{house.url}/keepsake/annotation#probes={project}")
    expect(page.locator("[data-does=review]")).to_be_focused()
    keys(page, "Enter")
    expect(page.locator("#r-one .options button")).to_have_count(4)
    assert page.locator("#r-one .right").count() == 0
    keys(page, "a")  # nothing is accepted before one has chosen
    keys(page, "1")
    expect(page.locator("#r-one .right")).to_contain_text("Over a shop.")
    expect(page.locator("#r-accept")).to_be_visible()
    shot(page, "probe-review-zh")
    keys(page, "a")
    expect(page.locator("#a-toasts")).to_contain_text("还需另一名审核员决定")
    page.locator("#a-toasts button").press(
        "Enter"
    )  # a slip is taken back, as soon as it is seen: the view that comes next is still on its way
    expect(page.locator("#r-accept")).to_be_visible()
    keys(page, "r", "1")
    expect(page.locator("[data-value=several_right]")).to_have_attribute("aria-checked", "true")
    keys(page, "n")
    expect(page.locator("#r-remark")).to_be_focused()
    page.keyboard.type("驳船也可能。")
    his.reload()  # what a reviewer writes is not lost either
    expect(page.locator("#r-remark")).to_have_value("驳船也可能。")
    expect(page.locator("[data-value=several_right]")).to_have_attribute("aria-checked", "true")
    keys(page, "n")
    expect(page.locator("#r-remark")).to_be_focused()
    keys(page, "Enter")
    expect(page.locator("[data-item]")).to_contain_text("1 个尚未审定")

    (open_one,) = do(ruth, "probes", project=project)["open"]  # type: ignore[misc]
    found = do(ruth, "regular_review", item=open_one["id"])
    do(ruth, "regular_answer", id=found["id"], version=1, shown=0)
    changed = {**PROBE, "id": found["id"], "version": 1}
    verdict = {"verdict": "edited", "reason": "wording", "note": "", "probe": changed}
    assert do(ruth, "regular_decide", id=found["id"], version=1, verdict=verdict) == {"state": "disputed"}

    admins = enter(house, browser, "Ada", secret=ADA)
    page = admins.page
    page.goto(f"{house.url}/keepsake/annotation#probes={project}")
    expect(page.locator("[data-does=review]")).to_be_focused()
    expect(page.locator("[data-figure=same_verdict]")).to_contain_text("0.00")
    keys(page, "Enter")
    expect(page.locator("#r-one .options button")).to_have_count(4)
    assert page.locator("#r-others").count() == 0
    keys(page, "2")
    expect(page.locator("#r-others .other")).to_have_count(2)
    expect(page.locator("#r-others")).to_contain_text("驳船也可能。")
    shot(page, "probe-settle")
    keys(page, "2")  # goes on from what the second reviewer would change
    expect(page.locator("#r-line")).to_have_value(PROBE["line"])
    expect(page.locator("[data-value=wording]")).to_have_attribute("aria-checked", "true")
    keys(page, "Control+Enter")
    expect(page.locator("#a-toasts")).to_contain_text("It is accepted.")
    expect(page.locator("[data-item]")).to_contain_text("1 probe ready to run")
    assert (hers.faults, his.faults, admins.faults) == ([], [], [])


def test_what_a_reviewer_writes_stays_and_goes_with_its_own_decision(
    house: Served, ada: Person, people: dict[str, Person], browser: Browser
) -> None:
    project, rena, ruth = with_gold(ada, people, "The quay"), people["Rena"], people["Ruth"]
    (item,) = (one["id"] for one in do(rena, "probes", project=project)["open"])  # type: ignore[attr-defined]
    for id in ("3" * 32, "4" * 32):
        do(rena, "regular_keep", item=item, probe={**PROBE, "line": f"{PROBE['line']} ({id[0]})", "id": id, "version": 0})
        do(rena, "regular_submit", item=item, id=id, version=1)

    his = enter(house, browser, "Rolf")
    page = his.page
    page.goto(f"{house.url}/keepsake/annotation#regular_review={item}")
    expect(page.locator("#r-one .options button")).to_have_count(4)
    keys(page, "1")
    expect(page.locator("#r-accept")).to_be_visible()
    keys(page, "e")
    expect(page.locator("#r-line")).to_be_focused()
    keys(page, "Enter", "Enter", "Control+a")
    page.keyboard.type("over a shop")
    expect(page.locator("#r-remarks [data-remark=same]")).to_be_visible()
    page.locator("#r-remark").fill("Two came to the same.")
    for _ in range(2):
        his.reload()
        expect(page.locator("#r-option-1")).to_have_value("over a shop")
        expect(page.locator("#r-remark")).to_have_value("Two came to the same.")
        expect(page.locator("#r-remarks [data-remark=same]")).to_be_visible()
    keys(page, "Escape", "Escape")  # given up
    expect(page.locator("#r-accept")).to_be_visible()
    keys(page, "r", "1")
    page.locator("#r-remark").fill("A barge would do.")
    keys(page, "Enter")
    expect(page.locator("#r-one .options button:enabled")).to_have_count(4)  # the next
    page.locator("#a-toasts button").press("Enter")  # taken back, and accepted after all
    expect(page.locator("#r-accept")).to_be_visible()
    keys(page, "a")
    expect(page.locator("#r-one .options button:enabled")).to_have_count(4)
    keys(page, "1")
    expect(page.locator("#r-accept")).to_be_visible()
    keys(page, "r", "2")
    page.locator("#r-remark").fill("No.")
    keys(page, "Escape", "Escape", "a")
    expect(page.locator("[data-item]")).to_contain_text("2 not decided yet")

    for _ in range(2):
        found = do(ruth, "regular_review", item=item)
        do(ruth, "regular_answer", id=found["id"], version=1, shown=0)
        do(ruth, "regular_decide", id=found["id"], version=1, verdict={"verdict": "accepted", "reason": "", "note": "", "probe": None})
    probes: list[dict[str, list[dict[str, object]]]] = do(rena, "regular_own", item=item)["probes"]  # type: ignore[assignment]
    decisions = [decision for probe in probes for decision in probe["decisions"]]
    assert [(one["verdict"], one["reason"], one["note"]) for one in decisions] == [("accepted", "", "")] * 4
    assert his.faults == []
