"""The hash families of compact histograms: polynomials over a finite field, independent on any n + 1 labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dpcert.mechanisms.adapters.fields import MERSENNE_EXPONENTS, BinaryField, Field, prime_field
from dpcert.mechanisms.adapters.fields import field as field_of
from dpcert.mechanisms.exact.errors import InputError


def least_exponent(size: int) -> int:
    """Return the least l with 2^(2 * 3^l) >= size."""
    bits, exponent = (size - 1).bit_length(), 0
    while 2 * 3**exponent < bits:
        exponent += 1
    return exponent


class HashFamily:
    """Polynomials as maps from labels to numbers: several polynomials over one field, side by side.

    Labels 0 to universe - 1 are elements of the field `small`. A number from 0 to `size` - 1 stands for `width`
    elements of it, its coordinates, and a coefficient is such a number, too. All arithmetic is done in `small`.

    Requires: `small` has an element for each label.
    Claims:   on any `length` or fewer distinct labels, the values of a uniformly random polynomial with `length`
              coefficients are independent and uniform: so they are in each coordinate, by interpolation.
    Source:   finite-computers, Lemma 8.1 and its proof.
    """

    def __init__(self, small: Field, width: int, universe: int, *, words: str) -> None:
        self.small, self.width, self.universe, self.words = small, width, universe, words
        self.size: int = small.order**width

    @property
    def bits(self) -> int:
        """The bits of a number below `size`."""
        return (self.size - 1).bit_length()

    def add(self, a: int, b: int) -> int:
        """Return the number whose coordinates are those of a and b added up."""
        return self._joined([self.small.add(*pair) for pair in zip(self._split(a), self._split(b), strict=True)])

    def scaled(self, number: int, factor: int) -> int:
        """Return the number whose coordinates are those of `number` times an element of `small`."""
        return self._joined([self.small.multiply(part, factor) for part in self._split(number)])

    def through(self, labels: Sequence[int], values: Sequence[int], rest: Sequence[int]) -> tuple[int, ...]:
        """Return the coefficients, from the constant one on, of I + M R.

        I goes through the values at the labels, M is the product of x - label, R has the coefficients `rest`. For
        uniform `rest` this is a uniformly random member of the family among those with these values.

        Raises: InputError where a label occurs twice, is outside the universe, or has no value.
        """
        self._check(labels)
        if len(labels) != len(values):
            raise InputError(
                given=f"{len(labels)} labels with {len(values)} values", needed="one value each", remedy="add them"
            )
        nodes = self.small.nodes(labels)
        parts, rests = [self._split(value) for value in values], [self._split(value) for value in rest]
        columns = [nodes.through([part[r] for part in parts], [part[r] for part in rests]) for r in range(self.width)]
        return tuple(self._joined(row) for row in zip(*columns, strict=True))

    def values(self, coefficients: Sequence[int], labels: Sequence[int]) -> list[int]:
        """Return the value at each of the labels of the member with these coefficients.

        Raises: InputError for a label outside the universe or a coefficient that is no number below `size`.
        """
        self._check(labels)
        parts = [self._split(number) for number in coefficients]
        columns = [self.small.evaluate([part[r] for part in parts], labels) for r in range(self.width)]
        return [self._joined(row) for row in zip(*columns, strict=True)]

    def _check(self, labels: Iterable[int]) -> None:
        for label in labels:
            if type(label) is not int or not 0 <= label < self.universe:
                raise InputError(
                    given=f"the label {label!r}",
                    needed=f"an integer from 0 to {self.universe - 1}",
                    remedy="raise universe, or leave it out",
                )

    def _split(self, number: int) -> list[int]:
        """Return the coordinates of a number.

        Raises: InputError for a number that is not below `size`.
        """
        if not 0 <= number < self.size:
            raise InputError(given=f"{number} as a value", needed=f"an integer below {self.words}", remedy="check it")
        return self._coordinates(number)

    def _coordinates(self, number: int) -> list[int]:
        raise NotImplementedError

    def _joined(self, parts: Sequence[int]) -> int:
        raise NotImplementedError


class BinaryFamily(HashFamily):
    """The paper's family: polynomials over GF(2^(2 * 3^l)), whose elements are the numbers from 0 to 2^bits - 1.

    Labels are elements of the least field GF(2^(2 * 3^j)) that holds them (at least GF(64), if the large field is): bit
    i of a label becomes bit 3^(l-j) i of an element. (x^(3^(l-j)) has the minimal polynomial x^(2 * 3^j) + x^(3^j) +
    1.) The paper leaves the embedding open. With this one, a polynomial is 3^(l-j) polynomials over the small field
    side by side, as 1, x, ..., x^(3^(l-j)-1) is a basis: coordinate r of a number is its bits r, r + 3^(l-j), ...

    Requires: 2^(2 * 3^l) >= universe.
    Source:   finite-computers, Lemma 8.1.
    Raises:   InputError where the field is too small for the universe, or greater than the greatest supported one.
    """

    def __init__(self, exponent: int, universe: int) -> None:
        least, bits = least_exponent(universe), 2 * 3**exponent
        if least > exponent:
            raise InputError(
                given=f"a universe of {universe} labels for a field of 2^{bits} elements",
                needed="a field with an element for each label",
                remedy=f"set bits={2 * 3**least}, or lower universe",
            )
        least = max(least, min(exponent, 1))
        self.exponent = exponent
        super().__init__(field_of(least), 3 ** (exponent - least), universe, words=f"2^{bits}")

    def large(self) -> BinaryField:
        """Return the field GF(2^(2 * 3^l)) itself."""
        return field_of(self.exponent)

    def element(self, label: int) -> int:
        """Return the element of the large field that stands for a label.

        Raises: InputError for a number that is no label.
        """
        self._check([label])
        return self._joined([label, *[0] * (self.width - 1)])

    def add(self, a: int, b: int) -> int:
        """Return a + b in the large field."""
        return a ^ b

    def _coordinates(self, number: int) -> list[int]:
        if self.width == 1:
            return [number]
        text = format(number, f"0{self.bits}b")
        return [int(text[self.width - 1 - r :: self.width], 2) for r in range(self.width)]

    def _joined(self, parts: Sequence[int]) -> int:
        if self.width == 1:
            return parts[0]
        texts = [format(part, f"0{self.bits // self.width}b") for part in reversed(parts)]
        return int("".join(map("".join, zip(*texts, strict=True))), 2)


class PrimeFamily(HashFamily):
    """Polynomials over the integers modulo a Mersenne prime p = 2^e - 1: a number is `width` digits in base p.

    The values need not be a field for Lemma 8.1, as labels are elements of the small one. At 2^64 labels this is some
    twenty times as fast as the paper's field, and numbers are hardly longer than the noisy count needs.

    Requires: p >= universe, width >= 1.
    Raises:   InputError for another exponent, or a prime that is less than the universe.
    """

    def __init__(self, exponent: int, width: int, universe: int) -> None:
        small = prime_field(exponent)
        if small.order < universe:
            raise InputError(
                given=f"a universe of {universe} labels for the prime {small.order_words}",
                needed="a prime that is at least the universe",
                remedy="take a greater exponent, or lower universe",
            )
        super().__init__(small, width, universe, words=f"({small.order_words})^{width}")

    @classmethod
    def least(cls, *, universe: int, size: int) -> PrimeFamily:
        """Return the family of the least prime for a universe, and of the least width with `size` values or more.

        Raises: InputError where no prime of MERSENNE_EXPONENTS is great enough.
        """
        exponent = next((e for e in MERSENNE_EXPONENTS if (1 << e) - 1 >= universe), 0)
        order, width = (1 << exponent) - 1, 1
        while exponent and order**width < size:
            width += 1
        return cls(exponent, width, universe)

    def _coordinates(self, number: int) -> list[int]:
        digits = []
        for _ in range(self.width):
            number, digit = divmod(number, self.small.order)
            digits.append(digit)
        return digits

    def _joined(self, parts: Sequence[int]) -> int:
        number = 0
        for digit in reversed(parts):
            number = number * self.small.order + digit
        return number
