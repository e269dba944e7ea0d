"""Rows on Sections 1 to 4: how often a key may be reported."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["KEYS"]

KEYS_SCOPE = "e^epsilon = 3/2, 2 and 3, delta = 1/100, 1/10 and 1/2, q = 1, three lists and priority sampling, i <= 12"
CLOSED_FORM_SCOPE = "e^epsilon = 3/2, 2 and 3, L = 1 to 6, all i <= 2L + 3"
KEYS_GRID = "e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta from 1 to 1/1000, q = 1 and five other samplings, i <= 40"
KEYS_UNSAMPLED = "q = 1, e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta from 1 to 1/1000, i <= 60"
PROGRAMS = (
    "exact linear programs, each solution proved by a dual vector: one key, frequencies up to 5, one "
    "value; up to 3, two values; two keys at once, frequencies up to 2; e^epsilon = 2 and 3"
)

KEYS: tuple[Row, ...] = (
    Row(
        id="PWS/Section1/Claim1",
        statement=(
            "For q = 1 and every i: pi_i <= delta (E^i - 1)/(E - 1), so that keys of frequency i are "
            "reported at most that often"
        ),
        status="verified",
        methods=("pws-closed-form-general",),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section1/Claim2",
        statement=(
            "For every i: to sanitize first, by Algorithm 4 without sampling, and then to sample by the "
            "value reported, reports a key of frequency i at most with probability pi_i, and for some i less "
            "often"
        ),
        status="verified",
        methods=("pws-sample-first",),
        scope=(
            "e^epsilon = 3/2, 2 and 3, six delta from 1/2 to 1/1000, one list, priority and ppswor sampling, i <= 12"
        ),
    ),
    Row(
        id="PWS/Section1.1/Claim1",
        statement=(
            "For every epsilon > 0, delta and i: pi*_i, without sampling, is at least phi_i, the reporting "
            "probability of stability-based histograms"
        ),
        status="verified",
        methods=("pws-above-baseline",),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section1.1/Formula1",
        statement=(
            "For i <= L + 1 below the threshold T of stability-based histograms, pi*_i / phi_i = 2 (1 + 1/E "
            "+ ... + 1/E^(i-1)), E = e^epsilon, which is at most 2i"
        ),
        status="verified",
        methods=("pws-above-baseline",),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section2/Claim1",
        statement=(
            "For q = 1 and integral L: rows i > 2L are the frequency with two-sided geometric noise Z, Pr[z] "
            "= (E-1)/(E+1) E^-|z|, given |Z| <= L and moved by L; their distance from all of Z is 2 "
            "E^-L/(E+1), which vanishes as delta does"
        ),
        status="verified",
        methods=("pws-geometric-limit",),
        scope="e^epsilon = 3/2, 2 and 3, L = 1 to 5, i = 2L + 2",
    ),
    Row(
        id="PWS/Algorithm1",
        statement=("Each key is kept, with its frequency i, with probability q_i, independently of the others"),
        status="verified",
        methods=("pws-given-sample",),
        scope=("e^epsilon = 2, delta = 1/10, three samplings, two data sets of two keys, behind both sanitizers"),
        code=("mechanisms.weighted_sampling.pws_sample.sample_keys",),
    ),
    Row(
        id="PWS/Algorithm2",
        statement=(
            "For a sample of two keys: dropping keys and drawing values by p_ij = pi_ij / q_i, from the "
            "sample alone, reports each key of the data by its end-to-end row, independently"
        ),
        status="verified",
        methods=("pws-given-sample",),
        scope="both algorithms, e^epsilon = 2, delta = 1/10, three samplings, two data sets",
        code=(
            "mechanisms.weighted_sampling.pws_sample.sanitize",
            "mechanisms.weighted_sampling.pws_sample.sanitizer_rows",
        ),
    ),
    Row(
        id="PWS/Algorithm3",
        statement=(
            "For every epsilon >= 0, delta and non-decreasing q, the probabilities pi_i that the recurrence "
            "gives make the report of one key (epsilon, delta)-DP for frequencies that differ by one, and "
            "pi_i <= q_i"
        ),
        status="proved",
        methods=("keys-grow", "keys-private", "pws-keys-private"),
        scope="all parameters, by z3 and cvc5; exactly, from the law: " + KEYS_SCOPE,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Section4/Formula1",
        statement=("For every key: the probability that it is sampled and then reported is q_i p_i = pi_i"),
        status="verified",
        methods=("pws-given-sample",),
        scope="both algorithms, e^epsilon = 2, delta = 1/10, three samplings, two data sets",
        code=("mechanisms.weighted_sampling.pws_sample.sanitizer_rows",),
    ),
    Row(
        id="PWS/Lemma4.1",
        statement=(
            "For every epsilon, delta and non-decreasing q, each pi_i is the greatest end-to-end probability "
            "of reporting a key of frequency i that any (epsilon, delta)-DP scheme has that is given a "
            "sample and reports sampled keys only, whatever it reports with them and however it treats "
            "several keys together; and pi does not decrease. A scheme that may report keys that do not "
            "occur reports more"
        ),
        status="proved",
        methods=(
            "keys-grow",
            "keys-private",
            "keys-optimal",
            "pws-keys-greatest",
            "pws-keys-optimal",
            "pws-keys-dense",
        ),
        scope="all parameters, by z3 and cvc5; exactly: "
        + KEYS_SCOPE
        + "; greatest: raising any one pi_i by 2^-40 breaks a constraint; "
        + PROGRAMS,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Equation4",
        statement=(
            "For every epsilon > 0 and delta <= 1: with E = e^epsilon and E^L = (E - 1 + 2 delta)/(delta (E "
            "+ 1)), the value delta (E^L - 1)/(E - 1) is (1 - delta)/(1 + E). The printed approximation is "
            "that by ln(epsilon/(2 delta))/epsilon: e^(epsilon L) is epsilon/(2 delta) times a factor from 1 - "
            "epsilon^2/12 to 1 + 2 delta/epsilon, so that L is off by epsilon/10 at most below and 2 delta/epsilon^2 "
            "above, for epsilon <= 1; for delta >= epsilon/2 what it is approximated by is not positive"
        ),
        status="verified",
        methods=("pws-length", "pws-length-approximation"),
        scope=KEYS_UNSAMPLED + "; the approximation: epsilon = 1/10 to 3, delta = 10^-1 to 10^-12, by bounds of e",
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
        status="proved",
        methods=(
            "closed-form-proved",
            "pws-closed-form-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + CLOSED_FORM_SCOPE,
    ),
    Row(
        id="PWS/Equation5",
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
        id="PWS/Equation5/corrected",
        corrects="PWS/Equation5",
        statement=(
            "For q = 1 and every epsilon > 0 and delta <= 1, L an integer or not, with E = e^epsilon, k = floor(L) + 1 "
            "and s = delta/(E - 1): pi_i = s (E^i - 1) for i <= k, and 1 - pi_i is the greater of 0 and "
            "(1 - pi_k + s)/E^(i-k) - s beyond"
        ),
        status="verified",
        methods=("pws-closed-form-general",),
        scope=KEYS_UNSAMPLED,
        code=("mechanisms.weighted_sampling.pws_keys.reporting_probabilities",),
    ),
    Row(
        id="PWS/Lemma4.3",
        statement=(
            "For every epsilon, delta and non-decreasing q: at most 2L + 1 frequencies have pi_i < q_i (the "
            "paper takes L for an integer, and says that this can be removed)"
        ),
        status="refuted",
        methods=("pws-loss-count-printed",),
        scope=KEYS_GRID,
        witness=("e^epsilon = 10, delta = 1/3, q = 1: 2 frequencies have pi_i < q_i, and 2 > 2L + 1"),
    ),
    Row(
        id="PWS/Lemma4.3/corrected",
        corrects="PWS/Lemma4.3",
        statement=(
            "For every epsilon > 0, delta and non-decreasing q: no more frequencies have pi_i < q_i than "
            "have pi*_i < 1, and these are fewer than 2L + 2"
        ),
        status="verified",
        methods=("pws-loss-count-corrected",),
        scope=KEYS_GRID,
    ),
    Row(
        id="PWS/Lemma4.4",
        statement=(
            "For every epsilon, delta and q_i = 1 - r^i, 0 < r < 1: pi_i = pi*_i below the least i with "
            "pi*_i > q_i, and q_i from there"
        ),
        status="proved",
        methods=(
            "ppswor-constraints",
            "pws-one-switch",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta from 1 to "
            "1/1000, r = 1/3, 1/2, 9/10, 99/100 and "
            "999/1000, i <= 40"
        ),
    ),
)
