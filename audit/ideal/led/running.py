"""One run of a program on floats, from a point of a path."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.audit.ideal.led.generators import Led
from dpcert.audit.ideal.led.point import Point, Strayed
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh
from dpcert.mechanisms.ideal.meant import OPEN, Open, Program, on_ideal_noise


def _filled(form: Any, point: Point) -> Any:
    """Return an input that is left open, at a point."""
    names = iter(range(-1, -1_000_000, -1))

    def fill(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return type(part)([fill(item) for item in part])
        if isinstance(part, np.ndarray):
            return np.array([fill(item) for item in part.ravel()], float).reshape(part.shape)
        return point.symbol(next(names))

    return fill(form)


def run(program: Program, value: Any, epsilon: Fraction | str | None, led: Led, point: Point) -> Any:
    """Return how a program ends at a point; None where it strays from the path.

    Raises: Unauditable for an end that is no outcome.
    """
    led.point = point
    meant = on_ideal_noise(program)
    given = _filled(value.form, point) if isinstance(value, Open) else fresh(value)
    parameters = () if epsilon is None else (1.0 if epsilon == OPEN else float(Fraction(epsilon)),)
    try:
        outcome, _ = call(lambda _: fresh(meant(given, led.generator, *parameters)), None)
    except Strayed:
        return None
    return outcome
