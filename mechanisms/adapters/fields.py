"""The fields GF(2^(2 * 3^l)) of python-flint, with integers for elements: bit i is the coefficient of x^i."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from dpcert.mechanisms.exact.errors import InputError

GREATEST_EXPONENT = 9
"""The largest l: 2 * 3^9 = 39,366 bits an element."""

TABLE_BITS = 6
"""Fields of up to this many bits keep a table of their elements."""

TO_BITS = bytes.maketrans(b"01", b"\0\1")
FROM_BITS = bytes.maketrans(b"\0\1", b"01")


@cache
def flint() -> Any:
    """Return the library python-flint.

    Raises: InputError where it is not installed.
    """
    try:
        import flint as library
    except ImportError as error:
        raise InputError(
            given="a computation in a finite field",
            needed="the library python-flint",
            remedy="install it: pip install 'python-flint>=0.7'",
        ) from error
    return library


def trinomial(exponent: int) -> tuple[int, ...]:
    """Return the coefficients of x^(2 * 3^l) + x^(3^l) + 1 over GF(2), from that of 1 on."""
    third = 3**exponent
    return (1, *[0] * (third - 1), 1, *[0] * (third - 1), 1)


def is_irreducible(exponent: int) -> bool:
    """Whether x^(2 * 3^l) + x^(3^l) + 1 is irreducible over GF(2), as the library decides."""
    library = flint()
    whole = library.fq_default_poly_ctx(library.fq_default_ctx(2))
    return bool(whole(list(trinomial(exponent))).is_irreducible())


@cache
def field(exponent: int) -> Field:
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
    return Field(exponent)


class Field:
    """GF(2^(2 * 3^l)): integers from 0 to 2^bits - 1 are its elements, and 0 and 1 are the field's own.

    Every argument that is an element is one of these integers; other integers are refused with InputError.
    """

    __slots__ = ("_context", "_elements", "_ring", "bits", "exponent")

    def __init__(self, exponent: int) -> None:
        library = flint()
        modulus = library.fmpz_mod_poly_ctx(2)(list(trinomial(exponent)))
        self.exponent = exponent
        self.bits = 2 * 3**exponent
        self._context: Any = library.fq_default_ctx(modulus=modulus, fq_type="FQ_NMOD", check_modulus=False)
        self._ring: Any = library.fq_default_poly_ctx(self._context)
        size = 1 << self.bits if self.bits <= TABLE_BITS else 0
        self._elements: dict[int, Any] = {}
        self._elements = {number: self._element(number) for number in range(size)}

    def _element(self, number: int) -> Any:
        if number in self._elements:
            return self._elements[number]
        if type(number) is not int or number < 0 or number.bit_length() > self.bits:
            raise InputError(
                given=f"{number!r} as an element of GF(2^{self.bits})",
                needed=f"an integer from 0 to 2^{self.bits} - 1",
                remedy="check the labels and the coefficients",
            )
        return self._context(list(format(number, "b")[::-1].encode().translate(TO_BITS)))

    def _number(self, element: Any) -> int:
        return int(bytes(map(int, element.to_list())).translate(FROM_BITS)[::-1], 2)

    def _polynomial(self, coefficients: Iterable[int]) -> Any:
        return self._ring([self._element(number) for number in coefficients])

    def add(self, a: int, b: int) -> int:
        """Return a + b: the exclusive or of their bits."""
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
        self._levels: list[list[Any]] = [[ring([of._element(point), one]) for point in points] or [ring([one])]]
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
