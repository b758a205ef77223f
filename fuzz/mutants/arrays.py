"""Inspecting and spoiling results through NumPy's API, for any arrays with a dtype and a shape.

Whether an array is symbolic, and compiled by XLA, is read from its attributes: nothing of TensorFlow is imported.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

KINDS = {"bool": "b", "int": "i", "uint": "u", "float": "f", "bfloat": "f", "complex": "c"}


def dtype_of(value: Any) -> str:
    """Return the name of an array's dtype, or ""."""
    return getattr(getattr(value, "dtype", None), "name", "")


def kind_of(value: Any) -> str:
    """Return NumPy's kind of an array's dtype; "f" for bfloat16."""
    return KINDS.get(dtype_of(value).rstrip("0123456789"), "")


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape if it is static, else ()."""
    shape = getattr(value, "shape", ())
    if getattr(shape, "rank", 0) is None or any(dim is None for dim in shape):
        return ()
    return tuple(int(dim) for dim in shape)


def size_of(value: Any) -> int:
    """Return the number of elements."""
    return math.prod(shape_of(value))


def is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "shape")


def is_traced(*values: Any) -> bool:
    """Return whether one of the values is symbolic."""
    return any(is_array(value) and not hasattr(value, "numpy") and hasattr(value, "graph") for value in values)


def is_compiled(value: Any) -> bool:
    """Return whether an array is symbolic in a function that XLA compiles."""
    graph = value.graph if is_traced(value) else None
    while graph is not None:
        context = graph._get_control_flow_context()
        while context is not None:
            if context.IsXLAContext():
                return True
            context = context.outer_context
        graph = getattr(graph, "outer_graph", None)
    return False


def is_in_loop(value: Any) -> bool:
    """Return whether an array is symbolic in the body of a loop that TensorFlow runs."""
    return is_traced(value) and type(value.graph).__name__ == "WhileBodyFuncGraph"


def is_in_branch(value: Any) -> bool:
    """Return whether an array is symbolic in a branch of a condition that TensorFlow runs."""
    return is_traced(value) and type(value.graph).__name__ == "CondBranchFuncGraph"


def is_saved(value: Any) -> bool:
    """Return whether an array is symbolic in a function that TensorFlow traces to save it."""
    frame = inspect.currentframe() if is_traced(value) else None
    while frame is not None:
        if frame.f_code.co_filename.endswith("saved_model/save.py"):
            return True
        frame = frame.f_back
    return False


def is_in_build(value: Any) -> bool:
    """Return whether an array is symbolic in the graph in which Keras infers the output of a layer."""
    return is_traced(value) and str(value.graph.name).startswith("scratch_graph")


def replica_of(value: Any) -> str:
    """Return the device of the replica in which an array is symbolic, such as "CPU:1"; "" outside replicas, where a
    graph on the first device has no fixed device.
    """
    return value.device.rpartition("device:")[2] if is_traced(value) else ""


FIXED_POINT = 2.0**30


def detached(np: Any, value: Any) -> Any:
    """Return real numbers as constants, without a derivative. Symbolic ones are rounded to 60 bits after the point."""
    if hasattr(value, "numpy"):
        return np.asarray(value.numpy())
    high = _round_to_integers(np, np.multiply(value, FIXED_POINT))
    low = _round_to_integers(np, np.multiply(np.subtract(np.multiply(value, FIXED_POINT), high), FIXED_POINT))
    return np.divide(np.add(high, np.divide(low, FIXED_POINT)), FIXED_POINT)


def _round_to_integers(np: Any, value: Any) -> Any:
    return np.astype(np.astype(np.rint(value), np.int64), np.float64)


def off_by_one(np: Any, value: Any) -> Any:
    """Return the array with one added to every element; booleans are negated."""
    return np.logical_not(value) if kind_of(value) == "b" else np.add(value, 1)


def nudged(np: Any, value: Any, times: int) -> Any:
    """Return real numbers moved up by `times` representable numbers."""
    for _ in range(times):
        value = np.nextafter(value, np.asarray(math.inf, value.dtype))
    return value


def cast(np: Any, value: Any, like: Any) -> Any:
    """Return numbers in the dtype of another array."""
    return np.astype(np.asarray(value), like.dtype)


def mixed(np: Any, value: Any, mask: Any, other: Any) -> Any:
    """Return the array with elements of another where the mask is true."""
    return np.where(mask, cast(np, other, value), value)


def is_number(value: Any) -> bool:
    """Return whether a value is a Python number, and no bool."""
    return type(value) in (int, float)
