"""The laws of noise variables, and their densities as exponential polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.ideal.terms import Number, Piecewise


@dataclass(frozen=True, slots=True)
class Rate:
    """The number factor * epsilon^power, where `power` is 0 or the parameter epsilon was left symbolic."""

    factor: Fraction
    power: int = 0


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a noise variable: "laplace", "exponential" or "normal" of scale 1/rate around 0, or "uniform" on
    [0, 1)."""

    kind: str
    rate: Rate = Rate(Fraction(1))

    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the least and the greatest value; None where there is none."""
        zero = Fraction(0)
        return {"exponential": (zero, None), "uniform": (zero, Fraction(1))}.get(self.kind, (None, None))


INTEGRABLE = frozenset({"laplace", "exponential", "uniform"})


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
