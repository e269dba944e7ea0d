"""Rows on Appendices C.1.2 and D: smoothing, and the analysis of the error step by step."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["ANALYSIS"]

MOMENTS = "mechanisms.anonymized_histograms.moments.GeometricMoments"
POSTPROCESS = "mechanisms.anonymized_histograms.postprocess"
ALPHAS = "alpha = 1/1000, 1/20, 1/3, 1/2, 2/3, 9/10, 99/100, 999/1000"
WINDOW = "s = 1, 2, 3, t from 1 to 6, every r"
LARGE = "N = n from 1/epsilon to 10^9, epsilon = 1, 1/2, 1/10 and 1/100, interval bounds of roots and logarithms"
SMALL = "counts up to T = 1, 2, 3 with at most 4 items, M = 1, Z^b from -1 to 1, noise from -2 to 2"

ANALYSIS: tuple[Row, ...] = (
    Row(
        id="AH/AppendixC.1.2/Example1",
        statement=(
            "An element at r in [s, s + t] is smoothed to (s + t - r)/t at s and r/t at s + t: one element in all"
        ),
        status="refuted",
        methods=("ah-window-printed",),
        scope="s = 0, 1, 2, t = 1, 2, 3, every r",
        witness="s = 1, t = 1, r = 1: 2 elements in all",
    ),
    Row(
        id="AH/AppendixC.1.2/Example1/corrected",
        corrects="AH/AppendixC.1.2/Example1",
        statement="With (r - s)/t at s + t, as in step H3: one element and r items in all",
        status="proved",
        methods=(
            "privhist-smoothing-proved",
            "ah-window-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + WINDOW,
    ),
    Row(
        id="AH/AppendixC.1.2/Formula1",
        statement=(
            "Noise on each of the t + 1 cumulative prevalences of a window is below (t + 1)/epsilon in expectation"
        ),
        status="verified",
        methods=("ah-window-noise",),
        scope="alpha = 1/10, 1/2, 9/10, 99/100, t = 1, 2, 10, 100",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixC.1.2/Formula2",
        statement="For elements at r and r + 1 the smoothed prevalences differ at s and s + t alone, by 1/t each",
        status="verified",
        methods=("ah-window-corrected",),
        scope=WINDOW,
    ),
    Row(
        id="AH/AppendixC.1.2/Formula3",
        statement="Smoothing one element at r is off by 2 (r - s)(s + t - r)/t <= t/2, met in the middle of an even t",
        status="proved",
        methods=(
            "ah-smoothing-proved",
            "ah-window-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + WINDOW,
    ),
    Row(
        id="AH/AppendixC.1.2/Formula4",
        statement=(
            "1/(t epsilon) + t is at least 2/sqrt(epsilon), at t = 1/sqrt(epsilon); the first term is noise in "
            "prevalences and the second a distance, which the text adds"
        ),
        status="verified",
        methods=("ah-window-noise",),
        scope="epsilon = 1, 1/4, 1/100, 9/400, 1/10^4, seven other t each, and t rounded up",
    ),
    Row(
        id="AH/AppendixD/Formula1",
        statement="For every h: the error is that where N > 0, and n times Pr[N = 0] = Pr[Z <= -n]",
        status="verified",
        methods=("ah-decomposition",),
        scope="all histograms of at most 6 items, alpha = 1/3 to 9/10",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixD/Formula2",
        statement="For all n and epsilon_1: n Pr[N = 0] is at most a constant, here 10, times e^(-epsilon_1/2)",
        status="refuted",
        methods=("ah-empty-total-printed",),
        scope=(
            "e^-epsilon_1 = 9/10 to 999/1000; n Pr[N = 0] is near 1/(2 e epsilon_1) at n = 1/epsilon_1, without bound"
        ),
        witness="e^-epsilon_1 = 99/100, n = 100: n Pr[N = 0] is above 10",
    ),
    Row(
        id="AH/AppendixD/Formula2/corrected",
        corrects="AH/AppendixD/Formula2",
        statement=(
            "For all n >= 1 and epsilon_1: n Pr[N = 0] = n alpha^n/(1 + alpha) <= max(1, 1/epsilon_1) "
            "e^(-epsilon_1/2); for epsilon > 1 that is the printed form with a constant of 3, and else at most "
            "1/epsilon_1"
        ),
        status="verified",
        methods=("ah-empty-total-corrected",),
        scope=f"n = 1 to 29, 100, 1000 and 10^4, {ALPHAS}",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixD/Formula3",
        statement=(
            "For every n: E|N - n| = (2 alpha - alpha^(n + 1))/(1 - alpha^2) <= E|Z| < 1/epsilon_1, and at most 3 "
            "e^-epsilon_1 for epsilon_1 > 1"
        ),
        status="verified",
        methods=("ah-total-moments", "ah-noise-compared"),
        scope=f"n <= 11, {ALPHAS}; the closed form against sums over tails",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/Equation8",
        statement="For all h and H^d: l1(h, H^e) <= 4 l1(H^a, H^d), with positive counts removed from H^d alone",
        status="refuted",
        methods=("ah-removed-printed",),
        scope="all h and H^d with at most 12 items in all, T and M = 1, 2",
        witness="h = (5,), H^d = (5, 2), T = 1, M = 1: 5 above 4",
    ),
    Row(
        id="AH/Equation8/corrected",
        corrects="AH/Equation8",
        statement="The same where zeros are counts, as many as needed, and ties are broken at will",
        status="proved",
        methods=(
            "ah-fakes-proved",
            "ah-removed-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all h and H^d with at most 10 items in all, T and M = 1, 2",
        code=("mechanisms.anonymized_histograms.sorted_distance.closest_removed",),
    ),
    Row(
        id="AH/Equation9",
        statement=(
            "With M as in step 2: E l1(H^b, H^a) <= E[|Z^b| + (n + 2 M (T + 1)) 1{|Z^b| > M}], and l1 = |Z^b| while "
            "|Z^b| <= M. Beyond M it is not so for each Z^b: only on the mean"
        ),
        status="verified",
        methods=("ah-split-error",),
        scope="all histograms of at most 4 items, T = 1, 2, 3, N = 1, 2, 5, alpha = 1/3, 1/2, 2/3; exact means",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/Equation10",
        statement="l1(H^b, H^d) is at most the sum over the small and the large parts: an instance of Lemma 3",
        status="proved",
        methods=(
            "ah-parts-proved",
            "ah-parts",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all parts of at most 4 items",
    ),
    Row(
        id="AH/Equation11",
        statement=(
            "The large part has max(0, L + M + Z^b) counts, L <= n/(T + 1), and is off by at most the sum of "
            "|Z_i^c|; so the mean is at most (n/T + M + E|Z|) E|Z|"
        ),
        status="verified",
        methods=("ah-large-counts",),
        scope="sizes: at most 6 items, T = 1, 2, 3, M <= 2, |Z^b| <= 4; error: up to 3 counts, noise up to 3",
    ),
    Row(
        id="AH/Equation12",
        statement="For every noise: l1(H^bs, H^ds) <= 2 sqrt(T sum over r of (Z_r^cs - Z^b)^2)",
        status="refuted",
        methods=("ah-small-counts-printed",),
        scope=SMALL,
        witness="h = (), T = 1, M = 1, Z^b = 1, Z^cs = (1,): l1 = 1, bound 0",
    ),
    Row(
        id="AH/Equation12/corrected",
        corrects="AH/Equation12",
        statement=(
            "For every noise: l1(H^bs, H^ds) <= 2 sqrt(T sum over r of (Z_r^cs)^2), by the steps (a), (b) and (c)"
        ),
        status="verified",
        methods=("ah-small-counts-corrected",),
        scope=SMALL,
        code=(f"{POSTPROCESS}.isotonic",),
    ),
    Row(
        id="AH/Equation13",
        statement="E l1(H^bs, H^ds) <= 2 T sqrt(E Z^2), with the root that the text at hand has lost",
        status="verified",
        methods=("ah-small-counts-corrected", "ah-small-counts-mean"),
        scope=f"{SMALL}; for T = 1 the exact mean, phi_1 <= 4, four alpha from 1/100 to 9/10",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixD.1/Formula1",
        statement=(
            "For N = n, M and T as in step 2 and epsilon > 1, (8) to (13) add up to at most 170 sqrt(n) "
            "e^(-epsilon_2/2); the constant is this project's"
        ),
        status="verified",
        methods=("ah-low-privacy",),
        scope="n = 1 to 10^8, nine values, e^-epsilon_2 = 7/10, 1/2, 1/5, 1/100, 1/10^4; upper bounds of roots",
    ),
    Row(
        id="AH/Equation14",
        statement="l1(h, H^y) <= l1(h, H^u) + l1(H^u, H^y): the triangle inequality",
        status="proved",
        methods=(
            "ah-parts-proved",
            "ah-triangle",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all histograms of at most 6 items",
    ),
    Row(
        id="AH/Equation15",
        statement="For every h: E l1(h, H^u) <= n Pr[N < n/2] <= n alpha^(floor(n/2) + 1) <= 2/epsilon_1",
        status="verified",
        methods=("ah-high-counts",),
        scope=f"all histograms of at most 8 items, exact means; n = 30 to 10^4 for the bound; {ALPHAS}",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/Equation16",
        statement=(
            "l1(H^u, H^y) is at most twice the smoothing error and the sum of |phi^x_r+ - phi^v_r+|, by Lemma 5 and "
            "the triangle inequality"
        ),
        status="verified",
        methods=("ah-projection-error",),
        scope="at most 4 items, four sets of boundaries up to 4, noise from -2 to 2 over each gap, both ways at a half",
        code=(f"{POSTPROCESS}.isotonic",),
    ),
    Row(
        id="AH/AppendixD.2/Formula1",
        statement=(
            "For each gap and s_i <= j < s_(i+1): |phi^v_j+ - phi^u_j+| is |sum of phi^u_r (r - s_i)/(s_(i+1) - s_i) "
            "- sum of phi^u_r|, over r from s_i and from j to s_(i+1)"
        ),
        status="refuted",
        methods=("ah-gap-printed",),
        scope="all boundaries up to 4, all histograms of at most 5 items below the last",
        witness="S = (1, 2), h = (1,), j = 1: 0 and 1",
    ),
    Row(
        id="AH/AppendixD.2/Formula1/corrected",
        corrects="AH/AppendixD.2/Formula1",
        statement="The same for s_i < j <= s_(i+1)",
        status="verified",
        methods=("ah-gap-corrected",),
        scope="all boundaries up to 4, all histograms of at most 5 items below the last",
    ),
    Row(
        id="AH/Equation17",
        statement=(
            "A count r between boundaries s < s' is smoothed at a cost of 2 (r - s)(s' - r)/(s' - s): at most twice "
            "its distance to a boundary, and at most q r for boundaries floor(T (1 + q)^i); costs add up at most"
        ),
        status="proved",
        methods=(
            "ah-smoothing-proved",
            "ah-smoothing-error",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all boundaries up to 5, at most 5 items; T = 1, 2, 3, 7, 20, q "
            "= 1, 1/2, 1/5, 1/20, counts below 400"
        ),
    ),
    Row(
        id="AH/AppendixD.2/Formula2",
        statement=(
            "The sum over r of |phi^v_r+ - phi^x_r+| is one over S with gaps for weights; its square is at most |S| "
            "times the weighted squared error, which the projection does not raise above the sum of (gap Z_i)^2"
        ),
        status="verified",
        methods=("ah-projection-error",),
        scope="at most 4 items, four sets of boundaries up to 4, noise from -2 to 2 over each gap",
        code=(f"{POSTPROCESS}.isotonic",),
    ),
    Row(
        id="AH/AppendixD.2/Formula3",
        statement=(
            "|S| is at most T + floor(log_(1+q)(T'/T)) + 1, the noisy counts from T' on, and 1; 10 n/T' counts are "
            "at least T'/10. For N = n the mean is at most 5 (sqrt(n epsilon ln(2/epsilon)) + ln(2/epsilon) + 1)"
        ),
        status="verified",
        methods=("ah-boundary-count", "ah-pushed-counts"),
        scope=f"at most 12 items, T' = 5 to 30; T = 1, 2, 5, q = 1, 1/3, 1/10; {LARGE}",
    ),
    Row(
        id="AH/Equation18",
        statement=(
            "For N = n >= 1/epsilon: fewer than 1 count below T'/10 is raised to T' in expectation; the exponent "
            "that the text prints with T is 9 T' epsilon_2/10 >= 3 sqrt(N/epsilon)"
        ),
        status="verified",
        methods=("ah-pushed-counts",),
        scope=LARGE,
    ),
    Row(
        id="AH/AppendixD.2/Formula4",
        statement=(
            "For N = n >= 1/epsilon and epsilon <= 1: (15) to (18) add up to at most 100 sqrt(n "
            "ln(2/epsilon)/epsilon); the constant is this project's"
        ),
        status="verified",
        methods=("ah-high-privacy",),
        scope=LARGE,
    ),
)
