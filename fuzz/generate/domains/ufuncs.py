"""Calls of NumPy's ufuncs, with dtypes that NumPy's own loops accept."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arrays import Shape
from fuzz.generate.choices import Choices
from oracle import Case

# What an operand is: mostly arrays.
FORMS = arrays.weighted({"array": 73, "python": 14, "scalar": 4, "0-d": 3, "list": 3, "again": 3, "echo": 12})
FORMS_OF_VECTORS = arrays.weighted({"array": 88, "list": 5, "again": 3, "0-d": 4})  # if there are core dimensions
PAIRED = 0.06  # how many calls of two operands see every special number beside every other

# Keyword arguments: mostly none.
EXTRAS = arrays.weighted(
    {"": 78, "out": 7, "dtype": 4, "where": 3, "casting": 2, "order": 2, "signature": 1, "subok": 1, "core": 2}
)

NAMED_BY = {extra: {extra} for extra in EXTRAS if extra} | {"core": {"axes", "axis", "keepdims"}}
"""The parameters that ask for each."""

# Near misses and wild calls. The wrong dtypes come from dtypes that have no loop.
FAULTS = arrays.weighted({"": 78, "shape": 6, "dtypes": 7, "casting": 2, "order": 1, "out": 2, "count": 2, "wild": 4})

# NumPy 2.4 writes only a part of a strided result of these where the operand is broadcast; and beyond complex results
# of generalized ufuncs that run backwards.
CONTIGUOUS_OUT = frozenset({"isnan", "isinf", "isfinite", "signbit"})

LARGE = {np.dtype(np.uint64), np.dtype(np.int64)}
"""Dtypes that have no common integer dtype: libraries fall into that."""

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
ORDERS = ("K", "C", "F", "A")


@dataclass(frozen=True)
class Plan:
    """Facts about a ufunc that all draws share."""

    ufunc: np.ufunc
    name: str
    fitting: tuple[tuple[np.dtype, ...], ...]  # dtypes of operands for which there is a loop, weighted
    unfitting: tuple[tuple[np.dtype, ...], ...]
    outputs: tuple[np.dtype, ...]  # dtypes that a call may ask for
    core: tuple[tuple[str, ...], ...]  # core dimensions by operand, as in "(n?,k),(k,m?)->(n?,m?)"


def plan(name: str) -> Plan:
    ufunc: np.ufunc = getattr(np, name)
    fitting, unfitting = [], []
    for dtypes in itertools.product(arrays.DTYPES, repeat=ufunc.nin):
        if not _has_loop(ufunc, dtypes):
            unfitting.append(dtypes)
        elif len(set(dtypes)) == 1:
            fitting.extend([dtypes] * (8 if ufunc.nin > 1 else 1) * arrays.WEIGHTS[dtypes[0]])
        else:
            fitting.extend([dtypes] * (12 if {np.dtype(np.uint64)} < set(dtypes) <= LARGE else 1))
    text = (arrays.TEXT,) * ufunc.nin
    if _has_loop(ufunc, text):
        fitting.extend([text] * max(len(fitting) // 12, 1))
    loops = {loop.split("->")[1][0] for loop in ufunc.types} & set("?bBhHiIlLefdFD")
    outputs = tuple(np.dtype(code) for code in sorted(loops)) or (np.dtype(np.float32),)
    return Plan(ufunc, name, tuple(fitting), tuple(unfitting or fitting), outputs, _core(ufunc))


def _has_loop(ufunc: np.ufunc, dtypes: tuple[np.dtype, ...]) -> bool:
    try:
        ufunc.resolve_dtypes((*dtypes, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


def _core(ufunc: np.ufunc) -> tuple[tuple[str, ...], ...]:
    if not ufunc.signature:
        return ()
    return tuple(tuple(filter(None, part.split(","))) for part in re.findall(r"\(([^)]*)\)", ufunc.signature))


def drawing(name: str) -> Callable[[Choices, frozenset[str]], Case]:
    """Return a function that draws cases of one ufunc."""
    known = plan(name)

    def draw(choices: Choices, required: frozenset[str]) -> Case:
        fault = "" if required else choices.pick(FAULTS)
        dtypes = choices.pick(known.unfitting if fault == "dtypes" else known.fitting)
        is_paired = choices.flag(PAIRED)
        if is_paired and not (known.core or fault or required) and len(dtypes) == 2 and arrays.TEXT not in dtypes:
            return Case(name, arrays.all_pairs(choices, *dtypes))
        shapes = _core_shapes(choices, known) if known.core else _shapes(choices, len(dtypes))
        if fault == "shape":
            axis = choices.integer(0, len(shapes) - 1)
            shapes[axis] = arrays.nearly(choices, shapes[axis])
        operands: list[Any] = []
        for dtype, shape in zip(dtypes, shapes, strict=True):
            operands.append(_operand(choices, dtype, shape, operands, FORMS_OF_VECTORS if known.core else FORMS))
        extras = _extras(choices, required)
        if not extras and (not fault or fault in {"shape", "dtypes"}):
            return Case(name, tuple(operands))
        return _with_extras(choices, known, operands, extras, fault)

    return draw


def _shapes(choices: Choices, count: int) -> list[Shape]:
    full = arrays.shape(choices)
    if count == 1:
        return [full]
    relation = choices.integer(0, 9)
    if relation < 5:
        return [full] * count
    if relation < 9:
        shapes = [full] * count
        shapes[choices.integer(0, count - 1)] = arrays.narrowed(choices, full)
        return shapes
    if count == 2 and choices.flag():
        return _crossed(choices)
    return [arrays.narrowed(choices, full) for _ in range(count)]


def _crossed(choices: Choices) -> list[Shape]:
    """Draw the shapes of a column and a row, or of a row and a column, often of equal length."""
    rows, columns = choices.picks(arrays.DIMS[2], 2)
    shapes: list[Shape] = [(rows, 1), (1, rows if choices.flag() else columns)]
    return shapes if choices.flag() else shapes[::-1]


def _core_shapes(choices: Choices, known: Plan) -> list[Shape]:
    """Draw shapes that fit a gufunc's signature, with broadcast batch dimensions; optional dimensions are all given or
    none.
    """
    lengths = arrays.DIMS[2]
    dims = {dim: choices.pick(lengths) for dim in sorted({dim for part in known.core for dim in part})}
    dims = {dim: length for dim, length in dims.items() if not (dim.endswith("?") and choices.flag(0.25))}
    batch = arrays.shape(choices, 0, 2) if choices.flag(0.4) else ()
    shapes = []
    for part in known.core[: known.ufunc.nin]:
        optional = any(dim.endswith("?") and dim not in dims for dim in part)
        lead = () if optional else arrays.narrowed(choices, batch)
        shapes.append(lead + tuple(dims[dim] for dim in part if dim in dims))
    return shapes


def _operand(choices: Choices, dtype: np.dtype, shape: Shape, earlier: list[Any], forms: tuple[str, ...]) -> Any:
    form = choices.pick(forms)
    if form == "array":
        return arrays.array(choices, dtype, shape)
    if form == "python":
        return arrays.python_scalar(choices, dtype)
    if form == "scalar":
        return arrays.numpy_scalar(choices, dtype)
    if form == "0-d":
        return arrays.array(choices, dtype, ())
    if form == "echo" and earlier and not isinstance(earlier[0], list):
        return arrays.echo(choices, earlier[0], dtype, shape)
    if form == "list" and len(shape) < 3:
        return arrays.listed(choices, dtype, shape)
    return earlier[0] if earlier and form == "again" else arrays.array(choices, dtype, shape)


def _extras(choices: Choices, required: Collection[str]) -> set[str]:
    """Draw the names of keyword arguments to give: `required` ones, or mostly none, rarely two."""
    found = {extra for extra, names in NAMED_BY.items() if not names.isdisjoint(required)}
    if not found:
        found = {choices.pick(EXTRAS)}
        if "" not in found and choices.flag(0.25):
            found.add(choices.pick(EXTRAS))
    if {"dtype", "signature"} <= found:  # NumPy takes either
        found.remove(choices.pick(("dtype", "signature")))
    return found - {""}


def _with_extras(choices: Choices, known: Plan, operands: list[Any], extras: Collection[str], fault: str) -> Case:
    kwargs = _options(choices, known, extras, fault)
    if "core" in extras:
        kwargs.update(_core_extras(choices, known, operands))
    if fault == "out" or "out" in extras or "where" in extras:
        out = _outputs(choices, known, operands, kwargs, spoilt=fault == "out")
        if out is not None:
            kwargs["out"] = out[0] if len(out) == 1 and choices.flag(0.8) else out
            if "where" in extras and not known.core:
                kwargs["where"] = mask(choices, out[0].shape)
    if fault == "count":
        operands = operands[:-1] if choices.flag() else [*operands, operands[0], operands[0]]
    if fault == "wild":
        operands[choices.integer(0, len(operands) - 1)] = arrays.wild(choices)
    if "out" in kwargs and "where" not in kwargs and type(kwargs["out"]) is np.ndarray and choices.flag(0.3):
        operands.append(kwargs.pop("out"))
    return Case(known.name, tuple(operands), kwargs)


def _options(choices: Choices, known: Plan, extras: Collection[str], fault: str) -> dict[str, Any]:
    """Draw the keyword arguments that do not depend on the operands."""
    kwargs: dict[str, Any] = {}
    if "dtype" in extras:
        kwargs["dtype"] = None if choices.flag(0.1) else _spelt(choices, choices.pick(known.outputs))
    if "signature" in extras:
        kwargs["signature"] = choices.pick(known.ufunc.types)
    if "subok" in extras:
        kwargs["subok"] = choices.flag()
    if "casting" in extras or fault == "casting":
        kwargs["casting"] = "bogus" if fault == "casting" and choices.flag() else choices.pick(CASTINGS)
    if "order" in extras or fault == "order":
        kwargs["order"] = choices.pick(("Z", "", 3, "c")) if fault == "order" else choices.pick(ORDERS)
    return kwargs


def _core_extras(choices: Choices, known: Plan, operands: list[Any]) -> dict[str, Any]:
    """Draw the keyword arguments that only gufuncs take; other ufuncs sometimes get them, too."""
    if not known.core:
        return {"dtype": _spelt(choices, choices.pick(known.outputs))} if choices.flag(0.9) else {"keepdims": True}
    if len(known.core[-1]) == 0 and choices.flag():
        return {"keepdims": choices.flag()}
    if len({part for part in known.core if part}) == 1 and choices.flag():
        return {"axis": _moved(choices, operands, choices.integer(-2, 1))}
    return {"axes": _axes(choices, known, operands)}


def _moved(choices: Choices, operands: list[Any], axis: int) -> int:
    """Draw a position for the only core dimension, and move it there in all operands."""
    if all(type(operand) is np.ndarray and -operand.ndim <= axis < operand.ndim for operand in operands):
        operands[:] = [np.moveaxis(operand, -1, axis) for operand in operands]
        return axis
    return -1


def _axes(choices: Choices, known: Plan, operands: list[Any]) -> list[Any]:
    """Draw the positions of the core dimensions of each operand and result, and transpose the operands accordingly."""
    found, batch = [], 0
    dropped: set[str] = set()
    for index, part in enumerate(known.core[: len(operands)]):
        rank = np.ndim(operands[index])
        core = min(len(part), rank)
        dropped.update(part if core < len(part) else ())
        batch = max(batch, rank - core)
        axes = list(range(-core, 0))
        if type(operands[index]) is np.ndarray and choices.flag():
            axes = _draw_axes(choices, rank, core)
            operands[index] = np.moveaxis(operands[index], range(-core, 0), axes)
        found.append(axes)
    for part in known.core[len(operands) :]:
        core = sum(not (dim.endswith("?") and dim in dropped) for dim in part)
        found.append(_draw_axes(choices, batch + core, core) if choices.flag() else list(range(-core, 0)))
    return [axes[0] if len(axes) == 1 and choices.flag(0.8) else tuple(axes) for axes in found]


def _draw_axes(choices: Choices, rank: int, count: int) -> list[int]:
    """Draw distinct axes, some counted from the end."""
    return [axis - rank * choices.flag() for axis in arrays.shuffled(choices, range(rank))[:count]]


def _outputs(
    choices: Choices, known: Plan, operands: list[Any], options: dict[str, Any], spoilt: bool
) -> tuple[np.ndarray, ...] | None:
    """Draw arrays for the results, by NumPy's result for zeros; None if NumPy rejects those, too."""
    results = arrays.answer(known.ufunc, *operands, **options)
    if results is None or any(getattr(operand, "dtype", None) == arrays.TEXT for operand in operands):
        return None
    outputs = []
    for result in results if type(results) is tuple else (results,):
        shape, dtype = result.shape, result.dtype
        if spoilt or choices.flag(0.15):
            dtype = choices.pick(arrays.ANY)
        if spoilt and choices.flag(0.7):
            shape = arrays.nearly(choices, shape)
        elif choices.flag(0.1):
            shape = (2, *shape)
        outputs.append(arrays.writable(choices, dtype, shape, plainly=bool(known.core) or known.name in CONTIGUOUS_OUT))
    return tuple(outputs)


def mask(choices: Choices, shape: Shape) -> Any:
    """Draw a mask for `where=` and results of a shape."""
    if choices.flag(0.2):
        return choices.flag()
    return arrays.array(choices, np.dtype(np.bool), arrays.narrowed(choices, shape) if choices.flag() else shape)


def _spelt(choices: Choices, dtype: np.dtype) -> Any:
    """Draw one of the ways to write a dtype."""
    return choices.pick((dtype, dtype.type, dtype.name, dtype.char if dtype.char in "efdFD?" else dtype))
