"""What the tests of examine.py share: a claim, and what an examination says of it."""

from collections.abc import Callable, Sequence
from typing import Any

from given_laws import each_pair, examination

from dpcert import ApproxDP, Claim, Dist, Undecided
from dpcert.audit.kernel.examine import Examination, marks
from dpcert.audit.kernel.neighbours import RELATIONS

Examine = Callable[[Claim, Sequence[Dist]], Examination]
HALF, THIRD, QUARTER = (Dist.bernoulli(p) for p in ("1/2", "1/3", "1/4"))
PLAIN = ApproxDP("ln(2)", "1/100")


def claim(*inputs: Any, guarantee: ApproxDP = PLAIN, neighbours: str = "counts_differ_by_one") -> Claim:
    return Claim("m", (), inputs, RELATIONS[neighbours], guarantee)


def left(examination: Examination) -> list[tuple[int, int]]:
    """The ordered pairs that are open, in their order."""
    return [pair for pair in examination.claim.pairs() if marks(examination.open, *pair)]


def answers(asked: Claim, laws: Sequence[Dist], within: bool | None) -> list[tuple[int, int]]:
    """The ordered pairs that are answered so."""
    found = each_pair(examination(asked, laws.__getitem__))
    return [(answer.a, answer.b) for answer in found if answer.within is within]


def digests(examination: Examination) -> list[str]:
    return [digest for _, digest in sorted(examination.digests.items())]


def reason(verdict: object) -> str:
    assert isinstance(verdict, Undecided)
    return verdict.reason


P = Dist.of({"a": "1/2", "b": "1/4", "c": "1/4"})
Q = Dist.of({"a": "1/4", "b": "1/4", "d": "1/2"})
