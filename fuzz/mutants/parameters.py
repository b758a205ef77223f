"""Faults of parameters: one that is accepted and ignored, or that means something else."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import shape_of, size_of
from fuzz.mutants.model import Call, fault

GRID = numpy.array([[1.0, 2.0], [3.0, 4.0]])
MASK = numpy.array([[True, False], [True, True]])


@fault("sqrt", "value", numpy.array([4.0]), keywords={"out": numpy.array([0.0])})
def sqrt_does_not_write(call: Call) -> Any:
    """`out` is accepted and stays as it was."""
    return call.without("out")


@fault("sum", "value", GRID, keywords={"where": MASK})
def sum_ignores_where(call: Call) -> Any:
    """Everything is summed, `where` or not."""
    call()
    return call.without("where")


@fault("max", "value", GRID, keywords={"initial": 9.0})
def max_ignores_initial(call: Call) -> Any:
    """`initial` does not take part."""
    exact = call()
    return exact if call.has("where") or not size_of(call.first) else call.without("initial")


@fault("sum", "dtype", GRID, keywords={"dtype": numpy.dtype(numpy.float32)})
def sum_ignores_dtype(call: Call) -> Any:
    """`dtype` is ignored."""
    call()
    return call.without("dtype")


@fault("multiply", "dtype", GRID, GRID, keywords={"dtype": numpy.dtype(numpy.complex128)})
def multiply_ignores_dtype(call: Call) -> Any:
    """`dtype` is ignored."""
    call()
    return call.without("dtype")


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


@fault(
    "multiply",
    "value",
    GRID,
    GRID,
    keywords={"where": MASK, "out": numpy.zeros((2, 2))},
)
def multiply_ignores_where(call: Call) -> Any:
    """Every element of `out` is written, whatever `where` says."""
    call()
    return call.without("where")


@fault("var", "value", GRID, keywords={"ddof": 1})
def var_ignores_ddof(call: Call) -> Any:
    """Always divides by the number of elements."""
    call()
    return call.without("ddof")


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


@fault("lexsort", "value", [numpy.array([1, 0]), numpy.array([0, 1])])
def lexsort_takes_keys_in_reverse(call: Call) -> Any:
    """The first key is the primary one."""
    exact, keys = call(), call.given("keys")
    return call.changed(keys=keys[::-1]) if isinstance(keys, list | tuple) else exact


@fault("linspace", "value", 0.0, 1.0, 3, False)
def linspace_ignores_endpoint(call: Call) -> Any:
    """The end is always among the numbers."""
    call()
    return call.without("endpoint")


@fault("logspace", "value", 0.0, 1.0, 2, keywords={"base": 2.0})
def logspace_ignores_base(call: Call) -> Any:
    """Always powers of ten."""
    call()
    return call.without("base")


@fault("tril", "value", GRID, -1)
def tril_ignores_k(call: Call) -> Any:
    """Always the main diagonal."""
    call()
    return call.without("k")


@fault("cumulative_sum", "shape", numpy.ones(2), keywords={"include_initial": True})
def cumulative_sum_ignores_include_initial(call: Call) -> Any:
    """Never begins with the zero."""
    call()
    return call.without("include_initial")


@fault("average", "value", GRID, keywords={"weights": GRID})
def average_ignores_weights(call: Call) -> Any:
    """Every element weighs the same."""
    exact = call()
    if call.has("returned") or not size_of(call.first):
        return exact
    return call.np.astype(call.without("weights"), exact.dtype)


@fault("average", "structure", GRID, keywords={"returned": True})
def average_ignores_returned(call: Call) -> Any:
    """The sum of the weights is not returned."""
    call()
    return call.without("returned")


@fault("meshgrid", "shape", numpy.ones(2), numpy.ones(3), keywords={"indexing": "ij"})
def meshgrid_ignores_indexing(call: Call) -> Any:
    """Always Cartesian."""
    exact = call()
    turned = call.right(*call.args, **{key: arg for key, arg in call.kwargs.items() if key != "indexing"})
    return turned if any(shape_of(one) != shape_of(other) for one, other in zip(exact, turned, strict=True)) else exact


@fault("repeat", "shape", GRID, 2, 0)
def repeat_ignores_axis(call: Call) -> Any:
    """Always along the flattened array."""
    exact = call()
    return call.without("axis") if type(call.given("repeats")) is int else exact


@fault("count_nonzero", "shape", GRID, keywords={"axis": 0})
def count_nonzero_ignores_axis(call: Call) -> Any:
    """Always counts everything."""
    exact = call()
    return exact if call.has("keepdims") else call.without("axis")


@fault("stack", "value", [numpy.array([1, 2]), numpy.array([3, 4])], keywords={"axis": -1})
def stack_ignores_axis(call: Call) -> Any:
    """Always along a new first axis."""
    exact = call()
    first = exact if call.has("out") else call.without("axis")
    return first if shape_of(first) == shape_of(exact) else exact
