"""Forged certificates on ideal noise: no edit of one shows a claim that does not hold."""

import copy
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from dpcert.audit.ideal.certificates.certificate import IdealCertificate, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import Range
from dpcert.audit.ideal.every_report import EveryReport
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.ideal.meant import OPEN

from .claims import STATED
from .programs import threshold
from .test_certificate import claim, counted, labels, normal, released


def by_hand(count, rng):
    u = rng.random() - 0.5
    return count + (math.log(1 + 2 * u) if u < 0 else -math.log(1 - 2 * u))


def by_hand_compared(count, rng):
    return bool(by_hand(count, rng) > 3)


def with_a_sign(count, rng):
    return count + rng.exponential() * rng.choice([-1, 1])


def rounded(count, rng):
    return round(count + rng.laplace(scale=1))


def sampled(rows, rng):
    return sum(row for row in rows if rng.random() < 0.5) + rng.normal()


def redrawn(count, rng):
    shown = count
    while shown == count:
        shown = int(rng.integers(0, 3))
    return count if rng.random() < 0.5 else shown


def in_range(count, rng):
    while True:
        noisy = count + rng.laplace()
        if 0 <= noisy <= 1:
            return noisy


FALSE = {
    "redrawn": (claim(range(2), 1), redrawn, claim(range(2), "1/2")),
    "in a range": (claim(range(2), 1), in_range, claim(range(2), "9/10")),
    "outcomes": (claim(range(2), 1), threshold, claim(range(2), "1/2")),
    "delta": (claim(range(2), "1/2", "1/5"), threshold, claim(range(2), "1/2", "1/100")),
    "released": (claim(range(2), 1), released, claim(range(2), "9/10")),
    "by hand": (claim(range(2), 1), by_hand, claim(range(2), "9/10")),
    "by hand, compared": (claim(range(2), 1), by_hand_compared, claim(range(2), "9/10")),
    "sign": (claim(range(2), 1), with_a_sign, claim(range(2), "9/10")),
    "rounded": (claim(range(2), 1), rounded, claim(range(2), "9/10")),
    "lists": (claim([[], [1]], 1, neighbours="add-remove"), counted, claim([[], [1]], "9/10", neighbours="add-remove")),
    "normal": (claim(range(2), 1, "127/1000"), normal, claim(range(2), 1, "126/1000")),
    "sampled": (
        claim([[], [1]], "1/4", "1/6", neighbours="add-remove"),
        sampled,
        claim([[], [1]], "1/4", "1/8", neighbours="add-remove"),
    ),
    "labels": (
        claim([[], ["a"]], 1, "1/40", neighbours="add-remove"),
        labels,
        claim([[], ["a"]], 1, "1/50", neighbours="add-remove"),
    ),
}
DATA = ("trees", "regions", "alignments", "brackets", "proofs")


@cache
def certified(name):
    """Return the certificate of the true claim, as text."""
    true, program, _ = FALSE[name]
    return certificate_of(decide_ideal(true, program), STATED).to_text().encode()


def atoms(data, path=()):
    """Yield the place of each text, number and null in data."""
    if isinstance(data, (list, dict)):
        for name, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from atoms(part, (*path, name))
    else:
        yield path, data


def others(value, outcomes):
    """Return what is tried in the place of an atom."""
    if type(value) is int:
        return [x for x in (0, 1, value + 1, -1) if x != value]
    if value is None:
        return ["1/1", "0/1"]
    if value in outcomes:
        return [None, *(outcome for outcome in outcomes if outcome != value)]
    if value in ("above", "below", "draw", "laplace", "exponential", "uniform", "normal"):
        return [x for x in ("above", "below", "laplace", "exponential", "normal") if x != value]
    number = Fraction(value)
    return [ratio_text(x) for x in {number / 2, number * 2, -number, number + 1, Fraction(0)} if x != number]


def put(data, path, value):
    edited = copy.deepcopy(data)
    part = edited
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return edited


def nightly(*dear):
    return [pytest.param(name, marks=[pytest.mark.nightly] * (name in dear)) for name in FALSE]


EASY = ("outcomes", "delta", "normal", "labels")


@pytest.mark.parametrize("name", nightly(*(name for name in FALSE if name not in EASY)))
def test_caught_each_forgery_for_a_claim_that_is_false(name):
    """From the certificate of a true claim, no other value in any place makes one of a claim that does not hold."""
    true, program, false = FALSE[name]
    found = IdealCertificate.from_text(certified(name))
    assert found.verdict == "verified"
    check_ideal(found, true, program, STATED)
    assert decide_ideal(false, program).verdict != "verified"
    forged = replace(found, epsilon=str(false.guarantee.epsilon), delta=ratio_text(false.guarantee.delta))
    data = {field: getattr(found, field) for field in DATA}
    outcomes = sorted({leaf["outcome"] for tree in found.trees for leaf in tree if leaf["outcome"] is not None})
    tried = [data, *(put(data, path, other) for path, value in atoms(data) for other in others(value, outcomes))]
    assert len(tried) > 40
    for edited in tried:
        with pytest.raises((Rejected, Unauditable)):
            check_ideal(replace(forged, **edited), false, program, STATED)


@pytest.mark.parametrize("name", nightly("sign", "by hand, compared", "rounded", "sampled"))
def test_caught_each_list_that_is_shorter(name):
    """With one leaf, step, law, row or alignment less, a certificate shows no claim that does not hold."""
    _, program, false = FALSE[name]
    found = IdealCertificate.from_text(certified(name))
    forged = replace(found, epsilon=str(false.guarantee.epsilon), delta=ratio_text(false.guarantee.delta))
    data = {field: getattr(found, field) for field in DATA}
    lists = {path[:depth] for path, _ in atoms(data) for depth in range(1, len(path)) if isinstance(path[depth], int)}
    for path in lists:
        edited = copy.deepcopy(data)
        part = edited
        for step in path:
            part = part[step]
        del part[0]
        with pytest.raises((Rejected, Unauditable)):
            check_ideal(replace(forged, **edited), false, program, STATED)


def sides(count, rng):
    u = rng.random()
    return ("low", math.log(2 * u)) if u < 0.5 else ("high", -math.log(2 - 2 * u))


def test_caught_a_uniform_number_in_the_place_of_its_logarithm():
    """Below 1/2 the logarithm is below 0: a leaf that says the first alone would have it of both signs."""
    case = claim(range(2), 1)
    found = certificate_of(decide_ideal(case, sides), STATED)
    check_ideal(found, case, sides, STATED)
    trees = copy.deepcopy(found.trees)
    for tree in trees:
        for leaf in tree:
            leaf["steps"] = [[leaf["steps"][0][0], [[0, "1/1"]], "-1/2"]]
    with pytest.raises(Unauditable, match="beside its own logarithm"):
        check_ideal(replace(found, trees=trees), case, sides, STATED)


def released_where_it_is_large(count, rng, epsilon):
    """The place tells the count: that 0 < noise < 1 is released is possible on 0 alone."""
    noise = rng.laplace(scale=1 / epsilon)
    return noise if noise > count else None


@pytest.mark.parametrize("method", ["integration", "densities", "intervals"])
def test_caught_released_noise_as_one_outcome_for_every_epsilon(method):
    """As outcomes, a release and none would be within epsilon."""
    case = claim(range(2), 1)
    paths = [tuple(row) for row in laws_of(released_where_it_is_large, case.inputs, epsilon=OPEN)]
    report = EveryReport("verified", None, 2, 4, method="integration", followed=tuple(paths))
    found = certificate_of_every(report, case, released_where_it_is_large, STATED, every="epsilon")
    edited = replace(found, method=method)
    with pytest.raises(Rejected, match="releases noise"):
        check_ideal(edited, case, released_where_it_is_large, STATED, within=Range(), every="epsilon")
