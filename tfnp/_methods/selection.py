"""Methods that select, search and sort."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike, Out
from tfnp._methods.arguments import accept_names
from tfnp._methods.inplace import check_can_change, update_inplace
from tfnp.routines.indexing import assignment
from tfnp.routines.indexing import selection as selecting
from tfnp.routines.linear_algebra import products
from tfnp.routines.manipulation import tiling
from tfnp.routines.sorting import searching, sorting


@accept_names("kth")
def argpartition(
    self: Any, kth: ArrayLike, /, axis: IntLike | None = -1, kind: str = "introselect", order: Any = None
) -> tf.Tensor:
    return sorting.argpartition(self, kth, axis, kind, order)


def argsort(
    self: Any, /, axis: IntLike | None = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> tf.Tensor:
    return sorting.argsort(self, axis, kind, order, stable=stable)


def choose(self: Any, /, *choices: ArrayLike, out: Out = None, mode: str = "raise") -> tf.Tensor | tf.Variable:
    """Choose elements. The choices are one argument, or one argument per choice."""
    if not choices:
        raise TypeError("choose() takes exactly 1 argument (0 given)")
    return selecting.choose(self, choices[0] if len(choices) == 1 else choices, out, mode)


def compress(
    self: Any, /, condition: ArrayLike, axis: IntLike | None = None, out: Out = None
) -> tf.Tensor | tf.Variable:
    return selecting.compress(condition, self, axis, out)


def diagonal(self: Any, /, offset: IntLike = 0, axis1: IntLike = 0, axis2: IntLike = 1) -> tf.Tensor:
    return products.diagonal(self, offset, axis1, axis2)


def nonzero(self: Any, /) -> tuple[tf.Tensor, ...]:
    return searching.nonzero(self)


@accept_names("kth")
@array_function(unknown_rank="each")
def partition(
    self: Any, kth: ArrayLike, /, axis: IntLike | None = -1, kind: str = "introselect", order: Any = None
) -> None:
    """Partition a variable in place, by sorting it."""
    update_inplace(self, "partition", lambda value: sorting.partition(value, kth, _require_axis(axis), kind, order))


@accept_names("indices", "values")
def put(self: Any, indices: ArrayLike, values: ArrayLike, /, mode: str = "raise") -> None:
    """Write elements of a variable, as `tfnp.put` does."""
    check_can_change(self, "put")
    assignment.put(self, indices, values, mode)


@accept_names("repeats")
def repeat(self: Any, repeats: ArrayLike, /, axis: IntLike | None = None) -> tf.Tensor:
    return tiling.repeat(self, repeats, axis)


@accept_names("v")
def searchsorted(self: Any, v: ArrayLike, /, side: str = "left", sorter: ArrayLike | None = None) -> tf.Tensor:
    return searching.searchsorted(self, v, side, sorter)


@array_function(unknown_rank="each")
def sort(
    self: Any, /, axis: IntLike | None = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> None:
    """Sort a variable in place; the sort is stable, whatever `kind` says."""
    update_inplace(self, "sort", lambda value: sorting.sort(value, _require_axis(axis), kind, order, stable=stable))


@accept_names("indices")
def take(
    self: Any, indices: ArrayLike, /, axis: IntLike | None = None, out: Out = None, mode: str = "raise"
) -> tf.Tensor | tf.Variable:
    return selecting.take(self, indices, axis, out, mode)


def _require_axis(axis: Any) -> Any:
    """Return the axis. Raise TypeError for None."""
    if axis is None:
        raise TypeError("axis must be an integer, not None: a method that works in place cannot flatten the array")
    return axis
