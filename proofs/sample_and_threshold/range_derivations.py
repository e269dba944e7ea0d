"""Derivations on many releases, and on samples: N ways for a sample, with probability q(j) off its mean by a(j)."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.terms import Term, choose, size

_CHILD = "(+ (* (- {} 1) m) b)".format
_OF_LEVEL = "(all (j 0 (- L 1)) (all (g 1 (N (+ j 1))) {}))".format
_TREE: Sorts = {
    **dict.fromkeys(("l", "L", "m"), "Int"),
    **dict.fromkeys(("E", "delta"), "Real"),
    **dict.fromkeys("ND", 1),
    **dict.fromkeys("pqr", 3),
    **dict.fromkeys("xy", 2),
}

MANY = (
    by_query(
        "release-before",
        {"l": "Int", "L": "Int"},
        ["(<= (+ l 1) L)"],
        "(<= l L)",
    ),
    by_query(
        "releases-after",
        {
            **dict.fromkeys(("l", "L", "m", "h"), "Int"),
            **dict.fromkeys(("M", "K", "F", "d"), "Real"),
            "x": 1,
            "y": 1,
        },
        [
            "(<= l L)",
            "(>= h 1)",
            "(<= h K)",
            "(= M (* m K))",
            "(all (g 1 M) (or (not (<= l L)) (<= (x g) (+ (* F (y g)) d))))",
        ],
        f"(all (b 1 m) (<= (x {_CHILD('h')}) (+ (* F (y {_CHILD('h')})) d)))",
        given(0, _CHILD("h")),
    ),
    by_induction(
        "releases-compose",
        _TREE,
        [
            "(>= l 0)",
            "(<= l L)",
            "(>= m 0)",
            "(>= E 1)",
            "(= (D 0) 0)",
            "(all (h 1 (N 0)) (= (x 0 h) (y 0 h)))",
            "(all (j 0 (- L 1)) (and (= (N j) (* m (N (+ j 1)))) (>= (D j) 0) (= (D (+ j 1)) (+ (D j) delta))))",
            _OF_LEVEL(f"(= (x (+ j 1) g) (sum (b 1 m) (* (p j g b) (x j {_CHILD('g')}))))"),
            _OF_LEVEL(f"(= (y (+ j 1) g) (sum (b 1 m) (* (q j g b) (y j {_CHILD('g')}))))"),
            _OF_LEVEL("(and (<= (sum (b 1 m) (r j g b)) delta) (<= (sum (b 1 m) (p j g b)) 1))"),
            _OF_LEVEL(
                "(all (b 1 m) (and (>= (p j g b) 0) (>= (q j g b) 0) (>= (r j g b) 0)"
                " (>= (r j g b) (- (p j g b) (* E (q j g b))))))"
            ),
            _OF_LEVEL(
                f"(all (b 1 m) (and (>= (x j {_CHILD('g')}) 0) (<= (x j {_CHILD('g')}) 1)"
                f" (>= (y j {_CHILD('g')}) 0) (<= (y j {_CHILD('g')}) 1)))"
            ),
        ],
        "(all (h 1 (N l)) (<= (x l h) (+ (* (pow E l) (y l h)) (D l))))",
        base=[given(0, "h")],
        step=[
            earlier("release-before", l="l", L="L"),
            given(1, "l"),
            given(2, "l"),
            given(8, "h"),
            given(3, "l"),
            given(9, "h"),
            given(4, "l"),
            given(10, "h"),
            given(5, "l"),
            given(11, "h"),
            given(6, "l"),
            given(13, "h"),
            unfold("(pow E (+ l 1))"),
            earlier("pow-at-least-one", n="l", E="E"),
            earlier(
                "releases-after",
                **same("l", "L", "m", "h"),
                M="(N l)",
                K="(N (+ l 1))",
                F="(pow E l)",
                d="(D l)",
                x=("g", "(x l g)"),
                y=("g", "(y l g)"),
            ),
            earlier(
                "composition",
                n="m",
                E1="E",
                E2="(pow E l)",
                delta1="delta",
                delta2="(D l)",
                p=("b", "(p l h b)"),
                q=("b", "(q l h b)"),
                e=("b", "(r l h b)"),
                x=("b", f"(x l {_CHILD('h')})"),
                y=("b", f"(y l {_CHILD('h')})"),
            ),
        ],
    ),
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
"""With l releases still to come, an event has probability x(l, h) or y(l, h) after history h, of N(l): at l epsilon
with the delta D(l). Outcome b of the next release, of m, has probability p(l - 1, h, b) or q(l - 1, h, b), its excess
is r(l - 1, h, b), and it leads to history (h - 1) m + b.
"""

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
_OFF_ONES = f"(all (j 1 N) (= (e j) {_text(choose(size(A) > Term('r'), 1, 0))}))"
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
        "off-each",
        {**_WAYS, "r": "Real", "T": "Real", "f": 1, "e": 1},
        ["(>= r 0)", "(= T (* r r))", _NOT_NEGATIVE, _FAR_ONES, _OFF_ONES],
        "(all (j 1 N) (<= (* (q j) (e j)) (* (q j) (f j))))",
        given(0, "j"),
        given(1, "j"),
        given(2, "j"),
    ),
    by_query(
        "range-off",
        {
            **_WAYS,
            **dict.fromkeys(("k", "n"), "Int"),
            **dict.fromkeys(("p", "m", "c", "r", "T"), "Real"),
            "f": 1,
            "e": 1,
        },
        [
            "(>= N 0)",
            "(>= k 0)",
            "(<= k n)",
            "(> p 0)",
            "(<= p 1)",
            "(= m (* n p))",
            "(> m 0)",
            "(>= r 0)",
            "(= T (* r r))",
            "(= T (* (* c c) m))",
            f"(= {_SQUARES} (* k (* p (- 1 p))))",
            _NOT_NEGATIVE,
            _FAR_ONES,
            _OFF_ONES,
        ],
        "(<= (* (* c c) (sum (j 1 N) (* (q j) (e j)))) 1)",
        earlier("off-each", **same("N", "q", "a", "r", "T", "f", "e")),
        earlier("sum-at-most", n="N", m="N", a=("j", "(* (q j) (e j))"), b=("j", "(* (q j) (f j))")),
        earlier("range-far", **same("N", "q", "a", "k", "n", "p", "m", "c", "T", "f")),
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
"""V(k) is the variance of k people's sample, and f(j) is 1 if way j is off by more than T in square, e(j) if by more
than r.

n(i) are sampled in cell i of S, s(i) shown, B is tau - 1; d(i) is a digit of the range's end, at most b = beta - 1.
"""
