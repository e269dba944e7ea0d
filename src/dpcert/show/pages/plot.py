"""Plots: what is drawn, the numbers that it is drawn from, and words for those who do not see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dpcert.show.numbers import number_of

if TYPE_CHECKING:
    import matplotlib.axes

Axes: TypeAlias = "matplotlib.axes.Axes"

MOST = 200
"""How many characters of a name go into the name of a file."""


@dataclass(frozen=True, slots=True)
class Plot:
    """One picture: `draw` puts it on axes of `size` (inches); `head` and `rows` are its numbers, as texts.

    `name` is that of its file, `words` says what is to be seen.
    """

    name: str
    title: str
    words: str
    size: tuple[float, float]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    draw: Callable[[Axes], None]


def height(text: str) -> float:
    """Return the float nearest to a number given as a text, for drawing."""
    return float(number_of(text)) if "/" in text else float(text)


def file_words(text: str) -> str:
    """Return a text as a part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.=+-]+", "_", text).strip("._")[:MOST] or "plot"
