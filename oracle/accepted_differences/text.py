"""Allowances for text: tensors hold byte strings without a width, which do not say whether they are text or bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.reference.error_classes import RUN_TIME_ERRORS
from oracle.reference.outcome import Outcome, run_numpy, ufunc_inputs

STRING_DTYPE, OBJECT = np.dtypes.StringDType(), np.dtype(object)
EXTREMES = re.compile(r"(ndarray\.)?a?(max|min)|(maximum|minimum)\.\w+")


def vary(case: Case) -> Iterator[Case]:
    """Yield the case with text as tensors have it: bytes read as text, and no widths. Scalars of `StringDType` are
    Python's, which arrays stand for. Extremes over several axes it lacks, and objects have them.
    """
    of_strings = as_dtype(case, STRING_DTYPE)
    for other in (_as_text(case), _without_width(case), _uncut(case), of_strings):
        if other is not None:
            yield other
    if of_strings is not None and isinstance(run_numpy(of_strings).value, str):
        yield Case("asarray", (of_strings,))
    of_objects = as_dtype(case, OBJECT) if EXTREMES.fullmatch(case.name) else None
    if of_objects is not None:
        yield Case("asarray", (of_objects,))


def _as_text(case: Case) -> Case | None:
    """Return the case with texts in place of bytes, if it has both: what NumPy makes of the one beside the other shows
    which they were, "%s" of b"x" for one.
    """
    kinds = {np.asarray(leaf).dtype.kind for leaf in case.leaves() if isinstance(leaf, np.ndarray | str | bytes)}
    if not {"S", "U"} <= kinds:
        return None
    return case.map_leaves(_decode, lambda leaf: leaf.decode("latin-1") if isinstance(leaf, bytes) else leaf)


def as_dtype(case: Case, dtype: np.dtype) -> Case | None:
    """Return the case over arrays of a dtype of text without a width, if it has arrays of text or bytes."""
    operands = case.args[: ufunc_inputs(case.name) or 1] or (*case.kwargs.values(), None)[:1]

    def is_operand(leaf: Any) -> bool:
        is_text = isinstance(leaf, str | bytes) and any(leaf is operand for operand in operands)
        return isinstance(leaf, np.str_ | np.bytes_) or is_text

    if not any(map(is_operand, case.leaves())) and not any(array.dtype.kind in "SU" for array in case.arrays()):
        return None
    return case.map_leaves(
        lambda array: _cast(array, dtype) if array.dtype.kind in "SU" else array,
        lambda leaf: _cast(np.asarray(leaf), dtype) if is_operand(leaf) else leaf,
    )


def _cast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    native = array.astype(array.dtype.newbyteorder("="), order="C")  # of others NumPy reads no code points
    return _decode(native).astype(dtype)


_OF_WIDTH = re.compile(r"[<>=|]?[US]\d+")


def _without_width(case: Case) -> Case | None:
    """Return the case with NumPy's text of no width for each dtype of a width that it names, if there is any."""
    return case.map_leaves(lambda array: array, _drop_width) if any(map(_has_width, case.leaves())) else None


def _has_width(leaf: Any) -> bool:
    if isinstance(leaf, str):
        return _OF_WIDTH.fullmatch(leaf) is not None
    return isinstance(leaf, np.dtype) and leaf.kind in "US"


def _drop_width(leaf: Any) -> Any:
    return STRING_DTYPE if _has_width(leaf) else leaf


def _uncut(case: Case) -> Case | None:
    """Return the case with arrays for what `replace` is given without a dtype, if anything is: NumPy cuts that to the
    width of the text that it looks in.
    """
    if case.name != "strings.replace":
        return None
    args = [value if position == 0 else _with_width(value) for position, value in enumerate(case.args)]
    kwargs = {key: value if key == "a" else _with_width(value) for key, value in case.kwargs.items()}
    changed = Case(case.name, tuple(args), kwargs)
    is_old = all(new is old for new, old in zip(changed.leaves(), case.leaves(), strict=True))
    return None if is_old else changed


def _with_width(value: Any) -> Any:
    if hasattr(value, "dtype") or type(value) in (int, bool):  # an int is a count
        return value
    array = np.asarray(value)
    return array if array.dtype.kind in "SU" else array.astype(np.str_)


def _decode(array: np.ndarray) -> np.ndarray:
    return np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array


def _has_variant(case: Case, expected: Outcome) -> bool:
    for leaf in case.leaves():
        is_named = isinstance(leaf, str | bytes | np.dtype)
        if is_named or (isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in "SU"):
            return next(vary(case), None) is not None
    return False


def _is_right_without_width(query: Query) -> bool:
    """Return whether the outcome of a subject of tensors is NumPy's for text as these have it, or an error that it
    raises of it.
    """
    if not query.on_tensors:
        return False
    if query.deviation.kind != "spurious error":
        return any(not query.compare(other) for other in vary(query.case))
    other = as_dtype(query.case, STRING_DTYPE) if ufunc_inputs(query.case.name) else None
    return (other is not None and not query.compare(other)) or _repeats_too_often(query)


def _repeats_too_often(query: Query) -> bool:
    """Return whether it is refused to repeat text more often than int32 counts, which takes gigabytes."""
    error, operands = query.actual.error, (*query.case.args, *query.case.kwargs.values())
    counts = [np.asarray(value) for value in operands if isinstance(value, int | np.integer | np.ndarray)]
    is_many = any(count.dtype.kind in "iu" and np.any(count > np.iinfo(np.int32).max) for count in counts)
    if error is None or not is_many or "multiply" not in error.message:
        return False
    return "OverflowError" in error.bases or (query.mode.is_traced and error.name in RUN_TIME_ERRORS)


ALLOWANCES = (
    Allowance(
        id="text.without-width",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("value", "structure", "missing error", "spurious error"),
        applies=_has_variant,
        holds=_is_right_without_width,
        asks_again=True,
        why="tf.string has no width, and does not tell bytes from text: the answer is NumPy's for StringDType",
        most=0.6,
    ),
)
