"""Sampling audits of batches: the same samples for any number of workers, rates kept, and features equal to plain ones.

Rates are tested one-sidedly and exactly, at ALPHA; the seeds are fixed.
"""

import random
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcert import ApproxDP, Claim, InputError, PureDP, Sampled
from dpcert.audit.relations import relation
from dpcert.audit.sampling.coding import Coding
from dpcert.audit.sampling.columns import One
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.events import Event, Intervals, OutcomeNumber
from dpcert.audit.sampling.hunt import Search
from dpcert.audit.sampling.sampler import CHUNK, Batched
from dpcert.audit.sampling.samples import LOOKED_AT, Rows, Tally, Wrapped
from dpcert.audit.sampling.search import EXAMPLES, POOLED, described
from dpcert.audit.sampling.views import View, as_rows

from ..rates import CONFIDENCE, from_function, most_wrong

Batch = Callable[[Any, int, np.random.Generator], Any]


def claim_about(guarantee: ApproxDP, inputs: tuple[Any, ...] = (0, 1)) -> Claim:
    return Claim("m", (), inputs, relation("any"), guarantee)


def audited(batch: Batch, claim: Claim, *, seed: int = 1, jobs: int = 1, **options: Any) -> Sampled:
    return sample_claim(claim, Batched(batch, claim.inputs, seed=seed, jobs=jobs), seed=seed, **options)


def response(bit: int, n: int, rng: np.random.Generator) -> Any:
    """Answer `bit` in three of four runs."""
    return np.where(rng.integers(0, 4, n) < 3, bit, 1 - bit)


def ignorant(bit: int, n: int, rng: np.random.Generator) -> Any:
    """Return eight numbers and no more of the input than its type."""
    return rng.integers(0, 5, (n, 8), dtype=np.int8)


def vector(bit: int, n: int, rng: np.random.Generator) -> Any:
    """Return five floats of which one depends on the input, through `response`."""
    found = rng.random((n, 5))
    found[:, 3] += response(bit, n, rng)
    return found


CORRECT: dict[str, tuple[Batch, ApproxDP]] = {
    "tight": (response, PureDP("ln(3)")),
    "ignores its input": (ignorant, PureDP("0")),
    "floats": (vector, PureDP("ln(3)")),
}

SOME = ["tight", *(pytest.param(name, marks=pytest.mark.nightly) for name in CORRECT if name != "tight")]


@pytest.mark.nightly
@pytest.mark.parametrize("name", SOME)
def test_samples_do_not_depend_on_the_number_of_workers(name: str) -> None:
    batch, guarantee = CORRECT[name]
    runs = 5 * CHUNK
    reports = [audited(batch, claim_about(guarantee), jobs=jobs, most_runs=runs) for jobs in (1, 2, 8)]
    first = reports[0]
    for other in reports[1:]:
        assert other.worst.event.words() == first.worst.event.words()
        assert (other.worst.counts, other.epsilon_lo, other.runs) == (first.worst.counts, first.epsilon_lo, first.runs)


def test_chunks_have_streams_of_their_own() -> None:
    source = Batched(lambda x, n, rng: rng.integers(0, 1 << 62, n), (0, 1), seed=5, jobs=3)
    taken = source.take({0: 3 * CHUNK + 7, 1: CHUNK}, lambda: False)
    again = source.take({0: CHUNK}, lambda: False)
    numbers = np.concatenate([taken[0].whole(), taken[1].whole(), again[0].whole()])
    assert (taken[0].runs, taken[1].runs, len(np.unique(numbers))) == (3 * CHUNK + 7, CHUNK, 5 * CHUNK + 7)


def wrong(name: str, repetitions: int, most_runs: int) -> int:
    """Count the false refutations at CONFIDENCE, with 1 to 8 workers in turn."""
    batch, guarantee = CORRECT[name]
    found = [
        audited(batch, claim_about(guarantee), seed=seed, jobs=1 + seed % 8, confidence=CONFIDENCE, most_runs=most_runs)
        for seed in range(repetitions)
    ]
    return sum(report.refuted for report in found)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORRECT)
def test_a_thousand_audits_of_correct_batches(name: str) -> None:
    """alpha = 1e-3: at most 1/10 of 1000 audits are wrong, each with chunks for several workers."""
    assert wrong(name, 1000, CHUNK + 8000) <= most_wrong(1000, 1 - CONFIDENCE)


def many_small(x: int, n: int, rng: np.random.Generator) -> Any:
    """Return twenty noisy copies of x: each alone says little."""
    return x + rng.laplace(0, 20, (n, 20))


@pytest.mark.nightly
def test_a_learned_score_finds_what_no_entry_shows() -> None:
    """Twenty answers with an epsilon of 1/20 each: together they need 1, and one alone is within the claim of 1/10."""
    claim = claim_about(PureDP("1/10"))
    report = audited(many_small, claim, most_runs=100_000, search=Search(bits=False))
    assert report.refuted
    assert report.worst is not None
    assert "learned score" in report.worst.event.words() or "sum" in report.worst.event.words()


@pytest.mark.nightly
def test_values_of_python_are_learned_about_too() -> None:
    """The same twenty answers, one run at a time, as a list; with more to see."""
    rng = np.random.default_rng(2)
    claim = claim_about(PureDP("1/10"), (0, 8))
    sampler = from_function(lambda x: many_small(x, 1, rng)[0].tolist(), claim.inputs)
    report = sample_claim(claim, sampler, seed=2, most_runs=6000, search=Search(bits=False))
    assert report.refuted


def test_the_last_bits_of_a_batch_are_looked_at() -> None:
    """numpy's Laplace noise of scale 10: within the claim of 1/10 as real numbers, and not as floats."""

    def noisy(x: int, n: int, rng: np.random.Generator) -> Any:
        return x + rng.laplace(0, 10, n)

    claim = claim_about(PureDP("1/10"))
    assert audited(noisy, claim, most_runs=100_000).refuted
    assert not audited(noisy, claim, most_runs=100_000, search=Search(bits=False)).refuted


@pytest.mark.parametrize(
    "batch",
    [
        lambda x, n, rng: rng.random(n + 1),
        lambda x, n, rng: 0.5,
        lambda x, n, rng: np.array([object()] * n),
        lambda x, n, rng: ["a"] * n,
        lambda x, n, rng: np.zeros((n, 0)),
        lambda x, n, rng: [[1], [2, 3]] * n,
        lambda x, n, rng: 1 / (x - x),
    ],
)
def test_refused_batches(batch: Batch) -> None:
    with pytest.raises(InputError, match="an array of numbers, one run a row"):
        audited(batch, claim_about(PureDP("1")), most_runs=2000)


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_batch_that_raises_is_said_with_its_input(jobs: int) -> None:
    def raising(x: int, n: int, rng: np.random.Generator) -> Any:
        raise KeyError("no such column")

    with pytest.raises(InputError, match=r"runs on 0 that ends with KeyError: 'no such column'"):
        audited(raising, claim_about(PureDP("1")), jobs=jobs, most_runs=2000)


def test_an_event_has_examples_wherever_they_stand() -> None:
    """The one outcome that is in the event comes after more than are looked at in one go."""
    rows = np.zeros((LOOKED_AT + 10, 1))
    rows[-3] = 7
    feature = One(Coding(View("entries", 0), ((1.0,),), ((),)))
    assert described(Event(feature, frozenset({1})), Rows([rows])).members == (7.0,)
    assert described(Event(feature, frozenset({0})), Rows([rows])).members == (0.0,) * EXAMPLES
    assert described(Event(feature, frozenset({2})), Rows([rows])).members == ()
    tally = Tally()
    for number in range(POOLED + 10):
        tally.add(-number)
    tally.add(7)
    cells = Intervals(OutcomeNumber("outcome"), (1,))
    for found in (cells, Wrapped(feature, 1)):
        assert described(Event(found, frozenset({1})), tally).members == (7,)
        assert described(Event(found, frozenset({0})), tally).members == tuple(-n for n in range(EXAMPLES))


@pytest.mark.parametrize("most_runs", [1000, 3000, 12_000])
def test_a_batch_makes_no_more_runs_than_it_may(most_runs: int) -> None:
    """The pilot, too: and as time does not end the run, it comes to its planned end."""
    report = audited(response, claim_about(PureDP("ln(3)")), most_runs=most_runs)
    assert report.runs <= most_runs
    assert str(report.reason).startswith("no violation found; ")
    assert report.looks > 0
    assert len(report.power) == (1 if most_runs == 1000 else 2)


def test_refused_workers() -> None:
    with pytest.raises(InputError, match="at least one"):
        Batched(response, (0, 1), jobs=0)


def test_time_ends_a_batch() -> None:
    assert Batched(response, (0, 1), seed=1).take({0: 10}, lambda: True) is None
    assert Batched(response, (0, 1), seed=1).count({0: 10}, [], lambda: True) is None
    report = audited(response, claim_about(PureDP("ln(3)")), seconds=0)
    assert (report.refuted, report.power) == (False, ())
    made: list[int] = []

    def counted(bit: int, n: int, rng: np.random.Generator) -> Any:
        made.append(n)
        return response(bit, n, rng)

    lates = iter([False, False, True])
    assert Batched(counted, (0, 1), seed=1).take({0: 9 * CHUNK}, lambda: next(lates)) is None
    assert made == [CHUNK] * 2
    once = iter([False])
    assert Batched(counted, (0, 1), seed=1).take({0: 10}, lambda: next(once)) is not None


def test_the_time_that_threads_spend_is_that_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here each chunk takes a second of its thread."""
    own = threading.local()

    def thread_time() -> float:
        own.now = getattr(own, "now", 0.0) + 1.0
        return own.now

    monkeypatch.setattr("dpcert.audit.sampling.sampler.time", types.SimpleNamespace(thread_time=thread_time))
    alone, many = (Batched(response, (0, 1), seed=1, jobs=jobs) for jobs in (1, 3))
    for chunks, seconds in ((6, 2.0), (2, 3.0), (1, 3.0)):  # one chunk is made in the thread that asks
        assert alone.take({0: chunks * CHUNK}, lambda: False) is not None
        assert many.take({0: chunks * CHUNK}, lambda: False) is not None
        assert (alone.aside, many.aside) == (0.0, pytest.approx(seconds))
    still = types.SimpleNamespace(thread_time=lambda: 0.0, monotonic=lambda: 0.0)
    monkeypatch.setattr("dpcert.audit.sampling.budget.time", still)
    claim, options = claim_about(PureDP("ln(3)")), {"jobs": 3, "most_runs": 1_000_000}
    assert audited(response, claim, seconds=1, **options).runs < audited(response, claim, seconds=1000, **options).runs


def test_outcomes_of_any_shape_are_rows() -> None:
    assert as_rows(np.zeros(4)).shape == (4, 1)
    assert as_rows(np.zeros((4, 3, 2))).shape == (4, 6)
    assert as_rows(np.zeros((4, 100))).shape == (4, 64)


@pytest.mark.nightly
def test_scores_of_python_coins_are_as_good_as_none_where_there_is_nothing() -> None:
    """A score learned from noise finds nothing: 20 audits at CONFIDENCE of entries that ignore the input."""
    rng = random.Random(9)
    claim = claim_about(PureDP("0"))
    found = [
        sample_claim(
            claim,
            from_function(lambda x: [rng.random() for _ in range(4)], claim.inputs),
            confidence=CONFIDENCE,
            most_runs=1000,
            seed=seed,
        ).refuted
        for seed in range(20)
    ]
    assert sum(found) <= most_wrong(20, 1 - CONFIDENCE)
