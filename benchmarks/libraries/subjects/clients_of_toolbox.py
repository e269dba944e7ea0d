"""Every protocol of ldp-toolbox 0.1.3: three values, epsilon = 1, as its code is before numba compiles it."""

from ldp_toolbox.protocols.frequency import grr, he, lh, ss, ue
from local import ITEMS, SEEDS, Hashes, claimed, plain

lh.maxsize, lh.xxhash = SEEDS, Hashes


def one(protocol):
    return claimed(lambda item: plain(protocol.obfuscate(item)), ITEMS)


randomized_response = one(grr.GeneralizedRandomizedResponse(3, 1.0))
subset_selection = one(ss.SubsetSelection(3, 1.0))
unary, optimized_unary = (one(ue.UnaryEncoding(3, 1.0, best)) for best in (False, True))
binary_hashing, local_hashing = (one(lh.LocalHashing(3, 1.0, best)) for best in (False, True))
thresholded = claimed(he.HistogramEncoding(3, 1.0).obfuscate, ITEMS, noise="ideal")
summed = claimed(he.HistogramEncoding(3, 1.0, False).obfuscate, ITEMS, noise="ideal")
