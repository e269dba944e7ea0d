"""Each check of clipped sums finds a fault: with one of the functions it rests on put wrong, it does not hold."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.broken.clipped_sum_l1 import clip_up
from dpcert.mechanisms.broken.clipped_sum_l2 import clip_near
from dpcert.proofs.registry import CHECKS
from dpcert.proofs.user_level.checks import clipped_sums

from .faults import Wrap


def plus_one(true: Any) -> Any:
    return lambda *given, **named: true(*given, **named) + 1


def half_the_noise(true: Any) -> Any:
    return lambda *, ratio, **named: true(ratio=ratio * ratio, **named)


def of_one_item(true: Any) -> Any:
    return lambda *, dimension, **named: true(dimension=1, **named)


def nothing(true: Any) -> Any:
    return lambda *given, **named: (Fraction(0), Fraction(0))


def first_count_alone(true: Any) -> Any:
    def clipped(counts: Sequence[int], **named: Any) -> tuple[int, ...]:
        return (*true(counts, **named)[:1], *counts[1:])

    return clipped


@pytest.mark.points(6)
@pytest.mark.parametrize(
    ("name", "part", "fault"),
    [
        ("replaced-users", "RELATIONS", lambda true: {**RELATIONS, "replace-user": RELATIONS["add-remove"]}),
        ("every-event", "hockey_stick", plus_one),
        ("clipped-norms", "clip_l1", lambda true: clip_up),
        ("clipped-norms", "clip_l2", lambda true: clip_near),
        ("clipped-norms", "clip_l2", first_count_alone),
        ("clipped-distances", "sensitivity_l1", plus_one),
        ("clipped-distances", "square_sensitivity_l2", of_one_item),
        ("clipped-sum-programs", "clipped_sum_l1", half_the_noise),
        ("clipped-sum-programs", "clip_l2", lambda true: clip_near),
        ("clipped-sum-privacy", "clipped_sum_l1", half_the_noise),
        ("clipped-sum-privacy", "clip_l1", first_count_alone),
        ("gaussian-scale", "square_sensitivity_l2", of_one_item),
        ("root-two-is-needed", "delta_bounds", nothing),
        ("poisson-near-binomial", "poisson_mass", nothing),
    ],
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, name: str, part: str, fault: Wrap
) -> None:
    monkeypatch.setattr(clipped_sums, part, fault(getattr(clipped_sums, part)))
    found = CHECKS[name]()
    assert not found.holds
    assert found.witness
