"""Features of many runs at once are those of one run, and say what they see."""

import sys
import types
from importlib.machinery import ModuleSpec
from typing import Any

import numpy as np
import pytest

from dpcert.audit.sampling.coding import Coding, Packing, cell_of
from dpcert.audit.sampling.columns import Low, One, PackedOutcome, Pattern, view_features, whole_of
from dpcert.audit.sampling.events import Event, LowBits, OutcomeNumber
from dpcert.audit.sampling.samples import Rows, Tally, Wrapped, hits_in, matrix_of
from dpcert.audit.sampling.scores import Packed, ScoreCells, cells_of, scores_of
from dpcert.audit.sampling.search import Boosted, boosted_score, can_boost
from dpcert.audit.sampling.views import View


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
    assert isinstance(whole, PackedOutcome)
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
    plain, many = LowBits(OutcomeNumber("outcome")), Low(0)
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
        return self.sign * np.where(numbers[:, 0] > self.middle, 0.5, -0.5)


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
