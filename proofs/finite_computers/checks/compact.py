"""Checks of the compact histograms of finite-computers, Section 8."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from operator import itemgetter

from dpcert.mechanisms.adapters.fields import is_irreducible
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.finite_computers.compact_costs import costs, exact_ratio
from dpcert.mechanisms.finite_computers.compact_histogram import compact_histogram, compact_histogram_law, counts_of
from dpcert.mechanisms.finite_computers.count_response import count_response, count_response_law
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, geosample_zero, response_zero
from dpcert.mechanisms.finite_computers.fastsample import cutoff
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.hash_family import BinaryFamily, HashFamily, PrimeFamily
from dpcert.proofs.check import check
from dpcert.proofs.finite_computers.checks.empty_bin import beyond
from dpcert.reading.paths.enumerator import enumerate_law


@dataclass(frozen=True, slots=True)
class CompactCase:
    """A compact histogram over GF(4): counts kept with `weight` chances, empty bins as if with `empty` chances."""

    n: int
    universe: int
    weight: int
    empty: int

    def __str__(self) -> str:
        return f"n = {self.n}, |X| = {self.universe}, weights {self.weight} and {self.empty}"

    def people(self) -> Iterator[list[int]]:
        return (list(row) for row in product(range(self.universe), repeat=self.n))

    def neighbours(self) -> Iterator[tuple[list[int], list[int]]]:
        for one, other in product(self.people(), repeat=2):
            if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
                yield one, other

    def bin(self) -> EmptyBin:
        return EmptyBin(response_zero(n=self.n, weight=self.empty), 4)

    def count_law(self) -> Callable[[int], Dist]:
        return count_response_law(n=self.n, weight=self.weight)

    def law(self) -> Callable[[Sequence[int]], Dist]:
        family = BinaryFamily(0, self.universe)
        return compact_histogram_law(n=self.n, family=family, law=self.count_law(), empty=self.bin())


CASES = [
    *(CompactCase(1, universe, weight, empty) for universe in (2, 4) for weight in (1, 2, 3) for empty in (1, 2)),
    *(CompactCase(2, universe, weight, 1) for universe in (2, 3) for weight in (1, 2, 3)),
]


@check("compact-field")
def field_check() -> Iterator[str]:
    """x^(2 * 3^l) + x^(3^l) + 1, the cyclotomic polynomial of 3^(l+1), is irreducible over GF(2).

    That is so iff 2 has order 2 * 3^l modulo 3^(l+1); for l up to 4 the library factors the polynomial as well.
    """
    for exponent in range(41):
        modulus, order = 3 ** (exponent + 1), 2 * 3**exponent
        smaller = [order // 2, *([order // 3] if exponent else [])]
        if pow(2, order, modulus) != 1 or any(pow(2, power, modulus) == 1 for power in smaller):
            yield f"l = {exponent}"
    yield from (f"l = {exponent}: reducible" for exponent in range(5) if not is_irreducible(exponent))


def _families() -> Iterator[tuple[str, HashFamily, int]]:
    """Yield families in words, each with the greatest n for which all its polynomials are listed."""
    yield "GF(4)", BinaryFamily(0, 4), 3
    yield "GF(3)", PrimeFamily(2, 1, 3), 2
    yield "pairs of GF(3)", PrimeFamily(2, 2, 3), 1


@check("compact-independence")
def independence() -> Iterator[str]:
    """The values of a uniform polynomial with n + 1 coefficients on n + 1 labels are uniform; on n + 2 they are not."""
    for words, family, most in _families():
        universe = range(family.universe)
        for n in range(most + 1):
            rows = [family.values(row, universe) for row in product(range(family.size), repeat=n + 1)]
            for size in range(1, family.universe + 1):
                for labels in combinations(universe, size):
                    seen = Counter(tuple(row[label] for label in labels) for row in rows)
                    if (len(seen) == family.size**size and len({*seen.values()}) == 1) != (size <= n + 1):
                        yield f"{words}, n = {n}, labels {labels}"
    large, chosen = BinaryFamily(1, 64), (0, 1, 7, 63)
    rows = [large.values(row, chosen) for row in product(range(64), repeat=2)]
    for one, other in combinations(range(4), 2):
        if len({(row[one], row[other]) for row in rows}) != 64**2:
            yield f"GF(64), n = 1, labels {chosen[one]} and {chosen[other]}"


@check("compact-through")
def through() -> Iterator[str]:
    """Each polynomial of degree at most n with given values on A comes for one R, and for one choice on B - A."""
    for words, family, most in _families():
        for n in range(1, most + 1):
            numbers = range(family.size)
            every = {row: family.values(row, range(family.universe)) for row in product(numbers, repeat=n + 1)}
            for size in range(n + 1):
                labels, more = list(range(size)), list(range(n + 1))
                for values in product(numbers, repeat=size):
                    meant = sorted(row for row, known in every.items() if tuple(known[:size]) == values)
                    free = list(product(numbers, repeat=n + 1 - size))
                    by_multiple = sorted(family.through(labels, values, rest) for rest in free)
                    by_labels = sorted(family.through(more, [*values, *rest], ()) for rest in free)
                    if not meant == by_multiple == by_labels:
                        yield f"{words}, n = {n}, values {values} on {labels}"


@check("compact-law")
def law() -> Iterator[str]:
    """The program of Algorithm 8.2 releases each consistent polynomial with the probability of the proof."""
    return (
        f"{case}: {people}"
        for case in CASES
        for people in case.people()
        if enumerate_law(
            compact_histogram(
                n=case.n,
                family=BinaryFamily(0, case.universe),
                sampler=count_response(n=case.n, weight=case.weight),
                empty=case.bin(),
            ),
            people,
            replay=False,
        ).law
        != case.law()(people)
    )


@check("compact-private")
def private() -> Iterator[str]:
    """The least e^epsilon over all neighbours is that of two bins, and at most that of Theorem 8.3."""
    for case in CASES:
        known = {tuple(people): dict(case.law()(people).items()) for people in case.people()}
        found = max(
            known[tuple(one)][row] / known[tuple(other)][row]
            for one, other in case.neighbours()
            for row in known[tuple(one)]
        )
        law, zero = case.count_law(), case.bin().law()
        if found != exact_ratio(n=case.n, universe=case.universe, law=law, zero=zero):
            yield f"{case}: the least ratio is {found}, and from two bins another one"
        if found > costs(n=case.n, law=law, zero=zero).total:
            yield f"{case}: the least ratio is {found}"


@check("compact-accuracy")
def accuracy() -> Iterator[str]:
    """A label that occurs has its noisy count, an empty one that of M0, each label by itself; so ii and iii."""
    for case in CASES:
        family, empty, law = BinaryFamily(0, case.universe), case.bin(), case.count_law()
        for people in case.people():
            whole = case.law()(people)
            seen = whole.map(partial(_counts, case, family, empty))
            for label in range(case.universe):
                count = people.count(label)
                if seen.map(itemgetter(label)) != (law(count) if count else empty.law()):
                    yield f"{case}: {people}, label {label}"
            for a in range(case.n):
                beta = max(beyond(law(c), c, a) for c in range(case.n + 1))
                beta = max(beta, beyond(empty.law(), 0, a))
                far = seen.map(partial(_greatest_error, people)).prob_of(a.__lt__)
                if far > beta * case.universe:
                    yield f"{case}: {people}, a = {a}: some error is greater with probability {far}"


def _counts(case: CompactCase, family: HashFamily, empty: EmptyBin, row: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(count for _, count in counts_of(row, range(case.universe), family=family, empty=empty))


def _greatest_error(people: list[int], counts: tuple[int, ...]) -> int:
    return max(abs(count - people.count(label)) for label, count in enumerate(counts))


@check("compact-support")
def support() -> Iterator[str]:
    """Lists that differ in one label have at most n + 1 labels in all, of which each lacks at most one.

    That is the most for one difference, and two differences can bring n + 2.
    """
    for n in range(1, 5):
        most = dict.fromkeys(range(n + 1), 0)
        for one, other in product(product(range(4), repeat=n), repeat=2):
            apart = sum(a != b for a, b in zip(one, other, strict=True))
            most[apart] = max(most[apart], len({*one, *other}))
            if apart == 1 and (len({*other} - {*one}) > 1 or len({*one} - {*other}) > 1):
                yield f"{list(one)} and {list(other)}"
        if most[1] != min(n + 1, 4) or (n == 2 and most[2] != n + 2):
            yield f"n = {n}: labels by differences {most}"


@check("domains-matched")
def domains_matched() -> Iterator[str]:
    """The cost of matching the two domains, e2 + e3 of Theorem 8.3, is 0 only if d divides d0, and at most 3 d/d0."""
    for n, k, bits in ((1, 1, 6), (2, 1, 6), (2, 2, 18), (3, 1, 18)):
        zero = geosample_zero(n=n, k=k)
        found = costs(n=n, law=geosample_law(n=n, k=k), zero=EmptyBin(zero, 1 << bits).law())
        lost = found.below * found.above
        if not 1 < lost <= Epsilon.of(Fraction(3 * zero.d, 1 << bits)).exp_bounds(64)[0]:
            yield f"n = {n}, k = {k}, {bits} bits: a factor of {lost}"
        divided = costs(n=n, law=geosample_law(n=n, k=k), zero=EmptyBin(zero, 4 * zero.d).law())
        if divided.below * divided.above != 1:
            yield f"n = {n}, k = {k}, d0 = 4 d: a factor of {divided.below * divided.above}"


def domains(*, n: int, epsilon: Fraction, gamma: Fraction) -> tuple[int, int]:
    """Return d of GeoSample and d of FastSample."""
    k = noise_exponent(epsilon)
    t = cutoff(n=n, epsilon=epsilon, gamma=gamma)
    whole = (n + 1) * (2 ** (k + 1) + 1) * (2**k + 1) ** t / gamma
    return (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1), int(whole)


@check("sampler-domains-differ")
def domains_differ() -> Iterator[str]:
    """The d of GeoSample and of FastSample is never a power of 2: it has an odd factor, 2^(k+1) + 1."""
    return (
        f"n = {n}, epsilon = 1/{m}, gamma = 1/{inverse}"
        for n, m, inverse in product((1, 2, 5, 31), (1, 2, 3, 8, 20), (2, 7, 64))
        for d in domains(n=n, epsilon=Fraction(1, m), gamma=Fraction(1, inverse))
        if d & (d - 1) == 0 or d % (2 ** (noise_exponent(Fraction(1, m)) + 1) + 1)
    )
