"""Arrays of memory that belongs to others: buffers, DLPack, files."""

from __future__ import annotations

import array as python_arrays
import ctypes
import functools
import mmap
from typing import Any, Final

import numpy as np
import tensorflow as tf

import tfnp
from tfnp._core import convert, dtypes
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import arrays, layouts, viewing
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.lifting import lift_array, lift_function

_NUMERIC: Final = "biufc"
_BUFFERS: Final = frozenset((python_arrays.array, bytearray, memoryview, mmap.mmap))


def wrap_buffer(memory: np.ndarray) -> Any:
    """Return an array that shares NumPy's memory: both see each other's writes. Where no tensor can hold such elements
    as they lie there, as in another byte order, return NumPy's array.
    """
    dtype = memory.dtype
    if dtype.kind not in _NUMERIC or not dtype.isnative or dtypes.to_tf_dtype(dtype) is None:
        return memory
    return arrays.of_buffer(memory)


def copy(memory: np.ndarray) -> Any:
    """Return an array with a copy of the elements of NumPy's, in C or Fortran order as there. Where no tensor can hold
    them, return NumPy's array.
    """
    if dtypes.to_tf_dtype(memory.dtype) is None:
        return memory
    if memory.dtype.kind not in _NUMERIC:
        return lift_array(convert.from_numpy(memory))
    array = arrays.of_memory(Public.ndarray, np.array(memory, memory.dtype.newbyteorder("="), order="C"))
    return layouts.arrange(array, "F" if memory.flags.fnc else "C", None)


@functools.wraps(tfnp.frombuffer)
def frombuffer(buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0, *, like: Any = None) -> Any:
    """Return an array of the buffer's memory, which it shares."""
    owner, number, start = (arrays.to_host(value) for value in (buffer, count, offset))
    owner = owner.data if isinstance(owner, np.ndarray) and owner.ndim else owner
    return wrap_buffer(np.frombuffer(owner, dtype, number, start))


def lift_converter(function: Any) -> Any:
    """Return a lifted function that converts to arrays, and shares the memory of a buffer."""
    lifted = lift_function(function, keeps_rank_0=True, is_same=True)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs:
            cls = type(args[0])
            if cls is Public.ndarray:
                return args[0]
            if cls is np.ndarray and executing_eagerly():
                return copy(args[0])
            if cls in _BUFFERS or issubclass(cls, ctypes.Array):
                return wrap_buffer(np.asarray(args[0]))
        return lifted(*args, **kwargs)

    return call


_copy_dlpack: Final = lift_function(tfnp.from_dlpack, keeps_rank_0=True)


@functools.wraps(tfnp.from_dlpack)
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array that shares the memory of an array of another library; tensors never change and are copied when
    the array is written to.
    """
    if isinstance(x, Array):
        return x.copy() if copy else x.view(Public.ndarray)
    if isinstance(x, tf.Tensor | tf.Variable) or not _is_in_processors_memory(x):
        return _copy_dlpack(x, device=device, copy=copy)
    return wrap_buffer(np.from_dlpack(x, device=device, copy=copy))


def _is_in_processors_memory(x: Any) -> bool:
    is_known = hasattr(x, "__dlpack_device__")
    return not is_known or int(x.__dlpack_device__()[0]) == 1


class Address(np.ndarray):
    """Bytes from which NumPy makes an array that keeps them alive, so that it is known that others may write to them.
    By index it is what the item `data` of an array interface is elsewhere: the address, and whether it is read-only.
    """

    pointer: tuple[int, bool]

    def __getitem__(self, key: Any) -> Any:
        return self.pointer[key]

    def __iter__(self) -> Any:
        return iter(self.pointer)


def describe(array: Array) -> dict[str, Any]:
    """Return the array interface (https://numpy.org/doc/stable/reference/arrays.interface.html) of an array."""
    exported = viewing.export(array)
    if exported.dtype.kind not in _NUMERIC:
        raise TypeError(f"NumPy's array interface has no type for {exported.dtype}")
    interface: dict[str, Any] = dict(exported.__array_interface__, strides=exported.strides)
    stored = exported
    while isinstance(stored.base, np.ndarray):
        stored = stored.base
    if exported.size and stored.flags.c_contiguous:  # other memory belongs to others, and stays
        address, is_read_only = interface["data"]
        start: Any = stored.reshape(-1).view(np.uint8).view(Address)
        start.flags.writeable = not is_read_only
        start.pointer = address, is_read_only
        interface |= {"data": start, "offset": address - stored.__array_interface__["data"][0]}
    return interface


class NpzFile(np.lib.npyio.NpzFile):
    """NumPy's archive of files, whose items are arrays."""

    def __getitem__(self, key: str) -> Any:
        item = super().__getitem__(key)
        return copy(item) if type(item) is np.ndarray else item


@functools.wraps(np.load)
def load(file: Any, mmap_mode: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Return an array, an archive of arrays, or with `mmap_mode` NumPy's memory map, which can write to the file."""
    loaded = np.load(file, mmap_mode, *args, **kwargs)
    if isinstance(loaded, np.lib.npyio.NpzFile):
        loaded.__class__ = NpzFile
    return copy(loaded) if type(loaded) is np.ndarray else loaded


@functools.wraps(np.genfromtxt)
def genfromtxt(*args: Any, **kwargs: Any) -> Any:
    """Return an array, of columns a list with `unpack`; NumPy's own of records, as with `names=True`."""
    read = np.genfromtxt(*args, **kwargs)
    return [copy(column) for column in read] if isinstance(read, list | tuple) else copy(read)
