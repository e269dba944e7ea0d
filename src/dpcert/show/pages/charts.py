"""Charts: a law, a privacy profile, a witness, intervals of estimates, and curves; each a plot with its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.mechanisms.exact.number import need, ratio_text
from dpcert.mechanisms.exact.outcome import show
from dpcert.show.numbers import about, number_of
from dpcert.show.outcomes import shown
from dpcert.show.pages.ink import CLAIM, EVENT, FIRST, INK, SECOND, THIRD, Axes, Plot, height, legend
from dpcert.show.witness import chances
from dpcert.worker.jobs import Bars, Curve, Missing
from dpcert.worker.result import Result

MOST_BARS = 200
NAMED = 20
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
        draw=partial(_draw_law, outcomes=[outcome for outcome, _ in rows], heights=[float(p) for _, p in rows]),
    )


def _draw_law(axes: Axes, *, outcomes: list[object], heights: list[float]) -> None:
    numbers = [outcome for outcome in outcomes if type(outcome) is int]
    if len(numbers) == len(outcomes) > NAMED:
        axes.bar(numbers, heights, color=FIRST)
    else:
        axes.bar(range(len(outcomes)), heights, color=FIRST)
        axes.set_xticks(range(len(outcomes)), [show(outcome) for outcome in outcomes])
    axes.set_xlabel("outcome")
    axes.set_ylabel("probability")
    axes.grid(axis="y")


DEPTH = 1e-3
"""How far below the claimed delta, or the least drawn one, a logarithmic axis reaches."""


def profile_chart(profile: Curve, name: str, title: str = "") -> Plot:
    """Return the chart of a profile as `picture_of` gives it."""
    epsilon, delta = profile.claimed
    least = profile.least
    words = (
        f"Curve: the least delta at each epsilon, from {profile.points[0][2]} at 0 to {profile.points[-1][2]} "
        f"at {profile.points[-1][0]}. Claimed: epsilon {epsilon}, delta {delta}. "
        + ("No epsilon has the claimed delta." if least is None else f"The least epsilon at that delta is {least}.")
    )
    return Plot(
        name=f"profile-{name}",
        title=title or "Privacy profile",
        words=words,
        size=(4.2, 3.0),
        head=("epsilon", "delta at least", "delta at most"),
        rows=tuple((at, lo, hi) for at, lo, hi in profile.points),
        draw=partial(_draw_profile, profile=profile),
    )


def _draw_profile(axes: Axes, *, profile: Curve) -> None:
    """Draw a profile; on axes that another one is drawn on, by their scale, and with both in sight."""
    others = axes.has_data()
    epsilons = [height(at) for at, _, _ in profile.points]
    lows, highs = ([height(row[side]) for row in profile.points] for side in (1, 2))
    epsilon, delta = (height(text) for text in profile.claimed)
    end, logarithmic = height(profile.end), axes.get_yscale() == "log" or (delta > 0 and not others)
    least = min((value for value in [*highs, delta] if value > 0), default=1.0)
    floor = max(least, delta * DEPTH) / 4 if logarithmic else 0.0
    if any(hi > 1.01 * lo for lo, hi in zip(lows, highs, strict=True)):
        axes.fill_between(epsilons, [max(lo, floor) for lo in lows], highs, color=FIRST, alpha=0.25, linewidth=0)
    axes.plot(epsilons, [max(hi, floor / 2) for hi in highs], color=FIRST, linewidth=1.8, label="least delta")
    outside, below = epsilon > end, delta < floor
    axes.plot(
        [min(epsilon, end)],
        [max(delta, floor)],
        marker=">" if outside else "v" if below else "o",
        markersize=8,
        color=CLAIM,
        linestyle="none",
        clip_on=False,
        zorder=5,
        label=f"claimed ({profile.claimed[0]}, {profile.claimed[1]})" + (", further right" if outside else ""),
    )
    top = max([*highs, delta, least]) * 2 if logarithmic else max([*highs, 1e-300]) * 1.08
    if others:
        floor, top, end = min(floor, axes.get_ylim()[0]), max(top, axes.get_ylim()[1]), max(end, axes.get_xlim()[1])
    if logarithmic:
        axes.set_yscale("log")
    axes.set_ylim(floor, top)
    axes.set_xlim(0, end)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta")
    axes.grid()
    legend(axes)


CLIP = 26
DECADES = 7
"""About how many powers of ten a logarithmic axis names at the most."""
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
    if isinstance(picture, Bars):
        bars = _bars(picture)
    else:
        one = result.method == "exact" and worst.event_size == 1
        size = f", {worst.event_size} outcomes" if result.method == "exact" else ""
        bars = [(one_line(shown(worst.event[0])) if one else f"the event{size}", worst.p, worst.q, True)]
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
        draw=partial(_draw_witness, bars=bars, names=(a, b)),
    )


def _bars(picture: Bars) -> list[Bar]:
    bars = [(one_line(shown(row.outcome)), row.p, row.q, row.event) for row in picture.rows]
    others, tail = picture.others, picture.tail
    if others.count:
        bars.append((f"({others.count} others)", others.p, others.q, False))
    if number_of(tail.p) or number_of(tail.q):
        bars.append((TAIL, tail.p, tail.q, False))
    return bars


def _draw_witness(axes: Axes, *, bars: list[Bar], names: tuple[str, str]) -> None:
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
            _, rounded, decimal = about(bar[2] if side else bar[1]).rpartition("<= ")
            text = f"{rounded}{decimal}" if rounded else decimal.split(" = ")[-1]
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
        lowest = math.floor(math.log10(floor)) + 1
        step = -1 - (-lowest // DECADES)
        axes.set_xticks([10.0**exponent for exponent in range(0, lowest - 1, step)])
        axes.minorticks_off()
    else:
        axes.set_xlim(0, highest * 1.45)
    axes.set_xlabel("probability" + (" (logarithmic)" if spread else "") + "; * in the event")
    axes.grid(axis="x")
    legend(axes)


def _clipped(text: str) -> str:
    return text if len(text) <= CLIP else f"{text[: CLIP - 13]}...{text[-10:]}"


DRAWN = 20
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
    drawn = sorted(every, key=lambda row: -row[1])[:DRAWN]
    many = f"{DRAWN} of {len(every)} values, those of the greatest estimates" if len(every) > DRAWN else "all values"
    return Plot(
        name=f"estimates-{mechanism}",
        title="Estimates",
        words=f"Each line is an interval, each dot an estimate: {many}, from {drawn[0][1]:g} to {drawn[-1][1]:g}.",
        size=(4.2, 1.1 + 0.22 * len(drawn)),
        head=("value", "estimate", "lo", "hi"),
        rows=tuple((value, f"{x:g}", f"{a:g}", "" if b is None else f"{b:g}") for value, x, a, b in drawn),
        draw=partial(_draw_intervals, rows=drawn, note=many),
    )


def _draw_intervals(axes: Axes, *, rows: list[Interval], note: str) -> None:
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
        draw=partial(_draw_curves, curves=curves),
    )


def _draw_curves(axes: Axes, *, curves: Curves) -> None:
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
