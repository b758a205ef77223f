"""Drawing index expressions in every form that NumPy allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arrays import Shape
from fuzz.generate.choices import Choices

INDEX_DTYPES = arrays.weighted(
    {
        np.dtype("int64"): 8,
        np.dtype("int32"): 5,
        **{np.dtype(name): 1 for name in ("int8", "int16", "uint8", "uint16", "uint32", "uint64")},
    }
)
FORMS = arrays.weighted(
    {
        "integer": 10, "slice": 10, "array": 6, "mask": 4, "newaxis": 4, "ellipsis": 4, "list": 2, "nested": 1,
        "bools": 1, "bool": 1, "empty": 1,
    }
)  # fmt: skip
USUAL_SLICES = (
    *(slice(None), *(slice(1, None), slice(None, -1), slice(None, None, -1)) * 3, *(slice(None, None, 2),) * 2),
    *(slice(1, -1), slice(-2, None), slice(None, 2), slice(None, None, -2), slice(2, 0, -1), slice(-1, None, -1)),
    slice(0, 0),
)
# Index expressions as people write them: `:` all, `r` all in reverse, `s` a usual slice, `i` an integer, `a` an array
# of them, `l` a list, `m` a mask of one axis, `M` one of all that are left, `n` a new axis, `.` an ellipsis.
FREQUENT = ("i", "s", "r", "a", "m", "M", ".i", ".r", "i:", ":i", ":a", "ii", "sn", ":m", "i:a", "a:a")
IDIOMS = (
    *(*FREQUENT, *FREQUENT, *FREQUENT, "l", ".s", ".a", "s.", "i.", ".n", "n.", "ns", "n:", ":n", "in", ":s", "ss"),
    *(":r", "rr", "ri", "a:", "aa", "m:", ":M", "iM", "ai", "ia", "mi", "im", "Mn", "a:i", ":aa", "aa:", ":a:a", "an"),
    *("na", "ana", "a.a", "i.i", "s.i", "i.s", ":.:", "iii", "ma", "am", "m:i", ":i:", "n.n", "sna", "r.r", "ra", "ar"),
    *("rm", "mr", "sns", ":n:"),
)


NARROW, NARROW_DIM = (np.dtype(np.int8), np.dtype(np.uint8)), 127  # their range is shorter than longer dimensions


def position(choices: Choices, dim: int, beyond: bool = False) -> int:
    """Draw an index along a dimension, counted from either end; out of bounds if `beyond`, or if the dimension is
    empty.
    """
    if beyond or not dim:
        return choices.pick((dim, -dim - 1, dim + 3))
    if choices.flag(END_SHARE):
        return choices.pick((0, dim - 1, -1, -dim))
    return choices.integer(0, dim - 1) - (dim if choices.flag(0.3) else 0)


END_SHARE = 0.2  # of the indices, which are at an end


def positions(choices: Choices, dim: int, shape: Shape, beyond: bool = False) -> np.ndarray:
    """Draw an array of indices along a dimension, with any integer dtype."""
    dtype = choices.pick(NARROW if dim > NARROW_DIM and choices.flag(0.4) else INDEX_DTYPES)
    limits = np.iinfo(dtype)
    low = max(-dim, limits.min) if choices.flag(0.4) else 0
    options = range(low, min(dim + 3 * beyond, limits.max + 1)) or (0,)
    return arrays.filled(choices, dtype, shape, options)


def among(choices: Choices, options: Sequence[int], shape: Shape) -> np.ndarray:
    """Draw an array of some integers, indices or counts, with any integer dtype that has the first and last of them,
    which are in order.
    """
    ends = (options[0], options[-1]) if options else (0, 0)
    dtypes = [dtype for dtype in INDEX_DTYPES if all(np.iinfo(dtype).min <= end <= np.iinfo(dtype).max for end in ends)]
    return arrays.filled(choices, choices.pick(dtypes), shape, options or (0,))


def listed(choices: Choices, dim: int, count: int, beyond: bool = False) -> list[int]:
    return [position(choices, dim, beyond) for _ in range(count)]


def integer(choices: Choices, dim: int, beyond: bool = False) -> Any:
    """Draw one index: mostly a Python int, else a NumPy integer or a 0-d array."""
    index = position(choices, dim, beyond)
    if choices.flag(0.8):
        return index
    dtype = np.dtype(np.int64) if beyond or not -128 <= index < 128 or choices.flag() else np.dtype(np.int8)
    return dtype.type(index) if choices.flag() else np.array(index, dtype)


def cut(choices: Choices, dim: int) -> slice:
    """Draw a usual slice, or one with any bounds and any step but 0."""
    if choices.flag(0.4):
        return choices.pick(USUAL_SLICES)

    def bound() -> int | None:
        return None if choices.flag(0.4) else choices.integer(-dim - 2, dim + 2)

    return slice(bound(), bound(), choices.pick((None, None, None, 1, 2, -1, -2, 3, -5)))


def mask(choices: Choices, dims: Shape, counted: bool = False, count: int | None = None) -> np.ndarray:
    """Draw a mask; if `counted`, with as many true elements in every sibling; with `count` of them if that is given."""
    if not counted and count is None:
        return arrays.array(choices, np.dtype(np.bool), dims)
    size = math.prod(dims)
    count = min(size, choices.pick((1, 2, 3, 0, 4)) if count is None else count)
    found = np.zeros(size, np.bool)
    found[np.argsort(choices.values.picks(range(997), size), kind="stable")[:count]] = True
    return arrays.laid(choices, found.reshape(dims), exactly=True)


def idiom(choices: Choices, shape: Shape, counted: bool = False) -> Any:
    """Draw an index expression as people write them."""
    fitting = [text for text in IDIOMS if sum(letter not in "n." for letter in text) <= len(shape)]
    text = choices.pick(fitting)
    common = (choices.integer(1, 3),)
    parts: list[Any] = []
    axis = 0
    for number, letter in enumerate(text):
        if letter == "n":
            parts.append(None)
        elif letter == ".":
            parts.append(Ellipsis)
            axis = len(shape) - sum(later != "n" for later in text[number + 1 :])
        else:
            taken = len(shape) - axis - len(text[number + 1 :].replace("n", "")) if letter == "M" else 1
            parts.append(_of_letter(choices, letter, shape[axis : axis + taken], common, counted))
            axis += taken
    return parts[0] if len(parts) == 1 and choices.flag(0.8) else tuple(parts)


def _of_letter(choices: Choices, letter: str, dims: Shape, common: Shape, counted: bool) -> Any:
    """Draw the index that a letter of IDIOMS stands for."""
    if letter in "mM":
        fits = counted or choices.flag()  # beside an array of integers: they are broadcast together
        return mask(choices, dims, count=common[0] if fits else None)
    if letter in ":r" or not dims[0]:
        return slice(None, None, -1 if letter == "r" else None)
    if letter == "s":
        return choices.pick(USUAL_SLICES)
    if letter == "i":
        return position(choices, dims[0])
    found = positions(choices, dims[0], common)
    return found.tolist() if letter == "l" else found


def expression(choices: Choices, shape: Shape, counted: bool = False) -> Any:
    """Draw an index expression for an array of this shape: one index, or a tuple. If `counted`, its masks have as many
    true elements in every sibling.
    """
    if choices.flag(0.1):
        return whole(choices, shape, counted)
    if shape and shape[0] > NARROW_DIM and choices.flag(0.3):
        return positions(choices, shape[0], arrays.shape(choices, 1, 1, long=False))
    if choices.flag(0.55):
        return idiom(choices, shape, counted)
    parts: list[Any] = []
    axis, dotted = 0, False
    common = arrays.shape(choices, 0, 2)
    for _ in range(choices.integer(0, len(shape) + 1)):
        form = choices.pick(FORMS)
        if form == "newaxis":
            parts.append(None)
        elif form == "ellipsis" and not dotted:
            dotted = True
            parts.append(Ellipsis)
        elif axis < len(shape):
            part, axis = _part(choices, form, shape, axis, common, counted)
            parts.append(part)
    return parts[0] if len(parts) == 1 and choices.flag(0.8) else tuple(parts)


def _part(choices: Choices, form: str, shape: Shape, axis: int, common: Shape, counted: bool) -> tuple[Any, int]:
    """Draw one index, and return it with the next axis to index."""
    dim = shape[axis]
    if form == "bool":
        return choices.pick((True, False, np.True_, np.array(True))), axis
    if form == "integer" and dim:
        return integer(choices, dim), axis + 1
    if form == "array" and dim:
        return positions(choices, dim, arrays.narrowed(choices, common)), axis + 1
    if form == "list" and dim:
        return listed(choices, dim, choices.integer(0, 3)), axis + 1
    if form == "nested" and dim:
        return [listed(choices, dim, 2) for _ in range(choices.integer(1, 2))], axis + 1
    if form == "bools":
        return [choices.flag() for _ in range(dim)], axis + 1
    if form == "empty":
        return choices.pick(([], [[]], np.zeros((0,), np.int64))), axis + 1
    if form == "mask":
        rank = choices.integer(1, min(choices.pick((1, 2, 2, 4)), len(shape) - axis))
        dims = list(shape[axis : axis + rank])
        return mask(choices, tuple(dims), counted), axis + rank
    return cut(choices, dim), axis + 1


def whole(choices: Choices, shape: Shape, counted: bool = False) -> Any:
    """Draw an index that is not part of a tuple: a mask of the whole array, a boolean scalar, nothing."""
    form = choices.integer(0, 5)
    if form == 0:
        return mask(choices, shape, counted)
    if form == 1:
        return choices.flag()
    if form == 2:
        return ()
    if form == 3:
        return []
    if form == 4:
        return Ellipsis
    return positions(choices, shape[0] if shape else 0, (0,))
