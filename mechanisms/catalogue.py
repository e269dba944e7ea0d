"""Every correct mechanism that ships, in the order in which they are listed."""

from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import LAPLACE_ISOTONIC
from dpcert.mechanisms.anonymized_histograms.privhist import PRIVHIST
from dpcert.mechanisms.anonymized_histograms.smoothing import PRIVHIST_SMOOTHED
from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT
from dpcert.mechanisms.anonymized_histograms.total import PRIVHIST_TOTAL
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
from dpcert.mechanisms.literature.count_on_grid import COUNT_ON_GRID
from dpcert.mechanisms.literature.noisy_histogram import NOISY_HISTOGRAM, PREFIX_SUMS
from dpcert.mechanisms.literature.noisy_max import REPORT_NOISY_MAX, REPORT_NOISY_MAX_EXPONENTIAL
from dpcert.mechanisms.literature.parallel_counts import PARALLEL_COUNTS
from dpcert.mechanisms.literature.parallel_sparse_vectors import PARALLEL_SPARSE_VECTORS
from dpcert.mechanisms.literature.rappor import ONE_TIME_RAPPOR, RAPPOR
from dpcert.mechanisms.literature.sparse_vector import NUMERIC_SPARSE_VECTOR, SPARSE_VECTOR, SPARSE_VECTOR_REDRAWN
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import BOUNDED_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.contact import CONTACTED_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.heavy_hitters import HEAVY_HITTERS
from dpcert.mechanisms.sample_and_threshold.hierarchical import HIERARCHICAL_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.joined_count import JOINED_COUNT
from dpcert.mechanisms.sample_and_threshold.moved_person import MOVED_PERSON
from dpcert.mechanisms.sample_and_threshold.quantile_search import QUANTILE_SEARCH
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD
from dpcert.mechanisms.sample_and_threshold.sampled_count import SAMPLED_COUNT
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM
from dpcert.mechanisms.sample_and_threshold.trie import TRIE
from dpcert.mechanisms.user_level.clipped_sum_l1 import CLIPPED_SUM_L1
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2
from dpcert.mechanisms.user_level.dp_sgd import CLIP_THRESHOLD_DESCENT
from dpcert.mechanisms.user_level.output_perturbation import CLIP_THRESHOLD_PERTURBED
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD
from dpcert.mechanisms.user_level.sampled_sum_l1 import SAMPLED_SUM_L1
from dpcert.mechanisms.weighted_sampling.private_threshold import PWS_PRIVATE_THRESHOLD
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.weighted_sampling.pws_keys import PWS_KEYS
from dpcert.mechanisms.weighted_sampling.sbh import SBH, SBH_SAMPLED

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
    JOINED_COUNT,
    THRESHOLD_HISTOGRAM,
    BOUNDED_HISTOGRAM,
    MOVED_PERSON,
    CONTACTED_HISTOGRAM,
    TRIE,
    HEAVY_HITTERS,
    QUANTILE_SEARCH,
    HIERARCHICAL_HISTOGRAM,
    PWS_KEYS,
    PWS_FREQUENCIES,
    CLIPPED_SUM_L1,
    SAMPLED_SUM_L1,
    CLIPPED_SUM_L2,
    PWS_PRIVATE_THRESHOLD,
    SBH,
    SBH_SAMPLED,
    LAPLACE_ISOTONIC,
    PRIVHIST_TOTAL,
    PRIVHIST_SPLIT,
    PRIVHIST_SMOOTHED,
    PRIVHIST,
    CLIP_THRESHOLD,
    CLIP_THRESHOLD_PERTURBED,
    CLIP_THRESHOLD_DESCENT,
    NOISY_HISTOGRAM,
    PREFIX_SUMS,
    REPORT_NOISY_MAX,
    REPORT_NOISY_MAX_EXPONENTIAL,
    SPARSE_VECTOR,
    SPARSE_VECTOR_REDRAWN,
    NUMERIC_SPARSE_VECTOR,
    PARALLEL_SPARSE_VECTORS,
    PARALLEL_COUNTS,
    COUNT_ON_GRID,
    ONE_TIME_RAPPOR,
    RAPPOR,
)
