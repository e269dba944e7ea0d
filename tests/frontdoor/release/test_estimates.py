"""Estimates and accuracy: intervals that miss as seldom as they say, errors summed from laws, and bad files."""

import json
import sys
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import dpcert
from dpcert import Dist, InputError, seeded_coins
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.finite_computers.accuracy import counting, independent
from dpcert.mechanisms.finite_computers.fastsample import fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import noise_ratio_of
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram_law
from dpcert.mechanisms.weighted_sampling.pws_estimators import maximum_likelihood
from dpcert.mechanisms.weighted_sampling.pws_grid import reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.releasing.accuracy import omitted, sampling_error
from dpcert.releasing.estimates import ESTIMATES, covering
from dpcert.releasing.families import FAMILIES
from dpcert.releasing.intervals import gaussian_reach, geometric_reach, sampled_interval
from dpcert.releasing.keys import key_rows
from dpcert.releasing.reported import ends, likeliest
from dpcert.show.pages.interval_chart import interval_chart
from dpcert.show.pages.line_chart import Curves, line_chart

WORDS = [("cat", 4000), ("dog", 1500), ("eel", 30)]
NUMBERS = [(str(i), 50) for i in range(256)]
RATE = {"rate": "1/10", "threshold": "8"}


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("beta", [Fraction(1, 20), Fraction(1, 3)])
def test_an_interval_misses_a_count_with_beta_at_most_and_no_shorter_one_does(rate: Fraction, beta: Fraction) -> None:
    ends = [sampled_interval(v, rate, beta) for v in range(41)]
    for count in range(40):
        law = Dist.binomial(count, rate)
        assert sum((p for v, p in law.items() if not ends[v][0] <= count <= ends[v][1]), Fraction(0)) <= beta
    for v in range(1, 12):
        lo, hi = ends[v]
        assert Dist.binomial(lo, rate).prob_of(lambda x, v=v: x >= v) > beta / 2
        assert Dist.binomial(hi, rate).prob_of(lambda x, v=v: x <= v) > beta / 2
        assert Dist.binomial(hi + 1, rate).prob_of(lambda x, v=v: x <= v) <= beta / 2


def test_an_interval_of_a_great_count_is_found_at_once_and_as_wide_as_it_should_be() -> None:
    lo, hi = sampled_interval(100_000, Fraction(1, 1000), Fraction(1, 20))
    root = 1000 * 316
    assert 10**8 - int(2.1 * root) < lo < 10**8 - int(1.9 * root)
    assert 10**8 + int(1.9 * root) < hi < 10**8 + int(2.1 * root)


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(65, 64)])
def test_reaches_of_noise_are_the_least_ones(ratio: Fraction) -> None:
    law = GeometricMoments(1 / ratio)
    for beta in (Fraction(1, 3), Fraction(1, 20), Fraction(1, 10**6)):
        reach = geometric_reach(ratio, beta)
        assert law.beyond(reach) <= beta <= (law.beyond(reach - 1) if reach else 1)


def test_the_reach_of_a_gaussian_is_enough() -> None:
    variance = Fraction(9)
    weights = {x: dpcert.Epsilon.of(Fraction(x * x, 18)).exp_bounds(64) for x in range(60)}
    whole = 2 * sum(1 / hi for _, hi in weights.values()) - 1  # of half the line twice, 0 once; from below
    for beta in (Fraction(1, 3), Fraction(1, 100)):
        reach = gaussian_reach(variance, beta)
        beyond = 2 * sum(1 / lo for x, (lo, _) in weights.items() if x > reach)
        assert beyond / whole <= beta


def test_cells_that_cover_a_range_are_disjoint_and_few() -> None:
    for start in range(28):
        for end in range(start, 28):
            cells = list(covering(start, end, branching=3, levels=3))
            units = [cell * 3 ** (3 - level) + i for level, cell in cells for i in range(3 ** (3 - level))]
            assert units == list(range(start, end))
            assert all(sum(level == at for level, _ in cells) <= 4 for at in (1, 2, 3))


def estimates(
    tmp_path: Path, name: str, data: Any = None, ask: Any = None, public: Any = None, **given: Any
) -> dpcert.Estimates:
    """Return estimates of a release, which are those of its file."""
    path = tmp_path / "out.json"
    made = dpcert.release(name, data or WORDS, path, epsilon=1, coins=seeded_coins(3), **given)
    found = dpcert.estimate(path, settings=ask, labels=public)
    assert found == dpcert.estimate(made, settings=ask, labels=public)
    return found


TRUE = dict(WORDS)
LISTED = [f"w{i}" for i in range(597)] + ["cat", "dog", "eel"]
FEW = [("cat", 170), ("dog", 70), ("eel", 40)]
WITH: dict[str, dict[str, Any]] = {
    "sample-threshold-histogram": {"settings": RATE},
    "contacted-histogram": {"settings": {"n": "5530", "m": "553", "asked": "700", "threshold": "8"}},
    "stability-histogram": {"delta": "1e-6"},
    "basic-histogram": {"labels": ["cat", "dog", "eel"]},
    "sbh": {"delta": "1e-6"},
    "sbh-sampled": {"delta": "1e-6", "settings": {"q": "priority:1/1000"}},
}


@pytest.mark.parametrize("name", WITH)
def test_counts_lie_in_the_intervals(tmp_path: Path, name: str) -> None:
    found = estimates(tmp_path, name, **WITH[name])
    assert found.columns == ("value", "estimate", "lo", "hi")
    assert len(found.rows) >= 2
    assert all(lo <= TRUE[value] <= hi for value, _, lo, hi in found.rows)
    assert found.notes
    path = tmp_path / "rows.csv"
    dpcert.release(name, WORDS, path, epsilon=1, coins=seeded_coins(3), **WITH[name])
    assert dpcert.estimate(path.with_suffix(".guarantee.json")) == found


def test_the_estimate_of_a_sampled_count_is_it_over_the_rate(tmp_path: Path) -> None:
    found = estimates(tmp_path, "trie-heavy-hitters", settings={**RATE, "levels": "2"})
    assert found.columns == ("beginning", "whole", "estimate", "lo", "hi")
    assert [row[2] for row in found.rows[:2]] == ["3810", "1550"]
    only = estimates(tmp_path, "heavy-hitters", settings={**RATE, "counts": "no"})
    (_, least), *_ = only.rows
    tails = [sum(comb(n, v) * 9 ** (n - v) for v in range(8, n + 1)) * 20 > 10**n for n in (least - 1, least)]
    assert tails == [False, True]


@pytest.mark.parametrize(("ancestors", "looked"), [("yes", 6), ("no", 1)])
def test_a_frequent_value_of_a_trie_is_shown_as_often_as_is_said(tmp_path: Path, ancestors: str, looked: int) -> None:
    """With ancestors a value is shown where each of its beginnings is: fewer people would be missed too often."""
    found = estimates(tmp_path, "trie-heavy-hitters", settings={**RATE, "levels": "6", "ancestors": ancestors})
    most = int(found.notes[1].split("more than ")[1].split(" people")[0])
    missed = [1 - Dist.binomial(n, "1/10").prob_of(lambda v: v >= 8) ** looked for n in (most - 3, most + 1)]
    assert missed[0] > Fraction(1, 20) >= missed[1]


@pytest.mark.parametrize("name", ["sparse-histogram", "pure-sparse-histogram", "compact-histogram"])
def test_counts_with_the_noise_of_fastsample_lie_in_the_intervals(tmp_path: Path, name: str) -> None:
    delta = "1e-6" if name == "sparse-histogram" else None
    public = LISTED if name == "compact-histogram" else None
    found = estimates(tmp_path, name, FEW, public=public, labels=LISTED, delta=delta, settings={"n": "280"})
    missed = [value for value, _, lo, hi in found.rows if not lo <= dict(FEW).get(value, 0) <= hi]
    assert not missed or (len(missed) <= 600 / 20 and not missed[-1].isalpha())
    assert {"cat", "dog", "eel"} <= {row[0] for row in found.rows}
    assert public is None or [row[0] for row in found.rows] == public
    assert "a count is random" in found.notes[0]


@pytest.mark.parametrize("beta", [Fraction(1, 4), Fraction(1, 12)])
def test_a_reach_of_fastsample_is_missed_no_more_often_than_is_said(beta: Fraction) -> None:
    epsilon, gamma, n = Fraction(1, 2), Fraction(1, 20), 60
    law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)
    reach = geometric_reach(noise_ratio_of(epsilon), beta - gamma)
    assert all(law(c).prob_of(lambda z, c=c: abs(z - c) > reach) <= beta for c in range(n + 1))
    middle = law(n // 2)
    assert middle.prob_of(lambda z: abs(z - n // 2) > reach // 2) > beta


@pytest.mark.parametrize("q", ["1", "priority:1/9", "ppswor:1/20"])
@pytest.mark.parametrize("beta", [Fraction(1, 20), Fraction(2, 5)])
def test_an_interval_misses_the_frequency_of_a_key_with_probability_beta_at_most(q: str, beta: Fraction) -> None:
    asked = {"q": sampling_probabilities(q, 40), "ratio": Fraction(5, 3), "delta": Fraction(1, 100), "bits": 32}
    tables = [list(grid_rows(**asked, cells=whole_cells(40))), key_rows(reported_on_grid(**asked), 32)]
    for table in tables:
        rows = [row.row(max(row.first + len(row.masses) for row in table)) for row in table]
        lowest, greatest = ends(table, beta)
        tails = [[sum(row[value:]) for row in rows] for value in range(1, len(lowest))]
        heads = [[sum(row[1 : value + 1]) for row in rows] for value in range(1, len(lowest))]
        for i, row in enumerate(rows):
            missed = [value for value in range(1, len(lowest)) if not lowest[value] <= i <= greatest[value]]
            assert sum(row[value] for value in missed) <= beta
        for value, (tail, head) in enumerate(zip(tails, heads, strict=True), 1):
            last = len(rows) - 1
            lo = next((i for i, p in enumerate(tail) if 2 * p > beta), last)
            assert (lowest[value], greatest[value]) == (
                lo,
                max(lo, next((i for i in range(last, -1, -1) if 2 * head[i] > beta), last)),
            )


def test_keys_that_were_sampled_have_a_least_frequency(tmp_path: Path) -> None:
    data = [("often", 400), ("seldom", 1)]
    keys = estimates(tmp_path, "pws-keys", data, delta="1e-6")
    ((key, frequency, likelihood, lo, hi, bias, *_),) = keys.rows
    assert (key, hi, bias) == ("often", None, "0")
    assert 1 < lo < frequency <= float(likelihood)
    assert "keys alone have no unbiased estimate of their frequencies" in keys.notes
    private = estimates(tmp_path, "pws-private-threshold", data, delta="1e-6", settings={"size": "2"})
    assert private.columns == keys.columns
    assert [row[0] for row in private.rows] == ["often"]
    lo, hi = private.notes[0].split("people are ")[1].split(", but")[0].split(" to ")
    assert int(lo) <= 401 <= int(hi)


@pytest.mark.parametrize("q", ["1", "priority:1/9"])
def test_exact_twin_likeliest_frequencies_are_those_of_whole_rows(q: str) -> None:
    rates = sampling_probabilities(q, 30)
    cells = whole_cells(30)
    table = list(grid_rows(q=rates, ratio=Fraction(5, 3), delta=Fraction(1, 100), bits=32, cells=cells))
    rows = [row.row(30) for row in table]
    found, estimates = likeliest(table)
    assert tuple(estimates) == maximum_likelihood(rows=rows, g=lambda i: i)
    assert all(rows[i][value] == max(row[value] for row in rows) for value, i in enumerate(found) if value)


def test_two_thousand_frequencies_are_estimated_without_the_unbiased_ones_unless_asked(tmp_path: Path) -> None:
    data = [("a", 1500), ("b", 40)]
    found = estimates(tmp_path, "pws-frequencies", data, delta="1e-6", settings={"imax": "2000"})
    assert found.columns[5] == "bias"
    assert any("unbiased=yes" in note for note in found.notes)
    assert abs(found.rows[0][1] - 1500) < 30


def test_ranges_and_quantiles_of_numbers(tmp_path: Path) -> None:
    own = {**RATE, "levels": "8", "high": "256"}
    ask = {"ranges": "0:128,10:20", "quantiles": "1/2"}
    found = estimates(tmp_path, "hierarchical-histogram", NUMBERS, ask, settings=own)
    (first, _, lo, hi), (second, _, low, high), (median, *between) = found.rows
    assert (first, second) == ("range 0:128", "range 10:20")
    assert lo <= 128 * 50 <= hi < 2 * lo
    assert low <= 500 <= high
    end = int(median.split(" is ")[1].split(",")[0])
    assert 110 < end < 146
    ((_, *fixed),) = dpcert.estimate(tmp_path / "out.json", settings={"ranges": f"0:{end}"}).rows
    assert len(estimates(tmp_path, "hierarchical-histogram", NUMBERS[:40], settings=own).rows) > 30
    assert between[0] == fixed[0]
    assert between[1] < fixed[1] <= fixed[2] < between[2]  # for a range that was fixed before, fewer cells matter
    asked = {**RATE, "halvings": "8", "high": "256", "phi": "1/4"}
    searched = estimates(tmp_path, "quantile-search", NUMBERS, settings=asked)
    ((_, start, end),) = searched.rows
    assert int(end) == int(start) + 1
    assert 55 < int(start) < 73


def test_sums_of_users_are_debiased(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("".join(f"u{user},cat,{1 + user % 3}\n" for user in range(300)))
    found = estimates(
        tmp_path, "clipped-sum-l1", path, {"users": "300", "cap": "10"}, labels=["cat"], settings={"clip": "2"}
    )
    ((_, estimate, lo, hi, debiased),) = found.rows
    assert float(lo) <= 500 <= float(hi)
    assert float(estimate) < float(debiased) < 1000
    clipped = estimates(tmp_path, "clipped-sum-l2", path, labels=["cat"], settings={"clip": "2", "sigma": "5"})
    assert float(clipped.rows[0][2]) <= 500 <= float(clipped.rows[0][3])


def test_weights_of_keys_have_exact_moments(tmp_path: Path) -> None:
    found = estimates(tmp_path, "pws-frequencies", [("a", 9), ("b", 3)], delta="1/3", settings={"imax": "12"})
    assert found.columns == (
        *("key", "frequency", "likelihood", "lo", "hi", "unbiased", "unbiased_error", "bias", "variance", "error"),
    )
    for _, frequency, _, lo, _, _, _, bias, variance, error in found.rows:
        assert 1 <= lo <= frequency <= 12
        assert abs(float(bias) ** 2 + float(variance) - float(error) ** 2) < 1e-6


def test_properties_of_an_anonymized_histogram(tmp_path: Path) -> None:
    found = dict(estimates(tmp_path, "privhist", NUMBERS, {"size": "100"}).rows)
    assert abs(found["labels seen"] - 256) < 40
    assert abs(float(found["entropy in nats"]) - 5.545) < 0.1
    assert 80 < float(found["labels among 100 people"]) < 90
    other = dict(estimates(tmp_path, "laplace-isotonic", NUMBERS, settings={"labels": "300"}).rows)
    assert abs(float(other["entropy in nats"]) - 5.545) < 0.1


def test_every_release_has_estimates() -> None:
    assert ESTIMATES.keys() == FAMILIES.keys()


RECORD = {"schema": "dpcert.release/1", "mechanism": "sbh", "released": [], "columns": [], "parameters": {}}
RATED = {"mechanism": "heavy-hitters", "released": [["a", 9]], "columns": ["value", "count"]}
CHANGED = {"released": [["a", "x"]], "columns": ["value", "count"], "parameters": {"ratio": "2"}}
BAD: dict[str, tuple[Any, str]] = {
    "no JSON": ("{", "a file that dpcert release wrote"),
    "another schema": ({"schema": "dpcert.plan/1"}, "no record of a release"),
    "rows that are not there": ({"schema": "dpcert.release/1", "released": "x.csv"}, "No such file"),
    "a mechanism without estimates": ({**RECORD, "mechanism": "sbh2"}, "read the rows as they are"),
    "a parameter that is gone": (RECORD, "KeyError: 'ratio'"),
    "a rate of nobody": ({**RECORD, **RATED, "parameters": {"rate": "-1", "threshold": "3"}}, "a rate between 0 and 1"),
    "a parameter that is a number": ({**RECORD, "mechanism": "pws-keys", "parameters": {"q": 1}}, "that is no text"),
    "a row that was changed": ({**RECORD, **CHANGED}, "were changed"),
}


@pytest.mark.parametrize("fault", [*BAD, "a file that is not there"])
def test_refused_files(tmp_path: Path, inside: Any, fault: str) -> None:
    record, words = BAD.get(fault, (None, "No such file"))
    path = tmp_path / "release.json"
    if record is not None:
        path.write_text(record if isinstance(record, str) else json.dumps(record))
    done = inside("estimate", path)
    assert (done.status, words in done.err) == (2, True)
    assert done.out == ""


def test_a_plot_shows_the_greatest_estimates_and_ends_that_are_open(tmp_path: Path, inside: Any) -> None:
    found = estimates(tmp_path, "hierarchical-histogram", NUMBERS, settings={**RATE, "levels": "8", "high": "256"})
    drawn = interval_chart(found.mechanism, found.columns, found.rows)
    assert drawn.head == ("value", "estimate", "lo", "hi")
    assert len(drawn.rows) == 20 < len(found.rows)
    assert {row[0] for row in drawn.rows[:2]} == {"0 to 128", "128 to 256"}
    assert f"20 of {len(found.rows)} values" in drawn.words
    keys = estimates(tmp_path, "pws-keys", [("of$ten", 400)], delta="1e-6")
    assert interval_chart(keys.mechanism, keys.columns, keys.rows).rows[0][3] == ""
    picture = tmp_path / "keys.svg"
    done = inside("estimate", tmp_path / "out.json", "--plot", picture)
    assert done.status == 0
    assert all(word in picture.read_text() for word in ("or more", "of$ten"))


def test_what_lies_in_one_place_is_seen() -> None:
    """The ends of an interval that its dot hides, and curves that coincide."""
    axes = Figure().add_subplot()
    columns, rows = ("value", "estimate", "lo", "hi"), [("cat", 5.0, 5.0, 5.0), ("dog", 4.0, 1.0, None)]
    interval_chart("keys", columns, rows).draw(axes)
    (caps,) = [line for line in axes.lines if line.get_marker() == "|"]
    assert sorted(map(tuple, caps.get_xydata())) == [(1.0, 1.0), (5.0, 0.0), (5.0, 0.0)]
    axes = Figure().add_subplot()
    curves = Curves("x", "y", ["0", "1"], tuple((name, ["0", "1"]) for name in "abcd"))
    line_chart(curves, name="tied", title="Tied", words="four curves in one place").draw(axes)
    widths = [line.get_linewidth() for line in axes.lines]
    assert widths == sorted(set(widths), reverse=True)


@pytest.mark.parametrize("command", ["estimate", "compare"])
def test_without_matplotlib_all_but_the_plot_is_printed(
    tmp_path: Path, inside: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    dpcert.release("sample-threshold-histogram", WORDS, tmp_path / "out.json", epsilon=1, settings=RATE)
    (tmp_path / "counts.csv").write_text("cat,400\n")
    asked: tuple[Any, ...] = (command, tmp_path / "out.json")
    if command == "compare":
        asked = (command, "--frequencies", tmp_path / "counts.csv", "--epsilon", "1", "--delta", "1e-6")
    plain = inside(*asked)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = inside(*asked, "--plot", tmp_path / "plot.svg")
    assert (plain.status, done.status, done.out) == (0, 2, plain.out)
    assert done.err.splitlines()[-1].startswith("dpcert: plots; needed: matplotlib")


def test_refused_plots(tmp_path: Path, inside: Any) -> None:
    path, other = tmp_path / "out.json", tmp_path / "properties.json"
    dpcert.release("sample-threshold-histogram", WORDS, path, epsilon=1, settings=RATE)
    dpcert.release("privhist", WORDS, other, epsilon=1)
    for release, picture, words in (
        (path, tmp_path / "plot.pdf", "a name that ends in .svg or .png"),
        (path, tmp_path / "out.json" / "plot.svg", "a file that can be written"),
        (path, tmp_path, "a name that ends"),
        (other, tmp_path / "plot.svg", "estimates with intervals"),
    ):
        done = inside("estimate", release, "--plot", picture)
        assert (done.status, done.out, words in done.err) == (2, "", True)
    assert not list(tmp_path.glob("plot*"))


def test_refused_labels(tmp_path: Path, inside: Any) -> None:
    public, other = tmp_path / "labels.txt", tmp_path / "other.txt"
    public.write_text("\n".join(LISTED))
    other.write_text("\n".join(reversed(LISTED)))
    path = tmp_path / "out.json"
    dpcert.release("compact-histogram", FEW, path, epsilon=1, labels=public, settings={"n": "280"})
    for options in ((), ("--labels", other)):
        done = inside("estimate", path, *options)
        assert (done.status, "the file that was released with" in done.err) == (2, True)
    assert inside("estimate", path, "--labels", public).out.count("\n") == 601
    dpcert.release("sample-threshold-histogram", WORDS, path, epsilon=1, settings=RATE)
    done = inside("estimate", path, "--labels", public)
    assert (done.status, "leave them out" in done.err) == (2, True)


def test_refused_questions(tmp_path: Path, inside: Any) -> None:
    dpcert.release("sample-threshold-histogram", WORDS, tmp_path / "out.json", epsilon=1, settings=RATE)
    for options, words in (
        (("--beta", "1/2"), "below 1/2"),
        (("--beta", "0.05x"), "beta"),
        (("--set", "users=3"), "leave it out"),
    ):
        done = inside("estimate", tmp_path / "out.json", *options)
        assert (done.status, words in done.err) == (2, True)
    own = {**RATE, "levels": "3"}
    dpcert.release("hierarchical-histogram", [("0", 9)], tmp_path / "h.json", epsilon=1, settings=own)
    for ask in ("1/3:1", "1/2", "1/2:0", "0:2"):
        done = inside("estimate", tmp_path / "h.json", "--set", f"ranges={ask}")
        assert (done.status, "START:END, multiples of 1/8" in done.err) == (2, True)
    done = inside("estimate", tmp_path / "out.json", "--json")
    assert '"schema": "dpcert.estimate/1"' in done.out


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
def test_refused_questions_of_accuracy(mechanism: str, settings: dict[str, str], words: str, inside: Any) -> None:
    with pytest.raises(InputError, match=words):
        dpcert.accuracy(mechanism, settings=settings)
    done = inside("accuracy", mechanism, *(part for item in settings.items() for part in ("--set", "=".join(item))))
    assert (done.status, done.out) == (2, "")


def test_the_command_prints_rows_and_json(inside: Any) -> None:
    done = inside("accuracy", "basic-histogram", "--set", "ratio=3/2")
    assert (done.status, done.out.splitlines()[0]) == (0, "what,by,number")
    done = inside("accuracy", "basic-histogram", "--set", "ratio=3/2", "--json", "--beta", "1/10")
    assert '"schema": "dpcert.accuracy/1"' in done.out
