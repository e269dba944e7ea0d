"""Evidence for `ask` and `hold` in examine.py: a law counts only as a known source's answer on what was handed over."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dpcert import ApproxDP, PureDP, Unauditable
from dpcert.audit.kernel.certificate import SOURCES, Certificate
from dpcert.audit.kernel.check import check, claim_of, in_order
from dpcert.audit.kernel.examine import Answer, Examination, ask
from dpcert.audit.passes import examined
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import canonical

OTHER = r"^handed the input \S+, the law source answered on another, or changed it$"
UNKNOWN = r"^a law source must answer with a law and its own name, one of paths, states, "

Ask = Callable[[Any, Any], Any]


def held(program: Any, value: Any) -> Law:
    """Return the law of an input as an examination asks for it."""
    position = next(i for i, each in enumerate(program.inputs) if canonical(each) == canonical(value))
    return Examination(claim_of(program, PureDP(1)), program).hold(position)


def asked(program: Any, value: Any) -> Law:
    return ask(program, value).law


both_ways = pytest.mark.parametrize("law_of", [asked, held])
Change = Callable[[Answer], Any]
CHANGES: dict[str, tuple[str, Change]] = {
    "another input": (OTHER, lambda answer: answer._replace(given=canonical(0))),
    "no input": (OTHER, lambda answer: answer._replace(given=b"")),
    "an equal input of another type": (OTHER, lambda answer: answer._replace(given=canonical(True))),
    "another program": (OTHER, lambda answer: answer._replace(read="another table")),
    "no source": (UNKNOWN, lambda answer: answer._replace(sources=())),
    "an unknown source": (UNKNOWN, lambda answer: answer._replace(sources=("paths", "guesses"))),
    "what the certificate called it": (UNKNOWN, lambda answer: answer._replace(sources=("program",))),
    "a law alone": (UNKNOWN, lambda answer: answer.law),
    "a plain tuple": (UNKNOWN, tuple),
}


def answering(program: Any, change: Callable[..., Any]) -> Any:
    """Return a program whose source changes its answers."""
    changed, honest = replace(program), program.source
    changed.source = lambda read, value: change(honest(read, value))
    return changed


@both_ways
@pytest.mark.parametrize("name", CHANGES)
def test_caught_answer_with(name: str, law_of: Ask, mild: Any, verified: Certificate, refuted: Certificate) -> None:
    line, change = CHANGES[name]
    program = answering(mild, change)
    with pytest.raises(Unauditable, match=line):
        law_of(program, 1)
    for certificate in (verified, refuted):
        with pytest.raises(Unauditable, match=line):
            check(certificate, program, examined)


@both_ways
def test_caught_source_that_answers_on_the_first_input(law_of: Ask, Table: Any, certify: Any, tilted: Any) -> None:
    laws = [tilted(1, 0), tilted(0, 1)]
    forged = certify(Table([laws[0]] * 2, inputs=(0, 1)), ApproxDP(0, 0))
    leaky = Table(laws, inputs=(0, 1))
    honest = leaky.source
    leaky.source = lambda read, value: honest(read, 0)
    assert law_of(leaky, 0) == laws[0]
    with pytest.raises(Unauditable, match=OTHER):
        check(forged, leaky, examined)


@both_ways
def test_caught_source_that_changes_what_it_is_handed(law_of: Ask, Table: Any, tilted: Any) -> None:
    inputs = ([1], [2])
    program = Table([tilted(1, 1)] * 2, inputs=inputs)
    honest = program.source

    def source(read: Any, value: list[int]) -> Answer:
        answer = honest(read, value)
        value.append(3)
        return answer

    program.source = source
    with pytest.raises(Unauditable, match=r"^handed the input \[1\], "):
        law_of(program, inputs[0])
    assert inputs == ([1], [2])  # it had a copy


@both_ways
def test_caught_source_that_changes_the_input_of_the_claim(law_of: Ask, Table: Any, tilted: Any) -> None:
    inputs = ([1], [2])
    program = Table([tilted(1, 1)] * 2, inputs=inputs)

    def source(read: Any, value: list[int]) -> Answer:
        inputs[0][0] = 2
        return Answer(program.laws[0], read, canonical([1]), ("paths",))

    program.source = source
    with pytest.raises(Unauditable, match=r"answered on another, or changed it$"):
        law_of(program, inputs[0])


def test_names_of_sources_are_listed_once_in_the_order_of_the_registry() -> None:
    assert in_order([("states", "floats"), ("paths",), ("floats",)]) == ["paths", "states", "floats"]
    assert in_order(reversed([(name,) for name in SOURCES])) == [*SOURCES]
    assert in_order([]) == []


def test_a_certificate_names_the_sources_of_all_laws_that_it_rests_on(
    mild: Any, verified: Certificate, refuted: Certificate
) -> None:
    program = replace(mild)
    honest = program.source
    names = {0: ("paths",), 1: ("paths", "floats"), 2: ("states",)}
    program.source = lambda read, value: honest(read, value)._replace(sources=names[value])
    assert check(replace(verified, law_source=["paths", "states", "floats"]), program, examined) is not None
    assert check(replace(refuted, law_source=["paths", "floats"]), program, examined) is not None
