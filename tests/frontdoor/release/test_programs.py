"""Each mechanism on files: the audited program's draws on the same coins, its guarantee, and what it rests on."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Dist, InputError, seeded_coins
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram
from dpcert.mechanisms.user_level.clipping import clip_l1, clip_l2, clipped_sum, sparse_clipped_sum
from dpcert.mechanisms.user_level.gaussian_profile import delta_bounds, enclose
from dpcert.planning.lone import PEOPLE, noise_ratio
from dpcert.releasing.families import FAMILIES
from dpcert.releasing.keys import need_close

WORDS = ["cat"] * 40 + ["dog"] * 25 + ["eel"] * 3
LABELS = ["ant", "cat", "dog", "eel", "fox"]
PLACES = [LABELS.index(word) for word in WORDS]
COUNTS = [("cat", 40), ("dog", 25), ("eel", 3)]


def released(name: str, out: Path, seed: int = 5, data: Any = None, **given: Any) -> dpcert.Release:
    return dpcert.release(name, COUNTS if data is None else data, out / "out.json", coins=seeded_coins(seed), **given)


def test_every_family_is_a_mechanism_that_is_audited() -> None:
    assert FAMILIES.keys() <= {mechanism.name for mechanism in MECHANISMS}


@pytest.mark.parametrize(("neighbours", "steps"), [("substitute", 92681), ("add-remove", 1 << 17)])
def test_twin_stability_is_the_audited_program_with_its_noise(tmp_path: Path, neighbours: str, steps: int) -> None:
    """ln 2 allows noise of ratio 2 for one count, and the root of 2 for two, rounded down."""
    found = released(
        "stability-histogram", tmp_path, epsilon="ln(2)", settings={"threshold": "7"}, neighbours=neighbours
    )
    ratio = Fraction(steps, 1 << 16)
    noise = clamped_noise(n=PEOPLE, ratio=ratio)
    shown = stability_histogram(threshold=7, sampler=noise)(PLACES, seeded_coins(5))
    assert found.released == tuple((LABELS[place], count) for place, count in shown)
    alpha = 1 / ratio
    needed = alpha**7 / (1 + alpha)
    delta = Fraction(found.guarantee.split("(ln(2), ")[1].split(")")[0])
    assert needed <= delta <= needed * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize("epsilon", ["1", "ln(2)", "1/1000", "1e-9", "50"])
@pytest.mark.parametrize("times", [1, 2])
def test_the_ratio_of_noise_is_within_epsilon_and_near_it(epsilon: str, times: int) -> None:
    ratio, spend = noise_ratio(dpcert.Epsilon.of(epsilon), times), dpcert.Epsilon.of(epsilon)
    assert at_most(dpcert.Epsilon.ln(ratio**times), spend)
    more = ratio + (ratio - 1) / 256
    assert ratio >= (1 << 16) - 1 or not at_most(dpcert.Epsilon.ln(more**times), spend)


def test_the_least_threshold_for_a_delta_is_taken(tmp_path: Path) -> None:
    found = released("stability-histogram", tmp_path, epsilon=1, delta="1/1000")
    below = str(int(found.parameters["threshold"]) - 1)
    with pytest.raises(InputError, match="which these settings need"):
        released("stability-histogram", tmp_path, epsilon=1, delta="1/1000", settings={"threshold": below})


def test_twin_basic_and_keep_heavy_are_the_audited_programs(tmp_path: Path) -> None:
    found = released("basic-histogram", tmp_path, epsilon="ln(9/4)", labels=LABELS, neighbours="substitute")
    noise = clamped_noise(n=PEOPLE, ratio=Fraction(3, 2))
    shown = basic_histogram(universe=5, sampler=noise)(PLACES, seeded_coins(5))
    assert found.released == tuple((LABELS[place], count) for place, count in shown)
    many = [*LABELS, *map(str, range(100))]
    heavy = released("keep-heavy", tmp_path, epsilon="ln(9/4)", labels=many, settings={"n": "68"})
    sampler = clamped_noise(n=68, ratio=Fraction(3, 2))
    kept = keep_heavy(n=68, universe=105, sampler=sampler)(PLACES, seeded_coins(5))
    assert heavy.released == tuple((many[place], count) for place, count in kept)


def test_twin_keys_and_frequencies_are_the_audited_program_on_each_key(tmp_path: Path) -> None:
    own = {"epsilon": "1", "delta": "1/100", "imax": "30", "bits": "64"}
    for name in ("pws-keys", "pws-frequencies"):
        found = released(name, tmp_path, epsilon=1, delta="1/100", settings={"imax": "30", "q": "priority:1/10"})
        mechanism = next(one for one in MECHANISMS if one.name == name)
        program = mechanism.build(mechanism.settings({**own, "q": "priority:1/10"})).program
        coins = seeded_coins(5)
        shown = [(key, program(frequency, coins)) for key, frequency in COUNTS]
        values = [(key,) if name == "pws-keys" else (key, value) for key, value in shown if value]
        assert list(found.released) == values
        assert found.guarantee.startswith("what was released is (1, 0.01)-")


def test_caught_rows_that_are_not_close() -> None:
    from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow, grid_rows, whole_cells

    ratio, delta = Fraction(3, 2), Fraction(1, 10)
    rows = list(grid_rows(q=[Fraction(1)] * 12, ratio=ratio, delta=delta, bits=16, cells=whole_cells(12)))
    need_close(rows, ratio, delta)
    laws = [Dist.from_weights([(0, row.unreported), *enumerate(row.masses, row.first + 1)], 1 << 16) for row in rows]
    for a, b in pairwise(laws):
        assert decide_pair(a, b, dpcert.Epsilon.ln("3/2"), delta)[0] is True
    last = rows[-1]
    more = GridRow(16, last.unreported - 700, last.first, (*last.masses[:-1], last.masses[-1] + 700))
    with pytest.raises(InputError, match="rows of the frequencies"):
        need_close([*rows[:-1], more], ratio, delta)


def test_twin_privhist_is_its_sampler_on_how_often_counts_occur(tmp_path: Path) -> None:
    found = released("privhist", tmp_path, epsilon="ln(27)", data=[("a", 3), ("b", 1), ("c", 3)])
    histogram, total = privhist_sampler(ratio=Fraction(3))(((1, 1), (3, 2)), seeded_coins(5))
    assert found.released == (("people", total), *((f"count {count}", many) for count, many in histogram))


@pytest.mark.parametrize("clip", [clip_l1, clip_l2])
def test_exact_twin_sparse_users_have_the_same_sum(clip: Callable[..., tuple[int, ...]]) -> None:
    def clipped(counts: Iterable[int]) -> tuple[int, ...]:
        return clip(list(counts), clip=Fraction(5, 2), grid=3)

    for a, b in product(product(range(4), repeat=3), repeat=2):
        sparse = [[(item, count) for item, count in enumerate(user) if count] for user in (a, b)]
        assert sparse_clipped_sum(sparse, clipped=clipped, dimension=3) == clipped_sum(
            (a, b), clipped=clipped, dimension=3
        )


def test_sums_of_users_are_clipped_and_noisy_in_units(tmp_path: Path) -> None:
    """At epsilon = 1000 there is hardly any noise: 3 of 6 units of u1, and 1 and 2 of u2."""
    path = tmp_path / "users.csv"
    path.write_text("user,item,count\nu1,cat,4\nu2,dog,1\nu1,cat,2\nu2,cat,2\n")
    settings = {"clip": "3", "grid": "2"}
    found = released("clipped-sum-l1", tmp_path, data=path, epsilon=1000, labels=LABELS, settings=settings)
    assert found.released == (("ant", "0"), ("cat", "5"), ("dog", "1"), ("eel", "0"), ("fox", "0"))
    assert found.read == "column 1 as users, column 2 as values, column 3 as counts, a header"
    assert "lists of users of whom one has another record: each user is one element" in found.guarantee
    settings = {"clip": "3", "sigma": "1/100"}
    gauss = released("clipped-sum-l2", tmp_path, data=path, epsilon=1, labels=LABELS, settings=settings)
    assert [units for _, units in gauss.released] == ["0", "5", "1", "0", "0"]
    assert "(1, 1)-differentially private" in gauss.guarantee


def test_sums_of_users_need_less_delta_with_more_noise(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("u1,cat\nu2,dog\n")
    settings = {"clip": "1", "sigma": "5"}
    found = released("clipped-sum-l2", tmp_path, data=path, epsilon=1, labels=LABELS, settings=settings)
    delta = Fraction(found.guarantee.split("(1, ")[1].split(")")[0])
    needed, _ = delta_bounds(enclose(variance=50), (1, 1), dpcert.Epsilon.of(1))
    assert 0 < needed < delta < Fraction(1, 10**7)
    assert found.parameters["variance"] == "50/1"


@pytest.mark.parametrize(("name", "columns"), [("pure-sparse-histogram", "value"), ("compact-histogram", "power")])
def test_sparse_and_compact_histograms_of_few_people(tmp_path: Path, name: str, columns: str) -> None:
    data = [("cat", 2), ("dog", 1)]
    labels = [*LABELS, "gnu", "hen"]
    found = released(name, tmp_path, data=data, epsilon=1, labels=labels, settings={"n": "3"})
    assert found.columns[0] == columns
    assert len(found.released) <= 4
    assert "tested at points and not proved" in found.rests_on
    with pytest.raises(InputError, match="exactly n = 4"):
        released(name, tmp_path, data=data, epsilon=1, labels=[*labels, "ibis", "jay"], settings={"n": "4"})


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("stability-histogram", {}, "without a delta"),
    ("stability-histogram", {"settings": {"n": "60", "threshold": "9"}}, "more than n = 60 people"),
    ("stability-histogram", {"settings": {"threshold": "9", "rate": "1/2"}}, "leave it out"),
    ("stability-histogram", {"settings": {"threshold": "9"}, "neighbours": "l1"}, "add-remove or substitute"),
    ("basic-histogram", {}, "without labels"),
    ("basic-histogram", {"labels": ["cat", "dog"]}, "not in the file of labels"),
    ("basic-histogram", {"labels": LABELS, "epsilon": "1e-100"}, "a greater one"),
    ("keep-heavy", {"labels": LABELS, "settings": {"n": "68"}}, "69 or more"),
    ("pws-keys", {}, "without a delta"),
    ("pws-keys", {"delta": "1/100", "settings": {"bits": "0"}}, "8 to 4096"),
    ("pws-frequencies", {"delta": "1/100", "settings": {"q": "2"}}, "numbers in"),
    ("privhist", {"settings": {"nmax": "3"}}, "no --set"),
    ("clipped-sum-l1", {"settings": {"clip": "1"}}, "--labels FILE"),
    ("clipped-sum-l1", {"labels": LABELS, "settings": {"clip": "1"}}, "one file of all users"),
    ("clipped-sum-l2", {"labels": LABELS, "settings": {"clip": "1", "sigma": "0"}}, "above 0"),
]


@pytest.mark.parametrize(("name", "given", "words"), REFUSED)
def test_refused_settings(tmp_path: Path, name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        released(name, tmp_path, **{"epsilon": 1, **given})
    assert not list(tmp_path.iterdir())
