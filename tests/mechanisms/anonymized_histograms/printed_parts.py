"""What the tests of PrivHist share: its mechanisms at settings, its neighbours and the noise of a count."""

from fractions import Fraction

from dpcert.audit.kernel.neighbours import RELATIONS

NEIGHBOURS = RELATIONS["sorted-l1"]


def geometric(z: int) -> Fraction:
    return Fraction(1, 3 * 2 ** abs(z))
