"""`add.reduce` and the other methods of ufuncs: the same strategies for every ufunc, except for its dtypes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from fuzz.generate import arrays, indices
from fuzz.generate.arguments import out
from fuzz.generate.arrays import BOOLS
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import OPTION, SHAPE
from fuzz.generate.constraints import axis_of
from fuzz.generate.domains import ufuncs
from fuzz.generate.scalars import never, number


@cache
def dtypes_of(name: str, reduction: bool = False) -> tuple[np.dtype, ...]:
    """Return weighted dtypes for which the ufunc has a loop; with `reduction`, one that can reduce."""
    ufunc: np.ufunc = getattr(np, name)

    def is_taken(dtype: np.dtype) -> bool:
        try:
            ufunc.resolve_dtypes((dtype,) * ufunc.nin + (None,) * ufunc.nout)
            return not reduction or ufunc.reduce(np.ones(2, dtype)) is not None
        except TypeError:
            return False

    return arrays.weighted({dtype: weight for dtype, weight in arrays.WEIGHTS.items() if is_taken(dtype)}) or BOOLS


@cache
def partners_of(name: str, first: np.dtype) -> tuple[np.dtype, ...]:
    """Return weighted dtypes for which the ufunc has a loop beside the first operand's."""
    found = {
        other: weight for other, weight in arrays.WEIGHTS.items() if ufuncs.has_loop(getattr(np, name), (first, other))
    }
    return arrays.weighted(found) or (first,)


@cache
def is_reorderable(name: str) -> bool:
    try:
        getattr(np, name).reduce(np.ones((1, 1), dtypes_of(name, reduction=True)[0]), axis=(0, 1))
    except ValueError:
        return False
    return True


def named(draft: Draft) -> str:
    return draft.plan.name.rpartition(".")[0]


def operand(low: int, high: int, reduction: bool = False, writable: bool = False, *, long: bool = True) -> Strategy:
    """Return a strategy for an array of a dtype that the ufunc takes."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        shape = arrays.shape(choices, low, high, long=long)
        if low and draft.should_be_invalid(SHAPE):
            return (arrays.writable if writable else arrays.array)(choices, choices.pick(arrays.ANY), ())
        dtype = choices.pick(dtypes_of(named(draft), reduction))
        if not choices.flag(0.1):
            shape = tuple([dim or 2 for dim in shape])
        return arrays.writable(choices, dtype, shape) if writable else arrays.array(choices, dtype, shape)

    return draw


def axis(draft: Draft) -> Any:
    """Draw an axis, or several if the order of reduction does not matter."""
    many = is_reorderable(named(draft))
    return axis_of("array", none=many or len(draft.shape("array")) < 2, many=many)(draft)


def initial(draft: Draft, name: str) -> Any:
    """Draw an initial value; half of them are less or more than most elements of the array."""
    choices = draft.choices
    if choices.flag():
        return number(arrays.INTEGERS)(draft)
    return choices.pick((100, 100.5) if draft.dtype(name).kind in "bu" else (100, -100, -100, 100.5))


def options(draft: Draft) -> Any:
    """Draw the keyword-only arguments of `reduce`."""
    choices = draft.choices
    found: dict[str, Any] = {}
    if choices.flag(0.4):
        found["keepdims"] = choices.flag()
    if choices.flag(0.4):
        found["initial"] = initial(draft, "array")
    has_start = "initial" in found or getattr(np, named(draft)).identity is not None
    if choices.flag(0.3 if has_start else 0.03):
        found["where"] = arrays.array(choices, BOOLS[0], arrays.narrowed(choices, draft.shape("array")))
    return found


def call_options(draft: Draft) -> Any:
    """Draw the keyword arguments of a ufunc call."""
    choices = draft.choices
    key = choices.pick(("dtype", "casting", "order", "out", "where"))
    if key == "dtype":
        return {key: choices.pick(ufuncs.plan(named(draft)).outputs)}
    if key == "casting":
        return {key: choices.pick(ufuncs.CASTINGS)}
    if key == "order":
        return {key: choices.pick(ufuncs.ORDERS)}
    result = out(draft)
    if result is OMITTED:
        return {}
    mask = {"where": ufuncs.mask(choices, result.shape)} if key == "where" else {}
    return {"out": result, **mask}


def stretches(draft: Draft) -> Any:
    """Draw the start indices of the segments that `reduceat` reduces."""
    choices, shape, at = draft.choices, draft.shape("array"), draft["axis"]
    dim = shape[at] if type(at) is int and -len(shape) <= at < len(shape) else 1
    count = choices.pick((3, 2, 1, 4, 3, 2, 1, 12)) if not arrays.is_empty(choices) else 0
    return indices.among(choices, range(dim + draft.should_be_invalid() * 3), (count,))


def other(draft: Draft) -> Any:
    """Draw the second operand of `outer`, of the first one's dtype."""
    choices = draft.choices
    dtype = draft.dtype("A") if choices.flag(0.7) else choices.pick(partners_of(named(draft), draft.dtype("A")))
    found = arrays.array(choices, dtype, arrays.shape(choices, 0, 3, long=False))
    return ufuncs.drop_sign(found, draft["A"]) if named(draft) in ufuncs.EXPONENTS else found


def draw_indices(draft: Draft) -> Any:
    choices, shape = draft.choices, draft.shape("a")
    dim = shape[0] if shape else 0
    if choices.flag(0.2):
        return indices.expression(choices, shape)
    return indices.positions(choices, dim, arrays.shape(choices, 0, 3), draft.should_be_invalid())


def added(draft: Draft) -> Any:
    choices = draft.choices
    if choices.flag(0.2):
        return number((draft.dtype("a"),) if choices.flag(0.8) else arrays.ANY)(draft)
    at, shape = draft["indices"], draft.shape("a")
    if not isinstance(at, np.ndarray) or at.dtype.kind == "b" or not choices.flag(0.3):
        return arrays.array(choices, draft.dtype("a"), ())
    return arrays.array(choices, draft.dtype("a"), arrays.narrowed(choices, (*at.shape, *shape[1:])))


def result_dtype(draft: Draft) -> Any:
    """Draw a dtype to reduce in, mostly none."""
    if draft.should_be_invalid(OPTION):
        return "bogus"
    if not draft.is_required() and not draft.choices.flag(0.4):
        return OMITTED
    own = draft.dtype("array")
    return draft.choices.pick(
        [*(dtype for dtype in ufuncs.plan(named(draft)).outputs if np.can_cast(own, dtype, "same_kind")), None]
    )


METHODS: dict[str, dict[str, Strategy]] = {
    "reduce": {"array": operand(1, 4, reduction=True), "axis": axis, "dtype": result_dtype, "kwargs": options},
    "accumulate": {"array": operand(1, 3, reduction=True), "axis": axis_of("array"), "dtype": result_dtype},
    "reduceat": {
        "array": operand(1, 3, reduction=True),
        "indices": stretches,
        "axis": axis_of("array"),
        "dtype": result_dtype,
    },
    "outer": {"A": operand(0, 3, long=False), "B": other, "kwargs": call_options},
    "at": {"a": operand(1, 3, writable=True), "indices": draw_indices, "b": always(added)},
}

UFUNCS = [name for name in dir(np) if isinstance(getattr(np, name), np.ufunc) and not getattr(np, name).signature]
LINES: dict[str, dict[str, Strategy]] = {
    **{f"{name}.{method}": line for name in UFUNCS if getattr(np, name).nin == 2 for method, line in METHODS.items()},
    **{f"{name}.at": {**METHODS["at"], "b": never()} for name in UFUNCS if getattr(np, name).nin == 1},
}
