"""A person's own characters on the page: made, talked with, changed, duplicated, removed, found; in Chinese on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from personas.cards.reading import read_card
from tests.browser.conftest import make_app
from tests.browser.test_first_conversation import say, wait_for_reply
from tests.browser.test_rewriting import HOSTILE, Stage, shot, toast
from tests.models.openai_endpoint import OpenAIEndpoint
from tests.personas.cards.invented import archive, book, card_chunk, entry, raw, v2, v3

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with OpenAIEndpoint() as endpoint:
        app = make_app(
            tmp_path_factory.mktemp("characters"),
            KEEPSAKE_CHAT_MODEL="openai/scripted",
            KEEPSAKE_CHAT_API_BASE=endpoint.url,
            KEEPSAKE_CHAT_API_KEY="k",
            KEEPSAKE_CHAT_RETRIES="0",
        )
        app.start()
        yield Stage(app, endpoint, browser)
        app.stop()


def field(page: Page, name: str) -> Locator:
    return page.locator(f"dialog [data-field={name}]")


def says(page: Page, name: str) -> Locator:
    return page.locator(f"#k-of-{name}-says")


def own(page: Page, name: str) -> Locator:
    return page.locator(".k-own-row", has=page.locator("b", has_text=re.compile(f"^{re.escape(name)}$")))


def deed(page: Page, name: str, what: str) -> None:
    own(page, name).locator("[aria-haspopup=menu]").click()
    page.locator(f"dialog.k-menu [data-deed={what}]").click()


def test_a_character_is_made_talked_with_changed_and_removed(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    page.locator("#k-shelf").get_by_role("button", name="New character").first.press("Enter")
    dialog = page.get_by_role("dialog", name="New character")
    expect(field(page, "name")).to_be_focused()
    expect(dialog.locator(".k-character .k-monogram")).to_have_text("·")  # no letter of a sentence about having no name
    page.keyboard.press("Control+Enter")
    expect(says(page, "name")).to_have_text("A character needs a name.")
    page.keyboard.type("Ivo Brandt")
    expect(says(page, "name")).to_be_empty()
    page.keyboard.press("Tab")
    page.keyboard.type("Mends clocks that nobody wound.")
    field(page, "tagline").fill("x" * 201)
    expect(says(page, "tagline")).to_have_text("This has 201 characters; 200 is the most. Shorten it.")
    field(page, "tagline").fill("Mends clocks that nobody wound.")
    field(page, "description").fill("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "first_mes").fill(f"*He looks up.* Which hour have you lost, {{{{user}}}}? {HOSTILE}")
    preview = dialog.get_by_role("region", name="How it will look")
    expect(preview).to_contain_text("Mends clocks that nobody wound.")
    expect(preview.locator("em")).to_have_text("He looks up.")
    expect(preview).to_contain_text(f"Which hour have you lost, friend? {HOSTILE}")
    expect(preview.get_by_role("status")).to_contain_text("tokens of every prompt go to this character")
    shot(page, "character")

    page.keyboard.press("Escape")
    asked = page.get_by_role("dialog", name="Leave without saving?")
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    field(page, "description").press("Control+Enter")
    expect(dialog).to_have_count(0)
    toast(page, "Ivo Brandt is ready to talk.").get_by_role("button", name="Talk").click()
    greeting = page.locator("#k-transcript .k-character-says").first
    expect(greeting).to_contain_text(f"Which hour have you lost, friend? {HOSTILE}")
    stage.plays("A common one.")
    say(page, "The hour after supper.")
    wait_for_reply(page, 2)
    assert "under the tram depot" in stage.endpoint.requests[-1].body["messages"][0]["content"]
    page.get_by_role("tab", name="Insights").click()
    expect(page.locator("#k-insights")).to_contain_text("Ivo Brandt has no stances")

    deed(page, "Ivo Brandt", "edit")
    expect(field(page, "description")).to_have_value("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "description").fill("Ivo repairs organs now.")
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Leave").click()
    expect(page.locator("dialog")).to_have_count(0)
    deed(page, "Ivo Brandt", "edit")
    expect(field(page, "description")).to_have_value("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "description").fill("Ivo repairs organs now.")
    page.get_by_role("dialog", name="Edit the character").get_by_role("button", name="Save").click()
    toast(page, "Ivo Brandt is saved.")
    stage.plays("Pipes, all of them.")
    say(page, "What is on your bench?")
    wait_for_reply(page, 3)
    assert "Ivo repairs organs now." in stage.endpoint.requests[-1].body["messages"][0]["content"]
    expect(greeting).to_contain_text("Which hour have you lost, friend?")

    deed(page, "Ivo Brandt", "duplicate")
    expect(own(page, "Ivo Brandt (2)")).to_be_visible()
    deed(page, "Ivo Brandt", "remove")
    expect(own(page, "Ivo Brandt")).to_have_count(0)
    toast(page, "Ivo Brandt is out of the list.").get_by_role("button", name="Undo").click()
    expect(own(page, "Ivo Brandt")).to_have_count(1)
    deed(page, "Ivo Brandt", "remove")
    expect(own(page, "Ivo Brandt")).to_have_count(0)
    stage.plays("It does.")
    say(page, "Does it go on?")
    wait_for_reply(page, 4)

    deed(page, "Ivo Brandt (2)", "edit")
    field(page, "name").fill("Nell Garrow")
    field(page, "name").press("Control+Enter")
    toast(page, "Nell Garrow is saved.").get_by_role("button", name="Talk").click()
    expect(page.locator("#k-transcript .k-character-says")).to_have_count(1)
    expect(page.locator("#k-transcript .k-character-says .k-monogram")).to_have_text("N")  # not the face of the cast's
    deed(page, "Nell Garrow", "edit")
    field(page, "name").fill("Ivo Brandt (2)")
    field(page, "name").press("Control+Enter")
    expect(page.locator(".k-title h1")).to_have_text("Nell Garrow")  # as the conversation began
    deed(page, "Ivo Brandt (2)", "duplicate")
    expect(own(page, "Ivo Brandt (3)")).to_be_visible()
    deed(page, "Ivo Brandt (3)", "remove")
    expect(own(page, "Ivo Brandt (3)")).to_have_count(0)
    page.locator(".k-open-bin").click()
    binned = page.get_by_role("dialog", name="Bin")
    expect(
        binned.locator(".k-bin-row", has_text="1 conversation with it is still there").get_by_role("button", name="Erase")
    ).to_have_count(0)
    second = binned.locator(".k-bin-row", has_text="Ivo Brandt (3)")
    second.get_by_role("button", name="Erase").click()
    page.get_by_role("dialog", name="Erase").get_by_role("button", name="Erase").click()
    expect(second).to_have_count(0)
    binned.get_by_role("button", name="Restore: Ivo Brandt").click()
    page.keyboard.press("Escape")
    expect(own(page, "Ivo Brandt")).to_have_count(1)
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_it_reads_in_chinese_on_a_phone_and_many_are_looked_through(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    page = watched.page
    expect(page.locator(".k-welcome")).to_be_visible()
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.locator("[data-k-opens=shelf]").click()
    page.locator("#k-shelf").get_by_role("button", name="新建角色").first.click()
    expect(field(page, "language")).to_have_value("zh")
    for name in ("name", "tagline", "description", "personality", "scenario", "first_mes", "mes_example"):
        field(page, name).fill(HOSTILE)
    page.locator("dialog summary", has_text="更多").click()
    field(page, "tags").fill(f"{HOSTILE}，河边")
    field(page, "system_prompt").fill("x " * 100_000 + "x")
    page.get_by_role("button", name="保存").click()
    expect(says(page, "system_prompt")).to_have_text("这里有 200,001 个字，最多 200,000 个，请缩短。")
    expect(field(page, "system_prompt")).to_be_focused()
    field(page, "system_prompt").fill("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    shot(page, "character-zh")
    page.get_by_role("button", name="保存").click()
    toast(page, "可以聊天了")
    page.locator("[data-k-opens=shelf]").click()
    expect(own(page, HOSTILE)).to_be_visible()
    seek = page.get_by_role("searchbox", name="按名字或标签查找")
    expect(seek).to_have_count(0)
    for number in range(2, 10):
        deed(page, HOSTILE, "duplicate")
        expect(own(page, f"{HOSTILE} ({number})")).to_have_count(1)
    seek.fill("(4)")
    expect(page.locator(".k-own-row")).to_have_count(1)
    seek.fill("河边")
    expect(page.locator(".k-own-row")).to_have_count(9)
    seek.fill("没有")
    expect(page.get_by_text("没有这个名字或标签的角色。")).to_be_visible()
    page.evaluate("window.keepsake.clearToasts()")
    shot(page, "characters-zh")
    seek.fill("(4)")
    page.locator(".k-own-row .k-character").click()
    expect(page.locator("#k-transcript .k-character-says").first).to_contain_text(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def portrait() -> bytes:
    """A picture of some size, as cards come in."""
    picture = Image.new("RGB", (400, 600), (44, 62, 80))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((110, 80, 290, 290), fill=(226, 178, 140))
    draw.rectangle((70, 310, 330, 600), fill=(155, 50, 60))
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def card_files() -> list[FilePayload]:
    """A picture with a card, the same card changed, a hostile one, what is no card, and an archive that leads out of itself."""
    odile = v2()
    odile["data"] |= {
        "first_mes": f"*She stamps.* Next, {{{{user}}}}! {HOSTILE}",
        "creator_notes": f"Slow talker. {HOSTILE}",
        "creator": HOSTILE,
    }
    odile["data"] |= {"alternate_greetings": ["We are closed, {{user}}.", "{{char}} sleeps."], "tags": "post, letters"}
    odile["data"]["extensions"] = {"other_program": {"fav": True}}
    odile["data"]["character_book"] = book({**entry(), "content": f"Stamps cost two. {HOSTILE}", "comment": f"Prices {HOSTILE}"})
    odile["chat"] = "Odile - yesterday"
    newer = v2()
    newer["data"] |= {"description": "Odile has retired to the sea."}
    named = v3()
    named["data"]["name"] = f"Card {HOSTILE}"
    return [
        {"name": "odile.png", "mimeType": "image/png", "buffer": portrait()[:-12] + card_chunk(odile) + portrait()[-12:]},
        {"name": "newer.json", "mimeType": "application/json", "buffer": raw(newer)},
        {"name": f"{HOSTILE}.json", "mimeType": "application/json", "buffer": raw(named)},
        {"name": "holiday.png", "mimeType": "image/png", "buffer": portrait()},
        {"name": "climbs.charx", "mimeType": "application/zip", "buffer": archive({"../card.json": raw(v3()), "card.json": raw(v3())})},
    ]


def row(page: Page, file: str) -> Locator:
    return page.locator(".k-card-row", has=page.locator(".k-file b", has_text=re.compile(f"^{re.escape(file)}$")))


def test_cards_come_in_are_talked_with_updated_and_leave(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    page.locator("#k-shelf .k-import-cards").click()
    dialog = page.get_by_role("dialog", name="Import characters")
    files = card_files()
    dialog.locator("input[type=file]").set_input_files(files)
    expect(row(page, "odile.png")).to_contain_text("Odile is in your list.")
    expect(row(page, "newer.json")).to_contain_text("One called Odile is in your list, from another card.")
    expect(row(page, f"{HOSTILE}.json")).to_contain_text(f"Card {HOSTILE} is in your list.")
    expect(row(page, "holiday.png").get_by_role("alert")).to_contain_text("This picture holds no character.")
    expect(row(page, "climbs.charx").get_by_role("alert")).to_contain_text("../card.json leads out of it")
    first = row(page, "odile.png")
    expect(first).to_contain_text(f"by {HOSTILE}")
    for kind in ("notes", "used", "kept", "coerced"):
        first.locator(f"details[data-kind={kind}] > summary").click()
    expect(first.locator("[data-kind=notes]")).to_contain_text(HOSTILE)
    expect(first.locator("[data-kind=used]")).to_contain_text("Other first messages")
    expect(first.locator("[data-kind=kept]")).to_contain_text("data.extensions.other_program")
    expect(first.locator("[data-kind=coerced]")).to_contain_text("A text, read as a list with commas: data.tags")
    shot(page, "cards")
    first.get_by_role("button", name="Talk").click()
    greeting = page.locator("#k-transcript .k-character-says").first
    expect(greeting).to_contain_text(f"Next, friend! {HOSTILE}")
    expect(greeting.locator("img.k-avatar")).to_have_js_property("naturalWidth", 256)
    expect(own(page, "Odile").locator("img.k-avatar")).to_be_visible()
    expect(page.locator(".k-title img.k-avatar")).to_be_visible()
    stage.plays("Two francs.")
    say(page, "A stamp, please.")
    wait_for_reply(page, 2)
    assert "[What is known of this world]\n- Stamps cost two." in stage.endpoint.requests[-1].body["messages"][-1]["content"]
    page.get_by_role("tab", name="Receipt").click()
    lore = page.locator("#k-receipt [data-lore='1'][data-delivered=true]")
    expect(lore).to_contain_text(f"Prices {HOSTILE} by “stamp”")
    expect(page.locator("#k-receipt .k-legend [data-section=lore]")).to_be_visible()
    lore.scroll_into_view_if_needed()
    shot(page, "card-talk")
    page.evaluate("window.keepsake.toLatest()")
    expect(greeting.locator(".k-leaf-count")).to_have_text("1/3")
    greeting.locator("[data-leaf='1']").click()
    expect(greeting).to_contain_text("We are closed, friend.")
    greeting.locator("[data-leaf='-1']").click()
    expect(greeting).to_contain_text("Next, friend!")

    page.evaluate("window.keepsake.clearToasts()")
    moved = page.evaluate_handle(
        """([name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name)); return data; }""",
        ["newer.json", files[1]["buffer"].decode()],
    )
    page.dispatch_event("#k-transcript", "drop", {"dataTransfer": moved})
    row(page, "newer.json").get_by_role("button", name="Update").click()
    expect(row(page, "newer.json")).to_contain_text("Odile was updated.")
    page.keyboard.press("Escape")
    expect(own(page, "Odile").locator("img.k-avatar")).to_be_visible()  # the newer one has no picture
    stage.plays("By the sea.")
    say(page, "Where do you live?")
    wait_for_reply(page, 3)
    assert "Odile has retired to the sea." in stage.endpoint.requests[-1].body["messages"][0]["content"]
    page.locator(".k-open-bin").click()
    page.get_by_role("dialog", name="Bin").get_by_role("button", name="Restore: Odile").click()
    page.keyboard.press("Escape")
    expect(own(page, "Odile")).to_have_count(2)
    before = own(page, "Odile").first
    before.locator("[aria-haspopup=menu]").click()
    page.locator("dialog.k-menu [data-deed=export]").click()
    leaving = page.get_by_role("dialog", name="Export Odile")
    expect(leaving.locator(".k-check")).to_contain_text("chat")
    shot(page, "card-export")
    with page.expect_download() as download:
        leaving.locator("[data-form=png]").click()
    left = read_card(download.value.path().read_bytes())
    assert left.original["data"]["extensions"] == {"other_program": {"fav": True}}  # type: ignore[index]
    assert "chat" not in left.original
    assert download.value.suggested_filename == "Odile.png"
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_what_was_mended_in_a_card_is_told_before_it_comes_in(stage: Stage) -> None:
    """A card without a name, with a comma too many: the file's name stands in, and can be changed first."""
    watched = stage.open()
    page = watched.page
    nameless = v2()
    nameless["data"]["name"] = ""
    damaged = raw(nameless)[:-1] + b",}"
    page.locator("#k-shelf .k-import-cards").click()
    files = page.locator("dialog[data-dialog=cards] input[type=file]")
    files.set_input_files([{"name": "Marlow.json", "mimeType": "application/json", "buffer": damaged}])
    asked = row(page, "Marlow.json")
    expect(asked).to_contain_text("Marlow can be taken in. Something in the file had to be repaired or is missing")
    told = asked.locator("details[data-kind=mended]")
    expect(told).to_have_attribute("open", "")
    expect(told).to_contain_text("Repaired: 2 places")
    expect(own(page, "Marlow")).to_have_count(0)
    shot(page, "cards-mended")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("window.keepsake.openCards()")
    files.set_input_files([{"name": "Marlow.json", "mimeType": "application/json", "buffer": damaged}])
    expect(asked).to_contain_text("可以导入Marlow")
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    shot(page, "cards-mended-zh")
    asked.get_by_label("名字").fill("Captain Marlow")
    asked.get_by_role("button", name="导入").click()
    expect(asked).to_contain_text("Captain Marlow已在你的列表里。")
    page.keyboard.press("Escape")
    page.locator("[data-k-opens=shelf]").click()
    expect(own(page, "Captain Marlow")).to_have_count(1)
    assert watched.faults == []


def test_cards_come_in_on_a_phone_in_chinese(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    page = watched.page
    expect(page.locator(".k-welcome")).to_be_visible()
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.locator("[data-k-opens=shelf]").click()
    page.locator("#k-shelf .k-import-cards").click()
    file = card_files()[0]
    page.get_by_role("dialog", name="导入角色").locator("input[type=file]").set_input_files([{**file, "name": "又来.png"}])
    expect(row(page, "又来.png")).to_contain_text("这张卡已经在你的列表里了")
    row(page, "又来.png").get_by_role("button", name="再添加一个").click()
    expect(row(page, "又来.png")).to_contain_text("Odile已在你的列表里。")
    row(page, "又来.png").locator("[data-kind=used] > summary").click()
    row(page, "又来.png").locator("[data-kind=kept] > summary").click()
    shot(page, "cards-zh")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    page.keyboard.press("Escape")
    page.locator("[data-k-opens=shelf]").click()
    own(page, "Odile").first.locator("[aria-haspopup=menu]").click()
    page.locator("dialog.k-menu [data-deed=export]").click()
    expect(page.get_by_role("dialog", name="导出Odile").locator("[data-form]")).to_have_count(3)
    shot(page, "card-export-zh")
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []
