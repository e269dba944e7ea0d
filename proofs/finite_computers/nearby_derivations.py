"""Derivations on laws near others: their events and outcomes, what is clamped, and distances that add up."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_query, earlier, given, same
from dpcert.proofs.finite_computers.derivations import MIXING


def near(g: str, x: str, a: str) -> str:
    """Return that g(k) is at least |x(k) - a(k)|, for the outcomes of a law."""
    return f"(all (v 1 n) (and (>= ({g} v) (- ({x} v) ({a} v))) (>= ({g} v) (- ({a} v) ({x} v)))))"


def total(f: str) -> str:
    """Return the sum of a function over all outcomes."""
    return f"(sum (k 1 n) ({f} k))"


def weighed(f: str) -> str:
    """Return the probability of an event u."""
    return f"(sum (k 1 n) (* (u k) ({f} k)))"


_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_CLOSE: Sorts = {"n": "Int", "E": "Real", "d": "Real", **dict.fromkeys(("a", "b", "x", "y", "u", "g", "h"), 1)}
_LAWS = [
    f"(= {total('x')} {total('a')})",
    f"(<= {total('g')} (* 2 d))",
    near("g", "x", "a"),
]
_OTHER_LAWS = [
    f"(= {total('y')} {total('b')})",
    f"(<= {total('h')} (* 2 d))",
    near("h", "y", "b"),
]
_MIXED = "(+ (* gamma (c k)) (* (- 1 gamma) (x k)))"

CLOSE = (
    by_query(
        "close-event",
        _CLOSE,
        ["(>= n 0)", "(>= E 1)", _EVENT, *_LAWS, *_OTHER_LAWS, f"(<= {weighed('a')} (* E {weighed('b')}))"],
        f"(<= {weighed('x')} (+ (* E {weighed('y')}) (* (+ 1 E) d)))",
        earlier("event-has-half", t="n", b="x", c="a", u="u", g="g"),
        earlier("event-has-half", t="n", b="y", c="b", u="u", g="h"),
        earlier("close-to-private", E="E", d="d", a=weighed("a"), b=weighed("b"), x=weighed("x"), y=weighed("y")),
    ),
    *(
        by_query(
            name,
            {"n": "Int", "u": 1, "a": 1},
            [_EVENT, "(all (k 1 n) (>= (a k) 0))"],
            f"(all (k 1 n) {formula})",
            given(0, "k"),
            given(1, "k"),
        )
        for name, formula in (
            ("event-not-negative", "(>= (* (u k) (a k)) 0)"),
            ("event-at-most-law", "(<= (* (u k) (a k)) (a k))"),
        )
    ),
    by_query(
        "event-is-probability",
        {"n": "Int", "u": 1, "a": 1},
        ["(>= n 0)", f"(= {total('a')} 1)", _EVENT, "(all (k 1 n) (>= (a k) 0))"],
        f"(and (>= {weighed('a')} 0) (<= {weighed('a')} 1))",
        earlier("event-not-negative", n="n", u="u", a="a"),
        earlier("event-at-most-law", n="n", u="u", a="a"),
        earlier("sum-not-negative", n="n", m="n", a=("k", "(* (u k) (a k))")),
        earlier("sum-at-most", n="n", m="n", a=("k", "(* (u k) (a k))"), b="a"),
    ),
    by_query(
        "mixed-event",
        {"n": "Int", "gamma": "Real", "d": "Real", **dict.fromkeys(("a", "c", "x", "u", "g"), 1)},
        [
            "(>= n 0)",
            "(>= gamma 0)",
            "(<= gamma 1)",
            f"(= {total('a')} 1)",
            f"(= {total('c')} 1)",
            "(all (k 1 n) (>= (a k) 0))",
            "(all (k 1 n) (>= (c k) 0))",
            _EVENT,
            *_LAWS,
        ],
        f"(and (<= (- (sum (k 1 n) (* (u k) {_MIXED})) {weighed('a')}) (+ gamma d))"
        f" (<= (- {weighed('a')} (sum (k 1 n) (* (u k) {_MIXED}))) (+ gamma d)))",
        earlier("event-is-probability", n="n", u="u", a="a"),
        earlier("event-is-probability", n="n", u="u", a="c"),
        earlier("event-has-half", t="n", b="x", c="a", u="u", g="g"),
        earlier("sum-plus", n="n", a=("k", "(* gamma (* (u k) (c k)))"), b=("k", "(* (- 1 gamma) (* (u k) (x k)))")),
        earlier("sum-scale", n="n", c="gamma", a=("k", "(* (u k) (c k))")),
        earlier("sum-scale", n="n", c="(- 1 gamma)", a=("k", "(* (u k) (x k))")),
        earlier("mixture-distance", gamma="gamma", d="d", a=weighed("a"), c=weighed("c"), x=weighed("x")),
    ),
)
"""The laws x and y are within d of a and b: half of their l1 distance, of which g and h are the parts."""

_NEARBY = (
    "(all (k 1 n) (and (<= (- (x k) (a k)) delta) (<= (- (a k) (x k)) delta)"
    " (<= (- (y k) (b k)) delta) (<= (- (b k) (y k)) delta)))"
)
_WITHIN = [each.replace(" d)", " delta)") for each in (*_LAWS, *_OTHER_LAWS)]
_STEP = MIXING[-1]
_MIXES = [each for each in _STEP["given"] if each != _NEARBY]

NEAR_MIXING = (
    by_query(
        "nearby-outcomes",
        {"n": "Int", "delta": "Real", **dict.fromkeys(("a", "b", "x", "y", "g", "h"), 1)},
        _WITHIN,
        _NEARBY,
        earlier("outcome-has-half", t="n", k="k", b="x", c="a", g="g"),
        earlier("outcome-has-half", t="n", k="k", b="y", c="b", g="h"),
    ),
    by_query(
        "mixing-of-near-laws",
        {**_STEP["for"], "g": 1, "h": 1},
        [*_MIXES, *_WITHIN],
        _STEP["then"],
        earlier("nearby-outcomes", **same("n", "delta", "a", "b", "x", "y", "g", "h")),
        earlier("mixing", **same(*_STEP["for"])),
    ),
)

CLAMPED = (
    by_query(
        "clamped-event",
        {"n": "Int", "low": "Int", "high": "Int", "s": 1, "u": 1},
        [
            "(<= low high)",
            "(all (z low high) (and (>= (s z) 0) (<= (s z) 1)))",
            "(all (k 1 n) (= (u k) (ite (< k low) (s low) (ite (> k high) (s high) (s k)))))",
        ],
        _EVENT,
        given(0, "low"),
        given(0, "high"),
        given(0, "k"),
        given(1, "k"),
    ),
)
"""s weighs the counts from low to high in an event, u the noise that is clamped to them."""


DISTANCES = (
    by_query(
        "rate-rounded-down",
        dict.fromkeys(("p", "q", "s", "f"), "Int"),
        ["(>= q 1)", "(>= s 1)", "(<= (* f q) (* s p))", "(< (* s p) (* (+ f 1) q))"],
        "(and (<= (/ f s) (/ p q)) (<= (- (/ p q) (/ f s)) (/ 1 s)))",
    ),
    by_query(
        "distances-add-up",
        {**dict.fromkeys(("m", "t", "M", "n"), "Int"), **dict.fromkeys(("q", "x", "y", "z"), "Real")},
        [
            "(>= q 0)",
            "(>= m 1)",
            "(<= m M)",
            "(>= t 0)",
            "(<= t (+ n 1))",
            "(<= (- x y) (* m q))",
            "(<= (- y z) (* t q (- m 1)))",
        ],
        "(and (<= (- x z) (* (- (* m (+ t 1)) t) q)) (<= (- x z) (* M (+ n 2) q)))",
        earlier("binomial-distance", **same("q", "m", "t", "M", "n"), coins="(- x y)", rounding="(- y z)"),
    ),
)
"""f is s p/q, rounded down; x, y and z are an event's probabilities with coins of rate p/q, of f/s, and rounded."""
