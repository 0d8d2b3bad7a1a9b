"""What the page can ask for. Every method takes the user and checks that what is named belongs to them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict

from chat import views
from chat.cards import Cards
from chat.carrying import Carrying
from chat.cast import begin_with, character_as, character_in, character_of, mind_of
from chat.characters import OwnCharacters
from chat.controls import MemoryControls
from chat.conversations import Conversations
from chat.ending import end_session
from chat.errors import MessageEmpty, MessageTooLong, NothingToAnswer, ReplyRunning
from chat.everything import Everything
from chat.fading import FadingLooks
from chat.groups import Groups
from chat.health import HealthLooks, Household
from chat.importing import ChatFiles
from chat.kept import kept_of
from chat.learning import LearningControls
from chat.limits import MAX_MESSAGE_CHARS
from chat.listen_tokens import ListenTokens
from chat.listening import Listening
from chat.lorebooks import OwnLorebooks
from chat.many_characters import ManyCharacters
from chat.memory_views import insights_view, memories_view, persona_view, story_view, topics_view
from chat.message_view import answerable, message_view
from chat.model_room import ModelRoom
from chat.operations import answered, open_chat
from chat.passing import PassingChats
from chat.players import OwnPlayers, name_told, persona_with, played
from chat.portable import Portable
from chat.questions import Questions
from chat.read_to import read_to
from chat.receipt_view import read_from, receipt_view, with_words
from chat.remembering import Remembering
from chat.replies import ReplyJob, ReplyJobs
from chat.rewriting import Rewriting
from chat.samples import Samples
from chat.searching import Search
from chat.stance_drafting import StanceDrafts
from chat.story_rounds import StoryRounds
from chat.summaries import summaries
from chat.text import keepable
from chat.transfers import Transfers
from chat.translating import Translations
from chat.turn import Turn
from chat.widening import Widening
from chat.windows import end_around
from memory.engine import MemoryEngine
from memory.overview import FACTS, SHELVES
from memory.persona import teller, told_name
from metrics import ACKNOWLEDGEMENT
from personas.cast import built_in
from personas.unnamed_player import neutral
from personas.written import written_of
from storage.errors import CharacterNotFound
from storage.records import Chat, Kind, Message
from storage.scope import Scope
from storage.store import Store

log = logging.getLogger(__name__)

MAX_WINDOW = 600
"""Most messages a page may ask for at once."""


class ChatService:
    """names: how the player is called by default, by language; status: what answers; household: what is set for the whole house; wake: tells the worker of new
    tasks; tidy: of something erased; models: what is chosen of language models; demo: whether this is `make demo`."""

    def __init__(
        self,
        store: Store,
        engine: MemoryEngine,
        turn: Turn,
        *,
        names: Mapping[str, str],
        status: Callable[[], views.StatusView],
        wake: Callable[[], None],
        tidy: Callable[[], None],
        household: Household,
        models: ModelRoom,
        demo: bool = False,
    ) -> None:
        self._store = store
        self._engine = engine
        self._turn = turn
        self._names = names
        self._status = status
        self._wake = wake
        self._jobs = ReplyJobs()
        self._sending = threading.Lock()
        self.rewriting = Rewriting(store, turn, self._jobs, sending=self._sending, wake=wake)
        self.groups = Groups(store, turn, self._jobs, names=names, sending=self._sending, wake=wake)
        self.widening = Widening(store, self.groups, self._jobs, sending=self._sending, wake=wake)
        self.listening = Listening(store, self._jobs, names=names, sending=self._sending, wake=wake)
        self.remembering = Remembering(store, self._jobs, sending=self._sending, wake=wake)
        self.carrying = Carrying(store, self._jobs, sending=self._sending, wake=wake)
        self.carrying.outdated = engine.overview.outdated
        self.listen_tokens = ListenTokens(store)
        self.conversations = Conversations(store, self._jobs, finish_erasures=engine.finish_erasures)
        self.samples = Samples(store, self.conversations, wake=wake, demo=demo)
        portable = Portable(store, wake=wake)
        self.transfers = self.carrying.transfers = Transfers(portable, store.folder)
        self.models = models
        self.questions = Questions(store, engine.answerer, model=models.choice.answering, teller=self._teller)
        self.translations = Translations(store, models.choice.answering)
        self.stance_drafts = StanceDrafts(models.choice.answering)
        self.fading = FadingLooks(store, engine, teller=self._teller)
        self.story_rounds = StoryRounds(store)
        self.health = HealthLooks(store, engine, household, status=status)
        self.passing = PassingChats(store, turn, names=names)
        self.search = Search(store, teller=self._teller)
        self.own_characters = OwnCharacters(store, count=turn.count_tokens, room=turn.card_tokens, finish_erasures=engine.finish_erasures)
        self.notices = store.notices
        self.many_characters = ManyCharacters(store, self.own_characters)
        self.own_players = OwnPlayers(store, count=turn.count_tokens, room=turn.player_tokens, finish_erasures=engine.finish_erasures)
        self.cards = Cards(store, self.own_characters, self.transfers)
        self.lorebooks = OwnLorebooks(store, self.transfers, finish_erasures=engine.finish_erasures)
        self.everything = Everything(store, portable, self.cards, self.lorebooks, self.transfers)
        self.cards.books = self.lorebooks
        self.chat_files = ChatFiles(store, self.own_characters, wake=wake)
        self.learning = LearningControls(engine, self.transfers)
        self.controls = MemoryControls(store, engine, self._jobs, sending=self._sending, erase=store.erasures.memory, tidy=tidy, wake=wake)

    # Chats

    def characters(self) -> tuple[views.CharacterView, ...]:
        return tuple(views.CharacterView(c.id, c.name, c.tagline, c.language, c.avatar, written_of(c).tags) for c in built_in())

    def player_names(self) -> Mapping[str, str]:
        """How the player is called by default, by language."""
        return self._names

    def chats(self, user_id: str) -> tuple[views.ChatSummary, ...]:
        """The user's chats, last touched first."""
        return summaries(self._store, user_id, samples=self.samples.chats(user_id))

    def create(self, user_id: str, character_id: str) -> str:
        """A new chat's id, in which the player is the persona they have tied to the character, or their default one; the character's greetings are wordings of
        its first message. Raises CharacterNotFound, also of one that was removed."""
        if self._store.characters.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character.")
        character = character_of(self._store, user_id, character_id)
        persona = persona_with(self._store, user_id, character.id, otherwise=self._names.get(character.language, "You"))
        return begin_with(self._store, user_id, character, persona)

    def _open(self, user_id: str, chat_id: str) -> tuple[Scope, Chat]:
        return open_chat(self._store, user_id, chat_id)

    def head(self, user_id: str, chat_id: str) -> views.ChatHeadView:
        _, chat = self._open(user_id, chat_id)
        character = character_in(self._store, chat)
        return views.ChatHeadView(chat.id, character.name, chat.language, character.avatar)

    def version(self, user_id: str, chat_id: str) -> int:
        return self._open(user_id, chat_id)[1].version

    # The transcript

    def transcript(
        self, user_id: str, chat_id: str, *, before: str | None = None, around_round: int | None = None, limit: int = 60
    ) -> views.TranscriptView:
        """A window of the active path: the newest messages, those before a message, or those around a round."""
        scope, chat = self._open(user_id, chat_id)
        limit = max(1, min(limit, MAX_WINDOW))
        end = end_around(self._store, scope, chat, around_round=around_round, limit=limit) if around_round is not None else before
        found = self._store.chats.path(scope, chat.branch_id, limit=limit + 1, before=end)
        shown = list(reversed(found[:limit]))
        newest = self._store.chats.head(scope, chat.branch_id)
        with_receipt = self._store.receipts.which_have(scope, shown)
        leafing = self._store.wordings.leafing(scope, chat.branch_id, shown)
        undo, redo = self._store.tree.undoable(scope)
        branches = self._store.branches.all(scope)
        open_branch = next((b for b in branches if b.id == chat.branch_id), None)
        group = self.groups.view(scope, chat) if chat.members else None
        waits = newest is not None and answerable(newest) and (group is None or bool(group.room))
        return views.TranscriptView(
            messages=tuple(message_view(m, m.id in with_receipt, *leafing.get(m.id, (1, 1))) for m in shown),
            group=group,
            listening=self.listening.view(scope, chat),
            remembers=chat.remembers,
            has_earlier=len(found) > limit,
            has_later=bool(shown and newest and shown[-1].id != newest.id),
            awaiting_reply=waits and not self._jobs.running(chat_id),
            edition=chat.edition,
            undo=undo,
            redo=redo,
            branch=open_branch.name if open_branch else "",
            branch_forked=self._store.chats.place(scope, open_branch.forked_at).round if open_branch and open_branch.forked_at else 0,
            branches=len(branches),
            note=views.AuthorsNoteView(**asdict(chat.note)) if chat.note else None,
            player=played(self._store, chat),
            read_from=read_from(self._store, scope, [m for m in shown if m.id in with_receipt]) if end is None else "",
            read_to=read_to(self._store, scope, chat, newest),
            kept=kept_of(self._store, scope, chat, shown),
        )

    # Turns

    def send(self, user_id: str, chat_id: str, text: str, *, token: str, edition: int | None = None, to: str = "") -> None:
        """Commit the user's text and start the reply. When it returns, the text is safe. The same token twice is one message.

        edition: the one that the page shows; ChangedElsewhere if the conversation is not as it shows it any more. None asks for nothing. to: of several characters
        the one that is to answer.
        """
        began = time.perf_counter()
        clean = keepable(text)
        if not clean.strip():
            raise MessageEmpty("There is nothing to send yet.")
        if len(clean) > MAX_MESSAGE_CHARS:
            raise MessageTooLong(
                f"This message has {len(clean):,} characters; {MAX_MESSAGE_CHARS:,} is the most. It was not sent and stays in the box: shorten or split it.",
                length=len(clean),
                limit=MAX_MESSAGE_CHARS,
            )
        scope, _ = self._open(user_id, chat_id)
        with self._turn.stepping_aside(), self._sending:
            chat = self._store.chats.chat(scope)
            token = str(token)[:100]
            if self._turn.said(scope, chat, token=token) is not None:
                return  # this token was sent before: the message is there and its reply was made or can be asked for
            answered(chat)
            if self._jobs.running(chat_id):
                raise ReplyRunning(
                    "A reply is still being written in this chat. Your text is kept: send it when the reply is done, or stop the reply."
                )
            with self._store.database.write():
                self._store.tree.claim(scope, chat.edition if edition is None else edition)
                message = self._turn.say(scope, chat, clean, token=token)
            ACKNOWLEDGEMENT.observe(time.perf_counter() - began)
            self._wake()
            self._start(scope, self._store.chats.chat(scope), message, asked=to)

    def request_reply(self, user_id: str, chat_id: str, *, edition: int | None = None) -> None:
        """Ask for the reply that the newest message is waiting for. edition: as for `send`."""
        scope, _ = self._open(user_id, chat_id)
        with self._sending:
            chat = self._store.chats.chat(scope)
            answered(chat)
            if not self._jobs.running(chat_id):  # else the one who asked first has it
                self._store.tree.claim(scope, chat.edition if edition is None else edition)
            head = self._store.chats.head(scope, chat.branch_id)
            if head is None or not answerable(head):
                raise NothingToAnswer("There is no message waiting for a reply.")
            self._start(scope, self._store.chats.chat(scope), head)

    def _start(self, scope: Scope, chat: Chat, message: Message, *, asked: str = "") -> None:
        if chat.members:
            self.groups.answer(scope, chat, message, asked=asked)
            return
        character = character_in(self._store, chat)
        job = ReplyJob.of(chat, character)
        self._jobs.start(job, lambda running: self._turn.reply(running, scope, chat, character, message))

    def stop(self, user_id: str, chat_id: str) -> None:
        """Stop the reply at once; what was written of it stays."""
        self._open(user_id, chat_id)
        job = self._jobs.get(chat_id)
        if job is not None:
            job.stop()

    def job(self, user_id: str, chat_id: str) -> views.JobView | None:
        """The reply being made, or the last one made since the start of the program."""
        self._open(user_id, chat_id)
        job = self._jobs.get(chat_id)
        return job.view() if job else None

    def shutdown(self) -> None:
        """Stop running replies and keep what they had; those first, as nothing else of them is kept."""
        self._jobs.stop_all(timeout=5.0)
        self.questions.stop_all(timeout=5.0)
        self.translations.stop_all(timeout=5.0)
        self.stance_drafts.stop_all(timeout=5.0)
        self.passing.leave_all()
        self.models.close()

    # Memory

    def memories(
        self, user_id: str, chat_id: str, *, shelf: str = FACTS, order: str = "score", limit: int = 60, of: str = ""
    ) -> views.MemoriesView:
        """One shelf: `fact`, `episode` or `forgotten`; anything else is the first. of, here and below: of several characters whose memory, by name."""
        scope, chat = self._mind(user_id, chat_id, of)
        name = shelf if shelf in SHELVES else FACTS
        current = self._round(scope, chat)
        found = self._engine.overview.shelf(
            scope, chat.branch_id, name, current_round=current, newest_first=order == "newest", limit=max(1, min(limit, MAX_WINDOW))
        )
        return memories_view(
            found,
            name,
            tell=self._teller(scope, chat),
            capacity=self._engine.capacity,
            current_round=current,
            queue=self._store.tasks.queue(scope),
        )

    def story(self, user_id: str, chat_id: str, of: str = "") -> views.StoryView:
        scope, chat = self._mind(user_id, chat_id, of)
        current = self._round(scope, chat)
        story = self._engine.overview.story(scope, chat.branch_id, current_round=current)
        brought = self._engine.overview.brought(scope, chat.branch_id, Kind.PLOT)
        return story_view(story, chat=chat, tell=self._teller(scope, chat), current_round=current, brought=brought)

    def persona(self, user_id: str, chat_id: str, of: str = "") -> views.PersonaView:
        scope, chat = self._mind(user_id, chat_id, of)
        current = self._round(scope, chat)
        return persona_view(
            self._engine.overview.profile(scope, chat.branch_id, current_round=current, idle=self._engine.idle), current_round=current
        )

    def insights(self, user_id: str, chat_id: str, of: str = "") -> views.InsightsView:
        scope, chat = self._mind(user_id, chat_id, of)
        current = self._round(scope, chat)
        held = self._engine.overview.insights(scope, chat.branch_id, current_round=current)
        character = character_as(self._store, chat, scope.witness)
        return insights_view(held, character, tell=self._teller(scope, chat), current_round=current)

    def topics(self, user_id: str, chat_id: str, of: str = "") -> views.TopicsView:
        scope, chat = self._mind(user_id, chat_id, of)
        called = self._called(scope, chat)
        held = self._engine.overview.topics(scope, chat.branch_id, language=chat.language, idle=self._engine.idle, called=called)
        brought = self._engine.overview.brought(scope, chat.branch_id, Kind.TOPIC)
        return topics_view(held, tell=teller(called), idle=self._engine.idle, brought=brought)

    def end_session(self, user_id: str, chat_id: str) -> None:
        """End the session that the open branch's newest round stands in, if it may go on. Raises ReplyRunning."""
        scope, _ = self._open(user_id, chat_id)
        with self._sending:
            if self._jobs.running(chat_id):
                raise ReplyRunning("A reply is still being written in this chat. Wait until it is done, or stop it, and try again.")
            end_session(self._store, scope, self._store.chats.chat(scope).branch_id, by="user")
        self._wake()

    def _mind(self, user_id: str, chat_id: str, of: str) -> tuple[Scope, Chat]:
        scope, chat = self._open(user_id, chat_id)
        return mind_of(scope, chat, of), chat

    def mind(self, user_id: str, chat_id: str, of: str = "") -> str:
        """Whose memory is shown, of several characters, or empty."""
        return self._mind(user_id, chat_id, of)[0].witness

    def _called(self, scope: Scope, chat: Chat) -> str:
        scope = mind_of(scope, chat, scope.witness)
        return told_name(self._engine.overview.sketch(scope, chat.branch_id), chat.user_name)

    def _teller(self, scope: Scope, chat: Chat) -> Callable[[str], str]:
        return teller(self._called(scope, chat))

    def _round(self, scope: Scope, chat: Chat) -> int:
        head = self._store.chats.head(scope, chat.branch_id)
        return head.round if head else 0

    def receipt(self, user_id: str, chat_id: str, message_id: str | None = None) -> views.ReceiptView | None:
        """What a reply was made from, as it is worded on the open branch; without a message, the newest reply that has a receipt."""
        scope, chat = self._open(user_id, chat_id)
        if message_id is None:
            recent = self._store.chats.path(scope, chat.branch_id, limit=20)
            have = self._store.receipts.which_have(scope, recent)
            message_id = next((m.id for m in recent if m.id in have), None)
        stored = self._store.receipts.of_message(scope, chat.branch_id, message_id) if isinstance(message_id, str) else None
        if stored is None:
            return None
        scope = mind_of(scope, chat, str(stored.body.get("speaker", "")))
        if stored.body.get("heard"):
            stored = with_words(stored, self._store.chats.messages(scope, chat.branch_id, [stored.message_id]))
        sketch = self._engine.overview.sketch(scope, chat.branch_id)
        player = name_told(chat.user_name, sketch) or neutral(chat.language)
        return receipt_view(
            self._store, scope, stored, tell=teller(told_name(sketch, chat.user_name)), player=player, language=chat.language
        )

    def retry_failed(self, user_id: str, chat_id: str) -> int:
        scope, _ = self._open(user_id, chat_id)
        count = self._store.tasks.retry_failed(scope)
        self._wake()
        return count

    def status(self, user_id: str) -> views.StatusView:
        return self._status()

    def unwritable(self) -> str:
        """`storage_full` or `storage_read_only` while nothing can be written, `storage_damaged` where that is why; else empty."""
        trouble = self._store.database.damage or self._store.database.trouble
        return trouble.code if trouble is not None else ""

    def work_of_all(self, *states: str) -> dict[tuple[str, str], int]:
        """How many tasks of memory are in some states, by kind and state, over all users; for whoever looks after the program."""
        return self._store.task_list.counts(of=states)
