"""Delta-Siege's samplers in floats, taken from a checkout that lies on the path: 0 against 1.

Their frame keeps files and loads trained networks. Here a class that holds nothing but their scale stands for it.
"""

import sys
import types
from importlib import import_module
from math import log, sqrt
from pathlib import Path

import dpcert


class Frame:
    """A mechanism of a standard deviation."""

    std = 0.0


FOLDER = next(folder for folder in sys.path if (Path(folder) / "deltasiege").is_dir())
for name in ("deltasiege", "deltasiege.mechanism"):
    package = types.ModuleType(name)
    package.__path__ = [str(Path(FOLDER, *name.split(".")))]
    sys.modules[name] = package
HELD = sys.modules["deltasiege.mechanism"]
HELD.LaplaceMechanism = HELD.GaussMechanismClassic = Frame
HELD.RNGMechanism = import_module("deltasiege.mechanism.rng_mechanism").RNGMechanism

INPUTS = [0.0, 1.0]
DELTA = 1e-6


def made(module, name, std):
    """Return a sampler of a standard deviation, on random words of 32 bits as its authors have it."""
    sampler = object.__new__(getattr(import_module(f"deltasiege.mechanism.{module}"), name))
    sampler.std, sampler.word_size, sampler.return_s2 = std, 2**32, False
    return sampler


GAUSSIAN = sqrt(2 * log(1.25 / DELTA))
LAPLACE = made("laplace_inversion", "LaplaceInversionMechanism", sqrt(2))
BOX_MULLER = made("gauss_box_muller", "GaussBoxMullerMechanism", GAUSSIAN)
POLAR = made("gauss_polar", "GaussPolarMechanism", GAUSSIAN)
ZIGGURAT = made("gauss_ziggurat", "GaussZigguratMechanism", GAUSSIAN)
ZIGGURAT.make_tables()


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=INPUTS, neighbours="any")
def laplace_inversion(value):
    return float(LAPLACE(value, 1).item())


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-6"), inputs=INPUTS, neighbours="any")
def box_muller(value):
    return float(BOX_MULLER(value, 1).item())


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-6"), inputs=INPUTS, neighbours="any")
def polar(value):
    return float(POLAR(value, 1).item())


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-6"), inputs=INPUTS, neighbours="any")
def ziggurat(value):
    return float(ZIGGURAT(value, 1).item())
