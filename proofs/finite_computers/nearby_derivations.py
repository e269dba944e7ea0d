"""Derivations on laws near others: distances that add up."""

from __future__ import annotations

from dpcert.proofs.derivation import by_query, earlier, same

DISTANCES = (
    by_query(
        "rate-rounded-down",
        dict.fromkeys(("p", "q", "s", "f"), "Int"),
        ["(>= q 1)", "(>= s 1)", "(<= (* f q) (* s p))", "(< (* s p) (* (+ f 1) q))"],
        "(and (<= (/ f s) (/ p q)) (<= (- (/ p q) (/ f s)) (/ 1 s)))",
    ),
    by_query(
        "distances-add-up",
        {**dict.fromkeys(("m", "t", "M", "n"), "Int"), **dict.fromkeys(("q", "x", "y", "z"), "Real")},
        [
            "(>= q 0)",
            "(>= m 1)",
            "(<= m M)",
            "(>= t 0)",
            "(<= t (+ n 1))",
            "(<= (- x y) (* m q))",
            "(<= (- y z) (* t q (- m 1)))",
        ],
        "(and (<= (- x z) (* (- (* m (+ t 1)) t) q)) (<= (- x z) (* M (+ n 2) q)))",
        earlier("binomial-distance", **same("q", "m", "t", "M", "n"), coins="(- x y)", rounding="(- y z)"),
    ),
)
"""f is s p/q, rounded down; x, y and z are an event's probabilities with coins of rate p/q, of f/s, and rounded."""
