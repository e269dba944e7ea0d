"""Stability-based histograms, the baseline of private weighted sampling: noise, a threshold, and then sampling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities

Count = Callable[[int, Coins], int]
"""A noisy count: the true one and coins give a value >= 0."""


def sbh(*, threshold: int, sampler: Count) -> Count:
    """Release the noisy frequency of one key if the key occurs and the noisy frequency reaches the threshold, else 0.

    `stability_histogram` does the work, on as many people as the key has elements, all with one label.

    Requires: threshold >= 1; inputs as far as the sampler takes counts; 0 stands for a key that is not reported.
    Claims:   (e, delta)-DP for frequencies that differ by one, if the sampler is (e, 0)-DP for counts that do, where
              delta is the probability that it makes 1 at least the threshold. No smaller delta is enough.
    Source:   weighted-sampling, Algorithm 6, with geometric noise for Laplace's.
    """
    histogram = stability_histogram(threshold=threshold - 1, sampler=sampler)
    return lambda frequency, coins: next((noisy for _, noisy in histogram([0] * frequency, coins)), 0)


def sbh_sampled(*, threshold: int, sampler: Count, q: Sequence[Fraction]) -> Count:
    """Release as `sbh` does, then keep a value j with probability q_j: it samples by the noisy frequency.

    Requires: q_1, q_2, ... as far as the sampler's values go.
    Claims:   (e, delta)-DP as `sbh`, with delta the probability that a key of frequency 1 is reported and kept.
    Source:   weighted-sampling, Section 8.1, sampled-SbH.
    """
    private = sbh(threshold=threshold, sampler=sampler)

    def release(frequency: int, coins: Coins) -> int:
        value = private(frequency, coins)
        return value if value and coins.bernoulli(q[value - 1]) else 0

    return release


def sbh_law(*, threshold: int, law: Callable[[int], Dist], q: Sequence[Fraction]) -> Callable[[int], Dist]:
    """Return the law of `sbh_sampled` in closed form; of `sbh` for q = 1."""

    def released(frequency: int) -> Dist:
        if frequency == 0:
            return Dist.point(0)
        kept = [(value, p * q[value - 1]) for value, p in law(frequency).items() if value >= threshold]
        return Dist.of([*kept, (0, 1 - sum(p for _, p in kept))])

    return released


def lone_key(*, threshold: int, law: Callable[[int], Dist], q: Sequence[Fraction]) -> Fraction:
    """Return the probability that a key of frequency 1 is reported, which is the least delta of `sbh_sampled`."""
    return sum((p * q[value - 1] for value, p in law(1).items() if value >= threshold), Fraction(0))


def printed_threshold(*, ratio: Fraction, delta: Fraction) -> int:
    """Return the least integer T >= 1 + ln(1/delta)/epsilon, where ratio = e^epsilon > 1 and 0 < delta <= 1.

    Source: weighted-sampling, Algorithm 6; a noisy count is an integer, so T may be one, too.
    """
    threshold, power = 1, delta
    while power < 1:
        threshold, power = threshold + 1, power * ratio
    return threshold


def least_threshold(*, law: Callable[[int], Dist], q: Sequence[Fraction], delta: Fraction) -> int | None:
    """Return the least threshold at which `sbh_sampled` is private with this delta, None where no value is above it."""
    left = Fraction(0)
    for value in range(len(q), 0, -1):
        left += law(1).prob(value) * q[value - 1]
        if left > delta:
            return value + 1 if value < len(q) else None
    return 1


def settled(settings: Mapping[str, str]) -> tuple[Count, Callable[[int], Dist], list[Fraction], int]:
    """Return the noisy count, its law, the sampling of its values, and the threshold that the parameters name.

    Raises: InputError for parameters outside their ranges, and for a threshold above the greatest value.
    """
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    imax = integer(settings, "imax", least=1, greatest=1000)
    most = integer(settings, "most", least=imax, greatest=10**4)
    if ratio <= 1 or not 0 < delta <= 1:
        raise InputError(
            given=f"epsilon={settings['epsilon']}, delta={settings['delta']}",
            needed="epsilon > 0, and delta in (0, 1]: with delta = 0 no key can ever be reported",
            remedy='write for instance "ln(6/5)" and "1/100"',
        )
    law, q = geometric_law(n=most, ratio=ratio), sampling_probabilities(settings["q"], most)
    match settings["threshold"]:
        case "printed":
            threshold: int | None = printed_threshold(ratio=ratio, delta=delta)
        case "least":
            threshold = least_threshold(law=law, q=q, delta=delta)
        case _:
            threshold = integer(settings, "threshold", least=1, greatest=most)
    if threshold is None or threshold > most:
        raise InputError(
            given=f"most={most}", needed="a greatest value that is at least the threshold", remedy="raise most"
        )
    return geometric(n=most, ratio=ratio), law, q, threshold


def _build(settings: Mapping[str, str]) -> Instance:
    sampled = "q" in settings
    sampler, law, q, threshold = settled({"q": "1", **settings})
    imax = integer(settings, "imax", least=1, greatest=1000)
    unsampled = sbh(threshold=threshold, sampler=sampler)
    return Instance(
        program=sbh_sampled(threshold=threshold, sampler=sampler, q=q) if sampled else unsampled,
        closed_form=sbh_law(threshold=threshold, law=law, q=q),
        inputs=tuple(range(imax + 1)),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.of(settings["epsilon"]),
        delta=exact(settings["delta"], "delta"),
        domain=counts(imax, noun="frequency", raising="imax"),
    )


PARAMETERS = (
    Parameter("epsilon", "ln(3/2)", "the claimed epsilon; the noise uses a rational just below e^epsilon"),
    Parameter("delta", "1/100", "the claimed delta, above 0"),
    Parameter("threshold", "printed", "printed, for 1 + ln(1/delta)/epsilon; least, for the least; or a number"),
    Parameter("imax", "20", "the greatest frequency audited"),
    Parameter("most", "30", "the greatest value reported: noisy frequencies beyond it are reported as it"),
)

SBH = Mechanism(
    name="sbh",
    words="the noisy frequency of a key that occurs, if it is at least a threshold",
    source="weighted-sampling, Algorithm 6",
    parameters=PARAMETERS,
    build=_build,
)

SBH_SAMPLED = Mechanism(
    name="sbh-sampled",
    words="the noisy frequency of a key that occurs, if it is at least a threshold, and sampled by that value",
    source="weighted-sampling, Section 8.1",
    parameters=(
        *PARAMETERS,
        Parameter("q", "priority:1/20", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
)
