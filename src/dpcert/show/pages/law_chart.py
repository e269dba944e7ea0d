"""A law as bars: the probability of each outcome."""

from __future__ import annotations

from functools import partial

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import show
from dpcert.show.pages.ink import FIRST, Axes, Plot

MOST_BARS = 200
LABELLED = 20
"""Up to so many outcomes each bar has its name; beyond, numbers stand on an axis."""


def law_chart(law: Dist) -> Plot:
    """Return the chart of a law.

    Raises: InputError for more than MOST_BARS outcomes.
    """
    if len(law) > MOST_BARS:
        given, remedy = f"a law of {len(law)} outcomes", "map them to fewer, as with law.clamp(lo, hi)"
        raise InputError(given=given, needed=f"at most {MOST_BARS} to draw", remedy=remedy)
    rows = list(law.items())
    if all(type(outcome) is int for outcome, _ in rows):
        rows.sort()
    words = f"the probabilities of {len(rows)} outcomes" + ("" if not law.tail else ", and a tail that is not drawn")
    return Plot(
        name="law",
        title="Law",
        words=words,
        size=(4.2, 2.8),
        head=("outcome", "probability"),
        rows=tuple((show(outcome), ratio_text(p)) for outcome, p in rows),
        draw=partial(_draw, outcomes=[outcome for outcome, _ in rows], heights=[float(p) for _, p in rows]),
    )


def _draw(axes: Axes, *, outcomes: list[object], heights: list[float]) -> None:
    numbers = [outcome for outcome in outcomes if type(outcome) is int]
    if len(numbers) == len(outcomes) > LABELLED:
        axes.bar(numbers, heights, color=FIRST)
    else:
        axes.bar(range(len(outcomes)), heights, color=FIRST)
        axes.set_xticks(range(len(outcomes)), [show(outcome) for outcome in outcomes])
    axes.set_xlabel("outcome")
    axes.set_ylabel("probability")
    axes.grid(axis="y")
