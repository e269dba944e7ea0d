"""A verdict on counts of any size: a sentence, the theorem that it rests on, and finite claims that it follows from.

The premises are recomputed from the parameters and the hints, never taken from a file; docs/all-counts.md has the
theorems and their proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.dominating import Node, both_moves, dominating_pair
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.mechanisms.exact.number import from_hex, hex_text, ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.joined_count import distance_of
from dpcert.mechanisms.sample_and_threshold.sample_threshold import ALL

__all__ = ["COUNTS", "Conclusion", "Hints", "Premise", "Unfounded", "conclusion_of", "sentence_of", "theorem_of"]

COUNTS = "sample-threshold"
"""The mechanism that the theorems are about."""
MOST_NODES = 400
MOST_BITS = 4096


class Unfounded(DpcertError):
    """The conclusion does not follow from these hints; the line says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(one_line(reason))


@dataclass(frozen=True, slots=True)
class Premise:
    """One finite claim, for the kernel: a built-in mechanism at these settings has this guarantee for its inputs.

    `closed` says that its laws may only come from the closed form.
    """

    mechanism: str
    settings: tuple[tuple[str, str], ...]
    epsilon: Epsilon
    delta: Fraction
    neighbours: str
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Hints:
    """What search found: the counts that are looked at one by one, and for people who move bounds of delta at points.

    Counts above `reach` are covered by the number sampled of so many people. A node (E, m) of `losing` is a claim
    at e^epsilon = E in both orders, one of `gaining` a claim of a count against the next, in that order alone.
    """

    reach: int
    losing: tuple[Node, ...] = ()
    gaining: tuple[Node, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the hints as they stand in a bundle."""
        nodes = ([[hex_text(at), hex_text(bound)] for at, bound in side] for side in (self.losing, self.gaining))
        losing, gaining = nodes
        return {"reach": self.reach, "losing": losing, "gaining": gaining}

    @classmethod
    def from_data(cls, data: object) -> Hints:
        """Return the hints that stand in a bundle.

        Raises: Unfounded where they are malformed.
        """
        if not isinstance(data, dict) or set(data) != {"reach", "losing", "gaining"}:
            raise Unfounded("hints need reach, losing and gaining")
        if type(data["reach"]) is not int or data["reach"] < 1:
            raise Unfounded("the hint 'reach' needs an integer >= 1")
        return cls(data["reach"], _nodes(data["losing"]), _nodes(data["gaining"]))


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows by the theorem once every premise is verified: a sentence, its inputs in words, the assumptions."""

    theorem: str
    parameters: dict[str, str]
    guarantee: ApproxDP
    neighbours: str
    inputs: str
    sentence: str
    premises: tuple[Premise, ...]
    assumptions: tuple[str, ...]


def theorem_of(neighbours: str) -> str:
    """Return the name of the theorem for a neighbour relation.

    Raises: InputError where there is none.
    """
    if neighbours in ("element", "add-remove"):
        return "all counts"
    if neighbours == "substitute":
        return "all moves"
    remedy = f"name one of these, or audit counts up to some number, as with --set kmax={30}"
    raise InputError(
        given=f"--neighbours {neighbours} for {COUNTS} on all counts",
        needed="element, add-remove or substitute",
        remedy=remedy,
    )


def conclusion_of(
    parameters: Mapping[str, str], guarantee: ApproxDP, neighbours: str, hints: Hints, *, law_source: str
) -> Conclusion:
    """Return the conclusion for `sample-threshold` at these parameters and this guarantee, with its premises.

    Requires: `parameters` rate, threshold and kmax=all; `law_source` is where the laws of premises come from that may
              be had from the program.
    Raises:   Unfounded where the guarantee does not follow from the nodes, as the kernel decides it; InputError for
              parameters or a relation that no theorem is about.
    """
    theorem = theorem_of(neighbours)
    if set(parameters) != {"rate", "threshold", "kmax"} or parameters["kmax"] != ALL:
        raise Unfounded("a conclusion for all counts is about rate, threshold and kmax=all")
    parameters = {name: parameters[name] for name in ("rate", "threshold", "kmax")}
    rate, threshold = probability(parameters, "rate"), integer(parameters, "threshold", least=1)
    shared = (("rate", parameters["rate"]), ("threshold", parameters["threshold"]))
    reach = str(hints.reach)

    def counts(epsilon: Epsilon, delta: Fraction) -> tuple[Premise, Premise]:
        here = Premise(COUNTS, (*shared, ("kmax", reach)), epsilon, delta, "element")
        beyond = Premise("sampled-count", (*shared, ("least", reach)), epsilon, delta, "element")
        return here, beyond

    premises: list[Premise] = []
    if theorem == "all counts":
        if hints.losing or hints.gaining:
            raise Unfounded("the theorem of all counts takes no nodes")
        premises += counts(guarantee.epsilon, guarantee.delta)
    else:
        _composed(hints, guarantee)
        for at, bound in hints.losing:
            premises += counts(Epsilon.ln(at), bound)
        for at, bound in hints.gaining:
            distance = distance_of(bound, at)
            premises += _joined(rate, threshold, 1 / at, hints.reach, distance)
    sentence, inputs = sentence_of(parameters, guarantee, neighbours)
    return Conclusion(
        theorem=theorem,
        parameters=dict(parameters),
        guarantee=guarantee,
        neighbours=neighbours,
        inputs=inputs,
        sentence=sentence,
        premises=tuple(premises),
        assumptions=_assumptions(theorem, hints, len(premises), law_source),
    )


def sentence_of(parameters: Mapping[str, str], guarantee: ApproxDP, neighbours: str) -> tuple[str, str]:
    """Return the sentence of a conclusion and its inputs in words, as they stand in it."""
    settings = ", ".join(f"{name}={text}" for name, text in parameters.items())
    named, inputs = f"{COUNTS}({settings})", "all counts"
    if neighbours != "element":
        named, inputs = f"the histogram of bins that are each released by {named}", "all lists"
    return f"{named} is {guarantee} for {RELATIONS[neighbours].words}, on {inputs}", inputs


def _joined(rate: Fraction, threshold: int, keep: Fraction, reach: int, distance: Fraction) -> tuple[Premise, Premise]:
    """Return the claims of a count against the next one, up to `reach` and of the number sampled of more."""

    def claim(shown: int, least: int, greatest: int) -> Premise:
        settings = (
            ("rate", ratio_text(rate)),
            ("threshold", str(shown)),
            ("keep", ratio_text(keep)),
            ("least", str(least)),
            ("greatest", str(greatest)),
        )
        return Premise("joined-count", settings, Epsilon.of(0), distance, "l1", closed=True)

    return claim(threshold, 1, reach), claim(1, reach + 1, reach + 1)


def _composed(hints: Hints, guarantee: ApproxDP) -> None:
    """Return if two bins, one of which loses and the other gains a person, are within the guarantee by the nodes.

    Raises: Unfounded otherwise.
    """
    try:
        pair = both_moves(dominating_pair(hints.losing, hints.gaining))
    except InputError as error:
        raise Unfounded(str(error)) from None
    if decide_pair(*pair, guarantee.epsilon, guarantee.delta)[0] is not True:
        raise Unfounded("the bounds of one bin, composed for two, are not within the guarantee")


def _assumptions(theorem: str, hints: Hints, premises: int, law_source: str) -> tuple[str, ...]:
    reach = hints.reach
    parts = f"counts to {reach} one by one, greater ones by the number sampled of {reach} and {reach + 1}"
    found = [f"by the theorem of {theorem} (docs/all-counts.md) from {premises} finite claims: {parts}"]
    if law_source == "program":
        found.append(
            f"above {reach} people the program samples and reports as it does up to there, where every line and branch "
            "of it was reached and its laws are those of the closed form"
        )
    else:
        found.append("the law on every count is the closed form's, a binomial with counts below the threshold at 0")
    return tuple(found)


def _nodes(data: object) -> tuple[Node, ...]:
    if not isinstance(data, list) or len(data) > MOST_NODES:
        raise Unfounded(f"nodes need a list of at most {MOST_NODES}")
    return tuple(_node(part) for part in data)


def _node(data: object) -> Node:
    if not isinstance(data, list) or len(data) != 2 or not all(isinstance(part, str) for part in data):
        raise Unfounded("a node needs two numbers as texts")
    at, bound = _numbers(data)
    if any(part.denominator.bit_length() > MOST_BITS or abs(part) > 1 << MOST_BITS for part in (at, bound)):
        raise Unfounded(f"a node needs numbers of at most {MOST_BITS} bits")
    return at, bound


def _numbers(texts: Sequence[str]) -> list[Fraction]:
    try:
        return [from_hex(text, "node") for text in texts]
    except InputError as error:
        raise Unfounded(str(error)) from None
