"""PipelineDP: its partition selection, by public probabilities, and its exponential mechanism, exactly."""

import functools
from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.libraries import pydp
from dpcert.libraries.adapted import adapted, monotone
from dpcert.libraries.numpy_choice import fixed_generator
from dpcert.libraries.steps import UNIT, Steps, steps
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.extras import needs_extra
from dpcert.targets.target import Target


def kept(
    strategy: str,
    epsilon: float,
    delta: float,
    *,
    max_partitions_contributed: int = 1,
    pre_threshold: int | None = None,
    counts: Iterable[int] = range(201),
    claimed: ApproxDP | None = None,
    expect: str = "verified",
) -> Target:
    """Return `create_partition_selection_strategy(...)` as a target; `strategy` names a `PartitionSelectionStrategy`.

    The probabilities come from PyDP's object, with a pre-threshold where one is given.
    """
    needs_extra("pipeline_dp", extra="pipeline-dp")
    library = import_module("pipeline_dp")
    create = import_module("pipeline_dp.partition_selection").create_partition_selection_strategy
    chosen = getattr(library.PartitionSelectionStrategy, strategy)
    made = create(chosen, epsilon, delta, max_partitions_contributed, pre_threshold)
    return pydp.kept(made, counts=counts, claimed=claimed, name=strategy.lower(), expect=expect)


def exponential_mechanism(
    epsilon: float,
    *,
    inputs: Iterable[tuple[float, ...]],
    sensitivity: float = 1.0,
    monotonic: bool = False,
    claimed: ApproxDP | None = None,
    expect: str = "verified",
) -> Target:
    """Return `dp_computations.ExponentialMechanism` as a target on vectors of scores, of any values.

    The object computes the probabilities, and calls numpy's `Generator.choice` with them. An error that it raises is an
    outcome.
    """
    needs_extra("pipeline_dp", extra="pipeline-dp")
    library = import_module("pipeline_dp.dp_computations")
    bound = Fraction(sensitivity)

    def mechanism(scores: tuple[float, ...]) -> Any:
        methods = {
            "score": lambda _, k: scores[k],
            "global_sensitivity": property(lambda _: sensitivity),
            "is_monotonic": property(lambda _: monotonic),
        }
        scoring = type("Scores", (library.ExponentialMechanism.ScoringFunction,), methods)
        return library.ExponentialMechanism(scoring())

    @functools.cache
    def cut(scores: tuple[float, ...]) -> Steps:
        positions = list(range(len(scores)))

        def chosen(k: int) -> int:
            probabilities = mechanism(scores)._calculate_probabilities(epsilon, positions)
            return int(fixed_generator(k).choice(positions, p=probabilities))

        # numpy finds the position among partial sums, so that it does not decrease in k
        return steps(chosen, count=UNIT)

    def program(scores: Any, coins: Coins) -> Any:
        return cut(tuple(scores)).draw(coins)

    def close(a: Any, b: Any) -> bool:
        moved = [Fraction(x) - Fraction(y) for x, y in zip(a, b, strict=True)]
        one_way = all(x >= 0 for x in moved) or all(x <= 0 for x in moved)
        return all(abs(x) <= bound for x in moved) and (one_way or not monotonic)

    close.__qualname__ = f"{'monotonic_' if monotonic else ''}scores_within_{bound}"
    guarantee = PureDP(Fraction(epsilon)) if claimed is None else claimed
    name, assumed = "ExponentialMechanism", [monotone()]
    return adapted(program, guarantee, inputs, close, name=name, expect=expect, assumptions=assumed)
