"""Private weighted sampling as curves: how often a key is reported, by its frequency."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from dpcert.mechanisms.decimals import decimal_lo
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.gains import laplace_reporting
from dpcert.mechanisms.weighted_sampling.pws_keys import (
    PWS_KEYS,
    key_parameters,
    reporting_probabilities,
    sampling_probabilities,
)
from dpcert.show.pages.ink import Plot, file_words
from dpcert.show.pages.line_chart import Curves, line_chart
from dpcert.worker.result import Result

MOST = 400
"""Up to which frequency is drawn, at most."""
EXAMPLES = (
    {"epsilon": "ln(11/10)", "delta": "1/100", "q": "1", "imax": "110", "bits": "0"},
    {"epsilon": "ln(5/4)", "delta": "1/1000000", "q": "priority:1/100", "imax": "200", "bits": "0"},
)


def weighted_charts(results: Iterable[Result]) -> list[Plot]:
    """Return a chart for each audited `pws-keys`, at its parameters, or two examples where none was audited."""
    audited = [result.claim.parameters for result in results if result.target == PWS_KEYS.name]
    return [_chart(PWS_KEYS.settings(settings)) for settings in audited or EXAMPLES]


def _chart(settings: Mapping[str, str]) -> Plot:
    epsilon, delta, _ = key_parameters(settings)
    most = min(integer(settings, "imax", least=1), MOST)
    q, ratio = sampling_probabilities(settings["q"], most), rational_ratio(epsilon)
    reported = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    lines: list[tuple[str, list[Fraction]]] = [("private weighted sampling", reported)]
    if all(rate == 1 for rate in q):
        lines.append(("stability-based histogram", laplace_reporting(imax=most, ratio=ratio, delta=delta)))
    else:
        lines.append(("sampled, without privacy", q))
    curves = Curves(
        x="frequency",
        y="probability of a report",
        at=[str(frequency) for frequency in range(1, most + 1)],
        lines=tuple((name, [decimal_lo(value) for value in values]) for name, values in lines),
    )
    half = next((place for place, value in enumerate(reported, 1) if value >= Fraction(1, 2)), None)
    at = f"epsilon {epsilon}, delta {settings['delta']}, q = {settings['q']}"
    words = f"Curves: the probability that a key is reported over its frequency from 1 to {most}, at {at}. " + (
        "Below one half throughout." if half is None else f"One half from frequency {half} on."
    )
    name = "weighted-" + file_words(f"{epsilon}-{settings['delta']}-{settings['q']}")
    return line_chart(curves, name=name, title=f"Reporting probabilities at {at}", words=words)
