"""Two sparse vectors on the same queries, independent of each other: their epsilons add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.sparse_vector import PARAMETERS, setting_of, sparse_vector, sparse_vector_law
from dpcert.mechanisms.literature.vectors import of_vectors
from dpcert.mechanisms.mechanism import Instance, Mechanism, with_defaults

Release = Callable[[Sequence[int], Coins], tuple[Any, ...]]


def in_parallel(first: Release, second: Release) -> Release:
    """Release the outcomes of two programs on the same queries, each on coins of its own.

    Claims: (epsilon + epsilon', 0)-DP for the neighbours of which the two are (epsilon, 0)- and (epsilon', 0)-DP.
    Source: the benchmark's SVT34Parallel, whose two programs are not private.
    """
    halves = summarize(first), summarize(second)
    return lambda queries, coins: tuple(half(queries, coins) for half in halves)


def in_parallel_law(law: Callable[[Sequence[int]], Dist]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of two programs of one law in parallel: a product."""

    def pairs(queries: Sequence[int]) -> Dist:
        once = law(queries)
        return once.product(once)

    return pairs


def _build(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    program = in_parallel(sparse_vector(at), sparse_vector(at))
    epsilon = Epsilon.ln((at.noise * at.query ** (2 * at.cap)) ** 2)
    law = in_parallel_law(sparse_vector_law(at))
    return of_vectors(settings, program, law, neighbours="linf", epsilon=epsilon)


PARALLEL_SPARSE_VECTORS = Mechanism(
    name="parallel-sparse-vectors",
    words="two sparse vectors on the same queries, independent of each other",
    source="Lyu, Su and Li 2017, Algorithm 1, twice; the benchmark's SVT34Parallel, on the integers and private",
    parameters=with_defaults(PARAMETERS, n="2"),
    build=_build,
)
