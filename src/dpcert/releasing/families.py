"""The closed registry of mechanisms that run on files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.releasing import histograms, keys, users
from dpcert.releasing.ready import Family, Ready, Request

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sample-threshold-histogram": Family(histograms.sample_threshold),
        "stability-histogram": Family(histograms.stability),
        "basic-histogram": Family(histograms.basic),
        "keep-heavy": Family(histograms.keep_heavy),
        "pure-sparse-histogram": Family(histograms.pure_sparse),
        "compact-histogram": Family(histograms.compact),
        "pws-keys": Family(keys.keys),
        "pws-frequencies": Family(keys.frequencies),
        "privhist": Family(keys.privhist),
        "clipped-sum-l1": Family(users.clipped_l1, users=True),
        "clipped-sum-l2": Family(users.clipped_l2, users=True),
    }
)
"""Each family by the name of its mechanism."""


def family_of(mechanism: str) -> Family:
    """Return the family of a mechanism.

    Raises: InputError for one that does not run on files.
    """
    if mechanism not in FAMILIES:
        remedy = "name one of these; the others are audited, and not yet run on files"
        raise InputError(given=mechanism, needed=" or ".join(FAMILIES), remedy=remedy)
    return FAMILIES[mechanism]


def ready_for(request: Request) -> Ready:
    """Return the program of a request and its guarantee.

    Raises: InputError for a mechanism that does not run on files, and for settings that it does not take.
    """
    return family_of(request.mechanism).ready(request)
