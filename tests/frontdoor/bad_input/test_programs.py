"""Programs that have no law: undecided by name, stopped, or with an exception as an outcome."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcert


def verdict_of(function: Callable[..., Any], **claim: Any) -> Any:
    claim = {"guarantee": dpcert.PureDP(1), "inputs": [0, 1], "neighbours": "any", **claim}
    return dpcert.audit(dpcert.target(**claim)(function)).seen.verdict


class Plain:
    """An object that is no outcome."""


class Whole(int):
    """A number that is no outcome, as it could carry more."""


@pytest.mark.nightly
@given(
    st.sampled_from(
        [
            Plain(),
            Plain,
            Whole(1),
            object(),
            iter([1]),
            (bit for bit in (0, 1)),
            range(3),
            bytearray(b"x"),
            memoryview(b"x"),
            len,
            dpcert,
            NotImplemented,
            ...,
            {1: 2}.keys(),
        ]
    ),
    st.recursive(
        st.just(lambda value: value),
        lambda inner: (
            inner.map(lambda wrap: lambda value: [wrap(value)])
            | inner.map(lambda wrap: lambda value: (0, wrap(value)))
            | inner.map(lambda wrap: lambda value: {"key": wrap(value)})
        ),
    ),
)
def test_an_outcome_outside_the_registry_is_named_by_its_type(value: object, wrap: Callable[[object], object]) -> None:
    verdict = verdict_of(lambda bit, coins: wrap(value))
    assert isinstance(verdict, dpcert.Undecided)
    kind = type(value).__qualname__
    assert f"{kind} is not in the registry of outcomes; " in verdict.reason
    assert verdict.reason.isprintable()


@given(
    st.sampled_from([ValueError, KeyError, ZeroDivisionError, StopIteration, OSError, Warning]),
    st.sampled_from([0, 1, 2]),
    st.integers(2, 9),
)
def test_an_exception_on_some_inputs_is_an_outcome_like_any_other(kind: type[Exception], failing: int, of: int) -> None:
    def release(count: int, coins: dpcert.Coins) -> int:
        if coins.below(of) == 0 or count == failing:
            raise kind("text", count == failing)
        return 0

    claim = {"inputs": range(3), "neighbours": dpcert.counts_differ_by_one}
    verdict = verdict_of(release, **claim)
    assert isinstance(verdict, dpcert.Refuted)
    assert failing in (verdict.a, verdict.b)

    def evenly(count: int, coins: dpcert.Coins) -> int:
        if coins.below(of) == 0:
            raise kind("text")
        return 0

    report = dpcert.audit(dpcert.target(guarantee=dpcert.PureDP(0), **claim)(evenly)).seen
    assert isinstance(report.verdict, dpcert.Verified)
    assert report.notes == tuple(f"on {count} it raises {kind.__name__}('text')" for count in range(3))


@pytest.mark.parametrize("kind", [RecursionError, MemoryError, SystemExit, GeneratorExit, BaseException])
def test_what_is_no_outcome_of_a_program_is_undecided(kind: type[BaseException]) -> None:
    def release(bit: int, coins: dpcert.Coins) -> int:
        if coins.below(2):
            raise kind
        return 0

    verdict = verdict_of(release)
    assert isinstance(verdict, dpcert.Undecided)
    assert f"the program ended with {kind.__name__}, which is no " in verdict.reason


HIDDEN = """
    import datetime, itertools, os, random, secrets, ssl, subprocess, time, uuid
    BITS = dict(guarantee=PureDP(5), inputs=[0, 1], neighbours="any", expect="undecided")
    COUNT, SEEN, STEPS = itertools.count(), [], iter(range(10**9))

    def hidden(function):
        return target(**BITS)(function)

    def noisy(bit, noise):
        return bit ^ (noise % 2)

    global_random = hidden(lambda bit, coins: noisy(bit, random.getrandbits(8)))
    global_choice = hidden(lambda bit, coins: random.choice([bit, 1 - bit]))
    own_generator = hidden(lambda bit, coins: noisy(bit, random.Random().getrandbits(8)))
    system_random = hidden(lambda bit, coins: noisy(bit, random.SystemRandom().getrandbits(8)))
    os_urandom = hidden(lambda bit, coins: noisy(bit, os.urandom(1)[0]))
    secret_bits = hidden(lambda bit, coins: noisy(bit, secrets.randbits(8)))
    secret_token = hidden(lambda bit, coins: secrets.token_hex())
    clock = hidden(lambda bit, coins: noisy(bit, time.time_ns()))
    counter = hidden(lambda bit, coins: noisy(bit, int(time.perf_counter() * 10**9)))
    today = hidden(lambda bit, coins: str(datetime.datetime.now()))
    unique = hidden(lambda bit, coins: str(uuid.uuid4()))
    count = hidden(lambda bit, coins: noisy(bit, next(COUNT)))
    steps = hidden(lambda bit, coins: noisy(bit, next(STEPS)) if coins.below(2) else 0)
    grows = hidden(lambda bit, coins: SEEN.append(coins.below(2)) or len(SEEN))
    process = hidden(lambda bit, coins: os.getpid())
    hash_of_text = hidden(lambda bit, coins: hash("salt"))
    order_of_a_set = hidden(lambda bit, coins: "".join({"alpha", "beta", "gamma", "delta", "epsilon"}))

    # rare enough for no run to see it
    of_ssl = hidden(lambda bit, coins: 1 - bit if ssl.RAND_bytes(2) == bytes(2) else bit)
    shell = hidden(lambda bit, coins: 1 - bit if os.popen("od -N2 -tu2 /dev/urandom").read() == "0" else bit)
    forks = hidden(lambda bit, coins: (os.fork(), bit ^ (coins.below(4) == 0))[1])

    @hidden
    def device(bit, coins):
        with open("/dev/urandom", "rb") as file:
            return bit if file.read(2) == bytes(2) else None

    @hidden
    def keeps_a_draw(bit, coins):
        SEEN.append(coins.below(4))
        return 0 if SEEN[0] < 2 else 1

    @hidden
    def state_on_the_coins(bit, coins):
        coins.before = bit
        return 0

    @hidden
    def caught(bit, coins):
        try:
            return noisy(bit, os.urandom(1)[0])
        except BaseException:
            return 0
"""


@pytest.mark.nightly
def test_hidden_randomness_or_state_is_undecided_by_name(audited: Any, write: Any) -> None:
    done = audited(write("hidden.py", HIDDEN), "--expect")
    assert set(done.verdicts().values()) == {"undecided"}
    assert (done.status, done.err, len(done.verdicts())) == (0, "", 24)
    for name, words in {
        "global_random": "random.",
        "own_generator": "random.Random() without a seed",
        "system_random": "SystemRandom",
        "os_urandom": "os.urandom",
        "secret_token": "hidden randomness",
        "clock": "time.time_ns",
        "today": "datetime.now",
        "unique": "hidden randomness",
        "count": "no function of its input and coins",
        "process": "os.getpid",
        "of_ssl": "uses ssl.RAND_bytes; draw from its coins, or from a parameter called rng",
        "shell": "starts a process (subprocess.Popen), which no audit follows; pass what it says as an input",
        "forks": "starts a process (os.fork)",
        "device": "a device or what the system makes up; draw from its coins, or from a parameter called rng",
        "hash_of_text": "computed a second time, a law differs",
        "order_of_a_set": "computed a second time, a law differs",
        "keeps_a_draw": "no function of its input and coins",
        "state_on_the_coins": "hidden state",
        "caught": "os.urandom",
    }.items():
        assert words in done.result(name)["reason"]


NEVER = """
    import itertools
    BITS = dict(guarantee=PureDP(5), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def without_drawing(bit, coins):
        while True:
            pass

    @target(**BITS)
    def with_drawing(bit, coins):
        while True:
            coins.below(2)

    @target(**BITS)
    def with_deciding(bit, coins):
        while coins.below(2) < 2:
            pass

    @target(**BITS)
    def inside_of_c(bit, coins):
        return sum(itertools.repeat(0))
"""


@pytest.mark.nightly
def test_what_never_stops_is_stopped_and_undecided(audited: Any, write: Any) -> None:
    done = audited(write("never.py", NEVER), "--time-limit", "1.5")
    assert (done.status, done.err) == (3, "")
    assert set(done.verdicts().values()) == {"undecided"}
    for name in ("without_drawing", "inside_of_c"):
        result = done.result(name)
        assert result["reason"].startswith(
            "stopped by the time limit of 1.5 s of processor time (--time-limit), at line "
        )
        assert f"of never.py ({name})" in result["reason"]
        assert (result["pairs"], result["worst"], result["tail"]) == (0, None, "1/1")
        assert name in result["claim"]["sentence"]


@pytest.mark.nightly
def test_an_import_that_never_ends_is_bad_input(command: Any, write: Any) -> None:
    path = write(
        "endless.py", "import itertools\ntarget(guarantee=PureDP(1), inputs=itertools.count(), neighbours='any')"
    )
    done = command("audit", path, "--time-limit", "1")
    assert (
        f"{path} does not import: stopped by the time limit of 1 s of processor time (--time-limit)" in done.refusal()
    )
