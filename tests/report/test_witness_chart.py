"""The chart of a witness: lengths that compare outcomes, and a tail that is said however short it is."""

from typing import Any

from matplotlib.figure import Figure

from dpcert.show.pages.witness_chart import witness_chart

TINY = "1/1267650600228229401496703205376"
RESULT: dict[str, Any] = {
    "verdict": "refuted",
    "method": "exact",
    "tail": TINY,
    "claim": {"epsilon": "0", "delta": "0/1"},
    "worst": {"a": 0, "b": 1, "event": [0], "event_size": 1, "p": "3/4", "q": "1/4"},
}


def scale_with(tail: str) -> tuple[str, str]:
    """Return the scale of lengths of a chart with a tail, and its words."""
    rows = [
        {"outcome": 0, "p": "3/4", "q": "1/4", "event": True},
        {"outcome": 1, "p": "1/4", "q": "3/4", "event": False},
    ]
    picture: dict[str, Any] = {
        "rows": rows,
        "others": {"count": 0, "p": "0/1", "q": "0/1"},
        "tail": {"p": tail, "q": tail},
    }
    plot = witness_chart(RESULT, picture, "one")
    assert plot is not None
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
    rare = {**RESULT, "worst": {**RESULT["worst"], "q": "1/1000"}}
    plot = witness_chart(rare, None, "one")
    assert plot is not None
    axes = Figure().subplots()
    plot.draw(axes)
    assert axes.get_xscale() == "log"
