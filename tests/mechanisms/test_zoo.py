"""Each broken twin is caught, its correct twin is not, and one edit lies between them."""

import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.certificates import certificate_of, text_of
from dpcert.audit.decide import Report
from dpcert.audit.kernel.check import check
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.audit.passes import examined
from dpcert.audit.subject import Subject
from dpcert.mechanisms import broken
from dpcert.mechanisms.broken import ZOO
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.mechanism import Instance, Mechanism

CORRECT = {mechanism.name: mechanism for mechanism in MECHANISMS}

EDITS = {
    "geosample-strict": ("u < cumulative(z)", "u <= cumulative(z)"),
    "geosample-exponent": ("(k * (z - count)))", "(k * (z - count + 1)))"),
    "geosample-floor": ("int(2 / epsilon).bit_length() - 1", "int(2 / epsilon - 1).bit_length()"),
    "geosample-half-scale": ("while 2**k < 1 / epsilon", "while 2**k < 2 / epsilon"),
    "geosample-natural-log": ("while less(Epsilon.of(k), Epsilon.ln(2 / epsilon))", "while 2**k < 2 / epsilon"),
    "geosample-raises": (
        "clamp(count + shifted(n, coins) - n, count)",
        "min(max(count + shifted(n, coins) - n, 0), n)",
    ),
    "geosample-rejection": ("Done(noisy) if 0 <= noisy <= n else again", "Done(min(max(noisy, 0), n))"),
    "geosample-short-draw": ("gcd(d, *map(cumulative, range(n)))", "1"),
    "geosample-unclamped": ("count + shifted(n, coins) - n", "min(max(count + shifted(n, coins) - n, 0), n)"),
    "geometric-early-stop": ("if left == 0 or not growing:", "if left == 0:"),
    "geometric-float": ("coins.random() * d", "coins.below(d)"),
    "geosample-rounded": (
        "mixing.rounded_geosample(n=n, k=k, bits=bits)",
        "mixing.mixed(mixing.rounded_geosample(n=n, k=k, bits=bits), lambda coins: coins.below(n + 1), "
        'inverse(settings, "gamma"))',
    ),
    "fastsample-unmixed": (
        "weight * (n + 1) * short_cumulative(z)",
        "(z + 1) * d_short + (weight - 1) * (n + 1) * short_cumulative(z)",
    ),
    "mixing-early-exit": (
        "if coins.below(weight) != 0:\n            return meant\n        return other(coins)",
        "instead = other(coins)\n        return instead if coins.below(weight) == 0 else meant",
    ),
    "basic-histogram-add-remove": ("noise_exponent(2 * epsilon)", "noise_exponent(epsilon)"),
    "basic-histogram-by-count": ("sorted(range(universe), key=people.count, reverse=True)", "range(universe)"),
    "basic-histogram-insertion-order": ("list(dict.fromkeys([*people, *range(universe)]))", "range(universe)"),
    "basic-histogram-shared-noise": (
        "[shifted(n, coins) - n] * universe",
        "[shifted(n, coins) - n for _ in range(universe)]",
    ),
    "basic-histogram-zeros": ("sampler(c, coins) if c > 0 else 0", "sampler(c, coins)"),
    "stability-histogram-at": ("if count >= threshold", "if count > threshold"),
    "stability-histogram-lone": ("sampler.law(0)", "sampler.law(1)"),
    "stability-histogram-true": ("(label, counts[label])", "(label, noisy[label])"),
    "stability-histogram-twice": ("return first, once(people, coins)", "return first"),
    "compact-histogram-bare": (
        "[0] * (n + 1 - len(counts))",
        "[int(coins.below(1 << family.bits)) for _ in range(n + 1 - len(counts))]",
    ),
    "compact-histogram-clamped": ("Clamped(empty.zero, empty.d0)", "empty"),
    "compact-histogram-first": (
        "numbers.start - 1 + 0",
        "numbers.start - 1 + int(coins.below(numbers.stop - numbers.start))",
    ),
    "compact-histogram-missed": ("numbers.stop - numbers.start - 1", "numbers.stop - numbers.start"),
    "compact-histogram-reused": ("drawn.setdefault(count, number)", "number"),
    "compact-histogram-true": ("[count for _, count in counts]", "[sampler(count, coins) for _, count in counts]"),
    "keep-heavy-order": ("dict.fromkeys([*people, *range(universe)])", "range(universe)"),
    "keep-heavy-ties": (
        "sorted(order, key=lambda label: -bins[label])[:n]",
        "[label for label in order if bins[label] > sorted(bins.values())[-n - 1]]",
    ),
    "keep-heavy-true": ("tuple((label, people.count(label)) for label, _ in heavy)", "heavy"),
    "keep-heavy-occurring": ("len(set(people))", "len(people)"),
    "keep-heavy-unclamped": (
        "from dpcert.mechanisms.broken.geosample_unclamped import geosample_unclamped",
        "from dpcert.mechanisms.finite_computers.geosample import geosample as geosample_unclamped",
    ),
    "keep-heavy-zeros": (" if label in people else 0", ""),
    "keep-heavy-sparse-earlier": ("continuous_order_statistics(cumulative=", "ordsample.ordsample(cumulative="),
    "keep-heavy-sparse-empties": ("return order_statistics(m, coins)", "return order_statistics(empty, coins)"),
    "keep-heavy-sparse-few": ("for _ in range(n + 1)), reverse=True)", "for _ in range(m)), reverse=True)[: n + 1]"),
    "keep-heavy-sparse-first": (
        "zip(empty, counts, strict=False)",
        "zip(coins.sample(empty, n + 1), counts, strict=True)",
    ),
    "keep-heavy-sparse-labels": (
        "list(range(universe))",
        "[label for label in range(universe) if label not in occur]",
    ),
    "keep-heavy-sparse-ties": (
        "sorted(candidates, key=lambda one: -one[1])[:n]",
        "[one for one in candidates if one[1] > sorted(count for _, count in candidates)[-n - 1]]",
    ),
    "sparse-histogram-ceiling": ("range((t + 1) // 2, t)", "range(t // 2, t)"),
    "sparse-histogram-draws": (
        "distinct.distinct_sample(universe=universe, held=held, amount=amount, coins=coins)[:wanted]",
        "distinct.distinct_elsewhere("
        "universe=universe, held=held, most=most, amount=amount, wanted=wanted, coins=coins)",
    ),
    "sparse-histogram-modulo": ("coins.getrandbits(bits) % (universe - drawn)", "coins.below(universe - drawn)"),
    "pure-sparse-histogram-short": (
        "max(1 << bits, universe)",
        "plain.precision(n=n, universe=universe, delta=delta)",
    ),
    "pure-sparse-histogram-unmixed": (
        "program=sparse,",
        "program=pure.pure_sparse_histogram(n=n, universe=universe, sparse=sparse, weight=int(1 / beta)),",
    ),
    "sample-threshold-strict": ("0 if threshold > sampled", "0 if threshold >= sampled"),
    "sample-threshold-late": (
        "if count >= late:\n            return sampled\n        return",
        "return",
    ),
    "sampled-count-pairs": ("together = 2", "together = 1"),
    "joined-count-swapped": ("below(keep.denominator) <", "below(keep.denominator) >="),
    "moved-person-shown": ("(threshold if label == 0 else 1)", "threshold"),
    "sample-threshold-systematic": ("(person + start) % period == 0", "coins.below(period) == 0"),
    "sample-threshold-true-count": ("if count >= threshold", "if sampled >= threshold"),
    "sample-threshold-histogram-empty": ("sorted(people)[-1] + 1", "universe"),
    "sample-threshold-histogram-fixed-size": (
        "coins.sample(people, size)",
        "person for person in people if coins.below(len(people)) < size",
    ),
    "sample-threshold-histogram-size": ("return sum(sampled), bins", "return bins"),
    "contacted-histogram-abstentions": ("return asked - size, taken", "return taken"),
    "sample-threshold-histogram-substituted": ('neighbours="substitute"', 'neighbours="add-remove"'),
    "trie-heavy-hitters-last-level": ("threshold if level == levels else 1", "threshold"),
    "trie-heavy-hitters-reused": ("shown(sampled, level)", "shown(coins.fold(people, none, sample), level)"),
    "trie-heavy-hitters-size": ("(*grown, (sum(sampled), bins))", "(*grown, bins)"),
    "trie-heavy-hitters-unsampled": ("if count >= threshold or x in occur", "if count >= threshold"),
    "quantile-search-raw": ("below, above = sampled", "below, above = shown"),
    "pws-keys-heavy": ("frequency > len(q) or coins", "coins"),
    "pws-keys-thinned": ("reported[place])", "reported[place] / q[place])"),
    "pws-keys-two-terms": (
        "min(most, ratio * before + delta)",
        "min(most, ratio * before + delta, 1 + (before + delta - 1) / ratio)",
    ),
    "pws-keys-unsanitized": (
        "return coins.bernoulli(q[min(frequency, len(q)) - 1])",
        "place = min(frequency, len(q)) - 1\n"
        "        return coins.bernoulli(q[place]) and coins.bernoulli(reported[place] / q[place])",
    ),
    "pws-frequencies-each": ("ratio * entry + delta - row[j - 1]", "ratio * upper + delta - above - row[j - 1]"),
    "pws-frequencies-shifted": ("min(place + 1, len(draws) - 1)", "place"),
    "pws-frequencies-silent": ("unreported = ZERO", "unreported = max(before[0] / ratio - (1 - pi), ZERO)"),
    "pws-frequencies-true": ("frequency if value > 0 else 0", "value"),
    "pws-frequencies-upward": (
        "[entry * 0 for entry in least_entries(before, pi, ratio, delta)]",
        "least_entries(before, pi, ratio, delta)",
    ),
    "pws-private-threshold-capped": ("coins.bernoulli(q[i - 1])][:1]", "coins.bernoulli(q[i - 1])]"),
    "pws-private-threshold-exact": ("noisy = sum(frequencies)", "noisy = total(sum(frequencies), coins)"),
    "sbh-early": ("threshold=threshold - 2", "threshold=threshold - 1"),
    "sbh-sampled-first": ("q[frequency - 1]", "q[value - 1]"),
    "laplace-isotonic-occurring": (
        "sorted(counts, reverse=True)",
        "sorted((*counts, *[0] * (labels - len(counts))), reverse=True)",
    ),
    "clip-threshold-exact": (
        "program=best_threshold(weights=weights, noise=noise, greatest=greatest)",
        "program=meant.program",
    ),
    "clip-threshold-numerator": (
        'ratio_within(Epsilon.of(settings["epsilon"]), weights.most)',
        'ratio_within(Epsilon.of(settings["epsilon"]), 2 * weights.most)',
    ),
    "clip-threshold-halved": ("max(regularized.sensitivity // 2, 1)", "regularized.sensitivity"),
    "clip-threshold-dense": ("return self.uncapped(counts)", "return min(self.uncapped(counts), self.most)"),
    "clip-threshold-once": (
        'ratio_within(Epsilon.of(settings["epsilon"]), descent.weights.most)',
        'ratio_within(Epsilon.of(settings["epsilon"]), rounds * descent.weights.most)',
    ),
    "clipped-sum-l1-add-remove": ("sensitivity_l1(dimension=1,", "sensitivity_l1(dimension=sums.dimension,"),
    "clipped-sum-l1-l2-scale": (
        "isqrt(clipping.square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))",
        "clipping.sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)",
    ),
    "clipped-sum-l1-by-l2": ("clipping.clip_l2", "clipping.clip_l1"),
    "clipped-sum-l1-coordinates": (
        "tuple(min(grid * count, floor(grid * clip)) for count in counts)",
        "clipping.clip_l1(counts, clip=clip, grid=grid)",
    ),
    "clipped-sum-l1-up": ("-(-count * top // bottom)", "count * top // bottom"),
    "clipped-sum-l2-add-remove": (
        "square_sensitivity_l2(dimension=1,",
        "square_sensitivity_l2(dimension=sums.dimension,",
    ),
    "clipped-sum-l2-nearest": (
        "(isqrt(4 * count * count * top // bottom) + 1) // 2",
        "isqrt(count * count * top // bottom)",
    ),
    "randomized-response-float": ("coins.random() < keep / total", "coins.below(total) < keep"),
    "randomized-response-modulo": ("coins.getrandbits(bits) % total", "coins.below(total)"),
    "randomized-response-type": ("else not bit", "else 1 - bit"),
    "privhist-total-empty": ("noisy if len(counts) > 0 else 0", "noisy"),
    "privhist-split-naive": (
        "sum(count > windows.threshold for count in counts)",
        "windows.moved.cell(sum(count > windows.threshold for count in counts), coins)",
    ),
    "privhist-split-unshared": ("taken = windows.moved.cell(above, coins)", "taken = moved"),
    "privhist-split-cut": (
        "max(moved, sum(count > windows.threshold + 1 for count in counts) - windows.fakes)",
        "moved",
    ),
    "privhist-split-nonzero": ("if r in counts", "if r > 0"),
    "privhist-split-occurring": (
        "many = windows.threshold + sum(count > windows.threshold for count in counts)",
        "many = windows.threshold + len(windows.large)",
    ),
    "privhist-smoothed-plain": ("if low < r <= high", "if low < r"),
    "privhist-true-total": ("max(sum(counts), 1)", "n"),
    "noisy-histogram-inverted": (
        'Epsilon.of(1 / exact(settings["epsilon"], "epsilon"))',
        'Epsilon.of(settings["epsilon"])',
    ),
    "prefix-sums-all": (', neighbours="linf"', ""),
    "report-noisy-max-value": ("return cells[index]", "return index"),
    "report-noisy-max-exponential-value": (
        "program=report_noisy_max_value(noise_of(settings, one_sided))",
        "program=meant.program",
    ),
    "sparse-vector-number": ("cell if true else False for", "true for"),
    "sparse-vector-scale": ("query=at.query ** (2 * at.cap)", "query=at.query"),
    "sparse-vector-exact": ("list(queries)", "[at.lattice.noise(at.query).cell(value, coins) for value in queries]"),
    "sparse-vector-uncapped": ("replace(at, cap=n)", "at"),
    "parallel-sparse-vectors-forms": (
        "sparse_vector_number(at), sparse_vector(narrow(at))",
        "sparse_vector(at), sparse_vector(at)",
    ),
    "parallel-counts-whole": ("ratio**times", "ratio"),
    "count-on-grid-summed": ("count + (noisy - grid * count) / grid", "noisy / grid"),
    "one-time-rappor-set-bits": (" if bit else 0", ""),
    "rappor-redrawn": (
        "[permanent(bit, at.filter.f, coins) for _ in range(at.times)]",
        "[permanent(bit, at.filter.f, coins)] * at.times",
    ),
}
"""By name, the faulty text in the program's source and what is meant."""

by_name = pytest.mark.parametrize("mechanism", ZOO, ids=lambda mechanism: mechanism.name)


def twin_of(mechanism: Mechanism, settings: Mapping[str, str]) -> tuple[Mechanism, dict[str, str]]:
    """Return the correct mechanism and its settings, with what is meant by those of the broken one."""
    assert mechanism.twin is not None
    twin = CORRECT[mechanism.twin]
    meant = {name: text for name, text in settings.items() if name in twin.settings({})}
    match mechanism.name:
        case "sample-threshold-strict":
            meant["threshold"] = str(int(settings["threshold"]) + 1)
        case "sample-threshold-histogram-fixed-size":
            meant["rate"] = str(Fraction(int(settings["size"]), int(settings["n"])))
        case "stability-histogram-lone":
            meant["threshold"] = "3"
    return twin, meant


def laws(instance: Instance, broken: Instance) -> list[Dist]:
    """The laws of an instance's program on the inputs of the broken one, of what is observed of that."""
    draws = broken.observes == "outcome and draws"
    return [enumerate_law(instance.program, value, draws=draws).law for value in broken.inputs]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], Mechanism]]:
    """Return a function that runs a source text as a module and returns its broken mechanism."""
    loaded: list[str] = []

    def load_source(source: str) -> Mechanism:
        path = tmp_path / f"edited_{len(loaded)}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        loaded.append(path.stem)
        spec.loader.exec_module(module)
        (found,) = (value for value in vars(module).values() if isinstance(value, Mechanism) and value.twin)
        return found

    yield load_source
    for name in loaded:
        del sys.modules[name]


def source_of(mechanism: Mechanism) -> str:
    module = sys.modules[mechanism.build.__module__]
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


def test_every_file_of_the_zoo_is_listed_with_one_fault_and_an_edit() -> None:
    files = {module.name for module in pkgutil.iter_modules(broken.__path__)}
    assert {mechanism.build.__module__.rpartition(".")[2] for mechanism in ZOO} == files
    assert len(files) == len(ZOO) == len({mechanism.fault for mechanism in ZOO})
    assert {mechanism.name for mechanism in ZOO} == EDITS.keys()
    for mechanism in ZOO:
        assert mechanism.fault
        assert mechanism.expect == "refuted"
        assert mechanism.twin in CORRECT
        assert CORRECT[mechanism.twin].expect == "verified"
        assert mechanism.name not in CORRECT


@by_name
def test_caught_with_a_witness_that_the_kernel_accepts(
    mechanism: Mechanism, audit: Callable[..., Report], subject_of: Callable[..., Subject]
) -> None:
    report = audit(mechanism, {})
    assert isinstance(report.verdict, Refuted)
    assert report.certificate is not None
    certificate = certificate_of(text_of(report.certificate))
    assert certificate == report.certificate
    accepted = check(certificate, subject_of(mechanism, {}), examined)
    assert isinstance(accepted, Refuted)
    assert (accepted.a, accepted.b, accepted.event) == (
        report.verdict.a,
        report.verdict.b,
        report.verdict.event,
    )


@by_name
def test_the_witness_violates_the_bound_by_plain_arithmetic(mechanism: Mechanism, audit: Callable[..., Report]) -> None:
    verdict = audit(mechanism, {}).verdict
    assert isinstance(verdict, Refuted)
    instance = mechanism.build(mechanism.settings({}))
    draws = instance.observes == "outcome and draws"
    found = [enumerate_law(instance.program, value, draws=draws).law for value in (verdict.a, verdict.b)]
    p, q = (sum((law.prob(x) for x in verdict.event), Fraction(0)) for law in found)
    assert (p, q) == (verdict.p_lo, verdict.q_hi)
    assert p > instance.epsilon.exp_bounds(256)[1] * q + instance.delta


@by_name
def test_one_edit_lies_between_the_twins(mechanism: Mechanism, load: Callable[[str], Mechanism]) -> None:
    """The edited source has the correct mechanism's law on every input; as it stands it has not."""
    source, (faulty, meant) = source_of(mechanism), EDITS[mechanism.name]
    assert source.count(faulty) == 1
    edited = load(source.replace(faulty, meant))
    settings = mechanism.settings({})
    as_it_is = mechanism.build(settings)
    twin, correct = twin_of(mechanism, settings)
    expected = laws(twin.build(twin.settings(correct)), as_it_is)
    mended = edited.build(settings)
    assert laws(mended, as_it_is) == expected
    assert laws(load(source).build(settings), as_it_is) == laws(as_it_is, as_it_is)
    assert laws(as_it_is, as_it_is) != expected or mended.neighbours != as_it_is.neighbours


@pytest.mark.parametrize(
    ("name", "settings", "verdict"),
    [
        ("geosample-strict", {"n": "1", "epsilon": "1/2"}, Refuted),
        ("geosample-strict", {"n": "12", "epsilon": "1/10"}, Refuted),
        ("geosample-exponent", {"n": "5", "epsilon": "1/100"}, Refuted),
        ("sample-threshold-strict", {"rate": "1/10", "threshold": "3", "kmax": "8"}, Verified),
        ("sample-threshold-strict", {"rate": "1/10", "threshold": "3", "kmax": "8", "delta": "0"}, Refuted),
        ("randomized-response-modulo", {"epsilon": "ln(3)", "bits": "32"}, Verified),
        ("randomized-response-modulo", {"epsilon": "ln(3)", "bits": "1"}, Refuted),
        ("randomized-response-modulo", {"epsilon": "ln(4)", "bits": "200"}, Refuted),
        ("randomized-response-type", {"epsilon": "5"}, Refuted),
        ("randomized-response-type", {"epsilon": "0"}, Refuted),
    ],
)
def test_the_fault_shows_exactly_where_it_matters(
    audit: Callable[..., Report], name: str, settings: dict[str, str], verdict: type[Any]
) -> None:
    """2^32 % 4 is no bias, and a count of 3 at the threshold is rare enough for delta = 1/500."""
    (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
    assert isinstance(audit(mechanism, settings).verdict, verdict)


@pytest.mark.parametrize(
    ("name", "settings", "given"),
    [
        ("geosample-strict", {"epsilon": "2/3"}, "2/3"),
        ("geosample-exponent", {"n": "0"}, "0"),
        ("sample-threshold-strict", {"threshold": "0"}, "0"),
        ("sample-threshold-strict", {"rate": "1"}, "1"),
        ("sample-threshold-strict", {"delta": "small"}, "small"),
        ("randomized-response-modulo", {"bits": "0"}, "0"),
        ("randomized-response-modulo", {"bits": "1/2"}, "1/2"),
        ("randomized-response-type", {"epsilon": "ln(0)"}, "0"),
        ("randomized-response-type", {"n": "3"}, "n=3"),
    ],
)
def test_refused_parameters(refused: Callable[..., None], name: str, settings: dict[str, str], given: str) -> None:
    (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
    refused(mechanism, settings, given)
