"""Users with several labels each: a bound on the labels of one, and the guarantee for all counts that change."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.unbounded.sample_and_threshold.profile import profile_on_all_counts
from dpcert.audit.uses import compose
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import epsilon_bounds
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import bounded_counts
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.releasing.data import Counts, Users
from dpcert.releasing.ready import Drawn, Ready, Released, Request, need_positive
from dpcert.releasing.sampling import DRAWN

MOST_BOUND = 1000
BITS = 64
CHANGED = (
    "the bound on labels: the first ones of each user count, in the order of hashes of user and label; "
    "replacing a user changes"
)


def _on_users(
    program: Callable[[Counts, Coins], Released | Drawn], bound: int
) -> Callable[[Users, Coins], Released | Drawn]:
    """Return the program on the counts of the labels that are left of users."""
    return lambda users, coins: program(bounded_counts(users.records(), bound), coins)


def bounded_sample_threshold(request: Request) -> Ready:
    """Return sample-and-threshold of users' bounded labels, with the delta of all changed counts together."""
    settings, relation = request.take("rate", "threshold", "bound"), request.relation("replace-user")
    need_positive(request.epsilon)
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1, greatest=1000)
    bound = integer(settings, "bound", least=1, greatest=MOST_BOUND)
    one = profile_on_all_counts({"rate": settings["rate"], "threshold": settings["threshold"]})
    needed = compose([(one, 2 * bound)]).delta_at(request.epsilon).hi
    guarantee = request.within(Fraction(1) if needed is None else needed)
    rests_on = (
        f"{CHANGED} {2 * bound} counts by one: the composition of the profile of all counts "
        f"(docs/explanation/all-counts.md), for the program of `dpcert audit {request.mechanism}`, {DRAWN}"
    )
    program = _on_users(threshold_counts(rate=rate, threshold=threshold, drawn=by_word), bound)
    return Ready(program, ("value", "count"), guarantee, relation, rests_on, settings, reads="records")


def bounded_ready(ready: Callable[[Request], Ready]) -> Callable[[Request], Ready]:
    """Return a function that makes a mechanism ready, for users too, where a `bound` is set.

    Requires: the mechanism releases each value by its count and coins of its own, and is ready for `add-remove`.
    Claims:   with a bound B it has 1/(2 B) of epsilon and of delta for each of the 2 B counts that change, which add
              up to the guarantee when a user is replaced (theorem Privacy.composition).
    """

    def made(request: Request) -> Ready:
        if "bound" not in request.settings:
            return ready(request)
        relation = request.relation("replace-user")
        bound = integer(request.settings, "bound", least=1, greatest=MOST_BOUND)
        rest = {name: text for name, text in request.settings.items() if name != "bound"}
        # Rounded down: 2 B shares together never exceed the epsilon of the guarantee.
        share = Epsilon.of(epsilon_bounds(request.epsilon, BITS)[0] / (2 * bound))
        lost = None if request.delta is None else request.delta / (2 * bound)
        if share == Epsilon.of(0):
            raise InputError(given=f"epsilon = {request.epsilon}", needed="a greater one", remedy="write --epsilon 1")
        one = ready(replace(request, settings=rest, epsilon=share, delta=lost, neighbours="add-remove"))
        guarantee = ApproxDP(request.epsilon, min(Fraction(1), 2 * bound * one.guarantee.delta))
        rests_on = f"{CHANGED} {2 * bound} counts by one, theorem Privacy.composition, and for each: {one.rests_on}"
        return replace(
            one,
            program=_on_users(one.program, bound),
            guarantee=guarantee,
            relation=relation,
            rests_on=rests_on,
            settings={**one.settings, "bound": str(bound)},
            reads="records",
        )

    return made
