"""Derivations on the clipping threshold: sums over n users, over d counts, and over N sizes of noise."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given
from dpcert.proofs.terms import Term, choose, positive_part, size


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


W, NU, C, D = Term("(w i)"), Term("(nu i)"), Term("c"), Term("d")
_USERS: dict[str, str | int] = {"n": "Int", "c": "Real", "d": "Real", "w": 1, "nu": 1, "l": 1, "r": 1}
_LOSSES = [
    "(>= n 0)",
    "(all (i 1 n) (>= (w i) 0))",
    f"(all (i 1 n) (= (l i) {_text(W * positive_part(NU - C))}))",
    f"(all (i 1 n) (= (r i) {_text(W * positive_part(NU - D))}))",
]
_ABOVE = f"(all (i 1 n) (= (a i) {_text(choose(NU > C, W, 0))}))"
_FROM = f"(all (i 1 n) (= (b i) {_text(choose(NU >= C, W, 0))}))"
_FROM_D = f"(all (i 1 n) (= (b i) {_text(choose(NU >= D, W, 0))}))"
_AT_USERS = {name: name for name in _USERS}
_USER = {"w": "(w i)", "nu": "(nu i)", "c": "c", "d": "d"}
_L, _R, _A, _B = (f"(sum (i 1 n) ({name} i))" for name in "lrab")
_NOISE = [
    "(>= x 0)",
    "(all (k 1 N) (and (>= (p k) 0) (>= (z k) 0)))",
    f"(all (k 1 N) (= (m k) {_text((size(Term('(z k)') - Term('x')) + size(Term('(z k)') + Term('x'))) / 2)}))",
]
_PM, _PZ, _PX = "(* (p k) (m k))", "(* (p k) (z k))", "(* x (p k))"
_M, _Z = f"(sum (k 1 N) {_PM})", f"(sum (k 1 N) {_PZ})"
_CLIPPED = [
    "(all (i 1 n) (= (sum (j 1 D) (h i j)) (* (w i) (nu i))))",
    f"(all (i 1 n) (= (* (t i) (nu i)) {_text(positive_part(NU - C))}))",
    f"(all (i 1 n) (= (l i) {_text(W * positive_part(NU - C))}))",
]
_EACH = "(all (j 1 D) (and (>= (e j) (z j)) (>= (e j) (x j)) (<= (e j) (+ (z j) (x j)))))"
_ERRORS: dict[str, str | int] = {"e": 1, "z": 1, "x": 1, "f": 1, "y": 1, "v": 1}

BEST = (
    by_query(
        "loss-beyond-each",
        {**_USERS, "a": 1},
        [*_LOSSES, _ABOVE, "(<= c d)"],
        "(all (i 1 n) (<= (l i) (+ (r i) (* (- d c) (a i)))))",
        given(0, "i"),
        given(1, "i"),
        given(2, "i"),
        given(3, "i"),
        earlier("loss-beyond-clip", **_USER),
    ),
    by_query(
        "no-less-lost",
        _USERS,
        [*_LOSSES, "(<= c d)"],
        "(all (i 1 n) (<= (r i) (l i)))",
        given(0, "i"),
        given(1, "i"),
        given(2, "i"),
        earlier("loss-beyond-clip", **_USER),
    ),
    by_query(
        "loss-falls",
        _USERS,
        [*_LOSSES, "(<= c d)"],
        f"(<= {_R} {_L})",
        earlier("no-less-lost", **_AT_USERS),
        earlier("sum-at-most", n="n", m="n", a="r", b="l"),
    ),
    by_query(
        "bound-beyond",
        {**_USERS, "a": 1, "eta": "Real"},
        [*_LOSSES, _ABOVE, "(<= c d)", f"(<= {_A} eta)"],
        f"(<= (+ {_L} (* eta c)) (+ {_R} (* eta d)))",
        earlier("loss-beyond-each", a="a", **_AT_USERS),
        earlier("sum-at-most", n="n", m="n", a="l", b=("i", "(+ (r i) (* (- d c) (a i)))")),
        earlier("sum-plus", n="n", a="r", b=("i", "(* (- d c) (a i))")),
        earlier("sum-scale", n="n", c="(- d c)", a="a"),
    ),
    by_query(
        "loss-below-each",
        {**_USERS, "b": 1},
        [*_LOSSES, _FROM],
        "(all (i 1 n) (<= (+ (l i) (* (- c d) (b i))) (r i)))",
        given(0, "i"),
        given(1, "i"),
        given(2, "i"),
        given(3, "i"),
        earlier("loss-below-clip", **_USER),
    ),
    by_query(
        "bound-below",
        {**_USERS, "b": 1, "eta": "Real"},
        [*_LOSSES, _FROM, "(<= d c)", f"(>= {_B} eta)"],
        f"(<= (+ {_L} (* eta c)) (+ {_R} (* eta d)))",
        earlier("loss-below-each", b="b", **_AT_USERS),
        earlier("sum-at-most", n="n", m="n", a=("i", "(+ (l i) (* (- c d) (b i)))"), b="r"),
        earlier("sum-plus", n="n", a="l", b=("i", "(* (- c d) (b i))")),
        earlier("sum-scale", n="n", c="(- c d)", a="b"),
    ),
    by_query(
        "bound-is-least",
        {**_USERS, "a": 1, "b": 1, "eta": "Real"},
        [*_LOSSES, _ABOVE, _FROM, "(>= c 0)", "(>= d 0)", f"(<= {_A} eta)", f"(or (>= {_B} eta) (= c 0))"],
        f"(<= (+ {_L} (* eta c)) (+ {_R} (* eta d)))",
        earlier("bound-beyond", a="a", eta="eta", **_AT_USERS),
        earlier("bound-below", b="b", eta="eta", **_AT_USERS),
    ),
    *(
        by_query(
            f"loss-between-{name}",
            {**_USERS, "a": 1, "b": 1},
            [*_LOSSES, _ABOVE, _FROM_D, "(<= c d)", "(all (i 1 n) (>= (* (- (nu i) c) (- (nu i) d)) 0))"],
            f"(all (i 1 n) (= (l i) (+ (r i) (* (- d c) ({weight} i)))))",
            given(0, "i"),
            given(1, "i"),
            given(2, "i"),
            given(place, "i"),
            given(5, "i"),
            earlier("loss-between-norms", **_USER),
        )
        for name, weight, place in (("above", "a", 3), ("from", "b", 4))
    ),
    by_query(
        "bound-between",
        {**_USERS, "a": 1, "b": 1, "eta": "Real"},
        [*_LOSSES, _ABOVE, _FROM_D, "(<= c d)", "(all (i 1 n) (>= (* (- (nu i) c) (- (nu i) d)) 0))"],
        f"(and (= (- (+ {_R} (* eta d)) (+ {_L} (* eta c))) (* (- eta {_A}) (- d c)))"
        f" (= (- (+ {_R} (* eta d)) (+ {_L} (* eta c))) (* (- eta {_B}) (- d c))))",
        earlier("loss-between-above", a="a", b="b", **_AT_USERS),
        earlier("loss-between-from", a="a", b="b", **_AT_USERS),
        earlier("sum-equal", n="n", m="n", a="l", b=("i", "(+ (r i) (* (- d c) (a i)))")),
        earlier("sum-equal", n="n", m="n", a="l", b=("i", "(+ (r i) (* (- d c) (b i)))")),
        earlier("sum-plus", n="n", a="r", b=("i", "(* (- d c) (a i))")),
        earlier("sum-plus", n="n", a="r", b=("i", "(* (- d c) (b i))")),
        earlier("sum-scale", n="n", c="(- d c)", a="a"),
        earlier("sum-scale", n="n", c="(- d c)", a="b"),
    ),
    by_query(
        "error-each",
        {"N": "Int", "p": 1, "z": 1, "m": 1, "x": "Real"},
        _NOISE,
        "(all (k 1 N) (and (>= (* (p k) (m k)) (* (p k) (z k))) (>= (* (p k) (m k)) (* x (p k)))"
        " (<= (* (p k) (m k)) (+ (* (p k) (z k)) (* x (p k))))))",
        given(0, "k"),
        given(1, "k"),
        earlier("error-of-one-count", z="(z k)", b="x"),
    ),
    *(
        by_query(
            f"error-{name}",
            {"N": "Int", "p": 1, "z": 1, "m": 1, "x": "Real"},
            _NOISE,
            f"(all (k 1 N) (<= {less} {more}))",
            earlier("error-each", N="N", p="p", z="z", m="m", x="x"),
            given(2, "k"),
        )
        for name, less, more in (("noise", _PZ, _PM), ("lost", _PX, _PM), ("both", _PM, f"(+ {_PZ} {_PX})"))
    ),
    by_query(
        "mean-error",
        {"N": "Int", "p": 1, "z": 1, "m": 1, "x": "Real"},
        ["(>= N 0)", "(= (sum (k 1 N) (p k)) 1)", *_NOISE],
        f"(and (>= {_M} {_Z}) (>= {_M} x) (<= {_M} (+ {_Z} x)))",
        *(earlier(f"error-{name}", N="N", p="p", z="z", m="m", x="x") for name in ("noise", "lost", "both")),
        earlier("sum-at-most", n="N", m="N", a=("k", _PZ), b=("k", _PM)),
        earlier("sum-at-most", n="N", m="N", a=("k", _PX), b=("k", _PM)),
        earlier("sum-at-most", n="N", m="N", a=("k", _PM), b=("k", f"(+ {_PZ} {_PX})")),
        earlier("sum-plus", n="N", a=("k", _PZ), b=("k", _PX)),
        earlier("sum-scale", n="N", c="x", a="p"),
    ),
    by_query(
        "user-lost-in-all",
        {"D": "Int", "n": "Int", "c": "Real", "w": 1, "nu": 1, "l": 1, "h": 2, "t": 1},
        ["(>= D 0)", *_CLIPPED],
        "(all (i 1 n) (= (sum (j 1 D) (* (h i j) (t i))) (l i)))",
        given(0, "i"),
        given(1, "i"),
        given(2, "i"),
        earlier("sum-scale", n="D", c="(t i)", a=("j", "(h i j)")),
    ),
    by_query(
        "lost-in-all",
        {"D": "Int", "n": "Int", "c": "Real", "w": 1, "nu": 1, "l": 1, "h": 2, "t": 1},
        ["(>= D 0)", "(>= n 0)", *_CLIPPED],
        "(= (sum (j 1 D) (sum (i 1 n) (* (h i j) (t i)))) (sum (i 1 n) (l i)))",
        earlier("user-lost-in-all", D="D", n="n", c="c", w="w", nu="nu", l="l", h="h", t="t"),
        earlier("sum-exchange", n="n", m="D", t=("i", "j", "(* (h i j) (t i))")),
        earlier("sum-equal", n="n", m="n", a=("i", "(sum (j 1 D) (* (h i j) (t i)))"), b="l"),
    ),
    *(
        by_query(
            f"errors-{name}",
            {"D": "Int", "e": 1, "z": 1, "x": 1},
            [_EACH],
            f"(all (j 1 D) (<= {less} {more}))",
            given(0, "j"),
        )
        for name, less, more in (
            ("noise", "(z j)", "(e j)"),
            ("lost", "(x j)", "(e j)"),
            ("both", "(e j)", "(+ (z j) (x j))"),
        )
    ),
    by_query(
        "error-and-bound",
        {"D": "Int", "e": 1, "z": 1, "x": 1},
        ["(>= D 0)", _EACH],
        "(and (<= (sum (j 1 D) (e j)) (+ (sum (j 1 D) (z j)) (sum (j 1 D) (x j))))"
        " (>= (sum (j 1 D) (e j)) (sum (j 1 D) (z j))) (>= (sum (j 1 D) (e j)) (sum (j 1 D) (x j)))"
        " (<= (+ (sum (j 1 D) (z j)) (sum (j 1 D) (x j))) (* 2 (sum (j 1 D) (e j)))))",
        *(earlier(f"errors-{name}", D="D", e="e", z="z", x="x") for name in ("noise", "lost", "both")),
        earlier("sum-at-most", n="D", m="D", a="z", b="e"),
        earlier("sum-at-most", n="D", m="D", a="x", b="e"),
        earlier("sum-at-most", n="D", m="D", a="e", b=("j", "(+ (z j) (x j))")),
        earlier("sum-plus", n="D", a="z", b="x"),
    ),
    by_query(
        "twice-the-best",
        {**_USERS, "a": 1, "b": 1, "eta": "Real", "D": "Int", **_ERRORS},
        [
            *_LOSSES,
            _ABOVE,
            _FROM,
            "(>= c 0)",
            "(>= d 0)",
            f"(<= {_A} eta)",
            f"(or (>= {_B} eta) (= c 0))",
            "(>= D 0)",
            "(all (j 1 D) (and (>= (e j) (z j)) (>= (e j) (x j)) (<= (e j) (+ (z j) (x j)))))",
            "(all (j 1 D) (and (>= (f j) (y j)) (>= (f j) (v j)) (<= (f j) (+ (y j) (v j)))))",
            f"(= (sum (j 1 D) (x j)) {_L})",
            f"(= (sum (j 1 D) (v j)) {_R})",
            "(= (sum (j 1 D) (z j)) (* eta c))",
            "(= (sum (j 1 D) (y j)) (* eta d))",
        ],
        "(<= (sum (j 1 D) (e j)) (* 2 (sum (j 1 D) (f j))))",
        earlier("bound-is-least", a="a", b="b", eta="eta", **_AT_USERS),
        earlier("error-and-bound", D="D", e="e", z="z", x="x"),
        earlier("error-and-bound", D="D", e="f", z="y", x="v"),
    ),
)
"""l and r are the users' losses at c and at d, a and b their weights above and from a threshold on.

p(k) is the probability of noise of size z(k), of which m(k) is the mean error of a count that lost x. Of user i item j
loses h(i, j) t(i). Item j has the mean error e(j), noise of the mean size z(j), and lost x(j), at c; at d, f, y and v.
"""
