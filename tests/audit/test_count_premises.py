"""What follows from which premises for sample-and-threshold, and hints from which nothing follows."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest

from dpcert import ApproxDP, Epsilon, InputError
from dpcert.audit.unbounded.sample_and_threshold.premises import Hints
from dpcert.audit.unbounded.sample_and_threshold.theorem import SAMPLE_AND_THRESHOLD
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds
from dpcert.audit.unbounded.theorem import Conclusion, UnboundedClaim, Unfounded
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta

PARAMETERS = {"rate": "1/4", "threshold": "3", "kmax": "all"}


@pytest.fixture
def concluded() -> Callable[..., Conclusion]:
    def conclude(
        hints: Hints, delta: str = "1/20", neighbours: str = "counts_differ_by_one", **changes: str
    ) -> Conclusion:
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
        assert (premise.guarantee, premise.neighbours) == (ApproxDP("ln(3)", "1/20"), "counts_differ_by_one")
    assert (here.refutes, beyond.refutes) == (True, False)
    lists = concluded(Hints(7), neighbours="add-remove")
    assert (lists.premises, lists.inputs, found.inputs) == (found.premises, "all lists", "all counts")


def test_all_moves_need_points_and_one_claim_that_ties_them_to_the_program(
    concluded: Callable[..., Conclusion],
) -> None:
    bounds = move_bounds(rate=Fraction(1, 4), threshold=3, epsilon=Epsilon.ln(3))
    found = concluded(bounds.hints, neighbours="substitute")
    (tie,) = found.premises
    assert (tie.mechanism, tie.neighbours, tie.refutes) == ("sample-threshold", "counts_differ_by_one", False)
    assert tie.settings == (("rate", "1/4"), ("threshold", "3"), ("kmax", "9"))
    assert tie.guarantee.delta == greatest_delta(rate=Fraction(1, 4), threshold=3, ratio=Fraction(8, 3)).delta


def test_more_counts_than_the_kernel_takes_need_the_tie_alone(concluded: Callable[..., Conclusion]) -> None:
    asked = partial(concluded, threshold="100", rate="1/2")
    (tie,) = asked(Hints(200), delta="1/1000").premises
    assert tie.settings == (("rate", "1/2"), ("threshold", "8"), ("kmax", "24"))
    needed = greatest_delta(rate=Fraction(1, 2), threshold=100, ratio=Fraction(3))
    assert asked(Hints(200), delta=ratio_text(needed.delta)).premises == (tie,)
    less = ratio_text(needed.delta - Fraction(1, 10**60))
    with pytest.raises(Unfounded, match=f"{needed.count} people and one fewer need more than delta"):
        asked(Hints(200), delta=less)
    with pytest.raises(Unfounded, match="the number sampled of 100 people needs more than delta"):
        asked(Hints(100), delta=ratio_text(needed.delta))


def test_hints_survive_their_data() -> None:
    hints = Hints(9, 4, (8, 16, 40))
    assert Hints.from_data(hints.as_data()) == hints


@pytest.mark.parametrize(
    ("hints", "changes", "words"),
    [
        (Hints(7, 1, (2,)), {}, "takes no points"),
        (Hints(7), {"kmax": "30"}, "kmax=all"),
        (Hints(7), {"neighbours": "substitute"}, "at least one"),
        (Hints(7, 4, (1, 15)), {"neighbours": "substitute"}, "at least one"),
        (Hints(7, 4, (16, 48)), {"neighbours": "substitute"}, "composed for two"),
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
    assert [concluded(Hints(7), neighbours=name).theorem for name in ("counts_differ_by_one", "add-remove")] == [
        "all counts"
    ] * 2
    assert SAMPLE_AND_THRESHOLD.names["substitute"] == "all moves"
    with pytest.raises(InputError, match="counts_differ_by_one, add-remove or substitute"):
        SAMPLE_AND_THRESHOLD.require(neighbours="replace-user", observes=None)
