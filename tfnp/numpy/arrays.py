"""The core of `ndarray`: a storage and a chain of view steps, read and written as NumPy's memory or as a tensor."""

from __future__ import annotations

import functools
import math
import operator
import sys
import weakref
from abc import ABCMeta
from types import FrameType
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.eager_tensors import EagerTensor, could_record, count_watchers, executing_eagerly, is_watched, rank_of
from tfnp._core.errors import recursive_error
from tfnp._core.indexing import access
from tfnp.numpy import selections, view_steps
from tfnp.numpy.counters import find_window
from tfnp.numpy.selections import SelectedStorage, find_selection
from tfnp.numpy.storage import Storage, from_memory, to_memory
from tfnp.numpy.view_steps import Index, ViewStep
from tfnp.routines.indexing import windows
from tfnp.routines.indexing.windows import Window

UNKNOWN: Final = object()
_BASIC: Final = frozenset((int, slice, type(None), type(...), np.int64, np.int32, np.intp))
_BOUNDS: Final = frozenset((int, type(None)))
_KNOWN: Final = frozenset(
    (int, float, complex, bool, type(None), type(...), str, bytes, np.ndarray, np.float64, np.int64)
)
_SEVERAL: Final = 2
_new: Final = object.__new__


class Array(tf.__internal__.CompositeTensor, metaclass=ABCMeta):
    """A view of a storage; the first array of a storage is its `base`, and has no view steps.

    `_is_scalar` is true of an array of rank 0 that stands for one of NumPy's scalars, whose value is not known or has a
    gradient.
    """

    _storage: Storage
    _view_steps: tuple[ViewStep, ...] = ()
    _base: Array | None = None
    _writeable = True
    _is_scalar = False
    _weak: type | None = None  # of an array that stands for a Python number: its class
    _linear: Any = None  # of an array that stands for a Python integer: how it depends on the indices of loops
    _view: np.ndarray | None = None
    _view_of: np.ndarray | None = None  # the memory of which `_view` is a view
    _tensor: tf.Tensor | None = None
    _version = -1  # of the storage, when `_tensor` was current
    _read: tuple[tf.Tensor, Any, Any] | None = (
        None  # what was read through the view steps, of which tensor, in which graph
    )
    _shape: tuple[int, ...] | None = None
    _argument: tf.Tensor | None = None  # of a graph, if the array is an argument of the function that is traced
    _source: tf.Tensor | None = None  # what a tape was told to watch

    __array_priority__: float = 100
    __array_finalize__: Any
    __array_wrap__: Any

    # Reading and writing

    def is_on_host(self) -> bool:
        """Return whether the elements are known and have no gradient."""
        return self._storage.is_on_host() and not self._is_watched()

    def _is_watched(self) -> bool:
        """Return whether a tape watches this view, and not its storage."""
        return self._tensor is not None and self._version == self._storage.version and is_watched(self._tensor)

    def known_memory(self) -> np.ndarray | None:
        """Return the elements for reading if memory has them, and no tape records; else None.

        Most calls need to know no more. `is_on_host` finds out about the others.
        """
        storage = self._storage
        stored = storage.memory
        if stored is None or storage._views is not None:
            return None
        if (storage.tensor is not None or self._tensor is not None) and could_record():
            return None
        if not self._view_steps:
            return stored
        return self._view if self._view_of is stored else self.memory()

    def memory(self) -> np.ndarray:
        """Return the elements as NumPy's memory, for reading. Raise TypeError if they are not known."""
        stored = self._storage.read_memory()
        if not self._view_steps:
            return stored
        if self._view_of is not stored:
            self._view, self._view_of = view_steps.view_memory(stored, self._view_steps), stored
        return self._view  # type: ignore[return-value] # set with _view_of

    def memory_for_write(self) -> np.ndarray:
        """Return the elements as memory that is about to be written to."""
        self._storage.change_memory()
        return self.memory()

    def tensor(self) -> tf.Tensor:
        """Return the elements as a tensor."""
        storage = self._storage
        if not self._view_steps:
            return storage.read_tensor()
        if self._tensor is not None and self._version == storage.version and self._is_current():
            return self._tensor
        if not storage.is_on_host():
            return self._read_through()
        if executing_eagerly():
            tensor = from_memory(self.memory())
        else:
            with tf.init_scope():
                tensor = from_memory(self.memory())
        self._tensor, self._version = tensor, storage.version
        return tensor

    def _read_through(self) -> tf.Tensor:
        """Return the elements of a storage that a graph or a tape knows; again what was read since the last write.

        A tape differentiates only what was read while it watched the storage: where several tapes watch it, which
        may have begun since, the view is read again.
        """
        stored = self._storage.read_tensor()
        graph = None if executing_eagerly() else tf.compat.v1.get_default_graph()
        if self._read is not None:
            tensor, reference, read_in = self._read
            is_same = reference() is stored and read_in is graph
            if is_same and count_watchers(tensor) == count_watchers(stored) < _SEVERAL:
                return tensor
        tensor = view_steps.get_view(stored, self._view_steps)
        self._read = tensor, weakref.ref(stored), graph
        return tensor

    def _is_current(self) -> bool:
        """Return whether the cached tensor of a view may stand for it: nothing wrote to the exported memory, and its
        gradient reaches the storage.
        """
        storage = self._storage
        if storage.has_export():
            return False
        return storage.is_on_host() or self._is_watched()

    def watch_tensor(self) -> tf.Tensor:
        """Return the elements as a tensor that a tape may watch."""
        tensor = self.tensor()
        if self._view_steps:
            self._tensor, self._version = tensor, self._storage.version
            self._storage.add_view(self._view_steps, tensor)
        return tensor

    def write_tensor(self, key: Any, value: Any) -> None:
        """Write to the elements at an index, or to all if it is an ellipsis, and record the gradient."""
        storage = self._storage
        storage.check_write()
        stored = storage.read_tensor()
        if self._is_watched():
            stored = view_steps.put_view(stored, self._view_steps, self._tensor)
        part = view_steps.get_view(stored, self._view_steps)
        selected = selections.put_selection(part, key, value)
        if selected is not None:
            new = selected
        elif key is not ...:
            new = windows.update_at(part, key, lower_items(value))
        else:
            new = view_steps.convert_new(value, part.dtype, shapes.shape(part))
        storage.change_tensor(view_steps.put_view(stored, self._view_steps, new))

    def assign(self, value: tf.Tensor) -> None:
        """Replace all elements by those of a tensor of this shape and dtype."""
        if self._view_steps and executing_eagerly() and self.is_on_host() and not is_watched(value):
            self.memory_for_write()[...] = to_memory(value)
        elif self._view_steps:
            self.write_tensor(..., value)
        else:
            self._storage.check_write()
            self._storage.change_tensor(value)

    def check_writeable(self) -> None:
        """Raise NumPy's error if the array may not be written to."""
        if self._is_scalar:
            raise TypeError(f"{self.dtype.type.__name__!r} object does not support item assignment")
        if not self._writeable:
            raise ValueError("assignment destination is read-only")

    # Items

    def __getitem__(self, key: Any) -> Any:
        memory = self.known_memory()
        if memory is None and self.is_on_host():
            memory = self.memory()
        if memory is not None:
            is_constant = _has_constants(key)
            known = key if is_constant else to_host(key, is_index=True)
            if known is not UNKNOWN:
                result = memory[known]
                if type(result) is not np.ndarray:
                    return result
                if is_constant or is_basic(known):
                    return self.make_view(Index(known), result)
                memory = result if result.flags.c_contiguous else np.ascontiguousarray(result)
                return self._finalize(of_memory(Public.ndarray, memory))
        return self._get_symbolic_item(key)

    def _get_symbolic_item(self, key: Any) -> Any:
        again = selections.select_again(self, key)
        if again is not None:
            return self._finalize(of_storage(Public.ndarray, again))
        key = lower_key(key)
        tensor = self.tensor()
        if not is_basic(key):
            selected = selections.select(tensor, key)
            if selected is not None:
                return self._finalize(of_storage(Public.ndarray, selected))
            return self._finalize(of_tensor(Public.ndarray, access.read(tensor, windows.as_index(key))))
        result = windows.read(tensor, key)
        if result.shape.rank == 0 and not _has_ellipsis(key):
            return of_scalar(result)
        return self.make_view(Index(key if isinstance(key, tuple) else (key,)))

    def __setitem__(self, key: Any, value: Any) -> None:
        memory, storage = self.known_memory(), self._storage
        is_current = memory is not None and storage.tensor is None
        if is_current and self._writeable and type(value) in _KNOWN and _has_constants(key) and executing_eagerly():
            storage.version += 1
            memory[key] = value  # type: ignore[index] # it is current
            return
        self.check_writeable()
        if executing_eagerly() and (self.known_memory() is not None or self.is_on_host()):
            known = key if _has_constants(key) else to_host(key, is_index=True)
            new = value if type(value) in _KNOWN else to_host(value)
            if known is not UNKNOWN and new is not UNKNOWN:
                self.memory_for_write()[known] = new
                return
        if _is_restoring(sys._getframe(1)):
            return
        self._storage.check_write()
        if not selections.put_again(self, key, value):
            self.write_tensor(lower_key(key), value)

    def __len__(self) -> int:
        shape = self._shape or self.shape
        if not shape:
            raise TypeError("len() of unsized object")
        return shape[0].__index__()

    def make_view(
        self, view_step: ViewStep, view: np.ndarray | None = None, *, writeable: bool = True, subok: bool = True
    ) -> Any:
        """Return a view through one more view step, of this class or plain; `view` is NumPy's of the memory, if any."""
        array: Any = _new(Public.ndarray)
        array._storage = self._storage
        array._view_steps = (
            (*self._view_steps, view_step)
            if type(view_step) is Index
            else view_steps.extend_chain(self._view_steps, view_step)
        )
        array._base = self if self._base is None else self._base
        if not (writeable and self._writeable):
            array._writeable = False
        if view is not None:
            array._view, array._view_of = view, self._storage.memory
        return self._finalize(array) if subok else array

    def _finalize(self, array: Any) -> Any:
        """Return a new array, which becomes one of this class."""
        cls = type(self)
        if cls is not Public.ndarray and cls is not Public.scalar:
            array.__class__ = cls
            array.__array_finalize__(self)
        return array

    # Attributes

    @property
    def shape(self) -> tuple[Any, ...]:
        """The dims; one that a graph does not know is an integer array of rank 0."""
        shape = self._shape
        if shape is None:
            if SelectedStorage.are_used and find_selection(self) is not None:
                return self._read_symbolic_shape()
            storage: Any = self._storage
            if not self._view_steps and type(storage.tensor) is EagerTensor:
                shape = self._shape = storage.tensor._shape_tuple()
            elif storage.tensor is None or type(storage.tensor) is EagerTensor:
                shape = self._shape = self.memory().shape if self.is_on_host() else self.tensor()._shape_tuple()
            else:
                return self._read_symbolic_shape()
        return shape

    def _read_symbolic_shape(self) -> tuple[Any, ...]:
        selection = find_selection(self)
        if selection is not None:
            return _make_dims(selections.read_dims(selection))
        tensor = self.tensor()
        if tensor.shape.rank is None:
            raise ValueError(
                "the number of dimensions is unknown inside tf.function: set it, as with tf.ensure_shape, or use "
                "tf.shape(x)"
            )
        return _make_dims(shapes.shape(tensor))

    @property
    def dtype(self) -> np.dtype:
        """NumPy's dtype; text has a width where it is known, and is StringDType in a graph."""
        storage = self._storage
        selection = find_selection(self) if SelectedStorage.are_used else None
        if selection is not None:
            return dtypes.as_numpy(selection.full.dtype)
        if self._view_steps or storage.tensor is None or storage.tensor.dtype is tf.string:
            if storage.tensor is None or type(storage.tensor) is EagerTensor:
                return self.memory().dtype if self.is_on_host() else dtypes.as_numpy(self.tensor().dtype)
            return dtypes.as_numpy(self.tensor().dtype)
        return dtypes.as_numpy(storage.tensor.dtype)

    @property
    def ndim(self) -> int:
        shape = self._shape
        return len(self.shape if shape is None else shape)

    @property
    def size(self) -> Any:
        shape = self._shape
        return math.prod(self.shape if shape is None else shape)

    def layout(self) -> np.ndarray:
        """Return an array of NumPy's with the shape, dtype and strides of this one, whose elements are not to be read.

        Raise AttributeError in a graph that does not know the shape.
        """
        storage = self._storage
        if storage.is_on_host():
            return self.memory()
        stored: Any = storage.tensor
        if not stored.shape.is_fully_defined():
            raise AttributeError("an array has no memory layout inside tf.function unless its shape is static")
        dtype, dims = dtypes.as_numpy(stored.dtype), tuple(stored.shape)
        steps = [dtype.itemsize]
        for dim in reversed(dims[1:]):
            steps.append(steps[-1] * max(dim, 1))
        strides = steps[: len(dims)][::-1]
        return view_steps.view_memory(
            np.lib.stride_tricks.as_strided(np.empty(1, dtype), dims, strides), self._view_steps
        )


def _is_restoring(caller: FrameType) -> bool:
    """Return whether AutoGraph calls: before a branch that assigns to `x[i]` it assigns the old value again, which the
    storage of `x` has already.
    """
    return caller.f_code.co_name.startswith("set_state") and "__autograph_generated" in caller.f_code.co_filename


class Dims(tuple):
    """A shape of which a graph does not know every dim.

    Whether it equals another one is known when the graph runs, unless the number of dims or a known dim differs.
    """

    __slots__ = ()

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        if len(self) != len(other):
            return False
        compared = [one == another for one, another in zip(self, other, strict=True) if one is not another]
        unknown = [is_equal for is_equal in compared if isinstance(is_equal, Array)]
        if not unknown or not all(is_equal for is_equal in compared if not isinstance(is_equal, Array)):
            return not unknown and all(compared)
        return functools.reduce(operator.and_, unknown)

    def __ne__(self, other: Any) -> Any:
        is_equal = self.__eq__(other)
        if is_equal is NotImplemented:
            return is_equal
        return ~is_equal if isinstance(is_equal, Array) else not is_equal

    __hash__ = tuple.__hash__

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        return Dims(item) if isinstance(key, slice) else item


def _make_dims(dims: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a shape, with arrays that stand for integers instead of dims that a graph does not know."""
    if all(isinstance(dim, int) for dim in dims):
        return dims
    return Dims([dim if isinstance(dim, int) else of_dim(dim) for dim in dims])


class Weak:
    """A flag that arrays stand for Python numbers somewhere; before, nothing is looked up."""

    are_used = False


class Public:
    """The classes of the arrays that functions return, and of those that stand for scalars."""

    ndarray: Any = Array
    scalar: Any = Array


def of_tensor(cls: type, tensor: tf.Tensor) -> Any:
    """Return a new array of a tensor."""
    array: Any = _new(cls)
    array._storage = Storage(tensor)
    return array


def of_storage(cls: type, storage: Storage) -> Any:
    """Return a new array of a storage."""
    array: Any = _new(cls)
    array._storage = storage
    return array


def of_memory(cls: type, memory: np.ndarray) -> Any:
    """Return a new array of memory in C order that nothing else uses."""
    array: Any = _new(cls)
    array._storage = Storage(None, memory)
    return array


def of_buffer(memory: np.ndarray) -> Any:
    """Return a new array of memory that belongs to others; of read-only memory, a read-only array."""
    array: Any = _new(Public.ndarray)
    array._storage = Storage(None, memory, is_buffer=True)
    if not memory.flags.writeable:
        array._writeable = False
    return array


def of_scalar(tensor: tf.Tensor) -> Any:
    """Return a tensor of rank 0 as one of NumPy's scalars, or as an array that stands for one."""
    if type(tensor) is EagerTensor and not is_watched(tensor):
        return to_memory(tensor)[()]
    array: Any = _new(Public.scalar)
    array._storage = Storage(tensor)
    return array


def of_dim(tensor: tf.Tensor) -> Any:
    """Return a dim that a graph does not know as an array that stands for a Python integer."""
    return weaken(of_scalar(convert.cast(tensor, dtypes.as_dtype(np.int64))), int)


def weaken(scalar: Any, cls: type) -> Any:
    """Return an array that stands for a scalar as one that stands for a Python number, which other dtypes win over."""
    if isinstance(scalar, Array):
        scalar._weak = cls
        Weak.are_used = True
    return scalar


def cast_weak(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return operands in which arrays that stand for Python numbers have the dtype that these would get."""
    if not any(isinstance(arg, Array) and arg._weak is not None for arg in args):
        return args
    others = [arg.dtype for arg in args if isinstance(arg, Array | np.ndarray | np.generic) and not is_weak(arg)]
    others += [dtypes.as_numpy(arg.dtype) for arg in args if isinstance(arg, tf.Tensor | tf.Variable)]
    if not others:
        return args
    return tuple(
        of_scalar(convert.cast(arg.tensor(), dtypes.as_dtype(np.result_type(*others, arg._weak(1)))))
        if isinstance(arg, Array) and arg._weak is not None
        else arg
        for arg in args
    )


def is_weak(value: Any) -> bool:
    """Return whether a value is a Python number, or an array that stands for one."""
    return value._weak is not None if isinstance(value, Array) else type(value) in (int, float, bool)


def _has_constants(key: Any) -> bool:
    """Return whether an index is basic and made of constants, not of arrays."""
    cls = type(key)
    if cls is tuple:
        return all(map(_is_constant, key))
    return _is_constant(key)


def _is_constant(item: Any) -> bool:
    cls = type(item)
    if cls is slice:
        return type(item.start) in _BOUNDS and type(item.stop) in _BOUNDS and type(item.step) in _BOUNDS
    return cls in _BASIC


def is_basic(key: Any) -> bool:
    """Return whether an index is basic: of integers, slices, None and an ellipsis."""
    if type(key) is tuple:
        return all(map(_is_basic_item, key))
    return _is_basic_item(key)


def _is_basic_item(item: Any) -> bool:
    if type(item) in _BASIC or isinstance(item, np.integer | Window):
        return True
    if isinstance(item, tf.Tensor | np.ndarray):
        return len(item.shape) == 0 and dtypes.as_numpy(item.dtype).kind in "iu"
    return not isinstance(item, bool | np.bool_ | list) and hasattr(item, "__index__") and not hasattr(item, "shape")


def _has_ellipsis(key: Any) -> bool:
    return any(item is ... for item in key) if isinstance(key, tuple) else key is ...


def to_host(value: Any, *, is_index: bool = False) -> Any:
    """Return a value without arrays and tensors, in whose place NumPy's arrays stand; UNKNOWN if one has no value, or a
    gradient that is not that of an index.
    """
    cls = type(value)
    if cls in _KNOWN:
        return value
    if isinstance(value, Array):
        memory = value.known_memory()
        if memory is not None:
            return memory
        return value.memory() if value.is_on_host() else _read_known(value.tensor(), is_index)
    if cls is tuple or cls is list:
        try:
            items = [to_host(item, is_index=is_index) for item in value]
        except RecursionError:
            raise recursive_error() from None
        return UNKNOWN if any(item is UNKNOWN for item in items) else cls(items)
    if cls is slice:
        items = [to_host(item, is_index=True) for item in (value.start, value.stop, value.step)]
        return UNKNOWN if any(item is UNKNOWN for item in items) else slice(*items)
    if isinstance(value, tf.Variable):
        return UNKNOWN if not executing_eagerly() else _read_known(value.read_value(), is_index)
    if isinstance(value, tf.Tensor):
        return _read_known(value, is_index)
    if hasattr(cls, "__array__") and not isinstance(value, np.generic | np.ndarray):
        array = value.__array__()
        return to_host(array, is_index=is_index) if isinstance(array, Array) else value
    return value


def _read_known(tensor: tf.Tensor, is_index: bool) -> Any:
    if type(tensor) is not EagerTensor or (is_watched(tensor) and not is_index):
        return UNKNOWN
    return to_memory(tensor)


def lower_key(key: Any) -> Any:
    """Return an index with tensors, or windows where more is known of an integer, in place of arrays."""
    if type(key) is tuple:
        return tuple([find_window(item, _lower_item(item)) for item in key])
    return find_window(key, _lower_item(key))


def _lower_item(key: Any) -> Any:
    if isinstance(key, Array):
        return key.tensor()
    if type(key) is tuple or type(key) is list:
        return type(key)(map(_lower_item, key))
    if type(key) is slice:
        return slice(_lower_item(key.start), _lower_item(key.stop), _lower_item(key.step))
    return key


def lower_items(value: Any) -> Any:
    """Return a value with tensors in place of arrays, also in lists and tuples."""
    if type(value) in _KNOWN:
        return value
    if isinstance(value, Array):
        return value.tensor()
    if type(value) is list or type(value) is tuple:
        return type(value)([lower_items(item) for item in value])
    return value


def rank_of_tensor(tensor: tf.Tensor) -> int | None:
    """Return the rank of a tensor; None if it is unknown."""
    return rank_of(tensor) if type(tensor) is EagerTensor else tensor.shape.rank
