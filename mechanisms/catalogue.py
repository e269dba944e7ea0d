"""Every correct mechanism that ships, in the order in which they are listed."""

from __future__ import annotations

from dpcert.mechanisms.basic_histogram import BASIC_HISTOGRAM
from dpcert.mechanisms.compact_histogram import COMPACT_HISTOGRAM
from dpcert.mechanisms.fastsample import FASTSAMPLE
from dpcert.mechanisms.geometric import GEOMETRIC
from dpcert.mechanisms.geosample import GEOSAMPLE
from dpcert.mechanisms.heavy_hitters import HEAVY_HITTERS
from dpcert.mechanisms.hierarchical import HIERARCHICAL_HISTOGRAM
from dpcert.mechanisms.keep_heavy import KEEP_HEAVY, KEEP_HEAVY_SPARSE
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.mixing import MIXING
from dpcert.mechanisms.pure_sparse_histogram import PURE_SPARSE_HISTOGRAM
from dpcert.mechanisms.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.pws_keys import PWS_KEYS
from dpcert.mechanisms.quantile_search import QUANTILE_SEARCH
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE
from dpcert.mechanisms.sample_threshold import SAMPLE_THRESHOLD
from dpcert.mechanisms.sampled_count import SAMPLED_COUNT
from dpcert.mechanisms.sparse_histogram import SPARSE_HISTOGRAM
from dpcert.mechanisms.stability_histogram import STABILITY_HISTOGRAM
from dpcert.mechanisms.threshold_histogram import THRESHOLD_HISTOGRAM
from dpcert.mechanisms.trie import TRIE

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
