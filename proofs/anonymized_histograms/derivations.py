"""Derivations on histograms: distances as sums over values, one bit of an estimate, and PrivHist's three steps."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given
from dpcert.proofs.products import ENDLESS, endless, reached

_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_FIRST, _SECOND = "(* (* (p k) (x k)) (v k))", "(* (* (q k) (y k)) (w k))"
_EVENT_FIRST, _EVENT_SECOND = f"(sum (k 1 n) (* (u k) {_FIRST}))", f"(sum (k 1 n) (* (u k) {_SECOND}))"
_STEPS: dict[str, str | int] = {
    "n": "Int",
    "E1": "Real",
    "E2": "Real",
    "E3": "Real",
    "p": 1,
    "q": 1,
    "x": 1,
    "y": 1,
    "v": 1,
    "w": 1,
}
_RATIOS = [
    "(>= E1 1)",
    "(>= E2 1)",
    "(>= E3 1)",
    "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (>= (x k) 0) (>= (y k) 0) (>= (v k) 0) (>= (w k) 0)))",
    "(all (k 1 n) (and (<= (p k) (* E1 (q k))) (<= (x k) (* E2 (y k))) (<= (v k) (* E3 (w k)))))",
]
_SAME = {name: name for name in _STEPS}
THREE = (
    by_query(
        "three-steps-outcome",
        _STEPS,
        _RATIOS,
        f"(all (k 1 n) (<= {_FIRST} (* (* (* E1 E2) E3) {_SECOND})))",
        given(0, "k"),
        given(1, "k"),
        earlier(
            "three-steps",
            E1="E1",
            E2="E2",
            E3="E3",
            p="(p k)",
            q="(q k)",
            x="(x k)",
            y="(y k)",
            u="(v k)",
            w="(w k)",
        ),
    ),
    by_query(
        "three-steps-event",
        {**_STEPS, "u": 1},
        ["(>= n 0)", *_RATIOS, _EVENT],
        f"(<= {_EVENT_FIRST} (* (* (* E1 E2) E3) {_EVENT_SECOND}))",
        earlier("three-steps-outcome", **_SAME),
        earlier("ratio-of-events", n="n", E="(* (* E1 E2) E3)", p=("k", _FIRST), q=("k", _SECOND), u="u"),
    ),
    by_query(
        "three-steps-without-end",
        {**_STEPS, **ENDLESS, "u": 1},
        [
            "(>= n 0)",
            *_RATIOS,
            _EVENT,
            reached(_EVENT_FIRST, "(+ (* (* (* E1 E2) E3) Q) 0)"),
            f"(<= {_EVENT_SECOND} Q)",
        ],
        "(<= P (+ (* (* (* E1 E2) E3) Q) 0))",
        earlier("three-steps-event", **_SAME, u="u"),
        endless(_EVENT_FIRST, _EVENT_SECOND, "(* (* E1 E2) E3)"),
    ),
)
"""Outcome k of all three steps has the probabilities p, x and v of its parts, each given the ones before."""
