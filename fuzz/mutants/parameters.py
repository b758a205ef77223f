"""Faults of parameters: one that is accepted and ignored, or that means something else."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import shape_of
from fuzz.mutants.model import Call, fault

GRID = numpy.array([[1.0, 2.0], [3.0, 4.0]])
MASK = numpy.array([[True, False], [True, True]])


@fault(
    "add",
    "missing error",
    numpy.ones(1, numpy.float32),
    numpy.ones(1),
    keywords={"casting": "no"},
)
def add_ignores_casting(call: Call) -> Any:
    """Whatever `casting` forbids is cast."""
    return call.right(*call.args, **{key: arg for key, arg in call.kwargs.items() if key != "casting"})


@fault("std", "value", GRID, keywords={"axis": 0})
def std_ignores_axis_0(call: Call) -> Any:
    """The first axis is taken for the last."""
    exact = call()
    dims = shape_of(call.first)
    first = call.given("axis") == 0 and type(call.given("axis")) is int and dims[:1] == dims[-1:]
    return call.changed(axis=-1) if first else exact


@fault("sort", "shape", GRID, None)
def sort_without_an_axis(call: Call) -> Any:
    """`axis=None` sorts along the last axis, and does not flatten."""
    exact = call()
    return call.changed(axis=-1) if call.given("axis", -1) is None and shape_of(call.first) else exact


@fault("argsort", "value", numpy.array([1, 1]), keywords={"kind": "stable"})
def argsort_is_not_stable(call: Call) -> Any:
    """Equal elements come in reverse order, though a stable sort was asked for."""
    exact, array = call(), call.first
    stable = call.given("stable") or str(call.given("kind")) in ("stable", "mergesort")
    if not stable or len(array.shape) != 1 or call.given("axis", -1) is None:
        return exact
    turned = call.changed(a=call.np.flip(array))
    return call.np.subtract(int(array.shape[0]) - 1, turned)
