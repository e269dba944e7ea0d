"""What was found of the papers' items, one module a paper."""

from __future__ import annotations

from dpcert.proofs.ledger import Row
from dpcert.proofs.rows.anonymized_histograms import ANONYMIZED_HISTOGRAMS
from dpcert.proofs.rows.experiments import EXPERIMENT_ROWS
from dpcert.proofs.rows.finite_computers import FINITE_COMPUTERS
from dpcert.proofs.rows.sample_and_threshold import SAMPLE_AND_THRESHOLD
from dpcert.proofs.rows.sample_and_threshold_bounds import SAMPLE_AND_THRESHOLD_BOUNDS
from dpcert.proofs.rows.sample_and_threshold_contact import SAMPLE_AND_THRESHOLD_CONTACT
from dpcert.proofs.rows.sample_and_threshold_second_reading import SAMPLE_AND_THRESHOLD_SECOND_READING
from dpcert.proofs.rows.sample_and_threshold_trees import SAMPLE_AND_THRESHOLD_COMPOSED, SAMPLE_AND_THRESHOLD_TREES
from dpcert.proofs.rows.user_level import USER_LEVEL
from dpcert.proofs.rows.weighted_sampling import WEIGHTED_SAMPLING

__all__ = ["ROWS"]

ROWS: tuple[Row, ...] = (
    *SAMPLE_AND_THRESHOLD,
    *SAMPLE_AND_THRESHOLD_BOUNDS,
    *SAMPLE_AND_THRESHOLD_CONTACT,
    *SAMPLE_AND_THRESHOLD_TREES,
    *EXPERIMENT_ROWS,
    *SAMPLE_AND_THRESHOLD_COMPOSED,
    *SAMPLE_AND_THRESHOLD_SECOND_READING,
    *FINITE_COMPUTERS,
    *WEIGHTED_SAMPLING,
    *ANONYMIZED_HISTOGRAMS,
    *USER_LEVEL,
)
