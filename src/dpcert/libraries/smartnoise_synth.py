"""smartnoise-synth: its exponential mechanism, exactly: one uniform number decides numpy's choice."""

import functools
from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.libraries.adapted import adapted, monotone
from dpcert.libraries.numpy_choice import fixed_state
from dpcert.libraries.steps import UNIT, Steps, steps
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.extras import needs_extra
from dpcert.targets.target import Target


def exponential_mechanism(
    epsilon: float,
    *,
    inputs: Iterable[tuple[float, ...]],
    sensitivity: float = 1.0,
    claimed: ApproxDP | None = None,
    expect: str = "verified",
) -> Target:
    """Return `snsynth.utils.exponential_mechanism(qualities, epsilon, sensitivity)` as a target on vectors.

    Neighbours are vectors that differ by at most the sensitivity in each entry. The module's generator, numpy's global
    one, is replaced while it runs.
    """
    needs_extra("snsynth", extra="smartnoise-synth")
    library: Any = import_module("snsynth.utils")
    bound = Fraction(sensitivity)

    @functools.cache
    def cut(qualities: tuple[float, ...]) -> Steps:
        def chosen(k: int) -> int:
            own, library.prng = library.prng, fixed_state(k)
            try:
                return int(library.exponential_mechanism(list(qualities), epsilon, sensitivity))
            finally:
                library.prng = own

        # numpy finds the position among partial sums, so that it does not decrease in k
        return steps(chosen, count=UNIT)

    def program(qualities: Any, coins: Coins) -> Any:
        return cut(tuple(qualities)).draw(coins)

    def close(a: Any, b: Any) -> bool:
        return all(abs(Fraction(x) - Fraction(y)) <= bound for x, y in zip(a, b, strict=True))

    close.__qualname__ = f"qualities_within_{bound}"
    guarantee = PureDP(Fraction(epsilon)) if claimed is None else claimed
    name, assumed = "exponential_mechanism", [monotone()]
    return adapted(program, guarantee, inputs, close, name=name, expect=expect, assumptions=assumed)
