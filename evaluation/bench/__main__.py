"""`make bench`: the figures of speed and durability, in the same form as every other measurement."""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped. What was measured is kept; the report says that it was cut short.")

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from evaluation.records import Figure, describe_run, write_run
from settings import quiet_libraries, read_settings

PARTS = ("speed", "recall", "extraction", "import", "first-token", "stop", "durability", "rewriting", "story", "page", "players", "soak")
UNFINISHED = "cut short: what stands here was measured, the rest was not"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 measured, 1 durability does not hold, 130 or 143 stopped.

    What was measured so far is on disk at any time; a run that is cut says so in its report.
    """
    parser = argparse.ArgumentParser(prog="python -m evaluation.bench", description="Measure speed and durability on this machine.")
    parser.add_argument("--out", type=Path, default=Path("bench-out"))
    parser.add_argument("--parts", default=",".join(PARTS), help=f"comma-separated, of {', '.join(PARTS)}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", default="", help="how many play at once, comma-separated (1,10,40,100)")
    parser.add_argument("--seconds", type=float, default=None, help="how long each number of players plays (300)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions; figures for a first look only")
    options = parser.parse_args(arguments)
    parts = [part for part in options.parts.split(",") if part]
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)}")
    quiet_libraries(read_settings())

    run = describe_run(
        command=["python", "-m", "evaluation.bench", *(arguments if arguments is not None else sys.argv[1:])],
        seed=options.seed,
        quick=options.quick,
        settings={"parts": parts},
        data=(),
        notices=("data of our own: evaluation/bench/conversation.py and long_talk.py (made by rule), spoken.py (written)",),
    )
    figures: list[Figure] = []
    for part in parts:
        found = (
            _players(options.players, options.seconds, quick=options.quick)
            if part == "players"
            else _part(part, quick=options.quick, seed=options.seed)
        )
        for figure in found:
            figures.append(figure)
            write_run(options.out, figures, replace(run, notices=(*run.notices, UNFINISHED)))
            where = " ".join(str(x) for x in (figure.category, figure.memories) if x is not None)
            print(f"{part:12} {where:24} {figure.metric:40} {figure.value:12.4f}  n={figure.n}", flush=True)
    write_run(options.out, figures, run)
    print(f"Written to {options.out}")
    return 1 if any(f.metric in ("lost", "doubled", "wrong_memories") and f.value for f in figures) else 0


def _part(part: str, *, quick: bool, seed: int) -> Iterator[Figure]:
    if part in ("speed", "recall", "import"):
        from evaluation.bench import speed

        if part == "speed":
            return speed.engine_seconds(rounds=40 if quick else speed.ROUNDS)
        if part == "recall":
            return speed.recall_at_sizes(speed.SIZES[:2] if quick else speed.SIZES)
        return speed.import_rounds_per_second(rounds=60 if quick else 300)
    if part == "extraction":
        from evaluation.bench.extraction import grounded_seconds

        return grounded_seconds(times=2 if quick else 5)
    if part in ("first-token", "stop"):
        from evaluation.bench import interference

        return interference.first_token(4 if quick else 40) if part == "first-token" else interference.stop_seconds(2 if quick else 10)
    if part == "rewriting":
        from evaluation.bench.rewriting import rewriting_seconds

        return rewriting_seconds(**({"rounds": 100, "times": 3} if quick else {}))
    if part == "page":
        from evaluation.bench.page import page_figures

        return page_figures(**({"times": 5, "replies": 2, "remembered": 150} if quick else {}))
    if part == "soak":
        from evaluation.bench.soak import soak_figures

        return soak_figures(**({"replies": 300} if quick else {}))
    if part == "story":
        return _stories(4 if quick else 60, 50)
    return _durability(4 if quick else 100, seed=seed)


def _players(players: str, seconds: float | None, *, quick: bool) -> Iterator[Figure]:
    """players: numbers, comma-separated; empty for all of them."""
    from evaluation.bench.players import PLAYERS, SECONDS, players_figures

    counts = [int(count) for count in players.split(",") if count] or (PLAYERS[:2] if quick else PLAYERS)
    return players_figures(players=counts, seconds=seconds or (90.0 if quick else SECONDS))


def _stories(stories: int, steps: int) -> Iterator[Figure]:
    """Random players who rewrite their conversations; a lie of the memory raises."""
    from evaluation.bench.story import play

    played = play(stories, steps)
    yield Figure(
        task="efficiency", dataset="made", system="keepsake", category="story", unit="step", metric="steps_held", value=played, n=stories
    )


def _durability(kills: int, *, seed: int) -> Iterator[Figure]:
    """`kills` of turns and as many of imports."""
    from evaluation.bench.durability import kill_import, kill_turns

    for category, run in (("turns", kill_turns), ("import", kill_import)):
        with tqdm(total=kills, desc=f"Killing {category}", disable=None) as progress:
            damage = run(kills, seed=seed, on_kill=progress.update)
        for metric in ("kills", "acknowledged", "lost", "doubled", "wrong_memories"):
            yield Figure(
                task="efficiency",
                dataset="made",
                system="keepsake",
                category=f"durability {category}",
                unit="message",
                metric=metric,
                value=getattr(damage, metric),
                n=damage.kills,
            )


if __name__ == "__main__":
    sys.exit(main())
