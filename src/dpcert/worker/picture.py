"""The picture of one claim: the two laws of its witness and its privacy profile, every number a text.

A child process computes it, as it computes audits, from the same laws.
"""

import json
from fractions import Fraction
from typing import Any

from dpcert.audit.claim_profile import ClaimProfile, profile_of
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo, rounded_text
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError, Unauditable, one_line
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.forms import order_key, to_json
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.targets.cases import Case
from dpcert.worker.jobs import Bar, Bars, Curve, Missing, Others, Picture, Tails
from dpcert.worker.result import SeenEvent

OUTCOMES = 12
"""The most outcomes of a witness with bars of their own."""
STEPS = 48
BITS = 40
PLACES = 6
FARTHEST = Fraction(64)
"""The greatest epsilon of a drawn profile."""


def picture_of(case: Case, worst: SeenEvent | None) -> Picture:
    """Return the picture of a claim; `worst` is the event of a refutation, None for another verdict."""
    return Picture(None if worst is None else _witness(case, worst), _profile(case))


def _witness(case: Case, worst: SeenEvent) -> Bars | Missing:
    """Return the laws of two inputs: bars for the event's outcomes and the greatest differences, sums for others."""
    inputs = [json.dumps(to_json(value)) for value in case.subject.inputs]
    pair = [json.dumps(worst.a), json.dumps(worst.b)]
    if not all(name in inputs for name in pair):
        return Missing("its inputs are not among those of the claim")
    try:
        laws = [case.subject.law(inputs.index(name)) for name in pair]
    except (InputError, Unauditable) as error:
        return Missing(one_line(str(error)))
    rows: dict[Any, list[Any]] = {}
    for place, law in enumerate(laws):
        for name, outcome, weight in law.weights():
            row = rows.setdefault(name, [outcome, Fraction(0), Fraction(0)])
            row[1 + place] = Fraction(weight, law.denominator)
    event = {json.dumps(outcome) for outcome in worst.event}  # as texts, since in Python 0 == False
    spelt = [(json.dumps(to_json(outcome)), outcome, p, q) for outcome, p, q in rows.values()]
    listed = [name for name, *_ in spelt]
    if not all(name in listed for name in event):
        return Missing("they do not list the outcomes of the event")
    spelt.sort(key=lambda row: (row[0] not in event, -abs(row[2] - row[3]), -max(row[2:]), order_key(row[1])))
    kept = sorted(spelt[:OUTCOMES], key=lambda row: order_key(row[1]))
    others = spelt[OUTCOMES:]
    p_rest, q_rest = sum((p for _, _, p, _ in others), Fraction(0)), sum((q for *_, q in others), Fraction(0))
    return Bars(
        rows=[
            Bar(to_json(outcome), rounded_text(p, up=False), rounded_text(q, up=True), name in event)
            for name, outcome, p, q in kept
        ],
        others=Others(len(others), rounded_text(p_rest, up=False), rounded_text(q_rest, up=True)),
        tail=Tails(*(rounded_text(law.tail, up=True) for law in laws)),
    )


def _profile(case: Case) -> Curve | Missing:
    try:
        found = profile_of(case.subject, case.claim())
        drawn = profile_points(found, case.guarantee.epsilon, case.guarantee.delta)
    except (InputError, Unauditable) as error:
        return Missing(one_line(str(error)))
    if all(point[1:] == ("0", "1") for point in drawn.points):
        return Missing("the laws do not list enough outcomes for one")
    return drawn


def profile_points(profile: ClaimProfile, epsilon: Epsilon, delta: Fraction) -> Curve:
    """Return a profile at some 50 epsilons, as decimals rounded outwards, with the least epsilon at a delta.

    `epsilon` and `delta` are the claim's; the picture reaches beyond the claimed and the least epsilon where it can.
    """
    claimed, least = epsilon_bounds(epsilon, BITS)[1], profile.epsilon_at(delta).hi
    top = max(claimed, least or Fraction(0)) * Fraction(5, 4)
    if least is not None and 0 < 8 * least < claimed:
        top = 2 * least
    top = min(top, FARTHEST) or Fraction(1)
    top = exact(decimal_hi(top, 3), "epsilon")
    values = [step * top / STEPS for step in range(STEPS + 1)] + [
        value for value in (claimed, least) if value is not None
    ]
    at = {exact(decimal_hi(value, PLACES), "epsilon") for value in values}
    points = []
    for value in sorted(at):
        if value > top:
            break
        answer = profile.delta_at(value)
        lo, hi = answer.lo or Fraction(0), Fraction(1) if answer.hi is None else answer.hi
        points.append((decimal_lo(value, PLACES), decimal_lo(lo, PLACES), decimal_hi(hi, PLACES)))
    return Curve(
        points=points,
        method=profile.method,
        pairs=len(profile.pairs),
        least=None if least is None else decimal_hi(least, PLACES),
        claimed=(decimal_hi(claimed, PLACES), decimal_hi(delta, PLACES)),
        end=decimal_lo(top, PLACES),
    )
