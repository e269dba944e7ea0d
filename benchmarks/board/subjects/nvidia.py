"""The filter SVTPrivacy of NVFlare on the two weights of a client, with epsilon = 1 stated for each of its parts.

What is released is rounded to a hundredth, so that the bits of floats are no matter.
"""

import numpy as np
from nvflare.apis.dxo import DXO, DataKind, from_shareable
from nvflare.apis.fl_context import FLContext
from nvflare.app_common.filters.svt_privacy import SVTPrivacy

import dpcert

np.float = float  # these versions call it by numpy's name of old


@dpcert.target(guarantee=dpcert.ApproxDP("4", "1/10"), inputs=[(0.25, 0.25), (0.75, 0.75)], neighbours="any")
def filtered(weights):
    """Release one of two weights: epsilon is 1 for the threshold, 1.6 for the comparisons, 1 for the weight."""
    privacy = SVTPrivacy(fraction=0.5, epsilon=1.0, noise_var=1.0, gamma=1.0, tau=0.0)
    shareable = DXO(data_kind=DataKind.WEIGHT_DIFF, data={"w": np.array(weights)}).to_shareable()
    released = from_shareable(privacy.process(shareable, FLContext()))
    return tuple(round(float(weight), 2) for weight in released.data["w"])
