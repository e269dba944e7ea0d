"""Results as lines of text: one line a claim, each number rounded once with its direction."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.show.outcomes import shown, source

COLOURS = {"verified": "green", "refuted": "red", "undecided": "yellow", "skipped": "blue"}
LONG, SHORT_END = 24, 9
"""The longest texts of numbers that are shown as they are, alone and as an end of a range."""
BITS = 40
NOTES = 3
NINES = 12
"""How many digits of a confidence are printed."""
SHORT = 200
"""How much of an event in words is printed on a line."""


def about(text: str) -> str:
    """Return p/q with its decimal value: exact where that is short, else between which decimals it lies."""
    value = number_of(text)
    fraction = str(value) if len(text) <= LONG else ""
    low, high = decimal_lo(value), decimal_hi(value)
    if low == high:
        return low if not fraction or fraction == low else f"{fraction} = {low}"
    return f"{fraction} <= {high}" if fraction else f"<= {high}"


def number_of(text: str) -> Fraction:
    """Return the number of a text "p/q" of any length."""
    top, _, bottom = text.partition("/")
    return Fraction(_integer(top), _integer(bottom))


def _integer(digits: str) -> int:
    """Return the integer of decimal digits; by halves, as CPython may refuse to convert long ones."""
    if len(digits) <= 512:
        return int(digits)
    half = len(digits) // 2
    unit: int = 10**half
    return _integer(digits[:-half]) * unit + _integer(digits[-half:])


def epsilon_text(text: str, *, up: bool) -> str:
    """Return an epsilon as it is where that is short, else its decimal value rounded in the given direction."""
    if len(text) <= LONG:
        return text
    low, high = epsilon_bounds(Epsilon.of(text), BITS)
    return f"<= {decimal_hi(high)}" if up else f">= {decimal_lo(low)}"


def _epsilon_range(epsilon: dict[str, Any]) -> str:
    lo, hi = epsilon["lo"], epsilon["hi"]
    if hi is None:
        return "no finite epsilon is known to do" if lo == "0" else f"epsilon at least {_bare(lo, up=False)}"
    if lo == hi:
        text = epsilon_text(hi, up=True)
        return f"least epsilon {text}"
    return f"least epsilon >= {_bare(lo, up=False)} and <= {_bare(hi, up=True)}"


def _bare(text: str, *, up: bool) -> str:
    """Return an end of a range: as it is where that is very short, else as a decimal."""
    if len(text) <= SHORT_END:
        return text
    low, high = epsilon_bounds(Epsilon.of(text), BITS)
    return decimal_hi(high) if up else decimal_lo(low)


def _needed(epsilon: dict[str, Any]) -> str:
    """Return what epsilon would do in place of the one that is refuted, where laws are known in full."""
    return "no epsilon is enough" if epsilon == {"lo": "0", "hi": None} else _epsilon_range(epsilon)


def _least_delta(delta: dict[str, Any]) -> str:
    """Return the least delta: as it is where it is known, else what it is at most."""
    return about(delta["hi"]) if delta["lo"] == delta["hi"] else f"<= {decimal_hi(number_of(delta['hi']))}"


def result_line(result: dict[str, Any]) -> str:
    """Return the line of one result, without its verdict."""
    claim = result["claim"]
    where = result["target"] if ":" in result["target"] or "/" in result["target"] else ""
    head = f"{where}: {claim['sentence']}" if where else claim["sentence"]
    notes = "".join(f"; {note}" for note in (*result["assumptions"], *result["notes"][:NOTES]))
    if len(result["notes"]) > NOTES:
        notes += f"; and {len(result['notes']) - NOTES} more notes, see --json"
    if result["method"] == "sampling" and result["confidence"] is not None:
        return f"{head}; {_sampled(result)}{notes}"
    if result["verdict"] == "undecided":
        return f"{head}; reason: {result['reason']}{notes}"
    if result["verdict"] == "refuted":
        least = f", {_needed(result['epsilon'])}" if result["method"] == "ideal" else ""
        return f"{head}; {_witness(result)}{least}{notes}"
    if result["method"] == "every":
        most = "" if claim["delta"] == "0/1" else f", greatest delta >= {decimal_lo(number_of(result['delta']['lo']))}"
        return f"{head}; {result['pairs']} pairs{most}, law from the program{notes}"
    delta = "" if claim["delta"] == "0/1" else f", least delta {_least_delta(result['delta'])}"
    source = "the program" if result["law_source"] == "program" else "its closed form"
    least = _epsilon_range(result["epsilon"])
    return f"{head}; {result['pairs']} pairs, {least}{delta}, law from {source}{_unreached(result)}{notes}"


def _sampled(result: dict[str, Any]) -> str:
    """Return what samples showed: an event with its counts, or that there was none and what would have been found."""
    confidence, worst = number_of(result["confidence"]), result["worst"]
    timing = result.get("timing")
    at = f"at confidence {decimal_lo(confidence, NINES)}"
    risk = f"{_risk(1 - confidence, timing or result['sampling'])}"
    least = f"epsilon >= {decimal_lo(epsilon_bounds(Epsilon.of(result['epsilon']['lo']), BITS)[0])}"
    if result["verdict"] == "refuted":
        event = (timing or result["sampling"])["event"]
        event = event if len(event) <= SHORT else f"{event[: SHORT - 3]}... (whole with --json)"
        if timing is not None:
            return f"{at}: {least} is needed; event: {event}, {_timed(timing)}; {risk}"
        counts, again = result["sampling"]["counts"], result["sampling"]["again"]
        hits = f"{_hits(counts, worst, 'a')} and {_hits(counts, worst, 'b')}"
        confirmed = f"confirmed in {again['a']} of {again['of_a']} and {again['b']} of {again['of_b']}"
        return f"{at}: {least} is needed; event: {event}, in {hits}, {confirmed}; {risk}"
    power = result["power"] if result["power"] is not None else "no power: too few samples"
    return f"reason: {result['reason']}; {at}: {least}; {power}; {risk}"


def _risk(alpha: Fraction, seen: Mapping[str, Any]) -> str:
    """Return how likely samples mislead in all of an invocation, and what they were drawn from."""
    claims = f" of {seen['claims']} claims" if seen["claims"] > 1 else ""
    return f"false alarm at most {decimal_hi(alpha)} for this whole run{claims}; seed {seen['seed']}"


def _timed(timing: dict[str, Any]) -> str:
    """Return how often an event of a timing audit was seen on each input, and how long runs took."""
    hits, medians = timing["hits"], timing["medians"]
    seen = [f"{hits[side]} on {shown(timing[side])} (median {medians[side]} ns)" for side in ("a", "b")]
    return f"in the last {sum(hits.values())} runs {' and '.join(seen)}"


def _hits(counts: dict[str, int], worst: dict[str, Any], side: str) -> str:
    return f"{counts[side]} of {counts[f'of_{side}']} runs on {shown(worst[side])}"


def _unreached(result: dict[str, Any]) -> str:
    found = result["unreached"]
    if found is None:
        return ""
    lines = [f"line {line}" for line in found["lines"]]
    branches = [f"branch {a} to {b}" for a, b in found["branches"]]
    return f"; not reached in {found['file']}: {', '.join([*lines, *branches])}"


def _event(worst: dict[str, Any]) -> str:
    outcomes = [shown(outcome) for outcome in worst["event"][:4]]
    more = worst["event_size"] - len(outcomes)
    return "{" + ", ".join(outcomes) + (f", and {more} more" if more else "") + "}"


def _witness(result: dict[str, Any]) -> str:
    worst, (p, q) = result["worst"], chances(result)
    return f"event {_event(worst)} has probability {p} on {shown(worst['a'])}, {q} on {shown(worst['b'])}"


def chances(result: Mapping[str, Any]) -> tuple[str, str]:
    """Return the event's two probabilities; where a tail was left, or of samples, the bounds that refute."""
    p, q = result["worst"]["p"], result["worst"]["q"]
    if result["tail"] == "0/1" and result["method"] == "exact":
        return about(p), about(q)
    most = number_of(q)
    return f">= {decimal_lo(number_of(p))}", f"<= {decimal_hi(most)}" if most else "0"


def witness_lines(result: dict[str, Any]) -> list[str]:
    """Return a refutation in lines: the claim, the pair, the event, both probabilities."""
    worst, claim = result["worst"], result["claim"]
    if result["method"] == "sampling":
        return [f"refuted: {claim['sentence']}", f"  {_sampled(result)}"]
    p, q = chances(result)
    if result["method"] in ("ideal", "every"):
        return [f"refuted: {claim['sentence']}", f"  {_witness(result)}"]
    return [
        f"refuted: {claim['sentence']}",
        f"  inputs  {shown(worst['a'])} and {shown(worst['b'])}",
        f"  event   {_event(worst)}",
        f"  Pr on {shown(worst['a'])}: {worst['p']} ({p})",
        f"  Pr on {shown(worst['b'])}: {worst['q']} ({q})",
        f"  bound   e^({claim['epsilon']}) * {worst['q']} + {claim['delta']} is exceeded",
    ]


def counts(results: list[dict[str, Any]], skipped: int) -> str:
    """Return the last line: how many of each."""
    parts = [f"{sum(r['verdict'] == verdict for r in results)} {verdict}" for verdict in list(COLOURS)[:3]]
    return ", ".join(parts + ([f"{skipped} skipped"] if skipped else []))


def regression_line(result: dict[str, Any], function: str) -> list[str]:
    """Return the lines that keep a refuted event as a test, where its inputs and outcomes can be written down."""
    worst, parameters = result["worst"], result["claim"]["parameters"]
    if result["method"] == "sampling":
        return []
    a, b, *event = (source(outcome) for outcome in (worst["a"], worst["b"], *worst["event"]))
    words = [a, b, *event]
    if None in words or worst["event_size"] > len(event) or not all(map(_is_literal, parameters.values())):
        return []
    chosen = "".join(f", {name}={text}" for name, text in parameters.items())
    inside = ", ".join(str(outcome) for outcome in event)
    return [
        "to keep it as a test:",
        f"  def test_event(): dpcert.assert_event({function}, a={a}, b={b}, event=[{inside}]{chosen})",
    ]


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


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
