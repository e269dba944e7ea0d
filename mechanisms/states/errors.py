"""The error of a program, or of a part of it, that cannot be followed by its states."""

from dpcert.mechanisms.exact.errors import DpcertError


class NotRead(DpcertError):
    """What cannot be followed by states; one line says where and why, and paths are enumerated."""
