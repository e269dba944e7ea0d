"""Derivations on geometric noise: its privacy, its distribution function, and how GeoSample and FastSample scale it.

K = 2^k and B = K + 1; g = K/B is e^-(e/2), and R its inverse.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, same, unfold
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


def below(x: str) -> str:
    """Return Pr[Z <= c - j], x = g^j."""
    return f"(* (/ (+ K 1) (+ (* 2 K) 1)) {x})"


def above(x: str) -> str:
    """Return Pr[Z <= c + j], x = g^j."""
    return f"(- 1 (* (/ K (+ (* 2 K) 1)) {x}))"


def _mass(place: str) -> str:
    return f"(* (/ 1 (+ (* 2 K) 1)) (pow g {place}))"


_SCALE = ["(>= K 1)", "(= (* g (+ K 1)) K)"]
_LAW: dict[str, str | int] = {"i": "Int", "j": "Int", "K": "Real", "g": "Real"}
_LEFT, _RIGHT = f"(sum (k 0 i) {_mass('(+ j k)')})", f"(sum (k 1 i) {_mass('(+ j k)')})"
_AFTER = "(pow g (+ (+ j i) 1))"
_SAMPLE: dict[str, str | int] = {"j": "Int", "n": "Int", "K": "Real", "g": "Real"}
_D = "(* (+ (* 2 K) 1) (pow (+ K 1) (- n 1)))"

GEOSAMPLE = (
    by_induction(
        "masses-to-the-left",
        _LAW,
        ["(>= i 0)", "(>= j 0)", *_SCALE],
        f"(= {_LEFT} (- {below('(pow g j)')} {below(_AFTER)}))",
        base=[
            unfold(f"(sum (k 0 0) {_mass('(+ j k)')})"),
            unfold(f"(sum (k 0 (- 0 1)) {_mass('(+ j k)')})"),
            unfold("(pow g (+ j 1))"),
            earlier("geometric-mass-left", K="K", x="(pow g j)"),
        ],
        step=[
            unfold(f"(sum (k 0 (+ i 1)) {_mass('(+ j k)')})"),
            unfold("(pow g (+ (+ j (+ i 1)) 1))"),
            earlier("geometric-mass-left", K="K", x=_AFTER),
        ],
    ),
    by_induction(
        "masses-to-the-right",
        _LAW,
        ["(>= i 0)", "(>= j 0)", *_SCALE],
        f"(= {_RIGHT} (- {above('(pow g (+ j i))')} {above('(pow g j)')}))",
        base=[unfold(f"(sum (k 1 0) {_mass('(+ j k)')})")],
        step=[
            unfold(f"(sum (k 1 (+ i 1)) {_mass('(+ j k)')})"),
            unfold(_AFTER),
            earlier("geometric-mass-right", K="K", x="(pow g (+ j i))"),
        ],
    ),
    by_induction(
        "powers-vanish",
        {"j": "Int", "K": "Real", "g": "Real"},
        ["(>= j 0)", *_SCALE],
        "(<= (* (+ K j) (pow g j)) K)",
        base=[],
        step=[unfold("(pow g (+ j 1))"), earlier("pow-positive", n="j", E="g")],
    ),
    by_query(
        "distribution-function",
        {**_LAW, "eta": "Real"},
        ["(>= i 0)", "(>= j 0)", *_SCALE, "(>= (* eta (+ K i)) K)"],
        f"(and (<= {_LEFT} {below('(pow g j)')}) (<= {below('(pow g j)')} (+ {_LEFT} eta))"
        f" (<= {_RIGHT} (- 1 {above('(pow g j)')})) (<= (- 1 {above('(pow g j)')}) (+ {_RIGHT} eta)))",
        earlier("masses-to-the-left", **same("i", "j", "K", "g")),
        earlier("masses-to-the-right", **same("i", "j", "K", "g")),
        unfold(_AFTER),
        earlier("pow-positive", n="(+ j i)", E="g"),
        earlier("powers-vanish", j="(+ j i)", K="K", g="g"),
    ),
    by_induction(
        "geosample-below",
        _SAMPLE,
        ["(>= j 1)", "(<= j n)", *_SCALE],
        f"(= (* (pow K j) (pow (+ K 1) (- n j))) (* {_D} {below('(pow g j)')}))",
        base=[
            unfold("(pow K 1)"),
            unfold("(pow g 1)"),
            earlier("geosample-below-base", K="K", P="(pow (+ K 1) (- n 1))"),
        ],
        step=[
            unfold("(pow K (+ j 1))"),
            unfold("(pow g (+ j 1))"),
            unfold("(pow (+ K 1) (- n j))"),
            earlier("geosample-below-step", K="K", y="(pow K j)", Q="(pow (+ K 1) (- n j))", d=_D, x="(pow g j)"),
        ],
    ),
    by_induction(
        "geosample-above",
        _SAMPLE,
        ["(>= j 0)", "(<= j (- n 1))", *_SCALE],
        f"(= (- {_D} (* (pow K (+ j 1)) (pow (+ K 1) (- (- n 1) j)))) (* {_D} {above('(pow g j)')}))",
        base=[unfold("(pow K 1)"), earlier("geosample-above-base", K="K", P="(pow (+ K 1) (- n 1))")],
        step=[
            unfold("(pow K (+ (+ j 1) 1))"),
            unfold("(pow g (+ j 1))"),
            unfold("(pow (+ K 1) (- (- n 1) j))"),
            earlier(
                "geosample-above-step",
                K="K",
                y="(pow K (+ j 1))",
                Q="(pow (+ K 1) (- (- n 1) j))",
                d=_D,
                x="(pow g j)",
            ),
        ],
    ),
    by_query(
        "geosample-in-range",
        _SAMPLE,
        ["(>= j 0)", "(>= n 1)", *_SCALE],
        f"(and (>= (* {_D} {below('(pow g j)')}) 0) (<= (* {_D} {below('(pow g j)')}) {_D})"
        f" (>= (* {_D} {above('(pow g j)')}) 0) (<= (* {_D} {above('(pow g j)')}) {_D}))",
        earlier("pow-positive", n="j", E="g"),
        earlier("pow-at-most-one", n="j", r="g"),
        earlier("pow-positive", n="(- n 1)", E="(+ K 1)"),
        earlier("geosample-range", K="K", x="(pow g j)", d=_D),
    ),
    by_query(
        "clamping",
        {"Z": "Int", "Y": "Int", "z": "Int", "n": "Int"},
        ["(>= n 0)", "(= Y (ite (< Z 0) 0 (ite (> Z n) n Z)))"],
        "(and (>= Y 0) (<= Y n) (or (< z 0) (>= z n) (and (<= Y z) (<= Z z)) (and (> Y z) (> Z z))))",
    ),
)
"""d Pr[Z <= c - j] = K^j B^(n-j) and d Pr[Z <= c + j] = d - K^(j+1) B^(n-1-j); Y is Z clamped."""

_TOP = "(pow (+ K 1) (+ t 1))"
_SHORT: dict[str, str | int] = {"j": "Int", "t": "Int", "K": "Real", "g": "Real"}
_D_SHORT, _BEYOND = "(* (+ (* 2 K) 1) (pow (+ K 1) t))", "(pow K (+ t 1))"
_CUT = "(pow g (+ t 1))"
_POWERS = (
    unfold(_TOP),
    earlier("scaled-power", j="(+ t 1)", m="(+ t 1)", K="K", g="g"),
)
_MOVED = "(+ (- (sum (k 1 n) (* (u k) (a k))) (sum (k 1 n) (* (u k) (* (a k) (b k))))) (* v m))"

FASTSAMPLE = (
    by_induction(
        "scaled-power",
        {"j": "Int", "m": "Int", "K": "Real", "g": "Real"},
        ["(>= j 0)", "(<= j m)", *_SCALE],
        "(= (* (pow K j) (pow (+ K 1) (- m j))) (* (pow (+ K 1) m) (pow g j)))",
        base=[],
        step=[unfold("(pow K (+ j 1))"), unfold("(pow g (+ j 1))"), unfold("(pow (+ K 1) (- m j))")],
    ),
    by_query(
        "fastsample-below-count",
        _SHORT,
        ["(>= j 1)", "(<= j t)", *_SCALE],
        f"(= (- (* (pow K j) (pow (+ K 1) (- (+ t 1) j))) {_BEYOND})"
        f" (* {_D_SHORT} (- {below('(pow g j)')} {below(_CUT)})))",
        *_POWERS,
        earlier("scaled-power", j="j", m="(+ t 1)", K="K", g="g"),
        earlier(
            "fastsample-below",
            K="K",
            d=_D_SHORT,
            P=_TOP,
            y="(pow K j)",
            Q="(pow (+ K 1) (- (+ t 1) j))",
            w=_BEYOND,
            x="(pow g j)",
            u=_CUT,
        ),
    ),
    by_query(
        "fastsample-above-count",
        _SHORT,
        ["(>= j 0)", "(<= j t)", *_SCALE],
        f"(= (+ (- {_D_SHORT} (* (pow K (+ j 1)) (pow (+ K 1) (- t j)))) {_BEYOND})"
        f" (* {_D_SHORT} (- (+ {above('(pow g j)')} 1) {above('(pow g t)')})))",
        *_POWERS,
        earlier("scaled-power", j="(+ j 1)", m="(+ t 1)", K="K", g="g"),
        unfold("(pow g (+ j 1))"),
        unfold(_CUT),
        earlier(
            "fastsample-above",
            K="K",
            d=_D_SHORT,
            P=_TOP,
            y="(pow K (+ j 1))",
            Q="(pow (+ K 1) (- t j))",
            w=_BEYOND,
            x="(pow g j)",
            u=_CUT,
        ),
    ),
    by_query(
        "moved-noise",
        {"Z": "Int", "Y": "Int", "c": "Int", "t": "Int", "j": "Int"},
        [
            "(>= t 0)",
            "(= Y (ite (and (<= (- Z c) t) (<= (- c Z) t)) Z c))",
        ],
        "(and (or (< j 1) (and (<= Y (- c j)) (<= (- c t) Z) (<= Z (- c j)))"
        " (and (> Y (- c j)) (or (> (- c t) Z) (> Z (- c j)))))"
        " (or (< j 0) (and (<= Y (+ c j)) (or (<= Z (+ c j)) (> Z (+ c t))))"
        " (and (> Y (+ c j)) (> Z (+ c j)) (<= Z (+ c t)))))",
    ),
    by_query(
        "fastsample-mixed",
        {"z": "Int", "n": "Int", "d": "Real", "gamma": "Real", "g": "Real", "F": "Real"},
        ["(>= n 1)", "(> d 0)", "(> gamma 0)", "(<= gamma 1)", "(= (* g gamma) 1)"],
        "(= (/ (+ (* (+ z 1) d) (* (- g 1) (* (+ n 1) F))) (* (* g (+ n 1)) d))"
        " (+ (* gamma (/ (+ z 1) (+ n 1))) (* (- 1 gamma) (/ F d))))",
        earlier("fastsample-mixture", gamma="gamma", g="g", X="(* (+ z 1) d)", Y="(* (+ n 1) F)"),
    ),
    by_query(
        "mass-beyond",
        {"t": "Int", "K": "Real", "g": "Real"},
        ["(>= t 0)", *_SCALE],
        f"(= (+ {below(_CUT)} (- 1 {above('(pow g t)')})) (* 2 {below(_CUT)}))",
        unfold(_CUT),
        earlier("fastsample-distance", K="K", u=_CUT),
    ),
    by_query(
        "mass-each",
        {"n": "Int", "a": 1, "b": 1, "u": 1},
        [_EVENT, "(all (k 1 n) (and (>= (a k) 0) (>= (b k) 0)))"],
        "(all (k 1 n) (>= (* (u k) (* (a k) (b k))) 0))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "mass-of-all",
        {"n": "Int", "a": 1, "b": 1, "u": 1},
        [_EVENT, "(all (k 1 n) (and (>= (a k) 0) (>= (b k) 0)))"],
        "(all (k 1 n) (<= (* (u k) (* (a k) (b k))) (* (a k) (b k))))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "moved-distance",
        {"n": "Int", "v": "Real", "m": "Real", "a": 1, "b": 1, "u": 1},
        [
            "(>= n 0)",
            "(>= v 0)",
            "(<= v 1)",
            "(>= m 0)",
            "(<= (sum (k 1 n) (* (a k) (b k))) m)",
            _EVENT,
            "(all (k 1 n) (and (>= (a k) 0) (>= (b k) 0)))",
        ],
        f"(and (<= {_MOVED} (+ (sum (k 1 n) (* (u k) (a k))) m)) (>= {_MOVED} (- (sum (k 1 n) (* (u k) (a k))) m)))",
        earlier("mass-each", **same("n", "a", "b", "u")),
        earlier("mass-of-all", **same("n", "a", "b", "u")),
        earlier("sum-not-negative", n="n", m="n", a=("k", "(* (u k) (* (a k) (b k)))")),
        earlier("sum-at-most", n="n", m="n", a=("k", "(* (u k) (* (a k) (b k)))"), b=("k", "(* (a k) (b k))")),
    ),
)
"""Y is Z, moved to c where it is more than t from c; a(k) is the mass of outcome k, b(k) is 1 beyond t, u weighs an
event, and v is the weight of c.
"""
