"""Mechanisms that are ready to run on real data: a program, its guarantee, and the reasons for it in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.coins import unmerged
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.mechanism import integer
from dpcert.planning.lone import DIGITS, noise_ratio
from dpcert.planning.question import chosen_settings

Released = Sequence[tuple[Any, ...]]
"""Rows of texts and integers."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a release: mechanism, settings, guarantee, relation, and a public list of labels."""

    mechanism: str
    settings: Mapping[str, str]
    epsilon: Epsilon
    delta: Fraction | None = None
    neighbours: str | None = None
    labels: Sequence[str] | None = None

    def take(self, *needed: str, **optional: str) -> dict[str, str]:
        """Return the settings over the defaults of optional ones; an empty default is left out.

        Raises: InputError for one that is not there, or that is none of these.
        """
        return chosen_settings(f"release {self.mechanism}", self.settings, *needed, **optional)

    def relation(self, *names: str) -> str:
        """Return the relation that is asked for, the first of these names where none is.

        Raises: InputError for another.
        """
        if self.neighbours is None:
            return names[0]
        if self.neighbours not in names:
            given, needed = f"--neighbours {self.neighbours} for release {self.mechanism}", " or ".join(names)
            raise InputError(given=given, needed=needed, remedy="name the one that your guarantee speaks of")
        return self.neighbours

    def universe(self, least: int = 1) -> Sequence[str]:
        """Return the public labels.

        Raises: InputError where there are none, or fewer than `least`.
        """
        if self.labels is None:
            needed = "--labels FILE: all labels that may occur, which are public, one a line"
            raise InputError(given=f"release {self.mechanism} without labels", needed=needed, remedy="list them")
        if len(self.labels) < least:
            needed = f"{least} or more: add labels that do not occur"
            raise InputError(given=f"{len(self.labels)} labels", needed=needed, remedy="list more, or take another")
        return self.labels

    def within(self, needed: Fraction) -> ApproxDP:
        """Return the guarantee with the delta that is needed, rounded up to a short decimal or to the allowed delta.

        Raises: InputError where a smaller delta was asked for.
        """
        text = decimal_hi(needed, DIGITS)
        delta = exact(text, "delta")
        # A delta that was asked for may lie between the need and its decimal: it is enough, and shorter to say.
        if self.delta is not None and needed <= self.delta < delta:
            delta = self.delta
        if self.delta is not None and self.delta < delta:
            words = f"at least {text}, which these settings need"
            raise InputError(given=f"delta = {self.delta}", needed=words, remedy="plan others with dpcert plan")
        return ApproxDP(self.epsilon, delta)

    def lost(self, needed: str = "--delta: with delta = 0 no key can ever be reported") -> Fraction:
        """Return the delta that may be spent.

        Raises: InputError where it is 0, or none is given.
        """
        if not self.delta:
            given = f"release {self.mechanism} without a delta"
            raise InputError(given=given, needed=needed, remedy="write --delta 1e-6")
        return self.delta

    def noise(self, times: int) -> Fraction:
        """Return the ratio of noise that is set, by a plan for one, or `noise_ratio` of the guarantee's epsilon."""
        return self.at_most(noise_ratio(self.epsilon, times))

    def at_most(self, greatest: Fraction) -> Fraction:
        """Return the ratio that is set, or the greatest that the guarantee allows.

        Raises: InputError for a ratio that is 1 or less, or above the greatest.
        """
        ratio = exact(self.settings.get("ratio", greatest), "ratio")
        if not 1 < ratio <= greatest:
            needed = f"a ratio above 1, at most {ratio_text(greatest)}, for this epsilon and these labels"
            raise InputError(given=f"ratio={ratio_text(ratio)}", needed=needed, remedy="plan again, or leave it out")
        return ratio


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rows, with settings that the program chose by itself, privately: they are released with the rows."""

    rows: Released
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ready:
    """A program from data of its kind and coins to rows of these columns, and its guarantee.

    The guarantee holds for neighbours of `relation`, by `rests_on`. The program runs with `settings`.
    It reads `Counts`, or `Users`, whose items are the labels that were listed, or any where it takes their `records`.
    """

    program: Callable[[Any, Coins], Released | Drawn]
    columns: tuple[str, ...]
    guarantee: ApproxDP
    relation: str
    rests_on: str
    settings: Mapping[str, str]
    notes: Mapping[str, str] = field(default_factory=dict)
    reads: Literal["counts", "users", "records"] = "counts"


def noise_to(n: int, ratio: Fraction) -> Callable[[int, Coins], int]:
    """Return two-sided geometric noise of this ratio for counts in [0, n], clamped, as a release runs it."""
    return unmerged(clamped_noise(n=n, ratio=ratio))


def people_of(settings: Mapping[str, str]) -> int:
    """Return the setting n, the greatest number of people."""
    return integer(settings, "n", least=1, greatest=10**15)


def need_positive(epsilon: Epsilon) -> None:
    """Return if an epsilon is above 0.

    Raises: InputError otherwise.
    """
    if at_most(epsilon, Epsilon.of(0)):
        raise InputError(given="epsilon = 0", needed="an epsilon above 0", remedy="write --epsilon 1")
