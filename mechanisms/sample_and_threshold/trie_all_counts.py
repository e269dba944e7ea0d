"""TrieHH++ for any number of people: the delta of one bin over all counts, composed over the levels."""

from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta


def trie_for_everyone(*, rate: Fraction, threshold: int, ratio: Fraction, levels: int) -> tuple[Epsilon, Fraction]:
    """Return epsilon and delta of `trie` for lists of any length, one of which has one person more.

    `ratio` is e^epsilon of one level; epsilon is `levels` times as much.

    Requires: 0 < rate < 1, threshold >= 1, ratio > 1, levels >= 1.
    Claims:   delta is `levels` times the least delta that one bin needs over all counts, at most 1. Given the releases
              of the levels before, a level is a histogram of some of the people. One person more adds one to one bin of
              it, or to none, and the other bins have the same law. So each level is as private as one bin, whatever the
              earlier releases are, and the levels add up.
    Source:   sample-and-threshold, Lemma 7, with the exact form of Theorem 2 for one bin.
    """
    one = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta
    return Epsilon.ln(ratio**levels), min(levels * one, Fraction(1))
