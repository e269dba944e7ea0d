"""The programs, closed forms and numbers of the theorems in Rocq are those of the product."""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import pytest
from mpmath import ceil, log, mp, mpf

from dpcert import Coins, Dist, Epsilon
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.anonymized_histograms.packing import densely_encoded
from dpcert.mechanisms.anonymized_histograms.partitions import cumulative
from dpcert.mechanisms.anonymized_histograms.sorted_distance import sorted_l1
from dpcert.mechanisms.exact.coins import Recorded
from dpcert.mechanisms.finite_computers.basic_histogram import basic_histogram_law
from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, NoisyZero
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law
from dpcert.mechanisms.finite_computers.keep_heavy import above, keep_heavy_law, keep_heavy_sparse, runner_up
from dpcert.mechanisms.finite_computers.lower_bounds import per_query_least, simultaneous_least, sparse_least
from dpcert.mechanisms.finite_computers.ordsample import ordsample
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram_law
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold, sample_threshold_law
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import least_entries, raised_entries
from dpcert.proofs.registry import rows
from dpcert.proofs.rocq import bindings, record, values
from dpcert.reading.paths.enumerator import enumerate_law


@pytest.mark.parametrize(("n", "k", "c"), values.COUNTED)
def test_the_weights_are_those_of_the_closed_form(n: int, k: int, c: int) -> None:
    denominator, weights = values.answer(values.noise(n, k, c))
    assert Dist.from_weights(enumerate(weights), denominator) == geosample_law(n=n, k=k)(c)
    alpha = Fraction(1, 1) / (1 + Fraction(1, 2**k))
    for z, weight in enumerate(weights):
        chance = alpha ** abs(z - c) / (1 + alpha)
        assert Fraction(weight, denominator) == (chance if z in (0, n) else (1 - alpha) * chance)


@pytest.mark.parametrize(("n", "k", "c"), values.DRAWN)
def test_geosample_is_the_program_in_rocq(n: int, k: int, c: int) -> None:
    denominator, paths = values.answer(values.drawn(n, k, c))
    assert len(paths) == denominator  # one draw, of all the numbers
    assert Dist.of(values.law(values.drawn(n, k, c))) == enumerate_law(geosample(n=n, k=k), c, eager=True).law


@pytest.mark.parametrize(("n", "k", "t", "g", "c"), values.FAST)
def test_fastsample_is_the_program_in_rocq(n: int, k: int, t: int, g: int, c: int) -> None:
    denominator, paths = values.answer(values.fast(n, k, t, g, c))
    assert len(paths) == denominator  # one draw, of all the numbers
    setting = {"n": n, "epsilon": Fraction(2, 2**k), "gamma": Fraction(1, g), "at": t}
    assert Dist.of(values.law(values.fast(n, k, t, g, c))) == enumerate_law(fastsample(**setting), c, eager=True).law


@pytest.mark.parametrize(("n", "k", "t", "g", "c"), values.FAST)
def test_the_integers_of_fastsample_are_computed_in_rocq(n: int, k: int, t: int, g: int, c: int) -> None:
    short, steps, mixed, whole = values.answer(values.mixed(n, k, t, g, c))
    law = fastsample_law(n=n, epsilon=Fraction(2, 2**k), gamma=Fraction(1, g), at=t)(c)
    for z in range(n + 1):
        share = law.prob_of(lambda y, z=z: y <= z)
        assert Fraction(whole[z], mixed) == share
        assert (1 - Fraction(1, g)) * Fraction(steps[z], short) == share - Fraction(z + 1, g * (n + 1))


@pytest.mark.parametrize(("a", "b", "tau", "count"), values.SAMPLED)
def test_sample_threshold_is_the_program_in_rocq(a: int, b: int, tau: int, count: int) -> None:
    question, rate = values.sampled(a, b, tau, count), Fraction(a, b)
    denominator, paths = values.answer(question)
    assert (denominator, len(paths)) == (b**count, b**count)  # one draw of b for each person
    assert Dist.of(values.law(question)) == enumerate_law(sample_threshold(rate=rate, threshold=tau), count).law
    assert Dist.of(values.law(question)) == sample_threshold_law(rate=rate, threshold=tau)(count)


def test_the_reporting_probabilities_are_those_in_rocq() -> None:
    said = record.stated()["Keys.algorithm_3_values"].statement
    found = re.findall(r"reporting (\S+|\(.+?\)) \((/ \d+)\) (\w+) (\d+) = (\d+) / (\d+)", " ".join(said.split()))
    assert len(found) == said.count("reporting") == 14
    for ratio, delta, rates, i, numerator, denominator in found:
        q = [Fraction(1) if rates == "everything" else 1 - Fraction(1, 2**j) for j in range(1, int(i) + 1)]
        e = Fraction(ratio.strip("()").replace(" ", ""))
        mine = reporting_probabilities(q=q, ratio=e, delta=Fraction(1, int(delta[2:])))
        assert mine[-1] == Fraction(int(numerator), int(denominator))


@pytest.mark.parametrize("claim", values.DECIDED)
def test_the_decision_is_that_of_the_kernel(claim: tuple[int, int, int, int, int, tuple[tuple[int, int], ...]]) -> None:
    a, b, c, d, tail, table = claim
    verified, refuted = values.answer(values.decided(*claim))
    laws = [[(i, row[side]) for i, row in enumerate(table)] for side in (0, 1)]
    p, q = (Dist.from_weights(law, sum(w for _, w in law) + tail) for law in laws)
    answer = decide_pair(p, q, Epsilon.ln(Fraction(a, b)), Fraction(c, d))[0]
    assert (verified, refuted) == (answer is True, answer is False)


@pytest.mark.parametrize(("n", "counts"), values.HEAVY)
def test_what_keep_heavy_keeps_is_computed_in_rocq(n: int, counts: tuple[int, ...]) -> None:
    kept = dict(above(tuple(enumerate(counts)), runner_up(counts, n)))
    assert values.answer(values.heavy(n, counts)) == [kept.get(label, 0) for label in range(len(counts))]


def levels_drawn(n: int, counts: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the draws by which OrdSample, with F(z) = z + 1, finds as many at each level as there are counts."""
    left, missing = len(counts), n + 1
    for v in range(n, 0, -1):
        hits = min(counts.count(v), missing)
        yield (v + 1) ** left, sum(comb(left, s) * v ** (left - s) for s in range(hits))
        left, missing = left - hits, missing - hits


@pytest.mark.parametrize(("k", "counts"), values.GREATEST)
def test_the_greatest_counts_are_those_in_rocq(k: int, counts: tuple[int, ...]) -> None:
    found = values.answer(values.greatest(k, counts))
    assert found == sorted(counts, reverse=True)[:k]
    if 2 <= k <= len(counts) and max(counts) < k:
        program = ordsample(cumulative=range(1, k + 1))
        assert list(program(len(counts), Coins(Recorded(levels_drawn(k - 1, counts))))) == found


@pytest.mark.parametrize(("n", "people", "noisy", "picks", "greatest"), values.FEW_LABELS)
def test_what_few_labels_release_is_computed_in_rocq(
    n: int, people: tuple[int, ...], noisy: tuple[int, ...], picks: tuple[int, ...], greatest: tuple[int, ...]
) -> None:
    """The program draws these picks; its noisy counts and order statistics are given."""
    given = iter(noisy)
    release = keep_heavy_sparse(
        n=n,
        universe=len(people),
        sampler=lambda count, coins: next(given),
        order_statistics=lambda m, coins: greatest if m == people.count(0) else (),
    )
    drawn = Recorded((people.count(0) - place, pick) for place, pick in enumerate(picks))
    rows = [label for label, count in enumerate(people) for _ in range(count)]
    kept = dict(release(rows, Coins(drawn)))
    assert values.answer(values.of_few_labels(n, people, noisy, picks, greatest)) == [
        kept.get(label, 0) for label in range(len(people))
    ]
    assert drawn.exhausted()


@pytest.mark.parametrize(("n", "k", "counts"), values.RELEASED)
def test_whole_histograms_are_those_in_rocq(n: int, k: int, counts: tuple[int, ...]) -> None:
    people = [label for label, count in enumerate(counts) for _ in range(count)]
    bin_law, universe = geosample_law(n=n, k=k), len(counts)
    found = {over: Dist.of(values.law(values.released(n, k, counts, over=over))) for over in (None, 0, 1)}
    assert found[None].map(lambda h: tuple(enumerate(h))) == basic_histogram_law(universe=universe, law=bin_law)(people)
    for over in (0, 1):
        expected = stability_histogram_law(threshold=over, law=bin_law)(people)
        assert found[over].map(lambda h: tuple(bin_ for bin_ in enumerate(h) if bin_[1])) == expected
    if n < universe:  # as the mechanism needs
        kept = Dist.of(values.law(values.released(n, k, counts, f"keep_heavy {n} ")))
        expected = keep_heavy_law(n=n, universe=universe, law=bin_law)(people)
        assert kept.map(lambda h: tuple(bin_ for bin_ in enumerate(h) if bin_[1])) == expected


@pytest.mark.parametrize(("d", "d0"), values.TAKEN)
def test_the_empty_bin_sampler_is_the_map_in_rocq(d: int, d0: int) -> None:
    q, r = divmod(d0, d)
    sampler = EmptyBin(NoisyZero(n=1, d=d, cumulative=lambda z: d), max(d0, -(-4 * d // 3)))
    if sampler.d0 == d0:  # smaller ranges are not built; the map is asked all the same
        assert values.answer(values.taken(d, d0)) == [sampler.narrowed(u0) - 1 for u0 in range(1, d0 + 1)]
    assert sorted(values.answer(values.taken(d, d0))) == sorted([*range(r), *(u for u in range(d) for _ in range(q))])


def test_the_passes_give_the_masses_in_rocq() -> None:
    """The row before has two values, of which the first one has the mass X."""
    said = " ".join(record.stated()["Values.next_masses"].statement.split())
    found = re.findall(r"next_mass (\d+) \((.+?)\) \((.+?)\) \((.+?)\) \((.+?)\) = (\d+ / \d+)", said)
    assert len(found) == said.count("next_mass") == 7
    for each in found:
        ratio, delta, x, y, first, meant = (Fraction(number.replace(" ", "")) for number in each)
        before = (1 - x, first, x - first)
        least = least_entries(before, y, ratio, delta)
        row = raised_entries(before, least, y - sum(least), ratio, delta)
        assert (row[0] if first < x else row[0] + row[1]) == meant


def test_prevalences_are_those_in_rocq() -> None:
    found = {counts: values.answer(values.reaching(counts)) for counts in values.COUNTS}
    for a, mine in found.items():
        assert tuple(each for each in mine if each) == cumulative(tuple(sorted(filter(None, a), reverse=True)))
        for b, other in found.items():
            here, there = (tuple(sorted(each, reverse=True)) for each in (a, b))
            assert sorted_l1(here, there) == sum(abs(x - y) for x, y in zip(mine, other, strict=True))


@pytest.mark.parametrize(("bits", "rest"), values.CODED)
def test_coded_bits_are_those_in_rocq(bits: tuple[bool, ...], rest: int) -> None:
    found = values.answer(values.coded(bits, rest))
    assert sum(found) == 2 * len(bits) ** 2 + rest
    assert tuple(sorted(filter(None, found), reverse=True)) == densely_encoded(list(map(int, bits)), sum(found))


@pytest.mark.parametrize("epsilon", [Fraction(1, 50), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**9), Fraction(1, 1000)])
@pytest.mark.parametrize("beta", [Fraction(1, 3), Fraction(1, 10**6)])
@pytest.mark.parametrize("n", [1, 60])
def test_the_least_errors_are_those_of_the_theorems(epsilon: Fraction, delta: Fraction, beta: Fraction, n: int) -> None:
    """The formulas are written here as the statements have them, and computed with 50 digits."""

    def real(x: Fraction) -> mpf:
        return mpf(x.numerator) / x.denominator

    def least(first: mpf) -> int:
        return max(0, int(ceil(min(first, log(real(epsilon / (4 * delta))) / real(epsilon) - 1, n) / 2)))

    universe, few = 100, 7
    setting = {"epsilon": epsilon, "delta": delta, "beta": beta, "n": n}
    with mp.workdps(50):
        one = log(real(1 / (4 * beta))) / real(epsilon) - 1
        all_of_them = log(real(1 / (4 * (beta / (universe - 1))))) / real(epsilon) - 1
        sparse = log(real(universe / (16 * beta * few))) / real(2 * epsilon) - 1
        expected = (least(one), least(all_of_them), least(sparse))
    assert expected == (
        per_query_least(**setting).printed,
        simultaneous_least(**setting, universe=universe).printed,
        sparse_least(**setting, universe=universe, outputs=few).printed,
    )


def test_every_theorem_that_a_row_names_is_recorded_and_bound() -> None:
    named = {method for row in rows() for method in row.methods if method in bindings.BINDINGS}
    assert named == set(bindings.BINDINGS) <= set(record.stated())
    assert len(list(bindings.bound(bindings.TABLE))) == len(bindings.BINDINGS)
    assert {binding.meets for binding in bindings.BINDINGS.values()} == set(bindings.MEETS)
    assert all(binding.meets == "formula" or binding.bound_by for binding in bindings.BINDINGS.values())


def test_each_question_has_an_answer() -> None:
    kept = record.record()["values"]
    assert isinstance(kept, dict)
    assert list(kept) == list(values.QUESTIONS)
    answers = Counter(values.answer(values.decided(*each)) for each in values.DECIDED)
    assert answers.keys() == {(True, False), (False, True), (False, False)}
