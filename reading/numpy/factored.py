"""Laws of tuples of independent coordinates, kept as their factors."""

from dataclasses import dataclass
from math import prod

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.exact.outcome import show


@dataclass(frozen=True, slots=True)
class Factored:
    """The law of a tuple of independent coordinates, one part for each.

    Claims: equal iff the parts are equal one by one; without tails this is equality of the joint laws.
    Raises: InputError unless the parts are a tuple of laws.
    """

    parts: tuple[Dist, ...]

    def __post_init__(self) -> None:
        valid = type(self.parts) is tuple and all(type(part) is Dist for part in self.parts)
        need(valid, self.parts, "a tuple of laws", "write Factored((law, law))")

    def __len__(self) -> int:
        """The number of coordinates."""
        return len(self.parts)

    def __bool__(self) -> bool:
        raise TypeError("a law has no truth value; ask len(law) or law == other")

    def expand(self, *, limit: int = 100_000) -> Dist:
        """The joint law, over tuples of one outcome for each coordinate.

        Raises: InputError where it would have more than `limit` outcomes.
        """
        size = prod(len(part) for part in self.parts)
        need(size <= limit, f"{show(size)} outcomes", f"at most {limit:,}", "cancel equal coordinates first")
        return self.parts[0].product(*self.parts[1:]) if self.parts else Dist.point(())

    def cancel(self, other: "Factored") -> "tuple[Factored, Factored]":
        """Return both laws without the coordinates whose laws are equal, with tail 0; the divergence stays the same.

        Claims: an equal factor r leaves every hockey-stick divergence as it is, as r >= 0 and r sums to 1:
                sum over x, y of max(0, p(x) r(y) - E q(x) r(y)) = sum over x of max(0, p(x) - E q(x)).
                A factor with a tail stays: laws that agree where enumerated may differ in their tails.
        Raises: InputError unless both have the same number of coordinates.
        """
        matches = type(other) is Factored and len(self) == len(other)
        need(matches, other, f"a law of {len(self)} coordinates", "give both laws the same coordinates")
        pairs = zip(self.parts, other.parts, strict=True)
        kept = [(a, b) for a, b in pairs if a.tail_weight or (a is not b and a != b)]
        return Factored(tuple(a for a, _ in kept)), Factored(tuple(b for _, b in kept))
