"""Cells of geometric noise against laws with exact geometric tails, and the place in a cell against both."""

from fractions import Fraction

import pytest

from dpcert import Dist, InputError, seeded_coins
from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.anonymized_histograms.geometric_law import GeometricLaw
from dpcert.reading.paths.enumerator import Limits, enumerate_law

HALF = Fraction(1, 2)
RATIOS = [Fraction(2), Fraction(7, 6), Fraction(5)]
CUTS = [
    (0, 3, (1, 2, 3)),
    (0, 0, ()),
    (2, 2, (5,)),
    (0, 2, (1, 2, 6, 7)),
    (0, 2, (-3, 1, 2, 9)),
    (-2, 0, (-4, -2, -1, 0, 1)),
    (0, 0, (-1, 2)),
]


def noise(ratio: Fraction, centre: int) -> GeometricLaw:
    return GeometricLaw.two_sided(1 / ratio).shift(centre)


def ends(cells: Cells) -> list[tuple[int, int | None, int | None]]:
    """Each cell's name, first and last integer."""
    if not cells.starts:
        return [(cells.low, None, None)]
    rows = [(cells.starts[0] - 1, None, cells.starts[0] - 1)]
    lasts = [*(start - 1 for start in cells.starts[1:]), None]
    return rows + [(start, start, last) for start, last in zip(cells.starts, lasts, strict=True)]


@pytest.mark.points(4)
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("low", "high", "starts"), CUTS)
def test_twin_cells_have_the_mass_of_their_integers(
    ratio: Fraction, low: int, high: int, starts: tuple[int, ...]
) -> None:
    """The program, the sums of the density, and differences of the distribution function give one law."""
    cells = Cells(ratio, low, high, starts)
    for centre in range(low, high + 1):
        law = noise(ratio, centre)
        expected = []
        for name, first, last in ends(cells):
            upper = Fraction(1) if last is None else law.below(last + 1)
            expected.append((name, upper - (Fraction(0) if first is None else law.below(first))))
        program = enumerate_law(cells.cell, centre).law
        assert program == Dist.from_weights(*cells.weights(centre)) == Dist.of(expected)
        if program.denominator < 1 << 11:
            assert program == enumerate_law(cells.cell, centre, eager=True).law


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("low", "high", "starts"), CUTS)
def test_the_place_in_a_cell_tells_nothing_of_the_centre(
    ratio: Fraction, low: int, high: int, starts: tuple[int, ...]
) -> None:
    cells = Cells(ratio, low, high, starts)
    for name, first, last in ends(cells):
        places = range(-20 if first is None else first, (20 if last is None else last) + 1)
        given = []
        for centre in range(low, high + 1):
            mass = Dist.from_weights(*cells.weights(centre)).prob(name)
            given.append([noise(ratio, centre).prob(z) / mass for z in places])
        assert all(row == given[0] for row in given)


@pytest.mark.points(1)
@pytest.mark.parametrize(("low", "high", "starts"), CUTS)
def test_twin_within_draws_the_place_that_the_noise_has(low: int, high: int, starts: tuple[int, ...]) -> None:
    """What is found of the law of `within` is the law of low + Z, given the cell; the rest is tail."""
    cells = Cells(Fraction(5), low, high, starts)
    for name, first, last in ends(cells):
        found = enumerate_law(cells.within, name, limits=Limits(max_runs=1500, max_tail=Fraction(1, 10**9))).law
        assert found.tail < Fraction(1, 1000)
        mass = Dist.from_weights(*cells.weights(low)).prob(name)
        for z, p in found.items():
            assert first is None or first <= z
            assert last is None or z <= last
            meant = noise(Fraction(5), low).prob(z) / mass
            assert meant - found.tail <= p <= meant


def test_clamping_is_cutting_into_single_integers() -> None:
    cells = clamped(ratio=Fraction(2), low=1, high=4)
    for centre in range(1, 5):
        law = noise(Fraction(2), centre).clamp(1, 4)
        assert Dist.from_weights(*cells.weights(centre)) == Dist.of((z, law.prob(z)) for z in range(1, 5))


@pytest.mark.parametrize("starts", [(2,), (3,), (0, 2), (-1, 1, 4)])
def test_refused_a_cell_with_centres_inside(starts: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="cut it further"):
        Cells(Fraction(2), 0, 3, starts)


@pytest.mark.parametrize("centre", [-1, 4, 40])
def test_refused_a_centre_that_the_cells_are_not_made_for(centre: int) -> None:
    cells = clamped(ratio=Fraction(2), low=0, high=3)
    with pytest.raises(InputError, match="a centre from 0 to 3"):
        cells.cell(centre, seeded_coins(1))
    with pytest.raises(InputError, match="a centre from 0 to 3"):
        cells.weights(centre)


@pytest.mark.parametrize("ratio", RATIOS)
def test_twin_laws_with_tails_are_what_sums_make_of_them(ratio: Fraction) -> None:
    """Shift, maximum, clamp and sum against the definition on a window, and the mass beyond it by the series."""
    alpha, z = 1 / ratio, GeometricLaw.two_sided(1 / ratio)
    for y in range(-6, 7):
        assert z.prob(y) == (1 - alpha) / (1 + alpha) * alpha ** abs(y)
        assert z.shift(3).prob(y) == z.prob(y - 3)
        assert z.at_least(-1).prob(y) == (0 if y < -1 else z.below(0) if y == -1 else z.prob(y))
        assert z.below(y) == z.prob(y - 1) / (1 - alpha) if y <= 0 else z.below(y) == 1 - z.prob(y) / (1 - alpha)
        mixed = z.plus({-1: HALF, 2: HALF})
        assert mixed.prob(y) == (z.prob(y + 1) + z.prob(y - 2)) / 2
        assert mixed.below(y) == (z.below(y + 1) + z.below(y - 2)) / 2
    assert z.at_least(-1).below(-1) == 0
    assert z.shift(2).clamp(0, 3).below(3) == 1 - z.prob(1) / (1 - alpha)
    assert z.plus({0: Fraction(1)}).same(z)
    assert not z.same(z.shift(1))
    assert not z.same(z.at_least(-9))


@pytest.mark.parametrize("ratio", RATIOS)
def test_twin_clamping_to_all_counts_keeps_every_divergence(ratio: Fraction) -> None:
    """n + Z, max(n + Z, 0) and n + Z clamped to [0, 5] need the same delta at every epsilon, n from 0 to 5."""
    for n in range(5):
        for a, b in ((n, n + 1), (n + 1, n)):
            p, q = noise(ratio, a), noise(ratio, b)
            for bound in (Fraction(1), (1 + ratio) / 2, ratio, ratio + 1):
                whole = p.divergence(q, bound)
                assert whole == p.at_least(0).divergence(q.at_least(0), bound)
                assert whole == p.clamp(0, 5).divergence(q.clamp(0, 5), bound)
                assert (whole == 0) == (bound >= ratio)


def test_clamping_below_a_count_loses_divergence() -> None:
    p, q = noise(Fraction(2), 4), noise(Fraction(2), 5)
    assert q.divergence(p, Fraction(3, 2)) > q.clamp(0, 4).divergence(p.clamp(0, 4), Fraction(3, 2)) == 0


@pytest.mark.parametrize(
    ("alpha", "body", "left", "right"),
    [("1", ("1",), "0", "0"), ("1/2", (), "0", "0"), ("1/2", ("1/2",), "1/4", "1/4"), ("1/2", ("2",), "-1/2", "0")],
)
def test_refused_tails_that_are_no_law(alpha: str, body: tuple[str, ...], left: str, right: str) -> None:
    with pytest.raises(InputError):
        GeometricLaw(Fraction(alpha), 0, tuple(map(Fraction, body)), Fraction(left), Fraction(right))


def test_refused_divergence_of_noises_of_two_scales() -> None:
    with pytest.raises(InputError, match="one alpha"):
        GeometricLaw.two_sided(HALF).divergence(GeometricLaw.two_sided(Fraction(1, 3)), Fraction(2))
