"""The errors of the exact layer: what was given, what was needed, what to do, on one line each."""

from functools import partial

_GIVEN = 200


def one_line(text: str) -> str:
    """The text as one printable line: runs of blanks become one, unprintable characters become escapes."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)


def _shorten(text: str) -> str:
    line = one_line(text[: 8 * _GIVEN])
    return line if len(line) <= _GIVEN and len(text) <= 8 * _GIVEN else line[: _GIVEN - 3] + "..."


class DpcertError(Exception):
    """The base of all errors that dpcert raises on purpose; each says its reason on one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(one_line(reason))


class InputError(DpcertError, ValueError):
    """An input was refused: `given` stood where `needed` must stand, and `remedy` says what to write instead.

    Claims: `str()` is one line, "given: needed; remedy"; `given` is cut at 200 characters; it pickles.
    """

    def __init__(self, *, given: str, needed: str, remedy: str) -> None:
        self.given, self.needed, self.remedy = _shorten(given), one_line(needed), one_line(remedy)
        super().__init__(f"{self.given}: {self.needed}; {self.remedy}")

    def __reduce__(self) -> tuple[object, ...]:
        parts = {"given": self.given, "needed": self.needed, "remedy": self.remedy}
        return partial(type(self), **parts), (), self.__dict__


class Unauditable(DpcertError):
    """A program's exact law cannot be had; the verdict is undecided, and this one line is its reason."""
