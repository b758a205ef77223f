"""The arguments of a single call by parameter, for allowances that look at what a case is about."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import find_in_numpy


def bind_arguments(case: Case) -> dict[str, Any]:
    """Return a call's arguments by parameter, defaults filled in; none of a program, nor where NumPy does not tell.

    A method has the parameters of the function of its name.
    """
    if any(type(leaf) is Case for leaf in (*case.args, *case.kwargs.values())) or len(case.calls()) > 1:
        return {}
    try:
        signature = inspect.signature(find_in_numpy(case.name.removeprefix("ndarray.")))
        bound = signature.bind(*case.args, **case.kwargs)
    except (AttributeError, TypeError, ValueError):
        return {}
    bound.apply_defaults()
    return dict(bound.arguments)


def is_provided(value: Any) -> bool:
    """Return whether an argument is more than a default that stands for none."""
    return value is not None and value is not np._NoValue
