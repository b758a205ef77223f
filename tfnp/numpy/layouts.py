"""Flags of an array, and whether two arrays share it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfnp.numpy import lenses
from tfnp.numpy.arrays import Array, Public

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
        return self._array._base is None

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


def set_writeable(array: Array, value: bool) -> None:
    """Set whether an array may be written to. Raise ValueError for a view whose base, or whose kind, forbids it."""
    is_allowed = array._base is None or array._base._writeable
    if value and (
        array._is_scalar or not is_allowed or any(isinstance(lens, lenses.ReadOnly) for lens in array._lenses)
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
                function(lenses.view_memory(stored, a._lenses), lenses.view_memory(stored, b._lenses), max_work)
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
