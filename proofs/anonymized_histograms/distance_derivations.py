"""Derivations on the distance of histograms: no labeling is closer than the sorted one, which prevalences count.

u(x, r) is 1 if the count of label x is at least r, else 0, so that its sum over r is the count, and its sum over x the
cumulative prevalence of r; v is that of the other histogram.
"""

from __future__ import annotations

from dpcert.proofs.derivation import apart, by_induction, by_query, earlier, given, same, unfold

_ONE: dict[str, str | int] = {"n": "Int", "m": "Int", "a": 1, "b": 1, "d": 1}
_BITS = "(and (or (= ({a} k) 0) (= ({a} k) 1)) (or (= ({b} k) 0) (= ({b} k) 1)))"
_FALL = "(and (>= ({a} k) ({a} (+ k 1))) (>= ({b} k) ({b} (+ k 1))))"
_ROW = [
    f"(all (k 1 m) {_BITS.format(a='a', b='b')})",
    f"(all (k 1 (- m 1)) {_FALL.format(a='a', b='b')})",
    f"(all (k 1 m) (= (d k) {apart('(a k)', '(b k)')}))",
]
_SIGNED, _SIZES = "(sum (k 1 n) (- (a k) (b k)))", "(sum (k 1 n) (d k))"
_ONE_SIGN = (
    f"(and (>= {_SIZES} 0) (or (= {_SIGNED} {_SIZES}) (= {_SIGNED} (- {_SIZES})))"
    f" (or (= (a n) 0) (= {_SIGNED} {_SIZES})) (or (= (b n) 0) (= {_SIGNED} (- {_SIZES}))))"
)
_ENDS = (
    unfold("(sum (k 1 1) (- (a k) (b k)))"),
    unfold("(sum (k 1 0) (- (a k) (b k)))"),
    unfold("(sum (k 1 1) (d k))"),
    unfold("(sum (k 1 0) (d k))"),
)
_OF_A, _OF_B = "(sum (k 1 n) (a k))", "(sum (k 1 n) (b k))"

_ALL: dict[str, str | int] = {"n": "Int", "m": "Int", "u": 2, "v": 2, "w": 2}
_BY_LABEL = [
    "(all (x 1 n) (all (k 1 m) (and (or (= (u x k) 0) (= (u x k) 1)) (or (= (v x k) 0) (= (v x k) 1)))))",
    "(all (x 1 n) (all (k 1 (- m 1)) (and (>= (u x k) (u x (+ k 1))) (>= (v x k) (v x (+ k 1))))))",
    f"(all (x 1 n) (all (k 1 m) (= (w x k) {apart('(u x k)', '(v x k)')})))",
]
_BY_VALUE = [
    "(all (r 1 m) (all (k 1 n) (and (or (= (u k r) 0) (= (u k r) 1)) (or (= (v k r) 0) (= (v k r) 1)))))",
    "(all (r 1 m) (all (k 1 (- n 1)) (and (>= (u k r) (u (+ k 1) r)) (>= (v k r) (v (+ k 1) r)))))",
    f"(all (r 1 m) (all (k 1 n) (= (w k r) {apart('(u k r)', '(v k r)')})))",
]
_COUNTS = f"(all (x 1 n) (= (e x) {apart('(sum (k 1 m) (u x k))', '(sum (k 1 m) (v x k))')}))"
_PREVALENCES = f"(all (r 1 m) (= (f r) {apart('(sum (k 1 n) (u k r))', '(sum (k 1 n) (v k r))')}))"
_OF_LABEL = {"n": "m", "a": ["k", "(u x k)"], "b": ["k", "(v x k)"], "d": ["k", "(w x k)"]}
_OF_VALUE = {"n": "n", "a": ["k", "(u k r)"], "b": ["k", "(v k r)"], "d": ["k", "(w k r)"]}
_LABELED, _COUNTED = "(sum (x 1 n) (e x))", "(sum (r 1 m) (f r))"
_EXCHANGE = earlier("sum-exchange", n="n", m="m", t="w")

DISTANCE = (
    by_induction(
        "one-sign",
        _ONE,
        ["(>= n 1)", "(<= n m)", *_ROW],
        _ONE_SIGN,
        base=[*_ENDS, given(0, "1"), given(2, "1")],
        step=[
            unfold("(sum (k 1 (+ n 1)) (- (a k) (b k)))"),
            unfold("(sum (k 1 (+ n 1)) (d k))"),
            given(0, "n"),
            given(0, "(+ n 1)"),
            given(1, "n"),
            given(2, "(+ n 1)"),
            earlier("one-sign-step", a="(a n)", b="(b n)", c="(a (+ n 1))", d="(b (+ n 1))", S=_SIGNED, D=_SIZES),
        ],
    ),
    by_induction(
        "sum-of-differences",
        {"n": "Int", "a": 1, "b": 1},
        ["(>= n 0)"],
        f"(= {_SIGNED} (- {_OF_A} {_OF_B}))",
        base=[_ENDS[1], unfold("(sum (k 1 0) (a k))"), unfold("(sum (k 1 0) (b k))")],
        step=[
            unfold("(sum (k 1 (+ n 1)) (- (a k) (b k)))"),
            unfold("(sum (k 1 (+ n 1)) (a k))"),
            unfold("(sum (k 1 (+ n 1)) (b k))"),
        ],
    ),
    by_query(
        "size-of-difference",
        {"n": "Int", "a": 1, "b": 1, "d": 1},
        ["(>= n 1)", *(each.replace(" m", " n") for each in _ROW)],
        f"(= {_SIZES} {apart(_OF_A, _OF_B)})",
        earlier("one-sign", n="n", m="n", a="a", b="b", d="d"),
        earlier("sum-of-differences", n="n", a="a", b="b"),
    ),
    by_query(
        "size-each",
        {"n": "Int", "a": 1, "b": 1, "d": 1},
        [_ROW[2].replace(" m", " n")],
        "(all (k 1 n) (and (>= (d k) (- (a k) (b k))) (>= (d k) (- (- (a k) (b k))))))",
        given(0, "k"),
    ),
    by_query(
        "counts-by-value",
        {**_ALL, "e": 1},
        ["(>= m 1)", *_BY_LABEL, _COUNTS],
        "(all (x 1 n) (= (e x) (sum (k 1 m) (w x k))))",
        *(given(place, "x") for place in range(4)),
        earlier("size-of-difference", **_OF_LABEL),
    ),
    by_query(
        "prevalence-at-most",
        {**_ALL, "f": 1},
        ["(>= n 1)", _BY_VALUE[2], _PREVALENCES],
        "(all (r 1 m) (<= (f r) (sum (k 1 n) (w k r))))",
        given(0, "r"),
        given(1, "r"),
        earlier("size-each", **_OF_VALUE),
        earlier("size-of-sum", n="n", m="n", a=["k", "(- (u k r) (v k r))"], d=["k", "(w k r)"]),
        earlier("sum-of-differences", n="n", a=["k", "(u k r)"], b=["k", "(v k r)"]),
    ),
    by_query(
        "prevalence-of-sorted",
        {**_ALL, "f": 1},
        ["(>= n 1)", *_BY_VALUE, _PREVALENCES],
        "(all (r 1 m) (= (f r) (sum (k 1 n) (w k r))))",
        *(given(place, "r") for place in range(4)),
        earlier("size-of-difference", **_OF_VALUE),
    ),
    by_query(
        "labeled-distance",
        {**_ALL, "e": 1},
        ["(>= n 1)", "(>= m 1)", *_BY_LABEL, _COUNTS],
        f"(= {_LABELED} (sum (r 1 m) (sum (k 1 n) (w k r))))",
        earlier("counts-by-value", **same("n", "m", "u", "v", "w", "e")),
        earlier("sum-equal", n="n", m="n", a="e", b=("x", "(sum (k 1 m) (w x k))")),
        _EXCHANGE,
    ),
    by_query(
        "no-labeling-is-closer",
        {**_ALL, "e": 1, "f": 1},
        ["(>= n 1)", "(>= m 1)", *_BY_LABEL, _BY_VALUE[2], _COUNTS, _PREVALENCES],
        f"(<= {_COUNTED} {_LABELED})",
        earlier("labeled-distance", **same("n", "m", "u", "v", "w", "e")),
        earlier("prevalence-at-most", **same("n", "m", "u", "v", "w", "f")),
        earlier("sum-at-most", n="m", m="m", a="f", b=("r", "(sum (k 1 n) (w k r))")),
    ),
    by_query(
        "sorted-is-closest",
        {**_ALL, "e": 1, "f": 1},
        ["(>= n 1)", "(>= m 1)", *_BY_LABEL, *_BY_VALUE, _COUNTS, _PREVALENCES],
        f"(= {_COUNTED} {_LABELED})",
        earlier("labeled-distance", **same("n", "m", "u", "v", "w", "e")),
        earlier("prevalence-of-sorted", **same("n", "m", "u", "v", "w", "f")),
        earlier("sum-equal", n="m", m="m", a="f", b=("r", "(sum (k 1 n) (w k r))")),
    ),
    by_query(
        "prevalences-of-labeling",
        {"n": "Int", "m": "Int", "s": 2, "u": 2, "v": 2},
        [
            "(>= n 0)",
            "(all (j 1 n) (= (sum (i 1 n) (s i j)) 1))",
            "(all (r 1 m) (all (i 1 n) (= (v i r) (sum (j 1 n) (* (s i j) (u j r))))))",
        ],
        "(all (r 1 m) (= (sum (i 1 n) (v i r)) (sum (j 1 n) (u j r))))",
        given(1, "r"),
        earlier("sum-in-another-order", n="n", s="s", a=("j", "(u j r)"), b=("i", "(v i r)")),
    ),
    by_induction(
        "prevalences-at-most",
        {"n": "Int", "m": "Int", "c": 1, "d": 1, "f": 1, "h": 1},
        [
            "(>= n 0)",
            "(<= n m)",
            "(all (k 1 m) (= (c k) (+ (c (+ k 1)) (d k))))",
            f"(all (k 1 (+ m 1)) (= (f k) {apart('(c k)', '0')}))",
            f"(all (k 1 m) (= (h k) {apart('(d k)', '0')}))",
        ],
        "(<= (sum (k 1 n) (f k)) (+ (sum (k 1 n) (* k (h k))) (* n (f (+ n 1)))))",
        base=[unfold("(sum (k 1 0) (f k))"), unfold("(sum (k 1 0) (* k (h k)))")],
        step=[
            unfold("(sum (k 1 (+ n 1)) (f k))"),
            unfold("(sum (k 1 (+ n 1)) (* k (h k)))"),
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
            given(1, "(+ (+ n 1) 1)"),
            given(2, "(+ n 1)"),
            earlier("prevalence-step", c="(c (+ (+ n 1) 1))", d="0", p="(d (+ n 1))", q="0", S="(f (+ (+ n 1) 1))"),
        ],
    ),
    by_query(
        "distance-of-prevalences",
        {"m": "Int", "c": 1, "d": 1, "f": 1, "h": 1},
        [
            "(>= m 0)",
            "(= (c (+ m 1)) 0)",
            "(all (k 1 m) (= (c k) (+ (c (+ k 1)) (d k))))",
            f"(all (k 1 (+ m 1)) (= (f k) {apart('(c k)', '0')}))",
            f"(all (k 1 m) (= (h k) {apart('(d k)', '0')}))",
        ],
        "(<= (sum (k 1 m) (f k)) (sum (k 1 m) (* k (h k))))",
        given(1, "(+ m 1)"),
        earlier("prevalences-at-most", n="m", **same("m", "c", "d", "f", "h")),
    ),
)
"""s(i, j) is 1 where a labeling puts label j in place i. e(x) is how far the counts of label x are apart, f(r) how far
the cumulative prevalences of r are; c(r) and d(r) are the differences of cumulative prevalences and of prevalences,
f(r) and h(r) their sizes.
"""
