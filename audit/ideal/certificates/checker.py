"""Check certificates on ideal noise, independently: trees, alignments, and probabilities of finite outcomes.

This file imports the standard library and python-flint alone. Its input is data: a *tree* is a list of leaves. A leaf
is one path through a program, with its noise variables, its comparisons and draws in order, and its outcome. Another
file runs the program on each leaf, and so shows that the leaves are the program's.

Numbers are texts of fractions. A form is a list of [variable, coefficient]; a row [form, offset] says that the form
plus the offset is positive. Noise variables are numbered from 0 in the order of their draws; the numbers of an open
input are variables below 0. Where no two of some rows contradict each other, a *proof* shows that the rows have no
common point: multipliers [row, number] above 0, for which the sum of the rows has no variable and no positive offset.
Proofs stand in the order in which the checker asks for them.

All functions raise NotShown where the certificate does not show its claim. They may raise TypeError, KeyError,
IndexError, AttributeError or ValueError for data of another form.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb, perm, prod
from typing import Any

import flint

Number = Any
"""A rational number, `flint.fmpq`."""
Epsilon = tuple[Number, Number]
"""The first number plus the logarithm of the second one."""
Row = dict[int, Number]
"""The coefficient of each variable, and the offset as that of UNIT."""
Sum = dict[Number, Number]
"""A sum of C e^s with rational C and s, as {s: C}: it is 0 only where every C is 0 (Lindemann and Weierstrass)."""
Law = tuple[str, Number, int]
"""A kind of noise, and its rate: a number times epsilon to a power."""
Laws = Mapping[int, Law]
Bounds = tuple[Number, Number]

ZERO, ONE = flint.fmpq(0), flint.fmpq(1)
UNIT = -(1 << 60)
BITS, MOST_BITS = 128, 1 << 20
BOTH_WAYS, UPWARDS = {"laplace", "logistic"}, {"exponential", "gumbel"}
INTEGRABLE = {"laplace", "exponential", "uniform"}
KINDS = BOTH_WAYS | UPWARDS | INTEGRABLE | {"normal"}
NUMBER = re.compile(r"-?[0-9]{1,20000}(/[0-9]{1,20000})?")


class NotShown(ValueError):
    """A certificate does not show its claim."""


def need(holds: bool, words: str) -> None:
    """Raises: NotShown with these words, unless the condition holds."""
    if not holds:
        raise NotShown(words)


def combined(*parts: tuple[Number, Mapping[Any, Number]]) -> dict[Any, Number]:
    """Return the sum of rows, or of sums, each times a number."""
    total: dict[Any, Number] = defaultdict(lambda: ZERO)
    for factor, each in parts:
        for name, c in each.items():
            total[name] += factor * c
    return {name: c for name, c in total.items() if c}


def number(text: Any) -> Number:
    """Return the number that a text spells out."""
    need(isinstance(text, str) and NUMBER.fullmatch(text) is not None, "a number is no text of a fraction")
    above, _, below = text.partition("/")
    need(int(below or 1) != 0, "a division by 0")
    return flint.fmpq(int(above), int(below or 1))


def _places(data: Any) -> list[int]:
    need(isinstance(data, list) and all(type(x) is int and x >= 0 for x in data), "whole numbers were needed")
    return list(data)


def _form(data: Any, names: int) -> Row:
    found = {name: number(c) for name, c in data}
    need(len(found) == len(data) and all(found.values()), "a form with a variable twice, or times 0")
    need(all(type(name) is int and UNIT < name < names for name in found), "a variable that is not drawn")
    return found


def _row(data: Any, names: int) -> Row:
    form, offset = data
    found = _form(form, names)
    need(any(name >= 0 for name in found), "an inequality without noise")
    return combined((ONE, found), (number(offset), {UNIT: ONE}))


def _contrary(row: Row) -> Row:
    return combined((-ONE, row))


def supports(laws: Laws) -> list[Row]:
    """Return the rows that state the supports of the noise variables."""
    positive = [{name: ONE} for name, (kind, _, _) in laws.items() if kind in ("exponential", "uniform")]
    return positive + [{name: -ONE, UNIT: ONE} for name, (kind, _, _) in laws.items() if kind == "uniform"]


Key = tuple[tuple[int, Number], ...]


def _least(rows: Iterable[Row]) -> dict[Key, Number] | None:
    """Return the least offset of each form, scaled so that its first coefficient is 1 or -1; None where a row alone, or
    two together, cannot hold."""
    least: dict[Key, Number] = {}
    for row in rows:
        items = sorted((name, c) for name, c in row.items() if name != UNIT)
        offset = row.get(UNIT, ZERO)
        if not items:
            if offset <= 0:
                return None
            continue
        size = abs(items[0][1])
        form = tuple(items) if size == 1 else tuple((name, c / size) for name, c in items)
        least[form] = min(offset / size, least.get(form, offset / size))
        opposite = tuple((name, -c) for name, c in form)
        if opposite in least and least[form] + least[opposite] <= 0:
            return None
    return least


class Proofs:
    """The proofs of a certificate, each of them used once."""

    def __init__(self, proofs: Iterable[Any]) -> None:
        self.proofs = iter(proofs)

    def asked(self, rows: Sequence[Row]) -> Any:
        """Return the next proof, which is about these rows."""
        return next(self.proofs, ())

    def need_void(self, rows: Sequence[Row]) -> None:
        """Raises: NotShown, unless it is shown that rows have no common point, up to a set of probability 0."""
        if _least(rows) is None:
            return
        parts = [(number(factor), rows[_places([place])[0]]) for place, factor in self.asked(rows)]
        total = combined(*parts)
        shown = bool(parts) and all(factor > 0 for factor, _ in parts) and set(total) <= {UNIT}
        need(shown and total.get(UNIT, ZERO) <= 0, "it is not shown that rows have no common point")


@dataclass(frozen=True, slots=True)
class Part:
    """A released number: the value of a row; with `rounding`, its floor times the factor, plus the shift."""

    row: Row
    rounding: tuple[Number, Number] | None

    def above(self, end: Number) -> Row:
        """Return the row that says: the released number is at least `end`."""
        if self.rounding is not None:
            factor, shift = self.rounding
            end = flint.fmpq(((end - shift) / factor).ceil())
        return combined((ONE, self.row), (-end, {UNIT: ONE}))


@dataclass(frozen=True, slots=True)
class Region:
    """The part of the noise space where all rows hold; it has one outcome. `leaves` are the leaves that it unites, and
    `weight` is the probability of the draws from finitely many values that lead there."""

    leaves: tuple[int, ...]
    laws: Laws
    rows: tuple[Row, ...]
    outcome: str
    parts: tuple[Part, ...]
    weight: Number

    def names(self) -> set[int]:
        """Return the noise variables that decide the region, or are released."""
        return {name for row in (*self.rows, *(part.row for part in self.parts)) for name in row if name >= 0}


@dataclass(frozen=True, slots=True)
class Tree:
    """The leaves of a tree that fills the noise space, by place; empty leaves are left out."""

    leaves: dict[int, Region]
    drawn: bool


def rational(data: Any) -> list[Number]:
    """Return the weights that data spells out: at least 0, with the sum 1."""
    weights = [number(text) for text in data]
    need(min(weights) >= 0 and sum(weights, ZERO) == 1, "weights that do not sum to 1")
    return weights


def tree(data: Any, proofs: Proofs, weights_of: Callable[[Any], list[Any]] = rational) -> Tree:
    """Return the tree that data spells out: leaves {"laws", "steps", "outcome", "parts"}, which fill the noise space.

    Steps are ["above" or "below", form, offset] and ["draw", weights, place]; the outcome of an empty leaf is null.
    Weights from `weights_of` need not be numbers: this function multiplies them, and neither compares nor adds them.
    """
    laws = [dict(enumerate(map(_law, leaf["laws"]))) for leaf in data]
    steps = [steps_of(leaf, weights_of) for leaf in data]
    _need_filled(laws, steps)
    found: dict[int, Region] = {}
    for place, (leaf, own) in enumerate(zip(data, laws, strict=True)):
        rows = tuple(mark if side else _contrary(mark) for mark, side in steps[place] if isinstance(mark, dict))
        weight = prod((weights[side] for weights, side in steps[place] if isinstance(weights, list)), start=ONE)
        if leaf["outcome"] is None:
            proofs.need_void([*rows, *supports(own)])
            continue
        need(isinstance(leaf["outcome"], str), "an outcome that is no text")
        parts = tuple(_part(part, len(own)) for part in leaf["parts"])
        found[place] = Region((place,), own, rows, leaf["outcome"], parts, weight)
    return Tree(found, any(isinstance(mark, list) for own in steps for mark, _ in own))


def _law(data: Any) -> Law:
    kind, rate, power = data
    need(kind in KINDS and number(rate) > 0 and type(power) is int, "noise that is not known")
    return kind, number(rate), power


def steps_of(leaf: Any, weights_of: Callable[[Any], list[Any]] = rational) -> list[tuple[Any, int]]:
    """Return the steps of a leaf: each comparison or draw, and the side that the leaf takes."""
    return [_step(step, len(leaf["laws"]), weights_of) for step in leaf["steps"]]


def _step(data: Any, names: int, weights_of: Callable[[Any], list[Any]]) -> tuple[Any, int]:
    """Return a row or a list of weights, and the side that is taken: 1 for above, 0 for below, or the place drawn."""
    side, mark, last = data
    if side == "draw":
        return weights_of(mark), _places([last])[0]
    need(side in ("above", "below"), "a step that is none")
    return _row([mark, last], names), int(side == "above")


def _part(data: Any, names: int) -> Part:
    form, offset, factor, shift = data
    row = combined((ONE, _form(form, names)), (number(offset), {UNIT: ONE}))
    need(factor is None or number(factor) > 0, "a number rounded to no multiple")
    return Part(row, None if factor is None else (number(factor), number(shift)))


def _need_filled(laws: Sequence[Laws], steps: Sequence[Sequence[tuple[Any, int]]]) -> None:
    """Raises: NotShown, unless each step has a leaf on each side, and each of its variables one law in all of them."""
    pending = [(list(range(len(steps))), 0)]
    while pending:
        group, depth = pending.pop()
        if len(group) == 1 and len(steps[group[0]]) == depth:
            continue
        need(all(len(steps[leaf]) > depth for leaf in group), "a leaf is missing, or there twice")
        mark = steps[group[0]][depth][0]
        need(all(steps[leaf][depth][0] == mark for leaf in group), "two comparisons at one place")
        sides = [side for side, weight in enumerate(mark) if weight] if isinstance(mark, list) else [0, 1]
        for name in mark if isinstance(mark, dict) else ():
            need(name < 0 or len({laws[leaf][name] for leaf in group}) == 1, "a variable of two laws")
        below = [[leaf for leaf in group if steps[leaf][depth][1] == side] for side in sides]
        need(sum(map(len, below)) == len(group) > 0 and all(below), "a side of a comparison or a draw is missing")
        pending += [(leaves, depth + 1) for leaves in below]


def region(data: Any, whole: Tree, proofs: Proofs) -> Region:
    """Return the union of some leaves of a tree, given as [leaves, rows]; a single leaf keeps its own rows."""
    places = _places(data[0])
    kept = [whole.leaves[place] for place in places]
    need(len(set(places)) == len(places) > 0, "a region of no leaves, or of one leaf twice")
    if len(kept) == 1:
        return kept[0]
    laws = max((leaf.laws for leaf in kept), key=len)
    rows = tuple(_row(row, len(laws)) for row in data[1])
    plain = all(law == laws.get(name) for leaf in whole.leaves.values() for name, law in leaf.laws.items())
    need(plain and not whole.drawn, "a region of leaves whose noise or draws differ")
    need(all((leaf.outcome, leaf.parts) == (kept[0].outcome, kept[0].parts) for leaf in kept), "two outcomes")
    for place, leaf in whole.leaves.items():
        if place in places:
            for row in rows:
                proofs.need_void([*leaf.rows, _contrary(row), *supports(laws)])
        else:
            proofs.need_void([*rows, *leaf.rows, *supports(laws)])
    return replace(kept[0], leaves=tuple(places), laws=laws, rows=rows)


@dataclass(frozen=True, slots=True)
class Step:
    """Two neighbours: the places of their trees, and the move of each number of an open input."""

    source: int
    target: int
    move: Row = field(default_factory=dict)


def check_alignments(
    trees: Sequence[Tree],
    regions: Sequence[Sequence[Region]],
    steps: Sequence[Step],
    data: Any,
    proofs: Proofs,
    *,
    epsilon: Epsilon,
    delta: Number,
    power: int,
    integrals: Integrals,
) -> None:
    """Check that alignments, rows [step, source, target, shift, names, cut], show the privacy of each step.

    An alignment maps each point x of the source that satisfies the cut to x + shift in the target, and leaves the
    released numbers unchanged; `names` maps the target's variables to the source's. If `power` is 1, `epsilon` is a
    multiple of the parameter epsilon. The points without alignment have a probability of at most delta.
    """
    sources: dict[int, list[int]] = defaultdict(list)
    targets: dict[int, list[int]] = defaultdict(list)
    left: dict[int, Number] = defaultdict(lambda: ZERO)
    for *places, shift, names, cut in data:
        place, source, target = _places(places)
        step = steps[place]
        mine, other = regions[step.source][source], regions[step.target][target]
        cost, aligned = _aligned(mine, other, step.move, shift, names, cut, power, proofs)
        need(sign(excess({cost: ONE}, {ZERO: ONE}, epsilon)) <= 0, "an alignment costs more than the claim")
        sources[place] += mine.leaves
        targets[place] += other.leaves
        if len(aligned.rows) > len(mine.rows):
            left[place] += integrals.bounds(mine)[1] - integrals.bounds(aligned)[0]
    for place, step in enumerate(steps):
        need(len(set(sources[place])) == len(sources[place]), "a region is aligned twice")
        need(len(set(targets[place])) == len(targets[place]), "two regions are taken into the same one")
        rest = [leaf for name, leaf in trees[step.source].leaves.items() if name not in sources[place]]
        if rest or left[place]:
            need(power == 0, "a region has no alignment")
            lost = left[place] + sum((integrals.bounds(leaf)[1] for leaf in rest), ZERO)
            need(lost <= delta, "what alignments leave is likelier than delta")


def _aligned(
    source: Region, target: Region, move: Row, shift: Any, named: Any, cut: Any, power: int, proofs: Proofs
) -> tuple[Number, Region]:
    """Return the cost of an alignment, and the part of the source that it maps, with the laws of all variables."""
    other = {pair[0]: pair[1] for pair in map(_places, named)}
    names = {name: other.get(name, name) for name in target.names()}
    need(len(set(names.values())) == len(names), "two variables of one name")
    laws = dict(source.laws)
    for name, mine in names.items():
        need(laws.setdefault(mine, target.laws[name]) == target.laws[name], "an alignment between different laws")
    need(source.outcome == target.outcome and source.weight <= target.weight, "an alignment to what is less likely")
    by = _form(shift, max(laws, default=-1) + 1)
    need(all(name >= 0 for name in by), "an alignment that moves inputs")

    def before(row: Row) -> Row:
        """Return the row that x satisfies where x + shift satisfies a row of the target."""
        renamed = {names.get(name, name): c for name, c in row.items()}
        moved = sum((renamed[name] * s for name, s in (*move.items(), *by.items()) if name in renamed), ZERO)
        return combined((ONE, renamed), (moved, {UNIT: ONE}))

    for part, its in zip(source.parts, target.parts, strict=True):
        same = before(its.row) == part.row and its.rounding == part.rounding
        need(same, "an alignment changes what is released")
    cost = ZERO
    for name, s in by.items():
        kind, rate, its_power = laws[name]
        # for a shift down, the ratio of densities has no bound: exponential noise leaves its support
        need(kind in BOTH_WAYS or (kind in UPWARDS and s > 0), f"{kind} noise has no bound for a shift")
        need(its_power == power, "scales of the form c/epsilon beside plain numbers")
        cost += rate * abs(s)
    rows = (*source.rows, *(_row(row, max(laws, default=-1) + 1) for row in cut))
    for row in target.rows:
        proofs.need_void([*rows, _contrary(before(row)), *supports(laws)])
    return cost, replace(source, laws=laws, rows=rows)


def excess(p: Sum, q: Sum, epsilon: Epsilon) -> Sum:
    """Return p - e^epsilon q."""
    return combined((ONE, p), (-epsilon[1], {s + epsilon[0]: c for s, c in q.items()}))


def ball(found: Sum, bits: int) -> Any:
    """Return a ball that contains a sum."""
    with flint.ctx.workprec(bits):
        return sum((flint.arb(c) * flint.arb(s).exp() for s, c in found.items()), flint.arb(0))


def sign(found: Sum) -> int:
    """Return the sign of a sum whose coefficients are not 0."""
    bits = BITS
    while found:
        near = ball(found, bits)
        if near > 0 or near < 0:
            return 1 if near > 0 else -1
        bits *= 2
        need(bits <= MOST_BITS, "a sum that is too near to 0 to tell")
    return 0


Terms = dict[tuple[tuple[tuple[int, int], ...], Key], Number]
"""A sum of c x^k e^(a x + b), as {(k, a): c}: the powers of variables, and the slopes of variables with b for UNIT."""
Cell = frozenset[tuple[Key, Number]]


class Integrals:
    """The probabilities of regions: integrals over one variable after the other, in cells where one lower and one upper
    bound of it are nearest. Integrals are kept. `otherwise` bounds probabilities with noise that is not integrated."""

    def __init__(self, otherwise: Callable[[Region], Bounds]) -> None:
        self.otherwise = otherwise
        self.known: dict[Any, Sum] = {}

    def enclosed(self, region: Region) -> tuple[Sum, Sum]:
        """Return two sums that enclose the probability of a region, and are equal where it is integrated."""
        kinds = {region.laws[name][0] for row in region.rows for name in row if name >= 0}
        if kinds <= INTEGRABLE:
            found = self.probability(region)
            return found, found
        low, high = self.otherwise(region)
        return {ZERO: low}, {ZERO: high}

    def bounds(self, region: Region) -> Bounds:
        """Return rational bounds of the probability of a region."""
        low, high = (ball(part, BITS) for part in self.enclosed(region))
        with flint.ctx.workprec(BITS):
            return low.lower().fmpq(), high.upper().fmpq()

    def probability(self, region: Region) -> Sum:
        """Return the probability of a region."""
        found: Sum = {ZERO: region.weight}
        for rows in _linked(region.rows):
            names = sorted({name for row in rows for name in row} - {UNIT})
            need(names[0] >= 0, "an integral on inputs that are left open")
            kinds = tuple(region.laws[name] for name in names)
            need(all(power == 0 for _, _, power in kinds), "an integral for every epsilon")
            place = {UNIT: UNIT, **{name: j for j, name in enumerate(names)}}
            least = _least({place[name]: c for name, c in row.items()} for row in rows)
            cell = frozenset({} if least is None else least.items())
            if least is not None and (kinds, cell) not in self.known:
                self.known[kinds, cell] = _integral(kinds, cell)
            factor = {} if least is None else self.known[kinds, cell]
            found = combined(*((c, {s + t: d for t, d in factor.items()}) for s, c in found.items()))
        return found


def _linked(rows: Iterable[Row]) -> list[list[Row]]:
    """Return rows in groups that share no variable."""
    groups: list[tuple[set[int], list[Row]]] = []
    for row in rows:
        near = [group for group in groups if not group[0].isdisjoint(set(row) - {UNIT})]
        groups = [group for group in groups if group not in near]
        names = (set(row) - {UNIT}).union(*(own for own, _ in near))
        groups.append((names, [*(other for _, own in near for other in own), row]))
    return [own for _, own in groups]


def _integral(kinds: Sequence[Law], start: Cell) -> Sum:
    cells: dict[Cell, Terms] = {start: {((), ()): ONE}}
    left = set(range(len(kinds)))
    while left:
        forms = {form for cell in cells for form, _ in cell}
        near = {name: {n for form in forms if name in dict(form) for n, _ in form} for name in left}
        name = min(left, key=lambda each: (len(near[each]), each))
        left.remove(name)
        parts: dict[Cell, list[tuple[Number, Terms]]] = defaultdict(list)
        for cell, terms in cells.items():
            for smaller, value in _eliminated(name, kinds[name], cell, terms):
                parts[smaller] += value
        cells = {cell: combined(*value) for cell, value in parts.items()}
    return combined(
        *((c, {dict(slopes).get(UNIT, ZERO): ONE}) for terms in cells.values() for (_, slopes), c in terms.items())
    )


def _eliminated(name: int, law: Law, cell: Cell, terms: Terms) -> Iterator[tuple[Cell, list[tuple[Number, Terms]]]]:
    """Yield cells in the other variables, each with the terms of the integral over one variable there."""
    kind, rate, _ = law
    pieces = {
        "laplace": [([{name: ONE}], rate / 2, -rate), ([{name: -ONE}], rate / 2, rate)],
        "exponential": [([{name: ONE}], rate, -rate)],
        "uniform": [([{name: ONE}, {name: -ONE, UNIT: ONE}], ONE, ZERO)],
    }[kind]
    for own, factor, slope in pieces:
        rows = [*({**dict(form), UNIT: offset} for form, offset in cell), *own]
        primitive = [part for term in terms.items() for part in _antiderivative(name, factor, slope, *term)]
        lowers, uppers = ([_solved(row, name) for row in rows if row.get(name, ZERO) * side > 0] for side in (1, -1))
        for low in _distinct(lowers):
            for high in _distinct(uppers):
                kept = [row for row in rows if name not in row]
                kept += [combined((ONE, low), (-ONE, line)) for line in lowers if low is not None and line != low]
                kept += [combined((ONE, line), (-ONE, high)) for line in uppers if high is not None and line != high]
                kept += [] if low is None or high is None else [combined((ONE, high), (-ONE, low))]
                smaller = _least(kept)
                if smaller is not None:
                    ends = [(ONE, _at(high, part, 1)) for part in primitive]
                    ends += [(-ONE, _at(low, part, -1)) for part in primitive]
                    yield frozenset(smaller.items()), ends


def _solved(row: Row, name: int) -> Row:
    """Return the bound that a row sets for a variable, as a row."""
    return {other: -c / row[name] for other, c in row.items() if other != name and c}


def _distinct(lines: Sequence[Row]) -> list[Row | None]:
    """Return lines, each once; [None] where there are none."""
    return [line for place, line in enumerate(lines) if line not in lines[:place]] or [None]


def _antiderivative(name: int, factor: Number, slope: Number, mark: Any, c: Number) -> Iterator[Any]:
    """Yield the terms of an antiderivative of a term times factor e^(slope x): the powers and slopes of the other
    variables, the power and slope of x, and the coefficient."""
    powers, slopes = map(dict, mark)
    k, a = powers.pop(name, 0), slopes.pop(name, ZERO) + slope
    if a == 0:
        yield powers, slopes, k + 1, ZERO, factor * c / (k + 1)
        return
    for j in range(k + 1):
        yield powers, slopes, k - j, a, factor * c * (-1) ** j * perm(k, j) / a ** (j + 1)


def _at(line: Row | None, term: Any, side: int) -> Terms:
    """Return a term with a line substituted for its variable; without a line, its limit on that side."""
    powers, slopes, k, a, c = term
    if line is None:
        need(side * a < 0, "an integral without end")
        return {}
    exponent = tuple(sorted(combined((ONE, slopes), (a, line)).items()))
    found: Terms = {}
    for own, d in _power(sorted(line.items()), k):
        whole = {name: powers.get(name, 0) + own.get(name, 0) for name in {*powers, *own}}
        found[tuple(sorted(whole.items())), exponent] = c * d
    return found


def _power(items: Sequence[tuple[int, Number]], k: int) -> Iterator[tuple[dict[int, int], Number]]:
    """Yield the terms of the k-th power of a line: the powers of the variables, and the coefficient."""
    if not items:
        yield from [({}, ONE)] if k == 0 else []
        return
    (name, c), *rest = items
    for j in range(k + 1):
        for powers, d in _power(rest, k - j):
            yield {**powers, **({name: j} if j and name != UNIT else {})}, comb(k, j) * c**j * d


Outcome = tuple[frozenset[Any], frozenset[Any]]
"""Two sums that enclose the probability of an outcome, as sets of terms."""


class Outcomes:
    """The probabilities of the outcomes on each input, and the check of pairs of inputs by them."""

    def __init__(self, trees: Sequence[Tree], epsilon: Epsilon, delta: Number, integrals: Integrals) -> None:
        self.epsilon, self.delta, self.integrals = epsilon, delta, integrals
        self.ratio = ball({epsilon[0]: epsilon[1]}, BITS)
        self.above: dict[Any, bool] = {}
        self.balls: dict[Any, Any] = {}
        self.laws = [self._law(whole) for whole in trees]

    def _law(self, whole: Tree) -> dict[str, Outcome]:
        parts: dict[str, list[tuple[Sum, Sum]]] = defaultdict(list)
        for leaf in whole.leaves.values():
            need(not leaf.parts, "a released number with noise")
            parts[leaf.outcome].append(self.integrals.enclosed(leaf))
        sums = {
            name: [combined(*((ONE, each[side]) for each in own)) for side in (0, 1)] for name, own in parts.items()
        }
        low, high = (combined((-ONE, {ZERO: ONE}), *((ONE, each[side]) for each in sums.values())) for side in (0, 1))
        need(sign(low) <= 0 <= sign(high), "probabilities that do not sum to 1")
        return {name: (frozenset(low.items()), frozenset(high.items())) for name, (low, high) in sums.items()}

    def _is_above(self, p: frozenset[Any], q: frozenset[Any]) -> bool:
        """Whether p > e^epsilon q."""
        if (p, q) not in self.above:
            for each in (p, q):
                if each not in self.balls:
                    self.balls[each] = ball(dict(each), BITS)
            below = self.balls[p] < self.balls[q] * self.ratio
            self.above[p, q] = not below and sign(excess(dict(p), dict(q), self.epsilon)) > 0
        return self.above[p, q]

    def need_within(self, a: int, b: int) -> None:
        """Raises: NotShown, unless p <= e^epsilon q + delta for all events of a pair of inputs."""
        never: Outcome = frozenset(), frozenset()
        faced = [(high, self.laws[b].get(name, never)[0]) for name, (_, high) in self.laws[a].items()]
        parts = [(ONE, excess(dict(p), dict(q), self.epsilon)) for p, q in faced if self._is_above(p, q)]
        need(sign(combined((-self.delta, {ZERO: ONE}), *parts)) <= 0, "a pair of inputs is not within the claim")


def check_witness(
    source: Tree, target: Tree, event: Any, epsilon: Epsilon, delta: Number, integrals: Integrals
) -> None:
    """Check that p > e^epsilon q + delta for an event on two inputs: a list of [outcome, ends]. `ends` has [low, high]
    for each released number, which lies between them; null is no end."""
    sides = enumerate(cut_to(event, source, target))
    p, q = (combined(*((ONE, integrals.enclosed(leaf)[side]) for leaf in leaves)) for side, leaves in sides)
    lost = combined((ONE, excess(p, q, epsilon)), (-delta, {ZERO: ONE}))
    need(sign(lost) > 0, "the witness does not violate the bound")


def cut_to(event: Any, *trees: Tree) -> list[list[Region]]:
    """Return the leaves of each tree, restricted to an event as `check_witness` takes it."""
    boxes = [(name, [[None if x is None else number(x) for x in ends] for ends in box]) for name, box in event]
    for place, (name, box) in enumerate(boxes):
        apart = all(name != its or _apart(box, other) for its, other in boxes[:place])
        need(apart, "an event that is there twice")
    return [[leaf for box in boxes for leaf in _inside(whole, *box)] for whole in trees]


def _apart(box: Any, other: Any) -> bool:
    """Whether two boxes are disjoint."""
    ends = [*zip(box, other, strict=True), *zip(other, box, strict=True)]
    return any(high is not None and low is not None and high <= low for (_, high), (low, _) in ends)


def _inside(whole: Tree, outcome: str, box: Any) -> Iterator[Region]:
    """Yield the leaves of an outcome, restricted to released numbers in a box."""
    for leaf in whole.leaves.values():
        if leaf.outcome == outcome:
            rows = list(leaf.rows)
            for part, (low, high) in zip(leaf.parts, box, strict=True):
                rows += [] if low is None else [part.above(low)]
                rows += [] if high is None else [_contrary(part.above(high))]
            yield replace(leaf, rows=tuple(rows))
