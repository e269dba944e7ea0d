"""Checks of the reporting probabilities of keys of weighted-sampling, Section 4."""

from collections.abc import Iterator
from fractions import Fraction

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.proofs.check import check, smallest
from dpcert.proofs.evidence import within

RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))


def _keys_grid() -> Iterator[tuple[Fraction, Fraction, str, list[Fraction], list[Fraction]]]:
    for ratio in RATIOS:
        for delta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)):
            for text in ("1", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "1/5", "priority:1/8"):
                q = sampling_probabilities(text, 12)
                yield ratio, delta, text, q, reporting_probabilities(q=q, ratio=ratio, delta=delta)


@check("pws-keys-private")
def pws_keys_private() -> Iterator[str]:
    """Reporting a key with the probabilities of Algorithm 3 is (epsilon, delta)-DP, and pi_i <= q_i."""
    return (
        f"e^epsilon = {ratio}, delta = {delta}, q = {text}"
        for ratio, delta, text, q, pi in _keys_grid()
        if not within([Dist.bernoulli(p) for p in (0, *pi)], Epsilon.ln(ratio), delta)
        or any(p > most for p, most in zip(pi, q, strict=True))
    )


@check("pws-closed-form-printed")
@smallest
def closed_form_printed() -> Iterator[tuple[int, Fraction, str]]:
    """Lemma 4.2 as printed, with the exponent 2L + 2 - i in its second case, is the recurrence."""
    for ratio in RATIOS:
        for length in range(1, 7):
            delta = (ratio - 1) / (ratio**length * (ratio + 1) - 2)  # makes L(epsilon, delta) = length
            pi = reporting_probabilities(q=[Fraction(1)] * (2 * length + 3), ratio=ratio, delta=delta)
            for i, p in enumerate(pi, 1):
                if i <= length + 1:
                    printed = delta * (ratio**i - 1) / (ratio - 1)
                elif i <= 2 * length + 1:
                    printed = 1 - delta * (ratio ** (2 * length + 2 - i) - 1) / (ratio - 1)
                else:
                    printed = Fraction(1)
                if printed != p:
                    where = f"e^epsilon = {ratio}, delta = {delta} (L = {length}), i = {i}"
                    yield i, ratio.denominator * ratio, f"{where}: printed {printed}, Algorithm 3 gives {p}"
