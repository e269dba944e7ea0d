"""RAPPOR: a value's Bloom filter, each bit kept or replaced once for all, and then reported with noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm

from dpcert.mechanisms.coins import summarize
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.literature.bloom import bloom
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability

MAX_OUTCOMES = 2**12
Bits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """The Bloom filter of a value, of `bits` bits by `hashes` hashes; with probability f a fair bit replaces each bit.

    Requires: 0 < f < 1.
    """

    bits: int
    hashes: int
    f: Fraction

    def of(self, value: int) -> Bits:
        """Return the Bloom filter of a value."""
        return bloom(value, bits=self.bits, hashes=self.hashes)


def permanent(bit: int, f: Fraction, coins: Coins) -> int:
    """Return a bit, or with probability f a fair one, in one draw: the first f/2 of it are 1, the last f/2 are 0."""
    a, b = f.numerator, f.denominator
    return int(coins.below(2 * b) < (2 * b - a if bit else a))


def one_time_rappor(at: Filter) -> Callable[[int, Coins], Bits]:
    """Release the filter of a value, each bit of it replaced by a fair one with probability f.

    Claims: (2 hashes ln(2/f - 1), 0)-DP for any two values: their filters differ in at most 2 hashes bits.
    Source: Erlingsson, Pihur and Korolova 2014, Theorem 1; the benchmark's OneTimeRAPPOR.
    """
    return lambda value, coins: tuple(permanent(bit, at.f, coins) for bit in at.of(value))


@dataclass(frozen=True, slots=True)
class Reporting:
    """A filter whose bits are reported as 1 with probability p where they are 0, and q where they are 1, `times` over.

    Requires: 0 < p < q < 1, times >= 1.
    """

    filter: Filter
    p: Fraction
    q: Fraction
    times: int

    def ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """Return the ratio of the probabilities of `times` answers of one kind from the two bits of the filter.

        `one` and `other` are the probabilities of one such answer from either bit after it was kept or replaced.
        """
        most, least, other_bit = one**self.times, other**self.times, self.filter.f / 2
        return ((1 - other_bit) * most + other_bit * least) / (other_bit * most + (1 - other_bit) * least)

    def loss(self) -> Fraction:
        """Return the claimed e^epsilon, for `hashes` bits that are set for one value, and as many for the other."""
        return (self.ratio(self.q, self.p) * self.ratio(1 - self.p, 1 - self.q)) ** self.filter.hashes


def report(bit: int, at: Reporting, coins: Coins) -> int:
    """Return a bit that is 1 with probability q where it was 1, and p where it was 0, in a draw alike for both."""
    bound = lcm(at.p.denominator, at.q.denominator)
    return int(coins.below(bound) < int(bound * (at.q if bit else at.p)))


def rappor(at: Reporting) -> Callable[[int, Coins], tuple[Bits, ...]]:
    """Release `times` reports on the filter of a value, whose bits are kept or replaced once, before the first.

    Claims: with one report (hashes ln(q* (1 - p*) / (p* (1 - q*))), 0)-DP for any two values, where
            q* = f (p + q) / 2 + (1 - f) q and p* = f (p + q) / 2 + (1 - f) p; and with any number of reports within
            2 hashes ln(2/f - 1), as a function of `one_time_rappor`.
    Source: Erlingsson, Pihur and Korolova 2014, Theorems 1 and 2; the benchmark's RAPPOR.
    """

    @summarize
    def answers(bit: int, coins: Coins) -> Bits:
        kept = permanent(bit, at.filter.f, coins)
        return tuple(report(kept, at, coins) for _ in range(at.times))

    def release(value: int, coins: Coins) -> tuple[Bits, ...]:
        columns = [answers(bit, coins) for bit in at.filter.of(value)]
        return tuple(zip(*columns, strict=True))

    return release


def one_time_rappor_law(at: Filter) -> Callable[[int], Dist]:
    """Return the law of `one_time_rappor` in closed form: 1 - f/2 for each bit as it is, f/2 for each other."""

    def law(value: int) -> Dist:
        kept, found = at.of(value), []
        for row in product((0, 1), repeat=at.bits):
            same = sum(a == b for a, b in zip(row, kept, strict=True))
            found.append((row, (1 - at.f / 2) ** same * (at.f / 2) ** (at.bits - same)))
        return Dist.of(found)

    return law


def rappor_law(at: Reporting) -> Callable[[int], Dist]:
    """Return the law of `rappor` in closed form: for each bit a mixture of two, by how many of its answers are 1."""

    def chance(bit: int, ones: int) -> Fraction:
        parts = [(1 - p) ** (at.times - ones) * p**ones for p in (at.p, at.q)]
        return (1 - at.filter.f) * parts[bit] + at.filter.f * (parts[0] + parts[1]) / 2

    def law(value: int) -> Dist:
        kept, found = at.filter.of(value), []
        for rows in product(product((0, 1), repeat=at.filter.bits), repeat=at.times):
            p = Fraction(1)
            for bit, *answers in zip(kept, *rows, strict=True):
                p *= chance(bit, sum(answers))
            found.append((rows, p))
        return Dist.of(found)

    return law


FILTER = (
    Parameter("f", "19/20", "the probability with which a bit is replaced by a fair one"),
    Parameter("bits", "5", "the number of bits of a filter"),
    Parameter("hashes", "2", "the number of hashes of a value, each of which sets a bit"),
    Parameter("values", "3", "the values are the integers below it"),
)


def filter_of(settings: Mapping[str, str], *, times: int = 1) -> Filter:
    """Return the filter of the textual parameters.

    Raises: InputError for an f outside (0, 1), or where there are more than 4,096 outcomes, 2^(bits times).
    """
    bits, hashes = (integer(settings, name, least=1, greatest=64) for name in ("bits", "hashes"))
    if 2 ** (bits * times) > MAX_OUTCOMES:
        given = f"bits={bits}" + (f", reports={times}" if times > 1 else "")
        raise InputError(given=given, needed=f"at most {MAX_OUTCOMES:,} outcomes, 2^(bits reports)", remedy="lower it")
    return Filter(bits, hashes, probability(settings, "f"))


def reporting_of(settings: Mapping[str, str]) -> Reporting:
    """Return filter and reports of the textual parameters.

    Raises: InputError unless 0 < p < q < 1, and as `filter_of` does.
    """
    times = integer(settings, "reports", least=1, greatest=64)
    p, q = probability(settings, "p"), probability(settings, "q")
    if p >= q:
        raise InputError(given=f"p={settings['p']}, q={settings['q']}", needed="p < q", remedy="exchange the two")
    return Reporting(filter_of(settings, times=times), p, q, times)


def _instance(
    settings: Mapping[str, str], program: Callable[[int, Coins], object], law: Callable[[int], Dist], loss: Fraction
) -> Instance:
    values = integer(settings, "values", least=2, greatest=64)
    return Instance(
        program=program,
        closed_form=law,
        inputs=tuple(range(values)),
        neighbours="any",
        epsilon=Epsilon.ln(loss),
        domain=counts(values - 1, noun="value", raising="values"),
    )


def _build_once(settings: Mapping[str, str]) -> Instance:
    at = filter_of(settings)
    return _instance(settings, one_time_rappor(at), one_time_rappor_law(at), (2 / at.f - 1) ** (2 * at.hashes))


def _build(settings: Mapping[str, str]) -> Instance:
    at = reporting_of(settings)
    return _instance(settings, rappor(at), rappor_law(at), at.loss())


ONE_TIME_RAPPOR = Mechanism(
    name="one-time-rappor",
    words="the Bloom filter of a value, each bit replaced by a fair one with probability f",
    source="Erlingsson, Pihur and Korolova 2014, Theorem 1; the benchmark's OneTimeRAPPOR",
    parameters=FILTER,
    build=_build_once,
)

RAPPOR = Mechanism(
    name="rappor",
    words="reports on one-time-rappor, each bit of it reported as 1 with probability p or q",
    source="Erlingsson, Pihur and Korolova 2014, Theorem 2; the benchmark's RAPPOR",
    parameters=(
        Parameter("f", "3/4", FILTER[0].words),
        Parameter("p", "9/20", "the probability with which a bit that is 0 is reported as 1"),
        Parameter("q", "11/20", "that of a bit that is 1; above p"),
        *FILTER[1:],
        Parameter("reports", "1", "how often the filter is reported"),
    ),
    build=_build,
)
