"""Estimates of the data from a release, with intervals that each miss with probability beta at most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.symmetric import entropy_lo, private_estimate, rarefied_coverage
from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.finite_computers.compact_costs import settled
from dpcert.mechanisms.finite_computers.compact_histogram import counts_of, parts_of
from dpcert.mechanisms.finite_computers.geosample import noise_ratio_of
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.mechanisms.mechanism import integer
from dpcert.mechanisms.sample_and_threshold.hierarchical import quantile
from dpcert.mechanisms.sample_and_threshold.quantile_search import found as cell_found
from dpcert.mechanisms.user_level.debiasing import debiased_vector
from dpcert.planning.lone import PEOPLE
from dpcert.planning.question import number_text
from dpcert.releasing.histograms import UNIFORM
from dpcert.releasing.intervals import gaussian_reach, geometric_reach, least_count, most_count, sampled_interval
from dpcert.releasing.made import DIGITS, Estimates, Made, short
from dpcert.releasing.reported import weighted

GREATEST = ("keep-heavy", "keep-heavy-sparse", "sparse-histogram", "pure-sparse-histogram")
NEVER = Fraction(0)
MOST_CELLS = 4096
"""The greatest number of cells among which a quantile is looked for."""


def _rate(made: Made) -> Fraction:
    rate = made.number("m") / made.number("n") if "m" in made.parameters else made.number("rate")
    need(0 < rate < 1, f"rate = {rate}", "a rate between 0 and 1, as releases have", "take the file as it was")
    return rate


def sampled(made: Made) -> Estimates:
    """Return n/p for each count of a sample, with its interval, and the most that a value not shown may have."""
    made.take()
    rate, threshold = _rate(made), int(made.number("threshold"))
    interval = cache(lambda count: sampled_interval(count, rate, made.beta))
    # In a trie a value is seen where each of its beginnings is, at each level by a sample of its own.
    looked = int(made.number("levels")) if made.parameters.get("ancestors") == "yes" else 1
    unseen = most_count(threshold - 1, rate, made.beta / looked)
    notes = [
        f"each value is shown with an interval that misses its count with probability {made.beta} at most",
        f"a value of more than {unseen} people is not shown with probability {made.beta} at most",
    ]
    if made.parameters.get("counts") == "no":
        lo = least_count(threshold, rate, made.beta)
        return made.table(("value", "at_least"), ((value, lo) for (value,) in made.rows), *notes)
    if "m" in made.parameters:
        notes.append("but for the size of the sample, which may be cut off: that adds its probability, a part of delta")
    if "bound" in made.parameters:
        notes.append(f"counts are of users whose first {made.parameters['bound']} labels include the value")
    columns = {3: ("beginning", "whole"), 2: ("value",)}[len(made.rows[0]) if made.rows else 2]
    if made.mechanism == "hierarchical-histogram":
        columns = ("start", "end")
    rows = ((*row[:-1], short(int(row[-1]) / rate), *interval(int(row[-1]))) for row in made.rows)
    return made.table((*columns, "estimate", "lo", "hi"), rows, *notes)


def noisy(made: Made) -> Estimates:
    """Return each noisy count with its interval, and the noise's standard deviation."""
    made.take()
    return _around(made, [(value, int(count)) for value, count in made.rows], made.number("ratio"))


def _around(made: Made, counts: Sequence[tuple[str, int]], ratio: Fraction, lost: Fraction = NEVER) -> Estimates:
    """Return counts with geometric noise of this ratio, but for a probability `lost`, with their intervals."""
    need(lost < made.beta, f"beta = {made.beta}", f"one above {lost}, at which a count is random", "raise --beta")
    reach, most = geometric_reach(ratio, made.beta - lost), int(made.parameters.get("n", PEOPLE))
    spread = root_bounds(GeometricMoments(1 / ratio).mean_square(), 64)[1]
    notes = [
        f"the noise is further than {reach} from 0 with probability {made.beta} at most; it has no bias before it is "
        f"clamped to [0, {most}], and a standard deviation of {short(spread)}"
        + (f", but for a probability of {decimal_hi(lost, 3)}, at which a count is random" if lost else "")
    ]
    if "threshold" in made.parameters:
        threshold = int(made.number("threshold")) - made.mechanism.startswith("sbh")
        notes.append(
            f"only counts above {threshold} are shown, which biases those near it upwards; a value of more than "
            f"{threshold + reach} people is not shown with probability {made.beta} at most"
            + (", but for the sampling" if "q" in made.parameters else "")
        )
    if made.mechanism in GREATEST:
        notes.append("the labels of the greatest noisy counts are shown, which biases these upwards")
    rows = ((value, count, max(0, count - reach), min(most, count + reach)) for value, count in counts)
    return made.table(("value", "estimate", "lo", "hi"), rows, *notes)


def mixed(made: Made) -> Estimates:
    """Return each count that has fastsample's noise, which is geosample's but for a probability, with its interval.

    A count is random where its noise is the uniform one, where the order statistics are not those of keep-heavy, and
    where a random histogram is released.
    """
    made.take()
    epsilon, lost = made.number("epsilon"), made.number("gamma")
    if made.mechanism == "sparse-histogram":
        lost += made.number("delta")
    else:
        beta = made.number("beta")
        lost += beta + pure_distance(n=1, universe=int(1 / (UNIFORM * lost)), epsilon=epsilon, beta=beta)  # n=1: most
    return _around(made, [(value, int(count)) for value, count in made.rows], noise_ratio_of(epsilon), lost)


def compact(made: Made) -> Estimates:
    """Return each public label's noisy count, the value that the polynomial has at its place, with its interval.

    The noisy count of a label that does not occur is at most so great as fastsample's of 0 (Lemma 8.4).
    """
    made.take()
    labels = made.public()
    n, universe = int(made.number("n")), int(made.number("universe"))
    epsilon, beta = made.number("epsilon"), made.number("beta")
    family, empty = parts_of(n=n, universe=universe, epsilon=epsilon, beta=beta)
    chosen = settled(n=n, universe=universe, epsilon=epsilon, beta=beta)
    coefficients = tuple(int(coefficient, 16) for _, coefficient in made.rows)
    counts = counts_of(coefficients, range(len(labels)), family=family, empty=empty)
    shown = [(label, count) for label, (_, count) in zip(labels, counts, strict=True)]
    return _around(made, shown, noise_ratio_of(chosen.epsilon), chosen.gamma)


def summed(made: Made) -> Estimates:
    """Return each sum of clipped counts with its interval; with `users` and `cap`, debiased for Poisson counts too."""
    known = {name: made.parameters[name] for name in ("users", "cap") if "cap" in made.parameters}
    asked = {**known, **made.take("users", "cap")}
    grid = made.number("grid")
    scale = made.number("rate") if "rate" in made.parameters else Fraction(1)
    if "variance" in made.parameters:
        reach = Fraction(gaussian_reach(made.number("variance"), made.beta))
    else:
        reach = Fraction(geometric_reach(made.number("ratio"), made.beta))
    reach /= grid * scale
    notes = [
        f"each interval misses the clipped sum with probability {made.beta} at most; clipping to "
        f"{made.parameters['clip']} biases sums downwards"
        + (", and the sample of users is not in the intervals" if scale != 1 else "")
    ]
    totals = [exact(total, "sum") / scale for _, total, *_ in made.rows]
    columns: tuple[str, ...] = ("value", "estimate", "lo", "hi")
    rows: list[tuple[Any, ...]] = [
        (row[0], short(x), short(x - reach), decimal_hi(x + reach, DIGITS))
        for row, x in zip(made.rows, totals, strict=True)
    ]
    if asked:
        need(asked.keys() == {"users", "cap"}, "users without cap, or cap without users", "both", "set both")
        users, cap = integer(asked, "users", least=1), exact(asked["cap"], "cap")
        clip = made.number("clip")
        need(clip.denominator == 1, f"clip={clip}", "a whole number to debias", "release with a whole clip")
        rates = debiased_vector(totals, users=users, clip=int(clip), cap=cap)
        columns = (*columns, "debiased")
        rows = [(*row, short(users * (lo + hi) / 2)) for row, (lo, hi) in zip(rows, rates, strict=True)]
        notes.append(f"debiased as if users' counts were Poisson of one rate, {cap} at most (user-level, Algorithm 4)")
    return made.table(columns, rows, *notes)


def properties(made: Made) -> Estimates:
    """Return entropy, labels seen and coverage from an anonymized histogram: its plug-in estimates (Corollary 1)."""
    asked = made.take("size")
    if made.mechanism == "privhist":
        people = int(made.rows[0][1])
        histogram = [(int(what.removeprefix("count ")), int(many)) for what, many in made.rows[1:]]
    else:
        histogram = [(int(count), int(many)) for count, many in made.rows if int(count)]
        people = sum(count * many for count, many in histogram)
    seen = sum(many for _, many in histogram)
    rows: list[tuple[Any, ...]] = [("people", people), ("labels seen", seen)]
    rows.append(("entropy in nats", short(private_estimate(entropy_lo(), histogram, people))))
    once = sum(many for count, many in histogram if count == 1)
    if people:
        rows.append(("share of people whose labels are not seen", short(Fraction(min(once, people), people))))
    if asked:
        size = integer(asked, "size", least=1, greatest=max(1, min(people, 10**5)))
        coverage = size * private_estimate(rarefied_coverage(size=size), histogram, people)
        rows.append((f"labels among {size} people", short(coverage)))
    notes = (
        "estimates of the released histogram, which are as private as it is; by Corollary 1 of anonymized-histograms "
        "each is moved by the noise by its Lipschitz constant times the sorted distance at most",
    )
    return made.table(("property", "estimate"), rows, *notes)


def cells(made: Made) -> Estimates:
    """Return sums over `ranges` and `quantiles` of a hierarchical histogram, or every cell."""
    asked = made.take("ranges", "quantiles")
    if not asked:
        return sampled(made)
    low, high = made.number("low"), made.number("high")
    branching, levels = int(made.number("branching")), int(made.number("levels"))
    rate, unit = _rate(made), (high - low) / branching**levels
    unseen = int(made.number("threshold")) - 1
    grown: list[dict[int, int]] = [{} for _ in range(levels)]
    for start, end, count in made.rows:
        width = (exact(end, "end") - exact(start, "start")) / unit
        level = next(at for at in range(1, levels + 1) if branching ** (levels - at) == width)
        grown[level - 1][int((exact(start, "start") - low) / unit / width)] = int(count)

    def weight(start: int, end: int, *, found: bool = False) -> tuple[str, int, int]:
        parts = list(covering(start, end, branching=branching, levels=levels))
        shown = [grown[level - 1].get(cell) for level, cell in parts]
        # The end of a quantile is found in the release, so that any cells may be those that matter.
        shared = sum(branching**level for level in range(1, levels + 1)) if found else len(parts)
        beta = made.beta / max(1, shared)
        bounds = [(0, most_count(unseen, rate, beta)) if n is None else sampled_interval(n, rate, beta) for n in shown]
        total = sum(n or 0 for n in shown) / rate
        return short(total), sum(lo for lo, _ in bounds), sum(hi for _, hi in bounds)

    rows: list[tuple[Any, ...]] = []
    for text in filter(None, asked.get("ranges", "").split(",")):
        first, colon, last = text.partition(":")
        a, b = ((exact(one, "range") - low) / unit for one in (first, last)) if colon else (Fraction(1, 2), low)
        needed = f"START:END, multiples of {number_text(unit)} from {number_text(low)} to {number_text(high)}"
        fits = a.denominator == b.denominator == 1 and 0 <= a <= b <= branching**levels
        need(fits, text, needed, "write such a range")
        rows.append((f"range {text.strip()}", *weight(int(a), int(b))))
    for text in filter(None, asked.get("quantiles", "").split(",")):
        phi = exact(text, "quantile")
        need(0 < phi <= 1, f"quantile {text}", "a number above 0, at most 1", "write 1/2")
        need(branching**levels <= MOST_CELLS, f"{branching**levels} cells", f"at most {MOST_CELLS}", "ask for ranges")
        end = quantile(tuple(tuple(sorted(level.items())) for level in grown), phi, branching=branching)
        what = f"quantile {text.strip()} is {number_text(low + end * unit)}, below which"
        rows.append((what, *weight(0, end, found=True)))
    note = (
        f"each interval misses the number of people with probability {made.beta} at most, shared by the cells that it "
        "adds up, or for a quantile, whose end is found in the release, by all cells"
    )
    return made.table(("what", "estimate", "lo", "hi"), rows, note)


def covering(start: int, end: int, *, branching: int, levels: int) -> Iterator[tuple[int, int]]:
    """Yield disjoint cells, each with its level, whose union is [start, end), in units of the last level.

    Each is as great as can be: at most 2 (branching - 1) of a level, but where all of the first level are taken.
    """

    def within(level: int, cell: int) -> Iterator[tuple[int, int]]:
        width = branching ** (levels - level)
        first, last = cell * width, (cell + 1) * width
        if start <= first and last <= end and level:
            yield level, cell
        elif first < end and start < last:
            for child in range(cell * branching, (cell + 1) * branching):
                yield from within(level + 1, child)

    return within(0, 0)


def searched(made: Made) -> Estimates:
    """Return the cell in which a search for a quantile ends."""
    made.take()
    low, high, phi = made.number("low"), made.number("high"), made.number("phi")
    unit = (high - low) / (1 << int(made.number("halvings")))
    steps = tuple((0, tuple((side, n) for side, n in enumerate(map(int, shown)) if n)) for _, *shown in made.rows)
    cell = cell_found(steps, phi=phi)
    row = (f"quantile {phi}", number_text(low + cell * unit), number_text(low + (cell + 1) * unit))
    note = "the search goes up where less than phi of those shown are below"
    return made.table(("what", "start", "end"), [row], note)


ESTIMATES: Mapping[str, Callable[[Made], Estimates]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "sample-threshold-histogram",
                "bounded-histogram",
                "heavy-hitters",
                "contacted-histogram",
                "trie-heavy-hitters",
            ),
            sampled,
        ),
        "hierarchical-histogram": cells,
        "quantile-search": searched,
        **dict.fromkeys(
            ("stability-histogram", "basic-histogram", "keep-heavy", "keep-heavy-sparse", "sbh", "sbh-sampled"), noisy
        ),
        **dict.fromkeys(("sparse-histogram", "pure-sparse-histogram"), mixed),
        "compact-histogram": compact,
        **dict.fromkeys(("clipped-sum-l1", "sampled-sum-l1", "clipped-sum-l2"), summed),
        **dict.fromkeys(("pws-keys", "pws-frequencies", "pws-private-threshold"), weighted),
        **dict.fromkeys(("privhist", "laplace-isotonic"), properties),
    }
)
"""The function that makes estimates of each mechanism's releases."""
