"""What was found in OpenDP 0.16.0, and what was found right."""

from dataclasses import replace

import opendp.prelude as dp
import pytest
from pipelines import opendp_chains

import dpcert
from dpcert.libraries import opendp as adapter
from dpcert.pipelines.libraries import OPENDP


@pytest.mark.parametrize(("scale", "threshold"), [(0.5, 3), (1.0, 5), (10.0, 100)])
def test_the_delta_of_a_laplace_threshold_is_too_small_by_the_ratio_of_the_noise(scale: float, threshold: int) -> None:
    found = adapter.laplace_threshold_delta(scale, threshold)
    assert found.verdict == "too small"
    assert abs(found.ratio - 2.718281828459045 ** (1 / scale)) < 1e-9


@pytest.mark.parametrize(("scale", "threshold"), [(0.5, 3), (10.0, 50)])
def test_the_delta_of_a_gaussian_threshold_is_too_small(scale: float, threshold: int) -> None:
    assert adapter.gaussian_threshold_delta(scale, threshold).verdict == "too small"


def test_the_laplace_threshold_is_refuted_from_samples() -> None:
    assert dpcert.audit(adapter.threshold_target(0.5, 3), method="samples").seen.refuted


@pytest.mark.parametrize("prob", [0.6, 0.75, 0.99])
def test_the_map_of_randomized_response_holds(prob: float) -> None:
    assert adapter.response_epsilon(prob).verdict == "holds"


@pytest.mark.parametrize(("scale", "distance"), [(0.3, 1), (3.0, 3), (7.7, 1)])
def test_the_map_of_laplace_noise_on_integers_holds(scale: float, distance: int) -> None:
    assert adapter.laplace_epsilon(scale, distance).verdict == "holds"


@pytest.mark.parametrize(("scale", "epsilon"), [(0.5, 1.0), (2.0, 5.0)])
def test_the_conversion_from_concentrated_privacy_holds(scale: float, epsilon: float) -> None:
    assert adapter.discrete_gaussian_delta(scale, epsilon).verdict == "holds"


def test_measurements_sampled_show_no_violation() -> None:
    for name, target in adapter.sampled_targets():
        assert not dpcert.audit(target, method="samples", options=dpcert.Options(samples=8_000)).seen.refuted, name


def test_every_chain_and_every_response_is_as_private_as_its_map_says() -> None:
    found = [*map(opendp_chains.compared, opendp_chains.chains()), *opendp_chains.responses()]
    assert [each.words for each in found if each.verdict != "holds"] == []
    exact = {each.words: each.least[0] for each in found}
    assert exact["clamp to [-3, 2], sum, laplace(2.0)"] == 1.5
    assert exact["quantile_score_candidates, alpha = 0.25"] == 3


def test_caught_a_map_that_says_less_than_the_distance() -> None:
    """Of a sum whose clamping is left out of what is run, the distance is 5 where 3 is claimed."""
    chain = next(each for each in opendp_chains.chains() if each.words == "clamp to [-3, 2], sum, laplace(2.0)")
    chain = replace(chain, transformation=lambda rows: sum(rows))
    found = opendp_chains.compared(chain)
    assert (found.verdict, found.least[0]) == ("too small", 2.5)


def test_glue_between_measurements_is_replayed() -> None:
    dp.enable_features("contrib", "honest-but-curious")
    number, vector = dp.atom_domain(T=int), dp.vector_domain(dp.atom_domain(T=int))
    total = dp.m.make_laplace(number, dp.absolute_distance(T=int), scale=100.0)
    size = dp.m.make_laplace(number, dp.absolute_distance(T=int), scale=1.0)
    parts = dp.m.make_gaussian(vector, dp.l2_distance(T=float), scale=4.0)
    chain = (vector, dp.symmetric_distance()) >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum() >> dp.m.then_laplace(2.0)
    verdicts = {
        "right": lambda ages: total(sum(ages)) / max(size.invoke(len(ages)), 1),
        "private size": lambda ages: total(sum(ages)) / max(len(ages), 1),
        "spent twice": lambda ages: [total(sum(ages)) for _ in range(3)],
        "gaussian": lambda ages: parts([len(ages), 0]),
        "chain": chain,
    }
    found = {
        name: dpcert.pipeline(
            program,
            primitives=OPENDP,
            inputs=dpcert.databases([20, 100], up_to=2),
            neighbours="add-remove",
            guarantee=dpcert.ApproxDP("2", "1/1000") if name == "gaussian" else dpcert.PureDP("2"),
            runs=20,
        )
        for name, program in verdicts.items()
    }
    assert [name for name, one in found.items() if one.verdict == "refuted"] == ["private size", "spent twice"]
    assert "no violation found" in found["right"].reason
    assert "MaxDivergence on SymmetricDistance is not read" in found["chain"].reason
