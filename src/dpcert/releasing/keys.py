"""Private weighted sampling that is ready to run on how often each key occurs, and PrivHist on how often any does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_frequencies import pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_grid import reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_keys import key_parameters, pws_keys, told_apart
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn_on_grid
from dpcert.releasing.data import Counts
from dpcert.releasing.ready import Ready, Released, Request, need_positive

SAMPLING = {"q": "1", "imax": "200", "bits": "64"}
ONE_KEY = "one person more is one key's frequency greater by one, and each key is reported by coins of its own"


def _parameters(request: Request) -> tuple[dict[str, str], list[Fraction], Fraction, Fraction, int]:
    """Return the settings, the sampling, e^epsilon rounded down, delta and the bits of the grid."""
    if not request.delta:
        needed = "--delta: with delta = 0 no key can ever be reported"
        raise InputError(given=f"release {request.mechanism} without a delta", needed=needed, remedy="write 1e-6")
    settings = request.take(**SAMPLING)
    imax = integer(settings, "imax", least=1, greatest=10**4)
    own = {"epsilon": str(request.epsilon), "delta": ratio_text(request.delta), **settings}
    _, delta, bits = key_parameters(own)
    if not bits:
        raise InputError(given="bits=0", needed="8 to 4096", remedy="write --set bits=64")
    return own, sampling_probabilities(settings["q"], imax), rational_ratio(request.epsilon), delta, bits


def _close(p: int, q: int, ratio: Fraction) -> int:
    """Return p - ratio q where that is above 0, else 0, times the ratio's denominator."""
    return max(0, p * ratio.denominator - q * ratio.numerator)


def need_close(rows: Sequence[GridRow], ratio: Fraction, delta: Fraction) -> None:
    """Return if every row and the next one are within e^epsilon = `ratio` and delta of each other, exactly.

    Raises: InputError otherwise, which no rows of this project have met.
    """
    for place, (before, after) in enumerate(pairwise(rows)):
        first, last = min(before.first, after.first), max(row.first + len(row.masses) for row in (before, after))
        a, b = ([row.unreported, *_masses(row, first, last)] for row in (before, after))
        for p, q in ((a, b), (b, a)):
            excess = sum(_close(x, y, ratio) for x, y in zip(p, q, strict=True))
            if excess * delta.denominator > delta.numerator * ratio.denominator << before.bits:
                given = f"rows of the frequencies {place} and {place + 1}"
                raise InputError(given=given, needed="rows within epsilon and delta", remedy="report this to dpcert")


def _masses(row: GridRow, first: int, last: int) -> list[int]:
    return [0] * (row.first - first) + list(row.masses) + [0] * (last - row.first - len(row.masses))


def keys(request: Request) -> Ready:
    """Return private weighted sampling of keys: each reported with the greatest probability that privacy allows."""
    relation = request.relation("add-remove")
    settings, q, ratio, delta, bits = _parameters(request)
    reported = reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits)
    masses = [int(p * (1 << bits)) for p in (Fraction(0), *reported)]
    need_close([GridRow(bits, (1 << bits) - mass, 0, (mass,)) for mass in masses], ratio, delta)
    top = told_apart(reported)
    one = pws_keys(q=q[:top], reported=reported[:top])

    def release(counts: Counts, coins: Coins) -> Released:
        return [(key,) for key, frequency in counts if one(frequency, coins)]

    rests_on = _rests_on(request.mechanism, settings)
    return Ready(release, ("value",), ApproxDP(request.epsilon, delta), relation, rests_on, settings)


def frequencies(request: Request) -> Ready:
    """Return private weighted sampling of frequencies: each key with a value that tells their order."""
    relation = request.relation("add-remove")
    settings, q, ratio, delta, bits = _parameters(request)
    rows = list(grid_rows(q=q, ratio=ratio, delta=delta, bits=bits, cells=whole_cells(len(q))))
    need_close(rows, ratio, delta)
    one = pws_frequencies(q=q, draws=[drawn_on_grid(row, most) for row, most in zip(rows[1:], q, strict=True)])

    def release(counts: Counts, coins: Coins) -> Released:
        found = ((key, one(frequency, coins)) for key, frequency in counts)
        return [(key, value) for key, value in found if value]

    rests_on = _rests_on(request.mechanism, settings)
    return Ready(release, ("key", "value"), ApproxDP(request.epsilon, delta), relation, rests_on, settings)


def _rests_on(mechanism: str, settings: dict[str, str]) -> str:
    chosen = " ".join(f"--set '{name}={text}'" for name, text in settings.items())
    return (
        f"{ONE_KEY}, by the program of `dpcert audit {mechanism}`; the reports of all neighbouring frequencies were "
        f"compared exactly in this run; to check it again: dpcert audit {mechanism} {chosen}"
    )


def privhist(request: Request) -> Ready:
    """Return PrivHist: how many values have each count, and how many people there are."""
    request.take()
    relation = request.relation("add-remove", "sorted-l1")
    need_positive(request.epsilon)
    ratio = share(request.epsilon)
    sampler = privhist_sampler(ratio=ratio)

    def release(counts: Counts, coins: Coins) -> Released:
        histogram, total = sampler(tuple(sorted(Counter(count for _, count in counts).items())), coins)
        return [("people", total), *((f"count {count}", many) for count, many in histogram)]

    rests_on = (
        "theorem PrivHist.privhist_is_private (anonymized-histograms, Theorem 1), as one person more moves one "
        "count by one; the sampler adds noise to the numbers of the program of `dpcert audit privhist`, which tests "
        "hold equal"
    )
    settings = {"share": ratio_text(ratio)}
    return Ready(release, ("what", "number"), ApproxDP(request.epsilon, 0), relation, rests_on, settings)
