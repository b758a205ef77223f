"""How results are spoilt and looked at, in the words of NumPy's API and of arrays that have a dtype and a shape.

Whether an array is only a symbol, and of a function for XLA, it tells itself: nothing of TensorFlow is imported.
"""

from __future__ import annotations

import math
from typing import Any

KINDS = {"bool": "b", "int": "i", "uint": "u", "float": "f", "bfloat": "f", "complex": "c"}


def dtype_of(value: Any) -> str:
    """The name of an array's dtype; empty for what has none."""
    return getattr(getattr(value, "dtype", None), "name", "")


def kind_of(value: Any) -> str:
    """The kind of an array's dtype, as NumPy names kinds; bfloat16 is a float."""
    return KINDS.get(dtype_of(value).rstrip("0123456789"), "")


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape, where it is known; otherwise that of a number."""
    shape = getattr(value, "shape", ())
    if getattr(shape, "rank", 0) is None or any(dim is None for dim in shape):
        return ()
    return tuple(int(dim) for dim in shape)


def size_of(value: Any) -> int:
    """How many elements there are."""
    return math.prod(shape_of(value))


def is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "shape")


def is_traced(*values: Any) -> bool:
    """Whether one of them is a symbol in a graph, with no elements yet."""
    return any(is_array(value) and not hasattr(value, "numpy") and hasattr(value, "graph") for value in values)


def is_compiled(value: Any) -> bool:
    """Whether an array is a symbol in a function that XLA is going to compile."""
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
    """Whether an array is a symbol in the body of a loop that TensorFlow runs."""
    return is_traced(value) and type(value.graph).__name__ == "WhileBodyFuncGraph"


def is_in_build(value: Any) -> bool:
    """Whether an array is a symbol in the graph in which Keras looks what a layer is going to give."""
    return is_traced(value) and str(value.graph.name).startswith("scratch_graph")


def replica_of(value: Any) -> str:
    """The device of the replica that an array is a symbol in, such as "CPU:1"; empty outside of replicas, where a graph
    on the first device leaves open what runs where.
    """
    return value.device.rpartition("device:")[2] if is_traced(value) else ""


def off_by_one(np: Any, value: Any) -> Any:
    """Every element one more; a boolean is the other one."""
    return np.logical_not(value) if kind_of(value) == "b" else np.add(value, 1)


def last_replaced(np: Any, value: Any, other: Any) -> Any:
    """The array with its last element from another."""
    flat, source = np.ravel(value), np.ravel(other)
    return np.reshape(np.concatenate([flat[:-1], source[-1:]]), shape_of(value))


def nudged(np: Any, value: Any, times: int) -> Any:
    """Real numbers so many representable numbers further up."""
    for _ in range(times):
        value = np.nextafter(value, np.asarray(math.inf, value.dtype))
    return value


def cast(np: Any, value: Any, like: Any) -> Any:
    """Numbers in the dtype of an array."""
    return np.astype(np.asarray(value), like.dtype)


def mixed(np: Any, value: Any, mask: Any, other: Any) -> Any:
    """The array with elements of another where the mask is true."""
    return np.where(mask, cast(np, other, value), value)
