"""What clients of local privacy share: claims with room for doubles, plain reports, and hashes of few seeds."""

from fractions import Fraction

import xxhash

import dpcert

ITEMS = [0, 1, 2]
ROOM = Fraction(1, 10**9)
"""What is added to epsilon, and delta, for what is computed in doubles."""
SEEDS = 4
"""Seeds below this stand for those below 2^63: the hash is compiled, so each text and seed is hashed before."""
TABLES = {
    name: {
        (text, seed): getattr(xxhash, name)(text.encode(), seed=seed).intdigest()
        for text in "0123"
        for seed in range(SEEDS)
    }
    for name in ("xxh32", "xxh64")
}


class Hash:
    """The hash of a text with a seed, looked up."""

    def __init__(self, table, text, seed):
        self.found = table[text, int(seed)]

    def intdigest(self):
        return self.found


class Hashes:
    """What clients call of xxhash."""

    @staticmethod
    def xxh32(text, seed):
        return Hash(TABLES["xxh32"], text, seed)

    @staticmethod
    def xxh64(text, seed):
        return Hash(TABLES["xxh64"], text, seed)


def claimed(program, inputs, epsilon="1", noise="machine"):
    """Return a client as a target: any two inputs are neighbours."""
    guarantee = dpcert.ApproxDP(epsilon=Fraction(epsilon) + ROOM, delta=ROOM)
    return dpcert.target(guarantee=guarantee, inputs=inputs, neighbours="any", noise=noise)(program)


def plain(report):
    """Return a report as a client sends it, with numpy's integers as `int`, which is what the compiled ones return, and
    a `zip` as what is in it, with its name: whoever gets the report tells it from a list.
    """
    if isinstance(report, zip):
        return "zip", [plain(part) for part in report]
    if isinstance(report, (tuple, list)):
        return type(report)(plain(part) for part in report)
    return int(report) if type(report).__module__ == "numpy" and not getattr(report, "shape", None) else report
