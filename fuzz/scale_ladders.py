"""Ladders: a case grown step by step, in its dimensions and in the integers that the size of the result depends on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.generate.call_classes import ORDINARY
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from fuzz.shrink.order import rank_dtype
from oracle import Case, Outcome, run_numpy

STEP = 4
"""By what each step multiplies the size."""
SMALL = 256
"""About how many elements the largest array of a ladder's first case has."""
DRAWS = 48
"""How many cases of a name are drawn, of which the plainest are grown."""


RARE = ("float16", "bfloat16", "int8", "uint8", "int16", "uint16", "uint32", "uint64")
"""Dtypes that programs seldom compute in."""


@dataclass(frozen=True, order=True)
class Position:
    """A part of a case that can grow: an axis of the array that is leaf number `leaf`, or an integer there."""

    leaf: int
    axis: int = -1

    def __str__(self) -> str:
        return f"leaf {self.leaf}" if self.axis < 0 else f"leaf {self.leaf}, axis {self.axis}"


@dataclass(frozen=True)
class Ladder:
    """A case and the positions that grow; each grows by the factor of the step to the power `per_axis`."""

    case: Case
    positions: tuple[Position, ...]
    label: str
    filling: str

    def factor(self, step: int) -> float:
        """Return the size of a step in units of the first case."""
        return float(self._root(step) ** self._axes)

    def grow(self, step: int) -> Case:
        """Return the case of a step; step 0 is the first."""
        if not step:
            return self.case
        return grow(self.case, dict.fromkeys(self.positions, self._root(step)), self.filling)

    def grow_to(self, elements: int) -> Case:
        """Return the case whose largest array, of arguments and result, has about so many elements."""
        arrays = [*self.case.arrays(), *list_arrays(run_numpy(self.case).value)]
        largest = max((array.size for array in arrays), default=1)
        root = max(round((elements / max(largest, 1)) ** (1 / self._axes)), 1)
        return grow(self.case, dict.fromkeys(self.positions, root), self.filling)

    @property
    def _axes(self) -> int:
        leaves = [position.leaf for position in self.positions]
        return max(leaves.count(leaf) for leaf in leaves)

    def _root(self, step: int) -> int:
        return round(STEP ** (step / self._axes))


def grow(case: Case, factors: dict[Position, int], filling: str) -> Case:
    """Return the case with dimensions and integers multiplied by their factors, and arrays filled anew."""
    generator = np.random.default_rng(0)

    def larger(number: int, leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            shape = [dim * factors.get(Position(number, axis), 1) for axis, dim in enumerate(leaf.shape)]
            return leaf if tuple(shape) == leaf.shape else FILLINGS[filling](leaf, tuple(shape), generator)
        factor = factors.get(Position(number), 1)
        return leaf if factor == 1 else type(leaf)(leaf * factor)

    return replace_leaves(case, larger)


def replace_leaves(case: Case, function: Callable[[int, Any], Any]) -> Case:
    """Return the case with each leaf replaced, in the order of `Case.leaves`. An array that occurs twice is replaced
    once.
    """
    numbers: dict[int, int] = {}
    made: dict[int, Any] = {}
    count = 0

    def replace(value: Any) -> Any:
        nonlocal count
        kind = type(value)
        if kind is list or kind is tuple:
            return kind([replace(item) for item in value])
        if kind is dict:
            return {key: replace(item) for key, item in value.items()}
        if kind is Case:
            args = tuple([replace(arg) for arg in value.args])
            return Case(value.name, args, {key: replace(arg) for key, arg in value.kwargs.items()})
        if kind is not np.ndarray:
            count += 1
            return function(count - 1, value)
        if id(value) not in made:
            numbers[id(value)] = count
            made[id(value)] = function(count, value)
        count += 1
        return made[id(value)]

    return replace(case)


# Fillings: what a larger array holds. The first with which NumPy answers is taken.


def _draw_like(array: np.ndarray, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """Draw numbers over the range of the array's elements; sorted, or between 0 and 1, if the array's are."""
    dtype, size = array.dtype, math.prod(shape)
    found: np.ndarray
    if dtype.kind == "b":
        return (generator.random(shape) < 0.5).astype(dtype)
    if dtype.kind in "iu":
        low, high = int(array.min()), int(array.max())
        found = generator.integers(low, high, size, dtype=np.int64 if low < 0 else np.uint64, endpoint=True)
    elif dtype.kind == "c":
        found = generator.standard_normal(size) + 1j * generator.standard_normal(size)
    elif dtype.kind in "fV":
        real = np.asarray(array, np.float64)
        is_share = real.min() >= 0 and real.max() <= 1 and real.max() > 0
        found = generator.random(size) if is_share else generator.standard_normal(size) * _scale(real)
    else:
        return np.resize(array, shape)
    if _is_sorted(array):
        found.sort()
    return found.astype(dtype).reshape(shape)


def _scale(array: np.ndarray) -> float:
    """Return the magnitude of the numbers, within bounds."""
    finite = np.abs(array[np.isfinite(array)])
    return float(np.clip(finite.max(initial=1.0), 1e-3, 1e3))


def _is_sorted(array: np.ndarray) -> bool:
    return array.ndim == 1 and array.size > 1 and array.dtype.kind in "iuf" and bool((array[1:] >= array[:-1]).all())


def _spread(array: np.ndarray, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """Draw integers over a range that grows with the array, for indices into one; anything else as `_draw_like`
    does.
    """
    if array.dtype.kind not in "iu" or array.min() < 0:
        return _draw_like(array, shape, generator)
    factor = math.prod(shape) // array.size
    high = min((int(array.max()) + 1) * factor - 1, int(np.iinfo(array.dtype).max))
    found = generator.integers(0, high, math.prod(shape), dtype=np.uint64, endpoint=True)
    if _is_sorted(array):
        found.sort()
    return found.astype(array.dtype).reshape(shape)


def _repeat(array: np.ndarray, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """Return the array's elements, each several times in a row, so that a sorted array stays sorted."""
    for axis, (new, old) in enumerate(zip(shape, array.shape, strict=True)):
        array = np.repeat(array, new // old, axis)
    return array


def _normalize(array: np.ndarray, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """Draw elements that sum to 1, if the array's do."""
    found = _draw_like(array, shape, generator)
    is_share = array.dtype.kind == "f" and array.size and abs(float(array.sum()) - 1) < 1e-3
    return (found / found.sum()).astype(array.dtype) if is_share else found


def _draw_definite(array: np.ndarray, shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    """Return a positive definite matrix, if the shape is square."""
    found = _draw_like(array, shape, generator)
    if len(shape) < 2 or shape[-1] != shape[-2] or array.dtype.kind not in "fc":
        return found
    symmetric = (found + np.swapaxes(found, -1, -2).conj()) / (2 * _scale(np.abs(array)))
    return (symmetric + 4 * np.sqrt(shape[-1]) * np.eye(shape[-1])).astype(array.dtype)


Filling = Callable[[np.ndarray, tuple[int, ...], np.random.Generator], np.ndarray]
FILLINGS: dict[str, Filling] = {
    "spread": _spread,
    "drawn": _draw_like,
    "definite": _draw_definite,
    "normalized": _normalize,
    "repeated": _repeat,
}


def plan_ladders(name: str, cases: int, directions: int) -> list[Ladder]:
    """Return the ladders of a name: a few directions of each of its simplest cases that can grow. Runs NumPy."""
    found: list[Ladder] = []
    grown = 0
    forms = set()
    for case in select_simplest_cases(name):
        form = _form(case)
        if form in forms or grown >= cases:
            continue
        ladders = list(_limit(_list_ladders(case), directions))
        if ladders:
            forms.add(form)
            grown += 1
            found += ladders
    return found


def plan_plainest(name: str) -> Ladder | None:
    """Return the ladder on which the plainest ordinary case of a name grows: without options, if it grows without."""
    for case in select_simplest_cases(name, ordinary=True):
        for plainer in dict.fromkeys((drop_options(case), case)):
            for ladder in _list_ladders(plainer):
                return ladder
    return None


def drop_options(case: Case) -> Case:
    """Return the case without its keywords, and the last arguments that are no arrays, as far as NumPy takes it."""
    candidates = [Case(case.name, case.args, {})]
    while candidates[-1].args and not _has_arrays(candidates[-1].args[-1]):
        candidates.append(Case(case.name, candidates[-1].args[:-1], {}))
    return next((plainer for plainer in reversed(candidates) if run_numpy(plainer).ok), case)


def _has_arrays(value: Any) -> bool:
    return bool(Case("", (value,)).arrays())


def _limit(ladders: Iterator[Ladder], most: int) -> Iterator[Ladder]:
    for _, ladder in zip(range(most), ladders, strict=False):
        yield ladder


def select_simplest_cases(name: str, *, ordinary: bool = False) -> list[Case]:
    """Return valid cases of the name, or only ordinary ones, the simplest first; the same every time."""
    found = []
    for seed in range(DRAWS):
        drawn = draw_call(SeedChoices(seed), name)
        case, arrays = drawn.case, drawn.case.arrays()
        if ordinary and drawn.call_class != ORDINARY:
            continue
        if any(array.size == 0 or array.nbytes > 1 << 16 for array in arrays):
            continue
        if run_numpy(case).ok:
            found.append((ordinary and _has_rare_dtype(case), _weight(case), seed, case))
    return [case for *_, case in sorted(found, key=lambda entry: entry[:3])]


def _has_rare_dtype(case: Case) -> bool:
    return any(array.dtype.name in RARE for array in case.arrays())


def _weight(case: Case) -> tuple[int, ...]:
    """Return a sort key: how far a case is from a typical call, with arrays rather than scalars, few options, common
    dtypes.
    """
    arrays = case.arrays()
    return (
        not any(array.size > 1 for array in arrays),
        sum(isinstance(value, list) for value in (*case.args, *case.kwargs.values())),
        len(case.kwargs),
        sum(array.ndim == 0 for array in arrays),
        sum(rank_dtype(array.dtype) for array in arrays),
        sum(array.ndim for array in arrays),
    )


def _form(case: Case) -> tuple[Any, ...]:
    """Return a key that two cases share if they would grow alike."""
    return (len(case.args), tuple(case.kwargs), tuple((array.ndim, array.dtype.kind) for array in case.arrays()))


def _list_ladders(case: Case) -> Iterator[Ladder]:
    """Yield the directions in which a case can grow, the most informative first."""
    base, filling = _grow_to(case, SMALL)
    seen: set[tuple[Position, ...]] = set()
    for label, positions in _list_directions(base):
        if positions in seen or not positions:
            continue
        seen.add(positions)
        for choice in dict.fromkeys((filling, *FILLINGS)):
            ladder = Ladder(base, positions, label, choice)
            if _grows(ladder):
                yield ladder
                break


def _grow_to(case: Case, elements: int) -> tuple[Case, str]:
    """Return the case with all of its arrays larger, if NumPy accepts that, and the kind of filling for which it
    does.
    """
    largest = max((array.size for array in case.arrays()), default=0)
    positions = _all_axes(case)
    if positions and largest < elements:
        step = math.ceil(math.log(elements / largest, STEP))
        for filling in FILLINGS:
            found = _grow_if_valid(Ladder(case, positions, "", filling), step)
            if found is not None:
                return found, filling
    return case, next(iter(FILLINGS))


def _grow_if_valid(ladder: Ladder, step: int) -> Case | None:
    try:
        case = ladder.grow(step)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return case if run_numpy(case).ok else None


def _all_axes(case: Case) -> tuple[Position, ...]:
    return tuple([Position(number, axis) for number, axis, dim in _list_dimensions(case) if dim > 1])


def _list_dimensions(case: Case) -> Iterator[tuple[int, int, int]]:
    """Yield leaf, axis and length of every dimension; an array that occurs twice counts once."""
    seen = set()
    for number, leaf in enumerate(case.leaves()):
        if isinstance(leaf, np.ndarray) and id(leaf) not in seen:
            seen.add(id(leaf))
            yield from ((number, axis, dim) for axis, dim in enumerate(leaf.shape))


def _list_integers(case: Case) -> list[tuple[int, int]]:
    """Return leaf and value of every integer that may be a size."""
    return [
        (number, int(leaf))
        for number, leaf in enumerate(case.leaves())
        if isinstance(leaf, int | np.integer) and not isinstance(leaf, bool) and leaf > 0
    ]


def _list_directions(case: Case) -> Iterator[tuple[str, tuple[Position, ...]]]:
    """Yield what might grow together: all arrays; an integer; all dimensions of one length; an array; an axis."""
    dimensions = [entry for entry in _list_dimensions(case) if entry[2] > 1]
    integers = _list_integers(case)
    yield "all arrays", _all_axes(case)
    for number, value in integers:
        yield f"the number {value}", (Position(number),)
    for length in dict.fromkeys(dim for _, _, dim in dimensions):
        alike = [Position(number, axis) for number, axis, dim in dimensions if dim == length]
        yield f"dimensions of {length}", tuple(alike)
        same = [Position(number) for number, value in integers if value == length]
        yield f"dimensions and numbers of {length}", tuple(sorted([*alike, *same]))
    for leaf in dict.fromkeys(number for number, _, _ in dimensions):
        yield f"array {leaf}", tuple([Position(number, axis) for number, axis, _ in dimensions if number == leaf])
    for number, axis, dim in dimensions:
        yield f"axis {axis} of array {number}, {dim}", (Position(number, axis),)
    yield "everything", tuple(sorted([*_all_axes(case), *(Position(number) for number, _ in integers)]))


def _grows(ladder: Ladder) -> bool:
    """Return whether NumPy accepts larger cases, and their input and output grow, at most quadratically."""
    sizes = []
    for step in range(3):
        case = _grow_if_valid(ladder, step)
        if case is None:
            return False
        sizes.append(count_held_bytes(case, run_numpy(case)))
    return sizes[2] >= 2 * sizes[0] and sizes[2] <= 2 * STEP**4 * sizes[0]


def count_held_bytes(case: Case, outcome: Outcome) -> int:
    """Return the number of bytes of arguments and result."""
    return sum(array.nbytes for array in [*case.arrays(), *list_arrays(outcome.value)])


def format_shapes(case: Case) -> str:
    """Return the source of the call, with the dtype and shape of each array instead of its elements."""
    return case.typed(array=lambda array: f"<{array.dtype.name} {array.shape}>")


def list_arrays(value: Any) -> list[np.ndarray]:
    """Return the arrays of a result."""
    if isinstance(value, np.ndarray):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [array for item in items for array in list_arrays(item)]
