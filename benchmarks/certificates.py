"""Search certificates for all queries and steps: `python benchmarks/certificates.py [NAME...]`, which needs scipy.

Linear programs in floats propose which products of facts add up to nothing; the coefficients are then solved for in
fractions, and `proofs/checker.py` accepts or rejects. What is found goes into `proofs/certificates.json`.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from dpcert.proofs import checker
from dpcert.proofs.checker import constant, key, literal, plus, times
from dpcert.proofs.export import in_order, stated, steps_of
from dpcert.proofs.registry import THEOREMS
from dpcert.proofs.sums import SUMS

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "proofs" / "certificates.json"
DEPTH = 40
ABOVE = (("#", 1),)
"""A row that adds up the coefficients of products above 0: to 1."""


class Recorder(checker.Facts):
    """Facts that remember which term each variable stands for."""

    TERMS: ClassVar[dict[str, str]] = {}

    def term(self, term):
        """Return the polynomial, and keep a function's value, a sum, a product or a power if that is one variable."""
        p = super().term(term)
        named = isinstance(term, tuple) and term[0] not in (*checker.MANY, "/", "ite")
        if p is not None and named and len(p) == 1 and not self.bound:
            ((monomial, c),) = p.items()
            text = written(term)
            if len(monomial) == 1 and monomial[0][1] == 1 and c == 1 and "(ite " not in text:
                self.TERMS.setdefault(monomial[0][0], text)
        return p

    def copy(self):
        """Return a copy of the same kind."""
        other = super().copy()
        other.__class__ = Recorder
        return other


checker.Facts = Recorder


def text_of(p, facts):
    """Return a polynomial as a term."""

    def name_of(variable):
        if variable in facts.divisors:
            a, b = facts.divisors[variable]
            return f"(/ {text_of(a, facts)} {text_of(b, facts)})"
        return Recorder.TERMS.get(variable, variable)

    def number_of(c):
        text = str(abs(c.numerator)) if c.denominator == 1 else f"(/ {abs(c.numerator)} {c.denominator})"
        return f"(- {text})" if c < 0 else text

    parts = []
    for monomial, c in sorted(p.items()):
        factors = [number_of(c), *(name_of(v) for v, e in monomial for _ in range(e))]
        parts.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
    return "0" if not parts else parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


def written(term, names=None):
    """Return the text of a term, whose bound names are b0, b1, ... from outside in."""
    names = names or {}
    if not isinstance(term, tuple):
        return names[term] if isinstance(term, checker.Bound) else str(term)
    if term[0] in checker.BINDERS:
        head, k, low, high, body = term
        inner = {**names, k: f"b{len(names)}"}
        return f"({head} ({inner[k]} {written(low, names)} {written(high, names)}) {written(body, inner)})"
    return f"({' '.join(written(part, names) for part in term)})"


def conditions(facts):
    """Yield undecided atomic conditions in what waits, those of ite first."""

    def in_term(term):
        if not isinstance(term, tuple) or term[0] in checker.BINDERS:
            return
        if term[0] == "ite" and facts.truth(term[1]) is None:
            yield from in_formula(term[1])
        for part in term[1:]:
            yield from in_term(part)

    def in_formula(formula):
        if formula[0] in ("and", "or", "not"):
            for part in formula[1:]:
                yield from in_formula(part)
            return
        inner = [c for part in formula[1:] for c in in_term(part)]
        yield from inner
        if not inner and facts.truth(formula) is None:
            yield formula

    for formula, _ in facts.waiting:
        yield from in_formula(formula)


def degree(p):
    return max((sum(e for _, e in m) for m in p), default=0)


def monomials(variables, most):
    for d in range(most + 1):
        for chosen in itertools.combinations_with_replacement(variables, d):
            yield {tuple(sorted((v, chosen.count(v)) for v in set(chosen))): Fraction(1)}


def solve(columns, signs, right):
    """Return coefficients, >= 0 where the sign says so, with the columns adding up to the right side, or None."""
    rows = {}
    if not columns:
        return None
    for p in [*columns, right]:
        for m in p:
            rows.setdefault(m, len(rows))
    data, row, column = [], [], []
    for j, p in enumerate(columns):
        for m, c in p.items():
            data.append(float(c))
            row.append(rows[m])
            column.append(j)
    matrix = coo_matrix((data, (row, column)), shape=(len(rows), len(columns)))
    b = np.zeros(len(rows))
    for m, c in right.items():
        b[rows[m]] = float(c)
    costs = [1.0 if sign else 0.0 for sign in signs]
    bounds = [(0, None) if sign else (None, None) for sign in signs]
    found = linprog(costs, A_eq=matrix.tocsr(), b_eq=b, bounds=bounds, method="highs-ds", options={"time_limit": 60})
    if not found.success:
        return None
    support = [j for j, c in enumerate(found.x) if abs(c) > 1e-9]
    return exact([columns[j] for j in support], right, support, signs)


def exact(columns, right, support, signs):
    """Solve exactly for the coefficients of few columns by elimination."""
    monos = list({m for p in [*columns, right] for m in p})
    lines = [[p.get(m, Fraction(0)) for p in columns] + [right.get(m, Fraction(0))] for m in monos]
    pivots, n = [], len(columns)
    r = 0
    for j in range(n):
        pivot = next((i for i in range(r, len(lines)) if lines[i][j]), None)
        if pivot is None:
            continue
        lines[r], lines[pivot] = lines[pivot], lines[r]
        head = lines[r][j]
        lines[r] = [x / head for x in lines[r]]
        for i in range(len(lines)):
            if i != r and lines[i][j]:
                factor = lines[i][j]
                lines[i] = [x - factor * y if y else x for x, y in zip(lines[i], lines[r], strict=True)]
        pivots.append(j)
        r += 1
    if any(line[-1] for line in lines[r:]):
        return None
    values = [Fraction(0)] * n
    for i, j in enumerate(pivots):
        values[j] = lines[i][-1]
    if any(v < 0 and signs[s] for v, s in zip(values, support, strict=True)):
        return None
    return {s: v for s, v in zip(support, values, strict=True) if v}


def leaf(facts, factors, most, squares, limit=6000):
    """Return a sum certificate from products of so many facts, of degree at most `most`, or None."""
    inequalities = [i for i, (p, rel) in enumerate(facts.list) if rel != "="]
    equations = [i for i, (p, rel) in enumerate(facts.list) if rel == "="]
    for i in inequalities:
        p, rel = facts.list[i]
        if set(p) <= {()} and not (p.get((), 0) > 0 or (rel == ">=" and p.get((), 0) >= 0)):
            c = p.get((), Fraction(0))
            if rel == ">":
                return ["sum", [["1", [i], []], *([[str(-c), [], []]] if c else [])], []]
            return ["sum", [["1", [i], []], [str(-c), [], []]], []]
    for i in equations:
        p, _ = facts.list[i]
        if set(p) == {()}:
            return ["sum", [["1", [], []]], [[[[str(-1 / p[()]), {}]], i]]]
    variables = sorted({v for p, _ in facts.list for m in p for v, _ in m})
    columns, signs, names = [], [], []
    seen = set()

    def put(p, sign, name, strict=False):
        k = (key(p), sign, strict)
        if p and k not in seen:
            seen.add(k)
            columns.append({**p, ABOVE: Fraction(1)} if strict else p)
            signs.append(sign)
            names.append(name)

    useful = [i for i in inequalities if not set(facts.list[i][0]) <= {()}]
    squared = [({}, None)]
    if squares:
        linear = [{((v, 1),): Fraction(1)} for v in variables]
        squared += [(times(s, s), s) for s in linear]
        squared += [
            (times(s, s), s) for a, b in itertools.combinations(linear, 2) for s in (plus(a, b), plus(a, b, -1))
        ]
        squared += [(times(s, s), s) for a in linear for s in (plus(a, constant(1)), plus(a, constant(1), -1))]
    squared += [(times(s, s), s) for s in EXTRA]
    products = {0: [(constant(1), ())]}
    for k in range(1, factors + 1):
        products[k] = []
        for p, chosen in products[k - 1]:
            for i in useful:
                if not chosen or i >= chosen[-1]:
                    q = times(p, facts.list[i][0])
                    if degree(q) <= most:
                        products[k].append((q, (*chosen, i)))
                        if sum(map(len, products.values())) > limit:
                            return None
    for k in range(factors + 1):
        for p, chosen in products[k]:
            put(p, True, ("product", chosen, None), all(facts.list[i][1] == ">" for i in chosen))
            for q, s in squared[1:]:
                if k <= 1 and degree(p) + degree(q) <= most:
                    put(times(p, q), True, ("product", chosen, s))
    for i in equations:
        p = facts.list[i][0]
        for m in monomials(variables, max(0, most - degree(p))):
            put(times(m, p), False, ("multiple", m, i))
            if len(columns) > 3 * limit:
                return None
    found = solve(columns, signs, {ABOVE: Fraction(1)})
    if found is None:
        return None
    terms, multiples = [], []
    for j, c in found.items():
        kind, what, more = names[j]
        if kind == "product":
            terms.append([str(c), list(what), [] if more is None else [poly_json(more)]])
        else:
            multiples.append([poly_json({m: c * x for m, x in what.items()}), more])
    return ["sum", terms, multiples]


EXTRA = []


def poly_json(p):
    return [[str(c), dict(m)] for m, c in sorted(p.items())]


LADDER = [
    (1, 1, 0),
    (2, 2, 0),
    (2, 3, 0),
    (2, 4, 0),
    (3, 3, 0),
    (2, 4, 1),
    (3, 4, 0),
    (3, 5, 0),
    (4, 4, 0),
    (4, 5, 0),
    (3, 6, 1),
    (4, 6, 0),
    (5, 6, 0),
]


HINTS = {
    "rounding-one-number": ["(> x k)", "(< x k)"],
}
"""Formulas to split on first."""
SQUARES = {
    "smoothing-cost": ["(- (* 2 r) (+ low high))"],
    "cauchy-step": ["(- S (* d x))"],
    "square-of-value": ["(- (* a delta) 1)"],
}
"""Terms whose squares to try."""


def find(facts, scope, depth=0, ladder=LADDER, until=None, hints=()):
    """Return a certificate that the facts are contradictory, or None."""
    facts.settle()
    if hints:
        branches = []
        for holds in (True, False):
            other = facts.copy()
            other.add(checker.one(hints[0], "formula", scope), holds)
            branches.append(find(other, scope, depth, ladder, until, hints[1:]))
        return None if None in branches else ["case", hints[0], *branches]
    quick = leaf(facts, 1, 2, 0)
    if quick:
        return quick
    choice = next(conditions(facts), None)
    if choice is None:
        for _, b in facts.divisors.values():
            if not any(literal(b, r)[:2] in facts.known for r in (">", "<", "!=", "=")):
                choice = (">", text_of(b, facts), "0")
                if literal(b, "<=")[:2] in facts.known:
                    choice = ("=", text_of(b, facts), "0")
                break
    if choice is None:
        for (_, relation), p in facts.known.items():
            if relation == "!=" and not any(literal(p, r)[:2] in facts.known for r in (">", "<")):
                choice = (">", text_of(p, facts), "0")
                if literal(p, "<=")[:2] in facts.known:
                    choice = ("=", text_of(p, facts), "0")
                break
    if choice is None:
        for factors, most, squares in ladder:
            if until and time.time() > until:
                return None
            found = leaf(facts, factors, most, squares)
            if found:
                return found
        if "-v" in sys.argv:
            print("stuck:", *(f"{text_of(p, facts)} {r}" for p, r in facts.list), sep="\n  ")
        return None
    if depth >= DEPTH:
        print("too deep")
        return None
    text = written(choice)
    formula = checker.one(text, "formula", scope)
    branches = []
    for holds in (True, False):
        other = facts.copy()
        other.add(formula, holds)
        found = find(other, scope, depth + 1, ladder, until)
        if found is None:
            return None
        branches.append(found)
    return ["case", text, *branches]


def goals(theorems):
    """Yield the name of every proof that is needed, with a function that returns it."""
    for theorem in [SUMS, *in_order(theorems, theorems)]:
        proved = {name: step for used in [SUMS, *in_order(theorem.uses, theorems)] for name, step in stated(used)}
        lemmas = {lemma.name for lemma in theorem.lemmas}
        for written, (name, step) in zip(steps_of(theorem, {}), stated(theorem), strict=True):
            for place, part in enumerate(written["proofs"]):
                needed = partial(checker.obligations, step, written["by"], written["proofs"], dict(proved))
                named = name if name in lemmas else f"{theorem.id}/{name}/{part}"
                yield named, lambda needed=needed, place=place: needed()[place][1]
            proved[name] = step


def written_out(kept):
    """Return certificates as JSON, one a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name], separators=(',', ':'))}" for name in sorted(kept)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(names):
    """Search what is missing, or what is named, and keep what is found."""
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    missing, done = [], []
    for name, goal in goals(THEOREMS):
        if name in done or (names and not any(name == each or name.startswith(f"{each}/") for each in names)):
            done.append(name)
            continue
        done.append(name)
        proof = goal()
        if name in kept and not names:
            try:
                checker.refuted(proof.facts.copy(), kept[name], proof.scope)
                continue
            except checker.Rejected:
                pass
        begin = time.time()
        Recorder.TERMS.clear()
        proof = goal()
        EXTRA[:] = [proof.facts.term(checker.one(text, "term", proof.scope)) for text in SQUARES.get(name, [])]
        found = find(proof.facts, proof.scope, until=begin + 120, hints=HINTS.get(name, ()))
        if found:
            checker.refuted(goal().facts, found, proof.scope)
            kept[name] = found
        else:
            missing.append(name)
        print(f"{time.time() - begin:6.1f} {'found' if found else 'MISSING'} {name}", flush=True)
        FILE.write_text(written_out(kept))
    FILE.write_text(written_out({name: kept[name] for name in kept if name in done or name.endswith("/point")}))
    print(len(kept), "found; missing:", ", ".join(missing))


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "-v"])
