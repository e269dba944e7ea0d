"""The zoo: every mechanism with a fault, in a module for each correct mechanism that they are one edit away from."""

from __future__ import annotations

from dpcert.mechanisms.broken import (
    basic_histogram,
    clip_threshold,
    clipped_sum_l1,
    clipped_sum_l2,
    compact_histogram,
    count_on_grid,
    fastsample,
    geometric,
    geosample,
    joined_count,
    keep_heavy,
    keep_heavy_sparse,
    laplace_isotonic,
    mixing,
    moved_person,
    noisy_histogram,
    noisy_max,
    parallel_counts,
    privhist,
    pure_sparse_histogram,
    pws_frequencies,
    pws_keys,
    pws_private_threshold,
    quantile_search,
    randomized_response,
    rappor,
    sample_threshold,
    sampled_count,
    sbh,
    sparse_histogram,
    sparse_vector,
    stability_histogram,
    threshold_histogram,
    trie,
)
from dpcert.mechanisms.mechanism import Mechanism

__all__ = ["ZOO"]

MODULES = (
    geosample,
    geometric,
    fastsample,
    mixing,
    basic_histogram,
    stability_histogram,
    keep_heavy,
    keep_heavy_sparse,
    sparse_histogram,
    pure_sparse_histogram,
    compact_histogram,
    sample_threshold,
    sampled_count,
    joined_count,
    moved_person,
    threshold_histogram,
    trie,
    quantile_search,
    pws_keys,
    pws_frequencies,
    pws_private_threshold,
    sbh,
    laplace_isotonic,
    privhist,
    clip_threshold,
    clipped_sum_l1,
    clipped_sum_l2,
    noisy_histogram,
    noisy_max,
    sparse_vector,
    parallel_counts,
    count_on_grid,
    rappor,
    randomized_response,
)

ZOO: tuple[Mechanism, ...] = tuple(
    value for module in MODULES for value in vars(module).values() if isinstance(value, Mechanism) and value.fault
)
