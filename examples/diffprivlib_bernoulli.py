"""`bernoulli_neg_exp` of diffprivlib, unmodified: a coin that shows 1 with probability e^-gamma, nearly.

It compares `random()`, a multiple of 2^-53, with `gamma / counter`, a rounded float, by `<=`. Its loop has no
end, so that its exact law has a tail. Run as a script, this file prints the law beside e^-gamma, which is
irrational and shown as an interval. The targets say what the difference does to a mechanism: nothing that a
delta of 10^-16 would not cover, but pure differential privacy is lost.
"""

from fractions import Fraction
from importlib import import_module

import dpcert
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo

dpcert.needs_extra("diffprivlib")
bernoulli_neg_exp = import_module("diffprivlib.mechanisms.base").bernoulli_neg_exp

GAMMAS = [0.5, 1.0]


@dpcert.target(guarantee=dpcert.ApproxDP("1/2", "1e-20"), inputs=GAMMAS, neighbours="any")
def accepted(gamma: float, coins: dpcert.Coins) -> int:
    """Release the coin itself: on 1/2 and on 1 its laws are as close as e^-1/2 and e^-1 are."""
    return bernoulli_neg_exp(gamma, coins)


def exponential(bit: int, coins: dpcert.Coins) -> int:
    """Release a bit: propose a fair one, accept it if it is true, else with probability e^-1/2."""

    def propose(state: None, coins: dpcert.Coins) -> dpcert.Done[int] | None:
        proposed = int(coins.below(2))
        return dpcert.Done(proposed) if proposed == bit or bernoulli_neg_exp(0.5, coins) else None

    return coins.loop(None, propose)


@dpcert.target(guarantee=dpcert.PureDP("1/2"), inputs=[0, 1], neighbours="any", expect="refuted")
def exponential_pure(bit: int, coins: dpcert.Coins) -> int:
    """Claim what holds on paper; the coin shows 1 too rarely by less than half of 2^-53."""
    return exponential(bit, coins)


@dpcert.target(guarantee=dpcert.ApproxDP("1/2", "1e-16"), inputs=[0, 1], neighbours="any")
def exponential_approximate(bit: int, coins: dpcert.Coins) -> int:
    """Claim it up to a delta that covers the rounding."""
    return exponential(bit, coins)


def negative_exponential(gamma: float) -> tuple[Fraction, Fraction]:
    """Return rationals lo <= e^-gamma <= hi less than 2^-120 apart, for the very number that the float is."""
    lo, hi = dpcert.Epsilon.of(Fraction(gamma)).exp_bounds(120)
    return 1 / hi, 1 / lo


def main() -> None:
    """Print the exact law of the coin beside e^-gamma."""
    for gamma in (0.0, *GAMMAS, 1.5):
        law = accepted.law(gamma)
        lo, hi = negative_exponential(gamma)
        p, tail = law.prob(1), law.tail
        print(f"gamma = {gamma}")
        print(f"  Pr[1]    at least {decimal_lo(p, 25)}")
        print(f"           at most  {decimal_hi(p + tail, 25)}")
        print(f"  e^-gamma at least {decimal_lo(lo, 25)}")
        print(f"           at most  {decimal_hi(hi, 25)}")
        least, most = decimal_lo((p - hi) * 2**53), decimal_hi((p + tail - lo) * 2**53)
        print(f"  Pr[1] - e^-gamma is {least} to {most} times 2^-53; tail at most {decimal_hi(tail)}")


if __name__ == "__main__":
    main()
