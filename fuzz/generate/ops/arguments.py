"""Drawing the arguments of an op: one function for each role in the table of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fuzz.generate.choices import Choices
from fuzz.generate.ops.values import DTYPES, GROUPS, draw_array, draw_constant
from fuzz.generate.ops.vocabulary import LISTED, TAKERS, OpRow
from oracle import Case
from oracle.harness import PREFIX

SHAPES: tuple[tuple[int, ...], ...] = (
    *((3,), (8,), (17,), (1,), (2,), (2, 3), (3,), (8,), (16,), (3, 2), (4, 4), (), (2,), (33,)),
    *((2, 2), (1, 3), (2, 1, 3), (0,), (2, 8), (5,), (300,), (2, 3, 2), (0, 2)),
)
"""Vector kernels differ from scalar ones, and both from what is left at the end: hence 8, 16, 17, 33."""
SQUARES: tuple[tuple[int, ...], ...] = ((2, 2), (3, 3), (1, 1), (2, 2, 2), (4, 4), (9, 9))
LARGE = (4096, 20_000)
MOST_ELEMENTS = 40_000  # that a result may have for a later step to take it
ENTRIES: tuple[Any, ...] = (0, -1, slice(-2, None), slice(1, None), slice(None, -1), slice(None, None, 2))
ENTRIES += (slice(None, None, -1), slice(0, 2), None, Ellipsis, 1, -2)

Operand = Any


@dataclass
class Value:
    """An available operand, an array or the call that makes it, and its eager value."""

    operand: Operand
    array: np.ndarray


@dataclass
class Drawing:
    """A program that is being drawn: its inputs, the value classes of their siblings, and the results of its calls."""

    choices: Choices
    inputs: list[np.ndarray] = field(default_factory=list)
    redrawn: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    constants: list[np.ndarray] = field(default_factory=list)

    def new_input(self, array: np.ndarray, value_class: str = "") -> np.ndarray:
        """Add an input. Siblings of it have other elements of the same value class, unless it is `fixed`."""
        array = np.array(array, order="C")
        self.inputs.append(array)
        self.redrawn.append(value_class)
        self.values.append(Value(array, array))
        return array


class Arguments:
    """Draws the arguments of one call: first the tensor that the others depend on, then all in order."""

    def __init__(self, drawing: Drawing, row: OpRow, dtype: np.dtype | None, previous: Value | None) -> None:
        self.drawing, self.row, self.choices = drawing, row, drawing.choices
        self.dtype = dtype
        self.x = np.zeros(0)
        self.operand: Operand = None
        self._draw_first(previous)

    def call(self) -> Case:
        """Return the call."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        is_first = True
        for key, role in self.row.parameters:
            if is_first and role in TAKERS - {"const"}:
                value, is_first = self.operand, False
            else:
                value = self._draw(role)
            if value is SKIPPED:
                continue
            if key.endswith(LISTED):
                kwargs[key.removesuffix(LISTED)] = [value]
            elif key:
                kwargs[key] = value
            else:
                args.append(value)
        return Case(PREFIX + self.row.op, tuple(args), kwargs)

    def _draw_first(self, previous: Value | None) -> None:
        role = next((role for _, role in self.row.parameters if role in TAKERS - {"const"}), None)
        if previous is not None and role is not None:
            self.operand, self.x = previous.operand, previous.array
            self.dtype = previous.array.dtype
            return
        if self.dtype is None:
            self.dtype = DTYPES[self.choices.pick(GROUPS[self.choices.pick(self.row.dtypes)])]
        if role is None:
            return
        first = next(role for _, role in self.row.parameters if role in TAKERS - {"const"})
        self.x, value_class = self._array(first)
        self.operand = self._operand(self.x, value_class)

    def _operand(self, array: np.ndarray, value_class: str) -> Operand:
        return self.drawing.new_input(array, value_class)

    def _array(self, role: str) -> tuple[np.ndarray, str]:
        """Return an array for the first tensor, and the value class of its siblings."""
        choices, dtype = self.choices, self.dtype
        assert dtype is not None
        if role == "x:square":
            return draw_array(choices, dtype, choices.pick(SQUARES)), ""
        shape = choices.pick(SHAPES)
        if role == "x:1d":
            shape = (choices.pick((3, 8, 17, 1, 2)),)
        elif role == "x:1dmask":
            shape = choices.pick(((4,), (5,), (8,), (3, 2), (2, 3), (50,)))
        elif role == "x:nonempty" and (not shape or 0 in shape):
            shape = (choices.pick((2, 3, 8)),)
        elif choices.flag(0.05) and any(key == "axis" for key, _ in self.row.parameters):
            shape = (choices.pick(LARGE),)
        value_class = "sorted" if role == "x:sorted" else ""
        if role == "x:sorted":
            shape = (choices.pick((3, 8, 17)),)
            array = draw_array(choices, dtype, shape)
            return np.sort(array), "fixed"
        return draw_array(choices, dtype, shape, value_class or None), value_class

    def _draw(self, role: str) -> Any:
        return ROLES[role](self)


def make_constant(array: np.ndarray) -> np.ndarray:
    """Return the array as a constant of the graph, which is a read-only one."""
    constant = np.array(array, order="C")
    constant.flags.writeable = False
    return constant


class _Skipped:
    pass


SKIPPED = _Skipped()
"""An argument that is left out."""

Role = Callable[[Arguments], Any]


def _like(a: Arguments, shape: Sequence[int] | None = None, value_class: str | None = None) -> np.ndarray:
    dtype = a.dtype if a.dtype is not None else a.x.dtype
    return draw_array(a.choices, dtype, a.x.shape if shape is None else shape, value_class)


def _y(a: Arguments) -> Any:
    """Return another tensor of the dtype: the first one itself, an earlier one, a new one, a scalar, or a constant."""
    fitting = [v for v in a.drawing.values if v.array.dtype == a.dtype and _meets(v.array.shape, a.x.shape)]
    way = a.choices.integer(0, 9)
    if way < 3 and fitting:
        return a.choices.pick(fitting).operand
    if way < 5:
        return _const(a)
    if way == 5:
        return a.drawing.new_input(_like(a, ()))
    return a.drawing.new_input(_like(a))


def _meets(left: Sequence[int], right: Sequence[int]) -> bool:
    return all(one == other or 1 in (one, other) for one, other in zip(left[::-1], right[::-1], strict=False))


def _same(a: Arguments) -> Any:
    fitting = [v for v in a.drawing.values if v.array.dtype == a.dtype and v.array.shape == a.x.shape]
    if fitting and a.choices.flag(0.3):
        return a.choices.pick(fitting).operand
    return a.drawing.new_input(_like(a))


def _const(a: Arguments) -> Any:
    assert a.dtype is not None
    known = [array for array in a.drawing.constants if array.dtype == a.dtype]
    if known and a.choices.flag(0.4):
        array = a.choices.pick(known)
        if a.choices.flag(0.25) and array.dtype.kind in "fc":
            array = -array
    else:
        array = draw_constant(a.choices, a.dtype)
    a.drawing.constants.append(array)
    if a.x.ndim == 1 and a.x.size and a.choices.flag(0.2):
        return make_constant(np.full(a.x.shape, array, array.dtype))
    return make_constant(array)


def _python(a: Arguments) -> Any:
    assert a.dtype is not None
    return float(draw_constant(a.choices, a.dtype))


def _integer(a: Arguments, low: int, high: int) -> int:
    return a.choices.integer(low, max(low, high))


def _axis(a: Arguments) -> Any:
    return _integer(a, -max(a.x.ndim, 1), max(a.x.ndim - 1, 0))


def _axes(a: Arguments) -> Any:
    if a.choices.flag(0.4) or not a.x.ndim:
        return SKIPPED
    if a.choices.flag(0.3) and a.x.ndim > 1:
        return sorted({_integer(a, 0, a.x.ndim - 1), _integer(a, 0, a.x.ndim - 1)})
    return _axis(a)


def _rows_count(a: Arguments) -> int:
    return a.x.shape[0] if a.x.ndim else 1


def _index_input(a: Arguments, array: np.ndarray) -> Any:
    return a.drawing.new_input(array, "fixed") if a.choices.flag() else make_constant(array)


def _indices(a: Arguments, count: int, high: int) -> np.ndarray:
    dtype = a.choices.pick((np.int32, np.int64))
    return np.array([_integer(a, 0, high) for _ in range(count)], dtype)


def _segments(a: Arguments) -> Any:
    count, ids = _rows_count(a), [0]
    for _ in range(count - 1):
        ids.append(ids[-1] + a.choices.pick((0, 0, 1, 1, 2)))
    return _index_input(a, np.array(ids[:count], a.choices.pick((np.int32, np.int64))))


def _unsorted(a: Arguments) -> Any:
    return _index_input(a, _indices(a, _rows_count(a), 3))


def _rows(a: Arguments) -> Any:
    return _index_input(a, _indices(a, a.choices.pick((1, 2, 3)), _rows_count(a) - 1)[:, None])


def _updates(a: Arguments) -> Any:
    """Return an array with as many rows as the indices drawn just before."""
    last = a.drawing.values[-1].array if a.drawing.redrawn and a.drawing.redrawn[-1] == "fixed" else None
    count = last.shape[0] if last is not None and last.ndim == 2 else a.choices.pick((1, 2, 3))
    return a.drawing.new_input(_like(a, (count, *a.x.shape[1:])))


def _index(a: Arguments) -> Any:
    return _index_input(a, _indices(a, a.choices.pick((1, 2, 4)), _rows_count(a) - 1))


def _newshape(a: Arguments) -> Any:
    size = a.x.size
    options: list[list[int]] = [[-1], [size], [1, size], [size, 1]]
    options += [[size // n, n] for n in (2, 3, 4) if size and size % n == 0]
    options += [[1 << 40, 1 << 40]] if not size else []
    chosen = a.choices.pick(options)
    return make_constant(np.array(chosen, np.int64)) if max(chosen, default=0) > 1 << 31 else chosen


def _perm(a: Arguments) -> Any:
    order, left = [], list(range(a.x.ndim))
    while left:
        order.append(left.pop(_integer(a, 0, len(left) - 1)))
    return order


def _pair(a: Arguments) -> Any:
    a.x, _ = a._array("x:nonempty")
    first = a.drawing.new_input(a.x)
    return [first, first if a.choices.flag(0.2) else a.drawing.new_input(_like(a))]


def _subscript(a: Arguments) -> Any:
    entries = [a.choices.pick(ENTRIES)]
    if a.x.ndim > 1 and a.choices.flag(0.4):
        entries.append(a.choices.pick(ENTRIES))
    return tuple(entries) if len(entries) > 1 else entries[0]


def _mask(a: Arguments) -> Any:
    return a.drawing.new_input(draw_array(a.choices, DTYPES["bool"], a.x.shape))


def _mask1(a: Arguments) -> Any:
    return a.drawing.new_input(draw_array(a.choices, DTYPES["bool"], a.x.shape[:1]))


def _dtype(a: Arguments) -> Any:
    alike = [name for name, dtype in DTYPES.items() if dtype.kind == a.x.dtype.kind and dtype != a.x.dtype]
    return DTYPES[a.choices.pick(alike if alike and a.choices.flag(0.4) else tuple(DTYPES))]


def _bitdtype(a: Arguments) -> Any:
    size = a.x.dtype.itemsize
    return DTYPES[a.choices.pick([name for name, dtype in DTYPES.items() if dtype.itemsize == size and name != "bool"])]


def _shift(a: Arguments) -> Any:
    dtype = a.x.dtype
    width = dtype.itemsize * 8
    values = [a.choices.pick((0, 1, 2, width - 1, width // 2)) for _ in range(a.x.size)]
    return a.drawing.new_input(np.array(values, dtype).reshape(a.x.shape), "fixed")


def _fftlength(a: Arguments) -> Any:
    return SKIPPED if a.choices.flag() else [a.choices.pick((0, 1, 2, 3, 4, 7, 8, 16))]


def _shape1(a: Arguments) -> Any:
    return list(a.choices.pick(((1,), (3,), (2, 2), (8,), (0,))))


def _broadcast_shape(a: Arguments) -> Any:
    return [a.choices.pick((1, 2, 3)), *a.x.shape]


def _seed(a: Arguments) -> Any:
    return [_integer(a, 0, 99), _integer(a, -3, 99)]


def _probability(a: Arguments) -> Any:
    return a.drawing.new_input(draw_array(a.choices, a.x.dtype if a.x.size else np.dtype(np.float32), (), "unit"))


def _shape_of_poisson(a: Arguments) -> Any:
    return [a.choices.pick((1, 2, 3)), *a.x.shape]


def _limit(a: Arguments) -> Any:
    assert a.dtype is not None
    if a.dtype.kind in "iu" and a.choices.flag(0.2):
        return make_constant(draw_constant(a.choices, a.dtype))
    return make_constant(np.array(a.choices.integer(0, 9), a.dtype))


def _spd(a: Arguments) -> tuple[np.ndarray, str]:
    n = a.choices.pick((1, 2, 3, 4))
    assert a.dtype is not None
    base = draw_array(a.choices, a.dtype, (n, n), "small").astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    scale = a.choices.pick((1.0, 1.0, 1e-3, 1e3, float(np.finfo(_part(a.dtype)).max) ** 0.6))
    return ((base @ base.conj().T + np.eye(n) * n) * scale).astype(a.dtype), "fixed"


def _part(dtype: np.dtype) -> np.dtype:
    small = dtype == np.complex64 or dtype.itemsize < 4
    return np.dtype(np.float32 if small or dtype == np.float32 else np.float64)


def _make(maker: Callable[[Arguments], tuple[np.ndarray, str]]) -> Role:
    def role(a: Arguments) -> Any:
        a.x, value_class = maker(a)
        return a.drawing.new_input(a.x, value_class)

    return role


def _of_int(low: int, high: int) -> Callable[[Arguments], tuple[np.ndarray, str]]:
    def maker(a: Arguments) -> tuple[np.ndarray, str]:
        dtype = a.choices.pick((np.int32, np.int64))
        return np.array([_integer(a, low, high) for _ in range(a.choices.pick((1, 3, 8)))], dtype), "fixed"

    return maker


def _permutation(a: Arguments) -> tuple[np.ndarray, str]:
    a.x = np.zeros((1,) * a.choices.pick((1, 3, 5)))
    return np.array(_perm(a), a.choices.pick((np.int32, np.int64))), "fixed"


def _unit(a: Arguments) -> tuple[np.ndarray, str]:
    shape = a.x.shape if a.x.size else a.choices.pick(SHAPES)
    value_class = a.choices.pick(("unit", "unit", "mixed", "exponents"))
    assert a.dtype is not None
    return draw_array(a.choices, a.dtype, shape, value_class), value_class


def _image(a: Arguments) -> tuple[np.ndarray, str]:
    assert a.dtype is not None
    return draw_array(a.choices, a.dtype, (1, a.choices.pick((2, 4, 3)), a.choices.pick((2, 4)), 1)), ""


def _three(a: Arguments) -> tuple[np.ndarray, str]:
    assert a.dtype is not None
    return draw_array(a.choices, a.dtype, a.choices.pick(((3,), (2, 3), (8, 3)))), ""


def _of_shapes(*shapes: tuple[int, ...]) -> Callable[[Arguments], tuple[np.ndarray, str]]:
    def maker(a: Arguments) -> tuple[np.ndarray, str]:
        assert a.dtype is not None
        return draw_array(a.choices, a.dtype, a.choices.pick(shapes)), ""

    return maker


def _filter(*shape: int) -> Role:
    """Return a role that draws a filter with as many channels as the image has."""
    return lambda a: a.drawing.new_input(_like(a, (*shape, a.x.shape[-1], 2)))


def _ids(high: Callable[[Arguments], int], shape: Callable[[Arguments], Sequence[int]]) -> Role:
    """Return a role that draws indices of a shape, in [0, high)."""

    def role(a: Arguments) -> Any:
        size = shape(a)
        flat = _indices(a, int(np.prod(size, dtype=int)), high(a) - 1)
        return _index_input(a, flat.astype(np.int32).reshape(tuple(size)))

    return role


ROLES: dict[str, Role] = {
    "x": lambda a: a.drawing.new_input(_like(a)),
    "y": _y,
    "same": _same,
    "same0": _same,
    "same3": lambda a: [_make(lambda b: b._array("x"))(a), _same(a), *([_same(a)] if a.choices.flag() else [])],
    "const": _const,
    "python": _python,
    "number": _python,
    "axis": _axis,
    "axes": _axes,
    "axes1": lambda a: [_integer(a, 0, max(a.x.ndim - 1, 0))],
    "axislist": lambda a: sorted({_integer(a, 0, a.x.ndim - 1)}) if a.x.ndim else [],
    "flag": lambda a: True if a.choices.flag(0.3) else SKIPPED,
    "false": lambda a: False,
    "zero": lambda a: 0,
    "two": lambda a: 2,
    "k": lambda a: _integer(a, 1, min(a.x.shape[-1:] or (1,))),
    "direction": lambda a: "DESCENDING" if a.choices.flag(0.3) else SKIPPED,
    "fresh1": lambda a: a.drawing.new_input(_like(a, (3,))),
    "side": lambda a: a.choices.pick(("left", "right")),
    "segments": _segments,
    "unsorted": _unsorted,
    "num": lambda a: 4,
    "rows": _rows,
    "updates": _updates,
    "index": _index,
    "newshape": _newshape,
    "perm": _perm,
    "pair": _pair,
    "multiples": lambda a: [_integer(a, 0, 3) for _ in range(a.x.ndim)],
    "paddings": lambda a: [[_integer(a, 0, 2), _integer(a, 0, 2)] for _ in range(a.x.ndim)],
    "padmode": lambda a: a.choices.pick(("CONSTANT", "CONSTANT", "REFLECT", "SYMMETRIC")),
    "amount": lambda a: _integer(a, -4, 4),
    "begin": lambda a: [_integer(a, 0, max(n - 1, 0)) for n in a.x.shape],
    "sizes": lambda a: [a.choices.pick((-1, 1)) for _ in a.x.shape],
    "subscript": _subscript,
    "wideshape": _broadcast_shape,
    "repeats": lambda a: _integer(a, 0, 3),
    "depth": lambda a: _integer(a, 0, 5),
    "limit": _limit,
    "count": lambda a: _integer(a, 1, 9),
    "count0": _rows_count,
    "mask": _mask,
    "mask1": _mask1,
    "dtype": _dtype,
    "bitdtype": _bitdtype,
    "band": lambda a: _integer(a, -1, 2),
    "lengths": lambda a: _index_input(a, _indices(a, _rows_count(a), sum(a.x.shape[1:2]))),
    "x:unit": _make(_unit),
    "x:spd": _make(_spd),
    "x:counts": _make(_of_int(0, 6)),
    "x:permutation": _make(_permutation),
    "x:image": _make(_image),
    "x:three": _make(_three),
    "order": lambda a: make_constant(np.array(a.choices.integer(0, 4), a.dtype)),
    "shift": _shift,
    "fftlength": _fftlength,
    "shape1": lambda a: _shape_of_poisson(a) if a.x.size else _shape1(a),
    "seed": _seed,
    "probability": _probability,
    "padding": lambda a: a.choices.pick(("VALID", "SAME")),
    "x:sequence": _make(_of_shapes((1, 4, 1), (2, 3, 2), (1, 9, 1))),
    "x:volume": _make(_of_shapes((1, 2, 2, 2, 1), (1, 4, 2, 3, 1))),
    "x:cube": _make(_of_shapes((2, 2, 2), (1, 3, 2), (4, 4, 4))),
    "filter1": _filter(2),
    "filter2": _filter(2, 2),
    "one": lambda a: 1,
    "ones": lambda a: [1, 1, 1, 1],
    "size2": lambda a: [_integer(a, 1, 6), _integer(a, 1, 6)],
    "method": lambda a: a.choices.pick(("bilinear", "nearest", "bicubic", "area")),
    "epsilon": lambda a: a.choices.pick((1e-3, 1e-5, 0.0)),
    "classes": _ids(lambda a: a.x.shape[-1], lambda a: a.x.shape[:-1]),
    "k1": lambda a: _integer(a, 1, 3),
    "equation1": lambda a: a.choices.pick(("...ij->...ji", "...ii->...i", "...ii->...", "...ij->...")),
    "equation2": lambda a: a.choices.pick(("...ij,...jk->...ik", "...ij,...ij->...", "...ij,...kj->...ki")),
    "contracted": lambda a: _integer(a, 0, 2),
    "vector": lambda a: a.drawing.new_input(_like(a, a.x.shape[:-1])),
    "diagonal": lambda a: a.drawing.new_input(_like(a, a.x.shape[:-1])),
    "unary": lambda a: (
        PREFIX + a.choices.pick(("math.exp", "math.negative", "math.square", "math.sqrt", "math.cumsum", "nn.relu6"))
    ),
    "binary": lambda a: (
        PREFIX + a.choices.pick(("math.add", "math.multiply", "math.maximum", "math.minimum", "math.subtract"))
    ),
    "places": _ids(lambda a: 4, lambda a: (_rows_count(a), 1)),
    "bigshape": lambda a: [4, *a.x.shape[1:]],
    "partition": _ids(lambda a: 2, lambda a: a.x.shape[:1]),
    "order1": _ids(_rows_count, lambda a: a.x.shape[:1]),
    "range": lambda a: a.choices.pick(([0.0, 1.0], [-1.0, 1.0], [0.0, 100.0])),
    "sameshape": lambda a: [None if a.choices.flag() else n for n in a.x.shape],
    "bias": lambda a: a.drawing.new_input(_like(a, a.x.shape[-1:])),
}
"""What each role of the table draws."""
