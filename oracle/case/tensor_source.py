"""Programs of TensorFlow's ops as Python source that needs TensorFlow and NumPy only: calls are written as those of any
case, arrays as tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from oracle.case import source
from oracle.case.tensor_ops import GRADIENT, PREFIX

MOST_STATED = 6  # elements, of an input that is told of in a line
MOST_LISTED = 64  # elements, of an array that is written out


class Typed(Protocol):
    """Protocol: a case, which can be written as source."""

    @property
    def name(self) -> str: ...
    @property
    def args(self) -> tuple[Any, ...]: ...

    def typed(
        self, module: str, array: Callable[[np.ndarray], str] | None, other: Callable[[Any], str | None] | None
    ) -> str: ...

    def statements(
        self, module: str, array: Callable[[np.ndarray], str], other: Callable[[Any], str | None] | None
    ) -> list[str]: ...

    def arrays(self) -> list[np.ndarray]: ...


def list_inputs(case: Any) -> list[np.ndarray]:
    """Return the arrays of a program that are no constants, in order of appearance."""
    return [array for array in case.arrays() if array.flags.writeable]


def write_expression(case: Typed) -> str:
    """Return the program as one expression of its inputs `a`, `b`, ...; calls used twice are repeated."""
    inner = case.args[0] if case.name == GRADIENT else case
    text: str = inner.typed("tf", _name_inputs(case), _write_other)
    return f"the gradient of {text}" if case.name == GRADIENT else text


def write_statement(case: Typed) -> str:
    """Return the program as an expression, with the values of its small inputs."""
    values = [
        f"{input_name(i)} = {write_tensor(array)}" if array.size <= MOST_STATED else f"{input_name(i)}: {_form(array)}"
        for i, array in enumerate(list_inputs(case))
    ]
    return ", ".join([write_expression(case), *values])


def _form(array: np.ndarray) -> str:
    return f"{array.dtype.name}{list(array.shape)}"


def write_function(case: Typed) -> list[str]:
    """Return the lines of a function `f` of the inputs; of a gradient, the function that is differentiated."""
    inner = case.args[0] if case.name == GRADIENT else case
    lines = inner.statements("tf", _name_inputs(case), _write_other)
    names = ", ".join(input_name(i) for i in range(len(list_inputs(case))))
    return [f"def f({names}):", *(f"    {line}" for line in lines[:-1]), f"    return {lines[-1]}"]


def _name_inputs(case: Typed) -> Callable[[np.ndarray], str]:
    names = {id(array): input_name(i) for i, array in enumerate(list_inputs(case))}
    return lambda array: names.get(id(array)) or write_tensor(array)


def write_inputs(case: Typed) -> list[str]:
    """Return a line for each input."""
    return [f"{input_name(i)} = {write_tensor(array)}" for i, array in enumerate(list_inputs(case))]


def input_name(index: int) -> str:
    """Return the name of an input: a, b, c, ..."""
    return "abcdeghijklmnopq"[index] if index < 16 else f"x{index}"


def write_tensor(array: np.ndarray) -> str:
    """Return an expression for a tensor with the elements of the array."""
    flat = np.ravel(array)
    if array.size > 1 and len({element.tobytes() for element in flat}) == 1:
        return f"tf.fill({list(array.shape)}, {_write_scalar(flat[0])})"
    if array.size > MOST_LISTED:
        data = f"np.frombuffer(bytes.fromhex({array.tobytes().hex()!r}), tf.{array.dtype.name}.as_numpy_dtype)"
        return f"tf.constant({data}.reshape({array.shape}))"
    if array.size == 0:
        return f"tf.zeros({list(array.shape)}, tf.{array.dtype.name})"
    return _write_scalar(array) if array.ndim == 0 else f"tf.constant({source.elements(array)}, tf.{array.dtype.name})"


def _write_scalar(number: Any) -> str:
    """Return an expression for a tensor of one element. Eager TensorFlow keeps a cache of the Python numbers that it
    converts, in which -0.0 is 0.0.
    """
    text = source.elements(number)
    if text == "-0.0":
        return f"-tf.constant(0.0, tf.{number.dtype.name})"
    return f"tf.constant({text}, tf.{number.dtype.name})"


def _write_other(value: Any) -> str | None:
    if isinstance(value, np.dtype):
        return f"tf.{value.name}"
    return value if isinstance(value, str) and value.startswith(PREFIX) else None
