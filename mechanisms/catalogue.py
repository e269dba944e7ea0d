"""Every correct mechanism that ships, in the order in which they are listed."""

from __future__ import annotations

from dpcert.mechanisms.basic_histogram import BASIC_HISTOGRAM
from dpcert.mechanisms.fastsample import FASTSAMPLE
from dpcert.mechanisms.geosample import GEOSAMPLE
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.mixing import MIXING
from dpcert.mechanisms.pws_keys import PWS_KEYS
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE
from dpcert.mechanisms.sample_threshold import SAMPLE_THRESHOLD
from dpcert.mechanisms.stability_histogram import STABILITY_HISTOGRAM
from dpcert.mechanisms.threshold_histogram import THRESHOLD_HISTOGRAM

__all__ = ["MECHANISMS"]

MECHANISMS: tuple[Mechanism, ...] = (
    RANDOMIZED_RESPONSE,
    GEOSAMPLE,
    FASTSAMPLE,
    MIXING,
    BASIC_HISTOGRAM,
    STABILITY_HISTOGRAM,
    SAMPLE_THRESHOLD,
    THRESHOLD_HISTOGRAM,
    PWS_KEYS,
)
