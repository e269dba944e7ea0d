"""Which settings each mechanism refuses, in one line that says what was given, what is needed and what to do."""

from typing import Any

import pytest

from dpcert.targets.catalogue import BUILT_IN, MECHANISMS

REFUSED = """
    laplace-isotonic: labels=0 | ratio=1 | labels=17 & nmax=1 | labels=4 & nmax=100
    privhist-split: T=0 | T=101 | M=1001 | M=-1 | epsilon=0 | nmax=31
    privhist-total: nmax=-1
    privhist-smoothed: epsilon=1e-30
    privhist: epsilon=1e-6 -> epsilon=1/1000000 | epsilon=1e-4 & nmax=2 | epsilon=1/10 & nmax=30 | epsilon=0 |
        nmax=1/2
    compact-histogram: universe=65 & bits=6 -> a universe of 65 labels for a field of 2^6 .. set bits=18 | universe=1 |
        bits=2 -> 4 numbers for a noisy count that draws from 5 .. a field of 6 bits | bits=-2 |
        n=3 -> n=3, bits=6: (2^6)^4 outcomes .. view=counts | n=0 | universe=1000 & n=2 & bits=18 -> (2^18)^3 outcomes |
        epsilon=2/3 -> the inverse of an integer | epsilon=0 | sampler=fastsample & gamma=2/3 |
        sampler=laplace -> geosample, fastsample or response | sampler=response & weight=0 |
        view=counts & universe=3 -> universe <= n + 1 | field=prime & n=3 -> field=prime: ((2^2 - 1)^4)^4 outcomes |
        field=prime & bits=6 -> field=prime with bits=6 | field=real |
        sampler=fastsample -> bits=162: (2^162)^2 outcomes | beta=1/10 |
        n=3 & universe=100 -> 2^18 at most, to enumerate all polynomials .. set view=counts, universe=4, bits=18 |
        n=3 & universe=100 & view=counts -> universe <= n + 1, as no more labels .. set universe=4 |
        n=9 & universe=10 & view=counts -> universe^n <= 5000 .. set n=3 or take 2 labels |
        bits=4 -> 0, or 2 * 3^l for some l: 2, 6, 18, 54 .. set one of these |
        view=all -> polynomial or counts .. set one of these
    fastsample: epsilon=2/3 | epsilon=2 | epsilon=0 | epsilon=-1/10 | epsilon=ln(2) | epsilon=nan | epsilon= | gamma=1 |
        gamma=2/3 | gamma=0 | gamma=-1/2 | gamma=little | n=0 | n=-3 | n=5/2 | n=1e6 | n=many | t=3 |
        epsilon=1/1000 -> fewer than 20000 bits .. take a greater epsilon, or geosample
    geometric: n=0 | n=1/2 | ratio=1 -> a number above 1 | ratio=1/2 | ratio=e -> 'e' |
        n=100000 & ratio=1000000001/1000000000 | method=loop -> draw or flips or words
    geosample: epsilon=2/3 -> the inverse of an integer | epsilon=2 | epsilon=0 -> the inverse of an integer |
        epsilon=-1/10 | epsilon=ln(2) | epsilon=nan | epsilon= | n=0 -> an integer from 1 to | n=-3 | n=5/2 | n=1e6 |
        n=many -> an exact number is | n=1 & epsilon=1e-20000 | N=3 -> one of its parameters: n, epsilon |
        n=100000 & epsilon=1/100000 -> n (k + 1) < 1000000, the bits of the one draw .. lower n
    keep-heavy: n=2 & universe=2 -> n=2, universe=2 .. universe >= 3 | n=0 | n=3/2 |
        epsilon=2/3 -> inverse of an integer | epsilon=0 | gamma=3/100 & sampler=fastsample -> inverse of an integer |
        gamma=1 | sampler=laplace -> geosample, words or fastsample .. set one of these |
        n=3 & universe=8 -> n=3, universe=8 .. 500000 .. set universe=7 .. basic-histogram |
        n=1 & universe=100000 -> set universe=706 | threshold=1 |
        n=4 & universe=4 -> universe >= 5, the (n+1)-st greatest count is one of its labels' .. set universe=5 |
        n=2 & universe=1000 -> at most 500000 outcomes .. set universe=22 .. basic-histogram at any |
        n=1000 & universe=1000000 -> at most 500000 outcomes .. lower n: n=3, universe=4 can be .. basic-histogram
    keep-heavy-sparse: n=2 & universe=2 -> universe >= 5 | n=0 | n=3/2 | epsilon=2/3 -> inverse of an integer |
        epsilon=0 | gamma=3/100 & sampler=fastsample -> inverse of an integer | gamma=1 |
        sampler=laplace -> geosample, words or fastsample |
        n=3 & universe=8 -> n=3, universe=8 .. 500000 .. set universe=7 .. basic-histogram |
        n=1 & universe=100000 -> set universe=706 |
        n=4 & universe=9 -> at most 500000 outcomes .. lower n: n=3, universe=7 can be .. basic-histogram at any |
        n=12 & universe=1000 -> lower n | threshold=1 |
        n=2 & universe=4 -> universe >= 5, so that n + 1 labels do not occur .. set universe=5
    sparse-histogram: delta=2/3 | delta=0 | beta=1/10 | n=2 & universe=4 -> universe >= 5 .. basic-histogram |
        n=1 & universe=2 -> universe >= 3 |
        n=2 & universe=30 -> set universe=22 |
        n=1 & universe=18446744073709551616 -> set universe=706 .. sampling itself has no such limit |
        n=4 & universe=9 -> set n=3, universe=7 | n=0 | epsilon=2/3 | epsilon=2 | sampler=laplace |
        sampler=fastsample & gamma=2/3 |
        n=3 & universe=6 -> universe >= 7, so that n + 1 labels do not occur .. set universe=7 |
        n=2 & universe=18446744073709551616 -> at most 500000 outcomes .. set universe=22 .. basic-histogram at any
    pure-sparse-histogram: beta=1 | beta=2/3 | delta=1/10 | n=2 & universe=4 -> universe >= 5 .. basic-histogram |
        n=1 & universe=2 -> universe >= 3, so that n + 1 labels do not occur .. set universe=3 |
        n=2 & universe=30 -> set universe=22 |
        n=1 & universe=18446744073709551616 -> set universe=706 .. sampling itself has no such limit |
        n=4 & universe=9 -> set n=3, universe=7 | n=0 | epsilon=2/3 | epsilon=2 | sampler=laplace |
        sampler=fastsample & gamma=2/3 |
        n=3 & universe=100 -> at most 500000 outcomes .. set universe=7 .. basic-histogram at any
    contacted-histogram: n=1 | m=0 | m=5 | m=1/2 | asked=0 | asked=6 | m=4 & asked=3 | threshold=0 |
        n=30 & asked=10 -> n=30, universe=2
    sample-threshold: rate=0 | rate=1 | rate=-1/10 | rate=3/2 | rate=1/0 | rate=half | threshold=0 | threshold=-1 |
        threshold=5/2 | threshold=1e7 | kmax=0 | kmax=1/3 | kmax=1e9 | tau=3
    trie-heavy-hitters: ancestors=maybe | branching=1 | levels=0 | levels=13 | levels=100000 | rate=1 | threshold=0 |
        n=40 | counts=yes |
        n=9 & levels=5 -> at most 5000 sorted lists .. set n=2 or take 5 labels, or audit sample-threshold
    heavy-hitters: counts=1 | rate=0
    quantile-search: phi=1 | halvings=0 | halvings=13 |
        n=1000 & halvings=12 -> at most 5000 sorted lists .. set n=1, or audit sample-threshold
    hierarchical-histogram: branching=1/2 | ancestors=yes
    mixing: n=0 | n=101 | epsilon=2/3 | bits=0 | bits=5000 | gamma=1 | gamma=2/5 | delta=1 |
        gamma=1/1000000 -> a distance that mixing makes up for .. set gamma=1/
    basic-histogram: n=0 | n=3/2 | universe=1 | universe=many | n=61 -> n=61, universe=3 |
        universe=18446744073709551617 | epsilon=0.3 | sampler=laplace | gamma=1 | sampler=fastsample & gamma=0 |
        threshold=1 | n=100 & universe=1000 -> n <= 60 to audit the two labels .. lower n, or audit the sampler
    stability-histogram: threshold=-1 -> an integer from 0 to | threshold=1/2 | universe=0 |
        n=61 & universe=2 -> n=61, universe=2 | sampler= -> sampler=: geosample, words or fastsample |
        n=1000 & universe=2 -> n <= 60 to audit the two labels .. lower n, or audit the sampler
    sample-threshold-histogram: rate=0 | rate=1 | rate=often | threshold=0 | universe=0 | n=0 |
        n=99 -> n=99, universe=2 | epsilon=1 |
        n=10 & universe=10 -> at most 5000 sorted lists .. set n=5 or take 5 labels, or audit sample-threshold
    sparse-vector: threshold=2 | cap=4 | ratio=1 | n=9 & most=3
    numeric-sparse-vector: third=0
    report-noisy-max: ratio=1/2
    noisy-histogram: most=0
    parallel-counts, geosample-exponent: n=0
    count-on-grid: grid=101
    one-time-rappor: f=1 | bits=13
    rappor: p=1/2 & q=1/2 | bits=5 & reports=3
    randomized-response: epsilon=-1 | epsilon=ln(1/2) -> the argument of ln in epsilon = 1/2 | epsilon=log(3) |
        epsilon=nan | epsilon=inf | epsilon=1e9 -> 1000000000 | epsilon=1,5 | epsilon= | bits=3
    geosample-strict: epsilon=2/3
    sample-threshold-strict: threshold=0 | rate=1 | delta=small
    randomized-response-modulo: bits=0 | bits=1/2
    randomized-response-type: epsilon=ln(0) -> the argument of ln in epsilon = 0 | n=3
    clip-threshold: norm=linf | noise=1/2 | noise=-1 | greatest=0 | sparsity=0 | epsilon=0 |
        parts=1000 & sparsity=100 & norm=l2 -> 20000 steps
    clip-threshold-perturbed: strength=0 | strength=-1/2 | grid=1/2 | strength=1e-9 -> 2000000000 steps |
        greatest=1000 & grid=1000 -> 1000000 units
    clip-threshold-descent: rounds=0 | stride=0 | greatest=1000 & grid=3 -> units | noise=1e6 -> 1000002 units |
        rounds=100 & parts=101 -> 10100 steps
    clipped-sum-l1, clipped-sum-l2: clip=0 | clip=-1 | clip=1/3 & grid=2 -> clip=1/3, grid=2 | clip=much | grid=0 |
        grid=1/2 | users=0 | dimension=0 | dimension=1/2 | most=0 | most=99 -> make 100000000 data sets | epsilon=-1
    pws-private-threshold: total-epsilon=0 | size=0 | delta=0 | keys=4 & imax=5 -> keys=4, imax=5 | keys=0
    pws-frequencies: q=-1/2 | q=1/2, 1/3 -> non-decreasing numbers in [0, 1] | q=priority:0 -> tau > 0 |
        delta=0 -> with delta = 0 no key can ever be reported | delta=2 -> a number in (0, 1] | epsilon=-1 | imax=0 |
        imax=10001 | algorithm=3 | algorithm=4.5 | tau=1 | q=-1/2, 1/3 -> non-decreasing numbers in [0, 1] |
        q=1/2, 3/2 -> non-decreasing numbers in [0, 1] | q=ppswor:-1 -> tau > 0 |
        q=ppswor -> ppswor:TAU, with a number tau > 0 | q=uniform:1/2 -> ppswor:TAU, with a number tau > 0 |
        bits=3 -> 0, or 8 to 4096 | bits=-1 -> an integer from 0 to 4096
    pws-keys: q= | q=-1/2 | q=1/2, 1/3 -> non-decreasing numbers in [0, 1] .. priority:TAU |
        q=1/2, -> '' | q=priority:0 -> tau > 0 |
        q=ppswor -> priority:TAU or ppswor:TAU, with a number tau > 0 | q=ppswor:-1 -> tau > 0 |
        q=uniform:1/2 -> ppswor:TAU, with a number tau > 0 | delta=0 -> with delta = 0 no key can ever be reported |
        delta=2 -> a number in (0, 1] | delta=-1/10 | delta=small | epsilon=-1 | epsilon=much | imax=0 | imax=1.5 |
        imax=1000001 | bits=-1 -> an integer from 0 to 4096 | tau=1 | q=-1/2, 1/3 -> non-decreasing numbers in [0, 1] |
        q=1/2, 3/2 -> non-decreasing numbers in [0, 1] | bits=3 -> 0, or 8 to 4096
    sbh, sbh-sampled: epsilon=0 | delta=0 | delta=2 | delta=1/1000000 & most=20 | most=5 | threshold=small |
        threshold=0
"""
"""Names, then rows: the settings, and the words of the line, by default the last of the values."""


def rows() -> list[tuple[str, str]]:
    found, names = [], ""
    for line in REFUSED.strip().splitlines():
        if not line.startswith(" " * 8):
            names, _, line = line.strip().partition(": ")
        found += [(name, row) for row in line.removesuffix(" |").strip().split(" | ") for name in names.split(", ")]
    return found


@pytest.mark.parametrize(("name", "row"), rows())
def test_refused_settings(refused: Any, name: str, row: str) -> None:
    settings, _, words = row.partition(" -> ")
    given = dict(setting.split("=", 1) for setting in settings.split(" & "))
    refused(BUILT_IN[name], given, *(words.split(" .. ") if words else [[*given.values()][-1] or "''"]))


INVERSES = [
    *(
        (found.name, name)
        for found in MECHANISMS
        for name in ("epsilon", "gamma")
        if f"1/{name}" in str(found.parameters)
    ),
    *(("sparse-histogram", "delta"), ("pure-sparse-histogram", "beta")),
]


@pytest.mark.parametrize(("mechanism", "name"), INVERSES)
def test_refused_what_is_not_the_inverse_of_an_integer(refused: Any, mechanism: str, name: str) -> None:
    for value in ("2/3", "0", "-1/2", "1.5", "3/10", "2"):
        refused(BUILT_IN[mechanism], {name: value}, f"{name}={value}: the inverse of an integer >= ")


@pytest.mark.parametrize("mechanism", [each.name for each in MECHANISMS if "'threshold'" in str(each.parameters)])
def test_refused_thresholds_and_rates_that_release_all_or_nothing(refused: Any, mechanism: str) -> None:
    names = [parameter.name for parameter in BUILT_IN[mechanism].parameters]
    least = 0 if mechanism == "stability-histogram" or "sparse-vector" in mechanism else 1  # noise goes below 0
    for value in (str(least - 1), "-1", "3/2", "0.5"):
        refused(BUILT_IN[mechanism], {"threshold": value}, f"threshold={value}: an integer from {least} to ")
    for value in ("0", "1", "-1/10", "11/10") if "rate" in names else ():
        refused(BUILT_IN[mechanism], {"rate": value}, f"rate={value}: a number strictly between 0 and 1")
