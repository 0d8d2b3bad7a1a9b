"""How a story is divided: chapters closed early and presets, with undo, branches, rebuilding and the bundle."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.assembly import Memory, open_memory, open_store
from chat.errors import NothingToTell
from chat.portable import Portable
from chat.views import StoryView
from memory.engine import ANEW, mend_task
from models.scripted import Script
from storage.errors import ChangedElsewhere, NotFound
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk, house_settings
from tests.chat.portable_story import tell
from tests.chat.rewritten import again, edition, rewriting

TOLD = (
    "I live in a small flat above a bakery in Porto.",
    "My sister Ida is a nurse.",
    "I am allergic to walnuts.",
    "I have a grey cat called Biscuit.",
)


def story(talk: Talk) -> StoryView:
    talk.house.memory.worker.wake()
    talk.remembered()
    return talk.house.service.story(LOCAL_USER, talk.chat_id)


def summarise(talk: Talk) -> None:
    rewriting(talk).summarise(LOCAL_USER, talk.chat_id, edition=edition(talk))


def chapters(talk: Talk) -> list[tuple[int, int]]:
    return [(c.first_round, c.last_round) for c in story(talk).chapters]


def lines(view: StoryView) -> list[str]:
    return [line.text for chapter in view.chapters for line in chapter.lines]


def test_a_chapter_closed_now_tells_the_newest_round_too(talk: Talk) -> None:
    for text in TOLD:
        talk.say(text)
    assert chapters(talk) == []
    assert story(talk).open_rounds == 4
    summarise(talk)
    view = story(talk)
    assert [(c.first_round, c.last_round) for c in view.chapters] == [(0, 4)]
    assert any("Biscuit" in line for line in lines(view)), "the newest round is over with it, so it is read"
    assert (view.so_far, view.open_rounds) == ((), 0)
    talk.say("Yesterday I bought a brass compass in Braga.")
    talk.say("Good evening.")
    view = story(talk)
    assert [(c.first_round, c.last_round) for c in view.so_far] == [(5, 5)]
    assert len(view.chapters) == 1


def test_a_closed_chapter_is_told_anew_when_its_last_reply_is_made_again(talk: Talk) -> None:
    for text in TOLD:
        talk.say(text)
    summarise(talk)
    before = lines(story(talk))
    again(talk, talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages[-1].id, "My brother Padraig sells peat in Galway.")
    view = story(talk)
    assert [(c.first_round, c.last_round) for c in view.chapters] == [(0, 4)]
    assert set(before) & set(lines(view))


def test_closing_is_undone_and_done_again_and_what_was_told_comes_back_as_it_was(talk: Talk) -> None:
    for text in TOLD:
        talk.say(text)
    summarise(talk)
    before = story(talk)
    assert rewriting(talk).undoable(LOCAL_USER, talk.chat_id)[0] == "summarise"
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert chapters(talk) == []
    assert story(talk).so_far
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert story(talk) == before


def test_nothing_is_closed_where_nothing_is_open(talk: Talk) -> None:
    with pytest.raises(NothingToTell):
        summarise(talk)
    talk.say(TOLD[0])
    summarise(talk)
    now = edition(talk)
    with pytest.raises(NothingToTell):
        summarise(talk)
    assert edition(talk) == now
    with pytest.raises(ChangedElsewhere):
        rewriting(talk).summarise(LOCAL_USER, talk.chat_id, edition=now - 1)
    assert rewriting(talk).undoable(LOCAL_USER, talk.chat_id)[0] == "summarise"


def test_a_message_that_waits_for_its_reply_is_left_to_the_next_chapter(talk: Talk) -> None:
    talk.say(TOLD[0])
    talk.say(TOLD[1])
    rewriting(talk).delete(
        LOCAL_USER, talk.chat_id, talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages[-1].id, edition=edition(talk)
    )
    summarise(talk)
    assert chapters(talk) == [(0, 1)]
    assert story(talk).open_rounds == 1


def test_a_chapter_is_closed_on_its_branch_alone_and_a_fork_behind_it_takes_it_along(talk: Talk) -> None:
    for text in TOLD[:3]:
        talk.say(text)
    main, third = talk.branch_id, talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages[-1].id
    rewriting(talk).checkpoint(LOCAL_USER, talk.chat_id, third, "before", edition=edition(talk))
    (before,) = {b.id for b in talk.house.memory.store.branches.all(talk.scope)} - {main}
    summarise(talk)
    talk.say(TOLD[3])
    rewriting(talk).branch(LOCAL_USER, talk.chat_id, third, "behind", edition=edition(talk))
    assert chapters(talk) == [(0, 3)]
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, before, edition=edition(talk))
    assert chapters(talk) == []
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, main, edition=edition(talk))
    assert chapters(talk) == [(0, 3)]


def test_a_chapter_follows_what_its_messages_say_now_and_is_gone_with_the_message_it_ends_with(talk: Talk) -> None:
    for text in TOLD[:3]:
        talk.say(text)
    summarise(talk)
    messages = talk.house.service.transcript(LOCAL_USER, talk.chat_id).messages
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, messages[3].id, "My brother Tom is a cooper.", edition=edition(talk))
    assert "Tom" in " ".join(lines(story(talk)))
    assert "Ida" not in " ".join(lines(story(talk)))
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, messages[5].id, edition=edition(talk))
    assert chapters(talk) == []
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert chapters(talk) == [(0, 3)]


def test_what_a_person_wrote_about_a_chapter_stands_when_it_is_closed_again(talk: Talk) -> None:
    for text in TOLD:
        talk.say(text)
    summarise(talk)
    (chapter,) = story(talk).chapters
    talk.house.service.controls.edit(LOCAL_USER, talk.chat_id, chapter.id, "Four rounds by the fire.")
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert chapters(talk) == []
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert lines(story(talk)) == ["Four rounds by the fire."]


def test_only_a_preset_that_there_is_can_be_chosen_and_choosing_it_twice_is_one_step(talk: Talk) -> None:
    with pytest.raises(NotFound):
        rewriting(talk).divide(LOCAL_USER, talk.chat_id, "epic", edition=edition(talk))
    rewriting(talk).divide(LOCAL_USER, talk.chat_id, "short", edition=edition(talk))
    rewriting(talk).divide(LOCAL_USER, talk.chat_id, "short", edition=edition(talk))
    assert story(talk).preset == "short"
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    view = story(talk)
    assert (view.preset, view.presets) == ("paper", {"paper": (30, 150), "short": (12, 36)})


# On a longer story, made once


@pytest.fixture(scope="module")
def long_story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Scope]:
    folder = tmp_path_factory.mktemp("division") / "data"
    memory = open_memory(house_settings(folder))
    scope = tell(memory, rounds=38)
    memory.close()
    return folder, scope


def _story(memory: Memory, scope: Scope) -> list[tuple[int, int, int, tuple[str, ...]]]:
    memory.work_off()
    told = memory.engine.overview.story(scope, memory.store.chats.chat(scope).branch_id, current_round=38)
    return [(p.span.tier, p.span.first, p.span.last, tuple(line.text for line in p.lines)) for p in (*told.arcs, *told.chapters)]


def _mend(memory: Memory, scope: Scope, first_round: int = 0) -> None:
    for branch in memory.store.branches.all(scope):
        memory.store.tasks.add(scope, mend_task(branch.id, first_round=first_round))


def test_another_preset_tells_the_story_anew_and_the_first_comes_back_with_its_own(long_story: tuple[Path, Scope]) -> None:
    folder, scope = long_story
    memory = open_memory(house_settings(folder))
    try:
        branch_id = memory.store.chats.chat(scope).branch_id
        paper = _story(memory, scope)
        assert [p[:3] for p in paper] == [(2, 0, 29)]
        memory.store.story.choose(scope, branch_id, "short")
        _mend(memory, scope)
        short = _story(memory, scope)
        assert [p[:3] for p in short] == [(3, 0, 35), (2, 0, 11), (2, 12, 23), (2, 24, 35)]
        memory.store.controls.supersede_all(scope)
        _mend(memory, scope, ANEW)
        assert _story(memory, scope) == short, "made anew it is the same"
        memory.store.story.choose(scope, branch_id, "paper")
        _mend(memory, scope)
        assert _story(memory, scope) == paper
    finally:
        memory.close()


def test_a_bundle_takes_preset_and_ends_along(long_story: tuple[Path, Scope], tmp_path: Path) -> None:
    folder, scope = long_story
    memory = open_memory(house_settings(folder))
    branch_id = memory.store.chats.chat(scope).branch_id
    end = next(m for m in memory.store.chats.path(scope, branch_id, limit=90) if m.round == 16)
    memory.store.story.end(scope, branch_id, end.id)
    memory.store.story.choose(scope, branch_id, "short")
    _mend(memory, scope)
    here = _story(memory, scope)
    assert [p[:3] for p in here if p[0] == 2] == [(2, 0, 11), (2, 12, 16), (2, 17, 23), (2, 24, 35)]
    bundle = Portable(memory.store).export(LOCAL_USER, scope.chat_id)
    memory.close()
    for place in (tmp_path / "other", folder):  # as itself, and as a copy beside itself
        store = open_store(house_settings(place))
        chat_id = Portable(store).load(LOCAL_USER, bundle)
        store.close()
        there = open_memory(house_settings(place))
        try:
            new = Scope.of(LOCAL_USER, chat_id)
            assert (
                there.store.chats.chat(new).story,
                list(there.store.story.ends(new, there.store.chats.chat(new).branch_id).values()),
            ) == ("short", [16])
            assert _story(there, new) == here
            there.store.controls.supersede_all(new)
            _mend(there, new, ANEW)
            assert _story(there, new) == here
        finally:
            there.close()


def test_a_chapter_is_closed_only_where_the_path_is(talk: Talk) -> None:
    talk.model.enqueue(Script(("Mm.",)))
    talk.send(TOLD[0])
    talk.wait()
    with pytest.raises(NotFound):
        talk.house.memory.store.story.end(talk.scope, talk.branch_id, "0" * 32)
