"""The zoo: each module is one edit away from a correct mechanism and carries one named fault."""

from __future__ import annotations

from dpcert.mechanisms.broken.geosample_exponent import GEOSAMPLE_EXPONENT
from dpcert.mechanisms.broken.geosample_strict import GEOSAMPLE_STRICT
from dpcert.mechanisms.broken.modulo_bias import MODULO_BIAS
from dpcert.mechanisms.broken.threshold_strict import THRESHOLD_STRICT
from dpcert.mechanisms.broken.type_leak import TYPE_LEAK
from dpcert.mechanisms.mechanism import Mechanism

__all__ = ["ZOO"]

ZOO: tuple[Mechanism, ...] = (GEOSAMPLE_STRICT, GEOSAMPLE_EXPONENT, THRESHOLD_STRICT, MODULO_BIAS, TYPE_LEAK)
