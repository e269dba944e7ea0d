"""Random programs that draw by numpy's generators, run by the machine and often by numpy itself.

Each outcome of numpy's must be one of the law, and come about as often as the law says: so a wrong type, layout, value
or probability shows.
"""

from __future__ import annotations

import builtins
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any

import numpy as np

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import canonical, fresh
from dpcert.reading.explore import Limits, read_law
from dpcert.reading.paths.routed import routed

RUNS = 400
SIGMAS = 7  # of an outcome that a right law gives, a run is so far off with a probability below 1e-11
DRAWS = (
    "rng.random({n}) < {p}",
    "rng.random() < {p}",
    "rng.integers({a}, {b}, size={n})",
    "rng.integers(0, {b}, size={n}, dtype=np.{small})",
    "rng.integers({b})",
    "rng.choice({row}, size={n})",
    "rng.choice({row}, size={n}, p={ps})",
    "rng.choice(3)",
    "rng.choice({row}, 2, replace=False)",
    "rng.choice({row}, 2, False, {ps})",
    "rng.permutation({row})",
    "rng.uniform(-1, 1, {n}) > {q}",
    "np.where(rng.random({n}) < {p}, {x}, {y})",
    "np.array([{x}, {y}, {x}]) + rng.integers(2, size=3)",
)
THEN = (
    "{v} + {x}",
    "{x} - {v}",
    "{v} * np.{small}({k})",
    "{v} == {x}",
    "{v} > {y}",
    "{v} ^ True",
    "{v} & 1",
    "{v} % 2",
    "{v} // 2",
    "{v} / 2",
    "{v} ** 2",
    "-({v} * 1)",
    "~({v} > 0)",
    "np.where({v} > 0, {x}, {y})",
    "{v}.astype(np.{small})",
    "np.float64({x}) * {v}",
    "np.maximum({v}, {y})",
    "np.abs({v} * 1)",
    "np.where(rng.random(np.shape({v})) < {p}, {v}, {x})",
    "{v} + rng.integers(2, size=np.shape({v}))",
    "{v} * (rng.random(np.shape({v})) < {p})",
)
LAST = (
    "{v}.sum()",
    "np.sum({v})",
    "{v}.mean()",
    "{v}.max()",
    "{v}.any()",
    "np.all({v})",
    "np.argmax({v})",
    "{v}.cumsum()",
    "{v}[0]",
    "{v}[::-1]",
    "np.concatenate([{v}, {v}])",
    "float(np.sum({v}))",
    "{v}.tolist()",
    "int({v}.sum())",
    "np.sort({v})",
    "np.count_nonzero({v})",
    "np.sum({v}, axis=0)",
    "{v}",
    "({v}, {v}.sum())",
)


def written(seed: int) -> str:
    """The source of a program."""
    chance = random.Random(seed)

    def filled(text: str, v: str) -> str:
        ps = chance.choice(("[0.25, 0.25, 0.5]", "[0.5, 0, 0.5]", "[0.125, 0.75, 0.125]"))
        return text.format(
            v=v,
            n=chance.choice((1, 2, 3, "(2, 1)")),
            p=chance.choice((0.25, 0.5, 0.75)),
            q=chance.choice((-0.5, 0.0, 0.5)),
            a=chance.choice((-1, 0)),
            b=chance.choice((2, 3)),
            k=chance.choice((3, 100)),
            x=chance.choice((1, 2.5, 100, -1)),
            y=chance.choice((0, 1, -0.0, 200)),
            row=chance.choice(("[1, 2, 5]", "[2.5, 0.0, -0.0]", "[True, False, True]", "np.arange(3)")),
            ps=ps,
            small=chance.choice(("int8", "uint8", "float32", "int64", "int32")).replace("float32", "int16"),
        )

    lines = [f"    v0 = {filled(chance.choice(DRAWS), '')}"]
    for i in range(1, 1 + chance.randrange(3)):
        lines.append(f"    v{i} = {filled(chance.choice(THEN), f'v{i - 1}')}")
    lines.append(f"    return {filled(chance.choice(LAST), f'v{len(lines) - 1}')}")
    return "\n".join(["def program(n, rng):", *lines])


def program_of(source: str) -> Callable[..., Any]:
    """The program of a source."""
    space: dict[str, Any] = {"np": np, "__builtins__": builtins}
    FunctionType(compile(source, "<random>", "exec", dont_inherit=True), space)()
    found: Callable[..., Any] = space["program"]
    return found


def tried(seed: int) -> tuple[str, str, str]:
    """The source of a program, how it ended ("same", "refused" or "WRONG"), and why."""
    source = written(seed)
    program = program_of(source)
    try:
        law = read_law(routed(program, "rng"), 1, Limits(2_000)).law
    except Unauditable as refusal:
        return source, "WRONG" if "internal" in str(refusal) else "refused", str(refusal)
    probs = {canonical(outcome): Fraction(weight, law.denominator) for _, outcome, weight in law.weights()}
    counts: Counter[bytes] = Counter()
    rng = np.random.default_rng(seed)
    for _ in range(RUNS):
        try:
            with np.errstate(all="ignore"):
                counts[canonical(fresh(program(1, rng)))] += 1
        except Exception as error:
            counts[type(error).__name__.encode()] += 1
    for name, count in counts.items():
        p = float(probs.get(name, _raised(law, name)))
        if abs(count - RUNS * p) > SIGMAS * math.sqrt(RUNS * max(p * (1 - p), 1e-9)) + 1e-6:
            return source, "WRONG", f"{name!r} came {count} times of {RUNS}, and has probability {p}"
    return source, "same", ""


def _raised(law: Any, name: bytes) -> Fraction:
    """The probability that an exception of a class escapes."""
    weights = [weight for _, outcome, weight in law.weights() if getattr(outcome, "name", "").encode() == name]
    return Fraction(sum(weights), law.denominator)
