"""Random loops: no list of one, two or three numbers refutes a bound that is found for lists of any length."""

import random
from types import CodeType, FunctionType

import pytest

from dpcert import Claim, PureDP, Unauditable
from dpcert.audit.ideal.explore import Limits
from dpcert.audit.ideal.lengths import bound_for_any_length
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.neighbours import RELATIONS

LISTS = {"linf": [(0,), (1,), (0, 0), (1, 1), (0, 1), (1, 0)], "l1": [(0, 0), (0, 1), (1, 1), (0, 0, 1), (0, 1, 1)]}
ACTIONS = (
    "answers.append({n})",
    "answers.append(noisy)",
    "answers.append(noisy - level)",
    "answers.append(noisy - total)",
    "answers.append(query + rng.laplace(scale={scale}))",
    "answers.append(None)",
    "level = rng.laplace(scale={scale})",
    "level = noisy",
    "level = level + query",
    "total = total + query",
    "total = noisy",
    "total = 0",
    "total = -total",
    "found += 1",
    "found = (found + 1) % 2",
    "found = 0",
    "if found == {n}: break",
    "if place % 2 == {bit}: total = 0",
    "place += 1",
    "pass",
)
ENDS = (
    "answers",
    "(answers, total + rng.laplace(scale={scale}))",
    "total + rng.laplace(scale={scale})",
    "(answers, found)",
    "(answers, place)",
    "level - total",
)


def text_of(coins):
    """Return the text of a random program."""

    def filled(text):
        return text.format(scale=coins.choice((1, 2, 4)), n=coins.randint(0, 2), bit=coins.randint(0, 1))

    def block(depth):
        return [" " * depth + filled(coins.choice(ACTIONS)) for _ in range(coins.randint(1, 3))]

    noise = coins.choice(("laplace", "laplace", "laplace", "exponential"))
    terms = coins.choice(("query", "query", "query - level", "query + total", "2 * query", "total"))
    lines = [
        "def program(queries, rng):",
        "    answers, total, found, place = [], 0, 0, 0",
        filled("    level = rng.laplace(scale={scale})"),
        "    for query in queries:",
        filled(f"        noisy = {terms} + rng.{noise}(scale={{scale}})"),
    ]
    if coins.random() < 0.7:
        lines += [filled(f"        if noisy >= {coins.choice(('level', '{n}', 'level + {n}', 'total', '-level'))}:")]
        lines += [*block(12), "        else:", *block(12)]
    lines += block(8) if coins.random() < 0.6 else []
    return "\n".join([*lines, f"    return {filled(coins.choice(ENDS))}", ""])


def program_of(text):
    (code,) = (part for part in compile(text, "<loop>", "exec").co_consts if isinstance(part, CodeType))
    return FunctionType(code, {})


def is_bounded(seed):
    """Return whether a random program has a bound; and that short lists do not refute it."""
    coins = random.Random(seed)
    text, relation = text_of(coins), coins.choice(("linf", "l1"))
    program = program_of(text)
    try:
        found = bound_for_any_length(program, relation).bound
    except Unauditable:
        return False
    claim = Claim("program", (), tuple(LISTS[relation]), RELATIONS[relation], PureDP(found))
    try:
        report = decide_ideal(claim, program, limits=Limits(paths=500))
    except Unauditable:
        return True
    assert report.verdict != "refuted", (seed, found, report.epsilon, text)
    return True


@pytest.mark.parametrize("start", [0, *(pytest.param(40 * k, marks=pytest.mark.nightly) for k in range(1, 4))])
def test_no_short_list_refutes_a_bound(start):
    assert sum(map(is_bounded, range(start, start + (8 if start == 0 else 40)))) > 0
