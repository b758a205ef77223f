"""Allowances for errors: NumPy's choice of a class, and what it rejects or accepts by accident."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import numpy as np

from oracle.allowances import ambiguous_error
from oracle.allowances.model import TRACED, Allowance, Exchange, Question, Reason, by_error, first_argument
from oracle.case.model import Case
from oracle.inventory import NAMES
from oracle.reference.bfloat16 import INTERPOLATING
from oracle.reference.outcome import OUTPUT_PARAMETERS, WRITING_FIRST, Outcome, Raised, run_numpy

ARGUMENT_ERRORS = frozenset(
    {"TypeError", "ValueError", "IndexError", "OverflowError", "LinAlgError", "ZeroDivisionError"}
)
"""Classes by which a library says that an argument is wrong. Others, such as RuntimeError, say that it is broken."""

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
    ("ndarray.astype", r"cannot be interpreted as an integer$|^integer argument expected"),  # a truth value
    ("tile", r"^Python integer .* out of bounds"),  # it multiplies in the dtype of the counts
)
"""What NumPy says where it breaks, or looks at what no tensor has, and the names that say so."""

_BYTES_OR_WIDTHS = re.compile(
    r"^(zero-size array to reduction|the signature object to ufunc|translation table must be 256)"
    r"|cannot use operands with types dtype\('[<|]?[US]\d*'\) and dtype\('[<|]?[US]\d*'\)"
)
_DTYPE_CLASS = re.compile(r"numpy\.dtypes\.(\w+)DType")


RUN_TIME_ERRORS = frozenset(
    {"InvalidArgumentError", "OutOfRangeError", "FailedPreconditionError", "UnimplementedError"}
)
"""TensorFlow's classes for what is wrong with values when a graph runs."""


def is_argument_error(error: Raised | None) -> bool:
    """Return whether the error is of a class by which a library says that an argument is wrong."""
    return error is not None and not ARGUMENT_ERRORS.isdisjoint(error.bases)


def raises(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses the call."""
    return expected.error is not None


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


def _mixes_bytes_and_text(case: Case, expected: Outcome) -> bool:
    if not case.name.startswith("strings.") or expected.error is None:
        return False
    named = set(_DTYPE_CLASS.findall(expected.error.message))
    mixed = "Bytes" in named and named <= {"Bytes", "Str", "Int64", "_PyInt", "_PyLong"}
    return mixed or _BYTES_OR_WIDTHS.search(expected.error.message) is not None


def _is_text_or_error(question: Question) -> bool:
    error = question.actual.error
    if error is not None:
        is_late = question.mode.is_traced and error.name in RUN_TIME_ERRORS
        return is_argument_error(error) or is_late
    return not isinstance(question.actual.value, (int, float)) or isinstance(question.actual.value, bool)


def _writes_to_scalar(case: Case, expected: Outcome) -> bool:
    """Return whether the call writes to a NumPy scalar, which forgets what is written, or into what is no array."""
    out = case.kwargs.get("out")
    if isinstance(out, dict) or (out is Ellipsis and case.name in INTERPOLATING):
        return True
    named = [case.kwargs[name] for name in OUTPUT_PARAMETERS.get(case.name, ()) if name in case.kwargs]
    targets = (*named, *case.args)
    return case.name in WRITING_FIRST and bool(targets) and not isinstance(targets[0], np.ndarray | Case)


_NOT_WRITABLE = re.compile(r"\b(Variable|arrays?|tensors?|immutable)\b")
"""What an error says of what cannot be written to, or of what can."""


def _refuses_to_write(question: Question) -> bool:
    error = question.actual.error
    return error is not None and error.bases == ("TypeError",) and _NOT_WRITABLE.search(error.message) is not None


def _raises_argument_error(question: Question) -> bool:
    """Return whether the answer is an error of an argument, at run time too; of a matrix only in linear algebra."""
    error = question.actual.error
    if error is not None and question.mode.is_traced and error.name in RUN_TIME_ERRORS and not error.bases:
        return True
    is_of_a_matrix = error is not None and "LinAlgError" in error.bases
    return is_argument_error(error) and (not is_of_a_matrix or question.case.name.startswith(("linalg.", "polyfit")))


def _argument(case: Case, name: str, position: int, default: Any = None) -> Any:
    return case.kwargs.get(name, case.args[position] if len(case.args) > position else default)


TOO_LARGE = re.compile(r"array is too big|Maximum allowed (dimension|size)|Unable to allocate")


def _is_too_large(case: Case, expected: Outcome) -> bool:
    return expected.error is not None and TOO_LARGE.search(expected.error.message) is not None


def _looks_up_dim(case: Case, expected: Outcome) -> bool:
    error = expected.error
    return error is not None and error.bases == ("IndexError",) and error.message.endswith("tuple index out of range")


def _is_about_text(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses text: it takes the call, or names another fault, with numbers instead; or it refuses
    text of every shape, beside numbers of that shape.
    """
    if expected.error is None or case.name.startswith("strings."):
        return False
    if all(_without_text(leaf) is leaf for leaf in case.leaves()):
        return False
    if run_numpy(case.map_leaves(_without_text, _without_text)).error != expected.error:
        return True
    same_shape = (partial(_fill_shape, shape=(1,) * rank) for rank in range(3))
    return all(run_numpy(case.map_leaves(fill, fill)).error is not None for fill in same_shape)


def _says_text_is_wrong(question: Question) -> bool:
    error = question.actual.error
    if error is None or {"TypeError", "ValueError"}.isdisjoint(error.bases):
        return False
    expected = question.expected.error
    if expected is not None and "DTypePromotionError" in expected.bases and error.bases == ("TypeError",):
        return True  # it is the class of a TypeError for text beside numbers
    return _TEXT.search(error.message) is not None


_TEXT = re.compile(r"\b(text|strings?|str_?|bytes_?|StringDType|StrDType|BytesDType|no common type)\b")


def _fill_shape(value: Any, shape: tuple[int, ...]) -> Any:
    """Return text, or numbers, of a shape for text or for an array or a float."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.full(shape, "a") if value.dtype.kind in "SUT" else np.ones(shape, value.dtype)
    if isinstance(value, (str, bytes)):
        return np.full(shape, "a")
    return np.ones(shape) if isinstance(value, (float, complex)) else value


def _without_text(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return np.ones(value.shape) if value.dtype.kind in "SUT" else value
    return 1.0 if isinstance(value, (str, bytes)) else value


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
    return case.name in ("nanpercentile", "nanquantile") and is_numeric and bool(np.all(np.not_equal(value, value)))


def _sorts_out_of_bounds(case: Case) -> bool:
    """Return whether `sorter` has indices out of bounds: NumPy looks only at those that it comes across."""
    if case.name not in ("searchsorted", "ndarray.searchsorted"):
        return False
    sorter = np.asarray(_argument(case, "sorter", 3, 0))
    return sorter.dtype.kind in "iu" and bool(np.any((sorter < 0) | (sorter >= sorter.size)))


def _cuts_by_an_array(case: Case) -> bool:
    """Return whether `rcond` has axes, which gives the result more of them."""
    position = {"polyfit": 3, "linalg.lstsq": 2}.get(case.name)
    return position is not None and np.ndim(_argument(case, "rcond", position, 0)) > 0


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
    bins = _argument(case, "bins", 1)
    is_float = isinstance(bins, list | np.ndarray) and np.asarray(bins).dtype.kind == "f"
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


def _has_empty_index(case: Case, expected: Outcome) -> bool:
    """Return whether one of several indices of `at` has no elements: NumPy may or may not look at the others."""
    error = expected.error
    if error is None or "out of bounds" not in error.message:
        return False
    index = (*case.args, None, None)[1]
    parts = index if isinstance(index, tuple) else ()
    return any(np.size(part) == 0 for part in parts if isinstance(part, (list, np.ndarray)))


def _leaves_array(question: Question) -> bool:
    """Return whether the array that is written to stays what it was."""
    before, after = question.case.args[0], question.actual.after
    return bool(after) and isinstance(before, np.ndarray) and np.asarray(after[0]).tobytes() == before.tobytes()


NUMERIC = ("linalg.*", "fft.*", "polynomial.*", "poly*", "lib.scimath.*", "emath.*")
"""Functions that calculate with numbers."""


def _accepts_text(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy takes text for a number."""
    return expected.ok and any(_without_text(value) is not value for value in first_argument(case))


def _refuses_numeric_operand(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses numbers that are the operand of a function of text."""
    operand = (*case.args, *case.kwargs.values(), None)[0]
    is_numeric = isinstance(operand, int | float | complex) or (
        isinstance(operand, np.ndarray | np.generic) and operand.dtype.kind not in "SUTO"
    )
    return expected.error is not None and is_numeric


def _refuses_an_operand(question: Question) -> bool:
    error = question.actual.error
    return error is not None and error.bases in (("TypeError",), ("ValueError",))


_PARTS = Case("strings.partition", (np.float16(0), "l"))
_RANK = Case("linalg.matrix_rank", (np.str_("b"),))
_NOWHERE = Case("reciprocal.at", (np.zeros((1, 1)), ([], np.array(1))))
_READ_ONLY = np.arange(3.0)
_READ_ONLY.flags.writeable = False
_TEXT_TO_MULTIPLY = Case("convolve", (0.0, ""))
_LATE = type("InvalidArgumentError", (Exception,), {})("bins must be monotonic")
_TEXT_DOMAIN = Case("polynomial.Chebyshev.linspace", (np.polynomial.Chebyshev([0.0]),), {"domain": "float32"})
_TEXT_OF_NO_AXES = Case("linalg.tensordot", (0.0, "a"))
_COUNTS_TO_MAXIMUM = Case("bincount", (np.array([2**63 - 2]),))
_GENERATOR = Case("random.default_rng", (0,))
_NO_SUCH_AXIS = Case("random.Generator.choice", (_GENERATOR, np.ones(1)), {"axis": 1})
_TWICE_WRONG = Case("sum", (np.array([1.0]),), {"axis": 3, "dtype": "bogus"})
_SCALAR = Case("put", (np.float64(1), 0, 2.0))
_MANY = Case("insert", (np.zeros(3), np.zeros(300, np.int8), 1.0))
_CONDITION = Case("piecewise", (np.array([1.0]), np.array(True), [1.0, 2.0]))
_BYTES = Case("strings.add", (np.array([b"a"]), np.array(["b"])))
_FUNCTIONS = Case("piecewise", (np.zeros(2), [np.array([False, False])], [operator.index, 1.0]))

ALLOWANCES = (
    Allowance(
        id="error.which-of-two",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("different error",),
        applies=raises,
        holds=by_error(ambiguous_error.is_another_fault),
        why="a call is wrong in two ways, and NumPy raises this class as well once one argument is repaired: which of "
        "the two it names depends on the order in which it looks",
        witness=Exchange(_TWICE_WRONG, np.exceptions.AxisError(3, 1)),
        counter=(
            Exchange(_TWICE_WRONG, RuntimeError("boom")),
            Exchange(Case("sum", (np.array([1.0]),), {"axis": 3}), TypeError("no")),
            Exchange(Case("linalg.pinv", (np.str_("b"),)), ZeroDivisionError("no")),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.too-large",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("memory",),
        applies=_is_too_large,
        holds=lambda question: True,
        why="NumPy refuses an array that no memory holds: an error that says so when it is made is as good",
        witness=Exchange(_COUNTS_TO_MAXIMUM, MemoryError("OOM")),
        counter=(
            Exchange(Case("bincount", (np.array([3]),)), MemoryError("OOM")),
            Exchange(Case("bincount", (np.array([-1]),)), MemoryError("OOM")),
            Exchange(_COUNTS_TO_MAXIMUM, RuntimeError("boom")),
        ),
        most=0.1,
    ),
    Allowance(
        id="error.of-an-axis",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("different error",),
        applies=_looks_up_dim,
        holds=by_error(lambda case, error: error.name == "AxisError"),
        why="NumPy looks for a dim that is not there: an AxisError is an IndexError, too, and names the axis",
        witness=Exchange(_NO_SUCH_AXIS, np.exceptions.AxisError(1, 1)),
        counter=(
            Exchange(_NO_SUCH_AXIS, ValueError("axis 1 is out of bounds")),
            Exchange(Case("take", (np.ones(3), 5)), np.exceptions.AxisError(1, 1)),
            Exchange(Case("random.Generator.choice", (_GENERATOR, np.ones(1))), np.exceptions.AxisError(1, 1)),
        ),
        most=0.1,
    ),
    Allowance(
        id="error.of-text",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("different error",),
        applies=_is_about_text,
        holds=_says_text_is_wrong,
        why="text is no number: which class of error says so depends on how far NumPy comes with it",
        witness=Exchange(_TEXT_TO_MULTIPLY, TypeError("text has no arithmetic")),
        counter=(
            Exchange(_TEXT_TO_MULTIPLY, RuntimeError("boom")),
            Exchange(_TEXT_TO_MULTIPLY, np.array([1.0])),
            Exchange(Case("sum", (np.array([1.0]),), {"axis": 3}), TypeError("text has no arithmetic")),
            Exchange(_TEXT_TO_MULTIPLY, TypeError("unexpected keyword argument")),
            Exchange(_TEXT_OF_NO_AXES, RuntimeError("text has no arithmetic")),
            Exchange(_TEXT_OF_NO_AXES, TypeError("no axes")),
            Exchange(Case("concatenate", (("a", "b"),)), TypeError("text has no arithmetic")),
            Exchange(_TEXT_DOMAIN, ValueError("domain must have two elements")),
            Exchange(_TEXT_DOMAIN, RuntimeError("domain must have two elements")),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.text-for-numbers",
        reason=Reason.NUMPY_OPEN,
        names=NUMERIC,
        kinds=("spurious error",),
        applies=_accepts_text,
        holds=_says_text_is_wrong,
        why="NumPy gives a number for text by accident, where it never comes to calculate with it",
        witness=Exchange(_RANK, TypeError("text has no arithmetic")),
        counter=(
            Exchange(_RANK, RuntimeError("text has no arithmetic")),
            Exchange(_RANK, TypeError("no axes")),
            Exchange(_RANK, 2),
            Exchange(Case("linalg.matrix_rank", (1.0,)), TypeError("text has no arithmetic")),
            Exchange(Case("sort", (np.array(["b", "a"]),)), TypeError("text has no arithmetic")),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.numbers-for-text",
        reason=Reason.NUMPY_OPEN,
        names=("strings.*",),
        kinds=("different error",),
        applies=_refuses_numeric_operand,
        holds=_refuses_an_operand,
        why="a number is no text: NumPy finds that out when it looks for a loop, or by casting the other operand",
        witness=Exchange(_PARTS, TypeError("Cannot cast text to numbers")),
        counter=(
            Exchange(_PARTS, RuntimeError("boom")),
            Exchange(_PARTS, IndexError("boom")),
            Exchange(_PARTS, np.array(["l"])),
            Exchange(Case("strings.index", (np.array(["a"]), "b")), TypeError("boom")),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.refused-by-accident",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("missing error", "different error"),
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
        kinds=("spurious error", "different error"),
        applies=_is_taken_by_accident,
        holds=_raises_argument_error,
        why="NumPy takes what it should not, and reads or writes where it should not, or looks at no other argument",
        witness=Exchange(_MANY, OverflowError("300 indices do not fit in int8")),
        counter=(
            Exchange(_MANY, RuntimeError("boom")),
            Exchange(Case("insert", (np.zeros(3), np.zeros(3, np.int8), 1.0)), OverflowError("no")),
            Exchange(Case("lexsort", ("ab",)), RuntimeError("boom")),
            Exchange(Case("nanpercentile", (np.array([np.nan]), 200)), np.linalg.LinAlgError("Singular matrix")),
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
    Allowance(
        id="error.writes-to-scalar",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("spurious error", "different error"),
        applies=_writes_to_scalar,
        holds=_refuses_to_write,
        why="what is written to must be an array or a variable: NumPy takes a scalar and forgets what it wrote",
        witness=Exchange(_SCALAR, TypeError("put: a must be a tf.Variable")),
        counter=(
            Exchange(_SCALAR, RuntimeError("boom")),
            Exchange(_SCALAR, TypeError("put() takes 1 argument")),
            Exchange(Case("put", (np.ones(1), 0, 2.0)), TypeError("put: a must be a tf.Variable")),
        ),
        most=0.3,
    ),
    Allowance(
        id="error.index-of-nothing",
        reason=Reason.NUMPY_OPEN,
        names=("*.at",),
        kinds=("missing error",),
        applies=_has_empty_index,
        holds=_leaves_array,
        why="one of several indices has no elements, so that nothing is written: NumPy looks at the others or not",
        witness=Exchange(_NOWHERE, after=(np.zeros((1, 1)),)),
        counter=(
            Exchange(_NOWHERE, after=(np.full((1, 1), np.inf),)),
            Exchange(Case("reciprocal.at", (np.zeros((1, 1)), ([0], np.array(1)))), after=(np.zeros((1, 1)),)),
        ),
        most=0.2,
    ),
    Allowance(
        id="error.bytes-beside-text",
        reason=Reason.DECISION,
        names=("strings.*",),
        kinds=("missing error", "different error"),
        applies=_mixes_bytes_and_text,
        holds=_is_text_or_error,
        why="tf.string does not tell bytes from text and has no width: what NumPy refuses for either is taken",
        witness=Exchange(_BYTES, np.array(["ab"])),
        counter=(Exchange(_BYTES, 3.0), Exchange(_BYTES, RuntimeError("boom"))),
        most=0.5,
    ),
    Allowance(
        id="error.of-a-function",
        reason=Reason.DECISION,
        names=("piecewise",),
        modes=TRACED,
        kinds=("spurious error", "different error"),
        applies=lambda case, expected: any(map(callable, case.leaves())),
        holds=by_error(ambiguous_error.is_of_a_function),
        why="a graph calls the functions that no element chooses, too: their errors are errors",
        witness=Exchange(
            _FUNCTIONS, TypeError("only integer scalar arrays can be converted to a scalar index"), "graph"
        ),
        counter=(
            Exchange(_FUNCTIONS, RuntimeError("boom"), "graph"),
            Exchange(_FUNCTIONS, TypeError("only integer arrays can be converted to a scalar index")),
        ),
        most=0.3,
    ),
)
