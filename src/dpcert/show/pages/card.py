"""One audited claim as a page shows it: its line, its numbers, and its charts."""

from dataclasses import dataclass

from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.show.blocks import notes_of, parts_of
from dpcert.show.numbers import about, epsilon_text, number_of
from dpcert.show.pages.charts import profile_chart, witness_chart
from dpcert.show.pages.document import Document, Reported
from dpcert.show.pages.ink import Plot, file_words
from dpcert.show.place import Source
from dpcert.show.severity import gravity, headed
from dpcert.show.witness import none_is_enough
from dpcert.worker.jobs import Missing
from dpcert.worker.result import Result

BITS = 40
FARTHEST = "1e300"
"""Where no epsilon is known to do, the claim sorts as this one."""
LONG = 24


@dataclass(frozen=True, slots=True)
class Card:
    """One result: `parts` and `notes` are those of the block that `dpcert audit` prints, a part with the code after it.

    `claimed` is the claim in short. `least_epsilon` and `least_delta` are rounded outwards. The keys are decimals by
    which claims sort. `gaps` says why a chart is missing, where one could be. `source` is the text of the target's
    function.
    """

    place: int
    target: str
    verdict: str
    parts: tuple[tuple[str, str, str], ...]
    sentence: str
    claimed: str
    method: str
    least_epsilon: str
    least_delta: str
    epsilon_key: str
    delta_key: str
    pairs: int
    notes: tuple[str, ...]
    source: Source | None
    charts: tuple[Plot, ...]
    gaps: tuple[str, ...]


def cards_of(document: Document) -> list[Card]:
    """Return a card for each result of a document, the gravest first."""
    ordered = sorted(document.results, key=lambda row: gravity(row.result))
    return [_card(place, row) for place, row in enumerate(ordered, 1)]


def _card(place: int, row: Reported) -> Card:
    result, claim, hi = row.result, row.result.claim, row.result.epsilon.hi
    name = f"{place}-{file_words(result.target)}"
    charts, gaps = [], []
    beside = ", with ideal noise" if result.method in ("ideal", "every") else ""
    witness, profile = (None, None) if row.picture is None else (row.picture.witness, row.picture.profile)
    chart = witness_chart(result, witness, name)
    if chart is not None:
        charts.append(chart)
    if isinstance(witness, Missing):
        gaps.append(f"The laws of the two inputs are not shown: {witness.reason}.")
    if isinstance(profile, Missing):
        gaps.append(f"No profile is shown: {profile.reason}.")
    elif profile is not None:
        charts.append(profile_chart(profile, name))
    return Card(
        place=place,
        target=result.target,
        verdict=result.verdict,
        parts=tuple((label, *text.partition("\n")[::2]) for label, text in parts_of(result)),
        sentence=f"{headed(result)}{claim.sentence}",
        claimed=f"({claim.epsilon}, {claim.delta.removesuffix('/1')}) for {claim.neighbours}{beside}",
        method=result.method,
        least_epsilon=_least_epsilon(result),
        least_delta=_least_delta(result),
        epsilon_key=FARTHEST if hi is None else decimal_hi(epsilon_bounds(Epsilon.of(hi), BITS)[1]),
        delta_key=decimal_hi(number_of(result.delta.hi)),
        pairs=result.pairs,
        notes=tuple(notes_of(result)),
        source=row.source,
        charts=tuple(charts),
        gaps=tuple(gaps),
    )


def _least_epsilon(result: Result) -> str:
    lo, hi = result.epsilon.lo, result.epsilon.hi
    if hi is None:
        if result.verdict == "refuted" and result.method != "sampling" and none_is_enough(result):
            return "none is enough"
        return "none known" if lo == "0" else epsilon_text(lo, up=False) if len(lo) > LONG else f">= {lo}"
    return epsilon_text(hi, up=True)


def _least_delta(result: Result) -> str:
    lo, hi = result.delta.lo, result.delta.hi
    if lo == hi:
        return about(hi)
    if number_of(lo) == 0 and number_of(hi) == 1:
        return "not known"
    return f">= {decimal_lo(number_of(lo))}" if result.verdict == "refuted" else f"<= {decimal_hi(number_of(hi))}"
