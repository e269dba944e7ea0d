"""Sampling audits: never wrong beyond the stated rate, broken mechanisms refuted, and events that a person can check.

Rates are tested one-sidedly and exactly, at ALPHA; the seeds are fixed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from dpcert import ApproxDP, Claim, Coins, Epsilon, InputError, PureDP, Sampled, Unauditable, exact, vector_patterns
from dpcert.audit.relations import relation
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.events import Event, Intervals, LowBits, OutcomeNumber, Shape
from dpcert.audit.sampling.failures import Failures
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.limits import EventCounts
from dpcert.audit.sampling.patterns import chosen_pairs
from dpcert.audit.sampling.sampler import OneByOne, from_coins
from dpcert.audit.sampling.samples import Tally
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.targets.catalogue import BUILT_IN

from ..rates import CONFIDENCE, from_function, most_wrong

Function = Callable[[Any, random.Random], Any]


def claim_about(guarantee: ApproxDP, inputs: tuple[Any, ...] = (0, 1), neighbours: str = "any") -> Claim:
    return Claim("m", (), inputs, relation(neighbours), guarantee)


def sampled(function: Function, claim: Claim, *, seed: int = 1, **options: Any) -> Sampled:
    """Audit a function (input, rng) -> outcome from seeded samples."""
    rng = random.Random(seed)
    return sample_claim(claim, from_function(lambda value: function(value, rng), claim.inputs), seed=seed, **options)


def response(bit: int, rng: random.Random) -> int:
    return bit if rng.randrange(4) < 3 else 1 - bit


def ignorant(bit: int, rng: random.Random) -> int:
    return rng.randrange(200)


def noisy(count: int, rng: random.Random) -> float:
    """Laplace noise of scale 1, a difference of exponentials: in floats it is not private, as its last bits tell."""
    return count + rng.expovariate(1) - rng.expovariate(1)


def spread(bit: int, rng: random.Random) -> float:
    """Return a float that depends on the input through `response` alone."""
    return response(bit, rng) + rng.random()


CORRECT = {
    "tight": (response, PureDP("ln(3)")),
    "ignores its input": (ignorant, PureDP("0")),
    "floats": (spread, PureDP("ln(3)")),
}


def wrong(function: Function, claim: Claim, repetitions: int, most_runs: int) -> int:
    """Count the false refutations at CONFIDENCE."""
    found = [
        sampled(function, claim, seed=seed, confidence=CONFIDENCE, most_runs=most_runs) for seed in range(repetitions)
    ]
    return sum(report.refuted for report in found)


def test_caught_laplace_noise_in_floats() -> None:
    report = sampled(noisy, claim_about(PureDP("1")), seed=0, confidence=CONFIDENCE, most_runs=10_000)
    assert report.refuted


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORRECT)
def test_correct_mechanisms_are_refuted_no_more_often_than_stated(name: str) -> None:
    """alpha = 1e-3, one-sided and exact: the rate of false refutations is at most 1/10, over several looks."""
    function, guarantee = CORRECT[name]
    assert wrong(function, claim_about(guarantee), 1000, 10_000) <= most_wrong(1000, 1 - CONFIDENCE)


@pytest.mark.nightly
def test_stated_bounds_are_below_the_truth_as_often_as_stated() -> None:
    """alpha = 1e-3: the lower bound of epsilon is above the least epsilon in no more than 1/10 of the runs."""
    claim, truth = claim_about(PureDP("0")), Fraction(3)
    above = [
        sampled(response, claim, seed=seed, confidence=CONFIDENCE, most_runs=4000).epsilon_lo.ratio > truth
        for seed in range(1000)
    ]
    assert sum(above) <= most_wrong(1000, 1 - CONFIDENCE)


@pytest.mark.nightly
def test_caught_a_confirmation_on_the_samples_of_the_search() -> None:
    """The test of the rate can fail: a sampler that repeats itself, so that fresh runs are what was searched."""
    claim = claim_about(PureDP("0"))

    def repeating(seed: int) -> Callable[[int], Any]:
        calls = [0, 0]

        def sample(position: int) -> Any:
            calls[position] += 1
            return ignorant(0, random.Random(f"{seed} {position} {calls[position] % 150}"))

        return sample

    found = [sample_claim(claim, repeating(s), confidence=CONFIDENCE, most_runs=3000, seed=s) for s in range(40)]
    assert sum(report.refuted for report in found) > most_wrong(40, 1 - CONFIDENCE)


def test_a_gross_violation_stops_at_the_first_look() -> None:
    report = sampled(lambda bit, rng: bit, claim_about(PureDP("1")))
    assert (report.refuted, report.looks, report.reason) == (True, 2, None)
    assert report.runs < 5000
    for counts in (report.worst.counts, report.worst.again):
        assert (counts.x, counts.y, counts.n + counts.m) == (counts.n, 0, 1000)
    assert report.worst.event.members == (report.worst.a,)
    assert report.power == ()


class Recorded:
    """A source that keeps what it counted."""

    pilot = 20
    aside = 0.0

    def __init__(self, sampler: Callable[[int], Any]) -> None:
        self.plain = OneByOne(sampler)
        self.batches: list[dict[int, Tally]] = []

    def take(self, sizes: Mapping[int, int], late: Callable[[], bool]) -> dict[int, Tally] | None:
        return self.plain.take(sizes, late)

    def count(
        self, sizes: Mapping[int, int], events: Sequence[Event], late: Callable[[], bool]
    ) -> dict[int, list[int]] | None:
        found = self.plain.take(sizes, late)
        self.batches.append(found)
        return {position: [tally.hits(event) for event in events] for position, tally in found.items()}


def test_a_refutation_bears_recomputation() -> None:
    """The counts of the event are those of two sets of fresh runs, and the limits that follow break the bound."""
    claim, rng = claim_about(ApproxDP("1/2", "1e-6")), random.Random(3)
    source = Recorded(from_function(lambda bit: response(bit, rng), claim.inputs))
    report = sample_claim(claim, source, seed=3)
    worst = report.worst
    assert report.refuted
    assert report.looks <= len(source.batches) <= report.looks + 1
    first: list[dict[int, Tally]] = []
    second = source.batches[-report.looks :]
    while second and sum(tally.runs for batch in first for tally in batch.values()) < worst.counts.n + worst.counts.m:
        first.append(second.pop(0))
    for batches, counts in ((first, worst.counts), (second, worst.again)):
        hits = {i: sum(batch[i].hits(worst.event) for batch in batches) for i in (0, 1)}
        runs = {i: sum(batch[i].runs for batch in batches) for i in (0, 1)}
        assert counts == EventCounts(hits[worst.a], runs[worst.a], hits[worst.b], runs[worst.b])
    ratio = claim.guarantee.epsilon.exp_bounds(64)[1]
    assert worst.limits.refutes(ratio, claim.guarantee.delta)
    assert not worst.limits.refutes(Fraction(3), Fraction(0))
    assert 1 < report.epsilon_lo.ratio <= 3
    assert 0 < report.delta_lo <= Fraction(3, 4) - Fraction(1, 4) * claim.guarantee.epsilon.exp_bounds(64)[0]


def test_nothing_is_verified_and_the_power_is_stated() -> None:
    report = sampled(response, claim_about(PureDP("ln(3)")), most_runs=20_000)
    assert not report.refuted
    assert str(report.reason).startswith("no violation found; ")
    impossible, half = report.power
    assert impossible.q == 0
    assert half.q == Fraction(1, 6)
    for power in report.power:
        assert power.excess == power.p - 3 * power.q
        assert 0 < power.excess < Fraction(1, 5)
    assert 2 < report.epsilon_lo.ratio <= 3


@pytest.mark.nightly
def test_a_violation_as_large_as_the_power_says_is_found() -> None:
    """Of 16 audits of a mechanism that breaks its claim by the stated excess, no fewer than a 9/10 chance allows."""
    claim = claim_about(PureDP("ln(3)"))
    _, half = sampled(response, claim, most_runs=8000).power

    def broken(bit: int, rng: random.Random) -> int:
        bound = 10**9
        return int(rng.randrange(bound) < (half.p if bit else half.q) * bound)

    found = sum(sampled(broken, claim, seed=seed, most_runs=8000).refuted for seed in range(16))
    assert 16 - found <= most_wrong(16, Fraction(1, 10))


def sampling_of(mechanism: Mechanism, seed: int, **options: Any) -> Sampled:
    instance = mechanism.build(mechanism.settings({}))
    guarantee = ApproxDP(instance.epsilon, instance.delta)
    claim = Claim(mechanism.name, (), instance.inputs, relation(instance.neighbours), guarantee, instance.observes)
    draws = instance.observes != "outcome"
    sampler = from_coins(instance.program, Failures(claim.inputs), random.Random(seed).randrange, draws=draws)
    return sample_claim(claim, sampler, **options)


BROKEN = ("geosample-exponent", "geosample-half-scale", "geosample-rejection", "keep-heavy-true")
SHIPPED = ("randomized-response", "geosample", "keep-heavy")


@pytest.mark.parametrize("name", BROKEN)
def test_broken_mechanisms_are_refuted_with_counts(name: str) -> None:
    mechanism = BUILT_IN[name]
    report = sampling_of(mechanism, 1, most_runs=100_000)
    assert report.refuted
    assert report.worst.counts.x > report.worst.counts.y


@pytest.mark.points(1)
@pytest.mark.parametrize("name", SHIPPED)
def test_mechanisms_that_ship_are_not_refuted(name: str) -> None:
    """alpha = 1e-3 for each of three runs, the seed fixed."""
    mechanism = BUILT_IN[name]
    assert not sampling_of(mechanism, 1, most_runs=30_000).refuted


def test_half_the_noise_is_found_in_floats() -> None:
    """The event of a float is a range of values; noise of half the scale needs an epsilon of 2."""
    claim = claim_about(PureDP("1"))
    noise = Search(bits=False)
    report = sampled(lambda x, rng: x + (rng.expovariate(1) - rng.expovariate(1)) / 2, claim, search=noise)
    assert report.refuted
    assert report.worst.event.words().startswith("the outcome is ")


def test_the_low_bits_of_a_float_are_looked_at() -> None:
    """Noise on a lattice that the input shifts: no range of values shows it, the last bits do."""
    claim = claim_about(PureDP("1"), (0.0, 0.3))
    report = sampled(lambda x, rng: x + rng.randrange(-(1 << 20), 1 << 20) / 16, claim, most_runs=20_000)
    assert report.refuted
    assert "trailing zero bits" in report.worst.event.words()


def test_vectors_are_looked_at_by_entry() -> None:
    """One of three entries has little noise, and neither the greatest nor the least is it."""

    def entry(vector: list[int], rng: random.Random) -> list[float]:
        return [rng.gauss(-50, 5), vector[1] + rng.gauss(0, 0.1), rng.gauss(50, 5)]

    report = sampled(entry, claim_about(PureDP("1"), ([1, 1, 1], [1, 2, 1]), "l1"), most_runs=20_000)
    assert report.refuted
    assert report.worst.event.words().startswith("entry 1 is ")


def test_forms_and_cells_are_told_apart_and_said() -> None:
    """A number in the place of an answer is another form, as in the third form of sparse vector."""
    shape, vector = Shape(), [0.3, False, "x"]
    assert shape.label(vector) == shape.label([7.25, False, "x"])
    assert len({shape.label(x) for x in (vector, [False, False, "x"], (0.3, False, "x"), 0.3, 1, True, False)}) == 7
    event = Event(shape, frozenset({shape.label(vector)}))
    assert vector in event
    assert [1, False, "x"] not in event
    assert event.words() == "of the form list of (float, False, 'x')"
    cells = Intervals(OutcomeNumber("sum"), (1, Fraction(5, 2), 4))
    labels = [cells.label(x) for x in ([0, 1], [1, 1], [2.5], [3], [2, 2.5], [None], "x")]
    assert labels == [0, 1, 1, 2, 3, -1, -1]
    assert cells.words(frozenset({0, 1, 3, -1})) == "the sum is at most 5/2 or above 4 or no number"
    assert cells.words(frozenset({0, 1, 2, 3})) == "the sum is any number"
    assert OutcomeNumber("outcome").of(float("nan")) is None
    assert OutcomeNumber("sum").of([float("inf"), float("-inf")]) is None
    low = LowBits(OutcomeNumber("outcome"))
    assert [low.label(x) for x in (1.0, 1.5, 1 / 3, 0.0, 2)] == [(1, 52), (1, 51), (-1, 0), -1, -1]
    said = "x, the outcome, by the trailing zero bits of its significand: 2^0 <= |x| < 2^1 with 51, 52"
    assert low.words(frozenset({(1, 51), (1, 52)})) == said


def test_exceptions_and_draws_are_outcomes() -> None:
    def raises(bit: int, rng: random.Random) -> int:
        return 1 // (bit or rng.randrange(3))

    def program(bit: int, coins: Coins) -> int:
        return 0 * sum(coins.below(2) for _ in range(2 + bit))

    report = sampled(raises, claim_about(PureDP("1")), most_runs=4000)
    assert report.refuted
    assert "ZeroDivisionError" in str(report.worst.event.members)
    claim = Claim("m", (), (0, 1), relation("any"), PureDP("1"), "outcome and draws")
    drawn = from_coins(program, Failures(claim.inputs), random.Random(1).randrange, draws=True)
    assert sample_claim(claim, drawn, most_runs=4000).refuted
    assert not sample_claim(
        claim, from_coins(program, Failures(claim.inputs), random.Random(1).randrange), most_runs=4000
    ).refuted


def test_an_epsilon_beyond_all_numbers_is_not_refuted() -> None:
    for epsilon in ("1e9", "60", "50"):
        report = sampled(lambda bit, rng: bit, claim_about(PureDP(epsilon)), most_runs=4000)
        assert (report.refuted, report.power) == (False, ())


@pytest.mark.parametrize("confidence", ["0.9999999999999999", "0.999999999999999999999", 1 - Fraction(1, 10**400)])
def test_a_confidence_nearer_to_1_than_floats_are(confidence: object) -> None:
    report = sampled(lambda bit, rng: bit, claim_about(PureDP("1")), confidence=confidence, most_runs=20_000)
    assert report.refuted
    assert report.confidence == exact(confidence, "confidence")


def test_no_neighbours_no_time_and_other_pairs_are_said() -> None:
    alone = sampled(response, claim_about(PureDP("1"), (0,)))
    assert (alone.refuted, alone.pairs, alone.looks) == (False, 0, 0)
    assert "nothing to sample" in str(alone.reason)
    late = sampled(response, claim_about(PureDP("1")), seconds=0)
    assert (late.refuted, late.power, late.epsilon_lo) == (False, (), Epsilon.of("0"))
    assert "time" in str(late.reason)
    many = sampled(ignorant, claim_about(PureDP("0"), tuple(range(40))), most_runs=9000)
    assert many.notes == ("2 of 1560 pairs were sampled",)


class Machine:
    """What the module time says on a machine that does `load` jobs at once."""

    def __init__(self, load: int) -> None:
        self.load, self.processor = load, 0.0

    def thread_time(self) -> float:
        return self.processor

    def monotonic(self) -> float:
        return self.load * self.processor


def test_a_loaded_machine_gives_the_report_of_an_idle_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though time sets how many runs there are; where the clock alone goes on, as where a program waits, it ends."""

    def report(load: int) -> Sampled:
        machine = Machine(load)
        monkeypatch.setattr("dpcert.audit.sampling.budget.time", machine)

        def program(bit: int, rng: random.Random) -> int:
            machine.processor += 1e-3
            return response(bit, rng)

        return sampled(program, claim_about(PureDP("ln(3)")), seconds=20)

    idle = report(1)
    assert any("the time limit set how many runs there were" in note for note in idle.notes)
    assert 5_000 < idle.runs < 20_000
    assert report(9) == idle
    assert report(40).runs < idle.runs / 2


def test_patterns_of_the_literature_come_first() -> None:
    vectors = vector_patterns(4)
    assert vectors[:3] == ([1, 1, 1, 1], [0, 1, 1, 1], [2, 1, 1, 1])
    assert len({tuple(vector) for vector in vectors}) == len(vectors)
    linf = relation("linf")
    neighbours = [vector for vector in vectors if linf([1] * 4, vector)]
    assert {(0, 2, 2, 2), (2, 0, 0, 0), (2, 2, 0, 0), (2, 2, 2, 2), (0, 0, 0, 0)} <= {tuple(v) for v in neighbours}
    inputs = [[3, 3, 3, 3], [3, 3, 3, 2], *vectors]
    pairs = [(i, j) for i, a in enumerate(inputs) for j, b in enumerate(inputs) if linf(a, b)]
    assert len(chosen_pairs(inputs, pairs)) == len(pairs) // 2
    assert all(min(pair) >= 2 for pair in chosen_pairs(inputs, pairs, 5))


def test_refused_what_is_no_outcome_and_too_few_samples() -> None:
    with pytest.raises(Unauditable, match="registry"):
        sampled(lambda bit, rng: object(), claim_about(PureDP("1")))
    with pytest.raises(InputError, match="at least 1000"):
        sampled(response, claim_about(PureDP("1")), most_runs=10)
    with pytest.raises(InputError, match="at least one entry"):
        vector_patterns(0)
