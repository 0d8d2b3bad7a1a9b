"""The page: where each component stands and which handler answers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from chat.service import ChatService
from settings import Settings
from ui.accounts.pages import AccountPages
from ui.annotation.pages import AnnotationPages
from ui.asking import Asking
from ui.cards import CardFiles
from ui.characters import Characters
from ui.clock import by_the_clock
from ui.components.script import BRAND, script_routes
from ui.components.surface import surface
from ui.controls import Controls
from ui.crowd import AT_ONCE, Crowd
from ui.door import Door
from ui.following import Followers, Following
from ui.headers import SafeHeaders
from ui.learning import Learning
from ui.lorebooks import Lorebooks
from ui.many_characters import ManyAtOnce
from ui.monitoring import Monitoring
from ui.notices import Heeding
from ui.opening import PREFS, Opening
from ui.painter import Painter, Surfaces
from ui.panels import Panels
from ui.rewriting import Rewrites
from ui.runs.pages import RunPages
from ui.samples import SampleStories
from ui.searching import Searching
from ui.talk import Talk
from ui.transfers import Exports, routes
from ui.unchanged import can_stay, in_full

STYLES = tuple(sorted((Path(__file__).parent / "style").glob("*.css")))
PREFS_KEY = "keepsake.prefs"
PREFS_SECRET = "keepsake"
"""Only there because Gradio makes up a new one at each start and then cannot read what it kept; it protects nothing, and nothing secret is kept."""
MOST_TABS = 300
"""Browser tabs whose last values the server keeps in memory."""
MOST_UPLOAD = "1kb"
"""Gradio's upload address is closed (`ui.headers`); the page takes files at one of its own."""


def build_page(service: ChatService, settings: Settings) -> gr.Blocks:
    """The whole page, wired and not yet served."""
    with gr.Blocks(title="Keepsake", fill_width=True, analytics_enabled=False) as page:
        surfaces = _layout()
        painter = Painter(service, surfaces)
        followers = Followers()
        _wire(page, surfaces, Opening(painter, followers), Talk(painter), Following(painter, followers), Panels(painter))
        _wire_rewriting(surfaces, Rewrites(painter))
        _wire_controls(surfaces, Controls(painter))
        on(surfaces.portable.export, Exports(painter).export, [surfaces.portable, surfaces.banner])
        _wire_learning(surfaces, Learning(painter))
        _wire_asking(surfaces, Asking(painter))
        on(surfaces.searching.find, Searching(painter).find, [surfaces.searching, surfaces.banner])
        _wire_characters(surfaces, Characters(painter), CardFiles(painter), Lorebooks(painter))
        on(surfaces.lorebooks.many, ManyAtOnce(painter).many, [surfaces.characters, surfaces.portable, surfaces.shelf, surfaces.banner])
        _wire_samples(surfaces, SampleStories(painter, followers))
        on(surfaces.composer.heed, Heeding(painter).heed, [surfaces.shelf, surfaces.banner])
    return page


def _layout() -> Surfaces:
    house = surface("facts", "icons", "edges", "overlay", "menu", unseen=True)
    place = surface("place", unseen=True)
    actions = surface("actions", "message", "tongues", "speaking", "translating", "editing", "noting", "marking", "keys", unseen=True)
    prefs = can_stay(gr.BrowserState(PREFS, storage_key=PREFS_KEY, secret=PREFS_SECRET))
    with gr.Row(elem_id="k-house"):
        with gr.Column(elem_id="k-shelf"):
            shelf = surface("chats", "account", "gathering", "hearing")
        with gr.Column(elem_id="k-centre"):
            surface("masthead", "guide")
            banner = surface("banner")
            with gr.Column(elem_id="k-scroll"):
                transcript = surface("transcript", "welcome", "kept", "readto")
                live = surface("live")
            composer = surface("composer", "notice", "drafting", "company", "listening", "remembering", "collecting")
        with gr.Column(elem_id="k-panel"):
            tabs = surface("tabs")
            story = surface("story")
            persona = surface("persona")
            insights = surface("insights")
            topics = surface("topics")
            memories = surface("memories")
            fading = surface("fading", "chart")
            receipt = surface("receipt")
            health = surface("health")
    pages = surface("pages", unseen=True)
    spans = surface("spans", unseen=True)
    tree = surface("tree", unseen=True)
    binned = surface("bin", unseen=True)
    controls = surface("controls", unseen=True)
    queue = surface("queue", unseen=True)
    learning = surface("learning", unseen=True)
    asking = surface("asking", unseen=True)
    searching = surface("searching", unseen=True)
    characters = surface("characters", "stances", "own", "cards", "players", "playing", unseen=True)
    lorebooks = surface("lorebooks", "choosing", "gallery", unseen=True)
    portable = surface("portable", "carrying", "passing", "feeds", "arrivals", "models", "connecting", "fetching", "sampling", unseen=True)
    samples = surface("samples", "tour", unseen=True)
    return Surfaces(
        facts=house,
        place=place,
        pages=pages,
        shelf=shelf,
        banner=banner,
        transcript=transcript,
        live=live,
        composer=composer,
        tabs=tabs,
        story=story,
        persona=persona,
        insights=insights,
        topics=topics,
        memories=memories,
        spans=spans,
        health=health,
        fading=fading,
        receipt=receipt,
        actions=actions,
        tree=tree,
        bin=binned,
        controls=controls,
        queue=queue,
        learning=learning,
        asking=asking,
        searching=searching,
        characters=characters,
        lorebooks=lorebooks,
        portable=portable,
        samples=samples,
        prefs=prefs,
    )


UNSEEN: dict[str, Any] = {"show_progress": "hidden", "show_progress_on": [], "concurrency_limit": None, "api_visibility": "private"}
"""Of an event that nothing but this page sees. Shown on no component: else Gradio copies what every one of them holds whenever an event begins, goes on or ends."""


def on(
    event: Callable[..., Any], handler: Callable[..., Any], outputs: Sequence[Any], inputs: Any = None, *, mode: str = "multiple"
) -> None:
    """Answer an event of a component, unseen by anything but this page."""
    event(
        in_full(by_the_clock(handler), outputs),
        inputs,
        list(outputs),
        trigger_mode=mode,
        **UNSEEN,
    )


def _wire(page: gr.Blocks, s: Surfaces, opening: Opening, talk: Talk, following: Following, panels: Panels) -> None:
    everything = [s.place, s.prefs, *s.conversation]

    at_first = [s.facts, *everything]
    page.load(in_full(opening.load, at_first), s.prefs, at_first, **UNSEEN)
    for source in (s.shelf, s.transcript, s.portable, s.searching):
        on(source.open, opening.open, everything)
    for source in (s.shelf, s.transcript):
        on(source.create, opening.create, everything, mode="once")
    on(s.shelf.gather, opening.gather, everything, mode="once")
    on(s.place.went, opening.went, everything)

    on(s.composer.send, talk.send, [s.composer, *s.conversation])
    on(s.composer.stop, talk.stop, [s.banner])
    on(s.transcript.reply, talk.reply, s.conversation, mode="once")
    on(s.transcript.earlier, talk.earlier, [s.pages, s.banner])
    on(s.transcript.around, talk.around, [s.pages, s.banner])

    on(s.place.follow, following.follow, s.conversation)
    on(s.place.tick, following.tick, s.conversation, mode="once")
    on(s.place.hearken, following.hearken, s.conversation)

    for source in (s.tabs, s.memories, s.fading, s.health):
        on(source.show, panels.show, [*s.sheets, s.banner])
    on(s.memories.retry, panels.retry, [*s.sheets, s.banner])
    on(s.story.span, panels.span, [s.spans, s.banner])
    on(s.topics.end, panels.end_session, [*s.sheets, s.banner], mode="once")
    for source in (s.actions, s.receipt):
        on(source.receipt, panels.receipt, [s.receipt, s.banner])


def _wire_rewriting(s: Surfaces, rewrites: Rewrites) -> None:
    on(s.actions.act, rewrites.act, [s.actions, *s.conversation])
    on(s.tree.tree, rewrites.tree, [s.tree, s.banner])
    on(s.bin.bin, rewrites.bin, [s.bin, s.banner])
    on(s.shelf.arrange, rewrites.arrange, [s.actions, s.bin, s.place, *s.conversation])


def _wire_controls(s: Surfaces, controls: Controls) -> None:
    on(s.controls.control, controls.control, [s.actions, *s.sheets, s.receipt, s.banner])
    on(s.controls.rederive, controls.rederive, [s.controls, s.banner])
    on(s.controls.round, controls.round, [s.controls, s.banner])
    on(s.queue.queue, controls.queue, [s.queue, s.banner])
    on(s.queue.task, controls.task, [s.queue, *s.sheets, s.banner])


def _wire_learning(s: Surfaces, learning: Learning) -> None:
    on(s.learning.learning, learning.look, [s.learning, s.banner])
    on(s.learning.teach, learning.teach, [s.learning, s.portable, s.banner])


def _wire_asking(s: Surfaces, asking: Asking) -> None:
    on(s.asking.ask, asking.ask, [s.asking, s.banner])
    on(s.asking.look, asking.look, [s.asking, s.banner])
    on(s.asking.halt, asking.stop, [s.asking, s.banner])


def _wire_characters(s: Surfaces, characters: Characters, files: CardFiles, lorebooks: Lorebooks) -> None:
    on(s.lorebooks.lore, lorebooks.lore, [s.lorebooks, s.portable])
    on(s.characters.card, files.card, [s.characters, s.portable])
    on(s.characters.form, characters.form, [s.characters, s.banner])
    on(s.characters.weigh, characters.weigh, [s.characters])
    on(s.characters.keep, characters.keep, [s.characters, s.shelf, s.banner])


def _wire_samples(s: Surfaces, stories: SampleStories) -> None:
    on(s.samples.look, stories.look, [s.samples, s.shelf, s.banner])
    on(s.samples.sample, stories.sample, [s.actions, s.samples, s.place, s.prefs, *s.conversation], mode="once")


def launch_options(
    service: ChatService,
    settings: Settings,
    accounts: AccountPages | None = None,
    annotation: AnnotationPages | None = None,
    runs: RunPages | None = None,
) -> dict[str, Any]:
    """Arguments of `launch()`: one page, nothing shared, monitored, documented, recorded or fetched from elsewhere. accounts: None where everybody is the
    local user; annotation, runs: None where the workbench, or the page of evaluation runs, is not served."""
    doors = [Middleware(Door, entrance=accounts.entrance, port=settings.port), Middleware(Crowd)] if accounts is not None else []
    served = [settings.host, *settings.hostnames.split(",")]
    ours = [
        *script_routes(),
        *routes(service),
        *Monitoring(service, metrics=settings.metrics).routes(),
        *(pages for one in (accounts, annotation, runs) if one is not None for pages in one.routes()),
    ]
    return {
        "server_name": settings.host,
        "server_port": settings.port,
        "share": False,
        "quiet": True,
        "show_error": False,
        "enable_monitoring": False,
        "run_history": False,
        "mcp_server": False,
        "pwa": False,
        "ssr_mode": False,
        "strict_cors": True,
        "footer_links": [],
        "allowed_paths": [],
        "blocked_paths": [str(settings.data_dir)],
        "max_file_size": MOST_UPLOAD,
        "max_threads": AT_ONCE,
        "state_session_capacity": MOST_TABS,
        "favicon_path": BRAND,
        "head": style_element(),
        "theme": gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]),
        "app_kwargs": {"routes": ours, **SafeHeaders.app_options(served, proxies=settings.proxies, doors=doors)},
    }


def style_element() -> str:
    """The style sheets for the page's head. Not Gradio's `css`: that writes every rule twice, and those inside a media query only for elements in its own
    container, so that a dark `:root` would never come true."""
    return "<style>" + "\n".join(path.read_text(encoding="utf-8") for path in STYLES) + "</style>"


def launch(
    page: gr.Blocks,
    service: ChatService,
    settings: Settings,
    accounts: AccountPages | None = None,
    annotation: AnnotationPages | None = None,
    runs: RunPages | None = None,
) -> None:
    """Serve the page from threads of its own and return. `page.close()` ends it."""
    page.queue(default_concurrency_limit=None, api_open=False, max_size=256)
    page.launch(**launch_options(service, settings, accounts, annotation, runs), prevent_thread_lock=True)
