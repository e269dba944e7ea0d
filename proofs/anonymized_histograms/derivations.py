"""Derivations on histograms: distances as sums over values, one bit of an estimate, and PrivHist's three steps."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.products import ENDLESS, endless, reached
from dpcert.proofs.terms import Term, size


def _size(term: str) -> str:
    """Return the absolute value of a difference, as the lemmas have it."""
    a, b = term.split(" - ")
    found = size(Term(a) - Term(b))
    assert isinstance(found, Term)
    return found.text


_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_SUM_U, _SUM_V, _SUM_W = ("(sum (k 1 n) (" + name + " k))" for name in "uvw")
_SIX: dict[str, str | int] = {"n": "Int", "a": 1, "b": 1, "c": 1, "d": 1, "u": 1, "v": 1, "w": 1}
_PARTS = [
    f"(all (k 1 n) (= (u k) {_size('(a k) - (c k)')}))",
    f"(all (k 1 n) (= (v k) {_size('(b k) - (d k)')}))",
    f"(all (k 1 n) (= (w k) {_size('(+ (a k) (b k)) - (+ (c k) (d k))')}))",
]
_DETOUR = [
    f"(all (k 1 n) (= (u k) {_size('(a k) - (b k)')}))",
    f"(all (k 1 n) (= (v k) {_size('(b k) - (c k)')}))",
    f"(all (k 1 n) (= (w k) {_size('(a k) - (c k)')}))",
]
_AT_MOST = "(all (k 1 n) (<= (w k) (+ (u k) (v k))))"
_EACH = (given(0, "k"), given(1, "k"), given(2, "k"))
_NAMES = {name: name for name in ("a", "b", "c", "d", "u", "v", "w")}

PARTS = (
    by_query(
        "parts-each",
        _SIX,
        _PARTS,
        _AT_MOST,
        *_EACH,
        earlier("parts-at-one-value", a="(a k)", b="(b k)", c="(c k)", d="(d k)"),
    ),
    by_query(
        "parts",
        _SIX,
        ["(>= n 0)", *_PARTS],
        f"(<= {_SUM_W} (+ {_SUM_U} {_SUM_V}))",
        earlier("parts-each", n="n", **_NAMES),
        earlier("sum-at-most", n="n", m="n", a="w", b=("k", "(+ (u k) (v k))")),
        earlier("sum-plus", n="n", a="u", b="v"),
    ),
    by_query(
        "triangle-each",
        {name: sort for name, sort in _SIX.items() if name != "d"},
        _DETOUR,
        _AT_MOST,
        *_EACH,
        earlier("triangle-at-one-value", a="(a k)", b="(b k)", c="(c k)"),
    ),
    by_query(
        "triangle",
        {name: sort for name, sort in _SIX.items() if name != "d"},
        ["(>= n 0)", *_DETOUR],
        f"(<= {_SUM_W} (+ {_SUM_U} {_SUM_V}))",
        earlier("triangle-each", n="n", **{name: name for name in _NAMES if name != "d"}),
        earlier("sum-at-most", n="n", m="n", a="w", b=("k", "(+ (u k) (v k))")),
        earlier("sum-plus", n="n", a="u", b="v"),
    ),
)
"""a(k), ... are cumulative prevalences of value k: the distance is the sum of their differences."""

_ERROR = "(+ (* (p k) (x k)) (* (q k) (y k)))"
_BITS: dict[str, str | int] = {"n": "Int", "E": "Real", "p": 1, "q": 1, "v": 1, "x": 1, "y": 1}
_ESTIMATES = [
    "(>= E 1)",
    "(all (k 1 n) (and (>= (p k) 0) (>= (q k) 0) (<= (p k) (* E (q k))) (<= (q k) (* E (p k)))))",
    f"(all (k 1 n) (and (= (x k) (ite (>= (v k) (- (v k))) (v k) (- (v k)))) (= (y k) {_size('1.0 - (v k)')})))",
]
_MASS_P, _MASS_Q = "(sum (k 1 n) (p k))", "(sum (k 1 n) (q k))"
_ERRORS_P, _ERRORS_Q = "(sum (k 1 n) (* (p k) (x k)))", "(sum (k 1 n) (* (q k) (y k)))"
BITS = (
    by_query(
        "bit-outcome",
        _BITS,
        _ESTIMATES,
        f"(all (k 1 n) (<= (+ (p k) (q k)) (* (+ 1 E) {_ERROR})))",
        given(0, "k"),
        given(1, "k"),
        earlier("private-bits-outcome", E="E", p="(p k)", q="(q k)", v="(v k)"),
    ),
    by_query(
        "bit",
        _BITS,
        ["(>= n 0)", *_ESTIMATES],
        f"(<= (+ {_MASS_P} {_MASS_Q}) (* (+ 1 E) (+ {_ERRORS_P} {_ERRORS_Q})))",
        earlier("bit-outcome", n="n", E="E", p="p", q="q", v="v", x="x", y="y"),
        earlier("sum-at-most", n="n", m="n", a=("k", "(+ (p k) (q k))"), b=("k", f"(* (+ 1 E) {_ERROR})")),
        earlier("sum-plus", n="n", a="p", b="q"),
        earlier("sum-scale", n="n", c="(+ 1 E)", a=("k", _ERROR)),
        earlier("sum-plus", n="n", a=("k", "(* (p k) (x k))"), b=("k", "(* (q k) (y k))")),
    ),
    by_query(
        "bit-without-end",
        {**_BITS, "X": "Real", "Y": "Real", "eta": "Real"},
        [
            "(>= n 0)",
            f"(>= (+ {_MASS_P} {_MASS_Q}) (- 2 eta))",
            f"(<= {_ERRORS_P} X)",
            f"(<= {_ERRORS_Q} Y)",
            "(or (>= (* (+ 1 E) (+ X Y)) 2) (<= (* 2 eta) (- 2 (* (+ 1 E) (+ X Y)))))",
            *_ESTIMATES,
        ],
        "(>= (* (+ 1 E) (+ X Y)) 2)",
        earlier("bit", **{name: name for name in _BITS}),
    ),
)
"""p and q are the laws of the outcomes under bits 0 and 1, v(k) is the estimate of the bit, x and y its errors, X and Y
their means, where n outcomes have all but eta of the mass.
"""

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

DISTINCT = (
    by_query(
        "large-counts-hold",
        {"n": "Int", "T": "Int", "L": "Int", "c": 1},
        [
            "(>= T 0)",
            "(>= L 0)",
            "(>= n (* T T))",
            "(< n (* (+ T 1) (+ T 1)))",
            "(<= (sum (k 1 L) (c k)) n)",
            "(all (k 1 L) (<= (+ T 1) (c k)))",
        ],
        "(<= (* (+ T L) (+ T L)) (* 4 n))",
        earlier("sum-at-most", n="L", m="L", a=("k", "(+ T 1)"), b="c"),
        earlier("sum-of-equal", n="L", v="(+ T 1)"),
        earlier("split-numbers", n="n", T="T", L="L"),
    ),
    by_induction(
        "rank-of-count",
        {"i": "Int", "t": "Int", "c": 1},
        ["(>= i 1)", "(<= i t)", "(>= (c 1) 1)", "(all (k 1 (- t 1)) (>= (c (+ k 1)) (+ (c k) 1)))"],
        "(>= (c i) i)",
        base=[],
        step=[given(0, "i")],
    ),
    by_induction(
        "sum-of-ranks",
        {"t": "Int"},
        ["(>= t 0)"],
        "(= (* 2 (sum (k 1 t) k)) (* t (+ t 1)))",
        base=[unfold("(sum (k 1 0) k)")],
        step=[unfold("(sum (k 1 (+ t 1)) k)")],
    ),
    by_query(
        "rank-of-each",
        {"t": "Int", "c": 1},
        ["(>= (c 1) 1)", "(all (k 1 (- t 1)) (>= (c (+ k 1)) (+ (c k) 1)))"],
        "(all (k 1 t) (<= k (c k)))",
        earlier("rank-of-count", i="k", t="t", c="c"),
    ),
    by_query(
        "distinct-counts",
        {"t": "Int", "n": "Real", "c": 1},
        [
            "(>= t 0)",
            "(>= (c 1) 1)",
            "(<= (sum (k 1 t) (c k)) n)",
            "(all (k 1 (- t 1)) (>= (c (+ k 1)) (+ (c k) 1)))",
        ],
        "(and (<= (* t (+ t 1)) (* 2 n)) (<= (* t t) (* 2 n)))",
        earlier("rank-of-each", t="t", c="c"),
        earlier("sum-at-most", n="t", m="t", a=("k", "k"), b="c"),
        earlier("sum-of-ranks", t="t"),
    ),
)
"""c(1) < c(2) < ... are different counts of at most n items in all."""


_OF_P, _OF_Q = "(sum (k 1 n) (* (u k) (p k)))", "(sum (k 1 n) (* (u k) (q k)))"

DEPENDENT = (
    by_query(
        "shares-each",
        {"n": "Int", "E": "Real", "w": 1, "p": 1, "q": 1},
        ["(all (k 1 n) (>= (w k) 0))", "(all (k 1 n) (<= (p k) (* E (q k))))"],
        "(all (k 1 n) (<= (* (w k) (p k)) (* E (* (w k) (q k)))))",
        given(0, "k"),
        given(1, "k"),
        earlier("ratio-of-shares", E="E", w="(w k)", p="(p k)", q="(q k)"),
    ),
    by_query(
        "ratio-of-mixtures",
        {"n": "Int", "E": "Real", "w": 1, "p": 1, "q": 1},
        ["(>= n 0)", "(all (k 1 n) (>= (w k) 0))", "(all (k 1 n) (<= (p k) (* E (q k))))"],
        "(<= (sum (k 1 n) (* (w k) (p k))) (* E (sum (k 1 n) (* (w k) (q k)))))",
        earlier("shares-each", n="n", E="E", w="w", p="p", q="q"),
        earlier("sum-at-most", n="n", m="n", a=("k", "(* (w k) (p k))"), b=("k", "(* E (* (w k) (q k)))")),
        earlier("sum-scale", n="n", c="E", a=("k", "(* (w k) (q k))")),
    ),
    by_query(
        "ratio-at-step",
        {"a": "Int", "n": "Int", "E": "Real", "w": 1, "p": 2, "q": 2},
        ["(>= n 0)", "(all (k 1 n) (>= (w k) 0))", "(all (b 1 a) (all (k 1 n) (<= (p k b) (* E (q k b)))))"],
        "(all (b 1 a) (<= (sum (k 1 n) (* (w k) (p k b))) (* E (sum (k 1 n) (* (w k) (q k b))))))",
        given(1, "b"),
        earlier("ratio-of-mixtures", n="n", E="E", w="w", p=("k", "(p k b)"), q=("k", "(q k b)")),
    ),
    by_query(
        "dependent-composition",
        {"a": "Int", "n": "Int", "E": "Real", "w": 1, "p": 2, "q": 2, "f": 1},
        [
            "(>= n 0)",
            "(>= a 0)",
            "(all (k 1 n) (>= (w k) 0))",
            "(all (b 1 a) (>= (f b) 0))",
            "(all (b 1 a) (all (k 1 n) (<= (p k b) (* E (q k b)))))",
        ],
        "(<= (sum (b 1 a) (* (f b) (sum (k 1 n) (* (w k) (p k b)))))"
        " (* E (sum (b 1 a) (* (f b) (sum (k 1 n) (* (w k) (q k b)))))))",
        earlier("ratio-at-step", a="a", n="n", E="E", w="w", p="p", q="q"),
        earlier(
            "ratio-of-mixtures",
            n="a",
            E="E",
            w="f",
            p=("b", "(sum (k 1 n) (* (w k) (p k b)))"),
            q=("b", "(sum (k 1 n) (* (w k) (q k b)))"),
        ),
    ),
)
"""w(k) is the law of the noises before step i, p(k, b) that of X_i = b given them, f(b) that of X_n given b."""
