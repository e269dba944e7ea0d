"""Sample-and-threshold and the mechanisms made of it, ready to run on how often each value occurs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.premises import BITS, search_epsilon
from dpcert.audit.unbounded.sample_and_threshold.profile import profile_on_all_counts
from dpcert.audit.unbounded.sample_and_threshold.two_bins import move_bounds
from dpcert.audit.uses import compose
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need, ratio_text
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.contact import contacted_counts
from dpcert.mechanisms.sample_and_threshold.quantile_search import quantile_counts
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.mechanisms.sample_and_threshold.trie import trie_counts, yes_or_no
from dpcert.planning.levels import MOST_BRANCHING, MOST_ROUNDS
from dpcert.planning.question import number_text
from dpcert.planning.sample_threshold import beyond
from dpcert.releasing.data import Counts
from dpcert.releasing.ready import Ready, Released, Request, need_positive

MOST_CELLS = 1 << 40
DRAWN = "with one binomial number for each bin, whose law tests hold equal to that of a coin for each person"


def histogram_of(settings: dict[str, str]) -> Callable[..., tuple[tuple[Any, int], ...]]:
    """Return the sampled and thresholded histogram of counts at these settings."""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    return threshold_counts(rate=rate, threshold=threshold, drawn=by_word)


def _needed(
    request: Request, settings: dict[str, str], relation: str, allowed: Fraction | None
) -> tuple[Fraction, str]:
    """Return a delta that one histogram needs at the request's epsilon, and its theorem in words.

    The search for it ends where it is known whether `allowed` is enough, unless that is None.
    """
    rate, threshold, epsilon = probability(settings, "rate"), integer(settings, "threshold", least=1), request.epsilon
    if relation == "add-remove":
        ratio, _ = search_epsilon(epsilon).exp_bounds(BITS)
        needed, theorem = greatest_delta(rate=rate, threshold=threshold, ratio=ratio).delta, "all counts"
    else:
        needed, theorem = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon).hi, "all moves"
        if allowed is not None and needed > allowed:  # searched on, as a plan does
            closer = move_bounds(rate=rate, threshold=threshold, epsilon=epsilon, delta=allowed).hi
            needed = min(needed, closer)
    return needed, f"the theorem of {theorem} (docs/explanation/all-counts.md)"


def sample_threshold(request: Request) -> Ready:
    """Return sample-and-threshold at these settings, with the delta that all counts need at an epsilon."""
    return _one_histogram(request, request.take("rate", "threshold"), shows_counts=True)


def heavy_hitters(request: Request) -> Ready:
    """Return the same histogram; without counts only the values that it shows."""
    settings = request.take("rate", "threshold", counts="yes")
    return _one_histogram(request, settings, shows_counts=yes_or_no(settings, "counts"))


def _one_histogram(request: Request, settings: dict[str, str], *, shows_counts: bool) -> Ready:
    relation = request.relation("add-remove", "substitute")
    need_positive(request.epsilon)
    program = histogram_of(settings)
    needed, theorem = _needed(request, settings, relation, request.delta)
    guarantee = request.within(needed)
    claim = "counts_differ_by_one" if relation == "add-remove" else relation
    rests_on = (
        f"{theorem}, for the program of `dpcert audit {request.mechanism}`, {DRAWN}; "
        f"to check it again: dpcert audit sample-threshold --set rate={settings['rate']} "
        f"--set threshold={settings['threshold']} --neighbours {claim} --epsilon '{request.epsilon}' "
        f"--delta {ratio_text(guarantee.delta)}"
    )
    if shows_counts:
        return Ready(program, ("value", "count"), guarantee, relation, rests_on, settings)

    def shown(counts: Counts, coins: Coins) -> Released:
        return [(label,) for label, _ in program(counts, coins)]

    return Ready(shown, ("value",), guarantee, relation, rests_on, settings)


def _composed(request: Request, settings: dict[str, str], rounds: int) -> tuple[ApproxDP, str, str]:
    """Return the guarantee of so many histograms, each chosen by those before, the relation, and the reasons.

    One person more changes one bin of each histogram, or none, by one; a person who is replaced changes two.
    """
    relation = request.relation("add-remove", "substitute")
    need_positive(request.epsilon)
    uses = rounds if relation == "add-remove" else 2 * rounds
    one = profile_on_all_counts({"rate": settings["rate"], "threshold": settings["threshold"]})
    needed = compose([(one, uses)]).delta_at(request.epsilon).hi
    rests_on = (
        f"{uses} counts change by one, in {rounds} histograms: the composition of the profile of all counts "
        f"(docs/explanation/all-counts.md), for the program of `dpcert audit {request.mechanism}`, {DRAWN}"
    )
    return request.within(Fraction(1) if needed is None else needed), relation, rests_on


def trie(request: Request) -> Ready:
    """Return TrieHH++ on texts: at each length the beginnings that are sampled often enough, and whole values."""
    settings = request.take("rate", "threshold", "levels", ancestors="yes")
    levels = integer(settings, "levels", least=1, greatest=MOST_ROUNDS)
    guarantee, relation, rests_on = _composed(request, settings, levels)
    grown = trie_counts(
        histogram=histogram_of(settings),
        prefix=beginning,
        levels=levels,
        ancestors=yes_or_no(settings, "ancestors"),
    )

    def release(counts: Counts, coins: Coins) -> Released:
        rows = (row for level in grown(counts, coins) for row in level)
        return [(text, "yes" if whole else "no", count) for (text, whole), count in rows]

    notes = {"reading": f"each count is of a sample of its level: divide by {settings['rate']} for estimates"}
    return Ready(release, ("beginning", "whole", "count"), guarantee, relation, rests_on, settings, notes)


def beginning(text: str, level: int) -> tuple[str, bool] | None:
    """Return the first `level` characters of a text and False; one level after its last one, itself and True."""
    return None if level > len(text) + 1 else (text[:level], level > len(text))


def _places(
    settings: dict[str, str], cells: int
) -> tuple[Callable[[Counts], list[tuple[int, int]]], Callable[..., str]]:
    """Return the function from counts of numbers to counts of cells of [low, high), and from a cell to its start.

    Numbers outside are taken for the nearest cell.
    """
    low, high = exact(settings["low"], "low"), exact(settings["high"], "high")
    need(low < high, f"low={settings['low']}, high={settings['high']}", "low < high", "exchange them")

    def held(counts: Counts) -> list[tuple[int, int]]:
        found: dict[int, int] = {}
        for value, count in counts:
            try:
                place = int((exact(value, "value") - low) / (high - low) * cells // 1)
            except InputError:
                given = "a value that is no number"
                raise InputError(given=given, needed="numbers, such as 3, 1/2 or 0.25", remedy="leave it out") from None
            place = min(max(place, 0), cells - 1)
            found[place] = found.get(place, 0) + count
        return sorted(found.items())

    return held, lambda cell: number_text(low + cell * (high - low) / cells)


def hierarchical(request: Request) -> Ready:
    """Return the hierarchical histogram of numbers in [low, high): counts of cells at every level."""
    settings = request.take("rate", "threshold", "levels", branching="2", low="0", high="1")
    branching = integer(settings, "branching", least=2, greatest=MOST_BRANCHING)
    levels = integer(settings, "levels", least=1, greatest=MOST_ROUNDS)
    need(branching**levels <= MOST_CELLS, f"branching={branching}, levels={levels}", "2^40 cells at most", "lower one")
    guarantee, relation, rests_on = _composed(request, settings, levels)
    held, start = _places(settings, branching**levels)
    grown = trie_counts(
        histogram=histogram_of(settings),
        prefix=lambda cell, level: cell // branching ** (levels - level),
        levels=levels,
        ancestors=False,
    )

    def release(counts: Counts, coins: Coins) -> Released:
        widths = [branching ** (levels - level) for level in range(1, levels + 1)]
        found = zip(widths, grown(held(counts), coins), strict=True)
        return [(start(cell * n), start((cell + 1) * n), count) for n, level in found for cell, count in level]

    notes = {"reading": f"each count is of a sample of its level: divide by {settings['rate']} for estimates"}
    return Ready(release, ("start", "end", "count"), guarantee, relation, rests_on, settings, notes)


def quantile(request: Request) -> Ready:
    """Return the search for a quantile of numbers in [low, high): a histogram of two halves for each step."""
    settings = request.take("rate", "threshold", "halvings", phi="1/2", low="0", high="1")
    halvings = integer(settings, "halvings", least=1, greatest=40)
    guarantee, relation, rests_on = _composed(request, settings, halvings)
    held, start = _places(settings, 1 << halvings)
    search = quantile_counts(histogram=histogram_of(settings), phi=probability(settings, "phi"), halvings=halvings)

    def release(counts: Counts, coins: Coins) -> Released:
        steps = ((split, dict(bins)) for split, bins in search(held(counts), coins))
        return [(start(split), shown.get(0, 0), shown.get(1, 0)) for split, shown in steps]

    notes = {"reading": "dpcert estimate says in which cell the search ends"}
    return Ready(release, ("split", "below", "above"), guarantee, relation, rests_on, settings, notes)


def contacted(request: Request) -> Ready:
    """Return the contacted histogram of exactly n people: sample-and-threshold, but for a size above `asked`."""
    settings, relation = request.take("n", "m", "asked", "threshold"), request.relation("substitute")
    need_positive(request.epsilon)
    n = integer(settings, "n", least=2, greatest=10**9)
    m = integer(settings, "m", least=1, greatest=n - 1)
    asked, threshold = integer(settings, "asked", least=m, greatest=n), integer(settings, "threshold", least=1)
    too_many = (1 + request.epsilon.exp_bounds(BITS)[1]) * beyond(n, m, asked)
    allowed = None if request.delta is None or request.delta <= too_many else request.delta - too_many
    sampled, theorem = _needed(request, {**settings, "rate": f"{m}/{n}"}, relation, allowed)
    guarantee = request.within(min(Fraction(1), sampled + too_many))
    program = contacted_counts(n=n, m=m, asked=asked, threshold=threshold, quick=True)

    def release(counts: Counts, coins: Coins) -> Released:
        if sum(count for _, count in counts) != n:
            given, needed = "another number of people", f"exactly n = {n}, which is public"
            raise InputError(given=given, needed=needed, remedy="set n to match")
        return program(counts, coins)

    rests_on = (
        f"{theorem} and, for the size, sample-and-threshold, Lemma 4, whose row in `dpcert claims` is tested at points "
        f"and not proved; the program is that of `dpcert audit {request.mechanism}`, with one binomial number for the "
        "size and one draw for each person taken, in law equal to it, as tests hold"
    )
    return Ready(release, ("value", "count"), guarantee, relation, rests_on, settings)
