"""`dpcert compare`: the keys of a user's frequencies that mechanisms show within one budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dpcert.commands.options import json_option, need_plot, printed, write_plot
from dpcert.mechanisms.exact.errors import one_line

if TYPE_CHECKING:
    from dpcert.planning.comparing import Comparison
    from dpcert.show.pages.ink import Plot


@click.command(epilog="Exit status: 0 compared; 2 bad input.")
@click.option("--frequencies", required=True, metavar="FILE", help="A CSV or Parquet file of keys and frequencies.")
@click.option("--epsilon", required=True, help="The epsilon that may be spent, such as 1 or ln(3).")
@click.option("--delta", required=True, help="The delta that may be spent, such as 1e-8.")
@click.option("--universe", type=int, help="How many public labels there are: mechanisms that need a list, too.")
@click.option("--plot", metavar="FILE", help="Draw how likely a key is shown by its frequency: .svg or .png.")
@json_option()
def compare(frequencies: str, epsilon: str, delta: str, universe: int | None, plot: str | None, as_json: bool) -> int:
    """Compare what mechanisms release of a file's frequencies, and what is lost, for one person more or less.

    The mechanisms are those that need no list of labels, and with --universe the others; each has the parameters that
    show most. What is printed is not private: it is for the owner of the frequencies, or for public ones.
    """
    from dpcert.planning.comparing import compared
    from dpcert.planning.frequencies import read_frequencies

    need_plot(plot)
    found = compared(read_frequencies(frequencies), epsilon=epsilon, delta=delta, universe=universe)
    printed(found.as_json(), map(one_line, lines(found)), as_json=as_json)
    if plot is not None:
        write_plot(chart(found), plot)
    return 0


def lines(found: Comparison) -> list[str]:
    """Return a comparison in words, line by line."""
    from dpcert.planning.comparing import NOTHING, PRIVATELY, VALUES

    shown = [
        f"({found.epsilon}, {found.delta}) for add-remove neighbours, on {found.keys} keys of {found.people} people:"
    ]
    for row in found.rows:
        chosen = ", ".join(f"{name}={value}" for name, value in row.settings.items())
        error = row.error if row.error in (NOTHING, VALUES) else f"a count of 1,000 is off by about {row.error}"
        name = f"{row.mechanism}({chosen})" if chosen else row.mechanism
        shown.append(f"{name}: {row.keys} keys of {row.people} people; {error}")
        whom = "" if row.neighbours == "add-remove" else f"; for {row.neighbours} neighbours"
        shown.append(f"  lost: {row.lost_keys} keys of {row.lost_people} people; delta <= {row.delta}{whom}")
    best = found.rows[0]
    settings = "".join(f" --set {name}={value}" for name, value in best.settings.items())
    needed = " --labels FILE" if best.listed else f" --delta {found.delta}"
    call = f"dpcert release {best.mechanism} --epsilon '{found.epsilon}'{needed}{settings}"
    return [*shown, f"most keys: {call}", f"note: {PRIVATELY}"]


def chart(found: Comparison) -> Plot:
    """Return a chart of the probability that a key is shown, by its frequency."""
    from dpcert.show.pages.charts import Curves, line_chart

    curves = Curves(
        x="frequency of a key",
        y="probability that it is shown",
        at=[str(frequency) for frequency in found.frequencies],
        lines=tuple((row.mechanism, row.chances) for row in found.rows),
    )
    words = f"how likely each mechanism shows a key at ({found.epsilon}, {found.delta}), by the key's frequency"
    return line_chart(curves, name="compared", title="Keys shown", words=words)
