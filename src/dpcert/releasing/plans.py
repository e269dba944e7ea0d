"""Plans as requests: what `dpcert plan --json` wrote says which mechanism is released, and how."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpcert.mechanisms.exact.errors import InputError

PLANNED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "sample-threshold": ("sample-threshold-histogram", ("rate", "threshold")),
    "stability-histogram": ("stability-histogram", ("n", "threshold")),
    "basic-histogram": ("basic-histogram", ("n",)),
    "keep-heavy": ("keep-heavy", ("n",)),
    "compact-histogram": ("compact-histogram", ("n", "beta")),
    "pws-keys": ("pws-keys", ("q", "imax", "bits")),
    "pws-frequencies": ("pws-frequencies", ("q", "imax", "bits")),
    "clipped-sum-l1": ("clipped-sum-l1", ("clip", "grid")),
    "clipped-sum-l2": ("clipped-sum-l2", ("clip", "grid", "sigma")),
}
"""The release of each mechanism that is planned, and which settings of the plan it takes."""


def planned(
    plan: Path | Mapping[str, Any],
    mechanism: str | None,
    settings: Mapping[str, str],
    epsilon: object,
    delta: object,
    neighbours: str | None,
) -> tuple[str, dict[str, str], object, object, str | None]:
    """Return mechanism, settings, epsilon, delta and relation of a plan, over which nothing else may be said.

    The plan is a file of `dpcert plan --json`, or what such a file holds.

    Raises: InputError for a file that is no plan with an answer, a mechanism whose plans are not run, and where
            something was given that is not in the plan.
    """
    needed, remedy = "a file of dpcert plan --json with an answer", "write one with dpcert plan --json > plan.json"
    shown = "a plan" if isinstance(plan, Mapping) else plan
    try:
        found = plan if isinstance(plan, Mapping) else json.loads(plan.read_text(encoding="utf-8"))
        if found["schema"] != "dpcert.plan/1":
            raise ValueError("another schema")
        name, answer, spend = found["mechanism"], found["answer"], found["budget"]
        if answer is None:
            raise ValueError("no parameter met the budget")
        texts = {key: answer[key] for key in answer}
        own = {"epsilon": spend["epsilon"], "delta": spend["delta"], "neighbours": spend["neighbours"]}
    except OSError as error:
        raise InputError(given=f"{plan}: {error.strerror}", needed=needed, remedy=remedy) from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(given=f"{shown}: {error}", needed=needed, remedy=remedy) from error
    cut = name == "clipped-sum-l2" and answer.get("noise") != "uncut"
    if name not in PLANNED or answer.get("sampler", "geosample") != "geosample" or cut:
        given = f"the plan of {name}" + (f" with sampler={answer['sampler']}" if "sampler" in answer else "")
        given += " with cut noise" if cut else ""
        raise InputError(
            given=given,
            needed=" or ".join(PLANNED),
            remedy="plan --set noise=uncut" if cut else "give the settings by hand",
        )
    release, names = PLANNED[name]
    given_besides = [mechanism not in (None, release, name), bool(settings)]
    given_besides += [epsilon is not None, delta is not None, neighbours is not None]
    if any(given_besides):
        besides = "a mechanism, setting, epsilon, delta or relation beside a plan"
        raise InputError(given=besides, needed="the plan alone", remedy="leave it out, or the plan")
    if name.startswith("pws"):
        own["epsilon"], own["neighbours"] = texts["epsilon"], "add-remove"
    chosen = {key: texts[key] for key in names}
    return release, chosen, own["epsilon"], own["delta"], own["neighbours"]
