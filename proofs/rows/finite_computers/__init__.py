"""Rows on Balcer and Vadhan, Differential Privacy on Finite Computers, one module for each part of the paper."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.finite_computers.approximation import APPROXIMATION
from dpcert.proofs.rows.finite_computers.compact import COMPACT
from dpcert.proofs.rows.finite_computers.counts import COUNTS
from dpcert.proofs.rows.finite_computers.histograms import HISTOGRAMS
from dpcert.proofs.rows.finite_computers.lower_bounds import LOWER_BOUNDS
from dpcert.proofs.rows.finite_computers.noise import NOISE
from dpcert.proofs.rows.finite_computers.orders import ORDERS
from dpcert.proofs.rows.finite_computers.preliminaries import PRELIMINARIES
from dpcert.proofs.rows.finite_computers.remaining import REMAINING
from dpcert.proofs.rows.finite_computers.second_reading import SECOND_READING

__all__ = ["FINITE_COMPUTERS"]

FINITE_COMPUTERS: tuple[Row, ...] = (
    *PRELIMINARIES,
    *COUNTS,
    *NOISE,
    *HISTOGRAMS,
    *LOWER_BOUNDS,
    *ORDERS,
    *APPROXIMATION,
    *COMPACT,
    *REMAINING,
    *SECOND_READING,
)
