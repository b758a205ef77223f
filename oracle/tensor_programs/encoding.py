"""Encoding programs as JSON. What is decoded is checked against the vocabulary and against limits: a file is only
data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from oracle.case.decoding import Undecodable
from oracle.reference.bfloat16 import BFLOAT16
from oracle.tensor_programs.steps import Constant, DType, Function, Input, Result, Step, Subscript
from oracle.tensor_programs.vocabulary import DTYPES, FUNCTIONS, OPS, WORDS

FORMAT = "tensorflow program 1"
MOST_ELEMENTS = 1 << 18
MOST_STEPS = 32
DEEPEST = 4
LONGEST_HEAD = 100  # characters, within which a program says that it is one


def encode(inputs: Sequence[np.ndarray], steps: Sequence[Step], *, gradient: bool) -> str:
    """Return a program as JSON text."""
    data = {
        "format": FORMAT,
        "inputs": [_of_array(array) for array in inputs],
        "steps": [
            {
                "op": step.op,
                "args": [_of_value(value) for value in step.args],
                "kwargs": {name: _of_value(value) for name, value in sorted(step.kwargs.items())},
            }
            for step in steps
        ],
        "gradient": gradient,
    }
    return json.dumps(data)


def is_program(text: str) -> bool:
    """Return whether a text looks like a program's, which may still be undecodable."""
    return '"tensorflow program' in text[:LONGEST_HEAD]


def decode(text: str) -> tuple[tuple[np.ndarray, ...], tuple[Step, ...], bool]:
    """Return the inputs of a program from its JSON text, its steps, and whether it is a gradient. Raises
    Undecodable.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT or len(data["steps"]) > MOST_STEPS or not data["steps"]:
            raise Undecodable("no program of a few steps")
        inputs = tuple(_as_array(entry) for entry in data["inputs"])
        steps = tuple(_as_step(entry) for entry in data["steps"])
        gradient = bool(data["gradient"])
    except Undecodable:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise Undecodable(f"no program: {type(error).__name__}") from None
    _check_references(len(inputs), steps)
    return inputs, steps, gradient


def find_dtype(name: str) -> np.dtype:
    """Return the NumPy dtype for a name of TensorFlow's."""
    if name not in DTYPES:
        raise Undecodable(f"no dtype {name!r:.40}")
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def _check_references(inputs: int, steps: Sequence[Step]) -> None:
    for index, step in enumerate(steps):
        for value in step.values():
            if isinstance(value, Input) and not 0 <= value.index < inputs:
                raise Undecodable("an input that there is not")
            if isinstance(value, Result) and not (0 <= value.step < index and value.output >= 0):
                raise Undecodable("a result that there is not yet")


def _as_step(entry: Any) -> Step:
    if entry["op"] not in OPS:
        raise Undecodable(f"no op {entry['op']!r:.60}")
    kwargs = {str(name): _as_value(value) for name, value in entry["kwargs"].items() if str(name).isidentifier()}
    return Step(entry["op"], tuple(_as_value(value) for value in entry["args"]), kwargs)


def _of_array(array: np.ndarray) -> dict[str, Any]:
    dtype = "bfloat16" if array.dtype == BFLOAT16 else array.dtype.name
    flat = np.ravel(array)
    data: list[Any]
    if array.dtype.kind == "c":
        data = [[_of_float(float(x.real)), _of_float(float(x.imag))] for x in flat]
    elif array.dtype.kind == "f" or array.dtype == BFLOAT16:
        data = [_of_float(float(x)) for x in flat]
    else:
        data = flat.tolist()
    return {"dtype": dtype, "shape": list(array.shape), "data": data}


def _as_array(entry: Any) -> np.ndarray:
    dtype, shape, data = find_dtype(entry["dtype"]), tuple(int(n) for n in entry["shape"]), entry["data"]
    if len(data) != math.prod(shape) or len(data) > MOST_ELEMENTS or len(shape) > 8 or min(shape, default=0) < 0:
        raise Undecodable("an array whose elements do not fit its shape")
    if dtype.kind == "c":
        values = np.empty(len(data), dtype)
        values.real = [float(x) for x, _ in data]
        values.imag = [float(y) for _, y in data]
    elif dtype.kind == "f" or dtype == BFLOAT16:
        with np.errstate(over="ignore"):
            values = np.array([float(x) for x in data], np.float64).astype(dtype)
    else:
        values = np.array(data, dtype=dtype) if data else np.empty(0, dtype)
    return values.reshape(shape)


def _of_float(value: float) -> float | str:
    return value if math.isfinite(value) else repr(value)


def _of_value(value: Any) -> Any:
    match value:
        case Input():
            return {"input": value.index}
        case Result():
            return {"step": value.step, "output": value.output}
        case Constant():
            return {"constant": _of_array(value.array)}
        case DType():
            return {"dtype": value.name}
        case Function():
            return {"function": value.name}
        case Subscript():
            return {"subscript": [_of_entry(entry) for entry in value.entries]}
        case float():
            return {"float": _of_float(value)}
        case complex():
            return {"complex": [_of_float(value.real), _of_float(value.imag)]}
        case list():
            return [_of_value(item) for item in value]
    return value


def _as_value(data: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise Undecodable("lists within lists within lists")
    if isinstance(data, list):
        return [_as_value(item, depth + 1) for item in data]
    if isinstance(data, str):
        if data not in WORDS:
            raise Undecodable(f"no word that an op takes: {data!r:.40}")
        return data
    if data is None or isinstance(data, bool | int):
        return data
    (kind, *_), content = data, data[next(iter(data))]
    if kind == "step":
        return Result(int(data["step"]), int(data["output"]))
    if kind == "dtype":
        find_dtype(content)
        return DType(content)
    if kind == "function":
        if content not in FUNCTIONS:
            raise Undecodable(f"no op that a loop calls: {content!r:.40}")
        return Function(content)
    readers = {
        "input": lambda: Input(int(content)),
        "constant": lambda: Constant(_as_array(content)),
        "subscript": lambda: Subscript(tuple(_as_entry(entry) for entry in content)),
        "float": lambda: float(content),
        "complex": lambda: complex(float(content[0]), float(content[1])),
    }
    return readers[kind]()


def _of_entry(entry: Any) -> Any:
    if isinstance(entry, slice):
        return {"slice": [entry.start, entry.stop, entry.step]}
    return "..." if entry is Ellipsis else entry


def _as_entry(data: Any) -> Any:
    if isinstance(data, dict):
        start, stop, step = (None if part is None else int(part) for part in data["slice"])
        return slice(start, stop, step)
    return Ellipsis if data == "..." else None if data is None else int(data)
