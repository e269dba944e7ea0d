"""Derivations on reporting probabilities: pi(0) = 0, and pi(i) is the least of q(i), (16) and (17) at pi(i - 1)."""

from __future__ import annotations

from dpcert.proofs.derivation import by_induction, by_query, earlier, given
from dpcert.proofs.terms import Term
from dpcert.proofs.weighted_sampling.recurrence import next_probability

E, DELTA = Term("E"), Term("delta")


def next_after(q: str, before: str) -> str:
    """Return the next probability as the mechanism computes it, as a term."""
    found = next_probability(E, DELTA, Term(q), Term(before))
    assert isinstance(found, Term)
    return found.text


SORTS: dict[str, str | int] = {"n": "Int", "m": "Int", "E": "Real", "delta": "Real", "q": 1, "pi": 1}
EPSILON = ["(>= E 1)", "(>= delta 0)", "(<= delta 1)"]
SEQUENCE = [
    "(= (pi 0) 0)",
    f"(all (i 1 m) (= (pi i) {next_after('(q i)', '(pi (- i 1))')}))",
    "(all (i 1 m) (and (>= (q i) 0) (<= (q i) 1)))",
    "(all (i 1 (- m 1)) (<= (q i) (q (+ i 1))))",
]
_RANGE = ["(>= n 1)", "(<= n m)"]

GROW = (
    by_induction(
        "probabilities-grow",
        SORTS,
        [*_RANGE, *EPSILON, *SEQUENCE],
        "(and (<= 0 (pi (- n 1))) (<= (pi (- n 1)) (pi n)) (<= (pi n) (q n)) (<= (pi n) 1))",
        base=[given(0, "1"), given(1, "1"), earlier("keys-grow", E="E", delta="delta", q="(q 1)", a="(pi 0)")],
        step=[
            given(0, "(+ n 1)"),
            given(1, "(+ n 1)"),
            given(2, "n"),
            earlier("keys-grow", E="E", delta="delta", q="(q (+ n 1))", a="(pi n)"),
        ],
    ),
)

_AT_N = {"n": "n", "m": "m", "E": "E", "delta": "delta", "q": "q", "pi": "pi"}
PRIVATE = (
    by_query(
        "keys-close",
        SORTS,
        [*_RANGE, *EPSILON, *SEQUENCE],
        "(and (<= (pi n) (+ (* E (pi (- n 1))) delta)) (<= (pi (- n 1)) (+ (* E (pi n)) delta))"
        " (<= (- 1 (pi n)) (+ (* E (- 1 (pi (- n 1)))) delta)) (<= (- 1 (pi (- n 1))) (+ (* E (- 1 (pi n))) delta)))",
        given(0, "n"),
        given(1, "n"),
        earlier("probabilities-grow", **_AT_N),
        earlier("keys-private", E="E", delta="delta", q="(q n)", a="(pi (- n 1))"),
    ),
)
