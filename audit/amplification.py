"""Sampling and shuffling: the profile of a mechanism that is run on a random sample, or whose reports are shuffled."""

from fractions import Fraction
from math import comb

from dpcert.audit.between import Between
from dpcert.audit.curves import maximum
from dpcert.audit.hull import Pair, sides
from dpcert.audit.profile import Profile, profile
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text

MOST_PEOPLE = 200
"""How many people can be shuffled."""


def subsampled(pair: Pair, rate: Fraction) -> Profile | Between[Profile]:
    """Return the profile of a mechanism that is run on a Poisson sample: each person is in it with probability `rate`.

    Requires: the profile bounds the mechanism for data sets of which one has one person more, in both orders.
    Claims:   it bounds the sampled mechanism for the same neighbours, in both orders; no better bound follows.
              With Q without a person and P with it, the sample shows Q against (1 - rate) Q + rate P, whoever else is
              in it.
    Source:   Zhu, Dong, Wang 2022, Theorem 11; Balle, Barthe, Gaboardi 2018.
    Raises:   InputError unless 0 < rate <= 1.
    """
    if not 0 < rate <= 1:
        raise InputError(given=f"a rate of {rate}", needed="a number in (0, 1]", remedy="write Fraction(1, 100)")
    lower, upper = (_sampled(side, rate) for side in sides(pair))
    low, _ = sides(lower)
    _, high = sides(upper)
    return low if low == high else Between(low, high)


def _sampled(pair: Profile, rate: Fraction) -> Profile | Between[Profile]:
    rows, rest = pair.rows(), 1 - rate
    joined = [(rest + rate * ratio, weight) for ratio, weight in rows]
    if rest and pair.zero:
        joined.append((rest, pair.zero))
    left = [(ratio / (rest * ratio + rate), weight * (rest * ratio + rate)) for ratio, weight in rows]
    if rest and pair.infinite:
        left.append((1 / rest, rest * pair.infinite))
    one = Profile.from_ratios(joined, rate * pair.infinite, Fraction(0) if rest else pair.zero)
    other = Profile.from_ratios(left, Fraction(0) if rest else pair.infinite, rate * pair.zero)
    return maximum([one, one.reversed(), other, other.reversed()])


def shuffled_response(people: int, ratio: object) -> Profile | Between[Profile]:
    """Return the profile of shuffled randomized response: how many of the people report 1, as one changes a bit.

    Each reports their bit with probability ratio / (1 + ratio), else the other one.

    Claims: it is exact: the greatest over all bits that the others can have.
    Raises: InputError unless 1 <= people <= MOST_PEOPLE and ratio >= 1.
    """
    e = _checked(people, ratio)
    keep, flip, whole = e.numerator, e.denominator, e.numerator + e.denominator
    pairs = []
    for ones in range(people):
        others = _convolved(_binomial(ones, keep, flip), _binomial(people - 1 - ones, flip, keep))
        laws = (_convolved(others, one) for one in ([flip, keep], [keep, flip]))
        one, zero = (Dist.from_weights(enumerate(weights), whole**people) for weights in laws)
        pairs += [profile(one, zero), profile(zero, one)]
    return maximum(pairs)


def shuffled(people: int, ratio: object) -> Profile | Between[Profile]:
    """Return a profile that bounds the shuffled reports of any local mechanism, private at e^epsilon = ratio.

    Claims: every such mechanism of this many people, one of whom has another value, is at most that private. Of the
            others, each is a clone of that one with probability 1/ratio.
    Source: Feldman, McMillan, Talwar 2021, Theorem 3.1.
    Raises: InputError as `shuffled_response`.
    """
    e = _checked(people, ratio)
    up, whole = e.denominator, e.numerator
    rows: list[tuple[tuple[int, int], int, int]] = []
    for clones in range(people):
        some = comb(people - 1, clones) * up**clones * (whole - up) ** (people - 1 - clones)
        for a in range(clones + 1):
            weight = some * comb(clones, a) << people - 1 - clones
            rows += [
                ((a + 1, clones - a), weight * whole, weight * up),
                ((a, clones - a + 1), weight * up, weight * whole),
            ]
    unit = (whole << 1) ** (people - 1) * (whole + up)
    p = Dist.from_weights(((shown, weight) for shown, weight, _ in rows), unit)
    q = Dist.from_weights(((shown, weight) for shown, _, weight in rows), unit)
    return maximum([profile(p, q), profile(q, p)])


def _checked(people: int, ratio: object) -> Fraction:
    if type(people) is not int or not 1 <= people <= MOST_PEOPLE:
        needed = f"an int from 1 to {MOST_PEOPLE}"
        raise InputError(given=f"{people} people", needed=needed, remedy="shuffle fewer")
    found = exact(ratio, "ratio")
    if found < 1:
        raise InputError(given=f"a ratio of {ratio_text(found)}", needed="e^epsilon >= 1", remedy='write "3"')
    return found


def _binomial(n: int, up: int, down: int) -> list[int]:
    """Return the weights of 0 to n successes, over (up + down)**n."""
    return [comb(n, v) * up**v * down ** (n - v) for v in range(n + 1)]


def _convolved(a: list[int], b: list[int]) -> list[int]:
    """Return the weights of the sum of two independent numbers."""
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return found
