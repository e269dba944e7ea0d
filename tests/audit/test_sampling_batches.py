"""Sampling audits of batches: the same samples for any number of workers, rates kept, and features equal to plain ones.

Rates are tested one-sidedly and exactly, at ALPHA; the seeds are fixed.
"""

import random
import sys
import types
from collections.abc import Callable
from fractions import Fraction
from importlib.machinery import ModuleSpec
from math import comb
from typing import Any

import numpy as np
import pytest

from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.relations import relation
from dpcert.audit.sampling.boosted import Boosted, boosted_score, can_boost
from dpcert.audit.sampling.coding import Coding, cell_of
from dpcert.audit.sampling.columns import One, Pattern, Whole, view_features, whole_of
from dpcert.audit.sampling.decide import Sampled, Search, sample_claim
from dpcert.audit.sampling.events import Cells, Event, LowBits, Part
from dpcert.audit.sampling.low import Low
from dpcert.audit.sampling.packing import Packing
from dpcert.audit.sampling.sampler import CHUNK, Batched, from_function
from dpcert.audit.sampling.samples import LOOKED_AT, Rows, Tally, Wrapped, hits_in, matrix_of
from dpcert.audit.sampling.scores import Packed, ScoreCells, cells_of, scores_of
from dpcert.audit.sampling.search import EXAMPLES, POOLED, described
from dpcert.audit.sampling.views import View, as_rows
from dpcert.mechanisms.exact.errors import InputError

ALPHA = Fraction(1, 1000)
CONFIDENCE = Fraction(9, 10)
FOREVER = float("inf")

Batch = Callable[[Any, int, np.random.Generator], Any]


def claim_about(guarantee: ApproxDP, inputs: tuple[Any, ...] = (0, 1)) -> Claim:
    return Claim("m", (), inputs, relation("any"), guarantee)


def audited(batch: Batch, claim: Claim, *, seed: int = 1, jobs: int = 1, **options: Any) -> Sampled:
    return sample_claim(claim, Batched(batch, claim.inputs, seed=seed, jobs=jobs), seed=seed, **options)


def most_wrong(repetitions: int, rate: Fraction) -> int:
    """Return the least count that Bin(repetitions, rate) exceeds with a chance of at most ALPHA."""
    weights = [comb(repetitions, j) * rate**j * (1 - rate) ** (repetitions - j) for j in range(repetitions + 1)]
    return next(count for count in range(repetitions + 1) if sum(weights[count + 1 :]) <= ALPHA)


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


@pytest.mark.parametrize("name", SOME)
def test_samples_do_not_depend_on_the_number_of_workers(name: str) -> None:
    batch, guarantee = CORRECT[name]
    runs = 5 * CHUNK
    reports = [audited(batch, claim_about(guarantee), jobs=jobs, most_runs=runs) for jobs in (1, 2, 8)]
    first = reports[0]
    assert first.worst is not None
    for other in reports[1:]:
        assert other.worst is not None
        assert other.worst.event.words() == first.worst.event.words()
        assert (other.worst.counts, other.epsilon_lo, other.runs) == (
            first.worst.counts,
            first.epsilon_lo,
            first.runs,
        )


def test_chunks_have_streams_of_their_own() -> None:
    source = Batched(lambda x, n, rng: rng.integers(0, 1 << 62, n), (0, 1), seed=5, jobs=3)
    taken = source.take({0: 3 * CHUNK + 7, 1: CHUNK}, FOREVER)
    again = source.take({0: CHUNK}, FOREVER)
    assert taken is not None
    assert again is not None
    numbers = np.concatenate([taken[0].whole(), taken[1].whole(), again[0].whole()])
    assert (taken[0].runs, taken[1].runs, len(np.unique(numbers))) == (3 * CHUNK + 7, CHUNK, 5 * CHUNK + 7)


def wrong(name: str, repetitions: int, most_runs: int) -> int:
    """Count the false refutations at CONFIDENCE, with 1 to 8 workers in turn."""
    batch, guarantee = CORRECT[name]
    found = [
        audited(
            batch,
            claim_about(guarantee),
            seed=seed,
            jobs=1 + seed % 8,
            confidence=CONFIDENCE,
            most_runs=most_runs,
        )
        for seed in range(repetitions)
    ]
    return sum(report.refuted for report in found)


@pytest.mark.parametrize("name", SOME)
def test_correct_batches_are_refuted_no_more_often_than_stated(name: str) -> None:
    """alpha = 1e-3, one-sided and exact, that the rate of false refutations is at most 1/10."""
    assert wrong(name, 24, 2000) <= most_wrong(24, 1 - CONFIDENCE)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORRECT)
def test_a_thousand_audits_of_correct_batches(name: str) -> None:
    """alpha = 1e-3, over 1000 repetitions of which each has chunks for several workers."""
    assert wrong(name, 1000, CHUNK + 8000) <= most_wrong(1000, 1 - CONFIDENCE)


def many_small(x: int, n: int, rng: np.random.Generator) -> Any:
    """Return twenty noisy copies of x: each alone says little."""
    return x + rng.laplace(0, 20, (n, 20))


def test_a_learned_score_finds_what_no_entry_shows() -> None:
    """Twenty answers with an epsilon of 1/20 each: together they need 1, and one alone is within the claim of 1/10."""
    claim = claim_about(PureDP("1/10"))
    report = audited(many_small, claim, most_runs=100_000, search=Search(bits=False))
    assert report.refuted
    assert report.worst is not None
    assert "learned score" in report.worst.event.words() or "sum" in report.worst.event.words()


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


def test_cells_are_those_of_a_search() -> None:
    rng = np.random.default_rng(1)
    numbers = np.concatenate([rng.laplace(0, 10, 20_000), [np.inf, -np.inf, 0.0, -0.0, 1e300, 5e-324]])
    for edges in (
        np.sort(rng.laplace(0, 10, 40)),
        np.array([0.0]),
        np.array([-5e-324, 0.0, np.inf]),
        np.array([-2000.0, -1000.0, -5.0, 0.0, 5.0, np.inf]),
        np.array([-1e300, 1e300]),
    ):
        assert (cell_of(numbers, edges) == np.searchsorted(edges, numbers)).all()
    numbers[7] = np.nan
    assert cell_of(numbers, np.array([0.0, 1.0]))[7] == 2


def test_frequent_values_have_codes_of_their_own() -> None:
    rng = np.random.default_rng(3)
    column = rng.choice([-1000.0, 0.0], 4000)
    column[::2] = rng.normal(size=2000)
    column[1] = np.nan
    coding = Coding.fitted(View("entries"), column[:, None], 8)
    assert coding.atoms == ((-1000.0, 0.0),)
    codes = coding.codes(column[:, None], {})[:, 0]
    for number, code in zip(column, codes, strict=True):
        words = coding.one_words(0, int(code))
        if np.isnan(number):
            assert words == "no number"
        elif number in (-1000.0, 0.0):
            assert words == repr(float(number))
        else:
            assert words.startswith(("above", "at most"))
    (above,) = coding.codes(np.array([[np.nextafter(0.0, 1)]]), {})[0]
    assert coding.one_words(0, int(above)).startswith("above")


def test_few_integers_are_packed_and_named() -> None:
    rows = np.array([[0, 1, -1], [1, 1, 0], [0, 1, -1]], dtype=np.int8)
    whole = whole_of(rows)
    assert isinstance(whole, Whole)
    first, second, third = whole.codes(rows, {}).tolist()
    assert first == third != second
    assert whole.words(frozenset({first})) == "the entries are (0, 1, -1)"
    (strange,) = whole.codes(np.array([[0, 7, 0]]), {}).tolist()
    assert whole.words(frozenset({strange})) == "the entries are others than were seen"
    assert whole_of(np.zeros((4, 60), dtype=np.int64) + np.arange(4)[:, None]) is None
    assert Packing.fitted(np.array([[0, 5000]]), 1 << 12) is None


def test_packed_scores_are_the_sums_of_their_columns() -> None:
    rng = np.random.default_rng(4)
    a, b = (rng.integers(0, 2, (3000, 20), dtype=np.int8) | (rng.random((3000, 20)) < p) for p in (0.1, 0.3))
    scores = [cells.score for cells in scores_of(a.astype(np.int8), b.astype(np.int8))]
    packed = [score for score in scores if isinstance(score, Packed)]
    assert packed
    for score in packed:
        rows = rng.integers(0, 2, (500, 20), dtype=np.int8)
        assert (score.of(rows, {}) == score.plain.of(rows, {})).all()
        rows[3, 3] = 9
        assert score.of(rows, {})[3] == sum(int(table.min()) for table in score.tables)


def test_labels_are_of_the_row_alone() -> None:
    """Each feature gives a row the same label by itself as among others, in any order."""
    rng = np.random.default_rng(5)
    mixed = rng.normal(size=(4000, 6))
    mixed[rng.random((4000, 6)) < 0.4] = -1000.0
    for rows in (mixed, rng.integers(0, 3, (4000, 6), dtype=np.int8), rng.normal(size=(4000, 1))):
        features: list[Any] = [*view_features(rows, 16, bits=True), *scores_of(rows[:2000], rows[2000:] + 1)]
        for feature in features:
            labels = feature.codes(rows, {})
            assert (feature.codes(rows[::-1], {}) == labels[::-1]).all()
            assert (feature.codes(rows[17:18], {}) == labels[17:18]).all()
            assert feature.words(frozenset(labels[:50].tolist()))


def test_hits_are_counts_of_labels() -> None:
    rng = np.random.default_rng(6)
    rows = rng.normal(size=(3000, 4))
    samples = Rows([rows[:1000], rows[1000:]])
    for feature in [*view_features(rows, 16, bits=True), *scores_of(rows[:1500] + 1, rows[1500:])]:
        labels = feature.codes(rows, {}).tolist()
        for chosen in (frozenset(labels[:3]), frozenset({max(labels)}), frozenset(set(labels)), frozenset({0, 1, 2})):
            event = Event(feature, chosen)
            expected = sum(label in chosen for label in labels)
            assert samples.hits(event) == hits_in(rows, [event])[0] == expected
        assert samples.by_label(feature, {}) == {label: labels.count(label) for label in set(labels)}


def test_trailing_zeros_are_those_of_the_plain_feature() -> None:
    numbers = [1.0, 1.5, 1 / 3, -0.75, 5e-324, 3e300, 0.1 + 0.2]
    plain, many = LowBits(Part("outcome")), Low(0)
    for number, label in zip(numbers, many.codes(np.array(numbers)[:, None], {}).tolist(), strict=True):
        assert plain.label(number) == (label // 64 - 2000, label % 64)
    assert many.codes(np.array([[0.0], [np.inf], [np.nan]]), {}).tolist() == [-1, -1, -1]


def test_python_values_become_rows() -> None:
    found = matrix_of([[1, True, 2.5], (10**400, "x"), 7, float("nan")], 3)
    assert found[0].tolist() == [1.0, 1.0, 2.5]
    assert found[1][0] == np.inf
    assert found[1][1] >= 1 << 40
    assert found[2][0] == 7
    assert np.isnan([found[1][2], found[2][1], found[3][0]]).all()
    tally = Tally()
    for outcome in ([1, 2.0], [1, 2.0], [3, 4.0]):
        tally.add(outcome)
    assert tally.matrix(2).tolist() == [[1, 2], [1, 2], [3, 4]]
    wrapped = Wrapped(One(Coding.fitted(View("sum"), tally.matrix(2), 4)), 2)
    assert sum(tally.by_label(wrapped, {}).values()) == 3
    assert wrapped.label([1, 2.0]) == wrapped.labels([[1, 2.0]])[0]


def test_patterns_say_where_frequent_values_stand() -> None:
    rng = np.random.default_rng(7)
    rows = np.where(rng.random((2000, 2)) < 0.5, rng.choice([-1.0, 4.0], (2000, 2)), rng.normal(size=(2000, 2)))
    (pattern,) = (f for f in view_features(rows, 8, bits=False) if isinstance(f, Pattern) and f.number is None)
    label = int(pattern.codes(np.array([[-1.0, 0.3]]), {})[0])
    assert pattern.words(frozenset({label})) == "the entries are (-1.0, another number)"


class Stump:
    """Stands for scikit-learn's trees: the log-odds of one threshold of the first number."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings

    def fit(self, numbers: Any, sides: Any) -> "Stump":
        self.middle = np.median(numbers[:, 0])
        self.sign = 1 if sides[numbers[:, 0] > self.middle].mean() > 0.5 else -1
        return self

    def decision_function(self, numbers: Any) -> Any:
        found: Any = self.sign * np.where(numbers[:, 0] > self.middle, 0.5, -0.5)
        return found


def test_trees_are_asked_where_they_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    package, module = types.ModuleType("sklearn"), types.ModuleType("sklearn.ensemble")
    package.__spec__ = ModuleSpec("sklearn", None)
    monkeypatch.setattr(module, "HistGradientBoostingClassifier", Stump, raising=False)
    monkeypatch.setitem(sys.modules, "sklearn", package)
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", module)
    assert can_boost()
    rng = np.random.default_rng(8)
    a, b = rng.normal(1, 1, (4000, 3)), rng.normal(0, 1, (4000, 3))
    score = boosted_score(a, b)
    assert isinstance(score, Boosted)
    assert score.of(a, {}).mean() > score.of(b, {}).mean()
    assert isinstance(cells_of(score, score.of(a, {})), ScoreCells)
    assert "trees" in score.words()


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
    cells = Cells(Part("outcome"), (1,))
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
    assert Batched(response, (0, 1), seed=1).take({0: 10}, -1.0) is None
    assert Batched(response, (0, 1), seed=1).count({0: 10}, [], -1.0) is None
    report = audited(response, claim_about(PureDP("ln(3)")), seconds=0)
    assert (report.refuted, report.power) == (False, ())


def test_outcomes_of_any_shape_are_rows() -> None:
    assert as_rows(np.zeros(4)).shape == (4, 1)
    assert as_rows(np.zeros((4, 3, 2))).shape == (4, 6)
    assert as_rows(np.zeros((4, 100))).shape == (4, 64)


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
