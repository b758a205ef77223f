"""Callers that know only NumPy's arrays or only tensors, and what arrays show them."""

from __future__ import annotations

from types import FrameType
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.tensorflow_internals import FallbackException, tensor_conversion_registry
from tfnp.numpy import arrays
from tfnp.numpy.arrays import Array, Public

_FLOATS: Final = "fcV"  # V is bfloat16
LIBRARIES: Final = frozenset(
    (
        *(
            "PIL",
            "bottleneck",
            "cv2",
            "h5py",
            "joblib",
            "matplotlib",
            "networkx",
            "numba",
            "numexpr",
            "numpy",
            "pandas",
        ),
        *("patsy", "pyarrow", "pywt", "scipy", "seaborn", "shapely", "skimage", "sklearn", "statsmodels", "xarray"),
    )
)
"""Packages that take NumPy's arrays, and check with `isinstance` or in C that arrays are NumPy's."""


KEEPERS: Final = frozenset(
    (
        *("pandas.core.construction", "pandas.core.frame", "pandas.core.indexes.base", "pandas.core.series"),
        *("pandas.core.internals.construction", "pandas.core.arrays.numpy_"),
    )
)
"""Modules that keep arrays for compiled code, and convert those that are not NumPy's."""


READERS: Final = frozenset(
    (
        *("tensorflow.python.eager.backprop", "tensorflow.python.eager.forwardprop"),
        *("tensorflow.python.eager.imperative_grad", "tensorflow.python.ops.map_fn"),
        "keras.src.backend.tensorflow.core",
    )
)
"""Modules that read the shape and dtype of arrays as those of tensors."""
_TENSOR_CHECKS: Final = "tensorflow.python.framework.tensor_util"
"""The module that says whether a value is a tensor."""
_OF_TENSORS: Final = frozenset(("convert_tf_to_keras_tensor", "serialize_keras_object"))
"""Functions of Keras that ask it for outputs of layers, and for values to write to a file."""
_MOST_FRAMES: Final = 3
_MOST_FRAMES_OF_CONDITION: Final = 16
_OPERATORS: Final = "tensorflow.python.autograph.operators."
_CONDITIONS: Final = frozenset(("_verify_tf_condition", "_tf_not", "_tf_lazy_and", "_tf_lazy_or", "_tf_if_exp"))
"""Functions of AutoGraph that convert a value to a condition."""
_OPERATIONS: Final = "tensorflow.python.ops.gen_"
_FALLBACKS: Final = ("_eager_fallback", "_fallback_dispatch")


def find_class(array: Array, caller: FrameType) -> type:
    """Return the class of an array as `isinstance` sees it: NumPy's, but in modules that would keep the array, and a
    tensor's for outputs of Keras layers.
    """
    module = caller.f_globals.get("__name__")
    if module in KEEPERS:
        return type(array)
    return Public.scalar if module == _TENSOR_CHECKS and _is_call_of_keras(caller) else np.ndarray


def _is_call_of_keras(caller: FrameType | None) -> bool:
    for _ in range(_MOST_FRAMES):
        caller = None if caller is None else caller.f_back
        if caller is not None and caller.f_code.co_name in _OF_TENSORS:
            return True
    return False


def is_condition(caller: FrameType | None) -> bool:
    """Return whether AutoGraph converts a value to the condition of `if`, `while`, `not`, `and` or `or`."""
    for _ in range(_MOST_FRAMES_OF_CONDITION):
        if caller is None:
            return False
        module = caller.f_globals.get("__name__", "")
        if module.startswith(_OPERATORS):
            return caller.f_code.co_name in _CONDITIONS
        caller = caller.f_back
    return False


def find_dtype(array: Array, caller: FrameType) -> tf.DType | None:
    """Return the dtype that TensorFlow prefers for an array beside tensors, as it does for NumPy's arrays; None if it
    has none.

    Raise TensorFlow's exception that has operations convert their operands in Python, one after another, if an operand
    of another dtype is among them.
    """
    if caller.f_code.co_name == "convert" and caller.f_globals.get("__name__") == tensor_conversion_registry.__name__:
        return caller.f_locals.get("preferred_dtype")
    is_fast_path = caller.f_globals.get("__name__", "").startswith(_OPERATIONS)
    if is_fast_path and not caller.f_code.co_name.endswith(_FALLBACKS) and _is_beside_others(array, caller):
        raise FallbackException("an operand has another dtype")
    return None


def _is_beside_others(array: Array, caller: FrameType) -> bool:
    tensors = (value for value in caller.f_locals.values() if isinstance(value, tf.Tensor))
    return any(can_cast(array, tensor.dtype) for tensor in tensors)


def can_cast(array: Array, dtype: tf.DType) -> bool:
    """Return whether TensorFlow casts NumPy's array of this dtype to another one where that is asked for."""
    source, target = array.dtype, dtypes.as_numpy(dtype)
    is_kind = target.kind in _FLOATS or source.kind == target.kind
    return source != target and is_kind and np.can_cast(source, target, "same_kind")


def is_of_library(caller: FrameType, values: Any) -> bool:
    """Return whether a function of such a package calls NumPy with known elements that have no gradient."""
    package = caller.f_globals.get("__name__", "").partition(".")[0]
    return package in LIBRARIES and arrays.to_host(values) is not arrays.UNKNOWN
