"""How audits, laws and profiles show themselves in a notebook: small tables, everything in them escaped.

Their classes belong to layers that know nothing of pages; `show_in_notebooks` gives them the methods that
notebooks look for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dpcert.audit.claim_profile import ClaimProfile
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import show
from dpcert.mechanisms.forms import order_key
from dpcert.show.blocks import notes_of, parts_of
from dpcert.show.numbers import about
from dpcert.show.severity import headed, label_of
from dpcert.worker.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST = 20
"""How many outcomes, inputs' parts or notes are shown at the most."""
COLOURS = {"verified": "#2a9d57", "refuted": "#e0524a", "undecided": "#b7861c"}
"""The colour of each verdict: as INKS, seen on a light page and on a dark one."""
INKS = "--plot-grid: #8885; --plot-first: #3b82d6; --plot-claim: #d0458a"
"""Inks of a curve that are seen on a light page and on a dark one: a notebook does not say which it is."""

Rows = Iterable[tuple[str, str]]


def law_html(law: Dist) -> str:
    """Return a law as a table: each outcome with its probability, the likeliest where there are many, and the tail."""
    weights = [(outcome, weight) for _, outcome, weight in law.weights()]
    kept = sorted(weights, key=lambda row: -row[1])[:MOST]
    rows = [
        (show(outcome), about(ratio_text(law.prob(outcome))))
        for outcome, _ in sorted(kept, key=lambda row: order_key(row[0]))
    ]
    if len(weights) > len(kept):
        others = law.prob_of(lambda outcome: True) - sum(law.prob(outcome) for outcome, _ in kept)
        rows.append((f"({len(weights) - len(kept)} others)", about(ratio_text(others))))
    if law.tail:
        rows.append(("(tail)", about(ratio_text(law.tail))))
    words = "1 outcome" if len(weights) == 1 else f"{len(weights)} outcomes"
    return _table(f"law, {words}", ("outcome", "probability"), rows)


def audit_html(result: Result) -> str:
    """Return the result of an audit as a table: its claim, and the lines and notes that the command line prints."""
    rows = [*parts_of(result), *(("note", note) for note in notes_of(result))]
    return _named(label_of(result), f"{headed(result)}{result.claim.sentence}", rows)


def profile_html(profile: ClaimProfile) -> str:
    """Return a profile as a curve, where matplotlib is installed, and a table of a few of its points."""
    guarantee = profile.claim.guarantee
    least = profile.epsilon_at(guarantee.delta).hi
    rows = []
    for epsilon in dict.fromkeys(("0", str(guarantee.epsilon))):
        hi = profile.delta_at(epsilon).hi
        words = "not known" if hi is None else f"<= {decimal_hi(hi)}" if hi else "0"
        rows.append((f"delta at epsilon {epsilon}", words))
    words = "none" if least is None else f"<= {decimal_hi(least)}"
    rows += [(f"least epsilon at delta {guarantee.delta}", words), ("pairs", str(len(profile.pairs)))]
    table = _named(f"profile, {profile.method}", profile.claim.mechanism, rows)
    if find_spec("matplotlib") is None:
        return table
    from dpcert.show.pages.ink import inline_svg

    return f'<div style="max-width: 30em; {INKS}">{inline_svg(_chart(profile, guarantee))}</div>{table}'


def plot(profile: ClaimProfile, axes: Axes | None = None, *, epsilon: object = None, delta: object = None) -> Axes:
    """Draw a profile, with the point (epsilon, delta) marked, the claim's own where none is given; return the axes.

    Without `axes` a new figure of matplotlib's pyplot is made.

    Raises: InputError where matplotlib is not installed.
    """
    from dpcert.show.pages.ink import drawn

    own = profile.claim.guarantee
    marked = ApproxDP(own.epsilon if epsilon is None else epsilon, own.delta if delta is None else delta)
    return drawn(_chart(profile, marked), axes)


def plot_law(law: Dist, axes: Axes | None = None) -> Axes:
    """Draw the probabilities of a law's outcomes as bars, numbers in their order, and return the axes.

    Without `axes` a new figure of matplotlib's pyplot is made.

    Raises: InputError where matplotlib is not installed, and for a law of more than 200 outcomes.
    """
    from dpcert.show.pages.charts import law_chart
    from dpcert.show.pages.ink import drawn

    return drawn(law_chart(law), axes)


def _chart(profile: ClaimProfile, marked: ApproxDP) -> Any:
    from dpcert.show.pages.charts import profile_chart
    from dpcert.worker.picture import profile_points

    title = f"Privacy profile of {profile.claim.mechanism}"
    return profile_chart(profile_points(profile, marked.epsilon, marked.delta), profile.claim.mechanism, title)


def show_in_notebooks() -> None:
    """Give the classes of laws and profiles their `_repr_html_`, and laws and profiles their `plot`."""
    for kind, html, drawing in ((Dist, law_html, plot_law), (ClaimProfile, profile_html, plot)):
        for name, function in (("_repr_html_", html), ("plot", drawing)):
            setattr(kind, name, function)


def _named(head: str, sentence: str, rows: Rows) -> str:
    """Return a table with a sentence for its caption, whose head has the colour of its verdict where it is one."""
    colour = f' style="color: {COLOURS[head]}"' if head in COLOURS else ""
    caption = f"<strong{colour}>{_cell(head)}</strong>: {_cell(sentence)}"
    return _table(caption, (), rows, style=' style="min-width: min(34em, 100%)"')


def _table(caption: str, head: Sequence[str], rows: Rows, *, style: str = "") -> str:
    """Return a table in HTML, its texts on one line and escaped; the caption, HTML itself, is as wide as its table."""
    top = "".join(f"<th>{_cell(text)}</th>" for text in head)
    body = "".join(f"<tr><td>{_cell(name)}</td><td>{_cell(value)}</td></tr>" for name, value in rows)
    return (
        f"<table{style}><caption>{caption}</caption>"
        + (f"<thead><tr>{top}</tr></thead>" if head else "")
        + f"<tbody>{body}</tbody></table>"
    )


def _cell(text: str) -> str:
    return escape(one_line(text))
