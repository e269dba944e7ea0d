"""Checks of threshold sampling and of estimates from a sample that is not private: Sections 3.1 and 7 of the paper."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_estimators import maximum_likelihood, moments
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.check import check
from dpcert.proofs.weighted_sampling.checks.baseline import ExponentialSum, e, integral
from dpcert.reading.paths.enumerator import enumerate_law

ZERO = Fraction(0)
ONE = Fraction(1)
TAUS = (Fraction(1, 12), Fraction(1, 5), Fraction(1, 2), Fraction(3, 2))
WEIGHTS = ((1,), (1, 1), (3, 1), (1, 2, 5), (2, 2, 7), (1, 2, 3, 4))


@check("pws-threshold-rates")
def pws_threshold_rates() -> Iterator[str]:
    """A uniform draw below tau i has probability min(1, tau i); an exponential one 1 - e^(-tau i), here to 2^-64."""

    def below(tau: Fraction, i: int) -> Callable[[None, Coins], bool]:
        return lambda _, coins: coins.below(120) < 120 * tau * i

    for tau in TAUS:
        uniform, exponential = (sampling_probabilities(f"{kind}:{tau}", 9) for kind in ("priority", "ppswor"))
        for i in range(1, 10):
            law = enumerate_law(below(tau, i), None).law
            low, high = (1 - 1 / bound for bound in Epsilon.of(tau * i).exp_bounds(80))
            close = low - Fraction(1, 1 << 64) < exponential[i - 1] <= high
            if law.prob(True) != uniform[i - 1] or not close:
                yield f"tau = {tau}, i = {i}"


def _in_order(weights: Sequence[int]) -> ExponentialSum:
    """Return the probability that u_1/w_1 < u_2/w_2 < ... for independent exponential u, by integrals from the last."""
    later = e(0)  # the probability that the later ranks are in order beyond t, a sum of c e^(-x t)
    for weight in reversed(weights):
        terms: dict[Fraction, Fraction] = {}
        for x, c in later.terms:
            ((_, mass),) = integral(
                [c * weight], x - weight, ZERO, None
            ).terms  # at t it is this times e^((x - weight) t)
            terms[x - weight] = terms.get(x - weight, ZERO) + mass
        later = ExponentialSum.of(terms)
    return ExponentialSum.of({ZERO: sum((c for _, c in later.terms), ZERO)})


@check("pws-exponential-ranks")
def pws_exponential_ranks() -> Iterator[str]:
    """Keys by u/w, u exponential, come in any order as often as keys drawn one by one by weight without replacement."""

    def drawn(weights: Sequence[int]) -> Callable[[None, Coins], tuple[int, ...]]:
        def program(_: None, coins: Coins) -> tuple[int, ...]:
            left, found = list(range(len(weights))), []
            while left:
                u = coins.below(sum(weights[key] for key in left))
                key = left[0]
                for key in left:
                    if u < weights[key]:
                        break
                    u -= weights[key]
                left.remove(key)
                found.append(key)
            return tuple(found)

        return program

    for weights in WEIGHTS:
        law = enumerate_law(drawn(weights), None).law
        for order in permutations(range(len(weights))):
            if _in_order([weights[key] for key in order]) != ExponentialSum.of({ZERO: law.prob(order)}):
                yield f"weights {weights}, order {order}"


@check("pws-sampling-error")
def pws_sampling_error() -> Iterator[str]:
    """With tau = k/||f||_1 each key's estimate has variance at most f/tau, and any selection's at most ||f||_1^2/k."""
    for frequencies, k, kind in product(WEIGHTS, (1, 2, 3, 5), ("priority", "ppswor")):
        total = sum(frequencies)
        tau = Fraction(k, total)
        q = sampling_probabilities(f"{kind}:{tau}", max(frequencies))
        # ppswor is rounded down by up to 2^-64, which may add this much to a key's variance
        slack = [ZERO if kind == "priority" else i * i / q[i - 1] ** 2 / (1 << 63) for i in frequencies]
        variances = [i * i * (1 / q[i - 1] - 1) for i in frequencies]
        if any(v > i / tau + s for v, i, s in zip(variances, frequencies, slack, strict=True)):
            yield f"frequencies {frequencies}, k = {k}, {kind}"
        if sum(variances, ZERO) > Fraction(total**2, k) + sum(slack, ZERO):
            yield f"frequencies {frequencies}, k = {k}, {kind}, all keys"


def _estimate(q: Fraction, g: int, c: Fraction) -> Dist:
    """Return the law of the estimate of g that counts c for no report, and for a report the unbiased number."""
    a = (g - (1 - q) * c) / q
    return Dist.of([((a,), q), ((c, None), 1 - q)]).map(lambda outcome: outcome[0])


def _variance(law: Dist) -> Fraction:
    return law.expectation(lambda x: x * x) - law.expectation() ** 2


@check("pws-inverse-is-only")
def pws_inverse_is_only() -> Iterator[str]:
    """Let no report count c, a key of frequency i count a_i: unbiased at 0 means c = 0, and then a_i = g(i)/q_i."""
    for q, g, c in product((Fraction(1, 10), Fraction(1, 2)), (1, 2, 7), (ZERO, Fraction(1, 3), ONE)):
        law = _estimate(q, g, c)
        alike = law == Dist.of([(g / q, q), (ZERO, 1 - q)])
        if law.expectation() != g or (c == 0) != alike or _variance(law) != (g - c) ** 2 * (1 / q - 1):
            yield f"q = {q}, g = {g}, c = {c}"


@check("pws-inverse-not-least")
def pws_inverse_not_least() -> Iterator[str]:
    """Without a key of frequency 0 to be unbiased at, 1 for no report of a key with g = 2 has less variance than 0."""
    usual, other = (_estimate(Fraction(1, 2), 2, c) for c in (ZERO, ONE))
    same = usual.expectation() == other.expectation() == 2
    if not (same and min(other.outcomes()) >= 0 and _variance(other) < _variance(usual)):
        yield f"variance {_variance(other)} and {_variance(usual)}"


@check("pws-proportional-is-best")
def pws_proportional_is_best() -> Iterator[str]:
    """Of all rates with one sum, min(1, tau g) has the least sum of g^2 (1/q - 1): all rates in twelfths, 3 keys."""

    def cost(g: Sequence[int], q: Sequence[Fraction]) -> Fraction:
        return sum((v * v * (1 / p - 1) for v, p in zip(g, q, strict=True)), ZERO)

    rates = [Fraction(n, 12) for n in range(1, 13)]
    for g in combinations_with_replacement((1, 2, 3, 5, 8), 3):
        for tau in (Fraction(1, 20), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)):
            best = [min(ONE, tau * v) for v in g]
            # the sum of g^2/q + q/tau^2 is least at min(1, tau g), key by key; so no other rates do better
            for rate, (v, p) in product(rates, zip(g, best, strict=True)):
                if v * v / rate + rate / tau**2 < v * v / p + p / tau**2:
                    yield f"g = {v}, tau = {tau}, q = {rate}"
            for others in product(rates, repeat=2):
                last = sum(best, ZERO) - sum(others, ZERO)
                if 0 < last <= 1 and cost(g, (*others, last)) < cost(g, best):
                    yield f"g = {g}, tau = {tau}, q = {(*others, last)}"


@check("pws-support")
def pws_support() -> Iterator[str]:
    """For n keys of one frequency: variance over s^2 is Var_i/(n g^2), squared bias over s^2 is the same for all n."""
    rows = discrete_rows(q=[ONE] * 6, ratio=Fraction(2), delta=Fraction(1, 10))
    estimates = maximum_likelihood(rows=rows, g=lambda i: i)
    for i in (1, 2, 4, 6):
        one = moments(row=rows[i], estimates=estimates, meant=i)
        law = Dist.of(zip(estimates[: i + 1], rows[i], strict=True))
        for n in (1, 2, 3):
            total = Dist.point(ZERO).product(*[law] * n).map(lambda parts: sum(parts, ZERO))
            mean = total.expectation()
            variance = total.expectation(lambda x: x * x) - mean**2
            s = n * i
            if variance / s**2 != one.variance / i**2 / n or (mean - s) ** 2 / s**2 != one.bias**2 / i**2:
                yield f"i = {i}, n = {n}"
