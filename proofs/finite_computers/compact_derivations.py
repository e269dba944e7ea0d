"""Derivations on compact histograms: N ways to choose the coefficients, of which two labels' counts depend on the list.

Way k gives a label a count, which M has with probability m(k), on one less with l(k), and M0 with z(k); q(k) is l(k),
or z(k) where one less is 0. R is e^(e1/2), A and B are e^e3 and e^e2.
"""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given

_LABEL: dict[str, str | int] = {"N": "Int", "R": "Real", "A": "Real", "m": 1, "l": 1, "z": 1, "q": 1}
_LAWS = [
    "(>= R 1)",
    "(>= A 1)",
    "(all (k 1 N) (and (>= (m k) 0) (>= (l k) 0) (>= (z k) 0) (or (= (q k) (l k)) (= (q k) (z k)))))",
    "(all (k 1 N) (and (<= (m k) (* R (l k))) (<= (l k) (* R (m k)))))",
]
_ONE = {"R": "R", "A": "A", "m1": "(m k)", "m0": "(l k)", "z": "(z k)", "q": "(q k)"}

COMPACT = (
    by_query(
        "label-one-less",
        _LABEL,
        [*_LAWS, "(all (k 1 N) (<= (l k) (* A (z k))))"],
        "(all (k 1 N) (<= (m k) (* (* R A) (q k))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
        earlier("compact-one-less", **_ONE),
    ),
    by_query(
        "label-one-more",
        _LABEL,
        [*_LAWS, "(all (k 1 N) (<= (z k) (* A (l k))))"],
        "(all (k 1 N) (<= (q k) (* (* R A) (m k))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
        earlier("compact-one-more", **_ONE),
    ),
    by_query(
        "labels-each",
        {"N": "Int", "R": "Real", "S": "Real", "p": 1, "q": 1, "x": 1, "y": 1},
        [
            "(>= R 1)",
            "(>= S 1)",
            "(all (k 1 N) (and (>= (p k) 0) (>= (q k) 0) (>= (x k) 0) (>= (y k) 0)))",
            "(all (k 1 N) (<= (p k) (* R (q k))))",
            "(all (k 1 N) (<= (x k) (* S (y k))))",
        ],
        "(all (k 1 N) (<= (* (p k) (x k)) (* (* R S) (* (q k) (y k)))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
        earlier("compact-two-labels", R="R", S="S", p="(p k)", q="(q k)", x="(x k)", y="(y k)"),
    ),
    by_query(
        "ratios-at-least-one",
        {"R": "Real", "A": "Real"},
        ["(>= R 1)", "(>= A 1)"],
        "(>= (* R A) 1)",
    ),
    by_query(
        "probabilities-not-negative",
        {"N": "Int", "m": 1, "l": 1, "z": 1, "q": 1, "h": 1, "f": 1, "y": 1, "x": 1},
        [
            "(all (k 1 N) (and (>= (m k) 0) (>= (l k) 0) (>= (z k) 0) (or (= (q k) (l k)) (= (q k) (z k)))))",
            "(all (k 1 N) (and (>= (h k) 0) (>= (f k) 0) (>= (y k) 0) (or (= (x k) (f k)) (= (x k) (y k)))))",
        ],
        "(all (k 1 N) (and (>= (m k) 0) (>= (q k) 0) (>= (x k) 0) (>= (h k) 0)))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "compact-private",
        {**_LABEL, "B": "Real", "h": 1, "f": 1, "y": 1, "x": 1, "w": 1, "u": 1},
        [
            "(>= N 0)",
            *_LAWS,
            "(>= B 1)",
            "(all (k 1 N) (<= (l k) (* A (z k))))",
            "(all (k 1 N) (and (>= (h k) 0) (>= (f k) 0) (>= (y k) 0) (or (= (x k) (f k)) (= (x k) (y k)))))",
            "(all (k 1 N) (and (<= (h k) (* R (f k))) (<= (f k) (* R (h k)))))",
            "(all (k 1 N) (<= (y k) (* B (f k))))",
            "(all (k 1 N) (and (>= (u k) 0) (<= (u k) 1)))",
        ],
        "(<= (sum (k 1 N) (* (u k) (* (m k) (x k)))) (* (* (* R A) (* R B)) (sum (k 1 N) (* (u k) (* (q k) (h k))))))",
        earlier("label-one-less", N="N", R="R", A="A", m="m", l="l", z="z", q="q"),
        earlier("label-one-more", N="N", R="R", A="B", m="h", l="f", z="y", q="x"),
        earlier("probabilities-not-negative", N="N", m="m", l="l", z="z", q="q", h="h", f="f", y="y", x="x"),
        earlier("ratios-at-least-one", R="R", A="A"),
        earlier("ratios-at-least-one", R="R", A="B"),
        earlier("labels-each", N="N", R="(* R A)", S="(* R B)", p="m", q="q", x="x", y="h"),
        earlier(
            "ratio-of-events",
            n="N",
            E="(* (* R A) (* R B))",
            p=("k", "(* (m k) (x k))"),
            q=("k", "(* (q k) (h k))"),
            u="u",
        ),
    ),
)
"""The label of m, l, z and q has one less on the other list, that of h, f, y and x one more."""
