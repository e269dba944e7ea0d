"""`Dist.plot`: a bar for each outcome, of its probability's height; what is not drawn, and said so."""

from fractions import Fraction
from typing import Any

import pytest
from matplotlib.figure import Figure

import dpcert


def drawn(law: Any) -> Any:
    return law.plot(Figure().add_subplot())


def bars(law: dpcert.Dist) -> tuple[list[float], list[str]]:
    axes = drawn(law)
    return [bar.get_height() for bar in axes.patches], [label.get_text() for label in axes.get_xticklabels()]


def test_each_outcome_has_a_bar_of_its_probability() -> None:
    assert dpcert.assert_event is not None
    heights, labels = bars(dpcert.Dist.of([(2, "1/2"), ("a", "1/4"), (True, "1/4")]))
    assert sorted(zip(labels, heights, strict=True)) == [("'a'", 0.25), ("2", 0.5), ("True", 0.25)]
    heights, labels = bars(dpcert.Dist.of([(3, "1/4"), (-1, "3/4")]))
    assert (heights, labels) == ([0.75, 0.25], ["-1", "3"])


def test_many_numbers_stand_on_an_axis() -> None:
    law = dpcert.Dist.binomial(100, Fraction(1, 2))
    axes = drawn(law)
    assert [bar.get_x() + bar.get_width() / 2 for bar in axes.patches] == pytest.approx(range(101))
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1)


def test_refused_laws_of_too_many_outcomes() -> None:
    with pytest.raises(dpcert.InputError, match="at most 200 to draw"):
        drawn(dpcert.Dist.uniform(201))
