"""One quantile by binary search: each step releases a sample-and-threshold histogram of two halves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, tally
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold import threshold_histogram
from dpcert.mechanisms.sample_and_threshold.trie import composed_claim

Steps = tuple[tuple[int, Bins], ...]
"""For each step the split, in units of 2^-halvings, and the released histogram: 0 is below the split, 1 above it."""
MOST = 12
"""The greatest number of halvings."""


def quantile_search(
    *, rate: Fraction, threshold: int, phi: Fraction, halvings: int
) -> Callable[[Sequence[int], Coins], Steps]:
    """Halve [0, 1] `halvings` times towards the `phi`-quantile, each time by a histogram of a new sample.

    Requires: 0 < rate < 1, threshold >= 1, 0 < phi < 1, halvings >= 1; inputs are lists of integers from 0 to
              2^halvings - 1, one for each person; v stands for the values from v to v + 1, in units of 2^-halvings.
    Claims:   (halvings epsilon, halvings delta)-DP for lists one of which has one person more, at every epsilon and
              delta at which `sample_threshold` has it for counts that differ by one.
    Source:   sample-and-threshold, Section 4.2 and Lemma 8.
    """
    histogram = threshold_histogram.threshold_counts(rate=rate, threshold=threshold)
    by_counts = quantile_counts(histogram=histogram, phi=phi, halvings=halvings)
    return lambda people, coins: by_counts(tally(people), coins)


def quantile_counts(
    *, histogram: Callable[..., Bins], phi: Fraction, halvings: int
) -> Callable[[Sequence[tuple[int, int]], Coins], Steps]:
    """Halve [0, 1] towards the `phi`-quantile, each time by the counts that `histogram` shows below and above.

    Requires: inputs are values in order, each once, with how many people have it.
    Claims:   those of `quantile_search`, which is this program on the counts of a list.
    """

    def release(counts: Sequence[tuple[int, int]], coins: Coins) -> Steps:
        def halve(steps: Steps, step: int, coins: Coins) -> Steps:
            split = next_split(steps, phi=phi, halvings=halvings)
            sides = [0, 0]
            for value, count in counts:
                sides[value >= split] += count
            return (*steps, (split, histogram([(side, many) for side, many in enumerate(sides) if many], coins)))

        return coins.fold(range(halvings), (), halve)

    return release


def next_split(steps: Steps, *, phi: Fraction, halvings: int) -> int:
    """Return the middle of the interval left after some steps, fewer than `halvings`."""
    start, width = _left(steps, phi, halvings)
    return start + width // 2


def found(steps: Steps, *, phi: Fraction) -> int:
    """Return the cell that is left at the end, from 0 to 2^len(steps) - 1."""
    return _left(steps, phi, len(steps))[0]


def _left(steps: Steps, phi: Fraction, halvings: int) -> tuple[int, int]:
    """Return start and width of the interval left: the upper half where less than phi of the shown people are below."""
    start, width = 0, 1 << halvings
    for _, bins in steps:
        width //= 2
        shown = dict(bins)
        if shown.get(0, 0) < phi * sum(shown.values()):
            start += width
    return start, width


def quantile_search_law(
    *, rate: Fraction, threshold: int, phi: Fraction, halvings: int
) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `quantile_search` in closed form: each step has the product of two thresholded binomials."""
    histogram = threshold_histogram.threshold_histogram_law(rate=rate, threshold=threshold, universe=2)

    def law(people: Sequence[int]) -> Dist:
        rows: list[tuple[Steps, Fraction]] = [((), Fraction(1))]
        for _ in range(halvings):
            longer = []
            for steps, p in rows:
                split = next_split(steps, phi=phi, halvings=halvings)
                after = histogram([int(value >= split) for value in people])
                longer += [((*steps, (split, bins)), p * q) for bins, q in after.items()]
            rows = longer
        return Dist.of(rows)

    return law


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    phi, halvings = probability(settings, "phi"), integer(settings, "halvings", least=1, greatest=MOST)
    epsilon, delta = composed_claim(rate=rate, threshold=threshold, rounds=halvings)
    scope = threshold_histogram.lists_up_to(integer(settings, "n", least=1, greatest=1000), 2**halvings)
    program = quantile_search(rate=rate, threshold=threshold, phi=phi, halvings=halvings)
    law = quantile_search_law(rate=rate, threshold=threshold, phi=phi, halvings=halvings)
    return threshold_histogram.on_lists(scope, program, law, epsilon=epsilon, delta=delta)


QUANTILE_SEARCH = Mechanism(
    name="quantile-search",
    words="find a quantile by binary search, each step a sample-and-threshold histogram of two bins",
    source="sample-and-threshold, Section 4.2, Lemma 8",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each person is sampled, at each step anew"),
        Parameter("threshold", "2", "the least count that is shown"),
        Parameter("phi", "1/2", "the quantile looked for"),
        Parameter("halvings", "2", "how many steps are made; values are multiples of 2^-halvings"),
        Parameter("n", "3", "the greatest number of people audited"),
    ),
    build=_build,
)
