"""Checks of the reporting probabilities of keys of weighted-sampling, Section 4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.evidence import within

__all__ = ["KEYS", "closed_form"]

RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))


def _keys_grid() -> Iterator[tuple[Fraction, Fraction, str, list[Fraction], list[Fraction]]]:
    for ratio in RATIOS:
        for delta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)):
            for text in ("1", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "1/5", "priority:1/8"):
                q = sampling_probabilities(text, 12)
                yield ratio, delta, text, q, reporting_probabilities(q=q, ratio=ratio, delta=delta)


def pws_keys_private() -> Finding:
    """Reporting a key with the probabilities of Algorithm 3 is (epsilon, delta)-DP, and pi_i <= q_i."""
    return first(
        f"e^epsilon = {ratio}, delta = {delta}, q = {text}"
        for ratio, delta, text, q, pi in _keys_grid()
        if not within([Dist.bernoulli(p) for p in (0, *pi)], Epsilon.ln(ratio), delta)
        or any(p > most for p, most in zip(pi, q, strict=True))
    )


def pws_keys_greatest() -> Finding:
    """No pi_i can be raised with those below it kept, and pi does not decrease."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, text, q, pi in _keys_grid():
            for i, (p, most) in enumerate(zip(pi, q, strict=True)):
                before = pi[i - 1] if i else Fraction(0)
                more = p + Fraction(1, 1 << 40)
                fits = more <= most and within(
                    [Dist.bernoulli(before), Dist.bernoulli(min(more, Fraction(1)))], Epsilon.ln(ratio), delta
                )
                if fits or p < before:
                    yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, i = {i + 1}"

    return first(witnesses())


def closed_form(shift: int) -> Finding:
    """Return whether the closed form of Lemma 4.2, with 2L + shift - i in its second case, is the recurrence."""

    def witnesses() -> Iterator[tuple[int, Fraction, str]]:
        for ratio in RATIOS:
            for length in range(1, 7):
                delta = (ratio - 1) / (ratio**length * (ratio + 1) - 2)  # makes L(epsilon, delta) = length
                pi = reporting_probabilities(q=[Fraction(1)] * (2 * length + 3), ratio=ratio, delta=delta)
                for i, p in enumerate(pi, 1):
                    if i <= length + 1:
                        printed = delta * (ratio**i - 1) / (ratio - 1)
                    elif i <= 2 * length + 1:
                        printed = 1 - delta * (ratio ** (2 * length + shift - i) - 1) / (ratio - 1)
                    else:
                        printed = Fraction(1)
                    if printed != p:
                        where = f"e^epsilon = {ratio}, delta = {delta} (L = {length}), i = {i}"
                        yield i, ratio.denominator * ratio, f"{where}: printed {printed}, Algorithm 3 gives {p}"

    found = min(witnesses(), default=None)
    return Finding(found is None, None if found is None else found[2])


def pws_closed_form_printed() -> Finding:
    """Lemma 4.2 as printed: exponent 2L + 2 - i."""
    return closed_form(2)


def pws_closed_form_corrected() -> Finding:
    """Lemma 4.2 with exponent 2L + 1 - i."""
    return closed_form(1)


KEYS: dict[str, Callable[[], Finding]] = {
    "pws-closed-form-corrected": pws_closed_form_corrected,
    "pws-closed-form-printed": pws_closed_form_printed,
    "pws-keys-greatest": pws_keys_greatest,
    "pws-keys-private": pws_keys_private,
}
