"""Allowances for errors: which of several comes first, and of which class it is."""

from __future__ import annotations

import operator
import re
from functools import partial
from typing import Any

import numpy as np

from oracle.allowances import ambiguous_error
from oracle.allowances.model import TRACED, Allowance, Exchange, Question, Reason, by_error, first_argument
from oracle.case.model import Case
from oracle.reference.bfloat16 import INTERPOLATING
from oracle.reference.outcome import OUTPUT_PARAMETERS, WRITING_FIRST, Outcome, Raised, run_numpy

ARGUMENT_ERRORS = frozenset(
    {"TypeError", "ValueError", "IndexError", "OverflowError", "LinAlgError", "ZeroDivisionError"}
)
"""Classes by which a library says that an argument is wrong. Others, such as RuntimeError, say that it is broken."""

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
_TEXT_TO_MULTIPLY = Case("convolve", (0.0, ""))
_TEXT_DOMAIN = Case("polynomial.Chebyshev.linspace", (np.polynomial.Chebyshev([0.0]),), {"domain": "float32"})
_TEXT_OF_NO_AXES = Case("linalg.tensordot", (0.0, "a"))
_COUNTS_TO_MAXIMUM = Case("bincount", (np.array([2**63 - 2]),))
_GENERATOR = Case("random.default_rng", (0,))
_NO_SUCH_AXIS = Case("random.Generator.choice", (_GENERATOR, np.ones(1)), {"axis": 1})
_SUM_OF_AXIS_3 = Case("sum", (Case("linalg.inv", (np.zeros((2, 2)),)), 3))
_TWICE_WRONG = Case("sum", (np.array([1.0]),), {"axis": 3, "dtype": "bogus"})
_SCALAR = Case("put", (np.float64(1), 0, 2.0))
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
            Exchange(_SUM_OF_AXIS_3, TypeError("boom")),
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
