"""The mechanisms of diffprivlib on ideal noise, in Python: what `randomise` means, with the library's own checks.

Exponential selection is that of the greatest utility with Gumbel noise, and permute-and-flip that with exponential
noise (Ding, Kifer, Sayed Mahdi and others, "The permute-and-flip mechanism is identical to report-noisy-max with
exponential noise", 2021). A label is kept with probability 1/(1 + e^-epsilon), that of a two-sided geometric number of
this rate to be at most 0.
"""

import math
from typing import Any

from dpcert.reading.prelude import refuse

# -- what the machine answers itself


def two_sided(rate: Any) -> Any:
    """A difference of two geometric draws whose weights fall by e^-rate."""


def place_of(place: Any) -> Any:
    """A place as numpy tells it."""


# -- mechanisms


def _checked(mechanism: Any, value: Any) -> Any:
    if mechanism.random_state is not None:
        refuse("a mechanism with a random_state is not followed: leave it out")
    if hasattr(mechanism, "utility") and (mechanism.measure is not None or not mechanism.sensitivity):
        refuse(f"diffprivlib's {type(mechanism).__name__} with a measure, or of sensitivity 0, is not followed")
    mechanism._check_all(value)


def _laplace_of(mechanism: Any, state: Any, value: Any) -> Any:
    _checked(mechanism, value)
    return state.laplace(value, mechanism.sensitivity / (mechanism.epsilon - math.log(1 - mechanism.delta)))


def _geometric_of(mechanism: Any, state: Any, value: Any) -> Any:
    _checked(mechanism, value)
    rate = -mechanism._scale
    return value if rate == math.inf else value + two_sided(rate)


def _gaussian_of(mechanism: Any, state: Any, value: Any) -> Any:
    _checked(mechanism, value)
    return state.normal(value, float(mechanism._scale))


def _truncated_laplace_of(mechanism: Any, state: Any, value: Any) -> Any:
    return mechanism._truncate(_laplace_of(mechanism, state, value))


def _truncated_geometric_of(mechanism: Any, state: Any, value: Any) -> Any:
    return mechanism._truncate(_geometric_of(mechanism, state, value))


def _selected_of(mechanism: Any, noise: Any) -> Any:
    noisy = [utility + each for utility, each in zip(mechanism.utility, noise, strict=True)]
    best = 0
    for place in range(1, len(noisy)):
        if noisy[place] > noisy[best]:
            best = place
    return mechanism.candidates[best] if mechanism.candidates else place_of(best)


def _scale_of(mechanism: Any) -> Any:
    return mechanism.sensitivity * (2 - mechanism.monotonic) / mechanism.epsilon


def _exponential_of(mechanism: Any, state: Any, value: Any = None) -> Any:
    _checked(mechanism, value)
    noise = [state.gumbel(scale=_scale_of(mechanism)) for _ in mechanism.utility]
    return _selected_of(mechanism, noise)


def _permute_and_flip_of(mechanism: Any, state: Any, value: Any = None) -> Any:
    _checked(mechanism, value)
    noise = [state.exponential(scale=_scale_of(mechanism)) for _ in mechanism.utility]
    return _selected_of(mechanism, noise)


def _binary_of(mechanism: Any, state: Any, value: Any) -> Any:
    _checked(mechanism, value)
    other = mechanism.value1 if value == mechanism.value0 else mechanism.value0
    return value if two_sided(mechanism.epsilon) <= 0 else other
