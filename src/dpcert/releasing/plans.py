"""Plans as requests: the JSON of `dpcert plan` names the mechanism that is released, and its settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.finite_computers.geosample import noise_ratio_of
from dpcert.releasing.families import FAMILIES
from dpcert.targets.files import file_errors, json_of

PLANNED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "sample-threshold": ("sample-threshold-histogram", ("rate", "threshold")),
    "heavy-hitters": ("heavy-hitters", ("rate", "threshold")),
    "trie-heavy-hitters": ("trie-heavy-hitters", ("rate", "threshold", "levels")),
    "hierarchical-histogram": ("hierarchical-histogram", ("rate", "threshold", "branching", "levels")),
    "quantile-search": ("quantile-search", ("rate", "threshold", "phi", "halvings")),
    "contacted-histogram": ("contacted-histogram", ("n", "m", "asked", "threshold")),
    "stability-histogram": ("stability-histogram", ("n", "threshold", "ratio")),
    "basic-histogram": ("basic-histogram", ("n", "ratio")),
    "keep-heavy": ("keep-heavy", ("n", "ratio")),
    "compact-histogram": ("compact-histogram", ("n", "beta", "universe")),
    "pws-keys": ("pws-keys", ("q", "imax", "bits")),
    "pws-frequencies": ("pws-frequencies", ("q", "imax", "bits")),
    "sbh": ("sbh", ("threshold", "ratio")),
    "sbh-sampled": ("sbh-sampled", ("threshold", "ratio", "q")),
    "clipped-sum-l1": ("clipped-sum-l1", ("clip", "grid", "ratio")),
    "clipped-sum-l2": ("clipped-sum-l2", ("clip", "grid", "sigma")),
}
"""The release of each mechanism that is planned, and which settings of the plan it takes: all on which its law depends.

The ratio of noise is that of the plan, or follows from the plan's epsilon as in the audited mechanism.
"""

BESIDES = ("low", "high", "ancestors", "counts")
"""The settings on which no guarantee depends; they may stand beside a plan."""


def refuse_unreleased(name: str, answer: Mapping[str, Any]) -> None:
    """Return if the audited program of a plan is the one that is released.

    Raises: InputError otherwise.
    """
    given, remedy = f"the plan of {name}", "plan one of these"
    if name in FAMILIES:
        remedy = "release it without the plan: its release has other parameters, and settles them by itself"
    if name in PLANNED:
        sampler = answer.get("sampler", "geosample")
        if sampler != "geosample":
            given, remedy = f"{given} with sampler={sampler}", "plan --set sampler=geosample"
        elif name == "clipped-sum-l2" and answer.get("noise") != "uncut":
            given, remedy = f"{given} with cut noise", "plan --set noise=uncut"
        else:
            return
    raise InputError(given=given, needed=f"one of {', '.join(PLANNED)}", remedy=remedy)


def planned(
    plan: Path | Mapping[str, Any],
    mechanism: str | None,
    settings: Mapping[str, str],
    epsilon: object,
    delta: object,
    neighbours: str | None,
) -> tuple[str, dict[str, str], object, object, str | None]:
    """Return mechanism, settings, epsilon, delta and relation of a plan, beside which only BESIDES may be set.

    The plan is a file of `dpcert plan --json`, or the data of such a file.

    Raises: InputError for a file that is no plan with an answer, a mechanism whose plans are not run, and where
            something was given that is not in the plan.
    """
    needed, remedy = "a file of dpcert plan --json with an answer", "write one with dpcert plan --json > plan.json"
    shown = "a plan" if isinstance(plan, Mapping) else plan
    with file_errors(shown, needed, remedy, ValueError, TypeError, KeyError):
        found = plan if isinstance(plan, Mapping) else json_of(plan)
        if not isinstance(found, Mapping):
            raise ValueError("no JSON object")
        if found["schema"] != "dpcert.plan/1":
            raise ValueError("another schema")
        name, answer, spend = found["mechanism"], found["answer"], found["budget"]
        if answer is None:
            raise ValueError("no parameter met the budget")
        texts = {key: answer[key] for key in answer}
        own = {"epsilon": spend["epsilon"], "delta": spend["delta"], "neighbours": spend["neighbours"]}
    refuse_unreleased(name, answer)
    release, names = PLANNED[name]
    given_besides = [mechanism not in (None, release, name), not settings.keys() <= set(BESIDES)]
    given_besides += [epsilon is not None, delta is not None, neighbours is not None]
    if any(given_besides):
        besides = "a mechanism, setting, epsilon, delta or relation beside a plan"
        raise InputError(given=besides, needed="the plan alone", remedy="leave it out, or the plan")
    if name.startswith("pws"):
        own["epsilon"] = texts["epsilon"]
    if name.startswith(("pws", "sbh")):
        own["neighbours"] = "add-remove"
    if "ratio" in names and "ratio" not in texts:
        texts["ratio"] = ratio_text(noise_ratio_of(exact(texts["epsilon"], "epsilon")))
    chosen = {**settings, **{key: texts[key] for key in names}}
    return release, chosen, own["epsilon"], own["delta"], own["neighbours"]
