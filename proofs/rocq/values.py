"""Questions that the gate puts to Rocq, for tests that compare programs, closed forms and decisions with Python's."""

import ast
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd
from typing import Any

from dpcert.proofs.rocq.record import record

Counts = tuple[int, ...]

COUNTED = [(n, k, c) for n in (1, 2, 3, 4) for k in (0, 1, 2) for c in range(n + 1)]
"""Sizes, bits of precision and counts of which the closed form is computed."""
DRAWN = [(n, k, c) for n, k in ((1, 0), (1, 1), (2, 1), (3, 1), (2, 2)) for c in range(n + 1)]
"""Those of which the program itself is run on every draw."""
SAMPLED = [(a, b, tau, count) for a, b in ((1, 2), (1, 3), (2, 3)) for tau in (1, 2, 3) for count in range(5)]
"""Rates a/b, thresholds and counts."""
TABLES = (((1, 2), (2, 1)), ((3, 0), (0, 3)), ((1, 1), (1, 1)), ((4, 1), (1, 3), (1, 2)), ((0, 5), (7, 2)))
"""Rows of weights of two laws."""
DECIDED = [
    (a, b, c, d, tail, table)
    for a, b in ((1, 1), (3, 2), (2, 1))
    for c, d in ((0, 1), (1, 3), (1, 2))
    for tail in (0, 1)
    for table in TABLES
]
"""Claims e^epsilon = a/b and delta = c/d, the unseen mass, and the rows."""


HEAVY = [(n, counts) for n in (0, 1, 2, 3) for counts in ((), (3,), (0, 0), (2, 1, 2), (1, 5, 3, 3), (4, 3, 2, 1, 0))]
"""Sizes of data sets and lists of noisy counts."""


GREATEST = [(k, counts) for k in (1, 2, 4) for counts in ((), (2,), (1, 3), (0, 2, 2, 1), (3, 0, 3, 1, 2))]
"""How many are asked for, and lists of counts."""


FEW_LABELS = [
    (n, people, noisy, picks, greatest)
    for n, people, noisy, drawn in (
        (1, (0, 1, 0), (1,), ((1, 0), (0, 0))),
        (1, (1, 0, 0, 0), (0,), ((2, 1), (0, 2), (1, 0))),
        (2, (0, 2, 0, 0, 0), (2,), ((3, 1, 1), (0, 0, 0))),
        (2, (1, 0, 0, 1, 0), (1, 2), ((2, 0, 0), (1, 1, 0))),
    )
    for picks in drawn
    for greatest in combinations_with_replacement(range(n, -1, -1), n + 1)
]
"""Sizes of data sets, counts of labels, noisy counts of those that occur, picks of others, and their counts."""


TAKEN = [(d, d0) for d in (1, 2, 3, 5) for d0 in range(d, 3 * d + 2)]
"""Sizes of two ranges of numbers, the second no smaller."""


COUNTS = ((), (1,), (0, 2), (2, 2, 0), (3, 1), (1, 4, 1), (2, 5, 3, 3))
"""Lists of counts, in any order."""
CODED = [
    (bits, rest) for bits in ((False,), (True,), (True, False), (False, False), (True, True, False)) for rest in (0, 4)
]
"""Bits, and the count of the items left."""


def reaching(counts: tuple[int, ...]) -> str:
    """Return the question for how many counts are 1 or more, 2 or more, up to 6."""
    return f"map (fun r => reaching r {_listed(counts)}) (seq 1 6)"


def coded(bits: tuple[bool, ...], rest: int) -> str:
    """Return the question for the counts of some bits."""
    return f"coded 0 [{'; '.join(str(bit).lower() for bit in bits)}] {rest}"


_SETTINGS = ((1, 1, 0, 2), (1, 1, 1, 2), (2, 1, 1, 2), (1, 2, 1, 3))
FAST = [(*setting, c) for setting in _SETTINGS for c in range(setting[0] + 1)]
"""Sizes, bits of precision, cut-offs, inverse weights of the uniform count, and counts, of FastSample."""


def fast(n: int, k: int, t: int, g: int, c: int) -> str:
    """Return the question for the table of FastSample."""
    return f"enumerate (fastsample {n} {k} {t} {g} {c})"


def mixed(n: int, k: int, t: int, g: int, c: int) -> str:
    """Return the question for the integers of steps 2 and 3 of Algorithm 4.11, each with its denominator."""
    ratio = f"(power 2 {k} + 1)%Z (power 2 {k}) {n}"
    short = f"(short_denominator (power 2 {k} + 1)%Z (power 2 {k}) {t}, map (short_cumulative {ratio} {t} {c})"
    return (
        f"({short} (seq 0 {n + 1}), mixed_denominator {ratio} {t} {g}, map (mixed_cumulative {ratio} {t} {g} {c})"
        f" (seq 0 {n + 1})))"
    )


RELEASED = [(1, 1, (1, 0)), (2, 0, (1, 1)), (2, 0, (2, 0)), (1, 0, (0, 1, 0))]
"""Sizes, bits of precision and counts of histograms whose bins are released by GeoSample."""


def released(n: int, k: int, counts: tuple[int, ...], last: str = "", over: int | None = None) -> str:
    """Return the question for the table of a whole histogram, as `last` releases it; with a threshold, bins
    of one row or more are released if they are over it, and others are 0.
    """
    program = f"Ret ({last}[{'; '.join(f'v{i}' for i in range(len(counts)))}])"
    for i, c in reversed([*enumerate(counts)]):
        noisy = f"geosample {n} {k} {c}"
        if over is not None:
            noisy = f"and_then ({noisy}) (fun v => Ret (over {over} v))" if c else "Ret 0%nat"
        program = f"and_then ({noisy}) (fun v{i} => {program})"
    return f"enumerate ({program})"


PARTS = [(counts, t, m, moved) for counts in COUNTS for t, m in ((1, 0), (1, 2), (2, 1)) for moved in (-1, 0, 2, 5)]
"""Counts, T and M, and how many counts lie above T, with fakes and noise."""
GAPS = [(counts, ends) for counts in COUNTS for ends in ((1, 3, 6), (2, 4), (1, 2, 3, 6))]
"""Counts, and boundaries after 0."""


def _listed(numbers: tuple[int, ...]) -> str:
    return f"[{'; '.join(map(str, numbers))}]%nat"


def parts(counts: tuple[int, ...], t: int, m: int, moved: int) -> str:
    """Return the question for the centres of the small prevalences and of the large counts."""
    h = _listed(counts)
    return f"(small_centres {h} {t} {m} ({moved}), large_centres {h} {t} ({moved}))"


def gaps(counts: tuple[int, ...], ends: tuple[int, ...]) -> str:
    """Return the question for the sum of the counts' parts in each gap."""
    return f"gap_numbers {_listed(counts)} (fun i => nth i {_listed((0, *ends))} 0%nat) {len(ends)}"


def taken(d: int, d0: int) -> str:
    """Return the question for the image of each number, from 0, under the map of the empty-bin sampler."""
    q, r = divmod(d0, d)
    return f"map (narrowed {q} {r}) (seq 0 {d0})"


def heavy(n: int, counts: tuple[int, ...]) -> str:
    """Return the question for the counts that KeepHeavy keeps."""
    return f"keep_heavy {n} [{'; '.join(map(str, counts))}]%nat"


def greatest(k: int, counts: tuple[int, ...]) -> str:
    """Return the question for the k greatest counts."""
    return f"top_counts {k} {_listed(counts)}"


def of_few_labels(n: int, people: Counts, noisy: Counts, picks: Counts, z: Counts) -> str:
    """Return the question for the count of each label that KeepHeavy from few labels shows."""
    x, a, q, c = map(_listed, (people, noisy, picks, z))
    return f"released {n} (joined {x} (map Some {a}) (at_picks {people.count(0)} {q} {c}))"


def noise(n: int, k: int, c: int) -> str:
    """Return the question for a denominator and the weights of a count."""
    ratio = f"(power 2 {k} + 1)%Z (power 2 {k})"
    return f"(denominator {ratio} {n}, map (weight {ratio} {n} {c}) (seq 0 {n + 1}))"


def drawn(n: int, k: int, c: int) -> str:
    """Return the question for the table of GeoSample."""
    return f"enumerate (geosample {n} {k} {c})"


def sampled(a: int, b: int, tau: int, count: int) -> str:
    """Return the question for the table of sample-and-threshold."""
    return f"enumerate (bin {a} {b} {tau} {count})"


def decided(a: int, b: int, c: int, d: int, tail: int, table: tuple[tuple[int, int], ...]) -> str:
    """Return the question for both decisions of a claim; the tail counts on both sides."""
    m, n = (sum(row[side] for row in table) + tail for side in (0, 1))
    common = gcd(m, n)
    rows = "; ".join(f"({v}, {w})" for v, w in table)
    claim = f"{a} {b} {c} {d} {common} {m // common} {n // common} {tail} [{rows}]%Z"
    return f"(verifies {claim}, refutes {claim})"


QUESTIONS = (
    *(noise(*each) for each in COUNTED),
    *(drawn(*each) for each in DRAWN),
    *(sampled(*each) for each in SAMPLED),
    *(decided(*each) for each in DECIDED),
    *(heavy(*each) for each in HEAVY),
    *(taken(*each) for each in TAKEN),
    *map(reaching, COUNTS),
    *(parts(*each) for each in PARTS),
    *(gaps(*each) for each in GAPS),
    *(coded(*each) for each in CODED),
    *(fast(*each) for each in FAST),
    *(mixed(*each) for each in FAST),
    *(greatest(*each) for each in GREATEST),
    *(of_few_labels(*each) for each in FEW_LABELS),
    *(released(*each, over=over) for each in RELEASED for over in (None, 0, 1)),
    *(released(*each, f"keep_heavy {each[0]} ") for each in RELEASED if each[0] < len(each[2])),
)


def answer(question: str) -> Any:
    """Return Rocq's answer, as numbers, truth values, tuples and lists."""
    kept = record()["values"]
    assert isinstance(kept, dict)
    text = kept[question].replace("%nat", "").replace("%Z", "").replace(";", ",")
    return ast.literal_eval(text.replace("true", "True").replace("false", "False"))


def law(question: str) -> dict[Any, Fraction]:
    """Return the law that a table is; outcomes that are lists become tuples."""
    denominator, paths = answer(question)
    found: dict[Any, Fraction] = {}
    for drawn, weight in paths:
        outcome = tuple(drawn) if isinstance(drawn, list) else drawn
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(weight, denominator)
    return found
