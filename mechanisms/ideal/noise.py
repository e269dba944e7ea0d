"""The laws of noise variables, and their densities as exponential polynomials."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.ideal.terms import Number, Piecewise


@dataclass(frozen=True, slots=True)
class Rate:
    """The number factor * epsilon^power + ln(ratio), where `power` is 0 or the parameter epsilon was left symbolic.
    The ratio is 1 but for geometric noise."""

    factor: Fraction
    power: int = 0
    ratio: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a noise variable: "laplace", "exponential" or "normal" of scale 1/rate around 0, or "uniform" on
    [0, 1).

    Whole values are those of "geometric" noise, k >= 1 with weights in proportion to e^(-rate k); of "two-sided" noise,
    any k with weights in proportion to e^(-rate |k|); and of "poisson" noise, whose mean is the rate.
    """

    kind: str
    rate: Rate = Rate(Fraction(1))

    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """Return numbers between which the values lie; None where there is none."""
        return SUPPORTS.get(self.kind, (None, None))


ZERO, HALF = Fraction(0), Fraction(1, 2)
SUPPORTS: dict[str, tuple[Fraction | None, Fraction | None]] = {
    "exponential": (ZERO, None),
    "uniform": (ZERO, Fraction(1)),
    "geometric": (HALF, None),
    "poisson": (-HALF, None),
}
INTEGRABLE = frozenset({"laplace", "exponential", "uniform"})
WHOLE_VALUED = frozenset({"geometric", "two-sided", "poisson"})
EXACT = INTEGRABLE | WHOLE_VALUED
"""The noise whose probabilities have closed forms."""


def is_whole(laws: Sequence[Law], names: Iterable[int]) -> bool:
    """Whether noise is among these variables and takes whole values; open inputs beside it are integers."""
    kinds = {laws[name].kind for name in names if name >= 0}
    return bool(kinds) and kinds <= WHOLE_VALUED


def density(kind: str, rate: Number, unit: Number) -> Piecewise:
    """Return the density of a variable of integer rate in units of h; a uniform one lies between 0 and `unit`."""
    match kind:
        case "laplace":
            half = Fraction(rate, 2)
            return Piecewise((0,), ({(1, 0, rate, 0): half}, {(1, 0, -rate, 0): half}))
        case "exponential":
            return Piecewise((0,), ({}, {(1, 0, -rate, 0): rate}))
        case "uniform":
            return Piecewise((0, unit), ({}, {(0, 0, 0, 0): Fraction(1) / unit}, {}))
    raise ValueError(f"the density of {kind} noise is no exponential polynomial")
