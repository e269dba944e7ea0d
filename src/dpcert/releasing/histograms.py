"""Histograms that are ready to run on how often each value occurs: each row of a file is one person, or so many.

The last two are anonymized: they say how many values have each count, and not which.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import laplace_isotonic as isotonic_program
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.finite_computers.approx_sampling import approx_ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_counts
from dpcert.mechanisms.finite_computers.compact_costs import GREATEST_BITS
from dpcert.mechanisms.finite_computers.compact_histogram import private_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy_counts
from dpcert.mechanisms.finite_computers.keep_heavy import keep_heavy_sparse as sparse_program
from dpcert.mechanisms.finite_computers.ordsample import geometric_order_statistics, scaled_cumulative
from dpcert.mechanisms.finite_computers.pure_sparse_histogram import pure_distance, pure_sparse_histogram
from dpcert.mechanisms.finite_computers.sparse_histogram import precision, sparse_histogram
from dpcert.mechanisms.finite_computers.stability_histogram import stability_counts
from dpcert.mechanisms.mechanism import integer, inverse
from dpcert.planning.lone import PEOPLE, least_lone, lone_delta
from dpcert.planning.noisy_count import inverse_within
from dpcert.releasing.data import LABELS, Counts, digest_of
from dpcert.releasing.ready import Ready, Released, Request, need_positive, noise_to, people_of

WORDS = (
    "the noise is that of `dpcert audit geometric --set method=words --set ratio={ratio}` "
    "(Clipping.geometric_private); the program is that of `dpcert audit {name} --set sampler=words`"
)
TESTED = "whose row in `dpcert claims` is tested at points and not proved; the program is that of `dpcert audit {name}`"
MOST_LABELS = 10**6
MOST_PEOPLE = 10**5
"""The greatest n of mechanisms whose draws grow with n."""
UNIFORM = 800
"""Of so many times the labels, one noisy count is uniform where fastsample draws it."""


def stability(request: Request) -> Ready:
    """Return the stability-based histogram: the least threshold for a delta, or the delta of a threshold."""
    settings = request.take(threshold="", n=str(PEOPLE), ratio="")
    relation = request.relation("add-remove", "substitute")
    people, ratio = people_of(settings), request.noise(1 if relation == "add-remove" else 2)
    if "threshold" not in settings:
        lost = request.lost("--delta, for the least threshold, or --set threshold=")
        settings["threshold"] = str(least_lone(people, ratio, lost))
    threshold = integer(settings, "threshold", least=0, greatest=people)
    guarantee = request.within(lone_delta(people, ratio, threshold))
    proof = "Histograms.theorem_5_5_i (finite-computers, Theorem 5.5 i)"
    if relation == "add-remove":
        proof = "Clipping.geometric_private, for the one count that differs, and its chance to appear at 1"
    rests_on = f"theorem {proof}; {WORDS.format(name=request.mechanism, ratio=ratio_text(ratio))}"
    program = stability_counts(threshold=threshold, sampler=noise_to(people, ratio))
    own = {**settings, "ratio": ratio_text(ratio)}
    return Ready(of_at_most(program, people), ("value", "count"), guarantee, relation, rests_on, own)


def of_at_most(program: Callable[[Counts, Coins], Released], people: int) -> Callable[[Counts, Coins], Released]:
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
    program = basic_counts(universe=len(request.universe()), sampler=noise_to(people, ratio))
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
    program = keep_heavy_counts(n=people, universe=universe, sampler=noise_to(people, ratio))
    own = {**settings, "ratio": ratio_text(ratio)}
    ready, guarantee = _named(request, program, people, exactly=True), ApproxDP(request.epsilon, 0)
    return Ready(ready, ("value", "count"), guarantee, relation, rests_on, own)


def keep_heavy_sparse(request: Request) -> Ready:
    """Return keep-heavy from the noisy counts of the labels that occur, and the greatest ones of the others."""
    settings = request.take("n", ratio="")
    relation, people = request.relation("substitute"), integer(settings, "n", least=1, greatest=MOST_PEOPLE)
    universe, ratio = len(request.universe(2 * people + 1)), request.noise(2)
    rests_on = (
        "theorems Histograms.theorem_5_2_i and Privacy.post_processing (finite-computers, Theorem 6.2 i), and "
        "Proposition 6.5 for one law with keep-heavy; those of empty labels are drawn level by level, with "
        "ordsample's law, as tests hold; " + WORDS.format(name=request.mechanism, ratio=ratio_text(ratio))
    )
    heavy = sparse_program(
        n=people,
        universe=universe,
        sampler=noise_to(people, ratio),
        order_statistics=geometric_order_statistics(n=people, ratio=ratio),
    )
    ready = _named(request, lambda counts, coins: heavy(_people_in_order(counts), coins), people, exactly=True)
    own, guarantee = {**settings, "ratio": ratio_text(ratio)}, ApproxDP(request.epsilon, 0)
    return Ready(ready, ("value", "count"), guarantee, relation, rests_on, own)


def _sparse(
    people: int, universe: int, epsilon: Fraction, distance: Fraction
) -> tuple[Callable[[Sequence[int], Coins], Bins], dict[str, str]]:
    """Return sparse-histogram with fastsample's noise, within `distance` of keep-heavy, and its settings."""
    gamma = Fraction(1, UNIFORM * universe)
    texts = {"n": str(people), "epsilon": ratio_text(epsilon), "sampler": "fastsample", "gamma": ratio_text(gamma)}
    sampler = Sampler.of(texts)
    order_statistics = approx_ordsample(
        cumulative=scaled_cumulative(sampler.law(0), people),
        s=precision(n=people, universe=universe, delta=distance),
    )
    program = sparse_histogram(n=people, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return program, texts


def sparse(request: Request) -> Ready:
    """Return the sparse histogram: at most n labels, within a share of delta of keep-heavy."""
    settings, relation = request.take("n"), request.relation("substitute")
    lost = request.lost("--delta: how far it may be from keep-heavy")
    people = integer(settings, "n", least=1, greatest=MOST_PEOPLE)
    universe, epsilon = len(request.universe(2 * people + 1)), _short_epsilon(request)
    # A law within `distance` of one that is (epsilon, 0)-private is (epsilon, (1 + e^epsilon) distance)-private.
    factor = request.epsilon.exp_bounds(64)[1] + 1
    distance = Fraction(1, ceil(factor / lost))
    program, texts = _sparse(people, universe, epsilon, distance)
    ready = _named(request, lambda counts, coins: program(_people_in_order(counts), coins), people, exactly=True)
    rests_on = (
        f"finite-computers, Theorem 6.8, whose row in `dpcert claims` is proved; the program is that of `dpcert audit "
        f"{request.mechanism}`"
    )
    guarantee = request.within(factor * distance)
    own = {**settings, **texts, "delta": ratio_text(distance)}
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
    distance = pure_distance(n=people, universe=universe, epsilon=epsilon, beta=beta)
    program, texts = _sparse(people, universe, epsilon, distance)
    mixed = pure_sparse_histogram(n=people, universe=universe, sparse=program, weight=int(1 / beta))
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

    read = "dpcert estimate --labels FILE reads counts off, of the labels that it was released with"
    own = {**settings, "epsilon": ratio_text(epsilon), LABELS: digest_of(request.universe())}
    guarantee = ApproxDP(request.epsilon, 0)
    rests_on = f"finite-computers, Theorem 8.6 i, {TESTED.format(name=request.mechanism)}"
    return Ready(release, ("power", "coefficient"), guarantee, relation, rests_on, own, {"reading": read})


def privhist(request: Request) -> Ready:
    """Return PrivHist: how many values have each count, and how many people there are."""
    request.take()
    relation = request.relation("add-remove", "sorted-l1")
    need_positive(request.epsilon)
    ratio = share(request.epsilon)
    sampler = privhist_sampler(ratio=ratio)

    def release(counts: Counts, coins: Coins) -> Released:
        histogram, total = sampler(tuple(sorted(Counter(count for _, count in counts).items())), coins)
        return [("people", total), *((f"count {count}", many) for count, many in histogram)]

    rests_on = (
        "theorem PrivHist.privhist_is_private (anonymized-histograms, Theorem 1), as one person more moves one "
        "count by one; the sampler adds noise to the numbers of the program of `dpcert audit privhist`, which tests "
        "hold equal"
    )
    settings = {"share": ratio_text(ratio)}
    return Ready(release, ("what", "number"), ApproxDP(request.epsilon, 0), relation, rests_on, settings)


def laplace_isotonic(request: Request) -> Ready:
    """Return the isotonic baseline: all sorted counts, with 0 for labels that do not occur, noisy and then fitted."""
    settings = request.take("labels", ratio="")
    relation, ratio = request.relation("add-remove", "sorted-l1"), request.noise(1)
    labels = integer(settings, "labels", least=1, greatest=MOST_LABELS)
    fitted = isotonic_program(labels=labels, sampler=noise_to(PEOPLE, ratio))

    def release(counts: Counts, coins: Coins) -> Released:
        if len(counts) > labels:
            given, needed = f"more than labels = {labels} values", "labels of them at most, which is public"
            raise InputError(given=given, needed=needed, remedy="set labels to the number that there may be")
        rows = Counter(fitted([count for _, count in counts], coins))
        return sorted(rows.items())

    rests_on = (
        "theorem Clipping.geometric_private, as one person more makes one of the sorted counts greater by one; "
        + WORDS.format(name=request.mechanism, ratio=ratio_text(ratio)).partition("; ")[0]
        + f"; the program is that of `dpcert audit {request.mechanism}`"
    )
    guarantee, own = ApproxDP(request.epsilon, 0), {**settings, "ratio": ratio_text(ratio)}
    return Ready(of_at_most(release, PEOPLE), ("count", "labels"), guarantee, relation, rests_on, own)
