"""Laws: the exact distributions of outcomes, as integer weights over one common denominator.

Computations with laws that no verdict needs are in `mechanisms/dist.py`.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from typing import Any, Self

from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.exact.outcome import canonical, fresh, int_bytes, key


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Law:
    """A law: outcomes with positive probabilities, and a tail, the probability that was not enumerated.

    Claims: the weights and the tail's weight sum to the denominator; 1, True and 1.0 are three outcomes. Laws
            are equal iff they give each outcome, and the tail, one probability, whatever the denominators.
            Outcomes are copied on the way in and on the way out.
    Build one with `from_weights`, `bernoulli` or `like`.
    """

    _rows: dict[Hashable, tuple[Any, int]]
    denominator: int
    tail_weight: int

    @classmethod
    def from_weights(cls, pairs: Iterable[tuple[Any, int]], denominator: int) -> Self:
        """The law that gives each outcome its weight / denominator; the rest of the denominator is the tail.

        Claims: equal outcomes are merged, zero weights dropped, the order of first appearance kept.
        Raises: InputError unless the weights are ints >= 0 that sum to at most the denominator, an int >= 1;
                Unauditable for an outcome outside the registry.
        """
        valid = type(denominator) is int and denominator >= 1
        need(valid, denominator, "a denominator that is an int >= 1", "count all mass in one unit")
        rows: dict[Hashable, tuple[Any, int]] = {}
        rest = denominator
        for outcome, weight in pairs:
            need(type(weight) is int and weight >= 0, weight, "weights that are ints >= 0", "use Dist.of")
            if weight:
                name = key(outcome)
                known = rows.get(name)
                rows[name] = (fresh(outcome), weight) if known is None else (known[0], known[1] + weight)
                rest -= weight
        need(rest >= 0, "weights that sum to more", "at most the denominator", "raise it or scale the weights")
        return cls(rows, denominator, rest)

    @classmethod
    def like(cls, law: "Law") -> Self:
        """The same law, as one of this class."""
        return cls(law._rows, law.denominator, law.tail_weight)

    @classmethod
    def bernoulli(cls, p: object) -> Self:
        """The law of True with probability p, as `exact` takes it, and of False otherwise.

        Raises: InputError unless 0 <= p <= 1.
        """
        q = exact(p, "the probability")
        need(0 <= q <= 1, q, "a probability in [0, 1]", "check its computation")
        return cls.from_weights([(True, q.numerator), (False, q.denominator - q.numerator)], q.denominator)

    @property
    def tail(self) -> Fraction:
        """The probability that was not enumerated; how it is spread over outcomes is not known."""
        return Fraction(self.tail_weight, self.denominator)

    def weights(self) -> Iterator[tuple[Hashable, Any, int]]:
        """Each outcome's key, the outcome, and its weight over `denominator`."""
        return ((name, fresh(outcome), weight) for name, (outcome, weight) in self._rows.items())

    def unzipped(self) -> tuple[list[Hashable], list[int]]:
        """The outcomes' keys, and their weights in the same order."""
        return list(self._rows), [weight for _, weight in self._rows.values()]

    def scaled(self, factor: int) -> dict[Hashable, int]:
        """Each outcome's key with its weight times the factor."""
        return {name: weight if factor == 1 else weight * factor for name, (_, weight) in self._rows.items()}

    def digest(self) -> str:
        """The SHA-256, in hexadecimal, of the law as represented: denominator, tail, outcomes and weights.

        Claims: the order of the outcomes does not matter. One law over two denominators, 1:1 and 2:2, has two
                digests: equal programs give equal ones, and no common divisors of long numbers are computed.
        """
        rows = sorted((canonical(outcome), int_bytes(weight)) for outcome, weight in self._rows.values())
        hashed = sha256(b"law")
        for chunk in (int_bytes(self.denominator), int_bytes(self.tail_weight), *chain(*rows)):
            hashed.update(b"%d:%b" % (len(chunk), chunk))
        return hashed.hexdigest()

    def __eq__(self, other: object) -> bool:
        """Whether the two laws give the same probability to each outcome, and to the tail."""
        if not isinstance(other, Law):
            return NotImplemented
        p, q = self.denominator, other.denominator
        return self.scaled(q) == other.scaled(p)

    def __hash__(self) -> int:
        return hash(frozenset(self._rows))
