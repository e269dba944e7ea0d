"""Refutations by rounding: a claim with delta = 0 that fails, and that holds with an epsilon larger by at most 1e-9.

Numbers such as 0.7310585786300049 for e/(1 + e) break a claim by a relative 1e-16, and leak no more than that. Slack is
in epsilon alone. With a delta above 0 a larger epsilon also lowers the delta that is needed, so that it could pay for
a leak of small probability: such a refutation is never one by rounding.
"""

from collections.abc import Callable
from fractions import Fraction

from dpcert.audit.kernel.claim import ApproxDP, PureDP
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.worker.result import Slack

MOST = Fraction(1, 10**9)
"""The most that rounding may add to epsilon."""
BITS, DIGITS = 192, 2
"""The precision to which the slack is bounded, and the digits to which it is rounded up."""


def slack_of(guarantee: ApproxDP, enough: Epsilon | None) -> Fraction | None:
    """Return what epsilon lacks at the most of one that is `enough`, rounded up; None where that is no rounding."""
    if guarantee.delta != 0 or enough is None:
        return None
    lacking = epsilon_bounds(enough, BITS)[1] - epsilon_bounds(guarantee.epsilon, BITS)[0]
    slack = exact(decimal_hi(lacking, DIGITS), "the slack")
    return slack if 0 < slack <= MOST else None


def by_rounding(guarantee: ApproxDP, enough: Epsilon | None, holds: Callable[[ApproxDP], bool]) -> Slack | None:
    """Return the `rounding` of a result that is refuted: the `slack` with which the claim holds, and an `epsilon` to
    claim; None where no slack of at most MOST is known to do.

    `enough` is an epsilon that is enough as far as was measured; `holds` decides a claim anew, by an audit.
    """
    slack = slack_of(guarantee, enough)
    if slack is None or not holds(PureDP(guarantee.epsilon + Epsilon.of(slack))):
        return None
    return Slack(decimal_hi(slack, DIGITS), _text(guarantee.epsilon + Epsilon.of(MOST)))


def _text(epsilon: Epsilon) -> str:
    """Return an epsilon as one writes it: its rational part as a decimal where that is finite."""
    shown = decimal_hi(epsilon.rational, 40)
    if exact(shown, "epsilon") != epsilon.rational:
        return str(epsilon)
    return shown if epsilon.ratio == 1 else f"{shown} + {Epsilon.ln(epsilon.ratio)}"
