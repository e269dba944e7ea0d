"""Results as lines of text: one line a claim, each number rounded once with its direction."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.show.numbers import BITS, about, epsilon_text, number_of
from dpcert.show.outcomes import shown
from dpcert.show.severity import headed
from dpcert.show.witness import chances, event_words, inequality
from dpcert.worker.result import DeltaEnds, EpsilonEnds, Result, Timing

COLOURS = {"verified": "green", "refuted": "red", "undecided": "yellow", "skipped": "blue"}
SHORT_END = 9
"""The longest text of a number that is shown as it is as an end of a range."""
NOTES = 3
NINES = 12
"""How many digits of a confidence are printed."""
WORDS = {"closed-form": "closed form", "ideal": "ideal noise"}
"""What a law source is called where its name is no word."""
SHORT = 200
"""How much of an event in words is printed on a line."""


def least_epsilon(epsilon: EpsilonEnds) -> str:
    """Return the least epsilon in words, or between which numbers it lies."""
    lo, hi = epsilon.lo, epsilon.hi
    if hi is None:
        return "no finite epsilon is known to do" if lo == "0" else f"epsilon at least {_bare(lo, up=False)}"
    if lo == hi:
        return f"least epsilon {epsilon_text(hi, up=True)}"
    return f"least epsilon >= {_bare(lo, up=False)} and <= {_bare(hi, up=True)}"


def _bare(text: str, *, up: bool) -> str:
    """Return an end of a range: as it is where that is very short, else as a decimal."""
    if len(text) <= SHORT_END:
        return text
    low, high = epsilon_bounds(Epsilon.of(text), BITS)
    return decimal_hi(high) if up else decimal_lo(low)


def least_delta(delta: DeltaEnds) -> str:
    """Return the least delta: as it is where it is known, else an upper bound."""
    return about(delta.hi) if delta.lo == delta.hi else f"<= {decimal_hi(number_of(delta.hi))}"


def greatest_delta(result: Result) -> str:
    """Return, for a claim of every epsilon of a range, the least delta that one of them needs."""
    known = decimal_lo(number_of(result.delta.lo)) if result.claim.delta != "0/1" else ""
    return f", greatest delta >= {known}" if known else ""


def result_line(result: Result, *, placed: bool = False, whole: bool = False) -> str:
    """Return the line of one result without its first word; without the file of its target where that is `placed`.

    All notes are in it with `whole`, else the first NOTES of them.
    """
    claim = result.claim
    where = result.target if ":" in result.target or "/" in result.target else ""
    if placed:  # by its line: the function is named where the claim does not begin with its name
        function = where.rpartition(":")[2]
        where = "" if re.match(rf"{re.escape(function)}(?=[ (,])", claim.sentence) else function
    head = headed(result) + (f"{where}: {claim.sentence}" if where else claim.sentence)
    notes = "".join(f"; {note}" for note in (*result.assumptions, *result.notes[: None if whole else NOTES]))
    if len(result.notes) > NOTES and not whole:
        notes += f"; and {len(result.notes) - NOTES} more with --notes"
    if result.confidence is not None:
        return f"{head}; {_sampled(result, number_of(result.confidence))}{notes}"
    if result.verdict == "undecided":
        return f"{head}; reason: {result.reason}{notes}"
    if result.verdict == "refuted":
        none = result.epsilon == EpsilonEnds("0", None)
        needed = "no epsilon is enough" if none else least_epsilon(result.epsilon)
        least = f", {needed}" if result.method == "ideal" else ""
        worst, (p, q) = result.witness, chances(result)
        event = f"event {event_words(worst)} has probability {p} on {shown(worst.a)}, {q} on {shown(worst.b)}"
        return f"{head}; {event}; {inequality(result)}{least}, {law_words(result)}{notes}"
    missed = f"; {unreached(result)}" if result.unreached is not None else ""
    return f"{head}; {measured(result)}{missed}{notes}"


def measured(result: Result, tight: str = "") -> str:
    """Return the epsilon and delta that a verified claim needs; of a range of epsilons, only the delta."""
    if result.method == "every":
        return f"{result.pairs} pairs{greatest_delta(result)}, {law_words(result)}"
    delta = "" if result.claim.delta == "0/1" else f", least delta {least_delta(result.delta)}"
    return f"{result.pairs} pairs, {least_epsilon(result.epsilon)}{tight}{delta}, {law_words(result)}"


def law_words(result: Result) -> str:
    """Return in words which sources the laws of a verdict come from."""
    *names, last = (WORDS.get(name, name) for name in str(result.law_source).split(", "))
    return f"law by {', '.join(names)} and {last}" if names else f"law by {last}"


def _sampled(result: Result, confidence: Fraction) -> str:
    """Return the event that samples showed with its counts, or which violation they would have shown."""
    at, least = f"at confidence {decimal_lo(confidence, NINES)}", sampled_epsilon(result)
    risk = false_alarm(result, confidence)
    if result.verdict == "refuted":
        return f"{at}: {least} is needed; {sampled_event(result)}; {risk}"
    return f"reason: {result.reason}; {at}: {least}; {power_words(result)}; {risk}"


def sampled_epsilon(result: Result) -> str:
    """Return the lower bound of epsilon that samples show."""
    return f"epsilon >= {decimal_lo(epsilon_bounds(Epsilon.of(result.epsilon.lo), BITS)[0])}"


def power_words(result: Result) -> str:
    """Return which violation samples would have shown."""
    return result.power if result.power is not None else "no power: too few samples"


def sampled_event(result: Result) -> str:
    """Return the event that refutes at a confidence, and how often it was seen."""
    seen = result.timing or result.sampling
    event = "" if seen is None or seen.event is None else seen.event
    event = event if len(event) <= SHORT else f"{event[: SHORT - 3]}... (whole with --json)"
    if isinstance(seen, Timing):
        hits, medians = seen.hits, seen.medians
        if hits is None or medians is None:
            raise ValueError("an event of a timing audit without its counts")
        on_a = f"{hits.a} on {shown(seen.a)} (median {medians.a} ns)"
        on_b = f"{hits.b} on {shown(seen.b)} (median {medians.b} ns)"
        return f"event: {event}, in the last {hits.a + hits.b + hits.others} runs {on_a} and {on_b}"
    worst = result.witness
    if seen is None or seen.counts is None or seen.again is None:
        raise ValueError(f"{result.claim.sentence}: refuted from samples without counts")
    first, again = seen.counts, seen.again
    often = f"{first.a} of {first.of_a} runs on {shown(worst.a)} and {first.b} of {first.of_b} runs on {shown(worst.b)}"
    return f"event: {event}, in {often}, confirmed in {again.a} of {again.of_a} and {again.b} of {again.of_b}"


def false_alarm(result: Result, confidence: Fraction) -> str:
    """Return how likely samples mislead in all of an invocation."""
    seen = result.timing or result.sampling
    claims = f" of {seen.claims} claims" if seen is not None and seen.claims > 1 else ""
    return f"false alarm at most {decimal_hi(1 - confidence)} for this whole run{claims}"


def unreached(result: Result) -> str:
    """Return which code of the program no run reached, in words; nothing where all was."""
    code = result.unreached
    if code is None:
        return ""
    lines = [f"line {line}" for line in code.lines]
    branches = [f"branch {a} to {b}" for a, b in code.branches]
    return f"not reached in {code.file}: {', '.join([*lines, *branches])}"


def counts(verdicts: Sequence[str], declared: Sequence[str] | None = None, *, skipped: int = 0, left: int = 0) -> str:
    """Return the last line: how many claims of each verdict, and how many were not as declared where that is asked."""
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in list(COLOURS)[:3]]
    parts += [f"{skipped} skipped"] if skipped else []
    parts += [f"{left} not audited"] if left else []
    line = ", ".join(parts)
    if declared is None or not verdicts:
        return line
    noun = "1 claim" if len(verdicts) == 1 else f"{len(verdicts)} claims"
    other = sum(verdict != word for verdict, word in zip(verdicts, declared, strict=True))
    return f"{other} of {noun} not as declared: {line}" if other else f"{noun}, all as declared: {line}"


def bits_words(bits: dict[str, int] | None) -> list[str]:
    """Return how many bits a run draws, in words, where its draws are observed: ceil(log2 d) for each bound d."""
    if bits is None:
        return []
    lo, hi = bits["lo"], bits["hi"]
    return [f"every run draws {hi} bits" if lo == hi else f"a run draws from {lo} to {hi} bits"]


def law_lines(law: list[list[Any]], tail: str, notes: list[str]) -> list[str]:
    """Return a law as lines: outcome, probability, decimal value; and its tail."""
    rows = [(shown(outcome), p if len(p) <= 60 else "", about(p)) for outcome, p in law]
    if tail != "0/1":
        rows.append(("(tail)", tail if len(tail) <= 60 else "", about(tail)))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    lines = [f"{name:<{widths[0]}}  {p:>{widths[1]}}  {value}" for name, p, value in rows]
    return lines + [f"note: {note}" for note in notes]


def element_lines(elements: list[Any]) -> list[str]:
    """Return the laws of the elements of an array as lines, once for elements beside each other that have one law."""
    lines: list[str] = []
    for law, group in groupby(elements, key=lambda element: element[1]):
        names = [shown(index) for index, _ in group]
        which = f"elements {names[0]} to {names[-1]}" if len(names) > 1 else f"element {names[0]}"
        lines += [which, *(f"  {line}" for line in law_lines(law, "0/1", []))]
    return lines
