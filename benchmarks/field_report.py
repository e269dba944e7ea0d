"""The tables of docs/findings/field-report.md: what was found in other people's libraries, recomputed.

    python benchmarks/field_report.py [LIBRARY...]

Each library that can be imported here is audited, or those that are named; `tests/libraries/run` makes an environment
for each and runs this in it. What is exact is the same on each run; what is sampled says its confidence.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product

import dpcert
from dpcert.audit.kernel.examine import Refuted, Undecided
from dpcert.libraries.comparison import Comparison
from dpcert.libraries.doubles import keys_excess, rows_excess

EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)
SAMPLES = 40_000
CONFIDENCE = "0.999"


def row(name: str, claim: str, result: str, evidence: str) -> None:
    """Print one row of a table."""
    print(f"| {name} | {claim} | {result} | {evidence} |", flush=True)


def exactly(name: str, target: dpcert.Target, max_tail: str = "1e-30") -> None:
    """Print what the exact audit of a target says."""
    started = time.perf_counter()
    report = dpcert.audit(target, options=dpcert.Options(max_tail=max_tail)).seen
    guarantee, verdict = target.guarantee, report.verdict
    claim = f"({float(Fraction(str(guarantee.epsilon))):g}, {float(guarantee.delta):g})"
    worst = report.worst
    pair = f"; {worst.a} against {worst.b}" if worst is not None and isinstance(verdict, Refuted) else ""
    least = "infinite" if report.epsilon_hi is None else f"{_epsilon(report.epsilon_hi):.6g}"
    delta = f"{float(report.delta_lo):.3g}"
    if guarantee.delta and isinstance(verdict, Refuted):
        delta = f"(1 + {float(report.delta_lo / guarantee.delta - 1):.2g}) times the claim"
    found = f"{type(verdict).__name__.lower()}: least delta {delta}, least epsilon {least}{pair}"
    if isinstance(verdict, Undecided):
        found = f"undecided: {verdict.reason}"
    tail = "" if report.tail == 0 else f", tail {float(report.tail):.1g}"
    row(name, claim, found, f"exact{tail}, {time.perf_counter() - started:.1f} s")


def impossible(name: str, target: dpcert.Target) -> None:
    """Print whether an outcome of a target is possible on one input and not on another."""
    started = time.perf_counter()
    report = dpcert.audit(target).seen
    claim = f"({float(Fraction(str(target.guarantee.epsilon))):g}, {float(target.guarantee.delta):g})"
    found = "undecided"
    if isinstance(report.verdict, Refuted) and report.worst is not None:
        bits = report.worst.p.denominator.bit_length() - 1
        found = f"refuted: an outcome of probability at least 2^-{bits} on {report.worst.a}"
        found += f" that is impossible on {report.worst.b}" if report.worst.q == 0 else f", rarer on {report.worst.b}"
    row(name, claim, found, f"exact, {time.perf_counter() - started:.1f} s")


def sampling(name: str, target: dpcert.Target, samples: int = SAMPLES) -> None:
    """Print what samples of a target show."""
    started = time.perf_counter()
    found = dpcert.audit(target, method="samples", options=dpcert.Options(samples=samples, confidence=CONFIDENCE)).seen
    guarantee = target.guarantee
    claim = f"({float(Fraction(str(guarantee.epsilon))):g}, {float(guarantee.delta):g})"
    words = "refuted" if found.refuted else "no violation found"
    if found.worst is not None:
        counts = found.worst.counts
        words += f": an event in {counts.x} of {counts.n} runs on {found.worst.a}"
        words += f", {counts.y} of {counts.m} on {found.worst.b}"
    words += f"; epsilon >= {_epsilon(found.epsilon_lo):.3g}, delta >= {float(found.delta_lo):.3g}"
    row(name, claim, words, f"samples, confidence {CONFIDENCE}, {time.perf_counter() - started:.0f} s")


def compared(comparison: Comparison) -> None:
    """Print what a library claims of its parameters, and what is true."""
    excess = float(comparison.least[0] / comparison.claimed - 1)
    times = f"{comparison.ratio:.6g}" if abs(excess) > 1e-3 else f"(1 {'-' if excess < 0 else '+'} {abs(excess):.1g})"
    words = f"{comparison.verdict}: at least {float(comparison.least[0]):.6g}, {times} times the claim"
    row(comparison.words, f"{float(comparison.claimed):.6g}", words, "certified bounds")


def _epsilon(epsilon: dpcert.Epsilon) -> float:
    import math

    lo, hi = epsilon.exp_bounds(64)
    return math.log((lo + hi) / 2) if hi < 1 << 1000 else float(Fraction(str(epsilon)))


def header(title: str, package: str) -> None:
    """Print a library's heading and the head of its table."""
    print(f"\n## {title} {version(package)}\n\n| what | claim | found | evidence |\n|---|---|---|---|", flush=True)


def diffprivlib() -> None:
    """Audit diffprivlib."""
    adapter, mechanisms = import_module("dpcert.libraries.diffprivlib"), import_module("diffprivlib.mechanisms")
    header("diffprivlib", "diffprivlib")
    for epsilon in EPSILONS:
        exactly("`Binary`", adapter.target(mechanisms.Binary(epsilon=epsilon, value0="a", value1="b")))
    for epsilon in EPSILONS:
        exactly("`Geometric`", adapter.target(mechanisms.Geometric(epsilon=epsilon), inputs=range(3)))
    big = 2**53 + 1
    exactly("`Geometric` beyond 2^53", adapter.target(mechanisms.Geometric(epsilon=1.0), inputs=[big, big + 1]))
    exactly(
        "`Geometric`, sensitivity 3", adapter.target(mechanisms.Geometric(epsilon=1.0, sensitivity=3), inputs=range(4))
    )
    for name, epsilon in product(("GeometricTruncated", "GeometricFolded"), (0.5, 1.0, 5.0)):
        made = getattr(mechanisms, name)(epsilon=epsilon, lower=0, upper=5)
        exactly(f"`{name}` on [0, 5]", adapter.target(made, inputs=range(6)))
    utilities = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1)]
    wide = [(73, 0), (72, 1), (74, 0), (0, 0), (1, 0)]
    for epsilon, inputs in product((0.5, 1.0, 5.0), (utilities, wide)):
        made = mechanisms.Exponential(epsilon=epsilon, sensitivity=1, utility=[0, 0, 0])
        exactly(f"`Exponential`, utilities to {max(map(max, inputs))}", adapter.target(made, inputs=inputs))
    for epsilon in (0.5, 1.0, 2.0):
        made = mechanisms.PermuteAndFlip(epsilon=epsilon, sensitivity=1, utility=[0, 0, 0])
        exactly("`PermuteAndFlip`", adapter.target(made, inputs=utilities[:4]))
    line = [["a", "b", 1], ["a", "c", 2], ["b", "c", 1]]
    for epsilon in (*EPSILONS, 20.0, 30.0):
        exactly(
            "`ExponentialCategorical`, a line",
            adapter.target(mechanisms.ExponentialCategorical(epsilon=epsilon, utility_list=line)),
        )
    exactly("`ExponentialCategorical`, balanced by half", adapter.target(adapter.balanced_by_half()))
    tree = [["a", "b"], ["c", "d"]]
    for epsilon in (0.5, 1.0, 5.0):
        exactly(
            "`ExponentialHierarchical`",
            adapter.target(mechanisms.ExponentialHierarchical(epsilon=epsilon, hierarchy=tree)),
        )
    for epsilon, upper in ((0.5, 8.0), (1.0, 8.0), (2.0, 8.0), (0.5, 100.0), (1.0, 50.0)):
        made = mechanisms.Snapping(epsilon=epsilon, sensitivity=1.0, lower=0.0, upper=upper)
        exactly(f"`Snapping` on [0, {upper:g}]", adapter.target(made, inputs=[0.0, 1.0, 2.0, 0.3, 1.3]))
    for name, epsilon, delta in product(
        ("GaussianDiscrete", "GaussianAnalytic"), (0.1, 0.5, 1.0, 2.0, 5.0, 10.0), (1e-2, 1e-5, 1e-9, 1e-12)
    ):
        compared(adapter.claimed_delta(getattr(mechanisms, name)(epsilon=epsilon, delta=delta, sensitivity=1)))
    for delta in (1e-2, 1e-5, 1e-9):
        compared(adapter.claimed_delta(mechanisms.Gaussian(epsilon=1.0, delta=delta, sensitivity=1)))
    floats = [
        mechanisms.Laplace(epsilon=1.0, sensitivity=1),
        mechanisms.LaplaceTruncated(epsilon=1.0, sensitivity=1, lower=0, upper=4),
        mechanisms.LaplaceFolded(epsilon=1.0, sensitivity=1, lower=0, upper=4),
        mechanisms.LaplaceBoundedDomain(epsilon=1.0, sensitivity=1, lower=0, upper=4),
        mechanisms.LaplaceBoundedNoise(epsilon=1.0, delta=1e-2, sensitivity=1),
        mechanisms.Staircase(epsilon=1.0, sensitivity=1),
        mechanisms.Uniform(delta=0.1, sensitivity=1),
        mechanisms.Gaussian(epsilon=1.0, delta=1e-2, sensitivity=1),
        mechanisms.GaussianAnalytic(epsilon=1.0, delta=1e-2, sensitivity=1),
    ]
    for made in floats:
        target = adapter.target(made, inputs=[0.0, 1.0])
        if target.takes == "coins":
            impossible(f"`{type(made).__name__}`", target)
        sampling(f"`{type(made).__name__}`", target)


def diffpriv_pure() -> None:
    """Audit diffpriv-pure."""
    adapter = import_module("dpcert.libraries.diffpriv_pure")
    header("diffpriv-pure", "diffpriv-pure")
    for epsilon in (1e-16, *EPSILONS, 35.0):
        exactly(f"`private_count(c, {epsilon:g})`", adapter.private_count(epsilon))
    sampling("`private_sum`, Laplace", adapter.private_sum(1.0))
    sampling("`private_sum`, normal", adapter.private_sum(1.0, delta=1e-2))
    for epsilon, delta in product((1.0, 4.0, 8.0, 10.0, 20.0), (1e-2, 1e-5, 1e-10)):
        compared(adapter.gaussian_sigma_delta(epsilon, delta))
    for times, epsilon in ((10, 1.0), (100, 0.1), (100, 1.0), (1000, 0.1)):
        compared(adapter.composed_delta(times, epsilon, 1e-6))


def pydp() -> None:
    """Audit PyDP."""
    adapter, selection = import_module("dpcert.libraries.pydp"), import_module("pydp.algorithms.partition_selection")
    header("PyDP", "python-dp")
    for name, epsilon, delta in product(
        ("truncated_geometric", "laplace", "gaussian"), (0.1, 1.0, 5.0, 10.0, 50.0), (1e-2, 1e-5, 1e-9, 1e-12)
    ):
        made = selection.create_partition_strategy(name, epsilon, delta, 1)
        exactly(f"`{name}`, keep", adapter.kept(made, counts=range(401 if epsilon < 1 else 101)))
    for name, partitions in product(("truncated_geometric", "laplace", "gaussian"), (2, 3)):
        made = selection.create_partition_strategy(name, 1.0, 1e-5, partitions)
        exactly(f"`{name}`, {partitions} partitions", adapter.kept(made, counts=range(61)))
    geometric = import_module("pydp.ml.mechanisms.geometric").Geometric()
    geometric.set_epsilon(1.0).set_sensitivity(1).set_probability(0.5)
    sampling("`ml.mechanisms.Geometric`", adapter.randomised(geometric, epsilon="1", inputs=[10, 11], expect="refuted"))
    numerical = import_module("pydp.algorithms.numerical_mechanisms")
    sampling(
        "`LaplaceMechanism.add_noise`, integers", adapter.noised(numerical.LaplaceMechanism(1.0, 1.0), inputs=[0, 1])
    )
    sampling(
        "`GaussianMechanism.add_noise`, integers",
        adapter.noised(numerical.GaussianMechanism(1.0, 1e-2, 1.0), inputs=[0, 1]),
    )
    sampling(
        "`LaplaceMechanism.add_noise`, floats", adapter.noised(numerical.LaplaceMechanism(1.0, 1.0), inputs=[0.0, 1.0])
    )


def pipeline_dp() -> None:
    """Audit PipelineDP."""
    adapter = import_module("dpcert.libraries.pipeline_dp")
    header("PipelineDP", "pipeline-dp")
    names = ("TRUNCATED_GEOMETRIC", "LAPLACE_THRESHOLDING", "GAUSSIAN_THRESHOLDING")
    for name, partitions in product(names, (1, 2)):
        target = adapter.kept(name, 1.0, 1e-5, max_partitions_contributed=partitions, counts=range(61))
        exactly(f"`{name}`, {partitions} partitions", target)
    for name in names:
        exactly(f"`{name}`, pre-threshold 10", adapter.kept(name, 1.0, 1e-5, pre_threshold=10, counts=range(61)))
    small = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)]
    for epsilon in (0.5, 1.0, 5.0):
        exactly("`ExponentialMechanism`, scores to 1", adapter.exponential_mechanism(epsilon, inputs=small))
    exactly("`ExponentialMechanism`, scores to 1420", adapter.exponential_mechanism(1.0, inputs=[(1419, 0), (1420, 0)]))
    low = [(-1490, -1490), (-1491, -1491)]
    exactly("`ExponentialMechanism`, scores to -1491", adapter.exponential_mechanism(1.0, inputs=low))


def smartnoise_synth() -> None:
    """Audit smartnoise-synth."""
    adapter = import_module("dpcert.libraries.smartnoise_synth")
    header("smartnoise-synth", "smartnoise-synth")
    small = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)]
    wide = [(73, 0), (72, 1), (74, 0), (0, 0), (1, 0)]
    for epsilon, inputs in product((*EPSILONS, 20.0), (small, wide)):
        name = f"`utils.exponential_mechanism`, qualities to {max(map(max, inputs))}"
        exactly(name, adapter.exponential_mechanism(epsilon, inputs=inputs))


def opendp() -> None:
    """Audit OpenDP."""
    adapter = import_module("dpcert.libraries.opendp")
    header("OpenDP", "opendp")
    for scale, threshold in ((0.5, 3), (1.0, 5), (2.0, 20), (10.0, 100)):
        compared(adapter.laplace_threshold_delta(scale, threshold))
    for scale, threshold in ((0.5, 3), (1.0, 5), (2.0, 8), (10.0, 50)):
        compared(adapter.gaussian_threshold_delta(scale, threshold))
    sampling("`make_laplace_threshold(0.5, 3)`", adapter.threshold_target(0.5, 3))
    for prob in (0.6, 0.75, 0.9, 0.99, 0.999999):
        compared(adapter.response_epsilon(prob))
    for scale, distance in product((0.3, 1.0, 3.0, 7.7), (1, 3)):
        compared(adapter.laplace_epsilon(scale, distance))
    for scale, epsilon in product((0.5, 1.0, 2.0, 5.0), (0.1, 1.0, 5.0)):
        compared(adapter.discrete_gaussian_delta(scale, epsilon))
    for name, target in adapter.sampled_targets():
        sampling(name, target)


def tmlt_core() -> None:
    """Audit Tumult Core."""
    adapter = import_module("dpcert.libraries.tmlt_core")
    header("Tumult Core", "tmlt.core")
    for name, target in adapter.targets():
        exactly(name, target, "1e-10")
    for alpha, threshold in ((Fraction(1, 2), 5), (Fraction(1), 10), (Fraction(2), 20), (Fraction(10), 100)):
        compared(adapter.partition_delta(alpha, threshold))


def weighted_sampling() -> None:
    """Audit double-precision evaluations of Algorithms 3 and 4 of weighted-sampling."""
    import math

    print("\n## Algorithms 3 and 4 of weighted-sampling, in double precision\n")
    print("Least delta at epsilon over delta, less 1; and least epsilon at delta, less epsilon.\n")
    print("| epsilon | delta | keys: delta | keys: epsilon | frequencies: delta | frequencies: epsilon |")
    print("|---|---|---|---|---|---|")
    for epsilon, delta in product((0.1, 0.5, 1.0, 3.0, 10.0), (1e-3, 1e-6, 1e-9, 1e-12)):
        reach = math.log((math.exp(epsilon) - 1 + 2 * delta) / (delta * (math.exp(epsilon) + 1))) / epsilon
        rates = [1.0] * (2 * math.ceil(max(reach, 1)) + 3)
        keys = keys_excess(rates, epsilon=epsilon, delta=delta)
        rows = rows_excess(rates, epsilon=epsilon, delta=delta)
        found = (keys.delta_excess, keys.epsilon_excess, rows.delta_excess, rows.epsilon_excess)
        print(f"| {epsilon} | {delta:g} | {' | '.join(f'{number:.1e}' for number in found)} |", flush=True)


LIBRARIES: dict[str, tuple[str, Callable[[], None]]] = {
    "diffprivlib": ("diffprivlib", diffprivlib),
    "diffpriv-pure": ("diffpriv_pure", diffpriv_pure),
    "pydp": ("pydp", pydp),
    "pipeline-dp": ("pipeline_dp", pipeline_dp),
    "smartnoise-synth": ("snsynth", smartnoise_synth),
    "opendp": ("opendp", opendp),
    "tmlt-core": ("tmlt", tmlt_core),
    "weighted-sampling": ("dpcert", weighted_sampling),
}


def chosen(names: Iterable[str]) -> Iterator[Callable[[], None]]:
    """Yield the audits of the libraries named, or of all that can be imported."""
    names = list(names)
    for name, (package, audit) in LIBRARIES.items():
        if name in names or (not names and find_spec(package) is not None):
            yield audit


def main() -> None:
    warnings.simplefilter("ignore")
    for audit in chosen(sys.argv[1:]):
        audit()


if __name__ == "__main__":
    main()
