"""Rows on Suresh, Differentially private anonymized histograms, in the paper's order."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.anonymized_histograms.analysis import ANALYSIS
from dpcert.proofs.rows.anonymized_histograms.lower_bounds import LOWER_BOUNDS
from dpcert.proofs.rows.anonymized_histograms.privacy import PRIVACY
from dpcert.proofs.rows.anonymized_histograms.properties import PROPERTIES
from dpcert.proofs.rows.anonymized_histograms.second_reading import SECOND_READING
from dpcert.proofs.rows.anonymized_histograms.utility import UTILITY

__all__ = ["ANONYMIZED_HISTOGRAMS"]

ANONYMIZED_HISTOGRAMS: tuple[Row, ...] = (*PROPERTIES, *PRIVACY, *ANALYSIS, *LOWER_BOUNDS, *UTILITY, *SECOND_READING)
