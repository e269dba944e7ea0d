"""Derivations of the basics: events from outcomes, post-processing, composition, groups, mixing, geometric noise.

A law on finitely many outcomes is a function of 1, ..., n; an event weighs each outcome with a number from 0 to 1.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given, same
from dpcert.proofs.products import ENDLESS, endless, reached

_LAWS: dict[str, str | int] = {"n": "Int", "E": "Real", "p": 1, "q": 1}
_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_EXCESS = "(all (k 1 n) (and (>= (e k) 0) (>= (e k) (- (p k) (* E (q k))))))"
_UP, _UQ, _E = "(* (u k) (p k))", "(* (u k) (q k))", "(sum (k 1 n) (e k))"
_WEIGHT = "(sum (b 1 m) (* (t a b) (s b)))"
_IMAGE_P = "(sum (b 1 m) (* (s b) (sum (a 1 n) (* (t a b) (p a)))))"
_IMAGE_Q = _IMAGE_P.replace("(p a)", "(q a)")
_SHARES = [
    "(all (a 1 n) (all (b 1 m) (>= (t a b) 0)))",
    "(all (a 1 n) (<= (sum (b 1 m) (t a b)) 1))",
    "(all (b 1 m) (and (>= (s b) 0) (<= (s b) 1)))",
]

POST_PROCESSING = (
    by_query(
        "event-outcome",
        {**_LAWS, "u": 1, "e": 1},
        [_EVENT, _EXCESS],
        f"(all (k 1 n) (<= {_UP} (+ (* E {_UQ}) (e k))))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "event-of-excess",
        {**_LAWS, "u": 1, "e": 1, "delta": "Real"},
        ["(>= n 0)", f"(<= {_E} delta)", _EVENT, _EXCESS],
        f"(<= (sum (k 1 n) {_UP}) (+ (* E (sum (k 1 n) {_UQ})) delta))",
        earlier("event-outcome", n="n", E="E", p="p", q="q", u="u", e="e"),
        earlier("sum-at-most", n="n", m="n", a=("k", _UP), b=("k", f"(+ (* E {_UQ}) (e k))")),
        earlier("sum-plus", n="n", a=("k", f"(* E {_UQ})"), b="e"),
        earlier("sum-scale", n="n", c="E", a=("k", _UQ)),
    ),
    by_query(
        "share-not-negative",
        {"m": "Int", "t": 1, "s": 1},
        ["(all (b 1 m) (>= (t b) 0))", _SHARES[2]],
        "(all (b 1 m) (>= (* (t b) (s b)) 0))",
        given(0, "b"),
        given(1, "b"),
    ),
    by_query(
        "share-at-most",
        {"m": "Int", "t": 1, "s": 1},
        ["(all (b 1 m) (>= (t b) 0))", _SHARES[2]],
        "(all (b 1 m) (<= (* (t b) (s b)) (t b)))",
        given(0, "b"),
        given(1, "b"),
    ),
    by_query(
        "weight-of-event",
        {"n": "Int", "m": "Int", "t": 2, "s": 1},
        ["(>= m 0)", *_SHARES],
        f"(all (a 1 n) (and (>= {_WEIGHT} 0) (<= {_WEIGHT} 1)))",
        given(0, "a"),
        given(1, "a"),
        earlier("share-not-negative", m="m", t=("b", "(t a b)"), s="s"),
        earlier("share-at-most", m="m", t=("b", "(t a b)"), s="s"),
        earlier("sum-not-negative", n="m", m="m", a=("b", "(* (t a b) (s b))")),
        earlier("sum-at-most", n="m", m="m", a=("b", "(* (t a b) (s b))"), b=("b", "(t a b)")),
    ),
    by_query(
        "inner-scale",
        {"n": "Int", "m": "Int", "t": 2, "s": 1, "p": 1},
        ["(>= m 0)"],
        f"(all (a 1 n) (= (sum (b 1 m) (* (p a) (* (t a b) (s b)))) (* {_WEIGHT} (p a))))",
        earlier("sum-scale", n="m", c="(p a)", a=("b", "(* (t a b) (s b))")),
    ),
    by_query(
        "outer-scale",
        {"n": "Int", "m": "Int", "t": 2, "s": 1, "p": 1},
        ["(>= n 0)"],
        "(all (b 1 m) (= (sum (a 1 n) (* (p a) (* (t a b) (s b)))) (* (s b) (sum (a 1 n) (* (t a b) (p a))))))",
        earlier("sum-scale", n="n", c="(s b)", a=("a", "(* (t a b) (p a))")),
    ),
    by_query(
        "image-of-event",
        {"n": "Int", "m": "Int", "t": 2, "s": 1, "p": 1},
        ["(>= n 0)", "(>= m 0)"],
        f"(= (sum (b 1 m) (* (s b) (sum (a 1 n) (* (t a b) (p a))))) (sum (a 1 n) (* {_WEIGHT} (p a))))",
        earlier("inner-scale", n="n", m="m", t="t", s="s", p="p"),
        earlier("outer-scale", n="n", m="m", t="t", s="s", p="p"),
        earlier(
            "sum-equal",
            n="n",
            m="n",
            a=("a", "(sum (b 1 m) (* (p a) (* (t a b) (s b))))"),
            b=("a", f"(* {_WEIGHT} (p a))"),
        ),
        earlier(
            "sum-equal",
            n="m",
            m="m",
            a=("b", "(sum (a 1 n) (* (p a) (* (t a b) (s b))))"),
            b=("b", "(* (s b) (sum (a 1 n) (* (t a b) (p a))))"),
        ),
        earlier("sum-exchange", n="n", m="m", t=("i", "j", "(* (p i) (* (t i j) (s j)))")),
    ),
    by_query(
        "post-processing",
        {**_LAWS, "m": "Int", "t": 2, "s": 1, "e": 1, "delta": "Real"},
        ["(>= n 0)", "(>= m 0)", f"(<= {_E} delta)", *_SHARES, _EXCESS],
        f"(<= {_IMAGE_P} (+ (* E {_IMAGE_Q}) delta))",
        earlier("weight-of-event", n="n", m="m", t="t", s="s"),
        earlier("event-of-excess", n="n", E="E", p="p", q="q", u=("a", _WEIGHT), e="e", delta="delta"),
        earlier("image-of-event", n="n", m="m", t="t", s="s", p="p"),
        earlier("image-of-event", n="n", m="m", t="t", s="s", p="q"),
    ),
    by_query(
        "post-processing-without-end",
        {**_LAWS, **ENDLESS, "m": "Int", "t": 2, "s": 1, "e": 1, "delta": "Real"},
        [
            "(>= n 0)",
            "(>= m 0)",
            "(>= E 1)",
            f"(<= {_E} delta)",
            reached(_IMAGE_P),
            f"(<= {_IMAGE_Q} Q)",
            *_SHARES,
            _EXCESS,
        ],
        "(<= P (+ (* E Q) delta))",
        earlier("post-processing", **same("n", "m", "E", "delta", "p", "q", "t", "s", "e")),
        endless(_IMAGE_P, _IMAGE_Q, "E", "delta"),
    ),
)
"""From the excess of two laws to every event of their images: t(a, b) is the share of a that b gets."""
