"""Changing the shape of arrays, and rearranging their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays, indices
from fuzz.generate.arguments import DTYPE_WORDS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import AXIS, OPTION, SHAPE
from fuzz.generate.constraints import (
    array,
    array_sequence,
    axes_of,
    axis_of,
    nonempty,
    partner,
    permutation_of,
)
from fuzz.generate.scalars import (
    dim_of,
    either,
    index_into,
    integer,
    integers,
    itself,
    literal,
    number,
    numpy_integer,
    shape_like,
    shape_of_size,
    wider_shape,
)


def rolled_by(draft: Draft) -> Any:
    """Draw a shift, or as many shifts as there are axes if the axis is a tuple, or one for all of them."""
    axis = draft["axis"]
    if type(axis) is tuple and axis and not draft.is_due() and draft.choices.flag(0.15):
        return (draft.choices.integer(-4, 4),)
    if type(axis) is tuple and axis and draft.choices.flag(0.7):
        return tuple([draft.choices.integer(-4, 4) for _ in range(len(axis) + draft.should_be_invalid(SHAPE))])
    if type(axis) is int and draft.choices.flag(0.1):
        return draft.choices.pick(((1, 2), (3, -1), [2, 2]))
    if draft.choices.flag(0.25):
        dim = dim_of(draft, "a")
        return numpy_integer(draft.choices, draft.choices.pick((dim, -dim, dim + 1, 3 * dim + 2, -2 * dim - 1)))
    return draft.choices.pick((1, 0, 2, -1, -3, 5, 100, np.int64(2), np.uint8(1)))


def draw_shapes(draft: Draft) -> Any:
    """Draw shapes, and integers for some of one dimension, that broadcast together."""
    choices = draft.choices
    full = choices.pick(((2, 3), (4, 2, 3), (3,), (2, 1, 5), (0,), (2, 0), (), (1, 1)))
    found: list[Any] = [arrays.narrowed(choices, full) for _ in range(arrays.how_many(choices, 0, 3))]
    found = [choices.pick((shape[0], shape, np.int64(shape[0]))) if len(shape) == 1 else shape for shape in found]
    if found and draft.should_be_invalid(SHAPE):
        found.append(choices.pick(((7,), 7, -1)))
    return found


def repeats(draft: Draft) -> Any:
    """Draw one count, or one for each element along the axis."""
    choices, dim = draft.choices, dim_of(draft, "a")
    if choices.flag():
        return choices.pick((2, 1, 0, 3, 2, 1, 0, 3, np.array(2)) if not draft.should_be_invalid() else (-1,))
    length = dim + 2 * draft.should_be_invalid(SHAPE)
    if choices.flag(0.3):
        return [choices.integer(0, 3) for _ in range(length)]
    return indices.among(choices, (0, 1, 2, 3), (length,))


def other_axes(draft: Draft) -> Any:
    """Draw as many distinct axes as `source` has, in the same form."""
    source, rank = draft["source"], len(draft.shape("a"))
    if type(source) is not tuple:
        return axis_of("a")(draft)
    found = arrays.shuffled(draft.choices, range(rank))[: len(source)]
    return tuple([*found, 0] if draft.should_be_invalid(AXIS) else found)


def narrow_axes(draft: Draft) -> Any:
    """Draw some or all axes of length 1, or None."""
    choices, shape = draft.choices, draft.shape("a")
    single = [axis for axis, dim in enumerate(shape) if dim == 1]
    if draft.should_be_invalid(AXIS):
        return choices.pick((len(shape), *[axis for axis, dim in enumerate(shape) if dim != 1]))
    if not single or choices.flag(0.2):
        return None
    return choices.pick(single) - len(shape) * choices.flag(0.3) if choices.flag(0.6) else tuple(single)


def new_axes(draft: Draft) -> Any:
    """Draw positions of axes to insert."""
    choices, rank = draft.choices, len(draft.shape("a"))
    if draft.should_be_invalid(AXIS):
        return choices.pick((rank + 1, -rank - 2, (0, 0)))
    if choices.flag(0.7):
        return indices.position(choices, rank + 1)
    return tuple(arrays.shuffled(choices, range(rank + 2))[:2])


def plane(name: str) -> Strategy:
    """Return a strategy for two different axes."""

    def draw(draft: Draft) -> Any:
        rank = len(draft.shape(name))
        found = arrays.shuffled(draft.choices, range(rank))[:2]
        return tuple(
            [found[0]] * 2
            if draft.should_be_invalid(AXIS)
            else [axis - rank * draft.choices.flag(0.3) for axis in found]
        )

    return draw


def padding(draft: Draft) -> Any:
    """Draw pad widths in each of the forms: n, (n,), (before, after), [(before, after)] for all or for each axis."""
    choices, rank = draft.choices, len(draft.shape("array"))

    def pair() -> tuple[int, int]:
        most = choices.pick((3, 3, 3, 9))
        return choices.integer(0, most), choices.integer(0, most)

    if draft.should_be_invalid():
        return choices.pick((-1, [(1, -2)], [pair()] * (rank + 2)))
    form = choices.integer(0, 5)
    if rank and choices.flag(0.05):
        return {axis - rank * choices.flag(): pair() for axis in range(rank) if choices.flag()}
    forms = (lambda: pair()[0], pair, lambda: [pair()], lambda: (pair()[0],), lambda: [pair() for _ in range(rank)])
    return forms[min(form, 4)]()


PAIRS_OF = {"constant": "constant_values", "linear_ramp": "end_values"} | dict.fromkeys(
    STATISTICS := ("maximum", "minimum", "mean", "median"), "stat_length"
)
"""What takes a pair of numbers, by the mode of padding."""


def padding_options(draft: Draft) -> Any:
    """Draw the keyword arguments of the padding mode."""
    choices, mode = draft.choices, draft["mode"]
    if draft.should_be_invalid(OPTION):
        return {"stat_length" if mode not in STATISTICS else "reflect_type": 1}
    rank = len(draft.shape("array"))
    if mode in PAIRS_OF and choices.flag(0.2):  # a pair for each axis
        return {PAIRS_OF[mode]: [(choices.integer(1, 4), choices.integer(1, 4)) for _ in range(rank)]}
    if mode == "constant" and choices.flag(0.6):
        return {"constant_values": choices.pick((1, 0, (1, 2), 2.5, [(3, 4)], -1))}
    if mode == "linear_ramp" and choices.flag(0.6):
        return {"end_values": choices.pick((1, (0, 5), -2))}
    if mode in {"maximum", "minimum", "mean", "median"} and choices.flag(0.6):
        return {"stat_length": choices.pick((1, 2, (1, 2), None))}
    if mode in {"reflect", "symmetric"} and choices.flag(0.6):
        return {"reflect_type": choices.pick(("even", "odd"))}
    return {}


def removed(draft: Draft) -> Any:
    """Draw where to delete or insert: indices, a slice, a mask."""
    choices, dim = draft.choices, dim_of(draft, "arr")
    form = choices.integer(0, 9)
    if form == 0:
        return indices.cut(choices, dim)
    if form == 1:
        return arrays.array(choices, np.dtype(np.bool), (dim + draft.should_be_invalid(SHAPE),))
    return index_into("arr", rank=1)(draft)


def inserted(draft: Draft) -> Any:
    choices, shape, axis = draft.choices, draft.shape("arr"), draft["axis"]
    if type(axis) is int and shape and choices.flag():
        at = axis % len(shape)
        shape = shape[:at] + shape[at + 1 :]
        if isinstance(draft["obj"], int) and choices.flag(0.3):
            shape = (choices.integer(0, 3), *shape)  # several rows for one index
        return arrays.array(
            choices, draft.dtype("arr"), arrays.nearly(choices, shape) if draft.should_be_invalid(SHAPE) else shape
        )
    if axis is None and not draft.is_due() and not isinstance(draft["obj"], slice) and choices.flag(SEVERAL_SHARE):
        count = np.size(draft["obj"])  # several values go to a single index
        return arrays.array(choices, draft.dtype("arr"), (choices.integer(0, 3) if count == 1 else count,))
    if np.ndim(draft["obj"]) == 1 and len(shape) == 1 and choices.flag():
        return arrays.array(choices, draft.dtype("arr"), np.shape(draft["obj"]))
    return number()(draft) if not draft.should_be_invalid(SHAPE) else arrays.array(choices, draft.dtype("arr"), (7, 5))


SEVERAL_SHARE = 0.3


def appended(draft: Draft) -> Any:
    """Draw an array of the same shape except along the axis."""
    choices, shape, axis = draft.choices, draft.shape("arr"), draft["axis"]
    if axis is None:
        return partner("arr")(draft)
    if type(axis) is int and shape and not draft.should_be_invalid(SHAPE):
        at = axis % len(shape)
        shape = (*shape[:at], arrays.dim(choices, 3), *shape[at + 1 :])
    elif shape:
        shape = arrays.nearly(choices, shape)[: len(shape)]
    return arrays.array(choices, choices.pick(arrays.ANY) if choices.flag(0.3) else draft.dtype("arr"), shape)


def squeezable(draft: Draft) -> Any:
    shape = tuple([1 if draft.choices.flag(0.5) else dim for dim in arrays.shape(draft.choices, 0, 5)])
    return arrays.array(draft.choices, draft.choices.pick(arrays.ANY), shape)


def block(draft: Draft) -> Any:
    """Draw nested lists of equal blocks."""
    choices = draft.choices
    width, dtype = arrays.how_many(choices, 1, 3), choices.pick(arrays.ANY)
    shape = arrays.cropped(arrays.shape(choices, 0, 3), width)

    def row() -> list[Any]:
        shapes = [arrays.nearly(choices, shape) if draft.should_be_invalid(SHAPE) else shape for _ in range(width)]
        return [arrays.array(choices, dtype, one) for one in shapes]

    def rows() -> list[Any]:
        return [row() for _ in range(choices.integer(1, 2))]

    form = choices.integer(0, 4)
    return row() if form < 2 else rows() if form < 4 else [rows()]


def trimmed(draft: Draft) -> Any:
    """Draw numbers with zeros inside and at the ends."""
    choices, dtype = draft.choices, draft.choices.pick(arrays.REALS)
    shape = arrays.shape(choices, 1, 2)
    return (
        arrays.array(choices, dtype, shape)
        if choices.flag(0.4)
        else arrays.filled(choices, dtype, shape, (0, 0, 0, 1, 2))
    )


def stacked_axis(draft: Draft) -> Any:
    """Draw the position of the new axis among those of the first array."""
    rank = np.ndim(draft["arrays"][0]) if draft["arrays"] else 0
    return rank + 1 if draft.should_be_invalid(AXIS) else indices.position(draft.choices, rank + 1)


JOINED_AXIS = literal(0, 1, -1, -2, None, 2, bad=(99, -99), sort=AXIS)

LINES: dict[str, dict[str, Strategy]] = {
    "append": {"arr": array(0, 4), "values": appended, "axis": either(axis_of("arr"), axis_of("arr"), literal(None))},
    "astype": {"x": array(), "dtype": literal(*DTYPE_WORDS[:-4], bad=("bogus",)), "copy": literal(True, False)},
    "block": {"arrays": block},
    "broadcast_shapes": {"args": draw_shapes},
    "broadcast_to": {"array": array(0, 4), "shape": wider_shape("array")},
    "column_stack": {"tup": array_sequence(1, 3, (1, 2), "1")},
    "concat": {
        "arrays": array_sequence(1, 3, (1, 4), "axis"),
        "axis": JOINED_AXIS,
    },
    "concatenate": {
        "arrays": array_sequence(1, 3, (1, 4), "axis"),
        "axis": JOINED_AXIS,
    },
    "delete": {"arr": nonempty(1, 4), "obj": removed, "axis": either(axis_of("arr"), literal(None))},
    "dstack": {"tup": array_sequence(1, 3, (0, 4), "2")},
    "expand_dims": {"a": array(0, 4), "axis": new_axes},
    "flip": {"m": array(), "axis": axis_of("m", none=True, many=True)},
    "fliplr": {"m": array(2)},
    "flipud": {"m": array(1)},
    "hstack": {"tup": either(array_sequence(1, 3, (1, 1), "0"), array_sequence(1, 3, (0, 4), "1"))},
    "insert": {
        "arr": nonempty(1, 4),
        "obj": removed,
        "values": inserted,
        "axis": either(axis_of("arr"), literal(None)),
    },
    "matrix_transpose": {"x": array(2)},
    "moveaxis": {"a": nonempty(1, 5), "source": either(axis_of("a"), axes_of("a")), "destination": other_axes},
    "pad": {
        "array": nonempty(0, 4),
        "pad_width": padding,
        "mode": literal(
            "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"
        ),
        "kwargs": padding_options,
    },
    "permute_dims": {"a": array(), "axes": either(permutation_of("a"), permutation_of("a"), literal(None))},
    "ravel": {"a": array(), "order": literal("C", "F", "A", "K", bad=("Z",))},
    "repeat": {"a": array(0, 4), "repeats": repeats, "axis": either(axis_of("a"), literal(None))},
    "reshape": {
        "a": array(),
        "shape": shape_of_size("a"),
        "order": literal("C", "F", "A", bad=("K", "Z")),
        "copy": literal(None, True),
    },
    "resize": {"a": array(0, 4), "new_shape": shape_like(3)},
    "roll": {"a": array(0, 4), "shift": rolled_by, "axis": axis_of("a", none=True, many=True)},
    "rollaxis": {"a": itself(array(1)), "axis": axis_of("a"), "start": axis_of("a", extra=1)},
    "rot90": {"m": array(2), "k": integer(-3, 5, extreme=(7, -9, 1001, 2**40)), "axes": plane("m")},
    "row_stack": {"tup": either(array_sequence(1, 3, (0, 1)), array_sequence(1, 3, (2, 4), "0"))},
    "size": {"a": array(), "axis": axis_of("a", none=True, many=True)},
    "squeeze": {"a": squeezable, "axis": narrow_axes},
    "stack": {"arrays": array_sequence(), "axis": stacked_axis},
    "swapaxes": {"a": array(1)},
    "tile": {
        "A": array(0, 3),
        "reps": either(integer(0, 3), integers(0, 2), literal((2,), (1, 2), (2, 0, 1), ())),
    },
    "transpose": {"a": array(), "axes": either(permutation_of("a"), permutation_of("a"), literal(None))},
    "trim_zeros": {"filt": trimmed, "trim": literal("fb", "f", "b", "F"), "axis": axis_of("filt", none=True)},
    "unstack": {"x": itself(array(1, 4, long=False)), "axis": axis_of("x")},
    "vstack": {"tup": either(array_sequence(1, 3, (0, 1)), array_sequence(1, 3, (2, 4), "0"))},
}
