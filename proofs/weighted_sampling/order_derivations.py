"""Derivations on what binds first and what stays bound, for later frequencies, and on the events of one key or two."""

from __future__ import annotations

from typing import Any

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same
from dpcert.proofs.weighted_sampling.derivations import EPSILON, SEQUENCE, SORTS

_ON: Sorts = {**SORTS, "n": "Int", "d": "Int"}
_ALL = {name: name for name in SORTS if name != "n"}

ORDER = (
    by_induction(
        "probabilities-in-order",
        _ON,
        ["(>= d 0)", "(>= n 0)", "(<= (+ n d) m)", *EPSILON, *SEQUENCE],
        "(<= (pi n) (pi (+ n d)))",
        base=[],
        step=[earlier("probabilities-grow", n="(+ n (+ d 1))", **_ALL)],
    ),
    by_query(
        "silence-after-silence",
        _ON,
        ["(>= d 0)", "(>= n 0)", "(<= (+ n d) m)", "(> (* (pi n) (+ 1 E)) (- 1 delta))", *EPSILON, *SEQUENCE],
        "(> (* (pi (+ n d)) (+ 1 E)) (- 1 delta))",
        earlier("probabilities-in-order", n="n", d="d", **_ALL),
    ),
    by_query(
        "last-report",
        {"E": "Real", "delta": "Real", "x": "Real"},
        ["(> E 1)", "(<= delta 1)", "(<= (* x (+ 1 E)) (- 1 delta))"],
        "(and (<= x (/ (- 1 delta) (+ 1 E))) (<= (/ (- 1 delta) (+ 1 E)) (/ (- 1 delta) 2)))",
    ),
)

_POWERS: Sorts = {"n": "Int", "d": "Int", "m": "Int", "E": "Real", "delta": "Real", "tau": "Real", "f": 1, "q": 1}
_CUT = [
    "(>= E 1)",
    "(>= delta 0)",
    "(> tau 0)",
    "(all (i 0 m) (and (>= (f i) 0) (= (q i) (ite (<= (* tau (f i)) 1) (* tau (f i)) 1))))",
    "(all (i 0 (- m 1)) (<= (f i) (f (+ i 1))))",
]
_WITHIN = "(<= (q (+ {n} 1)) (+ (* E (q {n})) delta))"
_CONCAVE = "(all (i 1 (- m 1)) (<= (- (f (+ i 1)) (f i)) (- (f i) (f (- i 1)))))"
_CONVEX = "(all (i 1 (- m 1)) (>= (- (* (f i) (f i)) (* (f (- i 1)) (f (+ i 1)))) (- (f i) (f (- i 1)))))"
_THREE = dict.fromkeys(("E", "delta", "tau", "x", "y", "z"), "Real")
_CUTS = {name: f"(ite (<= (* tau {name}) 1) (* tau {name}) 1)" for name in "xyz"}
_ORDERED = ["(>= E 1)", "(>= delta 0)", "(> tau 0)", "(>= x 0)", "(<= x y)", "(<= y z)"]
_HELD = f"(<= {_CUTS['y']} (+ (* E {_CUTS['x']}) delta))"
_HOLDS = f"(<= {_CUTS['z']} (+ (* E {_CUTS['y']}) delta))"


def _stays(name: str, first: int, shape: list[str], more: list[str]) -> dict[str, Any]:
    """Return the induction that q, once within (16), stays so, by what the powers' shape says of three in a row."""
    at = "(+ n d)"
    return by_induction(
        name,
        _POWERS,
        ["(>= d 0)", f"(>= n {first})", f"(<= (+ {at} 1) m)", *_CUT, *more, *shape, _WITHIN.format(n="n")],
        _WITHIN.format(n=at),
        base=[],
        step=[
            *(given(0, place) for place in (at, f"(+ {at} 1)", f"(+ {at} 2)")),
            *(given(1, place) for place in (at, f"(+ {at} 1)")),
            given(2, f"(+ {at} 1)"),
            *(given(3, place) for place in (at, f"(+ {at} 1)") if len(shape) > 1),
            earlier(
                f"{name}-once",
                **same("E", "delta", "tau"),
                x=f"(f {at})",
                y=f"(f (+ {at} 1))",
                z=f"(f (+ {at} 2))",
            ),
        ],
    )


_NEXT = "(pi (+ n d))"
_REPORT = f"(+ (* E {_NEXT}) delta)"
_NO_REPORT = f"(or (<= (q (+ (+ n d) 1)) {_REPORT}) (<= (+ 1 (/ (- (+ {_NEXT} delta) 1) E)) {_REPORT}))"

PRIORITY = (
    by_query(
        "concave-once",
        _THREE,
        [*_ORDERED, "(<= (- z y) (- y x))", _HELD],
        _HOLDS,
    ),
    _stays("concave", 0, [_CONCAVE], []),
    by_query(
        "convex-scaled",
        dict.fromkeys(("tau", "x", "y", "z"), "Real"),
        ["(> tau 0)", "(>= (- (* y y) (* x z)) (- y x))"],
        "(>= (- (* (* tau y) (* tau y)) (* (* tau x) (* tau z))) (* tau (- (* tau y) (* tau x))))",
    ),
    by_query(
        "convex-uncut",
        _THREE,
        [
            *_ORDERED,
            "(>= tau delta)",
            "(>= (- (* y y) (* x z)) (- y x))",
            "(> x 0)",
            "(< x y)",
            "(< y z)",
            "(<= (* tau y) (+ (* E (* tau x)) delta))",
        ],
        "(<= (* tau z) (+ (* E (* tau y)) delta))",
        earlier("convex-scaled", **same("tau", "x", "y", "z")),
        earlier(
            "convex-sampling-binds-on", E="E", delta="delta", tau="tau", q="(* tau x)", r="(* tau y)", s="(* tau z)"
        ),
    ),
    by_query(
        "convex-once",
        _THREE,
        [*_ORDERED, "(>= tau delta)", "(> x 0)", "(< x y)", "(< y z)", "(>= (- (* y y) (* x z)) (- y x))", _HELD],
        _HOLDS,
        earlier("convex-uncut", **{name: name for name in _THREE}),
    ),
    _stays("convex", 1, [_CONVEX, "(all (i 1 m) (and (> (f i) 0) (< (f i) (f (+ i 1)))))"], ["(>= tau delta)"]),
    by_induction(
        "no-report-after-sampling",
        _ON,
        [
            "(>= d 0)",
            "(>= n 1)",
            "(<= (+ (+ n d) 1) m)",
            "(> E 1)",
            *EPSILON,
            *SEQUENCE,
            "(all (i n (- m 1)) (<= (q (+ i 1)) (+ (* E (q i)) delta)))",
            "(= (pi n) (q n))",
        ],
        f"(and (or (= (pi (+ n d)) (q (+ n d))) (> (* (pi (+ n d)) (+ 1 E)) (- 1 delta))) {_NO_REPORT})",
        base=[given(3, "n")],
        step=[
            given(0, "(+ n (+ d 1))"),
            given(3, "(+ n d)"),
            given(3, "(+ n (+ d 1))"),
            earlier("probabilities-grow", n="(+ n (+ d 1))", **_ALL),
        ],
    ),
)
"""f(i) is i^p, q(i) is tau f(i), cut at 1."""

EVENT = (
    by_query(
        "event-of-one-bit",
        dict.fromkeys(("E", "delta", "a", "b", "u", "v"), "Real"),
        [
            "(>= E 1)",
            "(>= delta 0)",
            "(>= u 0)",
            "(<= u 1)",
            "(>= v 0)",
            "(<= v 1)",
            "(>= b 0)",
            "(<= b 1)",
            "(<= a (+ (* E b) delta))",
            "(<= (- 1 a) (+ (* E (- 1 b)) delta))",
        ],
        "(<= (+ (* u a) (* v (- 1 a))) (+ (* E (+ (* u b) (* v (- 1 b)))) delta))",
    ),
)
"""u weighs the report, of probabilities a and b, and v the silence."""
