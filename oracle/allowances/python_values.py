"""Allowances for Python scalars, dtypes and shapes in results, for which a tensor library gives its own."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import SHAPELESS, Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers.random import check_draws, is_random
from oracle.reference.outcome import Outcome

VALUES_AS_PYTHON = (
    *("allclose", "array_equal", "array_equiv", "count_nonzero", "linalg.matrix_rank", "iscomplex", "isreal"),
    *("ndarray.item", "ndarray.tolist", "ndarray.__bool__", "ndarray.__float__", "ndarray.__int__"),
    *("ndarray.__complex__", "ndarray.__contains__", "random.*"),
)
"""Functions whose results are Python objects though they depend on values."""

LETTERS_OF_TYPES = {bool: "b", int: "iu", float: "f", complex: "c", str: "OSUT", bytes: "OSUT"}


def _is_scalar_tensor(question: Question) -> bool:
    """Return whether an array without dimensions has the Python scalar's class: its value is compared besides."""
    expected, actual = question.expected_part, question.actual_part
    if not isinstance(actual, np.ndarray) or actual.ndim or type(expected) not in LETTERS_OF_TYPES:
        return False
    if actual.dtype.kind not in LETTERS_OF_TYPES[type(expected)] and type(actual.item()) is not type(expected):
        return False
    return not is_random(question.case) or not check_draws(question.case, expected, actual).departures


def _is_integer_tensor(question: Question) -> bool:
    """Return whether an integer or boolean tensor without dimensions is what NumPy has as a Python number."""
    expected, actual = question.expected_part, question.actual_part
    if not isinstance(actual, np.ndarray) or actual.ndim or type(expected) not in (int, bool):
        return False
    return actual.dtype.kind in LETTERS_OF_TYPES[type(expected)]


def _has_same_dims(question: Question) -> bool:
    """Return whether a shape is NumPy's, with None where a dim is unknown; a tensor of the dims will do."""
    expected, actual = question.expected_part, question.actual_part
    if actual is None:
        return True  # an unknown rank
    if not isinstance(expected, (tuple, list)):
        return False
    if isinstance(actual, np.ndarray):
        is_shape = question.departure.kind == "structure" and actual.dtype.kind in "iu"
        return is_shape and actual.tolist() == list(expected)
    if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
        return False
    pairs = zip(actual, expected, strict=True)
    return all(got is None or (isinstance(got, (int, np.integer)) and got == dim) for got, dim in pairs)


def _are_dims(case: Case, expected: Outcome) -> bool:
    return isinstance(expected.value, (tuple, list)) and all(type(part) is int for part in expected.value)


def _is_same_dtype(question: Question) -> bool:
    """Return whether a `tf.DType` is the one of NumPy's dtype."""
    expected, kind = question.expected_part, getattr(question.actual_part, "kind", "")
    if not isinstance(expected, np.dtype):
        return False
    return kind == f"tf.{expected.name}" or (kind == "tf.string" and expected.kind in "US")


ALLOWANCES = (
    Allowance(
        id="python.number-as-tensor",
        reason=Reason.DECISION,
        names=VALUES_AS_PYTHON,
        kinds=("structure",),
        holds=_is_scalar_tensor,
        why="a result that depends on values is a tensor without dimensions: a graph has no Python number",
        most=1.0,
    ),
    Allowance(
        id="python.number-of-unknown-shape",
        reason=Reason.DECISION,
        names=("*",),
        modes=SHAPELESS,
        kinds=("structure",),
        holds=_is_integer_tensor,
        applies=lambda case, expected: expected.ok,
        why="what says something of an unknown shape is a tensor: only running the graph can tell it",
        most=1.0,
    ),
    Allowance(
        id="python.unknown-dims",
        reason=Reason.DECISION,
        names=("*",),
        modes=SHAPELESS,
        kinds=("structure", "value"),
        applies=_are_dims,
        holds=_has_same_dims,
        why="the shape of a tensor has None for each dim that is unknown while tracing",
        most=1.0,
    ),
    Allowance(
        id="python.tf-dtype",
        reason=Reason.DECISION,
        names=("ndarray.dtype",),
        kinds=("structure",),
        holds=_is_same_dtype,
        why="the dtype of a tensor is a tf.DType",
        most=1.0,
    ),
)
