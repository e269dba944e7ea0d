"""Compositions hold the exact ones, on lattices and on grids, at full precision and at a few bits."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from types import SimpleNamespace

import pytest

from dpcert.audit import composition, convolution, grids, losses, recurrence, sums
from dpcert.audit import profile as profiles
from dpcert.audit.profile import Profile

from .composition_twins import (
    Cases,
    holds_compositions,
    holds_deltas,
    holds_folds,
    holds_grids,
    holds_kept,
    holds_outcomes,
    holds_powers,
    holds_responses,
    holds_tilts,
    holds_weights,
    pair,
    response,
)

MODULES = (composition, convolution, grids, losses, profiles, recurrence, sums)
FULL = SimpleNamespace(**{module.__name__.rpartition(".")[2]: module for module in MODULES})


@pytest.fixture(scope="module")
def cases() -> Cases:
    """Return compositions: their parts, and the exact profile by products of laws."""
    parts = [
        [(response(3, 2), 9)],
        [(pair([3, 1, 1, 0], [1, 3, 0, 1]), 4)],
        [(pair([4, 2, 1], [1, 2, 4]), 5)],
        [(pair([5, 2, 1, 3], [1, 3, 4, 0]), 4)],
        [(pair([5, 2, 1, 0], [1, 3, 4, 2]), 3), (response(7, 5), 3)],
        [(response(9, 4), 3), (response(3, 2), 5)],
        [(pair([17 * k % 29 + 1 for k in range(16)], [13 * k % 31 + 1 for k in range(16)]), 2)],
        [(pair([10**9, 1], [1, 10**9]), 3)],
    ]
    found = []
    for each in parts:
        whole = [one for one, times in each for _ in range(times)]
        found.append((each, reduce(Profile.compose, whole)))
    return found


@pytest.fixture(scope="module")
def laws() -> list[tuple[Fraction, losses.LossLaw]]:
    """Return bases and loss laws on them."""
    return [
        (Fraction(3, 2), losses.LossLaw(-1, [2, 0, 3], 5, Fraction(0))),
        (Fraction(17, 16), losses.LossLaw(-3, [1, 5, 0, 7, 2, 3, 11], 31, Fraction(2, 31))),
        (Fraction(10, 9), losses.LossLaw(0, [2**40 - 1, 2**40 - 1, 1], 2**41, Fraction(2**41 - 2**41 + 1, 2**41))),
    ]


Check = Callable[[SimpleNamespace], None]


@pytest.fixture(scope="module")
def checks(cases: Cases, laws: list[tuple[Fraction, losses.LossLaw]]) -> dict[str, Check]:
    """Return all checks of a build, by name."""
    return {
        "weights": holds_weights,
        "powers": holds_powers,
        "tilts": lambda build: holds_tilts(build, laws),
        "folds": holds_folds,
        "deltas": lambda build: holds_deltas(build, laws),
        "outcomes": lambda build: holds_outcomes(build, cases),
        "grids": lambda build: holds_grids(build, cases),
        "compositions": lambda build: holds_compositions(build, cases),
        "kept": holds_kept,
        "responses": holds_responses,
    }


@pytest.mark.nightly
def test_twin_at_full_precision(checks: dict[str, Check]) -> None:
    for check in checks.values():
        check(FULL)


@pytest.mark.points(1)
@pytest.mark.parametrize("only", [None, "recurrence", "composition"])
def test_twin_at_a_few_bits(build: Callable[..., SimpleNamespace], checks: dict[str, Check], only: str | None) -> None:
    coarse = build() if only is None else build(only=[only])
    for check in checks.values():
        check(coarse)


FAULTS = {
    "digits rounded up": ("weights", "convolution", "2 * size - 1]\n", "2 * size - 1] | 1\n"),
    "endless losses too many": ("powers", "sums", "max(total - total * total / 2, 1 - spared.above)", "total"),
    "endless losses too few": ("powers", "sums", "min(total, 1 - spared.below))", "1 - spared.above)"),
    "a power rounded down": (
        "powers",
        "sums",
        "(sign * powers[-1] * step >> _FIXED) * sign",
        "powers[-1] * step >> _FIXED",
    ),
    "a power rounded up": (
        "powers",
        "sums",
        "(sign * powers[-1] * step >> _FIXED) * sign",
        "-(-powers[-1] * step >> _FIXED)",
    ),
    "weights rounded up": (
        "tilts",
        "sums",
        "(floor << 8 * (size - 1)) // whole for",
        "-(-(floor << 8 * (size - 1)) // whole) for",
    ),
    "a total of floors alone": ("tilts", "sums", "scaled(whole, last)", "scaled(sum(floors), last)"),
    "falls exchanged": ("folds", "sums", "fall.above if up else fall.below", "fall.below if up else fall.above"),
    "lost weights forgotten": ("deltas", "sums", "spared + total.lost)", "spared)"),
    "lost weights of q forgotten": ("deltas", "sums", "up=True) + q.lost)", "up=True))"),
    "a start too late": ("deltas", "sums", "return low + bisect_left(", "return low + 1 + bisect_left("),
    "the scale rounded down above": (
        "deltas",
        "sums",
        "scale_at(start, tilt).above\n",
        "scale_at(start, tilt).below\n",
    ),
    "the scale rounded up below": (
        "deltas",
        "sums",
        "gained * total.scale_at(start, tilt).below",
        "gained * total.scale_at(start, tilt).above",
    ),
    "what q has rounded down": (
        "deltas",
        "sums",
        "q.lost) * q.scale_at(start, q_tilt).above",
        "q.lost) * q.scale_at(start, q_tilt).below",
    ),
    "what p has rounded up": (
        "deltas",
        "sums",
        "up=False) * p.scale_at(start, tilt).below",
        "up=False) * p.scale_at(start, tilt).above",
    ),
    "a delta forgotten in a least ratio": ("deltas", "sums", "(infinite + p - delta)", "(infinite + p)"),
    "cut weights rounded down above": ("outcomes", "losses", "p, q = (p >> p_cut) + p_up,", "p, q = (p >> p_cut) + 0,"),
    "a cut denominator rounded up above": (
        "outcomes",
        "losses",
        "(pair.p_denominator >> p_cut) + p_down",
        "(pair.p_denominator >> p_cut) + 1",
    ),
    "a cut denominator rounded down below": (
        "outcomes",
        "losses",
        "(pair.p_denominator >> p_cut) + p_down",
        "(pair.p_denominator >> p_cut) + 0",
    ),
    "cut weights of q rounded down below": ("outcomes", "losses", "(q >> q_cut) + q_down", "(q >> q_cut) + 0"),
    "a cut denominator of q rounded down above": (
        "outcomes",
        "losses",
        "(pair.q_denominator >> q_cut) + q_up",
        "(pair.q_denominator >> q_cut) + 0",
    ),
    "masses rounded down above": ("outcomes", "losses", "yield -(-mass // p_unit), inv", "yield mass // p_unit, inv"),
    "masses rounded up below": ("outcomes", "losses", "yield mass // p_unit, -(", "yield -(-mass // p_unit), -("),
    "ratios rounded down above": ("outcomes", "losses", "p_unit), inverse // unit\n", "p_unit), -(-inverse // unit)\n"),
    "ratios rounded up below": ("outcomes", "losses", "p_unit, -(-inverse // unit)\n", "p_unit, inverse // unit\n"),
    "small masses left out above": (
        "outcomes",
        "losses",
        "            endless += mass\n",
        "            endless += 0\n",
    ),
    "shares rounded down": (
        "grids",
        "losses",
        "up = min(mass, -(-mass * share >> FIXED))",
        "up = mass * share >> FIXED",
    ),
    "shares of a ratio rounded down": (
        "grids",
        "losses",
        "(ladder[at] * inverse >> _RUNGS))",
        "-(-ladder[at] * inverse >> _RUNGS))",
    ),
    "q-masses rounded down": ("grids", "losses", "- (-mass * inverse >> FIXED)", "+ (mass * inverse >> FIXED)"),
    "kept mass rounded down above": (
        "kept",
        "composition",
        "1 - p.below + hi * p.above)",
        "1 - p.above + hi * p.below)",
    ),
    "kept mass rounded up below": ("kept", "composition", "1 - p.above + lo * p.below)", "1 - p.below + lo * p.above)"),
    "a ratio of kept masses rounded up below": (
        "kept",
        "composition",
        "below * q.below / p.above",
        "below * q.above / p.below",
    ),
    "a ratio of kept masses rounded down above": (
        "kept",
        "composition",
        "above * q.above / p.below",
        "above * q.below / p.above",
    ),
    "the sides of a pair exchanged": (
        "responses",
        "composition",
        "return self.at(below), self.at(above)",
        "return self.at(above), self.at(below)",
    ),
}
COARSE_ALONE = {
    "endless losses too few": "recurrence",
    "the scale rounded down above": "recurrence",
    "the scale rounded up below": "recurrence",
    "what q has rounded down": "recurrence",
    "what p has rounded up": "recurrence",
    "kept mass rounded down above": "recurrence",
    "kept mass rounded up below": "recurrence",
    "a ratio of kept masses rounded up below": "recurrence",
    "a ratio of kept masses rounded down above": "recurrence",
    "the sides of a pair exchanged": "composition",
}


@pytest.mark.points(4)
@pytest.mark.parametrize("fault", FAULTS)
def test_caught_a_rounding_to_the_wrong_side(
    build: Callable[..., SimpleNamespace], checks: dict[str, Check], fault: str
) -> None:
    check, *edit = FAULTS[fault]
    faulty = build(tuple(edit), only=[COARSE_ALONE[fault]]) if fault in COARSE_ALONE else build(tuple(edit))
    with pytest.raises(AssertionError):
        checks[check](faulty)
