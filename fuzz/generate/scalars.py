"""Strategies for arguments other than arrays: shapes, sizes, numbers, literals, indices. See `constraints`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.generate import arrays, indices, single_numbers
from fuzz.generate.arrays import ANY, INTEGERS
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import BOUND, OPTION, SHAPE
from fuzz.generate.choices import Choices

Dtypes = Sequence[np.dtype]


def shape_like(high: int = 3) -> Strategy:
    """Return a strategy for a shape to create: a tuple, a list, an integer."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        found = arrays.shape(choices, 0, high)
        if draft.should_be_invalid():
            return choices.pick((-1, (2, -3)))
        if len(found) == 1 and choices.flag(0.7):
            return found[0]
        return found if choices.flag(0.8) else list(found)

    return draw


def as_tuple(strategy: Strategy) -> Strategy:
    """Return the strategy with a tuple for a single integer."""

    def draw(draft: Draft) -> Any:
        found = strategy(draft)
        return (found,) if isinstance(found, int | np.integer) else found

    return draw


def shape_of_size(other: str) -> Strategy:
    """Return a strategy for a shape with as many elements as another argument, possibly with a -1."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        size = math.prod(draft.shape(other))
        found = _factors(draft, size)
        if draft.should_be_invalid(SHAPE):
            found = choices.pick(([*found, 2], [-1, -1], [*found, 0], [-2]))
        elif size and found and choices.flag(0.35):
            found[choices.integer(0, len(found) - 1)] = -1
        if len(found) == 1 and choices.flag(0.7):
            return found[0]
        return tuple(found) if choices.flag(0.8) else found

    return draw


def _factors(draft: Draft, size: int) -> list[int]:
    """Draw dimensions whose product is the size, some of them 1."""
    found, left = [], size
    for factor in (2, 3, 5):
        while left > 1 and left % factor == 0:
            found.append(factor)
            left //= factor
    found = arrays.shuffled(draft.choices, [*found, *([left] if left != 1 else [])])
    while len(found) > 1 and draft.choices.flag(0.5):
        found[:2] = [found[0] * found[1]]
    return [*found, 1] if draft.choices.flag(0.15) or (size == 1 and draft.choices.flag()) else found


def wider_shape(other: str) -> Strategy:
    """Return a strategy for a shape to which another argument broadcasts."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        wide = tuple([choices.integer(0, 4) if dim == 1 else dim for dim in draft.shape(other)])
        if draft.should_be_invalid(SHAPE):
            return choices.pick((arrays.nearly(choices, wide), wide[1:], (-1, *wide)))
        return tuple(choices.picks((2, 1, 3, 0), choices.integer(0, 2))) + wide

    return draw


def integer(low: int, high: int, bad: Sequence[Any] = (), extreme: Sequence[int] = ()) -> Strategy:
    """Return a strategy for an integer within bounds, sometimes NumPy's; an invalid one is in `bad`, an unusual one in
    `extreme`.
    """
    options = tuple(sorted(range(low, high + 1), key=abs))

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if bad and draft.should_be_invalid():
            return choices.pick(bad)
        asked = draft.asked_option()
        if asked is not None:
            return options[asked]
        return numpy_integer(choices, choices.pick(extreme if extreme and draft.is_extreme() else options))

    return Literal(draw, options)


class Literal:
    """A strategy for one of some documented values, `options`."""

    def __init__(self, strategy: Strategy, options: Sequence[Any]) -> None:
        self._strategy = strategy
        self.options = options

    def __call__(self, draft: Draft) -> Any:
        return self._strategy(draft)


def with_options_of(strategy: Strategy, wrapper: Strategy) -> Strategy:
    """Return the wrapper of a strategy with the options of that, if it has any."""
    return Literal(wrapper, strategy.options) if isinstance(strategy, Literal) else wrapper


NUMPY_SHARE = 0.1  # of integers
SIGNED_TYPES: tuple[type[np.integer], ...] = (np.int64, np.int32, np.int8, np.int16)
UNSIGNED_TYPES: tuple[type[np.integer], ...] = (np.uint8, np.uint64, np.uint32, np.uint16)


def numpy_integer(choices: Choices, found: int) -> Any:
    """Return the integer; now and then as a scalar of one of NumPy's integer dtypes that hold it."""
    if not choices.flag(NUMPY_SHARE):
        return found
    scalar = choices.pick(SIGNED_TYPES if found < 0 or choices.flag() else UNSIGNED_TYPES)
    limits = np.iinfo(scalar)
    return scalar(found) if limits.min <= found <= limits.max else np.int64(found) if abs(found) < 2**63 else found


def literal(*options: Any, bad: Sequence[Any] | None = None, varied: bool = True, sort: str = "") -> Strategy:
    """Return a strategy for one of the documented values; if `varied`, numbers may be NumPy's or similar ones. An
    invalid one is in `bad`; for words any unknown one.
    """
    takes_floats = any(type(option) is float for option in options)
    numbers = tuple(option for option in options if type(option) in (int, float) and math.isfinite(option))
    if bad is None:
        bad = ("bogus",) if all(option is None or isinstance(option, str) for option in options) else ()
    sort = sort or (OPTION if any(isinstance(option, str) for option in bad) else BOUND)

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if bad and draft.should_be_invalid(sort):
            return choices.pick(bad)
        asked = draft.asked_option()
        if asked is not None:
            return options[asked]
        if not numbers or not varied or not choices.flag(0.15):
            return choices.pick(options)
        return _variation(choices, choices.pick(numbers), takes_floats)

    return Literal(draw, options)


def _variation(choices: Choices, number: float, takes_floats: bool) -> Any:
    """Draw a number similar to this one: NumPy's, or with floats also zero or the negative."""
    if not takes_floats:
        return numpy_integer(choices, int(number))
    form = choices.integer(0, 4)
    return np.float64(number) if form < 2 else 0.0 if form == 2 else -0.0 if form == 3 else -number


def keywords(*options: dict[str, Any]) -> Strategy:
    """Return a strategy for a dict of keyword arguments, for `**kwargs`."""
    return literal(*options)


def number(dtypes: Dtypes = ANY) -> Strategy:
    """Return a strategy for a scalar: Python's, NumPy's, or a 0-d array."""

    def draw(draft: Draft) -> Any:
        choices, dtype = draft.choices, draft.choices.pick(dtypes)
        form = choices.integer(0, 9)
        if form < 6:
            return single_numbers.python_scalar(choices, dtype)
        return single_numbers.numpy_scalar(choices, dtype) if form < 9 else arrays.array(choices, dtype, ())

    return draw


def sometimes(strategy: Strategy, probability: float) -> Strategy:
    """Return the strategy with its argument mostly left out."""

    def draw(draft: Draft) -> Any:
        return strategy(draft) if draft.is_required() or draft.choices.flag(probability) else OMITTED

    return with_options_of(strategy, draw)


def itself(strategy: Strategy) -> Strategy:
    """Return the strategy with arrays only, for functions that take no lists."""
    return lambda draft: arrays.as_array(strategy(draft))


def in_any_layout(strategy: Strategy) -> Strategy:
    """Return the strategy with arrays in a drawn layout that keeps their elements."""

    def draw(draft: Draft) -> Any:
        found = strategy(draft)
        return arrays.laid(draft.choices, found.copy(), exactly=True) if isinstance(found, np.ndarray) else found

    return draw


def together(other: str, strategy: Strategy) -> Strategy:
    """Return the strategy for an argument that is given exactly if `other` is."""
    return always(lambda draft: OMITTED if draft.omits(other) else strategy(draft))


def unless(other: str, strategy: Strategy) -> Strategy:
    """Return the strategy for an argument that is given only if `other` is not."""
    return with_options_of(strategy, lambda draft: strategy(draft) if draft.omits(other) else OMITTED)


def either(*strategies: Strategy) -> Strategy:
    return lambda draft: draft.choices.pick(strategies)(draft)


def never() -> Strategy:
    return lambda draft: OMITTED


def index_into(other: str, axis: str = "axis", clipped: str = "", rank: int = 2) -> Strategy:
    """Return a strategy for indices along an axis of another argument: one, an array or a list of them."""

    def draw(draft: Draft) -> Any:
        choices, dim = draft.choices, dim_of(draft, other, axis)
        beyond = draft.should_be_invalid() or bool(clipped and draft[clipped] in {"wrap", "clip"} and choices.flag())
        form = choices.integer(0, 9)
        if form < 2:
            return indices.position(choices, dim, beyond)
        if form < 3:
            return indices.listed(choices, dim, choices.integer(0, 3), beyond)
        shape = arrays.shape(choices, 0, rank + choices.flag(0.15))
        return indices.positions(choices, dim, shape if dim or beyond else (0,), beyond)

    return draw


def dim_of(draft: Draft, other: str, axis: str = "axis") -> int:
    """Return the length of an argument along the axis that was drawn; its size without an axis."""
    shape = draft.shape(other)
    drawn_axis = draft[axis] if axis in draft else None  # noqa: SIM401 - a draft is no dict
    if type(drawn_axis) is int and -len(shape) <= drawn_axis < len(shape):
        return shape[drawn_axis]
    return math.prod(shape)


def past(other: str, strategy: Strategy, axis: str = "axis") -> Strategy:
    """Return the strategy with numbers around the length of another argument along the axis, now and then."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if not draft.is_extreme(0.6):
            return strategy(draft)
        dim = dim_of(draft, other, axis)
        return numpy_integer(choices, choices.pick((dim, dim + 1, dim - 1, 2 * dim + 1)))

    return draw


def integers(low: int, high: int, count: int = 3) -> Strategy:
    """Return a strategy for a small integer array, or a list of integers."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if choices.flag(0.3):
            return [choices.integer(low, high) for _ in range(choices.integer(0, count))]
        dtype = choices.pick(INTEGERS)
        options = [value for value in range(low, high + 1) if value >= np.iinfo(dtype).min]
        return arrays.filled(choices, dtype, (choices.integer(0, count),), options or [0])

    return draw
