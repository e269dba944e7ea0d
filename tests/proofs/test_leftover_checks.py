"""Checks of contacting clients and of growth find a fault: with something they rest on put wrong they do not hold."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert.mechanisms.exact.dist import Dist
from dpcert.proofs.checks import CHECKS, contact, weighted_growth
from dpcert.proofs.registry import rows

NAMES = sorted([*contact.CONTACT, *weighted_growth.WEIGHTED_GROWTH])


def halved(true: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *a, **k: true(*a, **k) / 2


def shifted(true: Callable[..., Dist]) -> Callable[..., Dist]:
    """The law of one more."""
    return lambda *a, **k: true(*a, **k).map(lambda v: v + 1)


def fewer(true: Callable[..., list[Fraction]]) -> Callable[..., list[Fraction]]:
    """Entries of which the first is 0."""
    return lambda *a, **k: [entry if place else Fraction(0) for place, entry in enumerate(true(*a, **k))]


@pytest.mark.parametrize(
    ("module", "name", "wrong", "check"),
    [
        (contact, "binomial", shifted, "contact-law"),
        (contact, "tail_above", halved, "contact-distance"),
        (contact, "tail_above", lambda true: lambda *a: 10 * true(*a), "contact-few"),
        (contact, "binomial", shifted, "contact-abstaining-corrected"),
        (contact, "exp_minus", lambda true: lambda x: (true(x)[0], true(x)[1] * 2), "contact-ten"),
        (contact, "crowd_delta", lambda true: lambda **k: 1000 * true(**k), "contact-size-corrected"),
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
        (weighted_growth, "_grows", lambda true: lambda p, share, i: not true(p, share, i), "pws-growth-corrected"),
        (weighted_growth, "_capped", halved, "pws-priority-ratio-corrected"),
        (
            weighted_growth,
            "_power",
            lambda true: lambda i, p: (i * true(i, p)[0], i * true(i, p)[1]),
            "pws-concave-growth-corrected",
        ),
        (weighted_growth, "least_entries", fewer, "pws-first-pass"),
        (weighted_growth, "raised_entries", fewer, "pws-passes-keep-the-form"),
        (weighted_growth, "separation", halved, "pws-three-keys"),
        (weighted_growth, "e", lambda true: lambda x: true(x / 2), "pws-baseline-cases"),
    ],
)
def test_caught_by_the_check(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Callable[[Any], Any], check: str
) -> None:
    assert CHECKS[check]().holds
    monkeypatch.setattr(module, name, wrong(getattr(module, name)))
    assert not CHECKS[check]().holds


def test_every_row_of_these_checks_is_reproduced_and_every_check_has_a_row() -> None:
    findings = {name: CHECKS[name]() for name in NAMES}
    used = set()
    for row in rows():
        mine = [name for name in row.methods if name in findings]
        used |= {*mine}
        for name in mine:
            assert findings[name].holds == (row.status != "refuted")
            assert findings[name].holds or findings[name].witness == row.witness
    assert used == {*NAMES}
