"""Sampled Gaussians: 64 of them in both orders, beside `dp-accounting` in one run; and 100 uses of each public pair.

From pairs of mixtures, dpcert's delta is found by brackets and bounded by the checker. dp-accounting has the formula in
floats, and privacy-loss distributions, which give the greater delta of both orders. Its error is relative, against
dpcert's bounds; the greatest one counts of deltas above SMALL. Where it is not installed, dpcert is measured alone.
"""

import importlib.util
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from time import process_time
from typing import Any

import flint
import pytest

import dpcert
from dpcert.audit.ideal.certificates import gauss
from dpcert.audit.ideal.gaussian import Mixtures
from dpcert.mechanisms.exact.epsilon import Epsilon

TABLE = list(product(("1/1000", "1/100", "1/10", "1/2"), ("7/10", "1", "2", "5"), ("1/100", "1/10", "1/2", "2")))
SMALL = Fraction(1, 10**15)
USES = 100
ONE = "64 sampled Gaussians"
PAIRS = {  # the pair, and the epsilon at which its uses are compared
    "100 sampled Gaussians of one kind": (lambda: dpcert.sampled_gaussian(1, rate="1/100"), "1/4"),
    "100 Gaussians": (lambda: dpcert.gaussian(20), "2"),
    "100 discrete Gaussians": (lambda: dpcert.discrete_gaussian(20), "2"),
    "100 Laplaces": (lambda: dpcert.laplace(20), "2"),
}
BESIDE = ["dp-accounting, formula", "dp-accounting, distribution"] if importlib.util.find_spec("dp_accounting") else []

Bounds = list[tuple[Fraction, Fraction]]


def mixture(rows: list[tuple[Fraction, int]], variance: Fraction) -> dict[str, gauss.Mixture]:
    leaves = [({fmpq(Fraction(0)): fmpq(weight)}, (fmpq(Fraction(mean)),)) for weight, mean in rows]
    return {"sum": gauss.Mixture(((fmpq(variance),),), leaves)}


def fmpq(x: Fraction) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def by_brackets() -> Bounds:
    """Return bounds of delta of each row of the table, in both orders."""
    found: Bounds = []
    for rate, deviation, epsilon in TABLE:
        q, s = Fraction(rate), Fraction(deviation)
        search = Mixtures([mixture([(1 - q, 0), (q, 1)], s**2), mixture([(Fraction(1), 0)], s**2)])
        found += [search.bounds(*pair, Epsilon.of(epsilon)) for pair in ((0, 1), (1, 0))]
    return found


def by_formula() -> list[float]:
    """Return the same by dp-accounting's losses."""
    from dp_accounting.pld import privacy_loss_mechanism as losses

    found = []
    for rate, deviation, epsilon in TABLE:
        for way in (losses.AdjacencyType.REMOVE, losses.AdjacencyType.ADD):
            loss = losses.GaussianPrivacyLoss(
                float(Fraction(deviation)), sampling_prob=float(Fraction(rate)), adjacency_type=way
            )
            found.append(float(loss.get_delta_for_epsilon(float(Fraction(epsilon)))))
    return found


def by_distributions() -> list[float]:
    """Return the greater delta of both orders for each row, by privacy-loss distributions."""
    from dp_accounting.pld import privacy_loss_distribution as distributions

    found = []
    for rate, deviation, epsilon in TABLE:
        one = distributions.from_gaussian_mechanism(
            float(Fraction(deviation)), sampling_prob=float(Fraction(rate)), value_discretization_interval=1e-4
        )
        found.append(float(one.get_delta_for_epsilon(float(Fraction(epsilon)))))
    return found


def uses_by_distributions(what: str) -> list[float]:
    """Return the delta of many uses of a pair, by privacy-loss distributions."""
    from dp_accounting.pld import privacy_loss_distribution as distributions

    made = {
        "100 sampled Gaussians of one kind": lambda: distributions.from_gaussian_mechanism(1.0, sampling_prob=0.01),
        "100 Gaussians": lambda: distributions.from_gaussian_mechanism(20.0),
        "100 discrete Gaussians": lambda: distributions.from_discrete_gaussian_mechanism(20.0),
        "100 Laplaces": lambda: distributions.from_laplace_mechanism(20.0),
    }
    return [float(made[what]().self_compose(USES).get_delta_for_epsilon(float(Fraction(PAIRS[what][1]))))]


def by_composition(what: str) -> Bounds:
    """Return bounds of the delta of many uses of a pair."""
    made, epsilon = PAIRS[what]
    answer = dpcert.compose([(made(), USES)]).delta_at(epsilon)
    return [(answer.lo or Fraction(0), answer.hi or Fraction(1))]


def width(bounds: Bounds) -> float:
    return float(max(1 - lo / hi for lo, hi in bounds if hi))


def error(found: list[float], bounds: Bounds) -> float:
    """Return the greatest relative distance from bounds."""
    middle = [(lo + hi) / 2 for lo, hi in bounds]
    if len(found) < len(middle):
        middle = [max(pair) for pair in zip(middle[::2], middle[1::2], strict=True)]
    return float(max(abs(Fraction(x) / y - 1) for x, y in zip(found, middle, strict=True) if y > SMALL))


WAYS: list[tuple[str, str]] = [(ONE, "dpcert"), *((ONE, way) for way in BESIDE)]
WAYS += [(what, way) for what in PAIRS for way in ("dpcert", *BESIDE[1:])]


@pytest.mark.parametrize(("what", "way"), WAYS)
def test_sampled_gaussian(benchmark: Any, what: str, way: str) -> None:
    """From the parameters to all deltas."""
    mine = by_brackets if what == ONE else partial(by_composition, what)
    runs: dict[str, Callable[[], Bounds] | Callable[[], list[float]]] = {
        "dpcert": mine,
        "dp-accounting, formula": by_formula,
        "dp-accounting, distribution": by_distributions if what == ONE else partial(uses_by_distributions, what),
    }
    spent: list[float] = []

    def run() -> Any:
        start = process_time()
        found = runs[way]()
        spent.append(process_time() - start)
        return found

    found: Any = benchmark.pedantic(run, rounds=1 if way.endswith("distribution") else 3)
    benchmark.extra_info["processor"] = min(spent)
    bounds = found if way == "dpcert" else mine()
    benchmark.extra_info["error"] = f"{width(bounds) if way == 'dpcert' else error(found, bounds):.1e}"
    benchmark.extra_info["delta"] = "" if what == ONE else f"{float(max(hi for _, hi in bounds)):.4e}"
    if way == "dpcert" and what == ONE:
        assert width(bounds) < 1e-20
