"""Evidence for scalars.py: an undecided integer of numpy's gives what numpy's own gives, at every value drawn."""

import operator
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.outcome import Raised, class_name
from dpcert.reading.paths.enumerator import enumerate_law

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "add": lambda n: n + 3,
    "radd": lambda n: 3 + n,
    "sub": lambda n: n - 2,
    "rsub": lambda n: 100 - n,
    "mul": lambda n: n * 50,
    "zero": lambda n: n * 0,
    "own": lambda n: n + type_of(n)(100),
    "own first": lambda n: type_of(n)(100) + n,
    "neg": operator.neg,
    "invert": operator.invert,
    "abs": abs,
    "shift": lambda n: n << 6,
    "power": lambda n: n**3,
    "negative power": lambda n: n**-1,
    "floor": lambda n: n // 2,
    "mod": lambda n: n % 3,
    "divide": lambda n: n / 4,
    "half": lambda n: n * 0.5,
    "or": lambda n: n | 1,
    "large": lambda n: 300 * n,
    "chain": lambda n: (n + 1) * 2 - 1,
    "below": lambda n: n < 2,
    "below a float": lambda n: n < 1.5,
    "equal": lambda n: n == 2,
    "above all": lambda n: n > 300,
    "float": float,
    "int": int,
    "text": repr,
    "attributes": lambda n: (n.dtype.str, n.itemsize, n.ndim, isinstance(n, np.integer), isinstance(n, int)),
    "function": lambda n: np.add(n, 1),
    "array": lambda n: np.array([n, n]),
    "bits": lambda n: n.item(),
}
TYPES = {"uint8": (1, 5), "int8": (-2, 3), "int64": (-1, 4)}


def type_of(n: Any) -> Any:
    """Return the type of a number of numpy's, undecided or not."""
    return n.dtype.type


def truth(apply: Callable[[Any], Any], kind: str, low: int, high: int) -> Dist:
    """Return the law by numpy's own numbers, one by one."""
    found = []
    for value in range(low, high):
        try:
            outcome = apply(np.dtype(kind).type(value))
        except Exception as error:
            outcome = Raised(class_name(type(error)), error.args)
        found.append((outcome, Fraction(1, high - low)))
    return Dist.of(found)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", TYPES)
def test_exact_twin_of_numpys_own_number(kind: str) -> None:
    low, high = TYPES[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, apply in OPERATIONS.items():
            program = dpcert.redirect(lambda _, rng, apply=apply: apply(rng.integers(low, high, dtype=kind)))
            assert enumerate_law(program, None, merge=False).law == truth(apply, kind, low, high), name


def test_exact_twin_where_a_warning_is_an_error() -> None:
    def program(_: None, rng: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                return rng.integers(250, 256, dtype=np.uint8) + 3
            except RuntimeWarning as warning:
                return str(warning)

    law = enumerate_law(dpcert.redirect(program), None, merge=False).law
    assert law.prob("overflow encountered in scalar add") == Fraction(1, 2)
    assert law.prob(np.uint8(253)) == Fraction(1, 6)


def test_a_long_draw_is_followed_and_what_decides_it_is_named() -> None:
    found = enumerate_law(dpcert.redirect(lambda _, rng: bool(rng.integers(1 << 40) * 3 + 5 < 1 << 40)), None)
    assert (found.law.tail, found.leaves) == (0, 1)
    given_up = enumerate_law(dpcert.redirect(lambda _, rng: rng.integers(1 << 40) << 1), None)
    assert given_up.law.tail == 1
    assert "is needed as a plain number; compare it, or draw less" in " ".join(given_up.notes)


@pytest.mark.filterwarnings("ignore:overflow")
def test_an_operator_that_overflows_is_numpys_own() -> None:
    program = dpcert.redirect(lambda _, rng: np.int64(1 << 62) * rng.integers(1, 4))
    assert enumerate_law(program, None).law == truth(lambda n: np.int64(1 << 62) * n, "int64", 1, 4)
