"""Checks of the privacy of PrivHist: its three noisy parts, the steps behind them, and the whole."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.anonymized_histograms.geometric_cells import clamped
from dpcert.mechanisms.anonymized_histograms.geometric_law import GeometricLaw
from dpcert.mechanisms.anonymized_histograms.inputs import histograms_up_to
from dpcert.mechanisms.anonymized_histograms.postprocess import high_privacy_histogram, isotonic, low_privacy_histogram
from dpcert.mechanisms.anonymized_histograms.printed import parts, release_density, smoothed_prevalences
from dpcert.mechanisms.anonymized_histograms.privhist import layout_of, stage_law
from dpcert.mechanisms.anonymized_histograms.smoothing import noisy_smoothed_law, smoothed, smoothing_windows
from dpcert.mechanisms.anonymized_histograms.split import Windows, split_law
from dpcert.mechanisms.anonymized_histograms.total import noisy_total_law
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.proofs.check import check

RATIOS = (Fraction(7, 6), Fraction(2), Fraction(5))
CUTS = ((1, 0), (1, 2), (2, 0), (2, 1), (3, 1))
MARKS = ((1,), (4,), (1, 2, 4), (1, 3, 6), (2, 5), (1, 2, 3, 4, 5, 6))
Counts = Sequence[int]


def _pairs(most: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield every ordered pair of neighbours of at most `most` people."""
    inputs = histograms_up_to(most)
    return ((a, b) for a in inputs for b in inputs if RELATIONS["sorted-l1"](a, b))


def _private(law: Callable[[Counts], Dist], most: int, epsilon: Epsilon, where: str) -> Iterator[str]:
    """Yield each pair on which laws of at most `most` people are not (epsilon, 0)-close."""
    laws = {tuple(counts): law(counts) for counts in histograms_up_to(most)}
    for a, b in _pairs(most):
        if decide_pair(laws[tuple(a)], laws[tuple(b)], epsilon, Fraction(0))[0] is not True:
            yield f"{where}: {a} and {b}"


def _loose(law: Callable[[Counts], Dist], most: int, ratio: Fraction, where: str) -> Iterator[str]:
    """Yield `where` if the laws would be private at an epsilon a little below ln(ratio)."""
    if not any(_private(law, most, Epsilon.ln(ratio * Fraction(9999, 10000)), where)):
        yield f"{where}: a smaller epsilon will do"


@check("ah-total-sensitivity")
def ah_total_sensitivity() -> Iterator[str]:
    """Neighbours' totals differ by one."""
    return (f"{a} and {b}" for a, b in _pairs(9) if abs(sum(a) - sum(b)) != 1)


@check("ah-total-private")
def ah_total_private() -> Iterator[str]:
    """N is (ln ratio, 0)-DP and no better: max(n + Z, 0), with Z unbounded, and its cells."""
    for ratio in RATIOS:
        cells = clamped(ratio=ratio, low=0, high=6)
        yield from _private(noisy_total_law(cells), 6, Epsilon.ln(ratio), f"e^epsilon_1 = {ratio}")
        for n, step in product(range(30), (-1, 1)):
            noise = GeometricLaw.two_sided(1 / ratio)
            p, q = noise.shift(n + max(0, -step)).at_least(0), noise.shift(n + max(0, step)).at_least(0)
            if p.divergence(q, ratio) or not p.divergence(q, ratio * Fraction(9999, 10000)):
                yield f"e^epsilon_1 = {ratio}, n = {n}"


def _parts(counts: Counts, threshold: int, fakes: int, noise: int) -> tuple[list[int], list[int]]:
    return parts(counts, threshold=threshold, fakes=fakes, noise=noise)


def _case(a: Counts, b: Counts) -> int:
    """Return r where two neighbours differ in phi_r and phi_(r+1)."""
    return min(r for r in range(max([*a, *b]) + 1) if sum(c > r for c in a) != sum(c > r for c in b))


def _cases(which: Callable[[int, int], bool]) -> Iterator[tuple[list[int], list[int], int, int, int]]:
    """Yield neighbours with T, M and Z^b, where `which(r, T)` holds of the r at which they differ."""
    pairs = [(a, b, _case(a, b)) for a, b in _pairs(5)]
    for threshold, fakes in CUTS:
        for a, b, r in pairs:
            if which(r, threshold):
                for noise in range(-6, 7):
                    yield a, b, threshold, fakes, noise


@check("ah-categories-printed")
def ah_categories_printed() -> Iterator[str]:
    """Each pair of neighbours differs at T, at some r < T - 1, or at some r > T."""
    return (
        f"T = {threshold}: {a} and {b} differ in phi_{r} and phi_{r + 1}"
        for threshold in range(1, 5)
        for a, b in _pairs(5)
        if not ((r := _case(a, b)) == threshold or r < threshold - 1 or r > threshold)
    )


@check("ah-categories")
def ah_categories() -> Iterator[str]:
    """Each pair of neighbours differs in phi_r and phi_(r+1), by one each, for one r: r = T, r < T or r > T."""
    for a, b in _pairs(8):
        r = _case(a, b)
        x, y = Counter(a), Counter(b)
        changed = {s: y[s] - x[s] for s in {*x, *y} if s and x[s] != y[s]}
        meant = ({r: -1, r + 1: 1}, {r: 1, r + 1: -1})
        if changed not in [{s: step for s, step in one.items() if s} for one in meant]:
            yield f"{a} and {b}"


@check("ah-split-below")
def ah_split_below() -> Iterator[str]:
    """Case 2: given Z^b one cumulative prevalence differs, by at most one, and the large part is the same."""
    for a, b, threshold, fakes, noise in _cases(lambda r, t: r < t):
        (small_a, large_a), (small_b, large_b) = (_parts(c, threshold, fakes, noise) for c in (a, b))
        steps = sum(abs(x - y) for x, y in zip(small_a, small_b, strict=True))
        if steps > 1 or large_a != large_b:
            yield f"T = {threshold}, M = {fakes}, Z^b = {noise}: {a} and {b}"


@check("ah-split-private")
def ah_split_private() -> Iterator[str]:
    """The split is (ln ratio, 0)-DP and no better, with the number of large counts and their order shown."""
    for ratio in (Fraction(7, 6), Fraction(2)):
        for (threshold, fakes), most in zip(CUTS, (5, 4, 4, 4, 4), strict=True):
            law = split_law(Windows.of(ratio=ratio, threshold=threshold, fakes=fakes, most=most))
            where = f"e^epsilon_2 = {ratio}, T = {threshold}, M = {fakes}"
            yield from _private(law, most, Epsilon.ln(ratio), where)
            yield from _loose(law, most, ratio, where)


@check("ah-split-release")
def ah_split_release() -> Iterator[str]:
    """Without m' and without the order of the large counts: no ratio above e^epsilon_2 in a box, and that is met."""
    alpha, tops = Fraction(1, 2), range(4)
    shown = [row for size in range(3) for row in product(tops, repeat=size) if list(row) == sorted(row)]
    for threshold, fakes in ((1, 1), (2, 0)):
        worst = Fraction(0)
        where = f"T = {threshold}, M = {fakes}"
        points = list(product(product(range(-1, 4), repeat=threshold), shown))
        laws = {
            tuple(counts): [
                release_density(counts, alpha=alpha, threshold=threshold, fakes=fakes, small=small, large=large)
                for small, large in points
            ]
            for counts in histograms_up_to(3)
        }
        for a, b in _pairs(3):
            for p, q, point in zip(laws[tuple(a)], laws[tuple(b)], points, strict=True):
                worst = max(worst, p / q)
                if p > 2 * q:
                    yield f"{where}: {point} on {a} and {b}"
        if worst != 2:
            yield f"{where}: the greatest ratio is {worst}"


@check("ah-split-literal")
def ah_split_literal() -> Iterator[str]:
    """With the sums of step 2(c) over phi^b alone, the number of large counts is private; T = 1, M = 2 of N = 1."""

    def shown(counts: Counts) -> GeometricLaw:
        at_cut, beyond = sum(c == 2 for c in counts), sum(c > 2 for c in counts)
        return GeometricLaw.two_sided(Fraction(1, 2)).shift(at_cut + fakes).at_least(0).shift(beyond)

    fakes = 2
    return (
        f"e^epsilon_2 = 2, N = 1 (T = 1, M = 2): of {a} no large count is noisy with probability {shown(a).prob(0)}, "
        f"of {b} with {shown(b).prob(0)}"
        for a, b in _pairs(3)
        if shown(a).divergence(shown(b), Fraction(2))
    )


@check("ah-dependent-split")
def ah_dependent_split() -> Iterator[str]:
    """(7) for the split: each pair of neighbours has one step whose ratios, given the noises before, are e^epsilon_2.

    Noise on one number that differs by one has the greatest ratio e^epsilon_2, which is the exact law's.
    """
    for ratio in RATIOS:
        noise = GeometricLaw.two_sided(1 / ratio)
        for p, q in ((noise, noise.shift(1)), (noise.shift(1), noise)):
            if p.divergence(q, ratio) or not p.divergence(q, ratio * Fraction(9999, 10000)):
                yield f"e^epsilon_2 = {ratio}"
    for a, b, threshold, fakes, shift in _cases(lambda r, t: True):
        moved = sum(c > threshold for c in a) - sum(c > threshold for c in b)
        one, other = _parts(a, threshold, fakes, shift), _parts(b, threshold, fakes, shift + moved)
        both = zip(one[0] + one[1], other[0] + other[1], strict=False)
        if len(one[1]) != len(other[1]) or abs(moved) + sum(abs(x - y) for x, y in both) > 1:
            yield f"T = {threshold}, M = {fakes}, Z^b = {shift}: {a} and {b}"


def _compact(counts: Counts) -> list[tuple[int, int]]:
    return sorted(Counter(counts).items())


@check("ah-smoothing-rule")
def ah_smoothing_rule() -> Iterator[str]:
    """An element r from s_i to s_(i+1) gives (s_(i+1) - r)/gap to s_i and the rest to s_(i+1)."""
    for marks in MARKS:
        for r in range(1, marks[-1] + 3):
            held = min(r, marks[-1])
            high = next(s for s in marks if s >= held)
            low = max((s for s in marks if s < high), default=0)
            meant = {s: Fraction(0) for s in marks}
            meant[high] = Fraction(held - low, high - low)
            if low:
                meant[low] = 1 - meant[high]
            if smoothed_prevalences({r: 1}, marks) != meant:
                yield f"S = {marks}, r = {r}"


@check("ah-smoothing-sensitivity")
def ah_smoothing_sensitivity() -> Iterator[str]:
    """One smoothed cumulative prevalence differs at most, by one over its gap; the gap times it is an integer."""
    for marks in MARKS:
        gaps = [high - low for low, high in zip((0, *marks), marks, strict=False)]
        for a, b in _pairs(7):
            r = _case(a, b)
            rows = []
            for counts in (a, b):
                phi = smoothed_prevalences(Counter(counts), marks)
                above = [sum((phi[s] for s in marks[i:]), Fraction(0)) for i in range(len(marks))]
                lattice = smoothed(_compact(counts), marks)
                if [gap * value for gap, value in zip(gaps, above, strict=True)] != lattice:
                    yield f"S = {marks}: {counts}"
                rows.append(above)
            changed = [abs(x - y) for x, y in zip(*rows, strict=True)]
            meant = [
                Fraction(1, gap) if low <= r < low + gap else Fraction(0)
                for low, gap in zip((0, *marks), gaps, strict=False)
            ]
            if changed != meant:
                yield f"S = {marks}: {a} and {b}"


@check("ah-smoothing-private")
def ah_smoothing_private() -> Iterator[str]:
    """The noisy smoothed prevalences are (ln ratio, 0)-DP and no better, for given boundaries."""
    for ratio in (Fraction(7, 6), Fraction(2)):
        for marks in MARKS[:5]:
            windows = smoothing_windows(ratio=ratio, boundaries=marks, most=5)
            law, where = noisy_smoothed_law(windows, marks), f"e^epsilon_3 = {ratio}, S = {marks}"
            yield from _private(law, 5, Epsilon.ln(ratio), where)
            yield from _loose(law, 5, ratio, where)


@check("ah-nonzero-example")
def ah_nonzero_example() -> Iterator[str]:
    """{1, 1} and {1, 2} are neighbours; noise on non-zero prevalences shows phi_2 of the second alone."""
    if not RELATIONS["sorted-l1"]([1, 1], [1, 2]):
        yield "not neighbours"
    for alpha in (Fraction(k, 50) for k in range(1, 50)):
        if 1 - GeometricLaw.two_sided(alpha).shift(1).prob(0) < Fraction(4, 5):
            yield f"alpha = {alpha}"


@check("ah-low-privacy-steps")
def ah_low_privacy_steps() -> Iterator[str]:
    """Without noise PrivHist-LowPrivacy gives the input back; its fit has the least squares."""
    for counts in histograms_up_to(7):
        for threshold, fakes in CUTS:
            small, large = _parts(counts, threshold, fakes, 0)
            if list(low_privacy_histogram(small, large, threshold=threshold, fakes=fakes)) != _compact(counts):
                yield f"T = {threshold}, M = {fakes}: {counts}"
    for values in product((-2, 0, 1, 4), repeat=4):
        fit = isotonic(values)
        rise = any(x < y for x, y in pairwise(fit))
        gaps = [v - x for v, x in zip(values, fit, strict=True)]
        sums = [sum(gaps[: i + 1], Fraction(0)) for i in range(4)]
        slack = any(total > 0 for total in sums) or sums[-1] or sum(g * x for g, x in zip(gaps, fit, strict=True))
        if rise or slack:  # the conditions of Karush, Kuhn and Tucker, which single out the least squares
            yield f"the fit to {values}"


@check("ah-high-privacy-steps")
def ah_high_privacy_steps() -> Iterator[str]:
    """Without noise, and with every number up to 2N a boundary, PrivHist-HighPrivacy gives the input back."""
    for counts in histograms_up_to(7):
        every = range(1, max(2 * sum(counts), 1) + 1)
        if list(high_privacy_histogram(smoothed(_compact(counts), every), every)) != _compact(counts):
            yield f"{counts}"
        for marks in MARKS:
            held = [min(count, marks[-1]) for count in counts]
            if all(count in marks for count in held):
                found = high_privacy_histogram(smoothed(_compact(counts), marks), marks)
                if list(found) != _compact(held):
                    yield f"S = {marks}: {counts}"


def _stages(settings: Mapping[str, str], below: str) -> Iterator[str]:
    layout, where = layout_of(settings), f"epsilon = {settings['epsilon']}, nmax = {settings['nmax']}"
    law = stage_law(layout)
    yield from _private(law, layout.most, Epsilon.of(settings["epsilon"]), where)
    if not any(_private(law, layout.most, Epsilon.of(below), where)):
        yield f"{where}: a smaller epsilon will do"


@check("ah-privhist-private")
def ah_privhist_private() -> Iterator[str]:
    """The noisy parts of PrivHist are (epsilon, 0)-DP together: 2/3 of epsilon is spent above 1, all of it below."""
    yield from _stages({"epsilon": "ln(8)", "nmax": "3"}, "ln(399/100)")
    yield from _stages({"epsilon": "ln(343/216)", "nmax": "2"}, "ln(342/216)")
    yield from _stages({"epsilon": "1", "nmax": "2"}, "9999/10000")
