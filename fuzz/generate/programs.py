"""Programs: an array argument becomes the result of another call of the same shape and dtype, or is written to before
the call reads it.

A valid call stays valid: what replaces an array has its shape and dtype, and if its elements are integers, which may be
indices or counts, the same elements in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import Choices
from fuzz.generate.domains.random_sampling import draws_unseeded
from oracle import Case, run_numpy
from oracle.harness import destinations

MOST_CALLS = 12

# Makers: each returns a case whose result is an array like the given one.
Maker = Callable[[Choices, np.ndarray], Case]


def draw_program(choices: Choices, names: Sequence[str]) -> Case:
    """Draw a program of two to twelve calls: a call of one of `names`, and calls that make its arguments.

    Inner calls are of functions among `names` too, if any of those can make what is needed. In one program of five the
    result of an inner call is a result of the program, too. In one of four an array is written to before it is read, by
    functions of any name.
    """
    case = _draw_beginning(choices, names)
    makers = {name: maker for name, maker in MAKERS.items() if name in names} or MAKERS
    count = choices.integer(2, MOST_CALLS - 2)  # the last step may make two calls and pass on two results
    while len(case.calls()) < count:
        grown = _grown(choices, case, makers)
        if grown is case:
            break
        case = grown
    if choices.flag(0.25) and len(case.calls()) <= MOST_CALLS - 4:
        return _written_between(choices, case)
    if len(case.calls()) > 1 and choices.flag(0.2) and _is_judged_by_elements(case.name) and _answers_array(case):
        return Case("program", (case, choices.pick(case.calls()[:-1])))
    return case


def _draw_beginning(choices: Choices, names: Sequence[str]) -> Case:
    """Draw a call that can become a program: it has replaceable arrays, or returns one."""
    case = draw_case(choices, choices.pick(_seeded(tuple(names)) or names))
    for _ in range(3):
        if _inputs_of(case) or _answers_array(case):
            return case
        case = draw_case(choices, choices.pick(_seeded(tuple(names)) or names))
    return case if _inputs_of(case) else _passed_on(choices, case)


@cache
def _seeded(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names whose result can be passed on: not those that draw from the global state."""
    return tuple(name for name in names if not draws_unseeded(name))


def _grown(choices: Choices, case: Case, makers: dict[str, Maker]) -> Case:
    """Return the case with one of its arrays made by a call; without arrays, a call on the case's result, if that is an
    array.
    """
    inputs = _inputs_of(case)
    if not inputs:
        return _passed_on(choices, case) if _answers_array(case) else case
    old = choices.pick(inputs)
    fitting = [name for name in makers if _fits(name, old)]
    name = choices.pick(fitting) if fitting else choices.pick([name for name in MAKERS if _fits(name, old)])
    new = MAKERS[name](choices, np.array(old, old.dtype.newbyteorder("=")))
    return case.map_arrays(lambda array: new if array is old else array)


def _is_judged_by_elements(name: str) -> bool:
    """Return whether results are compared element by element, and their dtype does not depend on values. Others have
    checkers of their own, which look at the last call of a program only.
    """
    return name.partition(".")[0] not in ("linalg", "polynomial", "random", "emath") and name not in ("roots", "poly")


def _inputs_of(case: Case) -> list[np.ndarray]:
    """Return the arrays that the case reads, of dtypes that are drawn."""
    written = {id(array) for array in destinations(case)}
    return [array for array in case.arrays() if id(array) not in written and array.dtype in arrays.WEIGHTS]


def _answers_array(case: Case) -> bool:
    """Return whether NumPy returns an array of numbers: errors, None and lists say nothing when passed on."""
    outcome = run_numpy(case)
    return outcome.ok and isinstance(outcome.value, (np.ndarray, np.generic)) and outcome.value.dtype in arrays.WEIGHTS


def _written_between(choices: Choices, case: Case) -> Case:
    """Return the case with one of its arrays written to, by one or two calls, before it is read; sometimes the array's
    earlier value is the program's first result. If no array can be written to, the case is unchanged.

    Of integers, which may be indices or counts, only the order changes.
    """
    written = {id(array) for array in destinations(case)}
    arrays = [array for array in case.arrays() if id(array) not in written and _is_writable(array)]
    if not arrays:
        return case
    old = choices.pick(arrays)
    target = np.array(old, old.dtype.newbyteorder("="))
    fitting = [name for name in WRITES if _can_be_written(name, target)]
    writes = [WRITES[choices.pick(fitting)](choices, target) for _ in range(choices.integer(1, 2))]
    new = Case("last", (*writes, target))
    case = case.map_arrays(lambda array: new if array is old else array)
    if written or not choices.flag():  # functions that write have no result to pass on
        return case
    return Case("program", (Case("copy", (target,)), case))


def _is_writable(array: np.ndarray) -> bool:
    return array.dtype in arrays.WEIGHTS and array.flags.writeable and arrays.kind(array.dtype) in "biufc"


def _can_be_written(name: str, array: np.ndarray) -> bool:
    if arrays.kind(array.dtype) in "iu":
        return name == "copyto"
    if name in {"add", "multiply.at"}:
        return arrays.kind(array.dtype) in "fc" and (name == "add" or (array.ndim > 0 and array.size > 0))
    return name in {"copyto", "putmask"} or (
        array.ndim > 0 and array.size > 0 and (name != "fill_diagonal" or array.ndim == 2)
    )


def _copied_to(choices: Choices, array: np.ndarray) -> Case:
    if arrays.kind(array.dtype) in "iu":
        return Case("copyto", (array, np.array(np.flip(array))))
    return Case("copyto", (array, _another(choices, array)))


def _added_to(choices: Choices, array: np.ndarray) -> Case:
    return Case("add", (array, _another(choices, array)), {"out": array})


def _multiplied_at(choices: Choices, array: np.ndarray) -> Case:
    """Return a call of `multiply.at` on some rows, one of which may occur twice."""
    positions = _rows(choices, array)
    return Case("multiply.at", (array, positions, _another(choices, array[positions])))


def _put_to(choices: Choices, array: np.ndarray) -> Case:
    positions = np.array([choices.integer(0, array.size - 1) for _ in range(choices.integer(1, 3))])
    return Case("put", (array, positions, arrays.array(choices, array.dtype, positions.shape)))


def _masked(choices: Choices, array: np.ndarray) -> Case:
    mask = arrays.array(choices, np.dtype(np.bool), array.shape)
    return Case("putmask", (array, mask, _another(choices, array)))


def _filled(choices: Choices, array: np.ndarray) -> Case:
    return Case("fill_diagonal", (array, arrays.array(choices, array.dtype, ())))


def _assigned(choices: Choices, array: np.ndarray) -> Case:
    """Return a call that assigns to a row, to rows by index, or to a slice of rows."""
    rows = _rows(choices, array)
    index: Any = choices.pick((int(rows[0]), rows, slice(None, None, 2)))
    return Case("ndarray.__setitem__", (array, index, _another(choices, np.asarray(array[index]))))


def _rows(choices: Choices, array: np.ndarray) -> np.ndarray:
    return np.array([choices.integer(0, len(array) - 1) for _ in range(choices.integer(1, 3))])


WRITES: dict[str, Maker] = {
    "copyto": _copied_to,
    "add": _added_to,
    "multiply.at": _multiplied_at,
    "put": _put_to,
    "putmask": _masked,
    "fill_diagonal": _filled,
    "ndarray.__setitem__": _assigned,
}
"""Calls that change an array which a program reads afterwards."""


def _passed_on(choices: Choices, case: Case) -> Case:
    """Return the call of a function that takes nearly anything, on the result of the case."""
    return Case(choices.pick(("ravel", "shape", "sum", "isfinite", "array", "negative")), (case,))


def _fits(name: str, array: np.ndarray) -> bool:
    kind = arrays.kind(array.dtype)
    if name in FLOATING:
        return kind in "fc"
    if name in BOOLEAN:
        return kind == "b"
    if name == "broadcast_to":
        return array.ndim > 0 and array.shape[0] > 0
    if name in {"concatenate", "flip", "roll", "swapaxes"}:
        return array.ndim > 0
    return name not in {"maximum", "minimum"} or kind != "c"


def _another(choices: Choices, array: np.ndarray) -> np.ndarray:
    return arrays.array(choices, array.dtype, array.shape)


def _unary(name: str) -> Maker:
    return lambda choices, array: Case(name, (array,))


def _binary(name: str) -> Maker:
    """Return a maker with two operands, in one case of three the same array twice."""
    return lambda choices, array: Case(name, (array, array if choices.flag(0.3) else _another(choices, array)))


def _squared(name: str) -> Maker:
    """Return a maker that multiplies the result of a call by itself: a shared subexpression."""

    def make(choices: Choices, array: np.ndarray) -> Case:
        inner = Case(choices.pick(("negative", "square", "positive")), (array,))
        return Case(name, (inner, inner))

    return make


def _compared(name: str) -> Maker:
    def make(choices: Choices, array: np.ndarray) -> Case:
        dtype = choices.pick(arrays.REALS)
        return Case(name, tuple([arrays.array(choices, dtype, array.shape) for _ in range(2)]))

    return make


def _reduced(name: str) -> Maker:
    """Return a maker that reduces over a new axis, in front or at the end."""

    def make(choices: Choices, array: np.ndarray) -> Case:
        count = choices.integer(1, 3)
        taller = arrays.array(choices, array.dtype, (count, *array.shape))
        return Case(name, (taller,), {"axis": 0})

    return make


def _reshaped(choices: Choices, array: np.ndarray) -> Case:
    return Case("reshape", (array.reshape(-1), array.shape))


def _transposed(choices: Choices, array: np.ndarray) -> Case:
    return Case("transpose", (np.ascontiguousarray(array.T).reshape(array.T.shape),))


def _swapped(choices: Choices, array: np.ndarray) -> Case:
    first, second = choices.integer(0, array.ndim - 1), choices.integer(0, array.ndim - 1)
    return Case("swapaxes", (np.ascontiguousarray(array.swapaxes(first, second)), first, second))


def _flipped(choices: Choices, array: np.ndarray) -> Case:
    return Case("flip", (array,), {"axis": choices.pick((None, *range(array.ndim)))})


def _rolled(choices: Choices, array: np.ndarray) -> Case:
    return Case("roll", (array, choices.integer(-2, 2)), {"axis": choices.integer(0, array.ndim - 1)})


def _joined(choices: Choices, array: np.ndarray) -> Case:
    axis = choices.integer(0, array.ndim - 1)
    index = choices.integer(0, array.shape[axis])
    parts = np.split(array, [index], axis)
    return Case("concatenate", ([np.array(part) for part in parts],), {"axis": axis})


def _chosen(choices: Choices, array: np.ndarray) -> Case:
    mask = arrays.array(choices, np.dtype(np.bool), arrays.narrowed(choices, array.shape))
    return Case("where", (mask, array, array if choices.flag(0.2) else _another(choices, array)))


def _squeezed(choices: Choices, array: np.ndarray) -> Case:
    return Case("squeeze", (array[None],), {"axis": 0})


def _expanded(choices: Choices, array: np.ndarray) -> Case:
    """Return two calls: one adds an axis, the other removes it."""
    return Case("squeeze", (Case("expand_dims", (array,), {"axis": -1}),), {"axis": -1})


def _widened(choices: Choices, array: np.ndarray) -> Case:
    return Case("broadcast_to", (array[:1], array.shape))


REARRANGEMENTS: dict[str, Maker] = {
    "reshape": _reshaped,
    "transpose": _transposed,
    "swapaxes": _swapped,
    "flip": _flipped,
    "roll": _rolled,
    "concatenate": _joined,
    "squeeze": _squeezed,
    "expand_dims": _expanded,
    "broadcast_to": _widened,
    "copy": _unary("copy"),
    "maximum": _binary("maximum"),
    "minimum": _binary("minimum"),
    "where": _chosen,
}
FLOATING: dict[str, Maker] = {
    **{name: _unary(name) for name in ("negative", "sin", "tanh", "square", "sqrt", "exp", "conj")},
    **{name: _binary(name) for name in ("add", "subtract", "divide")},
    "multiply": _squared("multiply"),
    **{name: _reduced(name) for name in ("sum", "mean", "prod")},
}
BOOLEAN: dict[str, Maker] = {
    "logical_not": _unary("logical_not"),
    **{name: _binary(name) for name in ("logical_and", "logical_or", "logical_xor")},
    **{name: _compared(name) for name in ("less", "equal", "greater_equal")},
    **{name: _reduced(name) for name in ("any", "all")},
}
MAKERS: dict[str, Maker] = {**REARRANGEMENTS, **FLOATING, **BOOLEAN}
