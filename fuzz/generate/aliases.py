"""Programs that write to arrays through views of views, with overlapping operands and outputs.

The results hold a copy of every alias, before the first write and after each: so a view that is a copy, a write that is
lost, or one that another alias does not see is a wrong value. All elements are small integers, also those of floating
dtypes, so that no result is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from fuzz.generate.choices import Choices
from oracle import Case
from oracle.harness import attribute_of_first

MOST_ALIASES = 5
MOST_WRITES = 4
DTYPES = tuple(map(np.dtype, ("float64", "float64", "float64", "float32", "int64", "complex128")))


class AliasProgram:
    """A program while it is drawn: `aliases` are the calls that made its arrays. It is run on NumPy to know shapes."""

    def __init__(self, choices: Choices, names: Sequence[str]) -> None:
        self.choices = choices
        self.views = [name for name in VIEWS if name in names] or list(VIEWS)
        self.writes = [name for name in WRITES if name in names] or list(WRITES)
        self.dtype = choices.pick(DTYPES)
        self.aliases: list[Case] = []
        self.results: list[Case] = []
        self._values: dict[int, Any] = {}

    def value(self, case: Case) -> np.ndarray:
        """Return NumPy's array that an alias is."""
        return self._values[id(case)]

    def run(self, case: Case) -> Case:
        """Make a call on NumPy's arrays."""
        find = attribute_of_first if case.name.startswith("ndarray.") else lambda name: attrgetter(name)(np)

        def settle(value: Any) -> Any:
            return self.value(value) if type(value) is Case else value

        options = {key: settle(value) for key, value in case.kwargs.items()}
        self._values[id(case)] = find(case.name)(*map(settle, case.args), **options)
        return case

    def add_base(self) -> None:
        """Add a new array."""
        shape = tuple(self.choices.integer(1, 4) for _ in range(self.choices.integer(1, 3)))
        self.aliases.append(self.run(Case("array", (self.new_array(shape, self.dtype),))))

    def add_view(self) -> None:
        """Add a view of one of the arrays, where one of the functions fits."""
        alias = self.choices.pick(self.aliases)
        fitting = [name for name in self.views if FITS.get(name, fits_any)(self.value(alias))]
        if fitting:
            name = self.choices.pick(fitting)
            self.aliases.append(self.run(Case(name, (alias, *VIEWS[name](self.choices, self.value(alias))))))

    def add_write(self) -> None:
        """Add a write to one of the arrays, where one of the functions fits, and a copy of each alias after it."""
        targets = [alias for alias in self.aliases if self.value(alias).flags.writeable]
        target = self.choices.pick(targets)
        array = self.value(target)
        name = self.choices.pick([name for name in self.writes if FITS.get(name, fits_any)(array)] or ["copyto"])
        write = self.run(WRITES[name](self, name, target))
        self.read(Case("last", (write, self.aliases[0])))
        if self._values[id(write)] is array and len(self.aliases) < MOST_ALIASES and self.choices.flag(0.3):
            self.aliases.append(write)

    def read(self, first: Case) -> None:
        """Add a copy of each alias to the results. `first` stands for the first alias."""
        self.results += [Case("copy", (alias,)) for alias in (first, *self.aliases[1:])]

    def new_array(self, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
        """Return an array of small integers."""
        elements = [self.choices.integer(-2, 2) for _ in range(int(np.prod(shape, dtype=int)))]
        return np.array(elements, dtype).reshape(shape)

    def operand(self, shape: Sequence[int], dtype: np.dtype) -> Any:
        """Return another alias that broadcasts to a shape and may overlap with the target, a number, or an array."""
        fitting = [
            alias
            for alias in self.aliases
            if self.value(alias).dtype == dtype and _broadcasts(self.value(alias).shape, shape)
        ]
        if fitting and self.choices.flag(0.6):
            return self.choices.pick(fitting)
        if self.choices.flag(0.3):
            return self.choices.integer(-2, 2)
        return self.new_array(shape, dtype)


def can_draw(names: Sequence[str]) -> bool:
    """Return whether a view or a write is among the names."""
    return any(name in VIEWS or name in WRITES for name in names)


def draw_aliases(choices: Choices, names: Sequence[str]) -> Case:
    """Draw a program that writes through views. Views and writes are functions among `names`, if those have any."""
    program = AliasProgram(choices, names)
    for _ in range(choices.integer(1, 2)):
        program.add_base()
    for _ in range(choices.integer(1, 3)):
        program.add_view()
    program.read(program.aliases[0])
    for _ in range(choices.integer(1, MOST_WRITES)):
        program.add_write()
        if len(program.aliases) < MOST_ALIASES and choices.flag(0.3):
            program.add_view()
    return Case("program", tuple(program.results))


def _broadcasts(shape: Sequence[int], target: Sequence[int]) -> bool:
    try:
        return np.broadcast_shapes(tuple(shape), tuple(target)) == tuple(target)
    except ValueError:
        return False


# Views: each returns the arguments after the array.


def _index(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    """Return a basic index that leaves an axis, so that the result is an array."""
    key: list[Any] = []
    for axis in range(array.ndim):
        if array.shape[axis] and len(key) < array.ndim - 1 and choices.flag(0.3):
            key.append(choices.integer(-array.shape[axis], array.shape[axis] - 1))
        else:
            start = choices.pick((None, None, 0, 1))
            key.append(slice(start, None, choices.pick((None, None, 2, -1))) if start is None else slice(start, None))
    if choices.flag(0.2):
        key[choices.integer(0, len(key) - 1) :] = [...]
    if choices.flag(0.1):
        key.insert(choices.integer(0, len(key)), None)
    return (tuple(key),)


def _order(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    axes = list(range(array.ndim))
    order = [axes.pop(choices.integer(0, len(axes) - 1)) for _ in range(array.ndim)]
    return (tuple(order),)


def _two_axes(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    return choices.integer(0, array.ndim - 1), choices.integer(0, array.ndim - 1)


def _new_shape(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    first = choices.pick([dim for dim in range(1, array.size + 1) if array.size % dim == 0])
    return (choices.pick((-1, (first, -1), (first, array.size // first), array.shape[::-1], (*array.shape, 1))),)


def _new_axis(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    return (choices.integer(0, array.ndim),)


def _axis(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    return (choices.integer(0, array.ndim - 1),)


def _larger_shape(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    return ((choices.integer(1, 2), *array.shape),)


def _nothing(choices: Choices, array: np.ndarray) -> tuple[Any, ...]:
    return ()


VIEWS: dict[str, Callable[[Choices, np.ndarray], tuple[Any, ...]]] = {
    "ndarray.__getitem__": _index,
    "ndarray.transpose": _order,
    "ndarray.swapaxes": _two_axes,
    "ndarray.reshape": _new_shape,
    "ndarray.ravel": _nothing,
    "ndarray.squeeze": _nothing,
    "ndarray.diagonal": _nothing,
    "ndarray.real": _nothing,
    "ndarray.imag": _nothing,
    "ndarray.flatten": _nothing,
    "transpose": _order,
    "swapaxes": _two_axes,
    "moveaxis": _two_axes,
    "reshape": _new_shape,
    "ravel": _nothing,
    "expand_dims": _new_axis,
    "flip": _axis,
    "rot90": _nothing,
    "atleast_2d": _nothing,
    "broadcast_to": _larger_shape,
}
"""Functions whose result is a view, or shows that it is not."""


# Writes: each returns a call that changes an array.


def _assign(program: AliasProgram, name: str, target: Case) -> Case:
    """Return a call that assigns to elements by a basic index, a mask, or indices of rows."""
    choices, array = program.choices, program.value(target)
    (key,) = _index(choices, array) if array.ndim else ((...,),)
    if array.ndim and choices.flag(0.3):
        mask = np.array([choices.flag() for _ in range(array.size)], bool).reshape(array.shape)
        rows = np.arange(len(array))[:: choices.pick((1, 2, -1))]
        key = choices.pick((mask, rows))
    return Case(name, (target, key, program.operand(array[key].shape, array.dtype)))


def _update(program: AliasProgram, name: str, target: Case) -> Case:
    """Return a call of an in-place operator."""
    array = program.value(target)
    return Case(name, (target, program.operand(array.shape, array.dtype)))


def _calculate(program: AliasProgram, name: str, target: Case) -> Case:
    """Return a call of a ufunc of two operands with an output, which may overlap with them."""
    array = program.value(target)
    operands = [program.operand(array.shape, array.dtype) for _ in range(2)]
    return Case(name, tuple(operands), {"out": target})


def _calculate_one(program: AliasProgram, name: str, target: Case) -> Case:
    array = program.value(target)
    return Case(name, (program.operand(array.shape, array.dtype),), {"out": target})


def _fill(program: AliasProgram, name: str, target: Case) -> Case:
    return Case(name, (target, program.choices.integer(-2, 2)))


def _sort(program: AliasProgram, name: str, target: Case) -> Case:
    return Case(name, (target, program.choices.integer(0, program.value(target).ndim - 1)))


def _put(program: AliasProgram, name: str, target: Case) -> Case:
    array = program.value(target)
    count = min(array.size, 3)
    start = program.choices.integer(0, array.size - count)
    return Case(name, (target, np.arange(start, start + count), program.new_array((count,), array.dtype)))


def _put_masked(program: AliasProgram, name: str, target: Case) -> Case:
    array = program.value(target)
    mask = np.array([program.choices.flag() for _ in range(array.size)]).reshape(array.shape)
    return Case(name, (target, mask, program.new_array(array.shape, array.dtype)))


def _add_at(program: AliasProgram, name: str, target: Case) -> Case:
    rows = np.array([program.choices.integer(0, len(program.value(target)) - 1) for _ in range(3)])
    return Case(name, (target, rows, program.choices.integer(-2, 2)))


WRITES: dict[str, Callable[[AliasProgram, str, Case], Case]] = {
    "ndarray.__setitem__": _assign,
    "ndarray.__iadd__": _update,
    "ndarray.__isub__": _update,
    "ndarray.__imul__": _update,
    "ndarray.fill": _fill,
    "ndarray.sort": _sort,
    "ndarray.put": _put,
    "add": _calculate,
    "subtract": _calculate,
    "multiply": _calculate,
    "maximum": _calculate,
    "negative": _calculate_one,
    "add.at": _add_at,
    "copyto": _update,
    "fill_diagonal": _fill,
    "put": _put,
    "putmask": _put_masked,
}
"""Functions that change an array: by an index, in place, or as their output."""


def fits_any(array: np.ndarray) -> bool:
    """Return True: a function takes any array."""
    return True


def _has_axis(array: np.ndarray) -> bool:
    return array.ndim > 0


def _has_elements(array: np.ndarray) -> bool:
    return array.ndim > 0 and array.size > 0


def _is_matrix(array: np.ndarray) -> bool:
    return array.ndim >= 2


def _is_real(array: np.ndarray) -> bool:
    return array.dtype.kind != "c"


FITS: dict[str, Callable[[np.ndarray], bool]] = {
    **dict.fromkeys(("ndarray.__getitem__", "ndarray.swapaxes", "swapaxes", "moveaxis", "flip"), _has_axis),
    **dict.fromkeys(("ndarray.reshape", "reshape", "ndarray.put", "put", "add.at"), _has_elements),
    **dict.fromkeys(("ndarray.diagonal", "rot90"), _is_matrix),
    **dict.fromkeys(("ndarray.real", "ndarray.imag"), lambda array: array.dtype.kind == "c"),
    "ndarray.sort": lambda array: _is_real(array) and _has_axis(array),
    "maximum": _is_real,
    "fill_diagonal": lambda array: array.ndim == 2 and array.size > 0,
}
"""By name: whether a function takes an array; if a name is not here, any."""
