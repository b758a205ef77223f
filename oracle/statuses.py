"""Whether an outcome is the kind NumPy's is, a result or an error, and the same error: before any value is looked at.

What a graph may do otherwise is decided here, and nothing more lenient:

- An error that the values in the arrays cause may be TensorFlow's own at run time. Under XLA it may not come at all.
- Where a graph has not even shapes, the same holds for what shapes cause: with unknown dimensions for all errors but
  those of a dtype or an axis, with unknown rank for all but those of a dtype; and for these, if they are none of other
  dimensions, or ranks.
- An array where NumPy wants a Python value, and of a kind that NumPy refuses there, may be refused at trace by a
  TypeError that says that the value has to be known.
- Of two faults in one call, either may be named. With unknown rank, the fault that there is for most ranks, too.
- A dtype may be that of a result of other sides, where those are unknown.
- A call whose result has another structure or rank for other values may be refused at trace; one whose result has
  another structure for other dimensions, or another rank, may be refused where those are unknown, and so may one whose
  meaning is defined by cases of the rank where the rank is unknown: by a TypeError or ValueError whose message says
  that the dimension or the rank has to be known.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from oracle import blame, fillings, matrices, refusals
from oracle.bfloat16 import INTERPOLATING
from oracle.case import Case
from oracle.modes import SHAPELESS, Mode
from oracle.outcome import WRITTEN_BY_NAME, WRITTEN_FIRST, Outcome, Raised, reference
from oracle.scrutiny import Path, Scrutiny, at

Departure = tuple[str, str]


def departure(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> Departure | None:
    """How the outcome's status departs from NumPy's."""
    if actual.kind == "unsupported":
        return None
    if mode.name == "xla" and actual.error is not None and _is_text_for_xla(case, actual.error):
        return None
    if actual.kind in ("crash", "hang"):
        return actual.kind, str(actual.error or "")
    if expected.kind not in ("ok", "error"):
        return None
    if actual.kind == "memory":
        return "memory", f"{actual.error}; NumPy gives {shown(expected.value)}"
    if expected.error is None:
        return _spurious(case, expected, actual, mode)
    if (
        refusals.may_accept(case, expected.error.message)
        or ACCIDENT.match(expected.error.message)
        or BYTE_ORDER.search(expected.error.message)
    ):
        return None
    if actual.error is None:
        if mode.name == "xla" and refusals.comes_of_values(case, expected.error.message):
            return None
        return "missing error", f"NumPy raises {expected.error}; got {shown(actual.value)}"
    if actual.error.bases == expected.error.bases or _is_refusal(actual.error, case):
        return None
    if mode.is_traced and _may_come_late(case, expected.error, actual, mode):
        return None
    if actual.error.bases == ("TypeError",) and _writes_to_what_is_none(case):
        return None
    if mode.name in SHAPELESS and _may_be_refused(case, actual, mode):
        return None
    # XLA has no eigenvalues of general matrices: that is said at trace, before the matrix is looked at
    if mode.name == "xla" and case.name in matrices.GENERAL and "NotImplementedError" in actual.error.bases:
        return None
    if mode.name in SHAPELESS and actual.phase == "trace" and _is_of_other_shapes(case, actual.error, mode):
        return None
    if mode.is_traced and (_asks_for_a_value(case, actual) or blame.is_of_a_function(case, actual.error)):
        return None
    if blame.is_another_fault(case, actual.error):
        return None
    return "different error", f"NumPy raises {expected.error}; got {actual.error}"


def _is_of_other_shapes(case: Case, error: Raised, mode: Mode) -> bool:
    """Whether NumPy raises an error of this class where the arrays have other sides, or, if those are unknown, the
    arrays or one of them other ranks.
    """
    ranks = mode.name == "graph_rank"
    others = itertools.chain(reshaped(case, ranks), _with_one_deeper(case) if ranks else ())
    found = (reference(other).error for other in others)
    return bool(error.bases) and any(other is not None and other.bases == error.bases for other in found)


def _with_one_deeper(case: Case) -> Iterator[Case]:
    """The case with a single one of its arrays of one axis more, or of several."""

    def deeper(chosen: np.ndarray, count: int, array: np.ndarray) -> np.ndarray:
        return array[(None,) * count] if array is chosen else array

    for chosen, count in itertools.product(case.arrays(), (1, 4)):
        yield case.map_arrays(functools.partial(deeper, chosen, count))


def _spurious(case: Case, expected: Outcome, actual: Outcome, mode: Mode) -> Departure | None:
    if (
        actual.error is None
        or _is_refusal(actual.error, case, expected.value)
        or refusals.may_refuse(case, mode.name in ("xla", "vmap"))
        or (actual.error.bases == ("TypeError",) and _writes_to_what_is_none(case))
    ):
        return None
    if mode.is_traced:
        is_told = case.name in TOLD_OF_VALUES and (case.arrays() or len(case.calls()) > 1)
        if (is_told or fillings.is_split_by_an_array(case)) and WHILE_TRACING.search(actual.error.message):
            return None
        shapes = mode.name in ("xla", "vmap")
        if fillings.form_depends_on_values(case, expected.value, shapes=shapes):
            return None
        if blame.is_of_a_function(case, actual.error):
            return None
        if mode.name in SHAPELESS and _may_be_refused(case, actual, mode):
            return None
    return "spurious error", f"{actual.error}; NumPy gives {shown(expected.value)}"


def _writes_to_what_is_none(case: Case) -> bool:
    """Whether the call writes to a scalar of NumPy's, which takes it and forgets it, or into what is no array."""
    out = case.kwargs.get("out")
    if isinstance(out, dict) or (out is Ellipsis and case.name in INTERPOLATING):
        return True
    named = [case.kwargs[name] for name in WRITTEN_BY_NAME.get(case.name, ()) if name in case.kwargs]
    return case.name in WRITTEN_FIRST and isinstance((*named, *case.args, None)[0], np.generic)


OF_SHAPES = "invalid shape for output array"
"""What says so of itself, a TypeError though it is."""


def _may_come_late(case: Case, expected: Raised, actual: Outcome, mode: Mode) -> bool:
    """Whether an error of TensorFlow's own at run time will do."""
    if actual.phase != "run" or actual.error is None or actual.error.bases:
        return False
    always_early = {"graph_dims": {"TypeError", "AxisError"}, "graph_rank": {"TypeError"}}.get(mode.name)
    is_of_shapes = OF_SHAPES in expected.message
    if always_early is not None and (
        is_of_shapes or always_early.isdisjoint(expected.bases) or _comes_of_shapes(case, mode)
    ):
        return True
    if case.name in ON_HOST and any(map(callable, case.leaves())):
        return True
    return refusals.comes_of_values(case, expected.message)


ON_HOST = frozenset({"pad"})
"""Functions that call others on the host, when a graph runs."""


def _comes_of_shapes(case: Case, mode: Mode) -> bool:
    """Whether NumPy takes the same, or zeros for it, where arrays, or one of them, have other sides, or, if those are
    unknown, ranks.
    """
    sources = (case, case.map_arrays(np.zeros_like))
    found = ((*reshaped(source, ranks=mode.name == "graph_rank"), *_with_one_cut(source)) for source in sources)
    return any(reference(other).ok for other in itertools.chain.from_iterable(found))


def _with_one_cut(case: Case) -> Iterator[Case]:
    """The case with a single one of its arrays no longer than 1."""

    def cut(chosen: np.ndarray, array: np.ndarray) -> np.ndarray:
        return array[(slice(1),) * array.ndim] if array is chosen else array

    for chosen in case.arrays():
        yield case.map_arrays(functools.partial(cut, chosen))


WHILE_TRACING = re.compile(r"\bknown while tracing\b|\bsymbolic `?tf\.Tensor\b")
"""What a clear refusal says of an array that has no value yet."""


TOLD_OF_VALUES = frozenset(
    {
        *("array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific"),
        *("base_repr", "binary_repr", "broadcast_shapes", "min_scalar_type", "mintypecode"),
        *("ndarray.__bool__", "ndarray.__complex__", "ndarray.__float__", "ndarray.__index__", "ndarray.__int__"),
        *("ndarray.tobytes", "ndarray.__len__"),
    }
)
"""Functions whose results are no arrays, and say something of the numbers in one: no graph can make them."""


def _asks_for_a_value(case: Case, actual: Outcome) -> bool:
    """Whether the trace was refused because an array stands where a Python value is needed, which NumPy refuses too:
    what is wrong with that value, a graph cannot see.
    """
    error = actual.error
    if error is None or actual.phase != "trace" or error.bases != ("TypeError",) or not case.arrays():
        return False
    return WHILE_TRACING.search(error.message) is not None


UNKNOWN = {
    "graph_dims": re.compile(r"\b(dimensions?|shapes?|sizes?|sides?|length|rank)\b.*\b(un)?known\b", re.IGNORECASE),
    "graph_rank": re.compile(r"\b(rank|dimensions|shape)\b.*\b(un)?known\b", re.IGNORECASE),
}
"""What a clear refusal says."""


def _may_be_refused(case: Case, actual: Outcome, mode: Mode) -> bool:
    """Whether the trace was refused for want of a shape, clearly, and the call cannot mean anything without it."""
    error = actual.error
    if error is None or actual.phase != "trace" or error.bases not in (("TypeError",), ("ValueError",)):
        return False
    if not UNKNOWN[mode.name].search(error.message):
        return False
    if mode.name == "graph_rank" and any(is_defined_by_rank(call) for call in case.calls()):
        return True
    return structure_depends_on_shapes(case, ranks=mode.name == "graph_rank")


def is_defined_by_rank(call: Case) -> bool:
    """Whether NumPy's manual defines the call by cases of its arguments' rank."""
    return call.name in DEFINED_BY_RANK or call.name.startswith(NAMES_OF_AXES)


DEFINED_BY_RANK = frozenset(
    {
        *("dot", "inner", "kron", "matmul", "matvec", "vecmat", "linalg.matmul", "linalg.multi_dot", "einsum"),
        *("ndarray.dot", "ndarray.__matmul__", "ndarray.__rmatmul__", "ndarray.__imatmul__"),
        *("linalg.cond", "linalg.lstsq", "linalg.norm", "linalg.solve"),
        *("corrcoef", "cov", "polyfit", "cumulative_prod", "cumulative_sum"),
        *("diag", "fill_diagonal", "tril", "triu", "atleast_1d", "atleast_2d", "atleast_3d"),
        *("block", "column_stack", "dstack", "hstack", "vstack"),
        *("histogram", "histogram_bin_edges", "histogram2d", "histogramdd"),
    }
)
"""Vectors or matrices, by rank; as many steps or arguments as there are axes; a number of bins, or their edges."""

NAMES_OF_AXES = ("fft.", "ndarray.__getitem__", "ndarray.__setitem__")
"""Families in which an argument says something of every axis."""


def structure_depends_on_shapes(case: Case, ranks: bool) -> bool:
    """Whether NumPy's result has another structure when the arrays have other sides, or on request another rank."""
    expected = reference(case)
    for other in reshaped(case, ranks):
        found = reference(other)
        if found.ok and (not expected.ok or skeleton(found.value) != skeleton(expected.value)):
            return True
    return False


def reshaped(case: Case, ranks: bool) -> Iterator[Case]:
    """The case with arrays of other shapes: all sides doubled, or the last one of matrices, one longer, 1, or not 0; on
    request of other ranks.
    """
    yield case.map_arrays(lambda array: np.tile(array, (2,) * array.ndim))
    yield case.map_arrays(lambda array: np.tile(array, 2) if array.ndim > 1 else array)
    yield case.map_arrays(lambda array: np.pad(array, 1, "wrap") if array.size else array)
    yield case.map_arrays(lambda array: array[(slice(1),) * array.ndim])
    yield case.map_arrays(lambda array: array[(slice(-1, None),) * array.ndim])
    yield case.map_arrays(lambda array: np.zeros([side or 1 for side in array.shape], array.dtype))
    yield case.map_arrays(lambda array: np.zeros([side or 2 for side in array.shape], array.dtype))
    if ranks:
        yield case.map_arrays(lambda array: array[None])
        yield case.map_arrays(lambda array: array[None, None])
        yield case.map_arrays(lambda array: array[(None, *[slice(1)] * array.ndim)])
        yield case.map_arrays(np.ravel)
        yield case.map_arrays(lambda array: (array if array.size else np.zeros(1, array.dtype)).ravel()[:1].reshape(()))
        yield case.map_arrays(lambda array: array[0] if array.ndim and len(array) else array)


def as_of_other_sides(scrutiny: Scrutiny, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """NumPy's result in our dtype, if sides are unknown, and it is that of the result when arrays have others, or more
    that is not zero: a graph has to settle for one; and as a matrix, if it would be one of several variables.
    """
    dtype = actual.dtype
    if scrutiny.shapeless and scrutiny.case.name in MATRICES and (expected.shape, actual.shape) == ((), (1, 1)):
        expected = expected.reshape(1, 1)
    kinds = expected.dtype.kind + dtype.kind  # real numbers are complex ones, too
    if not scrutiny.shapeless or expected.dtype == dtype or (kinds[0] != kinds[1] and kinds != "fc"):
        return expected
    sources = (scrutiny.case, scrutiny.case.map_arrays(np.ones_like))
    others = itertools.chain.from_iterable(reshaped(source, ranks=False) for source in sources)
    found = [getattr(at(reference(other), path), "dtype", None) for other in others]
    return expected.astype(dtype) if dtype in found else expected


MATRICES = frozenset({"cov", "corrcoef"})
"""Functions whose results are matrices, but numbers where there is one variable only."""


def skeleton(value: Any) -> Any:
    """A result without what a tensor of unknown shape can hold: how many parts there are, and its Python objects."""
    if isinstance(value, (list, tuple)):
        return [skeleton(item) for item in value]
    return "array" if isinstance(value, (np.ndarray, np.generic)) else repr(value)


ACCIDENT = re.compile(
    r"('(list|tuple|int|float|complex|bool|str|bytes|NoneType|slice|ellipsis|dict|numpy\.dtypes\.\w+)' object"
    r"|type object '\w+') (has no attribute|is not subscriptable)"
    r"|list indices must be integers|index -9223372036854775808 is out of bounds"
)
"""What NumPy says where it forgot to make an array of an argument, or took nan for an index: nobody's promise."""

BYTE_ORDER = re.compile(r"dtype\('>\w+'\).* rule 'no'")
"""What NumPy says of casts that change nothing but the order of bytes: a tensor has but one."""

NO_TENSOR = re.compile(
    r"dtype\W*(object|datetime64|timedelta64|longdouble|clongdouble|float128|complex256|void|<[Mm]8|str_|bytes_|[<|][US])"
)


def _is_refusal(error: Raised, case: Case, expected: Any = None) -> bool:
    """Whether the error is right for a dtype that no tensor has: a TypeError, where it or the case names that dtype."""
    if error.bases != ("TypeError",):
        return False
    if asks_for_no_tensor(case, expected):
        return True
    takes_text = case.name.startswith("strings.")  # what other functions are given by one of these, they may refuse
    return NO_TENSOR.search(error.message) is not None and (not takes_text or "'object'" in error.message)


def _is_text(case: Case) -> bool:
    return any(call.name.startswith("strings.") for call in case.calls())


def _is_text_for_xla(case: Case, error: Raised) -> bool:
    """Whether XLA, which has no texts, was given some, and the subject or XLA itself says so."""
    has_texts = any(array.dtype.kind in "US" for array in case.arrays())
    return (_is_text(case) and error.bases == ("TypeError",)) or (has_texts and "XLA_CPU_JIT" in error.message)


def asks_for_no_tensor(case: Case, expected: Any = None) -> bool:
    """Whether some argument, or NumPy's result, has a dtype that no tensor can have: then a TypeError is right."""
    dtypes = [part.dtype for part in flattened(expected) if isinstance(part, (np.ndarray, np.generic))]
    if _names_no_tensor(case.kwargs.get("signature")):
        return True
    for leaf in case.leaves():
        if isinstance(leaf, np.dtype):
            dtypes.append(leaf)
        elif isinstance(leaf, np.generic):
            dtypes.append(leaf.dtype)
        elif isinstance(leaf, type) and (leaf is object or issubclass(leaf, np.generic)):
            dtypes.append(np.dtype(object if leaf is object else leaf))
    return any(has_no_tensor(dtype) for dtype in dtypes)


def _names_no_tensor(signature: Any) -> bool:
    """Whether a loop is named, of a ufunc, whose letters stand for dtypes that no tensor can have."""
    return isinstance(signature, str) and "->" in signature and not set("gGOMm").isdisjoint(signature)


def has_no_tensor(dtype: np.dtype) -> bool:
    """Whether TensorFlow lacks the dtype."""
    return dtype.kind in "MmO" or dtype.char in "gG" or dtype == np.void


def flattened(value: Any) -> list[Any]:
    """The parts of a result that hold no others."""
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flattened(item)]
    return [value]


def shown(value: Any) -> str:
    """A value in no more than a line."""
    text = _shown(value)
    return text if len(text) <= 160 else text[:157] + "..."


MANY = 8


def _text(item: Any) -> str:
    """One element. Python refuses to write integers of thousands of digits."""
    return str(item) if type(item) is not int or item.bit_length() < 1000 else f"an integer of {item.bit_length()} bits"


def _shown(value: Any) -> str:
    """NumPy's own `repr` of an array takes longer than judging a case."""
    if isinstance(value, np.ndarray):
        items = [_text(item) for item in value.ravel()[:MANY].tolist()] if value.dtype.kind in "biuUSO" else []
        items = items or [str(item) for item in value.ravel()[:MANY]]
        more = ", ..." if value.size > MANY else ""
        elements = f"[{', '.join(items)}{more}]"
        return f"{value.dtype}{list(value.shape)} {elements}" if value.ndim else f"{value.dtype} {items[0]}"
    if isinstance(value, (list, tuple)):
        parts = ", ".join([_shown(item) for item in value[:MANY]])
        return f"[{parts}]" if isinstance(value, list) else f"({parts})"
    return " ".join(repr(value).split())
