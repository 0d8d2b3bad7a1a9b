"""The folder of the index is removed under the running program: recall says that it misses, and the index is built again without a restart."""

from __future__ import annotations

import shutil

from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.waiting import until


def _degraded(talk: Talk) -> str:
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id)
    assert receipt is not None
    return receipt.degraded


def test_an_index_that_is_removed_is_noticed_told_and_built_again(told: Talk) -> None:
    memory = told.house.memory
    held = memory.index.ids()
    assert held
    with memory.worker.paused():  # so that the reply comes before the mending
        shutil.rmtree(memory.store.folder.index)
        told.say("What is my cat called?", "Biscuit.")
        assert _degraded(told) == "reindexing"
        assert memory.engine.reindexing is not None
    until(lambda: memory.engine.reindexing is None)
    told.remembered()
    assert memory.index.ids() >= held
    told.say("And where do I live?", "In Porto.")
    assert _degraded(told) == ""


def test_what_is_written_to_an_index_that_is_removed_is_written_when_it_is_built_again(told: Talk) -> None:
    memory = told.house.memory
    shutil.rmtree(memory.store.folder.index)
    told.say("My brother Rui paints boats.", "Lovely.")
    told.say("Hm.", "Hm.")
    until(lambda: not memory.store.tasks.queue(told.scope).waiting and memory.engine.reindexing is None)
    visible = memory.store.memories.visible(told.scope, told.branch_id)
    facts = memory.store.memories.get(told.scope, visible.ids).values()
    (painted,) = [m for m in facts if m.kind.value == "fact" and "boats" in m.text]
    assert painted.id in memory.index.ids()
