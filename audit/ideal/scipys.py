"""The noise of `scipy.stats` as ideal noise: the distributions whose `rvs` draws it, frozen ones among them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dpcert.audit.ideal.generator import Draws, GeneratorDraws, Source, StateDraws, is_open, stand_in
from dpcert.audit.ideal.seen.standing import CHECKERS, draws_of

CONTINUOUS = {
    "laplace": "laplace",
    "norm": "normal",
    "expon": "exponential",
    "uniform": "uniform",
    "gumbel_r": "gumbel",
    "logistic": "logistic",
}
"""Distributions of a location and a scale, with the laws of their noise."""
DISCRETE = {"geom": "geometric", "poisson": "poisson", "binom": "binomial", "dlaplace": "discrete laplace"}
"""Distributions of other parameters and a location."""


@contextmanager
def scipy_routed(source: Source) -> Iterator[None]:
    """Run the body with `rvs` of these distributions drawn from a source, where `scipy.stats` is loaded."""
    stats: Any = sys.modules.get("scipy.stats")
    owners: list[Any] = []
    try:
        for kinds, drawn in ((CONTINUOUS, _drawn), (DISCRETE, _drawn_whole)):
            for name, kind in kinds.items():
                if hasattr(stats, name):
                    owner: Any = type(getattr(stats, name))
                    owner.rvs = drawn(owner.rvs, kind, source)
                    owners.append(owner)
        yield
    finally:
        for owner in owners:
            del owner.rvs


def _drawn(original: Callable[..., Any], kind: str, source: Source) -> Callable[..., Any]:
    def rvs(self: Any, loc: Any = 0, scale: Any = 1, size: Any = None, random_state: Any = None) -> Any:
        seen = _seen(original, self, source, (loc, scale), {"size": size})
        found = _generator(random_state, source).shaped(kind, seen, loc, scale)
        return type(seen)(found) if type(found) is float else found

    return rvs


def _drawn_whole(original: Callable[..., Any], kind: str, source: Source) -> Callable[..., Any]:
    def rvs(self: Any, *args: Any, random_state: Any = None, size: Any = None, **named: Any) -> Any:
        given = dict(zip([*self.shapes.split(", "), "loc"], args, strict=False)) | named
        loc = given.pop("loc", 0)
        seen = _seen(original, self, source, (), given | {"size": size})
        found = _generator(random_state, source).discrete(kind, seen, *given.values())
        return found + loc if loc else found

    return rvs


def _seen(
    original: Callable[..., Any], owner: Any, source: Source, args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """Return what the library itself draws, from a generator of which nothing else knows."""
    kept, owner._random_state = owner._random_state, CHECKERS[StateDraws]
    try:
        return original(owner, *map(stand_in, args), **{name: stand_in(value) for name, value in named.items()})
    except Exception as error:
        if any(map(is_open, (*args, *named.values()))):  # at another epsilon the library may take them
            source.refuse(f"scipy's parameters that it does not take where epsilon is 1 ({error})")
        raise
    finally:
        owner._random_state = kept


def _generator(random_state: Any, source: Source) -> Any:
    found: Draws | None = StateDraws(source) if random_state is None else draws_of(random_state)
    if not isinstance(found, (GeneratorDraws, StateDraws)):
        source.refuse("a random_state with a seed, whose draws are fixed")
    return found
