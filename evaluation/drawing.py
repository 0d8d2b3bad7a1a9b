"""Charts drawn with Matplotlib, which is imported when the first one is drawn (a second; it stands in no other room and not in the program's start)."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from libraries import needed

Axes = Any
"""Matplotlib's, whose types are not looked at."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#7F7F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback",
    "PingFang SC", "Hiragino Sans GB", "Heiti SC", "Microsoft YaHei", "SimHei", "Noto Sans CJK JP", "Noto Serif CJK SC",
)  # fmt: skip
"""Families that draw Chinese, those that are there after the one that draws the rest; one collection of fonts often carries them all under its first name."""
WIDTH = 7.6


class Kind(Enum):
    PARTS = "parts"
    """Parts of a data set as rows, a value with its interval for each series."""
    LINES = "lines"
    RATIOS = "ratios"
    """Systems as rows, logarithmic."""


@dataclass(frozen=True)
class Point:
    """x: a row's number, or where it lies on the axis; low, high: of its interval."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """mark: where a line stands that values are to be read against."""

    name: str
    points: Sequence[Point]
    mark: float | None = None


@dataclass(frozen=True)
class Chart:
    kind: Kind
    title: str
    value: str
    """What the values are."""
    along: str
    """What the other axis is, where it is one."""
    series: Sequence[Series]
    labels: Sequence[str] = field(default=())


def draw(chart: Chart, path: Path) -> None:
    """path: without its ending; `.svg` (its words are text, in whatever font the reader has) and `.png` are written. Raises OSError."""
    mpl = needed("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    path.parent.mkdir(parents=True, exist_ok=True)
    fonts = ["DejaVu Sans", *_chinese()]
    style = {
        "font.family": fonts, "font.size": 9.5, "axes.titlesize": 11, "svg.fonttype": "none", "svg.hashsalt": "keepsake", "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False,
    }  # fmt: skip
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # of the SVG, whose reader has other fonts
        FigureCanvasAgg(_figure(Figure, _worded(chart, _drawable))).print_png(
            path.with_name(path.name + ".png"), metadata={"Software": None}
        )
        drawn = FigureCanvasSVG(_figure(Figure, _worded(chart, _plain)))
        drawn.print_svg(path.with_name(path.name + ".svg"), metadata={"Date": None, "Creator": None})


def _figure(make: Callable[..., Any], chart: Chart) -> Any:
    rows = len(chart.labels) * (0.22 * len(chart.series) + 0.2) if chart.labels else 2.6
    height = max(2.4, min(11.0, rows + 1.2 + 0.14 * len(chart.series)))
    figure = make(figsize=(WIDTH, height), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    _DRAWN[chart.kind](axes, chart)
    axes.set_title(chart.title, loc="left")
    figure.legend(loc="outside lower left", ncols=2 if len(chart.series) > 3 else len(chart.series) or 1, fontsize=8.5)
    return figure


def _worded(chart: Chart, words: Callable[[str], str]) -> Chart:
    """With each of its words as they can be drawn."""
    series = [replace(one, name=words(one.name)) for one in chart.series]
    labels = [words(label) for label in chart.labels]
    return replace(chart, title=words(chart.title), value=words(chart.value), along=words(chart.along), series=series, labels=labels)


def _rows(axes: Axes, chart: Chart) -> None:
    _by_row(axes, chart)
    for row in range(1, len(chart.labels)):
        axes.axhline(row - 0.5, color="#dddddd", linewidth=0.6)
    axes.grid(visible=False, axis="y")
    if all(0 <= p.value <= 1 for s in chart.series for p in s.points) and not any(s.mark is not None for s in chart.series):
        axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(chart.value)
    _marks(axes, chart, "axvline")


def _ratios(axes: Axes, chart: Chart) -> None:
    _by_row(axes, chart)
    axes.set_xscale("log")
    axes.set_xlabel(chart.along)
    _marks(axes, chart, "axvline")


def _lines(axes: Axes, chart: Chart) -> None:
    for n, series in enumerate(chart.series):
        points = sorted(series.points, key=lambda p: p.x)
        x, y = [p.x for p in points], [p.value for p in points]
        axes.plot(x, y, color=_of(COLOURS, n), linestyle=_of(LINES, n), marker=_of(MARKERS, n), markersize=5, label=series.name)
        inside = [p for p in points if p.low is not None and p.high is not None]
        if len(inside) > 1:
            axes.fill_between(
                [p.x for p in inside], [p.low for p in inside], [p.high for p in inside], color=_of(COLOURS, n), alpha=0.1, linewidth=0
            )
    axes.set_xlabel(chart.along)
    axes.set_ylabel(chart.value)


def _by_row(axes: Axes, chart: Chart) -> None:
    step = 0.66 / max(1, len(chart.series))
    for n, series in enumerate(chart.series):
        places = [p.x + (n - (len(chart.series) - 1) / 2) * step for p in series.points]
        values = [p.value for p in series.points]
        reach = [
            [p.value - (p.value if p.low is None else p.low) for p in series.points],
            [(p.value if p.high is None else p.high) - p.value for p in series.points],
        ]
        axes.errorbar(
            values, places, xerr=[[max(0.0, r) for r in side] for side in reach], fmt=_of(MARKERS, n), color=_of(COLOURS, n), markersize=5,
            elinewidth=1.2, capsize=2.5, label=series.name, markerfacecolor=_of(COLOURS, n) if n % 2 == 0 else "white",
        )  # fmt: skip
    axes.set_yticks(range(len(chart.labels)), chart.labels)
    axes.set_ylim(len(chart.labels) - 0.45, -0.55)


def _marks(axes: Axes, chart: Chart, across: str) -> None:
    for value in {s.mark for s in chart.series if s.mark is not None}:
        getattr(axes, across)(value, color="#444444", linewidth=1)


_DRAWN = {Kind.PARTS: _rows, Kind.LINES: _lines, Kind.RATIOS: _ratios}


def _of(many: Sequence[Any], n: int) -> Any:
    return many[n % len(many)]


@functools.cache
def _chinese() -> list[str]:
    from matplotlib import font_manager

    there = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in CHINESE if name in there][:2]


@functools.cache
def _charmap(family: str) -> frozenset[int]:
    from matplotlib import font_manager, ft2font

    return frozenset(ft2font.FT2Font(font_manager.findfont(family)).get_charmap())


def _plain(text: str) -> str:
    """`$` is no formula."""
    return " ".join(text.split())[:110].replace("$", r"\$")


def _drawable(text: str) -> str:
    """Text as it can be drawn here: a letter that no font of this machine has stands as its number, so that names stay apart and nothing is a row of empty
    boxes."""
    known = [_charmap(family) for family in ("DejaVu Sans", *_chinese())]
    return "".join(c if any(ord(c) in one for one in known) else f"[U+{ord(c):04X}]" for c in _plain(text))
