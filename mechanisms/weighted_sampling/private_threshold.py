"""Private weighted sampling of several keys, with a sampling threshold taken from a noisy total."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain, counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities

Outcome = tuple[int, tuple[int, ...]]
"""The noisy total, and the keys reported, in order."""

Reporting = Callable[[int], tuple[list[Fraction], list[Fraction]]]
"""From a noisy total to the sampling and the end-to-end probabilities of frequencies 1, 2, ..."""


def reporting_at(*, size: Fraction, imax: int, ratio: Fraction, delta: Fraction) -> Reporting:
    """Return the meaning of a noisy total N: priority sampling with tau = size/max(N, 1), and its pi_i.

    Source: weighted-sampling, Section 3.1, tau of about k/||f(w)||_1 for f(w) = w, and Algorithm 3.
    """

    def at(noisy: int) -> tuple[list[Fraction], list[Fraction]]:
        q = sampling_probabilities(f"priority:{size / max(noisy, 1)}", imax)
        return q, reporting_probabilities(q=q, ratio=ratio, delta=delta)

    return at


def private_threshold(
    *, total: Callable[[int, Coins], int], reporting: Reporting
) -> Callable[[Sequence[int], Coins], Outcome]:
    """Release a noisy total of all frequencies, and a subset of the keys, sampled and sanitized by that total.

    A frequency for which `reporting` has no probability counts as the greatest that has one.

    Requires: inputs are the frequencies of keys 0, 1, ..., which are 0 for keys that do not occur.
    Claims:   (e + epsilon, delta)-DP for vectors at l1 distance one, if the total is (e, 0)-DP for totals that differ
              by one and the reporting (epsilon, delta)-DP for each total.
    Source:   weighted-sampling, Section 3.1: a threshold that is privately determined from the data.
    """

    def release(frequencies: Sequence[int], coins: Coins) -> Outcome:
        noisy = total(sum(frequencies), coins)
        q, pi = reporting(noisy)
        places = [min(i, len(q)) - 1 for i in frequencies]
        sample = [key for key, place in enumerate(places) if place >= 0 and coins.bernoulli(q[place])]
        kept = (key for key in sample if coins.bernoulli(pi[places[key]] / q[places[key]]))
        return noisy, tuple(kept)

    return release


def private_threshold_law(*, law: Callable[[int], Dist], reporting: Reporting) -> Callable[[Sequence[int]], Dist]:
    """Return the law of `private_threshold` in closed form: given the noisy total, keys are independent."""

    def given(noisy: int, frequencies: Sequence[int]) -> Dist:
        _, pi = reporting(noisy)
        coins = [Dist.bernoulli(pi[i - 1] if i else 0) for i in frequencies]
        return (
            Dist.point(noisy)
            .product(*coins)
            .map(lambda parts: (noisy, tuple(key for key, kept in enumerate(parts[1:]) if kept)))
        )

    return lambda frequencies: law(sum(frequencies)).bind(lambda noisy: given(noisy, frequencies))


def vectors(keys: int, imax: int) -> Domain:
    """Return the domain of the lists of `keys` frequencies from 0 to imax."""
    entry = counts(imax, noun="frequency", raising="imax")

    def fault(value: object) -> str | None:
        if type(value) is not list:
            return f"which is of type {type(value).__name__}, not list"
        if len(value) != keys:
            return f"which has length {len(value)}"
        faults = (entry.fault(one) for one in value)
        return next((f"with an entry {text}" for text in faults if text is not None), None)

    return Domain(f"a list of {keys} frequencies from 0 to {imax}", fault, "write such a list, or raise imax")


def _build(settings: Mapping[str, str]) -> Instance:
    keys, imax = integer(settings, "keys", least=1, greatest=4), integer(settings, "imax", least=1, greatest=10)
    if (imax + 1) ** keys > 200:
        raise InputError(
            given=f"keys={keys}, imax={imax}", needed="at most 200 vectors of frequencies", remedy="lower one of them"
        )
    epsilon, delta = Epsilon.of(settings["epsilon"]), exact(settings["delta"], "delta")
    spent, size = Epsilon.of(settings["total-epsilon"]), exact(settings["size"], "size")
    noise = rational_ratio(spent)
    if noise <= 1 or size <= 0 or not 0 < delta <= 1:
        raise InputError(
            given=f"total-epsilon={settings['total-epsilon']}, size={settings['size']}, delta={settings['delta']}",
            needed="total-epsilon > 0, size > 0, and delta in (0, 1]",
            remedy='write for instance "ln(2)", "1" and "1/10"',
        )
    reporting = reporting_at(size=size, imax=imax, ratio=rational_ratio(epsilon), delta=delta)
    return Instance(
        program=private_threshold(total=geometric(n=keys * imax, ratio=noise), reporting=reporting),
        closed_form=private_threshold_law(law=geometric_law(n=keys * imax, ratio=noise), reporting=reporting),
        inputs=tuple(list(vector) for vector in product(range(imax + 1), repeat=keys)),
        neighbours="l1",
        epsilon=spent + epsilon,
        delta=delta,
        domain=vectors(keys, imax),
    )


PWS_PRIVATE_THRESHOLD = Mechanism(
    name="pws-private-threshold",
    words="a noisy total, and keys sampled at the threshold that it gives, each reported as often as privacy allows",
    source="weighted-sampling, Section 3.1, Algorithms 1 to 3",
    parameters=(
        Parameter("epsilon", "ln(2)", "what the reports of keys spend"),
        Parameter("delta", "1/10", "the claimed delta, above 0"),
        Parameter("total-epsilon", "ln(2)", "what the noisy total spends; the claim is of the sum"),
        Parameter("size", "1", "the sample size that is aimed at"),
        Parameter("keys", "2", "the number of keys"),
        Parameter("imax", "3", "the greatest frequency audited"),
    ),
    build=_build,
)
