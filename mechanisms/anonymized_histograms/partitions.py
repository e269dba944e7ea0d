"""Anonymized histograms as partitions of an integer: all those of a size, their prevalences, and their number."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from dpcert.mechanisms.exact.number import need

Counts = tuple[int, ...]
"""An anonymized histogram: its positive counts, the largest first."""


def anonymized(data: Mapping[object, int]) -> Counts:
    """Return the histogram of a dataset from labels to counts; labels with a count of 0 leave no trace.

    Source: anonymized-histograms, Section 1.
    Raises: InputError for a count that is not an int >= 0.
    """
    for label, count in data.items():
        need(type(count) is int and count >= 0, f"{label!r}: {count!r}", "counts that are ints >= 0", "count people")
    return tuple(sorted((count for count in data.values() if count), reverse=True))


def joined(a: Counts, b: Counts) -> Counts:
    """Return the sum a + b of two histograms: all counts of both.

    Source: anonymized-histograms, Section 4.
    """
    return tuple(sorted((*a, *b), reverse=True))


def prevalences(counts: Counts) -> tuple[tuple[int, int], ...]:
    """Return the pairs (r, phi_r), phi_r > 0 the number of counts equal to r, the smallest r first."""
    return tuple(sorted(Counter(counts).items()))


def of_prevalences(pairs: Iterable[tuple[int, int]]) -> Counts:
    """Return the histogram with these prevalences, in any order.

    Raises: InputError for an r that is not an int >= 1 or is repeated, or a prevalence that is not an int >= 0.
    """
    pairs = list(pairs)
    for r, many in pairs:
        need(type(r) is int and r >= 1, f"r = {r!r}", "counts r that are ints >= 1", "leave out what no one has")
        need(type(many) is int and many >= 0, f"phi_{r} = {many!r}", "prevalences that are ints >= 0", "count labels")
    need(len({r for r, _ in pairs}) == len(pairs), "a count r twice", "each r at most once", "add its prevalences")
    return tuple(r for r, many in sorted(pairs, reverse=True) for _ in range(many))


def cumulative(counts: Counts) -> tuple[int, ...]:
    """Return (phi_1+, phi_2+, ...) down to the last that is positive, phi_r+ the number of counts that are >= r.

    Claims: this is the conjugate partition, so that it is an involution.
    """
    sums, labels = [], len(counts)
    for r in range(1, (counts[0] if counts else 0) + 1):
        while counts[labels - 1] < r:
            labels -= 1
        sums.append(labels)
    return tuple(sums)


def partitions(total: int, largest: int | None = None) -> Iterator[Counts]:
    """Yield every histogram of `total` items whose counts are at most `largest`, each once."""
    if total == 0:
        yield ()
        return
    for head in range(min(total, total if largest is None else largest), 0, -1):
        for rest in partitions(total - head, head):
            yield (head, *rest)


def histograms(most: int) -> Iterator[Counts]:
    """Yield every histogram of at most `most` items, those of fewer items first."""
    for total in range(most + 1):
        yield from partitions(total)


def partition_numbers(most: int) -> list[int]:
    """Return the numbers of histograms of 0, 1, ..., `most` items, by Euler's recurrence.

    p(n) = sum over k >= 1 of (-1)^(k+1) (p(n - k(3k-1)/2) + p(n - k(3k+1)/2)), the pentagonal number theorem.
    """
    numbers = [1]
    for n in range(1, most + 1):
        total, k, sign = 0, 1, 1
        while (low := k * (3 * k - 1) // 2) <= n:
            total += sign * (numbers[n - low] + (numbers[n - low - k] if n >= low + k else 0))
            k, sign = k + 1, -sign
        numbers.append(total)
    return numbers
