"""Derivations on minimizers: a sum of hinges and a square grows away from its minimum as the square does."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given


def _hinge(x: str) -> str:
    return f"(ite (>= (- (v i) {x}) 0) (- (v i) {x}) 0)"


def _sum(x: str, user: str, hinges: str) -> str:
    """Return the sum of all users' terms and what all have in common, at x."""
    return f"(+ {user} (+ (sum (i 1 n) ({hinges} i)) (+ (* eta {x}) (* (/ L 2) (* {x} {x})))))"


_AT = "(+ (* (- 1 t) c) (* t d))"
_USERS: dict[str, str | int] = {"n": "Int", "w": 1, "v": 1, "x": 1, "y": 1, "z": 1, **dict.fromkeys("cdt", "Real")}
_HINGES = [
    "(>= t 0)",
    "(<= t 1)",
    "(all (i 1 n) (>= (w i) 0))",
    *(f"(all (i 1 n) (= ({f} i) (* (w i) {_hinge(at)})))" for f, at in (("x", "c"), ("y", "d"), ("z", _AT))),
]
_SCALARS = dict.fromkeys(("eta", "L", "p", "q", "r"), "Real")
_BETWEEN = "(+ (* (- 1 t) (x i)) (* t (y i)))"

MINIMIZER = (
    by_query(
        "hinge-of-each",
        _USERS,
        _HINGES,
        f"(all (i 1 n) (<= (z i) {_BETWEEN}))",
        *(given(place, "i") for place in range(4)),
        earlier("hinge-is-convex", w="(w i)", v="(v i)", c="c", d="d", t="t"),
    ),
    by_query(
        "hinges-are-convex",
        _USERS,
        ["(>= n 0)", *_HINGES],
        "(<= (sum (i 1 n) (z i)) (+ (* (- 1 t) (sum (i 1 n) (x i))) (* t (sum (i 1 n) (y i)))))",
        earlier("hinge-of-each", **{name: name for name in _USERS}),
        earlier("sum-at-most", n="n", m="n", a="z", b=["i", _BETWEEN]),
        earlier("sum-plus", n="n", a=["i", "(* (- 1 t) (x i))"], b=["i", "(* t (y i))"]),
        earlier("sum-scale", n="n", c="(- 1 t)", a="x"),
        earlier("sum-scale", n="n", c="t", a="y"),
    ),
    by_query(
        "growth-from-minimum",
        {**_USERS, **_SCALARS},
        [
            "(>= n 0)",
            "(> t 0)",
            *_HINGES,
            "(<= r (+ (* (- 1 t) p) (* t q)))",
            f"(<= {_sum('c', 'p', 'x')} {_sum(_AT, 'r', 'z')})",
        ],
        f"(>= (- {_sum('d', 'q', 'y')} {_sum('c', 'p', 'x')}) (* (/ L 2) (* (- 1 t) (* (- d c) (- d c)))))",
        earlier("hinges-are-convex", **{name: name for name in _USERS}),
        earlier(
            "growth-of-squares",
            t="t",
            L="L",
            D="(- d c)",
            F=_sum("c", "p", "x"),
            G=_sum("d", "q", "y"),
            H=_sum(_AT, "r", "z"),
        ),
    ),
    by_query(
        "one-user-replaced-between",
        {
            **{name: _USERS[name] for name in ("n", "x", "y")},
            **dict.fromkeys(("eta", "L", "W", "w", "v", "u", "z", "c", "d", "p", "q", "P", "Q"), "Real"),
        },
        [
            *("(>= w 0)", "(<= w W)", "(>= u 0)", "(<= u W)", "(> d c)"),
            *(
                f"(= {term} (* {weight} {_hinge(at).replace('(v i)', norm)}))"
                for term, weight, norm, at in (
                    ("p", "w", "v", "c"),
                    ("q", "w", "v", "d"),
                    ("P", "u", "z", "c"),
                    ("Q", "u", "z", "d"),
                )
            ),
        ],
        f"(<= (- (- {_sum('d', 'q', 'y')} {_sum('d', 'Q', 'y')}) (- {_sum('c', 'p', 'x')} {_sum('c', 'P', 'x')}))"
        " (* W (- d c)))",
        earlier("terms-of-one-user", W="W", w="w", x="v", u="u", y="z", c="c", d="d"),
    ),
    by_query(
        "minimizers-apart",
        dict.fromkeys(("L", "W", "t", "c", "d", "F", "G", "X", "Y", "e"), "Real"),
        [
            "(> L 0)",
            "(> d c)",
            "(>= (- F X) (* (/ L 2) (* (- 1 t) (* (- d c) (- d c)))))",
            "(>= (- Y G) (* (/ L 2) (* (- 1 t) (* (- d c) (- d c)))))",
            "(<= (- (- F G) (- X Y)) (* W (- d c)))",
            "(or (<= (* L (- d c)) W) (<= (* 2 (* L (* t (- d c)))) (- (* L (- d c)) W)))",
        ],
        "(<= (* L (- d c)) W)",
        earlier("minimizer-moves", L="L", W="W", t="t", D="(- d c)", X="(- F X)", Y="(- Y G)"),
    ),
)
"""v(i) and w(i) are norm and weight of a user who stays, x(i), y(i) and z(i) its terms at c, d and between; p, q and r
those of the user who is replaced, P and Q of the one in its place. F and G are the two sums at d, X and Y at c; L is
lambda, W the greatest weight.
"""
