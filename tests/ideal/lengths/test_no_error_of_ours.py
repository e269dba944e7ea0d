"""What is left open reaches no code of the host: an exception of ours would be taken for the program's."""

import collections
import decimal
import fractions
import functools
import itertools
import math
import operator
import random
import re
import statistics
from types import CodeType, FunctionType

import numpy as np
import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.reading.ideal.turns import read_turns

SPACE = {
    **{each.__name__: each for each in (collections, decimal, fractions, functools, itertools, math, operator)},
    "random": random,
    "statistics": statistics,
    "np": np,
}
WITH = {  # what is left open, as `v`
    "the list": "v = queries",
    "its length": "v = len(queries)",
    "an array": "v = np.array(queries)",
    "noise for each": "v = rng.laplace(size=len(queries))",
    "the greatest": "v = np.argmax(np.array(queries) + rng.laplace(size=len(queries)))",
    "a list that is filled": "v = []\n    for query in queries: v.append(query + rng.laplace())",
    "a count": "v = 0\n    for query in queries: v += 1",
    "in a tuple": "w = 0\n    for query in queries: w += 1\n    v = (w,)",
    "in a list": "w = 0\n    for query in queries: w += 1\n    v = [w]",
}
LONG = ("a count", "in a tuple", "in a list")
HELD = ("in a tuple", "in a list")  # which have errors of their own
OURS = re.compile(r"\b(Row|Log|Turns|Count|Column|Undecided)\b")
USES = """
abs(v) all(v) any(v) bin(v) bool(v) bytes(v) callable(v) chr(v) complex(v) dict(v) divmod(v, 2) enumerate(v, 1)
filter(None, v) float(v) format(v, 'd') format(1.5, v) frozenset(v) getattr(v, 'real') hasattr(v, 'real') hash(v)
hex(v) id(v) int(v, 2) isinstance(v, int) issubclass(int, v) iter(v) len(v) list(v) map(abs, v) max(v) max(v, 1)
min(v) min(1, v) next(v) oct(v) ord(v) pow(v, 2) pow(2, v) print(v) range(v) repr(v) reversed(v) round(v)
round(1.5, v) set(v) slice(v) sorted(v) str(v) sum(v) sum(v, 1) tuple(v) type(v) vars(v) zip(v, v) v() v[0] v[:1]
v[1:v] [1,2][v] {v:1} {v} v.x v.append v.copy() v.count(1) v+1 v-1 v*2 v/2 v//2 v%2 v**2 v@v v<<1 v&1 -v +v ~v 1+v 1-v
2*v 2/v 2//v 2%v 2**v v+v v-v v*v v==v v!=v v<v v==1 v<1 v>1.5 v=='a' v=={} (not~v) v~is~v (1~if~v~else~2) (v~and~1)
(v~in~[1]) (1~in~v) (v~in~{1:2}) [*v] (*v,) {**v} f'{v}' '%d'%v '{}'.format(v) 'a'*v [0]*v 'a'.join(v) math.floor(v)
math.sqrt(v) math.exp(v) math.isnan(v) math.gcd(v, 2) math.fsum(v) math.log(v) math.comb(v, 2) operator.index(v)
operator.add(v, 1) operator.itemgetter(0)(v) functools.reduce(max, v) itertools.accumulate(v) itertools.repeat(1, v)
collections.Counter(v) collections.deque(v) fractions.Fraction(v) decimal.Decimal(v) statistics.mean(v) np.abs(v)
np.add(v, 1) np.all(v) np.any(v) np.arange(v) np.argmax(v) np.argmin(v) np.argsort(v) np.array(v) np.array([v])
np.asarray(v) np.clip(v, 0, 1) np.concatenate([v]) np.cumsum(v) np.dot(v, v) np.exp(v) np.float64(v) np.full(v, 1)
np.full(2, v) np.int64(v) np.isnan(v) np.linspace(0, 1, v) np.log(v) np.max(v) np.mean(v) np.median(v) np.ones(v)
np.round(v) np.shape(v) np.size(v) np.sort(v) np.sqrt(v) np.sum(v) np.where(v, 1, 2) np.zeros(v) rng.binomial(v, 0.5)
rng.binomial(2, v) rng.choice(v) rng.choice(2, v) rng.choice(2, p=v) rng.exponential(v) rng.exponential(1, v)
rng.geometric(v) rng.gumbel(v) rng.gumbel(0, v) rng.integers(v) rng.integers(0, v) rng.integers(0, 2, v)
rng.laplace(v) rng.laplace(0, v) rng.laplace(0, 1, v) rng.logistic(v) rng.normal(v) rng.normal(0, v)
rng.normal(0, 1, v) rng.permutation(v) rng.poisson(v) rng.random(v) rng.shuffle(v) rng.standard_normal(v)
rng.uniform(v) rng.uniform(0, v) rng.uniform(0, 1, v) random.choice(v) random.choices(v) random.choices([1,2], v)
random.choices([1], k=v) random.expovariate(v) random.gauss(v, 1) random.gauss(0, v) random.randint(0, v)
random.randrange(v) random.sample(v, 1) random.shuffle(v) random.uniform(0, v) random.getrandbits(v)
"""


def uses():
    """Return the expressions above; `~` stands for a blank within one."""
    text, found, depth = "", [], 0
    for sign in USES:
        depth += (sign in "([{") - (sign in ")]}")
        if sign in " \n" and depth == 0 and text.count("'") % 2 == 0:
            found += [text] if text else []
            text = ""
        else:
            text += sign
    return [each.replace("~", " ") for each in found]


def program_of(before, use):
    text = f"def program(queries, rng):\n    {before}\n    try:\n        return {use}\n    finally:\n        pass\n"
    (code,) = (part for part in compile(text, "<use>", "exec").co_consts if isinstance(part, CodeType))
    return FunctionType(code, SPACE)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name in LONG else name for name in WITH]
)
def test_what_is_left_open_raises_no_exception_of_the_program(name):
    wrong, followed = [], 0
    for use in uses():
        try:
            found = read_turns(program_of(WITH[name], use))
        except Unauditable as error:
            wrong += [(use, str(error))] if "internal" in str(error) else []
            continue
        followed += 1
        raised = [turn.path.outcome for turn in found.turns if isinstance(turn.path.outcome, Raised)]
        wrong += [(use, each) for each in raised if name not in HELD or OURS.search(str(each))]
    assert wrong == []
    assert followed < 100
