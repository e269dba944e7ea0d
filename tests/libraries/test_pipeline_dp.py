"""What was found in PipelineDP 0.3.1."""

import random
from fractions import Fraction
from typing import Any

import numpy
import pipeline_dp as pdp
import pytest
from pipelines import engine

import dpcert
from dpcert.libraries import pipeline_dp as adapter
from dpcert.libraries.steps import fixed_generator
from dpcert.pipelines.libraries import PIPELINE_DP

pytestmark = pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value", "ignore:divide by zero")


def test_the_exponential_mechanism_raises_on_scores_above_1419_and_so_reveals_them() -> None:
    report = dpcert.audit(adapter.exponential_mechanism(1.0, inputs=[(1419, 0), (1420, 0)])).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo == 1


def test_the_exponential_mechanism_raises_on_low_scores_too() -> None:
    report = dpcert.audit(adapter.exponential_mechanism(1.0, inputs=[(-1490, -1490), (-1491, -1491)])).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo == 1


def test_the_exponential_mechanism_on_small_scores_misses_at_most_rounding() -> None:
    report = dpcert.audit(adapter.exponential_mechanism(1.0, inputs=[(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1)])).seen
    assert report.delta_hi < Fraction(1, 10**15)


def test_partition_selection_is_audited_with_its_pre_threshold() -> None:
    report = dpcert.audit(adapter.kept("LAPLACE_THRESHOLDING", 1.0, 1e-5, pre_threshold=5, counts=range(30))).seen
    assert isinstance(report.verdict, dpcert.Verified)


def test_a_choice_by_numpy_is_by_sums_of_probabilities() -> None:
    source = random.Random(5)
    for _ in range(200):
        k = source.getrandbits(53)
        chosen = fixed_generator(k).choice([0, 1, 2], p=numpy.array([0.25, 0.25, 0.5]))
        assert chosen == (0 if k < 2**51 else 1 if k < 2**52 else 2)


def test_a_pipeline_of_the_engine_spends_what_its_accountant_says() -> None:
    """The least epsilon of COUNT on all data is exactly the accountant's; half of the noise would be too small."""
    pipeline = next(engine.pipelines())
    found = engine.measured(pipeline)
    assert (found.epsilon, found.verdict, found.pairs) == (1, "holds", 126)


def test_caught_a_user_whose_contributions_are_not_bounded() -> None:
    """Without the bound across partitions a user is in three of them, and epsilon = 3/2 is needed of 1."""
    more = {**engine.TWO, "perform_cross_partition_contribution_bounding": False}
    found = engine.measured(engine.Pipeline("COUNT, not bounded", ("COUNT",), 1.0, 0.0, more=more))
    assert (found.epsilon, found.verdict) == (Fraction(3, 2), "too small")


def audited_on_ideal_noise(more: dict[str, object]) -> dpcert.IdealReport:
    pipeline = engine.Pipeline("COUNT", ("COUNT",), 1.0, 0.0, more=more)
    user = tuple((engine.USER, place, 1) for place in range(3 if len(more) > 2 else 2))

    def released(rows: tuple[engine.Row, ...], rng: object) -> list[object]:
        return sorted(engine.aggregated(pipeline, rows, engine.Draws(rng)), key=lambda item: item[0])

    inputs = [engine.OTHERS, (*engine.OTHERS, *user)]
    claim = {"guarantee": dpcert.PureDP(1), "inputs": inputs, "neighbours": "any", "noise": "ideal"}
    return dpcert.audit(dpcert.target(**claim)(released), method="ideal").seen


def test_the_engine_on_ideal_noise_needs_the_same_epsilon() -> None:
    found = audited_on_ideal_noise(engine.TWO)
    assert found.verdict != "refuted"
    assert found.epsilon[0] == dpcert.Epsilon.of(1)


def test_caught_on_ideal_noise_as_well_contributions_that_are_not_bounded() -> None:
    more = {**engine.TWO, "perform_cross_partition_contribution_bounding": False}
    assert audited_on_ideal_noise(more).verdict == "refuted"


def test_the_local_backend_shows_the_order_in_which_partitions_first_occur() -> None:
    pipeline = next(engine.pipelines())
    first = [key for key, _ in engine.aggregated(pipeline, ((1, 1, 1), (2, 0, 1)), engine.Calls(0.0))]
    second = [key for key, _ in engine.aggregated(pipeline, ((2, 0, 1),), engine.Calls(0.0))]
    assert (first, second) == ([1, 0, 2], [0, 1, 2])


def test_caught_a_release_that_depends_on_more_than_noisy_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline_dp import dp_computations

    def bare(self: object, value: float) -> float:
        return value

    monkeypatch.setattr(dp_computations.LaplaceMechanism, "add_noise", bare)
    with pytest.raises(ArithmeticError, match="more than noisy numbers"):
        engine.measured(next(engine.pipelines()))


@pytest.mark.parametrize(("by_size", "verdict"), [(False, "undecided"), (True, "refuted")])
def test_the_engine_and_the_code_around_it_are_replayed(by_size: bool, verdict: str) -> None:
    def released(rows: list[tuple[int, str, float]]) -> list[Any]:
        budget = pdp.NaiveBudgetAccountant(total_epsilon=1.0, total_delta=0.0)
        engine = pdp.DPEngine(budget, pdp.LocalBackend())
        parts = pdp.DataExtractors(lambda row: row[0], lambda row: row[1], lambda row: row[2])
        bounds = pdp.AggregateParams(
            metrics=[pdp.Metrics.COUNT, pdp.Metrics.SUM],
            noise_kind=pdp.NoiseKind.LAPLACE,
            max_partitions_contributed=2,
            max_contributions_per_partition=1,
            min_value=0.0,
            max_value=1.0,
        )
        found = engine.aggregate(rows, bounds, parts, ["a", "b"])
        budget.compute_budgets()
        return [(name, values.sum / (len(rows) if by_size else 1)) for name, values in found]

    always, one, other = [(0, "a", 1.0), (0, "b", 1.0)], [(1, "a", 1.0)], [(2, "b", 1.0)]
    result = dpcert.pipeline(
        released,
        primitives=PIPELINE_DP,
        inputs=[always, always + one, always + other, always + one + other],
        neighbours="add-remove",
        guarantee=dpcert.PureDP("1.000001"),
        runs=10,
    )
    assert result.verdict == verdict
    assert ("no violation found" in result.reason) is not by_size
