"""From what the service says to what each component shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from chat.service import ChatService
from chat.views import JobView, TranscriptView
from ui import fading_values, health_values, memory_values, values

WINDOW = 60
"""Messages shown at first, and added by each "earlier"."""
MEMORIES = 60

Updates = dict[Any, Any]
"""Component -> its new value; what is not named stays as it is."""


@dataclass(frozen=True)
class Surfaces:
    """The components of one page. What a value of each holds is said by the function in `ui.values` that makes it."""

    facts: gr.HTML
    """Unseen: what stays the same while the page is open."""
    place: gr.HTML
    """Unseen: which chat this tab is at. It owns the address, and asks for news."""
    pages: gr.HTML
    """Unseen: further windows the transcript asked for, apart from the transcript's own value, so that neither can overtake the other."""
    shelf: gr.HTML
    """The left column: brand, language, characters, chats."""
    banner: gr.HTML
    """One error at a time, in a sentence."""
    transcript: gr.HTML
    live: gr.HTML
    """The reply on its way."""
    composer: gr.HTML
    tabs: gr.HTML
    """Which sheet of the right column is on top. It carries no value; it says which one the reader wants."""
    story: gr.HTML
    persona: gr.HTML
    insights: gr.HTML
    topics: gr.HTML
    memories: gr.HTML
    health: gr.HTML
    spans: gr.HTML
    """Unseen: rounds of the story that were opened."""
    fading: gr.HTML
    """Courses of scores, and what was forgotten."""
    receipt: gr.HTML
    actions: gr.HTML
    """Unseen: what a person does to a conversation, and whether it was done."""
    tree: gr.HTML
    """Unseen until it is opened, like the two below: the branches of the chat."""
    bin: gr.HTML
    """What was deleted and can come back."""
    controls: gr.HTML
    """What was asked about one memory or one round."""
    queue: gr.HTML
    """The memory work that is not done."""
    learning: gr.HTML
    """Learning from what replies use."""
    asking: gr.HTML
    """A question to the memory, and what it answers."""
    searching: gr.HTML
    """Unseen until it is opened: what a search found."""
    characters: gr.HTML
    """Unseen until it is opened: an own character being made or changed."""
    lorebooks: gr.HTML
    """Unseen until it is opened: the reader's own lorebooks."""
    portable: gr.HTML
    """Unseen until it is opened: a chat as a file that leaves or comes in."""
    samples: gr.HTML
    """Unseen until it is opened: the sample stories, and the tour."""
    prefs: gr.BrowserState
    """The chat last open."""

    @property
    def conversation(self) -> list[Any]:
        return [self.transcript, self.live, self.banner, self.shelf, *self.sheets, self.receipt]

    @property
    def sheets(self) -> list[Any]:
        """What is remembered, a sheet a tab; only the one on top is kept up to date."""
        return [self.story, self.persona, self.insights, self.topics, self.memories, self.fading, self.health]


SHEETS = ("persona", "story", "insights", "topics", "memories", "fading", "receipt", "health")
"""Tabs; the first is on top at first: it fills from the second message on."""


@dataclass(frozen=True)
class Wanted:
    """Which sheet the reader has on top, and how they want the memories listed."""

    tab: str = SHEETS[0]
    shelf: str = "fact"
    order: str = "score"
    limit: int = MEMORIES
    chosen: str = ""
    """Memory whose forgetting the reader looks at."""
    of: str = ""
    """Of several characters the one whose memory is shown; empty: the first."""
    reading: str = ""
    """Message whose receipt the reader chose; empty while they follow the newest."""
    read: str = ""
    """Id of that receipt as the page has it."""


class Painter:
    """Reads the service for one page. Every method raises what the service raises."""

    def __init__(self, service: ChatService, surfaces: Surfaces) -> None:
        self.service = service
        self.surfaces = surfaces

    def shelf(self, user: str) -> Updates:
        own, notices, asked_at = self.service.own_characters, self.service.notices, values.asked_at()
        shelf = values.shelf(
            self.service.chats(user),
            own.all(user),
            favourites=own.favourites(user),
            noticed=notices.accepted(user),
            hides_adult=notices.hides_adult(user),
            unwritable=self.service.unwritable(),
        )
        return {self.surfaces.shelf: {**shelf, "asked_at": asked_at}}

    def transcript(self, user: str, chat_id: str) -> Updates:
        """The newest window and the reply on its way; together they hold each reply exactly once."""
        version = self.service.version(user, chat_id)  # read first: what changes from here on is seen by the next tick
        before = self.service.job(user, chat_id)
        window = self.service.transcript(user, chat_id, limit=WINDOW)
        job = self.service.job(user, chat_id)
        if job is not None and (before is None or before.id != job.id or (job.final and not before.final)):
            window = self.service.transcript(user, chat_id, limit=WINDOW)
        settled = job is not None and (job.final or (job.kind == "reply" and _has_reply(window, job)))
        updates: Updates = {
            self.surfaces.transcript: values.transcript(chat_id, window, version=version, settled=_settled(job, itself=settled))
        }
        if job is not None and (not settled or job.kind == "draft"):  # of a draft, nothing else keeps the text
            updates[self.surfaces.live] = values.live(job)
        return updates

    def sheet(self, user: str, chat_id: str, wanted: Wanted) -> Updates:
        """The sheet on top. The receipt has a way of its own, as it changes with replies alone."""
        match wanted.tab:
            case "story":
                return {self.surfaces.story: memory_values.story(chat_id, self.service.story(user, chat_id, wanted.of))}
            case "persona":
                return {self.surfaces.persona: memory_values.persona(chat_id, self.service.persona(user, chat_id, wanted.of))}
            case "insights":
                return {self.surfaces.insights: memory_values.insights(chat_id, self.service.insights(user, chat_id, wanted.of))}
            case "topics":
                return {self.surfaces.topics: memory_values.topics(chat_id, self.service.topics(user, chat_id, wanted.of))}
            case "memories":
                view = self.service.memories(user, chat_id, shelf=wanted.shelf, order=wanted.order, limit=wanted.limit, of=wanted.of)
                return {self.surfaces.memories: memory_values.memories(chat_id, view, order=wanted.order)}
            case "fading":
                forgetting = self.service.fading.look(user, chat_id, chosen=wanted.chosen, of=wanted.of)
                return {self.surfaces.fading: fading_values.fading(chat_id, forgetting)}
            case "health":
                return {self.surfaces.health: health_values.health(chat_id, self.service.health.look(user, chat_id))}
        return {}

    def unknown(self, updates: Updates, known: Mapping[str, str]) -> Updates:
        """The updates without what the page shows already. known: by component, named as in Surfaces, the mark of what it shows."""
        names = {getattr(self.surfaces, field.name): field.name for field in fields(self.surfaces)}
        left: Updates = {}
        for component, value in updates.items():
            mark = value.get("mark")
            if mark is None or mark != known.get(names[component]):
                left[component] = value
            elif component is self.surfaces.transcript:
                left[component] = values.same_transcript(value)
        return left

    def receipt(self, user: str, chat_id: str, *, known: str, wanted: Wanted) -> Updates:
        """The receipt that the reader chose, if it is another by now (its message has another wording), else the newest, unless the page has it.

        known: id of the newest that the page has. A page is told if the message that the reader chose is gone.
        """
        chosen = self.service.receipt(user, chat_id, wanted.reading) if wanted.reading else None
        if chosen is not None and chosen.id != wanted.read:
            return {self.surfaces.receipt: memory_values.receipt(chat_id, chosen, asked=True)}
        view = self.service.receipt(user, chat_id)
        gone = wanted.reading if chosen is None else ""
        if view is not None and view.id == known and not gone:
            return {}
        return {self.surfaces.receipt: memory_values.receipt(chat_id, view, asked=False, gone=gone)}

    def chat(self, user: str, chat_id: str, *, wanted: Wanted, receipt: str = "") -> Updates:
        """Everything about one chat. receipt: as `known` of `receipt`."""
        return {
            **self.transcript(user, chat_id),
            **self.sheet(user, chat_id, wanted),
            **self.receipt(user, chat_id, known=receipt, wanted=wanted),
            **self.shelf(user),
        }

    def ended(self, job: JobView) -> Updates:
        """What is to be said about a reply that ended: why it failed, or nothing any more."""
        return {self.surfaces.banner: values.failed_reply(job) or values.no_trouble()}


def _has_reply(window: TranscriptView, job: JobView) -> bool:
    """Whether the newest message is no longer the one that is answered: then the reply is already committed, though its job has not yet said so."""
    if not job.after:
        return bool(window.messages) and window.messages[-1].role != "user"
    return job.after in {m.id for m in window.messages[:-1]}


def _settled(job: JobView | None, *, itself: bool) -> str:
    """Ids of the jobs of which the transcript has everything, with blanks between them: of several characters who answer in turn those before, and the last if
    it is settled itself."""
    return " ".join((*job.earlier, *([job.id] if itself else []))) if job is not None else ""
