"""Whether a claim is about inputs without end; the theorems are imported for what ships alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcert.targets.catalogue import find
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec

if TYPE_CHECKING:
    from dpcert.audit.unbounded.theorem import UnboundedTheorem


def theorem_of(spec: Spec, options: Options) -> UnboundedTheorem | None:
    """Return the theorem that an audit of a case goes by; None where it is an audit of finitely many inputs."""
    if not isinstance(spec, CatalogueSpec) or options.sampling:
        return None
    from dpcert.audit.unbounded.theorems import theorem_for

    return theorem_for(spec.name, find(spec.name).settings(spec.settings))


def is_unbounded(spec: Spec, options: Options) -> bool:
    """Whether a case is about inputs without end, by theorem, and not about its finitely many inputs alone.

    Raises: InputError where it is, and no theorem is about what is asked.
    """
    theorem = theorem_of(spec, options)
    if theorem is not None:
        theorem.require(neighbours=options.neighbours, observes=options.observes)
    return theorem is not None
