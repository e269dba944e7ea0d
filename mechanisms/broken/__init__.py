"""The zoo: each module is one edit away from a correct mechanism and carries one named fault."""

from __future__ import annotations

from dpcert.mechanisms.broken.basic_histogram_add_remove import BASIC_HISTOGRAM_ADD_REMOVE
from dpcert.mechanisms.broken.basic_histogram_by_count import BASIC_HISTOGRAM_BY_COUNT
from dpcert.mechanisms.broken.basic_histogram_insertion_order import BASIC_HISTOGRAM_INSERTION_ORDER
from dpcert.mechanisms.broken.basic_histogram_shared_noise import BASIC_HISTOGRAM_SHARED_NOISE
from dpcert.mechanisms.broken.basic_histogram_zeros import BASIC_HISTOGRAM_ZEROS
from dpcert.mechanisms.broken.fastsample_unmixed import FASTSAMPLE_UNMIXED
from dpcert.mechanisms.broken.float_coin import FLOAT_COIN
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
from dpcert.mechanisms.broken.mixing_early_exit import MIXING_EARLY_EXIT
from dpcert.mechanisms.broken.modulo_bias import MODULO_BIAS
from dpcert.mechanisms.broken.pws_keys_thinned import PWS_KEYS_THINNED
from dpcert.mechanisms.broken.pws_keys_two_terms import PWS_KEYS_TWO_TERMS
from dpcert.mechanisms.broken.pws_keys_unsanitized import PWS_KEYS_UNSANITIZED
from dpcert.mechanisms.broken.stability_histogram_at import STABILITY_HISTOGRAM_AT
from dpcert.mechanisms.broken.stability_histogram_lone import STABILITY_HISTOGRAM_LONE
from dpcert.mechanisms.broken.stability_histogram_true import STABILITY_HISTOGRAM_TRUE
from dpcert.mechanisms.broken.stability_histogram_twice import STABILITY_HISTOGRAM_TWICE
from dpcert.mechanisms.broken.threshold_histogram_empty import THRESHOLD_HISTOGRAM_EMPTY
from dpcert.mechanisms.broken.threshold_histogram_fixed_size import THRESHOLD_HISTOGRAM_FIXED_SIZE
from dpcert.mechanisms.broken.threshold_histogram_size import THRESHOLD_HISTOGRAM_SIZE
from dpcert.mechanisms.broken.threshold_histogram_substituted import THRESHOLD_HISTOGRAM_SUBSTITUTED
from dpcert.mechanisms.broken.threshold_strict import THRESHOLD_STRICT
from dpcert.mechanisms.broken.threshold_systematic import THRESHOLD_SYSTEMATIC
from dpcert.mechanisms.broken.threshold_true_count import THRESHOLD_TRUE_COUNT
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
    THRESHOLD_STRICT,
    THRESHOLD_SYSTEMATIC,
    THRESHOLD_TRUE_COUNT,
    THRESHOLD_HISTOGRAM_EMPTY,
    THRESHOLD_HISTOGRAM_FIXED_SIZE,
    THRESHOLD_HISTOGRAM_SIZE,
    THRESHOLD_HISTOGRAM_SUBSTITUTED,
    PWS_KEYS_THINNED,
    PWS_KEYS_TWO_TERMS,
    PWS_KEYS_UNSANITIZED,
    FLOAT_COIN,
    MODULO_BIAS,
    TYPE_LEAK,
)
