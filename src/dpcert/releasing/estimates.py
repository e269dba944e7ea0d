"""What a release says of the data: estimates, with intervals that each miss with probability beta at most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.symmetric import entropy_lo, private_estimate, rarefied_coverage
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.sample_and_threshold.hierarchical import quantile
from dpcert.mechanisms.sample_and_threshold.quantile_search import found as cell_found
from dpcert.mechanisms.sample_and_threshold.trie import yes_or_no
from dpcert.mechanisms.user_level.debiasing import debiased_vector
from dpcert.mechanisms.weighted_sampling.pws_estimators import Moments, moments, unbiased
from dpcert.mechanisms.weighted_sampling.pws_grid_rows import GridRow, grid_rows, whole_cells
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities
from dpcert.planning.lone import PEOPLE
from dpcert.planning.question import number_text
from dpcert.releasing.intervals import gaussian_reach, geometric_reach, least_count, most_count, sampled_interval

Rows = Sequence[tuple[Any, ...]]
DIGITS = 9
"""The digits of estimates, which are rounded down."""
MOST_CELLS = 4096
"""The greatest number of cells among which a quantile is looked for."""
MOST_UNBIASED = 200
"""The greatest `imax` up to which unbiased estimates, whose numbers grow without use, are given unasked."""


@dataclass(frozen=True, slots=True)
class Made:
    """A release as it is read: its mechanism, the parameters that it ran with, its rows, and beta."""

    mechanism: str
    parameters: Mapping[str, str]
    rows: Rows
    beta: Fraction
    asked: Mapping[str, str]

    def number(self, name: str) -> Fraction:
        """Return a parameter as a number."""
        return exact(self.parameters[name], name)

    def take(self, *names: str) -> dict[str, str]:
        """Return what is asked for besides, which may be these.

        Raises: InputError for anything else.
        """
        wrong = next((name for name in self.asked if name not in names), None)
        if wrong is not None:
            needed = f"one of {', '.join(names)}" if names else "no --set"
            raise InputError(given=f"--set {wrong} for estimate {self.mechanism}", needed=needed, remedy="leave it out")
        return dict(self.asked)


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates in rows of these columns, and notes in words: for what the intervals hold, and what is biased."""

    mechanism: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...]
    schema: str = "dpcert.estimate/1"

    def as_json(self) -> dict[str, Any]:
        """Return the estimates as JSON data."""
        return {
            "schema": self.schema,
            "mechanism": self.mechanism,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }


def _text(x: Fraction | int) -> str:
    return decimal_lo(Fraction(x), DIGITS)


def _made(made: Made, columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]], *notes: str) -> Estimates:
    return Estimates(made.mechanism, columns, tuple(rows), notes)


def _rate(made: Made) -> Fraction:
    return made.number("m") / made.number("n") if "m" in made.parameters else made.number("rate")


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
        return _made(made, ("value", "at_least"), ((value, lo) for (value,) in made.rows), *notes)
    if "m" in made.parameters:
        notes.append("but for the size of the sample, which may be cut off: that adds its probability, a part of delta")
    if "bound" in made.parameters:
        notes.append(f"counts are of users whose first {made.parameters['bound']} labels include the value")
    columns = {3: ("beginning", "whole"), 2: ("value",)}[len(made.rows[0]) if made.rows else 2]
    if made.mechanism == "hierarchical-histogram":
        columns = ("start", "end")
    rows = ((*row[:-1], _text(int(row[-1]) / rate), *interval(int(row[-1]))) for row in made.rows)
    return _made(made, (*columns, "estimate", "lo", "hi"), rows, *notes)


def noisy(made: Made) -> Estimates:
    """Return each noisy count with its interval, and the noise's standard deviation."""
    made.take()
    ratio = made.number("ratio")
    reach, most = geometric_reach(ratio, made.beta), int(made.parameters.get("n", PEOPLE))
    spread = root_bounds(GeometricMoments(1 / ratio).mean_square(), 64)[1]
    notes = [
        f"the noise is further than {reach} from 0 with probability {made.beta} at most; it has no bias before it is "
        f"clamped to [0, {most}], and a standard deviation of {_text(spread)}"
    ]
    if "threshold" in made.parameters:
        threshold = int(made.number("threshold")) - made.mechanism.startswith("sbh")
        notes.append(
            f"only counts above {threshold} are shown, which biases those near it upwards; a value of more than "
            f"{threshold + reach} people is not shown with probability {made.beta} at most"
            + (", but for the sampling" if "q" in made.parameters else "")
        )
    counts = ((value, int(count)) for value, count in made.rows)
    rows = ((value, count, max(0, count - reach), min(most, count + reach)) for value, count in counts)
    return _made(made, ("value", "estimate", "lo", "hi"), rows, *notes)


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
        (row[0], _text(x), _text(x - reach), decimal_hi(x + reach, DIGITS))
        for row, x in zip(made.rows, totals, strict=True)
    ]
    if asked:
        need(asked.keys() == {"users", "cap"}, "users without cap, or cap without users", "both", "set both")
        users, cap = integer(asked, "users", least=1), exact(asked["cap"], "cap")
        clip = made.number("clip")
        need(clip.denominator == 1, f"clip={clip}", "a whole number to debias", "release with a whole clip")
        rates = debiased_vector(totals, users=users, clip=int(clip), cap=cap)
        columns = (*columns, "debiased")
        rows = [(*row, _text(users * (lo + hi) / 2)) for row, (lo, hi) in zip(rows, rates, strict=True)]
        notes.append(f"debiased as if users' counts were Poisson of one rate, {cap} at most (user-level, Algorithm 4)")
    return _made(made, columns, iter(rows), *notes)


def weighted(made: Made) -> Estimates:
    """Return for each value that private weighted sampling reports its most likely frequency and its two estimates.

    An error is the root of the mean squared error of a key of the most likely frequency. The estimate without bias is
    there up to MOST_UNBIASED, and for `unbiased=yes`.
    """
    asked = made.take("unbiased")
    imax, bits = int(made.number("imax")), int(made.number("bits"))
    table = list(
        grid_rows(
            q=sampling_probabilities(made.parameters["q"], imax),
            ratio=rational_ratio(Epsilon.of(made.parameters["epsilon"])),
            delta=made.number("delta"),
            bits=bits,
            cells=whole_cells(imax),
        )
    )
    frequencies, likely = likeliest(table)
    notes = [f"frequencies above {imax} count as {imax}; the moments are those at the most likely frequency"]
    even: tuple[Fraction, ...] = ()
    if imax > MOST_UNBIASED and not yes_or_no({"unbiased": "no", **asked}, "unbiased"):
        notes.append(f"frequencies up to {imax} have an unbiased estimate of immense error: --set unbiased=yes for it")
    else:
        try:
            even = unbiased(rows=[row.row(i) for i, row in enumerate(table)], g=lambda i: i)
            total = sum((even[int(value)] for _, value in made.rows), Fraction(0))
            notes.append(f"the sum of all frequencies is estimated without bias as {_text(total)}")
        except InputError:
            notes.append("there is no unbiased estimate: some frequency is never reported as its own value")

    def errors(i: int, estimates: Sequence[Fraction]) -> Moments:
        row = table[i]
        own = (Fraction(0), *estimates[row.first + 1 : row.first + 1 + len(row.masses)])
        short = GridRow(bits, row.unreported, 0, row.masses).row(len(row.masses))
        return moments(row=short, estimates=own, meant=i)

    @cache
    def of_value(value: int) -> tuple[Any, ...]:
        i = frequencies[value]
        found = errors(i, likely)
        error = root_bounds(found.squared_error, 64)[1]
        least_biased: tuple[str, ...] = ()
        if even:
            least_biased = _text(even[value]), _text(root_bounds(errors(i, even).squared_error, 64)[1])
        return i, _text(likely[value]), *least_biased, _text(found.bias), _text(found.variance), _text(error)

    columns = (
        "key",
        "frequency",
        "likelihood",
        *(("unbiased", "unbiased_error") if even else ()),
        "bias",
        "variance",
        "error",
    )
    return _made(made, columns, ((key, *of_value(int(value))) for key, value in made.rows), *notes)


def likeliest(table: Sequence[GridRow]) -> tuple[list[int], list[Fraction]]:
    """Return for each value the frequency that reports it most often, and what it counts for: `maximum_likelihood`.

    A frequency reports few values: only these are compared, as integers.
    """
    found, heaviest = [0] * len(table), [0] * len(table)
    for i, row in enumerate(table):
        for value, mass in enumerate(row.masses, row.first + 1):
            if mass > heaviest[value]:
                found[value], heaviest[value] = i, mass
    reported = [1 - Fraction(row.unreported, 1 << row.bits) for row in table]
    return found, [i / reported[i] if i else Fraction(0) for i in found]


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
    rows.append(("entropy in nats", _text(private_estimate(entropy_lo(), histogram, people))))
    once = sum(many for count, many in histogram if count == 1)
    if people:
        rows.append(("share of people whose labels are not seen", _text(Fraction(min(once, people), people))))
    if asked:
        size = integer(asked, "size", least=1, greatest=max(1, min(people, 10**5)))
        coverage = size * private_estimate(rarefied_coverage(size=size), histogram, people)
        rows.append((f"labels among {size} people", _text(coverage)))
    notes = (
        "estimates of the released histogram, which are as private as it is; by Corollary 1 of anonymized-histograms "
        "each is moved by the noise by its Lipschitz constant times the sorted distance at most",
    )
    return _made(made, ("property", "estimate"), iter(rows), *notes)


def cells(made: Made) -> Estimates:
    """Return sums over `ranges` and `quantiles` of a hierarchical histogram, or every cell."""
    asked = made.take("ranges", "quantiles")
    if not asked:
        return sampled(made)
    low, high = made.number("low"), made.number("high")
    branching, levels = int(made.number("branching")), int(made.number("levels"))
    rate, unit = made.number("rate"), (high - low) / branching**levels
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
        return _text(total), sum(lo for lo, _ in bounds), sum(hi for _, hi in bounds)

    rows: list[tuple[Any, ...]] = []
    for text in filter(None, asked.get("ranges", "").split(",")):
        first, colon, last = text.partition(":")
        a, b = ((exact(one, "range") - low) / unit for one in (first, last)) if colon else (Fraction(1, 2), low)
        needed = f"START:END, multiples of {number_text(unit)} from {number_text(low)} to {number_text(high)}"
        need(
            a.denominator == b.denominator == 1 and 0 <= a <= b <= branching**levels, text, needed, "write such a range"
        )
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
    return _made(made, ("what", "estimate", "lo", "hi"), iter(rows), note)


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
    return _made(
        made, ("what", "start", "end"), iter([row]), "the search goes up where less than phi of those shown are below"
    )


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
        **dict.fromkeys(("clipped-sum-l1", "sampled-sum-l1", "clipped-sum-l2"), summed),
        "pws-frequencies": weighted,
        "privhist": properties,
        "laplace-isotonic": properties,
    }
)
"""What makes estimates of each mechanism's releases."""
