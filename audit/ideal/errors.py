"""What is refused of a program on ideal noise, once it is read."""

from dpcert.mechanisms.exact.errors import Unauditable


class Differs(Unauditable):
    """On floats the program does something else than on the numbers that they stand for."""
