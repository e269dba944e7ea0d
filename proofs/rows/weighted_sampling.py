"""Rows on Cohen, Geri, Sarlos and Stemmer, Differentially Private Weighted Sampling."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["WEIGHTED_SAMPLING"]

KEYS_SCOPE = "e^epsilon = 3/2, 2 and 3, delta = 1/100, 1/10 and 1/2, q = 1, three lists and priority sampling, i <= 12"
CLOSED_FORM_SCOPE = "e^epsilon = 3/2, 2 and 3, L = 1 to 6, all i <= 2L + 3"

WEIGHTED_SAMPLING: tuple[Row, ...] = (
    Row(
        id="PWS/Algorithm3",
        statement=(
            "For every epsilon >= 0, delta and non-decreasing q, the probabilities pi_i that the recurrence gives make "
            "the report of one key (epsilon, delta)-DP for frequencies that differ by one, and pi_i <= q_i"
        ),
        status="verified",
        methods=("pws-keys-private",),
        scope=KEYS_SCOPE,
        code=("mechanisms.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Lemma4.1",
        statement=(
            "For every epsilon, delta and non-decreasing q, each pi_i is the greatest end-to-end probability of "
            "reporting a key of frequency i that any (epsilon, delta)-DP key sanitizer has, and pi does not decrease"
        ),
        status="verified",
        methods=("pws-keys-greatest",),
        scope=KEYS_SCOPE + "; greatest: raising any one pi_i by 2^-40 breaks a constraint",
        code=("mechanisms.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Lemma4.2",
        statement=(
            "For q = 1 and L(epsilon, delta) an integer: pi_i = delta (E^i - 1)/(E - 1) for i <= L + 1, "
            "1 - delta (E^(2L+2-i) - 1)/(E - 1) from there to 2L + 1, and 1 beyond, with E = e^epsilon"
        ),
        status="refuted",
        methods=("pws-closed-form-printed",),
        scope=CLOSED_FORM_SCOPE + "; i = L + 1 is read by the first case",
        witness="e^epsilon = 2, delta = 1/4 (L = 1), i = 3: printed 3/4, Algorithm 3 gives 1",
    ),
    Row(
        id="PWS/Lemma4.2/corrected",
        corrects="PWS/Lemma4.2",
        statement=(
            "For q = 1 and L(epsilon, delta) an integer: pi_i = delta (E^i - 1)/(E - 1) for i <= L + 1, "
            "1 - delta (E^(2L+1-i) - 1)/(E - 1) for L + 1 <= i <= 2L + 1, and 1 beyond, with E = e^epsilon"
        ),
        status="verified",
        methods=("pws-closed-form-corrected",),
        scope=CLOSED_FORM_SCOPE,
    ),
)
