"""Models and tools of diffprivlib as pipelines of its primitives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from diffprivlib import models, tools

import dpcert
from dpcert.pipelines.libraries import DIFFPRIVLIB

ROWS = [(50.0, 10.0), (0.0, 0.0), (100.0, 100.0)]


def found(program: Any, inputs: list[Any]) -> dpcert.Pipeline:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dpcert.pipeline(
            program, primitives=DIFFPRIVLIB, inputs=inputs, neighbours="substitute", guarantee=dpcert.PureDP("1")
        )


def line(rows: list[tuple[float, float]]) -> Any:
    points, values = np.array([[x] for x, _ in rows]), np.array([y for _, y in rows])
    model = models.LinearRegression(epsilon=1.0, bounds_X=(0.0, 100.0), bounds_y=(0.0, 100.0), fit_intercept=False)
    return model.fit(points, values).coef_


def test_caught_sensitivity_of_a_square() -> None:
    """The sensitivity of a squared feature is taken from its lower bound alone, and is 0 here."""
    result = found(line, [[ROWS[0], row] for row in ROWS])
    assert result.verdict == "refuted"
    assert "is impossible with the neighbour" in result.reason
    assert "linear_regression.py" in str(result.place)
    assert "at sensitivity 0.0" in result.breaches[0]


def test_a_mean_with_bounds_is_not_accused() -> None:
    result = found(lambda ages: tools.mean(np.array(ages), epsilon=1.0, bounds=(0, 100)), [[1.0, 2.0], [1.0, 100.0]])
    assert result.verdict == "undecided"
    assert "no violation found" in result.reason
