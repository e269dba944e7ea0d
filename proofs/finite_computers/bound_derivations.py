"""Derivations of bounds: exponentials by their series, factorials, and how many numbers an empty bin takes."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, same, unfold
from dpcert.proofs.exponentials import at_most, exponential, first_terms, not_beyond

EXPONENT = [
    "(> epsilon 0)",
    "(<= epsilon 1)",
    "(>= i 1)",
    "(>= (* (pow 2 i) epsilon) 2)",
    "(< (* (pow 2 (- i 1)) epsilon) 2)",
    "(= (* t (pow 2 i)) 1)",
]
"""i is k, the least integer with 2^k >= 2/epsilon, and t = 2^-k."""

LOGARITHM = ["(>= l 0)", "(>= m 3)", *exponential("e", "l", "(+ 1 t)", "m"), not_beyond("e", "l", "(+ 1 t)", "m")]
"""e^l = 1 + t: l is ln(1 + t)."""

_RATIONAL: dict[str, str | int] = {"i": "Int", "m": "Int", "epsilon": "Real", "t": "Real", "l": "Real", "e": 1}

RATIONAL = (
    by_query(
        "power-of-two",
        {"i": "Int", "epsilon": "Real", "t": "Real"},
        EXPONENT,
        "(and (> (* 4 t) epsilon) (<= (* 2 t) epsilon) (> t 0))",
        unfold("(pow 2 i)"),
        earlier("pow-positive", n="i", E="2"),
        earlier("pow-positive", n="(- i 1)", E="2"),
    ),
    by_query(
        "logarithm",
        {"m": "Int", "t": "Real", "l": "Real", "e": 1},
        ["(> t 0)", *LOGARITHM],
        "(and (<= l t) (>= (* l (+ 2 t)) (* 2 t)))",
        first_terms("e", "l", "(+ 1 t)", "m"),
        at_most("e", "l", "(+ 1 t)", "m"),
    ),
    by_query(
        "rational-epsilon",
        _RATIONAL,
        [*EXPONENT, *LOGARITHM],
        "(and (> (* 9 (* 2 l)) (* 4 epsilon)) (<= (* 2 l) epsilon))",
        earlier("power-of-two", **same("i", "epsilon", "t")),
        earlier("logarithm", **same("m", "t", "l", "e")),
        earlier("rational-epsilon-range", **same("epsilon", "t", "l")),
    ),
)

GAP = (
    by_query(
        "response-gap-of-exponential",
        {"epsilon": "Real", "R": "Real", "e": 1},
        ["(> epsilon 0)", "(<= epsilon 2)", *exponential("e", "(/ epsilon 2)", "R")],
        "(<= (* epsilon (+ R 1)) (* 6 (- R 1)))",
        first_terms("e", "(/ epsilon 2)", "R"),
        earlier("response-gap", epsilon="epsilon", R="R"),
    ),
)

_FACTORIAL, _POWER = "(prod (k 1 n) k)", "(pow (+ n 1) n)"
_ROOT, _AFTER = "(pow (+ 1 x) (+ n 1))", "(pow (+ (+ n 1) 1) (+ n 1))"
FACTORIAL = (
    by_query(
        "root-step",
        {"x": "Real", "y": "Real"},
        ["(>= x 0)", "(>= y 0)", "(<= y 1)"],
        "(<= (* (+ 1 y (* y y)) (+ 1 x)) (+ 1 (+ y x) (* (+ y x) (+ y x))))",
    ),
    by_induction(
        "root-power",
        {"j": "Int", "m": "Int", "x": "Real"},
        ["(>= j 0)", "(<= j m)", "(>= x 0)", "(= (* x m) 1)"],
        "(and (>= (pow (+ 1 x) j) 0) (<= (pow (+ 1 x) j) (+ 1 (* j x) (* (* j x) (* j x)))))",
        base=[],
        step=[unfold("(pow (+ 1 x) (+ j 1))"), earlier("root-step", x="x", y="(* j x)")],
    ),
    by_query(
        "root-at-most-three",
        {"n": "Int", "x": "Real"},
        ["(>= n 0)", "(= (* x (+ n 1)) 1)"],
        f"(and (> {_ROOT} 1) (<= {_ROOT} 3) (= {_AFTER} (* {_ROOT} (* (+ n 1) {_POWER}))))",
        earlier("root-power", j="(+ n 1)", m="(+ n 1)", x="x"),
        earlier("pow-of-product", n="(+ n 1)", a="(+ 1 x)", b="(+ n 1)", c="(+ (+ n 1) 1)"),
        earlier("pow-at-least-one", n="n", E="(+ 1 x)"),
        unfold(_ROOT),
        unfold("(pow (+ n 1) (+ n 1))"),
    ),
    by_induction(
        "factorial",
        {"n": "Int"},
        ["(>= n 0)"],
        f"(and (> {_FACTORIAL} 0) (> {_POWER} 0) (>= (/ {_FACTORIAL} {_POWER}) (/ 1 (pow 3 n))))",
        base=[unfold("(prod (k 1 0) k)")],
        step=[
            unfold("(prod (k 1 (+ n 1)) k)"),
            unfold("(pow 3 (+ n 1))"),
            earlier("pow-positive", n="n", E="3"),
            earlier("root-at-most-three", n="n", x="(/ 1 (+ n 1))"),
            earlier(
                "factorial-step",
                x=f"(/ {_FACTORIAL} {_POWER})",
                y="(/ 1 (pow 3 n))",
                w="(pow (+ 1 (/ 1 (+ n 1))) (+ n 1))",
            ),
        ],
    ),
)


_OF_COUNT, _CHOSEN = "(sum (u 1 d) (* (i u) (N u)))", "(sum (u 1 d) (i u))"
