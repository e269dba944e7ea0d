"""What the tests of laws share: laws drawn at random, and their twins of plain Fractions."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpcert.mechanisms.dist import Dist

OUTCOMES = [0, 1, -1, True, False, 0.0, -0.0, 1.0, "a", None, (1,), (True,), (1, 0), b"a", Fraction(1, 2)]


@st.composite
def laws(draw: Any, outcomes: list[Any] = OUTCOMES, tail: bool = True) -> Dist:
    """A law with merged outcomes and zero weights on the way, with or without a tail."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(outcomes), st.integers(0, 5)), min_size=1, max_size=5))
    pairs.append((draw(st.sampled_from(outcomes)), draw(st.integers(1, 3))))
    rest = draw(st.integers(0, 4)) if tail else 0
    scale = draw(st.integers(1, 3))
    total = sum(weight for _, weight in pairs) + rest
    return Dist.from_weights([(outcome, weight * scale) for outcome, weight in pairs], total * scale)


def name(outcome: Any) -> Any:
    """The twin of `key` for the outcomes used here."""
    if type(outcome) is tuple:
        return (tuple, *map(name, outcome))
    return type(outcome), repr(outcome)


def table(pairs: Iterable[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    """The twin of a law: the probability of each outcome's name, added up one by one."""
    sums: dict[Any, Fraction] = {}
    for outcome, p in pairs:
        sums[name(outcome)] = sums.get(name(outcome), Fraction(0)) + p
    return {outcome: p for outcome, p in sums.items() if p}
