"""Search points for all that theorems state, with z3: `python benchmarks/points.py [NAME...]`.

Integers are tried from the least on; what a step says is then written out for them, with a real for each value that a
function has, and z3 solves. `proofs/checker.py` decides. What is found goes into `proofs/certificates.json`.
"""

from __future__ import annotations

import json
import operator
import sys
from fractions import Fraction
from pathlib import Path

import z3

from dpcert.proofs import checker
from dpcert.proofs.checker import Bound, is_all
from dpcert.proofs.export import in_order, stated, statement
from dpcert.proofs.registry import THEOREMS
from dpcert.proofs.sums import SUMS

FILE = Path(__file__).resolve().parents[1] / "proofs" / "certificates.json"
GREATEST = 4
"""The greatest integer that is tried."""
TRIES = 40
"""How many ways to choose the integers of a step are tried."""


CONSTANT = {"releases-compose": {"N": Fraction(1)}, "levels-add-up": {"N": Fraction(1)}}
"""Functions in ranges, which are the same everywhere at a point."""


class NotPlain(Exception):
    """A term that cannot be written out."""


class Writer:
    """What a step says, written out for z3."""

    def __init__(self, at):
        self.at, self.values, self.divisors = at, {}, []

    def number(self, term, env):
        """Return the value of a term of integers alone, else None."""
        value = self.term(term, env)
        return value if isinstance(value, Fraction) else None

    def term(self, term, env):
        if isinstance(term, Fraction):
            return term
        if isinstance(term, Bound):
            return env[term]
        if isinstance(term, str):
            return self.at[term] if term in self.at else self.values.setdefault(term, z3.Real(term))
        head, *parts = term
        if head == "ite":
            condition = self.formula(parts[0], env)
            if isinstance(condition, bool):
                return self.term(parts[1] if condition else parts[2], env)
            return z3.If(condition, *(z(self.term(part, env)) for part in parts[1:]))
        if head in ("sum", "prod"):
            k, low, high, body = parts
            found = [self.term(body, {**env, k: i}) for i in self.range(low, high, env)]
            return total("+" if head == "sum" else "*", found)
        found = [self.term(part, env) for part in parts]
        if head == "pow":
            if not isinstance(found[1], Fraction) or found[1].denominator != 1 or not 0 <= found[1] <= 20:
                raise NotPlain("a power")
            return total("*", [found[0]] * int(found[1]))
        if head == "/":
            if isinstance(found[1], Fraction):
                if not found[1]:
                    raise NotPlain("by 0")
                return found[0] / found[1] if isinstance(found[0], Fraction) else found[0] / z(found[1])
            self.divisors.append(found[1] != 0)
            return z(found[0]) / found[1]
        if head in ("+", "*", "-"):
            return total(head, found)
        if not all(isinstance(x, Fraction) for x in found):
            raise NotPlain("a function of a real")
        if head in self.at:
            return self.at[head]
        name = f"{head}({','.join(map(str, found))})"
        return self.values.setdefault((head, *found), z3.Real(name))

    def range(self, low, high, env):
        ends = self.term(low, env), self.term(high, env)
        if not all(isinstance(x, Fraction) and x.denominator == 1 for x in ends):
            raise NotPlain("a range")
        return [Fraction(i) for i in range(int(ends[0]), int(ends[1]) + 1)]

    def formula(self, formula, env):
        head, *parts = formula
        if head == "all":
            k, low, high, body = parts
            over = self.range(low, high, env)
            if not over:
                return False
            return every([self.formula(body, {**env, k: i}) for i in over])
        if head in ("and", "or", "not"):
            found = [self.formula(part, env) for part in parts]
            if head == "and":
                return every(found)
            return negation(found[0]) if head == "not" else negation(every([negation(x) for x in found]))
        x, y = (self.term(part, env) for part in parts)
        if not (isinstance(x, Fraction) and isinstance(y, Fraction)):
            x, y = z(x), z(y)
        return COMPARISONS[head](x, y)


COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


def z(x):
    return z3.RealVal(str(x)) if isinstance(x, Fraction) else x


def total(head, found):
    if not found:
        return Fraction(head == "*")
    if len(found) == 1:
        return -found[0] if head == "-" else found[0]
    value = found[0]
    for x in found[1:]:
        if not (isinstance(value, Fraction) and isinstance(x, Fraction)):
            value, x = z(value), z(x)
        value = value + x if head == "+" else value * x if head == "*" else value - x
    return value


def every(found):
    if any(x is False for x in found):
        return False
    rest = [x for x in found if x is not True]
    return z3.And(*rest) if rest else True


def negation(x):
    return not x if isinstance(x, bool) else z3.Not(x)


def choices(step):
    """Yield integers for a step, those of the least sum first."""
    names = [name for name, sort in step.sorts.items() if sort == "Int"]
    solver = z3.Solver()
    variables = {name: z3.Int(name) for name in names}
    for v in variables.values():
        solver.add(v >= -1, v <= GREATEST)
    writer = Writer({name: z3.ToReal(v) for name, v in variables.items()})
    for formula in [*step.given, step.then]:
        while is_all(formula):
            _, _, low, high, formula = formula
            add(solver, writer, ("<=", low, high))
        add(solver, writer, formula)
    size = z3.Sum([z3.If(v < 0, 9, v) for v in variables.values()]) if names else z3.IntVal(0)
    most = 0
    while most <= GREATEST * max(1, len(names)):
        solver.push()
        solver.add(size == most)
        while solver.check() == z3.sat:
            model = solver.model()
            found = {name: model.eval(v, True).as_long() for name, v in variables.items()}
            yield {name: Fraction(n) for name, n in found.items()}
            solver.add(z3.Or([variables[name] != n for name, n in found.items()]) if names else z3.BoolVal(False))
        solver.pop()
        most += 1


def add(solver, writer, formula):
    """Add a formula on integers alone."""
    try:
        before = len(writer.values)
        found = writer.formula(formula, {})
        if len(writer.values) == before and not isinstance(found, bool):
            solver.add(found)
        for name in list(writer.values)[before:]:
            del writer.values[name]
    except (NotPlain, KeyError):
        pass


def rational(solver, values):
    """Return rational values that satisfy all, or None."""
    found = {}
    for name, v in values.items():
        if solver.check() != z3.sat:
            return None
        value = solver.model().eval(v, True)
        exact = value if z3.is_rational_value(value) else value.approx(3)
        found[name] = Fraction(exact.numerator_as_long(), exact.denominator_as_long())
        for simple in (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(2)):
            solver.push()
            solver.add(v == z(simple))
            if solver.check() == z3.sat:
                found[name] = simple
            solver.pop()
            if found[name] == simple:
                break
        solver.add(v == z(found[name]))
    return found if solver.check() == z3.sat else None


def text(x):
    x = Fraction(x)
    size = str(abs(x.numerator)) if x.denominator == 1 else f"(/ {abs(x.numerator)} {x.denominator})"
    return f"(- {size})" if x < 0 else size


def table(name, places, values):
    """Return a function with these values, and 0 elsewhere."""
    names = ["i", "j", "k"][:places]
    found = "0"
    for key, value in values.items():
        if key[0] == name and isinstance(key, tuple) and value:
            parts = [f"(= {n} {text(x)})" for n, x in zip(names, key[1:], strict=True)]
            found = f"(ite {parts[0] if len(parts) == 1 else '(and ' + ' '.join(parts) + ')'} {text(value)} {found})"
    return [*names, found]


def find(step):
    """Return a point of a step, or None."""
    for tried, at in enumerate(choices(step)):
        if tried == TRIES:
            return None
        constant = CONSTANT.get(step.name, {})
        writer = Writer({**at, **constant})
        try:
            formulas = [writer.formula(each, {}) for each in [*step.given, step.then]]
        except NotPlain as fault:
            print("   ", fault, at)
            continue
        if any(x is False for x in formulas):
            continue
        solver = z3.Solver()
        solver.set("timeout", 3000)
        solver.add(*[x for x in formulas if x is not True], *writer.divisors)
        values = rational(solver, writer.values)
        if values is None:
            continue
        point = {}
        for name, sort in step.sorts.items():
            if sort == "Int":
                point[name] = text(at[name])
            elif sort == "Real":
                point[name] = text(values.get(name, 0))
            else:
                point[name] = table(name, sort, values) if name not in constant else ["i", text(constant[name])]
        try:
            checker.require_point(step, point)
        except checker.Rejected as fault:
            print("   rejected", fault, point)
            continue
        return point
    return None


def main(names):
    kept = json.loads(FILE.read_text())
    for theorem in [SUMS, *in_order(THEOREMS, THEOREMS)]:
        steps, lemmas = dict(stated(theorem)), {lemma.name for lemma in theorem.lemmas}
        for name in statement(theorem):
            key = f"{theorem.id}/{name}/point"
            if name in lemmas or (names and key not in names) or (not names and key in kept):
                continue
            point = find(steps[name])
            print("found" if point else "MISSING", key, flush=True)
            kept.update({key: point} if point else {})
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name], separators=(',', ':'))}" for name in sorted(kept)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
