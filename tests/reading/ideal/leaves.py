"""Programs on ideal noise of which two readers must find the same leaves: by runs on stand-ins, and by the machine."""

import math
import random
import statistics

import numpy as np
from masked import written


def of_python(x, rng):
    drawn = random.Random()
    return x + drawn.gauss(0, 2), drawn.expovariate(3) > x, drawn.normalvariate(1, 2) > x


def weighted(x, rng):
    return random.choices("ab", cum_weights=[1, 4], k=2), int(rng.choice(3, p=[0.5, 0.25, 0.25])), rng.binomial(2, 0.25)


def by_hand(x, rng):
    best, at = -math.inf, 0
    for place, count in enumerate([x, 1, 0]):
        noisy = count + rng.laplace(scale=2)
        if noisy > best:
            best, at = noisy, place
    return at


def greatest(x, rng):
    noisy = [each + rng.exponential() for each in (x, 1)]
    return max(range(2), key=lambda place: noisy[place]), min(noisy)


def rounded(x, rng):
    noisy = x + rng.laplace()
    return (
        round(noisy),
        math.floor(noisy),
        math.ceil(noisy),
        int(noisy),
        2 * (noisy // 2),
        round(noisy, 1),
        3 - round(noisy),
    )


def nowhere(x, rng):
    y = rng.laplace()
    return y >= y, y > y, y - y + 1 > 1, y == y, y == rng.laplace(), y < math.inf, -math.inf > y, y + math.inf


def divided(x, rng):
    try:
        return rng.laplace() / 0
    except ZeroDivisionError as error:
        return str(error)


def stopped(x, rng):
    threshold, found = rng.laplace(), []
    for each in (x, 1):
        found.append(each + rng.laplace(scale=2) > threshold)
        if found[-1]:
            break
    return found


def exponential_mechanism(x, rng):
    weights = [math.exp(-0.5 * place * x) for place in range(3)]
    return int(rng.choice(3, p=np.array(weights) / sum(weights)))


def by_weights(x, rng):
    weights = np.array([math.exp(-0.5 * place * x) for place in range(3)])
    weights /= weights.sum()
    return random.choices("abc", weights=weights)[0]


def kept_bits(x, rng):
    p = math.exp(1) / (math.exp(1) + 1)
    return (rng.random(size=2) < p).tolist(), rng.binomial(1, 0.5) or x


def of_a_dict(x, rng):
    noisy = {name: count + rng.laplace() for name, count in {"a": x, "b": 1}.items()}
    return max(noisy, key=noisy.get)


def products(x, rng):
    weights = np.dot(np.array([1.0, 2.0]), rng.normal(size=2))
    return weights, np.where(rng.laplace(size=2) > x, 1, 0).tolist(), rng.laplace(scale=1 / math.exp(0.5))


ROWS = {
    "location": "return x + rng.laplace(0, 2)",
    "of_the_module": "return x + random.gauss(0, 1) > np.random.laplace()",
    "chosen": 'return random.choice("ab") + str(random.randint(1, 2)) + random.choices("cd", [1, 3])[0]',
    "integers": "return rng.integers(2, size=2).tolist(), int(np.random.randint(1, 3)), random.randrange(1, 6, 2)",
    "order": "a, b, c = rng.laplace(size=3); return a < b, b < c, a < c",
    "noisy_max": "return int(np.argmax(np.array([x, 1, 0]) + rng.laplace(0, 2, size=3)))",
    "halves": "u = rng.random() - 0.5; return x - (1 if u > 0 else -1) * np.log(1 - 2 * abs(u))",
    "signed": "u = rng.uniform(-0.5, 0.5); return x - np.sign(u) * np.log1p(-2 * abs(u))",
    "difference": "return x - math.log(rng.random()) + np.log(1 - rng.random())",
    "compared_rounded": "k = round(x + rng.normal()); return k == 2, k > 1.5, abs(k) <= 1, bool(k)",
    "discrete": "k = rng.geometric(0.5); return k // 2, k * 0.5, -k, k / 2, k + 1.0, k == 2, k > 3",
    "geometric_mechanism": "p = 1 - math.exp(-0.5); return x + rng.geometric(p) - rng.geometric(p) > 2",
    "poisson": "return x + rng.poisson(3) >= 2",
    "masked": "cells = np.array([x, 1.0]) + rng.normal(size=2); cells[cells < 0] = 0; return cells",
    "clipped": "return np.clip(np.rint(x + rng.laplace(size=1)), 0, 2).astype(int).tolist()",
    "columns": "return (np.array([[x, 1.0], [2, 3]]) + rng.normal(size=(2, 2))).sum(axis=0)",
    "in_order": "return np.sort(x + rng.laplace(size=2))[::-1]",
    "any_above": "return bool(np.any(np.array([0.5, x]) + rng.laplace(size=2) > 9))",
    "sorted_list": "return sorted([x + rng.laplace(), rng.laplace()])[0], sum([1, 0.5, rng.laplace()])",
    "no_scale": "return rng.laplace(3, 0) == 3, rng.laplace(x, 0) > 0",
    "bad_scale": "return rng.laplace(0, -1)",
    "changed": "kept = [x]; kept.append(rng.laplace() > x); return len(kept), kept[-1]",
}
written(globals(), ROWS, "x, rng")
PROGRAMS = [each for each in vars().values() if callable(each) and getattr(each, "__module__", "") == __name__]


def median(x, rng):
    return statistics.median([x + rng.laplace(), rng.laplace(), 0.0])


def in_place(x, rng):
    cells = np.zeros(2)
    cells += rng.laplace(size=2)
    cells[0] += x
    return cells
