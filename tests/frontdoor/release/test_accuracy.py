"""Accuracy: every exact number equals one that is summed from the law, and what is printed bounds it."""

from fractions import Fraction
from typing import Any

import pytest

import dpcert
from dpcert import Dist, InputError
from dpcert.mechanisms.finite_computers.accuracy import counting, independent
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram_law
from dpcert.releasing.accuracy import omitted, sampling_error

BETA = Fraction(1, 20)


def numbers(mechanism: str, **settings: str) -> dict[tuple[str, str], str]:
    found = dpcert.accuracy(mechanism, settings=settings)
    assert found.as_json()["schema"] == "dpcert.accuracy/1"
    return {(what, by): number for what, by, number in found.rows}


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1, 10)])
def test_exact_twin_an_item_is_omitted_as_often_as_its_law_says(rate: Fraction) -> None:
    for people in (1, 7, 30):
        law = Dist.binomial(people, rate)
        for threshold in (1, 3, 40):
            assert Fraction(*omitted(people, rate, threshold)) == law.prob_of(lambda n, t=threshold: n < t)


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1, 10)])
@pytest.mark.parametrize("people", [1, 7, 60])
def test_twin_the_error_of_a_sampled_count_is_the_least_one(rate: Fraction, people: int) -> None:
    law, error = Dist.binomial(people, rate), sampling_error(people, rate, BETA)

    def sides(a: int) -> tuple[Fraction, Fraction]:
        above = law.prob_of(lambda n: n / rate - people > a)
        return above, law.prob_of(lambda n: people - n / rate > a)

    assert max(sides(error)) <= BETA / 2
    assert error == 0 or max(sides(error - 1)) > BETA / 2


@pytest.mark.parametrize("ratio", ["3/2", "2", "9/8"])
def test_twin_the_errors_of_noisy_counts_are_the_least_ones(ratio: str) -> None:
    """A count in the middle of [0, 400] is clamped so seldom that its error is that of noise without bounds."""
    one = counting(geometric_law(n=400, ratio=Fraction(ratio)), [200])
    found = numbers("basic-histogram", ratio=ratio, labels="6")
    single, printed = (found["the error of one count is at most", by] for by in ("exact", "printed, Theorem 4.6 ii"))
    assert int(single) == one.error(BETA) <= int(printed)
    every, union = (found["all 6 errors are at most", by] for by in ("exact", "union bound of Theorem 4.6 ii"))
    assert int(every) == independent([one] * 6).error(BETA) <= int(union)


def test_a_noisy_item_is_omitted_as_often_as_its_law_says() -> None:
    law = stability_histogram_law(threshold=4, law=geometric_law(n=60, ratio=Fraction(2)))
    found = numbers("stability-histogram", ratio="2", threshold="4", people="1,4,9")
    for people in (1, 4, 9):
        number = Fraction(found[f"an item of {people} people is omitted", "exact"])
        exactly = law([0] * people).prob(())
        assert exactly <= number <= exactly * (1 + Fraction(1, 10**8))


@pytest.mark.parametrize(
    ("mechanism", "settings"),
    [
        ("basic-histogram", {"ratio": "65537/65536", "labels": "1000000000"}),
        ("stability-histogram", {"ratio": "3", "threshold": "9", "people": "1,20000"}),
        ("sample-threshold-histogram", {"rate": "123456789/1000000000000", "threshold": "1000", "people": "20000"}),
    ],
)
def test_large_parameters_are_answered(mechanism: str, settings: dict[str, str]) -> None:
    """Printed and exact errors are near each other; an item of many is omitted with a chance that is told from 0."""
    found = dpcert.accuracy(mechanism, settings=settings).rows
    assert all(number != "0" for _, _, number in found)
    errors = [int(number) for what, by, number in found if "at most" in what and "error" in what and number.isdecimal()]
    assert max(errors) < 40 * min(errors) + 400


def test_the_papers_example_is_printed_where_its_lemma_holds() -> None:
    """w = 100 and tau = 20: exp(-32) is printed, and the exact probability is far less; W p < tau has no bound."""
    found = numbers("sample-threshold-histogram", rate="1/10", threshold="20", people="1000,100")
    printed = Fraction(found["an item of 1000 people is omitted", "printed, Lemma 5"])
    assert printed * dpcert.Epsilon.of(32).exp_bounds(64)[1] >= 1 > printed * 10**13
    assert Fraction(found["an item of 1000 people is omitted", "exact"]) < printed / 10**9
    assert ("an item of 100 people is omitted", "printed, Lemma 5") not in found


@pytest.mark.parametrize(
    ("mechanism", "settings", "words"),
    [
        ("privhist", {}, "name one of these"),
        ("sample-threshold-histogram", {"rate": "1/10", "threshold": "20"}, "without people"),
        ("sample-threshold-histogram", {"rate": "1/10", "threshold": "20", "people": "many"}, "people"),
        ("sample-threshold-histogram", {"rate": "1/10", "threshold": "20", "people": "3", "n": "3"}, "--set n"),
        ("basic-histogram", {"ratio": "1"}, "above 1"),
    ],
)
def test_refused_questions(mechanism: str, settings: dict[str, str], words: str, inside: Any) -> None:
    with pytest.raises(InputError, match=words):
        dpcert.accuracy(mechanism, settings=settings)
    done = inside("accuracy", mechanism, *(part for item in settings.items() for part in ("--set", "=".join(item))))
    assert (done.status, done.out) == (2, "")


def test_the_command_prints_rows_and_json(inside: Any) -> None:
    done = inside("accuracy", "basic-histogram", "--set", "ratio=3/2")
    assert (done.status, done.out.splitlines()[0]) == (0, "what,by,number")
    done = inside("accuracy", "basic-histogram", "--set", "ratio=3/2", "--json", "--beta", "1/10")
    assert '"schema": "dpcert.accuracy/1"' in done.out
