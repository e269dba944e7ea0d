"""The faults of noisy-histogram and prefix-sums."""

from typing import Any

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.literature.noisy_histogram import (
    NOISY_HISTOGRAM,
    PREFIX_SUMS,
    cells_of,
    noisy_histogram,
    prefix_sums,
)
from dpcert.mechanisms.mechanism import Expected, Instance

noisy_histogram_fault = FaultsOf(NOISY_HISTOGRAM)
prefix_sums_fault = FaultsOf(PREFIX_SUMS)


@noisy_histogram_fault(
    "noisy-histogram-inverted",
    source="the benchmark's NoisyHist2, on the integers",
    fault="the scale of the noise turned upside down, epsilon for 1/epsilon",
    edit=('Epsilon.of(1 / exact(settings["epsilon"], "epsilon"))', 'Epsilon.of(settings["epsilon"])'),
    defaults={"epsilon": "1/2", "n": "1"},
    about={"epsilon": "a rational number; the claim"},
    expected=Expected(
        [0],
        [1],
        [(0,)],
        "17865641401156421604162593/20283493040385679953574945",
        "2417851639229258349412352/20283493040385679953574945",
    ),
)
def noisy_histogram_inverted(settings: Settings) -> Program:
    """noisy-histogram with noise of scale epsilon"""
    upside_down = Epsilon.of(1 / exact(settings["epsilon"], "epsilon"))
    return noisy_histogram(cells_of(settings, upside_down))


def any_entries(settings: Settings, meant: Instance) -> dict[str, Any]:
    """Return the claim for neighbours of which all entries may change."""
    return {"neighbours": "linf"}


@prefix_sums_fault(
    "prefix-sums-all",
    source="the benchmark's PrefixSum under linf, on the integers",
    fault="the epsilon of one changed entry claimed for neighbours that differ in all",
    edit=('{"neighbours": "linf"}', "{}"),
    place=any_entries,
    claim=any_entries,
    expected=Expected([0, 0, 1], [0, 1, 0], [(0, 0, 1)], "8/27", "2/27"),
)
def prefix_sums_all(settings: Settings) -> Program:
    """prefix-sums with the noise of one entry, claimed where all entries may change"""
    return prefix_sums(cells_of(settings, Epsilon.of(settings["epsilon"])))
