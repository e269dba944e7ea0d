"""The closed registry of families: the planner of each, its neighbour relations, and whether it has a delta."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.nearest import nearest
from dpcert.planning.clipped import plan_clipped_l1, plan_clipped_l2
from dpcert.planning.compact import plan_compact
from dpcert.planning.contacting import plan_contacted
from dpcert.planning.frequencies import Frequencies, read_frequencies
from dpcert.planning.levels import plan_levels
from dpcert.planning.noisy_count import plan_fastsample, plan_geosample, plan_histogram
from dpcert.planning.one_key import plan_sbh
from dpcert.planning.privhist import plan_privhist
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Budget, Question
from dpcert.planning.sample_threshold import plan_sample_threshold
from dpcert.planning.sparse import plan_pure_sparse
from dpcert.planning.stability import plan_stability
from dpcert.planning.weighted import plan_pws
from dpcert.targets.catalogue import BUILT_IN


@dataclass(frozen=True, slots=True)
class Family:
    """The planner of a mechanism, its relations, and whether the mechanism is private without a delta.

    With a `frontier`, it has two parameters to trade. With `rows`, the first relation stands for `add-remove`, too: one
    row more changes one count by one. `fileless` says why it takes no file of frequencies.
    """

    plan: Callable[[Question, Budget, Frequencies | None], Proposal]
    relations: tuple[str, ...]
    pure: bool = False
    frontier: bool = False
    rows: bool = False
    fileless: str = ""


COUNTS = ("counts_differ_by_one", "add-remove")
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sample-threshold": Family(plan_sample_threshold, ("add-remove", "substitute"), frontier=True),
        "contacted-histogram": Family(
            plan_contacted, ("substitute",), fileless="the number contacted does not depend on it"
        ),
        **dict.fromkeys(
            ("trie-heavy-hitters", "heavy-hitters", "quantile-search", "hierarchical-histogram"),
            Family(plan_levels, ("add-remove",), fileless="what is shown of a label depends on its prefixes"),
        ),
        "stability-histogram": Family(plan_stability, ("substitute",), frontier=True),
        **dict.fromkeys(("basic-histogram", "keep-heavy"), Family(plan_histogram, ("substitute",), pure=True)),
        **dict.fromkeys(("sbh", "sbh-sampled"), Family(plan_sbh, COUNTS, frontier=True, rows=True)),
        "geosample": Family(plan_geosample, ("counts_differ_by_one",), pure=True),
        "fastsample": Family(plan_fastsample, ("counts_differ_by_one",), pure=True),
        "pure-sparse-histogram": Family(
            plan_pure_sparse, ("substitute",), pure=True, fileless="its accuracy does not depend on the precision"
        ),
        "compact-histogram": Family(plan_compact, ("substitute",), pure=True),
        **dict.fromkeys(("pws-keys", "pws-frequencies"), Family(plan_pws, COUNTS, frontier=True, rows=True)),
        "clipped-sum-l1": Family(plan_clipped_l1, ("replace-user",), pure=True),
        "clipped-sum-l2": Family(
            plan_clipped_l2, ("replace-user",), fileless="the l2 norms of users do not follow from their sizes"
        ),
        "privhist": Family(plan_privhist, ("sorted-l1", "add-remove"), pure=True, rows=True),
    }
)
"""Each family by the name of its mechanism."""


def budget_of(question: Question) -> Budget:
    """Return the budget of a question.

    Raises: InputError for a mechanism that no one plans, and for a budget that its family does not take.
    """
    family = FAMILIES.get(question.mechanism)
    if family is None:
        remedy = "name one of these: its parameters are not planned"
        if question.mechanism not in BUILT_IN:
            remedy = nearest(question.mechanism, FAMILIES, "name one of these")
        raise InputError(given=f"plan {question.mechanism}", needed="a name from `dpcert list --plans`", remedy=remedy)
    asked = (question.epsilon, question.delta, question.neighbours)
    budget = Budget.of(*asked, relations=family.relations, pure=family.pure)
    return replace(budget, audited=family.relations[0]) if family.rows else budget


def proposal_for(question: Question) -> Proposal:
    """Return the proposal of the search for a question's best parameters.

    Raises: InputError for a budget, settings or a file that cannot be used.
    """
    budget, family = budget_of(question), FAMILIES[question.mechanism]
    if question.frontier and not family.frontier:
        needed = f"one of {', '.join(name for name, one in FAMILIES.items() if one.frontier)}: two parameters to trade"
        given = f"--frontier for {question.mechanism}"
        raise InputError(given=given, needed=needed, remedy="leave --frontier out")
    found = None if question.frequencies is None else read_frequencies(question.frequencies)
    if found is not None and family.fileless:
        given = f"--frequencies for plan {question.mechanism}"
        raise InputError(given=given, needed=f"no file: {family.fileless}", remedy="leave it out")
    proposal = family.plan(question, budget, found)
    if family.rows and budget.neighbours != budget.audited:
        note = f"one row more changes one count by one: the audits are for {budget.audited} neighbours"
        proposal = replace(proposal, notes=(*proposal.notes, note))
    if found is None or not found.zeros:
        return proposal
    return replace(proposal, notes=(*proposal.notes, f"{found.zeros} rows of frequency 0 were left out"))
