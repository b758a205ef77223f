"""Drawing dtypes, shapes, memory layouts, arrays, and the numbers on which libraries fail."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import layouts
from fuzz.generate.call_classes import DTYPES as UNUSUAL_DTYPES
from fuzz.generate.call_classes import LAYOUTS as UNUSUAL_LAYOUTS
from fuzz.generate.call_classes import NUMBERS as UNUSUAL_NUMBERS
from fuzz.generate.call_classes import SHAPES as UNUSUAL_SHAPES
from fuzz.generate.choices import MOST_ELEMENTS, Choices

Shape = tuple[int, ...]
Numbers = Sequence[Any]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

# How often each dtype is drawn; the simplest first.
WEIGHTS = {
    np.dtype(name): weight
    for name, weight in {
        "float32": 4, "float64": 4, "int32": 3, "int64": 4, "bool": 3, "uint8": 2, "int8": 2, "float16": 2,
        "complex64": 2, "complex128": 2, "int16": 1, "uint16": 1, "uint32": 1, "uint64": 2, BFLOAT16: 1,
    }.items()
}  # fmt: skip
DTYPES = tuple(WEIGHTS)


def weighted(options: Mapping[Any, int]) -> tuple[Any, ...]:
    """Return every option as often as its weight says, for `pick`."""
    return tuple(option for option, weight in options.items() for _ in range(weight))


def kind(dtype: np.dtype) -> str:
    """Return NumPy's kind of a dtype, "f" for bfloat16."""
    return "f" if dtype == BFLOAT16 else dtype.kind


def of_kind(kinds: str) -> tuple[np.dtype, ...]:
    """Return dtypes of these kinds, weighted."""
    return weighted({dtype: weight for dtype, weight in WEIGHTS.items() if kind(dtype) in kinds})


ANY = of_kind("biufc")
BOOLS = of_kind("b")
INTEGERS = of_kind("iu")
SIGNED = of_kind("i")
FLOATS = of_kind("f")
REALS = of_kind("iuf")
INEXACT = of_kind("fc")
COMPLEX = of_kind("c")

# Pools of numbers, by dtype and purpose.

SMALL = (0, 1, 2, 3, -1, -2, 4, 5, 7, 10)
HUNDREDS = (100, 120, 127, 200, 255, 300, 500, 1000)
MODERATE = (12, 37, 99, 256, 1000, 4096, 12345, -17, -300, -5000)
HALVES = (0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.1, 3.7, -7.25, 0.0)
AWKWARD_FLOATS = (
    math.nan, math.inf, -math.inf, -0.0, 0.0, 1.0, -1.0, 2.0**24 + 1, 2.0**53 + 1, 2.0**31, 2.0**63, 2.0**64,
    -(2.0**31), -(2.0**63), 1e10, 100.0, 127.0, 128.0, 255.0, 256.0, 65504.0, 1e-10, math.pi, -math.pi, math.pi / 2,
    math.e, 20.0, 89.0, 710.0, -750.0, 0.999, 1 / 3, 1e300, 1e-300, 1e-4, -1e-4, 1e5, -1000.5, -0.999,
)  # fmt: skip
AWKWARD_INTEGERS = (
    0, 1, -1, 2, 7, 8, 31, 32, 63, 64, 100, 127, 128, 255, 256, 2**15, 2**16, 2**24 + 1, 2**31 - 1, 2**31, 2**32,
    2**53 + 1, 2**62, 46341, -128, -(2**15), -(2**31), -7,
)  # fmt: skip


MILLION = 1_000_000


def _floats(dtype: np.dtype, values: Iterable[Any]) -> tuple[float, ...]:
    with np.errstate(all="ignore"):
        rounded = np.array(list(values), np.float64).astype(dtype).astype(np.float64).tolist()
    return tuple({repr(value): value for value in rounded}.values())


def _extremes(dtype: np.dtype) -> tuple[float, ...]:
    limits = ml_dtypes.finfo(dtype)
    tiny, least, eps = float(limits.tiny), float(limits.smallest_subnormal), float(limits.eps)
    near = (1 + eps, 1 - eps / 2, eps / 2 - 1, -1 - eps)
    return float(limits.max), float(limits.min), tiny, -tiny, tiny / 2, least, -least, eps, *near


def _pools_of(dtype: np.dtype) -> dict[str, Numbers]:
    """Return the pools of numbers for a dtype; each number is exactly representable in it."""
    sort = kind(dtype)
    if sort == "b":
        return dict.fromkeys(("small", "awkward", "positive", "unit", "distinct"), (False, True))
    if sort in "iu":
        limits = np.iinfo(dtype)
        within = [value for value in AWKWARD_INTEGERS if limits.min <= value <= limits.max]
        small = tuple(value for value in SMALL if value >= limits.min)
        awkward = (*within, limits.max, limits.min, limits.max - 1, limits.min + 1, limits.max // 2)
        return {
            "small": small,
            "awkward": tuple(map(int, awkward)),
            "positive": (1, 2, 3, 4, 5, 7, 10, 100),
            "hundreds": tuple(value for value in HUNDREDS if value <= limits.max),
            "moderate": (*small, *[value for value in MODERATE if limits.min < value < limits.max]),
            # of all a narrow dtype but its bounds, or up to a million: single bytes tell one dtype from another
            "spread": range(max(limits.min + 1, -MILLION), min(limits.max, MILLION)),
            "unit": (0, 1),
            "distinct": tuple(range(100)),
            "special": tuple({0, 1, limits.max, limits.min, limits.max // 2 + 1}),
        }
    if sort == "f":
        return {
            "small": _floats(dtype, SMALL),
            "awkward": _floats(dtype, AWKWARD_FLOATS + _extremes(dtype)),
            "special": _floats(dtype, (math.nan, math.inf, -math.inf, -0.0, 0.0, *_extremes(dtype)[:7])),
            "halves": _floats(dtype, HALVES),
            "positive": _floats(dtype, (1, 2, 0.5, 3, 0.1, 10, 1.5, 100)),
            "hundreds": _floats(dtype, HUNDREDS),
            "moderate": _floats(dtype, (*MODERATE, *[value / 8 for value in MODERATE])),
            "unit": _floats(dtype, (0, 0.5, 1, 0.25, 0.1, 0.75, 0.9)),
            "distinct": _floats(dtype, [value / 2 for value in range(100)]),
        }
    part = np.dtype(f"f{dtype.itemsize // 2}")
    parts = _pools_of(part)
    return {name: _complex(parts[name]) for name in parts}


def _complex(parts: Numbers) -> tuple[complex, ...]:
    """Return complex numbers from real ones: with zero imaginary part, zero real part, and neither."""
    both = [complex(real, parts[(7 * index + 3) % len(parts)]) for index, real in enumerate(parts)]
    same = [complex(part, sign * part) for part in parts[:: max(len(parts) // 8, 1)] for sign in (1, -1)]
    return (complex(parts[0]), complex(parts[1]), *both, *[complex(0.0, part) for part in parts], *same)


POOLS: dict[np.dtype, dict[str, Numbers]] = {dtype: _pools_of(dtype) for dtype in DTYPES}
for _pools in POOLS.values():  # for functions that reject special numbers
    _pools["finite"] = (*_pools["small"], *_pools.get("halves", ())[:2])
for _inexact in (*FLOATS, *COMPLEX):  # for functions that ignore nan
    POOLS[_inexact]["gaps"] = (*POOLS[_inexact]["small"], *POOLS[_inexact]["halves"], *[math.nan] * 5)
USUAL = {"awkward": "moderate", "special": "halves"}
"""Pools of ordinary numbers, instead of those of unusual ones. Gaps are ordinary: for functions that ignore nan."""


# Text: strings of one width, so that siblings are alike. Their order tells characters from bytes and from UTF-16, and
# ends of strings from what comes next; some are written as numbers are.

TEXT = np.dtype("U9")
STRINGS = ("", "a", "b", "A", "ab", "10", "9", "-2", "0", " ", "True", "zz")
AWKWARD_STRINGS = (
    *("\u00e9", "e\u0301", "\u00df", "\uffee", "\U0001d7d9", "\U00010000x", "\ue000", "\x7f", "\t", "aaaaaaa"),
    *("aaaaaaab", "aaaaaaaa", "aaaaaaaab", "aaaaaa\u00e9", "aaaaaaa\u00e9", "1.5", "nan", "a b", "-0", "1e3"),
)
POOLS[TEXT] = dict.fromkeys(("small", "positive", "unit", "halves", "finite"), STRINGS) | {
    "awkward": (*STRINGS, *AWKWARD_STRINGS),
    "special": AWKWARD_STRINGS,
    "distinct": tuple(sorted({*STRINGS, *AWKWARD_STRINGS})),
}
WITH_TEXT = (*ANY, *[TEXT] * 3)
TAKE_TEXT = frozenset((
    "sort", "argsort", "lexsort", "partition", "argpartition", "searchsorted", "argmax", "argmin", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "isin", "intersect1d", "union1d",
    "setdiff1d", "setxor1d", "where", "nonzero", "flatnonzero", "argwhere", "count_nonzero", "any", "all",
    "extract", "array", "asarray", "asanyarray", "ascontiguousarray", "copy", "require", "full_like",
    "zeros_like", "ones_like", "empty_like", "concatenate", "concat", "stack", "hstack", "vstack",
    "dstack", "column_stack", "block", "append", "insert", "delete", "take", "take_along_axis", "compress",
    "choose", "select", "tile", "repeat", "roll", "rollaxis", "flip", "fliplr", "flipud", "rot90", "reshape",
    "resize", "ravel", "flatten", "transpose", "permute_dims", "matrix_transpose", "swapaxes", "moveaxis",
    "expand_dims", "squeeze", "unstack", "broadcast_to", "broadcast_arrays", "atleast_1d", "atleast_2d",
    "atleast_3d", "split", "array_split", "hsplit", "vsplit", "dsplit", "diag", "diagonal", "diagflat", "tril",
    "triu", "meshgrid", "array_equal", "array_equiv", "array2string", "array_repr", "array_str", "tolist",
    "item", "fill", "ndim", "shape", "size", "__getitem__",
))  # fmt: skip
"""Functions, and methods, that take arrays of anything: text, too."""

# How the elements of an array are chosen: from a pool, or by a function.


def _bits(choices: Choices, dtype: np.dtype, count: int) -> np.ndarray:
    """Draw any bit patterns. Of nan any sign and payload, but no signalling one: most operations make it quiet."""
    found = np.array(choices.picks(range(256), count * dtype.itemsize), np.uint8).view(dtype)
    parts = found.view(found.real.dtype) if dtype.kind == "c" else found
    if dtype.kind not in "biu":
        parts[np.isnan(parts)] = choices.pick((math.nan, -math.nan))
        _mark_nan(choices, parts)
    return found


def _mark_nan(choices: Choices, parts: np.ndarray) -> None:
    """Give each nan another sign or payload, now and then."""
    missing = np.flatnonzero(np.isnan(parts))
    if not missing.size or not choices.flag(MARKED_SHARE):
        return
    bits = parts.reshape(-1).view(f"u{parts.dtype.itemsize}")
    sign = bits.dtype.type(1 << (8 * bits.itemsize - 1))
    for index in missing.tolist():
        bits[index] ^= sign * bits.dtype.type(choices.integer(0, 1)) | bits.dtype.type(choices.integer(0, 3))


MARKED_SHARE = 0.3


def _run(choices: Choices, dtype: np.dtype, count: int) -> list[Any]:
    """Draw sorted numbers, sometimes in reverse; complex numbers are sorted by their text, for lack of an order."""
    pool = POOLS[dtype]["small" if count % 2 else "distinct"]
    key = str if dtype.kind == "c" else None
    return sorted(choices.picks(pool, count), key=key, reverse=choices.flag(0.4))


def _repeated(choices: Choices, dtype: np.dtype, count: int) -> list[Any]:
    return choices.picks(choices.picks(POOLS[dtype]["awkward"], 2), count)


def _tied(choices: Choices, dtype: np.dtype, count: int) -> list[Any]:
    return choices.picks(choices.picks(POOLS[dtype]["moderate"], 2), count)


def _measure(choices: Choices, dtype: np.dtype, count: int) -> Any:
    """Draw numbers of similar size that use all digits of the dtype, like measurements: sums of them are rounded."""
    found = np.array(choices.picks(NUMERATORS, count), dtype) / dtype.type(97)
    return found + found[::-1] * dtype.type(1j) if dtype.kind == "c" else found


def _clustered(choices: Choices, dtype: np.dtype, count: int) -> Any:
    """Draw numbers near one another and far from 0, now and then all equal: their differences cancel."""
    found = np.array(choices.picks(NUMERATORS, 1 if choices.flag(0.3) else count), dtype) / dtype.type(97_000)
    return np.resize(found + dtype.type(choices.pick((1000, -1000, 10))), count)


def _mostly_missing(choices: Choices, dtype: np.dtype, count: int) -> np.ndarray:
    """Draw nan, with at most two numbers among them."""
    found = np.full(count, math.nan, dtype)
    for _ in range(min(count, choices.integer(1, 2))):
        found[choices.integer(0, count - 1)] = choices.pick(POOLS[dtype]["small"])
    return found


def _usual_ways_of(dtype: np.dtype) -> tuple[Any, ...]:
    """Return the ways in which an ordinary call has its numbers: finite, of moderate size."""
    pools = POOLS[dtype]
    if dtype == TEXT:
        return (pools["small"], pools["awkward"], _run)
    if dtype.kind == "b":
        return (pools["small"],)
    inexact = kind(dtype) in "fc"
    own: tuple[Any, ...]
    own = (pools["halves"], pools["halves"], _measure, _measure) if inexact else (pools["spread"], pools["spread"])
    ways = ("small", "small", "small", "positive", "unit", "hundreds", "moderate", "moderate")
    own += (_clustered, _clustered) if kind(dtype) == "f" and dtype.itemsize >= 4 else ()
    return (*[pools.get(way, pools["small"]) for way in ways], _run, _tied, *own)


def _unusual_ways_of(dtype: np.dtype) -> tuple[Any, ...]:
    """Return the ways in which an edge call has its numbers."""
    pools = POOLS[dtype]
    if dtype.kind in "bU":
        return (pools["awkward"], _run, _repeated)
    mixed = (*pools["small"], *pools["small"], *pools["awkward"])
    ways: tuple[Any, ...] = (*[pools["awkward"]] * 5, mixed, mixed, mixed, pools["special"], _repeated, _bits)
    if kind(dtype) in "fc":
        ways += (
            pools["special"],
            pools["special"],
            MISSING,
            MISSING,
            *[ZEROS] * 2,
            NOT_FINITE,
            INFINITE,
            pools["gaps"],
            pools["gaps"],
            _mostly_missing,
        )
    return ways


NUMERATORS = range(-10_000, 10_001)
MISSING = (math.nan, math.nan)
INFINITE = (math.inf, -math.inf)
NOT_FINITE = (math.nan, -math.inf, -math.inf, math.inf)
ZEROS = (0.0, -0.0)
USUAL_WAYS = {dtype: _usual_ways_of(dtype) for dtype in (*DTYPES, TEXT)}
UNUSUAL_WAYS = {dtype: _unusual_ways_of(dtype) for dtype in (*DTYPES, TEXT)}
UNUSUAL_SHARE = 0.92  # of the arrays of a call that may have unusual numbers; others are as in an ordinary call

# A pool of small numbers fits most calls of a function; special ones are mixed in now and then.
SPECIAL_SHARE = 0.5
LARGE_SHARE = 2.0**-7  # fraction of the largest number, so that sums do not overflow
SEASONED: dict[np.dtype, dict[str, tuple[Any, ...]]] = {
    dtype: {
        pool: ((*pools[pool], *pools["special"]), pools["special"], *([MISSING] if kind(dtype) in "fc" else []))
        for pool in ("small", "halves")
        if pool in pools and "special" in pools
    }
    | (
        {"finite": ((*pools["finite"], -0.0, pools["special"][-2], LARGE_SHARE * pools["special"][5]),)}
        if kind(dtype) == "f"
        else {}
    )
    for dtype, pools in POOLS.items()
}


for _dtype in (*FLOATS, *COMPLEX):
    SEASONED[_dtype]["gaps"] = (POOLS[_dtype]["gaps"], _mostly_missing)
for _dtype in FLOATS:
    _large, _least = POOLS[_dtype]["special"][5], POOLS[_dtype]["special"][-2]
    SEASONED[_dtype]["finite"] = ((*POOLS[_dtype]["finite"], -0.0, _least, LARGE_SHARE * _large),)


def numbers(choices: Choices, dtype: np.dtype, count: int, pool: str = "") -> Any:
    """Draw `count` numbers that are exact in this dtype, from one pool or from any. Many numbers are few repeated, with
    another one at the end.
    """
    if count > PERIOD:
        found = np.resize(np.array(numbers(choices, dtype, PERIOD, pool), dtype), count)
        found[-1] = np.array(numbers(choices, dtype, 1, pool), dtype)[0]
        return found
    is_unusual = UNUSUAL_NUMBERS in choices.edges
    if pool:
        pools = POOLS[dtype]
        way = pools.get(pool if is_unusual else USUAL.get(pool, pool))
        if way is None:
            way = pools["small"]
        elif is_unusual and pool in SEASONED[dtype] and choices.flag(SPECIAL_SHARE):
            way = choices.pick(SEASONED[dtype][pool])
    else:
        way = choices.pick((UNUSUAL_WAYS if is_unusual and choices.flag(UNUSUAL_SHARE) else USUAL_WAYS)[dtype])
    return way(choices, dtype, count) if callable(way) else choices.picks(way, count)


PERIOD = 1291  # a prime number: no block of a blocked algorithm repeats another one


# Shapes.

HIGHEST_RANK = 6
RANKS = weighted({0: 3, 1: 8, 2: 8, 3: 4, 4: 2, 5: 1, 6: 1})
DIMS: tuple[tuple[int, ...], ...] = (
    (),
    weighted({1: 3, 2: 4, 3: 6, 4: 4, 5: 2, 0: 2, 7: 1, 8: 1, 17: 1, 33: 1, 65: 1, 130: 1}),
    weighted({1: 6, 2: 9, 3: 9, 4: 3, 5: 2, 0: 2, 17: 1}),
    weighted({1: 5, 2: 8, 3: 6, 4: 2, 0: 1, 7: 1}),
    weighted({1: 5, 2: 8, 3: 3, 0: 1}),
    weighted({1: 6, 2: 8, 3: 1, 0: 1}),
    weighted({1: 6, 2: 6, 0: 1}),
)
USUAL_DIMS = tuple(tuple(dim for dim in dims if dim) for dims in DIMS)
LONG = (MOST_ELEMENTS,)  # longer than any block of a blocked sum; rarely, as such arrays are large
LONG_SHAPES = {1: LONG, 2: (30, 40)}
SUMMED_SHARE = 0.4  # of long arrays
THRESHOLDS = tuple(2**power + beside for power in range(3, 11) for beside in (0, 0, -1, 1))
HUGE_THRESHOLDS = tuple(power + beside for power in (8192, 8192, 8192, 65536) for beside in (0, -1, 1))
"""Lengths from which libraries take another algorithm or another kernel, and those beside."""
HUGE = HUGE_THRESHOLDS[-1]
LONG_SHARE, THRESHOLD_SHARE, HUGE_SHARE = 0.035, 0.06, 0.02
SHORT_LENGTHS = (0, 1, 2, 3, 5, 17)
OTHER_LENGTHS = (*SHORT_LENGTHS, 64, 130, 1025, MOST_ELEMENTS)
EMPTY_SHARE = 0.8  # of the shapes of a call that may be unusual in this


def shape(choices: Choices, low: int = 0, high: int = HIGHEST_RANK, *, long: bool = True) -> Shape:
    """Draw a shape of `low` to `high` dimensions, mostly small ones, rarely `long`."""
    drawn = _draw_shape(choices, low, high, long=long)
    return drawn if choices.sizes is None else _resize(choices.sizes, drawn, long=long)


def _resize(choices: Choices, drawn: Shape, *, long: bool) -> Shape:
    """Draw another shape of as many dimensions: a vector's length, or one dimension of others."""
    if not drawn:
        return drawn
    axis = choices.integer(0, len(drawn) - 1)
    lengths = OTHER_LENGTHS if long and len(drawn) == 1 else SHORT_LENGTHS
    return (*drawn[:axis], choices.pick(lengths), *drawn[axis + 1 :])


def _draw_shape(choices: Choices, low: int, high: int, *, long: bool) -> Shape:
    rank = min(max(choices.pick(RANKS), low), high)
    is_unusual = UNUSUAL_SHAPES in choices.edges
    dims = tuple(choices.picks((DIMS if is_unusual else USUAL_DIMS)[rank], rank)) if rank else ()
    if is_unusual and rank and choices.flag(EMPTY_SHARE):
        axis = choices.integer(0, rank - 1)
        return (*dims[:axis], 0, *dims[axis + 1 :])
    if not long or rank not in LONG_SHAPES:
        return dims
    size = choices.integer(0, 999)
    if size < 1000 * (1 - LONG_SHARE - THRESHOLD_SHARE):
        return dims
    if size < 1000 * (1 - LONG_SHARE):
        return _around_threshold(choices, rank, choices.pick(THRESHOLDS))
    if size < 1000 * (1 - HUGE_SHARE) or choices.most < HUGE:
        return LONG_SHAPES[rank]
    return _around_threshold(choices, rank, choices.pick(HUGE_THRESHOLDS))


def _around_threshold(choices: Choices, rank: int, dim: int) -> Shape:
    """Return a vector's shape, or a matrix with as many rows or columns, or nearly as many elements."""
    if rank == 1:
        return (dim,)
    if dim > MOST_ELEMENTS:
        return (dim // 64, 64)
    return (dim, 1 + dim % 2) if choices.flag() else (2, dim)


def dim(choices: Choices, high: int) -> int:
    """Draw a dimension of at most `high`; 0 only in a call that may be unusual in this."""
    return choices.integer(int(UNUSUAL_SHAPES not in choices.edges), high)


def is_empty(choices: Choices) -> bool:
    """Draw whether a vector should have no elements."""
    return UNUSUAL_SHAPES in choices.edges and choices.flag(0.3)


def usual_dims(choices: Choices, rank: int) -> tuple[int, ...]:
    """Return the dimensions to pick from for an array of this rank."""
    return (DIMS if UNUSUAL_SHAPES in choices.edges else USUAL_DIMS)[rank]


def dtype_for(choices: Choices, dtypes: Sequence[np.dtype], shape: Shape) -> np.dtype:
    """Draw the dtype of an array of this shape: of long ones often one whose sums are soon past it."""
    if math.prod(shape) >= LONG[0] and choices.flag(SUMMED_SHARE):
        dtypes = [dtype for dtype in dtypes if dtype.itemsize <= SMALL_SIZE] or dtypes
    return usual_dtype(choices, choices.pick(dtypes))


def usual_dtype(choices: Choices, dtype: np.dtype) -> np.dtype:
    """Return the dtype; float32 for bfloat16, which is not NumPy's, unless the call may have unusual dtypes."""
    return FLOAT32 if dtype is BFLOAT16 and UNUSUAL_DTYPES not in choices.edges else dtype


FLOAT32 = np.dtype(np.float32)


SMALL_SIZE = 2


MANY = (4, 8, 17, 70)
MANY_SHARE = 0.1
MOST_TOGETHER = 1000  # elements of many arrays together, about


def how_many(choices: Choices, low: int, high: int, many: Sequence[int] = MANY) -> int:
    """Draw a number of arrays: few, or now and then so many that a tree, a chunk or a limited kernel shows."""
    return choices.pick(many) if many and choices.flag(MANY_SHARE) else choices.integer(low, high)


def cropped(shape: Shape, count: int) -> Shape:
    """Return the shape, with short dimensions if so many arrays of it would be large."""
    return tuple([min(dim, 2) for dim in shape]) if count * math.prod(shape) > MOST_TOGETHER else shape


def narrowed(choices: Choices, full: Shape) -> Shape:
    """Draw a shape that broadcasts to `full`, with leading dimensions left out or some dimensions 1."""
    if not full:
        return full
    start = choices.integer(0, len(full))
    return tuple([1 if choices.flag(0.3) else dim for dim in full[start:]])


def widened(choices: Choices, right: Shape) -> Shape:
    """Draw a shape that `right` broadcasts to: with dimensions in front, and others where it has 1."""
    front = choices.picks((1, 2, 3), choices.integer(0, min(2, HIGHEST_RANK - len(right))))
    return (*front, *[choices.integer(1, 3) if dim == 1 else dim for dim in right])


def nearly(choices: Choices, right: Shape) -> Shape:
    """Draw a shape that is wrong in one dimension, or has one too many."""
    if not right or choices.flag(0.2):
        return (*right, 3)
    index = choices.integer(0, len(right) - 1)
    return (*right[:index], right[index] + choices.integer(1, 2), *right[index + 1 :])


# Arrays and their memory layouts.


def array(choices: Choices, dtype: np.dtype, shape: Shape, pool: str = "") -> np.ndarray:
    """An array whose layout is part of the structure, and whose contents come from `choices.values`."""
    dtype = usual_dtype(choices, dtype)
    if not pool and math.prod(shape) >= LONG[0] and choices.values.flag(SUMMED_SHARE):
        pool = choices.values.pick(("positive", "hundreds"))
    plain = np.array(numbers(choices.values, dtype, math.prod(shape), pool), dtype).reshape(shape)
    if UNUSUAL_NUMBERS in choices.edges and plain.dtype.kind in "fc":
        _mark_nan(choices.values, plain.reshape(-1).view(plain.real.dtype))
    if not pool and plain.size and len(shape) > 1 and choices.values.flag(EVEN_ROWS):
        _even_out(choices.values, plain)
    return laid(choices, plain)


EVEN_ROWS = 0.12


def _even_out(choices: Choices, plain: np.ndarray) -> None:
    """Make one row along some axis all nan, or all of its first element, or the same as the row before it."""
    axis = choices.integer(0, plain.ndim - 1)
    rows = np.moveaxis(plain, axis, -1)
    position = tuple([choices.integer(0, dim - 1) for dim in rows.shape[:-1]])
    form = choices.integer(0, 2)
    if form == 0 and kind(plain.dtype) in "fc" and UNUSUAL_NUMBERS in choices.edges:
        rows[position] = math.nan
    elif form < 2:
        rows[position] = rows[position][0]
    else:
        rows[position] = rows[(position[0] - 1, *position[1:])]


USUAL_LAYOUTS = weighted(layouts.USUAL)
LAYOUTS = weighted(layouts.UNUSUAL)


def laid(choices: Choices, plain: np.ndarray, exactly: bool = False) -> np.ndarray:
    """Draw a layout for the array; with `exactly`, only one that keeps every element."""
    layout = choices.pick(LAYOUTS if UNUSUAL_LAYOUTS in choices.edges else USUAL_LAYOUTS)
    if layout is None:
        return plain
    return (layouts.EXACT.get(layout, layout) if exactly else layout)(plain)


def without_zero(choices: Choices, found: np.ndarray, index: int) -> np.ndarray:
    """Return the vector with 1 for a zero at `index`, in a drawn layout."""
    plain = np.array(found, found.dtype.newbyteorder("="), order="C")
    if plain.ndim and plain.size and not plain[index]:
        plain[index] = 1
    return laid(choices, plain, exactly=True)


def as_array(found: Any) -> np.ndarray:
    """Return an array unchanged, and anything else as an array."""
    return (
        found if type(found) is np.ndarray else np.zeros(2) if np.asarray(found).dtype not in POOLS else np.array(found)
    )


def filled(choices: Choices, dtype: np.dtype, shape: Shape, options: Sequence[Any]) -> np.ndarray:
    """Draw an array of any layout whose elements are picked from `options`."""
    return laid(choices, picked(choices.values, options, usual_dtype(choices, dtype), shape))


def picked(choices: Choices, options: Sequence[Any], dtype: np.dtype, shape: Shape) -> np.ndarray:
    """Draw an array whose elements are picked from `options`; many of them are few repeated."""
    count = math.prod(shape)
    found = np.array(choices.picks(options, min(count, PERIOD)), dtype)
    return (np.resize(found, count) if count > PERIOD else found).reshape(shape)


LONGEST_LIST = MOST_ELEMENTS  # elements: every one is an argument of its own, of which a case has at most some thousand


def listed(choices: Choices, dtype: np.dtype, shape: Shape) -> Any:
    """Draw nested lists of Python scalars, or a scalar for rank 0."""
    pools = POOLS[dtype]
    is_unusual = UNUSUAL_NUMBERS in choices.edges and choices.flag()
    picked = choices.picks(pools["awkward"] if is_unusual else pools["small"], math.prod(shape))
    return np.array(picked, np.float64 if dtype == BFLOAT16 else dtype).reshape(shape).tolist()


def shuffled(choices: Choices, options: Iterable[Any]) -> list[Any]:
    left = list(options)
    return [left.pop(choices.integer(0, len(left) - 1)) for _ in range(len(left))]


def writable(
    choices: Choices, dtype: np.dtype, shape: Shape, plainly: bool = False, forwards: bool = False
) -> np.ndarray:
    """Draw an array for results: with any elements, and any layout in which elements do not overlap; `plainly` in C
    order, or `forwards` without negative strides.
    """
    dtype = usual_dtype(choices, dtype)
    plain = np.array(numbers(choices.values, dtype, math.prod(shape), "small"), dtype).reshape(shape)
    if plainly:
        return plain
    layout = choices.pick(WRITABLE_LAYOUTS if UNUSUAL_LAYOUTS in choices.edges else USUAL_LAYOUTS)
    return plain if layout is None or (forwards and layout is layouts.reversed_) else layout(plain)


WRITABLE_LAYOUTS = (None, *(layouts.transposed, layouts.reversed_, layouts.spread) * 3, *[layouts.swapped] * 3)
