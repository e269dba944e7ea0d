"""Derivations of Lemma 3, with exponentials by their series."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_query, earlier, same
from dpcert.proofs.exponentials import above_one, at_most, exponential, first_terms, not_beyond

_LEMMA3: Sorts = {**dict.fromkeys(("alpha", "y", "epsilon", "E"), "Real"), "e": 1}
_RATE = ["(> alpha 0)", "(<= alpha 1)", "(> epsilon 0)", "(= (* y E) 1)", *exponential("e", "epsilon", "E")]
_SUBTRACTED = "(* epsilon (/ (* y (+ (- 1 alpha) (* alpha y))) (* (- 1 y) (+ 1 (* alpha y)))))"
_FIRST, _SECOND, _LIMIT = "(/ epsilon (- E 1))", "(- 1 (/ alpha (+ 1 (* alpha y))))", "(/ 1 (+ 1 alpha))"

_REALS: Sorts = dict.fromkeys(("alpha", "y", "epsilon"), "Real")
_UPPER = ["(>= m 3)", *exponential("e", "epsilon", "E", "m"), not_beyond("e", "epsilon", "E", "m")]
_PRODUCT = "(* F G)"

CONSTANT = (
    by_query(
        "square-of-exponential",
        {"epsilon": "Real", "E": "Real"},
        ["(> epsilon 0)", "(>= E (+ 1 epsilon (/ (* epsilon epsilon) 2)))"],
        "(>= (- (* E E) (* (* 2 epsilon) E)) 1)",
    ),
    by_query(
        "epsilon-below-sinh",
        _LEMMA3,
        _RATE,
        "(and (> E 1) (> y 0) (< y 1) (<= (* (* 2 epsilon) y) (- 1 (* y y))))",
        first_terms("e", "epsilon", "E"),
        earlier("square-of-exponential", epsilon="epsilon", E="E"),
    ),
    by_query(
        "subtracted-below-limit",
        _REALS,
        [
            "(> alpha 0)",
            "(<= alpha 1)",
            "(> y 0)",
            "(< y 1)",
            "(> epsilon 0)",
            "(<= (* (* 2 epsilon) y) (- 1 (* y y)))",
        ],
        f"(<= {_SUBTRACTED} {_LIMIT})",
        earlier("subtracted-at-most-limit", **same("alpha", "y", "epsilon")),
    ),
    by_query(
        "logarithm-of-more",
        {**dict.fromkeys(("alpha", "y", "a", "l", "W"), "Real"), "e": 1},
        ["(> alpha 0)", "(> y 0)", "(= (* W (+ 1 (* alpha y))) 1)", *exponential("e", "(- l a)", "W")],
        "(>= a l)",
        first_terms("e", "(- l a)", "W"),
    ),
    by_query(
        "exponent-at-rate",
        dict.fromkeys(("alpha", "y", "epsilon", "p", "q", "a", "l"), "Real"),
        [
            "(> alpha 0)",
            "(<= alpha 1)",
            "(> y 0)",
            "(< y 1)",
            "(= p (* alpha (- 1 y)))",
            "(= q (- 1 (* y (- 1 p))))",
            "(>= a l)",
            f"(<= {_SUBTRACTED} {_LIMIT})",
        ],
        f"(>= (- (* q a) (* (- 1 q) epsilon)) (* q (- l {_LIMIT})))",
        earlier("rate-rewritten", **same("alpha", "y", "p", "q")),
    ),
    by_query(
        "delta-at-rate",
        {**dict.fromkeys(("tau", "q", "Q", "D", "C", "B", "G", "U"), "Real"), "e": 1},
        [
            "(>= Q 0)",
            "(= (* Q q) tau)",
            "(>= B 0)",
            "(>= D (* q C))",
            "(= G (* B U))",
            *exponential("e", "(- (* Q D) (* C tau))", "U"),
        ],
        "(<= B G)",
        above_one("e", "(- (* Q D) (* C tau))", "U"),
    ),
    by_query(
        "subtracted-by-factors",
        {**_REALS, "E": "Real"},
        ["(> alpha 0)", "(> y 0)", "(< y 1)", "(> E 1)", "(= (* y E) 1)"],
        f"(= {_SUBTRACTED} (* {_FIRST} {_SECOND}))",
    ),
    by_query(
        "exponential-below-inverse",
        {"m": "Int", "epsilon": "Real", "E": "Real", "e": 1},
        ["(> epsilon 0)", *_UPPER],
        "(and (< (+ 1 epsilon) E) (< (* E (- 1 epsilon)) 1))",
        first_terms("e", "epsilon", "E", "m"),
        at_most("e", "epsilon", "E", "m"),
    ),
    by_query(
        "first-factor",
        {"m": "Int", **dict.fromkeys(("epsilon", "b", "E", "X"), "Real"), "e": 1, "f": 1},
        ["(> epsilon 0)", "(> b epsilon)", *_UPPER, *exponential("f", "(- b epsilon)", "X")],
        "(< (* b (- E 1)) (* epsilon (- (* E X) 1)))",
        earlier("exponential-below-inverse", **same("m", "epsilon", "E", "e")),
        first_terms("f", "(- b epsilon)", "X"),
        earlier("first-factor-falls", a="epsilon", b="b", A="E", X="X"),
    ),
    by_query(
        "both-factors-fall",
        dict.fromkeys(("F", "G", "x", "y"), "Real"),
        ["(> F 0)", "(> G 0)", "(< F x)", "(< G y)"],
        f"(< {_PRODUCT} (* x y))",
    ),
    by_query(
        "second-factor-near",
        {"alpha": "Real", "y": "Real"},
        ["(> alpha 0)", "(<= alpha 1)", "(> y 0)", "(< y 1)"],
        f"(and (<= {_SECOND} {_LIMIT}) (>= {_SECOND} (- {_LIMIT} (- 1 y))) (>= {_SECOND} 0) (<= {_SECOND} 1))",
    ),
    by_query(
        "first-factor-near",
        {"m": "Int", "y": "Real", "epsilon": "Real", "E": "Real", "e": 1},
        ["(> epsilon 0)", "(= (* y E) 1)", *_UPPER],
        f"(and (<= {_FIRST} 1) (>= {_FIRST} y) (>= y (- 1 epsilon)))",
        earlier("exponential-below-inverse", **same("m", "epsilon", "E", "e")),
    ),
    by_query(
        "product-near",
        dict.fromkeys(("F", "G", "y", "epsilon", "L"), "Real"),
        [
            "(>= F 0)",
            "(<= F 1)",
            "(>= F y)",
            "(>= y (- 1 epsilon))",
            "(<= G L)",
            "(>= G (- L (- 1 y)))",
            "(>= G 0)",
            "(<= G 1)",
        ],
        f"(and (<= {_PRODUCT} L) (>= {_PRODUCT} (- L (* 2 epsilon))))",
    ),
)
"""E is e^epsilon and y its inverse; a is ln((1 + alpha y)/alpha), l is ln(1/alpha), W is e^(l - a), p the rate. B is
e^-(Q D), G is e^-(C tau), Q is tau/q. X is e^(b - epsilon), L the limit, F and G the two factors.
"""

RATE = (
    by_query(
        "exponential-of-taylor",
        {"m": "Int", "y": "Real", "epsilon": "Real", "E": "Real", "e": 1},
        ["(> epsilon 0)", "(= (* y E) 1)", *_UPPER],
        "(and (>= y (- 1 epsilon)) (<= y (+ (- 1 epsilon) (/ (* epsilon epsilon) 2))) (> y 0) (< y 1))",
        first_terms("e", "epsilon", "E", "m"),
        at_most("e", "epsilon", "E", "m"),
    ),
    by_query(
        "order-of-rate",
        {"m": "Int", **dict.fromkeys(("alpha", "y", "epsilon", "E"), "Real"), "e": 1},
        ["(> alpha 0)", "(<= alpha 1)", "(> epsilon 0)", "(<= epsilon 1)", "(= (* y E) 1)", *_UPPER],
        "(and (<= (* alpha (- 1 y)) (* alpha epsilon)) (>= (* 2 (* alpha (- 1 y))) (* alpha epsilon)))",
        earlier("exponential-of-taylor", **same("m", "y", "epsilon", "E", "e")),
        earlier("rate-of-order", **same("alpha", "y", "epsilon")),
    ),
)
"""E is e^epsilon and y its inverse."""
