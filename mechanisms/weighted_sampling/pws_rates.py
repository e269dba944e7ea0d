"""The probabilities q_1, q_2, ... with which threshold sampling keeps a key of each frequency, from a text."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice, repeat

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

RATE_BITS = 64
POWER_BITS = 256
"""The bits to which powers of e^-tau are kept on the way to probabilities of 64 bits."""
CERTAIN = 45
"""e^-45 is below 2^-64."""


def sampling_probabilities(text: str, imax: int) -> list[Fraction]:
    """Return q_1, ..., q_imax of the threshold sampling that a text names.

    "1" samples every key; "priority:TAU" with min(1, TAU i); "ppswor:TAU" with 1 - exp(-TAU i), rounded down to a
    multiple of 2^-64, which keeps it non-decreasing; a list "1/10, 1/5, 1" is continued by its last number.

    Raises:   InputError for any other text, a rate <= 0, or a list that decreases or leaves [0, 1].
    Source:   weighted-sampling, Section 2 (threshold sampling, f(i) = i).
    """
    kind, tau = _threshold(text)
    if kind == "ppswor":
        return list(islice(_ppswor(tau), imax))
    if kind == "priority":
        rising = min(imax, int(1 / tau))
        return [*(tau * i for i in range(1, rising + 1)), *repeat(Fraction(1), imax - rising)]
    listed = _listed(text)
    return [*listed[:imax], *repeat(listed[-1], imax - len(listed))]


def sampling_probability(text: str) -> Callable[[int], Fraction]:
    """Return the function from a frequency i >= 1, however great, to q_i of `sampling_probabilities`.

    Raises:   InputError, as `sampling_probabilities` does.
    """
    kind, tau = _threshold(text)
    if kind == "ppswor":
        return lambda frequency: _one_minus_exp(tau * frequency)
    if kind == "priority":
        return lambda frequency: min(Fraction(1), tau * frequency)
    listed = _listed(text)
    return lambda frequency: listed[min(frequency, len(listed)) - 1]


def _threshold(text: str) -> tuple[str, Fraction]:
    """Return the kind of sampling and tau; no kind, and 0, for a list."""
    kind, _, rest = text.partition(":")
    if kind not in ("priority", "ppswor") or not rest:
        return "", Fraction(0)
    tau = exact(rest, "tau")
    if tau <= 0:
        raise InputError(given=f"q={text}", needed="tau > 0", remedy='write for instance "priority:1/10"')
    return kind, tau


def _listed(text: str) -> list[Fraction]:
    if ":" in text or text.strip() in ("priority", "ppswor"):
        raise InputError(
            given=f"q={text}",
            needed="priority:TAU or ppswor:TAU, with a number tau > 0, where it is no list of numbers",
            remedy='write for instance "priority:1/10", "1" or a list such as "1/10, 1/2, 1"',
        )
    listed = [exact(part, "q") for part in text.split(",")]
    if not all(0 <= a <= b <= 1 for a, b in zip([Fraction(0), *listed], listed, strict=False)):
        raise InputError(
            given=f"q={text}",
            needed="non-decreasing numbers in [0, 1]",
            remedy='write "1", a list such as "1/10, 1/2, 1", "priority:TAU" or "ppswor:TAU"',
        )
    return listed


def _ppswor(tau: Fraction) -> Iterator[Fraction]:
    """Yield 1 - exp(-tau i) rounded down to a multiple of 2^-64, for i = 1, 2, ...

    Powers of e^-tau are computed by products in fixed point, from below and from above. Where the two bounds round
    differently, that power is computed by itself.
    """
    whole, shift = 1 << POWER_BITS, POWER_BITS - RATE_BITS
    top = Fraction((1 << RATE_BITS) - 1, 1 << RATE_BITS)
    if tau < CERTAIN:
        below, above = Epsilon.of(tau).exp_bounds(POWER_BITS)
        least, greatest = int(whole / above), -int(-whole // below)
        lo, hi, i = whole, whole, 0
        while hi >> shift:
            i += 1
            lo, hi = lo * least >> POWER_BITS, -(-hi * greatest >> POWER_BITS)
            down, up = (whole - hi) >> shift, (whole - lo) >> shift
            yield Fraction(down, 1 << RATE_BITS) if down == up else _one_minus_exp(tau * i)
    yield from repeat(top)


def _one_minus_exp(x: Fraction) -> Fraction:
    """Return 1 - exp(-x) rounded down to a multiple of 2^-64; it is below 1 for every x."""
    if x >= CERTAIN:
        return Fraction((1 << RATE_BITS) - 1, 1 << RATE_BITS)
    bits = RATE_BITS
    while True:
        below, above = Epsilon.of(x).exp_bounds(bits)
        lo, hi = ((1 - 1 / bound) * (1 << RATE_BITS) for bound in (below, above))
        if lo // 1 == hi // 1:
            return Fraction(lo // 1, 1 << RATE_BITS)
        bits *= 2
