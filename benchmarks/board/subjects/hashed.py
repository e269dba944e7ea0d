"""Local hashing whose seeds are few: the hash is compiled, so each text and seed is hashed before, and looked up."""

import xxhash

SEEDS = 4
"""Seeds below this stand for those below 2^63."""
ITEMS = ("0", "1", "2")
TABLE = {(item, seed): xxhash.xxh32(item, seed=seed).intdigest() for item in ITEMS for seed in range(SEEDS)}


class Hash:
    """The hash of a text with a seed."""

    def __init__(self, text, seed):
        self.text, self.seed = text, int(seed)

    def intdigest(self):
        return TABLE[self.text, self.seed]


class Hashes:
    """What the clients call of xxhash."""

    xxh32 = Hash
