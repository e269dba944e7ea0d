"""Derivations on Algorithm 4: a row's sums from each value on, from those of the row before, through both passes."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given
from dpcert.proofs.weighted_sampling.derivations import next_after


def _positive(x: str) -> str:
    return f"(ite (>= {x} 0) {x} 0)"


def _least(x: str, y: str) -> str:
    return f"(ite (<= {x} {y}) {x} {y})"


_SILENT = _positive("(- (/ (- 1 a) E) (- 1 b))")
_EPSILON = ["(>= E 1)", "(> delta 0)", "(<= delta 1)"]
_OF_ROW = ["(>= a 0)", "(<= a 1)", f"(= b {next_after('1', 'a')})", f"(= s {_SILENT})"]
_REALS: Sorts = dict.fromkeys(("E", "delta", "a", "b", "s"), "Real")


def _part(x: str) -> str:
    return f"(+ (/ (- (- a {x}) delta) E) s)"


_TO_Y, _RISE = _positive(_part("y")), f"(- {_part('y')} t)"
_REST = f"(- b {_positive(_part('x'))})"
_PASS: Sorts = {"n": "Int", "m": "Int", **_REALS, "B": 1, "T": 1}
_ENTRY = _positive(f"(- {_part('(B (+ j 1))')} (T (- j 1)))")
_FIRST = [
    "(= (T 0) 0)",
    "(= (B 1) a)",
    "(all (j 1 (- m 1)) (>= (B j) (B (+ j 1))))",
    f"(all (j 1 (- m 1)) (= (T j) (+ (T (- j 1)) {_ENTRY})))",
]
_ROOM = "(+ (+ (A (+ j 1)) (l j)) (L (+ j 1)))"
_SECOND = [
    "(= (A (+ m 1)) 0)",
    "(= (B m) 0)",
    "(= (l m) 0)",
    "(= (L (+ m 1)) (- b (T m)))",
    "(all (j 1 m) (= (T j) (+ (T (- j 1)) (l j))))",
    "(all (j 1 m) (or (and (= (L (+ j 1)) 0) (= (L j) 0) (= (A j) (+ (A (+ j 1)) (l j))))"
    f" (and (= (A j) {_least('(+ (* E (B j)) delta)', _ROOM)}) (= (L j) (- {_ROOM} (A j))))))",
]
_WHOLE: Sorts = {**_PASS, "A": 1, "L": 1, "l": 1}
_AT, _BEFORE = "(- (+ m 1) n)", "(- m n)"
_ALL = {name: name for name in _PASS if name != "n"}

ROWS = (
    by_query(
        "silence-at-most",
        _REALS,
        [*_EPSILON, *_OF_ROW],
        "(and (>= s 0) (<= (* s E) delta))",
    ),
    by_query(
        "entry-of-first-pass",
        {**_REALS, "x": "Real", "y": "Real", "t": "Real"},
        ["(>= E 1)", "(<= y x)", f"(= t {_positive(_part('x'))})"],
        f"(and (= (+ t {_positive(_RISE)}) {_TO_Y}) (<= (- {_TO_Y} t) (- x y)))",
    ),
    by_induction(
        "row-first-pass",
        _PASS,
        ["(>= n 0)", "(<= n (- m 1))", *_EPSILON, "(<= (* s E) delta)", *_FIRST],
        f"(= (T n) {_positive(_part('(B (+ n 1))'))})",
        base=[],
        step=[
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
            earlier(
                "entry-of-first-pass",
                **{name: name for name in _REALS},
                x="(B (+ n 1))",
                y="(B (+ (+ n 1) 1))",
                t="(T n)",
            ),
        ],
    ),
    by_query(
        "first-pass-is-slow",
        _PASS,
        ["(>= n 1)", "(<= n (- m 1))", *_EPSILON, "(<= (* s E) delta)", *_FIRST],
        "(<= (- (T n) (T (- n 1))) (- (B n) (B (+ n 1))))",
        given(0, "n"),
        earlier("row-first-pass", n="n", **_ALL),
        earlier("row-first-pass", n="(- n 1)", **_ALL),
        earlier("entry-of-first-pass", **{name: name for name in _REALS}, x="(B n)", y="(B (+ n 1))", t="(T (- n 1))"),
    ),
    by_induction(
        "row-second-pass",
        _WHOLE,
        ["(>= n 1)", "(<= n m)", *_EPSILON, "(<= (* s E) delta)", *_FIRST, *_SECOND],
        f"(and (= (+ (A {_AT}) (+ (L {_AT}) (T {_BEFORE}))) b)"
        f" (= (A {_AT}) {_least(f'(+ (* E (B {_AT})) delta)', f'(- b (T {_BEFORE}))')}))",
        base=[given(2, "m"), given(3, "m")],
        step=[
            given(0, _BEFORE),
            given(2, _BEFORE),
            given(3, _BEFORE),
            earlier("first-pass-is-slow", n=_BEFORE, **_ALL),
        ],
    ),
    by_query(
        "sum-of-row",
        {**_REALS, "x": "Real"},
        [*_EPSILON, *_OF_ROW, "(>= x 0)", "(<= x a)"],
        f"(= {_least('(+ (* E x) delta)', _REST)} {next_after('1', 'x')})",
    ),
)
"""a and b are pi_(i-1) and pi_i, i = m; B(j) and A(j) are the sums from value j on of rows i - 1 and i, T(j) what the
first pass gives the values up to j, l(j) what it gives j, L(j) what of b is left after the second pass has seen j.
"""
