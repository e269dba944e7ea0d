"""Clients of ldp-audit for approximate local privacy, taken from a checkout that lies on the path: three items."""

import sys
import types
from fractions import Fraction
from importlib import import_module
from pathlib import Path

from hashed import SEEDS, Hashes

import dpcert
from dpcert.libraries.adapted import rebound

FOLDER = next(folder for folder in sys.path if (Path(folder) / "ldp_audit").is_dir())
PACKAGE = types.ModuleType("ldp_audit")  # its own __init__ imports the auditors, which ask for ray
PACKAGE.__path__ = [str(Path(FOLDER, "ldp_audit"))]
sys.modules["ldp_audit"] = PACKAGE
PROTOCOLS = import_module("ldp_audit.approximate_ldp")

HASHING = rebound(PROTOCOLS.ALH_Client, PROTOCOLS, maxsize=SEEDS, xxhash=Hashes)
ITEMS = [0, 1, 2]
DELTA = 1e-5
ROUNDED = dpcert.ApproxDP(epsilon=1 + Fraction(1, 10**9), delta=Fraction(1, 10**5) + Fraction(1, 10**9))
"""The claim of epsilon = 1 and delta = 10^-5, with room for what is computed in doubles."""
ANALYTIC = float(PROTOCOLS.find_scale(1.0, DELTA, 2**0.5))
CLASSIC = float((2 * 2 * 11.736069016284437) ** 0.5)  # sensitivity sqrt(2), 2 ln(1.25 / delta) = 2 * 11.7360...


def claimed(program):
    return dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any")(program)


def ideally(program):
    return dpcert.target(guarantee=ROUNDED, inputs=ITEMS, neighbours="any", noise="ideal")(program)


@claimed
def agrr(item):
    return int(PROTOCOLS.AGRR_Client(item, 3, 1.0, DELTA))


@claimed
def asue(item):
    return PROTOCOLS.ASUE_Client(item, 3, 1.0, DELTA)


@ideally
def agm(item):
    return PROTOCOLS.GM_Client(item, 3, ANALYTIC)


@ideally
def gm(item):
    return PROTOCOLS.GM_Client(item, 3, CLASSIC)


@claimed
def ablh(item):
    report, seed = HASHING(item, 1.0, DELTA, False)
    return int(report), int(seed)


@claimed
def aolh(item):
    report, seed = HASHING(item, 1.0, DELTA, True)
    return int(report), int(seed)
