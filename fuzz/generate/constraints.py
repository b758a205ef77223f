"""Strategies for arguments that depend on one another, for the tables in `fuzz.generate.domains`.

Each function here makes a strategy, which draws one argument given the draft of the call. If
`draft.should_be_invalid()`, the argument violates one constraint. Names that functions take are names of parameters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays, indices, operand_pairs, single_numbers
from fuzz.generate.arrays import ANY, BOOLS, Shape
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import AXIS, DTYPES, NUMBERS, SHAPE
from fuzz.generate.choices import Choices

Dtypes = Sequence[np.dtype]

# Forms of one array argument: mostly arrays.
FORMS = arrays.weighted({"array": 40, "list": 3, "scalar": 1})
FORMS_OF_RANK_0 = arrays.weighted({"array": 3, "scalar": 2})

# Arrays


def array(low: int = 0, high: int = 6, dtypes: Dtypes = ANY, pool: str = "", *, long: bool = True) -> Strategy:
    """Return a strategy for array-likes with a rank within bounds; not `long` if a compiler would have to unroll the
    elements.
    """

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if (low or high < arrays.HIGHEST_RANK) and draft.should_be_invalid(SHAPE):
            return _unfit_array(draft, low, high)
        shape = arrays.shape(choices, low, high, long=long)
        return of_shape(draft, shape, arrays.dtype_for(choices, dtypes_of(draft, dtypes), shape), pool)

    return draw


def vector(dtypes: Dtypes = ANY, pool: str = "", *, long: bool = True) -> Strategy:
    return array(1, 1, dtypes, pool, long=long)


def nonempty(low: int = 1, high: int = 6, dtypes: Dtypes = ANY, pool: str = "", always: bool = False) -> Strategy:
    """Return a strategy for arrays with at least one element; one in ten may be empty, unless that is ruled out."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if (low or high < arrays.HIGHEST_RANK) and draft.should_be_invalid(SHAPE):
            return _unfit_array(draft, low, high)
        shape = arrays.shape(choices, low, high)
        if always or not choices.flag(0.1):
            shape = tuple([dim or 2 for dim in shape])
        return of_shape(draft, shape, arrays.dtype_for(choices, dtypes_of(draft, dtypes), shape), pool)

    return draw


def dtypes_of(draft: Draft, dtypes: Dtypes = ANY) -> Dtypes:
    """Return the dtypes to draw from; text, too, if any dtype will do and the function takes text."""
    return arrays.WITH_TEXT if dtypes is ANY and draft.plan.name.rpartition(".")[2] in arrays.TAKE_TEXT else dtypes


LONG_SHAPES = frozenset(arrays.LONG_SHAPES.values())
# Functions whose results have as many elements as two arguments multiplied.
SQUARING = re.compile(r"\b(outer|kron|vander|diag|diagflat|\w*(grid|vander)[23]d|\w*vander|ix_|meshgrid)\b")
MODERATE = {1: (33,), 2: (6, 5)}


def of_shape(draft: Draft, shape: Shape, dtype: np.dtype, pool: str = "") -> Any:
    """Draw an array, or nested lists, or a scalar, of this shape."""
    if shape in LONG_SHAPES and SQUARING.search(draft.plan.name):
        shape = MODERATE[len(shape)]
    form = draft.choices.pick(FORMS if shape else FORMS_OF_RANK_0)
    if form == "array" or len(shape) > 2 or 0 in shape or pool == "definite":
        return arrays.array(draft.choices, dtype, shape, pool)
    if form == "list" and not pool and math.prod(shape) <= arrays.LONGEST_LIST:
        return arrays.listed(draft.choices, dtype, shape)
    if not shape:
        return scalar(draft.choices, dtype)
    return arrays.array(draft.choices, dtype, shape, pool)


def scalar(choices: Choices, dtype: np.dtype) -> Any:
    """Draw a Python or NumPy scalar of this dtype."""
    if choices.flag(0.4):
        return single_numbers.numpy_scalar(choices, dtype)
    pools = arrays.POOLS[dtype]
    return choices.pick(pools.get("special", pools["small"]) if choices.flag(0.4) else pools["small"])


def _unfit_array(draft: Draft, low: int, high: int) -> Any:
    """Draw an array of too low or too high a rank."""
    choices = draft.choices
    rank = low - 1 if low and (high == arrays.HIGHEST_RANK or choices.flag()) else high + 1
    return arrays.array(choices, choices.pick(ANY), arrays.shape(choices, rank, rank))


def partner(other: str, dtypes: Dtypes = (), pool: str = "") -> Strategy:
    """Return a strategy for an array that broadcasts with another argument, often of equal shape and dtype, sometimes
    the same array.
    """

    def draw(draft: Draft) -> Any:
        choices, shape = draft.choices, draft.shape(other)
        if draft.should_be_invalid(SHAPE):
            shape = arrays.nearly(choices, shape)
        elif choices.flag(0.4):
            shape = arrays.narrowed(choices, shape)
        elif choices.flag(0.05) and not dtypes:
            return draft[other]
        elif not pool and choices.flag(ECHO_SHARE):
            return operand_pairs.echo(choices, draft[other], _like(draft, other, dtypes), shape)
        return of_shape(draft, shape, _like(draft, other, dtypes), pool)

    return draw


ECHO_SHARE = 0.25


def counterpart(other: str, dtypes: Dtypes = (), pool: str = "") -> Strategy:
    """Return a strategy for an array that broadcasts with another argument as `partner` does, or that the other one is
    broadcast to.
    """
    narrower = partner(other, dtypes, pool)

    def draw(draft: Draft) -> Any:
        if draft.is_due() or not draft.choices.flag(WIDER_SHARE):
            return narrower(draft)
        shape = arrays.widened(draft.choices, draft.shape(other))
        return of_shape(draft, shape, _like(draft, other, dtypes), pool)

    return draw


WIDER_SHARE = 0.15


def same_shape(other: str, dtypes: Dtypes = (), pool: str = "") -> Strategy:
    def draw(draft: Draft) -> Any:
        shape = draft.shape(other)
        if draft.should_be_invalid(SHAPE):
            is_broad = draft.choices.flag(0.3)  # an array that broadcasts has another shape, too
            shape = (1,) * len(shape) if is_broad else arrays.nearly(draft.choices, shape)
        return of_shape(draft, shape, _like(draft, other, dtypes), pool)

    return draw


def _like(draft: Draft, other: str, dtypes: Dtypes) -> np.dtype:
    """Draw the dtype of another argument, or any; from `dtypes` if given."""
    if dtypes:
        return draft.choices.pick(dtypes)
    share = MIXED_SHARE if DTYPES in draft.choices.edges else USUAL_MIXED_SHARE
    return draft.choices.pick(ANY) if draft.choices.flag(share) else draft.dtype(other)


MIXED_SHARE, USUAL_MIXED_SHARE = 0.9, 0.3  # how often the second argument has a dtype of its own


def square(low: int = 2, high: int = 4, dtypes: Dtypes = ANY, pool: str = "") -> Strategy:
    """Return a strategy for a square matrix, or a stack of them."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        batch = arrays.shape(choices, 0, high - 2) if high > 2 and choices.flag(0.3) else ()
        dim = choices.pick(arrays.usual_dims(choices, 2)[:-1])
        shape = (*batch[: high - 2], dim, dim + draft.should_be_invalid(SHAPE))
        return arrays.array(choices, choices.pick(dtypes), shape, pool)

    return draw


def array_of_shape(shape: Any, dtypes: Dtypes = (), like: str = "") -> Strategy:
    """Return a strategy for an array of the shape `shape(draft)`."""

    def draw(draft: Draft) -> Any:
        dims = shape(draft)
        if draft.should_be_invalid(SHAPE):
            dims = arrays.nearly(draft.choices, dims)
        return of_shape(draft, dims, _like(draft, like, dtypes) if like else draft.choices.pick(dtypes or ANY))

    return draw


def mask_of(other: str) -> Strategy:
    """Return a strategy for booleans that broadcast to another argument."""
    return partner(other, BOOLS)


COUNTS = arrays.weighted({3: 4, 1: 4, 2: 4, 4: 4, 5: 4, 6: 4, 0: 1, 12: 2, 40: 1, 100: 1, 1025: 1})


def increasing(
    other: str = "", dtypes: Dtypes = arrays.REALS, counts: Sequence[int] = COUNTS, *, missing: bool = False
) -> Strategy:
    """A sorted vector, as long as another argument if one is named; with some that is `missing`, nan, at its end."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        count = draft.shape(other)[0] if other and draft.shape(other) else choices.pick(counts)
        dtype, falling = arrays.usual_dtype(choices, choices.pick(dtypes)), draft.should_violate()
        found = np.unique(choices.values.picks(arrays.POOLS[dtype]["distinct"], count + 8))[:count]
        found = np.sort(np.resize(np.array(found, dtype), count))
        if falling:
            return arrays.laid(choices, np.array(arrays.shuffled(choices, found)), exactly=True)
        if NUMBERS not in choices.edges:
            return arrays.laid(choices, found, exactly=True)
        if count and choices.flag(SPECIAL_SHARE):
            _widen(choices, found)
        if count and missing and arrays.kind(found.dtype) == "f" and choices.flag():
            found[-choices.integer(1, min(count, 3)) :] = np.nan
        return arrays.laid(choices, found, exactly=True)

    return draw


SPECIAL_SHARE = 0.6


def beside(other: str, strategy: Strategy, share: float = 0.35) -> Strategy:
    """Return the strategy with elements of another argument, or numbers next to them, now and then: a comparison
    decides between those.
    """

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft.is_due() or not choices.flag(share):
            return strategy(draft)
        plain = np.ravel(np.asarray(draft[other]))
        plain = plain.astype(plain.dtype.newbyteorder("="))
        if not plain.size or arrays.kind(plain.dtype) not in "iuf":
            return strategy(draft)
        shape = arrays.shape(choices, 0, 2)
        picked = plain[arrays.picked(choices.values, range(plain.size), np.dtype(np.int64), shape)]
        steps = arrays.picked(choices.values, (0, 1, -1), np.dtype(np.int8), shape)
        return arrays.laid(choices, np.asarray(_moved(picked, steps)), exactly=True)

    return draw


def _moved(picked: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return the numbers, each as it is, or the next larger or smaller one of its dtype."""
    with np.errstate(all="ignore"):
        if arrays.kind(picked.dtype) == "f":
            infinite = np.where(steps < 0, -np.inf, np.inf).astype(picked.dtype)
            return np.where(steps == 0, picked, np.nextafter(picked, infinite)).astype(picked.dtype)
        return picked + steps.astype(picked.dtype)


EIGHT_BYTES = 8


def _widen(choices: Choices, ordered: np.ndarray) -> None:
    """Put special numbers at the ends of what is sorted, so that it stays so; now and then a tie."""
    sort = arrays.kind(ordered.dtype)
    if sort == "f":
        least = float(ml_dtypes.finfo(ordered.dtype).smallest_subnormal) if len(ordered) > 1 else -0.0
        ordered[-1] = choices.pick((np.inf, arrays.POOLS[ordered.dtype]["special"][5]))
        ordered[0] = choices.pick((-np.inf, -0.0, -1.0, -arrays.POOLS[ordered.dtype]["special"][5], least, least))
    elif ordered.dtype.itemsize == EIGHT_BYTES and choices.flag():
        ordered += ordered.dtype.type(2**53)  # neighbours that are equal as floats
    elif sort == "i":
        ordered[0] = -5
    if len(ordered) > 2 and choices.flag():
        ordered[1] = ordered[0]


# Several arrays


def array_sequence(
    low: int = 1, high: int = 3, rank: tuple[int, int] = (0, 4), along: str = "", alike: bool = True
) -> Strategy:
    """Return a strategy for a list or tuple of arrays, all of one shape if `alike`.

    Their dimensions differ along `along`, an axis or the parameter that names it, which is then drawn first.
    """

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        axis = int(along) if along.lstrip("-").isdigit() else draft[along] if along else None
        count = arrays.how_many(choices, low, high)
        is_invalid = alike and count > 1 and draft.should_be_invalid(SHAPE)
        least = max(rank[0], axis + 1, -axis) if type(axis) is int and not along.isdigit() else rank[0]
        shape = arrays.cropped(arrays.shape(choices, min(least, 6), max(rank[1], least)), count)
        dtype = choices.pick(dtypes_of(draft))
        found = []
        for index in range(count):
            own = shape if alike or not index else arrays.shape(choices, *rank)
            if type(axis) is int:
                own = _stretched(choices, own, axis)
            if is_invalid and index == count - 1:
                own = (*own, 2)
            found.append(of_shape(draft, own, choices.pick(ANY) if choices.flag(0.25) else dtype))
        return found if choices.flag(0.7) else tuple(found)

    return draw


def _stretched(choices: Choices, shape: Shape, axis: int) -> Shape:
    if not -len(shape) <= axis < len(shape):
        return shape
    index = axis % len(shape)
    return (*shape[:index], arrays.dim(choices, 3), *shape[index + 1 :])


def several(strategy: Strategy, low: int = 1, high: int = 3, many: Sequence[int] = ()) -> Strategy:
    """Return a strategy for a list of arguments from the same strategy, for `*args`; now and then of `many`."""
    return lambda draft: [strategy(draft) for _ in range(arrays.how_many(draft.choices, low, high, many))]


def broadcasting(low: int = 1, high: int = 3) -> Strategy:
    """Return a strategy for arrays that broadcast together."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        count = arrays.how_many(choices, low, high)
        full, found = arrays.cropped(arrays.shape(choices, 0, 4), count), []
        for _ in range(count):
            shape = arrays.nearly(choices, full) if draft.should_be_invalid(SHAPE) else arrays.narrowed(choices, full)
            found.append(of_shape(draft, shape, choices.pick(dtypes_of(draft))))
        return found

    return draw


# Axes


def axis_of(other: str, none: bool = False, many: bool = False, extra: int = 0) -> Strategy:
    """Return a strategy for an axis of another argument, or of it with `extra` more dimensions; with `none` or `many`
    also None or a tuple.
    """

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        rank = _rank(draft, other) + extra
        if draft.should_be_invalid(AXIS):
            return choices.pick((rank, -rank - 1, rank + 3))
        if none and (not rank or choices.flag(0.15)):
            return None
        if many and choices.flag(0.4):
            return axes_tuple(draft, rank)
        if not rank:
            return choices.pick((0, -1))
        axis = indices.position(choices, rank)
        return choices.pick(AXIS_TYPES)(axis) if choices.flag(NUMPY_AXIS_SHARE) else axis

    return draw


AXIS_TYPES = (np.int64, np.int32, np.int8)
NUMPY_AXIS_SHARE = 0.03


def axes_of(other: str, extra: int = 0) -> Strategy:
    """Return a strategy for a tuple of different axes."""
    return lambda draft: axes_tuple(draft, _rank(draft, other) + extra, draft.should_be_invalid(AXIS))


def axes_tuple(draft: Draft, rank: int, is_invalid: bool = False) -> Any:
    count = draft.choices.integer(0, rank) if rank < 2 or draft.choices.flag(0.3) else draft.choices.integer(2, rank)
    order = arrays.shuffled(draft.choices, range(rank))[:count]
    found = [axis - rank if draft.choices.flag(0.3) else axis for axis in order]
    if is_invalid:
        found.append(draft.choices.pick((rank, *found, *found)))
    return tuple(found)


def _rank(draft: Draft, other: str) -> int:
    return len(draft.shape(other))


def permutation_of(other: str) -> Strategy:
    """Return a strategy for a permutation of the axes of another argument."""

    def draw(draft: Draft) -> Any:
        rank = _rank(draft, other)
        order = arrays.shuffled(draft.choices, range(rank))
        if draft.should_be_invalid(AXIS):
            order = draft.choices.pick((order[:-1], [*order, rank], [0] * (rank + 1)))
        found = [axis - rank if draft.choices.flag(0.2) else axis for axis in order]
        return tuple(found) if draft.choices.flag(0.8) else found

    return draw
