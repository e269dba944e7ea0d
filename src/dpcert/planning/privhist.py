"""The split of PrivHist's epsilon between its total, its split and its smoothing, searched on a user's own counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, floor

from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries, fakes, is_low_privacy, share, threshold
from dpcert.mechanisms.anonymized_histograms.postprocess import (
    Prevalences,
    high_privacy_histogram,
    low_privacy_histogram,
)
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, items, split
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer
from dpcert.planning.fixed import shown
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.proposal import SEARCH, PlannedAudit, Proposal
from dpcert.planning.question import Budget, Question

PLACES = 16
DOUBLE = 50
"""The least step by which a share is lowered is one part in 2^DOUBLE, the precision of floats."""
AUDITED = ("privhist-total", "privhist-split", "privhist-smoothed")
"""The parts that are audited, each at its own epsilon and at the scope that ships."""
MOST_EPSILON = 500
MOST_PEOPLE = 10**8


@dataclass(frozen=True, slots=True)
class Shares:
    """e^epsilon_1, e^epsilon_2 and e^epsilon_3; the last is 1 where nothing is smoothed."""

    total: Fraction
    split: Fraction
    smooth: Fraction

    def within(self, epsilon: Epsilon) -> bool:
        """Whether the three spend epsilon or less together."""
        return at_most(Epsilon.ln(self.total * self.split * self.smooth), epsilon)


def shares_of(parts: Sequence[int], epsilon: Epsilon) -> Shares:
    """Return shares in these proportions: multiples of 2^-16, rounded down until they are within epsilon together.

    Requires: an epsilon of at most MOST_EPSILON, so that each share is a float.
    """
    spend, whole = float(epsilon_bounds(epsilon, 64)[0]), sum(parts)
    steps = [floor(exp(spend * part / whole) * (1 << PLACES)) for part in parts]
    while True:
        found = Shares(*(Fraction(step, 1 << PLACES) for step in steps))
        if found.within(epsilon):
            return found
        less = [max(1, step >> DOUBLE) if part else 0 for step, part in zip(steps, parts, strict=True)]
        steps = [step - one for step, one in zip(steps, less, strict=True)]


def split_sampler(shares: Shares, *, ratio: Fraction) -> Callable[[Prevalences, Coins], tuple[Prevalences, int]]:
    """Release as `privhist_sampler` does, with a separate share of epsilon for each step.

    `ratio` is e^(epsilon/3), which decides the branch and T; the boundaries are those of the last share.

    Claims: with three equal shares of `ratio`, the law of `privhist_sampler`.
    Source: anonymized-histograms, PrivHist; Lemmas 7 to 9 hold for each epsilon_i by itself, and Theorem 1 adds them.
    """
    low = is_low_privacy(ratio)
    first, second = geometric_noise(ratio=shares.total), geometric_noise(ratio=shares.split)
    third = second if low else geometric_noise(ratio=shares.smooth)

    def release(histogram: Prevalences, coins: Coins) -> tuple[Prevalences, int]:
        total = max(items(histogram) + first(coins), 0)
        if total == 0:
            return (), 0
        limit, made = threshold(total, ratio), fakes(total, shares.split)
        small, large = split(histogram, limit=limit, made=made, shift=second(coins))
        counts = [r + second(coins) for r, many in large for _ in range(many)]
        if low:
            noisy = [value + second(coins) for value in small]
            return low_privacy_histogram(noisy, counts, threshold=limit, fakes=made), total
        edges = boundaries(total, shares.smooth, counts)
        noisy = [value + third(coins) for value in smoothed(histogram, edges)]
        return high_privacy_histogram(noisy, edges), total

    return release


def plan_privhist(question: Question, budget: Budget, frequencies: Frequencies | None) -> Proposal:
    """Return the split of epsilon, among those on a lattice, of least error on a file's counts, by seeded runs."""
    settings = question.take({"parts": "8", "runs": "20", "seed": "1"})
    parts, runs = integer(settings, "parts", least=3, greatest=100), integer(settings, "runs", least=2, greatest=10**4)
    seed = integer(settings, "seed", least=0, greatest=2**32)
    if frequencies is None:
        needed = "--frequencies FILE: the best split depends on the counts"
        raise InputError(given="plan privhist without a file", needed=needed, remedy="name a CSV file")
    if frequencies.total > MOST_PEOPLE:
        given = f"{frequencies.total} people in the file"
        raise InputError(given=given, needed=f"at most {MOST_PEOPLE}, as every split is run", remedy="take a sample")
    if not at_most(budget.epsilon, Epsilon.of(MOST_EPSILON)):
        given, needed = f"--epsilon {question.epsilon}", f"an epsilon of at most {MOST_EPSILON}"
        raise InputError(given=given, needed=needed, remedy="lower it: even a share of that adds no noise to speak of")
    ratio = share(budget.epsilon)
    low = is_low_privacy(ratio)
    even = shares_of((1, 1, 0), budget.epsilon) if low else shares_of((1, 1, 1), budget.epsilon)
    printed = Shares(ratio, ratio, Fraction(1) if low else ratio)
    if low:
        lattice = [(i, parts - i, 0) for i in range(1, parts)]
    else:
        lattice = [(i, j, parts - i - j) for i in range(1, parts - 1) for j in range(1, parts - i)]
    splits = dict.fromkeys([printed, even, *(shares_of(one, budget.epsilon) for one in lattice)])
    usable = [one for one in splits if min(one.total, one.split) > 1 and (low or one.smooth > 1)]
    errors = {one: _error(one, ratio, frequencies, runs, seed) for one in usable}
    best = min(errors, key=lambda one: (errors[one], one.total))
    mean, theirs = errors[best], errors[printed]
    bought = [f"a mean sorted distance of {shown(mean)} over {runs} runs, in equal thirds {shown(theirs)}"]
    if low:
        bought.append("above epsilon = 1 nothing is smoothed, so that a third of three equal shares is not spent")
    return Proposal(
        answer={name: str(Epsilon.ln(value)) for name, value in _parts(best).items()},
        scope="the parts by Lemmas 7 to 9, audited at their default scopes, and together by composition",
        kind=SEARCH,
        why=f"the least error of {len(errors)} splits in {parts}ths, each run {runs} times from seed {seed}",
        source="Theorem 1",
        paper={name: str(Epsilon.ln(value)) for name, value in _parts(printed).items()},
        bought=tuple(bought),
        answers=tuple(
            PlannedAudit(name, {"epsilon": str(Epsilon.ln(one))}, str(Epsilon.ln(one)), "0/1", "sorted-l1")
            for name, one in zip(AUDITED, _parts(best).values(), strict=True)
            if one > 1
        ),
        utility={"people": str(frequencies.total), "mean sorted distance": shown(mean)},
        notes=("the split was chosen by the counts themselves, which is not private: choose it on public data",),
    )


def _parts(shares: Shares) -> dict[str, Fraction]:
    return {"epsilon1": shares.total, "epsilon2": shares.split, "epsilon3": shares.smooth}


def _error(shares: Shares, ratio: Fraction, frequencies: Frequencies, runs: int, seed: int) -> Fraction:
    """Return the mean sorted distance between the file's histogram and its release, over seeded runs."""
    release = split_sampler(shares, ratio=ratio)
    # Every split runs from the same seeds, so that splits differ by their shares more than by their draws.
    made = (release(frequencies.keys_of, seeded_coins(seed + run))[0] for run in range(runs))
    return Fraction(sum(compact_distance(frequencies.keys_of, histogram) for histogram in made), runs)
