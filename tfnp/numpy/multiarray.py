"""Class ndarray: NumPy's mutable array, with views, on TensorFlow."""

from __future__ import annotations

import operator
import pickle
import sys
import types
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Final

import numpy as np
import tensorflow as tf

import tfnp
from tfnp._core import convert
from tfnp._core.autograph import register_length
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._core.tensorflow_internals import NativeObject
from tfnp._methods import calculation, conversion, selection
from tfnp.numpy import arrays, layouts, memory, specs, viewing
from tfnp.numpy.arrays import Array, Public
from tfnp.numpy.buffers import define_buffer
from tfnp.numpy.callers import READERS, can_cast, find_class, find_dtype, is_condition
from tfnp.numpy.flat import flatiter
from tfnp.numpy.floating_errors import lift_statistic
from tfnp.numpy.lifting import lift_function, lift_write
from tfnp.numpy.lost_gradients import report_lost
from tfnp.numpy.operators import binary, comparison, in_place, power, product, unary, update_power
from tfnp.numpy.policy import ANY, SMALL
from tfnp.numpy.protocols import call_numpy_function, call_numpy_ufunc
from tfnp.numpy.subclasses import Subclasses
from tfnp.numpy.ufuncs import ufunc


class ArrayType(type(Array)):  # type: ignore[misc] # the class of a class
    """The class of `ndarray`, of which NumPy's own arrays are instances, too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or (cls is Public.ndarray and isinstance(instance, np.ndarray))


_ADVICE: Final = "calculate with functions of tfnp.numpy, such as np.sqrt(x) and np.asarray(x)"
_get_item: Final = lift_function(conversion.item)
_get_frame: Final = sys._getframe  # each look at an attribute pays for it
_get_shape: Final = Array.shape.fget  # type: ignore[attr-defined]
_get_dtype: Final = Array.dtype.fget  # type: ignore[attr-defined]
_set_class: Final = object.__dict__["__class__"].__set__


@define_buffer
class ndarray(Array, metaclass=ArrayType):  # noqa: N801 - NumPy's name
    """An array of TensorFlow's that behaves as NumPy's: mutable, with views, scalars and NumPy's dtypes.

    TensorFlow's operations and functions, Keras and NumPy take it as an argument. Gradients are recorded through views
    and writes. `isinstance` is true of NumPy's own arrays, too.
    """

    __composite_gradient__ = specs.Gradients()
    __hash__ = None  # type: ignore[assignment] # equal element by element

    def __new__(
        cls,
        shape: Any = (),
        dtype: Any = float,
        buffer: Any = None,
        offset: Any = 0,
        strides: Any = None,
        order: Any = None,
    ) -> Any:
        """Return an array of a shape: of zeros, or of the memory of a buffer, which it shares."""
        owner = viewing.export(buffer) if isinstance(buffer, Array) else arrays.to_host(buffer)
        stored = np.ndarray(arrays.to_host(shape), dtype, owner, offset, strides, order)
        if buffer is None and stored.dtype.kind in "biufc":
            stored[...] = 0
        array = memory.copy(stored) if buffer is None else memory.wrap_buffer(stored)
        if not isinstance(array, Array):  # such arrays are NumPy's
            return array
        array.__class__ = cls
        array.__array_finalize__(None)
        return array

    def __array_finalize__(self, array: Any, /) -> None:
        """Complete an array of a subclass; `array` is that of which it is a view."""

    def __init_subclass__(cls) -> None:
        Subclasses.are_used = Subclasses.are_used or cls.__module__ != __name__

    def __class_getitem__(cls, item: Any) -> types.GenericAlias:
        return types.GenericAlias(cls, item)

    @property
    def __class__(self) -> type:
        """The class for `isinstance` in code that knows NumPy's arrays only: `isinstance(x, numpy.ndarray)` is true.
        `type(x)` is this one.
        """
        return find_class(self, sys._getframe(1))

    @__class__.setter
    def __class__(self, cls: type) -> None:
        _set_class(self, cls)

    @property
    def _type_spec(self) -> specs.ArraySpec:
        tensor = self.tensor()
        return specs.ArraySpec(tensor.shape, tensor.dtype, self._is_scalar)

    # Attributes

    base = property(lambda self: self._base, doc="The array whose storage this is a view of, or None.")
    flags = property(layouts.flagsobj)
    T = property(viewing.reverse_axes)
    mT = property(viewing.transpose_matrix)  # noqa: N815 - NumPy's name
    real = property(viewing.get_real, viewing.set_real)
    imag = property(viewing.get_imag, viewing.set_imag)
    flat = property(flatiter, viewing.set_flat)
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    strides = property(lambda self: self.layout().strides)
    data = property(lambda self: self.__array__().data)
    ctypes = property(lambda self: self.__array__().ctypes)
    device = property(lambda self: "cpu")

    @property
    def shape(self) -> Any:
        """The dims; one that a graph does not know is an integer array of rank 0."""
        if _get_frame(1).f_globals.get("__name__") in READERS:
            return self.tensor().shape
        shape = self._shape
        return _get_shape(self) if shape is None else shape

    @shape.setter
    def shape(self, value: Any) -> None:
        viewing.set_shape(self, value)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype; text has a width where it is known, and is StringDType in a graph."""
        if _get_frame(1).f_globals.get("__name__") in READERS:
            return self.tensor().dtype
        memory = self._storage.memory
        return _get_dtype(self) if memory is None or self._view_steps else memory.dtype

    @dtype.setter
    def dtype(self, value: Any) -> None:
        viewing.set_dtype(self, value)

    @property
    def handle(self) -> tf.Tensor:
        """The tensor, for forward accumulators, which ask for the handle of a variable; others have no such name."""
        if sys._getframe(1).f_globals.get("__name__") != "tensorflow.python.eager.forwardprop":
            raise AttributeError("'ndarray' object has no attribute 'handle'", name="handle", obj=self)
        return self.watch_tensor()

    # Views

    transpose = viewing.transpose
    swapaxes = viewing.swapaxes
    reshape = viewing.reshape_method
    ravel = viewing.ravel
    squeeze = viewing.squeeze
    diagonal = viewing.diagonal
    view = viewing.view
    getfield = viewing.getfield

    # Results of calculations

    all = lift_function(calculation.all, numpy_up_to=SMALL)
    any = lift_function(calculation.any, numpy_up_to=SMALL)
    argmax = lift_function(calculation.argmax, numpy_up_to=ANY)
    argmin = lift_function(calculation.argmin, numpy_up_to=ANY)
    argpartition = lift_function(selection.argpartition, numpy_up_to=ANY)
    argsort = lift_function(selection.argsort, numpy_up_to=ANY)
    astype = lift_function(viewing.astype, keeps_rank_0=True, is_same=True)
    choose = lift_function(selection.choose, numpy_up_to=SMALL)
    clip = lift_function(calculation.clip, numpy_up_to=SMALL)
    compress = lift_function(selection.compress, numpy_up_to=SMALL)
    conj = lift_function(calculation.conj)
    conjugate = lift_function(calculation.conjugate)
    copy = lift_function(conversion.copy, keeps_rank_0=True, numpy_up_to=SMALL)
    cumprod = lift_function(calculation.cumprod, numpy_up_to=SMALL)
    cumsum = lift_function(calculation.cumsum, numpy_up_to=SMALL)
    dot = lift_function(calculation.dot, numpy_up_to=SMALL)
    flatten = viewing.flatten

    def item(self, *args: Any) -> Any:
        """Return an element as a Python number."""
        report_lost(self, "x.item()", "write x[()] or x[index], which keeps it")
        return _get_item(self, *args)

    max = lift_function(calculation.max, numpy_up_to=SMALL)
    mean = lift_statistic(calculation.mean, np.ndarray.mean, numpy_up_to=SMALL)
    min = lift_function(calculation.min, numpy_up_to=SMALL)
    nonzero = lift_function(selection.nonzero, numpy_up_to=SMALL)
    prod = lift_function(calculation.prod, numpy_up_to=SMALL)
    repeat = lift_function(selection.repeat, numpy_up_to=SMALL)
    round = lift_function(calculation.round, numpy_up_to=SMALL)
    searchsorted = lift_function(selection.searchsorted, numpy_up_to=SMALL)
    std = lift_statistic(calculation.std, np.ndarray.std, numpy_up_to=SMALL)
    sum = lift_function(calculation.sum, numpy_up_to=SMALL)
    take = lift_function(selection.take, numpy_up_to=ANY)
    to_device = lift_function(conversion.to_device)
    tobytes = viewing.tobytes
    tofile = lift_function(conversion.tofile)
    tolist = lift_function(conversion.tolist)
    trace = lift_function(calculation.trace, numpy_up_to=SMALL)
    var = lift_statistic(calculation.var, np.ndarray.var, numpy_up_to=SMALL)

    # In-place methods

    fill = lift_write(conversion.fill, np.ndarray.fill)
    partition = lift_write(selection.partition, np.ndarray.partition)
    put = lift_write(selection.put, np.ndarray.put)
    sort = lift_write(selection.sort, np.ndarray.sort)

    setfield = viewing.setfield

    def resize(self, *new_shape: Any, refcheck: bool = True) -> None:
        """Change the shape and the number of elements; new elements are zero. Views keep the old elements."""
        if self._base is not None:
            raise ValueError("cannot resize this array: it does not own its data")
        memory = self.memory().copy()
        memory.resize(*map(arrays.to_host, new_shape), refcheck=False)
        self._storage, self._view_steps, self._shape = arrays.Storage(None, memory), (), None

    def setflags(self, write: Any = None, align: Any = None, uic: Any = None) -> None:
        if write is not None:
            layouts.set_writeable(self, bool(write))

    def byteswap(self, inplace: bool = False) -> Any:
        """Return the array with the bytes of each element reversed; in place, write them."""
        swapped = self.memory().byteswap()
        if inplace:
            self[...] = swapped
            return self
        return self._finalize(arrays.of_memory(ndarray, swapped))

    def dumps(self) -> bytes:
        """Return the array as text of `pickle`."""
        return pickle.dumps(self)

    def dump(self, file: Any) -> None:
        """Write the array to a file, or to the file of a name, by `pickle`."""
        with nullcontext(file) if hasattr(file, "write") else open(file, "wb") as opened:
            pickle.dump(self, opened)

    def __delitem__(self, key: Any) -> None:
        raise ValueError("cannot delete array elements")

    # Operators

    __abs__ = unary("__abs__")
    __invert__ = unary("__invert__")
    __neg__ = unary("__neg__")
    __pos__ = unary("__pos__")
    __eq__ = comparison("__eq__", of_none=False)
    __ne__ = comparison("__ne__", of_none=True)
    __ge__ = binary("__ge__")
    __gt__ = binary("__gt__")
    __le__ = binary("__le__")
    __lt__ = binary("__lt__")
    __add__ = binary("__add__")
    __and__ = binary("__and__")
    __divmod__ = binary("__divmod__")
    __floordiv__ = binary("__floordiv__")
    __lshift__ = binary("__lshift__")
    __matmul__ = binary("__matmul__")
    __mod__ = binary("__mod__")
    __mul__ = product("__mul__")
    __or__ = binary("__or__")
    __pow__ = power("__pow__")
    __rshift__ = binary("__rshift__")
    __sub__ = binary("__sub__")
    __truediv__ = binary("__truediv__")
    __xor__ = binary("__xor__")
    __radd__ = binary("__radd__")
    __rand__ = binary("__rand__")
    __rdivmod__ = binary("__rdivmod__")
    __rfloordiv__ = binary("__rfloordiv__")
    __rlshift__ = binary("__rlshift__")
    __rmatmul__ = binary("__rmatmul__")
    __rmod__ = binary("__rmod__")
    __rmul__ = product("__rmul__")
    __ror__ = binary("__ror__")
    __rpow__ = power("__rpow__")
    __rrshift__ = binary("__rrshift__")
    __rsub__ = binary("__rsub__")
    __rtruediv__ = binary("__rtruediv__")
    __rxor__ = binary("__rxor__")
    __iadd__ = in_place("__iadd__", ufunc(tfnp.add))
    __iand__ = in_place("__iand__", ufunc(tfnp.bitwise_and))
    __ifloordiv__ = in_place("__ifloordiv__", ufunc(tfnp.floor_divide))
    __ilshift__ = in_place("__ilshift__", ufunc(tfnp.left_shift))
    __imatmul__ = in_place("__imatmul__", ufunc(tfnp.matmul))
    __imod__ = in_place("__imod__", ufunc(tfnp.remainder))
    __imul__ = in_place("__imul__", ufunc(tfnp.multiply))
    __ior__ = in_place("__ior__", ufunc(tfnp.bitwise_or))
    __ipow__ = update_power("__ipow__", ufunc(tfnp.power))
    __irshift__ = in_place("__irshift__", ufunc(tfnp.right_shift))
    __isub__ = in_place("__isub__", ufunc(tfnp.subtract))
    __itruediv__ = in_place("__itruediv__", ufunc(tfnp.divide))
    __ixor__ = in_place("__ixor__", ufunc(tfnp.bitwise_xor))

    # Python's protocols

    def __contains__(self, key: Any) -> Any:
        is_equal = self == key
        result = is_equal.any() if isinstance(is_equal, Array) else is_equal
        return result if isinstance(result, Array) else bool(result)

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self._read_or_raise())

    def __int__(self) -> int:
        return int(self._read_or_raise())

    def __float__(self) -> float:
        report_lost(self, "float(x), of which math.sqrt(x) and the like are made,", _ADVICE)
        return float(self._read_or_raise())

    def __complex__(self) -> complex:
        report_lost(self, "complex(x), of which cmath.sqrt(x) and the like are made,", _ADVICE)
        return complex(self._read_or_raise())

    def __index__(self) -> int:
        return operator.index(self._read_or_raise())

    def _read_or_raise(self) -> np.ndarray:
        """Return the elements. Raise TypeError in a graph that does not know them."""
        return self.memory()

    def __str__(self) -> str:
        return str(self._describe())

    def __repr__(self) -> str:
        return repr(self._describe())

    def _describe(self) -> Any:
        """Return what the array looks like: NumPy's array, or its type where a graph does not know the elements."""
        try:
            memory = self.memory()
        except TypeError:
            tensor = self.tensor()
            return types.SimpleNamespace(shape=tensor.shape, dtype=tensor.dtype.name, graph=tensor.name)
        if self._is_scalar:
            return memory[()]
        if type(self) is ndarray:
            return memory
        return memory.view(type(type(self).__name__, (np.ndarray,), {}))  # a class of NumPy's of this name

    def __format__(self, format_spec: str) -> str:
        described = self._describe()
        if isinstance(described, types.SimpleNamespace):
            return str(described)
        return format(described if self.ndim else described[()], format_spec)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        result = memo[id(self)] = self.copy()
        return result

    def __reduce__(self) -> Any:
        return _reconstruct, (type(self),), np.array(self.memory()).__reduce__()[2]

    def __setstate__(self, state: Any, /) -> None:
        """Take over the shape, dtype and elements of a pickled array."""
        stored = np.empty(0)
        stored.__setstate__(state)
        array = memory.copy(stored)
        self._storage, self._view_steps = array._storage, array._view_steps
        self._shape = self._view = self._view_of = self._tensor = self._read = None

    # Protocols of NumPy and TensorFlow

    def __array__(self, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
        """Return NumPy's array. It shares memory with this one, unless a copy is needed, or a gradient is recorded."""
        report_lost(self, "numpy.asarray(x), as in np.float64(x) and calls of other packages,", _ADVICE)
        return np.array(viewing.export(self), dtype, copy=copy)

    def __buffer__(self, flags: int, /) -> memoryview:
        """Return the memory of the elements, as `__array__` does: `memoryview(x)`, `file.write(x)`
        (https://peps.python.org/pep-0688/).
        """
        report_lost(self, "numpy.asarray(x), as in np.float64(x) and calls of other packages,", _ADVICE)
        return viewing.export(self).data

    __array_function__ = call_numpy_function
    __array_ufunc__ = call_numpy_ufunc

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        np.empty(0).__array_namespace__(api_version=api_version)  # raises for an unknown version
        return sys.modules["tfnp.numpy"]

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False, /) -> Any:
        """Return a result as an array of this class."""
        if type(self) is ndarray or type(self) is StandIn:
            return array[()] if return_scalar else array
        return self._finalize((array if isinstance(array, Array) else make_array(array)).view(ndarray))

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> tf.Tensor:
        """Return the tensor of these elements, cast as TensorFlow casts NumPy's arrays if a dtype is asked for."""
        tensor = self.watch_tensor()
        requested = find_dtype(self, sys._getframe(1)) if dtype is None else dtype
        if requested is None or tensor.dtype == requested:
            return tensor
        if can_cast(self, requested):
            return convert.cast(tensor, requested)
        return tensor if dtype is None else tf.convert_to_tensor(tensor, dtype, name=name)

    def _numpy(self) -> np.ndarray:
        """Return NumPy's array: iterators of data sets ask for it."""
        return self.__array__()

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The address, type and strides of the memory, which is shared as by `__array__`."""
        try:
            return memory.describe(self)
        except TypeError as error:  # in a graph the elements are not known
            raise AttributeError(str(error)) from error

    def __dlpack__(self, **options: Any) -> Any:
        """Return a capsule with the memory, which is shared as by `__array__`; on an accelerator, with a copy."""
        if self._storage.is_on_processor() and self.dtype.kind in "biufc":
            return viewing.export(self).__dlpack__(**options)
        return self.tensor().__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return (1, 0) if self._storage.is_on_processor() else self.tensor().__dlpack_device__()


def _reconstruct(cls: type) -> Any:
    """Return an array whose pickled state is to be set."""
    return arrays.of_memory(cls, np.empty(0))


class StandIn(ndarray, NativeObject):
    """An array of rank 0 that stands for one of NumPy's scalars: a graph does not know its value, or its gradient is
    recorded. It cannot be written to, and `x += y` makes another one.

    To AutoGraph it is a tensor, so that it may be the condition of `if` and `while`, and a bound of `range`.
    """

    _is_scalar = True
    _writeable = False

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> tf.Tensor:
        """Return the tensor; as a condition of AutoGraph's, whether the number is not zero."""
        tensor = self.tensor()
        if tensor.dtype != tf.bool and not executing_eagerly() and is_condition(sys._getframe(1)):
            return convert.cast(tensor, tf.bool)
        return super().__tf_tensor__(dtype, name)

    @property  # type: ignore[misc] # an array's can be set, and not that of what stands for a scalar
    def shape(self) -> Any:
        return NO_DIMS


class NoDims(tuple):
    """The shape `()`, of which AutoGraph wants the attributes of TensorFlow's."""

    __slots__ = ()
    dims = ()
    rank = 0


NO_DIMS = NoDims()
Public.ndarray, Public.scalar = ndarray, StandIn


def make_array(memory: np.ndarray) -> Any:
    """Return an array with a copy of the elements of NumPy's array."""
    return arrays.of_memory(ndarray, np.array(memory, order="C"))


def _get_length(array: Any) -> Any:
    """Return the length, which a graph may not know; NumPy's TypeError for an array of rank 0."""
    return array.shape[0] if array.shape else len(array)


register_length(ndarray, _get_length)
