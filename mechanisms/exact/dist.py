"""Laws: the exact distributions of outcomes, as integer weights over one common denominator."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import chain, islice
from math import lcm, prod
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, on_one_denominator
from dpcert.mechanisms.exact.outcome import canonical, fresh, int_bytes, key, show


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dist:
    """A law: outcomes with positive probabilities, and a tail, the probability that was not enumerated.

    Claims: the weights and the tail's weight sum to the denominator; 1, True and 1.0 are three outcomes. Laws
            are equal iff they give each outcome, and the tail, one probability, whatever the denominators.
            Outcomes are copied on the way in and on the way out.
    Build one with `from_weights`, `of`, `point`, `uniform`, `bernoulli` or `mix`.
    """

    _rows: dict[Hashable, tuple[Any, int]]
    denominator: int
    tail_weight: int

    @classmethod
    def from_weights(cls, pairs: Iterable[tuple[Any, int]], denominator: int) -> "Dist":
        """The law that gives each outcome its weight / denominator; what the weights lack of it is the tail.

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
    def of(cls, law: Mapping[Any, object] | Iterable[tuple[Any, object]], *, tail: object = 0) -> "Dist":
        """The law of a mapping, or of pairs, from outcome to probability, each as `exact` takes it.

        Requires: pairs where outcomes such as 1 and True occur: a dict takes them for one.
        Raises:   InputError unless the probabilities are >= 0 and sum, with the tail, to 1.
        """
        pairs = list(law.items() if isinstance(law, Mapping) else law)
        probs = [exact(p, "a probability") for _, p in pairs]
        left = exact(tail, "the tail")
        least, total = min([left, *probs]), sum(probs, left)
        need(least >= 0, least, "probabilities, and a tail, >= 0", "correct the negative one")
        need(total == 1, total, "probabilities that sum to 1, tail included", "add what is missing")
        (_, *weights), denominator = on_one_denominator([left, *probs])
        return cls.from_weights(zip((outcome for outcome, _ in pairs), weights, strict=True), denominator)

    @classmethod
    def point(cls, outcome: Any) -> "Dist":
        """The law of one certain outcome."""
        return cls.from_weights([(outcome, 1)], 1)

    @classmethod
    def uniform(cls, outcomes: int | Iterable[Any]) -> "Dist":
        """The uniform law of 0, ..., n - 1 for an int n, or of the items given, each as often as it occurs.

        Raises: InputError for n < 1 or no items.
        """
        source = range(outcomes) if type(outcomes) is int else outcomes
        items = list(source) if isinstance(source, Iterable) else []
        need(bool(items), outcomes, "an int >= 1 or an iterable with items", "give at least one outcome")
        return cls.from_weights([(item, 1) for item in items], len(items))

    @classmethod
    def bernoulli(cls, p: object) -> "Dist":
        """The law of True with probability p, as `exact` takes it, and of False otherwise.

        Raises: InputError unless 0 <= p <= 1.
        """
        q = exact(p, "the probability")
        need(0 <= q <= 1, q, "a probability in [0, 1]", "check its computation")
        return cls.from_weights([(True, q.numerator), (False, q.denominator - q.numerator)], q.denominator)

    @classmethod
    def mix(cls, parts: Iterable[tuple[object, "Dist"]]) -> "Dist":
        """The law of drawing one of the laws by its probability, as `exact` takes it, and then from that law.

        Raises: InputError unless the probabilities are >= 0 and sum to 1.
        """
        pairs = list(parts)
        choice = cls.of((place, p) for place, (p, _) in enumerate(pairs))
        return choice.bind(lambda place: pairs[place][1])

    @property
    def tail(self) -> Fraction:
        """The probability that was not enumerated; how it is spread over outcomes is not known."""
        return Fraction(self.tail_weight, self.denominator)

    def weights(self) -> Iterator[tuple[Hashable, Any, int]]:
        """Each outcome's key, the outcome, and its weight over `denominator`."""
        return ((name, fresh(outcome), weight) for name, (outcome, weight) in self._rows.items())

    def scaled(self, factor: int) -> dict[Hashable, int]:
        """Each outcome's key with its weight times the factor."""
        return {name: weight if factor == 1 else weight * factor for name, (_, weight) in self._rows.items()}

    def items(self) -> Iterator[tuple[Any, Fraction]]:
        """Each outcome with its probability."""
        return ((outcome, Fraction(weight, self.denominator)) for _, outcome, weight in self.weights())

    def outcomes(self) -> Iterator[Any]:
        """Each outcome of positive probability."""
        return (outcome for _, outcome, _ in self.weights())

    def prob(self, outcome: Any) -> Fraction:
        """The enumerated probability of this outcome; for an event, use `prob_of`.

        Claims: the true probability is at least this, and at most this plus the tail.
        """
        return Fraction(self._weight(key(outcome)), self.denominator)

    def prob_of(self, predicate: Callable[[Any], object]) -> Fraction:
        """The enumerated probability of the outcomes for which the predicate is true; for one, use `prob`.

        Claims: the true probability is at least this, and at most this plus the tail.
        """
        weight = sum(weight for _, outcome, weight in self.weights() if predicate(outcome))
        return Fraction(weight, self.denominator)

    def map(self, f: Callable[[Any], Any]) -> "Dist":
        """The law of f(outcome), with the same tail."""
        return Dist.from_weights(((f(outcome), weight) for _, outcome, weight in self.weights()), self.denominator)

    def bind(self, f: Callable[[Any], "Dist"]) -> "Dist":
        """The law of drawing an outcome and then from the law f(outcome); the tails of both steps add up.

        Raises: InputError where f returns no law.
        """
        laws = [(as_law(f(outcome)), weight) for _, outcome, weight in self.weights()]
        scale = lcm(*(law.denominator for law, _ in laws))
        rows = ((law._rows.values(), weight * (scale // law.denominator)) for law, weight in laws)
        pairs = ((outcome, w * v) for inner, w in rows for outcome, v in inner)
        return Dist.from_weights(pairs, self.denominator * scale)

    def product(self, *others: "Dist") -> "Dist":
        """The law of the tuple of independent outcomes, of this law and then of the others."""
        rows: list[tuple[tuple[Any, ...], int]] = [((), 1)]
        for law in (self, *others):
            rows = [((*head, last), w * v) for head, w in rows for last, v in as_law(law)._rows.values()]
        return Dist.from_weights(rows, prod(law.denominator for law in (self, *others)))

    def clamp(self, lo: int, hi: int) -> "Dist":
        """The law of min(max(outcome, lo), hi): outer mass moves to the ends; to drop it, use `given`.

        Raises: InputError unless the outcomes, lo and hi are ints and lo <= hi.
        """
        for value in (lo, hi, *self.outcomes()):
            need(type(value) is int, value, "int outcomes, and int ends, to clamp", "map the outcomes to int")
        need(lo <= hi, lo, "a lower end that is at most the upper one", "swap the ends")
        return self.map(lambda value: min(max(value, lo), hi))

    def given(self, predicate: Callable[[Any], object]) -> "Dist":
        """The law conditioned on the predicate: outer mass is dropped; to move it, use `clamp`.

        Raises: InputError where the tail is positive, or the event has probability 0.
        """
        self._need_no_tail("given")
        kept = [(outcome, weight) for _, outcome, weight in self.weights() if predicate(outcome)]
        need(bool(kept), "an event of probability 0", "a positive one to condition on", "check the predicate")
        return Dist.from_weights(kept, sum(weight for _, weight in kept))

    def total_variation(self, other: "Dist") -> Fraction:
        """The largest difference between the two probabilities of one event.

        Raises: InputError where a tail is positive; `total_variation_bounds` takes tails.
        """
        for law in (self, as_law(other)):
            law._need_no_tail("total_variation", "use total_variation_bounds")
        return self.total_variation_bounds(other)[0]

    def total_variation_bounds(self, other: "Dist") -> tuple[Fraction, Fraction]:
        """The least and the greatest total variation that the two laws can have, however their tails lie.

        Raises: InputError unless both are laws.
        """
        p, q = self.denominator, as_law(other).denominator
        others = other.scaled(p)
        excess = sum(max(0, weight - others.get(name, 0)) for name, weight in self.scaled(q).items())
        lo = max(0, excess - other.tail_weight * p)
        return Fraction(lo, p * q), Fraction(excess + self.tail_weight * q, p * q)

    def expectation(self, f: Callable[[Any], int | Fraction] | None = None) -> Fraction:
        """The mean of the outcomes, or of f(outcome).

        Raises: InputError where the tail is positive, or a value is no int or Fraction.
        """
        self._need_no_tail("expectation")
        total = Fraction(0)
        for _, outcome, weight in self.weights():
            value = outcome if f is None else f(outcome)
            need(type(value) in (int, Fraction), value, "int or Fraction values to average", "pass f=")
            total += weight * value
        return total / self.denominator

    def _need_no_tail(self, verb: str, remedy: str = "write the loop that leaves it as coins.loop") -> None:
        need(not self.tail_weight, self.tail, f"a tail of 0 for {verb}", remedy)

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

    def __len__(self) -> int:
        """The number of outcomes of positive probability."""
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        """Whether the two laws give the same probability to each outcome, and to the tail."""
        if type(other) is not Dist:
            return NotImplemented
        p, q = self.denominator, other.denominator
        return self.scaled(q) == other.scaled(p)

    def __hash__(self) -> int:
        return hash(frozenset(self._rows))

    def __bool__(self) -> bool:
        raise TypeError("a law has no truth value; ask len(law), law.prob(outcome) or law == other")

    def __repr__(self) -> str:
        rows = [f"{show(outcome)}: {_brief(p)}" for outcome, p in islice(self.items(), 8)]
        more = f", ... {len(self) - 8} more" if len(self) > 8 else ""
        return f"Dist({', '.join(rows)}{more}; tail {_brief(self.tail)})"

    def _weight(self, name: Hashable) -> int:
        return self._rows.get(name, (None, 0))[1]


def _brief(value: object) -> str:
    """A short text of a number; of a text, itself; of anything else, its type."""
    if type(value) is int or type(value) is Fraction:
        return show(value.numerator) + (f"/{show(value.denominator)}" if type(value) is Fraction else "")
    return value if type(value) is str else f"a value of type {type(value).__qualname__}"


def need(holds: bool, given: object, needed: str, remedy: str) -> None:
    """Raise the InputError of these parts unless a requirement holds."""
    if not holds:
        raise InputError(given=_brief(given), needed=needed, remedy=remedy)


def as_law(value: "Dist") -> "Dist":
    """The value itself, a law.

    Raises: InputError for anything else.
    """
    need(type(value) is Dist, value, "a law", "wrap an outcome as Dist.point(outcome)")
    return value
