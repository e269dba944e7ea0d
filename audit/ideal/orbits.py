"""Claims about all vectors of some integers, pair by pair up to what is interchangeable.

A program is run once on an open vector. An outcome depends on the entries that its inequalities name,
and entries that are interchangeable in them need not be told apart: so the pairs of neighbours that differ for an
outcome are few, where the pairs of all vectors are millions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from itertools import product as choices
from typing import Any

from dpcert.audit.ideal.compare import Exponentials, at, minus
from dpcert.audit.ideal.decide import Probabilities
from dpcert.audit.ideal.every import TRIED, nowhere_negative
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.measure import Measure, Units
from dpcert.audit.ideal.merge import regions_of
from dpcert.audit.ideal.opening import closed
from dpcert.audit.ideal.outcomes import is_noisy
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key, show
from dpcert.mechanisms.ideal.meant import OPEN, Open
from dpcert.mechanisms.ideal.path import Path
from dpcert.mechanisms.ideal.terms import ONE, Value, scaled, total

Steps = Sequence[tuple[int, int]]
"""The pairs of values that an entry may have on two neighbours, equal ones among them."""


@dataclass(frozen=True, slots=True)
class OrbitReport:
    """A verdict about all vectors: refuted at an `epsilon` by an event in words; `compared` pairs of probabilities."""

    verdict: str
    compared: int
    epsilon: Fraction | None = None
    event: str | None = None
    least: tuple[Epsilon, Epsilon | None] | None = None


class Orbits:
    """The probabilities of the outcomes of a program on vectors of n entries, up to what is interchangeable.

    The program is called as program(vector, generator, epsilon), with an open epsilon and floats in its vector.

    Raises: Unauditable for noisy outcomes, and for what is not followed.
    """

    def __init__(self, program: Callable[..., Any], n: int, steps: Steps) -> None:
        (paths,) = laws_of(program, [Open([0.0] * n)], epsilon=OPEN)
        if any(is_noisy(path.outcome) for path in paths):
            raise Unauditable("on ideal noise, it releases a real number with noise")
        self.n, self.steps = n, steps
        self.units = Units.of(paths)
        self.measure = Measure(self.units)
        if all(path.weight == 1 for path in paths):
            paths = [
                Path(region.laws, region.inequalities, Fraction(1), region.outcome) for region in regions_of(paths)
            ]
        self.groups: dict[Hashable, list[Path]] = {}
        for path in paths:
            self.groups.setdefault(key(path.outcome), []).append(path)
        self.values: list[Value] = [{}]
        self.numbers: dict[Any, int] = {frozenset(): 0}
        for value in {x for pair in steps for x in pair}:
            whole = total(self._measured(group, dict.fromkeys(range(n), value)) for group in self.groups.values())
            if whole != ONE:
                raise ArithmeticError("the probabilities of all paths do not sum to 1")

    def _measured(self, group: Sequence[Path], entries: dict[int, int]) -> Value:
        vector = [entries.get(place, 0) for place in range(self.n)]
        return total(self.measure.probability(closed(path, vector)) for path in group)

    def pairs(self) -> Iterator[tuple[int, int, str]]:
        """Yield each kind of pair of probabilities on neighbours, by number, and its outcome in words."""
        for group in self.groups.values():
            classes = interchangeable(group)
            known: dict[Any, int] = {}
            kinds = [list(combinations_with_replacement(self.steps, len(places))) for places in classes]
            words = show(group[0].outcome)
            seen: set[tuple[int, int]] = set()
            for chosen in choices(*kinds):
                p, q = (self._number(group, classes, chosen, side, known) for side in (0, 1))
                if p != q and (p, q) not in seen:
                    seen.add((p, q))
                    yield p, q, words

    def _number(
        self, group: Sequence[Path], classes: Sequence[Sequence[int]], chosen: Any, side: int, known: dict[Any, int]
    ) -> int:
        entries = tuple(tuple(sorted(step[side] for step in steps)) for steps in chosen)
        if entries not in known:
            placed = {
                place: value
                for places, row in zip(classes, entries, strict=True)
                for place, value in zip(places, row, strict=True)
            }
            value = self._measured(group, placed)
            name = frozenset(value.items())
            if name not in self.numbers:
                self.numbers[name] = len(self.values)
                self.values.append(value)
            known[entries] = self.numbers[name]
        return known[entries]

    def every(self) -> OrbitReport:
        """Decide epsilon-privacy for every epsilon."""
        if self.units.power != 1:
            raise Unauditable("no scale that decides the outcome is of the form c/epsilon")
        cases = {(p, q): words for p, q, words in self.pairs()}
        step = self.units.rates * self.units.lengths
        for epsilon in TRIED[:3]:
            found = self._broken(cases, epsilon)
            if found is not None:
                return OrbitReport("refuted", len(cases), epsilon, found)
        for p, q in cases:
            if not nowhere_negative(total([scaled(self.values[q], 1, step), scaled(self.values[p], -1)])):
                return OrbitReport("undecided", len(cases))
        return OrbitReport("verified", len(cases))

    def _broken(self, cases: dict[tuple[int, int], str], epsilon: Fraction) -> str | None:
        exponentials = Exponentials()
        h = self.units.h(epsilon)
        bounds = [exponentials.enclose(at(value, h)) for value in self.values]
        high = Epsilon.of(epsilon).exp_bounds(128)[1]
        return next((words for (p, q), words in cases.items() if bounds[p][0] > high * bounds[q][1]), None)

    def at(self, epsilon: Fraction) -> OrbitReport:
        """Decide epsilon-privacy at one epsilon, and find the least."""
        cases = {(p, q): words for p, q, words in self.pairs()}
        known = Probabilities(self.units.h(epsilon))
        numbers = [known.number(value) for value in self.values]
        claimed = Epsilon.of(epsilon)
        low, high = claimed.exp_bounds(128)
        least_low = least_high = Fraction(1)
        event: str | None = None
        top = 0.0
        for (p, q), words in cases.items():
            (p_lo, p_hi), (q_lo, q_hi) = known.bounds[numbers[p]], known.bounds[numbers[q]]
            if q_hi == 0:
                return OrbitReport("refuted", len(cases), epsilon, words, (Epsilon.of(0), None))
            ratio = float(p_lo / q_hi)
            if ratio > top * (1 - 1e-9):
                top = max(top, ratio)
                least_low, least_high = max(least_low, p_lo / q_hi), max(least_high, p_hi / q_lo)
            if p_hi <= low * q_lo:
                continue
            over = p_lo > high * q_hi
            if over or known.exponentials.sign(minus(known.sums[numbers[p]], known.sums[numbers[q]], claimed)) > 0:
                event = event or words
        verdict = "verified" if event is None else "refuted"
        return OrbitReport(verdict, len(cases), epsilon, event, (Epsilon.ln(least_low), Epsilon.ln(least_high)))


def interchangeable(group: Sequence[Path]) -> list[list[int]]:
    """Return the entries that paths depend on, in classes of those that may be exchanged: by that, the paths become one
    another, up to the names of their noise variables."""
    entries = sorted({-1 - name for path in group for item in path.inequalities for name, _ in item.form if name < 0})
    classes: list[list[int]] = []
    for entry in entries:
        for places in classes:
            if all(_exchanged(path, places[0], entry) for path in group):
                places.append(entry)
                break
        else:
            classes.append([entry])
    return classes


def _exchanged(path: Path, i: int, j: int) -> bool:
    """Whether a path stays itself where two entries change places, and the variables that are beside them alone do."""
    first, second = -1 - i, -1 - j
    mine, other = _beside(path, first), _beside(path, second)
    if len(mine) != len(other):
        return False
    names = {first: second, second: first, **dict(zip(mine, other, strict=True)), **dict(zip(other, mine, strict=True))}
    if any(path.laws[name] != path.laws[names[name]] for name in mine):
        return False
    return {item.renamed(names) for item in path.inequalities} == set(path.inequalities)


def _beside(path: Path, symbol: int) -> list[int]:
    """Return the noise variables that are in every inequality with this entry, and in none without it."""
    near = [{name for name, _ in item.form} for item in path.inequalities if symbol in dict(item.form)]
    far = {name for item in path.inequalities if symbol not in dict(item.form) for name, _ in item.form}
    return sorted(name for name in set.union(*near) - far if name >= 0)
