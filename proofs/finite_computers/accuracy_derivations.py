"""Derivations on accuracy: the mass of geometric noise near 0, with g = 1/E."""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_induction, by_query, earlier, given, same, unfold
from dpcert.proofs.exponentials import above_one, exponential
from dpcert.proofs.terms import Term, choose, greatest, least, size


def text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


_POWERS = "(sum (i 1 a) (pow g i))"
_NOISE: dict[str, str | int] = {"a": "Int", "E": "Real", "g": "Real"}

NOISE = (
    by_query(
        "central-mass",
        _NOISE,
        ["(>= a 0)", "(>= E 1)", "(= (* E g) 1)"],
        f"(= (* (/ (- E 1) (+ E 1)) (+ 1 (* 2 {_POWERS}))) (- 1 (/ (* 2 (pow g a)) (+ E 1))))",
        earlier("sum-of-powers", m="a", E="E", g="g"),
    ),
    by_induction(
        "powers-inverse",
        _NOISE,
        ["(>= a 0)", "(= (* E g) 1)"],
        "(= (* (pow E a) (pow g a)) 1)",
        base=[],
        step=[unfold("(pow E (+ a 1))"), unfold("(pow g (+ a 1))")],
    ),
    by_query(
        "noise-beyond",
        {**_NOISE, "beta": "Real"},
        ["(>= a 0)", "(>= E 1)", "(> g 0)", "(= (* E g) 1)", "(>= (* beta (pow E a)) 1)"],
        f"(>= (* (/ (- E 1) (+ E 1)) (+ 1 (* 2 {_POWERS}))) (- 1 beta))",
        earlier("central-mass", a="a", E="E", g="g"),
        earlier("powers-inverse", a="a", E="E", g="g"),
        earlier("pow-positive", n="a", E="g"),
        earlier("geometric-tail", r="E", u="(pow g a)", beta="beta"),
    ),
)


_MOVED = choose((Z := Term("(Z k)")) - (C := Term("c")) <= (T := Term("t")), choose(C - Z <= T, Z, C), C)
_CLAMPED = least(greatest(_MOVED, 0), Term("n"))
_ERRORS: Sorts = {
    **dict.fromkeys(("N", "c", "n", "t", "a"), "Int"),
    **dict.fromkeys("pZY", 1),
    **dict.fromkeys(("off", "far"), 1),
}
_OUTCOMES = [
    *("(>= c 0)", "(<= c n)", "(>= t 0)"),
    "(all (k 1 N) (>= (p k) 0))",
    f"(all (k 1 N) (= (Y k) {text(_CLAMPED)}))",
    f"(all (k 1 N) (= (off k) {text(choose(size(Term('(Y k)') - C) > Term('a'), 1, 0))}))",
    f"(all (k 1 N) (= (far k) {text(choose(size(Z - C) > Term('a'), 1, 0))}))",
]
_FROM = "(sum (i 0 m) (* w (pow g (+ c i))))"
_AT_COUNT = "(sum (i 0 m) (* w (pow g (+ {} i))))".format

PROGRAMS = (
    by_query(
        "moved-nearer",
        {"z": "Int", "c": "Int", "n": "Int", "t": "Int", "y": "Int"},
        ["(>= c 0)", "(<= c n)", "(>= t 0)", "(= y (ite (<= (- z c) t) (ite (<= (- c z) t) z c) c))"],
        f"(<= {text(size(least(greatest(Term('y'), 0), Term('n')) - C))} {text(size(Term('z') - C))})",
        earlier("clamped-count-nearer", z="y", c="c", n="n"),
    ),
    by_query(
        "off-is-far",
        _ERRORS,
        _OUTCOMES,
        "(all (k 1 N) (<= (* (p k) (off k)) (* (p k) (far k))))",
        *(given(place, "k") for place in range(4)),
    ),
    by_query(
        "fastsample-off",
        {**_ERRORS, **dict.fromkeys(("gamma", "beta", "x"), "Real")},
        [
            "(>= N 0)",
            *_OUTCOMES,
            *("(> gamma 0)", "(<= gamma beta)", "(<= beta 1)", "(<= x 1)"),
            "(<= (sum (k 1 N) (* (p k) (far k))) (- beta gamma))",
        ],
        "(<= (+ (* gamma x) (* (- 1 gamma) (sum (k 1 N) (* (p k) (off k))))) beta)",
        earlier("off-is-far", **same(*_ERRORS)),
        earlier("sum-at-most", n="N", m="N", a=("k", "(* (p k) (off k))"), b=("k", "(* (p k) (far k))")),
    ),
    by_induction(
        "masses-up-to-zero",
        {"m": "Int", "c": "Int", "g": "Real", "w": "Real"},
        ["(>= m 0)", "(>= c 0)"],
        f"(= (* (- 1 g) {_FROM}) (* w (- (pow g c) (pow g (+ (+ c m) 1)))))",
        base=[
            *(unfold(_FROM.replace(" m)", f" {end})")) for end in ("0", "(- 0 1)")),
            unfold("(pow g (+ c 1))"),
        ],
        step=[unfold(_FROM.replace(" m)", " (+ m 1))")), unfold("(pow g (+ (+ c (+ m 1)) 1))")],
    ),
    by_query(
        "ratio-at-zero",
        {"m": "Int", **dict.fromkeys(("g", "w", "r", "R", "P", "Q"), "Real")},
        [
            *("(>= m 0)", "(> g 0)", "(< g 1)", "(= (* r g) 1)", "(> Q 0)"),
            f"(<= {_AT_COUNT('0')} P)",
            f"(or (<= Q (* g P)) (<= (- Q (/ (- Q (* g P)) 2)) {_AT_COUNT('1')}))",
            "(<= P (* R Q))",
        ],
        "(and (<= (* r Q) P) (<= r R))",
        earlier("masses-up-to-zero", **same("m", "g", "w"), c="0"),
        earlier("masses-up-to-zero", **same("m", "g", "w"), c="1"),
        unfold("(pow g 1)"),
        unfold("(pow g (+ (+ 1 m) 1))"),
    ),
    by_query(
        "power-of-ratio",
        {"a": "Int", **dict.fromkeys(("t", "l", "R", "B", "V"), "Real"), "X": 1, "e": 1},
        [
            *("(>= a 0)", "(>= R 1)", "(> B 0)", "(>= (* a t) l)"),
            "(= (X 0) 1)",
            "(all (k 0 (- a 1)) (= (X (+ k 1)) (* (X k) R)))",
            "(= (X a) (* B V))",
            *exponential("e", "(- (* a t) l)", "V"),
        ],
        "(>= (pow R a) B)",
        earlier("exponential-of-multiple", n="a", m="a", E="R", X="X"),
        above_one("e", "(- (* a t) l)", "V"),
    ),
)
"""p(k) is the probability of noisy count Z(k), Y(k) what FastSample makes of it. P and Q are the probabilities that the
counts 0 and 1 give 0. R is e^t, t = 1/s, X(k) is e^(k t), B is e^l, l = ln(1/beta), V what is between.
"""
