"""All problems of the scoreboard, by group: programs and claims that the project already holds, and none of its truths.

The zoo and its correct mechanisms, at their default parameters; the literature's benchmark; the programs of DiPC,
CheckDP, ShadowDP and StatDP, at one epsilon; and the bugs of libraries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from ideal.literature import WITHOUT_REAL_NOISE, exact_noise
from ideal.rows import CHECKDP, DIPC, SHADOWDP, STATDP, IntegerRow, RealRow
from literature.registry import BENCHMARK, Benchmark

from dpcert.audit.ideal.align import corners
from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.kernel.neighbours import RELATIONS, Neighbours
from dpcert.audit.relations import relation
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.zoo import ZOO
from scoreboard.bugs import BUGS, Bug
from scoreboard.problem import COINS, IDEAL, MACHINE, Problem

GROUPS = ("correct", "zoo", "literature", "ideal", "libraries")
QUERIES = 3
"""The number of queries of a program that is private for all numbers of them."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A row of `ideal/rows.py` at a number of queries and an epsilon, and the name of the set that it comes from."""

    set: str
    row: IntegerRow | RealRow
    n: int
    epsilon: Fraction

    @property
    def id(self) -> str:
        """The name of the problem: the set, the row, the number of queries."""
        words = "".join(mark if mark.isalnum() else "-" for mark in f"{self.set} {self.row.name}".lower())
        return "-".join(part for part in words.split("-") if part) + f"-n{self.n}"


def built_in(mechanism: Mechanism) -> Problem:
    """Return a mechanism that ships, at its default parameters and its default claim."""
    settings = mechanism.settings({})
    instance = mechanism.build(settings)
    guarantee = ApproxDP(instance.epsilon, instance.delta) if instance.delta else PureDP(instance.epsilon)
    claim = Claim(
        mechanism.name,
        tuple(settings.items()),
        instance.inputs,
        RELATIONS[instance.neighbours],
        guarantee,
        instance.observes,
    )
    group = "correct" if mechanism.fault is None else "zoo"
    return Problem(mechanism.name, group, claim, COINS, instance.program, f"dpcert audit {mechanism.name}", settings)


def of_the_literature(row: Benchmark) -> Problem:
    """Return a mechanism of the literature's benchmark on its input pairs, at the epsilon that it claims.

    The claim is about real numbers, but for the four whose draws are integers or which are about doubles.
    """
    inputs = tuple(dict.fromkeys(x for pair in row.pairs for x in pair))
    claim = Claim(row.name, (), inputs, _of_pairs(row.name, row.pairs), PureDP(row.claimed))

    reference = f"benchmarks/literature/plain.py: {row.plain.__name__}"
    name = f"literature-{row.name.lower()}"
    real = row.name not in WITHOUT_REAL_NOISE
    noise, meant = (IDEAL, exact_noise) if real else (MACHINE, nullcontext)
    return Problem(name, "literature", claim, noise, row.plain, reference, many=row.sample, meant=meant)


def _of_pairs(name: str, pairs: Iterable[tuple[Any, Any]]) -> Neighbours:
    known = {frozenset(pair) for pair in pairs}

    def related(a: Any, b: Any) -> bool:
        return frozenset((a, b)) in known

    related.__qualname__ = f"pairs of {name}"
    return relation(related)


def rows() -> Iterator[tuple[str, IntegerRow | RealRow]]:
    """Yield the rows of the ideal sets with the names of their sets; a program that several have, once."""
    seen: set[Any] = set()
    sets: tuple[tuple[str, list[Any]], ...] = (
        ("DiPC", DIPC),
        ("CheckDP", CHECKDP),
        ("ShadowDP", SHADOWDP),
        ("StatDP", STATDP),
    )
    for name, found in sets:
        for row in found:
            size = (row.n, row.delta) if isinstance(row, IntegerRow) else ()
            key = row.program, tuple(row.settings.items()), row.relation, size
            if key not in seen:
                seen.add(key)
                yield name, row


def on_ideal_noise(sized: Sized) -> Problem:
    """Return a program of an ideal set at one epsilon, on small integer queries.

    Real queries are stood for by no query at all, against all that differ from it by 1 as neighbours may.
    """
    row, n, epsilon = sized.row, sized.n, sized.epsilon
    if isinstance(row, IntegerRow):
        inputs: list[tuple[int, ...]] = list(product(row.values, repeat=n))
        near: Neighbours = RELATIONS[row.relation]
        factor, delta = row.factor, row.delta[1]
    else:
        moves = corners(row.relation, n)
        zero = (0,) * n
        inputs = list(dict.fromkeys([zero, *(tuple(int(move.get(-1 - i, 0)) for i in range(n)) for move in moves)]))
        near = _of_pairs(sized.id, [(zero, other) for other in inputs[1:]])
        factor, delta = Fraction(row.claim), Fraction(0)
    guarantee = ApproxDP(factor * epsilon, delta) if delta else PureDP(factor * epsilon)
    program = partial(row.program, **row.settings)

    def meant(queries: Any, rng: Any) -> Any:
        return program(list(queries), rng, epsilon)

    def floats(queries: Any, rng: Any) -> Any:
        return program(list(queries), rng, float(epsilon))

    claim = Claim(sized.id, (), tuple(inputs), near, guarantee)
    parameters = {"epsilon": str(epsilon), **{key: str(value) for key, value in row.settings.items()}}
    reference = f"benchmarks/{row.program.__module__.replace('.', '/')}.py: {row.program.__name__}"
    return Problem(sized.id, "ideal", claim, IDEAL, meant, reference, parameters, floats=floats)


def of_a_library(bug: Bug) -> Problem:
    """Return a bug of a library, or its repair."""
    guarantee = PureDP(bug.epsilon) if bug.delta == "0" else ApproxDP(bug.epsilon, bug.delta)
    claim = Claim(bug.name, (), bug.inputs, RELATIONS[bug.neighbours], guarantee)

    def program(value: Any, coins: Coins) -> Any:
        return bug.program(value, coins)

    reference = f"benchmarks/scoreboard/bugs.py: {bug.program.__name__}"
    return Problem(f"library-{bug.name}", "libraries", claim, COINS, program, reference)


def without_sizes() -> Iterator[Problem]:
    """Yield all problems but those of the ideal sets, whose sizes the truths say."""
    yield from map(built_in, MECHANISMS)
    yield from map(built_in, ZOO)
    yield from map(of_the_literature, BENCHMARK.values())
    yield from map(of_a_library, BUGS)
