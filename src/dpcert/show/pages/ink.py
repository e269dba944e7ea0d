"""Plots, with their numbers and words; drawn through matplotlib as SVG whose inks a page sets, or as files."""

from __future__ import annotations

import hashlib
import io
import logging
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from dpcert.mechanisms.exact.errors import InputError
from dpcert.show.numbers import number_of

if TYPE_CHECKING:
    import matplotlib.axes

Axes: TypeAlias = "matplotlib.axes.Axes"
MOST = 200
"""How many characters of a name go into the name of a file."""
INK, GRID, EVENT = "#1f2329", "#cfd5dc", "#f6ead0"
FIRST, SECOND, THIRD, CLAIM = "#1a5fb0", "#b2521b", "#2b7a3f", "#a3195b"
INKS = {INK: "ink", GRID: "grid", EVENT: "event", FIRST: "first", SECOND: "second", THIRD: "third", CLAIM: "claim"}
"""Each colour that plots are drawn in, and the name of the variable by which a page sets another one."""
REMEDY = "pip install 'dpcert[report]'"
DECIMALS = re.compile(r"(\d+\.\d)\d+")
LEGEND = 48
"""How many characters fit side by side above axes of 4.2 inches; each mark takes six."""
METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "xtick.major.pad": 6,
    "ytick.major.pad": 6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "hatch.linewidth": 0.8,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "axes.grid.which": "major",
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "path.simplify_threshold": 0.3,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """One picture: `draw` puts it on axes of `size` (inches); `head` and `rows` are its numbers, as texts.

    `name` is that of its file; `words` describe the picture to readers who do not see it.
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


def _ungrouped(text: str) -> str:
    """Return a text without its groups that have no attribute: they have no effect."""
    kept: list[bool] = []

    def tag(match: re.Match[str]) -> str:
        if match[0] == "</g>":
            return "</g>" if kept.pop() else ""
        kept.append(match[0] != "<g>")
        return match[0] if kept[-1] else ""

    return re.sub(r"<g(?: [^>]*)?>|</g>", tag, text)


def _save(plot: Plot, kind: str, **options: Any) -> bytes:
    """Return the bytes of a plot as matplotlib writes them; the same for the same plot.

    Raises: InputError where matplotlib is not installed.
    """
    logging.getLogger("matplotlib").addHandler(logging.NullHandler())  # it warns where it has no folder of its own
    try:
        from matplotlib import style
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(given="plots", needed=f"matplotlib ({error.name} is missing)", remedy=REMEDY) from None
    target = io.BytesIO()
    # matplotlib salts the ids of an SVG at random: with a salt of its own the same plot has the same bytes
    with style.context(["default", {**STYLE, "svg.hashsalt": plot.name}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # what one font lacks, another one may have
        figure = Figure(figsize=plot.size, layout="constrained")
        plot.draw(figure.add_subplot())
        figure.savefig(target, format=kind, **options)
    return target.getvalue()


def drawn(plot: Plot, axes: Axes | None = None) -> Axes:
    """Draw a plot on axes, new ones in a window or a notebook's cell where none are given, and return them."""
    try:
        import matplotlib.pyplot as plt
        from matplotlib import rc_context
    except ImportError as error:
        raise InputError(given="plot()", needed=f"matplotlib ({error.name} is missing)", remedy=REMEDY) from None
    with rc_context({"axes.spines.top": False, "axes.spines.right": False}):
        if axes is None:
            _, axes = plt.subplots(figsize=plot.size, layout="constrained")
        plot.draw(axes)
    axes.set_title(plot.title, fontsize=10, parse_math=False)
    return axes


def legend(axes: Axes) -> None:
    """Put the legend above the axes, where it covers nothing, its texts as they are, side by side if they fit."""
    labels = axes.get_legend_handles_labels()[1]
    columns = len(labels) if sum(len(label) + 6 for label in labels) <= LEGEND else 1
    found = axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, fontsize=10)
    for text in found.get_texts():
        text.set_parse_math(False)


def svg(plot: Plot) -> bytes:
    """Return a plot as an SVG file of its own, on white."""
    return _save(plot, "svg", facecolor="#ffffff", metadata=METADATA)


def png(plot: Plot) -> bytes:
    """Return a plot as a PNG file, on white."""
    return _save(plot, "png", dpi=160, facecolor="#ffffff", metadata={"Software": None})


def inline_svg(plot: Plot) -> str:
    """Return a plot as an element for a page: transparent, in the page's inks, with its words for who cannot see it.

    Each colour becomes `var(--plot-NAME)`, of a default where the page sets none; ids begin with a digest of the name.
    """
    text = _save(plot, "svg", transparent=True, metadata=METADATA).decode()
    text = text[text.index("<svg") :]
    for part in (r"<metadata>.*?</metadata>", r"<!--.*?-->", r"<style[^>]*>.*?</style>", r"<defs>\s*</defs>"):
        text = re.sub(part, "", text, flags=re.DOTALL)
    used = set(re.findall(r"(?:url\(#|href=\"#)([^\")]+)", text))
    text = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", text)
    stem = "p" + hashlib.sha256(plot.name.encode()).hexdigest()[:8]
    text = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{stem}-", text).replace("xlink:href", "href")
    text = re.sub(r"font-family: [^;\"]+; ?", "", text)
    text = re.sub(r"font: ([\d.]+px) [^;\"]+", r"font-size: \1", text)
    for colour, name in INKS.items():
        text = text.replace(colour, "currentColor" if name == "ink" else f"var(--plot-{name}, {colour})")
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r' (?:d|x|y|width|height|transform)="[^"]*"', lambda found: DECIMALS.sub(r"\1", found[0]), text)
    text = re.sub(r"\s*\n\s*", " ", text).replace("> <", "><")
    text = _ungrouped(text.replace("; stroke-linecap: square", ""))
    box = re.search(r'viewBox="[^"]*"', text)
    label = f'role="img" aria-label="{escape(plot.words)}"'
    return re.sub(r"^<svg [^>]*>", lambda found: f"<svg {box[0] if box else ''} {label}>", text, count=1).strip()
