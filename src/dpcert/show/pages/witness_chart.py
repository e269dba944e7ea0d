"""A refutation as a chart: two bars for each outcome, its probability on the one input and on the other."""

from __future__ import annotations

import math
from functools import partial

from dpcert.mechanisms.exact.errors import one_line
from dpcert.show.numbers import about, number_of
from dpcert.show.outcomes import shown
from dpcert.show.pages.ink import EVENT, FIRST, INK, SECOND, Axes, Plot, height, legend
from dpcert.show.witness import chances
from dpcert.worker.jobs import Bars, Missing
from dpcert.worker.result import Result

CLIP = 26
DECADES = 7
TAIL = "(tail)"
FAR = 40.0
"""Where one bar is so many times as long as another, or more, lengths are logarithms."""

Bar = tuple[str, str, str, bool]
"""An outcome in words, its two probabilities, and whether the event has it."""


def witness_chart(result: Result, picture: Bars | Missing | None, name: str) -> Plot | None:
    """Return the chart of a refuted result; of its event where the laws are not at hand; None of others."""
    worst = result.worst
    if result.verdict != "refuted" or worst is None:
        return None
    bars = _bars(picture) if isinstance(picture, Bars) else _event(result)
    a, b = (one_line(shown(value)) for value in (worst.a, worst.b))
    sampled = result.method == "sampling"
    p, q = chances(result)
    words = (
        f"Bars: the probability of each outcome on input {a} and on input {b}. The event of the witness has "
        f"{p} on {a} and {q} on {b}."
    )
    title = f"Outcomes on {a} and on {b}" + (", as bounded from samples" if sampled else "")
    return Plot(
        name=f"witness-{name}",
        title=title,
        words=words,
        size=(4.2, 1.25 + 0.42 * len(bars)),
        head=("outcome", f"probability on {a}", f"probability on {b}", "in the event"),
        rows=tuple((label, p, q, "yes" if inside else "no") for label, p, q, inside in bars),
        draw=partial(_draw, bars=bars, names=(a, b)),
    )


def _bars(picture: Bars) -> list[Bar]:
    bars = [(one_line(shown(row.outcome)), row.p, row.q, row.event) for row in picture.rows]
    others, tail = picture.others, picture.tail
    if others.count:
        bars.append((f"({others.count} others)", others.p, others.q, False))
    if number_of(tail.p) or number_of(tail.q):
        bars.append((TAIL, tail.p, tail.q, False))
    return bars


def _event(result: Result) -> list[Bar]:
    worst = result.witness
    size = worst.event_size
    label = one_line(shown(worst.event[0])) if size == 1 else f"the event, {size} outcomes"
    return [(label if result.method == "exact" else "the event", worst.p, worst.q, True)]


def _draw(axes: Axes, *, bars: list[Bar], names: tuple[str, str]) -> None:
    both = [(height(p), height(q)) for _, p, q, _ in bars]
    least = min(
        (value for pair, bar in zip(both, bars, strict=True) for value in pair if bar[0] != TAIL and value > 0),
        default=0,
    )
    positive = [value for pair in both for value in pair if value > 0 and value >= least]  # a lesser tail has no length
    spread = max(positive, default=1.0) / min(positive, default=1.0) >= FAR
    floor = min(positive, default=1e-3) / 4 if spread else 0.0
    places = list(range(len(bars)))
    for side, colour, hatch in ((0, FIRST, ""), (1, SECOND, "////")):
        at = [place + (side - 0.5) * 0.38 for place in places]
        values = [max(pair[side], floor) - floor for pair in both]
        axes.barh(
            at,
            values,
            height=0.36,
            left=floor,
            color=colour if not hatch else "none",
            edgecolor=colour,
            hatch=hatch,
            label=f"on {_clipped(names[side])}",
        )
        for place, value, bar in zip(at, both, bars, strict=True):
            text = _label(bar[2] if side else bar[1])
            end = max(value[side], floor)
            axes.annotate(
                text,
                (end, place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize=10,
                color=INK,
                parse_math=False,
            )
    for place, bar in zip(places, bars, strict=True):
        if bar[3] and len(bars) > 1:
            axes.axhspan(place - 0.46, place + 0.46, color=EVENT, linewidth=0, zorder=0)
    axes.set_yticks(places, [_clipped(bar[0]) + (" *" if bar[3] else "") for bar in bars], parse_math=False)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    highest = max(positive, default=1.0)
    if spread:
        axes.set_xscale("log")
        axes.set_xlim(floor, highest * (highest / floor) ** 0.45)
        axes.set_xticks(_decades(floor))
        axes.minorticks_off()
    else:
        axes.set_xlim(0, highest * 1.45)
    axes.set_xlabel("probability" + (" (logarithmic)" if spread else "") + "; * in the event")
    axes.grid(axis="x")
    legend(axes)


def _decades(floor: float) -> list[float]:
    """Return at most about DECADES powers of ten from above a least value to 1."""
    lowest = math.floor(math.log10(floor)) + 1
    return [10.0**exponent for exponent in range(0, lowest - 1, -1 - (-lowest // DECADES))]


def _clipped(text: str) -> str:
    return text if len(text) <= CLIP else f"{text[: CLIP - 13]}...{text[-10:]}"


def _label(probability: str) -> str:
    """Return a probability as a decimal, with <= where that was rounded up."""
    text = about(probability)
    _, rounded, decimal = text.rpartition("<= ")
    return f"{rounded}{decimal}" if rounded else decimal.split(" = ")[-1]
