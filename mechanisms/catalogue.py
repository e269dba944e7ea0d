"""Every correct mechanism that ships, in the order in which they are listed."""

from __future__ import annotations

from dpcert.mechanisms.geosample import GEOSAMPLE
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.randomized_response import RANDOMIZED_RESPONSE
from dpcert.mechanisms.sample_threshold import SAMPLE_THRESHOLD

__all__ = ["MECHANISMS"]

MECHANISMS: tuple[Mechanism, ...] = (RANDOMIZED_RESPONSE, GEOSAMPLE, SAMPLE_THRESHOLD)
