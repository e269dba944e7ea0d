"""Searches for verdicts on finite privacy claims; every result goes through the kernel.

Called, `dpcert.audit(target)` audits a target: the call is that of `dpcert.api.audit`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Audits(ModuleType):
    """The package, which is called, too."""

    def __call__(self, target: Any, **asked: Any) -> Any:
        """Audit a target: see `dpcert.api.audit`."""
        return import_module("dpcert.api").audit(target, **asked)


sys.modules[__name__].__class__ = _Audits
