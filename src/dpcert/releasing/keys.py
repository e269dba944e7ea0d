"""Private weighted sampling, and stability-based histograms beside it, ready to run on how often each key occurs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need, ratio_text
from dpcert.mechanisms.finite_computers.stability_histogram import stability_counts
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer, probability, rational_ratio
from dpcert.mechanisms.weighted_sampling.private_threshold import private_threshold as threshold_program
from dpcert.mechanisms.weighted_sampling.pws_frequencies import pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_grid import reported_on_grid
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_keys import key_parameters, pws_keys, told_apart
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn_on_grid
from dpcert.mechanisms.weighted_sampling.sbh import printed_threshold
from dpcert.planning.lone import PEOPLE, least_reported, noise_ratio, reported_once
from dpcert.releasing.data import Counts
from dpcert.releasing.histograms import of_at_most
from dpcert.releasing.ready import Ready, Released, Request, need_positive, noise_to

SAMPLING = {"q": "1", "imax": "200", "bits": "64"}
LONGEST = 10**5
"""The greatest frequency that is told from greater ones."""
ONE_KEY = "one person more is one key's frequency greater by one, and each key is reported by coins of its own"


def _parameters(request: Request) -> tuple[dict[str, str], list[Fraction], Fraction, Fraction, int]:
    """Return the settings, the sampling, e^epsilon rounded down, delta and the bits of the grid."""
    lost, settings = request.lost(), request.take(**SAMPLING)
    imax = integer(settings, "imax", least=1, greatest=10**4)
    own = {"epsilon": str(request.epsilon), "delta": ratio_text(lost), **settings}
    _, delta, bits = key_parameters(own)
    if not bits:
        raise InputError(given="bits=0", needed="8 to 4096", remedy="write --set bits=64")
    return own, sampling_probabilities(settings["q"], imax), rational_ratio(request.epsilon), delta, bits


def need_close(rows: Sequence[GridRow], ratio: Fraction, delta: Fraction) -> None:
    """Return if every row and the next one are within e^epsilon = `ratio` and delta of each other, exactly.

    Raises: InputError otherwise, which these rows never cause.
    """
    top, bottom = ratio.numerator, ratio.denominator
    for place, (before, after) in enumerate(pairwise(rows)):
        first, last = min(before.first, after.first), max(row.first + len(row.masses) for row in (before, after))
        a, b = ([row.unreported, *_masses(row, first, last)] for row in (before, after))
        for p, q in ((a, b), (b, a)):
            excess = sum(max(0, x * bottom - y * top) for x, y in zip(p, q, strict=True))
            if excess * delta.denominator > delta.numerator * ratio.denominator << before.bits:
                given = f"rows of the frequencies {place} and {place + 1}"
                raise InputError(given=given, needed="rows within epsilon and delta", remedy="report this to dpcert")


def _masses(row: GridRow, first: int, last: int) -> list[int]:
    return [0] * (row.first - first) + list(row.masses) + [0] * (last - row.first - len(row.masses))


def key_rows(reported: Sequence[Fraction], bits: int) -> list[GridRow]:
    """Return the rows of the frequencies 0, 1, ...: a key that is reported is value 1."""
    masses = (int(p * (1 << bits)) for p in (Fraction(0), *reported))
    return [GridRow(bits, (1 << bits) - mass, 0, (mass,)) for mass in masses]


def keys(request: Request) -> Ready:
    """Return private weighted sampling of keys: each reported with the greatest probability that privacy allows."""
    relation = request.relation("add-remove")
    settings, q, ratio, delta, bits = _parameters(request)
    reported = reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits)
    need_close(key_rows(reported, bits), ratio, delta)
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


def private_threshold(request: Request) -> Ready:
    """Return private weighted sampling at a threshold that a noisy total gives: each key sampled, then reported."""
    settings = request.take("size", share="1/10", bits="64")
    relation, delta = request.relation("add-remove"), request.lost()
    size, share = exact(settings["size"], "size"), probability(settings, "share")
    need(size > 0, f"size={settings['size']}", "a number above 0", "write --set size=100")
    bits = integer(settings, "bits", least=8, greatest=4096)
    need_positive(request.epsilon)
    noise, ratio = shared_out(request.epsilon, share)

    def reporting(noisy: int) -> tuple[list[Fraction], list[Fraction]]:
        q, reported = at_total(noisy, size=size, ratio=ratio, delta=delta, bits=bits)
        need_close(key_rows(reported, bits), ratio, delta)
        return q, reported

    sampled = threshold_program(total=noise_to(PEOPLE, noise), reporting=reporting)

    def release(counts: Counts, coins: Coins) -> Released:
        total, kept = sampled([count for _, count in counts], coins)
        return [("total", total), *(("key", counts[place][0]) for place in kept)]

    rests_on = (
        f"{ONE_KEY}, after a total with noise of ratio {ratio_text(noise)} (Clipping.geometric_private); the program "
        f"is that of `dpcert audit {request.mechanism}`, its probabilities rounded down to {bits} bits, and those of "
        "all neighbouring frequencies were compared exactly in this run"
    )
    guarantee = ApproxDP(request.epsilon, delta)
    own = {**settings, "epsilon": str(request.epsilon), "delta": ratio_text(delta)}
    return Ready(of_at_most(release, PEOPLE), ("what", "value"), guarantee, relation, rests_on, own)


def shared_out(epsilon: Epsilon, share: Fraction) -> tuple[Fraction, Fraction]:
    """Return the ratio of the noise of a total that has this share of an epsilon, and e^epsilon of the rest."""
    whole = epsilon_bounds(epsilon, 64)[0]
    return noise_ratio(Epsilon.of(share * whole), 1), rational_ratio(Epsilon.of((1 - share) * whole))


def at_total(
    noisy: int, *, size: Fraction, ratio: Fraction, delta: Fraction, bits: int
) -> tuple[list[Fraction], list[Fraction]]:
    """Return with which probabilities the frequencies 1, 2, ... are sampled and reported where the total is `noisy`."""
    tau = size / max(noisy, 1)
    q = sampling_probabilities(f"priority:{tau}", min(LONGEST, max(200, ceil(1 / tau))))
    return q, reported_on_grid(q=q, ratio=ratio, delta=delta, bits=bits)


def sbh(request: Request) -> Ready:
    """Return the stability-based histogram of keys: noisy frequencies that reach a threshold."""
    return _stability_based(request, request.take(threshold="least", ratio=""), "1")


def sbh_sampled(request: Request) -> Ready:
    """Return the same, each value kept with the probability with which it would be sampled."""
    settings = request.take("q", threshold="least", ratio="")
    return _stability_based(request, settings, settings["q"])


def _stability_based(request: Request, settings: dict[str, str], q: str) -> Ready:
    relation, ratio, kept = request.relation("add-remove"), request.noise(1), sampling_probability(q)
    if settings["threshold"].isdecimal():
        threshold = integer(settings, "threshold", least=1, greatest=PEOPLE)
    else:
        delta = request.lost("a delta above 0, for a threshold that is no number")
        match settings["threshold"]:
            case "printed":
                threshold = printed_threshold(ratio=ratio, delta=delta)
            case "least":
                threshold = least_reported(ratio, delta, kept)
            case other:
                needed, remedy = "printed, least or a number", "write --set threshold=least"
                raise InputError(given=f"threshold={other}", needed=needed, remedy=remedy)
    guarantee = request.within(reported_once(ratio, threshold, kept))
    noisy = stability_counts(threshold=threshold - 1, sampler=noise_to(PEOPLE, ratio))

    def release(counts: Counts, coins: Coins) -> Released:
        found = noisy(counts, coins)
        return found if q == "1" else [(key, value) for key, value in found if coins.bernoulli(kept(value))]

    rests_on = (
        f"{ONE_KEY}, by theorem Clipping.geometric_private and its chance to be reported at 1; the program is that of "
        f"`dpcert audit {request.mechanism}`, with the noise of `dpcert audit geometric --set method=words --set "
        f"ratio={ratio_text(ratio)}`"
    )
    own = {**settings, "threshold": str(threshold), "ratio": ratio_text(ratio)}
    return Ready(of_at_most(release, PEOPLE), ("value", "count"), guarantee, relation, rests_on, own)
