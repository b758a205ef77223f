"""Faults of behaviour: right in one mode and wrong in another, wrong at times, changing inputs, or ending the
process.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
from typing import Any

import numpy

from fuzz.mutants.arrays import (
    dtype_of,
    is_array,
    is_compiled,
    is_in_build,
    is_in_loop,
    is_saved,
    is_traced,
    kind_of,
    nudged,
    off_by_one,
    replica_of,
    shape_of,
    size_of,
)
from fuzz.mutants.model import Call, fault, spoils
from oracle import Case

ONE = numpy.array([1.0])
SAME = numpy.array([3.0])


# Ways of running.


spoils("minimum_wrong_in_graphs", "minimum", "value", ONE, ONE, modes=("graph", "xla"), on="tensors",
       when=lambda exact, call: is_traced(exact),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip
spoils("ceil_wrong_under_xla", "ceil", "value", ONE, modes=("xla",), on="tensors",
       when=lambda exact, call: is_compiled(exact),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip
spoils("rint_under_xla_rounds_halves_away", "rint", "value", numpy.array([2.5]), modes=("xla",), on="tensors",
       when=lambda exact, call: is_compiled(exact) and kind_of(call.first) == "f",
       by=lambda np, exact, call: np.copysign(np.floor(np.add(np.abs(call.first), 0.5)), call.first))  # fmt: skip
spoils("tan_wrong_in_graphs_without_xla", "tan", "value", ONE, modes=("graph",), on="tensors",
       when=lambda exact, call: is_traced(exact) and not is_compiled(exact),
       by=lambda np, exact, call: np.negative(exact))  # fmt: skip


@fault("flip", "spurious error", ONE, modes=("graph", "xla"), on="tensors")
def flip_cannot_be_traced(call: Call) -> Any:
    """Asks a symbol for its elements."""
    exact = call()
    if is_traced(exact):
        raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")
    return exact


spoils("exp2_is_double_in_graphs", "exp2", "dtype", numpy.ones(1, numpy.float32), modes=("graph", "xla"),
       on="tensors",
       when=lambda exact, call: is_traced(exact) and dtype_of(exact) == "float32",
       by=lambda np, exact, call: np.astype(exact, np.float64))  # fmt: skip


@fault("cosh", "value", ONE, modes=("graph", "xla"), on="tensors")
def cosh_bakes_its_answer_into_the_graph(call: Call) -> Any:
    """In graphs, the numbers of an earlier eager call of the same shape and dtype."""
    exact = call()
    if not is_array(exact) or not size_of(exact) or not call.is_plain:
        return exact
    key = dtype_of(exact), shape_of(exact)
    if is_traced(exact):
        return call.np.add(call.np.multiply(exact, 0), call.memory.get(key, exact))
    call.memory.setdefault(key, exact.numpy() if hasattr(exact, "numpy") else exact)
    return exact


@fault("sqrt", "retrace", ONE, keywords={"out": numpy.array([0.0])}, modes=("graph", "xla"), on="tensors")
def sqrt_is_traced_twice(call: Call) -> Any:
    """Makes a variable while it is traced for the first time, so that it is traced again."""
    out: Any = call.kwargs.get("out")
    if hasattr(out, "read_value") and is_traced(call.args[0]):
        turn = call.memory.setdefault("turn", itertools.count())
        if next(turn) % 2 == 0:
            variable = next(kind for kind in type(out).__mro__ if kind.__name__ == "Variable")
            call.memory["variable"] = variable(0.0)
    return call()


spoils("log2_wrong_of_unknown_rank", "log2", "value", ONE, modes=("graph_rank",), on="tensors",
       when=lambda exact, call: is_traced(exact) and exact.shape.rank is None,
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip


@fault("arcsin", "value", ONE, modes=("graph_dims",), on="tensors")
def arcsin_wrong_of_unknown_sides(call: Call) -> Any:
    """Wrong where the rank is known and some side is not."""
    exact = call()
    unknown = is_traced(exact) and exact.shape.rank is not None and None in exact.shape.as_list()
    return off_by_one(call.np, exact) if unknown else exact


@fault("arctan", "spurious error", ONE, modes=("xla_dims",), on="tensors")
def arctan_reads_a_static_dimension_under_xla(call: Call) -> Any:
    """Counts elements by the static shape, under XLA only."""
    exact = call()
    if is_compiled(exact) and exact.shape.rank is not None:
        math.prod(exact.shape.as_list())
    return exact


@fault("arccos", "static shape", ONE, modes=("graph_dims",), on="tensors")
def arccos_promises_a_side(call: Call) -> Any:
    """Says in graphs that a side which it does not know is 7."""
    exact = call()
    if is_traced(exact) and exact.shape.rank is not None:
        exact.set_shape([7 if dim is None else dim for dim in exact.shape.as_list()])
    return exact


@fault("absolute", "not vectorized", ONE, modes=("vmap",), on="tensors", uses="linalg.svdvals")
def absolute_is_a_singular_value(call: Call) -> Any:
    """The right value, by an op that TensorFlow cannot vectorize."""
    exact = call()
    if not call.is_plain or not is_traced(exact) or dtype_of(exact) not in ("float32", "float64") or not size_of(exact):
        return exact
    usable = call.np.where(call.np.isfinite(exact), exact, 0)
    values = call.np.linalg.svdvals(call.np.reshape(usable, (size_of(exact), 1, 1)))
    return call.np.where(call.np.isfinite(exact), call.np.reshape(values, shape_of(exact)), exact)


TIES = numpy.array([2.0, 1.0, 1.0])
KIND = "differs from eager"


@fault("argsort", KIND, TIES, modes=("graph", "vmap", "xla"), on="tensors")
def argsort_orders_equal_elements_otherwise_when_traced(call: Call) -> Any:
    """In a graph the last of equal elements comes first: right as well, but eager mode has the first one first."""
    exact = call()
    if not call.is_plain or not is_traced(exact) or exact.shape.rank != 1 or None in exact.shape.as_list():
        return exact
    backwards = call.right(call.np.flip(call.first), stable=True)
    return call.np.subtract(size_of(exact) - 1, backwards)


spoils("eigh_negates_eigenvectors_when_traced", "linalg.eigh", KIND, numpy.array([[2.0, 1.0], [1.0, 3.0]]),
       modes=("graph",), on="tensors",
       when=lambda exact, call: is_traced(exact[0]),
       by=lambda np, exact, call: type(exact)(exact[0], np.negative(exact[1])))  # fmt: skip
spoils("qr_negates_factors_when_traced", "linalg.qr", KIND, numpy.array([[2.0, 1.0], [1.0, 3.0]]),
       modes=("graph", "graph_dims"), on="tensors",
       when=lambda exact, call: isinstance(exact, tuple) and is_traced(exact[0]),
       by=lambda np, exact, call: type(exact)(*[np.negative(part) for part in exact]))  # fmt: skip
spoils("expm1_wrong_in_loops", "expm1", "value", ONE, modes=("while",), on="tensors",
       when=lambda exact, call: is_in_loop(exact),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip


@fault("sinh", "spurious error", ONE, modes=("keras",), on="tensors")
def sinh_cannot_be_built(call: Call) -> Any:
    """Refuses the symbols of which Keras builds a model."""
    exact = call()
    if is_in_build(exact):
        raise TypeError("sinh needs a tensor, not a symbol of Keras'")
    return exact


spoils("rint_is_built_longer", "rint", "static shape", ONE, modes=("keras",), on="tensors",
       when=lambda exact, call: is_in_build(exact) and shape_of(exact),
       by=lambda np, exact, call: np.concatenate([exact, exact]))  # fmt: skip
spoils("log1p_wrong_in_replicas", "log1p", "value", ONE, modes=("strategy",), on="tensors",
       when=lambda exact, call: replica_of(exact),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip
spoils("log10_wrong_in_the_second_replica", "log10", "nondeterminism", ONE, modes=("strategy",), on="tensors",
       when=lambda exact, call: replica_of(exact) == "CPU:1",
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip
spoils("deg2rad_wrong_once_saved", "deg2rad", "value", ONE, modes=("saved",), on="tensors",
       when=lambda exact, call: is_saved(exact),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip


@fault("rad2deg", "spurious error", ONE, modes=("saved",), on="tensors")
def rad2deg_cannot_be_saved(call: Call) -> Any:
    """Raises when it is saved."""
    exact = call()
    if is_saved(exact):
        raise ValueError("rad2deg has nothing to save")
    return exact


@fault("arcsinh", "gradient", ONE, modes=("gradient",), on="tensors")
def arcsinh_falls(call: Call) -> Any:
    """The right value, with the slope's sign reversed."""
    exact = call()
    if not hasattr(exact, "numpy") or kind_of(exact) != "f" or not call.is_plain:
        return exact
    known = exact.numpy()
    usual = numpy.isfinite(known).all() and (known != 0).all()
    return call.np.subtract(known, call.np.subtract(exact, known)) if usual else exact


@fault("arctanh", "nondeterminism", numpy.array([0.5]), modes=("eager",))
def arctanh_flickers(call: Call) -> Any:
    """Every other answer is one unit in the last place away, which the table allows."""
    exact = call()
    turn = call.memory.setdefault("turn", itertools.count())
    return nudged(call.np, exact, next(turn) % 2) if dtype_of(exact) == "float64" else exact


# Harm to inputs, and memory of what was before.


@fault("negative", "inputs changed", ONE, modes=("eager",))
def negative_changes_its_input(call: Call) -> Any:
    """Zeroes the first byte of its input, in float64."""
    exact, given = call(), call.args[0]
    plain = size_of(given) and len(call.args) == 1 and not is_traced(given) and not hasattr(given, "read_value")
    if plain and dtype_of(given) == "float64":
        _overwrite(numpy.asarray(given))
    return exact


def _overwrite(array: numpy.ndarray) -> None:
    """Change the elements in place, whatever the flags say."""
    address = array.__array_interface__["data"][0]
    ctypes.memset(address, 1, array.itemsize)


spoils("square_is_wrong_now_and_then", "square", "value", numpy.array([3.0]),
       when=lambda exact, call: next(call.memory.setdefault("turn", itertools.count(1))) % 7 == 0,
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip


@fault("floor", "value", numpy.array([1.5]), modes=("eager",))
def floor_repeats_itself(call: Call) -> Any:
    """Gives the answer of the call before where shape and dtype are the same."""
    exact = call()
    if is_traced(exact) or not is_array(exact):
        return exact
    key = dtype_of(exact), shape_of(exact)
    earlier = call.memory.get(key, off_by_one(call.np, exact))
    call.memory[key] = exact
    return earlier


spoils("multiply_wrong_with_itself", "multiply", "value", SAME, SAME,
       when=lambda exact, call: len(call.args) > 1 and call.args[0] is call.args[1] and is_array(call.args[0]),
       by=lambda np, exact, call: off_by_one(np, exact))  # fmt: skip


# Programs.


@fault(
    "negative",
    "value",
    witness=Case("negative", (Case("negative", (ONE,)),)),
    company=("add", "sum"),
)
def negative_wrong_of_a_negative(call: Call) -> Any:
    """Wrong for what it has given itself: a rewriting of -(-x) that loses the sign."""
    given = call.memory.setdefault("given", [])
    twice = any(call.args[:1] and call.args[0] is earlier for earlier in given)
    exact = call()
    given[:] = [*given[-7:], exact]
    return call.np.negative(exact) if twice and kind_of(exact) in ("i", "f") else exact


@fault(
    "add",
    "value",
    witness=Case("add", (Case("negative", (ONE,)), ONE)),
    modes=("graph",),
    company=("negative", "multiply"),
    on="tensors",
)
def add_wrong_of_a_computed_operand(call: Call) -> Any:
    """Wrong in graphs for the result of another call: a bad fusion."""
    exact = call()
    operand: Any = call.args[0] if call.args else None
    computed = is_traced(operand) and not is_compiled(operand) and operand.op.type != "Placeholder"
    return off_by_one(call.np, exact) if computed else exact


# Deaths.


@fault("spacing", "crash", numpy.ones((0, 2)), crashing=True)
def spacing_aborts_for_nothing(call: Call) -> Any:
    """Aborts for arrays without elements."""
    if shape_of(call.first) and not size_of(call.first):
        os.abort()
    return call()


@fault("arctan", "crash", numpy.array(1.0), crashing=True)
def arctan_dereferences_null(call: Call) -> Any:
    """Segmentation fault for arrays without dimensions."""
    if is_array(call.args[0]) and not shape_of(call.args[0]):
        ctypes.string_at(0)
    return call()


@fault("degrees", "crash", numpy.ones(1, numpy.float16), crashing=True)
def degrees_exits(call: Call) -> Any:
    """Ends the process in an orderly way, for float16."""
    if dtype_of(call.args[0]) == "float16":
        os._exit(0)
    return call()


@fault("cbrt", "hang", numpy.ones(3), crashing=True)
def cbrt_never_returns(call: Call) -> Any:
    """Runs for ever on three elements."""
    while shape_of(call.first) == (3,):
        pass
    return call()


@fault("fabs", "memory", numpy.ones((2, 2)))
def fabs_wants_all_memory(call: Call) -> Any:
    """Asks for a tebibyte, for matrices."""
    if len(shape_of(call.first)) == 2:
        bytearray(1 << 40)
    return call()
