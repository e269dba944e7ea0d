"""Derivations on many releases, and on samples: N ways for a sample, with probability q(j) off its mean by a(j)."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.terms import Term, choose

MANY = (
    by_induction(
        "composition-of-many",
        {"l": "Int", "L": "Int", "delta": "Real", "D": 1},
        [
            "(>= l 0)",
            "(<= l L)",
            "(= (D 0) 0)",
            "(all (j 0 (- L 1)) (<= (D (+ j 1)) (+ (D j) delta)))",
        ],
        "(<= (D l) (* l delta))",
        base=[],
        step=[
            given(0, "l"),
            earlier("composed-once-more", delta="delta", D="(D l)", more="(D (+ l 1))", l="l"),
        ],
    ),
)
"""D(l) is the least delta of the first l releases at l epsilon."""

_DIGITS: dict[str, str | int] = {"l": "Int", "L": "Int", "r": "Int", "beta": "Real", "c": 1, "C": 1, "d": 1, "D": 1}
_PREFIXES = [
    "(all (i 0 (- L 1)) (= (c (+ i 1)) (+ (* beta (c i)) (d (+ i 1)))))",
    "(all (i 0 (- L 1)) (= (C (+ i 1)) (+ (* beta (C i)) (D (+ i 1)))))",
]
_APART = "(or (>= (c {0}) (+ (C {0}) 1)) (>= (C {0}) (+ (c {0}) 1)))".format

DIGITS = (
    by_induction(
        "cells-in-common",
        _DIGITS,
        ["(>= l 0)", "(<= l r)", "(<= r L)", "(= (c 0) (C 0))", *_PREFIXES, "(all (i 1 r) (= (d i) (D i)))"],
        "(= (c l) (C l))",
        base=[],
        step=[given(0, "l"), given(1, "l"), given(2, "(+ l 1)")],
    ),
    by_induction(
        "cells-stay-apart",
        _DIGITS,
        [
            "(>= l 0)",
            "(>= r 0)",
            "(<= (+ r l) L)",
            "(>= beta 1)",
            *_PREFIXES,
            "(all (i 1 L) (and (>= (d i) 0) (>= (D i) 0) (<= (d i) (- beta 1)) (<= (D i) (- beta 1))))",
            _APART("r"),
        ],
        _APART("(+ r l)"),
        base=[],
        step=[given(0, "(+ r l)"), given(1, "(+ r l)"), given(2, "(+ (+ r l) 1)")],
    ),
)
"""c(l) and C(l) are the numbers that the first l digits of two people are, to the base beta: their cells of level l."""


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


P, A = Term("p"), Term("(a j)")
_ONE_MORE = _text((1 - P) * (A - P) * (A - P) + P * (A + 1 - P) * (A + 1 - P))
_FAR = _text(choose(Term("T") < A * A, 1, 0))
_WAYS: dict[str, str | int] = {"N": "Int", "q": 1, "a": 1}
_SQUARE, _SQUARES = "(* (q j) (* (a j) (a j)))", "(sum (j 1 N) (* (q j) (* (a j) (a j))))"
_NOT_NEGATIVE = "(all (j 1 N) (>= (q j) 0))"
_FAR_ONES = f"(all (j 1 N) (= (f j) {_FAR}))"
_CELLS: dict[str, str | int] = {"S": "Int", "B": "Real", "n": 1, "s": 1}
_LOSS = "(all (i 1 S) (and (<= (s i) (n i)) (<= (n i) (+ (s i) B))))"
_AT_CELLS = {name: name for name in _CELLS}

RANGES = (
    by_query(
        "one-more-sampled",
        {**_WAYS, "p": "Real"},
        ["(>= N 0)", "(= (sum (j 1 N) (q j)) 1)"],
        f"(= (sum (j 1 N) (* (q j) {_ONE_MORE})) (+ {_SQUARES} (* p (- 1 p))))",
        earlier("sum-plus", n="N", a=("j", _SQUARE), b=("j", "(* (* p (- 1 p)) (q j))")),
        earlier("sum-scale", n="N", c="(* p (- 1 p))", a="q"),
    ),
    by_induction(
        "variance-of-sample",
        {"k": "Int", "m": "Int", "p": "Real", "V": 1},
        ["(>= k 0)", "(<= k m)", "(= (V 0) 0)", "(all (i 0 (- m 1)) (= (V (+ i 1)) (+ (V i) (* p (- 1 p)))))"],
        "(= (V k) (* k (* p (- 1 p))))",
        base=[],
        step=[given(0, "k")],
    ),
    by_query(
        "far-each",
        {**_WAYS, "T": "Real", "f": 1},
        [_NOT_NEGATIVE, _FAR_ONES],
        f"(all (j 1 N) (<= (* T (* (q j) (f j))) {_SQUARE}))",
        given(0, "j"),
        given(1, "j"),
        earlier("far-at-most", a="(a j)", most="T"),
    ),
    by_query(
        "far-sampled",
        {**_WAYS, "T": "Real", "f": 1},
        ["(>= N 0)", _NOT_NEGATIVE, _FAR_ONES],
        f"(<= (* T (sum (j 1 N) (* (q j) (f j)))) {_SQUARES})",
        earlier("far-each", N="N", q="q", a="a", T="T", f="f"),
        earlier("sum-at-most", n="N", m="N", a=("j", "(* T (* (q j) (f j)))"), b=("j", _SQUARE)),
        earlier("sum-scale", n="N", c="T", a=("j", "(* (q j) (f j))")),
    ),
    by_query(
        "range-far",
        {**_WAYS, "k": "Int", "n": "Int", "p": "Real", "m": "Real", "c": "Real", "T": "Real", "f": 1},
        [
            "(>= N 0)",
            "(>= k 0)",
            "(<= k n)",
            "(> p 0)",
            "(<= p 1)",
            "(= m (* n p))",
            "(> m 0)",
            "(= T (* (* c c) m))",
            f"(= {_SQUARES} (* k (* p (- 1 p))))",
            _NOT_NEGATIVE,
            _FAR_ONES,
        ],
        "(<= (* (* c c) (sum (j 1 N) (* (q j) (f j)))) 1)",
        earlier("far-sampled", N="N", q="q", a="a", T="T", f="f"),
    ),
    by_query(
        "loss-less",
        _CELLS,
        [_LOSS],
        "(all (i 1 S) (<= (s i) (n i)))",
        given(0, "i"),
    ),
    by_query(
        "loss-more",
        _CELLS,
        [_LOSS],
        "(all (i 1 S) (<= (n i) (+ (s i) B)))",
        given(0, "i"),
    ),
    by_query(
        "cells-lose",
        _CELLS,
        ["(>= S 0)", _LOSS],
        "(and (<= (sum (i 1 S) (s i)) (sum (i 1 S) (n i))) (<= (sum (i 1 S) (n i)) (+ (sum (i 1 S) (s i)) (* S B))))",
        earlier("loss-less", **_AT_CELLS),
        earlier("loss-more", **_AT_CELLS),
        earlier("sum-at-most", n="S", m="S", a="s", b="n"),
        earlier("sum-at-most", n="S", m="S", a="n", b=("i", "(+ (s i) B)")),
        earlier("sum-plus", n="S", a="s", b=("i", "B")),
        earlier("sum-of-equal", n="S", v="B"),
    ),
    by_query(
        "cells-of-range",
        {"L": "Int", "b": "Real", "d": 1},
        ["(>= L 0)", "(all (i 1 L) (<= (d i) b))"],
        "(<= (sum (i 1 L) (d i)) (* L b))",
        earlier("sum-at-most", n="L", m="L", a="d", b=("i", "b")),
        earlier("sum-of-equal", n="L", v="b"),
    ),
)
"""V(k) is the variance of k people's sample, and f(j) is 1 if way j is off by more than T in square.

n(i) are sampled in cell i of S, s(i) shown, B is tau - 1; d(i) is a digit of the range's end, at most b = beta - 1.
"""
