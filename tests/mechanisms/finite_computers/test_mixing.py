"""Mixing with a uniform outcome: GeoSample rounded down, any two programs, and Lemma 3.2."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product

import pytest

from dpcert import Coins, Dist, Epsilon, Report, Verified
from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.finite_computers import mixing
from dpcert.mechanisms.finite_computers.geosample import noise_exponent
from dpcert.reading.paths.enumerator import enumerate_law

from ..histograms import Law, built, clamped_noise, held, observed


def rounded_by_hand(count: int, n: int, k: int, bits: int) -> Law:
    sums, law = [Fraction(0)], {}
    for p in clamped_noise(count, n, 2 ** (k - 1), None).values():
        sums.append(sums[-1] + p)
    floors = [(s * 2**bits).__floor__() for s in sums]
    for z, (a, b) in enumerate(pairwise(floors)):
        law[z] = Fraction(b - a, 2**bits)
    return law


@pytest.mark.parametrize(("n", "k", "bits"), [(1, 1, 1), (1, 2, 9), (3, 1, 4), (5, 2, 6), (6, 3, 40)])
def test_twin_geosample_rounded_down(n: int, k: int, bits: int) -> None:
    program, closed_form = (
        mixing.rounded_geosample(n=n, k=k, bits=bits),
        mixing.rounded_geosample_law(n=n, k=k, bits=bits),
    )
    worst = Fraction(0)
    for count in range(n + 1):
        law, exactly = rounded_by_hand(count, n, k, bits), clamped_noise(count, n, 2 ** (k - 1), None)
        assert enumerate_law(program, count).law == closed_form(count) == Dist.of(law)
        worst = max(worst, sum((max(law[z] - exactly[z], Fraction(0)) for z in law), Fraction(0)))
    assert mixing.rounding_distance(n=n, k=k, bits=bits) == worst <= Fraction(n, 2**bits)


@pytest.mark.parametrize("gamma", [Fraction(1, 2), Fraction(1, 3), Fraction(1, 100)])
def test_twin_mixing_of_any_two_programs(gamma: Fraction) -> None:
    def loaded(side: str, coins: Coins) -> str:
        return side if coins.below(7) < 5 else "edge"

    def other(coins: Coins) -> str:
        return ("heads", "tails", "edge")[coins.below(4) % 3]

    law = enumerate_law(mixing.mixed(loaded, other, gamma), "heads").law
    expected = {
        "heads": (1 - gamma) * Fraction(5, 7) + gamma / 2,
        "tails": gamma / 4,
        "edge": (1 - gamma) * Fraction(2, 7) + gamma / 4,
    }
    assert dict(law.items()) == expected
    apart = Dist.of({"heads": "1/2", "tails": "1/4", "edge": "1/4"})
    assert law == mixing.mixed_law(lambda side: Dist.of({side: "5/7", "edge": "2/7"}), apart, gamma)("heads")


@pytest.mark.points(1)
@pytest.mark.parametrize(
    "settings",
    [
        {"n": "1", "epsilon": "1", "bits": "3", "gamma": "1/2"},
        {"n": "3", "epsilon": "1/2", "bits": "9", "gamma": "1/10"},
        pytest.param({"n": "12", "epsilon": "1", "bits": "8", "gamma": "1/2"}, marks=pytest.mark.nightly),
    ],
)
def test_twin_the_shipped_mixing(audit: Callable[..., Report], settings: dict[str, str]) -> None:
    n, bits = int(settings["n"]), int(settings["bits"])
    k, gamma = noise_exponent(Fraction(settings["epsilon"])), Fraction(settings["gamma"])

    def brute(count: int) -> Law:
        few = rounded_by_hand(count, n, k, bits)
        return {z: (1 - gamma) * p + gamma / (n + 1) for z, p in few.items()}

    instance = built(mixing.MIXING, settings)
    held(instance, brute)
    assert instance.epsilon == Epsilon.ln(1 + Fraction(1, 2**k))
    assert isinstance(audit(mixing.MIXING, settings).verdict, Verified)
    assert isinstance(observed(instance).verdict, Verified)


def lemma_3_2(distance: Fraction, *, ratio: Fraction, gamma: Fraction) -> tuple[bool, bool]:
    """Whether (3.1) holds, and whether mixing makes two laws private, for randomized response a distance off.

    A coin of bias r/(r+1) for one input and 1/(r+1) for the other is moved by the distance, further apart.
    """
    keep = ratio / (ratio + 1) + distance
    laws = [Dist.of({0: p, 1: 1 - p}) for p in (keep, 1 - keep)]
    one, other = (mixing.mixed_law(lambda law: law, Dist.uniform(2), gamma)(law) for law in laws)
    private = max(hockey_stick(one, other, ratio), hockey_stick(other, one, ratio)) == 0
    return distance <= mixing.greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, 2)), private


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(2), Fraction(7)])
@pytest.mark.parametrize("gamma", [Fraction(1, 50), Fraction(1, 5)])
def test_lemma_3_2_is_tight(ratio: Fraction, gamma: Fraction) -> None:
    """On two outcomes its bound on the distance is met with equality, and nothing above it will do."""
    bound = mixing.greatest_distance(ratio=ratio, gamma=gamma, least=Fraction(1, 2))
    assert lemma_3_2(bound, ratio=ratio, gamma=gamma) == (True, True)
    assert lemma_3_2(bound / 2, ratio=ratio, gamma=gamma) == (True, True)
    assert lemma_3_2(bound + Fraction(1, 10**40), ratio=ratio, gamma=gamma) == (False, False)


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1), (3, 1), (2, 2), (5, 2), (4, 3)])
def test_lemma_3_2_on_rounded_geosample(n: int, epsilon: int) -> None:
    """Wherever its condition holds the mixture is private, and with few enough bits it is not."""
    k = noise_exponent(Fraction(1, epsilon))
    ratio, least = 1 + Fraction(1, 2**k), Fraction(1, n + 1)
    refuted = 0
    for bits, g in product(range(1, 12), (2, 5, 50)):
        gamma = Fraction(1, g)
        law = mixing.mixed_law(mixing.rounded_geosample_law(n=n, k=k, bits=bits), Dist.uniform(n + 1), gamma)
        laws = [law(count) for count in range(n + 1)]
        private = all(hockey_stick(p, q, ratio) == 0 for a, b in pairwise(laws) for p, q in ((a, b), (b, a)))
        distance = mixing.rounding_distance(n=n, k=k, bits=bits)
        assert private or distance > mixing.greatest_distance(ratio=ratio, gamma=gamma, least=least)
        refuted += not private
    assert refuted


def test_refused_mixing_says_what_would_do(refused: Callable[..., None]) -> None:
    settings = {"n": "8", "epsilon": "1/2", "bits": "12"}
    refused(mixing.MIXING, {**settings, "gamma": "1/100"}, "gamma=1/100", "Lemma 3.2", "set gamma=1/32, or raise bits")
    assert built(mixing.MIXING, {**settings, "gamma": "1/32"}).delta == 0
    refused(mixing.MIXING, {**settings, "gamma": "1/33"}, "set gamma=1/32")
    refused(mixing.MIXING, {"bits": "3"}, "raise bits")
