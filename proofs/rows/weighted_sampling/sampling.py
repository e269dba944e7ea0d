"""Rows on Sections 3.1 and 7: threshold sampling, and estimates from a sample that is not private."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLING"]

RATES = "mechanisms.weighted_sampling.pws_keys.sampling_probabilities"
DATA = "six sets of one to four keys with frequencies up to 7, tau for k = 1, 2, 3 and 5"

SAMPLING: tuple[Row, ...] = (
    Row(
        id="PWS/Equation2",
        statement=(
            "For f(i) = i and every tau and i: a key whose draw is below tau i is sampled with min(1, tau i) where the "
            "draw is uniform on [0, 1], and with 1 - e^(-tau i) where it is exponential; for these two laws it does "
            "not matter whether equality counts"
        ),
        status="verified",
        methods=("pws-threshold-rates",),
        scope=(
            "tau = 1/12, 1/5, 1/2 and 3/2, i <= 9; the uniform draw on 120 values, of which tau i is a multiple or "
            "beyond; the exponential rate lies within 2^-64 above what the code samples with"
        ),
        code=(RATES,),
    ),
    Row(
        id="PWS/Section3.1/Claim1",
        statement=(
            "For positive weights w: to order keys by u/w, u independent and exponential, and to draw them one after "
            "another with probability proportional to w among those left, give every order the same probability"
        ),
        status="verified",
        methods=("pws-exponential-ranks",),
        scope="six weightings of one to four keys, every order; iterated integrals against the law of a program",
    ),
    Row(
        id="PWS/Section3.1/Formula1",
        statement=(
            "For g = f and tau = k/||f||_1: the estimate of one key has variance at most f/tau, and that of every "
            "selection at most ||f||_1^2/k, so a standard deviation of at most ||f||_1/sqrt(k)"
        ),
        status="verified",
        methods=("pws-sampling-error",),
        scope=f"priority and ppswor sampling, {DATA}; f^2 (1/q - 1) <= f/tau since 1 - e^-x >= x/(1 + x), for all",
        code=("mechanisms.weighted_sampling.private_threshold.reporting_at",),
    ),
    Row(
        id="PWS/Section7/Claim1",
        statement=(
            "Of the estimates of g(w_x) by what a sample says of x, g(i)/q_i and 0 for no report is the only one "
            "without bias on every frequency, 0 among them, and so the one of least variance; if frequency 0 is left "
            "out, others without bias, not negative, vary less"
        ),
        status="verified",
        methods=("pws-inverse-is-only", "pws-inverse-not-least"),
        scope="q = 1/10 and 1/2, g = 1, 2 and 7, no report counted as 0, 1/3 or 1; the second part by g = 2, q = 1/2",
    ),
    Row(
        id="PWS/Section7/Claim2",
        statement=(
            "Of all rates with the same expected sample size, min(1, tau g) has the least sum of variances g^2 (1/q - "
            "1)"
        ),
        status="verified",
        methods=("pws-proportional-is-best",),
        scope="three keys, g in 1, 2, 3, 5, 8, four tau; key by key by a dual, and against all rates in twelfths",
    ),
    Row(
        id="PWS/Section7.1/Claim4",
        statement=(
            "For n keys of one frequency i: the variance of the estimated sum over its square is Var_i/(n g(i)^2), and "
            "the squared bias over it (Bias_i/g(i))^2, whatever n"
        ),
        status="verified",
        methods=("pws-support",),
        scope="Algorithm 4 with the maximum-likelihood estimate, e^epsilon = 2, delta = 1/10, i = 1, 2, 4, 6, n <= 3",
    ),
)
