"""Arrays in files, read and written by NumPy: its formats, on the host, when the function is called.

In a graph only static arrays can be written. Use `tf.io` for files that a graph reads and writes, `tf.train.Checkpoint`
for the state of a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import check_like
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike
from tfnp._core.text import decode

__all__ = ["fromfile", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed"]

_USER_DEFINED: Final = 2  # the value of `np.dtype.isbuiltin` for dtypes of other libraries


class Archive(Mapping[str, tf.Tensor]):
    """The arrays of a `.npz` file as tensors by name, each read on access."""

    def __init__(self, arrays: Any) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> tf.Tensor:
        return convert.from_numpy(self._arrays[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def files(self) -> list[str]:
        """The names of the arrays."""
        return list(self._arrays.files)

    def close(self) -> None:
        """Close the file."""
        self._arrays.close()


def load(
    file: Any,
    mmap_mode: str | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: Any = 10000,
) -> Any:
    """Return a tensor for a `.npy` file; for a `.npz` file an `Archive`, with tensors by name, `files`, `close` and
    `with`.

    A tensor is a copy: `mmap_mode` saves reading the file at once, and modes that write to it raise ValueError.
    """
    if mmap_mode not in (None, "r", "c"):
        raise ValueError(f"mmap_mode must be 'r', 'c' or None, not {mmap_mode!r}: a tensor cannot write to a file")
    mode: Any = mmap_mode
    coding: Any = encoding  # NumPy checks both
    loaded = np.load(file, mode, allow_pickle, fix_imports, coding, max_header_size=max_header_size)
    if isinstance(loaded, np.ndarray):
        return convert.from_numpy(loaded)
    return Archive(loaded) if isinstance(loaded, np.lib.npyio.NpzFile) else loaded


def save(file: Any, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """The array must be static. The format has no bfloat16, which raises TypeError. Nothing is pickled."""
    np.save(file, _as_writable(arr), allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """The arrays must be static. The format has no bfloat16, which raises TypeError. Nothing is pickled."""
    arrays = {name: _as_writable(value) for name, value in kwds.items()}
    np.savez(file, *map(_as_writable, args), allow_pickle=allow_pickle, **arrays)


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """The arrays must be static. The format has no bfloat16, which raises TypeError. Nothing is pickled."""
    arrays = {name: _as_writable(value) for name, value in kwds.items()}
    np.savez_compressed(file, *map(_as_writable, args), allow_pickle=allow_pickle, **arrays)


def _as_writable(value: Any) -> np.ndarray:
    """Return the array to write."""
    array = _as_static_array(value)
    if array.dtype.isbuiltin == _USER_DEFINED:
        raise TypeError(f"NumPy's file format does not support {array.dtype.name}: cast to float32")
    return array


def _as_static_array(value: Any) -> np.ndarray:
    tensor = to_tensor(value)
    static = convert.as_static(tensor, "the array to write")
    return decode(static).astype(np.str_) if tensor.dtype == tf.string else np.asarray(static)


def savetxt(
    fname: Any,
    X: ArrayLike,
    fmt: Any = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """The array must be static."""
    np.savetxt(fname, _as_static_array(X), fmt, delimiter, newline, header, footer, comments, encoding)


def loadtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str = "#",
    delimiter: Any = None,
    converters: Any = None,
    skiprows: IntLike = 0,
    usecols: Any = None,
    unpack: bool = False,
    ndmin: IntLike = 0,
    encoding: str | None = None,
    max_rows: IntLike | None = None,
    *,
    quotechar: str | None = None,
    like: None = None,
) -> tf.Tensor:
    """Structured dtypes are not supported. Text is read in its full width."""
    check_like(like)
    numpy_dtype = dtypes.as_numpy(dtype)
    array = np.loadtxt(
        fname,
        _parse_dtype(numpy_dtype),
        comments,
        delimiter,
        converters,
        skiprows,
        usecols,
        unpack,
        ndmin,
        encoding,
        max_rows,
        quotechar=quotechar,
    )
    return convert.from_numpy(array.astype(numpy_dtype, copy=False))


def _parse_dtype(dtype: np.dtype) -> np.dtype:
    """Return the dtype in which a file is parsed: float32 for bfloat16, and for text NumPy's of any width.

    `np.loadtxt` ends the process where it is asked for StringDType.
    """
    if dtype == dtypes.TEXT:
        return np.dtype(np.str_)
    return np.dtype(np.float32) if dtype == dtypes.BFLOAT16 else dtype


def genfromtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str = "#",
    delimiter: str | None = None,
    skip_header: IntLike = 0,
    skip_footer: IntLike = 0,
    converters: Any = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: Any = None,
    names: Any = None,
    excludelist: Any = None,
    deletechars: Any = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space: Any = "_",
    autostrip: bool = False,
    case_sensitive: Any = True,
    defaultfmt: Any = "f%i",
    unpack: bool | None = None,
    usemask: bool = False,
    loose: bool = True,
    invalid_raise: bool = True,
    max_rows: IntLike | None = None,
    encoding: str | None = None,
    *,
    ndmin: IntLike = 0,
    like: None = None,
) -> tf.Tensor:
    """Neither structured dtypes nor masked arrays are supported: missing values are nan, or `filling_values`. Text is
    read in its full width.
    """
    check_like(like)
    if usemask:
        raise TypeError(
            "genfromtxt: masked arrays (usemask) are not supported; missing values are nan, or `filling_values`"
        )
    numpy_dtype = None if dtype is None else dtypes.as_numpy(dtype)
    array = np.genfromtxt(
        fname,
        None if numpy_dtype is None else _parse_dtype(numpy_dtype),
        comments,
        delimiter,
        skip_header,
        skip_footer,
        converters,
        missing_values,
        filling_values,
        usecols,
        names,
        excludelist,
        deletechars,
        replace_space,
        autostrip,
        case_sensitive,
        defaultfmt,
        unpack,
        usemask,
        loose,
        invalid_raise,
        max_rows,
        encoding,
        ndmin=ndmin,
    )
    return to_tensor(array if numpy_dtype is None else np.asarray(array).astype(numpy_dtype, copy=False))


def fromfile(
    file: Any,
    dtype: DTypeLike | None = None,
    count: IntLike = -1,
    sep: str = "",
    offset: IntLike = 0,
    *,
    like: None = None,
) -> tf.Tensor:
    """The file is read when the function is called, in a graph while it is traced.

    Foreign byte orders are converted.
    """
    check_like(like)
    native = dtypes.as_numpy(float if dtype is None else dtype)
    stored = (
        native if dtype is None or native.isbuiltin == _USER_DEFINED or isinstance(dtype, tf.DType) else np.dtype(dtype)
    )
    if stored == dtypes.TEXT:
        raise TypeError("fromfile: text in a file of bytes has a width: name it in the dtype, as in 'S8'")
    return convert.from_numpy(np.fromfile(file, stored, count, sep, offset))
