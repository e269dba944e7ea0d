"""GF(2^(2 * 3^l)) of the library against polynomials multiplied by hand, and the hash family over it against Horner."""

import sys
from collections.abc import Callable
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from dpcert.mechanisms.adapters import balls, fields
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.hash_family import BinaryFamily, PrimeFamily, least_exponent


def by_hand(a: int, b: int, exponent: int) -> int:
    """Shift and add, then x^(2 * 3^l) = x^(3^l) + 1 from the top down."""
    third = 3**exponent
    found = 0
    for i in range(b.bit_length()):
        found ^= (a << i) * (b >> i & 1)
    for i in range(found.bit_length() - 1, 2 * third - 1, -1):
        if found >> i & 1:
            found ^= (1 << i) | (1 << (i - third)) | (1 << (i - 2 * third))
    return found


def horner(coefficients: tuple[int, ...], x: int, exponent: int) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = by_hand(value, x, exponent) ^ coefficient
    return value


def test_twin_all_products_of_gf4_and_gf64() -> None:
    for exponent in (0, 1):
        f = fields.field(exponent)
        for a, b in product(range(1 << f.bits), repeat=2):
            assert f.multiply(a, b) == by_hand(a, b, exponent)
            assert f.add(a, b) == a ^ b


@pytest.mark.parametrize("exponent", [2, 3, 4, 5])
def test_twin_products_and_inverses_of_larger_fields(exponent: int) -> None:
    f, draw = fields.field(exponent), Random(exponent)
    for _ in range(20):
        a, b = draw.getrandbits(f.bits), draw.getrandbits(f.bits) | 1
        assert f.multiply(a, b) == by_hand(a, b, exponent)
        assert by_hand(f.inverse(b), b, exponent) == 1


def test_the_trinomials_are_irreducible_and_their_kin_are_not() -> None:
    assert all(fields.is_irreducible(exponent) for exponent in range(5))
    assert fields.trinomial(1) == (1, 0, 0, 1, 0, 0, 1)
    assert by_hand(0b11, 0b111, 3) == 0b1001
    for exponent in range(3):
        order = (1 << 2 * 3**exponent) - 1
        assert all(fields.field(exponent).inverse(a) for a in range(1, min(order, 500) + 1))


@pytest.mark.parametrize(("exponent", "count"), [(0, 4), (1, 7), (3, 20)])
def test_twin_interpolation_goes_through_its_points_with_any_rest(exponent: int, count: int) -> None:
    f, draw = fields.field(exponent), Random(count)
    for size, more in product(range(count + 1), range(3)):
        points = draw.sample(range(1 << f.bits), size)
        values, rest = ([draw.getrandbits(f.bits) for _ in range(k)] for k in (size, more))
        row = f.nodes(points).through(values, rest)
        assert len(row) == size + more
        assert f.evaluate(row, points) == [horner(tuple(row), point, exponent) for point in points] == values
        if more and rest[-1]:
            assert row[-1] == rest[-1]


@pytest.mark.parametrize(("exponent", "universe"), [(0, 4), (1, 2), (1, 64), (2, 50), (3, 64), (4, 2**18), (5, 2**100)])
def test_twin_the_family_is_horner_in_the_large_field_at_the_embedded_labels(exponent: int, universe: int) -> None:
    family, draw = BinaryFamily(exponent, universe), Random(universe)
    for size in (1, 2, min(universe, 5)):
        labels = draw.sample(range(min(universe, 2**60)), size)
        values, rest = ([draw.getrandbits(family.bits) for _ in range(k)] for k in (size, 2))
        row = family.through(labels, values, rest)
        points = [family.element(label) for label in labels]
        assert [horner(row, point, exponent) for point in points] == family.values(row, labels) == values
        assert row[-1] == rest[-1]


def test_the_mersenne_exponents_are_those_of_primes() -> None:
    """2^2 - 1 = 3 is prime; the test of Lucas and Lehmer is for odd exponents."""
    assert fields.MERSENNE_EXPONENTS[0] == 2
    assert all(fields.is_mersenne_prime(exponent) for exponent in fields.MERSENNE_EXPONENTS[1:])
    odd = [e for e in range(3, 200) if all(e % divisor for divisor in range(2, e))]
    assert [e for e in odd if fields.is_mersenne_prime(e)] == [e for e in fields.MERSENNE_EXPONENTS[1:] if e < 200]


@pytest.mark.parametrize(("exponent", "width", "universe"), [(2, 1, 3), (2, 3, 2), (7, 2, 100), (89, 22, 2**64)])
def test_twin_the_family_of_a_prime_is_horner_in_each_digit(exponent: int, width: int, universe: int) -> None:
    family, draw, prime = PrimeFamily(exponent, width, universe), Random(universe), 2**exponent - 1
    assert family.size == prime**width
    for size, more in product((0, 1, 2, min(universe, 5)), range(3)):
        labels = draw.sample(range(min(universe, 2**60)), size)
        values, rest = ([draw.randrange(family.size) for _ in range(k)] for k in (size, more))
        row = family.through(labels, values, rest)
        assert len(row) == size + more
        assert family.values(row, labels) == values
        for label, value in zip(labels, values, strict=True):
            digits = [sum(number // prime**place * label**i for i, number in enumerate(row)) for place in range(width)]
            assert sum(digit % prime * prime**place for place, digit in enumerate(digits)) == value
        if more and rest[-1]:
            assert row[-1] == rest[-1]


def test_the_least_family_of_a_prime_has_room_for_labels_and_numbers() -> None:
    for universe, size in product((2, 3, 4, 127, 128, 2**64, 2**4096), (1, 5, 10**9)):
        family = PrimeFamily.least(universe=universe, size=size)
        assert family.small.order >= universe
        assert family.size >= size
        assert family.width == 1 or family.small.order ** (family.width - 1) < size
        least = fields.MERSENNE_EXPONENTS.index(family.small.order.bit_length())
        assert least == 0 or 2 ** fields.MERSENNE_EXPONENTS[least - 1] - 1 < universe


def test_the_embedding_keeps_labels_apart_in_a_subfield() -> None:
    """The labels below 64 are GF(64) in each field above: sums and products stay among them."""
    for exponent in (1, 2, 3):
        family = BinaryFamily(exponent, 64)
        images = {family.element(label): label for label in range(64)}
        assert len(images) == 64
        for a, b in combinations(range(0, 64, 7), 2):
            assert images[family.element(a) ^ family.element(b)] == a ^ b
            assert images[by_hand(family.element(a), family.element(b), exponent)] == by_hand(a, b, 1)
    assert [BinaryFamily(1, 64).element(label) for label in range(64)] == list(range(64))


def test_twin_the_least_exponent() -> None:
    for size in (*range(2, 300), 2**18, 2**18 + 1, 2**4374, 2**4374 + 1):
        exponent = least_exponent(size)
        assert 2 ** (2 * 3**exponent) >= size
        assert exponent == 0 or 2 ** (2 * 3 ** (exponent - 1)) < size


@pytest.mark.parametrize(
    ("refused", "given"),
    [
        (lambda: fields.field(-1), "l=-1"),
        (lambda: fields.field(fields.GREATEST_EXPONENT + 1), "l=10"),
        (lambda: fields.field(1).multiply(64, 1), "64 as an element"),
        (lambda: fields.field(1).multiply(-1, 1), "-1 as an element"),
        (lambda: fields.field(3).evaluate([2**54], [1]), "as an element"),
        (lambda: fields.field(0).inverse(0), "0"),
        (lambda: fields.field(1).nodes([3, 5, 3]), "3 points to interpolate through, 2 of them distinct"),
        (lambda: BinaryFamily(1, 65), "a universe of 65 labels for a field of 2^6 elements"),
        (lambda: BinaryFamily(1, 4).element(4), "the label 4"),
        (lambda: BinaryFamily(1, 4).through([0, -1], [1, 1], [1]), "the label -1"),
        (lambda: BinaryFamily(1, 4).through([0, True], [1, 1], [1]), "the label True"),
        (lambda: BinaryFamily(1, 4).through([0, 0], [1, 1], [1]), "2 points"),
        (lambda: BinaryFamily(1, 4).through([0, 1], [1], [1]), "2 labels with 1 values"),
        (lambda: BinaryFamily(2, 4).values([1 << 18], [0]), "262144 as a value"),
        (lambda: fields.prime_field(11), "e=11"),
        (lambda: fields.prime_field(2).multiply(3, 1), "3 as an element"),
        (lambda: PrimeFamily(2, 2, 4), "a universe of 4 labels for the prime 2^2 - 1"),
        (lambda: PrimeFamily(2, 2, 3).values([9], [0]), "9 as a value"),
        (lambda: PrimeFamily(2, 2, 3).values([0], [3]), "the label 3"),
        (lambda: PrimeFamily.least(universe=2**4253, size=1), "e=0"),
    ],
)
def test_refused_by_the_adapter_and_the_family(refused: Callable[[], Any], given: str) -> None:
    with pytest.raises(InputError) as caught:
        refused()
    assert given in str(caught.value)


def test_refused_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flint", None)
    balls.flint.cache_clear()
    with pytest.raises(InputError, match=r"python-flint; install it"):
        fields.is_irreducible(1)
