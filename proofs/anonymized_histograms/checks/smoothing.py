"""Checks of smoothing: Appendix C.1.2 of anonymized-histograms, and its error in Appendix D.2."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, cumulative, histograms
from dpcert.mechanisms.anonymized_histograms.postprocess import isotonic
from dpcert.mechanisms.anonymized_histograms.sorted_distance import real_l1
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.proofs.anonymized_histograms.checks.properties import nearest
from dpcert.proofs.check import check, checks

ZERO = Fraction(0)


def smoothed_prevalences(h: Counts, boundaries: Sequence[int]) -> dict[int, Fraction]:
    """Return phi^v of step H3 as printed, for a histogram with no count above the last boundary; s_0 = 0."""
    ends = [0, *boundaries]
    found: dict[int, Fraction] = {}
    for i, s in enumerate(boundaries, 1):
        before = ends[i - 1]
        total = sum((h.count(j) * Fraction(j - before, s - before) for j in range(before, s)), ZERO)
        if i < len(boundaries):
            after = ends[i + 1]
            total += sum((h.count(j) * Fraction(after - j, after - s) for j in range(s, after + 1)), ZERO)
        else:
            total += h.count(s)
        found[s] = total
    return found


def upper_sums(values: Mapping[int, Fraction], top: int) -> list[Fraction]:
    """Return the sums of the values at r and above, for r = 1, ..., top."""
    return [sum((value for s, value in values.items() if s >= r), ZERO) for r in range(1, top + 1)]


def grids(most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of boundaries that end at `most`."""
    for chosen in product((False, True), repeat=most - 1):
        yield (*(r for r, kept in enumerate(chosen, 1) if kept), most)


@check("ah-window-printed")
def ah_window_printed() -> Iterator[str]:
    """Appendix C.1.2: smoothed over [s, s + t], an element at r has (s + t - r)/t at s and r/t at s + t: one in all."""
    for s, t in product(range(3), range(1, 4)):
        for r in range(s, s + t + 1):
            whole = Fraction(s + t - r, t) + Fraction(r, t)
            if whole != 1:
                yield f"s = {s}, t = {t}, r = {r}: {whole} elements in all"


@check("ah-window-noise")
def ah_window_noise() -> Iterator[str]:
    """Appendix C.1.2: t + 1 cumulative prevalences with noise of E|Z| < 1/epsilon each have less than (t + 1)/epsilon;
    1/(t epsilon) + t is at least 2/sqrt(epsilon), which t = 1/sqrt(epsilon) attains, and t = ceil of that within 1."""
    for alpha, t in product(map(Fraction, ("1/10", "1/2", "9/10", "99/100")), (1, 2, 10, 100)):
        if (t + 1) * GeometricMoments(alpha).mean_size() * ln_bounds(1 / alpha, 64)[1] >= t + 1:
            yield f"alpha = {alpha}, t = {t}"
    for root in map(Fraction, ("1", "1/2", "1/10", "3/20", "1/100")):  # sqrt(epsilon)
        epsilon, best = root**2, 1 / root
        for width in (best / 7, best / 2, best * Fraction(9, 10), best * 2, best * 5, Fraction(1), Fraction(3)):
            if (1 / (width * epsilon) + width) ** 2 < 4 / epsilon:
                yield f"epsilon = {epsilon}, t = {width}"
        whole = Fraction(-(-best.numerator // best.denominator))
        if 1 / (best * epsilon) + best != 2 * best or 1 / (whole * epsilon) + whole > 2 * best + 1:
            yield f"epsilon = {epsilon}: at the best t"


@checks({"ah-gap-printed": 0, "ah-gap-corrected": 1})
def _gap(shift: int) -> Iterator[str]:
    """Appendix D.2: for s_i <= j < s_(i+1), |phi^v_j+ - phi^u_j+| is |sum of phi^u_r (r - s_i)/gap - sum of phi^u_r|,
    the sums over r from s_i and from j to s_(i+1); corrected, for s_i < j <= s_(i+1), which are as many and cover every
    j once.
    """
    for boundaries, h in product((s for top in (2, 3, 4) for s in grids(top)), histograms(5)):
        if h and h[0] <= boundaries[-1]:
            smooth, plain = (
                upper_sums(smoothed_prevalences(h, boundaries), boundaries[-1]),
                [*cumulative(h), *[0] * boundaries[-1]],
            )
            for low, high in pairwise(boundaries):
                up = sum((h.count(r) * Fraction(r - low, high - low) for r in range(low, high + 1)), ZERO)
                for j in range(low + shift, high + shift):
                    found = abs(smooth[j - 1] - plain[j - 1])
                    meant = abs(up - sum(h.count(r) for r in range(j, high + 1)))
                    if found != meant:
                        yield f"S = {boundaries}, h = {h}, j = {j}: {found} and {meant}"


def rounded(value: Fraction) -> tuple[int, ...]:
    """Return the possible values of round(max(x, 0)): the nearest integers, two of them at a half."""
    return nearest(max(value, ZERO))


@check("ah-projection-raises-printed")
def ah_projection_raises_printed() -> Iterator[str]:
    """Appendix D.2, step (c): the projection only raises the weighted squared error; here S = {1, 2}, gaps of 1."""
    for h, z in product(histograms(2), product(range(-1, 2), repeat=2)):
        true = [sum(1 for x in h if x >= s) for s in (1, 2)]
        noisy = [Fraction(v + w) for v, w in zip(true, z, strict=True)]
        if max(h, default=0) <= 2 and squared(true, isotonic(noisy)) < squared(true, noisy):
            before, after = squared(true, noisy), squared(true, isotonic(noisy))
            yield f"S = {{1, 2}}, h = {h}, noise {z}: the squared error is {before}, and {after} once projected"


def squared(values: Sequence[int], others: Sequence[Fraction]) -> Fraction:
    """Return the squared distance of two vectors."""
    return sum(((v - x) ** 2 for v, x in zip(values, others, strict=True)), ZERO)


@check("ah-projection-error")
def ah_projection_error() -> Iterator[str]:
    """Appendix D.2 and (16): isotonic regression with weights gap^2 does not raise the weighted squared error of phi^w,
    constant prevalences between boundaries make sum |phi^v - phi^x| a sum over S, and (a), (b), (c) follow."""
    for boundaries in ((1, 2), (1, 3), (2, 3), (1, 2, 4)):
        gaps = [high - low for low, high in pairwise((0, *boundaries))]
        for h, z in product(
            (h for h in histograms(4) if h and h[0] <= boundaries[-1]), product(range(-2, 3), repeat=len(gaps))
        ):
            true = [upper_sums(smoothed_prevalences(h, boundaries), boundaries[-1])[s - 1] for s in boundaries]
            noisy = [v + Fraction(w, gap) for v, w, gap in zip(true, z, gaps, strict=True)]
            fitted = isotonic(noisy, [gap * gap for gap in gaps])
            spread = sum(abs(v - x) * gap for v, x, gap in zip(true, fitted, gaps, strict=True))
            squares = sum((v - x) ** 2 * gap**2 for v, x, gap in zip(true, fitted, gaps, strict=True))
            full = [x for x, gap in zip(fitted, gaps, strict=True) for _ in range(gap)]
            plain = [v for v, gap in zip(true, gaps, strict=True) for _ in range(gap)]
            where = f"S = {boundaries}, h = {h}, noise {z}"
            if real_l1(full, plain) != spread or spread**2 > len(gaps) * squares or squares > sum(w * w for w in z):
                yield where
            original = [*map(Fraction, cumulative(h)), *[ZERO] * boundaries[-1]][: boundaries[-1]]
            final = sum(max(abs(u - y) for y in rounded(x)) for u, x in zip(original, full, strict=True))
            if final > 2 * (real_l1(original, plain) + spread):
                yield f"{where}: (16)"
