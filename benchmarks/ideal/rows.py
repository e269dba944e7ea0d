"""The rows of the benchmark: each program with its size, its claim, and what is published of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.epsilon import exp_near
from ideal import checkdp, dipc, shadowdp


@dataclass(frozen=True, slots=True)
class IntegerRow:
    """A program on integer queries, claimed for every epsilon: (factor epsilon, delta)."""

    name: str
    program: Callable[..., Any]
    n: int
    private: bool
    seconds: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[int, ...] = (-1, 0, 1)
    relation: str = "linf"
    factor: Fraction = Fraction(1)
    delta: tuple[str, Fraction] = ("0", Fraction(0))
    upper: Fraction | None = None


@dataclass(frozen=True, slots=True)
class RealRow:
    """A program on real queries, claimed for every epsilon: claim * epsilon; `private` for all numbers of queries."""

    name: str
    program: Callable[..., Any]
    n: int
    private: bool
    settings: Mapping[str, Any] = field(default_factory=dict)
    relation: str = "linf"
    claim: int = 1


def e_to(exponent: Fraction, *, up: bool) -> Fraction:
    """Return a rational number near e^-exponent, on the side that is asked for."""
    lo, hi, width = exp_near(exponent, 64)
    return Fraction(1 << width, lo if up else hi)


HALF = Fraction(1, 2)


def _svt1(n: int, c: int, seconds: str) -> IntegerRow:
    return IntegerRow(f"SVT1, c = {c}", dipc.svt1, n, True, seconds, {"c": c})


def _sparse(c: int, words: str, delta: Fraction, private: bool, seconds: str) -> IntegerRow:
    return IntegerRow(
        f"Sparse, c = {c}, delta = {words}",
        dipc.sparse,
        3,
        private,
        seconds,
        {"c": c},
        values=(0, 1),
        factor=HALF,
        delta=(words, delta),
    )


DIPC = [
    *(_svt1(n, 1, seconds) for n, seconds in enumerate(("17", "116", "703 to 851", "4648"), 1)),
    *(_svt1(n, 2, seconds) for n, seconds in enumerate(("188", "1129", "6318"), 2)),
    IntegerRow("SVT2", dipc.svt2, 3, True, "783"),
    IntegerRow("SVT3", dipc.svt3, 3, True, "3686"),
    *(
        IntegerRow("SVT3(0,1)", dipc.svt3_binary, n, n < 5, seconds)
        for n, seconds in enumerate(("21", "164", "1470", "9624", "4636"), 1)
    ),
    IntegerRow("SVT4", dipc.svt4, 2, False, "63"),
    IntegerRow("SVT4", dipc.svt4, 3, False, "294"),
    IntegerRow("SVT5", dipc.svt5, 2, False, "2"),
    IntegerRow("SVT5", dipc.svt5, 3, False, "3"),
    IntegerRow("SVT6", dipc.svt6, 3, False, "680"),
    _sparse(1, "0", Fraction(0), False, "55"),
    _sparse(1, "e^(-1/32)", e_to(Fraction(1, 32), up=False), True, "256"),
    _sparse(1, "e^(-4)", e_to(Fraction(4), up=True), False, "211"),
    _sparse(2, "0", Fraction(0), False, "93"),
    _sparse(2, "e^(-2)", e_to(Fraction(2), up=False), True, "44882"),
    _sparse(2, "e^(-4)", e_to(Fraction(4), up=True), False, "659"),
    IntegerRow("NMax1", dipc.nmax1, 3, True, "211"),
    IntegerRow("NMax1", dipc.nmax1, 4, True, ""),
    IntegerRow("NMax1", dipc.nmax1, 5, True, ""),
    IntegerRow("NMax2", dipc.nmax2, 3, True, "56"),
    IntegerRow("NMax3", dipc.nmax3, 3, False, "282"),
    IntegerRow("NMax4", dipc.nmax4, 1, False, "1"),
    IntegerRow("NMax4", dipc.nmax4, 3, False, "32"),
    IntegerRow("RR", dipc.randomized_response, 1, False, "1", values=(0, 1), upper=Fraction(99, 100)),
    IntegerRow("RR", dipc.randomized_response, 3, False, "1", values=(0, 1), upper=Fraction(99, 100)),
    IntegerRow("Hist1", dipc.histogram1, 3, True, "1443", relation="l1"),
    IntegerRow("Hist2", dipc.histogram2, 1, False, "2", relation="l1"),
    IntegerRow("Hist2", dipc.histogram2, 3, False, "35", relation="l1"),
]

CHECKDP = [
    RealRow("sparsevector, N = 1", checkdp.sparsevector, 5, True),
    RealRow("sparsevector, N = 2", checkdp.sparsevector, 4, True, {"stop": 2}),
    RealRow("svt_increasing, N = 2", checkdp.svt_monotone, 4, True, {"stop": 2}, "increasing"),
    RealRow("svt_decreasing, N = 2", checkdp.svt_monotone, 4, True, {"stop": 2}, "decreasing"),
    RealRow("numsparsevector, N = 1", checkdp.numsparsevector, 5, True),
    RealRow("gapsparsevector, N = 1", checkdp.gapsparsevector, 5, True),
    RealRow("adaptivesparsevector, N = 1", checkdp.adaptivesparsevector, 4, True),
    RealRow("adaptivesparsevector, N = 2", checkdp.adaptivesparsevector, 3, True, {"stop": 2}),
    RealRow("noisymax", checkdp.noisymax, 5, True),
    RealRow("partialsum", checkdp.partialsum, 6, True, relation="l1"),
    RealRow("smartsum, M = 2", checkdp.smartsum, 6, True, relation="l1", claim=2),
    RealRow("badsparsevector1", checkdp.badsparsevector1, 6, False),
    RealRow("badsparsevector2", checkdp.badsparsevector2, 6, False),
    RealRow("badsparsevector3", checkdp.badsparsevector3, 6, False),
    RealRow("badgap", checkdp.badgap, 8, False),
    RealRow("badadaptive", checkdp.badadaptive, 6, False),
    RealRow("badnoisymax", checkdp.badnoisymax, 6, False),
    RealRow("badpartialsum", checkdp.badpartialsum, 6, False, relation="l1"),
    RealRow("badsmartsum", checkdp.badsmartsum, 6, False, relation="l1"),
]

SHADOWDP = [
    RealRow("noisymax", checkdp.noisymax, 5, True),
    RealRow("SVT, N = 1", checkdp.sparsevector, 5, True),
    RealRow("SVT, N = 2", checkdp.sparsevector, 4, True, {"stop": 2}),
    RealRow("numeric SVT, N = 1", checkdp.numsparsevector, 5, True),
    RealRow("numeric SVT, N = 2", checkdp.numsparsevector, 4, True, {"stop": 2}),
    RealRow("gap SVT, N = 2", checkdp.gapsparsevector, 4, True, {"stop": 2}),
    RealRow("partial sum", checkdp.partialsum, 6, True, relation="l1"),
    RealRow("prefix sum", shadowdp.prefixsum, 6, True, relation="l1"),
    RealRow("smart sum, M = 2", checkdp.smartsum, 6, True, relation="l1", claim=2),
]

STATDP = [
    RealRow("noisy max 1", checkdp.noisymax, 5, True),
    RealRow("noisy max 2", shadowdp.noisymax2, 5, True),
    RealRow("noisy max 3", shadowdp.noisymax3, 5, False),
    RealRow("noisy max 4", shadowdp.noisymax4, 5, False),
    RealRow("histogram", shadowdp.histogram, 5, True, relation="l1"),
    RealRow("histogram, eps for 1/eps", shadowdp.badhistogram, 5, False, relation="l1"),
    RealRow("SVT", checkdp.sparsevector, 5, True),
    RealRow("SVT without query noise", checkdp.badsparsevector1, 5, False),
    RealRow("SVT without a stop", checkdp.badsparsevector2, 5, False),
    RealRow("SVT with too little noise", checkdp.badsparsevector3, 5, False),
]
