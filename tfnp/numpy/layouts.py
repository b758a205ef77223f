"""Layouts of arrays: flags, the order of axes in memory, and whether two arrays share it.

An array in another order than C is a view of a storage of its own, whose axes are in the order of the memory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tfnp.numpy import view_steps
from tfnp.numpy.arrays import Array, Public, of_memory, of_tensor

_NAMES = {
    "C": "c_contiguous",
    "F": "f_contiguous",
    "O": "owndata",
    "W": "writeable",
    "A": "aligned",
    "X": "writebackifcopy",
    "B": "behaved",
    "CA": "carray",
    "FA": "farray",
    "CONTIGUOUS": "contiguous",
    "FORTRAN": "fortran",
    **{
        name.upper(): name
        for name in ("c_contiguous", "f_contiguous", "owndata", "writeable", "aligned", "fnc", "forc")
    },
    **{name.upper(): name for name in ("writebackifcopy", "behaved", "carray", "farray")},
}
"""By a flag's name as an item: its attribute."""


class flagsobj:  # noqa: N801 - NumPy's name
    """The flags of an array; `writeable` may be set."""

    def __init__(self, array: Array) -> None:
        object.__setattr__(self, "_array", array)

    def _read(self) -> Any:
        """Return NumPy's flags of such an array."""
        layout = self._array.layout().view()
        layout.flags.writeable = layout.flags.writeable and self._array._writeable
        return layout.flags

    @property
    def writeable(self) -> bool:
        return self._array._writeable

    @property
    def owndata(self) -> bool:
        return self._array._base is None and not self._array._storage.is_buffer

    def __getattr__(self, name: str) -> Any:
        flags = self._read()
        if name in ("behaved", "carray", "farray", "fnc", "forc", "fortran", "contiguous"):
            is_writeable = self.writeable or name not in ("behaved", "carray", "farray")
            flags_of = {
                "behaved": True,
                "carray": flags.c_contiguous,
                "farray": flags.f_contiguous and not flags.c_contiguous,
            }
            return is_writeable and flags_of.get(name, getattr(flags, name))
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "writeable":
            raise AttributeError(
                f"flag {name!r} cannot be set: an array has no memory of its own layout", name=name, obj=self
            )
        set_writeable(self._array, bool(value))

    def __getitem__(self, name: str) -> Any:
        if name not in _NAMES:
            raise KeyError("Unknown flag")
        return getattr(self, _NAMES[name])

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, _NAMES[name], value)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, flagsobj) and repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment] # flags change

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "\n".join(f"  {name} : {self[name]}" for name in names)


NEW: Final = frozenset(
    (
        *(
            "array",
            "asarray",
            "asanyarray",
            "asarray_chkfinite",
            "ascontiguousarray",
            "asfortranarray",
            "astype",
            "copy",
        ),
        *("empty", "empty_like", "eye", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"),
    )
)
"""Functions that return new arrays in the order that their argument `order` names."""
ORDERS: Final = {"ascontiguousarray": "C", "asfortranarray": "F"}
"""The orders of functions that have no such argument."""


def arrange(result: Any, order: str | None, prototype: Any) -> Any:
    """Return a new array in C order rearranged in an order: "C", "F", or like the prototype, "A" or "K".

    Where a graph knows no strides, the order is C.
    """
    if not isinstance(result, Array) or result._is_scalar or order == "C" or not has_static_rank(result):
        return result
    rank = result.ndim
    axes = tuple(range(rank))
    if order == "F":
        axes = axes[::-1]
    elif isinstance(prototype, Array) and prototype._view_steps and prototype.ndim == rank:
        axes = sort_axes(prototype)
        if order == "A" and not (axes == tuple(range(rank))[::-1] and is_in_order(prototype, "F")):
            axes = tuple(range(rank))
    if axes == tuple(range(rank)):
        return result
    storage = result._storage
    if storage.is_on_host():
        arranged = of_memory(Public.ndarray, np.ascontiguousarray(result.memory().transpose(axes)))
    else:
        arranged = of_tensor(Public.ndarray, view_steps.Transpose(axes).get(result.tensor()))
    arranged._view_steps = (view_steps.Transpose(tuple(map(int, np.argsort(axes)))),)
    return result._finalize(arranged)


def is_in_order(array: Array, order: str | None) -> bool:
    """Return whether an array is in C or Fortran order, if one of these is asked for.

    Where a graph knows no strides, it is in Fortran order only if that was asked for.
    """
    if order not in ("C", "F") or not has_static_rank(array):
        return True
    if not has_static_shape(array):
        axes = tuple(range(array.ndim))
        return sort_axes(array) == (axes if order == "C" else axes[::-1])
    flags = array.layout().flags
    return bool(flags.c_contiguous if order == "C" else flags.f_contiguous)


def sort_axes(array: Array) -> tuple[int, ...]:
    """Return the axes in the order of their strides, the largest first; in C order if a graph knows no strides."""
    if has_static_shape(array):
        strides = array.layout().strides
    elif all(isinstance(view_step, view_steps.Transpose) for view_step in array._view_steps):
        strides = view_steps.view_memory(
            view_steps.make_probe(tuple(range(2, 2 + array.ndim))), array._view_steps
        ).strides
    else:
        return tuple(range(array.ndim))
    return tuple(sorted(range(len(strides)), key=lambda axis: -abs(strides[axis])))


def has_static_shape(array: Array) -> bool:
    """Return whether the shape of an array is known."""
    return array._storage.graph is None or array.tensor().shape.is_fully_defined()


def has_static_rank(array: Any) -> bool:
    """Return whether the value is an array whose rank is known."""
    return isinstance(array, Array) and (array._storage.graph is None or array.tensor().shape.rank is not None)


def set_writeable(array: Array, value: bool) -> None:
    """Set whether an array may be written to. Raise ValueError for a view whose base, or whose kind, forbids it."""
    is_allowed = array._base is None or array._base._writeable
    storage = array._storage
    if storage.is_buffer and not storage.memory.flags.writeable:  # type: ignore[union-attr] # shared memory stays
        is_allowed = False
    if value and (
        array._is_scalar
        or not is_allowed
        or any(isinstance(view_step, view_steps.ReadOnly) for view_step in array._view_steps)
    ):
        raise ValueError("cannot set WRITEABLE flag to True of this array")
    array._writeable = value


def may_share_memory(a: Any, b: Any, /, max_work: int | None = 0) -> bool:
    """Return whether two arrays may share memory."""
    return _compare(np.may_share_memory, a, b, max_work)


def shares_memory(a: Any, b: Any, /, max_work: int | None = -1) -> bool:
    """Return whether two arrays share memory."""
    return _compare(np.shares_memory, a, b, max_work)


def _compare(function: Any, a: Any, b: Any, max_work: int | None) -> bool:
    if isinstance(a, Array) and isinstance(b, Array):
        if a._storage is not b._storage:
            return False
        if not a._storage.is_on_host():
            stored = Array.layout(_find_base(a))
            return bool(
                function(
                    view_steps.view_memory(stored, a._view_steps),
                    view_steps.view_memory(stored, b._view_steps),
                    max_work,
                )
            )
    return bool(function(_get_memory(a), _get_memory(b), max_work))


def _find_base(array: Array) -> Array:
    """Return an array of the stored storage."""
    stored: Any = object.__new__(Public.ndarray)
    stored._storage = array._storage
    return stored


def _get_memory(value: Any) -> Any:
    return value.memory() if isinstance(value, Array) else value


def byte_bounds(a: Any) -> tuple[int, int]:
    """Return the addresses of an array's first byte, and of that after its last."""
    return np.lib.array_utils.byte_bounds(_get_memory(a))
