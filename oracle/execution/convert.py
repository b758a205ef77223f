"""Conversion of arrays to tensors, and of results to NumPy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oracle.case.vocabulary import EXTENSION_DTYPES

ALIGNMENT = 64
BFLOAT16 = 14  # the number of TensorFlow's data type


class ScalarCache:
    """The cache of the tensors that eager TensorFlow makes of Python's numbers.

    TensorFlow takes -0.0 for a cached 0.0, so that an answer would depend on the calls before it. Once 0.0 is in the
    cache in every dtype, each call meets the worse case. Other entries are equal to what they were made of.
    """

    MOST = 1024
    """How many calls may add to the cache before it is emptied: it grows with every number."""

    def __init__(self) -> None:
        self._calls = self.MOST
        self._devices: set[str] = set()

    def put_zeros(self) -> None:
        """Put the zeros of the current device into the cache, unless they are there."""
        self._calls += 1
        if self._calls > self.MOST:
            sys.modules["tensorflow.python.pywrap_tfe"].TFE_ClearScalarCache()
            self._calls = 0
            self._devices.clear()
        device = sys.modules["tensorflow.python.eager.context"].context().device_name
        if device not in self._devices:
            self._devices.add(device)
            self._convert_zeros()

    @staticmethod
    def _convert_zeros() -> None:
        # Upstream bug: tensorflow-scalar-cache-zero
        tf = sys.modules["tensorflow"]
        complexes = (tf.complex64, tf.complex128)
        for dtype in (None, tf.float16, tf.bfloat16, tf.float32, tf.float64, *complexes):
            tf.convert_to_tensor(0.0, dtype)
        for dtype in (None, *complexes):
            tf.convert_to_tensor(0j, dtype)


SCALAR_CACHE = ScalarCache()


class NoTensor(TypeError):
    """Raised if TensorFlow has no dtype for these elements, so that the subject cannot be called."""


def to_tensor(array: np.ndarray) -> Any:
    """Return a tensor of the array's elements, in its own memory. TensorFlow must have been imported.

    `tf.constant` takes 8 us; passing an aligned copy by dlpack takes 3. TensorFlow aborts on memory that is not aligned
    to 64 bytes, hence the arena.
    """
    dtype = array.dtype
    if dtype.kind in "biufc" and dtype.isnative and dtype.itemsize <= 16 and dtype.char not in "gG":
        size = array.nbytes
        arena = np.empty(size + ALIGNMENT, np.uint8)
        offset = -arena.__array_interface__["data"][0] % ALIGNMENT
        copy: np.ndarray = np.ndarray(array.shape, dtype, arena, offset)
        copy[...] = array
        return sys.modules["tensorflow"].experimental.dlpack.from_dlpack(copy.__dlpack__())
    if dtype.kind in "MmOT" or dtype.char in "gG" or (dtype.kind == "V" and dtype.name not in EXTENSION_DTYPES):
        raise NoTensor(f"TensorFlow has no dtype {dtype}")
    if not dtype.isnative:
        return to_tensor(array.astype(dtype.newbyteorder("=")))
    return sys.modules["tensorflow"].constant(array)


def read_variable(variable: Any) -> Any:
    """Return the value of a variable, in a sixth of the time of `read_value`."""
    return sys.modules["tensorflow"].raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)


def assign_variable(variable: Any, tensor: Any) -> None:
    """Assign a tensor to a variable, in a sixth of the time of `assign`."""
    sys.modules["tensorflow"].raw_ops.AssignVariableOp(resource=variable.handle, value=tensor)


@dataclass(frozen=True, slots=True)
class TensorSlot:
    """Placeholder of a tensor in a result, with its index among the tensors."""

    position: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """An object of a class that has no meaning in NumPy's terms, and its elements if it gives some by `__array__`."""

    kind: str
    elements: np.ndarray | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, value: Any) -> Foreign:
        """Return what stands for an object of the subject's."""
        elements = None
        if hasattr(type(value), "__array__"):
            try:
                elements = np.asarray(value)
            except Exception:  # noqa: BLE001 - `__array__` is the library's code: if it fails there are no elements
                elements = None
        is_known = elements is not None and elements.dtype != object
        return cls(type(value).__name__, elements if is_known else None)


class Fetcher:
    """Converts results to NumPy: tensors and variables become arrays, the structure is kept."""

    def fetch(self, value: Any) -> Any:
        """Return the result with an array for each tensor."""
        return self._walk(value, self.array)

    def fetch_from_arrays(self, value: Any) -> Any:
        """Return the result of a library of NumPy's arrays: what is none of NumPy's objects is the library's own."""
        return self._walk(value, Foreign.of)

    def dismantle(self, value: Any) -> tuple[Any, list[Any]]:
        """Return the result with a slot for each tensor, and the tensors."""
        flat: list[Any] = []

        def take(tensor: Any) -> TensorSlot:
            flat.append(sys.modules["tensorflow"].convert_to_tensor(tensor))
            return TensorSlot(len(flat) - 1)

        return (self._walk(value, take),), flat

    def assemble(self, skeleton: Any, flat: Sequence[Any]) -> Any:
        """Return the result from the structure that `dismantle` returned and the values of the tensors."""
        return self._walk(skeleton[0], self.array, lambda slot: self.array(flat[slot.position]))

    @staticmethod
    def array(tensor: Any) -> np.ndarray:
        """Return the elements of a tensor or variable; an array is returned unchanged."""
        if type(tensor) is np.ndarray:
            return tensor
        if hasattr(tensor, "read_value"):
            tensor = read_variable(tensor)
        if tensor.dtype.as_datatype_enum == BFLOAT16:  # np.asarray refuses a 0-d bfloat16 tensor
            return np.asarray(tensor.numpy())
        return np.asarray(tensor)

    def _walk(
        self, value: Any, of_tensor: Callable[[Any], Any], of_slot: Callable[[TensorSlot], Any] | None = None
    ) -> Any:
        tf = sys.modules.get("tensorflow")
        if tf is not None and isinstance(value, (tf.Tensor, tf.Variable)):
            return of_tensor(value)
        kind = type(value)
        if kind is TensorSlot and of_slot is not None:
            return of_slot(value)
        if isinstance(value, list):
            return [self._walk(item, of_tensor, of_slot) for item in value]
        if isinstance(value, tuple):
            items = [self._walk(item, of_tensor, of_slot) for item in value]
            return kind(*items) if hasattr(value, "_fields") else tuple(items)
        if isinstance(value, dict):
            return {key: self._walk(item, of_tensor, of_slot) for key, item in value.items()}
        if tf is not None and isinstance(value, tf.TensorShape):
            return tuple(value) if value.rank is not None else Foreign(kind.__name__)
        if tf is not None and isinstance(value, tf.DType):
            return Foreign(f"tf.{value.name}")
        if value is None or isinstance(value, KNOWN) or callable(value) or kind.__name__ in LIMITS_OF_DTYPES:
            return value
        return Foreign.of(value)


LIMITS_OF_DTYPES = frozenset({"finfo", "iinfo"})
"""Classes of objects whose attributes are compared, whatever library they are of."""

KNOWN = (np.ndarray, np.generic, np.dtype, bool, int, float, complex, str, bytes, slice, TensorSlot, Foreign)
