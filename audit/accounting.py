"""The composition theorems, as certified bounds: basic, advanced and optimal, for adaptively chosen mechanisms.

They use only each mechanism's epsilon and delta; `composition` uses whole profiles.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from dpcert.audit.answer import Answer
from dpcert.audit.composition import Canonical, composed
from dpcert.audit.enclosure import Curve
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import epsilon_bounds, ln_bounds, root_bounds

Spent = tuple[Epsilon, Fraction, int]
"""An (epsilon, delta)-private mechanism, and how often one is used."""
_BITS = 128


def basic(spent: Iterable[Spent]) -> tuple[Epsilon, Fraction]:
    """Return an epsilon and a delta for adaptive use of these mechanisms: the sums.

    Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, Theorem 1.
    Raises: InputError unless each delta is in [0, 1], and each number of times an int >= 1.
    """
    epsilon, delta = Epsilon(Fraction(0), Fraction(1)), Fraction(0)
    for each, lost, times in _checked(spent):
        epsilon += Epsilon(each.rational * times, each.ratio**times)
        delta += lost * times
    return epsilon, min(delta, Fraction(1))


def advanced(spent: Iterable[Spent], slack: Fraction) -> tuple[Answer, Fraction]:
    """Return bounds of an epsilon, and a delta, for adaptive use of these mechanisms.

    The epsilon is the sum of all e (e^e - 1) plus sqrt(2 ln(1/slack) times the sum of all e^2), the delta is the sum of
    all deltas plus the slack. The upper bound of the epsilon may be claimed. All such use is a post-processing of
    independent canonical pairs. Where none of them shows an outcome that only one law can have, each loss is e or -e,
    of mean e (e^e - 1)/(e^e + 1) <= e (e^e - 1), and by Hoeffding's inequality their sum exceeds its mean by sqrt(2
    ln(1/slack) times the sum of all e^2) with probability at most the slack.
    Source: Dwork, Rothblum, Vadhan 2010, Theorem III.3, for equal epsilons; for different ones it follows from the
            smaller epsilon and delta of Kairouz, Oh, Viswanath 2015, Theorem 3.5.
    Raises: InputError unless 0 < slack < 1, each delta is in [0, 1], and each number of times is an int >= 1.
    """
    if not 0 < slack < 1:
        raise InputError(given=f"a slack of {slack}", needed="a number in (0, 1)", remedy="write Fraction(1, 10**6)")
    drift, squares = [Fraction(0)] * 2, [Fraction(0)] * 2
    delta = slack
    for epsilon, lost, times in _checked(spent):
        delta += lost * times
        for side, (e, ratio) in enumerate(zip(epsilon_bounds(epsilon, _BITS), epsilon.exp_bounds(_BITS), strict=True)):
            drift[side] += times * e * (ratio - 1)
            squares[side] += times * e * e
    logs = ln_bounds(1 / slack, _BITS)
    lo, hi = (drift[side] + root_bounds(2 * logs[side] * squares[side], _BITS)[side] for side in (0, 1))
    return Answer(lo, hi, "enclosed"), min(delta, Fraction(1))


def optimal(spent: Iterable[Spent]) -> Curve:
    """Return the curve of the least delta at each epsilon that holds for adaptive use of any such mechanisms.

    Claims: no smaller delta holds for all mechanisms of these epsilons and deltas.
    Source: Kairouz, Oh, Viswanath 2015, Theorem 3.3 and Section 6; for different mechanisms, Murtagh, Vadhan 2016.
    """
    return composed([(Canonical(epsilon, delta), times) for epsilon, delta, times in spent])


def _checked(spent: Iterable[Spent]) -> Iterator[Spent]:
    """Return the same; refuse parameters that no mechanism has, and numbers of uses that are not possible."""
    for epsilon, delta, times in spent:
        if not 0 <= delta <= 1:
            raise InputError(given=f"delta = {delta}", needed="a number in [0, 1]", remedy="write Fraction(1, 10**6)")
        if type(times) is not int or times < 1:
            raise InputError(given=f"{times} uses", needed="an int >= 1", remedy="give how often it is used")
        yield epsilon, delta, times
