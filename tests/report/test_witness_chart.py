"""The chart of a witness: lengths that compare outcomes, and a tail that is said however short it is."""

from dataclasses import replace

from matplotlib.figure import Figure

from dpcert.show.pages.witness_chart import witness_chart
from dpcert.targets.cases import case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import Bar, Bars, Others, Tails
from dpcert.worker.result import SeenEvent
from dpcert.worker.results import described

TINY = "1/1267650600228229401496703205376"
PLAIN = described(case_of(CatalogueSpec("randomized-response"), Options()))
WORST = SeenEvent(0, 1, [0], 1, "3/4", "1/4")
RESULT = replace(PLAIN, verdict="refuted", tail=TINY, claim=replace(PLAIN.claim, epsilon="0"), worst=WORST)


def scale_with(tail: str) -> tuple[str, str]:
    """Return the scale of lengths of a chart with a tail, and its words."""
    rows = [Bar(0, "3/4", "1/4", True), Bar(1, "1/4", "3/4", False)]
    plot = witness_chart(RESULT, Bars(rows, Others(0, "0/1", "0/1"), Tails(tail, tail)), "one")
    assert plot.rows[-1] == ("(tail)", tail, tail, "no")
    axes = Figure().subplots()
    plot.draw(axes)
    return axes.get_xscale(), plot.words


def test_a_short_tail_makes_no_scale_logarithmic() -> None:
    scale, words = scale_with(TINY)
    assert scale == "linear"
    assert words.endswith("The event of the witness has >= 0.75 on 0 and <= 0.25 on 1.")


def test_outcomes_that_are_far_apart_have_logarithms_for_lengths() -> None:
    assert scale_with("63/64")[0] == "linear"
    plot = witness_chart(replace(RESULT, worst=replace(WORST, q="1/1000")), None, "one")
    axes = Figure().subplots()
    plot.draw(axes)
    assert axes.get_xscale() == "log"
