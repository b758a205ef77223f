"""Checkers of results of linear algebra, matrix by matrix of a stack.

What a right result is: the one that exact arithmetic gives for a matrix next to the given one, within the errors of a
backward stable algorithm in double precision, rounded to the dtype of the result (`matrix` names the sources). Where a
matrix holds NaN or infinity, LAPACK's manual promises nothing; but a finite number is right there only if it is
NumPy's, or if it is the same for whatever stands in the place of NaN, and for ever larger numbers in that of infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import decompositions, eigenvalues, equations, singular_values, table
from oracle.equality.deviation import CheckResult, Deviation
from oracle.equality.matrix import MatrixFault, Problem, as_hermitian
from oracle.reference.dtypes import EPSILON, to_double, to_longdouble
from oracle.reference.outcome import bind_arguments, find_in_numpy

__all__ = [
    "ENTRIES",
    "check_call",
    "check_compiled_residuals",
    "check_linalg",
    "check_problem",
    "find_problems",
    "find_stack",
    "is_checked",
    "is_spectral",
    "list_parts",
    "run_single",
]

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of the table of checkers: one matrix at a time, and how many axes of each part belong to it.

    `reads` returns what is read of a matrix. `overflows`: the checker itself judges results that are not finite.
    `phases`: the parts that are unique but for the phase of each column or row.
    """

    check: Callable[[Problem], MatrixFault | None]
    axes: tuple[int, ...]
    reads: Callable[[np.ndarray, Arguments], np.ndarray] = lambda a, arguments: a
    overflows: bool = False
    phases: tuple[int, ...] = ()


def _read_triangle(a: np.ndarray, arguments: Arguments) -> np.ndarray:
    return as_hermitian(a, str(arguments["UPLO"]).upper() == "L")


def _read_for_cholesky(a: np.ndarray, arguments: Arguments) -> np.ndarray:
    return as_hermitian(a, not arguments["upper"])


def _read_hermitian(a: np.ndarray, arguments: Arguments) -> np.ndarray:
    return as_hermitian(a) if arguments["hermitian"] else a


_INVERSE = Entry(equations.check_inverse, (2,), overflows=True)
_SOLUTION = Entry(equations.check_solve, (2,), overflows=True)
_NORM = Entry(singular_values.check_spectral_norm, (0,))
_VALUES = Entry(decompositions.check_singular_values, (1,))

ENTRIES: dict[str, Entry] = {
    "linalg.cholesky": Entry(decompositions.check_cholesky, (2,), _read_for_cholesky),
    "linalg.cond": Entry(singular_values.check_cond, (0,), overflows=True),
    "linalg.det": Entry(equations.check_det, (0,), overflows=True),
    "linalg.eig": Entry(eigenvalues.check_eig, (1, 2), phases=(1,)),
    "linalg.eigh": Entry(decompositions.check_eigh, (1, 2), _read_triangle, phases=(1,)),
    "linalg.eigvals": Entry(eigenvalues.check_eigvals, (1,)),
    "linalg.eigvalsh": Entry(decompositions.check_eigvalsh, (1,), _read_triangle),
    "linalg.inv": _INVERSE,
    "linalg.lstsq": Entry(singular_values.check_lstsq, (2, 1, 0, 1)),
    "linalg.matrix_norm": _NORM,
    "linalg.matrix_power": Entry(equations.check_power, (2,), overflows=True),
    "linalg.matrix_rank": Entry(singular_values.check_rank, (0,), _read_hermitian),
    "linalg.norm": _NORM,
    "linalg.pinv": Entry(singular_values.check_pinv, (2,), _read_hermitian),
    "linalg.qr": Entry(decompositions.check_qr, (2, 2), phases=(0, 1)),
    "linalg.slogdet": Entry(equations.check_slogdet, (0, 0), overflows=True),
    "linalg.solve": _SOLUTION,
    "linalg.svd": Entry(decompositions.check_svd, (2, 1, 2), _read_hermitian, phases=(0, 2)),
    "linalg.svdvals": _VALUES,
    "linalg.tensorinv": _INVERSE,
    "linalg.tensorsolve": _SOLUTION,
}


def is_checked(case: Case) -> bool:
    """Return whether a checker here judges the results of the case."""
    arguments = bind_arguments(case) if table.decomposes(case.name) else {}
    try:
        return bool(arguments) and _applies(case.name, arguments)
    except (TypeError, ValueError):  # NumPy raises, too
        return False


def _applies(name: str, arguments: Arguments) -> bool:
    """Return whether the call is judged here: no norms that are sums, powers of integers, or ranks of vectors."""
    if name in ("linalg.norm", "linalg.matrix_norm"):
        return _matrix_axes(name, arguments) is not None and is_spectral(arguments["ord"])
    if name == "linalg.multi_dot":
        are_matrices = all(0 < np.ndim(array) < 3 for array in arguments["arrays"])  # of two arrays this is `dot`
        return are_matrices and any(_is_floating(array) for array in arguments["arrays"])
    if name == "linalg.matrix_power":
        return np.ndim(arguments["n"]) == 0 and (_is_floating(arguments["a"]) or int(arguments["n"]) < 0)
    return name != "linalg.matrix_rank" or np.ndim(arguments["A"]) > 1


def is_spectral(order: Any) -> bool:
    """Return whether a norm of matrices is one of singular values."""
    return order == "nuc" if isinstance(order, str) else order is not None and np.ndim(order) == 0 and abs(order) == 2


def _is_floating(array: Any) -> bool:
    return np.asarray(array).dtype.kind not in "biu"


def _matrix_axes(name: str, arguments: Arguments) -> tuple[int, int] | None:
    """Return the axes of the matrices of which the norm is asked for."""
    axis = arguments.get("axis", (-2, -1) if name == "linalg.matrix_norm" else None)
    if axis is None:
        return (-2, -1) if np.ndim(arguments["x"]) == 2 else None
    return (axis[0], axis[1]) if isinstance(axis, tuple) and len(axis) == 2 else None


def check_linalg(case: Case, expected: Any, actual: Any, precision: float = 0.0) -> CheckResult:
    """Check a result of linear algebra against NumPy's, of which it has the structure. `precision` is the rounding unit
    in which the subject calculates by design; 0 for double precision.
    """
    arguments = bind_arguments(case)
    if not arguments or not table.decomposes(case.name) or not _applies(case.name, arguments):
        return CheckResult(undecided=f"no checker of linear algebra judges {case.name} with these arguments")
    return check_call(case.name, arguments, expected, actual, precision)


def check_call(name: str, arguments: Arguments, expected: Any, actual: Any, precision: float = 0.0) -> CheckResult:
    """Check the result of a call, its arguments given by parameter; for `precision` see `check_linalg`."""
    parts = list(zip(list_parts(expected), list_parts(actual), strict=True))
    for i, (one, other) in enumerate(parts):
        if one.shape != other.shape:
            return CheckResult((Deviation("shape", f"expected {one.shape}, got {other.shape}", _path(i, expected)),))
        if one.dtype.char in "gGO" or other.dtype.kind not in "biufcV":
            return CheckResult(undecided=f"results of dtype {one.dtype} are not judged")
    findings: list[tuple[tuple[int, ...], MatrixFault]] = []
    with np.errstate(all="ignore"):
        if name == "linalg.multi_dot":
            findings = _check_chain(arguments, parts, precision)
        else:
            for double in find_problems(name, arguments, expected, actual):
                problem = replace(double, precision=precision)
                finding = check_problem(name, arguments, problem)
                findings += [(problem.index, finding)] if finding is not None else []
    return _gather(findings, expected, [one.shape for one, _ in parts])


def list_parts(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result."""
    return [np.asarray(part) for part in (result if isinstance(result, (tuple, list)) else (result,))]


def _path(part: int, expected: Any) -> tuple[int, ...]:
    return (0, part) if isinstance(expected, (tuple, list)) else (0,)


def _gather(
    findings: list[tuple[tuple[int, ...], MatrixFault]], expected: Any, shapes: list[tuple[int, ...]]
) -> CheckResult:
    """Return one deviation for each part; with the elements of the matrices that are wrong."""
    deviations = []
    for part in sorted({finding.part for _, finding in findings if not finding.is_undecided}):
        of_part = [(i, finding) for i, finding in findings if finding.part == part and not finding.is_undecided]
        wrong = np.zeros(shapes[part], bool)
        for index, finding in of_part:
            here = wrong[index] if wrong[index].size else wrong
            fits = finding.wrong is not None and finding.wrong.shape == here.shape and finding.wrong.any()
            wrong[index] = finding.wrong if fits else True
        index, first = of_part[0]
        text = f"matrix {list(index)}: {first.detail}" if index else first.detail
        more = f"; {len(of_part)} matrices" if len(of_part) > 1 else ""
        deviations.append(Deviation("value", text + more, _path(part, expected), wrong))
    reasons = [finding.detail for _, finding in findings if finding.is_undecided]
    return CheckResult(tuple(deviations), reasons[0] if reasons else "")


def find_problems(name: str, arguments: Arguments, expected: Any, actual: Any) -> Iterator[Problem]:
    """Yield each matrix of the stack, as it is read, with what was made of it."""
    matrices, right, stack = find_stack(name, arguments)
    entry, count = ENTRIES[name], len(stack)
    pairs = []
    for i, (one, other) in enumerate(zip(list_parts(expected), list_parts(actual), strict=True)):
        shape = (*stack, *_matrix_shape(name, arguments, one, count, i, matrices))
        pairs.append((one.reshape(shape), other.reshape(shape)))
    for index in np.ndindex(stack):
        a = to_double(np.broadcast_to(matrices, (*stack, *matrices.shape[-2:]))[index])
        if a.shape[0] == a.shape[1]:
            a = entry.reads(a, arguments)
        b = None if right is None else to_double(right[index])
        expected_parts, answered = (tuple(pair[i][index] for pair in pairs) for i in (0, 1))
        yield Problem(a, b, arguments, expected_parts, answered, index, matrices.dtype)


def _matrix_shape(
    name: str, arguments: Arguments, part: np.ndarray, stacked: int, i: int, matrices: np.ndarray
) -> tuple[int, ...]:
    """Return the shape of what belongs to one matrix; what `keepdims` keeps is left out."""
    if name == "linalg.tensorinv":
        return matrices.shape[::-1]
    if name == "linalg.tensorsolve":
        return (matrices.shape[1],)
    return () if ENTRIES[name].axes[:1] == (0,) and "keepdims" in arguments else part.shape[stacked:]


def find_stack(name: str, arguments: Arguments) -> tuple[np.ndarray, np.ndarray | None, tuple[int, ...]]:
    """Return the matrices; the right sides, if there are any, broadcast to the stack; and its shape."""
    a = np.asarray(next(arguments[key] for key in ("a", "A", "x") if key in arguments))
    if name == "linalg.tensorinv":
        return a.reshape(math.prod(a.shape[arguments["ind"] :]), -1), None, ()
    if name == "linalg.tensorsolve":
        b, axes = np.asarray(arguments["b"]), [axis % a.ndim for axis in arguments["axes"] or ()]
        a = np.transpose(a, [*[axis for axis in range(a.ndim) if axis not in axes], *axes])
        return a.reshape(b.size, b.size), b.ravel(), ()
    if name in ("linalg.norm", "linalg.matrix_norm"):
        a = np.moveaxis(a, _matrix_axes(name, arguments) or (-2, -1), (-2, -1))
    if name not in ("linalg.solve", "linalg.lstsq"):
        return a, None, a.shape[:-2]
    b = np.asarray(arguments["b"])
    count = min(b.ndim, 2)
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[: b.ndim - count])
    return a, np.broadcast_to(b, (*stack, *b.shape[b.ndim - count :])), stack


def check_problem(name: str, arguments: Arguments, problem: Problem) -> MatrixFault | None:
    """Check one matrix, or nothing if both results are the same bytes."""
    pairs = list(zip(problem.expected, problem.actual, strict=True))
    if all(one.dtype == other.dtype and one.tobytes() == other.tobytes() for one, other in pairs):
        return None
    if problem.b is not None and problem.b.ndim == 2 and not np.isfinite(problem.b).all() and name == "linalg.solve":
        return _check_columns(name, arguments, problem)
    if not np.isfinite(problem.a).all() or (problem.b is not None and not np.isfinite(problem.b).all()):
        return _check_non_finite(name, arguments, problem)
    if not problem.a.size or not all(part.size for part in problem.actual[:1]):
        return _check_empty(pairs)
    entry = ENTRIES[name]
    if entry.overflows:
        return _run(entry, problem)
    for part, (one, other) in enumerate(pairs):
        if np.isfinite(one).all() and not np.isfinite(other).all():
            return MatrixFault(f"expected {one}, got {other}", part, ~np.isfinite(other))
    if not all(np.isfinite(one).all() for one, _ in pairs):
        return MatrixFault("NumPy's own result overflows", is_undecided=True)
    return _run(entry, problem)


def _run(entry: Entry, problem: Problem) -> MatrixFault | None:
    """Check one finite matrix; nothing is decided where the singular values that bounds need are not found."""
    try:
        return entry.check(problem)
    except np.linalg.LinAlgError as error:
        return MatrixFault(f"no bound: {error}", is_undecided=True)


def _check_empty(pairs: list[tuple[np.ndarray, np.ndarray]]) -> MatrixFault | None:
    """Check what is made of no elements: ones, zeros and identities, but for the phases of an orthonormal matrix."""
    for part, (one, other) in enumerate(pairs):
        wrong = ~_are_near(np.abs(one), np.abs(other))
        if wrong.any():
            return MatrixFault(f"expected {one}, got {other}", part, wrong)
    return None


def _check_columns(name: str, arguments: Arguments, problem: Problem) -> MatrixFault | None:
    """Check each right side by itself: one that is not finite leaves the others as they are."""
    assert problem.b is not None
    for k in range(problem.b.shape[1]):
        expected, answered = problem.expected[0][:, k], problem.actual[0][:, k]
        column = replace_parts(problem, problem.b[:, k], (expected,), (answered,))
        finding = check_problem(name, {**arguments, "a": problem.a, "b": problem.b[:, k]}, column)
        if finding is not None:
            return replace(finding, wrong=None)
    return None


def replace_parts(problem: Problem, b: Any, expected: tuple[Any, ...], actual: tuple[Any, ...]) -> Problem:
    """Return the same matrix with another right side and other results."""
    return replace(problem, b=b, expected=expected, actual=actual)


NAN_FILLINGS = (0.5, -3.25, 7.0)
INFINITE_FILLINGS = (2.0**100, 2.0**140, 2.0**180)
"""What stands for NaN and for infinity: a result is the same for all of them if none of them decides it."""


def _check_non_finite(name: str, arguments: Arguments, problem: Problem) -> MatrixFault | None:
    """Check that each finite number is NumPy's, or does not depend on what is not finite."""
    filled: list[tuple[np.ndarray, ...]] | None = None
    for part, (one, other) in enumerate(zip(problem.expected, problem.actual, strict=True)):
        size = np.abs if part in ENTRIES[name].phases else np.asarray
        wrong = np.isfinite(other) & ~_are_near(size(one), size(other))
        if name == "linalg.slogdet" and part == 0 and np.isnan(problem.actual[1]):
            wrong &= (np.abs(other) != 1) & (other != 0)  # the sign of NaN
        if np.any(wrong):
            filled = _fill(name, arguments, problem) if filled is None else filled
            is_settled = np.full(other.shape, bool(filled))
            for results in filled:
                is_settled &= _are_near(size(results[part]).reshape(other.shape), size(other))
            wrong &= ~is_settled
        if np.any(wrong):
            return MatrixFault(f"expected {one}, got {other}, of a matrix that is not finite", part, np.asarray(wrong))
    return None


def _are_near(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return which elements are equal but for rounding errors."""
    if one.dtype.kind in "biu":
        return np.asarray(one == other)
    slack = 64 * max(one.size, 4) * max(EPSILON.get(dtype, 2.0**-52) for dtype in (one.dtype, other.dtype))
    size = np.abs(np.where(np.isfinite(one), one, 0))
    return np.asarray(
        np.abs(to_longdouble(one) - to_longdouble(other)) <= slack * np.maximum(size, np.max(size, initial=0))
    )


def _fill(name: str, arguments: Arguments, problem: Problem) -> list[tuple[np.ndarray, ...]]:
    """Return NumPy's results with numbers for what is not finite; none where it raises for one of them."""
    results = []
    for nan, large in zip(NAN_FILLINGS, INFINITE_FILLINGS, strict=True):
        a, b = (None if array is None else _replace(array, nan, large) for array in (problem.a, problem.b))
        try:
            results.append(run_single(name, arguments, a, b, problem.index))
        except (np.linalg.LinAlgError, ValueError):
            return []
    return results


def _replace(array: np.ndarray, nan: float, large: float) -> np.ndarray:
    if array.dtype.kind != "c":
        return np.nan_to_num(array, nan=nan, posinf=large, neginf=-large)
    return _replace(array.real, nan, large) + 1j * _replace(array.imag, nan, large)


def run_single(name: str, arguments: Arguments, a: Any, b: Any, index: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return NumPy's result for one matrix of a stack, in its parts."""
    if name in ("linalg.norm", "linalg.matrix_norm"):
        return (np.asarray(np.linalg.norm(a, arguments["ord"])),)
    if name in ("linalg.tensorinv", "linalg.tensorsolve"):
        return (np.linalg.inv(a) if b is None else np.linalg.solve(a, b),)
    options = {
        key: value for key, value in arguments.items() if key not in ("a", "A", "x", "b") and value is not np._NoValue
    }
    for key in {"tol", "rtol", "rcond"} & options.keys():
        options[key] = singular_values.element(options[key], index) if options[key] is not None else None
    operands = (a,) if b is None else (a, b)
    return tuple(list_parts(find_in_numpy(name)(*operands, **options)))


def _check_chain(
    arguments: Arguments, parts: list[tuple[np.ndarray, np.ndarray]], precision: float
) -> list[tuple[tuple[int, ...], MatrixFault]]:
    """Check the product of several matrices, of which the first and the last may be vectors."""
    (one, other), *_ = parts
    if one.dtype == other.dtype and one.tobytes() == other.tobytes():
        return []
    factors = [np.asarray(array) for array in arguments["arrays"]]
    factors[0] = factors[0][None] if factors[0].ndim == 1 else factors[0]
    factors[-1] = factors[-1][:, None] if factors[-1].ndim == 1 else factors[-1]
    shape = (factors[0].shape[0], factors[-1].shape[1])
    dtypes = [factor.dtype for factor in factors if factor.dtype in EPSILON]
    coarsest = max((one.dtype, *dtypes), key=lambda dtype: EPSILON.get(dtype, 0.0))
    problem = Problem(to_double(factors[0]), None, arguments, (one.reshape(shape),), (other.reshape(shape),))
    problem = replace(problem, precision=precision)
    finding = equations.check_product(problem, [to_double(factor) for factor in factors], coarsest)
    return [] if finding is None else [((), finding)]


def check_compiled_residuals(arguments: Arguments, expected: Any, actual: Any) -> CheckResult:
    """Check least squares under XLA, which must know how many residuals there are: NaN where NumPy gives none."""
    if np.size(expected[1]) or not np.size(actual[1]) or not np.isnan(actual[1]).all():
        return check_call("linalg.lstsq", arguments, expected, actual)
    return check_call("linalg.lstsq", arguments, expected, (actual[0], expected[1], *actual[2:]))
