"""`dpcert.pipeline`: the claim about a program whose adversary sees its calls of primitives.

A run on one data set gives a transcript: the primitives that are called, their public values, their results, and the
program's outcome. The run is replayed on the neighbour. Where the replay diverges, the neighbour cannot give that
transcript: its loss is infinite. Otherwise the loss L is the sum of the losses of the calls, since the program adds no
randomness of its own. With X = max(0, 1 - e^(epsilon - L)), the least delta of the two transcripts is the mean of X. So
for delta = 0, one run with X > 0 refutes, up to an event of probability 0. For delta > 0, n runs whose mean is x refute
at confidence 1 - alpha where n (x ln(x / delta) + (1 - x) ln((1 - x) / (1 - delta))) >= ln(1 / alpha): Chernoff's bound
in Hoeffding's form, for means of numbers in [0, 1]. X is bounded from below, and the comparison uses certified bounds.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.audit.relations import relation
from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.exact.outcome import show
from dpcert.pipelines.primitive import Primitive, far, loss
from dpcert.pipelines.recording import OUTSIDE, Tape, Unimported, drawing, run, watched

ALPHA = Fraction(1, 10**6)
"""The most chance of a wrong refutation, of all pairs together."""
UNLIKE = "run again with the same answers of its primitives it does something else: it draws outside of them"
FIRST = 3
"""The runs of each pair in a first round, before the pairs get all their runs."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The result for a program and its primitives. `verdict` is "refuted" or "undecided", never "verified"."""

    verdict: str
    claim: str
    reason: str
    data: Any = None
    neighbour: Any = None
    place: str | None = None
    tried: str = ""
    breaches: tuple[str, ...] = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value: ask for .verdict")

    def __str__(self) -> str:
        pair = "" if self.verdict != "refuted" else f", on {show(self.data)} against {show(self.neighbour)}"
        place = "" if self.place is None else f", at {self.place}"
        return "; ".join([f"{self.verdict}  {self.claim}: {self.reason}{place}{pair}", *self.breaches, self.tried])


@dataclass(slots=True)
class _Pair:
    """The runs on a data set and their replays on its neighbour."""

    data: Any
    neighbour: Any
    excess: list[Fraction] = field(default_factory=list)
    reason: str = ""
    place: str | None = None
    breaches: dict[str, None] = field(default_factory=dict)
    suspects: list[tuple[Tape, Tape]] = field(default_factory=list)
    raised: str = ""
    returned: bool = False


def pipeline(
    program: Callable[[Any], Any],
    *,
    primitives: Sequence[Primitive],
    inputs: Iterable[Any],
    neighbours: Neighbours | str | Callable[[Any, Any], bool],
    guarantee: ApproxDP,
    runs: int = 50,
) -> Pipeline:
    """Run a program on all neighbouring inputs: record its primitives on one input, and replay them on the other.

    The answer *refuted* is about an adversary who sees the calls: which primitives, their public values, and their
    results, under the law of each. The chance of a wrong refutation is at most 1 in 1,000,000. Without a refutation the
    answer is *undecided*.

    Raises: InputError for no primitives, no pairs, or a primitive that does not exist.
    """
    name = getattr(program, "__name__", type(program).__name__)
    claim = Claim(name, (), tuple(inputs), relation(neighbours), guarantee)
    pairs = [_Pair(claim.inputs[i], claim.inputs[j]) for i, j in claim.pairs()]
    need(callable(program), f"a {name} as program", "a function of a data set", "pass the function itself")
    need(bool(primitives), "primitives=[]", "at least one", "name the functions that add noise")
    for one in primitives:
        need(isinstance(one, Primitive), f"{one!r} as primitive", "a dpcert.Primitive", "say its law and arguments")
    need(bool(pairs), f"{len(claim.inputs)} inputs", "two of them neighbours", "give more")
    need(runs >= 1, f"runs={runs}", "at least 1", "leave it out")
    called: Counter[str] = Counter()
    try:
        with watched(primitives) as tapes:
            answer = _refuted(program, pairs, guarantee, tapes, called, runs)
    except Unimported as error:
        answer = str(error)
    if isinstance(answer, str):
        return _undecided(claim, answer, pairs, called)
    if answer is not None:
        return Pipeline(
            "refuted", _words(claim, primitives), answer.reason, answer.data, answer.neighbour, answer.place,
            _tried(pairs, called), tuple(answer.breaches),
        )  # fmt: skip
    for pair in pairs:
        if pair.breaches:
            [first, *rest] = pair.breaches
            words = "each primitive is given values within its sensitivity"
            seen = (pair.data, pair.neighbour, None, _tried(pairs, called), tuple(rest))
            return Pipeline("refuted", words, first, *seen)
    if not any(pair.returned for pair in pairs):
        return _undecided(claim, f"no run returns: on the first data set it raises {pairs[0].raised}", pairs, called)
    if not called:
        return _undecided(claim, "it calls no primitive: name those that it calls", pairs, called)
    reason = "no violation found; give more inputs or more runs, or write it so that an audit reads it whole"
    return _undecided(claim, reason, pairs, called)


def _refuted(
    program: Callable[[Any], Any], pairs: Sequence[_Pair], guarantee: ApproxDP, tapes: list[Tape],
    called: Counter[str], runs: int,
) -> _Pair | str | None:  # fmt: skip
    """Return the first pair that refutes the claim, a trouble, or None; each of two ways to err gets half of ALPHA."""
    # Each look at each pair is a test of its own: they share one half of the chance to err.
    looks = (min(FIRST, runs), runs)
    alpha = ALPHA / (2 * len(pairs) * len(looks))
    for look in looks:
        for pair in pairs:
            while len(pair.excess) < look:
                trouble = _once(program, pair, guarantee, tapes, called)
                if trouble is not None:
                    return trouble
            if refutes(pair.excess, guarantee.delta, alpha):
                return _unsteady(program, pair, tapes, ALPHA / (2 * len(pairs) * runs)) or pair
    return None


def _unsteady(program: Callable[[Any], Any], pair: _Pair, tapes: list[Tape], alpha: Fraction) -> str | None:
    """Return a trouble where the replays of a run that refutes differ among themselves, on either side.

    A program that draws outside of its primitives, or remembers earlier runs, may make the two sides differ by that
    alone. Suppose that each replay had one of two results by one law on both sides, with chances p and 1 - p. Then all
    n replays of one side have one result, and all n of the other side the other, with chance 2 (p (1 - p))^n, at most
    2 / 4^n.
    """
    times = 1
    while Fraction(2, 4**times) > alpha:
        times += 1
    for first, other in pair.suspects:
        for _ in range(times):
            for tape, data in ((first, pair.data), (other, pair.neighbour)):
                again = run(program, data, tapes, first.calls)
                if again.trouble or not tape.alike(again):
                    return again.trouble or f"{UNLIKE}{drawing(program, data, tapes, first.calls)}"
    return None


def _once(
    program: Callable[[Any], Any], pair: _Pair, guarantee: ApproxDP, tapes: list[Tape], called: Counter[str]
) -> str | None:
    """Run the program once more on a pair, and note a lower bound of X for the transcript; return a trouble, if any."""
    first = run(program, pair.data, tapes)
    if first.trouble:
        return first.trouble
    called.update(call.primitive.name for call in first.calls)
    if first.left[0] == "raises":
        pair.raised = pair.raised or first.left[2]
    else:
        pair.returned = True
    # Both sides run twice: a program that draws outside of its primitives differs from itself, too.
    again, other, twice = (run(program, data, tapes, first.calls) for data in (pair.data, *[pair.neighbour] * 2))
    for tape, data in ((again, pair.data), (other, pair.neighbour), (twice, pair.neighbour)):
        if tape.trouble:
            where = drawing(program, data, tapes, first.calls) if tape.trouble == OUTSIDE else ""
            return tape.trouble + where
    try:
        for one, same, data in ((first, again, pair.data), (other, twice, pair.neighbour)):
            if not one.alike(same):
                return f"{UNLIKE}{drawing(program, data, tapes, first.calls)}"
        whole, reason, place = _loss(first, other, pair)
    except InputError as error:
        return str(error)
    excess = _over(guarantee, whole)
    if excess > 0:
        pair.suspects.append((first, other))
    if excess > 0 and not pair.reason:
        pair.reason, pair.place = reason, place
    pair.excess.append(excess)
    return None


def _loss(first: Tape, other: Tape, pair: _Pair) -> tuple[Fraction | float | None, str, str | None]:
    """Return a lower bound of the loss, None where the laws give none, and its cause in words and place."""
    losses: list[tuple[Fraction | float | None, str, str]] = []
    for then, now in zip(first.calls, other.calls, strict=False):
        law, scale, primitive = then.public["law"], then.public["scale"], then.primitive
        outcome = math.nan if then.raised is not None else then.outcome  # an exception has no loss of its own
        losses.append((loss(law, outcome, then.private, now.private, scale), primitive.name, then.place))
        if "sensitivity" in then.public:
            apart = far(law, then.private, now.private, then.public["sensitivity"])
            if apart is not None:
                limit = show(then.public["sensitivity"])
                words = f"{primitive.name} is given values at {apart}, at sensitivity {limit}, {then.place}"
                pair.breaches[words] = None
    if other.diverged is not None:
        ended = f", where it {first.left[0]} {first.left[2]}" if first.left[0] == "raises" else ""
        return math.inf, f"with the neighbour it {other.diverged[0]}{ended}", other.diverged[1]
    if len(other.calls) < len(first.calls):
        missed = first.calls[len(other.calls)]
        return math.inf, f"with the neighbour it does not call {missed.primitive.name}", missed.place
    if first.left != other.left:
        words = f"it {first.left[0]} {first.left[2]}, and with the neighbour {other.left[0]} {other.left[2]}"
        return math.inf, f"{words}, where the primitives return the same", None
    if any(one == math.inf for one, _, _ in losses):
        [(_, name, place), *_] = [one for one in losses if one[0] == math.inf]
        return math.inf, f"what {name} returns is impossible with the neighbour", place
    numbers = [Fraction(one) for one, _, _ in losses if one is not None]
    if len(numbers) < len(losses):
        return None, "", None
    whole = sum(numbers, Fraction(0))
    greatest = max(range(len(numbers)), key=numbers.__getitem__, default=None)
    largest = None if greatest is None else losses[greatest][2]
    return whole, f"{len(losses)} calls have a loss of {float(whole):.4g}", largest


def _over(guarantee: ApproxDP, whole: Fraction | float | None) -> Fraction:
    """Return a lower bound of max(0, 1 - e^(epsilon - loss))."""
    if whole is None:
        return Fraction(0)
    if not isinstance(whole, Fraction):
        return Fraction(1)
    if whole <= 0:
        return Fraction(0)
    least = enclose(lambda x: (-x).exp(), whole)[1]
    return max(Fraction(0), 1 - guarantee.epsilon.exp_bounds(64)[1] * least)


def refutes(excess: Sequence[Fraction], delta: Fraction, alpha: Fraction) -> bool:
    """Whether so great a mean has chance at most alpha, for numbers in [0, 1] whose true mean is at most delta."""
    mean = Fraction(sum(excess), len(excess))
    if mean <= delta:
        return False
    if delta == 0:
        return True

    def exponent(x: Any, d: Any) -> Any:
        return x * (x / d).log() + (0 if mean == 1 else (1 - x) * ((1 - x) / (1 - d)).log())

    return len(excess) * enclose(exponent, mean, delta)[0] >= enclose(lambda a: -a.log(), alpha)[1]


def _words(claim: Claim, primitives: Sequence[Primitive]) -> str:
    names = ", ".join(dict.fromkeys(one.where for one in primitives))
    scope = f"{claim.neighbours.words}, on {claim.inputs_words()}"
    return f"{claim.mechanism}, seen with its calls of {names}, is {claim.guarantee} for {scope}"


def _tried(pairs: Sequence[_Pair], called: Counter[str]) -> str:
    calls = ", ".join(f"{name} {times} times" for name, times in called.items()) or "no primitive"
    return f"tried: {len(pairs)} pairs, {sum(len(pair.excess) for pair in pairs)} runs, which called {calls}"


def _undecided(claim: Claim, reason: str, pairs: Sequence[_Pair], called: Counter[str]) -> Pipeline:
    scope = f"{claim.neighbours.words}, on {claim.inputs_words()}"
    words = f"{claim.mechanism} is {claim.guarantee} for {scope}"
    return Pipeline("undecided", words, reason, tried=_tried(pairs, called))
