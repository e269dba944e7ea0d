"""How a program with one fault becomes a mechanism: all that it leaves alone comes from the correct mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Expected, Fault, Instance, Mechanism, Parameter, Texts

Settings = Mapping[str, str]
Program = Callable[..., Any]


def _nothing(settings: Settings, meant: Instance) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class FaultsOf:
    """The decorator that makes mechanisms of functions from settings to faulty programs.

    `defaults` names their parameters, in order, with defaults; without it they have those of the correct mechanism,
    `of`. `about` has what parameters mean, where that is put otherwise than for it.
    """

    of: Mechanism
    defaults: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)

    def __call__(
        self,
        name: str,
        *,
        source: str,
        fault: str,
        edit: tuple[str, str],
        expected: Expected,
        place: Callable[..., Any] | None = None,
        defaults: Mapping[str, str] = MappingProxyType({}),
        names: Sequence[str] | None = None,
        about: Mapping[str, str] = MappingProxyType({}),
        meant: Callable[[Settings], Settings] = dict,
        claim: Callable[[Settings, Instance], Mapping[str, Any]] = _nothing,
        observes: str | None = None,
    ) -> Callable[[Callable[[Settings], Program]], Mechanism]:
        """Return a decorator that makes a mechanism of that name, with the docstring of the function for its words.

        `defaults` and `about` add to those of all these faults; `names` are the parameters that it has, in order, if
        not all. `place` is the function or class in which the edit is, if not the decorated function. `meant` maps
        settings to those of `of`, for parameters that have other names or values there. The scope and the claim are
        those of `of`, except for a parameter `delta` that `of` does not have, and for the fields of Instance that
        `claim` returns.
        """
        of, own = self.of, {parameter.name: parameter for parameter in self.of.parameters}
        known = Texts({**{parameter.name: parameter.words for parameter in of.parameters}, **self.about, **about})
        chosen = Texts({**(self.defaults or of.settings({})), **defaults})

        def correct(settings: Settings) -> dict[str, str]:
            return of.settings({name: text for name, text in meant(settings).items() if name in own})

        def decorate(program: Callable[[Settings], Program]) -> Mechanism:
            def build(settings: Settings) -> Instance:
                instance = of.build(correct(settings))
                changes: dict[str, Any] = {"program": program(settings), "closed_form": None}
                if "delta" in settings and "delta" not in own:
                    changes["delta"] = exact(settings["delta"], "delta")
                if observes is not None:
                    changes["observes"] = observes
                return replace(instance, **{**changes, **claim(settings, instance)})

            return Mechanism(
                name=name,
                words=program.__doc__ or "",
                source=source,
                parameters=tuple(Parameter(one, chosen[one], known[one]) for one in names or chosen),
                build=build,
                fault=Fault(of=of, words=fault, edit=edit, place=place or program, meant=correct, expected=expected),
            )

        return decorate
