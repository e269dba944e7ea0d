"""Rows on Appendix G: expressions of the baseline."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["BASELINE"]

PRIORITY = (
    "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, tau = 1/20, 1/4 and 1/2, "
    "exact in sums of exponentials"
)

BASELINE: tuple[Row, ...] = (
    Row(
        id="PWS/AppendixG/Formula2",
        statement=(
            "For every epsilon, T, i and rate q: the baseline's reporting probability is the integral of its "
            "density from T on; with q = 1, ppswor and priority this gives the printed special cases"
        ),
        status="verified",
        methods=(
            "pws-baseline-unsampled",
            "pws-baseline-ppswor",
            "pws-baseline-priority",
        ),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/AppendixG/Formula3",
        statement=(
            "For q = 1 and g(i) = i: the mean is the integral of j, and the squared error g(i)^2 (1 - phi_i) "
            "and the integral of (j - i)^2, which give (47) and (50)"
        ),
        status="verified",
        methods=(
            "pws-baseline-mean",
            "pws-baseline-squared-error",
        ),
        scope=("epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of exponentials"),
    ),
    Row(
        id="PWS/Equation45",
        statement=(
            "For every epsilon, T, i and rate q: the baseline reports with probability "
            "(epsilon/2)(e^(epsilon i) times the integral of q_j e^(-epsilon j) from max(i, T), and for i > "
            "T e^(-epsilon i) times that of q_j e^(epsilon j) from T to i); with q = 1, ppswor and priority "
            "this gives the printed special cases"
        ),
        status="verified",
        methods=(
            "pws-baseline-unsampled",
            "pws-baseline-ppswor",
            "pws-baseline-priority",
        ),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/Equation46",
        statement=(
            "For g(i) = i: the mean of the baseline's estimate g(j)/q_j, in which q cancels, is "
            "(epsilon/2)(e^(epsilon i) times the integral of j e^(-epsilon j) from max(i, T), and for i > T "
            "e^(-epsilon i) times that of j e^(epsilon j) from T to i), which gives (47)"
        ),
        status="verified",
        methods=("pws-baseline-mean",),
        scope=("epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of exponentials"),
    ),
    Row(
        id="PWS/Equation47",
        statement=(
            "For g(i) = i and every epsilon, T and i: the mean of the baseline's estimate is i - e^(-epsilon "
            "(i-T)) (T - 1/epsilon)/2 for i > T and e^(-epsilon (T-i)) (T + 1/epsilon)/2 for i <= T"
        ),
        status="verified",
        methods=("pws-baseline-mean",),
        scope=("epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of exponentials"),
    ),
    Row(
        id="PWS/Equation48",
        statement=(
            "For every epsilon, T, q, g and i: the squared error is g(i)^2 - 2 g(i) E_i and, for i > T, "
            "(epsilon/2) e^(epsilon i) times the integral of g^2/q e^(-epsilon j) from i, and (epsilon/2) "
            "e^(-epsilon i) times that of g^2/q e^(epsilon j) from T to infinity"
        ),
        status="refuted",
        methods=("pws-baseline-general-printed",),
        scope=(
            "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of "
            "exponentials; q = 1, g(i) = i"
        ),
        witness=(
            "epsilon = 1/10, T = 3, i = 4, q = 1, g(i) = i: with the last integral from T to 8 it is too great already"
        ),
    ),
    Row(
        id="PWS/Equation48/corrected",
        corrects="PWS/Equation48",
        statement="The same with the last integral from T to i",
        status="verified",
        methods=("pws-baseline-general-corrected", "pws-baseline-priority-error"),
        scope=(
            "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of "
            "exponentials; g(i) = i, q = 1 and "
            "priority sampling with tau = 1/40, 1/20, 1/5 and 1/2"
        ),
    ),
    Row(
        id="PWS/Equation49",
        statement=(
            "For every epsilon and delta, T = 1 + ln(1/delta)/epsilon: the baseline reports a key of "
            "frequency i with probability 1 - e^(-epsilon (i-1))/(2 delta) for i >= T and delta e^(epsilon "
            "(i-1))/2 below"
        ),
        status="verified",
        methods=("pws-baseline-unsampled",),
        scope=("epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of exponentials"),
    ),
    Row(
        id="PWS/Equation50",
        statement=(
            "For g(i) = i and q = 1, every epsilon, T and i: the baseline's squared error is as printed, in both cases"
        ),
        status="verified",
        methods=("pws-baseline-squared-error",),
        scope=("epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of exponentials"),
    ),
    Row(
        id="PWS/Equation51",
        statement=(
            "For ppswor sampling with f(i) = i, every epsilon, tau, T and i: the baseline's reporting "
            "probability is as printed, for epsilon = tau and else, i >= T and below"
        ),
        status="verified",
        methods=("pws-baseline-ppswor",),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/AppendixG.3/Formula1",
        statement=(
            "For priority sampling with T >= 1/tau: the baseline's reporting probability is that without sampling"
        ),
        status="verified",
        methods=("pws-baseline-unsampled",),
        scope=(
            "epsilon = 1/10, 1/2 and 1, T = 3 and 15/2, i = 1, 2, 4, 6, 9 and 30, exact in sums of "
            "exponentials; tau = 1/T"
        ),
    ),
    Row(
        id="PWS/AppendixG.3/Formula2",
        statement=(
            "For priority sampling with T < 1/tau and i < T: the baseline's reporting probability is as printed"
        ),
        status="verified",
        methods=("pws-baseline-priority",),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/AppendixG.3/Formula3",
        statement=("For priority sampling with T < i < 1/tau: the baseline's reporting probability is as printed"),
        status="verified",
        methods=("pws-baseline-priority",),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/AppendixG.3/Formula4",
        statement=("For priority sampling with T < 1/tau < i: the baseline's reporting probability is as printed"),
        status="verified",
        methods=("pws-baseline-priority",),
        scope=PRIORITY,
    ),
    Row(
        id="PWS/AppendixG.3/Formula5",
        statement=(
            "For every epsilon > 0: the four antiderivatives of x and x^2 times e^(epsilon x) and "
            "e^(-epsilon x) are as printed"
        ),
        status="verified",
        methods=("pws-baseline-antiderivatives",),
        scope="epsilon = 1/10, 1/2 and 1, between 2 and 7, exact in sums of exponentials",
    ),
)
