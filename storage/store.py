"""The store: the repositories of one data folder, opened together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from storage.accounts import Accounts
from storage.annotation_dumps import AnnotationDumps
from storage.annotation_gifts import AnnotationGifts
from storage.annotation_marks import AnnotationMarks
from storage.annotation_outlines import AnnotationOutlines
from storage.annotation_probes import AnnotationProbes
from storage.annotation_projects import AnnotationProjects
from storage.annotation_regular import AnnotationRegular
from storage.annotation_regular_reviews import AnnotationRegularReviews
from storage.annotation_reviews import AnnotationReviews
from storage.annotation_runs import AnnotationRuns
from storage.annotation_takings import AnnotationTakings
from storage.annotation_work import AnnotationWork
from storage.bin import Bin
from storage.branches import Branches
from storage.bundle import Bundles
from storage.carrying import Carrying
from storage.characters import Characters
from storage.chats import Chats
from storage.controls import Controls
from storage.database import Database
from storage.derivations import Derivations
from storage.erasures import Erasures
from storage.fates import Fates
from storage.favourites import Favourites
from storage.folder import DataFolder
from storage.groups import Groups
from storage.learning import LearningStates
from storage.listening import Listening
from storage.lorebooks import Lorebooks
from storage.memories import Memories
from storage.message_words import MessageSearch
from storage.model_settings import ModelSettings
from storage.model_uses import ModelUses
from storage.notices import Notices
from storage.player_ties import PlayerTies
from storage.players import Players
from storage.readings import Readings
from storage.receipts import Receipts
from storage.records import Kind
from storage.resting import Resting
from storage.samples import Samples
from storage.sessions import Sessions
from storage.story import StoryDivision
from storage.task_list import TaskList
from storage.tasks import Tasks
from storage.tree import Tree
from storage.unread import Unread
from storage.vectors import Vectors
from storage.wordings import Wordings


class Store:
    """folder: a data folder; owned or not, SQLite may be used by both. Raises StorageDamaged, also where the database of a used folder is gone."""

    def __init__(self, folder: DataFolder, *, durable: bool = True) -> None:
        self.folder = folder
        folder.check_database()
        self.database = Database(folder.database, durable=durable)
        self.chats = Chats(self.database)
        self.characters = Characters(self.database)
        self.favourites = Favourites(self.database)
        self.notices = Notices(self.database)
        self.players = Players(self.database, self.chats)
        self.player_ties = PlayerTies(self.database)
        self.lorebooks = Lorebooks(self.database)
        self.memories = Memories(self.database, self.chats)
        self.controls = Controls(self.database, self.chats)
        self.readings = Readings(self.database, self.chats)
        self.resting = Resting(self.database, self.chats)
        self.fates = Fates(self.database, self.chats)
        self.tree = Tree(self.database, self.chats)
        self.wordings = Wordings(self.database, self.chats)
        self.branches = Branches(self.database, self.chats)
        self.groups = Groups(self.database, self.chats)
        self.carrying = Carrying(self.database, self.chats)
        self.listening = Listening(self.database, self.chats)
        self.bin = Bin(self.database, self.chats)
        self.story = StoryDivision(self.database, self.chats)
        self.bundles = Bundles(self.database, self.chats)
        self.derivations = Derivations(self.database, self.chats)
        self.model_uses = ModelUses(self.database, self.chats)
        self.model_settings = ModelSettings(self.database)
        self.search = MessageSearch(self.database, self.chats)
        self.samples = Samples(self.database, self.chats)
        self.sessions = Sessions(self.database, self.chats)
        self.tasks = Tasks(self.database)
        self.task_list = TaskList(self.database)
        self.receipts = Receipts(self.database, self.chats)
        self.unread = Unread(self.database, self.chats)
        self.vectors = Vectors(self.database)
        self.learning = LearningStates(self.database)
        self.accounts = Accounts(self.database)
        self.annotation_projects = AnnotationProjects(self.database)
        self.annotation_gifts = AnnotationGifts(self.database)
        self.annotation_probes = AnnotationProbes(self.database)
        self.annotation_regular = AnnotationRegular(self.database)
        self.annotation_regular_reviews = AnnotationRegularReviews(self.database)
        self.annotation_runs = AnnotationRuns(self.database)
        self.annotation_dumps = AnnotationDumps(self.database, self.annotation_projects)
        self.annotation_outlines = AnnotationOutlines(self.database)
        self.annotation_marks = AnnotationMarks(self.database, self.annotation_projects)
        self.annotation_takings = AnnotationTakings(self.database, self.annotation_gifts)
        self.annotation_work = AnnotationWork(self.database)
        self.annotation_reviews = AnnotationReviews(self.database, self.annotation_work)
        self.erasures = Erasures(folder, self.database)

    def memory_ids(self, kinds: Iterable[Kind]) -> Iterator[tuple[str, str, str]]:
        """(user id, chat id, memory id) of every memory of these kinds that is not deleted: ids alone, for upkeep of the index."""
        for row in self.database.read().execute(
            """SELECT c.user_id, m.chat_id, m.id FROM memory m JOIN chat c ON c.id = m.chat_id
            WHERE m.status <> 'deleted' AND c.deleted_at IS NULL AND m.kind IN (SELECT value FROM json_each(?)) ORDER BY m.ordinal""",
            (json.dumps([kind.value for kind in kinds]),),
        ):
            yield row["user_id"], row["chat_id"], row["id"]

    def close(self) -> None:
        self.database.close()
