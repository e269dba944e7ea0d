"""Derivations on FastSample's cut-off: the mass that it moves is small enough for mixing."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.exponentials import at_most, exponential, first_terms, not_beyond
from dpcert.proofs.finite_computers.bound_derivations import EXPONENT, LOGARITHM
from dpcert.proofs.finite_computers.derivations import MIXING
from dpcert.proofs.finite_computers.noise_derivations import above as _above
from dpcert.proofs.finite_computers.noise_derivations import below as _below


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

_CUT = "(pow g (+ t 1))"
_SCALE = ["(>= K 1)", "(= (* g (+ K 1)) K)"]
_SIDE: Sorts = {"j": "Int", "t": "Int", "K": "Real", "g": "Real", "F": "Real"}
_BEYOND = _below(_CUT)
_LAW: Sorts = {"n": "Int", "B": "Real", **dict.fromkeys("FGxa", 1)}
_FAR = "(and (<= (- {0} {1}) {2}) (<= (- {1} {0}) {2}))".format
_MIX = MIXING[-1]
_CONDITION_OF_MIXING = "(<= (* (* delta (- 1 gamma)) (+ E 1)) (* (* (- E 1) gamma) m))"
_PRIVATE_WITHIN = _MIX["given"][-2].replace("E (b k)", "R (b k)")

FASTSAMPLE_LAW = (
    by_query(
        "powers-fall",
        {"j": "Int", "t": "Int", "g": "Real"},
        ["(>= t 0)", "(>= j t)", "(> g 0)", "(<= g 1)"],
        "(<= (pow g j) (pow g t))",
        earlier("pow-of-sum", n="(- j t)", m="t", E="g"),
        earlier("pow-at-most-one", n="(- j t)", r="g"),
        earlier("pow-positive", n="t", E="g"),
    ),
    by_query(
        "near-below-count",
        _SIDE,
        [
            *("(>= j 1)", "(>= t 0)", *_SCALE),
            f"(= F (ite (<= j t) (- {_below('(pow g j)')} {_BEYOND}) 0))",
        ],
        _FAR("F", _below("(pow g j)"), _BEYOND),
        earlier("powers-fall", j="j", t="(+ t 1)", g="g"),
        earlier("pow-positive", n="j", E="g"),
        earlier("pow-positive", n="(+ t 1)", E="g"),
    ),
    by_query(
        "near-above-count",
        _SIDE,
        [
            *("(>= j 0)", "(>= t 0)", *_SCALE),
            f"(= F (ite (<= j t) (- (+ {_above('(pow g j)')} 1) {_above('(pow g t)')}) 1))",
        ],
        _FAR("F", _above("(pow g j)"), _BEYOND),
        earlier("mass-beyond", **same("t", "K", "g")),
        earlier("powers-fall", j="j", t="t", g="g"),
        earlier("pow-positive", n="j", E="g"),
        earlier("pow-positive", n="(+ t 1)", E="g"),
    ),
    by_query(
        "outcomes-near",
        _LAW,
        [
            "(all (z (- 0 1) n) (and (<= (- (F z) (G z)) B) (<= (- (G z) (F z)) B)))",
            "(all (k 1 (+ n 1)) (and (= (x k) (- (F (- k 1)) (F (- k 2)))) (= (a k) (- (G (- k 1)) (G (- k 2))))))",
        ],
        "(all (k 1 (+ n 1)) (and (<= (- (x k) (a k)) (* 2 B)) (<= (- (a k) (x k)) (* 2 B))))",
        given(0, "(- k 1)"),
        given(0, "(- k 2)"),
        given(1, "k"),
    ),
    by_query(
        "mass-by-ratio",
        {"t": "Int", **dict.fromkeys(("K", "g", "u", "x"), "Real")},
        ["(>= t 0)", *_SCALE, "(= (* K x) 1)", "(= (* u (pow (+ 1 x) t)) 1)"],
        f"(= (/ (* 2 u) (+ (+ 1 x) 1)) (* 2 {_BEYOND}))",
        earlier("pow-of-product", n="t", a="(+ 1 x)", b="g", c="1"),
        earlier("pow-at-least-one", n="t", E="1"),
        earlier("pow-at-most-one", n="t", r="1"),
        earlier("pow-positive", n="t", E="(+ 1 x)"),
        unfold(_CUT),
    ),
    by_query(
        "within-a-greater-ratio",
        {"n": "Int", "E": "Real", "R": "Real", "m": "Real", **dict.fromkeys("abxyr", 1)},
        ["(<= R E)", _PRIVATE_WITHIN],
        _MIX["given"][-2],
        given(0, "k"),
    ),
    by_query(
        "fastsample-private",
        {**_MIX["for"], "R": "Real", "M": "Int"},
        [
            *(each for each in _MIX["given"] if each not in (_MIX["given"][-2], _CONDITION_OF_MIXING)),
            *("(<= R E)", "(>= M 0)", "(= (* m (+ M 1)) 1)", _PRIVATE_WITHIN),
            "(<= (* (* (* delta (- 1 gamma)) (+ E 1)) (+ M 1)) (* (- E 1) gamma))",
        ],
        _MIX["then"],
        earlier("within-a-greater-ratio", **same("n", "E", "R", "m", "a", "b", "x", "y", "r")),
        earlier("mixing", **same(*_MIX["for"])),
    ),
)
"""F and G are the distribution functions of the noise with what is beyond t moved to c, and of the noise; x and a are
the probabilities of outcomes, M the greatest count, R = 1 + 1/K the ratio of the noise.
"""
