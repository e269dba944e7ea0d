"""The compact histogram: a count for every label of a large universe, in the n + 1 coefficients of a polynomial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import lcm, prod

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.basic_histogram import PARAMETERS as BASIC_PARAMETERS
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, lists
from dpcert.mechanisms.finite_computers.compact_costs import GREATEST_BITS, costs, settled
from dpcert.mechanisms.finite_computers.count_response import count_response, count_response_law
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, NoisyZero, zero_of
from dpcert.mechanisms.finite_computers.fastsample import fastsample
from dpcert.mechanisms.finite_computers.hash_family import BinaryFamily, HashFamily, PrimeFamily, least_exponent
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse

MAX_BITS = 18
"""The greatest number of bits of a release that is enumerated."""

Release = tuple[int, ...]
"""The coefficients of a polynomial, from the constant one on; bit i of one is its coefficient of x^i."""


def compact_histogram(
    *, n: int, family: HashFamily, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Release]:
    """Release a random polynomial of degree at most n that gives each label that occurs its noisy count.

    The count of a label is `empty.count` of the polynomial's value there, plus one: `counts_of` reads it off.

    Requires: inputs are lists of n labels of the family's universe; `empty` is of as many numbers as its field.
    Claims:   (e1 + e2 + e3, 0)-DP for lists that differ in one label, if the sampler is (e1/2, 0)-DP for counts
              that differ by one, and its probabilities of each noisy count of 0 are at least e^-e2 and at most e^e3
              times those of the empty-bin sampler.
    Raises:   InputError, in a run, for a list of another length and for labels outside the universe.
    Source:   finite-computers, Algorithm 8.2 and Theorem 8.3; step 3 by I + M R, whose law is that of the paper's
              interpolation through uniform values at n + 1 - |A| more labels; there need not be that many labels.
    """

    def release(people: Sequence[int], coins: Coins) -> Release:
        if len(people) != n:
            raise InputError(
                given=f"{len(people)} labels", needed=f"a list of {n}, one for each person", remedy="set n to match"
            )
        counts = sorted(Counter(people).items())
        noisy = [sampler(count, coins) for _, count in counts]
        seeds = []
        for count in noisy:
            numbers = empty.preimages(count)
            seeds.append(numbers.start - 1 + int(coins.below(numbers.stop - numbers.start)))
        rest = [int(coins.below(family.size)) for _ in range(n + 1 - len(counts))]
        return family.through([label for label, _ in counts], seeds, rest)

    return release


def counts_of(
    coefficients: Release, labels: Sequence[int], *, family: HashFamily, empty: EmptyBin
) -> list[tuple[int, int]]:
    """Return each of these labels with its count in a released compact histogram.

    Source: finite-computers, Theorem 8.3 v.
    Raises: InputError for a label outside the universe.
    """
    values = family.values(coefficients, labels)
    return [(label, empty.count(value + 1)) for label, value in zip(labels, values, strict=True)]


def label_counts(
    *, universe: int, sampler: Callable[[int, Coins], int], empty: EmptyBin
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the counts of every label of a small universe, as a compact histogram has them, without the polynomial.

    Requires: universe <= n + 1, so that these counts are independent; the labels of all people are in it.
    Claims:   the law is that of `counts_of` on the release of `compact_histogram`, and the least epsilon is the same,
              as the polynomial is uniform given these counts.
    Source:   finite-computers, proof of Theorem 8.3 i.
    """

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = Counter(people)
        return tuple(
            (label, sampler(counts[label], coins) if counts[label] else empty.count(coins.below(empty.d0) + 1))
            for label in range(universe)
        )

    return release


def label_counts_law(*, universe: int, law: Callable[[int], Dist], empty: EmptyBin) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `label_counts` in closed form: the product of its counts' laws."""
    zero = empty.law()

    def product_law(people: Sequence[int]) -> Dist:
        counts = Counter(people)
        parts = [law(counts[label]) if counts[label] else zero for label in range(universe)]
        return Dist.point(()).product(*parts).map(lambda row: tuple(enumerate(row[1:])))

    return product_law


def compact_histogram_law(
    *, n: int, family: HashFamily, law: Callable[[int], Dist], empty: EmptyBin
) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `compact_histogram` in closed form, over every polynomial of degree at most n.

    A polynomial with the counts h on the labels that occur comes with probability d0^-(n + 1 - |A|) times the
    product over these labels of Pr[noisy count = h] / (numbers that give h).

    Source: finite-computers, proof of Lemma 8.1 iv.
    """
    size = family.size

    def closed(people: Sequence[int]) -> Dist:
        counts = sorted(Counter(people).items())
        weights, denominators = [], []
        for _, count in counts:
            noisy = law(count)
            shares = {z: len(empty.preimages(z)) for z in noisy.outcomes()}
            common = lcm(*shares.values())
            by_count = {z: common // shares[z] * int(noisy.prob(z) * noisy.denominator) for z in shares}
            weights.append([by_count.get(empty.count(value + 1), 0) for value in range(size)])
            denominators.append(noisy.denominator * common)
        terms = _terms(family, [label for label, _ in counts], n)
        rows = []
        for coefficients in product(range(size), repeat=n + 1):
            weight = 1
            for table, powers in zip(weights, terms, strict=True):
                value = 0
                for power, coefficient in zip(powers, coefficients, strict=True):
                    value = family.add(value, power[coefficient])
                weight *= table[value]
            rows.append((coefficients, weight))
        return Dist.from_weights(rows, prod(denominators) * size ** (n + 1 - len(counts)))

    return closed


def _terms(family: HashFamily, labels: Sequence[int], n: int) -> list[list[list[int]]]:
    """Return a x^i for each label x, each i from 0 to n and each number a, in this order."""
    terms = []
    for label in labels:
        power, rows = 1, []
        for _ in range(n + 1):
            rows.append([family.scaled(a, power) for a in range(family.size)])
            power = family.small.multiply(power, label)
        terms.append(rows)
    return terms


def theorem_settings(*, n: int, universe: int, epsilon: Fraction, beta: Fraction) -> dict[str, str]:
    """Return the parameters of Theorem 8.6 for this mechanism, with its field by name.

    A release and its audit have these parameters. The field's numbers are those of a prime, at least 30 d/epsilon of
    them: the proof of the theorem needs no more of the paper's field.
    """
    chosen = settled(n=n, universe=universe, epsilon=epsilon, beta=beta)
    family = PrimeFamily.least(universe=universe, size=chosen.least)
    return {
        "n": str(n),
        "universe": str(universe),
        "sampler": "fastsample",
        "epsilon": ratio_text(chosen.epsilon),
        "gamma": ratio_text(chosen.gamma),
        "field": f"prime:{family.small.order.bit_length()}:{family.width}",
    }


def parts_of(*, n: int, universe: int, epsilon: Fraction, beta: Fraction) -> tuple[HashFamily, EmptyBin]:
    """Return the hash family and the empty-bin sampler of Theorem 8.6, with which `counts_of` reads a release."""
    settings = theorem_settings(n=n, universe=universe, epsilon=epsilon, beta=beta)
    zero = zero_of(settings)
    family = _family(settings, zero)
    return family, EmptyBin(zero, family.size)


def private_histogram(
    *, n: int, universe: int, epsilon: Fraction, beta: Fraction
) -> Callable[[Sequence[int], Coins], Release]:
    """Release a compact histogram with FastSample's counts, at the parameters of Theorem 8.6.

    Requires: 1/epsilon and 1/beta positive integers; inputs are lists of n labels from 0 to universe - 1.
    Claims:   (epsilon, 0)-DP for lists that differ in one label.
    Source:   finite-computers, Theorem 8.6 i.
    """
    settings = theorem_settings(n=n, universe=universe, epsilon=epsilon, beta=beta)
    family, empty = parts_of(n=n, universe=universe, epsilon=epsilon, beta=beta)
    sampler = fastsample(n=n, epsilon=inverse(settings, "epsilon"), gamma=inverse(settings, "gamma"))
    return compact_histogram(n=n, family=family, sampler=sampler, empty=empty)


def ingredients(settings: Mapping[str, str]) -> tuple[HashFamily, Sampler, EmptyBin]:
    """Return the hash family, the noisy count and the empty-bin sampler that the parameters name.

    Raises: InputError for bits that are not 2 * 3^l, too few for the universe or the sampler, and for parameters that
            are none.
    """
    zero = zero_of(settings)
    family = _family(settings, zero)
    n, weight = integer(settings, "n", least=1, greatest=1000), integer(settings, "weight", least=1)
    empty = EmptyBin(zero, family.size)
    if settings["sampler"] != "response":
        return family, Sampler.of(settings), empty
    program, law = count_response(n=n, weight=weight), count_response_law(n=n, weight=weight)
    return family, Sampler(program, law, Epsilon.ln(weight**2)), empty


def _family(settings: Mapping[str, str], zero: NoisyZero) -> HashFamily:
    """Return the family that the parameters field, bits and universe name, with numbers enough for a noisy zero."""
    universe = integer(settings, "universe", least=1, greatest=1 << GREATEST_BITS)
    bits, needed = integer({"bits": "0", **settings}, "bits", least=0), -(-4 * zero.d // 3)
    match settings["field"].split(":"):
        case ["prime"] if not bits:
            return PrimeFamily.least(universe=universe, size=needed)
        case ["prime", exponent, width] if not bits:
            own = {"the field's e": exponent, "the field's w": width}
            e, w = (integer(own, name, least=1) for name in own)
            return PrimeFamily(e, w, universe)
        case ["binary"]:
            return _binary_family(universe, bits, needed)
    raise InputError(
        given=f"field={settings['field']} with bits={bits}",
        needed="field=binary, or field=prime or field=prime:e:w and no bits",
        remedy="set one of these",
    )


def _binary_family(universe: int, bits: int, needed: int) -> HashFamily:
    """Return the paper's family with these bits, or with the least that hold the universe and `needed` numbers."""
    exponent = least_exponent(1 << bits if bits else max(universe, needed))
    if bits and 2 * 3**exponent != bits:
        raise InputError(
            given=f"bits={bits}",
            needed="0, or 2 * 3^l for some l: 2, 6, 18, 54, ...",
            remedy="set one of these",
        )
    return BinaryFamily(exponent, universe)


def build(settings: Mapping[str, str]) -> Instance:
    """Return the compact histogram at these parameters, with the claim of Theorem 8.3 for the exact e2 and e3.

    Raises: InputError for parameters that are none, a field that is too small, or too many outcomes to enumerate.
    """
    n, view = integer(settings, "n", least=1, greatest=1000), settings["view"]
    integer(settings, "universe", least=2, greatest=10**6)
    family, sampler, empty = ingredients(settings)
    universe = family.universe
    if view not in ("polynomial", "counts"):
        raise InputError(given=f"view={view}", needed="polynomial or counts", remedy="set one of these")
    if view == "polynomial" and family.size ** (n + 1) > 1 << MAX_BITS:
        field = f"bits={family.bits}" if settings["field"] == "binary" else f"field={settings['field']}"
        raise InputError(
            given=f"n={n}, {field}: ({family.words})^{n + 1} outcomes",
            needed=f"2^{MAX_BITS} at most, to enumerate all polynomials",
            remedy=f"lower these, or set view=counts, universe={min(universe, n + 1)}, {field}: "
            "two neighbours have no more labels together, and the least epsilon is the same",
        )
    if view == "counts" and universe > n + 1:
        raise InputError(
            given=f"view=counts with n={n}, universe={universe}",
            needed="universe <= n + 1, as no more labels have independent counts",
            remedy=f"set universe={n + 1}: two neighbours have no more labels together",
        )
    inputs = lists(n, universe)
    around = costs(n=n, law=sampler.law, zero=empty.law())
    program: Callable[[Sequence[int], Coins], Release | Bins]
    if view == "counts":
        program = label_counts(universe=universe, sampler=sampler.program, empty=empty)
        closed = label_counts_law(universe=universe, law=sampler.law, empty=empty)
    else:
        program = compact_histogram(n=n, family=family, sampler=sampler.program, empty=empty)
        closed = compact_histogram_law(n=n, family=family, law=sampler.law, empty=empty)
    return Instance(
        program=program,
        closed_form=closed,
        inputs=tuple(inputs),
        neighbours="substitute",
        epsilon=sampler.epsilon + Epsilon.ln(around.below * around.above),
        domain=label_lists(n, universe),
    )


DEFAULTS = {"n": "1", "universe": "2", "epsilon": "1"}

WORDS = {
    "epsilon": "1/epsilon is an integer: geosample's and fastsample's",
    "sampler": "what makes the counts noisy: geosample, fastsample or response",
}

PARAMETERS = (
    *(
        replace(one, default=DEFAULTS.get(one.name, one.default), words=WORDS.get(one.name, one.words))
        for one in BASIC_PARAMETERS
    ),
    Parameter("weight", "2", "sampler=response draws from n + weight numbers, of which so many keep the count"),
    Parameter(
        "field",
        "binary",
        "the paper's, or prime: the integers modulo 2^e - 1; prime:e:w says which, and w of them make a number",
    ),
    Parameter("bits", "0", "a binary field has 2^bits elements, bits = 2 * 3^l; 0 for the least that will do"),
    Parameter(
        "view", "polynomial", "what is released: the polynomial, or the counts that it gives to n + 1 labels at most"
    ),
)


COMPACT_HISTOGRAM = Mechanism(
    name="compact-histogram",
    words="a count for every label of a universe, in the coefficients of a random polynomial",
    source="finite-computers, Algorithm 8.2, Theorem 8.3",
    parameters=PARAMETERS,
    build=build,
)
