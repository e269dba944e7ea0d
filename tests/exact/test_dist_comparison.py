"""Laws compared with each other, their digests and texts, refused inputs, and speed."""

import operator
import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, InputError, Unauditable

from .laws import laws, name, table

whole = laws(tail=False)


@given(whole, whole)
def test_twin_total_variation_is_the_largest_difference_over_all_events(a: Dist, b: Dist) -> None:
    p, q = table(a.items()), table(b.items())
    names = sorted(p.keys() | q.keys(), key=repr)
    differences = [
        sum((p.get(n, Fraction(0)) - q.get(n, Fraction(0)) for n, chosen in zip(names, event, strict=True) if chosen))
        for event in product([False, True], repeat=len(names))
    ]
    assert a.total_variation(b) == b.total_variation(a) == max(differences)
    assert a.total_variation_bounds(b) == (max(differences), max(differences))


def spread(weights: list[int], rest: int) -> Iterable[list[int]]:
    """Every way to add `rest` units to the weights, of which the last two belong to new outcomes."""
    for bins in combinations_with_replacement(range(len(weights)), rest):
        yield [weight + bins.count(i) for i, weight in enumerate(weights)]


@given(st.lists(st.integers(0, 2), min_size=2, max_size=2), st.lists(st.integers(0, 2), min_size=2, max_size=2))
def test_twin_total_variation_bounds_are_met_by_some_spread_of_the_tails(p: list[int], q: list[int]) -> None:
    unit = 4
    a, b = Dist.from_weights(enumerate(p), unit), Dist.from_weights(enumerate(q), unit)
    distances = [
        Fraction(sum(abs(v - w) for v, w in zip(x, y, strict=True)), 2 * unit)
        for x in spread([*p, 0, 0], unit - sum(p))
        for y in spread([*q, 0, 0], unit - sum(q))
    ]
    assert a.total_variation_bounds(b) == (min(distances), max(distances))


@given(laws(), laws(), st.integers(1, 5))
def test_twin_equality_is_equality_of_probabilities(a: Dist, b: Dist, scale: int) -> None:
    expected = table(a.items()) == table(b.items())
    assert (a == b) is expected
    assert (a != b) is not expected
    assert not expected or hash(a) == hash(b)
    scaled = Dist.from_weights([(o, w * scale) for _, o, w in reversed(list(a.weights()))], a.denominator * scale)
    assert a == scaled
    assert hash(a) == hash(scaled)


def test_twin_laws_that_differ_only_in_type_weight_or_tail_differ() -> None:
    law = Dist.from_weights([(1, 1), (0, 1)], 2)
    assert law == Dist.from_weights([(0, 2), (1, 2)], 4)
    assert law != Dist.from_weights([(True, 1), (False, 1)], 2)
    assert law != Dist.from_weights([(1, 1), (0, 1)], 3)
    assert law != Dist.from_weights([(1, 2), (0, 1)], 3)
    assert law != Dist.from_weights([(1, 2)], 2)
    assert law != {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert len({law, Dist.uniform(2), Dist.from_weights([(0, 2), (1, 2)], 4)}) == 1


@given(laws(), laws())
def test_twin_digests_agree_exactly_where_the_representations_do(a: Dist, b: Dist) -> None:
    def represented(law: Dist) -> Any:
        return law.denominator, law.tail_weight, {name(o): w for _, o, w in law.weights()}

    assert (a.digest() == b.digest()) is (represented(a) == represented(b))
    assert a.digest() == Dist.from_weights([(o, w) for _, o, w in reversed(list(a.weights()))], a.denominator).digest()


def test_twin_the_digest_is_of_the_law_as_represented() -> None:
    pairs = [(0, 1), (1, 1)]
    digests = {
        Dist.from_weights(pairs, 2).digest(),
        Dist.from_weights([(o, 2 * w) for o, w in pairs], 4).digest(),
        Dist.from_weights(pairs, 4).digest(),
        Dist.from_weights([(False, 1), (True, 1)], 2).digest(),
        Dist.from_weights([(0, 1), (2, 1)], 2).digest(),
    }
    assert len(digests) == 5
    assert all(len(digest) == 64 and int(digest, 16) >= 0 for digest in digests)


def test_twin_the_digest_is_fixed_for_ever() -> None:
    expected = "54845cab2ecb4f700cf519103732be930429cf7ff672a3069c9a6a565c81f71a"
    assert Dist.bernoulli("1/3").digest() == expected


def test_twin_texts() -> None:
    assert repr(Dist.bernoulli("1/3")) == "Dist(True: 1/3, False: 2/3; tail 0/1)"
    assert repr(Dist.from_weights([("a", 1)], 3)) == "Dist('a': 1/3; tail 2/3)"
    assert repr(Dist.uniform(8)).endswith("7: 1/8; tail 0/1)")
    assert repr(Dist.uniform(9)).endswith("7: 1/9, ... 1 more; tail 0/1)")
    assert repr(Dist.uniform(10)).endswith("7: 1/10, ... 2 more; tail 0/1)")
    assert repr(Dist.from_weights([(0, 3**5000)], 1 << 9000)).startswith("Dist(0: <integer of 7925 bits>/<integer")


class Subclass(Dist):
    """No law: a subclass could answer as it likes."""


def test_refused_truth_value() -> None:
    for law in (Dist.uniform(2), Dist.from_weights([], 1)):
        with pytest.raises(TypeError, match=r"a law has no truth value; ask len\(law\), law.prob\(outcome\) or law =="):
            bool(law)


HALF = Dist.from_weights([(0, 1)], 2)
LAW = Dist.uniform(3)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: Dist.from_weights([], 0), "0: a denominator that is an int >= 1; count all mass in one unit"),
        (lambda: Dist.from_weights([], -2), "-2: a denominator that is an int >= 1"),
        (lambda: Dist.from_weights([], True), "a value of type bool: a denominator that is an int >= 1"),
        (lambda: Dist.from_weights([], 1.0), "a value of type float: a denominator that is an int >= 1"),
        (lambda: Dist.from_weights([(0, -1)], 1), "-1: weights that are ints >= 0; use Dist.of"),
        (lambda: Dist.from_weights([(0, 0.5)], 1), "a value of type float: weights that are ints >= 0; use Dist.of"),
        (lambda: Dist.from_weights([(0, True)], 1), "a value of type bool: weights that are ints >= 0"),
        (lambda: Dist.from_weights([(0, Fraction(1))], 1), "1/1: weights that are ints >= 0; use Dist.of"),
        (
            lambda: Dist.from_weights([(0, 2), (1, 2)], 3),
            "weights that sum to more: at most the denominator; raise it or scale the weights",
        ),
        (lambda: Dist.of({0: 0.5, 1: 0.5}), "A float is not the number it prints as"),
        (lambda: Dist.of({0: "1/2"}), "1/2: probabilities that sum to 1, tail included; add what is missing"),
        (lambda: Dist.of({0: "3/2"}), "3/2: probabilities that sum to 1, tail included"),
        (lambda: Dist.of({0: "3/2", 1: "-1/2"}), "-1/2: probabilities, and a tail, >= 0; correct the negative one"),
        (lambda: Dist.of({0: "3/2"}, tail="-1/2"), "-1/2: probabilities, and a tail, >= 0"),
        (lambda: Dist.of({}), "0/1: probabilities that sum to 1"),
        (lambda: Dist.uniform(0), "0: an int >= 1 or an iterable with items; give at least one outcome"),
        (lambda: Dist.uniform(-1), "-1: an int >= 1 or an iterable with items"),
        (lambda: Dist.uniform([]), "a value of type list: an int >= 1 or an iterable with items"),
        (lambda: Dist.uniform(True), "a value of type bool: an int >= 1 or an iterable with items"),
        (lambda: Dist.bernoulli("3/2"), "3/2: a probability in [0, 1]; check its computation"),
        (lambda: Dist.bernoulli(-1), "-1/1: a probability in [0, 1]"),
        (lambda: Dist.bernoulli(0.1), "A float is not the number it prints as"),
        (lambda: Dist.mix([]), "0/1: probabilities that sum to 1"),
        (lambda: Dist.mix([("1/2", LAW)]), "1/2: probabilities that sum to 1"),
        (lambda: Dist.mix([(1, 5)]), "5: a law; wrap an outcome as Dist.point(outcome)"),
        (lambda: LAW.bind(lambda outcome: outcome), "0: a law; wrap an outcome as Dist.point(outcome)"),
        (lambda: LAW.bind(lambda outcome: Subclass({}, 1, 1)), "a value of type Subclass: a law"),
        (lambda: LAW.product(3), "3: a law; wrap an outcome as Dist.point(outcome)"),
        (lambda: LAW.clamp(2, 1), "2: a lower end that is at most the upper one; swap the ends"),
        (lambda: LAW.clamp(0, 1.5), "a value of type float: int outcomes, and int ends, to clamp"),
        (lambda: Dist.bernoulli("1/2").clamp(0, 1), "a value of type bool: int outcomes, and int ends, to clamp"),
        (lambda: LAW.given(lambda outcome: False), "an event of probability 0: a positive one to condition on"),
        (lambda: HALF.given(lambda outcome: True), "1/2: a tail of 0 for given; write the loop that leaves it as"),
        (lambda: HALF.expectation(), "1/2: a tail of 0 for expectation; write the loop"),
        (lambda: Dist.point("a").expectation(), "a: int or Fraction values to average; pass f="),
        (lambda: Dist.point(True).expectation(), "a value of type bool: int or Fraction values to average"),
        (lambda: LAW.expectation(lambda x: x / 2), "a value of type float: int or Fraction values to average"),
        (lambda: LAW.total_variation(HALF), "1/2: a tail of 0 for total_variation; use total_variation_bounds"),
        (lambda: HALF.total_variation(LAW), "1/2: a tail of 0 for total_variation; use total_variation_bounds"),
        (lambda: LAW.total_variation({}), "a value of type dict: a law"),
        (lambda: LAW.total_variation_bounds(None), "a value of type NoneType: a law"),
    ],
)
def test_refused_input(action: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        action()
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "action",
    [
        lambda: Dist.from_weights([(range(3), 1)], 1),
        lambda: Dist.of([(object(), 1)]),
        lambda: Dist.point(x for x in ()),
        lambda: Dist.uniform([bytearray()]),
        lambda: LAW.map(lambda outcome: range(outcome)),
        lambda: LAW.bind(lambda outcome: Dist.point(operator.itemgetter(outcome))),
        lambda: LAW.prob(range(3)),
    ],
)
def test_refused_outcomes_outside_the_registry(action: Callable[[], object]) -> None:
    with pytest.raises(Unauditable, match="is not in the registry of outcomes"):
        action()


@pytest.mark.usefixtures("at_once")
def test_speed_of_building_digesting_and_comparing_long_weights() -> None:
    rng = random.Random(1)
    weights = [rng.getrandbits(5000) | 1 for _ in range(1001)]
    law = Dist.from_weights(enumerate(weights), 1 << 5010)
    again = Dist.from_weights([(i, 2 * weight) for i, weight in enumerate(weights)], 1 << 5011)
    assert law == again
    assert law.digest() != again.digest()  # of the law as represented
