"""Strategies for Hypothesis: arrays, index expressions, and calls of NumPy's API, as campaigns draw them.

They stand beside `hypothesis.extra.numpy`, and differ from it in what they are for: the numbers that libraries stumble
over, bfloat16, every memory layout, every form of index, and whole calls. All shrink towards what is simple: float32,
few dimensions, C order, zeros, no optional arguments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import numpy as np
from hypothesis import assume
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from fuzz.generate import arrays as array_generators
from fuzz.generate.arrays import Shape
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import Choices, HypothesisChoices
from fuzz.generate.indices import expression
from fuzz.generate.programs import draw_program
from fuzz.generate.signatures import by_keyword, parameters_of
from fuzz.sightings import without as without_parameters
from oracle import Case, call, run_numpy

__all__ = ["arrays", "broadcastable_arrays", "calls", "dtypes", "indices", "programs", "scalars", "shapes"]

T = TypeVar("T")

KINDS = "biufc"
ELEMENTS = ("any", "small", "finite", "positive", "unit", "halves", "distinct", "awkward", "special")
KEYWORD_SHARE = 0.125  # of calls give by keyword all that may be


@composite
def dtypes(draw: DrawFn, kinds: str = KINDS, *, exclude: Collection[Any] = ()) -> np.dtype:
    """Dtypes of these kinds: "b" bool, "i" and "u" integers, "f" floats (bfloat16 is one), "c" complex.

    The common ones come more often. `exclude` holds those that shall not come.
    """
    return HypothesisChoices(draw).pick(_dtypes_of(kinds, exclude))


@composite
def shapes(
    draw: DrawFn, *, min_dims: int = 0, max_dims: int = 6, min_side: int = 0, max_side: int = 1025
) -> tuple[int, ...]:
    """Shapes, mostly of small dims: 0, 1, 17 and 130 come now and then, and seldom one of some thousand elements."""
    return _shape(HypothesisChoices(draw), min_dims, max_dims, min_side, max_side)


@composite
def arrays(
    draw: DrawFn,
    dtype: Any = None,
    shape: Any = None,
    *,
    elements: str | Sequence[Any] = "any",
    layouts: bool = True,
) -> np.ndarray:
    """Arrays of a dtype and a shape, each given as such, as a strategy, or, for any, not at all.

    `elements` is "any", a kind of numbers ("small", "finite", "positive", "unit" for 0 to 1, "halves", "distinct" for
    few repetitions, "awkward" for limits and their like, "special" for nan, infinities, subnormals), or a sequence of
    numbers to pick from. With `layouts`, strides may be negative or 0, and arrays in Fortran order, unaligned,
    read-only or byte-swapped; without, all are fresh and in C order.
    """
    choices = HypothesisChoices(draw)
    drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(array_generators.ANY)))
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
    """Tuples of `count` arrays whose shapes broadcast against one another, to `shape` at most.

    `dtype` is that of all of them, or a strategy that is asked for each; other arguments are those of `arrays`.
    """
    choices = HypothesisChoices(draw)
    full = tuple(_resolved(draw, shape, lambda: array_generators.shape(choices, long=False)))
    found = []
    for _ in range(count):
        drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(array_generators.ANY)))
        found.append(_array(choices, drawn, array_generators.narrowed(choices, full), elements, layouts))
    return tuple(found)


@composite
def indices(draw: DrawFn, shape: Any, *, invalid: bool = False) -> Any:
    """What may stand between the brackets of an array of this shape (a tuple, an integer, or a strategy).

    Integers, slices, `None`, `...`, masks, index arrays, lists, and tuples of them. With `invalid`, a few are out of
    range or no index at all.
    """
    dims: Any = _resolved(draw, shape, tuple)
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    found = expression(HypothesisChoices(draw), dims)
    assume(invalid or _is_index(found, dims))
    return found


@composite
def scalars(draw: DrawFn, dtype: Any = None, *, python: bool | None = None) -> Any:
    """Numbers of a dtype (a dtype or a strategy; of any without): Python's, NumPy's, or, by default, either.

    Python integers may be out of the range of the dtype.
    """
    choices = HypothesisChoices(draw)
    drawn = np.dtype(_resolved(draw, dtype, lambda: choices.pick(array_generators.ANY)))
    _check_dtype(drawn)
    is_python = choices.flag() if python is None else python
    return (
        array_generators.python_scalar(choices, drawn) if is_python else array_generators.numpy_scalar(choices, drawn)
    )


@composite
def calls(
    draw: DrawFn, function: str | Callable[..., Any], *, without: Collection[str] = (), valid: bool = False
) -> Case:
    """Calls of a function of NumPy's, given as such or by its dotted name: `calls(np.roll)`, `calls("linalg.norm")`.

    A call is an `oracle.Case`: `case.args` and `case.kwargs` are its arguments. About three in four are meant to be
    valid, others barely miss, a few are wild; with `valid`, only those come that NumPy answers. Parameters that are
    named in `without` are not given.
    """
    name = _check_name(function if isinstance(function, str) else call(function).name)
    case = draw_call(HypothesisChoices(draw), name, without)
    if valid:
        assume(run_numpy(case).ok)
    return case


@composite
def programs(draw: DrawFn, functions: Collection[str | Callable[..., Any]]) -> Case:
    """Calls of one of these functions whose arguments are made by other calls: two to twelve calls.

    Inner calls are of the same functions where those can make what is needed.
    """
    names = tuple(_check_name(function if isinstance(function, str) else call(function).name) for function in functions)
    return draw_program(HypothesisChoices(draw), names)


def draw_call(choices: Choices, name: str, without: Collection[str] = ()) -> Case:
    """Draw a call of one name, now and then by keyword, without some parameters: what `calls` draws."""
    keywords = choices.flag(KEYWORD_SHARE)
    case = draw_case(choices, name)
    case = without_parameters(case, without) if without else case
    positional = list(parameters_of(name))[: len(case.args)]
    if not (keywords or set(positional).intersection(without)):
        return case
    return without_parameters(by_keyword(case), without)


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
    """What a strategy draws, what was asked for, or, without either, the default."""
    if isinstance(asked, SearchStrategy):
        return draw(asked)
    return default() if asked is None else asked


def _is_index(index: Any, shape: Shape) -> bool:
    try:
        np.broadcast_to(np.int8(0), shape)[index]
    except (IndexError, TypeError, ValueError):
        return False
    return True
