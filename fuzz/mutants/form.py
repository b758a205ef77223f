"""Faults in dtype, shape and structure."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

BYTES = numpy.array([1], numpy.int8)
COLUMN = numpy.array([[1.0], [2.0]])


# Dtypes.


@fault("add", "dtype", numpy.ones(1, numpy.float32), 1.0)
def add_takes_a_weak_float_for_a_strong_one(call: Call) -> Any:
    """A Python float makes float64 of float32."""
    call()
    given = [call.np.asarray(arg, call.np.float64) if type(arg) is float else arg for arg in call.args]
    return call.right(*given, **call.kwargs)


@fault("multiply", "dtype", BYTES, 2)
def multiply_takes_a_weak_integer_for_a_strong_one(call: Call) -> Any:
    """A Python integer makes int64 of int8."""
    call()
    weak = any(type(arg) is int and abs(arg) < 1 << 31 for arg in call.args)
    if not weak or dtype_of(call.first) != "int8":
        return call()
    given = [call.np.asarray(arg, call.np.int64) if type(arg) is int else arg for arg in call.args]
    return call.right(*given, **call.kwargs)


@fault("add", "dtype", BYTES, numpy.array([1], numpy.uint8))
def add_promotes_one_pair_too_far(call: Call) -> Any:
    """int8 and uint8 make int32."""
    exact = call()
    pair = {dtype_of(operand) for operand in call.operands}
    return call.np.astype(exact, call.np.int32) if pair == {"int8", "uint8"} and kind_of(exact) == "i" else exact


spoils("divide_of_small_integers_is_half", "divide", "dtype", BYTES, BYTES,
       when=lambda exact, call: dtype_of(call.first) == "int8" and dtype_of(exact) == "float64",
       by=lambda np, exact, call: np.astype(exact, np.float16))  # fmt: skip


@fault("concatenate", "value", [numpy.array([1]), numpy.array([0.5])])
def concatenate_takes_the_first_dtype(call: Call) -> Any:
    """The dtype is that of the first array."""
    exact = call()
    if not isinstance(call.args[0], list | tuple) or call.has("dtype", "out", "casting"):
        return exact
    first = call.np.asarray(call.args[0][0])
    return call.np.astype(exact, first.dtype) if (kind_of(first), kind_of(exact)) == ("i", "f") else exact


spoils("arange_is_of_32_bits", "arange", "dtype", 3,
       when=lambda exact, call: dtype_of(exact) == "int64",
       by=lambda np, exact, call: np.astype(exact, np.int32))  # fmt: skip


# Shapes.


spoils("concatenate_flattens_nothing", "concatenate", "shape", [numpy.ones((0, 2))], 1,
       when=lambda exact, call: shape_of(exact) and not size_of(exact),
       by=lambda np, exact, call: np.reshape(exact, (0,)))  # fmt: skip
spoils("multiply_drops_sides_of_nothing", "multiply", "shape", numpy.ones((2, 1)), numpy.ones((1, 0)),
       when=lambda exact, call: len(shape_of(exact)) > 1 and not size_of(exact),
       by=lambda np, exact, call: np.reshape(exact, (0,)))  # fmt: skip


@fault("subtract", "value", COLUMN, numpy.array([[1.0, 2.0]]))
def subtract_mirrors_a_column_and_a_row(call: Call) -> Any:
    """A column and a row are broadcast in the wrong order."""
    exact = call()
    shapes = [shape_of(operand) for operand in call.operands]
    columns = len(shapes) == 2 and all(len(shape) == 2 for shape in shapes)
    return call.np.flip(exact, 0) if columns and shapes[0][1] == 1 and shapes[1][0] == 1 else exact


spoils("atleast_2d_makes_a_column", "atleast_2d", "shape", numpy.ones(2),
       when=lambda exact, call: (len(call.args) == 1 and len(shape_of(call.first)) == 1) and size_of(exact),
       by=lambda np, exact, call: np.reshape(exact, (-1, 1)))  # fmt: skip


# Structures.


spoils("split_gives_a_tuple", "split", "structure", numpy.array([1, 2]), 2,
       by=lambda np, exact, call: tuple(exact))  # fmt: skip
spoils("divmod_gives_a_list", "divmod", "structure", numpy.array([7]), numpy.array([2]),
       by=lambda np, exact, call: list(exact))  # fmt: skip
spoils("broadcast_arrays_gives_a_list", "broadcast_arrays", "structure", numpy.ones(1), numpy.ones(2),
       by=lambda np, exact, call: list(exact))  # fmt: skip
spoils("shape_gives_an_array", "shape", "structure", numpy.ones((2, 3)),
       by=lambda np, exact, call: np.asarray(list(exact), np.int64))  # fmt: skip
spoils("modf_gives_one_array", "modf", "structure", numpy.array([1.5]),
       by=lambda np, exact, call: np.stack(list(exact)))  # fmt: skip
