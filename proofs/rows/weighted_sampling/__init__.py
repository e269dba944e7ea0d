"""Rows on Cohen, Geri, Sarlos and Stemmer, Differentially Private Weighted Sampling, in the paper's order."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.weighted_sampling.baseline import BASELINE
from dpcert.proofs.rows.weighted_sampling.estimation import ESTIMATION
from dpcert.proofs.rows.weighted_sampling.estimators import ESTIMATORS
from dpcert.proofs.rows.weighted_sampling.frequencies import FREQUENCIES
from dpcert.proofs.rows.weighted_sampling.growth import GROWTH
from dpcert.proofs.rows.weighted_sampling.keys import KEYS
from dpcert.proofs.rows.weighted_sampling.performance import PERFORMANCE
from dpcert.proofs.rows.weighted_sampling.proofs import PROOFS
from dpcert.proofs.rows.weighted_sampling.sampling import SAMPLING
from dpcert.proofs.rows.weighted_sampling.second_reading import SECOND_READING
from dpcert.proofs.rows.weighted_sampling.separation import SEPARATION
from dpcert.proofs.rows.weighted_sampling.structure import STRUCTURE

__all__ = ["WEIGHTED_SAMPLING"]

WEIGHTED_SAMPLING: tuple[Row, ...] = (
    *KEYS,
    *FREQUENCIES,
    *ESTIMATION,
    *STRUCTURE,
    *GROWTH,
    *PROOFS,
    *SEPARATION,
    *ESTIMATORS,
    *BASELINE,
    *SAMPLING,
    *PERFORMANCE,
    *SECOND_READING,
)
