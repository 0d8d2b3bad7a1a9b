"""Memories corrected by hand on the page: edited, pinned, left out, deleted, derived again; what came from a round; the queue.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.stage import BEES, LEITH, Stage, deed, mine, shot, staged, toast

pytestmark = [pytest.mark.browser, pytest.mark.long]

TOBIAS = ("I have a brother, Tobias, who keeps bees.", "Bees are weather.")
"""A fact and a value of the persona."""
TOLD = (LEITH, TOBIAS, ("I work as a piano tuner.", "Patient ears."), ("Is it late?", "Past nine."))


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("controls")) as made:
        yield made


def fact(page: Page, words: str) -> Locator:
    return page.locator("#k-memories .k-memory", has_text=words)


def decide(page: Page, item: Locator, name: str) -> None:
    """From the menu of a memory."""
    item.hover()
    item.locator(".k-item-menu").click()
    page.locator(f"dialog.k-menu [data-deed={name}]").click()


def test_a_memory_is_what_its_person_says_it_is(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, *TOLD)
    page.locator("#k-tab-memories").click()
    bees = fact(page, "bees")
    expect(bees).to_be_visible(timeout=240_000)
    decide(page, bees, "pin")
    expect(bees).to_contain_text("pinned")
    decide(page, bees, "edit")
    page.get_by_role("textbox", name="Edit").fill("Tobias keeps forty hives.")
    page.keyboard.press("Control+Enter")
    hives = fact(page, "forty hives")
    expect(hives).to_contain_text("edited by you")
    decide(page, hives, "rederive")
    sides = page.locator(".k-side")
    expect(sides.last).to_contain_text("bees")
    shot(page, "rederive")
    sides.first.get_by_role("button", name="Keep this").click()
    expect(hives).to_be_visible()

    piano = fact(page, "piano")
    decide(page, piano, "exclude")
    expect(piano).to_contain_text("left out")
    toast(page, "Left out").get_by_role("button", name="Undo").click()
    expect(piano).not_to_contain_text("left out")
    toast(page, "Taken back: leaving a memory out").get_by_role("button", name="Redo").click()
    expect(piano).to_contain_text("left out")
    decide(page, piano, "edit")
    page.get_by_role("textbox", name="Edit").fill("The player plays the piano.")
    page.keyboard.press("Control+Enter")
    plays = fact(page, "plays the piano")
    expect(plays).to_contain_text("edited by you")
    expect(page.locator("#k-undo")).to_have_attribute("aria-label", "Undo: editing a memory")
    page.locator("#k-scroll").focus()
    page.keyboard.press("Control+z")
    expect(plays).to_have_count(0)
    expect(piano).not_to_contain_text("edited by you")
    expect(mine(page)).to_have_count(len(TOLD))
    expect(page.locator("#k-undo")).to_have_attribute("aria-label", "Undo: your message")
    decide(page, piano, "include")
    expect(piano).not_to_contain_text("left out")
    decide(page, piano, "exclude")
    expect(piano).to_contain_text("left out")

    decide(page, fact(page, "Leith"), "delete")
    page.get_by_role("dialog", name="Delete this memory for good?").get_by_role("button", name="Delete for good").click()
    expect(fact(page, "Leith")).to_have_count(0)

    deed(page, mine(page).nth(1), "round")
    round_two = page.locator("dialog .k-memory")
    expect(round_two.first).to_contain_text("forty hives")
    assert round_two.count() >= 3, "the fact, the value of the persona and the episode"
    shot(page, "round")
    page.keyboard.press("Escape")

    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=queue]").click()
    page.get_by_role("button", name="Make all memory anew").click()
    page.get_by_role("button", name="Make it anew").click()
    queue = page.get_by_role("dialog", name="Memory work")
    expect(queue).to_contain_text("There is nothing to do", timeout=240_000)
    page.keyboard.press("Escape")
    expect(hives).to_contain_text("pinned")
    expect(piano).to_contain_text("left out")
    expect(fact(page, "Leith")).to_have_count(0)
    page.locator("#k-tab-story").click()
    line = page.locator("#k-story .k-line", has_text="forty hives")
    expect(line).to_contain_text("pinned")
    decide(page, line, "source")
    expect(page.locator("#k-transcript [data-round='2']").first).to_be_visible()
    decide(page, line, "exclude")
    expect(line).to_have_count(0)
    page.locator(".k-toast").get_by_role("button", name="Undo").click()
    expect(line).to_be_visible()
    assert watched.faults == []


def test_a_value_of_the_persona_can_be_corrected(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    home = page.locator("#k-persona [data-key=residence]")
    expect(home).to_contain_text("Leith", timeout=240_000)
    decide(page, home.locator(".k-value"), "edit")
    page.get_by_role("textbox", name="Edit").fill("Leith, above the bakery")
    page.keyboard.press("Control+Enter")
    expect(home).to_contain_text("above the bakery")
    expect(home).to_contain_text("edited by you")
    home.locator(".k-value").hover()
    home.locator(".k-item-menu").click()
    expect(page.locator("dialog.k-menu [data-deed=pin]")).to_have_count(0)
    page.keyboard.press("Escape")
    assert watched.faults == []


def test_a_chapter_is_closed_when_the_reader_wants_and_undone(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    page.locator("#k-tab-story").click()
    story = page.locator("#k-story")
    expect(story.locator(".k-line", has_text="Leith")).to_be_visible(timeout=240_000)
    close = story.get_by_role("button", name="Close the chapter now")
    close.focus()
    page.keyboard.press("Enter")
    chapter = story.locator(".k-chapter h3", has_text="Chapter 1")
    expect(chapter).to_contain_text("rounds 1–2", timeout=240_000)
    expect(story).to_contain_text("The next chapter begins with what you say next.")
    expect(close).to_have_attribute("aria-disabled", "true")
    expect(close).to_be_focused()
    shot(page, "chapter-closed")
    page.keyboard.press("Enter")
    expect(page.locator(".k-toast", has_text="Nothing was said since the last chapter.")).to_be_visible()
    page.locator("#k-composer textarea").focus()
    expect(story.locator("[data-preset=short]")).not_to_be_visible()  # what is set once stands folded
    story.get_by_text("Length of chapters").click()
    story.locator("[data-preset=short]").click()
    expect(story.locator("[data-preset=short]")).to_have_attribute("aria-pressed", "true")
    expect(story).to_contain_text("12 rounds make a chapter, 36 an arc.")
    page.locator(".k-toast").get_by_role("button", name="Undo").click()
    expect(story.locator("[data-preset=paper]")).to_have_attribute("aria-pressed", "true")
    page.locator(".k-toast").get_by_role("button", name="Redo").wait_for()
    page.locator("#k-tab-story").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".k-toast", has_text="closing the chapter")).to_be_visible()
    expect(chapter).to_have_count(0)
    expect(story.locator(".k-line", has_text="Leith")).to_be_visible()
    day = story.get_by_label("The day in the story")
    day.fill("1820-05-03")
    story.get_by_role("button", name="Set the day").click()
    expect(page.locator(".k-toast", has_text="said on that day")).to_be_visible()
    real = story.get_by_role("button", name="Use the real date")
    expect(real).to_be_visible()
    expect(day).to_have_value("1820-05-03")
    shot(page, "story-day")
    real.click()
    expect(day).to_have_value("")
    assert watched.faults == []


def test_a_session_is_ended_when_the_reader_wants(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    page.locator("#k-tab-topics").click()
    topics = page.locator("#k-topics")
    expect(topics).to_contain_text("This session began with round 1.")
    end = topics.get_by_role("button", name="End the session")
    end.focus()
    page.keyboard.press("Enter")
    expect(topics.locator(".k-telling").first).to_be_visible(timeout=240_000)
    expect(topics).to_contain_text("No session is open")
    expect(end).to_have_attribute("aria-disabled", "true")
    expect(end).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".k-toast", has_text="No session is open")).to_be_visible()
    assert watched.faults == []


def test_a_conclusion_is_shown_with_what_it_rests_on_and_goes_with_it(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, ("I like to eat honey.", "Bees are weather."), ("I like ice cream.", "In this wind?"), ("Is it late?", "Past nine."))
    conclusion = page.locator("#k-persona [data-key=derived-flavour]")
    expect(conclusion).to_contain_text("sweet", timeout=240_000)
    conclusion.locator("summary").click()
    expect(conclusion.locator(".k-value")).to_have_count(2)
    expect(conclusion).to_contain_text("honey")
    shot(page, "derived")
    liked = page.locator("#k-persona [data-key=food_liked] .k-value", has_text="honey")
    decide(page, liked, "exclude")
    expect(conclusion).to_have_count(0)
    assert watched.faults == []
