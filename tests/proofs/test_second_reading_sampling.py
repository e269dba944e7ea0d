"""Each check that the second reading of the sampling papers added finds a fault, and its witnesses hold by hand."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.checks import second_reading_anonymized as anonymized
from dpcert.proofs.checks import second_reading_sampling as sampling
from dpcert.proofs.checks import second_reading_weighted as weighted
from dpcert.proofs.checks.second_reading_anonymized import SECOND_READING_ANONYMIZED
from dpcert.proofs.checks.second_reading_sampling import SECOND_READING_SAMPLING, shown
from dpcert.proofs.checks.second_reading_weighted import SECOND_READING_WEIGHTED, falls_short

CHECKS = {**SECOND_READING_SAMPLING, **SECOND_READING_WEIGHTED, **SECOND_READING_ANONYMIZED}
HALF = Fraction(1, 2)


def without_last(true: Callable[..., Any]) -> Callable[..., Any]:
    """A sum of histograms that loses its smallest count."""
    return lambda *a: true(*a)[:-1]


def ranked(true: Callable[..., Any]) -> Callable[..., Any]:
    """Estimates that go by the number of a value."""
    return lambda **k: tuple(value * j for j, value in enumerate(true(**k)))


def halved(true: Callable[..., Any]) -> Callable[..., Any]:
    """A number, or the numbers of a list, halved."""
    return lambda *a, **k: [x / 2 for x in found] if isinstance(found := true(*a, **k), list) else found / 2


def always(value: Any) -> Callable[[Any], Any]:
    """The same value for all arguments."""
    return lambda true: lambda *a, **k: value


def idle_newest(true: Callable[..., Any]) -> Callable[..., Any]:
    """Densities that put the mass of the greatest value on the one before."""

    def built(**k: Any) -> Any:
        rows, ends = true(**k)
        return [(*row[:-2], row[-2] + row[-1], Fraction(0)) for row in rows], ends

    return built


@pytest.mark.parametrize(
    ("check", "module", "name", "wrap"),
    [
        ("sampled-messages", sampling, "shown", lambda true: lambda messages, threshold: true(messages, threshold + 1)),
        ("contact-unique-votes-corrected", sampling, "shown", lambda true: lambda sent, threshold: true(sent, 1)),
        ("experiments-few-buckets", sampling, "THRESHOLD", lambda true: 1),
        (
            "quantile-removed-bucket-corrected",
            sampling,
            "next_split",
            lambda true: lambda steps, *, phi, halvings: true(steps, phi=phi / 2, halvings=halvings),
        ),
        ("pws-earlier-selection", weighted, "keep_probability", halved),
        ("pws-unreported-corrected", weighted, "sanitizer_rows", lambda true: lambda q, rows: rows[1:]),
        ("pws-values-are-tokens", weighted, "biased_down", ranked),
        ("pws-crossing-to-first-order", weighted, "enclose", always((HALF, Fraction(1)))),
        ("pws-short-of-separation", weighted, "falls_short", always(False)),
        ("pws-newest-piece", weighted, "density_rows", idle_newest),
        ("pws-sampled-no-unbiased", weighted, "unbiased", always((Fraction(0), HALF))),
        ("pws-priority-splits", weighted, "priority_rate", lambda true: lambda tau: true(2 * tau)),
        ("ah-stars-counted", anonymized, "comb", lambda true: lambda r, k: true(r + 1, k)),
        ("ah-degrees-can-tell", anonymized, "permutations", lambda true: lambda names: iter([tuple(names)])),
        (
            "ah-with-probability-corrected",
            anonymized,
            "_failing",
            lambda true: lambda p, q, ratio: true(p, q, 2 * ratio),
        ),
        ("ah-total-is-noisier", anonymized, "items", lambda true: lambda histogram: 10**4),
        ("ah-two-forms", anonymized, "joined", without_last),
        ("ah-proper-after-projection", anonymized, "isotonic", lambda true: lambda values, weights: list(values)),
        ("ah-cut-is-no-farther", anonymized, "max", lambda true: lambda x, y: max(x, y + 1)),
        ("ah-moderate-difference", anonymized, "enclose", always((Fraction(0), HALF))),
    ],
)
def test_caught_a_fault_in_what_a_check_rests_on(
    monkeypatch: pytest.MonkeyPatch, check: str, module: ModuleType, name: str, wrap: Callable[[Any], Any]
) -> None:
    assert CHECKS[check]().holds
    monkeypatch.setattr(module, name, wrap(getattr(module, name, max)), raising=False)  # max is the only built-in here
    assert not CHECKS[check]().holds


def test_caught_a_condition_on_the_complement_with_another_subscript(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted, "combinations_with_replacement", lambda grid, _: [(HALF, Fraction(1, 4))])
    assert SECOND_READING_WEIGHTED["pws-complement-condition"]().holds  # what is checked does not need q to grow
    monkeypatch.setattr(weighted, "combinations_with_replacement", lambda grid, _: [(HALF, Fraction(3, 2))])
    assert not SECOND_READING_WEIGHTED["pws-complement-condition"]().holds  # but q_(i+1) < 1


@pytest.mark.parametrize("check", [name for name in CHECKS if name.endswith("-printed")])
def test_what_the_text_has_is_refuted(check: str) -> None:
    assert not CHECKS[check]().holds


def test_the_vote_of_one_who_abstains_by_hand() -> None:
    assert shown([100], 1) == ((100, 1),)
    assert shown([100], 2) == shown([], 2) == ()


def test_a_bucket_removed_at_nine_people_by_hand() -> None:
    """Of one value below 1/2 at most one is sampled, fewer than tau = 2; tau/m = 4/9 < phi = 1/2 < 1 - tau/m."""
    assert Fraction(2) / (9 * HALF) < HALF < 1 - Fraction(2) / (9 * HALF)
    law = threshold_histogram_law(rate=HALF, threshold=2, universe=2)([0] + [1] * 8)
    assert all(label == 1 for bins, _ in law.items() for label, _ in bins)


def test_where_the_inequality_fails_almost_surely_by_hand() -> None:
    """At e^epsilon = 3/2, 1 > (3/2)(1/2), while the excess is 1 - 3/4 one way and 1/2 the other."""
    p, q = Dist.of([(1, Fraction(1))]), Dist.of([(0, HALF), (1, HALF)])
    assert p.prob(1) - Fraction(3, 2) * q.prob(1) == Fraction(1, 4)
    assert q.prob(0) - Fraction(3, 2) * p.prob(0) == HALF


@pytest.mark.parametrize(("delta", "short"), [(Fraction(1, 4), False), (Fraction(1, 5), True)])
def test_rows_that_fall_short_of_the_best_separation(delta: Fraction, short: bool) -> None:
    """At e^epsilon = 2 and delta = 1/4, L = 1 and no value is cut; at delta = 1/5, L is no integer."""
    rows = discrete_rows(q=[Fraction(1)] * 4, ratio=Fraction(2), delta=delta)
    assert any(falls_short(a, b, Fraction(2), delta) for a, b in pairwise(rows)) is short
