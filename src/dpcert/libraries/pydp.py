"""PyDP: its strategies for the selection of partitions, by their public probabilities; its `ml` mechanisms, sampled."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.libraries import partitions
from dpcert.libraries.adapted import adapted
from dpcert.targets.target import Target


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
    return partitions.kept(
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
