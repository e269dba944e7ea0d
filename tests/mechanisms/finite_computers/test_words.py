"""Clamped noise from words of coins: the law of GeoSample, exactly, however few bits a word has, and at any size."""

from fractions import Fraction

import pytest

from dpcert import Limits, seeded_coins
from dpcert.mechanisms.anonymized_histograms import geometric_noise
from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, keep_heavy_counts
from dpcert.reading.paths.enumerator import enumerate_law


@pytest.mark.parametrize(("ratio", "n", "word"), [("3/2", 4, 64), ("3/2", 5, 8), ("2", 3, 4), ("17/16", 6, 64)])
def test_twin_clamped_noise_has_the_law_of_geometric(ratio: str, n: int, word: int) -> None:
    program = clamped_noise(n=n, ratio=Fraction(ratio), word=word)
    for count in range(n + 1):
        assert enumerate_law(program, count).law == geometric_law(n=n, ratio=Fraction(ratio))(count)


def test_twin_beyond_the_table_the_law_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometric_noise, "ENTRIES", 2)
    program, limits = clamped_noise(n=7, ratio=Fraction(5, 4)), Limits(max_tail=Fraction(0))
    for count in (0, 3, 7):
        assert enumerate_law(program, count, limits=limits).law == geosample_law(n=7, k=2)(count)


@pytest.mark.usefixtures("at_once")
def test_a_count_of_any_size_costs_the_same() -> None:
    program, coins = clamped_noise(n=10**12, ratio=Fraction(17, 16)), seeded_coins(1)
    found = [program(count, coins) for count in (0, 10**6, 10**12) for _ in range(2000)]
    assert len(set(found)) > 50


@pytest.mark.usefixtures("at_once")
def test_keep_heavy_at_size_takes_seconds() -> None:
    n = 20_000
    counts = tuple((label, 1 if label else n // 2 + 1) for label in range(n // 2))
    release = keep_heavy_counts(n=n, universe=2 * n, sampler=clamped_noise(n=n, ratio=Fraction(5, 4)))
    shown = release(counts, seeded_coins(2))
    assert len(shown) <= n
    assert abs(dict(shown)[0] - n // 2) < 100


def test_an_audit_by_words_is_that_of_geosample() -> None:
    for people in ([0, 0], [1, 4]):
        by_words = KEEP_HEAVY.build({**_defaults(), "sampler": "words"})
        by_draw = KEEP_HEAVY.build(_defaults())
        assert by_draw.closed_form is not None
        assert enumerate_law(by_words.program, people).law == by_draw.closed_form(people)


def _defaults() -> dict[str, str]:
    return {one.name: one.default for one in KEEP_HEAVY.parameters}
