"""Checks by exact computation: each returns whether a statement holds on its scope, and else the smallest witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dpcert.proofs.checks.accuracy import ACCURACY
from dpcert.proofs.checks.advanced import ADVANCED
from dpcert.proofs.checks.approximation import APPROXIMATION
from dpcert.proofs.checks.baseline import BASELINE
from dpcert.proofs.checks.compact import COMPACT
from dpcert.proofs.checks.counts import COUNTS
from dpcert.proofs.checks.empty_bin import EMPTY_BIN
from dpcert.proofs.checks.estimators import ESTIMATORS
from dpcert.proofs.checks.experiments import EXPERIMENTS
from dpcert.proofs.checks.frequencies import FREQUENCIES
from dpcert.proofs.checks.heavy import HEAVY
from dpcert.proofs.checks.histograms import HISTOGRAMS
from dpcert.proofs.checks.keys import KEYS
from dpcert.proofs.checks.lower_bounds import LOWER_BOUNDS
from dpcert.proofs.checks.noise import NOISE
from dpcert.proofs.checks.optimal_keys import OPTIMAL_KEYS
from dpcert.proofs.checks.orders import ORDERS
from dpcert.proofs.checks.preliminaries import PRELIMINARIES
from dpcert.proofs.checks.remaining import REMAINING
from dpcert.proofs.checks.reporting import REPORTING
from dpcert.proofs.checks.sample_threshold import SAMPLE_THRESHOLD
from dpcert.proofs.checks.sampling import SAMPLING
from dpcert.proofs.checks.separation import SEPARATION
from dpcert.proofs.checks.sizes import SIZES
from dpcert.proofs.checks.sparse import SPARSE
from dpcert.proofs.checks.sparse_errors import SPARSE_ERRORS
from dpcert.proofs.checks.trie import TRIES
from dpcert.proofs.checks.weighted_shapes import WEIGHTED_SHAPES
from dpcert.proofs.ledger import Finding

__all__ = ["CHECKS"]

CHECKS: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        **SAMPLE_THRESHOLD,
        **SAMPLING,
        **TRIES,
        **EXPERIMENTS,
        **ADVANCED,
        **PRELIMINARIES,
        **COUNTS,
        **NOISE,
        **ACCURACY,
        **HISTOGRAMS,
        **LOWER_BOUNDS,
        **COMPACT,
        **EMPTY_BIN,
        **HEAVY,
        **ORDERS,
        **APPROXIMATION,
        **SPARSE,
        **REMAINING,
        **SIZES,
        **SPARSE_ERRORS,
        **KEYS,
        **REPORTING,
        **OPTIMAL_KEYS,
        **FREQUENCIES,
        **SEPARATION,
        **ESTIMATORS,
        **BASELINE,
        **WEIGHTED_SHAPES,
    }
)
"""Every check by its id, as the ledger's rows name it."""
