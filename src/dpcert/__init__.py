"""dpcert decides, exactly, whether a randomized program is differentially private.

>>> import dpcert
>>> @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
... def release(bit, coins):
...     return bit if coins.below(4) < 3 else 1 - bit
>>> dpcert.audit(release).verdict
'verified'
>>> release.law(1).prob(1)
Fraction(3, 4)

Each name below is imported at its first use, so that a command loads only the modules that it needs.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcert.api import Audit as Audit
    from dpcert.api import assert_event as assert_event
    from dpcert.api import audit as audit
    from dpcert.api import profile as profile
    from dpcert.api import profile_on_all as profile_on_all
    from dpcert.audit.amplification import shuffled as shuffled
    from dpcert.audit.amplification import shuffled_response as shuffled_response
    from dpcert.audit.answer import Answer as Answer
    from dpcert.audit.claim_profile import ClaimProfile as ClaimProfile
    from dpcert.audit.conversions import epsilon_of_renyi as epsilon_of_renyi
    from dpcert.audit.conversions import epsilon_of_zcdp as epsilon_of_zcdp
    from dpcert.audit.conversions import from_trade_off as from_trade_off
    from dpcert.audit.decide import Report as Report
    from dpcert.audit.ideal.report import IdealReport as IdealReport
    from dpcert.audit.kernel.claim import ApproxDP as ApproxDP
    from dpcert.audit.kernel.claim import Claim as Claim
    from dpcert.audit.kernel.claim import PureDP as PureDP
    from dpcert.audit.kernel.examine import Refuted as Refuted
    from dpcert.audit.kernel.examine import Undecided as Undecided
    from dpcert.audit.kernel.examine import Verdict as Verdict
    from dpcert.audit.kernel.examine import Verified as Verified
    from dpcert.audit.kernel.neighbours import Neighbours as Neighbours
    from dpcert.audit.kernel.neighbours import counts_differ_by_one as counts_differ_by_one
    from dpcert.audit.noise import Noise as Noise
    from dpcert.audit.noise import discrete_gaussian as discrete_gaussian
    from dpcert.audit.noise import gaussian as gaussian
    from dpcert.audit.noise import laplace as laplace
    from dpcert.audit.noise import sampled_gaussian as sampled_gaussian
    from dpcert.audit.relations import one_user as one_user
    from dpcert.audit.sampling.decide import Sampled as Sampled
    from dpcert.audit.sampling.patterns import vector_patterns as vector_patterns
    from dpcert.audit.sensitivity import Sensitivity as Sensitivity
    from dpcert.audit.sensitivity import sensitivity as sensitivity
    from dpcert.audit.uses import Together as Together
    from dpcert.audit.uses import compose as compose
    from dpcert.audit.uses import renyi as renyi
    from dpcert.audit.uses import subsampled as subsampled
    from dpcert.audit.uses import zcdp as zcdp
    from dpcert.mechanisms.coins import seeded_coins as seeded_coins
    from dpcert.mechanisms.coins import summarize as summarize
    from dpcert.mechanisms.coins import system_coins as system_coins
    from dpcert.mechanisms.dist import Dist as Dist
    from dpcert.mechanisms.exact.coins import Coins as Coins
    from dpcert.mechanisms.exact.coins import Done as Done
    from dpcert.mechanisms.exact.epsilon import Epsilon as Epsilon
    from dpcert.mechanisms.exact.errors import DpcertError as DpcertError
    from dpcert.mechanisms.exact.errors import InputError as InputError
    from dpcert.mechanisms.exact.errors import Unauditable as Unauditable
    from dpcert.mechanisms.exact.explore import Limits as Limits
    from dpcert.mechanisms.exact.number import exact as exact
    from dpcert.pipelines.deciding import Pipeline as Pipeline
    from dpcert.pipelines.deciding import pipeline as pipeline
    from dpcert.pipelines.primitive import Primitive as Primitive
    from dpcert.releasing.accuracy import accuracy as accuracy
    from dpcert.releasing.data import merged_counts as merged_counts
    from dpcert.releasing.data import read_counts as read_counts
    from dpcert.releasing.made import Estimates as Estimates
    from dpcert.releasing.rows import Columns as Columns
    from dpcert.run.budget import Budget as Budget
    from dpcert.run.budget import BudgetExceeded as BudgetExceeded
    from dpcert.run.estimating import estimate as estimate
    from dpcert.run.planning import NotBorneOut as NotBorneOut
    from dpcert.run.planning import Plan as Plan
    from dpcert.run.planning import plan as plan
    from dpcert.run.releasing import Release as Release
    from dpcert.run.releasing import release as release
    from dpcert.run.sweeping import Swept as Swept
    from dpcert.run.sweeping import sweep as sweep
    from dpcert.targets.extras import needs_extra as needs_extra
    from dpcert.targets.inputs import counts as counts
    from dpcert.targets.inputs import databases as databases
    from dpcert.targets.inputs import examples as examples
    from dpcert.targets.inputs import histograms as histograms
    from dpcert.targets.inputs import tables as tables
    from dpcert.targets.inputs import users as users
    from dpcert.targets.inputs import vectors as vectors
    from dpcert.targets.inputs import without_one as without_one
    from dpcert.targets.interactive import interactive as interactive
    from dpcert.targets.options import Options as Options
    from dpcert.targets.redirecting import redirect as redirect
    from dpcert.targets.same import same as same
    from dpcert.targets.target import Target as Target
    from dpcert.targets.target import target as target

HOMES = {
    "api": "Audit assert_event profile profile_on_all",
    "audit.amplification": "shuffled shuffled_response",
    "audit.answer": "Answer",
    "audit.claim_profile": "ClaimProfile",
    "audit.conversions": "epsilon_of_renyi epsilon_of_zcdp from_trade_off",
    "audit.decide": "Report",
    "audit.ideal.report": "IdealReport",
    "audit.kernel.claim": "ApproxDP Claim PureDP",
    "audit.kernel.examine": "Refuted Undecided Verdict Verified",
    "audit.kernel.neighbours": "Neighbours counts_differ_by_one",
    "audit.noise": "Noise discrete_gaussian gaussian laplace sampled_gaussian",
    "audit.relations": "one_user",
    "audit.sampling.decide": "Sampled",
    "audit.sampling.patterns": "vector_patterns",
    "audit.sensitivity": "Sensitivity sensitivity",
    "audit.uses": "Together compose renyi subsampled zcdp",
    "targets.inputs": "counts databases examples histograms tables users vectors without_one",
    "targets.options": "Options",
    "targets.extras": "needs_extra",
    "mechanisms.coins": "seeded_coins summarize system_coins",
    "mechanisms.dist": "Dist",
    "mechanisms.exact.coins": "Coins Done",
    "mechanisms.exact.epsilon": "Epsilon",
    "mechanisms.exact.errors": "DpcertError InputError Unauditable",
    "mechanisms.exact.explore": "Limits",
    "mechanisms.exact.number": "exact",
    "targets.redirecting": "redirect",
    "targets.interactive": "interactive",
    "targets.same": "same",
    "run.budget": "Budget BudgetExceeded",
    "pipelines.deciding": "Pipeline pipeline",
    "pipelines.primitive": "Primitive",
    "releasing.accuracy": "accuracy",
    "releasing.data": "merged_counts read_counts",
    "releasing.rows": "Columns",
    "releasing.made": "Estimates",
    "run.estimating": "estimate",
    "run.planning": "NotBorneOut Plan plan",
    "run.releasing": "Release release",
    "run.sweeping": "Swept sweep",
    "targets.target": "Target target",
}
"""The public names, by the module of this package that defines them."""

_HOME = {name: module for module, names in HOMES.items() for name in names.split()}
__all__ = sorted([*_HOME, "audit"])


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from dpcert.audit.sources import versions

        return versions()["dpcert"]
    if name not in _HOME:
        raise AttributeError(f"module 'dpcert' has no attribute {name!r}")
    value = getattr(import_module(f"dpcert.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def _audit(target: Any, *, method: Any = None, options: Any = None, executor: Any = None, **parameters: Any) -> Any:
    """Audit a target, or a mechanism that ships by its name; `dpcert.api.audit` describes the arguments."""
    asked = {"method": method, "options": options, "executor": executor}
    return import_module("dpcert.api").audit(target, **asked, **parameters)


_audit.__name__ = _audit.__qualname__ = "audit"
# A package has this name, too: the function gets the package's attributes, so that imports from either one work.
_audit.__dict__ = vars(import_module("dpcert.audit"))
globals()["audit"] = _audit


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


if "IPython" in sys.modules:
    from dpcert.show.notebooks import show_in_notebooks

    show_in_notebooks()
