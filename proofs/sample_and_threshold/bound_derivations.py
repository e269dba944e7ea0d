"""Derivations of Theorem 2 and Lemma 3: Markov's inequality for z^B, with exponentials by their series."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.exponentials import above_one, at_most, exponential, first_terms, not_beyond

_MEAN = "(+ (- 1 p) (* p z))"
_TRIAL = "(all (v 0 V) (= (c v) (+ (* p (b (- v 1))) (* (- 1 p) (b v)))))"
_OF_B, _OF_C = "(sum (v 0 n) (* (b v) (pow z v)))", "(sum (v 0 n) (* (c v) (pow z v)))"
_LAW: Sorts = {"n": "Int", "V": "Int", "p": "Real", "z": "Real", "b": 1, "c": 1}
_TRIALS: Sorts = {"n": "Int", "M": "Int", "V": "Int", "p": "Real", "z": "Real", "b": 2}
_OF_TRIALS = "(sum (v 0 V) (* (b n v) (pow z v)))"
_AT = "(+ (- s 1) j)"
_ABOVE: Sorts = {"n": "Int", "s": "Int", "z": "Real", "b": 1}
_TERM = f"(* (b {_AT}) (pow z {_AT}))"
_EVENT = f"(sum (j 1 n) (b {_AT}))"

MARKOV = (
    by_induction(
        "mean-by-last-trial",
        _LAW,
        ["(>= n 0)", "(<= n V)", "(= (b (- 0 1)) 0)", _TRIAL],
        f"(= {_OF_C} (- (* {_MEAN} {_OF_B}) (* (* p z) (* (b n) (pow z n)))))",
        base=[
            *(unfold(f"(sum (v 0 {end}) (* ({f} v) (pow z v)))") for f in "bc" for end in ("0", "(- 0 1)")),
            given(0, "0"),
        ],
        step=[
            *(unfold(f"(sum (v 0 (+ n 1)) (* ({f} v) (pow z v)))") for f in "bc"),
            unfold("(pow z (+ n 1))"),
            given(0, "(+ n 1)"),
        ],
    ),
    by_induction(
        "mean-at-most",
        _TRIALS,
        [
            "(>= n 0)",
            "(<= n M)",
            "(>= V 0)",
            "(>= p 0)",
            "(<= p 1)",
            "(> z 0)",
            "(= (sum (v 0 V) (* (b 0 v) (pow z v))) 1)",
            "(all (k 0 M) (and (= (b k (- 0 1)) 0) (>= (b k V) 0)))",
            "(all (k 0 (- M 1)) (all (v 0 V) (= (b (+ k 1) v) (+ (* p (b k (- v 1))) (* (- 1 p) (b k v))))))",
        ],
        f"(<= {_OF_TRIALS} (pow {_MEAN} n))",
        base=[],
        step=[
            given(0, "n"),
            given(1, "n"),
            unfold(f"(pow {_MEAN} (+ n 1))"),
            earlier("pow-positive", n="V", E="z"),
            earlier("mean-by-last-trial", n="V", V="V", p="p", z="z", b=["v", "(b n v)"], c=["v", "(b (+ n 1) v)"]),
        ],
    ),
    by_induction(
        "sum-from-zero",
        {"n": "Int", "a": 1},
        ["(>= n 0)"],
        "(= (sum (v 0 n) (a v)) (+ (a 0) (sum (v 1 n) (a v))))",
        base=[unfold("(sum (v 0 0) (a v))"), unfold("(sum (v 0 (- 0 1)) (a v))"), unfold("(sum (v 1 0) (a v))")],
        step=[unfold("(sum (v 0 (+ n 1)) (a v))"), unfold("(sum (v 1 (+ n 1)) (a v))")],
    ),
    by_query(
        "each-above",
        _ABOVE,
        ["(>= s 1)", "(>= z 1)", "(all (v 0 (+ (- s 1) n)) (>= (b v) 0))"],
        f"(all (j 1 n) (<= (* (pow z s) (b {_AT})) {_TERM}))",
        given(0, _AT),
        earlier("pow-rises", n="(- j 1)", i="s", E="z"),
    ),
    by_query(
        "terms-not-below",
        {"n": "Int", "z": "Real", "b": 1},
        ["(>= z 1)", "(all (v 0 n) (>= (b v) 0))"],
        "(all (v 0 n) (>= (* (b v) (pow z v)) 0))",
        given(0, "v"),
        earlier("pow-positive", n="v", E="z"),
    ),
    by_query(
        "first-terms-not-below",
        {"n": "Int", "m": "Int", "z": "Real", "b": 1},
        ["(>= m 0)", "(>= n 0)", "(>= z 1)", "(all (v 0 (+ m n)) (>= (b v) 0))"],
        "(all (v 1 m) (>= (* (b v) (pow z v)) 0))",
        earlier("terms-not-below", n="(+ m n)", z="z", b="b"),
        given(1, "v"),
    ),
    by_query(
        "markov",
        _ABOVE,
        ["(>= n 0)", "(>= s 1)", "(>= z 1)", "(all (v 0 (+ (- s 1) n)) (>= (b v) 0))"],
        f"(<= (* (pow z s) {_EVENT}) (sum (v 0 (+ (- s 1) n)) (* (b v) (pow z v))))",
        given(0, "0"),
        earlier("each-above", **same("n", "s", "z", "b")),
        earlier("sum-at-most", n="n", m="n", a=["j", f"(* (pow z s) (b {_AT}))"], b=["j", _TERM]),
        earlier("sum-scale", n="n", c="(pow z s)", a=["j", f"(b {_AT})"]),
        earlier("sum-from-zero", n="(+ (- s 1) n)", a=["v", "(* (b v) (pow z v))"]),
        earlier("sum-in-two-parts", n="n", m="(- s 1)", a=["v", "(* (b v) (pow z v))"]),
        earlier("first-terms-not-below", n="n", m="(- s 1)", z="z", b="b"),
        earlier("sum-not-negative", n="(- s 1)", m="(- s 1)", a=["v", "(* (b v) (pow z v))"]),
    ),
)
"""b(k, v) is the probability of v successes in k trials, none being below 0; V is the most that is counted."""

_LOGARITHMS: Sorts = {
    "m": "Int",
    **dict.fromkeys(("p", "q", "a", "b", "A", "W"), "Real"),
    **dict.fromkeys(("e", "f"), 1),
}
_RATES = [
    "(> p 0)",
    "(< p 1)",
    "(>= q p)",
    "(< q 1)",
    "(>= a 0)",
    "(<= b 0)",
    "(>= m 3)",
    "(= q (* p A))",
    "(= (- 1 p) (* (- 1 q) W))",
    *exponential("e", "a", "A", "m"),
    not_beyond("e", "a", "A", "m"),
    *exponential("f", "(- b)", "W"),
]
_D = "(+ (* q a) (* (- 1 q) b))"
_NUMBERS: Sorts = {
    **dict.fromkeys(("K", "tau", "s"), "Int"),
    **dict.fromkeys(("q", "Q", "a", "b", "D", "P", "X", "Y", "Z", "B", "U", "V", "z", "m"), "Real"),
    **dict.fromkeys(("e", "f"), 1),
}
_BOUND = ["(>= Q 0)", "(= (* Q q) tau)", "(> q 0)", "(< q 1)", "(>= P 0)", "(>= X 0)", "(= B (* X U))"]
_WORST: Sorts = {**dict.fromkeys(("n", "s", "tau", "K"), "Int"), "q": "Real", "b": 1, "o": 1}
_NOT_NEGATIVE = "(all (v 0 (+ (- s 1) n)) (>= (b v) 0))"


def _event_from_least(name: str, condition: str) -> Iterator[dict[str, Any]]:
    """Yield steps to: the event of at least tau successes that are above K q is one of at least s.

    o(v) is 1 for its counts v; s is tau, or the least integer that is not below K q.
    """
    event = [
        *("(>= n 0)", "(>= tau 1)", "(>= K 0)", "(>= q 0)", "(>= s 1)", condition),
        "(all (v 0 (+ (- s 1) n)) (= (o v) (ite (>= v tau) (ite (> v (* K q)) 1 0) 0)))",
    ]
    yield by_query(
        f"no-count-before-{name}",
        _WORST,
        event,
        "(all (v 1 (- s 1)) (= (* (o v) (b v)) 0))",
        given(0, "v"),
    )
    yield by_query(
        f"counts-from-{name}",
        _WORST,
        [*event, _NOT_NEGATIVE],
        f"(all (j 1 n) (<= (* (o {_AT}) (b {_AT})) (b {_AT})))",
        given(0, _AT),
        given(1, _AT),
    )
    yield by_query(
        f"event-from-least-{name}",
        _WORST,
        [*event, _NOT_NEGATIVE],
        f"(<= (sum (v 0 (+ (- s 1) n)) (* (o v) (b v))) {_EVENT})",
        given(0, "0"),
        earlier(f"no-count-before-{name}", **same(*_WORST)),
        earlier(f"counts-from-{name}", **same(*_WORST)),
        earlier("sum-equal", n="(- s 1)", m="(- s 1)", a=["v", "(* (o v) (b v))"], b=["v", "0"]),
        earlier("sum-of-zeros", n="(- s 1)"),
        earlier("sum-at-most", n="n", m="n", a=["j", f"(* (o {_AT}) (b {_AT}))"], b=["j", f"(b {_AT})"]),
        earlier("sum-from-zero", n="(+ (- s 1) n)", a=["v", "(* (o v) (b v))"]),
        earlier("sum-in-two-parts", n="n", m="(- s 1)", a=["v", "(* (o v) (b v))"]),
    )


DIVERGENCE = (
    *MARKOV,
    *_event_from_least("few", "(<= s tau)"),
    *_event_from_least("many", "(<= (- s 1) (* K q))"),
    by_query(
        "divergence-of-rates",
        _LOGARITHMS,
        _RATES,
        f"(>= {_D} 0)",
        first_terms("e", "a", "A", "m"),
        at_most("e", "a", "A", "m"),
        first_terms("f", "(- b)", "W"),
        earlier("divergence-not-negative", **same("p", "q", "a", "b")),
    ),
    by_query(
        "base-of-rates",
        {"p": "Real", "q": "Real", "z": "Real"},
        ["(> p 0)", "(>= q p)", "(< q 1)", "(= (* (* z p) (- 1 q)) (* q (- 1 p)))"],
        "(and (>= z 1) (>= (+ (- 1 p) (* p z)) 1))",
        earlier("chernoff-base", **same("p", "q", "z")),
    ),
    by_query(
        "bound-for-few",
        _NUMBERS,
        [
            *_BOUND,
            "(<= b 0)",
            "(<= (* K q) tau)",
            "(> Y 0)",
            "(<= (* Y P) m)",
            "(= (* X Y) m)",
            *exponential("e", f"(- (+ (* K b) (* tau (- a b))) (* Q {_D}))", "U"),
        ],
        "(<= P B)",
        above_one("e", f"(- (+ (* K b) (* tau (- a b))) (* Q {_D}))", "U"),
        earlier("few-copies", **same("tau", "q", "a", "b"), k="K"),
    ),
    by_query(
        "bound-for-many",
        _NUMBERS,
        [
            *_BOUND,
            "(>= (* K q) tau)",
            "(>= s (* K q))",
            "(>= (- a b) 0)",
            "(>= D 0)",
            "(> Z 0)",
            "(= Y (* Z V))",
            "(<= (* Y P) m)",
            "(= (* X Z) m)",
            *exponential("e", "(* (- s (* K q)) (- a b))", "V"),
            *exponential("f", "(- (* K D) (* Q D))", "U"),
        ],
        "(<= P B)",
        above_one("e", "(* (- s (* K q)) (- a b))", "V"),
        above_one("f", "(- (* K D) (* Q D))", "U"),
        earlier("many-copies", **same("tau", "q", "D"), k="K"),
    ),
)
"""a is ln(q/p), b is ln((1-q)/(1-p)), A and W are e^a and e^-b, D is the divergence, z is e^(a-b), and m the K-th power
of the mean e^-b. P is the probability of the event, Y the power of z at s, Z that at K q; B is e^(-(tau/q) D), U and V
are what is between powers of e; Q is tau/q.
"""

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
