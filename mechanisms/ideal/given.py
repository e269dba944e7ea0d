"""A run on a given path: the path's inequalities and draws answer its questions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from dpcert.mechanisms.ideal.exact import Weight
from dpcert.mechanisms.ideal.known import Known
from dpcert.mechanisms.ideal.noise import HALF, Law
from dpcert.mechanisms.ideal.path import Form, Path
from dpcert.mechanisms.ideal.terms import Number

Bounds = dict[Form, tuple[Number | None, Number | None]]


def bounds_of(path: Path) -> Bounds:
    """Return between which numbers the forms of a path lie."""
    found: Bounds = {}
    for item in path.inequalities:
        low, high = found.get(item.form, (None, None))
        if item.above:
            low = item.threshold if low is None else max(low, item.threshold)
        else:
            high = item.threshold if high is None else min(high, item.threshold)
        found[item.form] = low, high
    return found


def is_void(path: Path) -> bool:
    """Whether a form of a path lies between no two numbers."""
    return any(low is not None and high is not None and low >= high for low, high in bounds_of(path).values())


class Given(Known):
    """The knowledge of a path; it refuses a run that asks a question which the path leaves open."""

    path: Path

    def follow(self, path: Path) -> None:
        """Begin on a path."""
        self.path = path
        self.inequalities = list(path.inequalities)
        self._bound()

    def _bound(self) -> None:
        """Put the path's inequalities in the place of the bounds known of each form."""
        self.bounds = bounds_of(self.path)
        self.bound = {name for item in self.path.inequalities for name, _ in item.form}
        for derived in self.path.derived:
            low, high = self.bounds.get(((derived.name, 1),), (None, None))
            if derived.factor is None and low is not None and low >= 0:
                self.bounds[((derived.uniform, 1),)] = HALF, None
            elif derived.factor is None and high is not None and high <= 0:
                self.bounds[((derived.uniform, 1),)] = None, HALF

    def fresh(self, law: Law) -> int:
        """Return the name of a fresh noise variable, which is that of the path."""
        place = len(self.laws)
        if self.path.laws[place : place + 1] != (law,):
            self.refuse("other noise than on the path that is given")
        return super().fresh(law)

    def logarithm_of(self, terms: Mapping[int, Number], offset: Number) -> tuple[int, int]:
        """Return the noise that the logarithm of a uniform number is, and the sign that it has in it."""
        halves = {derived.uniform for derived in self.path.derived if derived.factor is None}
        if any(name in halves for item in self.path.inequalities for name, _ in item.form):
            self.refuse("a uniform number beside its own logarithm")
        found = super().logarithm_of(terms, offset)
        self.inequalities = list(self.path.inequalities)
        self._bound()
        return found

    def choose(self, weights: Sequence[Weight]) -> int:
        """Draw the value that is drawn on the path."""
        choice = super().choose(weights)
        self.draws[-1] = self.path.draws[len(self.draws) - 1]
        return choice

    def decide(self, mark: Any, possible: Callable[[], tuple[int, ...]]) -> int:
        """Return the value that is drawn on the path; no comparison is left to decide."""
        place = len(self.drawn)
        if mark[0] != "draw" or place >= len(self.path.draws):
            self.leave_open(mark)
        if mark[1] != self.path.draws[place][1]:
            self.refuse("other draws than on the path that is given")
        return self.path.drawn[place]

    def leave_open(self, mark: Any) -> NoReturn:
        """End the run at a question that the path does not decide."""
        self.refuse("what the path that is given leaves open")
