"""Arrays in files, read and written by NumPy: its formats, on the host, when the call is made.

In a graph only what is known while tracing can be written. For files that a graph itself reads and writes there is
`tf.io`, for the state of a model `tf.train.Checkpoint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import check_like
from tfnp._core.convert import to_tensor

__all__ = ["fromfile", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed"]

USER_DEFINED: Final = 2  # NumPy's word for dtypes that others added to it


class Archive(Mapping[str, tf.Tensor]):
    """What `load` gives of a `.npz` file: tensors by name, each read when it is asked for."""

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
        return list(self._arrays.files)

    def close(self) -> None:
        self._arrays.close()


def load(
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: Any = False,
    fix_imports: Any = True,
    encoding: Any = "ASCII",
    *,
    max_header_size: Any = 10000,
) -> Any:
    """A tensor of a `.npy` file, an archive of tensors of a `.npz` file, with its names, `files`, `close` and `with`.

    A tensor is a copy: what `mmap_mode` maps is only read, and modes that write to the file raise ValueError.
    """
    if mmap_mode not in (None, "r", "c"):
        raise ValueError(f"mmap_mode must be 'r', 'c' or None, not {mmap_mode!r}: a tensor cannot write to a file")
    found = np.load(file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size)
    if isinstance(found, np.ndarray):
        return convert.from_numpy(found)
    return Archive(found) if isinstance(found, np.lib.npyio.NpzFile) else found


def save(file: Any, arr: Any, allow_pickle: Any = True) -> None:
    """Nothing is pickled. The format has no bfloat16: TypeError."""
    np.save(file, _kept(arr), allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: Any = True, **kwds: Any) -> None:
    """Nothing is pickled. The format has no bfloat16: TypeError."""
    arrays = {name: _kept(value) for name, value in kwds.items()}
    np.savez(file, *map(_kept, args), allow_pickle=allow_pickle, **arrays)


def savez_compressed(file: Any, *args: Any, allow_pickle: Any = True, **kwds: Any) -> None:
    """Nothing is pickled. The format has no bfloat16: TypeError."""
    arrays = {name: _kept(value) for name, value in kwds.items()}
    np.savez_compressed(file, *map(_kept, args), allow_pickle=allow_pickle, **arrays)


def _kept(value: Any) -> np.ndarray:
    """The array to be written."""
    array = _known(value)
    if array.dtype.isbuiltin == USER_DEFINED:
        raise TypeError(f"NumPy's files have no {array.dtype.name}: cast to float32, which holds the same numbers")
    return array


def _known(value: Any) -> np.ndarray:
    static = convert.static_value(to_tensor(value))
    if static is None:
        raise TypeError("what is written to a file must be known while tracing: tf.io writes when a graph runs")
    return np.asarray(static)


def savetxt(
    fname: Any,
    X: Any,
    fmt: Any = "%.18e",
    delimiter: Any = " ",
    newline: Any = "\n",
    header: Any = "",
    footer: Any = "",
    comments: Any = "# ",
    encoding: Any = None,
) -> None:
    np.savetxt(fname, _known(X), fmt, delimiter, newline, header, footer, comments, encoding)


def loadtxt(
    fname: Any,
    dtype: Any = float,
    comments: Any = "#",
    delimiter: Any = None,
    converters: Any = None,
    skiprows: Any = 0,
    usecols: Any = None,
    unpack: Any = False,
    ndmin: Any = 0,
    encoding: Any = None,
    max_rows: Any = None,
    *,
    quotechar: Any = None,
    like: Any = None,
) -> tf.Tensor:
    """Numbers only: of texts, and of columns of several dtypes, there is no tensor."""
    check_like(like)
    expected = dtypes.as_numpy(dtype)
    found = np.loadtxt(
        fname,
        _readable(expected),
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
    return convert.from_numpy(found.astype(expected, copy=False))


def _readable(dtype: np.dtype) -> np.dtype:
    """The dtype in which text is read: bfloat16 by way of a wider one."""
    return np.dtype(np.float32) if dtype == dtypes.BFLOAT16 else dtype


def genfromtxt(
    fname: Any,
    dtype: Any = float,
    comments: Any = "#",
    delimiter: Any = None,
    skip_header: Any = 0,
    skip_footer: Any = 0,
    converters: Any = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: Any = None,
    names: Any = None,
    excludelist: Any = None,
    deletechars: Any = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space: Any = "_",
    autostrip: Any = False,
    case_sensitive: Any = True,
    defaultfmt: Any = "f%i",
    unpack: Any = None,
    usemask: Any = False,
    loose: Any = True,
    invalid_raise: Any = True,
    max_rows: Any = None,
    encoding: Any = None,
    *,
    ndmin: Any = 0,
    like: Any = None,
) -> tf.Tensor:
    """Numbers only: of texts, of columns of several dtypes or with names, and of masks there is no tensor."""
    check_like(like)
    if usemask:
        raise TypeError("masked arrays are left out: what is missing is nan, or `filling_values`")
    expected = None if dtype is None else dtypes.as_numpy(dtype)
    found = np.genfromtxt(
        fname,
        None if expected is None else _readable(expected),
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
    return to_tensor(found if expected is None else np.asarray(found).astype(expected, copy=False))


def fromfile(
    file: Any, dtype: Any = None, count: Any = -1, sep: Any = "", offset: Any = 0, *, like: Any = None
) -> tf.Tensor:
    """Bytes as they lie in the file, or numbers as text if there is a separator. Big-endian data come out native."""
    check_like(like)
    own = dtypes.as_numpy(float if dtype is None else dtype)
    stored = own if dtype is None or own.isbuiltin == USER_DEFINED or isinstance(dtype, tf.DType) else np.dtype(dtype)
    return convert.from_numpy(np.fromfile(file, stored, count, sep, offset))
