"""Derivations on counts of labels, on packings, and on the distance of two laws."""

from __future__ import annotations

from dpcert.proofs.derivation import apart, by_induction, by_query, earlier, given, same, unfold

_SPREAD = "(sum (k 1 n) (* (t k b) (- (p k) (q k))))"
_MAPPED = "(sum (k 1 n) (* (t k b) (d k)))"
_APART = "(all (k 1 n) (and (>= (d k) (- (p k) (q k))) (>= (d k) (- (q k) (p k)))))"
_LAWS: dict[str, str | int] = {"n": "Int", "m": "Int", "p": 1, "q": 1, "d": 1}
_STEPS: dict[str, str | int] = {"m": "Int", "p": "Real", "q": "Real", "d": "Real", "x": 1, "y": 1, "z": 1, "f": 1}
_TWO_STEPS = [
    "(>= p 0)",
    "(>= q 0)",
    "(and (>= d (- p q)) (>= d (- q p)))",
    "(all (b 1 m) (and (>= (x b) 0) (>= (y b) 0)))",
    f"(all (b 1 m) (= (f b) {apart('(x b)', '(y b)')}))",
    f"(all (b 1 m) (= (z b) {apart('(* p (x b))', '(* q (y b))')}))",
]
_OF_ALL: dict[str, str | int] = {**_LAWS, "x": 2, "y": 2, "z": 2, "f": 2, "F": "Real"}
_AFTER = [
    "(>= m 0)",
    "(all (a 1 n) (and (>= (p a) 0) (>= (q a) 0)))",
    "(all (a 1 n) (and (>= (d a) (- (p a) (q a))) (>= (d a) (- (q a) (p a)))))",
    "(all (a 1 n) (all (b 1 m) (and (>= (x a b) 0) (>= (y a b) 0))))",
    f"(all (a 1 n) (all (b 1 m) (= (f a b) {apart('(x a b)', '(y a b)')})))",
    f"(all (a 1 n) (all (b 1 m) (= (z a b) {apart('(* (p a) (x a b))', '(* (q a) (y a b))')})))",
    "(all (a 1 n) (and (<= (sum (b 1 m) (x a b)) 1) (<= (sum (b 1 m) (f a b)) F)))",
]

DISTANCE = (
    by_query(
        "size-at-image",
        {**_LAWS, "t": 1},
        ["(all (k 1 n) (>= (t k) 0))", _APART],
        "(all (k 1 n) (and (>= (* (t k) (d k)) (* (t k) (- (p k) (q k))))"
        " (>= (* (t k) (d k)) (- (* (t k) (- (p k) (q k)))))))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "distance-at-image",
        {**_LAWS, "t": 2, "v": 1},
        [
            "(>= n 0)",
            "(all (b 1 m) (all (k 1 n) (>= (t k b) 0)))",
            _APART,
            f"(all (b 1 m) (= (v b) {apart(_SPREAD, '0')}))",
        ],
        f"(all (b 1 m) (<= (v b) {_MAPPED}))",
        given(0, "b"),
        given(2, "b"),
        earlier("size-at-image", n="n", m="m", p="p", q="q", d="d", t=("k", "(t k b)")),
        earlier("size-of-sum", n="n", m="n", a=("k", "(* (t k b) (- (p k) (q k)))"), d=("k", "(* (t k b) (d k))")),
    ),
    by_query(
        "share-of-size",
        {**_LAWS, "t": 2},
        [
            "(>= m 0)",
            "(all (k 1 n) (>= (d k) 0))",
            "(all (k 1 n) (<= (sum (b 1 m) (t k b)) 1))",
        ],
        "(all (k 1 n) (<= (sum (b 1 m) (* (t k b) (d k))) (d k)))",
        given(0, "k"),
        given(1, "k"),
        earlier("sum-scale", n="m", c="(d k)", a=("b", "(t k b)")),
    ),
    by_query(
        "distance-of-images",
        {**_LAWS, "t": 2, "v": 1},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(all (b 1 m) (all (k 1 n) (>= (t k b) 0)))",
            "(all (k 1 n) (<= (sum (b 1 m) (t k b)) 1))",
            "(all (k 1 n) (>= (d k) 0))",
            _APART,
            f"(all (b 1 m) (= (v b) {apart(_SPREAD, '0')}))",
        ],
        "(<= (sum (b 1 m) (v b)) (sum (k 1 n) (d k)))",
        earlier("distance-at-image", **same("n", "m", "p", "q", "d", "t", "v")),
        earlier("share-of-size", **same("n", "m", "p", "q", "d", "t")),
        earlier("sum-at-most", n="m", m="m", a="v", b=("b", _MAPPED)),
        earlier("sum-exchange", n="n", m="m", t=("i", "j", "(* (t i j) (d i))")),
        earlier("sum-at-most", n="n", m="n", a=("k", "(sum (b 1 m) (* (t k b) (d k)))"), b="d"),
    ),
    by_query(
        "two-steps-each",
        _STEPS,
        _TWO_STEPS,
        "(all (b 1 m) (<= (z b) (+ (* d (x b)) (* q (f b)))))",
        given(0, "b"),
        given(1, "b"),
        given(2, "b"),
        earlier("distance-of-two-steps", p="p", q="q", x="(x b)", y="(y b)"),
    ),
    by_query(
        "two-steps-inner",
        _STEPS,
        ["(>= m 0)", *_TWO_STEPS],
        "(<= (sum (b 1 m) (z b)) (+ (* d (sum (b 1 m) (x b))) (* q (sum (b 1 m) (f b)))))",
        earlier("two-steps-each", **{name: name for name in _STEPS}),
        earlier("sum-at-most", n="m", m="m", a="z", b=("b", "(+ (* d (x b)) (* q (f b)))")),
        earlier("sum-plus", n="m", a=("b", "(* d (x b))"), b=("b", "(* q (f b))")),
        earlier("sum-scale", n="m", c="d", a="x"),
        earlier("sum-scale", n="m", c="q", a="f"),
    ),
    by_query(
        "two-steps-after",
        _OF_ALL,
        _AFTER,
        "(all (a 1 n) (<= (sum (b 1 m) (z a b)) (+ (d a) (* F (q a)))))",
        *(given(place, "a") for place in range(6)),
        earlier(
            "two-steps-inner",
            m="m",
            p="(p a)",
            q="(q a)",
            d="(d a)",
            x=("b", "(x a b)"),
            y=("b", "(y a b)"),
            z=("b", "(z a b)"),
            f=("b", "(f a b)"),
        ),
    ),
    by_query(
        "distance-of-two-laws",
        _OF_ALL,
        ["(>= n 0)", "(<= (sum (k 1 n) (q k)) 1)", "(>= F 0)", *_AFTER],
        "(<= (sum (a 1 n) (sum (b 1 m) (z a b))) (+ (sum (a 1 n) (d a)) F))",
        earlier("two-steps-after", **{name: name for name in _OF_ALL}),
        earlier("sum-at-most", n="n", m="n", a=("a", "(sum (b 1 m) (z a b))"), b=("a", "(+ (d a) (* F (q a)))")),
        earlier("sum-plus", n="n", a="d", b=("a", "(* F (q a))")),
        earlier("sum-scale", n="n", c="F", a="q"),
    ),
)
"""d(k) is |p(k) - q(k)|, t(k, b) the share of outcome k that the image b gets, v(b) how far apart the laws are at b.

x(a, b) and y(a, b) are the laws of the second step after outcome a of the first, F the most that they differ by.
"""

_OF_LABEL = "(sum (i 1 n) (t i x))"
COUNTS = (
    by_induction(
        "sum-of-ones",
        {"n": "Int"},
        ["(>= n 0)"],
        "(= (sum (k 1 n) 1) n)",
        base=[unfold("(sum (k 1 0) 1)")],
        step=[unfold("(sum (k 1 (+ n 1)) 1)")],
    ),
    by_query(
        "counts-sum",
        {"n": "Int", "m": "Int", "t": 2},
        ["(>= n 0)", "(>= m 0)", "(all (i 1 n) (= (sum (x 1 m) (t i x)) 1))"],
        f"(= (sum (x 1 m) {_OF_LABEL}) n)",
        earlier("sum-exchange", n="n", m="m", t="t"),
        earlier("sum-equal", n="n", m="n", a=("i", "(sum (x 1 m) (t i x))"), b=("i", "1")),
        earlier("sum-of-ones", n="n"),
    ),
    by_query(
        "positive-counts",
        {"n": "Int", "m": "Int", "t": 2, "o": 1},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(all (i 1 n) (= (sum (x 1 m) (t i x)) 1))",
            f"(all (x 1 m) (<= (o x) {_OF_LABEL}))",
        ],
        "(<= (sum (x 1 m) (o x)) n)",
        earlier("counts-sum", n="n", m="m", t="t"),
        earlier("sum-at-most", n="m", m="m", a="o", b=("x", _OF_LABEL)),
    ),
)
"""t(i, x) is 1 if row i has label x, else 0; o(x) is 1 if label x occurs, else 0."""
