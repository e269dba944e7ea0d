"""The theorems of sample-and-threshold on counts of any size, as `dpcert audit sample-threshold` uses them."""

from dpcert.audit.unbounded.sample_and_threshold.premises import NAMES, Hints, premises_of
from dpcert.audit.unbounded.sample_and_threshold.profile import profile_on_all_counts
from dpcert.audit.unbounded.sample_and_threshold.search import search
from dpcert.audit.unbounded.theorem import UnboundedClaim, UnboundedTheorem
from dpcert.mechanisms.sample_and_threshold.sample_threshold import ALL, SAMPLE_THRESHOLD


def _subject(claim: UnboundedClaim) -> tuple[str, str]:
    """Return in words the mechanism that has the guarantee: one bin on its counts, or on lists of people the histogram
    of such bins."""
    bin_words = f"{claim.mechanism}({', '.join(f'{name}={text}' for name, text in claim.parameters.items())})"
    if claim.neighbours == "counts_differ_by_one":
        return bin_words, "all counts"
    return f"the histogram of bins that are each released by {bin_words}", "all lists"


SAMPLE_AND_THRESHOLD = UnboundedTheorem(
    mechanism=SAMPLE_THRESHOLD,
    setting="kmax",
    value=ALL,
    example="30",
    noun="count",
    names=NAMES,
    draws="how many draws there are tells the count",
    subject=_subject,
    search=search,
    check_hints=Hints.from_data,
    premises=premises_of,
    profile=profile_on_all_counts,
)
