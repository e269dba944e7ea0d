"""PyDP: its strategies for the selection of partitions, by their public probabilities; its `ml` mechanisms, sampled."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.libraries.adapted import adapted
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.target import Target


def one_user_more(a: Any, b: Any) -> bool:
    """Whether b has the counts of a with one user more, who is in one or more of the partitions."""
    return len(a) == len(b) and a != b and all(0 <= y - x <= 1 for x, y in zip(a, b, strict=True))


def selection(
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


def kept(
    strategy: Any,
    *,
    counts: Iterable[int] = range(201),
    claimed: ApproxDP | None = None,
    name: str | None = None,
    expect: str = "verified",
) -> Target:
    """Return a partition selection strategy as a target that keeps with `strategy.probability_of_keep(count)`.

    It claims the object's own epsilon and delta, which are for a user in at most `max_partitions_contributed`
    partitions; neighbours differ in a user who is in that many. The claim is about the public probabilities. Nothing
    checks that the compiled `should_keep` follows them.
    """
    guarantee = ApproxDP(Fraction(strategy.epsilon), Fraction(strategy.delta)) if claimed is None else claimed
    return selection(
        strategy.probability_of_keep,
        counts=counts,
        partitions=strategy.max_partitions_contributed,
        guarantee=guarantee,
        name=name or type(strategy).__name__,
        expect=expect,
    )


def randomised(mechanism: Any, *, epsilon: str, inputs: Iterable[Any], expect: str = "verified") -> Target:
    """Return a mechanism of `pydp.ml.mechanisms` as a target that can be sampled; it claims `epsilon` on counts."""

    def program(value: Any) -> Any:
        return mechanism.randomise(value)

    name = type(mechanism).__name__
    return adapted(program, PureDP(epsilon), inputs, "counts_differ_by_one", name=name, expect=expect)


def noised(mechanism: Any, *, inputs: Iterable[Any], expect: str = "undecided") -> Target:
    """Return a `LaplaceMechanism` or `GaussianMechanism` as a target that can be sampled, for inputs that differ by 1.

    It claims the object's own epsilon and delta.
    """

    def program(value: Any) -> Any:
        return mechanism.add_noise(value)

    def within_1(a: Any, b: Any) -> bool:
        return bool(abs(a - b) <= 1)

    guarantee = ApproxDP(Fraction(mechanism.epsilon), Fraction(getattr(mechanism, "delta", 0)))
    return adapted(program, guarantee, inputs, within_1, name=type(mechanism).__name__, expect=expect)
