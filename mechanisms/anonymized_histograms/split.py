"""The split of PrivHist: small counts as noisy cumulative prevalences, large ones as noisy counts, noise at the cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.inputs import in_cells, step_ratio
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

Parts = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The noisy number of large counts, the noisy cumulative prevalences of 1, ..., T, and the noisy large counts."""


@dataclass(frozen=True, slots=True)
class Windows:
    """The cells of the three noisy parts, for all histograms of at most `most` people.

    With T = `threshold` and M = `fakes`, let L be the number of counts above T, and m = L + Z^b. Then
    `moved` has the cells of m, `small[k][r - 1]` those of max(0, phi_r+ - k) + Z for k = max(0, m - M), and
    `large[i - 1]` those of max(n_(i), T + 1) + Z. m <= 0 is one cell, and so is every m from the greatest L to M;
    beyond M + `most` the small part is empty.
    """

    threshold: int
    fakes: int
    moved: Cells
    small: tuple[tuple[Cells, ...], ...]
    large: tuple[Cells, ...]

    @classmethod
    def of(cls, *, ratio: Fraction, threshold: int, fakes: int, most: int) -> Windows:
        """Return the windows for noise of ratio e^epsilon_2.

        Requires: ratio > 1, threshold >= 1, fakes >= 0, most >= 0.
        """
        largest = most // (threshold + 1)
        starts = {*range(1, max(largest, 1) + 1), *range(fakes + 1, fakes + most + 1)}
        return cls(
            threshold,
            fakes,
            Cells(ratio, 0, largest, tuple(sorted(starts))),
            tuple(
                tuple(clamped(ratio=ratio, low=0, high=max(most // r - k, 0)) for r in range(1, threshold + 1))
                for k in range(most + 1)
            ),
            tuple(clamped(ratio=ratio, low=threshold + 1, high=most // i) for i in range(1, largest + 1)),
        )

    def part(self, counts: Sequence[int], moved: int) -> list[tuple[Cells, int]]:
        """Return the noisy parts given the cell of m, as cells and centres, small counts first."""
        excess = max(0, moved - self.fakes)
        ranked = sorted(counts, reverse=True)
        rows = [
            (cells, max(0, sum(count >= r for count in ranked) - excess))
            for r, cells in enumerate(self.small[excess], 1)
        ]
        kept = self.large[: max(0, moved + self.fakes)]
        ranked += [0] * (len(kept) - len(ranked))
        return rows + [(cells, max(count, self.threshold + 1)) for cells, count in zip(kept, ranked, strict=False)]


def split(windows: Windows) -> Callable[[Sequence[int], Coins], Parts]:
    """Release the number of large counts, the small counts' cumulative prevalences and the large counts, by cells.

    Requires: inputs are lists of counts >= 1, in any order, of at most the people that the windows are made for.
    Claims:   (epsilon_2, 0)-DP for sorted-l1 neighbours, e^epsilon_2 the ratio of the windows: given the cell of m, one
              cumulative prevalence or one large count differs, by one, or none and L does, by one.
    Source:   anonymized-histograms, PrivHist, steps 2 to 4; Lemma 8.
    """

    def release(counts: Sequence[int], coins: Coins) -> Parts:
        moved = windows.moved.cell(sum(count > windows.threshold for count in counts), coins)
        noisy = tuple(cells.cell(centre, coins) for cells, centre in windows.part(counts, moved))
        return moved, noisy[: windows.threshold], noisy[windows.threshold :]

    return release


def finished(windows: Windows) -> Callable[[Parts, Coins], tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the release of PrivHist's steps 2 to 4 from its cells: H^cs cumulatively and H^cl, largest first.

    Claims: no input is needed: the place in a cell has one law for all inputs. A fake large count stands at T + 1 for
            every input and is drawn here. The outcome has no bounds.
    Source: anonymized-histograms, PrivHist, steps 2 to 4.
    """

    noise = geometric_noise(ratio=windows.moved.ratio)

    def finish(parts: Parts, coins: Coins) -> tuple[tuple[int, ...], tuple[int, ...]]:
        cell, small, large = parts
        moved = windows.moved.within(cell, coins)
        shift = max(0, windows.fakes - moved)
        rows = windows.small[max(0, cell - windows.fakes)]
        lower = tuple(cells.within(place, coins) + shift for cells, place in zip(rows, small, strict=True))
        upper = [cells.within(place, coins) for cells, place in zip(windows.large, large, strict=False)]
        many = max(0, moved + windows.fakes)
        upper += [windows.threshold + 1 + noise(coins) for _ in range(many - len(upper))]
        return lower, tuple(sorted(upper[:many], reverse=True))

    return finish


def split_law(windows: Windows) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `split` in closed form: independent parts, for each cell of m."""

    def law(counts: Sequence[int]) -> Dist:
        moves, d = windows.moved.weights(sum(count > windows.threshold for count in counts))
        rows: list[tuple[Parts, int, int]] = []
        for moved, weight in moves:
            laws = [cells.weights(centre) for cells, centre in windows.part(counts, moved)]
            scale = d * prod(denominator for _, denominator in laws)
            for row in product(*(pairs for pairs, _ in laws)):
                noisy = tuple(value for value, _ in row)
                parts = moved, noisy[: windows.threshold], noisy[windows.threshold :]
                rows.append((parts, prod((w for _, w in row), start=weight), scale))
        common = lcm(*(scale for _, _, scale in rows))
        return Dist.from_weights([(parts, weight * (common // scale)) for parts, weight, scale in rows], common)

    return law


def windows_of(settings: Mapping[str, str]) -> Windows:
    """Return the windows of the parameters T, M, epsilon and nmax.

    Raises: InputError for one out of range.
    """
    return Windows.of(
        ratio=step_ratio(settings)[1],
        threshold=integer(settings, "T", least=1, greatest=100),
        fakes=integer(settings, "M", least=0, greatest=1000),
        most=integer(settings, "nmax", least=0, greatest=30),
    )


def _build(settings: Mapping[str, str]) -> Instance:
    windows, most = windows_of(settings), integer(settings, "nmax", least=0, greatest=30)
    return in_cells(most, split(windows), split_law(windows), epsilon=step_ratio(settings)[0])


PRIVHIST_SPLIT = Mechanism(
    name="privhist-split",
    words="the two noisy parts of PrivHist: cumulative prevalences of small counts, and large counts",
    source="anonymized-histograms, PrivHist, steps 2 to 4, Lemma 8",
    parameters=(
        Parameter("T", "2", "the greatest count that is small"),
        Parameter("M", "1", "how many fake counts stand at T, and at T + 1"),
        Parameter("epsilon", "ln(2)", "epsilon_2; e^epsilon_2 is held to 64 binary places where it is irrational"),
        Parameter("nmax", "4", "the greatest number of people audited"),
    ),
    build=_build,
)
