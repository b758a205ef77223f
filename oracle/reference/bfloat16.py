"""Reference for bfloat16: NumPy's result in bfloat16, or in float32 rounded once.

NumPy's support by ml_dtypes takes Python floats for float32, lacks loops for some functions, gives float32 or float64
where a promotion rule is missing, and adds in bfloat16. In those cases the reference is NumPy's result of the same call
on float32, rounded once. Which parts are rounded is decided by the same call on float16, the other 16-bit float. What
NumPy rejects for float16, as all of linear algebra, it computes in float64 for bfloat16: that result is kept.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from oracle.case.model import Case
from oracle.case.vocabulary import function_name
from oracle.inventory import FACTS
from oracle.reference.polynomials import list_parts, replace_coefficients

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_FACTS = FACTS["bfloat16"]
MIXING, INTERPOLATING = _FACTS["mixing"], _FACTS["interpolating"]
ORDERING, UNKNOWING = _FACTS["ordering"] | INTERPOLATING, _FACTS["unknowing"]
PRODUCTS, ADDING, REPRESENTING = _FACTS["products"], _FACTS["adding"], _FACTS["representing"]

OPERATORS = re.compile(
    r"ndarray\.__[ir]?(add|sub|mul|truediv|floordiv|mod|divmod|pow)__|ndarray\.__(eq|ne|lt|le|gt|ge)__"
)
"""The methods by which Python calls ufuncs."""

HALF = np.dtype(np.float16)
SINGLE = np.dtype(np.float32)
DOUBLE = np.dtype(np.float64)


def concerns(case: Case) -> bool:
    """Return whether any input is bfloat16, or is that dtype."""
    for leaf in case.leaves():
        if type(leaf) in PYTHON_CLASSES:
            continue
        if isinstance(leaf, ARRAYS):
            if leaf.dtype == BFLOAT16:
                return True
        elif leaf is BFLOAT16.type or (isinstance(leaf, np.dtype) and leaf == BFLOAT16):
            return True
    return False


ARRAYS = (np.ndarray, np.generic)
PYTHON_CLASSES = frozenset({int, float, bool, complex, str, type(None)})


def weaken(case: Case) -> Case:
    """Return the case with Python scalars as bfloat16 where they meet bfloat16."""
    function = getattr(np, case.name, None)
    operands = Case(case.name, case.args[: function.nin]) if isinstance(function, np.ufunc) else case
    operands = Case(case.name, case.args[1:]) if case.name == "where" else operands  # without the condition
    is_ufuncs = isinstance(function, np.ufunc) or OPERATORS.fullmatch(case.name) is not None
    if (
        not (is_ufuncs or case.name in MIXING)
        or not concerns(operands)
        or _widest_other(operands) is not None
        or not {"dtype", "signature"}.isdisjoint(case.kwargs)
    ):
        return case

    def weaken_leaf(value: Any) -> Any:
        if type(value) is float or (type(value) is int and not is_ufuncs):
            with suppress(OverflowError):
                return BFLOAT16.type(float(value))
        return value

    strong = 1 if case.name in ("clip", "where") else 0  # of what it clips, and the condition, an array is made
    return Case(case.name, (*case.args[:strong], *map(weaken_leaf, case.args[strong:])), case.kwargs)


class NoAnswer(Exception):
    """NumPy cannot compute this in bfloat16, and no other dtype replaces it."""


def adapt(name: str, function: Callable[..., Any], in_numpy: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of NumPy's, or of a subject that takes NumPy's arrays, so that it computes in bfloat16.

    NumPy's behaviour, by `in_numpy`, decides whether it is called on bfloat16, or on float32 with rounding.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        case = Case(name, args, kwargs)
        if not concerns(case):
            return function(*args, **kwargs)
        if name in FILLING:
            args = tuple(_fill_nan(value, FILLING[name]) if i == 0 else value for i, value in enumerate(args))
            kwargs = {key: _fill_nan(value, FILLING[name]) if key == "a" else value for key, value in kwargs.items()}
            return adapt(FILLED[name], function, in_numpy)(*args, **kwargs)
        if name == "nan_to_num":
            case = Case(name, args, _with_limits(kwargs) if len(args) <= 3 else kwargs)
        weak = weaken(case)
        if function is in_numpy and not _adds(case):
            before = [(array, np.copy(array)) for array in weak.arrays() if array.flags.writeable]
            value, error = _attempt(in_numpy, weak)
            if error is None and is_answer(weak, value):
                return value
            for array, content in before:
                if array.shape == content.shape:
                    array[...] = content
        way = _choose(weak, in_numpy)
        if way is None:
            return function(*weak.args, **weak.kwargs)
        return way.call(case, function)

    return call


FILLING = {"nancumsum": 0, "nancumprod": 1}
FILLED = {"nancumsum": "cumsum", "nancumprod": "cumprod"}
"""Functions that put a number for nan, and then do what another does: NumPy does not know nan in bfloat16."""


LARGEST = float(ml_dtypes.finfo(BFLOAT16).max)


def _with_limits(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `nan_to_num` with bfloat16's limits for infinities: float32's are too large."""
    limits = {"posinf": LARGEST, "neginf": -LARGEST}
    return {**limits, **{key: value for key, value in options.items() if key not in limits or value is not None}}


def _fill_nan(array: Any, filling: int) -> Any:
    if not isinstance(array, ARRAYS) or array.dtype != BFLOAT16:
        return array
    return np.where(np.isnan(array), BFLOAT16.type(filling), array)


@dataclass(frozen=True)
class Detour:
    """A call through float32; `analog` is NumPy's result for float16, or None if that says nothing."""

    analog: Any
    rounds_scalars: bool

    def call(self, case: Case, function: Callable[..., Any]) -> Any:
        """Call the function on float32, or on float64 for results in that dtype; round the result and what was
        written.
        """
        copies: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        dtype = DOUBLE if self._is_double() else SINGLE
        other = _replace(_round_operands(case), dtype, copies, self.rounds_scalars)
        value = function(*other.args, **other.kwargs)
        for original, upcast in copies.values():
            if original.flags.writeable and upcast.tobytes() != original.astype(dtype).tobytes():
                original[...] = upcast.astype(BFLOAT16)
        originals = {id(upcast): original for original, upcast in copies.values()}
        return _recast(value, self.analog, originals)

    def _is_double(self) -> bool:
        """Return whether the float16 result is in double precision, as in emath outside the real domain."""
        parts = [part for part in _arrays_in(self.analog) if part.dtype.kind in "fc"]
        return bool(parts) and all(part.dtype in (DOUBLE, np.complex128) for part in parts)


def _round_operands(case: Case) -> Case:
    """Return the call of a ufunc that is asked for bfloat16 with its floating operands rounded to that, as they are
    before a loop.
    """
    names_it = any(leaf is BFLOAT16.type or (isinstance(leaf, np.dtype) and leaf == BFLOAT16) for leaf in case.leaves())
    if not names_it or not isinstance(getattr(np, case.name.partition(".")[0], None), np.ufunc):
        return case
    out = case.kwargs.get("out")
    outputs = {id(array) for array in (out if isinstance(out, tuple) else (out,))}

    def round_array(array: np.ndarray) -> np.ndarray:
        is_operand = array.dtype.kind == "f" and id(array) not in outputs
        return array.astype(BFLOAT16).astype(array.dtype) if is_operand else array

    return case.map_arrays(round_array)


def _choose(case: Case, in_numpy: Callable[..., Any]) -> Detour | None:
    """Return the detour that the call needs; None if NumPy computes in bfloat16 itself, or rejects the call."""
    native, error = _attempt(in_numpy, _copy_state(case))
    if error is None and is_answer(case, native) and not _adds(case):
        return None
    if error is not None and not says_unknown(tuple(kind.__name__ for kind in type(error).__mro__), str(error)):
        return None
    ufunc, _, method = case.name.partition(".")
    if case.name in REPRESENTING or (ufunc in REPRESENTING and method):
        raise NoAnswer(case.name)
    has_operand = any(isinstance(leaf, ARRAYS) and leaf.dtype == BFLOAT16 for leaf in case.leaves())
    if (has_operand or case.name in MIXING) and any(map(_is_float16, case.leaves())):
        if error is not None and _refuses_cast(error):
            raise NoAnswer(case.name)  # nobody says whether one half may be cast to the other
        return Detour(
            _find_unpromoted(case, in_numpy), rounds_scalars=False
        )  # of the two halves neither holds the other
    analog, error_on_half = _attempt(in_numpy, _replace(case, HALF, None, rounds_scalars=False))
    if error and error_on_half and _refuses_cast(error) and _refuses_cast(error_on_half):
        return None  # it refuses the cast to either half
    if error_on_half is not None:
        _, error_on_half = _attempt(in_numpy, _replace(case, SINGLE, None, rounds_scalars=False))
        if error is None and (error_on_half is None or _refuses_cast(error_on_half)):
            return None  # ml_dtypes lets NumPy cast complex numbers to bfloat16: the answer is NumPy's own
        return Detour(None, rounds_scalars=False)
    return Detour(analog, rounds_scalars=has_operand and _are_halves(analog))


def _refuses_cast(error: Exception) -> bool:
    """Return whether NumPy raises because a casting rule forbids a cast."""
    return "Cannot cast" in str(error) or "`same_kind` rule" in str(error)


def _find_unpromoted(case: Case, in_numpy: Callable[..., Any]) -> Any:
    """Return the analog of a call on both halves: of float16 is what keeps the dtype of bfloat16, of float32 the rest.

    NumPy tells which by its answer to float32 beside float64, of which one does hold the other; what is float32 itself
    is longdouble meanwhile.
    """
    wider = {HALF: DOUBLE, SINGLE: np.dtype(np.longdouble)}
    doubled = case.map_leaves(
        lambda array: array.astype(wider.get(array.dtype, array.dtype)),
        lambda leaf: leaf.astype(wider.get(leaf.dtype, leaf.dtype)) if isinstance(leaf, np.generic) else leaf,
    )
    value, _ = _attempt(in_numpy, _replace(doubled, SINGLE, None, rounds_scalars=False))

    def mark(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [mark(item) for item in part]
        return np.empty(0, HALF) if isinstance(part, ARRAYS) and part.dtype == SINGLE else SINGLE

    return mark(value)


def _copy_state(case: Case) -> Case:
    """Return the case with copies of its arrays and generators, which a call changes."""

    def copy_value(value: Any) -> Any:
        return copy.deepcopy(value) if isinstance(value, np.random.Generator) else value

    copies = case.map_arrays(np.copy)
    return Case(
        copies.name,
        tuple(map(copy_value, copies.args)),
        {key: copy_value(value) for key, value in copies.kwargs.items()},
    )


def _is_float16(leaf: Any) -> bool:
    """Return whether the value is of float16, or names the dtype."""
    if isinstance(leaf, ARRAYS):
        return leaf.dtype == HALF
    return leaf is np.float16 or (isinstance(leaf, (np.dtype, str)) and leaf in (HALF, "float16", "half", "e"))


def _attempt(function: Callable[..., Any], case: Case) -> tuple[Any, Exception | None]:
    try:
        return function(*case.args, **case.kwargs), None
    except Exception as error:  # noqa: BLE001 - whatever NumPy raises is the answer
        return None, error


def _adds(case: Case) -> bool:
    """Return whether NumPy accumulates in bfloat16; for float16 it accumulates in float32."""
    return case.name.removeprefix("ndarray.") in ADDING


def _replace(
    case: Case, dtype: np.dtype, copies: dict[int, tuple[np.ndarray, np.ndarray]] | None, rounds_scalars: bool
) -> Case:
    """Return the call with another dtype for bfloat16, also in `dtype=`; weak scalars are rounded as beside bfloat16.

    `copies` maps arrays to their replacements; if it is None, arrays that the call writes to do not matter.
    """
    is_trial = copies is None
    made = {} if copies is None else copies

    def replace(value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray and value.dtype == BFLOAT16:
            return made.setdefault(id(value), (value, _cast_within_range(value, dtype)))[1]
        if kind is np.ndarray:
            return np.copy(value) if is_trial else value
        if kind is list or kind is tuple:
            return kind([replace(item) for item in value])
        if kind is dict:
            return {key: replace(item) for key, item in value.items()}
        if isinstance(value, np.generic) and value.dtype == BFLOAT16:
            return value.astype(dtype)
        if kind is float and rounds_scalars:
            return float(BFLOAT16.type(value))
        if (isinstance(value, np.dtype) and value == BFLOAT16) or value is BFLOAT16.type:
            return dtype
        return dtype.name if kind is str and value == BFLOAT16.name else value

    return Case(case.name, tuple(map(replace, case.args)), {key: replace(item) for key, item in case.kwargs.items()})


def _cast_within_range(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return an array of another dtype, with its limits for finite numbers beyond them: else NumPy finds infinities."""
    limit = float(np.finfo(dtype).max)
    return np.where(np.isfinite(array), np.clip(array.astype(SINGLE), -limit, limit), array).astype(dtype)


def _are_halves(value: Any) -> bool:
    """Return whether every floating part of the result is float16."""
    dtypes = {part.dtype for part in _arrays_in(value) if part.dtype.kind in "fc"}
    return dtypes == {HALF}


def _recast(value: Any, analog: Any, originals: dict[int, np.ndarray]) -> Any:
    """Return the float32 result with the dtypes that the float16 result implies."""
    if id(value) in originals and getattr(analog, "dtype", HALF) == HALF:  # else a dtype that the call asks for
        return originals[id(value)]
    if isinstance(value, ARRAYS):
        if analog is SINGLE or value.dtype.kind not in "fc":
            return value
        dtype = analog.dtype if isinstance(analog, ARRAYS) else HALF if value.dtype == SINGLE else value.dtype
        dtype = BFLOAT16 if dtype == HALF else dtype
        return value.astype(dtype) if dtype.kind in "fcV" else value
    if type(value) is float and isinstance(analog, ARRAYS) and analog.dtype == HALF:
        return BFLOAT16.type(value)  # a library's Python float for NumPy's scalar differs in float32 itself
    if isinstance(value, (list, tuple)):
        parts = analog if isinstance(analog, (list, tuple)) and len(analog) == len(value) else [analog] * len(value)
        parts = parts if analog is SINGLE or parts is analog else [None] * len(value)
        parts_made = [_recast(item, part, originals) for item, part in zip(value, parts, strict=True)]
        return type(value)(*parts_made) if hasattr(value, "_fields") else type(value)(parts_made)
    if isinstance(value, np.dtype):
        return BFLOAT16 if isinstance(analog, np.dtype) and analog == HALF and analog is not SINGLE else value
    if isinstance(value, type):
        return BFLOAT16.type if analog is np.float16 else value
    if list_parts(value) is not None and getattr(analog, "coef", np.zeros(0)).dtype == HALF:
        return replace_coefficients(value, value.coef.astype(BFLOAT16))
    return value


def is_answer(case: Case, value: Any) -> bool:
    """Return whether the result's dtype follows from the inputs.

    float16 and bfloat16 have no common dtype, and complex numbers lose a part in bfloat16, which NumPy permits.
    """
    other = _widest_other(case)
    if other == np.float16:
        return False
    if any(part.dtype.kind == "O" for part in _arrays_in(value)) or (case.name in PRODUCTS and not _arrays_in(value)):
        return False  # beside an integer, NumPy multiplies Python's objects
    is_weak = any(type(leaf) is complex for leaf in case.leaves())
    if (
        not isinstance(getattr(np, case.name, None), np.ufunc)
        and _count_other_dtypes(case, "iub" if is_weak else "iu") + is_weak > 1
    ):
        return False  # the common dtype of bfloat16 and several more depends on their order, and on which are weak
    if any(_calls_one_of(UNKNOWING, call) for call in case.calls()):
        return False
    if any((_calls_one_of(ORDERING, call) or _pads_with_medians(call)) and _has_nan(call) for call in case.calls()):
        return False
    if case.kwargs.get("out") is not None and case.name in INTERPOLATING:
        return False  # which is given what is float32, and says no more that it was
    if (other is not None and other.kind == "c") or is_weak:
        return value is not None and all(part.dtype != BFLOAT16 for part in _arrays_in(value))
    floats = [part for part in _arrays_in(value) if part.dtype.kind == "f"]
    if other is not None and any(2 < part.dtype.itemsize < other.itemsize for part in floats):
        return False  # a dtype that neither has, as that of the edges of a histogram with weights
    names_a_dtype = isinstance(getattr(np, case.name, None), type)  # np.float32(x)
    if case.name.startswith("emath."):
        return True  # each step is in the dtype of its operands: complex128 where a number leaves the domain
    if names_a_dtype or other is not None or any(isinstance(leaf, (np.dtype, type)) for leaf in case.leaves()):
        return True
    return all(not (part.dtype.kind in "fc" and part.dtype.itemsize > 2) for part in _arrays_in(value))


def _pads_with_medians(call: Case) -> bool:
    modes = (*call.args[2:3], call.kwargs.get("mode"))
    return call.name == "pad" and any(isinstance(mode, str) and mode == "median" for mode in modes)


def says_unknown(bases: tuple[str, ...], message: str) -> bool:
    """Return whether an error means that bfloat16 is not supported, rather than that the call is wrong."""
    return "TypeError" in bases or "bfloat16" in message or "no common type" in message


def _widest_other(case: Case) -> np.dtype | None:
    """Return a floating or complex dtype beside bfloat16 to which it would be promoted, or None."""
    for leaf in case.leaves():
        if isinstance(leaf, ARRAYS) and leaf.dtype != BFLOAT16 and leaf.dtype.kind in "fc":
            return leaf.dtype
    return None


def _count_other_dtypes(case: Case, codes: str) -> int:
    """Return the number of distinct dtypes of some kinds among arrays and arguments."""
    dtypes = [leaf.dtype for leaf in case.leaves() if isinstance(leaf, ARRAYS)]
    dtypes += [np.dtype(bool) for leaf in case.leaves() if type(leaf) is bool]
    if case.name == "result_type":
        dtypes += [np.dtype(leaf) for leaf in case.leaves() if isinstance(leaf, (np.dtype, type, str))]
    return len({dtype for dtype in dtypes if dtype.kind in codes})


def _calls_one_of(names: frozenset[str], call: Case) -> bool:
    """Return whether the call is of one of these functions, or takes one as an argument."""
    functions = (leaf for leaf in call.leaves() if callable(leaf) and not isinstance(leaf, type))
    return call.name in names or any(function_name(function) in names for function in functions)


def _has_nan(case: Case) -> bool:
    leaves = [leaf for leaf in case.leaves() if isinstance(leaf, ARRAYS) and leaf.dtype == BFLOAT16]
    return any(bool(np.isnan(leaf).any()) for leaf in leaves)


def _arrays_in(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _arrays_in(item)]
    return [value] if isinstance(value, ARRAYS) else []
