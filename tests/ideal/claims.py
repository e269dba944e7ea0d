"""Claims about programs on ideal noise, for the tests."""

from itertools import product

from dpcert.audit.ideal.certificates.certificate import Stated
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import RELATIONS

STATED = Stated("it is private", ["ideal"], {"a.py": "0"}, {"python": "3"})


def decided(program, inputs, epsilon, delta=0, neighbours="linf"):
    """Return the report on a claim."""
    claim = Claim("program", (), tuple(inputs), RELATIONS[neighbours], ApproxDP(epsilon, delta))
    return decide_ideal(claim, program)


def vectors(n, values=(-1, 0, 1)):
    return list(product(values, repeat=n))


COUNTS, ONE_APART = range(4), "counts_differ_by_one"


def counted(program, epsilon, delta=0, counts=COUNTS):
    """Return the report on a claim about counts."""
    return decided(program, counts, epsilon, delta, neighbours=ONE_APART)


def least(report):
    """Return the bounds of the least epsilon as texts."""
    return tuple(map(str, report.epsilon))
