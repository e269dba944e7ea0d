"""Pure-sparse-histogram: sparse-histogram, which is near keep-heavy, made private by mixing in a random histogram."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample, approx_ordsample_law
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, lists
from dpcert.mechanisms.finite_computers.keep_heavy import PARAMETERS as BASE_PARAMETERS
from dpcert.mechanisms.finite_computers.mixing import mixed_law
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.sparse_histogram import (
    precision,
    scope,
    sparse_histogram,
    sparse_histogram_law,
)
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

PRINTED = "printed"


def pure_distance(*, n: int, universe: int, epsilon: Fraction, beta: Fraction) -> Fraction:
    """Return delta = epsilon/3 beta (3 universe)^-n, a distance that mixing with weight beta compensates.

    Requires: 1/epsilon and 1/beta positive integers; then 1/delta is one.
    Source:   finite-computers, Algorithm 6.9, step 1.
    """
    return epsilon * beta / (3 * Fraction(3 * universe) ** n)


def random_histogram(drawn: Sequence[tuple[int, int]]) -> Bins:
    """Return the histogram of drawn labels and counts, in order, without zeros; a label's last count holds.

    Claims: for n uniform labels and n uniform counts from 0 to n, `random_histogram_law`.
    Source: finite-computers, Algorithm 6.9, step 2, with a count drawn for each label, repeated ones included.
    """
    return tuple((label, count) for label, count in sorted(dict(drawn).items()) if count > 0)


def random_histogram_law(*, n: int, universe: int) -> Dist:
    """Return the law of `random_histogram` in closed form: it depends on the number r of bins alone.

    For n labels out of the universe, with j labels outside the r given ones, there are as many sequences that have
    all of the r as inclusion and exclusion count; each of their counts has probability 1/(n + 1).
    """
    sequences = [_sequences(n, universe, r) for r in range(n + 1)]
    return Dist.from_weights(
        (
            (tuple(zip(labels, counts, strict=True)), sequences[r])
            for r in range(n + 1)
            for labels in combinations(range(universe), r)
            for counts in product(range(1, n + 1), repeat=r)
        ),
        universe**n * (n + 1) ** n,
    )


def _sequences(n: int, universe: int, r: int) -> int:
    """Return (n + 1)^n times the number of label sequences with all of r labels, each weighed by its counts' chance.

    A sequence with j distinct labels besides has weight (n + 1)^-(r + j). With w = 1/(n + 1), the sum over the sets of
    the other labels is a walk: each step draws one of the r labels, new or again, or another label, new (at w) or
    again.
    """
    ways = {(0, 0): Fraction(1)}
    for _ in range(n):
        after: dict[tuple[int, int], Fraction] = {}
        for (inside, others), weight in ways.items():
            moves = [
                ((inside, others), Fraction(inside + others)),
                ((inside + 1, others), Fraction(r - inside, n + 1)),
                ((inside, others + 1), Fraction(universe - r - others, n + 1)),
            ]
            for state, factor in moves:
                after[state] = after.get(state, Fraction(0)) + weight * factor
        ways = after
    return int(sum(weight for (inside, _), weight in ways.items() if inside == r) * (n + 1) ** n)


def random_histogram_least(*, n: int, universe: int) -> Fraction:
    """Return the least probability of any histogram of at most n bins: n! / ((n + 1) universe)^n, of one with n."""
    return Fraction(factorial(n), ((n + 1) * universe) ** n)


def pure_sparse_histogram(
    *, n: int, universe: int, sparse: Callable[[Sequence[int], Coins], Bins], weight: int
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `sparse` does, or with probability 1/weight a random histogram of at most n bins.

    Both are always drawn and computed. As soon as the coin decides between them, the program forgets the other one, so
    that an audit merges paths: it drops the outcome of `sparse`, or sets the random histogram's numbers to zero.

    Requires: weight >= 2; `sparse` releases at most n bins, labels 0 to universe - 1, counts 1 to n.
    Claims:   (epsilon, 0)-DP for lists that differ in one label, where `sparse` is within `pure_distance` of a
              mechanism that is, with beta = 1/weight.
    Source:   finite-computers, Algorithm 6.9 and Theorem 6.10 i.
    """

    def step(held: Any, part: str, coins: Coins) -> Any:
        """Return the histogram after a part; before the first part, the state is the people."""
        if part == "sparse":
            return sparse(held, coins)
        if part == "choice":
            return None if coins.below(weight) == 0 else held
        # These numbers are drawn in either case, as draws that depend on the coin would disclose it.
        drawn = [(coins.below(universe), coins.below(n + 1)) for _ in range(n)]
        other = random_histogram(drawn if held is None else [(0, 0)] * n)
        return other if held is None else held

    def release(people: Sequence[int], coins: Coins) -> Bins:
        held: Any = tuple(people)
        return coins.fold(("sparse", "choice", "random"), held, step) or ()

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    (n, universe), sampler = scope(settings), Sampler.of(settings)
    epsilon, beta = inverse(settings, "epsilon"), inverse(settings, "beta", least=2)
    delta = pure_distance(n=n, universe=universe, epsilon=epsilon, beta=beta)
    if settings.get("precision", PRINTED) == PRINTED:
        s = precision(n=n, universe=universe, delta=delta)
    else:
        s = integer(settings, "precision", least=universe, greatest=2**4096)
    cumulative = scaled_cumulative(sampler.law(0), n)
    sparse = sparse_histogram(
        n=n, universe=universe, sampler=sampler.program, order_statistics=approx_ordsample(cumulative=cumulative, s=s)
    )
    sparse_law = sparse_histogram_law(
        n=n, universe=universe, law=sampler.law, order_statistics=approx_ordsample_law(cumulative=cumulative, s=s)
    )
    return Instance(
        program=pure_sparse_histogram(n=n, universe=universe, sparse=sparse, weight=int(1 / beta)),
        closed_form=mixed_law(sparse_law, random_histogram_law(n=n, universe=universe), beta),
        inputs=tuple(lists(n, universe)),
        neighbours="substitute",
        epsilon=Epsilon.of(epsilon),
        domain=label_lists(n, universe),
    )


PARAMETERS = (
    *BASE_PARAMETERS,
    Parameter("beta", "1/100", "1/beta is an integer above 1: the weight of the random histogram"),
    Parameter("precision", PRINTED, "below what order statistics are drawn: printed, or a number, maybe too small"),
)

PURE_SPARSE_HISTOGRAM = Mechanism(
    name="pure-sparse-histogram",
    words="sparse-histogram, mixed with a random histogram to be private without a delta",
    source="finite-computers, Algorithm 6.9, Theorem 6.10 i",
    parameters=PARAMETERS,
    build=_build,
)
