"""Iterators that run the program's code, in Python: interpreted as the prelude is.

Each has the state of CPython's iterator, and goes on after an error as that iterator does.
"""

from typing import Any

from dpcert.reading.prelude import Missing, find, refuse, same


def _by_items(value: Any) -> Any:
    return _ByItems(value)


def _reversed_of(value: Any) -> Any:
    function = find(value, "__reversed__")
    if function is not None:
        return function(value)
    if find(value, "__len__") is None or find(value, "__getitem__") is None:
        refuse("reversed() of what has no __len__ and __getitem__")
    return _Downwards(value, len(value) - 1)


def _extend(owner: Any, it: Any) -> Any:
    for each in it:
        owner.append(each)


def _throw_new(generator: Any, cls: Any) -> Any:
    return generator.throw(cls())


def _call_until(function: Any, end: Any) -> Any:
    if not callable(function):
        refuse("iter() is called with what cannot be called")
    return _Until(function, end)


class _Iterator:
    """An iterator that runs the program's code."""

    def __iter__(self) -> Any:
        return self


class _Asking(_Iterator):
    """An iterator that asks a function about the items of another iterator."""

    def __init__(self, function: Any, it: Any) -> None:
        self.function, self.it = function, iter(it)


class _Ending(_Iterator):
    """An iterator that has ended once `step` raised any error."""

    ended = False

    def __next__(self) -> Any:
        if self.ended:
            raise StopIteration
        try:
            return self.step()
        except BaseException:
            self.ended = True
            raise

    def step(self) -> Any:
        """The next item."""


class _ByItems(_Iterator):
    def __init__(self, row: Any) -> None:
        self.row, self.place = row, 0

    def __next__(self) -> Any:
        if self.row is None:
            raise StopIteration
        each = Missing
        try:
            each = self.row[self.place]
        except (IndexError, StopIteration):
            self.row = None
        if each is Missing:
            raise StopIteration
        self.place += 1
        return each


class _Downwards(_Ending):
    def __init__(self, row: Any, place: Any) -> None:
        self.row, self.place = row, place

    def step(self) -> Any:
        try:
            each = self.row[self.place] if self.place >= 0 else Missing
        except IndexError:
            each = Missing
        if each is Missing:
            raise StopIteration
        self.place -= 1
        return each


class _Until(_Iterator):
    def __init__(self, function: Any, end: Any) -> None:
        self.function, self.end = function, end

    def __next__(self) -> Any:
        if self.function is None:
            raise StopIteration
        try:
            each = self.function()
        except StopIteration:
            self.function = None
            raise
        if self.function is None or same(each, self.end) or self.end == each:
            self.function = None
            raise StopIteration
        return each


class _Enumerate(_Iterator):
    def __init__(self, iterable: Any, start: Any = 0) -> None:
        if type(start) is not int:
            refuse("enumerate() is followed from an int on")
        self.it, self.place = iter(iterable), start

    def __next__(self) -> Any:
        each = next(self.it)
        self.place += 1
        return self.place - 1, each


class _Zip(_Iterator):
    def __init__(self, *its: Any, strict: Any = False) -> None:
        self.its, self.strict = tuple([iter(it) for it in its]), strict

    def __next__(self) -> Any:
        if not self.its:
            raise StopIteration
        return self.pairs() if self.strict else tuple([next(it) for it in self.its])

    def pairs(self) -> Any:
        row = [next(self.its[0], Missing)]
        for place in range(1, len(self.its)):
            row.append(next(self.its[place], Missing))
            if (row[place] is Missing) != (row[0] is Missing):
                shorter = "shorter" if row[place] is Missing else "longer"
                before = " 1" if place == 1 else f"s 1-{place}"
                raise ValueError(f"zip() argument {place + 1} is {shorter} than argument{before}")
        if row[0] is Missing:
            raise StopIteration
        return tuple(row)


class _Map(_Iterator):
    def __init__(self, function: Any, it: Any, *its: Any) -> None:
        self.function, self.its = function, tuple([iter(each) for each in (it, *its)])

    def __next__(self) -> Any:
        return self.function(*[next(it) for it in self.its])


class _Filter(_Asking):
    def __next__(self) -> Any:
        while True:
            each = next(self.it)
            if self.function is None or self.function is bool:
                if each:
                    return each
            elif self.function(each):
                return each


class _Filterfalse(_Asking):
    def __next__(self) -> Any:
        while True:
            each = next(self.it)
            if not (each if self.function is None else self.function(each)):
                return each


class _Count(_Iterator):
    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        if type(start) is not int or type(step) is not int:
            refuse("count() is followed for ints")
        self.place, self.step = start, step

    def __next__(self) -> Any:
        self.place += self.step
        return self.place - self.step


class _Repeat(_Iterator):
    def __init__(self, value: Any, times: Any = Missing) -> None:
        if times is not Missing and (type(times) is not int or abs(times) >> 62):
            refuse("repeat() is followed for an int of 62 bits")
        self.value, self.left = value, None if times is Missing else times

    def __next__(self) -> Any:
        if self.left is not None:
            if self.left <= 0:
                raise StopIteration
            self.left -= 1
        return self.value


class _Cycle(_Iterator):
    def __init__(self, it: Any) -> None:
        self.it, self.place = iter(it), -1
        self.kept: list[Any] = []

    def __next__(self) -> Any:
        if self.place < 0:
            each = next(self.it, Missing)
            if each is not Missing:
                self.kept.append(each)
                return each
            self.place = 0
        if not self.kept:
            raise StopIteration
        self.place += 1
        return self.kept[(self.place - 1) % len(self.kept)]


class _Chain(_Iterator):
    def __init__(self, *its: Any) -> None:
        self.its: Any = iter(its)
        self.it: Any = None

    def __next__(self) -> Any:
        while self.its is not None:
            try:
                if self.it is None:
                    self.it = iter(next(self.its))
            except BaseException:
                self.its = None
                raise
            each = next(self.it, Missing)
            if each is not Missing:
                return each
            self.it = None
        raise StopIteration


def _from_iterable(its: Any) -> Any:
    made = _Chain()
    made.its = iter(its)
    return made


class _Islice(_Ending):
    def __init__(self, it: Any, *bounds: Any) -> None:
        start, stop, step = _slice_bounds(*bounds)
        for each in (start, stop, step):
            if each is not None and (type(each) is not int or each < 0 or each >> 62):
                refuse("islice() is followed for ints of 0 or more")
        self.it, self.seen, self.following, self.stop, self.by = iter(it), 0, start or 0, stop, step or 1

    def step(self) -> Any:
        while self.seen < self.following:
            next(self.it)
            self.seen += 1
        if self.stop is not None and self.seen >= self.stop:
            raise StopIteration
        each = next(self.it)
        self.seen += 1
        self.following += self.by
        if self.stop is not None and self.following > self.stop:
            self.following = self.stop
        return each


def _slice_bounds(start: Any, stop: Any = Missing, step: Any = None) -> Any:
    return (None, start, None) if stop is Missing else (start, stop, step)


class _Takewhile(_Asking):
    def __next__(self) -> Any:
        if self.function is Missing:
            raise StopIteration
        each = next(self.it)
        if self.function(each):
            return each
        self.function = Missing
        raise StopIteration


class _Dropwhile(_Asking):
    def __next__(self) -> Any:
        while True:
            each = next(self.it)
            if self.function is Missing:
                return each
            if not self.function(each):
                self.function = Missing
                return each


class _Starmap(_Asking):
    def __next__(self) -> Any:
        return self.function(*next(self.it))


class _Pairwise(_Ending):
    def __init__(self, it: Any) -> None:
        self.it, self.last = iter(it), Missing

    def step(self) -> Any:
        if self.last is Missing:
            self.last = next(self.it)
        before, self.last = self.last, next(self.it)
        return before, self.last


class _Accumulate(_Iterator):
    def __init__(self, it: Any, func: Any = None, *, initial: Any = None) -> None:
        self.it, self.function, self.first, self.total = iter(it), func, initial, Missing

    def __next__(self) -> Any:
        if self.total is Missing:
            self.total = next(self.it) if self.first is None else self.first
            return self.total
        each = next(self.it)
        self.total = self.total + each if self.function is None else self.function(self.total, each)
        return self.total


class _Compress(_Iterator):
    def __init__(self, data: Any, selectors: Any) -> None:
        self.data, self.selectors = iter(data), iter(selectors)

    def __next__(self) -> Any:
        while True:
            each = next(self.data)
            if next(self.selectors):
                return each


class _ZipLongest(_Ending):
    def __init__(self, *its: Any, fillvalue: Any = None) -> None:
        self.its, self.other, self.live = [iter(it) for it in its], fillvalue, len(its)

    def step(self) -> Any:
        if not self.live:
            raise StopIteration
        out = []
        for place in range(len(self.its)):
            each = Missing if self.its[place] is None else next(self.its[place], Missing)
            if each is Missing and self.its[place] is not None:
                self.its[place] = None
                self.live -= 1
                if not self.live:
                    raise StopIteration
            out.append(self.other if each is Missing else each)
        return tuple(out)


class _Listed(_Iterator):
    def __init__(self, rows: Any) -> None:
        self.it = iter(rows)

    def __next__(self) -> Any:
        return next(self.it)


class _Product(_Listed):
    def __init__(self, *its: Any, repeat: Any = 1) -> None:
        count = _checked_count(repeat)
        rows: list[Any] = [()]
        for pool in [tuple(it) for it in its] * count:
            rows = [(*row, each) for row in rows for each in pool]
        self.it = iter(rows)


def _checked_count(r: Any) -> Any:
    if type(r) is not int or r < 0:
        refuse("product(), combinations() and permutations() are followed for an int of 0 or more")
    return r


class _Combinations(_Listed):
    def __init__(self, it: Any, r: Any) -> None:
        count, pool = _checked_count(r), tuple(it)
        rows: list[Any] = [((), 0)]
        for _ in range(count):
            rows = [((*row, pool[k]), k + 1) for row, first in rows for k in range(first, len(pool))]
        self.it = iter([row for row, _ in rows])


class _Permutations(_Listed):
    def __init__(self, it: Any, r: Any = None) -> None:
        pool = tuple(it)
        rows: list[Any] = [()]
        for _ in range(len(pool) if r is None else _checked_count(r)):
            rows = [(*row, k) for row in rows for k in range(len(pool)) if k not in row]
        self.it = iter([tuple([pool[k] for k in row]) for row in rows])
