"""Derivations on geometric noise: its privacy, its distribution function, and how GeoSample and FastSample scale it.

K = 2^k and B = K + 1; g = K/B is e^-(e/2), and R its inverse.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given, unfold
from dpcert.proofs.products import ENDLESS, endless, reached

_NEAR, _FAR = "(pow g (- j 1))", "(pow g j)"


def _centred(p: str, c: str) -> str:
    return f"(all (j 0 N) (and (= ({p} (+ {c} j)) (* w (pow g j))) (= ({p} (- {c} j)) (* w (pow g j)))))"


_NOISE: dict[str, str | int] = {
    "n": "Int",
    "c": "Int",
    "N": "Int",
    "w": "Real",
    "R": "Real",
    "g": "Real",
    "p": 1,
    "q": 1,
}
_CENTRES = [
    "(<= c N)",
    "(<= (- n c) N)",
    "(>= w 0)",
    "(>= R 1)",
    "(= (* R g) 1)",
    _centred("p", "c"),
    _centred("q", "(+ c 1)"),
]
_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_EVENT_P, _EVENT_Q = "(sum (k 1 n) (* (u k) (p k)))", "(sum (k 1 n) (* (u k) (q k)))"
_RATIOS = "(<= (p k) (* R (q k)))", "(<= (q k) (* R (p k)))"

GEOMETRIC = (
    by_query(
        "geometric-neighbour",
        {"j": "Int", "R": "Real", "g": "Real"},
        ["(>= j 1)", "(>= R 1)", "(= (* R g) 1)"],
        f"(and (= {_NEAR} (* R {_FAR})) (<= {_FAR} (* R {_NEAR})) (<= {_NEAR} (* R {_FAR})) (>= {_FAR} 0))",
        unfold(_FAR),
        earlier("pow-positive", n="j", E="g"),
        earlier("geometric-noise-step", R="R", m=_FAR),
    ),
    *(
        by_query(
            name,
            _NOISE,
            _CENTRES,
            f"(all (k 1 n) {ratio})",
            given(0, "(- k c)"),
            given(0, "(- c k)"),
            given(1, "(- k (+ c 1))"),
            given(1, "(- (+ c 1) k)"),
            earlier("geometric-neighbour", j="(- k c)", R="R", g="g"),
            earlier("geometric-neighbour", j="(- (+ c 1) k)", R="R", g="g"),
        )
        for name, ratio in zip(("geometric-one-more", "geometric-one-less"), _RATIOS, strict=True)
    ),
    *(
        by_query(
            f"{name}-event",
            {**_NOISE, **ENDLESS, "u": 1},
            ["(>= n 0)", *_CENTRES, _EVENT, reached(part, "(+ (* R Q) 0)"), f"(<= {other} Q)"],
            "(<= P (+ (* R Q) 0))",
            earlier(name, **{each: each for each in _NOISE}),
            earlier("ratio-of-events", n="n", E="R", p=p, q=q, u="u"),
            endless(part, other, "R"),
        )
        for name, p, q, part, other in (
            ("geometric-one-more", "p", "q", _EVENT_P, _EVENT_Q),
            ("geometric-one-less", "q", "p", _EVENT_Q, _EVENT_P),
        )
    ),
)
"""p(k) and q(k) are the masses of noise on the counts c and c + 1, at the integers of an event's partial sum."""
