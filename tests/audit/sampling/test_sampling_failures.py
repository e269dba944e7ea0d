"""Exceptions of sampled programs: most runs end the audit by name, a few are outcomes that are named."""

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcert import Claim, Coins, PureDP, Sampled, Unauditable
from dpcert.audit.relations import relation
from dpcert.audit.sampling.decide import sample_claim
from dpcert.audit.sampling.failures import ENOUGH, GENERATOR, Failures
from dpcert.audit.sampling.sampler import from_coins

INPUTS = (0, 1)
CLAIM = Claim("m", (), INPUTS, relation("any"), PureDP("1"))


def audited(program: Callable[[Any, Any], Any], failures: Failures, **options: Any) -> Sampled:
    sampler = from_coins(program, failures, random.Random(1).randrange)
    return sample_claim(CLAIM, sampler, seed=1, most_runs=4000, **options)


def renamed(bit: int, coins: Coins) -> Any:
    generator: Any = np.random.default_rng(1)
    return generator.randint(3)


def misspelt(bit: int, coins: Coins) -> Any:
    raise NameError("name 'noise' is not defined")


def of_numpy(bit: int, coins: Any) -> Any:
    return bit + coins.standard_normal()


def of_types(bit: Any, coins: Coins) -> Any:
    return "noisy " + bit


def unbound(bit: int, coins: Coins) -> Any:
    if coins.below(10**9) == 1:
        noise = 1
    return bit + noise


def absent(bit: int, coins: Coins) -> Any:
    import no_such_module

    return no_such_module.noise(bit)


def unfinished(bit: int, coins: Coins) -> Any:
    raise NotImplementedError


def one_sided(bit: int, coins: Coins) -> Any:
    return 6 // bit + coins.below(2)


def mistyped(bit: int, rng: Any) -> Any:
    generator: Any = np.random.default_rng(1)
    return generator.laplac()


class Opaque(Exception):
    """An exception whose argument is no outcome."""


def opaque(bit: int, coins: Coins) -> Any:
    raise Opaque(object())


class Mute(Exception):
    """An exception that cannot be read."""

    def __str__(self) -> str:
        raise LookupError


def mute(bit: int, coins: Coins) -> Any:
    raise Mute


FAILING: dict[Callable[..., Any], tuple[str, str]] = {
    renamed: ("AttributeError: ", "it has no .randint; write rng.integers, or name the parameter coins"),
    mistyped: ("AttributeError: ", "it has no .laplac: did you mean .laplace?"),
    misspelt: ("NameError: name 'noise' is not defined", "mend it"),
    of_numpy: ("AttributeError: ", "annotate the parameter, rng: numpy.random.Generator, to be handed one"),
    of_types: ("TypeError: ", "mend it"),
    unbound: ("UnboundLocalError: ", "mend it"),
    absent: ("ModuleNotFoundError: ", "install what it imports"),
    unfinished: ("NotImplementedError", "mend it"),
    one_sided: ("ZeroDivisionError: ", "catch it and return what is to be seen of it"),
    opaque: ("Opaque: ", "mend it"),
    mute: ("Mute: its text cannot be read (LookupError)", "mend it"),
}


@pytest.mark.parametrize("program", FAILING, ids=lambda program: program.__name__)
def test_what_fails_on_most_runs_ends_the_audit_by_name(program: Callable[..., Any]) -> None:
    """The exception, its line in the program's file, what was handed in, and what to do; after few runs."""
    runs = 0

    def counted(bit: int, coins: Coins) -> Any:
        nonlocal runs
        runs += 1
        return program(bit, coins)

    with pytest.raises(Unauditable) as found:
        audited(counted, Failures(INPUTS, "it was handed this"))
    (kind, remedy), message = FAILING[program], str(found.value)
    assert " on 0 end" in message
    assert f" {kind}" in message or f".{kind}" in message
    place = re.search(r"\(test_sampling_failures.py, line (\d+)\)", message)
    assert 1 <= int(place[1]) - program.__code__.co_firstlineno <= 3
    assert "; it was handed this; " in message
    assert remedy in message
    assert runs <= 2 * ENOUGH


def test_what_an_exception_holds_that_is_no_outcome_is_named_before_it() -> None:
    with pytest.raises(Unauditable, match=r"what is no outcome: Opaque\.args: type object .*: a run on 0 ends in "):
        audited(opaque, Failures(INPUTS))


def test_a_few_exceptions_are_outcomes_that_are_named() -> None:
    failures = Failures(INPUTS)

    def program(bit: int, coins: Coins) -> int:
        if coins.below(5) < bit:
            raise KeyError("k")
        return 0

    report = audited(program, failures)
    assert report.refuted
    assert "KeyError" in str(report.worst.event.members)
    (note,) = failures.notes()
    assert note.startswith("on 1 it raises KeyError('k') (test_sampling_failures.py, line ")
    assert 0 < failures.seen[1]["KeyError"].count < failures.runs[1] / 3
    assert note.endswith(f" in {failures.seen[1]['KeyError'].count} of {failures.runs[1]} runs")


def test_the_line_is_where_the_program_called_a_library() -> None:
    def program(bit: int, coins: Coins) -> Any:
        return np.random.default_rng(0).normal(0, -1)

    with pytest.raises(Unauditable, match=r"ValueError: scale < 0 \(test_sampling_failures.py, line \d+\)"):
        audited(program, Failures(INPUTS))


def test_what_stands_in_for_a_method_is_there() -> None:
    for name, other in GENERATOR.items():
        assert not hasattr(np.random.Generator, name)
        assert hasattr(np.random.Generator, other)
        assert hasattr(np.random.RandomState, name) or hasattr(random.Random, name)
