"""What the tests of merged steps share: small tables of steps."""

from collections.abc import Callable

from hypothesis import strategies as st

from dpcert.reading.paths.enumerator import Enumeration

Twin = Callable[..., Enumeration]
Table = list[list[int]]

tables = st.integers(1, 3).flatmap(
    lambda sides: st.lists(st.lists(st.integers(0, 3), min_size=sides, max_size=sides), min_size=4, max_size=4)
)
