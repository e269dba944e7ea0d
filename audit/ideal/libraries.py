"""The mechanisms of diffprivlib as ideal noise: what `randomise` means, with the library's own checks and scales.

Exponential selection is that of the greatest utility with Gumbel noise, and permute-and-flip that with exponential
noise (Ding, Kifer, Sayed Mahdi and others, "The permute-and-flip mechanism is identical to report-noisy-max with
exponential noise", 2021). A label is kept with probability 1/(1 + e^-epsilon), that of a two-sided geometric number of
this rate to be at most 0.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dpcert.audit.ideal.generator import Source
from dpcert.audit.ideal.seen.standing import IdealState, ideal

INSTEAD = "draw with Laplace, Geometric, Gaussian, Exponential, PermuteAndFlip or Binary, and truncate"


def _laplace(mechanism: Any, value: Any, state: Any) -> Any:
    return state.laplace(value, mechanism.sensitivity / (mechanism.epsilon - math.log(1 - mechanism.delta)))


def _geometric(mechanism: Any, value: Any, state: Any) -> Any:
    rate = -mechanism._scale
    return value if math.isinf(rate) else value + state._draws.two_sided(rate)


def _gaussian(mechanism: Any, value: Any, state: Any) -> Any:
    return state.normal(value, float(mechanism._scale))


def _truncated(drawn: Callable[..., Any]) -> Callable[..., Any]:
    return lambda mechanism, value, state: mechanism._truncate(drawn(mechanism, value, state))


def _selected(kind: str) -> Callable[..., Any]:
    def select(mechanism: Any, value: Any, state: Any) -> Any:
        scale = mechanism.sensitivity * (2 - mechanism.monotonic) / mechanism.epsilon
        noise = getattr(state, kind)(scale=scale, size=len(mechanism.utility))
        place = np.argmax(np.array([u + z for u, z in zip(mechanism.utility, noise, strict=True)], dtype=object))
        return mechanism.candidates[place] if mechanism.candidates else place

    return select


def _binary(mechanism: Any, value: Any, state: Any) -> Any:
    other = mechanism.value1 if value == mechanism.value0 else mechanism.value0
    return value if state._draws.two_sided(mechanism.epsilon) <= 0 else other


MECHANISMS: dict[str, Callable[..., Any]] = {
    "Laplace": _laplace,
    "LaplaceTruncated": _truncated(_laplace),
    "Geometric": _geometric,
    "GeometricTruncated": _truncated(_geometric),
    "Gaussian": _gaussian,
    "Exponential": _selected("gumbel"),
    "PermuteAndFlip": _selected("exponential"),
    "Binary": _binary,
}
"""What the classes of `diffprivlib.mechanisms` draw; what a class inherits is drawn as its base does."""


@contextmanager
def libraries_routed(source: Source) -> Iterator[None]:
    """Run the body with the mechanisms of diffprivlib drawn from a source, where it is loaded."""
    loaded = sys.modules.get("diffprivlib.mechanisms")
    classes = [value for value in vars(loaded).values() if isinstance(value, type)] if loaded else []
    places: list[tuple[Any, str]] = [(owner, "randomise") for owner in classes if "randomise" in vars(owner)]
    places += [(sys.modules["diffprivlib.mechanisms.base"], "check_random_state")] if loaded else []
    before = [(owner, name, vars(owner)[name]) for owner, name in places]
    try:
        for owner, name, _ in before:
            setattr(owner, name, _randomise(owner.__name__, source) if name == "randomise" else _unseeded(source))
        yield
    finally:
        for owner, name, original in before:
            setattr(owner, name, original)


def _randomise(name: str, source: Source) -> Callable[..., Any]:
    drawn = MECHANISMS.get(name)
    unseeded, state = _unseeded(source), ideal(IdealState, source)

    def randomise(self: Any, value: Any = None) -> Any:
        if drawn is None:
            source.refuse(f"diffprivlib's {name}: {INSTEAD}")
        if hasattr(self, "utility") and (self.measure is not None or not self.sensitivity):
            source.refuse(f"diffprivlib's {name} with a measure, or of sensitivity 0")
        unseeded(self.random_state)
        self._check_all(value)
        return drawn(self, value, state)

    return randomise


def _unseeded(source: Source) -> Callable[..., Any]:
    def check(seed: Any, secure: bool = False) -> None:
        """Check that a mechanism has a generator of its own, which nothing seeds."""
        if seed is not None:
            source.refuse("a mechanism with a random_state: leave it out")

    return check
