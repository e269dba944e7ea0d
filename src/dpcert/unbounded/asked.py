"""Whether a claim is about infinitely many inputs; only an audit of a mechanism that ships imports the theorems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcert.targets.catalogue import find
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec

if TYPE_CHECKING:
    from dpcert.audit.unbounded.theorem import UnboundedTheorem


def theorem_of(spec: Spec, options: Options) -> UnboundedTheorem | None:
    """Return the theorem by which a case is audited; None where an audit takes its finitely many inputs one by one."""
    if not isinstance(spec, CatalogueSpec) or options.sampling:
        return None
    from dpcert.audit.unbounded.theorems import THEOREMS, theorem_for

    settings = find(spec.name).settings(spec.settings)
    theorem = theorem_for(spec.name, settings) or THEOREMS.get(spec.name)
    if theorem is None or theorem.is_endless(settings):
        return theorem
    asked = options.neighbours in (None, *theorem.names) and options.observes in (None, "outcome")
    return theorem if asked and theorem.is_about(settings, options.law_source) else None


def is_unbounded(spec: Spec, options: Options) -> bool:
    """Whether a case is about infinitely many inputs, by a theorem.

    Raises: InputError where it is, and no theorem covers the options.
    """
    theorem = theorem_of(spec, options)
    if theorem is not None:
        theorem.require(neighbours=options.neighbours, observes=options.observes)
    return theorem is not None
