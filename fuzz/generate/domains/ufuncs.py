"""Calls of NumPy's ufuncs, with dtypes that NumPy's own loops accept."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from fuzz.generate import arrays, operand_pairs, single_numbers, trial_calls
from fuzz.generate.arrays import Shape
from fuzz.generate.call_classes import (
    COUNT,
    DTYPE,
    DTYPES,
    HOSTILE,
    INVALID,
    LAYOUTS,
    NUMBERS,
    OPTION,
    SHAPE,
    PlantedFault,
)
from fuzz.generate.choices import Choices
from fuzz.generate.nonsense import draw_nonsense
from oracle import Case

# What an operand is: mostly arrays.
FORMS = arrays.weighted({"array": 73, "python": 14, "scalar": 4, "0-d": 3, "list": 3, "again": 3, "echo": 12})
FORMS_OF_VECTORS = arrays.weighted({"array": 88, "list": 5, "again": 3, "0-d": 4})  # if there are core dimensions
PAIRED = 0.2  # how many calls of two operands with unusual numbers see every special number beside every other

# Keyword arguments: mostly none.
EXTRAS = arrays.weighted(
    {"": 78, "out": 7, "dtype": 4, "where": 3, "casting": 2, "order": 2, "signature": 1, "subok": 1, "core": 2}
)

NAMED_BY = {extra: {extra} for extra in EXTRAS if extra} | {"core": {"axes", "axis", "keepdims"}}
"""The parameters that ask for each."""

# Faults of invalid calls. The wrong dtypes come from dtypes that have no loop.
FAULTS = arrays.weighted(
    {("shape", SHAPE): 6, ("dtypes", DTYPE): 7, ("casting", OPTION): 2, ("order", OPTION): 1, ("out", SHAPE): 2}
    | {("count", COUNT): 2}
)

# NumPy 2.4 writes only a part of a strided result of these where the operand is broadcast; and beyond complex results
# of generalized ufuncs that run backwards.
CONTIGUOUS_OUT = frozenset({"isnan", "isinf", "isfinite", "signbit"})

LARGE = {np.dtype(np.uint64), np.dtype(np.int64)}
"""Dtypes that have no common integer dtype: libraries fall into that."""

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
ORDERS = ("K", "C", "F", "A")


@dataclass(frozen=True)
class UfuncPlan:
    """Facts about a ufunc that all draws share."""

    ufunc: np.ufunc
    name: str
    fitting: tuple[tuple[np.dtype, ...], ...]  # dtypes of operands for which there is a loop, weighted
    usual: tuple[tuple[np.dtype, ...], ...]  # those without bfloat16
    mixed: tuple[tuple[np.dtype, ...], ...]  # those that differ from one another
    unfitting: tuple[tuple[np.dtype, ...], ...]
    outputs: tuple[np.dtype, ...]  # dtypes that a call may ask for
    core: tuple[tuple[str, ...], ...]  # core dimensions by operand, as in "(n?,k),(k,m?)->(n?,m?)"


@cache
def plan(name: str) -> UfuncPlan:
    ufunc: np.ufunc = getattr(np, name)
    fitting, unfitting = [], []
    for dtypes in itertools.product(arrays.DTYPES, repeat=ufunc.nin):
        if not has_loop(ufunc, dtypes):
            unfitting.append(dtypes)
        elif len(set(dtypes)) == 1:
            fitting.extend([dtypes] * (8 if ufunc.nin > 1 else 1) * arrays.WEIGHTS[dtypes[0]])
        else:
            fitting.extend([dtypes] * (12 if {np.dtype(np.uint64)} < set(dtypes) <= LARGE else 1))
    text = (arrays.TEXT,) * ufunc.nin
    if has_loop(ufunc, text):
        fitting.extend([text] * max(len(fitting) // 12, 1))
    loops = {loop.split("->")[1][0] for loop in ufunc.types} & set("?bBhHiIlLefdFD")
    outputs = tuple(np.dtype(code) for code in sorted(loops)) or (np.dtype(np.float32),)
    usual = tuple(dtypes for dtypes in fitting if arrays.BFLOAT16 not in dtypes)
    mixed = tuple(dtypes for dtypes in fitting if len(set(dtypes)) > 1 or arrays.BFLOAT16 in dtypes)
    return UfuncPlan(
        ufunc, name, tuple(fitting), usual, mixed or tuple(fitting), tuple(unfitting), outputs, _core(ufunc)
    )


def keeps(name: str, dtype: np.dtype) -> bool:
    """Return whether the ufunc of two such operands has a result of their dtype."""
    return getattr(np, name).resolve_dtypes((dtype, dtype, None))[-1] == dtype


def has_loop(ufunc: np.ufunc, dtypes: tuple[np.dtype, ...]) -> bool:
    """Return whether the ufunc takes operands of these dtypes."""
    try:
        ufunc.resolve_dtypes((*dtypes, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


def _core(ufunc: np.ufunc) -> tuple[tuple[str, ...], ...]:
    if not ufunc.signature:
        return ()
    return tuple(tuple(filter(None, part.split(","))) for part in re.findall(r"\(([^)]*)\)", ufunc.signature))


Asked = Mapping[str, int | None]


def drawing(name: str) -> Callable[[Choices, frozenset[str], str, Asked], tuple[Case, PlantedFault | None]]:
    """Return a function that draws cases of one ufunc, in a class of calls."""
    known = plan(name)
    faults = FAULTS if known.unfitting else tuple(fault for fault in FAULTS if fault[0] != "dtypes")

    def draw(
        choices: Choices, required: frozenset[str], call_class: str, asked: Asked
    ) -> tuple[Case, PlantedFault | None]:
        required = required or frozenset(asked)
        fault, sort = choices.pick(faults) if call_class == INVALID else ("", "")
        if fault == "shape" and known.ufunc.nin == 1 and not known.core:
            fault = "count"
        dtypes = choices.pick(known.unfitting if fault == "dtypes" else _fitting(choices, known))
        can_be_paired = len(dtypes) == 2 and not (known.core or fault or required or name in EXPONENTS)
        if can_be_paired and NUMBERS in choices.edges and arrays.TEXT not in dtypes and choices.flag(PAIRED):
            return Case(name, operand_pairs.all_pairs(choices, *dtypes)), None
        if can_be_paired and arrays.TEXT not in dtypes and choices.flag(SINGLE_SHARE):
            return Case(name, single_numbers.mixed_pair(choices, *dtypes)), None
        if can_be_paired and name in DIVISIONS and NUMBERS in choices.edges and choices.flag(PAIRED):
            return Case(name, operand_pairs.overflowing_division(choices)), None
        shapes = _core_shapes(choices, known) if known.core else _shapes(choices, len(dtypes))
        at = choices.integer(0, len(shapes) - 1) if fault == "shape" else 0
        if fault == "shape":
            shapes[at] = _misfit(shapes, at) if not known.core else arrays.nearly(choices, shapes[at])
        operands: list[Any] = []
        forms = ("array",) if fault in {"shape", "dtypes"} else FORMS_OF_VECTORS if known.core else FORMS
        for dtype, shape in zip(dtypes, shapes, strict=True):
            operands.append(_operand(choices, dtype, shape, operands, forms, name))
        if name in EXPONENTS and call_class != HOSTILE:
            operands[1] = drop_sign(operands[1], operands[0])
        extras = _extras(choices, required) if not fault else set()
        case = Case(name, tuple(operands))
        if extras or fault not in {"", "shape", "dtypes"}:
            case = _with_extras(choices, known, operands, extras, fault)
        if call_class == HOSTILE:
            odd = choices.integer(0, len(case.args) - 1)
            case = Case(name, (*case.args[:odd], draw_nonsense(choices), *case.args[odd + 1 :]), case.kwargs)
        return case, PlantedFault(
            fault if fault in {"casting", "order", "out"} else f"x{at + 1}", sort
        ) if fault else None

    return draw


SINGLE_SHARE = 0.04  # of calls with two operands: a NumPy scalar and a number of Python's
DIVISIONS = frozenset({"divide", "true_divide", "floor_divide", "remainder", "mod", "fmod", "divmod"})
DIVISIONS |= {"gcd", "lcm", "multiply"}
"""Functions whose result for the lowest integer and -1 has no room in its dtype, or is 0."""

EXPONENTS = frozenset({"power", "pow"})


def drop_sign(exponent: Any, base: Any) -> Any:
    """Return the exponent without sign if both are integers: NumPy raises for negative ones."""
    kinds = {np.asarray(exponent).dtype.kind, np.asarray(base).dtype.kind}
    if "i" not in kinds or not kinds <= set("biu") or not isinstance(exponent, np.ndarray | np.generic | int):
        return exponent
    if not isinstance(exponent, np.ndarray):
        return exponent if int(exponent) >= 0 else type(exponent)(3)
    if exponent.dtype.kind == "i":
        exponent = exponent if exponent.flags.writeable else exponent.copy()
        exponent[exponent < 0] = 3
    return exponent


def list_pairs(name: str) -> tuple[Mapping[str, int | None], ...]:
    """Return the pairs of keyword arguments that a ufunc takes."""
    own = "axes" if plan(name).core else "where"
    keywords = ("out", "dtype", own, "casting", "order", "signature", "subok")
    return tuple({one: None, other: None} for one, other in itertools.combinations(keywords, 2))


def _fitting(choices: Choices, known: UfuncPlan) -> tuple[tuple[np.dtype, ...], ...]:
    """Return the dtypes of operands to pick from."""
    return known.usual if DTYPES not in choices.edges else known.mixed if choices.flag() else known.fitting


def _misfit(shapes: list[Shape], at: int) -> Shape:
    """Return a shape that does not broadcast with another one."""
    other = shapes[at - 1]
    return (*other[:-1], (other[-1] if other[-1] > 1 else 2) + 1) if other and other[-1] != 1 else (3, 1, 2, 2, 2, 2, 0)


def _shapes(choices: Choices, count: int) -> list[Shape]:
    full = arrays.shape(choices)
    if count == 1:
        return [full]
    if choices.flag(LONG_BESIDE_ONE):
        shapes: list[Shape] = [(choices.pick(LENGTHS_BESIDE_ONE),), *[()] * (count - 1)]
        return shapes if choices.flag() else shapes[::-1]
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


LONG_BESIDE_ONE = 0.04
LENGTHS_BESIDE_ONE = (32, 33, 64, 65, 100, 130, 257, 1000)
"""Vectors that a kernel takes in blocks, beside a single number."""


def _crossed(choices: Choices) -> list[Shape]:
    """Draw the shapes of a column and a row, or of a row and a column, often of equal length."""
    rows, columns = choices.picks(arrays.usual_dims(choices, 2), 2)
    shapes: list[Shape] = [(rows, 1), (1, rows if choices.flag() else columns)]
    return shapes if choices.flag() else shapes[::-1]


def _core_shapes(choices: Choices, known: UfuncPlan) -> list[Shape]:
    """Draw shapes that fit a gufunc's signature, with broadcast batch dimensions; optional dimensions are all given or
    none.
    """
    lengths = arrays.usual_dims(choices, 2)
    dims = {dim: choices.pick(lengths) for dim in sorted({dim for part in known.core for dim in part})}
    dims = {dim: length for dim, length in dims.items() if not (dim.endswith("?") and choices.flag(0.25))}
    batch = arrays.shape(choices, 0, 2) if choices.flag(0.4) else ()
    shapes = []
    for part in known.core[: known.ufunc.nin]:
        optional = any(dim.endswith("?") and dim not in dims for dim in part)
        lead = () if optional else arrays.narrowed(choices, batch)
        shapes.append(lead + tuple(dims[dim] for dim in part if dim in dims))
    return shapes


COMPARISONS = frozenset({"equal", "not_equal", "greater", "greater_equal", "less", "less_equal"})
"""Functions that take Python integers of any size beside arrays of integers."""


def _operand(
    choices: Choices, dtype: np.dtype, shape: Shape, earlier: list[Any], forms: tuple[str, ...], name: str
) -> Any:
    form = choices.pick(forms)
    if form == "array":
        return arrays.array(choices, dtype, shape)
    if form == "python" and name in COMPARISONS and dtype.kind in "iu" and NUMBERS in choices.edges and choices.flag():
        beside = getattr(earlier[0], "dtype", dtype) if earlier else dtype
        return single_numbers.python_integer_at_bounds(choices, beside if beside.kind in "iu" else dtype)
    if form == "python":
        return single_numbers.python_scalar(choices, dtype)
    if form == "scalar":
        return single_numbers.numpy_scalar(choices, dtype)
    if form == "0-d":
        return arrays.array(choices, dtype, ())
    if form == "echo" and earlier and not isinstance(earlier[0], list):
        return operand_pairs.echo(choices, earlier[0], dtype, shape)
    if form == "list" and len(shape) < 3 and math.prod(shape) <= arrays.LONGEST_LIST:
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


def _with_extras(choices: Choices, known: UfuncPlan, operands: list[Any], extras: Collection[str], fault: str) -> Case:
    kwargs = _options(choices, known, extras, fault)
    if not fault and kwargs.keys() & CASTS and not trial_calls.takes(known.ufunc, *operands, **kwargs):
        kwargs = {key: value for key, value in kwargs.items() if key not in CASTS}
    if "core" in extras:
        kwargs.update(_core_extras(choices, known, operands))
    out = None
    if fault == "out" or "out" in extras or ("where" in extras and choices.flag(0.7)):
        out = _outputs(choices, known, operands, kwargs, spoilt=fault == "out")
        if out is not None:
            kwargs["out"] = out[0] if len(out) == 1 and choices.flag(0.8) else out
    if "where" in extras and not known.core:
        kwargs["where"] = mask(choices, out[0].shape if out else _find_shape(operands))
    if fault == "count":
        operands = operands[:-1] if choices.flag() else [*operands, operands[0], operands[0]]
    if "out" in kwargs and "where" not in kwargs and type(kwargs["out"]) is np.ndarray and choices.flag(0.3):
        operands.append(kwargs.pop("out"))
    return Case(known.name, tuple(operands), kwargs)


def _find_shape(operands: Sequence[Any]) -> arrays.Shape:
    """Return the shape of the result; that of a number in an invalid call, whose operands are not to broadcast."""
    try:
        return np.broadcast_shapes(*map(np.shape, operands))
    except ValueError:
        return ()


CASTS = frozenset({"dtype", "signature", "casting"})
"""Options that NumPy rejects for some dtypes of operands."""


def _options(choices: Choices, known: UfuncPlan, extras: Collection[str], fault: str) -> dict[str, Any]:
    """Draw the keyword arguments that do not depend on the operands."""
    kwargs: dict[str, Any] = {}
    if "dtype" in extras:
        kwargs["dtype"] = None if choices.flag(0.1) else _spelt(choices, choices.pick(known.outputs))
    if "signature" in extras:
        kwargs["signature"] = choices.pick(known.ufunc.types)
    if "subok" in extras:
        kwargs["subok"] = choices.flag()
    if "casting" in extras or fault == "casting":
        kwargs["casting"] = "bogus" if fault == "casting" else choices.pick(CASTINGS)
    if "order" in extras or fault == "order":
        kwargs["order"] = choices.pick(("Z", "")) if fault == "order" else choices.pick(ORDERS)
    return kwargs


def _core_extras(choices: Choices, known: UfuncPlan, operands: list[Any]) -> dict[str, Any]:
    """Draw the keyword arguments that only gufuncs take."""
    if not known.core:
        return {}
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


def _axes(choices: Choices, known: UfuncPlan, operands: list[Any]) -> list[Any]:
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
    choices: Choices, known: UfuncPlan, operands: list[Any], options: dict[str, Any], spoilt: bool
) -> tuple[np.ndarray, ...] | None:
    """Draw arrays for the results, by NumPy's result for zeros; None if NumPy rejects those, too."""
    results = trial_calls.answer(known.ufunc, *operands, **options)
    if results is None or any(getattr(operand, "dtype", None) == arrays.TEXT for operand in operands):
        return None
    outputs: list[np.ndarray] = []
    for result in results if type(results) is tuple else (results,):
        shape, dtype = result.shape, result.dtype
        if choices.flag(0.15):
            dtype = choices.pick([one for one in arrays.DTYPES if np.can_cast(dtype, one, "same_kind")])
        if spoilt:
            shape = (*shape[:-1], shape[-1] + 1) if shape else (0,)
        elif not known.core and choices.flag(0.1):
            shape = (2, *shape)
        own = [one for one in operands if type(one) is np.ndarray and _can_hold(one, shape, dtype)]
        if own and LAYOUTS in choices.edges and not outputs and choices.flag():
            outputs.append(choices.pick(own))  # an operand is overwritten
            continue
        plainly, forwards = known.name in CONTIGUOUS_OUT, bool(known.core)
        outputs.append(arrays.writable(choices, dtype, shape, plainly, forwards))
    return tuple(outputs)


def _can_hold(operand: np.ndarray, shape: Shape, dtype: np.dtype) -> bool:
    return operand.shape == shape and operand.dtype == dtype and operand.flags.writeable and 0 not in operand.strides


def mask(choices: Choices, shape: Shape) -> Any:
    """Draw a mask for `where=` and results of a shape."""
    if choices.flag(0.2):
        return choices.flag()
    return arrays.array(choices, np.dtype(np.bool), arrays.narrowed(choices, shape) if choices.flag() else shape)


def _spelt(choices: Choices, dtype: np.dtype) -> Any:
    """Draw one of the ways to write a dtype."""
    return choices.pick((dtype, dtype.type, dtype.name, dtype.char if dtype.char in "efdFD?" else dtype))
