"""Programs that take their randomness from generators, as people write them: handed over, held, or made on the way."""

from __future__ import annotations

import os
import random
import secrets
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.exact.coins import Coins
from dpcert.targets.target import target

HELD = Random()
HELD_BY_NUMPY = np.random.default_rng()


def kept(n: int, rng: Any) -> int:
    k = 0
    for _ in range(n):
        if rng.random() < 0.1:
            k += 1
    return k


def kept_by_python(n: int, rng: Random) -> int:
    return sum(rng.random() < 0.1 for _ in range(n))


def integers(n: int, rng: np.random.Generator) -> int:
    total = 0
    for _ in range(n):
        total += int(rng.integers(0, 3))
    return total


def chosen(n: int, rng: Random) -> Any:
    counts = dict.fromkeys("abc", 0)
    for _ in range(n):
        counts[rng.choices("abc", weights=[1, 2, 1])[0]] += 1
        counts[rng.choice("ab")] += 1
    return tuple(sorted(counts.items()))


def ranged(n: int, rng: Random) -> int:
    return sum(int(rng.randrange(1, 4)) for _ in range(n)) + rng.randint(0, 1)


def of_the_module(n: int) -> int:
    k = 0
    while n > 0:
        n -= 1
        k += random.random() < 0.25
    return k


def of_the_system(n: int) -> Any:
    found = secrets.choice("ab")
    for _ in range(n):
        if secrets.randbits(2) == 0:
            found = secrets.choice("ab")
    return found


def of_bytes(n: int) -> int:
    return sum(os.urandom(1)[0] < 64 for _ in range(n))


def of_numpy(n: int) -> int:
    k = 0
    for _ in range(n):
        k += int(np.random.randint(0, 2))
    return k


def held(n: int) -> int:
    k = 0
    for _ in range(n):
        k += HELD.getrandbits(1) + int(HELD_BY_NUMPY.integers(2))
    return k


def made(n: int) -> int:
    rng = np.random.default_rng()
    k = 0
    for _ in range(n):
        k += rng.random() < 0.5
    return k


def made_in_the_loop(n: int) -> int:
    k = 0
    for _ in range(n):
        first, second = Random(), random.SystemRandom()
        k += first.random() < 0.25 if k == 0 else second.getrandbits(1)
    return k


def by_its_method(n: int, rng: Random) -> int:
    draw = rng.random
    return len([each for each in range(n) if draw() < 0.5])


def in_a_list(n: int) -> int:
    """Two names for one generator stay so."""
    rng = Random()
    both = [rng, rng, Random()]
    k = 0
    for _ in range(n):
        k += both[0].getrandbits(1)
        assert both[0] == both[1] != both[2]
    return k


def called(n: int, rng: Random) -> int:
    """A function with a loop that is given the generator is asked as one question."""
    k = 0
    for i in range(n):
        k += _failures(i % 2, rng)
    return k


def _failures(least: int, rng: Random) -> int:
    count = least
    while count < 4 and rng.random() < 0.5:
        count += 1
    return count


@dataclass
class Mechanism:
    rng: Random = field(default_factory=Random)
    asked: int = 0

    def release(self, n: int) -> int:
        k = 0
        for _ in range(n):
            k += self.rng.random() < 0.25
        return k

    def counting(self, n: int) -> int:
        """It keeps how often it was asked."""
        for _ in range(n):
            self.asked += self.rng.random() < 0.25
        return self.asked


MECHANISM = Mechanism()


def of_an_instance(n: int) -> int:
    return MECHANISM.release(n)


def of_an_instance_that_changes(n: int) -> int:
    return MECHANISM.counting(n)


def remembered_on_the_generator(n: int, rng: Any) -> int:
    """An attribute of the generator tells states apart."""
    rng.seen = 0
    for _ in range(n):
        rng.seen += rng.random() < 0.5
    return int(rng.seen)


def second_of_a_pair(n: int, rng: Random) -> int:
    """The generator keeps the second of two normal numbers."""
    k = 0
    for i in range(n):
        if i < 1:
            k += rng.random() < 0.5
            rng.gauss_next = float(k)
    return k + int(rng.gauss_next)


def remembered_on_a_class(n: int) -> int:
    np.random.Generator.seen = 0
    for _ in range(n):
        np.random.Generator.seen += HELD.getrandbits(1)
    return int(np.random.Generator.seen)


def remembered_on_the_class_of_random(n: int) -> int:
    Random.seen = 0
    for _ in range(n):
        Random.seen += HELD.getrandbits(1)
    return int(Random.seen)


def remembered_on_one_that_it_made(n: int) -> int:
    rng = Random()
    rng.seen = 0
    for _ in range(n):
        rng.seen += rng.getrandbits(1)
    return int(rng.seen)


def of_unseeded_bits(n: int) -> bool:
    """Nothing seeds the bits of `random.Random` in a generator of the system: they are all 0."""
    return Random.random(random.SystemRandom()) < 1 / (n + 1)


def of_the_system_on_another(n: int, rng: Random) -> bool:
    return random.SystemRandom.random(rng) < 1 / (n + 1)


def of_coins_on_another(n: int, rng: Random) -> int:
    below: Any = Coins.below
    return n + int(below(rng, 2))


def seeded_anew(n: int) -> Any:
    """To seed it anew is to forget the second of two normal numbers."""
    rng = Random()
    rng.gauss_next = float(n)
    rng.seed()
    return rng.gauss_next


class Counter:
    def release(self, n: int, rng: Any) -> int:
        for _ in range(n):
            n += rng.random() < 0.5
        return n


@target(guarantee=ApproxDP(1, "1/1000"), inputs=[0, 1], neighbours="any")
def release(n: int, rng: Random) -> int:
    """It has the name of a method that it calls."""
    return Counter().release(n, rng)


TARGET: Any = release
"""A program is a target, and a module of tests would have it as a test of its own."""


def by_a_target(n: int, rng: Random) -> Any:
    return TARGET(n, rng)


def of_the_target(n: int, _: Random) -> Any:
    found = vars(TARGET)["seen"] = vars(TARGET).get("seen", 0) + n
    return found


def of_its_parameters(n: int, _: Random) -> Any:
    found = TARGET.params["seen"] = (*TARGET.params.get("seen", ()), n)
    return found


def of_its_claim(n: int, _: Random) -> Any:
    found = TARGET.guarantee.__dict__["seen"] = TARGET.guarantee.__dict__.get("seen", 0) + n
    return found


def of_its_class(n: int, _: Random) -> Any:
    found = getattr(type(TARGET), "seen", 0) + n
    type(TARGET).seen = found
    return found
