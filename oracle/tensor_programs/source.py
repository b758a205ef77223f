"""Programs as Python source that needs TensorFlow and NumPy only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oracle.reference.bfloat16 import BFLOAT16
from oracle.tensor_programs.steps import Chain, Constant, DType, Function, Input, Result, Step, Subscript
from oracle.tensor_programs.vocabulary import SEVERAL, SUBSCRIPT

MOST_STATED = 6  # elements, of an input that is told of in a line
MOST_LISTED = 64  # elements, of an array that is written out


def expression(program: Chain) -> str:
    """Return the program as one expression of its inputs `a`, `b`, ...; steps used twice are repeated."""
    return _call(program.steps[-1], program, nested=True)


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
    names = ", ".join(input_name(i) for i in range(len(program.inputs)))
    lines = [f"def f({names}):"]
    for index, step in enumerate(program.steps):
        target = "return" if index == len(program.steps) - 1 else f"s{index} ="
        lines.append(f"    {target} {_call(step, program, nested=False)}")
    return lines


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
        return f"tf.fill({list(array.shape)}, tf.constant({_scalar(flat[0])}, tf.{dtype}))"
    if array.size > MOST_LISTED:
        data = f"np.frombuffer(bytes.fromhex({array.tobytes().hex()!r}), tf.{dtype}.as_numpy_dtype)"
        return f"tf.constant({data}.reshape({array.shape}))"
    if array.size == 0:
        return f"tf.zeros({list(array.shape)}, tf.{dtype})"
    return f"tf.constant({_list_source(array)}, tf.{dtype})"


def have_same_bits(left: Any, right: Any) -> bool:
    """Return whether two scalars have the same bits."""
    return np.asarray(left).tobytes() == np.asarray(right).tobytes()


def _list_source(array: np.ndarray) -> str:
    if array.ndim == 0:
        return _scalar(array[()])
    return "[" + ", ".join(_list_source(row) for row in array) + "]"


def _scalar(value: Any) -> str:
    value = value.item() if not isinstance(value, bool | int | float | complex) and hasattr(value, "item") else value
    if isinstance(value, complex):
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    return (
        _float(value)
        if isinstance(value, float)
        else str(value)
        if isinstance(value, bool | int)
        else _float(float(value))
    )


def _float(value: float) -> str:
    value = float(value)
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def _call(step: Step, program: Chain, *, nested: bool) -> str:
    args = [_argument(value, program, nested) for value in step.args]
    if step.op == SUBSCRIPT:
        return f"{args[0]}[{args[1]}]"
    args += [f"{name}={_argument(value, program, nested)}" for name, value in step.kwargs.items()]
    return f"tf.{step.op}({', '.join(args)})"


def _argument(value: Any, owner: Chain, nested: bool) -> str:
    match value:
        case Input():
            return input_name(value.index)
        case Result():
            inner = _call(owner.steps[value.step], owner, nested=True) if nested else f"s{value.step}"
            return f"{inner}[{value.output}]" if owner.steps[value.step].op in SEVERAL else inner
        case Constant():
            return tensor_source(value.array)
        case DType():
            return f"tf.{value.name}"
        case Function():
            return f"tf.{value.name}"
        case Subscript():
            return ", ".join(_entry(entry) for entry in value.entries)
        case list():
            return "[" + ", ".join(_argument(item, owner, nested) for item in value) + "]"
        case float() | complex():
            return _scalar(value)
    return repr(value)


def _entry(entry: Any) -> str:
    if isinstance(entry, slice):
        parts = ["" if part is None else str(part) for part in (entry.start, entry.stop)]
        return ":".join(parts) + ("" if entry.step is None else f":{entry.step}")
    return "..." if entry is Ellipsis else "None" if entry is None else str(entry)
