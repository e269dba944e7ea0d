"""The odometer of smartnoise-sql: four answers by a coin, each (ln 3, 10^-5)-private, at what it says of them."""

import sys
from types import ModuleType, SimpleNamespace

from loading import loaded

import dpcert

sys.modules |= {"snsql": ModuleType("snsql"), "snsql.sql": ModuleType("snsql.sql")}
sys.modules["snsql.sql.privacy"] = SimpleNamespace(Privacy=object)
EACH = SimpleNamespace(epsilon=1.0986122886681098, delta=1e-5)
ODOMETER = loaded("snsql/sql/odometer.py", "snsql.sql.odometer").Odometer(EACH)
ODOMETER.spend(4)
EPSILON, DELTA = (f"{float(number):.17f}" for number in ODOMETER.spent)


@dpcert.target(guarantee=dpcert.ApproxDP(EPSILON, DELTA), inputs=[0, 1], neighbours="any")
def four_answers(bit, rng):
    return tuple(bool(rng.random() < 0.25) ^ bool(bit) for _ in range(4))
