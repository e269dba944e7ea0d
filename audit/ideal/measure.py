"""The exact probability of a path: its noise variables integrated out one by one, leaves of the constraints first.

Inequalities between two variables each are the edges of a graph. Where it is a tree, a leaf is integrated between
lines that depend on its neighbour alone, which leaves a piecewise exponential polynomial of that neighbour: a message.
Messages are kept, as the same ones come up on many paths and inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from dpcert.audit.ideal.outcomes import noisy_parts
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.noise import EXACT, INTEGRABLE, Law, density, is_whole
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.signs import Sum
from dpcert.mechanisms.ideal.terms import (
    Number,
    Piecewise,
    Terms,
    Value,
    constant,
    divided,
    gathered,
    inner_points,
    product,
    rational,
    scaled,
    total,
)

Line = tuple[Number, Number]
"""The line slope * t + offset."""


@dataclass(frozen=True, slots=True)
class Units:
    """The units in which rates and thresholds are integers: h is `epsilon^power / (rates * lengths)`."""

    rates: int
    lengths: int
    power: int

    @classmethod
    def of(cls, paths: Iterable[Path], part: int = 1) -> Units:
        """Return units for all variables and thresholds of these paths; `rates` is a multiple of `part`.

        Raises: Unauditable where scales are mixed: c/epsilon beside plain numbers.
        """
        rates, lengths, powers = part, 1, set()
        for path in paths:
            for item in path.inequalities:
                if not is_whole(path.laws, [name for name, _ in item.form]):
                    lengths = lcm(lengths, item.threshold.denominator)
            used = {name for item in path.inequalities for name, _ in item.form}
            used |= {name for part in noisy_parts(path.outcome) for name, _ in part.terms}
            for law in (path.laws[name] for name in used if name >= 0):
                if law.kind not in EXACT:
                    raise Unauditable(f"{law.kind} noise beside a density or another inequality is not integrated")
                if law.kind != "uniform" and law.rate.factor:
                    rates = lcm(rates, law.rate.factor.denominator)
                    powers.add(law.rate.power)
            if isinstance(path.weight, Exact):
                powers.add(int(path.weight.is_open()))
                rates = lcm(rates, *(place[1].denominator for place in path.weight.places()))
        if len(powers) > 1:
            raise Unauditable("scales of the form c/epsilon beside plain numbers are not decided together")
        return cls(rates, lengths, max(powers, default=0))

    def h(self, epsilon: Fraction) -> Fraction:
        """Return the number that h is at an epsilon, for rates that depend on it."""
        return (epsilon if self.power else Fraction(1)) / (self.rates * self.lengths)

    def value(self, terms: Sum) -> Value:
        """Return a sum as a value.

        Raises: Unauditable where it depends on epsilon and on other exponentials, or on epsilon beside plain numbers.
        """
        unit = self.rates * self.lengths
        if any(s if self.power else i or b for i, b, s in terms):
            raise Unauditable("exponentials of epsilon and of plain numbers are not decided together")
        return gathered(((i, rational((b or s) * unit)), rational(c * unit**i)) for (i, b, s), c in terms.items())

    def rate(self, law: Law) -> int:
        return int(law.rate.factor * self.rates)


@dataclass(frozen=True, slots=True)
class _Node:
    """A variable with all that hangs on it: the integral of density times messages, and its total."""

    name: int
    integral: Piecewise
    total: Any


@dataclass(slots=True)
class Measure:
    """Probabilities of paths as values in h; what is computed is kept. `lattice.py` sums what is no integral."""

    units: Units
    messages: dict[Any, tuple[int, Piecewise]] = field(default_factory=dict)
    products: dict[Any, Piecewise] = field(default_factory=dict)
    nodes: dict[Any, _Node] = field(default_factory=dict)
    components: dict[Any, Any] = field(default_factory=dict)

    def probability(self, path: Path) -> Value:
        found: Value = {(0, 0): rational(path.chance())}
        for component in linked(path.inequalities):
            found = product(found, self._component(path.laws, component))
        return found

    def density(self, path: Path, name: int) -> tuple[Piecewise, Value]:
        """Return two factors of the density of a variable on a path: a function of it, in units, and a number.

        Raises: Unauditable where the variable's inequalities make no tree.
        """
        own: list[Inequality] = []
        factor: Value = {(0, 0): rational(path.chance())}
        for component in linked(path.inequalities):
            if any(name == other for item in component for other, _ in item.form):
                own = component
            else:
                factor = product(factor, self._component(path.laws, component))
        edges = _tree(own, name)
        if edges is None:
            raise Unauditable("the density of a variable whose inequalities are no tree is not computed")
        law = path.laws[name]
        found = self._product(law, self._incoming(path.laws, edges, name, None))
        return found * self._indicator(*self._ends(edges[name].get(name, []), name)), factor

    def _component(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Any:
        edges = _tree(items)
        if edges is None:
            return self._cells(laws, items)
        root = max(edges, key=lambda name: (len(edges[name]), name))
        node = self._node(laws, edges, root, None)
        low, high = self._ends(edges[root].get(root, []), root)
        if low is not None and high is not None and low >= high:
            return self._nothing()
        end = node.total if high is None else node.integral.at(high)
        return end if low is None else self._minus(end, node.integral.at(low))

    def _cells(self, laws: Sequence[Law], items: Sequence[Inequality]) -> Any:
        from dpcert.audit.ideal.cells import integral

        if any(laws[name].kind not in INTEGRABLE for item in items for name, _ in item.form):
            raise Unauditable("discrete noise beside real noise in a comparison is not integrated")
        names = sorted({name for item in items for name, _ in item.form})
        place = {name: j for j, name in enumerate(names)}
        kinds = tuple((laws[name].kind, self.units.rate(laws[name])) for name in names)
        rows = []
        for item in items:
            form, offset = item.inward()
            rows.append((tuple((place[n], c) for n, c in form.items()), offset * self.units.lengths))
        mark = kinds, frozenset(rows)
        if mark not in self.components:
            self.components[mark] = integral(kinds, rows, self.units.lengths)
        return self.components[mark]

    def _node(self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int | None) -> _Node:
        incoming = self._incoming(laws, edges, name, parent)
        mark = laws[name], incoming
        node = self.nodes.get(mark)
        if node is None:
            whole = self._product(laws[name], incoming)
            node = self.nodes[mark] = _Node(len(self.nodes), *whole.integral())
        return node

    def _incoming(
        self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int | None
    ) -> tuple[int, ...]:
        """Return the numbers of the messages to a variable from all neighbours but one."""
        children = (child for child in edges[name] if child not in (name, parent))
        return tuple(sorted(self._message(laws, edges, child, name) for child in children))

    def _product(self, law: Law, incoming: tuple[int, ...]) -> Piecewise:
        mark = law, incoming
        found = self.products.get(mark)
        if found is None:
            if incoming:
                found = self._product(law, incoming[:-1]) * self._by_number[incoming[-1]]
            else:
                found = self._density(law)
            self.products[mark] = found
        return found

    def _density(self, law: Law) -> Piecewise:
        if law.kind not in INTEGRABLE:
            raise Unauditable("discrete noise beside real noise in a comparison is not integrated")
        return density(law.kind, self.units.rate(law), self.units.lengths)

    def _scaled(self, threshold: Number) -> Number:
        """Return a threshold in units."""
        return threshold * self.units.lengths

    def _constant(self, value: Any) -> Any:
        """Return a number as a function."""
        return constant(value)

    def _indicator(self, low: Number | None, high: Number | None) -> Piecewise:
        return indicator(low, high)

    def _minus(self, end: Any, start: Any) -> Any:
        return total([end, scaled(start, -1)])

    def _nothing(self) -> Any:
        return {}

    _by_number: list[Piecewise] = field(default_factory=list)

    def _message(self, laws: Sequence[Law], edges: Mapping[int, Any], name: int, parent: int) -> int:
        """Return the number of the message of a variable to its neighbour."""
        node = self._node(laws, edges, name, parent)
        lowers, uppers = self._lines([*edges[name][parent], *edges[name].get(name, [])], name)
        mark = node.name, lowers, uppers
        found = self.messages.get(mark)
        if found is None:
            message = _window(node, self._constant(node.total), lowers, uppers)
            found = self.messages[mark] = len(self._by_number), message
            self._by_number.append(message)
        return found[0]

    def _lines(self, items: Iterable[Inequality], name: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """Return the lines above which and below which a variable lies, in its neighbour's value."""
        lowers: set[Line] = set()
        uppers: set[Line] = set()
        for item in items:
            own = next(c for other, c in item.form if other == name)
            rest = sum(c for other, c in item.form if other != name)
            line = divided(-rest, own), divided(self._scaled(item.threshold), own)
            (lowers if item.above == (own > 0) else uppers).add(line)
        return tuple(sorted(lowers)), tuple(sorted(uppers))

    def _ends(self, items: Iterable[Inequality], name: int) -> tuple[Number | None, Number | None]:
        """Return the numbers between which inequalities about a variable alone put it."""
        lowers, uppers = self._lines(items, name)
        return max((end for _, end in lowers), default=None), min((end for _, end in uppers), default=None)


def _tree(items: Sequence[Inequality], *names: int) -> dict[int, dict[int, list[Inequality]]] | None:
    """Return the inequalities by the two variables that they are between, or by one twice; None where they are no tree,
    or between more than two."""
    edges: dict[int, dict[int, list[Inequality]]] = {name: {} for name in names}
    for item in items:
        for name, _ in item.form:
            edges.setdefault(name, {})
    for item in items:
        if len(item.form) > 2:
            return None
        ends = [name for name, _ in item.form]
        edges[ends[0]].setdefault(ends[-1], []).append(item)
        if len(ends) == 2:
            edges[ends[1]].setdefault(ends[0], []).append(item)
    links = sum(1 for u in edges for v in edges[u] if u < v)
    return edges if links == len(edges) - 1 else None


def indicator(low: Number | None, high: Number | None) -> Piecewise:
    """Return the function that is 1 between two numbers, and 0 elsewhere."""
    one: Terms = {(0, 0, 0, 0): 1}
    if low is not None and high is not None and low >= high:
        return Piecewise((), ({},))
    cuts = tuple(end for end in (low, high) if end is not None)
    return Piecewise(cuts, (*([{}] if low is not None else []), one, *([{}] if high is not None else [])))


def _window(node: _Node, whole: Terms, lowers: Sequence[Line], uppers: Sequence[Line]) -> Piecewise:
    """Return, as a function of t, the integral of a node between its greatest lower and its least upper line."""
    lines = [*lowers, *uppers]
    composed = {line: node.integral.along(*line) for line in lines}
    cuts: set[Number] = {cut for function in composed.values() for cut in function.cuts}
    for place, (slope, offset) in enumerate(lines):
        for other, other_offset in lines[:place]:
            if slope != other:
                cuts.add(divided(other_offset - offset, slope - other))
    ordered = sorted(cuts)
    pieces: list[Terms] = []
    for t in inner_points(ordered):
        low = max(lowers, key=lambda line: line[0] * t + line[1], default=None)
        high = min(uppers, key=lambda line: line[0] * t + line[1], default=None)
        if low is not None and high is not None and low[0] * t + low[1] >= high[0] * t + high[1]:
            pieces.append({})
            continue
        end = whole if high is None else composed[high].piece_at(t)
        start: Terms = {} if low is None else composed[low].piece_at(t)
        pieces.append(gathered([*end.items(), *((name, -c) for name, c in start.items())]))
    return type(node.integral).joined(ordered, pieces)


def linked(items: Iterable[Inequality]) -> list[list[Inequality]]:
    """Return the inequalities in groups that share no variable."""
    groups: list[tuple[set[int], list[Inequality]]] = []
    for item in items:
        names = {name for name, _ in item.form}
        near = [group for group in groups if not group[0].isdisjoint(names)]
        groups = [group for group in groups if group[0].isdisjoint(names)]
        merged = names.union(*(group[0] for group in near))
        groups.append((merged, [*(row for group in near for row in group[1]), item]))
    return [rows for _, rows in groups]
