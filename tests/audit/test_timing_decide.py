"""Timing audits on simulated clocks, of which the truth is known: rates of error, leaks, power, and wealth exactly.

Rates are tested one-sidedly and exactly, at ALPHA; the seeds are fixed. Only the stopwatch's own test reads a clock.
"""

import gc
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import ApproxDP, Claim, Coins, InputError, Unauditable
from dpcert.audit.relations import relation
from dpcert.audit.sampling.failures import ENOUGH, Failures
from dpcert.audit.timing.clock import stopwatch
from dpcert.audit.timing.decide import Timed, time_claim
from dpcert.audit.timing.events import Runs, bets_on
from dpcert.audit.timing.wealth import FRACTIONS, RoundCounts, Wealth, factor

from .rates import CONFIDENCE, most_wrong

State = dict[str, int]
Machine = Callable[[int, random.Random, State], tuple[int, Any]]
"""What one run on input 0 or 1 takes and returns, on a machine with a past."""


def audited(machine: Machine, epsilon: str, *, seed: int, delta: str = "0", **options: Any) -> Timed:
    rng, state = random.Random(seed), State()

    def timed(positions: Sequence[int]) -> tuple[list[int], list[Any]]:
        runs = [machine(position, rng, state) for position in positions]
        return [time for time, _ in runs], [outcome for _, outcome in runs]

    toss = options.pop("toss", random.Random(f"toss {seed}").randrange)
    claim = Claim("m", (), (0, 1), relation("any"), ApproxDP(epsilon, delta))
    return time_claim(claim, timed, toss, **{"confidence": CONFIDENCE, "most_runs": 4000, **options})


def steady(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    return 1000 + int(200 * rng.random() ** 4), 0


def drifting(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    """A machine that slows down, then jumps back, with neighbours in time alike."""
    state["n"] = state.get("n", 0) + 1
    state["mood"] = (9 * state.get("mood", 0) + int(100 * rng.random())) // 10
    return 1000 + state["n"] % 1500 + state["mood"] * 5, 0


def remembering(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    """The time depends on the input of the run before, and on nothing of this one."""
    before, state["last"] = state.get("last", 0), bit
    return 1000 + 300 * before + int(50 * rng.random()), 0


def telling(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    """Randomized response whose time is that of its outcome alone: as private as the outcome, tightly ln(3)."""
    outcome = bit if rng.randrange(4) < 3 else 1 - bit
    return 1000 + 100 * outcome + int(20 * rng.random()), outcome


def branching(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    """Randomized response that takes longer where it flips: the outcome and the time together give the bit away."""
    flips = rng.randrange(4) == 3
    return 1000 + 100 * flips + int(20 * rng.random()), bit ^ flips


def slower(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    time, outcome = drifting(bit, rng, state)
    return time + 60 * bit, outcome


def rarely(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
    """Slow in one run of 50 on input 1, and never on input 0."""
    return 1000 + (5000 if bit and rng.randrange(50) == 0 else 0) + int(100 * rng.random()), 0


CORRECT = {"steady": (steady, "0"), "drifting": (drifting, "0"), "remembering": (remembering, "0")}
CORRECT["telling"] = (telling, "ln(3)")


def no_power(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what a run would have found: nobody asks."""
    monkeypatch.setattr("dpcert.audit.timing.decide._TimingAudit._power", lambda self, bet, deadline: None)


def wrong(name: str, repetitions: int, most_runs: int) -> int:
    machine, epsilon = CORRECT[name]
    return sum(audited(machine, epsilon, seed=seed, most_runs=most_runs).refuted for seed in range(repetitions))


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORRECT)
def test_constant_time_is_refuted_no_more_often_than_stated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """alpha = 1e-3, one-sided and exact: the rate of false refutations is at most 1/10, over many rounds."""
    no_power(monkeypatch)
    assert wrong(name, 1000, 10_000) <= most_wrong(1000, 1 - CONFIDENCE)


def test_caught_inputs_that_take_turns() -> None:
    """The test of the rate can fail: without fair coins, a machine that remembers would be refuted."""

    def turns() -> Callable[[int], int]:
        count = iter(range(10**9))
        return lambda bound: next(count) % 2 if bound == 2 else 0

    found = [audited(remembering, "0", seed=seed, toss=turns()).refuted for seed in range(10)]
    assert sum(found) > most_wrong(10, 1 - CONFIDENCE)


LEAKS: dict[str, tuple[Machine, str, str]] = {
    "a drift that hides it": (slower, "1", "0"),
    "only with the outcome": (branching, "ln(3)", "0"),
    "rare": (rarely, "1", "1/1000"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_caught_leaks(name: str) -> None:
    machine, epsilon, delta = LEAKS[name]
    report = audited(machine, epsilon, delta=delta, seed=1, confidence="0.999", most_runs=40_000)
    assert report.refuted
    assert report.reason is None
    assert report.event is not None
    assert report.counts.on_a > report.counts.on_b
    assert report.runs < 20_000
    assert report.power is None


def test_the_time_alone_tells_less_than_with_the_outcome() -> None:
    """Of a flip, the time alone says nothing about the bit."""
    alone = audited(branching, "0", seed=2, outcomes=False, most_runs=20_000)
    assert not alone.refuted
    assert alone.power is not None
    assert audited(branching, "0", seed=2, most_runs=20_000).refuted


@pytest.mark.parametrize(("resolution", "refuted"), [(1, True), (10_000, False)])
def test_a_coarser_clock_sees_less(resolution: int, refuted: bool) -> None:
    report = audited(slower, "1", seed=3, resolution=resolution, most_runs=20_000)
    assert report.refuted is refuted
    if not refuted:
        assert report.power.nanoseconds > 100


@pytest.mark.nightly
def test_the_stated_bound_of_epsilon_is_below_the_truth_as_often_as_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """alpha = 1e-3: the least epsilon of `telling` is ln(3), and the bound is above it in at most 1/10 of the runs."""
    no_power(monkeypatch)
    above = [audited(telling, "ln(3)", seed=seed, most_runs=2000).epsilon_lo.ratio > 3 for seed in range(25)]
    assert sum(above) <= most_wrong(25, 1 - CONFIDENCE)
    found = audited(telling, "ln(3)", seed=0, most_runs=60_000).epsilon_lo.ratio
    assert 2 < found <= 3


@pytest.mark.nightly
def test_a_delay_as_large_as_the_power_says_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """alpha = 1e-3: of 40 audits with the stated delay, no fewer find it than a chance of 9/10 allows."""
    power = audited(steady, "1", seed=5).power
    delay = power.nanoseconds
    no_power(monkeypatch)

    def delayed(bit: int, rng: random.Random, state: State) -> tuple[int, Any]:
        time, outcome = steady(bit, rng, state)
        return time + bit * delay, outcome

    found = sum(audited(delayed, "1", seed=seed).refuted for seed in range(40))
    assert 40 - found <= most_wrong(40, Fraction(1, 10))


def test_nothing_to_time_and_too_few_runs() -> None:
    claim = Claim("m", (), (0, 5), relation("counts_differ_by_one"), ApproxDP("1", "0"))
    report = time_claim(claim, lambda positions: ([], []), random.Random(1).randrange)
    assert not report.refuted
    assert report.reason == "there is nothing to time: no two of the inputs are neighbours"
    with pytest.raises(InputError, match="at least 1000"):
        audited(steady, "1", seed=1, most_runs=999)


def test_the_same_seeds_and_durations_give_the_same_report() -> None:
    first, second = (audited(telling, "0", seed=7) for _ in range(2))
    assert (first.event, first.counts, first.epsilon_lo) == (second.event, second.counts, second.epsilon_lo)


def test_only_the_worst_pair_is_bet_on_and_pairs_left_out_are_named() -> None:
    claim = Claim("m", (), tuple(range(60)), relation("counts_differ_by_one"), ApproxDP("1", "0"))

    def timed(positions: Sequence[int]) -> tuple[list[int], list[Any]]:
        return [1000 + 500 * (position >= 30) for position in positions], [0] * len(positions)

    report = time_claim(claim, timed, random.Random(1).randrange, most_runs=100_000)
    assert (report.pairs, report.all_pairs) == (32, 118)
    assert report.notes == ("32 of 118 pairs were timed",)


def test_events_equal_their_words_and_counts_run_by_run() -> None:
    """Each bet's hits are recounted in plain Python from cuts, outcomes and the 32 durations before."""
    rng = random.Random(11)
    positions = [rng.randrange(2) for _ in range(900)]
    outcomes = [rng.randrange(3) for _ in positions]
    durations = [100 + 7 * p * o + rng.randrange(40) for p, o in zip(positions, outcomes, strict=True)]
    runs = Runs.of(positions, durations, outcomes, np.zeros(0, dtype=np.int64))
    before = [0] * 32 + durations
    excess = [d - sorted(before[i : i + 32])[7] for i, d in enumerate(durations)]
    assert runs.excess.tolist() == excess
    bets = list(bets_on(runs, 0, 1, 3, [(1.0, 0.0), (2.0, 0.01)]))
    assert {(bet.grid.relative, bet.grid.outcomes) for bet in bets} == {(r, k) for r in (False, True) for k in (0, 3)}
    for bet in bets:
        kinds = max(1, bet.grid.outcomes)
        table = bet.inside.reshape(-1, kinds)
        seen = {0: 0, 1: 0}
        for position, outcome, duration, more in zip(positions, outcomes, durations, excess, strict=True):
            time = more if bet.grid.relative else duration
            cell = sum(time > cut for cut in bet.grid.cuts.tolist())
            seen[position] += bool(table[cell, outcome if bet.grid.outcomes else 0])
        found = bet.counts(runs)
        assert (found.on_a, found.on_b) == (seen[bet.a], seen[bet.b])
        assert found == bet.seen
        assert found.on_a + found.on_b + found.others == len(runs)
        words = bet.words(["x", "y", "z"])
        assert ("of the 32 runs before it" in words) is (
            bet.grid.relative and not table.all(axis=0)[table.any(axis=0)].all()
        )


def test_an_outcome_not_seen_before_is_in_no_event() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    runs = Runs.of([0, 1] * 50, [10, 20] * 50, [0, 1] * 50, nothing)
    later = Runs.of([0, 1], [10, 20], [7, 7], nothing)
    joint = [bet for bet in bets_on(runs, 0, 1, 2, [(1.0, 0.0)]) if bet.grid.outcomes]
    assert joint
    assert all(bet.counts(later).others == 2 for bet in joint)


def test_the_stopwatch_times_the_program_alone() -> None:
    now = iter(range(0, 10_000, 5))
    collecting: list[bool] = []

    def program(value: list[int], coins: Coins) -> int:
        collecting.append(gc.isenabled())
        value.append(1)
        if value[0] == 2:
            raise KeyError("two")
        return coins.below(10) + value[0]

    failures = Failures(([1], [2]))
    timed = stopwatch(program, failures, lambda bound: bound - 1, clock=lambda: next(now))
    durations, outcomes = timed([0, 1, 0])
    assert durations == [5, 5, 5]
    assert outcomes[0] == outcomes[2] == 10
    assert "KeyError" in str(outcomes[1])
    assert [note.partition(" (")[0] for note in failures.notes()] == ["on [2] it raises KeyError('two')"]
    with pytest.raises(Unauditable, match=r"on \[2\] end in KeyError: 'two' \(test_timing_decide.py, line \d+\)"):
        timed([1] * ENOUGH)
    collecting = collecting[:3]
    assert collecting == [False] * 3
    assert gc.isenabled()


def test_the_stopwatch_names_the_exception_that_holds_what_is_no_outcome() -> None:
    def program(value: int, coins: Coins) -> int:
        raise KeyError(object() if value else 0)

    timed = stopwatch(program, Failures((0, 1)), lambda bound: 0)
    with pytest.raises(Unauditable, match=r"KeyError\.args: .*: a run on 1 ends in KeyError: .*decide.py, line \d+\)"):
        timed([0, 1])


counts = st.integers(0, 300)
chances = st.fractions(0, 1, max_denominator=50)
ratios = st.fractions(1, 50, max_denominator=20)


def steps(c: int, ratio: Fraction, delta: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return what one run makes of a wealth of 1: on a and in the event, on b and in it, not in it."""
    part = Fraction(c, FRACTIONS)
    stake = part / (ratio + delta / 2)
    return 1 + stake * (1 - delta / 2), 1 - stake * (ratio + delta / 2), 1 - stake * delta / 2


def value(wealth: Wealth) -> Fraction:
    return Fraction(wealth.m) * Fraction(2) ** wealth.e


@given(counts, counts, counts, st.integers(0, FRACTIONS - 1), ratios, chances)
def test_a_round_is_the_exact_product_rounded_down(
    on_a: int, on_b: int, others: int, c: int, ratio: Fraction, delta: Fraction
) -> None:
    won, lost, idle = steps(c, ratio, delta)
    exact = won**on_a * lost**on_b * idle**others
    found = value(factor(RoundCounts(on_a, on_b, others), c, ratio, delta))
    assert found <= exact
    assert found >= exact * (1 - Fraction(1, 1 << 70))


@given(st.lists(st.tuples(st.integers(1, 1 << 95), st.integers(-2000, 2000)), min_size=1, max_size=6))
def test_a_mean_is_the_exact_mean_rounded_down(parts: list[tuple[int, int]]) -> None:
    wealths = [Wealth(m, e) for m, e in parts]
    exact = sum(map(value, wealths)) / len(wealths)
    assert value(Wealth.mean(wealths)) <= exact
    assert value(Wealth.mean(wealths)) >= exact * (1 - Fraction(1, 1 << 80))
    assert Wealth.mean(wealths).reaches(exact / 2)
    assert not Wealth.mean(wealths).reaches(exact * 2)


@given(st.integers(0, FRACTIONS - 1), ratios, chances, chances, chances)
def test_the_mean_of_a_run_is_at_most_1_exactly_where_the_claim_holds(
    c: int, ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction
) -> None:
    won, lost, idle = steps(c, ratio, delta)
    half = Fraction(1, 2)
    mean = half * p * won + half * q * lost + (1 - half * p - half * q) * idle
    assert mean == 1 + Fraction(c, FRACTIONS) * (p - ratio * q - delta) / (2 * (ratio + delta / 2))
    assert min(won, lost, idle) > 0


def ever(runs: int, c: int, ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction, bound: int) -> Fraction:
    """Return the chance that the wealth reaches a bound at one of so many runs: by all counts, without rounding."""
    half = Fraction(1, 2)
    going = {(0, 0): Fraction(1)}
    reached = Fraction(0)
    for run in range(1, runs + 1):
        after: dict[tuple[int, int], Fraction] = {}
        for (on_a, on_b), chance in going.items():
            for more, part in (((1, 0), half * p), ((0, 1), half * q), ((0, 0), 1 - half * p - half * q)):
                state = (on_a + more[0], on_b + more[1])
                after[state] = after.get(state, Fraction(0)) + chance * part
        going = {}
        for (on_a, on_b), chance in after.items():
            if factor(RoundCounts(on_a, on_b, run - on_a - on_b), c, ratio, delta).reaches(Fraction(bound)):
                reached += chance
            else:
                going[on_a, on_b] = chance
    return reached


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("ratio", "delta", "p", "q"),
    [
        (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 2)),
        (Fraction(3), Fraction(0), Fraction(3, 4), Fraction(1, 4)),
        (Fraction(2), Fraction(1, 10), Fraction(1, 2), Fraction(1, 5)),
    ],
)
def test_the_chance_of_ever_reaching_10_is_at_most_a_tenth(
    ratio: Fraction, delta: Fraction, p: Fraction, q: Fraction
) -> None:
    """The claim is tight: p = ratio q + delta. The chance is exact, over all sequences of 30 runs."""
    found = ever(30, 3 * FRACTIONS // 4, ratio, delta, p, q, 10)
    assert 0 < found <= Fraction(1, 10)
    assert ever(30, 3 * FRACTIONS // 4, ratio, delta, p, Fraction(0), 10) > Fraction(1, 10)  # more where it is false
