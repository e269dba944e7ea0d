"""Evidence that routed code is judged as it runs: what stands beside the coins is as strict as the real thing."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcert
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.floats.held import Holder, same_state, seeding_line, states, words_in
from dpcert.reading.paths.enumerator import enumerate_law

HELD = random.Random()
BOX = [np.random.default_rng()]
Program = Callable[[int, Any], Any]


def caught(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or nothing where it raises."""
    try:
        return call()
    except Exception:
        return None


def reseeded(x: int, rng: Any) -> Any:
    own = random.Random()
    own.seed(5)
    return own.random() < 0.5


def given_a_state(x: int, rng: Any) -> Any:
    own = random.Random()
    caught(lambda: own.setstate(random.getstate()))
    return own.random() < 0.5


SEEDED: dict[str, Program] = {
    "Random.seed": reseeded,
    "Random.setstate": given_a_state,
    "Random(5)": lambda x, rng: caught(lambda: random.Random(x).random() < 0.5),
    "module": lambda x, rng: caught(lambda: random.seed(x)),
    "held": lambda x, rng: caught(lambda: HELD.seed(x)),
    "numpy module": lambda x, rng: caught(lambda: np.random.seed(x)),
    "keyword": lambda x, rng: caught(lambda: np.random.default_rng(seed=x)),
    "RandomState": lambda x, rng: caught(lambda: np.random.RandomState(x)),
    "bits": lambda x, rng: caught(lambda: np.random.Generator(np.random.PCG64(x))),
    "sequence": lambda x, rng: caught(lambda: np.random.SeedSequence(x)),
    "spawn": lambda x, rng: caught(lambda: rng.spawn(1)),
    "state": lambda x, rng: caught(lambda: rng.bit_generator.state),
}
REJECTED: dict[str, Program] = {
    "laplace": lambda x, rng: caught(lambda: rng.laplace(0.0, x - 0.5) < 9e9) is None,
    "uniform": lambda x, rng: caught(lambda: rng.uniform(1.0, 3.0 * x) < 9e9) is None,
    "integers": lambda x, rng: caught(lambda: rng.integers(0, x) * 0) is None,
    "out of bounds": lambda x, rng: caught(lambda: int(rng.integers(0, 512 - 256 * x, dtype=np.uint8)) * 0) is None,
    "unfollowed": lambda x, rng: caught(lambda: rng.normal(0.0, -1.0)) is None or not x,
    "exponential": lambda x, rng: caught(lambda: np.random.exponential(x - 0.5) < 9e9) is None,
    "no such method": lambda x, rng: (caught(lambda: rng.randint(4)) is None) != x,
}
SHOWN: dict[str, Program] = {
    "isinstance": lambda x, rng: isinstance(rng, np.random.Generator) or x,
    "type": lambda x, rng: type(rng) is np.random.Generator or x,
    "name": lambda x, rng: type(HELD).__name__ == "Random" or x,
    "attribute": lambda x, rng: not hasattr(random.Random(), "below") or x,
    "module of bits": lambda x, rng: hasattr(np.random.bit_generator, "SeedSequence") or x,
    "kind of integer": lambda x, rng: not isinstance(rng.integers(4), int) or x,
}


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_in_the_run_is_undecided_and_names_the_line(name: str) -> None:
    with pytest.raises(Unauditable, match=r"line \d+ of|of a generator is not followed"):
        enumerate_law(dpcert.redirect(SEEDED[name]), 5)


@pytest.mark.points(4)
@pytest.mark.parametrize("name", REJECTED)
def test_what_the_real_generator_refuses_is_refused_on_one_input(name: str) -> None:
    laws = [enumerate_law(dpcert.redirect(REJECTED[name]), x).law for x in (0, 1)]
    assert [law.prob(True) + law.prob(1) for law in laws] in ([1, 0], [0, 1]) or name == "unfollowed"


def test_what_the_real_generator_takes_and_is_not_followed_cannot_be_caught() -> None:
    with pytest.raises(Unauditable, match=r"Generator\.normal is no inverse transform"):
        enumerate_law(dpcert.redirect(lambda x, rng: caught(lambda: rng.normal())), 0)


@pytest.mark.parametrize("name", SHOWN)
def test_a_led_generator_shows_what_the_real_object_shows(name: str) -> None:
    found = enumerate_law(dpcert.redirect(lambda x, rng: bool(SHOWN[name](x, rng))), 0)
    assert found.law.prob(True) == 1


class Loader:
    """A loader of modules that holds a generator."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()


def test_a_generator_in_a_container_or_of_a_loader_is_hidden_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "__loader__", Loader())
    for draw in (lambda x: bool(BOX[0].integers(4) < 1), lambda x: bool(globals()["__loader__"].rng.integers(4) < 1)):
        with pytest.raises(Unauditable, match="a Generator that it keeps between runs"):
            enumerate_law(dpcert.redirect(draw), 0)


def test_refused_a_class_of_generators_that_is_made_in_the_run() -> None:
    def program(x: int) -> Any:
        class Fixed(random.Random):
            def random(self) -> float:
                return 0.5

        return Fixed().random()

    with pytest.raises(Unauditable, match="a class on Random is not followed; make it before the program"):
        enumerate_law(dpcert.redirect(program), 0)


@pytest.mark.parametrize("how", [{"eager": True}, {"draws": True}])
def test_refused_generators_value_by_value_or_with_their_draws_observed(how: dict[str, bool]) -> None:
    with pytest.raises(Unauditable, match="a program that draws from generators is read by states alone; leave out"):
        enumerate_law(dpcert.redirect(lambda x, rng: rng.integers(2)), 0, **how)


def test_a_held_generator_is_an_assumption() -> None:
    found = enumerate_law(dpcert.redirect(lambda x: HELD.randrange(4) == x), 0)
    line = next(i for i, text in enumerate(Path(__file__).read_text().splitlines(), 1) if text.startswith("HELD ="))
    words = f"HELD (test_honest_generators.py, line {line}), a generator that the module holds"
    assert found.assumptions == (f"{words}, is taken for fair coins: nothing may seed it",)
    assert words_in(found.assumptions) == [words]
    assert words in states([Holder(globals())])
    shared = enumerate_law(dpcert.redirect(lambda x: random.randrange(4) == x), 0)
    assert shared.assumptions[0].startswith("the generator of the module random")
    numpys = enumerate_law(dpcert.redirect(lambda x: np.random.randint(4) == x), 0)
    assert numpys.assumptions[0].startswith("the generator of the module numpy.random")
    assert not enumerate_law(dpcert.redirect(lambda x, rng: rng.integers(4) == x), 0).assumptions


MODULE = """
import random
import numpy as np
import dpcert
random.seed(2024)
SEEDED = np.random.default_rng(5)
FAIR = np.random.default_rng()
claim = dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
seeded = claim(dpcert.redirect(lambda c: c ^ bool(SEEDED.integers(4) == 0)))
fair = claim(dpcert.redirect(lambda c: c ^ bool(FAIR.integers(4) == 0)))
module = claim(dpcert.redirect(lambda c: c ^ (random.randrange(4) == 0)))
"""


@pytest.mark.nightly
def test_a_generator_that_is_seeded_when_loaded_is_undecided(tmp_path: Path) -> None:
    from dpcert.targets.cases import case_of
    from dpcert.targets.options import Options
    from dpcert.targets.spec import FileSpec
    from dpcert.worker.seeded import Seeds

    path = tmp_path / "held.py"
    path.write_text(MODULE)
    answers = {}
    for name in ("seeded", "fair", "module"):
        spec = FileSpec(str(path), name)
        assumed = enumerate_law(case_of(spec, Options()).subject.program, 0).assumptions
        answers[name] = Seeds(spec, Options())._reason(words_in(assumed))
    assert answers["fair"] is None
    assert "SEEDED (held.py, line 6), a generator that the module holds, is in the same state" in answers["seeded"]
    assert "line 5 of held.py seeds it" in answers["module"]


def test_the_line_of_a_seed_is_found(tmp_path: Path) -> None:
    path = tmp_path / "seeds.py"
    path.write_text("import random\nR = random.Random()\nR.seed(4)\n")
    assert (
        seeding_line(path, "R (seeds.py, line 2), a generator that the module holds") == "line 3 of seeds.py seeds it"
    )


def test_caught_two_generators_that_draw_the_same_and_not_two_names_of_one() -> None:
    bits = np.random.PCG64()
    one, other = random.Random(), random.Random()
    other.setstate(one.getstate())
    space = {"__name__": "m", "ONE": one, "OTHER": other, "ALIAS": one, "LONE": random.Random()}
    space |= {"FIRST": np.random.Generator(bits), "SECOND": np.random.Generator(bits)}
    found = states([Holder(space)])
    words = {name: next(words for words in found if words.startswith(name)) for name in space if name.isupper()}
    twins = {name: same_state(words[name], [words[n] for n in words if n != "ALIAS"], found) for name in words}
    assert {name for name, other in twins.items() if other} == {"ONE", "OTHER", "ALIAS"}
    assert same_state(words["ONE"], [words["ONE"], words["ALIAS"]], found) is None
