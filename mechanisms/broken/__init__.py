"""The zoo: each module is one edit away from a correct mechanism and carries one named fault."""

from __future__ import annotations

from dpcert.mechanisms.broken.basic_histogram_add_remove import BASIC_HISTOGRAM_ADD_REMOVE
from dpcert.mechanisms.broken.basic_histogram_by_count import BASIC_HISTOGRAM_BY_COUNT
from dpcert.mechanisms.broken.basic_histogram_insertion_order import BASIC_HISTOGRAM_INSERTION_ORDER
from dpcert.mechanisms.broken.basic_histogram_shared_noise import BASIC_HISTOGRAM_SHARED_NOISE
from dpcert.mechanisms.broken.basic_histogram_zeros import BASIC_HISTOGRAM_ZEROS
from dpcert.mechanisms.broken.clip_threshold_dense import CLIP_THRESHOLD_DENSE
from dpcert.mechanisms.broken.clip_threshold_exact import CLIP_THRESHOLD_EXACT
from dpcert.mechanisms.broken.clip_threshold_halved import CLIP_THRESHOLD_HALVED
from dpcert.mechanisms.broken.clip_threshold_numerator import CLIP_THRESHOLD_NUMERATOR
from dpcert.mechanisms.broken.clip_threshold_once import CLIP_THRESHOLD_ONCE
from dpcert.mechanisms.broken.clipped_sum_l1_add_remove import CLIPPED_SUM_L1_ADD_REMOVE
from dpcert.mechanisms.broken.clipped_sum_l1_by_l2 import CLIPPED_SUM_L1_BY_L2
from dpcert.mechanisms.broken.clipped_sum_l1_coordinates import CLIPPED_SUM_L1_COORDINATES
from dpcert.mechanisms.broken.clipped_sum_l1_l2_scale import CLIPPED_SUM_L1_L2_SCALE
from dpcert.mechanisms.broken.clipped_sum_l1_up import CLIPPED_SUM_L1_UP
from dpcert.mechanisms.broken.clipped_sum_l2_add_remove import CLIPPED_SUM_L2_ADD_REMOVE
from dpcert.mechanisms.broken.clipped_sum_l2_nearest import CLIPPED_SUM_L2_NEAREST
from dpcert.mechanisms.broken.compact_histogram_bare import COMPACT_HISTOGRAM_BARE
from dpcert.mechanisms.broken.compact_histogram_clamped import COMPACT_HISTOGRAM_CLAMPED
from dpcert.mechanisms.broken.compact_histogram_first import COMPACT_HISTOGRAM_FIRST
from dpcert.mechanisms.broken.compact_histogram_missed import COMPACT_HISTOGRAM_MISSED
from dpcert.mechanisms.broken.compact_histogram_reused import COMPACT_HISTOGRAM_REUSED
from dpcert.mechanisms.broken.compact_histogram_true import COMPACT_HISTOGRAM_TRUE
from dpcert.mechanisms.broken.contacted_histogram_abstentions import CONTACTED_HISTOGRAM_ABSTENTIONS
from dpcert.mechanisms.broken.count_on_grid_summed import COUNT_ON_GRID_SUMMED
from dpcert.mechanisms.broken.fastsample_unmixed import FASTSAMPLE_UNMIXED
from dpcert.mechanisms.broken.float_coin import FLOAT_COIN
from dpcert.mechanisms.broken.geometric_early_stop import GEOMETRIC_EARLY_STOP
from dpcert.mechanisms.broken.geometric_float import GEOMETRIC_FLOAT
from dpcert.mechanisms.broken.geosample_exponent import GEOSAMPLE_EXPONENT
from dpcert.mechanisms.broken.geosample_floor import GEOSAMPLE_FLOOR
from dpcert.mechanisms.broken.geosample_half_scale import GEOSAMPLE_HALF_SCALE
from dpcert.mechanisms.broken.geosample_natural_log import GEOSAMPLE_NATURAL_LOG
from dpcert.mechanisms.broken.geosample_raises import GEOSAMPLE_RAISES
from dpcert.mechanisms.broken.geosample_rejection import GEOSAMPLE_REJECTION
from dpcert.mechanisms.broken.geosample_rounded import GEOSAMPLE_ROUNDED
from dpcert.mechanisms.broken.geosample_short_draw import GEOSAMPLE_SHORT_DRAW
from dpcert.mechanisms.broken.geosample_strict import GEOSAMPLE_STRICT
from dpcert.mechanisms.broken.geosample_unclamped import GEOSAMPLE_UNCLAMPED
from dpcert.mechanisms.broken.joined_count_swapped import JOINED_COUNT_SWAPPED
from dpcert.mechanisms.broken.keep_heavy_occurring import KEEP_HEAVY_OCCURRING
from dpcert.mechanisms.broken.keep_heavy_order import KEEP_HEAVY_ORDER
from dpcert.mechanisms.broken.keep_heavy_sparse_earlier import KEEP_HEAVY_SPARSE_EARLIER
from dpcert.mechanisms.broken.keep_heavy_sparse_empties import KEEP_HEAVY_SPARSE_EMPTIES
from dpcert.mechanisms.broken.keep_heavy_sparse_few import KEEP_HEAVY_SPARSE_FEW
from dpcert.mechanisms.broken.keep_heavy_sparse_first import KEEP_HEAVY_SPARSE_FIRST
from dpcert.mechanisms.broken.keep_heavy_sparse_labels import KEEP_HEAVY_SPARSE_LABELS
from dpcert.mechanisms.broken.keep_heavy_sparse_ties import KEEP_HEAVY_SPARSE_TIES
from dpcert.mechanisms.broken.keep_heavy_ties import KEEP_HEAVY_TIES
from dpcert.mechanisms.broken.keep_heavy_true import KEEP_HEAVY_TRUE
from dpcert.mechanisms.broken.keep_heavy_unclamped import KEEP_HEAVY_UNCLAMPED
from dpcert.mechanisms.broken.keep_heavy_zeros import KEEP_HEAVY_ZEROS
from dpcert.mechanisms.broken.laplace_isotonic_occurring import LAPLACE_ISOTONIC_OCCURRING
from dpcert.mechanisms.broken.mixing_early_exit import MIXING_EARLY_EXIT
from dpcert.mechanisms.broken.modulo_bias import MODULO_BIAS
from dpcert.mechanisms.broken.moved_person_shown import MOVED_PERSON_SHOWN
from dpcert.mechanisms.broken.noisy_histogram_inverted import NOISY_HISTOGRAM_INVERTED
from dpcert.mechanisms.broken.one_time_rappor_set_bits import ONE_TIME_RAPPOR_SET_BITS
from dpcert.mechanisms.broken.parallel_counts_whole import PARALLEL_COUNTS_WHOLE
from dpcert.mechanisms.broken.parallel_sparse_vectors_forms import PARALLEL_SPARSE_VECTORS_FORMS
from dpcert.mechanisms.broken.prefix_sums_all import PREFIX_SUMS_ALL
from dpcert.mechanisms.broken.privhist_smoothed_plain import PRIVHIST_SMOOTHED_PLAIN
from dpcert.mechanisms.broken.privhist_split_cut import PRIVHIST_SPLIT_CUT
from dpcert.mechanisms.broken.privhist_split_naive import PRIVHIST_SPLIT_NAIVE
from dpcert.mechanisms.broken.privhist_split_nonzero import PRIVHIST_SPLIT_NONZERO
from dpcert.mechanisms.broken.privhist_split_occurring import PRIVHIST_SPLIT_OCCURRING
from dpcert.mechanisms.broken.privhist_split_unshared import PRIVHIST_SPLIT_UNSHARED
from dpcert.mechanisms.broken.privhist_total_empty import PRIVHIST_TOTAL_EMPTY
from dpcert.mechanisms.broken.privhist_true_total import PRIVHIST_TRUE_TOTAL
from dpcert.mechanisms.broken.pure_sparse_histogram_short import PURE_SPARSE_HISTOGRAM_SHORT
from dpcert.mechanisms.broken.pure_sparse_histogram_unmixed import PURE_SPARSE_HISTOGRAM_UNMIXED
from dpcert.mechanisms.broken.pws_frequencies_each import PWS_FREQUENCIES_EACH
from dpcert.mechanisms.broken.pws_frequencies_shifted import PWS_FREQUENCIES_SHIFTED
from dpcert.mechanisms.broken.pws_frequencies_silent import PWS_FREQUENCIES_SILENT
from dpcert.mechanisms.broken.pws_frequencies_true import PWS_FREQUENCIES_TRUE
from dpcert.mechanisms.broken.pws_frequencies_upward import PWS_FREQUENCIES_UPWARD
from dpcert.mechanisms.broken.pws_keys_heavy import PWS_KEYS_HEAVY
from dpcert.mechanisms.broken.pws_keys_thinned import PWS_KEYS_THINNED
from dpcert.mechanisms.broken.pws_keys_two_terms import PWS_KEYS_TWO_TERMS
from dpcert.mechanisms.broken.pws_keys_unsanitized import PWS_KEYS_UNSANITIZED
from dpcert.mechanisms.broken.pws_private_threshold_capped import PWS_PRIVATE_THRESHOLD_CAPPED
from dpcert.mechanisms.broken.pws_private_threshold_exact import PWS_PRIVATE_THRESHOLD_EXACT
from dpcert.mechanisms.broken.quantile_search_raw import QUANTILE_SEARCH_RAW
from dpcert.mechanisms.broken.rappor_redrawn import RAPPOR_REDRAWN
from dpcert.mechanisms.broken.report_noisy_max_exponential_value import REPORT_NOISY_MAX_EXPONENTIAL_VALUE
from dpcert.mechanisms.broken.report_noisy_max_value import REPORT_NOISY_MAX_VALUE
from dpcert.mechanisms.broken.sampled_count_pairs import SAMPLED_COUNT_PAIRS
from dpcert.mechanisms.broken.sbh_early import SBH_EARLY
from dpcert.mechanisms.broken.sbh_sampled_first import SBH_SAMPLED_FIRST
from dpcert.mechanisms.broken.sparse_histogram_ceiling import SPARSE_HISTOGRAM_CEILING
from dpcert.mechanisms.broken.sparse_histogram_draws import SPARSE_HISTOGRAM_DRAWS
from dpcert.mechanisms.broken.sparse_histogram_modulo import SPARSE_HISTOGRAM_MODULO
from dpcert.mechanisms.broken.sparse_vector_exact import SPARSE_VECTOR_EXACT
from dpcert.mechanisms.broken.sparse_vector_number import SPARSE_VECTOR_NUMBER
from dpcert.mechanisms.broken.sparse_vector_scale import SPARSE_VECTOR_SCALE
from dpcert.mechanisms.broken.sparse_vector_uncapped import SPARSE_VECTOR_UNCAPPED
from dpcert.mechanisms.broken.stability_histogram_at import STABILITY_HISTOGRAM_AT
from dpcert.mechanisms.broken.stability_histogram_lone import STABILITY_HISTOGRAM_LONE
from dpcert.mechanisms.broken.stability_histogram_true import STABILITY_HISTOGRAM_TRUE
from dpcert.mechanisms.broken.stability_histogram_twice import STABILITY_HISTOGRAM_TWICE
from dpcert.mechanisms.broken.threshold_histogram_empty import THRESHOLD_HISTOGRAM_EMPTY
from dpcert.mechanisms.broken.threshold_histogram_fixed_size import THRESHOLD_HISTOGRAM_FIXED_SIZE
from dpcert.mechanisms.broken.threshold_histogram_size import THRESHOLD_HISTOGRAM_SIZE
from dpcert.mechanisms.broken.threshold_histogram_substituted import THRESHOLD_HISTOGRAM_SUBSTITUTED
from dpcert.mechanisms.broken.threshold_late import THRESHOLD_LATE
from dpcert.mechanisms.broken.threshold_strict import THRESHOLD_STRICT
from dpcert.mechanisms.broken.threshold_systematic import THRESHOLD_SYSTEMATIC
from dpcert.mechanisms.broken.threshold_true_count import THRESHOLD_TRUE_COUNT
from dpcert.mechanisms.broken.trie_last_level import TRIE_LAST_LEVEL
from dpcert.mechanisms.broken.trie_reused import TRIE_REUSED
from dpcert.mechanisms.broken.trie_size import TRIE_SIZE
from dpcert.mechanisms.broken.trie_unsampled import TRIE_UNSAMPLED
from dpcert.mechanisms.broken.type_leak import TYPE_LEAK
from dpcert.mechanisms.mechanism import Mechanism

__all__ = ["ZOO"]

ZOO: tuple[Mechanism, ...] = (
    GEOSAMPLE_STRICT,
    GEOSAMPLE_EXPONENT,
    GEOSAMPLE_FLOOR,
    GEOSAMPLE_HALF_SCALE,
    GEOSAMPLE_NATURAL_LOG,
    GEOSAMPLE_RAISES,
    GEOSAMPLE_REJECTION,
    GEOSAMPLE_SHORT_DRAW,
    GEOSAMPLE_UNCLAMPED,
    GEOMETRIC_EARLY_STOP,
    GEOMETRIC_FLOAT,
    FASTSAMPLE_UNMIXED,
    GEOSAMPLE_ROUNDED,
    MIXING_EARLY_EXIT,
    BASIC_HISTOGRAM_ADD_REMOVE,
    BASIC_HISTOGRAM_BY_COUNT,
    BASIC_HISTOGRAM_INSERTION_ORDER,
    BASIC_HISTOGRAM_SHARED_NOISE,
    BASIC_HISTOGRAM_ZEROS,
    STABILITY_HISTOGRAM_AT,
    STABILITY_HISTOGRAM_LONE,
    STABILITY_HISTOGRAM_TRUE,
    STABILITY_HISTOGRAM_TWICE,
    KEEP_HEAVY_ORDER,
    KEEP_HEAVY_TIES,
    KEEP_HEAVY_TRUE,
    KEEP_HEAVY_OCCURRING,
    KEEP_HEAVY_UNCLAMPED,
    KEEP_HEAVY_ZEROS,
    KEEP_HEAVY_SPARSE_EARLIER,
    KEEP_HEAVY_SPARSE_EMPTIES,
    KEEP_HEAVY_SPARSE_FEW,
    KEEP_HEAVY_SPARSE_FIRST,
    KEEP_HEAVY_SPARSE_LABELS,
    KEEP_HEAVY_SPARSE_TIES,
    SPARSE_HISTOGRAM_CEILING,
    SPARSE_HISTOGRAM_DRAWS,
    SPARSE_HISTOGRAM_MODULO,
    PURE_SPARSE_HISTOGRAM_SHORT,
    PURE_SPARSE_HISTOGRAM_UNMIXED,
    COMPACT_HISTOGRAM_BARE,
    COMPACT_HISTOGRAM_CLAMPED,
    COMPACT_HISTOGRAM_FIRST,
    COMPACT_HISTOGRAM_MISSED,
    COMPACT_HISTOGRAM_REUSED,
    COMPACT_HISTOGRAM_TRUE,
    THRESHOLD_STRICT,
    THRESHOLD_SYSTEMATIC,
    THRESHOLD_TRUE_COUNT,
    THRESHOLD_LATE,
    SAMPLED_COUNT_PAIRS,
    JOINED_COUNT_SWAPPED,
    MOVED_PERSON_SHOWN,
    THRESHOLD_HISTOGRAM_EMPTY,
    THRESHOLD_HISTOGRAM_FIXED_SIZE,
    THRESHOLD_HISTOGRAM_SIZE,
    CONTACTED_HISTOGRAM_ABSTENTIONS,
    THRESHOLD_HISTOGRAM_SUBSTITUTED,
    TRIE_LAST_LEVEL,
    TRIE_REUSED,
    TRIE_SIZE,
    TRIE_UNSAMPLED,
    QUANTILE_SEARCH_RAW,
    PWS_KEYS_HEAVY,
    PWS_KEYS_THINNED,
    PWS_KEYS_TWO_TERMS,
    PWS_KEYS_UNSANITIZED,
    PWS_FREQUENCIES_EACH,
    PWS_FREQUENCIES_SHIFTED,
    PWS_FREQUENCIES_SILENT,
    PWS_FREQUENCIES_TRUE,
    PWS_FREQUENCIES_UPWARD,
    PWS_PRIVATE_THRESHOLD_CAPPED,
    PWS_PRIVATE_THRESHOLD_EXACT,
    SBH_EARLY,
    SBH_SAMPLED_FIRST,
    LAPLACE_ISOTONIC_OCCURRING,
    PRIVHIST_TOTAL_EMPTY,
    PRIVHIST_SPLIT_NAIVE,
    PRIVHIST_SPLIT_UNSHARED,
    PRIVHIST_SPLIT_CUT,
    PRIVHIST_SPLIT_NONZERO,
    PRIVHIST_SPLIT_OCCURRING,
    PRIVHIST_SMOOTHED_PLAIN,
    PRIVHIST_TRUE_TOTAL,
    CLIP_THRESHOLD_EXACT,
    CLIP_THRESHOLD_NUMERATOR,
    CLIP_THRESHOLD_HALVED,
    CLIP_THRESHOLD_DENSE,
    CLIP_THRESHOLD_ONCE,
    CLIPPED_SUM_L1_ADD_REMOVE,
    CLIPPED_SUM_L1_L2_SCALE,
    CLIPPED_SUM_L1_BY_L2,
    CLIPPED_SUM_L1_COORDINATES,
    CLIPPED_SUM_L1_UP,
    CLIPPED_SUM_L2_ADD_REMOVE,
    CLIPPED_SUM_L2_NEAREST,
    NOISY_HISTOGRAM_INVERTED,
    PREFIX_SUMS_ALL,
    REPORT_NOISY_MAX_VALUE,
    REPORT_NOISY_MAX_EXPONENTIAL_VALUE,
    SPARSE_VECTOR_NUMBER,
    SPARSE_VECTOR_SCALE,
    SPARSE_VECTOR_EXACT,
    SPARSE_VECTOR_UNCAPPED,
    PARALLEL_SPARSE_VECTORS_FORMS,
    PARALLEL_COUNTS_WHOLE,
    COUNT_ON_GRID_SUMMED,
    ONE_TIME_RAPPOR_SET_BITS,
    RAPPOR_REDRAWN,
    FLOAT_COIN,
    MODULO_BIAS,
    TYPE_LEAK,
)
