"""Methods and operators of arrays, except for methods that use the strategies of the function of their name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.generate import arrays, indices, single_numbers
from fuzz.generate.arrays import BOOLS, INTEGERS, REALS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import DTYPE, SHAPE
from fuzz.generate.constraints import array, array_of_shape, axis_of, mask_of, of_shape, partner, permutation_of
from fuzz.generate.domains import ufuncs
from fuzz.generate.domains.linear_algebra import contracted
from fuzz.generate.domains.mathematics import OPTIONS, bound
from fuzz.generate.domains.mutation import flat_indices, replacements, target
from fuzz.generate.domains.sorting import kth, stable
from fuzz.generate.domains.ufunc_methods import dtypes_of, initial, partners_of
from fuzz.generate.scalars import either, literal, number, shape_of_size

OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "divmod": "divmod", "pow": "power", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lshift": "left_shift", "rshift": "right_shift", "lt": "less", "le": "less_equal",
    "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal", "abs": "absolute", "neg": "negative",
    "pos": "positive", "invert": "invert",
}  # fmt: skip


def operand(ufunc: str, written: bool = False) -> Strategy:
    """Return a strategy for an array of a dtype that the operator takes; a writable one for in-place operators."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        dtype = choices.pick(arrays.ANY if draft.should_be_invalid(DTYPE) else dtypes_of(ufunc))
        if written and not ufuncs.keeps(ufunc, dtype):
            dtype = choices.pick(arrays.INEXACT if ufunc == "divide" else dtypes_of(ufunc)[-1:])
        shape = arrays.shape(choices)
        return arrays.writable(choices, dtype, shape) if written else arrays.array(choices, dtype, shape)

    return draw


def other(ufunc: str, written: bool = False) -> Strategy:
    """Return a strategy for the second operand: mostly of the same dtype, always so if the result must fit into the
    first.
    """

    def draw(draft: Draft) -> Any:
        choices, shape, dtype = draft.choices, draft.shape("self"), draft.dtype("self")
        if draft.should_be_invalid(SHAPE):
            shape = arrays.nearly(choices, shape)
        elif choices.flag(0.4):
            shape = arrays.narrowed(choices, shape)
        if not written and choices.flag(0.4):
            dtype = choices.pick(partners_of(ufunc, dtype))
        if choices.flag(0.2):
            found = (single_numbers.numpy_scalar if choices.flag(0.2) else single_numbers.python_scalar)(choices, dtype)
        else:
            found = arrays.array(choices, dtype, shape)
        return ufuncs.drop_sign(found, draft["self"]) if ufunc == "power" else found

    return draw


def single(kinds: str, *more: arrays.Shape) -> Strategy:
    """Return a strategy for an array of one element; 0-d, or of a shape in `more`."""

    def draw(draft: Draft) -> Any:
        shapes = ((2,), (0,), (1, 1)) if draft.should_be_invalid(SHAPE) else ((), *more)
        shape = draft.choices.pick(shapes)
        return arrays.array(draft.choices, draft.choices.pick(arrays.of_kind(kinds)), shape)

    return draw


def indexed(strategy: Strategy) -> Strategy:
    """Return a strategy that sometimes draws an array with a dimension past int8, else what the given one draws."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if not choices.flag(0.06):
            return strategy(draft)
        shape = (choices.pick((130, 200, 300)), *((2,) if choices.flag(0.3) else ()))
        return arrays.writable(choices, choices.pick(arrays.ANY), shape)

    return draw


def key(draft: Draft) -> Any:
    if draft.shape("self") and draft.should_be_invalid():
        return indices.position(draft.choices, draft.shape("self")[0], beyond=True)
    return indices.expression(draft.choices, draft.shape("self"))


def counted_key(draft: Draft) -> Any:
    """Draw an index that selects as many elements in every sibling, so that as many can be written there."""
    return indices.expression(draft.choices, draft.shape("self"), counted=True)


def assigned(draft: Draft) -> Any:
    """Draw a value to assign: a scalar, or an array that broadcasts to the indexed elements, sometimes as a list."""
    choices, dtype = draft.choices, draft.dtype("self")
    if choices.flag(0.35):
        return number(INTEGERS if choices.flag(0.7) else arrays.ANY)(draft)
    shape = named_shape(draft.shape("self"), draft["key"])
    if draft.should_be_invalid(SHAPE):
        shape = arrays.nearly(choices, shape)
    elif choices.flag(0.6):
        shape = arrays.narrowed(choices, shape)
    shape = (1, *shape) if choices.flag(0.1) else shape
    if choices.flag(0.1):
        options = single_numbers.PYTHON_SCALARS[arrays.kind(dtype)]
        return np.array(choices.picks(options, math.prod(shape)), object).reshape(shape).tolist()
    return arrays.array(choices, dtype if choices.flag(0.7) else choices.pick(BOOLS + INTEGERS + REALS), shape)


def named_shape(shape: arrays.Shape, key: Any) -> arrays.Shape:
    """Return the shape of the indexed elements: the same in every sibling if the masks are counted."""
    try:
        return np.zeros(shape, bool)[key].shape
    except (IndexError, TypeError, ValueError, OverflowError):
        return (2,)


def split_shape(draft: Draft) -> Any:
    """Draw a shape as one tuple, or as separate integers."""
    found = shape_of_size("self")(draft)
    return list(found) if isinstance(found, tuple | list) and draft.choices.flag(0.4) else [found]


def split_axes(draft: Draft) -> Any:
    found = permutation_of("self")(draft)
    return [] if draft.choices.flag(0.3) else list(found) if draft.choices.flag() else [found]


def draw_item_index(draft: Draft) -> Any:
    """Draw the arguments of `item`: none, a flat index, or one for each dimension."""
    choices, shape = draft.choices, draft.shape("self")
    size = int(np.prod(shape))
    if not size or draft.should_be_invalid():
        return [size + 3]
    if size == 1 and choices.flag():
        return []
    return [choices.integer(0, size - 1)] if choices.flag() else [indices.position(choices, dim) for dim in shape]


def plainly_laid(draft: Draft) -> Any:
    """Draw an array whose memory is in C order, as a tensor's is."""
    found = np.array(arrays.as_array(array(0, 3)(draft)), order="C")
    return found if found.dtype.isnative else found.astype(found.dtype.newbyteorder("="))


def other_dtype(draft: Draft) -> Any:
    """Draw the argument of `view`: mostly a dtype of the same item size, or one that divides the array's."""
    own = draft.dtype("self").itemsize
    is_invalid = draft.should_be_invalid(DTYPE)
    fitting = [code for code in "bhiqBHIQefdFD" if is_invalid or own % np.dtype(code).itemsize == 0]
    return [] if draft.choices.flag(0.1) else [np.dtype(draft.choices.pick(fitting or "b"))]


def named_dtype(draft: Draft) -> Any:
    """Draw the dtype by keyword, if it is not given by position."""
    return {} if draft["args"] else dict(zip(("dtype",), other_dtype(draft), strict=False))


def operators() -> dict[str, dict[str, Strategy]]:
    """Return the strategies for each operator, its reflected and its in-place form."""
    found: dict[str, dict[str, Strategy]] = {}
    for short, ufunc in OPERATORS.items():
        if getattr(np, ufunc).nin == 1:
            found[f"ndarray.__{short}__"] = {"self": operand(ufunc)}
            continue
        more = {"mod": literal(None)} if short == "pow" else {}
        for prefix in ("", "r"):
            found[f"ndarray.__{prefix}{short}__"] = {"self": operand(ufunc), "value": other(ufunc), **more}
        found[f"ndarray.__i{short}__"] = {"self": operand(ufunc, True), "value": other(ufunc, True)}
    return {name: line for name, line in found.items() if hasattr(np.ndarray, name.removeprefix("ndarray."))}


def product(draft: Draft) -> Any:
    return array_of_shape(contracted, like="self")(draft)


def selector(draft: Draft) -> Any:
    """Draw an index of the two choices for each element."""
    choices = draft.choices
    return arrays.filled(choices, choices.pick((np.dtype(np.int64), np.dtype(np.int8))), arrays.shape(choices), (0, 1))


def listed(draft: Draft) -> Any:
    """Draw an array to be split into one result for each element; small, as XLA takes long for a thousand results."""
    shape = arrays.shape(draft.choices, 0, 3)
    return of_shape(draft, (2,) if shape == arrays.LONG else shape, draft.choices.pick(arrays.ANY))


def options_of_reductions(*keys: str) -> Strategy:
    """Return a strategy for the keyword-only arguments of a reduction: mostly one, sometimes several."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        chosen = {choices.pick(keys), *[key for key in keys if choices.flag(0.25)]}
        found: dict[str, Any] = {}
        if "keepdims" in chosen:
            found["keepdims"] = choices.flag()
        if "initial" in chosen:
            found["initial"] = initial(draft, "self")
        if "where" in chosen:
            found["where"] = mask_of("self")(draft)
        return found

    return draw


REDUCTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("max", "min", "sum", "prod"), ("keepdims", "initial", "where")),
    **dict.fromkeys(("mean", "std", "var"), ("keepdims", "where")),
}
MATRIX = array(1, 3, REALS)
ATTRIBUTES = ("T", "dtype", "imag", "itemsize", "nbytes", "ndim", "real", "shape", "size")

LINES: dict[str, dict[str, Strategy]] = {
    **operators(),
    **{f"ndarray.{name}": {"self": array()} for name in ATTRIBUTES},
    "ndarray.mT": {"self": array(2)},
    "ndarray.__bool__": {"self": single("biufc", (1,), (1, 1), (1, 1, 1))},
    "ndarray.__complex__": {"self": single("biufc")},
    "ndarray.__float__": {"self": single("biuf")},
    "ndarray.__index__": {"self": single("iu")},
    "ndarray.__int__": {"self": single("biu")},
    "ndarray.__len__": {"self": array(1)},
    "ndarray.__contains__": {"self": array(0, 3), "key": either(number(), number(), partner("self"))},
    "ndarray.__getitem__": {"self": indexed(array(0, 4)), "key": key},
    "ndarray.__setitem__": {"self": indexed(target(0, 4)), "key": counted_key, "value": assigned},
    "ndarray.__matmul__": {"self": MATRIX, "value": product},
    "ndarray.__rmatmul__": {
        "self": array(2, 2),
        "value": array_of_shape(lambda draft: (draft.choices.pick((2, 2, 1, 40)), draft.shape("self")[0]), like="self"),
    },
    "ndarray.__imatmul__": {
        "self": target(2, 3),
        "value": array_of_shape(lambda draft: (*draft.shape("self")[:-2], *draft.shape("self")[-1:] * 2), like="self"),
    },
    "ndarray.astype": {
        "self": array(),
        "dtype": literal(np.float32, np.int64, "f8", bool, np.complex64, np.uint8, bad=("bogus",)),
    },
    "ndarray.clip": {
        "self": array(0, 4, REALS),
        "min": bound,
        "max": bound,
        "kwargs": OPTIONS,
    },
    "ndarray.dot": {"self": array(0, 3), "other": product},
    "ndarray.fill": {"self": target(), "value": number(arrays.SIGNED)},
    "ndarray.item": {"self": array(0, 3), "args": draw_item_index},
    "ndarray.put": {"self": target(full=True), "indices": flat_indices("self"), "values": replacements("self")},
    "ndarray.reshape": {"self": array(), "shape": split_shape, "order": literal("C", "F", "A", bad=("K",))},
    "ndarray.sort": {"self": target(1, 3), "axis": axis_of("self"), "order": literal(None), "stable": stable},
    "ndarray.partition": {
        "self": target(1, 3),
        "kth": kth,
        "axis": axis_of("self"),
        "kind": literal("introselect"),
        "order": literal(None),
    },
    "ndarray.transpose": {"self": array(), "axes": split_axes},
    "ndarray.tolist": {"self": listed},
    "ndarray.tobytes": {"self": plainly_laid},
    "ndarray.view": {"self": plainly_laid, "args": other_dtype, "kwargs": named_dtype},
    **{f"ndarray.{name}": {"kwargs": options_of_reductions(*keys)} for name, keys in REDUCTIONS.items()},
    "ndarray.choose": {
        "self": selector,
        "choices": literal([4, 5], ([1], [2]), np.array([0.5, -1.5]), [[True], [7]]),
    },
}
