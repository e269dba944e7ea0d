"""Rows on what a second reading of sample-and-threshold added to its items."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD_SECOND_READING"]

SAMPLE_AND_THRESHOLD_SECOND_READING: tuple[Row, ...] = (
    Row(
        id="ST/Section3.1/Remark1",
        statement=(
            "For every input: a server that receives the item of each person sampled and nothing else can release "
            "what the mechanism does, so no message is longer than an item, whatever the number of bins"
        ),
        status="verified",
        methods=("sampled-messages",),
        scope="up to 4 people, 3 items, rates 1/3 and 1/2, thresholds 1 to 3; every set of people sampled",
        code=("mechanisms.sample_and_threshold.threshold_histogram.threshold_histogram",),
    ),
    Row(
        id="ST/Section3.2/Claim3",
        statement=(
            "For every threshold tau: where each client who abstains sends an item of its own that nobody else sends, "
            "the histogram shown is that of those who take part"
        ),
        status="refuted",
        methods=("contact-unique-votes-printed",),
        scope="up to 5 people with 2 items, thresholds 1 to 3",
        witness="tau = 1, 1 people: the vote of one who abstains is shown",
    ),
    Row(
        id="ST/Section3.2/Claim3/corrected",
        corrects="ST/Section3.2/Claim3",
        statement=(
            "For every threshold tau >= 2: where each client who abstains sends an item of its own that nobody else "
            "sends, the histogram shown is that of those who take part"
        ),
        status="verified",
        methods=("contact-unique-votes-corrected",),
        scope=(
            "up to 5 people with 2 items, every set of them, thresholds 2 to 4; for all, since such an item is sent "
            "once. Items made by a hash are not sure to be unique"
        ),
    ),
    Row(
        id="ST/Section5/Remark1",
        statement=(
            "At epsilon = 1/10, alpha = 1/6 and tau = 20, of a million people with words by Zipf's law, fewer than a "
            "tenth of 4096 or of 16384 buckets expect 20 people sampled"
        ),
        status="measured",
        methods=("experiments-few-buckets",),
        scope="20,000 words of shares 1/rank in the place of Shakespeare's, hashed into buckets; expected counts",
    ),
    Row(
        id="ST/Section7/Remark2",
        statement=(
            "With bucket bounds that are given, the histogram tells little where the bulk of the data lies in a very "
            "small part of the domain: a judgement (nothing to check)"
        ),
        status="open",
        methods=(),
        scope="none: no bound is stated",
    ),
    Row(
        id="ST/AppendixA/Remark1",
        statement=(
            "For phi well between tau/m and 1 - tau/m: with high probability no step of the search has a bucket whose "
            "count is removed"
        ),
        status="refuted",
        methods=("quantile-removed-bucket-printed",),
        scope="the first step, of n = 9, 12 and 18 people; for every greater n the witness is the same",
        witness="p = 1/2, tau = 2, phi = 1/2, n = 9, one value below 1/2: its bucket is removed with probability 1",
    ),
    Row(
        id="ST/AppendixA/Remark1/corrected",
        corrects="ST/AppendixA/Remark1",
        statement=(
            "For s people sampled with tau <= phi s and tau <= (1 - phi) s: buckets may be removed, but the step goes "
            "to the half to which it would go with none removed"
        ),
        status="verified",
        methods=("quantile-removed-bucket-corrected",),
        scope=(
            "phi in tenths, up to 16 people on each side, tau <= 6; for all, since the lower bucket, removed, has "
            "less than a phi-share of s and the upper one less than a (1 - phi)-share, and not both are"
        ),
        code=("mechanisms.sample_and_threshold.quantile_search.next_split",),
    ),
)
