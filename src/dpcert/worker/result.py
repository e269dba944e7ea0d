"""The result of an audit: one form for every method, plain values that every renderer reads.

Numbers are texts: probabilities "p/q", epsilons as `Epsilon` writes them. Outcomes are JSON data, as `to_json` gives
them. A worker process answers in this form, and a lock keeps it. `result_json` writes it.
"""

import math
import re
from dataclasses import dataclass, field
from typing import Annotated, Any

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.worker.codec import encode

VERDICTS = ("verified", "refuted", "undecided")
METHODS = ("exact", "every", "ideal", "sampling")
BY_FLOATS, BY_ROUNDING = "verified with ideal noise", "refuted by rounding"
"""Classes of results beside the three verdicts: a program whose algorithm is private, while its floats are not, or are
not known to be; and a claim that is true with a little more epsilon."""
RATIO = re.compile(r"[0-9]+/0*[1-9][0-9]*")
DECIMAL = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?(e-?[0-9]{1,9})?")


def _is_epsilon(text: str) -> bool:
    try:
        return bool(str(Epsilon.of(text)))
    except InputError:
        return False


def _is_probability(text: str) -> bool:
    if RATIO.fullmatch(text) is None:
        return False
    top, bottom = (digits.lstrip("0") for digits in text.split("/"))  # compared as texts: they may be too long for int
    return (len(top), top) <= (len(bottom), bottom)


Count = Annotated[int, lambda number: number >= 0]
Decimal = Annotated[str, lambda text: DECIMAL.fullmatch(text) is not None]
Drawn = Annotated[str, lambda text: DECIMAL.fullmatch(text) is not None and math.isfinite(float(text))]
"""A decimal that a chart shows."""
EpsilonText = Annotated[str, _is_epsilon]
Method = Annotated[str, lambda text: text in METHODS]
Probability = Annotated[str, _is_probability]
Ratio = Annotated[str, lambda text: RATIO.fullmatch(text) is not None]
Verdict = Annotated[str, lambda text: text in VERDICTS]


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """A claim in words: its guarantee, its relation, its inputs, and the whole sentence."""

    epsilon: EpsilonText
    delta: Ratio
    neighbours: str
    inputs: str
    sentence: str
    parameters: dict[str, str]


@dataclass(frozen=True, slots=True)
class DeltaEnds:
    """Bounds of the least delta at the claimed epsilon."""

    lo: Ratio
    hi: Ratio


@dataclass(frozen=True, slots=True)
class EpsilonEnds:
    """Bounds of the least epsilon at the claimed delta; the upper one is None where none is known."""

    lo: EpsilonText
    hi: EpsilonText | None


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event, with its probabilities p on input a and q on input b; of a long event, some of its outcomes."""

    a: Any
    b: Any
    event: list[Any]
    event_size: Count
    p: Probability
    q: Probability


@dataclass(frozen=True, slots=True)
class UnreachedCode:
    """Lines and branches of a program's file that no run reached."""

    file: str
    lines: list[Count]
    branches: list[tuple[Count, Count]]


@dataclass(frozen=True, slots=True)
class Slack:
    """The epsilon that a claim lacks which rounding refutes, and an epsilon to claim in its place."""

    slack: str
    epsilon: EpsilonText


@dataclass(frozen=True, slots=True)
class Counts:
    """The runs on a and on b that had an event, and the number of runs."""

    a: Count
    of_a: Count
    b: Count
    of_b: Count


@dataclass(frozen=True, slots=True)
class Sampling:
    """The evidence of samples; without a refutation, `event`, its counts, and those of its confirmation are None."""

    runs: Count
    looks: Count
    claims: Count
    seed: int | None
    event: str | None
    counts: Counts | None
    again: Counts | None


@dataclass(frozen=True, slots=True)
class Hits:
    """The number of the last runs that had the event of a timing audit: on a, on b, on other inputs."""

    a: Count
    b: Count
    others: Count


@dataclass(frozen=True, slots=True)
class Medians:
    """The median running times on a and on b, in nanoseconds."""

    a: Count
    b: Count


@dataclass(frozen=True, slots=True)
class Timing:
    """The evidence of the clock: `resolution` and `delay` in nanoseconds; a field that does not apply is None."""

    observes: str
    resolution: Count
    runs: Count
    rounds: Count
    claims: Count
    seed: int | None
    a: Any
    b: Any
    event: str | None
    hits: Hits | None
    medians: Medians | None
    delay: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of an audit of one claim; by default nothing is known.

    `reason` says why it is undecided. `worst` is the event that refutes, or that comes nearest to a refutation. `ideal`
    is the verdict on ideal noise, where the machine's noise does not verify. `sampling` and `timing` are None except
    for audits from samples and by the clock. For these, `confidence` covers everything that they show together, and
    `power` names a violation that they would very probably have shown.
    """

    target: str
    method: Method
    law_source: str | None = None
    verdict: Verdict = "undecided"
    reason: str | None = ""
    claim: ClaimWords
    assumptions: list[str] = field(default_factory=list)
    pairs: Count = 0
    tail: Ratio = "1/1"
    delta: DeltaEnds = DeltaEnds("0/1", "1/1")
    epsilon: EpsilonEnds = EpsilonEnds("0", None)
    worst: SeenEvent | None = None
    confidence: Ratio | None = None
    power: str | None = None
    certificate: str | None = None
    versions: dict[str, str]
    notes: list[str] = field(default_factory=list)
    unreached: UnreachedCode | None = None
    rounding: Slack | None = None
    ideal: Verdict | None = None
    sampling: Sampling | None = None
    timing: Timing | None = None

    @property
    def kind(self) -> str:
        """The class of the result: its verdict, or BY_FLOATS, or BY_ROUNDING."""
        if self.verdict == "refuted" and self.rounding is not None:
            return BY_ROUNDING
        if self.verdict != "verified" and self.ideal == "verified":
            return BY_FLOATS
        return self.verdict

    @property
    def witness(self) -> SeenEvent:
        """The event of a refutation.

        Raises: ValueError for a result without an event.
        """
        if self.worst is None:
            raise ValueError(f"{self.claim.sentence}: {self.verdict} without an event")
        return self.worst


def result_json(result: Result) -> dict[str, Any]:
    """Return a result as `dpcert audit --json` prints it, with its class, and without the fields of other methods."""
    data: dict[str, Any] = encode(result)
    absent = [name for name in ("sampling", "timing") if data[name] is None]
    return {name: part for name, part in data.items() if name not in absent} | {"class": result.kind}
