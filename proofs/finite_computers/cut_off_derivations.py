"""Derivations on FastSample's cut-off: the mass that it moves is small enough for mixing."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, same, unfold
from dpcert.proofs.exponentials import at_most, exponential, first_terms, not_beyond
from dpcert.proofs.finite_computers.bound_derivations import EXPONENT, LOGARITHM


def _at(x: str, givens: list[str]) -> list[str]:
    """Return givens with x for t."""
    return [each.replace("(* t ", f"(* {x} ").replace(" t)", f" {x})") for each in givens]


_WHOLE: dict[str, str | int] = {"L": "Int", "a": "Int", "t": "Int", "w": "Real", "F": "Real"}
_STEPS = "(* (* 9 a) L)"
_ROOT = ["(>= a 1)", "(>= w 1)", "(= (pow w (* 9 a)) F)"]
_CONDITION: dict[str, str | int] = {
    **_WHOLE,
    **dict.fromkeys(("i", "m", "n"), "Int"),
    **dict.fromkeys(("x", "l", "u", "E", "epsilon", "gamma", "V", "U"), "Real"),
    **dict.fromkeys(("e", "f", "h", "o", "s", "y"), 1),
}
_SHARE = "(/ (* 2 epsilon) 9)"
_ROOT_OF_E = [*exponential("f", _SHARE, "w", "m"), not_beyond("f", _SHARE, "w", "m")]
_SQUARE_OF_E = exponential("s", "2", "F")
_BETWEEN = [*exponential("h", f"(- l {_SHARE})", "V"), *exponential("y", "(- (/ epsilon 2) l)", "U")]
_SETTING = [
    *_at("x", EXPONENT),
    *_at("x", LOGARITHM),
    "(= (* a epsilon) 1)",
    *_ROOT_OF_E,
    *_SQUARE_OF_E,
    *_BETWEEN,
    *exponential("o", "(/ epsilon 2)", "E"),
    "(= (+ 1 x) (* w V))",
    "(= E (* (+ 1 x) U))",
    "(= (pow w (* 9 a)) F)",
    "(>= a 1)",
    "(>= L 1)",
    "(>= t 0)",
    f"(>= (* 2 (+ t 1)) {_STEPS})",
    "(>= n 0)",
    "(> gamma 0)",
    "(< gamma 1)",
    "(<= (* 8 (* (+ n 1) (- 1 gamma))) (* (* epsilon gamma) (pow 2 L)))",
    "(= (* u (pow (+ 1 x) t)) 1)",
]

FASTSAMPLE_PRIVATE = (
    by_induction(
        "power-of-root",
        _WHOLE,
        ["(>= L 0)", *_ROOT],
        f"(= (pow w {_STEPS}) (pow F L))",
        base=[],
        step=[
            earlier("pow-of-sum", n="(* 9 a)", m=_STEPS, E="w"),
            unfold("(pow F (+ L 1))"),
        ],
    ),
    by_induction(
        "square-is-enough",
        {"L": "Int", "F": "Real"},
        ["(>= L 1)", "(>= F (/ 19 3))"],
        "(>= (* 16 (pow F L)) (* 25 (pow 4 L)))",
        base=[unfold("(pow F 1)"), unfold("(pow 4 1)")],
        step=[
            unfold("(pow F (+ L 1))"),
            unfold("(pow 4 (+ L 1))"),
            earlier("pow-positive", n="L", E="4"),
        ],
    ),
    by_query(
        "cut-off",
        _WHOLE,
        [
            "(>= L 1)",
            "(>= t 0)",
            f"(>= (* 2 (+ t 1)) {_STEPS})",
            "(>= F (/ 19 3))",
            "(<= (* 4 w) 5)",
            *_ROOT,
        ],
        "(>= (pow w t) (pow 2 L))",
        earlier("power-of-root", **same("L", "a", "t", "w", "F")),
        earlier("square-is-enough", L="L", F="F"),
        earlier("pow-rises", n=f"(- (* 2 (+ t 1)) {_STEPS})", i=_STEPS, E="w"),
        earlier("pow-of-sum", n="(+ t 1)", m="(+ t 1)", E="w"),
        unfold("(pow w (+ t 1))"),
        earlier("pow-of-product", n="L", a="2", b="2", c="4"),
        earlier("pow-positive", n="L", E="2"),
        earlier("pow-positive", n="L", E="4"),
        earlier("pow-positive", n="t", E="w"),
    ),
    by_query(
        "fastsample-root",
        {"m": "Int", "epsilon": "Real", "w": "Real", "F": "Real", "f": 1, "s": 1},
        ["(> epsilon 0)", "(<= epsilon 1)", "(>= m 3)", *_ROOT_OF_E, *_SQUARE_OF_E],
        "(and (>= w 1) (<= (* 4 w) 5) (>= F (/ 19 3)))",
        first_terms("f", _SHARE, "w", "m"),
        at_most("f", _SHARE, "w", "m"),
        first_terms("s", "2", "F"),
    ),
    by_query(
        "fastsample-ratio",
        {"epsilon": "Real", "l": "Real", "V": "Real", "U": "Real", "h": 1, "y": 1},
        ["(> (* 9 (* 2 l)) (* 4 epsilon))", "(<= (* 2 l) epsilon)", *_BETWEEN],
        "(and (>= V 1) (>= U 1))",
        first_terms("h", f"(- l {_SHARE})", "V"),
        first_terms("y", "(- (/ epsilon 2) l)", "U"),
    ),
    by_query(
        "fastsample-order",
        dict.fromkeys("wxEVU", "Real"),
        [
            "(>= w 1)",
            "(> x 0)",
            "(>= V 1)",
            "(>= U 1)",
            "(= (+ 1 x) (* w V))",
            "(= E (* (+ 1 x) U))",
        ],
        "(and (<= w (+ 1 x)) (<= (+ 1 x) E))",
    ),
    by_query(
        "fastsample-few",
        dict.fromkeys(("r", "u", "E", "epsilon", "gamma", "n", "P"), "Real"),
        [
            "(>= r 1)",
            "(>= E 1)",
            "(> u 0)",
            "(>= n 0)",
            "(> gamma 0)",
            "(< gamma 1)",
            "(> epsilon 0)",
            "(<= (* epsilon (+ E 1)) (* 6 (- E 1)))",
            "(<= (* u P) 1)",
            "(<= (* 8 (* (+ n 1) (- 1 gamma))) (* (* epsilon gamma) P))",
        ],
        "(<= (* (* (* (/ (* 2 u) (+ r 1)) (- 1 gamma)) (+ E 1)) (+ n 1)) (* (- E 1) gamma))",
        earlier("fastsample-cut", **same("r", "u", "E", "epsilon", "gamma", "n")),
    ),
    by_query(
        "fastsample-tail",
        {"t": "Int", "L": "Int", "w": "Real", "r": "Real", "u": "Real"},
        ["(>= t 0)", "(>= w 1)", "(<= w r)", "(>= (pow w t) (pow 2 L))", "(= (* u (pow r t)) 1)"],
        "(and (> u 0) (<= (* u (pow 2 L)) 1))",
        earlier("pow-in-order", n="t", a="w", b="r"),
        earlier("pow-positive", n="t", E="r"),
    ),
    by_query(
        "fastsample-condition",
        _CONDITION,
        _SETTING,
        "(and (<= (+ 1 x) E) (<= (* (* (* (/ (* 2 u) (+ (+ 1 x) 1)) (- 1 gamma)) (+ E 1)) (+ n 1)) (* (- E 1) gamma)))",
        earlier("power-of-two", i="i", epsilon="epsilon", t="x"),
        earlier("rational-epsilon", **same("i", "m", "epsilon", "l", "e"), t="x"),
        earlier("fastsample-root", **same("m", "epsilon", "w", "F", "f", "s")),
        earlier("fastsample-ratio", **same("epsilon", "l", "V", "U", "h", "y")),
        earlier("fastsample-order", **same("w", "x", "E", "V", "U")),
        earlier("cut-off", **same("L", "a", "t", "w", "F")),
        earlier("fastsample-tail", **same("t", "L", "w", "u"), r="(+ 1 x)"),
        earlier("response-gap-of-exponential", epsilon="epsilon", R="E", e="o"),
        earlier("fastsample-few", **same("u", "E", "epsilon", "gamma", "n"), r="(+ 1 x)", P="(pow 2 L)"),
    ),
)
"""i is k, x is 2^-k, l is ln(1 + x), E is e^(epsilon/2), w is e^(2 epsilon/9), a is 1/epsilon, F is e^2; V and U are
what is between these powers, 2^L is at least 8 (n + 1)(1 - gamma)/(epsilon gamma), and u is (1 + x)^-t.
"""
