"""Private weighted sampling, sanitized frequencies: sample a key, then report it with a value that tells its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows

__all__ = ["PARAMETERS", "PWS_FREQUENCIES", "pws_frequencies"]


def pws_frequencies(*, q: Sequence[Fraction], sanitizer: Sequence[Row]) -> Callable[[int, Coins], int]:
    """Sample a key of the given frequency with probability q, then report a value j >= 1 by its row, or 0 for none.

    Requires: `sanitizer[i - 1]` is the row of a sampled key of frequency i; inputs 0..len(q), where a key of frequency
              0 is never sampled.
    Claims:   (epsilon, delta)-DP for frequencies that differ by one, where the sanitizer is of `discrete_rows` or
              `density_rows`. A sampled key costs one number below a common denominator of its row.
    Source:   weighted-sampling, Algorithms 1, 2, 4 and 5.
    Raises:   InputError for a frequency that is no integer from 0 to the greatest.
    """
    draws = [drawn(row) for row in sanitizer]
    frequencies = counts(len(q), noun="frequency", raising="imax")

    def release(frequency: int, coins: Coins) -> int:
        frequencies.require(frequency, "frequency")
        if frequency == 0 or not coins.bernoulli(q[frequency - 1]):
            return 0
        return draws[frequency - 1](coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    epsilon, delta = Epsilon.of(settings["epsilon"]), exact(settings["delta"], "delta")
    imax = integer(settings, "imax", least=1, greatest=10**3)
    if not 0 < delta <= 1:
        raise InputError(
            given=f"delta={settings['delta']}",
            needed="a number in (0, 1]: with delta = 0 no key can ever be reported",
            remedy='write for instance "1/100"',
        )
    algorithm = integer(settings, "algorithm", least=4, greatest=5)
    q = sampling_probabilities(settings["q"], imax)
    ratio = rational_ratio(epsilon)
    if algorithm == 4:
        rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    else:
        rows, _ = density_rows(q=q, ratio=ratio, delta=delta)

    def closed_form(frequency: int) -> Dist:
        return Dist.of(enumerate(rows[frequency]))

    return Instance(
        program=pws_frequencies(q=q, sanitizer=sanitizer_rows(q=q, rows=rows)),
        closed_form=closed_form,
        inputs=tuple(range(imax + 1)),
        neighbours="element",
        epsilon=epsilon,
        delta=delta,
        domain=counts(imax, noun="frequency", raising="imax"),
    )


PARAMETERS = (
    Parameter("epsilon", "1/2", "the claimed epsilon; the program uses a rational just below e^epsilon"),
    Parameter("delta", "1/100", "the claimed delta, above 0"),
    Parameter("imax", "20", "the greatest frequency audited"),
    Parameter("q", "priority:1/10", 'the sampling: "1", a list, "priority:TAU" or "ppswor:TAU"'),
    Parameter("algorithm", "4", "4: one value for each frequency; 5: values cut finer, the best separation"),
)

PWS_FREQUENCIES = Mechanism(
    name="pws-frequencies",
    words="sample a key by its frequency and report it with a value that tells frequencies apart as privacy allows",
    source="weighted-sampling, Algorithms 4 and 5, Theorem 5.1",
    parameters=PARAMETERS,
    build=_build,
)
