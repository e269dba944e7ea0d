"""Theorems for all parameters, a module for each subject."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpcert.proofs.theorem import Theorem
from dpcert.proofs.theorems import (
    anonymized,
    anonymized_bounds,
    basics,
    clipping,
    exponentials,
    geometric,
    privhist,
    sampled_bounds,
    sampled_counts,
    user_level,
    weighted_keys,
    weighted_rows,
    weighted_structure,
)

__all__ = ["HOMES", "THEOREMS"]

_MODULES = (
    anonymized,
    anonymized_bounds,
    basics,
    clipping,
    exponentials,
    geometric,
    privhist,
    sampled_bounds,
    sampled_counts,
    user_level,
    weighted_keys,
    weighted_rows,
    weighted_structure,
)

THEOREMS: Mapping[str, Theorem] = MappingProxyType(
    {theorem.id: theorem for module in _MODULES for theorem in module.THEOREMS}
)
"""Every theorem by its id, as the ledger's rows name it."""

HOMES: Mapping[str, str] = MappingProxyType(
    {theorem.id: module.__name__ for module in _MODULES for theorem in module.THEOREMS}
)
"""The module of each theorem."""
