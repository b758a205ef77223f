"""The storage of an array and of its views: one value, as NumPy's memory or as a tensor, whichever is current.

In eager mode writes go to NumPy's memory, so that they cost what they write. TensorFlow's operations get a tensor,
which is made when it is needed and kept until the next write. Where the value is a graph's or its gradient is recorded,
it stays a tensor, and each write makes a new one. Where a tape watches the tensor of a view, the value is made of it:
the gradient reaches all views.
"""

from __future__ import annotations

import weakref
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, text
from tfnp._core.eager_tensors import EagerTensor, could_record, executing_eagerly, is_watched, place_tensor
from tfnp._core.errors import requires_static
from tfnp.numpy import blocks, view_steps
from tfnp.numpy.view_steps import ViewStep

_BYTES: Final = "biufc"  # kinds of dtypes whose arrays are Python buffers
_ALIGNMENT: Final = 64
_LARGE: Final = 1 << 17  # bytes, from which a copy takes longer than to align it


class Storage:
    """One value, in C order: `memory`, `tensor` or both, which are then equal.

    `version` counts the writes. `graph` is that in which the array was made, None in eager mode. Memory that is not
    owned is that of the tensor, and read-only. The memory of a buffer belongs to others, such as a `bytearray` or a
    block of `multiprocessing.shared_memory`, who may write to it at any time: it has the value, and no tensor is kept.
    """

    __slots__ = ("_export", "_is_owned", "_views", "graph", "is_buffer", "memory", "tensor", "version")

    def __init__(
        self, tensor: tf.Tensor | None = None, memory: np.ndarray | None = None, *, is_buffer: bool = False
    ) -> None:
        self.tensor = tensor
        self.memory = memory
        self.version = 0
        self.graph = None if executing_eagerly() else tf.compat.v1.get_default_graph()
        self._is_owned = memory is not None
        self.is_buffer = is_buffer
        self._export: Any = (lambda: memory) if is_buffer else None
        self._views: list[tuple[tuple[ViewStep, ...], Any, int]] | None = None

    def is_on_host(self) -> bool:
        """Return whether the value may be read and written as NumPy's memory: it is known, and has no gradient."""
        if self._views is not None and could_record():
            self._take_watched_views()
        tensor = self.tensor
        return tensor is None or (type(tensor) is EagerTensor and not is_watched(tensor))

    def is_on_processor(self) -> bool:
        """Return whether the value is in the processor's memory, as far as it is known."""
        return self.memory is not None or "CPU" in self.tensor.device  # type: ignore[union-attr] # there is one of both

    def has_no_tensor(self) -> bool:
        """Return whether only memory has the value, so that a tensor would be a copy."""
        return self.tensor is None

    def add_view(self, view: tuple[ViewStep, ...], tensor: tf.Tensor) -> None:
        """Remember the tensor of a view, which a tape may be told to watch."""
        views = [entry for entry in self._views or () if entry[1]() is not None and entry[1]() is not tensor]
        self._views = [*views, (view, weakref.ref(tensor), self.version)]

    def _take_watched_views(self) -> None:
        """Make the value of the views' tensors that are watched, and have not been written to since."""
        views, self._views = self._views, None
        waiting = []
        for view, reference, version in views or ():
            tensor = reference()
            if tensor is None or not self._is_current(view, tensor, version):
                continue
            if is_watched(tensor) and self.is_in_graph():
                self.tensor = view_steps.put_view(self.read_tensor(), view, tensor)
            else:
                waiting.append((view, reference, version))
        self._views = waiting or None

    def _is_current(self, view: tuple[ViewStep, ...], tensor: Any, version: int) -> bool:
        if self._export is None or self.memory is None:
            return version == self.version
        return is_equal(tensor, view_steps.view_memory(self.memory, view))

    def is_in_graph(self) -> bool:
        """Return whether the array was made in the graph that is being traced, or in eager mode if there is none."""
        return self.graph is (None if executing_eagerly() else tf.compat.v1.get_default_graph())

    def save(self) -> tuple[Any, ...]:
        """Return the state, which `restore` gives back."""
        return self.tensor, self.memory, self._is_owned, self._export, self._views, self.graph

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Return to a state that was saved."""
        self.tensor, self.memory, self._is_owned, self._export, self._views, self.graph = saved
        self.version += 1

    def enter(self, tensor: tf.Tensor) -> None:
        """Have a tensor of the graph that is being traced as the value."""
        self.restore((tensor, None, False, None, None, tf.compat.v1.get_default_graph()))

    def can_be_carried(self) -> bool:
        """Return whether a loop or condition may have the value among its results."""
        return not self.is_buffer and type(self) is Storage

    def check_write(self) -> None:
        """Raise TypeError for a write in another graph than that in which the array was made.

        The bodies of loops and the branches of conditions carry what they write to.
        """
        if not self.is_in_graph() and not blocks.adopt(self):
            raise TypeError(
                "this array was made outside of the function, loop or branch that TensorFlow traces and that writes to "
                "it: begin there with `x = x.copy()`, which makes `x` a result of it, or pass the array as an argument "
                "of the tf.function or as a loop variable of tf.while_loop, and return it"
            )

    def read_memory(self) -> np.ndarray:
        """Return the value as a NumPy array, which is not to be written to. Raise TypeError if it is not known."""
        memory = self.memory
        if memory is None:
            tensor: Any = self.tensor
            if type(tensor) is not EagerTensor:
                return _find_static_value(tensor)
            memory = self.memory = to_memory(tensor)
        return memory

    def read_tensor(self) -> tf.Tensor:
        """Return the value as a tensor."""
        if self._views is not None and could_record():
            self._take_watched_views()
        tensor: Any = self.tensor
        if tensor is not None and self._export is None:
            return tensor
        if tensor is None or self.has_export():
            if executing_eagerly():
                tensor = self.tensor = from_memory(self.memory)
            else:
                with tf.init_scope():
                    tensor = self.tensor = from_memory(self.memory)
        return tensor

    def change_memory(self) -> np.ndarray:
        """Return the memory for a write; the tensor is no longer current."""
        memory = self.read_memory()
        if not self._is_owned:
            memory = self.memory = np.array(memory)
            self._is_owned = True
        self.tensor = None
        self.version += 1
        return memory

    def change_tensor(self, tensor: tf.Tensor) -> None:
        """Replace the value by a tensor of its shape and dtype."""
        if self.has_export() and type(tensor) is EagerTensor and not is_watched(tensor):
            self.change_memory()[...] = to_memory(tensor)
            return
        if self.is_buffer:
            self._write_buffer(tensor)
            return
        self.tensor = tensor
        self.memory = None
        self._is_owned = False
        self._export = None
        self.version += 1

    def _write_buffer(self, tensor: Any) -> None:
        """Write a tensor with a gradient to the memory of others, and keep it until they change the memory."""
        if type(tensor) is not EagerTensor:
            raise TypeError(
                "this array shares memory that belongs to other objects, to which a tf.function cannot write: begin "
                "with `x = x.copy()`, and return it"
            )
        self.memory[...] = to_memory(tensor)  # type: ignore[index] # a buffer is always at hand
        self.tensor = tensor
        self.version += 1

    def export(self) -> np.ndarray:
        """Return the memory as an array that other code may write to, as long as this array or a view of it is alive.

        Its memory is a Python buffer, so that views of it do not skip it as their base.
        """
        memory = self.memory if self._is_owned and self.memory is not None else self.change_memory()
        exported = self._export() if self._export is not None else None
        if exported is None:
            exported = _export_memory(memory)
            self._export = weakref.ref(exported)
            self.tensor = None
        return exported

    def has_export(self) -> bool:
        """Return whether other code may have written to the memory. If it did not, a tensor that is watched stays."""
        if self._export is None:
            return False
        tensor = self.tensor
        if type(tensor) is EagerTensor and is_watched(tensor) and is_equal(tensor, self.memory):
            return False
        if self._export() is None:
            self._export = None
        self.tensor = None
        self.version += 1
        return True


def _export_memory(memory: Any) -> np.ndarray:
    if memory.dtype.kind in _BYTES:
        return np.asarray(memoryview(memory))
    if memory.dtype.kind == "V":  # bfloat16 of ml_dtypes
        return np.asarray(memoryview(memory.view(f"u{memory.dtype.itemsize}"))).view(memory.dtype)
    return memory


def is_equal(tensor: Any, memory: Any) -> bool:
    """Return whether an eager tensor has the bits of NumPy's memory."""
    return bool(tensor.numpy().tobytes() == memory.tobytes())


def to_memory(tensor: tf.Tensor) -> np.ndarray:
    """Return the read-only memory of an eager tensor; of text, an array of `str` with a width."""
    value = tensor.numpy()
    if tensor.dtype is tf.string:
        return text.decode(value).astype(np.str_)
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def from_memory(memory: Any) -> tf.Tensor:
    """Return an eager tensor with a copy of the elements, which may be a view of any strides."""
    if memory.dtype.kind in _BYTES:
        return place_tensor(np.array(memory, order="C") if memory.nbytes < _LARGE else _copy_aligned(memory))
    return convert.from_numpy(memory)


def _copy_aligned(memory: np.ndarray) -> np.ndarray:
    """Return a copy in memory whose address TensorFlow shares: it copies memory that is not aligned once more."""
    buffer = np.empty(memory.nbytes + _ALIGNMENT, np.uint8)
    start = -buffer.__array_interface__["data"][0] % _ALIGNMENT
    copy = buffer[start : start + memory.nbytes].view(memory.dtype).reshape(memory.shape)
    copy[...] = memory
    return copy


def _find_static_value(tensor: tf.Tensor) -> np.ndarray:
    static = convert.static_value(tensor)
    if static is None:
        blocks.need("a value that the graph does not know")
        raise requires_static("the array")
    return np.asarray(static)
