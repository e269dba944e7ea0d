"""Derivations of bounds: exponentials by their series, factorials, and how many numbers an empty bin takes."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, unfold

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
