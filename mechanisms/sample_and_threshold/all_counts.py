"""Sample-and-threshold on all counts: the greatest delta over infinitely many counts, from finitely many.

The sampled number among k people becomes that among more people by sampling the others. So the releases at counts above
k are post-processings of the sampled numbers of k + 1 and of k people, without a threshold: at each epsilon, the delta
of these two bounds the deltas of all greater counts. This bound falls to 0 as k grows. Once the greatest delta so far
is above it, no greater count needs more. `sampled_count.py` releases sampled numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.count_deltas import CountDelta, count_deltas

MOST = 20_000
"""The greatest count that is examined."""


@dataclass(frozen=True, slots=True)
class Greatest:
    """The least delta that is enough for all counts that differ by one, and a pair that needs it.

    The counts are `count` and `count` - 1; `more_first` says in which order. Beyond `reach`, no pair needs more than
    `beyond`, which is at most delta.
    """

    delta: Fraction
    count: int
    more_first: bool
    reach: int
    beyond: Fraction


def one_count_delta(*, rate: Fraction, threshold: int, ratio: Fraction, count: int) -> tuple[Fraction, Fraction]:
    """Return the least deltas at e^epsilon = ratio of `count` against `count` - 1 people, and in the other order.

    Requires: 0 < rate < 1, threshold >= 1, ratio >= 1, count >= 1; a threshold of 1 leaves all counts as they are.
    """
    more, fewer = _sampled(rate, count), [weight * rate.denominator for weight in _sampled(rate, count - 1)]
    shown = min(threshold, count + 1)
    more = [sum(more[:shown]), *more[shown:]]
    fewer = [sum(fewer[:shown]), *fewer[shown:]]
    fewer += [0] * (len(more) - len(fewer))
    whole = ratio.denominator * rate.denominator**count
    return Fraction(_excess(more, fewer, ratio), whole), Fraction(_excess(fewer, more, ratio), whole)


def crowd_delta(*, rate: Fraction, ratio: Fraction, count: int) -> Fraction:
    """Return a delta at e^epsilon = ratio that is enough, whatever the threshold, for all pairs of counts >= `count`.

    Claims: it does not rise with `count`.
    """
    return max(one_count_delta(rate=rate, threshold=1, ratio=ratio, count=count + 1))


def greatest_delta(*, rate: Fraction, threshold: int, ratio: Fraction) -> Greatest:
    """Return the least delta at e^epsilon = ratio that is enough for all counts that differ by one.

    Requires: 0 < rate < 1, threshold >= 1, ratio > 1.
    Source:   sample-and-threshold, Theorem 2, of which this is the exact form for one bin.
    Raises:   InputError where counts up to MOST do not settle it.
    """
    best, stop = CountDelta(1, 0, 0, 1), threshold
    crowd = _crowds(rate, ratio, threshold)
    for deltas in count_deltas(rate=rate, threshold=threshold, ratio=ratio):
        beyond = next(crowd)
        if max(deltas.more, deltas.fewer) * best.whole > max(best.more, best.fewer) * deltas.whole:
            best = deltas
        if deltas.count == stop:
            if not max(beyond.more, beyond.fewer) * best.whole > max(best.more, best.fewer) * beyond.whole:
                return Greatest(best.most, best.count, best.more >= best.fewer, stop, beyond.most)
            if stop > MOST:
                break
            stop += stop // 4 + 1
    raise _unsettled(rate, threshold, ratio)


def _crowds(rate: Fraction, ratio: Fraction, first: int) -> Iterator[CountDelta]:
    """Return the pairs whose greater delta is `crowd_delta` of the counts `first`, `first` + 1, ..."""
    return islice(count_deltas(rate=rate, threshold=1, ratio=ratio), first, None)


def covering_reach(*, rate: Fraction, threshold: int, ratio: Fraction, delta: Fraction) -> int:
    """Return a count up to which some pair needs more than `delta`, or from which on `crowd_delta` is at most `delta`.

    Requires: 0 < rate < 1, threshold >= 1, ratio >= 1, delta >= 0.
    Raises:   InputError where no count up to MOST is either.
    """
    return _settled(rate, threshold, ratio, delta)[1]


def _settled(rate: Fraction, threshold: int, ratio: Fraction, delta: Fraction) -> tuple[bool, int]:
    """Return whether `delta` is enough for all counts, and the count that settles it.

    Raises: InputError where no count up to MOST does.
    """
    crowd, shown = _crowds(rate, ratio, 1), count_deltas(rate=rate, threshold=threshold, ratio=ratio)
    for count in range(1, MOST + 1):
        if count >= threshold and next(shown).exceeds(delta):  # below it 0 is released of both
            return False, count
        if not next(crowd).exceeds(delta):
            return True, count
    raise _unsettled(rate, threshold, ratio)


def _unsettled(rate: Fraction, threshold: int, ratio: Fraction) -> InputError:
    return InputError(
        given=f"rate={rate}, threshold={threshold}, e^epsilon = {float(ratio):.6g}",
        needed=f"a case that counts up to {MOST:,} settle",
        remedy="take a greater epsilon or a lower threshold",
    )


def least_threshold(*, rate: Fraction, ratio: Fraction, delta: Fraction, most: int = 10_000) -> int | None:
    """Return the least threshold at which `delta` is enough for all counts; None where none up to `most` is.

    A higher threshold is a post-processing, so delta falls as the threshold rises. Let `crowd_delta` be at most delta
    from some count on. A threshold above that count is enough, as nothing is released for counts up to it.

    Raises: InputError where counts up to MOST do not settle it.
    """
    crowd = islice(_crowds(rate, ratio, 1), MOST)
    reach = next((place for place, pair in enumerate(crowd, 1) if not pair.exceeds(delta)), None)

    def enough(threshold: int) -> bool:
        if reach is None:
            return _settled(rate, threshold, ratio, delta)[0]
        deltas = count_deltas(rate=rate, threshold=threshold, ratio=ratio)
        return not any(pair.exceeds(delta) for pair in islice(deltas, max(0, reach + 1 - threshold)))

    high = most if reach is None else min(reach + 1, most)
    return least(1, high, enough) if enough(high) else None


def greatest_rate(*, threshold: int, ratio: Fraction, delta: Fraction, steps: int) -> Fraction | None:
    """Return the greatest multiple of 1/steps below 1 at which `delta` is enough for all counts; None where none is.

    A release at a lower rate is a post-processing: it keeps each person shown with the quotient of the rates as
    probability, and applies the threshold again. So delta rises with the rate.
    """

    def too_much(step: int) -> bool:
        return not _settled(Fraction(step, steps), threshold, ratio, delta)[0]

    if too_much(1):
        return None
    return Fraction(least(2, steps, too_much) - 1, steps)


def _sampled(rate: Fraction, people: int) -> list[int]:
    """Return the probabilities that 0, 1, ... of the people are sampled, over rate.denominator**people."""
    up, down = rate.numerator, rate.denominator - rate.numerator
    weight = down**people
    weights = [weight]
    for v in range(people):
        weight = weight * (people - v) * up // ((v + 1) * down)
        weights.append(weight)
    return weights


def _excess(p: list[int], q: list[int], ratio: Fraction) -> int:
    """Return the sum of max(0, p - ratio q), times the ratio's denominator."""
    above, below = ratio.numerator, ratio.denominator
    return sum(max(0, below * x - above * y) for x, y in zip(p, q, strict=True))
