"""Rows on Sections 2 and 3: what every private mechanism has, statistical distance, sampling, mixing."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["PRELIMINARIES"]

ROUNDED = "geosample rounded to 2, 4, 8 or 14 bits, n = 1, 3, 6, k = 1, 2, gamma = 1/2 and 1/10"

PRELIMINARIES: tuple[Row, ...] = (
    Row(
        id="BV/Lemma2.2",
        statement=(
            "For all laws p and q and every map of outcomes, random or not, the least delta of the images is at most "
            "that of p and q, at every epsilon"
        ),
        status="proved",
        methods=(
            "post-processing-proved",
            "post-processing",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all laws on 3 outcomes in thirds, 8 maps and 27 random "
            "maps to 2 outcomes, e^epsilon = 1, 3/2, 3"
        ),
        code=("mechanisms.exact.dist.Dist",),
    ),
    Row(
        id="BV/Lemma2.3",
        statement=(
            "For every (epsilon, delta)-DP mechanism, inputs m rows apart are (m epsilon, e^(m epsilon) delta / "
            "epsilon)-close, and already (m epsilon, delta (e^(m epsilon) - 1)/(e^epsilon - 1))-close"
        ),
        status="proved",
        methods=(
            "group-privacy-proved",
            "group-privacy",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all chains of 3 laws in thirds on 3 outcomes, and of 4 "
            "laws in quarters on 2; e^epsilon = 3/2 and 3"
        ),
    ),
    Row(
        id="BV/Lemma2.4",
        statement="For all pairs of independent releases, (epsilon, delta)s add up in both places",
        status="proved",
        methods=(
            "composition-proved",
            "composition",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all pairs of pairs of laws in quarters on 2 outcomes, 4"
            " pairs of epsilons; nothing adaptive"
        ),
        code=("mechanisms.exact.dist.Dist",),
    ),
    Row(
        id="BV/Section2.2.2/Claim1",
        statement=(
            "(a, beta)-per-query accuracy gives (a, |X| beta)-simultaneous accuracy, for every a; with independent "
            "counts it gives (a, 1 - (1 - beta)^|X|)"
        ),
        status="verified",
        methods=("histogram-accuracy",),
        scope="basic histograms, (n, |X|) = (1, 2), (2, 3), (3, 2), every list, every a, six samplers",
        code=("mechanisms.finite_computers.accuracy.simultaneous",),
    ),
    Row(
        id="BV/Section2.2.2/Formula1",
        statement=(
            "The least errors are of the orders ln(1/beta)/epsilon and ln(|X|/beta)/epsilon: as beta falls, geometric "
            "noise errs 3 to 5 times as much as the packings of Theorem 7.1 leave open"
        ),
        status="measured",
        methods=("near-optimal",),
        scope="e^(epsilon/2) = 33/32, 9/8, 3/2, beta = 1e-6 and 1e-12, one label and 2^64, n = 10^6, exact errors",
        code=(
            "mechanisms.finite_computers.lower_bounds.per_query_least",
            "mechanisms.finite_computers.lower_bounds.simultaneous_least",
        ),
    ),
    Row(
        id="BV/Definition2.9",
        statement="For all laws, the greatest difference over events is half the sum of the differences",
        status="verified",
        methods=("statistical-distance",),
        scope="all pairs of laws on 3 outcomes in fifths, all 8 events",
        code=("mechanisms.exact.dist.Dist",),
    ),
    Row(
        id="BV/Lemma2.10",
        statement=(
            "Statistical distance is 0 exactly for equal laws, is not raised by a map, and by a second step rises by "
            "at most that step's greatest distance"
        ),
        status="proved",
        methods=(
            "distance-proved",
            "distance-properties",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all pairs of laws on 3 outcomes in quarters; two steps "
            "of laws in thirds and halves on 2 outcomes"
        ),
        code=("mechanisms.exact.dist.Dist",),
    ),
    Row(
        id="BV/Lemma2.12",
        statement="For every integer-valued Z and u uniform on (0, 1], min{z in supp(Z) : F(z) >= u} has the law of Z",
        status="verified",
        methods=("inverse-transform",),
        scope="all laws on 4 outcomes in sixths; F is constant between the sixths, so that a grid of them decides",
    ),
    Row(
        id="BV/Lemma2.13",
        statement="For every Z whose F has denominator d, u/d with u uniform on 1..d does the same",
        status="verified",
        methods=("inverse-transform",),
        scope="all laws on 4 outcomes in sixths, d = 6, 12, 18",
        code=("mechanisms.finite_computers.geosample.geosample",),
    ),
    Row(
        id="BV/Section3/Claim1",
        statement=(
            "A program within delta of an (epsilon, 0)-DP one is (epsilon, (1 + e^epsilon) delta)-DP, and need not be "
            "(epsilon', 0)-DP for any epsilon'"
        ),
        status="verified",
        methods=("closeness",),
        scope=ROUNDED.partition(", gamma")[0],
        code=("mechanisms.finite_computers.mixing.rounded_geosample",),
    ),
    Row(
        id="BV/Algorithm3.1",
        statement=(
            "For every input, the outcome has the law (1 - gamma) M'(D) + gamma D'. What ships draws both always: "
            "step by step, the algorithm draws from D' only now and then, and the draws tell (mixing-early-exit)"
        ),
        status="verified",
        methods=("mixing",),
        scope=ROUNDED + "; the program for n = 1",
        code=("mechanisms.finite_computers.mixing.mixed",),
    ),
    Row(
        id="BV/Lemma3.2",
        statement="Where (3.1) holds for every input, the mixture is (epsilon, 0)-DP",
        status="proved",
        methods=("mixing-proved", "mixing", "mixing-tight"),
        scope="all parameters, by z3 and cvc5; exactly: " + ROUNDED + "; the running time is not measured here",
        code=("mechanisms.finite_computers.mixing.greatest_distance",),
    ),
    Row(
        id="BV/Equation3.1",
        statement=(
            "The greatest distance is (e^epsilon - 1)/(e^epsilon + 1) gamma/(1 - gamma) min_r D'(r): on two outcomes "
            "it is met with equality, and any greater one is too much"
        ),
        status="verified",
        methods=("mixing-tight",),
        scope="randomized response moved by the bound, and by 10^-40 more; e^epsilon = 3/2, 7, gamma = 1/50, 1/5",
        code=("mechanisms.finite_computers.mixing.greatest_distance",),
    ),
    Row(
        id="BV/Section3/Claim2",
        statement="The mixture is within gamma + delta of the private mechanism that M' is within delta of",
        status="verified",
        methods=("mixing",),
        scope=ROUNDED,
        code=("mechanisms.finite_computers.mixing.mixed_law",),
    ),
    Row(
        id="BV/Section3/Claim3",
        statement="Of all laws on a finite range, the uniform one has the greatest least probability",
        status="verified",
        methods=("uniform-best",),
        scope="all laws in 12ths on 2 outcomes, in 9ths on 3, in 8ths on 4",
        code=("mechanisms.finite_computers.mixing.greatest_distance",),
    ),
)
