"""Derivations of bounds: exponentials by their series, factorials, and how many numbers an empty bin takes."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, same, unfold
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

EMPTY_BIN_EXPONENTIALS = (
    by_query(
        "empty-bin-bounds",
        {"x": "Real", "E": "Real", "F": "Real", "e": 1, "f": 1},
        ["(>= x 0)", "(<= x (/ 3 4))", *exponential("e", "x", "E"), *exponential("f", "(* 2 x)", "F")],
        "(and (<= (+ 1 x) E) (>= (* (- 1 x) F) 1))",
        first_terms("e", "x", "E"),
        first_terms("f", "(* 2 x)", "F"),
        earlier("empty-bin-exponentials", x="x", E="E", F="F"),
    ),
)

_WINDOW = "(sum (k 1 d) (c (+ x k)))"
_PERIOD: dict[str, str | int] = {"d": "Int", "M": "Int", "u": "Int", "c": 1}
_PERIODIC = [
    "(>= u 1)",
    "(<= u d)",
    "(all (v 1 d) (= (- (c v) 0) (ite (= v u) 1 0)))",
    "(all (v 1 M) (= (c (+ v d)) (c v)))",
]
_ALL = "(+ (* q d) r)"
_NUMBERS: dict[str, str | int] = {"d": "Int", "q": "Int", "r": "Int", "N": 1}
_DIVISION = ["(>= d 1)", "(>= q 1)", "(>= r 0)", "(< r d)"]
_OF_COUNT, _CHOSEN = "(sum (u 1 d) (* (i u) (N u)))", "(sum (u 1 d) (i u))"
_EITHER = "(all (u 1 d) (= (N u) (+ q (ite (<= u r) 1 0))))"

EMPTY_BIN = (
    by_query(
        "first-numbers",
        {"d": "Int", "n": "Int", "u": "Int", "c": 1},
        ["(>= n 0)", "(<= n d)", "(>= u 1)", "(all (v 1 d) (= (- (c v) 0) (ite (= v u) 1 0)))"],
        "(= (sum (k 1 n) (c k)) (ite (<= u n) 1 0))",
        earlier("one-term-differs", n="n", m="d", j="u", d="1", a="c", b=("k", "0")),
        earlier("sum-of-zeros", n="n"),
    ),
    by_induction(
        "one-in-a-row",
        {"x": "Int", **_PERIOD},
        ["(>= x 0)", "(<= x M)", *_PERIODIC],
        f"(= {_WINDOW} 1)",
        base=[earlier("first-numbers", d="d", n="d", u="u", c="c")],
        step=[given(1, "(+ x 1)"), earlier("sum-moved", n="d", v="x", a="c")],
    ),
    by_induction(
        "numbers-of-value",
        {"q": "Int", "r": "Int", **_PERIOD},
        ["(>= q 0)", f"(<= {_ALL} M)", "(>= r 0)", "(< r d)", *_PERIODIC],
        f"(= (sum (k 1 {_ALL}) (c k)) (+ q (ite (<= u r) 1 0)))",
        base=[earlier("first-numbers", d="d", n="r", u="u", c="c")],
        step=[
            earlier("sum-in-two-parts", n="d", m=_ALL, a="c"),
            earlier("one-in-a-row", x=_ALL, **{name: name for name in _PERIOD}),
        ],
    ),
    *(
        by_query(
            name,
            {**_NUMBERS, "i": 1},
            ["(all (u 1 d) (>= (i u) 0))", _EITHER],
            f"(all (u 1 d) {formula})",
            given(0, "u"),
            given(1, "u"),
        )
        for name, formula in (
            ("at-least-q", "(<= (* q (i u)) (* (i u) (N u)))"),
            ("at-most-one-more", "(<= (* (i u) (N u)) (* (+ q 1) (i u)))"),
        )
    ),
    by_query(
        "empty-bin-of-count",
        {**_NUMBERS, "i": 1},
        [*_DIVISION, "(all (u 1 d) (>= (i u) 0))", _EITHER],
        f"(and (<= (* d {_OF_COUNT}) (* (+ {_ALL} d) {_CHOSEN})) (>= (* d {_OF_COUNT}) (* (- {_ALL} d) {_CHOSEN})))",
        earlier("at-least-q", **same("d", "q", "r", "N", "i")),
        earlier("at-most-one-more", **same("d", "q", "r", "N", "i")),
        earlier("sum-at-most", n="d", m="d", a=("u", "(* q (i u))"), b=("u", "(* (i u) (N u))")),
        earlier("sum-at-most", n="d", m="d", a=("u", "(* (i u) (N u))"), b=("u", "(* (+ q 1) (i u))")),
        earlier("sum-scale", n="d", c="q", a="i"),
        earlier("sum-scale", n="d", c="(+ q 1)", a="i"),
        earlier("sum-not-negative", n="d", m="d", a="i"),
        earlier("empty-bin-ratios", d="d", d0=_ALL, q="q", r="r"),
    ),
    by_induction(
        "first-of-all",
        {"m": "Int", **_NUMBERS},
        ["(>= m 0)", "(<= m d)", "(>= r 0)", _EITHER],
        "(= (sum (u 1 m) (N u)) (+ (* q m) (ite (<= m r) m r)))",
        base=[unfold("(sum (u 1 0) (N u))")],
        step=[unfold("(sum (u 1 (+ m 1)) (N u))"), given(0, "(+ m 1)")],
    ),
    by_query(
        "empty-bin-prefixes",
        {"m": "Int", **_NUMBERS},
        ["(>= m 0)", "(<= m d)", *_DIVISION, _EITHER],
        f"(>= (* (sum (u 1 m) (N u)) d) (* m {_ALL}))",
        earlier("first-of-all", **same("m", "d", "q", "r", "N")),
        earlier("empty-bin-prefix", d="d", q="q", r="r", m="m", s="m"),
        earlier("empty-bin-prefix", d="d", q="q", r="r", m="m", s="r"),
    ),
)
"""c(v) is 1 where f maps the number v to u, N(u) how many numbers f maps to u; i(u) is 1 where M(0, u) is one count."""
