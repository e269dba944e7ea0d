"""Derivations on clipped histograms: norms and distances as sums over items, and sums that are s units apart."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, same, unfold
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

_ENTRIES: dict[str, str | int] = {"n": "Int", "a": 1, "h": 1, "s": "Real", "K": "Real"}
_ROUNDED = "(all (k 1 n) (<= (a k) (/ (* K (h k)) s)))"
_OF_SQUARES = "(all (k 1 n) (<= (* S (* (a k) (a k))) (* (* K K) (* (h k) (h k)))))"

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
        "entry-rounded-down",
        _ENTRIES,
        ["(> s 0)", _ROUNDED],
        "(all (k 1 n) (<= (* s (a k)) (* K (h k))))",
        given(0, "k"),
    ),
    by_query(
        "squares-in-order",
        {"a": "Real", "b": "Real"},
        ["(>= a 0)", "(<= a b)"],
        "(<= (* a a) (* b b))",
    ),
    by_query(
        "square-rounded-down",
        {**_ENTRIES, "S": "Real"},
        ["(> s 0)", "(= (* s s) S)", "(>= K 0)", _ROUNDED, "(all (k 1 n) (and (>= (a k) 0) (>= (h k) 0)))"],
        _OF_SQUARES,
        given(0, "k"),
        given(1, "k"),
        earlier("squares-in-order", a="(* s (a k))", b="(* K (h k))"),
    ),
    by_query(
        "norm-in-l1",
        _ENTRIES,
        ["(>= n 0)", "(> s 0)", "(= (sum (k 1 n) (h k)) s)", _ROUNDED],
        "(<= (sum (k 1 n) (a k)) K)",
        earlier("entry-rounded-down", **same("n", "a", "h", "s", "K")),
        earlier("clipped-norm-of-entries", **same("n", "a", "h", "s", "K")),
    ),
    by_query(
        "norm-in-l2",
        {**_ENTRIES, "S": "Real"},
        [
            "(>= n 0)",
            "(> s 0)",
            "(= (* s s) S)",
            "(> S 0)",
            "(>= K 0)",
            "(= (sum (k 1 n) (* (h k) (h k))) S)",
            _ROUNDED,
            "(all (k 1 n) (and (>= (a k) 0) (>= (h k) 0)))",
        ],
        "(<= (sum (k 1 n) (* (a k) (a k))) (* K K))",
        earlier("square-rounded-down", **same("n", "a", "h", "s", "K", "S")),
        earlier(
            "clipped-norm-of-entries",
            n="n",
            a=["k", "(* (a k) (a k))"],
            h=["k", "(* (h k) (h k))"],
            s="S",
            K="(* K K)",
        ),
    ),
    by_query(
        "norms-where-nothing-is-clipped",
        {"n": "Int", "h": 1, "g": "Real", "C": "Real"},
        [
            "(>= n 0)",
            "(>= g 1)",
            "(>= C 0)",
        ],
        "(and (or (> (sum (k 1 n) (h k)) C) (<= (sum (k 1 n) (* g (h k))) (* g C)))"
        " (or (> (sum (k 1 n) (* (h k) (h k))) (* C C))"
        " (<= (sum (k 1 n) (* (* g g) (* (h k) (h k)))) (* (* g C) (* g C)))))",
        earlier("sum-scale", n="n", c="g", a="h"),
        earlier("sum-scale", n="n", c="(* g g)", a=["k", "(* (h k) (h k))"]),
    ),
    by_query(
        "whole-norm",
        {"N": "Int", "F": "Int", "K": "Real"},
        ["(<= N K)", "(< K (+ F 1))"],
        "(<= N F)",
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

_SUMS: dict[str, str | int] = {"n": "Int", "m": "Int", "j": "Int", "a": 2, "b": 2, "d": 1}
_ENDS = ["(>= w 0)", "(or (= y (+ x w)) (= y (- x w)))"]


def _way(z: str, t: str) -> str:
    """Return that an item's sum is z after t units of the way, of which its own are those from s to s + w."""
    reach = f"(ite (<= {t} s) 0 (ite (>= {t} (+ s w)) w (- {t} s)))"
    return f"(= {z} (ite (>= y x) (+ x {reach}) (- x {reach})))"


CHAIN = (
    by_query(
        "one-user-replaced",
        _SUMS,
        [
            "(>= n 0)",
            "(>= j 1)",
            "(<= j n)",
            "(all (i 1 m) (all (k 1 n) (= (- (a k i) (b k i)) (ite (= k j) (d i) 0))))",
        ],
        "(all (i 1 m) (= (- (sum (k 1 n) (a k i)) (sum (k 1 n) (b k i))) (d i)))",
        given(0, "i"),
        earlier("one-term-differs", n="n", m="n", j="j", d="(d i)", a=["k", "(a k i)"], b=["k", "(b k i)"]),
    ),
    by_induction(
        "units-apart",
        {"s": "Int", "l": "Int", "R": "Real", "P": 1},
        ["(>= s 0)", "(<= s l)", "(>= R 1)", "(all (i 0 (- l 1)) (<= (P i) (* R (P (+ i 1)))))"],
        "(<= (P 0) (* (pow R s) (P s)))",
        base=[],
        step=[unfold("(pow R (+ s 1))"), given(0, "s"), earlier("pow-positive", n="s", E="R")],
    ),
    by_query(
        "one-unit",
        {"n": "Int", "m": "Int", "i": "Int", "R": "Real", "p": 2, "q": 2, "u": 1},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(>= R 1)",
            "(all (o 1 n) (all (k 1 m) (and (>= (p o k) 0) (>= (q o k) 0))))",
            "(all (o 1 n) (all (k 1 m) (or (= (p o k) (q o k)) (and (= k i) (<= (p o k) (* R (q o k)))))))",
            "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))",
        ],
        "(<= (sum (o 1 n) (* (u o) (prod (k 1 m) (p o k)))) (* R (sum (o 1 n) (* (u o) (prod (k 1 m) (q o k))))))",
        earlier("event-of-products", **same("n", "m", "i", "R", "u"), a="p", b="q"),
    ),
    by_query(
        "noise-beyond-end",
        {"i": "Int", "j": "Int", "R": "Real", "g": "Real"},
        ["(> R 1)", "(>= i 0)", "(>= j 0)", "(= (* R g) 1)"],
        "(= (* (* (/ (* (pow g j) R) (+ R 1)) (- 1 (/ 1 R))) (pow g i)) (* (/ (- R 1) (+ R 1)) (pow g (+ j i))))",
        earlier("pow-of-sum", n="i", m="j", E="g"),
        earlier("clipped-sum-finish", R="R", G="(pow g j)", H="(pow g i)"),
    ),
    by_query(
        "item-on-the-way",
        dict.fromkeys(("t", "s", "w", "x", "y", "z"), "Int"),
        [_way("z", "t"), *_ENDS],
        "(and (or (> t s) (= z x)) (or (< t (+ s w)) (= z y)) (or (and (<= x z) (<= z y)) (and (<= y z) (<= z x))))",
    ),
    by_query(
        "item-at-next-unit",
        dict.fromkeys(("t", "s", "w", "x", "y", "z", "n"), "Int"),
        [_way("z", "t"), _way("n", "(+ t 1)"), *_ENDS],
        "(or (and (= n z) (or (< t s) (>= t (+ s w)))) (and (<= s t) (< t (+ s w)) (or (= n (+ z 1)) (= n (- z 1)))))",
    ),
)
"""a(k, i) is the entry of user k for item i, b(k, i) that where user j is replaced; P(i) is the probability of an event
where the sum is i units on its way to the other one, p(o, k) and q(o, k) those of noisy sum k in outcome o. Item by
item, the sum x of an item becomes y in the units from s to s + w of the way.
"""
