"""What the tests of enclosures share: the same modules at a few bits of precision, where roundings show.

At 160 bits a rounding to the wrong side would hide. In a coarse build the same lines round at 20 bits, so that an
exact twin sees each of them; and a coarse build with one line changed must not pass.
"""

import importlib
import sys
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpcert.audit.profile import Profile, profile
from dpcert.mechanisms.dist import Dist

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    *("answer", "multiplicative", "profile", "recurrence", "enclosure", "convolution", "losses", "sums"),
    *("grids", "composition", "logarithm", "between", "hull", "curves", "renyi"),
)
COARSE = {
    "profile": {"\n_BITS = 30": "\n_BITS = 4"},
    "recurrence": {"MANTISSA = 160": "MANTISSA = 20", "_SHIFT = 64": "_SHIFT = 8"},
    "enclosure": {"\n_BITS = 30": "\n_BITS = 6"},
    "hull": {"FIXED = 1280": "FIXED = 24", "_LONGEST, _MANY = 1 << 26": "_LONGEST, _MANY = 1"},
    "convolution": {"_SPARE = 2": "_SPARE = 1"},
    "losses": {
        "FIXED = 1280": "FIXED = 48",
        "_RANGE = 192": "_RANGE = 16",
        "_LEAST = 1 << 64": "_LEAST = 1 << 4",
        "_SPARE = 128": "_SPARE = 4",
    },
    "sums": {"_FIXED = 256": "_FIXED = 24"},
    "grids": {"COARSE = 8": "COARSE = 4"},
    "composition": {"_SIZE, _FINE = 16, 12": "_SIZE, _FINE = 4, 4", "_SHARP = 192": "_SHARP = 24"},
}
HOMES = {"logarithm": "mechanisms"}
TOGETHER = {"enclosure": "recurrence"}

Build = Callable[..., SimpleNamespace]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """Return a function that gives the modules at a few bits, with edits (module, old text, new text) if any.

    `only` names the modules that are coarse; the others keep their precision.
    """
    folder = tmp_path_factory.mktemp("coarse")
    names: list[str] = []

    def built(*edits: tuple[str, str, str], only: Collection[str] = tuple(COARSE)) -> SimpleNamespace:
        name = f"coarse_{len(names)}"
        names.append(name)
        (folder / name).mkdir()
        for module in MODULES:
            text = (ROOT / HOMES.get(module, "audit") / f"{module}.py").read_text()
            coarse = COARSE.get(module, {}) if TOGETHER.get(module, module) in only else {}
            changes = [*coarse.items(), *((old, new) for at, old, new in edits if at == module)]
            for old, new in changes:
                assert text.count(old) == 1, (module, old)
                text = text.replace(old, new)
            for other in MODULES:
                text = text.replace(f"dpcert.{HOMES.get(other, 'audit')}.{other} ", f"{name}.{other} ")
            (folder / name / f"{module}.py").write_text(text)
        importlib.invalidate_caches()
        return SimpleNamespace(**{module: importlib.import_module(f"{name}.{module}") for module in MODULES})

    sys.path.insert(0, str(folder))
    yield built
    sys.path.remove(str(folder))
    for module in [module for module in sys.modules if module.partition(".")[0] in names]:
        del sys.modules[module]


@pytest.fixture(scope="session")
def pairs() -> list[tuple[Dist, Dist, Profile]]:
    """Return pairs of laws of all kinds, with their exact profiles."""
    columns = [
        ([3, 1], [1, 3]),
        ([5, 2, 1, 0, 7], [1, 3, 4, 2, 0]),
        ([1 << 70, 3, 10**9, 5], [7, 1 << 60, 10**5, 0]),
        ([10**30 + 1, 10**30 - 7, 10**20], [10**30 - 3, 10**30 + 11, 10**20 - 1]),
        ([11**k * 7 ** (12 - k) for k in range(13)], [5**k * 9 ** (12 - k) for k in range(13)]),
        ([2**59 + 2**40 - 1, 2**80 - 2**59 - 2**40 + 1], [2**51, 2**80 - 2**51]),
        ([2**59, 2**80 - 2**59], [2**51 + 2**32 - 1, 2**80 - 2**51 - 2**32 + 1]),
        ([(17 * k * k) % 101 for k in range(40)], [(23 * k + 5) % 97 for k in range(40)]),
    ]
    laws = [[Dist.from_weights(enumerate(column), sum(column)) for column in pair] for pair in columns]
    return [(p, q, profile(p, q)) for p, q in laws]


@pytest.fixture(scope="session")
def ratios() -> list[Fraction]:
    """Return e^epsilons at which deltas are compared."""
    return [Fraction(n, 8) for n in (8, 9, 11, 16, 27, 90)] + [Fraction(10**12 + 1, 10**12), Fraction(10**9, 7)]
