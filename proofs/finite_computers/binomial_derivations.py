"""Derivations on rounded binomials: B(k, v) and C(k, v) are how probable k coins of rates p and r show v - 1 heads."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.laws import NEAR, PARTS

_COINS: dict[str, str | int] = {
    "k": "Int",
    "m": "Int",
    "t": "Int",
    "p": "Real",
    "r": "Real",
    "B": 2,
    "C": 2,
    "g": 2,
}
_LAWS = [
    "(>= t 0)",
    "(>= p r)",
    "(>= r 0)",
    "(<= p 1)",
    "(all (j 0 m) (all (v 0 t) (and (>= (B j v) 0) (>= (C j v) 0))))",
    "(all (j 0 m) (and (= (B j 0) 0) (= (C j 0) 0) (<= (sum (v 1 t) (C j v)) 1)))",
    "(all (j 0 (- m 1)) (all (v 1 t) (and"
    " (= (B (+ j 1) v) (+ (* (- 1 p) (B j v)) (* p (B j (- v 1)))))"
    " (= (C (+ j 1) v) (+ (* (- 1 r) (C j v)) (* r (C j (- v 1))))))))",
    "(all (v 0 t) (= (B 0 v) (C 0 v)))",
    "(all (j 0 m) (all (v 0 t) (and (>= (g j v) (- (B j v) (C j v))) (>= (g j v) (- (C j v) (B j v))))))",
    "(all (j 0 m) (all (v 0 t) (or (= (g j v) (- (B j v) (C j v))) (= (g j v) (- (C j v) (B j v))))))",
]
_AT = {name: name for name in _COINS if name != "k"}
_G, _NEXT_G, _C = "(sum (v 1 t) (g k v))", "(sum (v 1 t) (g (+ k 1) v))", "(sum (v 1 t) (C k v))"
_MIXED = "(+ (* (- 1 p) (g k v)) (* p (g k (- v 1))))"
_MOVED = "(+ (* (- p r) (C k v)) (* (- p r) (C k (- v 1))))"
_SHIFTED = "(sum (v 1 t) (h (- v 1)))"
_UW = "(* (- (u v) w) (- (b v) (c v)))"
_CAPPED: dict[str, str | int] = {"t": "Int", "w": "Real", "b": 1, "c": 1, "u": 1, "g": 1, "e": "Real"}
_AT_CAPPED = {name: name for name in _CAPPED}
_EVENT = ["(>= w 0)", "(<= w 1)", "(all (v 1 t) (and (>= (u v) 0) (<= (u v) 1)))"]

BINOMIAL = (
    by_induction(
        "shifted",
        {"t": "Int", "h": 1},
        ["(>= t 0)"],
        f"(= {_SHIFTED} (+ (h 0) (- (sum (v 1 t) (h v)) (h t))))",
        base=[unfold("(sum (v 1 0) (h (- v 1)))"), unfold("(sum (v 1 0) (h v))")],
        step=[unfold("(sum (v 1 (+ t 1)) (h (- v 1)))"), unfold("(sum (v 1 (+ t 1)) (h v))")],
    ),
    by_query(
        "coin-each",
        _COINS,
        ["(>= k 0)", "(<= k m)", "(<= k (- m 1))", *_LAWS],
        f"(all (v 1 t) (<= (g (+ k 1) v) (+ {_MIXED} {_MOVED})))",
        given(0, "k"),
        given(6, "v"),
        given(6, "(- v 1)"),
        given(2, "k"),
        given(7, "v"),
        given(4, "k"),
        given(8, "v"),
        given(8, "(- v 1)"),
        given(5, "(+ k 1)"),
        given(9, "v"),
        earlier("coin-difference", w="(- 1 p)", x="(- (B k v) (C k v))", d="(g k v)"),
        earlier("coin-difference", w="p", x="(- (B k (- v 1)) (C k (- v 1)))", d="(g k (- v 1))"),
        earlier("coin-difference", w="(- p r)", x="(- (C k (- v 1)) (C k v))", d="(+ (C k (- v 1)) (C k v))"),
    ),
    by_query(
        "one-coin-more",
        _COINS,
        ["(>= k 0)", "(<= k m)", "(<= k (- m 1))", *_LAWS],
        f"(<= {_NEXT_G} (+ {_G} (* 2 (- p r))))",
        given(1, "k"),
        given(0, "k"),
        given(6, "t"),
        given(4, "k"),
        given(7, "t"),
        given(5, "k"),
        given(8, "0"),
        earlier("coin-each", k="k", **_AT),
        earlier("sum-at-most", n="t", m="t", a=("v", "(g (+ k 1) v)"), b=("v", f"(+ {_MIXED} {_MOVED})")),
        earlier("sum-plus", n="t", a=("v", _MIXED), b=("v", _MOVED)),
        earlier("sum-plus", n="t", a=("v", "(* (- 1 p) (g k v))"), b=("v", "(* p (g k (- v 1)))")),
        earlier("sum-plus", n="t", a=("v", "(* (- p r) (C k v))"), b=("v", "(* (- p r) (C k (- v 1)))")),
        earlier("sum-scale", n="t", c="(- 1 p)", a=("v", "(g k v)")),
        earlier("sum-scale", n="t", c="p", a=("v", "(g k (- v 1))")),
        earlier("sum-scale", n="t", c="(- p r)", a=("v", "(C k v)")),
        earlier("sum-scale", n="t", c="(- p r)", a=("v", "(C k (- v 1))")),
        earlier("shifted", t="t", h=("v", "(g k v)")),
        earlier("shifted", t="t", h=("v", "(C k v)")),
    ),
    by_query(
        "no-coins",
        {name: sort for name, sort in _COINS.items() if name != "k"},
        ["(>= m 0)", *_LAWS],
        "(all (v 1 t) (= (g 0 v) 0))",
        given(3, "v"),
        given(5, "0"),
        given(6, "v"),
    ),
    by_induction(
        "coins-distance",
        _COINS,
        ["(>= k 0)", "(<= k m)", "(>= m 0)", *_LAWS],
        f"(<= {_G} (* (* 2 k) (- p r)))",
        base=[
            earlier("no-coins", **_AT),
            earlier("sum-equal", n="t", m="t", a=("v", "(g 0 v)"), b=("v", "0")),
            earlier("sum-of-zeros", n="t"),
        ],
        step=[earlier("one-coin-more", k="k", **_AT)],
    ),
    by_query(
        "capped-each",
        _CAPPED,
        [*_EVENT, NEAR],
        f"(all (v 1 t) (<= {_UW} (g v)))",
        given(0, "v"),
        given(1, "v"),
    ),
    by_query(
        "capped-event",
        _CAPPED,
        ["(>= t 0)", "(<= (sum (v 1 t) (g v)) e)", *_EVENT, NEAR],
        "(<= (- (+ (sum (v 1 t) (* (u v) (b v))) (* w (- 1 (sum (v 1 t) (b v)))))"
        " (+ (sum (v 1 t) (* (u v) (c v))) (* w (- 1 (sum (v 1 t) (c v)))))) e)",
        earlier("capped-each", **_AT_CAPPED),
        earlier("sum-at-most", n="t", m="t", a=("v", _UW), b="g"),
        earlier("capped-parts", **same(*PARTS)),
    ),
)
"""g(k, v) is |B(k, v) - C(k, v)|. Of a law b(v) has v - 1 heads, and the cap has the rest, of weight w in an event."""
