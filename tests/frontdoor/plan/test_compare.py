"""`dpcert compare`: the expected numbers against plain sums, the order, the plot, and what is refused."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.planning.comparing import compared
from dpcert.planning.frequencies import Frequencies

FOUND = Frequencies(((1, 30), (5, 20), (12, 6), (40, 3), (300, 1)), 0)


def test_twin_the_keys_shown_are_plain_sums() -> None:
    found = compared(FOUND, epsilon="ln(2)", delta="1e-4")
    keys, values, stable, sampled = found.rows
    names = ["pws-keys", "pws-frequencies", "stability-histogram", "sample-threshold-histogram"]
    assert [row.mechanism for row in found.rows] == names
    assert (values.keys, values.people) == (keys.keys, keys.people)
    ones = reporting_probabilities(q=[Fraction(1)] * 300, ratio=Fraction(2), delta=Fraction(1, 10**4))
    assert float(keys.keys) == pytest.approx(float(sum(many * ones[i - 1] for i, many in FOUND.keys_of)), rel=1e-4)
    threshold = int(stable.settings["threshold"])

    def above(frequency: int) -> Fraction:
        """Return Pr[Z >= threshold + 1 - frequency] for noise of ratio 2."""
        m = threshold + 1 - frequency
        return Fraction(2, 3) / 2**m if m > 0 else 1 - Fraction(2, 3) / 2 ** (1 - m)

    assert float(stable.keys) == pytest.approx(float(sum(many * above(i) for i, many in FOUND.keys_of)), rel=1e-4)
    assert Fraction(2, 3) / 2**threshold <= Fraction(1, 10**4) < Fraction(2, 3) / 2 ** (threshold - 1)
    rate, at = Fraction(sampled.settings["rate"]), int(sampled.settings["threshold"])
    assert greatest_delta(rate=rate, threshold=at, ratio=Fraction(2)).delta <= Fraction(1, 10**4)
    q = 1 - rate
    shown = sum(m * sum(comb(i, v) * rate**v * q ** (i - v) for v in range(at, i + 1)) for i, m in FOUND.keys_of)
    assert float(sampled.keys) == pytest.approx(float(shown), rel=1e-4)
    for row in found.rows:
        assert float(row.keys) + float(row.lost_keys) == pytest.approx(60, rel=1e-4)
        assert float(row.people) + float(row.lost_people) == pytest.approx(622, rel=1e-4)
        assert len(row.chances) == len(found.frequencies)
        assert list(map(float, row.chances)) == sorted(map(float, row.chances))


def test_twin_keys_are_shown_of_a_list_where_hardly_any_other_label_is_as_high() -> None:
    found = compared(FOUND, epsilon="1", delta="1e-4", universe=1000)
    rows = {row.mechanism: row for row in found.rows}
    assert rows["keep-heavy"].neighbours == rows["compact-histogram"].neighbours == "substitute"
    assert (rows["basic-histogram"].neighbours, rows["basic-histogram"].delta) == ("add-remove", "0")
    ratio = Fraction(5, 4)  # FastSample's at epsilon' = 1/2, k = 2

    def at_least(m: int) -> Fraction:
        return ratio ** -(m - 1) / (1 + ratio) if m > 0 else 1 - at_least(1 - m)

    high = next(t for t in range(100) if 940 * at_least(t + 1) <= 1)
    shown = sum(many * at_least(high + 1 - i) for i, many in FOUND.keys_of)
    assert float(rows["compact-histogram"].keys) == pytest.approx(float(shown), rel=1e-4)
    assert float(rows["keep-heavy"].keys) > float(rows["compact-histogram"].keys)
    assert "keep-heavy" not in [row.mechanism for row in compared(FOUND, epsilon="1", delta="1e-4", universe=622).rows]
    with pytest.raises(dpcert.InputError, match="at least 60"):
        compared(FOUND, epsilon="1", delta="1e-4", universe=59)


def test_the_best_is_released_by_the_call_that_is_printed(tmp_path: Path, inside: Any) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("".join(f"w{place},{1 + place * place}\n" for place in range(30)))
    options = ("--frequencies", path, "--epsilon", "1", "--delta", "1e-6")
    plot = tmp_path / "plot.svg"
    done = inside("compare", *options, "--plot", plot)
    assert (done.status, done.err) == (0, "")
    assert plot.read_text().count("sample-threshold-histogram") >= 1
    (call,) = (line for line in done.out.splitlines() if line.startswith("most keys: dpcert "))
    words = call.removeprefix("most keys: dpcert ").replace("'", "").split()
    released = inside(*words, "--data", path, "--out", tmp_path / "out.json")
    assert (released.status, released.err) == (0, "")
    document = json.loads(inside("compare", *options, "--json").out)
    assert document["rows"][0]["mechanism"] == words[1]


@pytest.mark.parametrize(
    ("epsilon", "delta", "words"), [("0", "1/10", "above 0"), ("1", "0", "a delta in"), ("1", "1", "a delta in")]
)
def test_refused_budgets(epsilon: str, delta: str, words: str) -> None:
    with pytest.raises(dpcert.InputError, match=words):
        compared(FOUND, epsilon=epsilon, delta=delta)


def test_refused_names_of_plots(inside: Any) -> None:
    done = inside("compare", "--frequencies", "x", "--epsilon", "1", "--delta", "1/2", "--plot", "x.txt")
    assert (done.status, "ends in .svg or .png" in done.err) == (2, True)
