"""PrivHist and its three steps: programs and closed forms, their claims, and refused inputs."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dpcert import Refuted, Report, Verified, seeded_coins
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.anonymized_histograms import parameters, succinct
from dpcert.mechanisms.anonymized_histograms.inputs import histograms_up_to
from dpcert.mechanisms.anonymized_histograms.printed import uncarried_split
from dpcert.mechanisms.anonymized_histograms.privhist import PRIVHIST, PrivhistLayout, layout_of, privhist
from dpcert.mechanisms.anonymized_histograms.smoothing import PRIVHIST_SMOOTHED, smoothed
from dpcert.mechanisms.anonymized_histograms.split import PRIVHIST_SPLIT, Windows, split_law
from dpcert.mechanisms.anonymized_histograms.total import PRIVHIST_TOTAL
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.reading.paths.enumerator import enumerate_law

from .printed_parts import NEIGHBOURS, geometric


def naming(value: object) -> str:
    return value.name if isinstance(value, Mechanism) else ",".join(f"{k}={v}" for k, v in dict(value).items())


def built(mechanism: Mechanism, **settings: object) -> Instance:
    return mechanism.build(mechanism.settings({name: str(value) for name, value in settings.items()}))


SMALL = [
    (PRIVHIST_TOTAL, {"nmax": 5}),
    (PRIVHIST_TOTAL, {"nmax": 0, "epsilon": "1/3"}),
    (PRIVHIST_SPLIT, {"nmax": 3, "T": 1, "M": 0}),
    (PRIVHIST_SPLIT, {"nmax": 4, "T": 1, "M": 2}),
    (PRIVHIST_SPLIT, {"nmax": 3, "T": 3, "M": 1, "epsilon": "1/2"}),
    (PRIVHIST_SPLIT, {"nmax": 0, "T": 2}),
    (PRIVHIST_SMOOTHED, {"nmax": 4}),
    (PRIVHIST_SMOOTHED, {"nmax": 4, "S": "2,3"}),
    (PRIVHIST, {"nmax": 0}),
    (PRIVHIST, {"nmax": 1}),
    (PRIVHIST, {"nmax": 3}),
    (PRIVHIST, {"nmax": 1, "epsilon": "ln(343/216)"}),
    (PRIVHIST, {"nmax": 2, "epsilon": "1/2"}),
]


@pytest.mark.points(1)
@pytest.mark.parametrize(("mechanism", "settings"), SMALL, ids=naming)
def test_twin_program_and_closed_form(mechanism: Mechanism, settings: dict[str, object]) -> None:
    instance = built(mechanism, **settings)
    assert instance.closed_form is not None
    for counts in instance.inputs:
        law = enumerate_law(instance.program, counts).law
        assert law.tail == 0
        assert law == instance.closed_form(counts)
        assert law == enumerate_law(instance.program, counts[::-1]).law


@pytest.mark.nightly
@pytest.mark.parametrize(
    "mechanism", [PRIVHIST_TOTAL, PRIVHIST_SPLIT, PRIVHIST_SMOOTHED, PRIVHIST], ids=lambda m: m.name
)
def test_the_default_claim_is_verified(mechanism: Mechanism, audit: Callable[..., Report]) -> None:
    report = audit(mechanism, {})
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0


@pytest.mark.nightly
@pytest.mark.parametrize("mechanism", [PRIVHIST_TOTAL, PRIVHIST_SPLIT, PRIVHIST_SMOOTHED], ids=lambda m: m.name)
def test_the_claim_of_each_step_is_tight(mechanism: Mechanism, audit: Callable[..., Report]) -> None:
    assert isinstance(audit(mechanism, {}, epsilon="ln(1999/1000)").verdict, Refuted)


def closed_form_is_private(instance: Instance) -> bool:
    assert instance.closed_form is not None
    laws = [instance.closed_form(counts) for counts in instance.inputs]
    rows = list(zip(instance.inputs, laws, strict=True))
    return all(
        decide_pair(p, q, instance.epsilon, Fraction(0))[0] is True
        for a, p in rows
        for b, q in rows
        if NEIGHBOURS(a, b)
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("mechanism", "settings"),
    [
        (PRIVHIST_TOTAL, {"nmax": 12, "epsilon": "1/10"}),
        (PRIVHIST_SPLIT, {"nmax": 7, "T": 1, "M": 2}),
        (PRIVHIST_SPLIT, {"nmax": 6, "T": 3, "M": 0}),
        (PRIVHIST_SMOOTHED, {"nmax": 8, "S": "1,2,5,9"}),
        (PRIVHIST, {"nmax": 4}),
        (PRIVHIST, {"nmax": 3, "epsilon": "ln(343/216)"}),
        (PRIVHIST_SPLIT, {"nmax": 9, "T": 2, "M": 2}),
        (PRIVHIST, {"nmax": 6}),
        (PRIVHIST, {"nmax": 4, "epsilon": "ln(343/216)"}),
    ],
    ids=naming,
)
def test_the_claim_holds_for_more_people_by_the_closed_form(mechanism: Mechanism, settings: dict[str, object]) -> None:
    assert closed_form_is_private(built(mechanism, **settings))


@pytest.mark.nightly
def test_two_shares_are_spent_where_epsilon_is_above_one_and_three_below(audit: Callable[..., Report]) -> None:
    assert isinstance(audit(PRIVHIST, {}, epsilon="ln(4)").verdict, Verified)
    assert isinstance(audit(PRIVHIST, {}, epsilon="ln(399/100)").verdict, Refuted)
    low = {"epsilon": "ln(343/216)", "nmax": "2"}
    assert isinstance(audit(PRIVHIST, low).verdict, Verified)
    assert isinstance(audit(PRIVHIST, low, epsilon="ln(342/216)").verdict, Refuted)


@pytest.mark.points(7)
@pytest.mark.parametrize("epsilon", ["ln(8)", "ln(343/216)", "1/4"])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_every_total_is_of_the_branch_of_its_cell(epsilon: str, most: int) -> None:
    """T, M and the boundaries up to `most` are one for all N of a cell, but for M and the names beyond the cap."""
    plan = layout_of({"epsilon": epsilon, "nmax": str(most)})
    low_privacy = parameters.is_low_privacy(plan.ratio)
    for n in range(1, plan.cap + 40):
        branch = plan.branches[max(start for start in plan.total.starts if start <= n)]
        known = min(n, plan.cap)
        assert branch.windows.threshold == parameters.threshold(known, plan.ratio)
        assert branch.windows.fakes == parameters.fakes(known, plan.ratio)
        if not low_privacy:
            marks = parameters.boundaries(n, plan.ratio, ())
            assert tuple(sorted({min(s, most) for s in marks})) == branch.boundaries
            for counts in histograms_up_to(most):
                phi = sorted(Counter(counts).items())
                whole, shown = smoothed(phi, marks), smoothed(phi, branch.boundaries)
                assert whole == shown + [0] * (len(whole) - len(shown))
    assert parameters.threshold(plan.cap, plan.ratio) >= most
    assert plan.cap == max(most, 1) or parameters.threshold(plan.cap - 1, plan.ratio) < most


@pytest.mark.parametrize("most", [1, 2, 3])
def test_beyond_the_cap_no_ratio_depends_on_the_fakes(most: int) -> None:
    """Where T >= nmax no count is large: m is pure noise, and given m - M the small part is the same for every M."""
    plan = PrivhistLayout.of(ratio=Fraction(2), most=most)
    capped = plan.branches[max(plan.branches)].windows
    for n in (plan.cap + 1, 3 * plan.cap, 10**4):
        threshold, made = parameters.threshold(n, Fraction(2)), parameters.fakes(n, Fraction(2))
        windows = Windows.of(ratio=Fraction(2), threshold=threshold, fakes=made, most=most)
        for counts in histograms_up_to(most):
            laws: list[dict[Any, dict[Any, Fraction]]] = []
            for one in (capped, windows):
                rows: dict[Any, dict[Any, Fraction]] = {}
                for (moved, small, large), p in split_law(one)(counts).items():
                    assert large == ()
                    assert not any(small[most:])
                    rows.setdefault(max(0, moved - one.fakes), {})[small[:most]] = p
                laws.append({k: {key: p / sum(row.values()) for key, p in row.items()} for k, row in rows.items()})
            assert laws[0] == laws[1]


@pytest.mark.nightly
def test_twin_the_release_and_the_sampler_have_one_law_as_far_as_samples_tell() -> None:
    """Cells and places on the one side, steps as printed on the other, on 4 histograms and two epsilons.

    Given that an outcome occurs n times in both samples together, one law for both makes its share of either
    Bin(n, 1/2), and a difference beyond 6 sqrt(n) has probability at most 2 e^-18. With at most 80 outcomes compared,
    chosen by n, a right pair fails with probability below ALPHA.
    """
    trials = 1000
    for epsilon in ("ln(8)", "ln(343/216)"):
        plan = layout_of({"epsilon": epsilon, "nmax": "3"})
        release, sampler = privhist(plan), succinct.privhist_sampler(ratio=plan.ratio)
        for counts in ([], [1], [2, 1], [3]):
            coins = seeded_coins(Random(str((epsilon, counts))).getrandbits(64))
            ours = Counter(release(counts, coins) for _ in range(trials))
            phi = tuple(sorted(Counter(counts).items()))
            theirs = Counter(sampler(phi, coins) for _ in range(trials))
            for outcome, many in (ours + theirs).most_common(10):
                assert abs(ours[outcome] - theirs[outcome]) <= 6 * many**0.5


def test_the_empty_release_comes_with_a_total_of_zero() -> None:
    release, coins = privhist(layout_of({"epsilon": "ln(8)", "nmax": "2"})), seeded_coins(3)
    found = [release([], coins) for _ in range(300)]
    assert any(total == 0 for _, total in found)
    assert all(histogram == () for histogram, total in found if total == 0)
    assert all(total >= 0 for _, total in found)


def unshared_density(count: int, z: int, moved: int) -> Fraction:
    """Pr[H^cs_1+ = z, m' = moved > 0, H^cl = all T + 1] of one count at T = 1, M = 1, with two noises at the cut.

    The noise Z that leaves T is summed out: as a series where both exponents move alike, and where the maximum is 0.
    """
    large = int(count > 1)
    centre = 1 - large + 1
    first = min(0, centre - z) - 1
    below = geometric(first) * geometric(z - centre + first) / (1 - Fraction(1, 4))
    between = sum((geometric(y) * geometric(z - centre + y) for y in range(first + 1, centre + 1)), Fraction(0))
    beyond = Fraction(2, 3) * Fraction(1, 2 ** (centre + 1)) * geometric(z)
    return geometric(moved - large - 1) * (below + between + beyond)


@pytest.mark.nightly
def test_two_noises_at_the_cut_cost_twice_epsilon_in_the_release_itself() -> None:
    """[1] against [2] at one noisy large count, e^epsilon_2 = 2: the ratio grows to 4 and never gets there."""
    ratios = [unshared_density(1, z, 1) / unshared_density(2, z, 1) for z in range(40)]
    assert ratios == sorted(ratios)
    assert Fraction(38, 10) < ratios[-1] < 4
    masses = [unshared_density(1, z, moved) for z in range(-60, 61) for moved in range(1, 60)]
    reached = 1 - Fraction(2, 3) * Fraction(1, 2)  # Pr[m' >= 1] for L = 0, M = 1
    assert reached - Fraction(1, 2**40) < sum(masses) < reached


def test_literally_the_printed_sums_cut_without_carrying() -> None:
    """Both sums over phi^b: from 2 to 3 at T = 1 without fakes the number of large counts can fall to 0, and cannot."""
    sizes = []
    for counts in ([2], [3]):
        found = set()
        for noise in range(-6, 7):
            large = uncarried_split(Counter(counts), threshold=1, fakes=0, noise=noise)[1]
            found.add(sum(large.values()))
        sizes.append(min(found))
    assert sizes == [0, 1]


@pytest.mark.parametrize(
    "mechanism", [PRIVHIST_TOTAL, PRIVHIST_SPLIT, PRIVHIST_SMOOTHED, PRIVHIST], ids=lambda m: m.name
)
def test_refused_inputs(mechanism: Mechanism) -> None:
    domain = built(mechanism).domain
    for wrong in ([0], [-1], [1.0], [True], (1,), 1, [40]):
        assert wrong not in domain
    assert [] in domain
    assert all(counts in domain for counts in built(mechanism).inputs)


@pytest.mark.nightly
def test_no_fake_counts_are_needed_for_privacy(audit: Callable[..., Report]) -> None:
    """M = 0: the carry alone keeps the parts proper histograms; fakes serve the error."""
    report = audit(PRIVHIST_SPLIT, {"T": "1", "M": "0", "nmax": "4"})
    assert isinstance(report.verdict, Verified)
