"""Checks of the two sampling papers find a fault: with something they rest on put wrong they do not hold."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.registry import CHECKS
from dpcert.proofs.sample_and_threshold.checks import contact, experiments, trie
from dpcert.proofs.sample_and_threshold.checks.contact import shown
from dpcert.proofs.weighted_sampling.checks import estimators, frequencies, growth, separation, shapes
from dpcert.proofs.weighted_sampling.checks.separation import falls_short

from .faults import always

HALF = Fraction(1, 2)


def halved(true: Callable[..., Any]) -> Callable[..., Any]:
    """A number, or the numbers of a list, halved."""
    return lambda *a, **k: [x / 2 for x in found] if isinstance(found := true(*a, **k), list) else found / 2


def ranked(true: Callable[..., Any]) -> Callable[..., Any]:
    """Estimates that go by the number of a value."""
    return lambda **k: tuple(value * j for j, value in enumerate(true(**k)))


def shifted(true: Callable[..., Dist]) -> Callable[..., Dist]:
    """The law of one more."""
    return lambda *a, **k: true(*a, **k).map(lambda v: v + 1)


def fewer(true: Callable[..., list[Fraction]]) -> Callable[..., list[Fraction]]:
    """Entries of which the first is 0."""
    return lambda *a, **k: [entry if place else Fraction(0) for place, entry in enumerate(true(*a, **k))]


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("module", "name", "wrong", "check"),
    [
        (contact, "binomial", shifted, "contact-law"),
        (contact, "survival", halved, "contact-distance"),
        (contact, "survival", lambda true: lambda *a: 10 * true(*a), "contact-few"),
        (contact, "binomial", shifted, "contact-abstaining-corrected"),
        (contact, "exp_minus", lambda true: lambda x: (true(x)[0], true(x)[1] * 2), "contact-ten"),
        (contact, "crowd_delta", lambda true: lambda **k: 1000 * true(**k), "contact-size-drawn"),
        (contact, "binomial", shifted, "contact-sampling-error"),
        (contact, "ln_bounds", lambda true: lambda *a: (true(*a)[0], 2 * true(*a)[1]), "contact-rounding-error"),
        (contact, "binomial", shifted, "contact-no-noise"),
        (
            contact,
            "sample_threshold",
            lambda true: lambda **k: true(rate=k["rate"] / 2, threshold=1),
            "contact-response",
        ),
        (contact, "_hypergeometric", shifted, "contact-without-replacement"),
        (contact, "trie_for_everyone", lambda true: lambda **k: (true(**k)[0], true(**k)[1] / 9), "trie-all-counts"),
        (contact, "combinations", lambda true: lambda people, m: true(people, max(m - 1, 0)), "contact-suppressed"),
        (growth, "_grows", lambda true: lambda p, share, i: not true(p, share, i), "pws-growth"),
        (growth, "_capped", halved, "pws-priority-ratio-corrected"),
        (
            growth,
            "_power",
            lambda true: lambda i, p: (i * true(i, p)[0], i * true(i, p)[1]),
            "pws-concave-growth-corrected",
        ),
        (growth, "raised_entries", fewer, "pws-passes-keep-the-form"),
        (growth, "separation", halved, "pws-three-keys"),
        (growth, "e", lambda true: lambda x: true(x / 2), "pws-baseline-cases"),
        (contact, "shown", lambda true: lambda messages, threshold: true(messages, threshold + 1), "sampled-messages"),
        (contact, "shown", lambda true: lambda sent, threshold: true(sent, 1), "contact-unique-votes-corrected"),
        (experiments, "THRESHOLD", lambda true: 1, "experiments-few-buckets"),
        (
            trie,
            "next_split",
            lambda true: lambda steps, *, phi, halvings: true(steps, phi=phi / 2, halvings=halvings),
            "quantile-removed-bucket-corrected",
        ),
        (frequencies, "keep_probability", halved, "pws-earlier-selection"),
        (frequencies, "sanitizer_rows", lambda true: lambda q, rows: rows[1:], "pws-unreported-corrected"),
        (frequencies, "biased_down", ranked, "pws-values-are-tokens"),
        (shapes, "enclose", always((HALF, Fraction(1))), "pws-crossing-to-first-order"),
        (separation, "falls_short", always(False), "pws-short-of-separation"),
        (estimators, "unbiased", always((Fraction(0), HALF)), "pws-sampled-no-unbiased"),
        (growth, "priority_rate", lambda true: lambda tau: true(2 * tau), "pws-priority-splits"),
    ],
)
def test_caught_by_the_check(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Callable[[Any], Any], check: str
) -> None:
    assert CHECKS[check]().holds
    monkeypatch.setattr(module, name, wrong(getattr(module, name)))
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
