"""One person who moves from one bin of a sampled and thresholded histogram to another: two data sets, at any size."""

from collections.abc import Mapping
from fractions import Fraction

from dpcert.mechanisms.domain import label_lists_up_to
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram, threshold_histogram_form


def moved_lists(left: int, entered: int) -> tuple[list[int], list[int]]:
    """Return two lists of labels: `left` people in bin 0 and `entered` - 1 in bin 1, and one of them moved.

    Requires: left >= 1, entered >= 1.
    """
    return [0] * left + [1] * (entered - 1), [0] * (left - 1) + [1] * entered


def moved_instance(settings: Mapping[str, str]) -> tuple[Fraction, int, tuple[list[int], list[int]]]:
    """Return the rate, the threshold and the two lists that the settings name."""
    rate = probability(settings, "rate")
    threshold = integer(settings, "threshold", least=1)
    left, entered = (integer(settings, name, least=1, greatest=10**4) for name in ("left", "entered"))
    return rate, threshold, moved_lists(left, entered)


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold, lists = moved_instance(settings)
    ratio = 2 / (1 - rate)
    return Instance(
        program=threshold_histogram(rate=rate, threshold=threshold, universe=2),
        closed_form=threshold_histogram_form(rate=rate, threshold=threshold, universe=2),
        inputs=lists,
        neighbours="substitute",
        epsilon=Epsilon.ln(ratio),
        delta=kl_delta(rate=rate, threshold=threshold, ratio=ratio),
        domain=label_lists_up_to(None, 2),
    )


MOVED_PERSON = Mechanism(
    name="moved-person",
    words="sample-threshold-histogram with two bins of any size, one person moved from one to the other",
    source="sample-and-threshold, Section 2 (neighbours) and Theorem 2",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("left", "3", "how many people the bin has that one leaves"),
        Parameter("entered", "2", "how many people the bin has that one entered"),
    ),
    build=_build,
)
