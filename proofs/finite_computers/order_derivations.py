"""Derivations on order statistics: levels n, n - 1, ..., and laws of one step after another."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given
from dpcert.proofs.terms import Term, least


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


_DOWN: dict[str, str | int] = {"i": "Int", "n": "Int", "d": "Real", "F": 1, "P": 1}
_FUNCTION = [
    "(= (P 0) 1)",
    "(= (F n) d)",
    "(all (v 0 n) (> (F v) 0))",
    "(all (j 0 (- n 1)) (= (P (+ j 1)) (* (P j) (/ (F (- (- n j) 1)) (F (- n j))))))",
]
_SHARE = {"S": "(P i)", "F": "(F (- n i))", "G": "(F (- (- n i) 1))", "d": "d"}
_TAKEN = least(Term("(S i)"), Term("N", integer=True))
_NEXT = least(Term("(Y (+ j 1))"), Term("N", integer=True) - Term("(C j)"))

LEVELS = (
    by_induction(
        "levels-passed",
        _DOWN,
        ["(>= i 0)", "(<= i n)", *_FUNCTION],
        "(= (* (P i) d) (F (- n i)))",
        base=[],
        step=[given(0, "(- n i)"), given(1, "i"), earlier("level-share", **_SHARE)],
    ),
    by_query(
        "at-level",
        _DOWN,
        ["(>= i 0)", "(< i n)", *_FUNCTION],
        "(= (* (* (P i) (- 1 (/ (F (- (- n i) 1)) (F (- n i))))) d) (- (F (- n i)) (F (- (- n i) 1))))",
        given(0, "(- n i)"),
        earlier("levels-passed", i="i", n="n", d="d", F="F", P="P"),
        earlier("level-share", **_SHARE),
    ),
    by_induction(
        "capped-levels",
        {"i": "Int", "n": "Int", "N": "Int", "S": 1, "C": 1, "Y": 1},
        [
            "(>= i 0)",
            "(<= i n)",
            "(>= N 0)",
            "(= (S 0) 0)",
            "(= (C 0) 0)",
            "(all (j 1 n) (>= (Y j) 0))",
            "(all (j 0 (- n 1)) (= (S (+ j 1)) (+ (S j) (Y (+ j 1)))))",
            f"(all (j 0 (- n 1)) (= (C (+ j 1)) (+ (C j) {_text(_NEXT)})))",
        ],
        f"(= (C i) {_text(_TAKEN)})",
        base=[],
        step=[given(0, "(+ i 1)"), given(1, "i"), given(2, "i")],
    ),
)
"""P(i) is the probability of a count up to n - i. Y(i) counts are i levels down, S(i) so far; C(i) are taken."""

_PX, _QY = "(* (p k) (x k))", "(* (q k) (y k))"
_FIRST, _SECOND = "(* (x k) (- (p k) (q k)))", "(* e (q k))"
_LAWS: dict[str, str | int] = {"N": "Int", "p": 1, "q": 1, "x": 1, "y": 1, "d": "Real", "e": "Real"}

STEPS = (
    by_query(
        "steps-each",
        _LAWS,
        ["(all (k 1 N) (>= (q k) 0))", "(all (k 1 N) (<= (- (x k) (y k)) e))"],
        f"(all (k 1 N) (<= (+ {_PX} (* (- 1) {_QY})) (+ {_FIRST} {_SECOND})))",
        given(0, "k"),
        given(1, "k"),
        earlier("second-step-event", p="(p k)", q="(q k)", x="(x k)", y="(y k)", e="e"),
    ),
    by_query(
        "two-steps-event",
        _LAWS,
        [
            "(>= N 0)",
            "(= (sum (k 1 N) (q k)) 1)",
            f"(<= (sum (k 1 N) {_FIRST}) d)",
            "(all (k 1 N) (>= (q k) 0))",
            "(all (k 1 N) (<= (- (x k) (y k)) e))",
        ],
        f"(<= (- (sum (k 1 N) {_PX}) (sum (k 1 N) {_QY})) (+ d e))",
        earlier("steps-each", **{name: name for name in _LAWS}),
        earlier(
            "sum-at-most",
            n="N",
            m="N",
            a=("k", f"(+ {_PX} (* (- 1) {_QY}))"),
            b=("k", f"(+ {_FIRST} {_SECOND})"),
        ),
        earlier("sum-plus", n="N", a=("k", _PX), b=("k", f"(* (- 1) {_QY})")),
        earlier("sum-plus", n="N", a=("k", _FIRST), b=("k", _SECOND)),
        earlier("sum-scale", n="N", c="(- 1)", a=("k", _QY)),
        earlier("sum-scale", n="N", c="e", a="q"),
    ),
    by_induction(
        "levels-add-up",
        {"i": "Int", "n": "Int", "e": "Real", "D": 1},
        ["(>= i 0)", "(<= i n)", "(= (D 0) 0)", "(all (j 0 (- n 1)) (<= (D (+ j 1)) (+ (D j) e)))"],
        "(<= (D i) (* i e))",
        base=[],
        step=[given(0, "i")],
    ),
)
"""x(k) and y(k) are an event's probabilities after outcome k of first steps p and q; D(i) is i levels' distance."""
