"""Whether a claim is about inputs without end; the theorems are imported for what ships alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcert.targets.catalogue import find
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec

if TYPE_CHECKING:
    from dpcert.audit.unbounded.theorem import UnboundedTheorem


def theorem_of(spec: Spec, options: Options) -> UnboundedTheorem | None:
    """Return the theorem that an audit of a case goes by; None where it takes its finitely many inputs one by one."""
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
    """Whether a case is about inputs without end, by theorem, and not about its finitely many inputs alone.

    Raises: InputError where it is, and no theorem is about what is asked.
    """
    theorem = theorem_of(spec, options)
    if theorem is not None:
        theorem.require(neighbours=options.neighbours, observes=options.observes)
    return theorem is not None
