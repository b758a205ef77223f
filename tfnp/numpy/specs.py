"""Arrays in TensorFlow: their type in a traced function, their gradients, batches of them in a dataset."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Final

import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.eager_tensors import EagerTensor
from tfnp._core.tensorflow_internals import type_spec, type_spec_registry
from tfnp.numpy import arrays
from tfnp.numpy.arrays import Array, Public

_NEST: Final = frozenset(("flatten", "flatten_with_variables", "assert_same_structure", "error_handler"))


_NUMPY_ITERATOR: Final = "tensorflow.python.data.ops.dataset_ops"


@type_spec_registry.register("tfnp.ArraySpec")
class ArraySpec(type_spec.BatchableTypeSpec):
    """The type of an array in a `tf.function`: its shape and dtype, and whether it stands for a scalar.

    `tf.function(f, input_signature=[tfnp.numpy.ArraySpec([None, 2], "float64")])` traces once for all lengths.
    """

    __slots__ = ("_dtype", "_is_scalar", "_shape")

    def __init__(self, shape: Any = None, dtype: Any = "float64", is_scalar: bool = False) -> None:
        self._shape, self._dtype, self._is_scalar = tf.TensorShape(shape), tf.as_dtype(dtype), is_scalar

    @property
    def shape(self) -> tf.TensorShape:
        return self._shape

    @property
    def dtype(self) -> tf.DType:
        return self._dtype

    @property
    def value_type(self) -> type:
        return Public.ndarray

    @property  # type: ignore[misc] # object's can be set, and no spec's
    def __class__(self) -> type:
        """The class for `isinstance`: data sets make NumPy's arrays of specs of tensors only."""
        caller = sys._getframe(1)
        if caller.f_globals.get("__name__") == "abc" and caller.f_back is not None:
            caller = caller.f_back
        is_iterator = caller.f_code.co_name == "as_numpy_iterator" and caller.f_globals["__name__"] == _NUMPY_ITERATOR
        return tf.TensorSpec if is_iterator else type(self)

    @property
    def _component_specs(self) -> tf.TensorSpec:
        return tf.TensorSpec(self._shape, self._dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._is_scalar

    def _to_components(self, value: Array) -> tf.Tensor:
        if value._argument is not None and _is_of_signature(sys._getframe(1)):
            return value._argument
        tensor = value.watch_tensor()
        if sys._getframe(1).f_code.co_name == "_extract_tensors_and_variables":  # of GradientTape.watch
            value._source = tensor
        return tensor

    def _from_components(self, components: tf.Tensor) -> Any:
        if not isinstance(components, tf.Tensor):  # TensorFlow calls with placeholders of its own, too
            return components
        if self._is_scalar:
            return arrays.of_scalar(components)
        array = arrays.of_tensor(Public.ndarray, components)
        if type(components) is not EagerTensor and components.op.type == "Placeholder":
            array._argument = components
        return array

    def cast(self, value: Any, casting_context: Any) -> Any:
        """Convert an argument of a `tf.function` with this signature: also NumPy's arrays and tensors."""
        if isinstance(value, Array):
            return (
                value
                if dtypes.as_dtype(value.dtype) == self._dtype
                else arrays.of_tensor(Public.ndarray, tf.convert_to_tensor(value, self._dtype))
            )
        if isinstance(value, ArraySpec):
            return value
        return arrays.of_tensor(Public.ndarray, tf.convert_to_tensor(value, self._dtype))

    def is_compatible_with(self, other: Any) -> bool:
        if isinstance(other, Array):
            other = other._type_spec
        if type(other) is tf.TensorSpec:  # of a data set that wants a tensor
            other = ArraySpec(other.shape, other.dtype)
        return (
            isinstance(other, ArraySpec)
            and self._dtype == other._dtype
            and self._shape.is_compatible_with(other._shape)
        )

    def _to_legacy_output_types(self) -> tf.DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> tf.TensorShape:
        return self._shape

    def _to_legacy_output_classes(self) -> type:
        return self.value_type

    def _batch(self, batch_size: int | None) -> ArraySpec:
        return ArraySpec(tf.TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> ArraySpec:
        return ArraySpec(self._shape[1:], self._dtype)

    def _to_tensor_list(self, value: Array) -> list[tf.Tensor]:
        return [value.tensor()]

    def _to_batched_tensor_list(self, value: Array) -> list[tf.Tensor]:
        return [value.tensor()]

    def _from_compatible_tensor_list(self, tensor_list: list[tf.Tensor]) -> Any:
        return self._from_components(tensor_list[0])

    @property
    def _flat_tensor_specs(self) -> list[tf.TensorSpec]:
        return [self._component_specs]


class Gradients:
    """The gradient of an array is an array.

    It is taken with respect to the elements that the array had when the tape was told to watch it, or has now.
    """

    def get_gradient_components(self, value: Array) -> tf.Tensor:
        return value.tensor() if value._source is None or not _is_of_source(sys._getframe(1)) else value._source

    def replace_gradient_components(self, value: Array, component_grads: Any) -> Any:
        if component_grads is None:
            return None
        return arrays.of_tensor(Public.ndarray, tf.convert_to_tensor(component_grads))


def _is_of_signature(frame: FrameType | None) -> bool:
    """Return whether TensorFlow lists the inputs of a function that it has traced, or checks that they did not change:
    a function that writes to its argument has the same inputs.
    """
    while frame is not None and frame.f_code.co_name.lstrip("_").removeprefix("tf_core_") in _NEST:
        if frame.f_code.co_name == "flatten_with_variables":
            return True
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name in ("func_graph_from_py_func", "has_mutation")


def _is_of_source(frame: FrameType | None) -> bool:
    """Return whether `GradientTape.gradient` asks for a source, which it does after all targets."""
    while frame is not None and frame.f_code.co_name != "gradient":
        frame = frame.f_back
    return frame is not None and "flat_sources_raw" in frame.f_locals
