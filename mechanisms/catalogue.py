"""Every correct mechanism that ships, in the order in which they are listed."""

from __future__ import annotations

from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM
from dpcert.mechanisms.finite_computers.compact_histogram import COMPACT_HISTOGRAM
from dpcert.mechanisms.finite_computers.fastsample import FASTSAMPLE
from dpcert.mechanisms.finite_computers.geometric import GEOMETRIC
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, KEEP_HEAVY_SPARSE
from dpcert.mechanisms.finite_computers.mixing import MIXING
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import PURE_SPARSE_HISTOGRAM
from dpcert.mechanisms.finite_computers.sparse_histogram import SPARSE_HISTOGRAM
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE
from dpcert.mechanisms.sample_and_threshold.heavy_hitters import HEAVY_HITTERS
from dpcert.mechanisms.sample_and_threshold.hierarchical import HIERARCHICAL_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.quantile_search import QUANTILE_SEARCH
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD
from dpcert.mechanisms.sample_and_threshold.sampled_count import SAMPLED_COUNT
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.trie import TRIE
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS

__all__ = ["MECHANISMS"]

MECHANISMS: tuple[Mechanism, ...] = (
    RANDOMIZED_RESPONSE,
    GEOMETRIC,
    GEOSAMPLE,
    FASTSAMPLE,
    MIXING,
    BASIC_HISTOGRAM,
    STABILITY_HISTOGRAM,
    KEEP_HEAVY,
    KEEP_HEAVY_SPARSE,
    SPARSE_HISTOGRAM,
    PURE_SPARSE_HISTOGRAM,
    COMPACT_HISTOGRAM,
    SAMPLE_THRESHOLD,
    SAMPLED_COUNT,
    THRESHOLD_HISTOGRAM,
    TRIE,
    HEAVY_HITTERS,
    QUANTILE_SEARCH,
    HIERARCHICAL_HISTOGRAM,
    PWS_KEYS,
    PWS_FREQUENCIES,
)
