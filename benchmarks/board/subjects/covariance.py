"""A variance that smartnoise-synth releases, of values said to lie from 0 to 1: one of them is another; epsilon = 1.

It is rounded to an integer, so that the bits of floats are no matter.
"""

import importlib.util
import sys
from pathlib import Path

import pandas

import dpcert

FOLDER = next(folder for folder in sys.path if (Path(folder) / "snsynth").is_dir())
FILE = Path(FOLDER, "snsynth", "models", "dp_covariance.py")  # its package asks for a scikit-learn of long ago
SPEC = importlib.util.spec_from_file_location("dp_covariance", FILE)
MODULE = importlib.util.module_from_spec(SPEC)
sys.modules["dp_covariance"] = MODULE
SPEC.loader.exec_module(MODULE)


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[(0.0, 1.0), (0.0, 100.0)], neighbours="any")
def variance(values):
    data = pandas.DataFrame({"x": values, "y": values})
    covariance = MODULE.DPcovariance(2, ["x", "y"], pandas.DataFrame([[0.0, 0.0], [1.0, 1.0]]), 1.0)
    return round(covariance.release(data)[0])
