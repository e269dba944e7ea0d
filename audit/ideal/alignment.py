"""Alignments and their check: shifts of the noise that take a program's regions on one input into those on a neighbour.

A shift s takes a source region into a target region with the same outcome: wherever x is in the source, x + s is in the
target, and what is released there is the same. The source's part of the law is then at most e^cost times the target's:
x -> x + s moves the density of Laplace or logistic noise of rate r by at most a factor e^(r |s|), and that of
exponential or Gumbel noise by at most e^(r s) for s >= 0. Sources of one outcome have different targets, so their
images do not overlap, and the greatest cost bounds epsilon for the pair of inputs. All is checked by substitution, but
for an inequality of the target that the source does not have: that it is implied is a question without solutions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.linear import possible
from dpcert.audit.ideal.noise import Law
from dpcert.audit.ideal.outcomes import Noisy, Rounded, noisy_parts, with_parts
from dpcert.audit.ideal.run import Inequality, Path, supports
from dpcert.audit.ideal.terms import Number
from dpcert.mechanisms.exact.outcome import key

BOTH_WAYS, UPWARDS = frozenset({"laplace", "logistic"}), frozenset({"exponential", "gumbel"})
"""The noise that may be shifted by any number, and by numbers >= 0, at a cost of its rate times that."""
Move = dict[int, Number]
"""By how much each number of an open input differs, by its variable."""
HOLE = Noisy((), Fraction(0))
"""Stands for a released number in an outcome; no program returns it."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the space of all noise on which a program has one outcome: where all inequalities hold.

    `weight` is the probability of the draws from finitely many values that lead there.
    """

    laws: tuple[Law, ...]
    inequalities: tuple[Inequality, ...]
    outcome: Any
    weight: Fraction = Fraction(1)

    @classmethod
    def of(cls, path: Path) -> Region:
        """Return the region that one path is."""
        return cls(path.laws, path.inequalities, path.outcome, path.weight)

    def parts(self) -> list[Noisy | Rounded]:
        """Return the noisy numbers that are released."""
        return list(noisy_parts(self.outcome))

    def outline(self) -> Hashable:
        """Return what regions of one outcome have in common: all of it but for the noisy numbers."""
        return key(with_parts(self.outcome, lambda part: HOLE))

    def names(self) -> set[int]:
        """Return the noise variables that decide the region, or are released."""
        forms = [item.form for item in self.inequalities] + [part.terms for part in self.parts()]
        return {name for form in forms for name, _ in form if name >= 0}


@dataclass(frozen=True, slots=True)
class Step:
    """The regions of a program on an input, and those on a neighbour of it."""

    sources: tuple[Region, ...]
    targets: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A shift of the noise, by variable, that takes a source region of a step into a target: positions, all of them."""

    step: int
    source: int
    target: int
    shift: tuple[tuple[int, Fraction], ...]


def check_alignments(steps: Sequence[Step], alignments: Sequence[Alignment]) -> tuple[Fraction, int]:
    """Return the bound of epsilon that alignments give for all steps, in units of epsilon^power, and that power.

    Raises: ArithmeticError where a region has no alignment, or one that is none.
    """
    found = {(each.step, each.source): each for each in alignments}
    bound, powers = Fraction(0), set()
    for place, step in enumerate(steps):
        taken: set[int] = set()
        for number, source in enumerate(step.sources):
            alignment = found.get((place, number))
            if alignment is None or not 0 <= alignment.target < len(step.targets):
                raise ArithmeticError("a region has no alignment")
            if alignment.target in taken:
                raise ArithmeticError("two regions are taken into the same one")
            taken.add(alignment.target)
            shift = dict(alignment.shift)
            bound = max(bound, cost_of(source, step.targets[alignment.target], shift))
            powers |= {source.laws[name].rate.power for name in shift}
    if len(powers) > 1:
        raise ArithmeticError("scales of the form c/epsilon beside plain numbers")
    return bound, max(powers, default=0)


def cost_of(source: Region, target: Region, shift: dict[int, Fraction]) -> Fraction:
    """Return what a shift of the noise costs, in units of epsilon^power.

    Raises: ArithmeticError where it does not take the source into the target with the same outcome.
    """
    used = source.names() | target.names() | set(shift)
    if any(source.laws[name : name + 1] != target.laws[name : name + 1] for name in used) or min(used, default=0) < 0:
        raise ArithmeticError("an alignment between noise of different laws")
    if any(name >= len(source.laws) for name in used) or source.weight > target.weight:
        raise ArithmeticError("an alignment to what is less likely")
    for item in target.inequalities:
        moved = sum(c * shift.get(name, 0) for name, c in item.form)
        if not _implied(source, replace(item, threshold=item.threshold - moved)):
            raise ArithmeticError("an alignment leaves its region")
    if source.outline() != target.outline():
        raise ArithmeticError("an alignment to another outcome")
    for part, other in zip(source.parts(), target.parts(), strict=True):
        moved = sum(c * shift.get(name, 0) for name, c in other.terms)
        if replace(other, offset=other.offset + moved) != part:
            raise ArithmeticError("an alignment changes the outcome")
    for name, s in shift.items():
        if source.laws[name].kind not in BOTH_WAYS | UPWARDS:
            raise ArithmeticError(f"{source.laws[name].kind} noise has no bound for a shift")
        if source.laws[name].kind in UPWARDS and s < 0:
            raise ArithmeticError("an alignment shifts noise down that is shifted up only")
    return sum((source.laws[name].rate.factor * abs(s) for name, s in shift.items()), Fraction(0))


def _implied(region: Region, item: Inequality) -> bool:
    """Whether an inequality holds in all of a region."""
    side = 1 if item.above else -1
    alike = [own for own in region.inequalities if (own.form, own.above) == (item.form, item.above)]
    if any(side * own.threshold >= side * item.threshold for own in alike):
        return True
    names = {name for own in (*region.inequalities, item) for name, _ in own.form}
    rows = [own.inward() for own in region.inequalities]
    outside = replace(item, above=not item.above)
    return not possible([*rows, outside.inward(), *supports(region.laws, names)])


def moved(region: Region, move: Move) -> Region:
    """Return a region of open inputs at the inputs that are moved by so much, each by its variable."""

    def by(form: Sequence[tuple[int, Number]]) -> Number:
        return sum(c * move.get(name, 0) for name, c in form if name < 0)

    items = tuple(replace(item, threshold=item.threshold - by(item.form)) for item in region.inequalities)
    outcome = with_parts(region.outcome, lambda part: replace(part, offset=part.offset + by(part.terms)))
    return replace(region, inequalities=items, outcome=outcome)
