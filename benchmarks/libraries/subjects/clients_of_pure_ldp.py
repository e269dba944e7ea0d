"""Clients of pure-ldp 1.2.0: three items, epsilon = 1. Hashes are looked up, for a few seeds.

Those are missing of which something is not yet known to the authors.
"""

import random
from itertools import product

from local import ITEMS, SEEDS, TABLES, Hashes, claimed, plain
from pure_ldp.frequency_oracles.apple_cms import CMSClient
from pure_ldp.frequency_oracles.direct_encoding import DEClient
from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseClient
from pure_ldp.frequency_oracles.hadamard_response.internal import k2k_hadamard
from pure_ldp.frequency_oracles.histogram_encoding import HEClient
from pure_ldp.frequency_oracles.local_hashing import FastLHClient, LHClient, lh_client
from pure_ldp.frequency_oracles.priv_count_sketch import PCSClient
from pure_ldp.frequency_oracles.sketch_response import SketchResponseClient
from pure_ldp.frequency_oracles.unary_encoding import UEClient
from pure_ldp.frequency_oracles.zero_oracle import ZeroOracleClient
from pure_ldp.heavy_hitters.prefix_extending import PEMClient
from pure_ldp.heavy_hitters.treehistogram import TreeHistClient

lh_client.maxsize, lh_client.xxhash = SEEDS - 1, Hashes


class Whole:
    """What the Hadamard response draws with: it hands a float to `randint`, which Python 3.11 takes for an integer."""

    @staticmethod
    def random():
        return random.random()

    @staticmethod
    def randint(first, last):
        return random.randint(first, int(last))


k2k_hadamard.random = Whole
WORDS = ["".join(word) for word in product("01", repeat=2)]


def hashed(most, seed):
    """Return a hash function as the library makes them, looked up."""
    table = {text: digest % most for (text, known), digest in TABLES["xxh64"].items() if known == seed}
    return lambda data: table[str(data)]


HASHES = [hashed(2, seed) for seed in range(2)]


def one(client, *, items=ITEMS, epsilon="1"):
    return claimed(lambda item: plain(client.privatise(item)), items, epsilon)


def same(item):
    return item


direct = one(DEClient(1.0, 3, index_mapper=same))
unary, optimized_unary = (one(UEClient(1.0, 3, use_oue=best, index_mapper=same)) for best in (False, True))
histogram = claimed(HEClient(1.0, 3, index_mapper=same).privatise, ITEMS, noise="ideal")
local_hashing = one(LHClient(1.0, 3, use_olh=True, index_mapper=same))
binary_hashing = one(LHClient(1.0, 3, index_mapper=same))
fast_local_hashing = one(FastLHClient(1.0, 3, SEEDS, use_olh=True, index_mapper=same))
hadamard_response = one(HadamardResponseClient(1.0, 3, None, index_mapper=same))
count_mean_sketch = one(CMSClient(1.0, HASHES, 2))
hadamard_sketch = one(CMSClient(1.0, HASHES, 2, is_hadamard=True))
count_sketch = one(PCSClient(1.0, 2, 2, [(hashed(2, 0), hashed(2, 1)), (hashed(2, 2), hashed(2, 3))]))
sketch_response = one(SketchResponseClient(1.0, 2, HASHES, index_mapper=same, lh_k=SEEDS))
zero = claimed(lambda item, coins: ZeroOracleClient().privatise(item), ITEMS)


def word(text):
    return int(text, 2)


def oracle():
    return DEClient(1.0, 4, index_mapper=word)


prefix_extending = one(PEMClient(1.0, 0, 2, 1, index_mapper=word, fo_client=oracle()), items=WORDS)
tree_histogram = one(
    TreeHistClient(1.0, 1, 2, index_mapper=lambda text: word(text.ljust(2, "0")), fo_client=oracle()), items=WORDS
)
