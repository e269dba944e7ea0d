"""The description of a claim, without an audit."""

from dpcert.targets.cases import case_of
from dpcert.unbounded.asked import is_unbounded
from dpcert.worker.jobs import Describe, Description
from dpcert.worker.results import described


def describe(job: Describe) -> Description:
    """Return the result of a claim before its audit, and the verdict that the target declares.

    For a file this runs its code.

    Raises: InputError where the spec names no claim.
    """
    if is_unbounded(job.spec, job.options):
        from dpcert.unbounded.auditing import describe_unbounded  # theorems come with it

        return Description(describe_unbounded(job.spec, job.options), "verified")
    case = case_of(job.spec, job.options)
    return Description(described(case), case.expect, case.coinless)
