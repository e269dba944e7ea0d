"""What each release draws has the law of the audited mechanism, `==` on small data, and its guarantee holds there."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import dpcert
from dpcert import Dist, InputError, Limits, seeded_coins
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import laplace_isotonic_law
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy_law
from dpcert.mechanisms.finite_computers.ordsample import geometric_order_statistics, ordsample_law, scaled_cumulative
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.mechanisms.weighted_sampling.sbh import lone_key, sbh_law
from dpcert.planning.lone import reported_once
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.releasing import histograms, keys
from dpcert.releasing.families import ready_for
from dpcert.releasing.ready import Ready, Request

Counts = Sequence[tuple[str, int]]


def ready(name: str, epsilon: str = "1", delta: str | None = None, listed: Any = None, **settings: str) -> Ready:
    lost = None if delta is None else Fraction(delta)
    return ready_for(Request(name, settings, dpcert.Epsilon.of(epsilon), lost, labels=listed))


def law(one: Ready, counts: Counts) -> Dist:
    """Return the law, with two words or more that must both be looked into to their ends, unlikely as that is."""
    limits = Limits(max_tail=Fraction(1, 10**100))
    return enumerate_law(lambda data, coins: tuple(one.program(data, coins)), list(counts), limits=limits).law


def closed(name: str, people: Any, **settings: str) -> Dist:
    mechanism = next(one for one in MECHANISMS if one.name == name)
    form = mechanism.build(mechanism.settings(settings)).closed_form
    assert form is not None
    return form(people)


RATE = {"rate": "1/3", "threshold": "2"}
WORDS = ["aa", "ab", "ba", "bb"]


@pytest.mark.parametrize("people", [[], [0, 0], [0, 1, 1], [3, 3, 2, 3]])
@pytest.mark.parametrize("ancestors", ["yes", "no"])
def test_twin_the_trie_of_texts_is_the_trie_of_numbers(people: list[int], ancestors: str) -> None:
    found = law(
        ready("trie-heavy-hitters", levels="2", ancestors=ancestors, **RATE),
        sorted(Counter(WORDS[person] for person in people).items()),
    )
    names = {(1, 0): "a", (1, 1): "b", **{(2, place): word for place, word in enumerate(WORDS)}}

    def rows(levels: Any) -> Any:
        return tuple((names[level, node], "no", n) for level, bins in enumerate(levels, 1) for node, n in bins)

    assert found == closed("trie-heavy-hitters", people, ancestors=ancestors, n="2", **RATE).map(rows)


def test_whole_values_are_told_from_beginnings_one_level_after_their_last_letter() -> None:
    found = law(ready("trie-heavy-hitters", levels="3", rate="1/2", threshold="1"), [("a", 1), ("ab", 1)])
    everything = (("a", "no", 2), ("a", "yes", 1), ("ab", "no", 1), ("ab", "yes", 1))
    assert found.prob(everything) == Fraction(1, 2**5)
    assert all(row[0] in ("a", "ab") for shown, _ in found.items() for row in shown)


@pytest.mark.parametrize("people", [[], [0, 0], [0, 1, 1], [3, 3, 2, 3]])
def test_twin_cells_of_numbers_are_the_hierarchical_histogram_and_the_quantile_search(people: list[int]) -> None:
    values = ["-5", "-1", "0", "7"]  # -5 and 7 lie outside of [-2, 2) and are taken for the nearest cell
    counts = sorted(Counter(values[person] for person in people).items())
    found = law(ready("hierarchical-histogram", levels="2", low="-2", high="2", **RATE), counts)

    def cells(levels: Any) -> Any:
        rows = ((2 // level, node, n) for level, bins in enumerate(levels, 1) for node, n in bins)
        return tuple((str(node * w - 2), str(node * w + w - 2), n) for w, node, n in rows)

    assert found == closed("hierarchical-histogram", people, n="2", **RATE).map(cells)
    halves = law(ready("quantile-search", halvings="2", low="-2", high="2", **RATE), counts)

    def steps(rows: Any) -> Any:
        shown = ((split, dict(bins)) for split, bins in rows)
        return tuple((str(split - 2), bins.get(0, 0), bins.get(1, 0)) for split, bins in shown)

    assert halves == closed("quantile-search", people, n="2", **RATE).map(steps)


@pytest.mark.parametrize("counts", ["yes", "no"])
def test_twin_heavy_hitters_and_contacted_people(counts: str) -> None:
    data = [("0", 3), ("1", 1)]
    found = law(ready("heavy-hitters", counts=counts, **RATE), data)
    shown = closed("heavy-hitters", [0, 0, 0, 1], counts=counts, n="2", **RATE)
    assert found == shown.map(
        lambda bins: tuple((str(one[0]), one[1]) if counts == "yes" else (str(one),) for one in bins)
    )
    own = {"n": "4", "m": "1", "asked": "2", "threshold": "1"}
    asked = law(ready("contacted-histogram", **own), data)
    assert asked == closed("contacted-histogram", [0, 0, 0, 1], universe="2", **own).map(
        lambda bins: tuple((str(label), n) for label, n in bins)
    )
    with pytest.raises(InputError, match="exactly n = 4"):
        ready("contacted-histogram", **own).program([("0", 3)], seeded_coins(1))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("trie-heavy-hitters", {"levels": "2", **RATE}),
        ("quantile-search", {"halvings": "2", **RATE}),
        ("hierarchical-histogram", {"levels": "2", **RATE}),
        ("heavy-hitters", RATE),
        ("contacted-histogram", {"n": "3", "m": "1", "asked": "2", "threshold": "2"}),
    ],
)
def test_each_guarantee_holds_on_neighbours_and_is_not_far_off(name: str, settings: dict[str, str]) -> None:
    one = ready(name, **settings)
    pairs = [([("0", 1), ("1/2", k - 1)], [("0", 1), ("1/2", k)]) for k in (2, 3)]
    if name == "contacted-histogram":
        pairs = [([("0", 1), ("1/2", 2)], [("0", 2), ("1/2", 1)]), ([("1/2", 3)], [("0", 1), ("1/2", 2)])]
    refuted = 0
    for a, b in pairs:
        p, q = law(one, [row for row in a if row[1]]), law(one, [row for row in b if row[1]])
        for x, y in ((p, q), (q, p)):
            assert decide_pair(x, y, one.guarantee.epsilon, one.guarantee.delta)[0] is True
            refuted += decide_pair(x, y, one.guarantee.epsilon, one.guarantee.delta / 20)[0] is False
    assert refuted


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 3), (2, 5), (3, 4)])
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(5, 3)])
def test_exact_twin_of_the_greatest_noisy_counts_of_empty_labels(n: int, m: int, ratio: Fraction) -> None:
    cumulative = scaled_cumulative(geometric_law(n=n, ratio=ratio)(0), n)
    found = enumerate_law(geometric_order_statistics(n=n, ratio=ratio), m).law
    assert found == ordsample_law(cumulative=cumulative)(m)
    assert found != ordsample_law(cumulative=cumulative)(m + 1)


def test_twin_keep_heavy_from_few_labels() -> None:
    labels = ["a", "b", "c", "d", "e"]
    one = ready("keep-heavy-sparse", "ln(4)", listed=labels, n="2")
    places = law(one, [("b", 1), ("d", 1)])
    meant = keep_heavy_law(n=2, universe=5, law=geometric_law(n=2, ratio=Fraction(2)))([1, 3])
    assert places == meant.map(lambda bins: tuple((labels[place], n) for place, n in bins))


def test_sparse_histograms_are_within_their_distance_of_keep_heavy() -> None:
    one = ready("sparse-histogram", "1", "1/10", listed=["a", "b", "c"], n="1")
    settings = {key: one.settings[key] for key in ("n", "epsilon", "sampler", "gamma", "delta")}
    assert law(one, [("b", 1)]) == closed("sparse-histogram", [1], universe="3", **settings).map(
        lambda bins: tuple(("abc"[place], n) for place, n in bins)
    )
    assert one.guarantee.delta <= Fraction(1, 10) < 2 * one.guarantee.delta


def test_twin_stability_based_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "PEOPLE", 6)
    noisy = geometric_law(n=6, ratio=Fraction(2))
    for name, q in (("sbh", "1"), ("sbh-sampled", "1/5, 1/2, 2/3")):
        one = ready(name, "ln(2)", "1/2", threshold="3", **({"q": q} if name == "sbh-sampled" else {}))
        for count in (1, 3):
            form = sbh_law(threshold=3, law=noisy, q=sampling_probabilities(q, 6))(count)
            assert law(one, [("k", count)]) == form.map(lambda value: (("k", value),) if value else ())


@pytest.mark.parametrize("q", ["1", "1/5, 1/2, 2/3", "priority:1/7", "ppswor:1/2"])
def test_a_lone_key_is_reported_at_most_as_often_as_is_said(q: str) -> None:
    ratio = Fraction(3, 2)
    for threshold in (1, 3, 6):
        exactly = lone_key(threshold=threshold, law=geometric_law(n=200, ratio=ratio), q=sampling_probabilities(q, 200))
        found = reported_once(ratio, threshold, sampling_probability(q))
        assert exactly * (1 - Fraction(1, 10**30)) <= found <= exactly * (1 + Fraction(1, 10**12))


def test_twin_a_threshold_from_a_noisy_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand for one key of frequency 2, of at most 3 people: sampled at size/N, reported as grids allow."""
    monkeypatch.setattr(keys, "PEOPLE", 3)
    one = ready("pws-private-threshold", "ln(9)", "1/5", size="1", share="1/2", bits="16")
    found = law(one, [("k", 2)])
    totals = found.map(lambda rows: rows[0][1])
    noise = one.rests_on.split("noise of ratio ")[1].split(" ")[0]
    assert totals == geometric_law(n=3, ratio=Fraction(noise))(2)
    for total in range(4):
        both, alone = (("total", total), ("key", "k")), (("total", total),)
        chance = found.prob(both) / (found.prob(both) + found.prob(alone))
        assert 0 < chance <= min(Fraction(1), Fraction(2, max(total, 1)))


def test_twin_the_isotonic_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histograms, "PEOPLE", 3)
    found = law(ready("laplace-isotonic", "ln(2)", labels="3"), [("a", 1), ("b", 2)])
    form = laplace_isotonic_law(labels=3, nmax=3, ratio=Fraction(2))([1, 2])
    assert found == form.map(lambda fitted: tuple(sorted(Counter(fitted).items())))


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("hierarchical-histogram", {"levels": "50", **RATE}, "2\\^40 cells"),
        ("hierarchical-histogram", {"levels": "2", "low": "1", "high": "1", **RATE}, "low < high"),
        ("sparse-histogram", {"n": "1"}, "without a delta"),
        ("sbh", {}, "without a delta"),
        ("sbh", {"threshold": "most", "delta": "1/10"}, "printed, least or a number"),
        ("sbh-sampled", {"delta": "1/10"}, "the settings q"),
        ("pws-private-threshold", {"size": "0", "delta": "1/10"}, "above 0"),
        ("heavy-hitters", {"counts": "some", **RATE}, "yes or no"),
        ("contacted-histogram", {"n": "9", "m": "3", "asked": "2", "threshold": "2"}, "asked"),
    ],
)
def test_refused_settings(name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ready(name, **given)


def test_refused_data_that_does_not_fit() -> None:
    with pytest.raises(InputError, match="no number"):
        ready("quantile-search", halvings="2", **RATE).program([("cat", 1)], seeded_coins(1))
    many = [("a", 10**12), ("b", 1)]
    for name, own in (("sbh", {"threshold": "9"}), ("laplace-isotonic", {"labels": "3"})):
        with pytest.raises(InputError, match="more than n = 1000000000000 people"):
            ready(name, **own).program(many, seeded_coins(1))
    with pytest.raises(InputError, match="more than n = 1000000000000 people"):
        ready("pws-private-threshold", delta="1/10", size="1").program(many, seeded_coins(1))
    with pytest.raises(InputError, match="more than labels = 1"):
        ready("laplace-isotonic", labels="1").program([("a", 1), ("b", 1)], seeded_coins(1))
