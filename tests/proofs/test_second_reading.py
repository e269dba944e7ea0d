"""The second reading: each statement that a second pass through the papers met, and the item that covers it."""

from collections.abc import Callable
from fractions import Fraction
from math import floor
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.mixing import greatest_distance
from dpcert.proofs.checks import second_reading, second_reading_users
from dpcert.proofs.checks.second_reading import SECOND_READING, best_private, cut_within, domains
from dpcert.proofs.checks.second_reading_users import SECOND_READING_USERS, clipped_error


def less(x: Fraction) -> Fraction:
    return x * 9 / 10


@pytest.mark.parametrize(
    ("check", "module", "name", "wrong"),
    [
        (
            "geometric-optimal",
            second_reading,
            "geometric_law",
            lambda n, ratio: geometric_law(n=n, ratio=ratio - Fraction(1, 8)),
        ),
        ("counts-of-lists", second_reading, "lists", lambda n, universe: [[0] * (n + 1)]),
        ("mixing-steps", second_reading, "greatest_distance", lambda **k: 2 * greatest_distance(**k)),
        ("irrational-mass", second_reading, "zero_mass", lambda m: (Fraction(1, m), Fraction(1, m))),
        ("four-cases-clamped", second_reading, "four_cases", lambda z, c, n, r: Fraction(z >= c)),
        ("cut-noise-own-scale", second_reading, "cut_within", lambda **k: less(cut_within(**k))),
        ("cumulative-at-zero", second_reading, "cumulative_zero", lambda answers, n: [len(answers)] * (n + 1)),
        ("cut-off-defined", second_reading, "logarithm_of", lambda n, epsilon, gamma: n / gamma),
        ("recursive-calls", second_reading, "calls", lambda i: i.bit_length()),
        ("precision-bits", second_reading, "precision", lambda n, universe, delta: n * universe / delta),
        ("precision-above", second_reading, "pure_distance", lambda **k: Fraction(1)),
        ("sparse-privacy-step", second_reading, "precision", lambda **k: 5),
        ("accurate-sets-disjoint", second_reading, "floor", lambda x: floor(x) - 1),
        ("planted-rows-ceiling", second_reading, "ceil", floor),
        ("sampler-domains-differ", second_reading, "domains", lambda **k: (64, domains(**k)[1])),
        ("poisson-near-binomial", second_reading_users, "poisson_mass", lambda rate, k: (Fraction(0), Fraction(0))),
        ("fixed-quantile-poor", second_reading_users, "clipped_error", lambda *a: 1 + less(clipped_error(*a)) / 10**6),
        ("dirichlet-closer", second_reading_users, "share_spread", lambda users, alpha: Fraction(users, alpha)),
    ],
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, check: str, module: ModuleType, name: str, wrong: Callable[..., Any]
) -> None:
    checks = {**SECOND_READING, **SECOND_READING_USERS}
    assert checks[check]().holds
    monkeypatch.setattr(module, name, wrong)
    assert not checks[check]().holds


@pytest.mark.parametrize(
    "check",
    [
        "four-cases-unclamped",
        "cumulative-at-zero-positive",
        "cut-noise-printed-scale",
        "cut-off-printed",
        "sparse-privacy-step-printed",
        "planted-rows-floor",
    ],
)
def test_what_the_text_has_and_a_proof_does_not_need_is_refuted(check: str) -> None:
    assert not SECOND_READING[check]().holds


def test_exact_twin_of_the_least_loss_for_two_counts() -> None:
    """For n = 1 a private mechanism errs by at least 1/(r + 1) on one of two counts: randomized response."""
    assert best_private(Fraction(3), (1, 1), lambda gap: gap) == 2 * Fraction(1, 4)
    assert best_private(Fraction(3), (9, 1), lambda gap: gap) == 1
