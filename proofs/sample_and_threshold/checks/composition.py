"""Checks of composition as the proof of Lemma 7 in sample-and-threshold has it, on the pair that all others come from.

That pair is, for (epsilon, delta): with probability delta an outcome that one law alone can have, and else randomized
response at e^epsilon. At an epsilon x, L of them need 1 - (1 - delta)^L + (1 - delta)^L H(x), where H(x) is what L
randomized responses need (Kairouz, Oh, Viswanath 2015).
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.proofs.check import check
from dpcert.proofs.sample_and_threshold.checks.sampling import exp_minus

BITS = 48
ONE = 1 << BITS


def responses(times: int, ratio: Fraction, total: Fraction) -> Fraction:
    """Return the least delta at e^epsilon = total of `times` randomized responses at a ratio."""
    terms = (comb(times, k) * (ratio**k - total * ratio ** (times - k)) for k in range(times + 1))
    return sum((term for term in terms if term > 0), Fraction(0)) / (1 + ratio) ** times


def canonical(times: int, delta: Fraction, finite: Fraction) -> Fraction:
    """Return the delta of `times` canonical pairs whose randomized responses need the delta `finite`."""
    kept = (1 - delta) ** times
    return 1 - kept + kept * finite


def pair(ratio: Fraction, delta: Fraction) -> tuple[Dist, Dist]:
    """Return the canonical pair."""
    yes, no = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
    return Dist.of({"only p": delta, "yes": yes, "no": no}), Dist.of({"only q": delta, "yes": no, "no": yes})


@check("composition-advanced-printed")
def advanced_printed() -> Iterator[str]:
    """(L e^2 + e sqrt(L ln 1/(L delta)), 2 L delta) for L mechanisms that are (e, delta)-private: true up to L = 19.

    With L delta = e^(-L x^2) the epsilon is L e (e + x). At L = 20 that fails: x is rounded up, which can only help.
    """
    for times in range(1, 20):
        if not holds_everywhere(times):
            yield f"L = {times}"
    times, epsilon, delta, x = 20, Fraction(1, 24), Fraction(3, 2 * 10**9), Fraction(930647, 10**6)
    is_above = Epsilon.of(times * x * x).exp_bounds(64)[0] * times * delta >= 1
    total_hi = Epsilon.of(times * epsilon * (epsilon + x)).exp_bounds(64)[1]
    needed_lo = canonical(times, delta, responses(times, Epsilon.of(epsilon).exp_bounds(64)[0], total_hi))
    if is_above and needed_lo > 2 * times * delta:
        needed = int(needed_lo * 10**11)
        yield (
            f"L = {times}, epsilon = {epsilon}, delta = {delta}: randomized response and delta need more than "
            f"{needed // 1000}.{needed % 1000:03}e-8, printed 6e-8"
        )


def holds_everywhere(times: int) -> bool:
    """Whether the printed form holds at this L for all epsilon > 0 and delta <= 1/L: shown by halving boxes.

    It does where H(L e (e + x)) <= s = e^(-L x^2), for all e > 0 and x >= 0: 1 - (1 - delta)^L is at most L delta = s.
    H is a sum over k of Pr[k yes] (1 - e^-y), y = e (2k - L - L (e + x)), where y > 0: it is 0 for e + x >= 1. On a box
    each term is at most the greatest Pr[k yes] times the greatest of min(1, y - y^2/2 + y^3/6).
    """

    @cache
    def yes(epsilon: Fraction) -> tuple[int, int]:
        """Return bounds of e^epsilon/(1 + e^epsilon), in multiples of 2^-BITS."""
        below, above = (ratio / (1 + ratio) for ratio in Epsilon.of(epsilon).exp_bounds(64))
        return int(below * ONE), -int(-above * ONE) + 1

    @cache
    def slack_lo(x: Fraction) -> int:
        return int(exp_minus(times * x * x)[0] * ONE)

    def is_enough(e0: Fraction, e1: Fraction, x0: Fraction, x1: Fraction) -> bool:
        low, high, total = yes(e0)[0], yes(e1)[1], 0
        for k in range(times, -1, -1):
            margin = 2 * k - times - times * (e0 + x0)
            if margin <= 0:
                break
            # Pr[k yes] rises in the chance of a yes up to k/L, and then falls: it is greatest there, or at an end.
            peak = (k << BITS) // times
            p_lo, p_hi = (high, high) if high <= peak else (low, low) if low > peak else (peak, peak + 1)
            chance = (comb(times, k) * p_hi**k * (ONE - p_lo) ** (times - k) >> BITS * (times - 1)) + 1
            y = e1 * margin
            share = min(Fraction(1), y - y**2 / 2 + y**3 / 6)
            total += -(-chance * share.numerator // share.denominator)
        return total <= slack_lo(x1)

    boxes = [(Fraction(0), Fraction(1), Fraction(0), Fraction(1))]
    for _ in range(10**4):
        if not boxes:
            return True
        e0, e1, x0, x1 = boxes.pop()
        if e0 + x0 >= 1 or is_enough(e0, e1, x0, x1):
            continue
        if e1 - e0 >= x1 - x0:
            boxes += [(e0, (e0 + e1) / 2, x0, x1), ((e0 + e1) / 2, e1, x0, x1)]
        else:
            boxes += [(e0, e1, x0, (x0 + x1) / 2), (e0, e1, (x0 + x1) / 2, x1)]
    return False


@check("composition-advanced-corrected")
def advanced_corrected() -> Iterator[str]:
    """With 2 under the root, (L e^2 + e sqrt(2 L ln 1/(L delta)), 2 L delta) is kept by L mechanisms.

    For L delta = e^(-L y^2/2), rounded down, the epsilon is at least L e (e + y).
    """
    epsilons = [Fraction(1, d) for d in (100, 24, 10, 4, 2, 1)]
    for times, epsilon, tenths in product((1, 2, 5, 20, 50, 100), epsilons, range(1, 20, 3)):
        y = Fraction(tenths, 10)
        slack = exp_minus(times * y * y / 2)[0]
        total_lo = Epsilon.of(times * epsilon * (epsilon + y)).exp_bounds(64)[0]
        needed_hi = responses(times, Epsilon.of(epsilon).exp_bounds(64)[1], total_lo)
        if canonical(times, slack / times, needed_hi) > 2 * slack:
            yield f"L = {times}, epsilon = {epsilon}, y = {y}"
