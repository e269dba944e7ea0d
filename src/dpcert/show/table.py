"""Tables of words for a terminal: columns as wide as they need, the last one wrapped."""

import textwrap
from collections.abc import Sequence

GAP = 2


def table_lines(rows: Sequence[Sequence[str]], *, width: int, indent: int = 0) -> list[str]:
    """Return rows of equally many cells as lines of at most `width` columns, where no word is longer than is left."""
    starts = [indent]
    for place in range(len(rows[0]) - 1 if rows else 0):
        starts.append(starts[-1] + max(len(row[place]) for row in rows) + GAP)
    lines = []
    for row in rows:
        head = "".join(f"{cell:<{after - start}}" for cell, start, after in zip(row, starts, starts[1:], strict=False))
        room = max(20, width - starts[-1])
        first, *others = textwrap.wrap(row[-1], room, break_long_words=False, break_on_hyphens=False) or [""]
        lines.append(f"{'':<{indent}}{head}{first}".rstrip())
        lines += [f"{'':<{starts[-1]}}{line}" for line in others]
    return lines
