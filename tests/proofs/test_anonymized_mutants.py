"""Lemmas 1 to 6 of anonymized-histograms next to statements that are false: the smallest counterexample of each."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product, zip_longest
from pathlib import Path

import pytest

from dpcert.mechanisms.anonymized_histograms.packing import bits_least, histogram_least
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, joined, prevalences
from dpcert.mechanisms.anonymized_histograms.sorted_distance import (
    least_over_labelings,
    prevalence_l1,
    sorted_l1,
    ways_to_remove,
)
from dpcert.proofs.anonymized_histograms.checks.noise import roots_at_most
from dpcert.proofs.anonymized_histograms.checks.properties import nearest, pairs
from dpcert.proofs.anonymized_histograms.checks.steps import split

PAGE = Path(__file__).resolve().parents[2] / "docs" / "papers" / "anonymized-histograms.md"


def shown(*parts: Counts) -> str:
    return " and ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)


def two(holds: Callable[[Counts, Counts], bool], most: int = 8) -> Iterator[str]:
    return (shown(a, b) for a, b in pairs(most) if not holds(a, b))


def four(holds: Callable[[Counts, Counts, Counts, Counts], bool]) -> Iterator[str]:
    for total in range(5):
        for left in range(total + 1):
            firsts = [pair for pair in pairs(left) if sum(map(sum, pair)) == left]
            seconds = [pair for pair in pairs(total - left) if sum(map(sum, pair)) == total - left]
            for (a, c), (b, d) in product(firsts, seconds):
                if not holds(a, b, c, d):
                    yield f"h1 = {shown(a)}, h2 = {shown(b)}, h1' = {shown(c)}, h2' = {shown(d)}"


def smallest_first(a: Counts, b: Counts) -> int:
    return sum(abs(x - y) for x, y in zip_longest(reversed(a), reversed(b), fillvalue=0))


def plain(a: Counts, b: Counts, weight: Callable[[int], int]) -> int:
    left, right = dict(prevalences(a)), dict(prevalences(b))
    return sum(weight(r) * abs(left.get(r, 0) - right.get(r, 0)) for r in {*left, *right})


def rounded(holds: Callable[[Fraction, Fraction, int], bool], whole: bool = True) -> Iterator[str]:
    for x, y in product((Fraction(i, 1 if whole else 2) for i in range(3)), (Fraction(i, 4) for i in range(9))):
        for r in nearest(y):
            if not holds(x, y, r):
                yield f"x = {x}, y = {y}, rounded to {r}"


def removed(factor: Fraction, *, farthest: bool = False, fewer: int = 0, most: int = 6) -> Iterator[str]:
    for (h1, h2), k, t in product(pairs(most), (1, 2), (1, 2, 3)):
        bound = factor * sorted_l1(joined(h1, (t,) * k), h2)
        ways = {tuple(sorted(h2)[: max(len(h2) - k, 0)])} if farthest else ways_to_remove(h2, k - fewer, t, zeros=True)
        for left in sorted(ways):
            if sorted_l1(h1, tuple(sorted(left, reverse=True))) > bound:
                yield f"h1 = {shown(h1)}, h2 = {shown(h2)}, k = {k}, t = {t}"


def cut(root: Fraction, inverse: Fraction, most: int = 12) -> Iterator[str]:
    for n, b, a in product(range(7), range(1, most + 1), range(1, most + 1)):
        p, y, z = Fraction(a, a + b), Fraction(n + b), Fraction(max(n - a, 0))
        size, square = Fraction(2 * a * b, a + b), a * b
        if not roots_at_most(p, y, 1 - p, z, n + root * size):
            yield f"n = {n}, Z = -{a} or {b}"
        if n and not roots_at_most(p, 1 / y, 1 - p, 1 / z if z else z, Fraction(1, n) + inverse * square / n**2):
            yield f"n = {n}, Z = -{a} or {b}"


def moved(z_lo: int) -> Iterator[str]:
    for n, z in product(range(1, 5), range(z_lo, 4)):
        y = max(n + z, 0)
        if y and Fraction(1, y) > Fraction(1, n) + Fraction(z * z, 2 * n * n):
            yield f"n = {n}, Z = {z} always"


def improper(most: int) -> Iterator[str]:
    for (h, _), t, m in product(((h, b) for h, b in pairs(most) if not b), (1, 2), (0, 1)):
        for z in (m + 1, -m - 1):
            found, small, large = split(h, t, m, z)
            if {**small, **large} != found:
                yield f"h = {shown(h)}, T = {t}, M = {m}, Z^b = {z}"


HALF = Fraction(1, 2)
MUTANTS: dict[str, Callable[[], Iterator[str]]] = {
    "Lemma 1, smallest counts matched first": lambda: two(
        lambda a, b: smallest_first(a, b) == least_over_labelings(a, b)
    ),
    "Lemma 1, difference of the totals": lambda: two(lambda a, b: abs(sum(a) - sum(b)) == least_over_labelings(a, b)),
    "Lemma 1, difference of prevalences": lambda: two(
        lambda a, b: plain(a, b, lambda r: 1) == least_over_labelings(a, b)
    ),
    "Lemma 3, the greater of the two distances": lambda: four(
        lambda a, b, c, d: sorted_l1(joined(a, b), joined(c, d)) <= max(sorted_l1(a, c), sorted_l1(b, d))
    ),
    "Lemma 3, with equality": lambda: four(
        lambda a, b, c, d: sorted_l1(joined(a, b), joined(c, d)) == sorted_l1(a, c) + sorted_l1(b, d)
    ),
    "Lemma 4, prevalences without the factor r": lambda: two(lambda a, b: sorted_l1(a, b) <= plain(a, b, lambda r: 1)),
    "Lemma 4, the factor r - 1": lambda: two(lambda a, b: sorted_l1(a, b) <= plain(a, b, lambda r: r - 1)),
    "Lemma 4, the second bound with equality": lambda: two(lambda a, b: sorted_l1(a, b) == prevalence_l1(a, b)),
    "Lemma 4, half of the second bound": lambda: two(lambda a, b: 2 * sorted_l1(a, b) <= prevalence_l1(a, b)),
    "Lemma 5, a constant of 199/100": lambda: rounded(lambda x, y, r: abs(x - r) <= Fraction(199, 100) * abs(x - y)),
    "Lemma 5, x any half": lambda: rounded(lambda x, y, r: abs(x - r) <= 2 * abs(x - y), whole=False),
    "Lemma 5, y rounded down": lambda: rounded(lambda x, y, r: abs(x - y.numerator // y.denominator) <= 2 * abs(x - y)),
    "Lemma 6, a constant of 1": lambda: removed(Fraction(1)),
    "Lemma 6, a constant of 199/100": lambda: removed(Fraction(199, 100)),
    "Lemma 6, the greatest counts removed": lambda: removed(Fraction(2), farthest=True),
    "Lemma 6, k - 1 counts removed": lambda: removed(Fraction(2), fewer=1),
    "Lemma 2, E sqrt(Y) <= sqrt(n)": lambda: cut(Fraction(0), HALF),
    "Lemma 2, 49/100 E|Z| under the root": lambda: cut(Fraction(49, 100), HALF, most=60),
    "Lemma 2, 49/100 E Z^2 over n^2": lambda: cut(HALF, Fraction(49, 100)),
    "Lemma 2, a mean that is not 0": lambda: moved(-3),
    "Section 4.2, |Z^b| up to M + 1": lambda: improper(2),
}

WITNESSES = {
    "Lemma 1, smallest counts matched first": "{2} and {2, 1}",
    "Lemma 1, difference of the totals": "{2} and {1, 1}",
    "Lemma 1, difference of prevalences": "{} and {2}",
    "Lemma 2, E sqrt(Y) <= sqrt(n)": "n = 0, Z = -1 or 1",
    "Lemma 2, 49/100 E|Z| under the root": "n = 0, Z = -50 or 1",
    "Lemma 2, 49/100 E Z^2 over n^2": "n = 3, Z = -2 or 1",
    "Lemma 2, a mean that is not 0": "n = 2, Z = -1 always",
    "Lemma 3, the greater of the two distances": "h1 = {}, h2 = {}, h1' = {1}, h2' = {1}",
    "Lemma 3, with equality": "h1 = {}, h2 = {1}, h1' = {1}, h2' = {}",
    "Lemma 4, prevalences without the factor r": "{} and {2}",
    "Lemma 4, the factor r - 1": "{} and {1}",
    "Lemma 4, the second bound with equality": "{1} and {2}",
    "Lemma 4, half of the second bound": "{} and {1}",
    "Lemma 5, a constant of 199/100": "x = 0, y = 1/2, rounded to 1",
    "Lemma 5, x any half": "x = 1/2, y = 1/2, rounded to 0",
    "Lemma 5, y rounded down": "x = 1, y = 3/4, rounded to 1",
    "Lemma 6, a constant of 1": "h1 = {}, h2 = {2}, k = 1, t = 1",
    "Lemma 6, a constant of 199/100": "h1 = {}, h2 = {2}, k = 1, t = 1",
    "Lemma 6, the greatest counts removed": "h1 = {2}, h2 = {2, 1}, k = 1, t = 1",
    "Lemma 6, k - 1 counts removed": "h1 = {}, h2 = {1}, k = 1, t = 1",
    "Section 4.2, |Z^b| up to M + 1": "h = {}, T = 1, M = 0, Z^b = 1",
}


@pytest.mark.parametrize("name", MUTANTS)
def test_caught_a_false_neighbour_by_its_smallest_counterexample(name: str) -> None:
    assert next(MUTANTS[name](), None) == WITNESSES[name]


def test_the_page_lists_these_counterexamples_and_no_other() -> None:
    lines = [
        line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| Lemma") or " up to M + 1" in line
    ]
    listed = dict(line.strip("| ").replace("\\|", "|").split(" | ") for line in lines)
    assert listed == {name: f"`{witness}`" for name, witness in WITNESSES.items()}


def test_the_true_statements_have_no_counterexample_here() -> None:
    assert next(removed(Fraction(2)), None) is None
    assert next(cut(HALF, HALF), None) is None
    assert next(two(lambda a, b: sorted_l1(a, b) == least_over_labelings(a, b)), None) is None


def test_a_greater_constant_in_lemma_10_and_theorem_2_fails() -> None:
    """At epsilon = 0: one fair coin errs by 1/2 < 51/100, and n = 6 by 1 < (41/100) sqrt(6)."""
    assert bits_least(k=1, ratio=Fraction(1)) < Fraction(51, 100)
    assert histogram_least(n=6, ratio=Fraction(1)) ** 2 < Fraction(41, 100) ** 2 * 6


def test_the_witnesses_against_the_print_by_hand() -> None:
    # Lemma 6: {3} and {3, 1} with {3} are 1 apart; without its count closest to 1 the latter {3} is empty, and 3 away
    assert (sorted_l1((3, 1), (3,)), sorted_l1((3,), ())) == (1, 3)
    # (8): {5, 2, 1} and {5, 2} are 1 apart; 2 goes, then 5, and {5} is 5 away
    assert (sorted_l1((5, 2, 1), (5, 2)), sorted_l1((5,), ())) == (1, 5)
    # Section 4.2: 1 to 2 and 3 to 2
    assert sorted_l1((3, 1), (2, 2)) == 2
    # Section 3.1: 0, 1/10, then 3/2 of that and 1/10 more, which is above 9/4 of 1/10
    assert Fraction(3, 2) * Fraction(1, 10) + Fraction(1, 10) == Fraction(1, 4) > Fraction(9, 4) * Fraction(1, 10)
    # Appendix E: 5 + 6 + 100, for none of these is at most 4
    assert 5 + 6 + 100 == 111
    # (12): M = 1 at T = 1, moved up by Z^b = 1: none is left, and Z^cs = 1 shows one
    assert split((), 1, 1, 1) == ({1: 0, 2: 2}, {1: 0}, {2: 2})
