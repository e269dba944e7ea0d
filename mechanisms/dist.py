"""Computation with laws: named laws, products and mixtures, conditioning, distances and means."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate, islice
from math import comb, lcm, prod
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import exact, need, on_one_denominator, short_text
from dpcert.mechanisms.exact.outcome import key, show


class Dist(Law):
    """A law: outcomes with positive probabilities, and a tail, the probability that was not enumerated.

    Claims: the weights and the tail's weight sum to the denominator; 1, True and 1.0 are three outcomes. Laws
            are equal iff they give each outcome, and the tail, one probability, whatever the denominators.
            Outcomes are copied on the way in and on the way out.
    Build one with `from_weights`, `of`, `from_counts`, `point`, `uniform`, `bernoulli`, `binomial`, `geometric`,
    `poisson`, `mix` or `from_json`.

    Laws of numbers (int or Fraction) add, subtract and multiply, with a number or with an independent law: `die + die`
    is the law of two dice. `<`, `<=`, `>` and `>=` give the law of True and False; `==` asks if two laws are equal.
    """

    __slots__ = ()

    @classmethod
    def of(cls, law: Mapping[Any, object] | Iterable[tuple[Any, object]], *, tail: object = 0) -> "Dist":
        """The law of a mapping, or of pairs, from outcome to probability, each as `exact` takes it.

        Requires: pairs where outcomes such as 1 and True occur: a dict takes them for one.
        Raises:   InputError unless the probabilities are >= 0 and sum, with the tail, to 1.
        """
        pairs = _pairs(law)
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
    def binomial(cls, n: int, p: object) -> "Dist":
        """The law of the number of successes in n trials, each with probability p, as `exact` takes it.

        Raises: InputError unless n is an int >= 0 and 0 <= p <= 1.
        """
        need(type(n) is int and n >= 0, n, "an int >= 0", "give how many are tried")
        once = Law.bernoulli(p)
        up, whole = once.scaled(1).get(key(True), 0), once.denominator
        return cls.from_weights(((v, comb(n, v) * up**v * (whole - up) ** (n - v)) for v in range(n + 1)), whole**n)

    @classmethod
    def geometric(cls, p: object, *, most: int) -> "Dist":
        """The law of the number of failures before a success of probability p, up to `most`; the rest is tail.

        Raises: InputError unless 0 < p <= 1 and `most` is an int >= 0.
        """
        need(type(most) is int and most >= 0, most, "an int >= 0", "give the greatest number to list")
        success = exact(p, "the probability")
        need(0 < success <= 1, success, "a probability in (0, 1]", "check its computation")
        up, whole = success.numerator, success.denominator
        rows = ((v, up * (whole - up) ** v * whole ** (most - v)) for v in range(most + 1))
        return cls.from_weights(rows, whole ** (most + 1))

    @classmethod
    def poisson(cls, mean: object, *, most: int, bits: int = 128) -> "Dist":
        """The law of a Poisson number up to `most`, its probabilities rounded down to 2**-bits; the rest is tail.

        Raises: InputError unless the mean is >= 0 and `most` is an int >= 0.
        """
        need(type(most) is int and most >= 0, most, "an int >= 0", "give the greatest number to list")
        rate = exact(mean, "the mean")
        need(rate >= 0, rate, "a mean >= 0", "check its computation")
        # The upper bound of e^mean gives the lower one of each probability.
        share = 1 / Epsilon.of(rate).exp_bounds(bits + 64)[1]
        rows = []
        for v in range(most + 1):
            rows.append((v, (share.numerator << bits) // share.denominator))
            share = share * rate / (v + 1)
        return cls.from_weights(rows, 1 << bits)

    @classmethod
    def from_counts(cls, counts: Mapping[Any, int] | Iterable[tuple[Any, int]]) -> "Dist":
        """The law of drawing one counted item; counts are a mapping, a series of pandas or pairs of outcome and count.

        Raises: InputError unless the counts are integers >= 0, of Python or numpy, not all 0.
        """
        rows = [(outcome, count.tolist() if hasattr(count, "dtype") else count) for outcome, count in _pairs(counts)]
        total = sum(weight for _, weight in rows if type(weight) is int)
        need(total > 0, "no counts", "ints >= 0, not all 0", "count something")
        return cls.from_weights(rows, total)

    @classmethod
    def from_array(cls, values: Any) -> "Dist":
        """The law of drawing one entry of an array of numpy, or of a series of pandas, as Python's own values.

        Raises: InputError for other types, and where there are no entries.
        """
        need(
            hasattr(values, "tolist"), values, "an array of numpy or a series of pandas", "write Dist.uniform of a list"
        )
        return cls.uniform(values.tolist())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Dist":
        """The law that `to_json` wrote.

        Raises: InputError for other data.
        """
        known = set(data) == {"law", "tail"} and isinstance(data["law"], list)
        need(known, "data of another form", "law and tail, as `to_json` writes them", "write it anew")
        rows = [(shown, p) for shown, p in data["law"]]
        plain = all(type(shown) in (int, str, bool, type(None)) for shown, _ in rows)
        need(plain, "an outcome of another kind", "ints, texts, truth values or None", "map the outcomes first")
        return cls.of(rows, tail=data["tail"])

    @classmethod
    def mix(cls, parts: Iterable[tuple[object, "Dist"]]) -> "Dist":
        """The law of drawing one of the laws by its probability, as `exact` takes it, and then from that law.

        Raises: InputError unless the probabilities are >= 0 and sum to 1.
        """
        pairs = list(parts)
        choice = cls.of((place, p) for place, (p, _) in enumerate(pairs))
        return choice.bind(lambda place: pairs[place][1])

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
        _, weight = self._rows.get(key(outcome), (None, 0))
        return Fraction(weight, self.denominator)

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
        """The least and the greatest total variation that the two laws can have, whatever outcomes their tails have.

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

    def mean(self) -> Fraction:
        """The mean of the outcomes. Raises: InputError as `expectation`."""
        return self.expectation()

    def variance(self) -> Fraction:
        """The mean of the squared distance to the mean. Raises: InputError as `expectation`."""
        mean = self.expectation()
        return self.expectation(lambda value: (value - mean) ** 2)

    def cdf(self, value: int | Fraction) -> Fraction:
        """The enumerated probability of outcomes <= value.

        Raises: InputError unless the outcomes and the value are numbers.
        """
        return (self <= value).prob(True)

    def quantile(self, level: object) -> Any:
        """The least outcome x for which P(outcome <= x) is at least the level, as `exact` takes it.

        Raises: InputError where the tail is positive, an outcome is no number, or the level is not in (0, 1].
        """
        self._need_no_tail("quantile")
        asked = exact(level, "the level")
        need(0 < asked <= 1, asked, "a level in (0, 1]", "write for instance '1/2'")
        rows = sorted((_number(outcome), weight) for _, outcome, weight in self.weights())
        sums = accumulate(weight for _, weight in rows)
        return next(value for (value, _), total in zip(rows, sums, strict=True) if total >= asked * self.denominator)

    def sample(self, coins: Coins) -> Any:
        """An outcome drawn from these coins, in one draw: `dpcert.system_coins()`, or seeded ones for tests.

        Raises: InputError where the tail is positive.
        """
        self._need_no_tail("sample", "list the outcomes that are left")
        place, total = coins.below(self.denominator), 0
        for _, outcome, weight in self.weights():
            total += weight
            if place < total:
                return outcome
        raise AssertionError("weights that do not sum to the denominator")

    def to_json(self) -> dict[str, Any]:
        """The law as JSON data: pairs of outcome and probability, as texts p/q, and the tail.

        Raises: InputError where an outcome is no int, text, truth value or None.
        """
        plain = all(type(outcome) in (int, str, bool, type(None)) for outcome in self.outcomes())
        need(plain, "an outcome of another kind", "ints, texts, truth values or None", "map the outcomes first")
        return {"law": [[x, f"{p.numerator}/{p.denominator}"] for x, p in self.items()], "tail": str(self.tail)}

    def columns(self) -> dict[str, list[Any]]:
        """The outcomes, and their probabilities as floats, as columns for `pandas.DataFrame` or numpy arrays."""
        return {"outcome": list(self.outcomes()), "probability": [float(p) for _, p in self.items()]}

    def __getitem__(self, outcome: Any) -> Fraction:
        """The enumerated probability of this outcome, as `prob`."""
        return self.prob(outcome)

    def __iter__(self) -> Iterator[Any]:
        """Each outcome of positive probability."""
        return self.outcomes()

    def _with(self, other: object, f: Callable[[Any, Any], Any]) -> "Dist":
        """The law of f(outcome, other), where `other` is a number or an independent law."""
        if type(other) is Dist:
            return self.bind(lambda x: other.map(lambda y: f(_number(x), _number(y))))
        value = _number(other)
        return self.map(lambda x: f(_number(x), value))

    def __add__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x + y)

    def __radd__(self, other: object) -> "Dist":
        return self + other

    def __sub__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x - y)

    def __rsub__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: y - x)

    def __mul__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x * y)

    def __rmul__(self, other: object) -> "Dist":
        return self * other

    def __neg__(self) -> "Dist":
        return self * -1

    def __lt__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x < y)

    def __le__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x <= y)

    def __gt__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x > y)

    def __ge__(self, other: object) -> "Dist":
        return self._with(other, lambda x, y: x >= y)

    def __array__(self, *_: object, **__: object) -> Any:
        raise TypeError("a law is no array; write numpy.array(law.columns()['probability']), rounded to floats")

    def _need_no_tail(self, verb: str, remedy: str = "write the loop that leaves it as coins.loop") -> None:
        need(not self.tail_weight, self.tail, f"a tail of 0 for {verb}", remedy)

    def __len__(self) -> int:
        """The number of outcomes of positive probability."""
        return len(self._rows)

    def __bool__(self) -> bool:
        raise TypeError("a law has no truth value; ask len(law), law.prob(outcome) or law == other")

    def __repr__(self) -> str:
        rows = [f"{show(outcome)}: {short_text(p)}" for outcome, p in islice(self.items(), 8)]
        more = f", ... {len(self) - 8} more" if len(self) > 8 else ""
        return f"Dist({', '.join(rows)}{more}; tail {short_text(self.tail)})"


def _pairs(source: Any) -> list[tuple[Any, Any]]:
    """The pairs of a mapping or a series of pandas, or the given pairs.

    Raises: InputError for a source without pairs, such as a scipy distribution, whose probabilities are floats.
    """
    remedy = "write Dist.binomial, Dist.geometric or Dist.poisson, or each outcome with its exact probability"
    need(not hasattr(source, "pmf") and hasattr(source, "__iter__"), source, "pairs of outcome and number", remedy)
    rows = list(source.items() if hasattr(source, "items") else source)
    whole = all(type(row) in (tuple, list) and len(row) == 2 for row in rows)
    need(whole, source, "pairs of outcome and number", "use zip, or Dist.uniform of outcomes alone")
    return [(outcome, number) for outcome, number in rows]


def _number(value: object) -> Any:
    """The value itself, an int or a Fraction.

    Raises: InputError for anything else.
    """
    remedy = "write a Fraction, or map the outcomes first"
    need(type(value) in (int, Fraction), value, "int or Fraction to compute with", remedy)
    return value


def as_law(value: Dist) -> Dist:
    """The value itself, a law.

    Raises: InputError for anything else.
    """
    need(type(value) is Dist, value, "a law", "wrap an outcome as Dist.point(outcome)")
    return value
