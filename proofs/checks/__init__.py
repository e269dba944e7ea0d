"""Checks by exact computation: each returns whether a statement holds on its scope, and else the smallest witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dpcert.proofs.checks.counts import COUNTS
from dpcert.proofs.checks.keys import KEYS
from dpcert.proofs.checks.sample_threshold import SAMPLE_THRESHOLD
from dpcert.proofs.checks.sampling import SAMPLING
from dpcert.proofs.ledger import Finding

__all__ = ["CHECKS"]

CHECKS: Mapping[str, Callable[[], Finding]] = MappingProxyType({**SAMPLE_THRESHOLD, **SAMPLING, **COUNTS, **KEYS})
"""Every check by its id, as the ledger's rows name it."""
