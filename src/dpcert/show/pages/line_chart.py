"""Curves as a chart: several lines over one axis, told apart by colour and by dashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from dpcert.show.pages.ink import CLAIM, FIRST, SECOND, THIRD, Axes, Plot, height, legend

LOOKS = ((FIRST, "solid", 3.4), (SECOND, "dashed", 2.4), (THIRD, "dashdot", 1.7), (CLAIM, "dotted", 1.1))
"""The colour, dashes and width of each curve: the later ones are thinner, so that those that coincide are all seen."""


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over one axis: the words for `x` and `y`, the places, and the values of each curve as texts or None."""

    x: str
    y: str
    at: Sequence[str]
    lines: tuple[tuple[str, Sequence[str | None]], ...]
    logarithmic: bool = False


def line_chart(curves: Curves, *, name: str, title: str, words: str) -> Plot:
    """Return the chart of at most four curves."""
    rows = zip(curves.at, *(values for _, values in curves.lines), strict=True)
    return Plot(
        name=name,
        title=title,
        words=words,
        size=(4.2, 3.0),
        head=(curves.x, *(line for line, _ in curves.lines)),
        rows=tuple(tuple("" if cell is None else cell for cell in row) for row in rows),
        draw=partial(_draw, curves=curves),
    )


def _draw(axes: Axes, *, curves: Curves) -> None:
    at = [height(text) for text in curves.at]
    for (label, values), (colour, dashes, width) in zip(curves.lines, LOOKS, strict=False):
        found = [(x, height(y)) for x, y in zip(at, values, strict=True) if y is not None]
        axes.plot(*zip(*found, strict=True), color=colour, linestyle=dashes, linewidth=width, label=label)
    if curves.logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlim(min(at), max(at))
    axes.set_xlabel(curves.x)
    axes.set_ylabel(curves.y)
    axes.grid()
    legend(axes)
