"""AutoGraph's `and`, `or` and `a if c else b` on NumPy programs, where the graph does not know the condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfnp._core.tensorflow_internals import Undefined
from tfnp.numpy.arrays import Array
from tfnp.numpy.block_state import State
from tfnp.numpy.branches import Condition
from tfnp.numpy.loops import find_objects

Operand = Callable[[], Any]
_NAME = "the expression"


def choose(condition: Any, if_true: Operand, if_false: Operand, original: Operand) -> Any:
    """Return the value of one of two operands, of which only that one is calculated.

    They may be Python numbers and arrays that stand for numbers. What no name of a branch could become, such as one of
    two arrays, is left to TensorFlow, and so is a condition that is none of our arrays.
    """
    values = [Undefined(_NAME)]

    def get() -> tuple[Any]:
        return (values[0],)

    def put(new: tuple[Any]) -> None:
        values[:] = new

    objects = find_objects((if_true, if_false), (condition,)) if isinstance(condition, Array) else None
    if objects is None or objects.reason is not None:
        return original()
    branches = [lambda: put((if_true(),)), lambda: put((if_false(),))]
    try:
        Condition(branches, State(get, put, [_NAME]), 1).run(condition, objects)
    except Exception:  # noqa: BLE001 - no condition of the graph: the expression itself raises what is wrong with it
        objects.restore()
        return original()
    return values[0]


def run_and(original: Any, condition: Any, other: Operand) -> Any:
    """Return `condition and other()`."""
    return choose(condition, other, lambda: condition, lambda: original(condition, other))


def run_or(original: Any, condition: Any, other: Operand) -> Any:
    """Return `condition or other()`."""
    return choose(condition, lambda: condition, other, lambda: original(condition, other))


def run_conditional(original: Any, condition: Any, if_true: Operand, if_false: Operand, text: str) -> Any:
    """Return `if_true() if condition else if_false()`."""
    return choose(condition, if_true, if_false, lambda: original(condition, if_true, if_false, text))
