"""Anonymized histograms that are ready to run: how many values have each count, and not which."""

from collections import Counter

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import laplace_isotonic as isotonic_program
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.succinct import privhist_sampler
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.mechanism import integer
from dpcert.planning.lone import PEOPLE
from dpcert.releasing.data import Counts
from dpcert.releasing.histograms import WORDS, of_at_most
from dpcert.releasing.ready import Ready, Released, Request, need_positive, noise_to

MOST_LABELS = 10**6


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
