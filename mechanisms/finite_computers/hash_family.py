"""The hash family of compact histograms: polynomials over GF(2^(2 * 3^l)), independent on any n + 1 labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpcert.mechanisms.adapters.fields import Field
from dpcert.mechanisms.adapters.fields import field as field_of
from dpcert.mechanisms.exact.errors import InputError


def least_exponent(size: int) -> int:
    """Return the least l with 2^(2 * 3^l) >= size."""
    bits, exponent = (size - 1).bit_length(), 0
    while 2 * 3**exponent < bits:
        exponent += 1
    return exponent


@dataclass(frozen=True, slots=True)
class HashFamily:
    """The polynomials with a given number of coefficients over GF(2^(2 * 3^l)), as maps from labels to the field.

    Elements are integers from 0 to 2^bits - 1. Labels 0 to universe - 1 are elements of the least field GF(2^(2 * 3^j))
    that holds them (at least GF(64), if the large field is): bit i of a label becomes bit 3^(l-j) i of an element.
    (x^(3^(l-j)) has the minimal polynomial x^(2 * 3^j) + x^(3^j) + 1.) The paper leaves the embedding open. With this
    one, a polynomial is 3^(l-j) polynomials over the small field side by side, as 1, x, ..., x^(3^(l-j)-1) is a basis,
    and all arithmetic is done there.

    Requires: 2^(2 * 3^l) >= universe.
    Claims:   on any `length` or fewer distinct labels, the values of a uniformly random member are independent and
              uniform.
    Source:   finite-computers, Lemma 8.1.
    Raises:   InputError where the field is too small for the universe, or greater than the greatest supported one.
    """

    exponent: int
    universe: int
    stride: int = field(init=False)
    small: Field = field(init=False)

    def __post_init__(self) -> None:
        least = least_exponent(self.universe)
        if least > self.exponent:
            raise InputError(
                given=f"a universe of {self.universe} labels for a field of 2^{2 * 3**self.exponent} elements",
                needed="a field with an element for each label",
                remedy=f"set bits={2 * 3**least}, or lower universe",
            )
        least = max(least, min(self.exponent, 1))
        object.__setattr__(self, "stride", 3 ** (self.exponent - least))
        object.__setattr__(self, "small", field_of(least))

    @property
    def bits(self) -> int:
        """The bits of an element: 2 * 3^l."""
        bits: int = 2 * 3**self.exponent
        return bits

    def large(self) -> Field:
        """Return the field GF(2^(2 * 3^l)) itself."""
        return field_of(self.exponent)

    def element(self, label: int) -> int:
        """Return the element of the large field that stands for a label.

        Raises: InputError for what is no label.
        """
        self._check([label])
        return self._joined([label, *[0] * (self.stride - 1)])

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
        if self.stride == 1:
            return tuple(nodes.through(values, rest))
        parts, rests = [self._split(value) for value in values], [self._split(value) for value in rest]
        columns = [nodes.through([part[r] for part in parts], [part[r] for part in rests]) for r in range(self.stride)]
        return tuple(self._joined(row) for row in zip(*columns, strict=True))

    def values(self, coefficients: Sequence[int], labels: Sequence[int]) -> list[int]:
        """Return the value at each of the labels of the member with these coefficients.

        Raises: InputError for a label outside the universe or a coefficient outside the field.
        """
        self._check(labels)
        if self.stride == 1:
            return self.small.evaluate(coefficients, labels)
        parts = [self._split(number) for number in coefficients]
        columns = [self.small.evaluate([part[r] for part in parts], labels) for r in range(self.stride)]
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
        """Return the coordinates of an element over the small field: bits r, r + stride, ... for each r."""
        if number < 0 or number.bit_length() > self.bits:
            raise InputError(
                given=f"{number} as an element", needed=f"an integer from 0 to 2^{self.bits} - 1", remedy="check it"
            )
        text = format(number, f"0{self.bits}b")
        return [int(text[self.stride - 1 - r :: self.stride], 2) for r in range(self.stride)]

    def _joined(self, parts: Sequence[int]) -> int:
        """Return the element with these coordinates over the small field."""
        texts = [format(part, f"0{self.bits // self.stride}b") for part in reversed(parts)]
        return int("".join("".join(bits) for bits in zip(*texts, strict=True)), 2)
