"""The closed registry of families: the planner of each, its neighbour relations, and whether it has a delta."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.planning.clipped import plan_clipped_l1, plan_clipped_l2
from dpcert.planning.compact import plan_compact
from dpcert.planning.contacting import plan_contacted
from dpcert.planning.frequencies import Frequencies, read_frequencies
from dpcert.planning.histograms import plan_histogram
from dpcert.planning.levels import plan_levels
from dpcert.planning.noisy_count import plan_fastsample, plan_geosample
from dpcert.planning.one_key import plan_sbh
from dpcert.planning.privhist import plan_privhist
from dpcert.planning.proposal import Proposal
from dpcert.planning.question import Budget, Question
from dpcert.planning.sample_threshold import plan_sample_threshold
from dpcert.planning.sparse import plan_pure_sparse
from dpcert.planning.stability import plan_stability
from dpcert.planning.weighted import plan_pws


@dataclass(frozen=True, slots=True)
class Family:
    """The planner of a mechanism, its relations, and whether the mechanism is private without a delta."""

    plan: Callable[[Question, Budget, Frequencies | None], Proposal]
    relations: tuple[str, ...]
    pure: bool = False


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sample-threshold": Family(plan_sample_threshold, ("add-remove", "substitute")),
        "contacted-histogram": Family(plan_contacted, ("substitute",)),
        "trie-heavy-hitters": Family(plan_levels, ("add-remove",)),
        "heavy-hitters": Family(plan_levels, ("add-remove",)),
        "quantile-search": Family(plan_levels, ("add-remove",)),
        "hierarchical-histogram": Family(plan_levels, ("add-remove",)),
        "stability-histogram": Family(plan_stability, ("substitute",)),
        "basic-histogram": Family(plan_histogram, ("substitute",), pure=True),
        "keep-heavy": Family(plan_histogram, ("substitute",), pure=True),
        "sbh": Family(plan_sbh, ("counts_differ_by_one",)),
        "sbh-sampled": Family(plan_sbh, ("counts_differ_by_one",)),
        "geosample": Family(plan_geosample, ("counts_differ_by_one",), pure=True),
        "fastsample": Family(plan_fastsample, ("counts_differ_by_one",), pure=True),
        "pure-sparse-histogram": Family(plan_pure_sparse, ("substitute",), pure=True),
        "compact-histogram": Family(plan_compact, ("substitute",), pure=True),
        "pws-keys": Family(plan_pws, ("counts_differ_by_one",)),
        "pws-frequencies": Family(plan_pws, ("counts_differ_by_one",)),
        "clipped-sum-l1": Family(plan_clipped_l1, ("replace-user",), pure=True),
        "clipped-sum-l2": Family(plan_clipped_l2, ("replace-user",)),
        "privhist": Family(plan_privhist, ("sorted-l1",), pure=True),
    }
)
"""Each family by the name of its mechanism."""


def budget_of(question: Question) -> Budget:
    """Return the budget of a question.

    Raises: InputError for a mechanism that no one plans, and for a budget that its family does not take.
    """
    family = FAMILIES.get(question.mechanism)
    if family is None:
        given, needed = f"plan {question.mechanism}", f"one of {', '.join(FAMILIES)}"
        raise InputError(given=given, needed=needed, remedy="name one of these")
    return Budget.of(
        question.epsilon, question.delta, question.neighbours, relations=family.relations, pure=family.pure
    )


def proposal_for(question: Question) -> Proposal:
    """Return the proposal of the search for a question's best parameters.

    Raises: InputError for a budget, settings or a file that cannot be used.
    """
    budget = budget_of(question)
    found = None if question.frequencies is None else read_frequencies(question.frequencies)
    proposal = FAMILIES[question.mechanism].plan(question, budget, found)
    if found is None or not found.zeros:
        return proposal
    return replace(proposal, notes=(*proposal.notes, f"{found.zeros} rows of frequency 0 were left out"))
