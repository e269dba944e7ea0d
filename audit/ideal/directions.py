"""The search for a form of released numbers that tells two mixtures apart best: floats compare, no more."""

import math
from collections import defaultdict
from collections.abc import Sequence

import flint

from dpcert.audit.ideal.certificates.checker import ONE, ZERO, Number, ball, combined
from dpcert.audit.ideal.certificates.gauss import BITS, Mixture, Vector, groups
from dpcert.mechanisms.exact.errors import Unauditable

LIKELIEST, DIRECTIONS = 48, 12
"""How many leaves give directions, and how many of these are compared."""
AGREE = 30
"""In how many places, of a deviation, leaves of a group agree: floats that were added in another order do in more."""


def direction(p: Mixture, q: Mixture | None) -> tuple[Vector, int]:
    """Return a form of what is released, and in how many places groups agree: of those that tell two leaves apart, one
    whose groups weigh about the same on both sides.

    Raises: Unauditable where no form has noise.
    """
    size = len(p.covariance)
    forms = _forms(p, q) if size > 1 and q is not None else []
    plain = [tuple(ONE if i == j else ZERO for j in range(size)) for i in range(size)]
    kept = [form for form in [*forms, *plain] if _variance(p, form) > 0]
    if not kept:
        raise Unauditable("released numbers without noise")
    widest = max(row[place] for place, row in enumerate(p.covariance))
    places = max(0, AGREE - math.frexp(math.sqrt(float(ball({ZERO: widest}, BITS))))[1])
    best = min(kept, key=lambda form: _apart(p, q, form, places)) if len(kept) > 1 else kept[0]
    return best, places


def _forms(p: Mixture, q: Mixture) -> list[Vector]:
    """Return the forms that are sufficient for the commonest differences of a leaf of p and one of q."""
    likely: dict[Vector, float] = defaultdict(float)
    shown: dict[Vector, Vector] = {}
    first, second = (_likeliest(each) for each in (p, q))
    for weight, mean in first:
        for other, its in second:
            apart = [x - y for x, y in zip(mean, its, strict=True)]
            lead = next((x for x in apart if x), None)
            if lead is not None:
                exact = tuple(x / lead for x in apart)
                about = tuple((x * 2**AGREE).round() for x in exact)
                shown.setdefault(about, exact)
                likely[about] += weight * other
    best = [shown[about] for about in sorted(likely, key=lambda each: -likely[each])[:DIRECTIONS]]
    covariance = flint.fmpq_mat([list(row) for row in p.covariance])
    if covariance.det() == 0:
        return best
    return [tuple(covariance.solve(flint.fmpq_mat([[x] for x in each])).entries()) for each in best]


def _likeliest(mixture: Mixture) -> list[tuple[float, Vector]]:
    leaves = [(float(ball(weight, BITS)), mean) for weight, mean in mixture.leaves]
    return sorted(leaves, key=lambda leaf: -leaf[0])[:LIKELIEST]


def _variance(mixture: Mixture, form: Sequence[Number]) -> Number:
    rows = zip(form, mixture.covariance, strict=True)
    return sum((u * v * c for u, row in rows for v, c in zip(form, row, strict=True)), ZERO)


def _apart(p: Mixture, q: Mixture | None, form: Vector, places: int) -> tuple[float, int]:
    """Return about how much likelier the groups of a form are by themselves, and how many they are."""
    _, found, _ = groups(p, q, (ZERO, ONE), form, places)
    sums = [float(ball(combined(*((ONE, weight) for _, weight in group)), BITS)) for group in found]
    return round(sum(max(0.0, each) for each in sums), 12), len(sums)
