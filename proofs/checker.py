"""The checker of exported proofs: one file, `fractions` and `json` alone.

Run it as `python checker.py < PROOFS.json`; the status is 0 if it accepts and 1 if it rejects.

A query is an SMT-LIB 2 script; its certificate shows that no values satisfy all its assertions. A certificate is

- ["case", FORMULA, IF_TRUE, IF_FALSE]: the formula, a text, holds or fails; a certificate for either; or
- ["sum", PRODUCTS, MULTIPLES]: what the facts say, p >= 0, p > 0 or p = 0 for polynomials p, is contradictory. A
  product is [COEFFICIENT, [FACT, ...], [POLYNOMIAL, ...]]: a coefficient above 0, facts by their number, with
  repetition, and polynomials whose squares are multiplied on. A multiple is [POLYNOMIAL, FACT], of a fact p = 0. All
  products and multiples must add up to the polynomial 0, and one product must be above 0: no squares, and only facts
  p > 0, or none.

A polynomial is written [[COEFFICIENT, {VARIABLE: EXPONENT}], ...], numbers as texts such as "3/2".

The facts are numbered from 0 as they are found: assertions in their order, then the cases; "and" is taken apart, "or"
with all but one part known to fail is its last part, and "ite" with a known condition is the one side. A quotient a/b
is a variable of its own with the fact b (a/b) - a = 0, as soon as b > 0, b < 0 or b != 0 is known. p >= 0 and p != 0
make p > 0; where all variables of p > 0 are integers, and all coefficients made so, p - 1 >= 0 is a fact as well. What
is known to hold and to fail makes -1 > 0. A polynomial is a fact with its first coefficient made 1, or -1.
"""

# mypy: disable-error-code="type-arg"

from __future__ import annotations

import json
from fractions import Fraction

SCHEMA = "dpcert.proofs/1"

Term = str | list
Polynomial = dict[tuple[tuple[str, int], ...], Fraction]
Literal = tuple[str, str, Polynomial]


class Rejected(Exception):
    """A proof that is not one, and why."""


# Terms: a text is read into nested lists of symbols.


def read(text: str) -> list:
    """Return the terms in a text of parentheses and symbols; from ; to the end of a line is a comment."""
    words = " ".join(line.partition(";")[0] for line in text.splitlines())
    stack: list[list] = [[]]
    for word in words.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            if len(stack) < 2:
                raise Rejected("a parenthesis too many")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    if len(stack) != 1:
        raise Rejected("a parenthesis too few")
    return stack[0]


def one(text: str) -> Term:
    """Return the one term in a text."""
    found = read(text)
    if len(found) != 1 or found[0] == []:
        raise Rejected(f"not one term: {text}")
    term: Term = found[0]
    return term


def number(text: str) -> Fraction | None:
    """Return the number that a word is, or None."""
    plain = text.replace(".", "", 1)
    return Fraction(text) if plain.isascii() and plain.isdigit() else None


# Polynomials: a dict from monomials, sorted tuples of (variable, exponent), to coefficients that are not 0.


def plus(p: Polynomial, q: Polynomial, factor: int = 1) -> Polynomial:
    """Return p + factor q."""
    total = dict(p)
    for monomial, coefficient in q.items():
        total[monomial] = total.get(monomial, 0) + factor * coefficient
        if not total[monomial]:
            del total[monomial]
    return total


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return p q."""
    total: Polynomial = {}
    for a, x in p.items():
        for b, y in q.items():
            exponents = dict(a)
            for variable, exponent in b:
                exponents[variable] = exponents.get(variable, 0) + exponent
            monomial = tuple(sorted(exponents.items()))
            total[monomial] = total.get(monomial, 0) + x * y
            if not total[monomial]:
                del total[monomial]
    return total


def constant(value: Fraction | int) -> Polynomial:
    """Return a number as a polynomial."""
    return {(): Fraction(value)} if value else {}


def variable(name: str) -> Polynomial:
    """Return a variable as a polynomial."""
    return {((name, 1),): Fraction(1)}


def lcm(numbers: list[int]) -> int:
    """Return the least common multiple."""
    found = 1
    for value in numbers:
        found = (Fraction(found, value)).numerator * value
    return found


def key(p: Polynomial) -> str:
    """Return a text that two polynomials share exactly if they are equal."""
    return " ".join(f"{c}*" + ".".join(f"{v}^{e}" for v, e in m) for m, c in sorted(p.items()))


# Literals: (polynomial, relation) with the relation ">=", ">", "=" or "!=" to 0.

OPPOSITE = {">=": "<", ">": "<=", "=": "!=", "!=": "="}


def literal(p: Polynomial, relation: str) -> Literal:
    """Return a literal in the form in which equal ones are equal: "<" and "<=" turned, with a first coefficient of 1,
    or -1 in an inequality.
    """
    if relation in ("<", "<="):
        p, relation = {m: -c for m, c in p.items()}, ">" + relation[1:]
    if p:
        first = p[min(p)]
        scale = first if relation in ("=", "!=") else abs(first)
        p = {m: c / scale for m, c in p.items()}
    return key(p), relation, p


class Facts:
    """What is known: literals by their keys, and formulas that wait until a condition in them is known."""

    def __init__(self, integers: set[str], symbols: dict[str, int]) -> None:
        """Know nothing yet, of integer variables and of the symbols that are declared, with their numbers of places."""
        self.integers = integers
        self.symbols = symbols
        self.known: dict[tuple[str, str], Polynomial] = {}
        self.list: list[tuple[Polynomial, str]] = []
        self.waiting: list[tuple[Term, bool]] = []
        self.divisors: dict[str, tuple[Polynomial, Polynomial]] = {}

    def copy(self) -> Facts:
        """Return the same facts, to which others may be added."""
        other = Facts(self.integers, self.symbols)
        other.known, other.list = dict(self.known), list(self.list)
        other.waiting, other.divisors = list(self.waiting), dict(self.divisors)
        return other

    def term(self, term: Term) -> Polynomial | None:
        """Return a term as a polynomial, or None while a condition in it is not known."""
        if isinstance(term, str):
            plain = number(term)
            if plain is not None:
                return constant(plain)
            if self.symbols.get(term) != 0:
                raise Rejected(f"not declared: {term}")
            return variable(term)
        head, *parts = term
        if head == "ite":
            truth = self.truth(parts[0])
            return None if truth is None else self.term(parts[1] if truth else parts[2])
        if head in SPECIAL:
            return SPECIAL[head](self, parts)
        found = [self.term(part) for part in parts]
        values = [value for value in found if value is not None]
        if len(values) < len(found):
            return None
        if head == "to_real" and len(values) == 1:
            return values[0]
        if head == "/" and len(values) == 2:
            return self.quotient(*values)
        if head in ("+", "-", "*") and values:
            total = values[0] if len(values) > 1 or head != "-" else plus(constant(0), values[0], -1)
            for value in values[1:]:
                total = times(total, value) if head == "*" else plus(total, value, 1 if head == "+" else -1)
            return total
        if self.symbols.get(head) == len(values):
            return variable(f"{head}({', '.join(map(key, values))})")
        raise Rejected(f"not a term: {head} of {len(values)}")

    def quotient(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a/b: a polynomial for a number b, else a variable."""
        if set(b) == {()}:
            return {m: c / b[()] for m, c in a.items()}
        name = f"({key(a)})/({key(b)})"
        self.divisors.setdefault(name, (a, b))
        return variable(name)

    def literal(self, formula: Term) -> Literal | None:
        """Return the literal that a comparison is, or None while a condition in it is not known."""
        if isinstance(formula, str) or len(formula) != 3 or formula[0] not in ("<", "<=", ">", ">=", "="):
            raise Rejected(f"not a formula: {formula}")
        relation, left, right = formula
        p, q = self.term(left), self.term(right)
        return None if p is None or q is None else literal(plus(p, q, -1), relation)

    def truth(self, formula: Term) -> bool | None:
        """Return whether a formula is known to hold, or to fail; None if neither."""
        if isinstance(formula, str):
            if formula not in ("true", "false"):
                raise Rejected(f"not a formula: {formula}")
            return formula == "true"
        head, *parts = formula
        if head == "not":
            truth = self.truth(parts[0])
            return None if truth is None else not truth
        if head in ("and", "or"):
            truths = [self.truth(part) for part in parts]
            decided = head == "or"
            return decided if decided in truths else None if None in truths else not decided
        found = self.literal(formula)
        return None if found is None else self.decided(found)

    def decided(self, found: Literal) -> bool | None:
        """Return whether a literal is known to hold, or to fail; None if neither."""
        name, relation, p = found
        if set(p) <= {()}:
            value = p.get((), Fraction(0))
            return {">=": value >= 0, ">": value > 0, "=": value == 0, "!=": value != 0}[relation]
        if (name, relation) in self.known:
            return True
        opposite = literal(p, OPPOSITE[relation])
        return False if opposite[:2] in self.known else None

    def add(self, formula: Term, holds: bool = True) -> None:
        """Add that a formula holds, or fails."""
        if isinstance(formula, str):
            self.know(literal(constant(1 if self.truth(formula) is holds else -1), ">"))
            return
        head, *parts = formula
        if head == "not":
            self.add(parts[0], not holds)
        elif head in ("and", "or") and (head == "and") is holds:
            for part in parts:
                self.add(part, holds)
        elif head in ("and", "or"):
            open_parts = [part for part in parts if self.truth(part) is None]
            if any(self.truth(part) is holds for part in parts):
                return
            if len(open_parts) == 1:
                self.add(open_parts[0], holds)
            elif open_parts:
                self.waiting.append((formula, holds))
            else:
                self.know(literal(constant(-1), ">"))
        else:
            found = self.literal(formula)
            if found is None:
                self.waiting.append((formula, holds))
            else:
                self.know(found if holds else literal(found[2], OPPOSITE[found[1]]))

    def know(self, found: Literal) -> None:
        """Add a literal, with what follows from it and another one, or for integers."""
        name, relation, p = found
        if (name, relation) in self.known:
            return
        if self.decided(found) is False:
            self.list.append((constant(-1), ">"))
            return
        self.known[name, relation] = p
        if relation != "!=":
            self.list.append((p, relation))
        if relation == ">=" and literal(p, "!=")[:2] in self.known:
            self.know(literal(p, ">"))
        for side in (">=", "<="):
            if relation == "!=" and literal(p, side)[:2] in self.known:
                self.know(literal(p, side.rstrip("=")))
        if relation == ">" and p and all(v in self.integers for m in p for v, _ in m):
            common = lcm([c.denominator for c in p.values()])
            self.know(literal(plus({m: common * c for m, c in p.items()}, constant(1), -1), ">="))

    def settle(self) -> None:
        """Take up what waited, until nothing more is known, and add what is known of quotients."""
        while True:
            before = len(self.known), len(self.waiting), len(self.divisors)
            waited, self.waiting = self.waiting, []
            for formula, holds in waited:
                self.add(formula, holds)
            for name, (a, b) in list(self.divisors.items()):
                signs = literal(b, ">"), literal(b, "<"), literal(b, "!=")
                if any(sign[:2] in self.known for sign in signs):
                    self.know(literal(plus(times(b, variable(name)), a, -1), "="))
            if before == (len(self.known), len(self.waiting), len(self.divisors)):
                return


def sum_term(facts: Facts, parts: list) -> Polynomial:
    """Return a sum (sum (k low high) body) as a variable, of one name for equal bounds and equal bodies."""
    return bound_term(facts, "sum", parts)


def product_term(facts: Facts, parts: list) -> Polynomial:
    """Return a product (prod (k low high) body) in the same way."""
    return bound_term(facts, "prod", parts)


def bound_term(facts: Facts, head: str, parts: list) -> Polynomial:
    """Return a term that binds an integer, as a variable."""
    (k, low, high), body = parts
    inner = facts.copy()
    place = f"#{sum(name.startswith('#') for name in facts.symbols)}"
    inner.symbols = {**facts.symbols, place: 0}
    ends = [key(end) for end in map(facts.term, (low, high)) if end is not None]
    value = inner.term(put(body, {k: place}))
    if value is None or len(ends) < 2:
        raise Rejected(f"a condition in a {head}")
    return variable(f"{head}[{';'.join(ends)};{key(value)}]")


def power_term(facts: Facts, parts: list) -> Polynomial | None:
    """Return a power (pow base n) as a variable, 1 for n = 0."""
    base, exponent = map(facts.term, parts)
    if base is None or exponent is None:
        return None
    return variable(f"pow[{key(base)};{key(exponent)}]") if exponent else constant(1)


SPECIAL = {"sum": sum_term, "prod": product_term, "pow": power_term}
BINDERS = ("sum", "prod", "all")


# Substitution.


def free(term: Term) -> set[str]:
    """Return the symbols that occur free in a term."""
    if isinstance(term, str):
        return {term}
    if term and term[0] in BINDERS:
        (k, low, high), body = term[1:]
        return free(low) | free(high) | (free(body) - {k})
    return set().union(*map(free, term))


def put(term: Term, values: dict) -> Term:
    """Return a term with others in place of variables; ("of", [i], body) for f makes of (f t) the body with t for i."""
    if isinstance(term, str):
        value: Term | tuple = values.get(term, term)
        if isinstance(value, tuple):
            raise Rejected(f"a function without an argument: {term}")
        return value
    if term and term[0] in BINDERS:
        (k, low, high), body = term[1:]
        inner = {name: value for name, value in values.items() if name != k}
        brought = set().union(*map(names_of, inner.values()))
        fresh = k
        while fresh in brought or (fresh != k and (fresh in inner or fresh in free(body))):
            fresh += "'"
        body = put(put(body, {k: fresh}) if fresh != k else body, inner)
        return [term[0], [fresh, put(low, values), put(high, values)], body]
    if term and isinstance(term[0], str) and isinstance(values.get(term[0]), tuple):
        _, names, body = values[term[0]]
        return put(body, dict(zip(names, [put(part, values) for part in term[1:]], strict=True)))
    if term and isinstance(term[0], str) and term[0] in values:
        return [values[term[0]], *(put(part, values) for part in term[1:])]
    return [term[0], *(put(part, values) for part in term[1:])] if term else term


def names_of(value: Term | tuple) -> set[str]:
    """Return the symbols that a value brings with it."""
    return free(value[2]) - set(value[1]) if isinstance(value, tuple) else free(value)


def same(a: Term, b: Term, pairs: tuple = ()) -> bool:
    """Whether two terms are equal but for the names of what they bind."""
    if isinstance(a, str) or isinstance(b, str):
        for left, right in reversed(pairs):
            if left == a or right == b:
                return bool(left == a and right == b)
        return a == b
    if len(a) != len(b):
        return False
    if a and a[0] in BINDERS and b[0] == a[0]:
        (k, *ends), body = a[1:]
        (other, *others), inner = b[1:]
        ends_agree = len(ends) == len(others) and all(same(x, y, pairs) for x, y in zip(ends, others, strict=True))
        return ends_agree and same(body, inner, (*pairs, (k, other)))
    return all(same(x, y, pairs) for x, y in zip(a, b, strict=True))


# Certificates.


def refuted(facts: Facts, certificate: list) -> None:
    """Return if the certificate shows that the facts are contradictory; else raise Rejected."""
    facts.settle()
    kind, *parts = certificate
    if kind == "case" and len(parts) == 3:
        formula = one(parts[0])
        for holds, rest in ((True, parts[1]), (False, parts[2])):
            other = facts.copy()
            other.add(formula, holds)
            refuted(other, rest)
    elif kind == "sum" and len(parts) == 2:
        added(facts.list, *parts)
    else:
        raise Rejected(f"not a certificate: {kind}")


def added(facts: list[tuple[Polynomial, str]], products: list, multiples: list) -> None:
    """Return if products and multiples of facts add up to 0 with a product above 0; else raise Rejected."""
    total, above = constant(0), False
    for coefficient, numbers, squares in products:
        factor = Fraction(coefficient)
        if factor <= 0:
            raise Rejected("a coefficient that is not above 0")
        product = constant(factor)
        for place in numbers:
            p, _ = facts[place]
            product = times(product, p)
        for square in squares:
            p = polynomial(square)
            product = times(product, times(p, p))
        if any(facts[place][1] == "=" for place in numbers):
            raise Rejected("a fact p = 0 in a product")
        above = above or (not squares and all(facts[place][1] == ">" for place in numbers))
        total = plus(total, product)
    for multiplier, place in multiples:
        p, relation = facts[place]
        if relation != "=":
            raise Rejected("a multiple of a fact that is no equation")
        total = plus(total, times(polynomial(multiplier), p))
    if total or not above:
        raise Rejected("a sum that is no contradiction")


def polynomial(written: list) -> Polynomial:
    """Return a polynomial that is written out."""
    total = constant(0)
    for coefficient, exponents in written:
        if any(type(e) is not int or e < 1 for e in exponents.values()):
            raise Rejected("an exponent that is no integer above 0")
        total = plus(total, {tuple(sorted(exponents.items())): Fraction(coefficient)})
    return total


def query(script: str) -> Facts:
    """Return the facts of an SMT-LIB script: its declarations and assertions."""
    facts = Facts(set(), {})
    for command in read(script):
        if command[0] == "declare-const" and len(command) == 3 and command[2] in ("Real", "Int"):
            facts.symbols[command[1]] = 0
            if command[2] == "Int":
                facts.integers.add(command[1])
        elif command[0] == "assert" and len(command) == 2:
            facts.add(command[1])
        elif command[0] not in ("set-logic", "check-sat"):
            raise Rejected(f"not a command: {command[0]}")
    return facts


# Derivations. A step states: for all values of its variables, what is given implies what follows. "for" gives each
# variable "Int" or "Real", or the number of arguments of a function to the reals. A given may be (all (k low high)
# formula), for every integer k from low to high; so may what follows. Every query of a theorem is a step, too: its last
# assertion is (not ...), of what follows.
#
# A step is proved "by" "query": the givens, the opposite of what follows, and instances are contradictory, as the
# certificate in "proofs", by the name "query", shows. Or by ["induction", n, number], on an integer n from a number on:
# the first given is (>= n number), no given (all ...) is about n, and "proofs" has "base", for that number, and "step",
# for n + 1, where what the step states for n is a fact; if that is of the form (all ...), it is numbered after the
# givens of this form. An instance is
#
# - ["given", NUMBER, TERM]: the formula of a given (all ...) at an integer, numbered from 0 among these givens; if that
#   is of this form itself, it is numbered after them;
# - ["unfold", TERM]: what a sum, a product or a power has to do with that of one term less;
# - ["step", NAME, {VARIABLE: TERM}]: an earlier step of this theorem or of one that it uses, with terms for its
#   variables; for a function a name, or [VARIABLE, ..., TERM]. Its givens (all ...) must be among those known; what
#   follows, if it is of this form, is numbered after the givens.

RESERVED = {
    "+",
    "-",
    "*",
    "/",
    "ite",
    "to_real",
    "and",
    "or",
    "not",
    "true",
    "false",
    "<",
    "<=",
    *OPPOSITE,
    *SPECIAL,
    "all",
}


class Step:
    """What a step states."""

    def __init__(self, name: str, variables: dict, given: list, then: Term) -> None:
        """State it, with the sorts of the variables, and terms."""
        self.name, self.variables, self.given, self.then = name, variables, given, then
        for name, sort in variables.items():
            if sort not in ("Int", "Real") and (type(sort) is not int or sort < 1):
                raise Rejected(f"not a sort: {sort}")
            if name in RESERVED or number(name) is not None or name.startswith("#") or set("() ;'") & set(name):
                raise Rejected(f"not a name: {name}")

    def facts(self) -> Facts:
        """Return no facts yet, on the variables of the step."""
        arity = {name: 0 if isinstance(sort, str) else sort for name, sort in self.variables.items()}
        return Facts({name for name, sort in self.variables.items() if sort == "Int"}, arity)


Steps = dict[str, Step]


def step_of_query(name: str, script: str) -> Step:
    """Return what a query states."""
    commands = read(script)
    variables = {command[1]: command[2] for command in commands if command[0] == "declare-const"}
    *given, last = [command[1] for command in commands if command[0] == "assert"]
    if last[0] != "not":
        raise Rejected("the last assertion is not the opposite of a conclusion")
    return Step(name, variables, given, last[1])


def is_all(formula: Term) -> bool:
    """Whether a formula is about all integers in a range."""
    return isinstance(formula, list) and formula[0] == "all"


def require_integer(term: Term, step: Step) -> None:
    """Return if a term is an integer whatever its variables are; else raise Rejected."""
    if isinstance(term, str):
        value = number(term)
        if (value is None and step.variables.get(term) != "Int") or (value is not None and value.denominator != 1):
            raise Rejected(f"not an integer: {term}")
        return
    if term[0] not in ("+", "-", "*"):
        raise Rejected(f"not an integer: {term[0]}")
    for part in term[1:]:
        require_integer(part, step)


def instance(written: list, step: Step, facts: Facts, known: list, proved: Steps) -> list:
    """Return what an instance says, and add what it says of all integers of a range to what is known."""
    kind, *parts = written
    if kind == "given":
        place, text = parts
        _, (k, low, high), body = known[place]
        t = one(text)
        require_integer(t, step)
        outside = [part for part in (["<", t, low], [">", t, high]) if facts.truth(part) is not False]
        formula = put(body, {k: t})
        if not isinstance(formula, list) or formula[0] != "all":
            return [["or", *outside, formula]]
        known.append(["all", formula[1], ["or", *outside, formula[2]] if outside else formula[2]])
        return []
    if kind == "unfold":
        term = one(parts[0])
        if isinstance(term, str):
            raise Rejected(f"nothing to unfold: {term}")
        return unfolded(term, step)
    if kind == "step":
        name, values = parts
        return applied(proved[name], values, step, facts, known)
    raise Rejected(f"not an instance: {kind}")


def unfolded(term: list, step: Step) -> list:
    """Return what a sum, a product or a power has to do with one of a term less."""
    head, *parts = term
    if head == "pow":
        base, n = parts
        require_integer(n, step)
        less = ["*", base, ["pow", base, ["-", n, "1"]]]
        return [["or", ["<", n, "1"], ["=", term, less]], ["or", ["not", ["=", n, "0"]], ["=", term, "1"]]]
    (k, low, high), body = parts
    require_integer(low, step)
    require_integer(high, step)
    join, empty = {"sum": ("+", "0"), "prod": ("*", "1")}[head]
    less = [join, [head, [k, low, ["-", high, "1"]], body], put(body, {k: high})]
    return [["or", ["<", high, low], ["=", term, less]], ["or", [">=", high, low], ["=", term, empty]]]


def applied(earlier: Step, values: dict, step: Step, facts: Facts, known: list) -> list:
    """Return an earlier step with terms for its variables: what is given implies what follows."""
    if set(values) != set(earlier.variables):
        raise Rejected(f"{earlier.name}: other variables than {', '.join(earlier.variables)}")
    terms: dict[str, Term | tuple] = {}
    for name, sort in earlier.variables.items():
        value = values[name]
        if isinstance(sort, str):
            terms[name] = term = one(value)
            if sort == "Int":
                require_integer(term, step)
        elif isinstance(value, str):
            if step.variables.get(value) != sort:
                raise Rejected(f"not a function of {sort}: {value}")
            terms[name] = value
        else:
            *names, body = value
            if len(names) != sort or len(set(names)) < len(names):
                raise Rejected(f"not a function of {sort}: {value}")
            terms[name] = ("of", names, one(body))
    failing = []
    for given in earlier.given:
        formula = put(given, terms)
        if not is_all(given):
            if facts.truth(formula) is not True:
                failing.append(["not", formula])
        elif not any(same(formula, other) for other in known):
            raise Rejected(f"{earlier.name}: not known: {given}")
    then = put(earlier.then, terms)
    if isinstance(then, list) and then[0] == "all":
        known.append(["all", then[1], ["or", *failing, then[2]] if failing else then[2]])
        return []
    return [["or", *failing, then]]


def facts_of(step: Step, givens: list, then: Term, using: list, proved: Steps) -> Facts:
    """Return the givens, the opposite of what follows, and instances, as facts."""
    facts = step.facts()
    known = [given for given in givens if is_all(given)]
    for given in givens:
        if not is_all(given):
            facts.add(given)
    if isinstance(then, list) and then[0] == "all":
        _, (k, low, high), body = then
        if k in step.variables:
            raise Rejected(f"a variable twice: {k}")
        step = Step(step.name, {**step.variables, k: "Int"}, [], "true")
        facts.symbols, facts.integers = {**facts.symbols, k: 0}, facts.integers | {k}
        facts.add(["<=", low, k])
        facts.add(["<=", k, high])
        then = body
    for written in using:
        for formula in instance(written, step, facts, known, proved):
            facts.add(formula)
    facts.add(then, False)
    return facts


def obligations(step: Step, by: str | list, proofs: dict, proved: Steps) -> list[tuple[str, Facts]]:
    """Return the names of the proofs that a step needs, with the facts that each shows to be contradictory."""
    if by == "query":
        return [("query", facts_of(step, step.given, step.then, proofs["query"]["using"], proved))]
    rule, n, low = by if isinstance(by, list) else (by, "", "")
    if (
        rule != "induction"
        or number(low) is None
        or step.variables.get(n) != "Int"
        or step.given[:1] != [[">=", n, low]]
    ):
        raise Rejected("an induction on no integer from a number on")
    if any(n in free(given) for given in step.given if is_all(given)):
        raise Rejected(f"what is given of all integers of a range depends on {n}")
    require_integer(low, step)
    first, after = {n: low}, {n: ["+", n, "1"]}
    givens = [put(given, first) for given in step.given]
    base = facts_of(step, givens, put(step.then, first), proofs["base"]["using"], proved)
    failing = [["not", given] for given in step.given[1:] if not is_all(given) and n in free(given)]
    whole = is_all(step.then)
    here = ["all", step.then[1], ["or", *failing, step.then[2]]] if whole else ["or", *failing, step.then]
    givens = [given if is_all(given) else put(given, after) for given in step.given[1:]]
    givens += [step.given[0], here]
    return [("base", base), ("step", facts_of(step, givens, put(step.then, after), proofs["step"]["using"], proved))]


def check_step(written: dict, proved: Steps) -> Step:
    """Return a step, if it is proved; else raise Rejected."""
    step = Step(written["name"], written["for"], [one(text) for text in written["given"]], one(written["then"]))
    for name, facts in obligations(step, written["by"], written["proofs"], proved):
        refuted(facts, written["proofs"][name]["certificate"])
    return step


# Documents.


def check_theorem(theorem: dict, steps: dict[str, Steps]) -> None:
    """Add the steps of a theorem to those that are proved, if all of it is; else raise Rejected.

    Of the steps proved before, it may name those of the theorems that it uses.
    """
    proved = {name: step for used in theorem["uses"] for name, step in steps[used].items()}
    for lemma in theorem["queries"]:
        try:
            refuted(query(lemma["script"]), lemma["certificate"])
            proved[lemma["name"]] = step_of_query(lemma["name"], lemma["script"])
        except Rejected as fault:
            raise Rejected(f"query {lemma['name']}: {fault}") from None
    for written in theorem["derivation"]:
        try:
            step = check_step(written, proved)
        except Rejected as fault:
            raise Rejected(f"step {written['name']}: {fault}") from None
        if step.name in proved:
            raise Rejected(f"step {step.name}: its name is taken")
        proved[step.name] = step
    steps[theorem["id"]] = proved


def check(document: dict) -> list[str]:
    """Return the ids of the theorems of a document, if every one is proved; else raise Rejected."""
    if document.get("schema") != SCHEMA:
        raise Rejected(f"not {SCHEMA}")
    steps: dict[str, Steps] = {}
    for theorem in document["theorems"]:
        name = theorem["id"]
        if name in steps or not set(theorem["uses"]) <= set(steps):
            raise Rejected(f"{name}: twice, or before what it uses")
        try:
            check_theorem(theorem, steps)
        except (
            KeyError,
            ValueError,
            TypeError,
            IndexError,
            AttributeError,
            RecursionError,
            ZeroDivisionError,
        ) as fault:
            raise Rejected(f"{name}: malformed: {fault!r}") from None
        except Rejected as fault:
            raise Rejected(f"{name}: {fault}") from None
    return list(steps)


def main(text: str) -> None:
    """Print what is accepted, or the first fault, and end with the status 0, or 1."""
    try:
        document = json.loads(text)
        accepted = check(document)
    except (Rejected, ValueError, TypeError, KeyError, AttributeError) as fault:
        print(f"rejected: {fault}")
        raise SystemExit(1) from None
    queries = sum(len(theorem["queries"]) for theorem in document["theorems"])
    steps = sum(len(theorem["derivation"]) for theorem in document["theorems"])
    print(f"accepted: {len(accepted)} theorems, {queries} queries, {steps} steps")


if __name__ == "__main__":
    with open(0, encoding="utf-8") as standard_input:
        main(standard_input.read())
