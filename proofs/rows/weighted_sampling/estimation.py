"""Rows on Sections 7 and 8: estimates from sanitized frequencies, and the baseline."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["ESTIMATION"]

KEYS_UNSAMPLED = "q = 1, e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta from 1 to 1/1000, i <= 60"
KEYS_INTEGRAL = "e^epsilon = 11/10, 3/2, 2, 3 and 10, L = 1 to 5"
UNSAMPLED = "q = 1, e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5 and 1/10, i <= 12"

ESTIMATION: tuple[Row, ...] = (
    Row(
        id="PWS/Equation8",
        statement="For every g and q > 0: g(i)/q_i for a sampled key, else 0, has mean g(i)",
        status="verified",
        methods=("pws-inverse-probability",),
        scope=("four g, q_1 = 1/10, 1/2 and 1, q_2 the lesser of 2 q_1 and 1, frequencies 1 and 2"),
    ),
    Row(
        id="PWS/Equation9",
        statement=("For two keys: the sum of L(x) g(w_x)/q over the sampled keys has the mean sum of L(x) g(w_x)"),
        status="verified",
        methods=("pws-inverse-probability",),
        scope=("four g, q_1 = 1/10, 1/2 and 1, q_2 the lesser of 2 q_1 and 1, frequencies 1 and 2"),
    ),
    Row(
        id="PWS/Section7/Formula1",
        statement=("For every g and q > 0: the variance of g(i)/q_i for a sampled key is g(i)^2 (1/q_i - 1)"),
        status="verified",
        methods=("pws-inverse-probability",),
        scope=("four g, q_1 = 1/10, 1/2 and 1, q_2 the lesser of 2 q_1 and 1, frequencies 1 and 2"),
    ),
    Row(
        id="PWS/Section7/Formula2",
        statement=("For two keys: the variance of the estimated sum is the sum of L(x)^2 g(w_x)^2 (1/q - 1)"),
        status="verified",
        methods=("pws-inverse-probability",),
        scope=("four g, q_1 = 1/10, 1/2 and 1, q_2 the lesser of 2 q_1 and 1, frequencies 1 and 2"),
    ),
    Row(
        id="PWS/Section7.1/Formula1",
        statement=(
            "For every row system with positive last entries: the recursion gives the one estimate whose "
            "mean is g(i) for every i"
        ),
        status="verified",
        methods=("pws-unbiased",),
        scope=UNSAMPLED,
        code=("mechanisms.weighted_sampling.pws_estimators.unbiased",),
    ),
    Row(
        id="PWS/Section7.1/Claim1",
        statement=(
            "For q = 1 and E^(h-1) > h for some h <= L + 1: the unbiased estimate counts some value of "
            "Algorithm 4 as negative"
        ),
        status="verified",
        methods=("pws-no-unbiased-corrected",),
        scope=UNSAMPLED,
        code=("mechanisms.weighted_sampling.pws_estimators.unbiased",),
    ),
    Row(
        id="PWS/Section7.1/Claim2",
        statement=(
            "For every delta: a key of frequency 1 has variance at least 1/delta under any unbiased estimate "
            "of frequencies"
        ),
        status="refuted",
        methods=("pws-variance-printed",),
        scope=UNSAMPLED,
        witness="e^epsilon = 3/2, delta = 1/2: a key of frequency 1 has variance 1",
    ),
    Row(
        id="PWS/Section7.1/Claim2/corrected",
        corrects="PWS/Section7.1/Claim2",
        statement=(
            "For every delta: a key of frequency 1 has variance at least 1/delta - 1 under any unbiased "
            "estimate of frequencies, which the estimate 1/delta has"
        ),
        status="verified",
        methods=("pws-variance-corrected",),
        scope=UNSAMPLED,
    ),
    Row(
        id="PWS/Equation11",
        statement=(
            "At each epsilon of the scope: g(i)/pi_i for the frequency i that reports a value most often, "
            "the least where several do, has a positive bias somewhere, and a negative one"
        ),
        status="verified",
        methods=("pws-likelihood-errs",),
        scope="delta = 1/10, q = 1 and 1/10, 1/5, 1/2, e^epsilon = 3/2, 2 and 3, i <= 12",
        code=("mechanisms.weighted_sampling.pws_estimators.maximum_likelihood",),
    ),
    Row(
        id="PWS/Section7.1/Claim3",
        statement=(
            "At each epsilon of the scope: the maximum-likelihood estimate has a positive bias on some "
            "frequency of some sampling, and a negative one"
        ),
        status="verified",
        methods=("pws-likelihood-errs",),
        scope="delta = 1/10, q = 1 and 1/10, 1/5, 1/2, e^epsilon = 3/2, 2 and 3, i <= 12",
        code=("mechanisms.weighted_sampling.pws_estimators.maximum_likelihood",),
    ),
    Row(
        id="PWS/Section7.1/Formula2",
        statement=("For every row: mean, bias, squared error and variance by the formulas are those of the law"),
        status="verified",
        methods=("pws-moments",),
        scope=(
            "Algorithm 4, e^epsilon = 3/2, 2 and 3, five delta and samplings, frequencies 2 and 3 weighted 3 and -1"
        ),
        code=("mechanisms.weighted_sampling.pws_estimators.moments",),
    ),
    Row(
        id="PWS/Equation12",
        statement=(
            "For two keys: bias and variance of the estimated sum are sums over keys, the variances weighted "
            "by L(x)^2, and its squared error is variance and squared bias"
        ),
        status="verified",
        methods=("pws-moments",),
        scope=(
            "Algorithm 4, e^epsilon = 3/2, 2 and 3, five delta and samplings, frequencies 2 and 3 weighted 3 and -1"
        ),
        code=("mechanisms.weighted_sampling.pws_estimators.linear_statistic",),
    ),
    Row(
        id="PWS/Section8.2/Claim1",
        statement=(
            "For q = 1: pi*_i is at least phi_i for every i, and 1 from some i on; phi_i is below 1 for every i"
        ),
        status="verified",
        methods=(
            "pws-above-baseline",
            "pws-saturation",
        ),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section8.2/Formula1",
        statement="For i <= L: pi*_i / phi_i is in [2, 2/epsilon]",
        status="refuted",
        methods=("pws-ratio-printed",),
        scope=KEYS_UNSAMPLED,
        witness="e^epsilon = 3, delta = 1/5, i = 1: the ratio is 2",
    ),
    Row(
        id="PWS/Section8.2/Formula1/corrected",
        corrects="PWS/Section8.2/Formula1",
        statement="For i <= L: pi*_i / phi_i is in [2, 2/(1 - e^-epsilon)]",
        status="verified",
        methods=("pws-ratio-corrected",),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section8.2/Formula2",
        statement="For q = 1 and integral L >= 1: pi*_(2L) < 1 and pi*_(2L+1) = 1",
        status="verified",
        methods=("pws-symmetry",),
        scope=KEYS_INTEGRAL,
    ),
    Row(
        id="PWS/Section8.2/Formula3",
        statement="For q = 1: phi_i > 1 - delta exactly for i > 1 + (2 ln(1/delta) - ln 2)/epsilon",
        status="verified",
        methods=("pws-saturation",),
        scope="e^epsilon = 3/2, 2 and 3, seven delta from 1 to 1/1000, i <= 60",
    ),
    Row(
        id="PWS/Section8.2/Claim2",
        statement="For delta = 1 and every i: pi*_i = 1 and phi_i < 1",
        status="verified",
        methods=("pws-above-baseline",),
        scope=KEYS_UNSAMPLED,
    ),
    Row(
        id="PWS/Section8.3/Claim2",
        statement=("For priority and ppswor sampling with f(i) = i and tau <= delta: pi_i = q_i for every i"),
        status="verified",
        methods=("pws-low-rates",),
        scope=(
            "e^epsilon = 11/10, 3/2, 2, 3 and 10, ten delta, tau = delta, delta/2 and delta/10, i <= 20, "
            "ppswor rounded to 64 bits"
        ),
    ),
)
