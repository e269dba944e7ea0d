"""The smoothing of PrivHist for small epsilon: counts move to boundaries, and noise falls as the gap grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.inputs import in_cells, step_ratio
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer


def smoothed(prevalences: Iterable[tuple[int, int]], boundaries: Sequence[int]) -> list[int]:
    """Return for each boundary the cumulative smoothed prevalence times the gap below it: integers.

    With s_0 = 0 that is g_i = (s_i - s_(i-1)) phi^v_(s_i +), the sum over j of phi_j times j - s_(i-1) clamped to [0,
    gap]. Counts above the last boundary count as the last (step H1, where the last is 2N).

    Requires: boundaries ascending from 1 or more; pairs (r, phi_r) with r ascending.
    Claims:   neighbours, of which one has a count j and the other j + 1, have the same numbers but the one with
              s_(i-1) <= j < s_i, which differs by 1; the same numbers where j is at or above the last boundary.
    Source:   anonymized-histograms, steps H1 and H3.
    """
    pairs = list(prevalences)
    above = sum(many for _, many in pairs)
    numbers: list[int] = []
    before, place = 0, 0
    for boundary in boundaries:
        total = 0
        while place < len(pairs) and pairs[place][0] <= boundary:
            r, many = pairs[place]
            total += many * (r - before)
            above -= many
            place += 1
        numbers.append(total + above * (boundary - before))
        before = boundary
    return numbers


def smoothing_windows(*, ratio: Fraction, boundaries: Sequence[int], most: int) -> tuple[Cells, ...]:
    """Return the cells of each noisy g_i, clamped to the least and greatest g_i of histograms of at most `most` people.

    The greatest comes from the best way to spend each number of people on counts.
    """
    windows: list[Cells] = []
    for before, boundary in zip([0, *boundaries], boundaries, strict=False):
        best = [0]
        for people in range(1, most + 1):
            best.append(
                max(best[people - j] + min(max(j - before, 0), boundary - before) for j in range(1, people + 1))
            )
        windows.append(clamped(ratio=ratio, low=0, high=best[-1]))
    return tuple(windows)


def noisy_smoothed(
    windows: Sequence[Cells], boundaries: Sequence[int]
) -> Callable[[Sequence[int], Coins], tuple[int, ...]]:
    """Release the cells of g_i + Z_i, Z_i independent geometric noise.

    Requires: inputs are lists of counts of at most the people that the windows are made for.
    Claims:   (epsilon_3, 0)-DP for sorted-l1 neighbours, e^epsilon_3 the ratio of the windows: one g_i differs, by 1.
              The source adds continuous Laplace noise of scale 1/(epsilon_3 gap) to phi^v_(s_i +) instead, which is
              g_i / gap: here its noise is Z_i / gap, on the lattice of multiples of 1/gap.
    Source:   anonymized-histograms, step H4; Lemma 9.
    """

    def release(counts: Sequence[int], coins: Coins) -> tuple[int, ...]:
        centres = smoothed(sorted(Counter(counts).items()), boundaries)
        return tuple(cells.cell(centre, coins) for cells, centre in zip(windows, centres, strict=True))

    return release


def finished_smoothing(
    *, ratio: Fraction, windows: Sequence[Cells]
) -> Callable[[Sequence[int], int, Coins], list[int]]:
    """Return the noisy g_i from their cells, and noise alone for boundaries beyond all counts, `many` in all."""

    noise = geometric_noise(ratio=ratio)

    def finish(places: Sequence[int], many: int, coins: Coins) -> list[int]:
        noisy = [cells.within(cell, coins) for cells, cell in zip(windows, places, strict=True)]
        return noisy + [noise(coins) for _ in range(many - len(noisy))]

    return finish


def noisy_smoothed_law(windows: Sequence[Cells], boundaries: Sequence[int]) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `noisy_smoothed` in closed form: independent coordinates."""

    def law(counts: Sequence[int]) -> Dist:
        centres = smoothed(sorted(Counter(counts).items()), boundaries)
        parts = [Dist.from_weights(*cells.weights(g)) for cells, g in zip(windows, centres, strict=True)]
        return Dist.point(()).product(*parts).map(lambda row: row[1:])

    return law


def boundaries_of(settings: Mapping[str, str]) -> tuple[int, ...]:
    """Return the parameter S: ascending integers >= 1, with commas between.

    Raises: InputError otherwise.
    """
    numbers = tuple(exact(text.strip(), "a boundary") for text in settings["S"].split(","))
    rising = all(a < b for a, b in zip((Fraction(0), *numbers), numbers, strict=False))
    if not rising or any(boundary.denominator != 1 for boundary in numbers):
        raise InputError(given=f"S={settings['S']}", needed="ascending integers >= 1", remedy="write S=1,2,4")
    return tuple(int(boundary) for boundary in numbers)


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, ratio = step_ratio(settings)
    most = integer(settings, "nmax", least=0, greatest=30)
    boundaries = boundaries_of(settings)
    windows = smoothing_windows(ratio=ratio, boundaries=boundaries, most=most)
    return in_cells(most, noisy_smoothed(windows, boundaries), noisy_smoothed_law(windows, boundaries), epsilon=epsilon)


PRIVHIST_SMOOTHED = Mechanism(
    name="privhist-smoothed",
    words="the smoothed prevalences of PrivHist for small epsilon, with geometric noise in units of the gaps",
    source="anonymized-histograms, steps H1, H3 and H4, Lemma 9",
    parameters=(
        Parameter("S", "1,3,6", "the boundaries, ascending, with commas between"),
        Parameter("epsilon", "ln(2)", "epsilon_3; e^epsilon_3 is held to 64 binary places where it is irrational"),
        Parameter("nmax", "5", "the greatest number of people audited"),
    ),
    build=_build,
)
