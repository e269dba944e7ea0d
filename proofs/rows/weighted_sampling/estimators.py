"""Rows on Appendices E and F: estimates that are biased down, and the limits of unbiased ones."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["ESTIMATORS"]

UNSAMPLED = "q = 1, e^epsilon = 3/2, 2 and 3, delta = 1/2, 1/3, 1/5 and 1/10, i <= 12"
ESTIMATES_GRID = (
    "both algorithms, e^epsilon = 3/2, 2 and 3, five delta, five samplings, i <= 5, g = i, 1, i^2 and min(i, 2)"
)

ESTIMATORS: tuple[Row, ...] = (
    Row(
        id="PWS/Equation41",
        statement=(
            "For every row system: the estimate that takes the least candidate is at least 0, and its mean "
            "on no frequency above g"
        ),
        status="verified",
        methods=("pws-biased-down",),
        scope=ESTIMATES_GRID,
        code=("mechanisms.weighted_sampling.pws_estimators.biased_down",),
    ),
    Row(
        id="PWS/AppendixE/Claim1",
        statement="For q = 1 and integral L: the minimum in (41) is over at most 2L frequencies",
        status="refuted",
        methods=("pws-terms-printed",),
        scope="q = 1, e^epsilon = 3/2, 2 and 3, L = 1 to 4",
        witness="e^epsilon = 3/2, L = 1: 3 frequencies report a value",
    ),
    Row(
        id="PWS/AppendixE/Claim1/corrected",
        corrects="PWS/AppendixE/Claim1",
        statement=("For q = 1 and integral L: the minimum in (41) is over at most 2L + 1 frequencies"),
        status="verified",
        methods=("pws-terms-corrected",),
        scope="q = 1, e^epsilon = 3/2, 2 and 3, L = 1 to 4",
    ),
    Row(
        id="PWS/LemmaE.1",
        statement=(
            "For every non-decreasing q: the estimate (41) is biased down, and does not decrease with the value"
        ),
        status="refuted",
        methods=("pws-biased-down-increases-printed",),
        scope=("q = 1, one list and priority sampling, e^epsilon = 3/2, 2 and 3, four delta, m = 4, g = i"),
        witness=("e^epsilon = 3/2, delta = 1/2, q = 1/10, 1/2, m = 4, g = i: values 1 and 2 count 10 and 4"),
    ),
    Row(
        id="PWS/LemmaE.1/corrected",
        corrects="PWS/LemmaE.1",
        statement=(
            "For every non-decreasing q: the estimate (41) is biased down; for q = 1 and g = i it does not "
            "decrease with the value"
        ),
        status="verified",
        methods=(
            "pws-biased-down",
            "pws-biased-down-increases-corrected",
        ),
        scope=("biased down: both algorithms, q = 1 and four other samplings, four g, i <= 5; no decrease: i <= 12"),
        code=("mechanisms.weighted_sampling.pws_estimators.biased_down",),
    ),
    Row(
        id="PWS/AppendixE/Claim2",
        statement="For every frequency: its candidate in (42) does not decrease with the value",
        status="verified",
        methods=("pws-biased-down",),
        scope=ESTIMATES_GRID,
    ),
    Row(
        id="PWS/LemmaF.1",
        statement=(
            "For q = 1, every epsilon and delta, and every sanitizer with the reporting probabilities pi*: "
            "there is no unbiased and non-negative estimator of frequencies"
        ),
        status="refuted",
        methods=("pws-no-unbiased-printed",),
        scope=UNSAMPLED,
        witness="e^epsilon = 3/2, delta = 1/2, i <= 12: values count 2, 2, 4, 4, 6, 6, ...",
    ),
    Row(
        id="PWS/LemmaF.1/corrected",
        corrects="PWS/LemmaF.1",
        statement=(
            "For q = 1 and every epsilon and delta with E^(h-1) > h for some h <= L + 1: there is no "
            "unbiased and non-negative estimator of frequencies; here, the one of Algorithm 4's values is "
            "negative somewhere"
        ),
        status="verified",
        methods=("pws-no-unbiased-corrected",),
        scope=UNSAMPLED,
    ),
    Row(
        id="PWS/Equation43",
        statement=(
            "For q = 1, integral L and h <= L + 1: Algorithm 4 reports the value of frequency 1 with "
            "probability E^(h-1) times as great on frequency h"
        ),
        status="verified",
        methods=("pws-early-tokens",),
        scope="q = 1, e^epsilon = 3/2, 2 and 3, L = 0 to 4",
    ),
    Row(
        id="PWS/Equation44",
        statement="For q = 1: the unbiased estimate has mean h on every frequency h",
        status="verified",
        methods=("pws-unbiased",),
        scope=UNSAMPLED,
    ),
    Row(
        id="PWS/AppendixF/Formula1",
        statement="For q = 1: the mean of an unbiased estimate on frequency 1 is 1/delta",
        status="refuted",
        methods=("pws-mean-at-one-printed",),
        scope=UNSAMPLED,
        witness="e^epsilon = 3/2, delta = 1/2: the mean on frequency 1 is 1",
    ),
    Row(
        id="PWS/AppendixF/Formula1/corrected",
        corrects="PWS/AppendixF/Formula1",
        statement=(
            "For q = 1: the mean of an unbiased estimate on frequency 1 is 1; given that the key is "
            "reported, it is 1/delta"
        ),
        status="verified",
        methods=("pws-mean-at-one-corrected",),
        scope=UNSAMPLED,
    ),
    Row(
        id="PWS/AppendixF/Formula2",
        statement=(
            "For q = 1, integral L and h <= L + 1: values of frequency 1 add E^(h-1) to the mean of an "
            "unbiased estimate on frequency h"
        ),
        status="verified",
        methods=("pws-early-tokens",),
        scope="q = 1, e^epsilon = 3/2, 2 and 3, L = 0 to 4",
    ),
    Row(
        id="PWS/AppendixF/Example1",
        statement=(
            "For epsilon = 1, q = 1 and delta with L >= 1: values of frequency 1 add more than 2 to the mean "
            "of an unbiased estimate on frequency 2, and value 2 of Algorithm 4 counts below 0"
        ),
        status="verified",
        methods=("pws-overshoot",),
        scope="a rational just below e, delta = 1/5, 1/10 and 1/100",
        code=("mechanisms.weighted_sampling.pws_estimators.unbiased",),
    ),
)
