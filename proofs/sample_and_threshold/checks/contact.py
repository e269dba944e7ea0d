"""Checks of sample-and-threshold, Sections 3.1 to 3.3 and 7: messages, few clients contacted, sample sizes, errors."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import comb

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.mechanisms.sample_and_threshold.all_counts import crowd_delta
from dpcert.mechanisms.sample_and_threshold.contact import (
    binomial,
    capped,
    contacted,
    contacted_histogram,
    contacted_histogram_law,
    survival,
)
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram_law
from dpcert.mechanisms.sample_and_threshold.trie import trie_for_everyone, trie_law
from dpcert.proofs.check import check, checks
from dpcert.proofs.sample_and_threshold.checks.sampling import exp_minus
from dpcert.reading.paths.enumerator import enumerate_law

ZERO = Fraction(0)
ONE = Fraction(1)
BITS = 128
RATES = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))


def excess(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
    """Return the sum of max(0, p - ratio q) over outcomes."""
    return sum((max(ZERO, mass - ratio * q.prob(outcome)) for outcome, mass in p.items()), ZERO)


def _settings() -> Iterator[tuple[int, int, int]]:
    """Yield n, m and how many are asked, more than m and fewer than n."""
    return ((n, m, asked) for n in range(3, 8) for m in range(1, n) for asked in range(m + 1, n))


@check("contact-law")
def contact_law() -> Iterator[str]:
    """The law by sizes is the program's, and that of Poisson sampling where everyone may be asked."""
    for n, m, asked, threshold in ((3, 1, 2, 1), (4, 1, 2, 2), (4, 2, 3, 1)):
        program = contacted_histogram(n=n, m=m, asked=asked, threshold=threshold, universe=2)
        law = contacted_histogram_law(size=capped(binomial(n, Fraction(m, n)), asked), threshold=threshold, universe=2)
        for ones in range(n + 1):
            people = [0] * (n - ones) + [1] * ones
            if enumerate_law(program, people).law != law(people):
                yield f"n = {n}, m = {m}, asked = {asked}, tau = {threshold}, {people}"
    for n, m, threshold in product(range(2, 6), (1,), (1, 2)):
        everyone = contacted_histogram_law(size=binomial(n, Fraction(m, n)), threshold=threshold, universe=3)
        poisson = threshold_histogram_law(rate=Fraction(m, n), threshold=threshold, universe=3)
        for counts in product(range(n + 1), repeat=2):
            people = [0] * counts[0] + [1] * counts[1] + [2] * (n - sum(counts))
            if sum(counts) <= n and everyone(people) != poisson(people):
                yield f"n = {n}, m = {m}, tau = {threshold}, {people}: everyone asked"


@check("contact-distance")
def contact_distance() -> Iterator[str]:
    """Cut off at the number asked, the sample is at distance Pr[B(n, m/n) > asked] from Poisson's; its release, at
    most.
    """
    for n, m, asked in _settings():
        rate = Fraction(m, n)
        poisson, cut = binomial(n, rate), capped(binomial(n, rate), asked)
        lost = survival(n, rate, asked)
        laws = [contacted_histogram_law(size=size, threshold=1, universe=n) for size in (poisson, cut)]
        everyone = [law(list(range(n))) for law in laws] if n <= 5 else [poisson, cut]
        if poisson.total_variation(cut) != lost or everyone[0].total_variation(everyone[1]) != lost:
            yield f"n = {n}, m = {m}, asked = {asked}"
        for ones, threshold in product(range(n + 1), (1, 2)):
            people = [0] * (n - ones) + [1] * ones
            shown = [contacted_histogram_law(size=s, threshold=threshold, universe=2) for s in (poisson, cut)]
            if shown[0](people).total_variation(shown[1](people)) > lost:
                yield f"n = {n}, m = {m}, asked = {asked}, {people}"


@check("contact-few")
def contact_few() -> Iterator[str]:
    """For c up to sqrt(m), a Poisson sample is larger than m + c sqrt(m) with probability at most exp(-c^2/3)."""
    for n, m in ((50, 4), (50, 9), (200, 16), (400, 25), (400, 100)):
        for slack in range(1, 11):
            if (
                slack * slack <= m
                and survival(n, Fraction(m, n), contacted(m, slack)) > exp_minus(Fraction(slack * slack, 3))[0]
            ):
                yield f"n = {n}, m = {m}, c = {slack}"


@check("contact-abstaining-printed")
def contact_abstaining_printed() -> Iterator[str]:
    """Contacting s people, each of whom takes part with probability m/s, has the law of Poisson sampling."""
    return (
        f"n = {n}, m = {m}, s = {asked}: nobody is sampled with probability {two_stage}, by Poisson sampling {poisson}"
        for n, m, asked in _settings()
        for two_stage, poisson in [
            (binomial(asked, Fraction(m, asked)).prob(0), binomial(n, Fraction(m, n)).prob(0)),
        ]
        if two_stage != poisson
    )


def _two_stage(n: int, m: int, asked: int) -> Dist:
    """Return the law of the set of people sampled, by choosing whom to ask and then by each one's coin."""
    rate = Fraction(m, asked)
    rows: list[tuple[tuple[int, ...], Fraction]] = []
    for chosen in combinations(range(n), asked):
        for picks in product((False, True), repeat=asked):
            sample = tuple(person for person, picked in zip(chosen, picks, strict=True) if picked)
            p = rate ** len(sample) * (1 - rate) ** (asked - len(sample))
            rows.append((sample, p / comb(n, asked)))
    return Dist.of(rows)


@check("contact-abstaining-corrected")
def contact_abstaining_corrected() -> Iterator[str]:
    """Its samples of one size are alike: its distance from Poisson sampling is that of B(s, m/s) and B(n, m/n)."""
    for n, m, asked in _settings():
        if n > 5:
            continue
        found, sizes = _two_stage(n, m, asked), binomial(asked, Fraction(m, asked))
        rate = Fraction(m, n)
        poisson = Dist.of(
            (tuple(i for i in range(n) if picks[i]), rate ** sum(picks) * (1 - rate) ** (n - sum(picks)))
            for picks in product((0, 1), repeat=n)
        )
        alike = all(p == sizes.prob(len(sample)) / comb(n, len(sample)) for sample, p in found.items())
        distance = sizes.total_variation(binomial(n, rate))
        if not alike or found.total_variation(poisson) != distance or distance == 0:
            yield f"n = {n}, m = {m}, s = {asked}"
    far = binomial(110, Fraction(100, 110)).total_variation(binomial(1000, Fraction(1, 10)))
    if not Fraction(1, 2) < far:
        yield f"n = 1000, m = 100, s = 110: {float(far)}"


@check("contact-ten")
def contact_ten() -> Iterator[str]:
    """For c = 10: exp(-100/3) is below 4e-15 and bounds the survival for m >= 100; for lesser m it is below 1e-9."""
    bound_lo, bound_hi = exp_minus(Fraction(100, 3))
    if bound_hi >= Fraction(4, 10**15):
        yield "exp(-100/3)"
    for n, m in ((300, 100), (1000, 100), (1000, 144), (1000, 400)):
        if survival(n, Fraction(m, n), contacted(m, 10)) > bound_lo:
            yield f"n = {n}, m = {m}"
    for n, m in product((20, 60, 400, 1000), (1, 2, 4, 9, 25)):
        if m < n and survival(n, Fraction(m, n), contacted(m, 10)) >= Fraction(1, 10**9):
            yield f"n = {n}, m = {m}: above 1e-9"
    if survival(400, Fraction(1, 400), 11) <= bound_hi:
        yield "n = 400, m = 1: the tail is within exp(-100/3) after all"


@check("contact-suppressed")
def contact_suppressed() -> Iterator[str]:
    """With the size of a sample known, the release discloses how many sampled people were suppressed; otherwise it does
    not.
    """
    for n, threshold in product((3, 4, 5), (2, 3)):
        people = [0] * (n - 2) + [1, 2]
        for m in range(1, n + 1):
            for chosen in combinations(people, m):
                counts = [chosen.count(label) for label in range(3)]
                shown = sum(count for count in counts if count >= threshold)
                if m - shown != sum(count for count in counts if count < threshold):
                    yield f"n = {n}, m = {m}, tau = {threshold}, {chosen}"
        joint = {
            (tuple(c if c >= threshold else 0 for c in counts), sum(c for c in counts if c < threshold))
            for counts in product(range(n - 1), range(2), range(2))
        }
        if len({shown for shown, _ in joint}) == len(joint):
            yield f"n = {n}, tau = {threshold}: what is shown tells it with any size"


@check("contact-size-drawn")
def contact_size_drawn() -> Iterator[str]:
    """The size before the threshold is (epsilon, delta)-close for n and n + 1 items from n = tau/q on, by Theorem 2."""
    for rate, threshold, factor in product(RATES, (2, 5, 10), (ONE, Fraction(2), Fraction(4))):
        ratio = factor / (1 - rate)
        q, delta = 1 - (1 - rate) / ratio, kl_delta(rate=rate, threshold=threshold, ratio=ratio)
        enough = int(-(-threshold // q))
        if crowd_delta(rate=rate, ratio=ratio, count=enough) > delta:
            yield f"p = {rate}, tau = {threshold}, e^epsilon = {ratio}, n = {enough}"


@check("contact-sampling-error")
def contact_sampling_error() -> Iterator[str]:
    """A frequency phi is estimated with variance phi (1 - p)/m <= 1/m, and m >= alpha (1 - 1/e) epsilon n."""
    for n, k, rate in product((4, 10, 20), range(5), RATES):
        law = binomial(k, rate)
        m = rate * n
        mean, square = law.expectation() / m, law.expectation(lambda v: v * v) / m**2
        phi = Fraction(k, n)
        if mean != phi or square - mean**2 != phi * (1 - rate) / m or square - mean**2 > 1 / m:
            yield f"n = {n}, k = {k}, p = {rate}"
    falls = 1 - exp_minus(ONE)[1]
    for tenths in range(1, 11):
        epsilon = Fraction(tenths, 10)
        if 1 - exp_minus(epsilon)[0] < falls * epsilon:
            yield f"epsilon = {epsilon}: 1 - e^-epsilon < (1 - 1/e) epsilon"


@check("contact-rounding-error")
def contact_rounding_error() -> Iterator[str]:
    """With tau the least integer from ln(1/delta)/C on, the suppressed count is below ln(1/delta)/(C m) of m."""
    for alpha in (Fraction(1, 10), Fraction(1, 6), Fraction(1, 5), Fraction(1, 3)):
        constant_lo = ln_bounds(1 / alpha, BITS)[0] - 1 / (1 + alpha)
        constant_hi = ln_bounds(1 / alpha, BITS)[1] - 1 / (1 + alpha)
        for digits in range(2, 13):
            lo, hi = ln_bounds(Fraction(10) ** digits, BITS)
            threshold = int(-(-hi // constant_lo))
            if constant_lo <= 0 or threshold - 1 >= lo / constant_hi:
                yield f"alpha = {alpha}, delta = 1e-{digits}"


@check("contact-no-noise")
def contact_no_noise() -> Iterator[str]:
    """A sampled count of tau or more is shown as it is, a lesser one as 0; Bernoulli noise has a variance."""
    for rate, threshold, count in product(RATES, (1, 2, 3), range(6)):
        released = enumerate_law(sample_threshold(rate=rate, threshold=threshold), count).law
        sampled = binomial(count, rate)
        for v in range(count + 1):
            if v >= threshold and released.prob(v) != sampled.prob(v):
                yield f"p = {rate}, tau = {threshold}, k = {count}, v = {v}"
        low = sum((sampled.prob(v) for v in range(min(threshold, count + 1))), ZERO)
        if released.prob(0) != low:
            yield f"p = {rate}, tau = {threshold}, k = {count}: 0"
    for clients, noise in product((1, 5, 20), (Fraction(1, 100), Fraction(1, 3))):
        off = binomial(clients, noise)
        variance = off.expectation(lambda v: v * v) - off.expectation() ** 2
        if off.expectation() != clients * noise or not 0 < variance == clients * noise * (1 - noise):
            yield f"{clients} clients, noise {noise}"


@check("contact-response")
def contact_response() -> Iterator[str]:
    """A count sampled is a sum of responses that keep a 1 with p and never change a 0; its noise is never positive."""
    for rate in RATES:
        response = {0: Dist.point(0), 1: Dist.of([(1, rate), (0, 1 - rate)])}
        for zeros, ones in product(range(3), range(5)):
            summed = (
                Dist.point(())
                .product(*([response[0]] * zeros + [response[1]] * ones))
                .map(lambda parts: sum(parts[1:]))
            )
            program = enumerate_law(sample_threshold(rate=rate, threshold=1), ones).law
            if summed != program or any(v > ones for v in summed.outcomes()):
                yield f"p = {rate}, {zeros} zeros, {ones} ones"
        for ratio in (ONE, Fraction(10), Fraction(10**9)):
            if excess(response[1], response[0], ratio) != rate:
                yield f"p = {rate}, e^epsilon = {ratio}: one response needs another delta than p"


def _hypergeometric(n: int, marked: int, drawn: int) -> Dist:
    return Dist.of(
        (v, Fraction(comb(marked, v) * comb(n - marked, drawn - v), comb(n, drawn)))
        for v in range(max(0, drawn - (n - marked)), min(marked, drawn) + 1)
    )


@check("contact-without-replacement")
def contact_without_replacement() -> Iterator[str]:
    """Lemma 5's bound, derived for draws with replacement, holds for m of n without: its moments are no greater."""
    for n in range(2, 15):
        for marked, drawn in product(range(1, n + 1), range(1, n + 1)):
            without, mean = _hypergeometric(n, marked, drawn), Fraction(marked * drawn, n)
            for base in (Fraction(1, 4), Fraction(2, 3), Fraction(2)):
                moment = sum((p * base**v for v, p in without.items()), ZERO)
                if moment > (1 - Fraction(marked, n) + Fraction(marked, n) * base) ** drawn:
                    yield f"n = {n}, W = {marked}, m = {drawn}: the moment at {base}"
            for threshold in range(1, int(mean) + 1):
                missed = sum((p for v, p in without.items() if v < threshold), ZERO)
                if missed > exp_minus((mean - threshold) ** 2 / (2 * mean))[1]:
                    yield f"n = {n}, W = {marked}, m = {drawn}, tau = {threshold}"


@check("trie-all-counts")
def trie_all_counts() -> Iterator[str]:
    """Of tries of few people none needs a greater delta than that composed of one bin over all counts."""
    for rate, threshold in product((Fraction(1, 10), Fraction(1, 2)), (1, 2)):
        ratio = 2 / (1 - rate)
        epsilon, delta = trie_for_everyone(rate=rate, threshold=threshold, ratio=ratio, levels=2)
        if epsilon != Epsilon.ln(ratio**2) or delta > 2 * kl_delta(rate=rate, threshold=threshold, ratio=ratio):
            yield f"p = {rate}, tau = {threshold}: the claim"
        law = trie_law(rate=rate, threshold=threshold, branching=2, levels=2, ancestors=True)
        for people in ([], [0], [0, 0], [0, 1], [0, 2], [0, 0, 1]):
            for label in range(4):
                laws = [law(people), law([*people, label])]
                for one, other in (*pairwise(laws), *pairwise(laws[::-1])):
                    if excess(one, other, ratio**2) > delta:
                        yield f"p = {rate}, tau = {threshold}, {people} and {label}"


People = Sequence[int]


def _subsets(places: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(places), size) for size in range(places + 1))


def shown(messages: Sequence[int], threshold: int) -> tuple[tuple[int, int], ...]:
    """Return the items with the number of times each was sent, without those below the threshold."""
    found = ((item, sum(message == item for message in messages)) for item in sorted(set(messages)))
    return tuple((item, count) for item, count in found if count >= threshold)


@check("sampled-messages")
def messages_are_items() -> Iterator[str]:
    """A server that receives no more than the items of those sampled has the mechanism's law."""

    def law(people: People, rate: Fraction, threshold: int) -> Dist:
        rows = []
        for sampled in _subsets(len(people)):
            mass = rate ** len(sampled) * (1 - rate) ** (len(people) - len(sampled))
            rows.append((shown([people[place] for place in sampled], threshold), mass))
        return Dist.of(rows)

    return (
        f"p = {rate}, tau = {threshold}, people with {people}"
        for rate, threshold in product((Fraction(1, 3), Fraction(1, 2)), (1, 2, 3))
        for size in range(5)
        for people in combinations_with_replacement(range(3), size)
        if law(people, rate, threshold) != threshold_histogram_law(rate=rate, threshold=threshold, universe=3)(people)
    )


@checks({"contact-unique-votes-printed": (1, 2, 3), "contact-unique-votes-corrected": (2, 3, 4)})
def _abstainers(thresholds: Sequence[int]) -> Iterator[str]:
    """Those who abstain, each with an item of their own from 100 on, leave the shown counts as they are, for every
    threshold, or for 2 or more.
    """
    return (
        f"tau = {threshold}, {size} people: the vote of one who abstains is shown"
        for threshold, size in product(thresholds, range(1, 6))
        for people in combinations_with_replacement(range(2), size)
        for takes_part in _subsets(size)
        if shown([item if place in takes_part else 100 + place for place, item in enumerate(people)], threshold)
        != shown([people[place] for place in takes_part], threshold)
    )
