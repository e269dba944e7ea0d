"""Functions of noise as data: their values at points, where they are at most a number, which have a value twice."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.post import preimage
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.post import Post, is_injective, value_of

EXPRESSIONS = [
    lambda x, y: x * x,
    lambda x, y: x * (x + 1) - y * (2 * x + 3 * y - 4),
    lambda x, y: (x + y) * (x - y) / 3,
    lambda x, y: -(x * y) * (x * y) + 7,
    lambda x, y: x / (y + x) + (y - 2 * x) * 5,
    lambda x, y: (1 - x * y) * (1 - x * y) / 2 - y,
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_released_function_equals_the_expression_at_points(expression):
    """Exact twin: the data, evaluated at rational points, against the expression itself on Fractions."""
    ((path,),) = laws_of(lambda n, rng: expression(n + rng.laplace(scale=2), rng.laplace()), [3])
    assert isinstance(path.outcome, Post)
    assert len({part.terms for part in path.outcome.arguments}) <= 2
    for u, v in product((Fraction(-7, 3), Fraction(1, 5), Fraction(11, 2)), repeat=2):
        at = {0: u, 1: v}
        arguments = [part.offset + sum(c * at[name] for name, c in part.terms) for part in path.outcome.arguments]
        assert value_of(path.outcome.function, arguments) == expression(3 + u, v)


OF = ("of", ((0, Fraction(1)),), Fraction(0))
OTHER = ("of", ((1, Fraction(2)),), Fraction(-1))
TWO, ZERO = ("of", (), Fraction(2)), ("of", (), Fraction(0))
FUNCTIONS = [
    OF,
    ("neg", OF),
    ("mul", OF, OF),
    ("pow", OF, 2),
    ("pow", OF, 3),
    ("pow", OTHER, 4),
    ("neg", ("mul", OTHER, OTHER)),
    ("truediv", OF, OTHER),
    ("truediv", TWO, OF),
    ("truediv", OF, OF),
    ("truediv", OTHER, TWO),
    ("add", ("truediv", OF, OTHER), TWO),
    ("sub", ("mul", OF, OF), TWO),
    ("add", TWO, ("mul", OF, OF)),
    ("sub", TWO, ("mul", OF, OF)),
    ("mul", ("pow", OF, 2), ("of", (), Fraction(-3))),
    ("mul", ZERO, ("truediv", OF, OTHER)),
    ("truediv", ("neg", ("truediv", OF, OTHER)), TWO),
    ("neg", ("truediv", OF, OF)),
    ("neg", ("pow", OF, 3)),
    ("mul", ("of", (), Fraction(-4)), ("truediv", OTHER, OTHER)),
]
ARGUMENTS = (Noisy(((0, Fraction(2)),), Fraction(1)), Noisy(((0, Fraction(1)), (1, Fraction(-3))), Fraction(1, 2)))


def _holds(linear, at, *, closed):
    value = linear[1] + sum(c * at[name] for name, c in linear[0].items())
    return value >= 0 if closed and not linear[0] else value > 0


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("end", [Fraction(-8), Fraction(-1, 4), Fraction(0), Fraction(1), Fraction(4), Fraction(16)])
def test_a_preimage_is_where_the_function_is_at_most_the_end(function, end):
    """Exact twin: cells against the value of the function, at points that lie on no edge."""
    try:
        cells = preimage(function, ARGUMENTS, end)
    except Unauditable:
        assert function[0] in ("pow", "mul", "neg", "sub", "add")
        return
    grid = [Fraction(3 * k, 7) + Fraction(1, 1009) for k in range(-9, 10)]
    for u, v in product(grid, repeat=2):
        at = {0: u, 1: v}
        values = [part.offset + sum(c * at[name] for name, c in part.terms) for part in ARGUMENTS]
        below = value_of(function, values) <= end
        for some, closed in zip(cells, (True, False), strict=True):
            inside = sum(all(_holds(each, at, closed=closed) for each in cell) for cell in some)
            assert inside == int(below is closed)


def test_functions_with_a_value_twice_are_not_taken_for_others():
    injective = [OF, ("neg", OF), ("pow", OF, 3), ("exp", OF), ("log", ("exp", OF)), ("truediv", TWO, OF)]
    injective += [("add", TWO, ("mul", OF, TWO)), ("sqrt", OF)]
    others = [("mul", OF, OF), ("pow", OF, 2), ("mul", OF, ZERO), ("truediv", ZERO, OF), ("abs", OF), TWO]
    others += [("round", OF, 2), ("add", OF, ("exp", OF)), ("exp", ("mul", OF, OF))]
    assert all(map(is_injective, injective))
    assert not any(map(is_injective, others))
