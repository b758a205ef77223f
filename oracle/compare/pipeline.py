"""The comparison pipeline: collect all deviations from NumPy's outcome, then accept what is open or allowed.

Freedoms of relations and allowances accept deviations, or elements of them, one by one. What is left is reported; what
was accepted is counted by their ids; what could not be decided is counted with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from oracle.accepted_differences import registry
from oracle.accepted_differences.model import Allowance, Query
from oracle.accepted_differences.registry import ACCEPTING, ACCEPTING_AT_ONCE
from oracle.adapter import RETURNED, Adapter
from oracle.case.model import Case
from oracle.compare.by_design import accept_by_design, find_precision
from oracle.compare.comparison import NO_ANSWER, Comparison
from oracle.compare.status import compare_status
from oracle.compare.steps import can_compare_steps, compare_steps
from oracle.compare.structure import compare_trees, conform
from oracle.equality import factorization, random
from oracle.equality.deviation import KINDS, Deviation, Path
from oracle.equality.forms import are_all, is_comparable, list_masks, make_native
from oracle.equality.numeric import INNER_CALLS, MASKED, NumericComparison
from oracle.execution.executors import have_same_bits
from oracle.harness_faults import UNDECIDED, HarnessFault, record_faults
from oracle.inventory import NAMES
from oracle.modes import SHAPELESS, Mode
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON, is_inexact
from oracle.reference.error_classes import BROKEN, classify_error
from oracle.reference.outcome import Outcome, run_numpy


def find_deviation(
    case: Case, expected: Outcome, actual: Outcome, mode: Mode, *, on_tensors: bool = True, exact_errors: bool = False
) -> Deviation | None:
    """Return the first difference from NumPy's outcome that is not allowed, or None."""
    return compare_outcomes(case, expected, actual, mode, on_tensors=on_tensors, exact_errors=exact_errors).deviation


def compare_outcomes(
    case: Case,
    expected: Outcome,
    actual: Outcome,
    mode: Mode,
    *,
    on_tensors: bool = True,
    adapter: Adapter | None = None,
    exact_errors: bool = False,
    eager: Outcome | None = None,
) -> Comparison:
    """Compare an outcome with NumPy's. Allowances for TensorFlow's faults apply only if `on_tensors`; an `adapter` has
    others. For `exact_errors` see `compare_status`. `eager` is what eager mode gave, if that was right: of a program
    the same bits are right in any mode.
    """
    if can_compare_steps(expected, actual):
        options: dict[str, Any] = {"on_tensors": on_tensors, "adapter": adapter, "exact_errors": exact_errors}
        return compare_steps(case, actual, mode, partial(compare_outcomes, mode=mode, **options))
    is_ok = actual.kind == "ok" == expected.kind and not expected.after
    if actual.kind == "unsupported" or (is_ok and is_identical(expected.value, actual.value)):
        return Comparison()
    if eager is not None and len(case.calls()) > 1 and is_same_answer(eager, actual):
        return Comparison()
    masks = list_masks(actual)
    expected, actual = make_native(expected), make_native(actual)
    precision = find_precision(actual, adapter)
    evidence = NumericComparison(
        case, expected, mode.is_compiled, mode.name in SHAPELESS, mode.is_traced, precision, masks=masks
    )
    comparison = Comparison()
    deviations: list[Deviation] = []
    with record_faults(comparison.harness_faults, "comparison", case, mode):
        for deviation in collect_deviations(evidence, actual, mode, adapter, exact_errors=exact_errors):
            deviations.append(deviation)  # noqa: PERF402 - those before an exception are kept
    if comparison.harness_faults:
        evidence.leave_undecided(UNDECIDED)
    if deviations and adapter is not None:
        with record_faults(comparison.harness_faults, adapter.name, case, mode):
            deviations = accept_by_design(deviations, adapter, evidence, actual, mode, comparison.allowed)
    if deviations:
        ask = partial(_compare_with_another, actual, mode, on_tensors, comparison.harness_faults)
        query = partial(Query, case, expected, actual, mode, evidence=evidence, compare=ask, on_tensors=on_tensors)
        left = join_deviations(accept_deviations(deviations, query, comparison.allowed, comparison.harness_faults))
        first = {deviation.kind: deviation for deviation in reversed(left)}
        comparison.deviations = [Deviation(kind, first[kind].detail, mode=mode) for kind in KINDS if kind in first]
    if not comparison.deviations:
        comparison.undecided = NO_ANSWER if expected.kind == "unsupported" else evidence.why_undecided
    return comparison


def collect_deviations(
    evidence: NumericComparison,
    actual: Outcome,
    mode: Mode,
    adapter: Adapter | None = None,
    *,
    exact_errors: bool = False,
) -> Iterator[Deviation]:
    """Yield every deviation of an outcome; at each path, those of structure, dtype and shape come before those of
    values.
    """
    expected = evidence.expected
    status = compare_status(expected, actual, mode, exact_errors=exact_errors)
    if status is not None:
        yield status
    elif not (expected.ok and actual.ok):
        return
    elif random.is_random(evidence.case, streams=adapter is None or adapter.streams):
        yield from _check_draws(evidence, actual)
    elif factorization.applies(evidence.case, expected.value):
        yield from compare_trees(evidence, (0,), expected.value, actual.value, values=False)
        value = conform(expected.value, actual.value)
        if evidence.masks:
            evidence.leave_undecided(MASKED)
        elif is_comparable(expected.value, value):
            yield from factorization.compare_factors(_in_precision_of(evidence, value), expected.value, value)
    else:
        never_writes = adapter is not None and not (adapter.views or adapter.tensors)
        if never_writes and _returns_destination(evidence, actual):
            yield Deviation("structure", RETURNED, (0,))
            return
        yield from compare_trees(evidence, (0,), expected.value, actual.value)
        if expected.after:
            yield from compare_trees(evidence, (1,), expected.after, actual.after)


INPLACE_OPERATORS = frozenset(
    name for name in NAMES if name.startswith("ndarray.__i") and name.replace("__i", "__", 1) in NAMES
)
"""The operators that NumPy's arrays do in place: `ndarray.__iadd__`."""


def _returns_destination(evidence: NumericComparison, actual: Outcome) -> bool:
    """Return whether a function returns a new array where NumPy only writes to an old one, as of arrays that never
    change: Python's `x += y` then assigns the new one.

    What has written to the array as well is compared as usual.
    """
    expected = evidence.expected
    is_for_effect = expected.value is None or evidence.case.name in INPLACE_OPERATORS
    if not is_for_effect or not isinstance(actual.value, np.ndarray) or len(expected.after) != 1:
        return False
    is_updated = not any(compare_trees(evidence, (1,), expected.after, actual.after))
    return not is_updated and not any(compare_trees(evidence, (1,), expected.after, (actual.value,)))


def _check_draws(evidence: NumericComparison, actual: Outcome) -> list[Deviation]:
    """Return the deviations of random draws in structure, dtype and shape, or else those of their distribution."""
    expected = evidence.expected
    deviations = list(compare_trees(evidence, (0,), expected.value, actual.value, values=False))
    deviations += compare_trees(evidence, (1,), expected.after, actual.after, values=False)
    conformed = replace(
        actual, value=conform(expected.value, actual.value), after=conform(expected.after, actual.after)
    )
    if not all(map(is_comparable, (expected.value, expected.after), (conformed.value, conformed.after))):
        return deviations
    if evidence.masks:
        evidence.leave_undecided(MASKED)
        return deviations
    check = random.check_draws(evidence.case, expected, conformed)
    evidence.leave_undecided(check.undecided)
    if check.deviations and evidence.is_inexact_program and _hang_on_inner_calls(evidence):
        evidence.leave_undecided(INNER_CALLS)
        return deviations
    return [*deviations, *check.deviations]


def _in_precision_of(evidence: NumericComparison, value: Any) -> NumericComparison:
    """Return the evidence in the precision of the coarsest dtype of a result, where that is coarser than double: NumPy
    calculates linear algebra of single precision in double, which its manual does not promise.
    """
    units = [EPSILON.get(part.dtype, 0.0) for part in flatten(value) if isinstance(part, (np.ndarray, np.generic))]
    coarsest = max(units, default=0.0)
    return evidence.in_precision(coarsest) if coarsest > EPSILON[np.dtype(np.float64)] else evidence


def _hang_on_inner_calls(evidence: NumericComparison) -> bool:
    """Return whether draws of NumPy's are wrong, too, when the parameters that calls make move by a rounding error."""
    outcomes = [outcome for outcome in (*evidence.moved, *evidence.moved_again) if outcome.ok]
    return any(random.check_draws(evidence.case, evidence.expected, outcome).deviations for outcome in outcomes)


def accept_deviations(
    deviations: Sequence[Deviation],
    query: Any,
    allowed: list[tuple[str, str]],
    faults: list[HarnessFault],
    allowances: Sequence[Allowance] = ACCEPTING,
) -> list[Deviation]:
    """Return the deviations that no allowance accepts. Accepted ones are appended to `allowed`.

    `query` makes the argument of an allowance from a deviation. An allowance that raises accepts nothing; its
    exception is appended to `faults`.
    """
    left: list[Deviation] = []
    forms = {deviation.kind for deviation in deviations if deviation.kind in FORMS}
    for deviation in deviations:
        remaining: Deviation | None = deviation
        posed = _pose(query, deviation, forms)
        for allowance in _list_fitting(allowances, posed):
            if posed.deviation is not remaining:
                posed = _pose(query, remaining, forms)
            try:
                if not allowance.applies(posed.case, posed.expected):
                    continue
                smaller = _take_away(posed.deviation, allowance.holds(posed))
            except Exception as error:  # noqa: BLE001 - whatever a predicate raises
                faults.append(HarnessFault.of(error, allowance.id, posed.case, posed.mode))
                continue
            if smaller is remaining:
                continue
            allowed.append((allowance.id, deviation.kind))
            remaining = smaller
            if remaining is None:
                break
        if remaining is not None:
            left.append(remaining)
    return left


FORMS = ("dtype", "shape", "structure")
"""The kinds of deviations that a worse one of the same part of a result names, so that they are no differences."""


def _pose(query: Any, deviation: Deviation | None, forms: set[str]) -> Query:
    """Return the query about a deviation; about a value, other answers are compared but for the answer's forms."""
    posed: Query = query(deviation=deviation)
    if forms and posed.deviation.kind == "value":
        posed.compare = partial(_compare_beside_forms, posed.compare, forms)
    return posed


def _list_fitting(allowances: Sequence[Allowance], posed: Query) -> Sequence[Allowance]:
    """Return those of the allowances that are about the calls, the mode and the kind of a query."""
    names = frozenset([call.name for call in posed.case.calls()])
    about = (names, posed.mode, posed.deviation.kind, posed.on_tensors)
    if allowances is registry.ACCEPTING or allowances is registry.ACCEPTING_AT_ONCE:
        return registry.list_fitting(*about, at_once=allowances is registry.ACCEPTING_AT_ONCE)
    return [allowance for allowance in allowances if allowance.fits(*about)]


def _compare_beside_forms(
    compare: Callable[..., list[Deviation]], forms: set[str], *args: Any, **kwargs: Any
) -> list[Deviation]:
    """Return the deviations from another answer but those of form that the answer has anyway: its values are asked."""
    return [deviation for deviation in compare(*args, **kwargs) if deviation.kind not in forms]


SHORT = 100
"""How many characters a deviation may have to be told in full beside a worse one."""


def join_deviations(deviations: Sequence[Deviation]) -> list[Deviation]:
    """Return the deviations, those of form joined to a worse one of the same part of the result, whose detail names
    them: of a list of wrong numbers in place of an array, the value. A structure in which the value is lost is a value;
    one within a part of another structure is left out.
    """
    left: list[Deviation] = []
    outer: list[Path] = []
    with_lost = [replace(deviation, kind="value") if deviation.is_lost else deviation for deviation in deviations]
    for deviation in sorted(with_lost, key=lambda one: KINDS.index(one.kind)):
        path, is_form = deviation.path, deviation.kind in FORMS
        if deviation.kind == "structure":
            if any(path[: len(one)] == one for one in outer):
                continue
            outer.append(path)
        index = next((i for i, one in enumerate(left) if is_form and one.path[: len(path)] == path), None)
        if index is None:
            left.append(deviation)
        else:
            named = deviation.detail if len(deviation.detail) <= SHORT else ""
            detail = f"{left[index].detail}; also {deviation.kind}{named and ': '}{named}"
            left[index] = replace(left[index], detail=detail)
    return left


def _take_away(deviation: Deviation, accepted: Any) -> Deviation | None:
    """Return what is left of a deviation of which an allowance accepts everything, nothing, or some elements."""
    if accepted is False:
        return deviation
    if isinstance(accepted, np.ndarray) and accepted.dtype == bool and deviation.wrong is not None:
        wrong = deviation.wrong & ~accepted
        if (wrong == deviation.wrong).all():
            return deviation
        return replace(deviation, wrong=wrong) if wrong.any() else None
    return None if accepted is not None and are_all(accepted) else deviation


def _compare_with_another(
    actual: Outcome,
    mode: Mode,
    on_tensors: bool,
    faults: list[HarnessFault],
    other: Case,
    part: Any = None,
    within: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> list[Deviation]:
    """Return the deviations of an outcome, or of a part of its value, from NumPy's answer to another case, without
    those that are allowed there. Allowances that compare with another case themselves are left out. All is calculated
    in a context, `within`; in one, what cannot be decided is a deviation, too.
    """
    with within():
        expected = make_native(run_numpy(other))
        actual = actual if part is None else make_native(Outcome(part, after=expected.after))
        if not expected.ok and (expected.error is None or classify_error(expected.error) == BROKEN):
            return [Deviation("structure", "NumPy has no answer to that")]
        evidence = NumericComparison(other, expected, mode.is_compiled, mode.name in SHAPELESS, mode.is_traced)
        query = partial(
            Query,
            other,
            expected,
            actual,
            mode,
            evidence=evidence,
            compare=lambda case, part=None, within=nullcontext: [],
            on_tensors=on_tensors,
        )
        deviations = list(collect_deviations(evidence, actual, mode))
        left = accept_deviations(deviations, query, [], faults, ACCEPTING_AT_ONCE)
        is_undecided = within is not nullcontext and evidence.why_undecided
        return [*left, Deviation("value", evidence.why_undecided)] if is_undecided else left


def is_same_answer(one: Outcome, other: Outcome) -> bool:
    """Return whether two outcomes are values of the same bits, and have left the same bits in arrays. Bits may differ
    that some call of a program leaves open: signs of zeros and of nan, and which part of a complex number is infinite.
    """
    if not one.kind == "ok" == other.kind:
        return False
    return have_same_bits(*[_without_open_bits((each.value, each.after)) for each in (one, other)])


def _without_open_bits(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return (tuple if isinstance(value, tuple) else list)(map(_without_open_bits, value))
    if isinstance(value, dict):
        return {key: _without_open_bits(item) for key, item in value.items()}
    if not isinstance(value, (np.ndarray, np.generic)) or not is_inexact(value.dtype):
        return value
    array = np.asarray(value)
    is_lost = ~np.isfinite(array) if array.dtype.kind == "c" else np.isnan(array)
    return np.where(is_lost, array.dtype.type(np.nan), array + array.dtype.type(0))


def is_identical(expected: Any, actual: Any) -> bool:
    """Return whether both results are bitwise equal, so that nothing needs to be judged."""
    if isinstance(expected, tuple) and type(actual) is type(expected) and len(actual) == len(expected):
        return all(is_identical(one, other) for one, other in zip(expected, actual, strict=True))
    if isinstance(expected, (np.ndarray, np.generic)) and (
        type(actual) is np.ndarray or isinstance(actual, np.generic)
    ):
        return (
            expected.dtype == actual.dtype and expected.shape == actual.shape and expected.tobytes() == actual.tobytes()
        )
    return False
