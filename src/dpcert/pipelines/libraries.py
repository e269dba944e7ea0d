"""The primitives of libraries, each with the law that its library states. None of the libraries is imported here."""

from __future__ import annotations

import math
from typing import Any

from dpcert.pipelines.primitive import Primitive


def _laplace_scale(call: Any) -> float:
    return float(call.self.sensitivity / (call.self.epsilon - math.log(1 - call.self.delta)))


def _exponential_scale(call: Any) -> float:
    if call.self.candidates is not None or call.self.measure is not None:
        raise LookupError("named candidates and measures are not read; give utilities alone")
    return float((2 - call.self.monotonic) * call.self.sensitivity / call.self.epsilon)


def _synth_scale(call: Any) -> float:
    if call.base_measure is not None:
        raise LookupError("a base measure is not read")
    return float(2 * call.sensitivity / call.epsilon)


DIFFPRIVLIB = (
    Primitive("diffprivlib.mechanisms.Laplace.randomise", "laplace", "value", _laplace_scale, "self.sensitivity"),
    Primitive(
        "diffprivlib.mechanisms.Geometric.randomise",
        "laplace",
        "value",
        lambda call: call.self.sensitivity / call.self.epsilon,
        "self.sensitivity",
    ),
    Primitive("diffprivlib.mechanisms.Gaussian.randomise", "gaussian", "value", "self._scale", "self.sensitivity"),
    Primitive(
        "diffprivlib.mechanisms.Exponential.randomise",
        "exponential",
        "self.utility",
        _exponential_scale,
        "self.sensitivity",
        ("self.epsilon",),
    ),
)
"""diffprivlib: the truncated, folded and analytic forms call these."""

SMARTNOISE_SYNTH = (
    Primitive(
        "snsynth.utils.exponential_mechanism",
        "exponential",
        "qualities",
        _synth_scale,
        "sensitivity",
        ("epsilon",),
    ),
)
"""smartnoise-synth: its Laplace and Gaussian noise is returned alone, for its caller to add, and is no primitive."""
