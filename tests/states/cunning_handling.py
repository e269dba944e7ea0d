"""Programs whose states differ only in a variable that functions share, or an error that is handled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cunning_constructs import wait

from dpcert.mechanisms.exact.coins import Coins

# -- variables that inner functions share


def in_which_functions_share_a_variable(x: Any, coins: Coins) -> Any:
    def pair() -> tuple[Callable[[], int], Callable[[], int]]:
        count = 0

        def more() -> int:
            nonlocal count
            count += 1
            return count

        def twice() -> int:
            nonlocal count
            count *= 2
            return count

        return more, twice

    more, twice = pair()
    if coins.below(2):
        twice = pair()[1]
    for _ in range(2):
        wait(coins)
        more()
    return twice()


def in_a_variable_that_a_frame_shares_or_not(x: Any, coins: Coins) -> Any:
    count = 0

    def bump() -> int:
        nonlocal count
        count += 1
        return count

    def other() -> int:
        return 7

    step = bump if coins.below(2) else other
    wait(coins)
    step()
    wait(coins)
    count += 10
    return step(), count


def in_a_variable_that_is_unset_again(x: Any, coins: Coins) -> Any:
    held = 1

    def show() -> int:
        return held

    if coins.below(2):
        del held
    wait(coins)
    try:
        return show()
    except NameError:
        return "unset"


def in_a_variable_that_a_name_hides(x: Any, coins: Coins) -> Any:
    n = 0

    def outer() -> list[int]:
        def inner(n: int = n) -> int:
            n += 1
            return n

        def hidden() -> int:
            n = 5
            n += 1
            return n

        found = [n + 1 for n in [n]]
        return [*found, inner(), hidden(), (lambda n=n: n)(), n]

    for _ in range(2):
        wait(coins)
        n += int(coins.below(2))
    return outer()


def in_which_definition_a_name_means(x: Any, coins: Coins) -> Any:
    def step() -> int:
        return 1

    def call() -> int:
        return step()

    if coins.below(2):

        def step() -> int:
            return 2

    wait(coins)
    return call(), step()


def in_a_generator_that_changes_what_is_shared(x: Any, coins: Coins) -> Any:
    total = 0

    def adding() -> Iterator[int]:
        nonlocal total
        for _ in range(3):
            wait(coins)
            total += int(coins.below(2))
            yield total

    source = adding()
    seen = [next(source)]
    total += 10 * int(coins.below(2))
    wait(coins)
    return [*seen, *source], total


# -- errors that are being handled


def in_the_error_that_is_raised_again(x: Any, coins: Coins) -> Any:
    def handling() -> None:
        try:
            raise KeyError(1) if coins.below(2) else KeyError(True)
        except KeyError:
            for _ in range(2):
                wait(coins)
            raise

    try:
        handling()
    except KeyError as error:
        return repr(error.args)


def in_the_context_of_an_error(x: Any, coins: Coins) -> Any:
    def handling() -> None:
        try:
            try:
                raise ValueError(int(coins.below(2)))
            finally:
                for _ in range(2):
                    wait(coins)
        except ValueError:
            for _ in range(2):
                wait(coins)
            raise KeyError(5) from (None if coins.below(2) else TypeError(6))

    try:
        handling()
    except KeyError as error:
        for _ in range(2):
            wait(coins)
        first = error.__context__
        return first and first.args, repr(error.__cause__), error.__suppress_context__, error.args


def in_the_context_of_an_error_within_another(x: Any, coins: Coins) -> Any:
    try:
        raise RuntimeError("around")
    except RuntimeError:
        try:
            try:
                raise ValueError(int(coins.below(2)))
            except ValueError:
                raise KeyError("k") from TypeError("t")
        except KeyError as error:
            for _ in range(2):
                wait(coins)
            context = error.__context__
            return repr(context), repr(context and context.__context__)


def in_the_context_that_a_handler_leaves(x: Any, coins: Coins) -> Any:
    def deep() -> Any:
        try:
            raise ValueError("a")
        except ValueError as error:
            try:
                raise KeyError("b") if coins.below(2) else TypeError("c")
            except (KeyError, TypeError):
                for _ in range(2):
                    wait(coins)
            for _ in range(2):
                wait(coins)
            return error

    try:
        raise RuntimeError("r") if coins.below(2) else OverflowError("o")
    except (RuntimeError, OverflowError):
        for _ in range(2):
            wait(coins)
        found = deep()
        return repr(found), repr(found.__context__)


def in_which_error_is_handled_by_whom(x: Any, coins: Coins) -> Any:
    def raised_again() -> None:
        for _ in range(2):
            wait(coins)
        raise

    try:
        raise ValueError("v") if coins.below(2) else KeyError("k")
    except ValueError:
        try:
            raised_again()
        except ValueError as error:
            return "v", error.args
    except KeyError as error:
        try:
            raised_again()
        except KeyError as again:
            return "k", error.args, error == again
    return "never"


def in_what_is_pending_behind_a_finally(x: Any, coins: Coins) -> Any:
    log = []
    for i in range(3):
        try:
            try:
                if coins.below(2):
                    raise ValueError(i)
                if coins.below(2):
                    raise KeyError(i)
            finally:
                for _ in range(2):
                    wait(coins)
                log.append(i)
        except ValueError:
            log.append("v")
        except KeyError as error:
            log.append(error.args)
    return log


def in_a_return_that_is_pending(x: Any, coins: Coins) -> Any:
    log = []

    def leaving() -> Any:
        for i in range(2):
            try:
                if coins.below(2):
                    return i
                if coins.below(2):
                    break
                if coins.below(2):
                    continue
            finally:
                for _ in range(2):
                    wait(coins)
                log.append(i)
        return "end"

    return leaving(), log


def in_an_attribute_of_the_error(x: Any, coins: Coins) -> Any:
    try:
        error: Any = ValueError("v")
        error.more = int(coins.below(2))
        raise error
    except ValueError as caught:
        for _ in range(2):
            wait(coins)
        more: Any = caught
    try:
        return more.more, caught
    except NameError:
        return more.more, "gone"


def in_an_error_that_keeps_more(x: Any, coins: Coins) -> Any:
    try:
        raise SystemExit(int(coins.below(2)))
    except SystemExit as error:
        for _ in range(2):
            wait(coins)
        return error.code


def in_a_variable_that_a_match_names(x: Any, coins: Coins) -> Any:
    found = 0

    def show() -> int:
        return found

    for _ in range(2):
        wait(coins)
        match int(coins.below(2)):
            case 1:
                found = 5
            case found:
                pass
    return show(), found


def in_the_error_of_a_caller(x: Any, coins: Coins) -> Any:
    """A state within the call is refused, with draws that it would have kept."""
    import sys

    def asks() -> int:
        found = 0
        for _ in range(2):
            found += coins.below(2)
        return found + (10 if sys.exc_info()[0] else 0)

    first = asks()
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        second = asks()
    return first, second
