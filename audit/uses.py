"""The privacy of mechanisms together: uses of claims, profiles and guarantees, composed in one call."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from dpcert.audit.amplification import subsampled as sampled_profile
from dpcert.audit.answer import Answer, wide
from dpcert.audit.between import Between
from dpcert.audit.claim_profile import ClaimProfile
from dpcert.audit.composition import Canonical, composed
from dpcert.audit.composition import Pair as ComposedPair
from dpcert.audit.enclosure import Curve
from dpcert.audit.grids import OnGrids
from dpcert.audit.hull import sides
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Verified
from dpcert.audit.noise import Greatest, Noise
from dpcert.audit.profile import BITS, Profile
from dpcert.audit.renyi import renyi as divergence
from dpcert.audit.renyi import zcdp as least_rho
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.logarithm import ln_bounds

Use = ClaimProfile | Profile | Between[Profile] | Noise | ApproxDP | Verified
"""A use: a profile that bounds a mechanism in both orders of neighbours, noise, a guarantee, or a verdict on
one."""
CLOSE = Fraction(1001, 1000)
"""The factor within which bounds of a delta are sought where noise is among the uses."""


@dataclass(frozen=True, slots=True)
class Together:
    """The privacy of uses together: the least delta at each epsilon that follows from their profiles and guarantees."""

    lower: Curve
    upper: Curve

    def delta_at(self, epsilon: object) -> Answer:
        """Return the least delta at an epsilon, as `Epsilon.of` takes it."""
        asked = Epsilon.of(epsilon)
        found = self.upper.delta_at(asked)
        return found if self.upper is self.lower else _between(self.lower.delta_at(asked).lo, found.hi, found.why)

    def ratio_at(self, delta: object) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, as `exact` takes it."""
        asked = exact(delta, "delta")
        if self.upper is self.lower:
            return self.upper.ratio_at(asked)
        return _between(ratio_bound(self.lower, asked, above=False), ratio_bound(self.upper, asked, above=True))

    def epsilon_at(self, delta: object) -> Answer:
        """Return the least epsilon >= 0 at a delta as a number, its logarithm bounded to both sides."""
        found = self.ratio_at(delta)
        lo = None if found.lo is None else ln_bounds(found.lo, BITS)[0]
        return replace(found, lo=lo, hi=None if found.hi is None else ln_bounds(found.hi, BITS)[1])


def _between(lo: Fraction | None, hi: Fraction | None, why: str | None = None) -> Answer:
    """Return the answer of uses that are known between two curves; where its bounds are far apart, with why."""
    bounded = "the profiles that are composed are bounds themselves, and these are apart"
    return Answer(lo, hi, "enclosed", (why or bounded) if wide(lo, hi) else None)


def subsampled(use: ClaimProfile | Profile | Between[Profile] | Noise, rate: object) -> Profile | Between[Profile]:
    """Return the profile of a use on a Poisson sample: each person is in it with probability `rate`.

    Claims: as `amplification.subsampled`.
    """
    return sampled_profile(_profile(use), exact(rate, "rate"))


def renyi(use: ClaimProfile | Profile | Between[Profile] | Noise, order: object) -> Answer:
    """Return bounds of the Renyi divergence at an order > 1, a fraction over a power of two, that follows from a use.

    `hi` is None where it is infinite.
    """
    return divergence(_profile(use), exact(order, "order"))


def zcdp(use: ClaimProfile | Profile | Between[Profile] | Noise) -> Answer:
    """Return bounds of the least rho of zero-concentrated privacy that follows from a use."""
    return least_rho(_profile(use))


def _profile(use: object) -> Profile | Between[Profile]:
    if isinstance(use, ClaimProfile):
        return use.curve
    if isinstance(use, Profile | Between):
        return use
    if isinstance(use, Noise) and use.alike:
        return use.profile
    raise InputError(given=f"a {type(use).__name__}", needed="a profile", remedy="pass dpcert.profile(...)")


def ratio_bound(curve: Curve, delta: Fraction, *, above: bool) -> Fraction | None:
    """Return one bound of the least e^epsilon at a delta; that of a search takes half of the work."""
    if isinstance(curve, OnGrids):
        return curve.ratio_bound(delta, above=above)
    found = curve.ratio_at(delta)
    return found.hi if above else found.lo


def compose(uses: Iterable[Use | tuple[Use, int]]) -> Together:
    """Return the privacy of these uses together, each with how often it is used: once where no number stands with it.

    Claims: it holds whichever data each is used on, and where mechanisms are chosen by earlier results, as long as
            their profiles, and how often each is used, are not. No better bound follows from the profiles. Where
            noise is not alike in both orders of neighbours, each order is composed by itself: whoever is in one of
            two data sets alone is so at every use.
    Source: Zhu, Dong, Wang 2022, Theorem 10, for profiles; Kairouz, Oh, Viswanath 2015 for guarantees.
    Raises: InputError where there is no use, or a number is no int >= 1.
    """
    parts = [use if isinstance(use, tuple) else (use, 1) for use in uses]
    noise = [use for use, _ in parts if isinstance(use, Noise)]
    if noise:
        ways = range(1 if all(use.alike for use in noise) else 2)
        curve = Greatest(tuple(composed([(_way(use, way), n) for use, n in parts], width=CLOSE) for way in ways))
        return Together(curve, curve)
    lower, upper = ([(pair_of(use, side), times) for use, times in parts] for side in (0, 1))
    above = composed(upper)
    return Together(above if lower == upper else composed(lower), above)


def _way(use: object, way: int) -> ComposedPair:
    """Return a pair between bounds that is as private as a use is in one order of neighbours."""
    if isinstance(use, Noise):
        return use.ways()[way]
    lower, upper = (pair_of(use, side) for side in (0, 1))
    return upper if lower == upper else Between(lower, upper)


def pair_of(use: object, side: int = 1) -> ComposedPair:
    """Return a pair that is nowhere more private than a use; or, for side 0, nowhere less.

    Raises: InputError for anything else than a use.
    """
    if isinstance(use, Verified):
        use = use.claim.guarantee
    if isinstance(use, ApproxDP):
        if use.delta == 1:
            return Profile.from_ratios([], Fraction(1), Fraction(1))
        return Canonical(use.epsilon, use.delta)
    if isinstance(use, ClaimProfile):
        return use.sides[side]
    if isinstance(use, Profile | Between):
        return sides(use)[side]
    needed = "a profile, a guarantee such as PureDP('1/2'), or a verdict that verified one"
    raise InputError(given=f"a {type(use).__name__}", needed=needed, remedy="pass dpcert.profile(...)")
