"""Rows on Appendices A, B, D and G: growth of the sampling probabilities, the two passes, sets of keys, cases."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["GROWTH"]

POWERS = "p = 1, 2 and 3, delta/tau = 1/4 to 10, i < 12"
GRID = "e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5, 1/10 and 1/100, q = 1, 1/2, two lists and priority sampling"

GROWTH: tuple[Row, ...] = (
    Row(
        id="PWS/Equation23",
        statement=(
            "For priority sampling with f(i) = i^p: q grows by delta or more from i to i + 1, (22), exactly if the "
            "derivative at i is at least delta, in place of which the paper takes it"
        ),
        status="refuted",
        methods=("pws-growth-printed",),
        scope=POWERS,
        witness=("q_i = tau i^2, delta = 9/4 tau, i = 1: q_(i+1) - q_i >= delta is True, its continuous form False"),
    ),
    Row(
        id="PWS/Equation23/corrected",
        corrects="PWS/Equation23",
        statement=(
            "For f(i) = i^p with p >= 1, (23) at i implies (22) at i, which implies (23) at i + 1. For ppswor with "
            "f(i) = i, whose q is concave, (22) at i implies (23) at i, and (23) at i + 1 implies (22) at i"
        ),
        status="verified",
        methods=("pws-growth-corrected",),
        scope=POWERS + "; ppswor: tau = 1/1000, 1/10, 1/2, 1 and 3, by bounds of e",
    ),
    Row(
        id="PWS/Equation24",
        statement=(
            "For priority sampling with f(i) = i^p, below 1: the derivative of q at i is at least delta exactly if "
            "i^(p-1) >= delta/(p tau)"
        ),
        status="verified",
        methods=("pws-growth-of-powers",),
        scope=POWERS + "; slopes by symmetric difference quotients",
    ),
    Row(
        id="PWS/AppendixA/Formula7",
        statement=(
            "For priority sampling with f(i) = i^p: (22) does not hold where q_i = 1; where q_i = tau i^p < 1, the "
            "ratio of (20) is ((i+1)^p - delta/tau)/i^p"
        ),
        status="refuted",
        methods=("pws-priority-ratio-printed",),
        scope="p = 1, 2 and 3, tau = 2/n, n = 2 to 39, delta = tau and tau/2, i < 12",
        witness="tau = 2/3, p = 1, delta = 1/3, i = 1: the ratio is 1, printed 3/2",
    ),
    Row(
        id="PWS/AppendixA/Formula7/corrected",
        corrects="PWS/AppendixA/Formula7",
        statement=(
            "For priority sampling with f(i) = i^p: (22) does not hold where q_i = 1; the ratio of (20) is "
            "((i+1)^p - delta/tau)/i^p where tau (i+1)^p <= 1, and less where q_(i+1) is cut off at 1, so that a "
            "ratio that does not grow by this form does not grow"
        ),
        status="verified",
        methods=("pws-priority-ratio-corrected",),
        scope="p = 1, 2 and 3, tau = 2/n, n = 2 to 39, delta = tau and tau/2, i < 12",
    ),
    Row(
        id="PWS/AppendixA/Claim4",
        statement=(
            "For p <= 1, (i+1)^p - i^p <= 1, and so q_i = tau i^p does not grow by delta or more, (22), where tau "
            "<= delta"
        ),
        status="refuted",
        methods=("pws-concave-growth-printed",),
        scope="p = 0, 1/10, 1/3, 1/2, 9/10 and 1, i < 30, powers between bounds to 64 bits",
        witness="p = 1, tau = delta, i = 1: q_(i+1) - q_i = delta",
    ),
    Row(
        id="PWS/AppendixA/Claim4/corrected",
        corrects="PWS/AppendixA/Claim4",
        statement=(
            "For p < 1, (i+1)^p - i^p < 1, and (22) does not hold where tau <= delta; for p = 1 it holds for "
            "tau = delta, where the ratio of (20) is 1 for every i and does not grow"
        ),
        status="verified",
        methods=("pws-concave-growth-corrected",),
        scope="p = 0, 1/10, 1/3, 1/2, 9/10 and 1, i < 60, powers between bounds to 64 bits",
    ),
    Row(
        id="PWS/AppendixB/Formula1",
        statement=(
            "For every row i and j < i: the entries D_i1, ..., D_ij of the recursion sum to the least mass on 1..j "
            "that (30) allows for all prefixes 0..h and 1..h"
        ),
        status="verified",
        methods=("pws-first-pass",),
        scope=GRID + ", i <= 7",
        code=("mechanisms.weighted_sampling.pws_rows.least_entries",),
    ),
    Row(
        id="PWS/AppendixB/Claim8",
        statement=(
            "For q = 1, integral L and every i >= 1: from a row i that ends the sequence (34), with zeros before it, "
            "the two passes of Algorithm 4 make such a row i + 1; for L < i <= 2L the least entries are "
            "pi_ij/e^epsilon"
        ),
        status="verified",
        methods=("pws-passes-keep-the-form",),
        scope="e^epsilon = 3/2, 2 and 3, L = 0 to 4, i <= 2L + 4",
        code=(
            "mechanisms.weighted_sampling.pws_rows.least_entries",
            "mechanisms.weighted_sampling.pws_rows.raised_entries",
        ),
    ),
    Row(
        id="PWS/AppendixD.2/Formula1",
        statement=(
            "For three keys of frequencies i_1 < i_2 < i_3: the probability that their values are in order is a sum, "
            "over how many of them are not reported, of products of f(0) and iterated integrals whose lower ends are "
            "T at the outer variable; m keys that are not reported count as in order with probability 1/m!"
        ),
        status="verified",
        methods=("pws-three-keys",),
        scope=GRID + ", Algorithm 5, frequencies up to 4, all triples of cells against the integrals",
    ),
    Row(
        id="PWS/AppendixG.3/Formula6",
        statement=(
            "For priority sampling with f(i) = i: the integral of j^2/min(tau j, 1) against Laplace's density from T "
            "on is, "
            "for i <= T and 1/tau < T or not, and for i > T with 1/tau below T, between T and i, or from i on, the "
            "sum of the integrals named in each case"
        ),
        status="verified",
        methods=("pws-baseline-cases",),
        scope=(
            "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, tau = 1/20, 1/4, 1/2 and 2/15, "
            "exact in sums of exponentials"
        ),
    ),
)
