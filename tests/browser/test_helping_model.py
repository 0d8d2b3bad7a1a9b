"""What one's model does besides replying, as a person uses it: a message translated, judgments drafted for a character; in both languages, on a desk and on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.stage import BEES, Stage, deed, newest, shot, staged
from tests.models.openai_endpoint import Answer

pytestmark = [pytest.mark.browser, pytest.mark.long]
HOSTILE = "<img src=x onerror='window.hacked=1'>"
CHINESE = f"蜜蜂就是天气。{HOSTILE}"
LEAVES = {
    "statement": f"{{{{user}}}} leaves first. {HOSTILE}",
    "examples": [["{{user}} moved again", "{{user}} packs for the fourth time"], ["{{user}} cancels dinner"]],
}
ALL = {"statement": "Everybody leaves.", "examples": [["a"], ["b"]]}


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("helping")) as stage:
        yield stage


def answers(stage: Stage, said: dict[str, object], *, slowly: bool = False) -> None:
    text = json.dumps(said, ensure_ascii=False)
    stage.endpoint.enqueue(Answer(pieces=(text[:9], text[9:]), before_s=0.5, breaks="stall" if slowly else None))


TOLD = {
    "en": ("It was raining, and the bees stayed in.", "*Nell shrugs.* Low tide at nine. Bring boots.", "Yes."),
    "zh": ("下雨了，蜜蜂都没有出来。",),
    "other": (
        "Il pleut, et les abeilles restent dans la ruche.",
        "Es regnet, und die Bienen sind nicht auf den Wiesen.",
        "Шёл дождь, и пчёлы остались дома.",
        "雨が降って、みつばちは巣にいました。",
    ),
}


@pytest.mark.parametrize(("locale", "page_in", "other"), [("en-GB", "en", "zh"), ("zh-CN", "zh", "en")])
def test_a_message_is_offered_in_the_pages_language_unless_it_is_in_that(stage: Stage, locale: str, page_in: str, other: str) -> None:
    page = stage.open(locale=locale).page
    expect(page.locator(".k-cover").first).to_be_visible()
    page.wait_for_function("Boolean(keepsake.house && keepsake.translateDeed)")
    words = {"en": {"en": "Translate into English", "zh": "Translate into Chinese"}, "zh": {"en": "翻译成英语", "zh": "翻译成中文"}}[
        page_in
    ]
    for told, texts in TOLD.items():
        for text in texts:
            offered = page.evaluate("(text) => keepsake.translateDeed({ id: 'm', text }).label", text)
            assert offered == words[other if told == page_in else page_in], text


def test_a_message_is_translated_below_itself_and_put_away(stage: Stage) -> None:
    watched = stage.open(color_scheme="dark")
    page = watched.page
    stage.talk(page, BEES)
    answers(stage, {"translation": CHINESE})
    deed(page, newest(page), "translate")
    translated = newest(page).locator(".k-translation")
    expect(translated.locator(".k-prose")).to_have_text(CHINESE)
    expect(translated).to_contain_text("kept nowhere")
    shot(page, "translated-en-dark")
    translated.get_by_role("button", name="Put the translation away").click()
    expect(page.locator(".k-translation")).to_have_count(0)
    answers(stage, {"translation": CHINESE}, slowly=True)
    deed(page, newest(page), "translate")
    expect(translated).to_contain_text("Being translated")
    translated.get_by_role("button", name="Stop translating").click()
    expect(page.locator(".k-translation")).to_have_count(0)
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []
    page.context.close()


@pytest.mark.parametrize("way", ["en-desk", "zh-phone"])
def test_judgments_are_drafted_into_the_form_and_kept_when_it_is_saved(stage: Stage, way: str) -> None:
    phone = way == "zh-phone"
    sizes = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "zh-CN"} if phone else {}
    watched = stage.open(**sizes)
    page = watched.page
    expect(page.locator(".k-cover").first).to_be_visible()
    page.evaluate("keepsake.openCharacter()")
    dialog = page.locator("dialog[data-dialog=character]")
    dialog.locator("[data-field=name]").fill(f"Ida {way}")
    dialog.locator("[data-field=description]").fill("Keeps the lighthouse.")
    dialog.locator("summary").first.click()
    box, row = dialog.locator("[data-field=stances]"), dialog.locator(".k-drafting-stances")
    box.fill("- an example alone")
    row.locator("button").click()
    expect(dialog.locator("#k-of-stances-says")).not_to_be_empty()
    box.fill("{{user}} is late.\n- {{user}} ran\n- {{user}} overslept")
    answers(stage, {"stances": []}, slowly=True)
    row.locator("button").click()
    expect(row).to_contain_text("正在起草" if phone else "Being drafted")
    row.locator("button").click()
    expect(row).to_contain_text("已停止起草" if phone else "Drafting was stopped")
    answers(stage, {"stances": [LEAVES, ALL]})
    row.locator("button").click()
    expect(box).to_have_value(
        f"{{{{user}}}} is late.\n- {{{{user}}}} ran\n- {{{{user}}}} overslept\n\n{LEAVES['statement']}\n"
        "- {{user}} moved again / {{user}} packs for the fourth time\n- {{user}} cancels dinner"
    )
    expect(row).to_contain_text("起草了 1 条" if phone else "1 drafted by")
    expect(row).to_contain_text("另有 1 条没有采用" if phone else "1 was left out")
    row.scroll_into_view_if_needed()
    shot(page, f"stances-drafted-{way}")
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    dialog.get_by_role("button", name="保存" if phone else "Save", exact=True).click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("keepsake.openGallery()")
    page.locator("[data-gallery-menu]").first.click()
    page.locator("dialog.k-menu [data-deed=edit]").click()
    expect(page.locator("dialog[data-dialog=character] [data-field=stances]")).to_have_value(re.compile("leaves first"))
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []
    page.context.close()
