"""Sums, products and powers: what all derivations may use of them, derived by induction."""

from __future__ import annotations

from collections.abc import Mapping

from dpcert.proofs.derivation import by_induction, by_query, earlier, given, unfold
from dpcert.proofs.exponentials import EXPONENTIAL_OF_SUM, EXPONENTIALS, POWERS, PRODUCT
from dpcert.proofs.laws import LAWS
from dpcert.proofs.products import PRODUCTS
from dpcert.proofs.theorem import Theorem

_SIZES = {"n": "Int"}
_FUNCTIONS: Mapping[str, str | int] = {"n": "Int", "m": "Int", "a": 1, "b": 1}
_A, _B = "(sum (k 1 n) (a k))", "(sum (k 1 n) (b k))"
_NEXT = "(+ n 1)"


def _all(term: str) -> str:
    """Return the same of n + 1, to unfold."""
    return term.replace("(k 1 n)", "(k 1 (+ n 1))")


_BOTH = "(sum (k 1 n) (+ (a k) (b k)))"
_SCALED = "(sum (k 1 n) (* c (a k)))"

_EVENT = "(all (k 1 n) (and (>= (u k) 0) (<= (u k) 1)))"
_RATIO = "(all (k 1 n) (<= (p k) (* E (q k))))"
_UP, _UQ = "(* (u k) (p k))", "(* (u k) (q k))"

STEPS = (
    by_induction(
        "sum-plus",
        {"n": "Int", "a": 1, "b": 1},
        ["(>= n 0)"],
        f"(= {_BOTH} (+ {_A} {_B}))",
        base=[unfold(term.replace("(k 1 n)", "(k 1 0)")) for term in (_BOTH, _A, _B)],
        step=[unfold(_all(term)) for term in (_BOTH, _A, _B)],
    ),
    by_induction(
        "sum-scale",
        {"n": "Int", "a": 1, "c": "Real"},
        ["(>= n 0)"],
        f"(= {_SCALED} (* c {_A}))",
        base=[unfold(term.replace("(k 1 n)", "(k 1 0)")) for term in (_SCALED, _A)],
        step=[unfold(_all(term)) for term in (_SCALED, _A)],
    ),
    by_induction(
        "sum-at-most",
        _FUNCTIONS,
        ["(>= n 0)", "(<= n m)", "(all (k 1 m) (<= (a k) (b k)))"],
        f"(<= {_A} {_B})",
        base=[unfold(term.replace("(k 1 n)", "(k 1 0)")) for term in (_A, _B)],
        step=[*(unfold(_all(term)) for term in (_A, _B)), given(0, _NEXT)],
    ),
    by_induction(
        "sum-equal",
        _FUNCTIONS,
        ["(>= n 0)", "(<= n m)", "(all (k 1 m) (= (a k) (b k)))"],
        f"(= {_A} {_B})",
        base=[unfold(term.replace("(k 1 n)", "(k 1 0)")) for term in (_A, _B)],
        step=[*(unfold(_all(term)) for term in (_A, _B)), given(0, _NEXT)],
    ),
    by_induction(
        "sum-not-negative",
        {"n": "Int", "m": "Int", "a": 1},
        ["(>= n 0)", "(<= n m)", "(all (k 1 m) (>= (a k) 0))"],
        f"(>= {_A} 0)",
        base=[unfold("(sum (k 1 0) (a k))")],
        step=[unfold(_all(_A)), given(0, _NEXT)],
    ),
    by_induction(
        "sum-of-zeros",
        _SIZES,
        ["(>= n 0)"],
        "(= (sum (k 1 n) 0) 0)",
        base=[unfold("(sum (k 1 0) 0)")],
        step=[unfold("(sum (k 1 (+ n 1)) 0)")],
    ),
    by_query(
        "exchange-inner",
        {"n": "Int", "m": "Int", "t": 2},
        ["(>= n 0)"],
        "(all (j 1 m) (= (sum (i 1 (+ n 1)) (t i j)) (+ (sum (i 1 n) (t i j)) (t (+ n 1) j))))",
        unfold("(sum (i 1 (+ n 1)) (t i j))"),
    ),
    by_induction(
        "sum-exchange",
        {"n": "Int", "m": "Int", "t": 2},
        ["(>= n 0)", "(>= m 0)"],
        "(= (sum (i 1 n) (sum (j 1 m) (t i j))) (sum (j 1 m) (sum (i 1 n) (t i j))))",
        base=[
            unfold("(sum (i 1 0) (sum (j 1 m) (t i j)))"),
            earlier("exchange-empty", m="m", t="t"),
            earlier("sum-equal", n="m", m="m", a=("j", "(sum (i 1 0) (t i j))"), b=("j", "0")),
            earlier("sum-of-zeros", n="m"),
        ],
        step=[
            unfold("(sum (i 1 (+ n 1)) (sum (j 1 m) (t i j)))"),
            earlier("exchange-inner", n="n", m="m", t="t"),
            earlier(
                "sum-equal",
                n="m",
                m="m",
                a=("j", "(sum (i 1 (+ n 1)) (t i j))"),
                b=("j", "(+ (sum (i 1 n) (t i j)) (t (+ n 1) j))"),
            ),
            earlier("sum-plus", n="m", a=("j", "(sum (i 1 n) (t i j))"), b=("j", "(t (+ n 1) j)")),
        ],
    ),
    by_induction(
        "pow-positive",
        {"n": "Int", "E": "Real"},
        ["(>= n 0)", "(> E 0)"],
        "(> (pow E n) 0)",
        base=[],
        step=[unfold("(pow E (+ n 1))")],
    ),
    by_query(
        "ratio-outcome",
        {"n": "Int", "E": "Real", "p": 1, "q": 1, "u": 1},
        [_EVENT, _RATIO],
        f"(all (k 1 n) (<= {_UP} (* E {_UQ})))",
        given(0, "k"),
        given(1, "k"),
    ),
    by_query(
        "ratio-of-events",
        {"n": "Int", "E": "Real", "p": 1, "q": 1, "u": 1},
        ["(>= n 0)", _EVENT, _RATIO],
        f"(<= (sum (k 1 n) {_UP}) (* E (sum (k 1 n) {_UQ})))",
        earlier("ratio-outcome", n="n", E="E", p="p", q="q", u="u"),
        earlier("sum-at-most", n="n", m="n", a=("k", _UP), b=("k", f"(* E {_UQ})")),
        earlier("sum-scale", n="n", c="E", a=("k", _UQ)),
    ),
    by_induction(
        "pow-at-least-one",
        {"n": "Int", "E": "Real"},
        ["(>= n 0)", "(>= E 1)"],
        "(>= (pow E n) 1)",
        base=[],
        step=[unfold("(pow E (+ n 1))")],
    ),
    by_induction(
        "pow-rises",
        {"n": "Int", "i": "Int", "E": "Real"},
        ["(>= n 0)", "(>= i 0)", "(>= E 1)"],
        "(<= (pow E i) (pow E (+ i n)))",
        base=[],
        step=[unfold("(pow E (+ (+ i n) 1))"), earlier("pow-at-least-one", n="(+ i n)", E="E")],
    ),
)
"""The steps in their order; `exchange-empty` stands before `sum-exchange`."""

_EMPTY = by_query(
    "exchange-empty",
    {"m": "Int", "t": 2},
    [],
    "(all (j 1 m) (= (sum (i 1 0) (t i j)) 0))",
    unfold("(sum (i 1 0) (t i j))"),
)

SUMS = Theorem(
    id="sums",
    statement="Sums, products and powers, from their definitions by recursion.",
    source="the definitions",
    argument="",
    lemmas=(),
    bound_by="",
    derivation=(
        *STEPS[:6],
        _EMPTY,
        *STEPS[6:],
        *PRODUCTS,
        *POWERS,
        *EXPONENTIALS,
        *PRODUCT,
        *EXPONENTIAL_OF_SUM,
        *LAWS,
    ),
)
