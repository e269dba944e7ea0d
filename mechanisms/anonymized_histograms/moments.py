"""Two-sided geometric noise: masses, upper sums and moments in closed form, and the moments of a total clamped at 0."""

from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.exact.number import need


@dataclass(frozen=True, slots=True)
class GeometricMoments:
    """The law G(alpha): Pr[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z| for every integer z, 0 < alpha < 1.

    Source: anonymized-histograms, Definition 3 and Appendix A; alpha = e^-epsilon for epsilon-DP at sensitivity 1.
    Raises: InputError for an alpha that is not a Fraction strictly between 0 and 1.
    """

    alpha: Fraction

    def __post_init__(self) -> None:
        given = f"alpha = {self.alpha!r}"
        need(type(self.alpha) is Fraction, given, "a Fraction", "write Fraction(1, 2)")
        need(0 < self.alpha < 1, given, "0 < alpha < 1", "take e^-epsilon, not e^epsilon")

    def mass(self, z: int) -> Fraction:
        """Return Pr[Z = z]."""
        return (1 - self.alpha) / (1 + self.alpha) * self.alpha ** abs(z)

    def at_least(self, z: int) -> Fraction:
        """Return Pr[Z >= z]: alpha^z/(1 + alpha) for z > 0."""
        if z > 0:
            return self.alpha**z / (1 + self.alpha)
        return 1 - self.at_least(1 - z)

    def beyond(self, m: int) -> Fraction:
        """Return Pr[|Z| > m] for m >= 0."""
        return 2 * self.at_least(m + 1)

    def mean_size(self) -> Fraction:
        """Return E|Z| = 2 alpha/(1 - alpha^2)."""
        return 2 * self.alpha / (1 - self.alpha**2)

    def mean_square(self) -> Fraction:
        """Return E Z^2 = 2 alpha/(1 - alpha)^2; the mean is 0, so that it is the variance."""
        return 2 * self.alpha / (1 - self.alpha) ** 2

    def excess(self, m: int) -> Fraction:
        """Return E max(Z - m, 0) = alpha^(m+1)/(1 - alpha^2) for m >= 0."""
        return self.alpha ** (m + 1) / (1 - self.alpha**2)

    def total_mean(self, n: int) -> Fraction:
        """Return E max(n + Z, 0) for n >= 0: n plus the mean increase by clamping."""
        return n + self.excess(n)

    def total_error(self, n: int) -> Fraction:
        """Return E|max(n + Z, 0) - n| for n >= 0."""
        return self.mean_size() - self.excess(n)

    def total_square(self, n: int) -> Fraction:
        """Return E (max(n + Z, 0) - n)^2 for n >= 0.

        Where n + Z < 0, with probability alpha^(n+1)/(1 + alpha), the square is n^2 in place of (n + W)^2, for W >= 1
        with Pr[W = w] = (1 - alpha) alpha^(w-1), E W = 1/(1 - alpha), E W^2 = (1 + alpha)/(1 - alpha)^2.
        """
        alpha = self.alpha
        lost = 2 * n / (1 - alpha) + (1 + alpha) / (1 - alpha) ** 2
        return self.mean_square() - self.at_least(n + 1) * lost
