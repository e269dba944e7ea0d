"""What the kernel's tests share: a program given by its laws, and its certificate, made by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

import pytest
from given_laws import each_pair, examination

from dpcert import ApproxDP, Claim, Dist, Limits, Neighbours
from dpcert.audit.kernel.certificate import SCHEMA, Certificate, embed
from dpcert.audit.kernel.check import claim_of
from dpcert.audit.kernel.examine import Answer, Examination, name_outcome
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.outcome import canonical, key


@dataclass
class Table:
    """A program whose laws are given, one for each input; it notes which of them are asked for."""

    laws: Sequence[Any]
    inputs: tuple[Any, ...] = (0, 1, 2)
    name: str = "table"
    parameters: tuple[tuple[str, str], ...] = (("n", "3"),)
    neighbours: Neighbours = RELATIONS["counts_differ_by_one"]
    observes: str = "outcome"
    limits: Limits = field(default_factory=Limits)
    files: dict[str, str] = field(default_factory=lambda: {"table.py": "0" * 64})
    stated: tuple[str, ...] = ()
    packages: dict[str, str] = field(default_factory=lambda: {"python": "CPython 3.11", "dpcert": "0.1.0"})
    asked: list[int] = field(default_factory=list)
    read: Any = "the table"
    used: tuple[str, ...] = ("paths",)

    def source(self, read: Any, value: Any) -> Answer:
        position = next(i for i, each in enumerate(self.inputs) if key(each) == key(value))
        self.asked.append(position)
        return Answer(self.laws[position], read, canonical(value), self.used)

    def sources(self) -> dict[str, str]:
        return dict(self.files)

    def assumptions(self) -> tuple[str, ...]:
        return self.stated

    def versions(self) -> dict[str, str]:
        return dict(self.packages)


def certify(
    program: Table, guarantee: ApproxDP, *, pair: tuple[int, int] | None = None, event: Sequence[Any] = ()
) -> Certificate:
    """Return the certificate that says "verified" or, with a pair and an event, "refuted"; true or not."""
    claim = claim_of(program, guarantee)
    laws = [program.laws[i] for i in (range(len(claim.inputs)) if pair is None else pair)]
    witness = None
    if pair is not None:
        witness = {"a": pair[0], "b": pair[1], "event": [name_outcome(outcome) for outcome in event]}
    return Certificate(
        schema=SCHEMA,
        target=program.name,
        parameters=dict(program.parameters),
        epsilon=str(guarantee.epsilon),
        delta=guarantee.delta,
        neighbours=program.neighbours.name,
        inputs=len(claim.inputs),
        inputs_digest=claim.inputs_digest(),
        observes=program.observes,
        law_source=list(program.used),
        max_runs=program.limits.max_runs,
        max_tail=program.limits.max_tail,
        max_draws=program.limits.max_draws,
        verdict="verified" if pair is None else "refuted",
        sentence=claim.sentence(),
        pairs=len(list(claim.pairs())),
        tail=max((law.tail for law in laws), default=Fraction(0)),
        laws=[law.digest() for law in laws],
        embedded=[embed(law) for law in laws] if pair is None else None,
        witness=witness,
        assumptions=list(program.stated),
        sources=program.sources(),
        versions=program.versions(),
    )


def examine(claim: Claim, laws: Sequence[Dist]) -> Examination:
    """Return the examination of a claim after all of its pairs."""
    found = examination(claim, laws.__getitem__)
    for _ in each_pair(found):
        pass
    return found


def tilted(*weights: int, outcomes: Sequence[Any] = ("a", "b", "c", "d"), whole: int = 0) -> Dist:
    """Return the law of these weights; what they lack of `whole` is the tail."""
    return Dist.from_weights(zip(outcomes, weights, strict=False), whole or sum(weights))


FIELDS = [entry.name for entry in fields(Certificate)]


@pytest.fixture(name="Table", scope="session")
def table_fixture() -> type[Table]:
    return Table


@pytest.fixture(name="certify", scope="session")
def certify_fixture() -> Callable[..., Certificate]:
    return certify


@pytest.fixture(name="examine", scope="session")
def examine_fixture() -> Callable[..., Examination]:
    return examine


@pytest.fixture(name="tilted", scope="session")
def tilted_fixture() -> Callable[..., Dist]:
    return tilted


@pytest.fixture(scope="session")
def mild() -> Table:
    """Three counts whose laws are within e^epsilon = 2 of each other, neighbour by neighbour, and no less."""
    return Table([tilted(4, 2, 1), tilted(2, 4, 1), tilted(2, 4, 1)])


@pytest.fixture(scope="session")
def verified(mild: Table) -> Certificate:
    return certify(mild, ApproxDP("ln(2)", 0))


@pytest.fixture(scope="session")
def refuted(mild: Table) -> Certificate:
    """On input 0 the event {"a"} has probability 4/7, on its neighbour 1 only 2/7: not ln(3/2)-private."""
    return certify(mild, ApproxDP("ln(3/2)", "1/100"), pair=(0, 1), event=["a"])
