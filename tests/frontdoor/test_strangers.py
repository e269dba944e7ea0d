"""Files as a stranger writes them, from the README alone: each gets the verdict that it deserves."""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from in_process import keep_inside, run

GEOSAMPLE = """
    # Balcer and Vadhan, Algorithm 4.8: the cumulative weights of a clamped geometric, and one uniform draw.
    N, K = 6, 2
    B = 2**K + 1
    D = (2 * 2**K + 1) * B ** (N - 1)

    def weight_up_to(z, count):
        if z < count:
            return B ** (N - (count - z)) * 2 ** (K * (count - z))
        return D - B ** (N - 1 - (z - count)) * 2 ** (K * (z - count + 1))

    @target(guarantee=PureDP("ln(5/4)"), inputs=range(N + 1), neighbours=counts_differ_by_one)
    def geosample(count, coins):
        u = coins.randint(1, D)
        return next((z for z in range(N) if u <= weight_up_to(z, count)), N)
"""

RANDOMIZED = """
    BITS = dict(inputs=[0, 1], neighbours="any")

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def at_ln_3(bit, coins):
        return bit if coins.random() < 0.75 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def just_above_ln_3(bit, coins):
        return bit if coins.below(4 * 10**12) <= 3 * 10**12 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def just_below_ln_3(bit, coins):
        return bit if coins.below(4 * 10**12) < 3 * 10**12 - 1 else 1 - bit

    @target(guarantee=PureDP("1.0986122886681098"), **BITS)  # math.log(3), above ln 3 in its last digit
    def epsilon_rounded_up(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP("1.0986122886681096"), **BITS)
    def epsilon_rounded_down(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""

LOOPS = """
    import itertools
    BITS = dict(inputs=[0, 1], neighbours="any")

    def answer(bit, u):
        return bit if u < 3 else 1 - bit

    def by_rejection(bit, coins):  # a number below 4, from numbers below 7
        while True:
            u = coins.below(7)
            if u < 4:
                return answer(bit, u)

    def throws(coins):
        while True:
            yield coins.below(7)

    def by_throws(bit, coins):  # the same behind a generator
        return answer(bit, next(u for u in throws(coins) if u < 4))

    plain_rejection = target(guarantee=PureDP("ln(3)"), **BITS)(by_rejection)
    rejection_at_1e_9 = target(guarantee=ApproxDP("ln(3)", "1e-9"), **BITS)(by_throws)
    rejection_at_0 = target(guarantee=PureDP("ln(3)"), **BITS)(by_throws)

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def rejection_by_coins_loop(bit, coins):
        def step(state, coins):
            u = coins.below(7)
            return dpcert.Done(u) if u < 4 else state
        return answer(bit, coins.loop(None, step))

    @target(guarantee=ApproxDP(1, "1e-9"), inputs=[0, 1, 2], neighbours=counts_differ_by_one)
    def geometric_noise_one_sided(count, coins):  # leaks below its input
        return count + next(i for i in itertools.count() if coins.below(2))

    @target(guarantee=ApproxDP("ln(2)", "0.51"), inputs=[0, 1, 2], neighbours=counts_differ_by_one)
    def geometric_noise_half(count, coins):
        noise = 0
        while coins.getrandbits(1):
            noise += 1
        return count + noise
"""

STANDARD = """
    import itertools
    ORDERS = [list(order) for order in itertools.permutations("abc")]

    @target(guarantee=PureDP(0), inputs=ORDERS, neighbours="any")
    def shuffled(cards, coins):
        coins.shuffle(cards)
        return "".join(cards)

    @target(guarantee=PureDP(0), inputs=ORDERS, neighbours="any")
    def shuffled_badly(cards, coins):
        for i in range(3):
            j = coins.randrange(3)
            cards[i], cards[j] = cards[j], cards[i]
        return "".join(cards)

    @target(guarantee=PureDP(0), inputs=range(3), neighbours="any")
    def masked(secret, coins):
        return (secret + coins.randrange(3)) % 3

    @target(guarantee=PureDP(0), inputs=range(3), neighbours="any")
    def masked_with_modulo_bias(secret, coins):
        return (secret + coins.getrandbits(8) % 3) % 3

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def leaks_by_type(bit, coins):
        return bit if coins.below(4) < 3 else not bit

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def leaks_by_sign_of_zero(bit, coins):
        return 0.0 if coins.below(4) < 3 or not bit else -0.0

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def leaks_by_error(bit, coins):
        if coins.below(4) == 3:
            raise ValueError(f"cannot flip {bit}")
        return "kept"

    @target(guarantee=PureDP("ln(9)"), inputs=[0, 1], neighbours="any")
    def one_in_ten(bit, coins):
        return bit ^ (coins.random() < 0.1)
"""

CATCHES = """
    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def around_the_decision(bit, coins):
        try:
            return bit if coins.below(4) < 3 else 1 - bit
        except:
            return bit

    @target(**BITS)
    def leaking_around_the_decision(bit, coins):
        try:
            if coins.below(4) < 3:
                return bit
            raise KeyError
        except:
            return bit + 2

    @target(**BITS)
    def again_and_again(bit, coins):
        while True:
            try:
                return bit if coins.below(4) < 3 else 1 - bit
            except BaseException:
                continue

    @target(**BITS)
    def swallows_what_cannot_be_followed(bit, coins):
        import pickle
        u = coins.below(4)
        try:
            pickle.dumps(u)
        except BaseException:
            return 0  # as if nothing had happened
        return bit

    @target(**BITS)
    def returns_in_finally(bit, coins):
        import copy
        try:
            copy.copy(coins)
            return bit
        finally:
            return 0

    @target(**BITS)
    def swallows_the_end_of_a_path(bit, coins):
        try:
            while coins.below(2):
                pass
        except BaseException:
            return 0
        return bit if coins.below(4) < 3 else 1 - bit
"""

INSPECTS = """
    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def the_type_of_coins(bit, coins):
        if type(coins) is not dpcert.Coins or type(coins).__name__ != "Coins":
            return 0
        return bit if coins.below(4) < 3 else 1 - bit

    @target(**BITS)
    def the_type_of_coins_to_leak(bit, coins):
        return bit if type(coins) is dpcert.Coins else 0

    @target(**BITS)
    def the_source_of_coins(bit, coins):
        return 0 if "Lazy" in type(coins._source).__name__ else bit

    @target(**BITS)
    def the_type_of_a_draw(bit, coins):
        u = coins.below(4)
        if type(u) is not int:
            return 0
        return bit

    @target(**BITS)
    def the_type_of_a_float(bit, coins):
        return bit if type(coins.random()) is float else 0

    @target(**BITS)
    def isinstance_of_a_draw(bit, coins):
        u = coins.below(4)
        if not isinstance(u, int):
            return 0
        return bit if u < 3 else 1 - bit

    @target(**BITS)
    def the_memory_of_a_draw(bit, coins):
        import sys
        return bit if sys.getsizeof(coins.below(2**200)) > 40 else 0
"""

VERDICTS = {
    "geosample": "verified",
    "at_ln_3": "verified",
    "just_above_ln_3": "refuted",
    "just_below_ln_3": "verified",
    "epsilon_rounded_up": "verified",
    "epsilon_rounded_down": "refuted",
    "rejection_at_1e_9": "verified",
    "plain_rejection": "verified",
    "rejection_at_0": "verified",
    "rejection_by_coins_loop": "verified",
    "geometric_noise_one_sided": "refuted",
    "geometric_noise_half": "verified",
    "shuffled": "verified",
    "shuffled_badly": "refuted",
    "masked": "verified",
    "masked_with_modulo_bias": "refuted",
    "leaks_by_type": "refuted",
    "leaks_by_sign_of_zero": "refuted",
    "leaks_by_error": "refuted",
    "one_in_ten": "verified",
    "around_the_decision": "verified",
    "leaking_around_the_decision": "refuted",
    "again_and_again": "verified",
    "swallows_what_cannot_be_followed": "undecided",
    "returns_in_finally": "undecided",
    "swallows_the_end_of_a_path": "verified",
    "the_type_of_coins": "verified",
    "the_type_of_coins_to_leak": "refuted",
    "the_source_of_coins": "undecided",
    "the_type_of_a_draw": "undecided",
    "the_type_of_a_float": "undecided",
    "isinstance_of_a_draw": "verified",
    "the_memory_of_a_draw": "undecided",
}


@pytest.fixture(scope="module")
def audit(writer: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("strangers")
    for number, text in enumerate((GEOSAMPLE, RANDOMIZED, LOOPS, STANDARD, CATCHES, INSPECTS)):
        writer(folder)(f"file{number}.py", text)
    with pytest.MonkeyPatch.context() as patch:
        keep_inside(patch)
        return run("audit", folder, "--json")


def test_strangers_that_catch_signals_get_the_verdicts_they_deserve(quick: Any, writer: Any, tmp_path: Path) -> None:
    writer(tmp_path)("file.py", CATCHES)
    found = quick(tmp_path).verdicts()
    assert set(found.values()) == {"verified", "refuted", "undecided"}
    assert found == {name: VERDICTS[name] for name in found}


WHY = {
    "swallows_what_cannot_be_followed": "pickling an undecided draw",
    "returns_in_finally": "coins cannot be copied",
    "the_source_of_coins": "can tell lazy coins from real ones",
    "the_type_of_a_draw": "type() of an undecided draw cannot be followed",
    "the_type_of_a_float": "type() of an undecided draw cannot be followed",
    "the_memory_of_a_draw": "can tell lazy coins from real ones",
}
WORST: dict[str, tuple[Any, ...]] = {
    "masked_with_modulo_bias": (0, 1, [0], 1, "43/128", "85/256"),
    "leaks_by_type": (0, 1, [0], 1, "3/4", "0/1"),
    "leaks_by_sign_of_zero": (1, 0, [{"float": "-0x0p+0"}], 1, "1/4", "0/1"),
    "leaks_by_error": (0, 1, [{"raised": {"type": "ValueError", "args": ["cannot flip 0"]}}], 1, "1/4", "0/1"),
}
LEAST = {
    "geosample": "ln(5/4)",
    "at_ln_3": "ln(3)",
    "just_below_ln_3": "ln(2999999999999/1000000000001)",
    "rejection_by_coins_loop": "ln(3)",
    "shuffled": "0",
    "around_the_decision": "ln(3)",
}


@pytest.mark.nightly
def test_every_stranger_gets_the_verdict_it_deserves_and_reads_why(audit: Any) -> None:
    assert audit.verdicts() == VERDICTS
    assert (audit.status, audit.err) == (1, "")
    for name, words in WHY.items():
        assert words in audit.result(name)["reason"]
    for name, worst in WORST.items():
        assert (*audit.result(name)["worst"].values(),) == worst
    for name, least in LEAST.items():
        assert audit.result(name)["epsilon"] == {"lo": least, "hi": least}


@pytest.mark.nightly
def test_loops_leave_no_tail_where_their_states_return_and_one_that_counts_for_the_claim_elsewhere(audit: Any) -> None:
    for name in ("plain_rejection", "rejection_at_1e_9", "swallows_the_end_of_a_path", "rejection_by_coins_loop"):
        assert audit.result(name)["tail"] == "0/1"
    worst = audit.result("geometric_noise_one_sided")["worst"]
    assert (worst["a"], worst["b"], worst["event"], worst["p"]) == (0, 1, [0], "1/2")
    assert 0 < Fraction(worst["q"]) < Fraction(1, 10**9)  # it is 0, but for what was not enumerated


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("u <= weight", "u < weight"),
        ("coins.randint(1, D)", "coins.randint(2, D)"),
        ("if z < count", "if z > count"),
        ("(z - count + 1)", "(z - count + 2)"),
        ("B ** (N - 1 - (z", "B ** (N - 2 - (z"),
    ],
)
def test_geosample_wrong_by_one_character_is_refuted(quick: Any, write: Any, right: str, wrong: str) -> None:
    path = write("stranger.py", GEOSAMPLE)
    path.write_text(path.read_text().replace(right, wrong))
    done = quick(f"{path}:geosample")
    assert (done.status, done.verdicts()) == (1, {"geosample": "refuted"})


@pytest.mark.usefixtures("workers_inside")
def test_the_law_of_random_below_a_tenth_is_the_machines(inside: Any, check_json: Any, write: Any) -> None:
    path = write("stranger.py", STANDARD)
    done = inside("law", f"{path}:one_in_ten", "--input", "0", "--json")
    check_json("law", done.document)
    floats_below = math.ceil(Fraction(0.1) * 2**53)  # k / 2^53 < 0.1 for so many k
    flipped = Fraction(floats_below, 2**53)
    assert flipped != Fraction(1, 10)
    assert [(name, Fraction(p)) for name, p in done.document["law"]] == [(0, 1 - flipped), (1, flipped)]
    assert done.document["tail"] == "0/1"
