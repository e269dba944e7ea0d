"""Report noisy max with one-sided noise that releases the greatest noisy number: none is below the greatest query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.broken.report_noisy_max_value import report_noisy_max_value
from dpcert.mechanisms.literature.noisy_max import PARAMETERS, REPORT_NOISY_MAX_EXPONENTIAL, noise_of, one_sided
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["REPORT_NOISY_MAX_EXPONENTIAL_VALUE"]


def _build(settings: Mapping[str, str]) -> Instance:
    meant = REPORT_NOISY_MAX_EXPONENTIAL.build(settings)
    return replace(meant, closed_form=None, program=report_noisy_max_value(noise_of(settings, one_sided)))


REPORT_NOISY_MAX_EXPONENTIAL_VALUE = Mechanism(
    name="report-noisy-max-exponential-value",
    words="report-noisy-max-exponential that releases the greatest noisy number, clamped above",
    source="the benchmark's ReportNoisyMax4, on the integers",
    parameters=PARAMETERS,
    build=_build,
    expect="refuted",
    twin="report-noisy-max-exponential",
    fault="the greatest number with one-sided noise released for its index",
)
