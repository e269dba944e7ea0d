"""Derivations on sampled counts: a binomial law by its last trial, by factorials, and its ratios and tails.

b is the law of the number of successes in k trials, c that in k + 1: the last trial succeeds with probability p.
"""

from __future__ import annotations

import re

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, same, unfold

_TRIAL = "(all (v 0 V) (= (c v) (+ (* p (b (- v 1))) (* (- 1 p) (b v)))))"
_TAIL: dict[str, str | int] = {"n": "Int", "s": "Int", "V": "Int", "p": "Real", "b": 1, "c": 1}
_UPPER, _LOWER, _NEW = (
    f"(sum (k 1 n) ({name} (+ {start} k)))" for name, start in (("b", "(- s 2)"), ("b", "(- s 1)"), ("c", "(- s 1)"))
)
_GROWS = [
    "(>= n 0)",
    "(>= s 1)",
    "(<= (+ (- s 1) n) V)",
    "(>= p 0)",
    "(<= p 1)",
    "(>= (b (- s 1)) 0)",
    "(= (b (+ (- s 1) n)) 0)",
    _TRIAL,
]

TAILS = (
    by_query(
        "tail-each",
        _TAIL,
        ["(>= s 1)", "(<= (+ (- s 1) n) V)", _TRIAL],
        "(all (k 1 n) (= (c (+ (- s 1) k)) (+ (* p (b (+ (- s 2) k))) (* (- 1 p) (b (+ (- s 1) k))))))",
        given(0, "(+ (- s 1) k)"),
    ),
    by_query(
        "tail-by-last-trial",
        _TAIL,
        ["(>= n 0)", "(>= s 1)", "(<= (+ (- s 1) n) V)", _TRIAL],
        f"(= {_NEW} (+ (* p {_UPPER}) (* (- 1 p) {_LOWER})))",
        earlier("tail-each", **same("n", "s", "V", "p", "b", "c")),
        earlier(
            "sum-equal",
            n="n",
            m="n",
            a=["k", "(c (+ (- s 1) k))"],
            b=["k", "(+ (* p (b (+ (- s 2) k))) (* (- 1 p) (b (+ (- s 1) k))))"],
        ),
        earlier("sum-plus", n="n", a=["k", "(* p (b (+ (- s 2) k)))"], b=["k", "(* (- 1 p) (b (+ (- s 1) k)))"]),
        earlier("sum-scale", n="n", c="p", a=["k", "(b (+ (- s 2) k))"]),
        earlier("sum-scale", n="n", c="(- 1 p)", a=["k", "(b (+ (- s 1) k))"]),
    ),
    by_query(
        "tail-grows",
        _TAIL,
        _GROWS,
        f"(>= {_NEW} {_LOWER})",
        earlier("tail-by-last-trial", **same("n", "s", "V", "p", "b", "c")),
        earlier("sum-moved", n="n", v="(- s 2)", a="b"),
        earlier("tail-of-one-more", p="p", a=_UPPER, b=_LOWER),
    ),
)
"""The tail from s on is summed up to s - 1 + n, beyond which there is nothing."""

_K, _V, _REST = "(prod (i 1 k) i)", "(prod (i 1 v) i)", "(prod (i 1 (- k v)) i)"
_BEFORE, _LESS = "(prod (i 1 (- k 1)) i)", "(prod (i 1 (- (- k v) 1)) i)"

RATIO = (
    by_induction(
        "factorial-positive",
        {"n": "Int"},
        ["(>= n 0)"],
        "(> (prod (i 1 n) i) 0)",
        base=[unfold("(prod (i 1 0) i)")],
        step=[unfold("(prod (i 1 (+ n 1)) i)")],
    ),
    by_query(
        "binomials",
        {"k": "Int", "v": "Int", "c": "Real", "d": "Real"},
        ["(>= v 0)", "(< v k)", f"(= (* c (* {_V} {_REST})) {_K})", f"(= (* d (* {_V} {_LESS})) {_BEFORE})"],
        "(= (* c (- k v)) (* k d))",
        unfold(_K),
        unfold(_REST),
        earlier("factorial-positive", n="v"),
        earlier("factorial-positive", n="(- (- k v) 1)"),
    ),
    by_query(
        "ratio-of-binomials",
        {"k": "Int", "v": "Int", "c": "Real", "d": "Real", "p": "Real"},
        [
            "(> p 0)",
            "(< p 1)",
            "(>= v 0)",
            "(< v k)",
            f"(= (* c (* {_V} {_REST})) {_K})",
            f"(= (* d (* {_V} {_LESS})) {_BEFORE})",
        ],
        "(= (* c (* (pow p v) (pow (- 1 p) (- k v))))"
        " (* (/ (* k (- 1 p)) (- k v)) (* d (* (pow p v) (pow (- 1 p) (- (- k v) 1))))))",
        earlier("binomials", **same("k", "v", "c", "d")),
        unfold("(pow (- 1 p) (- k v))"),
        earlier("binomial-ratio", k="k", v="v", p="p", c="c", d="d", w="(* (pow p v) (pow (- 1 p) (- (- k v) 1)))"),
    ),
)
"""c is k!/(v! (k - v)!) and d that of k - 1."""

_COUNT = "(+ tau (- j 1))"
_COUNTS: dict[str, str | int] = {"n": "Int", "K": "Int", "tau": "Int", "E": "Real", "r": "Real", "p": 1, "q": 1}
_LAWS = [
    "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0)))",
    f"(all (j 1 n) (= (* (p j) (- K {_COUNT})) (* (* K (- 1 r)) (q j))))",
]
_SETTING = [
    "(>= (* E (- 1 r)) 1)",
    "(>= E 1)",
    "(> r 0)",
    "(< r 1)",
    "(>= tau 0)",
    "(>= K 1)",
    "(<= (+ tau (- n 1)) K)",
]
_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_WORST = [
    "(all (k 1 n) (and (>= (b k) 0) (<= (b k) 1)))",
    f"(all (j 1 n) (or (= (b j) 1) (<= (* {_COUNT} E) (* K (- E (- 1 r))))))",
]
_FORM = "(all (k 1 n) (and (>= (b k) 0) (<= (b k) 1) (or (= (b k) 1) (<= (p k) (* E (q k))))))"
_OF_P, _OF_Q = "(sum (k 1 n) (* (u k) (p k)))", "(sum (k 1 n) (* (u k) (q k)))"
_FROM_ZERO = [re.sub(r"\bn\b", "tau", re.sub(r"\btau\b", "0", each)) for each in (*_SETTING, *_LAWS)]
"""What is given, of the counts below tau: from 0 on tau of them."""
_ONE: dict[str, str | int] = {"K": "Int", "v": "Int", **dict.fromkeys(("E", "r", "x", "y"), "Real")}
_ONE_LAW = ["(>= v 0)", "(>= K 1)", "(>= x 0)", "(>= y 0)", "(= (* x (- K v)) (* (* K (- 1 r)) y))"]
_RATE = ["(>= (* E (- 1 r)) 1)", "(>= E 1)", "(> r 0)", "(< r 1)"]
_BINOMIAL = {"K": "K", "v": "(+ tau (- k 1))", "E": "E", "r": "r", "x": "(p k)", "y": "(q k)"}
_JOINED: dict[str, str | int] = {**_COUNTS, "u": 1, "w": "Real", "P": "Real", "Q": "Real"}
_BELOW = ["(>= n 0)", "(>= w 0)", "(>= P 0)", "(>= Q 0)"]

REDUCTION = (
    by_query(
        "count-below-all",
        {"K": "Int", "v": "Int", "E": "Real", "r": "Real"},
        [*_RATE, "(>= K 1)", "(<= (* v E) (* K (- E (- 1 r))))"],
        "(< v K)",
    ),
    by_query(
        "count-within",
        _ONE,
        [*_RATE, *_ONE_LAW, "(<= (* v E) (* K (- E (- 1 r))))"],
        "(<= x (* E y))",
        earlier("count-below-all", **same("K", "v", "E", "r")),
        earlier("ratio-within-epsilon", E="E", k="K", v="v", p="r"),
    ),
    by_query(
        "count-beyond",
        _ONE,
        [*_RATE, *_ONE_LAW, "(> x 0)", "(<= v K)", "(> (* v E) (* K (- E (- 1 r))))"],
        "(> x (* E y))",
    ),
    by_query(
        "count-in-other-order",
        _ONE,
        [*_RATE, *_ONE_LAW, "(<= v K)"],
        "(<= y (* E x))",
    ),
    by_query(
        "counts-within",
        {**_COUNTS, "b": 1},
        [*_SETTING, *_LAWS, *_WORST],
        _FORM,
        *(given(place, "k") for place in range(4)),
        earlier("count-within", **_BINOMIAL),
    ),
    by_query(
        "counts-in-other-order",
        _COUNTS,
        [*_SETTING, *_LAWS],
        "(all (k 1 n) (<= (q k) (* E (p k))))",
        given(0, "k"),
        given(1, "k"),
        earlier("count-in-other-order", **_BINOMIAL),
    ),
    by_query(
        "thresholded",
        {**_JOINED, "b": 1, "delta": "Real"},
        [*_BELOW, "(<= P Q)", "(<= (sum (k 1 n) (* (b k) (p k))) delta)", *_SETTING, *_LAWS, *_WORST, _EVENT],
        f"(<= (+ (* w P) {_OF_P}) (+ (* E (+ (* w Q) {_OF_Q})) delta))",
        earlier("counts-within", **same("n", "K", "tau", "E", "r", "p", "q", "b")),
        earlier("closeness-by-probability", **same("n", "E", "delta", "p", "q", "u", "b")),
    ),
    by_query(
        "thresholded-in-other-order",
        _JOINED,
        [*_BELOW, "(<= Q (* E P))", *_SETTING, *_LAWS, _EVENT],
        f"(<= (+ (* w Q) {_OF_Q}) (* E (+ (* w P) {_OF_P})))",
        earlier("counts-in-other-order", **same("n", "K", "tau", "E", "r", "p", "q")),
        earlier("ratio-of-events", n="n", E="E", p="q", q="p", u="u"),
    ),
    by_query(
        "counts-that-are-joined",
        _COUNTS,
        ["(>= n 0)", *_SETTING, *_LAWS],
        "(<= (sum (k 1 n) (q k)) (* E (sum (k 1 n) (p k))))",
        earlier("counts-in-other-order", **same("n", "K", "tau", "E", "r", "p", "q")),
        earlier("sum-at-most", n="n", m="n", a="q", b=["k", "(* E (p k))"]),
        earlier("sum-scale", n="n", c="E", a="p"),
    ),
    by_query(
        "below-joined",
        {name: sort for name, sort in _COUNTS.items() if name != "n"},
        ["(>= tau 0)", *_FROM_ZERO],
        "(<= (sum (k 1 tau) (q k)) (* E (sum (k 1 tau) (p k))))",
        earlier("counts-that-are-joined", **same("K", "E", "r", "p", "q"), n="tau", tau="0"),
    ),
    by_query(
        "below-falls",
        {**_TAIL, "P": "Real", "Q": "Real"},
        [*_GROWS, f"(= (+ P {_NEW}) 1)", f"(= (+ Q {_LOWER}) 1)"],
        "(<= P Q)",
        earlier("tail-grows", **same(*_TAIL)),
    ),
)
"""p(j) and q(j) are the probabilities of count tau - 1 + j for K people and for K - 1, at rate r; P and Q are those of
all counts below tau, which are one outcome of weight w; b is 1 where the count is above K times the cut-off.
"""
