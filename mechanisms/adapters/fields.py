"""Finite fields of python-flint, with integers for elements: GF(2^(2 * 3^l)), and GF(2^e - 1) for Mersenne primes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from dpcert.mechanisms.adapters.balls import flint
from dpcert.mechanisms.exact.errors import InputError

GREATEST_EXPONENT = 9
"""The largest l: 2 * 3^9 = 39,366 bits an element."""

TABLE_BITS = 6
"""Fields of up to this many bits keep a table of their elements."""

MERSENNE_EXPONENTS = (2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279, 2203, 2281, 3217, 4253)
"""The first e for which 2^e - 1 is prime."""

WANTED = "a computation in a finite field"

TO_BITS = bytes.maketrans(b"01", b"\0\1")
FROM_BITS = bytes.maketrans(b"\0\1", b"01")


def trinomial(exponent: int) -> tuple[int, ...]:
    """Return the coefficients of x^(2 * 3^l) + x^(3^l) + 1 over GF(2), from that of 1 on."""
    third = 3**exponent
    return (1, *[0] * (third - 1), 1, *[0] * (third - 1), 1)


def is_irreducible(exponent: int) -> bool:
    """Whether x^(2 * 3^l) + x^(3^l) + 1 is irreducible over GF(2), as the library decides."""
    library = flint(WANTED)
    whole = library.fq_default_poly_ctx(library.fq_default_ctx(2))
    return bool(whole(list(trinomial(exponent))).is_irreducible())


def is_mersenne_prime(exponent: int) -> bool:
    """Whether 2^e - 1 is prime, for an odd prime e.

    Source: the test of Lucas and Lehmer.
    """
    prime, term = (1 << exponent) - 1, 4
    for _ in range(exponent - 2):
        term = (term * term - 2) % prime
    return term == 0


@cache
def field(exponent: int) -> BinaryField:
    """Return GF(2^(2 * 3^l)) = F_2[x] / (x^(2 * 3^l) + x^(3^l) + 1).

    Requires: l from 0 to GREATEST_EXPONENT. That the trinomial is irreducible is not checked each time: it is the
              cyclotomic polynomial of 3^(l+1), of which 2 is a primitive root (`dpcert claims`, BV/Section8.1).
    Source:   finite-computers, proof of Lemma 8.1 iii.
    Raises:   InputError for another l.
    """
    if type(exponent) is not int or not 0 <= exponent <= GREATEST_EXPONENT:
        raise InputError(
            given=f"l={exponent!r} for the field of 2^(2 * 3^l) elements",
            needed=f"an integer from 0 to {GREATEST_EXPONENT}",
            remedy="lower n or the universe, or raise epsilon",
        )
    return BinaryField(exponent)


@cache
def prime_field(exponent: int) -> PrimeField:
    """Return GF(2^e - 1), the integers modulo a Mersenne prime.

    Requires: e is one of MERSENNE_EXPONENTS. A test shows by `is_mersenne_prime` that 2^e - 1 is prime for each.
    Raises:   InputError for another e.
    """
    if exponent not in MERSENNE_EXPONENTS:
        raise InputError(
            given=f"e={exponent!r} for the field of 2^e - 1 elements",
            needed="an e for which 2^e - 1 is known to be prime",
            remedy=f"take one of {', '.join(map(str, MERSENNE_EXPONENTS))}",
        )
    return PrimeField(exponent)


class Field:
    """A finite field: integers from 0 to `order` - 1 are its elements, and 0 and 1 are the field's own.

    Every argument that is an element is one of these integers; other integers are refused with InputError.
    """

    __slots__ = ("_context", "_ring", "order", "order_words")

    def __init__(self, context: Any, ring: Any, order: int, order_words: str) -> None:
        self._context, self._ring = context, ring
        self.order, self.order_words = order, order_words

    def _element(self, number: int) -> Any:
        """Return the library's element for an integer."""
        if type(number) is not int or not 0 <= number < self.order:
            raise InputError(
                given=f"{number!r} as an element of GF({self.order_words})",
                needed=f"an integer from 0 on, below {self.order_words}",
                remedy="check the labels and the coefficients",
            )
        return self._made(number)

    def _made(self, number: int) -> Any:
        raise NotImplementedError

    def _number(self, element: Any) -> int:
        """Return the integer for an element of the library."""
        raise NotImplementedError

    def _polynomial(self, coefficients: Iterable[int]) -> Any:
        return self._ring([self._element(number) for number in coefficients])

    def add(self, a: int, b: int) -> int:
        """Return a + b."""
        return self._number(self._element(a) + self._element(b))

    def multiply(self, a: int, b: int) -> int:
        """Return a * b."""
        return self._number(self._element(a) * self._element(b))

    def inverse(self, a: int) -> int:
        """Return 1 / a.

        Raises: InputError for 0.
        """
        if a == 0:
            raise InputError(given="0", needed="an element with an inverse", remedy="divide by another one")
        return self._number(self._element(a).inverse())

    def evaluate(self, coefficients: Sequence[int], points: Iterable[int]) -> list[int]:
        """Return the polynomial of these coefficients, from the constant one on, at each of the points."""
        polynomial = self._polynomial(coefficients)
        return [self._number(polynomial(self._element(point))) for point in points]

    def nodes(self, points: Sequence[int]) -> Nodes:
        """Return these points, prepared for interpolation.

        Raises: InputError where two are equal.
        """
        return Nodes(self, points)


class BinaryField(Field):
    """GF(2^(2 * 3^l)): bit i of an integer is the coefficient of x^i. Addition is the exclusive or."""

    __slots__ = ("_elements", "bits", "exponent")

    def __init__(self, exponent: int) -> None:
        library = flint(WANTED)
        self.exponent, self.bits = exponent, 2 * 3**exponent
        modulus = library.fmpz_mod_poly_ctx(2)(list(trinomial(exponent)))
        context = library.fq_default_ctx(modulus=modulus, fq_type="FQ_NMOD", check_modulus=False)
        super().__init__(context, library.fq_default_poly_ctx(context), 1 << self.bits, f"2^{self.bits}")
        size = self.order if self.bits <= TABLE_BITS else 0
        self._elements: dict[int, Any] = {}
        self._elements = {number: self._made(number) for number in range(size)}

    def _made(self, number: int) -> Any:
        if number in self._elements:
            return self._elements[number]
        return self._context(list(format(number, "b")[::-1].encode().translate(TO_BITS)))

    def _number(self, element: Any) -> int:
        return int(bytes(map(int, element.to_list())).translate(FROM_BITS)[::-1], 2)


class PrimeField(Field):
    """GF(2^e - 1): the integers modulo a Mersenne prime."""

    __slots__ = ("exponent",)

    def __init__(self, exponent: int) -> None:
        library, prime = flint(WANTED), (1 << exponent) - 1
        self.exponent, context = exponent, library.fmpz_mod_ctx(prime)
        super().__init__(context, library.fmpz_mod_poly_ctx(context), prime, f"2^{exponent} - 1")

    def _made(self, number: int) -> Any:
        return self._context(number)

    def _number(self, element: Any) -> int:
        return int(element)


class Nodes:
    """Distinct points of a field, with the products of x - point that interpolation uses, computed once."""

    __slots__ = ("_field", "_levels", "_slopes", "count")

    def __init__(self, of: Field, points: Sequence[int]) -> None:
        if len(set(points)) != len(points):
            raise InputError(
                given=f"{len(points)} points to interpolate through, {len(set(points))} of them distinct",
                needed="distinct points",
                remedy="give each label once",
            )
        self._field, self.count = of, len(points)
        ring = of._ring
        one = of._element(1)
        self._levels: list[list[Any]] = [[ring([-of._element(point), one]) for point in points] or [ring([one])]]
        while len(self._levels[-1]) > 1:
            below = self._levels[-1]
            pairs = [left * right for left, right in zip(below[::2], below[1::2], strict=False)]
            self._levels.append(pairs + below[len(pairs) * 2 :])
        self._slopes = self._inverse_slopes()

    def _inverse_slopes(self) -> list[Any]:
        """Return 1 / M'(point) at each point, for M the product of all x - point."""
        if not self.count:
            return []
        remainders = [self._levels[-1][0].derivative()]
        for level in reversed(self._levels[:-1]):
            remainders = [remainders[place // 2].divmod(product)[1] for place, product in enumerate(level)]
        return [remainder.constant_coefficient().inverse() for remainder in remainders]

    def through(self, values: Sequence[int], rest: Sequence[int] = ()) -> list[int]:
        """Return I + M R by its coefficients: I goes through the values, of least degree, M is zero at the points.

        R has the coefficients `rest`; the result has as many coefficients as there are values and rests together.

        Requires: a value for each point.
        """
        of = self._field
        combined = [of._ring([of._element(value) * slope]) for value, slope in zip(values, self._slopes, strict=True)]
        for level in self._levels[:-1]:
            pairs = [combined[i] * level[i + 1] + combined[i + 1] * level[i] for i in range(0, len(combined) - 1, 2)]
            combined = pairs + combined[len(pairs) * 2 :]
        whole = combined[0] if combined else of._ring([])
        if any(rest):
            whole += self._levels[-1][0] * of._polynomial(rest)
        found = [of._number(element) for element in whole.coeffs()]
        return found + [0] * (self.count + len(rest) - len(found))
