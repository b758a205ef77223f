"""Allowances for errors: which of several comes first, and of which class it is."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np

from oracle.allowances.model import TRACED, Allowance, Exchange, Question, Reason, by_error, first_argument
from oracle.case.model import Case
from oracle.reference.bfloat16 import INTERPOLATING
from oracle.reference.error_classes import RUN_TIME_ERRORS, is_argument_error
from oracle.reference.outcome import OUTPUT_PARAMETERS, WRITING_FIRST, Outcome, Raised, run_numpy

_BYTES_OR_WIDTHS = re.compile(
    r"^(zero-size array to reduction|the signature object to ufunc|translation table must be 256)"
    r"|cannot use operands with types dtype\('[<|]?[US]\d*'\) and dtype\('[<|]?[US]\d*'\)"
)
_DTYPE_CLASS = re.compile(r"numpy\.dtypes\.(\w+)DType")


def raises_argument_error(question: Question) -> bool:
    """Return whether the answer is an error of an argument, at run time too; of a matrix only in linear algebra."""
    error = question.actual.error
    if error is not None and question.mode.is_traced and error.name in RUN_TIME_ERRORS and not error.bases:
        return True
    is_of_a_matrix = error is not None and "LinAlgError" in error.bases
    return is_argument_error(error) and (not is_of_a_matrix or question.case.name.startswith(("linalg.", "polyfit")))


def raises(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses the call."""
    return expected.error is not None


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


TOO_LARGE = re.compile(r"array is too big|Maximum allowed (dimension|size)|Unable to allocate")


def _is_too_large(case: Case, expected: Outcome) -> bool:
    return expected.error is not None and TOO_LARGE.search(expected.error.message) is not None


def _says_text_is_wrong(question: Question) -> bool:
    error = question.actual.error
    if error is None or {"TypeError", "ValueError"}.isdisjoint(error.bases):
        return False
    expected = question.expected.error
    if expected is not None and "DTypePromotionError" in expected.bases and error.bases == ("TypeError",):
        return True  # it is the class of a TypeError for text beside numbers
    return _TEXT.search(error.message) is not None


_TEXT = re.compile(r"\b(text|strings?|str_?|bytes_?|StringDType|StrDType|BytesDType|no common type)\b")


def _without_text(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return np.ones(value.shape) if value.dtype.kind in "SUT" else value
    return 1.0 if isinstance(value, (str, bytes)) else value


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


CALLING_BY_VALUES = frozenset({"piecewise"})
"""Functions that call others where an array says so: a graph calls them all."""


def _is_of_a_function(case: Case, error: Raised) -> bool:
    """Return whether a function raised it that NumPy calls as well, where all arrays say so."""
    raised = run_numpy(case.map_arrays(np.ones_like)).error
    return case.name in CALLING_BY_VALUES and raised is not None and raised.bases == error.bases


def _accepts_text(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy takes text for a number."""
    return expected.ok and any(_without_text(value) is not value for value in first_argument(case))


_PARTS = Case("strings.partition", (np.float16(0), "l"))
_RANK = Case("linalg.matrix_rank", (np.str_("b"),))
_NOWHERE = Case("reciprocal.at", (np.zeros((1, 1)), ([], np.array(1))))
_COUNTS_TO_MAXIMUM = Case("bincount", (np.array([2**63 - 2]),))
_SCALAR = Case("put", (np.float64(1), 0, 2.0))
_BYTES = Case("strings.add", (np.array([b"a"]), np.array(["b"])))
_FUNCTIONS = Case("piecewise", (np.zeros(2), [np.array([False, False])], [operator.index, 1.0]))

ALLOWANCES = (
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
        id="error.writes-to-scalar",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("spurious error",),
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
        kinds=("missing error",),
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
        kinds=("spurious error",),
        applies=lambda case, expected: any(map(callable, case.leaves())),
        holds=by_error(_is_of_a_function),
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
