"""The accountant of tensorflow-privacy at one order near 1: a sampled sum with normal noise of deviation 1."""

from loading import loaded

import dpcert

ACCOUNTANT = loaded("tensorflow_privacy/privacy/analysis/rdp_accountant.py", "rdp_accountant")


def sampled(rate, order):
    """Return the sum at the epsilon that the accountant gives it at delta = 1/1000."""
    rdp = ACCOUNTANT.compute_rdp(q=rate, noise_multiplier=1.0, steps=1, orders=[order])
    epsilon = ACCOUNTANT.get_privacy_spent([order], rdp, target_delta=1e-3)[0]
    claim = dpcert.ApproxDP(f"{float(epsilon):.17f}", "1/1000")

    @dpcert.target(guarantee=claim, inputs=[[], [1.0]], neighbours="add-remove", noise="ideal")
    def sampled_sum(data, rng):
        return sum(x for x in data if rng.random() < rate) + rng.normal(0, 1)

    return sampled_sum


half = sampled(0.5, 1 + 1e-15)
of_the_thread = sampled(105 / 100000, 1 + 1e-8)
