"""Programs on ideal noise of which two readers must find the same leaves: by runs on stand-ins, and by the machine."""

import math
import random
import statistics

import numpy as np


def location(x, rng):
    return x + rng.laplace(0, 2)


def of_python(x, rng):
    drawn = random.Random()
    return x + drawn.gauss(0, 2), drawn.expovariate(3) > x, drawn.normalvariate(1, 2) > x


def of_the_module(x, rng):
    return x + random.gauss(0, 1) > np.random.laplace()


def chosen(x, rng):
    return random.choice("ab") + str(random.randint(1, 2)) + random.choices("cd", [1, 3])[0]


def weighted(x, rng):
    return random.choices("ab", cum_weights=[1, 4], k=2), int(rng.choice(3, p=[0.5, 0.25, 0.25])), rng.binomial(2, 0.25)


def integers(x, rng):
    return rng.integers(2, size=2).tolist(), int(np.random.randint(1, 3)), random.randrange(1, 6, 2)


def order(x, rng):
    a, b, c = rng.laplace(size=3)
    return a < b, b < c, a < c


def noisy_max(x, rng):
    return int(np.argmax(np.array([x, 1, 0]) + rng.laplace(0, 2, size=3)))


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


def halves(x, rng):
    u = rng.random() - 0.5
    return x - (1 if u > 0 else -1) * np.log(1 - 2 * abs(u))


def signed(x, rng):
    u = rng.uniform(-0.5, 0.5)
    return x - np.sign(u) * np.log1p(-2 * abs(u))


def difference(x, rng):
    return x - math.log(rng.random()) + np.log(1 - rng.random())


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


def compared_rounded(x, rng):
    k = round(x + rng.normal())
    return k == 2, k > 1.5, abs(k) <= 1, bool(k)


def discrete(x, rng):
    k = rng.geometric(0.5)
    return k // 2, k * 0.5, -k, k / 2, k + 1.0, k == 2, k > 3


def geometric_mechanism(x, rng):
    p = 1 - math.exp(-0.5)
    return x + rng.geometric(p) - rng.geometric(p) > 2


def poisson(x, rng):
    return x + rng.poisson(3) >= 2


def masked(x, rng):
    cells = np.array([x, 1.0]) + rng.normal(size=2)
    cells[cells < 0] = 0
    return cells


def clipped(x, rng):
    return np.clip(np.rint(x + rng.laplace(size=1)), 0, 2).astype(int).tolist()


def columns(x, rng):
    return (np.array([[x, 1.0], [2, 3]]) + rng.normal(size=(2, 2))).sum(axis=0)


def in_order(x, rng):
    return np.sort(x + rng.laplace(size=2))[::-1]


def any_above(x, rng):
    return bool(np.any(np.array([0.5, x]) + rng.laplace(size=2) > 9))


def sorted_list(x, rng):
    return sorted([x + rng.laplace(), rng.laplace()])[0], sum([1, 0.5, rng.laplace()])


def nowhere(x, rng):
    y = rng.laplace()
    return y >= y, y > y, y - y + 1 > 1, y == y, y == rng.laplace(), y < math.inf, -math.inf > y, y + math.inf


def no_scale(x, rng):
    return rng.laplace(3, 0) == 3, rng.laplace(x, 0) > 0


def bad_scale(x, rng):
    return rng.laplace(0, -1)


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


def changed(x, rng):
    kept = [x]
    kept.append(rng.laplace() > x)
    return len(kept), kept[-1]


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


PROGRAMS = [each for each in vars().values() if callable(each) and getattr(each, "__module__", "") == __name__]


def median(x, rng):
    return statistics.median([x + rng.laplace(), rng.laplace(), 0.0])


def in_place(x, rng):
    cells = np.zeros(2)
    cells += rng.laplace(size=2)
    cells[0] += x
    return cells
