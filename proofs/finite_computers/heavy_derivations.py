"""Derivations on KeepHeavy: labels x = 1, ..., m with counts c(x) and noisy counts z(x), and N ways for the noise."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, given, same
from dpcert.proofs.finite_computers.histogram_derivations import masses, moves
from dpcert.proofs.terms import Term, choose, size


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


_SHARES = [
    "(all (a 1 n) (all (b 1 M) (>= (t a b) 0)))",
    "(all (a 1 n) (<= (sum (b 1 M) (t a b)) 1))",
    "(all (b 1 M) (and (>= (s b) 0) (<= (s b) 1)))",
]
_LAWS: dict[str, str | int] = {
    **dict.fromkeys(("n", "m", "M", "i", "j"), "Int"),
    "R": "Real",
    **dict.fromkeys("pcqt", 2),
    "s": 1,
}
_WEIGHT = "(sum (b 1 M) (* (t {} b) (s b)))".format


def _release(law: str) -> str:
    """Return the probability of an event of releases, from the law of each noisy count."""
    return f"(sum (o 1 n) (* {_WEIGHT('o')} (prod (k 1 m) ({law} o k))))"


_COUNTS: dict[str, str | int] = {
    "n": "Int",
    "m": "Int",
    "w": "Int",
    "a": "Real",
    "T": 2,
    "c": 1,
    "z": 1,
    "o": 1,
    "g": 1,
}
_ROWS = [
    "(>= n 0)",
    "(>= m 0)",
    "(all (i 1 n) (= (sum (x 1 m) (T i x)) 1))",
    "(all (x 1 m) (= (c x) (sum (i 1 n) (T i x))))",
    "(all (x 1 m) (or (= (c x) 0) (>= (c x) 1)))",
]
_NEAR = f"(all (x 1 m) (<= {_text(size(Term('(z x)') - Term('(c x)')))} a))"
_OCCURS = f"(all (x 1 m) (= (o x) {_text(choose(Term('(c x)') > 0, 1, 0))}))"
_REACHES = f"(all (x 1 m) (= (g x) {_text(choose(Term('(z x)') >= Term('(z w)'), 1, 0))}))"
_HEAVY_ONE = ["(>= w 1)", "(<= w m)", "(> (c w) (* 2 a))"]
_AT_COUNTS = {name: name for name in _COUNTS}

_WAYS: dict[str, str | int] = {"N": "Int", "beta": "Real", "p": 1, "far": 1, "off": 1, "miss": 1}
_INDICATORS = "(all (k 1 N) (and (>= (p k) 0) (<= (miss k) (+ (off k) (far k)))))"

HEAVY = (
    by_query(
        "heavy-private",
        _LAWS,
        [
            "(>= n 0)",
            "(>= m 0)",
            "(>= M 0)",
            "(>= R 1)",
            masses("p", "c"),
            masses("c", "q"),
            moves("p", "c", "i"),
            moves("c", "q", "j"),
            *_SHARES,
        ],
        f"(<= {_release('p')} (* (* R R) {_release('q')}))",
        earlier("weight-of-event", n="n", m="M", t="t", s="s"),
        earlier("two-labels-event", **same("n", "m", "i", "j", "R", "p", "c", "q"), u=("o", _WEIGHT("o"))),
    ),
    by_query(
        "reached-each",
        _COUNTS,
        ["(>= n 0)", "(>= m 0)", *_ROWS[4:], _NEAR, _OCCURS, _REACHES, *_HEAVY_ONE],
        "(all (x 1 m) (<= (g x) (o x)))",
        given(0, "x"),
        given(0, "w"),
        given(1, "x"),
        given(1, "w"),
        given(2, "x"),
        given(3, "x"),
        earlier("heavy-reached-by-occurring", a="a", c="(c x)", z="(z x)", count="(c w)", noisy="(z w)"),
    ),
    by_query(
        "occurring-each",
        {"n": "Int", "m": "Int", "T": 2, "c": 1, "o": 1},
        [*_ROWS[3:], _OCCURS],
        "(all (x 1 m) (<= (o x) (sum (i 1 n) (T i x))))",
        given(0, "x"),
        given(1, "x"),
        given(2, "x"),
    ),
    by_query(
        "heavy-kept",
        _COUNTS,
        [*_ROWS, _NEAR, _OCCURS, _REACHES, *_HEAVY_ONE],
        "(<= (sum (x 1 m) (g x)) n)",
        earlier("reached-each", **_AT_COUNTS),
        earlier("sum-at-most", n="m", m="m", a="g", b="o"),
        earlier("occurring-each", n="n", m="m", T="T", c="c", o="o"),
        earlier("positive-counts", n="n", m="m", t="T", o="o"),
    ),
    by_query(
        "missed-each",
        _WAYS,
        [_INDICATORS],
        "(all (k 1 N) (<= (* (p k) (miss k)) (+ (* (p k) (off k)) (* (p k) (far k)))))",
        given(0, "k"),
    ),
    by_query(
        "heavy-per-query",
        _WAYS,
        [
            "(>= N 0)",
            "(<= (sum (k 1 N) (* (p k) (off k))) beta)",
            "(<= (sum (k 1 N) (* (p k) (far k))) beta)",
            _INDICATORS,
        ],
        "(<= (sum (k 1 N) (* (p k) (miss k))) (* 2 beta))",
        earlier("missed-each", **{name: name for name in _WAYS}),
        earlier(
            "sum-at-most",
            n="N",
            m="N",
            a=("k", "(* (p k) (miss k))"),
            b=("k", "(+ (* (p k) (off k)) (* (p k) (far k)))"),
        ),
        earlier("sum-plus", n="N", a=("k", "(* (p k) (off k))"), b=("k", "(* (p k) (far k))")),
    ),
    by_query(
        "heavy-together",
        {"m": "Int", "a": "Real", "c": 1, "z": 1, "h": 1},
        [
            "(all (x 1 m) (>= (c x) 0))",
            _NEAR,
            "(all (x 1 m) (or (> (h x) 0) (<= (c x) (* 2 a))))",
        ],
        f"(all (x 1 m) (<= {_text(size(choose(Term('(h x)') > 0, Term('(z x)'), 0) - Term('(c x)')))} (* 2 a)))",
        given(0, "x"),
        given(1, "x"),
        given(2, "x"),
        earlier("heavy-error", a="a", c="(c x)", z="(z x)", kept="(h x)"),
    ),
)
"""Outcome o has the probability p(o, k) of its noisy count of label k, q(o, k) for the neighbour, c(o, k) for counts of
which one has moved; t(o, b) is the share of outcome o that release b gets.

T(i, x) is 1 if row i has label x, else 0; o(x) if x occurs, g(x) if its noisy count reaches that of w, h(x) if it is
kept. Of way k: far(k) is 1 if not all counts are near, off(k) if one label's noisy count is not, miss(k) if it is not
shown as it should be.
"""
