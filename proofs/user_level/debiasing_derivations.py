"""Derivations on debiased counts: y has N values y(k) with probabilities p(k), z(k) is the estimate; n users."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given
from dpcert.proofs.terms import Term, greatest, least, size


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


def _square(term: str) -> str:
    """Return a square, weighed."""
    return f"(* (p k) (* {term} {term}))"


def _mean(term: str) -> str:
    """Return a sum over the values of y."""
    return f"(sum (k 1 N) {term})"


_LAW: dict[str, str | int] = {"N": "Int", "p": 1, "y": 1, "s": "Real"}
_PROBABILITIES = ["(>= N 0)", f"(= {_mean('(p k)')} 1)", "(all (k 1 N) (>= (p k) 0))"]
_Y, _M = "(* (p k) (y k))", "(sum (i 1 N) (* (p i) (y i)))"
_ABOUT_S, _ABOUT_M = _square("(- (y k) s)"), _square(f"(- (y k) {_M})")
_CLAMPED = least(greatest(Term("(y k)"), 0), Term("top"))
_SLOPE = (
    f"(all (k 1 N) (<= {_text(Term('kappa') * size(Term('(z k)') - Term('x')))} {_text(size(_CLAMPED - Term('s')))}))"
)
_OFF = _square("(- (z k) x)")
_ESTIMATE: dict[str, str | int] = {**_LAW, "z": 1, "kappa": "Real", "top": "Real", "x": "Real"}
_USERS: dict[str, str | int] = {"n": "Int", "x": 1, "f": 1, "s": "Real", "t": "Real", "M": "Real", "m": "Real"}
_TAYLOR = (
    "(all (i 1 n) (and (<= (f i) (+ s (* t (- (x i) m))))"
    " (>= (f i) (- (+ s (* t (- (x i) m))) (* (/ M 2) (* (- (x i) m) (- (x i) m)))))))"
)
_V = "(sum (i 1 n) (* (- (x i) m) (- (x i) m)))"
_FAR = "(+ (* (- t) (- (x i) m)) (* (/ M 2) (* (- (x i) m) (- (x i) m))))"
_F, _X = "(sum (i 1 n) (f i))", "(sum (i 1 n) (- (x i) m))"

DEBIASED = (
    by_query(
        "mean-square",
        _LAW,
        _PROBABILITIES,
        f"(= {_mean(_ABOUT_S)} (+ {_mean('(* (p k) (* (y k) (y k)))')} (- (* s s) (* (* 2 s) {_M}))))",
        earlier(
            "sum-plus",
            n="N",
            a=("k", "(+ (* (p k) (* (y k) (y k))) (* (* (- 2) s) (* (p k) (y k))))"),
            b=("k", "(* (* s s) (p k))"),
        ),
        earlier("sum-plus", n="N", a=("k", "(* (p k) (* (y k) (y k)))"), b=("k", "(* (* (- 2) s) (* (p k) (y k)))")),
        earlier("sum-scale", n="N", c="(* (- 2) s)", a=("k", _Y)),
        earlier("sum-scale", n="N", c="(* s s)", a="p"),
    ),
    by_query(
        "variance-and-distance",
        _LAW,
        _PROBABILITIES,
        f"(= {_mean(_ABOUT_S)} (+ {_mean(_ABOUT_M)} (* (- {_M} s) (- {_M} s))))",
        earlier("mean-square", N="N", p="p", y="y", s="s"),
        earlier("mean-square", N="N", p="p", y="y", s=_M),
    ),
    by_query(
        "square-not-negative",
        {"N": "Int", "p": 1, "y": 1, "s": "Real"},
        [_PROBABILITIES[2]],
        f"(all (k 1 N) (>= {_ABOUT_S} 0))",
        given(0, "k"),
    ),
    by_query(
        "mean-at-most-square",
        {"N": "Int", "p": 1, "y": 1},
        _PROBABILITIES,
        f"(<= (* {_M} {_M}) {_mean('(* (p k) (* (y k) (y k)))')})",
        earlier("mean-square", N="N", p="p", y="y", s=_M),
        earlier("square-not-negative", N="N", p="p", y="y", s=_M),
        earlier("sum-not-negative", n="N", m="N", a=("k", _ABOUT_M)),
    ),
    by_query(
        "estimate-each",
        _ESTIMATE,
        ["(>= kappa 0)", "(>= s 0)", "(<= s top)", _PROBABILITIES[2], _SLOPE],
        f"(all (k 1 N) (<= (* (* kappa kappa) {_OFF}) {_ABOUT_S}))",
        given(0, "k"),
        given(1, "k"),
        earlier("debiased-nearer", kappa="kappa", y="(y k)", top="top", s="s", z="(z k)", x="x"),
    ),
    by_query(
        "estimate-error",
        _ESTIMATE,
        ["(>= kappa 0)", "(>= s 0)", "(<= s top)", *_PROBABILITIES, _SLOPE],
        f"(<= (* (* kappa kappa) {_mean(_OFF)}) (+ {_mean(_ABOUT_M)} (* (- {_M} s) (- {_M} s))))",
        earlier("estimate-each", **{name: name for name in _ESTIMATE}),
        earlier("sum-at-most", n="N", m="N", a=("k", f"(* (* kappa kappa) {_OFF})"), b=("k", _ABOUT_S)),
        earlier("sum-scale", n="N", c="(* kappa kappa)", a=("k", _OFF)),
        earlier("variance-and-distance", N="N", p="p", y="y", s="s"),
    ),
    by_query(
        "bias-above-each",
        _USERS,
        [_TAYLOR],
        "(all (i 1 n) (<= (f i) (+ s (* t (- (x i) m)))))",
        given(0, "i"),
    ),
    by_query(
        "bias-below-each",
        _USERS,
        [_TAYLOR],
        f"(all (i 1 n) (<= (- s (f i)) {_FAR}))",
        given(0, "i"),
    ),
    by_query(
        "bias",
        _USERS,
        ["(>= n 0)", f"(= {_X} 0)", _TAYLOR],
        f"(and (<= {_F} (* n s)) (<= (- (* n s) {_F}) (* (/ M 2) {_V})))",
        earlier("bias-above-each", **{name: name for name in _USERS}),
        earlier("bias-below-each", **{name: name for name in _USERS}),
        earlier("sum-at-most", n="n", m="n", a="f", b=("i", "(+ s (* t (- (x i) m)))")),
        earlier("sum-at-most", n="n", m="n", a=("i", "(- s (f i))"), b=("i", _FAR)),
        earlier("sum-plus", n="n", a=("i", "s"), b=("i", "(* t (- (x i) m))")),
        earlier("sum-plus", n="n", a=("i", "s"), b=("i", "(* (- 1) (f i))")),
        earlier(
            "sum-plus", n="n", a=("i", "(* (- t) (- (x i) m))"), b=("i", "(* (/ M 2) (* (- (x i) m) (- (x i) m)))")
        ),
        earlier("sum-scale", n="n", c="t", a=("i", "(- (x i) m)")),
        earlier("sum-scale", n="n", c="(- t)", a=("i", "(- (x i) m)")),
        earlier("sum-scale", n="n", c="(- 1)", a="f"),
        earlier("sum-scale", n="n", c="(/ M 2)", a=("i", "(* (- (x i) m) (- (x i) m))")),
        earlier("sum-of-equal", n="n", v="s"),
    ),
    by_query(
        "clipped-error-gap",
        {"N": "Int", "p": 1, "y": 1, "z": 1, "x": "Real", "o": "Real", "r": "Real"},
        [
            *_PROBABILITIES,
            "(<= o x)",
            "(>= r 0)",
            f"(<= {_mean(_square('(- (z k) o)'))} (* r r))",
        ],
        f"(>= (- {_mean(_square('(- (y k) x)'))} {_mean(_OFF)})"
        f" (- (* (- x {_M}) (- x {_M})) (* (+ (- x o) r) (+ (- x o) r))))",
        earlier("variance-and-distance", N="N", p="p", y="y", s="x"),
        earlier("square-not-negative", N="N", p="p", y="y", s=_M),
        earlier("sum-not-negative", n="N", m="N", a=("k", _ABOUT_M)),
        earlier("mean-square", N="N", p="p", y=("k", "(- (z k) o)"), s="(- x o)"),
        earlier("mean-at-most-square", N="N", p="p", y=("k", "(- (z k) o)")),
        earlier(
            "debiased-gap",
            b="(- x o)",
            r="r",
            W=_mean("(* (p k) (- (z k) o))"),
            Q=_mean("(* (p k) (* (- (z k) o) (- (z k) o)))"),
        ),
    ),
)
"""f(i) is psi_C at the rate x(i), s at their mean m, t its slope there and M the greatest curvature; o is the limit."""
