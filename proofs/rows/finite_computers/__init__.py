"""Rows on Balcer and Vadhan, Differential Privacy on Finite Computers, one module for each part of the paper."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.finite_computers.counts import COUNTS

__all__ = ["FINITE_COMPUTERS"]

FINITE_COMPUTERS: tuple[Row, ...] = (*COUNTS,)
