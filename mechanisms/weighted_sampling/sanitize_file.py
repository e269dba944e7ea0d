"""Sanitizing a sample of (key, frequency) pairs from a file: streamed, in bounded memory, all of it or nothing.

Pairs are read once, and a value is drawn for each. Key, line and drawn value go to a temporary folder, into parts by a
checksum of the key. Equal keys are in one part, and parts are read one after another. So a key that occurs twice is
noticed, on whatever lines, and reported keys are written in the order of their checksums. The order of the result then
discloses nothing but its keys: neither the order of the sample nor its size.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO
from zlib import crc32

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError

HEADER = ["key", "frequency"]
"""The optional first line of a sample."""
PART_BYTES = 1 << 20
"""The number of bytes of the sample that a part is meant for."""
MOST_PARTS = 1 << 14
HELD = 1 << 15
"""The number of pairs that are held before they are written to their parts."""
MOST_LINE = 1 << 16
"""The greatest number of characters of a line."""
STRIDE = 1 << 14
"""The number of pairs between two reports of progress."""

Draw = Callable[[int, Coins], int]


@dataclass(frozen=True, slots=True)
class Sanitized:
    """The numbers of pairs in a sample and of keys reported from it; the first is not private, for the owner alone."""

    pairs: int
    reported: int


def drawn_for_sampled(*, q: Callable[[int], Fraction], draws: Sequence[Callable[[Coins], int]]) -> Draw:
    """Return the program that draws the value of a key that was sampled by its frequency: 0 is for not reported.

    `q(i)` is the probability with which a key of frequency i was sampled, for every i >= 1.

    Requires: q non-decreasing; `draws[i - 1]` draws from the row of a sampled key of frequency i, as
              `pws_frequencies` takes it.
    Claims:   sampling with q and then drawing is reporting by row i, above len(draws) by the last row. A key of
              frequency i above len(draws) was sampled more often than one of frequency len(draws), so it is first kept
              with probability q(len(draws)) / q(i).
    Source:   weighted-sampling, Algorithm 2.
    """
    most = len(draws)
    last = q(most)

    def draw(frequency: int, coins: Coins) -> int:
        if frequency <= most:
            return draws[frequency - 1](coins)
        return draws[-1](coins) if coins.bernoulli(last / q(frequency)) else 0

    return draw


def sanitize_file(
    source: Path,
    target: Path,
    *,
    draw: Draw,
    coins: Coins,
    values: bool = True,
    progress: Callable[[int, int], None] | None = None,
    part_bytes: int = PART_BYTES,
) -> Sanitized:
    """Write the sanitized sample of a CSV file of keys and frequencies to `target`, and return its numbers of keys.

    `target` gets a line "key,value" and one for each key that is reported, or "key" and the keys alone where `values`
    is False. `progress(done, total)` is called now and then, with about the number of bytes read so far, and their
    total.

    Claims:   `target` is written whole or not at all, whenever the run ends: it is made beside it under another name
              and renamed. Memory does not grow with the sample up to 16 GiB; the temporary folder beside `target`,
              which contains the sample itself, is readable by its owner alone, and only a run that is killed leaves it.
    Raises:   InputError, with the line, for a line without a key and a frequency >= 1, and, with both lines, for a key
              that occurs twice; and where `source` is no regular file, or is `target`.
    """
    if not source.is_file():
        raise InputError(given=str(source), needed="a file with a sample", remedy="name one that exists")
    if target.exists() and source.samefile(target):
        raise InputError(given=f"{target} for both", needed="another file to write to", remedy="name another one")
    size = source.stat().st_size
    parts = min(MOST_PARTS, 1 + size // part_bytes)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        spread = _Parts(Path(folder), parts)
        pairs = done = 0
        for line, key, frequency, length in _pairs(source):
            spread.add(line, key, draw(frequency, coins))
            pairs += 1
            done += length
            if progress is not None and pairs % STRIDE == 0:
                progress(done, size)
        spread.write()
        made = Path(folder) / "sanitized"
        with made.open("w", encoding="utf-8", newline="") as file:
            reported = _write(file, spread, values)
            file.flush()
            os.fsync(file.fileno())
        os.replace(made, target)
    if progress is not None:
        progress(size, size)
    return Sanitized(pairs, reported)


class _Parts:
    """Lines of a key's line number, its value and itself, in files by ranges of the key's checksum."""

    def __init__(self, folder: Path, amount: int) -> None:
        self.names = [folder / str(place) for place in range(amount)]
        self.held: list[list[str]] = [[] for _ in range(amount)]
        self.count = 0

    def add(self, line: int, key: str, value: int) -> None:
        self.held[crc32(key.encode()) * len(self.held) >> 32].append(f"{line} {value} {key}\n")
        self.count += 1
        if self.count == HELD:
            self.write()

    def write(self) -> None:
        for name, lines in zip(self.names, self.held, strict=True):
            if lines:
                with name.open("a", encoding="utf-8", newline="") as file:
                    file.writelines(lines)
                lines.clear()
        self.count = 0

    def reported(self) -> Iterator[tuple[str, int]]:
        """Yield the reported keys with their values, by checksum and then by key.

        Raises: InputError for a key that occurs twice.
        """
        for name in self.names:
            if not name.exists():
                continue
            seen: dict[str, int] = {}
            found: list[tuple[int, str, int]] = []
            with name.open(encoding="utf-8", newline="\n") as file:
                for text in file:
                    line, value, key = text[:-1].split(" ", 2)
                    if seen.setdefault(key, int(line)) != int(line):
                        raise InputError(
                            given=f"the key {key[:80]!r} on line {seen[key]} and again on line {line}",
                            needed="each key once, with its frequency",
                            remedy="add its frequencies up before sampling",
                        )
                    if value != "0":
                        found.append((crc32(key.encode()), key, int(value)))
            for _, key, number in sorted(found):
                yield key, number


def _write(file: IO[str], parts: _Parts, values: bool) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["key", "value"] if values else ["key"])
    count = 0
    for key, value in parts.reported():
        writer.writerow([key, value] if values else [key])
        count += 1
    return count


def _pairs(source: Path) -> Iterator[tuple[int, str, int, int]]:
    """Yield line number, key, frequency and length of the pairs of a file.

    Raises: InputError that names a line that is no such pair.
    """
    with source.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        number = 0
        while text := file.readline(MOST_LINE):
            number += 1
            if len(text) == MOST_LINE:
                raise _bad(number, text, f"which has {MOST_LINE:,} characters or more")
            key, comma, rest = text.partition(",")
            if '"' in text or not comma:
                key, rest = _fields(text, number)
            count = rest.strip()
            if not (count.isascii() and count.isdigit()):
                if number == 1 and [key, count] == HEADER:
                    continue
                raise _bad(number, text, "whose second field is no integer >= 1")
            if len(count) > 18 or int(count) < 1:
                raise _bad(number, text, "whose frequency is not from 1 to 10^18 - 1")
            if not key or not key.isprintable():
                raise _bad(number, text, "whose key is empty, or has characters that are not printable text in UTF-8")
            yield number, key, int(count), len(text)


def _fields(text: str, number: int) -> tuple[str, str]:
    """Return the two fields of one line.

    Raises: InputError for one that is no line of CSV by itself, or has not two fields.
    """
    try:
        (fields,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise _bad(number, text, "which is no line of CSV by itself") from None
    if len(fields) != 2:
        raise _bad(number, text, "which has not two fields")
    return fields[0], fields[1]


def _bad(number: int, text: str, fault: str) -> InputError:
    shown = text.rstrip("\r\n")
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return InputError(
        given=f"line {number}, {shown!r}, {fault}",
        needed="a key, a comma and its frequency, an integer >= 1",
        remedy="mend that line; nothing was written",
    )
