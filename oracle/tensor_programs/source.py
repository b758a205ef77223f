"""Programs as Python source that needs TensorFlow and NumPy only: calls are written as those of any case, arrays as
tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case import source
from oracle.case.model import Case
from oracle.reference.bfloat16 import BFLOAT16
from oracle.tensor_programs.encoding import PREFIX, as_case
from oracle.tensor_programs.steps import Chain, Input

MOST_STATED = 6  # elements, of an input that is told of in a line
MOST_LISTED = 64  # elements, of an array that is written out


def expression(program: Chain) -> str:
    """Return the program as one expression of its inputs `a`, `b`, ...; steps used twice are repeated."""
    return _as_case(program).typed("tf", tensor_source, _write_other)


def statement(program: Chain) -> str:
    """Return the program as an expression, with the values of its small inputs."""
    values = [
        f"{input_name(i)} = {tensor_source(array)}" if array.size <= MOST_STATED else f"{input_name(i)}: {_form(array)}"
        for i, array in enumerate(program.inputs)
    ]
    slope = "the gradient of " if program.gradient else ""
    return f"{slope}{expression(program)}" + (f", {', '.join(values)}" if values else "")


def _form(array: np.ndarray) -> str:
    return f"{array.dtype.name}{list(array.shape)}"


def function_source(program: Chain) -> list[str]:
    """Return the lines of a function `f` of the inputs."""
    lines = _as_case(program).statements("tf", tensor_source, _write_other)
    names = ", ".join(input_name(i) for i in range(len(program.inputs)))
    return [f"def f({names}):", *(f"    {line}" for line in lines[:-1]), f"    return {lines[-1]}"]


def _as_case(program: Chain) -> Case:
    return as_case([Input(index) for index in range(len(program.inputs))], program.steps)


def input_lines(program: Chain) -> list[str]:
    """Return a line for each input."""
    return [f"{input_name(i)} = {tensor_source(array)}" for i, array in enumerate(program.inputs)]


def input_name(index: int) -> str:
    """Return the name of an input: a, b, c, ..."""
    return "abcdeghijklmnopq"[index] if index < 16 else f"x{index}"


def tensor_source(array: np.ndarray) -> str:
    """Return an expression for a tensor with the elements of the array."""
    dtype = "bfloat16" if array.dtype == BFLOAT16 else array.dtype.name
    flat = np.ravel(array)
    if array.size > 1 and all(have_same_bits(x, flat[0]) for x in flat):
        return f"tf.fill({list(array.shape)}, tf.constant({source.elements(flat[0])}, tf.{dtype}))"
    if array.size > MOST_LISTED:
        data = f"np.frombuffer(bytes.fromhex({array.tobytes().hex()!r}), tf.{dtype}.as_numpy_dtype)"
        return f"tf.constant({data}.reshape({array.shape}))"
    if array.size == 0:
        return f"tf.zeros({list(array.shape)}, tf.{dtype})"
    return f"tf.constant({source.elements(array)}, tf.{dtype})"


def have_same_bits(left: Any, right: Any) -> bool:
    """Return whether two scalars have the same bits."""
    return np.asarray(left).tobytes() == np.asarray(right).tobytes()


def _write_other(value: Any) -> str | None:
    if isinstance(value, Input):
        return input_name(value.index)
    if isinstance(value, np.dtype):
        return f"tf.{value.name}"
    return value if isinstance(value, str) and value.startswith(PREFIX) else None
