"""What a claim is, without an audit."""

from __future__ import annotations

from dpcert.targets.cases import case_of
from dpcert.unbounded.auditing import about_all_counts, describe_all_counts
from dpcert.worker.jobs import Describe, Description
from dpcert.worker.results import described

__all__ = ["describe"]


def describe(job: Describe) -> Description:
    """Return what a result says before anything is audited, and the verdict that the target declares.

    For a file this runs its code.

    Raises: InputError where the spec leads to no claim.
    """
    if about_all_counts(job.spec, job.options):
        return Description(describe_all_counts(job.spec, job.options), "verified")
    case = case_of(job.spec, job.options)
    return Description(described(case), case.expect)
