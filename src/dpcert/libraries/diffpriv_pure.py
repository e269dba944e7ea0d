"""diffpriv-pure: `private_count` exactly, its float mechanisms sampled, `gaussian_sigma` against the exact profile."""

import functools
import math
from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.libraries.adapted import adapted, monotone
from dpcert.libraries.comparison import Comparison, least_delta
from dpcert.libraries.steps import UNIT, Fixed, Steps, steps
from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.extras import needs_extra
from dpcert.targets.target import Target


def _library() -> Any:
    needs_extra("diffpriv_pure", extra="diffpriv-pure")
    return import_module("diffpriv_pure")


def private_count(epsilon: float, *, counts: Iterable[int] = range(3), expect: str = "verified") -> Target:
    """Return `private_count(count, epsilon)` as a target: pure differential privacy, as it documents.

    It draws one `random()`: its module's `random` is replaced while it runs.
    """
    library = _library()

    @functools.cache
    def cut(count: int) -> Steps:
        def released(k: int) -> Any:
            own, library.random = library.random, Fixed(k)
            try:
                return library.private_count(count, epsilon)
            finally:
                library.random = own

        return steps(released, count=UNIT)

    def program(count: int, coins: Coins) -> Any:
        return cut(count).draw(coins)

    guarantee, name, assumed = PureDP(Fraction(epsilon)), "private_count", [monotone()]
    return adapted(program, guarantee, counts, "counts_differ_by_one", name=name, expect=expect, assumptions=assumed)


def private_sum(epsilon: float, *, delta: float = 0.0, expect: str = "verified") -> Target:
    """Return `private_sum` on lists of one value in [0, 1] as a target that can be sampled."""
    library = _library()

    def program(values: list[float]) -> float:
        released: float = library.private_sum(values, (0.0, 1.0), epsilon, delta)
        return released

    guarantee = ApproxDP(Fraction(epsilon), Fraction(delta)) if delta else PureDP(Fraction(epsilon))
    return adapted(program, guarantee, [[0.0], [1.0]], "substitute", name="private_sum", expect=expect)


def gaussian_sigma_delta(epsilon: float, delta: float) -> Comparison:
    """Return delta against the least delta of noise of `gaussian_sigma(1, epsilon, delta)`, at this epsilon."""
    sigma = _library().gaussian_sigma(1.0, epsilon, delta)
    least = least_delta(sigma=Fraction(sigma), epsilon=Fraction(epsilon))
    return Comparison(f"`gaussian_sigma(1, {epsilon:g}, {delta:g})`: its delta", Fraction(delta), least)


def composed_delta(times: int, epsilon: float, delta: float) -> Comparison:
    """Return the delta of `PrivacyBudget.advanced_composition`, against the least delta at its epsilon.

    The composed mechanism is randomized response, which is (epsilon, 0)-, and so (epsilon, delta)-differentially
    private. Its worst event is that the number of truthful answers among `times` is above a bound.
    """
    total, claimed = _library().PrivacyBudget(1.0).advanced_composition(times, epsilon, delta)
    first = math.floor((Fraction(total) / Fraction(epsilon) + times) / 2) + 1

    def formula(each: Any, whole: Any) -> Any:
        truthful = 1 / (1 + (-each).exp())
        lying = 1 - truthful
        terms = [
            math.comb(times, k)
            * (truthful**k * lying ** (times - k) - whole.exp() * truthful ** (times - k) * lying**k)
            for k in range(first, times + 1)
        ]
        return sum(terms, 0 * each)

    words = f"`advanced_composition({times}, {epsilon:g}, {delta:g})`: its delta at its epsilon = {total:.6g}"
    return Comparison(words, Fraction(claimed), enclose(formula, Fraction(epsilon), Fraction(total), bits=256))
