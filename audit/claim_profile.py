"""The privacy profile of a whole claim: at each epsilon, the greatest least delta of all its ordered pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpcert.audit.amplification import subsampled
from dpcert.audit.answer import Answer, Method
from dpcert.audit.between import Between
from dpcert.audit.composition import composed
from dpcert.audit.curves import group
from dpcert.audit.enclosure import EXACT_BITS, Curve, EnclosedProfile, enclosed_profile
from dpcert.audit.hull import Hull, greatest
from dpcert.audit.kernel.check import in_order
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.examine import sound
from dpcert.audit.profile import BITS, Profile, profile
from dpcert.audit.recurrence import EnclosedLaw
from dpcert.audit.renyi import renyi, zcdp
from dpcert.audit.subject import Subject
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.logarithm import ln_bounds


@dataclass(frozen=True, slots=True, repr=False)
class ClaimProfile:
    """The profile of a claim's scope: the greatest delta at each epsilon over its ordered pairs of neighbours.

    `curve` is an exact profile, or, where laws have tails or are too long, two that bound it; `tail` is the greatest
    tail of a law. `law_source` and `notes` say where the laws came from, as in a report. A profile is no verdict: laws
    are computed once, and none of the other checks of `check` is made.
    """

    claim: Claim
    pairs: tuple[tuple[int, int], ...]
    tail: Fraction
    law_source: tuple[str, ...]
    notes: tuple[str, ...]
    curve: Profile | Between[Profile]
    events: Hull

    def __repr__(self) -> str:
        return f"<profile of {self.claim.mechanism}, {self.method}, {len(self.pairs)} pairs>"

    @property
    def method(self) -> Method:
        """The method of the answers: "exact", or "enclosed" from both sides."""
        return "exact" if isinstance(self.curve, Profile) else "enclosed"

    @property
    def sides(self) -> tuple[Profile, Profile]:
        """A profile that is nowhere above the claim's and one that is nowhere below; the same one where exact."""
        return (self.curve, self.curve) if isinstance(self.curve, Profile) else (self.curve.lower, self.curve.upper)

    def delta_at(self, epsilon: object) -> Answer:
        """Return the least delta at an epsilon, as `Epsilon.of` takes it, that holds for all pairs."""
        return self.curve.delta_at(Epsilon.of(epsilon))

    def ratio_at(self, delta: object) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, as `exact` takes it, that holds for all pairs."""
        return self.curve.ratio_at(_unit(delta, "delta"))

    def epsilon_at(self, delta: object) -> Answer:
        """Return the least epsilon >= 0 at a delta as a number, its logarithm bounded to both sides."""
        found = self.ratio_at(delta)
        lo = None if found.lo is None else ln_bounds(found.lo, BITS)[0]
        return Answer(lo, None if found.hi is None else ln_bounds(found.hi, BITS)[1], found.method)

    def worst_at(self, epsilon: object) -> tuple[Any, Any]:
        """Return the ordered pair of inputs of greatest delta at an epsilon; where that delta is 0, of greatest ratio.

        Where the profile is not exact, its delta is the greatest of the lower bounds.
        """
        asked = Epsilon.of(epsilon)
        bits = self.events.p_denominator.bit_length() + self.events.q_denominator.bit_length()
        ratio = Fraction(1 << bits) if asked.power_of_two_lo() >= bits else asked.exp_bounds(BITS)[0]
        a, b = self.pairs[self.events.whose(ratio)]
        return self.claim.inputs[a], self.claim.inputs[b]

    def breakpoints(self) -> list[tuple[Fraction, Fraction]]:
        """Return (e^epsilon, delta) at every point where the profile bends, e^epsilon ascending.

        Raises: InputError where the profile is not exact.
        """
        return self._whole("breakpoints", "ask delta_at, or the breakpoints of its two sides").breakpoints()

    def trade_off(self) -> list[tuple[Fraction, Fraction]]:
        """Return the vertices (type I error, least type II error) of testing one neighbour against the other.

        Raises: InputError where the profile is not exact.
        """
        return self._whole("the trade-off curve", "ask missed_at, or the curves of its two sides").trade_off()

    def missed_at(self, level: object) -> Answer:
        """Return the least type II error, over all pairs, of a test with this type I error."""
        alpha = _unit(level, "the type I error")
        lo, hi = (_interpolated(side.trade_off(), alpha) for side in reversed(self.sides))
        return Answer(lo, hi, self.method)

    def group(self, size: int) -> Profile | Between[Profile]:
        """Return the best profile that follows from this one for inputs `size` neighbours apart."""
        return group(self.curve, size)

    def renyi(self, order: object) -> Answer:
        """Return bounds of the Renyi divergence at an order > 1, a fraction over a power of two, over all pairs.

        They are of the pair that dominates all; `hi` is None where it is infinite.
        """
        return renyi(self.curve, exact(order, "order"))

    def subsampled(self, rate: object) -> Profile | Between[Profile]:
        """Return the profile of the mechanism on a Poisson sample at this rate, for neighbours with one person more."""
        return subsampled(self.curve, exact(rate, "rate"))

    def zcdp(self) -> Answer:
        """Return bounds of the least rho of zero-concentrated privacy that follows from this profile."""
        return zcdp(self.curve)

    def compose(self, times: int, *others: tuple[ClaimProfile, int]) -> Curve:
        """Return the profile of `times` uses together with the uses of other claims, whichever pairs they are used on.

        It is the composition of pairs with these profiles. It holds for adaptively chosen mechanisms, too, and no
        better bound follows from the profiles.

        Raises: InputError unless there are at least one use of each.
        """
        parts = [(self, times), *others]
        for _, count in parts:
            if type(count) is not int or count < 1:
                raise InputError(given=f"{count} uses", needed="an int >= 1", remedy="give how many there are")
        lower, upper = ([(part.sides[side], count) for part, count in parts] for side in (0, 1))
        if all(part.method == "exact" for part, _ in parts):
            return composed(upper)
        return Between(composed(lower), composed(upper))

    def _whole(self, what: str, remedy: str) -> Profile:
        if isinstance(self.curve, Profile):
            return self.curve
        given = f"{what} of a profile known between bounds"
        raise InputError(given=given, needed="an exact one: short laws, without tails", remedy=remedy)


def _unit(value: object, name: str) -> Fraction:
    found = exact(value, name)
    if not 0 <= found <= 1:
        given = f"{name} = {ratio_text(found)}"
        raise InputError(given=given, needed="a number in [0, 1]", remedy='write for instance "1e-6"')
    return found


def _interpolated(curve: Sequence[tuple[Fraction, Fraction]], alpha: Fraction) -> Fraction:
    """Return the height at alpha of a curve that falls to 0 and stays there."""
    for (left, high), (right, low) in pairwise(curve):
        if alpha <= right:
            return high + (low - high) * (alpha - left) / (right - left)
    return Fraction(0)


def curve_of(p: Dist, q: Dist) -> Profile | EnclosedProfile:
    """Return the profile of p against q: exact where the laws are whole and take at most EXACT_BITS, else enclosed."""
    size = sum(len(law) * law.denominator.bit_length() for law in (p, q))
    if p.tail_weight or q.tail_weight or size > EXACT_BITS:
        return enclosed_profile(EnclosedLaw.of(p), EnclosedLaw.of(q))
    return profile(p, q)


def profile_of(subject: Subject, claim: Claim) -> ClaimProfile:
    """Return the profile of a claim about a subject, each law computed once and kept as long as a pair needs it.

    Raises: Unauditable where the program cannot be followed, InputError where the claim has no pair.
    """
    pairs, tails = tuple(claim.pairs()), [Fraction(0)]
    found = greatest((curve_of(p, q), tag) for tag, (p, q) in enumerate(_laws(subject, pairs, tails)))
    if found is None:
        given = f"{claim.mechanism} on {claim.inputs_words()}"
        raise InputError(given=given, needed=f"two inputs that are {claim.neighbours.words}", remedy="add inputs")
    lower, upper = found
    whole = lower.profile()
    return ClaimProfile(
        claim=claim,
        pairs=pairs,
        tail=max(tails),
        law_source=(*in_order([subject.used]),),
        notes=tuple(subject.notes),
        curve=whole if lower is upper else Between(whole, upper.profile()),
        events=lower,
    )


def _laws(subject: Subject, pairs: Sequence[tuple[int, int]], tails: list[Fraction]) -> Iterator[tuple[Dist, Dist]]:
    """Yield the two laws of each pair, and note their tails."""
    last = {i: place for place, pair in enumerate(pairs) for i in pair}
    held: dict[int, Dist] = {}
    for place, (a, b) in enumerate(pairs):
        for i in (a, b):
            if i not in held:
                held[i] = Dist.like(sound(subject.law(i)))
                tails.append(held[i].tail)
        yield held[a], held[b]
        for i in (a, b):
            if last[i] == place:
                del held[i]
