"""The sparse vector technique on the integers: which queries reach a noisy threshold, a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from dpcert.mechanisms.anonymized_histograms.geometric_cells import IN_CELLS
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.literature.closed_forms import comparisons
from dpcert.mechanisms.literature.lattice import Lattice, reached
from dpcert.mechanisms.literature.vectors import MOST, of_vectors, ratio_of, shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, with_defaults

Answers = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SparseVectorSetting:
    """A sparse vector's parameters: the lattice, the threshold, the ratio of its noise, that of each query, the cap."""

    lattice: Lattice
    threshold: int
    noise: Fraction
    query: Fraction
    cap: int


def until(answers: Sequence[bool], cap: int) -> Answers:
    """Return the answers up to and with the last of `cap` that are true; all, where fewer are."""
    kept: list[bool] = []
    for true in answers:
        if sum(kept) < cap:
            kept.append(true)
    return tuple(kept)


def sparse_vector(at: SparseVectorSetting) -> Callable[[Sequence[int], Coins], Answers]:
    """Release for each query whether q + Z >= T + R, ending with the `cap`-th that does; R is drawn once.

    Requires: entries and threshold on the lattice.
    Claims:   (ln(noise query^(2 cap)), 0)-DP for linf neighbours: an R higher by one covers all false answers, and a Z
              higher by two each true answer.
    Source:   Lyu, Su and Li, Algorithm 1, with two-sided geometric noise.
    """

    def release(queries: Sequence[int], coins: Coins) -> Answers:
        level = at.lattice.noise(at.noise).cell(at.threshold, coins)
        cells = [at.lattice.noise(at.query).cell(value, coins) for value in queries]
        above = reached(cells, level, at.lattice, query=at.query, noise=at.noise, coins=coins)
        return until(above, at.cap)

    return release


def sparse_vector_redrawn(at: SparseVectorSetting) -> Callable[[Sequence[int], Coins], Answers]:
    """Release as `sparse_vector`, with another R after every answer that is true.

    Claims: (cap ln(noise query^2), 0)-DP for linf neighbours: each of the at most `cap` parts is a sparse vector with a
            cap of one, ending with its true answer; only the last may have none.
    Source: Lyu, Su and Li, Algorithm 2, with two-sided geometric noise.
    """
    # A true answer ends a part, and the next part draws its own R: each part is a sparse vector with a cap of one.
    part = sparse_vector(SparseVectorSetting(at.lattice, at.threshold, at.noise, at.query, 1))

    def release(queries: Sequence[int], coins: Coins) -> Answers:
        answers: Answers = ()
        while len(answers) < len(queries) and sum(answers) < at.cap:
            answers += part(queries[len(answers) :], coins)
        return answers

    return release


def numeric_sparse_vector(
    at: SparseVectorSetting, *, fresh: Fraction
) -> Callable[[Sequence[int], Coins], tuple[int | None, ...]]:
    """Release None for a query that does not reach the threshold, else q with fresh noise, clamped to the lattice.

    Claims: (ln(noise query^(2 cap) fresh^cap), 0)-DP for linf neighbours.
    Source: Lyu, Su and Li, Algorithm 7 with numbers; the benchmark's NumericalSVT.
    """
    answers = sparse_vector(at)

    def release(queries: Sequence[int], coins: Coins) -> tuple[int | None, ...]:
        found = answers(queries, coins)
        pairs = zip(queries, found, strict=False)
        return tuple(at.lattice.noise(fresh).cell(value, coins) if true else None for value, true in pairs)

    return release


def sparse_vector_law(at: SparseVectorSetting) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `sparse_vector` in closed form."""

    def law(queries: Sequence[int]) -> Dist:
        rows = comparisons(queries, at.threshold, at.lattice, query=at.query, noise=at.noise)
        return Dist.of((until(answers, at.cap), chance) for answers, chance in rows)

    return law


def sparse_vector_redrawn_law(at: SparseVectorSetting) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `sparse_vector_redrawn` from that of its parts."""
    part = sparse_vector_law(replace(at, cap=1))

    def rows(queries: Sequence[int], left: int) -> Iterator[tuple[Answers, Fraction]]:
        if not queries or not left:
            yield (), Fraction(1)
            return
        for answers, chance in part(queries).items():
            for later, after in rows(queries[len(answers) :], left - 1):
                yield answers + later, chance * after

    return lambda queries: Dist.of(rows(queries, at.cap))


def numeric_sparse_vector_law(at: SparseVectorSetting, *, fresh: Fraction) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `numeric_sparse_vector`: that of the answers, and of a number for each that is true."""
    answers, noise = sparse_vector_law(at), at.lattice.noise(fresh)

    def law(queries: Sequence[int]) -> Dist:
        numbers = [list(Dist.from_weights(*noise.weights(value)).items()) for value in queries]
        found: list[tuple[tuple[int | None, ...], Fraction]] = []
        for row, chance in answers(queries).items():
            choices = [numbers[i] if true else [(None, Fraction(1))] for i, true in enumerate(row)]
            for chosen in product(*choices):
                found.append((tuple(z for z, _ in chosen), prod((p for _, p in chosen), start=chance)))
        return Dist.of(found)

    return law


PARAMETERS = (
    Parameter("ratio", "2", "a number r above 1; the noise has the ratios r^first and r^second"),
    Parameter("first", "2", "the threshold's noise Z has Pr[Z = z] proportional to r^(-first |z|)"),
    Parameter("second", "1", "that of a query, proportional to r^(-second |z|)"),
    Parameter("cap", "1", "c: how many answers may be true; the claim is ln r (first + 2 c second)"),
    Parameter("n", "3", "the number of queries"),
    MOST,
    Parameter("threshold", "1", "the threshold, from 0 to most"),
)


def setting_of(settings: Mapping[str, str]) -> SparseVectorSetting:
    """Return the setting of the textual parameters.

    Raises: InputError for a ratio up to 1, a number below 1, or a threshold that is above the greatest entry.
    """
    n, most = shape_of(settings)
    ratio = ratio_of(settings)
    first, second = (integer(settings, name, least=1, greatest=100) for name in ("first", "second"))
    cap = integer(settings, "cap", least=1, greatest=n)
    threshold = integer(settings, "threshold", least=0, greatest=most)
    return SparseVectorSetting(Lattice(0, most), threshold, ratio**first, ratio**second, cap)


def _build(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    loss = at.noise * at.query ** (2 * at.cap)
    program, law = sparse_vector(at), sparse_vector_law(at)
    return of_vectors(settings, program, law, neighbours="linf", epsilon=Epsilon.ln(loss))


def _build_redrawn(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    loss = (at.noise * at.query**2) ** at.cap
    program, law = sparse_vector_redrawn(at), sparse_vector_redrawn_law(at)
    return of_vectors(settings, program, law, neighbours="linf", epsilon=Epsilon.ln(loss))


def _build_numeric(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    fresh = ratio_of(settings) ** integer(settings, "third", least=1, greatest=100)
    loss = at.noise * at.query ** (2 * at.cap) * fresh**at.cap
    program, law = numeric_sparse_vector(at, fresh=fresh), numeric_sparse_vector_law(at, fresh=fresh)
    instance = of_vectors(settings, program, law, neighbours="linf", epsilon=Epsilon.ln(loss))
    return replace(instance, assumptions=(IN_CELLS,))


SPARSE_VECTOR = Mechanism(
    name="sparse-vector",
    words="which queries reach a noisy threshold, ending with the c-th that does",
    source="Lyu, Su and Li 2017, Algorithm 1; the benchmark's SVT1, on the integers",
    parameters=PARAMETERS,
    build=_build,
)

SPARSE_VECTOR_REDRAWN = Mechanism(
    name="sparse-vector-redrawn",
    words="sparse-vector with another noisy threshold after every true answer",
    source="Lyu, Su and Li 2017, Algorithm 2; the benchmark's SVT2, on the integers",
    parameters=with_defaults(PARAMETERS, cap="2", n="2"),
    build=_build_redrawn,
)

NUMERIC_SPARSE_VECTOR = Mechanism(
    name="numeric-sparse-vector",
    words="sparse-vector with a fresh noisy number for each true answer",
    source="Lyu, Su and Li 2017, Algorithm 7; the benchmark's NumericalSVT, on the integers",
    parameters=(
        *with_defaults(PARAMETERS, cap="2", n="2"),
        Parameter("third", "2", "the noise of a released number, proportional to r^(-third |z|)"),
    ),
    build=_build_numeric,
)
