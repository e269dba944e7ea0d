"""Derivations on counts of labels, on packings, and on the distance of two laws."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold

_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_E = "(sum (k 1 n) (e k))"
_PX2, _QY2 = "(* (p k) (x k))", "(* (q k) (y k))"
_TWO: dict[str, str | int] = {"n": "Int", "R": "Real", "p": 1, "q": 1, "x": 1, "y": 1}
_TWO_RATIOS = [
    "(>= R 1)",
    "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (>= (x k) 0) (>= (y k) 0)))",
    "(all (k 1 n) (and (<= (p k) (* R (q k))) (<= (x k) (* R (y k)))))",
]
TWO_LABELS = (
    by_query(
        "two-labels-outcome",
        _TWO,
        _TWO_RATIOS,
        f"(all (k 1 n) (<= {_PX2} (* (* R R) {_QY2})))",
        given(0, "k"),
        given(1, "k"),
        earlier("two-labels", R="R", p="(p k)", q="(q k)", x="(x k)", y="(y k)"),
    ),
    by_query(
        "two-labels-event",
        {**_TWO, "u": 1},
        ["(>= n 0)", *_TWO_RATIOS, _EVENT],
        f"(<= (sum (k 1 n) (* (u k) {_PX2})) (* (* R R) (sum (k 1 n) (* (u k) {_QY2}))))",
        earlier("two-labels-outcome", n="n", R="R", p="p", q="q", x="x", y="y"),
        earlier("ratio-of-events", n="n", E="(* R R)", p=("k", _PX2), q=("k", _QY2), u="u"),
    ),
)
"""Outcome k has the probabilities p and x of the two labels that differ; the weight u has those of the others."""

_POWERS = "(sum (i 1 m) (pow g i))"
_CHAIN = "(all (i 0 (- l 1)) (<= (P i) (+ (* E (P (+ i 1))) delta)))"
_KEPT = f"(- (* (pow g m) (P 0)) (* delta {_POWERS}))"
PACKING = (
    by_induction(
        "powers-shifted",
        {"m": "Int", "g": "Real"},
        ["(>= m 0)"],
        f"(= (* g (+ 1 {_POWERS})) (sum (i 1 (+ m 1)) (pow g i)))",
        base=[unfold("(sum (i 1 0) (pow g i))"), unfold("(sum (i 1 1) (pow g i))"), unfold("(pow g 1)")],
        step=[
            unfold("(sum (i 1 (+ m 1)) (pow g i))"),
            unfold("(sum (i 1 (+ (+ m 1) 1)) (pow g i))"),
            unfold("(pow g (+ (+ m 1) 1))"),
        ],
    ),
    by_induction(
        "kept-by-rows",
        {"m": "Int", "l": "Int", "E": "Real", "g": "Real", "delta": "Real", "P": 1},
        ["(>= m 0)", "(<= m l)", "(>= E 1)", "(= (* E g) 1)", _CHAIN],
        f"(>= (P m) {_KEPT})",
        base=[unfold("(sum (i 1 0) (pow g i))")],
        step=[
            given(0, "m"),
            unfold("(pow g (+ m 1))"),
            earlier("powers-shifted", m="m", g="g"),
            earlier("kept-by-one-row", E="E", g="g", delta="delta", x="(P m)", y="(P (+ m 1))"),
        ],
    ),
    by_induction(
        "sum-of-powers",
        {"m": "Int", "E": "Real", "g": "Real"},
        ["(>= m 0)", "(>= E 1)", "(= (* E g) 1)"],
        f"(= (* (- E 1) {_POWERS}) (- 1 (pow g m)))",
        base=[unfold("(sum (i 1 0) (pow g i))")],
        step=[unfold("(sum (i 1 (+ m 1)) (pow g i))"), unfold("(pow g (+ m 1))")],
    ),
    by_induction(
        "powers-not-negative",
        {"m": "Int", "g": "Real"},
        ["(>= m 0)", "(> g 0)"],
        f"(>= {_POWERS} 0)",
        base=[unfold("(sum (i 1 0) (pow g i))")],
        step=[unfold("(sum (i 1 (+ m 1)) (pow g i))"), earlier("pow-positive", n="(+ m 1)", E="g")],
    ),
    by_query(
        "powers-at-most",
        {"m": "Int", "E": "Real", "g": "Real", "epsilon": "Real"},
        ["(>= m 0)", "(> g 0)", "(= (* E g) 1)", "(> epsilon 0)", "(>= E (+ 1 epsilon))"],
        f"(<= (* epsilon {_POWERS}) 1)",
        earlier("sum-of-powers", m="m", E="E", g="g"),
        earlier("pow-positive", n="m", E="g"),
        earlier("powers-not-negative", m="m", g="g"),
    ),
    by_induction(
        "sum-of-constants",
        {"n": "Int", "v": "Real"},
        ["(>= n 0)"],
        "(= (sum (k 1 n) v) (* n v))",
        base=[unfold("(sum (k 1 0) v)")],
        step=[unfold("(sum (k 1 (+ n 1)) v)")],
    ),
    by_query(
        "events-together",
        {"n": "Int", "v": "Real", "s": "Real", "p": 1},
        ["(>= n 0)", "(<= (sum (k 1 n) (p k)) s)", "(all (k 1 n) (<= v (p k)))"],
        "(<= (* n v) s)",
        earlier("sum-at-most", n="n", m="n", a=("k", "v"), b="p"),
        earlier("sum-of-constants", n="n", v="v"),
    ),
)
"""P(i) is the probability of an event i rows away, g = 1/E; p(1), ..., p(n) those of n events on one input."""


DISTANCE = (
    by_induction(
        "map-of-sizes",
        {"n": "Int", "m": "Int", "t": 1, "p": 1, "q": 1, "d": 1},
        [
            "(>= n 0)",
            "(<= n m)",
            "(all (k 1 m) (>= (t k) 0))",
            "(all (k 1 m) (and (>= (d k) (- (p k) (q k))) (>= (d k) (- (q k) (p k)))))",
        ],
        "(and (<= (sum (k 1 n) (* (t k) (- (p k) (q k)))) (sum (k 1 n) (* (t k) (d k))))"
        " (<= (- (sum (k 1 n) (* (t k) (- (p k) (q k))))) (sum (k 1 n) (* (t k) (d k)))))",
        base=[unfold("(sum (k 1 0) (* (t k) (- (p k) (q k))))"), unfold("(sum (k 1 0) (* (t k) (d k)))")],
        step=[
            unfold("(sum (k 1 (+ n 1)) (* (t k) (- (p k) (q k))))"),
            unfold("(sum (k 1 (+ n 1)) (* (t k) (d k)))"),
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
        ],
    ),
)
"""d(k) is at least |p(k) - q(k)|, t(k) the share of outcome k that one image gets."""

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

_PARTS = (
    "(all (k 1 n) (and (= (d k) (ite (>= (- (p k) (q k)) (- (- (p k) (q k)))) (- (p k) (q k)) (- (- (p k) (q k)))))"
    " (= (e k) (ite (>= (- (p k) (q k)) 0) (- (p k) (q k)) 0))))"
)
_LAWS_SUM = ["(>= n 0)", "(= (sum (k 1 n) (p k)) 1)", "(= (sum (k 1 n) (q k)) 1)"]
HALF_DISTANCE = (
    by_query(
        "half-each",
        {"n": "Int", "p": 1, "q": 1, "d": 1, "e": 1},
        [_PARTS],
        "(all (k 1 n) (= (d k) (+ (* 2 (e k)) (+ (* (- 1) (p k)) (q k)))))",
        given(0, "k"),
    ),
    by_query(
        "half-of-sizes",
        {"n": "Int", "p": 1, "q": 1, "d": 1, "e": 1},
        [*_LAWS_SUM, _PARTS],
        f"(= (sum (k 1 n) (d k)) (* 2 {_E}))",
        earlier("half-each", n="n", p="p", q="q", d="d", e="e"),
        earlier("sum-equal", n="n", m="n", a="d", b=("k", "(+ (* 2 (e k)) (+ (* (- 1) (p k)) (q k)))")),
        earlier("sum-plus", n="n", a=("k", "(* 2 (e k))"), b=("k", "(+ (* (- 1) (p k)) (q k))")),
        earlier("sum-plus", n="n", a=("k", "(* (- 1) (p k))"), b="q"),
        earlier("sum-scale", n="n", c="2", a="e"),
        earlier("sum-scale", n="n", c="(- 1)", a="p"),
    ),
    by_query(
        "event-each",
        {"n": "Int", "p": 1, "q": 1, "d": 1, "e": 1, "u": 1},
        [_PARTS, _EVENT],
        "(all (k 1 n) (<= (* (u k) (- (p k) (q k))) (e k)))",
        given(0, "k"),
        given(1, "k"),
        earlier("positive-half", p="(p k)", q="(q k)", u="(u k)"),
    ),
    by_query(
        "event-at-most",
        {"n": "Int", "p": 1, "q": 1, "d": 1, "e": 1, "u": 1},
        [*_LAWS_SUM, _PARTS, _EVENT],
        "(<= (* 2 (sum (k 1 n) (* (u k) (- (p k) (q k))))) (sum (k 1 n) (d k)))",
        earlier("half-of-sizes", n="n", p="p", q="q", d="d", e="e"),
        earlier("event-each", n="n", p="p", q="q", d="d", e="e", u="u"),
        earlier("sum-at-most", n="n", m="n", a=("k", "(* (u k) (- (p k) (q k)))"), b="e"),
    ),
)
"""d(k) is |p(k) - q(k)| and e(k) the positive part of p(k) - q(k)."""
