"""Rows on Liu et al., Histogram estimation under user-level privacy, one module for each part of the paper."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.user_level.clipping import CLIPPING
from dpcert.proofs.rows.user_level.debiasing import DEBIASING_ROWS
from dpcert.proofs.rows.user_level.experiments import USER_LEVEL_EXPERIMENT_ROWS
from dpcert.proofs.rows.user_level.second_reading import SECOND_READING
from dpcert.proofs.rows.user_level.threshold import THRESHOLD

__all__ = ["USER_LEVEL"]

USER_LEVEL: tuple[Row, ...] = (
    *CLIPPING,
    *THRESHOLD,
    *DEBIASING_ROWS,
    *USER_LEVEL_EXPERIMENT_ROWS,
    *SECOND_READING,
)
