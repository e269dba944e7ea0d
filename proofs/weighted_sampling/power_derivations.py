"""Derivations on powers i^p with any exponent: how they grow, from bounds of e^t.

i^p is e^(p ln i), so that ((i + 1)/i)^p is e^(p l), l the logarithm of (i + 1)/i.
"""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_query, earlier, same
from dpcert.proofs.exponentials import at_most, exponential, first_terms, not_beyond

_ONE: Sorts = {"m": "Int", "t": "Real", "E": "Real", "e": 1}


def _both(e: str, t: str, E: str) -> list[str]:
    """Return that E is e^t, of a series up to m."""
    return [*exponential(e, t, E, "m"), not_beyond(e, t, E, "m")]


def _reals(*names: str) -> Sorts:
    return dict.fromkeys(names, "Real")


def _series(*names: str) -> Sorts:
    return {"m": "Int", **dict.fromkeys(names, 1)}


_FALLS = "(+ (* (- 1 p) G) p)"

_TANGENTS = (
    by_query(
        "exponents-not-negative",
        _reals("p", "l"),
        ["(>= p 0)", "(<= p 1)", "(>= l 0)"],
        "(and (>= (* p l) 0) (>= (* (- 1 p) l) 0))",
    ),
    by_query(
        "exponent-not-negative",
        _reals("p", "l"),
        ["(>= p 1)", "(>= l 0)"],
        "(>= (* (- p 1) l) 0)",
    ),
    by_query(
        "concave-rise-by-tangents",
        _reals("p", "l", "A", "D", "H"),
        [
            *("(>= p 0)", "(<= p 1)", "(>= l 0)", "(= H (* A D))", "(>= A 1)"),
            *("(>= D (+ 1 (* (- 1 p) l)))", "(<= (* A (- 1 (* p l))) 1)"),
        ],
        "(<= A (+ (- 1 p) (* p H)))",
    ),
    by_query(
        "concave-fall-by-tangents",
        _reals("p", "l", "B", "C", "G"),
        [
            *("(>= p 0)", "(<= p 1)", "(>= l 0)", "(= G (* B C))", "(>= C 1)"),
            *("(>= B (+ 1 (* p l)))", "(<= (* C (- 1 (* (- 1 p) l))) 1)"),
        ],
        f"(<= G (* B {_FALLS}))",
    ),
    by_query(
        "convex-rise-by-tangents",
        _reals("p", "l", "H", "D", "U"),
        [
            *("(>= p 1)", "(= U (* H D))", "(>= H 1)"),
            *("(>= D (+ 1 (* (- p 1) l)))", "(<= (* H (- 1 l)) 1)"),
        ],
        "(>= U (+ 1 (* p (- H 1))))",
    ),
    by_query(
        "convex-fall-by-tangents",
        _reals("p", "l", "G", "C", "B"),
        [
            *("(>= p 1)", "(>= l 0)", "(= B (* G C))", "(>= C 1)"),
            *("(>= G (+ 1 l))", "(<= (* C (- 1 (* (- p 1) l))) 1)"),
        ],
        "(<= (* B (- G (* p (- G 1)))) G)",
    ),
    by_query(
        "power-before",
        {"i": "Int", **_reals("p", "B", "x", "y")},
        [
            *("(>= i 2)", "(> y 0)", "(= y (* x B))", "(> B 0)"),
            "(<= (/ i (- i 1)) (* B (+ (* (- 1 p) (/ i (- i 1))) p)))",
        ],
        "(<= (* i x) (* (- i p) y))",
    ),
    by_query(
        "power-after",
        {"i": "Int", **_reals("p", "A", "y", "z")},
        ["(>= i 2)", "(> y 0)", "(= z (* y A))", "(<= A (+ (- 1 p) (* p (/ (+ i 1) i))))"],
        "(<= (* i z) (* (+ i p) y))",
    ),
    by_query(
        "apart-above",
        {"a": "Int", **_reals("p", "U", "Z", "S")},
        [
            *("(>= a 2)", "(> Z 0)", "(= S (* (- (* a a) 1) Z))"),
            "(>= U (+ 1 (* p (- (/ (* a a) (- (* a a) 1)) 1))))",
        ],
        "(>= (- (* S U) S) (* p Z))",
    ),
    by_query(
        "apart-below",
        {"a": "Int", **_reals("p", "u", "v", "B", "Y")},
        [
            *("(>= a 2)", "(> Y 0)", "(> v 0)", "(= u (* a Y))", "(= u (* v B))", "(> B 0)"),
            "(<= (* B (- (/ a (- a 1)) (* p (- (/ a (- a 1)) 1)))) (/ a (- a 1)))",
        ],
        "(<= (- u v) (* p Y))",
    ),
    by_query(
        "rise-in-order",
        _reals("p", "Y", "Z", "W"),
        ["(>= p 1)", "(> Y 0)", "(>= W 1)", "(= Z (* Y W))"],
        "(and (> Z 0) (<= (* p Y) (* p Z)))",
    ),
)
"""Steps without series."""

POWERS = (
    *_TANGENTS,
    by_query(
        "inverse-at-least",
        _ONE,
        ["(>= m 3)", "(>= t 0)", *_both("e", "t", "E")],
        "(<= (* E (- 1 t)) 1)",
        first_terms("e", "t", "E", "m"),
        at_most("e", "t", "E", "m"),
    ),
    by_query(
        "above-tangent",
        _ONE,
        ["(>= m 3)", "(>= t 0)", *exponential("e", "t", "E", "m")],
        "(and (>= E 1) (>= E (+ 1 t)))",
        first_terms("e", "t", "E", "m"),
    ),
    by_query(
        "concave-rise",
        {**_series("a", "d"), **_reals("p", "l", "A", "D", "H")},
        [
            *("(>= m 3)", "(>= p 0)", "(<= p 1)", "(>= l 0)", "(= H (* A D))"),
            *_both("a", "(* p l)", "A"),
            *exponential("d", "(* (- 1 p) l)", "D", "m"),
        ],
        "(<= A (+ (- 1 p) (* p H)))",
        earlier("exponents-not-negative", p="p", l="l"),
        earlier("above-tangent", m="m", t="(* p l)", E="A", e="a"),
        earlier("above-tangent", m="m", t="(* (- 1 p) l)", E="D", e="d"),
        earlier("inverse-at-least", m="m", t="(* p l)", E="A", e="a"),
        earlier("concave-rise-by-tangents", p="p", l="l", A="A", D="D", H="H"),
    ),
    by_query(
        "concave-fall",
        {**_series("b", "c"), **_reals("p", "l", "B", "C", "G")},
        [
            *("(>= m 3)", "(>= p 0)", "(<= p 1)", "(>= l 0)", "(= G (* B C))"),
            *exponential("b", "(* p l)", "B", "m"),
            *_both("c", "(* (- 1 p) l)", "C"),
        ],
        f"(<= G (* B {_FALLS}))",
        earlier("exponents-not-negative", p="p", l="l"),
        earlier("above-tangent", m="m", t="(* p l)", E="B", e="b"),
        earlier("above-tangent", m="m", t="(* (- 1 p) l)", E="C", e="c"),
        earlier("inverse-at-least", m="m", t="(* (- 1 p) l)", E="C", e="c"),
        earlier("concave-fall-by-tangents", p="p", l="l", B="B", C="C", G="G"),
    ),
    by_query(
        "power-grows-less",
        {"i": "Int", **_reals("p", "A", "B", "x", "y", "z")},
        [
            *("(>= i 2)", "(>= p 0)", "(<= p 1)", "(> y 0)", "(= z (* y A))", "(= y (* x B))", "(> B 0)"),
            "(<= A (+ (- 1 p) (* p (/ (+ i 1) i))))",
            "(<= (/ i (- i 1)) (* B (+ (* (- 1 p) (/ i (- i 1))) p)))",
        ],
        "(<= (- z y) (- y x))",
        earlier("power-before", **same("i", "p", "B", "x", "y")),
        earlier("power-after", **same("i", "p", "A", "y", "z")),
    ),
    by_query(
        "convex-rise",
        {**_series("h", "d"), **_reals("p", "l", "H", "D", "U")},
        [
            *("(>= m 3)", "(>= p 1)", "(>= l 0)", "(= U (* H D))"),
            *_both("h", "l", "H"),
            *exponential("d", "(* (- p 1) l)", "D", "m"),
        ],
        "(>= U (+ 1 (* p (- H 1))))",
        earlier("exponent-not-negative", p="p", l="l"),
        earlier("above-tangent", m="m", t="l", E="H", e="h"),
        earlier("above-tangent", m="m", t="(* (- p 1) l)", E="D", e="d"),
        earlier("inverse-at-least", m="m", t="l", E="H", e="h"),
        earlier("convex-rise-by-tangents", **same("p", "l", "H", "D", "U")),
    ),
    by_query(
        "convex-fall",
        {**_series("g", "c"), **_reals("p", "l", "G", "C", "B")},
        [
            *("(>= m 3)", "(>= p 1)", "(>= l 0)", "(= B (* G C))"),
            *exponential("g", "l", "G", "m"),
            *_both("c", "(* (- p 1) l)", "C"),
        ],
        "(<= (* B (- G (* p (- G 1)))) G)",
        earlier("exponent-not-negative", p="p", l="l"),
        earlier("above-tangent", m="m", t="l", E="G", e="g"),
        earlier("above-tangent", m="m", t="(* (- p 1) l)", E="C", e="c"),
        earlier("inverse-at-least", m="m", t="(* (- p 1) l)", E="C", e="c"),
        earlier("convex-fall-by-tangents", **same("p", "l", "G", "C", "B")),
    ),
    by_query(
        "powers-apart",
        {"a": "Int", **_reals("p", "u", "v", "w", "B", "U", "Y", "Z", "W")},
        [
            *("(>= a 2)", "(>= p 1)", "(> u 0)", "(> v 0)", "(> Y 0)", "(>= W 1)"),
            *("(= u (* a Y))", "(= u (* v B))", "(= Z (* Y W))", "(> B 0)"),
            *("(= (* v w) (* (- (* a a) 1) Z))", "(= (* u u) (* (* v w) U))"),
            "(>= U (+ 1 (* p (- (/ (* a a) (- (* a a) 1)) 1))))",
            "(<= (* B (- (/ a (- a 1)) (* p (- (/ a (- a 1)) 1)))) (/ a (- a 1)))",
        ],
        "(>= (- (* u u) (* v w)) (- u v))",
        earlier("apart-above", **same("a", "p", "U", "Z"), S="(* v w)"),
        earlier("apart-below", **same("a", "p", "u", "v", "B", "Y")),
        earlier("rise-in-order", **same("p", "Y", "Z", "W")),
    ),
)
"""x, y and z are (i - 1)^p, i^p and (i + 1)^p; v, u and w those at a - 1, a and a + 1, Y and Z are a^(p-1) and
(a^2 - 1)^(p-1), W is what is between. H and G are quotients of successive numbers, A, B and U their powers.
"""
