"""Checks of sanitized frequencies: weighted-sampling, Sections 2 and 5, Appendices B and C: rows and their forms."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, combinations, pairwise, product

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.partition_selection import keep_probability
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_estimators import biased_down, maximum_likelihood
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.mechanisms.weighted_sampling.pws_sample import sample_keys, sanitize, sanitizer_rows
from dpcert.proofs.check import check, checks, smallest
from dpcert.proofs.evidence import within
from dpcert.reading.paths.enumerator import enumerate_law

RATIOS = (Fraction(3, 2), Fraction(2), Fraction(3))
DELTAS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5), Fraction(1, 10), Fraction(1, 100))
SAMPLINGS = ("1", "1/2", "1/10, 1/2, 1", "0, 0, 1/3, 1/2", "priority:1/8")
IMAX = 7
ZERO = Fraction(0)
ONE = Fraction(1)

Grid = Iterator[tuple[str, Fraction, Fraction, list[Fraction], list[Row]]]


def rows_grid(algorithm: int, imax: int = IMAX) -> Grid:
    """Yield where, e^epsilon, delta, q and the rows of Algorithm 4 or 5, over the grid of the ledger's rows."""
    for ratio, delta, text in product(RATIOS, DELTAS, SAMPLINGS):
        q = sampling_probabilities(text, imax)
        if algorithm == 4:
            rows = discrete_rows(q=q, ratio=ratio, delta=delta)
        else:
            rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
        yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}", ratio, delta, q, rows


def integral_delta(ratio: Fraction, length: int) -> Fraction:
    """Return the delta for which L(epsilon, delta) is the given number."""
    return (ratio - 1) / (ratio**length * (ratio + 1) - 2)


@checks({"pws-rows-private": 4, "pws-densities-private": 5})
def _private(algorithm: int) -> Iterator[str]:
    """Algorithm 4, or 5, discretized: neighbouring rows are (epsilon, delta)-close, row i reports with pi_i <= q_i."""
    for where, ratio, delta, q, rows in rows_grid(algorithm):
        pi = [ZERO, *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
        laws = [Dist.of(enumerate(row)) for row in rows]
        if not within(laws, Epsilon.ln(ratio), delta):
            yield f"{where}: two rows"
        for i, row in enumerate(rows):
            if sum(row[1:]) != pi[i] or pi[i] > (q[i - 1] if i else 0) or min(row) < 0:
                yield f"{where}, i = {i}"


@check("pws-rows-all-sets")
def pws_rows_all_sets() -> Iterator[str]:
    """Both constraints hold for every set of values, enumerated, and no set exceeds the divergence."""
    for where, ratio, delta, _, rows in rows_grid(4, 5):
        for i, (a, b) in enumerate(pairwise(rows), 1):
            wide = [*a, ZERO]
            most = [ZERO, ZERO]
            for size in range(len(b) + 1):
                for chosen in combinations(range(len(b)), size):
                    x, y = sum(wide[j] for j in chosen), sum(b[j] for j in chosen)
                    most = [max(most[0], y - ratio * x), max(most[1], x - ratio * y)]
            p, q = Dist.of(enumerate(a)), Dist.of(enumerate(b))
            tight = all(
                decide_pair(one, other, Epsilon.ln(ratio), excess)[0] is True
                and (not excess or decide_pair(one, other, Epsilon.ln(ratio), excess * Fraction(99, 100))[0] is False)
                for one, other, excess in ((q, p, most[0]), (p, q, most[1]))
            )
            if max(most) > delta or not tight:
                yield f"{where}, i = {i}"


@checks({"pws-breakpoint-printed": lambda ratio: Fraction(1), "pws-breakpoint-corrected": lambda ratio: ratio})
@smallest
def _breakpoint(factor: Callable[[Fraction], Fraction]) -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """The breakpoint b_1 as printed is the greatest with mass + slack <= delta; corrected, with mass + e^epsilon slack
    <= delta.
    """
    for where, ratio, delta, _, rows in rows_grid(4):
        for i, (a, b) in enumerate(pairwise(rows), 1):
            slack = max(a[0] / ratio - b[0], ZERO)
            masses = list(accumulate(a[1:]))
            b1 = sum(1 for mass in masses if mass + factor(ratio) * slack <= delta)
            least = least_entries(a, 1 - b[0], ratio, delta)
            if any(least[:b1]) or any(x != y / ratio for x, y in zip(least[b1 + 1 :], a[b1 + 2 :], strict=True)):
                entries = ", ".join(map(str, least))
                yield i, ratio, -delta, f"{where}, i = {i}: b_1 = {b1}, the least entries are {entries}"


@check("pws-breakpoint-same-row")
@smallest
def pws_breakpoint_same_row() -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """Beyond b_1 + 1, with the breakpoint that is right, the least entries are pi_ij/e^epsilon, of the same row i."""
    for where, ratio, delta, _, rows in rows_grid(4):
        for i, (a, b) in enumerate(pairwise(rows), 1):
            slack = max(a[0] / ratio - b[0], ZERO)
            b1 = sum(1 for mass in accumulate(a[1:]) if mass + ratio * slack <= delta)
            least = least_entries(a, 1 - b[0], ratio, delta)
            for j in range(b1 + 2, i):
                if least[j - 1] != b[j] / ratio:
                    yield i, ratio, -delta, f"{where}, i = {i}, j = {j}: {least[j - 1]}, and pi_ij/E = {b[j] / ratio}"


@check("pws-rows-closed-form")
def pws_rows_closed_form() -> Iterator[str]:
    """Lemma 5.2, both forms, and the symmetric sequence (34), for integral L."""
    for ratio in RATIOS:
        for length in range(5):
            delta = integral_delta(ratio, length)
            imax = 3 * length + 3
            q = [Fraction(1)] * imax
            pi = [ZERO, *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
            sequence = [delta * ratio ** min(k, 2 * length - k) for k in range(2 * length + 1)]
            for i, row in enumerate(discrete_rows(q=q, ratio=ratio, delta=delta)[1:], 1):
                differences = [pi[i - j + 1] - pi[i - j] if i - j <= 2 * length else ZERO for j in range(1, i + 1)]
                entries = [sequence[i - j] if i - j <= 2 * length else ZERO for j in range(1, i + 1)]
                if list(row[1:]) != differences or differences != entries:
                    yield f"e^epsilon = {ratio}, L = {length}, i = {i}"


@check("pws-densities-cells")
def pws_densities_cells() -> Iterator[str]:
    """Algorithm 5 has at most 3m breakpoints, and values of a key of frequency i lie in (0, i]."""
    for ratio, delta, text in product(RATIOS, DELTAS, SAMPLINGS):
        for m in (1, 4, 9):
            q = sampling_probabilities(text, m)
            rows, ends = density_rows(q=q, ratio=ratio, delta=delta)
            beyond = any(
                mass and end > i for i, row in enumerate(rows) for end, mass in zip(ends, row[1:], strict=True)
            )
            if len(ends) > 3 * m or beyond:
                yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, m = {m}"


@check("pws-densities-integral")
def pws_densities_integral() -> Iterator[str]:
    """Without sampling and for integral L, Algorithm 5 has the integers as breakpoints and Algorithm 4's rows."""
    for ratio in RATIOS:
        for length in range(5):
            delta, q = integral_delta(ratio, length), [Fraction(1)] * (2 * length + 4)
            rows, ends = density_rows(q=q, ratio=ratio, delta=delta)
            discrete = discrete_rows(q=q, ratio=ratio, delta=delta)
            padded = [(*row, *[ZERO] * (len(ends) + 1 - len(row))) for row in discrete]
            if ends != list(range(1, len(q) + 1)) or rows != padded:
                yield f"e^epsilon = {ratio}, L = {length}"


@checks({"pws-density-bounds-printed": True, "pws-density-bounds-corrected": False})
@smallest
def _density_bounds(strict: bool) -> Iterator[tuple[int, Fraction, Fraction, str]]:
    """Each density is at least e^epsilon times, or less than e^-epsilon times, the one before; corrected, or at most,
    and the latter lie lower.
    """
    for where, ratio, delta, _, rows in rows_grid(5):
        for i, (a, b) in enumerate(pairwise(rows[1:]), 2):
            kinds = [
                "high"
                if y >= ratio * x and y
                else "low"
                if y * ratio < x or (y * ratio <= x and not strict)
                else "none"
                for x, y in zip(a[1:], b[1:], strict=True)
                if x or y
            ]
            if "none" in kinds or kinds != sorted(kinds, reverse=True):
                yield i, ratio, -delta, f"{where}, i = {i}: a cell has e^-epsilon times the density of row {i - 1}"


@check("pws-given-sample")
def pws_given_sample() -> Iterator[str]:
    """Sampling two keys and sanitizing the sample alone reports each by its end-to-end row, independently."""

    def law(frequencies: Sequence[int], q: list[Fraction], rows: list[Row]) -> Dist:
        data = dict(zip("ab", frequencies, strict=False))
        sampler, sanitizer = sample_keys(q=q), sanitize(sanitizer=sanitizer_rows(q=q, rows=rows))
        return enumerate_law(lambda given, coins: sanitizer(sampler(given, coins), coins), data).law

    def meant(frequencies: Sequence[int], rows: list[Row]) -> Dist:
        first_row, second_row = (rows[w] for w in frequencies)
        return Dist.of(
            (tuple((key, j) for key, j in (("a", x), ("b", y)) if j), p * r)
            for (x, p), (y, r) in product(enumerate(first_row), enumerate(second_row))
        )

    for algorithm in (4, 5):
        for text in ("1", "1/10, 1/2, 1", "priority:1/4"):
            q, ratio, delta = sampling_probabilities(text, 3), Fraction(2), Fraction(1, 10)
            rows = discrete_rows(q=q, ratio=ratio, delta=delta)
            if algorithm == 5:
                rows, _ = density_rows(q=q, ratio=ratio, delta=delta)
            for frequencies in ((1, 2), (3, 3)):
                if law(frequencies, q, rows) != meant(frequencies, rows):
                    yield f"Algorithm {algorithm}, q = {text}, frequencies {frequencies}"


@check("pws-one-key-events")
def pws_one_key_events() -> Iterator[str]:
    """With a second key in the data, no event needs more delta than the events about the key that changes."""

    def excess(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
        return sum((max(mass - ratio * q.prob(outcome), ZERO) for outcome, mass in p.items()), ZERO)

    def both(one: Row, other: Row) -> Dist:
        return Dist.of(((x, y), p * q) for (x, p), (y, q) in product(enumerate(one), enumerate(other)) if p * q)

    return (
        f"{where}, frequency {i} and one less, beside frequency {k}"
        for where, ratio, _, _, rows in rows_grid(4, 4)
        for i in range(1, 5)
        for k in (0, 2)
        for a, b in ((rows[i], rows[i - 1]), (rows[i - 1], rows[i]))
        if excess(both(a, rows[k]), both(b, rows[k]), ratio)
        != excess(Dist.of(enumerate(a)), Dist.of(enumerate(b)), ratio)
    )


@checks({"pws-unreported-printed": lambda _, last: last, "pws-unreported-corrected": lambda j, _: j})
def _unreported(subscript: Callable[[int, int], int]) -> Iterator[str]:
    """pi_i0 = 1 - (pi_it + ... + pi_it), t times, as the sum's subscripts stand; corrected, pi_ij = q_i p_ij, and pi_i0
    = 1 - (pi_i1 + ... + pi_it) is not sampled, or sampled and not reported.
    """
    for algorithm, imax in product((4, 5), (1, 2, 4)):
        for where, _, _, q, rows in rows_grid(algorithm, imax):
            last = len(rows[-1]) - 1
            kept = [(ONE,), *sanitizer_rows(q=q, rows=rows)]
            for i, row in enumerate(rows[1:], 1):
                entries = [*row, *[ZERO] * (last + 1 - len(row))]
                if row[0] != 1 - sum((entries[subscript(j, last)] for j in range(1, last + 1)), ZERO):
                    yield f"{where}, t = {last}, i = {i}"
                if q[i - 1] and (
                    any(q[i - 1] * p != pi for p, pi in zip(kept[i][1:], row[1:], strict=True))
                    or 1 - q[i - 1] + q[i - 1] * kept[i][0] != row[0]
                ):
                    yield f"{where}, i = {i}: sampling, then reporting"


@check("pws-values-are-tokens")
def values_are_tokens() -> Iterator[str]:
    """Estimates (11) and (41) do not change where values that no one reports are put between the others."""
    for where, _, _, _, rows in chain(rows_grid(4, 5), rows_grid(5, 4)):
        width = max(map(len, rows))
        for place in range(1, width + 1):
            apart = [row if len(row) <= place else (*row[:place], ZERO, *row[place:]) for row in rows]
            for estimates in (maximum_likelihood, biased_down):
                meant, found = estimates(rows=rows, g=lambda i: i), estimates(rows=apart, g=lambda i: i)
                if found[:place] + found[place + 1 :] != meant:
                    yield f"{where}, a value before {place}"


@check("pws-earlier-selection")
def earlier_selection() -> Iterator[str]:
    """The partition selection of Desfontaines and others is Algorithm 3 with q = 1."""
    for ratio, delta in product((*RATIOS, Fraction(11, 10)), DELTAS):
        found = [ZERO, *reporting_probabilities(q=[ONE] * 60, ratio=ratio, delta=delta)]
        for people, meant in enumerate(found):
            if keep_probability(people=people, ratio=ratio, delta=delta) != meant:
                yield f"e^epsilon = {ratio}, delta = {delta}, i = {people}"
