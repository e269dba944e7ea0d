"""Derivations on the two passes of Algorithm 4, from row i - 1 with the m values 1, ..., m to row i with m + 1.

A(j) and P(j) are what the values 1, ..., j have in row i - 1 and by the first pass, a(j) and l(j) its entries; x and y
are how often the rows report. After t values of the second pass, the greatest t, `above` is what these have and `left`
what is left of y beside them and the least entries; `added` is what the t-th was raised by.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given
from dpcert.proofs.terms import Condition, Term, equal, every, greatest, least, positive_part, some

E, DELTA, G, X, Y = Term("E"), Term("delta"), Term("g"), Term("x"), Term("y")
ABOVE, LEFT, NEXT = Term("(above s)"), Term("(left s)"), Term("(added (+ s 1))")


def _text(term: object) -> str:
    """Return the text of a term or a condition."""
    assert isinstance(term, Term | Condition)
    return term.text


def _least(j: str) -> str:
    """Return `least_prefix` of what the values up to j have in row i - 1."""
    return _text(greatest(0, (Term(f"(A {j})") - DELTA) / E + G))


def _filled(above: str, left: str, mass: str) -> str:
    """Return that values have what privacy allows, or nothing is left, the values below having the mass."""
    found, room, rest = Term(above), E * (X - Term(mass)) + DELTA, Term(left)
    return _text(some(every(equal(found, room), rest >= 0), every(equal(rest, 0), found <= room)))


_ROOM = E * (X - Term("(A (- m s))")) + DELTA - ABOVE - Term("(l (- (+ m 1) s))")
_ADDED = _text(some(every(equal(LEFT, 0), equal(NEXT, 0)), equal(NEXT, least(_ROOM, LEFT))))
_ENTRY = _text(positive_part((Term("(A k)") - DELTA) / E - Term("(P (- k 1))") + G))

_ONE: dict[str, str | int] = {"m": "Int", "E": "Real", "delta": "Real", "g": "Real", "A": 1, "P": 1, "a": 1, "l": 1}
_FIRST = [
    "(>= E 1)",
    "(>= delta 0)",
    "(<= (* E g) delta)",
    "(= (A 0) 0)",
    "(= (P 0) 0)",
    "(all (k 1 m) (and (>= (a k) 0) (= (A k) (+ (A (- k 1)) (a k)))))",
    f"(all (k 1 m) (and (= (l k) {_ENTRY}) (= (P k) (+ (P (- k 1)) (l k)))))",
]
_TWO: dict[str, str | int] = {**_ONE, "x": "Real", "y": "Real", "above": 1, "left": 1, "added": 1}
_SECOND = [
    *_FIRST,
    "(= x (A m))",
    "(>= x 0)",
    "(<= x y)",
    "(= (left 0) (- y (P m)))",
    f"(= (added 1) {_text(least(DELTA, Term('(left 0)')))})",
    "(= (above 1) (added 1))",
    "(= (left 1) (- (left 0) (added 1)))",
    f"(all (s 1 m) {_ADDED})",
    "(all (s 1 m) (and (= (above (+ s 1)) (+ (above s) (l (- (+ m 1) s)) (added (+ s 1))))"
    " (= (left (+ s 1)) (- (left s) (added (+ s 1))))))",
]
_FROM_ONE = _SECOND[-5:-2]
_FROM_ZERO = [
    "(= (above 0) 0)",
    "(= (l (+ m 1)) 0)",
    *(each.replace("(s 1 m)", "(s 0 m)") for each in _SECOND[-2:]),
]
"""The second pass from its definition: it begins at the new entry, of which the first pass has given nothing."""
_BEYOND = Y - E * (X - Term("(A (- (+ m 1) t))")) - DELTA
_AT_ONE = {name: name for name in _ONE}
_AT_TWO = {name: name for name in _TWO}
_NUMBERS = {name: name for name in ("E", "delta", "g", "x", "y")}
_PLACE = "(- (+ m 1) t)"

PASSES = (
    by_induction(
        "first-pass",
        {**_ONE, "j": "Int"},
        ["(>= j 0)", "(<= j m)", *_FIRST],
        f"(= (P j) {_least('j')})",
        base=[],
        step=[
            given(0, "(+ j 1)"),
            given(1, "(+ j 1)"),
            earlier("first-pass-step", E="E", delta="delta", g="g", X="(A j)", a="(- (A (+ j 1)) (A j))"),
        ],
    ),
    by_query(
        "least-entry",
        {**_ONE, "j": "Int"},
        ["(>= j 1)", "(<= j m)", *_FIRST],
        "(and (<= (* E (l j)) (a j)) (<= (l j) (* E (a j))))",
        given(0, "j"),
        given(1, "j"),
        earlier("first-pass", j="j", **_AT_ONE),
        earlier("first-pass", j="(- j 1)", **_AT_ONE),
        earlier("least-step", E="E", delta="delta", g="g", x="0", y="0", X="(A (- j 1))", a="(- (A j) (A (- j 1)))"),
    ),
    by_query(
        "least-entries-by-breakpoint",
        {**_ONE, "j": "Int"},
        ["(>= j 1)", "(<= j m)", *_FIRST],
        "(and (or (> (+ (A j) (* E g)) delta) (= (l j) 0))"
        " (or (< (+ (A (- j 1)) (* E g)) delta) (= (* E (l j)) (a j))))",
        given(0, "j"),
        given(1, "j"),
        earlier("first-pass", j="j", **_AT_ONE),
        earlier("first-pass", j="(- j 1)", **_AT_ONE),
    ),
    by_induction(
        "mass-kept",
        {**_TWO, "t": "Int"},
        ["(>= t 1)", "(<= t (+ m 1))", "(>= m 0)", *_SECOND],
        f"(= (+ (above t) (left t) (P {_PLACE})) y)",
        base=[],
        step=[given(3, "t"), given(1, _PLACE)],
    ),
    by_query(
        "mass-to-place",
        _TWO,
        ["(>= m 0)", *_SECOND],
        "(and (>= (left 0) 0) (<= (P m) x))",
        earlier("first-pass", j="m", **_AT_ONE),
        earlier("values-end", **_NUMBERS, X="(A m)"),
    ),
    by_query(
        "new-entry",
        _TWO,
        ["(>= m 0)", *_SECOND[:-5], *_FROM_ZERO],
        f"(and {_FROM_ONE[0]} {_FROM_ONE[1]} {_FROM_ONE[2]})",
        earlier("first-pass", j="m", **_AT_ONE),
        earlier("values-end", **_NUMBERS, X="(A m)"),
        given(2, "0"),
        given(3, "0"),
    ),
    by_induction(
        "second-pass",
        {**_TWO, "t": "Int"},
        ["(>= t 1)", "(<= t (+ m 1))", "(>= m 0)", *_SECOND],
        _filled("(above t)", "(left t)", f"(A {_PLACE})"),
        base=[earlier("mass-to-place", **_AT_TWO)],
        step=[
            given(2, "t"),
            given(3, "t"),
            given(0, _PLACE),
            earlier("least-entry", j=_PLACE, **_AT_ONE),
            earlier(
                "second-pass-step",
                E="E",
                delta="delta",
                x="x",
                A="(A (- m t))",
                a=f"(a {_PLACE})",
                l=f"(l {_PLACE})",
                above="(above t)",
                left="(left t)",
                added="(added (+ t 1))",
            ),
        ],
    ),
    by_query(
        "passes-give-prefixes",
        {**_TWO, "t": "Int"},
        ["(>= t 1)", "(<= t (+ m 1))", "(>= m 0)", *_SECOND],
        f"(= (- y (above t)) {_text(greatest(0, (Term(f'(A {_PLACE})') - DELTA) / E + G, _BEYOND))})",
        earlier("mass-kept", t="t", **_AT_TWO),
        earlier("second-pass", t="t", **_AT_TWO),
        earlier("first-pass", j=_PLACE, **_AT_ONE),
        earlier("passes-prefix", X=f"(A {_PLACE})", above="(above t)", left="(left t)", **_NUMBERS),
    ),
    by_query(
        "raised-as-far-as-allowed",
        {**_TWO, "t": "Int"},
        ["(>= t 1)", "(<= t m)", "(>= m 0)", *_SECOND, "(> (left (+ t 1)) 0)"],
        f"(= (- (above (+ t 1)) (above t)) (* E (a {_PLACE})))",
        given(0, _PLACE),
        given(2, "t"),
        given(3, "t"),
        earlier("least-entry", j=_PLACE, **_AT_ONE),
        earlier("second-pass", t="t", **_AT_TWO),
        earlier("second-pass", t="(+ t 1)", **_AT_TWO),
    ),
    by_query(
        "all-is-placed",
        _TWO,
        ["(>= m 0)", "(<= y (+ (* E x) delta))", *_SECOND],
        "(and (= (left (+ m 1)) 0) (= (above (+ m 1)) y))",
        earlier("mass-kept", t="(+ m 1)", **_AT_TWO),
        earlier("second-pass", t="(+ m 1)", **_AT_TWO),
    ),
)

DENSITIES = (
    by_induction(
        "no-switch-in-a-cell",
        {"n": "Int", "N": "Int", "y": "Real", "M": 1},
        ["(>= n 0)", "(<= n N)", "(<= (M 0) y)", "(all (j 0 (- N 1)) (or (> (M j) y) (< (M (+ j 1)) y)))"],
        "(<= (M n) y)",
        base=[],
        step=[given(0, "n")],
    ),
    by_query(
        "no-switch-at-all",
        {"N": "Int", "y": "Real", "M": 1},
        ["(>= N 1)", "(<= (M 0) y)", "(all (j 0 (- N 1)) (or (> (M j) y) (< (M (+ j 1)) y)))"],
        "(< (M N) y)",
        earlier("no-switch-in-a-cell", n="(- N 1)", N="N", y="y", M="M"),
        given(0, "(- N 1)"),
    ),
    by_query(
        "switch-within-a-cell",
        dict.fromkeys(("a", "b", "y", "w", "d", "s"), "Real"),
        ["(<= a y)", "(<= y b)", "(= b (+ a (* w d)))", "(> d 0)", "(= (* s d) (- y a))"],
        "(and (>= s 0) (<= s w) (= (+ a (* s d)) y))",
    ),
)
"""M(j) is the mass if c is j of the N cells from the end, in each of which both densities are constant: from that of
the least density to that of E times the density before. If no cell had y between its ends, M(N) were less than y;
within the one that has, of width w, with d the difference of the densities, c is s from the end.
"""
