"""A privacy profile as a chart: the least delta at each epsilon, and the claimed point."""

from __future__ import annotations

from functools import partial

from dpcert.show.pages.ink import CLAIM, FIRST, Axes, Plot, height, legend
from dpcert.worker.jobs import Curve

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
        draw=partial(_draw, profile=profile),
    )


def _draw(axes: Axes, *, profile: Curve) -> None:
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
