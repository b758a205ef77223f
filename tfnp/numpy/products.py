"""Products of matrices of which a part is taken that depends on an iteration: `x @ y[:, i:]` in a loop under XLA.

XLA pads and copies a matrix of dynamic size in each iteration, which takes many times as long as a product. The product
of the whole matrix has the same elements, and a few more: the part is taken of it.
"""

from __future__ import annotations

from typing import Any

from tfnp._core.xla import is_for_xla
from tfnp.numpy.arrays import Array
from tfnp.numpy.view_steps import Index
from tfnp.routines.indexing import windows

_MATRIX = 2


def multiply_full(x: Any, y: Any) -> Any:
    """Return the product of two arrays, of which one is a view of some rows or columns that the graph does not know.

    Return None for other operands.
    """
    if not is_for_xla() or not (isinstance(x, Array) and isinstance(y, Array)):
        return None
    rows, columns = _find_full(x, -2), _find_full(y, -1)
    if rows is None and columns is None:
        return None
    x, row_slice = rows or (x, slice(None))
    y, column_slice = columns or (y, slice(None))
    key = [row_slice] * (x.ndim == _MATRIX) + [column_slice] * (y.ndim == _MATRIX)
    return (x @ y)[tuple(key)]


def _find_full(array: Array, axis: int) -> tuple[Array, slice] | None:
    """Return a matrix with all of an axis, and the slice that the array is; None if that has no dynamic size."""
    view_step = array._view_steps[-1] if array._view_steps else None
    if not isinstance(view_step, Index) or type(view_step.key) is not tuple or len(view_step.key) != _MATRIX:
        return None
    key: list[Any] = list(view_step.key)
    if not all(isinstance(item, slice) for item in key) or not windows.is_dynamic_slice(key[axis]):
        return None
    part, key[axis] = key[axis], slice(None)
    full: Array = array._base  # type: ignore[assignment] # a view has one
    for other in (*array._view_steps[:-1], Index(tuple(key))):
        full = full.make_view(other)
    tensor = full.tensor()
    return (full, part) if tensor.shape.rank == _MATRIX and tensor.shape.is_fully_defined() else None
