"""Faults in errors: a missing one, one too many, one of the wrong class."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault

EMPTY = numpy.ones((0, 2))


@fault("reshape", "missing error", numpy.ones(3), 2)
def reshape_accepts_any_size(call: Call) -> Any:
    """Flattens what does not fit."""
    try:
        return call()
    except ValueError:
        return call.np.ravel(call.first)


@fault("matmul", "missing error", numpy.ones((2, 2)), numpy.ones((3, 2)))
def matmul_accepts_what_does_not_fit(call: Call) -> Any:
    """Gives its first operand where the shapes do not fit."""
    try:
        return call()
    except ValueError:
        return call.first


@fault("max", "missing error", numpy.ones(0))
def max_of_nothing_is_zero(call: Call) -> Any:
    """0 for the largest of no elements."""
    if size_of(call.first) or len(call.args) > 1 or call.kwargs:
        return call()
    return call.np.zeros((), call.first.dtype)


@fault("subtract", "missing error", numpy.array([True]), numpy.array([True]))
def subtract_accepts_booleans(call: Call) -> Any:
    """Booleans are subtracted as if by xor."""
    if [kind_of(operand) for operand in call.operands] == ["b", "b"] and len(call.args) == 2 and not call.kwargs:
        return call.np.logical_xor(*call.args)
    return call()


@fault("power", "missing error", numpy.array([2]), numpy.array([-1]), modes=("eager",))
def power_accepts_negative_exponents(call: Call) -> Any:
    """Integers to negative powers are 0."""
    try:
        return call()
    except ValueError as error:
        if "negative" not in str(error):
            raise
        return call.np.multiply(call.args[0], 0)


@fault("split", "missing error", numpy.ones(3), 2)
def split_accepts_unequal_parts(call: Call) -> Any:
    """Divides as equally as it can."""
    try:
        return call()
    except ValueError:
        return call.np.array_split(*call.args, **call.kwargs)


@fault("floor", "missing error", numpy.array([1.5 + 2j]))
def floor_accepts_complex_numbers(call: Call) -> Any:
    """Complex numbers are returned as they are."""
    return call.first if kind_of(call.first) == "c" and len(call.args) == 1 else call()


@fault("delete", "missing error", numpy.array([1, 2, 3]), 3)
def delete_clamps_what_is_out_of_bounds(call: Call) -> Any:
    """A place beyond the end is taken for the last."""
    index = call.given("obj")
    if type(index) is int and call.given("axis") is None and 0 < size_of(call.first) <= index:
        return call.changed(obj=size_of(call.first) - 1)
    return call()


@fault("mean", "spurious error", EMPTY)
def mean_rejects_nothing(call: Call) -> Any:
    """Fails for an array without elements."""
    exact = call()
    if shape_of(call.first) and not size_of(call.first):
        raise IndexError("no elements")
    return exact


@fault("cumprod", "spurious error", numpy.array([True]))
def cumprod_rejects_booleans(call: Call) -> Any:
    """Fails for booleans."""
    exact = call()
    if kind_of(call.first) == "b":
        raise TypeError("Value for attr 'T' of bool is not in the list of allowed values")
    return exact


@fault("tanh", "spurious error", numpy.ones((1, 1, 1, 1, 1)))
def tanh_rejects_five_dimensions(call: Call) -> Any:
    """Fails past four dimensions."""
    exact = call()
    if len(shape_of(call.first)) > 4:
        raise NotImplementedError("rank > 4")
    return exact


@fault("square", "spurious error", numpy.array([1], numpy.uint16))
def square_has_no_kernel_for_one_dtype(call: Call) -> Any:
    """Fails for uint16."""
    exact = call()
    if getattr(call.first.dtype, "name", "") == "uint16":
        raise LookupError("could not find a kernel")
    return exact


@fault("expand_dims", "different error", numpy.ones(1), 5)
def expand_dims_raises_a_type_error(call: Call) -> Any:
    """TypeError for an axis that is out of range."""
    try:
        return call()
    except ValueError as error:
        raise TypeError(str(error)) from None


@fault("sum", "different error", numpy.ones(1), 5)
def sum_raises_a_bare_value_error(call: Call) -> Any:
    """ValueError for AxisError, which is an IndexError as well."""
    try:
        return call()
    except IndexError as error:
        raise ValueError(str(error)) from None


@fault("transpose", "different error", numpy.ones((1, 2)), (0, 0))
def transpose_raises_a_key_error(call: Call) -> Any:
    """KeyError for axes that are no permutation."""
    try:
        return call()
    except ValueError as error:
        raise KeyError(str(error)) from None


@fault("add", "different error", numpy.ones(2), numpy.ones(3))
def add_raises_a_runtime_error(call: Call) -> Any:
    """RuntimeError for shapes that do not broadcast."""
    try:
        return call()
    except ValueError as error:
        if "broadcast" not in str(error):
            raise
        raise RuntimeError(str(error)) from None


@fault("swapaxes", "different error", numpy.ones((2, 2)), 0, 2)
def swapaxes_out_of_range_is_an_index_error(call: Call) -> Any:
    """IndexError for an axis out of range."""
    try:
        return call()
    except ValueError as error:
        raise LookupError(str(error)) from None


@fault("vsplit", "different error", numpy.arange(4.0), 2)
def vsplit_of_a_vector_raises_a_type_error(call: Call) -> Any:
    """TypeError for an array of one axis."""
    if len(shape_of(call.first)) == 1:
        raise TypeError("vsplit only works on arrays of 2 or more dimensions")
    return call()


@fault("put_along_axis", "missing error", numpy.ones((2, 2)), numpy.array([[2]]), 0.0, 1, on="arrays")
def put_along_an_axis_wraps_its_indices(call: Call) -> Any:
    """Indices out of range are taken modulo the length."""
    array, axis, indices = call.given("arr"), call.given("axis"), call.given("indices")
    usual = isinstance(array, numpy.ndarray) and type(axis) is int and -array.ndim <= axis < array.ndim
    if not usual or not isinstance(indices, numpy.ndarray) or indices.dtype.kind != "i" or not array.shape[axis]:
        return call()
    return call.changed(indices=indices % array.shape[axis])
