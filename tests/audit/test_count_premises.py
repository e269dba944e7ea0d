"""What follows from which premises for sample-and-threshold, and hints from which nothing follows."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.premises import Hints
from dpcert.audit.unbounded.sample_and_threshold.theorem import SAMPLE_AND_THRESHOLD
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds, move_hints
from dpcert.audit.unbounded.theorem import Conclusion, UnboundedClaim, Unfounded
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

PARAMETERS = {"rate": "1/4", "threshold": "3", "kmax": "all"}
NODE = (Fraction(1), Fraction(1, 2))


@pytest.fixture
def concluded() -> Callable[..., Conclusion]:
    def conclude(hints: Hints, delta: str = "1/20", neighbours: str = "element", **changes: str) -> Conclusion:
        guarantee, parameters = ApproxDP("ln(3)", delta), {**PARAMETERS, **changes}
        claim = UnboundedClaim("sample-threshold", parameters, guarantee, neighbours, "program")
        return SAMPLE_AND_THRESHOLD.conclusion(claim, hints.as_data())

    return conclude


def test_all_counts_need_two_claims_that_meet_at_the_reach(concluded: Callable[..., Conclusion]) -> None:
    found = concluded(Hints(7))
    here, beyond = found.premises
    assert (here.mechanism, dict(here.settings)["kmax"]) == ("sample-threshold", "7")
    assert (beyond.mechanism, dict(beyond.settings)["least"]) == ("sampled-count", "7")
    for premise in found.premises:
        assert (premise.guarantee, premise.neighbours) == (ApproxDP("ln(3)", "1/20"), "element")
    assert (here.refutes, beyond.refutes) == (True, False)
    lists = concluded(Hints(7), neighbours="add-remove")
    assert (lists.premises, lists.inputs, found.inputs) == (found.premises, "all lists", "all counts")


def test_all_moves_need_four_claims_a_pair_of_nodes(concluded: Callable[..., Conclusion]) -> None:
    bounds = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3))
    hints = move_hints(bounds, rate=Fraction(1, 4), guarantee=ApproxDP("ln(3)", "1/20"))
    assert hints is not None
    found = concluded(hints, neighbours="substitute")
    assert len(found.premises) == 2 * len(hints.losing) + 2 * len(hints.gaining)
    joined = [premise for premise in found.premises if premise.mechanism == "joined-count"]
    assert len(joined) == 2 * len(hints.gaining)
    assert not any(premise.refutes for premise in found.premises)
    for (at, bound), premise in zip(hints.gaining, joined[::2], strict=True):
        settings = dict(premise.settings)
        assert (Fraction(settings["keep"]), premise.guarantee.delta) == (1 / at, 1 - (1 - bound) / at)
        assert (settings["threshold"], settings["least"], settings["greatest"]) == ("3", "1", str(hints.reach))
    for premise in joined[1::2]:
        settings = dict(premise.settings)
        assert (settings["threshold"], settings["least"]) == ("1", settings["greatest"])
        assert int(settings["least"]) == hints.reach + 1


def test_hints_survive_their_data() -> None:
    hints = Hints(9, (NODE, (Fraction(5, 3), Fraction(1, 7))), ((Fraction(4, 3), Fraction(0)),))
    assert Hints.from_data(hints.as_data()) == hints


def test_a_guarantee_that_cannot_be_had_has_no_hints() -> None:
    bounds = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3))
    assert move_hints(bounds, rate=Fraction(1, 4), guarantee=ApproxDP("ln(3)", bounds.lo / 2)) is None


@pytest.mark.parametrize(
    ("hints", "changes", "words"),
    [
        (Hints(7, (NODE,)), {}, "takes no nodes"),
        (Hints(7), {"kmax": "30"}, "kmax=all"),
        (Hints(7), {"neighbours": "substitute"}, "at least one"),
        (Hints(7, (NODE,)), {"neighbours": "substitute"}, "composed for two"),
        (Hints(7, (NODE,), (NODE,)), {"neighbours": "substitute"}, "E > 1"),
    ],
)
def test_refused_hints_from_which_it_does_not_follow(
    concluded: Callable[..., Conclusion], hints: Hints, changes: dict[str, str], words: str
) -> None:
    with pytest.raises(Unfounded) as refused:
        concluded(hints, **changes)
    assert words in str(refused.value)


@pytest.mark.parametrize("changes", [{"rate": "1"}, {"threshold": "0"}, {"neighbours": "l1"}])
def test_refused_parameters(concluded: Callable[..., Conclusion], changes: dict[str, str]) -> None:
    with pytest.raises(InputError):
        concluded(Hints(7), **changes)


def test_a_theorem_for_three_relations_alone(concluded: Callable[..., Conclusion]) -> None:
    assert [concluded(Hints(7), neighbours=name).theorem for name in ("element", "add-remove")] == ["all counts"] * 2
    assert SAMPLE_AND_THRESHOLD.names["substitute"] == "all moves"
    with pytest.raises(InputError, match="element, add-remove or substitute"):
        SAMPLE_AND_THRESHOLD.require(neighbours="replace-user", observes=None)
