"""Programs as cases: a step is a call named `tf.*`, its operands are calls and arrays, and a read-only array is a
constant of the graph. Their texts are those of `oracle.case`; what is decoded is checked against the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from oracle.case import decoding
from oracle.case.decoding import Undecodable
from oracle.case.encoding import Codec
from oracle.case.model import Case, decode_case, encode_case
from oracle.case.vocabulary import quote
from oracle.reference.bfloat16 import BFLOAT16
from oracle.tensor_programs.steps import Constant, DType, Function, Input, Result, Step, Subscript
from oracle.tensor_programs.vocabulary import DTYPES, FUNCTIONS, OPS, SEVERAL, SUBSCRIPT, WORDS

PREFIX = "tf."
GRADIENT = "tf.gradient"
"""The name of a case that is no op: the gradient of the sum of its argument's first tensor."""

GETITEM = "ndarray.__getitem__"
"""Square brackets, as in calls of NumPy's API; behind an op that gives several tensors, the choice of one."""

MOST_STEPS = 32
_OF_PROGRAM = re.compile(r'"case": ?"tf\.')


def is_program(text: str) -> bool:
    """Return whether a text looks like a program's, which may still be undecodable."""
    return _OF_PROGRAM.search(text) is not None


def find_dtype(name: str) -> np.dtype:
    """Return the NumPy dtype for a name of TensorFlow's."""
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def as_case(inputs: Sequence[Any], steps: Sequence[Step]) -> Case:
    """Return steps as a case, with `inputs` as their inputs: arrays that can be written, in C order, or their names."""
    calls: list[Case] = []

    def operand(value: Any) -> Any:
        match value:
            case Input():
                return inputs[value.index]
            case Result():
                several = steps[value.step].op in SEVERAL
                return Case(GETITEM, (calls[value.step], value.output)) if several else calls[value.step]
            case Constant():
                array = np.array(value.array, order="C")
                array.flags.writeable = False
                return array
            case DType():
                return find_dtype(value.name)
            case Function():
                return PREFIX + value.name
            case Subscript():
                return value.entries if len(value.entries) != 1 else value.entries[0]
        return value

    for step in steps:
        made = step.map(operand)
        calls.append(Case(GETITEM if step.op == SUBSCRIPT else PREFIX + step.op, made.args, made.kwargs))
    return calls[-1]


def encode(inputs: Sequence[np.ndarray], steps: Sequence[Step], *, gradient: bool) -> str:
    """Return the text of a program's case."""
    case = as_case([np.array(array, order="C") for array in inputs], steps)
    return (Case(GRADIENT, (case,)) if gradient else case).json()


def decode(text: str) -> tuple[tuple[np.ndarray, ...], tuple[Step, ...], bool]:
    """Return the inputs of a program from the text of its case, its steps, and whether it is a gradient. Raises
    Undecodable.
    """
    case = decoding.decode(decoding.parse_json(text, floats=False), (_CODEC,))
    if not isinstance(case, Case):
        raise Undecodable('no program: expected an object with the key "case"')
    return _Reader().read(case)


def _check_op(name: str) -> None:
    if name not in (GETITEM, GRADIENT) and not (name.startswith(PREFIX) and name.removeprefix(PREFIX) in _CALLED):
        raise ValueError(f"no op {quote(name)}")


_CALLED = OPS - {SUBSCRIPT}
_CODEC = Codec("case", ("args", "kwargs"), Case, encode_case, partial(decode_case, check=_check_op))


class _Reader:
    """The inputs and steps of a case that were found so far."""

    def __init__(self) -> None:
        self.inputs: dict[int, tuple[int, np.ndarray]] = {}
        self.indices: dict[int, int] = {}
        self.steps: list[Step] = []

    def read(self, case: Case) -> tuple[tuple[np.ndarray, ...], tuple[Step, ...], bool]:
        gradient = case.name == GRADIENT
        result = case.args[0] if gradient and len(case.args) == 1 and not case.kwargs else case
        if not isinstance(self.read_value(result), Result) or self.is_choice(result):
            raise Undecodable("no program: the result is that of no op")
        if len(self.steps) > MOST_STEPS:
            raise Undecodable(f"no program of at most {MOST_STEPS} steps")
        return tuple(array for _, array in self.inputs.values()), tuple(self.steps), gradient

    def read_value(self, value: Any) -> Any:
        if isinstance(value, Case):
            return self.read_call(value)
        if isinstance(value, np.ndarray):
            return self.read_array(value)
        if isinstance(value, list):
            return [self.read_value(item) for item in value]
        if isinstance(value, np.dtype):
            return DType(_name_dtype(value))
        if isinstance(value, str):
            return _read_text(value)
        if value is None or isinstance(value, bool | int | float | complex):
            return value
        raise Undecodable(f"no argument of an op: {quote(value)}")

    def read_array(self, array: np.ndarray) -> Constant | Input:
        _name_dtype(array.dtype)
        if not array.flags.writeable:
            return Constant(np.array(array, order="C"))
        index, _ = self.inputs.setdefault(id(array), (len(self.inputs), array))
        return Input(index)

    def is_choice(self, value: Any) -> bool:
        """Return whether a case chooses one of an op's tensors."""
        return value.name == GETITEM and isinstance(value.args[0], Case) and value.args[0].name[3:] in SEVERAL

    def read_call(self, call: Case) -> Result:
        if call.name == GETITEM and (len(call.args) != 2 or call.kwargs):
            raise Undecodable("no subscript of one index")
        if self.is_choice(call):
            owner, output = call.args
            if type(output) is not int or output < 0:
                raise Undecodable("no number of a tensor of several")
            return Result(self.read_call(owner).step, output)
        if id(call) not in self.indices:
            args = (self.read_value(call.args[0]), _read_index(call.args[1])) if call.name == GETITEM else None
            made = args if args is not None else tuple(map(self.read_value, call.args))
            kwargs = {key: self.read_value(value) for key, value in call.kwargs.items()}
            op = SUBSCRIPT if call.name == GETITEM else call.name.removeprefix(PREFIX)
            if op not in OPS:
                raise Undecodable(f"{quote(call.name)} amid a program")
            self.indices[id(call)] = len(self.steps)
            self.steps.append(Step(op, made, kwargs))
        return Result(self.indices[id(call)])


def _read_index(index: Any) -> Subscript:
    entries = index if isinstance(index, tuple) else (index,)
    parts = [part for entry in entries for part in _list_parts(entry)]
    if not all(part is None or part is Ellipsis or type(part) is int for part in parts):
        raise Undecodable("no index of integers, slices, None and Ellipsis")
    return Subscript(entries)


def _list_parts(entry: Any) -> tuple[Any, ...]:
    return (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)


def _read_text(text: str) -> Any:
    if text.removeprefix(PREFIX) in FUNCTIONS and text.startswith(PREFIX):
        return Function(text.removeprefix(PREFIX))
    if text not in WORDS:
        raise Undecodable(f"no word that an op takes: {quote(text)}")
    return text


def _name_dtype(dtype: np.dtype) -> str:
    if dtype.name not in DTYPES or not dtype.isnative:
        raise Undecodable(f"no dtype of TensorFlow's: {quote(dtype.name)}")
    return dtype.name
