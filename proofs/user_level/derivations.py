"""Derivations on clipped histograms: norms and distances as sums over items, and sums that are s units apart."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.terms import Term, size

_DISTANCE = size(Term("(a k)") - Term("(b k)"))
assert isinstance(_DISTANCE, Term)
_SORTS: dict[str, str | int] = {"n": "Int", "a": 1, "b": 1, "d": 1}
_SIZES = [
    f"(all (k 1 n) (= (d k) {_DISTANCE.text}))",
    "(all (k 1 n) (and (>= (a k) 0) (>= (b k) 0)))",
]
_SQUARE = "(* (- (a k) (b k)) (- (a k) (b k)))"
_TOTAL = "(+ (* (a k) (a k)) (* (b k) (b k)))"

CLIPPED = (
    by_query(
        "clipped-norm-of-entries",
        {"n": "Int", "a": 1, "h": 1, "s": "Real", "K": "Real"},
        ["(>= n 0)", "(> s 0)", "(= (sum (k 1 n) (h k)) s)", "(all (k 1 n) (<= (* s (a k)) (* K (h k))))"],
        "(<= (sum (k 1 n) (a k)) K)",
        earlier("sum-at-most", n="n", m="n", a=("k", "(* s (a k))"), b=("k", "(* K (h k))")),
        earlier("sum-scale", n="n", c="s", a="a"),
        earlier("sum-scale", n="n", c="K", a="h"),
        earlier("clipped-norm", A="(sum (k 1 n) (a k))", s="s", K="K"),
    ),
    by_query(
        "distance-each",
        _SORTS,
        _SIZES,
        "(all (k 1 n) (<= (d k) (+ (a k) (b k))))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "clipped-distance-in-l1",
        {**_SORTS, "K": "Real"},
        ["(>= n 0)", "(<= (sum (k 1 n) (a k)) K)", "(<= (sum (k 1 n) (b k)) K)", *_SIZES],
        "(<= (sum (k 1 n) (d k)) (* 2 K))",
        earlier("distance-each", n="n", a="a", b="b", d="d"),
        earlier("sum-at-most", n="n", m="n", a="d", b=("k", "(+ (a k) (b k))")),
        earlier("sum-plus", n="n", a="a", b="b"),
    ),
    by_query(
        "square-each",
        {"n": "Int", "a": 1, "b": 1},
        [_SIZES[1]],
        f"(all (k 1 n) (<= {_SQUARE} {_TOTAL}))",
        given(0, "k"),
    ),
    by_query(
        "clipped-distance-in-l2",
        {"n": "Int", "a": 1, "b": 1, "K": "Real"},
        ["(>= n 0)", "(<= (sum (k 1 n) (* (a k) (a k))) K)", "(<= (sum (k 1 n) (* (b k) (b k))) K)", _SIZES[1]],
        f"(<= (sum (k 1 n) {_SQUARE}) (* 2 K))",
        earlier("square-each", n="n", a="a", b="b"),
        earlier("sum-at-most", n="n", m="n", a=("k", _SQUARE), b=("k", _TOTAL)),
        earlier("sum-plus", n="n", a=("k", "(* (a k) (a k))"), b=("k", "(* (b k) (b k))")),
    ),
)
"""a and b are the entries of two clipped histograms, h the counts of one, s its norm and K the clip."""

CHAIN = (
    by_induction(
        "units-apart",
        {"s": "Int", "l": "Int", "R": "Real", "P": 1},
        ["(>= s 0)", "(<= s l)", "(>= R 1)", "(all (i 0 (- l 1)) (<= (P i) (* R (P (+ i 1)))))"],
        "(<= (P 0) (* (pow R s) (P s)))",
        base=[],
        step=[unfold("(pow R (+ s 1))"), given(0, "s"), earlier("pow-positive", n="s", E="R")],
    ),
)
"""P(i) is the probability of an event where the sum is i units on its way to the other one."""
