"""Claims about all values of a parameter: each value epsilon > 0 of a range is the epsilon of a claim of its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.kernel.claim import Claim
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text


@dataclass(frozen=True, slots=True)
class Every:
    """A parameter of a function, and its values > 0 from `low` to `high`; where `high` is None, they have no bound."""

    parameter: str
    low: Fraction = Fraction(0)
    high: Fraction | None = None

    @classmethod
    def from_text(cls, text: str) -> Every:
        """Return the range that a text means: NAME, or NAME=LOW..HIGH with one end or both.

        Raises: InputError for any other text.
        """
        name, given, ends = text.partition("=")
        low, between, high = ends.partition("..")
        if not name.isidentifier() or bool(given) != bool(between) or (given and not low + high):
            raise _bad(text)
        every = cls(name, exact(low, "--every") if low else Fraction(0), exact(high, "--every") if high else None)
        if every.low < 0 or (every.high is not None and every.high <= every.low):
            raise _bad(text)
        return every

    def text(self) -> str:
        """Return the text that means this range: one text, however the user wrote it."""
        low, high = ("" if not end else ratio_text(end).removesuffix("/1") for end in (self.low, self.high))
        return f"{self.parameter}={low}..{high}" if low or high else self.parameter

    def sentence(self, claim: Claim) -> str:
        """Return in words the claim about every epsilon; the guarantee of `claim` is the multiple of it."""
        guarantee = claim.guarantee
        factor = "" if guarantee.epsilon.rational == 1 else f"{guarantee.epsilon} "
        parameters = "".join(f", {name}={text}" for name, text in claim.parameters)
        head = f"{claim.mechanism}({self.parameter}=epsilon{parameters})"
        private = f"({factor}epsilon, {ratio_text(guarantee.delta).removesuffix('/1')})-differentially private"
        return f"{head} is {private} for every {self._words()}, for {claim.neighbours.words}, on {claim.inputs_words()}"

    def _words(self) -> str:
        low, high = (None if end is None else ratio_text(end).removesuffix("/1") for end in (self.low, self.high))
        if high is None:
            return f"float epsilon {'>= ' + str(low) if self.low else '> 0'}"
        return f"float epsilon from {low} to {high}" if self.low else f"float epsilon > 0 up to {high}"


def _bad(text: str) -> InputError:
    needed = "a parameter of the function, alone or with a range of its values"
    return InputError(given=f"every={text!r}", needed=needed, remedy='write "epsilon", or "epsilon=0..1"')
