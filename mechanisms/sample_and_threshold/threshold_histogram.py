"""Sample-and-threshold over many bins: sample each person, release the labels that were sampled often enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists_up_to
from dpcert.mechanisms.drawn import Sampled, coin_by_coin
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_LISTS, AuditedLists, Bins, fewer, tally
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.rounding import Rounding, binomial_down
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta

Label = Any
Released = tuple[tuple[Label, int], ...]

SORTED = (
    "assumed: the program's law depends on the tally of the labels alone, and on no order of people; so, where one "
    "person is added or removed, sorted lists stand for all lists of the same people"
)


def threshold_histogram(*, rate: Fraction, threshold: int, universe: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Sample each person with probability `rate`, release the labels sampled at least `threshold` times.

    Requires: 0 < rate < 1, threshold >= 1; inputs are lists of labels 0..universe-1, one for each person.
    Claims:   (epsilon, delta)-DP for lists one of which has one person more, at every epsilon and delta at which
              `sample_threshold` has it for counts that differ by one: the other bins have the same law.
    Source:   sample-and-threshold, Section 3.1 and Theorem 2.
    """

    by_counts = threshold_counts(rate=rate, threshold=threshold)
    return lambda people, coins: by_counts(tally(people), coins)


def threshold_counts(
    *, rate: Fraction, threshold: int, drawn: Callable[[Fraction], Sampled] = coin_by_coin
) -> Callable[[Sequence[tuple[Label, int]], Coins], Released]:
    """Sample each person of each label with probability `rate`, release the labels sampled often enough.

    Requires: 0 < rate < 1, threshold >= 1; inputs are labels in order, each once, with how many people have it; `drawn`
              makes a program with the law of `coin_by_coin`.
    Claims:   those of `threshold_histogram`, which is this program on the counts of a list.
    """
    sample = drawn(rate)

    def release(counts: Sequence[tuple[Label, int]], coins: Coins) -> Released:
        sampled = ((label, sample(count, coins)) for label, count in counts)
        return tuple([(label, count) for label, count in sampled if count >= threshold])

    return release


def threshold_histogram_law(*, rate: Fraction, threshold: int, universe: int) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `threshold_histogram` in closed form: a product of binomials, small counts dropped."""
    p, q = rate.numerator, rate.denominator - rate.numerator

    def bin_law(label: int, count: int) -> Dist:
        weights = ((v, comb(count, v) * p**v * q ** (count - v)) for v in range(count + 1))
        return _shown(label, threshold, weights, rate.denominator**count)

    return lambda people: _product(people, universe, bin_law)


def threshold_histogram_form(*, rate: Fraction, threshold: int, universe: int) -> Rounding:
    """Return the closed form of `threshold_histogram` at any size: its law, or that of rounded bins for many people."""

    def rounded(people: Sequence[int], bits: int) -> Dist:
        def bin_law(label: int, count: int) -> Dist:
            weights = binomial_down(count, rate, bits) if count else [(0, 1 << bits)]
            return _shown(label, threshold, weights, 1 << bits)

        return _product(people, universe, bin_law)

    def size(people: Sequence[int]) -> int:
        counts = (sum(person == label for person in people) for label in range(universe))
        outcomes = prod(max(1, count - threshold + 2) for count in counts)
        return outcomes * len(people) * rate.denominator.bit_length()

    return Rounding(threshold_histogram_law(rate=rate, threshold=threshold, universe=universe), rounded, size)


def _shown(label: int, threshold: int, weights: Iterable[tuple[int, int]], denominator: int) -> Dist:
    return Dist.from_weights((((((label, v),) if v >= threshold else ()), w) for v, w in weights), denominator)


def _product(people: Sequence[int], universe: int, bin_law: Callable[[int, int], Dist]) -> Dist:
    """Return the law of the list of bins shown, each by its count."""
    bins = [bin_law(label, sum(person == label for person in people)) for label in range(universe)]
    rows: list[tuple[Bins, int]] = [((), 1)]
    for law in bins:
        shown = [(outcome, weight) for _, outcome, weight in law.weights()]
        rows = [((*head, *last), w * v) for head, w in rows for last, v in shown]
    return Dist.from_weights(rows, prod(law.denominator for law in bins))


def lists_up_to(n: int, universe: int) -> AuditedLists:
    """Return every list of at most n labels from 0 to universe - 1; where these are too many, the sorted ones alone.

    Of any two lists one of which has one person more, the sorted lists of the same people are such a pair, too.

    Raises: InputError where there are more than MAX_LISTS of the latter.
    """

    def amount(n: int, universe: int) -> int:
        return comb(n + universe, n)

    if amount(n, universe) > MAX_LISTS:
        raise InputError(
            given=f"n={n}, universe={universe}",
            needed=f"at most {MAX_LISTS} sorted lists of up to n labels to audit",
            remedy=f"{fewer(n, universe, amount)}, or audit sample-threshold: one person changes one bin",
        )
    whole = sum(universe**length for length in range(n + 1)) <= MAX_LISTS

    def ways(length: int) -> Iterable[tuple[int, ...]]:
        labels = range(universe)
        return product(labels, repeat=length) if whole else combinations_with_replacement(labels, length)

    inputs = tuple(list(people) for length in range(n + 1) for people in ways(length))
    return AuditedLists(inputs, universe, () if whole else (SORTED,))


def on_lists(
    scope: AuditedLists,
    program: Callable[[Sequence[int], Coins], Any],
    closed_form: Callable[[Sequence[int]], Dist],
    *,
    epsilon: Epsilon,
    delta: Fraction,
) -> Instance:
    """Return the instance of a program, and of its law, on the lists of labels of a scope, of which one has one person
    more.
    """
    return Instance(
        program=program,
        closed_form=closed_form,
        inputs=scope.inputs,
        neighbours="add-remove",
        epsilon=epsilon,
        delta=delta,
        assumptions=scope.assumptions,
        domain=label_lists_up_to(None, scope.universe),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    rate = probability(settings, "rate")
    threshold = integer(settings, "threshold", least=1)
    n = integer(settings, "n", least=1, greatest=1000)
    universe = integer(settings, "universe", least=1, greatest=1000)
    ratio, scope = 2 / (1 - rate), lists_up_to(n, universe)
    program = threshold_histogram(rate=rate, threshold=threshold, universe=universe)
    form = threshold_histogram_form(rate=rate, threshold=threshold, universe=universe)
    delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
    return on_lists(scope, program, form, epsilon=Epsilon.ln(ratio), delta=delta)


THRESHOLD_HISTOGRAM = Mechanism(
    name="sample-threshold-histogram",
    words="Poisson-sample people and report the labels sampled at least as often as a threshold says",
    source="sample-and-threshold, Section 3.1, Theorem 2",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "2", "the number of labels, 0 to universe - 1"),
        Parameter("n", "4", "the greatest number of people audited"),
    ),
    build=_build,
)
