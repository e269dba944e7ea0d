"""Broken samplers are found: for each kind of fault the smallest effect of a ladder, at a stated number of samples.

An effect is found when nine of ten seeded repetitions have a p-value below the level of one case of the suite. The
table here is the one of docs/findings/sampler-tests.md; the rung below each effect is held not to be found, so that it
is the smallest.
"""

from collections.abc import Callable
from fractions import Fraction
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dpcert import Coins, Dist, seeded_coins
from dpcert.audit.fit import fit
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.broken.sample_threshold import threshold_strict
from dpcert.mechanisms.finite_computers.geometric import geometric
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.zoo import ZOO
from dpcert.reading.paths.enumerator import enumerate_law

PAGE = Path(__file__).parents[2] / "docs" / "findings" / "sampler-tests.md"
LEVEL = 1e-6 / 250
"""At most the level of one case where the suite has at most 250."""
FOUND, REPETITIONS = 9, 10
Rung = tuple[Fraction, Callable[[Coins], Any], Dist]


def two_sided(end: int) -> Dist:
    """The law of geometric noise of ratio 2, clamped to [-end, end]."""
    inner = [(z, Fraction(1, 3 * 2 ** abs(z))) for z in range(1 - end, end)]
    beyond = Fraction(1, 3 * 2 ** (end - 1))
    return Dist.of([*inner, (-end, beyond), (end, beyond)])


def late_threshold(step: int) -> Rung:
    """`>` for `>=` at a threshold, which so many of 20 people just miss: a count is shown that should not be."""
    settings = threshold_strict.settings({"rate": "1/2", "threshold": str(step)})
    draw = threshold_strict.build(settings).program
    law = sample_threshold_law(rate=Fraction(1, 2), threshold=step + 1)(20)
    made = enumerate_law(draw, 20).law
    return law.total_variation(made), lambda coins: draw(20, coins), law


def dropped_tail(step: int) -> Rung:
    """Noise of ratio 2 that is drawn again where it is further than `step` from 0."""
    noise, law = geometric_noise(ratio=Fraction(2)), two_sided(20)

    def draw(coins: Coins) -> int:
        while abs(found := noise(coins)) > step:
            pass
        return found

    return law.total_variation(law.given(lambda z: abs(z) <= step)), draw, law


def modulo(step: int) -> Rung:
    """A uniform number below 12 as `step` bits modulo 12."""
    law = Dist.uniform(12)
    made = Dist.uniform(2**step).map(lambda u: u % 12)
    return law.total_variation(made), lambda coins: coins.getrandbits(step) % 12, law


def short_float(step: int) -> Rung:
    """A one-sided geometric number as the integer part of a logarithm of a float of `step` bits: none is above it."""
    law = Dist.of([*((m, Fraction(1, 2 ** (m + 1))) for m in range(60)), (60, Fraction(1, 2**60))])

    def draw(coins: Coins) -> int:
        return int(-log2((coins.getrandbits(step) + 1) / 2**step))

    return Fraction(1, 2 ** (step + 1)), draw, law


def swapped(step: int) -> Rung:
    """Geometric noise on 10 in [0, 20], of ratio 1 + 1/step, with 10 and 11 exchanged."""
    draw = geometric(n=20, ratio=1 + Fraction(1, step))
    law = enumerate_law(draw, 10).law
    return law.prob(10) - law.prob(11), lambda coins: {10: 11, 11: 10}.get(z := draw(10, coins), z), law


def biased(step: int) -> Rung:
    """A fair coin that shows heads with probability 1/2 + 1/step."""
    p = Fraction(1, 2) + Fraction(1, step)
    return Fraction(1, step), lambda coins: coins.bernoulli(p), Dist.bernoulli("1/2")


FAULTS = {
    "threshold off by one": (late_threshold, [14, 15, 16, 17, 18, 19]),
    "tail outcomes dropped": (dropped_tail, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    "modulo bias": (modulo, [4, 5, 6, 7, 8, 9, 10]),
    "float that never reaches its tail": (short_float, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 53]),
    "probabilities of two outcomes swapped": (swapped, [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]),
    "biased coin": (biased, [8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64]),
}

SMALLEST: dict[str, dict[int, tuple[int, int]]] = {
    "threshold off by one": {2_000: (16, 17), 20_000: (18, 19)},
    "tail outcomes dropped": {2_000: (4, 5), 20_000: (9, 10)},
    "modulo bias": {2_000: (4, 5), 20_000: (6, 7)},
    "float that never reaches its tail": {2_000: (5, 6), 20_000: (8, 9)},
    "probabilities of two outcomes swapped": {2_000: (2, 3), 20_000: (5, 6)},
    "biased coin": {2_000: (12, 14), 20_000: (40, 48)},
}
"""For each fault and number of samples the last rung found and the next."""


def times_found(fault: str, step: int, samples: int) -> int:
    _, draw, law = FAULTS[fault][0](step)
    coins = seeded_coins(Random(f"{fault}/{step}/{samples}").getrandbits(64))
    return sum(fit(law, (draw(coins) for _ in range(samples))).p < LEVEL for _ in range(REPETITIONS))


def check(fault: str, samples: int) -> None:
    ladder = FAULTS[fault][1]
    last, after = SMALLEST[fault][samples]
    assert ladder.index(after) == ladder.index(last) + 1
    assert times_found(fault, last, samples) >= FOUND
    assert times_found(fault, after, samples) < FOUND


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_caught_the_smallest_effect_with_two_thousand_samples(fault: str) -> None:
    check(fault, 2_000)


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_caught_the_smallest_effect_with_twenty_thousand_samples(fault: str) -> None:
    check(fault, 20_000)


def test_a_float_of_53_bits_passes_although_its_tail_is_out_of_reach() -> None:
    """What no number of samples that can be drawn shows: 2^-54 of the mass. The audit of the law finds it."""
    assert times_found("float that never reaches its tail", 53, 2_000) == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_the_page_has_the_table(fault: str) -> None:
    make = FAULTS[fault][0]
    cells = [f"{float(make(last)[0]):.2g}" for _, (last, _) in sorted(SMALLEST[fault].items())]
    assert f"| {fault} | {' | '.join(cells)} |" in PAGE.read_text()


def outcome_of(program: Callable[[Any, Coins], Any], value: Any, coins: Coins) -> Any:
    try:
        return program(value, coins)
    except Exception as error:
        return "raised", repr(error)


@pytest.mark.nightly
def test_caught_every_fault_of_the_zoo_whose_law_is_far_from_that_which_is_meant() -> None:
    """Total variation 1/16 or more on some input, at the default parameters, with 2,000 samples."""
    far = 0
    for mechanism in ZOO:
        given = mechanism.settings({})
        made, right = mechanism.build(given), mechanism.fault.of.build(mechanism.fault.meant(given))
        distance, value, law = Fraction(0), None, None
        for candidate in made.inputs[:: max(1, len(made.inputs) // 8)]:
            true = enumerate_law(right.program, candidate, replay=False).law
            other = enumerate_law(made.program, candidate, replay=False).law.total_variation(true)
            if other > distance:
                distance, value, law = other, candidate, true
        if law is not None and distance >= Fraction(1, 16):
            far += 1
            coins = seeded_coins(Random(mechanism.name).getrandbits(64))
            found = fit(law, [outcome_of(made.program, value, coins) for _ in range(2_000)])
            assert found.p < LEVEL, (mechanism.name, value, float(distance), found)
    assert far > len(ZOO) // 2
