"""Private weighted sampling, sanitized keys: sample a key, then report it as often as privacy allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_grid import reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities

__all__ = [
    "PWS_KEYS",
    "key_parameters",
    "pws_keys",
    "reporting_probabilities",
    "sampling_probabilities",
    "taken_for",
    "told_apart",
]


def reporting_probabilities(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return pi_1, pi_2, ...: the end-to-end probabilities of reporting a key of frequency 1, 2, ...

    `q[i - 1]` is the probability that a key of frequency i is sampled, `ratio` is e^epsilon.

    Requires: q non-decreasing in [0, 1]; ratio >= 1; delta in [0, 1].
    Claims:   pi_i = min(q_i, ratio pi_(i-1) + delta, 1 + (pi_(i-1) + delta - 1) / ratio), pi_0 = 0.
    Source:   weighted-sampling, Algorithm 3.
    """
    reported: list[Fraction] = []
    before = Fraction(0)
    for most in q:
        if before != most:  # else pi_i = q_i, since the other two terms are at least pi_(i-1) = q_i
            before = min(most, ratio * before + delta, 1 + (before + delta - 1) / ratio)
        reported.append(before)
    return reported


def pws_keys(*, q: Sequence[Fraction], reported: Sequence[Fraction]) -> Callable[[int, Coins], bool]:
    """Sample a key of the given frequency with probability q, then report it with probability reported / q.

    A frequency above len(q) counts as len(q).

    Requires: 0 <= reported[i] <= q[i]; inputs are frequencies >= 0; a key of frequency 0 is never sampled.
    Claims:   (epsilon, delta)-DP for all frequencies that differ by one, where `reported` is from
              `reporting_probabilities` or `reported_on_grid`: min(w, imax) changes by at most as much as w. Up to
              len(q) no sanitizer reports any key more often than `reporting_probabilities` do (Lemma 4.1); beyond
              len(q) none does if the last of these is 1.
    Source:   weighted-sampling, Algorithms 1 to 3.
    Raises:   InputError for a frequency that is no integer >= 0.
    """
    frequencies = counts(None, noun="frequency")

    def release(frequency: int, coins: Coins) -> bool:
        frequencies.require(frequency, "frequency")
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return False
        return coins.bernoulli(reported[place] / q[place])

    return release


def told_apart(reported: Sequence[Fraction]) -> int:
    """Return the least frequency from which on all frequencies are reported with one probability."""
    place = len(reported)
    while place > 1 and reported[place - 2] == reported[-1]:
        place -= 1
    return place


def taken_for(top: int) -> str:
    """Return the words that say why inputs up to `top` + 1 stand for all frequencies."""
    return (
        f"covers all frequencies: the program takes those above {top} for {top}, "
        "so that any two that differ by one are two of these inputs, or have one law"
    )


def key_parameters(settings: Mapping[str, str]) -> tuple[Epsilon, Fraction, int]:
    """Return epsilon, delta and the bits of the grid, 0 for exact probabilities.

    Raises: InputError for a delta outside (0, 1], or bits that are no integer from 8 to 4096, nor 0.
    """
    epsilon, delta = Epsilon.of(settings["epsilon"]), exact(settings["delta"], "delta")
    if not 0 < delta <= 1:
        raise InputError(
            given=f"delta={settings['delta']}",
            needed="a number in (0, 1]: with delta = 0 no key can ever be reported",
            remedy='write for instance "1/100"',
        )
    bits = integer(settings, "bits", least=0, greatest=4096)
    if 0 < bits < 8:
        raise InputError(given=f"bits={bits}", needed="0, or 8 to 4096", remedy="write 0 for exact probabilities")
    return epsilon, delta, bits


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, delta, bits = key_parameters(settings)
    imax = integer(settings, "imax", least=1)
    q, ratio = sampling_probabilities(settings["q"], imax), rational_ratio(epsilon)
    if bits:
        reported = reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits)
    else:
        reported = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    top = told_apart(reported)

    def closed_form(frequency: int) -> Dist:
        return Dist.bernoulli(reported[min(frequency, top) - 1] if frequency else 0)

    return Instance(
        program=pws_keys(q=q[:top], reported=reported[:top]),
        closed_form=closed_form,
        inputs=tuple(range(top + 2)),
        neighbours="counts_differ_by_one",
        epsilon=epsilon,
        delta=delta,
        assumptions=(taken_for(top),),
        domain=counts(None, noun="frequency"),
    )


PWS_KEYS = Mechanism(
    name="pws-keys",
    words="sample a key by its frequency and report it with the greatest probability that privacy allows",
    source="weighted-sampling, Algorithm 3, Lemma 4.1",
    parameters=(
        Parameter("epsilon", "1/2", "the claimed epsilon; the program uses a rational just below e^epsilon"),
        Parameter("delta", "1/100", "the claimed delta, above 0"),
        Parameter("imax", "20", "the greatest frequency told apart; one above it is taken for it"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
        Parameter("bits", "0", "0: exact probabilities; else rounded down to multiples of 2^-bits, as private"),
    ),
    build=_build,
)
