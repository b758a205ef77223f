"""Functions that return views where NumPy's do, and copies elsewhere."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._methods import conversion, manipulation, views
from tfnp.lib import stride_tricks as strided
from tfnp.numpy import arrays, view_steps
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.layouts import arrange, has_static_rank, has_static_shape, is_in_order, sort_axes
from tfnp.numpy.lifting import lift, lift_array, lift_function, lower
from tfnp.routines.creation import filled
from tfnp.routines.linear_algebra import products
from tfnp.routines.manipulation import shaping, splitting

Function = Callable[..., Any]


def lift_axes(function: Function, numpy_function: Function) -> Any:
    """Return a function whose result is a view with axes permuted, reversed or added, as NumPy's function shows."""
    copy = lift_function(function, keeps_rank_0=True)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not (args and has_static_rank(args[0])):
            return copy(*args, **kwargs)
        array = args[0]
        options = tuple(arrays.to_host(arg) for arg in args[1:])

        def show(memory: np.ndarray) -> np.ndarray:
            return numpy_function(memory, *options, **kwargs)

        view_step = view_steps.Axes(show, array.ndim)
        if array.is_on_host():
            return array.make_view(view_step, show(array.memory()))
        show(view_steps.make_probe(tuple(range(2, 2 + array.ndim))))  # raises for a wrong axis
        return array.make_view(view_step)

    return call


def lift_each(function: Function) -> Any:
    """Return a function of several arrays as one that maps each array; a single result is not in a tuple."""

    @functools.wraps(function)
    def call(*arys: Any) -> Any:
        results = tuple(map(function, arys))
        return results[0] if len(results) == 1 else results

    return call


def lift_split(function: Function, numpy_function: Function) -> Any:
    """Return a function that splits an array into views: NumPy's splits the indices along an axis."""
    copy = lift_function(function, keeps_rank_0=True)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        array: Any = args[0] if args else kwargs.get("ary")
        if not has_static_rank(array) or not all(isinstance(dim, int) for dim in array.shape):
            return copy(*args, **kwargs)
        others = tuple(arrays.to_host(arg) for arg in args[1:])
        options = {name: arrays.to_host(value) for name, value in kwargs.items() if name != "ary"}
        pieces = numpy_function(view_steps.make_probe(array.shape), *others, **options)
        return type(pieces)([array[_find_slices(array.shape, piece)] for piece in pieces])

    return call


def _find_slices(shape: tuple[int, ...], piece: np.ndarray) -> Any:
    """Return the index of a contiguous piece of a probe of this shape."""
    probe = view_steps.make_probe(shape)
    offset = piece.__array_interface__["data"][0] - probe.__array_interface__["data"][0]
    key: list[Any] = []
    for dim, step, length in zip(shape, probe.strides, piece.shape, strict=True):
        start = offset // step if step and dim > 1 else 0
        offset -= start * step
        key.append(slice(start, start + length))
    return tuple(key)


def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    """Return a view in another shape where the strides allow one, else a copy."""
    if not isinstance(a, Array):
        return lift_array(shaping.reshape(lower(a), lower(shape), order, copy=copy))
    known = _read_shape(shape)
    if copy is True or known is None or not has_static_shape(a):
        if (
            copy is not True
            and order == "C"
            and all(isinstance(view_step, view_steps.Reshape) for view_step in a._view_steps)
        ):
            shape = lower(shape)
            return a.make_view(view_steps.Reshape(tuple(shape) if isinstance(shape, list | tuple) else (shape,)))
        return a._finalize(lift_array(shaping.reshape(a.tensor(), lower(shape), order, copy=copy)))
    layout = a.layout()
    if order == "A":
        order = "F" if layout.flags.f_contiguous and not layout.flags.c_contiguous else "C"
    try:
        shown = layout.reshape(known, order=order, copy=False)
    except ValueError:
        shown = None
    if shown is None:
        if copy is False or _count(known) not in (None, a.size):
            layout = np.broadcast_to(np.empty((), a.dtype), a.shape) if copy is None else layout
            layout.reshape(known, order=order, copy=copy)  # raises
        return a._finalize(arrange(lift_array(shaping.reshape(a.tensor(), known, order)), order, None))
    if order == "F":
        return _reverse_axes(_reverse_axes(a).make_view(view_steps.Reshape(shown.shape[::-1])))
    return a.make_view(view_steps.Reshape(shown.shape), shown if a.is_on_host() else None)


def _raise_unknown(memory: np.ndarray) -> np.ndarray:
    raise TypeError("the shape is not known")


def _reverse_axes(array: Any) -> Any:
    return array.make_view(view_steps.Transpose(tuple(range(array.ndim))[::-1]))


def _read_shape(shape: Any) -> Any:
    """Return a shape of ints; None if a dim has no value."""
    known = arrays.to_host(shape)
    if known is arrays.UNKNOWN:
        return None
    return known.tolist() if isinstance(known, np.ndarray) else known


def _count(shape: Any) -> int | None:
    """Return the number of elements of a shape; None if a dim is -1."""
    dims = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    return None if any(dim == -1 for dim in dims) else int(np.prod([int(dim) for dim in dims]))


def ravel(a: Any, order: str = "C") -> Any:
    """Return a view of one dimension if the elements are contiguous in this order, else a copy."""
    if not isinstance(a, Array):
        return lift_array(shaping.ravel(lower(a), order))
    if order == "K":
        a, order = a.make_view(view_steps.Transpose(sort_axes(a))) if has_static_rank(a) else a, "C"
    return reshape(a, -1, order, copy=None if _is_contiguous(a, order) else True)


def _is_contiguous(array: Array, order: str) -> bool:
    """Return whether the elements lie one after another in an order; of a dynamic shape, whether they were only
    reshaped.
    """
    if not has_static_shape(array):
        return all(isinstance(view_step, view_steps.Reshape) for view_step in array._view_steps)
    flags = array.layout().flags
    return bool(flags.c_contiguous if order == "C" else flags.f_contiguous if order == "F" else flags.forc)


def flatten(self: Any, /, order: str = "C") -> Any:
    """Return a copy of one dimension."""
    result = ravel(self, order)
    return result.copy() if result._storage is self._storage else result


def tobytes(self: Any, /, order: str | None = "C") -> bytes:
    """Return the bytes of the elements, which must be known."""
    return bytes(self.memory().tobytes(order))


def isfortran(a: Any) -> bool:
    """Return whether an array is in Fortran order, and not in C order."""
    return bool(asarray(a).flags.fnc)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Return a view without axes of length one."""
    if not isinstance(a, Array) or not has_static_shape(a):
        return lift_array(shaping.squeeze(lower(a), lower(axis)))
    shown = view_steps.make_probe(a.shape).squeeze(arrays.to_host(axis))
    return a.make_view(view_steps.Reshape(shown.shape))


def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Return a read-only view of a diagonal."""
    where = tuple(arrays.to_host(value) for value in (offset, axis1, axis2))
    if not isinstance(a, Array) or arrays.UNKNOWN in where:
        return lift_array(products.diagonal(lower(a), lower(offset), lower(axis1), lower(axis2)))
    view_step = view_steps.ReadOnly(
        lambda memory: memory.diagonal(*where), lambda tensor: products.diagonal(tensor, *where)
    )
    return _view_read_only(a, view_step)


def _view_read_only(array: Array, view_step: view_steps.ViewStep, *, subok: bool = True) -> Any:
    view = view_step.view(array.memory()) if array.is_on_host() else None
    if view is None:
        view_step.get(array.tensor())  # raises for wrong arguments
    return array.make_view(view_step, view, writeable=False, subok=subok)


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """Return a read-only view of a larger shape; of a subclass only with `subok`."""
    known = _read_shape(shape)
    array = array if isinstance(array, Array) else asarray(array)
    if known is None:
        return lift_array(shaping.broadcast_to(lower(array), lower(shape)))
    view_step = view_steps.ReadOnly(
        lambda memory: np.broadcast_to(memory, known), lambda tensor: shaping.broadcast_to(tensor, known)
    )
    return _view_read_only(array, view_step, subok=subok)


def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """Return read-only views of the arrays in their common shape."""
    if any(not isinstance(arg, Array) or not has_static_shape(arg) for arg in args):
        return lift_array(shaping.broadcast_arrays(*map(lower, args)))
    shape = np.broadcast_shapes(*(arg.shape for arg in args))
    if not subok:
        args = tuple(arg if type(arg) is Public.ndarray else arg.view(Public.ndarray) for arg in args)
    return tuple(arg if arg.shape == shape else broadcast_to(arg, shape, subok) for arg in args)


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Return a read-only view of all windows over an array. `writeable` must be False."""
    options = {"window_shape": arrays.to_host(window_shape), "axis": arrays.to_host(axis)}
    if not isinstance(x, Array) or writeable:
        return lift(strided.sliding_window_view(lower(x), **options, writeable=writeable))
    view_step = view_steps.ReadOnly(
        functools.partial(np.lib.stride_tricks.sliding_window_view, **options),
        functools.partial(strided.sliding_window_view, **options),
    )
    return _view_read_only(x, view_step)


def as_strided(x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True) -> Any:
    """Return a read-only view with other strides, in bytes. Raise ValueError where NumPy reads memory outside of the
    array.
    """
    array = x if isinstance(x, Array) else asarray(x)
    options = {"shape": _read_shape(shape), "strides": _read_shape(strides)}
    if not array.is_on_host():
        if not array.layout().flags.c_contiguous:
            raise TypeError("as_strided: in a graph or with a gradient the array must be in C order: use x.copy()")
        return _view_read_only(
            array, view_steps.ReadOnly(_raise_unknown, functools.partial(strided.as_strided, **options))
        )
    view_step = view_steps.ReadOnly(
        functools.partial(_stride_memory, **options), functools.partial(strided.as_strided, **options)
    )
    return _view_read_only(array, view_step)


def _stride_memory(memory: np.ndarray, shape: Any, strides: Any) -> np.ndarray:
    result = np.lib.stride_tricks.as_strided(memory, shape, strides, writeable=False)
    stored = memory if memory.base is None else memory.base
    if result.size and isinstance(stored, np.ndarray):
        low, high = np.lib.array_utils.byte_bounds(stored)
        first, last = np.lib.array_utils.byte_bounds(result)
        if first < low or last > high:
            raise ValueError("as_strided: the shape and the strides reach outside of the array")
    return result


def get_real(self: Any) -> Any:
    """Return a view of the real part; of real numbers, the array itself."""
    return self.make_view(view_steps.Part(False)) if self.dtype.kind == "c" else self


def get_imag(self: Any) -> Any:
    """Return a view of the imaginary part; of real numbers, read-only zeros."""
    if self.dtype.kind == "c":
        return self.make_view(view_steps.Part(True))
    zeros = arrays.of_memory(Public.ndarray, np.zeros(self.shape, self.dtype))
    zeros._writeable = False
    return self._finalize(zeros)


def set_real(self: Any, value: Any) -> None:
    """Write the real part."""
    get_real(self)[...] = value


def set_imag(self: Any, value: Any) -> None:
    """Write the imaginary part. Raise TypeError for real numbers, which have none."""
    if self.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    get_imag(self)[...] = value


def set_flat(self: Any, value: Any) -> None:
    """Write all elements, in C order; values are repeated."""
    self.flat[...] = value


def real(val: Any) -> Any:
    """Return the real part, as the attribute does."""
    if type(val) is np.ndarray:
        return asarray(val).real
    try:
        return val.real
    except AttributeError:
        return asarray(val).real


def imag(val: Any) -> Any:
    """Return the imaginary part, as the attribute does."""
    if type(val) is np.ndarray:
        return asarray(val).imag
    try:
        return val.imag
    except AttributeError:
        return asarray(val).imag


def view(self: Any, dtype: Any = None, type: Any = None) -> Any:
    """Return a view of the bits as another dtype, or as another class of arrays.

    As records and other dtypes that TensorFlow lacks, it is an array of NumPy's own.
    """
    cls = type
    if isinstance(dtype, builtin_type) and issubclass(dtype, Array | np.ndarray):
        dtype, cls = None, dtype
    if dtype is not None and np.dtype(dtype) != self.dtype:
        target = np.dtype(dtype)
        if dtypes.to_tf_dtype(target) is None:
            return export(self).view(target)
        view = None
        if self.is_on_host():
            view = self.memory().view(target)
        else:
            views.view(self.tensor(), target)  # raises
        result = self.make_view(view_steps.Bits(target), view, subok=False)
    else:
        result = self.make_view(view_steps.Index((...,)), subok=False)
    if cls is None:
        cls = Public.ndarray if self._is_scalar else builtin_type(self)
    elif cls is np.ndarray:
        cls = Public.ndarray
    if not issubclass(cls, Array):
        raise TypeError("Type must be a sub-type of ndarray type")
    if cls is not Public.ndarray:
        result.__class__ = cls
        result.__array_finalize__(self)
    return result


builtin_type: Final = type


def getfield(self: Any, /, dtype: Any, offset: int = 0) -> Any:
    """Return a view of the bytes from `offset` of each element, as another dtype.

    Raise ValueError if they are not all bytes of the element.
    """
    target = np.dtype(dtype)
    end = operator.index(offset) + target.itemsize
    if offset < 0 or end > self.itemsize:
        raise ValueError(f"Need 0 <= offset <= {self.itemsize - target.itemsize} for {target}, not {offset}")
    if target == self.dtype:
        return self[...]
    bytes_of_each = view(self[..., None], np.uint8)
    return view(bytes_of_each[..., offset:end], target)[..., 0]


def setfield(self: Any, /, val: Any, dtype: Any, offset: int = 0) -> None:
    """Write to the bytes from `offset` of each element, as those of another dtype."""
    getfield(self, dtype, offset)[...] = val


def asarray(a: Any) -> Any:
    """Return an array, the argument itself if it is one."""
    return a if isinstance(a, Array) else lift_array(filled.asarray(lower(a)))


def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    """Return an array of a dtype that meets requirements: a copy in C or Fortran order, writeable, or of its own data,
    if the argument does not.
    """
    array = _require(a, dtype, requirements, like=like)
    flags = {name.upper() for name in requirements or ()}
    order = "F" if not flags.isdisjoint(("F", "FORTRAN", "F_CONTIGUOUS")) else None
    order = "C" if not flags.isdisjoint(("C", "CONTIGUOUS", "C_CONTIGUOUS")) else order
    must_copy, must_write = not flags.isdisjoint(("O", "OWNDATA")), not flags.isdisjoint(("W", "WRITEABLE"))
    is_met = (
        is_in_order(array, order) and (array._base is None or not must_copy) and (array._writeable or not must_write)
    )
    return array if is_met else arrange(array.copy(), order or "K", array)


_require: Final = lift_function(filled.require, keeps_rank_0=True, is_same=True)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Return views of the parts along an axis."""
    if not has_static_rank(x) or x.ndim == 0:
        return lift(splitting.unstack(lower(x), axis=axis))
    axis = int(np.lib.array_utils.normalize_axis_index(axis, x.ndim))
    order = (axis, *(other for other in range(x.ndim) if other != axis))
    return tuple(x.make_view(view_steps.Transpose(order)))


def transpose(self: Any, /, *axes: Any) -> Any:
    """Return a view with the axes permuted."""
    order = arrays.to_host(axes)
    if not has_static_rank(self):
        return lift_array(manipulation.transpose(self.tensor(), *order))
    shown = view_steps.make_probe(tuple(range(2, 2 + self.ndim))).transpose(*order)
    return self.make_view(view_steps.Transpose(tuple(dim - 2 for dim in shown.shape)))


def reverse_axes(self: Any) -> Any:
    """Return the view `array.T`."""
    return transpose(self)


def transpose_matrix(self: Any) -> Any:
    """Return the view `array.mT`. Raise ValueError for fewer than two dimensions."""
    if self.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return swapaxes(self, -1, -2)


def swapaxes(self: Any, axis1: Any, axis2: Any, /) -> Any:
    """Return a view with two axes exchanged."""
    if not has_static_rank(self):
        return lift_array(manipulation.swapaxes(self.tensor(), axis1, axis2))
    shown = view_steps.make_probe(tuple(range(2, 2 + self.ndim))).swapaxes(axis1, axis2)
    return self.make_view(view_steps.Transpose(tuple(dim - 2 for dim in shown.shape)))


def reshape_method(self: Any, /, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """Return a view in another shape, which is one argument or one argument for each dimension, or a copy."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)


def set_shape(self: Any, value: Any) -> None:
    """Set the shape. Raise AttributeError where the strides do not allow it without a copy."""
    try:
        shown = self.layout().reshape(_read_shape(value), copy=False)
    except ValueError as error:
        if "copy" in str(error):
            raise AttributeError(
                "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape."
            ) from None
        raise
    _append_view_step(self, view_steps.Reshape(shown.shape))


def set_dtype(self: Any, value: Any) -> None:
    """Set the dtype, as which the bits are then read."""
    self.memory().view(np.dtype(value))  # raises
    _append_view_step(self, view_steps.Bits(np.dtype(value)))


def _append_view_step(array: Any, view_step: view_steps.ViewStep) -> None:
    array._view_steps = (*array._view_steps, view_step)
    array._shape = array._view = array._view_of = array._tensor = array._read = None


def astype(
    self: Any, /, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    """Return the tensor cast; another tensor if a copy is to be made."""
    result = conversion.astype(self, dtype, order, casting, subok, copy)
    return tf.identity(result) if copy and result is self else result


def export(array: Any) -> np.ndarray:
    """Return NumPy's array: memory that is shared with the array as far as it may be written to."""
    if not array.is_on_host():
        memory = array.memory().view()
    elif array._writeable:
        return view_steps.view_memory(array._storage.export(), array._view_steps)
    else:
        memory = array.memory().view()
    memory.flags.writeable = False
    return memory


def transpose_function(a: Any, axes: Any = None) -> Any:
    """Return a view with the axes permuted, or reversed by default."""
    return transpose(asarray(a), *(() if axes is None else (axes,)))
