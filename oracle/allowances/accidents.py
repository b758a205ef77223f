"""Allowances for accidents: what NumPy refuses or takes because of how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from oracle.allowances.errors import raises_argument_error
from oracle.allowances.model import Allowance, Exchange, Question, Reason, first_argument
from oracle.case.model import Case
from oracle.checkers.forms import are_all
from oracle.inventory import NAMES
from oracle.reference.error_classes import is_argument_error
from oracle.reference.outcome import Outcome, run_numpy

ACCIDENTS = (
    (  # an argument was never made an array
        "*",
        (
            r"('(list|tuple|int|float|complex|bool|str|bytes|NoneType|slice|ellipsis|dict|numpy\.dtypes\.\w+)' object"
            r"|type object '\w+') (has no attribute|is not subscriptable)"
        ),
    ),
    ("*", r"list indices must be integers"),
    ("*", r"^string index out of range"),  # a text was taken for a list
    ("*", r"index -9223372036854775808 is out of bounds"),  # nan was taken for an index
    ("*", r"dtype\('>\w+'\).* rule 'no'"),  # a tensor has one byte order
    ("*", r"^\(34, 'Numerical result out of range'\)"),  # Python calculated with a number that was never made an array
    ("*", r"is read-only$"),  # nor is any tensor read-only
    ("*", r"an exception set|setting an exception"),
    ("*", r"output array is not acceptable"),  # for its layout, of which tensors have one
    ("*", r"^the signature object to ufunc|^cannot specify both 'signature' and 'dtype'|^axes should be a list"),
    ("histogram", r"^index \d+ is out of bounds for axis 0"),  # of complex numbers, which have no order
    ("linalg.lstsq", r"^The truth value of an (empty )?array"),  # it compares a cut-off of axes
    ("isin", r"^all the input array|^setting an array element"),  # it makes an array of invert for many elements only
    ("isin", r"^You have specified kind='table'"),  # how much memory its table may take
    ("piecewise", r"^too many indices for array: array is 0-dimensional"),  # it tells arrays of no axes from scalars
    ("ndarray.astype", r"cannot be interpreted as an integer$|^integer argument expected"),  # a boolean
    ("tile", r"^Python integer .* out of bounds"),  # it multiplies in the dtype of the counts
)
"""What NumPy says where it breaks, or looks at what no tensor has, and the names that say so."""


def _argument(case: Case, name: str, position: int, default: Any = None) -> Any:
    return case.kwargs.get(name, case.args[position] if len(case.args) > position else default)


def _is_accident(case: Case, expected: Outcome) -> bool:
    error = expected.error
    return error is not None and any(
        fnmatchcase(case.name, name) and re.search(says, error.message) for name, says in ACCIDENTS
    )


def repair(case: Case) -> Iterator[Case]:
    """Yield the call without what accidents come of: layouts, read-only arrays, byte orders, lists, counts of few bits,
    None for a default, cut-offs of axes, conditions of no axes, flags of a cast.
    """
    yield case.map_arrays(_as_tensor_holds_it)
    yield case.map_leaves(_as_tensor_holds_it, lambda leaf: int(leaf) if isinstance(leaf, np.integer) else leaf)
    kwargs = {name: value for name, value in case.kwargs.items() if value is not None}
    if len(kwargs) < len(case.kwargs):
        yield Case(case.name, case.args, kwargs)
    lists = [_as_array(value) for value in case.args]
    yield Case(case.name, tuple(lists), {name: _as_array(value) for name, value in case.kwargs.items()})
    if case.name == "tile":
        yield Case("tile", (*case.args[:1], *(np.asarray(value).tolist() for value in case.args[1:])), case.kwargs)
    if case.name == "linalg.lstsq":
        yield Case(case.name, case.args[:2], {name: value for name, value in case.kwargs.items() if name != "rcond"})
    if case.name == "isin":
        yield Case("isin", case.args, {name: value for name, value in case.kwargs.items() if name != "kind"})
    if case.name == "ndarray.astype":
        yield Case(case.name, case.args, {name: value for name, value in case.kwargs.items() if name not in FLAGS})
    if case.name == "piecewise":
        yield case.map_arrays(lambda array: array[()] if array.ndim == 0 and array.dtype == bool else array)


FLAGS = ("copy", "subok")


def _as_tensor_holds_it(array: np.ndarray) -> np.ndarray:
    return np.array(array, array.dtype.newbyteorder("="), order="C")


def _as_array(value: Any) -> Any:
    if type(value) not in (list, tuple, int, float, complex, bool):
        return value
    try:
        array = np.asarray(value)
    except ValueError:
        return value
    return array if array.dtype.kind in "biufc" else value


def _answers_repaired(question: Question) -> bool:
    """Return whether the answer is an argument error, NumPy's to a repaired call, or any value without such."""
    error = question.actual.error
    if error is not None:
        is_clear = is_argument_error(error) or "AttributeError" in error.bases
        return is_clear or any(not question.compare(other) for other in repair(question.case))
    answered = [other for other in repair(question.case) if run_numpy(other).ok]
    return not answered or any(not question.compare(other) for other in answered)


def _lacks_an_axis(case: Case) -> bool:
    """Return whether a matrix product goes to an `out=` with fewer axes than it has: NumPy drops those of length 1."""
    out = _argument(case, "out", 2)
    out = out[0] if isinstance(out, tuple) and out else out
    if case.name != "matmul" or not isinstance(out, np.ndarray):
        return False
    options = {key: value for key, value in case.kwargs.items() if key != "out"}
    outcome = run_numpy(Case(case.name, case.args[:2], options))
    return outcome.ok and np.ndim(outcome.value) > out.ndim


def _is_of_nan_alone(case: Case) -> bool:
    """Return whether a quantile is asked of nan alone: then NumPy looks at no other argument."""
    value = _argument(case, "a", 0)
    is_numeric = isinstance(value, (float, np.ndarray))
    return case.name in ("nanpercentile", "nanquantile") and is_numeric and are_all(np.not_equal(value, value))


def _sorts_out_of_bounds(case: Case) -> bool:
    """Return whether `sorter` has indices out of bounds: NumPy looks only at those that it comes across."""
    if case.name not in ("searchsorted", "ndarray.searchsorted"):
        return False
    sorter = _as_array(_argument(case, "sorter", 3))
    is_index = isinstance(sorter, np.ndarray) and sorter.dtype.kind in "iu"
    return is_index and bool(np.any((sorter < 0) | (sorter >= sorter.size)))


def _cuts_by_an_array(case: Case) -> bool:
    """Return whether `rcond` has axes, which gives the result more of them."""
    position = {"polyfit": 3, "linalg.lstsq": 2}.get(case.name)
    rcond = None if position is None else _as_array(_argument(case, "rcond", position))
    return isinstance(rcond, np.ndarray) and rcond.ndim > 0


def _reads_memory_of_text(case: Case) -> bool:
    """Return whether bytes in memory are read where the text of a tensor is not."""
    return case.name in ("str_", "frombuffer") and any(array.dtype.kind in "SU" for array in case.arrays())


def _counts_past_its_dtype(case: Case) -> bool:
    """Return whether `insert` is given more indices than their dtype counts to. NumPy numbers them in it, and wraps."""
    indices = _argument(case, "obj", 1)
    is_narrow = case.name == "insert" and isinstance(indices, np.ndarray) and indices.dtype.kind == "i"
    return is_narrow and indices.size - 1 > np.iinfo(indices.dtype).max


ACCUMULATIONS = frozenset(name for name in NAMES if re.fullmatch(r"(ndarray\.)?(nan)?cum\w+", name))


def _accumulates_into_another_shape(case: Case) -> bool:
    """Return whether an accumulation has an `out=` of another shape: NumPy reads and writes beyond the ends of that."""
    position = 4 if case.name.endswith(".reduceat") else 3
    out = _argument(case, "out", position)
    accumulates = case.name in ACCUMULATIONS or case.name.endswith((".accumulate", ".reduceat"))
    if not accumulates or not isinstance(out, np.ndarray):
        return False
    options = {key: value for key, value in case.kwargs.items() if key != "out"}
    outcome = run_numpy(Case(case.name, case.args[:position], options))
    if not outcome.ok:  # bfloat16 may have no loop of its own
        outcome = run_numpy(Case(case.name, case.args[:position], {**options, "dtype": out.dtype}))
    return outcome.ok and np.shape(outcome.value) != out.shape


def _digitizes_by_nan(case: Case) -> bool:
    """Return whether there is nan among bins, which are neither increasing nor decreasing then."""
    bins = _as_array(_argument(case, "bins", 1))
    is_float = isinstance(bins, np.ndarray) and bins.dtype.kind == "f"
    return case.name == "digitize" and is_float and bool(np.isnan(bins).any())


def _takes_text_for_keys(case: Case) -> bool:
    return case.name == "lexsort" and any(isinstance(value, str | bytes) for value in first_argument(case))


TAKEN_BY_ACCIDENT: tuple[Callable[[Case], bool], ...] = (
    _lacks_an_axis,
    _is_of_nan_alone,
    _sorts_out_of_bounds,
    _cuts_by_an_array,
    _reads_memory_of_text,
    _counts_past_its_dtype,
    _accumulates_into_another_shape,
    _digitizes_by_nan,
    _takes_text_for_keys,
)


def _is_taken_by_accident(case: Case, expected: Outcome) -> bool:
    return any(predicate(case) for predicate in TAKEN_BY_ACCIDENT)


_READ_ONLY = np.arange(3.0)
_READ_ONLY.flags.writeable = False
_LATE = type("InvalidArgumentError", (Exception,), {})("bins must be monotonic")
_MANY = Case("insert", (np.zeros(3), np.zeros(300, np.int8), 1.0))

ALLOWANCES = (
    Allowance(
        id="error.refused-by-accident",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("missing error",),
        applies=_is_accident,
        holds=_answers_repaired,
        asks_again=True,
        why="NumPy refuses an argument for its layout, its byte order, for being read-only, or because it forgot to "
        "make an array of it: the value of the call without that, or any argument error, is as good",
        witness=Exchange(Case("ndarray.sort", (_READ_ONLY,)), None, after=(np.arange(3.0),)),
        counter=(
            Exchange(Case("ndarray.sort", (_READ_ONLY,)), None, after=(np.array([3.0, 1.0, 2.0]),)),
            Exchange(Case("ndarray.sort", (_READ_ONLY,)), RuntimeError("boom")),
            Exchange(Case("ndarray.astype", (np.ones(1), float), {"subok": "b"}), np.zeros(1)),
            Exchange(Case("ndarray.astype", (np.ones(1), float), {"subok": "b"}), np.ones(1, int)),
            Exchange(Case("linalg.lstsq", (np.eye(1), np.ones(1), ())), RuntimeError("boom")),
            Exchange(Case("linalg.lstsq", (np.eye(1), np.ones(1), ())), np.ones(3)),
            Exchange(Case("isin", (0, np.array([-64, 64], np.int8)), {"kind": "table"}), np.array(True)),
            Exchange(Case("polynomial.hermite_e.hermeweight", (-9e307,)), np.array(1.0)),
            Exchange(Case("take_along_axis", ([1.0], np.array([0]), 0)), RuntimeError("boom"), "graph"),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.taken-by-accident",
        reason=Reason.NUMPY_OPEN,
        names=(
            *("matmul", "nanpercentile", "nanquantile", "searchsorted", "ndarray.searchsorted", "polyfit", "str_"),
            *("lexsort", "linalg.lstsq", "digitize"),
            *("frombuffer", "insert", "*.accumulate", "*.reduceat", *sorted(ACCUMULATIONS)),
        ),
        kinds=("spurious error",),
        applies=_is_taken_by_accident,
        holds=raises_argument_error,
        why="NumPy takes what it should not, and reads or writes where it should not, or looks at no other argument",
        witness=Exchange(Case("lexsort", ("ab",)), TypeError("need sequence of keys")),
        counter=(
            Exchange(Case("insert", (np.zeros(3), np.zeros(3, np.int8), 1.0)), OverflowError("no")),
            Exchange(Case("lexsort", ("ab",)), RuntimeError("boom")),
            Exchange(Case("nanpercentile", (np.array([np.nan]), 200)), np.linalg.LinAlgError("Singular matrix")),
            Exchange(Case("nanpercentile", (np.zeros(0), 50)), ValueError("no elements")),
            Exchange(Case("nanquantile", (np.zeros(0), 0.5)), IndexError("no elements")),
            Exchange(
                Case("add", (Case("nanpercentile", (np.array([np.nan]), 200)), 1.0)),
                np.linalg.LinAlgError("Singular matrix"),
            ),
            Exchange(Case("linalg.lstsq", (np.eye(1), np.ones(1), 0.5)), ValueError("rcond must be a scalar")),
            Exchange(Case("lexsort", (np.ones((1, 2)),)), TypeError("need sequence of keys")),
            Exchange(Case("digitize", (0.0, np.array([np.nan, 0.0]))), RuntimeError("boom")),
            Exchange(Case("digitize", (0.0, np.array([0.0, 1.0]))), ValueError("bins must be monotonic")),
            Exchange(Case("digitize", (0.0, np.array([0.0, 1.0]))), _LATE, "graph"),
            Exchange(Case("digitize", (0.0, np.array([np.nan, 0.0]))), _LATE),
        ),
        most=0.3,
    ),
)
