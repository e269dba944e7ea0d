"""Private weighted sampling, sanitized keys: sample a key, then report it as often as privacy allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio

__all__ = ["PWS_KEYS", "pws_keys", "reporting_probabilities", "sampling_probabilities"]

RATE_BITS = 64


def reporting_probabilities(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return pi_1, pi_2, ...: the end-to-end probabilities of reporting a key of frequency 1, 2, ...

    `q[i - 1]` is the probability that a key of frequency i is sampled, `ratio` is e^epsilon.

    Requires: q non-decreasing in [0, 1]; ratio >= 1; delta in [0, 1].
    Claims:   pi_i = min(q_i, ratio pi_(i-1) + delta, 1 + (pi_(i-1) + delta - 1) / ratio), pi_0 = 0.
    Source:   weighted-sampling, Algorithm 3.
    """
    found: list[Fraction] = []
    before = Fraction(0)
    for most in q:
        before = min(most, ratio * before + delta, 1 + (before + delta - 1) / ratio)
        found.append(before)
    return found


def sampling_probabilities(text: str, imax: int) -> list[Fraction]:
    """Return q_1, ..., q_imax of the threshold sampling that a text names.

    "1" samples every key; "priority:TAU" with min(1, TAU i); "ppswor:TAU" with 1 - exp(-TAU i), rounded down to a
    multiple of 2^-64, which keeps it non-decreasing; a list "1/10, 1/5, 1" is continued by its last number.

    Raises:   InputError for any other text, a rate <= 0, or a list that decreases or leaves [0, 1].
    Source:   weighted-sampling, Section 2 (threshold sampling, f(i) = i).
    """
    kind, _, rest = text.partition(":")
    if kind in ("priority", "ppswor") and rest:
        tau = exact(rest, "tau")
        if tau <= 0:
            raise InputError(given=f"q={text}", needed="tau > 0", remedy='write for instance "priority:1/10"')
        if kind == "priority":
            return [min(Fraction(1), tau * i) for i in range(1, imax + 1)]
        return [_one_minus_exp(tau * i) for i in range(1, imax + 1)]
    listed = [exact(part, "q") for part in text.split(",")]
    listed += [listed[-1]] * (imax - len(listed))
    if not all(0 <= a <= b <= 1 for a, b in zip([Fraction(0), *listed], listed, strict=False)):
        raise InputError(
            given=f"q={text}",
            needed="non-decreasing numbers in [0, 1]",
            remedy='write "1", a list such as "1/10, 1/2, 1", "priority:TAU" or "ppswor:TAU"',
        )
    return listed[:imax]


def _one_minus_exp(x: Fraction) -> Fraction:
    """Return 1 - exp(-x) rounded down to a multiple of 2^-64."""
    bits = RATE_BITS
    while True:
        below, above = Epsilon.of(x).exp_bounds(bits)
        lo, hi = ((1 - 1 / bound) * (1 << RATE_BITS) for bound in (below, above))
        if lo // 1 == hi // 1 or bits > 1 << 16:
            return Fraction(lo // 1, 1 << RATE_BITS)
        bits *= 2


def pws_keys(*, q: Sequence[Fraction], reported: Sequence[Fraction]) -> Callable[[int, Coins], bool]:
    """Sample a key of the given frequency with probability q, then report it with probability reported / q.

    Requires: 0 <= reported[i] <= q[i]; inputs 0..len(q), where a key of frequency 0 is never sampled.
    Claims:   (epsilon, delta)-DP for frequencies that differ by one, where `reported` is from
              `reporting_probabilities`; no sanitizer reports any key more often (Lemma 4.1).
    Source:   weighted-sampling, Algorithms 1 to 3.
    Raises:   InputError for a frequency that is no integer from 0 to the greatest.
    """
    frequencies = counts(len(q), noun="frequency", raising="imax")

    def release(frequency: int, coins: Coins) -> bool:
        frequencies.require(frequency, "frequency")
        if frequency == 0 or not coins.bernoulli(q[frequency - 1]):
            return False
        return coins.bernoulli(reported[frequency - 1] / q[frequency - 1])

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, delta = Epsilon.of(settings["epsilon"]), exact(settings["delta"], "delta")
    imax = integer(settings, "imax", least=1, greatest=10**5)
    if not 0 < delta <= 1:
        raise InputError(
            given=f"delta={settings['delta']}",
            needed="a number in (0, 1]: with delta = 0 no key can ever be reported",
            remedy='write for instance "1/100"',
        )
    q = sampling_probabilities(settings["q"], imax)
    reported = reporting_probabilities(q=q, ratio=rational_ratio(epsilon), delta=delta)

    def closed_form(frequency: int) -> Dist:
        return Dist.bernoulli(reported[frequency - 1] if frequency else 0)

    return Instance(
        program=pws_keys(q=q, reported=reported),
        closed_form=closed_form,
        inputs=tuple(range(imax + 1)),
        neighbours="element",
        epsilon=epsilon,
        delta=delta,
        domain=counts(imax, noun="frequency", raising="imax"),
    )


PWS_KEYS = Mechanism(
    name="pws-keys",
    words="sample a key by its frequency and report it with the greatest probability that privacy allows",
    source="weighted-sampling, Algorithm 3, Lemma 4.1",
    parameters=(
        Parameter("epsilon", "1/2", "the claimed epsilon; the program uses a rational just below e^epsilon"),
        Parameter("delta", "1/100", "the claimed delta, above 0"),
        Parameter("imax", "20", "the greatest frequency audited"),
        Parameter("q", "1", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    ),
    build=_build,
)
