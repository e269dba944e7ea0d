"""`dpcert plan` on a user's own counts, and of precision: each answer against all others that there are, or a twin."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpcert import Epsilon, seeded_coins
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.user_level.threshold import top_size
from dpcert.mechanisms.weighted_sampling.pws_frequencies import PWS_FREQUENCIES
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.planning.clipped import Sizes, noise_ratio, printed_clip
from dpcert.planning.families import FAMILIES
from dpcert.planning.frequencies import Frequencies
from dpcert.planning.privhist import MOST_EPSILON, Shares, shares_of, split_sampler
from dpcert.planning.weighted import Reported

COUNTS = [1] * 40 + [2] * 15 + [3, 3, 5, 8, 13, 13, 40, 77]
FOUND = Frequencies(tuple((w, COUNTS.count(w)) for w in sorted(set(COUNTS))), 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text("".join(f"key{place},{count}\n" for place, count in enumerate(COUNTS)))
    return path


def exact_keys(epsilon: str, delta: str, q: str) -> Fraction:
    """Return the expected number of keys reported by the exact probabilities of Algorithm 3."""
    ratio = Epsilon.of(epsilon).exp_bounds(64)[0]
    most = reporting_probabilities(q=sampling_probabilities(q, 77), ratio=ratio, delta=Fraction(delta))
    return sum((most[count - 1] for count in COUNTS), Fraction(0))


@pytest.mark.parametrize(("epsilon", "delta", "q"), [("1/2", "1/100", "1"), ("ln(2)", "1/1000", "priority:1/20")])
def test_twin_keys_reported_on_the_grid_and_exactly(epsilon: str, delta: str, q: str) -> None:
    found = Reported(FOUND, imax=77, bits=64).keys(Epsilon.of(epsilon), Fraction(delta), q)
    exactly = exact_keys(epsilon, delta, q)
    assert found <= exactly <= found + Fraction(len(COUNTS), 2**40)


@pytest.mark.parametrize("algorithm", ["4", "5"])
def test_twin_frequencies_are_reported_as_often_as_keys(algorithm: str) -> None:
    given = {"epsilon": "1", "delta": "1/100", "imax": "30", "q": "priority:1/9", "bits": "64"}
    law = PWS_FREQUENCIES.build(PWS_FREQUENCIES.settings({**given, "algorithm": algorithm})).closed_form
    assert law is not None
    masses = Reported(FOUND, imax=30, bits=64).masses(Epsilon.of("1"), Fraction(1, 100), "priority:1/9")
    for frequency in range(1, 31):
        assert 0 <= masses[frequency - 1] - (1 - law(frequency).prob(0)) * 2**64 < 2**14


@pytest.mark.parametrize("name", ["pws-keys", "pws-frequencies"])
def test_the_greatest_tau_within_a_size(planned: Any, file: Path, name: str) -> None:
    asked = ("--epsilon", "1", "--delta", "1/100", "--neighbours", "counts_differ_by_one", "--frequencies", file)
    document = planned(name, *asked, "--set", "size=3")
    j = int(document["answer"]["q"].removeprefix("priority:1/"))
    assert exact_keys("1", "1/100", f"priority:1/{j}") <= 3 < exact_keys("1", "1/100", f"priority:1/{j - 1}")
    assert Fraction(1, 100) - Fraction(1, 2**60) < Fraction(document["achieved"]["delta"]["hi"]) <= Fraction(1, 100)
    assert "not private" in document["notes"][0]


def test_the_least_epsilon_that_reports_so_many_keys(planned: Any, file: Path) -> None:
    options = ("--epsilon", "ln(3)", "--delta", "1/100", "--neighbours", "counts_differ_by_one")
    asked = ("pws-keys", *options, "--frequencies", file)
    document = planned(*asked, "--set", "keys=5", "--set", "steps=50", "--frontier", "--against", "paper")
    spent = Fraction(document["answer"]["epsilon"])
    assert exact_keys(str(spent - Fraction(1, 50)), "1/100", "1") < 5 <= exact_keys(str(spent), "1/100", "1")
    rows = document["frontier"]
    assert float(rows[0]["keys reported"]) == max(float(row["keys reported"]) for row in rows) >= 5
    assert planned(*asked, "--set", "keys=60", status=3)["answer"] is None


def test_twin_what_clipping_loses() -> None:
    sizes = Sizes(FOUND)
    for clip in range(1, 80):
        assert sizes.lost(clip) == sum(max(0, count - clip) for count in COUNTS)
    for rank in range(1, len(COUNTS) + 2):
        assert sizes.ranked(rank) == top_size([(count,) for count in COUNTS], Fraction(rank))
    assert printed_clip(sizes, Epsilon.of("1/4"), 2) == sorted(COUNTS)[-16]


@pytest.mark.parametrize(("epsilon", "dimension"), [("2", 1), ("1/3", 3)])
def test_no_other_clip_has_a_lower_error(planned: Any, file: Path, epsilon: str, dimension: int) -> None:
    asked = ("--epsilon", epsilon, "--neighbours", "replace-user", "--frequencies", file)
    document = planned("clipped-sum-l1", *asked, "--set", f"dimension={dimension}")

    def error(clip: int) -> Fraction:
        alpha = 1 / noise_ratio(Epsilon.of(epsilon), clip=clip, dimension=dimension)
        return sum(max(0, count - clip) for count in COUNTS) + dimension * 2 * alpha / (1 - alpha**2)

    clip = int(document["answer"]["clip"])
    assert error(clip) == min(error(other) for other in range(1, 78))
    assert document["kind"] == "search"
    assert error(int(document["paper"]["clip"])) >= error(clip)
    assert document["utility"]["users"] == str(len(COUNTS))


@pytest.mark.parametrize(("epsilon", "clip", "dimension"), [("1", 2, 2), ("3", 1, 1), ("ln(2)", 1, 1)])
def test_a_clip_has_its_least_noise_and_the_next_is_refuted(
    planned: Any, epsilon: str, clip: int, dimension: int
) -> None:
    asked = ("--epsilon", epsilon, "--neighbours", "replace-user", "--set", f"clip={clip}")
    document = planned("clipped-sum-l1", *asked, "--set", f"dimension={dimension}")
    steps, ratio = clip * min(dimension, 2), Fraction(document["answer"]["ratio"])
    assert at_most(Epsilon.ln(ratio**steps), Epsilon.of(epsilon))
    assert (document["kind"], document["beyond"][0]["verdict"]) == ("optimum", "refuted")


def test_the_least_sigma_is_verified_and_the_next_is_refuted(planned: Any) -> None:
    asked = ("clipped-sum-l2", "--epsilon", "2", "--delta", "1/1000", "--neighbours", "replace-user")
    document = planned(*asked, "--set", "steps=20", "--set", "dimension=1")
    sigma = Fraction(document["answer"]["sigma"])
    (beyond,) = document["beyond"]
    assert Fraction(beyond["parameters"]["sigma"]) == sigma - Fraction(1, 20)
    assert (document["kind"], beyond["verdict"]) == ("search", "refuted")
    assert Fraction(document["paper"]["sigma"]) > sigma


@pytest.mark.parametrize("epsilon", ["ln(27)", "ln(125/99)"])
def test_twin_equal_shares_are_privhist(epsilon: str) -> None:
    ratio = share(Epsilon.of(epsilon))
    ours, twin = split_sampler(Shares(ratio, ratio, ratio), ratio=ratio), privhist_sampler(ratio=ratio)
    for seed in range(12):
        assert ours(FOUND.keys_of, seeded_coins(seed)) == twin(FOUND.keys_of, seeded_coins(seed))


def test_shares_are_within_epsilon_and_use_nearly_all_of_it() -> None:
    for text in ("1/2", "2", "ln(27)", "1/1000", "100", str(MOST_EPSILON)):
        epsilon = Epsilon.of(text)
        for parts in ((1, 1, 1), (1, 6, 1), (5, 1, 2)):
            found = shares_of(parts, epsilon)
            assert found.within(epsilon)
            product = found.total * found.split * found.smooth
            assert product * (1 + Fraction(1, 2**12)) > epsilon.exp_bounds(64)[0]


def test_a_split_of_privhist_is_no_worse_than_thirds(planned: Any, file: Path) -> None:
    asked = ("privhist", "--epsilon", "2", "--neighbours", "sorted-l1", "--frequencies", file, "--against", "paper")
    document = planned(*asked, "--set", "runs=5", "--set", "parts=4")
    parts = [Epsilon.of(document["answer"][f"epsilon{place}"]) for place in (1, 2, 3)]
    assert at_most(parts[0] + parts[1] + parts[2], Epsilon.of("2"))
    assert parts[2] == Epsilon.of("0")
    assert document["achieved"] is None
    assert document["kind"] == "search"
    words = document["against"]["bought"][0].replace(",", "").split()
    ours, thirds = (float(after) for before, after in pairwise(words) if before in ("of", "thirds"))
    assert ours <= thirds


def test_the_least_precision_and_every_lower_one_is_refuted(planned: Any, inside: Any) -> None:
    asked = ("pure-sparse-histogram", "--epsilon", "1/2", "--neighbours", "substitute", "--set", "universe=3")
    document = planned(*asked)
    precision = int(document["answer"]["precision"])
    assert precision & (precision - 1) == 0
    assert int(document["paper"]["precision"]) > precision
    lower = [bits for bits in (4, 8, 16, 32, 64) if bits < precision]
    for bits in [*lower, precision]:
        given = ("--set", "n=1", "--set", "universe=3", "--set", f"precision={bits}", "--law-source", "closed-form")
        done = inside("audit", "pure-sparse-histogram", *given, "--json")
        assert done.document["results"][0]["verdict"] == ("verified" if bits == precision else "refuted")


GIVEN = [
    *((name, "--set nonsense=1", "nonsense=1") for name in FAMILIES),
    *((name, "--neighbours any", "--neighbours any") for name in FAMILIES),
    *((name, "--epsilon 0", "above 0") for name in FAMILIES),
    *((name, "--delta 2", "--delta 2") for name in FAMILIES),
    *((name, "--frequencies missing.csv", "missing.csv") for name in FAMILIES),
    *((name, "", "--frequencies FILE") for name in ("pws-keys", "privhist", "clipped-sum-l1")),
    *((name, "--frequencies counts.csv", "leave it out") for name in ("clipped-sum-l2", "pure-sparse-histogram")),
    *(("privhist", f"--frequencies counts.csv --epsilon {x}", "at most 500") for x in ("501", "3000", "1e9")),
    ("clipped-sum-l2", "--set reach=0", "reach"),
    ("clipped-sum-l1", "--set clip=1/2", "clip"),
    *(("stability-histogram", f"--set {text}", text.split("=")[0]) for text in ("universe=1", "sampler=other", "n=0")),
    ("sbh", "--set imax=0", "imax"),
    ("geosample", "--set beta=0", "beta"),
    ("fastsample", "--set gamma=1", "gamma"),
    ("pure-sparse-histogram", "--set universe=2", "universe"),
    ("sample-threshold", "--set threshold=0", "threshold"),
]


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize(("name", "more", "words"), GIVEN)
def test_refused(inside: Any, file: Path, monkeypatch: pytest.MonkeyPatch, name: str, more: str, words: str) -> None:
    monkeypatch.chdir(file.parent)
    family, given = FAMILIES[name], more.split()
    asked = {"--epsilon": "1", "--neighbours": family.relations[0], **({} if family.pure else {"--delta": "1/100"})}
    asked |= dict(zip(given[::2], given[1::2], strict=True))
    assert words in inside("plan", name, *(word for pair in asked.items() for word in pair)).refusal()


@pytest.mark.usefixtures("workers_inside")
def test_a_key_of_one_element_is_planned_where_noise_can_be_listed(inside: Any) -> None:
    asked = ("--delta", "1/100", "--neighbours", "counts_differ_by_one")
    assert "1/20" in inside("plan", "sbh", "--epsilon", "1/21", *asked).refusal()
    assert "2^-100" in inside("plan", "sbh", "--epsilon", "1e-31", *asked).refusal()
