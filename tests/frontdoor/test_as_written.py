"""Eight mechanisms as one writes them, and other programs without coins: read exactly, or sampled with a sentence."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.exact.errors import Unauditable

Done = Any
TOSS = {0: 0}
EXAMPLE = Path(__file__).parents[2] / "examples" / "as_written.py"


def by_name(done: Done) -> dict[str, dict[str, Any]]:
    return {result["target"].rpartition(":")[2]: result for result in done.document["results"]}


def test_a_response_off_by_one_is_refuted_as_it_is_written(quick: Any) -> None:
    (result,) = quick(f"{EXAMPLE}:k_ary_response", "--exact").document["results"]
    assert (result["method"], result["verdict"]) == ("exact", "refuted")


@pytest.mark.nightly
def test_seven_of_eight_are_read_and_the_other_says_what_is_not(quick: Any) -> None:
    done = quick(EXAMPLE, "--expect", "--samples", "5000", "--time-limit", "100")
    assert done.status == 0
    found = by_name(done)
    (note, *_) = found.pop("noisy_max")["notes"]
    assert [result["method"] for result in found.values()] == 7 * ["exact"]
    assert re.fullmatch(
        r"not read exactly, so it was sampled: numpy\.argmax of undecided numbers of 5\d bits each is not followed: "
        r"line \d+ of as_written\.py; compare each with plain numbers, or draw noise in few integers, as by "
        r"rng\.integers",
        note,
    )
    assert all(any("taken for fair coins" in text for text in each["assumptions"]) for each in found.values())
    assert any("rng of the instance release" in text for text in found["rounded_count"]["assumptions"])


SEEDED = """
    import functools
    import random
    import time

    import numpy as np

    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")


    class Held:
        def __init__(self, seed=None):
            self.generators = {"rng": np.random.default_rng(seed)}
            self.rng = np.random.default_rng(seed)
            self.inner = None

        def direct(self, bit):
            return bit if self.rng.random() < 0.7 else 1 - bit

        def in_a_dict(self, bit):
            return bit if self.generators["rng"].random() < 0.7 else 1 - bit

        def through_another(self, bit):
            return self.inner.direct(bit)


    def outer(seed=None):
        held = Held()
        held.inner = Held(seed)
        return held


    fresh = target(**BITS)(Held().direct)
    seeded = target(**BITS)(Held(5).direct)
    in_a_dict = target(**BITS)(Held().in_a_dict)
    nested = target(**BITS)(outer().through_another)
    nested_seeded = target(**BITS)(outer(5).through_another)
    both = Held(), Held(7)
    kept, kept_seeded = both


    @target(**BITS)
    def held_by_the_module(bit):
        return kept.direct(bit)


    @target(**BITS)
    def held_seeded_by_the_module(bit):
        return kept_seeded.direct(bit)


    @target(**BITS)
    def seeds_itself(bit):
        rng = np.random.default_rng(5)
        return bit if rng.random() < 0.7 else 1 - bit


    @target(**BITS)
    def seeds_the_module(bit):
        random.seed(5)
        return bit if random.random() < 0.7 else 1 - bit


    @target(**BITS)
    def seeds_what_it_is_handed(bit, rng: random.Random):
        rng.seed(5)
        return bit if rng.random() < 0.7 else 1 - bit


    @target(**BITS)
    def by_the_clock(bit):
        import time
        return bit if time.time_ns() % 10 < 7 else 1 - bit


    @target(**BITS)
    def state_handed(bit, rng: np.random.RandomState):
        return bit if rng.rand() < 0.7 else 1 - bit


    @target(**BITS)
    def optional(bit, rng: "np.random.Generator | None" = None):
        rng = np.random.default_rng() if rng is None else rng
        assert isinstance(rng, np.random.Generator)
        return bit if rng.random() < 0.7 else 1 - bit


    @target(**BITS)
    def with_a_setting(bit, p=0.7):
        return bit if random.random() < p else 1 - bit


    @target(**BITS)
    def by_secrets(bit):
        import secrets
        return bit if secrets.randbelow(10) < 7 else 1 - bit


    @target(**BITS)
    def in_a_vector(bit, rng):
        return bool((rng.random(3) < 0.5 + 0.01 * bit).any())


    CLOCK = functools.partial(time.perf_counter_ns)  # which no watch sees


    @target(**BITS)
    def in_compiled_code(bit):
        return bit if CLOCK() // 100 % 10 < 7 else 1 - bit


    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
    def constant(bit):
        return 5


    @target(**BITS)
    def beside_compiled_code(bit, rng):
        rng.random()
        return CLOCK() // 100 % 2


    @target(observes="outcome and draws", **BITS)
    def draws_observed(bit, rng):
        return bit if rng.random() < 0.7 else 1 - bit
"""
VERIFIED = {
    *("fresh", "nested", "held_by_the_module", "state_handed", "optional", "with_a_setting", "by_secrets"),
    "in_a_vector",
}
UNREAD = {
    "seeded": "in the same state in each process: line ",
    "in_a_dict": "hidden randomness",
    "nested_seeded": "in the same state in each process",
    "held_seeded_by_the_module": "in the same state in each process",
    "seeds_itself": "numpy.random.default_rng with a seed cannot be routed to coins: it fixes what is drawn",
    "seeds_the_module": "random.seed cannot be routed to coins: it fixes what is drawn",
    "seeds_what_it_is_handed": "random.Random.seed cannot be routed to coins: it fixes what is drawn",
    "by_the_clock": "hidden randomness: the program uses time.time_ns",
    "constant": "on no input it drew from a generator that is routed to coins",
    "draws_observed": "the bounds of draws can be observed of a program over coins alone",
}


def test_caught_randomness_in_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the replays agree by chance, runs on the program's own randomness show another outcome."""
    tossed = random.Random(3)

    def program(bit: int, rng: Any) -> int:
        rng.random()
        return TOSS[0]

    subject = dpcert.target(guarantee=dpcert.PureDP(0), inputs=[0, 1], neighbours="any")(program).subject({})
    assert subject.law(0) == dpcert.Dist.of([(0, Fraction(1))])
    plain = subject.plain
    assert plain is not None

    def tossing(value: Any, coins: Any) -> Any:
        monkeypatch.setitem(TOSS, 0, tossed.randrange(2))
        return plain(value, coins)

    with pytest.raises(Unauditable, match="1, which its law does not have, comes of a run on its own randomness"):
        replace(subject, plain=tossing).law(0)


@pytest.mark.nightly
def test_what_is_routed_is_read_and_what_is_seeded_or_hidden_is_not(quick: Any, write: Any) -> None:
    found = by_name(quick(write("user.py", SEEDED), "--exact"))
    for name in ("in_compiled_code", "beside_compiled_code"):
        assert found.pop(name)["verdict"] == "undecided"
    assert {name for name, result in found.items() if result["verdict"] == "verified"} == VERIFIED
    assert {name for name, result in found.items() if result["verdict"] == "undecided"} == UNREAD.keys()
    for name, words in UNREAD.items():
        assert words in found[name]["reason"], name
    assert {result["method"] for result in found.values()} == {"exact"}
    for name in ("seeds_itself", "seeds_the_module", "seeds_what_it_is_handed"):
        assert re.search(r": line \d+ of user\.py; leave it out", found[name]["reason"])


@pytest.mark.nightly
def test_eight_as_people_write_them_are_exact_within_the_default_limits(quick: Any) -> None:
    done = quick(Path(__file__).parent / "as_people_write.py", "--expect", "--exact", "--time-limit", "30")
    assert done.status == 0
    assert {name: result["method"] for name, result in by_name(done).items()} == dict.fromkeys(by_name(done), "exact")
    assert len(by_name(done)) == 8
