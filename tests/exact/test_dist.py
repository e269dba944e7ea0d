"""Laws are built, asked and changed as their twins of plain Fractions are."""

import copy
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, InputError

from .laws import OUTCOMES, laws, name, table

WEIGHTS = st.lists(st.tuples(st.sampled_from(OUTCOMES), st.integers(0, 5)), max_size=6)
integers = laws(list(range(-3, 4)))


def agrees(law: Dist, pairs: Iterable[tuple[Any, Fraction]]) -> bool:
    """Whether a law is the table of the pairs, and its tail what they lack of 1."""
    expected = table(pairs)
    listed = list(law.items())
    return (
        table(listed) == expected
        and len(listed) == len(law) == len(expected)
        and law.tail == 1 - sum(expected.values())
        and all(type(p) is Fraction for _, p in listed)
    )


@given(WEIGHTS, st.integers(0, 4))
def test_twin_from_weights_merges_equal_outcomes_and_drops_zeros(pairs: list[tuple[Any, int]], rest: int) -> None:
    denominator = sum(weight for _, weight in pairs) + rest + 1
    law = Dist.from_weights(iter(pairs), denominator)
    assert agrees(law, [(outcome, Fraction(weight, denominator)) for outcome, weight in pairs])
    assert law.denominator == denominator
    assert law.tail_weight == rest + 1
    assert law.tail_weight + sum(weight for _, _, weight in law.weights()) == denominator
    assert [name(outcome) for outcome in law.outcomes()] == list(
        dict.fromkeys(name(outcome) for outcome, weight in pairs if weight)
    )


def test_twin_of_takes_mappings_pairs_and_every_form_of_exact_number() -> None:
    assert agrees(
        Dist.of({"a": "1/2", "b": "0.25", "c": Fraction(1, 8), "d": 0}, tail="1/8"),
        [("a", Fraction(1, 2)), ("b", Fraction(1, 4)), ("c", Fraction(1, 8))],
    )
    assert agrees(Dist.of([(1, "1/3"), (True, "1/3"), (1, "1/3")]), [(1, Fraction(2, 3)), (True, Fraction(1, 3))])
    assert Dist.of({"a": 1}) == Dist.point("a")
    assert Dist.of({}, tail=1).tail == 1


def test_twin_the_named_laws() -> None:
    assert agrees(Dist.point([1]), [("ignored", Fraction(0))]) is False
    assert list(Dist.point([1]).items()) == [([1], Fraction(1))]
    assert agrees(Dist.uniform(3), [(i, Fraction(1, 3)) for i in range(3)])
    assert agrees(Dist.uniform("aab"), [("a", Fraction(2, 3)), ("b", Fraction(1, 3))])
    assert agrees(Dist.uniform(iter([1, True])), [(1, Fraction(1, 2)), (True, Fraction(1, 2))])
    assert agrees(Dist.bernoulli("1/10"), [(True, Fraction(1, 10)), (False, Fraction(9, 10))])
    assert agrees(Dist.bernoulli(1), [(True, Fraction(1))])
    assert agrees(Dist.bernoulli(0), [(False, Fraction(1))])


@given(st.lists(st.tuples(st.integers(0, 4), laws()), min_size=1, max_size=4))
def test_twin_mix(parts: list[tuple[int, Dist]]) -> None:
    parts.append((1, Dist.uniform(2)))
    total = sum(weight for weight, _ in parts)
    mixed = Dist.mix((Fraction(weight, total), law) for weight, law in parts)
    assert agrees(mixed, [(o, Fraction(w, total) * p) for w, law in parts for o, p in law.items()])


def test_twin_outcomes_are_copied_in_and_out() -> None:
    outcome = [1]
    law = Dist.from_weights([(outcome, 1), ({"a": outcome}, 1)], 2)
    before = law.digest()
    outcome.append(2)
    for _, copied, _ in law.weights():
        copied.clear()
    for copied, _ in law.items():
        copied.clear()
    for copied in law.outcomes():
        copied.clear()
    law.map(lambda value: value.clear())
    law.bind(lambda value: Dist.point(value.clear()))
    law.prob_of(lambda value: value.clear())
    law.given(lambda value: value.clear() is None)
    law.expectation(lambda value: value.clear() or 0)
    assert law.digest() == before
    assert law.prob([1]) == law.prob({"a": [1]}) == Fraction(1, 2)


def test_refused_changes_to_a_law() -> None:
    law = Dist.uniform(2)
    for attribute in ("denominator", "tail_weight", "tail", "_rows", "other"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(law, attribute, 3)
    assert law == copy.copy(law) == copy.deepcopy(law)


@given(laws(), st.sets(st.integers(0, 14)))
def test_twin_prob_and_prob_of(law: Dist, chosen: set[int]) -> None:
    event = [name(OUTCOMES[i]) for i in chosen]
    expected = table(law.items())
    assert law.prob_of(lambda outcome: name(outcome) in event) == sum(
        (p for outcome, p in expected.items() if outcome in event), Fraction(0)
    )
    for outcome in OUTCOMES:
        assert law.prob(outcome) == expected.get(name(outcome), 0)


@given(laws())
def test_twin_listings_agree(law: Dist) -> None:
    assert [(o, Fraction(w, law.denominator)) for _, o, w in law.weights()] == list(law.items())
    assert list(map(name, law.outcomes())) == [name(outcome) for outcome, _ in law.items()]


@given(laws(list(range(-3, 4)), tail=False))
def test_twin_expectation(law: Dist) -> None:
    assert law.expectation() == sum(outcome * p for outcome, p in law.items())
    third = law.expectation(lambda outcome: Fraction(outcome * outcome, 3))
    assert third == sum(Fraction(outcome * outcome, 3) * p for outcome, p in law.items())
    assert type(law.expectation()) is type(third) is Fraction


@given(laws(), st.lists(st.sampled_from(OUTCOMES), min_size=len(OUTCOMES), max_size=len(OUTCOMES)))
def test_twin_map(law: Dist, images: list[Any]) -> None:
    image = dict(zip(map(name, OUTCOMES), images, strict=True))
    mapped = law.map(lambda outcome: image[name(outcome)])
    assert agrees(mapped, [(image[name(outcome)], p) for outcome, p in law.items()])
    assert mapped.denominator == law.denominator


@given(laws(), st.lists(laws(), min_size=len(OUTCOMES), max_size=len(OUTCOMES)))
def test_twin_bind(law: Dist, nexts: list[Dist]) -> None:
    image = dict(zip(map(name, OUTCOMES), nexts, strict=True))
    bound = law.bind(lambda outcome: image[name(outcome)])
    assert agrees(bound, [(o, p * q) for first, p in law.items() for o, q in image[name(first)].items()])


def test_twin_bind_and_map_of_a_law_that_is_all_tail() -> None:
    nothing = Dist.from_weights([], 3)
    assert nothing.bind(Dist.point) == nothing.map(str) == nothing == Dist.of([], tail=1)
    assert Dist.uniform(2).bind(lambda outcome: nothing).tail == 1


@given(laws(), laws(), laws())
def test_twin_product(a: Dist, b: Dist, c: Dist) -> None:
    assert agrees(a.product(b), [((x, y), p * q) for (x, p), (y, q) in product(a.items(), b.items())])
    triples = product(a.items(), b.items(), c.items())
    assert agrees(a.product(b, c), [((x, y, z), p * q * r) for (x, p), (y, q), (z, r) in triples])
    assert agrees(a.product(), [((x,), p) for x, p in a.items()])


@given(integers, st.integers(-4, 4), st.integers(0, 4))
def test_twin_clamp(law: Dist, lo: int, width: int) -> None:
    hi = lo + width
    expected = [(lo if x < lo else hi if x > hi else x, p) for x, p in law.items()]
    assert agrees(law.clamp(lo, hi), expected)


@given(laws(list(range(-3, 4)), tail=False), st.sets(st.integers(-3, 3)))
def test_twin_given(law: Dist, event: set[int]) -> None:
    kept = [(x, p) for x, p in law.items() if x in event]
    total = sum(p for _, p in kept)
    if total:
        assert agrees(law.given(event.__contains__), [(x, p / total) for x, p in kept])
    else:
        with pytest.raises(InputError, match="an event of probability 0"):
            law.given(event.__contains__)
