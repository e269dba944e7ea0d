"""Every example in a docstring of the installed package is run, none skipped."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import dpcert


def module_names() -> Iterator[str]:
    """Yield the name of every module of the package; `__main__` is a program."""
    yield dpcert.__name__
    for module in pkgutil.walk_packages(dpcert.__path__, "dpcert."):
        if not module.name.endswith(".__main__"):
            yield module.name


@pytest.mark.parametrize("name", list(module_names()))
def test_examples_of_the_docstrings(name: str) -> None:
    importlib.import_module("pandas")  # without which a module about it is not to be imported
    module = importlib.import_module(name)
    tests = doctest.DocTestFinder(exclude_empty=True).find(module)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    told: list[str] = []
    for test in tests:
        assert not any(example.options.get(doctest.SKIP) for example in test.examples), test.name
        runner.run(test, out=told.append)
    assert told == []
    assert module.__doc__, f"{name} does not say what it is"


def test_the_package_shows_an_example() -> None:
    assert any(test.examples for test in doctest.DocTestFinder().find(dpcert))
