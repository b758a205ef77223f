"""The parameters of NumPy's functions, and which of them a call gives."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from inspect import Parameter
from operator import attrgetter

import numpy as np

from oracle import Case

# Of functions that have none to be asked for.
TOLD = {"fromstring": inspect.signature(lambda string, dtype=float, count=-1, *, sep, like=None: None)}


def signature_of(name: str) -> inspect.Signature:
    """NumPy's signature of what it calls by this name; ValueError or TypeError where there is none."""
    return TOLD.get(name) or inspect.signature(attrgetter(name)(np))


@cache
def parameters_of(name: str) -> Mapping[str, Parameter]:
    """The parameters by name, those that take any number of arguments among them; none of what is no function."""
    try:
        return signature_of(name).parameters
    except (ValueError, TypeError):
        return {}


def given(case: Case) -> frozenset[str]:
    """The parameters that a call gives, by position or by keyword."""
    places = _of_kinds(case.name, Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = {*places[: len(case.args)]}
    if len(case.args) > len(places):
        names.update(_of_kinds(case.name, Parameter.VAR_POSITIONAL))
    for key in case.kwargs:
        names.update((key,) if key in parameters_of(case.name) else _of_kinds(case.name, Parameter.VAR_KEYWORD))
    return frozenset(names)


@cache
def _of_kinds(name: str, *kinds: object) -> tuple[str, ...]:
    return tuple(key for key, parameter in parameters_of(name).items() if parameter.kind in kinds)
