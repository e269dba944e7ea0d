"""Estimates as a chart: each value a point, and its interval a line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dpcert.mechanisms.exact.number import need
from dpcert.show.pages.ink import FIRST, SECOND, Axes, Plot, legend

MOST = 20
"""How many values are drawn, those of the greatest estimates."""
LONGEST = 22
"""The greatest number of characters of a value that is written beside its line."""

Interval = tuple[str, float, float, float | None]
"""A value, its estimate, and the ends of its interval; None for one without an upper end."""


def interval_chart(mechanism: str, columns: Sequence[str], estimated: Sequence[Sequence[Any]]) -> Plot:
    """Return the chart of the greatest estimates, from rows of these columns.

    Raises: InputError for estimates without intervals, or none.
    """
    needed, remedy = "estimates with intervals", "read the rows as they are"
    need("lo" in columns and bool(estimated), f"--plot of {mechanism}", needed, remedy)
    lo, hi = columns.index("lo"), columns.index("hi")
    at = columns.index("frequency" if "frequency" in columns else "estimate")
    between = " to " if columns[0] == "start" else " "
    every: list[Interval] = [
        (between.join(map(str, row[:at])), float(row[at]), float(row[lo]), None if row[hi] is None else float(row[hi]))
        for row in estimated
    ]
    drawn = sorted(every, key=lambda row: -row[1])[:MOST]
    many = f"{MOST} of {len(every)} values, those of the greatest estimates" if len(every) > MOST else "all values"
    return Plot(
        name=f"estimates-{mechanism}",
        title="Estimates",
        words=f"Each line is an interval, each dot an estimate: {many}, from {drawn[0][1]:g} to {drawn[-1][1]:g}.",
        size=(4.2, 1.1 + 0.22 * len(drawn)),
        head=("value", "estimate", "lo", "hi"),
        rows=tuple((value, f"{x:g}", f"{a:g}", "" if b is None else f"{b:g}") for value, x, a, b in drawn),
        draw=partial(_draw, rows=drawn, note=many),
    )


def _draw(axes: Axes, *, rows: list[Interval], note: str) -> None:
    places = list(range(len(rows)))
    end = 1.08 * max(x if hi is None else max(x, hi) for _, x, _, hi in rows)
    ends = [end if hi is None else hi for *_, hi in rows]
    axes.hlines(places, [lo for _, _, lo, _ in rows], ends, color=FIRST, linewidth=2.4, label="interval")
    caps = [(at, place) for place, (*_, lo, hi) in enumerate(rows) for at in (lo, hi) if at is not None]
    # The caps show an interval whose line its dot hides.
    axes.plot(*zip(*caps, strict=True), "|", color=FIRST, markersize=10, markeredgewidth=1.6)
    axes.margins(y=0.1)
    axes.plot([x for _, x, _, _ in rows], places, "o", color=SECOND, markersize=4.5, label="estimate")
    endless = [place for place, (*_, hi) in enumerate(rows) if hi is None]
    if endless:
        axes.plot([end] * len(endless), endless, ">", color=FIRST, markersize=6, label="or more")
    axes.set_yticks(places, [text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…" for text, *_ in rows])
    for text in axes.get_yticklabels():
        text.set_parse_math(False)
        text.set_fontsize(9)
    axes.invert_yaxis()
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel(note, fontsize=9)
    axes.grid(axis="x")
    legend(axes)
