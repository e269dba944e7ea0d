"""The selection of partitions as a mechanism: a public function from counts to probabilities is its law."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.libraries.adapted import adapted
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.target import Target


def one_user_more(a: Any, b: Any) -> bool:
    """Whether b has the counts of a with one user more, who is in one or more of the partitions."""
    return len(a) == len(b) and a != b and all(0 <= y - x <= 1 for x, y in zip(a, b, strict=True))


def kept(
    probability: Callable[[int], float],
    *,
    counts: Iterable[int],
    partitions: int,
    guarantee: ApproxDP,
    name: str,
    expect: str = "verified",
) -> Target:
    """Return the selection of partitions as a target: each is kept independently, with exactly the returned double.

    Its inputs are `partitions` equal counts. So neighbours differ in a user who is in all of the partitions: n in each
    against n + 1. Its outcome is the set of kept partitions.

    Requires: a probability from 0 to 1 for each count; any other raises ValueError, which is an outcome.
    """

    def program(users: tuple[int, ...], coins: Coins) -> Any:
        shown = []
        for count in users:
            chance = Fraction(probability(count))
            if not 0 <= chance <= 1:
                raise ValueError("a probability outside [0, 1]")
            shown.append(bool(coins.below(chance.denominator) < chance.numerator))
        return tuple(shown)

    inputs = [(count,) * partitions for count in counts]
    assumed = ["partitions are kept independently, each with the probability that the library returns"]
    return adapted(program, guarantee, inputs, one_user_more, name=name, expect=expect, assumptions=assumed)
