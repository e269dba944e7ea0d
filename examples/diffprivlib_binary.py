"""`Binary` of diffprivlib, unmodified: randomized response on two labels, nearly.

It flips a label where `random() * (e^epsilon + 1) > e^epsilon`, in floats. The law is exact, without a tail: each
comparison has an integer number of the 2^53 values of `random()` on its side. Run as a script, this file prints by
how much the law misses its epsilon, which is the rational number that the float is.
"""

from fractions import Fraction
from importlib import import_module

import dpcert
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo

dpcert.needs_extra("diffprivlib")
Binary = import_module("diffprivlib.mechanisms").Binary

LABELS = ["no", "yes"]
EPSILONS = [0.125, 0.1, 0.5, 1.0, 2.0, 4.0, 10.0]


def released(label: str, coins: dpcert.Coins, epsilon: float) -> str:
    """Return the label, or the other one, by diffprivlib on these coins."""
    result: str = Binary(epsilon=epsilon, value0="no", value1="yes", random_state=coins).randomise(label)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=LABELS, neighbours="any", expect="refuted")
def binary_pure(label: str, coins: dpcert.Coins) -> str:
    """Claim what is documented; the label is kept too often, by a little more than 2^-53."""
    return released(label, coins, 1.0)


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-15"), inputs=LABELS, neighbours="any")
def binary_approximate(label: str, coins: dpcert.Coins) -> str:
    """Claim it up to a delta that covers the rounding."""
    return released(label, coins, 1.0)


def main() -> None:
    """Print the least delta that covers the rounding, for each epsilon."""
    for epsilon in EPSILONS:
        stated = dpcert.PureDP(Fraction(epsilon))

        @dpcert.target(guarantee=stated, inputs=LABELS, neighbours="any", params={"epsilon": [epsilon]})
        def binary(label: str, coins: dpcert.Coins, epsilon: float) -> str:
            return released(label, coins, epsilon)

        delta = dpcert.profile(binary).delta_at(Fraction(epsilon))
        if delta.lo is not None and delta.hi is not None:
            units = f"{decimal_lo(delta.lo * 2**53, 6)} to {decimal_hi(delta.hi * 2**53, 6)} times 2^-53"
            print(f"epsilon = {epsilon}: least delta at most {decimal_hi(delta.hi)}, which is {units}")


if __name__ == "__main__":
    main()
