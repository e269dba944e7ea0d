"""The closed registry of mechanisms that run on files."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.nearest import nearest
from dpcert.releasing import histograms, keys, sampling, users
from dpcert.releasing.bounding import bounded_ready, bounded_sample_threshold
from dpcert.releasing.ready import Ready, Request
from dpcert.targets.catalogue import BUILT_IN

Family = Callable[[Request], Ready]

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sample-threshold-histogram": sampling.sample_threshold,
        "bounded-histogram": bounded_sample_threshold,
        "heavy-hitters": sampling.heavy_hitters,
        "trie-heavy-hitters": sampling.trie,
        "hierarchical-histogram": sampling.hierarchical,
        "quantile-search": sampling.quantile,
        "contacted-histogram": sampling.contacted,
        "stability-histogram": bounded_ready(histograms.stability),
        "basic-histogram": bounded_ready(histograms.basic),
        "keep-heavy": histograms.keep_heavy,
        "keep-heavy-sparse": histograms.keep_heavy_sparse,
        "sparse-histogram": histograms.sparse,
        "pure-sparse-histogram": histograms.pure_sparse,
        "compact-histogram": histograms.compact,
        "pws-keys": bounded_ready(keys.keys),
        "pws-frequencies": bounded_ready(keys.frequencies),
        "pws-private-threshold": keys.private_threshold,
        "sbh": bounded_ready(keys.sbh),
        "sbh-sampled": bounded_ready(keys.sbh_sampled),
        "privhist": histograms.privhist,
        "laplace-isotonic": histograms.laplace_isotonic,
        "clipped-sum-l1": users.clipped_l1,
        "sampled-sum-l1": users.sampled_l1,
        "clipped-sum-l2": users.clipped_l2,
    }
)
"""The function that makes each mechanism ready, by its name."""


def ready_for(request: Request) -> Ready:
    """Return the program of a request and its guarantee.

    Raises: InputError for a mechanism that does not run on files, and for settings that it does not take.
    """
    if request.mechanism not in FAMILIES:
        given, needed = f"release {request.mechanism}", "a mechanism of docs/how-to/release-a-histogram.md"
        remedy = "name one of these: it is audited, and not yet run on files"
        if request.mechanism not in BUILT_IN:
            remedy = nearest(request.mechanism, FAMILIES, "name one of these")
        raise InputError(given=given, needed=needed, remedy=remedy)
    return FAMILIES[request.mechanism](request)
