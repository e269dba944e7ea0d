"""The faults of pws-keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Expected, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import (
    PWS_KEYS,
    pws_keys,
    reporting_probabilities,
    sampling_probabilities,
)

fault = FaultsOf(PWS_KEYS, defaults={"epsilon": "ln(2)", "delta": "1/10", "imax": "4"}, without=("bits",))


def sampled(settings: Settings) -> tuple[list[Fraction], Fraction, Fraction]:
    """Return the sampling probabilities, e^epsilon from below, and delta."""
    ratio, delta = rational_ratio(Epsilon.of(settings["epsilon"])), exact(settings["delta"], "delta")
    return sampling_probabilities(settings["q"], integer(settings, "imax", least=1)), ratio, delta


def tables(settings: Settings) -> tuple[list[Fraction], list[Fraction]]:
    """Return with which probability keys are sampled, and reported, by their frequency."""
    q, ratio, delta = sampled(settings)
    return q, reporting_probabilities(q=q, ratio=ratio, delta=delta)


@fault(
    "pws-keys-heavy",
    source="weighted-sampling, Algorithm 2, with a table that ends before pi_i meets q_i",
    fault="keys above the table's end are reported as they are sampled",
    edit=("frequency > len(q) or coins", "coins"),
    claim=lambda settings, meant: {"assumptions": ()},
    defaults={"imax": "2"},
    expected=Expected(2, 3, [False], "7/10", "0"),
)
def pws_keys_heavy(settings: Settings) -> Callable[[int, Coins], bool]:
    """pws-keys that reports all sampled keys above the greatest frequency of its table"""
    q, reported = tables(settings)

    def release(frequency: int, coins: Coins) -> bool:
        place = min(frequency, len(q)) - 1
        if frequency == 0 or not coins.bernoulli(q[place]):
            return False
        return frequency > len(q) or coins.bernoulli(reported[place] / q[place])

    return release


@fault(
    "pws-keys-thinned",
    source="weighted-sampling, Algorithm 2, with pi_i for p_i",
    fault="pi_i for p_i = pi_i / q_i",
    edit=("[p * rate for p, rate in zip(reported, q, strict=True)]", "reported"),
    defaults={"q": "priority:1/4"},
    expected=Expected(3, 2, [True], "21/40", "3/20"),
)
def pws_keys_thinned(settings: Settings) -> Program:
    """pws-keys that takes end-to-end probabilities for those of sampled keys"""
    q, reported = tables(settings)
    return pws_keys(q=q, reported=[p * rate for p, rate in zip(reported, q, strict=True)])


def two_terms(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """Return min(q_i, ratio pi_(i-1) + delta), where Algorithm 3's minimum of three terms is meant."""
    found: list[Fraction] = []
    before = Fraction(0)
    for most in q:
        before = min(most, ratio * before + delta)
        found.append(before)
    return found


@fault(
    "pws-keys-two-terms",
    source="weighted-sampling, Algorithm 3, without (17)",
    fault="the minimum without its third term",
    edit=("min(most, ratio * before + delta)", "min(most, ratio * before + delta, 1 + (before + delta - 1) / ratio)"),
    place=two_terms,
    expected=Expected(3, 4, [False], "3/10", "0"),
)
def pws_keys_two_terms(settings: Settings) -> Program:
    """pws-keys without the bound on how fast keys may stop being left out"""
    q, ratio, delta = sampled(settings)
    return pws_keys(q=q, reported=two_terms(q=q, ratio=ratio, delta=delta))


@fault(
    "pws-keys-unsanitized",
    source="weighted-sampling, Algorithm 1, without Algorithm 2",
    fault="no sanitizer behind the sampling",
    edit=("reported=q", "reported=_reported"),
    defaults={"q": "priority:1/4"},
    expected=Expected(1, 0, [True], "1/4", "0"),
)
def pws_keys_unsanitized(settings: Settings) -> Program:
    """the keys of a weighted sample as they are"""
    q, _reported = tables(settings)
    return pws_keys(q=q, reported=q)
