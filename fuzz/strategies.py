"""Hypothesis strategies for arrays, index expressions, and calls of NumPy's API, as campaigns draw them.

They complement `hypothesis.extra.numpy`: they draw the numbers on which libraries fail, bfloat16, every memory layout,
every form of index, and whole calls. All shrink towards simple values: float32, few dimensions, C order, zeros, no
optional arguments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import ml_dtypes
import numpy as np
from hypothesis import assume
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from fuzz.differences import drop_parameters
from fuzz.generate import arrays as array_generators
from fuzz.generate import single_numbers
from fuzz.generate.arrays import Shape
from fuzz.generate.call_classes import LAYOUTS
from fuzz.generate.calls import VALID, draw_case, generated_names
from fuzz.generate.choices import MOST_ELEMENTS, Choices, HypothesisChoices
from fuzz.generate.indices import expression, position
from fuzz.generate.programs import draw_program
from fuzz.generate.signatures import by_keyword
from oracle import Case, call, run_numpy

__all__ = ["arrays", "broadcastable_arrays", "calls", "dtypes", "indices", "programs", "scalars", "shapes"]

T = TypeVar("T")

KINDS = "biufc"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NUMPYS_OWN = tuple(dtype for dtype in array_generators.ANY if dtype != BFLOAT16)
"""The dtypes that are drawn unless others are asked for."""

ELEMENTS = ("any", "small", "finite", "positive", "unit", "halves", "distinct", "awkward", "special")
LAYOUT_SHARE = 0.3  # share of arrays that may have an unusual layout, whatever their numbers
INVALID_SHARE = 0.1  # share of index expressions that are out of bounds, if any may be
KEYWORD_SHARE = 0.125  # share of calls with all arguments by keyword where possible


@composite
def dtypes(draw: DrawFn, kinds: str = KINDS, *, exclude: Collection[Any] = (), bfloat16: bool = False) -> np.dtype:
    """Return a strategy for dtypes of these kinds: "b" bool, "i" and "u" integers, "f" floats, "c" complex.

    Common dtypes are drawn more often. Those in `exclude` are never drawn; nor is bfloat16, which NumPy itself does not
    have, without `bfloat16`, which counts it among the floats.
    """
    return HypothesisChoices(draw).pick(_dtypes_of(kinds, (*exclude, *((BFLOAT16,) * (not bfloat16)))))


@composite
def shapes(
    draw: DrawFn, *, min_dims: int = 0, max_dims: int = 6, min_side: int = 0, max_side: int = 1025
) -> tuple[int, ...]:
    """Return a strategy for shapes, mostly with small dimensions; sometimes 0, 1, 17 or 130, seldom some thousand
    elements.
    """
    return _shape(_make_choices(draw), min_dims, max_dims, min_side, max_side)


@composite
def arrays(
    draw: DrawFn,
    dtype: Any = None,
    shape: Any = None,
    *,
    elements: str | Sequence[Any] = "any",
    layouts: bool = True,
) -> np.ndarray:
    """Return a strategy for arrays. `dtype` and `shape` are values or strategies; the default is any.

    `elements` is "any", a kind of numbers ("small", "finite", "positive", "unit" for 0 to 1, "halves", "distinct" for
    few repetitions, "awkward" for limits and the like, "special" for nan, infinities, subnormals), or a sequence of
    numbers to pick from. With `layouts`, arrays may have negative or zero strides, Fortran order, unaligned, read-only
    or byte-swapped memory; without, all are new and in C order.
    """
    choices = _make_choices(draw)
    drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(NUMPYS_OWN)))
    dims = _resolved(draw, shape, lambda: array_generators.shape(choices))
    return _array(choices, drawn, (dims,) if isinstance(dims, int) else tuple(dims), elements, layouts)


@composite
def broadcastable_arrays(
    draw: DrawFn,
    count: int = 2,
    *,
    dtype: Any = None,
    shape: Any = None,
    elements: str | Sequence[Any] = "any",
    layouts: bool = True,
) -> tuple[np.ndarray, ...]:
    """Return a strategy for tuples of `count` arrays whose shapes broadcast together, at most to `shape`.

    `dtype` is that of all arrays, or a strategy from which each array's is drawn; other arguments are those of
    `arrays`.
    """
    choices = _make_choices(draw)
    full = tuple(_resolved(draw, shape, lambda: array_generators.shape(choices, long=False)))
    found = []
    for _ in range(count):
        drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(NUMPYS_OWN)))
        found.append(_array(choices, drawn, array_generators.narrowed(choices, full), elements, layouts))
    return tuple(found)


@composite
def indices(draw: DrawFn, shape: Any, *, invalid: bool = False) -> Any:
    """Return a strategy for index expressions of an array of this shape (a tuple, an integer, or a strategy).

    They are integers, slices, `None`, `...`, masks, index arrays, lists, and tuples of those. With `invalid`, one in
    ten is out of bounds.
    """
    dims: Any = _resolved(draw, shape, tuple)
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    choices = _make_choices(draw)
    if invalid and dims and choices.flag(INVALID_SHARE):
        axis = choices.integer(0, len(dims) - 1)
        return (*[slice(None)] * axis, position(choices, dims[axis], beyond=True))
    found = expression(choices, dims)
    assume(_is_index(found, dims))
    return found


@composite
def scalars(draw: DrawFn, dtype: Any = None, *, python: bool | None = None) -> Any:
    """Return a strategy for scalars of a dtype, which is a dtype or a strategy; the default is any.

    `python` selects Python's scalars or NumPy's; the default is both. Python integers may be out of the dtype's range.
    """
    choices = _make_choices(draw)
    drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(NUMPYS_OWN)))
    _check_dtype(drawn)
    is_python = choices.flag() if python is None else python
    return single_numbers.python_scalar(choices, drawn) if is_python else single_numbers.numpy_scalar(choices, drawn)


@composite
def calls(
    draw: DrawFn, function: str | Callable[..., Any], *, without: Collection[str] = (), valid: bool = False
) -> Case:
    """Return a strategy for calls of one of NumPy's functions, or of its dotted name: `calls(np.roll)`,
    `calls("linalg.norm")`.

    A call is an `oracle.Case`: `case.args` and `case.kwargs` are its arguments. One in twenty is meant to be invalid,
    with one fault; with `valid`, only calls that NumPy accepts are drawn.
    Parameters in `without` are not given.
    """
    name = _check_name(function if isinstance(function, str) else call(function).name)
    case = draw_call(HypothesisChoices(draw), name, without)
    if valid:
        assume(run_numpy(case).ok)
    return case


@composite
def programs(draw: DrawFn, functions: Collection[str | Callable[..., Any]]) -> Case:
    """Return a strategy for programs: calls of one of these functions whose arguments are made by other calls, two to
    twelve calls in all.

    Inner calls are of the same functions where those can make what is needed.
    """
    names = tuple(_check_name(function if isinstance(function, str) else call(function).name) for function in functions)
    return draw_program(HypothesisChoices(draw), names)


def _make_choices(draw: DrawFn) -> HypothesisChoices:
    """Return choices of one class of valid calls, as a call makes them: mostly ordinary ones, which are simpler."""
    choices = HypothesisChoices(draw)
    _, edges = choices.pick(VALID)
    choices.begin(edges | {LAYOUTS} if choices.flag(LAYOUT_SHARE) else edges, MOST_ELEMENTS)
    return choices


def draw_call(choices: Choices, name: str, without: Collection[str] = ()) -> Case:
    """Draw a call of one name without some parameters, sometimes with all arguments by keyword: what `calls` draws."""
    keywords = choices.flag(KEYWORD_SHARE)
    case = draw_case(choices, name)
    case = by_keyword(case) if keywords else case
    return drop_parameters(case, without) if without else case


def _check_name(name: str) -> str:
    if name not in generated_names():
        close = get_close_matches(name, generated_names(), n=3)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise InvalidArgument(f"no calls are drawn of {name!r}{hint}")
    return name


def _dtypes_of(kinds: str, exclude: Collection[Any]) -> tuple[np.dtype, ...]:
    excluded = {np.dtype(dtype) for dtype in exclude}
    found = tuple(dtype for dtype in array_generators.of_kind(kinds) if dtype not in excluded)
    if not found or not set(kinds) <= set(KINDS):
        raise InvalidArgument(f"no dtypes of the kinds {kinds!r} are left; there are {', '.join(KINDS)}")
    return found


def _check_dtype(dtype: np.dtype) -> None:
    if dtype not in array_generators.POOLS:
        raise InvalidArgument(f"no numbers of {dtype}; there are {', '.join(map(str, array_generators.DTYPES))}")


def _shape(choices: Choices, min_dims: int, max_dims: int, min_side: int, max_side: int) -> Shape:
    if not (0 <= min_dims <= max_dims <= 6 and 0 <= min_side <= max_side):
        raise InvalidArgument(f"no shapes of {min_dims} to {max_dims} dimensions of {min_side} to {max_side}")
    drawn = array_generators.shape(choices, min_dims, max_dims)
    return tuple([min(max(dim, min_side), max_side) for dim in drawn])


def _array(choices: Choices, dtype: np.dtype, shape: Shape, elements: str | Sequence[Any], layouts: bool) -> np.ndarray:
    _check_dtype(dtype)
    plain = np.array(_numbers(choices.values, dtype, math.prod(shape), elements), dtype).reshape(shape)
    return array_generators.laid(choices, plain) if layouts else plain


def _numbers(choices: Choices, dtype: np.dtype, count: int, elements: str | Sequence[Any]) -> Any:
    if elements == "any":
        return array_generators.numbers(choices, dtype, count)
    if not isinstance(elements, str):
        return choices.picks(elements, count)
    if elements not in ELEMENTS:
        raise InvalidArgument(f"no elements {elements!r}; there are {', '.join(ELEMENTS)}")
    pools = array_generators.POOLS[dtype]
    return choices.picks(pools.get(elements, pools["small"]), count)


def _resolved(draw: DrawFn, asked: Any, default: Callable[[], T]) -> T:
    """Return a draw from `asked` if it is a strategy, `asked` itself, or the default if it is None."""
    if isinstance(asked, SearchStrategy):
        return draw(asked)
    return default() if asked is None else asked


def _is_index(index: Any, shape: Shape) -> bool:
    try:
        np.broadcast_to(np.int8(0), shape)[index]
    except (IndexError, TypeError, ValueError):
        return False
    return True
