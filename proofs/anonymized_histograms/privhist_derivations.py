"""Derivations on PrivHist: its split with carries, what of it moves between neighbours, smoothed prevalences."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, apart, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.exponentials import above_one, exponential
from dpcert.proofs.products import ENDLESS, endless, reached


def _positive(x: str) -> str:
    return f"(ite (>= {x} 0) {x} 0)"


_PARTS: Sorts = {
    **dict.fromkeys(("n", "T", "R"), "Int"),
    **dict.fromkeys(("L", "M", "Z", "w"), "Real"),
    **dict.fromkeys(("f", "P", "S", "C", "U", "D"), 1),
}
_PREVALENCES = [
    "(= w (+ (+ L M) Z))",
    "(= (P (+ T 1)) L)",
    "(all (r 1 R) (and (= (P r) (+ (P (+ r 1)) (f r))) (>= (f r) 0)))",
]
_SMALL = [
    "(= (S T) (+ (f T) (- M Z)))",
    f"(= (C T) {_positive('(S T)')})",
    "(all (r 1 (- T 1)) (= (S r) (+ (S (+ r 1)) (f r))))",
    f"(all (r 1 (- T 1)) (= (C r) (+ (C (+ r 1)) {_positive('(- (S r) (C (+ r 1)))')})))",
]
_LARGE = [
    "(= (U (+ T 1)) (+ (f (+ T 1)) (+ M Z)))",
    f"(= (D (+ T 1)) {_positive('(U (+ T 1))')})",
    "(all (r (+ T 2) R) (= (U r) (+ (U (- r 1)) (f r))))",
    f"(all (r (+ T 2) R) (= (D r) (+ (D (- r 1)) {_positive('(- (U r) (D (- r 1)))')})))",
]
_AT, _NEXT, _UP = "(- (+ T 1) n)", "(- T n)", "(+ T n)"
_LABELS: Sorts = {"n": "Int", "R": "Int", "x": "Int", "r": "Int", "u": 2, "v": 2}
_MANY = [
    "(all (o 1 n) (all (k 1 m) (and (>= (a o k) 0) (>= (b o k) 0))))",
    "(all (o 1 n) (all (k 1 m) (or (= (a o k) (b o k)) (and (= k i) (<= (a o k) (* R (b o k)))))))",
]
_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_LEFT, _RIGHT = (f"(sum (o 1 n) (* (u o) (prod (k 1 m) ({name} o k))))" for name in "ab")

ONE_NOISE = by_query(
    "one-noise-of-many",
    {"n": "Int", "m": "Int", "i": "Int", "R": "Real", "a": 2, "b": 2, "u": 1, **ENDLESS},
    [
        "(>= n 0)",
        "(>= m 0)",
        "(>= R 1)",
        *_MANY,
        _EVENT,
        reached(_LEFT, "(+ (* R Q) 0)"),
        f"(<= {_RIGHT} Q)",
    ],
    "(<= P (+ (* R Q) 0))",
    earlier("event-of-products", **same("n", "m", "i", "R", "a", "b", "u")),
    endless(_LEFT, _RIGHT, "R"),
)
"""a(o, k) and b(o, k) are the masses of noisy number k in outcome o, of which only number i has another centre."""

SPLIT = (
    by_induction(
        "small-part",
        _PARTS,
        ["(>= n 1)", "(<= n T)", "(<= (+ T 1) R)", *_PREVALENCES, *_SMALL],
        f"(and (= (S {_AT}) (- (+ (P {_AT}) (* 2 M)) w)) (= (C {_AT}) {_positive(f'(S {_AT})')}))",
        base=[given(0, "T"), earlier("small-sums", inner="(f T)", L="L", M="M", Z="Z", moved="w", above="(P T)")],
        step=[
            given(0, _NEXT),
            given(1, _NEXT),
            given(2, _NEXT),
            earlier("carry-step", before=f"(S {_AT})", S=f"(S {_NEXT})"),
        ],
    ),
    by_induction(
        "large-part",
        _PARTS,
        ["(>= n 1)", f"(<= {_UP} R)", "(>= T 1)", *_PREVALENCES, *_LARGE],
        f"(and (= (U {_UP}) (- w (P (+ {_UP} 1)))) (= (D {_UP}) {_positive(f'(U {_UP})')}))",
        base=[given(0, "(+ T 1)")],
        step=[
            given(0, f"(+ {_UP} 1)"),
            given(1, f"(+ {_UP} 1)"),
            given(2, f"(+ {_UP} 1)"),
            earlier("carry-step", before=f"(U {_UP})", S=f"(U (+ {_UP} 1))"),
        ],
    ),
    by_query(
        "counts-of-large-part",
        {"w": "Real", "p": "Real"},
        ["(>= p 0)"],
        f"(= (- {_positive('w')} {_positive('(- w p)')}) (ite (<= p {_positive('w')}) p {_positive('w')}))",
        earlier("large-counts", moved="w", p="p"),
    ),
    by_query(
        "one-prevalence-moves",
        {**_LABELS, "d": 1},
        [
            "(>= n 0)",
            "(>= x 1)",
            "(<= x n)",
            "(all (s 1 R) (= (d s) (ite (= s (+ r 1)) 1 0)))",
            "(all (s 1 R) (all (k 1 n) (= (- (u k s) (v k s)) (ite (= k x) (d s) 0))))",
        ],
        "(all (s 1 R) (= (- (sum (k 1 n) (u k s)) (sum (k 1 n) (v k s))) (ite (= s (+ r 1)) 1 0)))",
        given(0, "s"),
        given(1, "s"),
        earlier("one-term-differs", n="n", m="n", j="x", d="(d s)", a=["k", "(u k s)"], b=["k", "(v k s)"]),
    ),
    by_query(
        "one-place-moves",
        {"i": "Int", "p": "Int"},
        [],
        "(= (- (ite (<= i (+ p 1)) 1 0) (ite (<= i p) 1 0)) (ite (= i (+ p 1)) 1 0))",
    ),
    by_query(
        "small-prevalence-moves",
        {"P": "Int", "M": "Int", "w": "Int"},
        [],
        f"(or (= {_positive('(- (+ (+ P 1) (* 2 M)) w)')} {_positive('(- (+ P (* 2 M)) w)')})"
        f" (= {_positive('(- (+ (+ P 1) (* 2 M)) w)')} (+ {_positive('(- (+ P (* 2 M)) w)')} 1)))",
        earlier("difference-of-maxima", a="(- (+ P (* 2 M)) w)", b="0"),
    ),
    by_query(
        "large-count-at-most-moves",
        {"c": "Int", "T": "Int"},
        ["(>= T 1)", "(>= c 0)"],
        "(or (and (<= c T) (= (ite (>= (+ c 1) (+ T 1)) (+ c 1) (+ T 1)) (ite (>= c (+ T 1)) c (+ T 1))))"
        " (and (> c T) (= (ite (>= (+ c 1) (+ T 1)) (+ c 1) (+ T 1)) (+ (ite (>= c (+ T 1)) c (+ T 1)) 1))))",
        earlier("large-count-moves", n="c", T="T"),
    ),
    ONE_NOISE,
)
"""f(r) and P(r) are prevalence and cumulative prevalence of r, w is m'; S(r) and U(r) sum what step 2 moves, from r up
to T and from T + 1 up to r; C(r) and D(r) sum what the carries leave of it. u(k, s) is 1 where count k is at least s.
"""


def _below(j: str, s: str, w: str) -> str:
    """Return what a count reaches into a gap, as the lemmas have it."""
    part = _positive(f"(- {j} {s})")
    return f"(ite (<= {part} {w}) {part} {w})"


def _least(x: str, y: str) -> str:
    return f"(ite (<= {x} {y}) {x} {y})"


SMOOTHED = (
    by_induction(
        "reach-of-all",
        {"k": "Int", "m": "Int", "j": "Real", "s": 1, "w": 1, "g": 1},
        [
            "(>= k 0)",
            "(<= k m)",
            "(>= j 0)",
            "(= (s 0) 0)",
            "(all (i 1 m) (and (= (s i) (+ (s (- i 1)) (w i))) (>= (w i) 0)))",
            f"(all (i 1 m) (= (g i) {_below('j', '(s (- i 1))', '(w i)')}))",
        ],
        f"(= (sum (i 1 k) (g i)) {_least('j', '(s k)')})",
        base=[unfold("(sum (i 1 0) (g i))")],
        step=[
            unfold("(sum (i 1 (+ k 1)) (g i))"),
            given(0, "(+ k 1)"),
            given(1, "(+ k 1)"),
            earlier("boundaries-telescope", j="j", s="(s k)", w="(w (+ k 1))"),
        ],
    ),
    by_query(
        "reach-by-shares",
        {"r": "Real", "s": "Real", "t": "Real"},
        ["(> t 0)"],
        f"(= (* t (ite (<= r s) 0 (ite (>= r (+ s t)) 1 (/ (- r s) t)))) {_below('r', 's', 't')})",
        earlier("smoothing-shares", **same("r", "s", "t")),
    ),
    by_query(
        "reach-of-one-more",
        {"r": "Int", "s": "Int", "w": "Int"},
        ["(>= w 0)"],
        f"(= (- {_below('(+ r 1)', 's', 'w')} {_below('r', 's', 'w')}) (ite (and (<= s r) (< r (+ s w))) 1 0))",
    ),
    ONE_NOISE,
)
"""g(i) is what a count j reaches into gap i, from s(i - 1) to s(i), w(i) wide."""

_EXPONENT = f"(- (+ (* (* e w) {apart('x', 'f')}) e) (* (* e w) {apart('x', 'g')}))"
LAPLACE = (
    by_query(
        "ratio-of-densities",
        {**dict.fromkeys(("x", "f", "g", "w", "e", "X", "Y", "V", "W"), "Real"), "t": 1},
        [
            "(> w 0)",
            "(>= e 0)",
            f"(<= (* w {apart('f', 'g')}) 1)",
            "(>= X 0)",
            "(= (* W Y) (* X V))",
            *exponential("t", _EXPONENT, "V"),
        ],
        "(<= X (* W Y))",
        earlier("laplace-exponent", x="x", f="g", g="f", w="w", e="e"),
        above_one("t", _EXPONENT, "V"),
    ),
)
"""X and Y are the densities at x of noise on f and on g, W is e^epsilon, V what is between X and W Y."""
