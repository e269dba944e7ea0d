"""Evidence that changes of the exact layer are noticed, each found by `benchmarks/mutants.py` and missed before."""

import math
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpcert import Coins, Dist, InputError, Limits, seeded_coins, summarize
from dpcert.mechanisms.exact import chain, number
from dpcert.mechanisms.exact.enumerator import EagerRun, LazyRun, exact_law
from dpcert.mechanisms.exact.epsilon import exp_power_of_two_lo
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.outcome import MAX_SHOWN, Raised, show
from dpcert.mechanisms.exact.run import Cut, Poisoned, Run, Stale
from dpcert.reading.paths.enumerator import Enumeration

Law = Callable[..., Dist]
Refusal = Callable[..., str]
Twin = Callable[..., Enumeration]


def test_caught_a_run_that_asks_another_draw_of_the_same_bound(refusal: Refusal) -> None:
    runs: list[int] = []

    def program(_: object, coins: Coins) -> object:
        draws = coins.below(4), coins.below(4)
        runs.append(0)
        return draws[len(runs) % 2] <= 1

    refusal(program, "run again, it met other decisions", replay=False)


def test_exact_twin_of_a_comparison_that_the_remainder_decides(twin: Twin) -> None:
    def program(_: object, coins: Coins) -> object:
        u = coins.below(40)
        return (u > 10, u <= 10) if u % 7 == 5 else None

    twin(program)


@pytest.mark.parametrize("bound", [3, 4, 5])
def test_a_plain_draw_is_enumerated_up_to_the_limit_of_runs(bound: int) -> None:
    found = exact_law(lambda _, coins: coins.below(bound), None, Settings(EagerRun, Limits(max_runs=4)))
    assert found.law == (Dist.uniform(bound) if bound <= 4 else Dist.of({}, tail=1))


def test_a_law_is_unlike_what_is_no_law() -> None:
    for other in (1, "1", None, Fraction(1), {1: 1}):
        assert Dist.point(1).__eq__(other) is NotImplemented
        assert (Dist.point(1) == other) is False


def test_a_line_escapes_what_does_not_print_and_nothing_else() -> None:
    assert one_line("é\x00\u200bπ \n x") == r"é\x00\u200bπ x"


@pytest.mark.points(1)
@pytest.mark.parametrize(
    "see",
    [
        lambda u: -(-u // 2),
        lambda u: -((u + 1) // 2),
        lambda u: -((3 * u + 1) // 2),
        lambda u: -((1 - 3 * u) // 2),
        lambda u: 5 - (7 - 2 * (u // 2)) // 3,
        lambda u: -((-((5 - 2 * u) // 3)) // 2),
        lambda u: -u.bit_length(),
        lambda u: -((2 - (u + 3).bit_length()) // 2),
    ],
)
def test_exact_twin_of_quotients_behind_a_minus(twin: Twin, see: Callable[[Any], Any]) -> None:
    values = [see(u) for u in range(9)]
    for c in range(min(values) - 1, max(values) + 2):
        below = twin(lambda _, coins, c=c: see(coins.below(9)) <= c).law
        assert below.prob(True) == Fraction(sum(value <= c for value in values), 9)
        twin(lambda _, coins, c=c: see(coins.below(9)) == c)


def test_more_leaves_than_runs_in_the_first_level_leave_all_in_the_tail() -> None:
    def program(_: object, coins: Coins) -> tuple[bool, ...]:
        u = coins.below(4)
        return u <= 1, u <= 0, u <= 2

    assert exact_law(program, None, Settings(LazyRun, Limits(max_runs=4))).law.tail == 0
    found = exact_law(program, None, Settings(LazyRun, Limits(max_runs=3)))
    assert found.law.tail == 1
    assert found.notes == ("more than 3 runs are needed",)


@pytest.mark.parametrize("power", range(15, 41, 5))
def test_the_power_of_two_below_e_to_a_huge_number_is_as_near_as_it_says(power: int) -> None:
    with mpmath.workdps(80):
        exact = mpmath.mpf(10) ** power / mpmath.log(2)
        assert 0 <= exact - exp_power_of_two_lo(Fraction(10**power)) <= 1 + mpmath.mpf(10) ** (power - 16)


def test_exact_twin_a_summarized_function_gets_its_other_arguments(twin: Twin) -> None:
    @summarize
    def total(first: int, coins: Coins, *, last: int) -> tuple[int, int, int]:
        return first, coins.below(2), last

    coins = seeded_coins(0)
    assert {total(3, coins, last=5) for _ in range(50)} == {(3, 0, 5), (3, 1, 5)}
    assert twin(lambda _, coins: total(3, coins, last=5)).law == Dist.uniform([(3, 0, 5), (3, 1, 5)])


def test_the_bounds_of_a_number_in_mixed_radix_are_those_of_its_values() -> None:
    run = Run(([], 0, 0, 0), 0, None, None)
    node = Node(run, 0, 0).become(3, Node(run, 1, 2), Node(run, 1, 2), -4)
    values = [3 * high + low - 4 for high in (1, 2) for low in (1, 2)]
    assert (node.least(), node.greatest(), node.count()) == (min(values), max(values), len(values))
    assert (node.pick(min), node.pick(max)) == (min(values), max(values))


def test_a_path_that_is_given_up_counts_as_one_run() -> None:
    found = exact_law(
        lambda _, coins: coins.random() if coins.below(2) else 1, None, Settings(EagerRun, Limits(max_runs=2))
    )
    assert found.law == Dist.of({1: "1/2"}, tail="1/2")
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    "program",
    [
        lambda coins: math.inf - coins.below(2) * 1.0,
        lambda coins: -math.inf / (coins.below(2) * 1.0 + 1),
        lambda coins: (coins.below(2) << 1100) * 1.0,
        lambda coins: (coins.below(2) << 1100) / 3,
        lambda coins: (coins.below(3) - 1) * 1e200 * 1e200,
    ],
)
def test_exact_twin_of_floats_that_overflow(twin: Twin, program: Callable[[Coins], object]) -> None:
    twin(lambda _, coins: program(coins))


def test_a_random_number_that_may_overflow_is_needed_plain() -> None:
    found = exact_law(lambda _, coins: coins.random() * 1e308 * 10 < 5, None)
    assert found.law.tail == 1
    assert "was needed as a plain float" in found.notes[0]


def test_a_merged_step_without_a_tail_leaves_no_note() -> None:
    found = exact_law(lambda _, coins: coins.fold(range(3), 0, lambda s, i, c: s + c.below(2)), None)
    assert found.law == Dist.from_weights([(0, 1), (1, 3), (2, 3), (3, 1)], 8)
    assert found.notes == ()


def test_exact_twin_an_exception_of_a_merged_step_carries_decided_numbers(twin: Twin) -> None:
    @summarize
    def fail(coins: Coins) -> int:
        raise ValueError(coins.below(2))

    def program(_: object, coins: Coins) -> object:
        try:
            return fail(coins)
        except ValueError as error:
            return error.args[0]

    assert twin(program).law == Dist.uniform(2)


@pytest.mark.parametrize("other", [Fraction(2), Fraction(5, 2), Fraction(0), Fraction(9)])
def test_exact_twin_of_equality_with_a_fraction(twin: Twin, other: Fraction) -> None:
    found = twin(lambda _, coins: (coins.below(4) == other, coins.below(4) != other)).law
    assert found.prob_of(lambda outcome: outcome[0]) == Fraction(int(other in (0, 2)), 4)
    assert found.prob_of(lambda outcome: outcome[1]) == 1 - Fraction(int(other in (0, 2)), 4)


@pytest.mark.parametrize("text", ["9" * 100_000 + ".5", "." + "9" * 100_001, "9" * 50_000 + "." + "9" * 50_001])
def test_refused_digits_before_and_after_the_point_count_together(text: str) -> None:
    with pytest.raises(InputError, match="at most 100,000 digits"):
        number.exact(text)


@pytest.mark.points(3)
@pytest.mark.parametrize(
    "see",
    [
        lambda u: (u - 4).bit_length(),
        lambda u: ((u - 4).bit_length(), u <= 3),
        lambda u: (u - 4).bit_length() <= 2,
        lambda u: (u - 8).bit_length(),
        lambda u: u % 0,
        lambda u: (u + 1) // 2 % 0,
        lambda u: (5 & u, u & 6),
        lambda u: (7 & u, 3 & (u + 1), u & -1, -2 & u),
    ],
)
def test_exact_twin_of_bits_and_remainders_at_their_edges(twin: Twin, see: Callable[[Any], Any]) -> None:
    twin(lambda _, coins: see(coins.below(9)))


def test_the_limits_are_those_of_the_documentation() -> None:
    assert Limits() == Limits(100_000, Fraction(1, 10**30), 1_000_000)
    assert chain.MAX_STATES == 2_000


def test_refused_start_of_a_fold_that_is_no_outcome(refusal: Refusal) -> None:
    refusal(lambda _, coins: coins.fold(range(2), object(), lambda s, i, c: c.below(2)), "a state of fold, loop or")


def test_exact_twin_of_a_fold_over_functions(twin: Twin) -> None:
    found = twin(lambda _, coins: coins.fold([max, min], 1, lambda s, best, c: best(s, c.below(3)))).law
    assert found == Dist.from_weights([(0, 3), (1, 5), (2, 1)], 9)


@pytest.mark.parametrize("limit", [3, 4])
def test_a_fold_reaches_as_many_states_as_runs_are_allowed(limit: int) -> None:
    settings = Settings(LazyRun, Limits(max_runs=limit))
    found = exact_law(lambda _, coins: coins.fold(range(3), 0, lambda s, i, c: s + c.below(2)), None, settings)
    assert found.law == (Dist.from_weights([(0, 1), (1, 3), (2, 3), (3, 1)], 8) if limit == 4 else Dist.of({}, tail=1))


def test_the_largest_integers_that_enter_are_those_of_the_documented_digits() -> None:
    for n in ((1 << 332_191) + 1, (1 << 332_192) - 1, 1 << 332_192):
        assert number.exact(n) == n
    with pytest.raises(InputError, match="at most 100,000 digits"):
        number.exact((1 << 332_193) - 1)


def test_refused_classes_that_are_only_named_as_those_of_numpy() -> None:
    for name in ("floating", "integer", "bool_"):
        with pytest.raises(InputError, match="an exact number is an int"):
            number.exact(type(name, (), {})())


@pytest.mark.parametrize(("text", "underscores"), [("1 2", False), ("1_2", True)])
def test_refused_texts_are_told_of_underscores_where_they_have_some(text: str, underscores: bool) -> None:
    with pytest.raises(InputError) as caught:
        number.exact(text)
    assert ("without underscores" in str(caught.value)) == underscores


def test_outcomes_are_shown_whole_up_to_the_length_of_a_line() -> None:
    assert show("a  b") == "'a  b'"
    assert show("x" * (MAX_SHOWN - 2)) == repr("x" * (MAX_SHOWN - 2))
    assert show("x" * (MAX_SHOWN - 1)).endswith("...")
    assert show((1,) * 40) == str((1,) * 40)
    assert show((1,) * 41) == str((1,) * 41)[: MAX_SHOWN - 3] + "..."
    assert show((1 << 400) - 1) == str((1 << 400) - 1)[: MAX_SHOWN - 3] + "..."
    assert show(1 << 400) == "<integer of 401 bits>"


def test_an_exception_as_an_outcome_is_hashable() -> None:
    assert {Raised("ValueError", (1,)): 2}[Raised("ValueError", (1,))] == 2


def test_a_random_number_times_a_draw_decides_the_draw() -> None:
    found = exact_law(lambda _, coins: coins.random() * coins.below(3) < 0.5, None)
    assert found.law == Dist.of({True: "7/12", False: "5/12"})


def test_exact_twin_of_float_operations_that_fail_at_once(twin: Twin) -> None:
    def divided(_: object, coins: Coins) -> object:
        try:
            return coins.below(3) / 0
        except ZeroDivisionError:
            return "no"

    def rounded(_: object, coins: Coins) -> object:
        digits: Any = 1.5
        try:
            return round(coins.below(3) / 2, digits)
        except TypeError:
            return "no"

    assert twin(divided).law == twin(rounded).law == Dist.point("no")
    twin(lambda _, coins: math.floor((coins.below(2) - 1) * 1e200 * 1e200))


def test_a_random_number_is_rounded_to_digits_after_the_point() -> None:
    found = exact_law(lambda _, coins: round(coins.random(), 0) < 1, None).law
    assert Dist.like(found).prob(True) == Fraction(2**52 + 1, 2**53)
    assert exact_law(lambda _, coins: round(coins.random(), -1) < 1, None).law.tail == 1


def _fresh_run(parent: Run | None = None) -> Run:
    return Run(([], 0, 0, 0), 1, SimpleNamespace(stale=False, notes={}), parent)


def test_a_run_keeps_the_first_reason_for_which_it_was_condemned() -> None:
    around = _fresh_run()
    run = _fresh_run(around)
    with pytest.raises(Poisoned, match="first") as caught:
        run.poison("first")
    with pytest.raises(Poisoned, match="second"):
        run.poison("second")
    assert run.ended is around.ended is caught.value


def test_a_run_that_is_over_gives_up_nothing_more() -> None:
    run = _fresh_run()
    run.finish()
    with pytest.raises(Stale):
        run.give_up("a limit")
    assert run.settings.notes == {}
    assert run.settings.stale


def test_a_path_that_is_given_up_ends_with_its_reason() -> None:
    run = _fresh_run()
    with pytest.raises(Cut) as caught:
        run.give_up("a limit")
    assert run.ended is caught.value
    assert run.settings.notes == {"a limit": None}


class Endless(Exception):
    def __str__(self) -> str:
        return str(self)


def test_refused_an_exception_whose_text_never_ends(refusal: Refusal) -> None:
    def program(_: object, coins: Coins) -> object:
        raise Endless

    refusal(program, "Endless cannot be told whole: RecursionError")


class First(Exception):
    __slots__ = ("first",)


class Second(First):
    __slots__ = ("second",)


class Third(Second):
    __slots__ = ()


class Fourth(Third):
    __slots__ = ()


def test_the_slots_of_an_exception_are_those_of_all_its_classes(law: Law) -> None:
    def program(coins: Coins) -> object:
        error = Fourth()
        error.first, error.second = 1, 2
        raise error

    (outcome,) = law(program).outcomes()
    assert outcome.fields == (("first", 1), ("second", 2))


def test_exact_twin_of_a_comparison_after_a_remainder_of_a_sum(twin: Twin) -> None:
    twin(lambda _, coins: (lambda u: ((u + 1) % 4 == 0, u <= 5))(coins.below(12)))


REMAINDERS: list[Callable[[Any], object]] = [
    lambda u: ((u + 1) % 3, (u - 1) % 3),
    lambda u: (u % 4, u % 6),
    lambda u: (u % 4, (u + 4) % 8),
]


@pytest.mark.parametrize("ask", REMAINDERS)
def test_exact_twin_of_two_remainders(twin: Twin, ask: Callable[[Any], object]) -> None:
    twin(lambda _, coins: ask(coins.below(24)))


def pair_of_remainders(coins: Coins) -> object:
    u = coins.getrandbits(60) + 1
    return u % 4, u % 2


WHOLE: list[tuple[Callable[[Coins], object], Dist]] = [
    (pair_of_remainders, Dist.uniform([(0, 0), (1, 1), (2, 0), (3, 1)])),
    (lambda coins: coins.getrandbits(60) % 2**61 < 2**59, Dist.bernoulli("1/2")),
    (lambda coins: coins.random() < coins.below(4) / 4, Dist.bernoulli("3/8")),
    (lambda coins: round(coins.random() / 4), Dist.point(0)),
]


@pytest.mark.parametrize(("program", "expected"), WHOLE)
def test_what_is_followed_leaves_no_tail(law: Law, program: Callable[[Coins], object], expected: Dist) -> None:
    assert law(program) == expected


FLOATS: list[Callable[[Any], object]] = [
    lambda u: (abs(u / 2 - 1) < 0.6, abs(u / 2 - 1)),
    lambda u: (-(u / 2) < -1, -(u / 2), round(u / 2)),
    lambda u: u / 2 - 2**1000 < 0,
]


@pytest.mark.parametrize("ask", FLOATS)
def test_exact_twin_of_steps_of_floats(twin: Twin, ask: Callable[[Any], object]) -> None:
    twin(lambda _, coins: ask(coins.below(5)))


def test_a_float_of_few_integers_of_a_large_draw_is_decided_by_them(law: Law) -> None:
    expected = Dist.uniform([str(n / 3) for n in range(32)])
    assert law(lambda coins: str((coins.getrandbits(40) >> 35) / 3)) == expected


def test_a_float_of_more_bits_than_random_has_is_compared_as_a_whole(law: Law) -> None:
    count = 2**59 - 32  # the next integer's half is rounded up to 2^58
    assert [u / 2 < 2.0**58 for u in (count - 1, count)] == [True, False]
    assert law(lambda coins: coins.getrandbits(60) / 2 < 2.0**58) == Dist.bernoulli(Fraction(count, 2**60))


def test_a_function_of_the_machine_is_compared_where_random_is_whole(law: Law) -> None:
    answers = [math.log1p(k * 2.0**-53) < 0.5 for k in (0, 2**53 - 1)]
    assert answers == [True, False]
    found = law(lambda coins: math.log1p(coins.random()) < 0.5)
    assert found.prob(True).denominator <= 2**53
    count = int(found.prob(True) * 2**53)
    assert [math.log1p(k * 2.0**-53) < 0.5 for k in (count - 1, count)] == [True, False]
