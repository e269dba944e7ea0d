"""The noise of `scipy.stats` as ideal noise: the distributions whose `rvs` draws it, frozen ones among them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dpcert.audit.ideal.generator import CHECKERS, IdealGenerator, IdealState, Source, ideal, stand_in

CONTINUOUS = {
    "laplace": "laplace",
    "norm": "normal",
    "expon": "exponential",
    "uniform": "uniform",
    "gumbel_r": "gumbel",
    "logistic": "logistic",
}
"""Distributions of a location and a scale, with the laws of their noise."""


@contextmanager
def scipy_routed(source: Source) -> Iterator[None]:
    """Run the body with `rvs` of these distributions drawn from a source, where `scipy.stats` is loaded."""
    stats: Any = sys.modules.get("scipy.stats")
    kinds = {} if stats is None else {type(getattr(stats, name)): kind for name, kind in CONTINUOUS.items()}
    for owner, kind in kinds.items():
        owner.rvs = _drawn(owner.rvs, kind, source)
    try:
        yield
    finally:
        for owner in kinds:
            del owner.rvs


def _drawn(original: Callable[..., Any], kind: str, source: Source) -> Callable[..., Any]:
    shared = ideal(IdealState, source)

    def rvs(self: Any, loc: Any = 0, scale: Any = 1, size: Any = 1, random_state: Any = None) -> Any:
        if random_state is not None and not isinstance(random_state, (IdealGenerator, IdealState)):
            source.refuse("a random_state with a seed, whose draws are fixed")
        kept, self._random_state = self._random_state, CHECKERS[IdealState]
        try:
            seen = original(self, stand_in(loc), stand_in(scale), size)
        finally:
            self._random_state = kept
        return (shared if random_state is None else random_state).shaped(kind, seen, loc, scale)

    return rvs
