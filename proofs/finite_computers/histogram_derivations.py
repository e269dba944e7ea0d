"""Derivations on histograms whose labels are independent: the counts of neighbours, and which labels move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcert.proofs.derivation import by_query, earlier, given, same


def masses(a: str, b: str) -> str:
    """Return that two families of masses are not negative, in the form that products ask for."""
    return f"(all (o 1 n) (all (k 1 m) (and (>= ({a} o k) 0) (>= ({b} o k) 0))))"


def moves(a: str, b: str, i: str) -> str:
    """Return that only label i moves, within a ratio of R."""
    return f"(all (o 1 n) (all (k 1 m) (or (= ({a} o k) ({b} o k)) (and (= k {i}) (<= ({a} o k) (* R ({b} o k)))))))"


def _mass(a: str) -> str:
    return f"(sum (o 1 n) (* (u o) (prod (k 1 m) ({a} o k))))"


_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_COUNT, _OTHER = "(sum (i 1 n) (t i z))", "(sum (i 1 n) (s i z))"
_ROWS: dict[str, str | int] = {"n": "Int", "l": "Int", "j": "Int", "t": 2, "s": 2, "d": 1}
_ONE_ROW = "(all (z 1 l) (all (k 1 n) (= (- (t k z) (s k z)) (ite (= k j) (d z) 0))))"

TWO_LABELS = (
    by_query(
        "counts-of-neighbours",
        _ROWS,
        ["(>= j 1)", "(<= j n)", _ONE_ROW],
        f"(all (z 1 l) (= (- {_COUNT} {_OTHER}) (d z)))",
        given(0, "z"),
        earlier("one-term-differs", n="n", m="n", j="j", d="(d z)", a=("i", "(t i z)"), b=("i", "(s i z)")),
    ),
    by_query(
        "two-labels-event",
        {"n": "Int", "m": "Int", "i": "Int", "j": "Int", "R": "Real", "p": 2, "c": 2, "q": 2, "u": 1},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(>= R 1)",
            masses("p", "c"),
            masses("c", "q"),
            moves("p", "c", "i"),
            moves("c", "q", "j"),
            _EVENT,
        ],
        f"(<= {_mass('p')} (* (* R R) {_mass('q')}))",
        earlier("event-of-products", **same("n", "m", "i", "R", "u"), a="p", b="c"),
        earlier("event-of-products", **same("n", "m", "R", "u"), i="j", a="c", b="q"),
        earlier("two-labels", R="R", p=_mass("p"), c=_mass("c"), q=_mass("q")),
    ),
)
"""t(i, z) is 1 if row i of a list has label z, else 0; s(i, z) is that of its neighbour, which has another row j.

Outcome o has the probability p(o, k) of its count of label k, q(o, k) for the neighbour, c(o, k) for counts of which
one has moved.
"""

_MIXED = "(+ (* (z k) (- 1 shown)) (sum (j 1 m) (* (w k j) (l j))))"
_SHOWN: dict[str, str | int] = {"m": "Int", "l": 1, "shown": "Real", "delta": "Real"}
_LAW = [
    "(>= m 0)",
    "(= shown (sum (k 1 m) (l k)))",
    "(<= shown delta)",
    "(<= shown 1)",
    "(all (k 1 m) (>= (l k) 0))",
]
_OTHERS: dict[str, str | int] = {**_SHOWN, "n": "Int", "z": 1, "w": 2}
_WEIGHTS = [
    "(all (k 1 n) (and (>= (z k) 0) (<= (z k) 1)))",
    "(all (k 1 n) (all (j 1 m) (and (>= (w k j) 0) (<= (w k j) 1))))",
]
_NEAR = "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (<= (p k) (* R (q k)))))"
_NO_EXCESS = "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (>= 0 0) (>= 0 (- (p k) (* R (q k))))))"
_BOTH = [
    "(all (k 1 n) (and (>= (x k) 0) (<= (x k) 1) (>= (y k) 0) (<= (y k) 1)))",
    "(all (k 1 n) (<= (x k) (+ (* E (y k)) delta)))",
]


def _event(p: str, x: str) -> str:
    return f"(sum (k 1 n) (* ({p} k) {x}))"


def _lone_in_one(name: str, x: str, y: str) -> Iterator[dict[str, Any]]:
    """Yield the steps for a label of one person in one of two lists, x and y completing an event for either."""
    lone = earlier("lone-against-none", **{each: each for each in _OTHERS})
    formulas = (f"(and (>= {x} 0) (<= {x} 1) (>= {y} 0) (<= {y} 1))", f"(<= {x} (+ (* 1 {y}) delta))")
    for part, formula in zip(("bounds", "close"), formulas, strict=True):
        yield by_query(
            f"{name}-{part}",
            _OTHERS,
            [*_LAW, *_WEIGHTS],
            f"(all (k 1 n) {formula})",
            lone,
            given(1, "k"),
            given(3, "k"),
        )
    yield by_query(
        name,
        {**_OTHERS, "R": "Real", "p": 1, "q": 1},
        ["(>= n 0)", "(>= R 1)", "(<= (sum (k 1 n) (p k)) 1)", "(>= delta 0)", *_LAW, *_WEIGHTS, _NEAR],
        f"(<= {_event('p', x)} (+ (* R {_event('q', y)}) delta))",
        earlier(f"{name}-bounds", **{each: each for each in _OTHERS}),
        earlier(f"{name}-close", **{each: each for each in _OTHERS}),
        earlier("other-label-first", **same("n", "R", "delta", "p", "q"), E="1", x=["k", x], y=["k", y]),
    )


STABILITY = (
    by_query(
        "shown-not-negative",
        {"m": "Int", "l": 1, "w": 1},
        ["(all (k 1 m) (>= (l k) 0))", "(all (j 1 m) (and (>= (w j) 0) (<= (w j) 1)))"],
        "(all (j 1 m) (>= (* (w j) (l j)) 0))",
        given(0, "j"),
        given(1, "j"),
    ),
    by_query(
        "shown-at-most",
        {"m": "Int", "l": 1, "w": 1},
        ["(all (k 1 m) (>= (l k) 0))", "(all (j 1 m) (and (>= (w j) 0) (<= (w j) 1)))"],
        "(all (j 1 m) (<= (* (w j) (l j)) (l j)))",
        given(0, "j"),
        given(1, "j"),
    ),
    by_query(
        "part-of-shown",
        {"m": "Int", "l": 1, "w": 1},
        ["(>= m 0)", "(all (k 1 m) (>= (l k) 0))", "(all (j 1 m) (and (>= (w j) 0) (<= (w j) 1)))"],
        "(and (>= (sum (j 1 m) (* (w j) (l j))) 0) (<= (sum (j 1 m) (* (w j) (l j))) (sum (k 1 m) (l k))))",
        earlier("shown-not-negative", **same("m", "l", "w")),
        earlier("shown-at-most", **same("m", "l", "w")),
        earlier("sum-not-negative", n="m", m="m", a=("j", "(* (w j) (l j))")),
        earlier("sum-at-most", n="m", m="m", a=("j", "(* (w j) (l j))"), b="l"),
    ),
    by_query(
        "two-lone-labels",
        {**_SHOWN, "zero": "Real", "u": 1, "v": 1},
        [
            *_LAW,
            "(>= zero 0)",
            *("(all (j 1 m) (and (>= (w j) 0) (<= (w j) 1)))".replace("w", name) for name in "uv"),
        ],
        "(<= (+ (* zero (- 1 shown)) (sum (j 1 m) (* (u j) (l j))))"
        " (+ (* zero (- 1 shown)) (sum (j 1 m) (* (v j) (l j))) delta))",
        earlier("part-of-shown", m="m", l="l", w="u"),
        earlier("part-of-shown", m="m", l="l", w="v"),
    ),
    by_query(
        "lone-against-none",
        _OTHERS,
        [*_LAW, *_WEIGHTS],
        f"(all (k 1 n) (and (>= {_MIXED} 0) (<= {_MIXED} 1) (<= {_MIXED} (+ (* 1 (z k)) delta))"
        f" (<= (z k) (+ (* 1 {_MIXED}) delta))))",
        given(1, "k"),
        given(2, "k"),
        earlier("part-of-shown", m="m", l="l", w=("j", "(w k j)")),
        earlier(
            "stability-lone",
            E="1",
            shown="shown",
            delta="delta",
            first="(sum (j 1 m) (* (w k j) (l j)))",
            zero="(z k)",
        ),
    ),
    by_query(
        "no-excess",
        {"n": "Int", "R": "Real", "p": 1, "q": 1},
        [_NEAR],
        _NO_EXCESS,
        given(0, "k"),
    ),
    by_query(
        "other-label-first",
        {"n": "Int", "R": "Real", "E": "Real", "delta": "Real", "p": 1, "q": 1, "x": 1, "y": 1},
        ["(>= n 0)", "(>= R 1)", "(>= E 1)", "(>= delta 0)", "(<= (sum (k 1 n) (p k)) 1)", _NEAR, *_BOTH],
        f"(<= {_event('p', '(x k)')} (+ (* (* R E) {_event('q', '(y k)')}) delta))",
        earlier("no-excess", **same("n", "R", "p", "q")),
        earlier("sum-of-zeros", n="n"),
        earlier(
            "composition",
            n="n",
            E1="R",
            E2="E",
            delta1="0",
            delta2="delta",
            p="p",
            q="q",
            x="x",
            y="y",
            e=("k", "0"),
        ),
    ),
    *_lone_in_one("lone-in-first", _MIXED, "(z k)"),
    *_lone_in_one("lone-in-second", "(z k)", _MIXED),
)
"""l is the law of what is shown of a label of one person, `shown` its mass.

u, v, w and z weigh what completes an event: first or second label shown as j, the one label as j after k, it hidden.
"""
