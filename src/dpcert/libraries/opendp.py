"""OpenDP: its measurements sampled, and its privacy maps against the exact laws that they bound.

OpenDP's noise is compiled code. Here the doubles that `Measurement.map` returns are compared with the documented laws:
randomized response with the double `prob`, and discrete Laplace and Gaussian noise with the double `scale`.
"""

from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.libraries.adapted import adapted
from dpcert.libraries.comparison import Comparison
from dpcert.mechanisms.adapters.balls import Bounds, enclose
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.user_level.gaussian_profile import delta_bounds
from dpcert.mechanisms.user_level.gaussian_profile import enclose as gaussian_weights
from dpcert.targets.extras import needs_extra
from dpcert.targets.target import Target


def _library() -> Any:
    needs_extra("opendp")
    prelude = import_module("opendp.prelude")
    prelude.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    return prelude


def sampled(
    measurement: Any,
    *,
    inputs: Iterable[Any],
    neighbours: Neighbours | str,
    claimed: ApproxDP,
    expect: str = "undecided",
) -> Target:
    """Return a measurement as a target that can be sampled; a released dictionary becomes its sorted pairs."""

    def program(value: Any) -> Any:
        released = measurement(value)
        return tuple(sorted(released.items())) if isinstance(released, dict) else released

    return adapted(program, claimed, inputs, neighbours, name="measurement", expect=expect)


def _thresholded(make: str, scale: float, threshold: int) -> Any:
    dp = _library()
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    metric = dp.l01inf_distance if make == "make_laplace_threshold" else dp.l02inf_distance
    return getattr(dp.m, make)(domain, metric(dp.absolute_distance(T=int)), scale, threshold)


def threshold_target(scale: float, threshold: int, *, expect: str = "undecided") -> Target:
    """Return `make_laplace_threshold` as a target to be sampled: no key against one key of count 1.

    It claims the bound of its map for distance (1, 1, 1): one key changes, by 1 in the sum and in the maximum.
    """
    made = _thresholded("make_laplace_threshold", scale, threshold)
    epsilon, delta = made.map((1, 1, 1))
    claimed = ApproxDP(Fraction(epsilon), Fraction(delta))
    target = sampled(made, inputs=[{}, {"a": 1}], neighbours="any", claimed=claimed, expect=expect)
    target.name = "laplace_threshold"
    return target


def laplace_threshold_delta(scale: float, threshold: int) -> Comparison:
    """Return the delta that `make_laplace_threshold` claims for one key of count 1, against the least delta.

    A key is released where its noisy count is at least the threshold, and only the input with the key can release it.
    So the least delta is the probability that discrete Laplace noise is at least threshold - 1.

    Requires: threshold >= 1.
    """

    def formula(s: Any) -> Any:
        ratio = (-1 / s).exp()
        return ratio ** (threshold - 1) / (1 + ratio)

    least = enclose(formula, Fraction(scale), bits=256)
    return _threshold_comparison("make_laplace_threshold", scale, threshold, least)


def gaussian_threshold_delta(scale: float, threshold: int) -> Comparison:
    """Return the delta that `make_gaussian_threshold` claims for one key of count 1, against the least delta.

    The least delta is as in `laplace_threshold_delta`, with discrete Gaussian noise.
    """
    weights = gaussian_weights(variance=Fraction(scale) ** 2, bits=256)
    first = weights.reach + threshold - 1
    total_lo, total_hi = weights.total
    shown = sum(weights.lo[first:]), sum(weights.hi[first:]) + weights.rest
    least = Fraction(shown[0], total_hi), Fraction(shown[1], total_lo)
    return _threshold_comparison("make_gaussian_threshold", scale, threshold, least)


def _threshold_comparison(make: str, scale: float, threshold: int, least: Bounds) -> Comparison:
    claimed = Fraction(_thresholded(make, scale, threshold).map((1, 1, 1))[1])
    return Comparison(f"{make}(scale={scale}, threshold={threshold}): delta of one key of count 1", claimed, least)


def response_epsilon(prob: float) -> Comparison:
    """Return the epsilon that `make_randomized_response_bool` claims, against ln(prob / (1 - prob))."""
    claimed = Fraction(_library().m.make_randomized_response_bool(prob).map(1))
    exact = Fraction(prob)
    least = enclose(lambda odds: odds.log(), exact / (1 - exact), bits=256)
    return Comparison(f"make_randomized_response_bool({prob}): epsilon", claimed, least)


def laplace_epsilon(scale: float, distance: int) -> Comparison:
    """Return the epsilon that `make_laplace` claims on integers at a distance, against distance / scale."""
    dp = _library()
    made = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale)
    least = distance / Fraction(scale)
    words = f"make_laplace(scale={scale}) on integers: epsilon at distance {distance}"
    return Comparison(words, Fraction(made.map(distance)), (least, least))


def discrete_gaussian_delta(scale: float, epsilon: float) -> Comparison:
    """Return the delta that `make_zCDP_to_approxDP` claims of `make_gaussian` on integers, against the exact one."""
    dp = _library()
    made = dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=float), scale)
    claimed = Fraction(dp.c.make_zCDP_to_approxDP(made).map(1.0).delta(epsilon))
    noise = gaussian_weights(variance=Fraction(scale) ** 2, bits=512)
    least = delta_bounds(noise, [1], Epsilon.of(Fraction(epsilon)))
    return Comparison(f"make_gaussian(scale={scale}) on integers: delta at epsilon = {epsilon}", claimed, least)


def sampled_targets() -> list[tuple[str, Target]]:
    """Return measurements of OpenDP by name, each as a target to be sampled; it claims the bound of its own map."""
    dp = _library()
    count, real = dp.atom_domain(T=int), dp.atom_domain(T=float, nan=False)
    apart, far = dp.absolute_distance(T=int), dp.absolute_distance(T=float)
    scores, each = dp.vector_domain(count), dp.linf_distance(T=int)
    made: list[tuple[str, Any, list[Any], Any]] = [
        ("`make_laplace(1.0)`, integers", dp.m.make_laplace(count, apart, 1.0), [0, 1], 1),
        ("`make_geometric(1.0)` on [0, 4]", dp.m.make_geometric(count, apart, 1.0, bounds=(0, 4)), [0, 1], 1),
        ("`make_laplace(1.0)`, floats", dp.m.make_laplace(real, far, 1.0), [0.0, 1.0], 1.0),
        ("`make_randomized_response_bool(0.75)`", dp.m.make_randomized_response_bool(0.75), [False, True], 1),
        ("`make_noisy_max(2.0)`", dp.m.make_noisy_max(scores, each, dp.max_divergence(), 2.0), [[0, 1], [1, 0]], 1),
        ("`make_canonical_noise`", dp.m.make_canonical_noise(real, far, 1.0, (1.0, 1e-2)), [0.0, 1.0], 1.0),
    ]
    targets = []
    for name, measurement, inputs, distance in made:
        promised = measurement.map(distance)
        epsilon, delta = promised if isinstance(promised, tuple) else (promised, 0)
        claimed = ApproxDP(Fraction(epsilon), Fraction(delta))
        targets.append((name, sampled(measurement, inputs=inputs, neighbours="any", claimed=claimed)))
    return targets
