"""Evidence for docs/reference/stand-ins.md: each row is held true by one test, beside the real object, on good and bad
calls."""

import os
import random
import re
import secrets
import uuid
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcert
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings, Watch
from dpcert.mechanisms.floating.following import following, swaps
from dpcert.mechanisms.floating.stand_ins import StandIns

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "stand-ins.md"
ROWS = dict(re.findall(r"^\| `([\w.]+)` \| (\w+) \|", PAGE.read_text("utf-8"), re.MULTILINE))
STAND_INS = StandIns()
FOLLOWED = swaps([vars(random)])
Made = tuple[Callable[[Coins], Any], Callable[[int], Any]]
"""What makes a stand-in on coins, and what makes the real object from a seed."""
KINDS: dict[str, Made] = {
    "Generator": (STAND_INS.generator_on, np.random.default_rng),
    "RandomState": (STAND_INS.state_on, np.random.RandomState),
    "Random": (STAND_INS.random_on, random.Random),
}
REAL = {"Generator": np.random.Generator, "RandomState": np.random.RandomState, "Random": random.Random}
METHODS = [name for name in ROWS if name.partition(".")[0] in KINDS]
GLOBALS = [name for name in ROWS if "." in name and name.partition(".")[0] not in (*KINDS, "n")]

ACCEPTED: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("chisquare", "gamma", "pareto", "power", "standard_gamma", "standard_t", "weibull"), (1.0,)),
    **dict.fromkeys(("beta", "f", "noncentral_chisquare", "wald", "vonmises"), (1.0, 1.0)),
    **dict.fromkeys(("choice", "bytes", "integers", "permutation", "randint", "random_integers"), (3,)),
    **dict.fromkeys(("shuffle", "permuted"), ([1, 2, 3],)),
    **dict.fromkeys(("binomial", "negative_binomial"), (3, 0.5)),
    "dirichlet": ([1.0, 1.0],),
    "geometric": (0.4,),
    "hypergeometric": (3, 3, 2),
    "logseries": (0.5,),
    "multinomial": (3, [0.5, 0.5]),
    "multivariate_hypergeometric": ([3, 3], 2),
    "multivariate_normal": ([0.0], [[1.0]]),
    "noncentral_f": (1.0, 1.0, 1.0),
    "seed": (3,),
    "set_state": (np.random.RandomState(0).get_state(),),
    "spawn": (1,),
    "triangular": (0.0, 1.0, 2.0),
    "zipf": (2.0,),
}
NAMED: dict[str, dict[str, Any]] = {"Generator.standard_exponential": {"method": "inv"}}
OF_RANDOM: dict[str, tuple[Any, ...]] = {
    "uniform": (0.0, 1.0),
    "triangular": (0.0, 1.0, 0.5),
    "expovariate": (1.0,),
    "paretovariate": (1.0,),
    "weibullvariate": (1.0, 1.0),
    "randrange": (5,),
    "randint": (1, 5),
    "getrandbits": (3,),
    "choice": ([1, 2, 3],),
    "choices": ([1, 2, 3],),
    "sample": ([1, 2, 3], 2),
    "shuffle": ([1, 2, 3],),
    "randbytes": (1,),
    "binomialvariate": (2, 0.5),
    "betavariate": (1.0, 1.0),
    "gammavariate": (1.5, 1.0),
    "gauss": (0.0, 1.0),
    "lognormvariate": (0.0, 1.0),
    "normalvariate": (0.0, 1.0),
    "vonmisesvariate": (0.0, 1.0),
    "seed": (3,),
    "setstate": (random.Random(0).getstate(),),
}
CALLS: dict[str, Callable[[], Any]] = {
    "numpy.random.default_rng": lambda: np.random.default_rng().random() < 0.5,
    "numpy.random.Generator": lambda: np.random.Generator(np.random.default_rng().bit_generator),
    "numpy.random.RandomState": lambda: np.random.RandomState().random_sample() < 0.5,
    "random.Random": lambda: random.Random().random() < 0.5,
    "random.SystemRandom": lambda: random.SystemRandom().random() < 0.5,
    "numpy.random.ranf": lambda: np.random.ranf() < 0.5,
    "numpy.random.sample": lambda: np.random.sample() < 0.5,
    "numpy.random.get_bit_generator": lambda: np.random.get_bit_generator(),
    "numpy.random.set_bit_generator": lambda: np.random.set_bit_generator(None),
    "secrets.SystemRandom": lambda: secrets.SystemRandom().random() < 0.5,
    "secrets.choice": lambda: secrets.choice([0, 1]),
    "secrets.compare_digest": lambda: secrets.compare_digest("a", "b"),
    "secrets.randbelow": lambda: secrets.randbelow(1 << 40) < 5,
    "secrets.randbits": lambda: secrets.randbits(40) < 5,
    "secrets.token_bytes": lambda: secrets.token_bytes(1),
    "secrets.token_hex": lambda: secrets.token_hex(1),
    "secrets.token_urlsafe": lambda: secrets.token_urlsafe(1),
    "os.urandom": lambda: os.urandom(1),
    "os.getrandom": lambda: os.getrandom(1),
    "random.SystemRandom.seed": lambda: random.SystemRandom().seed(3),
    "random.SystemRandom.getstate": lambda: random.SystemRandom().getstate(),
    "random.SystemRandom.setstate": lambda: random.SystemRandom().setstate(3),
    "uuid.uuid4": lambda: uuid.uuid4().int,
    **{f"numpy.random.{name}": lambda name=name: getattr(np.random, name)(3) for name in STAND_INS.bits},
}
OFF_BY_ONE_VERSION = {"Random.binomialvariate"}
"""Rows of methods that some versions do not have."""


def test_every_method_has_a_row() -> None:
    for kind, real in REAL.items():
        public = {f"{kind}.{name}" for name in dir(real) if not name.startswith("_") and name != "VERSION"}
        rows = {name for name in METHODS if name.startswith(f"{kind}.")}
        assert public <= rows
        assert rows - public <= OFF_BY_ONE_VERSION
    assert CALLS.keys() == {*GLOBALS}
    public = {f"secrets.{name}" for name in secrets.__all__}
    assert public <= ROWS.keys()


def test_every_function_of_the_modules_is_a_method_or_has_a_row() -> None:
    for module, kind in ((random, "Random"), (np.random, "RandomState")):
        for name in module.__all__:
            full = f"{module.__name__}.{name}"
            assert f"{kind}.{name}" in ROWS or full in ROWS or name == "BitGenerator", full


def accepted(name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments that a method takes."""
    kind, _, method = name.partition(".")
    arguments = (OF_RANDOM if kind == "Random" else ACCEPTED).get(method, ())
    return arguments, NAMED.get(name, {})


def asked(name: str, coins: Coins) -> Any:
    """Return what a stand-in answers, followed floats and integers as whether they are small."""
    kind, _, method = name.partition(".")
    arguments, named = accepted(name)
    found = getattr(KINDS[kind][0](coins), method)
    drawn = found(*arguments, **named) if callable(found) else found
    return bool(drawn < 2) if ROWS[name] == "followed" else drawn


@pytest.mark.points(73)
@pytest.mark.filterwarnings("ignore:This function is deprecated")
@pytest.mark.parametrize("name", [name for name in METHODS if name not in OFF_BY_ONE_VERSION])
def test_a_row_of_a_method_says_what_happens(name: str) -> None:
    watch = Watch(run=lambda: following(FOLLOWED))
    if ROWS[name] == "refused":
        with pytest.raises(Unauditable, match="cannot be routed to coins"):
            exact_law(lambda _, coins: asked(name, coins), None, Settings(LazyRun, watch=watch))
        return
    settings = Settings(LazyRun, Limits(max_runs=300), watch=watch)
    found = exact_law(lambda _, coins: asked(name, coins), None, settings)
    if ROWS[name] == "followed":
        assert found.law.tail < Fraction(1, 1 << 90)
        assert 1 <= len(Dist.like(found.law)) <= 2
    else:
        assert found.leaves > 2 or found.law.tail > Fraction(1, 2)


@pytest.mark.points(6)
@pytest.mark.parametrize("name", GLOBALS)
def test_a_row_of_a_name_says_what_happens(name: str) -> None:
    program = dpcert.redirect(lambda _: CALLS[name]())
    if ROWS[name] == "refused":
        with pytest.raises(Unauditable, match=r"cannot be routed to coins|hidden randomness"):
            enumerate_law(program, None)
        return
    found = enumerate_law(program, None)
    if ROWS[name] == "followed":
        assert found.law.tail == 0
        assert len(found.law) <= 2
    else:
        assert found.leaves >= 2 or "needed as a plain number" in found.notes[0]


SMALL = st.sampled_from([None, True, -1, 0, 1, 2, 3, 0.5, 1.0, 2.5, -0.25, "x", "int64", (), (2,), [0.5, 0.5]])
WILD = st.sampled_from(
    [float("nan"), float("inf"), 2**62, 2**70, -(2**70), np.uint8(3), np.float32(0.5), np.array([1, 2]), np.int64]
)
NAMES = st.sampled_from(["size", "dtype", "endpoint", "low", "high", "p", "scale", "loc", "k", "n", "method", "zzz"])
ANY: Mapping[str, Any] = {
    "Random": st.tuples(st.lists(SMALL, max_size=3), st.dictionaries(NAMES, SMALL, max_size=1)),
    "numpy": st.tuples(st.lists(SMALL | WILD, max_size=3), st.dictionaries(NAMES, SMALL | WILD, max_size=1)),
}
SLOW = {"vonmises", "zipf", "logseries", "hypergeometric", "noncentral_chisquare", "noncentral_f"}
"""Methods whose real loops are long for wild parameters."""


def outcome(call: Callable[[], Any]) -> Any:
    """Return (type, dtype, shape) of what a call returns, or (type, text) of what it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = call()
        except Unauditable:
            return "refused"
        except Exception as error:
            return type(error), str(error)
    return type(found), getattr(found, "dtype", None), getattr(found, "shape", None)


def beside(name: str, arguments: Any, named: dict[str, Any], seed: int) -> None:
    """Hold a stand-in against the real object, for one call on seeds."""
    kind, _, method = name.partition(".")
    make, real = KINDS[kind]

    def call(of: Any) -> Any:
        copied = [[*value] if type(value) is list else value for value in arguments]
        return getattr(of, method)(*copied, **named)

    expected = outcome(lambda: call(real(seed)))
    found = outcome(lambda: call(make(seeded_coins(seed))))
    if found == "refused":
        assert type(expected[0]) is type
        assert not issubclass(expected[0], Exception)
    else:
        assert found == expected
        assert ROWS[name] != "refused" or issubclass(expected[0], Exception)


VARIATES = {name for name in METHODS if name.startswith("Random.") and name.endswith("variate")} | {
    "Random.gauss",
    "Random.triangular",
}
"""The standard library's own code, whose errors for bad arguments depend on what was drawn."""
CALLABLE = [
    name
    for name in METHODS
    if callable(getattr(REAL[name.partition(".")[0]], name.partition(".")[2], None)) and name not in VARIATES
]


@pytest.mark.points(19)
@pytest.mark.parametrize("name", CALLABLE)
def test_a_stand_in_answers_and_raises_as_the_real_object(name: str) -> None:
    kind, _, method = name.partition(".")
    tame = kind == "Random" or method in SLOW

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(ANY["Random" if tame else "numpy"], st.integers(0, 99))
    def compare(call: Any, seed: int) -> None:
        beside(name, *call, seed)

    compare()
    arguments, named = accepted(name)
    beside(name, arguments, named, 0)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CALLABLE)
def test_a_stand_in_answers_and_raises_as_the_real_object_on_many_arguments(name: str) -> None:
    kind, _, method = name.partition(".")
    tame = kind == "Random" or method in SLOW

    @settings(max_examples=3000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(ANY["Random" if tame else "numpy"], st.integers(0, 1 << 30))
    def compare(call: Any, seed: int) -> None:
        beside(name, *call, seed)

    compare()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stand_in_looks_as_the_real_object(kind: str) -> None:
    make, real = KINDS[kind]
    own, theirs = make(seeded_coins(1)), real(1)
    assert isinstance(own, REAL[kind])
    assert type(own) in {REAL[kind]}
    assert (type(own).__name__, type(own).__module__) == (REAL[kind].__name__, REAL[kind].__module__)
    assert repr(type(own)) == repr(REAL[kind])
    assert dir(own) == dir(theirs)
    assert outcome(lambda: own.below(3)) == outcome(lambda: theirs.below(3))
    if kind != "Random":
        assert str(own) == str(type(theirs)(type(own._trial.bit_generator)(1)) if kind == "Generator" else theirs)
        assert outcome(lambda: setattr(own, "x", 1)) == outcome(lambda: setattr(theirs, "x", 1))


def test_a_method_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    later = type("Generator", (np.random.Generator,), {"novel": lambda self: 4})
    monkeypatch.setattr(np.random, "Generator", later)
    made = StandIns().generator_on(seeded_coins(1))
    with pytest.raises(Unauditable, match="novel cannot be routed to coins"):
        made.novel()


def test_integers_keep_to_their_range() -> None:
    own = STAND_INS.generator_on(seeded_coins(7))
    drawn = {int(own.integers(-2, 3, dtype=np.int8)) for _ in range(200)}
    assert drawn == {-2, -1, 0, 1, 2}
    assert {*own.integers(3, size=(50, 2), endpoint=True).flat} == {0, 1, 2, 3}
    assert all(0.25 <= own.uniform(0.25, 0.5) <= 0.5 for _ in range(50))
