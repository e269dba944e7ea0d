"""A refutation in numbers that show it: the inequality, the size of the violation, and the gain of an adversary."""

import ast
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcert.audit.certificates import OF_FUNCTION, SUMMED
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.show.numbers import at_most, epsilon_text, number_of, short
from dpcert.show.outcomes import MODULES, shown, source
from dpcert.worker.result import Result, SeenEvent

PLACES = (5, 6, 8, 12, 16, 24, 40, 60)
"""How many digits are tried, until the two sides of an inequality differ."""
BITS = 256
"""To how many bits e^epsilon is known where an inequality is written."""


def event_words(worst: SeenEvent, most: int = 4) -> str:
    """Return an event in words, with at most so many of its outcomes."""
    outcomes = [shown(outcome) for outcome in worst.event[:most]]
    more = worst.event_size - len(outcomes)
    return "{" + ", ".join(outcomes) + (f", and {more} more" if more else "") + "}"


def is_known(result: Result) -> bool:
    """Whether the two probabilities of a witness are the exact ones, not bounds."""
    return result.tail == "0/1" and result.method == "exact"


def chances(result: Result) -> tuple[str, str]:
    """Return the event's two probabilities, with as many digits as show the violation.

    Where a tail was left, and of ideal noise, they are the bounds that refute.
    """
    p, q = number_of(result.witness.p), number_of(result.witness.q)
    places, known = _places(result), is_known(result)
    low, high = decimal_lo(p, places), decimal_hi(q, places)
    left = (short(p) or (low if Fraction(low) == p else "")) if known else ""
    right = (short(q) or (high if Fraction(high) == q else "")) if known or not q else ""
    return left or f">= {low}", right or f"<= {high}"


def _places(result: Result) -> int:
    """Return how many digits tell the two sides apart; the most that are tried where none of these do."""
    p, most = number_of(result.witness.p), _bound(result)
    # Both sides are rounded against the violation: where they still differ, the printed digits prove it.
    apart = (n for n in PLACES if Fraction(decimal_lo(p, n)) > Fraction(decimal_hi(most, n)))
    return next(apart, PLACES[-1])


def _bound(result: Result) -> Fraction:
    """Return e^epsilon q + delta, rounded up."""
    claim, q = result.claim, number_of(result.witness.q)
    ratio = Epsilon.of(claim.epsilon).exp_bounds(BITS)[1] if q else Fraction(0)  # it may be long
    return ratio * q + number_of(claim.delta)


def inequality(result: Result) -> str:
    """Return p > e^epsilon q + delta in numbers, such as "4/5 > 3 * 1/5 + 0: 0.8 > 0.6".

    Each is rounded to the side that makes it harder to hold: the printed inequality is true, and implies the violation.
    Where q and delta are 0, no decimals follow. A difference that 60 digits do not show is said to be exact.
    """
    p, most, places = number_of(result.witness.p), _bound(result), _places(result)
    left, ratio, right, delta = _terms(result)
    whole = f"{left} > {ratio} * {right} + {delta}"
    if most == 0:
        return whole
    low, high = decimal_lo(p, places), decimal_hi(most, places)
    return f"{whole}: {low} > {high}" if Fraction(low) > Fraction(high) else f"{whole}, compared exactly"


def _terms(result: Result) -> tuple[str, str, str, str]:
    """Return p, e^epsilon, q and delta, rounded to the side that makes p > e^epsilon q + delta harder to hold."""
    claim, worst = result.claim, result.witness
    p, q, delta = number_of(worst.p), number_of(worst.q), number_of(claim.delta)
    epsilon, places = Epsilon.of(claim.epsilon), _places(result)
    ratio = f"e^{epsilon}" if str(epsilon).isdigit() else f"e^({epsilon})"
    if not epsilon.rational:
        ratio = at_most(epsilon.ratio)
    left = short(p) or decimal_lo(p, places)
    right, bottom = (short(x) or decimal_hi(x, places) for x in (q, delta))
    return left, ratio, right, bottom


def broken(result: Result) -> str:
    """Return the inequality with the inputs that its probabilities are on: "3/4 on 0 > 3 * 0 on 1 + 0".

    The decimals of both sides follow, unless q is 0, or the left one is 10 times the right one at an e^epsilon of at
    most 10: then the terms show it.
    """
    claim, worst = result.claim, result.witness
    left, ratio, right, delta = _terms(result)
    whole = f"{left} on {shown(worst.a)} > {ratio} * {right} on {shown(worst.b)} + {delta}"
    p, q, most = number_of(worst.p), number_of(worst.q), _bound(result)
    if q == 0 or (p >= 10 * most and Epsilon.of(claim.epsilon).power_of_two_lo() <= 2):
        return whole
    return whole + inequality(result).removeprefix(f"{left} > {ratio} * {right} + {delta}")


def gain(result: Result) -> str:
    """Return in words the gain of an adversary who sees the event."""
    worst = result.witness
    p, q, a, b = number_of(worst.p), number_of(worst.q), shown(worst.a), shown(worst.b)
    if q == 0:
        return f"rules out {b}"
    return f"makes even odds {decimal_lo(p / q, _places(result))} to 1 for {a}"


def size(result: Result) -> str:
    """Return the least epsilon at the claimed delta, and the least delta at the claimed epsilon, or bounds of them."""
    claim, (lo, hi) = result.claim, (result.epsilon.lo, result.epsilon.hi)
    if hi is not None:
        epsilon = f"least epsilon {epsilon_text(hi, up=True)}"
    elif none_is_enough(result):
        epsilon = "no epsilon is enough"
    elif lo != "0":
        epsilon = f"least epsilon >= {epsilon_text(lo, up=False).removeprefix('>= ')}"
    else:
        epsilon = f"more than epsilon {epsilon_text(claim.epsilon, up=False)} is needed"
    low, high = number_of(result.delta.lo), number_of(result.delta.hi)
    delta = short(high) if low == high else ""
    if low == 0 < high:  # no lower bound says anything
        return epsilon
    return f"{epsilon}, least delta {delta or f'>= {decimal_lo(low)}'}"


def none_is_enough(result: Result) -> bool:
    """Whether it is known that no epsilon is enough at the claimed delta, where no finite one is known to be.

    So it is where the event has a chance on one input alone, above that delta, and where all laws are known in full.
    """
    worst, delta = result.witness, result.delta
    alone = number_of(worst.q) == 0 and number_of(worst.p) > number_of(result.claim.delta)
    return alone or (is_known(result) and delta.lo == delta.hi)


def kept_as_test(result: Result, function: str) -> str | None:
    """Return the line of a test that keeps a refuted event, where its inputs and outcomes can be written down."""
    worst, parameters = result.witness, result.claim.parameters
    between = " = " in result.target  # of two programs, which the test would have to name
    if between or result.method != "exact" or any(note.startswith(OF_FUNCTION) for note in result.notes):
        return None
    home = Path(str(result.target).rpartition(":")[0]).stem
    words = [source(outcome, home) for outcome in (worst.a, worst.b, *worst.event)]
    if SUMMED in result.assumptions and any(map(_is_summed, worst.event)):
        return None  # many outcomes that were summed
    if None in words or worst.event_size > len(worst.event) or not all(map(_is_literal, parameters.values())):
        return None
    a, b, *event = words
    chosen = "".join(f", {name}={text}" for name, text in parameters.items())
    inside = ", ".join(str(outcome) for outcome in event)
    name = f"test_{function.removeprefix('test_')}_event"
    call = f"dpcert.assert_event({function}, a={a}, b={b}, event=[{inside}]{chosen})"
    needed = [module for module in MODULES if f"{module}." in call]
    imports = f"import {', '.join(needed)}; " if needed else ""
    return f"def {name}(): {imports}{call}"


def _is_summed(outcome: Any) -> bool:
    """Whether an outcome holds words for many integers."""
    if type(outcome) is str:
        return outcome.endswith(", ...")
    parts = outcome.values() if isinstance(outcome, Mapping) else outcome if isinstance(outcome, (list, tuple)) else ()
    return any(map(_is_summed, parts))


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
