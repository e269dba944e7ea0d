"""Checks of user-level-histograms, Sections 3 and 4, Algorithm 1: neighbours, Poisson counts, clipped sums, noise."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, combinations, pairwise, product
from math import comb

from dpcert.audit.kernel.divergence import decide_pair, hockey_stick
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.mechanisms.user_level.clipped_sum_l1 import clipped_sum_l1, ratio_within
from dpcert.mechanisms.user_level.clipped_sum_l2 import clipped_sum_l2
from dpcert.mechanisms.user_level.clipping import (
    Clip,
    clip_l1,
    clip_l2,
    datasets,
    histograms,
    sensitivity_l1,
    shifts,
    square_sensitivity_l2,
)
from dpcert.mechanisms.user_level.debiasing import poisson_mass
from dpcert.mechanisms.user_level.discrete_gaussian import CutGaussian, discrete_gaussian
from dpcert.mechanisms.user_level.gaussian_profile import Enclosure, delta_bounds, enclose
from dpcert.proofs.check import check
from dpcert.reading.paths.enumerator import enumerate_law

CLIPS = (Fraction(1), Fraction(3, 2), Fraction(2))
GRIDS = (1, 2)
CLAIMS = (("1", "1/100"), ("1", "1e-6"), ("1/2", "1/100"), ("1/2", "1e-6"))
BITS = 64


@check("replaced-users")
def replaced_users() -> Iterator[str]:
    """The relation replace-user holds for exactly the pairs that one of n users' new data makes of one another."""
    sets = datasets(users=2, dimension=2, most=1)
    for one in sets:
        new = product(range(2), histograms(dimension=2, most=1))
        made = {(*one[:place], other, *one[place + 1 :]) for place, other in new}
        for two in (*sets, (one[0],), (*one, one[0])):
            if RELATIONS["replace-user"](one, two) != (two in made and two != one):
                yield f"{one}, {two}"


@check("every-event")
def every_event() -> Iterator[str]:
    """The sum of max(0, p - E q) over outcomes is the greatest p(S) - E q(S) over all sets S of outcomes."""
    release = clipped_sum_l1(clipped=partial(clip_l1, clip=Fraction(1)), dimension=2, greatest=2, ratio=Fraction(2))
    laws = [enumerate_law(release, (user, (0, 1))).law for user in ((0, 0), (1, 0), (0, 3))]
    for p, q in product(laws, repeat=2):
        outcomes = list(p.outcomes())
        for ratio in (Fraction(1), Fraction(3, 2), Fraction(5)):
            gains = [p.prob(x) - ratio * q.prob(x) for x in outcomes]
            events = chain.from_iterable(combinations(gains, size) for size in range(len(gains) + 1))
            if max(map(sum, events)) != hockey_stick(p, q, ratio):
                yield f"e^epsilon = {ratio}, {p}, {q}"


def _norm_at_most(counts: Sequence[int], limit: Fraction, power: int) -> bool:
    return bool(sum(count**power for count in counts) <= limit**power)


@check("clipped-norms")
def clipped_norms() -> Iterator[str]:
    """Every clipped entry is the largest multiple of 1/grid that the real clipping reaches; so no norm exceeds C."""
    for clip, grid, counts in product(CLIPS, GRIDS, histograms(dimension=3, most=3)):
        for power, clipping in ((1, clip_l1), (2, clip_l2)):
            found = clipping(counts, clip=clip, grid=grid)
            size = sum(count**power for count in counts)
            whole = _norm_at_most(counts, clip, power)
            for entry, count in zip(found, counts, strict=True):
                reached = (grid * count) ** power * (1 if whole else clip**power / size)
                if not entry**power <= reached < (entry + 1) ** power:
                    yield f"C = {clip}, grid = {grid}, {counts} in l{power}"
            if not _norm_at_most(found, grid * clip, power):
                yield f"C = {clip}, grid = {grid}, {counts} in l{power}: {found}"


@check("clipped-distances")
def clipped_distances() -> Iterator[str]:
    """Of all pairs, the greatest distance is floor(g C), twice that for two items or more, and in l2 sqrt(2) g C."""
    for clip, grid, dimension in product(CLIPS, GRIDS, (1, 2, 3)):
        users = histograms(dimension=dimension, most=3)
        steps = sensitivity_l1(dimension=dimension, clip=clip, grid=grid)
        square = square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid)
        l1 = max(map(sum, shifts(clip_l1(user, clip=clip, grid=grid) for user in users)))
        l2 = max(sum(x * x for x in row) for row in shifts(clip_l2(user, clip=clip, grid=grid) for user in users))
        tight = (grid * clip).denominator == 1
        if l1 != steps or l2 > square or (tight and l2 != square):
            yield f"C = {clip}, grid = {grid}, {dimension} items: {l1} and {l2}"


def _noisy(sums: Sequence[int], noise: Callable[[int], Dist]) -> Dist:
    head, *rest = (noise(entry) for entry in sums)
    return head.product(*rest)


def _plain_geometric(entry: int, greatest: int, ratio: Fraction) -> Dist:
    """The law of an entry plus Z, clamped, from Pr[Z >= m] = r^(1 - m)/(r + 1) for m >= 1."""

    def at_least(m: int) -> Fraction:
        return ratio ** (1 - m) / (ratio + 1) if m >= 1 else 1 - ratio**m / (ratio + 1)

    upper = [Fraction(1), *(at_least(z - entry) for z in range(1, greatest + 1)), Fraction(0)]
    return Dist.of((z, upper[z] - upper[z + 1]) for z in range(greatest + 1))


def _real_clip(counts: Sequence[int], clip: Fraction, power: int) -> tuple[int, ...]:
    """Clip on the lattice of whole counts, asking for each value whether the real clipping reaches it."""
    size = sum(count**power for count in counts)
    if size <= clip**power:
        return tuple(counts)
    return tuple(max(a for a in range(count + 1) if a**power * size <= (count * clip) ** power) for count in counts)


@check("clipped-sum-programs")
def clipped_sum_programs() -> Iterator[str]:
    """Both programs have the law of the clipped sum with independent noise on each item, computed by other means."""
    ratio, variance, depth, reach = Fraction(3, 2), Fraction(2), 3, 2
    law = CutGaussian.of(variance=variance, depth=depth, reach=reach).law()
    cut = discrete_gaussian(variance=variance, depth=depth, reach=reach)
    if enumerate_law(lambda _, coins: cut(coins), None).law != law:
        yield "the discrete Gaussian by its coins"
    draw = CutGaussian.of(variance=variance, depth=depth, reach=reach).draw()
    for clip in (Fraction(1), Fraction(2)):
        clips: tuple[Clip, Clip] = (partial(clip_l1, clip=clip), partial(clip_l2, clip=clip))
        greatest = 2 * int(clip)
        first_program = clipped_sum_l1(clipped=clips[0], dimension=2, greatest=greatest, ratio=ratio)
        second_program = clipped_sum_l2(clipped=clips[1], dimension=2, noise=draw)
        for users in product(((0, 0), (1, 1), (0, 3), (2, 3)), repeat=2):
            for power, program, noise in (
                (1, first_program, lambda c, n=greatest: _plain_geometric(c, n, ratio)),
                (2, second_program, lambda c: law.map(lambda z: z + c)),
            ):
                sums = [sum(entries) for entries in zip(*(_real_clip(u, clip, power) for u in users), strict=True)]
                if enumerate_law(program, users).law != _noisy(sums, noise):
                    yield f"C = {clip}, {users} in l{power}"


@check("clipped-sum-privacy")
def clipped_sum_privacy() -> Iterator[str]:
    """With noise for 2C, or C where there is one item, the l1 sum is as private as it claims, and no more so."""
    for clip, dimension, epsilon in product((Fraction(1), Fraction(2)), (1, 2), ("1", "ln(16)")):
        steps = sensitivity_l1(dimension=dimension, clip=clip)
        ratio = ratio_within(Epsilon.of(epsilon), steps)
        release = clipped_sum_l1(
            clipped=partial(clip_l1, clip=clip), dimension=dimension, greatest=2 * int(clip), ratio=ratio
        )
        rest = (1,) * dimension
        laws = [enumerate_law(release, (user, rest)).law for user in histograms(dimension=dimension, most=2)]
        for claim, holds in ((ratio**steps, True), (ratio**steps - Fraction(1, 10**9), False)):
            answers = [decide_pair(p, q, Epsilon.ln(claim), Fraction(0))[0] for p, q in product(laws, repeat=2)]
            if all(answer is True for answer in answers) is not holds:
                yield f"C = {clip}, {dimension} items, e^epsilon = {claim}"


def _classical(epsilon: str, delta: str, square: int) -> Enclosure:
    """The noise of deviation sqrt(2 ln(1.25/delta)) Delta/epsilon, its variance rounded down to 2^-20."""
    log = ln_bounds(Fraction(5, 4) / Fraction(delta), BITS)[0]
    variance = 2 * log * square / Fraction(epsilon) ** 2
    return enclose(variance=Fraction(int(variance * 2**20), 2**20), bits=BITS)


@check("gaussian-scale")
def gaussian_scale() -> Iterator[str]:
    """With sqrt(2) C for the sensitivity, the classical deviation gives every replacement no more than delta."""
    for (epsilon, delta), (dimension, clip) in product(CLAIMS, ((1, 1), (1, 3), (2, 1))):
        square = square_sensitivity_l2(dimension=dimension, clip=Fraction(clip))
        noise = _classical(epsilon, delta, square)
        users = histograms(dimension=dimension, most=clip)
        for shift in shifts(clip_l2(user, clip=Fraction(clip)) for user in users):
            if delta_bounds(noise, shift, Epsilon.of(epsilon))[1] > Fraction(delta):
                yield f"C = {clip}, epsilon = {epsilon}, delta = {delta}: {shift}"


@check("root-two-is-needed")
def root_two_is_needed() -> Iterator[str]:
    """At epsilon = 1 and delta = 10^-6, C for sqrt(2) C is too little for two items: (1, 0) for (0, 1) needs more."""
    epsilon, delta = "1", "1e-6"
    for square, enough in ((1, False), (2, True)):
        lo, hi = delta_bounds(_classical(epsilon, delta, square), (1, 1), Epsilon.of(epsilon))
        if not (hi <= Fraction(delta) if enough else lo > Fraction(delta)):
            yield f"a squared sensitivity of {square}"


@check("poisson-near-binomial")
def poisson_near_binomial() -> Iterator[str]:
    """The statistical distance of Bin(n, x/n) and Poi(x) is at most x^2/n, and falls as n grows."""
    for rate in map(Fraction, ("1/4", "1", "5/2")):
        distances = []
        for n in (3, 6, 12, 24, 48):
            low = high = Fraction(0)
            for k in range(n + 1):
                least, most = poisson_mass(rate, k)
                mass = comb(n, k) * (rate / n) ** k * (1 - rate / n) ** (n - k)
                low, high = low + max(mass - most, Fraction(0)), high + max(mass - least, Fraction(0))
            distances.append((low, high))
            if high > rate**2 / n:
                yield f"rate {rate}, n = {n}"
        if any(later[1] >= sooner[0] for sooner, later in pairwise(distances)):
            yield f"rate {rate}: the distance does not fall"
