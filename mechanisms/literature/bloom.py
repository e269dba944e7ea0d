"""Bloom filters of small integers, as RAPPOR has them: Murmur3 of the decimal text, one seed for each hash."""

WORD = 0xFFFFFFFF
"""The greatest number of 32 bits."""


def turned(number: int, places: int) -> int:
    """Return 32 bits rotated to the left."""
    return (number << places | number >> 32 - places) & WORD


def murmur3(data: bytes, seed: int) -> int:
    """Return the 32-bit Murmur3 hash of bytes, from 0 to 2^32 - 1.

    Requires: 0 <= seed < 2^32.
    Source:   Appleby's MurmurHash3_x86_32; a test holds it equal to the package mmh3.
    """
    mixed = seed
    for start in range(0, len(data), 4):
        block = data[start : start + 4]
        part = turned(int.from_bytes(block, "little") * 0xCC9E2D51 & WORD, 15) * 0x1B873593 & WORD
        mixed ^= part
        if len(block) == 4:
            mixed = (turned(mixed, 13) * 5 + 0xE6546B64) & WORD
    mixed ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        mixed = (mixed ^ mixed >> shift) * factor & WORD
    return mixed ^ mixed >> 16


def bloom(value: int, *, bits: int, hashes: int) -> tuple[int, ...]:
    """Return the filter of a value, 1 at the place of each of its hashes: at most `hashes` ones.

    A hash is taken as a signed number, whose remainder by `bits` is not negative.
    """
    numbers = [murmur3(str(value).encode(), seed) for seed in range(hashes)]
    places = {(number if number < 2**31 else number - 2**32) % bits for number in numbers}
    return tuple(int(place in places) for place in range(bits))
