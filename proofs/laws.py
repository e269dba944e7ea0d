"""Laws on finitely many outcomes: their distance, independent parts, labels in another order, for all derivations."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold

PARTS: Sorts = {"t": "Int", "w": "Real", "b": 1, "c": 1, "u": 1}
NEAR = "(all (v 1 t) (and (>= (g v) (- (b v) (c v))) (>= (g v) (- (c v) (b v)))))"
_APART: Sorts = {"t": "Int", "b": 1, "c": 1, "u": 1, "g": 1}
_EVENT = "(all (v 1 t) (and (>= (u v) 0) (<= (u v) 1)))"
_HALF, _BACK = "(* (- (u v) (/ 1 2)) (- (b v) (c v)))", "(* (- (/ 1 2) (u v)) (- (b v) (c v)))"
_UB, _UC = "(sum (v 1 t) (* (u v) (b v)))", "(sum (v 1 t) (* (u v) (c v)))"
_B, _C, _G = "(sum (v 1 t) (b v))", "(sum (v 1 t) (c v))", "(sum (v 1 t) (g v))"
_EQUAL = f"(= {_B} {_C})"

_AT: Sorts = {"t": "Int", "k": "Int", "b": 1, "c": 1, "g": 1}
_UP_TO, _REST = "(sum (v 1 k) ({} v))".format, "(sum (j 1 (- t k)) ({} (+ k j)))".format
_D = "(- (b v) (c v))"

DISTANCE = (
    by_query(
        "capped-parts",
        PARTS,
        ["(>= t 0)"],
        f"(= (sum (v 1 t) (* (- (u v) w) (- (b v) (c v)))) (- (+ {_UB} (* w (- 1 {_B}))) (+ {_UC} (* w (- 1 {_C})))))",
        earlier("sum-plus", n="t", a=("v", "(* (u v) (b v))"), b=("v", "(* (- 1) (* (u v) (c v)))")),
        earlier("sum-plus", n="t", a=("v", "(* (- w) (b v))"), b=("v", "(* w (c v))")),
        earlier(
            "sum-plus",
            n="t",
            a=("v", "(+ (* (u v) (b v)) (* (- 1) (* (u v) (c v))))"),
            b=("v", "(+ (* (- w) (b v)) (* w (c v)))"),
        ),
        earlier("sum-scale", n="t", c="(- 1)", a=("v", "(* (u v) (c v))")),
        earlier("sum-scale", n="t", c="(- w)", a="b"),
        earlier("sum-scale", n="t", c="w", a="c"),
    ),
    *(
        by_query(
            name,
            _APART,
            [_EVENT, NEAR],
            f"(all (v 1 t) (<= {part} (* (/ 1 2) (g v))))",
            given(0, "v"),
            given(1, "v"),
        )
        for name, part in (("half-of-event", _HALF), ("half-of-event-back", _BACK))
    ),
    by_query(
        "event-has-half",
        _APART,
        ["(>= t 0)", _EQUAL, _EVENT, NEAR],
        f"(and (<= (- {_UB} {_UC}) (* (/ 1 2) {_G})) (<= (- {_UC} {_UB}) (* (/ 1 2) {_G})))",
        earlier("half-of-event", **same(*_APART)),
        earlier("half-of-event-back", **same(*_APART)),
        earlier("sum-at-most", n="t", m="t", a=("v", _HALF), b=("v", "(* (/ 1 2) (g v))")),
        earlier("sum-at-most", n="t", m="t", a=("v", _BACK), b=("v", "(* (/ 1 2) (g v))")),
        earlier("sum-scale", n="t", c="(/ 1 2)", a="g"),
        earlier("sum-scale", n="t", c="(- 1)", a=("v", _HALF)),
        earlier("capped-parts", **same("t", "b", "c", "u"), w="(/ 1 2)"),
    ),
    by_query(
        "near-after",
        _AT,
        ["(>= k 1)", NEAR],
        "(all (j 1 (- t k)) (and (>= (g (+ k j)) (- (b (+ k j)) (c (+ k j))))"
        " (>= (g (+ k j)) (- (- (b (+ k j)) (c (+ k j)))))))",
        given(0, "(+ k j)"),
    ),
    by_query(
        "near-before",
        {"t": "Int", "b": 1, "c": 1, "g": 1},
        [NEAR],
        "(all (v 1 t) (and (>= (g v) (- (b v) (c v))) (>= (g v) (- (- (b v) (c v))))))",
        given(0, "v"),
    ),
    by_query(
        "difference-of-sums",
        {"t": "Int", "b": 1, "c": 1},
        ["(>= t 0)"],
        f"(= (sum (v 1 t) {_D}) (- {_B} {_C}))",
        earlier("sum-plus", n="t", a="b", b=("v", "(* (- 1) (c v))")),
        earlier("sum-scale", n="t", c="(- 1)", a="c"),
    ),
    by_query(
        "outcome-has-half",
        _AT,
        ["(>= k 1)", "(<= k t)", _EQUAL, NEAR],
        f"(and (<= (- (b k) (c k)) (* (/ 1 2) {_G})) (<= (- (c k) (b k)) (* (/ 1 2) {_G})))",
        given(0, "k"),
        *(unfold(_UP_TO(f)) for f in "bcg"),
        *(earlier("sum-in-two-parts", n="(- t k)", m="k", a=f) for f in "bcg"),
        earlier("near-after", **same("t", "k", "b", "c", "g")),
        earlier("near-before", **same("t", "b", "c", "g")),
        earlier("size-of-sum", n="(- k 1)", m="t", a=("v", _D), d="g"),
        earlier(
            "size-of-sum",
            n="(- t k)",
            m="(- t k)",
            a=("j", "(- (b (+ k j)) (c (+ k j)))"),
            d=("j", "(g (+ k j))"),
        ),
        earlier("difference-of-sums", t="(- k 1)", b="b", c="c"),
        earlier("difference-of-sums", t="(- t k)", b=("j", "(b (+ k j))"), c=("j", "(c (+ k j))")),
    ),
)
"""b and c are two laws, or what u weighs of an event of them; g(v) is at least |b(v) - c(v)|."""

_WEIGHT = "(sum (w 1 m) (* (r w) (s o w)))"
_OTHERS: Sorts = {"m": "Int", "r": 1, "s": 1}
_LAW, _WEIGHTS = "(all (w 1 m) (>= (r w) 0))", "(all (w 1 m) (and (>= (s w) 0) (<= (s w) 1)))"
_ALL_WEIGHTS = "(all (o 1 n) (all (w 1 m) (and (>= (s o w) 0) (<= (s o w) 1))))"
_TOGETHER: Sorts = {"n": "Int", "m": "Int", "p": 1, "r": 1, "s": 2}

OTHERS = (
    *(
        by_query(name, _OTHERS, [_LAW, _WEIGHTS], f"(all (w 1 m) {formula})", given(0, "w"), given(1, "w"))
        for name, formula in (
            ("part-not-negative", "(>= (* (r w) (s w)) 0)"),
            ("part-at-most-law", "(<= (* (r w) (s w)) (r w))"),
        )
    ),
    by_query(
        "weight-of-others",
        {name: sort for name, sort in _TOGETHER.items() if name != "p"},
        ["(>= m 0)", "(<= (sum (w 1 m) (r w)) 1)", _LAW, _ALL_WEIGHTS],
        f"(all (o 1 n) (and (>= {_WEIGHT} 0) (<= {_WEIGHT} 1)))",
        given(1, "o"),
        earlier("part-not-negative", m="m", r="r", s=("w", "(s o w)")),
        earlier("part-at-most-law", m="m", r="r", s=("w", "(s o w)")),
        earlier("sum-not-negative", n="m", m="m", a=("w", "(* (r w) (s o w))")),
        earlier("sum-at-most", n="m", m="m", a=("w", "(* (r w) (s o w))"), b="r"),
    ),
    by_query(
        "others-inner",
        _TOGETHER,
        ["(>= m 0)"],
        f"(all (o 1 n) (= (sum (w 1 m) (* (* (p o) (r w)) (s o w))) (* {_WEIGHT} (p o))))",
        earlier("sum-scale", n="m", c="(p o)", a=("w", "(* (r w) (s o w))")),
    ),
    by_query(
        "event-with-others",
        _TOGETHER,
        ["(>= n 0)", "(>= m 0)"],
        f"(= (sum (o 1 n) (sum (w 1 m) (* (* (p o) (r w)) (s o w)))) (sum (o 1 n) (* {_WEIGHT} (p o))))",
        earlier("others-inner", **same(*_TOGETHER)),
        earlier(
            "sum-equal",
            n="n",
            m="n",
            a=("o", "(sum (w 1 m) (* (* (p o) (r w)) (s o w)))"),
            b=("o", f"(* {_WEIGHT} (p o))"),
        ),
    ),
)
"""An outcome o of probability p(o) and one w of others, of r(w), are independent; s(o, w) weighs both in an event."""

_PLACED = "(sum (j 1 n) (* (s i j) (a j)))"
_ORDER: Sorts = {"n": "Int", "s": 2, "a": 1, "b": 1}
_ONE_EACH = "(all (j 1 n) (= (sum (i 1 n) (s i j)) 1))"

ORDERS = (
    by_query(
        "placed-once",
        {"n": "Int", "s": 2, "a": 1},
        ["(>= n 0)", _ONE_EACH],
        "(all (j 1 n) (= (sum (i 1 n) (* (s i j) (a j))) (a j)))",
        given(0, "j"),
        earlier("sum-scale", n="n", c="(a j)", a=("i", "(s i j)")),
    ),
    by_query(
        "sum-in-another-order",
        _ORDER,
        ["(>= n 0)", _ONE_EACH, f"(all (i 1 n) (= (b i) {_PLACED}))"],
        "(= (sum (i 1 n) (b i)) (sum (j 1 n) (a j)))",
        earlier("placed-once", **same("n", "s", "a")),
        earlier("sum-equal", n="n", m="n", a="b", b=("i", _PLACED)),
        earlier("sum-exchange", n="n", m="n", t=("i", "j", "(* (s i j) (a j))")),
        earlier("sum-equal", n="n", m="n", a=("j", "(sum (i 1 n) (* (s i j) (a j)))"), b="a"),
    ),
)
"""s(i, j) is 1 where label j is in place i, else 0: one label is in each place."""

_GAPS: Sorts = {"m": "Int", "s": 1}
_RISING = "(all (i 1 m) (<= (s (- i 1)) (s i)))"

GAPS = (
    by_induction(
        "boundaries-rise",
        {"n": "Int", "k": "Int", **_GAPS},
        ["(>= n 0)", "(>= k 0)", "(<= (+ k n) m)", _RISING],
        "(<= (s k) (s (+ k n)))",
        base=[],
        step=[given(0, "(+ k (+ n 1))")],
    ),
    by_query(
        "one-gap-holds",
        {**_GAPS, "j": "Int", "k": "Int", "r": "Real"},
        [
            *("(>= j 1)", "(<= j m)", "(>= k 1)", "(<= k m)", _RISING),
            *("(<= (s (- j 1)) r)", "(< r (s j))", "(<= (s (- k 1)) r)", "(< r (s k))"),
        ],
        "(= j k)",
        earlier("boundaries-rise", n="(- (- k 1) j)", k="j", m="m", s="s"),
        earlier("boundaries-rise", n="(- (- j 1) k)", k="k", m="m", s="s"),
    ),
    by_query(
        "one-number-moves",
        {**_GAPS, "j": "Int", "k": "Int", "r": "Real", "d": 1},
        [
            *("(>= j 1)", "(<= j m)", "(>= k 1)", "(<= k m)", _RISING),
            "(all (i 1 m) (= (d i) (ite (<= (s (- i 1)) r) (ite (< r (s i)) 1 0) 0)))",
            *("(> (d j) 0)", "(> (d k) 0)"),
        ],
        "(= j k)",
        given(1, "j"),
        given(1, "k"),
        earlier("one-gap-holds", **same("m", "s", "j", "k", "r")),
    ),
)
"""Gap i is from s(i - 1) up to s(i); d(i) is what it is reached into further by r + 1 than by r."""

LAWS = (*DISTANCE, *OTHERS, *ORDERS, *GAPS)
