"""Rows on Bharadwaj and Cormode, Section 4: heavy hitters and quantiles from several histograms."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD_COMPOSED", "SAMPLE_AND_THRESHOLD_TREES"]

TRIE, TRIE_LAW = "mechanisms.sample_and_threshold.trie.trie", "mechanisms.sample_and_threshold.trie.trie_law"
SEARCH = "mechanisms.sample_and_threshold.quantile_search.quantile_search"
PROBES, QUANTILE = (
    "mechanisms.sample_and_threshold.hierarchical.probes",
    "mechanisms.sample_and_threshold.hierarchical.quantile",
)
WEIGHT = "mechanisms.sample_and_threshold.hierarchical.prefix_weight"

SAMPLE_AND_THRESHOLD_TREES: tuple[Row, ...] = (
    Row(
        id="ST/Section4.1/Algorithm1",
        statement=(
            "Growing a trie level by level, each a histogram of a sample of its own, has the law of independent "
            "thresholded binomials, of which, with the restriction to shown ancestors, those below a hidden prefix are "
            "left out"
        ),
        status="verified",
        methods=("trie-program",),
        scope="p = 1/10, 1/2; tau = 1, 2; (branching, levels, people up to) = (2, 2, 2), (3, 1, 2), (2, 3, 1); with "
        "and without the restriction",
        code=(TRIE, TRIE_LAW),
    ),
    Row(
        id="ST/Section4.1/Claim1",
        statement=(
            "The trie restricted to shown ancestors is a post-processing of the unrestricted one, which needs no "
            "smaller delta"
        ),
        status="verified",
        methods=("trie-ancestors",),
        scope="p = 1/10, 1/2; tau = 1, 2; two binary levels: laws of up to 2 people from the program, delta at "
        "e^epsilon = (2/(1-p))^2 of up to 3",
        code=(TRIE, "mechanisms.sample_and_threshold.trie.pruned"),
    ),
    Row(
        id="ST/Lemma7",
        statement=(
            "For every L and every neighbour relation under which each level's histogram is (epsilon, delta)-DP, the "
            "trie is (L epsilon, L delta)-DP for that relation, with and without the restriction to shown ancestors; "
            "who is added changes one cell of every level, who moves changes two of every level from where the digits "
            "differ"
        ),
        status="verified",
        methods=("trie-composition", "trie-levels", "trie-all-counts"),
        scope="e^epsilon = 2/(1-p) with the levels' exact delta; p = 1/10, 1/2; tau = 1, 2; add-remove and "
        "substitution; two levels with up to 3 people, three with up to 2; digits for (2, 4), (3, 3), (4, 2). The "
        "paper's own neighbours are substituted, its delta is that of one person added: under substitution the lemma "
        "needs each level's delta for two bins. For lists of any length, add-remove: L times what one bin needs over "
        "all counts, exactly, no more than L times Theorem 2's delta",
        code=(
            TRIE,
            "mechanisms.sample_and_threshold.trie.composed_claim",
            "mechanisms.sample_and_threshold.trie_all_counts.trie_for_everyone",
        ),
    ),
    Row(
        id="ST/Section4.1/Remark1",
        statement=(
            "One histogram of whole items needs, however many digits they have, exactly the delta of one bin, "
            "and no more "
            "without the counts"
        ),
        status="verified",
        methods=("heavy-hitters-one-round",),
        scope="add-remove; p = 1/10, 1/2; tau = 1, 2; one and two binary digits, up to 3 people, from the program",
        code=("mechanisms.sample_and_threshold.heavy_hitters.heavy_hitters",),
    ),
    Row(
        id="ST/Lemma8",
        statement=(
            "For every phi > tau/m, h histograms that are (epsilon, delta)-DP suffice to find, (h epsilon, h "
            "delta)-DP, an "
            "f with a point within 2^-h whose rank is phi up to a constant, 100 or less, over sqrt(m)"
        ),
        status="refuted",
        methods=("quantile-search-accuracy-printed",),
        scope="the constant in the printed O is read as 100; the printed search, whose program is run at n = 8",
        witness="p = 1/2, tau = n/4, phi = 7/8, n/4 - 1 of n people in the upper half: never found there; at "
        "n = 1,320,004 the rank is off by more than 100/sqrt(m)",
        code=(SEARCH,),
    ),
    Row(
        id="ST/Lemma8/corrected",
        corrects="ST/Lemma8",
        statement=(
            "For tau/m < phi < 1 - tau/m and all c, h histograms that are (epsilon, delta)-DP find, (h epsilon, "
            "h delta)-DP, a cell of length 2^-h with a point whose rank is phi up to c/sqrt(m), except with "
            "probability "
            "2 h e^(-c^2/4)"
        ),
        status="verified",
        methods=("quantile-search-composition", "quantile-search-accuracy-corrected"),
        scope="privacy, add-remove: p = 1/10, 1/2; tau = 1, 2; phi = 1/2, 4/5; h = 2 with up to 3 people, h = 3 "
        "with one; "
        "accuracy: p = 1/2, n = 60, h = 3, tau = 1, 5, phi = 1/4, 1/2, 4/5, c = 3, 4, four data sets",
        code=(SEARCH, "mechanisms.sample_and_threshold.quantile_search.quantile_search_law"),
    ),
    Row(
        id="ST/Section4.2/Formula1",
        statement=(
            "For every sample, the threshold takes less than L (beta - 1) tau sampled people from a prefix range of L "
            "digits, less than (beta - 1) tau a level"
        ),
        status="verified",
        methods=("hierarchical-pruning",),
        scope="probes: all prefix ranges for (beta, L) = (2, 5), (3, 3), (4, 3); losses: all counts up to tau = 3 for "
        "(2, 2), at most L (beta - 1)(tau - 1)",
        code=(PROBES, WEIGHT),
    ),
    Row(
        id="ST/Section4.2/Formula2",
        statement="For m = epsilon n/(L tau), L (beta - 1) tau/m is (beta - 1)(L tau)^2/(epsilon n)",
        status="verified",
        methods=("hierarchical-arithmetic",),
        scope="L = 1, 3, 10; beta = 2, 4; tau = 1, 10; n = 10^4, 10^6; epsilon = 1/10, 1. It is the threshold's error "
        "alone, without that of sampling",
    ),
    Row(
        id="ST/Lemma9",
        statement=(
            "From L histograms that are (epsilon, delta)-DP any phi-quantile can be found, (L epsilon, L "
            "delta)-DP, within "
            "2^-L and up to a rank of a constant, 100 or less, times (L tau)^2/(epsilon n)"
        ),
        status="refuted",
        methods=("hierarchical-quantile-printed",),
        scope="L = 3, beta = 2, tau = 2, phi = 1/2, every rule that reads quantiles off the histograms; the "
        "constant in "
        "the printed O is read as 100. A sample of m people has an error of order 1/sqrt(m), which print leaves out",
        witness="epsilon = 1, p = 1/2, tau = 2, L = 3, n = 2,489,709,794: every rule misses a rank within 100 (L "
        "tau)^2/"
        "(epsilon n) with probability >= 1/4 on one of two inputs",
    ),
    Row(
        id="ST/Lemma9/corrected",
        corrects="ST/Lemma9",
        statement=(
            "From L histograms that are (epsilon, delta)-DP, (L epsilon, L delta)-DP, for every prefix range and c the "
            "weight shown over m is the range's fraction up to L (beta - 1)(tau - 1)/m + c/sqrt(m), except with "
            "probability 1/c^2; quantiles are read off these"
        ),
        status="verified",
        methods=("trie-composition", "hierarchical-range-corrected"),
        scope="privacy as for Lemma 7; accuracy: p = 1/4, 1/2; tau = 1, 2; beta = L = 2; c = 3/2, 2; four data "
        "sets of up "
        "to 5 people, exactly",
        code=(WEIGHT, QUANTILE),
    ),
)
"""Section 4."""

SAMPLE_AND_THRESHOLD_COMPOSED: tuple[Row, ...] = (
    Row(
        id="ST/AppendixA/Claim4",
        statement="L mechanisms that are (epsilon, delta)-DP are (L epsilon, L delta)-DP together",
        status="verified",
        methods=("composition-basic",),
        scope="the pair that all others are post-processings of; e^epsilon = 11/10, 2, 5; delta = 0, 1/100; L up "
        "to 40; "
        "its closed form against the product of laws up to L = 3",
    ),
    Row(
        id="ST/AppendixA/Formula11",
        statement=(
            "For all L, delta' and epsilon' < 1, L mechanisms that are (epsilon', delta')-DP are together (L "
            "epsilon'^2 + "
            "epsilon' sqrt(L ln(1/(L delta'))), 2 L delta')-DP"
        ),
        status="refuted",
        methods=("composition-advanced-printed",),
        scope="true for every epsilon' and every delta' <= 1/L at each L from 1 to 19, by exhaustion of boxes; "
        "false at "
        "L = 20",
        witness="L = 20, epsilon = 1/24, delta = 3/2000000000: randomized response and delta need more than 6.285e-8, "
        "printed 6e-8",
    ),
    Row(
        id="ST/AppendixA/Formula11/corrected",
        corrects="ST/AppendixA/Formula11",
        statement=(
            "For all L, delta' and epsilon', L mechanisms that are (epsilon', delta')-DP are together (L epsilon'^2 + "
            "epsilon' sqrt(2 L ln(1/(L delta'))), 2 L delta')-DP"
        ),
        status="verified",
        methods=("composition-advanced-corrected",),
        scope="the pair that all others are post-processings of; L = 1, 2, 5, 20, 50, 100; epsilon' = 1/100, "
        "1/24, 1/10, "
        "1/4, 1/2, 1; L delta' = e^(-L y^2/2), y = 1/10 to 19/10 in steps of 3/10",
    ),
    Row(
        id="ST/AppendixA/Claim5",
        statement=(
            "After h halvings an interval of length 2^-h is left, with the last split at one of its ends; led by exact "
            "counts, the search keeps a phi-quantile in it"
        ),
        status="verified",
        methods=("quantile-search-interval",),
        scope="h = 1, 2, 3; phi = 1/4, 1/2, 2/3; all lists of 1 to 3 people",
        code=(
            "mechanisms.sample_and_threshold.quantile_search.next_split",
            "mechanisms.sample_and_threshold.quantile_search.found",
        ),
    ),
)
"""The proofs of Lemmas 7 and 8, in Appendix A."""
