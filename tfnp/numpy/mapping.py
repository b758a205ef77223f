"""`vmap`: a NumPy program of rows as one of arrays, which TensorFlow vectorizes, or a loop of the graph runs."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import tensorflow as tf

import tfnp
from tfnp._core import convert, ops
from tfnp._core.autograph import convert_program, leave_unconverted
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._core.vectorization import without_logs
from tfnp._core.xla import is_for_xla
from tfnp.numpy import arrays, blocks
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.compilation import Compiled, find_cause
from tfnp.numpy.derivatives import describe_argument
from tfnp.numpy.functions import moveaxis, stack
from tfnp.numpy.lifting import lift
from tfnp.numpy.statements import LoopReport, add_report

__all__ = ["vmap"]

_NOT_FOR_XLA: Final = frozenset(("DynamicPartition", "StatelessWhile", "Unique", "UniqueV2", "Where", "While"))
"""Ops that XLA does not compile in what TensorFlow vectorizes: those of branches have sizes that depend on values, and
those of loops keep tensors of unknown shapes.
"""


def vmap(function: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Return a function that maps a NumPy program over an axis of its arguments, and stacks what it returns.

    `np.vmap(f)(x, y)` has the values of `np.stack([f(x[i], y[i]) for i in range(len(x))])`. The rows of arrays of one
    dimension are scalars, as where Python iterates over them. TensorFlow vectorizes the program; what it cannot, such
    as some ops and, for XLA, branches and loops that depend on the row, runs as one loop of the graph.
    `np.explain_loops()` says which, and why. The program is traced once for each signature, as by
    `np.jit(..., jit_compile=False)`; one that cannot be traced runs once for each row in Python, and a
    `NotCompiledWarning` says why. Inside `np.jit` and `tf.function` it is a part of what is compiled, and so are
    `np.vmap(np.grad(f))`, `np.grad` of what `np.vmap` returns, and `np.vmap(np.vmap(f))`.

    Parameters
    ----------
    function
        A program. It gets copies of its arrays: what it writes to them is not seen by the caller, unless it returns it.
        An array that it does not get as an argument, such as a global one, cannot be written to while it is traced.
    in_axes
        The axis of each positional argument over which the program is mapped, None for one that each call gets as it
        is; an integer or None for all, or one for each. For an argument that is a tuple, a list or a dictionary of
        arrays, an axis for all of them, or a structure of axes. Keyword arguments are passed as they are.
    out_axes
        Where the new axis is in the results: an integer, or a structure of integers for a structure of results.

    Returns
    -------
    A function that returns the structure that the program returns, with an array of one dimension more for each array
    or number in it. None remains None.

    Raises
    ------
    ValueError
        If no argument is mapped, an argument, which the message names, lacks the axis or has another length than the
        first along it, or a structure of axes does not fit.
    TypeError
        If an axis is no integer, or the program returns what no array can hold.

    Differences from JAX: keyword arguments are not mapped; `out_axes` has no None; there are no names of axes; random
    numbers are drawn row by row in Python, in the order of the loop.
    """
    if not callable(function):
        raise TypeError(f"vmap takes a function, not {type(function).__name__}")
    return Mapped(function, in_axes, out_axes)


@dataclass(frozen=True, slots=True)
class Operands:
    """The arguments of a call, as leaves: `axes` has None for a leaf that is not mapped; `count` is that of rows."""

    structure: Any
    leaves: list[Any]
    axes: list[int | None]
    count: Any

    def mapped(self) -> list[tuple[Any, int]]:
        """Return the leaves that are mapped, each with its axis."""
        return [(leaf, axis) for leaf, axis in zip(self.leaves, self.axes, strict=True) if axis is not None]

    def unmapped(self) -> list[Any]:
        """Return the leaves that each call gets as they are."""
        return [leaf for leaf, axis in zip(self.leaves, self.axes, strict=True) if axis is None]

    def fill(self, rows: Sequence[Any], others: Sequence[Any]) -> Any:
        """Return the arguments, with leaves of `rows` where they are mapped, and else those of `others`, in order."""
        mapped, unmapped = iter(rows), iter(others)
        leaves = [next(unmapped) if axis is None else next(mapped) for axis in self.axes]
        return tf.nest.pack_sequence_as(self.structure, leaves)


class Mapped(Compiled):
    """A program that is mapped over rows, see `vmap`."""

    def __init__(self, function: Callable[..., Any], in_axes: Any, out_axes: Any) -> None:
        super().__init__(self._run, jit_compile=False)
        functools.update_wrapper(self, function, updated=())
        self.__name__ = getattr(function, "__name__", repr(function))
        self._mapped, self._in_axes, self._out_axes = function, in_axes, out_axes

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        operands = self._read_operands(args, kwargs)
        if executing_eagerly():
            return self._run_rows(operands)
        with blocks.no_blocks():
            return self._run_in_graph(operands)

    def _read_operands(self, args: Any, kwargs: Any) -> Operands:
        axes = self._in_axes if isinstance(self._in_axes, tuple | list) else [self._in_axes] * len(args)
        if len(axes) != len(args):
            raise ValueError(f"in_axes has {len(axes)} axes, and {self.__name__} got {len(args)} positional arguments")
        leaves: list[Any] = []
        flat_axes: list[int | None] = []
        counts: list[tuple[int, Any]] = []  # of each mapped leaf: the position of its argument, and its number of rows
        for position, (argument, axis) in enumerate(zip(args, axes, strict=True)):
            for leaf, leaf_axis in _spread(axis, argument, f"in_axes of {describe_argument(self._mapped, position)}"):
                leaves.append(leaf)
                flat_axes.append(None if leaf_axis is None else self._find_axis(leaf, leaf_axis, position))
                if flat_axes[-1] is not None:
                    counts.append((position, leaf.shape[flat_axes[-1]]))
        known = [(position, count) for position, count in counts if isinstance(count, int)]
        for position, count in known[1:]:
            if count != known[0][1]:
                name, first = [describe_argument(self._mapped, other) for other in (position, known[0][0])]
                raise ValueError(f"{name} has {count} rows to be mapped, {first} has {known[0][1]}")
        if not counts:
            raise ValueError(f"vmap has nothing to map: all of in_axes is None, or {self.__name__} got no arguments")
        options = tf.nest.flatten(kwargs)
        every_axis = [*flat_axes, *[None] * len(options)]
        return Operands((args, kwargs), [*leaves, *options], every_axis, (known or counts)[0][1])

    def _find_axis(self, leaf: Any, axis: int, position: int) -> int:
        """Return the axis of an argument, which is not negative."""
        name = describe_argument(self._mapped, position)
        if not _is_array(leaf):
            raise ValueError(
                f"{name} is or contains {type(leaf).__name__}, which has no axis {axis}: pass an array, or None in "
                "in_axes"
            )
        shape = leaf.tensor().shape if isinstance(leaf, Array) else tf.TensorShape(leaf.shape)
        if shape.rank is None:
            raise ValueError(f"{name} has an unknown number of dimensions")
        if not -shape.rank <= axis < shape.rank:
            raise ValueError(f"{name} has shape {tuple(shape)}, which has no axis {axis}")
        return axis % shape.rank

    def _run_rows(self, operands: Operands) -> Any:
        """Call the program for each row, in Python."""
        if not operands.count:
            raise ValueError(
                f"{self.__name__} cannot be traced, and there is no row from which to learn what it returns"
            )
        moved = [moveaxis(leaf, axis, 0) for leaf, axis in operands.mapped()]
        results = []
        for index in range(operands.count):
            rows = [leaf[index].copy() for leaf in moved]
            args, kwargs = operands.fill(
                rows, [leaf.copy() if _is_array(leaf) else leaf for leaf in operands.unmapped()]
            )
            results.append(self._mapped(*args, **kwargs))
        columns = zip(*map(tf.nest.flatten, results), strict=True)
        stacked = [None if column[0] is None else stack(column) for column in columns]
        return self._finish(results[0], stacked)

    def _run_in_graph(self, operands: Operands) -> Any:
        rows = [tfnp.moveaxis(_to_tensor(leaf), axis, 0) for leaf, axis in operands.mapped()]
        others = operands.unmapped()
        passed = [_to_tensor(leaf) for leaf in others if _is_array(leaf)]
        result: Any = None

        def run(*tensors: tf.Tensor) -> list[tf.Tensor]:
            nonlocal result
            captured = iter(tensors[len(rows) :])
            copies = [arrays.of_tensor(Public.ndarray, next(captured)) if _is_array(leaf) else leaf for leaf in others]
            args, kwargs = operands.fill([lift(tensor) for tensor in tensors[: len(rows)]], copies)
            result = convert_program(self._mapped)(*args, **kwargs)
            return [_to_tensor(leaf) for leaf in tf.nest.flatten(result) if leaf is not None]

        specs = [tf.TensorSpec(row.shape[1:], row.dtype) for row in rows]
        specs += [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in passed]
        traced = tf.function(run, autograph=False).get_concrete_function(*specs)
        outputs = iter(self._map_rows(lambda *tensors: traced(*tensors, *passed), rows, traced, operands.count))
        stacked = [
            None if leaf is None else arrays.of_tensor(Public.ndarray, next(outputs))
            for leaf in tf.nest.flatten(result)
        ]
        return self._finish(result, stacked)

    def _map_rows(self, run: Callable[..., Any], rows: list[tf.Tensor], traced: Any, count: Any) -> list[tf.Tensor]:
        """Return the results of a traced program for rows: vectorized, or of a loop if TensorFlow cannot do that."""

        def run_row(tensors: Sequence[tf.Tensor]) -> list[tf.Tensor]:
            return list(run(*tensors))

        form, reason = "vectorized", ""
        ops.register_vectorization()
        try:
            with without_logs():
                result = _vectorize(run_row, rows)
        except Exception as error:  # noqa: BLE001 - of any class; the loop raises a fault of the program
            form, reason = "a loop of the graph", find_cause(error)
            specs = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in traced.outputs]
            result = tf.map_fn(run_row, rows, fn_output_signature=specs)
        add_report(LoopReport(self.__name__, "the map over rows", count, reason, form))
        return list(result)

    def _finish(self, result: Any, stacked: list[Any]) -> Any:
        """Return arrays in the structure of a result, with their new axis where `out_axes` says."""
        pairs = list(_spread(self._out_axes, result, f"out_axes of {self.__name__}"))
        moved = []
        for array, (_, axis) in zip(stacked, pairs, strict=True):
            if axis is None:
                raise ValueError(f"out_axes of {self.__name__} has None: each result has an axis of rows")
            moved.append(array if array is None or axis == 0 else moveaxis(array, 0, axis))
        return tf.nest.pack_sequence_as(result, moved)


def _spread(axes: Any, structure: Any, name: str) -> Iterator[tuple[Any, int | None]]:
    """Yield the leaves of a structure, in the order of `tf.nest.flatten`, each with its axis."""
    if axes is None or not isinstance(axes, tuple | list | dict):
        axis = None if axes is None else operator.index(axes)
        yield from ((leaf, axis) for leaf in tf.nest.flatten(structure))
        return
    if _list_keys(axes) != _list_keys(structure):
        raise ValueError(f"{name} does not fit: {axes!r} for the structure of a {type(structure).__name__}")
    for key in _list_keys(structure):
        yield from _spread(axes[key], structure[key], name)


def _list_keys(structure: Any) -> list[Any]:
    if isinstance(structure, dict):
        return sorted(structure)
    return list(range(len(structure))) if isinstance(structure, tuple | list) else []


def _vectorize(run_row: Callable[[Any], list[tf.Tensor]], rows: list[tf.Tensor]) -> Sequence[tf.Tensor]:
    """Return results for all rows at once. Raise an error if TensorFlow cannot, or XLA could not compile them."""
    if not is_for_xla():
        return tf.vectorized_map(run_row, rows, fallback_to_while_loop=False)
    specs = [tf.TensorSpec(row.shape, row.dtype) for row in rows]
    vectorized = tf.function(
        lambda *tensors: tf.vectorized_map(run_row, list(tensors), fallback_to_while_loop=False), autograph=False
    ).get_concrete_function(*specs)
    definition = vectorized.graph.as_graph_def()
    nodes = [*definition.node, *(node for function in definition.library.function for node in function.node_def)]
    unsupported = sorted({node.op for node in nodes} & _NOT_FOR_XLA)
    if unsupported:
        raise ValueError(f"XLA does not compile the op {unsupported[0]} of what is vectorized")
    return vectorized(*rows)


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, Array | np.ndarray | tf.Tensor | tf.Variable)


def _to_tensor(leaf: Any) -> tf.Tensor:
    return leaf.tensor() if isinstance(leaf, Array) else convert.to_tensor(leaf)


leave_unconverted([Mapped])
