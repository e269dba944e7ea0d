"""Evidence for domain.py: what every mechanism takes is stated, its scope is within it, and all else is refused."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpcert import InputError, seeded_coins
from dpcert.mechanisms.broken.keep_heavy import keep_heavy_order
from dpcert.mechanisms.domain import Domain, bits, counts, label_lists, label_lists_up_to
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_LISTS, fewer
from dpcert.mechanisms.finite_computers.distinct import distinct_elsewhere, distinct_sample
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.targets.catalogue import BUILT_IN, MECHANISMS, ZOO


class Whole(int):
    """An integer that is none by its exact type."""

    def __repr__(self) -> str:
        return f"Whole({int(self)})"


NO_INTEGERS: list[object] = [
    None, True, False, 0.0, 1.0, float("nan"), Fraction(1), "1", b"1", 1j, Whole(1), [], [1], (1,), {1}, {1: 1},
]  # fmt: skip
LABELS: list[object] = [-1, 0, 1, 2, 3, 10**30, *NO_INTEGERS]
SHORT: list[object] = [list(labels) for n in range(4) for labels in product(LABELS[:5], repeat=n)]
ODD: list[object] = [*([0, odd] for odd in LABELS), *([odd, 0] for odd in LABELS)]
VALUES = [*LABELS, *SHORT, *ODD, (0, 1), {0: 1}, "01", range(2), iter([0, 1])]


def integers(least: int, most: int) -> list[object]:
    return [value for value in VALUES if type(value) is int and least <= value <= most]


def lists_of(lengths: range, universe: int) -> list[object]:
    """The lists among VALUES that are lists of so many labels, by another test than the domain's."""
    labels = [str(label) for label in range(universe)]
    return [v for v in VALUES if type(v) is list and len(v) in lengths and all(repr(x) in labels for x in v)]


@pytest.mark.parametrize(("domain", "words", "inside"), [
    (bits(), "a bit, 0 or 1", integers(0, 1)),
    (counts(3), "a count from 0 to 3", integers(0, 3)),
    (counts(3, least=1, noun="frequency"), "a frequency from 1 to 3", integers(1, 3)),
    (counts(None), "a count >= 0", integers(0, 10**99)),
    (counts(None, least=2), "a count >= 2", integers(2, 10**99)),
    (label_lists(2, 3), "a list of 2 labels from 0 to 2", lists_of(range(2, 3), 3)),
    (label_lists(1, 1), "a list of 1 labels, all 0", [[0]]),
    (label_lists_up_to(2, 3), "a list of 0 to 2 labels from 0 to 2", lists_of(range(3), 3)),
    (label_lists_up_to(3, 2, least=1), "a list of 1 to 3 labels from 0 to 1", lists_of(range(1, 4), 2)),
    (label_lists_up_to(None, 2), "a list of any number of labels from 0 to 1", lists_of(range(99), 2)),
    (label_lists_up_to(None, 2, least=3), "a list of 3 or more labels from 0 to 1", lists_of(range(3, 99), 2)),
])  # fmt: skip
def test_a_domain_is_what_its_words_say(domain: Domain, words: str, inside: list[object]) -> None:
    assert domain.words == words
    assert [repr(value) for value in VALUES if value in domain] == [repr(value) for value in inside]
    for value in VALUES:
        if value in domain:
            domain.require(value)
        else:
            with pytest.raises(InputError) as caught:
                domain.require(value, "--input")
            assert caught.value.needed == words
            assert caught.value.given.startswith("--input ")
            assert str(caught.value).isprintable()


@pytest.mark.parametrize(("domain", "value", "given"), [
    (bits(), True, "input True, which is of type bool, not int"),
    (counts(3), 4, "input 4, which is above 3"),
    (counts(3), -1, "input -1, which is below 0"),
    (counts(3), Fraction(1, 2), "input Fraction(1, 2), which is of type Fraction, not int"),
    (counts(3), 10**999, "input <integer of 3319 bits>, which is above 3"),
    (counts(3), object(), "input of type object, which is of type object, not int"),
    (label_lists(2, 5), [0, 0, 0], "input [0, 0, 0], which has length 3"),
    (label_lists(2, 5), (0, 0), "input (0, 0), which is of type tuple, not list"),
    (label_lists(2, 5), [0, 9], "input [0, 9], in which label 9 at place 1 is above 4"),
    (label_lists(2, 5), [1.0, 0], "input [1.0, 0], in which label 1.0 at place 0 is of type float, not int"),
    (label_lists(2, 5), [0, True], "input [0, True], in which label True at place 1 is of type bool, not int"),
])  # fmt: skip
def test_refused_with_what_is_wrong(domain: Domain, value: object, given: str) -> None:
    with pytest.raises(InputError) as caught:
        domain.require(value)
    assert caught.value.given == given


def test_what_is_wrong_is_seen_in_a_long_list_too() -> None:
    with pytest.raises(InputError, match=r"in which label -7 at place 9999 is below 0"):
        label_lists(10_000, 10).require([9] * 9_999 + [-7])


@pytest.mark.parametrize(("domain", "remedy"), [
    (counts(3), "write such an integer, or raise n"),
    (counts(3, raising="imax"), "write such an integer, or raise imax"),
    (label_lists(2, 5), "write a list such as [0, 0]"),
    (label_lists(9, 5), "write a list such as [0, 0, 0, ...]"),
    (label_lists_up_to(None, 5), "write a list such as [0]"),
])  # fmt: skip
def test_the_remedy_is_an_input_of_the_domain(domain: Domain, remedy: str) -> None:
    assert domain.remedy == remedy


def default(mechanism: Mechanism) -> Instance:
    return mechanism.build(mechanism.settings({}))


def domain_of(instance: Instance) -> Domain:
    assert instance.domain is not None
    return instance.domain


STATED = [mechanism for mechanism in BUILT_IN.values() if default(mechanism).domain is not None]


def test_every_mechanism_and_every_twin_of_one_states_what_it_takes() -> None:
    stated = {mechanism.name for mechanism in STATED}
    assert {mechanism.name for mechanism in MECHANISMS} - stated == set()
    assert {mechanism.name for mechanism in ZOO} - stated == set()


@pytest.mark.parametrize("mechanism", STATED, ids=lambda mechanism: mechanism.name)
def test_the_default_scope_is_within_the_domain(mechanism: Mechanism) -> None:
    instance = default(mechanism)
    assert [value for value in instance.inputs if value not in domain_of(instance)] == []


@pytest.mark.parametrize("mechanism", STATED, ids=lambda mechanism: mechanism.name)
def test_no_default_domain_takes_another_type(mechanism: Mechanism) -> None:
    instance = default(mechanism)
    domain = domain_of(instance)
    for value in (instance.inputs[0], instance.inputs[-1]):
        assert value in domain
        others: list[Any]
        if type(value) is tuple:
            *users, last = value
            odd = [*((*last[:-1], count) for count in (True, 0.0, -1, "0", Whole(0))), set(last), 0]
            others = [
                users,
                (*value, last),
                (*users, last[1:]),
                (*users, (*last, 0)),
                *((*users, other) for other in odd),
                {0: last},
                str(value),
                iter(value),
            ]
        elif type(value) is list:
            others = [tuple(value), [True, *value[1:]], *([*value[:-1], odd] for odd in (0.0, -1, 10**30)), {0: 1}]
        else:
            others = [bool(value), float(value), -1 - value, str(value), [value], Whole(value)]
        assert [other for other in others if other in domain] == []


@pytest.mark.parametrize(
    "mechanism", [mechanism for mechanism in MECHANISMS if mechanism in STATED], ids=lambda mechanism: mechanism.name
)
def test_no_program_raises_on_its_domain(mechanism: Mechanism) -> None:
    """Inputs of the domain beyond the scope are taken as well: more people, and more of one label."""
    instance = default(mechanism)
    domain = domain_of(instance)
    first = instance.inputs[-1]
    if type(first) is tuple:
        tried = [tuple(tuple(10**more * count for count in user) for user in first) for more in (1, 30)]
        tried += [[list(user) for user in first]]
    else:
        tried = [first * 2, first * 5, first + first[:1], first[:1]] if type(first) is list else [0, 1, first + 1, 50]
    for seed, value in enumerate([*instance.inputs[:5], *instance.inputs[-5:], *(v for v in tried if v in domain)]):
        outcome = instance.program(value, seeded_coins(seed))
        assert instance.closed_form is not None
        assert instance.closed_form(value).prob(outcome) > 0


def test_a_fault_takes_what_the_correct_mechanism_takes() -> None:
    settings = keep_heavy_order.settings({})
    meant, faulty = domain_of(KEEP_HEAVY.build(settings)), domain_of(keep_heavy_order.build(settings))
    assert faulty.words == meant.words == "a list of 2 labels from 0 to 2"


@pytest.mark.parametrize("name", ["basic-histogram", "stability-histogram"])
def test_where_two_labels_stand_for_all_shorter_lists_are_taken(name: str) -> None:
    mechanism = BUILT_IN[name]
    instance = mechanism.build(mechanism.settings({"n": "6", "universe": "1000"}))
    domain = domain_of(instance)
    assert all(value in domain for value in instance.inputs)
    assert all(value in domain for value in ([0], [1] * 6, [0, 1]))
    assert [value for value in ([], [0] * 7, [1000], [-1]) if value in domain] == []
    assert ([0, 2] in domain) is (name == "stability-histogram")
    both = mechanism.build(mechanism.settings({"n": "20", "universe": "2"}))
    assert domain_of(both).words == "a list of 20 labels from 0 to 1"


@pytest.mark.parametrize("amount", [
    lambda n, universe: universe**n, lambda n, universe: sum(universe**length for length in range(n + 1)),
])  # fmt: skip
@pytest.mark.parametrize("n", [1, 2, 3, 5, 13])
@pytest.mark.parametrize("universe", [2, 3, 17, 71, 5_000, 6_000])
def test_the_sizes_that_can_be_are_found_by_trying_all(
    amount: Callable[[int, int], int], n: int, universe: int
) -> None:
    people = [lower for lower in range(1, n) if amount(lower, universe) <= MAX_LISTS]
    labels = [lower for lower in range(2, universe) if amount(n, lower) <= MAX_LISTS]
    words = [f"set n={size}" for size in people[-1:]] + [f"take {size} labels" for size in labels[-1:]]
    if amount(n, universe) > MAX_LISTS:
        assert fewer(n, universe, amount) == (" or ".join(words) or "lower both")


@pytest.mark.parametrize("held", [(3, 3), (0, 5), (-1,), (2, 1, 2)])
def test_refused_labels_held_that_are_no_set_of_labels(held: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="distinct labels from 0 to 4"):
        distinct_sample(universe=5, held=held, amount=1, coins=seeded_coins(1))
    with pytest.raises(InputError, match="distinct labels from 0 to 4"):
        distinct_elsewhere(universe=5, held=held, most=3, amount=1, wanted=1, coins=seeded_coins(1))
