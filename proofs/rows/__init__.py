"""What was found of the papers' items, one module a paper."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.finite_computers import FINITE_COMPUTERS
from dpcert.proofs.rows.sample_and_threshold import SAMPLE_AND_THRESHOLD
from dpcert.proofs.rows.weighted_sampling import WEIGHTED_SAMPLING

__all__ = ["ROWS"]

ROWS: tuple[Row, ...] = (*SAMPLE_AND_THRESHOLD, *FINITE_COMPUTERS, *WEIGHTED_SAMPLING)
