"""A pair of laws that dominates a family of pairs, from bounds of their deltas at finitely many points.

For each pair (P, Q) of the family let d(E) be its least delta at e^epsilon = E, and d'(E) that of (Q, P). Both are
convex and do not rise; d(0) = 1, and d(E) = 1 - E + E d'(1/E). So bounds of d at points E >= 1 and of d' at points
E > 1 bound d everywhere: between two points by the chord, beyond the last one by the last bound. A convex,
piecewise linear function of that kind is the profile of one pair of finite laws. docs/explanation/all-counts.md has the
proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from dpcert.audit.noise.nodes import Node, convex
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import InputError


def dominating_pair(losing: Sequence[Node], gaining: Sequence[Node] = ()) -> tuple[Dist, Dist]:
    """Return laws (P*, Q*) of which the delta is, at every e^epsilon >= 0, at least that of each pair of a family.

    `losing` bounds the pairs (P, Q) at points E >= 1, `gaining` the pairs (Q, P) at points E > 1.
    Claims: (Q*, P*) dominates the pairs (Q, P) as well; both where the bounds hold.
    Raises: InputError unless there is a node in `losing`, each E is as said, and each m is in [0, 1].
    """
    points = _points(losing, gaining)
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(points)] + [Fraction(0)]
    masses = [(at, after - before) for (at, _), before, after in zip(points[1:], slopes[:-1], slopes[1:], strict=True)]
    q = [1 + slopes[0], *(mass for _, mass in masses), Fraction(0)]
    p = [Fraction(0), *(at * mass for at, mass in masses), points[-1][1]]
    return _law(p), _law(q)


def both_moves(pair: tuple[Dist, Dist]) -> tuple[Dist, Dist]:
    """Return the laws of two independent observations, one of each law of a pair, in both orders: P x Q, and Q x P."""
    p, q = pair
    return p.product(q), q.product(p)


def _points(losing: Sequence[Node], gaining: Sequence[Node]) -> list[Node]:
    """Return the vertices of the convex bound, from (0, 1) on; it is constant beyond the last."""
    for nodes, least in ((losing, "E >= 1"), (gaining, "E > 1")):
        for at, bound in nodes:
            if at < 1 or (at == 1 and nodes is gaining) or not 0 <= bound <= 1:
                raise _bad(f"the node ({at}, {bound})", f"{least} and a bound in [0, 1]", "mend it")
    if not losing:
        raise _bad("no node", "at least one", "add one")
    known = [(Fraction(0), Fraction(1))]
    known += sorted((1 / at, 1 - 1 / at + bound / at) for at, bound in gaining)
    known += sorted(losing)
    return convex(known)


def _law(weights: Sequence[Fraction]) -> Dist:
    """Return the law that gives 0, 1, ... these probabilities."""
    common = lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (common // weight.denominator) for weight in weights]
    return Dist.from_weights(((place, weight) for place, weight in enumerate(whole) if weight), common)


def _bad(given: str, needed: str, remedy: str) -> InputError:
    return InputError(given=given, needed=needed, remedy=remedy)
