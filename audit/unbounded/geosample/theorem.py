"""GeoSample of many counts by its closed form: any two neighbours are as close as 0 and 1 where there are no others.

Let s = 2^k/(2^k + 1). Where weights fall by s with each step away from the input, the laws P on c and Q on c + 1 have
P = Q/s on the numbers up to c, and P = s Q on those above. Both sum to 1, so that Q gives s/(1 + s) to the first and P
gives it to the others. So P and Q are one random map of geosample(n=1) on 0 and on 1, and whether the number is above c
leads back. docs/explanation/all-counts.md has the proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate, pairwise

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.measure import least_ratio_bounds
from dpcert.audit.unbounded.theorem import (
    HintCandidate,
    LeastBounds,
    Premise,
    RefutingPair,
    UnboundedClaim,
    UnboundedTheorem,
    Unfounded,
)
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.geosample import GEOSAMPLE, Weights, geosample_law, settings_of

FEW = 100
"""Up to how many counts above 0 each law is computed whole."""
TWO = {"n": "1"}


def _is_about(parameters: Mapping[str, str]) -> bool:
    return settings_of(parameters)[0] > FEW


def _subject(claim: UnboundedClaim) -> tuple[str, str]:
    """Return the mechanism with its parameters, and its inputs, as an audit of each would name them."""
    words = ", ".join(f"{name}={text}" for name, text in claim.parameters.items())
    n, _ = settings_of(claim.parameters)
    return f"{claim.mechanism}({words})", f"the {n + 1} inputs 0 to {n}"


def _search(claim: UnboundedClaim) -> HintCandidate | RefutingPair:
    """Return no hints, as the theorem takes none, or that 0 and 1 refute the claim."""
    n, k = settings_of(claim.parameters)
    law, guarantee = geosample_law(n=1, k=k), claim.guarantee
    pair = law(0), law(1)
    within, lo, hi = decide_pair(*pair, guarantee.epsilon, guarantee.delta)
    if within is not False:
        return HintCandidate({}, pairs=2 * n)
    ratio_lo, ratio_hi = least_ratio_bounds(*pair, guarantee.delta)
    least = Epsilon.ln(1 if ratio_lo is None else ratio_lo)
    return RefutingPair(0, 1, LeastBounds(lo, hi, least, None if ratio_hi is None else Epsilon.ln(ratio_hi)))


def _check_hints(data: object) -> None:
    if data != {}:
        raise Unfounded("the theorem takes no hints")


def require_steps(weights: Weights, k: int) -> None:
    """Return if weights fall by 2^k/(2^k + 1) with each step from the input, and those of each law sum to the whole.

    Raises: Unfounded otherwise.
    """
    base, n = (1 << k) + 1, len(weights.interior)
    for row in (weights.ends, weights.interior):
        if any(after * base != before << k for before, after in pairwise(row)):
            raise Unfounded("the closed form's weights are not those of geometric noise")
    below = [0, 0, *accumulate(weights.interior[1:])]  # the interior at distances from 1 to i - 1
    for count in range(n + 1):
        inside = below[count] + below[n - count] + (weights.interior[0] if 0 < count < n else 0)
        if weights.ends[count] + inside + weights.ends[n - count] != weights.denominator:
            raise Unfounded(f"the closed form's weights on {count} do not sum to the whole")


def _premises(claim: UnboundedClaim, data: object) -> tuple[tuple[Premise, ...], tuple[str, ...]]:
    """Return the claim about 0 and 1 where there are no others, once the weights at this n are as the theorem needs.

    Raises: Unfounded where they are not.
    """
    _check_hints(data)
    n, k = settings_of(claim.parameters)
    require_steps(Weights.of(n=n, k=k), k)
    settings = tuple({**claim.parameters, **TWO}.items())
    by = (
        "by the theorem of two counts (docs/explanation/all-counts.md) from 1 finite claim, n = 1, and from the closed "
        f"form's weights: they fall by 1 + 2^-{k} with each step, and sum to 1 on each of {n + 1} counts"
    )
    return (Premise(GEOSAMPLE.name, settings, claim.guarantee, "counts_differ_by_one"),), (by,)


TWO_COUNTS = UnboundedTheorem(
    mechanism=GEOSAMPLE,
    setting="n",
    value=None,
    example="100",
    noun="count",
    names={"counts_differ_by_one": "two counts"},
    draws="how draws end is another law",
    subject=_subject,
    search=_search,
    check_hints=_check_hints,
    premises=_premises,
    many=_is_about,
)
