"""The optimal partition selection of Desfontaines, Voss, Gipson and Mandayam, in closed form."""

from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError


def keep_probability(*, people: int, ratio: Fraction, delta: Fraction) -> Fraction:
    """Return the probability of keeping a partition of this many people, each of whom is in one partition.

    With E = e^epsilon and k = 1 + floor(ln((E - 1 + 2 delta)/(delta (E + 1)))/epsilon), that is
    delta (E^n - 1)/(E - 1) for n <= k people; beyond, with m = n - k, the lesser of 1 and
    1 - (1 - keep(k))/E^m + delta (1/E + ... + 1/E^m).

    Requires: people >= 0; ratio = e^epsilon > 1; delta in (0, 1].
    Claims:   Algorithm 3 of weighted-sampling without sampling, for frequencies in the place of people.
    Source:   Desfontaines, Voss, Gipson and Mandayam 2020, Theorems 1 and 2.
    Raises:   InputError for other parameters.
    """
    if people < 0 or ratio <= 1 or not 0 < delta <= 1:
        raise InputError(
            given=f"people={people}, ratio={ratio}, delta={delta}",
            needed="people >= 0, ratio > 1 and delta in (0, 1]",
            remedy="set them within these",
        )
    crossing = (ratio - 1 + 2 * delta) / (delta * (ratio + 1))
    k = 1
    while ratio**k <= crossing:
        k += 1
    if people <= k:
        return delta * (ratio**people - 1) / (ratio - 1)
    shrunk = 1 / ratio ** (people - k)
    left = 1 - delta * (ratio**k - 1) / (ratio - 1)
    return min(Fraction(1), 1 - left * shrunk + delta * (1 - shrunk) / (ratio - 1))
