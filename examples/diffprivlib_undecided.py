"""Mechanisms of diffprivlib that undecided coins cannot follow yet, each with its reason.

`Laplace` adds what it makes of four draws, `Snapping` needs its bits as a plain integer, `Staircase` puts a generator
of numpy in place of the coins that it is given. None of them is called private or not: the whole mass is in the tail,
or the program is refused by name.
"""

from importlib import import_module

import dpcert

dpcert.needs_extra("diffprivlib")
mechanisms = import_module("diffprivlib.mechanisms")


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0.0, 1.0], neighbours="any", expect="undecided")
def laplace(value: float, coins: dpcert.Coins) -> float:
    """Release a number with Laplace noise, in floats."""
    mechanism = mechanisms.Laplace(epsilon=1.0, sensitivity=1.0, random_state=coins)
    result: float = mechanism.randomise(value)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0.0, 1.0], neighbours="any", expect="undecided")
def snapping(value: float, coins: dpcert.Coins) -> float:
    """Release a number with Laplace noise, rounded as a defence against floats."""
    mechanism = mechanisms.Snapping(epsilon=1.0, sensitivity=1.0, lower=0.0, upper=1.0, random_state=coins)
    result: float = mechanism.randomise(value)
    return result


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0.0, 1.0], neighbours="any", expect="undecided")
def staircase(value: float, coins: dpcert.Coins) -> float:
    """Release a number with staircase noise."""
    mechanism = mechanisms.Staircase(epsilon=1.0, sensitivity=1.0, random_state=coins)
    result: float = mechanism.randomise(value)
    return result
