"""Evidence for planning/contacting.py and compact.py: the tail by plain sums, and plans that small cases bear out."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.finite_computers.compact_costs import exact_ratio, settled
from dpcert.mechanisms.finite_computers.compact_histogram import parts_of
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.planning.contacting import beyond
from dpcert.planning.families import proposal_for
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Question


def planned(name: str, epsilon: str, delta: str | None, **settings: Any) -> Proposal:
    texts = {key: str(value) for key, value in settings.items()}
    return proposal_for(Question(name, epsilon, delta, "substitute", texts))


@pytest.mark.parametrize(("n", "m"), [(2, 1), (7, 2), (60, 6), (60, 59)])
def test_twin_the_tail_of_a_size_is_bounded_from_above_and_closely(n: int, m: int) -> None:
    for asked in range(m, n + 1):
        exactly = sum(Fraction(comb(n, v) * m**v * (n - m) ** (n - v), n**n) for v in range(asked + 1, n + 1))
        found = beyond(n, m, asked)
        assert exactly <= found <= exactly * (1 + Fraction(1, 2**38))


def test_a_plan_of_contacts_is_private_and_one_contact_fewer_leaves_too_little() -> None:
    found = planned("contacted-histogram", "1", "1/20", n=8, m=1, share="1/2")
    spent = Fraction(found.delta[1])
    (answer,) = found.answers
    assert (answer.name, answer.neighbours, Fraction(answer.delta)) == (
        "sample-threshold",
        "substitute",
        Fraction(1, 40),
    )
    assert answer.settings == {"rate": "1/8", "threshold": found.answer["threshold"]}
    audited = dpcert.profile("contacted-histogram", **found.answer, options=dpcert.Options(law_source="closed-form"))
    needed = audited.delta_at("1").hi
    assert 0 < needed <= spent <= Fraction(1, 20)
    price = 1 + dpcert.Epsilon.of("1").exp_bounds(64)[0]
    assert price * beyond(8, 1, int(found.answer["asked"]) - 1) > Fraction(1, 40)


def test_the_tail_of_a_billion_people_is_bounded_at_once() -> None:
    """Chernoff's printed bound, exp(-c^2/3), is above it; ten standard deviations beyond the mean."""
    n, m = 10**9, 10**6
    found = beyond(n, m, m + 10 * 1000)
    assert 0 < found < Fraction(1, 10**20) < dpcert.Epsilon.of("100/3").exp_bounds(64)[1] ** -1
    assert beyond(n, m, m + 10 * 1000 - 1) > found


@pytest.mark.nightly
def test_a_plan_of_a_hundred_thousand_people() -> None:
    found = planned("contacted-histogram", "1", "1e-6", n=100_000, m=10_000)
    assert (found.answer["asked"], found.answer["threshold"]) == ("10558", "8")


@pytest.mark.parametrize(("epsilon", "spent"), [("1", "1"), ("2/3", "1/2"), ("ln(2)", "1/2")])
def test_a_plan_of_a_compact_histogram_spends_no_more_than_epsilon(epsilon: str, spent: str) -> None:
    found = planned("compact-histogram", epsilon, None, n=4, universe=1000, beta="1/10")
    assert found.answer["epsilon"] == spent
    at: dict[str, Any] = {"n": 4, "universe": 1000, "epsilon": Fraction(spent), "beta": Fraction(1, 10)}
    chosen, (_, empty) = settled(**at), parts_of(**at)
    law = fastsample_law(n=4, epsilon=chosen.epsilon, gamma=chosen.gamma)
    ratio = exact_ratio(n=4, universe=1000, law=law, zero=empty.law())
    assert ratio <= dpcert.Epsilon.of(epsilon).exp_bounds(64)[0]
    assert "tested at points" in found.notes[0]


@pytest.mark.nightly
def test_plans_are_verified_and_a_compact_one_is_released(tmp_path: Any) -> None:
    (tmp_path / "labels.txt").write_text("a\nb\nc\n")
    (tmp_path / "data.txt").write_text("a\na\nb\nc\n")
    plan = dpcert.plan("compact-histogram", epsilon="1", neighbours="substitute", settings={"n": 4, "universe": 3})
    assert plan.kind == "search"
    found = dpcert.release(None, tmp_path / "data.txt", tmp_path / "out.csv", plan=plan, labels=tmp_path / "labels.txt")
    assert "1, 0)-differentially private" in found.guarantee
    contacts = dpcert.plan("contacted-histogram", epsilon="1", delta="1e-3", neighbours="substitute")
    assert contacts.delta[1] <= Fraction(1, 1000)
