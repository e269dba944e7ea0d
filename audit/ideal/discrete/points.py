"""Points in floats well inside a path, at which a program is run as the library would run it."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.linear import inside, maximize
from dpcert.mechanisms.ideal.noise import Law, is_whole
from dpcert.mechanisms.ideal.path import Path, step_of, supports
from dpcert.mechanisms.ideal.terms import Number

OFF_GRID = 0.8660254
"""A factor that leads to points where nothing is a short fraction, as at an end of numbers that are rounded to one."""
TRIED_STEPS, MOST_OPEN = 4, 64
"""How many integer inputs are tried in place of open ones, and the most numbers that they have."""
NO_INPUTS: Mapping[int, int] = {}
SWEEPS = 200
"""How often all inequalities are looked at in the search for a point in floats."""


def somewhere(name: int) -> float:
    """Return a number between 0 and 1, another one for each variable."""
    return (0.3 + 0.6180339887 * name) % 1


def integer_point(path: Path) -> dict[int, float]:
    """Return a point of a path at which its open inputs are integers.

    Raises: Unauditable where none is found.
    """
    for step in range(TRIED_STEPS):
        inputs = {name: step * -name % (step + 2) for name in range(-MOST_OPEN, 0)}
        point = point_in(path, inputs)
        if point is not None:
            return point | {name: float(x) for name, x in inputs.items()}
    raise Unauditable("a path on open integers is not found again on plain ones")


def point_in(path: Path, inputs: Mapping[int, int] = NO_INPUTS) -> dict[int, float] | None:
    """Return a point in floats well inside a path, where it has these `inputs`; None where it has none."""
    forms: list[tuple[dict[int, Number], Number]] = []
    for item in path.inequalities:
        form, offset = item.inward()
        given = sum(c * inputs[name] for name, c in form.items() if name in inputs)
        forms.append(({name: c for name, c in form.items() if name not in inputs}, offset + given))
    if any(not form and offset <= 0 for form, offset in forms):
        return None
    whole = _whole_point(path.laws, [(form, offset) for form, offset in forms if is_whole(path.laws, form)])
    if whole is None:
        return None
    forms = [_at_whole(form, offset, whole) for form, offset in forms if form and not is_whole(path.laws, form)]
    names = {name for form, _ in forms for name in form}
    forms += supports(path.laws, names)
    rows = [({name: float(c) for name, c in form.items()}, float(offset)) for form, offset in forms]
    point = {name: somewhere(name) for name in names}
    margin = 1.0
    for sweep in range(SWEEPS):
        calm = True
        for row, start in rows:
            value = sum(c * point[name] for name, c in row.items()) + start
            if value < margin / 2:
                calm = False
                push = (OFF_GRID * margin - value) / sum(c * c for c in row.values())
                for name, c in row.items():
                    point[name] += push * c
        if calm:
            return point | {name: float(x) for name, x in whole.items()}
        if sweep % 20 == 19:
            margin /= 4
    exact = inside(forms)
    return None if exact is None else {name: float(x) for name, x in (whole | exact).items()}


def _whole_point(laws: Sequence[Law], forms: Sequence[tuple[dict[int, Number], Number]]) -> dict[int, Fraction] | None:
    """Return values of discrete noise at which all these forms are above 0; None where there are none.

    Raises: Unauditable where none are found.
    """
    if not forms:
        return {}
    names = {name for form, _ in forms for name in form}
    rows: list[tuple[dict[int, Number], Number]] = []
    for form, offset in [*forms, *supports(laws, names)]:
        step = step_of(form.values())
        rows.append((form, step * (math.floor(-offset / step) + 1)))
    near = _raised(rows)
    if near is not None:
        return near
    found = maximize({}, [({name: -c for name, c in form.items()}, -least) for form, least in rows])
    if found is not None and any(x.denominator > 1 for x in found.point.values()):
        raise Unauditable("a path of discrete noise is not found again on integers")
    return None if found is None else found.point


def _raised(rows: Sequence[tuple[dict[int, Number], Number]]) -> dict[int, Fraction] | None:
    """Return integers for which each form is at least a number, by raising those that are too small; None where there
    are none."""
    often = Counter(name for form, _ in rows for name in form)
    point = dict.fromkeys(often, Fraction(0))
    for _ in range(SWEEPS):
        calm = True
        for form, least in rows:
            missing = least - sum(c * point[name] for name, c in form.items())
            upwards = [name for name, c in form.items() if c > 0]
            if missing > 0 and upwards:
                name = min(upwards, key=lambda name: often[name])
                point[name] += math.ceil(missing / form[name])
            calm = calm and missing <= 0
        if calm:
            return point
    return None


def _at_whole(
    form: Mapping[int, Number], offset: Number, whole: Mapping[int, Fraction]
) -> tuple[dict[int, Number], Number]:
    """Return a form with values for its discrete noise."""
    given = sum(c * whole[name] for name, c in form.items() if name in whole)
    return {name: c for name, c in form.items() if name not in whole}, offset + given
