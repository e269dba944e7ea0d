"""Exact twin, quickly, of every mechanism that ships: at its defaults, its program has the law of its closed form."""

import pytest

from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.reading.paths.enumerator import enumerate_law

SMALLER = {"compact-histogram": {"sampler": "response", "n": "2", "universe": "3", "weight": "1"}}
"""Settings for those whose law at the defaults takes seconds."""


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)
def test_the_program_has_the_law_in_closed_form_on_the_last_input(mechanism: Mechanism) -> None:
    instance = mechanism.build(mechanism.settings(SMALLER.get(mechanism.name, {})))
    assert instance.closed_form is not None
    value = instance.inputs[-1]
    assert enumerate_law(instance.program, value).law == instance.closed_form(value)
