"""Faults of mutable arrays: views that are copies, copies that are views, and writes that are lost, that read what they
have written, or that go astray.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from fuzz.mutants.model import Call, Fault, fault, spoils
from oracle import Case

X = numpy.array([[1.0, 2.0, 0.0], [-1.0, 1.0, 2.0]])
SQUARE = numpy.array([[1.0, 2.0], [-1.0, 0.0]])
COMPLEX = numpy.array([1.0 + 2.0j, -1.0j])
REVERSED = (slice(None, None, -1),)


def read_aliases(array: numpy.ndarray, view: Callable[[Case], Case], *writes: Callable[[Case], Case]) -> Case:
    """Return a program that makes a view and writes to it: its results are array and view before, and after each
    write.
    """
    base = Case("array", (array,))
    alias = view(base)
    read = [Case("copy", (base,)), Case("copy", (alias,))]
    for write in writes:
        read += [Case("copy", (Case("last", (write(alias), base)),)), Case("copy", (alias,))]
    return Case("program", tuple(read))


def program(
    target: str,
    base: numpy.ndarray,
    view: Callable[[Case], Case],
    *writes: Callable[[Case], Case],
    kind: str = "value",
    on: str = "arrays",
    **options: Any,
) -> Callable[[Callable[[Call], Any]], Fault]:
    """Register the decorated function as a fault that shows where an array and a view are read after writes."""
    witness = read_aliases(base, view, *writes)
    return fault(target, kind, witness=witness, on=on, company=("copy",), **options)


def make(name: str, *args: Any, **kwargs: Any) -> Callable[[Case], Case]:
    """Return a function that calls another one on an array."""
    return lambda array: Case(name, (array, *args), kwargs)


def calculate(name: str, *args: Any) -> Callable[[Case], Case]:
    """Return a function that calls a ufunc on an array and others, and writes to the array."""
    return lambda array: Case(name, (array, *args), {"out": array})


def get(key: Any) -> Callable[[Case], Case]:
    """Return a function that takes a part of an array."""
    return make("ndarray.__getitem__", key)


FILL = make("ndarray.fill", 7.0)
TRANSPOSED, FLIPPED = make("ndarray.transpose", (1, 0)), make("flip", 0)
RESHAPED = make("ndarray.reshape", (3, 2))


# Views that are copies.


def copies(name: str, target: str, base: numpy.ndarray, *args: Any) -> None:
    """Register a fault by which a function copies, where NumPy's makes a view; where it makes none both copy."""
    witness = read_aliases(base, make(target, *args), FILL)
    spoils(name, target, "value", by=_copy, witness=witness, on="arrays", company=("copy",))


def _copy(np: Any, exact: Any, call: Call) -> Any:
    return np.copy(exact)


copies("reshape_method_copies", "ndarray.reshape", X, (3, 2))
copies("transpose_method_copies", "ndarray.transpose", X, (1, 0))
copies("squeeze_copies", "ndarray.squeeze", X[:1])
copies("flip_copies", "flip", X, 0)
copies("ravel_copies", "ravel", X)
copies("real_part_is_a_copy", "ndarray.real", COMPLEX)


@program("ndarray.__getitem__", X, get(REVERSED), FILL)
def reversed_slices_copy(call: Call) -> Any:
    """A copy, where the index has a negative step."""
    (key,) = call.args[1:] if isinstance(call.args[1], tuple) else [call.args[1:]]
    backward = any(isinstance(item, slice) and (item.step or 1) < 0 for item in key)
    return call.np.copy(call()) if backward else call()


@program("ndarray.__getitem__", X, RESHAPED, lambda array: FILL(get((1,))(array)))
def views_of_views_are_copies(call: Call) -> Any:
    """A copy, where the array is a view itself."""
    return call.np.copy(call()) if getattr(call.args[0], "base", None) is not None else call()


# A copy that is a view, and one that is old.


@program("ndarray.flatten", X, make("ndarray.flatten"), FILL)
def flatten_returns_a_view(call: Call) -> Any:
    """A view, and no copy."""
    return call.args[0].reshape(-1)


@program("copy", X, RESHAPED, FILL)
def copy_of_a_view_is_old(call: Call) -> Any:
    """What it returned for the same view before a write to it."""
    array = call.args[0]
    if getattr(array, "base", None) is None:
        return call()
    before = call.memory.get(id(array))
    if before is None or before[0]() is not array:
        before = call.memory[id(array)] = (weakref.ref(array), call())
    return call.np.array(before[1])


# Writes by an index.


def _is_transposed(array: Any) -> bool:
    return not array.flags.c_contiguous and bool(array.flags.f_contiguous)


@program("ndarray.__setitem__", SQUARE, TRANSPOSED, make("ndarray.__setitem__", ..., SQUARE))
def transposed_views_are_written_by_rows_of_the_base(call: Call) -> Any:
    """Elements in the order of the base, where the array is a transposed view."""
    array, key, value = call.args
    shape = numpy.shape(array[key])
    if not _is_transposed(array) or numpy.shape(value) != shape or len(shape) < 2:
        return call()
    return call.right(array, key, call.np.reshape(call.np.ravel(value), shape[::-1]).T)


@program(
    "ndarray.__setitem__",
    X,
    get((0, slice(1, None))),
    lambda array: Case("ndarray.__setitem__", (array, (slice(None, None, -1),), array)),
)
def assignment_reads_what_it_has_written(call: Call) -> Any:
    """Element by element along the first axis, where the value overlaps with the array."""
    array, key, value = call.args
    target = array[key]
    if numpy.ndim(value) == 0 or numpy.shape(value) != numpy.shape(target) or not call.np.shares_memory(array, value):
        return call()
    if not call.np.shares_memory(array, target):
        return call()
    for index in range(len(target)):
        call.right(target, index, value[index])
    return None


@program("ndarray.__setitem__", X, RESHAPED, make("ndarray.__setitem__", numpy.array([[True, False]] * 3), 5.0))
def masked_assignment_to_a_view_is_lost(call: Call) -> Any:
    """Nothing is written to a view where a mask is true."""
    array, key, _ = call.args
    is_mask = str(getattr(key, "dtype", "")) == "bool"
    return None if is_mask and getattr(array, "base", None) is not None else call()


# Writes in place and to an output.


@program("ndarray.__iadd__", X, get((0,)), make("ndarray.__iadd__", 1.0))
def addition_in_place_makes_a_new_array(call: Call) -> Any:
    """A new array, and the old one as it was."""
    return call.np.add(*call.args)


@program("ndarray.__imul__", X, get((slice(None), 1)), make("ndarray.__imul__", 2.0))
def multiplication_in_place_needs_contiguous_elements(call: Call) -> Any:
    """What is written to a view with gaps is lost."""
    array, other = call.args
    return call() if array.flags.c_contiguous else call.right(call.np.copy(array), other)


@program("add", X, FLIPPED, lambda array: calculate("add", FLIPPED(array))(array))
def sums_read_what_they_have_written(call: Call) -> Any:
    """Row by row, where the output overlaps with an operand."""
    out, operands = call.kwargs.get("out"), call.args
    if out is None or isinstance(out, tuple) or not numpy.ndim(out) or len(operands) != 2:
        return call()
    if any(numpy.shape(operand) != numpy.shape(out) for operand in operands):
        return call()
    if not any(call.np.shares_memory(operand, out) for operand in operands):
        return call()
    for index in range(len(out)):
        out[index] = operands[0][index] + operands[1][index]
    return out


@program("multiply", SQUARE, TRANSPOSED, calculate("multiply", SQUARE + 2.0))
def products_are_transposed_in_a_transposed_output(call: Call) -> Any:
    """The output's axes are exchanged, where it is a transposed view."""
    out = call.kwargs.get("out")
    if out is None or isinstance(out, tuple) or not _is_transposed(out):
        return call()
    result = call.right(*call.args)
    if numpy.shape(result) != numpy.shape(out):
        return call()
    out[...] = call.np.reshape(call.np.ravel(result), numpy.shape(out)[::-1]).T
    return out


@program("negative", X, get((slice(None), slice(1, None))), calculate("negative"))
def negatives_are_written_to_the_whole_base(call: Call) -> Any:
    """The whole array below a view is negated, where the output is the operand."""
    out = call.kwargs.get("out")
    base = getattr(out, "base", None)
    if base is None or out is not call.args[0] or getattr(base, "dtype", None) != out.dtype:
        return call()
    call.right(base, out=base)
    return out


@program("ndarray.fill", X, get((0,)), FILL)
def fill_of_a_view_fills_its_base(call: Call) -> Any:
    """All elements of the array of which this is a view."""
    base = getattr(call.args[0], "base", None)
    return call() if base is None or not hasattr(base, "fill") else call.right(base, *call.args[1:])


@program("put", X, TRANSPOSED, make("put", numpy.array([1, 2]), 9.0))
def put_counts_in_the_order_of_memory(call: Call) -> Any:
    """Positions count by columns, where the array is a transposed view."""
    array = call.args[0]
    return call.right(array.T, *call.args[1:], **call.kwargs) if _is_transposed(array) else call()


@program("add.at", X, TRANSPOSED, make("add.at", numpy.array([0, 0]), 1.0))
def add_at_counts_once_in_a_view(call: Call) -> Any:
    """Rows that occur twice are added to once, in a view."""
    array, rows, value = call.args
    if getattr(array, "base", None) is None or numpy.ndim(rows) != 1 or numpy.ndim(value):
        return call()
    return call.right(array, numpy.unique(rows), value)


# Of arrays on TensorFlow: gradients and graphs.

derived = partial(program, on="mutable")
W = numpy.array([3.0, -2.0, 4.0])


def is_traced(array: Any) -> bool:
    """Return whether an array has no numbers yet, in a graph."""
    try:
        numpy.asarray(array)
    except TypeError:
        return True
    return False


def _copy_of(array: numpy.ndarray) -> Case:
    return Case("array", (array,))


@derived("ndarray.__iadd__", X, get((0,)), make("ndarray.__iadd__", _copy_of(W)), kind="gradient", modes=("gradient",))
def addition_in_place_loses_the_gradient_of_the_operand(call: Call) -> Any:
    """The numbers are added, and nothing is recorded."""
    array, value = call.args
    return call() if is_traced(value) else call.right(array, numpy.asarray(value))


@derived("multiply", X, get((0,)), calculate("multiply", W), kind="value", modes=("graph", "xla"))
def products_are_not_written_in_graphs(call: Call) -> Any:
    """In a graph, the output stays as it was."""
    out = call.kwargs.get("out")
    return call.right(*call.args) if out is not None and not isinstance(out, tuple) and is_traced(out) else call()


@derived("copyto", X, TRANSPOSED, make("copyto", 5.0), kind="value", modes=("graph", "xla"))
def copyto_is_lost_in_graphs(call: Call) -> Any:
    """In a graph, nothing is written to a view."""
    array = call.args[0]
    return None if getattr(array, "base", None) is not None and is_traced(array) else call()
