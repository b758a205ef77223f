"""Limits: what a mode cannot do, and what an error has to say where a call needs it.

`LIMITS` is the table: dtypes that no tensor has, text under XLA, and values, sizes and shapes that are unknown while
tracing. Under XLA nothing that depends on values can raise: there the result has to be the one that is defined.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.accepted_differences.model import (
    EVERY_MODE,
    SHAPELESS,
    SHAPELESS_UNDER_XLA,
    TRACED,
    Allowance,
    Detail,
    Query,
    Reason,
    by_details,
)
from oracle.accepted_differences.unsupported_dtypes import (
    has_text,
    names_the_dtype,
    needs_unsupported_dtype,
    says_no_text,
)
from oracle.case.model import Case
from oracle.equality import matrix_perturbation, singularity, table
from oracle.equality.forms import are_all, is_numeric_array
from oracle.inventory import FACTS
from oracle.reference.display import flatten, format_object
from oracle.reference.error_classes import RUN_TIME_ERRORS, is_argument_error
from oracle.reference.outcome import Outcome, Raised, run_numpy
from oracle.subject import parameters_of
from oracle.transforms import refill
from oracle.transforms.reshape import vary_shapes

COMPILED = ("xla", "vmap")

NEEDS_STATIC = re.compile(
    r"\bmust be known\b|\bsymbolic `?tf\.Tensor\b|\bstatic\b|\bsize=|\bdepends on values\b|\bknown while tracing\b",
    re.IGNORECASE,
)
"""What a clear refusal says of what has no value yet."""

NEEDS_SIZE = re.compile(
    r"\bsize\b|must be a compile-time constant|known while tracing|must be known|\bstatic\b"
    r"|No registered 'StringFormat'"
)
"""What a clear refusal under XLA says of a result whose size depends on values."""

UNKNOWN_SHAPE = re.compile(
    r"\b(dim|dims|dimensions?|shapes?|sizes?|sides?|length|rank)\b.*\b((un)?known|static)\b", re.IGNORECASE
)
BY_ACCIDENT = re.compile(r"as_list\(\)|Cannot take the length of shape|NoneType|__len__|Cannot iterate over a shape")
"""What TensorFlow and Python say where an unknown shape was not thought of."""


def _comes_of_values(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy's error comes from numbers that a graph knows only when it runs."""
    error = expected.error
    if error is None:
        return False
    looks_in_vain = error.message == "substring not found"
    return (
        looks_in_vain
        or matrix_perturbation.NUMERICAL.search(error.message) is not None
        or refill.depends_on_values(case)
        or _comes_of_a_size(case, error)
    )


def _comes_of_a_size(case: Case, error: Raised) -> bool:
    """Return whether the error may be one of a shape, of which a call before the last gives a size by values."""
    is_sized = any(call.name in FACTS["numpy"]["sized_by_values"] for call in case.calls() if call is not case)
    return is_sized and {"TypeError", "AxisError"}.isdisjoint(error.bases)


def _form_needs_values(case: Case, expected: Outcome) -> bool:
    """Return whether the structure or the ranks of NumPy's result depend on values, or it is made of them alone."""
    if not expected.ok:
        return False
    tellers = FACTS["numpy"]["tellers_of_values"]
    is_told = any(call.name in tellers and (bool(call.arrays()) or len(call.calls()) > 1) for call in case.calls())
    return (
        is_told
        or case.name == "real_if_close"
        or refill.is_split_by_an_array(case)
        or refill.form_depends_on_values(case, expected.value, shapes=False)
    )


def _asks_for_static(query: Query) -> bool:
    error = query.actual.error
    return is_argument_error(error) and error is not None and NEEDS_STATIC.search(error.message) is not None


def _size_needs_values(case: Case, expected: Outcome) -> bool:
    """Return whether shapes of NumPy's result depend on values, or a mask says where to write."""
    if not expected.ok:
        return False
    index = case.kwargs.get("obj", (*case.args, None, None)[1])
    masks = [array for array in Case(case.name, (index,)).arrays() if array.dtype.kind == "b"]
    if masks and (case.name.endswith(".at") or case.name == "insert"):
        return True
    is_listed = any(call.name in FACTS["numpy"]["sized_by_values"] for call in case.calls())
    return is_listed or refill.form_depends_on_values(case, expected.value, shapes=True)


def _size_needs_values_for_other_shapes(case: Case, expected: Outcome) -> bool:
    """Return whether shapes of NumPy's result depend on values for this shape or another one of the arguments."""
    cases = (case, *vary_shapes(case, ranks=False))
    return expected.ok and any(_size_needs_values(other, run_numpy(other)) for other in cases)


def _asks_for_a_size(query: Query) -> bool:
    error = query.actual.error
    if error is None:
        return False
    is_clear = is_argument_error(error) or "NotImplementedError" in error.bases or error.name in RUN_TIME_ERRORS
    return is_clear and NEEDS_SIZE.search(error.message) is not None


def is_defined_by_rank(call: Case) -> bool:
    """Return whether NumPy's manual defines the call by cases of its arguments' rank. Of distributions it does: without
    `size`, scalar parameters give one number, and others as many as they have elements.
    """
    is_drawn = call.name.startswith("random.") and "size" in parameters_of(call.name)
    return is_drawn or call.name in FACTS["numpy"]["defined_by_rank"] or call.name.startswith(NAMES_OF_AXES)


NAMES_OF_AXES = ("fft.", "ndarray.__getitem__", "ndarray.__setitem__")
"""Families in which an argument says something of every axis."""


def _asks_for_a_shape(query: Query) -> bool:
    """Return whether the trace clearly asks for a shape, without which the call has no meaning."""
    error, ranks = query.actual.error, query.mode.name == "graph_rank"
    if error is None or query.actual.phase != "trace" or error.bases not in (("TypeError",), ("ValueError",)):
        return False
    if not UNKNOWN_SHAPE.search(error.message) or BY_ACCIDENT.search(error.message):
        return False
    is_defined = ranks and any(is_defined_by_rank(call) for call in query.case.calls())
    return is_defined or structure_depends_on_shapes(query.case, ranks)


def structure_depends_on_shapes(case: Case, ranks: bool) -> bool:
    """Return whether NumPy's result has another structure for other shapes, or on request for other ranks."""
    expected = run_numpy(case)
    for other in vary_shapes(case, ranks):
        outcome = run_numpy(other)
        if outcome.ok and (not expected.ok or skeleton(outcome.value) != skeleton(expected.value)):
            return True
    return False


def skeleton(value: object) -> object:
    """Return what a tensor of unknown shape keeps of a result: how many parts there are, and Python objects."""
    if isinstance(value, (list, tuple)):
        return [skeleton(item) for item in value]
    return "array" if isinstance(value, (np.ndarray, np.generic)) else format_object(value)


def _is_defined_result(query: Query) -> bool:
    """Return whether a result under XLA is one that is defined where NumPy raises: nan for a matrix that has no answer,
    and else a result of the form that harmless values of the same shapes give.
    """
    error = query.expected.error
    if error is not None and matrix_perturbation.NUMERICAL.search(error.message):
        if query.case.name.startswith("linalg."):
            return singularity.check_compiled_singular(query.case, query.actual.value)
        return _is_lost_where_values_matter(query)
    forms = [
        refill.describe_form(outcome.value, shapes=False)
        for outcome in map(run_numpy, refill.vary_values(query.case))
        if outcome.ok and outcome.value is not None
    ]
    return not forms or refill.describe_form(query.actual.value, shapes=False) in forms


def _is_lost_where_values_matter(query: Query) -> bool:
    """Return whether a result is nan, but for what is the same for all harmless values, as coefficients that are not
    fitted are zero.
    """
    parts = flatten(_coefficients_of(query.actual.value))
    if not parts or not all(map(is_numeric_array, parts)):
        return False
    if are_all(np.concatenate([np.isnan(part).ravel() for part in parts])):
        return True
    outcomes = [run_numpy(other) for other in refill.vary_values(query.case)]
    values = [flatten(_coefficients_of(outcome.value)) for outcome in outcomes if outcome.ok]
    others = [value[0] for value in values if len(value) == 1 and np.shape(value[0]) == np.shape(parts[0])]
    if len(parts) > 1 or not others:
        return False
    is_constant = np.all([other == others[0] for other in others], axis=0)
    return bool(np.where(is_constant, parts[0] == others[0], np.isnan(parts[0])).all())


def _coefficients_of(value: Any) -> Any:
    """Return the coefficients of a series; any other value as it is."""
    return value.get("coef", value) if isinstance(value, dict) else value


def _finds_general_eigenvalues(case: Case, expected: Outcome) -> bool:
    is_of_a_matrix = case.name == "poly" and np.ndim(case.args[0] if case.args else case.kwargs["seq_of_zeros"]) == 2
    finds_roots = table.finds_roots(case.name)
    return case.name in matrix_perturbation.GENERAL or is_of_a_matrix or finds_roots


def _is_not_implemented(query: Query) -> bool:
    error = query.actual.error
    if error is None or "XLA" not in error.message:
        return False
    return "NotImplementedError" in error.bases or "No registered 'Eig'" in error.message


def _calls_functions(case: Case, expected: Outcome) -> bool:
    return case.name == "piecewise" and any(map(callable, case.leaves()))


def _is_of_a_function(query: Query) -> bool:
    """Return whether a function raised it that NumPy calls as well, where all arrays say so."""
    error, raised = query.actual.error, run_numpy(query.case.map_arrays(np.ones_like)).error
    return error is not None and raised is not None and raised.bases == error.bases


def _limit(
    why: str,
    needs: Callable[[Case, Outcome], bool],
    says: Callable[[Query], bool],
    modes: tuple[str, ...] = EVERY_MODE,
) -> Detail:
    """Return a row of `LIMITS`: `needs` says which calls need what a mode lacks, `says` whether the error says so."""
    return Detail(why, lambda query: says(query) and needs(query.case, query.expected), modes=modes)


LIMITS = (
    _limit(
        "TensorFlow has no longdouble, object, datetime64, timedelta64 or void: a TypeError names the dtype",
        needs_unsupported_dtype,
        names_the_dtype,
    ),
    _limit("XLA has no text: a TypeError says so", has_text, says_no_text, ("xla",)),
    _limit(
        "a structure or a rank that depends on values is unknown to a graph: the error says so",
        _form_needs_values,
        _asks_for_static,
        TRACED,
    ),
    _limit(
        "a size that depends on values is unknown to XLA: the call takes size=, and the error says so",
        _size_needs_values,
        _asks_for_a_size,
        COMPILED,
    ),
    _limit(
        "a size that depends on values for other shapes is unknown to XLA where shapes are: the error says so",
        _size_needs_values_for_other_shapes,
        _asks_for_a_size,
        SHAPELESS_UNDER_XLA,
    ),
    _limit(
        "what the call means depends on a shape or a rank that is unknown while tracing: the error says so",
        lambda case, expected: bool(case.arrays()),
        _asks_for_a_shape,
        SHAPELESS,
    ),
    _limit(
        "a graph calls the functions that no element chooses, too: their errors are errors",
        _calls_functions,
        _is_of_a_function,
        TRACED,
    ),
)

ALLOWANCES = (
    Allowance(
        id="mode.limit",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("spurious error",),
        applies=lambda case, expected: expected.error is None,
        **by_details(LIMITS),
        why="the mode cannot make the call, and the error says so",
        most=1.0,
        link="docs/verdicts.md",
    ),
    Allowance(
        id="xla.no-error",
        reason=Reason.DECISION,
        names=("*",),
        modes=("xla",),
        kinds=("missing error",),
        applies=_comes_of_values,
        holds=_is_defined_result,
        why="XLA cannot raise errors that depend on values: the result is nan where a matrix has no answer, and "
        "otherwise has the form of other results",
        most=0.6,
    ),
    Allowance(
        id="xla.general-eigenvalues",
        reason=Reason.TENSORFLOW_FAULT,
        names=("linalg.eig", "linalg.eigvals", "poly", "roots", "polynomial.*roots"),
        modes=("xla",),
        kinds=("spurious error",),
        applies=_finds_general_eigenvalues,
        holds=_is_not_implemented,
        why="XLA has no op for eigenvalues of general matrices",
        link="https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/tf2xla/kernels",
        until="2.23",
        most=1.0,
    ),
)
