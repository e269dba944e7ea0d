"""Whether any private scheme reports a key more often than Algorithm 3 of weighted-sampling: linear programs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.proofs.check import check
from dpcert.proofs.linear import Solution, greatest, proves

ZERO = Fraction(0)
ONE = Fraction(1)
Sample = tuple[int, ...]
"""For each key, its frequency where it was sampled, else 0."""
Output = tuple[int, ...]
"""For each key, 0 where it is not reported, else the value with which it is."""


def most_reported(
    *, q: Sequence[Fraction], ratio: Fraction, delta: Fraction, keys: int, values: int, data: Sample
) -> Solution | None:
    """Return how often a scheme can report the first key of the data, over all schemes that are given a sample.

    A scheme maps every sample, of all keys at once, to a law of outputs; an output reports some of the sampled keys,
    each with one of the values. Privacy is asked for on all data with frequencies 0..len(q) that differ by one
    element. The solution is None where its dual vector does not prove it.
    """
    frequencies = range(len(q) + 1)
    samples = list(itertools.product(frequencies, repeat=keys))
    outputs = list(itertools.product(range(values + 1), repeat=keys))
    silent = outputs[0]
    entries = [
        (sample, output)
        for sample in samples
        for output in outputs[1:]
        if all(kept or not value for kept, value in zip(sample, output, strict=True))
    ]
    place = {entry: j for j, entry in enumerate(entries)}
    pairs = [(a, b) for a in samples for b in samples if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1]
    width = len(entries) + len(pairs) * len(outputs)

    def chance(weights: Sample, sample: Sample) -> Fraction:
        """Return the probability that these data have this sample."""
        rates = (q[w - 1] if w else ZERO for w in weights)
        return (
            prod(
                (rate if kept == w and w else 1 - rate if not kept else ZERO)
                for rate, kept, w in zip(rates, sample, weights, strict=True)
            )
            * ONE
        )

    def law(weights: Sample, output: Output) -> dict[int, Fraction]:
        """Return the coefficients of the probability of an output; of silence, those of what lacks to 1."""
        found: dict[int, Fraction] = {}
        for (sample, reported), j in place.items():
            if output == silent or reported == output:
                p = chance(weights, sample)
                if p:
                    found[j] = -p if output == silent else p
        return found

    matrix: list[list[Fraction]] = []
    bounds: list[Fraction] = []

    def add(coefficients: dict[int, Fraction], bound: Fraction) -> None:
        line = [ZERO] * width
        for j, a in coefficients.items():
            line[j] = a
        matrix.append(line)
        bounds.append(bound)

    for sample in samples:
        owned = {j: ONE for (of, _), j in place.items() if of == sample}
        if owned:
            add(owned, ONE)
    for n, (a, b) in enumerate(pairs):
        excess = [len(entries) + n * len(outputs) + m for m in range(len(outputs))]
        add(dict.fromkeys(excess, ONE), delta)
        for output, slack in zip(outputs, excess, strict=True):
            line = law(a, output)
            for j, p in law(b, output).items():
                line[j] = line.get(j, ZERO) - ratio * p
            add({**line, slack: -ONE}, ratio - 1 if output == silent else ZERO)
    objective = [ZERO] * width
    for (sample, output), j in place.items():
        if output[0]:
            objective[j] = chance(data, sample)
    solution = greatest(matrix, bounds, objective)
    return solution if proves(solution, matrix, bounds, objective) else None


def _witnesses(keys: int, values: int, imax: int, texts: Sequence[str]) -> Iterator[str]:
    for ratio, delta in ((Fraction(2), Fraction(1, 10)), (Fraction(3), Fraction(1, 4))):
        for text in texts:
            q = sampling_probabilities(text, imax)
            pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
            for data in [(i, *[min(1, imax)] * (keys - 1)) for i in range(1, imax + 1)]:
                found = most_reported(q=q, ratio=ratio, delta=delta, keys=keys, values=values, data=data)
                if found is None or found.value != pi[data[0] - 1]:
                    yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, data = {data}"


@check("pws-keys-optimal")
def pws_keys_optimal() -> Iterator[str]:
    """No scheme on samples, of one key with values or of two keys at once, reports a key more often."""
    yield from _witnesses(1, 1, 5, ("1", "1/20, 1/5, 1/2", "priority:1/4"))
    yield from _witnesses(1, 2, 3, ("1", "1/5"))
    yield from _witnesses(2, 2, 1, ("1", "1/5"))
    yield from _witnesses(2, 1, 2, ("1/10, 1/2",))


@check("pws-keys-dense")
def pws_keys_dense() -> Iterator[str]:
    """A private scheme that may report keys that do not occur reports a key of frequency 1 more often than pi_1."""
    for ratio in (Fraction(3, 2), Fraction(2), Fraction(3)):
        for delta in (Fraction(1, 10), Fraction(1, 4)):
            absent, once = (1 - delta) / (ratio + 1), (ratio + delta) / (ratio + 1)
            private = once <= ratio * absent + delta and 1 - absent <= ratio * (1 - once) + delta
            pi = reporting_probabilities(q=[ONE], ratio=ratio, delta=delta)[0]
            if not private or once <= pi:
                yield f"e^epsilon = {ratio}, delta = {delta}"
