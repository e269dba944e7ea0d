"""Histograms that are ready to run on how often each value occurs: each row of a file is one person, or so many."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.premises import BITS, search_epsilon
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds
from dpcert.mechanisms.anonymized_histograms.geometric_noise import clamped_noise
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_counts
from dpcert.mechanisms.finite_computers.compact_costs import GREATEST_BITS
from dpcert.mechanisms.finite_computers.compact_histogram import private_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy_counts
from dpcert.mechanisms.finite_computers.ordsample import scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance, pure_sparse_histogram
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, sparse_histogram
from dpcert.mechanisms.finite_computers.stability_histogram import stability_counts
from dpcert.mechanisms.mechanism import integer, inverse, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.planning.lone import least_lone, lone_delta
from dpcert.planning.noisy_count import inverse_within
from dpcert.releasing.data import Counts
from dpcert.releasing.ready import PEOPLE, Ready, Released, Request, need_positive, people_of

WORDS = (
    "the noise is that of `dpcert audit geometric --set method=words --set ratio={ratio}` "
    "(Clipping.geometric_private); the program is that of `dpcert audit {name} --set sampler=words`"
)
TESTED = "whose row in `dpcert claims` is tested at points and not proved; the program is that of `dpcert audit {name}`"
MOST_PEOPLE = 10**5
"""The greatest n of mechanisms whose draws grow with n."""


def sample_threshold(request: Request) -> Ready:
    """Return sample-and-threshold at these settings, with the delta that all counts need at an epsilon."""
    settings, epsilon = request.take("rate", "threshold"), request.epsilon
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    relation = request.relation("add-remove", "substitute")
    need_positive(epsilon)
    if relation == "add-remove":
        ratio, _ = search_epsilon(epsilon).exp_bounds(BITS)
        needed, theorem = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta, "all counts"
    else:
        needed, theorem = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon).hi, "all moves"
        if request.delta is not None and needed > request.delta:  # searched on, as a plan does, to what is allowed
            closer = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon, delta=request.delta).hi
            needed = min(needed, closer)
    guarantee = request.within(needed)
    claim = f"--neighbours {'counts_differ_by_one' if relation == 'add-remove' else relation} --epsilon '{epsilon}'"
    rests_on = (
        f"the theorem of {theorem} (docs/explanation/all-counts.md), "
        f"for the program of `dpcert audit {request.mechanism}`; "
        f"to check it again: dpcert audit sample-threshold --set rate={ratio_text(rate)} --set threshold={threshold} "
        f"{claim} --delta {ratio_text(guarantee.delta)}"
    )
    program = threshold_counts(rate=rate, threshold=threshold)
    return Ready(program, ("value", "count"), guarantee, relation, rests_on, settings)


def stability(request: Request) -> Ready:
    """Return the stability-based histogram: the least threshold for a delta, or the delta of a threshold."""
    settings = request.take(threshold="", n=str(PEOPLE), ratio="")
    relation = request.relation("add-remove", "substitute")
    people, ratio = people_of(settings), request.noise(1 if relation == "add-remove" else 2)
    if "threshold" not in settings:
        if not request.delta:
            needed = "--delta, for the least threshold, or --set threshold="
            raise InputError(given=f"release {request.mechanism} without both", needed=needed, remedy="give one")
        settings["threshold"] = str(least_lone(people, ratio, request.delta))
    threshold = integer(settings, "threshold", least=0, greatest=people)
    guarantee = request.within(lone_delta(people, ratio, threshold))
    proof = "Histograms.theorem_5_5_i (finite-computers, Theorem 5.5 i)"
    if relation == "add-remove":
        proof = "Clipping.geometric_private, for the one count that differs, and its chance to appear at 1"
    rests_on = f"theorem {proof}; {WORDS.format(name=request.mechanism, ratio=ratio_text(ratio))}"
    program = stability_counts(threshold=threshold, sampler=clamped_noise(n=people, ratio=ratio))
    own = {**settings, "ratio": ratio_text(ratio)}
    return Ready(_checked(program, people), ("value", "count"), guarantee, relation, rests_on, own)


def _checked(program: Callable[[Counts, Coins], Released], people: int) -> Callable[[Counts, Coins], Released]:
    """Return the program, which refuses more people than it is made for."""

    def release(counts: Counts, coins: Coins) -> Released:
        if sum(count for _, count in counts) > people:
            given = f"more than n = {people} people"
            raise InputError(given=given, needed="n people at most", remedy="set n, which is public, before")
        return program(counts, coins)

    return release


def _in_places(request: Request, people: int, *, exactly: bool = False) -> Callable[[Counts], Bins]:
    """Return the function from counts of values to counts of their places in the public list.

    It refuses values that are not listed, and more people than `people`, or `exactly` another number.
    """
    places = {label: place for place, label in enumerate(request.universe())}

    def held(counts: Counts) -> Bins:
        found = sum(count for _, count in counts)
        if found > people or (exactly and found != people):
            needed = f"{'exactly' if exactly else 'at most'} n = {people}, which is public"
            raise InputError(given="another number of people", needed=needed, remedy="set n to match")
        if any(value not in places for value, _ in counts):
            given = "a value that is not in the file of labels"
            raise InputError(given=given, needed="only values that are", remedy="list it, or leave its rows out")
        return tuple(sorted((places[value], count) for value, count in counts))

    return held


def _named(
    request: Request, program: Callable[[Bins, Coins], Bins], people: int, *, exactly: bool = False
) -> Callable[[Counts, Coins], Released]:
    """Return the program on places in the public list, with the labels put back."""
    held, labels = _in_places(request, people, exactly=exactly), request.universe()
    return lambda counts, coins: [(labels[place], count) for place, count in program(held(counts), coins)]


def basic(request: Request) -> Ready:
    """Return the basic histogram: every label of a public list with its noisy count."""
    settings = request.take(n=str(PEOPLE), ratio="")
    relation = request.relation("add-remove", "substitute")
    people, ratio = people_of(settings), request.noise(1 if relation == "add-remove" else 2)
    proof = "Histograms.theorem_5_2_i (finite-computers, Theorem 5.2 i)"
    if relation == "add-remove":
        proof = "Clipping.geometric_private, for the one count that differs"
    rests_on = f"theorem {proof}; {WORDS.format(name=request.mechanism, ratio=ratio_text(ratio))}"
    program = basic_counts(universe=len(request.universe()), sampler=clamped_noise(n=people, ratio=ratio))
    own = {**settings, "ratio": ratio_text(ratio)}
    guarantee = ApproxDP(request.epsilon, 0)
    return Ready(_named(request, program, people), ("value", "count"), guarantee, relation, rests_on, own)


def keep_heavy(request: Request) -> Ready:
    """Return keep-heavy: at most n labels of a public list, those of the greatest noisy counts."""
    settings = request.take("n", ratio="")
    relation, people = request.relation("substitute"), integer(settings, "n", least=1)
    universe, ratio = len(request.universe(people + 1)), request.noise(2)
    rests_on = (
        "theorems Histograms.theorem_5_2_i and Privacy.post_processing (finite-computers, Theorem 6.2 i); "
        + WORDS.format(name=request.mechanism, ratio=ratio_text(ratio))
    )
    program = keep_heavy_counts(n=people, universe=universe, sampler=clamped_noise(n=people, ratio=ratio))
    own = {**settings, "ratio": ratio_text(ratio)}
    ready, guarantee = _named(request, program, people, exactly=True), ApproxDP(request.epsilon, 0)
    return Ready(ready, ("value", "count"), guarantee, relation, rests_on, own)


def _short_epsilon(request: Request) -> Fraction:
    """Return the greatest 1/m within epsilon.

    Raises: InputError where there is none.
    """
    found = inverse_within(request.epsilon, 1)
    if found is None:
        raise InputError(given=f"epsilon = {request.epsilon}", needed="a greater one", remedy="write --epsilon 1")
    return found


def _people_in_order(counts: Bins) -> list[int]:
    return [place for place, count in counts for _ in range(count)]


def pure_sparse(request: Request) -> Ready:
    """Return the pure sparse histogram: at most n labels, at a cost that grows with the logarithm of the list."""
    settings = request.take("n", beta="1/100")
    people, beta = integer(settings, "n", least=1, greatest=MOST_PEOPLE), inverse(settings, "beta", least=2)
    relation, universe = request.relation("substitute"), len(request.universe(2 * people + 1))
    epsilon = _short_epsilon(request)
    gamma = Fraction(1, 800 * universe)
    texts = {"n": str(people), "epsilon": ratio_text(epsilon), "sampler": "fastsample", "gamma": ratio_text(gamma)}
    sampler = Sampler.of(texts)
    distance = pure_distance(n=people, universe=universe, epsilon=epsilon, beta=beta)
    s = precision(n=people, universe=universe, delta=distance)
    sparse = sparse_histogram(
        n=people,
        universe=universe,
        sampler=sampler.program,
        order_statistics=approx_ordsample(cumulative=scaled_cumulative(sampler.law(0), people), s=s),
    )
    mixed = pure_sparse_histogram(n=people, universe=universe, sparse=sparse, weight=int(1 / beta))
    rests_on = f"finite-computers, Theorem 6.10 i, {TESTED.format(name=request.mechanism)}"
    ready = _named(request, lambda counts, coins: mixed(_people_in_order(counts), coins), people, exactly=True)
    guarantee = ApproxDP(request.epsilon, 0)
    return Ready(ready, ("value", "count"), guarantee, relation, rests_on, {**settings, **texts})


def compact(request: Request) -> Ready:
    """Return the compact histogram: the n + 1 coefficients of a polynomial that gives every label its count."""
    settings = request.take("n", beta="1/100", universe=str(len(request.universe(2))))
    people, beta = integer(settings, "n", least=1, greatest=MOST_PEOPLE), inverse(settings, "beta", least=2)
    universe = integer(settings, "universe", least=len(request.universe()), greatest=1 << GREATEST_BITS)
    relation = request.relation("substitute")
    epsilon = _short_epsilon(request)
    polynomial = private_histogram(n=people, universe=universe, epsilon=epsilon, beta=beta)
    held = _in_places(request, people, exactly=True)

    def release(counts: Counts, coins: Coins) -> Released:
        found = polynomial(_people_in_order(held(counts)), coins)
        return [(power, hex(coefficient)) for power, coefficient in enumerate(found)]

    read = "counts_of reads counts off, with parts_of of the same n, universe, epsilon and beta; labels by their places"
    own = {**settings, "epsilon": ratio_text(epsilon)}
    guarantee = ApproxDP(request.epsilon, 0)
    rests_on = f"finite-computers, Theorem 8.6 i, {TESTED.format(name=request.mechanism)}"
    return Ready(release, ("power", "coefficient"), guarantee, relation, rests_on, own, {"reading": read})
