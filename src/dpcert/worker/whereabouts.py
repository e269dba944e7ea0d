"""The place at which a program runs: the innermost line of user code on its stack."""

import os
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

STANDARD = tuple(f"{path}{os.sep}" for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")))
INSTALLED = frozenset({"site-packages", "dist-packages"})
ROOMS = ("dpcert", "dpcert.audit", "dpcert.mechanisms", "dpcert.proofs", "dpcert.reading")
SPECS = [spec for spec in map(find_spec, ROOMS) if spec is not None]
HOMES = tuple(home for spec in SPECS for home in spec.submodule_search_locations or () if home)
"""The folders of this package's sources, by path: this module imports none of them."""
OWN = tuple(f"{home}{os.sep}" for home in HOMES)


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file, in a function."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"line {self.line} of {os.path.basename(self.file)} ({self.function})"


def stack(frame: FrameType | None) -> Iterable[Spot]:
    """Yield the places of a frame and of its callers, innermost first."""
    while frame is not None:
        yield Spot(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back


def is_own(file: str) -> bool:
    """Whether a file is this package's."""
    return file.startswith(OWN)


def users_spot(places: Iterable[Spot]) -> Spot | None:
    """Return the innermost place in user code, else in an installed package; None where neither is on the stack."""
    outside = [place for place in places if not is_own(place.file) and not _is_standard(place.file)]
    written = [place for place in outside if not _is_installed(place.file)]
    return next(iter(written or outside), None)


def _is_installed(file: str) -> bool:
    return not INSTALLED.isdisjoint(Path(file).parts)


def _is_standard(file: str) -> bool:
    return file.startswith(("<frozen", *STANDARD)) and not _is_installed(file)


def own_spot(places: Iterable[Spot]) -> Spot | None:
    """Return the innermost place in code of this package; None where there is none."""
    return next((place for place in places if is_own(place.file)), None)
