"""Evidence for claim.py: pairs by brute force, whole sentences, guarantees and claims that are refused."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import ApproxDP, Claim, Epsilon, InputError, Neighbours, PureDP, Unauditable
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.mechanisms.forms import distinct

NAN = float("nan")


def claim(*inputs: Any, neighbours: Neighbours = RELATIONS["counts_differ_by_one"], **changes: Any) -> Claim:
    rest: dict[str, Any] = {"mechanism": "m", "parameters": (), "guarantee": ApproxDP("1", "1/10")}
    return Claim(inputs=inputs, neighbours=neighbours, **{**rest, **changes})


def between(neighbours: str, epsilon: Any, delta: Any) -> Claim:
    return claim(5, neighbours=RELATIONS[neighbours], guarantee=ApproxDP(epsilon, delta))


def test_a_guarantee_holds_exact_numbers_and_says_them() -> None:
    guarantee = ApproxDP("1/2 + ln(3)", "1e-6")
    assert guarantee.epsilon == Epsilon(Fraction(1, 2), Fraction(3))
    assert guarantee.delta == Fraction(1, 10**6)
    assert type(guarantee.delta) is Fraction
    assert str(guarantee) == "(1/2 + ln(3), 1/1000000)-differentially private"
    assert str(ApproxDP(Epsilon.ln(3), 1)) == "(ln(3), 1)-differentially private"


def test_pure_dp_is_approx_dp_with_delta_0() -> None:
    guarantee = PureDP("ln(3)")
    assert isinstance(guarantee, ApproxDP)
    assert (guarantee.epsilon, guarantee.delta) == (Epsilon.ln(3), 0)
    assert str(guarantee) == str(ApproxDP("ln(3)", 0)) == "(ln(3), 0)-differentially private"


def test_a_guarantee_cannot_be_changed() -> None:
    guarantee: Any = ApproxDP("1", 0)
    with pytest.raises(FrozenInstanceError):
        guarantee.delta = Fraction(1)
    assert not hasattr(guarantee, "__dict__")
    assert not hasattr(PureDP("1"), "__dict__")
    found: Any = claim(0, 1)
    with pytest.raises(FrozenInstanceError):
        found.inputs = (0,)
    assert not hasattr(found, "__dict__")


@pytest.mark.parametrize("delta", [0, 1, "0", "1", Fraction(1, 3)])
def test_delta_may_lie_at_both_ends(delta: Any) -> None:
    assert ApproxDP(0, delta).delta == Fraction(delta)


@pytest.mark.parametrize(
    "delta", [-1, 2, "-1e-9999", "1.0000000000000000000001", Fraction(-1, 3), 10**5000], ids=lambda x: ""
)
def test_refused_delta_outside_0_and_1(delta: Any) -> None:
    with pytest.raises(InputError) as caught:
        ApproxDP("1", delta)
    assert caught.value.given.startswith("delta = ")
    assert caught.value.needed == "a number in [0, 1]"
    assert caught.value.remedy == 'write for instance "1e-6"'


@pytest.mark.parametrize("value", [0.1, float("nan"), True, None, "", "a tenth", 1j])
def test_refused_number_that_is_not_exact(value: Any) -> None:
    with pytest.raises(InputError, match=r"^delta "):
        ApproxDP("1", value)
    with pytest.raises(InputError, match=r"^epsilon "):
        ApproxDP(value, "1/10")


def test_a_delta_of_10000_digits_is_said() -> None:
    sentence = claim(0, 1, guarantee=ApproxDP("1", Fraction(1, 10**9999))).sentence()
    assert sentence.startswith("m is (1, 1/1" + "0" * 9999 + ")-differentially private for ")


def test_distinct_merges_equal_inputs_and_only_those() -> None:
    assert repr(distinct([2, 1, 2, True, 1.0, 1, NAN, NAN, -0.0, 0.0, [1], [1], [True]])) == repr(
        (2, 1, True, 1.0, NAN, -0.0, 0.0, [1], [True])
    )
    assert distinct(iter(())) == ()


def test_refused_input_outside_the_registry() -> None:
    with pytest.raises(Unauditable, match="type object is not in the registry"):
        distinct([1, object()])


@pytest.mark.parametrize("inputs", [(1, 1), ([], [0], []), (NAN, 0, NAN), (True, 1, True)])
def test_refused_repeated_inputs(inputs: tuple[Any, ...]) -> None:
    with pytest.raises(InputError) as caught:
        claim(*inputs)
    assert str(caught.value) == "repeated inputs: distinct ones; pass them through distinct()"


@pytest.mark.parametrize("observes", ["", "draws", "Outcome", "outcome and draws ", None])
def test_refused_observable(observes: Any) -> None:
    with pytest.raises(InputError) as caught:
        claim(observes=observes)
    assert caught.value.given == f"observes={observes!r}"
    assert caught.value.needed == "'outcome' or 'outcome and draws'"
    assert caught.value.remedy == "name one of them"


@pytest.mark.parametrize(
    "neighbours",
    [
        Neighbours("any", lambda a, b: False, "any two inputs"),
        Neighbours("any", RELATIONS["any"].predicate, "two inputs"),
        Neighbours("l1", RELATIONS["linf"].predicate, RELATIONS["l1"].words),
        Neighbours("everyone", lambda a, b: False, "any two inputs"),
        Neighbours("l1", RELATIONS["l1"].predicate, RELATIONS["l1"].words, lambda a: set()),
        Neighbours("custom:max", max, "inputs that max relates", lambda a: set()),
        Neighbours("custom:max", max, "any two inputs"),
        Neighbours("custom:min", max, "inputs that min relates"),
    ],
)
def test_refused_relation_under_another_name_or_other_words(neighbours: Neighbours) -> None:
    with pytest.raises(InputError) as caught:
        claim(0, 1, neighbours=neighbours)
    line = f"a relation of one's own called {neighbours.name!r}: its predicate; pass neighbours=predicate"
    assert str(caught.value) == line


def test_a_users_own_predicate_is_named_as_such() -> None:
    def near(a: int, b: int) -> bool:
        return abs(a - b) < 3

    found = claim(0, 1, neighbours=custom(near))
    assert found.neighbours.name == "custom:test_a_users_own_predicate_is_named_as_such.<locals>.near"
    assert "near relates" in found.sentence()


@given(st.lists(st.integers(-4, 4) | st.booleans(), max_size=6), st.sampled_from(["counts_differ_by_one", "any"]))
def test_exact_twin_pairs_are_all_ordered_pairs_that_are_related(inputs: list[Any], name: str) -> None:
    neighbours, scope = RELATIONS[name], distinct(inputs)
    ordered = permutations(range(len(scope)), 2)
    expected = sorted((i, j) for i, j in ordered if neighbours(scope[i], scope[j]))
    assert sorted(claim(*scope, neighbours=neighbours).pairs()) == expected


def test_pairs_come_in_both_orders_and_by_their_later_input() -> None:
    assert list(claim(0, 1, 2).pairs()) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert list(claim(2, 0, 1).pairs()) == [(0, 2), (2, 0), (1, 2), (2, 1)]
    assert list(claim(0, 2, 4).pairs()) == []
    assert list(claim().pairs()) == []


def test_the_relation_is_asked_about_each_two_inputs_once() -> None:
    asked: list[tuple[int, int]] = []

    def near(a: int, b: int) -> bool:
        asked.append((a, b))
        return asked.count((a, b)) == 1

    found = claim(0, 1, 2, neighbours=custom(near))
    assert asked == []
    assert list(found.pairs()) == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert asked == [(0, 1), (0, 2), (1, 2)]


def test_the_digest_of_the_inputs_is_what_certificates_hold() -> None:
    assert claim(0, 1).inputs_digest() == "85857195b11f8a3c5da0db2caa78e88ab1485d0b2b9b3605be470c06371eb3e0"


def test_other_inputs_have_another_digest() -> None:
    scopes: list[tuple[Any, ...]] = [(), (0,), (1,), (True,), (0, 1), (1, 0), ("0", "1"), ("01",), ([0, 1],)]
    assert len({claim(*scope).inputs_digest() for scope in scopes}) == len(scopes)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((), "no inputs"),
        ((7,), "the inputs 7"),
        ((0, 1), "the inputs 0, 1"),
        ((3, 4, 5), "the 3 inputs 3 to 5"),
        ((-1, 0, 1, 2, 3), "the 5 inputs -1 to 3"),
        ((0, 1, 3), "the inputs 0, 1, 3"),
        ((2, 1, 0), "the inputs 2, 1, 0"),
        ((False, True, 2), "the inputs False, True, 2"),
        ((0, 1, True, 2), "the inputs 0, 1, True, 2"),
        ((0, 1.0, 2), "the inputs 0, 1.0, 2"),
        (([], [0], [1], [0, 1], [1, 0]), "the 5 inputs from [] to [1, 0]"),
        ((0, 1, 2, 3, 5), "the 5 inputs from 0 to 5"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_inputs_in_words(inputs: tuple[Any, ...], words: str) -> None:
    assert claim(*inputs).inputs_words() == words


def test_long_inputs_in_words() -> None:
    long = "<integer of 16610 bits>"
    assert claim(*range(10**5000, 10**5000 + 3)).inputs_words() == f"the 3 inputs {long} to {long}"


@pytest.mark.usefixtures("at_once")
def test_inputs_far_apart_are_put_in_words_at_once() -> None:
    assert claim(0, 1, 10**12).inputs_words() == "the inputs 0, 1, 1000000000000"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: claim(0, 1, 2),
            "m is (1, 1/10)-differentially private for counts that differ by one, on the 3 inputs 0 to 2",
        ),
        (
            lambda: claim(
                0, 1, neighbours=RELATIONS["any"], parameters=(("n", "3"), ("rate", "1/2")), guarantee=PureDP("ln(3)")
            ),
            "m(n=3, rate=1/2) is (ln(3), 0)-differentially private for any two inputs, on the inputs 0, 1",
        ),
        (
            lambda: claim(5, observes="outcome and draws"),
            "m, its draws observed, is (1, 1/10)-differentially private for counts that differ by one, on the inputs 5",
        ),
        *(
            (
                lambda near=near, epsilon=epsilon, delta=delta: between(near, epsilon, delta),
                f"m{words}, on the inputs 5",
            )
            for near, epsilon, delta, words in [
                ("program", 0, 0, ": one law on each input"),
                ("program", 0, "1/8", ": laws at most 1/8 apart on each input"),
                ("program", 1, 0, " is (1, 0)-differentially private for one input that either program reads"),
                ("any", 0, 0, " is (0, 0)-differentially private for any two inputs"),
            ]
        ),
    ],
)
def test_a_claim_says_its_whole_sentence(make: Callable[[], Claim], sentence: str) -> None:
    assert make().sentence() == sentence


class Agreeable(Neighbours):
    def __eq__(self, other: object) -> bool:
        return True

    def __call__(self, a: object, b: object) -> bool:
        return False


class Generous(ApproxDP):
    pass


@pytest.mark.parametrize(
    ("neighbours", "guarantee", "given"),
    [
        (Agreeable("any", lambda a, b: True, "any two inputs"), PureDP("1"), "a Agreeable and a PureDP"),
        (RELATIONS["any"], Generous("1", 0), "a Neighbours and a Generous"),
    ],
)
def test_refused_subclasses_of_the_kernels_types(neighbours: Neighbours, guarantee: ApproxDP, given: str) -> None:
    with pytest.raises(InputError, match=f"{given}: the kernel's own types"):
        Claim("m", (), (0, 1), neighbours, guarantee)
