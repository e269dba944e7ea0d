"""Releases of files beside OpenDP, and samples beside numpy: `peers.py` writes them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import numpy
import opendp.prelude as peer
from tables import in_turns, shown

from dpcert import release
from dpcert.mechanisms.coins import system_coins
from dpcert.mechanisms.drawn import by_word

HEAD = ["", "dpcert", "peer", "ratio", "asked"]
PEOPLE, LABELS, OCCUR, ROUNDS = 10**6, 200_001, 10**5, 3
peer.enable_features("contrib", "honest-but-curious")


def lines() -> Iterator[list[str]]:
    """Yield the rows: both ways are from a file to a file, or from counts to numbers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words, labels, out = (folder / each for each in ("words.txt", "labels.txt", "out.csv"))
        chances = list(accumulate(1 / rank for rank in range(1, OCCUR + 1)))
        drawn = Random(1).choices(range(OCCUR), cum_weights=chances, k=PEOPLE)
        words.write_text("".join(f"w{word}\n" for word in drawn))
        labels.write_text("".join(f"w{label}\n" for label in range(LABELS)))
        yield _beside(
            f"release of {PEOPLE:,} words by a threshold, OpenDP",
            "ratio 1",
            lambda: release("stability-histogram", words, out, epsilon=1, delta="1e-6", neighbours="add-remove"),
            lambda: threshold(words, out),
        )
        yield _beside(
            f"release of {PEOPLE:,} words on {LABELS:,} labels, OpenDP",
            "ratio 1",
            lambda: release("basic-histogram", words, out, epsilon=1, labels=labels, neighbours="add-remove"),
            lambda: listed(words, labels, out),
        )
    source, coins, sample = numpy.random.default_rng(1), system_coins(), by_word(Fraction(1, 10))
    yield _beside(
        f"sampling of {PEOPLE:,} people of one bin, numpy",
        "0.3 s",
        lambda: sample(PEOPLE, coins),
        lambda: source.binomial(PEOPLE, 0.1),
    )
    bins = [20] * 200_000
    yield _beside(
        f"sampling of {len(bins):,} bins of 20 people, numpy",
        "2.0 s before",
        lambda: [sample(count, coins) for count in bins],
        lambda: source.binomial(bins, 0.1),
    )


def _beside(name: str, asked: str, mine: Callable[[], Any], theirs: Callable[[], Any]) -> list[str]:
    spent, _ = in_turns(mine, theirs, rounds=ROUNDS)
    return [name, *map(shown, spent), f"{spent[0] / spent[1]:.2g}", asked]


def threshold(words: Path, out: Path) -> None:
    """Count in Python, which is quicker than OpenDP's own counts of texts, then noise and threshold."""
    counts = dict(Counter(words.read_text().split("\n")[:-1]))
    domain = peer.map_domain(peer.atom_domain(T=str), peer.atom_domain(T="int"))
    space = domain, peer.l01inf_distance(peer.absolute_distance(T="int"))
    noisy = (space >> peer.m.then_laplace_threshold(scale=1.0, threshold=15))(counts)
    _write(out, noisy.items())


def listed(words: Path, labels: Path, out: Path) -> None:
    """Count in Python, then noise on every label."""
    counts, names = Counter(words.read_text().split("\n")[:-1]), labels.read_text().split("\n")[:-1]
    space = peer.vector_domain(peer.atom_domain(T="int")), peer.l1_distance(T="int")
    noisy = (space >> peer.m.then_laplace(scale=1.0))([counts[name] for name in names])
    _write(out, zip(names, noisy, strict=True))


def _write(out: Path, rows: Any) -> None:
    with out.open("w", newline="") as file:
        file.writelines(f'"{name}","{count}"\r\n' for name, count in rows)
