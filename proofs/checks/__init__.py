"""Checks by exact computation: each returns whether a statement holds on its scope, and else the smallest witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dpcert.proofs.check import Finding
from dpcert.proofs.checks.accuracy import ACCURACY
from dpcert.proofs.checks.advanced import ADVANCED
from dpcert.proofs.checks.anonymized_analysis import ANONYMIZED_ANALYSIS
from dpcert.proofs.checks.anonymized_counts import ANONYMIZED_COUNTS
from dpcert.proofs.checks.anonymized_estimators import ANONYMIZED_ESTIMATORS
from dpcert.proofs.checks.anonymized_lower import ANONYMIZED_LOWER
from dpcert.proofs.checks.anonymized_noise import ANONYMIZED_NOISE
from dpcert.proofs.checks.anonymized_properties import ANONYMIZED_PROPERTIES
from dpcert.proofs.checks.anonymized_smoothing import ANONYMIZED_SMOOTHING
from dpcert.proofs.checks.anonymized_steps import ANONYMIZED_STEPS
from dpcert.proofs.checks.anonymized_utility import ANONYMIZED_UTILITY
from dpcert.proofs.checks.approximation import APPROXIMATION
from dpcert.proofs.checks.baseline import BASELINE
from dpcert.proofs.checks.baseline_priority import BASELINE_PRIORITY
from dpcert.proofs.checks.calculated import CALCULATED
from dpcert.proofs.checks.clip_threshold import CLIP_THRESHOLD
from dpcert.proofs.checks.clipped_sums import CLIPPED_SUMS
from dpcert.proofs.checks.compact import COMPACT
from dpcert.proofs.checks.contact import CONTACT
from dpcert.proofs.checks.counts import COUNTS
from dpcert.proofs.checks.debiasing import DEBIASING
from dpcert.proofs.checks.debiasing_forms import DEBIASING_FORMS
from dpcert.proofs.checks.dependent import DEPENDENT
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
from dpcert.proofs.checks.performance import PERFORMANCE
from dpcert.proofs.checks.performance_estimates import PERFORMANCE_ESTIMATES
from dpcert.proofs.checks.performance_sampled import PERFORMANCE_SAMPLED
from dpcert.proofs.checks.preliminaries import PRELIMINARIES
from dpcert.proofs.checks.privhist import PRIVHIST_CHECKS
from dpcert.proofs.checks.remaining import REMAINING
from dpcert.proofs.checks.reporting import REPORTING
from dpcert.proofs.checks.sample_threshold import SAMPLE_THRESHOLD
from dpcert.proofs.checks.sampled_constants import SAMPLED_CONSTANTS
from dpcert.proofs.checks.sampling import SAMPLING
from dpcert.proofs.checks.second_reading import SECOND_READING
from dpcert.proofs.checks.second_reading_anonymized import SECOND_READING_ANONYMIZED
from dpcert.proofs.checks.second_reading_sampling import SECOND_READING_SAMPLING
from dpcert.proofs.checks.second_reading_users import SECOND_READING_USERS
from dpcert.proofs.checks.second_reading_weighted import SECOND_READING_WEIGHTED
from dpcert.proofs.checks.separation import SEPARATION
from dpcert.proofs.checks.sizes import SIZES
from dpcert.proofs.checks.sparse import SPARSE
from dpcert.proofs.checks.sparse_errors import SPARSE_ERRORS
from dpcert.proofs.checks.threshold_choice import THRESHOLD_CHOICE
from dpcert.proofs.checks.threshold_excess import THRESHOLD_EXCESS
from dpcert.proofs.checks.threshold_sampling import THRESHOLD_SAMPLING
from dpcert.proofs.checks.trie import TRIES
from dpcert.proofs.checks.user_level_experiments import USER_LEVEL_EXPERIMENTS
from dpcert.proofs.checks.weighted_growth import WEIGHTED_GROWTH
from dpcert.proofs.checks.weighted_shapes import WEIGHTED_SHAPES

__all__ = ["CHECKS"]

CHECKS: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        **SAMPLE_THRESHOLD,
        **SAMPLING,
        **SAMPLED_CONSTANTS,
        **CALCULATED,
        **CONTACT,
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
        **DEPENDENT,
        **PRIVHIST_CHECKS,
        **THRESHOLD_SAMPLING,
        **PERFORMANCE,
        **PERFORMANCE_SAMPLED,
        **PERFORMANCE_ESTIMATES,
        **BASELINE_PRIORITY,
        **ANONYMIZED_PROPERTIES,
        **ANONYMIZED_SMOOTHING,
        **ANONYMIZED_STEPS,
        **ANONYMIZED_COUNTS,
        **ANONYMIZED_NOISE,
        **ANONYMIZED_ANALYSIS,
        **ANONYMIZED_LOWER,
        **WEIGHTED_GROWTH,
        **ANONYMIZED_ESTIMATORS,
        **ANONYMIZED_UTILITY,
        **SECOND_READING_SAMPLING,
        **SECOND_READING_WEIGHTED,
        **SECOND_READING_ANONYMIZED,
        **CLIPPED_SUMS,
        **CLIP_THRESHOLD,
        **THRESHOLD_CHOICE,
        **THRESHOLD_EXCESS,
        **DEBIASING,
        **DEBIASING_FORMS,
        **USER_LEVEL_EXPERIMENTS,
        **SECOND_READING,
        **SECOND_READING_USERS,
    }
)
"""Every check by its id, as the ledger's rows name it."""
