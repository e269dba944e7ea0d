"""What a reader of an exception, or of an instance's class, sees is part of the outcome, or is refused by name."""

import enum
import io
import threading
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, NoReturn

import pytest

from dpcert import Coins, Dist, Unauditable
from dpcert.mechanisms.exact.outcome import MAX_DEPTH, Raised, canonical, key
from dpcert.reading.paths.enumerator import enumerate_law

HERE = __name__


class Kept(Exception):
    """It passes no arguments on."""

    def __init__(self, *, count: Any) -> None:
        self.count = count


class Worded(Kept):
    def __str__(self) -> str:
        return f"no budget left for {self.count} people"


class Slotted(Exception):
    __slots__ = ("count",)

    def __init__(self, count: Any) -> None:
        super().__init__()
        self.count = count


class Mute(Exception):
    def __str__(self) -> str:
        raise LookupError(HIDDEN["count"])


class Told(Exception):
    def __str__(self) -> str:
        return f"{HIDDEN['count']}"


class Endless(Exception):
    def __str__(self) -> str:
        raise Endless


class Odd(Exception):
    @property
    def args(self) -> Any:
        return 5


class Coded(Exception):
    code = 404
    registry: ClassVar[Any] = io.StringIO()

    class Detail(Exception):
        codes: ClassVar[list[int]] = [0]


class Kind(enum.Enum):
    ONE = 1
    NONE = object()


class Bits(enum.Flag):
    A = 1
    B = 2


@dataclass
class Row:
    n: int
    total: ClassVar[int] = 0


@dataclass
class Spoken:
    n: int


@dataclass
class Counted:
    n: int
    seen: ClassVar[int] = 0


class Pair(NamedTuple):
    x: int


Renamed = namedtuple("Other", "x")  # found by identity, under another name
Made = make_dataclass("Made", [("n", int)])
Made.__module__ = __name__
HIDDEN: dict[str, Any] = {}


def law(program: Callable[[Any, Coins], Any], value: Any = 0) -> Dist:
    return enumerate_law(program, value).law


def laws(program: Callable[[Any, Coins], Any], *values: Any) -> list[Dist]:
    return [law(program, value) for value in values]


def differ(program: Callable[[Any, Coins], Any], a: Any = 0, b: Any = 1) -> bool:
    """Return whether the laws on two inputs share no outcome; each law is one that the enumerator finds twice."""
    p, q = law(program, a), law(program, b)
    assert p == law(program, a)
    return p.total_variation(q) == 1


def raises(error: BaseException) -> NoReturn:
    raise error


def noted(count: Any, coins: Coins) -> NoReturn:
    error = ValueError("x")
    error.add_note(f"for {count}")
    raise error


def caused(count: Any, coins: Coins) -> NoReturn:
    raise ValueError("x") from KeyError(count)


def within(count: Any, coins: Coins) -> NoReturn:
    try:
        {}[count]
    except KeyError:
        raises(ValueError("x"))
    raise AssertionError


def hushed(count: Any, coins: Coins) -> NoReturn:
    try:
        {}[count]
    except KeyError:
        raise ValueError("x") from None


def changed(count: Any, coins: Coins) -> NoReturn:
    error = OSError(2, "gone")
    error.filename2 = str(count)
    raise error


def hidden_word(kind: type[Exception]) -> Callable[[Any, Coins], NoReturn]:
    def program(count: Any, coins: Coins) -> NoReturn:
        HIDDEN["count"] = count
        raise kind

    return program


def class_level(count: Any, coins: Coins) -> NoReturn:
    Coded.code = count
    raise Coded


LEAKS: dict[str, Callable[[Any, Coins], Any]] = {
    "file": lambda count, coins: raises(OSError(2, "gone", f"{count}.csv")),
    "second file": changed,
    "keyword": lambda count, coins: raises(Kept(count=count)),
    "text": lambda count, coins: raises(Worded(count=count)),
    "slot": lambda count, coins: raises(Slotted(count)),
    "text from elsewhere": hidden_word(Told),
    "text that raises": hidden_word(Mute),
    "note": noted,
    "cause": caused,
    "context": within,
    "suppressed context": hushed,
    "member of a group": lambda count, coins: raises(ExceptionGroup("x", [KeyError(1), ValueError(count)])),
    "cause in a group": lambda count, coins: raises(ExceptionGroup("x", [Kept(count=count)])),
    "argument that is an exception": lambda count, coins: raises(RuntimeError(Kept(count=count))),
    "object of an attribute": lambda count, coins: (count + 300).missing,
    "name": lambda count, coins: raises(NameError("x", name=f"v{count}")),
    "path of an import": lambda count, coins: raises(ImportError("x", path=f"{count}.py")),
    "value of an end": lambda count, coins: raises(Kept(count=StopIteration(count))),
    "bytes that do not decode": lambda count, coins: (b"\xff" + bytes([count])).decode("ascii"),
}


@pytest.mark.points(5)
@pytest.mark.parametrize("name", LEAKS)
def test_twin_what_an_exception_shows_is_told_apart(name: str) -> None:
    assert differ(LEAKS[name])


def test_twin_plain_exceptions_have_no_fields() -> None:
    plain: list[tuple[Callable[[], Any], Raised]] = [
        (lambda: raises(ValueError("x")), Raised("ValueError", ("x",))),
        (lambda: raises(KeyError("x", 1)), Raised("KeyError", ("x", 1))),
        (lambda: {}["x"], Raised("KeyError", ("x",))),
        (lambda: raises(OSError(2, "gone")), Raised("FileNotFoundError", (2, "gone"))),
        (lambda: raises(StopIteration(5)), Raised("StopIteration", (5,))),
        (lambda: raises(ImportError("x")), Raised("ImportError", ("x",))),
        (
            lambda: b"\xff".decode("ascii"),
            Raised("UnicodeDecodeError", ("ascii", b"\xff", 0, 1, "ordinal not in range(128)")),
        ),
    ]
    for ends, outcome in plain:
        assert law(lambda _, coins, ends=ends: ends()) == Dist.point(outcome)


def test_twin_undecided_draws_in_fields_are_decided() -> None:
    found = law(lambda _, coins: raises(Kept(count=coins.below(3))))
    assert found == Dist.uniform([Raised(f"{HERE}.Kept", (), (("count", k),)) for k in range(3)])
    found = law(lambda _, coins: raises(ValueError([coins.below(2)], KeyError(coins.below(1 << 30) < 1))))
    assert found.prob_of(lambda end: end.args == ([1], Raised("KeyError", (True,)))) == Fraction(1, 2**31)


def test_twin_the_shown_fields_have_their_names_and_order() -> None:
    cause = ("__cause__", Raised("KeyError", (0,)))
    assert law(caused) == Dist.point(Raised("ValueError", ("x",), (("__suppress_context__", True), cause)))
    (outcome,) = law(LEAKS["file"], 7).outcomes()
    assert outcome.name == "FileNotFoundError"
    fields = {name: part for name, part in outcome.fields if name in ("filename", "str()")}
    assert fields == {"filename": "7.csv", "str()": "[Errno 2] gone: '7.csv'"}


def test_twin_an_exception_that_is_being_handled_around_the_audit_is_no_context() -> None:
    alone = law(LEAKS["keyword"])
    try:
        {}["around"]
    except KeyError:
        assert law(LEAKS["keyword"]) == alone
        assert law(within) == law(within)


def test_twin_merged_steps_that_raise_keep_what_their_exceptions_show() -> None:
    def program(count: Any, coins: Coins) -> Any:
        def step(state: int, item: int, coins: Coins) -> int:
            return raises(Kept(count=coins.below(2))) if coins.below(2) else state

        try:
            return coins.fold(range(2), 0, step)
        except Kept as error:
            return error.count

    assert law(program) == Dist.of([(0, "5/8"), (1, "3/8")])


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (lambda _, coins: raises(Kept(count=threading.Lock())), "Kept.count: type _thread.lock is not in the registry"),
        (lambda _, coins: raises(Kept(count=[object()])), "Kept.count: type object is not in the registry"),
        (lambda _, coins: raises(ValueError(len)), "ValueError.args: type builtin_function_or_method is not"),
        (lambda _, coins: raises(RuntimeError(Kept(count=len))), "holds what is no outcome: Kept.count: type"),
        (lambda _, coins: raises(Endless()), "nested more than 100 deep"),
        (lambda _, coins: raises(Odd()), "Odd cannot be told whole: TypeError; raise an exception whose args and text"),
        (lambda _, coins: ValueError("returned"), "type ValueError is not in the registry of outcomes"),
    ],
)
def test_refused_exceptions_that_hold_what_is_no_outcome(program: Any, message: str) -> None:
    with pytest.raises(Unauditable) as refusal:
        law(program)
    assert message in str(refusal.value)


def test_refused_a_chain_of_causes_that_is_too_deep_or_a_circle() -> None:
    def chain(count: int, coins: Coins) -> NoReturn:
        error = ValueError(0)
        for k in range(count):
            last, error = error, ValueError(k)
            error.__cause__ = last
        raise error

    def circle(_: Any, coins: Coins) -> NoReturn:
        error = ValueError("x")
        error.__cause__ = error
        raise error

    assert len(law(chain, 20)) == 1
    for program, count in ((chain, 2 * MAX_DEPTH), (circle, 0)):
        with pytest.raises(Unauditable, match="nested more than 100 deep, or contains itself"):
            law(program, count)


def local_exception(count: int, coins: Coins) -> NoReturn:
    raise type("Local", (Exception,), {"count": property(lambda self: count)})


def rebound(count: int, coins: Coins) -> Any:
    global Made
    Made = make_dataclass("Made", [("n", int)], namespace={"total": count, "__module__": __name__})
    return Made(1)


def assigned(count: int, coins: Coins) -> Row:
    Row.total = count
    return Row(1)


def with_method(count: int, coins: Coins) -> Spoken:
    Spoken.__str__ = lambda self: str(count)
    return Spoken(1)


def counted(count: int, coins: Coins) -> Counted:
    Counted.seen += 1
    return Counted(1)


def changed_on_the_middle_path(count: int, coins: Coins) -> Row:
    u = coins.below(3)
    Row.total = count if u == 1 else 0
    return Row(u)


def changed_inside(count: int, coins: Coins) -> NoReturn:
    u = coins.below(3)
    Coded.Detail.codes[:] = [count if u == 1 else 0]
    raise Coded.Detail(u)


FOUND = "is not found under its name, and may be another in each run; define it with a class statement at the top"
PASSING: dict[str, tuple[Callable[[Any, Coins], Any], str]] = {
    "enum": (lambda count, coins: enum.Enum("Result", {"COUNT": count})["COUNT"], f"Result {FOUND}"),
    "flag": (lambda count, coins: [enum.Flag("Result", {"COUNT": 1 << count})["COUNT"]], f"Result {FOUND}"),
    "dataclass": (lambda count, coins: make_dataclass("R", ["n"], namespace={"total": count})(1), f"R {FOUND}"),
    "namedtuple": (lambda count, coins: {"a": namedtuple("R", "x")(count)}, f"R {FOUND}"),
    "type": (lambda count, coins: type("Row", (Row,), {"total": count})(1), f"Row {FOUND}"),
    "exception": (local_exception, f"Local {FOUND}"),
    "exception in a group": (
        lambda count, coins: raises(ExceptionGroup("x", [type("Inner", (ValueError,), {})()])),
        f"Inner {FOUND}",
    ),
    "assigned": (assigned, f"the program changes {HERE}.Row.total, which a reader of its outcome sees"),
    "method": (with_method, f"the program changes {HERE}.Spoken.__str__, which a reader of its outcome sees"),
    "code": (class_level, f"the program changes {HERE}.Coded.code"),
    "middle": (changed_on_the_middle_path, f"the program changes {HERE}.Row.total"),
    "inner": (changed_inside, f"the program changes {HERE}.Coded.Detail.codes"),
    "counted": (counted, f"the program changes {HERE}.Counted.seen"),
}


@pytest.mark.parametrize("name", PASSING)
def test_refused_outcomes_of_classes_that_a_run_makes_or_changes(name: str) -> None:
    program, message = PASSING[name]
    with pytest.raises(Unauditable) as refusal:
        laws(program, 0, 1, 2)
    assert message in str(refusal.value)


def test_refused_a_class_that_each_run_binds_anew() -> None:
    with pytest.raises(Unauditable, match="Made"):
        laws(rebound, 0, 1)


def test_twin_classes_that_their_module_holds_are_outcomes() -> None:
    for outcome in (Kind.ONE, Kind.NONE, Bits.A | Bits.B, Pair(1), Renamed(1), Bits(0)):
        assert len(law(lambda _, coins, outcome=outcome: [outcome, coins.below(2)])) == 2


def test_twin_enums_are_told_apart_by_value_and_attributes() -> None:
    first, second = (enum.Enum("Result", {"COUNT": n})["COUNT"] for n in (0, 1))
    assert key(first) != key(second)
    assert canonical(first) != canonical(second)
    flags = [enum.Flag("Result", {"COUNT": n})["COUNT"] for n in (1, 2)]
    assert key(flags[0]) != key(flags[1])
    before = key(Kind.ONE)
    Kind.ONE.more = 1
    assert key(Kind.ONE) != before
    del Kind.ONE.more
    assert key(Kind.ONE) == before
    assert key(Kind.NONE) == key(Kind.NONE)
