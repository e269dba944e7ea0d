"""Derivations on which labels are kept: what is above the (n + 1)-st greatest count, and what the first numbers are.

Z(i) is the i-th greatest of m counts z, s(i, x) is 1 where it is that of label x, else 0.
"""

from __future__ import annotations

from dpcert.proofs.derivation import Sorts, by_query, earlier, given, same
from dpcert.proofs.terms import Term, choose, size


def _text(term: object) -> str:
    """Return a term's text."""
    assert isinstance(term, Term)
    return term.text


def _indicator(f: str, k: str, condition: str) -> str:
    return f"(all ({k} 1 m) (= ({f} {k}) (ite {condition} 1 0)))"


_SORTED = "(all (i 1 m) (all (l 1 m) (or (> i l) (>= (Z i) (Z l)))))"
_PLACES: Sorts = {"m": "Int", "r": "Int", "Z": 1, "b": 1}
RANK = ["(>= r 1)", "(<= r m)", _SORTED]
REACHED, _ABOVE = _indicator("b", "i", "(>= (Z i) (Z r))"), _indicator("b", "i", "(> (Z i) (Z r))")
_SUM = "(sum (i 1 m) (b i))"
_ONE_EACH = "(all (x 1 m) (= (sum (i 1 m) (s i x)) 1))"
_IN_PLACE = "(all (i 1 m) (= (b i) (sum (x 1 m) (* (s i x) (a x)))))"

PLACES = (
    by_query(
        "reached-at-place",
        _PLACES,
        [*RANK, REACHED],
        "(all (i 1 r) (= (b i) 1))",
        given(0, "i"),
        given(2, "r"),
        given(1, "i"),
    ),
    by_query(
        "reached-not-negative",
        {"m": "Int", "r": "Int", "Z": 1, "b": 1},
        ["(>= r 1)", REACHED],
        "(all (j 1 (- m r)) (>= (b (+ r j)) 0))",
        given(0, "(+ r j)"),
    ),
    by_query(
        "places-reach",
        _PLACES,
        [*RANK, REACHED],
        f"(>= {_SUM} r)",
        earlier("reached-at-place", **same(*_PLACES)),
        earlier("reached-not-negative", **same(*_PLACES)),
        earlier("sum-equal", n="r", m="r", a="b", b=("i", "1")),
        earlier("sum-of-equal", n="r", v="1"),
        earlier("sum-not-negative", n="(- m r)", m="(- m r)", a=("j", "(b (+ r j))")),
        earlier("sum-in-two-parts", n="(- m r)", m="r", a="b"),
    ),
    by_query(
        "above-before-place",
        {"m": "Int", "r": "Int", "Z": 1, "b": 1},
        ["(<= r m)", _ABOVE],
        "(all (i 1 (- r 1)) (<= (b i) 1))",
        given(0, "i"),
    ),
    by_query(
        "none-above-from-place",
        _PLACES,
        [*RANK, _ABOVE],
        "(all (j 1 (- m (- r 1))) (= (b (+ (- r 1) j)) 0))",
        given(0, "r"),
        given(2, "(+ (- r 1) j)"),
        given(1, "(+ (- r 1) j)"),
    ),
    by_query(
        "places-above",
        _PLACES,
        [*RANK, _ABOVE],
        f"(<= {_SUM} (- r 1))",
        earlier("above-before-place", **same(*_PLACES)),
        earlier("none-above-from-place", **same(*_PLACES)),
        earlier("sum-at-most", n="(- r 1)", m="(- r 1)", a="b", b=("i", "1")),
        earlier("sum-of-equal", n="(- r 1)", v="1"),
        earlier("sum-equal", n="(- m (- r 1))", m="(- m (- r 1))", a=("j", "(b (+ (- r 1) j))"), b=("j", "0")),
        earlier("sum-of-zeros", n="(- m (- r 1))"),
        earlier("sum-in-two-parts", n="(- m (- r 1))", m="(- r 1)", a="b"),
    ),
)
"""b(i) is 1 where Z(i) reaches Z(r), or is above it; r counts are at least Z(r), and r - 1 at most above it."""

_LABELS: Sorts = {"m": "Int", "r": "Int", "v": "Real", "s": 2, "Z": 1, "b": 1, "a": 1}
_RANKED = [*RANK, "(= v (Z r))", _ONE_EACH, _IN_PLACE]
_WAYS: Sorts = {"N": "Int", "c": "Real", "a": "Real", **dict.fromkeys(("z", "v", "miss", "off", "far"), 1)}


def _off(shown: str) -> str:
    """Return 1 where what is shown is off by more than a, else 0."""
    return _text(choose(size(Term(shown) - Term("c")) > Term("a"), 1, 0))


_SHOWN = _text(choose(Term("(z k)") > Term("(v k)"), Term("(z k)"), 0))

KEPT = (
    *PLACES,
    by_query(
        "labels-reach",
        _LABELS,
        [*_RANKED, REACHED],
        "(>= (sum (x 1 m) (a x)) r)",
        earlier("places-reach", **same(*_PLACES)),
        earlier("sum-in-another-order", n="m", s="s", a="a", b="b"),
    ),
    by_query(
        "at-most-n-kept",
        _LABELS,
        [*_RANKED, _ABOVE],
        "(<= (sum (x 1 m) (a x)) (- r 1))",
        earlier("places-above", **same(*_PLACES)),
        earlier("sum-in-another-order", n="m", s="s", a="a", b="b"),
    ),
    by_query(
        "reaching-is-more",
        {"m": "Int", "w": "Int", "v": "Real", "z": 1, "a": 1, "g": 1},
        ["(<= (z w) v)", _indicator("a", "x", "(>= (z x) v)"), _indicator("g", "x", "(>= (z x) (z w))")],
        "(all (x 1 m) (<= (a x) (g x)))",
        given(0, "x"),
        given(1, "x"),
    ),
    by_query(
        "many-reach-below",
        {**_LABELS, "w": "Int", "z": 1, "g": 1},
        [
            *_RANKED,
            REACHED,
            "(<= (z w) v)",
            _indicator("a", "x", "(>= (z x) v)"),
            _indicator("g", "x", "(>= (z x) (z w))"),
        ],
        "(>= (sum (x 1 m) (g x)) r)",
        earlier("labels-reach", **same(*_LABELS)),
        earlier("reaching-is-more", **same("m", "w", "v", "z", "a", "g")),
        earlier("sum-at-most", n="m", m="m", a="a", b="g"),
    ),
    by_query(
        "reached-by-few-is-kept",
        {**_LABELS, "w": "Int", "n": "Int", "z": 1, "g": 1},
        [
            *_RANKED,
            REACHED,
            "(= r (+ n 1))",
            "(<= (sum (x 1 m) (g x)) n)",
            _indicator("a", "x", "(>= (z x) v)"),
            _indicator("g", "x", "(>= (z x) (z w))"),
        ],
        "(> (z w) v)",
        earlier("many-reach-below", **same(*_LABELS, "w", "z", "g")),
    ),
    by_query(
        "missed-only-if-far",
        _WAYS,
        [
            f"(all (k 1 N) (= (miss k) {_off(_SHOWN)}))",
            f"(all (k 1 N) (= (off k) {_off('(z k)')}))",
            "(all (k 1 N) (and (>= (far k) 0) (or (= (far k) 1) (> (z k) (v k)))))",
        ],
        "(all (k 1 N) (<= (miss k) (+ (off k) (far k))))",
        given(0, "k"),
        given(1, "k"),
        given(2, "k"),
    ),
)
"""v is the r-th greatest count; a(x) is 1 where that of x reaches it, or is above it; g(x) where it reaches w's.

Of way k, z(k) is the noisy count of a label, kept if it is above v(k).
"""
