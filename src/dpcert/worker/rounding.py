"""Refutations by rounding: a claim with delta = 0 is false, and is true with an epsilon larger by at most 1e-9.

Numbers such as 0.7310585786300049 for e/(1 + e) break a claim by a relative 1e-16, and leak no more than that. Slack is
in epsilon alone. With a delta above 0, a larger epsilon also lowers the needed delta, and so could hide a leak of small
probability: such a refutation is never one by rounding.
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
"""The greatest epsilon that rounding may add."""
BITS, DIGITS = 192, 2
"""The precision to which the slack is bounded, and the digits to which it is rounded up."""


def slack_of(guarantee: ApproxDP, enough: Epsilon | None) -> Fraction | None:
    """Return an upper bound of `enough` less the claimed epsilon; None where the slack is too large for rounding."""
    if guarantee.delta != 0 or enough is None:
        return None
    lacking = epsilon_bounds(enough, BITS)[1] - epsilon_bounds(guarantee.epsilon, BITS)[0]
    slack = exact(decimal_hi(lacking, DIGITS), "the slack")
    return slack if 0 < slack <= MOST else None


def by_rounding(guarantee: ApproxDP, enough: Epsilon | None, holds: Callable[[ApproxDP], bool]) -> Slack | None:
    """Return the `rounding` of a refuted result: a `slack` with which the claim is true, and an `epsilon` to claim.

    Return None where no slack of at most MOST is known to be enough. `enough` is an epsilon that the measurement shows
    to be enough; `holds` decides a claim anew, by an audit.
    """
    slack = slack_of(guarantee, enough)
    if slack is None or not holds(PureDP(guarantee.epsilon + Epsilon.of(slack))):
        return None
    return Slack(decimal_hi(slack, DIGITS), _text(guarantee.epsilon + Epsilon.of(MOST)))


def _text(epsilon: Epsilon) -> str:
    """Return an epsilon as people write it: its rational part as a decimal where the decimal is finite."""
    shown = decimal_hi(epsilon.rational, 40)
    if exact(shown, "epsilon") != epsilon.rational:
        return str(epsilon)
    return shown if epsilon.ratio == 1 else f"{shown} + {Epsilon.ln(epsilon.ratio)}"
