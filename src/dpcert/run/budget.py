"""A privacy budget in a file: a certified bound of the spent part, and a filter that refuses a use beyond the whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from dpcert.audit.accounting import basic
from dpcert.audit.claim_profile import ClaimProfile
from dpcert.audit.composition import Canonical, Pair, composed
from dpcert.audit.hull import Hull
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Verified
from dpcert.audit.profile import BITS, Profile
from dpcert.audit.relations import relation
from dpcert.audit.uses import Use, pair_of
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import from_hex, hex_text
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.run.lock.lockfile import alone
from dpcert.targets.files import file_errors, json_of, replace_file

SCHEMA = "dpcert.budget/2"
OLDER = "dpcert.budget/1"
By = Literal["profiles", "basic"]
MOST_BITS = 1 << 20
"""The most bits of a profile that is written as it is; a longer one is rounded up."""
ROUNDED = 512


class BudgetExceeded(InputError):
    """A use would exceed the budget; nothing was spent."""


@dataclass(frozen=True)
class Spent:
    """The spent part of a budget: at most `delta` at the budget's epsilon; at most `epsilon` at its delta.

    Both are certified upper bounds; `rounds` is the number of uses. The filter compares delta alone. The search for
    epsilon takes far longer, so it runs only where a caller reads `epsilon`.
    """

    delta: Fraction
    rounds: int
    find: Callable[[], Fraction | None] = field(repr=False, compare=False)

    @cached_property
    def epsilon(self) -> Fraction | None:
        """The epsilon that was spent at the budget's delta; None where no epsilon is enough."""
        return self.find()


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair that bounds a use, the number of such uses, and a note on their purpose."""

    pair: Profile | Canonical
    times: int
    note: str


class Budget:
    """A budget of epsilon and delta for one neighbour relation, in a file that several processes may use at once.

    With "profiles", the default, uses compose by their privacy profiles. Earlier results may then decide which
    mechanism is used, but not the profiles or their number. With "basic", epsilons and deltas of guarantees add up, and
    earlier results may decide everything: this is a filter as in Rogers, Roth, Ullman, Vadhan 2016, Theorem 3.6.
    """

    def __init__(self, path: Path, guarantee: ApproxDP, neighbours: str, by: By) -> None:
        self.path, self.guarantee, self.neighbours, self.by = path, guarantee, neighbours, by

    @classmethod
    def create(
        cls, path: str | Path, *, epsilon: object, delta: object, neighbours: object, by: By = "profiles"
    ) -> Budget:
        """Write an unspent budget, for a relation by name, or one of the user's own.

        Raises: InputError where the relation is unknown, or the file exists already or cannot be written.
        """
        budget = cls(Path(path), ApproxDP(epsilon, delta), relation(neighbours).name, by)
        if by not in ("profiles", "basic"):
            raise InputError(given=f"by={by!r}", needed="'profiles' or 'basic'", remedy="name one of them")
        with alone(budget.path.parent):
            if budget.path.exists():
                raise InputError(given=f"{path}, which is there", needed="a new file", remedy="use Budget.open")
            budget._write([])
        return budget

    @classmethod
    def open(cls, path: str | Path) -> Budget:
        """Return the budget in a file.

        Raises: InputError where the file holds none.
        """
        data = _read(Path(path))
        guarantee = ApproxDP(data["epsilon"], from_hex(data["delta"], "delta"))
        return cls(Path(path), guarantee, data["neighbours"], data["by"])

    def spent(self) -> Spent:
        """Return the part that is spent until now, computed from the uses in the file."""
        return self._spent(self._entries())

    def entries(self) -> list[Entry]:
        """Return the uses in the file, in order."""
        return self._entries()

    def require(self, neighbours: object) -> None:
        """Return if this is the budget's relation.

        Raises: InputError for another.
        """
        name = relation(neighbours).name
        if name != self.neighbours:
            needed = f"{self.neighbours}, the relation of the budget {self.path}"
            remedy = "nothing was spent; keep a budget for each relation"
            raise InputError(given=f"a use for {name} neighbours", needed=needed, remedy=remedy)

    def spend(self, use: Use, times: int = 1, *, neighbours: object = None, note: str = "") -> Spent:
        """Record, before a mechanism runs, that it is used `times` times, and return the spent part with these uses.

        A verdict, and the profile of a claim, know their relation; for other uses pass `neighbours`.

        Raises: BudgetExceeded where these uses exceed the budget; InputError for another object, for `times` below 1,
                or for another relation than the budget's. Then nothing is spent.
        """
        if type(times) is not int or times < 1:
            raise InputError(given=f"{times} uses", needed="an int >= 1", remedy="give how many there are")
        if self.by == "basic" and (isinstance(use, ClaimProfile) or not isinstance(pair_of(use), Canonical)):
            remedy = "pass the guarantee, such as ApproxDP('1/2', '1e-6')"
            raise InputError(given="a profile", needed="a guarantee: epsilons and deltas add up here", remedy=remedy)
        pair = _written(pair_of(use))
        if isinstance(use, ClaimProfile | Verified):
            self.require(use.claim.neighbours)
        elif neighbours is None:
            needed, remedy = "the relation that it is for", f"pass neighbours={self.neighbours!r}, if it is that"
            raise InputError(given=f"a {type(use).__name__}", needed=needed, remedy=remedy)
        if neighbours is not None:
            self.require(neighbours)
        with alone(self.path.parent):
            entries = [*self._entries(), Entry(pair, times, note)]
            spent = self._spent(entries)
            if spent.delta > self.guarantee.delta:
                given = f"{times} {'use' if times == 1 else 'uses'} more than the budget allows"
                needed = f"at most {self.guarantee} in all"
                raise BudgetExceeded(given=given, needed=needed, remedy="nothing was spent; ask for less")
            self._write(entries)
        return spent

    def _entries(self) -> list[Entry]:
        return [_entry(row) for row in _read(self.path)["entries"]]

    def _write(self, entries: Sequence[Entry]) -> None:
        data = {
            "schema": SCHEMA,
            "epsilon": str(self.guarantee.epsilon),
            "delta": hex_text(self.guarantee.delta),
            "neighbours": self.neighbours,
            "by": self.by,
            "entries": [{"pair": _pair_data(e.pair), "times": e.times, "note": e.note} for e in entries],
        }
        with file_errors(self.path, "a file that can be written", "make room"):
            replace_file(self.path, json.dumps(data, indent=1) + "\n", synced=True)

    def _parts(self, entries: Sequence[Entry]) -> list[tuple[Pair, int]]:
        parts: list[tuple[Pair, int]] = []
        for entry in entries:
            place = next((i for i, (pair, _) in enumerate(parts) if pair == entry.pair), None)
            if place is None:
                parts.append((entry.pair, entry.times))
            else:
                parts[place] = entry.pair, parts[place][1] + entry.times
        return parts

    def _sums(self, entries: Sequence[Entry]) -> tuple[Epsilon, Fraction]:
        return basic((e.pair.epsilon, e.pair.delta, e.times) for e in entries if isinstance(e.pair, Canonical))

    def _spent(self, entries: Sequence[Entry]) -> Spent:
        """Return the spent part for these uses; delta and epsilon come from one composition."""
        rounds = sum(entry.times for entry in entries)
        if not entries:
            return Spent(Fraction(0), 0, lambda: Fraction(0))
        epsilon, delta = self._sums(entries)
        fits = _at_most(epsilon, self.guarantee.epsilon)
        if self.by == "basic":
            return Spent(delta if fits else Fraction(1), rounds, lambda: _upper(epsilon))
        together = composed(self._parts(entries))

        def least() -> Fraction | None:
            ratio = together.ratio_at(self.guarantee.delta).hi
            return None if ratio is None else ln_bounds(ratio, BITS)[1]

        adds_up = fits and all(isinstance(entry.pair, Canonical) for entry in entries)
        if adds_up and delta <= self.guarantee.delta:
            return Spent(delta, rounds, least)
        return Spent(together.delta_at(self.guarantee.epsilon).hi or Fraction(0), rounds, least)


def _upper(epsilon: Epsilon) -> Fraction:
    """Return an epsilon as a number, rounded up."""
    return epsilon.rational + ln_bounds(epsilon.ratio, BITS)[1]


def _at_most(a: Epsilon, b: Epsilon) -> bool:
    return a == b or _upper(a) <= b.rational + ln_bounds(b.ratio, BITS)[0]


def _written(pair: Pair) -> Profile | Canonical:
    """Return the pair as the file has it: rounded up where it is long."""
    if isinstance(pair, Canonical):
        return pair
    if not isinstance(pair, Profile):
        raise InputError(given=f"a {type(pair).__name__}", needed="a profile", remedy="pass dpcert.profile(...)")
    return pair if pair.bits <= MOST_BITS else Hull.of(pair).rounded(ROUNDED, up=True).profile()


_FIELDS = ("p_weights", "q_weights", "p_denominator", "q_denominator", "p_only", "q_only")


def _pair_data(pair: Profile | Canonical) -> dict[str, Any]:
    if isinstance(pair, Canonical):
        return {"epsilon": str(pair.epsilon), "delta": hex_text(pair.delta)}
    values = {name: getattr(pair, name) for name in _FIELDS}
    return {name: list(map(hex, v)) if isinstance(v, tuple) else hex(v) for name, v in values.items()}


def _entry(row: Mapping[str, Any]) -> Entry:
    """Return the entry that JSON data spell out.

    Raises: ValueError, TypeError or KeyError for data of another form.
    """
    pair, times, note = row["pair"], row["times"], row["note"]
    if type(times) is not int or times < 1 or type(note) is not str:
        raise ValueError("a use needs a number and a note")
    if set(pair) == {"epsilon", "delta"}:
        return Entry(Canonical(Epsilon.of(pair["epsilon"]), from_hex(pair["delta"], "delta")), times, note)
    if set(pair) != set(_FIELDS):
        raise ValueError("a use needs a pair")
    p, q = ([int(x, 16) for x in pair[name]] for name in _FIELDS[:2])
    p_denominator, q_denominator, p_only, q_only = (int(pair[name], 16) for name in _FIELDS[2:])
    whole = sum(p) + p_only == p_denominator and sum(q) + q_only == q_denominator and len(p) == len(q)
    if not whole or min([1, *p, *q]) < 1 or min(p_only, q_only) < 0:
        raise ValueError("weights that are no laws")
    return Entry(Profile.from_weights(p, q, p_denominator, q_denominator, p_only, q_only), times, note)


def _read(path: Path) -> dict[str, Any]:
    """Return all data of a budget's file.

    Raises: InputError where the file cannot be read or holds no budget.
    """
    needed, remedy = f"a file of schema {SCHEMA}", "name another, or make one with Budget.create"
    with file_errors(path, needed, remedy, ValueError, TypeError, KeyError, AttributeError):
        data: dict[str, Any] = json_of(path)
        if type(data) is dict and data.get("schema") == OLDER:
            raise ValueError(f"{OLDER}, which does not say for which neighbours it is")
        known = {"schema", "epsilon", "delta", "neighbours", "by", "entries"}
        if type(data) is not dict or set(data) != known or data["schema"] != SCHEMA:
            raise ValueError("another schema")
        if data["by"] not in ("profiles", "basic"):
            raise ValueError("an unknown accounting")
        if type(data["neighbours"]) is not str:
            raise ValueError("a relation that is no name")
        for row in data["entries"]:
            _entry(row)
    return data
