"""`shuffle`, `sample`, `choice` and `random` of the standard library, audited as they stand.

The coins are a `random.SystemRandom`. `shuffle`, `sample`, `choice` and `randrange` are CPython's own, from
its module `random`, and what they draw is followed; `random()` is k / 2^53 with k uniform, as CPython's is.
"""

from itertools import combinations, permutations

import dpcert

COLOURS = ["amber", "blue", "crimson", "drab"]
HANDS = [list(order) for order in permutations(range(4))]
GROUPS = [list(group) for group in combinations("abcdef", 5)]


@dpcert.target(guarantee=dpcert.PureDP(0), inputs=HANDS, neighbours="any")
def shuffled(cards: list[int], coins: dpcert.Coins) -> list[int]:
    """Shuffle four cards: each of the 24 orders has probability 1/24, whatever the order was."""
    coins.shuffle(cards)
    return cards


@dpcert.target(guarantee=dpcert.PureDP(0), inputs=HANDS, neighbours="any", expect="refuted")
def swapped_anywhere(cards: list[int], coins: dpcert.Coins) -> list[int]:
    """Swap each card with any of the four: 4^4 paths do not spread evenly over 24 orders."""
    for i in range(len(cards)):
        j = coins.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=COLOURS, neighbours="any")
def favourite(colour: str, coins: dpcert.Coins) -> str:
    """Tell the truth with probability 1/2, else any of the four colours: 5/8 against 1/8."""
    return colour if coins.random() < 0.5 else coins.choice(COLOURS)


@dpcert.target(guarantee=dpcert.ApproxDP(0, "2/5"), inputs=GROUPS, neighbours="substitute")
def two_of_five(people: list[str], coins: dpcert.Coins) -> list[str]:
    """Publish a sample of two people out of five: who is replaced was in it with probability 2/5."""
    return sorted(coins.sample(people, 2))


@dpcert.target(guarantee=dpcert.ApproxDP(3, "1/5"), inputs=GROUPS, neighbours="substitute", expect="refuted")
def two_of_five_by_epsilon(people: list[str], coins: dpcert.Coins) -> list[str]:
    """Publish the same sample, hoping that a large epsilon makes up for a smaller delta: it does not."""
    return sorted(coins.sample(people, 2))


@dpcert.target(guarantee=dpcert.PureDP("ln(9)"), inputs=[0, 1], neighbours="any")
def flip_one_in_ten(bit: int, coins: dpcert.Coins) -> int:
    """Flip a bit when `random() < 0.1`, which happens a little more often than once in ten."""
    return 1 - bit if coins.random() < 0.1 else bit


@dpcert.target(guarantee=dpcert.PureDP("ln(9)"), inputs=[0, 1], neighbours="any", expect="refuted")
def keep_nine_in_ten(bit: int, coins: dpcert.Coins) -> int:
    """Keep a bit when `random() < 0.9`: the same on paper, but the float 0.9 lies above nine tenths."""
    return bit if coins.random() < 0.9 else 1 - bit
