"""The finite claims from which it follows that sample-and-threshold is private on counts of any size.

docs/all-counts.md has the theorems and their proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.dominating import Node, both_moves, dominating_pair
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.unbounded.theorem import Premise, UnboundedClaim, Unfounded
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import from_hex, hex_text, ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.joined_count import distance_of

NAMES = {"element": "all counts", "add-remove": "all counts", "substitute": "all moves"}
"""What the theorem for each neighbour relation is called."""
MOST_NODES = 400
MOST_BITS = 4096


@dataclass(frozen=True, slots=True)
class Hints:
    """What search found: up to which count each is audited, and for people who move bounds of delta at points.

    The number sampled of `reach` people covers all greater counts. A node (E, m) is a claim at e^epsilon = E that m is
    enough: for a bin that loses a person, in both orders, or for one that gains a person, in that order alone.
    """

    reach: int
    losing: tuple[Node, ...] = ()
    gaining: tuple[Node, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the hints as they stand in a bundle."""
        sides = {"losing": self.losing, "gaining": self.gaining}
        nodes = {name: [[hex_text(at), hex_text(bound)] for at, bound in side] for name, side in sides.items()}
        return {"reach": self.reach, **nodes}

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


def rate_and_threshold(claim: UnboundedClaim) -> tuple[Fraction, int]:
    """Return the rate and the threshold that a claim is about.

    Raises: InputError where they are of no use.
    """
    return probability(claim.parameters, "rate"), integer(claim.parameters, "threshold", least=1)


def premises_of(claim: UnboundedClaim, data: object) -> tuple[tuple[Premise, ...], tuple[str, ...]]:
    """Return the premises of a claim about `sample-threshold` with these hints, and what is assumed besides.

    Raises: Unfounded where the guarantee does not follow from the nodes, as the kernel decides it; InputError for a
            rate or a threshold of no use.
    """
    hints = Hints.from_data(data)
    rate, threshold = rate_and_threshold(claim)
    premises: list[Premise] = []
    if NAMES[claim.neighbours] == "all counts":
        if hints.losing or hints.gaining:
            raise Unfounded("the theorem of all counts takes no nodes")
        premises += count_premises(claim.parameters, hints.reach, claim.guarantee, refutes=True)
    else:
        _require_composition(hints, claim.guarantee)
        for at, bound in hints.losing:
            premises += count_premises(claim.parameters, hints.reach, ApproxDP(Epsilon.ln(at), bound))
        for at, bound in hints.gaining:
            distance = ApproxDP(0, distance_of(bound, at))
            counts = _joined_premise(rate, threshold, 1 / at, 1, hints.reach, distance)
            crowd = _joined_premise(rate, 1, 1 / at, hints.reach + 1, hints.reach + 1, distance)
            premises += counts, crowd
    return tuple(premises), _assumptions(claim, hints.reach, len(premises))


def count_premises(
    parameters: Mapping[str, str], reach: int, guarantee: ApproxDP, *, refutes: bool = False
) -> tuple[Premise, Premise]:
    """Return the claims that counts up to `reach`, and the number sampled of more people, have a guarantee.

    `refutes` says of the first whether its refutation refutes the claim on all counts.
    """
    shared = (("rate", parameters["rate"]), ("threshold", parameters["threshold"]))
    counts = (*shared, ("kmax", str(reach)))
    crowd = (*shared, ("least", str(reach)))
    return (
        Premise("sample-threshold", counts, guarantee, "element", refutes=refutes),
        Premise("sampled-count", crowd, guarantee, "element"),
    )


def _joined_premise(
    rate: Fraction, threshold: int, keep: Fraction, least: int, greatest: int, distance: ApproxDP
) -> Premise:
    """Return the claim of one person fewer against each count from `least` to `greatest`, in that order alone."""
    settings = (
        ("rate", ratio_text(rate)),
        ("threshold", str(threshold)),
        ("keep", ratio_text(keep)),
        ("least", str(least)),
        ("greatest", str(greatest)),
    )
    return Premise("joined-count", settings, distance, "l1", closed=True)


def _require_composition(hints: Hints, guarantee: ApproxDP) -> None:
    """Return if two bins, one of which loses and the other gains a person, are within the guarantee by the nodes.

    Raises: Unfounded otherwise.
    """
    try:
        pair = both_moves(dominating_pair(hints.losing, hints.gaining))
    except InputError as error:
        raise Unfounded(str(error)) from None
    if decide_pair(*pair, guarantee.epsilon, guarantee.delta)[0] is not True:
        raise Unfounded("the bounds of one bin, composed for two, are not within the guarantee")


def _assumptions(claim: UnboundedClaim, reach: int, premises: int) -> tuple[str, str]:
    parts = f"counts to {reach} one by one, greater ones by the number sampled of {reach} and {reach + 1}"
    by = f"by the theorem of {NAMES[claim.neighbours]} (docs/all-counts.md) from {premises} finite claims: {parts}"
    if claim.law_source != "program":
        return by, "the law on every count is the closed form's, a binomial with counts below the threshold at 0"
    return by, (
        f"above {reach} people the program samples and reports as it does up to there, where every line and branch "
        "of it was reached and its laws are those of the closed form"
    )


def _nodes(data: object) -> tuple[Node, ...]:
    if not isinstance(data, list) or len(data) > MOST_NODES:
        raise Unfounded(f"nodes need a list of at most {MOST_NODES}")
    return tuple(_node(part) for part in data)


def _node(data: object) -> Node:
    if not isinstance(data, list) or len(data) != 2 or not all(isinstance(part, str) for part in data):
        raise Unfounded("a node needs two numbers as texts")
    try:
        at, bound = (from_hex(text, "node") for text in data)
    except InputError as error:
        raise Unfounded(str(error)) from None
    if any(part.denominator.bit_length() > MOST_BITS or abs(part) > 1 << MOST_BITS for part in (at, bound)):
        raise Unfounded(f"a node needs numbers of at most {MOST_BITS} bits")
    return at, bound
