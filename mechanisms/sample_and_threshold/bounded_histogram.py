"""Sample-and-threshold on users with several labels each: bounded, then sampled label by label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice, product
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.domain import Domain
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.basic_histogram import MAX_LISTS, Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts, threshold_histogram_law

Label = Any
Record = Sequence[Label]
"""The labels of one user, in an order that is the user's own; one may occur more than once."""


def bounded(record: Record, bound: int) -> list[Label]:
    """Return the first `bound` of a user's labels, each once."""
    return list(islice(dict.fromkeys(record), bound))


def bounded_counts(users: Iterable[Record], bound: int) -> list[tuple[Label, int]]:
    """Return, for each label in order, how many users have it among their first `bound` labels.

    Claims: replacing a user changes at most 2 bound counts, each by one: the counts of labels that the bound leaves in
            one of the two records alone.
    """
    counts: dict[Label, int] = {}
    for record in users:
        for label in bounded(record, bound):
            counts[label] = counts.get(label, 0) + 1
    return sorted(counts.items())


def bounded_histogram(*, rate: Fraction, threshold: int, bound: int) -> Callable[[Sequence[Record], Coins], Bins]:
    """Take at most `bound` labels of each user, each with probability `rate`; release the labels taken often enough.

    Requires: 0 < rate < 1, threshold >= 1, bound >= 1; inputs are lists of users, each a list of labels.
    Claims:   (e, delta)-DP when one user is replaced, wherever 2 bound uses of `sample_threshold` together are, for
              counts that differ by one: that many counts change, and each is sampled by coins of its own.
    Source:   sample-and-threshold, Section 3.1, for one label of each user; the bound is this project's.
    """
    by_counts = threshold_counts(rate=rate, threshold=threshold)
    return lambda users, coins: by_counts(bounded_counts(users, bound), coins)


def bounded_histogram_law(
    *, rate: Fraction, threshold: int, bound: int, universe: int
) -> Callable[[Sequence[Record]], Dist]:
    """Return the law of `bounded_histogram` in closed form: the law of the histogram of the bounded labels."""
    law = threshold_histogram_law(rate=rate, threshold=threshold, universe=universe)

    def left(record: Record) -> list[Label]:
        return [label for place, label in enumerate(record) if label not in record[:place]][:bound]

    return lambda users: law(list(chain.from_iterable(left(record) for record in users)))


def user_records(users: int, universe: int, most: int) -> list[list[list[int]]]:
    """Return every list of so many users with at most `most` labels each.

    Raises: InputError where there are more than MAX_LISTS.
    """
    amount = sum(universe**length for length in range(most + 1)) ** users
    if amount > MAX_LISTS:
        given, needed = f"users={users}, universe={universe}, most={most}", f"at most {MAX_LISTS} lists of users"
        raise InputError(given=given, needed=needed, remedy="lower one of them")
    records = [list(record) for length in range(most + 1) for record in product(range(universe), repeat=length)]
    return [[list(record) for record in chosen] for chosen in product(records, repeat=users)]


def users_with_labels(universe: int) -> Domain:
    """Return the domain of the lists of users, each a list of labels from 0 to universe - 1."""

    def fault(value: object) -> str | None:
        if type(value) is not list or any(type(record) is not list for record in value):
            return "which is no list of lists"
        labels = list(chain.from_iterable(value))
        if any(type(label) is not int or not 0 <= label < universe for label in labels):
            return f"with a label that is no int from 0 to {universe - 1}"
        return None

    return Domain(f"a list of users, each a list of labels from 0 to {universe - 1}", fault, "write [[0, 1], [0]]")


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    bound, universe = integer(settings, "bound", least=1), integer(settings, "universe", least=1, greatest=100)
    changed, ratio = min(2 * bound, universe), 2 / (1 - rate)
    return Instance(
        program=bounded_histogram(rate=rate, threshold=threshold, bound=bound),
        closed_form=bounded_histogram_law(rate=rate, threshold=threshold, bound=bound, universe=universe),
        inputs=tuple(
            user_records(
                integer(settings, "users", least=1, greatest=100), universe, integer(settings, "most", least=1)
            )
        ),
        neighbours="replace-user",
        epsilon=Epsilon.ln(ratio**changed),
        delta=min(Fraction(1), changed * kl_delta(rate=rate, threshold=threshold, ratio=ratio)),
        domain=users_with_labels(universe),
    )


BOUNDED_HISTOGRAM = Mechanism(
    name="bounded-histogram",
    words="sample-threshold-histogram of users with several labels each, of which a bounded number counts",
    source="sample-and-threshold, Section 3.1, with a bound on what a user contributes",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each label of each user is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("bound", "1", "how many labels of a user count; the first ones, each once"),
        Parameter("universe", "2", "the number of labels, 0 to universe - 1"),
        Parameter("users", "2", "the number of users audited"),
        Parameter("most", "2", "the greatest number of labels of an audited user; any more are taken"),
    ),
    build=_build,
)
