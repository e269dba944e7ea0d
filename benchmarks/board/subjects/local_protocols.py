"""Clients of multi-freq-ldpy: three items, epsilon = 1. They are read as they are before numba compiles them (with
NUMBA_DISABLE_JIT=1); what the compiled one returns as an int is made one here."""

from fractions import Fraction

from hashed import SEEDS, Hashes
from multi_freq_ldpy.pure_frequency_oracles import LH
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client

import dpcert
from dpcert.libraries.adapted import rebound

ITEMS = [0, 1, 2]
ROUNDED = dpcert.ApproxDP(epsilon=1 + Fraction(1, 10**9), delta=Fraction(1, 10**9))
"""The claim of epsilon = 1, with room for what is computed in doubles."""
THRESHOLD = 0.67
HASHING = rebound(LH.LH_Client, LH, maxsize=SEEDS, xxhash=Hashes)


def claimed(program):
    return dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any")(program)


@claimed
def grr(item):
    return int(GRR_Client(item, 3, 1.0))


@claimed
def ss(item):
    return SS_Client(item, 3, 1.0)


@claimed
def sue(item):
    return UE_Client(item, 3, 1.0, False)


@claimed
def oue(item):
    return UE_Client(item, 3, 1.0, True)


@claimed
def the(item):
    return HE_Client(item, 3, 1.0) > THRESHOLD


@dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any", noise="ideal")
def she(item):
    return HE_Client(item, 3, 1.0)


@claimed
def blh(item):
    report, seed = HASHING(item, 3, 1.0, False)
    return int(report), int(seed)


@claimed
def olh(item):
    report, seed = HASHING(item, 3, 1.0, True)
    return int(report), int(seed)
