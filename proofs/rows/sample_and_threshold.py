"""Rows on Bharadwaj and Cormode, Sample-and-threshold Differential Privacy."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD"]

SAMPLE_AND_THRESHOLD: tuple[Row, ...] = (
    Row(
        id="ST/Theorem2",
        statement=(
            "For every rate p, threshold tau and epsilon with e^-epsilon <= 1 - p, reporting a sampled count if it is "
            "at least tau is (epsilon, delta)-DP for counts that differ by one, for delta = exp(-(tau/q) D(q||p)), "
            "q = 1 - e^-epsilon (1 - p)"
        ),
        status="verified",
        methods=("sample-threshold-theorem2",),
        scope="one bin; p = 1/20, 1/10, 1/4; tau = 1 to 8; e^epsilon = 1/(1-p), 2/(1-p), 4/(1-p); counts to 40; "
        "delta rounded up to six digits",
        code=("mechanisms.sample_threshold.sample_threshold", "mechanisms.sample_threshold.kl_delta"),
    ),
)
