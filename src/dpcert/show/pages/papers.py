"""The papers as a page shows them: curves of printed bounds and of weighted sampling, the ledger, and the errata."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.accounting import advanced, basic, optimal
from dpcert.audit.unbounded.sample_and_threshold.printed_bounds import ParameterPoint, lemma_3, needed, theorem_2
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds, ln_bounds
from dpcert.mechanisms.mechanism import integer, rational_ratio
from dpcert.mechanisms.weighted_sampling.gains import laplace_reporting
from dpcert.mechanisms.weighted_sampling.pws_keys import (
    PWS_KEYS,
    key_parameters,
    reporting_probabilities,
    sampling_probabilities,
)
from dpcert.proofs.ledger import FAILING, STATUSES, Entry
from dpcert.proofs.registry import rows
from dpcert.run.claims import entries, status_counts
from dpcert.show.pages.charts import Curves, line_chart
from dpcert.show.pages.ink import Plot, file_words
from dpcert.worker.result import Result

BITS = 128
THRESHOLDS = range(1, 31)
RATE, RATIO = Fraction(1, 10), Fraction(3, 2)
USES = (1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200)
EACH, SLACK = Fraction(11, 10), Fraction(1, 10**6)


def bounds_charts() -> list[Plot]:
    """Return the charts of this part: sample-and-threshold, and composition. All values are rounded up."""
    return [_sample_and_threshold(), _composition()]


def _sample_and_threshold() -> Plot:
    points = [ParameterPoint(threshold, RATE, RATIO) for threshold in THRESHOLDS]
    printed = [(theorem_2(point), lemma_3(point)) for point in points]
    curves = Curves(
        x="threshold",
        y="delta",
        at=[str(threshold) for threshold in THRESHOLDS],
        lines=(
            ("exact", [decimal_hi(needed(point, moves=False)[1]) for point in points]),
            ("Theorem 2", [None if both[0] is None else decimal_hi(both[0][1]) for both in printed]),
            ("Lemma 3", [None if both[1] is None else decimal_hi(both[1][1]) for both in printed]),
        ),
        logarithmic=True,
    )
    last = [values[-1] for _, values in curves.lines]
    words = (
        f"Curves: delta over the threshold from 1 to {THRESHOLDS[-1]}, at rate {RATE} and epsilon ln({RATIO}), when "
        f"one person comes or goes. At {THRESHOLDS[-1]}: {last[0]}, by Theorem 2 {last[1]}, by Lemma 3 {last[2]}."
    )
    title = f"Sample-and-threshold: delta at rate {RATE}, epsilon ln({RATIO})"
    return line_chart(curves, name="bounds-sample-and-threshold", title=title, words=words)


def _composition() -> Plot:
    epsilon = Epsilon.ln(EACH)
    exact, added, root = [], [], []
    for times in USES:
        spent = [(epsilon, Fraction(0), times)]
        ratio = optimal(spent).ratio_at(SLACK).hi
        exact.append(None if ratio is None else decimal_hi(ln_bounds(ratio, BITS)[1]))
        added.append(decimal_hi(epsilon_bounds(basic(spent)[0], BITS)[1]))
        most = advanced(spent, SLACK)[0].hi
        root.append(None if most is None else decimal_hi(most))
    curves = Curves(
        x="uses",
        y="epsilon",
        at=[str(times) for times in USES],
        lines=(("exact", exact), ("advanced theorem", root), ("basic theorem", added)),
    )
    words = (
        f"Curves: epsilon at delta 1e-6 over the number of uses, each of epsilon ln({EACH}), up to {USES[-1]}. There: "
        f"exactly {exact[-1]}, by the advanced theorem {root[-1]}, by the basic one {added[-1]}."
    )
    title = f"Composition: epsilon at delta 1e-6, each use of epsilon ln({EACH})"
    return line_chart(curves, name="bounds-composition", title=title, words=words)


MOST_FREQUENCY = 400
"""Up to which frequency is drawn, at most."""
EXAMPLES = (
    {"epsilon": "ln(11/10)", "delta": "1/100", "q": "1", "imax": "110", "bits": "0"},
    {"epsilon": "ln(5/4)", "delta": "1/1000000", "q": "priority:1/100", "imax": "200", "bits": "0"},
)


def weighted_charts(results: Iterable[Result]) -> list[Plot]:
    """Return a chart for each audited `pws-keys`, at its parameters, or two examples where none was audited."""
    audited = [result.claim.parameters for result in results if result.target == PWS_KEYS.name]
    return [_weighted_chart(PWS_KEYS.settings(settings)) for settings in audited or EXAMPLES]


def _weighted_chart(settings: Mapping[str, str]) -> Plot:
    epsilon, delta, _ = key_parameters(settings)
    most = min(integer(settings, "imax", least=1), MOST_FREQUENCY)
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


@dataclass(frozen=True, slots=True)
class Ledger:
    """The rows, the papers and statuses that occur, and how many rows have each status."""

    rows: tuple[Entry, ...]
    papers: tuple[str, ...]
    statuses: tuple[str, ...]
    counts: str


@dataclass(frozen=True, slots=True)
class Errata:
    """A printed statement that is false: its place, its smallest witness, the corrected form, and its repetitions."""

    paper: str
    location: str
    statement: str
    witness: str
    corrected: str
    repeated: str


def ledger_table() -> Ledger:
    """Return the ledger as it is recorded; `dpcert claims` runs the checks behind it again."""
    every = tuple(entries())
    return Ledger(every, tuple(dict.fromkeys(row.paper for row in every)), STATUSES, status_counts(every))


def errata(status: str = "refuted") -> list[Errata]:
    """Return every error once, its root with the corrected form; or, with the status `unreadable`, every such place."""
    every = entries()
    held: dict[str, str] = {}
    for row in rows():
        if row.corrects is not None and row.status not in FAILING:
            held.setdefault(row.corrects, row.statement)
    again: dict[str, list[str]] = {}
    for entry in every:
        if entry.repeats is not None:
            again.setdefault(entry.repeats, []).append(entry.location)
    return [
        Errata(
            entry.paper,
            entry.location,
            entry.statement,
            entry.witness or "",
            held.get(entry.id, ""),
            ", ".join(again.get(entry.id, [])),
        )
        for entry in every
        if entry.status == status and entry.repeats is None
    ]
