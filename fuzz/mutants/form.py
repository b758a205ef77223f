"""Faults in dtype, structure and errors."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

BYTES = numpy.array([1], numpy.int8)


spoils("divide_of_small_integers_is_half", "divide", "dtype", BYTES, BYTES,
       when=lambda exact, call: dtype_of(call.first) == "int8" and dtype_of(exact) == "float64",
       by=lambda np, exact, call: np.astype(exact, np.float16))  # fmt: skip


spoils("split_gives_a_tuple", "split", "structure", numpy.array([1, 2]), 2,
       by=lambda np, exact, call: tuple(exact))  # fmt: skip
spoils("broadcast_arrays_gives_a_list", "broadcast_arrays", "structure", numpy.ones(1), numpy.ones(2),
       by=lambda np, exact, call: list(exact))  # fmt: skip


@fault("max", "missing error", numpy.ones(0))
def max_of_nothing_is_zero(call: Call) -> Any:
    """0 for the largest of no elements."""
    if size_of(call.first) or len(call.args) > 1 or call.kwargs:
        return call()
    return call.np.zeros((), call.first.dtype)


@fault("delete", "missing error", numpy.array([1, 2, 3]), 3)
def delete_clamps_what_is_out_of_bounds(call: Call) -> Any:
    """A place beyond the end is taken for the last."""
    index = call.given("obj")
    if type(index) is int and call.given("axis") is None and 0 < size_of(call.first) <= index:
        return call.changed(obj=size_of(call.first) - 1)
    return call()


@fault("sum", "different error", numpy.ones(1), 5)
def sum_raises_a_bare_value_error(call: Call) -> Any:
    """ValueError for AxisError, which is an IndexError as well."""
    try:
        return call()
    except IndexError as error:
        raise ValueError(str(error)) from None


@fault("put_along_axis", "missing error", numpy.ones((2, 2)), numpy.array([[2]]), 0.0, 1, on="arrays")
def put_along_an_axis_wraps_its_indices(call: Call) -> Any:
    """Indices out of range are taken modulo the length."""
    array, axis, indices = call.given("arr"), call.given("axis"), call.given("indices")
    usual = isinstance(array, numpy.ndarray) and type(axis) is int and -array.ndim <= axis < array.ndim
    if not usual or not isinstance(indices, numpy.ndarray) or indices.dtype.kind != "i" or not array.shape[axis]:
        return call()
    return call.changed(indices=indices % array.shape[axis])
