"""A rare pattern of coins: what is hidden on a way shows only after it, so that few runs see both."""

from __future__ import annotations

from dpcert.mechanisms.exact.coins import Coins


def rare(coins: Coins) -> bool:
    code = 0
    for _ in range(6):
        code = (code * 2 + coins.below(2)) % 64
    return code == 19
