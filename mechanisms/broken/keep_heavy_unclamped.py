"""Keep-heavy of noisy counts that are not clamped: one above n tells that the label occurs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.broken.geosample_unclamped import geosample_unclamped
from dpcert.mechanisms.finite_computers.geosample import settings_of
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, keep_heavy, parameters
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_UNCLAMPED"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(KEEP_HEAVY.settings(settings))
    n, k = settings_of(settings)
    universe = integer(settings, "universe", least=2)
    program = keep_heavy(n=n, universe=universe, sampler=geosample_unclamped(n=n, k=k))
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_UNCLAMPED = Mechanism(
    name="keep-heavy-unclamped",
    words="keep-heavy of counts with bounded noise that are not clamped to [0, n]",
    source="finite-computers, Algorithm 6.1 with Algorithm 4.5, without its clamp",
    parameters=tuple(one for one in parameters(n=1, universe=2) if one.name in ("n", "universe", "epsilon")),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="noisy counts above n among those to choose from",
)
