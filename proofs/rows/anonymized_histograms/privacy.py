"""Rows on the algorithm of Section 4 and on Appendix C: what is private of PrivHist, and by which steps."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["PRIVACY"]

FOLDER = "mechanisms.anonymized_histograms"
CASES = "all neighbours of at most 5 people, (T, M) = (1, 0), (1, 2), (2, 0), (2, 1), (3, 1), Z^b from -6 to 6"
BOUNDARIES = "six sets of boundaries up to 6, all neighbours of at most 7 people"
SPLITS = (
    "the exact laws of the cells, e^epsilon_2 = 7/6 and 2, (T, M) = (1, 0), (1, 2), (2, 0), (2, 1), (3, 1), all "
    "histograms of at most 5 and 4 people"
)
WHOLE = (
    "the exact laws of the cells on all histograms of at most 3 people for epsilon = ln 8, of at most 2 for "
    "ln(343/216) and 1; docs/anonymized-histograms-privacy.md has a proof for all parameters"
)
CHAINS = "every chain of 1, 2 or 3 steps on two states with two values of each noise, 4,368 chains"

PRIVACY: tuple[Row, ...] = (
    Row(
        id="AH/Theorem1",
        statement=(
            "For every epsilon > 0: PrivHist's histogram and total are (epsilon, 0)-DP for histograms at distance one; "
            "2/3 of epsilon are spent where it is above 1, all of it elsewhere (errors and times: the next row)"
        ),
        status="proved",
        methods=(
            "privhist-proved",
            "ah-privhist-private",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + WHOLE,
        code=(f"{FOLDER}.privhist.privhist", f"{FOLDER}.privhist.stage"),
    ),
    Row(
        id="AH/Section4/Algorithm1",
        statement=(
            "PrivHist with step 2(c) as the text has it, where both sums are over phi^b, so that each negative "
            "prevalence is cut at 0 by itself: (H^cs, H^cl) is (epsilon_2, 0)-DP"
        ),
        status="refuted",
        methods=("ah-split-literal",),
        scope="e^epsilon_2 = 2, T = 1, M = 2, all neighbours of at most 3 people",
        witness=(
            "e^epsilon_2 = 2, N = 1 (T = 1, M = 2): of [2] no large count is noisy with probability 1/12, of [3] with 0"
        ),
    ),
    Row(
        id="AH/Section4/Algorithm1/corrected",
        corrects="AH/Section4/Algorithm1",
        statement=(
            "With phi^bs and phi^bl in the sums subtracted, which carry on what was cut: with m' = M + Z^b + (counts "
            "above T), phi^bs_(r+) = max(0, phi_(r+) + 2M - m'), H^bl has the max(0, m') greatest counts, each at "
            "least T + 1, and (H^cs, H^cl) is (epsilon_2, 0)-DP for all T >= 1 and M >= 0"
        ),
        status="verified",
        methods=("ah-split-private", "ah-split-release", "ah-dependent-split"),
        scope=SPLITS + "; the release itself, e^epsilon_2 = 2, (T, M) = (1, 1), (2, 0), at all points of a box",
        code=(f"{FOLDER}.printed.carried_split", f"{FOLDER}.split.split", f"{FOLDER}.split.finished"),
    ),
    Row(
        id="AH/Section4/Algorithm2",
        statement=(
            "PrivHist-LowPrivacy: of the released parts alone it makes the least squares fit, rounded, and the large "
            "counts, less M elements at T + 1 and M at T; without noise that is the input"
        ),
        status="verified",
        methods=("ah-low-privacy-steps",),
        scope="all histograms of at most 7 people, five (T, M); the fit of all sequences of 4 of -2, 0, 1, 4",
        code=(f"{FOLDER}.postprocess.low_privacy_histogram", f"{FOLDER}.postprocess.isotonic"),
    ),
    Row(
        id="AH/Section4/Algorithm3",
        statement=(
            "PrivHist-HighPrivacy: counts above 2N are cut to 2N, smoothed to boundaries made of N and the noisy "
            "counts, made noisy and fitted; without noise counts on boundaries come back as they are"
        ),
        status="verified",
        methods=("ah-high-privacy-steps", "ah-smoothing-private"),
        scope="all histograms of at most 7 people, every r a boundary or six sets of boundaries; geometric noise",
        code=(
            f"{FOLDER}.postprocess.high_privacy_histogram",
            f"{FOLDER}.parameters.boundaries",
            f"{FOLDER}.smoothing.noisy_smoothed",
        ),
    ),
    Row(
        id="AH/Section4.1/Example1",
        statement=(
            "{1, 1} and {1, 2} are neighbours; where noise is added to non-zero prevalences alone, the first never "
            "shows phi_2, the second shows another value than 0 with probability at least 4/5"
        ),
        status="verified",
        methods=("ah-nonzero-example",),
        scope="alpha = 1/50, ..., 49/50; the zoo has the mechanism as privhist-split-nonzero",
    ),
    Row(
        id="AH/Section4.3/Formula1",
        statement=(
            "For every r from s_i to s_(i+1), one element r adds (s_(i+1) - r)/(s_(i+1) - s_i) to phi^v at s_i and the "
            "rest of 1 at s_(i+1)"
        ),
        status="verified",
        methods=("ah-smoothing-rule",),
        scope=(
            "six sets of boundaries up to 6, every r; below s_1 the part at s_0 = 0 is dropped, above the last s it is "
            "1"
        ),
        code=(f"{FOLDER}.printed.smoothed_prevalences",),
    ),
    Row(
        id="AH/Section4.3/Claim3",
        statement=(
            "For neighbours that differ in phi_r and phi_(r+1), phi^v_(s_i +) differs for the one i with s_(i-1) <= r "
            "< s_i, by 1/(s_i - s_(i-1)); and s_i - s_(i-1) times it is an integer"
        ),
        status="proved",
        methods=(
            "privhist-smoothing-proved",
            "ah-smoothing-sensitivity",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + BOUNDARIES,
        code=(f"{FOLDER}.smoothing.smoothed",),
    ),
    Row(
        id="AH/Section4.3/Claim4",
        statement=(
            "For every S: (s_i - s_(i-1)) phi^v_(s_i +), integers, with independent geometric noise G(e^-epsilon_3) "
            "are (epsilon_3, 0)-DP; divided by the gaps that is noise of the printed scale on a lattice"
        ),
        status="proved",
        methods=(
            "privhist-smoothing-proved",
            "ah-smoothing-private",
        ),
        scope=(
            "all parameters, by z3 and cvc5; exactly: five sets of boundaries, e^epsilon_3 = 7/6 and 2, all "
            "histograms of at most 5 people; not continuous "
            "Laplace"
        ),
        code=(f"{FOLDER}.smoothing.noisy_smoothed",),
    ),
    Row(
        id="AH/AppendixC.1/Claim1",
        statement=(
            "The noisy total, the split and the smoothed prevalences, together, are (epsilon_1 + epsilon_2 + "
            "epsilon_3, 0)-DP"
        ),
        status="proved",
        methods=("privhist-proved", "ah-budgets", "ah-privhist-private"),
        scope=(
            "all parameters, by z3 and cvc5; exactly: three triples of e^epsilon_i at T = 1, S = {1, 3}, at most 2 "
            "people; PrivHist at epsilon <= 1; each met"
        ),
    ),
    Row(
        id="AH/AppendixC.1.1/Claim1",
        statement=(
            "Any two neighbours differ in phi_T and phi_(T+1), or in phi_r and phi_(r+1) for 0 <= r < T - 1 or r > T"
        ),
        status="refuted",
        methods=("ah-categories-printed",),
        scope="T from 1 to 4, all neighbours of at most 5 people",
        witness="T = 1: [] and [1] differ in phi_0 and phi_1",
    ),
    Row(
        id="AH/AppendixC.1.1/Claim1/corrected",
        corrects="AH/AppendixC.1.1/Claim1",
        statement=(
            "Any two neighbours differ in phi_r and phi_(r+1), by one each, for one r >= 0: r = T, r < T or r > T; the "
            "second case needs r = T - 1 as well, and its proof covers it"
        ),
        status="verified",
        methods=("ah-categories", "ah-split-below"),
        scope="all neighbours of at most 8 people; " + CASES,
    ),
    Row(
        id="AH/AppendixC.1.3/Claim1",
        statement=(
            "For all epsilon_i with the sum epsilon the parts together are (epsilon, 0)-DP; where epsilon > 1 the "
            "third part is not made, and epsilon_1 + epsilon_2 are spent"
        ),
        status="verified",
        methods=("ah-budgets", "ah-privhist-private"),
        scope="e^epsilon_i = (2, 2, 2), (2, 3, 5), (7, 2, 3), at most 2 people; PrivHist at ln 8 spends ln 4",
    ),
    Row(
        id="AH/Theorem3",
        statement=(
            "Let X_1 = f_1(x, Z_1), X_i = f_i(X_(i-1), Z_i), the Z_i independent. If for all neighbours some step i "
            "has no ratio above e^epsilon given Z_1, ..., Z_(i-1), then X_n is (epsilon, 0)-DP"
        ),
        status="verified",
        methods=("ah-dependent-composition",),
        scope=CHAINS,
    ),
    Row(
        id="AH/Equation7",
        statement=(
            "For any two neighbours one of the steps of h -> H^b -> (H^cs, H^bl) -> (H^cs, H^cl) has no ratio above "
            "e^epsilon_2 given the noises before it"
        ),
        status="verified",
        methods=("ah-dependent-split",),
        scope=CASES + "; e^epsilon_2 = 7/6, 2 and 5",
    ),
    Row(
        id="AH/AppendixC.2/Formula1",
        statement="For every i: no ratio of the marginals of X_i is above the greatest one given Z_1, ..., Z_(i-1)",
        status="verified",
        methods=("ah-dependent-marginals",),
        scope=CHAINS,
    ),
    Row(
        id="AH/AppendixC.2/Formula2",
        statement="For every i < n: no ratio of X_n is above the greatest one of X_i",
        status="verified",
        methods=("ah-dependent-last",),
        scope=CHAINS,
    ),
    Row(
        id="AH/Lemma7",
        statement=(
            "For every epsilon_1 > 0: N = max(n + Z, 0), Z ~ G(e^-epsilon_1), is (epsilon_1, 0)-DP, and no better"
        ),
        status="proved",
        methods=("privhist-proved", "geometric-private-proved", "ah-total-private", "ah-total-sensitivity"),
        scope=(
            "privacy for all parameters, by z3 and cvc5; exactly, and no better: e^epsilon_1 = 7/6, 2 and 5, n up "
            "to 30 with exact tails; all "
            "histograms of at most 6 people in cells"
        ),
        code=(f"{FOLDER}.total.noisy_total", f"{FOLDER}.geometric_cells.Cells"),
    ),
    Row(
        id="AH/AppendixC.3/Formula1",
        statement="The totals of two neighbours differ by one",
        status="verified",
        methods=("ah-total-sensitivity",),
        scope="all neighbours of at most 9 people",
    ),
    Row(
        id="AH/Lemma8",
        statement=(
            "For every epsilon_2 > 0, T >= 1 and M >= 0: (H^cs, H^cl) is (epsilon_2, 0)-DP, and no better; also where "
            "the number of large counts is shown, and which of them is the greatest"
        ),
        status="proved",
        methods=("privhist-split-proved", "ah-split-private", "ah-split-release"),
        scope=(
            "privacy for all parameters, by z3 and cvc5; exactly, and no better: " + SPLITS + "; the release itself "
            "at all points of a box"
        ),
        code=(f"{FOLDER}.split.split", f"{FOLDER}.printed.release_density"),
    ),
    Row(
        id="AH/AppendixC.3/Claim1",
        statement=(
            "Case 1, neighbours that differ in phi_T and phi_(T+1): they have the same H^b for values of Z^b that "
            "differ by one, so that its ratios are at most e^epsilon_2"
        ),
        status="proved",
        methods=("privhist-split-proved", "ah-split-at-threshold", "ah-dependent-split"),
        scope="all parameters, by z3 and cvc5; exactly: " + CASES,
    ),
    Row(
        id="AH/AppendixC.3/Formula2",
        statement=(
            "Given Z^b, no phi^bs_(r+) of two histograms differ by more than the sums of their prevalences from r to T"
        ),
        status="proved",
        methods=(
            "privhist-split-proved",
            "ah-maxima",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + CASES,
    ),
    Row(
        id="AH/AppendixC.3/Claim2",
        statement=(
            "Case 2, neighbours that differ in phi_r and phi_(r+1), r < T: given Z^b they have one H^bl, and one "
            "phi^bs_(s+) differs, by at most one"
        ),
        status="proved",
        methods=(
            "privhist-split-proved",
            "ah-split-below",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + CASES,
    ),
    Row(
        id="AH/AppendixC.3/Claim3",
        statement=(
            "Case 3, neighbours that differ in phi_r and phi_(r+1), r > T: given Z^b both H^bl hold max(0, M + Z^b + "
            "L) counts, L those above T, of which one differs, by at most one"
        ),
        status="proved",
        methods=(
            "privhist-split-proved",
            "ah-split-above",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + CASES,
    ),
    Row(
        id="AH/AppendixC.3/Claim4",
        statement=(
            "Case 3: given Z^b and H^cs no ratio of H^cl is above e^epsilon_2, as one noisy count has another centre"
        ),
        status="proved",
        methods=("privhist-split-proved", "ah-split-above", "ah-dependent-split"),
        scope="all parameters, by z3 and cvc5; exactly: " + CASES,
    ),
    Row(
        id="AH/Lemma9",
        statement=(
            "For every epsilon_3 > 0 and S: H^w is (epsilon_3, 0)-DP, and no better, with geometric noise over the gap "
            "for the printed Laplace noise; what follows it sees neither h nor coins"
        ),
        status="proved",
        methods=("privhist-smoothing-proved", "ah-smoothing-private", "ah-smoothing-sensitivity"),
        scope=(
            "privacy for all parameters, by z3 and cvc5; exactly, and no better: five sets of boundaries, "
            "e^epsilon_3 = 7/6 and 2, all "
            "histograms of at most 5 people"
        ),
        code=(f"{FOLDER}.smoothing.noisy_smoothed", f"{FOLDER}.smoothing.finished_smoothing"),
    ),
    Row(
        id="AH/AppendixC.3/Formula3",
        statement="For neighbours phi^v_(s_i +) differs for one i at most, by 1/(s_i - s_(i-1))",
        status="proved",
        methods=(
            "privhist-smoothing-proved",
            "ah-smoothing-sensitivity",
        ),
        scope="all parameters, by z3 and cvc5; exactly: " + BOUNDARIES,
    ),
)
