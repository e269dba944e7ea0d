"""dpcert decides, exactly, whether a randomized program is differentially private.

>>> import dpcert
>>> @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
... def release(bit, coins):
...     return bit if coins.below(4) < 3 else 1 - bit
>>> isinstance(dpcert.check(release), dpcert.Verified)
True
>>> release.law(1).prob(1)
Fraction(3, 4)
"""

from __future__ import annotations

from dpcert.api import assert_event, check, profile, report, sampled, timed
from dpcert.audit.answer import Answer
from dpcert.audit.claimed import ClaimProfile
from dpcert.audit.decide import Report, versions
from dpcert.audit.kernel.claim import ApproxDP, Claim, PureDP
from dpcert.audit.kernel.examine import Refuted, Undecided, Verdict, Verified
from dpcert.audit.kernel.neighbours import Neighbours, counts_differ_by_one
from dpcert.audit.sampling.decide import Sampled
from dpcert.audit.sampling.patterns import vector_patterns
from dpcert.cases import Options
from dpcert.display import show_in_notebooks
from dpcert.extras import needs_extra
from dpcert.mechanisms.exact.coins import Coins, Done, seeded_coins, summarize, system_coins
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.number import exact
from dpcert.redirect import redirect
from dpcert.sweep import Swept, sweep
from dpcert.targets import Target, target

__all__ = [
    "Answer",
    "ApproxDP",
    "Claim",
    "ClaimProfile",
    "Coins",
    "Dist",
    "Done",
    "DpcertError",
    "Epsilon",
    "InputError",
    "Limits",
    "Neighbours",
    "Options",
    "PureDP",
    "Refuted",
    "Report",
    "Sampled",
    "Swept",
    "Target",
    "Unauditable",
    "Undecided",
    "Verdict",
    "Verified",
    "assert_event",
    "check",
    "counts_differ_by_one",
    "exact",
    "needs_extra",
    "profile",
    "redirect",
    "report",
    "sampled",
    "seeded_coins",
    "summarize",
    "sweep",
    "system_coins",
    "target",
    "timed",
    "vector_patterns",
]

__version__ = versions()["dpcert"]

show_in_notebooks()
