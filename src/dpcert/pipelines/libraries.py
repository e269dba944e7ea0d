"""The primitives of libraries, each with the law that its library states. None of the libraries is imported here."""

import math
from typing import Any

from dpcert.pipelines.primitive import Primitive


def _exponential_scale(call: Any) -> float:
    if call.self.candidates is not None or call.self.measure is not None:
        raise LookupError("named candidates and measures are not read; give utilities alone")
    return float((2 - call.self.monotonic) * call.self.sensitivity / call.self.epsilon)


def _synth_scale(call: Any) -> float:
    if call.base_measure is not None:
        raise LookupError("a base measure is not read")
    return float(2 * call.sensitivity / call.epsilon)


def _opendp_law(call: Any) -> str:
    measure, metric = str(call.self.output_measure), str(call.self.input_metric).partition("(")[0]
    kinds = {("MaxDivergence", "AbsoluteDistance"): "laplace", ("MaxDivergence", "L1Distance"): "laplace"}
    kinds |= {("ZeroConcentratedDivergence", metric): "gaussian" for metric in ("AbsoluteDistance", "L2Distance")}
    if (measure, metric) not in kinds:
        raise LookupError(f"a measurement of {measure} on {metric} is not read; call the one that adds noise by itself")
    return kinds[measure, metric]


def _opendp_scale(call: Any) -> float:
    """Return an upper bound of the scale from the privacy map, which rounds up."""
    try:
        bound = call.self.map(1)
    except TypeError:
        bound = call.self.map(1.0)
    return float((1 / bound if _opendp_law(call) == "laplace" else math.sqrt(0.5 / bound)) * (1 + 2**-50))


DIFFPRIVLIB = (
    Primitive(
        *("diffprivlib.mechanisms.Laplace.randomise", "laplace", "value"),
        lambda call: float(call.self.sensitivity / (call.self.epsilon - math.log(1 - call.self.delta))),
        "self.sensitivity",
    ),
    Primitive(
        *("diffprivlib.mechanisms.Geometric.randomise", "laplace", "value"),
        lambda call: call.self.sensitivity / call.self.epsilon,
        "self.sensitivity",
    ),
    Primitive("diffprivlib.mechanisms.Gaussian.randomise", "gaussian", "value", "self._scale", "self.sensitivity"),
    Primitive(
        *("diffprivlib.mechanisms.Exponential.randomise", "exponential", "self.utility"),
        *(_exponential_scale, "self.sensitivity", ("self.epsilon",)),
    ),
)
"""diffprivlib: the truncated, folded and analytic forms call these."""

SMARTNOISE_SYNTH = (
    Primitive(
        "snsynth.utils.exponential_mechanism", "exponential", "qualities", _synth_scale, "sensitivity", ("epsilon",)
    ),
)
"""smartnoise-synth: its Laplace and Gaussian noise is returned alone, for its caller to add, and is no primitive."""

PIPELINE_DP = (
    Primitive(
        "pipeline_dp.dp_computations.AdditiveMechanism.add_noise",
        lambda call: str(call.self.noise_kind.value),
        "value",
        "self.noise_parameter",
        "self.sensitivity",
    ),
)
"""PipelineDP, whose noise is PyDP's. Compiled code draws where it selects partitions: name public partitions."""

OPENDP = tuple(
    Primitive(f"opendp.mod.Measurement.{name}", _opendp_law, "arg", _opendp_scale) for name in ("__call__", "invoke")
)
"""OpenDP: noise on numbers, as of `make_laplace` and `make_gaussian`; a geometric one with bounds counts as one without
them. A chain with transformations before the noise is compiled as a whole, and refused by name."""
