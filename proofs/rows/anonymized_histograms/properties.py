"""Rows on Sections 1 to 4 and Appendices A and B: histograms, their distance, and the noise."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["PROPERTIES"]

FOLDER = "mechanisms.anonymized_histograms"
DISTANCE = f"{FOLDER}.sorted_distance.sorted_l1"
MOMENTS = f"{FOLDER}.moments.GeometricMoments"
ALPHAS = "alpha = 1/1000, 1/20, 1/3, 1/2, 2/3, 9/10, 99/100, 999/1000"

PROPERTIES: tuple[Row, ...] = (
    Row(
        id="AH/Section1/Example1",
        statement=(
            "Counts 8, 0, 8 and 3 of four labels: the histogram is {3, 8, 8}, with phi_3 = 1, phi_8 = 2, no other"
        ),
        status="verified",
        methods=("ah-four-labels",),
        scope="the example",
        code=(f"{FOLDER}.partitions.anonymized", f"{FOLDER}.partitions.prevalences"),
    ),
    Row(
        id="AH/Lemma1",
        statement=(
            "For all histograms: the least L1 distance of two datasets over all labelings is the sum over i of "
            "|n_(i) - n'_(i)|, counts matched in order"
        ),
        status="proved",
        methods=("ah-distance-proved", "ah-sorted-distance", "ah-labelings-in-order"),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 14 items in all, every "
            "matching of labels"
        ),
        code=(DISTANCE, f"{FOLDER}.sorted_distance.least_over_labelings"),
    ),
    Row(
        id="AH/Section2.2/Claim1",
        statement=(
            "For all histograms: the distance is the earth mover's; the matching is a plan, and a function with "
            "steps of at most 1 and f(0) = 0 differs by as much between the two histograms"
        ),
        status="verified",
        methods=("ah-earth-mover", "ah-sorted-distance"),
        scope="all pairs of histograms with at most 14 items in all",
        code=(f"{FOLDER}.sorted_distance.transport_potential",),
    ),
    Row(
        id="AH/Section3.1/Formula1",
        statement="For every histogram: n is the sum of its counts, of r phi_r over r, and of phi_r+ over r",
        status="verified",
        methods=("ah-items-counted",),
        scope="all histograms of at most 12 items",
        code=(f"{FOLDER}.partitions.prevalences", f"{FOLDER}.partitions.cumulative"),
    ),
    Row(
        id="AH/Section3.1/Formula3",
        statement=(
            "The number of histograms of n items is e^Theta(sqrt(n)): from 2^(m - 1), for the greatest m with m (m + "
            "1)/2 <= n, to below e^(pi sqrt(2n/3))"
        ),
        status="verified",
        methods=("ah-number-of-histograms",),
        scope="n from 1 to 1000, by Euler's recurrence, which is the number counted up to n = 20",
        code=(f"{FOLDER}.partitions.partition_numbers",),
    ),
    Row(
        id="AH/Section3.1/Formula4",
        statement=(
            "For every histogram: t different counts have t (t + 1)/2 <= n, hence t <= sqrt(2n); the former is met"
        ),
        status="verified",
        methods=("ah-distinct-counts",),
        scope="all histograms of at most 20 items; met by 1, 2, ..., t for t <= 5",
    ),
    Row(
        id="AH/Section3.1/Formula5",
        statement="For groups of k: (epsilon, delta)-DP gives (k epsilon, e^(k epsilon) delta)-DP, for every epsilon",
        status="refuted",
        methods=("ah-group-printed",),
        scope="e^epsilon = 3/2, 2 and 3, delta = 1/10 and 1/1000, k from 1 to 5",
        witness="e^epsilon = 3/2, delta = 1/10, k = 2: an event of 0 has 1/4 after k steps",
    ),
    Row(
        id="AH/Section3.1/Formula5/corrected",
        corrects="AH/Section3.1/Formula5",
        statement=(
            "For groups of k: it gives (k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1)), no less in general; "
            "that is at most the printed delta for epsilon >= ln 2"
        ),
        status="verified",
        methods=(
            "group-privacy-proved",
            "ah-group-corrected",
        ),
        scope="e^epsilon = 3/2, 2 and 3, delta = 1/10 and 1/1000, k from 1 to 5",
    ),
    Row(
        id="AH/Section4.1/Formula1",
        statement=(
            "With geometric noise on all n counts: E l1 <= n E|Z| <= n/epsilon; on all n prevalences, whose "
            "sensitivity is 2, the bound by (3) is n (n + 1)/2 E|Z| <= n (n + 1)/epsilon"
        ),
        status="verified",
        methods=("ah-all-noisy",),
        scope=f"n <= 3 with noise up to 2 for the distance, n = 1, 10 and 1000 for the means; e^(-epsilon/2): {ALPHAS}",
    ),
    Row(
        id="AH/Section4.1/Formula2",
        statement=(
            "l1^2 <= d l2^2 for d counts, so that a squared error of sqrt(n)/epsilon^2 gives l1 <= n^(3/4)/epsilon "
            "with d <= n"
        ),
        status="verified",
        methods=("ah-cauchy-schwarz",),
        scope="all pairs of histograms of at most 7 items; n = 1, 16 and 10^4 for the exponents",
    ),
    Row(
        id="AH/Section4.2/Formula1",
        statement=(
            "For every epsilon > 0: the noise of the geometric mechanism has E|Z| = 2 e^-epsilon/(1 - e^(-2 "
            "epsilon)), below the 1/epsilon of Laplace noise"
        ),
        status="verified",
        methods=("ah-geometric-moments", "ah-noise-compared"),
        scope=f"{ALPHAS}, alpha = e^-epsilon; the derivative that gives it for all alpha is an identity",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/Section4.2/Claim1",
        statement=(
            "For every histogram of n items: T = floor(sqrt(n)) prevalences and the counts above T are together at "
            "most 2 sqrt(n) numbers"
        ),
        status="verified",
        methods=("ah-dimension",),
        scope="all histograms of at most 20 items; T + floor(n/(T + 1)) for n <= 3000",
    ),
    Row(
        id="AH/Equation3",
        statement=(
            "For all histograms: the distance is at most the sum of |phi_r+ - phi'_r+|, which is at most that of r "
            "|phi_r - phi'_r|; the first two are in fact equal"
        ),
        status="proved",
        methods=(
            "ah-distance-proved",
            "ah-prevalence-bounds",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 16 items in all",
        code=(f"{FOLDER}.sorted_distance.cumulative_l1", f"{FOLDER}.sorted_distance.prevalence_l1"),
    ),
    Row(
        id="AH/Section4.2/Example1",
        statement="For T + 1 < n - T: {T, n - T} and {T + 1, n - T - 1} are neighbours",
        status="refuted",
        methods=("ah-naive-split-printed",),
        scope="T = 1, 2, 3, n from 4 to 11",
        witness="T = 1, n = 4: {1, 3} and {2, 2} are at distance 2",
    ),
    Row(
        id="AH/Section4.2/Example1/corrected",
        corrects="AH/Section4.2/Example1",
        statement=(
            "For T < n - T: {T, n - T} and {T + 1, n - T} are neighbours, and their parts above T are at distance T "
            "+ 1; those of the printed pair are at T + 2"
        ),
        status="verified",
        methods=("ah-naive-split-corrected",),
        scope="T from 1 to 5, n from 3 to 15",
    ),
    Row(
        id="AH/Section4.2/Claim2",
        statement=(
            "For all h, T and M: while |Z^b| <= M no prevalence is negative and the two parts together are H^b; with "
            "M as in step 2 that fails with probability at most 2 alpha^3/((1 + alpha) N^2), alpha = e^-epsilon_2"
        ),
        status="verified",
        methods=("ah-fakes-proper",),
        scope=(
            "all histograms of at most 6 items, T from 1 to 3, M <= 3; N = 1, 2, 3, 10, 100 and 10^6, six alpha from "
            "1/1000 to 9/10"
        ),
    ),
    Row(
        id="AH/Section4.3/Claim1",
        statement=(
            "For every h: step H1 moves a count only where N < n/2, and E l1(h, H^u) <= n Pr[N < n/2] <= 2/epsilon_1"
        ),
        status="verified",
        methods=("ah-high-counts",),
        scope=f"all histograms of at most 8 items, exact expectations; n = 30 to 10^4 for the bound; {ALPHAS}",
    ),
    Row(
        id="AH/Section4.3/Claim2",
        statement=(
            "Logarithmic boundaries from T to 2N are ln(2N/T)/ln(T'/T) times as many as from T to T', and that grows "
            "like ln N, since T'/T depends on epsilon alone"
        ),
        status="verified",
        methods=("ah-logarithmic",),
        scope="epsilon = 1, 1/4 and 1/100, N = 100^1 to 100^8, T and T' before they are rounded",
    ),
    Row(
        id="AH/Definition2",
        statement=(
            "Laplace noise of scale b has density e^(-|x|/b)/(2b), which has integral 1; at b = Delta/epsilon "
            "densities of results at most Delta apart differ by at most e^epsilon"
        ),
        status="verified",
        methods=("ah-laplace",),
        scope="b = 1/3, 1 and 7/2, in exact integrals; Delta = 1 and 3, epsilon = 1/2 and 2, points in thirds",
    ),
    Row(
        id="AH/Definition3",
        statement=(
            "Noise G(e^(epsilon/Delta)), with mass (1 - alpha)/(1 + alpha) alpha^|z| at alpha = e^(epsilon/Delta)"
        ),
        status="refuted",
        methods=("ah-geometric-printed",),
        scope="epsilon = Delta ln 2; the sign may have been lost in the text at hand",
        witness="e^(epsilon/Delta) = 2: the mass of 0 is -1/3",
    ),
    Row(
        id="AH/Definition3/corrected",
        corrects="AH/Definition3",
        statement=(
            "Noise G(e^(-epsilon/Delta)): masses sum to 1, and those of integer results at most Delta apart differ "
            "by at most e^epsilon"
        ),
        status="verified",
        methods=("ah-geometric-corrected",),
        scope=f"{ALPHAS}, Delta = 1, 2 and 4, |z| <= 8",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixA/Formula1",
        statement="For every epsilon: geometric and Laplace noise have mean 0 and are symmetric",
        status="verified",
        methods=("ah-geometric-moments", "ah-laplace"),
        scope=f"{ALPHAS}; b = 1/3, 1 and 7/2",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/AppendixA/Formula2",
        statement=(
            "For every epsilon: E Z^2 = 2 e^-epsilon/(1 - e^-epsilon)^2 for geometric noise, below the 2/epsilon^2 "
            "of Laplace noise"
        ),
        status="verified",
        methods=("ah-geometric-moments", "ah-laplace", "ah-noise-compared"),
        scope=f"{ALPHAS}; b = 1/3, 1 and 7/2",
        code=(MOMENTS,),
    ),
    Row(
        id="AH/Lemma2",
        statement=(
            "For every n and integer Z with mean 0, Y = max(n + Z, 0): E sqrt(Y) <= sqrt(n + E|Z|/2), and for n >= 1 "
            "E[1{Y > 0}/sqrt(Y)] <= sqrt(1/n + E Z^2/(2 n^2)); constants derived, the display is lost"
        ),
        status="verified",
        methods=("ah-cut-total", "ah-inverse-corrected"),
        scope=(
            "n <= 16 and all Z on -20 to 20, by the two-point laws, whose mixtures they are; for E Z^2/n^2 in place "
            "of half of it the expansion of 1/Y is the proof for all"
        ),
    ),
    Row(
        id="AH/Equation4",
        statement="For integers n, Y >= 1: 1/Y <= 1/n + (n - Y)/n^2 + (n - Y)^2/(2 n^2), as the text at hand has it",
        status="refuted",
        methods=("ah-inverse-printed",),
        scope="n <= 20, Y <= 40",
        witness="n = 2, Y = 1: 1/Y = 1, and 7/8",
    ),
    Row(
        id="AH/Equation4/corrected",
        corrects="AH/Equation4",
        statement=(
            "For integers n, Y >= 1: 1/Y = 1/n + (n - Y)/n^2 + (n - Y)^2/(n^2 Y) <= 1/n + (n - Y)/n^2 + (n - Y)^2/n^2"
        ),
        status="proved",
        methods=(
            "ah-inverse-proved",
            "ah-inverse-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: n <= 20, Y <= 40",
    ),
    Row(
        id="AH/AppendixB/Claim1",
        statement=(
            "For all histograms: to exchange two counts of one dataset that are out of the other's order never "
            "brings the datasets apart, so that matching in order is optimal"
        ),
        status="proved",
        methods=(
            "ah-distance-proved",
            "ah-labelings-in-order",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all labelings of all pairs of histograms with at most 9 items "
            "in all"
        ),
    ),
    Row(
        id="AH/AppendixB/Formula1",
        statement="For all h1, h2, h3: l1(h1, h3) <= l1(h1, h2) + l1(h2, h3)",
        status="proved",
        methods=(
            "ah-parts-proved",
            "ah-triangle",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all histograms of at most 6 items",
        code=(DISTANCE,),
    ),
    Row(
        id="AH/Lemma3",
        statement="For all h1, h2, h1', h2': l1(h1 + h2, h1' + h2') <= l1(h1, h1') + l1(h2, h2')",
        status="proved",
        methods=(
            "ah-parts-proved",
            "ah-parts",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all histograms of at most 4 items",
        code=(f"{FOLDER}.partitions.joined",),
    ),
    Row(
        id="AH/Lemma4",
        statement=(
            "For all h1, h2: l1(h1, h2) is at most the sum over r of |phi_r+(h1) - phi_r+(h2)|, which is at most "
            "that of r |phi_r(h1) - phi_r(h2)|; the former holds with equality"
        ),
        status="proved",
        methods=(
            "ah-distance-proved",
            "ah-prevalence-bounds",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 16 items in all",
        code=(f"{FOLDER}.sorted_distance.cumulative_l1", f"{FOLDER}.sorted_distance.prevalence_l1"),
    ),
    Row(
        id="AH/Equation5",
        statement="The two bounds of Lemma 4, with r up to the greatest count of the two",
        status="proved",
        methods=(
            "ah-distance-proved",
            "ah-prevalence-bounds",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 16 items in all",
        code=(f"{FOLDER}.sorted_distance.cumulative_l1",),
    ),
    Row(
        id="AH/Equation6",
        statement=(
            "With all counts of the greatest value r lowered to r - 1, the distance and the sum of |phi_r+ - "
            "phi'_r+| both lose |phi_r - phi'_r|"
        ),
        status="proved",
        methods=(
            "ah-distance-proved",
            "ah-induction",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 14 items in all and a "
            "count of at least 2"
        ),
    ),
    Row(
        id="AH/Lemma5",
        statement=(
            "For all integers x_i and reals y_i, y^_i the nearest integer, either one at a half: the sum of |x_i - "
            "y^_i| is at most twice that of |x_i - y_i|"
        ),
        status="proved",
        methods=(
            "ah-rounding-proved",
            "ah-rounding",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: |x| <= 4 and every half up to 10 in size, which decide for all "
            "reals between; pairs in sixths"
        ),
    ),
    Row(
        id="AH/Lemma6",
        statement=(
            "For all h1, h2, k and t: l1(h1, h2') <= 2 l1(h1', h2), h1' being h1 with k counts t more and h2' being "
            "h2 without the k positive counts closest to t"
        ),
        status="refuted",
        methods=("ah-fakes-printed",),
        scope="all h1, h2 with at most 6 items in all, k and t from 1 to 3",
        witness="h1 = {3}, h2 = {3}, k = 1, t = 1: 3 above 2",
    ),
    Row(
        id="AH/Lemma6/corrected",
        corrects="AH/Lemma6",
        statement="The same where zeros are counts, as many as needed: to remove one changes nothing; ties at will",
        status="proved",
        methods=(
            "ah-fakes-proved",
            "ah-fakes-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all h1, h2 with at most 10 items in all, k and t from 1 to 3",
        code=(f"{FOLDER}.sorted_distance.closest_removed",),
    ),
    Row(
        id="AH/AppendixB/Claim2",
        statement="Counts that are added to two histograms leave their distance as it is",
        status="proved",
        methods=(
            "ah-parts-proved",
            "ah-common-counts",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: all pairs of histograms with at most 9 items in all, up to 3 "
            "items added"
        ),
    ),
    Row(
        id="AH/AppendixB/Claim3",
        statement=(
            "Of all histograms with at least k counts t, none is closer to h2 than h2 with the k positive counts "
            "closest to t replaced by t"
        ),
        status="refuted",
        methods=("ah-projection-printed",),
        scope="all h2 of at most 5 items, k = 1, 2, t from 1 to 3",
        witness="h2 = {3}, k = 1, t = 1",
    ),
    Row(
        id="AH/AppendixB/Claim3/corrected",
        corrects="AH/AppendixB/Claim3",
        statement="The same where zeros are counts, as many as needed",
        status="proved",
        methods=(
            "ah-fakes-proved",
            "ah-projection-corrected",
        ),
        scope="all parameters, by z3 and cvc5; exactly: all h2 of at most 7 items, k = 1, 2, t from 1 to 3",
    ),
    Row(
        id="AH/AppendixC.1.1/Formula1",
        statement=(
            "Without preparation the parts of the neighbours {T, n - T} and {T + 1, n - T} move by T and by T + 1, "
            "so that noise would have to grow with T"
        ),
        status="verified",
        methods=("ah-naive-split-corrected",),
        scope="T from 1 to 5, n from 3 to 15",
    ),
)
